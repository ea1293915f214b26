//! Variables on the stack whose time is over: their block has ended, or their function has returned.
//!
//! AddressSanitizer's instrumentation marks a variable outside of its block (shadow byte f8). Where a
//! function returns it writes a constant into the first word of its frame; the second word is the address of
//! a text that says where the variables of the frame are. From then on they are poisoned, until the stack
//! pointer comes below them again. A function that keeps its frame below the stack pointer (LLVM lets leaves
//! do so) is allowed to use that memory.

use crate::code::Instruction;
use crate::machine::WasmMachine;
use crate::outcome::FailureKind;
use crate::state::State;
use std::rc::Rc;

/// The shadow of a variable outside of its block.
pub(crate) const AFTER_SCOPE: u8 = 0xf8;

/// Bytes below the stack pointer that a leaf may use.
const LEAF_BYTES: u32 = 128;

/// The first byte, and how many.
type Range = (u32, u32);

/// Memory of the stack whose time is over.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Ended {
    /// Variables outside of their block.
    scopes: Vec<Range>,
    /// Variables of functions that have returned.
    frames: Vec<Range>,
}

fn overlaps(a: Range, b: Range) -> bool {
    a.0 < b.0.saturating_add(b.1) && b.0 < a.0.saturating_add(a.1)
}

impl State {
    /// A range of the stack gets another mark.
    pub(crate) fn marked(&mut self, code: u8, range: Range) {
        if code != AFTER_SCOPE && self.ended.scopes.is_empty() && self.ended.frames.is_empty() {
            return;
        }
        let ended = Rc::make_mut(&mut self.ended);
        ended.scopes.retain(|scope| !overlaps(*scope, range));
        if code == AFTER_SCOPE {
            ended.scopes.push(range);
        }
        // The zones of a frame that has ended go, its variables stay.
        let frames: Vec<Range> = ended.frames.iter().filter(|f| overlaps(**f, range)).copied().collect();
        for (start, size) in frames.into_iter().filter(|_| code == 0) {
            self.memory.poison(start, size, true);
        }
    }

    /// A frame's function returns: its variables are poisoned.
    pub(crate) fn frame_ends(&mut self, base: u32) {
        for (offset, size) in variables(self, base).unwrap_or_default() {
            let start = base.wrapping_add(offset);
            if self.memory.has(start.into(), size.into()) {
                self.memory.poison(start, size, true);
                Rc::make_mut(&mut self.ended).frames.push((start, size));
            }
        }
    }

    /// The stack pointer gets another value: what it leaves behind above it is in use again.
    pub(crate) fn stack_moves(&mut self, to: u32) {
        if self.ended.frames.iter().all(|(start, size)| start + size <= to) {
            return;
        }
        let ended = Rc::make_mut(&mut self.ended);
        let (mut used, mut left): (Vec<Range>, Vec<Range>) = (Vec::new(), Vec::new());
        for (start, size) in ended.frames.drain(..) {
            // A new frame may begin in the middle of an old variable.
            let below = to.saturating_sub(start).min(size);
            left.extend((below > 0).then_some((start, below)));
            used.extend((below < size).then_some((start + below, size - below)));
        }
        ended.frames = left;
        // Blocks that ended in the old frame mean nothing in a new one.
        ended.scopes.retain(|scope| !used.iter().any(|frame| overlaps(*frame, *scope)));
        used.into_iter().for_each(|(start, size)| self.memory.poison(start, size, false));
    }
}

/// The variables of a frame: offset and size. The text is "COUNT OFFSET SIZE LENGTH NAME ...".
fn variables(state: &State, base: u32) -> Option<Vec<Range>> {
    let word = |at: u32| {
        state.memory.has(at.into(), 4).then(|| {
            let bytes = state.memory.read(at, 4);
            u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
        })
    };
    let text = word(base.wrapping_add(4))?;
    let bytes = text_at(state, text)?;
    let mut rest = &bytes[..];
    let count = number(&mut rest)?;
    let mut all = Vec::new();
    for _ in 0..count {
        let (offset, size, length) = (number(&mut rest)?, number(&mut rest)?, number(&mut rest)?);
        rest = rest.get(length as usize + 1..).unwrap_or_default();
        all.push((offset, size));
    }
    Some(all)
}

/// A text without its zero. Most are short, and a function may return a million times.
fn text_at(state: &State, at: u32) -> Option<Vec<u8>> {
    let room = state.memory.bytes().checked_sub(at.into())?.min(1 << 16) as u32;
    let mut size = 64;
    loop {
        let mut bytes = state.memory.read(at, room.min(size));
        if let Some(end) = bytes.iter().position(|byte| *byte == 0) {
            bytes.truncate(end);
            return Some(bytes);
        }
        if size >= room {
            return None;
        }
        size *= 4;
    }
}

/// A number and the space behind it.
fn number(rest: &mut &[u8]) -> Option<u32> {
    let end = rest.iter().position(|byte| *byte == b' ').unwrap_or(rest.len());
    let value = std::str::from_utf8(&rest[..end]).ok()?.parse().ok()?;
    *rest = rest.get(end + 1..).unwrap_or_default();
    Some(value)
}

impl WasmMachine {
    /// Whether an access to a poisoned byte comes after the time of a variable.
    pub(crate) fn after_its_time(&self, state: &State, at: u32) -> Option<(FailureKind, u32, u32)> {
        let find = |ranges: &[Range], kind| {
            let found = ranges.iter().find(|(start, size)| at >= *start && at - start < *size);
            found.map(|(start, size)| (kind, at - start, *size))
        };
        find(&state.ended.frames, FailureKind::UseAfterReturn)
            .or_else(|| find(&state.ended.scopes, FailureKind::UseAfterScope))
    }

    /// Whether a poisoned byte is in the frame of a leaf, which lies below the stack pointer: then it is in
    /// use from now on.
    pub(crate) fn is_frame_of_leaf(&self, state: &mut State, at: u32) -> bool {
        let Some(pointer) = state.globals.first().and_then(|slot| slot.number()) else { return false };
        let pointer = pointer as u32;
        let is_below = at < pointer && pointer - at <= LEAF_BYTES;
        if !is_below || !self.leaves.get(state.function as usize).copied().unwrap_or(false) {
            return false;
        }
        let Some((FailureKind::UseAfterReturn, ..)) = self.after_its_time(state, at) else { return false };
        state.stack_moves(pointer - LEAF_BYTES);
        true
    }
}

/// Which functions have their frame below the stack pointer: they read it and do not set it.
pub(crate) fn leaves(module: &crate::Module) -> Vec<bool> {
    let code = &module.code;
    let starts: Vec<u32> = code.functions.iter().map(|function| function.entry).collect();
    let mut flags = vec![(false, false); starts.len()];
    let mut order: Vec<usize> = (module.imports.len()..starts.len()).collect();
    order.sort_by_key(|function| starts[*function]);
    for (place, function) in order.iter().enumerate() {
        let end = order.get(place + 1).map_or(code.instructions.len(), |next| starts[*next] as usize);
        for instruction in &code.instructions[starts[*function] as usize..end] {
            match instruction {
                Instruction::GlobalGet { global: 0, .. } => flags[*function].0 = true,
                Instruction::GlobalSet { global: 0, .. } => flags[*function].1 = true,
                _ => {}
            }
        }
    }
    flags.into_iter().map(|(reads, sets)| reads && !sets).collect()
}
