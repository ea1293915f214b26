//! The numbers of a tableau: 64-bit words that notice overflow, or integers of any size.
//!
//! Every operation that could leave the type answers `None`. The words then hand over to the integers of any
//! size, so an overflow costs time and never an answer.

use evergreen_term::Int;
use std::cmp::Ordering;
use std::fmt::Debug;

/// The number type of a tableau.
pub(crate) trait Number: Clone + Ord + Debug {
    /// So many cells of a tableau are cheap to pivot.
    const CHEAP: usize;
    /// 0.
    fn zero() -> Self;
    /// 1.
    fn one() -> Self;
    /// The same number, if it fits.
    fn from_int(value: &Int) -> Option<Self>;
    /// The same number.
    fn to_int(&self) -> Int;
    /// Whether it is 0.
    fn is_zero(&self) -> bool;
    /// Whether it is 1.
    fn is_one(&self) -> bool;
    /// -1, 0 or 1.
    fn sign(&self) -> i32;
    /// `self + other`
    fn add(&self, other: &Self) -> Option<Self>;
    /// `self - other`
    fn sub(&self, other: &Self) -> Option<Self>;
    /// `self * other`
    fn mul(&self, other: &Self) -> Option<Self>;
    /// `-self`
    fn neg(&self) -> Self;
    /// The greatest common divisor, never negative.
    fn gcd(&self, other: &Self) -> Self;
    /// The quotient, where the divisor is known to divide.
    fn div_exact(&self, divisor: &Self) -> Self;
    /// How many words it takes beyond the first.
    fn extra_words(&self) -> u32;
    /// About the same number.
    fn approx(&self) -> f64;
    /// How `self` compares with `a * b`.
    fn cmp_product(&self, a: &Self, b: &Self) -> Ordering;
}

/// The greatest common divisor of two magnitudes.
pub(crate) fn gcd_u64(mut a: u64, mut b: u64) -> u64 {
    if a == 1 || b == 1 {
        return 1;
    }
    if let (Ok(mut x), Ok(mut y)) = (u32::try_from(a), u32::try_from(b)) {
        while y != 0 {
            (x, y) = (y, x % y);
        }
        return u64::from(x);
    }
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// `i64::MIN` is kept out, so that a sign can always be changed.
fn keep(value: i64) -> Option<i64> {
    (value != i64::MIN).then_some(value)
}

impl Number for i64 {
    const CHEAP: usize = 1 << 15;
    fn zero() -> i64 {
        0
    }
    fn one() -> i64 {
        1
    }
    fn from_int(value: &Int) -> Option<i64> {
        value.to_i64().and_then(keep)
    }
    fn to_int(&self) -> Int {
        Int::Small(*self)
    }
    #[inline]
    fn is_zero(&self) -> bool {
        *self == 0
    }
    #[inline]
    fn is_one(&self) -> bool {
        *self == 1
    }
    #[inline]
    fn sign(&self) -> i32 {
        self.signum() as i32
    }
    #[inline]
    fn add(&self, other: &i64) -> Option<i64> {
        self.checked_add(*other).and_then(keep)
    }
    #[inline]
    fn sub(&self, other: &i64) -> Option<i64> {
        self.checked_sub(*other).and_then(keep)
    }
    #[inline]
    fn mul(&self, other: &i64) -> Option<i64> {
        self.checked_mul(*other).and_then(keep)
    }
    #[inline]
    fn neg(&self) -> i64 {
        -self
    }
    fn gcd(&self, other: &i64) -> i64 {
        gcd_u64(self.unsigned_abs(), other.unsigned_abs()) as i64
    }
    #[inline]
    fn div_exact(&self, divisor: &i64) -> i64 {
        self / divisor
    }
    #[inline]
    fn extra_words(&self) -> u32 {
        0
    }
    #[inline]
    fn approx(&self) -> f64 {
        *self as f64
    }
    #[inline]
    fn cmp_product(&self, a: &i64, b: &i64) -> Ordering {
        i128::from(*self).cmp(&(i128::from(*a) * i128::from(*b)))
    }
}

impl Number for Int {
    const CHEAP: usize = 1 << 9;
    fn zero() -> Int {
        Int::ZERO
    }
    fn one() -> Int {
        Int::ONE
    }
    fn from_int(value: &Int) -> Option<Int> {
        Some(value.clone())
    }
    fn to_int(&self) -> Int {
        self.clone()
    }
    fn is_zero(&self) -> bool {
        Int::is_zero(self)
    }
    fn is_one(&self) -> bool {
        *self == Int::ONE
    }
    fn sign(&self) -> i32 {
        self.signum()
    }
    fn add(&self, other: &Int) -> Option<Int> {
        Some(Int::add(self, other))
    }
    fn sub(&self, other: &Int) -> Option<Int> {
        Some(Int::sub(self, other))
    }
    fn mul(&self, other: &Int) -> Option<Int> {
        Some(Int::mul(self, other))
    }
    fn neg(&self) -> Int {
        Int::neg(self)
    }
    fn gcd(&self, other: &Int) -> Int {
        Int::gcd(self, other)
    }
    fn div_exact(&self, divisor: &Int) -> Int {
        Int::div(self, divisor).unwrap_or(Int::ZERO)
    }
    fn extra_words(&self) -> u32 {
        match self {
            Int::Small(_) => 0,
            Int::Big(value) => (value.bits() / 64) as u32,
        }
    }
    fn approx(&self) -> f64 {
        match self.to_i128() {
            Some(value) => value as f64,
            None => f64::from(self.signum()) * f64::MAX,
        }
    }
    fn cmp_product(&self, a: &Int, b: &Int) -> Ordering {
        self.cmp(&Int::mul(a, b))
    }
}
