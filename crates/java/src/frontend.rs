//! Java programs on the machine of `evergreen-jvm`, for the exploration service.

use crate::calls::{self, Calls, Freedom, give, makes};
use crate::case::target;
use crate::complete::{complete, follow};
use crate::decisions::Decisions;
use crate::ending::{bound_name, describe, inputs};
use crate::language::{Java, JavaCounts};
use crate::own_arms::{arms_of, taken_of};
use crate::seeds::{TestInputs, arrives, choose, input_names, keep, misfit};
use crate::severity::missing;
use crate::shown::{drawn, shown};
use crate::{Exploration, Inputs, MethodRef, PathEnd, Program, ProgramError};
use evergreen_classfile::Type;
use evergreen_deciding::probability::Shown;
use evergreen_deciding::{BranchOracle, Maker};
use evergreen_explore::{Arm, Found, Machine, Pause, Site};
use evergreen_heap::Technique;
use evergreen_jvm::{
    Ending, Jvm, LazyCounts, LazyOptions, MakeLazy, MethodId, Narrowed, Options as JvmOptions, Outcome,
    SawChoice, State, Trap,
};
use evergreen_replay::{Build, Target, TestCase};
use evergreen_service::{
    Begun, Completion, Described, Detail, EntryKey, Frontend, Sorted, Subject, TestGuide, Whole,
};
use evergreen_suite::Decision;
use evergreen_symbolic::{Assignment, Cond, Const, Expr, Exprs, Input, InputKind, Ints};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

/// Instructions of the pass that finds out which classes of the JDK a method needs.
const SCOUT_STEPS: u64 = 2_000_000;

/// Times that a first path is followed to find initializers that run ahead of all paths.
const MOST_AHEAD: usize = 8;

/// The longest arrays of random walks.
const LONG: u32 = 63;

/// The most calls on a receiver before the explored one, in random walks.
const CALLS_BEFORE: u32 = 6;

/// A Java program and the machine that runs it.
pub struct JavaFrontend {
    program: Program,
    /// The machine, for its counters, guides and options.
    pub jvm: Jvm,
    pub(crate) base: State,
    exprs: Rc<RefCell<Exprs>>,
    calls: Calls,
    /// The bounds that inputs are made beyond while there are random walks.
    within: Option<(u32, Narrowed, Narrowed)>,
}

impl JavaFrontend {
    /// Makes the machine for a program and the exploration of it; `make` makes an [`evergreen::Evergreen`]
    /// for each writing of conditions.
    ///
    /// # Errors
    /// The machine cannot begin, or an invariant does not fit its class.
    pub fn explore(
        program: Program,
        ints: Ints,
        options: JvmOptions,
        make: Maker,
    ) -> Result<Exploration, ProgramError> {
        JavaFrontend::on(Rc::new(RefCell::new(Exprs::new(ints))), program, options, make)
    }

    /// The exploration of another version of the program, on the same expressions: inputs of one name are one
    /// input.
    ///
    /// # Errors
    /// As [`JavaFrontend::explore`].
    pub fn beside(
        &self,
        program: Program,
        options: JvmOptions,
        make: Maker,
    ) -> Result<Exploration, ProgramError> {
        JavaFrontend::on(self.exprs.clone(), program, options, make)
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
        let front =
            JavaFrontend { program, jvm, base, exprs: exprs.clone(), calls: Calls::default(), within: None };
        Ok(Exploration::new(front, exprs, make))
    }

    /// The program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Has what offers choices under an invariant made by `make`, which may keep bounds and verdicts.
    pub fn make_lazy(&mut self, make: MakeLazy) {
        self.jvm.make_lazy = Some(make);
        self.jvm.forget_guides();
    }

    /// Objects as inputs are made in another way from the next method on.
    ///
    /// # Errors
    /// An invariant does not fit its class.
    pub fn set_lazy(&mut self, options: Option<LazyOptions>) -> Result<(), ProgramError> {
        self.jvm.options.lazy = options;
        self.jvm.forget_guides();
        self.jvm.check_invariants().map_err(ProgramError)
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
                "no invariant of {}, which --heap {name} needs\n\
                 help: write it into {simple}.inv beside the source, or give it with --invariant FILE; \
                 --heap li and --heap search need none",
                lazy.join(" or "),
            )));
        }
        Ok(())
    }

    /// Initializes what a first path needs of the JDK, for all paths.
    fn warm(&mut self, method: MethodId, arguments: &[evergreen_jvm::Argument]) {
        let state = self.initialize_ahead(method, arguments);
        for object in self.jvm.checked_objects(&state) {
            if let Some(mut check) = self.jvm.start_check(&state, object) {
                self.scout(&mut check);
                self.base = self.jvm.warm(&self.base, &check);
            }
        }
    }

    /// Runs the initializers that a first path needs, for all paths, and returns its last state. Behind a
    /// long initializer there may be others.
    fn initialize_ahead(&mut self, method: MethodId, arguments: &[evergreen_jvm::Argument]) -> State {
        let mut rounds = 0..MOST_AHEAD;
        loop {
            let mut state = self.jvm.start(&self.base, method, arguments.to_vec());
            self.jvm.note_initializers();
            self.scout(&mut state);
            self.base = self.jvm.warm(&self.base, &state);
            let mut is_further = false;
            for class in self.jvm.noted_initializers(&state) {
                is_further |= self.jvm.initialize_ahead(&mut self.base, class);
            }
            if !is_further || rounds.next().is_none() {
                return state;
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
}

impl Frontend for JavaFrontend {
    type Language = Java;
    type Machine = Jvm;
    type Seed = TestInputs;

    fn machine(&mut self) -> &mut Jvm {
        &mut self.jvm
    }

    fn as_machine(&self) -> &Jvm {
        &self.jvm
    }

    fn begin(&mut self, method: &MethodRef, inputs: &Inputs) -> Result<Begun<State>, ProgramError> {
        let found = self.jvm.find(&method.class, &method.name, &method.descriptor).map_err(unmade)?;
        let id = found.ok_or_else(|| ProgramError(format!("no method {method}")))?;
        self.guide(method)?;
        let most = self.jvm.options.input_length;
        self.jvm.options.drawn = inputs.drawn(method, self.program.classes())?;
        self.jvm.options.whole_lengths = inputs.whole_lengths(most);
        let arguments = inputs.arguments(&mut self.jvm, &mut self.base, method)?;
        self.jvm.judge_calls_from(&self.base);
        self.warm(id, &arguments);
        let conditions = inputs.conditions(
            &mut self.exprs.borrow_mut(),
            method,
            &self.jvm.options,
            self.program.classes(),
        )?;
        let assumptions = inputs.assumptions.join("' and '");
        let within = match assumptions.contains(".length") {
            true => {
                format!(" with lengths up to {most}\nhelp: --input-length N makes longer arrays and strings")
            }
            false => String::new(),
        };
        let names = method.parameters.iter().map(|(name, _)| name.clone()).collect();
        let start = self.jvm.start_named(&self.base, id, arguments, names);
        Ok(Begun { start, conditions, assumptions, within })
    }

    fn find(&self, (class, name, descriptor): &EntryKey) -> Option<MethodRef> {
        self.program.method(class, name, descriptor)
    }

    fn target(&self, method: &MethodRef) -> Target {
        target(&self.program, method)
    }

    fn sort(&self, outcome: &Outcome) -> Sorted {
        match &outcome.ending {
            Ending::Returned(_) | Ending::Exited(_) => Sorted::Ended,
            Ending::Threw { class, place, origin, .. } => match missing(&self.jvm, outcome) {
                Some((what, _)) => Sorted::Unsupported(what),
                None => {
                    // A null argument and a null of the program's own at one place are two findings.
                    let null = origin.as_ref().and_then(|origin| origin.null_parameter);
                    let null = if null.is_some() { " null" } else { "" };
                    let place = place.as_ref().map(ToString::to_string).unwrap_or_default();
                    Sorted::Failed(class.clone(), place + null)
                }
            },
            Ending::Assumed => Sorted::Assumed,
            Ending::Refused => Sorted::Refused,
            Ending::Invalid => Sorted::Invalid,
            Ending::Unsupported { what, .. } => Sorted::Unsupported(what.clone()),
            Ending::Bound(bound) => Sorted::Cut(bound_name(*bound)),
        }
    }

    fn is_path(&self, outcome: &Outcome) -> bool {
        outcome.is_path() && missing(&self.jvm, outcome).is_none()
    }

    fn describe(
        &mut self,
        subject: &Subject<'_, Java>,
        found: Found<Jvm, Assignment>,
        whole: &Whole<'_, State>,
        number: u64,
        detail: Detail,
    ) -> Described<Java> {
        let JavaFrontend { program, jvm, base, calls, .. } = self;
        let again = whole.calls.then(|| found.clone());
        let mut path = Box::new(describe(jvm, program, subject, found, whole.input, (number, detail)));
        let is_graph = path.case.as_ref().is_some_and(|case| !case.objects.is_empty());
        let mut is_built = false;
        if is_graph && let (Some(mut again), Some(input)) = (again, whole.input) {
            let model = again.model.clone();
            let whole = calls::Whole { input, path: whole.path, model: &model };
            let describe_with = |jvm: &Jvm, model: Assignment| {
                again.model = model;
                describe(jvm, program, subject, again, Some(input), (number, detail))
            };
            is_built = give(calls, jvm, base, &mut path, &whole, describe_with);
        }
        Described { path, is_graph, is_built }
    }

    fn site_name(&self, site: Site) -> Option<(Arc<str>, Arc<str>, Arc<str>, Option<u32>)> {
        let (method, instruction) = self.jvm.instruction(site)?;
        Some((method.class_name.clone(), method.name.clone(), method.descriptor.clone(), instruction))
    }

    fn decisions(&self) -> Box<dyn FnMut(&Jvm, Site, u32) -> Option<Decision>> {
        let mut decisions = Decisions::of(&self.program);
        Box::new(move |jvm, site, arm| decisions.at(jvm, site, arm))
    }

    fn arms(&self, method: &MethodRef) -> Vec<u64> {
        arms_of(&self.jvm, method)
    }

    fn arms_of_path(&self, method: &MethodRef, path: &PathEnd) -> Vec<u64> {
        path.beyond.taken.as_deref().map_or_else(Vec::new, |taken| taken_of(method, taken))
    }

    fn arms_of_walk(&self, method: &MethodRef, found: &Found<Jvm, Assignment>) -> Vec<u64> {
        let evergreen_explore::End::Outcome(outcome) = &found.end else { return Vec::new() };
        // What another run may choose otherwise is no test of an arm.
        if outcome.state.saw_choice() != SawChoice::Nowhere {
            return Vec::new();
        }
        let taken = self.jvm.arms_under(&outcome.state, &found.model);
        taken.map_or_else(Vec::new, |taken| taken_of(method, &taken))
    }

    fn widen(&mut self) {
        let options = &mut self.jvm.options;
        let kept = (options.input_length, self.jvm.narrowed_steps, self.jvm.narrowed_checks);
        self.within = Some(kept);
        (options.input_length, options.calls_before) = (options.input_length.max(LONG), CALLS_BEFORE);
    }

    fn narrow(&mut self) {
        let Some((length, steps, checks)) = self.within.take() else { return };
        (self.jvm.options.input_length, self.jvm.options.calls_before) = (length, 0);
        (self.jvm.narrowed_steps, self.jvm.narrowed_checks) = (steps, checks);
    }

    fn reset_counts(&mut self) {
        self.jvm.lazy_counts = LazyCounts::default();
        self.jvm.narrowed_steps = Narrowed::default();
    }

    fn fixed_because(&self, state: &State) -> Vec<String> {
        state.fixed_because().iter().map(|why| why.to_string()).collect()
    }

    fn count(&self, into: &mut JavaCounts) {
        into.lazy = self.jvm.lazy_counts;
    }

    fn count_path(&self, state: &State, into: &mut JavaCounts) {
        into.narrow(state.narrowed);
    }

    fn count_bounds(&self, into: &mut JavaCounts) {
        into.note(self.jvm.narrowed_steps, self.jvm.narrowed_checks);
    }

    fn restore_counts(&mut self, from: &JavaCounts) {
        self.jvm.lazy_counts = from.lazy;
    }

    fn is_partial(&self, state: &State) -> bool {
        !state.lazy().objects().is_empty()
    }

    fn complete(&mut self, oracle: &mut BranchOracle, found: &Found<Jvm, Assignment>) -> Completion<State> {
        complete(&mut self.jvm, oracle, found)
    }

    fn follow(
        &mut self,
        oracle: &mut BranchOracle,
        found: &Found<Jvm, Assignment>,
        guide: &mut TestGuide<JavaFrontend>,
        seed: usize,
    ) -> Result<(Box<State>, Assignment), String> {
        follow(&mut self.jvm, oracle, found, guide, seed)
    }

    /// Nor have the calls that make objects: references are null, and the receiver is a new object. Strings
    /// have a uniform distribution up to a length.
    fn can_measure(&mut self) -> Result<(), ProgramError> {
        self.jvm.options.nesting = 0;
        self.jvm.options.closed_strings = true;
        match self.jvm.options.lazy.is_some() {
            true => Err(ProgramError(
                "objects as inputs have no distribution: \
                 probabilities are for plain values, arrays and strings\n\
                 help: omit --heap, or write a driver that builds the objects by calls"
                    .into(),
            )),
            false => Ok(()),
        }
    }

    fn shown(&self, method: &MethodRef, outcome: &Outcome) -> Option<Shown> {
        let result = method.descriptor.rsplit(')').next().unwrap_or("V");
        shown(&self.jvm, outcome, result)
    }

    fn drawn(&self, outcome: &Outcome) -> Vec<(Arc<str>, Option<Input>)> {
        drawn(&self.jvm, outcome)
    }

    fn input(&self, exprs: &mut Exprs, method: &MethodRef, inputs: &Inputs, name: &str) -> Option<Expr> {
        inputs.input(exprs, method, &self.jvm.options, self.program.classes(), name)
    }

    fn misfit(&self, method: &MethodRef, case: &TestCase) -> Option<String> {
        misfit(method, case).or_else(|| {
            let objects = self.jvm.options.lazy.is_none() && !case.objects.is_empty();
            objects.then(|| "it has objects, and objects are no inputs without --heap".to_string())
        })
    }

    fn seed(&self, method: &MethodRef, case: &TestCase) -> TestInputs {
        TestInputs::new(case, method.parameters.iter().map(|(name, _)| &**name))
    }

    fn seed_value(
        jvm: &mut Jvm,
        seed: &TestInputs,
        name: &str,
        kind: InputKind,
    ) -> Result<Option<Const>, String> {
        seed.number(jvm, name, kind)
    }

    fn seed_choice(
        jvm: &mut Jvm,
        state: &State,
        arms: &[Arm<Cond>],
        seed: &TestInputs,
    ) -> Result<usize, String> {
        choose(jvm, state, arms, seed)
    }

    fn left_open(seed: &TestInputs) -> bool {
        seed.left_open.take()
    }

    fn input_name(jvm: &Jvm, state: &State, asked: &str) -> String {
        jvm.with_ways(state, asked)
    }

    fn input_names(jvm: &Jvm, method: &MethodRef, state: &State) -> Vec<String> {
        input_names(jvm, method, state)
    }

    fn arrives(
        &self,
        subject: &Subject<'_, Java>,
        case: &TestCase,
        found: &Found<Jvm, Assignment>,
        model: &Assignment,
    ) -> Result<(), String> {
        let evergreen_explore::End::Outcome(outcome) = &found.end else { return Err("it has no end".into()) };
        let own_inputs = inputs(&self.jvm, &self.program, subject, &outcome.state, model);
        let objects = self.jvm.input_objects(&found.state, model);
        arrives(case, &found.state, &own_inputs, &objects)
    }

    fn rebuild(&mut self, old: &TestCase, case: &mut TestCase, by_calls: bool) {
        case.build.clone_from(&old.build);
        if case.build.is_some() && !(old.objects == case.objects && self.makes(old)) {
            case.build = None;
            case.build = if by_calls { self.find_calls(case) } else { None };
        }
    }

    fn keep(&self, case: &TestCase, read: &State, input: &State, path: &mut PathEnd) -> Result<(), String> {
        keep(case, read, input, path)
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
