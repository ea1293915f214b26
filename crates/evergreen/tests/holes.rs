//! Ways in which reuse by logic could be wrong, each tried: cores that are too small, models with guessed
//! values, names that mean two things, stores that must not be written. And a random duel of the library with
//! z3 over one store that two instances share, with the native core on and off.

use crate::common;

use crate::common::{memory, options};
use evergreen::smtlib::{print_declarations, print_term};
use evergreen::solver::{
    Command, Limits, Outcome, PipeSolver, Problem, Solver, SolverError, Verdict as Said,
};
use evergreen::store::Store;
use evergreen::{
    CanonMode, Completion, Core, Evaluator, Evergreen, Fun, Question, Reuse, SortId, TermId, Terms, Verdict,
    run_script,
};
use evergreen_testing::random::Random;
use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

fn library(store: &Arc<dyn Store>, native: bool) -> Evergreen {
    evergreen_testing::tools::put_on_path();
    let builder = Evergreen::builder().with_store(store.clone()).solver("z3").reuse(Reuse::Full);
    builder.native(native).regulate(false).build().expect("z3 is there")
}

/// z3 by itself, asked about terms of any arena.
struct Reference(PipeSolver);

impl Reference {
    fn new() -> Reference {
        let z3 = Command::new(evergreen_testing::tools::find("z3"));
        Reference(PipeSolver::new(z3, Limits { time_ms: Some(20_000), memory_mb: None }))
    }

    fn is_sat(&mut self, terms: &Terms, constraints: &[TermId]) -> bool {
        let problem = Problem {
            declarations: print_declarations(terms, constraints).expect("printable"),
            constraints: constraints.iter().map(|&c| print_term(terms, c)).collect(),
            ..Problem::default()
        };
        match self.0.check(&problem).expect("z3 answers").verdict {
            Said::Sat => true,
            Said::Unsat => false,
            Said::Unknown(why) => panic!("z3 does not know: {why}"),
        }
    }
}

/// Bytes `a`, `b`, `c` and the comparisons a < b, b < c, c < a.
fn cycle(e: &mut Evergreen) -> [TermId; 3] {
    let byte = e.terms().bitvec_sort(8);
    let [a, b, c] = ["a", "b", "c"].map(|name| e.constant(name, byte));
    [(a, b), (b, c), (c, a)].map(|(x, y)| e.app(Fun::BvUlt, &[x, y]).unwrap())
}

/// A solver that finds everything unsatisfiable because of these constraints.
struct Because(Vec<usize>);

impl Solver for Because {
    fn describe(&self) -> String {
        "because".into()
    }

    fn check(&mut self, _: &Problem) -> Result<Outcome, SolverError> {
        let core = Some(self.0.clone());
        Ok(Outcome { verdict: Said::Unsat, values: None, core, elapsed: Duration::ZERO })
    }

    fn starts(&self) -> u64 {
        0
    }
}

/// One constraint that says two things, one of which another constraint says too: a core with the first alone
/// needs both.
#[test]
fn a_core_has_everything_that_its_constraints_say() {
    let store = memory();
    let solver = Box::new(Because(vec![1, 2]));
    let builder = Evergreen::builder().with_store(store.clone()).with_solver(solver);
    let mut e = builder.native(false).build().unwrap();
    let [ab, bc, ca] = cycle(&mut e);
    let no = e.terms().bool(false);
    let both = e.app(Fun::Ite, &[bc, ab, no]).unwrap();
    assert!(!Reference::new().is_sat(e.terms(), &[both, ca]), "the solver is right");
    let answer = e.check(&[ab, both, ca], Question::Core).unwrap();
    assert_eq!((answer.verdict, answer.core), (Verdict::Unsat, Core::new(vec![both, ca])));
    drop(e);
    // The same query, in which every constraint says one thing.
    let mut e = library(&store, true);
    let cycle = cycle(&mut e);
    let answer = e.check(&cycle, Question::Core).unwrap();
    assert_eq!((answer.verdict, e.stats().solved), (Verdict::Unsat, 0));
    let core = answer.core.expect("a core was asked for");
    assert!(!Reference::new().is_sat(e.terms(), &core), "{} of 3 constraints are no core", core.len());
}

/// A set about a whole array implies one about a cell, but its model has no value under the cell's name.
#[test]
fn models_that_are_not_checked_have_no_guessed_values() {
    let store = memory();
    let run = |script: &str| {
        let mut options = options(Some(store.clone()), CanonMode::Full, true);
        options.engine.check = false;
        options.engine.regulate = false;
        run_script(script.as_bytes(), options).output
    };
    let declared = "(declare-const a (Array Int Int)) (declare-const i Int) (assert (> (select a 5) 3))";
    assert_eq!(run(&format!("{declared} (assert (= (select a i) 7)) (check-sat)")), "sat\n");
    let said = run(&format!("{declared} (check-sat) (get-value ((> (select a 5) 3)))"));
    assert!(said.starts_with("sat\n") && said.contains("true"), "{said}");
}

/// Cells of one array lie in different slices of a path. What a branch says about one of them must leave the
/// others alone.
#[test]
fn a_branch_on_a_cell_leaves_the_other_cells_alone() {
    for question in [Question::Sat, Question::Extension, Question::Core, Question::Model] {
        let mut e = library(&memory(), true);
        let byte = e.terms().bitvec_sort(8);
        let array = e.terms().array_sort(byte, byte);
        let buf = e.constant("buf", array);
        let [zero, one, four, twelve] = [0, 1, 4, 12].map(|n| e.terms().bv(8, n));
        let [first, second] = [zero, one].map(|i| e.app(Fun::Select, &[buf, i]).unwrap());
        let path = e.app(Fun::Eq, &[first, twelve]).unwrap();
        let new = e.app(Fun::Distinct, &[second, four]).unwrap();
        e.push_feasible(&[path]).unwrap();
        let answer = e.branch(new, question).unwrap();
        assert_eq!(answer.verdict, Verdict::Sat);
        if matches!(question, Question::Extension | Question::Model) {
            assert!(answer.model.is_some(), "{question:?}");
        }
        if let Some(model) = &answer.model {
            let mut evaluator = Evaluator::new(e.terms(), model).completing(Completion::Default);
            for constraint in [path, new] {
                assert_eq!(evaluator.holds(constraint), Ok(true), "{question:?}: {model:?}");
            }
        }
    }
}

/// A symbol that cancels out of a new constraint has a value on the path, which what is said about the
/// constraint must leave alone.
#[test]
fn a_branch_on_what_cancels_out_leaves_the_path_alone() {
    for reuse in [Reuse::None, Reuse::Exact, Reuse::Full] {
        let builder = Evergreen::builder().with_store(memory()).solver("z3").reuse(reuse);
        evergreen_testing::tools::put_on_path();
        let mut e = builder.native(false).build().unwrap();
        let x = e.constant("x", SortId::INT);
        let nine = e.terms().int(9);
        let zero = e.app(Fun::Sub, &[x, x]).unwrap();
        let path = e.app(Fun::Gt, &[x, nine]).unwrap();
        let new = e.app(Fun::Gt, &[nine, zero]).unwrap();
        e.push_feasible(&[path]).unwrap();
        for question in [Question::Extension, Question::Sat] {
            let answer = e.branch(new, question).unwrap();
            assert_eq!(answer.verdict, Verdict::Sat);
            let model = answer.model.unwrap_or_default();
            let mut evaluator = Evaluator::new(e.terms(), &model).completing(Completion::None);
            assert_ne!(evaluator.holds(path).ok(), Some(false), "{reuse:?} {question:?}: {model:?}");
        }
    }
}

/// A term whose value the stored model does not say is the solver's to answer, from a model of its own: all
/// that is told of one check is told of one model, in any order.
#[test]
fn values_of_one_check_are_of_one_model() {
    let store = memory();
    let run = |script: &str| {
        let text = format!("(declare-const x Int) {script}");
        run_script(text.as_bytes(), options(Some(store.clone()), CanonMode::Full, true)).output
    };
    assert_eq!(run("(assert (> (* x x) 50)) (assert (> (* x x x) 900000)) (check-sat)"), "sat\n");
    let asked = "(assert (> (* x x) 50))";
    // The text after a term, up to the parenthesis that closes the pair.
    let value = |said: &str, term: &str| -> String {
        let (_, rest) =
            said.split_once(&format!("({term} ")).unwrap_or_else(|| panic!("no {term} in {said}"));
        let mut depth = 1;
        let mut open = |c: char| {
            depth += i32::from(c == '(') - i32::from(c == ')');
            depth > 0
        };
        rest.chars().take_while(|&c| open(c)).collect()
    };
    // The solver alone knows the first two, and together they say what x is.
    let (open, known) = (["(+ x (div 5 0))", "(div 5 0)"], ["x", "(* 2 x)"]);
    for (first, second) in [(open, known), (known, open)] {
        let (f, s) = (first.join(" "), second.join(" "));
        let said = run(&format!("{asked} (check-sat) (get-value ({f})) (get-value ({s})) (get-model)"));
        let equal = |t: &&str| format!("(assert (= {t} {}))", value(&said, t));
        let pinned: String = first.iter().chain(&second).map(equal).collect();
        let (_, model) = said.split_once("\n(\n").unwrap_or_else(|| panic!("no model in {said}"));
        let model = model.trim_end().strip_suffix(')').expect("a list");
        let judged = common::bare(&format!("{model} {asked} {pinned} (check-sat)"));
        assert_eq!(judged, "sat\n", "{f}, then {s}: {said}");
    }
}

/// What the native core decides has values for every declared constant, also for those that cancel out.
#[test]
fn models_of_the_native_core_are_whole() {
    let asserted = "(assert (> (+ x (- y y)) 3)) (assert (<= (* 2 z) x)) (assert (distinct x z))";
    let script = format!(
        "(declare-const x Int) (declare-const y Int) (declare-const z Int) (declare-const p Bool)
         (declare-const u (_ BitVec 8)) (declare-fun f (Int) Int) {asserted} (check-sat-assuming ((not p)))
         (get-model) (get-value (x y z p u (f 2) (+ y 1)))"
    );
    let store = memory();
    for round in ["cold", "warm"] {
        let run = run_script(script.as_bytes(), options(Some(store.clone()), CanonMode::Full, true));
        let shown = &run.output;
        let model = shown.strip_prefix("sat\n(").expect("a model").split("\n)\n").next().unwrap_or_default();
        for name in ["x", "y", "z", "p", "u", "f"] {
            assert!(model.contains(&format!("(define-fun {name} ")), "{round}: {name} has no value: {shown}");
        }
        let judged = common::bare(&format!("{model} {asserted} (assert (not p)) (check-sat)"));
        assert_eq!(judged, "sat\n", "{round}: {shown}");
        assert!(!shown.contains("error"), "{round}: {shown}");
        assert_eq!(run.stats.solver_starts, 0, "{round}: nothing here needs a solver");
    }
}

/// With recursive definitions a formula and a part of it could be written down in the same way.
#[test]
fn a_formula_is_not_taken_for_one_that_a_definition_contains() {
    let store = memory();
    for (a, b) in [("s", "t"), ("t", "s"), ("u", "v"), ("v", "u"), ("aa", "bb"), ("bb", "aa")] {
        // (g 0) is false.
        let declared = format!(
            "(declare-const {a} Bool) (declare-const {b} Bool) (declare-const c Bool)
             (define-fun-rec g ((n Int)) Bool (and (or (= (g 0) {a}) {b}) (not (= n 0))))
             (assert (or {a} c)) (assert (or {a} (not c)))"
        );
        for (constraint, expected) in
            [(format!("(= (g 0) {a})"), "unsat\n"), (format!("(or (= (g 0) {a}) {b})"), "sat\n")]
        {
            let script = format!("{declared} (assert {constraint}) (check-sat)");
            assert_eq!(common::bare(&script), expected, "z3 by itself");
            let run = run_script(script.as_bytes(), options(Some(store.clone()), CanonMode::Full, true));
            assert_eq!(run.output, expected, "{script}");
        }
    }
}

fn entries(store: &Arc<dyn Store>) -> usize {
    let mut count = 0;
    let visited = store.visit(&mut |_, _| {
        count += 1;
        ControlFlow::Continue(())
    });
    visited.expect("memory can be visited");
    count
}

#[test]
fn what_may_only_be_reused_is_not_written() {
    let store = memory();
    let mut e = library(&store, false);
    let [ab, bc, _] = cycle(&mut e);
    assert_eq!(e.check(&[ab, bc], Question::Sat).unwrap().verdict, Verdict::Sat);
    drop(e);
    let before = entries(&store);
    let builder = Evergreen::builder().with_store(store.clone()).require_hit().native(false);
    let mut e = builder.build().expect("no solver is needed");
    let [ab, ..] = cycle(&mut e);
    assert_eq!(e.check(&[ab], Question::Sat).unwrap().verdict, Verdict::Sat, "a part of what is known");
    drop(e);
    assert_eq!(entries(&store), before);
}

/// A constraint of many kinds; the same seed gives the same one in every arena.
fn constraint(e: &mut Evergreen, seed: u64) -> TermId {
    let random = &mut Random::new(seed);
    let byte = e.terms().bitvec_sort(8);
    let nibble = e.terms().bitvec_sort(4);
    let table = e.terms().array_sort(SortId::INT, SortId::INT);
    match random.below(14) {
        0..=3 => comparison(e, random),
        4 => {
            let parts = [comparison(e, random), bits(e, random, byte, 8)];
            e.app(Fun::And, &parts).unwrap()
        }
        5 | 6 => bits(e, random, byte, 8),
        7 => bits(e, random, nibble, 4),
        8 => {
            let p = truth(e, random);
            if random.one_in(2) { p } else { e.app(Fun::Not, &[p]).unwrap() }
        }
        9 => {
            let parts = [truth(e, random), comparison(e, random), bits(e, random, nibble, 4)];
            e.app([Fun::Or, Fun::Xor, Fun::Implies][random.below(3)], &parts).unwrap()
        }
        10 => {
            let no = e.terms().bool(false);
            let parts = [comparison(e, random), comparison(e, random), no];
            e.app(Fun::Ite, &parts).unwrap()
        }
        11 => {
            let all = [integer(e, random), integer(e, random), integer(e, random)];
            e.app([Fun::Le, Fun::Lt, Fun::Distinct, Fun::Eq][random.below(4)], &all).unwrap()
        }
        12 => {
            let (table, at) = (e.constant("table", table), e.terms().int(random.between(0, 2)));
            let at = if random.one_in(3) { integer(e, random) } else { at };
            let (read, right) =
                (e.app(Fun::Select, &[table, at]).unwrap(), e.terms().int(random.between(-2, 2)));
            let right = if random.one_in(2) { right } else { integer(e, random) };
            e.app([Fun::Le, Fun::Gt, Fun::Eq][random.below(3)], &[read, right]).unwrap()
        }
        _ => {
            // One that cancels out, and a choice.
            let (p, x, y) = (truth(e, random), integer(e, random), integer(e, random));
            let zero = e.app(Fun::Sub, &[x, x]).unwrap();
            let choice = e.app(Fun::Ite, &[p, zero, y]).unwrap();
            let right = e.terms().int(random.between(-1, 1));
            e.app([Fun::Le, Fun::Ge, Fun::Distinct][random.below(3)], &[choice, right]).unwrap()
        }
    }
}

fn integer(e: &mut Evergreen, random: &mut Random) -> TermId {
    e.constant(["x", "y", "z"][random.below(3)], SortId::INT)
}

fn truth(e: &mut Evergreen, random: &mut Random) -> TermId {
    e.constant(["p", "q"][random.below(2)], SortId::BOOL)
}

fn comparison(e: &mut Evergreen, random: &mut Random) -> TermId {
    let mut sum: Vec<TermId> = Vec::new();
    for _ in 0..1 + random.below(3) {
        let (x, c) = (integer(e, random), e.terms().int([1, 1, -1, 2, -3][random.below(5)]));
        sum.push(e.app(Fun::Mul, &[c, x]).unwrap());
    }
    let left = if let [only] = sum[..] { only } else { e.app(Fun::Add, &sum).unwrap() };
    let right = e.terms().int(random.between(-5, 5));
    e.app([Fun::Le, Fun::Lt, Fun::Ge, Fun::Eq, Fun::Distinct][random.below(5)], &[left, right]).unwrap()
}

fn bits(e: &mut Evergreen, random: &mut Random, sort: SortId, width: u32) -> TermId {
    let prefix = if width == 8 { "u" } else { "n" };
    let mut pick = |e: &mut Evergreen| {
        let name = format!("{prefix}{}", random.below(2));
        let (v, k) = (e.constant(&name, sort), e.terms().bv(width, random.below(1 << width) as u128));
        let fun = [Fun::BvAdd, Fun::BvAnd, Fun::BvMul, Fun::BvOr][random.below(4)];
        if random.one_in(3) { v } else { e.app(fun, &[v, k]).unwrap() }
    };
    let (left, right) = (pick(e), pick(e));
    e.app([Fun::BvUlt, Fun::BvUle, Fun::BvSlt, Fun::Eq, Fun::Distinct][random.below(5)], &[left, right])
        .unwrap()
}

/// What an answer must be: of the whole path with the new constraint.
fn judge(e: &mut Evergreen, z3: &mut Reference, path: &[TermId], new: TermId, question: Question) -> bool {
    let answer = e.branch(new, question).expect("an answer");
    let mut all = path.to_vec();
    all.push(new);
    let expected = z3.is_sat(e.terms(), &all);
    let shown = evergreen::describe_query(e.terms(), &all);
    assert_eq!(answer.verdict, if expected { Verdict::Sat } else { Verdict::Unsat }, "{shown}");
    if expected && question == Question::Model {
        let model = answer.model.unwrap_or_else(|| panic!("no model: {shown}"));
        let mut evaluator = Evaluator::new(e.terms(), &model).completing(Completion::Default);
        all.iter().for_each(|&c| assert!(evaluator.holds(c).expect("a value"), "{model:?} {shown}"));
    }
    if let Some(core) = answer.core {
        let mut pieces = HashSet::new();
        all.iter().for_each(|&c| pieces.extend(evergreen::split(e.terms(), c)));
        assert!(core.iter().all(|c| pieces.contains(c)), "a core of something else: {shown}");
        let told = evergreen::describe_query(e.terms(), &core);
        assert!(!z3.is_sat(e.terms(), &core), "no core: {told} of {shown}");
    } else {
        assert!(expected || question != Question::Core, "no core: {shown}");
    }
    expected
}

/// Walks about: pushes what is satisfiable, mostly, and takes back some of it.
fn walk(e: &mut Evergreen, z3: &mut Reference, seed: u64, steps: usize) -> usize {
    let random = &mut Random::new(seed);
    let mut path: Vec<TermId> = Vec::new();
    let mut unsat = 0;
    for _ in 0..steps {
        let new = constraint(e, random.below(90) as u64);
        let question = [Question::Sat, Question::Model, Question::Core][random.below(3)];
        if judge(e, z3, &path, new, question) {
            if !random.one_in(4) {
                e.push(new).unwrap();
                path.push(new);
            }
        } else {
            unsat += 1;
            for _ in 0..random.below(3) {
                e.pop();
                path.pop();
            }
        }
        if random.one_in(12) {
            // The whole query at once, which is propagated and cut.
            let mut all = path.clone();
            all.push(constraint(e, random.below(90) as u64));
            let verdict = e.check(&all, Question::Core).expect("an answer").verdict;
            let expected = if z3.is_sat(e.terms(), &all) { Verdict::Sat } else { Verdict::Unsat };
            assert_eq!(verdict, expected, "{}", evergreen::describe_query(e.terms(), &all));
        }
        if random.one_in(40) {
            e.renew();
            path.clear();
        }
        while path.len() > 9 {
            e.pop();
            path.pop();
        }
    }
    unsat
}

#[test]
fn two_instances_over_one_store_agree_with_z3() {
    let mut z3 = Reference::new();
    let scratch = std::env::temp_dir().join(format!("evergreen-holes-{}", std::process::id()));
    for seed in 0..4u64 {
        for native in [true, false] {
            let place = scratch.join(format!("{seed}-{native}"));
            let mut solved = Vec::new();
            for instance in 0..2u64 {
                evergreen_testing::tools::put_on_path();
                let builder = Evergreen::builder().store(&place.to_string_lossy()).solver("z3");
                let mut e = builder.native(native).regulate(false).build().expect("z3 is there");
                let unsat = walk(&mut e, &mut z3, 100 * seed + instance, 250);
                assert!(unsat > 10, "too easy: {unsat}");
                assert_eq!(e.stats().contradicted, 0);
                solved.push(e.stats().solved);
            }
            println!("seed {seed}, native {native}: {solved:?} solved");
        }
    }
    let _ = std::fs::remove_dir_all(scratch);
}
