//! Random conjunctions against brute force: what has no model is proved in both ways, what has one never is.

use super::queries::{Query, have_a_model};
use super::{CLAUSES, VALUES, all};
use evergreen_bits::proof::{Attempt, Effort, check, positions, prove};
use evergreen_structures::Random;

#[test]
fn what_has_no_model_is_proved_and_what_has_one_is_not() {
    let (mut sat, mut unsat, mut by_values, mut too_large, mut of_arrays) = (0, 0, 0, 0, 0);
    for index in 0..1_500 {
        let mut random = Random::for_index(1, index);
        let count = 2 + random.below(6);
        let query = Query::new(&mut random, count);
        let canonical = query.canonize();
        let tables = query.tables();
        let is_sat = have_a_model(&tables, 0..query.constraints.len() as u32);
        for effort in [VALUES, CLAUSES, Effort::default()] {
            match prove(&canonical.form, &all(&canonical), effort) {
                Attempt::Proved(proved) => {
                    assert!(!is_sat, "query {index} has a model and a certificate, {effort:?}");
                    by_values += u32::from(effort == VALUES);
                    assert_eq!(check(&canonical.form, None, &proved.certificate), Ok(()));
                    assert_eq!(check(&canonical.form, Some(&proved.core), &proved.certificate), Ok(()));
                    assert_eq!(positions(&proved.certificate).as_ref(), Some(&proved.core));
                    let named = proved.core.iter().map(|&p| canonical.constraints[p as usize]);
                    assert!(!have_a_model(&tables, named.clone()), "query {index}: the core has a model");
                    let is_of_arrays = effort == CLAUSES && named.clone().any(|c| query.compares_arrays(c));
                    of_arrays += u32::from(is_of_arrays);
                }
                Attempt::Satisfiable => assert!(is_sat, "query {index} has no model, {effort:?}"),
                // What equalities of arrays mean is not said at all indices: a solution shows nothing.
                Attempt::Nothing
                    if is_sat && (0..query.constraints.len() as u32).any(|c| query.compares_arrays(c)) => {}
                // Several divisions can have a proof of more bytes than a certificate may have.
                Attempt::Nothing if effort != VALUES && canonical.verdict.is_none() => too_large += 1,
                Attempt::Nothing => {}
            }
        }
        (sat, unsat) = if is_sat { (sat + 1, unsat) } else { (sat, unsat + 1) };
    }
    let counts = format!(
        "{sat} sat, {unsat} unsat, {by_values} by values, {of_arrays} of arrays, {too_large} too large"
    );
    assert!(sat > 200 && unsat > 200 && by_values > 100 && of_arrays > 40 && too_large < 20, "{counts}");
}
