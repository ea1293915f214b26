//! Intervals of expressions where inputs have less than their range, without any memory of what was seen.
//!
//! [`crate::Bounds`] keeps the bounds of a path by expression, and a question to it collects nodes in maps.
//! A caller that knows intervals of inputs only, and asks about conditions of a handful of nodes, needs
//! neither: this is one walk over a small expression.

use crate::concrete;
use crate::exprs::Exprs;
use crate::interval;
use crate::node::{Cond, Expr, Input, Node};

/// Larger conditions are not looked at.
const MOST: u32 = 200;

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
