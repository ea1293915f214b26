//! What the compiler's instrumentation says of objects on the stack and of globals: their red zones.

use super::NativeKind;
use crate::Trap;
use crate::machine::{Done, WasmMachine};
use crate::state::{Slot, State};
use std::rc::Rc;

impl WasmMachine {
    /// What a call of the instrumentation does.
    pub(super) fn shadow(
        &mut self,
        state: &mut State,
        kind: NativeKind,
        args: &[Slot],
    ) -> Done<Option<Slot>> {
        match kind {
            NativeKind::SetShadow(code) => {
                let (shadow, size) = (self.pin(state, args[0])? as u32, self.pin(state, args[1])? as u32);
                self.set_shadow(state, code, shadow, size);
                Ok(None)
            }
            NativeKind::RegisterGlobals => self.register_globals(state, args),
            NativeKind::AllocaPoison => {
                let (at, size) = (self.pin(state, args[0])? as u32, self.pin(state, args[1])? as u32);
                if self.options.checks {
                    let end = at.wrapping_add(size);
                    state.memory.poison(at.wrapping_sub(32), 32, true);
                    state.memory.poison(
                        end,
                        end.next_multiple_of(32).wrapping_sub(end).wrapping_add(32),
                        true,
                    );
                }
                Ok(None)
            }
            NativeKind::AllocasUnpoison => {
                let (top, bottom) = (self.pin(state, args[0])? as u32, self.pin(state, args[1])? as u32);
                if top != 0 && top <= bottom {
                    state.memory.poison(top, bottom - top, false);
                }
                Ok(None)
            }
            other => unreachable!("{other:?} is handled elsewhere"),
        }
    }

    pub(super) fn set_shadow(&mut self, state: &mut State, code: u8, shadow: u32, size: u32) {
        if !self.options.checks {
            return;
        }
        let (start, bytes) = ((shadow & !0x2000_0000) << 3, size << 3);
        if !state.memory.has(start.into(), bytes.into()) {
            return;
        }
        match code {
            0 => state.memory.poison(start, bytes, false),
            1..8 => {
                for group in 0..size {
                    let at = start + 8 * group;
                    state.memory.poison(at, code.into(), false);
                    state.memory.poison(at + u32::from(code), 8 - u32::from(code), true);
                }
            }
            _ => state.memory.poison(start, bytes, true),
        }
        state.marked(code, (start, bytes));
    }

    /// Red zones behind globals: eight words each, of which the first three are address, size, size with
    /// zone.
    pub(super) fn register_globals(&mut self, state: &mut State, args: &[Slot]) -> Done<Option<Slot>> {
        let (first, count) = (self.pin(state, args[0])? as u32, self.pin(state, args[1])? as u32);
        if !state.memory.has(first.into(), u64::from(count) * 32) {
            return self.trap(state, Trap::OutOfMemory);
        }
        for global in 0..count {
            let word = |n: u32| {
                let bytes = state.memory.read(first + global * 32 + 4 * n, 4);
                u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
            };
            let (start, size, whole) = (word(0), word(1), word(2));
            if self.options.checks && size <= whole && state.memory.has(start.into(), whole.into()) {
                state.memory.poison(start + size, whole - size, true);
                let known = Rc::make_mut(&mut state.known_globals);
                known.push((start, size));
            }
        }
        Rc::make_mut(&mut state.known_globals).sort_unstable();
        Ok(None)
    }
}
