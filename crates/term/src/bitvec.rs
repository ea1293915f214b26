//! Bit-vector values and the arithmetic that SMT-LIB gives them.
//!
//! Up to 128 bits live in a machine word pair; wider ones in a big integer. The value is always reduced
//! modulo the width, so derived equality is exact.

use num_bigint::{BigInt, BigUint};
use num_traits::{One, ToPrimitive, Zero};
use std::fmt;

/// A bit vector of a fixed width.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct BitVec {
    width: u32,
    bits: Bits,
}

#[derive(Clone, PartialEq, Eq, Hash)]
enum Bits {
    Small(u128),
    Big(Box<BigUint>),
}

fn mask(width: u32) -> u128 {
    if width >= 128 { u128::MAX } else { (1u128 << width) - 1 }
}

impl BitVec {
    /// The value modulo `2^width`.
    pub fn new(width: u32, value: u128) -> BitVec {
        if width <= 128 {
            BitVec { width, bits: Bits::Small(value & mask(width)) }
        } else {
            BitVec { width, bits: Bits::Big(Box::new(BigUint::from(value))) }
        }
    }

    /// The value modulo `2^width`.
    pub fn from_biguint(width: u32, value: BigUint) -> BitVec {
        if width <= 128 {
            let low = &value & &BigUint::from(u128::MAX);
            return BitVec::new(width, low.to_u128().unwrap_or(0));
        }
        let reduced = if value.bits() > u64::from(width) { value % (BigUint::one() << width) } else { value };
        BitVec { width, bits: Bits::Big(Box::new(reduced)) }
    }

    /// The two's complement of the value modulo `2^width`.
    pub fn from_bigint(width: u32, value: &BigInt) -> BitVec {
        use num_integer::Integer;
        let modulus = BigInt::one() << width;
        let reduced = value.mod_floor(&modulus);
        BitVec::from_biguint(width, reduced.to_biguint().unwrap_or_default())
    }

    /// Reads binary digits; the width is their number.
    pub fn parse_binary(digits: &str) -> Option<BitVec> {
        let width = u32::try_from(digits.len()).ok()?;
        if digits.is_empty() || !digits.bytes().all(|b| b == b'0' || b == b'1') {
            return None;
        }
        if width <= 128 {
            return u128::from_str_radix(digits, 2).ok().map(|v| BitVec::new(width, v));
        }
        BigUint::parse_bytes(digits.as_bytes(), 2).map(|v| BitVec::from_biguint(width, v))
    }

    /// Reads hexadecimal digits; the width is four times their number.
    pub fn parse_hex(digits: &str) -> Option<BitVec> {
        let width = u32::try_from(digits.len()).ok()?.checked_mul(4)?;
        if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
            return None;
        }
        if width <= 128 {
            return u128::from_str_radix(digits, 16).ok().map(|v| BitVec::new(width, v));
        }
        BigUint::parse_bytes(digits.as_bytes(), 16).map(|v| BitVec::from_biguint(width, v))
    }

    /// Reads the decimal digits of `(_ bvN w)`; values beyond the width wrap.
    pub fn parse_decimal(width: u32, digits: &str) -> Option<BitVec> {
        if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        match digits.parse::<u128>() {
            Ok(v) => Some(BitVec::new(width, v)),
            Err(_) => BigUint::parse_bytes(digits.as_bytes(), 10).map(|v| BitVec::from_biguint(width, v)),
        }
    }

    /// The number of bits.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The unsigned value if the width is at most 128.
    pub fn to_u128(&self) -> Option<u128> {
        match &self.bits {
            Bits::Small(v) => Some(*v),
            Bits::Big(v) => v.to_u128(),
        }
    }

    /// The unsigned value.
    pub fn to_biguint(&self) -> BigUint {
        match &self.bits {
            Bits::Small(v) => BigUint::from(*v),
            Bits::Big(v) => (**v).clone(),
        }
    }

    /// The two's complement value.
    pub fn to_bigint_signed(&self) -> BigInt {
        let value = BigInt::from(self.to_biguint());
        if self.bit(self.width.saturating_sub(1)) { value - (BigInt::one() << self.width) } else { value }
    }

    /// Bit `index`, counted from the least significant one.
    pub fn bit(&self, index: u32) -> bool {
        match &self.bits {
            Bits::Small(v) => index < 128 && (v >> index) & 1 == 1,
            Bits::Big(v) => v.bit(u64::from(index)),
        }
    }

    /// Whether every bit is zero.
    pub fn is_zero(&self) -> bool {
        match &self.bits {
            Bits::Small(v) => *v == 0,
            Bits::Big(v) => v.is_zero(),
        }
    }

    /// All bits set.
    pub fn ones(width: u32) -> BitVec {
        if width <= 128 {
            BitVec::new(width, u128::MAX)
        } else {
            BitVec::from_biguint(width, (BigUint::one() << width) - BigUint::one())
        }
    }
}

impl PartialOrd for BitVec {
    #[inline]
    fn partial_cmp(&self, other: &BitVec) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// By width, then by unsigned value.
impl Ord for BitVec {
    #[inline]
    fn cmp(&self, other: &BitVec) -> std::cmp::Ordering {
        self.width.cmp(&other.width).then_with(|| match (&self.bits, &other.bits) {
            (Bits::Small(a), Bits::Small(b)) => a.cmp(b),
            _ => self.to_biguint().cmp(&other.to_biguint()),
        })
    }
}

/// SMT-LIB text: `#x` when the width is a multiple of four, `#b` otherwise.
impl fmt::Display for BitVec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.width as usize;
        match (&self.bits, width % 4) {
            (Bits::Small(v), 0) => write!(f, "#x{v:0w$x}", w = width / 4),
            (Bits::Small(v), _) => write!(f, "#b{v:0width$b}"),
            (Bits::Big(v), 0) => write!(f, "#x{:0>w$}", v.to_str_radix(16), w = width / 4),
            (Bits::Big(v), _) => write!(f, "#b{:0>width$}", v.to_str_radix(2)),
        }
    }
}

impl fmt::Debug for BitVec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reduced_and_printed() {
        assert_eq!(BitVec::new(8, 0x1ff), BitVec::new(8, 0xff));
        assert_eq!(BitVec::new(8, 10).to_string(), "#x0a");
        assert_eq!(BitVec::new(3, 5).to_string(), "#b101");
        assert_eq!(BitVec::parse_hex("0A"), Some(BitVec::new(8, 10)));
        assert_eq!(BitVec::parse_decimal(8, "300"), Some(BitVec::new(8, 44)));
        let wide = BitVec::parse_hex(&"f".repeat(40)).unwrap();
        assert_eq!(wide, BitVec::ones(160));
        assert_eq!(wide.to_bigint_signed(), BigInt::from(-1));
        assert_eq!(wide.to_string(), format!("#x{}", "f".repeat(40)));
        assert_eq!(BitVec::new(129, 1).to_string(), format!("#b{}1", "0".repeat(128)));
        assert_eq!(BitVec::from_bigint(8, &BigInt::from(-1)), BitVec::ones(8));
    }
}
