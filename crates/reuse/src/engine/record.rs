//! Record: put what was found under the key of each part that it decides. Never an unknown, never a model
//! that does not hold.

use super::refutation::{Refutation, Why};
use super::{Engine, Found, Part, Reuse};
use crate::answer::{Core, Verdict};
use crate::backend::{Backend, Solved};
use crate::event::Event;
use crate::ladder::Index;
use crate::record::{Record, RecordedVerdict};
use crate::stats::Stage;
use crate::translate;
use evergreen_canon::Aside;
use evergreen_store::Key;
use evergreen_term::{TermId, Terms};
use rustc_hash::FxHashSet;
use std::time::{Duration, Instant};

impl Engine {
    /// Puts an answer that was found in another way into the store, for every part that it decides. A core is
    /// one of the query's constraints.
    pub fn learn(
        &mut self,
        terms: &mut Terms,
        constraints: &[TermId],
        asides: &[Aside],
        solved: &Solved,
        backend: &mut dyn Backend,
    ) {
        let sliced = self.slice(terms, constraints, asides);
        let parts: Vec<Part> = sliced
            .iter()
            .map(|c| self.canonize(terms, c.to_vec(), asides))
            .filter(|p| p.canonical.verdict != Some(true))
            .collect();
        if parts.iter().any(|p| p.canonical.verdict == Some(false)) {
            // That one is the reason, and needs no record; nothing is said about the others.
            return;
        }
        match solved.verdict {
            Verdict::Unknown(_) => {}
            Verdict::Sat => {
                for part in &parts {
                    let solved = self.as_long_as_before(part, solved);
                    self.record_sat(terms, part, &solved, backend.name(), 1);
                }
            }
            Verdict::Unsat => {
                // Of several parts only the one that the core names is known to be unsatisfiable.
                let named: Vec<&Part> = match &solved.core {
                    Some(core) => self.touched(&parts, core),
                    None => parts.iter().collect(),
                };
                if let [part] = named[..] {
                    let solved = self.as_long_as_before(part, solved);
                    self.record_unsat(terms, part, &solved, Why::of_query(solved.core.as_ref()), backend);
                }
            }
        }
    }

    /// The parts that a core of the query has constraints of.
    pub(crate) fn touched<'p>(&self, parts: &'p [Part], core: &Core) -> Vec<&'p Part> {
        let core: FxHashSet<TermId> = core.iter().copied().collect();
        let touched = |p: &&Part| p.constraints.iter().any(|&c| self.origins.is_in(&core, c));
        parts.iter().filter(touched).collect()
    }

    /// What is learned later took no longer: the time to solve is that of the record that it replaces.
    pub(crate) fn as_long_as_before(&mut self, part: &Part, solved: &Solved) -> Solved {
        let before = self
            .fetch(&part.canonical.key)
            .and_then(|found| found.record())
            .map_or(0, |record| record.micros);
        let elapsed = solved.elapsed.max(Duration::from_micros(before));
        Solved { elapsed, ..solved.clone() }
    }

    pub(crate) fn record_sat(
        &mut self,
        terms: &Terms,
        part: &Part,
        solved: &Solved,
        by: &str,
        shares: usize,
    ) {
        let mut values = None;
        if let Some(model) = &solved.model {
            if self.holds(terms, model, &part.constraints) == Some(false) {
                // Either the solver or our evaluation is wrong: nothing to build knowledge on.
                self.stats.contradicted += 1;
                return;
            }
            values = translate::to_leaves(terms, model, &part.canonical.leaves, &part.canonical.tables);
        }
        if let Some(values) = values.as_ref().filter(|_| self.options.reuse == Reuse::Full) {
            self.remember(terms, part, values);
        }
        if let Some(model) = solved.model.as_ref().filter(|_| self.relates(solved)) {
            self.relate(terms, part, &Found::Sat(model.clone()), Index::All);
        }
        let micros = solved.elapsed.as_micros() as u64 / shares.max(1) as u64;
        self.record(part, RecordedVerdict::Sat(values), micros, solved.recordable, by);
    }

    /// Records that a part is unsatisfiable, with why as far as that is shown.
    pub(crate) fn record_unsat(
        &mut self,
        terms: &mut Terms,
        part: &Part,
        solved: &Solved,
        why: Why<'_>,
        backend: &mut dyn Backend,
    ) {
        if self.store.is_none() || !solved.recordable {
            return;
        }
        let Ok(refutation) = self.refute(terms, part, why, backend) else {
            // Either the solver or the native core is wrong: nothing to build knowledge on.
            self.stats.contradicted += 1;
            return;
        };
        if self.relates(solved) {
            self.relate(terms, part, &Found::Unsat(refutation.clone()), Index::All);
        }
        self.put_unsat(terms, part, &refutation, solved.elapsed.as_micros() as u64, backend.name());
    }

    /// Puts the record of an unsatisfiable part.
    pub(crate) fn put_unsat(
        &mut self,
        terms: &Terms,
        part: &Part,
        refutation: &Refutation,
        micros: u64,
        by: &str,
    ) {
        let core = self.core_positions(terms, part, refutation);
        let certificate = refutation.certificate().map(<[u8]>::to_vec);
        self.record(part, RecordedVerdict::Unsat { core, certificate }, micros, true, by);
    }

    fn relates(&self, solved: &Solved) -> bool {
        (self.logic.is_some() || self.strict.is_some()) && solved.recordable
    }

    pub(crate) fn record(
        &mut self,
        part: &Part,
        verdict: RecordedVerdict,
        micros: u64,
        recordable: bool,
        by: &str,
    ) {
        let Some(store) = self.store.clone().filter(|_| recordable) else { return };
        let start = Instant::now();
        let record = Record { verdict, micros, solver: by.to_string() };
        let key = part.canonical.key;
        if store.put(&Key(key), &record.encode()).is_ok() {
            self.stats.recorded += 1;
            self.log(|| Event::Recorded { key, sat: record.is_sat() });
        }
        self.stats.add(Stage::Record, start.elapsed());
    }
}
