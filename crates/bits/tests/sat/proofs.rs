//! Proofs: trimming, bytes, determinism, flaws.

use super::cnf::{cnf, lit, pigeons, random_cnf};
use super::slow::is_refutation;
use evergreen_bits::lrat::{Cnf, Flaw, Log, MOST_BYTES, Premise, Proof, check};
use evergreen_bits::sat::{Budget, Logging, Outcome, Solver, Var};
use evergreen_structures::Random;

/// The proof of clauses that contradict each other.
pub(crate) fn refute(cnf: &Cnf) -> Option<Proof> {
    let mut solver = Solver::new(Logging::Lrat);
    for clause in cnf.iter() {
        solver.add_clause(clause);
    }
    (solver.solve(&[], &mut { Budget::UNBOUNDED }) == Outcome::Unsat)
        .then(|| solver.proof().expect("a proof"))
}

#[test]
fn proofs_survive_bytes_and_a_slow_checker() {
    let (mut proofs, mut lines) = (0, 0);
    for index in 0..2500 {
        let cnf = random_cnf(&mut Random::for_index(4, index));
        let Some(proof) = refute(&cnf) else { continue };
        let bytes = proof.encode().expect("a small proof");
        let again = Proof::decode(&bytes).expect("our own bytes");
        assert_eq!(again, proof);
        assert_eq!(check(&cnf, &again), Ok(()));
        assert!(is_refutation(&cnf, &again), "{cnf:?} {proof:?}");
        assert_eq!(refute(&cnf).and_then(|proof| proof.encode()), Some(bytes), "two runs differ");
        proofs += 1;
        lines += proof.len();
    }
    assert!(proofs > 800 && lines > 2 * proofs, "{proofs} proofs, {lines} lines");
}

/// Each line of a trimmed proof is used by a later one.
#[test]
fn trimming_leaves_only_what_is_used() {
    let proof = refute(&pigeons(5)).expect("a proof");
    for line in 0..proof.len() - 1 {
        let is_used =
            (line + 1..proof.len()).any(|later| proof.hints(later).contains(&Premise::line(line as u32)));
        assert!(is_used, "line {line}");
    }
    let mut log = Log::default();
    log.push(&[lit(3)], &[Premise::original(7)]);
    let unit = log.push(&[lit(2), lit(-1)], &[Premise::original(4)]);
    assert_eq!(log.proof(), None);
    log.push(&[], &[unit]);
    let proof = log.proof().expect("the empty clause");
    assert_eq!(
        (proof.len(), proof.lits(0), proof.hints(1)),
        (2, &[lit(-1), lit(2)][..], &[Premise::line(0)][..])
    );
}

/// x1, x1 -> x2, not x2: the proof is one line.
fn small() -> (Cnf, Proof) {
    let cnf = cnf(&[&[1], &[-1, 2], &[-2]]);
    let proof = refute(&cnf).expect("a proof");
    (cnf, proof)
}

#[test]
fn a_small_proof_is_a_few_bytes() {
    let (_, proof) = small();
    // One line, no literals, three hints.
    let bytes = proof.encode().expect("a small proof");
    assert_eq!(bytes.len(), 6, "{bytes:?} {proof:?}");
}

#[test]
fn flaws_are_named() {
    let (cnf, _) = small();
    let [a, b, c] = [0, 1, 2].map(Premise::original);
    let flaw = |lines: &[(&[evergreen_bits::sat::Lit], &[Premise])]| {
        check(&cnf, &Proof::from_lines(lines.iter().copied()).expect("the form of a proof")).err()
    };
    assert_eq!(flaw(&[(&[], &[a, b, c])]), None);
    assert_eq!(flaw(&[(&[], &[a, c, b])]), None);
    assert_eq!(flaw(&[(&[], &[b, a, c])]), Some(Flaw::NotUnit { line: 0, hint: 0 }));
    assert_eq!(flaw(&[(&[], &[a, a, c])]), Some(Flaw::NotUnit { line: 0, hint: 1 }));
    assert_eq!(flaw(&[(&[], &[a, b])]), Some(Flaw::Unfinished { line: 0 }));
    assert_eq!(flaw(&[(&[], &[a, b, c, c])]), Some(Flaw::Superfluous { line: 0 }));
    assert_eq!(flaw(&[(&[], &[a, b, Premise::original(3)])]), Some(Flaw::UnknownPremise { line: 0 }));
    assert_eq!(flaw(&[(&[lit(9)], &[a]), (&[], &[a])]), Some(Flaw::UnknownVariable { line: 0 }));
    assert_eq!(flaw(&[(&[lit(2)], &[a, b]), (&[], &[Premise::line(0), c])]), None);
    assert_eq!(flaw(&[(&[lit(-2)], &[a, b]), (&[], &[a, b])]), Some(Flaw::NotUnit { line: 0, hint: 1 }));
}

#[test]
fn what_has_not_the_form_of_a_proof_is_none() {
    let original = Premise::original(0);
    type Lines<'a> = &'a [(&'a [evergreen_bits::sat::Lit], &'a [Premise])];
    let wrong: [Lines; 8] = [
        &[],
        &[(&[lit(1)], &[original])],
        &[(&[], &[])],
        &[(&[], &[Premise::line(0)])],
        &[(&[], &[original]), (&[], &[original])],
        &[(&[lit(2), lit(1)], &[original]), (&[], &[original])],
        &[(&[lit(1), lit(1)], &[original]), (&[], &[original])],
        &[(&[lit(1), lit(-1)], &[original]), (&[], &[original])],
    ];
    for lines in wrong {
        assert_eq!(Proof::from_lines(lines.iter().copied()), None, "{lines:?}");
    }
}

#[test]
fn the_reader_is_strict() {
    let (_, proof) = small();
    let bytes = proof.encode().expect("a small proof");
    for cut in 0..bytes.len() {
        assert!(Proof::decode(&bytes[..cut]).is_err(), "cut at {cut}");
    }
    let wrong: [&[u8]; 11] = [
        &[0],                                                                   // no line
        &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01, 0],       // 2^64 - 1 lines
        &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x03, 0, 1, 0], // more than 64 bits
        &[0x81, 0, 0, 1, 0],                                                    // 1 in two bytes
        &[1, 0, 0],                                                             // no hint
        &[1, 0, 1, 1],                                                          // a line that is not before
        &[1, 0, 1, 2],                                                          // clause -1
        &[1, 1, 0, 1, 0],                                                       // the last line is not empty
        &[2, 0, 1, 0, 0, 1, 0],       // a line after the empty clause
        &[2, 2, 0, 0, 1, 0, 0, 1, 1], // x and not x
        &[1, 0, 1, 0, 0],             // a byte too many
    ];
    for bytes in wrong {
        assert!(Proof::decode(bytes).is_err(), "{bytes:?}");
    }
    assert!(Proof::decode(&[1, 0, 1, 0]).is_ok());
    assert!(Proof::decode(&[2, 1, 0, 1, 0, 0, 1, 1]).is_ok());
}

#[test]
fn bytes_are_bounded() {
    let lits: Vec<_> = (0..MOST_BYTES as u32).map(|var| Var(var).positive()).collect();
    let lines: [(&[_], &[_]); 2] = [(&lits, &[Premise::original(0)]), (&[], &[Premise::line(0)])];
    assert_eq!(Proof::from_lines(lines).expect("the form of a proof").encode(), None);
    let lines: [(&[_], &[_]); 2] = [(&lits[16..], &[Premise::original(0)]), (&[], &[Premise::line(0)])];
    let bytes = Proof::from_lines(lines).expect("the form of a proof").encode().expect("fits");
    assert!(bytes.len() <= MOST_BYTES);
    assert!(Proof::decode(&bytes).is_ok());
    assert!(Proof::decode(&vec![0x80; MOST_BYTES + 1]).is_err());
}

/// Half of the bytes for a long clause, half for hints that look at it.
#[test]
fn the_work_of_a_check_is_bounded() {
    let vars = 4_000;
    let mut cnf = Cnf::new();
    let long: Vec<_> = (0..vars).map(|var| Var(var).positive()).collect();
    cnf.push(&long);
    for &lit in &long {
        cnf.push(&[!lit]);
    }
    // Each line is the clause without one more literal, and is as long to check.
    let mut log = Log::default();
    let mut before = Premise::original(0);
    for gone in 1..=vars as usize {
        let unit = Premise::original(gone as u32);
        before = log.push(&long[gone..], &[unit, before]);
    }
    let proof = log.proof().expect("the empty clause");
    assert_eq!(check(&cnf, &proof), Err(Flaw::TooMuchWork));
}
