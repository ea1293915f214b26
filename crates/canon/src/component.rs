//! Slicers and canonizers of the caller's own, in place of ours or beside them [Visser FSE'12, 3.4: a slicer
//! and a canonizer are two of Green's components that can be replaced].
//!
//! A component cannot make an answer of another user wrong. A slicer may join parts that we would keep apart,
//! and never cut what we join. A canonizer's forms begin with its name, so its keys are its own; what it must
//! guarantee is said at [`Canonize`].

use evergreen_term::{SymbolId, TermId, Terms};

/// Says which constraints belong together.
pub trait Slice {
    /// The number of the part of each constraint, by its place; constraints without a number stand alone.
    ///
    /// Nothing has to be guaranteed: constraints that share a symbol, a sort or a cell of an array are put
    /// together anyway. A slicer that joins more makes larger parts, which are reused less often.
    fn parts(&mut self, terms: &Terms, constraints: &[TermId]) -> Vec<usize>;
}

/// Brings a conjunction into a form of its own.
///
/// What it must guarantee: two conjunctions with equal bytes are the same up to the names of their symbols,
/// and the n-th symbol of one plays the part of the n-th of the other. What is checked: models are evaluated
/// before they are used, so a wrong form costs a call of the solver and gives no wrong `sat`. A wrong `unsat`
/// cannot be seen; it stays under the canonizer's own name, and is gone with it.
pub trait Canonize {
    /// Its name and version: it is part of every key, so another name begins with nothing.
    fn name(&self) -> &str;

    /// The form of a conjunction; `None` has it canonized as without this component.
    fn form(&mut self, terms: &Terms, constraints: &[TermId]) -> Option<Form>;
}

/// A conjunction in the caller's own form.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Form {
    /// All that the conjunction means, without the names of its symbols.
    pub bytes: Vec<u8>,
    /// The declared constants of the conjunction, in the order in which the bytes number them.
    pub symbols: Vec<SymbolId>,
}
