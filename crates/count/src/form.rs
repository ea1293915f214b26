//! The canonical form of a part, as stores keep it: without names, order, place or direction.
//!
//! The number of solutions stays the same when variables are renamed, shifted (`x + 5` for `x`) or mirrored
//! (`-x` for `x`), and when a form is negated together with its range. With every range centred at 0, that is
//! `y = 2x - lo - hi`, shifts disappear and a mirrored variable is just `-y`; it remains to choose an order
//! of the variables and a direction for each. Both come from refinement of colours of *literals*, a variable
//! with a direction [in the manner of McKay's nauty]: a literal is distinguished by its range and by the
//! bands in which it occurs, read in the direction in which its coefficient is positive. Where refinement
//! ends in a tie, every member of the first tied class is tried, and the one whose refinement is least goes
//! first; members that are still tied then count as symmetric, so the cost is polynomial. A tie that was
//! broken wrongly costs a look-up that misses, never a wrong number: the form is the whole part, and equal
//! forms have equal numbers of solutions.

use crate::range::Range;
use crate::system::{Form, System};
use evergreen_term::Int;

/// Version of the form: a new one where its meaning changes.
const VERSION: u8 = 1;

/// The most variables and bands for which ties are broken by trial.
const TRIED: usize = 64;

/// A band in centred variables; positions in `form` are variables.
struct Centred {
    form: Form,
    range: Range,
    /// Hashes of the range as it is, and negated.
    seeds: [u64; 2],
    /// Of each variable the literal with a positive coefficient, and a hash of that.
    literals: Vec<(usize, u64)>,
}

fn mix(a: u64, b: u64) -> u64 {
    // The finisher of SplitMix64 over both.
    let z = a.rotate_left(23) ^ b.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

fn of_int(value: &Int) -> u64 {
    match value {
        Int::Small(v) => mix(1, *v as u64),
        big => big.to_big().to_signed_bytes_le().iter().fold(2, |h, b| mix(h, u64::from(*b))),
    }
}

fn of_range(range: &Range) -> u64 {
    let end = |e: &Option<Int>| e.as_ref().map_or(3, of_int);
    let ends = mix(end(&range.lo), end(&range.hi));
    range.holes.iter().fold(ends, |h, hole| mix(h, of_int(hole)))
}

fn negated(range: &Range) -> Range {
    let neg = |e: &Option<Int>| e.as_ref().map(Int::neg);
    Range { lo: neg(&range.hi), hi: neg(&range.lo), holes: range.holes.iter().rev().map(Int::neg).collect() }
}

fn seeds(range: &Range) -> [u64; 2] {
    [of_range(range), of_range(&negated(range))]
}

/// Twice the range, less `by`.
fn doubled(range: &Range, by: &Int) -> Range {
    let place = |v: &Int| v.add(v).sub(by);
    Range {
        lo: range.lo.as_ref().map(place),
        hi: range.hi.as_ref().map(place),
        holes: range.holes.iter().map(place).collect(),
    }
}

/// The literal of a variable in a direction: 0 as it is, 1 mirrored.
fn literal(var: usize, mirrored: usize) -> usize {
    2 * var + mirrored
}

struct Search<'s> {
    ranges: &'s [Range],
    bands: &'s [Centred],
    /// By literal.
    colours: Vec<u64>,
    next: Vec<u64>,
    sorted: Vec<u64>,
}

impl Search<'_> {
    /// The number of colours. Two literals of one colour are not distinguished yet.
    fn classes(&mut self) -> usize {
        self.sort();
        1 + self.sorted.windows(2).filter(|w| w[0] != w[1]).count()
    }

    /// Sorts the colours themselves, independent of the literals that have them.
    fn sort(&mut self) {
        self.sorted.clone_from(&self.colours);
        self.sorted.sort_unstable();
    }

    /// Refines until no class splits any more.
    fn refine(&mut self) {
        let mut classes = self.classes();
        loop {
            // If a variable is distinguished, both its directions are.
            self.next.clear();
            self.next.extend((0..self.colours.len()).map(|literal| self.colours[literal ^ 1]));
            for band in self.bands {
                for direction in 0..2 {
                    let colour = |literal: usize| self.colours[literal ^ direction];
                    let sum = band
                        .literals
                        .iter()
                        .fold(0u64, |sum, (literal, size)| sum.wrapping_add(mix(colour(*literal), *size)));
                    let all = mix(band.seeds[direction], sum);
                    for (literal, size) in &band.literals {
                        let next = &mut self.next[literal ^ direction];
                        *next = next.wrapping_add(mix(all, *size));
                    }
                }
            }
            for (colour, next) in self.colours.iter_mut().zip(&self.next) {
                *colour = mix(*colour, *next);
            }
            let refined = self.classes();
            if refined <= classes {
                return;
            }
            classes = refined;
        }
    }

    /// The literals of the first class, in the order of colours, that has more than one.
    fn tied(&self) -> Option<Vec<usize>> {
        let mut order: Vec<usize> = (0..self.colours.len()).collect();
        order.sort_by_key(|&l| self.colours[l]);
        let class = order.chunk_by(|a, b| self.colours[*a] == self.colours[*b]).find(|c| c.len() > 1)?;
        Some(class.to_vec())
    }

    /// Colours all literals differently.
    fn separate_literals(&mut self) {
        self.refine();
        let mut round = 0u64;
        while let Some(tied) = self.tied() {
            round += 1;
            let before = self.colours.clone();
            let few = self.colours.len() + self.bands.len() <= 2 * TRIED;
            let tried = if few { &tied[..] } else { &tied[..1] };
            let mut best: Option<(Vec<u64>, Vec<u64>)> = None;
            for &chosen in tried {
                self.colours.clone_from(&before);
                self.colours[chosen] = mix(self.colours[chosen], round);
                self.refine();
                // Refining leaves the colours sorted.
                if best.as_ref().is_none_or(|(least, _)| self.sorted < *least) {
                    best = Some((self.sorted.clone(), self.colours.clone()));
                }
            }
            if let Some((_, colours)) = best {
                self.colours = colours;
            }
        }
    }
}

/// Twice the place that a range is centred at: its middle, or its only end.
fn middle(range: &Range) -> Int {
    match (&range.lo, &range.hi) {
        (Some(lo), Some(hi)) => lo.add(hi),
        (Some(end), None) | (None, Some(end)) => end.add(end),
        (None, None) => Int::ZERO,
    }
}

/// The canonical form of a part that is merged: one band per form, none of one variable.
pub(crate) fn form(system: &System) -> Vec<u8> {
    let n = system.ranges.len();
    let middles: Vec<Int> = system.ranges.iter().map(middle).collect();
    let ranges: Vec<Range> = system.ranges.iter().zip(&middles).map(|(r, m)| doubled(r, m)).collect();
    let bands: Vec<Centred> = system
        .bands
        .iter()
        .map(|band| {
            let middle =
                band.form.iter().fold(Int::ZERO, |sum, (v, a)| sum.add(&a.mul(&middles[*v as usize])));
            let range = doubled(&band.range, &middle);
            let literals = band
                .form
                .iter()
                .map(|(v, a)| (literal(*v as usize, usize::from(a.signum() < 0)), of_int(&a.abs())));
            let literals = literals.collect();
            Centred { form: band.form.clone(), seeds: seeds(&range), range, literals }
        })
        .collect();
    let colours: Vec<u64> = ranges.iter().flat_map(seeds).collect();
    let mut search = Search { ranges: &ranges, bands: &bands, next: Vec::new(), sorted: Vec::new(), colours };
    search.separate_literals();
    search.write(n)
}

impl Search<'_> {
    /// The part with the variables in the order of their lesser colours, in the direction that has it.
    fn write(&self, n: usize) -> Vec<u8> {
        let least = |v: &usize| self.colours[literal(*v, 0)].min(self.colours[literal(*v, 1)]);
        let mirrored = |v: usize| self.colours[literal(v, 1)] < self.colours[literal(v, 0)];
        let mut order: Vec<usize> = (0..n).collect();
        order.sort_by_key(least);
        let mut place = vec![0u32; n];
        order.iter().enumerate().for_each(|(at, v)| place[*v] = at as u32);
        let mut out = vec![VERSION];
        put(&mut out, &Int::from(n as i64));
        for &v in &order {
            put_range(&mut out, &if mirrored(v) { negated(&self.ranges[v]) } else { self.ranges[v].clone() });
        }
        let mut bands: Vec<(Form, Range)> = self
            .bands
            .iter()
            .map(|band| {
                let turn = |(v, a): &(u32, Int)| {
                    let a = if mirrored(*v as usize) { a.neg() } else { a.clone() };
                    (place[*v as usize], a)
                };
                let mut form: Form = band.form.iter().map(turn).collect();
                form.sort_by_key(|t| t.0);
                if form.first().is_some_and(|t| t.1.signum() < 0) {
                    form.iter_mut().for_each(|t| t.1 = t.1.neg());
                    return (form, negated(&band.range));
                }
                (form, band.range.clone())
            })
            .collect();
        bands.sort_by(|a, b| a.0.cmp(&b.0));
        for (form, range) in &bands {
            put(&mut out, &Int::from(form.len() as i64));
            for (v, a) in form {
                put(&mut out, &Int::from(i64::from(*v)));
                put(&mut out, a);
            }
            put_range(&mut out, range);
        }
        out
    }
}

fn put_range(out: &mut Vec<u8>, range: &Range) {
    for end in [&range.lo, &range.hi] {
        match end {
            Some(end) => put(out, end),
            None => out.push(NO_END),
        }
    }
    put(out, &Int::from(range.holes.len() as i64));
    range.holes.iter().for_each(|h| put(out, h));
}

/// Lengths from here on mean something else.
const NO_END: u8 = 0xff;
const LONG: u8 = 0xfe;

/// A number: the length of its bytes and those, least significant first, two's complement.
fn put(out: &mut Vec<u8>, value: &Int) {
    match value {
        Int::Small(v) => {
            let bytes = v.to_le_bytes();
            let unused = |at: usize| {
                let fill = if *v < 0 { 0xff } else { 0 };
                bytes[at] == fill && (bytes[at - 1] >= 0x80) == (*v < 0)
            };
            let mut length = 8;
            while length > 1 && unused(length - 1) {
                length -= 1;
            }
            out.push(length as u8);
            out.extend(&bytes[..length]);
        }
        big => {
            let bytes = big.to_big().to_signed_bytes_le();
            out.push(LONG);
            out.extend((bytes.len() as u64).to_le_bytes());
            out.extend(bytes);
        }
    }
}
