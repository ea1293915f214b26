//! Long-lived processes answer as fresh ones do: nothing of a problem reaches the next
//! one, whatever its theory.

use crate::common;

use crate::common::real;
use evergreen_solver::{Limits, Outcome, PipeSolver, Problem, Solver, Verdict};
use evergreen_structures::Random;

fn solver(name: &str) -> PipeSolver {
    PipeSolver::new(real(name), Limits { time_ms: Some(30_000), memory_mb: None })
}

fn problem(logic: Option<&str>, declarations: &str, constraints: &[&str], values: &[&str]) -> Problem {
    Problem {
        logic: logic.map(str::to_string),
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

/// The same names as sorts, datatypes, recursive functions and constants, in turn, in one process.
fn rich_declarations(name: &str) {
    rich_declarations_in(name, solver(name));
    rich_declarations_in(name, solver(name).keeping_stack());
}

fn rich_declarations_in(name: &str, mut solver: PipeSolver) {
    let turns = [
        problem(None, "(declare-sort S 0) (declare-const a S) (declare-const b S)", &["(distinct a b)"], &[]),
        problem(
            None,
            "(declare-datatypes ((S 0)) (((a) (b (next S))))) (declare-const x S)",
            &["((_ is b) x)", "(= (next x) a)"],
            &["x"],
        ),
        problem(
            None,
            "(declare-datatypes ((S 0)) (((b) (c) (a)))) (declare-const x S)",
            &["(distinct x b)", "(distinct x c)"],
            &["x"],
        ),
        problem(None, "(define-sort S () Int) (declare-const x S)", &["(= (* 2 x) 84)"], &["x"]),
        problem(
            None,
            "(define-fun-rec next ((n Int)) Int (ite (<= n 0) 0 (+ 2 (next (- n 1))))) (declare-const x Int)",
            &["(= x (next 3))"],
            &["x"],
        ),
        problem(
            None,
            "(declare-fun next (Int) Int) (declare-const S Int)",
            &["(= (next S) 5)", "(= S 1)"],
            &["(next 1)"],
        ),
        problem(None, "(declare-const x String)", &["(= (str.++ \"a\"\"\" x) \"a\"\"(b\")"], &["x"]),
        problem(None, "(declare-const x Real)", &["(= (* 2.0 x) 1.0)"], &["x"]),
    ];
    let expected =
        [None, Some("(b a)"), Some("a"), Some("42"), Some("6"), Some("5"), Some("\"(b\""), Some("(/ 1 2)")];
    for _ in 0..3 {
        for (turn, expected) in turns.iter().zip(expected) {
            let outcome = check(&mut solver, turn);
            if name == "cvc5" && turn.declarations.contains("define-fun-rec") {
                assert_eq!(outcome.verdict, Verdict::Unknown("incomplete".into()));
                continue;
            }
            assert_eq!(outcome.verdict, Verdict::Sat, "{turn:?}");
            let value = outcome.values.expect("values").pop();
            // z3 writes 1/2 with decimals.
            assert_eq!(value.map(|value| value.replace(".0", "")).as_deref(), expected, "{turn:?}");
        }
    }
    assert_eq!(solver.starts(), 1);
}

#[test]
fn z3_forgets_rich_declarations() {
    rich_declarations("z3");
}

#[test]
fn cvc5_forgets_rich_declarations() {
    rich_declarations("cvc5");
}

#[test]
fn an_unknown_comes_with_a_reason() {
    // True, but beyond both solvers: no cube is the sum of two.
    let open = problem(
        None,
        "(declare-const x Int) (declare-const y Int) (declare-const z Int)",
        &["(> x 1)", "(> y 1)", "(> z 1)", "(= (+ (* x x x) (* y y y)) (* z z z))"],
        &["x"],
    );
    let mut z3 = solver("z3");
    let limited = Problem { options: vec![":rlimit 100000".into()], ..open };
    let outcome = check(&mut z3, &limited);
    assert!(matches!(&outcome.verdict, Verdict::Unknown(reason) if !reason.is_empty()), "{outcome:?}");
    assert_eq!((outcome.values, outcome.core), (None, None));

    let limited = Problem { options: vec![":tlimit-per 200".into()], ..limited };
    let outcome = check(&mut solver("cvc5"), &limited);
    assert!(matches!(&outcome.verdict, Verdict::Unknown(reason) if !reason.is_empty()), "{outcome:?}");
}

#[test]
fn processes_are_kept_per_logic_and_bounded() {
    let mut solver = solver("yices-smt2");
    let integers = problem(Some("QF_LIA"), "(declare-const x Int)", &["(< 3 x 5)"], &["x"]);
    let bits = problem(Some("QF_BV"), "(declare-const x (_ BitVec 4))", &["(= x #b0101)"], &["x"]);
    for _ in 0..5 {
        assert_eq!(check(&mut solver, &integers).values, Some(vec!["4".to_string()]));
        assert_eq!(check(&mut solver, &bits).values, Some(vec!["#b0101".to_string()]));
    }
    assert_eq!(solver.starts(), 2);
    for logic in ["QF_LRA", "QF_UF", "QF_IDL", "QF_RDL", "QF_ABV", "QF_AUFLIA"] {
        assert_eq!(check(&mut solver, &problem(Some(logic), "", &["true"], &[])).verdict, Verdict::Sat);
        assert!(solver.pids().len() <= 4);
    }
    let pids = solver.pids();
    drop(solver);
    assert!(pids.iter().all(|&pid| !common::exists(pid)));
}

/// A linear problem over a few integers, the same for the same seed.
fn random_problem(seed: u64) -> Problem {
    let mut random = Random::new(seed);
    let mut next = |bound: usize| random.below(bound);
    let names = ["x", "y", "z"];
    let sorts = ["Int", "Int", "Bool"];
    // Which name is the Boolean changes from problem to problem.
    let turn = next(3);
    let name = |index: usize| names[(index + turn) % 3];
    let declarations =
        (0..3).map(|index| format!("(declare-const {} {})", name(index), sorts[index])).collect();
    let mut constraints = Vec::new();
    for _ in 0..4 + next(6) {
        let (a, b) = (name(next(2)), name(next(2)));
        let op = ["<=", ">=", "=", "distinct"][next(4)];
        let atom = format!("({op} (+ {a} (* {} {b})) {})", next(5), next(9));
        constraints.push(match next(3) {
            0 => format!("(or {} {atom})", name(2)),
            1 => format!("(xor {} {atom})", name(2)),
            _ => atom,
        });
    }
    Problem {
        logic: Some("QF_LIA".into()),
        declarations,
        constraints,
        want_core: next(2) == 0,
        ..Problem::default()
    }
}

/// A long-lived process, a fresh one and another solver give the same verdicts; every core is a core.
#[test]
fn long_lived_processes_answer_as_fresh_ones() {
    let mut long_lived: Vec<PipeSolver> = ["z3", "yices-smt2", "cvc5"].map(solver).into();
    let mut decided = [0, 0];
    for seed in 0..120 {
        let problem = random_problem(seed);
        let expected = check(&mut solver("yices-smt2"), &problem).verdict;
        decided[usize::from(expected == Verdict::Sat)] += 1;
        for long_lived in &mut long_lived {
            let outcome = check(long_lived, &problem);
            assert_eq!(outcome.verdict, expected, "{}: {problem:?}", long_lived.describe());
            let Some(core) = outcome.core else {
                assert!(expected == Verdict::Sat || !problem.want_core, "no core: {problem:?}");
                continue;
            };
            let constraints = core.iter().map(|&index| problem.constraints[index].clone()).collect();
            let only_core = Problem { constraints, want_core: false, ..problem.clone() };
            assert_eq!(check(long_lived, &only_core).verdict, Verdict::Unsat, "{core:?} of {problem:?}");
        }
    }
    assert!(decided[0] > 20 && decided[1] > 20, "{decided:?}");
    assert!(long_lived.iter().all(|solver| solver.starts() == 2));
}

/// Problems along paths: constraints kept on the stack change no verdict, and the cores are cores.
#[test]
fn a_kept_stack_answers_as_an_empty_one() {
    for name in ["z3", "yices-smt2", "cvc5"] {
        let (mut kept, mut fresh) = (solver(name).keeping_stack(), solver(name));
        let (mut seed, mut path): (u32, Vec<String>) = (7, Vec::new());
        let mut below = |bound: u32| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 16) % bound
        };
        let mut unsat = 0;
        for turn in 0..150 {
            path.truncate(below(path.len() as u32 + 2) as usize);
            let mut names: Vec<u32> = Vec::new();
            for _ in 0..1 + below(3) {
                let compare = ["<", "<=", "=", ">"][below(4) as usize];
                path.push(format!("({compare} x{} (+ x{} {}))", below(4), below(4), below(9)));
            }
            (0..4).filter(|v| path.iter().any(|c| c.contains(&format!("x{v}")))).for_each(|v| names.push(v));
            let declarations: String = names.iter().map(|v| format!("(declare-const x{v} Int)\n")).collect();
            let constraints: Vec<&str> = path.iter().map(String::as_str).collect();
            let want_core = turn % 3 != 0;
            let problem =
                Problem { want_core, ..problem(Some("QF_LIA"), &declarations, &constraints, &["x0"]) };
            let problem = Problem { values: vec![format!("x{}", names[0])], ..problem };
            let (one, other) = (check(&mut kept, &problem), check(&mut fresh, &problem));
            assert_eq!(one.verdict, other.verdict, "{name}: {problem:?}");
            assert_eq!(one.values.is_some(), one.verdict == Verdict::Sat);
            if let Some(core) = one.core {
                unsat += 1;
                let constraints = core.iter().map(|&i| problem.constraints[i].clone()).collect();
                let alone = Problem { constraints, values: vec![], want_core: false, ..problem };
                assert_eq!(
                    check(&mut fresh, &alone).verdict,
                    Verdict::Unsat,
                    "{name}: {core:?} of {alone:?}"
                );
            }
        }
        assert!(unsat > 10, "{name}: {unsat}");
        assert_eq!(kept.starts(), 2, "one with cores, one without");
    }
}
