//! One path's state: everything that two paths may have differently. Cloning it is how paths fork.

use std::collections::BTreeMap;
use std::rc::Rc;

use evergreen_explore::Site;

use crate::classes::ClassId;
use crate::frame::Frame;
use crate::heap::Heap;
use crate::narrowed::Narrowed;
use crate::outcome::{Draw, Parameter, Piece};
use crate::pvec::PVec;
use crate::value::{Ref, Value};

/// How far a class's initialization is, on one path (JVMS 5.5).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClassState {
    /// No instruction has needed it yet.
    Untouched,
    /// Its initializer runs, in some frame of this state.
    Running,
    /// Ready.
    Done,
    /// Its initializer threw.
    Failed,
}

/// The pending decision of a state at a branch.
#[derive(Clone, Debug)]
pub(crate) enum Pending {
    /// Arms are jumps of the top frame: their targets, and the condition of the second.
    Jump(Site, [u32; 2], evergreen_symbolic::Cond),
    /// Arms are jumps of the top frame, many of them: the index of each among all of
    /// the switch, and its target.
    Table(Site, Rc<[(u32, u32)]>),
    /// Arms are answers to [`crate::Jvm::choose`]: the case that each stands for.
    Choice(Site, Rc<[u32]>),
    /// The same where inputs are free to take any arm, with the candidates.
    Object(Site, Rc<[u32]>, Rc<crate::lazy::Offer>),
}

/// One path's state.
#[derive(Clone)]
pub struct State {
    /// The frames, innermost last.
    pub frames: Vec<Rc<Frame>>,
    /// The objects.
    pub heap: Heap,
    /// Static fields of all classes, by the slots that linking gave them.
    pub statics: PVec<Value>,
    /// Initialization of classes, by class number; missing entries are untouched.
    pub(crate) class_states: PVec<ClassState>,
    /// Class mirrors by class number.
    pub(crate) mirrors: PVec<Option<Ref>>,
    /// Interned strings by literal number.
    pub(crate) literals: PVec<Option<Ref>>,
    /// How often each monitor is held.
    pub(crate) monitors: Rc<BTreeMap<Ref, u32>>,
    /// The output.
    pub output: PVec<Piece>,
    /// The values drawn through `Sym`.
    pub draws: PVec<Draw>,
    /// The explored method's parameters.
    pub parameters: Rc<Vec<Parameter>>,
    /// Values that natives keep per path, by names of their own.
    pub slots: Rc<BTreeMap<&'static str, Value>>,
    /// Symbolic branches so far.
    pub trace: Trace,
    /// All branches of the user's classes so far, if they are recorded.
    pub(crate) log: PVec<crate::log::Logged>,
    /// Instructions run so far.
    pub steps: u64,
    /// How many initializers of classes run, one inside of the other, and the instructions of initializers.
    pub(crate) initializing: u32,
    pub(crate) init_steps: u64,
    /// The bounds that its inputs have met.
    pub narrowed: Narrowed,
    /// The ends of the regions that the state is in, the innermost last.
    pub(crate) joins: Vec<crate::merge::Join>,
    /// The branch that the state waits at.
    pub(crate) pending: Option<Pending>,
    /// Answers to the choices of parameters, before there is a frame.
    pub(crate) choices: Vec<u32>,
    /// How many answers the running instruction has used since it was last begun.
    pub(crate) used: usize,
    /// The entry of the explored method, until all parameters are made.
    pub(crate) entry: Option<Rc<crate::entry::Entry>>,
    /// The receiver that was made for it.
    pub(crate) receiver: Option<Ref>,
    /// The object that was made last, for the entry.
    pub(crate) delivered: Option<Value>,
    /// The objects of the input that calls have made.
    pub(crate) made: Rc<crate::made::MadeInputs>,
    /// The objects of the input that are made as they are read.
    pub(crate) lazy: Rc<crate::lazy::LazyHeap>,
    /// The exceptions that were thrown last, and how each came about.
    pub(crate) thrown: Rc<Vec<(Ref, Rc<crate::thrown::Origin>)>>,
    /// The inputs that are numbers from some place on, because the machine could not go on with symbols.
    pub(crate) fixed: Rc<crate::blocked::Fixed>,
    /// The lengths that arrays of the input can still have.
    pub(crate) lengths: Rc<Vec<crate::lengths::Lengths>>,
    /// The threads beside the one that runs.
    pub(crate) threads: Rc<crate::natives::Threads>,
}

impl Default for State {
    fn default() -> State {
        State::new()
    }
}

impl State {
    /// A state with nothing in it.
    pub fn new() -> State {
        State {
            frames: Vec::new(),
            heap: Heap::default(),
            statics: PVec::new(),
            class_states: PVec::new(),
            mirrors: PVec::new(),
            literals: PVec::new(),
            monitors: Rc::default(),
            output: PVec::new(),
            draws: PVec::new(),
            parameters: Rc::default(),
            slots: Rc::default(),
            trace: Trace::default(),
            log: PVec::new(),
            steps: 0,
            initializing: 0,
            init_steps: 0,
            narrowed: Narrowed::default(),
            joins: Vec::new(),
            pending: None,
            choices: Vec::new(),
            used: 0,
            entry: None,
            receiver: None,
            delivered: None,
            made: Rc::default(),
            lazy: Rc::default(),
            thrown: Rc::default(),
            fixed: Rc::default(),
            lengths: Rc::default(),
            threads: Rc::default(),
        }
    }

    /// How far a class's initialization is.
    #[inline]
    pub fn class_state(&self, class: ClassId) -> ClassState {
        self.class_states.get(class.0 as usize).copied().unwrap_or(ClassState::Untouched)
    }

    /// Notes how far a class's initialization is.
    pub fn set_class_state(&mut self, class: ClassId, state: ClassState) {
        self.class_states.grow(class.0 as usize + 1, ClassState::Untouched);
        self.class_states.set(class.0 as usize, state);
    }

    /// The running frame.
    pub fn top(&self) -> Option<&Frame> {
        self.frames.last().map(|frame| &**frame)
    }

    /// Answers to the choices of the running instruction.
    pub(crate) fn choices(&mut self) -> &mut Vec<u32> {
        match self.frames.last_mut() {
            Some(frame) => &mut Rc::make_mut(frame).choices,
            None => &mut self.choices,
        }
    }

    /// The running instruction is done, or given up: its answers are used up.
    pub(crate) fn forget_choices(&mut self) {
        self.used = 0;
        if self.top().is_some_and(|frame| !frame.choices.is_empty()) {
            self.choices().clear();
        }
    }

    /// The running frame, to be written.
    #[inline]
    pub fn top_mut(&mut self) -> Option<&mut Frame> {
        self.frames.last_mut().map(Rc::make_mut)
    }

    /// A static field; its class has been initialized.
    #[inline]
    pub fn get_static(&self, slot: u32) -> Value {
        self.statics.get(slot as usize).copied().unwrap_or(Value::Null)
    }

    /// Writes a static field.
    #[inline]
    pub fn set_static(&mut self, slot: u32, value: Value) {
        self.statics.grow(slot as usize + 1, Value::Null);
        self.statics.set(slot as usize, value);
    }

    /// A value that a native kept under `name`.
    pub fn slot(&self, name: &'static str) -> Option<Value> {
        self.slots.get(name).copied()
    }

    /// Keeps a value under `name`.
    pub fn set_slot(&mut self, name: &'static str, value: Value) {
        Rc::make_mut(&mut self.slots).insert(name, value);
    }
}

/// Branches along a path: a persistent list, newest first.
#[derive(Clone, Default)]
pub struct Trace(Option<Rc<Step>>);

struct Step {
    site: Site,
    arm: u32,
    before: Trace,
}

impl Trace {
    /// Notes that the path took `arm` at `site`.
    pub fn push(&mut self, site: Site, arm: u32) {
        let before = std::mem::take(self);
        self.0 = Some(Rc::new(Step { site, arm, before }));
    }

    /// The branches, oldest first.
    pub fn steps(&self) -> Vec<(Site, u32)> {
        let mut all = Vec::new();
        let mut here = self;
        while let Some(step) = &here.0 {
            all.push((step.site, step.arm));
            here = &step.before;
        }
        all.reverse();
        all
    }
}

// A long trace must not be dropped by recursion.
impl Drop for Trace {
    fn drop(&mut self) {
        let mut next = self.0.take();
        while let Some(step) = next {
            match Rc::try_unwrap(step) {
                Ok(mut step) => next = step.before.0.take(),
                Err(_) => break,
            }
        }
    }
}
