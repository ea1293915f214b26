//! The number of points from the generating functions of unimodular cones.
//!
//! A unimodular cone with apex lattice point `sum t_k u_k` has the generating function `x^apex / prod (1 - x^u_k)`. With `x_j =
//! exp(l_j s)` for a generic direction `l` the sum over all cones has no pole at `s = 0`, and its constant term is the number
//! of points [Barvinok MOR'94; De Loera et al. JSC'04]. Each cone gives `(-1)^d / prod c_k` times the coefficient of `s^d` in
//! `exp(e s) T(s)`, where `c_k = l.u_k`, `e = sum t_k c_k` and `T` is the product of the series `c s / (exp(c s) - 1)`.
//!
//! The identity is one of rational functions in `l` whose denominators are products of the `c_k` and of numbers up to d + 1, so
//! it also holds modulo a prime, for any `l` with no `c_k = 0` there: `l` is drawn from the whole field, and no number
//! grows. The product comes from its logarithm (`e` and power sums of the `c_k`), which costs d^2 per cone instead of d^3.

use super::cone::Cones;
use super::field::Field;
use crate::number::Number;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;

/// Directions tried per prime: one in 2^50 fails.
const TRIES: u64 = 4;

/// Numbers that depend on the prime and the dimension only.
struct Constants {
    /// `1 / i`
    inverses: Vec<u64>,
    /// `i` times the coefficient of `x^i` in the logarithm of `x / (exp(x) - 1)`.
    logarithm: Vec<u64>,
}

thread_local! {
    /// Those of the first primes, which every count begins with, by prime and dimension.
    static KNOWN: RefCell<FxHashMap<(u64, usize), Rc<Constants>>> = RefCell::default();
}

/// So many are kept.
const KEPT: usize = 256;

fn constants(field: Field, d: usize) -> Rc<Constants> {
    KNOWN.with_borrow_mut(|known| {
        if known.len() >= KEPT {
            known.clear();
        }
        known.entry((field.prime, d)).or_insert_with(|| Rc::new(compute_constants(field, d))).clone()
    })
}

fn compute_constants(field: Field, d: usize) -> Constants {
    // From p = (p / i) i + p mod i, without a power.
    let mut inverses: Vec<u64> = vec![1; d + 2];
    for i in 2..d + 2 {
        let (quotient, rest) = (field.prime / i as u64, field.prime % i as u64);
        inverses[i] = field.neg(field.mul(quotient, inverses[rest as usize]));
    }
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
    Constants { inverses, logarithm }
}

/// A stream of numbers for directions (SplitMix64).
fn draw(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The sum over cones, in memory that all primes share.
pub(crate) struct Sum<'c, N> {
    cones: &'c Cones<N>,
    direction: Vec<u64>,
    slopes: Vec<u64>,
    poles: Vec<u64>,
    values: Vec<u64>,
    products: Vec<u64>,
    scratch: Scratch,
}

impl<'c, N: Number> Sum<'c, N> {
    pub fn new(cones: &'c Cones<N>) -> Sum<'c, N> {
        let (d, count) = (cones.dimension, cones.len());
        let room = || Vec::with_capacity(count);
        Sum {
            cones,
            direction: vec![0; d],
            slopes: vec![0; d],
            poles: room(),
            values: room(),
            products: room(),
            scratch: Scratch::new(d),
        }
    }

    /// The number of points modulo the prime.
    pub fn modulo(&mut self, field: Field) -> Option<u64> {
        (0..TRIES).find_map(|seed| self.with_direction(field, seed))
    }

    fn with_direction(&mut self, field: Field, seed: u64) -> Option<u64> {
        let d = self.cones.dimension;
        let mut state = seed;
        self.direction.iter_mut().for_each(|l| *l = draw(&mut state) % field.prime);
        let constants = constants(field, d);
        self.poles.clear();
        self.values.clear();
        for (positive, rays, apex) in self.cones.iter() {
            for (slope, ray) in self.slopes.iter_mut().zip(rays.chunks(d)) {
                *slope = mixed(field, &self.direction, ray);
            }
            if self.slopes.contains(&0) {
                return None;
            }
            let apex = mixed(field, &self.slopes, apex);
            self.poles.push(self.slopes.iter().fold(1, |p, c| field.mul(p, *c)));
            let value = self.scratch.numerator(field, &constants, &self.slopes, apex);
            self.values.push(if positive == d.is_multiple_of(2) { value } else { field.neg(value) });
        }
        field.inverses(&mut self.poles, &mut self.products);
        Some(field.dot(self.values.iter().copied().zip(self.poles.iter().copied())))
    }
}

/// The sum of products with integers, many of which are zero.
fn mixed<N: Number>(field: Field, a: &[u64], b: &[N]) -> u64 {
    let pairs = a.iter().zip(b).filter(|(_, b)| b.sign() != 0);
    field.dot(pairs.map(|(a, b)| (*a, b.residue(field.prime))))
}

struct Scratch {
    /// `i` times the coefficient of `s^i` in the logarithm of what is expanded.
    weighted: Vec<u64>,
    todd: Vec<u64>,
    squares: Vec<u64>,
    powers: Vec<u64>,
}

impl Scratch {
    fn new(d: usize) -> Scratch {
        Scratch { weighted: vec![0; d + 1], todd: vec![0; d + 1], squares: Vec::new(), powers: Vec::new() }
    }

    /// The coefficient of `s^d` in `exp(e s) * prod c_k s / (exp(c_k s) - 1)`, as that of the exponential of a logarithm.
    fn numerator(&mut self, field: Field, constants: &Constants, slopes: &[u64], apex: u64) -> u64 {
        let d = slopes.len();
        let sum = slopes.iter().fold(0, |sum, c| field.add(sum, *c));
        self.weighted[1] = field.add(apex, field.mul(sum, constants.logarithm[1]));
        if d >= 2 {
            let sum = field.dot(slopes.iter().map(|c| (*c, *c)));
            self.weighted[2] = field.mul(sum, constants.logarithm[2]);
        }
        if d >= 4 {
            self.squares.clear();
            self.squares.extend(slopes.iter().map(|c| field.mul(*c, *c)));
            let sum = field.dot(self.squares.iter().map(|c| (*c, *c)));
            self.weighted[4] = field.mul(sum, constants.logarithm[4]);
            self.powers.clone_from(&self.squares);
        }
        for i in (6..=d).step_by(2) {
            // The power before this one, times a square.
            self.powers.iter_mut().zip(&self.squares).for_each(|(p, s)| *p = field.mul(*p, *s));
            let sum = field.dot(self.powers.iter().copied().zip(self.squares.iter().copied()));
            self.weighted[i] = field.mul(sum, constants.logarithm[i]);
        }
        self.todd[0] = 1;
        for i in 1..=d {
            let (weighted, todd) = (&self.weighted, &self.todd);
            let even = (2..=i).step_by(2).map(|k| (weighted[k], todd[i - k]));
            let sum = field.dot(even.chain([(weighted[1], todd[i - 1])]));
            self.todd[i] = field.mul(sum, constants.inverses[i]);
        }
        self.todd[d]
    }
}
