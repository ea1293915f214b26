//! Exact shares: fractions that are not negative, always in lowest terms.
//!
//! Probabilities are numbers of solutions over numbers of inputs. They are added, subtracted and compared as
//! they are; decimals are only for reading.

use num_bigint::BigUint;
use num_traits::{One, ToPrimitive, Zero};
use std::cmp::Ordering;
use std::fmt;

/// A fraction that is not negative.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Ratio {
    numerator: BigUint,
    denominator: BigUint,
}

/// Euclid's algorithm.
fn gcd(a: &BigUint, b: &BigUint) -> BigUint {
    let (mut a, mut b) = (a.clone(), b.clone());
    while !b.is_zero() {
        (a, b) = (b.clone(), a % b);
    }
    a
}

impl Ratio {
    /// A fraction; `None` over zero.
    pub fn new(numerator: BigUint, denominator: BigUint) -> Option<Ratio> {
        if denominator.is_zero() {
            return None;
        }
        let Some(twos) = numerator.trailing_zeros() else { return Some(Ratio::zero()) };
        let own = denominator.trailing_zeros().unwrap_or(0);
        let (numerator, denominator) = (numerator >> twos.min(own), denominator >> twos.min(own));
        // Numbers of words are powers of two: then nothing else is common.
        let only_twos = denominator.bits() == own - twos.min(own) + 1;
        let common = if only_twos { BigUint::one() } else { gcd(&numerator, &denominator) };
        if common.is_one() {
            return Some(Ratio { numerator, denominator });
        }
        Some(Ratio { numerator: numerator / &common, denominator: denominator / common })
    }

    /// Nothing.
    pub fn zero() -> Ratio {
        Ratio { numerator: BigUint::ZERO, denominator: BigUint::one() }
    }

    /// The whole.
    pub fn one() -> Ratio {
        Ratio { numerator: BigUint::one(), denominator: BigUint::one() }
    }

    /// Above the line.
    pub fn numerator(&self) -> &BigUint {
        &self.numerator
    }

    /// Below the line.
    pub fn denominator(&self) -> &BigUint {
        &self.denominator
    }

    /// Whether it is nothing.
    pub fn is_zero(&self) -> bool {
        self.numerator.is_zero()
    }

    /// The sum.
    #[must_use]
    pub fn plus(&self, other: &Ratio) -> Ratio {
        if self.denominator == other.denominator {
            return reduced(&self.numerator + &other.numerator, self.denominator.clone());
        }
        let above = &self.numerator * &other.denominator + &other.numerator * &self.denominator;
        reduced(above, &self.denominator * &other.denominator)
    }

    /// The difference; zero where the other one is larger.
    #[must_use]
    pub fn minus(&self, other: &Ratio) -> Ratio {
        let (a, b) = (&self.numerator * &other.denominator, &other.numerator * &self.denominator);
        if a <= b { Ratio::zero() } else { reduced(a - b, &self.denominator * &other.denominator) }
    }

    /// The product.
    #[must_use]
    pub fn times(&self, other: &Ratio) -> Ratio {
        reduced(&self.numerator * &other.numerator, &self.denominator * &other.denominator)
    }

    /// The quotient; `None` over zero.
    pub fn over(&self, other: &Ratio) -> Option<Ratio> {
        Ratio::new(&self.numerator * &other.denominator, &self.denominator * &other.numerator)
    }

    /// Reads `3`, `3/4` or `0.75`.
    pub fn read(text: &str) -> Option<Ratio> {
        let number = |text: &str| -> Option<Ratio> {
            let (whole, part) = text.split_once('.').unwrap_or((text, ""));
            let digits = format!("{whole}{part}");
            if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) || part.len() > 400 {
                return None;
            }
            Ratio::new(digits.parse().ok()?, BigUint::from(10u32).pow(part.len() as u32))
        };
        match text.split_once('/') {
            Some((above, below)) => number(above.trim())?.over(&number(below.trim())?),
            None => number(text.trim()),
        }
    }

    /// The nearest decimal number of so many significant digits: `0.25`, `3.1e-12`.
    pub fn decimal(&self, digits: u32) -> String {
        if self.is_zero() {
            return "0".into();
        }
        let digits = digits.max(1) as i64;
        // The place of the first digit, guessed from the lengths and put right by looking.
        let length = |n: &BigUint| n.to_string().len() as i64;
        let mut first = length(&self.numerator) - length(&self.denominator);
        let scaled = |first: i64| {
            let shift = digits - 1 - first;
            let ten = BigUint::from(10u32).pow(u32::try_from(shift.unsigned_abs()).unwrap_or(u32::MAX));
            let (above, below) = match shift >= 0 {
                true => (&self.numerator * ten, self.denominator.clone()),
                false => (self.numerator.clone(), &self.denominator * ten),
            };
            (above * 2u32 + &below) / (below * 2u32)
        };
        let mut number = scaled(first);
        if length(&number) < digits {
            first -= 1;
            number = scaled(first);
        }
        // Rounding up may have made it longer.
        let mut text = number.to_string();
        first += text.len() as i64 - digits;
        text.truncate(digits as usize);
        let text = text.trim_end_matches('0');
        written(text, first)
    }

    /// Its logarithm to base 2, as near as a double can say; minus infinity for zero.
    pub fn log2(&self) -> f64 {
        let log = |n: &BigUint| {
            let bits = n.bits();
            let shift = bits.saturating_sub(64);
            (n >> shift).to_f64().unwrap_or(0.0).log2() + shift as f64
        };
        if self.is_zero() { f64::NEG_INFINITY } else { log(&self.numerator) - log(&self.denominator) }
    }

    /// As near as a double can say.
    pub fn to_f64(&self) -> f64 {
        if self.numerator == self.denominator { 1.0 } else { self.log2().exp2() }
    }

    /// A number that is larger for a larger fraction, or the same where they differ by less than a billionth
    /// part: for orders that have to be the same on every machine. For fractions of at most one.
    pub fn rank(&self) -> u64 {
        if self.is_zero() {
            return 0;
        }
        // numerator / denominator = m * 2^-e with 2^31 <= m < 2^33
        let e = 32 + self.denominator.bits() as i64 - self.numerator.bits() as i64;
        let scaled = if e >= 0 { &self.numerator << e } else { &self.numerator >> -e };
        let mut m = (scaled / &self.denominator).to_u64().unwrap_or(u64::MAX);
        let mut e = e;
        while m < 1 << 32 {
            m <<= 1;
            e += 1;
        }
        while m >= 1 << 33 {
            m >>= 1;
            e -= 1;
        }
        let exponent = u32::try_from(e.max(0)).unwrap_or(u32::MAX);
        u64::from(u32::MAX - exponent) << 32 | (m & 0xffff_ffff)
    }
}

fn reduced(numerator: BigUint, denominator: BigUint) -> Ratio {
    Ratio::new(numerator, denominator).unwrap_or_else(Ratio::zero)
}

/// Digits whose first has the value 10^first.
fn written(digits: &str, first: i64) -> String {
    let count = digits.len() as i64;
    if !(-7..=20).contains(&first) {
        let (head, tail) = digits.split_at(1);
        let dot = if tail.is_empty() { "" } else { "." };
        return format!("{head}{dot}{tail}e{first}");
    }
    if first < 0 {
        return format!("0.{}{digits}", "0".repeat((-first - 1) as usize));
    }
    if count <= first + 1 {
        return format!("{digits}{}", "0".repeat((first + 1 - count) as usize));
    }
    let (whole, part) = digits.split_at((first + 1) as usize);
    format!("{whole}.{part}")
}

impl PartialOrd for Ratio {
    fn partial_cmp(&self, other: &Ratio) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ratio {
    fn cmp(&self, other: &Ratio) -> Ordering {
        (&self.numerator * &other.denominator).cmp(&(&other.numerator * &self.denominator))
    }
}

impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.denominator.is_one() {
            true => self.numerator.fmt(f),
            false => write!(f, "{}/{}", self.numerator, self.denominator),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(text: &str) -> Ratio {
        Ratio::read(text).unwrap_or_else(|| panic!("{text}"))
    }

    #[test]
    fn arithmetic_is_exact() {
        assert_eq!(ratio("1/3").plus(&ratio("1/6")), ratio("1/2"));
        assert_eq!(ratio("1").minus(&ratio("1/3")).to_string(), "2/3");
        assert_eq!(ratio("1/3").minus(&ratio("1/2")), Ratio::zero());
        assert_eq!(ratio("2/3").times(&ratio("3/4")).to_string(), "1/2");
        assert_eq!(ratio("2/3").over(&ratio("4/3")), Some(ratio("0.5")));
        assert_eq!(ratio("2/3").over(&Ratio::zero()), None);
        assert!(ratio("1/3") < ratio("0.3334") && ratio("1/3") > ratio("0.3333"));
        for (text, lowest) in [
            ("70/100", "7/10"),
            ("12/40", "3/10"),
            ("6/16", "3/8"),
            ("5/16", "5/16"),
            ("64/16", "4"),
            ("48/36", "4/3"),
            ("35/21", "5/3"),
            ("0/12", "0"),
        ] {
            assert_eq!(ratio(text).to_string(), lowest);
        }
        for wrong in ["", "/", "1/0", "-1", "1e3", "a", "1/2/3", ".", "1,5"] {
            assert_eq!(Ratio::read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn decimals_are_rounded_to_the_nearest() {
        let of = |text: &str, digits| ratio(text).decimal(digits);
        assert_eq!(of("1/3", 4), "0.3333");
        assert_eq!(of("2/3", 4), "0.6667");
        assert_eq!(of("1", 6), "1");
        assert_eq!(of("1/4", 6), "0.25");
        assert_eq!(of("999999/1000000", 3), "1");
        assert_eq!(of("12345", 3), "12300");
        assert_eq!(of("1234.5", 6), "1234.5");
        assert_eq!(of("1/4294967296", 4), "2.328e-10");
        assert_eq!(of("0", 4), "0");
        assert_eq!(of("10/3", 2), "3.3");
        let huge = Ratio::new(BigUint::one(), BigUint::from(2u32).pow(4000)).unwrap();
        assert_eq!(huge.decimal(3), "7.59e-1205");
        assert_eq!((huge.log2(), Ratio::one().log2()), (-4000.0, 0.0));
    }

    #[test]
    fn ranks_go_up_with_fractions() {
        let mut all: Vec<Ratio> = (1u32..60)
            .flat_map(|d| (0..=d).map(move |n| (n, d)))
            .map(|(n, d)| ratio(&format!("{n}/{d}")))
            .collect();
        all.push(Ratio::new(BigUint::one(), BigUint::from(3u32).pow(5000)).unwrap());
        all.push(Ratio::new(BigUint::one(), BigUint::from(3u32).pow(5001)).unwrap());
        all.sort();
        all.dedup();
        assert!(all.windows(2).all(|pair| pair[0].rank() < pair[1].rank()));
        assert_eq!(Ratio::zero().rank(), 0);
    }
}
