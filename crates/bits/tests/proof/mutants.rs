//! Mutants of certificates, and certificates of other queries: what is accepted is right by brute force.

use super::queries::{Query, have_a_model};
use super::{CLAUSES, VALUES, all};
use evergreen_bits::proof::{Attempt, VERSION, check, positions, prove};
use evergreen_canon::Canonical;
use evergreen_structures::Random;

/// Changes one to three places of some bytes.
fn mutate(bytes: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..1 + random.below(3) {
        let at = random.below(bytes.len().max(1));
        match random.below(6) {
            _ if bytes.is_empty() => bytes.push(random.next() as u8),
            0 => bytes[at] ^= 1 << random.below(8),
            1 => bytes[at] = random.next() as u8 >> random.below(8),
            2 => _ = bytes.remove(at),
            3 => bytes.insert(at, random.next() as u8 >> random.below(8)),
            4 => bytes.truncate(at),
            _ => {
                let other = random.below(bytes.len());
                bytes.swap(at, other);
            }
        }
    }
}

struct Case {
    query: Query,
    canonical: Canonical,
    tables: Vec<Vec<bool>>,
}

impl Case {
    fn new(random: &mut Random, constraints: usize) -> Case {
        let query = Query::new(random, constraints);
        let canonical = query.canonize();
        let tables = query.tables();
        Case { query, canonical, tables }
    }

    /// Whether a checked certificate is right: all constraints that it names have no common model.
    fn accepts(&self, certificate: &[u8]) -> Option<bool> {
        check(&self.canonical.form, None, certificate).ok()?;
        let named = positions(certificate).expect("it was read");
        let constraints: Vec<u32> = named.iter().map(|&p| self.canonical.constraints[p as usize]).collect();
        // With the rest of the constraints it is a certificate too, and without one of its own it is none.
        assert_eq!(check(&self.canonical.form, Some(&named), certificate), Ok(()));
        assert!(check(&self.canonical.form, Some(&named[1..]), certificate).is_err());
        Some(!have_a_model(&self.tables, constraints.iter().copied()))
    }
}

#[test]
fn no_mutant_proves_what_has_a_model() {
    let (mut rejected, mut valid, mut same) = (0, 0, 0);
    for index in 0..700 {
        let mut random = Random::for_index(2, index);
        let count = 2 + random.below(5);
        let case = Case::new(&mut random, count);
        // Another query of the same symbols, which has a model: its form is the certificate's form in all but
        // one constraint.
        let cut = random.below(case.query.constraints.len());
        let mut rest = Random::for_index(2, index);
        let count = 2 + rest.below(5);
        let mut other = Query::new(&mut rest, count);
        other.constraints.remove(cut);
        let other = Case { canonical: other.canonize(), tables: other.tables(), query: other };
        for effort in [VALUES, CLAUSES] {
            let everything = all(&case.canonical);
            let Attempt::Proved(proved) = prove(&case.canonical.form, &everything, effort) else { continue };
            for _ in 0..40 {
                let mut mutant = proved.certificate.clone();
                mutate(&mut mutant, &mut random);
                same += u32::from(mutant == proved.certificate);
                for case in [&case, &other] {
                    match case.accepts(&mutant) {
                        None => rejected += 1,
                        Some(is_right) => {
                            assert!(is_right, "query {index}: a mutant proves what has a model: {mutant:?}");
                            valid += 1;
                        }
                    }
                }
            }
            // The certificate itself, beside the other query.
            assert_ne!(other.accepts(&proved.certificate), Some(false), "query {index}");
        }
    }
    assert!(rejected >= 20_000, "{rejected} rejected, {valid} valid, {same} unchanged");
    assert!(valid < rejected / 10, "{rejected} rejected, {valid} valid, {same} unchanged");
}

#[test]
fn no_certificate_proves_another_query_that_has_a_model() {
    let mut certificates = Vec::new();
    let mut cases = Vec::new();
    for index in 0..300 {
        let mut random = Random::for_index(3, index);
        let count = 1 + random.below(6);
        let case = Case::new(&mut random, count);
        for effort in [VALUES, CLAUSES] {
            if let Attempt::Proved(proved) = prove(&case.canonical.form, &all(&case.canonical), effort) {
                certificates.push(proved.certificate);
            }
        }
        cases.push(case);
    }
    let (mut rejected, mut valid) = (0, 0);
    for (at, case) in cases.iter().enumerate() {
        for certificate in &certificates {
            match case.accepts(certificate) {
                None => rejected += 1,
                Some(is_right) => {
                    assert!(is_right, "query {at} has a model, and {certificate:?} proves that it has none");
                    valid += 1;
                }
            }
        }
    }
    assert!(rejected > 10_000 && valid > 100, "{rejected} rejected, {valid} valid");
}

/// The bytes of a certificate of kind bytes whose steps use all constraints.
fn steps_of_all(leaves: &[u32], constraints: usize) -> Vec<u8> {
    let mut bytes = vec![VERSION, 1, leaves.len() as u8];
    for &leaf in leaves {
        bytes.extend([leaf as u8, constraints as u8]);
        bytes.resize(bytes.len() + constraints, 0);
    }
    bytes
}

/// No search would look at constraints about several leaves. A forger does: all values of a leaf, with
/// everything else unknown.
#[test]
fn no_step_proves_what_has_a_model() {
    let (mut rejected, mut valid) = (0, 0);
    for index in 0..1_500 {
        let mut random = Random::for_index(6, index);
        let count = 1 + random.below(4);
        let case = Case::new(&mut random, count);
        let leaves = 0..case.canonical.leaves.len() as u32;
        let constraints = case.canonical.constraints.len();
        let pairs = leaves.clone().flat_map(|a| leaves.clone().map(move |b| vec![a, b]));
        for steps in leaves.clone().map(|leaf| vec![leaf]).chain(pairs).filter(|_| constraints > 0) {
            match case.accepts(&steps_of_all(&steps, constraints)) {
                None => rejected += 1,
                Some(is_right) => {
                    assert!(is_right, "query {index}: {steps:?}");
                    valid += 1;
                }
            }
        }
    }
    assert!(rejected > 5_000 && valid > 100, "{rejected} rejected, {valid} valid");
}

/// The form itself changes under a certificate: what is read and accepted says something about bytes that no
/// canonizer wrote, so the only claim is that nothing panics and that the constraints named exist.
#[test]
fn mutants_of_forms_are_read_without_panic() {
    let mut accepted = 0;
    for index in 0..400 {
        let mut random = Random::for_index(4, index);
        let case = Case::new(&mut random, 4);
        let effort = if random.one_in(2) { VALUES } else { CLAUSES };
        let everything = all(&case.canonical);
        let Attempt::Proved(proved) = prove(&case.canonical.form, &everything, effort) else { continue };
        for _ in 0..40 {
            let mut form = case.canonical.form.clone();
            mutate(&mut form, &mut random);
            accepted += u32::from(check(&form, None, &proved.certificate).is_ok());
            let _ = prove(&form, &everything, effort);
        }
    }
    assert!(accepted > 0, "a mutant of a form that is the form of another unsatisfiable query");
}
