//! Eight processes with 2,000 queries each on one disk store, killed at random moments and started again: no
//! wrong answer, nothing left behind, a store that `verify` finds clean and that answers everything
//! afterwards.

use crate::common::{Folder, Talk, children, evergreen, find, run, stderr, stdout, verify, wait_for_death};
use evergreen_testing::random::Random;
use std::path::PathBuf;
use std::process::Command;

const PROCESSES: usize = 8;
const QUERIES: usize = 2_000;
/// Different queries in all: every process asks the same ones, in an order and with names of its own.
const DIFFERENT: usize = 800;

/// A query whose verdict is known by construction, under names that `names` chooses.
fn query(number: usize, names: &mut Random) -> (String, &'static str) {
    let shape = &mut Random::for_index(11, number as u64);
    let (x, y) = (format!("x{}", names.below(50)), format!("y{}", names.below(50)));
    let (low, width) = (shape.between(-50, 50), shape.between(1, 40));
    let factor = shape.between(2, 9);
    let sat = shape.one_in(2);
    let last = match (shape.below(3), sat) {
        (0, true) => format!("(= {y} (+ {x} {factor}))"),
        (0, false) => format!("(> {x} {})", low + width),
        (1, true) => format!("(= (* {factor} {y}) (* {factor} {x}))"),
        (1, false) => format!("(= (* {} {y}) (+ (* {} {x}) 1))", 2 * factor, 4 * factor),
        (_, true) => format!("(or (< {y} {x}) (>= {y} {x}))"),
        (_, false) => format!("(and (< {y} {x}) (>= {y} {x}) (distinct {x} {y}))"),
    };
    let number = |n: i64| if n < 0 { format!("(- {})", -n) } else { n.to_string() };
    let mut asserts = [
        format!("(assert (>= {x} {}))\n", number(low)),
        format!("(assert (<= {x} {}))\n", number(low + width)),
        format!("(assert {last})\n")
            .replace(&format!(" {}))", low + width), &format!(" {}))", number(low + width))),
    ];
    names.shuffle(&mut asserts);
    let script = format!(
        "(push 1)\n(declare-const {x} Int)\n(declare-const {y} Int)\n{}(check-sat)\n(pop 1)\n",
        asserts.concat()
    );
    (script, if sat { "sat" } else { "unsat" })
}

fn start(folder: &Folder) -> Talk {
    // Yices starts ten times faster than z3, and a process that is killed starts it again.
    let solver = find("yices-smt2").display().to_string();
    let mut talk = Talk::start(evergreen(folder).args(["solve", "--solver", &solver]));
    assert!(talk.send("(set-logic QF_LIA)\n"));
    talk
}

/// One process and its successors: how often it was killed.
fn work(folder: &Folder, process: usize) -> usize {
    let mut random = Random::for_index(3, process as u64);
    let mut kills = 0;
    let mut talk = start(folder);
    let mut until_kill = 100 + random.below(400);
    let mut asked = 0;
    while asked < QUERIES {
        // A few queries at once, so that the kill comes at any moment of one of them.
        let batch: Vec<(String, &str)> =
            (0..1 + random.below(8)).map(|_| query(random.below(DIFFERENT), &mut random)).collect();
        let text: String = batch.iter().map(|q| q.0.as_str()).collect();
        let kill = until_kill < batch.len();
        until_kill = until_kill.saturating_sub(batch.len());
        assert!(talk.send(&text), "the process is gone");
        if kill && kills < 4 {
            std::thread::sleep(std::time::Duration::from_micros(random.below(3000) as u64));
            let solvers = children(talk.child.id());
            talk.child.kill().expect("kill -9");
            talk.child.wait().expect("it is dead");
            wait_for_death(&solvers);
            kills += 1;
        }
        for (script, expected) in &batch {
            match talk.line_or_end() {
                Some(line) => assert_eq!(line, *expected, "process {process} on\n{script}"),
                None => {
                    assert!(kill, "process {process} ended by itself on\n{script}");
                    break;
                }
            }
            asked += 1;
        }
        if kill {
            talk = start(folder);
            until_kill = 100 + random.below(400);
        }
    }
    let (status, rest, errors) = talk.end();
    assert!(status.success() && rest.is_empty(), "process {process}: {status}, {rest:?}");
    assert!(errors.is_empty(), "process {process}: {errors:?}");
    kills
}

#[test]
fn no_wrong_answer_and_no_damage() {
    let folder = Folder::new();
    let kills: usize = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..PROCESSES)
            .map(|p| {
                scope.spawn({
                    let folder = &folder;
                    move || work(folder, p)
                })
            })
            .collect();
        workers.into_iter().map(|w| w.join().expect("no wrong answer")).sum()
    });
    assert!(kills >= PROCESSES, "only {kills} kills: nothing was tested");
    let entries = verify(&folder);
    assert!(entries >= DIFFERENT as u64 / 2, "only {entries} entries");
    everything_is_answered_without_a_solver(&folder);
}

/// Pruning, exporting and looking at a store that others are using.
#[test]
fn housekeeping_in_the_middle() {
    let folder = Folder::new();
    let busy = std::sync::atomic::AtomicBool::new(true);
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..3)
            .map(|p| {
                let folder = &folder;
                scope.spawn(move || work(folder, p))
            })
            .collect();
        scope.spawn(|| {
            let pack = folder.text("pack");
            let verbs = [
                &["store", "prune", "--max-bytes", "20000"][..],
                &["store", "export", &pack],
                &["store", "verify"],
                &["store", "stats"],
                &["store", "import", &pack],
            ];
            while busy.load(std::sync::atomic::Ordering::Relaxed) {
                for verb in verbs {
                    let output = run(evergreen(&folder).args(verb), "");
                    assert!(output.status.success(), "{verb:?}: {}{}", stdout(&output), stderr(&output));
                }
            }
        });
        let done: Vec<_> = workers.into_iter().map(std::thread::ScopedJoinHandle::join).collect();
        busy.store(false, std::sync::atomic::Ordering::Relaxed);
        assert!(done.iter().all(Result::is_ok), "a wrong answer");
    });
    verify(&folder);
}

/// Nothing that a client was told is missing, although processes were killed before their batches were
/// written.
fn everything_is_answered_without_a_solver(folder: &Folder) {
    let mut names = Random::new(99);
    let all: Vec<(String, &str)> = (0..DIFFERENT).map(|n| query(n, &mut names)).collect();
    let script: String =
        ["(set-logic QF_LIA)\n"].into_iter().chain(all.iter().map(|q| q.0.as_str())).collect();
    let expected: Vec<&str> = all.iter().map(|q| q.1).collect();
    for (mode, solver) in
        [("require-hit", PathBuf::from("/no/such/solver")), ("read-write", find("yices-smt2"))]
    {
        let mut command: Command = evergreen(folder);
        command.args(["solve", "--mode", mode, "--solver"]).arg(solver);
        let output = run(&mut command, &script);
        let got = stdout(&output);
        let got: Vec<&str> = got.lines().collect();
        let place = got.iter().zip(&expected).position(|(g, e)| g != e);
        assert_eq!(place, None, "query {place:?} under {mode}: {}", stderr(&output));
        assert_eq!(got.len(), expected.len());
        assert!(output.status.success());
    }
}
