//! Answers about arms that others have given, kept by the path that they are about.
//!
//! A path is a chain of conditions; chains that begin alike share nodes, so an answer takes one entry. Keys are the conditions themselves, not
//! digests of them: an answer is never taken for that of another path.

use evergreen_explore::Path;
use evergreen_symbolic::{Assignment, Cond};
use std::collections::HashMap;

/// Answers, by path and arm.
#[derive(Default)]
pub(super) struct Answered {
    /// The node that a condition leads to from another; 0 is the empty path.
    nodes: HashMap<(u32, Cond), u32>,
    /// Inputs that take an arm; none if there are none.
    answers: HashMap<(u32, Cond), Option<Assignment>>,
}

impl Answered {
    /// Adds an answer.
    pub(super) fn add(&mut self, path: &Path<Cond>, arm: Cond, answer: Option<Assignment>) {
        let mut node = 0;
        for condition in path.constraints() {
            let next = self.nodes.len() as u32 + 1;
            node = *self.nodes.entry((node, condition)).or_insert(next);
        }
        self.answers.insert((node, arm), answer);
    }

    /// The answer about an arm of this very path.
    pub(super) fn get(&self, path: &Path<Cond>, arm: Cond) -> Option<&Option<Assignment>> {
        if self.answers.is_empty() {
            return None;
        }
        let mut node = 0;
        for condition in path.constraints() {
            node = *self.nodes.get(&(node, condition))?;
        }
        self.answers.get(&(node, arm))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_those_of_their_own_path() {
        let (one, two) = (Cond::TRUE, Cond::FALSE);
        let mut all = Answered::default();
        assert!(all.get(&Path::new(), one).is_none());
        all.add(&Path::new(), one, None);
        let longer = Path::new().with(one);
        all.add(&longer, two, Some(Assignment::new()));
        assert!(matches!(all.get(&Path::new(), one), Some(None)));
        assert!(matches!(all.get(&longer, two), Some(Some(_))));
        assert!(all.get(&Path::new(), two).is_none());
        assert!(all.get(&longer, one).is_none());
        assert!(all.get(&longer.with(one), two).is_none());
    }
}
