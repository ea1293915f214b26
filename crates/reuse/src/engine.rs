//! The path of a query, on one screen: [`Engine::climb`]. The ladder is `crates/reuse/src/ladder.rs`, with a
//! file for each rung; the other stages have a file each in this folder.

mod audit;
mod climb;
mod count;
mod open;
mod record;
mod refutation;
mod sets;
mod settle;
mod slice;
mod solve;
mod verbatim;
mod verify;

pub use audit::Contradiction;
pub(crate) use refutation::{Contradicted, Refutation};
pub(crate) use sets::Ground;
pub(crate) use verify::Refused;

use crate::answer::{Answer, Core, Question, Source, Verdict};
use crate::answered::AnsweredBy;
use crate::backend::Backend;
use crate::cores::{CoreIndex, NamelessIndex};
use crate::event::Event;
use crate::ladder::{Applied, Rung, index_of};
use crate::logic::Logic;
use crate::marking::marking;
use crate::native::Native;
use crate::origins::Origins;
use crate::query::Query;
use crate::regulate::Regulation;
use crate::stats::Stats;
use crate::strict::{StrictSets, Technique};
use crate::translate;
use crate::trust::Trust;
use crate::witness::Witnesses;
use evergreen_bits::Bits;
use evergreen_canon::{Canonical, Canonize, Canonizer, KeyBytes, Mode, Path, Propagator, Slice, Surface};
use evergreen_count::Counter;
use evergreen_store::Store;
use evergreen_term::{Model, TermId, Terms};
use open::{Open, Opened};
use std::rc::Rc;
use std::sync::Arc;

/// Which rungs of the reuse ladder are used.
///
/// Every level includes the ones before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Reuse {
    /// None: everything is solved, nothing is recorded. Where there is no solver the cores in here solve what
    /// they can.
    None,
    /// Records with the same key [Visser FSE'12].
    Exact,
    /// Satisfiable supersets and unsatisfiable subsets of the same constraints [Cadar OSDI'08].
    Subset,
    /// Sets that are related by implication [Jia ISSTA'15].
    Logical,
    /// All of it, and old models, cores of whole scripts and exhausted small domains; what does not pay is
    /// tried rarely.
    #[default]
    Full,
}

impl Reuse {
    /// Every level, from the least reuse to the most.
    pub const ALL: [Reuse; 5] = [Reuse::None, Reuse::Exact, Reuse::Subset, Reuse::Logical, Reuse::Full];

    /// The name in flags and reports.
    pub fn name(self) -> &'static str {
        match self {
            Reuse::None => "none",
            Reuse::Exact => "exact",
            Reuse::Subset => "subset",
            Reuse::Logical => "logical",
            Reuse::Full => "full",
        }
    }
}

/// What is done with cores at [`Reuse::Full`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Cores {
    /// Nothing.
    Off,
    /// Recorded ones answer queries that contain them.
    LookUp,
    /// And those of fresh unsat answers are recorded; whole scripts are searched for theirs when they have
    /// many assertions.
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
    /// Put what one constraint fixes into the others before slicing. Only with slicing and the full canonical
    /// form.
    pub propagate: bool,
    /// How queries are brought into canonical form.
    pub canon: Mode,
    /// Which rungs are used.
    pub reuse: Reuse,
    /// A technique of the papers, exactly: it sets all of these but slicing, checks, trust and namespace.
    pub strict: Option<Technique>,
    /// What is done with cores, if the rungs include them.
    pub cores: Cores,
    /// Evaluate constraints under models before giving them out. Models from where it is not trusted always
    /// are.
    pub check: bool,
    /// Whose records are used without evidence.
    pub trust: Trust,
    /// A part that is not found is an error, never solved.
    pub require_hit: bool,
    /// Keeps keys apart, for studies or for teams that do not want to share.
    pub namespace: String,
    /// Decide without a solver process what the cores in here can: conjunctions of linear integer
    /// constraints, before anything is looked up at the level `Full`; bit vectors, arrays of bits and truth
    /// values, before a solver is asked.
    pub native: bool,
    /// Try old models on new parts, at the level `Full`.
    pub models: bool,
    /// Let rungs that do not pay be tried rarely at the level `Full`, and long searches be given up at those
    /// below. Off for studies.
    pub regulate: bool,
    /// The share of reused answers, between 0 and 1, that is solved again and compared:
    /// [`Engine::take_contradictions`].
    pub audit: f64,
    /// Keep an event log.
    pub log: bool,
}

impl Options {
    /// The options of a strict technique; without one, these.
    pub fn restricted(mut self) -> Options {
        if let Some(technique) = self.strict {
            technique.restrict(&mut self);
        }
        self
    }

    /// A canonizer for one arena. A strict technique has keys of its own.
    fn canonizer(&self) -> Canonizer {
        let canonizer = Canonizer::new(self.canon);
        match self.strict {
            None => canonizer.with_namespace(&self.namespace),
            Some(technique) => canonizer.with_namespace(&format!("{}/{}", technique.name(), self.namespace)),
        }
    }
}

impl Default for Options {
    fn default() -> Options {
        Options {
            slice: true,
            propagate: true,
            canon: Mode::Full,
            reuse: Reuse::Full,
            strict: None,
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
#[non_exhaustive]
pub struct Miss {
    /// Its constraints.
    pub constraints: Vec<TermId>,
    /// Its key.
    pub key: KeyBytes,
}

impl Miss {
    fn of(part: Part) -> Miss {
        Miss { constraints: part.constraints, key: part.canonical.key }
    }
}

/// A part of a query, with its key.
pub(crate) struct Part {
    pub(crate) constraints: Vec<TermId>,
    pub(crate) canonical: Rc<Canonical>,
    /// Nothing is asked beside the constraints: any model will do.
    pub(crate) is_plain: bool,
}

impl Part {
    /// Adds a model of the part to that of the query.
    pub(crate) fn join(&self, terms: &Terms, own: &Model, model: &mut Model) {
        if model.is_empty() {
            *model = own.clone();
            return;
        }
        for (symbol, value) in own.iter() {
            translate::merge(terms, model, symbol, value, &self.canonical.leaves);
        }
    }
}

/// What is known of a part.
pub(crate) enum Known {
    /// Satisfiable; whether the query's model now covers the part.
    Sat {
        model: bool,
    },
    Unsat(Option<Core>),
}

/// What a rung found out about a part.
pub(crate) enum Found {
    /// Satisfiable, by these values of the part's symbols.
    Sat(Model),
    /// Unsatisfiable, because of these of the part's constraints.
    Unsat(Refutation),
}

/// New constraints on a path, split at their surface.
pub(crate) struct OnPath<'p> {
    pub(crate) path: &'p Path,
    pub(crate) constraints: &'p [TermId],
    pub(crate) pieces: &'p [TermId],
    pub(crate) question: Question,
}

/// Answers queries over one arena of terms, from a store where it can and by a backend where it cannot.
pub struct Engine {
    pub(crate) canonizer: Canonizer,
    pub(crate) surface: Surface,
    pub(crate) propagator: Propagator,
    pub(crate) store: Option<Arc<dyn Store>>,
    pub(crate) options: Options,
    pub(crate) stats: Stats,
    pub(crate) events: Vec<Event>,
    /// The steps of the ladder that it takes: where a solver can be asked, and where none can.
    steps: [climb::Steps; 2],
    /// The caller's old values of bits, if the current query is a branch.
    pub(crate) near: Option<Model>,
    /// No solver can be asked about the current query.
    pub(crate) unaided: bool,
    /// Nobody will ask for a core of the current query.
    is_coreless: bool,
    /// Nobody will ask for values, and nothing is to be checked under them.
    pub(crate) is_modelless: bool,
    /// The last rung of the ladder that answered a part of the current query.
    last_rung: Option<Rung>,
    /// Of the query that is being answered.
    pub(crate) origins: Origins,
    pub(crate) witnesses: Witnesses,
    pub(crate) applied: Applied,
    regulation: Regulation,
    pub(crate) native: Native,
    pub(crate) bits: Bits,
    pub(crate) logic: Option<Logic>,
    pub(crate) strict: Option<StrictSets>,
    pub(crate) cores: Option<CoreIndex>,
    pub(crate) nameless: Option<NamelessIndex>,
    /// The constraints of the query that is being answered, split at their surface, in the order in which
    /// they were asked; only kept for cores.
    pub(crate) asked: Vec<TermId>,
    /// New constraints on a path, split at their surface. Kept for its memory.
    pieces: Vec<TermId>,
    /// Kept for its memory.
    seen: slice::Seen,
    /// Kept for its memory.
    settling: settle::Slice,
    auditor: Option<audit::Auditor>,
    /// A counter of the caller's own.
    counter: Option<Box<dyn Counter>>,
}

/// Components of the caller's own: those that are missing are ours.
#[derive(Default)]
pub struct Components {
    /// Says which constraints belong together.
    pub slicer: Option<Box<dyn Slice>>,
    /// Brings conjunctions into a form of its own.
    pub canonizer: Option<Box<dyn Canonize>>,
    /// Counts solutions.
    pub counter: Option<Box<dyn Counter>>,
}

impl Engine {
    /// An engine over a store; without one nothing is reused or recorded.
    pub fn new(store: Option<Arc<dyn Store>>, options: Options) -> Engine {
        let options = options.restricted();
        let canonizer = options.canonizer();
        let store = store.filter(|_| options.reuse != Reuse::None);
        let store = store.map(|store| marking(store, options.trust));
        let logic = sets::logic_of(&options, store.as_ref());
        let strict = StrictSets::new(&options, store.as_ref());
        let (cores, nameless) = index_of(&options, store.as_ref()).unzip();
        let auditor = audit::Auditor::new(options.audit);
        let steps = climb::Steps::both(&options, cores.is_some());
        Engine {
            canonizer,
            surface: Surface::default(),
            propagator: Propagator::default(),
            store,
            steps,
            options,
            stats: Stats::default(),
            events: Vec::new(),
            near: None,
            unaided: false,
            is_coreless: false,
            is_modelless: false,
            last_rung: None,
            origins: Origins::default(),
            witnesses: Witnesses::default(),
            applied: Applied::default(),
            regulation: Regulation::default(),
            native: Native::default(),
            bits: Bits::new(),
            logic,
            strict,
            cores,
            nameless,
            asked: Vec::new(),
            pieces: Vec::new(),
            seen: slice::Seen::default(),
            settling: settle::Slice::default(),
            auditor,
            counter: None,
        }
    }

    /// Takes components of the caller's own. Before the first question.
    #[must_use]
    pub fn with_components(mut self, components: Components) -> Engine {
        let Components { slicer, canonizer, counter } = components;
        // A form of the caller's own may be wrong: its models are always evaluated.
        self.options.check |= canonizer.is_some();
        self.canonizer = self.canonizer.with_components(slicer, canonizer);
        self.counter = counter;
        self
    }

    /// Counters so far.
    pub fn stats(&self) -> &Stats {
        &self.stats
    }

    /// Keeps an event log from now on.
    pub fn log_events(&mut self) {
        self.options.log = true;
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
        let (slicer, canonizer) = self.canonizer.take_components();
        self.canonizer = self.options.canonizer().with_components(slicer, canonizer);
        self.surface = Surface::default();
        self.propagator = Propagator::default();
        self.seen = slice::Seen::default();
        self.applied = Applied::default();
        self.native = Native::default();
        self.bits = Bits::new();
    }

    /// Forgets what it has read of the store's sets and cores, which it reads again when it needs them: an
    /// index of everything that a long session has found grows for as long as that runs.
    pub fn forget_sets(&mut self) {
        if self.store.is_some() {
            self.logic = sets::logic_of(&self.options, self.store.as_ref());
            (self.cores, self.nameless) = index_of(&self.options, self.store.as_ref()).unzip();
        }
    }

    /// The canonizer, for callers that keep a [`Path`].
    pub fn canonizer(&mut self) -> &mut Canonizer {
        &mut self.canonizer
    }

    /// Answers a query: slice, canonize, climb the ladder, solve what no rung answers, check, record.
    pub fn answer(
        &mut self,
        terms: &mut Terms,
        query: &Query<'_>,
        backend: &mut dyn Backend,
    ) -> Result<Answer, Miss> {
        self.unaided = backend.is_absent();
        self.is_coreless = query.is_coreless;
        self.is_modelless = query.is_modelless && self.auditor.is_none();
        self.begin_audit();
        let answer = self.counted(|engine| engine.answer_checked(terms, query, backend))?;
        if self.auditor.is_none() {
            return Ok(answer);
        }
        let query = Query { constraints: &query.all(), branch: None, ..*query };
        Ok(self.audit(terms, &query, answer, backend))
    }

    /// The values of a query that was answered as satisfiable a moment ago, without them
    /// ([`Query::without_model`]). It is the same question, so it is not counted again.
    pub fn recall(
        &mut self,
        terms: &mut Terms,
        query: &Query<'_>,
        backend: &mut dyn Backend,
    ) -> Option<Model> {
        let (stats, events) = (self.stats.clone(), self.events.len());
        let require_hit = std::mem::replace(&mut self.options.require_hit, true);
        self.is_modelless = false;
        let answer = self.answer_checked(terms, query, backend);
        self.options.require_hit = require_hit;
        self.stats = stats;
        self.events.truncate(events);
        answer.ok().filter(|answer| answer.verdict == Verdict::Sat)?.model
    }

    /// Counts a question under what answered it. Every question comes through here, once.
    fn counted(&mut self, answer: impl FnOnce(&mut Engine) -> Result<Answer, Miss>) -> Result<Answer, Miss> {
        self.last_rung = None;
        let mut answer = answer(self);
        let by = match &answer {
            Err(_) => AnsweredBy::Missing,
            Ok(Answer { verdict: Verdict::Unknown(_), .. }) => AnsweredBy::Unknown,
            Ok(Answer { source: Source::Solved, .. }) => AnsweredBy::Solver,
            // A query without constraints needs no rung.
            Ok(_) => AnsweredBy::Rung(self.last_rung.unwrap_or(Rung::Trivial)),
        };
        self.stats.queries += 1;
        self.stats.answered.count(by);
        if let Ok(answer) = &mut answer {
            answer.by = by;
        }
        answer
    }

    /// Parts are checked one by one, after propagation; here the query is checked as it was asked.
    fn answer_checked(
        &mut self,
        terms: &mut Terms,
        query: &Query<'_>,
        backend: &mut dyn Backend,
    ) -> Result<Answer, Miss> {
        if self.origins.is_propagated() {
            self.origins = Origins::default();
        }
        let answer = self.climb(terms, query, backend)?;
        let Some(model) = answer.model.as_ref().filter(|_| !self.origins.changed().is_empty()) else {
            return Ok(answer);
        };
        let origins = std::mem::take(&mut self.origins);
        match self.holds(terms, model, origins.changed()) {
            Some(true) => self.propagator.note_checked(),
            None => {}
            Some(false) => return self.climb_unpropagated(terms, query, backend),
        }
        Ok(answer)
    }

    /// A model does not satisfy the query that it was put together for: something that propagation made of it
    /// is wrong.
    fn climb_unpropagated(
        &mut self,
        terms: &mut Terms,
        query: &Query<'_>,
        backend: &mut dyn Backend,
    ) -> Result<Answer, Miss> {
        self.propagator.forget();
        self.stats.rejected += 1;
        self.options.propagate = false;
        let again = self.climb(terms, query, backend);
        self.options.propagate = true;
        again
    }

    /// The path of a query: the steps of the ladder, in the order of `crates/reuse/src/ladder.rs`, then a
    /// solver.
    fn climb(
        &mut self,
        terms: &mut Terms,
        query: &Query<'_>,
        backend: &mut dyn Backend,
    ) -> Result<Answer, Miss> {
        let Open { mut parts, mut model, bounds } = match self.open(terms, query, backend)? {
            Opened::Answered(answer) => return Ok(answer),
            Opened::Parts(open) => open,
            Opened::Whole(question) => {
                let constraints = &query.all();
                let whole = Query { constraints, asides: &[], question, branch: None, ..*query };
                return self.climb(terms, &whole, backend);
            }
        };
        let mut modelled = true;
        // By their places: a part that is found stays where it is.
        let mut missing: Vec<usize> = Vec::new();
        let records = self.fetch_all(&parts);
        self.near = self.near_bits(terms, query, &parts);
        for (place, (part, record)) in parts.iter().zip(records).enumerate() {
            match self.climb_key(terms, part, record, &mut model) {
                // Sat without values does not say how a path goes on.
                Some(Known::Sat { model: false }) if query.wants_extension() => missing.push(place),
                Some(Known::Sat { model: covered }) => modelled &= covered,
                Some(Known::Unsat(core)) => return Ok(Answer::reused(Verdict::Unsat, None, core)),
                None => missing.push(place),
            }
        }
        let known = if missing.is_empty() {
            Some(Known::Sat { model: modelled })
        } else {
            let mut places = 0..parts.len();
            parts.retain(|_| places.next().is_some_and(|place| missing.binary_search(&place).is_ok()));
            self.climb_rest(terms, query, &parts, &mut model, backend.grain())
        };
        let mut answer = match known {
            Some(Known::Unsat(core)) => Answer::reused(Verdict::Unsat, None, core),
            Some(Known::Sat { model: covered }) => {
                Answer::reused(Verdict::Sat, covered.then_some(model), None)
            }
            None if self.options.require_hit => return Err(Miss::of(parts.swap_remove(0))),
            None => self.solve(terms, query, &parts, backend, model, modelled),
        };
        bounds.apply(&mut answer);
        if self.is_modelless {
            answer.model = None;
        }
        Ok(answer)
    }

    /// A core of constraints of parts as one of the query's own, if somebody may ask for it.
    pub(crate) fn core_of_query(&self, terms: &mut Terms, core: Core) -> Option<Core> {
        if self.is_coreless { None } else { self.origins.core_of_query(terms, core) }
    }

    pub(crate) fn log(&mut self, event: impl FnOnce() -> Event) {
        if self.options.log {
            self.events.push(event());
        }
    }
}
