//! No certificate is accepted for a query that has a solution, however near to a proof it is.
//!
//! The box prover makes true proofs of unsatisfiable queries. Each is then put before queries that differ in
//! a single place and have a solution, as it is and with its steps and bytes changed at random.

use crate::harness::boxes;
use crate::harness::rows::row;
use evergreen_lia::{Certificate, Op, Part, Row, Step, check};
use evergreen_term::Int;
use evergreen_testing::random::Random;

/// Bounds, their rows, and a few more rows.
fn query(random: &mut Random) -> (Vec<(i64, i64)>, Vec<Row>) {
    let vars = 1 + random.below(3);
    let bound = |random: &mut Random| {
        let low = random.between(-4, 2);
        (low, low + random.between(0, 4))
    };
    let bounds: Vec<(i64, i64)> = (0..vars).map(|_| bound(random)).collect();
    let mut rows = boxes::rows_of(&bounds);
    for _ in 0..1 + random.below(2) {
        let op = *random.choose(&[Op::Le, Op::Le, Op::Eq, Op::Ne]);
        let terms: Vec<(u32, i64)> = (0..vars as u32).map(|var| (var, random.between(-3, 3))).collect();
        rows.push(row(op, &terms, random.between(-8, 8)));
    }
    (bounds, rows)
}

/// The query changed in one place.
fn neighbour(rows: &[Row], random: &mut Random) -> Vec<Row> {
    let mut rows = rows.to_vec();
    let at = random.below(rows.len());
    match random.below(6) {
        0 => rows[at].op = *random.choose(&[Op::Le, Op::Eq, Op::Ne]),
        1 if !rows[at].terms.is_empty() => {
            let term = random.below(rows[at].terms.len());
            let coefficient = &mut rows[at].terms[term].1;
            *coefficient = if *coefficient == 1 { 2 } else { *coefficient - 1 };
            rows[at].terms.retain(|term| term.1 != 0);
        }
        2 => rows.swap(at, 0),
        3 => rows[at].constant += random.between(-5, 5),
        _ => rows[at].constant -= 1, // of an inequality: one wider
    }
    rows
}

fn random_int(random: &mut Random) -> Int {
    match random.below(20) {
        0 => Int::from(random.next() as i64),
        1 => Int::from(random.next() as i64).mul(&Int::from(random.next() as i64)),
        _ => Int::from(random.between(-4, 4)),
    }
}

fn random_sum(lines: usize, random: &mut Random) -> Vec<Part> {
    let part = |random: &mut Random| Part { line: random.below(lines + 1) as u32, times: random_int(random) };
    (0..random.below(5)).map(|_| part(random)).collect()
}

fn random_step(lines: usize, random: &mut Random) -> Step {
    match random.below(4) {
        0 => Step::Close(random_sum(lines, random)),
        1 => Step::Cut { sum: random_sum(lines, random), divisor: random_int(random) },
        2 => {
            let terms = (0..random.below(3)).map(|_| (random.below(3) as u32, random_int(random))).collect();
            Step::Split { terms, at: random_int(random) }
        }
        _ => Step::Apart { line: random.below(lines) as u32 },
    }
}

fn nudge(int: &mut Int, random: &mut Random) {
    *int = match random.below(4) {
        0 => int.neg(),
        1 => random_int(random),
        _ => int.add(&Int::from(random.between(-1, 1))),
    };
}

/// Changes something small: a number, a line, a step.
fn mutate(certificate: &mut Certificate, lines: usize, random: &mut Random) {
    let steps = &mut certificate.steps;
    if steps.is_empty() || random.one_in(4) {
        let at = random.below(steps.len() + 1);
        return match random.below(3) {
            0 if at < steps.len() => drop(steps.remove(at)),
            1 if at < steps.len() => {
                let other = random.below(steps.len());
                steps.swap(at, other);
            }
            _ => steps.insert(at, random_step(lines, random)),
        };
    }
    let at = random.below(steps.len());
    match &mut steps[at] {
        Step::Cut { divisor, .. } if random.one_in(3) => nudge(divisor, random),
        Step::Close(sum) | Step::Cut { sum, .. } => {
            let part = random.below(sum.len() + 1);
            match sum.get_mut(part) {
                Some(part) if random.one_in(2) => nudge(&mut part.times, random),
                Some(part) => part.line = random.below(lines + 1) as u32,
                None => sum.extend(random_sum(lines, random)),
            }
        }
        Step::Split { at, terms } => match terms.first_mut() {
            Some(term) if random.one_in(2) => nudge(&mut term.1, random),
            _ => nudge(at, random),
        },
        Step::Apart { line } => *line = random.below(lines) as u32,
    }
}

/// The certificate as it is, with changed steps, and with changed bytes.
fn variants(proof: &Certificate, rows: usize, random: &mut Random) -> Vec<Certificate> {
    let mut all = vec![proof.clone()];
    for count in 1..8 {
        let mut changed = proof.clone();
        (0..count).for_each(|_| mutate(&mut changed, rows + 3, random));
        all.push(changed);
    }
    for _ in 0..8 {
        let mut bytes = proof.encode();
        let at = random.below(bytes.len());
        bytes[at] ^= 1 << random.below(8);
        all.extend(Certificate::decode(&bytes));
    }
    let steps = (0..random.below(6)).map(|_| random_step(rows + 2, random)).collect();
    all.push(Certificate { steps });
    all
}

#[test]
fn what_has_a_solution_is_never_refuted() {
    let (mut proofs, mut attacks, mut survived) = (0, 0, 0);
    for index in 0..14_000 {
        let mut random = Random::for_index(7, index);
        let (bounds, rows) = query(&mut random);
        let Err(proof) = boxes::decide(&rows, &bounds) else { continue };
        assert_eq!(check(&rows, &proof), Ok(()), "{rows:?}\n{proof:?}");
        proofs += 1;
        // Changes of a proof for the query itself: some are still proofs, and none of
        // them makes the checker fail.
        let own = variants(&proof, rows.len(), &mut random);
        survived += own.iter().filter(|certificate| check(&rows, certificate).is_ok()).count();
        for _ in 0..20 {
            let other = neighbour(&rows, &mut random);
            let Some(model) = solution(&other) else { continue };
            for certificate in variants(&proof, rows.len(), &mut random) {
                attacks += 1;
                let verdict = check(&other, &certificate);
                assert!(
                    verdict.is_err(),
                    "{other:?}\nhas the solution {model:?}, but there is\n{certificate:?}"
                );
            }
        }
    }
    // The numbers are those of the seed: if they change, the test has changed.
    assert_eq!((proofs, attacks, survived), (6_631, 109_441, 8_764));
}

/// A point between -7 and 7 that satisfies all rows.
fn solution(rows: &[Row]) -> Option<[i64; 3]> {
    let range = || -7..=7i64;
    let points = range().flat_map(|x| range().flat_map(move |y| range().map(move |z| [x, y, z])));
    points.into_iter().find(|point| {
        rows.iter().all(|row| {
            let terms = row.terms.iter().map(|&(var, coefficient)| coefficient * point[var as usize]);
            let sum = terms.sum::<i64>() + row.constant;
            match row.op {
                Op::Le => sum <= 0,
                Op::Eq => sum == 0,
                Op::Ne => sum != 0,
            }
        })
    })
}
