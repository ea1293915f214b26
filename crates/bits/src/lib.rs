//! Decides conjunctions of constraints over bit vectors and arrays of bits, with evidence for both answers.
//!
//! A satisfiable query has a model, an unsatisfiable one a certificate that a checker without the solver
//! accepts. Efforts are counted in steps, so a query has the same answer on every machine.
//!
//! [`Bits::decide`] is the core. [`sat`] is the propositional solver below it, [`lrat`] its proofs and their
//! checker, [`proof`] the certificates that stores keep.

mod blast;
mod decide;
mod decision;
mod eval;
mod form;
mod guess;
mod lanes;
pub mod lrat;
mod marks;
mod model;
mod poly;
pub mod proof;
mod query;
mod ranges;
mod replace;
mod rules;
pub mod sat;
mod ties;
mod translate;

pub use decision::{Beyond, Decision, Effort, Layer};

use evergreen_term::{Model, TermId, Terms};

/// The core of bit vectors. It belongs to one arena of terms and keeps what it learned about terms from query
/// to query.
#[derive(Default)]
pub struct Bits {
    core: decide::Core,
}

impl Bits {
    /// A core for one arena of terms.
    pub fn new() -> Bits {
        Bits::default()
    }

    /// Decides a conjunction of Boolean terms. `old` are models to try: of the path, of a similar query;
    /// their values steer which model is found, never whether one is.
    pub fn decide(
        &mut self,
        terms: &Terms,
        constraints: &[TermId],
        old: &[&Model],
        effort: Effort,
    ) -> Decision {
        self.core.decide(terms, constraints, old, effort)
    }

    /// Forgets everything that was learned, and keeps the memory: for another arena of terms.
    pub fn forget(&mut self) {
        self.core.forget();
    }

    /// The layer that decided the last conjunction, if one did.
    pub fn layer(&self) -> Option<Layer> {
        self.core.layer
    }
}
