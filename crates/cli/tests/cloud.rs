//! Object storage behind the command: a cold runner on a filled bucket, two runners, signals, credentials.

use crate::common::{Folder, Talk, evergreen, find, run, stderr, stdout};
use evergreen_testing::cloud::{GoogleServer, S3Server, WebServer};
use evergreen_testing::proxy::{Fault, Proxy};
use evergreen_testing::tools::repository;
use evergreen_testing::wait::wait_until;
use std::process::{Command, Output};

/// A real S3 server with a proxy in front that counts.
struct S3 {
    _server: S3Server,
    proxy: Proxy,
}

impl S3 {
    fn start() -> S3 {
        let server = S3Server::start();
        let proxy = Proxy::start(server.port());
        S3 { _server: server, proxy }
    }

    /// The variables that Amazon's own tools read.
    fn known_to<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        command
            .env("AWS_ENDPOINT_URL", self.proxy.url())
            .env("AWS_ACCESS_KEY_ID", "an-id")
            .env("AWS_SECRET_ACCESS_KEY", "a-secret")
            .env("AWS_REGION", "eu-central-1")
            .env("EVERGREEN_STORE_TIMEOUT_MS", "2000")
    }
}

/// A script of a recorded stream of a C program, as KLEE logs it.
fn stream(name: &str, most: usize) -> String {
    let file = repository().join("crates/lab/tests/data/streams").join(name);
    let unpacked = Command::new("gzip").arg("-dc").arg(file).output().expect("gzip starts");
    let text = String::from_utf8(unpacked.stdout).expect("text");
    let queries: Vec<&str> = text.split("; Query").skip(1).take(most).collect();
    assert_eq!(queries.len(), most);
    let body = |query: &&str| query.split_once('\n').map(|(_, body)| body.replace("(exit)", "(reset)"));
    queries.iter().filter_map(body).collect()
}

/// What the statistics of a run say: solved, and started.
fn numbers(folder: &Folder) -> (u64, usize) {
    let stats = std::fs::read_to_string(folder.path("stats")).expect("statistics were written");
    let last: serde_json::Value = serde_json::from_str(stats.lines().last().expect("a line")).expect("JSON");
    let solved = last.pointer("/solved").and_then(serde_json::Value::as_u64).expect("a number");
    let log = std::fs::read_to_string(folder.path("log")).unwrap_or_default();
    (solved, log.lines().filter(|line| line.contains("started solver")).count())
}

/// The verdicts of a run. Values may be others: which model answers depends on what else is known.
fn verdicts(output: &Output) -> Vec<String> {
    stdout(output).lines().filter(|line| matches!(*line, "sat" | "unsat")).map(String::from).collect()
}

fn solving(folder: &Folder, store: &str) -> Command {
    let mut command = evergreen(folder);
    command.args(["solve", "--store", &folder.text("store"), "--store", store]);
    command.args(["--stats", &folder.text("stats"), "--log", &folder.text("log")]);
    command
}

#[test]
fn a_cold_runner_on_a_filled_bucket_needs_five_requests_and_no_solver() {
    let s3 = S3::start();
    let store = "s3://answers/ci/linux";
    // The core of bits decides the log of KLEE; the last query needs a solver.
    let product = "(declare-const x Int)(assert (< 100 (* x x) 130))(check-sat)\n";
    let script = stream("regexp.smt2.gz", 40) + product;
    let first = Folder::new();
    let filled = run(s3.known_to(&mut solving(&first, store)), &script);
    assert!(filled.status.success(), "{}", stderr(&filled));
    assert_eq!(stderr(&filled), "");
    let (solved, started) = numbers(&first);
    assert!(solved > 0 && started > 0, "{solved} solved, {started} started");
    let written = s3.proxy.requests();
    assert_eq!(written.iter().filter(|line| line.starts_with("PUT ")).count(), 3, "{written:?}");
    // Another runner, with an empty store of its own. It need not trust the bucket: what it takes is proved.
    let second = Folder::new();
    let cold = run(s3.known_to(&mut solving(&second, store)), &script);
    assert!(cold.status.success(), "{}", stderr(&cold));
    assert_eq!(verdicts(&cold), verdicts(&filled));
    assert_eq!((numbers(&second), stderr(&cold).as_str()), ((0, 0), ""));
    let requests = s3.proxy.requests();
    assert!(requests.len() <= 5, "{requests:?}");
    // And then everything is here.
    let warm = run(s3.known_to(&mut solving(&second, store)), &script);
    assert_eq!((verdicts(&warm), numbers(&second)), (verdicts(&filled), (0, 0)));
    assert!(s3.proxy.requests().len() <= 5);
    housekeeping(&s3, store);
}

/// The same on Google's storage.
#[test]
fn a_second_runner_on_googles_storage_needs_no_solver() {
    let server = GoogleServer::start();
    let product = "(declare-const x Int)(assert (< 100 (* x x) 130))(check-sat)\n";
    let script = stream("regexp.smt2.gz", 10) + product;
    let runner = |store: &str| {
        let folder = Folder::new();
        let mut command = solving(&folder, store);
        command.env("STORAGE_EMULATOR_HOST", server.url()).env("EVERGREEN_STORE_TIMEOUT_MS", "5000");
        let output = run(&mut command, &script);
        assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(0), ""));
        (verdicts(&output), numbers(&folder))
    };
    let (filled, (solved, started)) = runner("gs://answers/ci/linux");
    assert!(solved > 0 && started > 0, "{solved} solved, {started} started");
    assert_eq!(runner("gs://answers/ci/linux"), (filled, (0, 0)));
    assert!(runner("gs://answers/elsewhere").1.1 > 0, "another prefix is another store");
}

/// `evergreen store` on a bucket: push, pull, look, remove nothing.
fn housekeeping(s3: &S3, store: &str) {
    let folder = Folder::new();
    let verb = |arguments: &[&str]| {
        let mut command = evergreen(&folder);
        command.arg("store").args(arguments);
        let output = run(s3.known_to(&mut command), "");
        assert!(output.status.success(), "{arguments:?}: {}", stderr(&output));
        stdout(&output)
    };
    let verified = verb(&["--store", store, "verify"]);
    assert!(verified.contains("0 damaged, 0 not understood") && !verified.starts_with("0 "), "{verified}");
    let pulled = verb(&["--store", &folder.text("here"), "merge", store]);
    assert!(pulled.contains(" added, 0 replaced"), "{pulled}");
    let pushed = verb(&["--store", "s3://answers/copy", "merge", &folder.text("here")]);
    let added =
        |text: &str| text.split(": ").nth(1).and_then(|rest| rest.split(' ').next().map(str::to_owned));
    assert_eq!(added(&pulled), added(&pushed));
}

/// Dafny's conditions have quantifiers, so the bucket has to be trusted. Dafny kills its solver, which leaves
/// no time to write: the answers are pushed afterwards.
#[test]
fn dafny_on_a_filled_bucket_needs_five_requests_and_no_solver() {
    let server = WebServer::webdav();
    let proxy = Proxy::start(server.port());
    let bucket = format!("{}/dafny", proxy.url());
    let folder = Folder::new();
    let shim = run(evergreen(&folder).args(["shim", "install"]).arg(folder.path("bin")), "");
    assert!(shim.status.success(), "{}", stderr(&shim));
    let verify = |stores: String| {
        let _ = std::fs::remove_file(folder.path("log"));
        let mut command = Command::new("bash");
        command.arg(repository().join("tests/clients/run.sh")).arg("dafny").arg(folder.path("bin"));
        command.env("EVERGREEN_STORE", stores).env("EVERGREEN_LOG", folder.path("log"));
        command.env("EVERGREEN_Z3", find("z3")).env("EVERGREEN_CONFIG", "/dev/null");
        command.env("EVERGREEN_TRUST", "all").env("EVERGREEN_STORE_TIMEOUT_MS", "2000");
        let output = command.output().expect("bash starts");
        assert!(output.status.success(), "{}", stderr(&output));
        let log = std::fs::read_to_string(folder.path("log")).unwrap_or_default();
        (stdout(&output), log.lines().filter(|line| line.contains("started solver")).count())
    };
    let (verified, starts) = verify(folder.text("mine"));
    assert!(starts > 0);
    let push = ["store", "--store", &bucket, "merge", &folder.text("mine")];
    let pushed = run(evergreen(&folder).args(push), "");
    assert!(pushed.status.success(), "{}", stderr(&pushed));
    proxy.requests();
    assert_eq!(verify(format!("{},{bucket}", folder.text("theirs"))), (verified, 0));
    let requests = proxy.requests();
    assert!(!requests.is_empty() && requests.len() <= 5, "{requests:?}");
}

#[test]
fn two_runners_at_once_lose_nothing_of_each_other() {
    let server = WebServer::webdav();
    let proxy = Proxy::start(server.port());
    let store = format!("{}/ci", proxy.url());
    let query =
        |n: usize| format!("(declare-const x Int)(assert (and (< {n} (* x x)) (< x {n})))(check-sat)\n");
    let folders: Vec<Folder> = (0..3).map(|_| Folder::new()).collect();
    let mut talks: Vec<Talk> = folders
        .iter()
        .map(|folder| Talk::start(solving(folder, &store).env("EVERGREEN_STORE_TIMEOUT_MS", "2000")))
        .collect();
    for (n, talk) in talks.iter_mut().enumerate() {
        assert_eq!(talk.ask(&query(100 + n)), "sat");
    }
    // All end at once, each when the others have begun to.
    proxy.plan(|_, _| Fault::Delay(std::time::Duration::from_millis(50)));
    std::thread::scope(|scope| {
        for talk in talks {
            scope.spawn(move || assert!(talk.end().0.success()));
        }
    });
    proxy.plan(|_, _| Fault::None);
    for n in 0..3 {
        let other = Folder::new();
        let mut command = solving(&other, &store);
        command.args(["--mode", "require-hit"]).env("EVERGREEN_STORE_TIMEOUT_MS", "2000");
        let output = run(&mut command, query(100 + n));
        assert_eq!(stdout(&output).trim(), "sat", "{n}: {}", stderr(&output));
    }
}

#[test]
fn a_signal_has_the_answers_written() {
    let server = WebServer::webdav();
    let store = format!("{}/ci", server.url());
    let folder = Folder::new();
    let script = "(declare-const x Int)(assert (< 7 x (* x x) 99))(check-sat)\n";
    let mut talk = Talk::start(solving(&folder, &store).env("EVERGREEN_STORE_TIMEOUT_MS", "2000"));
    assert_eq!(talk.ask(script), "sat");
    let killed = Command::new("kill").args(["-TERM", &talk.child.id().to_string()]).status();
    assert!(killed.expect("kill starts").success());
    wait_until("the index", || server.files().join("ci/evergreen-2/index").exists());
    drop(talk.end());
    let other = Folder::new();
    let mut command = solving(&other, &store);
    command.args(["--mode", "require-hit"]).env("EVERGREEN_STORE_TIMEOUT_MS", "2000");
    assert_eq!(stdout(&run(&mut command, script)).trim(), "sat");
}

#[test]
fn a_poisoned_bucket_is_not_believed() {
    let server = WebServer::webdav();
    let store = format!("{}/ci", server.url());
    // Without a proof: a quantifier, which the checkers do not read.
    let script =
        "(declare-fun f (Int) Int)(assert (forall ((x Int)) (> (f x) x)))(assert (< (f 3) 2))(check-sat)\n";
    let (first, second, third) = (Folder::new(), Folder::new(), Folder::new());
    assert_eq!(stdout(&run(&mut solving(&first, &store), script)).trim(), "unsat");
    let distrusting = run(&mut solving(&second, &store), script);
    assert_eq!(stdout(&distrusting).trim(), "unsat");
    assert_eq!(numbers(&second).0, 1, "unproved records of a bucket are solved again");
    let trusting = run(solving(&third, &store).args(["--trust", "all"]), script);
    assert_eq!(stdout(&trusting).trim(), "unsat");
    assert_eq!(numbers(&third).0, 0);
}

#[test]
fn addresses_and_credentials_are_told_apart() {
    let folder = Folder::new();
    let ask = |store: &str| {
        let mut command = evergreen(&folder);
        command.args(["solve", "--store", "memory:", "--store", store]).env_remove("ACTIONS_RESULTS_URL");
        command.env("EVERGREEN_STORE_TIMEOUT_MS", "100").env("AWS_SECRET_ACCESS_KEY", "s3cret");
        run(&mut command, "(declare-const x Int)(assert (> x 3))(check-sat)\n")
    };
    for (store, says) in [
        ("s3://", "s3://: the address names no place\nhelp: write s3://bucket/prefix"),
        ("s3://b/p?key=s3cret", "s3://: the address has more than a name and a path"),
        ("azblob://c/p", "azblob://c/p: no account of Azure's storage is known\nhelp: set AZURE_"),
        ("ghac://linux", "ghac://linux: this is no job of GitHub's actions\nhelp: a step has to export"),
        ("ftp://host/x", "store: no such kind of address 'ftp://'"),
    ] {
        let output = ask(store);
        assert_eq!(output.status.code(), Some(2), "{store}");
        assert!(stderr(&output).contains(says), "{store}: {}", stderr(&output));
        assert!(!stderr(&output).contains("s3cret"), "{}", stderr(&output));
    }
    // A server that is not there: answered all the same, each trouble told once, without the password.
    let output = ask("http://user:s3cret@127.0.0.1:1/ci");
    assert_eq!(stdout(&output).trim(), "sat");
    let told = stderr(&output);
    for trouble in
        ["http://127.0.0.1:1/ci/index: cannot read it", "http://127.0.0.1:1/ci/heads/: cannot list it"]
    {
        assert_eq!(told.matches(trouble).count(), 1, "{told}");
    }
    assert_eq!(told.matches("http://127.0.0.1:1/ci").count(), 2, "{told}");
    assert!(!told.contains("s3cret"), "{told}");
    // The solver is there, so that the answers above are no accident of its absence.
    assert!(find("z3").exists());
}
