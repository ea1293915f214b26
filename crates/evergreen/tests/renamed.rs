//! Cores under other names: what was refuted once is refuted under any naming, and what only looks like it is
//! not. Proved by counts of solver calls, and by z3 where the answer must change.

use crate::common::duel::{Bare, PATIENCE, differ, tell};
use crate::common::{bare, errors, memory, options, run, verdicts};
use evergreen::store::Store;
use evergreen::{CanonMode, Rung, ScriptRun, Session};
use evergreen_testing::attack::{Attack, Choices};
use evergreen_testing::random::Random;
use std::sync::Arc;

fn run_full(script: &str, store: &Arc<dyn Store>) -> ScriptRun {
    run(script, store, CanonMode::Full, true)
}

/// What was solved, what a core answered, and how many processes were started.
fn counts(run: &ScriptRun) -> (u64, u64, u64) {
    let engine = &run.stats.engine;
    (engine.solved, engine.hits(Rung::Core), run.stats.solver_starts)
}

/// A program for a verifier: functions with a height each, an axiom that defines each where the height of
/// what is verified allows it, a lambda for each method, and one condition for each method.
#[derive(Clone)]
struct Program {
    /// By name, from the lowest: what the function adds to its argument.
    functions: Vec<(&'static str, i64)>,
    /// By name: the functions that it calls one after the other, and what its contract says they add.
    methods: Vec<(&'static str, Vec<&'static str>, i64)>,
}

impl Program {
    fn new() -> Program {
        let functions = vec![("Inc", 1), ("Twelve", 12), ("Dec", -1), ("Five", 5)];
        let methods = vec![
            ("Up", vec!["Inc", "Twelve"], 13),
            ("Same", vec!["Inc", "Dec"], 0),
            ("Far", vec!["Twelve", "Five", "Five"], 22),
            ("Back", vec!["Five", "Dec", "Dec"], 3),
        ];
        Program { functions, methods }
    }

    fn height(&self, function: &str) -> usize {
        self.functions.iter().position(|f| f.0 == function).expect("a function of the program")
    }

    /// The script of all conditions, in the style of Boogie: lambdas, labels and variables are numbered.
    fn script(&self) -> String {
        let mut out = String::from(
            "(set-option :smt.mbqi false)\n(declare-sort U 0)\n(declare-fun int (U) Int)\n\
             (declare-fun apply (U U) U)\n(declare-const $height Int)\n",
        );
        for i in 0..30 {
            out.push_str(&format!("(declare-fun prelude{i} (U) Int)\n"));
            out.push_str(&format!(
                "(assert (forall ((x U)) (! (< (prelude{i} x) (+ (int x) {})) :pattern ((prelude{i} x)))))\n",
                100 + i
            ));
        }
        for (height, (name, adds)) in self.functions.iter().enumerate() {
            let adds = literal(*adds);
            out.push_str(&format!("(declare-fun {name} (U) U)\n"));
            out.push_str(&format!(
                "(assert (=> (<= {height} $height) (forall ((x U)) (! (= (int ({name} x)) (+ (int \
                 x) {adds})) :pattern (({name} x))))))\n"
            ));
        }
        for (number, (_, calls, _)) in self.methods.iter().enumerate() {
            let body = calls.iter().fold("x".to_string(), |inner, call| format!("({call} {inner})"));
            out.push_str(&format!("(declare-const |lambda#{number}| U)\n"));
            out.push_str(&format!(
                "(assert (forall ((x U)) (! (= (apply |lambda#{number}| x) {body}) :pattern ((apply \
                 |lambda#{number}| x)))))\n"
            ));
        }
        for (number, (_, calls, adds)) in self.methods.iter().enumerate() {
            let adds = literal(*adds);
            let height = calls.iter().map(|call| self.height(call)).max().unwrap_or(0) + 1;
            out.push_str(&format!(
                "(push 1)\n(declare-const x@{number} U)\n(declare-const %lbl%{number} Bool)\n(assert (not \
                 (=> %lbl%{number} (=> (= $height {height}) (= (int (apply |lambda#{number}| \
                 x@{number})) (+ (int \
                 x@{number}) {adds}))))))\n(check-sat)\n(pop 1)\n"
            ));
        }
        out
    }
}

/// An integer as SMT-LIB writes it.
fn literal(value: i64) -> String {
    if value < 0 { format!("(- {})", value.unsigned_abs()) } else { value.to_string() }
}

/// Edits after which every old condition still holds, for the reason it held before: name, program, new
/// conditions.
fn additions() -> Vec<(&'static str, Program, u64)> {
    let base = Program::new();
    let edit = |change: &dyn Fn(&mut Program)| {
        let mut program = base.clone();
        change(&mut program);
        program
    };
    let extra = || ("Extra", vec!["Dec", "Five"], 4);
    vec![
        ("a method at the top", edit(&|p| p.methods.insert(0, extra())), 1),
        ("a method in the middle", edit(&|p| p.methods.insert(2, extra())), 1),
        ("a method at the end", edit(&|p| p.methods.push(extra())), 1),
        ("methods reordered", edit(&|p| p.methods.reverse()), 0),
        ("functions reordered", edit(&|p| p.functions.rotate_left(1)), 0),
        ("a function at the bottom", edit(&|p| p.functions.insert(0, ("Seven", 7))), 0),
        ("a function in the middle", edit(&|p| p.functions.insert(2, ("Seven", 7))), 0),
        (
            "functions renamed",
            edit(&|p| {
                p.functions[0].0 = "Next";
                p.methods[0].1[0] = "Next";
                p.methods[1].1[0] = "Next";
            }),
            0,
        ),
        (
            "a method removed",
            edit(&|p| {
                p.methods.remove(0);
            }),
            0,
        ),
    ]
}

#[test]
fn what_an_edit_does_not_affect_is_not_solved_again() {
    let base = Program::new();
    for (name, program, new) in additions() {
        let store = memory();
        let cold = run_full(&base.script(), &store);
        assert_eq!(verdicts(&cold.output), ["unsat"; 4], "{}", cold.output);
        assert_eq!(cold.stats.engine.cores, 4);
        let edited = run_full(&program.script(), &store);
        assert_eq!(verdicts(&edited.output), vec!["unsat"; program.methods.len()], "{name}");
        assert_eq!(edited.stats.engine.solved, new, "{name}");
    }
}

#[test]
fn what_an_edit_affects_is_solved_again() {
    let base = Program::new();
    let store = memory();
    run_full(&base.script(), &store);
    // Five is needed by two of the methods, and now adds six.
    let mut changed = base.clone();
    changed.functions[3].1 = 6;
    // One contract is wrong now.
    let mut wrong = base.clone();
    wrong.methods[0].2 = 12;
    for (program, solved) in [(changed, 2), (wrong, 1)] {
        let script = program.script();
        let expected = bare(&script);
        assert!(verdicts(&expected).iter().any(|v| *v != "unsat"), "nothing was broken");
        let got = run_full(&script, &store);
        assert_eq!(verdicts(&got.output), verdicts(&expected));
        assert_eq!(got.stats.engine.solved, solved);
    }
}

/// A goal about a chain of functions, all of it under names with a prefix.
fn chain(prefix: &str, axioms: &str, goal: &str) -> String {
    let mut script = String::from("(set-option :smt.mbqi false)\n");
    let declared = "(declare-sort U 0)\n(declare-sort V 0)\n(declare-datatypes ((D 0)) (((A) (B (d Int)))))\n\
                    (declare-fun f (U) Int)\n(declare-fun g (U) Int)\n(declare-fun h (U) Int)\n\
                    (declare-fun k (V) Int)\n(declare-const a U)\n(declare-const b U)\n(declare-const v V)\n\
                    (declare-const e D)\n(declare-const n Int)\n";
    for line in [declared, axioms, goal].iter().flat_map(|text| text.lines()) {
        let mut word = String::new();
        for c in line.chars().chain([' ']) {
            if c.is_ascii_alphanumeric() || "_-!:.#<=>+*".contains(c) {
                word.push(c);
                continue;
            }
            let is_ours = ["U", "V", "D", "A", "B", "d", "f", "g", "h", "k", "a", "b", "v", "e", "n"];
            if is_ours.contains(&word.as_str()) {
                script.push_str(prefix);
            }
            script.push_str(&word);
            script.push(c);
            word.clear();
        }
        script.push('\n');
    }
    // Enough of them that cores are looked for.
    (0..20).for_each(|i| {
        script.push_str(&format!("(declare-const {prefix}p{i} Bool)\n(assert {prefix}p{i})\n"))
    });
    script.push_str("(check-sat)\n");
    script
}

const AXIOMS: &str = "(assert (forall ((x U)) (! (< (f x) (g x)) :pattern ((f x)))))\n\
                      (assert (forall ((x U)) (! (< (g x) (h x)) :pattern ((g x)))))\n";
const GOAL: &str = "(assert (not (< (f a) (h a))))\n";

#[test]
fn another_naming_is_found_and_a_near_miss_is_not() {
    let store = memory();
    let cold = run_full(&chain("", AXIOMS, GOAL), &store);
    assert_eq!((verdicts(&cold.output), cold.stats.engine.cores), (vec!["unsat"], 1), "{}", cold.output);
    let beside = "(assert (forall ((x U)) (! (< (h x) 9) :pattern ((h x)))))\n";
    let renamed = run_full(&chain("my_", &format!("{beside}{AXIOMS}"), GOAL), &store);
    assert_eq!((verdicts(&renamed.output), counts(&renamed)), (vec!["unsat"], (0, 1, 0)));
    // Each is like the core but for one thing, and z3 finds it not to be unsat.
    let near = [
        ("a constant", AXIOMS.replace("(< (f x) (g x))", "(< (f x) (+ 2 (g x)))"), GOAL.to_string()),
        ("two symbols swapped", AXIOMS.replace("(< (g x) (h x))", "(< (h x) (g x))"), GOAL.to_string()),
        ("one symbol for two", AXIOMS.to_string(), "(assert (not (< (f a) (f a))))\n".to_string()),
        ("two symbols for one", AXIOMS.to_string(), "(assert (not (< (f a) (h b))))\n".to_string()),
        (
            "another sort",
            AXIOMS.replace("((x U)) (! (< (f x) (g x)) :pattern ((f x)))", "((x V)) (< (k x) 8)"),
            GOAL.to_string(),
        ),
        ("an axiom less", AXIOMS.lines().next().unwrap_or_default().to_string(), GOAL.to_string()),
        ("the other direction", AXIOMS.to_string(), "(assert (< (f a) (h a)))\n".to_string()),
    ];
    for (what, axioms, goal) in near {
        let script = chain("my_", &format!("{beside}{axioms}\n"), &goal);
        let got = run_full(&script, &store);
        assert_eq!(got.stats.engine.hits(Rung::Core), 0, "{what}: {script}");
        let expected = bare(&script);
        assert_ne!(verdicts(&expected), ["unsat"], "{what} breaks nothing");
        assert!(!differ(&expected, &got.output), "{what}: {script}{}", got.output);
    }
}

#[test]
fn datatypes_are_renamed_with_their_declaration() {
    let store = memory();
    let data = |declared: &str, asserted: &str| {
        let noise: String = (0..20).map(|i| format!("(declare-const p{i} Bool)\n(assert p{i})\n")).collect();
        format!("{declared}\n{asserted}\n{noise}(declare-const q Bool)\n(check-sat)\n")
    };
    let asserted = |is: [&str; 3]| {
        let [first, second, sort] = is;
        format!(
            "(assert (or (= c {first}) (< (s c) 0)))\n(assert (not ((_ is {second}) c)))\n(assert (forall \
             ((y {sort})) (>= (s y) 0)))\n"
        )
    };
    let first = data(
        "(declare-datatypes ((D 0)) (((A) (B (b Int)))))\n(declare-fun s (D) Int)\n(declare-const c D)",
        &asserted(["A", "A", "D"]),
    );
    let cold = run_full(&first, &store);
    assert_eq!((verdicts(&cold.output), cold.stats.engine.cores), (vec!["unsat"], 1), "{}", cold.output);
    let renamed = data(
        "(declare-datatypes ((T 0)) (((Nil) (Cons (head Int)))))\n(declare-fun s (T) Int)\n(declare-const c \
         T)\n(declare-const other Int)\n(assert (or (> other 3) (< other (- 3))))",
        &asserted(["Nil", "Nil", "T"]),
    );
    let got = run_full(&renamed, &store);
    assert_eq!((verdicts(&got.output), got.stats.engine.solved), (vec!["unsat"], 0), "{}", got.output);
    // One constructor more, and that one is meant.
    let other = data(
        "(declare-datatypes ((T 0)) (((Nil) (Cons (head Int)) (Nil2))))\n(declare-fun s (T) Int)\n\
         (declare-const c T)",
        &asserted(["Nil", "Nil2", "T"]),
    );
    assert_ne!(verdicts(&bare(&other)), ["unsat"], "nothing was broken");
    let got = run_full(&other, &store);
    assert_eq!(got.stats.engine.hits(Rung::Core), 0);
    assert!(!differ(&bare(&other), &got.output));
}

/// `h` only matters by the order of what it is compared with, unless it is also used as a number.
#[test]
fn literals_may_move_where_only_their_order_matters() {
    let script = |goal: i64, axiom: i64, used: &str| {
        let noise: String = (0..20).map(|i| format!("(declare-const p{i} Bool)\n(assert p{i})\n")).collect();
        let (goal, axiom) = (literal(goal), literal(axiom));
        format!(
            "(set-option :smt.mbqi false)\n(declare-sort U 0)\n(declare-const h Int)\n(declare-fun f (U) \
             Int)\n(declare-const a U)\n{noise}(assert (=> (<= {axiom} h) (forall ((x U)) (! (> (f x) 7) \
             :pattern ((f \
             x))))))\n{used}(assert (and (= h {goal}) (or (< (f a) 7) (< (f a) 6))))\n(check-sat)\n"
        )
    };
    let store = memory();
    let cold = run_full(&script(4, 3, ""), &store);
    assert_eq!((verdicts(&cold.output), cold.stats.engine.cores), (vec!["unsat"], 1));
    for (goal, axiom) in [(5, 4), (9, 2), (100, -7)] {
        let moved = script(goal, axiom, "(assert (or p0 (> h 2)))\n");
        let got = run_full(&moved, &store);
        assert_eq!((verdicts(&got.output), counts(&got)), (vec!["unsat"], (0, 1, 0)), "{moved}");
    }
    // The axiom is above the goal: it says nothing.
    for (goal, axiom) in [(3, 4), (2, 9)] {
        let moved = script(goal, axiom, "");
        let got = run_full(&moved, &store);
        assert_eq!(got.stats.engine.hits(Rung::Core), 0, "{moved}");
        assert!(!differ(&bare(&moved), &got.output), "{moved}");
    }
    // As a number.
    let store = memory();
    let sum = |n: i64| {
        format!("(declare-const m Int)\n(assert (= (+ h m) {n}))\n(assert (or (< m 0) (< m (- 3))))\n")
    };
    let used =
        |goal: i64, n: i64| script(goal, goal + 1, &sum(n)).replace("(or (< (f a) 7) (< (f a) 6))", "p0");
    assert_eq!(verdicts(&run_full(&used(4, 6), &store).output), ["unsat"]);
    let moved = used(8, 6);
    assert_ne!(verdicts(&bare(&moved)), ["unsat"], "nothing was broken");
    let got = run_full(&moved, &store);
    assert_eq!(got.stats.engine.hits(Rung::Core), 0);
    assert!(!differ(&bare(&moved), &got.output));
}

/// Dafny's axioms say `3 <= h`, and inside `h = 3`. In the condition of the next function, `h = 4`, both have
/// a comparison with 3 in common, and in that of a later one they have not.
#[test]
fn literals_may_move_next_to_each_other_where_one_is_fixed() {
    let script = |goal: i64, axiom: i64, inside: i64| {
        let noise: String = (0..20).map(|i| format!("(declare-const p{i} Bool)\n(assert p{i})\n")).collect();
        format!(
            "(set-option :smt.mbqi false)\n(declare-sort U 0)\n(declare-const h Int)\n(declare-fun f (U) \
             Int)\n(declare-fun can (U) Bool)\n(declare-const a U)\n{noise}(assert (=> (<= {axiom} h) \
             (forall ((x U)) (! (=> (or (can x) (not (= {inside} h))) (> (f x) 7)) :pattern ((f \
             x))))))\n(assert (and (= h {goal}) (or (< (f a) 7) (< (f a) 6))))\n(check-sat)\n"
        )
    };
    let store = memory();
    let cold = run_full(&script(45, 3, 3), &store);
    assert_eq!((verdicts(&cold.output), cold.stats.engine.cores), (vec!["unsat"], 1));
    for (goal, axiom, inside) in [(51, 50, 50), (4, 3, 3), (9, 2, 2)] {
        let moved = script(goal, axiom, inside);
        let got = run_full(&moved, &store);
        assert_eq!((verdicts(&got.output), counts(&got)), (vec!["unsat"], (0, 1, 0)), "{moved}");
    }
    // The axiom is above the goal, or speaks of others alone.
    for (goal, axiom, inside) in [(3, 4, 4), (2, 9, 9), (50, 50, 50), (51, 50, 51)] {
        let moved = script(goal, axiom, inside);
        let expected = bare(&moved);
        assert_ne!(verdicts(&expected), ["unsat"], "nothing was broken");
        let got = run_full(&moved, &store);
        assert_eq!(got.stats.engine.hits(Rung::Core), 0, "{moved}");
        assert!(!differ(&expected, &got.output), "{moved}");
    }
    // In the other direction: what was refuted next to each other.
    let store = memory();
    let cold = run_full(&script(51, 50, 50), &store);
    assert_eq!((verdicts(&cold.output), cold.stats.engine.cores), (vec!["unsat"], 1));
    let got = run_full(&script(45, 3, 3), &store);
    assert_eq!((verdicts(&got.output), counts(&got)), (vec!["unsat"], (0, 1, 0)));
}

/// A condition of a random program: axioms that hold where numbers are compared well, and a goal that fixes
/// none, one or two of these numbers. Literals lie next to each other, on each other, and apart.
fn numbered_condition(random: &mut Random) -> String {
    let names = ["h", "k"].map(|name| format!("{name}{}", random.below(1000)));
    let bases = [0; 2].map(|_| random.below(65) as i64 - 5);
    let compare = |random: &mut Random, which: usize| {
        let (name, base) = (&names[which], bases[which]);
        let off = [0, 1, 1, 2, 7][random.below(5)];
        let (below, above) = (literal(base - off.max(1)), literal(base + off.max(1)));
        match random.below(16) {
            0 => format!("(= {name} {above})"),
            1 => format!("(< {name} {below})"),
            2 => format!("(not (= {} {name}))", literal(base)),
            3..7 => format!("(<= {} {name})", literal(base - off)),
            7..11 => format!("(not (= {below} {name}))"),
            11..14 => format!("(< {below} {name})"),
            _ => format!("(< {name} {above})"),
        }
    };
    let fixed = [0, 1, 1, 1, 2][random.below(5)];
    let mut script = String::from("(push 1)\n");
    names.iter().for_each(|name| script.push_str(&format!("(declare-const {name} Int)\n")));
    let functions = [&["f"][..], &["g"], &["f", "g"]][random.below(3)];
    for function in functions {
        let which = random.below(fixed.max(1));
        let (guard, one) = (compare(random, which), compare(random, which));
        let any = random.below(2);
        let other = compare(random, any);
        let inside = match random.below(4) {
            0 => format!("(or (c x) {one})"),
            1 => format!("(and {one} {other})"),
            2 => format!("(or {one} {other})"),
            _ => one,
        };
        script.push_str(&format!(
            "(assert (=> {guard} (forall ((x U)) (! (=> {inside} (> ({function} x) 7)) :pattern (({function} \
             x))))))\n"
        ));
    }
    let mut goal: Vec<String> =
        (0..fixed).map(|which| format!("(= {} {})", names[which], literal(bases[which]))).collect();
    let function = functions[random.below(functions.len())];
    goal.insert(random.below(goal.len() + 1), format!("(or (< ({function} a) 7) (< ({function} a) 6))"));
    script.push_str(&format!("(assert (and p0 {}))\n(check-sat)\n(pop 1)\n", goal.join(" ")));
    script
}

#[test]
fn random_conditions_with_numbers_have_the_verdicts_of_z3() {
    let store = memory();
    let (mut hits, mut random) = (0, Random::new(20));
    for _ in 0..10 {
        let mut script = String::from(
            "(set-option :smt.mbqi false)\n(declare-sort U 0)\n(declare-fun f (U) Int)\n(declare-fun g (U) \
             Int)\n(declare-fun c (U) Bool)\n(declare-const a U)\n",
        );
        (0..18).for_each(|i| script.push_str(&format!("(declare-const p{i} Bool)\n(assert p{i})\n")));
        (0..80).for_each(|_| script.push_str(&numbered_condition(&mut random)));
        let (ours, theirs) = (run_full(&script, &store), bare(&script));
        // What does not follow is unknown to z3 here.
        assert_eq!(verdicts(&ours.output), verdicts(&theirs), "{script}");
        hits += ours.stats.engine.hits(Rung::Core);
    }
    assert!(hits > 100, "{hits} of 800");
}

/// A script about constants of which some are distinct: declarations, what is asserted, and enough beside it
/// that cores are looked for.
fn about_constants(sort: &str, prefix: &str, asserted: &str) -> String {
    let noise: String = (0..20).map(|i| format!("(declare-const p{i} Bool)\n(assert p{i})\n")).collect();
    let declared: String = (0..8).map(|i| format!("(declare-const {prefix}{i} {sort})\n")).collect();
    format!(
        "(declare-sort U 0)\n{declared}(declare-fun f ({sort}) Int)\n(declare-fun g (Int) {sort})\n{noise}\
         {asserted}(check-sat)\n"
    )
    .replace('@', prefix)
}

#[test]
fn more_distinct_constants_say_more_and_fewer_do_not() {
    let injective =
        "(assert (forall ((x U)) (! (= (g (f x)) x) :pattern ((f x)))))\n(assert (= (f @0) (f @1)))\n";
    let store = memory();
    let script = |prefix: &str, distinct: &str| {
        about_constants("U", prefix, &format!("(assert (distinct {distinct}))\n{injective}"))
    };
    let cold = run_full(&script("c", "@0 @1 @2 @3"), &store);
    assert_eq!((verdicts(&cold.output), cold.stats.engine.cores), (vec!["unsat"], 1), "{}", cold.output);
    for distinct in ["@0 @1 @2 @3 @4", "@7 @6 @5 @4 @1 @0"] {
        let got = run_full(&script("d", distinct), &store);
        assert_eq!((verdicts(&got.output), counts(&got)), (vec!["unsat"], (0, 1, 0)), "{distinct}");
    }
    for distinct in ["@0 @4 @2 @3 @5", "@1 @4 @2 @3 @5"] {
        let near = script("d", distinct);
        let got = run_full(&near, &store);
        assert_eq!(got.stats.engine.hits(Rung::Core), 0, "{distinct}");
        assert!(!differ(&bare(&near), &got.output), "{distinct}");
    }
    // Three do not fit where there are two: how many others there are matters.
    let two =
        "(assert (forall ((x U)) (or (= x @0) (= x @1))))\n(assert (= (f @0) 1))\n(assert (= (f @1) 2))\n";
    let crowded =
        |distinct: &str| about_constants("U", "c", &format!("(assert (distinct {distinct}))\n{two}"));
    let store = memory();
    assert_eq!(verdicts(&run_full(&crowded("@0 @1 @2"), &store).output), ["unsat"]);
    let near = crowded("@0 @1");
    assert_eq!(verdicts(&bare(&near)), ["sat"], "nothing was broken");
    let got = run_full(&near, &store);
    assert_eq!((verdicts(&got.output), got.stats.engine.hits(Rung::Core)), (vec!["sat"], 0));
}

/// Comparisons with literals do not mention a constant itself, and a distinction does not mention all of its.
/// A second unique constant makes a distinction, a third one makes another: the same assertion for verifiers.
#[test]
fn a_pair_of_distinct_constants_is_found_among_more() {
    let injective =
        "(assert (forall ((x U)) (! (= (g (f x)) x) :pattern ((f x)))))\n(assert (= (f @0) (f @1)))\n";
    let script = |prefix: &str, distinct: &str| {
        about_constants("U", prefix, &format!("(assert (distinct {distinct}))\n{injective}"))
    };
    let store = memory();
    let cold = run_full(&script("c", "@0 @1"), &store);
    assert_eq!((verdicts(&cold.output), cold.stats.engine.cores), (vec!["unsat"], 1), "{}", cold.output);
    for distinct in ["@1 @0", "@0 @1 @2", "@5 @1 @4 @0"] {
        let got = run_full(&script("d", distinct), &store);
        assert_eq!((verdicts(&got.output), got.stats.engine.solved), (vec!["unsat"], 0), "{distinct}");
    }
    for distinct in ["@0 @2", "@0 @2 @3", "@1 @4 @2"] {
        let near = script("d", distinct);
        let got = run_full(&near, &store);
        assert_eq!(got.stats.engine.hits(Rung::Core), 0, "{distinct}");
        assert!(!differ(&bare(&near), &got.output), "{distinct}");
    }
}

/// A program with few axioms: each goal stands in a frame of its own, and its core is found although there
/// are not many assertions.
#[test]
fn goals_among_few_axioms_survive_another_axiom() {
    let script = |more: &str| {
        let axioms = format!(
            "(declare-fun f (Int) Int)\n{more}(assert (forall ((x Int)) (! (> (f x) x) :pattern ((f x)))))\n\
             (assert (forall ((x Int)) (! (< (f x) (+ x 9)) :pattern ((f x)))))\n"
        );
        let goal = |name: &str, goal: &str| {
            format!("(push 1)\n(declare-const {name} Int)\n(assert (not {goal}))\n(check-sat)\n(pop 1)\n")
        };
        axioms + &goal("a", "(> (f (f a)) (+ a 1))") + &goal("b", "(< (f (f b)) (+ b 17))")
    };
    let store = memory();
    let cold = run_full(&script(""), &store);
    assert_eq!((verdicts(&cold.output), cold.stats.engine.cores), (vec!["unsat"; 2], 2), "{}", cold.output);
    assert_eq!(cold.stats.solver_starts, 1, "the process that finds cores answers both");
    let more =
        "(declare-fun g (Int) Int)\n(assert (forall ((x Int)) (! (= (g x) (f (f x))) :pattern ((g x)))))\n";
    let got = run_full(&script(more), &store);
    assert_eq!(verdicts(&got.output), ["unsat"; 2]);
    assert_eq!((got.stats.engine.solved, got.stats.solver_starts), (0, 0));
    // Another meaning of the function that both are about.
    let changed = script("").replace("(> (f x) x)", "(>= (f x) x)");
    let got = run_full(&changed, &store);
    assert!(!differ(&bare(&changed), &got.output), "{}", got.output);
    assert_ne!(verdicts(&got.output)[0], "unsat");
}

#[test]
fn distinct_integers_that_are_compared_with_literals_keep_their_names() {
    let store = memory();
    let script = |distinct: &str, second: &str| {
        let asserted = format!(
            "(assert (distinct {distinct}))\n(assert (or (= @0 3) (and (= @0 3) p1)))\n(assert (or \
             (= @1 3) (and \
             (= @1 3) p2)))\n{second}(assert (> (+ @2 (f @2)) (f @3)))\n"
        );
        about_constants("Int", "c", &asserted)
    };
    let cold = run_full(&script("@0 @1 @2", ""), &store);
    assert_eq!(verdicts(&cold.output), ["unsat"], "{}", cold.output);
    for (distinct, second) in [("@4 @5 @2", ""), ("@0 @4 @2", "(assert (distinct @4 @1 @2))\n")] {
        let near = script(distinct, second);
        assert_eq!(verdicts(&bare(&near)), ["sat"], "nothing was broken");
        let got = run_full(&near, &store);
        assert_eq!((verdicts(&got.output), got.stats.engine.hits(Rung::Core)), (vec!["sat"], 0));
    }
}

/// Symmetric axioms: which of them is which is only found by trying.
#[test]
fn axioms_that_look_alike_are_told_apart() {
    let script = |prefix: &str, order: &[usize]| {
        let mut out = String::from("(set-option :smt.mbqi false)\n(declare-sort U 0)\n");
        (0..12).for_each(|i| {
            out.push_str(&format!("(declare-fun {prefix}{i} (U) Int)\n(declare-const {prefix}c{i} U)\n"))
        });
        for &i in order {
            let next = (i + 1) % 12;
            out.push_str(&format!(
                "(assert (forall ((x U)) (! (< ({prefix}{i} x) ({prefix}{next} x)) :pattern \
                                   (({prefix}{i} x)))))\n"
            ));
            out.push_str(&format!("(assert (distinct {prefix}c{i} {prefix}c{next}))\n"));
        }
        out.push_str(&format!(
            "(assert (not (< ({prefix}2 {prefix}c5) ({prefix}6 {prefix}c5))))\n(check-sat)\n"
        ));
        out
    };
    let mut order: Vec<usize> = (0..11).collect();
    let store = memory();
    let cold = run_full(&script("f", &order), &store);
    assert_eq!((verdicts(&cold.output), cold.stats.engine.cores), (vec!["unsat"], 1));
    let mut random = Random::new(5);
    for name in ["g", "h", "zz"] {
        random.shuffle(&mut order);
        // One axiom that the goal does not need is left out, so that no exact key fits.
        let script = script(name, &order.iter().copied().filter(|&i| i != 8).collect::<Vec<usize>>());
        let got = run_full(&script, &store);
        assert_eq!((verdicts(&got.output), got.stats.engine.solved), (vec!["unsat"], 0), "{script}");
    }
}

/// Other names, and now and then another literal, for a script.
fn disguise(script: &str, names: &[String], random: &mut Random) -> String {
    let mut fresh: Vec<String> = (0..names.len()).map(|i| format!("r{i}")).collect();
    random.shuffle(&mut fresh);
    // Sometimes two names change places: the same names, another meaning.
    let to = if random.one_in(3) {
        let mut swapped = names.to_vec();
        random.shuffle(&mut swapped);
        swapped
    } else {
        fresh
    };
    let is_mutant = random.one_in(3);
    let mut out = String::new();
    for line in script.lines() {
        let is_mutant = is_mutant && line.starts_with("(assert ");
        let mut word = String::new();
        for c in line.chars().chain(['\n']) {
            if !c.is_whitespace() && c != '(' && c != ')' {
                word.push(c);
                continue;
            }
            let number = word.parse::<u32>().ok().filter(|&n| is_mutant && n < 100 && random.one_in(4));
            match (names.iter().position(|name| *name == word), number) {
                (Some(place), _) => out.push_str(&to[place]),
                (None, Some(number)) => out.push_str(&(number + 1).to_string()),
                (None, None) => out.push_str(&word),
            }
            word.clear();
            out.push(c);
        }
    }
    out
}

/// Scripts that share a store and are subsets of one set of constraints, each under other names and some with
/// other literals, against z3. `EVERGREEN_ATTACKS` and `EVERGREEN_SEED` as in `pipeline_random.rs`.
#[test]
fn renamed_scripts_have_the_verdicts_of_z3() {
    let number = |name: &str, default: u64| {
        let text = std::env::var(name).unwrap_or_else(|_| default.to_string());
        text.parse::<u64>().unwrap_or_else(|_| panic!("{name}: \"{text}\" is no number"))
    };
    let (count, seed) = (number("EVERGREEN_ATTACKS", 60), number("EVERGREEN_SEED", 1));
    let mut options = options(Some(memory()), CanonMode::Full, true);
    options.solver.args = vec![PATIENCE.into()];
    options.engine.native = false;
    let mut session = Session::new(options);
    let mut bare = Bare::start();
    let mut compared = 0;
    for i in 0..count {
        let mut choices = Choices::seeded(seed.wrapping_mul(9_999_991).wrapping_add(i));
        let attack = Attack::new(&mut choices);
        let constraints = attack.plain().lines().filter(|l| l.starts_with("(assert ")).count();
        let names = attack.plain_names();
        let mut random = Random::for_index(seed, i);
        for _ in 0..8 {
            let mut chosen: Vec<usize> = (0..constraints).filter(|_| !random.one_in(4)).collect();
            random.shuffle(&mut chosen);
            let script = disguise(&attack.only(&chosen), &names, &mut random);
            let expected = bare.ask(&script);
            // A literal that was changed may be a width or an index.
            if errors(&expected) > 0 {
                continue;
            }
            let got = tell(&mut session, &script);
            compared += 1;
            assert!(
                !differ(&expected, &got) && errors(&got) == 0,
                "EVERGREEN_SEED={seed}, set {i}:\n{script}--- z3\n{expected}--- evergreen\n{got}"
            );
        }
    }
    let hits = session.stats().engine.hits(Rung::Core);
    assert!(compared > count * 4, "only {compared} scripts were compared");
    assert!(hits > count / 20, "only {hits} answers came from cores: nothing was tested");
}
