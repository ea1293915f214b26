//! Cones of small index, by the characters of a finite group.
//!
//! A cone with facets `w_k.x <= f_k` whose normals have determinant D is `y >= 0` for `y = f - W x`, and the
//! `y` of integer `x` are one class modulo a lattice of index D. The average of the D characters of that
//! group picks out the class:
//!
//! `sum of exp(l.x s) = 1/D * sum over chi of chi(f) exp(e s) / prod (1 - chi(e_k)^-1 exp(c_k s))`
//!
//! with `e` and `c_k` as in `series.rs` [Köppe SIDMA'07 stops at small indices too, with points in place of
//! characters]. So a cone of index D is D products instead of the signed sum of unimodular cones that
//! decomposing it further makes, and all but the first are short: a factor with `chi(e_k) != 1` has no pole,
//! so the series is needed up to the number of factors with poles; where there are none, up to its constant,
//! d multiplications. A factor `h = 1 / (1 - z exp(x))` has `h' = h^2 - h`, which gives its coefficients, and
//! `h - 1` is the derivative of its logarithm.
//!
//! Exact modulo primes that have roots of unity of order D (`field.rs`): those up to 42 that divide `lcm(1 ..
//! 16)`, and not the few whose group is not cyclic, which are decomposed further. Measured with bounds 1, 8,
//! 16, 30, 42 and 60, in microseconds: 3 variables with coefficients near 2^31 take 13900, 8500, 6300, 5500,
//! 5300, 5400; 5 variables with rows of five terms 2800, 870, 570, 460, 400, 420; 5 variables with rows of
//! two 119, 71, 70, 74, 75, 71; nothing is slower.

use super::constants::Constants;
use super::field::{Field, ORDERS};
use crate::number::Number;

/// Up to this index cones are not decomposed.
pub(crate) const MOST: usize = 42;

/// In more dimensions than these they are.
pub(crate) const MOST_DIMENSIONS: usize = 16;

/// Finds a character that generates all of them, by weights: its value at `e_k` is the root of unity to the
/// power `weights[k]`. `None` if there is none, or no root of unity.
pub(crate) fn generator<M: Number>(rays: &[M], index: u8, weights: &mut [u8]) -> Option<()> {
    if !ORDERS.is_multiple_of(u64::from(index)) {
        return None;
    }
    let d = weights.len();
    let mut found = 1;
    for j in 0..d {
        // All m with integer sum (m_k / D) w_k: the coordinates of the rays, negated, generate them.
        let mut member = [0u8; MOST_DIMENSIONS];
        let member = &mut member[..d];
        for (l, m) in member.iter_mut().enumerate() {
            let r = rays[l * d + j].residue(u64::from(index)) as u8;
            *m = if r == 0 { 0 } else { index - r };
        }
        let alone = order(index, member);
        if found > 1 && alone > 1 && alone < index {
            let mut sum = [0u8; MOST_DIMENSIONS];
            let sum = &mut sum[..d];
            sum.iter_mut().zip(member.iter().zip(&*weights)).for_each(|(s, (m, w))| *s = (m + w) % index);
            let together = order(index, sum);
            if together > found.max(alone) {
                found = together;
                weights.copy_from_slice(sum);
            }
        }
        if alone > found {
            found = alone;
            weights.copy_from_slice(member);
        }
        if found == index {
            return Some(());
        }
    }
    None
}

/// The order of a member of the group.
fn order(index: u8, member: &[u8]) -> u8 {
    let mut gcd = index;
    for m in member {
        let mut b = *m;
        while b != 0 {
            (gcd, b) = (b, gcd % b);
        }
        if gcd == 1 {
            break;
        }
    }
    index / gcd
}

/// Powers of a root of unity, and the factors that they make.
pub(crate) struct Roots {
    order: usize,
    /// By exponent.
    powers: Vec<u64>,
    /// By power of `x`, then by exponent; the exponent 0 has a pole, and nothing here.
    factors: Vec<u64>,
    /// `1 / order`
    pub inverse: u64,
}

impl Roots {
    /// Those of an order that the prime has.
    pub(super) fn new(constants: &Constants, order: usize) -> Roots {
        let field = constants.field;
        let root = primitive(field, order as u64);
        let mut powers = vec![1; order];
        for at in 1..order {
            powers[at] = field.mul(powers[at - 1], root);
        }
        let mut factors: Vec<u64> = powers.iter().map(|z| field.sub(1, *z)).collect();
        factors[0] = 1;
        field.inverses(&mut factors, &mut Vec::new());
        // At least one factor has no pole, so powers up to d - 2 are needed.
        for i in 0..constants.logarithm.len().saturating_sub(3) {
            for at in 0..order {
                let own = |j: usize| factors[j * order + at];
                // (i + 1) h_(i + 1) = sum h_j h_(i - j) - h_i
                let square = field.dot((0..=i).map(|j| (own(j), own(i - j))));
                factors.push(field.mul(field.sub(square, own(i)), constants.inverses[i + 1]));
            }
        }
        Roots { order, powers, factors, inverse: field.inverse(order as u64) }
    }
}

/// A number of exactly this order, which divides `prime - 1`.
fn primitive(field: Field, order: u64) -> u64 {
    let exact =
        |root: &u64| (1..order).filter(|n| order.is_multiple_of(*n)).all(|n| field.pow(*root, n) != 1);
    (2..).map(|a| field.pow(a, (field.prime - 1) / order)).find(exact).unwrap_or(1)
}

/// A cone modulo a prime.
#[derive(Clone, Copy)]
pub(crate) struct Cone<'c> {
    pub constants: &'c Constants,
    pub roots: &'c Roots,
    /// Those of the generating character, and its value at the tip.
    pub weights: &'c [u8],
    pub phase: u8,
    pub slopes: &'c [u64],
    pub apex: u64,
}

/// Memory for one cone after the other.
#[derive(Default)]
pub(crate) struct Characters {
    weighted: Vec<u64>,
    series: Vec<u64>,
    /// Powers of the slopes, one after the other.
    powers: Vec<u64>,
}

impl Characters {
    /// The contribution of all characters but the first to the numerator over the product of all slopes, up
    /// to the sign that all share.
    pub(super) fn sum(&mut self, cone: Cone) -> u64 {
        let field = cone.constants.field;
        let order = cone.roots.order;
        let mut exponents = [0u8; MOST_DIMENSIONS];
        let exponents = &mut exponents[..cone.slopes.len()];
        let (mut turn, mut plain, mut sum) = (0, 0, 0);
        self.powers.clear();
        for _ in 1..order {
            turn += usize::from(cone.phase);
            turn = if turn >= order { turn - order } else { turn };
            let mut product = cone.roots.powers[turn];
            let mut poles = 0;
            for (exponent, weight) in exponents.iter_mut().zip(cone.weights) {
                // The character is inverted in the factors.
                *exponent = if *exponent < *weight { *exponent + order as u8 } else { *exponent } - weight;
                if *exponent == 0 {
                    poles += 1;
                } else {
                    product = field.mul(product, cone.roots.factors[usize::from(*exponent)]);
                }
            }
            if poles == 0 {
                plain = field.add(plain, product);
            } else {
                let coefficient = self.coefficient(cone, exponents, poles);
                sum = field.add(sum, field.mul(product, coefficient));
            }
        }
        if plain != 0 {
            let all = cone.slopes.iter().fold(plain, |all, c| field.mul(all, field.neg(*c)));
            sum = field.add(sum, all);
        }
        sum
    }

    /// The coefficient of `s` to the number of poles, times the slopes without poles, negated.
    fn coefficient(&mut self, cone: Cone, exponents: &[u8], poles: usize) -> u64 {
        let Constants { field, inverses, logarithm, .. } = cone.constants;
        let d = cone.slopes.len();
        if self.powers.is_empty() {
            self.powers.extend_from_slice(cone.slopes);
        }
        while self.powers.len() < d * poles {
            let before = self.powers.len() - d;
            for (k, slope) in cone.slopes.iter().enumerate() {
                self.powers.push(field.mul(self.powers[before + k], *slope));
            }
        }
        self.weighted.clear();
        self.series.clear();
        self.series.push(1);
        for i in 1..=poles {
            let factors = &cone.roots.factors[(i - 1) * cone.roots.order..];
            let pairs = self.powers[(i - 1) * d..].iter().zip(exponents).map(|(power, exponent)| {
                let own = match (*exponent, i) {
                    (0, _) => logarithm[i],
                    (at, 1) => field.sub(factors[usize::from(at)], 1),
                    (at, _) => factors[usize::from(at)],
                };
                (*power, own)
            });
            let own = field.dot(pairs);
            self.weighted.push(if i == 1 { field.add(own, cone.apex) } else { own });
            let sum = field.dot(self.weighted.iter().copied().zip(self.series.iter().rev().copied()));
            self.series.push(field.mul(sum, inverses[i]));
        }
        let without_pole = cone.slopes.iter().zip(exponents).filter(|(_, exponent)| **exponent != 0);
        without_pole.fold(self.series[poles], |all, (c, _)| field.mul(all, field.neg(*c)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_have_their_orders() {
        for (field, order) in Field::all().flat_map(|f| [2, 9, 16, 42].map(|order| (f, order))) {
            let constants = Constants::of(field, 4);
            let roots = constants.roots(order);
            let order = usize::from(order);
            assert_eq!(field.mul(roots.powers[order - 1], roots.powers[1]), 1);
            assert!(roots.powers[1..].iter().all(|z| *z != 1));
            for at in 1..order {
                // h (1 - z) = 1, and the derivative of h is h^2 - h.
                let h = roots.factors[at];
                assert_eq!(field.mul(h, field.sub(1, roots.powers[at])), 1);
                assert_eq!(roots.factors[order + at], field.sub(field.mul(h, h), h));
            }
        }
    }

    #[test]
    fn generators() {
        let check = |rays: &[i64], index: u8, expected: Option<&[u8]>| {
            let mut weights = [0; 3];
            let found = generator(rays, index, &mut weights).map(|()| &weights[..]);
            assert_eq!(found, expected, "{rays:?} {index}");
        };
        check(&[-1, 0, 0, -2, 5, 0, 0, 0, 5], 5, Some(&[1, 2, 0]));
        // Two generators of orders 2 and 3: their sum has order 6.
        check(&[-3, 0, 0, 0, -2, 0, -3, -2, 0], 6, Some(&[3, 2, 5]));
        // Two times two is not cyclic; no prime has roots of order 17.
        check(&[-2, 0, 0, 0, -2, 0, -2, -2, 4], 4, None);
        check(&[-1, 0, 0, -2, 17, 0, 0, 0, 17], 17, None);
    }
}
