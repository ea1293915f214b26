//! Signed decomposition of a vertex cone into unimodular cones.
//!
//! The cone at a vertex is given by the normals of its d facets. If their determinant D is 1 it is unimodular. Else a lattice
//! vector `z = sum (m_k / D) w_k` with all `|m_k|` small takes the place of each normal in turn, with the sign of `m_k`, and each of
//! these cones has index `|m_k|` [Barvinok MOR'94]. Normals span the *dual* cone, so what the identity leaves out
//! are cones that contain lines, whose generating functions are zero: nothing has to be known about boundaries (Brion's
//! polarity trick). Every z is reduced modulo D, so indices at least halve; lattice reduction (LLL) makes them
//! fall like `D^((d-1)/d)`. Cost: cones grow with log D to a power that depends on d only.

use super::reduce::shortest;
use crate::number::Number;

/// A unimodular cone with a sign.
#[derive(Clone, Debug)]
pub(crate) struct Cone<N> {
    pub positive: bool,
    /// Generators, one after the other.
    pub rays: Vec<N>,
    /// The lattice point at its tip, in terms of the generators.
    pub apex: Vec<N>,
}

/// A cone on the way: normals `w_k`, rays `r_l` with `w_k.r_l = -index` if `k = l`, else 0.
#[derive(Clone, Debug)]
pub(crate) struct Facets<N> {
    pub positive: bool,
    pub index: N,
    /// Normals, one after the other.
    pub normals: Vec<N>,
    /// Rays, one after the other.
    pub rays: Vec<N>,
    /// `floor(w_k.v)` for the vertex v.
    pub floors: Vec<N>,
}

/// A vertex: numerators and their common, positive denominator.
#[derive(Clone, Debug)]
pub(crate) struct Vertex<N> {
    pub numerators: Vec<N>,
    pub denominator: N,
}

/// What happened to a decomposition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stop {
    /// A number left its type.
    Overflow,
    /// More cones than the budget.
    Budget,
    /// Two vertices coincide: perturb differently.
    Degenerate,
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
pub(crate) fn decompose<N: Number>(
    facets: Facets<N>,
    vertex: &Vertex<N>,
    left: &mut u64,
    out: &mut Vec<Cone<N>>,
) -> Result<(), Stop> {
    let d = facets.floors.len();
    let mut open = vec![facets];
    while let Some(facets) = open.pop() {
        *left = left.checked_sub(1).ok_or(Stop::Budget)?;
        if facets.index == N::small(1) {
            let apex = facets.floors.iter().map(N::neg).collect::<Option<Vec<N>>>().ok_or(Stop::Overflow)?;
            out.push(Cone { positive: facets.positive, rays: facets.rays, apex });
            continue;
        }
        let multiples = shortest(&facets.rays, &facets.index, d).ok_or(Stop::Overflow)?;
        replace(&facets, &multiples, vertex, &mut open).ok_or(Stop::Overflow)?;
    }
    Ok(())
}

/// Puts `z = sum (m_k / index) w_k` in the place of each normal with `m_k != 0`.
fn replace<N: Number>(
    facets: &Facets<N>,
    multiples: &[N],
    vertex: &Vertex<N>,
    open: &mut Vec<Facets<N>>,
) -> Option<()> {
    let d = multiples.len();
    let mut z = Vec::with_capacity(d);
    for j in 0..d {
        let column: Vec<N> = (0..d).map(|k| facets.normals[k * d + j].clone()).collect();
        z.push(dot(multiples, &column)?.div_exact(&facets.index));
    }
    let floor = dot(&z, &vertex.numerators)?.div_floor(&vertex.denominator);
    for k in (0..d).filter(|k| multiples[*k].sign() != 0) {
        let pivot = &multiples[k];
        let mut rays = Vec::with_capacity(d * d);
        for l in 0..d {
            for j in 0..d {
                let own = &facets.rays[l * d + j];
                rays.push(if l == k {
                    own.clone()
                } else {
                    let other = multiples[l].mul(&facets.rays[k * d + j])?;
                    pivot.mul(own)?.sub(&other)?.div_exact(&facets.index)
                });
            }
        }
        let positive = pivot.sign() > 0;
        if !positive {
            rays = rays.iter().map(N::neg).collect::<Option<Vec<N>>>()?;
        }
        let mut normals = facets.normals.clone();
        normals[k * d..(k + 1) * d].clone_from_slice(&z);
        let mut floors = facets.floors.clone();
        floors[k] = floor.clone();
        open.push(Facets {
            positive: facets.positive == positive,
            index: pivot.abs()?,
            normals,
            rays,
            floors,
        });
    }
    Some(())
}
