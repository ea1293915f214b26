//! The conditions along a path, shared by all paths that begin alike.

use crate::Site;
use std::rc::Rc;

struct Node<C> {
    constraint: C,
    parent: Path<C>,
    depth: usize,
}

/// A path condition: a persistent list, the newest constraint first. Cloning is one reference count.
pub struct Path<C>(Option<Rc<Node<C>>>);

impl<C> Clone for Path<C> {
    fn clone(&self) -> Path<C> {
        Path(self.0.clone())
    }
}

impl<C> Default for Path<C> {
    fn default() -> Path<C> {
        Path(None)
    }
}

impl<C: Copy> Path<C> {
    /// The path of no conditions.
    pub fn new() -> Path<C> {
        Path(None)
    }

    /// This path, one constraint longer.
    pub fn with(&self, constraint: C) -> Path<C> {
        Path(Some(Rc::new(Node { constraint, parent: self.clone(), depth: self.depth() + 1 })))
    }

    /// How many constraints there are.
    pub fn depth(&self) -> usize {
        self.0.as_ref().map_or(0, |node| node.depth)
    }

    /// The newest constraint and the path before it.
    pub fn last(&self) -> Option<(C, &Path<C>)> {
        self.0.as_ref().map(|node| (node.constraint, &node.parent))
    }

    /// Whether both are the same path in memory: then they are equal, and no constraint is compared.
    pub fn is(&self, other: &Path<C>) -> bool {
        match (&self.0, &other.0) {
            (None, None) => true,
            (Some(a), Some(b)) => Rc::ptr_eq(a, b),
            _ => false,
        }
    }

    /// Where this path leaves another one, whose beginnings are given by length (`known[0]` has one
    /// constraint): how many constraints they share in memory, and this path's beginnings from there on,
    /// shortest first. Costs the part that is not shared.
    pub fn leaving<'p>(&'p self, known: &[Path<C>], rest: &mut Vec<&'p Path<C>>) -> usize {
        let mut here = self;
        while let Some((_, before)) = here.last() {
            let depth = here.depth();
            if known.get(depth - 1).is_some_and(|path| path.is(here)) {
                break;
            }
            rest.push(here);
            here = before;
        }
        rest.reverse();
        here.depth()
    }

    /// The constraints, oldest first.
    pub fn constraints(&self) -> Vec<C> {
        let mut all = Vec::with_capacity(self.depth());
        let mut here = self;
        while let Some((constraint, parent)) = here.last() {
            all.push(constraint);
            here = parent;
        }
        all.reverse();
        all
    }
}

// A long path must not be dropped by recursion.
impl<C> Drop for Path<C> {
    fn drop(&mut self) {
        let mut next = self.0.take();
        while let Some(node) = next {
            match Rc::try_unwrap(node) {
                Ok(mut node) => next = node.parent.0.take(),
                Err(_) => break,
            }
        }
    }
}

/// One arm that a path took.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Step {
    /// Where.
    pub site: Site,
    /// Which way.
    pub index: u32,
    /// How often the path has been there, with this time; 0 if that was not counted, see [`Trail::times`].
    pub times: u32,
    /// Which way among those that the machine offered, in its order.
    pub at: u32,
    /// Whether the path condition grew by it: not at a free choice, and not where no other way was feasible.
    pub grew: bool,
    /// Whether it grew by the values of the inputs in place of the condition of the arm, see
    /// [`crate::Sampling`].
    pub sampled: bool,
}

/// The arms that a path took, the newest first, including arms without a feasible sibling.
pub type Trail = Path<Step>;

impl Trail {
    /// Where the path is in the tree of all paths: which way it went at each branch, in the machine's order.
    /// Depth first, paths come in the order of their positions.
    pub fn position(&self) -> Vec<u32> {
        let mut ways = Vec::new();
        self.position_into(&mut ways);
        ways
    }

    /// The same, written over another one.
    pub fn position_into(&self, ways: &mut Vec<u32>) {
        ways.clear();
        ways.reserve(self.depth());
        let mut here = self;
        while let Some((step, before)) = here.last() {
            ways.push(step.at);
            here = before;
        }
        ways.reverse();
    }

    /// Whether inputs were fixed on the way, see [`crate::Sampling`].
    pub fn is_sampled(&self) -> bool {
        let mut here = self;
        while let Some((step, before)) = here.last() {
            if step.sampled {
                return true;
            }
            here = before;
        }
        false
    }

    /// How often the path has branched at a place. Costs the number of branches since it was last there, if
    /// they were counted: an exploration counts them only under a bound on them.
    pub fn times(&self, site: Site) -> u32 {
        let (mut here, mut since) = (self, 0);
        while let Some((step, before)) = here.last() {
            if step.site == site {
                if step.times > 0 {
                    return step.times + since;
                }
                since += 1;
            }
            here = before;
        }
        since
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leaving_finds_the_common_beginning() {
        let a = Path::new().with(1);
        let (ab, ac) = (a.with(2), a.with(3));
        let abd = ab.with(4);
        let known = [a.clone(), ab.clone(), abd.clone()];
        let rest = |path: &Path<i32>| {
            let mut rest = Vec::new();
            let shared = path.leaving(&known, &mut rest);
            (shared, rest.iter().map(|p| p.last().map_or(0, |(c, _)| c)).collect::<Vec<_>>())
        };
        assert_eq!(rest(&ac.with(5)), (1, vec![3, 5]));
        assert_eq!(rest(&abd.with(6)), (3, vec![6]));
        assert_eq!(rest(&ab), (2, vec![]));
        assert_eq!(rest(&Path::new().with(1)), (0, vec![1]), "equal, but another path");
        assert_eq!(rest(&Path::new()), (0, vec![]));
    }

    #[test]
    fn a_long_path_is_dropped_without_recursion() {
        let mut path = Path::new();
        (0..1_000_000).for_each(|i| path = path.with(i));
        assert_eq!((path.depth(), path.constraints().len()), (1_000_000, 1_000_000));
    }
}
