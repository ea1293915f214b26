//! The largest value of a quantity: primal simplex from a vertex where everything is within its bounds.
//!
//! Bland's rule throughout (smallest quantity in, smallest quantity out), so it ends. Only the
//! thorough solver asks for this.

use crate::effort::Budget;
use crate::number::Number;
use crate::tableau::{NONE, Place, Tableau};
use std::cmp::Ordering;

/// The largest value.
#[derive(Clone, Debug)]
pub(crate) enum Optimum<N> {
    /// `num / den`.
    At { num: N, den: N },
    /// There is none.
    Unbounded,
    /// The budget ran out.
    Exhausted,
    /// Numbers became too large; the tableau makes no sense any more.
    Overflow,
}

/// The bound that stops a column.
enum Stop<N> {
    Nothing,
    /// Its own other bound.
    Own(N),
    /// The quantity of this row reaches this bound.
    Row(usize, N),
}

impl<N: Number> Tableau<N> {
    /// Makes a basic quantity that has no bounds as large as it can be. The reasons are those of the bounds
    /// that stop it, with multipliers that add up to `den` times the quantity.
    pub(crate) fn maximize(
        &mut self,
        aim: u32,
        budget: &mut Budget,
        reasons: &mut Vec<(u32, N)>,
    ) -> Optimum<N> {
        loop {
            let Place::Row(row) = self.place(aim) else { return Optimum::Overflow };
            let Some(col) = self.improving(row) else {
                reasons.clear();
                for (cell, id) in self.row(row).iter().zip(&self.cols).filter(|(cell, _)| !cell.is_zero()) {
                    let b = &self.bounds[*id as usize];
                    reasons.push(if cell.sign() > 0 {
                        (b.hi_why, cell.clone())
                    } else {
                        (b.lo_why, cell.neg())
                    });
                }
                return Optimum::At { num: self.num[row].clone(), den: self.den[row].clone() };
            };
            if !budget.pivots(self.cost(row)) {
                return Optimum::Exhausted;
            }
            let up = self.row(row)[col].sign() > 0;
            let done = match self.stop(col, up) {
                None => None,
                Some(Stop::Nothing) => return Optimum::Unbounded,
                Some(Stop::Own(value)) => self.set_value(col, value),
                Some(Stop::Row(row, target)) => self.pivot(row, col, target),
            };
            if done.is_none() {
                return Optimum::Overflow;
            }
        }
    }

    /// The smallest nonbasic quantity that has room to make the row larger.
    fn improving(&self, row: usize) -> Option<usize> {
        let columns = self.row(row).iter().enumerate().filter(|(col, cell)| {
            let b = &self.bounds[self.cols[*col] as usize];
            match cell.sign() {
                1 => b.hi_why == NONE || self.vals[*col] < b.hi,
                -1 => b.lo_why == NONE || self.vals[*col] > b.lo,
                _ => false,
            }
        });
        columns.map(|(col, _)| col).min_by_key(|col| self.cols[*col])
    }

    /// The first bound that a column meets. `None` is overflow.
    fn stop(&self, col: usize, up: bool) -> Option<Stop<N>> {
        let own = &self.bounds[self.cols[col] as usize];
        // The distance so far is far / over.
        let (mut far, mut over) = (N::zero(), N::zero());
        let mut stop = Stop::Nothing;
        let mut who = u32::MAX;
        if up && own.hi_why != NONE {
            (far, over, stop) = (own.hi.sub(&self.vals[col])?, N::one(), Stop::Own(own.hi.clone()));
        } else if !up && own.lo_why != NONE {
            (far, over, stop) = (self.vals[col].sub(&own.lo)?, N::one(), Stop::Own(own.lo.clone()));
        }
        for (row, &id) in self.rows.iter().enumerate() {
            let cell = &self.row(row)[col];
            let b = &self.bounds[id as usize];
            let rises = (cell.sign() > 0) == up;
            if cell.is_zero() || (if rises { b.hi_why } else { b.lo_why }) == NONE {
                continue;
            }
            let bound = if rises { &b.hi } else { &b.lo };
            let room = bound.mul(&self.den[row])?.sub(&self.num[row])?;
            let (room, size) = if rises { (room, cell) } else { (room.neg(), cell) };
            let size = if size.sign() < 0 { size.neg() } else { size.clone() };
            let order = match &stop {
                Stop::Nothing => Ordering::Less,
                _ => room.mul(&over)?.cmp(&far.mul(&size)?),
            };
            if order == Ordering::Less || order == Ordering::Equal && id < who {
                (far, over, who, stop) = (room, size, id, Stop::Row(row, bound.clone()));
            }
        }
        Some(stop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::effort::Effort;

    /// x, y >= 0, x + 2y <= 10, 3x + y <= 15; reasons 0 to 3 in this order.
    fn wedge() -> Tableau<i64> {
        let mut tableau = Tableau::new();
        for _ in 0..5 {
            tableau.add_quantity();
        }
        tableau.add_column(0, 0);
        tableau.add_column(1, 0);
        for (id, terms, hi) in [(2, [(0, 1), (1, 2)], 10), (3, [(0, 3), (1, 1)], 15)] {
            tableau.add_row(id, &terms).unwrap();
            (tableau.bounds[id as usize].hi, tableau.bounds[id as usize].hi_why) = (hi, id);
            tableau.bounds[id as usize - 2].lo_why = id - 2;
        }
        tableau
    }

    /// The largest value as a fraction, and the reasons.
    fn largest(terms: [(u32, i64); 2]) -> (i64, i64, Vec<(u32, i64)>) {
        let mut tableau = wedge();
        tableau.add_row(4, &terms).unwrap();
        let mut reasons = Vec::new();
        match tableau.maximize(4, &mut Budget::new(Effort::default()), &mut reasons) {
            Optimum::At { num, den } => {
                reasons.sort_unstable();
                (num, den, reasons)
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_corner_and_who_is_to_blame() {
        // x + y is largest at (4, 3): five times the sum is two of the one and one of the other.
        assert_eq!(largest([(0, 1), (1, 1)]), (35, 5, vec![(2, 2), (3, 1)]));
        // x - y at (5, 0): three times it is one of 3x + y <= 15 and four of y >= 0.
        assert_eq!(largest([(0, 1), (1, -1)]), (15, 3, vec![(1, 4), (3, 1)]));
        assert_eq!(largest([(0, -1), (1, -1)]), (0, 1, vec![(0, 1), (1, 1)]));
        let mut tableau = wedge();
        tableau.bounds[3].hi_why = NONE;
        tableau.bounds[2].hi_why = NONE;
        tableau.add_row(4, &[(0, 1), (1, 1)]).unwrap();
        let optimum = tableau.maximize(4, &mut Budget::new(Effort::default()), &mut Vec::new());
        assert!(matches!(optimum, Optimum::Unbounded));
    }
}
