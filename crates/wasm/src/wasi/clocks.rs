//! Clocks, waiting and random bytes: the same in every run.

use super::{Answer, INVAL, Refusal, opened, refuse};
use crate::code::{LoadOp, To};
use crate::load::Access;
use crate::machine::WasmMachine;
use crate::state::State;
use crate::world::Kind;
use std::rc::Rc;

/// Bytes of a subscription and of an event of `poll_oneoff`.
const SUBSCRIPTION: u32 = 48;
const EVENT: u32 = 32;

/// An event as memory has it.
type Event = [u8; EVENT as usize];

impl WasmMachine {
    pub(super) fn clock_time_get(&mut self, state: &mut State, clock: u32, out: u32) -> Answer {
        if clock >= 4 {
            return refuse(INVAL);
        }
        let now = state.world.now();
        self.put(state, out, &now.to_le_bytes())?;
        Rc::make_mut(&mut state.world).readings += 1;
        Ok(())
    }

    pub(super) fn random_get(&mut self, state: &mut State, at: u32, size: u32) -> Answer {
        self.reach(state, Access::Write, at, size.into())?;
        let world = Rc::make_mut(&mut state.world);
        let bytes: Vec<u8> = (0..size).map(|_| world.random()).collect();
        self.put(state, at, &bytes)
    }

    /// Files are always ready. If only clocks are asked for, the first of those that are due earliest is
    /// reported, and the time until then has passed.
    pub(super) fn poll_oneoff(&mut self, state: &mut State, [from, to, count, used]: [u32; 4]) -> Answer {
        if count == 0 {
            return refuse(INVAL);
        }
        self.reach(state, Access::Read, from, u64::from(count) * u64::from(SUBSCRIPTION))?;
        self.reach(state, Access::Write, to, u64::from(count) * u64::from(EVENT))?;
        self.reach(state, Access::Write, used, 4)?;
        let mut events: Vec<Event> = Vec::new();
        let mut earliest: Option<(u64, Event)> = None;
        for number in 0..count {
            let at = from + number * SUBSCRIPTION;
            let tag = self.number(state, at + 8, 1)?;
            let mut event = [0; EVENT as usize];
            event[..8].copy_from_slice(&self.number(state, at, 8)?.to_le_bytes());
            event[10] = tag as u8;
            if tag == 0 {
                let timeout = self.number(state, at + 24, 8)?;
                let is_absolute = self.number(state, at + 40, 2)? & 1 == 1;
                let wait = if is_absolute { timeout.saturating_sub(state.world.now()) } else { timeout };
                if earliest.as_ref().is_none_or(|(least, _)| wait < *least) {
                    earliest = Some((wait, event));
                }
            } else if tag > 2 {
                return refuse(INVAL);
            } else {
                let fd = self.number(state, at + 16, 4)? as u32;
                let (errno, ready) = self.ready(state, fd)?;
                event[8..10].copy_from_slice(&(errno as u16).to_le_bytes());
                event[16..24].copy_from_slice(&if tag == 1 { ready } else { 0 }.to_le_bytes());
                events.push(event);
            }
        }
        if let (true, Some((wait, event))) = (events.is_empty(), earliest) {
            let world = Rc::make_mut(&mut state.world);
            world.slept = world.slept.wrapping_add(wait);
            events.push(event);
        }
        for (at, event) in (0..).zip(&events) {
            self.put(state, to + at * EVENT, event)?;
        }
        self.put(state, used, &(events.len() as u32).to_le_bytes())
    }

    /// A number in memory.
    fn number(&mut self, state: &mut State, at: u32, size: u8) -> Answer<u64> {
        let to = if size == 8 { To::I64 } else { To::I32 };
        let slot = self.load_at(state, LoadOp { size, signed: false, to }, at.into())?;
        Ok(self.pin(state, slot)?)
    }

    /// The error number of a descriptor, and the bytes that can be read.
    fn ready(&mut self, state: &mut State, fd: u32) -> Answer<(u32, u64)> {
        let open = match opened(&state.world, fd) {
            Ok(open) => open,
            Err(Refusal::Errno(errno)) => return Ok((errno, 0)),
            Err(stop) => return Err(stop),
        };
        let at = if open.kind == Kind::Stdin { state.world.stdin_at } else { open.at };
        Ok((0, self.length(state, open.kind)?.saturating_sub(at)))
    }
}
