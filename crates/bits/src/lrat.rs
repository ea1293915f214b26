//! Proofs that clauses contradict each other, and their checker.
//!
//! A proof is a sequence of lines. A line is a clause and its hints: the earlier clauses (of the input, or
//! of earlier lines) from which the clause follows by unit propagation, in the order of propagation. The
//! last line is the empty clause. This is LRAT without RAT, deletions and line numbers [Cruz-Filipe et al.
//! CADE'17]: the solver learns only clauses that follow, a proof is small enough to keep all of its lines,
//! and lines are numbered by their order. Clauses of the input have numbers of their own ([`Premise`]), so
//! adding clauses to a solver that has learned others mixes nothing up.
//!
//! A solver writes a [`Log`] of all that it learned. [`Log::proof`] keeps what leads to the empty clause:
//! a [`Proof`], which has one sequence of bytes ([`Proof::encode`], [`Proof::decode`]). [`check`] follows the
//! hints and searches nothing, so it costs a visit to each literal of each hint, and it shares only the
//! literals with the solver.

mod check;
mod encode;
mod proof;

pub use check::{Cnf, MOST_WORK, check, check_within};
pub use encode::{MOST_BYTES, Malformed};
pub use proof::{Log, Premise, Proof};

use std::fmt;

/// Why a proof is none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flaw {
    /// The last line is not the empty clause.
    NoEmptyClause,
    /// A line has a literal of a variable that the clauses do not have.
    UnknownVariable {
        /// The number of the line.
        line: usize,
    },
    /// A hint names no clause, or none before its line.
    UnknownPremise {
        /// The number of the line.
        line: usize,
    },
    /// A hint leaves several literals open, or one that is true.
    NotUnit {
        /// The number of the line.
        line: usize,
        /// The place of the hint in its line.
        hint: usize,
    },
    /// Hints follow the one that is false.
    Superfluous {
        /// The number of the line.
        line: usize,
    },
    /// After all hints of a line nothing is false.
    Unfinished {
        /// The number of the line.
        line: usize,
    },
    /// Following the hints takes more than the bound, usually [`MOST_WORK`].
    TooMuchWork,
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Flaw::NoEmptyClause => write!(f, "the last line of the proof is not the empty clause"),
            Flaw::UnknownVariable { line } => write!(f, "line {line}: a variable that no clause has"),
            Flaw::UnknownPremise { line } => write!(f, "line {line}: a hint names no earlier clause"),
            Flaw::NotUnit { line, hint } => write!(f, "line {line}: hint {hint} implies no new literal"),
            Flaw::Superfluous { line } => write!(f, "line {line}: hints after the contradiction"),
            Flaw::Unfinished { line } => write!(f, "line {line}: the hints lead to no contradiction"),
            Flaw::TooMuchWork => write!(f, "the proof takes too many steps to check"),
        }
    }
}

impl std::error::Error for Flaw {}
