//! Every rung of the ladder, level by level: what it answers, and that nothing else does. The solver is a
//! table: all values of a small box are evaluated, no process is started. The event log tells which rung
//! answered.

use evergreen_canon::{Path, split};
use evergreen_reuse::{
    AnsweredBy, Backend, Core, Engine, Event, Grain, Options, Query, Question, Reuse, Rung, Solved, Task,
    Verdict,
};
use evergreen_store::{Memory, Store};
use evergreen_term::{
    BitVec, Completion, Evaluator, Fun, Int, Model, Op, Quantifier, Sort, SortId, SymbolId, TermId, Terms,
    Value,
};
use std::sync::Arc;
use std::time::Duration;

/// Integers of the box. The constraints below have a solution in it if they have one.
const BOX: std::ops::RangeInclusive<i64> = -4..=4;

/// Solves by evaluation.
struct Table {
    grain: Grain,
    /// The text that stands for every query, if its meaning is not the standard's.
    verbatim: Option<Vec<u8>>,
}

impl Table {
    fn symbols(terms: &Terms, constraints: &[TermId]) -> Vec<SymbolId> {
        let mut stack = constraints.to_vec();
        let mut symbols = Vec::new();
        while let Some(term) = stack.pop() {
            match terms.op(term) {
                Op::Apply(symbol) if !symbols.contains(&symbol) => symbols.push(symbol),
                _ => {}
            }
            stack.extend(terms.args(term));
        }
        symbols.sort_unstable();
        symbols
    }

    fn values(terms: &Terms, symbol: SymbolId) -> Option<Vec<Value>> {
        match terms.sort_kind(terms.symbol_of(symbol).result) {
            Sort::Int => Some(BOX.map(|n| Value::Int(Int::from(n))).collect()),
            Sort::BitVec(width) => {
                Some((0..1 << width).map(|n| Value::BitVec(BitVec::new(*width, n))).collect())
            }
            _ => None,
        }
    }

    /// The first model in the order of the values; `Err` where something cannot be evaluated.
    fn model(terms: &Terms, constraints: &[TermId]) -> Result<Option<Model>, ()> {
        let symbols = Table::symbols(terms, constraints);
        let values: Option<Vec<Vec<Value>>> = symbols.iter().map(|&s| Table::values(terms, s)).collect();
        let values = values.ok_or(())?;
        let cases: usize = values.iter().map(Vec::len).product();
        for case in 0..cases {
            let mut rest = case;
            let mut model = Model::new();
            for (&symbol, values) in symbols.iter().zip(&values) {
                model.set(symbol, values[rest % values.len()].clone());
                rest /= values.len();
            }
            let mut evaluator = Evaluator::new(terms, &model).completing(Completion::None);
            let mut holds = true;
            for &constraint in constraints {
                match evaluator.evaluate(constraint) {
                    Ok(Value::Bool(value)) => holds &= *value,
                    _ => return Err(()),
                }
            }
            if holds {
                return Ok(Some(model));
            }
        }
        Ok(None)
    }
}

impl Backend for Table {
    fn name(&self) -> &str {
        "table"
    }

    fn grain(&self) -> Grain {
        self.grain
    }

    fn solve(&mut self, terms: &mut Terms, task: Task<'_>) -> Solved {
        let (verdict, model, core) = match Table::model(terms, task.constraints) {
            Ok(Some(model)) => (Verdict::Sat, Some(model), None),
            Ok(None) => (Verdict::Unsat, None, Core::new(task.constraints.to_vec())),
            Err(()) => (Verdict::Unknown("it has no values".into()), None, None),
        };
        Solved { verdict, model, core, elapsed: Duration::from_millis(1), recordable: true }
    }

    fn is_verbatim(&self, _: &Terms, _: &[TermId]) -> bool {
        self.verbatim.is_some()
    }

    fn verbatim(&mut self, _: &mut Terms, _: &[TermId]) -> Option<Vec<u8>> {
        self.verbatim.clone()
    }
}

/// An engine over a store, with an arena and a table.
struct World {
    terms: Terms,
    engine: Engine,
    table: Table,
}

/// What is on unless a test says otherwise: the event log, and nothing that depends on the clock.
fn options(reuse: Reuse) -> Options {
    Options { reuse, log: true, regulate: false, ..Options::default() }
}

fn memory() -> Arc<dyn Store> {
    Arc::new(Memory::new(1 << 20))
}

impl World {
    fn new(options: Options) -> World {
        World::over(&memory(), options)
    }

    fn over(store: &Arc<dyn Store>, options: Options) -> World {
        let table = Table { grain: Grain::Parts, verbatim: None };
        World { terms: Terms::new(), engine: Engine::new(Some(store.clone()), options), table }
    }

    fn int(&mut self, name: &str) -> TermId {
        self.terms.constant(name, SortId::INT)
    }

    /// `left fun right`.
    fn is(&mut self, left: TermId, fun: Fun, right: i64) -> TermId {
        let right = self.terms.int(right);
        self.terms.app(fun, &[left, right]).unwrap()
    }

    fn app(&mut self, fun: Fun, args: &[TermId]) -> TermId {
        self.terms.app(fun, args).unwrap()
    }

    /// Asks a script's question: the verdict, and what happened.
    fn ask(&mut self, constraints: &[TermId]) -> (Verdict, Vec<String>) {
        let query = Query::new(constraints, Question::Model);
        let answer = self.engine.answer(&mut self.terms, &query, &mut self.table).expect("misses are solved");
        if let Some(model) = &answer.model {
            let mut evaluator = Evaluator::new(&self.terms, model).completing(Completion::Default);
            let holds = constraints.iter().all(|&c| evaluator.evaluate(c) == Ok(&Value::Bool(true)));
            assert!(holds, "no model: {model:?}");
        }
        (answer.verdict, self.happened())
    }

    fn happened(&mut self) -> Vec<String> {
        self.engine.take_events().iter().map(shown).collect()
    }
}

fn shown(event: &Event) -> String {
    let says = |sat: bool| if sat { "sat" } else { "unsat" };
    match event {
        Event::Sliced { parts, .. } => format!("{parts} parts"),
        Event::Reused { rung, sat, .. } => format!("{} {}", rung.name(), says(*sat)),
        Event::Decided { sat } => format!("native first {}", says(*sat)),
        Event::Missed { .. } => "missed".into(),
        Event::Solved { sat: Some(sat), .. } => format!("solved {}", says(*sat)),
        Event::Solved { sat: None, .. } => "solved unknown".into(),
        Event::Recorded { sat, .. } => format!("recorded {}", says(*sat)),
        other => format!("{other:?}"),
    }
}

/// The rung, or the solver, that decided a query of one part.
fn by(events: &[String]) -> String {
    let decides =
        |event: &&String| !event.ends_with("parts") && *event != "missed" && !event.starts_with("recorded");
    let deciding: Vec<&str> = events.iter().filter(decides).map(|event| event.as_str()).collect();
    deciding.join(", ")
}

/// What decides a query at each level from none to full, after others have been asked.
fn at_every_level(
    change: impl Fn(&mut Options),
    scenario: impl Fn(&mut World) -> (Vec<Vec<TermId>>, Vec<TermId>),
) -> [String; Reuse::ALL.len()] {
    Reuse::ALL.map(|reuse| {
        let mut options = options(reuse);
        change(&mut options);
        let mut world = World::new(options);
        let (before, last) = scenario(&mut world);
        for query in before {
            world.ask(&query);
        }
        by(&world.ask(&last).1)
    })
}

fn without_native(options: &mut Options) {
    options.native = false;
}

fn as_it_is(_: &mut Options) {}

#[test]
fn trivial_is_what_canonizing_decides() {
    let found = at_every_level(without_native, |w| {
        let x = w.int("x");
        (vec![], vec![w.app(Fun::Lt, &[x, x])])
    });
    assert_eq!(found, ["solved unsat", "trivial unsat", "trivial unsat", "trivial unsat", "trivial unsat"]);
    // One constraint that fixes one symbol has no key and so no event.
    let mut w = World::new(options(Reuse::Exact));
    let x = w.int("x");
    let fixed = w.is(x, Fun::Eq, 3);
    let (verdict, events) = w.ask(&[fixed]);
    assert_eq!((verdict, events), (Verdict::Sat, vec!["1 parts".to_string()]));
    assert_eq!(w.engine.stats().answered.by(AnsweredBy::Rung(Rung::Trivial)), 1);
}

#[test]
fn native_is_first_at_full_and_last_below() {
    let scenario = |w: &mut World| {
        let (x, y) = (w.int("x"), w.int("y"));
        (vec![], vec![w.app(Fun::Lt, &[x, y])])
    };
    let found = at_every_level(as_it_is, scenario);
    assert_eq!(found, ["solved sat", "native sat", "native sat", "native sat", "native first sat"]);
    let found = at_every_level(without_native, scenario);
    assert_eq!(found, ["solved sat"; 5]);
    // A product is not linear.
    let found = at_every_level(as_it_is, |w| {
        let (x, y) = (w.int("x"), w.int("y"));
        let product = w.app(Fun::Mul, &[x, y]);
        (vec![], vec![w.is(product, Fun::Eq, 6)])
    });
    assert_eq!(found, ["solved sat"; 5]);
}

#[test]
fn exact_is_the_same_query_in_other_words() {
    let found = at_every_level(without_native, |w| {
        let [x, y, a, b] = ["x", "y", "a", "b"].map(|name| w.int(name));
        let products = [w.app(Fun::Mul, &[x, y]), w.app(Fun::Mul, &[b, a])];
        let [first, second] = products.map(|product| w.is(product, Fun::Eq, 6));
        (vec![vec![first]], vec![second])
    });
    assert_eq!(found, ["solved sat", "exact sat", "exact sat", "exact sat", "exact sat"]);
}

#[test]
fn satisfied_is_an_old_model() {
    let scenario = |w: &mut World| {
        let (x, y) = (w.int("x"), w.int("y"));
        let product = w.app(Fun::Mul, &[x, y]);
        // The model of the first is one of the second, which is no consequence of it.
        (vec![vec![w.is(product, Fun::Eq, 6)]], vec![w.is(x, Fun::Lt, 5), w.is(product, Fun::Gt, 1)])
    };
    let found = at_every_level(without_native, scenario);
    assert_eq!(found, ["solved sat", "solved sat", "solved sat", "solved sat", "satisfied sat"]);
    let found = at_every_level(|o| (o.native, o.models) = (false, false), scenario);
    assert_eq!(found, ["solved sat"; 5], "old models are off");
}

#[test]
fn enumerated_is_all_values_of_few_bits() {
    let square_is = |width: u32, value: u128| {
        move |w: &mut World| {
            let sort = w.terms.bitvec_sort(width);
            let b = w.terms.constant("b", sort);
            let square = w.app(Fun::BvMul, &[b, b]);
            let value = w.terms.bv(width, value);
            (vec![], vec![w.app(Fun::Eq, &[square, value])])
        }
    };
    let found = at_every_level(without_native, square_is(4, 9));
    assert_eq!(found, ["solved sat", "solved sat", "solved sat", "solved sat", "enumerated sat"]);
    // No square is 2 modulo 16.
    let found = at_every_level(without_native, square_is(4, 2));
    assert_eq!(found, ["solved unsat", "solved unsat", "solved unsat", "solved unsat", "enumerated unsat"]);
    let found = at_every_level(without_native, square_is(9, 4));
    assert_eq!(found[4], "solved sat", "too many bits");
}

/// The product of two bit vectors of a width.
fn product_is(width: u32, value: u128) -> impl Fn(&mut World) -> (Vec<Vec<TermId>>, Vec<TermId>) {
    move |w: &mut World| {
        let sort = w.terms.bitvec_sort(width);
        let [a, b] = ["a", "b"].map(|name| w.terms.constant(name, sort));
        let product = w.app(Fun::BvMul, &[a, b]);
        let value = w.terms.bv(width, value);
        (vec![], vec![w.app(Fun::Eq, &[product, value]), w.app(Fun::BvUlt, &[a, b])])
    }
}

#[test]
fn bits_are_decided_after_the_look_ups_and_before_a_solver() {
    let found = at_every_level(as_it_is, product_is(5, 15));
    assert_eq!(found, ["solved sat", "bits sat", "bits sat", "bits sat", "bits sat"]);
    let found = at_every_level(without_native, product_is(5, 15));
    assert_eq!(found, ["solved sat"; 5]);
    // What it decides has a record: the next time the store answers.
    let mut w = World::new(options(Reuse::Full));
    let (_, query) = product_is(5, 15)(&mut w);
    w.ask(&query);
    let (verdict, events) = w.ask(&query);
    assert_eq!((verdict, events.last().map(String::as_str)), (Verdict::Sat, Some("exact sat")), "{events:?}");
    assert_eq!(w.engine.stats().solved, 0);
}

/// `a - b < limit`.
fn apart(w: &mut World, a: &str, b: &str, limit: i64) -> TermId {
    let (a, b) = (w.int(a), w.int(b));
    let difference = w.app(Fun::Sub, &[a, b]);
    w.is(difference, Fun::Lt, limit)
}

/// `x < y, y < z, z < x`: no two of them contradict each other, and no bounds refute them.
fn circle(w: &mut World) -> Vec<TermId> {
    vec![apart(w, "x", "y", 0), apart(w, "y", "z", 0), apart(w, "z", "x", 0)]
}

#[test]
fn implied_is_a_known_set_that_is_related() {
    // A superset of what is unsatisfiable: from the level of subsets on.
    let found = at_every_level(without_native, |w| {
        // About the same variables: below full a set has one numbering, which others would change.
        let z = w.int("z");
        let more = w.is(z, Fun::Lt, 4);
        (vec![circle(w)], circle(w).into_iter().chain([more]).collect())
    });
    assert_eq!(found, ["solved unsat", "solved unsat", "implied unsat", "implied unsat", "implied unsat"]);
    // Constraints that imply what is unsatisfiable: from the logical level on.
    let with_limit = |limit: i64| {
        move |w: &mut World| {
            let mut other = circle(w);
            other[2] = apart(w, "z", "x", limit);
            (vec![circle(w)], other)
        }
    };
    let found = at_every_level(without_native, with_limit(-1));
    assert_eq!(found, ["solved unsat", "solved unsat", "solved unsat", "implied unsat", "implied unsat"]);
    // Weaker ones are another question, whatever its answer.
    assert_eq!(at_every_level(without_native, with_limit(2)), ["solved unsat"; 5]);
    assert_eq!(at_every_level(without_native, with_limit(3)), ["solved sat"; 5]);
    // Satisfiable sets answer for what they imply, with their models.
    let found = at_every_level(
        |o| (o.native, o.models) = (false, false),
        |w| (vec![vec![apart(w, "x", "y", 0)]], vec![apart(w, "x", "y", 2)]),
    );
    assert_eq!(found, ["solved sat", "solved sat", "solved sat", "implied sat", "implied sat"]);
}

#[test]
fn derived_is_what_several_known_sets_refute() {
    let found = at_every_level(without_native, |w| {
        // Under the first two of the circle z >= x holds, and then the other set has nothing left.
        let other = vec![apart(w, "x", "z", 1), apart(w, "v", "x", 0), apart(w, "z", "v", 0)];
        let first = circle(w);
        let last = vec![first[0], first[1], other[1], other[2]];
        (vec![first, other], last)
    });
    assert_eq!(found, ["solved unsat", "solved unsat", "solved unsat", "solved unsat", "derived unsat"]);
}

#[test]
fn nearby_is_old_values_after_a_few_moves() {
    let ask = |reuse: Reuse, has_values: bool| {
        let mut w = World::new(Options { native: false, ..options(reuse) });
        let (x, y) = (w.int("x"), w.int("y"));
        let sum = w.app(Fun::Add, &[x, y]);
        let (taken, new) = (w.is(x, Fun::Gt, 0), w.is(sum, Fun::Gt, 3));
        let mut path = Path::new();
        let pieces = split(&mut w.terms, taken);
        pieces.iter().for_each(|&piece| w.engine.canonizer().extend(&w.terms, &mut path, piece));
        let old = |terms: &Terms, symbol: SymbolId| Some(i64::from(terms.symbol_text(symbol) == "x"));
        let query = Query::on_path(&path, &pieces, std::slice::from_ref(&new), Question::Extension);
        let query = query.with_old(has_values.then_some(&old));
        let answer = w.engine.answer(&mut w.terms, &query, &mut w.table).expect("misses are solved");
        assert_eq!(answer.verdict, Verdict::Sat);
        let mut evaluator =
            Evaluator::new(&w.terms, answer.model.as_ref().expect("values")).completing(Completion::None);
        assert_eq!(evaluator.evaluate(new), Ok(&Value::Bool(true)));
        by(&w.happened())
    };
    let found = Reuse::ALL.map(|reuse| ask(reuse, true));
    assert_eq!(found, ["solved sat", "solved sat", "solved sat", "solved sat", "nearby sat"]);
    assert_eq!(ask(Reuse::Full, false), "solved sat");
}

#[test]
fn core_is_contained_in_a_whole_query() {
    let ask = |reuse: Reuse, grain: Grain| {
        let mut w = World::new(Options { native: false, ..options(reuse) });
        w.table.grain = grain;
        let core = circle(&mut w);
        let z = w.int("z");
        let other = w.is(z, Fun::Gt, 1);
        let known = Core::new(core.clone()).expect("it has constraints");
        w.engine.learn_core(&mut w.terms, &core, &known, Duration::from_millis(1), "table");
        let all: Vec<TermId> = core.into_iter().chain([other]).collect();
        w.happened();
        let (verdict, events) = w.ask(&all);
        assert_eq!(verdict, Verdict::Unsat);
        by(&events)
    };
    let found = Reuse::ALL.map(|reuse| ask(reuse, Grain::Whole));
    assert_eq!(found, ["solved unsat", "solved unsat", "solved unsat", "solved unsat", "core unsat"]);
    // Parts that are solved one by one are found by sets.
    assert_eq!(ask(Reuse::Full, Grain::Parts), "solved unsat");
}

#[test]
fn of_several_rungs_that_know_the_first_of_the_list_answers() {
    // The record, an old model and a set that implies it are all there.
    let ask = |exact: bool, models: bool| {
        let mut w = World::new(Options { native: false, models, ..options(Reuse::Full) });
        let (x, y) = (w.int("x"), w.int("y"));
        let product = w.app(Fun::Mul, &[x, y]);
        let (six, some) = (w.is(product, Fun::Eq, 6), w.is(product, Fun::Gt, 1));
        w.ask(&[six]);
        if exact {
            w.ask(&[some]);
        }
        by(&w.ask(&[some]).1)
    };
    let order = [ask(true, true), ask(false, true), ask(false, false)];
    assert_eq!(order, ["exact sat", "satisfied sat", "implied sat"]);
    let places = order.map(|by| Rung::ALL.iter().position(|rung| by.starts_with(rung.name())));
    assert!(places.is_sorted(), "{places:?}");
}

#[test]
fn what_a_rung_finds_is_recorded_under_its_own_key() {
    let store = memory();
    let scenario = |w: &mut World| {
        let more = apart(w, "x", "v", 0);
        (circle(w), circle(w).into_iter().chain([more]).collect::<Vec<TermId>>())
    };
    let mut first = World::over(&store, Options { native: false, ..options(Reuse::Full) });
    let (known, all) = scenario(&mut first);
    first.ask(&known);
    assert_eq!(first.ask(&all).1, ["1 parts", "implied unsat", "recorded unsat"]);
    // Another process that knows nothing but keys.
    let mut second = World::over(&store, Options { native: false, ..options(Reuse::Exact) });
    let (_, all) = scenario(&mut second);
    assert_eq!(second.ask(&all).1, ["1 parts", "exact unsat"]);
    assert_eq!(second.engine.stats().solved, 0);
}

#[test]
fn a_miss_where_only_reuse_is_allowed_is_no_answer() {
    let mut w = World::new(Options { native: false, require_hit: true, ..options(Reuse::Full) });
    let asked = circle(&mut w);
    let query = Query::new(&asked, Question::Sat);
    let miss = w.engine.answer(&mut w.terms, &query, &mut w.table).expect_err("it is not in the store");
    assert_eq!(miss.constraints, asked);
    assert_eq!(w.happened(), ["1 parts", "missed"]);
    assert_eq!(w.engine.stats().answered.by(AnsweredBy::Missing), 1);
}

#[test]
fn a_rung_that_never_hits_is_passed_by() {
    let tried = |regulate: bool| {
        let mut w = World::new(Options { native: false, regulate, ..options(Reuse::Full) });
        for number in 0..200 {
            let (x, y) = (w.int(&format!("x{number}")), w.int("y"));
            let product = w.app(Fun::Mul, &[x, y]);
            let new = w.is(product, Fun::Eq, number % 7 + 1000 * (number + 1));
            w.ask(&[new]);
        }
        *w.engine.stats().rung(Rung::Enumerated)
    };
    let rung = tried(true);
    // All of the first 64, then one in 64.
    assert_eq!((rung.tried, rung.passed, rung.hits), (66, 134, 0));
    assert_eq!((tried(false).tried, tried(false).passed), (200, 0));
}

#[test]
fn what_the_table_cannot_evaluate_stays_unknown_and_is_not_recorded() {
    for reuse in Reuse::ALL {
        let mut w = World::new(options(reuse));
        let bound = w.terms.bound(0, SortId::INT);
        let x = w.int("x");
        let product = w.app(Fun::Mul, &[bound, x]);
        let body = w.is(product, Fun::Gt, 5);
        let forall = w.terms.quantify(Quantifier::Forall, 0, &[SortId::INT], body, &[]).unwrap();
        for _ in 0..2 {
            let (verdict, events) = w.ask(&[forall]);
            assert_eq!(verdict, Verdict::Unknown("it has no values".into()), "{reuse:?}");
            assert_eq!(by(&events), "solved unknown", "{reuse:?}");
            assert!(!events.iter().any(|event| event.starts_with("recorded")), "{reuse:?}: {events:?}");
        }
        let stats = w.engine.stats();
        assert_eq!((stats.unknown, stats.recorded, stats.answered.by(AnsweredBy::Unknown)), (2, 0, 2));
    }
}

#[test]
fn a_query_whose_meaning_is_its_text_is_answered_by_the_same_text_only() {
    let mut w = World::new(options(Reuse::Full));
    let x = w.int("x");
    let (low, high) = (w.is(x, Fun::Gt, 2), w.is(x, Fun::Gt, 1));
    // No values are kept with a text: a solver of whole queries is asked for them.
    (w.table.grain, w.table.verbatim) = (Grain::Whole, Some(b"one".to_vec()));
    assert_eq!(w.ask(&[low]).1, ["1 parts", "missed", "solved sat", "recorded sat"]);
    assert_eq!(w.ask(&[low]).1, ["1 parts", "exact sat"]);
    // Not the native core, not the model, not the set: the text is another one.
    w.table.verbatim = Some(b"two".to_vec());
    assert_eq!(w.ask(&[high]).1, ["1 parts", "missed", "solved sat", "recorded sat"]);
}
