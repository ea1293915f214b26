//! Whether parts that claim to follow from the others do.
//!
//! A wrong `implied` would silently drop valid heaps: lazy initialization evaluates such a part, and
//! feasibility does not know it. So each is tried before it is used: the other parts and its negation become
//! clauses under a scope, and a model is a heap that shows that it does not follow. The scopes are a small
//! one, so that a mistake is seen whatever is explored, and that of the exploration, in which alone heaps
//! could be lost; of the latter no more than [`MOST`] objects of a class: a question takes milliseconds then
//! (binomial heaps of 10 nodes: 70, of 14: a second). One question for each such part and scope.

use crate::Diagnostic;
use crate::encode::{Encoding, Scope, TooLarge};
use crate::heap::Heap;
use crate::invariant::{ClassId, Formula, Invariant, Part};
use crate::solver::Solver;
use std::rc::Rc;

/// Objects of each class in the scope in which [`check`] looks for heaps.
pub const TRIED: usize = 4;

/// The most objects of each class in the scope in which [`check_under`] looks for heaps.
pub const MOST: usize = 10;

/// As [`check`], by heaps of the scope that is explored, of up to [`MOST`] objects of each class.
///
/// # Errors
/// The place of that part in the text, and the heap.
pub fn check_under(invariant: &Invariant, text: &str, scope: &Scope) -> Result<(), Diagnostic> {
    let cut = |most: usize| {
        let classes = (0..invariant.shape.classes.len() as u8).map(ClassId);
        classes.fold(scope.clone(), |cut, class| cut.with(class, scope.of(class).min(most)))
    };
    first_of(invariant, text, (1..=MOST).rev().map(cut))
}

/// An error about the first part that claims to be implied and is not, by a heap of few objects.
///
/// # Errors
/// The place of that part in the text, and the heap.
pub fn check(invariant: &Invariant, text: &str) -> Result<(), Diagnostic> {
    first_of(invariant, text, (1..=TRIED).rev().map(|n| Scope::each(invariant, n)))
}

/// The error that the first scope shows which is not too large.
fn first_of(
    invariant: &Invariant,
    text: &str,
    scopes: impl Iterator<Item = Scope>,
) -> Result<(), Diagnostic> {
    if !invariant.parts.iter().any(|part| part.implied) {
        return Ok(());
    }
    let mut tried = scopes.map(|scope| counterexample(invariant, &scope));
    let tried = tried.find_map(Result::ok);
    let Some(Some((at, heap))) = tried else { return Ok(()) };
    let part = &invariant.parts[at];
    let shown = heap.display(&invariant.shape).to_string();
    let help = format!("the other parts hold of {}", shown.trim_end().replace('\n', "; "));
    let message = format!("\"{}\" is not implied by the other parts", part.name);
    Err(Diagnostic::at(text, part.at, message, Some(&help)))
}

/// A heap of which all parts hold that do not claim to be implied, and one that does claim it does not: that
/// part's position, and the heap.
///
/// # Errors
/// If the scope has too many objects.
pub fn counterexample(invariant: &Invariant, scope: &Scope) -> Result<Option<(usize, Heap)>, TooLarge> {
    for (at, part) in invariant.parts.iter().enumerate().filter(|(_, part)| part.implied) {
        let mut against = invariant.clone();
        against.parts.retain(|part| !part.implied);
        let formula = Formula::Not(Box::new(part.formula.clone()));
        against.parts.push(Part { implied: false, formula, ..part.clone() });
        let encoding = Encoding::new(Rc::new(against), scope)?;
        let mut solver = Solver::new(&encoding.circuit);
        if solver.solve(&[]) == Some(true) {
            return Ok(Some((at, encoding.decode(|lit| solver.value(lit)))));
        }
    }
    Ok(None)
}
