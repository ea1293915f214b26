//! Audit: a share of the reused answers is solved again, and compared.
//!
//! For users who begin to trust a store, and for those who inherited one. The whole query goes to the solver
//! as it was asked, so slicing, canonizing, propagation and every rung are under audit with the record. A
//! contradiction is an error in the store, in this program or in the solver; which one a person has to find
//! out. Until then the solver's answer is given, and what the reused answer was made of is removed from the
//! store: records by their keys, a named core by its entry, and all unsatisfiable sets that share a form with
//! a part that was answered as unsatisfiable. That may be more than the wrong one, and never less.
//!
//! With a rate of zero there is no [`Auditor`], and nothing is noted on the way of a query.

use super::{Engine, Part, sets};
use crate::answer::{Answer, Source, Verdict};
use crate::backend::{Backend, Task};
use crate::ladder::{Rung, index_of};
use crate::query::Query;
use crate::strict::StrictSets;
use evergreen_store::Key;
use evergreen_structures::Random;
use evergreen_term::{TermId, Terms};
use std::hash::{BuildHasher, Hasher};

/// A reused answer that the solver contradicts.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Contradiction {
    /// The query, as it was asked.
    pub constraints: Vec<TermId>,
    /// The verdict that was reused.
    pub reused: Verdict,
    /// The verdict of the solver, which was given instead.
    pub solved: Verdict,
    /// The rungs that answered parts of the query.
    pub rungs: Vec<Rung>,
    /// Entries that were removed from the store.
    pub dropped: usize,
    /// Why entries are still there, if removing failed.
    pub kept: Option<String>,
}

/// Chooses which answers are solved again, and knows what the current one was made of.
pub(crate) struct Auditor {
    rate: f64,
    random: Random,
    /// The rungs that answered parts of the current query.
    rungs: Vec<Rung>,
    /// Entries of the store that the current answer was read from or written to.
    entries: Vec<Key>,
    /// The parts that were answered as unsatisfiable.
    refuted: Vec<Vec<TermId>>,
    found: Vec<Contradiction>,
}

impl Auditor {
    /// For a share of the answers between 0 and 1; `None` for none of them.
    pub(crate) fn new(rate: f64) -> Option<Auditor> {
        // Another sample in each process: a nightly run asks the same questions every night.
        let random = Random::new(std::hash::RandomState::new().build_hasher().finish());
        let idle = Auditor {
            rate,
            random,
            rungs: Vec::new(),
            entries: Vec::new(),
            refuted: Vec::new(),
            found: Vec::new(),
        };
        (rate > 0.0).then_some(idle)
    }

    fn is_due(&mut self) -> bool {
        ((self.random.next() >> 11) as f64) < self.rate * (1u64 << 53) as f64
    }

    fn begin(&mut self) {
        self.rungs.clear();
        self.entries.clear();
        self.refuted.clear();
    }
}

impl Engine {
    /// The contradictions that audits found since the last call.
    pub fn take_contradictions(&mut self) -> Vec<Contradiction> {
        self.auditor.as_mut().map(|auditor| std::mem::take(&mut auditor.found)).unwrap_or_default()
    }

    /// Forgets what the last answer was made of.
    pub(crate) fn begin_audit(&mut self) {
        if let Some(auditor) = &mut self.auditor {
            auditor.begin();
        }
    }

    /// Counts a part that a rung answered, and notes it for an audit.
    pub(crate) fn hit(&mut self, rung: Rung) {
        self.stats.hit(rung);
        self.last_rung = self.last_rung.max(Some(rung));
        if let Some(auditor) = &mut self.auditor {
            auditor.rungs.push(rung);
        }
    }

    /// Notes the entry of the store that an answer stands in.
    pub(crate) fn note_entry(&mut self, key: [u8; 32]) {
        if let Some(auditor) = &mut self.auditor {
            auditor.entries.push(Key(key));
        }
    }

    /// Notes a part that was answered as unsatisfiable: by sets, or by what was recorded together with sets.
    pub(crate) fn note_refuted(&mut self, part: &Part) {
        if let Some(auditor) = &mut self.auditor {
            auditor.refuted.push(part.constraints.clone());
        }
    }

    /// Solves a reused answer again if it is its turn; the answer that is to be given.
    pub(crate) fn audit(
        &mut self,
        terms: &mut Terms,
        query: &Query<'_>,
        answer: Answer,
        backend: &mut dyn Backend,
    ) -> Answer {
        let due = answer.source == Source::Reused && self.auditor.as_mut().is_some_and(Auditor::is_due);
        if !due {
            return answer;
        }
        let &Query { constraints, asides, question, .. } = query;
        self.stats.audits.asked += 1;
        let solved = backend.solve(terms, Task { constraints, asides, question, want_core: false });
        match (&answer.verdict, &solved.verdict) {
            (_, Verdict::Unknown(_)) => {
                self.stats.audits.undecided += 1;
                answer
            }
            (reused, fresh) if reused == fresh => answer,
            _ => {
                self.stats.audits.contradicted += 1;
                self.stats.contradicted += 1;
                self.drop_answer(terms, constraints, &answer.verdict, &solved.verdict);
                Answer::solved(solved.verdict, solved.model, solved.core)
            }
        }
    }

    /// Removes what a wrong answer was made of.
    fn drop_answer(&mut self, terms: &Terms, constraints: &[TermId], reused: &Verdict, solved: &Verdict) {
        let Some(auditor) = &mut self.auditor else { return };
        let mut entries = std::mem::take(&mut auditor.entries);
        let rungs = std::mem::take(&mut auditor.rungs);
        let refuted = std::mem::take(&mut auditor.refuted);
        for part in refuted {
            let part = self.canonize(terms, part, &[]);
            entries.extend(self.unsat_sets_near(terms, &part));
        }
        entries.sort_unstable();
        entries.dedup();
        self.applied.forget();
        let removed = self.store.as_ref().map_or(Ok(0), |store| store.remove(&entries));
        // What these have in memory may be wrong as well: they read the store anew.
        self.logic = sets::logic_of(&self.options, self.store.as_ref());
        self.strict = StrictSets::new(&self.options, self.store.as_ref());
        (self.cores, self.nameless) = index_of(&self.options, self.store.as_ref()).unzip();
        let (dropped, kept) = match removed {
            Ok(dropped) => (dropped, None),
            Err(why) => (0, Some(why.to_string())),
        };
        let (constraints, reused, solved) = (constraints.to_vec(), reused.clone(), solved.clone());
        let contradiction = Contradiction { constraints, reused, solved, rungs, dropped, kept };
        if let Some(auditor) = &mut self.auditor {
            auditor.found.push(contradiction);
        }
    }
}
