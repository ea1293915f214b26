//! Subsets and supersets of atoms that are *equal*: the index of KLEE's counterexample
//! cache, for `--reuse subset`.
//!
//! An unlimited branching tree [Hoffmann Koehler IJCAI'99]: sets as sorted sequences of element numbers,
//! common beginnings shared, ends marked. A subset of the query is found by following only the query's
//! elements; a superset by following any child up to the next element that is needed. The latter visits much
//! of the tree when the query's elements are late or frequent, which is why the paper on GreenTrie found
//! KLEE's look-ups slow at 3,000 sets; this structure is here to be compared with, so it has none of the
//! L-Trie's masks and lists, only the sorted children that the paper has.

use crate::atom::{Atom, PrefixKey};
use crate::definitions::Term;
use crate::index::{Budget, Found, Hit, Index, Meter, Payload, Sizes, Stored};
use rustc_hash::FxHashMap;

/// Answered sets, found when they are subsets or supersets of the query.
#[derive(Clone, Debug, Default)]
pub struct UbTree {
    atoms: Vec<Atom>,
    numbers: FxHashMap<Atom, u32>,
    sat: Tree,
    unsat: Tree,
}

#[derive(Clone, Debug)]
struct Tree {
    nodes: Vec<Branch>,
    payloads: Vec<Payload>,
}

#[derive(Clone, Debug, Default)]
struct Branch {
    /// Elements and the nodes they lead to, ascending.
    children: Vec<(u32, u32)>,
    /// One more than the place of the payload if a set ends here.
    end: u32,
}

impl Default for Tree {
    fn default() -> Self {
        Tree { nodes: vec![Branch::default()], payloads: Vec::new() }
    }
}

impl UbTree {
    /// Without any set.
    pub fn new() -> UbTree {
        UbTree::default()
    }

    fn intern(&mut self, set: &[Atom]) -> Vec<u32> {
        let mut elements = Vec::with_capacity(set.len());
        for atom in set {
            let next = self.atoms.len() as u32;
            let number = *self.numbers.entry(*atom).or_insert(next);
            if number == next {
                self.atoms.push(*atom);
            }
            elements.push(number);
        }
        elements.sort_unstable();
        elements.dedup();
        elements
    }

    fn hit(&self, tree: &Tree, node: usize, path: &[u32], query: &[Atom], subset: bool) -> Option<Hit> {
        let payload = tree.payloads.get(tree.nodes[node].end.checked_sub(1)? as usize)?.clone();
        let mut set: Vec<Atom> = path.iter().map(|&number| self.atoms[number as usize]).collect();
        set.sort_unstable();
        let mut used = Vec::new();
        if subset {
            used.extend(
                (0..query.len() as u32).filter(|&place| set.binary_search(&query[place as usize]).is_ok()),
            );
        }
        Some(Hit { payload, used })
    }
}

impl Tree {
    fn insert(&mut self, elements: &[u32], payload: Payload) -> Stored {
        if elements.is_empty() || self.nodes.len() + elements.len() >= u32::MAX as usize {
            return Stored::Ignored;
        }
        let mut at = 0;
        for &element in elements {
            at = match self.nodes[at].children.binary_search_by_key(&element, |(element, _)| *element) {
                Ok(place) => self.nodes[at].children[place].1 as usize,
                Err(place) => {
                    let new = self.nodes.len();
                    self.nodes[at].children.insert(place, (element, new as u32));
                    self.nodes.push(Branch::default());
                    new
                }
            };
        }
        if self.nodes[at].end != 0 {
            return Stored::Ignored;
        }
        self.payloads.push(payload);
        self.nodes[at].end = self.payloads.len() as u32;
        Stored::Added
    }

    /// A stored subset of `elements`: the node where it ends, with the path to it.
    fn subset(&self, elements: &[u32], meter: &mut Meter) -> Option<(usize, Vec<u32>)> {
        let mut path = Vec::new();
        // (node, elements from here on, length of the path)
        let mut stack = vec![(0_usize, 0_usize, 0_usize)];
        while let Some((at, from, depth)) = stack.pop() {
            path.truncate(depth.saturating_sub(1));
            if from > 0 {
                path.push(elements[from - 1]);
            }
            if self.nodes[at].end != 0 {
                return Some((at, path));
            }
            for (place, element) in elements.iter().enumerate().skip(from) {
                if !meter.step() {
                    return None;
                }
                let children = &self.nodes[at].children;
                if let Ok(found) = children.binary_search_by_key(element, |(element, _)| *element) {
                    stack.push((children[found].1 as usize, place + 1, depth + 1));
                }
            }
        }
        None
    }

    /// A stored superset of `elements`: the node where it ends, with the path to it.
    fn superset(&self, elements: &[u32], meter: &mut Meter) -> Option<(usize, Vec<u32>)> {
        let mut path: Vec<u32> = Vec::new();
        // (node, its element, elements found so far, length of the path)
        let mut stack = vec![(0_usize, u32::MAX, 0_usize, 0_usize)];
        while let Some((at, element, found, depth)) = stack.pop() {
            path.truncate(depth.saturating_sub(1));
            if depth > 0 {
                path.push(element);
            }
            let node = &self.nodes[at];
            let wanted = elements.get(found);
            if wanted.is_none() && node.end != 0 {
                return Some((at, path));
            }
            // Behind an element larger than the wanted one it cannot come any more.
            let last = wanted.map_or(node.children.len(), |wanted| {
                node.children.partition_point(|(element, _)| element <= wanted)
            });
            for &(element, child) in &node.children[..last] {
                if !meter.step() {
                    return None;
                }
                let found = found + usize::from(Some(&element) == wanted);
                stack.push((child as usize, element, found, depth + 1));
            }
        }
        None
    }
}

impl Index for UbTree {
    /// Equality needs no definitions.
    fn define(&mut self, _: PrefixKey, _: &[Term]) -> bool {
        false
    }

    fn insert_sat(&mut self, set: &[Atom], payload: Payload) -> Stored {
        let elements = self.intern(set);
        self.sat.insert(&elements, payload)
    }

    fn insert_unsat(&mut self, core: &[Atom], payload: Payload) -> Stored {
        let elements = self.intern(core);
        self.unsat.insert(&elements, payload)
    }

    fn find_sat(&mut self, set: &[Atom], budget: Budget) -> Found {
        let mut meter = Meter::new(budget);
        let mut elements: Vec<u32> = set.iter().filter_map(|atom| self.numbers.get(atom).copied()).collect();
        elements.sort_unstable();
        let all_known = elements.len() == set.len();
        elements.dedup();
        let end = if all_known && meter.step() { self.sat.superset(&elements, &mut meter) } else { None };
        let hit = end.and_then(|(node, path)| self.hit(&self.sat, node, &path, set, false));
        Found { cut_off: hit.is_none() && meter.spent(), hit, steps: meter.steps }
    }

    fn find_unsat(&mut self, set: &[Atom], budget: Budget) -> Found {
        let mut meter = Meter::new(budget);
        let mut elements: Vec<u32> = set.iter().filter_map(|atom| self.numbers.get(atom).copied()).collect();
        elements.sort_unstable();
        elements.dedup();
        let end = if meter.step() { self.unsat.subset(&elements, &mut meter) } else { None };
        let hit = end.and_then(|(node, path)| self.hit(&self.unsat, node, &path, set, true));
        Found { cut_off: hit.is_none() && meter.spent(), hit, steps: meter.steps }
    }

    /// The newest ones: the tree has no way to find similar sets.
    fn candidates(&mut self, _: &[Atom], limit: usize) -> Vec<Payload> {
        self.sat.payloads.iter().rev().take(limit).cloned().collect()
    }

    fn sizes(&self) -> Sizes {
        Sizes {
            sat: self.sat.payloads.len(),
            unsat: self.unsat.payloads.len(),
            nodes: self.sat.nodes.len() + self.unsat.nodes.len() - 2,
        }
    }
}
