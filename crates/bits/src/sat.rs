//! A small CDCL solver for propositional clauses, which starts fast and writes proofs.
mod analyze;
mod arena;
mod chain;
mod lists;
mod lit;
mod propagate;
mod queue;
mod reduce;
mod solver;

pub use lit::{Lit, Var};
pub use solver::Solver;

/// Whether a solver writes proofs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Logging {
    /// No proofs.
    Off,
    /// Each learned clause with its hints.
    Lrat,
}

/// The answer to a question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// There is a model: [`Solver::value`].
    Sat,
    /// There is none: [`Solver::core`], [`Solver::proof`].
    Unsat,
    /// The budget is spent.
    Spent,
}

/// How much a question may cost. Both are counted, not timed, so an answer is the same on every machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// Conflicts that may still be resolved. A question without conflicts needs none.
    pub conflicts: u64,
    /// Steps of propagation that may still be taken: literals, and entries of their lists. They are looked at
    /// between propagations, so a little more may be taken.
    pub steps: u64,
}

impl Budget {
    /// No bound: for tests and tools.
    pub const UNBOUNDED: Budget = Budget { conflicts: u64::MAX, steps: u64::MAX };
}

impl Default for Budget {
    fn default() -> Self {
        Budget { conflicts: 300, steps: 20_000_000 }
    }
}
