//! The logical subset check: a stored unsatisfiable set every atom of which the query implies [Jia ISSTA'15, 6.3].
//!
//! Algorithm 2 of the paper unites the implication sets of the query's atoms and walks down from the root along edges in that
//! union. Here:
//! - The union is not built. Per prefix of the query the interval and the exceptional points are known; whether an edge is
//!   implied is one comparison, and among many children the implied ones are ranges of an ordered map.
//! - Paths have the prefixes of many variables first: a core is under its most specific prefix, and the query's few prefixes
//!   select from a very wide root. (Cores of bounds of single variables are conflicts that reduction finds.)
//! - A node's 64-bit mask (the prefixes on all paths through it) must be within the query's.
//! - Sums over variables that the query bounds count as prefixes of the query, with the bounds that follow. They are found
//!   through a list per variable; each sum is in the list of the one of its variables whose list was shortest.

use crate::arena::{Arena, NONE, ROOT, bit};
use crate::atom::{Atom, Op, PrefixKey};
use crate::definitions::Definitions;
use crate::implies::{Interval, Premises, implies};
use crate::index::Meter;
use rustc_hash::FxHashMap;

/// The sums that occur in a trie, by one of their variables.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sums {
    by_variable: FxHashMap<PrefixKey, Vec<u32>>,
}

impl Sums {
    /// Lists the sum with this number, once.
    pub fn list(&mut self, number: u32, terms: &[(PrefixKey, i64)]) {
        let length = |variable: &PrefixKey| self.by_variable.get(variable).map_or(0, Vec::len);
        if let Some((variable, _)) = terms.iter().min_by_key(|(variable, _)| length(variable)) {
            self.by_variable.entry(*variable).or_default().push(number);
        }
    }
}

/// A prefix of which the query knows something, and which occurs in the trie.
struct Known<'a> {
    number: u32,
    interval: Interval,
    /// The query's own atoms.
    direct: &'a [Atom],
}

impl Known<'_> {
    fn implies(&self, op: Op, constant: i64) -> bool {
        let by_atom = |premise: &Atom| implies(premise, &Atom { prefix: premise.prefix, op, constant });
        self.interval.implies(op, constant)
            || (matches!(op, Op::Ne | Op::Holds) && self.direct.iter().any(by_atom))
    }
}

/// The leaf of a stored set whose atoms `query` (sorted) implies.
pub(crate) fn find(
    arena: &Arena,
    sums: &Sums,
    definitions: &Definitions,
    query: &[Atom],
    meter: &mut Meter,
) -> Option<u32> {
    if arena.set_count == 0 || !meter.step() {
        return None;
    }
    let known = known(arena, sums, definitions, query, meter);
    let mask = known.iter().fold(0, |mask, known| mask | bit(arena.prefixes[known.number as usize].key));
    let mut stack = vec![ROOT];
    while let Some(at) = stack.pop() {
        if arena.node(at).payload != NONE {
            return Some(at);
        }
        let mut enter = |child: u32| {
            if arena.node(child).mask & !mask == 0 {
                stack.push(child);
            }
            meter.step()
        };
        let done = match arena.wide(at) {
            Some(_) => known.iter().all(|known| implied_children(arena, at, known, &mut enter)),
            None => arena.children(at).all(|child| {
                let label = arena.label(child);
                match known.binary_search_by_key(&label.prefix, |known| known.number) {
                    Ok(place) if known[place].implies(label.op, label.constant) => enter(child),
                    _ => true,
                }
            }),
        };
        if !done || meter.spent() {
            return None;
        }
    }
    None
}

/// The children of a wide node that `known` implies; false if `enter` says stop.
fn implied_children(arena: &Arena, node: u32, known: &Known, enter: &mut impl FnMut(u32) -> bool) -> bool {
    let Some(wide) = arena.wide(node) else { return true };
    let number = known.number;
    let mut range = |op: Op, low: i64, high: i64| {
        low > high || wide.range((number, op, low)..=(number, op, high)).all(|(_, &child)| enter(child))
    };
    let clamp = |value: i128| value.clamp(i128::from(i64::MIN), i128::from(i64::MAX)) as i64;
    let (low, high) = (known.interval.low, known.interval.high);
    // An end beyond 64 bits implies what an end at 64 bits implies, or nothing: the conditions below are exact.
    let le = high
        .filter(|high| *high <= i128::from(i64::MAX))
        .is_none_or(|high| range(Op::Le, clamp(high), i64::MAX));
    let ge = le
        && low
            .filter(|low| *low >= i128::from(i64::MIN))
            .is_none_or(|low| range(Op::Ge, i64::MIN, clamp(low)));
    let point = low.filter(|low| Some(*low) == high).and_then(|low| i64::try_from(low).ok());
    let eq = ge && point.is_none_or(|c| range(Op::Eq, c, c));
    let below = |low: i128| low <= i128::from(i64::MIN) || range(Op::Ne, i64::MIN, clamp(low - 1));
    let ne = eq && low.is_none_or(below);
    let above = |high: i128| high >= i128::from(i64::MAX) || range(Op::Ne, clamp(high + 1), i64::MAX);
    let ne = ne && high.is_none_or(above);
    ne && known.direct.iter().filter(|atom| matches!(atom.op, Op::Ne | Op::Holds)).all(|atom| {
        let outside = atom.op == Op::Ne && known.interval.implies(Op::Ne, atom.constant);
        outside || range(atom.op, atom.constant, atom.constant)
    })
}

/// The prefixes of the trie of which the query knows something, sorted by number.
fn known<'a>(
    arena: &Arena,
    sums: &Sums,
    definitions: &Definitions,
    query: &'a [Atom],
    meter: &mut Meter,
) -> Vec<Known<'a>> {
    let premises = Premises::new(query);
    let mut known = Vec::new();
    for direct in query.chunk_by(|a, b| a.prefix == b.prefix) {
        if let Some(number) = arena.number(direct[0].prefix) {
            let interval = premises.interval(direct[0].prefix);
            known.push(Known { number, interval, direct });
        }
    }
    if !sums.by_variable.is_empty() {
        derive(arena, sums, definitions, premises, query, &mut known, meter);
    }
    known.sort_unstable_by_key(|known| known.number);
    known
}

/// Adds what follows for sums from the bounds of their variables.
fn derive<'a>(
    arena: &Arena,
    sums: &Sums,
    definitions: &Definitions,
    premises: Premises<'a>,
    query: &'a [Atom],
    known: &mut Vec<Known<'a>>,
    meter: &mut Meter,
) {
    let direct = known.len();
    for atoms in query.chunk_by(|a, b| a.prefix == b.prefix) {
        for &number in sums.by_variable.get(&atoms[0].prefix).into_iter().flatten() {
            if !meter.step() {
                return;
            }
            let key = arena.prefixes[number as usize].key;
            let Some(terms) = definitions.sum(key) else { continue };
            let derived = premises.derived(terms);
            if derived.is_everything() {
                continue;
            }
            match known[..direct].iter_mut().find(|known| known.number == number) {
                Some(known) => known.interval = known.interval.meet(derived),
                None if is_useful(arena, number, derived) => {
                    known.push(Known { number, interval: derived, direct: &[] });
                }
                None => {}
            }
        }
    }
}

/// Does the interval imply any stored atom of the prefix?
fn is_useful(arena: &Arena, number: u32, interval: Interval) -> bool {
    let places = &arena.prefixes[number as usize].places;
    let implied = |op: Op, last: bool| {
        let (start, end) = arena.range(number, op, i64::MIN, i64::MAX);
        let place = if last { places[start..end].last() } else { places[start..end].first() };
        place.is_some_and(|place| interval.implies(op, place.constant))
    };
    let point = |low: i128| {
        i64::try_from(low).is_ok_and(|c| {
            let (start, end) = arena.range(number, Op::Eq, c, c);
            start < end && interval.implies(Op::Eq, c)
        })
    };
    implied(Op::Le, true)
        || implied(Op::Ge, false)
        || implied(Op::Ne, true)
        || implied(Op::Ne, false)
        || interval.low.is_some_and(point)
}

/// The places in `query` (sorted) of atoms that imply the set that ends at `leaf`: one premise per atom where one is enough.
pub(crate) fn used(arena: &Arena, definitions: &Definitions, query: &[Atom], leaf: u32) -> Vec<u32> {
    let premises = Premises::new(query);
    let mut used: Vec<u32> = Vec::new();
    for atom in arena.path(leaf) {
        let own = premises.places(atom.prefix);
        if let Some(place) = own.clone().find(|&place| implies(&query[place], &atom)) {
            used.push(place as u32);
            continue;
        }
        used.extend(own.map(|place| place as u32));
        for (variable, _) in definitions.sum(atom.prefix).unwrap_or_default() {
            used.extend(premises.places(*variable).map(|place| place as u32));
        }
    }
    used.sort_unstable();
    used.dedup();
    used
}
