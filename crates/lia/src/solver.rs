//! The solver: an incremental stack of rows.

use crate::certificate::Certificate;
use crate::effort::{Budget, Effort};
use crate::row::{Op, Row, Var};
use crate::thorough::{Outcome, decide};
use evergreen_term::Int;

/// What a check found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// There is a model: [`Solver::value`].
    Sat,
    /// There is none: [`Solver::core`], [`Solver::certificate`].
    Unsat,
    /// The effort did not suffice.
    Unknown,
}

/// The answer about one conjunction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// A model: the variables that occur, ascending, with their values.
    Sat(Vec<(Var, Int)>),
    /// There is none.
    Unsat {
        /// Numbers of rows that suffice, ascending.
        core: Vec<u32>,
        /// A proof over the rows of the core, in that order; `None` if it would have taken more than the effort.
        certificate: Option<Certificate>,
    },
    /// The effort did not suffice.
    Unknown,
}

/// An incremental solver.
#[derive(Clone, Debug, Default)]
pub struct Solver {
    effort: Effort,
    rows: Vec<Row>,
    levels: Vec<usize>,
    model: Vec<(Var, Int)>,
    core: Vec<u32>,
    unsat: bool,
}

impl Solver {
    /// A solver without rows and with the usual effort.
    pub fn new() -> Solver {
        Solver::default()
    }

    /// A solver without rows.
    pub fn with_effort(effort: Effort) -> Solver {
        Solver { effort, ..Solver::default() }
    }

    /// Opens a level.
    pub fn push(&mut self) {
        self.levels.push(self.rows.len());
    }

    /// Closes the newest level: its rows are gone. Without an open level, nothing happens.
    pub fn pop(&mut self) {
        if let Some(rows) = self.levels.pop() {
            self.rows.truncate(rows);
        }
    }

    /// Adds a row to the newest level.
    pub fn assert(&mut self, row: &Row) {
        self.rows.push(row.clone());
    }

    /// Decides the live rows.
    pub fn check(&mut self) -> Verdict {
        self.unsat = false;
        match decide(&self.rows, &mut Budget::new(self.effort)) {
            Outcome::Sat(model) => {
                self.model = model;
                Verdict::Sat
            }
            Outcome::Unsat(proof) => {
                self.unsat = true;
                self.core = proof.core();
                Verdict::Unsat
            }
            Outcome::Unknown => Verdict::Unknown,
        }
    }

    /// A variable's value in the model of the last `Sat`.
    pub fn value(&self, var: Var) -> Int {
        let found = self.model.binary_search_by_key(&var, |(v, _)| *v);
        found.map_or(Int::ZERO, |k| self.model[k].1.clone())
    }

    /// Whether a row holds in the model of the last `Sat`; `None` before the first.
    pub fn holds(&self, row: &Row) -> Option<bool> {
        let sum = row
            .terms
            .iter()
            .fold(Int::from(row.constant), |s, (v, c)| s.add(&Int::from(*c).mul(&self.value(*v))));
        Some(match row.op {
            Op::Le => sum.signum() <= 0,
            Op::Eq => sum.is_zero(),
            Op::Ne => !sum.is_zero(),
        })
    }

    /// After `Unsat`: numbers of live rows that suffice, ascending.
    pub fn core(&self) -> &[u32] {
        &self.core
    }

    /// After `Unsat`: a proof over the rows of the core, in the order of [`Solver::core`].
    pub fn certificate(&self) -> Option<Certificate> {
        if !self.unsat {
            return None;
        }
        let rows: Vec<Row> = self.core.iter().map(|k| self.rows[*k as usize].clone()).collect();
        match decide(&rows, &mut Budget::new(self.effort)) {
            Outcome::Unsat(proof) => Some(proof.certificate()),
            _ => None,
        }
    }
}

/// Decides one conjunction.
pub fn solve(rows: &[Row], effort: Effort) -> Answer {
    let mut solver = Solver::with_effort(effort);
    rows.iter().for_each(|row| solver.assert(row));
    match solver.check() {
        Verdict::Sat => {
            let mut vars: Vec<Var> = rows.iter().flat_map(|r| r.terms.iter().map(|t| t.0)).collect();
            vars.sort_unstable();
            vars.dedup();
            Answer::Sat(vars.into_iter().map(|v| (v, solver.value(v))).collect())
        }
        Verdict::Unsat => Answer::Unsat { core: solver.core().to_vec(), certificate: solver.certificate() },
        Verdict::Unknown => Answer::Unknown,
    }
}
