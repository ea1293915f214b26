//! The number of points from the generating functions of unimodular cones.
//!
//! A unimodular cone with apex lattice point `sum t_k u_k` has the generating function `x^apex / prod (1 -
//! x^u_k)`. With `x_j = exp(l_j s)` for a generic direction `l` the sum over all cones has no pole at `s =
//! 0`, and its constant term is the number of points [Barvinok MOR'94; De Loera et al. JSC'04]. Each cone
//! gives `(-1)^d / prod c_k` times the coefficient of `s^d` in `exp(e s) T(s)`, where `c_k = l.u_k`, `e = sum
//! t_k c_k` and `T` is the product of the series `c s / (exp(c s) - 1)`.
//!
//! The identity is one of rational functions in `l` whose denominators are products of the `c_k` and of
//! numbers up to d + 1, so it also holds modulo a prime, for any `l` with no `c_k = 0` there. A small `l`
//! makes the `c_k` machine words, the same for all primes (`cone.rs`); where they do not fit, `l` is drawn
//! from the whole field, and no number grows. The product comes from its logarithm (`e` and power sums of the
//! `c_k`), which costs d^2 per cone instead of d^3.

use super::cone::Cones;
use super::constants::Constants;
use super::field::{Field, reconstruct};
use super::small::{Characters, Cone};
use crate::number::Number;
use evergreen_structures::Random;
use evergreen_term::Int;
use std::cell::Cell;

/// Directions tried: one in thousands fails.
const TRIES: u64 = 4;

/// Products of two slopes below that, and sums of a few of them, are below every prime.
const FIT: u64 = 1 << 28;
const FEW: usize = 32;

thread_local! {
    /// Memory from one count for the next.
    static MEMORY: Cell<Memory> = Cell::default();
}

/// So many numbers are kept at most.
const KEPT: usize = 1 << 16;

/// The number of points of the cones, which is at most the bound.
pub(crate) fn points<N: Number>(cones: &Cones<N>, bound: &Int) -> Option<Int> {
    let mut sum = Sum { cones, memory: MEMORY.take() };
    let points = reconstruct(bound, |field| sum.modulo(field));
    if sum.memory.poles.capacity() <= KEPT {
        MEMORY.set(sum.memory);
    }
    points
}

/// Memory for the sums.
#[derive(Default)]
struct Memory {
    direction: Vec<u64>,
    poles: Vec<u64>,
    values: Vec<u64>,
    products: Vec<u64>,
    characters: Characters,
}

/// The sum over cones.
struct Sum<'c, N> {
    cones: &'c Cones<N>,
    memory: Memory,
}

impl<N: Number> Sum<'_, N> {
    /// The number of points modulo the prime.
    fn modulo(&mut self, field: Field) -> Option<u64> {
        let constants = Constants::of(field, self.cones.dimension);
        if !self.cones.direction.is_empty() {
            return self.with_direction(&constants);
        }
        (0..TRIES).find_map(|seed| {
            let (d, mut random) = (self.cones.dimension, Random::new(seed));
            self.memory.direction.clear();
            self.memory.direction.extend((0..d).map(|_| random.next() % field.prime));
            self.with_direction(&constants)
        })
    }

    fn with_direction(&mut self, constants: &Constants) -> Option<u64> {
        // Where the dimension is known the loops over it are unrolled.
        match self.cones.dimension {
            3 => self.add_up(constants, &mut Scratch::<3>::new(), 3),
            4 => self.add_up(constants, &mut Scratch::<4>::new(), 4),
            5 => self.add_up(constants, &mut Scratch::<5>::new(), 5),
            6 => self.add_up(constants, &mut Scratch::<6>::new(), 6),
            8 => self.add_up(constants, &mut Scratch::<8>::new(), 8),
            d => self.add_up(constants, &mut Scratch::<128>::new(), d),
        }
    }

    #[inline(always)]
    fn add_up<const D: usize>(
        &mut self,
        constants: &Constants,
        scratch: &mut Scratch<D>,
        d: usize,
    ) -> Option<u64> {
        let field = constants.field;
        let Memory { direction, poles, values, products, characters } = &mut self.memory;
        poles.clear();
        values.clear();
        let mut known = self.cones.slopes.chunks_exact(d);
        let products_fit = !self.cones.direction.is_empty() && self.cones.all_slopes < FIT && d <= FEW;
        let mut generators = self.cones.generators.chunks_exact(d * d);
        let mut weights = self.cones.weights.chunks_exact(d + 1);
        for (head, tip) in self.cones.heads.iter().zip(self.cones.tips.chunks_exact(d)) {
            let slopes = &mut scratch.slopes[..d];
            let known = known.next();
            if let Some(known) = known {
                slopes.iter_mut().zip(known).for_each(|(slope, c)| *slope = field.of(*c));
            } else {
                for (slope, ray) in slopes.iter_mut().zip(generators.next()?.chunks_exact(d)) {
                    *slope = mixed(field, direction, ray);
                }
                if slopes.contains(&0) {
                    return None;
                }
            }
            let apex = field.dot_of(d, |k| (slopes[k], tip[k].residue(field.prime)), 0);
            let words = known.filter(|_| products_fit);
            poles.push(match words {
                Some(words) => words.chunks(2).fold(1, |p, c| field.mul(p, field.of(c.iter().product()))),
                None => slopes[1..].iter().fold(slopes[0], |p, c| field.mul(p, *c)),
            });
            let mut value = scratch.numerator(constants, apex, d, words);
            if head.index > 1
                && let Some((phase, weights)) = weights.next().and_then(<[u8]>::split_last)
            {
                let roots = constants.roots(head.index);
                let slopes = &scratch.slopes[..d];
                let cone = Cone { constants, roots, weights, phase: *phase, slopes, apex };
                let others = field.mul(characters.sum(cone), d as u64);
                value = field.mul(field.add(value, others), roots.inverse);
            }
            values.push(if head.positive == d.is_multiple_of(2) { value } else { field.neg(value) });
        }
        field.inverses(poles, products);
        let sum = field.dot(values.iter().copied().zip(poles.iter().copied()));
        Some(field.mul(sum, constants.inverses[d]))
    }
}

/// The sum of products with integers, many of which are zero.
#[inline]
fn mixed<N: Number>(field: Field, a: &[u64], b: &[N]) -> u64 {
    let pairs = a.iter().zip(b).filter(|(_, b)| b.sign() != 0);
    field.dot(pairs.map(|(a, b)| (*a, b.residue(field.prime))))
}

/// Memory for one cone after the other, in at most `D` dimensions.
struct Scratch<const D: usize> {
    slopes: [u64; D],
    squares: [u64; D],
    powers: [u64; D],
    /// `i` times the coefficient of `s^i` in the logarithm of the expanded product, from `i = 1` on.
    weighted: [u64; D],
    /// The coefficients of the expanded product, from `s` on.
    todd: [u64; D],
}

impl<const D: usize> Scratch<D> {
    fn new() -> Scratch<D> {
        Scratch { slopes: [0; D], squares: [0; D], powers: [0; D], weighted: [0; D], todd: [0; D] }
    }

    /// `d` times the coefficient of `s^d` in `exp(e s) * prod c_k s / (exp(c_k s) - 1)`, as that of the
    /// exponential of a logarithm. Slopes whose squares fit are given as words too.
    #[inline(always)]
    fn numerator(&mut self, constants: &Constants, apex: u64, d: usize, words: Option<&[i64]>) -> u64 {
        let (field, logarithm) = (constants.field, &constants.logarithm[..=d]);
        let (slopes, squares, powers) = (&self.slopes[..d], &mut self.squares[..d], &mut self.powers[..d]);
        let (weighted, todd) = (&mut self.weighted[..d], &mut self.todd[..d]);
        let sum = slopes.iter().fold(0, |sum, c| field.add(sum, *c));
        weighted[0] = field.add(apex, field.mul(sum, logarithm[1]));
        let sum = if let Some(words) = words {
            squares.iter_mut().zip(words).for_each(|(s, c)| *s = (c * c) as u64);
            squares.iter().sum()
        } else {
            squares.iter_mut().zip(slopes).for_each(|(s, c)| *s = field.mul(*c, *c));
            squares.iter().fold(0, |sum, s| field.add(sum, *s))
        };
        powers.copy_from_slice(squares);
        if d >= 2 {
            weighted[1] = field.mul(sum, logarithm[2]);
        }
        for i in (4..=d).step_by(2) {
            // The power before this one, times a square.
            let sum = field.dot_of(d, |k| (powers[k], squares[k]), 0);
            weighted[i - 1] = field.mul(sum, logarithm[i]);
            if i + 2 <= d {
                powers.iter_mut().zip(&*squares).for_each(|(p, s)| *p = field.mul(*p, *s));
            }
        }
        todd[0] = weighted[0];
        for i in 2..=d {
            // The first coefficient is 1.
            let whole = if i.is_multiple_of(2) { weighted[i - 1] } else { 0 };
            // The logarithm has the powers 1, 2, 4, 6 and so on.
            let power = |k: usize| if k == 0 { 1 } else { 2 * k };
            let pair = |k: usize| (weighted[power(k) - 1], todd[i - power(k) - 1]);
            let sum = field.dot_of(1 + (i - 1) / 2, pair, whole);
            todd[i - 1] = if i < d { field.mul(sum, constants.inverses[i]) } else { sum };
        }
        todd[d - 1]
    }
}
