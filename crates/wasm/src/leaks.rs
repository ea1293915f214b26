//! Objects that the program can no longer free when it ends.
//!
//! An object is reachable if its address, or one inside it, stands in a word of the globals' memory, of the
//! stack that is still in use, in a global variable, or in a reachable object. Words are looked at every four
//! bytes, as pointers lie.

use crate::machine::{Done, WasmMachine};
use crate::outcome::FailureKind;
use crate::state::{Slot, State};

impl WasmMachine {
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
        let lost: Vec<_> =
            objects.iter().zip(&reached).filter(|(o, r)| !o.freed && !**r).map(|(o, _)| o).collect();
        if lost.is_empty() {
            return Ok(());
        }
        let bytes: u64 = lost.iter().map(|object| u64::from(object.size)).sum();
        let message = format!("{} objects with {bytes} bytes", lost.len());
        self.fail(state, FailureKind::Leak, message)
    }
}
