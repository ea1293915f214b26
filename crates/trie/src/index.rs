//! The interface of an index of answered sets, whether it finds by implication
//! (L-Trie) or by equality (UBTree).

use crate::atom::{Atom, PrefixKey};
use crate::definitions::Term;
use std::sync::Arc;

/// The data kept with a set: a model, a certificate. Only the caller knows what the bytes mean.
pub type Payload = Arc<[u8]>;

/// How much one look-up may cost, in steps: places of the index that are looked at. Steps are counted, not
/// timed, so that the same look-up ends at the same place on every machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget(pub u32);

impl Budget {
    /// Nothing is cut off.
    pub const UNLIMITED: Budget = Budget(u32::MAX);
}

impl Default for Budget {
    /// Enough for nearly every search that finds something (`evergreen-lab bench growth`
    /// shows how many are cut off).
    fn default() -> Budget {
        Budget(1_000)
    }
}

/// A stored set that answers a query. (The payload may name the set; reading the set back would
/// cost more than finding it.)
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hit {
    /// Its payload.
    pub payload: Payload,
    /// For an unsatisfiable set: the places of the query's atoms that imply it, ascending; a core of
    /// the query. Otherwise empty.
    pub used: Vec<u32>,
}

/// The outcome of a look-up.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Found {
    /// The hit, if any.
    pub hit: Option<Hit>,
    /// The steps used.
    pub steps: u32,
    /// The budget ran out before everything was seen: another set may have fitted.
    pub cut_off: bool,
}

/// The refutation of a query by stored unsatisfiable sets together.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Refuted {
    /// The places of the query's atoms that they refute, ascending: a core of the query.
    pub used: Option<Vec<u32>>,
    /// The steps used.
    pub steps: u32,
    /// The prefixes of the derived facts.
    pub learned: Vec<PrefixKey>,
}

/// The outcome of storing a set: the storing rules [Jia ISSTA'15, 5].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stored {
    /// A new path: rule (c).
    Added,
    /// Satisfiable: a stored set that this one begins with was continued, rule (a).
    Extended,
    /// Unsatisfiable: it replaced longer sets that begin with it, rule (b).
    Shortened,
    /// Nothing to do: a stored set is as informative (or the set is empty, or the index is full).
    Ignored,
}

impl Stored {
    /// Does the index answer more than before?
    pub fn changed(self) -> bool {
        self != Stored::Ignored
    }
}

/// How much an index holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Sizes {
    /// Satisfiable sets.
    pub sat: usize,
    /// Unsatisfiable sets.
    pub unsat: usize,
    /// Nodes of both tries.
    pub nodes: usize,
}

/// Answered sets, and the ways to find one that answers a query.
///
/// Sets are expected reduced ([`crate::reduce()`]); others are stored and looked up soundly but match less.
pub trait Index {
    /// Makes the terms of a prefix known (see [`crate::Definitions`]); false if nothing changed.
    fn define(&mut self, prefix: PrefixKey, terms: &[Term]) -> bool;
    /// Stores a satisfiable set.
    fn insert_sat(&mut self, set: &[Atom], payload: Payload) -> Stored;
    /// Stores an unsatisfiable set, best a small core.
    fn insert_unsat(&mut self, core: &[Atom], payload: Payload) -> Stored;
    /// A stored satisfiable set that implies every atom of `set`.
    fn find_sat(&mut self, set: &[Atom], budget: Budget) -> Found;
    /// A stored unsatisfiable set every atom of which is implied by `set`.
    fn find_unsat(&mut self, set: &[Atom], budget: Budget) -> Found;
    /// Whether several stored unsatisfiable sets refute `set` together. An index need not support this.
    fn refute(&mut self, set: &[Atom], budget: Budget) -> Refuted {
        let _ = (set, budget);
        Refuted::default()
    }
    /// Payloads of satisfiable sets that have much in common with `set`: likely models, the likeliest first.
    fn candidates(&mut self, set: &[Atom], limit: usize) -> Vec<Payload>;
    /// How much it holds.
    fn sizes(&self) -> Sizes;
}

/// Counts the steps of one look-up.
pub(crate) struct Meter {
    pub steps: u32,
    limit: u32,
}

impl Meter {
    pub(crate) fn new(budget: Budget) -> Meter {
        Meter { steps: 0, limit: budget.0 }
    }

    /// One more step; false if the budget is used up.
    #[inline]
    pub(crate) fn step(&mut self) -> bool {
        if self.steps >= self.limit {
            return false;
        }
        self.steps += 1;
        true
    }

    /// A second pass, which seldom finds something, may use one thirty-second of the remaining steps.
    pub(crate) fn tighten(&mut self) {
        if self.limit != u32::MAX {
            self.limit = self.steps + (self.limit - self.steps) / 32;
        }
    }

    pub(crate) fn spent(&self) -> bool {
        self.steps >= self.limit
    }
}
