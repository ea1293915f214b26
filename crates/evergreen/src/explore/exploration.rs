//! A program, a machine that runs it and an oracle that knows what is feasible; and the paths of its methods.

use super::calls::{Calls, Freedom, Whole, give, makes};
use super::complete::{Completion, complete};
use super::ending::{Detail, How, PathEnd, Subject, describe};
use super::inputs::Inputs;
use super::pairs::{Kept, KeptEnd};
use super::probability::{Distribution, Leak, Masses, Measure, Watched};
use super::program::{MethodRef, Program, ProgramError};
use super::seeds::{Ended, Followed, Seeding};
use super::{BranchOracle, Maker, shrink};
use crate::{Event, Stats};
use evergreen_classfile::Type;
use evergreen_explore::{
    Coverage, End, Explorer, Feasibility, Found, Machine, Options, Oracle, Path, Pause, Summary,
};
use evergreen_heap::Technique;
use evergreen_jvm::{
    Ending, Jvm, LazyCounts, LazyOptions, MakeLazy, MethodId, Options as JvmOptions, Place, State, Trap,
};
use evergreen_replay::{Build, TestCase};
use evergreen_symbolic::{Assignment, Cond, Exprs, Ints};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

/// Instructions of the pass that finds out which classes of the JDK a method needs.
const SCOUT_STEPS: u64 = 2_000_000;
/// Questions that may be asked to make the inputs of one finding small.
const SHRINK_QUESTIONS: usize = 400;
/// Of findings of one kind, so many are made small; the smallest is shown.
pub(super) const SHRUNK_OF_A_KIND: u32 = 8;

/// Inputs on which invariant and check disagree that are told, of a method.
const MOST_DISAGREEMENTS: usize = 3;

/// A program ready to be explored, method by method.
pub struct Exploration {
    pub(super) program: Program,
    pub(super) jvm: Jvm,
    base: State,
    pub(super) oracle: BranchOracle,
    pub(super) exprs: Rc<RefCell<Exprs>>,
    calls: Calls,
    pub(super) measure: Option<Measure>,
}

impl Exploration {
    /// Makes the machine for a program; `make` makes an [`crate::Evergreen`] for each writing of conditions.
    pub fn new(
        program: Program,
        ints: Ints,
        options: JvmOptions,
        make: Maker,
    ) -> Result<Exploration, ProgramError> {
        Exploration::on(Rc::new(RefCell::new(Exprs::new(ints))), program, options, make)
    }

    /// The machine for another version of the program, on the same expressions: inputs of one name are one input.
    pub fn beside(
        &self,
        program: Program,
        options: JvmOptions,
        make: Maker,
    ) -> Result<Exploration, ProgramError> {
        Exploration::on(self.exprs.clone(), program, options, make)
    }

    fn on(
        exprs: Rc<RefCell<Exprs>>,
        mut program: Program,
        options: JvmOptions,
        make: Maker,
    ) -> Result<Exploration, ProgramError> {
        let class_path = program.take_class_path();
        let class_path = class_path.ok_or_else(|| ProgramError("the program is already explored".into()))?;
        let mut jvm = Jvm::new(class_path, exprs.clone(), options).map_err(unmade)?;
        let base = jvm.base_state().map_err(unmade)?;
        jvm.check_invariants().map_err(ProgramError)?;
        let oracle = BranchOracle::new(exprs.clone(), make);
        Ok(Exploration { program, jvm, base, oracle, exprs, calls: Calls::default(), measure: None })
    }

    /// The program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The oracle, for its counters.
    pub fn oracle(&self) -> &BranchOracle {
        &self.oracle
    }

    /// Asks about everything again, also what others have excluded.
    pub(super) fn forget_excluded(&mut self) {
        self.oracle.excluded = super::excluded::Excluded::default();
    }

    /// The machine, for its counters and guides.
    pub fn jvm(&mut self) -> &mut Jvm {
        &mut self.jvm
    }

    /// Has probabilities told from the next method on.
    pub fn measure(&mut self, measure: Measure) -> Result<(), ProgramError> {
        let masses = self.oracle.measure().map_err(|e| ProgramError(e.to_string()))?;
        masses.every_arm = measure.every_arm;
        self.measure = Some(measure);
        Ok(())
    }

    /// The events of counts so far, if an [`crate::Evergreen`] that keeps them was made.
    pub fn take_count_events(&mut self) -> Vec<Event> {
        self.oracle.masses_mut().map_or_else(Vec::new, Masses::take_events)
    }

    /// Has what offers choices under an invariant made by someone who keeps bounds and verdicts.
    pub fn make_lazy(&mut self, make: MakeLazy) {
        self.jvm.make_lazy = Some(make);
        self.jvm.forget_guides();
    }

    /// Objects as inputs are made in another way from the next method on.
    pub fn set_lazy(&mut self, options: Option<LazyOptions>) -> Result<(), ProgramError> {
        self.jvm.options.lazy = options;
        self.jvm.forget_guides();
        self.jvm.check_invariants().map_err(ProgramError)
    }

    /// Makes the guides of the objects that a method is given: a technique beyond LI needs one.
    fn guide(&mut self, method: &MethodRef) -> Result<(), ProgramError> {
        let Some(technique) = self.jvm.options.lazy.as_ref().map(|lazy| lazy.technique) else {
            return Ok(());
        };
        let own = (!method.is_static).then(|| method.class.to_string());
        let given = method.parameters.iter().filter_map(|(_, of)| match of {
            Type::Class(name) => Some(name.to_string()),
            _ => None,
        });
        let (mut guided, mut lazy) = (false, Vec::new());
        for name in own.into_iter().chain(given) {
            let Ok(class) = self.jvm.find_class(&name) else { continue };
            if self.jvm.guide_of(class).map_err(ProgramError)?.is_some() {
                guided = true;
            } else if self.jvm.can_be_lazy(class) {
                lazy.push(name.replace('/', "."));
            }
        }
        if technique > Technique::Li && !guided && !lazy.is_empty() {
            let name = technique.name();
            lazy.dedup();
            let simple = lazy[0].rsplit('.').next().unwrap_or(&lazy[0]);
            return Err(ProgramError(format!(
                "no invariant of {}, which --heap {name} needs\nhelp: write it into {simple}.inv beside the source, or give it with --invariant FILE; --heap li and --heap search need none",
                lazy.join(" or "),
            )));
        }
        Ok(())
    }

    /// Begins to explore a method.
    pub fn method(
        &mut self,
        method: &MethodRef,
        inputs: &Inputs,
        options: Options,
    ) -> Result<Run<'_>, ProgramError> {
        let (start, path, model) = self.begin(method, inputs)?;
        let watched = self.watch(method, inputs, &path)?;
        let explorer = Explorer::under(start, path, model, options);
        Ok(Run { watched, ..self.run(method, inputs, explorer) })
    }

    pub(super) fn run(
        &mut self,
        method: &MethodRef,
        inputs: &Inputs,
        explorer: Explorer<Jvm, BranchOracle>,
    ) -> Run<'_> {
        self.jvm.lazy_counts = LazyCounts::default();
        Run {
            method: method.clone(),
            inputs: inputs.clone(),
            explorer,
            exploration: self,
            tally: Tally::default(),
            detail: Detail::Full,
            seen: BTreeMap::new(),
            shrunk_of_a_kind: SHRUNK_OF_A_KIND,
            by_calls: true,
            kept: None,
            seeding: None,
            watched: None,
        }
    }

    /// The state in which a method begins, what is assumed then, and a model of that.
    pub(super) fn begin(
        &mut self,
        method: &MethodRef,
        inputs: &Inputs,
    ) -> Result<(State, Path<Cond>, Assignment), ProgramError> {
        let found = self.jvm.find(&method.class, &method.name, &method.descriptor).map_err(unmade)?;
        let id = found.ok_or_else(|| ProgramError(format!("no method {method}")))?;
        self.guide(method)?;
        self.jvm.options.drawn = inputs.drawn(method)?;
        let arguments = inputs.arguments(&mut self.jvm, &mut self.base, method)?;
        self.warm(id, &arguments);
        let conditions = inputs.conditions(
            &mut self.exprs.borrow_mut(),
            method,
            &self.jvm.options,
            self.program.classes(),
        )?;
        let (path, model) = self.assume(&conditions, inputs)?;
        let names = method.parameters.iter().map(|(name, _)| name.clone()).collect();
        Ok((self.jvm.start_named(&self.base, id, arguments, names), path, model))
    }

    /// Public calls that make the objects of a test case, if some are found.
    pub fn find_calls(&mut self, case: &TestCase) -> Option<Build> {
        let found = self.calls.find(&mut self.jvm, &self.base, case, &Freedom::new())?;
        Some(found.build)
    }

    /// Whether the public calls of a test case make its objects: those of an older test may have changed.
    pub fn makes(&mut self, case: &TestCase) -> bool {
        makes(&mut self.jvm, &self.base, case)
    }

    /// Initializes what a first path needs of the JDK, for all paths.
    fn warm(&mut self, method: MethodId, arguments: &[evergreen_jvm::Argument]) {
        let mut state = self.jvm.start(&self.base, method, arguments.to_vec());
        self.scout(&mut state);
        self.base = self.jvm.warm(&self.base, &state);
        for object in self.jvm.checked_objects(&state) {
            if let Some(mut check) = self.jvm.start_check(&state, object) {
                self.scout(&mut check);
                self.base = self.jvm.warm(&self.base, &check);
            }
        }
    }

    /// Runs one path to its end.
    fn scout(&mut self, state: &mut State) {
        let mut arms = Vec::new();
        let model = Assignment::new();
        while state.steps < SCOUT_STEPS {
            let arm = match self.jvm.run(state, SCOUT_STEPS, &mut arms) {
                Pause::Branch => {
                    arms.iter().position(|arm| self.exprs.borrow().holds(arm.constraint, &model))
                }
                // New objects are last.
                Pause::Choice => arms.len().checked_sub(1),
                _ => None,
            };
            let Some(arm) = arm else { break };
            self.jvm.take(state, arm);
        }
    }

    /// The path of the assumptions, and a model of it.
    fn assume(
        &mut self,
        conditions: &[Cond],
        inputs: &Inputs,
    ) -> Result<(Path<Cond>, Assignment), ProgramError> {
        let mut path = Path::new();
        let mut model = self.oracle.start();
        for &condition in conditions.iter().filter(|c| **c != Cond::TRUE) {
            let feasible = match condition {
                Cond::FALSE => Feasibility::Infeasible,
                condition if self.oracle.holds(condition, &model) => Feasibility::Feasible(model.clone()),
                condition => self.oracle.ask(&path, &model, condition),
            };
            let said = inputs.assumptions.join("' and '");
            match feasible {
                Feasibility::Feasible(next) => model = next,
                Feasibility::Infeasible => {
                    return Err(ProgramError(format!("no input satisfies the assumptions '{said}'")));
                }
                Feasibility::Unknown => {
                    return Err(ProgramError(format!("nobody could decide the assumptions '{said}'")));
                }
            }
            path = path.with(condition);
        }
        Ok((path, model))
    }
}

fn unmade(trap: Trap) -> ProgramError {
    match trap {
        Trap::Unsupported { what, help } if help.is_empty() => ProgramError(what),
        Trap::Unsupported { what, help } => ProgramError(format!("{what}\nhelp: {help}")),
        Trap::ThrowNew { class, message } => {
            let message = message.map(|m| format!(": {m}")).unwrap_or_default();
            ProgramError(format!("{}{message}", class.replace('/', ".")))
        }
        other => ProgramError(format!("the machine cannot begin: {other:?}")),
    }
}

/// What became of the paths of a method so far, beyond what the explorer counts.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Paths that returned, threw or left by `System.exit`.
    pub paths: u64,
    /// Paths on which an assumption of the driver does not hold.
    pub assumed: u64,
    /// Paths whose input no valid object has.
    pub invalid: u64,
    /// Paths of which nobody could say whether a valid object takes them; they have no test.
    pub doubtful: u64,
    /// Paths for which the invariant made an input that the class's own check refuses; they have no test. One of the two is wrong.
    pub disagrees: u64,
    /// Some of these inputs.
    pub disagreements: Vec<String>,
    /// What lazy heaps did.
    pub lazy: LazyCounts,
    /// Paths that the machine could not follow.
    pub unsupported: u64,
    /// Paths that bounds of the machine cut, by name.
    pub cut: BTreeMap<&'static str, u64>,
    /// Whether some parameter was not explored in all its values.
    pub partial: bool,
    /// Tests that are called with objects.
    pub graphs: u64,
    /// Of these, tests whose objects public calls make.
    pub built: u64,
    /// Questions that were asked to make the inputs of findings small, not to explore.
    pub shrinking: Stats,
}

/// A path that was only counted.
#[derive(Clone, Debug)]
pub struct Collected {
    /// How it ended; none if it was cut or could not be decided.
    pub ending: Option<Ending>,
    /// Objects of its input, roots included.
    pub objects: usize,
}

impl Collected {
    /// Whether it returned something other than `false` or 0, or nothing at all: what a study counts.
    pub fn is_structure(&self) -> bool {
        match self.ending {
            Some(Ending::Returned(value)) => value != Some(evergreen_jvm::Value::Int(0)),
            _ => false,
        }
    }
}

/// What becomes of the smaller inputs of a finding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Small {
    /// The path is told with them.
    Instead,
    /// The path is told with both: who tells it does not know how many of the kind come before.
    Beside,
}

/// An end that was told.
pub(super) struct Told {
    pub(super) end: One,
    /// The same with smaller inputs.
    pub(super) smaller: Option<One>,
    /// Whether the program ended it, not we.
    pub(super) is_outcome: bool,
    /// Of an exception: its class and place.
    pub(super) kind: Option<Kind>,
}

/// A path as it is told.
pub(super) struct One {
    pub(super) path: PathEnd,
    /// Whether its test is called with objects.
    is_graph: bool,
    /// Whether public calls make these.
    is_built: bool,
}

/// Class and place of an exception.
pub(super) type Kind = (Arc<str>, String);

/// The exploration of one method, path by path.
pub struct Run<'e> {
    pub(super) exploration: &'e mut Exploration,
    pub(super) explorer: Explorer<Jvm, BranchOracle>,
    method: MethodRef,
    inputs: Inputs,
    pub(super) tally: Tally,
    detail: Detail,
    /// How often each kind of exception was seen, by class and place.
    pub(super) seen: BTreeMap<Kind, u32>,
    pub(super) shrunk_of_a_kind: u32,
    /// Whether public calls are looked for that make the objects of tests.
    by_calls: bool,
    /// The ends of paths, if they are to be compared with those of another version.
    pub(super) kept: Option<Vec<Kept>>,
    /// Old tests, if there are some.
    pub(super) seeding: Option<Seeding>,
    /// How likely the paths are, if that is counted.
    pub(super) watched: Option<Watched>,
}

impl Run<'_> {
    /// How much is told of each path.
    pub fn telling(mut self, detail: Detail) -> Self {
        self.detail = detail;
        self
    }

    /// Leaves the inputs of findings as they were found.
    pub fn without_shrinking(mut self) -> Self {
        self.shrunk_of_a_kind = 0;
        self
    }

    /// Has tests make their objects field by field, even where public calls would make them.
    pub fn without_calls(mut self) -> Self {
        self.by_calls = false;
        self
    }

    /// Has progress told, at most every 100 ms.
    pub fn on_progress(mut self, tell: impl FnMut(&Summary) + 'static) -> Self {
        self.explorer = self.explorer.on_progress(tell);
        self
    }

    /// The end of the next path. Paths on which an assumption does not hold are no paths.
    pub fn next_path(&mut self) -> Option<PathEnd> {
        loop {
            let found = self.explorer.next(&mut self.exploration.jvm, &mut self.exploration.oracle)?;
            // Without an answer that must be in the store there is nothing to go on with.
            if self.exploration.oracle.trouble().error.is_some() {
                return None;
            }
            if let Some(path) = self.tell_found(found) {
                return Some(path);
            }
        }
    }

    /// Tells an end to whoever asks for the next path.
    pub(super) fn tell_found(&mut self, found: Found<Jvm, Assignment>) -> Option<PathEnd> {
        let told = self.tell(found, Small::Instead)?;
        self.tally.count_objects(&told.end);
        Some(told.end.path)
    }

    /// Tells an end that the explorer has found; nothing, if it is that of no path.
    pub(super) fn tell(&mut self, mut found: Found<Jvm, Assignment>, small: Small) -> Option<Told> {
        let Exploration { jvm, oracle, exprs, program, .. } = &mut *self.exploration;
        self.tally.lazy = jvm.lazy_counts;
        let likelihood = match (&mut self.watched, oracle.masses_mut()) {
            (Some(watched), Some(masses)) => Some(watched.end(jvm, masses, &found, self.detail)),
            _ => None,
        };
        let mut kept = self.seeding.as_mut().map_or_else(Vec::new, |seeding| {
            let subject = Subject { program, method: &self.method, inputs: &self.inputs };
            seeding.arrive(jvm, &subject, &mut found)
        });
        let seeding = self.seeding.as_mut();
        let (input, whole) = make_whole(jvm, oracle, &mut self.tally, seeding, &mut found, &mut kept)?;
        let (mut kind, mut smaller) = (None, None);
        if let End::Outcome(outcome) = &found.end {
            self.tally.count(&outcome.ending);
            self.tally.partial |= outcome.partial;
            match &outcome.ending {
                Ending::Assumed | Ending::Invalid => return None,
                Ending::Threw { class, place, .. } if kept.is_empty() => {
                    let key = (class.clone(), place.as_ref().map(Place::to_string).unwrap_or_default());
                    let seen = self.seen.entry(key.clone()).or_insert(0);
                    *seen += 1;
                    if *seen <= self.shrunk_of_a_kind {
                        let before = oracle.stats();
                        smaller = Some(shrink(oracle, exprs, &whole, &found.model, SHRINK_QUESTIONS));
                        self.tally.shrinking.add_all(&oracle.stats().since(&before));
                    }
                    kind = Some(key);
                }
                _ => {}
            }
        }
        let input = input.as_deref();
        let smaller = match smaller {
            Some(model) if small == Small::Beside => {
                let beside = Found { model, ..copy(&found) };
                Some(self.tell_whole(beside, input, &whole, Vec::new()))
            }
            Some(model) => {
                found.model = model;
                None
            }
            None => None,
        };
        if let (Some(ends), End::Outcome(outcome)) = (&mut self.kept, &found.end)
            && let Some(end) = KeptEnd::of(&mut self.exploration.jvm, outcome)
        {
            ends.push(Kept { path: found.path.clone(), model: found.model.clone(), end });
        }
        let is_outcome = matches!(found.end, End::Outcome(_));
        let mut end = self.tell_whole(found, input, &whole, kept);
        end.path.likelihood = likelihood;
        Some(Told { end, smaller, is_outcome, kind })
    }

    /// Tells an end whose input is whole.
    fn tell_whole(
        &mut self,
        found: Found<Jvm, Assignment>,
        input: Option<&State>,
        whole: &Path<Cond>,
        kept: Vec<usize>,
    ) -> One {
        let Exploration { jvm, program, base, calls, .. } = &mut *self.exploration;
        let (number, detail, model) = (self.tally.paths, self.detail, found.model.clone());
        let subject = Subject { program, method: &self.method, inputs: &self.inputs };
        let again = (self.by_calls && input.is_some() && kept.is_empty()).then(|| copy(&found));
        let seeded = self.seeding.is_some().then(|| (found.trail.clone(), found.state.clone()));
        let mut told = describe(jvm, &subject, found, input, number, detail);
        let is_graph = told.case.as_ref().is_some_and(|case| !case.objects.is_empty());
        let mut is_built = false;
        if is_graph && let (Some(mut again), Some(input)) = (again, input) {
            let whole = Whole { input, path: whole, model: &model };
            let tell = |jvm: &Jvm, model: Assignment| {
                again.model = model;
                describe(jvm, &subject, again, Some(input), number, detail)
            };
            is_built = give(calls, jvm, base, &mut told, &whole, tell);
        }
        if let (Some(seeding), Some((trail, state))) = (&mut self.seeding, seeded) {
            let ended = Ended { trail, read: &state, input: input.unwrap_or(&state) };
            seeding.tell(jvm, &ended, kept, &mut told);
        }
        One { path: told, is_graph, is_built }
    }

    /// The probabilities of the outcomes so far, if they are counted.
    pub fn distribution(&self) -> Option<&Distribution> {
        self.watched.as_ref().map(|watched| &watched.distribution)
    }

    /// What the outcomes so far tell about the secrets, if there are some.
    pub fn leak(&mut self) -> Option<Leak> {
        let Exploration { jvm, oracle, .. } = &mut *self.exploration;
        self.watched.as_ref()?.leak(jvm, oracle.masses_mut()?)
    }

    /// How the next path ended, and no more: its input is not completed, and nothing is told of it. For studies that count structures.
    pub fn next_collected(&mut self) -> Option<Collected> {
        let Exploration { jvm, oracle, .. } = &mut *self.exploration;
        let found = self.explorer.next(jvm, oracle)?;
        if oracle.trouble().error.is_some() {
            return None;
        }
        self.tally.lazy = jvm.lazy_counts;
        let objects = found.state.lazy().objects().len();
        if let End::Outcome(outcome) = &found.end {
            self.tally.count(&outcome.ending);
            self.tally.partial |= outcome.partial;
        }
        let ending = match found.end {
            End::Outcome(outcome) => Some(outcome.ending),
            _ => None,
        };
        Some(Collected { ending, objects })
    }

    /// The counters of the loop.
    pub fn summary(&self) -> Summary {
        self.explorer.summary()
    }

    /// What became of the paths.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// The arms taken so far.
    pub fn coverage(&self) -> &Coverage {
        self.explorer.coverage()
    }

    /// The method.
    pub fn method(&self) -> &MethodRef {
        &self.method
    }

    /// The oracle, for its counters.
    pub fn oracle(&self) -> &BranchOracle {
        &self.exploration.oracle
    }
}

/// Makes the input of a path whole, if it has objects: the state that has it, if there is one, and the conditions of path and input. `None` if
/// no valid input takes the path.
fn make_whole(
    jvm: &mut Jvm,
    oracle: &mut BranchOracle,
    tally: &mut Tally,
    mut seeding: Option<&mut Seeding>,
    found: &mut Found<Jvm, Assignment>,
    kept: &mut Vec<usize>,
) -> Option<(Option<Box<State>>, Path<Cond>)> {
    let is_path = matches!(&found.end, End::Outcome(outcome) if outcome.is_path());
    if !is_path || found.state.lazy().objects().is_empty() {
        return Some((None, found.path.clone()));
    }
    let followed = seeding.as_mut().map(|seeding| seeding.complete(jvm, oracle, found, kept));
    if let Some(Followed::Whole(state)) = followed {
        return Some((Some(state), found.path.clone()));
    }
    let completion = complete(jvm, oracle, found);
    if let (Some(seeding), false) = (seeding, kept.is_empty()) {
        let valid = match &completion {
            Completion::Valid { state, model, .. } => Some((&**state, model)),
            _ => None,
        };
        if let Some(state) = seeding.fill(jvm, oracle, found, kept, valid) {
            return Some((Some(state), found.path.clone()));
        }
    }
    match completion {
        Completion::Valid { state, path, model } => {
            found.model = model;
            return Some((Some(state), path));
        }
        Completion::Invalid => {
            tally.invalid += 1;
            return None;
        }
        Completion::Disagreement(input) => tally.disagree(input),
        Completion::Unknown => tally.doubtful += 1,
    }
    Some((None, found.path.clone()))
}

/// The end of a path once more.
fn copy(found: &Found<Jvm, Assignment>) -> Found<Jvm, Assignment> {
    Found {
        end: found.end.clone(),
        state: found.state.clone(),
        path: found.path.clone(),
        trail: found.trail.clone(),
        model: found.model.clone(),
        seeds: found.seeds.clone(),
    }
}

impl Iterator for Run<'_> {
    type Item = PathEnd;

    fn next(&mut self) -> Option<PathEnd> {
        self.next_path()
    }
}

impl Tally {
    /// Counts a test with objects.
    pub(super) fn count_objects(&mut self, told: &One) {
        self.graphs += u64::from(told.is_graph);
        self.built += u64::from(told.is_built);
    }

    /// Adds what became of other paths; but not those that whoever merges counts: paths, and tests with objects.
    pub(super) fn add(&mut self, other: &Tally) {
        self.assumed += other.assumed;
        self.invalid += other.invalid;
        self.doubtful += other.doubtful;
        self.disagrees += other.disagrees;
        self.disagreements.extend(other.disagreements.iter().cloned());
        self.disagreements.sort();
        self.disagreements.truncate(MOST_DISAGREEMENTS);
        self.lazy.add(&other.lazy);
        self.unsupported += other.unsupported;
        for (name, count) in &other.cut {
            *self.cut.entry(name).or_insert(0) += count;
        }
        self.partial |= other.partial;
        self.shrinking.add_all(&other.shrinking);
    }

    fn disagree(&mut self, input: String) {
        self.disagrees += 1;
        if self.disagreements.len() < MOST_DISAGREEMENTS {
            self.disagreements.push(input);
        }
    }

    fn count(&mut self, ending: &Ending) {
        match ending {
            Ending::Returned(_) | Ending::Threw { .. } | Ending::Exited(_) => self.paths += 1,
            Ending::Assumed => self.assumed += 1,
            Ending::Invalid => self.invalid += 1,
            Ending::Unsupported { .. } => self.unsupported += 1,
            Ending::Bound(bound) => *self.cut.entry(How::bound_name(*bound)).or_insert(0) += 1,
        }
    }
}
