//! Values that depend on nothing but the constraints: a slice solved afresh, with everything in an order of its own.
//!
//! The incremental solver starts each query from its last model, so which model it gives depends on all queries before. Where a model has to be
//! the same in every run (the inputs of a test, say), the rows of the slice are put into a new solver: variables by their names, the
//! rows of each constraint sorted, equations with a positive first coefficient. A path's slice takes microseconds.

use super::Engine;
use crate::native;
use evergreen_canon::{Compare, Leaf, Path, Variable};
use evergreen_lia::{Op, Row, Solver, Verdict};
use evergreen_term::{Model, SymbolId, TermId, Terms, Value};

impl Engine {
    /// Whether a solver may be asked what is not found.
    pub fn may_solve(&self) -> bool {
        !self.options.require_hit
    }

    /// The constraints of a path that new ones depend on, in the order of the path, and the new ones.
    pub fn slice_on(
        &mut self,
        terms: &Terms,
        path: &Path,
        constraints: &[TermId],
        new: &[TermId],
    ) -> Vec<TermId> {
        let mut reached = self.canonizer.focus_all(terms, path, new);
        reached.sort_unstable();
        let old = reached.iter().map(|&i| constraints[i as usize]);
        old.chain(new.iter().copied()).collect()
    }

    /// A model of linear constraints that depends on nothing else; none if one is not linear, or if it takes too long.
    pub fn settle(&mut self, terms: &Terms, constraints: &[TermId]) -> Option<Model> {
        let mut groups = Vec::with_capacity(constraints.len());
        for &constraint in constraints {
            groups.push(native::rows_of(terms, &mut self.canonizer, constraint)?);
        }
        let mut variables: Vec<(&str, Variable, SymbolId)> = Vec::new();
        for &(variable, _) in groups.iter().flat_map(|rows| rows.iter()).flat_map(|row| &row.terms) {
            if !variables.iter().any(|known| known.1 == variable) {
                let Leaf::Symbol(symbol) = self.canonizer.leaf(variable) else { return None };
                variables.push((terms.symbol_text(symbol), variable, symbol));
            }
        }
        variables.sort_unstable_by(|a, b| a.0.cmp(b.0));
        let number = |variable: Variable| variables.iter().position(|known| known.1 == variable);
        let mut solver = Solver::with_effort(native::EFFORT);
        let mut group: Vec<Row> = Vec::new();
        for rows in &groups {
            group.clear();
            for row in rows.iter() {
                let mut told = Row { op: native::op(row.compare), terms: Vec::new(), constant: row.constant };
                for &(variable, factor) in &row.terms {
                    told.terms.push((number(variable)? as u32, factor));
                }
                told.terms.sort_unstable();
                let turned = row.compare != Compare::Le && told.terms.first().is_some_and(|t| t.1 < 0);
                if turned {
                    told.terms.iter_mut().for_each(|t| t.1 = -t.1);
                    told.constant = -told.constant;
                }
                group.push(told);
            }
            let order = |op: Op| match op {
                Op::Eq => 0,
                Op::Le => 1,
                Op::Ne => 2,
            };
            group.sort_unstable_by(|a, b| {
                (order(a.op), &a.terms, a.constant).cmp(&(order(b.op), &b.terms, b.constant))
            });
            group.iter().for_each(|row| solver.assert(row));
        }
        if solver.check() != Verdict::Sat {
            return None;
        }
        let value = |(number, known): (usize, &(&str, Variable, SymbolId))| {
            (known.2, Value::Int(solver.value(number as u32)))
        };
        Some(variables.iter().enumerate().map(value).collect())
    }
}
