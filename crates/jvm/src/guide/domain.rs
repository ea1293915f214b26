//! The values that a path leaves to the plain fields of structures: the invariant knows a colour
//! once a branch has tested it.
//!
//! A field with a small range keeps the set of values that it can still have. A branch whose only open input
//! is such a field narrows the set, by evaluating the branch's condition for each value: exact, and no solver
//! is asked. A field with one value left is put into the structure's [`evergreen_heap::Partial`]; if no valid
//! structure has it, the path ends. Conditions on several open fields, or on keys, are left to the path's
//! end: an open field stays open, which is sound.

use std::rc::Rc;

use evergreen_heap::{FieldId, Value as Plain};
use evergreen_symbolic::{Assignment, Cond, Const, Expr, Input, Kind};

use super::At;
use crate::lazy::Purpose;
use crate::machine::Jvm;
use crate::state::State;

/// The values that a plain field can still have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Domain {
    input: Input,
    at: At,
    field: FieldId,
    least: i64,
    /// Which of the 64 numbers from `least` on.
    values: u64,
}

impl Domain {
    fn only(&self) -> Option<i64> {
        (self.values.count_ones() == 1).then(|| self.least + i64::from(self.values.trailing_zeros()))
    }
}

impl Jvm {
    /// A plain field has become an input.
    pub(crate) fn note_domain(&mut self, state: &mut State, at: At, field: FieldId, expr: Expr) {
        let (least, greatest) = self.exprs.borrow().interval(expr);
        let Some(input) = self.exprs.borrow().as_input(expr) else { return };
        let Some(more @ 0..64) = greatest.checked_sub(least) else { return };
        let domain = Domain { input, at, field, least, values: u64::MAX >> (63 - more) };
        state.lazy_mut().domains.push(domain);
    }

    /// The path has taken an arm on which a condition holds.
    pub(crate) fn learn(&mut self, state: &mut State, cond: Cond) {
        if state.lazy.domains.is_empty() {
            return;
        }
        let Some((place, values)) = self.narrowed(state, cond) else { return };
        let lazy = state.lazy_mut();
        lazy.domains[place].values = values;
        let domain = lazy.domains[place];
        let Some(value) = domain.only() else { return };
        let Ok(value) = i32::try_from(value) else { return };
        let structure = &mut lazy.structures[domain.at.structure];
        let partial = Rc::make_mut(&mut structure.partial);
        partial.heap.set(domain.at.object, domain.field, Plain::Int(value));
        let guide = &mut self.guides[structure.guide];
        let before = (guide.lazy.pruned, guide.lazy.counters());
        lazy.impossible |= !guide.lazy.is_possible(partial);
        if lazy.purpose == Purpose::Path {
            self.lazy_counts.note(before, (guide.lazy.pruned, guide.lazy.counters()));
        }
    }

    /// The domain that a condition narrows, and its remaining values.
    fn narrowed(&self, state: &State, cond: Cond) -> Option<(usize, u64)> {
        let exprs = self.exprs.borrow();
        let domains = &state.lazy.domains;
        let mut values = Assignment::new();
        let number = |input: Input, value: i64| match exprs.kind(exprs.expr_of(input)) {
            Kind::I64 => Const::I64(value),
            _ => Const::I32(value as i32),
        };
        let mut open = None;
        for input in exprs.inputs_of(cond) {
            let place = domains.iter().rposition(|domain| domain.input == *input)?;
            match domains[place].only() {
                Some(value) => values.set(&exprs, *input, number(*input, value)),
                None if open.is_none() => open = Some(place),
                None => return None,
            }
        }
        let place = open?;
        let domain = domains[place];
        let mut left = 0;
        for bit in (0..64).filter(|bit| domain.values >> bit & 1 == 1) {
            values.set(&exprs, domain.input, number(domain.input, domain.least + bit));
            left |= u64::from(exprs.holds(cond, &values)) << bit;
        }
        // An infeasible path leaves no value.
        (left != 0 && left != domain.values).then_some((place, left))
    }
}
