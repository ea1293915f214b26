//! What is answered just before a solver would be asked: refutations by several cores together, and old
//! values with a few moves. Verdicts and cores are compared with all points of a small box.

use crate::common::memory;
use evergreen::store::Store;
use evergreen::{
    Completion, Evaluator, Evergreen, Fun, Int, Model, Question, Rung, SortId, SymbolId, TermId, Terms,
    Value, Verdict,
};
use evergreen_term::Op;
use evergreen_testing::random::Random;
use std::collections::HashMap;
use std::sync::Arc;

const NAMES: [&str; 4] = ["a", "b", "c", "d"];
/// Each variable has the values 0 to 2.
const SIDE: i64 = 3;
const POINTS: usize = 81;

fn library(store: &Arc<dyn Store>) -> Evergreen {
    evergreen_testing::tools::put_on_path();
    let builder = Evergreen::builder().with_store(store.clone()).solver("z3");
    builder.native(false).regulate(false).build().expect("z3 is there")
}

fn point(number: usize) -> [i64; 4] {
    let mut rest = number as i64;
    [(); 4].map(|()| {
        let value = rest % SIDE;
        rest /= SIDE;
        value
    })
}

/// Which points of the box satisfy constraints.
#[derive(Default)]
struct Truth(HashMap<TermId, u128>);

impl Truth {
    fn of(&mut self, e: &mut Evergreen, constraint: TermId) -> u128 {
        if let Some(known) = self.0.get(&constraint) {
            return *known;
        }
        let symbols: Vec<SymbolId> = NAMES.iter().map(|name| symbol(e, name)).collect();
        let mut points = 0;
        for number in 0..POINTS {
            let values = symbols.iter().zip(point(number));
            let model: Model = values.map(|(&s, v)| (s, Value::Int(Int::from(v)))).collect();
            let mut evaluator = Evaluator::new(e.terms(), &model).completing(Completion::None);
            points |= u128::from(evaluator.holds(constraint).expect("a value")) << number;
        }
        self.0.insert(constraint, points);
        points
    }

    fn all(&mut self, e: &mut Evergreen, constraints: &[TermId]) -> u128 {
        let everywhere = (1 << POINTS) - 1;
        constraints.iter().fold(everywhere, |points, &constraint| points & self.of(e, constraint))
    }
}

fn symbol(e: &mut Evergreen, name: &str) -> SymbolId {
    let constant = e.constant(name, SortId::INT);
    match e.terms().op(constant) {
        Op::Apply(symbol) => symbol,
        other => panic!("{other:?} is no symbol"),
    }
}

fn variable(e: &mut Evergreen, random: &mut Random) -> TermId {
    e.constant(NAMES[random.below(3)], SortId::INT)
}

fn compare(e: &mut Evergreen, random: &mut Random, left: TermId, right: TermId) -> TermId {
    e.app([Fun::Le, Fun::Lt, Fun::Eq, Fun::Distinct][random.below(4)], &[left, right]).unwrap()
}

/// The constraint with a number: the bounds of the box first, then comparisons of array-like choices, which
/// no native core reads.
fn constraint(e: &mut Evergreen, number: u64) -> TermId {
    let random = &mut Random::for_index(88, number);
    let (x, y, z) = (variable(e, random), variable(e, random), variable(e, random));
    let [small, large] = [random.between(0, 2), random.between(0, 2)].map(|k| e.terms().int(k));
    let condition = compare(e, random, x, small);
    let inner = {
        let condition = compare(e, random, y, large);
        e.app(Fun::Ite, &[condition, z, large]).unwrap()
    };
    let choice = e.app(Fun::Ite, &[condition, inner, y]).unwrap();
    let right = e.terms().int(random.between(0, 2));
    let left = match random.below(4) {
        0 => x,
        1 => e.app(Fun::Sub, &[choice, x]).unwrap(),
        _ => choice,
    };
    let made = compare(e, random, left, right);
    if random.one_in(2) { e.app(Fun::Not, &[made]).unwrap() } else { made }
}

fn bounds(e: &mut Evergreen) -> Vec<TermId> {
    let (low, high) = (e.terms().int(0), e.terms().int(SIDE - 1));
    let mut all = Vec::new();
    for name in NAMES {
        let x = e.constant(name, SortId::INT);
        all.push(e.app(Fun::Le, &[low, x]).unwrap());
        all.push(e.app(Fun::Le, &[x, high]).unwrap());
    }
    all
}

/// A program: conditions that are branched on one after the other. Both arms of each are asked about, as an
/// exploration does, and every verdict and core is compared with the points of the box.
struct Program<'e> {
    e: &'e mut Evergreen,
    truth: Truth,
    path: Vec<TermId>,
    unsat: usize,
}

impl Program<'_> {
    fn explore(&mut self, conditions: &[u64]) {
        let Some((first, rest)) = conditions.split_first() else { return };
        let holds = constraint(self.e, *first);
        let fails = self.e.app(Fun::Not, &[holds]).unwrap();
        for arm in [holds, fails] {
            if self.ask(arm) {
                self.e.push(arm).unwrap();
                self.path.push(arm);
                self.explore(rest);
                self.path.pop();
                self.e.pop();
            }
        }
    }

    fn ask(&mut self, arm: TermId) -> bool {
        let Program { e, truth, path, unsat } = self;
        let answer = e.branch(arm, Question::Core).expect("an answer");
        let whole: Vec<TermId> = path.iter().copied().chain([arm]).collect();
        let is_sat = truth.all(e, &whole) != 0;
        let shown = evergreen::describe_query(e.terms(), &whole);
        assert_eq!(answer.verdict, if is_sat { Verdict::Sat } else { Verdict::Unsat }, "{shown}");
        if let Some(core) = answer.core.filter(|_| !is_sat) {
            let pieces: Vec<TermId> = whole.iter().flat_map(|&c| evergreen::split(e.terms(), c)).collect();
            assert!(core.iter().all(|c| pieces.contains(c)), "{shown}");
            // The box is all that counts here: with its bounds, which a core may do without.
            let core: Vec<TermId> = core.into_constraints().into_iter().chain(bounds(e)).collect();
            assert_eq!(truth.all(e, &core), 0, "no core: {shown}");
        }
        *unsat += usize::from(!is_sat);
        is_sat
    }
}

/// Explores a program; how many arms have no solution.
fn explored(e: &mut Evergreen, conditions: &[u64]) -> usize {
    let path = bounds(e);
    path.iter().for_each(|&bound| e.push_feasible(&[bound]).unwrap());
    let mut program = Program { e, truth: Truth::default(), path, unsat: 0 };
    program.explore(conditions);
    program.unsat
}

/// A program and what becomes of it: a condition is taken out, put in, or asked earlier.
#[test]
fn what_cores_refute_together_has_no_solution_in_the_box() {
    let (mut derived, mut solved, mut unsat) = (0, 0, 0);
    for seed in 0..30 {
        let random = &mut Random::for_index(90, seed);
        let store = memory();
        let mut conditions: Vec<u64> = (0..9).map(|_| random.below(500) as u64).collect();
        unsat += explored(&mut library(&store), &conditions);
        for change in 0..3 {
            match change {
                0 => drop(conditions.remove(random.below(conditions.len() - 1))),
                1 => conditions.insert(random.below(4), random.below(500) as u64),
                _ => conditions.swap(0, 2),
            }
            let mut e = library(&store);
            unsat += explored(&mut e, &conditions);
            derived += e.stats().hits(Rung::Derived);
            solved += e.stats().solved;
            assert_eq!(e.stats().contradicted, 0);
        }
    }
    assert!(derived > 40 && unsat > 3_000, "{derived} derived, {solved} solved, {unsat} unsat in all");
}

/// A comparison of sums: what moves can satisfy.
fn linear(e: &mut Evergreen, random: &mut Random) -> TermId {
    let (x, y) = (variable(e, random), variable(e, random));
    let factor = e.terms().int([1, -1, 2][random.below(3)]);
    let scaled = e.app(Fun::Mul, &[factor, y]).unwrap();
    let left = if random.one_in(3) { x } else { e.app(Fun::Add, &[x, scaled]).unwrap() };
    let right = e.terms().int(random.between(-4, 4));
    e.app([Fun::Le, Fun::Lt, Fun::Ge, Fun::Eq, Fun::Distinct][random.below(5)], &[left, right]).unwrap()
}

/// Old values that hold on the path are moved; the answer has a model, which holds, and what has no solution
/// in the box is never said to have one.
#[test]
fn old_values_are_moved_and_evaluated() {
    let (mut nearby, mut solved, mut unsat) = (0, 0, 0);
    for seed in 0..40 {
        let (random, mut truth) = (&mut Random::for_index(89, seed), Truth::default());
        let mut e = library(&memory());
        let mut path = bounds(&mut e);
        path.iter().for_each(|&bound| e.push_feasible(&[bound]).unwrap());
        let symbols = NAMES.map(|name| symbol(&mut e, name));
        for _ in 0..12 {
            let new = linear(&mut e, random);
            let here = truth.all(&mut e, &path);
            let old = point(here.trailing_zeros() as usize);
            // Values of somebody who is mistaken: not of the path at all.
            let old = if random.one_in(5) { [7, -3, 0, 1] } else { old };
            let values = |_: &Terms, symbol: SymbolId| {
                symbols.iter().position(|s| *s == symbol).map(|place| old[place])
            };
            let answer = e.branch_beside(&[new], Question::Extension, Some(&values)).expect("an answer");
            let whole: Vec<TermId> = path.iter().copied().chain([new]).collect();
            let left = truth.all(&mut e, &whole);
            assert_eq!(answer.verdict == Verdict::Sat, left != 0, "{:?}", answer.verdict);
            unsat += usize::from(left == 0);
            if left != 0 {
                let mut model = answer.model.expect("values");
                // Of what the new constraint does not depend on the answer says nothing.
                for (&symbol, value) in symbols.iter().zip(point(here.trailing_zeros() as usize)) {
                    if model.get(symbol).is_none() {
                        model.set(symbol, Value::Int(Int::from(value)));
                    }
                }
                let mut evaluator = Evaluator::new(e.terms(), &model).completing(Completion::None);
                assert!(evaluator.holds(new).expect("a value"));
                e.push(new).unwrap();
                path.push(new);
            }
        }
        nearby += e.stats().hits(Rung::Nearby);
        solved += e.stats().solved;
    }
    assert!(nearby > 60 && unsat > 60, "{nearby} nearby, {solved} solved, {unsat} unsat");
}
