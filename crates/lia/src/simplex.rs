//! General simplex over bounded quantities [Dutertre, de Moura CAV'06].
//!
//! A basic quantity outside its bounds is exchanged with a nonbasic one that has room; where none has
//! room the row and the bounds of its quantities are a conflict, and their coefficients its Farkas
//! multipliers. Nonbasic quantities may have any value within their bounds, not only a bound: the search
//! starts from the last model, and finds a vertex near it. There are no strict bounds (everything is an
//! integer), so no infinitesimals.

use crate::effort::Budget;
use crate::number::Number;
use crate::tableau::{NONE, Tableau};
use std::cmp::Ordering;

/// The outcome of simplex.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Relaxed {
    /// All quantities are within their bounds; some may be fractions.
    Feasible,
    /// No values are; the reasons and their multipliers are in the conflict.
    Conflict,
    /// The budget ran out.
    Exhausted,
    /// Numbers became too large; the tableau makes no sense any more.
    Overflow,
}

/// Pivots for each row and column after which the choice becomes Bland's, which is slow but cannot cycle.
const GREEDY: usize = 3;

impl<N: Number> Tableau<N> {
    /// Moves every nonbasic quantity into its bounds and pivots until every basic one is too.
    ///
    /// A conflict is a list of the bounds' reasons, each with its positive multiplier.
    pub(crate) fn relax(&mut self, budget: &mut Budget, conflict: &mut Vec<(u32, N)>) -> Relaxed {
        for col in 0..self.cols.len() {
            let b = &self.bounds[self.cols[col] as usize];
            let to = if b.lo_why != NONE && self.vals[col] < b.lo {
                b.lo.clone()
            } else if b.hi_why != NONE && self.vals[col] > b.hi {
                b.hi.clone()
            } else {
                continue;
            };
            if self.set_value(col, to).is_none() {
                return Relaxed::Overflow;
            }
        }
        let mut pivots = 0;
        let greedy = GREEDY * (self.rows.len() + self.cols.len());
        loop {
            let Some((row, below, hopeless)) = self.violated() else { return Relaxed::Feasible };
            let entering = if hopeless { None } else { self.entering(row, below, pivots >= greedy) };
            let Some(col) = entering else {
                self.explain(row, below, conflict);
                return Relaxed::Conflict;
            };
            if !budget.pivots(self.cost(row)) {
                return Relaxed::Exhausted;
            }
            pivots += 1;
            let b = &self.bounds[self.rows[row] as usize];
            let target = if below { b.lo.clone() } else { b.hi.clone() };
            if self.pivot(row, col, target).is_none() {
                return Relaxed::Overflow;
            }
        }
    }

    /// A violated row, whether it is below its bounds, and whether it is hopeless; else the one
    /// of the smallest quantity.
    fn violated(&self) -> Option<(usize, bool, bool)> {
        let mut best: Option<(u32, usize, bool)> = None;
        for (row, &id) in self.rows.iter().enumerate() {
            let b = &self.bounds[id as usize];
            let below =
                if b.lo_why != NONE && self.num[row].cmp_product(&b.lo, &self.den[row]) == Ordering::Less {
                    true
                } else if b.hi_why != NONE
                    && self.num[row].cmp_product(&b.hi, &self.den[row]) == Ordering::Greater
                {
                    false
                } else {
                    continue;
                };
            if self.hopeless(row, below) {
                return Some((row, below, true));
            }
            if best.is_none_or(|(smallest, _, _)| id < smallest) {
                best = Some((id, row, below));
            }
        }
        best.map(|(_, row, below)| (row, below, false))
    }

    /// Whether the row's quantity stays out of its bounds wherever the columns go within theirs. Columns that
    /// are not at a bound yet would cost a pivot each to find that out.
    fn hopeless(&self, row: usize, below: bool) -> bool {
        let mut furthest = N::zero();
        for (cell, id) in self.row(row).iter().zip(&self.cols) {
            if cell.is_zero() {
                continue;
            }
            let b = &self.bounds[*id as usize];
            let (bound, why) = if (cell.sign() > 0) == below { (&b.hi, b.hi_why) } else { (&b.lo, b.lo_why) };
            if why == NONE {
                return false;
            }
            match cell.mul(bound).and_then(|part| furthest.add(&part)) {
                Some(sum) => furthest = sum,
                None => return false,
            }
        }
        let b = &self.bounds[self.rows[row] as usize];
        if below {
            furthest.cmp_product(&b.lo, &self.den[row]) == Ordering::Less
        } else {
            furthest.cmp_product(&b.hi, &self.den[row]) == Ordering::Greater
        }
    }

    /// A column that can move the row's quantity towards its bounds.
    fn entering(&self, row: usize, up: bool, bland: bool) -> Option<usize> {
        let mut best: Option<(usize, f64, usize)> = None;
        for (col, cell) in self.row(row).iter().enumerate() {
            if cell.is_zero() {
                continue;
            }
            let id = self.cols[col];
            let b = &self.bounds[id as usize];
            let rises = (cell.sign() > 0) == up;
            let room = if rises {
                b.hi_why == NONE || self.vals[col] < b.hi
            } else {
                b.lo_why == NONE || self.vals[col] > b.lo
            };
            if !room {
                continue;
            }
            if bland {
                if best.is_none_or(|(_, _, at)| id < self.cols[at]) {
                    best = Some((0, 0.0, col));
                }
                continue;
            }
            let size = cell.approx().abs();
            let most = best.map_or(usize::MAX, |(broken, smallest, _)| broken + usize::from(size < smallest));
            let broken = self.broken_by(row, col, up, most);
            if broken < most {
                best = Some((broken, size, col));
            }
        }
        best.map(|(_, _, col)| col)
    }

    /// How many quantities would leave their bounds if the column moved the row's quantity to its bound;
    /// counts no further than `most`. In floating point: it is only advice.
    fn broken_by(&self, row: usize, col: usize, up: bool, most: usize) -> usize {
        let b = &self.bounds[self.rows[row] as usize];
        let target = if up { b.lo.approx() } else { b.hi.approx() };
        let by = (target * self.den[row].approx() - self.num[row].approx()) / self.row(row)[col].approx();
        let outside = |id: u32, value: f64| {
            let b = &self.bounds[id as usize];
            b.lo_why != NONE && value < b.lo.approx() || b.hi_why != NONE && value > b.hi.approx()
        };
        let mut broken = usize::from(outside(self.cols[col], self.vals[col].approx() + by));
        for other in 0..self.rows.len() {
            if broken >= most {
                break;
            }
            let cell = &self.row(other)[col];
            if other != row && !cell.is_zero() {
                let value = (self.num[other].approx() + cell.approx() * by) / self.den[other].approx();
                broken += usize::from(outside(self.rows[other], value));
            }
        }
        broken
    }

    fn explain(&self, row: usize, below: bool, conflict: &mut Vec<(u32, N)>) {
        conflict.clear();
        let b = &self.bounds[self.rows[row] as usize];
        conflict.push((if below { b.lo_why } else { b.hi_why }, self.den[row].clone()));
        for (col, cell) in self.row(row).iter().enumerate() {
            if !cell.is_zero() {
                let b = &self.bounds[self.cols[col] as usize];
                let why = if (cell.sign() > 0) == below { b.hi_why } else { b.lo_why };
                conflict.push((why, magnitude(cell)));
            }
        }
    }
}

fn magnitude<N: Number>(n: &N) -> N {
    if n.sign() < 0 { n.neg() } else { n.clone() }
}
