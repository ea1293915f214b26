//! The path of a query, on one screen: [`Engine::answer`]. Its later steps have a file each.

mod audit;
mod climb;
mod core;
mod count;
mod implied;
mod look_up;
mod native;
mod record;
mod refutation;
mod satisfied;
mod settle;
mod solve;
mod verbatim;
mod verify;

pub use audit::Contradiction;

use crate::answer::{Answer, Core, Question, Source, Verdict};
use crate::answered::AnsweredBy;
use crate::backend::{Backend, Grain};
use crate::cores::CoreIndex;
use crate::event::{Event, Rung};
use crate::logic::Logic;
use crate::marking::marking;
use crate::native::Native;
use crate::origins::Origins;
use crate::regulate::{Meter, SolvingCost};
use crate::stats::{Stage, Stats};
use crate::translate;
use crate::trust::Trust;
use crate::witness::Witnesses;
use evergreen_canon::{Aside, Canonical, Canonizer, KeyBytes, Leaf, Mode, Path, propagate, split_into, unit};
use evergreen_store::Store;
use evergreen_term::{Model, SymbolId, TermId, Terms};
use refutation::Refutation;
use rustc_hash::FxHashSet;
use std::sync::Arc;
use std::time::Instant;

/// Which rungs of the reuse ladder are used.
///
/// Every level includes the ones before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Reuse {
    /// None: everything is solved, nothing is recorded.
    None,
    /// Records with the same key [Visser FSE'12].
    Exact,
    /// Satisfiable supersets and unsatisfiable subsets of the same constraints [Cadar OSDI'08].
    Subset,
    /// Sets that are related by implication [Jia ISSTA'15].
    Logical,
    /// All of it, and old models, cores of whole scripts and exhausted small domains; what does not pay is tried rarely.
    #[default]
    Full,
}

/// What is done with cores at [`Reuse::Full`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Cores {
    /// Nothing.
    Off,
    /// Recorded ones answer queries that contain them.
    LookUp,
    /// And those of fresh unsat answers are recorded; whole scripts are searched for theirs when they have many
    /// assertions.
    #[default]
    Auto,
    /// And whole scripts are searched for theirs however few assertions they have.
    Always,
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
    /// What is done with cores, if the rungs include them.
    pub cores: Cores,
    /// Evaluate constraints under models before giving them out. Models from where it is not trusted always are.
    pub check: bool,
    /// Whose records are used without evidence.
    pub trust: Trust,
    /// A part that is not found is an error, never solved.
    pub require_hit: bool,
    /// Keeps keys apart, for studies or for teams that do not want to share.
    pub namespace: String,
    /// Decide conjunctions of linear integer constraints without a solver process: before anything is looked up at the
    /// level `Full`, before a solver is asked at the others.
    pub native: bool,
    /// Try old models on new parts, at the level `Full`.
    pub models: bool,
    /// Let rungs that do not pay be tried rarely at the level `Full`, and long searches be given up at those below. Off for
    /// studies.
    pub regulate: bool,
    /// The share of reused answers, between 0 and 1, that is solved again and compared: [`Engine::take_contradictions`].
    pub audit: f64,
    /// Keep an event log.
    pub log: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            slice: true,
            propagate: true,
            canon: Mode::Full,
            reuse: Reuse::Full,
            cores: Cores::Auto,
            check: true,
            trust: Trust::Local,
            require_hit: false,
            namespace: String::new(),
            native: true,
            models: true,
            regulate: true,
            audit: 0.0,
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
    /// Nothing is asked beside the constraints: any model will do.
    is_plain: bool,
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

/// What a rung found out about a part.
enum Found {
    /// Satisfiable, by these values of the part's symbols.
    Sat(Model),
    /// Unsatisfiable, because of these of the part's constraints.
    Unsat(Refutation),
}

/// What the native core decided about a part. Its core is given to clients; it is recorded only with a proof.
enum Decided {
    Sat(Model),
    Unsat(Option<Core>),
}

/// New constraints on a path that is known to be satisfiable.
pub struct Focus<'f> {
    /// The index of the path's constraints.
    pub path: &'f Path,
    /// The path's constraints, split at their surface.
    pub constraints: &'f [TermId],
    /// What is new.
    pub new: &'f [TermId],
    /// Old values that lead along the path, of a test say, if somebody has some: tried with a few moves before a solver is asked.
    pub old: Option<OldValues<'f>>,
}

/// Values of symbols, as far as somebody has some.
pub type OldValues<'v> = &'v dyn Fn(&Terms, SymbolId) -> Option<i64>;

/// Answers queries over one arena of terms, from a store where it can and by a backend where it cannot.
pub struct Engine {
    canonizer: Canonizer,
    store: Option<Arc<dyn Store>>,
    options: Options,
    stats: Stats,
    events: Vec<Event>,
    /// Of the query that is being answered.
    origins: Origins,
    witnesses: Witnesses,
    meters: [Meter; 9],
    solving: SolvingCost,
    native: Native,
    logic: Option<Logic>,
    cores: Option<CoreIndex>,
    /// The constraints of the query that is being answered, split at their surface, in the order in which they were
    /// asked; only kept for cores.
    asked: Vec<TermId>,
    /// Kept for its memory.
    settling: settle::Slice,
    auditor: Option<audit::Auditor>,
}

impl Engine {
    /// An engine over a store; without one nothing is reused or recorded.
    pub fn new(store: Option<Arc<dyn Store>>, options: Options) -> Engine {
        let canonizer = Canonizer::new(options.canon).with_namespace(&options.namespace);
        let store = store.filter(|_| options.reuse != Reuse::None);
        let store = store.map(|store| marking(store, options.trust));
        let logic = implied::logic_of(&options, store.as_ref());
        let cores = core::index_of(&options, store.as_ref());
        let auditor = audit::Auditor::new(options.audit);
        Engine {
            canonizer,
            store,
            options,
            stats: Stats::default(),
            events: Vec::new(),
            origins: Origins::default(),
            witnesses: Witnesses::default(),
            meters: [Meter::default(); 9],
            solving: SolvingCost::default(),
            native: Native::default(),
            logic,
            cores,
            asked: Vec::new(),
            settling: settle::Slice::default(),
            auditor,
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
        self.native = Native::default();
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
        self.begin_audit();
        let answer =
            self.counted(|engine| engine.answer_whole(terms, constraints, asides, question, backend))?;
        Ok(self.audit(terms, constraints, asides, question, answer, backend))
    }

    /// Counts a question, under whoever answers it. Every question comes through here, once.
    fn counted(&mut self, answer: impl FnOnce(&mut Engine) -> Result<Answer, Miss>) -> Result<Answer, Miss> {
        let before = self.stats.rungs.map(|rung| rung.hits);
        let mut answer = answer(self);
        let needed = |rung: &&Rung| self.stats.hits(**rung) > before[**rung as usize];
        let by = match &answer {
            Err(_) => AnsweredBy::Missing,
            Ok(Answer { verdict: Verdict::Unknown(_), .. }) => AnsweredBy::Unknown,
            Ok(Answer { source: Source::Solved, .. }) => AnsweredBy::Solver,
            // A query without constraints needs no rung.
            Ok(_) => AnsweredBy::Rung(*Rung::ALL.iter().rfind(needed).unwrap_or(&Rung::Trivial)),
        };
        self.stats.queries += 1;
        self.stats.answered.count(by);
        if let Ok(answer) = &mut answer {
            answer.by = by;
        }
        answer
    }

    fn answer_whole(
        &mut self,
        terms: &mut Terms,
        constraints: &[TermId],
        asides: &[Aside],
        question: Question,
        backend: &mut dyn Backend,
    ) -> Result<Answer, Miss> {
        if let Some(text) = backend.verbatim(terms, constraints) {
            return self.answer_verbatim(terms, constraints, asides, question, backend, &text);
        }
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
        let mut asked: Vec<Part> = Vec::with_capacity(parts.len());
        for constraints in parts {
            if self.is_unit(terms, &constraints, asides, &mut model) {
                continue;
            }
            match self.decide_first(terms, &constraints, asides) {
                Some(Decided::Sat(own)) => own.iter().for_each(|(symbol, value)| {
                    model.set(symbol, value.clone());
                }),
                Some(Decided::Unsat(core)) => {
                    let core = core.and_then(|core| self.origins.core_of_query(terms, core));
                    return Ok(Answer::reused(Verdict::Unsat, None, core));
                }
                None => asked.push(self.canonize(terms, constraints, asides)),
            }
        }
        let records = self.fetch_all(&asked);
        let mut missing: Vec<Part> = Vec::new();
        for (part, record) in asked.into_iter().zip(records) {
            match self.look_up(terms, &part, record, &mut model) {
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
        if backend.grain() == Grain::Whole
            && let Some(core) = self.look_up_core(terms, &missing)
        {
            return Ok(Answer::reused(Verdict::Unsat, None, Some(core)));
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

    /// Answers new constraints on a path that is known to be satisfiable: only their slice matters.
    pub fn answer_focus(
        &mut self,
        terms: &mut Terms,
        focus: &Focus<'_>,
        question: Question,
        backend: &mut dyn Backend,
    ) -> Result<Answer, Miss> {
        self.begin_audit();
        let answer = self.counted(|engine| engine.answer_new(terms, focus, question, backend))?;
        if self.auditor.is_none() {
            return Ok(answer);
        }
        let all: Vec<TermId> = focus.constraints.iter().chain(focus.new).copied().collect();
        Ok(self.audit(terms, &all, &[], question, answer, backend))
    }

    fn answer_new(
        &mut self,
        terms: &mut Terms,
        focus: &Focus<'_>,
        question: Question,
        backend: &mut dyn Backend,
    ) -> Result<Answer, Miss> {
        let Focus { path, constraints, new, old } = *focus;
        if backend.is_verbatim(terms, constraints) || backend.is_verbatim(terms, new) {
            let all: Vec<TermId> = constraints.iter().chain(new).copied().collect();
            return self.answer_whole(terms, &all, &[], question, backend);
        }
        let mut pieces: Vec<TermId> = Vec::with_capacity(new.len());
        for &constraint in new {
            split_into(terms, constraint, &mut pieces);
        }
        if let Some(answer) = self.branch_natively(terms, path, constraints, &pieces, question) {
            return Ok(answer);
        }
        if !self.options.slice || question == Question::Model {
            let all: Vec<TermId> = constraints.iter().chain(new).copied().collect();
            return self.answer_whole(terms, &all, &[], question, backend);
        }
        let start = Instant::now();
        self.origins = Origins::default();
        let reached = self.canonizer.focus_all(terms, path, &pieces);
        let mut slice: Vec<TermId> = reached.iter().map(|&i| constraints[i as usize]).collect();
        let is_whole = slice.len() == constraints.len();
        slice.extend(pieces);
        self.stats.add(Stage::Slice, start.elapsed());
        let part = self.canonize(terms, slice, &[]);
        // Cells of one array may lie in several slices, and values are of whole arrays: one that has the cells of this slice says something
        // about the others, too.
        let cuts_arrays = !is_whole && part.canonical.leaves.iter().any(|l| matches!(l, Leaf::Cell(_)));
        if cuts_arrays && question == Question::Extension {
            let all: Vec<TermId> = constraints.iter().chain(new).copied().collect();
            return self.answer_whole(terms, &all, &[], Question::Model, backend);
        }
        self.stats.slices += 1;
        self.log(|| Event::Sliced { constraints: constraints.len() + 1, parts: 1 });
        let symbols: Vec<Leaf> = if is_whole { Vec::new() } else { part.canonical.leaves.clone() };
        let mut answer = self.answer_slice(terms, part, question, old, backend)?;
        if cuts_arrays {
            answer.model = None;
        } else if !is_whole {
            // A symbol that cancels out of the slice (`x < x + 1`) belongs to another, and so does its value.
            let own = |m: Model| {
                m.iter()
                    .filter(|(s, _)| symbols.contains(&Leaf::Symbol(*s)))
                    .map(|(s, v)| (s, v.clone()))
                    .collect()
            };
            answer.model = answer.model.map(own);
        }
        Ok(answer)
    }

    /// Answers the slice of new constraints on a path.
    fn answer_slice(
        &mut self,
        terms: &mut Terms,
        part: Part,
        question: Question,
        old: Option<OldValues<'_>>,
        backend: &mut dyn Backend,
    ) -> Result<Answer, Miss> {
        let mut model = Model::new();
        let record = self.fetch_for(&part);
        match self.look_up(terms, &part, record, &mut model) {
            // Sat without values does not say how the path goes on.
            Known::Sat { model: false } if question == Question::Extension => model = Model::new(),
            Known::Sat { model: covered } => {
                return Ok(Answer::reused(Verdict::Sat, covered.then_some(model), None));
            }
            Known::Unsat(core) => return Ok(Answer::reused(Verdict::Unsat, None, core)),
            Known::Missing => {}
        }
        if let Some(old) = old
            && self.vary(terms, &part, old, &mut model)
        {
            return Ok(Answer::reused(Verdict::Sat, Some(model), None));
        }
        if self.options.require_hit {
            return Err(Miss { constraints: part.constraints, key: part.canonical.key });
        }
        Ok(self.solve_parts(terms, &[part], question, backend, model, true))
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
        self.note_asked(&pieces);
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
        self.hit(Rung::Trivial);
        true
    }

    fn canonize(&mut self, terms: &Terms, constraints: Vec<TermId>, asides: &[Aside]) -> Part {
        let start = Instant::now();
        let canonical = self.canonizer.canonize_with(terms, &constraints, asides);
        self.stats.add(Stage::Canonize, start.elapsed());
        Part { constraints, canonical, is_plain: asides.is_empty() }
    }
}
