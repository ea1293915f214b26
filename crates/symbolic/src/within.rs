//! Intervals of expressions where inputs have less than their range, without any memory of what was seen.
//!
//! [`crate::Bounds`] keeps the bounds of a path by expression, and a question to it collects nodes in maps.
//! A caller that knows intervals of inputs only, and asks about conditions of a handful of nodes, needs
//! neither: this is one walk over a small expression.

use crate::concrete;
use crate::exprs::Exprs;
use crate::interval;
use crate::linear::Sum;
use crate::node::{Cond, Expr, Input, Node};

/// Larger conditions are not looked at.
pub const MOST: u32 = 200;

/// The interval of an input, if it has another than its range.
type Intervals<'a> = &'a dyn Fn(Input) -> Option<(i64, i64)>;

impl Exprs {
    /// Whether a condition holds for all inputs within some intervals, or for none; `None` if that is not
    /// known.
    pub fn decided_within(&self, cond: Cond, intervals: Intervals<'_>) -> Option<bool> {
        let data = &self.nodes[cond.index() as usize];
        if data.size > MOST {
            return cond.as_bool();
        }
        let holds = match data.node {
            Node::True => true,
            Node::And(a, b) => match (self.decided_within(a, intervals), self.decided_within(b, intervals)) {
                (Some(false), _) | (_, Some(false)) => false,
                (Some(true), Some(true)) => true,
                _ => return None,
            },
            Node::Eq(a, b) => match self.between(a, b, intervals) {
                (lo, hi) if lo > 0 || hi < 0 => false,
                (0, 0) => true,
                _ => return None,
            },
            Node::Lt(a, b) => match self.between(a, b, intervals) {
                (_, hi) if hi < 0 => true,
                (lo, _) if lo >= 0 => false,
                _ => return None,
            },
            Node::Below(a, b) => {
                let kind = self.kind(a);
                let ((a_lo, a_hi), (b_lo, b_hi)) = (self.within(a, intervals), self.within(b, intervals));
                // Of one sign, the order of the ends is that of the unsigned values.
                if (a_lo < 0) != (a_hi < 0) || (b_lo < 0) != (b_hi < 0) {
                    return None;
                }
                let [a_lo, a_hi, b_lo, b_hi] =
                    [a_lo, a_hi, b_lo, b_hi].map(|end| concrete::unsigned(kind, end));
                match () {
                    () if a_hi < b_lo => true,
                    () if a_lo >= b_hi => false,
                    () => return None,
                }
            }
            _ => return None,
        };
        Some(holds != cond.is_negated())
    }

    /// Whether two comparisons exclude each other because they are about the same sum: `x + y > 9` and
    /// `x + y < 5`. False if that is not seen at once.
    pub fn exclude(&self, a: Cond, b: Cond) -> bool {
        let (Some((one, (a_lo, a_hi))), Some((two, (b_lo, b_hi)))) =
            (self.sum_between(a), self.sum_between(b))
        else {
            return false;
        };
        one.terms == two.terms && (a_hi < b_lo || b_hi < a_lo)
    }

    /// A comparison as bounds of a sum without a constant, whose first factor is positive.
    fn sum_between(&self, cond: Cond) -> Option<(Sum, (i128, i128))> {
        let (node, negated) = (self.nodes[cond.index() as usize].node, cond.is_negated());
        let (Node::Lt(a, b) | Node::Eq(a, b)) = node else { return None };
        if !self.is_exact(a) || !self.is_exact(b) {
            return None;
        }
        let mut sum = self.difference(&self.as_sum(a), &self.as_sum(b))?;
        // Of the sum with its constant; an end that is open is far away.
        let far = 1i128 << 100;
        let (lo, hi) = match (node, negated) {
            (Node::Lt(..), false) => (-far, -1),
            (Node::Lt(..), true) => (0, far),
            (_, false) => (0, 0),
            (_, true) => return None,
        };
        let constant = i128::from(std::mem::take(&mut sum.constant));
        let (lo, hi) = (lo - constant, hi - constant);
        if sum.terms.first()?.1 > 0 {
            return Some((sum, (lo, hi)));
        }
        let opposite = self.difference(&Sum::default(), &sum)?;
        Some((opposite, (-hi, -lo)))
    }

    /// The interval of a difference over the integers.
    fn between(&self, a: Expr, b: Expr, intervals: Intervals<'_>) -> (i128, i128) {
        let ((a_lo, a_hi), (b_lo, b_hi)) = (self.within(a, intervals), self.within(b, intervals));
        (i128::from(a_lo) - i128::from(b_hi), i128::from(a_hi) - i128::from(b_lo))
    }

    /// The interval of an integer expression.
    fn within(&self, expr: Expr, intervals: Intervals<'_>) -> (i64, i64) {
        let data = self.data(expr);
        let (lo, hi) = (data.lo, data.hi);
        let found = match data.node {
            Node::Input(input) => intervals(input),
            Node::Linear(_) => {
                let sum = self.as_sum(expr);
                self.fit(data.kind, sum.integer_interval(|atom| self.within(atom, intervals)))
            }
            Node::Binary(op, a, b) if data.kind.is_int() => {
                let (a, b) = (self.within(a, intervals), self.within(b, intervals));
                Some(self.binary_interval(op, data.kind, a, b))
            }
            Node::Unary(op, a) if data.kind.is_int() => {
                Some(interval::count(op, data.kind, self.within(a, intervals)))
            }
            Node::Cast(cast, a) if cast.kinds().0.is_int() && cast.kinds().1.is_int() => {
                Some(interval::cast(cast, self.within(a, intervals)))
            }
            Node::Table(table, index) if data.kind.is_int() => {
                Some(self.tables.interval(table, self.within(index, intervals)))
            }
            Node::Ite(cond, a, b) if data.kind.is_int() => match self.decided_within(cond, intervals) {
                Some(true) => Some(self.within(a, intervals)),
                Some(false) => Some(self.within(b, intervals)),
                None => {
                    let ((a, b), (c, d)) = (self.within(a, intervals), self.within(b, intervals));
                    Some((a.min(c), b.max(d)))
                }
            },
            _ => None,
        };
        // The interval of all inputs holds as well.
        let (least, greatest) = found.unwrap_or((lo, hi));
        (least.max(lo), greatest.min(hi))
    }
}
