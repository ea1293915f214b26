//! Makes the last model fit the new rows by moving single variables: most branches need no more than that.
//!
//! A quantity outside its bounds is brought to the nearest value inside, by one of its variables: the one
//! whose move pushes the fewest others out of their bounds. Those come next. This is greedy, follows chains
//! of differences as Bellman and Ford would, and gives up after a few moves; simplex decides then. A move
//! costs one pass over the forms of a variable.

use crate::state::State;
use crate::tableau::{Id, NONE};

/// The moves made so far, so that they can be unmade.
#[derive(Clone, Debug, Default)]
pub(crate) struct Moves {
    /// Variables with the added amounts.
    pub made: Vec<(Id, i64)>,
    /// Quantities that may be out of bounds.
    pub queue: Vec<Id>,
}

impl State {
    /// The distance, with its sign, by which a quantity must move from `value` to be
    /// allowed. 0 if it may stay.
    #[inline]
    pub(crate) fn away(&self, id: Id, value: i64) -> i64 {
        let b = &self.tableau.bounds[id as usize];
        if b.lo_why != NONE && value < b.lo {
            return b.lo.wrapping_sub(value);
        }
        if b.hi_why != NONE && value > b.hi {
            return b.hi.wrapping_sub(value);
        }
        if self.excludes(id, value).is_some() { self.past_excluded(id, value) } else { 0 }
    }

    /// From an excluded value to the nearest that is not, within the bounds if possible.
    fn past_excluded(&self, id: Id, value: i64) -> i64 {
        let b = &self.tableau.bounds[id as usize];
        for by in 1..64 {
            for to in [value.wrapping_add(by), value.wrapping_sub(by)] {
                let inside = (b.lo_why == NONE || to >= b.lo) && (b.hi_why == NONE || to <= b.hi);
                if inside && self.excludes(id, to).is_none() {
                    return to.wrapping_sub(value);
                }
            }
        }
        1
    }

    /// Adds to a variable's value in the model, and to the forms it occurs in.
    pub(crate) fn shift(&mut self, var: Id, by: i64) {
        let value = &mut self.model[var as usize];
        *value = value.wrapping_add(by);
        for (form, times) in &self.occurs[var as usize] {
            let value = &mut self.model[*form as usize];
            *value = value.wrapping_add(times.wrapping_mul(by));
        }
    }

    /// Unmakes all moves but the first so many.
    pub(crate) fn unmake(&mut self, moves: &mut Moves, to: usize) {
        while moves.made.len() > to {
            if let Some((var, by)) = moves.made.pop() {
                self.shift(var, by.wrapping_neg());
            }
        }
    }

    /// Brings the queued quantities into bounds with at most `limit` further moves. Returns whether it
    /// succeeded; if not, the moves are not undone.
    pub(crate) fn repair(&mut self, moves: &mut Moves, limit: usize) -> bool {
        let limit = moves.made.len() + limit;
        let settled = moves.made.len();
        while let Some(id) = moves.queue.pop() {
            let need = self.away(id, self.model[id as usize]);
            if need == 0 {
                continue;
            }
            if moves.made.len() >= limit {
                return false;
            }
            let Some((var, by)) = self.best_move(id, need, &moves.made[settled..]) else { return false };
            self.shift(var, by);
            moves.made.push((var, by));
            moves.queue.push(id);
            if self.away(var, self.model[var as usize]) != 0 {
                moves.queue.push(var);
            }
            for (form, _) in &self.occurs[var as usize] {
                if self.away(*form, self.model[*form as usize]) != 0 {
                    moves.queue.push(*form);
                }
            }
        }
        true
    }

    /// The move that brings `id` into its bounds and pushes the fewest others out of theirs.
    fn best_move(&self, id: Id, need: i64, made: &[(Id, i64)]) -> Option<(Id, i64)> {
        if !self.quantities.is_form(id) {
            let back = made.iter().any(|(var, by)| *var == id && (*by > 0) != (need > 0));
            return (!back).then_some((id, need));
        }
        let mut best: Option<(usize, Id, i64)> = None;
        for &(var, times) in self.quantities.terms(id) {
            // Rounded away from 0: the form moves at least as far as it must.
            let size = need.unsigned_abs().div_ceil(times.unsigned_abs()) as i64;
            let by = if (need > 0) == (times > 0) { size } else { size.wrapping_neg() };
            if made.iter().any(|(v, b)| *v == var && (*b > 0) != (by > 0)) {
                continue;
            }
            let most = best.map_or(usize::MAX, |b| b.0);
            let cost = self.broken_by(var, by, most);
            if cost < most {
                best = Some((cost, var, by));
                if cost == 0 {
                    break;
                }
            }
        }
        best.map(|(_, var, by)| (var, by))
    }

    /// How many quantities a move would put out of bounds; counts no further than `most`.
    fn broken_by(&self, var: Id, by: i64, most: usize) -> usize {
        let mut broken = usize::from(self.away(var, self.model[var as usize].wrapping_add(by)) != 0);
        for &(form, times) in &self.occurs[var as usize] {
            if broken >= most {
                break;
            }
            let value = self.model[form as usize].wrapping_add(times.wrapping_mul(by));
            broken += usize::from(self.away(form, value) != 0);
        }
        broken
    }
}
