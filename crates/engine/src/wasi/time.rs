//! Clocks, waiting and random bytes: whatever would differ between two runs comes from the world of the test.

use super::descriptors::Kind;
use super::guest::Guest;
use super::{Answer, Errno, Wasi};
use crate::world::random_byte;

/// Bytes of a subscription and of an event of `poll_oneoff`.
const SUBSCRIPTION: u64 = 48;
const EVENT: u64 = 32;
/// The clocks: real time, monotonic, of the process, of the thread.
const CLOCKS: u64 = 4;

impl Wasi {
    /// What a clock will show when it is read next.
    fn now(&self) -> u64 {
        let clock = &self.world.clock;
        let listed = clock.values.len() as u64;
        match clock.values.get(self.readings as usize) {
            Some(value) => *value,
            None => {
                let steps = (self.readings - listed).wrapping_mul(clock.step_ns);
                clock.start_ns.wrapping_add(steps).wrapping_add(self.slept_ns)
            }
        }
    }

    pub(super) fn clock_res_get(&mut self, args: &[u64], guest: &mut Guest<'_>) -> Answer {
        if args[0] >= CLOCKS {
            return Err(Errno::INVAL);
        }
        guest.write_u64(args[1], 1)
    }

    pub(super) fn clock_time_get(&mut self, args: &[u64], guest: &mut Guest<'_>) -> Answer {
        if args[0] >= CLOCKS {
            return Err(Errno::INVAL);
        }
        guest.write_u64(args[2], self.now())?;
        self.readings += 1;
        Ok(())
    }

    pub(super) fn random_get(&mut self, args: &[u64], guest: &mut Guest<'_>) -> Answer {
        let bytes = guest.slice(args[0], args[1])?;
        for byte in bytes.iter_mut() {
            let given = self.world.random.get(self.random_at as usize).copied();
            *byte = given.unwrap_or_else(|| random_byte(self.random_at));
            self.random_at += 1;
        }
        self.moved += args[1];
        Ok(())
    }

    /// Files are always ready. If only clocks are asked for, the first of those that are due earliest is
    /// reported, and the time until then has passed.
    pub(super) fn poll_oneoff(&mut self, args: &[u64], guest: &mut Guest<'_>) -> Answer {
        let [from, to, count, used] = [args[0], args[1], args[2], args[3]];
        if count == 0 {
            return Err(Errno::INVAL);
        }
        guest.slice(from, count * SUBSCRIPTION)?;
        guest.slice(to, count * EVENT)?;
        guest.slice(used, 4)?;
        self.moved += count;
        let mut events: Vec<[u8; EVENT as usize]> = Vec::new();
        let mut earliest: Option<(u64, [u8; EVENT as usize])> = None;
        for number in 0..count {
            let at = from + number * SUBSCRIPTION;
            let tag = guest.number(at + 8, 1)?;
            let mut event = [0; EVENT as usize];
            event[..8].copy_from_slice(&guest.number(at, 8)?.to_le_bytes());
            event[10] = tag as u8;
            if tag == 0 {
                let (timeout, is_absolute) = (guest.number(at + 24, 8)?, guest.number(at + 40, 2)? & 1 == 1);
                let wait = if is_absolute { timeout.saturating_sub(self.now()) } else { timeout };
                if earliest.as_ref().is_none_or(|(least, _)| wait < *least) {
                    earliest = Some((wait, event));
                }
            } else if tag > 2 {
                return Err(Errno::INVAL);
            } else {
                let (errno, ready) = self.ready(guest.number(at + 16, 4)?, tag == 1);
                event[8..10].copy_from_slice(&errno.to_le_bytes());
                event[16..24].copy_from_slice(&ready.to_le_bytes());
                events.push(event);
            }
        }
        if events.is_empty()
            && let Some((wait, event)) = earliest
        {
            self.slept_ns = self.slept_ns.wrapping_add(wait);
            events.push(event);
        }
        for (at, event) in (0..).zip(&events) {
            guest.write(to + at * EVENT, event)?;
        }
        guest.write_u32(used, events.len() as u32)
    }

    /// The error number and the bytes that can be read; 0 bytes for writing.
    fn ready(&self, fd: u64, is_reading: bool) -> (u16, u64) {
        let left = match self.open.get(fd) {
            Err(errno) => return (errno.0, 0),
            Ok(open) => match open.kind {
                Kind::Stdin => (self.world.stdin.len() - self.stdin_at) as u64,
                Kind::File(node) => self.files.size(node).saturating_sub(open.at),
                Kind::Stdout | Kind::Stderr | Kind::Folder(_) => 0,
            },
        };
        (0, if is_reading { left } else { 0 })
    }
}
