//! Operations of machines that bit vectors have no single function for: bits counted, the smaller of two
//! floats, unsigned conversions, tables.
//!
//! A table is a constant array with a write per cell: the native core takes the writes of a literal array as
//! one table, and every solver knows them. It is made once, whatever reads it. Elements that fit into fewer
//! bits are kept in fewer: all the values of an element are then tried at once.

use super::{Write, format};
use crate::node::Expr;
use crate::op::{Binary, Cast, Kind, Unary};
use evergreen_term::{Fun, Indexed, TermId};

/// The array of a table: its term, and how its elements become values.
#[derive(Clone, Copy)]
pub(super) struct Array {
    term: TermId,
    /// Bits of an element.
    width: u32,
}

impl Write<'_> {
    /// Bits counted. What is above the highest one is filled up for `clz`, and what is below the lowest is
    /// left over for `ctz`, so that only ones are counted; `0` needs no case of its own.
    pub(super) fn count(&mut self, op: Unary, kind: Kind, x: TermId) -> TermId {
        let bits = kind.bits();
        match op {
            Unary::Clz => {
                let mut filled = x;
                for step in [1, 2, 4, 8, 16, 32].into_iter().take_while(|step| *step < bits) {
                    let by = self.bv(bits, i64::from(step));
                    let shifted = self.app(Fun::BvLshr, &[filled, by]);
                    filled = self.app(Fun::BvOr, &[filled, shifted]);
                }
                let (ones, all) = (self.ones(kind, filled), self.bv(bits, i64::from(bits)));
                self.app(Fun::BvSub, &[all, ones])
            }
            Unary::Ctz => {
                let one = self.bv(bits, 1);
                let (less, not) = (self.app(Fun::BvSub, &[x, one]), self.app(Fun::BvNot, &[x]));
                let below = self.app(Fun::BvAnd, &[not, less]);
                self.ones(kind, below)
            }
            _ => self.ones(kind, x),
        }
    }

    /// How many bits are one: in pairs, in fours, in bytes, and then all bytes by one product.
    fn ones(&mut self, kind: Kind, x: TermId) -> TermId {
        let bits = kind.bits();
        let masked = |write: &mut Self, x: TermId, by: i64, mask: u8| {
            let mask = write.bv(bits, i64::from_ne_bytes([mask; 8]));
            let by = write.bv(bits, by);
            let shifted = write.app(Fun::BvLshr, &[x, by]);
            (write.app(Fun::BvAnd, &[shifted, mask]), mask)
        };
        let (odd, _) = masked(self, x, 1, 0x55);
        let pairs = self.app(Fun::BvSub, &[x, odd]);
        let (high, mask) = masked(self, pairs, 2, 0x33);
        let low = self.app(Fun::BvAnd, &[pairs, mask]);
        let fours = self.app(Fun::BvAdd, &[low, high]);
        let four = self.bv(bits, 4);
        let shifted = self.app(Fun::BvLshr, &[fours, four]);
        let sum = self.app(Fun::BvAdd, &[fours, shifted]);
        let mask = self.bv(bits, i64::from_ne_bytes([0x0f; 8]));
        let bytes = self.app(Fun::BvAnd, &[sum, mask]);
        let (each, top) = (self.bv(bits, i64::from_ne_bytes([1; 8])), self.bv(bits, i64::from(bits - 8)));
        let product = self.app(Fun::BvMul, &[bytes, each]);
        self.app(Fun::BvLshr, &[product, top])
    }

    /// A quotient or a remainder of values that are never negative, in as many bits as the larger one may
    /// have: the circuit of a division is quadratic in them. Only where inputs are octets, so that the
    /// stored answers of other programs keep their keys.
    pub(super) fn narrow_division(
        &mut self,
        op: Binary,
        (a, x): (Expr, TermId),
        (b, y): (Expr, TermId),
    ) -> Option<TermId> {
        let fun = match op {
            Binary::Div | Binary::Udiv => Fun::BvUdiv,
            Binary::Rem | Binary::Urem => Fun::BvUrem,
            _ => return None,
        };
        let bits = self.exprs.kind(a).bits();
        let ((a_lo, a_hi), (b_lo, b_hi)) = (self.exprs.interval(a), self.exprs.interval(b));
        let width = 64 - a_hi.max(b_hi).max(1).leading_zeros();
        if !self.exprs.has_octets() || a_lo < 0 || b_lo < 0 || width >= bits {
            return None;
        }
        let [x, y] = [x, y].map(|side| self.indexed(Indexed::Extract, width - 1, 0, &[side]));
        let narrow = self.app(fun, &[x, y]);
        Some(self.indexed(Indexed::ZeroExtend, bits - width, 0, &[narrow]))
    }

    /// The smaller or the larger one. `fp.min` leaves zeros of two signs open.
    pub(super) fn extreme(&mut self, op: Binary, kind: Kind, x: TermId, y: TermId) -> TermId {
        let (first, second) = if op == Binary::Min { (x, y) } else { (y, x) };
        if kind.is_int() {
            let less = self.app(Fun::BvSlt, &[x, y]);
            return self.app(Fun::Ite, &[less, first, second]);
        }
        let (less, more) = (self.app(Fun::FpLt, &[x, y]), self.app(Fun::FpLt, &[y, x]));
        // Equal, and different only as zeros.
        let negative = self.app(Fun::FpIsNegative, &[x]);
        let equal = self.app(Fun::Ite, &[negative, first, second]);
        let not_less = self.app(Fun::Ite, &[more, second, equal]);
        let ordered = self.app(Fun::Ite, &[less, first, not_less]);
        let (x_nan, y_nan) = (self.app(Fun::FpIsNan, &[x]), self.app(Fun::FpIsNan, &[y]));
        let rest = self.app(Fun::Ite, &[y_nan, y, ordered]);
        self.app(Fun::Ite, &[x_nan, x, rest])
    }

    /// Towards zero; NaN and what is negative are 0, and what is too large is the largest.
    pub(super) fn truncated_to_unsigned(&mut self, cast: Cast, x: TermId) -> TermId {
        let (from, to) = cast.kinds();
        let power = 2f64.powi(to.bits() as i32);
        let raw = |value: f64| match from {
            Kind::F32 => crate::concrete::f32_raw(value as f32),
            _ => crate::concrete::f64_raw(value),
        };
        let (low, high) = (self.constant(from, raw(0.0)), self.constant(from, raw(power)));
        let mode = self.app(Fun::RoundZero, &[]);
        let inside = self.indexed(Indexed::FpToUbv, to.bits(), 0, &[mode, x]);
        let (zero, most) = (self.bv(to.bits(), 0), self.bv(to.bits(), -1));
        let too_small = self.app(Fun::FpLeq, &[x, low]);
        let too_large = self.app(Fun::FpLeq, &[high, x]);
        let nan = self.app(Fun::FpIsNan, &[x]);
        let result = self.app(Fun::Ite, &[too_large, most, inside]);
        let nothing = self.app(Fun::Or, &[nan, too_small]);
        self.app(Fun::Ite, &[nothing, zero, result])
    }

    /// The element of a table.
    pub(super) fn element(&mut self, table: u32, kind: Kind, index: TermId) -> TermId {
        let array = match self.to.tables.get(&(table, kind)) {
            Some(&known) => known,
            None => {
                let made = self.array(table, kind);
                self.to.tables.insert((table, kind), made);
                made
            }
        };
        let element = self.app(Fun::Select, &[array.term, index]);
        let missing = kind.bits() - array.width;
        let bits =
            if missing == 0 { element } else { self.indexed(Indexed::ZeroExtend, missing, 0, &[element]) };
        if kind.is_int() {
            return bits;
        }
        let (exponent, significand) = format(kind);
        self.indexed(Indexed::ToFp, exponent, significand, &[bits])
    }

    fn array(&mut self, table: u32, kind: Kind) -> Array {
        let cells = self.exprs.tables.cells(table).clone();
        let fits = |bits: u32| cells.iter().all(|&cell| cell >= 0 && cell >> bits == 0);
        let width = [8, 16, 32].into_iter().find(|&bits| bits < kind.bits() && fits(bits));
        let width = width.unwrap_or(kind.bits());
        let (index, element) = (self.terms.bitvec_sort(32), self.terms.bitvec_sort(width));
        let sort = self.terms.array_sort(index, element);
        let zero = self.bv(width, 0);
        let mut term = self.terms.const_array(sort, zero).expect("a literal is an element");
        for (at, &cell) in cells.iter().enumerate().filter(|(_, cell)| **cell != 0) {
            let (at, cell) = (self.bv(32, at as i64), self.bv(width, cell));
            term = self.app(Fun::Store, &[term, at, cell]);
        }
        Array { term, width }
    }
}
