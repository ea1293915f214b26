//! The logical subset check: a stored unsatisfiable set every atom of which the query
//! implies [Jia ISSTA'15, 6.3].
//!
//! Algorithm 2 of the paper unites the implication sets of the query's atoms and walks down from the root
//! along edges in that union. Here:
//! - The union is not built. Per prefix of the query the interval and the exceptional points are known;
//!   whether an atom is implied is one comparison.
//! - Shapes are found through their lists ([`crate::cores`]): one list per prefix of the query,
//!   in which masks exclude nearly all shapes that do not match. The query's atoms then must
//!   cover all items of the shape.
//! - Among the cores of one shape those that the query implies are a corner of space ([`crate::table`]).
//!
//! Bounds of sums that follow from bounds of their variables come in a second pass, when the first found
//! nothing, through lists of their own. Not found are sets that bounds of variables alone imply: those are
//! satisfiable, and no cores.
//!
//! Cost: the lists of the query's prefixes, five entries per line of memory, and the tables of
//! the few shapes that match.

use crate::atom::{Atom, Op};
use crate::cores::{Core, Cores, Entry, Side, side_bit};
use crate::definitions::Definitions;
use crate::implies::{Interval, Premises, implies};
use crate::index::Meter;
use crate::table::Sought;

/// The query's knowledge of a prefix.
#[derive(Clone, Copy)]
struct Known<'a> {
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

    /// May it imply an atom with this operator?
    fn may_imply(&self, op: Op) -> bool {
        match op {
            Op::Le => self.interval.high.is_some(),
            Op::Ge => self.interval.low.is_some(),
            Op::Eq => self.interval.low.is_some() && self.interval.low == self.interval.high,
            Op::Ne => true,
            Op::Holds => self.implies(Op::Holds, 0),
        }
    }
}

/// The condition on each column of a shape's table: the operator, and the query's knowledge of the prefix.
struct Corner<'a>(Vec<(Op, Known<'a>)>);

impl Sought for Corner<'_> {
    fn within(&self, column: usize, least: i64, greatest: i64) -> bool {
        let (op, known) = &self.0[column];
        match op {
            Op::Le => known.interval.implies(Op::Le, greatest),
            Op::Ge => known.interval.implies(Op::Ge, least),
            Op::Eq => {
                known.interval.low.is_some_and(|v| (i128::from(least)..=i128::from(greatest)).contains(&v))
            }
            Op::Ne | Op::Holds => true,
        }
    }

    fn at(&self, column: usize, value: i64) -> bool {
        let (op, known) = &self.0[column];
        known.implies(*op, value)
    }
}

/// May bounds of variables be used?
#[derive(Clone, Copy, PartialEq, Eq)]
enum By {
    Atoms,
    Variables,
}

struct Search<'a> {
    cores: &'a Cores,
    definitions: &'a Definitions,
    premises: Premises<'a>,
    /// By number, those that occur in cores.
    known: Vec<(u32, Known<'a>)>,
    /// The prefixes of the query, whether they occur in cores or not.
    mask: u64,
    corner: Corner<'a>,
}

/// The stored core whose atoms `query` (sorted) implies.
pub(crate) fn find(
    cores: &Cores,
    definitions: &Definitions,
    query: &[Atom],
    meter: &mut Meter,
) -> Option<Core> {
    if cores.set_count == 0 || !meter.step() {
        return None;
    }
    let mut search = Search::new(cores, definitions, query);
    let core = search.lists(By::Atoms, meter);
    if core.is_some() || definitions.is_empty() || meter.spent() {
        return core;
    }
    meter.tighten();
    search.lists(By::Variables, meter)
}

/// So many entries of a list count as one step: about a line of memory.
const ENTRIES_PER_STEP: usize = 5;

impl<'a> Search<'a> {
    fn new(cores: &'a Cores, definitions: &'a Definitions, query: &'a [Atom]) -> Search<'a> {
        let premises = Premises::new(query);
        let mut known = Vec::with_capacity(query.len());
        let mut mask = 0;
        for direct in query.chunk_by(|a, b| a.prefix == b.prefix) {
            let key = direct[0].prefix;
            let mut interval = Interval::default();
            direct.iter().for_each(|atom| interval.narrow(atom.op, atom.constant));
            mask |= side_bit(key, Side::Any);
            mask |= if interval.low.is_some() { side_bit(key, Side::Low) } else { 0 };
            mask |= if interval.high.is_some() { side_bit(key, Side::High) } else { 0 };
            if let Some(number) = cores.number(key) {
                known.push((number, Known { interval, direct }));
            }
        }
        known.sort_unstable_by_key(|(number, _)| *number);
        Search { cores, definitions, premises, known, mask, corner: Corner(Vec::new()) }
    }

    /// Searches the lists of the query's prefixes.
    fn lists(&mut self, by: By, meter: &mut Meter) -> Option<Core> {
        for place in 0..self.known.len() {
            let head = &self.cores.heads[self.known[place].0 as usize];
            let list: &[Entry] = if by == By::Atoms { &head.shapes } else { &head.derived };
            for entries in list.chunks(ENTRIES_PER_STEP) {
                if !meter.step() {
                    return None;
                }
                let mask = self.mask;
                for entry in entries.iter().filter(|entry| entry.mask() & !mask == 0) {
                    let found = self.visit(entry.node, by, meter);
                    if found.is_some() || meter.spent() {
                        return found;
                    }
                }
            }
        }
        None
    }

    /// A core of the shape that ends at `node`.
    fn visit(&mut self, node: u32, by: By, meter: &mut Meter) -> Option<Core> {
        self.corner.0.clear();
        if !meter.step() {
            return None;
        }
        for item in self.cores.items(node) {
            let known = self.known(item.prefix(), by)?;
            if !known.may_imply(item.op()) {
                return None;
            }
            if item.op() != Op::Holds {
                self.corner.0.push((item.op(), known));
            }
        }
        self.corner.0.reverse();
        let row = self.cores.table(node)?.find(&self.corner, meter)?;
        Some(Core { node, row })
    }

    /// The query's knowledge of a prefix, if any.
    fn known(&self, prefix: u32, by: By) -> Option<Known<'a>> {
        let own = self.known.binary_search_by_key(&prefix, |(number, _)| *number);
        let own = own.ok().map(|place| self.known[place].1);
        if by == By::Atoms {
            return own;
        }
        let Some(terms) = self.definitions.sum(self.cores.heads[prefix as usize].key) else { return own };
        let derived = self.premises.derived(terms);
        if derived.is_everything() {
            return own;
        }
        // With the query's knowledge of the sum itself: one end may come from there.
        let own = own.unwrap_or(Known { interval: Interval::default(), direct: &[] });
        Some(Known { interval: own.interval.meet(derived), ..own })
    }
}

/// The places in `query` (sorted) of atoms that imply `set`: one premise per atom where one is enough.
pub(crate) fn used(definitions: &Definitions, query: &[Atom], set: &[Atom]) -> Vec<u32> {
    let premises = Premises::new(query);
    let mut used: Vec<u32> = Vec::new();
    for atom in set {
        let own = premises.places(atom.prefix);
        if let Some(place) = own.clone().find(|&place| implies(&query[place], atom)) {
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
