//! Every rewriting before the canonical form is an equivalence: shown by evaluation under random models.

use evergreen_canon::{Canonizer, Mode, propagate, split};
use evergreen_term::{
    ArrayValue, BitVec, Evaluator, Fun, Model, Op, SortId, SymbolId, TermId, Terms, Value, default_value,
};
use evergreen_testing::queries::{self, Query, Sort, Writing};
use evergreen_testing::random::Random;

fn byte(value: usize) -> Value {
    Value::BitVec(BitVec::new(8, value as u128))
}

fn symbol(terms: &Terms, term: TermId) -> SymbolId {
    match terms.op(term) {
        Op::Apply(symbol) => symbol,
        other => panic!("not a constant: {other:?}"),
    }
}

/// The variables of a query, as [`Query::build`] makes them when it writes the query as it stands.
fn variables(terms: &mut Terms, query: &Query) -> Vec<(TermId, Sort)> {
    let eight = terms.bitvec_sort(8);
    let memory = terms.array_sort(eight, eight);
    let sort_of = |s: &Sort| match s {
        Sort::Int => SortId::INT,
        Sort::Byte => eight,
        Sort::Memory => memory,
    };
    query
        .variables
        .iter()
        .enumerate()
        .map(|(i, s)| (terms.constant(&format!("x{i}"), sort_of(s)), *s))
        .collect()
}

/// Constraints that fix some variables and cells, and what they fix.
fn units(random: &mut Random, terms: &mut Terms, vars: &[(TermId, Sort)]) -> Vec<TermId> {
    let mut units = Vec::new();
    for &(var, sort) in vars {
        let (target, literal) = match sort {
            _ if random.one_in(3) => continue,
            Sort::Int => (var, terms.int(random.between(-4, 4))),
            Sort::Byte => (var, terms.bv(8, random.below(6) as u128)),
            Sort::Memory => {
                let index = terms.bv(8, random.below(6) as u128);
                let cell = terms.app(Fun::Select, &[var, index]).unwrap();
                (cell, terms.bv(8, random.below(6) as u128))
            }
        };
        let sides = if random.one_in(2) { [target, literal] } else { [literal, target] };
        units.push(terms.app(Fun::Eq, &sides).unwrap());
    }
    units
}

fn random_model(random: &mut Random, terms: &Terms, vars: &[(TermId, Sort)]) -> Model {
    let mut model = Model::new();
    for &(var, sort) in vars {
        let value = match sort {
            Sort::Int => Value::Int(random.between(-4, 4).into()),
            Sort::Byte => byte(random.below(6)),
            Sort::Memory => {
                let Some(Value::Array(mut array)) = default_value(terms, terms.sort_of(var)) else {
                    panic!("arrays of bytes have a default")
                };
                (0..8).for_each(|i| ArrayValue::set(&mut array, byte(i), byte(random.below(6))));
                Value::Array(array)
            }
        };
        model.set(symbol(terms, var), value);
    }
    model
}

/// Makes the units true.
fn respect(terms: &Terms, model: &mut Model, units: &[TermId]) {
    for &u in units {
        let (target, value) = evergreen_canon::unit(terms, u).expect("a unit");
        match terms.op(target) {
            Op::Apply(s) => {
                model.set(s, value);
            }
            _ => {
                let args = terms.args(target);
                let index = terms.literal_of(args[1]).unwrap().clone();
                match model.get_mut(symbol(terms, args[0])) {
                    Some(Value::Array(array)) => array.set(index, value),
                    other => panic!("not an array: {other:?}"),
                }
            }
        }
    }
}

fn all_hold(terms: &Terms, model: &Model, constraints: &[TermId]) -> bool {
    let mut evaluator = Evaluator::new(terms, model);
    constraints.iter().all(|&c| evaluator.holds(c).expect("every variable has a value"))
}

fn check_propagation(seed: u64, make: fn(&mut Random) -> Query) {
    let mut random = Random::new(seed);
    let (mut changed, mut satisfied) = (0, 0);
    for _ in 0..1500 {
        let query = make(&mut random);
        let mut terms = Terms::new();
        let vars = variables(&mut terms, &query);
        let units = units(&mut random, &mut terms, &vars);
        let mut constraints = query.build(&mut terms, &mut Writing { random: None, prefix: "x".into() });
        constraints.extend(&units);
        let mut pieces: Vec<TermId> = constraints.iter().flat_map(|&c| split(&mut terms, c)).collect();
        random.shuffle(&mut pieces);
        let Some(propagated) = propagate(&mut terms, &pieces) else { continue };
        changed += 1;
        let explained: Vec<(TermId, Vec<TermId>)> =
            propagated.constraints.iter().map(|&c| (c, propagated.explain(&mut terms, c))).collect();
        for round in 0..24 {
            let mut model = random_model(&mut random, &terms, &vars);
            if round > 4 {
                respect(&terms, &mut model, &units);
            }
            let before = all_hold(&terms, &model, &pieces);
            assert_eq!(before, all_hold(&terms, &model, &propagated.constraints), "{query:?}");
            satisfied += usize::from(before);
            for (constraint, from) in &explained {
                assert!(from.iter().all(|f| pieces.contains(f)), "explained by the query's own constraints");
                if all_hold(&terms, &model, from) {
                    assert!(all_hold(&terms, &model, &[*constraint]), "{query:?}");
                }
            }
        }
    }
    assert!(
        changed > 500 && satisfied > 500,
        "the test tests something: {changed} changed, {satisfied} satisfied"
    );
}

#[test]
fn propagation_is_an_equivalence_over_integers() {
    check_propagation(11, queries::linear);
}

#[test]
fn propagation_is_an_equivalence_over_bytes_and_arrays() {
    check_propagation(12, queries::bits);
}

#[test]
fn contradicting_units_are_found_and_explained() {
    let mut terms = Terms::new();
    let x = terms.constant("x", SortId::INT);
    let y = terms.constant("y", SortId::INT);
    let (one, two) = (terms.int(1), terms.int(2));
    let a = terms.app(Fun::Eq, &[x, one]).unwrap();
    let b = terms.app(Fun::Eq, &[y, two]).unwrap();
    let c = terms.app(Fun::Eq, &[y, x]).unwrap();
    let other = terms.app(Fun::Le, &[one, two]).unwrap();
    let propagated = propagate(&mut terms, &[other, a, b, c]).expect("there are units");
    let falsum = terms.bool(false);
    assert!(propagated.constraints.contains(&falsum));
    let mut core = propagated.explain(&mut terms, falsum);
    core.sort_unstable();
    assert_eq!(core, [a, b, c]);
}

/// A chain: each round fixes the next variable, and a table is read at an index that becomes known.
#[test]
fn units_propagate_through_tables() {
    let mut terms = Terms::new();
    let eight = terms.bitvec_sort(8);
    let memory = terms.array_sort(eight, eight);
    let (table, i) = (terms.constant("table", memory), terms.constant("i", eight));
    let (three, nine) = (terms.bv(8, 3), terms.bv(8, 9));
    let fixed = terms.app(Fun::Select, &[table, three]).unwrap();
    let fixed = terms.app(Fun::Eq, &[fixed, nine]).unwrap();
    let index = terms.app(Fun::Eq, &[i, three]).unwrap();
    let read = terms.app(Fun::Select, &[table, i]).unwrap();
    let j = terms.constant("j", eight);
    let equal = terms.app(Fun::Eq, &[j, read]).unwrap();
    let propagated = propagate(&mut terms, &[fixed, index, equal]).expect("there are units");
    let j_is_nine = terms.app(Fun::Eq, &[j, nine]).unwrap();
    assert_eq!(propagated.constraints, [fixed, index, j_is_nine]);
    let mut core = propagated.explain(&mut terms, j_is_nine);
    core.sort_unstable();
    let mut expected = [fixed, index, equal];
    expected.sort_unstable();
    assert_eq!(core, expected);
    assert_eq!(Canonizer::new(Mode::Full).parts(&terms, &propagated.constraints).len(), 3);
}

/// Functions of literals are written as their value; division by zero has none, and stays.
#[test]
fn literals_fold_in_keys() {
    let mut terms = Terms::new();
    let eight = terms.bitvec_sort(8);
    let x = terms.constant("x", eight);
    let (one, three) = (terms.bv(8, 1), terms.bv(8, 3));
    let shifted = terms.app(Fun::BvShl, &[one, three]).unwrap();
    let value = terms.bv(8, 8);
    let mut canonizer = Canonizer::new(Mode::Full);
    let mut key = |terms: &mut Terms, bound| {
        let constraint = terms.app(Fun::BvUlt, &[x, bound]).unwrap();
        canonizer.canonize(terms, &[constraint]).key
    };
    assert_eq!(key(&mut terms, shifted), key(&mut terms, value));
    assert_ne!(key(&mut terms, shifted), key(&mut terms, one));

    let (n, five, zero) = (terms.constant("n", SortId::INT), terms.int(5), terms.int(0));
    let open = terms.app(Fun::IntDiv, &[five, zero]).unwrap();
    let mut key = |terms: &mut Terms, bound| {
        let constraint = terms.app(Fun::Lt, &[n, bound]).unwrap();
        canonizer.canonize(terms, &[constraint]).key
    };
    assert_ne!(key(&mut terms, open), key(&mut terms, zero));
    assert_ne!(key(&mut terms, open), key(&mut terms, five));
}
