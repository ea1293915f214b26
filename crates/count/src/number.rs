//! The numbers of the kernels: words of 64 or 128 bits that notice overflow, or integers of any size.
//!
//! An operation that leaves the type answers `None`; the kernel then runs again with the next wider
//! type; [`Int`] never overflows.

use evergreen_term::Int;
use num_traits::ToPrimitive;
use std::fmt::Debug;

/// The number type of the kernels.
pub(crate) trait Number: Clone + Ord + Debug {
    fn from_int(value: &Int) -> Option<Self>;
    fn to_int(&self) -> Int;
    fn small(value: i64) -> Self;
    fn sign(&self) -> i32;
    fn add(&self, other: &Self) -> Option<Self>;
    fn sub(&self, other: &Self) -> Option<Self>;
    fn mul(&self, other: &Self) -> Option<Self>;
    /// Rounds down; the divisor is positive.
    fn div_floor(&self, divisor: &Self) -> Self;
    /// Never negative; the divisor is positive.
    fn modulo(&self, divisor: &Self) -> Self;
    /// The quotient, where the divisor is known to divide and is positive.
    fn div_exact(&self, divisor: &Self) -> Self;
    /// The remainder by a prime, never negative.
    fn residue(&self, prime: u64) -> u64;
    /// Whether machine words are faster.
    const WIDE: bool = true;
    /// As a machine word, if it fits.
    fn to_word(&self) -> Option<i64>;
    /// From another type, which is this one or machine words.
    fn widened<M: Number>(value: &M) -> Self {
        value.to_word().map_or_else(|| Self::from_int(&value.to_int()).unwrap_or(Self::small(0)), Self::small)
    }
    /// Adds `factor * other` to each, as far as the shorter goes.
    fn add_times(own: &mut [Self], other: &[Self], factor: &Self) -> Option<()> {
        for (own, other) in own.iter_mut().zip(other).filter(|(_, other)| other.sign() != 0) {
            *own = own.add(&factor.mul(other)?)?;
        }
        Some(())
    }
    /// About the same number.
    fn approximately(&self) -> f64;
    fn neg(&self) -> Option<Self> {
        Self::small(0).sub(self)
    }
    fn abs(&self) -> Option<Self> {
        if self.sign() < 0 { self.neg() } else { Some(self.clone()) }
    }
}

/// Takes what came of an operation; whether it left the type.
fn set(place: &mut i64, (value, over): (i64, bool)) -> bool {
    *place = value;
    over
}

impl Number for i64 {
    const WIDE: bool = false;
    fn to_word(&self) -> Option<i64> {
        Some(*self)
    }
    fn add_times(own: &mut [i64], other: &[i64], factor: &i64) -> Option<()> {
        let mut over = false;
        let each = own.iter_mut().zip(other);
        match factor {
            1 => each.for_each(|(a, b)| over |= set(a, a.overflowing_add(*b))),
            -1 => each.for_each(|(a, b)| over |= set(a, a.overflowing_sub(*b))),
            _ => each.for_each(|(a, b)| {
                let (product, too_large) = factor.overflowing_mul(*b);
                over |= too_large | set(a, a.overflowing_add(product));
            }),
        }
        (!over).then_some(())
    }
    fn approximately(&self) -> f64 {
        *self as f64
    }
    fn from_int(value: &Int) -> Option<i64> {
        value.to_i64()
    }
    fn to_int(&self) -> Int {
        Int::from(*self)
    }
    fn small(value: i64) -> i64 {
        value
    }
    fn sign(&self) -> i32 {
        self.signum() as i32
    }
    fn add(&self, other: &i64) -> Option<i64> {
        self.checked_add(*other)
    }
    fn sub(&self, other: &i64) -> Option<i64> {
        self.checked_sub(*other)
    }
    fn mul(&self, other: &i64) -> Option<i64> {
        self.checked_mul(*other)
    }
    fn div_floor(&self, divisor: &i64) -> i64 {
        self.div_euclid(*divisor)
    }
    fn modulo(&self, divisor: &i64) -> i64 {
        self.rem_euclid(*divisor)
    }
    fn div_exact(&self, divisor: &i64) -> i64 {
        if *divisor == 1 { *self } else { self / divisor }
    }
    #[inline]
    fn residue(&self, prime: u64) -> u64 {
        let size = self.unsigned_abs();
        if size < prime {
            return if *self < 0 { prime - size } else { size };
        }
        let r = size % prime;
        if *self < 0 && r != 0 { prime - r } else { r }
    }
}

impl Number for i128 {
    fn to_word(&self) -> Option<i64> {
        i64::try_from(*self).ok()
    }
    fn approximately(&self) -> f64 {
        *self as f64
    }
    fn from_int(value: &Int) -> Option<i128> {
        value.to_i128().filter(|v| *v != i128::MIN)
    }
    fn to_int(&self) -> Int {
        Int::from(*self)
    }
    fn small(value: i64) -> i128 {
        i128::from(value)
    }
    fn sign(&self) -> i32 {
        self.signum() as i32
    }
    fn add(&self, other: &i128) -> Option<i128> {
        self.checked_add(*other)
    }
    fn sub(&self, other: &i128) -> Option<i128> {
        self.checked_sub(*other)
    }
    fn mul(&self, other: &i128) -> Option<i128> {
        match (i64::try_from(*self), i64::try_from(*other)) {
            (Ok(a), Ok(b)) => Some(i128::from(a) * i128::from(b)),
            _ => self.checked_mul(*other),
        }
    }
    fn div_floor(&self, divisor: &i128) -> i128 {
        match (i64::try_from(*self), i64::try_from(*divisor)) {
            (Ok(a), Ok(b)) => i128::from(a.div_euclid(b)),
            _ => self.div_euclid(*divisor),
        }
    }
    fn modulo(&self, divisor: &i128) -> i128 {
        match (i64::try_from(*self), i64::try_from(*divisor)) {
            (Ok(a), Ok(b)) => i128::from(a.rem_euclid(b)),
            _ => self.rem_euclid(*divisor),
        }
    }
    fn div_exact(&self, divisor: &i128) -> i128 {
        if *divisor == 1 {
            return *self;
        }
        match (i64::try_from(*self), i64::try_from(*divisor)) {
            (Ok(a), Ok(b)) => i128::from(a / b),
            _ => self / divisor,
        }
    }
    fn residue(&self, prime: u64) -> u64 {
        match i64::try_from(*self) {
            Ok(v) => v.residue(prime),
            Err(_) => self.rem_euclid(i128::from(prime)) as u64,
        }
    }
}

impl Number for Int {
    fn to_word(&self) -> Option<i64> {
        self.to_i64()
    }
    fn approximately(&self) -> f64 {
        match self {
            Int::Small(v) => *v as f64,
            Int::Big(v) => v.to_f64().unwrap_or(f64::MAX),
        }
    }
    fn from_int(value: &Int) -> Option<Int> {
        Some(value.clone())
    }
    fn to_int(&self) -> Int {
        self.clone()
    }
    fn small(value: i64) -> Int {
        Int::from(value)
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
    fn div_floor(&self, divisor: &Int) -> Int {
        Int::div(self, divisor).unwrap_or(Int::ZERO)
    }
    fn modulo(&self, divisor: &Int) -> Int {
        Int::modulo(self, divisor).unwrap_or(Int::ZERO)
    }
    fn div_exact(&self, divisor: &Int) -> Int {
        Int::div(self, divisor).unwrap_or(Int::ZERO)
    }
    fn residue(&self, prime: u64) -> u64 {
        let by = Int::from(i128::from(prime));
        Int::modulo(self, &by).and_then(|r| r.to_i128()).unwrap_or(0) as u64
    }
}
