//! Climb: the walk along [`LADDER`]. Each function here takes the steps of one place on the way of a query,
//! in the order of the list; [`Engine::answer`] calls them in the order of the places. An engine picks its
//! steps once, when its options are known, so that a query walks over none that it cannot take.
//!
//! What a step finds about a part that has no record is recorded under the part's own key, whichever rung
//! found it: the next time the exact rung answers.

use super::{Engine, Found, Known, OnPath, Options, Part, Reuse};
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

/// Whether a solver can be asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Aid {
    Solver,
    None,
}

/// The steps of [`LADDER`] that level and options let an engine take, by place, in the order of the list.
pub(super) struct Steps {
    path: Vec<&'static Step>,
    part: Vec<&'static Step>,
    key: Vec<&'static Step>,
    rest: Vec<&'static Step>,
}

impl Steps {
    /// The steps of an engine where a solver can be asked, and those where none can.
    pub(super) fn both(options: &Options, has_cores: bool) -> [Steps; 2] {
        [Aid::Solver, Aid::None].map(|aid| Steps::new(options, has_cores, aid))
    }

    fn new(options: &Options, has_cores: bool, aid: Aid) -> Steps {
        let unaided = aid == Aid::None;
        let is_on = |step: &&Step| {
            let switched = match step.switch {
                Switch::Always => true,
                Switch::Native => options.native,
                Switch::Unaided => options.native && unaided,
                Switch::Models => options.models,
                Switch::Cores => has_cores,
            };
            // Where nothing is reused the solver decides, and without one the cores in here are the solver.
            let solves = unaided && matches!(step.switch, Switch::Native | Switch::Unaided);
            let level = match options.reuse {
                Reuse::None if solves => Reuse::Exact,
                level => level,
            };
            // The papers know parts with keys, and nothing before or behind them.
            let strict = options.strict.is_none() || matches!(step.at, Try::Key(_) | Try::Search(_));
            switched && strict && (step.from..=step.to).contains(&level)
        };
        let mut steps = Steps { path: Vec::new(), part: Vec::new(), key: Vec::new(), rest: Vec::new() };
        for step in LADDER.iter().filter(is_on) {
            let place = match step.at {
                Try::Path(_) => &mut steps.path,
                Try::Part(_) => &mut steps.part,
                Try::Key(_) | Try::Search(_) => &mut steps.key,
                Try::Slice(_) | Try::Rest(_) | Try::Whole(_) => &mut steps.rest,
            };
            place.push(step);
        }
        steps
    }
}

impl Engine {
    /// New constraints on a path, before it is sliced.
    pub(super) fn climb_path(&mut self, terms: &mut Terms, on: &OnPath<'_>) -> Option<Answer> {
        (0..self.steps().path.len()).find_map(|place| {
            let step = self.steps().path[place];
            let Try::Path(run) = step.at else { return None };
            self.take_step(step, |engine| run(engine, terms, on))
        })
    }

    /// A part without objectives that has no key yet.
    pub(super) fn climb_part(
        &mut self,
        terms: &mut Terms,
        part: &[TermId],
        model: &mut Model,
    ) -> Option<Known> {
        (0..self.steps().part.len()).find_map(|place| {
            let step = self.steps().part[place];
            let Try::Part(run) = step.at else { return None };
            self.take_step(step, |engine| run(engine, terms, part, model))
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
        let known = (0..self.steps().key.len()).find_map(|place| {
            let step = self.steps().key[place];
            match step.at {
                Try::Key(run) => self.take_step(step, |engine| run(engine, terms, part, &mut fetched, model)),
                Try::Search(run) if part.is_plain => {
                    let new = self.take_step(step, |engine| run(engine, terms, part))?;
                    Some(self.record_new(terms, part, step.rung, new, model))
                }
                _ => None,
            }
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
        (0..self.steps().rest.len()).find_map(|place| {
            let step = self.steps().rest[place];
            match (&step.at, missing) {
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
            }
        })
    }

    /// Takes a step if regulation lets it, and measures it.
    fn take_step<T>(&mut self, step: &Step, run: impl FnOnce(&mut Engine) -> Option<T>) -> Option<T> {
        if step.cost.is_regulated() && !self.is_worth_trying(step.rung) {
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
        if step.rung == Rung::Bits && found.is_some() {
            // A rung before it saves this, not a call of a solver.
            self.regulation.note_solving(time);
        }
        if let Some(logic) = self.logic.as_mut().filter(|_| step.cost.is_regulated()) {
            self.stats.distrusted += logic.take_distrusted();
            self.stats.steps += logic.take_steps();
        }
        found
    }

    /// Whether old models are tried.
    fn is_full(&self) -> bool {
        self.options.reuse == Reuse::Full
    }

    /// The steps for the current query.
    fn steps(&self) -> &Steps {
        &self.steps[usize::from(self.unaided)]
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
                if let Some(values) = values.as_ref().filter(|_| rung == Rung::Bits && self.is_full()) {
                    self.remember(terms, part, values);
                }
                self.record(part, RecordedVerdict::Sat(values), 0, true, BY);
                part.join(terms, &own, model);
                Known::Sat { model: true }
            }
            Found::Unsat(mut refutation) => {
                // Other readers of a shared store will want evidence; the native core has given its own.
                if rung != Rung::Native && self.is_shared() {
                    let suspects = self.core_positions(terms, part, &refutation);
                    if let Ok(Some(proof)) = self.proof_of(terms, part, suspects.as_deref()) {
                        refutation = proof;
                    }
                }
                self.put_unsat(terms, part, &refutation, 0, BY);
                let core = refutation.core(part);
                Known::Unsat(core.and_then(|core| self.core_of_query(terms, core)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The places in the list of the steps that are picked, one list for each place on the way of a query.
    fn picked(options: &Options, aid: Aid) -> [Vec<usize>; 4] {
        let Steps { path, part, key, rest } = Steps::new(options, true, aid);
        let line = |step: &Step| LADDER.iter().position(|other| std::ptr::eq(other, step)).expect("a line");
        [path, part, key, rest].map(|steps| steps.into_iter().map(line).collect())
    }

    #[test]
    fn an_engine_picks_every_step_of_its_level_once_in_the_order_of_the_list() {
        for reuse in [Reuse::None, Reuse::Exact, Reuse::Subset, Reuse::Logical, Reuse::Full] {
            for aid in [Aid::Solver, Aid::None] {
                let lists = picked(&Options { reuse, ..Options::default() }, aid);
                assert!(lists.iter().all(|lines| lines.is_sorted()), "{lists:?}");
                let mut all = lists.concat();
                all.sort_unstable();
                let is_taken = |line: &usize| {
                    let step = &LADDER[*line];
                    let is_core = matches!(step.switch, Switch::Native | Switch::Unaided);
                    // Without a solver the cores answer at every level.
                    let reuse = if reuse == Reuse::None && aid == Aid::None && is_core {
                        Reuse::Exact
                    } else {
                        reuse
                    };
                    (step.from..=step.to).contains(&reuse)
                        && (aid == Aid::None || step.switch != Switch::Unaided)
                };
                assert_eq!(all, (0..LADDER.len()).filter(is_taken).collect::<Vec<usize>>());
            }
        }
    }

    #[test]
    fn a_step_that_is_switched_off_is_not_picked() {
        let options = Options { native: false, models: false, ..Options::default() };
        let lines = picked(&options, Aid::Solver).concat();
        let rungs: Vec<Rung> = lines.into_iter().map(|line| LADDER[line].rung).collect();
        assert!(!rungs.is_empty());
        for off in [Rung::Native, Rung::Bits, Rung::Satisfied, Rung::Nearby] {
            assert!(!rungs.contains(&off), "{}", off.name());
        }
        let steps = Steps::new(&Options::default(), false, Aid::Solver);
        assert!(!steps.rest.iter().any(|step| step.rung == Rung::Core));
    }
}
