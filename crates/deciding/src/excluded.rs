//! Arms that are known to be infeasible from a check of remote paths, by the path that they are about.
//!
//! A path is a chain of conditions; chains that begin alike share nodes, so an arm takes one entry. Keys are
//! the conditions themselves, not digests of them: a fact about one path is never taken for a fact about
//! another. Feasible arms are not kept: the inputs that take an arm have to depend on the path alone, so they
//! are computed here in any case.

use evergreen_explore::Path;
use evergreen_symbolic::Cond;
use std::collections::{HashMap, HashSet};

/// Infeasible arms of paths.
#[derive(Default)]
pub struct Excluded {
    /// The node that a condition leads to from another; 0 is the empty path.
    nodes: HashMap<(u32, Cond), u32>,
    arms: HashSet<(u32, Cond)>,
}

impl Excluded {
    /// Adds an arm.
    pub fn add(&mut self, path: &Path<Cond>, arm: Cond) {
        let mut node = 0;
        for condition in path.constraints() {
            let next = self.nodes.len() as u32 + 1;
            node = *self.nodes.entry((node, condition)).or_insert(next);
        }
        self.arms.insert((node, arm));
    }

    /// Whether an arm of this very path was added.
    pub fn has(&self, path: &Path<Cond>, arm: Cond) -> bool {
        if self.arms.is_empty() {
            return false;
        }
        let mut node = 0;
        for condition in path.constraints() {
            let Some(next) = self.nodes.get(&(node, condition)) else { return false };
            node = *next;
        }
        self.arms.contains(&(node, arm))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arms_are_those_of_their_own_path() {
        let (one, two) = (Cond::TRUE, Cond::FALSE);
        let longer = Path::new().with(one);
        let mut all = Excluded::default();
        assert!(!all.has(&Path::new(), one));
        all.add(&Path::new(), one);
        all.add(&longer, two);
        assert!(all.has(&Path::new(), one) && all.has(&longer, two));
        assert!(!all.has(&Path::new(), two) && !all.has(&longer, one) && !all.has(&longer.with(one), two));
    }
}
