//! The upper rungs of the ladder: what can be said about a part that has no record of its own.
//!
//! In the order of what a try costs: old models are evaluated, small domains are exhausted, related sets are looked up, one that answers, then
//! several that refute the part together.
//! Whatever is found is recorded under the part's own key, so the next time the first rung answers.

use super::look_up::join;
use super::refutation::{Contradicted, Refutation};
use super::{Decided, Engine, Found, Known, OldValues, Part, Reuse};
use crate::event::{Event, Rung};
use crate::logic::Logic;
use crate::record::RecordedVerdict;
use crate::translate;
use evergreen_term::{Model, Terms};
use std::time::Instant;

/// Who is said to have solved what these rungs found.
const BY: &str = "evergreen";

impl Engine {
    /// Tries the rungs above the exact one.
    pub(super) fn climb(&mut self, terms: &mut Terms, part: &Part, model: &mut Model) -> Known {
        for rung in [Rung::Satisfied, Rung::Tried, Rung::Implied, Rung::Derived] {
            let least = if rung == Rung::Implied { Reuse::Subset } else { Reuse::Full };
            if !part.is_plain || self.options.reuse < least || !self.is_worth_trying(rung) {
                continue;
            }
            if rung == Rung::Satisfied && !self.options.models {
                continue;
            }
            let start = Instant::now();
            let found = match rung {
                Rung::Satisfied => self.satisfied(terms, part).or_else(|| self.likely(terms, part)),
                Rung::Tried => self.tried(terms, part),
                Rung::Derived => self.derived(terms, part),
                _ => None,
            };
            let found = match rung {
                Rung::Implied => self.implied(terms, part).map(|(found, by)| (found, Some(by))),
                _ => found.map(|found| (found, None)),
            };
            self.tell(rung, found.is_some(), start);
            self.stats.distrusted += self.logic.as_ref().map_or(0, Logic::take_distrusted);
            self.stats.steps += self.logic.as_mut().map_or(0, Logic::take_steps);
            if let Some((found, by)) = found {
                self.relate(terms, part, &found, by);
                return self.take(terms, part, rung, found, model);
            }
        }
        if part.is_plain
            && self.options.native
            && self.options.reuse < Reuse::Full
            && let Some(decided) = self.decide_natively(terms, &part.constraints)
        {
            let found = match decided {
                Decided::Sat(own) => Some(Found::Sat(own)),
                Decided::Unsat(_) => self.proved(terms, part).map(Found::Unsat),
            };
            if let Some(found) = found {
                return self.take(terms, part, Rung::Native, found, model);
            }
        }
        let key = part.canonical.key;
        self.log(|| Event::Missed { key });
        Known::Missing
    }

    /// Why a part is unsatisfiable that the native core found to be so: its proof, or the whole part where the proof takes
    /// more steps than are spent on one. `None` when two runs of the native core disagree: a solver decides.
    fn proved(&mut self, terms: &Terms, part: &Part) -> Option<Refutation> {
        match self.proof_of(terms, part) {
            Ok(proof) => Some(proof.unwrap_or_else(|| Refutation::whole(part))),
            Err(Contradicted) => {
                self.stats.contradicted += 1;
                None
            }
        }
    }

    /// The last rung: old values that lead along the path, of a test say, are moved until they satisfy a part, too. Evaluating says whether they do.
    ///
    /// A change that adds a condition to a path leaves tests that go there and do not take one of its arms; often one input has to be
    /// another. (Answers come from similar solutions also in [Aquino ICSE'17]; there they are tried as they are.)
    pub(super) fn vary(
        &mut self,
        terms: &mut Terms,
        part: &Part,
        old: OldValues<'_>,
        model: &mut Model,
    ) -> bool {
        let wanted = part.is_plain && self.options.reuse == Reuse::Full && self.options.models;
        if !wanted || !self.is_worth_trying(Rung::Varied) {
            return false;
        }
        let start = Instant::now();
        let near = |symbol| old(terms, symbol);
        let moved = self.moved(terms, &part.constraints, &near);
        let moved = moved.filter(|moved| self.evaluate(terms, moved, &part.constraints) == Some(true));
        self.tell(Rung::Varied, moved.is_some(), start);
        let Some(moved) = moved else { return false };
        let found = Found::Sat(moved);
        self.relate(terms, part, &found, None);
        matches!(self.take(terms, part, Rung::Varied, found, model), Known::Sat { .. })
    }

    /// Whether a rung pays lately.
    fn is_worth_trying(&mut self, rung: Rung) -> bool {
        let regulate = self.options.regulate && self.options.reuse == Reuse::Full;
        let wanted = !regulate || self.meters[rung as usize].wants(self.solving.nanos());
        self.stats.rungs[rung as usize].passed += u64::from(!wanted);
        wanted
    }

    pub(super) fn tell(&mut self, rung: Rung, hit: bool, start: Instant) {
        let time = start.elapsed();
        self.meters[rung as usize].tell(hit, time);
        self.stats.tried(rung, 1, time);
    }

    /// Records what a rung found and makes it part of the answer.
    fn take(&mut self, terms: &mut Terms, part: &Part, rung: Rung, found: Found, model: &mut Model) -> Known {
        let key = part.canonical.key;
        let sat = matches!(found, Found::Sat(_));
        self.hit(rung);
        self.note_entry(key);
        if !sat {
            self.note_refuted(part);
        }
        self.log(|| Event::Reused { rung, key, sat });
        match found {
            Found::Sat(own) => {
                let values = translate::to_leaves(terms, &own, &part.canonical.leaves);
                self.record(part, RecordedVerdict::Sat(values), 0, true, BY);
                join(terms, part, own, model);
                Known::Sat { model: true }
            }
            Found::Unsat(mut refutation) => {
                // Other readers of a shared store will want evidence.
                if rung != Rung::Native
                    && self.is_shared()
                    && let Ok(Some(proof)) = self.proof_of(terms, part)
                {
                    refutation = proof;
                }
                self.put_unsat(terms, part, &refutation, 0, BY);
                let core = refutation.core(part);
                Known::Unsat(core.and_then(|core| self.origins.core_of_query(terms, core)))
            }
        }
    }
}
