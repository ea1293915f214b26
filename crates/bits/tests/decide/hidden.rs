//! Wide vectors, of which not all assignments can be tried: conjunctions that hold under a model that the
//! core does not see. Unsat would be wrong, whatever layer says it.

use super::holds;
use super::make::{Maker, Shape};
use evergreen_bits::{Bits, Decision, Effort, Layer};
use evergreen_smtlib::print_term;
use evergreen_structures::Random;
use evergreen_term::{Fun, TermId};
use std::collections::BTreeMap;

#[test]
fn conjunctions_with_a_hidden_model_are_never_refuted() {
    let mut tally: BTreeMap<String, u32> = BTreeMap::new();
    let mut left_open = 0;
    for seed in 300..420 {
        let mut maker = Maker::new(Random::new(seed), Shape::Wide);
        let mut bits = Bits::new();
        for number in 0..40 {
            // Without guesses more of them reach the clauses.
            let guesses = if number % 2 == 0 { 0 } else { Effort::default().guesses };
            let effort = Effort { guesses, ..Effort::default() };
            let (constraints, hidden) = maker.satisfiable();
            assert!(holds(&maker.terms, &hidden, &constraints));
            let show = |constraints: &[TermId]| {
                constraints.iter().map(|&c| print_term(&maker.terms, c)).collect::<Vec<_>>().join("\n")
            };
            match bits.decide(&maker.terms, &constraints, &[], effort) {
                Decision::Sat(model) => {
                    let layer = bits.layer().map_or("none", Layer::name);
                    assert!(holds(&maker.terms, &model, &constraints), "{layer}: {}", show(&constraints));
                    // Symbols that it leaves open may have any value.
                    let mut completed = model.clone();
                    for (symbol, value) in hidden.iter().filter(|(s, _)| model.get(*s).is_none()) {
                        completed.set(symbol, value.clone());
                        left_open += 1;
                    }
                    assert!(holds(&maker.terms, &completed, &constraints), "{layer}: {}", show(&constraints));
                    *tally.entry(format!("sat by {layer}")).or_default() += 1;
                }
                Decision::Unsat(core) => panic!("core {core:?} of\n{}\n{hidden:?}", show(&constraints)),
                Decision::Unknown(_) => *tally.entry("unknown".into()).or_default() += 1,
            }
        }
    }
    assert!(left_open > 100, "{left_open}");
    assert!(tally["sat by sat"] > 100 && tally["sat by guess"] > 100, "{tally:?}");
    assert!(tally.get("unknown").is_none_or(|&n| n < 500), "{tally:?}");
}

/// Every symbol is asserted to have its hidden value: the constraints hold, and none of their negations.
#[test]
fn values_of_wide_terms_are_those_of_the_evaluator() {
    for seed in 500..600 {
        let mut maker = Maker::new(Random::new(seed), Shape::Wide);
        let mut bits = Bits::new();
        for _ in 0..20 {
            let (constraints, hidden) = maker.satisfiable();
            let fixed: Vec<TermId> = maker.fixed_to(&hidden);
            for &constraint in &constraints {
                let other = maker.terms.app(Fun::Not, &[constraint]).expect("well sorted");
                for (asked, is_sat) in [(constraint, true), (other, false)] {
                    let query: Vec<TermId> = fixed.iter().copied().chain([asked]).collect();
                    let decision = bits.decide(&maker.terms, &query, &[], Effort::default());
                    let agrees = match decision {
                        Decision::Sat(_) => is_sat,
                        Decision::Unsat(_) => !is_sat,
                        Decision::Unknown(_) => false,
                    };
                    assert!(agrees, "{} under {hidden:?}", print_term(&maker.terms, asked));
                }
            }
        }
    }
}
