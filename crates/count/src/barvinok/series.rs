//! The number of points from the generating functions of unimodular cones.
//!
//! A unimodular cone with apex lattice point `sum t_k u_k` has the generating function `x^apex / prod (1 - x^u_k)`. With `x_j =
//! exp(l_j s)` for a generic direction `l` the sum over all cones has no pole at `s = 0`, and its constant term is the number
//! of points [Barvinok MOR'94; De Loera et al. JSC'04]. Each cone gives `(-1)^d / prod c_k` times the coefficient of `s^d` in
//! `exp(e s) T(s)`, where `c_k = l.u_k`, `e = sum t_k c_k` and `T` is the product of the series `c s / (exp(c s) - 1)`.
//!
//! The identity is one of rational functions in `l` whose denominators are products of the `c_k` and of numbers up to d + 1, so
//! it also holds modulo a prime, for any `l` with no `c_k = 0` there. A small `l` makes the `c_k` machine words, the same for
//! all primes; where they do not fit, `l` is drawn from the whole field, and no number grows. The product comes from its logarithm (`e` and power sums of the `c_k`), which costs d^2 per cone instead of d^3.

use super::cone::Cones;
use super::constants::Constants;
use super::field::{Field, reconstruct};
use super::small::{Characters, Cone};
use crate::number::Number;
use evergreen_term::Int;
use std::cell::Cell;

/// Directions tried: one in thousands fails.
const TRIES: u64 = 4;

/// Bits of a direction, and of slopes.
const DIRECTION: u32 = 24;
const SLOPE: u32 = 61;

/// A stream of numbers for directions (SplitMix64).
fn draw(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

thread_local! {
    /// Memory from one count for the next.
    static MEMORY: Cell<Memory> = Cell::default();
}

/// So many numbers are kept at most.
const KEPT: usize = 1 << 16;

/// The number of points of the cones, which is at most the bound.
pub(crate) fn points<N: Number>(cones: &Cones<N>, bound: &Int) -> Option<Int> {
    let mut sum = Sum { cones, memory: MEMORY.take() };
    sum.memory.prepare(cones.dimension);
    if !(0..TRIES).any(|seed| sum.small_slopes(seed).is_some()) {
        sum.memory.small.clear();
    }
    let points = reconstruct(bound, |field| sum.modulo(field));
    if sum.memory.small.capacity() <= KEPT {
        MEMORY.set(sum.memory);
    }
    points
}

/// What sums are computed in.
#[derive(Default)]
struct Memory {
    /// `l.u_k` of all cones for a direction of small numbers, if these are small too: for all primes.
    small: Vec<i64>,
    direction: Vec<u64>,
    slopes: Vec<u64>,
    poles: Vec<u64>,
    values: Vec<u64>,
    products: Vec<u64>,
    scratch: Scratch,
    characters: Characters,
}

impl Memory {
    fn prepare(&mut self, d: usize) {
        for numbers in [&mut self.direction, &mut self.slopes] {
            numbers.resize(d, 0);
        }
        for numbers in [&mut self.scratch.weighted, &mut self.scratch.todd] {
            numbers.clear();
            numbers.resize(d + 1, 0);
        }
    }
}

/// The sum over cones.
struct Sum<'c, N> {
    cones: &'c Cones<N>,
    memory: Memory,
}

impl<N: Number> Sum<'_, N> {
    /// All slopes, none of them zero; `None` if that fails.
    fn small_slopes(&mut self, seed: u64) -> Option<()> {
        let d = self.cones.dimension;
        let Memory { small: slopes, direction, .. } = &mut self.memory;
        let mut state = seed;
        direction.iter_mut().for_each(|l| *l = draw(&mut state) >> (64 - DIRECTION));
        slopes.clear();
        for (_, rays, _) in self.cones.iter() {
            for ray in rays.chunks(d) {
                let mut slope = 0i64;
                for (l, r) in direction.iter().zip(ray) {
                    slope = slope.checked_add((*l as i64).checked_mul(r.to_word()?)?)?;
                }
                if slope == 0 || slope.unsigned_abs() >= 1 << SLOPE {
                    return None;
                }
                slopes.push(slope);
            }
        }
        Some(())
    }

    /// The number of points modulo the prime.
    fn modulo(&mut self, field: Field) -> Option<u64> {
        // Where the dimension is known the loops over it are unrolled.
        (0..TRIES).find_map(|seed| match self.cones.dimension {
            3 => self.with_direction(field, seed, 3),
            4 => self.with_direction(field, seed, 4),
            5 => self.with_direction(field, seed, 5),
            6 => self.with_direction(field, seed, 6),
            d => self.with_direction(field, seed, d),
        })
    }

    #[inline(always)]
    fn with_direction(&mut self, field: Field, seed: u64, d: usize) -> Option<u64> {
        let constants = Constants::of(field, d);
        let Memory { small, direction, slopes, poles, values, products, scratch, characters } =
            &mut self.memory;
        if small.is_empty() {
            let mut state = seed;
            direction.iter_mut().for_each(|l| *l = draw(&mut state) % field.prime);
        }
        poles.clear();
        values.clear();
        let mut small = small.chunks_exact(d);
        let mut weights = self.cones.weights.chunks_exact(d + 1);
        let slopes = &mut slopes[..d];
        for (head, rays, apex) in self.cones.iter() {
            if let Some(small) = small.next() {
                slopes.iter_mut().zip(small).for_each(|(slope, c)| *slope = field.of(*c));
            } else {
                for (slope, ray) in slopes.iter_mut().zip(rays.chunks_exact(d)) {
                    *slope = mixed(field, direction, ray);
                }
                if slopes.contains(&0) {
                    return None;
                }
            }
            let apex = mixed(field, slopes, &apex[..d]);
            poles.push(slopes.iter().fold(1, |p, c| field.mul(p, *c)));
            let mut value = scratch.numerator(&constants, slopes, apex, d);
            if head.index > 1
                && let Some((phase, weights)) = weights.next().and_then(<[u8]>::split_last)
            {
                let roots = constants.roots(head.index);
                let cone = Cone { constants: &constants, roots, weights, phase: *phase, slopes, apex };
                value = field.mul(field.add(value, characters.sum(cone)), roots.inverse);
            }
            values.push(if head.positive == d.is_multiple_of(2) { value } else { field.neg(value) });
        }
        field.inverses(poles, products);
        Some(field.dot(values.iter().copied().zip(poles.iter().copied())))
    }
}

/// The sum of products with integers, many of which are zero.
#[inline]
fn mixed<N: Number>(field: Field, a: &[u64], b: &[N]) -> u64 {
    let pairs = a.iter().zip(b).filter(|(_, b)| b.sign() != 0);
    field.dot(pairs.map(|(a, b)| (*a, b.residue(field.prime))))
}

#[derive(Default)]
struct Scratch {
    /// `i` times the coefficient of `s^i` in the logarithm of what is expanded.
    weighted: Vec<u64>,
    todd: Vec<u64>,
    squares: Vec<u64>,
    powers: Vec<u64>,
}

impl Scratch {
    /// The coefficient of `s^d` in `exp(e s) * prod c_k s / (exp(c_k s) - 1)`, as that of the exponential of a logarithm.
    #[inline(always)]
    fn numerator(&mut self, constants: &Constants, slopes: &[u64], apex: u64, d: usize) -> u64 {
        let field = constants.field;
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
