//! Arithmetic modulo primes just below 2^62, and the number that remainders determine.
//!
//! For `p = 2^62 - k` with small `k` a product is reduced by two folds (`2^62 = k` modulo p), without a
//! division. A number known to lie in `0..=bound` is determined by its remainders modulo primes whose product
//! exceeds the bound (Chinese remainder theorem, in Garner's form).

use evergreen_term::Int;
use num_bigint::BigInt;

const BITS: u32 = 62;
const MASK: u64 = (1 << BITS) - 1;

/// `2^62 - 540543 - 720720 j` is prime for each of these `j`, the least ones. It is 1 modulo `lcm(1
/// .. 16)`, so that roots of unity of all these orders are there, and 2^62 minus it stays below 2^29,
/// so that two folds suffice.
const PRIMES: [u16; 64] = [
    9, 13, 19, 25, 46, 50, 57, 63, 69, 83, 88, 91, 92, 93, 100, 104, 148, 190, 193, 197, 198, 208, 213, 231,
    248, 284, 288, 292, 295, 311, 325, 334, 351, 352, 355, 364, 390, 393, 400, 407, 415, 425, 430, 445, 453,
    455, 459, 485, 486, 496, 512, 514, 515, 522, 523, 532, 533, 548, 554, 556, 561, 564, 572, 583,
];
/// So many products fit into 128 bits, and something more.
const SHORT: usize = 12;

const FIRST: u64 = 540_543;

/// The least common multiple of 1 to 16.
pub(crate) const ORDERS: u64 = 720_720;

/// The integers modulo a prime.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Field {
    k: u64,
    pub prime: u64,
}

impl Field {
    /// All fields there are.
    pub(super) fn all() -> impl Iterator<Item = Field> {
        PRIMES.iter().map(|j| {
            let k = FIRST + ORDERS * u64::from(*j);
            Field { k, prime: (1 << BITS) - k }
        })
    }

    #[inline]
    pub(super) fn add(self, a: u64, b: u64) -> u64 {
        let sum = a + b;
        if sum >= self.prime { sum - self.prime } else { sum }
    }

    #[inline]
    pub(super) fn sub(self, a: u64, b: u64) -> u64 {
        if a >= b { a - b } else { a + self.prime - b }
    }

    #[inline]
    pub(super) fn neg(self, a: u64) -> u64 {
        self.sub(0, a)
    }

    /// Of an integer of at most 61 bits.
    #[inline]
    pub(super) fn of(self, value: i64) -> u64 {
        (value + if value < 0 { self.prime as i64 } else { 0 }) as u64
    }

    #[inline]
    pub(super) fn mul(self, a: u64, b: u64) -> u64 {
        self.fold_short(u128::from(a) * u128::from(b))
    }

    /// The remainder of a number below 2^126, such as four products: one multiplication less.
    #[inline]
    fn fold_short(self, value: u128) -> u64 {
        let once = u128::from((value >> BITS) as u64) * u128::from(self.k) + u128::from(value as u64 & MASK);
        let twice = (once >> BITS) as u64 * self.k + (once as u64 & MASK);
        if twice >= self.prime { twice - self.prime } else { twice }
    }

    /// The remainder of any number: after two folds less than one prime is too much.
    #[inline]
    fn fold(self, value: u128) -> u64 {
        let once = (value >> BITS) * u128::from(self.k) + (value & u128::from(MASK));
        let twice = (once >> BITS) as u64 * self.k + (once as u64 & MASK);
        if twice >= self.prime { twice - self.prime } else { twice }
    }

    /// The sum of products. Up to fifteen of them fit into 128 bits before they have to be folded.
    #[inline]
    pub(super) fn dot(self, pairs: impl Iterator<Item = (u64, u64)>) -> u64 {
        self.dot_plus(pairs, 0)
    }

    /// The same, and a number of the field more.
    #[inline]
    pub(super) fn dot_plus(self, pairs: impl Iterator<Item = (u64, u64)>, more: u64) -> u64 {
        let mut sum = u128::from(more);
        for (count, (a, b)) in pairs.enumerate() {
            if count % 14 == 13 {
                sum = u128::from(self.fold(sum));
            }
            sum += u128::from(a) * u128::from(b);
        }
        self.fold(sum)
    }

    /// The same for numbers of pairs that the compiler knows: up to [`SHORT`] there is
    /// nothing to fold on the way.
    #[inline(always)]
    pub(super) fn dot_of(self, pairs: usize, at: impl Fn(usize) -> (u64, u64), more: u64) -> u64 {
        if pairs > SHORT {
            return self.dot_plus((0..pairs).map(at), more);
        }
        let mut sum = u128::from(more);
        for i in 0..pairs {
            let (a, b) = at(i);
            sum += u128::from(a) * u128::from(b);
        }
        if pairs <= 3 { self.fold_short(sum) } else { self.fold(sum) }
    }

    pub(super) fn pow(self, mut base: u64, mut exponent: u64) -> u64 {
        let mut power = 1;
        while exponent > 0 {
            if exponent & 1 == 1 {
                power = self.mul(power, base);
            }
            base = self.mul(base, base);
            exponent >>= 1;
        }
        power
    }

    /// The inverse of a nonzero number, by Euclid's steps: a third of the time of a power.
    pub(super) fn inverse(self, a: u64) -> u64 {
        let (mut r, mut next_r) = (self.prime, a);
        // Never beyond the prime, which has 62 bits.
        let (mut t, mut next_t) = (0i64, 1i64);
        while next_r != 0 {
            let quotient = r / next_r;
            (r, next_r) = (next_r, r - quotient * next_r);
            (t, next_t) = (next_t, t.wrapping_sub((quotient as i64).wrapping_mul(next_t)));
        }
        if t < 0 { self.prime.wrapping_add_signed(t) } else { t as u64 }
    }

    /// Inverses of numbers that are not zero, for the price of one; `products` is memory to work in.
    pub(super) fn inverses(self, values: &mut [u64], products: &mut Vec<u64>) {
        products.clear();
        let mut all = 1;
        for value in values.iter() {
            products.push(all);
            all = self.mul(all, *value);
        }
        let mut rest = self.inverse(all);
        for (value, before) in values.iter_mut().zip(products.iter()).rev() {
            let inverse = self.mul(rest, *before);
            rest = self.mul(rest, *value);
            *value = inverse;
        }
    }
}

/// The number in `0..=bound` with the remainders that `remainder` gives; `None` if there are too few primes,
/// if `remainder` gives up, or if no number fits.
pub(crate) fn reconstruct(bound: &Int, mut remainder: impl FnMut(Field) -> Option<u64>) -> Option<Int> {
    if let Some(bound) = bound.to_i64()
        && let Some(field) = Field::all().next()
        && (bound as u64) < field.prime
    {
        let value = remainder(field)?;
        return (value <= bound as u64).then(|| Int::from(value as i64));
    }
    // Two primes have 124 bits.
    let mut fields = Field::all();
    if let (Some(p), Some(q)) = (fields.next(), fields.next())
        && let Some(bound) = bound.to_i128()
        && bound < i128::from(p.prime) * i128::from(q.prime)
    {
        let first = remainder(p)?;
        let (first_in_q, p_in_q) = (first % q.prime, p.prime % q.prime);
        let step = q.mul(q.sub(remainder(q)?, first_in_q), q.inverse(p_in_q));
        let value = i128::from(first) + i128::from(p.prime) * i128::from(step);
        return (value <= bound).then(|| Int::from(value));
    }
    let mut value = BigInt::ZERO;
    let mut modulus = BigInt::from(1);
    let bound = bound.to_big();
    let mut first = true;
    for field in Field::all() {
        let prime = BigInt::from(field.prime);
        let wanted = remainder(field)?;
        let reduce = |n: &BigInt| u64::try_from(n % &prime).ok();
        let step = if first {
            wanted
        } else {
            field.mul(field.sub(wanted, reduce(&value)?), field.inverse(reduce(&modulus)?))
        };
        first = false;
        value += &modulus * step;
        modulus *= prime;
        if modulus > bound {
            return (value <= bound).then(|| Int::from(value));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_and_inverses() {
        for field in Field::all() {
            let p = u128::from(field.prime);
            for (a, b) in [(0, 5), (field.prime - 1, field.prime - 1), (1 << 61, (1 << 61) + 12345), (3, 7)] {
                assert_eq!(u128::from(field.mul(a, b)), u128::from(a) * u128::from(b) % p);
            }
            let most = [field.prime - 1; 40];
            let sum = u128::from(field.prime - 1) * u128::from(field.prime - 1) % p * 40 % p;
            assert_eq!(u128::from(field.dot(most.into_iter().zip(most))), sum);
            // Fermat's test in four bases; none of these numbers is a liar for all of them.
            assert!([2, 3, 5, 7].iter().all(|a| field.pow(*a, field.prime - 1) == 1));
            let mut values = [2, 3, field.prime - 1, 1 << 60];
            let before = values;
            field.inverses(&mut values, &mut Vec::new());
            assert!(before.iter().zip(values).all(|(a, b)| field.mul(*a, b) == 1));
        }
    }

    #[test]
    fn numbers_come_back() {
        let big = Int::from(BigInt::from(12_345_678_901_234_567_u64).pow(20));
        let remainder = |f: Field| u64::try_from(big.to_big() % f.prime).ok();
        assert_eq!(reconstruct(&big, remainder), Some(big.clone()));
        assert_eq!(reconstruct(&big.sub(&Int::ONE), remainder), None);
        // One prime, two, and three.
        for bits in [3u32, 61, 62, 63, 100, 122, 123, 125] {
            let number: BigInt = BigInt::from(5).pow(60) % (BigInt::from(1) << bits);
            let remainder = |f: Field| u64::try_from(&number % f.prime).ok();
            let bound = Int::from(BigInt::from(1) << bits);
            assert_eq!(reconstruct(&bound, remainder), Some(Int::from(number.clone())), "{bits} bits");
            assert_eq!(reconstruct(&Int::from(&number - 1), remainder), None, "{bits} bits");
        }
    }
}
