//! Cores: a query that contains one is unsatisfiable, and fresh ones are kept for later queries. The index is in
//! `crates/reuse/src/cores.rs`.
//!
//! Constraints are compared as they were asked, split at their surface and before propagation: what propagation makes of a
//! constraint depends on the others. Objectives and soft constraints do not matter to an unsat.

use super::{Cores, Engine};
use crate::answer::Core;
use crate::event::{Event, Rung};
use crate::stats::Stage;
use evergreen_canon::split_into;
use evergreen_term::{TermId, Terms};
use rustc_hash::FxHashSet;
use std::time::{Duration, Instant};

impl Engine {
    /// Whether cores of fresh unsat answers are worth asking for.
    pub fn finds_cores(&self) -> bool {
        self.cores.is_some() && self.options.cores == Cores::Find
    }

    /// Remembers what is being asked, for cores.
    pub(super) fn note_asked(&mut self, pieces: &[TermId]) {
        if self.cores.is_some() {
            self.asked.clear();
            self.asked.extend_from_slice(pieces);
        }
    }

    /// A recorded core that the query contains, as constraints of the query.
    pub(super) fn look_up_core(&mut self, terms: &Terms) -> Option<Core> {
        let index = self.cores.as_mut()?;
        let start = Instant::now();
        let canonizer = &mut self.canonizer;
        let keys: Vec<u128> = self.asked.iter().map(|&c| canonizer.named_key(terms, c)).collect();
        let found = index.find(&keys);
        let took = start.elapsed();
        self.stats.add(Stage::LookUp, took);
        self.stats.tried(Rung::Core, took);
        let found = found?;
        self.stats.hit(Rung::Core);
        self.stats.saved += found.saved;
        self.log(|| Event::Reused { rung: Rung::Core, key: found.key, sat: false });
        let members: FxHashSet<u128> = found.members.iter().copied().collect();
        let named = self.asked.iter().zip(&keys).filter(|(_, key)| members.contains(key));
        Some(named.map(|(&constraint, _)| constraint).collect())
    }

    /// Keeps constraints of a query, whose constraints are given in the order of assertion, that are unsatisfiable
    /// together.
    pub fn learn_core(
        &mut self,
        terms: &mut Terms,
        constraints: &[TermId],
        core: &[TermId],
        took: Duration,
        by: &str,
    ) {
        let mut asked = Vec::with_capacity(constraints.len());
        constraints.iter().for_each(|&c| split_into(terms, c, &mut asked));
        self.note_asked(&asked);
        let mut pieces = Vec::with_capacity(core.len());
        core.iter().for_each(|&c| split_into(terms, c, &mut pieces));
        self.record_core(terms, &pieces, took, by);
    }

    /// Puts a core of the current query into the index.
    pub(super) fn record_core(&mut self, terms: &Terms, core: &[TermId], took: Duration, by: &str) {
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
