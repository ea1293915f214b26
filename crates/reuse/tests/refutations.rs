//! The engine against brute force, with a backend that is a table: every verdict, every model, every core.
//!
//! Two halves of symbols that share nothing, each small enough for all its values: an array of two cells, an
//! index and a number. Constraints are drawn from a pool, so that queries share them, and units stand beside
//! symbolic reads: then propagation rewrites the others and the units stay in the part. The backend gives
//! cores of the whole query, random ones that may have needless constraints in them and those of another
//! part, or none.

use evergreen_canon::split_into;
use evergreen_reuse::{
    Backend, Core, Engine, Grain, Options, Query, Question, Reuse, Rung, Solved, Stats, Task, Verdict,
};
use evergreen_store::{Memory, Store};
use evergreen_term::{ArrayValue, BitVec, Completion, Evaluator, Fun, Model, Op, TermId, Terms, Value};
use evergreen_testing::random::Random;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;
use std::time::Duration;

/// Bits of a half: two cells of two bits, an index of one bit, a number of two.
const BITS: usize = 7;
const ALL: u128 = u128::MAX;

/// One half: its symbols, and constraints about them.
struct Half {
    symbols: [TermId; 3],
    pool: Vec<TermId>,
}

fn half(terms: &mut Terms, names: [&str; 3]) -> Half {
    let (bit, pair) = (terms.bitvec_sort(1), terms.bitvec_sort(2));
    let array = terms.array_sort(bit, pair);
    let symbols @ [a, i, k] =
        [(names[0], array), (names[1], bit), (names[2], pair)].map(|(name, sort)| terms.constant(name, sort));
    let cells = [0, 1].map(|c| {
        let index = terms.bv(1, c);
        terms.app(Fun::Select, &[a, index]).unwrap()
    });
    let read = terms.app(Fun::Select, &[a, i]).unwrap();
    let sum = terms.app(Fun::BvAdd, &[read, k]).unwrap();
    let mut pool = Vec::new();
    for value in 0..4 {
        let value = terms.bv(2, value);
        for read in [cells[0], cells[1], read, k, sum] {
            pool.push(terms.app(Fun::Eq, &[read, value]).unwrap());
            pool.push(terms.app(Fun::BvUlt, &[read, value]).unwrap());
        }
    }
    for (left, right) in [(read, k), (cells[0], k), (cells[1], read), (sum, cells[0])] {
        pool.push(terms.app(Fun::Eq, &[left, right]).unwrap());
        pool.push(terms.app(Fun::BvUlt, &[left, right]).unwrap());
    }
    let stored = terms.app(Fun::Store, &[a, i, k]).unwrap();
    pool.push(terms.app(Fun::Eq, &[stored, a]).unwrap());
    let one = terms.bv(1, 1);
    pool.push(terms.app(Fun::Eq, &[i, one]).unwrap());
    for at in 0..8 {
        let either = terms.app(Fun::Or, &[pool[at * 3], pool[at * 4 + 1]]).unwrap();
        pool.push(either);
    }
    let negated: Vec<TermId> = pool.iter().map(|&c| terms.app(Fun::Not, &[c]).unwrap()).collect();
    pool.extend(negated);
    Half { symbols, pool }
}

/// The values of a half's symbols in one case.
fn case(terms: &Terms, half: &Half, case: usize) -> Model {
    let pair = |shift: usize| Value::BitVec(BitVec::new(2, (case >> shift & 3) as u128));
    let bit = |value: u128| Value::BitVec(BitVec::new(1, value));
    let sort = terms.sort_of(half.symbols[0]);
    let entries = [(bit(1), pair(2))].into_iter().collect();
    let array = Value::Array(Box::new(ArrayValue { sort, default: pair(0), entries }));
    let values = [array, bit((case >> 4 & 1) as u128), pair(5)];
    let symbol = |term: TermId| match terms.op(term) {
        Op::Apply(symbol) => symbol,
        _ => unreachable!("a declared constant"),
    };
    half.symbols.iter().map(|&t| symbol(t)).zip(values).collect()
}

/// All cases of all constraints.
struct Truth {
    halves: [Half; 2],
    cases: [Vec<Model>; 2],
    known: FxHashMap<TermId, [u128; 2]>,
}

impl Truth {
    fn new(terms: &mut Terms) -> Truth {
        let halves = [half(terms, ["a", "i", "k"]), half(terms, ["b", "j", "l"])];
        let cases = [0, 1].map(|h| (0..1 << BITS).map(|c| case(terms, &halves[h], c)).collect());
        Truth { halves, cases, known: FxHashMap::default() }
    }

    /// The cases of each half in which a constraint about one of them holds.
    fn bits(&mut self, terms: &Terms, constraint: TermId) -> [u128; 2] {
        let (halves, cases) = (&self.halves, &self.cases);
        *self.known.entry(constraint).or_insert_with(|| {
            let mut stack = vec![constraint];
            let mut about = 0;
            while let Some(term) = stack.pop() {
                about = if halves[1].symbols.contains(&term) { 1 } else { about };
                stack.extend(terms.args(term));
            }
            let mut bits = [ALL; 2];
            bits[about] = cases[about].iter().enumerate().fold(0, |bits, (c, model)| {
                let mut evaluator = Evaluator::new(terms, model).completing(Completion::None);
                let holds = matches!(evaluator.evaluate(constraint), Ok(Value::Bool(true)));
                bits | u128::from(holds) << c
            });
            bits
        })
    }

    /// The first case of each half in which all constraints hold.
    fn solve(&mut self, terms: &Terms, constraints: &[TermId]) -> Option<[usize; 2]> {
        let mut all = [ALL; 2];
        for &c in constraints {
            let bits = self.bits(terms, c);
            all = [all[0] & bits[0], all[1] & bits[1]];
        }
        (all[0] != 0 && all[1] != 0).then(|| all.map(|bits| bits.trailing_zeros() as usize))
    }
}

/// Answers from the table.
struct Table<'t> {
    truth: &'t mut Truth,
    random: Random,
    grain: Grain,
    /// The query as it was asked, split at its surface: cores of whole queries are given in its constraints.
    asked: Vec<TermId>,
}

impl Table<'_> {
    /// A core: constraints are dropped in a random order while the rest stays unsatisfiable, and not always
    /// to the end.
    fn core(&mut self, terms: &Terms, constraints: &[TermId]) -> Option<Core> {
        if self.random.one_in(3) {
            return None;
        }
        let mut core = constraints.to_vec();
        let mut order = core.clone();
        self.random.shuffle(&mut order);
        for dropped in order {
            let without: Vec<TermId> = core.iter().copied().filter(|&c| c != dropped).collect();
            if !self.random.one_in(4) && self.truth.solve(terms, &without).is_none() {
                core = without;
            }
        }
        Core::new(core)
    }

    fn decide(&mut self, terms: &Terms, constraints: &[TermId], named: &[TermId]) -> Solved {
        let found = self.truth.solve(terms, constraints);
        let mut model = None;
        if let Some(cases) = found {
            let both = [0, 1].map(|h| self.truth.cases[h][cases[h]].clone());
            model = Some(both.iter().flat_map(Model::iter).map(|(s, v)| (s, v.clone())).collect());
        }
        let core = if found.is_none() { self.core(terms, named) } else { None };
        let verdict = if found.is_some() { Verdict::Sat } else { Verdict::Unsat };
        Solved { verdict, model, core, elapsed: Duration::from_millis(1), recordable: true }
    }
}

impl Backend for Table<'_> {
    fn name(&self) -> &str {
        "table"
    }

    fn grain(&self) -> Grain {
        self.grain
    }

    fn solve(&mut self, terms: &mut Terms, task: Task<'_>) -> Solved {
        let asked = self.asked.clone();
        match self.grain {
            Grain::Parts => self.decide(terms, task.constraints, task.constraints),
            Grain::Whole => self.decide(terms, &asked, &asked),
        }
    }

    fn solve_part(&mut self, terms: &mut Terms, constraints: &[TermId]) -> Option<Solved> {
        Some(self.decide(terms, constraints, constraints))
    }
}

/// A query: mostly about one half, with units, sometimes the last one with a constraint more or less.
fn query(random: &mut Random, truth: &Truth, last: &[TermId]) -> Vec<TermId> {
    let mut query: Vec<TermId> = if random.one_in(3) { last.to_vec() } else { Vec::new() };
    if !query.is_empty() && random.one_in(2) {
        query.swap_remove(random.below(query.len()));
    }
    for _ in 0..1 + random.below(5) {
        let half = &truth.halves[usize::from(random.one_in(4))];
        query.push(*random.choose(&half.pool));
    }
    let mut seen = FxHashSet::default();
    query.retain(|c| seen.insert(*c));
    query
}

fn check(
    truth: &mut Truth,
    terms: &mut Terms,
    engines: &mut [Engine],
    grain: Grain,
    seed: u64,
    checks: usize,
) {
    let mut random = Random::new(seed);
    let mut last = Vec::new();
    for number in 0..checks {
        let asked = query(&mut random, truth, &last);
        let engine = random.below(engines.len());
        let engine = &mut engines[engine];
        let expected = truth.solve(terms, &asked).is_some();
        let mut pieces = Vec::new();
        asked.iter().for_each(|&c| split_into(terms, c, &mut pieces));
        let random_of = Random::for_index(seed, number as u64);
        let mut backend = Table { truth, random: random_of, grain, asked: pieces.clone() };
        let query = Query::new(&asked, Question::Core);
        let answer = engine.answer(terms, &query, &mut backend).expect("misses are solved");
        let shown = || format!("seed {seed}, check {number}, {grain:?}, {:?}", engine_of(engine));
        assert_eq!(answer.verdict == Verdict::Sat, expected, "{}", shown());
        if let Some(model) = &answer.model {
            let mut evaluator = Evaluator::new(terms, model).completing(Completion::Default);
            let holds = asked.iter().all(|&c| evaluator.evaluate(c) == Ok(&Value::Bool(true)));
            assert!(holds || !expected, "no model: {}", shown());
        }
        if let Some(core) = answer.core {
            assert!(core.iter().all(|c| pieces.contains(c)), "a core of something else: {}", shown());
            assert_eq!(truth.solve(terms, &core), None, "no core: {}", shown());
            if random.one_in(2) {
                engine.learn_core(terms, &asked, &core, Duration::from_millis(1), "table");
            }
        }
        last = asked;
    }
}

fn engine_of(engine: &Engine) -> Reuse {
    engine.options().reuse
}

#[test]
fn every_verdict_model_and_core_is_that_of_brute_force() {
    let mut sum = Stats::default();
    for grain in [Grain::Whole, Grain::Parts] {
        for seed in 0..12 {
            let mut terms = Terms::new();
            let mut truth = Truth::new(&mut terms);
            let store: Arc<dyn Store> = Arc::new(Memory::new(64 << 20));
            let mut engines =
                [Reuse::Exact, Reuse::Subset, Reuse::Logical, Reuse::Full, Reuse::Full].map(|reuse| {
                    // With the cores in here less goes to the backend, and with proofs none of its cores
                    // has to be looked at: most of the runs have neither.
                    let native = seed % 3 == 0;
                    let options = Options { reuse, native, regulate: false, ..Options::default() };
                    Engine::new(Some(store.clone()), options)
                });
            check(&mut truth, &mut terms, &mut engines, grain, seed, 600);
            engines.iter().for_each(|e| sum.add_all(e.stats()));
        }
    }
    assert_eq!(sum.contradicted, 0, "a share of a core was satisfiable");
    assert!(sum.looks > 100, "only {} shares of cores were looked at", sum.looks);
    for rung in
        [Rung::Trivial, Rung::Exact, Rung::Satisfied, Rung::Enumerated, Rung::Implied, Rung::Bits, Rung::Core]
    {
        // Proofs have smaller cores than a backend's, which the sets imply: few are left for the last rung.
        let least = if rung == Rung::Core { 5 } else { 20 };
        assert!(sum.hits(rung) > least, "{rung:?} answered only {} parts", sum.hits(rung));
    }
}
