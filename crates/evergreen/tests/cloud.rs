//! Sessions over object storage: a cold runner on a filled bucket answers with a handful of requests and no
//! solver. Requests are counted by a proxy in front of real servers.
//!
//! A program of its own: the credentials of S3 are variables of the process.

use evergreen::solver::{Command, Limits};
use evergreen::store::{OpenOptions, Store, open_layers};
use evergreen::{EngineOptions, ScriptRun, SessionOptions, Trust, run_script};
use evergreen_testing::cloud::{S3Server, WebServer};
use evergreen_testing::proxy::Proxy;
use evergreen_testing::tools::{find, repository};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// A packed stream of the repository.
fn unpacked(file: &str) -> String {
    let packed = repository().join(file);
    let output = std::process::Command::new("gzip").arg("-dc").arg(packed).output().expect("gzip starts");
    assert!(output.status.success());
    String::from_utf8(output.stdout).expect("text")
}

/// A log of KLEE's queries as one script.
fn klee_log(most: usize) -> String {
    let text = unpacked("crates/lab/tests/data/streams/regexp.smt2.gz");
    let queries: Vec<&str> = text.split("; Query").skip(1).take(most).collect();
    assert_eq!(queries.len(), most);
    let body = |query: &&str| query.split_once('\n').map(|(_, body)| body.replace("(exit)", "(reset)"));
    queries.iter().filter_map(body).collect()
}

/// One run: a store on the disk of this runner, then the bucket.
fn run(script: &str, own: &Path, bucket: &str, engine: &EngineOptions) -> ScriptRun {
    let open = OpenOptions {
        timeout: Duration::from_secs(3),
        spread: engine.trust.into(),
        ..OpenOptions::default()
    };
    let own = own.to_str().expect("text");
    let layers = open_layers(&[own, bucket], &open, Arc::new(|trouble: &str| panic!("{trouble}")));
    let store: Arc<dyn Store> = Arc::new(layers.unwrap());
    let options = SessionOptions {
        solver: Command::new(find("z3")),
        limits: Limits { time_ms: Some(60_000), memory_mb: None },
        engine: engine.clone(),
        store: Some(store.clone()),
        file: "script".into(),
    };
    let run = run_script(script.as_bytes(), options);
    store.flush().unwrap();
    run
}

/// The verdicts of a run. Values may be others: which model answers depends on what else is known.
fn verdicts(output: &str) -> Vec<&str> {
    output.lines().filter(|line| matches!(*line, "sat" | "unsat")).collect()
}

/// Fills a bucket, and answers from it on a runner that has nothing.
fn cold_after_filling(proxy: &Proxy, bucket: &str, script: &str, engine: &EngineOptions) -> ScriptRun {
    let folder = tempfile::tempdir().unwrap();
    let filled = run(script, &folder.path().join("first"), bucket, engine);
    let written = proxy.requests();
    assert_eq!(written.iter().filter(|line| line.starts_with("PUT ")).count(), 3, "{written:?}");
    let cold = run(script, &folder.path().join("second"), bucket, engine);
    let requests = proxy.requests();
    assert!(!requests.is_empty() && requests.len() <= 5, "{requests:?}");
    assert_eq!(verdicts(&cold.output), verdicts(&filled.output));
    assert_eq!(cold.stats.solver_starts, 0, "{:?}", cold.stats.engine);
    assert_eq!(cold.stats.engine.contradicted, 0);
    // From now on it has all of it.
    let warm = run(script, &folder.path().join("second"), bucket, engine);
    assert_eq!((verdicts(&warm.output), warm.stats.solver_starts), (verdicts(&cold.output), 0));
    assert!(proxy.requests().len() <= 5);
    filled
}

#[test]
fn a_klee_log_on_s3() {
    let server = S3Server::start();
    let proxy = Proxy::start(server.port());
    for (name, value) in [
        ("AWS_ENDPOINT_URL", proxy.url()),
        ("AWS_ACCESS_KEY_ID", "an-id".into()),
        ("AWS_SECRET_ACCESS_KEY", "a-secret".into()),
        ("AWS_REGION", "eu-central-1".into()),
    ] {
        // SAFETY: the only test of this program that sets or needs variables of S3; the others read none of
        // them, and the threads of this one start later.
        unsafe { std::env::set_var(name, value) };
    }
    // What is decided here leaves proofs in the bucket; the last query needs z3.
    let engine = EngineOptions::default();
    let script = klee_log(40) + "(declare-const x Int)(assert (< 100 (* x x) 130))(check-sat)\n";
    let filled = cold_after_filling(&proxy, "s3://answers/ci/linux", &script, &engine);
    assert!(filled.stats.solver_starts > 0, "{:?}", filled.stats.engine);
    two_runners(&proxy, "s3://answers/ci/two");
}

/// Two runners that end at once, on a real S3 server.
fn two_runners(proxy: &Proxy, bucket: &str) {
    let query =
        |n: usize| format!("(declare-const x Int)(assert (and (< {n} (* x x)) (< x {n})))(check-sat)\n");
    let folder = tempfile::tempdir().unwrap();
    let engine = EngineOptions::default();
    proxy.plan(|_, _| evergreen_testing::proxy::Fault::Delay(Duration::from_millis(30)));
    std::thread::scope(|scope| {
        for n in 0..4 {
            let (folder, engine) = (folder.path().join(n.to_string()), &engine);
            scope.spawn(move || {
                assert_eq!(run(&query(100 + n), &folder, bucket, engine).output.trim(), "sat")
            });
        }
    });
    proxy.plan(|_, _| evergreen_testing::proxy::Fault::None);
    let all: String = (0..4).map(|n| query(100 + n) + "(reset)\n").collect();
    let late = run(&all, &folder.path().join("late"), bucket, &engine);
    assert_eq!((late.output.as_str(), late.stats.solver_starts), ("sat\nsat\nsat\nsat\n", 0));
}

#[test]
fn path_queries_on_webdav() {
    let server = WebServer::webdav();
    let proxy = Proxy::start(server.port());
    let engine = EngineOptions { native: false, trust: Trust::All, ..EngineOptions::default() };
    let script = unpacked("streams/tree.smt2.gz");
    let filled = cold_after_filling(&proxy, &format!("{}/ci", proxy.url()), &script, &engine);
    assert!(filled.stats.solver_starts > 0 && filled.stats.engine.solved > 0, "{:?}", filled.stats.engine);
}

/// Models are their own evidence, so nobody has to be trusted.
#[test]
fn models_of_a_bucket_need_no_trust() {
    let server = WebServer::webdav();
    let proxy = Proxy::start(server.port());
    let engine = EngineOptions { native: false, ..EngineOptions::default() };
    assert_eq!(engine.trust, Trust::Local);
    let script: String = (0..12)
        .map(|n| format!("(declare-const x Int)(assert (< {n} (* x x) {}))(check-sat)(reset)\n", 9 * n + 9))
        .collect();
    let filled = cold_after_filling(&proxy, &format!("{}/ci", proxy.url()), &script, &engine);
    assert!(filled.stats.solver_starts > 0 && filled.output.contains("sat"));
}

/// Who can write to the bucket can write a wrong verdict: without proof it is solved again.
#[test]
fn unproved_answers_of_a_bucket_are_solved_again() {
    let server = WebServer::webdav();
    let bucket = format!("{}/ci", server.url());
    let folder = tempfile::tempdir().unwrap();
    let script =
        "(declare-fun f (Int) Int)(assert (forall ((x Int)) (> (f x) x)))(assert (< (f 3) 2))(check-sat)";
    let starts = |own: &str, trust: Trust| {
        let engine = EngineOptions { trust, ..EngineOptions::default() };
        let run = run(script, &folder.path().join(own), &bucket, &engine);
        assert_eq!(run.output.trim(), "unsat");
        run.stats.solver_starts
    };
    assert!(starts("first", Trust::Local) > 0);
    assert!(starts("distrusting", Trust::Local) > 0, "unproved records of a bucket are ignored");
    assert_eq!(starts("trusting", Trust::All), 0);
}
