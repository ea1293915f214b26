//! The number of points from the generating functions of unimodular cones.
//!
//! A unimodular cone with apex lattice point `sum t_k u_k` has the generating function `x^apex / prod (1 - x^u_k)`. With `x_j =
//! exp(l_j s)` for a generic direction `l` the sum over all cones has no pole at `s = 0`, and its constant term is the number
//! of points [Barvinok MOR'94; De Loera et al. JSC'04]. Each cone gives `(-1)^d / prod c_k * sum T_i e^(d-i) / (d-i)!`, where
//! `c_k = l.u_k`, `e = sum t_k c_k` and `T` is the product of the series `c s / (exp(c s) - 1)`.
//!
//! The identity is one of rational functions in `l` whose denominators are products of the `c_k` and of numbers up to d + 1, so
//! it also holds modulo a prime, for any `l` with no `c_k = 0` there: `l` is drawn from the whole field, and no number
//! grows. T comes from its logarithm (power sums of the `c_k`), which costs d^2 per cone instead of d^3.

use super::cone::Cone;
use super::field::Field;
use crate::number::Number;

/// Directions tried per prime: one in 2^50 fails.
const TRIES: u64 = 4;

/// Numbers that depend on the prime and the dimension only.
struct Constants {
    /// `1 / i!`
    factorials: Vec<u64>,
    /// `1 / i`
    inverses: Vec<u64>,
    /// `i` times the coefficient of `x^i` in the logarithm of `x / (exp(x) - 1)`.
    logarithm: Vec<u64>,
}

fn constants(field: Field, d: usize) -> Constants {
    let mut inverses: Vec<u64> = (0..d as u64 + 2).map(|i| i.max(1)).collect();
    field.inverses(&mut inverses);
    let mut factorials = vec![1; d + 2];
    for i in 1..d + 2 {
        factorials[i] = field.mul(factorials[i - 1], inverses[i]);
    }
    // b_n = B_n / n! from sum over j <= n of b_j / (n + 1 - j)! = [n = 0]
    let mut bernoulli = vec![0; d + 1];
    bernoulli[0] = 1;
    for n in 1..=d {
        let sum = (0..n).fold(0, |s, j| field.add(s, field.mul(bernoulli[j], factorials[n + 1 - j])));
        bernoulli[n] = field.neg(sum);
    }
    let mut logarithm: Vec<u64> = bernoulli.iter().map(|b| field.neg(*b)).collect();
    if d >= 1 {
        logarithm[1] = bernoulli[1]; // -1/2
    }
    Constants { factorials, inverses, logarithm }
}

/// A stream of numbers for directions (SplitMix64).
fn draw(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The number of points modulo the prime.
pub(crate) fn points_modulo<N: Number>(field: Field, d: usize, cones: &[Cone<N>]) -> Option<u64> {
    (0..TRIES).find_map(|seed| with_direction(field, d, cones, seed))
}

fn with_direction<N: Number>(field: Field, d: usize, cones: &[Cone<N>], seed: u64) -> Option<u64> {
    let mut state = seed;
    let direction: Vec<u64> = (0..d).map(|_| draw(&mut state) % field.prime).collect();
    let constants = constants(field, d);
    let mut poles = Vec::with_capacity(cones.len());
    let mut values = Vec::with_capacity(cones.len());
    let mut slopes = vec![0; d];
    for cone in cones {
        for (slope, ray) in slopes.iter_mut().zip(cone.rays.chunks(d)) {
            let parts = direction.iter().zip(ray).filter(|(_, u)| u.sign() != 0);
            *slope = parts.fold(0, |s, (l, u)| field.add(s, times(field, *l, u)));
        }
        if slopes.contains(&0) {
            return None;
        }
        let apex = slopes.iter().zip(&cone.apex).filter(|(_, t)| t.sign() != 0);
        let apex = apex.fold(0, |s, (c, t)| field.add(s, times(field, *c, t)));
        poles.push(slopes.iter().fold(1, |p, c| field.mul(p, *c)));
        let value = numerator(field, d, &constants, &slopes, apex);
        values.push(if cone.positive == (d % 2 == 0) { value } else { field.neg(value) });
    }
    field.inverses(&mut poles);
    Some(values.iter().zip(&poles).fold(0, |s, (v, p)| field.add(s, field.mul(*v, *p))))
}

fn times<N: Number>(field: Field, a: u64, by: &N) -> u64 {
    match by.unit() {
        Some(1) => a,
        Some(-1) => field.neg(a),
        _ => field.mul(a, by.residue(field.prime)),
    }
}

/// `sum over i of T_i e^(d-i) / (d-i)!`
fn numerator(field: Field, d: usize, constants: &Constants, slopes: &[u64], apex: u64) -> u64 {
    let mut weighted = vec![0; d + 1]; // logarithm times power sum, by exponent
    for i in (1..=d).filter(|i| *i == 1 || i % 2 == 0) {
        let sum = slopes.iter().fold(0, |s, c| field.add(s, power(field, *c, i)));
        weighted[i] = field.mul(constants.logarithm[i], sum);
    }
    let mut todd = vec![0; d + 1];
    todd[0] = 1;
    for i in 1..=d {
        let sum = (1..=i)
            .filter(|k| weighted[*k] != 0)
            .fold(0, |s, k| field.add(s, field.mul(weighted[k], todd[i - k])));
        todd[i] = field.mul(sum, constants.inverses[i]);
    }
    let mut sum = 0;
    let mut power = 1;
    for j in 0..=d {
        let term = field.mul(power, constants.factorials[j]);
        sum = field.add(sum, field.mul(term, todd[d - j]));
        power = field.mul(power, apex);
    }
    sum
}

/// Small exponents, without a loop where it matters.
fn power(field: Field, c: u64, exponent: usize) -> u64 {
    match exponent {
        1 => c,
        2 => field.mul(c, c),
        4 => {
            let square = field.mul(c, c);
            field.mul(square, square)
        }
        _ => field.pow(c, exponent as u64),
    }
}
