//! GitHub's cache of actions behind the command, on an emulator: cold runners, runners at once, trouble.

use crate::common::{Folder, Talk, evergreen, run, stderr, stdout};
use evergreen_testing::github::{ActionsCache, Job};
use evergreen_testing::proxy::{Fault, Proxy};
use std::process::{Command, Output};
use std::time::Duration;

const STORE: &str = "ghac://verify";
/// What no message may have.
const SECRETS: [&str; 3] = ["token-of", "s3cret", "sig="];

/// The cache and a proxy in front of it.
struct Place {
    cache: ActionsCache,
    proxy: Proxy,
    timeout_ms: &'static str,
}

impl Place {
    /// A test machine may be busy, so requests have long.
    fn start() -> Place {
        let cache = ActionsCache::start();
        let proxy = Proxy::start(cache.port());
        Place { cache, proxy, timeout_ms: "2000" }
    }

    /// `evergreen solve` in a job, with a folder and the cache as stores. It sees no job around this test.
    fn solving(&self, folder: &Folder, job: &Job, protocol: u8) -> Command {
        let mut command = evergreen(folder);
        command.args(["solve", "--store", &folder.text("store"), "--store", STORE]);
        command.args(["--stats", &folder.text("stats"), "--log", &folder.text("log")]);
        for name in
            ["GITHUB_SERVER_URL", "ACTIONS_CACHE_URL", "ACTIONS_RESULTS_URL", "ACTIONS_CACHE_SERVICE_V2"]
        {
            command.env_remove(name);
        }
        command.env("ACTIONS_RUNTIME_TOKEN", job.token).env("GITHUB_REF", job.branch);
        let url = format!("{}/", self.proxy.url());
        match protocol {
            1 => command.env("ACTIONS_CACHE_URL", url),
            _ => command.env("ACTIONS_RESULTS_URL", url).env("ACTIONS_CACHE_SERVICE_V2", "on"),
        };
        command.env("EVERGREEN_STORE_TIMEOUT_MS", self.timeout_ms);
        command
    }

    fn solve(&self, job: &Job, protocol: u8, script: &str) -> (Output, (u64, usize)) {
        let folder = Folder::new();
        let output = run(&mut self.solving(&folder, job, protocol), script);
        assert!(output.status.success(), "{}", stderr(&output));
        (output, numbers(&folder))
    }
}

/// What the statistics of a run say: solved, and started.
fn numbers(folder: &Folder) -> (u64, usize) {
    let stats = std::fs::read_to_string(folder.path("stats")).expect("statistics were written");
    let last: serde_json::Value = serde_json::from_str(stats.lines().last().expect("a line")).expect("JSON");
    let solved = last.pointer("/solved").and_then(serde_json::Value::as_u64).expect("a number");
    let log = std::fs::read_to_string(folder.path("log")).unwrap_or_default();
    (solved, log.lines().filter(|line| line.contains("started solver")).count())
}

/// A query that needs a solver.
fn query(n: usize) -> String {
    format!("(declare-const x Int)(assert (and (< {n} (* x x)) (< x {n})))(check-sat)\n")
}

#[test]
fn a_cold_runner_needs_four_requests_and_no_solver() {
    for protocol in [1, 2] {
        let place = Place::start();
        let script: String = (0..20).map(|n| query(100 + n) + "(reset)\n").collect();
        let (filled, (solved, started)) = place.solve(ActionsCache::main(), protocol, &script);
        assert!(solved > 0 && started > 0, "{solved} solved, {started} started");
        assert_eq!(stderr(&filled), "");
        place.proxy.requests();
        // Another runner, with an empty store of its own. What it takes is proved.
        let (cold, numbers) = place.solve(ActionsCache::main(), protocol, &script);
        assert_eq!((stdout(&cold), stderr(&cold), numbers), (stdout(&filled), String::new(), (0, 0)));
        let requests = place.proxy.requests();
        assert_eq!(requests.len(), 4, "{requests:?}");
        // A job that may only read has the same, and nothing new to write.
        let (reader, numbers) = place.solve(ActionsCache::reader(), protocol, &script);
        assert_eq!((stdout(&reader), stderr(&reader), numbers), (stdout(&filled), String::new(), (0, 0)));
    }
}

#[test]
fn four_runners_at_once_lose_nothing_of_each_other() {
    for protocol in [1, 2] {
        let place = Place::start();
        let folders: Vec<Folder> = (0..4).map(|_| Folder::new()).collect();
        let solving = |folder| place.solving(folder, ActionsCache::main(), protocol);
        let mut talks: Vec<Talk> = folders.iter().map(|folder| Talk::start(&mut solving(folder))).collect();
        for (n, talk) in talks.iter_mut().enumerate() {
            assert_eq!(talk.ask(&query(100 + n)), "sat");
        }
        // All end at once, each when the others have begun to.
        place.proxy.plan(|_, _| Fault::Delay(Duration::from_millis(30)));
        std::thread::scope(|scope| {
            for talk in talks {
                scope.spawn(move || assert!(talk.end().0.success()));
            }
        });
        place.proxy.plan(|_, _| Fault::None);
        for n in 0..4 {
            let other = Folder::new();
            let mut command = place.solving(&other, ActionsCache::main(), protocol);
            let output = run(command.args(["--mode", "require-hit"]), query(100 + n));
            assert_eq!(stdout(&output).trim(), "sat", "{n}: {}", stderr(&output));
        }
    }
}

/// A runner is killed after it has reserved the number of its index. The next ones get past that number.
#[test]
fn a_killed_runner_leaves_a_number_that_the_next_goes_past() {
    let place = Place::start();
    place.solve(ActionsCache::main(), 2, &query(100));
    let folder = Folder::new();
    let mut talk = Talk::start(&mut place.solving(&folder, ActionsCache::main(), 2));
    assert_eq!(talk.ask(&query(101)), "sat");
    // The data of its index never arrives.
    let before = place.cache.keys(ActionsCache::main()).len();
    place.cache.requests();
    place.proxy.plan(|line, _| if line.starts_with("PUT /data/3") { Fault::Silence } else { Fault::None });
    let pid = talk.child.id().to_string();
    std::thread::scope(|scope| {
        scope.spawn(move || drop(talk.end()));
        evergreen_testing::wait::wait_until("its index to be reserved", || {
            place.cache.reserved().iter().any(|key| key.contains("/index-"))
        });
        let killed = Command::new("kill").args(["-KILL", &pid]).status();
        assert!(killed.expect("kill starts").success());
    });
    assert_eq!(place.cache.keys(ActionsCache::main()).len(), before + 1, "its pack and no index");
    place.proxy.plan(|_, _| Fault::None);
    // As by default, since that is also how long the dead runner's number is waited for.
    let place = Place { timeout_ms: "250", ..place };
    for n in [102, 103] {
        let (output, _) = place.solve(ActionsCache::main(), 2, &query(n));
        assert_eq!(stderr(&output), "");
    }
    for n in [100, 102, 103] {
        let (output, numbers) = place.solve(ActionsCache::main(), 2, &query(n));
        assert_eq!((stdout(&output).trim(), numbers), ("sat", (0, 0)), "{n}");
    }
}

#[test]
fn trouble_is_told_once_and_answers_come_all_the_same() {
    let place = Place::start();
    place.solve(ActionsCache::main(), 2, &query(100));
    let ask = |command: &mut Command| {
        let output = run(command, query(100) + "(reset)\n" + &query(200));
        assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(0), "sat\nsat\n"));
        let told = stderr(&output);
        assert_eq!(told.matches("ghac://verify/index-: cannot read it").count(), 1, "{told}");
        assert_eq!(told.matches("ghac://verify").count(), 1, "{told}");
        assert!(SECRETS.iter().all(|secret| !told.contains(secret)), "{told}");
        told
    };
    let folder = Folder::new();
    let mut command = place.solving(&folder, ActionsCache::main(), 2);
    let told = ask(command.env("ACTIONS_RUNTIME_TOKEN", "s3cret"));
    assert!(told.contains("status 401") && told.contains("help: check ACTIONS_RUNTIME_TOKEN"), "{told}");
    // Short only where nothing else can be said: on a busy machine an answer may take longer.
    let mut place = place;
    for (fault, timeout_ms) in
        [(Fault::Close, "2000"), (Fault::Silence, "30"), (Fault::HalfReply(30), "30"), (Fault::None, "2000")]
    {
        place = Place { timeout_ms, ..place };
        place.proxy.plan(move |_, _| fault);
        place.cache.refuse(move |_, _| (fault == Fault::None).then_some(502));
        ask(&mut place.solving(&Folder::new(), ActionsCache::main(), 2));
    }
    place.cache.refuse(|_, _| None);
    place.proxy.plan(|_, _| Fault::Delay(Duration::from_millis(20)));
    assert_eq!(place.solve(ActionsCache::main(), 2, &query(100)).1, (0, 0));
}

/// What a job that may only read found is told as not written, once, and stays in its own folder.
#[test]
fn a_job_that_may_not_write_says_so_once() {
    let place = Place::start();
    let (output, (solved, _)) = place.solve(ActionsCache::reader(), 2, &query(100));
    assert_eq!((stdout(&output).trim(), solved), ("sat", 1));
    let told = stderr(&output);
    assert_eq!(told.matches("cannot write it: status 403").count(), 1, "{told}");
    assert!(told.contains("whether the job may write a cache"), "{told}");
    assert!(SECRETS.iter().all(|secret| !told.contains(secret)), "{told}");
}
