//! One conjunction, one answer.

use crate::certificate::Certificate;
use crate::effort::Effort;
use crate::row::{Row, Var};
use crate::solver::{Solver, Verdict};
use evergreen_term::Int;

/// The answer about one conjunction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// A model: the variables that occur, ascending, with their values.
    Sat(Vec<(Var, Int)>),
    /// There is none.
    Unsat {
        /// Numbers of rows that contradict each other, ascending; none of them can be left out, as far as the effort tells.
        core: Vec<u32>,
        /// A proof over the rows of the core, in that order; `None` if it would have taken more than the effort.
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
