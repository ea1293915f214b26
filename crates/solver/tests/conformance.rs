//! One suite, every real solver: framing, verdicts, values, cores, scopes, errors, large input.

use crate::common;

use crate::common::real;
use evergreen_solver::{
    Command, Kind, Limits, Mode, Outcome, PipeSolver, Problem, Process, Solver, SolverError, Verdict, answer,
};

/// How problems follow each other in a process.
#[derive(Clone, Copy)]
enum Between {
    /// Each is popped.
    Nothing,
    /// The stack stays, see `PipeSolver::keeping_stack`.
    Stack,
}

/// The suite for one solver over bit-vectors, which all of them know.
fn suite(name: &str) {
    let command = real(name);
    framing(&command);
    for between in [Between::Nothing, Between::Stack] {
        let solver = || match between {
            Between::Nothing => PipeSolver::new(command.clone(), Limits::default()),
            Between::Stack => PipeSolver::new(command.clone(), Limits::default()).keeping_stack(),
        };
        verdicts_and_values(solver());
        cores(solver());
        scopes(solver());
        foreign_options(solver());
        errors(&command, solver());
        large_assertion(&command, solver());
        restarts(solver());
    }
}

#[test]
fn z3() {
    suite("z3");
}

#[test]
fn cvc5() {
    suite("cvc5");
}

#[test]
fn yices() {
    suite("yices-smt2");
}

#[test]
fn bitwuzla() {
    suite("bitwuzla");
}

fn bits(declarations: &str, constraints: &[&str], values: &[&str]) -> Problem {
    Problem {
        logic: Some("QF_BV".into()),
        declarations: declarations.into(),
        constraints: constraints.iter().map(|text| text.to_string()).collect(),
        values: values.iter().map(|text| text.to_string()).collect(),
        ..Problem::default()
    }
}

fn check(solver: &mut PipeSolver, problem: &Problem) -> Outcome {
    let answer = solver.check(problem);
    answer.unwrap_or_else(|error| panic!("{}: {error}\n{problem:?}", solver.describe()))
}

/// A bit-vector value however it is written: `#b…`, `#x…` or `(_ bvN w)`.
fn number(value: &str) -> u64 {
    let radix = |digits: &str, radix| u64::from_str_radix(digits, radix).ok();
    let decimal = || value.strip_prefix("(_ bv")?.split(' ').next()?.parse().ok();
    let binary = || radix(value.strip_prefix("#b")?, 2);
    let hexadecimal = || radix(value.strip_prefix("#x")?, 16);
    binary().or_else(hexadecimal).or_else(decimal).unwrap_or_else(|| panic!("not a bit-vector: {value}"))
}

fn framing(command: &Command) {
    let mut process = Process::start(command, Mode::Interactive, &Limits::default()).expect("start");
    assert_eq!(process.ask("", None).expect("nothing asked"), "");
    process.tell("(set-option :produce-models true)").expect("tell");
    process.tell("(set-logic QF_BV) ; a comment at the end").expect("tell");
    assert_eq!(process.ask("(check-sat)", None).expect("check"), "sat\n");
    let echo = process.ask("(echo \"evergreen-mark-0-1\")(check-sat)", None).expect("echo");
    let [first, "sat"] = answer::expressions(&echo).expect("expressions")[..] else { panic!("{echo}") };
    assert_eq!(first.trim_matches('"'), "evergreen-mark-0-1");
    // Every command of one question is answered, in order; three questions do not mix.
    for _ in 0..3 {
        assert_eq!(
            process.ask("(check-sat)(push 1)(assert false)(check-sat)(pop 1)", None).expect("two"),
            "sat\nunsat\n"
        );
    }
    let open = process.ask("(check-sat) (assert (and true", None);
    assert!(matches!(open, Err(SolverError::Incomplete { .. })), "{open:?}");
    assert_eq!(process.ask("(check-sat)", None).expect("still there"), "sat\n");
    let pid = process.pid();
    let status = process.finish().unwrap_or_else(|| panic!("{command} does not end with its input"));
    assert!(status.success(), "{status}");
    assert!(!common::exists(pid));
}

fn verdicts_and_values(mut solver: PipeSolver) {
    assert_eq!(solver.starts(), 0);
    let declare = "(declare-const x (_ BitVec 8)) (declare-fun |y z| () Bool)";
    let sat = check(&mut solver, &bits(declare, &["(= x #x2a)", "|y z|"], &["(bvadd x #x01)", "|y z|", "x"]));
    assert_eq!(sat.verdict, Verdict::Sat);
    let values = sat.values.expect("values");
    assert_eq!((number(&values[0]), values[1].as_str(), number(&values[2])), (43, "true", 42));
    assert_eq!(sat.core, None);
    let unsat = check(&mut solver, &bits(declare, &["(bvult x #x03)", "(bvugt x #x03)"], &["x"]));
    assert_eq!((unsat.verdict, unsat.values, unsat.core), (Verdict::Unsat, None, None));
    let empty = check(&mut solver, &bits("", &[], &[]));
    assert_eq!((empty.verdict, empty.values), (Verdict::Sat, Some(vec![])));
    assert_eq!(solver.starts(), 1);
}

fn cores(mut solver: PipeSolver) {
    let declare = "(declare-const x (_ BitVec 8)) (declare-const y (_ BitVec 8))";
    let constraints = ["(bvult y #x10)", "(bvult x #x03)", "(= y #x01)", "(bvugt x #x03)"];
    let problem = Problem { want_core: true, ..bits(declare, &constraints, &["x"]) };
    for _ in 0..2 {
        let unsat = check(&mut solver, &problem);
        assert_eq!(unsat.verdict, Verdict::Unsat);
        // With frames in between, cvc5's core is not the smallest.
        let core = unsat.core.expect("a core");
        assert!(core == [1, 3] || core == [1, 2, 3], "{core:?}");
    }
    let sat = check(&mut solver, &Problem { want_core: true, ..bits(declare, &constraints[..3], &["y"]) });
    assert_eq!((sat.verdict, sat.core), (Verdict::Sat, None));
    assert_eq!(number(&sat.values.expect("values")[0]), 1);
    let plain = check(&mut solver, &Problem { want_core: false, ..problem });
    assert_eq!((plain.verdict, plain.core), (Verdict::Unsat, None));
}

/// The same names with other sorts, and as functions and macros, problem after problem in one process.
fn scopes(mut solver: PipeSolver) {
    for round in 0..3 {
        for width in [8, 16, 9] {
            let declare = format!("(declare-const x (_ BitVec {width}))");
            let constraint = format!("(= x (bvnot (_ bv0 {width})))");
            let outcome = check(&mut solver, &bits(&declare, &[&constraint], &["x"]));
            assert_eq!(number(&outcome.values.expect("values")[0]), (1 << width) - 1, "round {round}");
        }
        let macros =
            "(define-sort W () (_ BitVec 4)) (define-fun x ((a W)) W (bvadd a #x1)) (declare-const y W)";
        let outcome = check(&mut solver, &bits(macros, &["(= (x y) #x5)"], &["y"]));
        assert_eq!(number(&outcome.values.expect("values")[0]), 4);
        // Nothing of an unsatisfiable problem stays behind.
        assert_eq!(check(&mut solver, &bits("", &["false"], &[])).verdict, Verdict::Unsat);
        let boolean = check(&mut solver, &bits("(declare-const x Bool)", &["(not x)"], &["x"]));
        assert_eq!(boolean.values, Some(vec!["false".to_string()]));
    }
    assert_eq!(solver.starts(), 1);
}

fn foreign_options(mut solver: PipeSolver) {
    let options = [
        ":print-success true",
        ":global-declarations true",
        ":regular-output-channel \"/nonexistent/out\"",
        ":no-such-option-of-any-solver 7",
    ];
    for width in [8, 16] {
        let declare = format!("(declare-const x (_ BitVec {width}))");
        let constraint = format!("(= x (_ bv7 {width}))");
        let problem = Problem {
            options: options.iter().map(|option| option.to_string()).collect(),
            ..bits(&declare, &[&constraint], &["x"])
        };
        assert_eq!(number(&check(&mut solver, &problem).values.expect("values")[0]), 7);
    }
    assert_eq!(solver.starts(), 1);
}

/// A refused problem is an error, never a verdict, and the next problem is answered.
fn errors(command: &Command, mut solver: PipeSolver) {
    let good = bits("(declare-const x (_ BitVec 8))", &["(= x #x01)"], &["x"]);
    for bad in ["(= y x)", "(bvadd x x)", "(no-such-function x)", "(= x #x0001)"] {
        let answer = solver.check(&bits("(declare-const x (_ BitVec 8))", &["(= x #x01)", bad], &["x"]));
        assert!(matches!(answer, Err(SolverError::Refused { .. })), "{bad}: {answer:?}");
        assert_eq!(check(&mut solver, &good).verdict, Verdict::Sat);
    }
    for smuggled in ["true) (assert false", "(and true", "true false", "", "\"open", "; nothing"] {
        let answer = solver.check(&bits("", &[smuggled], &[]));
        assert!(matches!(answer, Err(SolverError::Incomplete { .. })), "{smuggled}: {answer:?}");
    }
    let commented =
        bits("; about x\n(declare-const x Bool) ; Bool", &["x ; holds", "; first\n(or x ; or\n x)"], &["x"]);
    assert_eq!(check(&mut solver, &commented).values, Some(vec!["true".to_string()]));
    // The verdict stands if the solver refuses a value.
    let no_value = check(&mut solver, &bits("(declare-const x Bool)", &["x"], &["no-such-term"]));
    assert_eq!((no_value.verdict, no_value.values), (Verdict::Sat, None));
    assert_eq!(check(&mut solver, &good).verdict, Verdict::Sat);

    let mut process = Process::start(command, Mode::Interactive, &Limits::default()).expect("start");
    match process.ask("(set-logic QF_BV) (assert undeclared) (check-sat)", None) {
        Ok(reply) => {
            assert_eq!(command.kind, Kind::Z3, "{reply}");
            assert!(matches!(answer::parse_verdict(&reply), Err(SolverError::Refused { .. })), "{reply}");
            assert_eq!(process.ask("(check-sat)", None).expect("z3 goes on"), "sat\n");
        }
        Err(SolverError::Died(death)) => {
            assert_ne!(command.kind, Kind::Z3);
            let message = answer::error_message(&death.output).expect("an error message");
            assert!(message.contains("undeclared"), "{message}");
        }
        Err(other) => panic!("{other}"),
    }
}

fn large_assertion(command: &Command, mut solver: PipeSolver) {
    // Long names: five million bytes test the pipes here, not the parser (cvc5 takes 7 s for short ones).
    let name = format!("|{}|", "long ".repeat(200));
    let mut term = String::from("(or");
    // Bitwuzla reads its standard input at about 1 MB/s.
    let size = if command.kind == Kind::Bitwuzla { 500_000 } else { 5_000_000 };
    while term.len() < size {
        term.push_str(&format!(" {name} (and q {name}) (not (= {name} q))"));
    }
    term.push(')');
    let declare = format!("(declare-const {name} Bool) (declare-const q Bool)");
    let not = format!("(not {name})");
    let outcome = check(&mut solver, &bits(&declare, &[&term, &not], &[&name, "q"]));
    assert_eq!(outcome.verdict, Verdict::Sat);
    assert_eq!(outcome.values, Some(vec!["false".to_string(), "true".to_string()]));
    // Much printed while much is read: neither side may wait for the other.
    let mut process = Process::start(command, Mode::Interactive, &Limits::default()).expect("start");
    let line = "x".repeat(1000);
    let echoes = format!("(echo \"{line}\")\n").repeat(1000);
    let reply = process.ask(&echoes, None).expect("echoes");
    assert_eq!(reply.lines().filter(|echo| echo.trim_matches('"') == line).count(), 1000);
}

fn restarts(mut solver: PipeSolver) {
    let problem = bits("(declare-const x Bool)", &["x"], &["x"]);
    for start in 1..=2 {
        assert_eq!(check(&mut solver, &problem).verdict, Verdict::Sat);
        assert_eq!(solver.starts(), start);
        let [pid] = solver.pids()[..] else { panic!("one process") };
        let killed =
            std::process::Command::new("kill").args(["-9", &pid.to_string()]).status().expect("kill");
        assert!(killed.success());
        assert!(common::eventually(|| std::fs::read_to_string(format!("/proc/{pid}/stat"))
            .unwrap()
            .contains(") Z")));
    }
    let pids = solver.pids();
    drop(solver);
    assert!(pids.iter().all(|&pid| !common::exists(pid)));
}
