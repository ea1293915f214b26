//! Objects that the program can no longer free when it ends.
//!
//! An object is reachable if its address, or one inside it, stands in a word of the globals' memory, of the
//! stack that is still in use, in a global variable, or in a reachable object. Words are looked at every four
//! bytes, as pointers lie. What the C library allocates for itself before and after the program runs (the
//! arguments, say) is its own business.

use crate::heap::Object;
use crate::machine::{Done, Stop, WasmMachine};
use crate::outcome::{Failure, FailureKind, Outcome};
use crate::state::{Slot, State};

/// The function below which a program's own code runs: the first of these that a module has. The C library
/// calls a `main` with arguments through others.
const MAIN: [&str; 4] = ["__main_argc_argv", "main", "__original_main", "__main_void"];
/// The function that runs constructors of globals, which every module has.
const CONSTRUCTORS: &str = "__wasm_call_ctors";

impl WasmMachine {
    /// Whether the program's own code is running, or code that it has called. Of a module without names, and
    /// of a function that is called by itself, all code is.
    pub(crate) fn is_own(&self, state: &State) -> bool {
        let name = |function: u32| self.module.names.get(function as usize)?.as_deref();
        let has = |wanted: &&&str| self.module.names.iter().any(|name| name.as_deref() == Some(**wanted));
        let Some(main) = MAIN.iter().find(has) else { return true };
        let is_own = |function: u32| name(function).is_some_and(|name| [main, CONSTRUCTORS].contains(&name));
        state.running().into_iter().any(|(function, _)| is_own(function))
    }

    /// Ends the path with a finding if an object is lost; `results` are what the entry returned, if it has.
    pub(crate) fn check_leaks(&mut self, state: &mut State, results: Option<&[Slot]>) -> Done<()> {
        let objects = state.heap.objects();
        let mut reached = vec![false; objects.len()];
        // Below the stack pointer are frames of functions that have returned.
        let stack = match state.globals.first() {
            Some(Slot::Number(n)) if (1024..=self.layout.stack_top).contains(&(*n as u32)) => *n as u32,
            _ => 1024,
        };
        let mut open: Vec<(u32, u32)> = vec![(stack, self.layout.heap)];
        let find = |address: u32| {
            let at = objects.partition_point(|object| object.start <= address).checked_sub(1)?;
            let object = objects[at];
            (!object.freed && address - object.start <= object.size).then_some(at)
        };
        let mut found: Vec<usize> = Vec::new();
        // Objects of inputs belong to the caller.
        let is_input = |object: &crate::Object| object.start < self.layout.first_object;
        found.extend((0..objects.len()).filter(|at| is_input(&objects[*at]) && !objects[*at].freed));
        let mut keep = |slots: &[Slot]| {
            found.extend(slots.iter().filter_map(|slot| match slot {
                Slot::Number(n) => find(*n as u32),
                Slot::Symbolic(_) => None,
            }));
        };
        keep(&state.globals);
        match results {
            Some(results) => keep(results),
            None => {
                let own = self.module.code.functions[state.function as usize].registers as usize;
                keep(&state.registers[..(state.base + own).min(state.registers.len())]);
            }
        }
        let mut below = state.frozen.as_ref();
        while let Some(frozen) = below {
            keep(&frozen.registers);
            below = frozen.below.as_ref();
        }
        loop {
            while let Some((start, end)) = open.pop() {
                let bytes = state.memory.read(start, end.saturating_sub(start));
                let words = bytes.chunks_exact(4).map(|w| u32::from_le_bytes([w[0], w[1], w[2], w[3]]));
                found.extend(words.filter_map(find));
            }
            while let Some(at) = found.pop() {
                if !std::mem::replace(&mut reached[at], true) {
                    open.push((objects[at].start, objects[at].start + objects[at].size));
                }
            }
            if open.is_empty() {
                break;
            }
        }
        let is_lost = |object: &Object, reached: bool| !object.freed && !reached && state.heap.is_own(object);
        let lost: Vec<&Object> = objects
            .iter()
            .zip(&reached)
            .filter(|(object, reached)| is_lost(object, **reached))
            .map(|of| of.0)
            .collect();
        if lost.is_empty() {
            return Ok(());
        }
        let bytes: u64 = lost.iter().map(|object| u64::from(object.size)).sum();
        let objects = if lost.len() == 1 { "1 object".into() } else { format!("{} objects", lost.len()) };
        let message = format!("{objects} with {bytes} bytes");
        // The place of a leak is where the first lost object was made.
        let code = &self.module.code;
        let made = lost.first().map(|object| {
            let pc = code.offsets.partition_point(|offset| *offset < object.by) as u32;
            (code.function_of(pc), object.by)
        });
        let stack = made.into_iter().chain(self.stack(state)).collect();
        let failure = Failure { kind: FailureKind::Leak, message, stack };
        Err(Stop::end(Outcome::Failed(Box::new(failure))))
    }
}
