//! Floating-point values: the bits of IEEE 754, and the exact numbers they stand for.
//!
//! SMT-LIB has one NaN, so all NaNs are kept as one bit pattern and derived equality is exact (`+0` and `-0`
//! differ, as they do for SMT-LIB's `=`).

use crate::BitVec;
use num_bigint::BigUint;
use num_traits::{One, Zero};

/// Wider formats have no values here, as with bit vectors.
const MAX_WIDTH: u32 = 1 << 24;

/// A floating-point number of some format.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Float {
    exponent: u32,
    significand: u32,
    bits: BitVec,
}

/// The number that a float stands for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Number {
    /// NaN.
    Undefined,
    /// Negative?
    Infinite(bool),
    /// Negative?, and the magnitude `mantissa * 2^exponent`.
    Finite(bool, BigUint, i64),
}

impl Float {
    /// The number with those bits: sign, exponent, significand without the hidden bit. `None` when the format
    /// has less than two bits of exponent or significand, more than 2^24 in all, or another number of bits.
    pub fn from_bits(exponent: u32, significand: u32, bits: BitVec) -> Option<Float> {
        let width = exponent.checked_add(significand)?;
        if exponent < 2 || significand < 2 || width > MAX_WIDTH || bits.width() != width {
            return None;
        }
        let float = Float { exponent, significand, bits };
        Some(if float.is_nan() { Float::nan(exponent, significand)? } else { float })
    }

    /// Plus zero.
    pub fn zero(exponent: u32, significand: u32) -> Option<Float> {
        Float::from_bits(exponent, significand, BitVec::new(exponent.checked_add(significand)?, 0))
    }

    /// The one NaN: only the highest bit of the significand is set.
    pub fn nan(exponent: u32, significand: u32) -> Option<Float> {
        let width = exponent.checked_add(significand)?;
        if exponent < 2 || significand < 2 || width > MAX_WIDTH {
            return None;
        }
        let ones = (BigUint::one() << (exponent + 1)) - BigUint::one();
        let bits = BitVec::from_biguint(width, ones << (significand - 2));
        Some(Float { exponent, significand, bits })
    }

    /// The bits of the exponent.
    pub fn exponent_bits(&self) -> u32 {
        self.exponent
    }

    /// The bits of the significand, with the hidden one.
    pub fn significand_bits(&self) -> u32 {
        self.significand
    }

    /// Sign, exponent and significand without the hidden bit.
    pub fn bits(&self) -> &BitVec {
        &self.bits
    }

    /// The sign bit, which only NaN has none of.
    pub fn is_negative(&self) -> bool {
        self.bits.bit(self.bits.width() - 1) && !self.is_nan()
    }

    /// Whether this is NaN.
    pub fn is_nan(&self) -> bool {
        self.biased() == self.largest_biased() && !self.fraction().is_zero()
    }

    /// Whether this is an infinity.
    pub fn is_infinite(&self) -> bool {
        self.biased() == self.largest_biased() && self.fraction().is_zero()
    }

    /// Whether this is one of the zeros.
    pub fn is_zero(&self) -> bool {
        self.biased().is_zero() && self.fraction().is_zero()
    }

    /// Whether the exponent is the smallest and the number is not zero.
    pub fn is_subnormal(&self) -> bool {
        self.biased().is_zero() && !self.fraction().is_zero()
    }

    /// Whether the number is finite, and neither zero nor subnormal.
    pub fn is_normal(&self) -> bool {
        let biased = self.biased();
        !biased.is_zero() && biased != self.largest_biased()
    }

    fn fraction(&self) -> BigUint {
        self.bits.to_biguint() % (BigUint::one() << (self.significand - 1))
    }

    fn biased(&self) -> BigUint {
        (self.bits.to_biguint() >> (self.significand - 1)) % (BigUint::one() << self.exponent)
    }

    fn largest_biased(&self) -> BigUint {
        (BigUint::one() << self.exponent) - BigUint::one()
    }

    /// The number it stands for. `None` for formats whose exponents do not fit a machine word.
    pub(crate) fn number(&self) -> Option<Number> {
        if self.is_nan() {
            return Some(Number::Undefined);
        }
        let negative = self.is_negative();
        if self.is_infinite() {
            return Some(Number::Infinite(negative));
        }
        let biased = i64::try_from(self.biased()).ok()?;
        let bias = (1i64.checked_shl(self.exponent - 1).filter(|_| self.exponent < 63)?) - 1;
        let fraction = self.fraction();
        let below = i64::from(self.significand - 1);
        Some(if biased == 0 {
            Number::Finite(negative, fraction, 1 - bias - below)
        } else {
            Number::Finite(negative, fraction + (BigUint::one() << below), biased - bias - below)
        })
    }

    /// The number with that sign, biased exponent and fraction, which must be in range.
    pub(crate) fn assemble(
        format: (u32, u32),
        negative: bool,
        biased: BigUint,
        fraction: BigUint,
    ) -> Option<Float> {
        let (exponent, significand) = format;
        let mut bits = (biased << (significand - 1)) + fraction;
        if negative {
            bits += BigUint::one() << (exponent + significand - 1);
        }
        Float::from_bits(
            exponent,
            significand,
            BitVec::from_biguint(exponent.checked_add(significand)?, bits),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_nan_two_zeros() {
        let half = |bits: u128| Float::from_bits(5, 11, BitVec::new(16, bits)).unwrap();
        assert_eq!(half(0x7c01), half(0xffff));
        assert!(half(0x7e00).is_nan() && !half(0xfe00).is_negative());
        assert_ne!(half(0), half(0x8000));
        assert!(half(0xfc00).is_infinite() && half(0xfc00).is_negative());
        assert!(half(1).is_subnormal() && half(0x400).is_normal() && half(0x8000).is_zero());
        assert_eq!(half(0x3c00).number(), Some(Number::Finite(false, BigUint::from(1024u32), -10)));
        assert_eq!(Float::from_bits(5, 11, BitVec::new(17, 0)), None);
        assert_eq!(Float::from_bits(1, 2, BitVec::new(3, 0)), None);
        assert_eq!(Float::nan(2, 2).unwrap().bits(), &BitVec::new(4, 0b0111));
    }
}
