//! Climb: the walk along [`LADDER`]. Each function here takes the steps of one place on the way of a query,
//! in the order of the list; [`Engine::answer`] calls them in the order of the places.
//!
//! What a step finds about a part that has no record is recorded under the part's own key, whichever rung
//! found it: the next time the exact rung answers.

use super::{Engine, Found, Known, OnPath, Part, Reuse};
use crate::answer::Answer;
use crate::backend::Grain;
use crate::event::Event;
use crate::ladder::{Fetched, LADDER, New, Rung, Step, Switch, Try};
use crate::query::Query;
use crate::record::RecordedVerdict;
use crate::translate;
use evergreen_term::{Model, TermId, Terms};
use std::time::Instant;

/// The solver that records name for what these rungs found.
const BY: &str = "evergreen";

impl Engine {
    /// New constraints on a path, before it is sliced.
    pub(super) fn climb_path(&mut self, terms: &mut Terms, on: &OnPath<'_>) -> Option<Answer> {
        LADDER.iter().find_map(|step| match step.at {
            Try::Path(run) => self.take_step(step, |engine| run(engine, terms, on)),
            _ => None,
        })
    }

    /// A part without objectives that has no key yet.
    pub(super) fn climb_part(
        &mut self,
        terms: &mut Terms,
        part: &[TermId],
        model: &mut Model,
    ) -> Option<Known> {
        LADDER.iter().find_map(|step| match step.at {
            Try::Part(run) => self.take_step(step, |engine| run(engine, terms, part, model)),
            _ => None,
        })
    }

    /// A part with its key, given what the store has under it.
    pub(super) fn climb_key(
        &mut self,
        terms: &mut Terms,
        part: &Part,
        mut fetched: Option<Fetched>,
        model: &mut Model,
    ) -> Option<Known> {
        let known = LADDER.iter().find_map(|step| match step.at {
            Try::Key(run) => self.take_step(step, |engine| run(engine, terms, part, &mut fetched, model)),
            Try::Search(run) if part.is_plain => {
                let new = self.take_step(step, |engine| run(engine, terms, part))?;
                Some(self.record_new(terms, part, step.rung, new, model))
            }
            _ => None,
        });
        if known.is_none() && self.options.reuse != Reuse::None {
            let key = part.canonical.key;
            self.log(|| Event::Missed { key });
        }
        known
    }

    /// What no other step answers, together: the slice of a path beside old values, or the parts of a script.
    pub(super) fn climb_rest(
        &mut self,
        terms: &mut Terms,
        query: &Query<'_>,
        missing: &[Part],
        model: &mut Model,
        grain: Grain,
    ) -> Option<Known> {
        let &Query { asides, branch, .. } = query;
        let is_script = branch.is_none();
        LADDER.iter().find_map(|step| match (&step.at, missing) {
            (Try::Slice(run), [part]) => {
                let old = branch.and_then(|branch| branch.old)?;
                let new = self.take_step(step, |engine| run(engine, terms, part, old))?;
                Some(self.record_new(terms, part, step.rung, new, model))
            }
            (Try::Rest(run), _) if is_script => {
                self.take_step(step, |engine| run(engine, terms, missing, asides))
            }
            (Try::Whole(run), _) if is_script && grain == Grain::Whole => {
                self.take_step(step, |engine| run(engine, terms, missing, asides))
            }
            _ => None,
        })
    }

    /// Takes a step if level, options and regulation let it, and measures it.
    fn take_step<T>(&mut self, step: &Step, run: impl FnOnce(&mut Engine) -> Option<T>) -> Option<T> {
        if !self.is_on(step) || (step.cost.is_regulated() && !self.is_worth_trying(step.rung)) {
            return None;
        }
        if !step.cost.is_measured() {
            return run(self);
        }
        let start = Instant::now();
        let found = run(self);
        let time = start.elapsed();
        self.regulation.note(step.rung, found.is_some(), time);
        self.stats.tried(step.rung, 1, time);
        if let Some(logic) = self.logic.as_mut().filter(|_| step.cost.is_regulated()) {
            self.stats.distrusted += logic.take_distrusted();
            self.stats.steps += logic.take_steps();
        }
        found
    }

    fn is_on(&self, step: &Step) -> bool {
        let switched = match step.switch {
            Switch::Always => true,
            Switch::Native => self.options.native,
            Switch::Models => self.options.models,
            Switch::Cores => self.cores.is_some(),
        };
        switched && (step.from..=step.to).contains(&self.options.reuse)
    }

    /// Whether a rung pays lately.
    fn is_worth_trying(&mut self, rung: Rung) -> bool {
        let regulate = self.options.regulate && self.options.reuse == Reuse::Full;
        let wanted = !regulate || self.regulation.wants(rung);
        self.stats.rungs[rung as usize].passed += u64::from(!wanted);
        wanted
    }

    /// Records what a step found and makes it part of the answer.
    fn record_new(
        &mut self,
        terms: &mut Terms,
        part: &Part,
        rung: Rung,
        new: New,
        model: &mut Model,
    ) -> Known {
        let key = part.canonical.key;
        self.relate(terms, part, &new.found, new.index);
        let sat = matches!(new.found, Found::Sat(_));
        self.hit(rung);
        self.note_entry(key);
        if !sat {
            self.note_refuted(part);
        }
        self.log(|| Event::Reused { rung, key, sat });
        match new.found {
            Found::Sat(own) => {
                let values =
                    translate::to_leaves(terms, &own, &part.canonical.leaves, &part.canonical.tables);
                self.record(part, RecordedVerdict::Sat(values), 0, true, BY);
                part.join(terms, own, model);
                Known::Sat { model: true }
            }
            Found::Unsat(mut refutation) => {
                // Other readers of a shared store will want evidence; the native core has given its own.
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
