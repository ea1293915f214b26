//! The different atoms of a trie, by prefix: the implication partial order graph without its edges.
//!
//! The graph of the paper [Jia ISSTA'15, 5] links each atom to those that it implies. Over one prefix that
//! order is the order of constants, so the atoms of a prefix are kept sorted by operator and constant; the
//! atoms that imply an atom are then at most five ranges of that list ([`Labels::implying`]), found by
//! bisection and never out of date.

use crate::atom::{Op, PrefixKey};
use crate::filter::Filter;
use crate::numbers::Numbers;

/// No node, no atom, no payload.
pub(crate) const NONE: u32 = u32::MAX;

/// A different atom of the trie.
#[derive(Clone, Debug)]
pub(crate) struct Label {
    pub constant: i64,
    /// The number of the prefix, and in the upper three bits the operator.
    pub prefix_and_op: u32,
    /// The first of its nodes.
    pub nodes: u32,
}

/// Prefixes and atoms have numbers below 2^29; an operator fits beside them.
pub(crate) const NUMBER_BITS: u32 = 29;

impl Label {
    #[inline]
    pub(crate) fn prefix(&self) -> u32 {
        split(self.prefix_and_op).0
    }

    #[inline]
    pub(crate) fn op(&self) -> Op {
        split(self.prefix_and_op).1
    }
}

/// The number of a prefix with an operator in the upper three bits.
#[inline]
pub(crate) fn join(prefix: u32, op: Op) -> u32 {
    prefix | ((op as u32) << NUMBER_BITS)
}

/// The prefix and the operator.
#[inline]
pub(crate) fn split(prefix_and_op: u32) -> (u32, Op) {
    let op = match prefix_and_op >> NUMBER_BITS {
        0 => Op::Le,
        1 => Op::Ge,
        2 => Op::Eq,
        3 => Op::Ne,
        _ => Op::Holds,
    };
    (prefix_and_op & ((1 << NUMBER_BITS) - 1), op)
}

/// A place in a prefix's sorted list.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub constant: i64,
    /// The number of the atom, and in the upper three bits the operator.
    atom_and_op: u32,
    /// Half a mask (see [`fold`]): the union over the sets with this atom, so that most atoms are
    /// skipped without following them.
    pub mask: u32,
}

impl Place {
    fn new(op: Op, constant: i64, atom: u32, mask: u32) -> Place {
        Place { constant, atom_and_op: atom | ((op as u32) << NUMBER_BITS), mask }
    }

    #[inline]
    pub(crate) fn atom(&self) -> u32 {
        self.atom_and_op & ((1 << NUMBER_BITS) - 1)
    }
}

/// Half of a mask: inclusion of masks is preserved.
#[inline]
pub(crate) fn fold(mask: u64) -> u32 {
    (mask | (mask >> 32)) as u32
}

/// A prefix that occurs in the trie. One line of memory: a look-up waits for each that it touches.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub(crate) struct Prefix {
    pub key: PrefixKey,
    pub places: Vec<Place>,
    /// Where the places of each operator but the last end: those of the next one begin there.
    ends: [u32; 4],
    /// How many nodes it labels.
    pub nodes: u32,
    /// Small ranks come first on paths.
    rank: u8,
}

const _: () = assert!(size_of::<Prefix>() == 64);

/// All of them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Labels {
    pub labels: Vec<Label>,
    pub prefixes: Vec<Prefix>,
    /// For each prefix the greatest lower and the least upper bound that any atom puts on it. (Not of one
    /// set: low may be above high.)
    pub tightest: Vec<(Option<i64>, Option<i64>)>,
    numbers: Numbers,
    filter: Filter,
}

/// Some ranges of one prefix's places.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Ranges {
    prefix: u32,
    ranges: [(u32, u32); 5],
    len: u8,
}

impl Ranges {
    fn of(prefix: u32) -> Ranges {
        Ranges { prefix, ..Ranges::default() }
    }

    fn push(&mut self, (start, end): (usize, usize)) {
        if start < end {
            self.ranges[usize::from(self.len)] = (start as u32, end as u32);
            self.len += 1;
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.len == 0
    }
}

/// Appends, and grows by an eighth: doubling would leave a third of a large trie unused.
pub(crate) fn push<T>(items: &mut Vec<T>, item: T) {
    if items.len() == items.capacity() {
        items.reserve_exact(items.len() / 8 + 16);
    }
    items.push(item);
}

impl Labels {
    /// Room for `more` atoms? Their numbers and those of prefixes are 29 bits wide.
    pub(crate) fn has_room(&self, more: usize) -> bool {
        self.labels.len().max(self.prefixes.len()) + more < 1 << NUMBER_BITS
    }

    /// The number of a prefix that occurs in the trie.
    #[inline]
    pub(crate) fn number(&self, prefix: PrefixKey) -> Option<u32> {
        self.numbers.find(prefix, |number| self.prefixes[number as usize].key)
    }

    /// Is the prefix surely in no set? Much faster than [`Labels::number`] where it is.
    #[inline]
    pub(crate) fn lacks(&self, prefix: PrefixKey) -> bool {
        !self.filter.may_have(prefix)
    }

    #[inline]
    pub(crate) fn prefix(&self, number: u32) -> &Prefix {
        &self.prefixes[number as usize]
    }

    /// The number of a prefix; a new one gets `rank`.
    pub(crate) fn intern_prefix(&mut self, key: PrefixKey, rank: impl FnOnce() -> u8) -> u32 {
        if let Some(number) = self.number(key) {
            return number;
        }
        let number = self.prefixes.len() as u32;
        push(&mut self.prefixes, Prefix { key, places: Vec::new(), ends: [0; 4], nodes: 0, rank: rank() });
        push(&mut self.tightest, (None, None));
        let prefixes = &self.prefixes;
        self.filter.add(key, prefixes.iter().map(|prefix| prefix.key));
        self.numbers.insert(number, |number| prefixes[number as usize].key)
    }

    /// The number of the atom `prefix op constant`; `mask` joins its mask.
    pub(crate) fn intern_atom(&mut self, prefix: u32, op: Op, constant: i64, mask: u32) -> u32 {
        let (start, end) = self.range(prefix, op, constant, i64::MAX);
        let Prefix { places, ends, .. } = &mut self.prefixes[prefix as usize];
        let index = start;
        if start < end
            && let Some(place) = places.get_mut(index)
            && place.constant == constant
        {
            place.mask |= mask;
            return place.atom();
        }
        let atom = self.labels.len() as u32;
        if places.len() == places.capacity() {
            places.reserve_exact(1 + places.len() / 4);
        }
        places.insert(index, Place::new(op, constant, atom, mask));
        ends.iter_mut().skip(op as usize).for_each(|end| *end += 1);
        let tightest = &mut self.tightest[prefix as usize];
        if matches!(op, Op::Ge | Op::Eq) {
            tightest.0 = tightest.0.max(Some(constant));
        }
        if matches!(op, Op::Le | Op::Eq) {
            tightest.1 = Some(tightest.1.map_or(constant, |least| least.min(constant)));
        }
        push(&mut self.labels, Label { constant, prefix_and_op: join(prefix, op), nodes: NONE });
        atom
    }

    /// The sort key of prefixes on paths: any total order suffices, as long as it never changes.
    #[inline]
    pub(crate) fn position(&self, prefix: u32) -> (u8, u128) {
        let prefix = self.prefix(prefix);
        (prefix.rank, prefix.key.0)
    }

    /// The places of `prefix` with this operator and constants in `low..=high`.
    fn range(&self, prefix: u32, op: Op, low: i64, high: i64) -> (usize, usize) {
        let Prefix { places, ends, .. } = self.prefix(prefix);
        let mut start = if op as usize == 0 { 0 } else { ends[op as usize - 1] as usize };
        let mut end = ends.get(op as usize).map_or(places.len(), |end| *end as usize);
        // Most ranges are open at one side: an open side needs no search.
        if low > i64::MIN {
            start += places[start..end].partition_point(|place| place.constant < low);
        }
        if high < i64::MAX {
            end = start + places[start..end].partition_point(|place| place.constant <= high);
        }
        (start, end)
    }

    /// The stored atoms over `prefix` that imply `op c` each by itself: the reverse implication set.
    pub(crate) fn implying(&self, prefix: u32, op: Op, c: i64) -> Ranges {
        const LEAST: i64 = i64::MIN;
        const GREATEST: i64 = i64::MAX;
        let mut ranges = Ranges::of(prefix);
        match op {
            Op::Le => {
                ranges.push(self.range(prefix, Op::Le, LEAST, c)); // R1, R6
                ranges.push(self.range(prefix, Op::Eq, LEAST, c)); // R3
            }
            Op::Ge => {
                ranges.push(self.range(prefix, Op::Ge, c, GREATEST)); // R1, R8
                ranges.push(self.range(prefix, Op::Eq, c, GREATEST)); // R4
            }
            Op::Eq | Op::Holds => ranges.push(self.range(prefix, op, c, c)), // R1
            Op::Ne => {
                if let Some(below) = c.checked_sub(1) {
                    ranges.push(self.range(prefix, Op::Le, LEAST, below)); // R5
                    ranges.push(self.range(prefix, Op::Eq, LEAST, below)); // R2
                }
                if let Some(above) = c.checked_add(1) {
                    ranges.push(self.range(prefix, Op::Ge, above, GREATEST)); // R7
                    ranges.push(self.range(prefix, Op::Eq, above, GREATEST)); // R2
                }
                ranges.push(self.range(prefix, Op::Ne, c, c)); // R1
            }
        }
        ranges
    }

    /// The stored atoms of `ranges`.
    pub(crate) fn places<'a>(&'a self, ranges: &'a Ranges) -> impl Iterator<Item = &'a Place> {
        let places = &self.prefix(ranges.prefix).places;
        let parts = &ranges.ranges[..usize::from(ranges.len)];
        parts.iter().flat_map(|&(start, end)| &places[start as usize..end as usize])
    }

    /// About how many nodes the atoms of `ranges` label: their share of the prefix's atoms, as if all were
    /// equally frequent. (The exact number is a cache miss for each atom, and choosing the second-best place
    /// to begin costs less than that.)
    pub(crate) fn estimate(&self, ranges: &Ranges) -> usize {
        let prefix = self.prefix(ranges.prefix);
        let parts = &ranges.ranges[..usize::from(ranges.len)];
        let atoms: usize = parts.iter().map(|&(start, end)| (end - start) as usize).sum();
        (atoms * prefix.nodes as usize).div_ceil(prefix.places.len().max(1))
    }
}
