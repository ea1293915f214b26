//! The SAT solver: BatSat behind RustSAT's traits, kept for all questions about one encoding.
//!
//! BatSat is plain Rust and builds in seconds; CaDiCaL needs a C++ compiler and libclang. The questions asked
//! here are many and small, for which assumptions and kept clauses serve well in either.

use crate::circuit::{Circuit, Lit};
use batsat::{SolverInterface, lbool};
use rustsat::solvers::{Solve, SolveIncremental, SolverResult};
use rustsat::types::{Clause, Lit as SatLit, TernaryVal};
use rustsat_batsat::BasicSolver;

/// A solver that holds the clauses of a circuit.
pub(crate) struct Solver {
    inner: BasicSolver,
    /// A clause could not be added, or the solver failed: every answer is unknown from here on.
    broken: bool,
}

fn outside(lit: Lit) -> SatLit {
    SatLit::new(lit.0 >> 1, lit.0 & 1 == 1)
}

impl Solver {
    pub(crate) fn new(circuit: &Circuit) -> Self {
        let mut solver = Solver { inner: BasicSolver::default(), broken: false };
        // Gates follow from their inputs, so the search never decides them: the queue of variables that a
        // search picks from is a third as long.
        for variable in 0..circuit.variables() {
            solver.inner.batsat_mut().new_var(lbool::UNDEF, !circuit.is_gate(variable));
        }
        circuit.each_clause(|lits| {
            let clause: Vec<Lit> = lits.iter().map(|l| Lit(*l)).collect();
            solver.clause(&clause);
        });
        solver
    }

    /// Adds a clause.
    pub(crate) fn clause(&mut self, lits: &[Lit]) {
        let clause: Clause = lits.iter().map(|l| outside(*l)).collect();
        self.broken |= self.inner.add_clause(clause).is_err();
    }

    /// Whether the clauses can be satisfied under assumptions; none if the solver failed.
    pub(crate) fn solve(&mut self, assumptions: &[Lit]) -> Option<bool> {
        if self.broken {
            return None;
        }
        let assumptions: Vec<SatLit> = assumptions.iter().map(|l| outside(*l)).collect();
        match self.inner.solve_assumps(&assumptions) {
            Ok(SolverResult::Sat) => Some(true),
            Ok(SolverResult::Unsat) => Some(false),
            Ok(SolverResult::Interrupted) | Err(_) => None,
        }
    }

    /// Those of the assumptions that the last unsat answer needed.
    pub(crate) fn core(&mut self, assumptions: &[Lit]) -> Option<Vec<Lit>> {
        let core = self.inner.core().ok()?;
        let needed = |lit: &&Lit| core.iter().any(|c| c.vidx32() == lit.0 >> 1);
        Some(assumptions.iter().filter(needed).copied().collect())
    }

    /// Whether a literal holds in the last model.
    pub(crate) fn value(&self, lit: Lit) -> bool {
        lit == Lit::TRUE || matches!(self.inner.lit_val(outside(lit)), Ok(TernaryVal::True))
    }
}
