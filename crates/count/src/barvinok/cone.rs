//! Signed decomposition of a vertex cone into unimodular cones, or such of small index (`small.rs`).
//!
//! The cone at a vertex is given by the normals of its d facets. If their determinant D is 1 it is
//! unimodular. Else a lattice vector `z = sum (m_k / D) w_k` with all `|m_k|` small takes the place of each
//! normal in turn, with the sign of `m_k`, and each of these cones has index `|m_k|` [Barvinok MOR'94].
//! Normals span the *dual* cone, so the identity leaves out only cones that contain lines, whose generating
//! functions are zero: boundaries need no treatment (Brion's polarity trick). Every z is reduced modulo D, so
//! indices at least halve; lattice reduction (LLL) makes them fall like `D^((d-1)/d)`. Cost: cones grow with
//! log D to a power that depends on d only.

use super::reduce::shortest;
use super::small::{MOST, MOST_DIMENSIONS, generator};
use crate::number::Number;
use evergreen_structures::Random;

/// Cones of index 1, or so small that it is as good, with signs, one after the other.
///
/// Of a generator the series only needs its slope in one direction (`series.rs`): a few machine words in
/// place of d times as many numbers. Generators are kept only where a slope does not fit or is zero.
#[derive(Clone, Debug)]
pub(crate) struct Cones<N> {
    pub dimension: usize,
    pub heads: Vec<Head>,
    /// Empty if generators are kept.
    pub direction: Vec<i64>,
    /// The generators of each in the direction.
    pub slopes: Vec<i64>,
    /// The bits of all slopes' sizes.
    pub all_slopes: u64,
    /// The generators of each.
    pub generators: Vec<N>,
    /// The point at the tip of each in terms of its generators.
    pub tips: Vec<N>,
    /// Of each with an index beyond 1: the weights of a generating character, then its value at the tip.
    pub weights: Vec<u8>,
    /// The greatest index.
    most: u8,
}

/// Bits of a direction, and of slopes.
const DIRECTION: u32 = 24;
const SLOPE: u32 = 61;

/// Memory is taken for so many at first.
const ROOM_FOR: usize = 32;

/// Sign and index of a cone.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Head {
    pub positive: bool,
    pub index: u8,
}

impl<N: Number> Cones<N> {
    /// None yet. With a direction slopes are kept, without generators.
    pub(super) fn new(dimension: usize, direction: Vec<i64>) -> Cones<N> {
        let most = if dimension <= MOST_DIMENSIONS { MOST as u8 } else { 1 };
        let room = ROOM_FOR * dimension;
        let (slopes, generators) = if direction.is_empty() { (0, room * dimension) } else { (room, 0) };
        Cones {
            dimension,
            heads: Vec::with_capacity(ROOM_FOR),
            direction,
            slopes: Vec::with_capacity(slopes),
            all_slopes: 0,
            generators: Vec::with_capacity(generators),
            tips: Vec::with_capacity(room),
            weights: Vec::new(),
            most,
        }
    }

    /// The slope of the next generator.
    pub(super) fn push_slope(&mut self, slope: i64) -> Result<(), Stop> {
        let size = slope.unsigned_abs();
        if size == 0 || size >= 1 << SLOPE {
            return Err(Stop::Slope);
        }
        self.all_slopes |= size;
        self.slopes.push(slope);
        Ok(())
    }

    /// A direction for a dimension.
    pub(super) fn direction(dimension: usize, seed: u64) -> Vec<i64> {
        let mut random = Random::new(seed);
        (0..dimension).map(|_| (random.next() >> (64 - DIRECTION)) as i64).collect()
    }

    /// One more, whose facets have the floors; `false` if its index is too large.
    fn push<M: Number>(&mut self, positive: bool, index: &M, rays: &[M], floors: &[N]) -> Result<bool, Stop> {
        let Some(index) = index.to_word().and_then(|i| u8::try_from(i).ok()).filter(|i| *i <= self.most)
        else {
            return Ok(false);
        };
        if index > 1 && !self.push_weights(index, rays, floors) {
            return Ok(false);
        }
        if self.direction.is_empty() {
            self.generators.extend(rays.iter().map(N::widened));
        } else {
            for ray in rays.chunks_exact(self.dimension) {
                let slope = slope(&self.direction, ray).ok_or(Stop::Slope)?;
                self.push_slope(slope)?;
            }
        }
        for floor in floors {
            self.tips.push(floor.neg().ok_or(Stop::Overflow)?);
        }
        self.heads.push(Head { positive, index });
        Ok(true)
    }

    fn push_weights<M: Number>(&mut self, index: u8, rays: &[M], floors: &[N]) -> bool {
        let at = self.weights.len();
        self.weights.resize(at + self.dimension + 1, 0);
        let Some((phase, weights)) = self.weights[at..].split_last_mut() else { return false };
        if generator(rays, index, weights).is_none() {
            self.weights.truncate(at);
            return false;
        }
        let modulus = u64::from(index);
        let turns = floors.iter().zip(&*weights).filter(|(_, w)| **w != 0);
        let turn: u64 = turns.map(|(f, w)| f.residue(modulus) * u64::from(*w)).sum();
        *phase = (turn % modulus) as u8;
        true
    }

    /// How many there are, to go back to.
    fn mark(&self) -> [usize; 2] {
        [self.heads.len(), self.weights.len()]
    }

    fn back_to(&mut self, mark: [usize; 2]) {
        let numbers = mark[0] * self.dimension;
        self.heads.truncate(mark[0]);
        self.slopes.truncate(numbers);
        self.generators.truncate(numbers * self.dimension);
        self.tips.truncate(numbers);
        self.weights.truncate(mark[1]);
    }
}

/// How a generator grows in a direction, if that is a machine word.
fn slope<M: Number>(direction: &[i64], ray: &[M]) -> Option<i64> {
    let mut slope = 0i64;
    for (l, r) in direction.iter().zip(ray) {
        slope = slope.checked_add(l.checked_mul(r.to_word()?)?)?;
    }
    Some(slope)
}

/// A cone on the way: normals `w_k`, rays `r_l` with `w_k.r_l = -index` if `k = l`, else 0.
#[derive(Clone, Debug)]
pub(crate) struct Facets<M, N> {
    pub positive: bool,
    pub index: M,
    /// Normals, one after the other.
    pub normals: Vec<M>,
    /// Rays, one after the other.
    pub rays: Vec<M>,
    /// `floor(w_k.v)` for the vertex v.
    pub floors: Vec<N>,
}

impl<N: Number> Facets<N, N> {
    /// The same in machine words, if they have room to work in.
    fn narrow(&self) -> Option<Facets<i64, N>> {
        let word = |v: &N| v.to_word().filter(|v| v.unsigned_abs() < 1 << ROOM);
        let words = |all: &[N]| all.iter().map(word).collect::<Option<Vec<i64>>>();
        let index = word(&self.index)?;
        let (rays, normals) = (words(&self.rays)?, words(&self.normals)?);
        Some(Facets { positive: self.positive, index, normals, rays, floors: self.floors.clone() })
    }
}

/// Bits of numbers that are worth a try in machine words: products of one with a shorter one have to fit.
const ROOM: u32 = 36;

/// A vertex: numerators and their common, positive denominator.
#[derive(Clone, Debug)]
pub(crate) struct Vertex<N> {
    pub numerators: Vec<N>,
    pub denominator: N,
}

/// Why a decomposition failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stop {
    /// A number left its type.
    Overflow,
    /// More cones than the budget.
    Budget,
    /// Two vertices coincide: perturb differently.
    Degenerate,
    /// A generator does not grow in the direction, or too fast: keep generators.
    Slope,
}

pub(crate) fn dot<N: Number>(a: &[N], b: &[N]) -> Option<N> {
    let mut sum = N::small(0);
    for (x, y) in a.iter().zip(b) {
        if x.sign() != 0 && y.sign() != 0 {
            sum = sum.add(&x.mul(y)?)?;
        }
    }
    Some(sum)
}

/// Decomposes a cone and appends the unimodular ones; takes a step from `left` for each.
///
/// Indices fall fast, and numbers with them: a cone that fits is decomposed in machine words,
/// whatever its vertex needed.
pub(crate) fn decompose<N: Number>(
    facets: Facets<N, N>,
    vertex: &Vertex<N>,
    left: &mut u64,
    out: &mut Cones<N>,
) -> Result<(), Stop> {
    let mut open = vec![facets];
    while let Some(facets) = open.pop() {
        let before = (out.mark(), *left);
        if N::WIDE
            && let Some(narrow) = facets.narrow()
        {
            match decompose_in(vec![narrow], vertex, left, out) {
                Err(Stop::Overflow) => {
                    out.back_to(before.0);
                    *left = before.1;
                }
                done => {
                    done?;
                    continue;
                }
            }
        }
        step(facets, vertex, left, &mut open, out)?;
    }
    Ok(())
}

fn decompose_in<M: Number, N: Number>(
    mut open: Vec<Facets<M, N>>,
    vertex: &Vertex<N>,
    left: &mut u64,
    out: &mut Cones<N>,
) -> Result<(), Stop> {
    while let Some(facets) = open.pop() {
        step(facets, vertex, left, &mut open, out)?;
    }
    Ok(())
}

/// Appends a unimodular cone, or adds the cones that another one decomposes into to the open ones.
fn step<M: Number, N: Number>(
    facets: Facets<M, N>,
    vertex: &Vertex<N>,
    left: &mut u64,
    open: &mut Vec<Facets<M, N>>,
    out: &mut Cones<N>,
) -> Result<(), Stop> {
    *left = left.checked_sub(1).ok_or(Stop::Budget)?;
    if out.push(facets.positive, &facets.index, &facets.rays, &facets.floors)? {
        return Ok(());
    }
    let multiples = shortest(&facets.rays, &facets.index, out.dimension).ok_or(Stop::Overflow)?;
    let (z, floor) = between(&facets, &multiples, vertex).ok_or(Stop::Overflow)?;
    replace(&facets, &multiples, (&z, &floor), left, open, out)
}

/// `z = sum (m_k / index) w_k`, and the floor of its value at the vertex.
fn between<M: Number, N: Number>(
    facets: &Facets<M, N>,
    multiples: &[M],
    vertex: &Vertex<N>,
) -> Option<(Vec<M>, N)> {
    let d = multiples.len();
    let mut z = Vec::with_capacity(d);
    for j in 0..d {
        let mut sum = M::small(0);
        for (k, m) in multiples.iter().enumerate().filter(|(_, m)| m.sign() != 0) {
            sum = sum.add(&m.mul(&facets.normals[k * d + j])?)?;
        }
        z.push(sum.div_exact(&facets.index));
    }
    let mut height = N::small(0);
    for (z, v) in z.iter().zip(&vertex.numerators).filter(|(z, _)| z.sign() != 0) {
        height = height.add(&N::widened(z).mul(v)?)?;
    }
    let floor = height.div_floor(&vertex.denominator);
    Some((z, floor))
}

/// Puts z in the place of each normal with `m_k != 0`.
fn replace<M: Number, N: Number>(
    facets: &Facets<M, N>,
    multiples: &[M],
    (z, floor): (&[M], &N),
    left: &mut u64,
    open: &mut Vec<Facets<M, N>>,
    out: &mut Cones<N>,
) -> Result<(), Stop> {
    let d = multiples.len();
    let mut floors = facets.floors.clone();
    let mut rays = Vec::with_capacity(d * d);
    for k in (0..d).filter(|k| multiples[*k].sign() != 0) {
        let pivot = multiples[k].abs().ok_or(Stop::Overflow)?;
        let positive = multiples[k].sign() > 0;
        turned(facets, multiples, (k, &pivot), &mut rays).ok_or(Stop::Overflow)?;
        let before = std::mem::replace(&mut floors[k], floor.clone());
        let sign = facets.positive == positive;
        if out.push(sign, &pivot, &rays, &floors)? {
            *left = left.saturating_sub(1);
        } else {
            let mut normals = facets.normals.clone();
            normals[k * d..(k + 1) * d].clone_from_slice(z);
            let (rays, floors) = (std::mem::take(&mut rays), floors.clone());
            open.push(Facets { positive: sign, index: pivot, normals, rays, floors });
        }
        floors[k] = before;
    }
    Ok(())
}

/// The rays with z in the place of a normal.
fn turned<M: Number, N>(
    facets: &Facets<M, N>,
    multiples: &[M],
    (k, pivot): (usize, &M),
    rays: &mut Vec<M>,
) -> Option<()> {
    let d = multiples.len();
    let positive = multiples[k].sign() > 0;
    let other = &facets.rays[k * d..(k + 1) * d];
    rays.clear();
    for (l, (own, factor)) in facets.rays.chunks(d).zip(multiples).enumerate() {
        // Rays change their direction with the sign of the pivot, so that the index stays positive.
        let factor = if positive { factor.clone() } else { factor.neg()? };
        for (own, other) in own.iter().zip(other) {
            rays.push(match (l == k, positive) {
                (true, true) => own.clone(),
                (true, false) => own.neg()?,
                _ => pivot.mul(own)?.sub(&factor.mul(other)?)?.div_exact(&facets.index),
            });
        }
    }
    Some(())
}
