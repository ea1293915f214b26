//! The machine: instantiates a module, runs states to their next branch, and takes arms.
//!
//! An instruction that depends on inputs in more than one way asks for its decisions one by one
//! ([`WasmMachine::decide`]). The first that is not made yet ends the run with the arms; when an arm is taken
//! the instruction is executed again and finds the decision made. So nothing of an instruction may change the
//! state before its last decision, and no instruction needs a way of its own to be continued.

mod begin;

pub(crate) use begin::initial;

use crate::Trap;
use crate::heap::ALIGNMENT;
use crate::lazy;
use crate::lifetimes;
use crate::limits::Limits;
use crate::module::{ExportKind, Initial, Module};
use crate::natives::{self, Native};
use crate::outcome::{Ended, Failure, FailureKind, Outcome};
use crate::state::{Slot, State};
use evergreen_explore::{Arm, Machine, Pause, Site, Standing};
use evergreen_symbolic::{Cond, Const, Expr, Exprs, Kind, Rel};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;

/// How a machine runs.
#[derive(Clone, Debug)]
pub struct Options {
    /// Whether frequent functions of the C library are done at once rather than by their own code.
    pub models: bool,
    /// Whether the allocator is followed and accesses are checked.
    pub checks: bool,
    /// Whether objects that nobody can free any more are findings when the program ends.
    pub leaks: bool,
    /// Most nested calls.
    pub most_calls: u32,
}

impl Default for Options {
    fn default() -> Options {
        Options { models: true, checks: true, leaks: false, most_calls: 10_000 }
    }
}

/// Numbers that a value may be one of, to be told apart one by one.
const MOST_LEAVES: usize = 32;

/// Functions of C libraries that read a text by words, past its end but never past a word that begins in it.
/// Portable libraries bring `rawmemchr` and `memrchr` with them, written in this way.
const READ_WORDS: [&str; 14] = [
    "rawmemchr",
    "memrchr",
    "strlen",
    "memchr",
    "stpcpy",
    "__stpcpy",
    "stpncpy",
    "__stpncpy",
    "strchrnul",
    "__strchrnul",
    "memccpy",
    "strlcpy",
    "strcpy",
    "strncpy",
];

/// Bytes that a checked program's memory may have: as many as a replay gives it.
pub(crate) const MOST_BYTES: u32 = 256 << 20;

/// Why an instruction is not finished.
pub(crate) enum Stop {
    /// Arms were offered.
    Branch,
    /// The state has changed: the instruction begins anew, without the decisions that it has made.
    Again,
    /// The state is at the end of its innermost region.
    Met,
    /// The path is over.
    End(Box<Outcome>),
}

impl Stop {
    pub(crate) fn end(outcome: Outcome) -> Stop {
        Stop::End(Box::new(outcome))
    }
}

pub(crate) type Done<T> = Result<T, Stop>;

/// Runs the functions of one module.
pub struct WasmMachine {
    pub(crate) module: Rc<Module>,
    pub(crate) exprs: Rc<RefCell<Exprs>>,
    pub(crate) options: Options,
    /// What is done instead of a function's code; by function.
    pub(crate) natives: Rc<Vec<Option<Native>>>,
    /// Functions of the C library that read whole words where a text may end; by function.
    pub(crate) reads_words: Vec<bool>,
    /// Functions whose frame lies below the stack pointer; by function.
    pub(crate) leaves: Vec<bool>,
    pub(crate) offered: Vec<Arm<Cond>>,
    /// Where the heap begins, and where the stack and the data are.
    pub(crate) layout: Layout,
    /// The state after initialization, with an empty world.
    pub(crate) begun: Option<State>,
    /// Which instructions were executed.
    pub(crate) executed: Vec<bool>,
    /// What inputs can be, by name.
    pub(crate) limits: Limits,
    /// Which arms of conditional instructions were taken; those of a site begin at its number in `first_arm`.
    pub(crate) taken: Vec<bool>,
    pub(crate) first_arm: Vec<u32>,
    /// How often one of both was set.
    pub(crate) news: u64,
    /// The conditions of the arms of tables, by site and index. A loop meets the same ones on every path.
    pub(crate) table_arms: FxHashMap<(u32, Expr), Rc<[Cond]>>,
    /// The flow of control in functions whose branches were regions.
    pub(crate) flows: FxHashMap<u32, Rc<RefCell<crate::flow::Flow>>>,
}

/// Where things are in memory.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Layout {
    pub(crate) stack_top: u32,
    /// The heap, and in it a red zone before its first object.
    pub(crate) heap: u32,
    /// Where objects of inputs begin; they end where objects of the program begin. 0 if there are none.
    pub(crate) arena: u32,
    pub(crate) first_object: u32,
}

impl WasmMachine {
    /// A machine for a module.
    pub fn new(module: Rc<Module>, exprs: Rc<RefCell<Exprs>>, options: Options) -> WasmMachine {
        let natives = Rc::new(natives::of(&module, &options));
        exprs.borrow_mut().expect_bytes();
        let number = |name: &str| {
            let global = module.globals.get(module.export(name, ExportKind::Global)? as usize)?;
            match global.begins {
                Initial::Number(n) => Some(n as u32),
                _ => None,
            }
        };
        let pages = module.memory.map_or(0, |(least, _)| least);
        let end = u32::try_from(u64::from(pages) << 16).unwrap_or(u32::MAX);
        let stack_top = match module.globals.first().map(|global| global.begins) {
            Some(Initial::Number(n)) => n as u32,
            _ => 0,
        };
        let heap = number("__heap_base").unwrap_or(end);
        let first_object = heap.saturating_add(2 * ALIGNMENT - 1) & !(ALIGNMENT - 1);
        let is_lazy =
            options.checks && module.imports.iter().any(|import| lazy::IMPORTS.contains(&&*import.name));
        let (arena, first_object) = match is_lazy {
            true => (first_object, first_object.saturating_add(lazy::ARENA)),
            false => (0, first_object),
        };
        let layout = Layout { stack_top, heap, arena, first_object };
        let executed = vec![false; module.code.instructions.len()];
        let (first_arm, arms) = module.code.first_arms();
        let taken = vec![false; arms as usize];
        let reads = |name: &Option<String>| name.as_deref().is_some_and(|name| READ_WORDS.contains(&name));
        let reads_words = module.names.iter().map(reads).collect();
        let leaves = lifetimes::leaves(&module);
        WasmMachine {
            leaves,
            module,
            exprs,
            options,
            natives,
            reads_words,
            offered: Vec::new(),
            layout,
            begun: None,
            executed,
            limits: Limits::default(),
            taken,
            first_arm,
            news: 0,
            table_arms: FxHashMap::default(),
            flows: FxHashMap::default(),
        }
    }

    /// The module.
    pub fn module(&self) -> &Rc<Module> {
        &self.module
    }

    /// The expressions of all states.
    pub fn exprs(&self) -> &Rc<RefCell<Exprs>> {
        &self.exprs
    }

    /// The offsets in the code section of all instructions, and whether each was executed.
    pub fn executed(&self) -> impl Iterator<Item = (u32, bool)> + '_ {
        self.module.code.offsets.iter().copied().zip(self.executed.iter().copied())
    }

    /// Which instructions were executed, by their order in the module.
    pub fn executed_flags(&self) -> &[bool] {
        &self.executed
    }

    /// Sets what inputs can be that are made from now on.
    pub fn limit(&mut self, limits: Limits) {
        self.limits = limits;
    }

    /// What inputs can be.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Where objects of inputs begin, if the program has pointers that are inputs.
    pub fn arena_start(&self) -> Option<u32> {
        self.has_arena().then_some(self.layout.arena)
    }

    /// Which arms of conditional instructions were taken: [`Branch::first`](crate::Branch::first) is where
    /// those of one begin.
    pub fn taken_flags(&self) -> &[bool] {
        &self.taken
    }

    /// A number that grows whenever an instruction is executed, or an arm is taken, for the first time.
    pub fn news(&self) -> u64 {
        self.news
    }

    /// Where the first object of the heap is.
    pub fn heap_start(&self) -> u32 {
        self.layout.first_object
    }

    /// What is done instead of each function's code.
    pub fn natives(&self) -> &[Option<Native>] {
        &self.natives
    }

    /// Whether `malloc` is one of ours: otherwise nothing is known of objects.
    pub(crate) fn follows_allocator(&self) -> bool {
        self.options.checks
    }

    // Decisions.

    /// Which of these conditions holds: exactly one does. Returns its place, or stops with the arms.
    pub(crate) fn decide(&mut self, state: &mut State, site: u32, conditions: &[Cond]) -> Done<usize> {
        if let Some(at) = conditions.iter().position(|c| *c == Cond::TRUE) {
            return Ok(at);
        }
        let mut open = conditions.iter().enumerate().filter(|(_, c)| **c != Cond::FALSE);
        if let (Some((only, _)), None) = (open.next(), open.next()) {
            return Ok(only);
        }
        if let Some(&made) = state.made.get(state.cursor) {
            state.cursor += 1;
            return Ok(made as usize);
        }
        self.offered.clear();
        for (index, &constraint) in conditions.iter().enumerate() {
            if constraint != Cond::FALSE {
                self.offered.push(Arm { constraint, site: Site(site), index: index as u32 });
            }
        }
        state.open.clear();
        state.open.extend(self.offered.iter().map(|arm| (arm.index, arm.constraint)));
        Err(Stop::Branch)
    }

    /// The site of the instruction that is being executed, where it is no conditional.
    pub(crate) fn site(&self, state: &State) -> u32 {
        self.module.code.conditionals + state.pc
    }

    /// Whether a condition holds.
    pub(crate) fn is(&mut self, state: &mut State, cond: Cond) -> Done<bool> {
        let site = self.site(state);
        Ok(self.decide(state, site, &[cond, cond.negated()])? == 0)
    }

    /// The number that a value is: each number that it can be is an arm, or below one.
    pub(crate) fn pin(&mut self, state: &mut State, slot: Slot) -> Done<u64> {
        let e = match slot {
            Slot::Number(n) => return Ok(n),
            Slot::Symbolic(e) => e,
        };
        let shared = self.exprs.clone();
        let e = as_integer(&mut shared.borrow_mut(), e);
        let site = self.site(state);
        let kind = shared.borrow().kind(e);
        let bits = |value: i64| match kind {
            Kind::I32 | Kind::F32 => u64::from(value as u32),
            _ => value as u64,
        };
        let leaves = shared.borrow().constant_leaves(e, MOST_LEAVES);
        if let Some(leaves) = leaves {
            return Ok(bits(self.one_of(state, e, &leaves)?));
        }
        let e = match self.with_pointers(state, Slot::Symbolic(e))? {
            Slot::Number(n) => return Ok(n),
            Slot::Symbolic(e) => e,
        };
        let (mut low, mut high) = self.narrowed(state, e);
        while low < high {
            let few = high.wrapping_sub(low) as u64;
            if few < 16 {
                let all: Vec<Cond> = (low..=high).map(|v| is_value(&mut shared.borrow_mut(), e, v)).collect();
                low += self.decide(state, site, &all)? as i64;
                high = low;
            } else {
                let middle = low + (few / 2) as i64;
                let below = {
                    let mut exprs = shared.borrow_mut();
                    let limit = constant(&mut exprs, e, middle);
                    exprs.relate(Rel::Le, e, limit)
                };
                match self.decide(state, site, &[below, below.negated()])? {
                    0 => high = middle,
                    _ => low = middle + 1,
                }
            }
        }
        Ok(bits(low))
    }

    // Ends.

    /// The functions that are running, with offsets in the code section.
    pub(crate) fn stack(&self, state: &State) -> Vec<(u32, u32)> {
        let offset = |pc: u32| self.module.code.offsets.get(pc as usize).copied().unwrap_or(0);
        state.running().into_iter().map(|(function, pc)| (function, offset(pc))).collect()
    }

    /// Ends a path with a failure.
    pub(crate) fn fail<T>(&self, state: &State, kind: FailureKind, message: impl Into<String>) -> Done<T> {
        let failure = Failure { kind, message: message.into(), stack: self.stack(state) };
        Err(Stop::end(Outcome::Failed(Box::new(failure))))
    }

    /// Ends a path with a trap.
    pub(crate) fn trap<T>(&self, state: &State, trap: Trap) -> Done<T> {
        self.fail(state, FailureKind::Trap(trap), "")
    }

    /// Ends a path that the machine cannot follow.
    pub(crate) fn unsupported<T>(&self, state: &State, what: impl Into<String>) -> Done<T> {
        Err(Stop::end(Outcome::Unsupported { what: what.into(), stack: self.stack(state) }))
    }
}

fn as_integer(exprs: &mut Exprs, e: Expr) -> Expr {
    crate::calc::bits(exprs, Slot::Symbolic(e), crate::code::To::I64)
}

fn constant(exprs: &mut Exprs, like: Expr, value: i64) -> Expr {
    exprs.constant(match exprs.kind(like) {
        Kind::I32 => Const::I32(value as i32),
        _ => Const::I64(value),
    })
}

pub(crate) fn is_value(exprs: &mut Exprs, e: Expr, value: i64) -> Cond {
    let value = constant(exprs, e, value);
    exprs.relate(Rel::Eq, e, value)
}

impl Machine for WasmMachine {
    type State = State;
    type Constraint = Cond;
    type Outcome = Ended;

    fn run(&mut self, state: &mut State, steps: u64, arms: &mut Vec<Arm<Cond>>) -> Pause<Ended> {
        let until = state.steps.saturating_add(steps);
        if state.is_met() {
            return Pause::Met;
        }
        let mut done = self.go_on(state, steps);
        while let Err(Stop::Again) = done {
            state.made.clear();
            state.cursor = 0;
            done = self.go_on(state, until.saturating_sub(state.steps).max(1));
        }
        match done {
            Ok(()) | Err(Stop::Again) => Pause::OutOfSteps,
            Err(Stop::Met) => {
                state.freeze();
                Pause::Met
            }
            Err(Stop::Branch) => {
                arms.append(&mut self.offered);
                state.freeze();
                Pause::Branch
            }
            Err(Stop::End(outcome)) => Pause::Ended(Ended {
                how: *outcome,
                world: state.world.clone(),
                draws: state.draws.clone(),
                arms: state.arms,
            }),
        }
    }

    fn take(&mut self, state: &mut State, arm: usize) {
        let (index, condition) = state.open[arm];
        state.made.push(index);
        state.known = state.known.with(condition);
        state.cursor = 0;
    }

    fn stands_for(&self, path: (&mut State, &mut Ended), merged: (&State, &Ended)) -> Standing {
        let is_same = match (&path.1.how, &merged.1.how) {
            (Outcome::Failed(a), Outcome::Failed(b)) => a.kind == b.kind,
            (_, Outcome::Unsupported { .. } | Outcome::Cut(_)) => return Standing::Beside,
            (a, b) => std::mem::discriminant(a) == std::mem::discriminant(b),
        };
        if is_same { Standing::For } else { Standing::Against }
    }

    fn merging(&mut self) -> Option<&mut dyn evergreen_explore::Merging<State, Cond>> {
        Some(self)
    }

    fn steps(&self, state: &State) -> u64 {
        state.steps
    }
}
