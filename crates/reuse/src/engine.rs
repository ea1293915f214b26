//! The path of a query, on one screen: [`Engine::answer`].

use crate::answer::{Answer, Core, Question, Source, Verdict};
use crate::backend::{Backend, Grain, Solved, Task};
use crate::event::{Event, Rung};
use crate::origins::Origins;
use crate::record::{Record, RecordedVerdict};
use crate::stats::{Stage, Stats};
use crate::translate;
use evergreen_canon::{
    Aside, Canonical, Canonizer, KeyBytes, Mode, Path, propagate, split, split_into, unit,
};
use evergreen_store::{Key, Store};
use evergreen_term::{Completion, Evaluator, Model, TermId, Terms, Traits, Value};
use rustc_hash::FxHashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Which rungs of the reuse ladder are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Reuse {
    /// None: everything is solved, nothing is recorded.
    None,
    /// Records with the same key.
    #[default]
    Exact,
}

/// Which stages are on.
#[derive(Clone, Debug)]
pub struct Options {
    /// Cut queries into independent parts.
    pub slice: bool,
    /// Put what one constraint fixes into the others before slicing. Only with slicing and the full canonical form.
    pub propagate: bool,
    /// How queries are brought into canonical form.
    pub canon: Mode,
    /// Which rungs are used.
    pub reuse: Reuse,
    /// Evaluate constraints under models before giving them out.
    pub check: bool,
    /// A part that is not found is an error, never solved.
    pub require_hit: bool,
    /// Keeps keys apart, for studies or for teams that do not want to share.
    pub namespace: String,
    /// Keep an event log.
    pub log: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            slice: true,
            propagate: true,
            canon: Mode::Full,
            reuse: Reuse::Exact,
            check: true,
            require_hit: false,
            namespace: String::new(),
            log: false,
        }
    }
}

/// A part that was not found although only reuse was allowed.
#[derive(Clone, Debug)]
pub struct Miss {
    /// Its constraints.
    pub constraints: Vec<TermId>,
    /// Its key.
    pub key: KeyBytes,
}

/// A part of a query that has to be looked up.
struct Part {
    constraints: Vec<TermId>,
    canonical: Canonical,
}

/// What is known of a part.
enum Known {
    /// Satisfiable; whether the query's model now covers the part.
    Sat {
        model: bool,
    },
    Unsat(Option<Core>),
    Missing,
}

/// Answers queries over one arena of terms, from a store where it can and by a backend where it cannot.
pub struct Engine {
    canonizer: Canonizer,
    store: Option<Arc<dyn Store>>,
    options: Options,
    stats: Stats,
    events: Vec<Event>,
    /// Of the query that is being answered.
    origins: Origins,
}

impl Engine {
    /// An engine over a store; without one nothing is reused or recorded.
    pub fn new(store: Option<Arc<dyn Store>>, options: Options) -> Engine {
        let canonizer = Canonizer::new(options.canon).with_namespace(&options.namespace);
        let store = store.filter(|_| options.reuse != Reuse::None);
        Engine {
            canonizer,
            store,
            options,
            stats: Stats::default(),
            events: Vec::new(),
            origins: Origins::default(),
        }
    }

    /// Counters so far.
    pub fn stats(&self) -> &Stats {
        &self.stats
    }

    /// The events since the last call, if a log is kept.
    pub fn take_events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.events)
    }

    /// Which stages are on.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Forgets the arena, so that a new one can take its place; store, options, counters and events stay.
    pub fn renew(&mut self) {
        self.canonizer = Canonizer::new(self.options.canon).with_namespace(&self.options.namespace);
    }

    /// The canonizer, for callers that keep a [`Path`].
    pub fn canonizer(&mut self) -> &mut Canonizer {
        &mut self.canonizer
    }

    /// Answers a conjunction: slice, canonize, look up, solve, check, record.
    pub fn answer(
        &mut self,
        terms: &mut Terms,
        constraints: &[TermId],
        asides: &[Aside],
        question: Question,
        backend: &mut dyn Backend,
    ) -> Result<Answer, Miss> {
        self.stats.queries += 1;
        let answer = self.answer_parts(terms, constraints, asides, question, backend)?;
        // Parts are checked one by one, after propagation; this is the query as it was asked.
        let origins = std::mem::take(&mut self.origins);
        if let Some(model) = answer.model.as_ref().filter(|_| !origins.changed().is_empty())
            && self.holds(terms, model, origins.changed()) == Some(false)
        {
            self.stats.rejected += 1;
            self.options.propagate = false;
            let again = self.answer_parts(terms, constraints, asides, question, backend);
            self.options.propagate = true;
            return again;
        }
        Ok(answer)
    }

    fn answer_parts(
        &mut self,
        terms: &mut Terms,
        constraints: &[TermId],
        asides: &[Aside],
        question: Question,
        backend: &mut dyn Backend,
    ) -> Result<Answer, Miss> {
        let parts = self.slice(terms, constraints, asides);
        let mut model = Model::new();
        let mut modelled = true;
        let mut missing: Vec<Part> = Vec::new();
        for constraints in parts {
            if self.is_unit(terms, &constraints, asides, &mut model) {
                continue;
            }
            let part = self.canonize(terms, constraints, asides);
            match self.look_up(terms, &part, &mut model) {
                Known::Sat { model: covered } => modelled &= covered,
                Known::Unsat(core) => return Ok(Answer::reused(Verdict::Unsat, None, core)),
                Known::Missing => missing.push(part),
            }
        }
        if missing.is_empty() {
            return Ok(Answer::reused(Verdict::Sat, modelled.then_some(model), None));
        }
        if let Some(core) = self.look_up_joint(terms, &missing, asides) {
            return Ok(Answer::reused(Verdict::Unsat, None, core));
        }
        if self.options.require_hit {
            let part = missing.swap_remove(0);
            return Err(Miss { constraints: part.constraints, key: part.canonical.key });
        }
        Ok(match backend.grain() {
            Grain::Parts => self.solve_parts(terms, &missing, question, backend, model, modelled),
            Grain::Whole => self.solve_whole(terms, &missing, asides, question, backend),
        })
    }

    /// Answers a new constraint on a path that is known to be satisfiable: only its slice matters.
    pub fn answer_focus(
        &mut self,
        terms: &mut Terms,
        path: &Path,
        constraints: &[TermId],
        new: TermId,
        question: Question,
        backend: &mut dyn Backend,
    ) -> Result<Answer, Miss> {
        if !self.options.slice || question == Question::Model {
            let all: Vec<TermId> = constraints.iter().copied().chain([new]).collect();
            return self.answer(terms, &all, &[], question, backend);
        }
        let start = Instant::now();
        self.origins = Origins::default();
        let new = split(terms, new);
        let mut reached: Vec<u32> = new.iter().flat_map(|&n| self.canonizer.focus(terms, path, n)).collect();
        reached.sort_unstable();
        reached.dedup();
        let mut slice: Vec<TermId> = reached.iter().map(|&i| constraints[i as usize]).collect();
        slice.extend(new);
        self.stats.add(Stage::Slice, start.elapsed());
        self.stats.queries += 1;
        self.stats.slices += 1;
        self.log(|| Event::Sliced { constraints: constraints.len() + 1, parts: 1 });
        let mut model = Model::new();
        let part = self.canonize(terms, slice, &[]);
        match self.look_up(terms, &part, &mut model) {
            Known::Sat { model: covered } => {
                return Ok(Answer::reused(Verdict::Sat, covered.then_some(model), None));
            }
            Known::Unsat(core) => return Ok(Answer::reused(Verdict::Unsat, None, core)),
            Known::Missing if self.options.require_hit => {
                return Err(Miss { constraints: part.constraints, key: part.canonical.key });
            }
            Known::Missing => {}
        }
        Ok(self.solve_parts(terms, &[part], question, backend, model, true))
    }

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
    fn as_long_as_before(&mut self, part: &Part, solved: &Solved) -> Solved {
        let before = self.fetch(&part.canonical.key).map_or(0, |record| record.micros);
        let elapsed = solved.elapsed.max(Duration::from_micros(before));
        Solved { elapsed, ..solved.clone() }
    }

    fn log(&mut self, event: impl FnOnce() -> Event) {
        if self.options.log {
            self.events.push(event());
        }
    }

    fn slice(&mut self, terms: &mut Terms, constraints: &[TermId], asides: &[Aside]) -> Vec<Vec<TermId>> {
        let start = Instant::now();
        let mut seen = FxHashSet::default();
        let mut pieces: Vec<TermId> = Vec::with_capacity(constraints.len());
        for &c in constraints {
            split_into(terms, c, &mut pieces);
        }
        pieces.retain(|p| seen.insert(*p));
        self.origins = Origins::default();
        if self.propagates(asides)
            && let Some(mut propagated) = propagate(terms, &pieces)
        {
            pieces = std::mem::take(&mut propagated.constraints);
            self.origins = Origins::new(Some(propagated));
        }
        let parts = if pieces.is_empty() {
            Vec::new()
        } else if self.options.slice && asides.is_empty() {
            let parts = self.canonizer.parts(terms, &pieces);
            parts.into_iter().map(|p| p.into_iter().map(|i| pieces[i as usize]).collect()).collect()
        } else {
            vec![pieces]
        };
        self.stats.add(Stage::Slice, start.elapsed());
        self.stats.slices += parts.len() as u64;
        self.log(|| Event::Sliced { constraints: constraints.len(), parts: parts.len() });
        parts
    }

    /// Studies of other forms, and of solving without reuse, get their queries as they are.
    fn propagates(&self, asides: &[Aside]) -> bool {
        let o = &self.options;
        o.propagate && o.slice && o.canon == Mode::Full && o.reuse != Reuse::None && asides.is_empty()
    }

    /// A part that is one constraint which fixes one symbol needs no look-up.
    fn is_unit(&mut self, terms: &Terms, part: &[TermId], asides: &[Aside], model: &mut Model) -> bool {
        if !self.options.slice || self.options.reuse == Reuse::None || !asides.is_empty() {
            return false;
        }
        let [only] = *part else { return false };
        let Some((target, value)) = unit(terms, only) else { return false };
        if translate::assign(terms, model, target, value).is_none() {
            return false;
        }
        self.stats.trivial += 1;
        true
    }

    fn canonize(&mut self, terms: &Terms, constraints: Vec<TermId>, asides: &[Aside]) -> Part {
        let start = Instant::now();
        let canonical = self.canonizer.canonize_with(terms, &constraints, asides);
        self.stats.add(Stage::Canonize, start.elapsed());
        Part { constraints, canonical }
    }

    fn look_up(&mut self, terms: &mut Terms, part: &Part, model: &mut Model) -> Known {
        let key = part.canonical.key;
        if self.options.reuse == Reuse::None {
            return Known::Missing;
        }
        if let Some(sat) = part.canonical.verdict {
            self.stats.trivial += 1;
            self.log(|| Event::Reused { rung: Rung::Trivial, key, sat });
            if sat {
                return Known::Sat { model: true };
            }
            let core = part.canonical.constraints.iter().map(|&i| part.constraints[i as usize]).collect();
            return Known::Unsat(Some(self.origins.core_of_query(terms, core)));
        }
        let Some(record) = self.fetch(&key) else {
            self.log(|| Event::Missed { key });
            return Known::Missing;
        };
        let known = self.apply(terms, part, &record, model);
        if matches!(known, Known::Missing) {
            self.stats.rejected += 1;
            self.log(|| Event::Rejected { key });
            return known;
        }
        self.stats.exact += 1;
        self.stats.saved += Duration::from_micros(record.micros);
        self.log(|| Event::Reused { rung: Rung::Exact, key, sat: record.is_sat() });
        known
    }

    /// Several parts that were found unsatisfiable together, where it was not known which of them is.
    fn look_up_joint(
        &mut self,
        terms: &mut Terms,
        missing: &[Part],
        asides: &[Aside],
    ) -> Option<Option<Core>> {
        if missing.len() < 2 || self.options.reuse == Reuse::None {
            return None;
        }
        let joint = self.joint(terms, missing, asides);
        let record = self.fetch(&joint.canonical.key)?;
        if record.is_sat() {
            return None;
        }
        let Known::Unsat(core) = self.apply(terms, &joint, &record, &mut Model::new()) else { return None };
        self.stats.exact += 1;
        self.stats.saved += Duration::from_micros(record.micros);
        self.log(|| Event::Reused { rung: Rung::Exact, key: joint.canonical.key, sat: false });
        Some(core)
    }

    fn joint(&mut self, terms: &Terms, parts: &[Part], asides: &[Aside]) -> Part {
        let all = parts.iter().flat_map(|p| p.constraints.iter().copied()).collect();
        self.canonize(terms, all, asides)
    }

    fn fetch(&mut self, key: &KeyBytes) -> Option<Record> {
        let start = Instant::now();
        // A failing store is a miss; the store reports its own trouble.
        let bytes = self.store.as_ref()?.get(&Key(*key)).ok().flatten();
        let record = bytes.and_then(|b| Record::decode(&b));
        self.stats.add(Stage::LookUp, start.elapsed());
        record
    }

    /// Carries a record over to the part it was found for. `Missing` when it does not hold there.
    fn apply(&mut self, terms: &mut Terms, part: &Part, record: &Record, model: &mut Model) -> Known {
        match &record.verdict {
            RecordedVerdict::Sat(None) => Known::Sat { model: false },
            RecordedVerdict::Sat(Some(values)) => {
                // The part is checked under its own values; only then they join those of the other parts.
                let mut own = Model::new();
                if translate::from_leaves(terms, &part.canonical, values, &mut own).is_none() {
                    return Known::Missing;
                }
                if self.holds(terms, &own, &part.constraints) == Some(false) {
                    return Known::Missing;
                }
                if model.is_empty() {
                    *model = own;
                } else {
                    for (symbol, value) in own.iter() {
                        translate::merge(terms, model, symbol, value, &part.canonical.leaves);
                    }
                }
                Known::Sat { model: true }
            }
            RecordedVerdict::Unsat(None) => Known::Unsat(None),
            RecordedVerdict::Unsat(Some(core)) => {
                let constraints = &part.canonical.constraints;
                if core.last().is_some_and(|&last| last as usize >= constraints.len()) {
                    return Known::Missing;
                }
                let mut named: Core =
                    core.iter().map(|&c| part.constraints[constraints[c as usize] as usize]).collect();
                named.sort_unstable();
                named.dedup();
                Known::Unsat(Some(self.origins.core_of_query(terms, named)))
            }
        }
    }

    /// Whether constraints hold under a model; `None` when some cannot be evaluated and none is false.
    fn holds(&mut self, terms: &Terms, model: &Model, constraints: &[TermId]) -> Option<bool> {
        if !self.options.check {
            return None;
        }
        let start = Instant::now();
        let mut evaluator = Evaluator::new(terms, model).completing(Completion::Default);
        let mut all = Some(true);
        for &c in constraints {
            match evaluator.evaluate(c) {
                Ok(Value::Bool(true)) => {}
                Ok(_) => {
                    all = Some(false);
                    break;
                }
                Err(_) => all = None,
            }
        }
        self.stats.add(Stage::Check, start.elapsed());
        all
    }

    fn ask(&mut self, terms: &mut Terms, task: Task<'_>, backend: &mut dyn Backend) -> Solved {
        let start = Instant::now();
        self.stats.solved += 1;
        let solved = backend.solve(terms, task);
        self.stats.add(Stage::Solve, start.elapsed());
        let sat = match solved.verdict {
            Verdict::Sat => Some(true),
            Verdict::Unsat => Some(false),
            Verdict::Unknown(_) => None,
        };
        self.stats.unknown += u64::from(sat.is_none());
        self.log(|| Event::Solved { sat, micros: solved.elapsed.as_micros() as u64 });
        solved
    }

    /// Solves the missing parts one by one, until one is not satisfiable.
    fn solve_parts(
        &mut self,
        terms: &mut Terms,
        missing: &[Part],
        question: Question,
        backend: &mut dyn Backend,
        mut model: Model,
        mut modelled: bool,
    ) -> Answer {
        let mut unknown = None;
        for part in missing {
            let task = Task { constraints: &part.constraints, asides: &[], question };
            let solved = self.ask(terms, task, backend);
            match &solved.verdict {
                Verdict::Unknown(why) => unknown = Some(why.clone()),
                Verdict::Unsat => {
                    self.record_unsat(terms, part, &solved, backend.name());
                    let core = solved.core.map(|core| self.origins.core_of_query(terms, core));
                    return Answer::solved(Verdict::Unsat, None, core);
                }
                Verdict::Sat => {
                    self.record_sat(terms, part, &solved, backend.name(), 1);
                    modelled &= solved.model.is_some();
                    for (symbol, value) in solved.model.iter().flat_map(Model::iter) {
                        translate::merge(terms, &mut model, symbol, value, &part.canonical.leaves);
                    }
                }
            }
        }
        match unknown {
            Some(why) => Answer::solved(Verdict::Unknown(why), None, None),
            None => Answer::solved(Verdict::Sat, modelled.then_some(model), None),
        }
    }

    /// Has the whole query solved, and records what that says about the missing parts.
    fn solve_whole(
        &mut self,
        terms: &mut Terms,
        missing: &[Part],
        asides: &[Aside],
        question: Question,
        backend: &mut dyn Backend,
    ) -> Answer {
        let all: Vec<TermId> = missing.iter().flat_map(|p| p.constraints.iter().copied()).collect();
        let solved = self.ask(terms, Task { constraints: &all, asides, question }, backend);
        match &solved.verdict {
            Verdict::Unknown(_) => {}
            Verdict::Sat => {
                for part in missing {
                    self.record_sat(terms, part, &solved, backend.name(), missing.len());
                }
            }
            // Every other part is known to be satisfiable, so it is these.
            Verdict::Unsat => match missing {
                [part] => self.record_unsat(terms, part, &solved, backend.name()),
                _ => match self.locate(terms, missing, &solved, backend) {
                    Some(part) => self.record_unsat(terms, part, &solved, backend.name()),
                    None => {
                        let joint = self.joint(terms, missing, asides);
                        self.record_unsat(terms, &joint, &solved, backend.name());
                    }
                },
            },
        }
        Answer { verdict: solved.verdict, model: solved.model, core: solved.core, source: Source::Solved }
    }

    /// Which of several parts is unsatisfiable, when they are together: the one that the core names, or else the one
    /// that turns out to be when parts are solved one by one. The last one left needs no solving.
    fn locate<'p>(
        &mut self,
        terms: &mut Terms,
        missing: &'p [Part],
        solved: &Solved,
        backend: &mut dyn Backend,
    ) -> Option<&'p Part> {
        let mut suspects: Vec<&Part> = missing.iter().collect();
        if let Some(core) = &solved.core {
            let core: FxHashSet<TermId> = core.iter().copied().collect();
            suspects.retain(|p| p.constraints.iter().any(|&c| self.origins.is_in(&core, c)));
        }
        // Quantifiers are all in one part, and only the client's own options make a solver good at them: that part
        // comes last and so is never solved here.
        let quantified = |p: &&Part| p.constraints.iter().any(|&c| terms.traits(c).has(Traits::QUANTIFIED));
        suspects.sort_by_key(|p| (quantified(p), p.constraints.len()));
        let (last, rest) = suspects.split_last()?;
        for part in rest {
            let start = Instant::now();
            let alone = backend.solve_part(terms, &part.constraints);
            self.stats.add(Stage::Solve, start.elapsed());
            let alone = alone?;
            self.stats.solved += 1;
            match alone.verdict {
                Verdict::Sat => self.record_sat(terms, part, &alone, backend.name(), 1),
                Verdict::Unsat => return Some(part),
                Verdict::Unknown(_) => return None,
            }
        }
        Some(last)
    }

    fn record_sat(&mut self, terms: &Terms, part: &Part, solved: &Solved, by: &str, shares: usize) {
        let mut values = None;
        if let Some(model) = &solved.model {
            if self.holds(terms, model, &part.constraints) == Some(false) {
                // Either the solver or our evaluation is wrong: nothing to build knowledge on.
                self.stats.contradicted += 1;
                return;
            }
            values = translate::to_leaves(terms, model, &part.canonical.leaves);
        }
        let micros = solved.elapsed.as_micros() as u64 / shares.max(1) as u64;
        self.record(part, RecordedVerdict::Sat(values), micros, solved.recordable, by);
    }

    fn record_unsat(&mut self, terms: &Terms, part: &Part, solved: &Solved, by: &str) {
        let core = solved.core.as_ref().map(|core| {
            let core: FxHashSet<TermId> = core.iter().copied().collect();
            let sources = part.canonical.constraints.iter().enumerate();
            let in_share = |c: TermId| self.origins.is_in_share(terms, &core, c);
            let inside = sources.filter(|(_, from)| in_share(part.constraints[**from as usize]));
            inside.map(|(i, _)| i as u32).collect::<Vec<u32>>()
        });
        // A core that names nothing of the part says nothing about it.
        let core = core.filter(|c| !c.is_empty());
        let micros = solved.elapsed.as_micros() as u64;
        self.record(part, RecordedVerdict::Unsat(core), micros, solved.recordable, by);
    }

    fn record(&mut self, part: &Part, verdict: RecordedVerdict, micros: u64, recordable: bool, by: &str) {
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

impl Answer {
    fn reused(verdict: Verdict, model: Option<Model>, core: Option<Core>) -> Answer {
        Answer { verdict, model, core, source: Source::Reused }
    }

    fn solved(verdict: Verdict, model: Option<Model>, core: Option<Core>) -> Answer {
        Answer { verdict, model, core, source: Source::Solved }
    }
}
