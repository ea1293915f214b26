//! Record: put what was found under the key of each part that it decides. Never an unknown, never a model that does not
//! hold.

use super::verify::Certified;
use super::{Engine, Found, Part, Reuse};
use crate::answer::Verdict;
use crate::backend::Solved;
use crate::event::Event;
use crate::record::{Record, RecordedVerdict};
use crate::stats::Stage;
use crate::translate;
use evergreen_canon::Aside;
use evergreen_store::Key;
use evergreen_term::{TermId, Terms};
use rustc_hash::FxHashSet;
use std::time::{Duration, Instant};

impl Engine {
    /// Puts an answer that was found in another way into the store, for every part that it decides.
    pub fn learn(
        &mut self,
        terms: &mut Terms,
        constraints: &[TermId],
        asides: &[Aside],
        solved: &Solved,
        by: &str,
    ) {
        let parts: Vec<Part> = self
            .slice(terms, constraints, asides)
            .into_iter()
            .map(|c| self.canonize(terms, c, asides))
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
                    self.record_sat(terms, part, &solved, by, 1);
                }
            }
            Verdict::Unsat => {
                let core: FxHashSet<TermId> = solved.core.iter().flatten().copied().collect();
                let touched = |p: &&Part| p.constraints.iter().any(|&c| self.origins.is_in(&core, c));
                let named: Vec<&Part> = parts.iter().filter(touched).collect();
                if let ([part], _) | ([], [part]) = (&named[..], &parts.iter().collect::<Vec<_>>()[..]) {
                    let solved = self.as_long_as_before(part, solved);
                    self.record_unsat(terms, part, &solved, by);
                }
            }
        }
    }

    /// What is learned later took no longer: the time to solve is that of the record that it replaces.
    pub(super) fn as_long_as_before(&mut self, part: &Part, solved: &Solved) -> Solved {
        let before = self.fetch(&part.canonical.key).map_or(0, |found| found.record.micros);
        let elapsed = solved.elapsed.max(Duration::from_micros(before));
        Solved { elapsed, ..solved.clone() }
    }

    pub(super) fn record_sat(
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
            values = translate::to_leaves(terms, model, &part.canonical.leaves);
        }
        if let Some(values) = values.as_ref().filter(|_| self.options.reuse == Reuse::Full) {
            self.remember(terms, part, values);
        }
        if let Some(model) = solved.model.as_ref().filter(|_| self.relates(solved)) {
            self.relate(terms, part, &Found::Sat(model.clone()), None);
        }
        let micros = solved.elapsed.as_micros() as u64 / shares.max(1) as u64;
        self.record(part, RecordedVerdict::Sat(values), micros, solved.recordable, by);
    }

    pub(super) fn record_unsat(&mut self, terms: &Terms, part: &Part, solved: &Solved, by: &str) {
        if self.store.is_none() || !solved.recordable {
            return;
        }
        let mut core = solved.core.clone().unwrap_or_default();
        let mut positions = self.core_positions(terms, part, &core);
        let mut certificate = None;
        let certified = match self.options.native || self.is_shared() {
            true => self.certify(terms, part),
            false => Certified::No,
        };
        match certified {
            Certified::No => {}
            Certified::Contradiction => {
                // Either the solver or the native core is wrong: nothing to build knowledge on.
                self.stats.contradicted += 1;
                return;
            }
            Certified::Proof { core: proved, certificate: proof } => {
                let place = |&i: &u32| part.constraints[part.canonical.constraints[i as usize] as usize];
                core = proved.iter().map(place).collect();
                (positions, certificate) = (Some(proved), Some(proof));
            }
        }
        if self.relates(solved) {
            self.relate(terms, part, &Found::Unsat(core), None);
        }
        let verdict = RecordedVerdict::Unsat { core: positions, certificate };
        let micros = solved.elapsed.as_micros() as u64;
        self.record(part, verdict, micros, solved.recordable, by);
    }

    fn relates(&self, solved: &Solved) -> bool {
        self.logic.is_some() && solved.recordable
    }

    /// The places of a core's constraints in the part's form: of all roots of each, whichever constraint the form has them
    /// from. A core that names nothing of the part says nothing about it, nor does one with something that the form lacks.
    pub(super) fn core_positions(&mut self, terms: &Terms, part: &Part, core: &[TermId]) -> Option<Vec<u32>> {
        let core: FxHashSet<TermId> = core.iter().copied().collect();
        let named: Vec<TermId> =
            part.constraints.iter().copied().filter(|&c| self.origins.is_in_share(terms, &core, c)).collect();
        let positions = self.canonizer.places(terms, &part.canonical, &named)?;
        (!positions.is_empty()).then_some(positions)
    }

    pub(super) fn record(
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
