//! The backend: it solves what could not be reused.

use crate::{Core, Question, Verdict};
use evergreen_canon::Aside;
use evergreen_term::{Model, TermId, Terms};
use std::time::Duration;

/// What a backend wants to be asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Grain {
    /// Each part by itself, until one is unsatisfiable.
    Parts,
    /// The whole query at once: the backend has its own idea of it, such as a client's assertion stack.
    Whole,
}

/// What is to be solved.
#[derive(Clone, Copy, Debug)]
pub struct Task<'a> {
    /// The constraints: one part, or all parts that were not found.
    pub constraints: &'a [TermId],
    /// Objectives and soft constraints.
    pub asides: &'a [Aside],
    /// What is asked.
    pub question: Question,
    /// Whether a core is wanted as well, if it turns out to be unsatisfiable.
    pub want_core: bool,
}

/// What a backend found.
#[derive(Clone, Debug)]
pub struct Solved {
    /// The verdict.
    pub verdict: Verdict,
    /// For `Sat`: values of symbols, if the backend has them.
    pub model: Option<Model>,
    /// For `Unsat`: constraints that are unsatisfiable together, if the backend names them: of the task, or,
    /// where it solves whole queries, of the query as it was asked, split at its surface.
    pub core: Option<Core>,
    /// How long it took.
    pub elapsed: Duration,
    /// Whether the answer may be recorded: false when the backend saw something that this query does not say.
    pub recordable: bool,
}

/// Solves queries.
pub trait Backend {
    /// A name for records, such as `z3`.
    fn name(&self) -> &str;
    /// What it wants to be asked.
    fn grain(&self) -> Grain;
    /// Solves. Trouble of any kind is `Unknown`.
    fn solve(&mut self, terms: &mut Terms, task: Task<'_>) -> Solved;

    /// Whether there is nothing to ask: what the ladder does not answer stays unknown, and is no call of a
    /// solver. `solve` says why.
    fn is_absent(&self) -> bool {
        false
    }

    /// Why the backend gives up the query that it would be asked now, if that is known from an earlier run:
    /// it is not asked then.
    fn surrenders(&mut self) -> Option<String> {
        None
    }

    /// Whether a query means something that only its text can stand for: see [`Backend::verbatim`]. Asked
    /// before every question, so it should be quick to say no.
    fn is_verbatim(&self, _terms: &Terms, _constraints: &[TermId]) -> bool {
        false
    }

    /// The text of a query and of everything that its meaning depends on, if that is more than the standard's
    /// meaning of the constraints: options that are not known to leave it alone, definitions that solvers
    /// read differently. Equal texts must have equal verdicts. `None` for all other queries.
    fn verbatim(&mut self, _terms: &mut Terms, _constraints: &[TermId]) -> Option<Vec<u8>> {
        None
    }

    /// Solves one part by itself, for a backend that otherwise solves whole queries. `None` when it cannot.
    fn solve_part(&mut self, _terms: &mut Terms, _constraints: &[TermId]) -> Option<Solved> {
        None
    }
}
