//! The machine: what all paths share, and the loop that runs a state until it has a choice.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use evergreen_classfile::ClassPath;
use evergreen_explore::{Arm, Fixing, Hint, Machine, Nearby, Pause, Place, Site, Standing};
use evergreen_symbolic::{Cond, Expr, Exprs};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::classes::link::Natives;
use crate::classes::{Class, ClassId, Method, MethodId, Signature};
use crate::frame::{Frame, Role};
use crate::log::LoggedWay;
use crate::native::Trap;
use crate::outcome::{Ending, Outcome};
use crate::rope::Part;
use crate::state::{Pending, State};

/// The arguments of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Arguments {
    /// These texts, as UTF-16.
    Given(Vec<Vec<u16>>),
    /// Any, as far as lengths of inputs are bounded; none of them is null, as the JVM passes none.
    Any,
}

/// Bounds and choices of the machine.
#[derive(Clone, Debug)]
pub struct Options {
    /// The longest array that `new T[n]` makes of a symbolic `n`; longer ones are cut.
    pub array_length: u32,
    /// The longest array or string that is made for a parameter.
    pub input_length: u32,
    /// Frames on the stack before StackOverflowError.
    pub depth: usize,
    /// Objects that are alive before the path is cut.
    pub objects: usize,
    /// Bytes that are alive before the path is cut, about.
    pub heap_bytes: u64,
    /// Objects on the heap before garbage is collected.
    pub collect: usize,
    /// How deep the calls that make objects of the input are nested; 0 makes none.
    pub nesting: u32,
    /// How many other methods may be called on a receiver before the explored one.
    pub calls_before: u32,
    /// The most answers that a function of the input gives; paths with more are left out.
    pub answers: u32,
    /// Elements in all arrays made by one instruction before OutOfMemoryError.
    pub elements: usize,
    /// Longest primitive array whose symbolic index becomes a selection instead of one path per index.
    pub select: usize,
    /// Longest array of constants that is selected from by a tree of its runs; longer ones are tables.
    pub table: usize,
    /// Most paths that a symbolic index of any other array may give.
    pub indices: usize,
    /// Characters that symbolic strings are made of, both ends included.
    pub chars: (u16, u16),
    /// Inputs `a.length` that the caller bounds by `input_length`: the exploration excludes
    /// no longer array or string.
    pub whole_lengths: BTreeSet<String>,
    /// Whether strings as inputs have one of the lengths up to `input_length` from the beginning; else their
    /// lengths are chosen where the program looks.
    pub closed_strings: bool,
    /// How many branches of the user's classes are recorded along a path; see [`Jvm::arms_under`]. 0 is off.
    pub record: usize,
    /// The arguments of a program that is called by its `main(String[])`; without this they are an input like
    /// any other.
    pub main: Option<Arguments>,
    /// Settings for inputs that the program itself draws, by their names.
    pub drawn: BTreeMap<String, Drawn>,
    /// Whether references that are parameters of the explored method are never null.
    pub non_null: bool,
    /// Whether objects as inputs are lazy, and how; without this they are null.
    pub lazy: Option<crate::lazy::LazyOptions>,
}

/// The setting of an input that the program draws.
#[derive(Clone, PartialEq, Debug)]
pub enum Drawn {
    /// This number; booleans are 0 and 1.
    Whole(i64),
    /// This number, for a float or double.
    Real(f64),
    /// Between these, both included; the program may narrow it further.
    Range(i64, i64),
    /// This constant of an enum, or what this call makes: `RED`, `Fraction(int, int)`, `null`.
    Name(String),
    /// This text, UTF-16.
    Text(Arc<[u16]>),
}

impl Default for Options {
    fn default() -> Options {
        Options {
            array_length: 8,
            input_length: 3,
            nesting: 2,
            calls_before: 0,
            answers: 8,
            depth: 6_000,
            objects: 10_000_000,
            heap_bytes: 1 << 30,
            collect: 1_000_000,
            elements: 250_000_000,
            select: 256,
            table: 4096,
            indices: 64,
            chars: (0, u16::MAX),
            whole_lengths: BTreeSet::new(),
            closed_strings: false,
            record: 0,
            main: None,
            drawn: BTreeMap::new(),
            non_null: false,
            lazy: None,
        }
    }
}

/// The machine: classes, methods, constants and sites; everything that paths share. See
/// [`crate::State`] for the rest.
pub struct Jvm {
    /// The arena of expressions; the oracle has the other end.
    pub exprs: Rc<RefCell<Exprs>>,
    /// Bounds and choices.
    pub options: Options,
    pub(crate) class_path: ClassPath,
    pub(crate) classes: Vec<Rc<Class>>,
    pub(crate) methods: Vec<Rc<Method>>,
    pub(crate) by_name: FxHashMap<Arc<str>, ClassId>,
    /// Classes whose superclasses are being loaded.
    pub(crate) loading: Vec<Arc<str>>,
    pub(crate) signatures: FxHashMap<(Arc<str>, Arc<str>), Signature>,
    pub(crate) static_count: u32,
    /// The selected methods, by class of the receiver and resolved method.
    pub(crate) selected: FxHashMap<(ClassId, MethodId), MethodId>,
    pub(crate) natives: FxHashMap<&'static str, Rc<Natives>>,
    pub(crate) literals: FxHashMap<Rc<[u16]>, u32>,
    pub(crate) ropes: Vec<Rc<[crate::rope::Part]>>,
    pub(crate) rope_numbers: FxHashMap<Rc<[crate::rope::Part]>, u32>,
    /// The results of methods of `Character` for every character, by method and second argument.
    pub(crate) letters: FxHashMap<(MethodId, i32), crate::natives::Results>,
    /// Letters of two units that have another case, by the method that gives it, once they are asked for.
    pub(crate) cased_pairs: FxHashMap<&'static str, Rc<[crate::natives::CasedPairs]>>,
    /// Characters by the two bytes that UTF-16 has of them, low one first.
    pub(crate) paired: FxHashMap<(Expr, Expr), Expr>,
    /// Instructions that met null: method and program counter.
    pub(crate) null_sites: Vec<(MethodId, u32)>,
    /// Where operands come from, of methods in which a null was met.
    pub(crate) sources: FxHashMap<MethodId, Rc<crate::null::Sources>>,
    /// Whether every constructor sets a field to an object.
    pub(crate) always_set: FxHashMap<(ClassId, usize), bool>,
    /// The flow of control in methods whose branches were regions.
    pub(crate) flows: FxHashMap<MethodId, Option<Rc<RefCell<crate::flow::Flow>>>>,
    /// What becomes of answers of the machine, by the instruction that got them.
    pub(crate) fates: FxHashMap<(MethodId, u32, bool), crate::looked_at::Fate>,
    pub(crate) sites: Vec<(MethodId, u32)>,
    pub(crate) site_ids: FxHashMap<(MethodId, u32), Site>,
    /// The arms of the branch that a state was just paused at.
    pub(crate) arms: Vec<Arm<Cond>>,
    /// A trap found where none can be returned; taken before the next instruction.
    pub(crate) queued: Option<Trap>,
    pub(crate) free_slots: Vec<Vec<crate::Value>>,
    pub(crate) known: crate::known::Known,
    /// The counters of lazy heaps on all paths.
    pub lazy_counts: crate::lazy::LazyCounts,
    /// Objects that were strings of an input on some path.
    pub(crate) input_strings: FxHashSet<crate::value::Ref>,
    /// Whether there was an array of symbolic length on some path.
    pub(crate) has_open_arrays: bool,
    /// The jumps of a run that is tried, see [`Machine::nearby`].
    pub(crate) near: Option<Box<crate::near::Near>>,
    /// What texts such runs have compared, until it is asked for.
    pub(crate) compared_texts: Vec<Hint>,
    /// Bounds that instructions have met since this was last emptied, on any path.
    pub narrowed_steps: crate::narrowed::Narrowed,
    /// Bounds that checks of objects have met, on all paths so far.
    pub narrowed_checks: crate::narrowed::Narrowed,
    /// Invariants that are in use, and which of them each class follows.
    pub(crate) guides: Vec<crate::guide::Guide>,
    pub(crate) guide_numbers: FxHashMap<ClassId, Option<usize>>,
    /// The verdicts of checks of partial structures, by canonical form.
    pub(crate) verdicts: FxHashMap<Rc<[u32]>, bool>,
    /// The calls that make the objects of types.
    pub(crate) recipes: FxHashMap<(ClassId, bool), Rc<crate::made::Recipes>>,
    /// Initializers that were run for all paths.
    pub(crate) aheads: crate::classes::ahead::Aheads,
    /// How laborious those calls are.
    pub(crate) efforts: crate::made::Efforts,
    /// The classes of functions that are inputs, by interface.
    pub(crate) functions: FxHashMap<ClassId, ClassId>,
    /// Which classes the objects of types can have, and the inheritance relation of the program.
    pub(crate) kinds: FxHashMap<ClassId, Rc<crate::lazy::Kinds>>,
    pub(crate) family: Option<Rc<crate::lazy::Family>>,
    /// Makes what offers choices under an invariant; without this it is made anew.
    pub make_lazy: Option<crate::guide::MakeLazy>,
    /// The state that natives keep for all paths.
    pub natives_data: crate::natives::Shared,
    /// Why the path that was blocked last could not go on.
    pub(crate) blocked_by: FxHashMap<Site, String>,
    /// Operations for which numbers were no help.
    pub(crate) hopeless: BTreeSet<String>,
    /// What is assumed of recursive methods, if they are not followed.
    pub(crate) induction: Option<Box<crate::induction::Induction>>,
}

/// Why a stretch of instructions ended.
pub(crate) enum Flow {
    /// Another frame is on top, or the top frame waits for something.
    Frames,
    /// The state waits at a branch; [`Jvm::arms`] has its arms.
    Branch,
    /// The same, and inputs are free to go any way.
    Choice,
    /// The steps are used up.
    OutOfSteps,
    /// The state is at the end of its innermost region.
    Met,
    /// The path is over.
    Ended(Ending),
}

impl Jvm {
    /// A machine for the classes of a class path, which must contain a JDK.
    pub fn new(class_path: ClassPath, exprs: Rc<RefCell<Exprs>>, options: Options) -> Result<Jvm, Trap> {
        let mut jvm = Jvm {
            exprs,
            options,
            class_path,
            classes: Vec::new(),
            methods: Vec::new(),
            by_name: FxHashMap::default(),
            loading: Vec::new(),
            signatures: FxHashMap::default(),
            static_count: 0,
            selected: FxHashMap::default(),
            natives: crate::natives::table(),
            literals: FxHashMap::default(),
            ropes: Vec::new(),
            rope_numbers: FxHashMap::default(),
            letters: FxHashMap::default(),
            cased_pairs: FxHashMap::default(),
            paired: FxHashMap::default(),
            null_sites: Vec::new(),
            sources: FxHashMap::default(),
            always_set: FxHashMap::default(),
            flows: FxHashMap::default(),
            fates: FxHashMap::default(),
            sites: Vec::new(),
            site_ids: FxHashMap::default(),
            arms: Vec::new(),
            queued: None,
            free_slots: Vec::new(),
            known: crate::known::Known::default(),
            lazy_counts: crate::lazy::LazyCounts::default(),
            input_strings: FxHashSet::default(),
            has_open_arrays: false,
            near: None,
            compared_texts: Vec::new(),
            narrowed_steps: crate::narrowed::Narrowed::default(),
            narrowed_checks: crate::narrowed::Narrowed::default(),
            guides: Vec::new(),
            guide_numbers: FxHashMap::default(),
            verdicts: FxHashMap::default(),
            recipes: FxHashMap::default(),
            aheads: crate::classes::ahead::Aheads::default(),
            efforts: crate::made::Efforts::default(),
            functions: FxHashMap::default(),
            kinds: FxHashMap::default(),
            family: None,
            make_lazy: None,
            natives_data: crate::natives::Shared::default(),
            blocked_by: FxHashMap::default(),
            hopeless: BTreeSet::new(),
            induction: None,
        };
        jvm.find_known()?;
        Ok(jvm)
    }

    /// A class.
    #[inline]
    pub fn class(&self, id: ClassId) -> &Rc<Class> {
        &self.classes[id.0 as usize]
    }

    /// A method.
    #[inline]
    pub fn method(&self, id: MethodId) -> &Rc<Method> {
        &self.methods[id.0 as usize]
    }

    /// The place in the program that a site stands for.
    pub fn place(&self, site: Site) -> Option<Place> {
        let (method, pc) = self.sites.get(site.0 as usize)?;
        Some(self.place_of(self.method(*method), *pc))
    }

    /// The instruction that a site stands for: its method, and which of the method's instructions it is; none
    /// before the first one, where the method's inputs are chosen.
    pub fn instruction(&self, site: Site) -> Option<(&Rc<Method>, Option<u32>)> {
        let (method, pc) = self.sites.get(site.0 as usize)?;
        Some((self.method(*method), (*pc != u32::MAX).then_some(*pc)))
    }

    /// The place of an instruction. Inputs are chosen before the first one, and are shown there: no line of a
    /// class file is nearer to the parameters.
    pub fn place_of(&self, method: &Method, pc: u32) -> Place {
        let pc = if pc == u32::MAX { 0 } else { pc };
        let offset = method.code().and_then(|code| code.offsets.get(pc as usize).copied()).unwrap_or(0);
        Place {
            unit: method.class_name.clone(),
            function: method.name.clone(),
            signature: method.descriptor.clone(),
            offset,
            file: method.pool.file.as_ref().and_then(|file| file.source_file.clone()),
            line: method.line(pc).map(u32::from),
        }
    }

    /// Where a state is: the innermost frame with code, of the user's classes if there is one.
    pub fn here(&self, state: &State) -> Option<Place> {
        self.where_is(state).map(|(method, pc)| self.place_of(self.method(method), pc))
    }

    pub(crate) fn where_is(&self, state: &State) -> Option<(MethodId, u32)> {
        let with_code = || state.frames.iter().rev().filter(|frame| frame.method.code().is_some());
        // Of the driver API the caller is meant.
        let is_own =
            |frame: &&Rc<Frame>| frame.method.user && !frame.method.class_name.starts_with("evergreen/");
        let frame = with_code().find(is_own).or_else(|| with_code().next())?;
        Some((frame.method.id, frame.pc))
    }

    /// The site of an instruction.
    pub(crate) fn site(&mut self, method: MethodId, pc: u32) -> Site {
        let next = Site(self.sites.len() as u32);
        let site = *self.site_ids.entry((method, pc)).or_insert(next);
        if site == next {
            self.sites.push((method, pc));
        }
        site
    }

    /// The JDK whose classes run.
    pub(crate) fn jdk(&self) -> Option<&evergreen_classfile::Jdk> {
        self.class_path.jdk()
    }

    /// Its folder.
    pub(crate) fn java_home(&self) -> Option<&std::path::Path> {
        self.jdk().map(|jdk| jdk.home.as_path())
    }

    /// Runs a state to its end as long as it has no choice: for code that depends on no input. `None` if it
    /// has a choice, or needs more than `steps` instructions.
    pub fn run_concrete(&mut self, state: &mut State, steps: u64) -> Option<Ending> {
        let mut left = steps;
        match self.run_flow(state, &mut left) {
            Flow::Ended(ending) => Some(ending),
            _ => None,
        }
    }

    pub(crate) fn run_flow(&mut self, state: &mut State, left: &mut u64) -> Flow {
        self.queued = None;
        if state.lazy.impossible {
            return Flow::Ended(Ending::Invalid);
        }
        if state.is_met() {
            return Flow::Met;
        }
        loop {
            let flow = match self.next_flow(state, left) {
                Ok(flow) => flow,
                Err(trap) => self.flow_after(state, *trap),
            };
            if !matches!(flow, Flow::Frames) {
                return flow;
            }
        }
    }

    // One stretch of the top frame: an initialization, a native that continues, or instructions.
    fn next_flow(&mut self, state: &mut State, left: &mut u64) -> Result<Flow, Box<Trap>> {
        if let Some(trap) = self.queued.take() {
            return Err(trap.into());
        }
        let Some(frame) = state.frames.last() else {
            return self.enter(state);
        };
        match &frame.role {
            Role::Init { class, next } if *next != u32::MAX => {
                let (class, next) = (*class, *next);
                self.continue_init(state, class, next);
                Ok(Flow::Frames)
            }
            Role::Making(making) => {
                let making = making.clone();
                self.continue_making(state, &making)
            }
            Role::Native(resume) => {
                let resume = resume.clone();
                self.resume_native(state, resume)
            }
            _ => self.run_frame(state, left),
        }
    }

    // The effect of a trap on the state.
    fn flow_after(&mut self, state: &mut State, trap: Trap) -> Flow {
        let used = std::mem::take(&mut state.used);
        match trap {
            Trap::Throw(object) => self.throw(state, object, crate::thrown::Thrower::Statement),
            Trap::ThrowNew { class, message } => {
                let message = message.map(|text| vec![Part::text(&text)]);
                self.throw_new(state, &class, message)
            }
            Trap::ThrowRope { class, message } => self.throw_new(state, &class, Some(message)),
            Trap::Null => self.throw_null(state),
            Trap::Init(class) => {
                self.begin_init(state, class);
                Flow::Frames
            }
            Trap::Branch => Flow::Branch,
            Trap::Choice => Flow::Choice,
            Trap::Again => {
                state.forget_choices();
                Flow::Frames
            }
            Trap::Unsupported { what, help } => {
                // With lengths of arrays that are numbers it may go on.
                state.used = used;
                let unblocked = self.unblock(state);
                state.used = 0;
                match unblocked {
                    Ok(true) => {
                        state.forget_choices();
                        return Flow::Frames;
                    }
                    Err(Trap::Branch) => return Flow::Branch,
                    Ok(false) | Err(_) => {}
                }
                Flow::Ended(Ending::Unsupported { what, place: self.here(state), help })
            }
            Trap::End(ending) => Flow::Ended(*ending),
        }
    }

    fn outcome(&self, state: &State, ending: Ending) -> Outcome {
        Outcome {
            ending,
            output: state.output.iter().cloned().collect(),
            draws: state.draws.iter().cloned().collect(),
            parameters: state.parameters.to_vec(),
            trace: state.trace.steps(),
            steps: state.steps,
            narrowed: state.narrowed,
            state: Box::new(state.clone()),
        }
    }
}

/// So many instructions of initializers count as one of a path.
const INIT_SHARE: u64 = 16;

impl Machine for Jvm {
    type State = State;
    type Constraint = Cond;
    type Outcome = Outcome;

    fn run(&mut self, state: &mut State, steps: u64, arms: &mut Vec<Arm<Cond>>) -> Pause<Outcome> {
        arms.clear();
        let mut left = steps;
        let flow = self.run_flow(state, &mut left);
        match flow {
            Flow::Branch | Flow::Choice => {
                arms.append(&mut self.arms);
                if matches!(flow, Flow::Choice) { Pause::Choice } else { Pause::Branch }
            }
            Flow::OutOfSteps => Pause::OutOfSteps,
            Flow::Met => Pause::Met,
            Flow::Ended(ending) => Pause::Ended(self.outcome(state, ending)),
            Flow::Frames => unreachable!("run_flow continues until another flow"),
        }
    }

    fn take(&mut self, state: &mut State, arm: usize) {
        self.take_arm(state, arm);
    }

    fn stands_for(&self, path: (&mut State, &mut Outcome), merged: (&State, &Outcome)) -> Standing {
        path.0.narrowed.add_all(merged.0.narrowed);
        path.1.narrowed.add_all(merged.1.narrowed);
        let is_same = match (&path.1.ending, &merged.1.ending) {
            (Ending::Threw { class: a, .. }, Ending::Threw { class: b, .. }) => a == b,
            (Ending::Exited(a), Ending::Exited(b)) => a == b,
            (_, Ending::Unsupported { .. } | Ending::Bound(_)) => return Standing::Beside,
            (a, b) => std::mem::discriminant(a) == std::mem::discriminant(b),
        };
        if is_same { Standing::For } else { Standing::Against }
    }

    fn merging(&mut self) -> Option<&mut dyn evergreen_explore::Merging<State, Cond>> {
        Some(self)
    }

    fn blocked(&mut self, state: &State, outcome: &Outcome) -> Option<Arm<Cond>> {
        self.blocked_at(state, outcome)
    }

    fn fix(&mut self, state: &mut State, fixed: &[Cond]) {
        self.fix_inputs(state, fixed);
    }

    fn nearby(
        &mut self,
        state: &State,
        fixed: &[Cond],
        more: Fixing<'_, Cond>,
        steps: &mut u64,
    ) -> Vec<Nearby> {
        self.try_values(state, fixed, more, steps)
    }

    fn hints(&mut self, state: &State) -> Vec<Hint> {
        self.hints_for(state)
    }

    fn refuses(&self, outcome: &Outcome) -> bool {
        matches!(outcome.ending, Ending::Assumed | Ending::Refused)
    }

    /// Initializers of classes read tables and rules once, where a method loops for ever if it is that long.
    fn steps(&self, state: &State) -> u64 {
        state.steps.saturating_sub(state.init_steps) + state.init_steps / INIT_SHARE
    }
}

impl Jvm {
    pub(crate) fn take_arm(&mut self, state: &mut State, arm: usize) {
        match state.pending.take() {
            Some(Pending::Jump(site, targets, jumps)) => {
                state.trace.push(site, arm as u32);
                let holds = if arm == 0 { jumps.negated() } else { jumps };
                self.learn(state, holds);
                self.learn_length(state, holds);
                self.log(state, if arm == 0 { LoggedWay::Fallthrough } else { LoggedWay::Taken });
                jump(state, targets[arm]);
            }
            Some(Pending::Table(site, ways)) => {
                let (index, target) = ways[arm];
                state.trace.push(site, index);
                jump(state, target);
            }
            Some(Pending::Choice(site, cases) | Pending::Object(site, cases, _)) => {
                state.trace.push(site, cases[arm]);
                state.choices().push(cases[arm]);
            }
            None => {}
        }
    }
}

fn jump(state: &mut State, target: u32) {
    if let Some(frame) = state.top_mut() {
        frame.pc = target;
    }
}
