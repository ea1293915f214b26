//! The memory of one constraint trie and of its implication graph.
//!
//! A trie node is 32 bytes: the atom on its incoming edge, its parent, its first child and next sibling, the next node with the
//! same atom, its payload, and a 64-bit mask. Nodes with many children also have them in an ordered map, so that a range of
//! atoms is a range of children.
//!
//! The implication partial order graph [Jia ISSTA'15, 5] has no edges here. Per prefix the stored atoms are kept sorted by
//! operator and constant; what an atom implies and what implies it are then at most five ranges of that list
//! ([`Arena::implying`]), found by bisection and never out of date. From an atom the nodes that it labels are a linked list.
//!
//! Masks: each prefix is one of 64 bits. `Any` keeps the union over all paths through a node (a satisfiable set must have all
//! prefixes of the query), `All` the intersection (an unsatisfiable set must not have a prefix that the query lacks). One
//! comparison of two words skips a whole subtree.

use crate::atom::{Atom, Op, PrefixKey};
use crate::index::Payload;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// No node, no atom, no payload.
pub(crate) const NONE: u32 = u32::MAX;
/// The node that all paths start from.
pub(crate) const ROOT: u32 = 0;
/// From so many children on they are also kept in an ordered map.
const WIDE: usize = 12;

/// A trie node.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    /// The atom on the incoming edge.
    pub atom: u32,
    pub parent: u32,
    pub child: u32,
    pub sibling: u32,
    /// The next node with the same atom; in a free node the next free one.
    pub same: u32,
    /// Where its payload is: only leaves have one.
    pub payload: u32,
    pub mask: u64,
}

/// A different atom of the trie.
#[derive(Clone, Debug)]
pub(crate) struct Label {
    pub constant: i64,
    pub prefix: u32,
    /// The first node that it labels.
    pub nodes: u32,
    /// How many it labels.
    pub count: u32,
    pub op: Op,
}

/// A place in a prefix's sorted list.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub constant: i64,
    pub atom: u32,
    pub op: Op,
}

/// A prefix that occurs in the trie.
#[derive(Clone, Debug)]
pub(crate) struct Prefix {
    pub key: PrefixKey,
    /// Its position on every path: paths are sorted by this, ties by number.
    order: u64,
    pub places: Vec<Place>,
}

/// Which paths a node's mask sums up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum MaskOf {
    /// The union over the paths through the node.
    Any,
    /// The intersection.
    All,
}

/// Children by atom: (number of the prefix, operator, constant).
pub(crate) type Wide = BTreeMap<(u32, Op, i64), u32>;

/// One constraint trie with its implication graph.
#[derive(Clone, Debug)]
pub(crate) struct Arena {
    pub nodes: Vec<Node>,
    pub labels: Vec<Label>,
    pub prefixes: Vec<Prefix>,
    numbers: FxHashMap<PrefixKey, u32>,
    wide: FxHashMap<u32, Wide>,
    payloads: Vec<Option<Payload>>,
    free_payload: Vec<u32>,
    free_node: u32,
    mask_of: MaskOf,
    /// Live nodes without the root, and live sets.
    pub node_count: usize,
    pub set_count: usize,
}

/// A list of ranges of one prefix's places.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Ranges {
    pub prefix: u32,
    ranges: [(u32, u32); 5],
    len: u8,
}

impl Ranges {
    fn push(&mut self, (start, end): (usize, usize)) {
        if start < end {
            self.ranges[usize::from(self.len)] = (start as u32, end as u32);
            self.len += 1;
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}

/// The bit of a prefix in masks.
#[inline]
pub(crate) fn bit(prefix: PrefixKey) -> u64 {
    1 << ((prefix.0 >> 64) as u64)
        .wrapping_add(prefix.0 as u64)
        .wrapping_mul(0x9e37_79b9_7f4a_7c15)
        .wrapping_shr(58)
}

impl Arena {
    pub fn new(mask_of: MaskOf) -> Arena {
        let root = Node {
            atom: NONE,
            parent: NONE,
            child: NONE,
            sibling: NONE,
            same: NONE,
            payload: NONE,
            mask: if mask_of == MaskOf::Any { 0 } else { u64::MAX },
        };
        Arena {
            nodes: vec![root],
            labels: Vec::new(),
            prefixes: Vec::new(),
            numbers: FxHashMap::default(),
            wide: FxHashMap::default(),
            payloads: Vec::new(),
            free_payload: Vec::new(),
            free_node: NONE,
            mask_of,
            node_count: 0,
            set_count: 0,
        }
    }

    /// Room for `more` nodes? Numbers are 32 bits wide.
    pub fn has_room(&self, more: usize) -> bool {
        let most = NONE as usize - 1;
        self.nodes.len() + more < most && self.labels.len() + more < most && self.payloads.len() < most
    }

    /// The number of a prefix that occurs in the trie.
    #[inline]
    pub fn number(&self, prefix: PrefixKey) -> Option<u32> {
        self.numbers.get(&prefix).copied()
    }

    /// The number of a prefix; a new one gets its position from `rank` (small ranks come first on paths). Says if it is new.
    pub fn intern_prefix(&mut self, key: PrefixKey, rank: u8) -> (u32, bool) {
        if let Some(number) = self.number(key) {
            return (number, false);
        }
        let number = self.prefixes.len() as u32;
        let order = (u64::from(rank) << 56) | (key.0 >> 72) as u64;
        self.prefixes.push(Prefix { key, order, places: Vec::new() });
        self.numbers.insert(key, number);
        (number, true)
    }

    /// The number of the atom `prefix op constant`.
    pub fn intern_atom(&mut self, prefix: u32, op: Op, constant: i64) -> u32 {
        let places = &mut self.prefixes[prefix as usize].places;
        let index = places.partition_point(|place| (place.op, place.constant) < (op, constant));
        if let Some(place) = places.get(index)
            && (place.op, place.constant) == (op, constant)
        {
            return place.atom;
        }
        let atom = self.labels.len() as u32;
        places.insert(index, Place { constant, atom, op });
        self.labels.push(Label { constant, prefix, nodes: NONE, count: 0, op });
        atom
    }

    /// What sorts atoms on paths.
    #[inline]
    pub fn position(&self, prefix: u32) -> (u64, u32) {
        (self.prefixes[prefix as usize].order, prefix)
    }

    /// The prefix of a node's atom; not for the root.
    #[inline]
    pub fn prefix_of(&self, node: u32) -> u32 {
        self.label(node).prefix
    }

    /// The atom of a node; not for the root.
    #[inline]
    pub fn label(&self, node: u32) -> &Label {
        &self.labels[self.nodes[node as usize].atom as usize]
    }

    #[inline]
    pub fn node(&self, node: u32) -> &Node {
        &self.nodes[node as usize]
    }

    /// The child of `node` with this atom.
    pub fn child(&self, node: u32, atom: u32) -> Option<u32> {
        if let Some(wide) = self.wide(node) {
            return wide.get(&self.wide_key(atom)).copied();
        }
        self.children(node).find(|&child| self.node(child).atom == atom)
    }

    /// The children of `node`, the newest first.
    pub fn children(&self, node: u32) -> impl Iterator<Item = u32> {
        let some = |node: u32| (node != NONE).then_some(node);
        std::iter::successors(some(self.node(node).child), move |&child| some(self.node(child).sibling))
    }

    /// The children of `node` in order, if it has many.
    pub fn wide(&self, node: u32) -> Option<&Wide> {
        self.wide.get(&node)
    }

    fn wide_key(&self, atom: u32) -> (u32, Op, i64) {
        let label = &self.labels[atom as usize];
        (label.prefix, label.op, label.constant)
    }

    /// The places of `prefix` with this operator and constants in `low..=high`.
    pub fn range(&self, prefix: u32, op: Op, low: i64, high: i64) -> (usize, usize) {
        let places = &self.prefixes[prefix as usize].places;
        let start = places.partition_point(|place| (place.op, place.constant) < (op, low));
        let end = places.partition_point(|place| (place.op, place.constant) <= (op, high));
        (start, end.max(start))
    }

    /// The stored atoms over `prefix` that imply `op constant` each by itself: the reverse implication set, as ranges.
    pub fn implying(&self, prefix: u32, op: Op, c: i64) -> Ranges {
        const LEAST: i64 = i64::MIN;
        const GREATEST: i64 = i64::MAX;
        let mut ranges = Ranges { prefix, ..Ranges::default() };
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
                }
                if let Some(above) = c.checked_add(1) {
                    ranges.push(self.range(prefix, Op::Ge, above, GREATEST)); // R7
                }
                let (start, end) = self.range(prefix, Op::Eq, LEAST, GREATEST); // R2: all but c
                let (from, to) = self.range(prefix, Op::Eq, c, c);
                ranges.push((start, from));
                ranges.push((to, end));
                ranges.push(self.range(prefix, Op::Ne, c, c)); // R1
            }
        }
        ranges
    }

    /// The stored atoms of `ranges`.
    pub fn places<'a>(&'a self, ranges: &'a Ranges) -> impl Iterator<Item = &'a Place> {
        let places = &self.prefixes[ranges.prefix as usize].places;
        let parts = &ranges.ranges[..usize::from(ranges.len)];
        parts.iter().flat_map(|&(start, end)| &places[start as usize..end as usize])
    }

    /// The nodes labelled by the atoms of `ranges`, counted up to `most`.
    pub fn count(&self, ranges: &Ranges, most: usize) -> usize {
        let mut total = 0;
        for place in self.places(ranges) {
            total += self.labels[place.atom as usize].count as usize;
            if total >= most {
                return most;
            }
        }
        total
    }

    /// The bounds that any stored set puts on `prefix`, at their tightest: (greatest lower bound, least upper bound).
    pub fn tightest(&self, prefix: u32) -> (Option<i64>, Option<i64>) {
        let places = &self.prefixes[prefix as usize].places;
        let of = |op: Op| {
            let (start, end) = self.range(prefix, op, i64::MIN, i64::MAX);
            (places[start..end].first().map(|p| p.constant), places[start..end].last().map(|p| p.constant))
        };
        let (equal, above, below) = (of(Op::Eq), of(Op::Ge), of(Op::Le));
        let least = [equal.0, below.0].into_iter().flatten().min();
        (above.1.max(equal.1), least)
    }

    /// The payload of a leaf.
    pub fn payload(&self, node: u32) -> Option<&Payload> {
        self.payloads.get(self.node(node).payload as usize)?.as_ref()
    }

    /// The set on the path to `node`.
    pub fn path(&self, node: u32) -> Vec<Atom> {
        let mut path = Vec::new();
        let mut at = node;
        while at != ROOT {
            let label = self.label(at);
            let prefix = self.prefixes[label.prefix as usize].key;
            path.push(Atom { prefix, op: label.op, constant: label.constant });
            at = self.node(at).parent;
        }
        path.sort_unstable();
        path
    }
}

/// Changes.
impl Arena {
    /// Hangs a new node with this atom under `parent`.
    pub fn append(&mut self, parent: u32, atom: u32) -> u32 {
        let node = Node {
            atom,
            parent,
            child: NONE,
            sibling: self.node(parent).child,
            same: self.labels[atom as usize].nodes,
            payload: NONE,
            mask: 0,
        };
        let number = if self.free_node == NONE {
            self.nodes.push(node);
            (self.nodes.len() - 1) as u32
        } else {
            let number = self.free_node;
            self.free_node = self.node(number).same;
            self.nodes[number as usize] = node;
            number
        };
        self.node_count += 1;
        self.nodes[parent as usize].child = number;
        let label = &mut self.labels[atom as usize];
        label.count += 1;
        if self.mask_of == MaskOf::Any {
            label.nodes = number;
        }
        self.widen(parent, number);
        number
    }

    /// Keeps the ordered map of a node with many children.
    fn widen(&mut self, parent: u32, child: u32) {
        let key = self.wide_key(self.node(child).atom);
        if let Some(wide) = self.wide.get_mut(&parent) {
            wide.insert(key, child);
        } else if self.children(parent).nth(WIDE - 1).is_some() {
            let wide =
                self.children(parent).map(|child| (self.wide_key(self.node(child).atom), child)).collect();
            self.wide.insert(parent, wide);
        }
    }

    /// Makes `leaf` the end of a set, and its path know the set's prefixes; `fresh` nodes from the leaf upwards are new.
    pub fn finish(&mut self, leaf: u32, fresh: usize, mask: u64, payload: Payload) {
        let place = match self.free_payload.pop() {
            Some(place) => {
                self.payloads[place as usize] = Some(payload);
                place
            }
            None => {
                self.payloads.push(Some(payload));
                (self.payloads.len() - 1) as u32
            }
        };
        self.nodes[leaf as usize].payload = place;
        self.set_count += 1;
        let (mut at, mut depth) = (leaf, 0);
        while at != NONE {
            let of = self.mask_of;
            let node = &mut self.nodes[at as usize];
            node.mask = match of {
                _ if depth < fresh => mask,
                MaskOf::Any => node.mask | mask,
                MaskOf::All => node.mask & mask,
            };
            at = node.parent;
            depth += 1;
        }
    }

    /// Takes the payload from a leaf.
    pub fn unfinish(&mut self, leaf: u32) {
        let place = std::mem::replace(&mut self.nodes[leaf as usize].payload, NONE);
        if let Some(payload) = self.payloads.get_mut(place as usize) {
            *payload = None;
            self.free_payload.push(place);
            self.set_count -= 1;
        }
    }

    /// Removes everything below `node`. Only for `All`, whose nodes are in no list of their atom.
    pub fn prune(&mut self, node: u32) {
        debug_assert!(self.mask_of == MaskOf::All);
        let mut open: Vec<u32> = self.children(node).collect();
        self.nodes[node as usize].child = NONE;
        self.wide.remove(&node);
        while let Some(at) = open.pop() {
            open.extend(self.children(at));
            self.unfinish(at);
            self.wide.remove(&at);
            let atom = self.node(at).atom;
            self.labels[atom as usize].count -= 1;
            self.nodes[at as usize].same = self.free_node;
            self.free_node = at;
            self.node_count -= 1;
        }
    }
}
