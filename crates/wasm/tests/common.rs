//! What the tests share: random numbers that are the same in every run, concrete calls, all ways of a call.

use evergreen_explore::{Machine, Pause};
use evergreen_symbolic::{Assignment, Cond, Const, Exprs, Ints};
use evergreen_wasm::{Ended, Module, Options, Slot, State, WasmMachine};
use std::cell::RefCell;
use std::rc::Rc;

/// SplitMix64 [Steele OOPSLA'14].
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    pub(crate) fn one_of<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }

    pub(crate) fn one_in(&mut self, bound: usize) -> bool {
        self.below(bound) == 0
    }
}

/// A machine without checks and models: what the code of a module says, and nothing else.
pub(crate) fn plain() -> Options {
    Options { models: false, checks: false, ..Options::default() }
}

pub(crate) fn machine(bytes: &[u8], options: Options) -> WasmMachine {
    let module = Module::read(bytes).unwrap_or_else(|e| panic!("{e:?}"));
    WasmMachine::new(Rc::new(module), Rc::new(RefCell::new(Exprs::new(Ints::Wrapped))), options)
}

/// The machine of a module in the text format, without checks and models.
pub(crate) fn wat_machine(text: &str) -> WasmMachine {
    let bytes = wat::parse_str(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    machine(&bytes, plain())
}

/// Runs a state that meets no input to its end; `None` if it does not end.
pub(crate) fn finish(machine: &mut WasmMachine, state: &mut State, steps: u64) -> Option<Ended> {
    let mut arms = Vec::new();
    match machine.run(state, steps, &mut arms) {
        Pause::Ended(ended) => Some(ended),
        Pause::OutOfSteps | Pause::Met => None,
        Pause::Branch | Pause::Choice => panic!("a branch without inputs"),
    }
}

/// All ways of a call with their conditions; nobody asks whether they are feasible.
pub(crate) fn ways(machine: &mut WasmMachine, state: State) -> Vec<(Vec<Cond>, Ended)> {
    let mut found = Vec::new();
    let mut open = vec![(Vec::new(), state)];
    while let Some((path, mut state)) = open.pop() {
        let mut arms = Vec::new();
        match machine.run(&mut state, 1 << 20, &mut arms) {
            Pause::Ended(ended) => found.push((path, ended)),
            Pause::OutOfSteps | Pause::Met => panic!("does not end"),
            Pause::Branch | Pause::Choice => {
                for (at, arm) in arms.iter().enumerate() {
                    let mut taken = state.clone();
                    machine.take(&mut taken, at);
                    open.push((path.iter().copied().chain([arm.constraint]).collect(), taken));
                }
            }
        }
        assert!(found.len() + open.len() < 100_000, "too many ways");
    }
    found
}

/// The bits of a value under an assignment.
pub(crate) fn bits(exprs: &Exprs, slot: Slot, under: &Assignment) -> u64 {
    match slot {
        Slot::Number(bits) => bits,
        Slot::Symbolic(e) => match exprs.eval(e, under) {
            Const::I32(v) => u64::from(v as u32),
            Const::I64(v) => v as u64,
            Const::F32(bits) => bits.into(),
            Const::F64(bits) => bits,
        },
    }
}

/// The one way that an assignment takes.
pub(crate) fn taken<'a, T>(exprs: &Exprs, ways: &'a [(Vec<Cond>, T)], under: &Assignment) -> &'a T {
    let mut fitting = ways.iter().filter(|(path, _)| path.iter().all(|cond| exprs.holds(*cond, under)));
    let (Some((_, first)), None) = (fitting.next(), fitting.next()) else {
        panic!("an assignment fits {} of {} ways", fitting.count() + 1, ways.len())
    };
    first
}
