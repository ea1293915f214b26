//! Integer points of a polytope of any dimension, by Barvinok's algorithm [Barvinok MOR'94].
//!
//! The generating function of the points is the sum of those of the cones at the vertices [Brion ASENS'88];
//! each cone is a signed sum of unimodular cones, or of small index, and each of these has a closed form. In
//! this order: make the polytope simple and go through its vertices (`polytope.rs`), decompose (`cone.rs`,
//! `reduce.rs`), evaluate at 1 modulo primes (`series.rs`, `small.rs`), and put the number together up to a
//! bound that it cannot exceed, the product of the ranges (`field.rs`). In fixed dimension the cost is
//! polynomial in the size of the numbers, and does not depend on the number of points.

mod cone;
mod constants;
mod field;
mod polytope;
mod reduce;
mod series;
mod small;

use crate::number::Number;
use crate::reach::{Words, word};
use crate::system::{Band, System};
use cone::{Cones, Stop};
use evergreen_term::Int;
use polytope::{Polytope, cones};

/// Perturbations tried: one in thousands fails.
const TRIES: u64 = 5;

/// Slopes mostly fit if coefficients are less than that.
const SMALL: u64 = 1 << 12;

/// The number of points of a part without holes whose ranges have ends; `None` if
/// that takes more than `left`.
pub(crate) fn points(part: &System, left: &mut u64) -> Option<Int> {
    let bound = part.ranges.iter().try_fold(Int::ONE, |product, r| Some(product.mul(&r.size()?)))?;
    let known = implied_ends(part);
    let mut found = with::<i64>(part, &known, &bound, left);
    if found == Err(Stop::Overflow) {
        found = with::<i128>(part, &known, &bound, left);
    }
    if found == Err(Stop::Overflow) {
        found = with::<Int>(part, &known, &bound, left);
    }
    found.ok()
}

fn with<N: Number>(part: &System, known: &[Known], bound: &Int, left: &mut u64) -> Result<Int, Stop> {
    let polytope = facets::<N>(part, known).ok_or(Stop::Overflow)?;
    // Large coefficients make generators that grow too fast.
    let is_small = |a: &N| a.to_word().is_some_and(|a| a.unsigned_abs() < SMALL);
    let few_bits = !N::WIDE || polytope.rows.iter().all(is_small);
    for seed in 1..=TRIES {
        let direction = if few_bits { Cones::<N>::direction(polytope.d, seed) } else { Vec::new() };
        let mut all = Cones::new(polytope.d, direction);
        let mut done = cones(&polytope, seed, left, &mut all);
        if done == Err(Stop::Slope) {
            all = Cones::new(polytope.d, Vec::new());
            done = cones(&polytope, seed, left, &mut all);
        }
        match done {
            Ok(()) => return series::points(&all, bound).ok_or(Stop::Budget),
            Err(Stop::Degenerate) => {}
            Err(stop) => return Err(stop),
        }
    }
    Err(Stop::Budget)
}

/// Whether rows over variables that are not negative have a rational point in common; `None` if
/// that takes more than `left`.
pub(crate) fn has_point(d: usize, rows: Vec<Int>, sides: Vec<Int>, left: &mut u64) -> Option<bool> {
    polytope::has_point(&Polytope { d, below: vec![Int::ZERO; d], rows, sides }, left)
}

/// A set of ends of variables.
#[derive(Clone, Copy, Default)]
struct Ends {
    lower: u128,
    upper: u128,
}

impl Ends {
    fn insert(&mut self, var: u32, upper: bool) {
        *(if upper { &mut self.upper } else { &mut self.lower }) |= 1 << var;
    }

    fn contains(self, var: u32, upper: bool) -> bool {
        (if upper { self.upper } else { self.lower }) >> var & 1 == 1
    }
}

/// An end that a band implies from other ends.
#[derive(Clone, Copy)]
struct Implied<'b> {
    band: &'b Band,
    needs: Ends,
}

/// How far to move an end out of the way.
fn room(var: u32, band: &Band) -> Int {
    let others = band.form.iter().filter(|t| t.0 != var);
    others.fold(Int::ONE, |sum, (_, a)| sum.add(&a.abs()))
}

/// A band, and what its form reaches where that is known in machine words.
type Reached<'b> = (&'b Band, Option<Words>);

/// The band that implies an end from ends of others.
fn implied<'b>(part: &System, bands: &[Reached<'b>], var: u32, upper: bool) -> Option<Implied<'b>> {
    let own = &part.ranges[var as usize];
    let at_end = if upper { own.hi.as_ref()? } else { own.lo.as_ref()? };
    for (band, reached) in bands {
        let Some(a) = band.coefficient(var) else { continue };
        // The upper end of x comes from the upper side of the band if a > 0.
        let from_hi = upper == (a.signum() > 0);
        let Some(limit) = (if from_hi { band.range.hi.as_ref() } else { band.range.lo.as_ref() }) else {
            continue;
        };
        // Against the upper side of the band the rest is as small as it gets.
        let lower_end = |c: &Int| from_hi == (c.signum() > 0);
        let others = || band.form.iter().filter(|t| t.0 != var);
        let implies = if let (Some(reached), Some(a), Some(limit)) =
            (reached, word(Some(a)), word(Some(limit)))
            && let Some(term) = Words::of_term(a, own)
        {
            let limit = i128::from(limit);
            // a x <= rest (or >= for the lower side) against own end
            if from_hi {
                limit - (reached.lo - term.lo) <= term.hi
            } else {
                limit - (reached.hi - term.hi) >= term.lo
            }
        } else {
            let mut rest = limit.clone();
            for (v, c) in others() {
                let range = &part.ranges[*v as usize];
                rest = rest.sub(&c.mul(if lower_end(c) { range.lo.as_ref()? } else { range.hi.as_ref()? }));
            }
            let reached = a.mul(at_end);
            if from_hi { rest <= reached } else { rest >= reached }
        };
        if implies {
            let mut needs = Ends::default();
            others().for_each(|(v, c)| needs.insert(*v, !lower_end(c)));
            return Some(Implied { band, needs });
        }
    }
    None
}

/// Whether an end is among what `from` needs, directly or not.
fn depends(known: &[Known], from: Ends, var: u32, upper: bool) -> bool {
    let (mut all, mut open) = (from, from);
    while open.lower | open.upper != 0 {
        if all.contains(var, upper) {
            return true;
        }
        let mut next = Ends::default();
        for (at, ends) in known.iter().enumerate() {
            for (upper, end) in [false, true].into_iter().zip(ends) {
                if let Some(end) = end.filter(|_| open.contains(at as u32, upper)) {
                    next.lower |= end.needs.lower;
                    next.upper |= end.needs.upper;
                }
            }
        }
        open = Ends { lower: next.lower & !all.lower, upper: next.upper & !all.upper };
        all = Ends { lower: all.lower | next.lower, upper: all.upper | next.upper };
    }
    all.contains(var, upper)
}

/// The bands that imply the lower and the upper end of a variable.
type Known<'b> = [Option<Implied<'b>>; 2];

/// The ends that bands imply, not in circles.
fn implied_ends(part: &System) -> Vec<Known<'_>> {
    let d = part.ranges.len();
    let mut known: Vec<Known> = vec![[None; 2]; d];
    let bands: Vec<Reached> =
        part.bands.iter().map(|band| (band, Words::of(&band.form, &part.ranges))).collect();
    // More variables than that have too many rows anyway.
    for (var, upper) in (0..d as u32).flat_map(|v| [(v, false), (v, true)]).filter(|_| d <= 128) {
        if let Some(end) = implied(part, &bands, var, upper)
            && !depends(&known, end.needs, var, upper)
        {
            known[var as usize][usize::from(upper)] = Some(end);
        }
    }
    known
}

/// The rows of a part, with every variable moved to start at 0; `None` if a number does not fit.
/// Ends that bands imply are left out, lower ends moved out of the way: a redundant row at a vertex
/// would split it into several.
fn facets<N: Number>(part: &System, known: &[Known]) -> Option<Polytope<N>> {
    let d = part.ranges.len();
    let low = |v: usize| part.ranges[v].lo.as_ref().unwrap_or(&Int::ZERO);
    let room = |v: usize| known[v][0].map_or(Int::ZERO, |end| room(v as u32, end.band));
    let below = (0..d).map(|v| N::from_int(&room(v))).collect::<Option<_>>()?;
    let most = d + 2 * part.bands.len();
    let mut polytope =
        Polytope { d, below, rows: Vec::with_capacity(most * d), sides: Vec::with_capacity(most) };
    for (v, range) in part.ranges.iter().enumerate().filter(|(v, _)| known[*v][1].is_none()) {
        polytope.rows.extend((0..d).map(|j| N::small(i64::from(j == v))));
        polytope.sides.push(N::from_int(&range.hi.as_ref().unwrap_or(&Int::ZERO).sub(low(v)))?);
    }
    let mut row = vec![N::small(0); d];
    for band in &part.bands {
        row.fill(N::small(0));
        let mut moved = Int::ZERO;
        for (v, a) in &band.form {
            row[*v as usize] = N::from_int(a)?;
            moved = moved.add(&a.mul(low(*v as usize)));
        }
        if let Some(lo) = &band.range.lo {
            for a in &row {
                polytope.rows.push(a.neg()?);
            }
            polytope.sides.push(N::from_int(&moved.sub(lo))?);
        }
        if let Some(hi) = &band.range.hi {
            polytope.rows.extend_from_slice(&row);
            polytope.sides.push(N::from_int(&hi.sub(&moved))?);
        }
    }
    Some(polytope)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parts::parts;
    use crate::problem::{Domain, Problem, Relation};
    use evergreen_testing::random::Random;

    /// Parts of random problems of three and more variables.
    fn random_parts() -> Vec<System> {
        let mut random = Random::new(7);
        let mut all = Vec::new();
        for index in 0..300 {
            let n = 3 + index % 4;
            let (top, most) = ([9, 999, 1 << 31][index % 3], [1, 3, 9][index % 3]);
            let mut problem = Problem::new();
            (0..n).for_each(|_| _ = problem.variable(Domain::new(-random.between(0, 3), top)));
            for _ in 0..n + 1 {
                let terms: Vec<(u32, i64)> =
                    (0..3).map(|_| (random.below(n) as u32, random.between(-most, most))).collect();
                problem.row(&terms, -random.between(0, top), Relation::Le);
            }
            let mut system = System::of(&problem).expect("domains");
            if system.simplify().is_ok() {
                all.extend(parts(system).connected.into_iter().filter(|part| part.ranges.len() > 2));
            }
        }
        all
    }

    #[test]
    fn generators_give_what_slopes_give() {
        let all = random_parts();
        let mut in_words = 0;
        for part in &all {
            let bound = part.ranges.iter().fold(Int::ONE, |p, r| p.mul(&r.size().expect("ends")));
            let known = implied_ends(part);
            let wide = facets::<i128>(part, &known).expect("words");
            let (d, left) = (wide.d, &mut 1_000_000);
            let mut plain = Cones::new(d, Vec::new());
            assert_eq!(cones(&wide, 2, left, &mut plain), Ok(()), "{part:?}");
            let number = series::points(&plain, &bound);
            assert!(number.is_some());
            let mut directed = Cones::new(d, Cones::<i128>::direction(d, 1));
            assert_eq!(cones(&wide, 1, left, &mut directed), Ok(()), "{part:?}");
            assert_eq!(series::points(&directed, &bound), number, "{part:?}");
            let polytope = facets::<i64>(part, &known).expect("words");
            let mut directed = Cones::new(d, Cones::<i64>::direction(d, 1));
            match cones(&polytope, 1, left, &mut directed) {
                Ok(()) => assert_eq!(series::points(&directed, &bound), number, "{part:?}"),
                stop => assert_eq!(stop, Err(Stop::Overflow)),
            }
            in_words += usize::from(!directed.heads.is_empty());
        }
        assert!(all.len() > 200 && in_words > 100, "{in_words} of {}", all.len());
    }
}
