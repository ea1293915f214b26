//! Short vectors: lattice reduction [Lenstra, Lenstra, Lovász MA'82].
//!
//! The lattice of all `(m_1 .. m_d)` such that `sum (m_k / D) w_k` is an integer vector contains D times every unit vector, so every
//! member can be brought into `-D/2 ..= D/2`. Reduction works on exact vectors and takes only its decisions from
//! floating point: a bad decision costs length, never correctness. Steps are limited.

use crate::number::Number;

/// Up to this index nothing is reduced.
const SMALL: i64 = 4;

/// From this index on, pairs are tried as well.
const LARGE: i64 = 200;

/// Exchanges and subtractions per dimension.
const STEPS: usize = 60;

/// A member of the lattice that is not zero modulo the index, as short as reduction finds it, not all of it negative.
///
/// The members for the unit vectors are the coordinates of the rays, negated.
pub(crate) fn shortest<N: Number>(rays: &[N], index: &N, d: usize) -> Option<Vec<N>> {
    let mut basis = Vec::with_capacity(d);
    for j in 0..d {
        basis.push((0..d).map(|l| rays[l * d + j].neg()).collect::<Option<Vec<N>>>()?);
    }
    let mut best = Best { cost: f64::INFINITY, member: None };
    for member in &basis {
        best.offer(centred(member, index)?);
    }
    // Modulo a small index everything is short, and reducing costs more than it saves.
    if *index > N::small(SMALL) && best.cost > 1.0 {
        reduce(&mut basis)?;
        for member in &basis {
            best.offer(centred(member, index)?);
        }
        if *index > N::small(LARGE) {
            offer_pairs(&basis, index, &mut best)?;
        }
    }
    let mut member = best.member?;
    if member.iter().all(|m| m.sign() <= 0) {
        member = member.iter().map(N::neg).collect::<Option<_>>()?;
    }
    Some(member)
}

/// Sums and differences of two are sometimes better than both.
fn offer_pairs<N: Number>(basis: &[Vec<N>], index: &N, best: &mut Best<N>) -> Option<()> {
    for (at, member) in basis.iter().enumerate() {
        for other in &basis[..at] {
            let pairs = || member.iter().zip(other);
            let sum: Vec<N> = pairs().map(|(a, b)| a.add(b)).collect::<Option<_>>()?;
            best.offer(centred(&sum, index)?);
            let difference: Vec<N> = pairs().map(|(a, b)| a.sub(b)).collect::<Option<_>>()?;
            best.offer(centred(&difference, index)?);
        }
    }
    Some(())
}

/// The member that makes the fewest cones, as far as can be told from their indices.
struct Best<N> {
    cost: f64,
    member: Option<Vec<N>>,
}

impl<N: Number> Best<N> {
    fn offer(&mut self, member: Vec<N>) {
        let cost: f64 = member.iter().filter(|m| m.sign() != 0).map(cones_of).sum();
        if cost > 0.0 && cost < self.cost {
            *self = Best { cost, member: Some(member) };
        }
    }
}

/// About how many unimodular cones one of this index becomes.
fn cones_of<N: Number>(index: &N) -> f64 {
    let size = index.approximately().abs();
    if size < 1.5 { 1.0 } else { 1.5 * size }
}

/// Each coordinate modulo the index, nearest to zero.
fn centred<N: Number>(member: &[N], index: &N) -> Option<Vec<N>> {
    let near = |m: &N| {
        let r = m.modulo(index);
        let twice = r.add(&r)?;
        if twice > *index { r.sub(index) } else { Some(r) }
    };
    member.iter().map(near).collect()
}

fn inner(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// Subtracts `times * b[from]` from `b[to]`.
fn subtract<N: Number>(basis: &mut [Vec<N>], to: usize, from: usize, times: f64) -> Option<()> {
    if times.abs() > 9e15 {
        return Some(());
    }
    let times = N::small(times as i64);
    for j in 0..basis[to].len() {
        let by = times.mul(&basis[from][j])?;
        basis[to][j] = basis[to][j].sub(&by)?;
    }
    Some(())
}

/// Reduces a basis in place.
fn reduce<N: Number>(basis: &mut [Vec<N>]) -> Option<()> {
    let mut steps = STEPS * basis.len();
    let mut k = 1;
    while k < basis.len() && steps > 0 {
        steps -= 1;
        // Orthogonalized from scratch: dimensions are small, and nothing drifts.
        let mut star: Vec<Vec<f64>> = Vec::with_capacity(k + 1);
        for b in &basis[..=k] {
            let own: Vec<f64> = b.iter().map(N::approximately).collect();
            let mut rest = own.clone();
            for s in &star {
                let norm = inner(s, s);
                let mu = if norm > 1e-9 { inner(&own, s) / norm } else { 0.0 };
                rest.iter_mut().zip(s).for_each(|(r, s)| *r -= mu * s);
            }
            star.push(rest);
        }
        for l in (0..k).rev() {
            let own: Vec<f64> = basis[k].iter().map(N::approximately).collect();
            let norm = inner(&star[l], &star[l]);
            let mu = if norm > 1e-9 { (inner(&own, &star[l]) / norm).round() } else { 0.0 };
            if mu != 0.0 {
                subtract(basis, k, l, mu)?;
            }
        }
        let own: Vec<f64> = basis[k].iter().map(N::approximately).collect();
        let before = inner(&star[k - 1], &star[k - 1]);
        let mu = if before > 1e-9 { inner(&own, &star[k - 1]) / before } else { 0.0 };
        if inner(&star[k], &star[k]) >= (0.75 - mu * mu) * before {
            k += 1;
        } else {
            basis.swap(k, k - 1);
            k = k.max(2) - 1;
        }
    }
    Some(())
}
