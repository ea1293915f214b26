//! Proofs that were changed: each is rejected, or it is a proof still, by a checker of another kind.

use super::cnf::{pigeons, random_cnf};
use super::proofs::refute;
use super::slow::is_refutation;
use evergreen_bits::lrat::{Cnf, Premise, Proof, check};
use evergreen_bits::sat::Lit;
use evergreen_structures::Random;

type Lines = Vec<(Vec<Lit>, Vec<Premise>)>;

fn lines(proof: &Proof) -> Lines {
    (0..proof.len()).map(|line| (proof.lits(line).to_vec(), proof.hints(line).to_vec())).collect()
}

/// What was changed, and the proof if it still has the form of one.
fn mutant(random: &mut Random, cnf: &Cnf, proof: &Proof) -> (&'static str, Option<Proof>) {
    let mut lines = lines(proof);
    let line = random.below(lines.len());
    let (lits, hints) = &mut lines[line];
    let hint = random.below(hints.len());
    let kind = match random.below(7) {
        0 => {
            hints.remove(hint);
            "hint dropped"
        }
        1 => {
            let number = hints[hint].number();
            let other = random.below(cnf.len()) as u32;
            hints[hint] = match hints[hint].is_line() && random.one_in(2) {
                true if line > 0 => Premise::line(random.below(line) as u32),
                _ => Premise::original(if other == number { number + 1 } else { other }),
            };
            "hint changed"
        }
        2 => {
            let other = random.below(hints.len());
            hints.swap(hint, other);
            "hints swapped"
        }
        3 if !lits.is_empty() => {
            let at = random.below(lits.len());
            lits[at] = !lits[at];
            lits.sort();
            "literal flipped"
        }
        4 if !lits.is_empty() => {
            lits.remove(random.below(lits.len()));
            "literal dropped"
        }
        5 => {
            lines.remove(line);
            "line dropped"
        }
        _ => {
            let mut bytes = proof.encode().expect("a small proof");
            let at = random.below(bytes.len());
            match random.below(3) {
                0 => bytes.truncate(at),
                1 => bytes[at] ^= 1 << random.below(8),
                _ => bytes[at] = random.next() as u8,
            }
            return ("bytes changed", Proof::decode(&bytes).ok());
        }
    };
    let lines = lines.iter().map(|(lits, hints)| (lits.as_slice(), hints.as_slice()));
    (kind, Proof::from_lines(lines))
}

#[test]
fn no_mutant_is_accepted_unless_it_is_a_proof() {
    let mut sources = vec![pigeons(3), pigeons(4), pigeons(5)];
    sources.extend((0..400).map(|index| random_cnf(&mut Random::for_index(5, index))));
    let proofs: Vec<(Cnf, Proof)> =
        sources.into_iter().filter_map(|cnf| refute(&cnf).map(|proof| (cnf, proof))).collect();
    let mut random = Random::new(6);
    let (mut formless, mut rejected, mut same, mut still) = (0, 0, 0, 0);
    for index in 0..30_000 {
        let (cnf, proof) = &proofs[index % proofs.len()];
        let (kind, mutant) = mutant(&mut random, cnf, proof);
        let Some(mutant) = mutant else {
            formless += 1;
            continue;
        };
        if mutant == *proof {
            same += 1;
        } else if check(cnf, &mutant).is_err() {
            rejected += 1;
        } else {
            assert!(is_refutation(cnf, &mutant), "{kind}: {cnf:?} {mutant:?}");
            still += 1;
        }
    }
    println!("{formless} without form, {rejected} rejected, {still} still proofs, {same} the same");
    assert!(formless + rejected > 20_000 && rejected > 10_000, "{formless}, {rejected}");
    assert!(still < 5_000, "{still} mutants are proofs");
}

/// A clause of the input that a proof uses is changed: what was unsatisfiable need not be so any more.
#[test]
fn a_proof_fits_only_its_clauses() {
    let mut random = Random::new(7);
    let (mut rejected, mut accepted) = (0, 0);
    for index in 0..3000 {
        let cnf = random_cnf(&mut Random::for_index(8, index));
        let Some(proof) = refute(&cnf) else { continue };
        for _ in 0..4 {
            let used = proof.originals();
            let number = used[random.below(used.len())] as usize;
            let mut clauses: Vec<Vec<Lit>> = cnf.iter().map(|clause| clause.to_vec()).collect();
            let clause = &mut clauses[number];
            let at = random.below(clause.len());
            clause[at] = !clause[at];
            let changed: Cnf = clauses.into_iter().collect();
            if check(&changed, &proof).is_ok() {
                assert!(is_refutation(&changed, &proof), "{changed:?} {proof:?}");
                accepted += 1;
            } else {
                rejected += 1;
            }
        }
    }
    assert!(rejected > 4000 && accepted < rejected / 10, "{rejected} rejected, {accepted} accepted");
}

/// Bytes from nowhere, and our own with a changed start: no panic, and nothing is accepted that is no proof.
#[test]
fn random_bytes_are_no_proof() {
    let cnf = pigeons(3);
    let mut random = Random::new(9);
    for _ in 0..20_000 {
        let len = random.below(40);
        let small = random.one_in(2);
        let bytes: Vec<u8> =
            (0..len).map(|_| if small { random.below(6) as u8 } else { random.next() as u8 }).collect();
        if let Ok(proof) = Proof::decode(&bytes) {
            assert_eq!(proof.encode().as_deref(), Some(&bytes[..]), "one form for each proof");
            assert!(check(&cnf, &proof).is_err() || is_refutation(&cnf, &proof));
        }
    }
}
