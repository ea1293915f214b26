//! Unsigned integers: relations, extension, division, and the operations that count bits.
//!
//! C compares bytes, lengths and pointers as unsigned integers, and compilers write `'0' <= c && c <= '9'` as
//! `c - 48 <u 10`. Most unsigned operations are signed ones in disguise, which everything else here knows
//! well: both sides are never negative, or the side that may be negative is compared with one that is not, or
//! a form that wraps as an int has its unsigned value exactly as a long (four bytes that make an int). Only
//! the rest gets nodes of its own.
//!
//! `a <u b` with `a` of either sign and `b` not negative is `0 <= a && a < b`: as a conjunction it sets
//! bounds on a path, and its opposite is a disjunction of two bounds. The other writing, with a quotient,
//! makes the native core branch on the quotient in both polarities.

use crate::concrete;
use crate::exprs::Exprs;
use crate::interval;
use crate::node::{Cond, Expr, HARD, Node};
use crate::op::{Binary, Cast, Ints, Kind, Rel, Unary};

impl Exprs {
    /// The condition that two integers of one kind, taken as unsigned ones, stand in a relation.
    pub fn relate_unsigned(&mut self, rel: Rel, a: Expr, b: Expr) -> Cond {
        match rel {
            Rel::Eq | Rel::Ne => self.relate(rel, a, b),
            Rel::Lt => self.below(a, b),
            Rel::Ge => self.below(a, b).negated(),
            Rel::Gt => self.below(b, a),
            Rel::Le => self.below(b, a).negated(),
        }
    }

    fn below(&mut self, a: Expr, b: Expr) -> Cond {
        if let Some(&known) = self.unsigned_memo.get(&(a, b)) {
            return known;
        }
        let cond = self.make_below(a, b);
        self.unsigned_memo.insert((a, b), cond);
        cond
    }

    fn make_below(&mut self, a: Expr, b: Expr) -> Cond {
        let kind = self.kind(a);
        let ((a_lo, a_hi), (b_lo, b_hi)) = (self.interval(a), self.interval(b));
        // Of one sign, the order is the same.
        if self.ints == Ints::Math || (a_lo >= 0 && b_lo >= 0) || (a_hi < 0 && b_hi < 0) {
            return self.relate(Rel::Lt, a, b);
        }
        if let (Some(x), Some(y)) = (self.as_raw(a), self.as_raw(b)) {
            return Cond::from_bool(concrete::unsigned(kind, x) < concrete::unsigned(kind, y));
        }
        match () {
            () if a == b => return Cond::FALSE,
            () if a_lo >= 0 && b_hi < 0 => return Cond::TRUE,
            () if a_hi < 0 && b_lo >= 0 => return Cond::FALSE,
            () => {}
        }
        if let (Some(x), Some(y)) = (self.unsigned_form(a), self.unsigned_form(b)) {
            return self.relate(Rel::Lt, x, y);
        }
        let zero = self.raw_constant(kind, 0);
        if b_lo >= 0 {
            let (positive, less) = (self.relate(Rel::Ge, a, zero), self.relate(Rel::Lt, a, b));
            return self.and(positive, less);
        }
        if a_lo >= 0 {
            let (negative, less) = (self.relate(Rel::Lt, b, zero), self.relate(Rel::Lt, a, b));
            return self.or(negative, less);
        }
        if b_hi < 0 {
            // What is not negative is below all that is.
            let (positive, less) = (self.relate(Rel::Ge, a, zero), self.relate(Rel::Lt, a, b));
            return self.or(positive, less);
        }
        if a_hi < 0 {
            let (negative, less) = (self.relate(Rel::Lt, b, zero), self.relate(Rel::Lt, a, b));
            return self.and(negative, less);
        }
        self.cond(Node::Below(a, b), 0)
    }

    /// The unsigned value of an int as a long, where it is simple: the same value, or the
    /// same form, which as a form of ints may wrap.
    fn unsigned_form(&mut self, a: Expr) -> Option<Expr> {
        if self.kind(a) != Kind::I32 {
            return None;
        }
        if self.interval(a).0 >= 0 {
            return Some(self.cast(Cast::I2L, a));
        }
        if let Some(raw) = self.as_raw(a) {
            return Some(self.raw_constant(Kind::I64, raw & 0xffff_ffff));
        }
        let Node::Linear(_) = self.node(a) else { return None };
        let sum = self.as_sum(a);
        let (lo, hi) = self.integer_interval(&sum);
        if lo < 0 || hi > i128::from(u32::MAX) {
            return None;
        }
        let kind = Kind::I64;
        let mut result = self.raw_constant(kind, sum.constant);
        for (atom, factor) in sum.terms {
            let atom = self.cast(Cast::I2L, atom);
            result = self.combine(kind, (1, result), (factor, atom));
        }
        Some(result)
    }

    /// An int as a long, taken as an unsigned one.
    pub fn zero_extend(&mut self, a: Expr) -> Expr {
        if self.ints == Ints::Math {
            return self.cast(Cast::I2L, a);
        }
        if let Some(mapped) = self.map_cells(a, Kind::I64, &|raw| raw & 0xffff_ffff) {
            return mapped;
        }
        if let Some(simple) = self.unsigned_form(a) {
            return simple;
        }
        let wide = self.cast(Cast::I2L, a);
        let mask = self.raw_constant(Kind::I64, 0xffff_ffff);
        self.binary(Binary::And, wide, mask)
    }

    /// Whether a mask of longs keeps all the bits of an int.
    pub(crate) fn keeps_int(&self, mask: Expr) -> bool {
        let ones = self.as_raw(mask).map_or(0, i64::trailing_ones);
        ones >= 32 && self.has_bytes()
    }

    /// A quotient or a remainder of unsigned integers.
    pub(crate) fn unsigned_division(&mut self, op: Binary, kind: Kind, a: Expr, b: Expr) -> Expr {
        let is_quotient = op == Binary::Udiv;
        let signed = if is_quotient { Binary::Div } else { Binary::Rem };
        if self.ints == Ints::Math || (self.interval(a).0 >= 0 && self.interval(b).0 >= 0) {
            return self.binary(signed, a, b);
        }
        let Some(divisor) = self.as_raw(b) else { return self.opaque(op, kind, a, b) };
        let size = concrete::unsigned(kind, divisor);
        if size == 0 {
            return self.raw_constant(kind, 0);
        }
        if size.is_power_of_two() && is_quotient {
            let count = self.raw_constant(Kind::I32, i64::from(size.trailing_zeros()));
            return self.binary(Binary::Ushr, a, count);
        }
        if size.is_power_of_two() {
            let mask = self.raw_constant(kind, divisor.wrapping_sub(1));
            return self.binary(Binary::And, a, mask);
        }
        if divisor < 0 {
            // More than half of all: it fits in once at most.
            let fits_not = self.below(a, b);
            let (none, once) = if is_quotient {
                (self.raw_constant(kind, 0), self.raw_constant(kind, 1))
            } else {
                (a, self.binary(Binary::Sub, a, b))
            };
            return self.ite(fits_not, none, once);
        }
        if kind == Kind::I32 {
            let (x, y) = (self.zero_extend(a), self.zero_extend(b));
            let wide = self.binary(signed, x, y);
            return self.cast(Cast::L2I, wide);
        }
        self.opaque(op, kind, a, b)
    }

    /// An operation that counts bits of an integer.
    ///
    /// # Panics
    /// If it is an operation on floats.
    pub(crate) fn count(&mut self, op: Unary, kind: Kind, a: Expr) -> Expr {
        assert!(op.counts_bits(), "an integer has no {op:?}");
        let counted = |raw: i64| concrete::unary(op, kind, raw);
        if let Some(mapped) = self.map_cells(a, kind, &counted) {
            return mapped;
        }
        self.expr(Node::Unary(op, a), kind, interval::count(op, kind, self.interval(a)), HARD)
    }
}
