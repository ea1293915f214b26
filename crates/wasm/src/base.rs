//! Which object a symbolic pointer was made of.
//!
//! `table[c - 'a']` is the address of `table`, minus 97, plus `c`: a linear form, in which the address of the
//! table is not to be seen any more. The constant of the form may well lie in a neighbour. So a sum remembers
//! which of its operands was an address; what is a pointer plus an offset again has the same *base*. An
//! access through it has to stay within the object of the base, as in C.
//!
//! Only the last sums of a path are remembered: compilers compute an address right before they use it, or
//! load it from memory. An address without a base is compared with all objects that it can reach
//! (`address.rs`), which is exact as well, but takes more questions, and it cannot know that one object was
//! left for another.
//!
//! Bases are part of the state, because an instruction that is executed again has to come to the same
//! decisions, whatever other paths have done since.

use crate::machine::WasmMachine;
use crate::number::Bin;
use crate::state::{Slot, State};
use evergreen_symbolic::Expr;

/// Sums that are remembered.
const RECENT: usize = 16;

/// Compilers put nothing below this address.
pub(crate) const FIRST_ADDRESS: u32 = 1024;

/// The bases of the last sums.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct Bases {
    /// Values and their bases; of a value that stands here twice, the later one counts.
    recent: [Option<(Expr, Option<u32>)>; RECENT],
    next: usize,
}

impl Bases {
    /// The base of a value, if it is known.
    pub(crate) fn of(&self, e: Expr) -> Option<u32> {
        let latest = (1..=RECENT).map(|back| self.recent[(self.next + RECENT - back) % RECENT]);
        latest.flatten().find(|known| known.0 == e).and_then(|known| known.1)
    }

    /// Remembers a sum. A sum without a base is forgotten, in case that it had one when it was computed
    /// otherwise.
    fn remember(&mut self, e: Expr, base: Option<u32>) {
        if self.of(e) != base {
            self.recent[self.next] = Some((e, base));
            self.next = (self.next + 1) % RECENT;
        }
    }
}

impl WasmMachine {
    /// Remembers the base of a sum that was computed.
    pub(crate) fn remember_base(&self, state: &mut State, op: Bin, (a, b): (Slot, Slot), sum: Slot) {
        let Slot::Symbolic(e) = sum else { return };
        let base = match (op, base_of(state, a), base_of(state, b)) {
            // Two addresses, or a number that only looks like one.
            (_, Some(_), Some(_)) | (Bin::I32Sub, None, Some(_)) => None,
            (Bin::I32Add | Bin::I32Sub, base, None) | (Bin::I32Add, None, base) => base,
            _ => return,
        };
        state.bases.remember(e, base);
    }
}

/// The address that a value is or was made of.
fn base_of(state: &State, slot: Slot) -> Option<u32> {
    match slot {
        Slot::Symbolic(e) => state.bases.of(e),
        Slot::Number(n) => {
            let address = n as u32;
            (address >= FIRST_ADDRESS && state.memory.has(address.into(), 1)).then_some(address)
        }
    }
}
