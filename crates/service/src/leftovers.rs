//! Memory of paths that have been consumed, reused for the next ones.
//!
//! The paths of a method have the same inputs, by name, and a test repeats them: some twenty small texts a
//! path, always the same. With one thread the allocator has each of them at hand again. Where paths wait in
//! batches to be reported in order, it does not, and takes its slow path for each, twice.

use crate::{Language, PathEnd};
use evergreen_explore::Trail;
use std::cell::{Cell, RefCell};

/// Paths that are kept for their memory.
const MOST: usize = 512;

type Named<V> = Vec<(String, V)>;

/// Paths that have been consumed, and the pieces of one of them.
pub struct Leftovers<L: Language> {
    paths: RefCell<Vec<Box<PathEnd<L>>>>,
    position: Cell<Vec<u32>>,
    inputs: Cell<Named<L::Value>>,
    draws: Cell<Named<L::Value>>,
}

impl<L: Language> Default for Leftovers<L> {
    fn default() -> Leftovers<L> {
        Leftovers {
            paths: RefCell::default(),
            position: Cell::default(),
            inputs: Cell::default(),
            draws: Cell::default(),
        }
    }
}

impl<L: Language> Leftovers<L> {
    /// Takes a path.
    pub(crate) fn add(&self, path: Box<PathEnd<L>>) {
        let mut paths = self.paths.borrow_mut();
        if paths.len() < MOST {
            paths.push(path);
        }
    }

    /// Takes the next one apart.
    pub(crate) fn next(&self) {
        if let Some(mut path) = self.paths.borrow_mut().pop() {
            self.position.set(std::mem::take(&mut path.position));
            self.inputs.set(std::mem::take(&mut path.inputs));
            self.draws.set(path.case.map(L::reclaim).unwrap_or_default());
        }
    }

    /// The position of a path.
    pub fn position(&self, trail: &Trail) -> Vec<u32> {
        let mut position = self.position.take();
        trail.position_into(&mut position);
        position
    }

    /// A list of inputs, to be written.
    pub fn inputs(&self) -> Rewritten<L::Value> {
        Rewritten::over(self.inputs.take())
    }

    /// A copy of inputs.
    pub fn draws(&self, inputs: &[(String, L::Value)]) -> Named<L::Value> {
        let mut draws = Rewritten::over(self.draws.take());
        inputs.iter().for_each(|(name, value)| draws.put(name, value.clone()));
        draws.end()
    }
}

/// A list of names and values that is written over an older one.
pub struct Rewritten<V> {
    list: Named<V>,
    written: usize,
}

impl<V> Rewritten<V> {
    /// Writes over this list.
    pub fn over(list: Named<V>) -> Rewritten<V> {
        Rewritten { list, written: 0 }
    }

    /// The next value.
    pub fn put(&mut self, name: &str, value: V) {
        match self.list.get_mut(self.written) {
            Some((old, place)) => {
                if old != name {
                    old.clear();
                    old.push_str(name);
                }
                *place = value;
            }
            None => self.list.push((name.to_string(), value)),
        }
        self.written += 1;
    }

    /// The list.
    pub fn end(mut self) -> Named<V> {
        self.list.truncate(self.written);
        self.list
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_old_is_left_in_a_list() {
        let all = |names: &[(&str, i32)]| -> Named<i32> {
            names.iter().map(|(name, n)| (name.to_string(), *n)).collect()
        };
        let old = all(&[("a", 1), ("b", 2), ("c", 3)]);
        for new in [all(&[("a", 7), ("longer", 8)]), all(&[]), all(&[("b", 0), ("a", 1), ("c", 2), ("d", 3)])]
        {
            let mut list = Rewritten::over(old.clone());
            new.iter().for_each(|(name, value)| list.put(name, *value));
            assert_eq!(list.end(), new);
        }
    }
}
