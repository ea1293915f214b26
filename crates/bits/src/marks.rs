//! Values by node, forgotten at once: for walks over a few nodes of many.

use crate::form::Node;
use rustc_hash::FxHashMap;

/// Empties a map and keeps its memory, unless most of that was for a larger query: clearing costs what a map
/// has room for, not what is in it.
pub(crate) fn empty<K, V>(map: &mut FxHashMap<K, V>) {
    if map.capacity() > 8 * map.len() + 1024 {
        *map = FxHashMap::default();
    } else {
        map.clear();
    }
}

/// A value for each node, valid in the round in which it was set.
#[derive(Clone, Debug)]
pub(crate) struct Marks<T> {
    entries: Vec<(u32, T)>,
    round: u32,
}

impl<T: Copy + Default> Default for Marks<T> {
    fn default() -> Marks<T> {
        Marks { entries: Vec::new(), round: 1 }
    }
}

impl<T: Copy + Default> Marks<T> {
    /// Forgets all values, and makes room for so many nodes.
    pub(crate) fn begin(&mut self, nodes: usize) {
        if self.entries.len() < nodes {
            self.entries.resize(nodes, (0, T::default()));
        }
        self.round = self.round.wrapping_add(1);
        if self.round == 0 {
            self.entries.fill((0, T::default()));
            self.round = 1;
        }
    }

    pub(crate) fn get(&self, node: Node) -> Option<T> {
        match self.entries.get(node.index()) {
            Some(&(round, value)) if round == self.round => Some(value),
            _ => None,
        }
    }

    /// The value of a node that has one.
    pub(crate) fn at(&self, node: Node) -> T {
        let (round, value) = self.entries[node.index()];
        debug_assert_eq!(round, self.round, "the node was visited");
        value
    }

    pub(crate) fn set(&mut self, node: Node, value: T) {
        if self.entries.len() <= node.index() {
            self.entries.resize(node.index() + 1, (0, T::default()));
        }
        self.entries[node.index()] = (self.round, value);
    }

    /// Sets a value, unless there is one; whether it did.
    pub(crate) fn set_once(&mut self, node: Node, value: T) -> bool {
        if self.get(node).is_some() {
            return false;
        }
        self.set(node, value);
        true
    }
}
