//! Linear forms modulo 2^bits: how sums, differences and multiples are kept.
//!
//! Wrapping is a ring homomorphism, so `wrap(wrap(a + b) + c) = wrap(a + b + c)`: a sum of sums is one form
//! and wraps once. A form whose exact value over its atoms' intervals stays within the kind's range never
//! wraps at all, and then it may be compared as a form over the integers.

use crate::build::MAX_LEAVES;
use crate::concrete;
use crate::exprs::Exprs;
use crate::node::{Expr, Node, WRAPS};
use crate::op::{Ints, Kind};

/// A longer form is an atom of the next, so that a sum over a large array does not take
/// space squared in its length.
const MAX_TERMS: usize = 256;

/// A form in the making: sorted by atom, no coefficient is zero.
#[derive(Clone, Default, Debug)]
pub(crate) struct Sum {
    pub(crate) terms: Vec<(Expr, i64)>,
    pub(crate) constant: i64,
}

impl Sum {
    /// The interval of the form over the integers, given those of its atoms.
    pub(crate) fn integer_interval(&self, interval: impl Fn(Expr) -> (i64, i64)) -> (i128, i128) {
        let (mut lo, mut hi) = (i128::from(self.constant), i128::from(self.constant));
        for &(atom, coefficient) in &self.terms {
            let (a, b) = interval(atom);
            let (a, b) = (i128::from(a) * i128::from(coefficient), i128::from(b) * i128::from(coefficient));
            // Saturating: a form of very many 64-bit atoms is then known to be large,
            // which is all that matters.
            lo = lo.saturating_add(a.min(b));
            hi = hi.saturating_add(a.max(b));
        }
        (lo, hi)
    }
}

impl Exprs {
    /// The expression as a form over atoms.
    pub(crate) fn as_sum(&self, expr: Expr) -> Sum {
        match self.node(expr) {
            Node::Const(raw) => Sum { terms: Vec::new(), constant: raw },
            Node::Linear(form) => {
                let form = &self.forms[form as usize];
                Sum { terms: form.terms.to_vec(), constant: form.constant }
            }
            _ => Sum { terms: vec![(expr, 1)], constant: 0 },
        }
    }

    /// `a * x + b * y`, modulo 2^bits.
    pub(crate) fn combine(&mut self, kind: Kind, (a, x): (i64, Expr), (b, y): (i64, Expr)) -> Expr {
        let (mut left, mut right) = (self.as_sum(x), self.as_sum(y));
        if left.terms.len() + right.terms.len() > MAX_TERMS {
            let (long, sum) =
                if left.terms.len() > right.terms.len() { (x, &mut left) } else { (y, &mut right) };
            *sum = Sum { terms: vec![(long, 1)], constant: 0 };
        }
        let sum = self.merge(kind, a, &left, b, &right);
        self.linear(kind, &sum)
    }

    /// `a * x + b * y`, modulo 2^bits.
    pub(crate) fn merge(&self, kind: Kind, a: i64, x: &Sum, b: i64, y: &Sum) -> Sum {
        let wrap = |value: i64| concrete::wrap(self.ints, kind, value);
        let mut terms = Vec::with_capacity(x.terms.len() + y.terms.len());
        let (mut i, mut j) = (0, 0);
        while i < x.terms.len() || j < y.terms.len() {
            let left = x.terms.get(i).map(|t| t.0);
            let right = y.terms.get(j).map(|t| t.0);
            let mut coefficient = 0i64;
            let atom = match (left, right) {
                (Some(l), Some(r)) => self.in_order(l, r).0,
                (Some(atom), None) | (None, Some(atom)) => atom,
                (None, None) => break,
            };
            if left == Some(atom) {
                coefficient = coefficient.wrapping_add(a.wrapping_mul(x.terms[i].1));
                i += 1;
            }
            if right == Some(atom) {
                coefficient = coefficient.wrapping_add(b.wrapping_mul(y.terms[j].1));
                j += 1;
            }
            let coefficient = wrap(coefficient);
            if coefficient != 0 {
                terms.push((atom, coefficient));
            }
        }
        let constant = a.wrapping_mul(x.constant).wrapping_add(b.wrapping_mul(y.constant));
        Sum { terms, constant: wrap(constant) }
    }

    /// `x - y` over the integers, if the coefficients fit.
    pub(crate) fn difference(&self, x: &Sum, y: &Sum) -> Option<Sum> {
        let mut terms: Vec<(Expr, i64)> = Vec::with_capacity(x.terms.len() + y.terms.len());
        let (mut i, mut j) = (0, 0);
        loop {
            let (atom, coefficient) = match (x.terms.get(i), y.terms.get(j)) {
                (Some(&(l, a)), Some(&(r, b))) if l == r => {
                    (i, j) = (i + 1, j + 1);
                    (l, a.checked_sub(b)?)
                }
                (Some(&(l, a)), right) if right.is_none_or(|r| self.rank(l) < self.rank(r.0)) => {
                    i += 1;
                    (l, a)
                }
                (_, Some(&(r, b))) => {
                    j += 1;
                    (r, b.checked_neg()?)
                }
                (_, None) => break,
            };
            if coefficient != 0 {
                terms.push((atom, coefficient));
            }
        }
        Some(Sum { terms, constant: x.constant.checked_sub(y.constant)? })
    }

    /// The expression whose value is the form's, wrapped.
    pub(crate) fn linear(&mut self, kind: Kind, sum: &Sum) -> Expr {
        match sum.terms.as_slice() {
            [] => return self.raw_constant(kind, sum.constant),
            [(atom, 1)] if sum.constant == 0 => return *atom,
            // Of a constant tree it is one again.
            &[(atom, factor)] if self.has_bytes() && (2..=MAX_LEAVES).contains(&self.data(atom).leaves) => {
                let constant = sum.constant;
                return self.map_leaves(atom, &mut |exprs, leaf| {
                    exprs.raw_constant(kind, factor.wrapping_mul(leaf).wrapping_add(constant))
                });
            }
            _ => {}
        }
        let (interval, traits) = match self.exact_interval(kind, sum) {
            Some(interval) => (interval, 0),
            None => (kind.range(), WRAPS),
        };
        let form = self.form(&sum.terms, sum.constant);
        self.expr(Node::Linear(form), kind, interval, traits)
    }

    /// The interval of the form over the integers.
    pub(crate) fn integer_interval(&self, sum: &Sum) -> (i128, i128) {
        sum.integer_interval(|atom| self.interval(atom))
    }

    /// The interval of a form that does not wrap.
    pub(crate) fn exact_interval(&self, kind: Kind, sum: &Sum) -> Option<(i64, i64)> {
        self.fit(kind, self.integer_interval(sum))
    }

    /// The interval, if it is within the kind's range; with unbounded integers, clamped to 64 bits.
    pub(crate) fn fit(&self, kind: Kind, (lo, hi): (i128, i128)) -> Option<(i64, i64)> {
        if self.ints == Ints::Math {
            let clamp = |v: i128| v.clamp(i128::from(i64::MIN), i128::from(i64::MAX)) as i64;
            return Some((clamp(lo), clamp(hi)));
        }
        let (least, greatest) = kind.range();
        let exact = lo >= i128::from(least) && hi <= i128::from(greatest);
        exact.then_some((lo as i64, hi as i64))
    }

    /// Whether the value is that of its form over the integers.
    pub(crate) fn is_exact(&self, expr: Expr) -> bool {
        self.data(expr).traits & WRAPS == 0
    }

    /// Both sides of `sum = 0` (or `sum < 0`) with positive coefficients only, if neither side wraps.
    ///
    /// The constant goes to a side without atoms, or to where it is positive.
    pub(crate) fn sides(&mut self, kind: Kind, sum: &Sum) -> Option<(Expr, Expr)> {
        let mut left = Sum::default();
        let mut right = Sum::default();
        for &(atom, coefficient) in &sum.terms {
            if coefficient > 0 {
                left.terms.push((atom, coefficient));
            } else {
                right.terms.push((atom, coefficient.checked_neg()?));
            }
        }
        let to_right = right.terms.is_empty() || (!left.terms.is_empty() && sum.constant < 0);
        if to_right {
            right.constant = sum.constant.checked_neg()?;
        } else {
            left.constant = sum.constant;
        }
        for side in [&left, &right] {
            self.exact_interval(kind, side)?;
        }
        Some((self.linear(kind, &left), self.linear(kind, &right)))
    }
}
