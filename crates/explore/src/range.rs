//! A part of the paths: from one place in their order to another.
//!
//! Depth first, paths come in the order of their positions (see [`crate::Trail::position`]), so two of them
//! bound a part of the tree [Siddiqui OOPSLA'12]. An end is a position or a seed: a test whose inputs
//! determine its path. While an open state is on the path of an end, the explorer excludes arms on the wrong
//! side of it without asking the oracle; everywhere else a range costs nothing. The states remember whether
//! they are on an end's path, so ranges work under every order.
//!
//! Invariant: `..a`, `a..b`, `b..` together have each path of the whole exactly once, whatever `a <= b` are.
//! An end need not be the position of a path: it may be the beginning of many, or lie between two. A seed
//! that takes no arm of a choice ends there: everything below comes after it.

use std::fmt;

/// An end of a range.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Limit {
    /// A place in the order of positions: the first position with this prefix.
    Position(Vec<u32>),
    /// The path that a seed takes, by its number.
    Seed(usize),
}

/// Paths from one place in their order to another. An end that is missing does not limit.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Range {
    /// The first path that belongs to it.
    pub from: Option<Limit>,
    /// The first path that belongs to it no more.
    pub to: Option<Limit>,
}

/// A range that begins or ends with a seed that takes no path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RangeError {
    /// The number of the seed.
    pub seed: usize,
}

impl fmt::Display for RangeError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "seed {} bounds the range, and it takes no path", self.seed)
    }
}

impl std::error::Error for RangeError {}

/// Of which ends of the range a state is on the path.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Edges {
    pub(crate) low: bool,
    pub(crate) high: bool,
}

impl Edges {
    pub(crate) fn any(self) -> bool {
        self.low || self.high
    }
}

/// The arm that an end of the range takes at a branch.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Way {
    /// The state is not on its path.
    Elsewhere,
    /// Along this arm; `last` says that a position ends with it.
    Arm { at: usize, last: bool },
    /// Nowhere: it ends before the branch.
    Ended,
}

/// The arms of one branch that a range admits.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Ways {
    low: Way,
    high: Way,
}

impl Ways {
    /// Not on the path of an end: nothing.
    pub(crate) const FREE: Ways = Ways { low: Way::Elsewhere, high: Way::Elsewhere };

    /// Whether an arm is outside the range as a whole.
    pub(crate) fn leave_out(&self, arm: usize) -> bool {
        let before = matches!(self.low, Way::Arm { at, .. } if arm < at);
        let after = match self.high {
            Way::Arm { at, last } => arm > at || (arm == at && last),
            Way::Ended => true,
            Way::Elsewhere => false,
        };
        before || after
    }

    /// Of which ends a state that takes an arm is still on the path.
    pub(crate) fn edges(&self, arm: usize) -> Edges {
        let on = |way| matches!(way, Way::Arm { at, last: false } if at == arm);
        Edges { low: on(self.low), high: on(self.high) }
    }
}

impl Range {
    /// Whether every path belongs to it.
    pub(crate) fn is_everything(&self) -> bool {
        self.from.is_none() && self.to.is_none()
    }

    /// The edges of the first state; `None` if nothing at all is in the range.
    pub(crate) fn start(&self) -> Option<Edges> {
        let is_first = |limit: &Limit| matches!(limit, Limit::Position(position) if position.is_empty());
        if self.to.as_ref().is_some_and(is_first) {
            return None;
        }
        let low = self.from.as_ref().is_some_and(|limit| !is_first(limit));
        Some(Edges { low, high: self.to.is_some() })
    }

    /// The numbers of the seeds that bound it.
    pub(crate) fn seeds(&self) -> impl Iterator<Item = usize> {
        [&self.from, &self.to].into_iter().filter_map(|limit| match limit {
            Some(Limit::Seed(number)) => Some(*number),
            _ => None,
        })
    }

    /// Which arms the range admits at a branch after `depth` others; `seed` returns
    /// the arm that a seed takes.
    pub(crate) fn ways(&self, edges: Edges, depth: usize, seed: impl Fn(usize) -> Option<usize>) -> Ways {
        let way = |on: bool, limit: &Option<Limit>| match limit {
            Some(limit) if on => match limit {
                Limit::Position(position) => position.get(depth).map_or(Way::Ended, |&at| Way::Arm {
                    at: at as usize,
                    last: depth + 1 == position.len(),
                }),
                Limit::Seed(number) => seed(*number).map_or(Way::Ended, |at| Way::Arm { at, last: false }),
            },
            _ => Way::Elsewhere,
        };
        Ways { low: way(edges.low, &self.from), high: way(edges.high, &self.to) }
    }

    /// Whether a path that ends on these edges belongs to it.
    ///
    /// A path that ends before a position does comes before it; one that a seed takes is the seed's.
    pub(crate) fn has_end(&self, edges: Edges) -> bool {
        let before = edges.low && matches!(self.from, Some(Limit::Position(_)));
        let after = edges.high && matches!(self.to, Some(Limit::Seed(_)));
        !before && !after
    }
}
