//! Unsatisfiable queries over bit vectors from stores that are not trusted: used with a certificate, solved
//! again without one, and never believed against brute force.

use evergreen_bits::proof;
use evergreen_reuse::{
    Backend, Engine, Grain, Options, Query, Question, Record, RecordedVerdict, Reuse, Rung, Solved, Task,
    Trust, Verdict,
};
use evergreen_store::{Key, Memory, Origin, Store};
use evergreen_term::{BitVec, Evaluator, Fun, Model, Op, TermId, Terms, Value};
use evergreen_testing::random::Random;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

/// Bits of each of both symbols.
const WIDTH: u32 = 4;

struct Scene {
    terms: Terms,
    symbols: [TermId; 2],
    queries: Vec<Vec<TermId>>,
}

/// Queries about two symbols that hang together, about half of them unsatisfiable.
fn scene(seed: u64, count: usize) -> Scene {
    let mut random = Random::new(seed);
    let mut terms = Terms::new();
    let sort = terms.bitvec_sort(WIDTH);
    let symbols @ [x, y] = ["x", "y"].map(|name| terms.constant(name, sort));
    let mut values = vec![x, y];
    for fun in [Fun::BvMul, Fun::BvAdd, Fun::BvUdiv, Fun::BvShl, Fun::BvAnd, Fun::BvSrem] {
        values.push(terms.app(fun, &[x, y]).unwrap());
    }
    let queries = (0..count)
        .map(|_| {
            let mut query = vec![terms.app(Fun::BvUle, &[x, y]).unwrap()];
            for _ in 0..2 + random.below(3) {
                let fun = *random.choose(&[Fun::BvUlt, Fun::BvSlt, Fun::Eq, Fun::Distinct]);
                let literal = terms.bv(WIDTH, random.next().into());
                query.push(terms.app(fun, &[*random.choose(&values), literal]).unwrap());
            }
            query
        })
        .collect();
    Scene { terms, symbols, queries }
}

/// Tries all values, and counts how often it was asked.
struct Exhaustive {
    symbols: [TermId; 2],
    asked: u32,
}

impl Exhaustive {
    fn solve(&self, terms: &Terms, constraints: &[TermId]) -> Option<Model> {
        let symbols = self.symbols.map(|symbol| match terms.op(symbol) {
            Op::Apply(symbol) => symbol,
            _ => unreachable!("a declared constant"),
        });
        (0..1u128 << (2 * WIDTH)).find_map(|case| {
            let value = |shift: u32| Value::BitVec(BitVec::new(WIDTH, case >> shift));
            let model: Model = symbols.into_iter().zip([value(0), value(WIDTH)]).collect();
            let mut evaluator = Evaluator::new(terms, &model);
            let holds = constraints.iter().all(|&c| evaluator.evaluate(c) == Ok(&Value::Bool(true)));
            holds.then_some(model)
        })
    }
}

impl Backend for Exhaustive {
    fn name(&self) -> &str {
        "exhaustive"
    }

    fn grain(&self) -> Grain {
        Grain::Parts
    }

    fn solve(&mut self, terms: &mut Terms, task: Task<'_>) -> Solved {
        self.asked += 1;
        let model = Exhaustive::solve(self, terms, task.constraints);
        let verdict = if model.is_some() { Verdict::Sat } else { Verdict::Unsat };
        Solved { verdict, model, core: None, elapsed: Duration::from_millis(1), recordable: true }
    }

    fn solve_part(&mut self, _: &mut Terms, _: &[TermId]) -> Option<Solved> {
        None
    }
}

/// An engine without cores of its own: what has no record is solved.
fn engine(store: &Arc<dyn Store>) -> Engine {
    let options = Options { reuse: Reuse::Exact, regulate: false, native: false, ..Options::default() };
    Engine::new(Some(store.clone()), options)
}

/// One whose records others will read: they are to have proofs.
fn writer(store: &Arc<dyn Store>, native: bool) -> Engine {
    let options =
        Options { reuse: Reuse::Exact, regulate: false, native, trust: Trust::None, ..Options::default() };
    Engine::new(Some(store.clone()), options)
}

fn memory() -> Arc<dyn Store> {
    Arc::new(Memory::new(64 << 20))
}

fn records(store: &dyn Store) -> BTreeMap<Key, Record> {
    let mut records = BTreeMap::new();
    let each = &mut |key: &Key, value: &[u8]| {
        records.extend(Record::decode(value).map(|record| (*key, record)));
        ControlFlow::Continue(())
    };
    store.visit(each).expect("memory can be visited");
    records
}

/// Asks all queries, whose answers must be those of brute force; how often a solver was needed.
fn ask(scene: &mut Scene, engine: &mut Engine) -> u32 {
    let mut backend = Exhaustive { symbols: scene.symbols, asked: 0 };
    for query in &scene.queries {
        let expected = backend.solve(&scene.terms, query).is_some();
        let asked = Query::new(query, Question::Sat);
        let answer = engine.answer(&mut scene.terms, &asked, &mut backend).expect("misses are solved");
        assert_eq!(answer.verdict == Verdict::Sat, expected);
    }
    backend.asked
}

/// The same records, from somewhere else.
fn elsewhere(records: &BTreeMap<Key, Record>) -> Arc<dyn Store> {
    let store = memory();
    for (key, record) in records {
        store.put_from(key, &record.encode(), Origin::Imported).expect("memory takes it");
    }
    store
}

fn certificate(record: &mut Record) -> Option<&mut Option<Vec<u8>>> {
    match &mut record.verdict {
        RecordedVerdict::Unsat { certificate, .. } => Some(certificate),
        _ => None,
    }
}

#[test]
fn answers_with_a_certificate_are_used_and_others_are_solved_again() {
    let mut scene = scene(1, 120);
    let store = memory();
    let needed = ask(&mut scene, &mut writer(&store, false));
    let mut records = records(&*store);
    let unsat = records.values_mut().filter(|r| !r.is_sat()).count() as u64;
    let certified = records.values_mut().filter_map(certificate).flatten();
    let kinds: Vec<u8> = certified.map(|bytes| bytes[0]).collect();
    assert_eq!(kinds, vec![proof::VERSION; unsat as usize], "every unsatisfiable part is proved");
    assert!(needed > 60 && unsat > 30, "{needed} {unsat}");

    let mut reader = engine(&elsewhere(&records));
    assert_eq!(ask(&mut scene, &mut reader), 0, "everything is proved");
    assert_eq!((reader.stats().distrusted, reader.stats().rejected), (0, 0));
    assert!(reader.stats().hits(Rung::Exact) >= unsat);

    records.values_mut().filter_map(certificate).for_each(|certificate| *certificate = None);
    let mut reader = engine(&elsewhere(&records));
    assert_eq!(u64::from(ask(&mut scene, &mut reader)), unsat, "what nothing proves is solved again");
    assert_eq!((reader.stats().distrusted, reader.stats().rejected), (unsat, 0));
}

#[test]
fn what_the_core_of_bits_refutes_has_a_certificate_too() {
    let mut scene = scene(4, 120);
    let store = memory();
    let mut writer = writer(&store, true);
    assert_eq!(ask(&mut scene, &mut writer), 0, "the core decides all of them");
    let mut records = records(&*store);
    let unsat = records.values().filter(|r| !r.is_sat()).count();
    let certified = records.values_mut().filter_map(certificate).flatten().count();
    assert!(unsat > 30, "{unsat}");
    assert_eq!(certified, unsat);
    let mut reader = engine(&elsewhere(&records));
    assert_eq!(
        ask(&mut scene, &mut reader),
        0,
        "what the core recorded is used by those who do not trust it"
    );
    assert_eq!((reader.stats().distrusted, reader.stats().rejected), (0, 0));
}

#[test]
fn forged_answers_are_not_believed() {
    let mut scene = scene(2, 120);
    let store = memory();
    ask(&mut scene, &mut writer(&store, false));
    let honest = records(&*store);
    let proofs: Vec<RecordedVerdict> =
        honest.values().filter(|r| !r.is_sat()).map(|r| r.verdict.clone()).collect();
    assert!(proofs.len() > 30);
    let mut random = Random::new(3);
    let mut rejected = 0;
    for round in 0..20 {
        let mut forged = honest.clone();
        let mut lies = 0;
        for record in forged.values_mut().filter(|r| r.is_sat()) {
            // An unsat with the proof of another query, whose core may be of more constraints than there are.
            record.verdict = random.choose(&proofs).clone();
            if let RecordedVerdict::Unsat { core, .. } = &mut record.verdict {
                match round % 3 {
                    0 => *core = None,
                    1 => *core = Some((0..random.below(5) as u32).collect()),
                    _ => {}
                }
            }
            lies += 1;
        }
        let mut reader = engine(&elsewhere(&forged));
        ask(&mut scene, &mut reader);
        assert_eq!(reader.stats().rejected, lies, "round {round}: every lie was seen");
        rejected += lies;
    }
    assert!(rejected > 500, "{rejected}");
}

/// Nothing is solved here.
struct Absent;

impl Backend for Absent {
    fn name(&self) -> &str {
        "absent"
    }

    fn grain(&self) -> Grain {
        Grain::Parts
    }

    fn solve(&mut self, _: &mut Terms, _: Task<'_>) -> Solved {
        panic!("a solver was asked")
    }
}

/// A table of sixteen cells, `t[i] = i` but for one, and what is asked of it.
fn table_query(terms: &mut Terms, odd: u128, is_refuted: bool) -> Vec<TermId> {
    let four = terms.bitvec_sort(4);
    let sort = terms.array_sort(four, four);
    let (table, x) = (terms.constant("t", sort), terms.constant("x", four));
    let mut constraints = Vec::new();
    for i in 0..16 {
        let (index, value) = (terms.bv(4, i), terms.bv(4, if i == 3 { odd } else { i }));
        let read = terms.app(Fun::Select, &[table, index]).expect("a read");
        constraints.push(terms.app(Fun::Eq, &[read, value]).expect("a cell"));
    }
    let (read, nine) = (terms.app(Fun::Select, &[table, x]).expect("a read"), terms.bv(4, 9));
    constraints.push(terms.app(Fun::Eq, &[read, nine]).expect("an equality"));
    let other = terms.app(Fun::Distinct, &[x, nine]).expect("a disequality");
    constraints.push(other);
    if !is_refuted {
        constraints.pop();
    }
    constraints
}

#[test]
fn a_refutation_over_a_table_is_used_where_it_is_not_trusted() {
    let store = memory();
    let mut terms = Terms::new();
    let query = table_query(&mut terms, 3, true);
    let mut writer = writer(&store, true);
    let asked = Query::new(&query, Question::Sat);
    let answer = writer.answer(&mut terms, &asked, &mut Absent).expect("decided here");
    assert_eq!(answer.verdict, Verdict::Unsat);
    let mut records = records(&*store);
    let certified = records.values_mut().filter_map(certificate).flatten().count();
    assert_eq!(certified, 1, "the table is no obstacle");

    let mut reader = engine(&elsewhere(&records));
    let answer = reader.answer(&mut terms, &asked, &mut Absent).expect("recorded");
    assert_eq!((answer.verdict, reader.stats().hits(Rung::Exact)), (Verdict::Unsat, 1));

    // With nine in another cell, too, the query is satisfiable: the record of the other table says nothing.
    let query = table_query(&mut terms, 9, true);
    let asked = Query::new(&query, Question::Sat);
    let options = Options { reuse: Reuse::Exact, regulate: false, ..Options::default() };
    let mut other = Engine::new(Some(elsewhere(&records)), options);
    let answer = other.answer(&mut terms, &asked, &mut Absent).expect("decided here");
    assert_eq!((answer.verdict, other.stats().hits(Rung::Exact)), (Verdict::Sat, 0));

    // The same bytes under the key of a table for which they prove nothing are refused.
    let mut forged = BTreeMap::new();
    let lying = memory();
    let mut liar = self::writer(&lying, true);
    liar.answer(&mut terms, &asked, &mut Absent).expect("decided here");
    let lie = records.into_values().find(|r| !r.is_sat()).expect("the refutation");
    forged.extend(self::records(&*lying).into_keys().map(|key| (key, lie.clone())));
    let mut other =
        Engine::new(Some(elsewhere(&forged)), Options { reuse: Reuse::Exact, ..Options::default() });
    let answer = other.answer(&mut terms, &asked, &mut Absent).expect("decided here");
    assert_eq!((answer.verdict, other.stats().rejected), (Verdict::Sat, 1));
}
