//! Reduction: atoms over one prefix merge into an interval with exceptional points [Jia ISSTA'15, 4].
//!
//! `P >= -3, P >= -5, P <= 4, P != 0, P != -6, P != 4` becomes `P >= -3, P <= 3, P != 0`: of the bounds the
//! tightest stay, points outside fall away, points at an end move the end (again and again), one value left
//! is an equation, none is a conflict. One sort and one pass, O(n log n). Every reduced atom keeps the input
//! atoms that it needs, so that a core over reduced atoms maps to a core over input atoms, and a conflict is
//! a core at once. (The paper prints the interval of `x+y+4 = 0` as [4,4]; it is [-4,-4].)
//!
//! Where definitions are known, bounds of a sum that contradict the bounds of its
//! variables are a conflict too.

use crate::atom::{Atom, Op};
use crate::definitions::Definitions;
use crate::implies::{Interval, Premises};

/// The result of reducing a set of atoms.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reduction {
    /// An equivalent set.
    Reduced(Reduced),
    /// The input atoms with these places contradict each other.
    Conflict(Vec<u32>),
}

/// A set in which no atom follows from another of the same prefix.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Reduced {
    atoms: Vec<Atom>,
    sources: Vec<u32>,
    ends: Vec<u32>,
}

impl Reduced {
    /// The atoms, sorted, without duplicates.
    pub fn atoms(&self) -> &[Atom] {
        &self.atoms
    }

    /// The places of the input atoms that together imply the `index`-th reduced one.
    pub fn sources(&self, index: usize) -> &[u32] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] as usize };
        &self.sources[start..self.ends[index] as usize]
    }

    fn push(&mut self, atom: Atom, sources: impl IntoIterator<Item = u32>) {
        let start = self.sources.len();
        self.atoms.push(atom);
        for source in sources {
            if !self.sources[start..].contains(&source) {
                self.sources.push(source);
            }
        }
        self.ends.push(self.sources.len() as u32);
    }
}

/// One end of an interval: its value, and the input atoms that make it so.
struct End {
    value: i64,
    sources: Vec<u32>,
}

/// Reduces `atoms`; sums with known terms are checked against the bounds of their variables.
pub fn reduce(atoms: &[Atom], definitions: &Definitions) -> Reduction {
    let mut order: Vec<u32> = (0..atoms.len() as u32).collect();
    order.sort_by_key(|&place| atoms[place as usize]);
    let same = |a: &u32, b: &u32| {
        let (a, b) = (&atoms[*a as usize], &atoms[*b as usize]);
        a.prefix == b.prefix && (a.op == Op::Holds) == (b.op == Op::Holds)
    };
    let mut reduced = Reduced::default();
    for group in order.chunk_by(same) {
        let outcome = if group.len() == 1 || atoms[group[0] as usize].op == Op::Holds {
            reduced.push(atoms[group[0] as usize], [group[0]]);
            Ok(())
        } else {
            merge(atoms, group, &mut reduced)
        };
        if let Err(places) = outcome {
            return Reduction::Conflict(places);
        }
    }
    match sum_conflict(&reduced, definitions) {
        Some(places) => Reduction::Conflict(places),
        None => Reduction::Reduced(reduced),
    }
}

/// Merges the comparisons of one prefix, whose places come sorted by operator and constant.
fn merge(atoms: &[Atom], group: &[u32], reduced: &mut Reduced) -> Result<(), Vec<u32>> {
    let at = |place: u32| &atoms[place as usize];
    let (mut low, mut high): (Option<End>, Option<End>) = (None, None);
    for &place in group {
        let (op, value) = (at(place).op, at(place).constant);
        if matches!(op, Op::Ge | Op::Eq) && low.as_ref().is_none_or(|end| end.value <= value) {
            // On a tie the later one wins: equations come after inequalities and then serve both ends.
            low = Some(End { value, sources: vec![place] });
        }
        let wins = |end: &End| value < end.value || (op == Op::Eq && value == end.value);
        if matches!(op, Op::Le | Op::Eq) && high.as_ref().is_none_or(wins) {
            high = Some(End { value, sources: vec![place] });
        }
    }
    let mut points: Vec<u32> = group.iter().copied().filter(|&place| at(place).op == Op::Ne).collect();
    points.dedup_by_key(|place| at(*place).constant);
    let inside = trim(atoms, &points, &mut low, &mut high);
    let prefix = at(group[0]).prefix;
    match (low, high) {
        (Some(low), Some(high)) if low.value > high.value => return Err(union(low.sources, high.sources)),
        (Some(low), Some(high)) if low.value == high.value => {
            reduced.push(Atom::eq(prefix, low.value), low.sources.into_iter().chain(high.sources));
            return Ok(());
        }
        (low, high) => {
            if let Some(high) = high {
                reduced.push(Atom::le(prefix, high.value), high.sources);
            }
            if let Some(low) = low {
                reduced.push(Atom::ge(prefix, low.value), low.sources);
            }
        }
    }
    for &place in &points[inside] {
        reduced.push(*at(place), [place]);
    }
    Ok(())
}

/// Moves the ends of the interval over the exceptional points (sorted) that they touch;
/// which points stay inside.
///
/// At the ends of the 64-bit range nothing moves: `P >= max, P != max` stays as it is.
fn trim(
    atoms: &[Atom],
    points: &[u32],
    low: &mut Option<End>,
    high: &mut Option<End>,
) -> std::ops::Range<usize> {
    let value = |place: u32| atoms[place as usize].constant;
    let (mut start, mut end) = (0, points.len());
    let last = high.as_ref().map_or(i64::MAX, |high| high.value);
    if let Some(low) = low {
        start = points.partition_point(|&place| value(place) < low.value);
        // Beyond the other end there is a conflict already; more points would only make its core larger.
        while start < end && low.value <= last && value(points[start]) == low.value {
            let Some(next) = low.value.checked_add(1) else { break };
            low.value = next;
            low.sources.push(points[start]);
            start += 1;
        }
    }
    if let Some(high) = high {
        end = points.partition_point(|&place| value(place) <= high.value).max(start);
        while start < end && value(points[end - 1]) == high.value {
            let Some(next) = high.value.checked_sub(1) else { break };
            high.value = next;
            high.sources.push(points[end - 1]);
            end -= 1;
        }
    }
    start..end
}

/// The sources of a sum whose bounds contradict the bounds of its variables.
fn sum_conflict(reduced: &Reduced, definitions: &Definitions) -> Option<Vec<u32>> {
    if definitions.is_empty() {
        return None;
    }
    let premises = Premises::new(&reduced.atoms);
    for group in reduced.atoms.chunk_by(|a, b| a.prefix == b.prefix) {
        let Some(terms) = definitions.sum(group[0].prefix) else { continue };
        let own = premises.interval(group[0].prefix);
        let derived = premises.derived(terms);
        let low_broken = Interval { low: own.low, high: derived.high }.is_empty();
        let high_broken = Interval { low: derived.low, high: own.high }.is_empty();
        if !low_broken && !high_broken {
            continue;
        }
        let mut places = Vec::new();
        for (prefix, op) in needed_ends(group[0].prefix, terms, low_broken) {
            for index in premises.places(prefix) {
                let found = reduced.atoms[index].op;
                if found == op || found == Op::Eq {
                    places = union(places, reduced.sources(index).to_vec());
                }
            }
        }
        return Some(places);
    }
    None
}

/// The ends that contradict each other: of the sum, and of each of its variables.
fn needed_ends(
    sum: crate::PrefixKey,
    terms: &[crate::Term],
    low_broken: bool,
) -> impl Iterator<Item = (crate::PrefixKey, Op)> {
    let (own, other) = if low_broken { (Op::Ge, Op::Le) } else { (Op::Le, Op::Ge) };
    let parts = terms.iter().map(move |(variable, a)| (*variable, if *a > 0 { other } else { own }));
    std::iter::once((sum, own)).chain(parts)
}

fn union(mut places: Vec<u32>, more: Vec<u32>) -> Vec<u32> {
    places.extend(more);
    places.sort_unstable();
    places.dedup();
    places
}
