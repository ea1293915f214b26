//! The memory of the trie of satisfiable sets.
//!
//! A set that is added shares the beginning of its path and continues alone; that linear rest is a *run*:
//! consecutive slots of 20 bytes (the atom, the run, the next slot with the same atom) under one header of 32
//! bytes (where it hangs, its first child and next sibling, its payload, its mask). A node of the trie is a
//! slot. So a path is a few stretches of memory, not a dozen scattered nodes. Runs may hang at any slot of
//! another run; where many do, the run is cut in two, so that the children of a slot stay easy to find, and
//! slots with many children also have them in an ordered map.
//!
//! Masks: each prefix is one of 64 bits, and a run has the union over all paths through it. A satisfiable set
//! must have all prefixes of the query, so one comparison of two words skips a whole subtree.
//!
//! Before, every node had its own header, 32 bytes: 200 bytes per stored set instead of about 100,
//! and twice the cache misses.

use crate::atom::{Op, PrefixKey};
use crate::index::Payload;
use crate::labels::{Labels, NONE, push, split};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// The slot that all paths start from.
pub(crate) const ROOT: u32 = 0;
/// From so many children on a slot also keeps them in an ordered map.
const WIDE: usize = 12;
/// From so many children on a run is cut where the next one hangs.
const CROWDED: usize = 4;

#[derive(Clone, Debug)]
struct Slot {
    atom: u32,
    run: u32,
    /// The next slot with the same atom.
    same: u32,
    /// The contents of the atom, so that walking along a path touches nothing but the path: its prefix and
    /// operator, and its constant if it is small (else [`LARGE`]).
    prefix_and_op: u32,
    small: i32,
}

/// The constant does not fit: it is with the label.
const LARGE: i32 = i32::MIN;

#[derive(Clone, Debug)]
struct Run {
    mask: u64,
    start: u32,
    len: u32,
    /// The slot that it hangs at.
    parent: u32,
    /// The newest run that hangs at one of its slots, and the next one beside itself.
    child: u32,
    sibling: u32,
    /// If a set ends with its last slot: where the payload is.
    payload: u32,
}

/// Children by atom: (number of the prefix, operator, constant).
pub(crate) type Wide = BTreeMap<(u32, Op, i64), u32>;

/// One constraint trie.
#[derive(Clone, Debug)]
pub(crate) struct Arena {
    pub names: Labels,
    slots: Vec<Slot>,
    runs: Vec<Run>,
    wide: FxHashMap<u32, Wide>,
    payloads: Vec<Option<Payload>>,
    free_payloads: Vec<u32>,
    /// Live nodes without the root, and live sets.
    pub node_count: usize,
    pub set_count: usize,
}

/// The bit of a prefix in masks.
#[inline]
pub(crate) fn bit(prefix: PrefixKey) -> u64 {
    let folded = ((prefix.0 >> 64) as u64).wrapping_add(prefix.0 as u64);
    1 << (folded.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 58)
}

impl Arena {
    pub(crate) fn new() -> Arena {
        let root =
            Run { mask: 0, start: ROOT, len: 1, parent: NONE, child: NONE, sibling: NONE, payload: NONE };
        Arena {
            names: Labels::default(),
            slots: vec![Slot { atom: NONE, run: 0, same: NONE, prefix_and_op: NONE, small: 0 }],
            runs: vec![root],
            wide: FxHashMap::default(),
            payloads: Vec::new(),
            free_payloads: Vec::new(),
            node_count: 0,
            set_count: 0,
        }
    }

    /// Room for a set of `more` atoms?
    pub(crate) fn has_room(&self, more: usize) -> bool {
        self.slots.len() + more < NONE as usize
            && self.runs.len() + 1 < NONE as usize
            && self.names.has_room(more)
    }

    #[inline]
    fn run(&self, node: u32) -> &Run {
        &self.runs[self.slots[node as usize].run as usize]
    }

    /// The prefix of a node's atom; not for the root.
    #[inline]
    pub(crate) fn prefix_of(&self, node: u32) -> u32 {
        split(self.slots[node as usize].prefix_and_op).0
    }

    /// The prefix, operator and constant of a node's atom; not for the root.
    #[inline]
    pub(crate) fn atom_of(&self, node: u32) -> (u32, Op, i64) {
        let slot = &self.slots[node as usize];
        let (prefix, op) = split(slot.prefix_and_op);
        let large = || self.names.labels[slot.atom as usize].constant;
        (prefix, op, if slot.small == LARGE { large() } else { i64::from(slot.small) })
    }

    #[inline]
    pub(crate) fn mask(&self, node: u32) -> u64 {
        self.run(node).mask
    }

    /// The next node with the same atom.
    #[inline]
    pub(crate) fn same(&self, node: u32) -> u32 {
        self.slots[node as usize].same
    }

    /// The node above, or NONE.
    #[inline]
    pub(crate) fn parent(&self, node: u32) -> u32 {
        let run = self.run(node);
        if node > run.start { node - 1 } else { run.parent }
    }

    /// Does a set end here?
    #[inline]
    pub(crate) fn is_leaf(&self, node: u32) -> bool {
        let run = self.run(node);
        run.payload != NONE && node == run.start + run.len - 1
    }

    /// The payload of a leaf.
    pub(crate) fn payload(&self, leaf: u32) -> Option<&Payload> {
        self.payloads.get(self.run(leaf).payload as usize)?.as_ref()
    }

    /// The children of `node`, the newest first.
    pub(crate) fn children(&self, node: u32) -> impl Iterator<Item = u32> {
        let run = self.run(node);
        let inside = (node + 1 < run.start + run.len).then_some(node + 1);
        self.hanging(run.child).filter(move |run| run.parent == node).map(|run| run.start).chain(inside)
    }

    fn hanging(&self, first: u32) -> impl Iterator<Item = &Run> {
        let at = move |run: u32| self.runs.get(run as usize);
        std::iter::successors(at(first), move |run| at(run.sibling))
    }

    /// The child of `node` with this atom.
    pub(crate) fn child(&self, node: u32, atom: u32) -> Option<u32> {
        match self.wide(node) {
            Some(wide) => wide.get(&self.wide_key(atom)).copied(),
            None => self.children(node).find(|&child| self.slots[child as usize].atom == atom),
        }
    }

    /// The children of `node` in order, if it has many.
    pub(crate) fn wide(&self, node: u32) -> Option<&Wide> {
        if self.wide.is_empty() {
            return None;
        }
        self.wide.get(&node)
    }

    fn wide_key(&self, atom: u32) -> (u32, Op, i64) {
        let label = &self.names.labels[atom as usize];
        (label.prefix(), label.op(), label.constant)
    }
}

/// Changes.
impl Arena {
    /// Hangs a new run with these atoms (at least one) under `parent`; its last node.
    pub(crate) fn append(&mut self, parent: u32, atoms: &[u32]) -> u32 {
        self.cut_if_crowded(parent);
        let above = self.slots[parent as usize].run;
        let start = self.slots.len() as u32;
        if self.slots.len() + atoms.len() > self.slots.capacity() {
            self.slots.reserve_exact(atoms.len() + self.slots.len() / 8);
        }
        let run = Run {
            mask: 0,
            start,
            len: atoms.len() as u32,
            parent,
            child: NONE,
            sibling: self.runs[above as usize].child,
            payload: NONE,
        };
        let number = self.take_run(run);
        self.runs[above as usize].child = number;
        for (slot, &atom) in (start..).zip(atoms) {
            let label = &mut self.names.labels[atom as usize];
            let small = i32::try_from(label.constant).unwrap_or(LARGE);
            let prefix_and_op = label.prefix_and_op;
            self.slots.push(Slot { atom, run: number, same: label.nodes, prefix_and_op, small });
            label.nodes = slot;
            self.names.prefixes[label.prefix() as usize].nodes += 1;
        }
        self.node_count += atoms.len();
        self.widen(parent, start);
        start + atoms.len() as u32 - 1
    }

    fn take_run(&mut self, run: Run) -> u32 {
        push(&mut self.runs, run);
        (self.runs.len() - 1) as u32
    }

    /// Cuts the run of `node` behind it if many runs hang at it and `node` is not its end.
    fn cut_if_crowded(&mut self, node: u32) {
        let upper = self.slots[node as usize].run;
        let Run { mask, start, len, child, payload, .. } = self.runs[upper as usize];
        let kept = node - start + 1;
        if kept == len || self.hanging(child).nth(CROWDED - 1).is_none() {
            return;
        }
        let rest =
            Run { mask, start: node + 1, len: len - kept, parent: node, child: NONE, sibling: NONE, payload };
        let lower = self.take_run(rest);
        for slot in node + 1..start + len {
            self.slots[slot as usize].run = lower;
        }
        self.runs[upper as usize].len = kept;
        self.runs[upper as usize].payload = NONE;
        // Runs below the cut now hang at the lower part, and the lower part at the upper, as
        // the oldest of its children.
        let below = |run: &u32| (node + 1..start + len).contains(&self.runs[*run as usize].parent);
        let (below, mut above): (Vec<u32>, Vec<u32>) = self.hanging_numbers(child).partition(below);
        above.push(lower);
        self.hang(upper, &above);
        self.hang(lower, &below);
    }

    fn hanging_numbers(&self, first: u32) -> impl Iterator<Item = u32> {
        let some = |run: u32| (run != NONE).then_some(run);
        std::iter::successors(some(first), move |&run| some(self.runs[run as usize].sibling))
    }

    /// Makes `children` the runs that hang at `run`.
    fn hang(&mut self, run: u32, children: &[u32]) {
        let mut next = NONE;
        for &child in children.iter().rev() {
            self.runs[child as usize].sibling = next;
            next = child;
        }
        self.runs[run as usize].child = next;
    }

    /// Keeps the ordered map of a node with many children.
    fn widen(&mut self, parent: u32, child: u32) {
        let key = self.wide_key(self.slots[child as usize].atom);
        if let Some(wide) = self.wide.get_mut(&parent) {
            wide.insert(key, child);
        } else if self.children(parent).nth(WIDE - 1).is_some() {
            let keyed = |child: u32| (self.wide_key(self.slots[child as usize].atom), child);
            let wide = self.children(parent).map(keyed).collect();
            self.wide.insert(parent, wide);
        }
    }

    /// Makes `leaf`, the end of its run, the end of a set, and its path know the set's prefixes.
    pub(crate) fn finish(&mut self, leaf: u32, mask: u64, payload: Payload) {
        let place = match self.free_payloads.pop() {
            Some(place) => {
                self.payloads[place as usize] = Some(payload);
                place
            }
            None => {
                push(&mut self.payloads, Some(payload));
                (self.payloads.len() - 1) as u32
            }
        };
        self.set_count += 1;
        let mut at = self.slots[leaf as usize].run;
        let run = &mut self.runs[at as usize];
        run.payload = place;
        if run.child == NONE {
            // The only path through this run.
            run.mask = mask;
        }
        loop {
            let run = &mut self.runs[at as usize];
            run.mask |= mask;
            if run.parent == NONE {
                break;
            }
            at = self.slots[run.parent as usize].run;
        }
    }

    /// Takes the payload from a leaf.
    pub(crate) fn unfinish(&mut self, leaf: u32) {
        let run = self.slots[leaf as usize].run;
        self.drop_payload(run);
    }

    fn drop_payload(&mut self, run: u32) {
        let place = std::mem::replace(&mut self.runs[run as usize].payload, NONE);
        if let Some(payload) = self.payloads.get_mut(place as usize) {
            *payload = None;
            self.free_payloads.push(place);
            self.set_count -= 1;
        }
    }
}
