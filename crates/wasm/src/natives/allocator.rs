//! The allocator: objects with red zones around them, followed from their allocation to their end.

use super::{Native, NativeKind};
use crate::code::To;
use crate::heap::{ALIGNMENT, Object, place};
use crate::machine::{Done, MOST_BYTES, WasmMachine};
use crate::outcome::FailureKind;
use crate::state::{Slot, State};
use evergreen_symbolic::{Const, Rel};

impl WasmMachine {
    /// What a function of the allocator does.
    pub(super) fn allocator(
        &mut self,
        state: &mut State,
        native: &Native,
        args: &[Slot],
    ) -> Done<Option<Slot>> {
        let number = |n: u32| Ok(Some(Slot::Number(n.into())));
        match native.kind {
            NativeKind::Malloc | NativeKind::AlignedAlloc => {
                let size = self.pin_size(state, args[args.len() - 1])?;
                let alignment = if args.len() == 2 { self.pin(state, args[0])? as u32 } else { 1 };
                number(self.allocate(state, size, alignment))
            }
            NativeKind::Calloc => {
                let (count, each) = (self.pin_size(state, args[0])?, self.pin_size(state, args[1])?);
                let Some(size) = count.checked_mul(each) else { return number(0) };
                number(self.allocate(state, size, 1))
            }
            NativeKind::Realloc => self.reallocate(state, args[0], args[1]),
            NativeKind::ReallocArray => {
                let (count, each) = (self.pin_size(state, args[1])?, self.pin_size(state, args[2])?);
                let Some(size) = count.checked_mul(each) else { return number(0) };
                self.reallocate(state, args[0], Slot::Number(size.into()))
            }
            NativeKind::Free => {
                let address = self.pin(state, args[0])? as u32;
                self.free(state, address)?;
                Ok(None)
            }
            NativeKind::PosixMemalign => {
                let (to, alignment) = (self.pin(state, args[0])?, self.pin(state, args[1])? as u32);
                let size = self.pin_size(state, args[2])?;
                if !alignment.is_power_of_two() || alignment < 4 {
                    return number(28);
                }
                let address = self.allocate(state, size, alignment);
                if address == 0 {
                    return number(48);
                }
                self.store_at(state, (4, To::I32), Slot::Number(address.into()), to)?;
                number(0)
            }
            NativeKind::UsableSize => {
                let address = self.pin(state, args[0])? as u32;
                self.fix_length(state, address)?;
                number(state.heap.object(address).map_or(0, |object| object.size))
            }
            other => unreachable!("{other:?} is handled elsewhere"),
        }
    }

    /// A size that an allocation is asked for. All that are larger than the memory can be are one.
    pub(super) fn pin_size(&mut self, state: &mut State, size: Slot) -> Done<u32> {
        if let Slot::Symbolic(e) = size {
            let large = {
                let mut exprs = self.exprs.borrow_mut();
                let limit = exprs.constant(Const::I32(MOST_BYTES as i32));
                exprs.relate_unsigned(Rel::Gt, e, limit)
            };
            if self.is(state, large)? {
                return Ok(u32::MAX);
            }
        }
        Ok(self.pin(state, size)? as u32)
    }

    /// A new object: its address, or 0 if there is no room.
    pub(crate) fn allocate(&mut self, state: &mut State, size: u32, alignment: u32) -> u32 {
        let end = state.memory.bytes().min(u32::MAX.into()) as u32;
        // Somebody else has taken the memory behind the heap.
        if state.heap.limit > self.layout.heap && state.heap.limit < end && state.heap.next + ALIGNMENT > end
        {
            state.heap.next = end;
        }
        let Some((start, next)) = place(state.heap.next, size, alignment) else { return 0 };
        let bytes = state.memory.bytes();
        if u64::from(next) > bytes {
            let pages = (u64::from(next) - bytes).div_ceil(1 << 16) as u32;
            if state.memory.grow(pages).is_none() {
                return 0;
            }
            state.memory.poison(bytes as u32, pages << 16, true);
        }
        state.memory.poison(start, size, false);
        let by = self.module.code.offsets.get(state.pc as usize).copied().unwrap_or(0);
        state.heap.add(Object { start, size, freed: false, by }, next);
        if self.options.leaks && !self.is_own(state) {
            state.heap.disown(start);
        }
        state.heap.limit = state.memory.bytes().min(u32::MAX.into()) as u32;
        start
    }

    pub(super) fn reallocate(&mut self, state: &mut State, old: Slot, size: Slot) -> Done<Option<Slot>> {
        let (old, size) = (self.pin(state, old)? as u32, self.pin_size(state, size)?);
        if old != 0 {
            self.check_free(state, old)?;
            self.fix_length(state, old)?;
        }
        let new = self.allocate(state, size, 1);
        if new != 0
            && let Some(object) = state.heap.object(old)
        {
            state.memory.copy(new, old, object.size.min(size));
            self.free(state, old)?;
        }
        Ok(Some(Slot::Number(new.into())))
    }

    fn check_free(&mut self, state: &mut State, address: u32) -> Done<()> {
        match state.heap.object(address) {
            None => self.fail(state, FailureKind::InvalidFree, format!("address 0x{address:x}")),
            Some(object) if object.freed => {
                let message = format!("an object of {} bytes", object.size);
                self.fail(state, FailureKind::DoubleFree, message)
            }
            Some(_) => Ok(()),
        }
    }

    pub(super) fn free(&mut self, state: &mut State, address: u32) -> Done<()> {
        if address == 0 {
            return Ok(());
        }
        self.check_free(state, address)?;
        if let Some(object) = state.heap.object(address) {
            let by = self.module.code.offsets.get(state.pc as usize).copied().unwrap_or(0);
            state.memory.poison(object.start, object.size, true);
            state.heap.free(address, by);
        }
        Ok(())
    }
}
