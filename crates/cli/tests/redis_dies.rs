//! A Redis that is killed and comes back in the middle of a run: the answers are those of the solver, the
//! trouble is told once, and nobody waits for a server that is not there.

use crate::common::{Folder, Talk, evergreen};
use evergreen_testing::redis::RedisServer;
use std::time::{Duration, Instant};

/// `x` is between `n` and `n + 3`, and in the unsatisfiable half of the queries also above that.
fn query(n: usize) -> (String, &'static str) {
    let impossible = if n.is_multiple_of(2) { "" } else { "(assert (> (* 2 x) (* 2 (+ x 1))))" };
    let script = format!(
        "(push 1)(declare-const x Int)(declare-const y Int)(assert (<= {n} x {}))(assert (< x y)){impossible}\
         (check-sat)(pop 1)\n",
        n + 3
    );
    (script, if impossible.is_empty() { "sat" } else { "unsat" })
}

fn ask(talk: &mut Talk, numbers: std::ops::Range<usize>) {
    for n in numbers {
        let (script, expected) = query(n);
        assert_eq!(talk.ask(&script), expected, "query {n}");
    }
}

fn survives(first_store: &str, url: impl Fn(&RedisServer) -> String) {
    let folder = Folder::new();
    let mut redis = RedisServer::start();
    let url = url(&redis);
    let first = if first_store == "disk" { folder.text("store") } else { first_store.to_string() };
    let run = || {
        let mut command = evergreen(&folder);
        command.args(["solve", "--store", &first, "--store", &url]);
        Talk::start(&mut command)
    };
    let mut talk = run();
    let begun = Instant::now();
    ask(&mut talk, 0..40);
    let usual = begun.elapsed();
    redis.kill();
    let dead = Instant::now();
    ask(&mut talk, 20..120);
    let waited = dead.elapsed();
    redis.restart();
    ask(&mut talk, 60..160);
    let (status, rest, errors) = talk.end();
    assert!(status.success(), "{status}");
    assert!(rest.is_empty(), "{rest:?}");
    assert!(errors.len() <= 2, "trouble is told once, not {} times: {errors:?}", errors.len());
    // A limit against hanging: 100 queries that would each wait for a timeout take far longer, on a slow
    // machine too.
    assert!(waited < Duration::from_secs(20) + usual * 10, "100 queries took {waited:?} without the server");

    // What was recorded reached the server that is there now: another machine that trusts it finds it.
    let other = Folder::new();
    let mut command = evergreen(&other);
    command.args(["solve", "--store", "memory:", "--store", &url, "--mode", "require-hit", "--trust", "all"]);
    let mut talk = Talk::start(&mut command);
    ask(&mut talk, 130..160);
    assert!(talk.end().0.success());
}

#[test]
fn behind_memory() {
    survives("memory:", RedisServer::url);
}

#[test]
fn behind_a_disk() {
    survives("disk", RedisServer::url);
}

#[test]
fn over_a_unix_socket() {
    survives("memory:", RedisServer::unix_url);
}

#[test]
fn a_server_that_was_never_there() {
    let folder = Folder::new();
    let mut command = evergreen(&folder);
    command.args(["solve", "--store", "memory:", "--store", "redis://127.0.0.1:1/0"]);
    let mut talk = Talk::start(&mut command);
    ask(&mut talk, 0..20);
    let (status, _, errors) = talk.end();
    assert!(status.success());
    assert!(errors.len() <= 2 && !errors.is_empty(), "{errors:?}");
    assert!(errors[0].contains("127.0.0.1:1"), "{errors:?}");
}
