//! The verdict on a conjunction.

use crate::certificate::Certificate;
use crate::effort::Effort;
use crate::row::{Row, Var};
use crate::solver::Solver;
use evergreen_term::Int;

/// The answer of a check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// There is a model: [`Solver::value`].
    Sat,
    /// There is none: [`Solver::core`], [`Solver::certificate`].
    Unsat,
    /// The effort did not suffice.
    Unknown,
}

/// How many checks each step of the solver answered. The same rows in the same order give the same counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// The last model held, or a contradiction was known already.
    pub known: u64,
    /// The new row contradicted the bounds of its own form.
    pub bounds: u64,
    /// A few moves of single variables made the model fit.
    pub moved: u64,
    /// Simplex, with a few splits.
    pub simplex: u64,
    /// The thorough solver.
    pub thorough: u64,
    /// No step answered; the effort was used up.
    pub unknown: u64,
    /// Exchanges of a row and a column, in all.
    pub pivots: u64,
    /// Case splits, in all.
    pub splits: u64,
}

/// The answer about one conjunction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// A model: the variables that occur, ascending, with their values.
    Sat(Vec<(Var, Int)>),
    /// There is none.
    Unsat {
        /// Numbers of rows that contradict each other, ascending; none of them can be left out, as far as
        /// the effort allows to check.
        core: Vec<u32>,
        /// A proof over the rows of the core, in that order; `None` if it would have
        /// taken more than the effort.
        certificate: Option<Certificate>,
    },
    /// The effort did not suffice.
    Unknown,
}

/// Decides one conjunction.
pub fn solve(rows: &[Row], effort: Effort) -> Answer {
    let mut solver = Solver::with_effort(effort);
    rows.iter().for_each(|row| solver.assert(row));
    match solver.check() {
        Verdict::Sat => {
            let mut variables: Vec<Var> = rows.iter().flat_map(|r| r.terms.iter().map(|t| t.0)).collect();
            variables.sort_unstable();
            variables.dedup();
            Answer::Sat(variables.into_iter().map(|v| (v, solver.value(v))).collect())
        }
        Verdict::Unsat => {
            solver.minimize();
            Answer::Unsat { core: solver.core().to_vec(), certificate: solver.certificate() }
        }
        Verdict::Unknown => Answer::Unknown,
    }
}
