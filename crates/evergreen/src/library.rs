//! The library's front: terms, a path of constraints, questions.

use crate::arms::Arms;
use crate::backend::PartsBackend;
use crate::named::NamedModel;
use crate::settled::Asked;
use crate::{Error, describe_contradiction, describe_query};
use evergreen_canon::{Canonize, Mode, Path, Slice, split};
use evergreen_count::Counter;
use evergreen_reuse::{
    Answer, Components, Engine, Event, Miss, OldValues, Options, Query, Question, Reuse, Stats, Technique,
    Trust, Verdict,
};
use evergreen_smtlib::{print_sort, print_term};
use evergreen_solver::{Limits, Solver};
use evergreen_store::{Layered, OpenOptions, ReadOnly, Store, open_layers};
use evergreen_term::{Fun, SortError, SortId, SymbolId, TermId, Terms};
use std::sync::Arc;

/// Says how an [`Evergreen`] is to be made.
pub struct Builder {
    stores: Vec<String>,
    own_store: Option<Arc<dyn Store>>,
    open: OpenOptions,
    solver: Option<String>,
    own_solver: Option<Box<dyn Solver>>,
    limits: Limits,
    options: Options,
    components: Components,
    on_contradiction: Option<Reporter>,
}

/// Takes reports as text.
type Reporter = Arc<dyn Fn(&str) + Send + Sync>;

impl Builder {
    /// Adds a store: `memory:`, a directory, or a Redis address. Several are layers: looked up in order,
    /// written to the first at once and to the others in the background. Without any, the user's default
    /// store on disk is used; without the feature `disk`, one in memory.
    pub fn store(mut self, spec: &str) -> Builder {
        self.stores.push(spec.to_string());
        self
    }

    /// Uses a store of the caller's own.
    pub fn with_store(mut self, store: Arc<dyn Store>) -> Builder {
        self.own_store = Some(store);
        self
    }

    /// How stores are opened.
    pub fn open_options(mut self, open: OpenOptions) -> Builder {
        self.open = open;
        self
    }

    /// The solver for what is not found: a name or a command line, or `none`. Unless one is named it is z3 or
    /// cvc5, whichever is installed; with neither, and with `none`, what the cores in here do not decide is
    /// [`Verdict::Unknown`], and the reason names the theory that it needs.
    ///
    /// ```
    /// use evergreen::{Error, Evergreen, Fun, Question, SortId, Verdict};
    ///
    /// # fn main() -> Result<(), Error> {
    /// let mut evergreen = Evergreen::builder().store("memory:").solver("none").build()?;
    /// let (x, y) = (evergreen.constant("x", SortId::REAL), evergreen.constant("y", SortId::REAL));
    /// let less = evergreen.app(Fun::Lt, &[x, y])?;
    /// let Verdict::Unknown(why) = evergreen.check(&[less], Question::Sat)?.verdict else { panic!() };
    /// assert_eq!(why, "incomplete: needs real numbers; install z3, cvc5 or yices");
    /// # Ok(())
    /// # }
    /// ```
    pub fn solver(mut self, command: &str) -> Builder {
        self.solver = Some(command.to_string());
        self
    }

    /// Uses a solver of the caller's own.
    pub fn with_solver(mut self, solver: Box<dyn Solver>) -> Builder {
        self.own_solver = Some(solver);
        self
    }

    /// Uses a slicer of the caller's own. What shares symbols stays together whatever it says.
    pub fn with_slicer(mut self, slicer: Box<dyn Slice>) -> Builder {
        self.components.slicer = Some(slicer);
        self
    }

    /// Uses a canonizer of the caller's own. Its name is part of its keys, so its records are its own.
    pub fn with_canonizer(mut self, canonizer: Box<dyn Canonize>) -> Builder {
        self.components.canonizer = Some(canonizer);
        self
    }

    /// Uses a counter of the caller's own. Its name is part of the keys of its counts.
    pub fn with_counter(mut self, counter: Box<dyn Counter>) -> Builder {
        self.components.counter = Some(counter);
        self
    }

    /// What one solver call may use.
    pub fn limits(mut self, limits: Limits) -> Builder {
        self.limits = limits;
        self
    }

    /// Whether queries are cut into independent parts.
    pub fn slice(mut self, on: bool) -> Builder {
        self.options.slice = on;
        self
    }

    /// Whether what one constraint fixes is put into the others before slicing.
    pub fn propagate(mut self, on: bool) -> Builder {
        self.options.propagate = on;
        self
    }

    /// How queries are canonized.
    pub fn canon(mut self, mode: Mode) -> Builder {
        self.options.canon = mode;
        self
    }

    /// Which rungs of the reuse ladder are used.
    pub fn reuse(mut self, reuse: Reuse) -> Builder {
        self.options.reuse = reuse;
        self
    }

    /// Does exactly what a technique of the papers does, for comparisons. Canonical form and reuse are the
    /// technique's, nothing is decided without a solver, and its records are seen by itself only. Linear
    /// integer constraints are what the papers cover; others are reused when they are asked again as they
    /// are.
    ///
    /// ```
    /// # #[cfg(not(feature = "processes"))]
    /// # fn main() {}
    /// use evergreen::{Evergreen, Fun, Question, SortId, Technique};
    ///
    /// # #[cfg(feature = "processes")]
    /// # fn main() -> Result<(), evergreen::Error> {
    /// let builder = Evergreen::builder().store("memory:").solver("z3");
    /// let mut evergreen = builder.strict(Technique::Green).build()?;
    /// let x = evergreen.constant("x", SortId::INT);
    /// let [zero, two, four] = [0, 2, 4].map(|number| evergreen.terms().int(number));
    /// let twice = evergreen.app(Fun::Mul, &[two, x])?;
    /// for (sum, constant) in [(twice, four), (x, two)] {
    ///     let sum = evergreen.app(Fun::Add, &[sum, constant])?;
    ///     let at_most = evergreen.app(Fun::Le, &[sum, zero])?;
    ///     evergreen.check(&[at_most], Question::Sat)?;
    /// }
    /// // Green does not divide: 2x+4 <= 0 and x+2 <= 0 have two keys.
    /// assert_eq!(evergreen.stats().solved, 2);
    /// # Ok(())
    /// # }
    /// ```
    pub fn strict(mut self, technique: Technique) -> Builder {
        self.options.strict = Some(technique);
        self
    }

    /// Whose records are used without evidence: those of stores on this machine, unless said otherwise. What
    /// comes from elsewhere is used when its model evaluates to true or its certificate is accepted.
    pub fn trust(mut self, trust: Trust) -> Builder {
        self.options.trust = trust;
        self
    }

    /// Whether linear integer constraints, bit vectors and arrays of bits are decided without a solver
    /// process.
    pub fn native(mut self, on: bool) -> Builder {
        self.options.native = on;
        self
    }

    /// Whether old models are tried on new parts; only at the level [`Reuse::Full`].
    pub fn models(mut self, on: bool) -> Builder {
        self.options.models = on;
        self
    }

    /// Whether rungs that do not pay are tried rarely; only at the level [`Reuse::Full`].
    pub fn regulate(mut self, on: bool) -> Builder {
        self.options.regulate = on;
        self
    }

    /// Has a share of the reused answers, between 0 and 1, solved again and compared. A contradiction is
    /// reported, its entries are removed from the store, and the solver's answer is given. [`Stats::audits`]
    /// counts all of it.
    pub fn audit(mut self, rate: f64, report: impl Fn(&str) + Send + Sync + 'static) -> Builder {
        self.options.audit = rate;
        self.on_contradiction = Some(Arc::new(report));
        self
    }

    /// A query that is not in the store is an error, and nothing is written.
    pub fn require_hit(mut self) -> Builder {
        self.options.require_hit = true;
        self
    }

    /// Sets all stages at once.
    pub fn engine(mut self, options: Options) -> Builder {
        self.options = options;
        self
    }

    /// Keeps an event log, see [`Evergreen::take_events`].
    pub fn log_events(mut self) -> Builder {
        self.options.log = true;
        self
    }

    /// Opens the stores. A solver that is named is looked for and started when something has to be solved; if
    /// it is not installed then, that question is an [`Error::Solver`].
    ///
    /// ```
    /// use evergreen::{Error, Evergreen, Fun, Question, SortId, Verdict};
    ///
    /// # fn main() -> Result<(), Error> {
    /// let mut evergreen = Evergreen::builder().store("memory:").solver("no-such-solver").build()?;
    /// let (x, y) = (evergreen.constant("x", SortId::INT), evergreen.constant("y", SortId::INT));
    /// let less = evergreen.app(Fun::Lt, &[x, y])?;
    /// // The native core decides this by itself ...
    /// assert_eq!(evergreen.check(&[less], Question::Sat)?.verdict, Verdict::Sat);
    /// // ... and products it leaves to a solver.
    /// let product = evergreen.app(Fun::Mul, &[x, y])?;
    /// let same = evergreen.app(Fun::Eq, &[product, x])?;
    /// assert!(matches!(evergreen.check(&[less, same], Question::Sat), Err(Error::Solver(_))));
    /// # Ok(())
    /// # }
    /// ```
    pub fn build(self) -> Result<Evergreen, Error> {
        let options = self.options.restricted();
        let store = match self.own_store {
            Some(store) => store,
            None => {
                let specs = match &self.stores[..] {
                    #[cfg(feature = "disk")]
                    [] => vec![evergreen_store::default_path()?.to_string_lossy().into_owned()],
                    #[cfg(not(feature = "disk"))]
                    [] => vec!["memory:".to_string()],
                    given => given.to_vec(),
                };
                let open = OpenOptions { spread: options.trust.into(), ..self.open };
                let layers: Layered = open_layers(&specs, &open, Arc::new(|_: &str| {}))?;
                Arc::new(layers) as Arc<dyn Store>
            }
        };
        // What other rungs than the exact one find would be recorded.
        let store = if options.require_hit { Arc::new(ReadOnly::new(store)) } else { store };
        let solver = match self.own_solver {
            Some(solver) => solver,
            None => crate::program::program(self.solver.as_deref(), self.limits, options.reuse)?,
        };
        Ok(Evergreen {
            terms: Terms::new(),
            engine: Engine::new(Some(store.clone()), options).with_components(self.components),
            backend: PartsBackend::new(solver, Some(store.clone())),
            store,
            index: Path::new(),
            path: Vec::new(),
            marks: Vec::new(),
            feasible: 0,
            arms: Arms::default(),
            on_contradiction: self.on_contradiction,
        })
    }
}

/// A reuse layer in front of a solver: an arena of terms, a path of constraints, and questions about them.
pub struct Evergreen {
    pub(crate) terms: Terms,
    pub(crate) engine: Engine,
    backend: PartsBackend,
    store: Arc<dyn Store>,
    index: Path,
    pub(crate) path: Vec<TermId>,
    /// Length of the path before each push.
    marks: Vec<usize>,
    /// So many constraints of the path are known to be satisfiable together.
    feasible: usize,
    arms: Arms,
    on_contradiction: Option<Reporter>,
}

impl Evergreen {
    /// Starts with the defaults: the user's store on disk, the installed solver, all stages on.
    pub fn builder() -> Builder {
        Builder {
            stores: Vec::new(),
            own_store: None,
            open: OpenOptions::default(),
            solver: None,
            own_solver: None,
            limits: Limits::default(),
            options: Options::default(),
            components: Components::default(),
            on_contradiction: None,
        }
    }

    /// Starts over with an empty arena and an empty path: every term made so far is gone. Store, solver,
    /// counters and events stay. For callers whose queries share no terms, so that the arena does not grow
    /// without bound.
    pub fn renew(&mut self) {
        self.terms = Terms::new();
        self.engine.renew();
        self.backend.renew();
        self.index = Path::new();
        self.path.clear();
        self.marks.clear();
        self.feasible = 0;
        self.arms.clear();
    }

    /// Keeps an event log from now on, as [`Builder::log_events`] does from the beginning.
    pub fn log_events(&mut self) {
        self.engine.log_events();
    }

    /// The arena, for building terms.
    pub fn terms(&mut self) -> &mut Terms {
        &mut self.terms
    }

    /// The declared constant of that name and sort.
    pub fn constant(&mut self, name: &str, sort: SortId) -> TermId {
        self.terms.constant(name, sort)
    }

    /// An interpreted function applied to arguments.
    pub fn app(&mut self, fun: Fun, args: &[TermId]) -> Result<TermId, SortError> {
        self.terms.app(fun, args)
    }

    /// Extends the path by a constraint.
    ///
    /// A path is known to be satisfiable when it is empty, and when it is extended by what a question
    /// ([`Evergreen::branch`]) has just found satisfiable; then only the slice of a new constraint is asked
    /// about. After any other push nothing is known of the path, and the next question is about all of it:
    ///
    /// ```
    /// use evergreen::{Evergreen, Fun, Question, SortId, Verdict};
    ///
    /// # fn main() -> Result<(), evergreen::Error> {
    /// let mut evergreen = Evergreen::builder().store("memory:").build()?;
    /// let (x, y) = (evergreen.constant("x", SortId::INT), evergreen.constant("y", SortId::INT));
    /// let zero = evergreen.terms().int(0);
    /// let negative = evergreen.app(Fun::Lt, &[x, zero])?;
    /// let positive = evergreen.app(Fun::Gt, &[x, zero])?;
    /// evergreen.push(negative)?;
    /// evergreen.push(positive)?;
    /// // It has nothing to do with x, and still cannot hold on a path that contradicts itself.
    /// let other = evergreen.app(Fun::Lt, &[y, zero])?;
    /// assert_eq!(evergreen.branch(other, Question::Sat)?.verdict, Verdict::Unsat);
    /// # Ok(())
    /// # }
    /// ```
    pub fn push(&mut self, constraint: TermId) -> Result<(), Error> {
        self.push_all(&[constraint])
    }

    /// Extends the path by several constraints at once; one [`Evergreen::pop`] takes them all back.
    pub fn push_all(&mut self, constraints: &[TermId]) -> Result<(), Error> {
        self.require_constraints(constraints)?;
        let stays_feasible = self.is_feasible() && (constraints.is_empty() || self.arms.contain(constraints));
        self.extend(constraints);
        if stays_feasible {
            self.feasible = self.path.len();
        }
        Ok(())
    }

    /// Extends the path by constraints under which the caller knows it to be satisfiable: a program ran along
    /// it, say, or the same path was answered before. If that is wrong, so are the answers that follow.
    pub fn push_feasible(&mut self, constraints: &[TermId]) -> Result<(), Error> {
        self.require_constraints(constraints)?;
        self.extend(constraints);
        self.feasible = self.path.len();
        Ok(())
    }

    fn extend(&mut self, constraints: &[TermId]) {
        self.marks.push(self.path.len());
        self.arms.push();
        for &constraint in constraints {
            for piece in split(&mut self.terms, constraint) {
                self.engine.canonizer().extend(&self.terms, &mut self.index, piece);
                self.path.push(piece);
            }
        }
    }

    /// Whether the path is known to be satisfiable.
    pub fn is_feasible(&self) -> bool {
        self.feasible == self.path.len()
    }

    /// Constraints are terms of this arena, of sort Bool.
    pub(crate) fn require_constraints(&self, constraints: &[TermId]) -> Result<(), Error> {
        for &constraint in constraints {
            if !self.terms.owns(constraint) {
                return Err(Error::ForeignTerm);
            }
            let sort = self.terms.sort_of(constraint);
            if sort != SortId::BOOL {
                let term = print_term(&self.terms, constraint);
                return Err(Error::NotBoolean { term, sort: print_sort(&self.terms, sort) });
            }
        }
        Ok(())
    }

    /// Takes the last push back. Does nothing on an empty path.
    pub fn pop(&mut self) {
        if let Some(mark) = self.marks.pop() {
            while self.path.len() > mark {
                self.path.pop();
                self.index.pop();
            }
            self.feasible = self.feasible.min(self.path.len());
            self.arms.pop();
        }
    }

    /// The number of pushes that make the path.
    pub fn depth(&self) -> usize {
        self.marks.len()
    }

    /// Can the path go on under a new constraint? On a path that is known to be satisfiable only the slice
    /// that the constraint depends on is asked about, else all of it.
    pub fn branch(&mut self, new: TermId, question: Question) -> Result<Answer, Error> {
        self.branch_all(&[new], question)
    }

    /// Can the path go on under several new constraints together?
    pub fn branch_all(&mut self, new: &[TermId], question: Question) -> Result<Answer, Error> {
        self.branch_beside(new, question, None)
    }

    /// The same, with old values that lead along the path, as far as the caller has some: those of a test of
    /// an older version, say. Values near them may satisfy the new constraints, too; that is tried before a
    /// solver is asked.
    pub fn branch_beside(
        &mut self,
        new: &[TermId],
        question: Question,
        old: Option<OldValues<'_>>,
    ) -> Result<Answer, Error> {
        self.require_constraints(new)?;
        let answer = if self.is_feasible() {
            let query = Query::on_path(&self.index, &self.path, new, question).with_old(old);
            self.engine.answer(&mut self.terms, &query, &mut self.backend)
        } else {
            let all: Vec<TermId> = self.path.iter().chain(new).copied().collect();
            self.engine.answer(&mut self.terms, &Query::new(&all, question), &mut self.backend)
        };
        let answer = self.finish(answer)?;
        if answer.verdict == Verdict::Sat {
            // With the new constraints it is satisfiable, so it is without them.
            self.feasible = self.path.len();
            self.arms.add(new);
        }
        Ok(answer)
    }

    /// The model of the path, by name: values for all constants that occur on it.
    ///
    /// ```
    /// use evergreen::{Evergreen, Fun, SortId};
    ///
    /// # fn main() -> Result<(), evergreen::Error> {
    /// let mut evergreen = Evergreen::builder().store("memory:").build()?;
    /// let x = evergreen.constant("x", SortId::INT);
    /// let (two, four) = (evergreen.terms().int(2), evergreen.terms().int(4));
    /// for (fun, bound) in [(Fun::Gt, two), (Fun::Lt, four)] {
    ///     let constraint = evergreen.app(fun, &[x, bound])?;
    ///     evergreen.push(constraint)?;
    /// }
    /// let model = evergreen.model()?;
    /// assert_eq!(model.value("x").map(ToString::to_string).as_deref(), Some("3"));
    /// assert_eq!(model.to_string(), "x = 3");
    /// # Ok(())
    /// # }
    /// ```
    pub fn model(&mut self) -> Result<NamedModel, Error> {
        let path = self.path.clone();
        let answer = self.check(&path, Question::Model)?;
        match (answer.verdict, answer.model) {
            (Verdict::Sat, Some(model)) => {
                if self.path == path {
                    self.feasible = self.path.len();
                }
                Ok(NamedModel::of(&self.terms, &path, &model))
            }
            (Verdict::Sat, None) => Err(Error::NoModel("its values are not known".into())),
            (Verdict::Unsat, _) => Err(Error::NoModel("it is unsatisfiable".into())),
            (Verdict::Unknown(why), _) => Err(Error::NoModel(format!("it is undecided: {why}"))),
        }
    }

    /// Values for the new constraints and for what of the path they depend on, which depend on these
    /// constraints, on the values `near` that the path has, and on nothing else: not on what was asked
    /// before, and not on what the store knows. For new constraints under which the path can go on; none if
    /// no values are found. The caller lays them over those that are near.
    ///
    /// What is linear, and bit vectors and arrays of them, are settled by the cores in here, also where
    /// questions are not answered so. For the rest a solver is asked from a clean state; its values are kept.
    /// [`Stats::settling`] counts all of it.
    pub fn settle(
        &mut self,
        new: &[TermId],
        near: &dyn Fn(&Terms, SymbolId) -> Option<i64>,
    ) -> Option<evergreen_term::Model> {
        self.require_constraints(new).ok()?;
        let slice = self.engine.slice_on(&self.terms, &self.index, &self.path, new);
        let terms = &self.terms;
        if self.backend.is_standard()
            && let Some(model) = self.engine.settle(terms, &slice, &|symbol| near(terms, symbol))
        {
            return Some(model);
        }
        if self.backend.is_standard()
            && let Some(model) = crate::settled::settle_by_bits(&mut self.terms, &mut self.backend, &slice)
        {
            self.engine.settling_mut().native += 1;
            return Some(model);
        }
        let (settled, asked) = crate::settled::settle_by_solver(
            &mut self.terms,
            &mut self.backend,
            &*self.store,
            self.engine.may_solve(),
            &slice,
        );
        match asked {
            Asked::Nothing => {}
            Asked::Store => self.engine.settling_mut().stored += 1,
            Asked::Solver => self.engine.settling_mut().solver += 1,
        }
        settled
    }

    /// Are these constraints satisfiable, whatever the path?
    ///
    /// ```
    /// use evergreen::{Error, Evergreen, Question, SortId};
    ///
    /// # fn main() -> Result<(), Error> {
    /// let mut evergreen = Evergreen::builder().store("memory:").build()?;
    /// let n = evergreen.constant("n", SortId::INT);
    /// // An integer is no constraint.
    /// let why = evergreen.check(&[n], Question::Sat).unwrap_err();
    /// assert_eq!(why.to_string(), "constraint \"n\" has sort Int, not Bool");
    /// // Nor is a term of another arena.
    /// evergreen.renew();
    /// assert!(matches!(evergreen.check(&[n], Question::Sat), Err(Error::ForeignTerm)));
    /// # Ok(())
    /// # }
    /// ```
    pub fn check(&mut self, constraints: &[TermId], question: Question) -> Result<Answer, Error> {
        self.require_constraints(constraints)?;
        let query = Query::new(constraints, question);
        let answer = self.engine.answer(&mut self.terms, &query, &mut self.backend);
        self.finish(answer)
    }

    /// Reports what an audit found, and what kept a question from an answer.
    fn finish(&mut self, answer: Result<Answer, Miss>) -> Result<Answer, Error> {
        self.report_contradictions();
        if let Some(why) = self.backend.take_not_found()
            && matches!(answer, Ok(Answer { verdict: Verdict::Unknown(_), .. }))
        {
            return Err(why.into());
        }
        answer.map_err(|miss| missed(&self.terms, &miss))
    }

    /// Reports what audits found in the last question.
    fn report_contradictions(&mut self) {
        for found in self.engine.take_contradictions() {
            if let Some(report) = &self.on_contradiction {
                report(&describe_contradiction(&self.terms, &found));
            }
        }
    }

    /// Counters so far.
    pub fn stats(&self) -> &Stats {
        self.engine.stats()
    }

    /// Solver processes started so far.
    pub fn solver_starts(&self) -> u64 {
        self.backend.starts()
    }

    /// The events since the last call, if a log is kept.
    pub fn take_events(&mut self) -> Vec<Event> {
        self.engine.take_events()
    }

    /// Makes everything recorded so far durable. Dropping does this too.
    pub fn flush(&self) -> Result<(), Error> {
        Ok(self.store.flush()?)
    }
}

fn missed(terms: &Terms, miss: &Miss) -> Error {
    Error::Miss(describe_query(terms, &miss.constraints))
}
