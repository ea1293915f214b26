//! Integers as bytes: how memory takes them apart and puts them together again.
//!
//! A load of several bytes is a linear form `b0 + 256 * b1 + ...`, so a sum with it stays a form, and a byte
//! of it, a shift or a mask gives its bytes back: the terms of lower weight together are less than one of the
//! next, so a floor division by that weight drops them. An equation of such forms is one of each digit, from
//! the lowest: the digits below a weight are known modulo that weight.
//!
//! A store of a value that is no such form makes a byte of each place (`(x >>> 8) & 255`). The arena
//! remembers which value a byte is of, so that a load of all of them gives the value back.
//!
//! Rules that change what other front ends get are off until an input is an octet or a front end says that
//! its programs work on memory: published counts of questions stay what they were.

use crate::exprs::Exprs;
use crate::linear::Sum;
use crate::node::{Cond, Expr, Node};
use crate::op::{Binary, Cast, Ints, Kind, Rel};
use rustc_hash::FxHashMap;

/// Case distinctions above this size are not taken apart.
const MAX_ITE: u32 = 200;
/// An equation of more digits is left as it is.
const MAX_DIGITS: usize = 16;

/// The bytes that were taken of expressions.
#[derive(Default)]
pub(crate) struct Bytes {
    /// Whether rules for bytes apply: an input is an octet, or the program works on memory.
    pub(crate) are_inputs: bool,
    of: FxHashMap<(Expr, u32), Expr>,
    /// The expression that a byte was last taken of, and which byte it is.
    source: FxHashMap<Expr, (Expr, u32)>,
}

impl Exprs {
    /// Whether the program works on memory: rules for bytes apply.
    pub fn has_bytes(&self) -> bool {
        self.bytes.are_inputs && self.ints == Ints::Wrapped
    }

    /// The integer that bytes make, the lowest first; each is an int within 0 ..= 255. Missing
    /// ones are zero.
    pub fn concat_bytes(&mut self, bytes: &[Expr], kind: Kind) -> Expr {
        if let Some(whole) = self.taken_apart(bytes, kind) {
            return whole;
        }
        let mut all = self.raw_constant(kind, 0);
        for (place, &byte) in bytes.iter().enumerate().take(kind.bits() as usize / 8) {
            let byte = if kind == Kind::I64 { self.cast(Cast::I2L, byte) } else { byte };
            // The highest weight is negative for longs only if it is 2^63, which is no power of 256.
            all = self.combine(kind, (1, all), (1i64 << (8 * place), byte));
        }
        all
    }

    /// The value of which these are the bytes in order.
    fn taken_apart(&mut self, bytes: &[Expr], kind: Kind) -> Option<Expr> {
        let width = kind.bits() / 8;
        let &(source, first) = self.bytes.source.get(bytes.first()?)?;
        if bytes.len() as u32 != width || first % 4 != 0 {
            return None;
        }
        let next =
            |(place, byte): (usize, &Expr)| self.bytes.of.get(&(source, first + place as u32)) == Some(byte);
        if !bytes.iter().enumerate().all(next) {
            return None;
        }
        match (self.kind(source), kind, first) {
            (from, to, 0) if from == to => Some(source),
            (Kind::I64, Kind::I32, 0) => Some(self.cast(Cast::L2I, source)),
            (Kind::I64, Kind::I32, 4) => {
                let count = self.raw_constant(Kind::I32, 32);
                let high = self.binary(Binary::Ushr, source, count);
                Some(self.cast(Cast::L2I, high))
            }
            _ => None,
        }
    }

    /// A byte of an integer as an int within 0 ..= 255; number 0 is the lowest.
    pub fn byte_of(&mut self, a: Expr, n: u32) -> Expr {
        if let Some(&known) = self.bytes.of.get(&(a, n)) {
            return known;
        }
        let byte = self.make_byte(a, n);
        self.bytes.of.insert((a, n), byte);
        if self.as_raw(byte).is_none() {
            self.bytes.source.insert(byte, (a, n));
        }
        byte
    }

    fn make_byte(&mut self, a: Expr, n: u32) -> Expr {
        let kind = self.kind(a);
        let width = kind.bits() / 8;
        if let Some(raw) = self.as_raw(a) {
            return self.raw_constant(Kind::I32, (raw >> (8 * n.min(width - 1))) & 0xff);
        }
        if let Some(mapped) = self.map_cells(a, Kind::I32, &|raw| (raw >> (8 * n)) & 0xff) {
            return mapped;
        }
        if let Some(byte) = self.byte_of_operation(a, n) {
            return byte;
        }
        let shifted = match n {
            0 => a,
            _ => {
                let count = self.raw_constant(Kind::I32, i64::from(8 * n));
                self.binary(Binary::Ushr, a, count)
            }
        };
        let byte = self.low_bits(kind, shifted, 8);
        if kind == Kind::I64 { self.cast(Cast::L2I, byte) } else { byte }
    }

    /// A byte of an operation that takes its arguments byte by byte.
    fn byte_of_operation(&mut self, a: Expr, n: u32) -> Option<Expr> {
        let width = self.kind(a).bits() / 8;
        match self.node(a) {
            Node::Cast(Cast::I2L, inner) if n < 4 => Some(self.byte_of(inner, n)),
            Node::Cast(Cast::I2L, inner) => Some(self.sign_byte(inner)),
            Node::Cast(Cast::L2I, inner) => Some(self.byte_of(inner, n)),
            Node::Cast(Cast::I2B, inner) if n == 0 => Some(self.byte_of(inner, n)),
            Node::Cast(Cast::I2S | Cast::I2C, inner) if n < 2 => Some(self.byte_of(inner, n)),
            Node::Cast(Cast::I2C, _) => Some(self.raw_constant(Kind::I32, 0)),
            Node::Binary(op @ (Binary::And | Binary::Or | Binary::Xor), x, y) => {
                let (x, y) = (self.byte_of(x, n), self.byte_of(y, n));
                Some(self.binary(op, x, y))
            }
            Node::Binary(op @ (Binary::Shr | Binary::Ushr), x, count) => {
                let count = self.as_raw(count).filter(|count| count % 8 == 0)?;
                let place = n + count as u32 / 8;
                match op {
                    _ if place < width => Some(self.byte_of(x, place)),
                    Binary::Ushr => Some(self.raw_constant(Kind::I32, 0)),
                    _ => None,
                }
            }
            Node::Ite(cond, then, other) if self.data(a).size <= MAX_ITE => {
                let (then, other) = (self.byte_of(then, n), self.byte_of(other, n));
                Some(self.ite(cond, then, other))
            }
            _ => None,
        }
    }

    /// All bits the sign of an int, as a byte.
    fn sign_byte(&mut self, a: Expr) -> Expr {
        let count = self.raw_constant(Kind::I32, 31);
        let sign = self.binary(Binary::Shr, a, count);
        self.low_bits(Kind::I32, sign, 8)
    }

    /// What the low bits of a value were before a mask cleared them: a shift to the right does not see them,
    /// and the interval of `x & 0xff` is known where that of `(x & 0xff) - (x & 0x0f)` is not.
    pub(crate) fn before_clearing(&mut self, kind: Kind, a: Expr, count: u32) -> Expr {
        let Node::Linear(form) = self.node(a) else { return a };
        let ones = ((1u64 << count) - 1) as i64;
        let is_low = |exprs: &Exprs, atom: Expr| match exprs.node(atom) {
            Node::Binary(Binary::And, _, mask) => exprs.as_raw(mask) == Some(ones),
            _ => false,
        };
        let terms = self.forms[form as usize].terms.iter();
        let cleared =
            terms.filter(|(atom, factor)| *factor == -1 && is_low(self, *atom)).map(|(atom, _)| *atom);
        let cleared: Vec<Expr> = cleared.collect();
        for low in cleared {
            let whole = self.combine(kind, (1, a), (1, low));
            let inner = self.without_high_bits(whole, count);
            if self.low_bits(kind, whole, count) == low || self.low_bits(kind, inner, count) == low {
                return whole;
            }
        }
        a
    }

    /// A form shifted to the right, where the terms below some weight only make up what is cut off: first by
    /// that weight, then by the rest of the count.
    pub(crate) fn shifted_form(&mut self, op: Binary, kind: Kind, a: Expr, count: u32) -> Option<Expr> {
        if !self.has_bytes() || !matches!(self.node(a), Node::Linear(_)) {
            return None;
        }
        let sum = self.as_sum(a);
        let (lo, hi) = self.integer_interval(&sum);
        let is_unsigned = lo >= 0 && hi < 1i128 << kind.bits();
        // The value that is shifted is the form over the integers.
        let is_form = if op == Binary::Ushr { is_unsigned } else { self.is_exact(a) };
        if !is_form {
            return None;
        }
        let mut weights: Vec<u32> = sum.terms.iter().map(|term| term.1.trailing_zeros()).collect();
        weights.retain(|weight| (1..count).contains(weight));
        weights.push(count);
        weights.sort_unstable();
        weights.dedup();
        let (weight, high) = weights.into_iter().rev().find_map(|w| Some((w, self.above(&sum, w)?)))?;
        let high = self.linear(kind, &high);
        if weight == count {
            return Some(high);
        }
        let rest = self.raw_constant(Kind::I32, i64::from(count - weight));
        Some(self.binary(op, high, rest))
    }

    /// A form divided by a weight 2^w and rounded down, if the terms of less weight make up less than that.
    fn above(&self, sum: &Sum, weight: u32) -> Option<Sum> {
        let (mut high, mut low) = (Sum::default(), Sum::default());
        for &(atom, factor) in &sum.terms {
            if factor.trailing_zeros() >= weight {
                high.terms.push((atom, factor >> weight));
            } else {
                low.terms.push((atom, factor));
            }
        }
        low.constant = sum.constant & (((1u64 << weight) - 1) as i64);
        high.constant = sum.constant >> weight;
        let (least, most) = self.integer_interval(&low);
        (least >= 0 && most < 1i128 << weight).then_some(high)
    }

    /// The equation `sum = 0` digit by digit, if it has several digits.
    ///
    /// All terms but those of the least weight are multiples of the next weight, so the digit of least weight
    /// is known modulo that; where only one value of its interval fits, it is that.
    pub(crate) fn equal_by_digits(&mut self, kind: Kind, sum: &Sum) -> Option<Cond> {
        if !self.has_bytes() || sum.terms.len() < 2 || sum.terms.len() > MAX_DIGITS {
            return None;
        }
        let weight = |factor: i64| factor.trailing_zeros();
        let mut weights: Vec<u32> = sum.terms.iter().map(|term| weight(term.1)).collect();
        weights.sort_unstable();
        weights.dedup();
        if weights.len() < 2 {
            return None;
        }
        let mut digits = Vec::with_capacity(weights.len());
        // What the terms that are left have to add up to, modulo 2^bits.
        let mut rest = -i128::from(sum.constant);
        for (i, &own) in weights.iter().enumerate() {
            let next = weights.get(i + 1).copied().unwrap_or(kind.bits());
            if rest & ((1i128 << own) - 1) != 0 {
                return Some(Cond::FALSE);
            }
            let own_terms = sum.terms.iter().filter(|term| weight(term.1) == own);
            let digit = Sum { terms: own_terms.map(|&(atom, f)| (atom, f >> own)).collect(), constant: 0 };
            let (lo, hi) = self.integer_interval(&digit);
            // digit = rest / 2^own modulo 2^(next - own)
            let modulus = 1i128 << (next - own);
            let first = lo + ((rest >> own) - lo).rem_euclid(modulus);
            if first > hi {
                return Some(Cond::FALSE);
            }
            if first + modulus <= hi {
                return None;
            }
            rest -= first << own;
            digits.push((digit, i64::try_from(first).ok()?));
        }
        // Checked before anything is made: a digit must not wrap as an expression of its own.
        if digits.iter().any(|(digit, _)| self.exact_interval(kind, digit).is_none()) {
            return None;
        }
        let mut all = Cond::TRUE;
        for (digit, value) in digits {
            let (digit, value) = (self.linear(kind, &digit), self.raw_constant(kind, value));
            let equal = self.relate(Rel::Eq, digit, value);
            all = self.and(all, equal);
        }
        Some(all)
    }
}
