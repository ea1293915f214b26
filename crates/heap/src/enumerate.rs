//! All valid structures of a scope, by the solver: a model, a clause that forbids it, the next model.
//!
//! Breadth-first labels make every structure come once; keys are left out of the clause, so structures that differ only in keys
//! count once.

use crate::circuit::Lit;
use crate::encode::{Encoding, Scope, TooLarge};
use crate::heap::Heap;
use crate::invariant::Invariant;
use crate::solver::Solver;

/// The valid structures of a scope, at most `limit`, and whether these are all of them.
///
/// # Errors
/// If the scope has too many objects.
pub fn structures(invariant: &Invariant, scope: &Scope, limit: usize) -> Result<(Vec<Heap>, bool), TooLarge> {
    let encoding = Encoding::new(invariant.into(), scope)?;
    let mut solver = Solver::new(&encoding.circuit);
    let mut found = Vec::new();
    while found.len() < limit {
        match solver.solve(&[]) {
            Some(true) => {}
            Some(false) => return Ok((found, true)),
            None => return Ok((found, false)),
        }
        found.push(encoding.decode(|l| solver.value(l)));
        let differs: Vec<Lit> = encoding
            .field_literals()
            .map(|l| if solver.value(l) { !l } else { l })
            .filter(|l| *l != Lit::FALSE)
            .collect();
        solver.clause(&differs);
    }
    Ok((found, false))
}
