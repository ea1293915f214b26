//! Integers of any size: machine words while they fit, big integers when they do not.
//!
//! Path conditions are made of small numbers, and a `BigInt` per coefficient would cost an
//! allocation each. The two forms never overlap: what fits into an `i64` is always `Small`, so
//! derived equality and hashing are exact.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{Signed, ToPrimitive, Zero};
use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;

/// An integer of any size.
#[derive(Clone, PartialEq, Eq, Hash)]
pub enum Int {
    /// Fits into 64 bits.
    Small(i64),
    /// Does not fit into 64 bits.
    Big(Box<BigInt>),
}

impl Int {
    /// Zero.
    pub const ZERO: Int = Int::Small(0);
    /// One.
    pub const ONE: Int = Int::Small(1);

    /// The value as a big integer.
    pub fn to_big(&self) -> BigInt {
        match self {
            Int::Small(v) => BigInt::from(*v),
            Int::Big(v) => (**v).clone(),
        }
    }

    /// As a big integer, without a copy of one.
    fn big(&self) -> Cow<'_, BigInt> {
        match self {
            Int::Small(v) => Cow::Owned(BigInt::from(*v)),
            Int::Big(v) => Cow::Borrowed(v),
        }
    }

    /// The value if it fits into 64 bits.
    pub fn to_i64(&self) -> Option<i64> {
        match self {
            Int::Small(v) => Some(*v),
            Int::Big(_) => None,
        }
    }

    /// The value if it fits into 128 bits.
    pub fn to_i128(&self) -> Option<i128> {
        match self {
            Int::Small(v) => Some(i128::from(*v)),
            Int::Big(v) => v.to_i128(),
        }
    }

    /// Reads decimal digits, with an optional leading minus sign.
    pub fn parse(text: &str) -> Option<Int> {
        if let Ok(v) = text.parse::<i64>() {
            return (!text.starts_with('+')).then_some(Int::Small(v));
        }
        let digits = text.strip_prefix('-').unwrap_or(text);
        if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        text.parse::<BigInt>().ok().map(Int::from)
    }

    /// Whether the value is zero.
    pub fn is_zero(&self) -> bool {
        matches!(self, Int::Small(0))
    }

    /// -1, 0 or 1.
    pub fn signum(&self) -> i32 {
        match self {
            Int::Small(v) => v.signum() as i32,
            Int::Big(v) => {
                if v.is_negative() {
                    -1
                } else {
                    1
                }
            }
        }
    }

    /// The absolute value.
    pub fn abs(&self) -> Int {
        if self.signum() < 0 { self.neg() } else { self.clone() }
    }

    /// The additive inverse.
    #[inline]
    pub fn neg(&self) -> Int {
        match self {
            Int::Small(v) => v.checked_neg().map(Int::Small).unwrap_or_else(|| Int::from(-BigInt::from(*v))),
            Int::Big(v) => Int::from(-(**v).clone()),
        }
    }

    /// The sum.
    #[inline]
    pub fn add(&self, other: &Int) -> Int {
        if let (Int::Small(a), Int::Small(b)) = (self, other)
            && let Some(v) = a.checked_add(*b)
        {
            return Int::Small(v);
        }
        Int::from(&*self.big() + &*other.big())
    }

    /// The difference.
    #[inline]
    pub fn sub(&self, other: &Int) -> Int {
        if let (Int::Small(a), Int::Small(b)) = (self, other)
            && let Some(v) = a.checked_sub(*b)
        {
            return Int::Small(v);
        }
        Int::from(&*self.big() - &*other.big())
    }

    /// The product.
    #[inline]
    pub fn mul(&self, other: &Int) -> Int {
        if let (Int::Small(a), Int::Small(b)) = (self, other)
            && let Some(v) = a.checked_mul(*b)
        {
            return Int::Small(v);
        }
        Int::from(&*self.big() * &*other.big())
    }

    /// SMT-LIB division: the remainder is never negative. `None` when the divisor is zero.
    pub fn div(&self, other: &Int) -> Option<Int> {
        self.div_mod(other).map(|(q, _)| q)
    }

    /// SMT-LIB remainder, never negative. `None` when the divisor is zero.
    pub fn modulo(&self, other: &Int) -> Option<Int> {
        self.div_mod(other).map(|(_, r)| r)
    }

    fn div_mod(&self, other: &Int) -> Option<(Int, Int)> {
        if other.is_zero() {
            return None;
        }
        if let (Int::Small(a), Int::Small(b)) = (self, other)
            && let (Some(q), Some(r)) = (a.checked_div_euclid(*b), a.checked_rem_euclid(*b))
        {
            return Some((Int::Small(q), Int::Small(r)));
        }
        let (q, r) = self.big().div_mod_floor(&other.big().abs());
        Some((Int::from(if other.signum() < 0 { -q } else { q }), Int::from(r)))
    }

    /// Rounds the quotient down. `None` when the divisor is zero.
    pub fn div_floor(&self, other: &Int) -> Option<Int> {
        (!other.is_zero()).then(|| Int::from(self.to_big().div_floor(&other.to_big())))
    }

    /// The greatest common divisor, never negative.
    pub fn gcd(&self, other: &Int) -> Int {
        if let (Int::Small(a), Int::Small(b)) = (self, other) {
            let g = a.unsigned_abs().gcd(&b.unsigned_abs());
            if let Ok(v) = i64::try_from(g) {
                return Int::Small(v);
            }
        }
        Int::from(self.to_big().gcd(&other.to_big()))
    }
}

impl From<i64> for Int {
    fn from(v: i64) -> Int {
        Int::Small(v)
    }
}

impl From<i32> for Int {
    fn from(v: i32) -> Int {
        Int::Small(i64::from(v))
    }
}

impl From<i128> for Int {
    fn from(v: i128) -> Int {
        i64::try_from(v).map(Int::Small).unwrap_or_else(|_| Int::Big(Box::new(BigInt::from(v))))
    }
}

impl From<BigInt> for Int {
    fn from(v: BigInt) -> Int {
        if v.is_zero() {
            return Int::ZERO;
        }
        match v.to_i64() {
            Some(small) => Int::Small(small),
            None => Int::Big(Box::new(v)),
        }
    }
}

impl PartialOrd for Int {
    fn partial_cmp(&self, other: &Int) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Int {
    #[inline]
    fn cmp(&self, other: &Int) -> Ordering {
        match (self, other) {
            (Int::Small(a), Int::Small(b)) => a.cmp(b),
            _ => self.big().cmp(&other.big()),
        }
    }
}

impl fmt::Display for Int {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Int::Small(v) => v.fmt(f),
            Int::Big(v) => v.fmt(f),
        }
    }
}

impl fmt::Debug for Int {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn any_int() -> impl Strategy<Value = Int> {
        prop_oneof![
            (-20i64..20).prop_map(Int::from),
            any::<i64>().prop_map(Int::from),
            Just(Int::Small(i64::MIN)),
            Just(Int::Small(i64::MAX)),
            any::<i128>().prop_map(Int::from),
        ]
    }

    proptest! {
        #[test]
        fn agrees_with_big_integers(a in any_int(), b in any_int()) {
            let (x, y) = (a.to_big(), b.to_big());
            prop_assert_eq!(a.add(&b), Int::from(&x + &y));
            prop_assert_eq!(a.sub(&b), Int::from(&x - &y));
            prop_assert_eq!(a.mul(&b), Int::from(&x * &y));
            prop_assert_eq!(a.gcd(&b), Int::from(x.gcd(&y)));
            prop_assert_eq!(a.cmp(&b), x.cmp(&y));
            prop_assert_eq!(a.neg(), Int::from(-&x));
            if !b.is_zero() {
                let (q, r) = a.div_mod(&b).unwrap();
                prop_assert!(r.signum() >= 0 && r < b.abs());
                prop_assert_eq!(q.mul(&b).add(&r), a.clone());
            }
            prop_assert_eq!(Int::parse(&a.to_string()), Some(a));
        }
    }

    #[test]
    fn what_fits_is_small() {
        let big = Int::Small(i64::MAX).add(&Int::ONE);
        assert!(matches!(big, Int::Big(_)));
        assert_eq!(big.sub(&Int::ONE), Int::Small(i64::MAX));
        assert_eq!(Int::parse("+5"), None);
        assert_eq!(Int::parse("--5"), None);
        assert_eq!(
            Int::parse("99999999999999999999").map(|v| v.to_string()).as_deref(),
            Some("99999999999999999999")
        );
    }
}
