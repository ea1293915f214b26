//! The strict techniques do what the papers say: their examples, what they leave to the solver, random
//! conjunctions in every one against z3, and stores that none shares with another.

use evergreen::store::{Memory, Store};
use evergreen::{Evergreen, Fun, Question, Reuse, SortId, Technique, TermId, Verdict};
use evergreen_testing::random::Random;
use std::sync::Arc;

fn memory() -> Arc<dyn Store> {
    Arc::new(Memory::new(1 << 26))
}

fn library(technique: Technique, store: &Arc<dyn Store>) -> Evergreen {
    evergreen_testing::tools::put_on_path();
    let builder = Evergreen::builder().with_store(store.clone()).solver("z3");
    builder.strict(technique).build().expect("z3 is there")
}

/// `2x - y + 3 <= 0` is `[(2, "x"), (-1, "y")], 3, Fun::Le`.
fn compare(e: &mut Evergreen, sum: &[(i64, &str)], constant: i64, fun: Fun) -> TermId {
    let mut items: Vec<TermId> = Vec::new();
    for &(c, name) in sum {
        let x = e.constant(name, SortId::INT);
        let number = e.terms().int(c);
        items.push(if c == 1 { x } else { e.app(Fun::Mul, &[number, x]).unwrap() });
    }
    if constant != 0 {
        items.push(e.terms().int(constant));
    }
    let left = if let [only] = items[..] { only } else { e.app(Fun::Add, &items).unwrap() };
    let zero = e.terms().int(0);
    e.app(fun, &[left, zero]).unwrap()
}

type Line<'a> = (&'a [(i64, &'a str)], i64, Fun);

/// The verdict of a conjunction, and how often the solver was asked for it.
fn ask(e: &mut Evergreen, lines: &[Line<'_>]) -> (Verdict, u64) {
    let before = e.stats().solved;
    let constraints: Vec<TermId> = lines.iter().map(|&(sum, k, fun)| compare(e, sum, k, fun)).collect();
    let verdict = e.check(&constraints, Question::Sat).unwrap().verdict;
    (verdict, e.stats().solved - before)
}

const SAT: Verdict = Verdict::Sat;
const UNSAT: Verdict = Verdict::Unsat;

#[test]
fn green_divides_nothing_and_finds_the_same_key_only() {
    let mut e = library(Technique::Green, &memory());
    assert_eq!(ask(&mut e, &[(&[(2, "x")], 4, Fun::Le)]), (SAT, 1));
    assert_eq!(ask(&mut e, &[(&[(1, "x")], 2, Fun::Le)]), (SAT, 1), "two keys");
    assert_eq!(ask(&mut e, &[(&[(1, "y")], 2, Fun::Le)]), (SAT, 0), "another name");
    assert_eq!(ask(&mut e, &[(&[(1, "y")], 1, Fun::Lt)]), (SAT, 0), "x + 2 <= 0 is x + 1 < 0");
    // Neither a value that one constraint fixes nor a plain conflict is decided here.
    assert_eq!(ask(&mut e, &[(&[(1, "x")], -5, Fun::Eq)]), (SAT, 1));
    assert_eq!(ask(&mut e, &[(&[(2, "x")], -5, Fun::Eq)]), (UNSAT, 1));
    assert_eq!(ask(&mut e, &[(&[(1, "x")], 1, Fun::Le), (&[(1, "x")], -2, Fun::Ge)]), (UNSAT, 1));
    // Supersets and implied ones are not found.
    assert_eq!(ask(&mut e, &[(&[(1, "x")], 2, Fun::Ge)]), (SAT, 1));
    assert_eq!(ask(&mut e, &[(&[(1, "x")], 3, Fun::Ge)]), (SAT, 1));
}

#[test]
fn klee_finds_subsets_and_supersets_of_the_same_constraints() {
    let mut e = library(Technique::Klee, &memory());
    // The examples of the paper on GreenTrie: x > 0, x < y, y - x > 1 is satisfiable, so x < y, y - x > 1 is;
    // with x - y < -1, since Green's renaming would call y the first variable without x > 0.
    let (positive, less, apart): (Line, Line, Line) = (
        (&[(1, "x")], 0, Fun::Gt),
        (&[(1, "x"), (-1, "y")], 0, Fun::Lt),
        (&[(1, "x"), (-1, "y")], 1, Fun::Lt),
    );
    assert_eq!(ask(&mut e, &[positive, less, apart]), (SAT, 1));
    assert_eq!(ask(&mut e, &[less, apart]), (SAT, 0));
    // x < 0, x > 1 is unsatisfiable, so x < 0, x > 1, x != 10 is.
    let (low, high): (Line, Line) = ((&[(1, "x")], 0, Fun::Lt), (&[(1, "x")], -1, Fun::Gt));
    assert_eq!(ask(&mut e, &[low, high]), (UNSAT, 1));
    assert_eq!(ask(&mut e, &[low, high, (&[(1, "x")], -10, Fun::Distinct)]), (UNSAT, 0));
    // What is not equal is not found: x > -1, and x < -1, x > 2.
    assert_eq!(ask(&mut e, &[(&[(1, "x")], 1, Fun::Gt)]), (SAT, 1));
    assert_eq!(ask(&mut e, &[(&[(1, "x")], 1, Fun::Lt), (&[(1, "x")], -2, Fun::Gt)]), (UNSAT, 1));
    // A model is not tried: x > 0 is satisfied by that of the first.
    assert_eq!(ask(&mut e, &[positive, (&[(1, "x")], -1000, Fun::Le)]), (SAT, 1));
}

#[test]
fn greentrie_follows_implications_of_one_prefix_only() {
    let mut e = library(Technique::GreenTrie, &memory());
    // Example 1: x > 0 is satisfiable, so x > -1 is.
    assert_eq!(ask(&mut e, &[(&[(1, "x")], 0, Fun::Gt)]), (SAT, 1));
    assert_eq!(ask(&mut e, &[(&[(1, "x")], 1, Fun::Gt)]), (SAT, 0));
    // Example 2 is refuted by the paper's reduction already.
    assert_eq!(ask(&mut e, &[(&[(1, "x")], 1, Fun::Lt), (&[(1, "x")], -2, Fun::Gt)]), (UNSAT, 0));
    // x + y < 0, x > 1, y > 1: three prefixes, so it goes to the solver. Stronger ones do not.
    for (k, calls) in [(0, 1), (0, 0), (5, 0)] {
        let lines: [Line; 3] = [
            (&[(1, "x"), (1, "y")], k, Fun::Lt),
            (&[(1, "x")], -1 - k, Fun::Gt),
            (&[(1, "y")], -1 - k, Fun::Gt),
        ];
        assert_eq!(ask(&mut e, &lines), (UNSAT, calls), "{k}");
    }
    // Nor is the divisor looked at.
    assert_eq!(ask(&mut e, &[(&[(2, "x")], 4, Fun::Le)]), (SAT, 1));
    assert_eq!(ask(&mut e, &[(&[(1, "x")], 2, Fun::Le)]), (SAT, 1));
}

#[test]
fn no_technique_sees_what_another_one_recorded() {
    let store = memory();
    let lines: [Line; 2] = [(&[(1, "x"), (1, "y")], 3, Fun::Le), (&[(1, "x")], -7, Fun::Ge)];
    evergreen_testing::tools::put_on_path();
    for reuse in [Reuse::Exact, Reuse::Full] {
        let builder = Evergreen::builder().with_store(store.clone()).solver("z3").native(false);
        ask(&mut builder.reuse(reuse).build().unwrap(), &lines);
    }
    for technique in Technique::ALL {
        assert_eq!(ask(&mut library(technique, &store), &lines), (SAT, 1), "{}", technique.name());
        assert_eq!(ask(&mut library(technique, &store), &lines), (SAT, 0), "{}, later", technique.name());
    }
    // Sets are found in a later run, too: x + y <= -3 by a superset, x + y <= -2 by implication.
    let ends: [(Technique, [u64; 2]); 3] =
        [(Technique::Green, [1, 1]), (Technique::Klee, [0, 1]), (Technique::GreenTrie, [0, 0])];
    for (technique, calls) in ends {
        let mut e = library(technique, &store);
        let found = [3, 2].map(|k| ask(&mut e, &[(&[(1, "x"), (1, "y")], k, Fun::Le)]).1);
        assert_eq!(found, calls, "{}", technique.name());
    }
}

/// A random comparison of one to three variables.
fn random_line(e: &mut Evergreen, random: &mut Random) -> TermId {
    let names = ["a", "b", "c"];
    let sum: Vec<(i64, &str)> = (0..1 + random.below(3))
        .map(|_| ([1, 1, 2, -1, -3][random.below(5)], names[random.below(3)]))
        .collect();
    let fun = [Fun::Le, Fun::Lt, Fun::Ge, Fun::Gt, Fun::Eq, Fun::Distinct][random.below(6)];
    let line = compare(e, &sum, random.between(-4, 4), fun);
    if random.one_in(4) { e.app(Fun::Not, &[line]).unwrap() } else { line }
}

#[test]
fn verdicts_are_those_of_z3() {
    const QUERIES: u64 = 400;
    let truth: Vec<Verdict> = {
        evergreen_testing::tools::put_on_path();
        let builder = Evergreen::builder().store("memory:").solver("z3").native(false);
        let mut e = builder.reuse(Reuse::None).build().unwrap();
        (0..QUERIES).map(|i| random_query(&mut e, i)).collect()
    };
    assert!(truth.iter().filter(|v| **v == UNSAT).count() > 60);
    let mut calls = Vec::new();
    for technique in Technique::ALL {
        let store = memory();
        // Twice: the second run reads what the first has stored.
        for run in 0..2 {
            let mut e = library(technique, &store);
            let verdicts: Vec<Verdict> = (0..QUERIES).map(|i| random_query(&mut e, i)).collect();
            assert_eq!(verdicts, truth, "{}", technique.name());
            assert_eq!(e.stats().rejected, 0);
            match run {
                0 => calls.push(e.stats().solved),
                _ => assert_eq!(e.stats().solved, 0, "{}", technique.name()),
            }
        }
    }
    assert!(calls.is_sorted_by(|a, b| a > b), "{calls:?}");
}

fn random_query(e: &mut Evergreen, number: u64) -> Verdict {
    let mut random = Random::for_index(7, number);
    let lines: Vec<TermId> = (0..2 + random.below(5)).map(|_| random_line(e, &mut random)).collect();
    e.check(&lines, Question::Sat).unwrap().verdict
}
