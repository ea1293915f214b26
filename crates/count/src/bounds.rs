//! Out of budget: bounds that hold.
//!
//! Above: pairs of variables that share bands are counted by their polygons, and the pairs multiplied; every
//! other band is relaxed to the ranges. Below: one, if the linear core finds a solution, else none.

use crate::ends::any_solution;
use crate::number::Number;
use crate::polygon::{Half, Points, points};
use crate::range::Range;
use crate::reach::span;
use crate::system::{Form, System};
use crate::tally::Tally;
use evergreen_term::Int;

/// Half planes of a system of two variables without holes.
pub(crate) fn halves<N: Number>(system: &System) -> Option<Vec<Half<N>>> {
    let mut all = Vec::with_capacity(4 + 2 * system.bands.len());
    let (zero, one) = (Int::ZERO, Int::ONE);
    let units = [(&one, &zero), (&zero, &one)].into_iter().zip(&system.ranges);
    let bands = system.bands.iter().map(|b| {
        let at = |v: u32| b.coefficient(v).unwrap_or(&zero);
        ((at(0), at(1)), &b.range)
    });
    for ((a, b), range) in units.chain(bands) {
        let (a, b) = (N::from_int(a)?, N::from_int(b)?);
        if let Some(lo) = &range.lo {
            all.push(Half { a: a.neg()?, b: b.neg()?, c: N::from_int(lo)?.neg()? });
        }
        if let Some(hi) = &range.hi {
            all.push(Half { a, b, c: N::from_int(hi)? });
        }
    }
    Some(all)
}

/// The points of a system of two variables without holes.
pub(crate) fn polygon(system: &System) -> Points {
    let mut found = halves::<i64>(system).map_or(Points::Overflow, |h| points(&h));
    if matches!(found, Points::Overflow) {
        found = halves::<i128>(system).map_or(Points::Overflow, |h| points(&h));
    }
    if matches!(found, Points::Overflow) {
        found = halves::<Int>(system).map_or(Points::Overflow, |h| points(&h));
    }
    found
}

/// The projection of all bands together on two variables, or a superset of it.
fn projection(system: &System, x: u32, y: u32) -> System {
    let mut pair = System {
        ranges: [x, y].map(|v| Range { holes: Vec::new(), ..system.ranges[v as usize].clone() }).to_vec(),
        bands: Vec::new(),
    };
    for band in &system.bands {
        let inside = |t: &&(u32, Int)| t.0 == x || t.0 == y;
        let own: Form = band.form.iter().filter(inside).cloned().collect();
        if own.len() < 2 {
            continue;
        }
        let rest: Form = band.form.iter().filter(|t| !inside(t)).cloned().collect();
        let rest = span(&rest, &system.ranges);
        let range = Range {
            lo: band.range.lo.as_ref().zip(rest.hi.as_ref()).map(|(lo, most)| lo.sub(most)),
            hi: band.range.hi.as_ref().zip(rest.lo.as_ref()).map(|(hi, least)| hi.sub(least)),
            holes: Vec::new(),
        };
        let form = own.into_iter().map(|(v, a)| (u32::from(v == y), a)).collect();
        pair.bands.push(crate::system::Band { form, range });
    }
    pair
}

/// Bounds of the number of solutions of a system whose ranges have ends.
pub(crate) fn bounds(system: &System) -> Tally {
    let n = system.ranges.len() as u32;
    let mut free: Vec<u32> = (0..n).collect();
    let mut most = Int::ONE;
    while let Some(x) = free.pop() {
        let Some(alone) = system.ranges[x as usize].size() else { return Tally::Infinite };
        let shared = |y: &u32| {
            system.bands.iter().filter(|b| b.coefficient(x).is_some() && b.coefficient(*y).is_some()).count()
        };
        let partner = free.iter().copied().filter(|y| shared(y) > 0).max_by_key(shared);
        let pair = partner.and_then(|y| {
            let other = system.ranges[y as usize].size()?;
            match polygon(&projection(system, x.min(y), x.max(y))) {
                Points::Exactly(points) => Some((y, points.min(alone.mul(&other)))),
                _ => None,
            }
        });
        match pair {
            Some((y, points)) => {
                free.retain(|v| *v != y);
                most = most.mul(&points);
            }
            None => most = most.mul(&alone),
        }
    }
    match any_solution(system) {
        Some(false) => Tally::NONE,
        Some(true) => Tally::between(Int::ONE, most),
        None => Tally::between(Int::ZERO, most),
    }
}
