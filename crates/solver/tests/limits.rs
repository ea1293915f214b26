//! Limits on real solvers; and no process survives when the test process itself is killed.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;
use std::time::Duration;

use crate::common::{eventually, exists, real};
use evergreen_solver::{Command, Limits, Mode, PipeSolver, Problem, Process, Solver, Verdict};

/// The factors of a product of two large primes: no solver finds them within a test.
fn hard() -> Problem {
    let bits = |value: u64| format!("#x{value:032x}");
    let product = 15837184877706723481u128 * 17429142207974170187u128;
    Problem {
        logic: Some("QF_BV".into()),
        declarations: "(declare-const x (_ BitVec 128)) (declare-const y (_ BitVec 128))".into(),
        constraints: vec![
            format!("(= (bvmul x y) #x{product:032x})"),
            format!("(bvult x {})", bits(u64::MAX)),
            format!("(bvult y {})", bits(u64::MAX)),
            format!("(bvult {} x)", bits(1)),
            format!("(bvult {} y)", bits(1)),
        ],
        values: vec!["x".into()],
        ..Problem::default()
    }
}

fn easy() -> Problem {
    Problem {
        logic: Some("QF_BV".into()),
        declarations: "(declare-const p Bool)".into(),
        constraints: vec!["p".into()],
        ..Problem::default()
    }
}

/// Whether the limit left the solver time to start, twice. If so, the hard problem ended at
/// the limit, and its process.
fn keeps_limit(name: &str, time_ms: u64) -> bool {
    let mut solver = PipeSolver::new(real(name), Limits { time_ms: Some(time_ms), memory_mb: None });
    let late = Verdict::Unknown("timeout".into());
    let first = solver.check(&easy()).expect("easy").verdict;
    if first == late {
        return false;
    }
    assert_eq!(first, Verdict::Sat);
    let pids = solver.pids();
    let outcome = solver.check(&hard()).expect("a limit is no error");
    assert_eq!(outcome.verdict, late);
    assert!(pids.iter().all(|&pid| !exists(pid)), "the process is still there");
    let again = solver.check(&easy()).expect("easy again").verdict;
    if again == late {
        return false;
    }
    assert_eq!((again, solver.starts()), (Verdict::Sat, 2));
    true
}

/// With the shortest limit that a machine busy with other things can keep.
fn time_limit(name: &str) {
    assert!(
        [400, 2_000, 10_000, 50_000].into_iter().any(|limit| keeps_limit(name, limit)),
        "{name} never starts"
    );
}

#[test]
fn z3_keeps_the_time_limit() {
    time_limit("z3");
}

#[test]
fn cvc5_keeps_the_time_limit() {
    time_limit("cvc5");
}

#[test]
fn yices_keeps_the_time_limit() {
    time_limit("yices-smt2");
}

#[test]
fn bitwuzla_keeps_the_time_limit() {
    time_limit("bitwuzla");
}

/// A short text that takes far more gates than the limit allows to be held.
fn memory_limit(name: &str) {
    let limits = Limits { time_ms: Some(60_000), memory_mb: Some(128) };
    let mut solver = PipeSolver::new(real(name), limits);
    assert_eq!(solver.check(&easy()).expect("easy").verdict, Verdict::Sat);
    let wide = Problem {
        declarations: ["x", "y", "z"].map(|name| format!("(declare-const {name} (_ BitVec 6000))")).concat(),
        constraints: vec![
            "(= (bvmul x y z) (bvadd x (bvmul y z)))".into(),
            "(distinct (bvmul x x) (bvmul y (bvadd z x)))".into(),
        ],
        ..easy()
    };
    let outcome = solver.check(&wide).expect("a limit is no error");
    assert_eq!(outcome.verdict, Verdict::Unknown("memout".into()));
    assert_eq!(solver.check(&easy()).expect("easy again").verdict, Verdict::Sat);
}

#[test]
fn z3_keeps_the_memory_limit() {
    memory_limit("z3");
}

#[test]
fn cvc5_keeps_the_memory_limit() {
    memory_limit("cvc5");
}

#[test]
fn yices_keeps_the_memory_limit() {
    memory_limit("yices-smt2");
}

#[test]
fn bitwuzla_keeps_the_memory_limit() {
    memory_limit("bitwuzla");
}

#[test]
fn a_limit_of_the_solvers_own_is_an_unknown() {
    let mut command = real("z3");
    command.args = vec!["-T:1".into()];
    let outcome = PipeSolver::new(command, Limits::default()).check(&hard()).expect("no error");
    assert_eq!(outcome.verdict, Verdict::Unknown("timeout".into()));
    let soft = Problem { options: vec![":timeout 2000".into()], ..hard() };
    let mut solver = PipeSolver::new(real("z3"), Limits::default());
    let outcome = solver.check(&soft).expect("no error");
    assert!(matches!(&outcome.verdict, Verdict::Unknown(reason) if !reason.is_empty()), "{outcome:?}");
    let soft = Problem { options: vec![":timeout 2000".into()], ..easy() };
    assert_eq!(solver.check(&soft).expect("no error").verdict, Verdict::Sat);
    assert_eq!(solver.starts(), 1);
}

#[test]
fn a_solver_outlives_the_thread_that_started_it() {
    let command = real("z3");
    let start = move || Process::start(&command, Mode::Interactive, &Limits::default()).expect("start");
    let mut process = std::thread::spawn(start).join().expect("a process");
    std::thread::sleep(Duration::from_millis(50));
    assert_eq!(process.ask("(check-sat)", None).expect("still there"), "sat\n");
}

/// One test in two roles: run again by itself with a variable set, it is the parent that gets killed.
#[test]
fn kill_9_leaves_no_solver_behind() {
    const ROLE: &str = "EVERGREEN_TEST_PARENT_TO_KILL";
    let solvers = ["z3", "cvc5", "yices-smt2", "bitwuzla"].map(real);
    if std::env::var_os(ROLE).is_some() {
        be_busy_forever(&solvers);
    }
    let mut parent = std::process::Command::new(std::env::current_exe().expect("own path"))
        .args(["--exact", "limits::kill_9_leaves_no_solver_behind", "--nocapture", "--test-threads=1"])
        .env(ROLE, "1")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the parent to kill");
    let lines = BufReader::new(parent.stdout.take().expect("its output")).lines().map_while(Result::ok);
    let pids = lines.filter_map(|line| line.strip_prefix("pid ")?.parse().ok());
    let pids: Vec<u32> = pids.take(2 * solvers.len()).collect();
    assert_eq!(pids.len(), 2 * solvers.len());
    assert!(pids.iter().all(|&pid| exists(pid)));
    parent.kill().expect("kill -9");
    parent.wait().expect("reaped");
    let gone = |pid: &u32| {
        // Reaped by init, or a zombie that waits for it.
        std::fs::read_to_string(format!("/proc/{pid}/stat")).map_or(true, |stat| stat.contains(") Z"))
    };
    assert!(eventually(|| pids.iter().all(gone)), "still running: {pids:?}");
}

/// Starts each solver twice, idle and deep in a search, and prints their ids.
fn be_busy_forever(solvers: &[Command]) -> ! {
    let say = |pid: u32| {
        let mut out = std::io::stdout().lock();
        writeln!(out, "\npid {pid}").and_then(|()| out.flush()).expect("a line out");
    };
    let mut idle = Vec::new();
    for command in solvers {
        let mut process = Process::start(command, Mode::Interactive, &Limits::default()).expect("start");
        process.ask("", None).expect("an idle solver");
        say(process.pid());
        idle.push(process);
        let mut process = Process::start(command, Mode::Interactive, &Limits::default()).expect("start");
        let hard = hard();
        process.tell("(set-logic QF_BV)").and_then(|()| process.tell(&hard.declarations)).expect("told");
        for constraint in &hard.constraints {
            process.tell(&format!("(assert {constraint})")).expect("told");
        }
        process.tell("(check-sat)").and_then(|()| process.flush()).expect("a busy solver");
        std::thread::sleep(Duration::from_millis(100));
        say(process.pid());
        idle.push(process);
    }
    loop {
        std::thread::sleep(Duration::from_secs(60));
    }
}
