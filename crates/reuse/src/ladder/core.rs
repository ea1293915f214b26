//! Cores: a query that contains one is unsatisfiable, and fresh ones are kept for later queries. The index is
//! in `crates/reuse/src/cores.rs`.
//!
//! Constraints are compared as they were asked, split at their surface and before propagation: what
//! propagation makes of a constraint depends on the others. Objectives and soft constraints do not matter to
//! an unsat.
//!
//! This is for queries that are solved as a whole, such as scripts. Parts that are solved one by one come
//! with a core from their solver, and are found by it one rung earlier
//! (`crates/reuse/src/ladder/implied.rs`).

use crate::answer::Core;
use crate::cores::CoreIndex;
use crate::engine::{Cores, Engine, Known, Options, Part, Refutation, Reuse};
use crate::event::Event;
use crate::ladder::Rung;
use crate::stats::Stage;
use evergreen_canon::{Aside, Table, split_into};
use evergreen_store::Store;
use evergreen_term::{TermId, Terms};
use rustc_hash::FxHashSet;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Who is said to have solved what a core answers.
const BY: &str = "evergreen";

/// The index of cores in front of a store, if the options ask for one.
pub(crate) fn index_of(options: &Options, store: Option<&Arc<dyn Store>>) -> Option<CoreIndex> {
    let wanted = options.reuse >= Reuse::Full && options.cores >= Cores::LookUp;
    let store = store.filter(|_| wanted)?;
    Some(CoreIndex::new(store.clone(), &options.namespace, options.trust))
}

impl Engine {
    /// Whether cores of fresh unsat answers are worth asking for.
    pub fn finds_cores(&self) -> bool {
        self.cores.is_some() && self.options.cores >= Cores::Auto
    }

    /// Remembers what is being asked, for cores.
    pub(crate) fn note_asked(&mut self, tables: &[Rc<Table>], pieces: &[TermId]) {
        if self.cores.is_some() {
            self.asked.clear();
            tables.iter().for_each(|table| self.asked.extend_from_slice(&table.constraints));
            self.asked.extend_from_slice(pieces);
        }
    }

    /// A recorded core that the query contains, as constraints of the query. Recorded under the key of the
    /// part that it decides, so that the next time the exact rung answers.
    pub(super) fn core(&mut self, terms: &mut Terms, missing: &[Part], _: &[Aside]) -> Option<Known> {
        let index = self.cores.as_mut()?;
        let start = Instant::now();
        let canonizer = &mut self.canonizer;
        let keys: Vec<u128> = self.asked.iter().map(|&c| canonizer.named_key(terms, c)).collect();
        let found = index.find(&keys);
        self.stats.distrusted += std::mem::take(&mut index.distrusted);
        self.stats.add(Stage::LookUp, start.elapsed());
        let found = found?;
        self.hit(Rung::Core);
        self.note_entry(found.key);
        self.stats.saved += found.saved;
        self.log(|| Event::Reused { rung: Rung::Core, key: found.key, sat: false });
        let members: FxHashSet<u128> = found.members.iter().copied().collect();
        let named = self.asked.iter().zip(&keys).filter(|(_, key)| members.contains(key));
        let core = Core::new(named.map(|(&constraint, _)| constraint).collect())?;
        // Every other part is satisfiable, or has nothing but units in the core. What the core became in this
        // part is not looked at, so the part is recorded as a whole.
        if let [part] = self.touched(missing, &core)[..] {
            let micros = found.saved.as_micros() as u64;
            self.put_unsat(terms, part, &Refutation::whole(part), micros, BY);
            self.note_entry(part.canonical.key);
            self.note_refuted(part);
        }
        Some(Known::Unsat(Some(core)))
    }

    /// Keeps constraints of a query, whose constraints are given in the order of assertion, that are
    /// unsatisfiable together.
    pub fn learn_core(
        &mut self,
        terms: &mut Terms,
        constraints: &[TermId],
        core: &Core,
        took: Duration,
        by: &str,
    ) {
        let mut asked = Vec::with_capacity(constraints.len());
        constraints.iter().for_each(|&c| split_into(terms, c, &mut asked));
        self.note_asked(&[], &asked);
        let mut pieces = Vec::with_capacity(core.len());
        core.iter().for_each(|&c| split_into(terms, c, &mut pieces));
        self.record_core(terms, &pieces, took, by);
    }

    /// Puts a core of the current query into the index.
    pub(crate) fn record_core(&mut self, terms: &Terms, core: &[TermId], took: Duration, by: &str) {
        if !self.finds_cores() {
            return;
        }
        let Some(index) = self.cores.as_mut() else { return };
        let start = Instant::now();
        let mut members: FxHashSet<TermId> = core.iter().copied().collect();
        let ordered: Vec<TermId> = self.asked.iter().copied().filter(|c| members.remove(c)).collect();
        // What is not one of the query's constraints would be missing from the core.
        if members.is_empty() {
            let canonizer = &mut self.canonizer;
            let keys: Vec<u128> = ordered.iter().map(|&c| canonizer.named_key(terms, c)).collect();
            if let Some(key) = index.add(&keys, took, by) {
                self.stats.cores += 1;
                self.log(|| Event::Recorded { key, sat: false });
            }
        }
        self.stats.add(Stage::Record, start.elapsed());
    }
}
