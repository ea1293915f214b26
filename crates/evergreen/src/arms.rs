//! The arms of a path: what questions have found it to go on under.

use evergreen_term::TermId;

/// So many are remembered at one place of a path. A caller who asks about more before going on has them
/// forgotten.
const MOST: usize = 256;

/// Lists of new constraints under which the path is satisfiable, for each beginning of it.
///
/// A program that asks about all arms of a branch goes along one, comes back and goes along the next: what
/// was found at a place is remembered until the path is shorter than that.
#[derive(Default)]
pub(crate) struct Arms {
    /// All lists, one behind the other.
    constraints: Vec<TermId>,
    /// Where each of them ends.
    ends: Vec<usize>,
    /// How many lists there are of shorter paths, for each push.
    marks: Vec<usize>,
}

impl Arms {
    pub(crate) fn clear(&mut self) {
        self.marks.clear();
        self.forget();
    }

    /// The path is longer by a push.
    pub(crate) fn push(&mut self) {
        self.marks.push(self.ends.len());
    }

    /// The last push is taken back.
    pub(crate) fn pop(&mut self) {
        self.forget();
        self.marks.pop();
    }

    /// Remembers an arm of the current path.
    pub(crate) fn add(&mut self, new: &[TermId]) {
        if self.ends.len() - self.first() == MOST {
            self.forget();
        }
        self.constraints.extend_from_slice(new);
        self.ends.push(self.constraints.len());
    }

    /// Whether the current path was found to go on under these constraints, or under these and more.
    pub(crate) fn contain(&self, new: &[TermId]) -> bool {
        let first = self.first();
        let mut from = self.end_before(first);
        self.ends[first..].iter().any(|&to| {
            let arm = &self.constraints[from..to];
            from = to;
            new.iter().all(|constraint| arm.contains(constraint))
        })
    }

    /// Forgets the arms of the current path.
    fn forget(&mut self) {
        let first = self.first();
        self.constraints.truncate(self.end_before(first));
        self.ends.truncate(first);
    }

    /// The first list of the current path.
    fn first(&self) -> usize {
        self.marks.last().copied().unwrap_or(0)
    }

    fn end_before(&self, list: usize) -> usize {
        list.checked_sub(1).map_or(0, |before| self.ends[before])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use evergreen_term::Terms;

    #[test]
    fn arms_belong_to_a_place_on_the_path() {
        let mut terms = Terms::new();
        let [a, b, c] = [1, 2, 3].map(|n: i64| terms.int(n));
        let mut arms = Arms::default();
        assert!(!arms.contain(&[a]));
        arms.add(&[a]);
        arms.add(&[b, c]);
        assert!(arms.contain(&[a]) && arms.contain(&[c]) && arms.contain(&[c, b]) && !arms.contain(&[a, b]));
        arms.push();
        assert!(!arms.contain(&[a]), "the path is another one");
        arms.add(&[c]);
        arms.push();
        arms.pop();
        assert!(arms.contain(&[c]));
        arms.pop();
        assert!(arms.contain(&[a]) && arms.contain(&[b, c]) && !arms.contain(&[a, c]));
        arms.clear();
        assert!(!arms.contain(&[a]));
    }

    #[test]
    fn memory_is_bounded() {
        let mut terms = Terms::new();
        let (kept, other) = (terms.int(1), terms.int(2));
        let mut arms = Arms::default();
        arms.add(&[kept]);
        arms.push();
        (0..10 * MOST).for_each(|_| arms.add(&[other]));
        assert!(arms.ends.len() <= MOST + 1 && arms.contain(&[other]));
        arms.pop();
        assert!(arms.contain(&[kept]));
    }
}
