//! Integer points of a polytope of any dimension, by Barvinok's algorithm [Barvinok MOR'94].
//!
//! The generating function of the points is the sum of those of the cones at the vertices [Brion ASENS'88]; each cone is a
//! signed sum of unimodular cones, and each of these has a closed form. In this order: make the polytope simple and go
//! through its vertices (`polytope.rs`), decompose (`cone.rs`, `reduce.rs`), evaluate at 1 modulo primes (`series.rs`), and
//! put the number together up to a bound that it cannot exceed, the product of the ranges (`field.rs`).
//! In fixed dimension the cost is polynomial in the size of the numbers, and does not depend on the number of points.

mod cone;
mod field;
mod polytope;
mod reduce;
mod series;

use crate::number::Number;
use crate::system::System;
use cone::{Cones, Stop};
use evergreen_term::Int;
use polytope::{Polytope, cones};

/// Perturbations tried: one in thousands fails.
const TRIES: u64 = 5;

/// The number of points of a part without holes whose ranges have ends; `None` if that takes more than `left`.
pub(crate) fn points(part: &System, left: &mut u64) -> Option<Int> {
    let bound = part.ranges.iter().try_fold(Int::ONE, |product, r| Some(product.mul(&r.size()?)))?;
    let facets = facets(part);
    let mut found = with::<i64>(&facets, &bound, left);
    if found == Err(Stop::Overflow) {
        found = with::<i128>(&facets, &bound, left);
    }
    if found == Err(Stop::Overflow) {
        found = with::<Int>(&facets, &bound, left);
    }
    found.ok()
}

fn with<N: Number>(polytope: &Polytope<Int>, bound: &Int, left: &mut u64) -> Result<Int, Stop> {
    let convert = |v: &[Int]| v.iter().map(N::from_int).collect::<Option<Vec<N>>>().ok_or(Stop::Overflow);
    let polytope = Polytope {
        d: polytope.d,
        below: convert(&polytope.below)?,
        rows: convert(&polytope.rows)?,
        sides: convert(&polytope.sides)?,
    };
    for seed in 1..=TRIES {
        let mut all = Cones::new(polytope.d);
        match cones(&polytope, seed, left, &mut all) {
            Ok(()) => {
                let mut sum = series::Sum::new(&all);
                let points = field::reconstruct(bound, |f| sum.modulo(f));
                return points.ok_or(Stop::Budget);
            }
            Err(Stop::Degenerate) => {}
            Err(stop) => return Err(stop),
        }
    }
    Err(Stop::Budget)
}

/// Whether rows over variables that are not negative have a rational point in common; `None` if that takes more than `left`.
pub(crate) fn has_point(d: usize, rows: Vec<Int>, sides: Vec<Int>, left: &mut u64) -> Option<bool> {
    polytope::has_point(&Polytope { d, below: vec![Int::ZERO; d], rows, sides }, left)
}

/// A side of a range that a band implies from other sides: those it needs, or `None` if it is not implied.
struct Implied {
    needs: Option<Vec<usize>>,
    /// How far to move it out of the way.
    room: Int,
}

/// The side `2 * var` is the lower end, `2 * var + 1` the upper.
fn implied(part: &System, side: usize) -> Option<(Vec<usize>, Int)> {
    let (var, upper) = ((side / 2) as u32, side % 2 == 1);
    let own = &part.ranges[var as usize];
    for band in &part.bands {
        let Some(a) = band.coefficient(var) else { continue };
        // The upper end of x comes from the upper side of the band if a > 0.
        let from_hi = upper == (a.signum() > 0);
        let Some(limit) = (if from_hi { band.range.hi.as_ref() } else { band.range.lo.as_ref() }) else {
            continue;
        };
        let mut rest = limit.clone();
        let mut needs = Vec::new();
        let mut size = Int::ONE;
        for (v, c) in band.form.iter().filter(|t| t.0 != var) {
            // Against the upper side of the band the rest is as small as it gets.
            let lower_end = from_hi == (c.signum() > 0);
            let range = &part.ranges[*v as usize];
            let end = if lower_end { &range.lo } else { &range.hi };
            rest = rest.sub(&c.mul(end.as_ref()?));
            needs.push(2 * *v as usize + usize::from(!lower_end));
            size = size.add(&c.abs());
        }
        // a x <= rest (or >= for the lower side) against own end
        let at_end = if upper { own.hi.as_ref()? } else { own.lo.as_ref()? };
        let reached = a.mul(at_end);
        if (from_hi && rest <= reached) || (!from_hi && rest >= reached) {
            return Some((needs, size));
        }
    }
    None
}

/// Whether some of `from` needs `side`, directly or not.
fn depends(sides: &[Implied], from: &[usize], side: usize) -> bool {
    let mut seen = vec![false; sides.len()];
    let mut open = from.to_vec();
    while let Some(at) = open.pop() {
        if at == side {
            return true;
        }
        if !std::mem::replace(&mut seen[at], true) {
            open.extend(sides[at].needs.iter().flatten());
        }
    }
    false
}

/// The rows of a part, with every variable moved to start at 0. Ends that bands imply (not in circles) are left out, lower ends
/// moved out of the way: what touches a vertex without need makes several out of it.
fn facets(part: &System) -> Polytope<Int> {
    let d = part.ranges.len();
    let mut sides: Vec<Implied> = (0..2 * d).map(|_| Implied { needs: None, room: Int::ZERO }).collect();
    for side in 0..2 * d {
        if let Some((needs, room)) = implied(part, side)
            && !depends(&sides, &needs, side)
        {
            sides[side] = Implied { needs: Some(needs), room };
        }
    }
    let ends: Vec<(Int, Int)> = part
        .ranges
        .iter()
        .map(|r| (r.lo.clone().unwrap_or(Int::ZERO), r.hi.clone().unwrap_or(Int::ZERO)))
        .collect();
    let below = (0..d).map(|v| sides[2 * v].room.clone()).collect();
    let mut polytope = Polytope { d, below, rows: Vec::new(), sides: Vec::new() };
    for (v, (lo, hi)) in ends.iter().enumerate() {
        if sides[2 * v + 1].needs.is_none() {
            polytope.rows.extend((0..d).map(|j| if j == v { Int::ONE } else { Int::ZERO }));
            polytope.sides.push(hi.sub(lo));
        }
    }
    for band in &part.bands {
        let mut row = vec![Int::ZERO; d];
        let mut moved = Int::ZERO;
        for (v, a) in &band.form {
            row[*v as usize] = a.clone();
            moved = moved.add(&a.mul(&ends[*v as usize].0));
        }
        if let Some(lo) = &band.range.lo {
            polytope.rows.extend(row.iter().map(Int::neg));
            polytope.sides.push(moved.sub(lo));
        }
        if let Some(hi) = &band.range.hi {
            polytope.rows.extend(row);
            polytope.sides.push(hi.sub(&moved));
        }
    }
    polytope
}
