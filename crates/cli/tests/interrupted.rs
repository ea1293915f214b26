//! Commands that are ended in the middle: whatever they had in the folder for temporary files is gone.

use crate::common::{Folder, PATIENCE, evergreen};
use evergreen_testing::redis::RedisServer;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// Enough paths for hours.
const LONG: &str = "public class Long {\n    public static int run(int[] a, int n) {\n        int s = 0;\n\
    \x20       for (int i = 0; i < n; i++) { for (int j = 0; j < n; j++) { if ((s * 31 + i * j) % 7 == n % \
    5) s += j; else s ^= i; } }\n\
    \x20       return s;\n    }\n}\n";

const GOOD: &str = "public class Good { public static int f(int x) { return x > 3 ? 1 : 2; } }";

/// Everything below a folder.
fn below(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.flat_map(|entry| std::iter::once(entry.path()).chain(below(&entry.path()))).collect()
}

fn wait_for(what: &str, child: &mut Child, mut is_there: impl FnMut() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !is_there() {
        let ended = child.try_wait().expect("a child");
        assert!(ended.is_none() && Instant::now() < deadline, "no {what}: {ended:?}");
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn send(child: &Child, signal: i32) {
    // SAFETY: a plain system call on a child of ours.
    unsafe { libc::kill(child.id() as libc::pid_t, signal) };
}

fn end(mut child: Child) -> ExitStatus {
    let deadline = Instant::now() + PATIENCE;
    loop {
        if let Some(status) = child.try_wait().expect("a child") {
            return status;
        }
        assert!(Instant::now() < deadline, "it does not end");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// A command with a folder of its own for temporary files.
fn start(folder: &Folder, arguments: &[&str]) -> (Child, PathBuf) {
    let place = folder.path("tmp");
    std::fs::create_dir_all(&place).expect("a folder");
    let mut command: Command = evergreen(folder);
    command.env("TMPDIR", &place).args(arguments).stdin(Stdio::null());
    let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
    (child, place)
}

/// While javac is at work, before anything has asked for a way to stop in an orderly manner.
#[test]
fn while_sources_are_compiled() {
    let folder = Folder::new();
    let source = folder.file("Long.java", LONG).display().to_string();
    std::fs::create_dir_all(folder.path("new")).expect("a folder");
    std::fs::write(folder.path("new/Long.java"), LONG.replace("% 7", "% 8")).expect("a file");
    let new = folder.text("new/Long.java");
    let calls: [(&[&str], i32); 3] = [
        (&["explore", &source], libc::SIGTERM),
        (&["explore", &source], libc::SIGINT),
        (&["diff", &source, &new], libc::SIGTERM),
    ];
    for (arguments, signal) in calls {
        let (mut child, place) = start(&folder, arguments);
        // The classes are not there yet, what they are made from is.
        wait_for("source", &mut child, || {
            below(&place).iter().any(|path| path.ends_with("evergreen/Sym.java"))
        });
        send(&child, signal);
        let status = end(child);
        // What compares versions ends in an orderly manner from the beginning.
        let is_orderly = arguments[0] == "diff";
        assert_eq!(status.signal(), (!is_orderly).then_some(signal), "{arguments:?}: {status:?}");
        assert_eq!(below(&place), Vec::<PathBuf>::new(), "{arguments:?}");
    }
}

/// In the middle of an exploration: the first signal ends it in an orderly manner, the second at once.
#[test]
fn while_paths_are_explored() {
    let folder = Folder::new();
    let source = folder.file("Long.java", LONG).display().to_string();
    for signals in [1, 2] {
        let tests = folder.path(&format!("out{signals}"));
        let (mut child, place) =
            start(&folder, &["explore", &source, "--out", &tests.display().to_string(), "--time", "0"]);
        wait_for("class", &mut child, || below(&place).iter().any(|path| path.ends_with("Long.class")));
        wait_for("path", &mut child, || tests.exists());
        for _ in 0..signals {
            send(&child, libc::SIGTERM);
            std::thread::sleep(Duration::from_millis(20));
        }
        end(child);
        assert_eq!(below(&place), Vec::<PathBuf>::new(), "after {signals} signals");
    }
}

/// While the runner is compiled that replays tests: it goes into the user's cache as a whole or not at all.
#[test]
fn while_tests_are_replayed() {
    let folder = Folder::new();
    let source = folder.file("Good.java", GOOD).display().to_string();
    let (mut child, place) = start(&folder, &["explore", &source, "--replay"]);
    let is_runner = |path: &PathBuf| path.ends_with("evergreen/runner/Runner.java");
    wait_for("runner", &mut child, || below(&place).iter().any(is_runner));
    // The first one lets what has begun come to its end.
    send(&child, libc::SIGTERM);
    std::thread::sleep(Duration::from_millis(20));
    send(&child, libc::SIGTERM);
    // On a busy machine two signals may become one.
    end(child);
    let left: Vec<PathBuf> = below(&place).into_iter().chain(below(&folder.path("home"))).collect();
    let is_old = |path: &&PathBuf| path.to_string_lossy().contains("making");
    assert_eq!((below(&place).len(), left.iter().find(is_old)), (0, None));
}

/// A worker unpacks programs of others.
#[test]
fn while_others_are_worked_for() {
    let (here, there, server) = (Folder::new(), Folder::new(), RedisServer::start());
    let source = here.file("Long.java", LONG).display().to_string();
    let (submitter, _) = start(&here, &["explore", &source, "--queue", &server.url(), "--time", "0"]);
    let (mut worker, place) = start(&there, &["work", "--queue", &server.url()]);
    wait_for("class", &mut worker, || below(&place).iter().any(|path| path.ends_with("Long.class")));
    for child in [&worker, &submitter] {
        send(child, libc::SIGTERM);
        std::thread::sleep(Duration::from_millis(20));
        send(child, libc::SIGTERM);
    }
    end(worker);
    end(submitter);
    assert_eq!((below(&place), below(&here.path("tmp"))), (Vec::new(), Vec::new()));
}

/// Without a signal nothing stays either, whether a command succeeds or not.
#[test]
fn commands_that_end_by_themselves() {
    let folder = Folder::new();
    let good = folder.file("Good.java", GOOD);
    let bad = folder.file("Bad.java", "class Bad { int f( }");
    for source in [good, bad] {
        let (child, place) = start(&folder, &["explore", &source.display().to_string()]);
        end(child);
        assert_eq!(below(&place), Vec::<PathBuf>::new(), "{}", source.display());
    }
}

/// A product of 64 bits that no solver here factors in time, and commands behind it.
const HARD: &str = "(declare-fun a () (_ BitVec 64))\n(declare-fun b () (_ BitVec 64))\n\
    (declare-fun f (Int) Int)\n\
    (assert (= (bvmul a b) #xfffffffb00000005))\n(assert (bvugt a #x0000000000000001))\n\
    (assert (bvugt b #x0000000000000001))\n(assert (bvult a #x00000000ffffffff))\n\
    (assert (bvult b #x00000001ffffffff))\n(assert (= (f 0) 1))\n";
const BEHIND: &str = "(echo \"begins\")\n(check-sat)\n(echo \"behind\")\n(get-info :reason-unknown)\n\
    (push 1)\n(assert false)\n(check-sat)\n(pop 1)\n(exit)\n";

/// What a program prints for a script that is interrupted in its first check, and how it ends.
fn interrupted_in_check(mut command: Command, script: &str) -> (String, Option<i32>) {
    use std::io::{BufRead, BufReader, Read, Write};
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(script.as_bytes()).expect("it reads");
    let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut printed = String::new();
    output.read_line(&mut printed).expect("it prints");
    // It has begun; how far it is cannot be seen.
    std::thread::sleep(Duration::from_millis(1500));
    send(&child, libc::SIGINT);
    output.read_to_string(&mut printed).expect("it ends");
    (printed, end(child).code())
}

#[test]
fn an_interrupted_check_is_unknown_and_the_script_goes_on_as_with_z3() {
    let folder = Folder::new();
    // With quantifiers and many assertions the process that gives cores is asked first.
    let many: String =
        (0..20).map(|i| format!("(assert (forall ((x Int)) (< (f x) (f (+ x {i} 1)))))\n")).collect();
    for script in [format!("{HARD}{BEHIND}"), format!("{HARD}{many}{BEHIND}")] {
        let z3 = evergreen_testing::tools::find("z3");
        let mut bare = Command::new(&z3);
        bare.arg("-in");
        let expected = interrupted_in_check(bare, &script);
        assert!(expected.0.contains("unknown\nbehind\n"), "{expected:?}");
        let mut ours: Command = evergreen(&folder);
        ours.args(["solve", "--no-native", "--solver"]).arg(&z3).arg("-");
        assert_eq!(interrupted_in_check(ours, &script), expected);
    }
}

/// pySMT and CBMC end their solver by a signal when they have its answer: it is counted all the same, in a
/// line that is whole.
#[test]
fn statistics_outlive_a_client_that_ends_its_solver() {
    use std::io::{BufRead as _, BufReader, Write as _};
    let folder = Folder::new();
    let stats = folder.path("stats");
    for round in 1..=5 {
        let mut command = evergreen(&folder);
        command.args(["solve", "--solver", "z3", "--stats"]).arg(&stats);
        command.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
        let mut child = command.spawn().expect("evergreen starts");
        let mut input = child.stdin.take().expect("a pipe");
        input.write_all(b"(declare-const x Int)(assert (> (* x x) 8))(check-sat)\n").expect("it reads");
        let mut answer = String::new();
        BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut answer).expect("it answers");
        assert_eq!(answer, "sat\n");
        let pid = i32::try_from(child.id()).expect("an id");
        // SAFETY: the child was not awaited, so its id is its own.
        unsafe { libc::kill(pid, libc::SIGTERM) };
        child.wait().expect("it ends");
        let text = std::fs::read_to_string(&stats).expect("statistics");
        let lines: Vec<serde_json::Value> =
            text.lines().map(|line| serde_json::from_str(line).expect("a whole line")).collect();
        assert_eq!(lines.len(), round, "{text}");
        assert!(lines.iter().all(|line| line["queries"] == 1), "{text}");
    }
}
