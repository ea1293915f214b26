//! Look up implied: a recorded satisfiable set that implies the part, or a recorded unsatisfiable one that it implies.
//!
//! [Cadar OSDI'08] looks for supersets and subsets of the same constraints, [Jia ISSTA'15] for sets that are related by
//! implication between constraints. Both know a set only under the names it was asked with; see [`crate::logic`].

use super::refutation::Refutation;
use super::{Engine, Found, Options, Part, Reuse};
use crate::logic::{Logic, Naming, Related, Relating, Set, StoreShelf, decode_payload, encode_payload};
use crate::translate;
use evergreen_canon::Leaf;
use evergreen_store::{Key, Store};
use evergreen_term::{Model, Terms};
use evergreen_trie::{Budget, MOST_REFUTED};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

/// Likely models that are taken from the index.
const CANDIDATES: usize = 4;

/// Why a stored model could be one of a part.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ground {
    /// The set that it belongs to implies the part.
    Implied,
    /// It belongs to something similar.
    Guess,
}

/// The index of a level of reuse, in front of a store.
pub(super) fn logic_of(options: &Options, store: Option<&Arc<dyn Store>>) -> Option<Logic> {
    let relating = match options.reuse {
        Reuse::None | Reuse::Exact => return None,
        Reuse::Subset => Relating::Equality,
        Reuse::Logical | Reuse::Full => Relating::Implication,
    };
    let shelf = store.map(|store| shelf_of(options, store));
    // The papers' own search leaves nothing out, and is compared as such; ours gives up where going on would cost more than
    // it finds.
    let as_in_the_papers = options.reuse != Reuse::Full && !options.regulate;
    let budget = if as_in_the_papers { Budget::UNLIMITED } else { Budget::default() };
    Some(Logic::new(relating, shelf, budget))
}

/// Where the sets of a store lie.
fn shelf_of(options: &Options, store: &Arc<dyn Store>) -> StoreShelf {
    let namespace = evergreen_canon::digest(options.namespace.as_bytes());
    let mask = u128::from_le_bytes(namespace[..16].try_into().expect("a digest has 32 bytes"));
    StoreShelf {
        store: store.clone(),
        mask,
        trust: options.trust,
        distrusted: Arc::default(),
        foreign: Arc::default(),
        put: AtomicU64::new(0),
    }
}

impl Engine {
    /// The ways of naming a part that are used, the more promising one first.
    fn namings(&self) -> &'static [Naming] {
        match self.options.reuse {
            Reuse::Full => &[Naming::Own, Naming::Numbers],
            // One way per part, as in the papers.
            _ => &[Naming::Numbers],
        }
    }

    /// The entries of the store with unsatisfiable sets that share a form with a part.
    pub(super) fn unsat_sets_near(&mut self, terms: &Terms, part: &Part) -> Vec<Key> {
        let sets = self.sets(terms, part);
        let Some(shelf) = self.store.as_ref().map(|store| shelf_of(&self.options, store)) else {
            return Vec::new();
        };
        sets.iter().flat_map(|(_, set)| shelf.unsat_sets(set)).collect()
    }

    fn sets(&mut self, terms: &Terms, part: &Part) -> Vec<(Naming, Set)> {
        let namings = self.namings();
        let Some(logic) = &mut self.logic else { return Vec::new() };
        let leaves = &part.canonical.leaves;
        let mut sets = Vec::with_capacity(2);
        for &naming in namings {
            let set = logic.set(terms, &mut self.canonizer, &part.constraints, leaves, naming);
            sets.extend(set.map(|set| (naming, set)));
        }
        if sets.is_empty() {
            let set = logic.set(terms, &mut self.canonizer, &part.constraints, leaves, Naming::Own);
            sets.extend(set.map(|set| (Naming::Own, set)));
        }
        sets
    }

    /// Looks a part up by logic. Also says under which names it was found, if it was.
    pub(super) fn implied(&mut self, terms: &mut Terms, part: &Part) -> Option<(Found, Naming)> {
        for (naming, set) in self.sets(terms, part) {
            let related = self.logic.as_mut()?.find(&set);
            match related {
                None => {}
                Some(Related::Unsat(core)) => {
                    return Some((Found::Unsat(Refutation::by_sets(part, core)), naming));
                }
                Some(Related::Sat(payload)) => {
                    match self.model_from(terms, part, &set, &payload, Ground::Implied) {
                        Some(model) => return Some((Found::Sat(model), naming)),
                        None => self.stats.rejected += 1,
                    }
                }
            }
        }
        None
    }

    /// Looks for several unsatisfiable sets that refute a part together. Only under its own names: that is where paths of a program and of its
    /// next version share constraints.
    pub(super) fn derived(&mut self, terms: &Terms, part: &Part) -> Option<Found> {
        // Longer sets are not looked at, and building them costs.
        if part.constraints.len() > MOST_REFUTED {
            return None;
        }
        let leaves = &part.canonical.leaves;
        let logic = self.logic.as_mut()?;
        let set = logic.set(terms, &mut self.canonizer, &part.constraints, leaves, Naming::Own)?;
        let core = logic.refute(&set)?;
        Some(Found::Unsat(Refutation::by_sets(part, core)))
    }

    /// Tries models of sets that have much in common with the part.
    pub(super) fn likely(&mut self, terms: &mut Terms, part: &Part) -> Option<Found> {
        for (_, set) in self.sets(terms, part) {
            for payload in self.logic.as_mut()?.candidates(&set, CANDIDATES) {
                if let Some(model) = self.model_from(terms, part, &set, &payload, Ground::Guess) {
                    return Some(Found::Sat(model));
                }
            }
        }
        None
    }

    /// A stored model as one of the part, if it is one.
    fn model_from(
        &mut self,
        terms: &mut Terms,
        part: &Part,
        set: &Set,
        payload: &[u8],
        ground: Ground,
    ) -> Option<Model> {
        let values = decode_payload(payload);
        let leaves: Vec<Leaf> = set.leaves.iter().map(|l| l.1).collect();
        let value = |i: usize| values.iter().find(|(k, _)| *k == set.leaves[i].0).map(|(_, v)| *v);
        let model = translate::from_some(terms, &leaves, value)?;
        // Not checked: then logic has to do, if nobody else had a hand in it and no value is a guess. The other set may
        // have a whole array where the part has cells.
        let complete = (0..leaves.len()).all(|i| value(i).is_some());
        let foreign = self.is_exposed() || self.logic.as_ref().is_some_and(Logic::has_foreign);
        let unchecked = ground == Ground::Implied && complete && !self.options.check && !foreign;
        let holds = unchecked || self.evaluate(terms, &model, &part.constraints) == Some(true);
        holds.then_some(model)
    }

    /// Makes an answered part known to the index, under every naming but the one it was found by.
    pub(super) fn relate(&mut self, terms: &Terms, part: &Part, found: &Found, by: Option<Naming>) {
        for (naming, set) in self.sets(terms, part) {
            if by == Some(naming) {
                continue;
            }
            match found {
                Found::Unsat(refutation) => {
                    if let Some(logic) = &mut self.logic {
                        logic.insert_unsat(&set, refutation.places());
                    }
                }
                Found::Sat(model) => {
                    let leaves: Vec<Leaf> = set.leaves.iter().map(|l| l.1).collect();
                    let Some(values) = translate::to_leaves(terms, model, &leaves) else { continue };
                    let pairs = set.leaves.iter().zip(&values).filter(|(_, v)| !v.is_empty());
                    let payload = encode_payload(pairs.map(|(l, v)| (l.0, &v[..])));
                    if let Some(logic) = &mut self.logic {
                        logic.insert_sat(&set, payload);
                    }
                }
            }
        }
    }
}
