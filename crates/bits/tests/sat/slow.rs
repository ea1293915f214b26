//! A second checker: no hints, only whether each line follows by unit propagation over all earlier clauses.

use evergreen_bits::lrat::{Cnf, Proof};
use evergreen_bits::sat::Lit;
use std::collections::BTreeSet;

/// Whether each line of a proof follows, and the last one is empty.
pub(crate) fn is_refutation(cnf: &Cnf, proof: &Proof) -> bool {
    let mut clauses: Vec<Vec<Lit>> = cnf.iter().map(|clause| clause.to_vec()).collect();
    for line in 0..proof.len() {
        let lits = proof.lits(line);
        if !follows(&clauses, lits) {
            return false;
        }
        clauses.push(lits.to_vec());
    }
    clauses.last().is_some_and(|last| last.is_empty())
}

/// Whether assuming that a clause is false leads to a contradiction.
fn follows(clauses: &[Vec<Lit>], lits: &[Lit]) -> bool {
    let mut known: BTreeSet<Lit> = lits.iter().map(|&lit| !lit).collect();
    loop {
        let mut is_changed = false;
        for clause in clauses {
            if clause.iter().any(|lit| known.contains(lit)) {
                continue;
            }
            let open: BTreeSet<Lit> = clause.iter().copied().filter(|&lit| !known.contains(&!lit)).collect();
            match open.len() {
                0 => return true,
                1 => is_changed |= known.insert(*open.first().unwrap()),
                _ => {}
            }
        }
        if !is_changed {
            return false;
        }
    }
}
