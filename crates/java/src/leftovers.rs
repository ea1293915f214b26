//! What is left of paths that nobody looks at any more, used again for the next ones.
//!
//! The paths of a method have the same inputs, by name, and a test has them once more: some twenty small texts a path, always the same. With
//! one thread the allocator has each of them at hand again. Where paths wait in batches to be told in order, it has not, and goes its long way for each, twice.

use super::ending::PathEnd;
use evergreen_explore::Trail;
use evergreen_replay::JavaValue;
use std::cell::{Cell, RefCell};

/// Paths that are kept for their memory.
const MOST: usize = 512;

type Named = Vec<(String, JavaValue)>;

/// Paths that nobody looks at any more, and what is left of one of them.
#[derive(Default)]
pub(super) struct Leftovers {
    #[expect(clippy::vec_box, reason = "they come in boxes")]
    paths: RefCell<Vec<Box<PathEnd>>>,
    position: Cell<Vec<u32>>,
    inputs: Cell<Named>,
    draws: Cell<Named>,
}

impl Leftovers {
    /// Takes a path.
    pub(super) fn add(&self, path: Box<PathEnd>) {
        let mut paths = self.paths.borrow_mut();
        if paths.len() < MOST {
            paths.push(path);
        }
    }

    /// Takes the next one apart.
    pub(super) fn next(&self) {
        if let Some(mut path) = self.paths.borrow_mut().pop() {
            self.position.set(std::mem::take(&mut path.position));
            self.inputs.set(std::mem::take(&mut path.inputs));
            self.draws.set(path.case.map(|case| case.draws).unwrap_or_default());
        }
    }

    /// The position of a path.
    pub(super) fn position(&self, trail: &Trail) -> Vec<u32> {
        let mut position = self.position.take();
        trail.position_into(&mut position);
        position
    }

    /// A list of inputs, to be written.
    pub(super) fn inputs(&self) -> Rewritten {
        Rewritten::over(self.inputs.take())
    }

    /// A copy of inputs.
    pub(super) fn draws(&self, inputs: &[(String, JavaValue)]) -> Named {
        let mut draws = Rewritten::over(self.draws.take());
        inputs.iter().for_each(|(name, value)| draws.put(name, value.clone()));
        draws.end()
    }
}

/// A list of names and values that is written over an older one.
pub(super) struct Rewritten {
    list: Named,
    written: usize,
}

impl Rewritten {
    /// Writes over this list.
    pub(super) fn over(list: Named) -> Rewritten {
        Rewritten { list, written: 0 }
    }

    /// The next value.
    pub(super) fn put(&mut self, name: &str, value: JavaValue) {
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
    pub(super) fn end(mut self) -> Named {
        self.list.truncate(self.written);
        self.list
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_old_is_left_in_a_list() {
        let leftovers = Leftovers::default();
        let all = |names: &[(&str, i32)]| -> Named {
            names.iter().map(|(name, n)| (name.to_string(), JavaValue::Int(*n))).collect()
        };
        let old = all(&[("a", 1), ("b", 2), ("c", 3)]);
        for new in [all(&[("a", 7), ("longer", 8)]), all(&[]), all(&[("b", 0), ("a", 1), ("c", 2), ("d", 3)])]
        {
            leftovers.draws.set(old.clone());
            assert_eq!(leftovers.draws(&new), new);
            leftovers.inputs.set(old.clone());
            let mut list = leftovers.inputs();
            new.iter().for_each(|(name, value)| list.put(name, value.clone()));
            assert_eq!(list.end(), new);
        }
    }
}
