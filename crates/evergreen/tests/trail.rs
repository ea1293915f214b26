//! Long stacks: a check after a satisfiable one is answered as one about what is new. Verdicts are those of
//! bare z3, values satisfy the whole stack, and what a check costs does not grow with the stack.

use crate::common::{bare, memory, options, verdicts};
use evergreen::{CanonMode, ScriptRun, run_script};
use evergreen_testing::random::Random;

/// Numbers, words, an array and a function; each has its own kind of slice.
const DECLARED: &str = "(declare-fun f (Int) Int)\n(declare-fun a () (Array (_ BitVec 8) (_ BitVec 8)))\n";
const VARIABLES: u32 = 12;

fn declarations() -> String {
    let each = |i: u32| format!("(declare-fun x{i} () Int)\n(declare-fun b{i} () (_ BitVec 8))\n");
    format!("(set-option :produce-models true)\n{DECLARED}{}", (0..VARIABLES).map(each).collect::<String>())
}

/// A constraint over a few variables, satisfiable by itself.
fn constraint(random: &mut Random) -> String {
    let mut pick = |most: u32| random.below(most as usize) as u32;
    let (i, j, k) = (pick(VARIABLES), pick(VARIABLES), pick(40));
    match pick(9) {
        0 => format!("(< x{i} (+ x{j} {k}))"),
        1 => format!("(<= (* 2 x{i}) (+ x{j} {k}))"),
        2 => format!("(not (= x{i} {k}))"),
        3 => format!("(= x{i} (+ x{j} {}))", k % 3),
        4 => format!("(bvult b{i} (bvadd b{j} (_ bv{k} 8)))"),
        5 => format!("(not (= (bvand b{i} (_ bv7 8)) (_ bv{} 8)))", k % 8),
        6 => format!("(= (select a (_ bv{} 8)) b{i})", k % 6),
        7 => format!("(bvule (select a b{i}) (_ bv{} 8))", 200 + k),
        _ => format!("(<= (f x{i}) (+ (f {}) {k}))", k % 4),
    }
}

/// A stack of at least 70 assertions that is pushed, popped and checked; the values of all variables are read
/// after some of the checks.
fn script(seed: u64) -> String {
    let mut random = Random::new(seed);
    let mut script = declarations();
    let mut depth = 0;
    (0..70).for_each(|i| script.push_str(&format!("(assert (< x{} {}))\n", i % VARIABLES, 1_000 + i)));
    for _ in 0..40 {
        match random.below(5) {
            0 if depth > 0 => {
                let levels = 1 + random.below(depth);
                depth -= levels;
                script.push_str(&format!("(pop {levels})\n"));
            }
            _ => {
                depth += 1;
                script.push_str(&format!("(push 1)\n(assert {})\n", constraint(&mut random)));
            }
        }
        script.push_str("(check-sat)\n");
    }
    script
}

fn run(script: &str) -> ScriptRun {
    run_script(script.as_bytes(), options(Some(memory()), CanonMode::Full, true))
}

#[test]
fn verdicts_on_long_stacks_are_those_of_z3() {
    let mut unsat = 0;
    for seed in 0..30 {
        let script = script(seed);
        let (ours, theirs) = (run(&script), bare(&script));
        assert_eq!(verdicts(&ours.output), verdicts(&theirs), "seed {seed}\n{script}");
        unsat += verdicts(&theirs).iter().filter(|v| **v == "unsat").count();
    }
    assert!(unsat > 20, "too few of the stacks are contradictory: {unsat}");
}

#[test]
fn values_on_long_stacks_satisfy_the_whole_stack() {
    let names: Vec<String> = (0..VARIABLES).flat_map(|i| [format!("x{i}"), format!("b{i}")]).collect();
    let asked = format!("(get-value ({}))\n", names.join(" "));
    let mut checked = 0;
    for seed in 100..110 {
        let script = script(seed);
        // A check at a time: its stack as a script of its own, with the values that were given for it.
        let ours = run(&script.replace("(check-sat)\n", &format!("(check-sat)\n{asked}"))).output;
        let mut answers = ours.split_inclusive('\n').peekable();
        for (end, _) in script.match_indices("(check-sat)\n") {
            let verdict = answers.next().unwrap().trim();
            let mut values = String::new();
            while answers.peek().is_some_and(|line| !matches!(line.trim(), "sat" | "unsat")) {
                values.push_str(answers.next().unwrap());
            }
            if verdict != "sat" {
                continue;
            }
            let stack = script[..end].replace("(check-sat)\n", "");
            let values = values.trim().strip_prefix('(').unwrap().strip_suffix(')').unwrap();
            let equal = values.lines().map(|line| {
                let inside = line.trim().strip_prefix('(').unwrap().strip_suffix(')').unwrap();
                format!("(assert (= {inside}))\n")
            });
            let whole = format!("{stack}{}(check-sat)\n", equal.collect::<String>());
            assert_eq!(bare(&whole).trim(), "sat", "seed {seed}\n{whole}");
            checked += 1;
        }
    }
    assert!(checked > 100, "{checked}");
}

/// Slices of what is new, counted: on a stack of n frames that are independent of each other, each check has
/// one part.
#[test]
fn a_check_is_about_what_is_new() {
    let parts = |frames: usize| {
        let mut script = String::new();
        (0..frames).for_each(|i| script.push_str(&format!("(declare-fun y{i} () Int)\n")));
        for i in 0..frames {
            script.push_str(&format!("(push 1)\n(assert (< y{i} (* 2 y{i})))\n(check-sat)\n"));
        }
        let run = run(&script);
        assert_eq!(verdicts(&run.output), vec!["sat"; frames]);
        run.stats.engine.slices
    };
    assert_eq!(parts(400) - parts(200), 200);
}

/// The same assertions under two meanings of a sort and of a function: what was satisfiable is not any more.
#[test]
fn a_sort_or_function_that_is_defined_anew_is_another_one() {
    let fillers: String = (0..80).map(|i| format!("(assert (< x {}))\n", 1_000 + i)).collect();
    let sort = |elements: &str| {
        format!(
            "( declare-datatypes ((E 0)) (({elements})))\n(declare-const p E)\n(declare-const q E)\n\
             (declare-const r E)\n(assert (distinct p q r))\n(check-sat)\n(assert (< x 3))\n(check-sat)\n"
        )
    };
    let function =
        |body: &str| format!("( define-fun-rec f ((n Int)) Int {body})\n(assert (= (f x) 7))\n(check-sat)\n");
    for (first, second) in [
        (sort("(a) (b) (c)"), sort("(a) (b)")),
        (function("(ite (< n 0) 7 8)"), function("(ite (< n 0) 9 8)")),
    ] {
        let begin = format!("(declare-const x Int)\n{fillers}(check-sat)\n");
        let script = format!("{begin}(push 1)\n{first}(pop 1)\n(push 1)\n{second}(pop 1)\n(check-sat)\n");
        let theirs = bare(&script);
        let expected = verdicts(&theirs);
        assert!(expected.contains(&"sat") && expected.contains(&"unsat"), "{theirs}");
        assert_eq!(verdicts(&run(&script).output), expected, "{script}");
    }
}

/// Of a client that reads no values most models are left out. A record without one is an answer all the same,
/// and values that are asked for later are those of the whole stack.
#[test]
fn a_verdict_without_values_is_reused() {
    let store = memory();
    let mut script = String::from("(set-logic UFLIA)\n(declare-fun f (Int) Int)\n(declare-const x Int)\n");
    for i in 0..300 {
        let next = i + 1;
        script.push_str(&format!("(push 1)\n(assert (< (f (+ x {i})) (f (+ x {next}))))\n(check-sat)\n"));
    }
    let run =
        |script: &str| run_script(script.as_bytes(), options(Some(store.clone()), CanonMode::Full, true));
    let (cold, warm) = (run(&script), run(&script));
    assert_eq!(verdicts(&cold.output), vec!["sat"; 300]);
    assert_eq!(verdicts(&warm.output), vec!["sat"; 300]);
    assert!(cold.stats.engine.solved > 200, "{}", cold.stats.engine.solved);
    assert_eq!((warm.stats.engine.solved, warm.stats.solver_starts), (0, 0));
    let asked = run(&format!("{script}(get-value ((< (f x) (f (+ x 300)))))\n"));
    assert_eq!(asked.output.lines().last(), Some("(((< (f x) (f (+ x 300))) true))"), "{}", asked.output);
    assert_eq!(asked.stats.solver_starts, 1, "the model was left out");
}
