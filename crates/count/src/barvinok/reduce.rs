//! Short vectors: lattice reduction [Lenstra, Lenstra, Lovász MA'82].
//!
//! The lattice of all `(m_1 .. m_d)` such that `sum (m_k / D) w_k` is an integer vector contains D times
//! every unit vector, so every member can be brought into `-D/2 ..= D/2`. Reduction works on exact
//! vectors and takes only its decisions from floating point: a bad decision costs length, never
//! correctness. Steps are limited.

use crate::number::Number;

/// Up to this index nothing is reduced.
const SMALL: i64 = 4;

/// From this index on, pairs are tried as well.
const LARGE: i64 = 200;

/// Exchanges and subtractions per dimension.
const STEPS: usize = 60;

/// A member of the lattice that is not zero modulo the index, as short as reduction finds
/// it, not all of it negative.
///
/// The members for the unit vectors are the coordinates of the rays, negated.
pub(crate) fn shortest<N: Number>(rays: &[N], index: &N, d: usize) -> Option<Vec<N>> {
    // One member after the other.
    let mut basis = Vec::with_capacity(d * d);
    for j in 0..d {
        for l in 0..d {
            basis.push(rays[l * d + j].neg()?);
        }
    }
    let mut best = Best { cost: f64::INFINITY, member: Vec::with_capacity(d), other: Vec::with_capacity(d) };
    for member in basis.chunks(d) {
        best.offer(member.iter().cloned().map(Some), index)?;
    }
    // Modulo a small index everything is short, and reducing costs more than it saves.
    if *index > N::small(SMALL) && best.cost > 1.0 {
        reduce(&mut basis, d)?;
        for member in basis.chunks(d) {
            best.offer(member.iter().cloned().map(Some), index)?;
        }
        if *index > N::small(LARGE) {
            offer_pairs(&basis, d, index, &mut best)?;
        }
    }
    let mut member = best.member;
    if member.is_empty() {
        return None;
    }
    if member.iter().all(|m| m.sign() <= 0) {
        member = member.iter().map(N::neg).collect::<Option<_>>()?;
    }
    Some(member)
}

/// Sums and differences of two are sometimes better than both.
fn offer_pairs<N: Number>(basis: &[N], d: usize, index: &N, best: &mut Best<N>) -> Option<()> {
    for (at, member) in basis.chunks(d).enumerate() {
        for other in basis.chunks(d).take(at) {
            let pairs = || member.iter().zip(other);
            best.offer(pairs().map(|(a, b)| a.add(b)), index)?;
            best.offer(pairs().map(|(a, b)| a.sub(b)), index)?;
        }
    }
    Some(())
}

/// The member that makes the fewest cones, estimated from their indices.
struct Best<N> {
    cost: f64,
    /// Empty before there is one.
    member: Vec<N>,
    /// Memory for the next.
    other: Vec<N>,
}

impl<N: Number> Best<N> {
    /// Looks at a member, brought near to zero modulo the index; `None` if a number left its type.
    fn offer(&mut self, member: impl Iterator<Item = Option<N>>, index: &N) -> Option<()> {
        self.other.clear();
        for m in member {
            self.other.push(centred(&m?, index)?);
        }
        let cost: f64 = self.other.iter().filter(|m| m.sign() != 0).map(cones_of).sum();
        if cost > 0.0 && cost < self.cost {
            self.cost = cost;
            std::mem::swap(&mut self.member, &mut self.other);
        }
        Some(())
    }
}

/// About how many unimodular cones one of this index becomes.
fn cones_of<N: Number>(index: &N) -> f64 {
    let size = index.approximately().abs();
    if size < 1.5 { 1.0 } else { 1.5 * size }
}

/// A coordinate modulo the index, nearest to zero.
fn centred<N: Number>(m: &N, index: &N) -> Option<N> {
    let r = m.modulo(index);
    let twice = r.add(&r)?;
    if twice > *index { r.sub(index) } else { Some(r) }
}

fn inner(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// Subtracts `times * b[from]` from `b[to]`; `from < to`.
fn subtract<N: Number>(basis: &mut [N], d: usize, to: usize, from: usize, times: f64) -> Option<()> {
    if times.abs() > 9e15 {
        return Some(());
    }
    let times = N::small(times as i64);
    let (before, after) = basis.split_at_mut(to * d);
    for (own, other) in after[..d].iter_mut().zip(&before[from * d..(from + 1) * d]) {
        *own = own.sub(&times.mul(other)?)?;
    }
    Some(())
}

fn approximate<N: Number>(member: &[N], out: &mut [f64]) {
    out.iter_mut().zip(member).for_each(|(out, m)| *out = m.approximately());
}

/// Reduces a basis in place.
fn reduce<N: Number>(basis: &mut [N], d: usize) -> Option<()> {
    let mut steps = STEPS * d;
    // Orthogonalized members, one after the other, and their squared lengths.
    let (mut star, mut norms, mut own) = (vec![0.0; d * d], vec![0.0; d], vec![0.0; d]);
    let mut k = 1;
    while k < d && steps > 0 {
        steps -= 1;
        // Orthogonalized from scratch: dimensions are small, and nothing drifts.
        for at in 0..=k {
            approximate(&basis[at * d..(at + 1) * d], &mut own);
            let (before, rest) = star.split_at_mut(at * d);
            let rest = &mut rest[..d];
            rest.copy_from_slice(&own);
            for (s, norm) in before.chunks(d).zip(&norms) {
                let mu = if *norm > 1e-9 { inner(&own, s) / norm } else { 0.0 };
                rest.iter_mut().zip(s).for_each(|(r, s)| *r -= mu * s);
            }
            norms[at] = inner(rest, rest);
        }
        for l in (0..k).rev() {
            approximate(&basis[k * d..(k + 1) * d], &mut own);
            let norm = norms[l];
            let mu = if norm > 1e-9 { (inner(&own, &star[l * d..(l + 1) * d]) / norm).round() } else { 0.0 };
            if mu != 0.0 {
                subtract(basis, d, k, l, mu)?;
            }
        }
        approximate(&basis[k * d..(k + 1) * d], &mut own);
        let before = norms[k - 1];
        let mu = if before > 1e-9 { inner(&own, &star[(k - 1) * d..k * d]) / before } else { 0.0 };
        if norms[k] >= (0.75 - mu * mu) * before {
            k += 1;
        } else {
            for j in 0..d {
                basis.swap(k * d + j, (k - 1) * d + j);
            }
            k = k.max(2) - 1;
        }
    }
    Some(())
}
