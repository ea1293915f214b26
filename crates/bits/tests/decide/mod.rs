//! The core against all assignments: verdicts, models and cores of random conjunctions.

mod columns;
mod equal_arrays;
mod every_pair;
mod hard;
mod hidden;
mod make;

use evergreen_bits::{Beyond, Bits, Decision, Effort, Layer};
use evergreen_smtlib::print_term;
use evergreen_structures::Random;
use evergreen_term::{Completion, Evaluator, Model, TermId, Terms};
use make::{Maker, Shape};
use std::collections::BTreeMap;

/// Whether constraints hold under a model.
fn holds(terms: &Terms, model: &Model, constraints: &[TermId]) -> bool {
    let mut evaluator = Evaluator::new(terms, model).completing(Completion::Default);
    constraints.iter().all(|&c| evaluator.holds(c) == Ok(true))
}

/// Asks one core, with old models or without, and compares with all assignments.
fn compare(
    maker: &mut Maker,
    bits: &mut Bits,
    constraints: &[TermId],
    old: &[&Model],
    tally: &mut BTreeMap<String, u32>,
) -> Option<Model> {
    let decision = bits.decide(&maker.terms, constraints, old, Effort::default());
    let show = |maker: &Maker| {
        constraints.iter().map(|&c| print_term(&maker.terms, c)).collect::<Vec<_>>().join("\n")
    };
    let layer = bits.layer().map_or("none", Layer::name);
    match decision {
        Decision::Sat(model) => {
            assert!(holds(&maker.terms, &model, constraints), "a wrong model ({layer}) of\n{}", show(maker));
            let completed = maker.completed(&model);
            let text = "a model that needs what it leaves open";
            assert!(holds(&maker.terms, &completed, constraints), "{text} ({layer}):\n{}", show(maker));
            *tally.entry(format!("sat by {layer}")).or_default() += 1;
            return Some(model);
        }
        Decision::Unsat(core) => {
            assert!(core.windows(2).all(|pair| pair[0] < pair[1]), "{core:?}");
            let blamed: Vec<TermId> = core.iter().map(|&i| constraints[i as usize]).collect();
            if let Some(model) = maker.find(&blamed) {
                panic!("wrong unsat ({layer}), core {core:?}, of\n{}\n{model:?}", show(maker));
            }
            *tally.entry(format!("unsat by {layer}")).or_default() += 1;
        }
        Decision::Unknown(Beyond::Effort) => *tally.entry("effort".to_owned()).or_default() += 1,
        Decision::Unknown(beyond) => *tally.entry(format!("{beyond}")).or_default() += 1,
    }
    None
}

fn run(seeds: std::ops::Range<u64>, shape: Shape, queries: usize) -> BTreeMap<String, u32> {
    let mut tally = BTreeMap::new();
    for seed in seeds {
        let mut maker = Maker::new(Random::new(seed), shape);
        let mut bits = Bits::new();
        let mut last: Option<Model> = None;
        for number in 0..queries {
            let constraints = maker.conjunction();
            if number % 8 == 0 {
                assert_eq!(maker.misread(&constraints, 3), [], "the columns are not the evaluator's");
            }
            let old: Vec<&Model> = last.iter().collect();
            if let Some(model) = compare(&mut maker, &mut bits, &constraints, &old, &mut tally) {
                last = Some(model);
            }
        }
    }
    tally
}

/// Every layer answers both ways somewhere, and nothing small is left undecided.
fn assert_used(tally: &BTreeMap<String, u32>, expected: &[&str]) {
    for name in expected {
        assert!(tally.get(*name).is_some_and(|&n| n > 0), "no query was {name}: {tally:?}");
    }
    assert_eq!(tally.get("effort"), None, "{tally:?}");
}

#[test]
fn small_vectors_agree_with_all_assignments() {
    let tally = run(0..60, Shape::Vectors, 60);
    assert_used(
        &tally,
        &["sat by sets", "unsat by sets", "sat by guess", "unsat by sat", "sat by sat", "unsat by constants"],
    );
}

#[test]
fn small_arrays_agree_with_all_assignments() {
    let tally = run(100..160, Shape::Arrays, 60);
    assert_used(&tally, &["sat by guess", "unsat by sat", "unsat by sets"]);
}

#[test]
fn tables_agree_with_all_assignments() {
    let tally = run(200..240, Shape::Tables, 60);
    assert_used(&tally, &["sat by sets", "unsat by sets"]);
}
