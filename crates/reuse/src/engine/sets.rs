//! The index of answered sets, between the engine and [`crate::logic`]: which sets a part is, and their
//! models.
//!
//! The rungs *satisfied*, *implied* and *derived* search the index; every answer is put into it.

use super::{Engine, Found, Options, Part, Reuse};
use crate::ladder::Index;
use crate::logic::{Logic, Naming, Relating, Set, StoreShelf, decode_payload, encode_payload};
use crate::strict::StrictSet;
use crate::translate;
use evergreen_canon::Leaf;
use evergreen_store::{Key, Store};
use evergreen_term::{Model, Terms, Traits};
use evergreen_trie::{Budget, Payload};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

/// The most constraints of a part that is known to the index, if some are quantified and cores are found.
const MOST_QUANTIFIED: usize = 64;

/// Why a stored model could be one of a part.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ground {
    /// The set that it belongs to implies the part.
    Implied,
    /// It belongs to something similar.
    Guess,
}

/// The index of a level of reuse, in front of a store.
pub(crate) fn logic_of(options: &Options, store: Option<&Arc<dyn Store>>) -> Option<Logic> {
    let relating = match options.reuse {
        _ if options.strict.is_some() => return None,
        Reuse::None | Reuse::Exact => return None,
        Reuse::Subset => Relating::Equality,
        Reuse::Logical | Reuse::Full => Relating::Implication,
    };
    let shelf = store.map(|store| shelf_of(options, store));
    // The papers' own search leaves nothing out, and is compared as such; ours gives up where going on would
    // cost more than it finds.
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
    pub(crate) fn unsat_sets_near(&mut self, terms: &Terms, part: &Part) -> Vec<Key> {
        if let Some(strict) = &self.strict {
            return strict.unsat_entries();
        }
        let sets = self.sets(terms, part);
        let Some(shelf) = self.store.as_ref().map(|store| shelf_of(&self.options, store)) else {
            return Vec::new();
        };
        sets.iter().flat_map(|(_, set)| shelf.unsat_sets(set)).collect()
    }

    pub(crate) fn sets(&mut self, terms: &Terms, part: &Part) -> Vec<(Naming, Set)> {
        if self.is_left_to_cores(terms, part) {
            return Vec::new();
        }
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

    /// Whether only the cores of scripts say something of a part: a verification condition with hundreds of
    /// axioms. Its set would be found in larger sets alone, where its core is found too, and looking for each
    /// of its constraints in the store costs more than a tenth of our own time on it.
    fn is_left_to_cores(&self, terms: &Terms, part: &Part) -> bool {
        self.options.reuse == Reuse::Full
            && self.finds_cores()
            && part.constraints.len() > MOST_QUANTIFIED
            && part.constraints.iter().any(|&c| terms.traits(c).has(Traits::QUANTIFIED))
    }

    /// A stored model as one of the part, if it is one.
    pub(crate) fn model_from(
        &mut self,
        terms: &mut Terms,
        part: &Part,
        named: &[(u128, Leaf)],
        payload: &[u8],
        ground: Ground,
    ) -> Option<Model> {
        let values = decode_payload(payload);
        let leaves: Vec<Leaf> = named.iter().map(|l| l.1).collect();
        let value = |i: usize| values.iter().find(|(k, _)| *k == named[i].0).map(|(_, v)| *v);
        let model = translate::from_some(terms, &leaves, &part.canonical.tables, value)?;
        // Not checked: then the implication has to suffice, if no set is of foreign origin and no value is a
        // guess. The other set may have a whole array where the part has cells.
        let complete = (0..leaves.len()).all(|i| value(i).is_some());
        let foreign = self.is_exposed() || self.logic.as_ref().is_some_and(Logic::has_foreign);
        let unchecked = ground == Ground::Implied && complete && !self.options.check && !foreign;
        let holds = unchecked || self.evaluate(terms, &model, &part.constraints) == Some(true);
        holds.then_some(model)
    }

    /// Makes an answered part known to the index.
    pub(crate) fn relate(&mut self, terms: &Terms, part: &Part, found: &Found, index: Index) {
        if index == Index::None {
            return;
        }
        if self.options.strict.is_some() {
            // Only what was solved, as in the papers.
            if index == Index::All {
                self.relate_strictly(terms, part, found);
            }
            return;
        }
        for (naming, set) in self.sets(terms, part) {
            if index == Index::AllBut(naming) {
                continue;
            }
            match found {
                Found::Unsat(refutation) => {
                    if let Some(logic) = &mut self.logic {
                        logic.insert_unsat(&set, refutation.places());
                    }
                }
                Found::Sat(model) => {
                    let Some(payload) = payload_of(terms, model, &set.leaves) else { continue };
                    if let Some(logic) = &mut self.logic {
                        logic.insert_sat(&set, payload);
                    }
                }
            }
        }
    }

    /// Makes a part that a solver answered known to the index of a strict technique, all of it.
    fn relate_strictly(&mut self, terms: &Terms, part: &Part, found: &Found) {
        let (Some(technique), Some(sets)) = (self.options.strict, &mut self.strict) else { return };
        let Some(set) = StrictSet::new(technique, terms, &part.constraints) else { return };
        match found {
            Found::Unsat(_) => sets.insert(&set, None),
            Found::Sat(model) => {
                if let Some(payload) = payload_of(terms, model, &set.leaves) {
                    sets.insert(&set, Some(payload));
                }
            }
        }
    }
}

/// The values of a model, by the identities of what they are values of.
fn payload_of(terms: &Terms, model: &Model, named: &[(u128, Leaf)]) -> Option<Payload> {
    let leaves: Vec<Leaf> = named.iter().map(|l| l.1).collect();
    // With the cells of tables: the set may imply another that has reads of them and no table.
    let values = translate::to_leaves(terms, model, &leaves, &[])?;
    let pairs = named.iter().zip(&values).filter(|(_, v)| !v.is_empty());
    Some(encode_payload(pairs.map(|(l, v)| (l.0, &v[..]))))
}
