//! A program, a machine that runs it and an oracle that knows what is feasible; and the paths of its methods.

use super::calls::{Calls, Freedom, makes};
use super::inputs::Inputs;
use super::probability::{Masses, Measure};
use super::program::{MethodRef, Program, ProgramError};
use super::run::Run;
use super::{BranchOracle, Maker};
use evergreen::Event;
use evergreen_classfile::Type;
use evergreen_explore::{Explorer, Feasibility, Machine, Options, Oracle, Path, Pause};
use evergreen_heap::Technique;
use evergreen_jvm::{Jvm, LazyOptions, MakeLazy, MethodId, Options as JvmOptions, State, Trap};
use evergreen_replay::{Build, TestCase};
use evergreen_symbolic::{Assignment, Cond, Exprs, Ints};
use std::cell::RefCell;
use std::rc::Rc;

/// Instructions of the pass that finds out which classes of the JDK a method needs.
const SCOUT_STEPS: u64 = 2_000_000;

/// A program ready to be explored, method by method.
pub struct Exploration {
    pub(super) program: Program,
    pub(super) jvm: Jvm,
    pub(super) base: State,
    pub(super) oracle: BranchOracle,
    pub(super) exprs: Rc<RefCell<Exprs>>,
    pub(super) calls: Calls,
    pub(super) measure: Option<Measure>,
}

impl Exploration {
    /// Makes the machine for a program; `make` makes an [`evergreen::Evergreen`] for each writing of conditions.
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

    /// The events of counts so far, if an [`evergreen::Evergreen`] that keeps them was made.
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
        let mut run = self.run(method, inputs, explorer);
        run.watched = watched;
        Ok(run)
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
        self.jvm.options.whole_lengths = inputs.whole_lengths(self.jvm.options.input_length);
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
                    let most = self.jvm.options.input_length;
                    let within = match said.contains(".length") {
                        true => format!(
                            " with lengths up to {most}\nhelp: --input-length N makes longer arrays and strings"
                        ),
                        false => String::new(),
                    };
                    return Err(ProgramError(format!("no input satisfies the assumptions '{said}'{within}")));
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
