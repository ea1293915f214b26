//! The logical subset check: a stored unsatisfiable set every atom of which the query implies [Jia ISSTA'15, 6.3].
//!
//! Algorithm 2 of the paper unites the implication sets of the query's atoms and walks down from the root along edges in that
//! union. Here:
//! - The union is not built. Per prefix of the query the interval and the exceptional points are known; whether an edge is
//!   implied is one comparison, and among many children the implied ones are ranges of an ordered map.
//! - Paths have the prefixes of many variables first: a core is under its most specific prefix, and the query's few prefixes
//!   select from a very wide root. (Cores of bounds of single variables are conflicts that reduction finds.)
//! - A node's 64-bit mask (the prefixes on all paths through it) must be within the query's.
//! - The children of the root are found through their atoms: each atom labels at most one of them.
//!
//! Sums over variables that the query bounds count as prefixes of the query, with the bounds that follow, in a second walk when
//! the first found nothing ([`crate::sums`]).

use crate::arena::{Arena, bit};
use crate::atom::{Atom, Op};
use crate::definitions::Definitions;
use crate::implies::{Interval, Premises, implies};
use crate::index::Meter;
use crate::labels::{NONE, Ranges, fold, implied_constants};
use crate::sums::Sums;

/// A prefix of which the query knows something, and which occurs in the trie.
struct Known<'a> {
    number: u32,
    interval: Interval,
    /// The query's own atoms.
    direct: &'a [Atom],
}

impl Known<'_> {
    /// The query's own atoms that its interval does not tell: exceptional points and opaque constraints.
    fn points(&self) -> impl Iterator<Item = &Atom> {
        let told = |atom: &Atom| self.interval.implies(atom.op, atom.constant);
        self.direct.iter().filter(move |atom| matches!(atom.op, Op::Ne | Op::Holds) && !told(atom))
    }

    fn implies(&self, op: Op, constant: i64) -> bool {
        let by_atom = |premise: &Atom| implies(premise, &Atom { prefix: premise.prefix, op, constant });
        self.interval.implies(op, constant)
            || (matches!(op, Op::Ne | Op::Holds) && self.direct.iter().any(by_atom))
    }
}

/// The leaf of a stored set whose atoms `query` (sorted) implies.
pub(crate) fn find(arena: &Arena, sums: &Sums, query: &[Atom], meter: &mut Meter) -> Option<u32> {
    if arena.set_count == 0 || !meter.step() {
        return None;
    }
    let premises = Premises::new(query);
    let mut known = Vec::with_capacity(query.len());
    for direct in query.chunk_by(|a, b| a.prefix == b.prefix) {
        if let Some(number) = arena.names.number(direct[0].prefix) {
            known.push(Known { number, interval: premises.interval(direct[0].prefix), direct });
        }
    }
    let leaf = walk(arena, &mut known, meter);
    if leaf.is_some() || sums.is_empty() || meter.spent() {
        return leaf;
    }
    meter.tighten();
    if derive(arena, sums, premises, &mut known, meter) { walk(arena, &mut known, meter) } else { None }
}

/// Down from the root along what is implied.
fn walk(arena: &Arena, known: &mut [Known], meter: &mut Meter) -> Option<u32> {
    known.sort_unstable_by_key(|known| known.number);
    let mask = known.iter().fold(0, |mask, known| mask | bit(arena.names.prefix(known.number).key));
    let half = fold(mask);
    let mut stack = Vec::new();
    for known in known.iter().filter(|known| arena.names.prefix(known.number).nodes > 0) {
        let mut atoms = |ranges: Ranges| {
            let mut places = arena.names.places(&ranges).filter(|place| place.mask & !half == 0);
            places.all(|place| {
                let child = arena.names.labels[place.atom() as usize].nodes;
                if child != NONE && arena.mask(child) & !mask == 0 {
                    stack.push(child);
                }
                meter.step()
            })
        };
        let exact = |atom: &Atom| arena.names.exactly(known.number, atom.op, atom.constant);
        if !atoms(arena.names.implied(known.number, known.interval))
            || !known.points().all(|atom| atoms(exact(atom)))
        {
            return None;
        }
    }
    while let Some(at) = stack.pop() {
        if arena.is_leaf(at) {
            return Some(at);
        }
        let mut enter = |child: u32| {
            if arena.mask(child) & !mask == 0 {
                stack.push(child);
            }
            meter.step()
        };
        let done = match arena.wide(at) {
            Some(_) => known.iter().all(|known| implied_children(arena, at, known, &mut enter)),
            None => arena.children(at).all(|child| {
                let label = arena.label(child);
                match known.binary_search_by_key(&label.prefix(), |known| known.number) {
                    Ok(place) if known[place].implies(label.op(), label.constant) => enter(child),
                    _ => true,
                }
            }),
        };
        if !done {
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
        wide.range((number, op, low)..=(number, op, high)).all(|(_, &child)| enter(child))
    };
    implied_constants(known.interval).all(|(op, low, high)| range(op, low, high))
        && known.points().all(|atom| range(atom.op, atom.constant, atom.constant))
}

/// Adds what follows for sums from the bounds of their variables; false if nothing new does.
fn derive<'a>(
    arena: &Arena,
    sums: &Sums,
    premises: Premises<'a>,
    known: &mut Vec<Known<'a>>,
    meter: &mut Meter,
) -> bool {
    let direct = known.len();
    let mut changed = false;
    let done = sums.visit(premises, |number, derived| {
        // With what the query says of the sum itself: one end may come from there.
        let own = known[..direct].iter().position(|known| known.number == number);
        let whole = own.map_or(derived, |place| known[place].interval.meet(derived));
        if !derived.is_everything() && !arena.names.implied(number, whole).is_empty() {
            changed = true;
            match own {
                Some(place) => known[place].interval = whole,
                None => known.push(Known { number, interval: derived, direct: &[] }),
            }
        }
        meter.step()
    });
    done && changed
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
