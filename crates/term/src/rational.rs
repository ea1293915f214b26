//! Exact rational numbers: the values of sort `Real` that models hold.

use crate::Int;
use std::cmp::Ordering;
use std::fmt;

/// A fraction in lowest terms with a positive denominator, so derived equality is exact.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Rational {
    num: Int,
    den: Int,
}

impl Rational {
    /// The fraction `num / den`; `None` when `den` is zero.
    pub fn new(num: Int, den: Int) -> Option<Rational> {
        if den.is_zero() {
            return None;
        }
        let (num, den) = if den.signum() < 0 { (num.neg(), den.neg()) } else { (num, den) };
        let g = num.gcd(&den);
        if g == Int::ONE {
            return Some(Rational { num, den });
        }
        Some(Rational { num: num.div(&g)?, den: den.div(&g)? })
    }

    /// The numerator, which carries the sign.
    pub fn num(&self) -> &Int {
        &self.num
    }

    /// The denominator, always positive.
    pub fn den(&self) -> &Int {
        &self.den
    }

    /// Reads an SMT-LIB decimal such as `12.50`.
    pub fn parse_decimal(text: &str) -> Option<Rational> {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        let num = Int::parse(&format!("{whole}{fraction}"))?;
        let den = Int::parse(&format!("1{}", "0".repeat(fraction.len())))?;
        Rational::new(num, den)
    }

    /// The sum.
    pub fn add(&self, other: &Rational) -> Rational {
        let num = self.num.mul(&other.den).add(&other.num.mul(&self.den));
        Rational::new(num, self.den.mul(&other.den)).expect("denominators are positive")
    }

    /// The difference.
    pub fn sub(&self, other: &Rational) -> Rational {
        self.add(&other.neg())
    }

    /// The product.
    pub fn mul(&self, other: &Rational) -> Rational {
        Rational::new(self.num.mul(&other.num), self.den.mul(&other.den)).expect("denominators are positive")
    }

    /// The quotient; `None` when the divisor is zero.
    pub fn div(&self, other: &Rational) -> Option<Rational> {
        Rational::new(self.num.mul(&other.den), self.den.mul(&other.num))
    }

    /// The additive inverse.
    pub fn neg(&self) -> Rational {
        Rational { num: self.num.neg(), den: self.den.clone() }
    }

    /// The largest integer that is not above the value.
    pub fn floor(&self) -> Int {
        self.num.div_floor(&self.den).expect("denominators are positive")
    }

    /// Whether the value is an integer.
    pub fn is_integer(&self) -> bool {
        self.den == Int::ONE
    }
}

impl From<Int> for Rational {
    fn from(num: Int) -> Rational {
        Rational { num, den: Int::ONE }
    }
}

impl PartialOrd for Rational {
    fn partial_cmp(&self, other: &Rational) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Rational {
    fn cmp(&self, other: &Rational) -> Ordering {
        self.num.mul(&other.den).cmp(&other.num.mul(&self.den))
    }
}

impl fmt::Display for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_integer() { write!(f, "{}", self.num) } else { write!(f, "{}/{}", self.num, self.den) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn q(n: i64, d: i64) -> Rational {
        Rational::new(Int::from(n), Int::from(d)).unwrap()
    }

    #[test]
    fn lowest_terms_and_order() {
        assert_eq!(q(2, -4), q(-1, 2));
        assert!(q(-1, 2) < q(1, 3));
        assert_eq!(q(1, 2).add(&q(1, 3)), q(5, 6));
        assert_eq!(q(-7, 2).floor(), Int::from(-4i64));
        assert_eq!(q(1, 2).div(&q(0, 1)), None);
        assert_eq!(Rational::parse_decimal("12.50"), Some(q(25, 2)));
        assert_eq!(Rational::parse_decimal("1.x"), None);
    }
}
