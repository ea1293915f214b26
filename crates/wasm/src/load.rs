//! Loads and stores that meet more than numbers: expressions, drawn bytes, poison.

use crate::Trap;
use crate::base::FIRST_ADDRESS;
use crate::calc;
use crate::code::{LoadOp, To};
use crate::heap::ALIGNMENT;
use crate::machine::{Done, WasmMachine};
use crate::memory::{Byte, Cell, Loaded};
use crate::outcome::{FailureKind, OutByte};
use crate::state::{Draw, Scalar, Slot, State};
use evergreen_symbolic::{Cast, Const, Expr, Exprs, InputKind, Kind, Rel};
use std::rc::Rc;

/// What AddressSanitizer writes into the header of a stack frame when its function returns.
const FRAME_RETIRED: u64 = 0x45e0_360e;

/// Whether an access reads or writes, for messages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Access {
    Read,
    Write,
}

impl Access {
    /// "read of 4 bytes".
    pub(crate) fn of_bytes(self, size: u32) -> String {
        let verb = if self == Access::Read { "read" } else { "write" };
        if size == 1 { format!("{verb} of 1 byte") } else { format!("{verb} of {size} bytes") }
    }
}

impl WasmMachine {
    /// A load that is not of a number at a number.
    pub(crate) fn load(&mut self, state: &mut State, op: LoadOp, address: Slot, offset: u32) -> Done<Slot> {
        match address {
            Slot::Number(n) => self.load_at(state, op, u64::from(n as u32) + u64::from(offset)),
            Slot::Symbolic(_) => self.load_anywhere(state, op, address, offset),
        }
    }

    /// A load at a known address.
    pub(crate) fn load_at(&mut self, state: &mut State, op: LoadOp, address: u64) -> Done<Slot> {
        let bytes = match state.memory.load(address, op.size.into()) {
            Loaded::Number(bits) => return Ok(Slot::Number(extend(op, bits))),
            Loaded::Value(e) => {
                return Ok(calc::loaded(&mut self.exprs.borrow_mut(), e, op.size, op.signed, op.to));
            }
            Loaded::Poisoned(at) if self.is_frame_of_leaf(state, at) => {
                return self.load_at(state, op, address);
            }
            Loaded::Poisoned(at) => match self.overread(state, op, address) {
                Some(bytes) => bytes,
                None => return self.bad_access(state, Access::Read, at, op.size.into()),
            },
            Loaded::Outside => return self.outside(state, address),
            Loaded::Bytes(bytes) => bytes,
        };
        if let Some(bits) = self.pointer_bytes(state, &bytes[..op.size.into()])? {
            return Ok(Slot::Number(extend(op, bits)));
        }
        self.choose_values(state, &bytes[..op.size.into()])?;
        if let Some(e) = self.drawn_whole(state, &bytes[..op.size.into()], op.to) {
            return Ok(calc::loaded(&mut self.exprs.borrow_mut(), e, op.size, op.signed, op.to));
        }
        let parts: Vec<Expr> = bytes[..op.size.into()].iter().map(|b| self.octet(state, *b)).collect();
        let kind = if op.size == 8 { Kind::I64 } else { Kind::I32 };
        let mut exprs = self.exprs.borrow_mut();
        let e = if let [only] = parts[..] { only } else { exprs.concat_bytes(&parts, kind) };
        Ok(calc::loaded(&mut exprs, e, op.size, op.signed, op.to))
    }

    /// A word that a function of the C library reads beyond the end of a text: aligned, and its first byte
    /// exists.
    fn overread(&self, state: &State, op: LoadOp, address: u64) -> Option<[Byte; 8]> {
        let reads_words = self.reads_words[state.function as usize];
        if !reads_words
            || op.size != 4
            || !address.is_multiple_of(4)
            || state.memory.is_poisoned(address as u32)
        {
            return None;
        }
        let byte =
            |i: usize| if i < 4 { state.memory.byte(address as u32 + i as u32) } else { Byte::Number(0) };
        Some(std::array::from_fn(byte))
    }

    /// A byte of memory as an expression within 0 .. 255.
    pub(crate) fn octet(&mut self, state: &mut State, byte: Byte) -> Expr {
        match byte {
            Byte::Number(n) => self.exprs.borrow_mut().constant(Const::I32(n.into())),
            Byte::Symbolic(Cell::Part { value, part, .. }) => {
                let mut exprs = self.exprs.borrow_mut();
                let value = integer(&mut exprs, value);
                exprs.byte_of(value, part.into())
            }
            Byte::Symbolic(Cell::Drawn { draw, offset }) => self.drawn_byte(state, draw, offset),
        }
    }

    /// A byte of memory as the program would print it.
    pub(crate) fn text_byte(&mut self, state: &mut State, address: u32) -> OutByte {
        match state.memory.byte(address) {
            Byte::Number(n) => OutByte::Number(n),
            byte => {
                let e = self.octet(state, byte);
                match self.exprs.borrow().as_const(e) {
                    Some(Const::I32(n)) => OutByte::Number(n as u8),
                    _ => OutByte::Symbolic(e),
                }
            }
        }
    }

    // Drawn bytes become inputs when they are first read, in the width in which they are read.

    /// The value of a range of drawn bytes that are read together, if none of them was read otherwise before.
    fn drawn_whole(&mut self, state: &mut State, bytes: &[Byte], to: To) -> Option<Expr> {
        let Byte::Symbolic(Cell::Drawn { draw, offset }) = bytes[0] else { return None };
        let width = bytes.len() as u32;
        let follows = |(i, byte): (usize, &Byte)| {
            *byte == Byte::Symbolic(Cell::Drawn { draw, offset: offset + i as u32 })
        };
        if !bytes.iter().enumerate().all(follows) || offset % width != 0 {
            return None;
        }
        let own = &state.draws[draw as usize];
        // Elements that are not any number are inputs in their own width.
        if (own.range.is_some() || own.values.is_some()) && u32::from(own.unit) != width {
            return None;
        }
        let known = &own.parts;
        let at = known.partition_point(|part| part.0 + u32::from(part.1) <= offset);
        if let Some(part) = known.get(at).filter(|part| part.0 < offset + width) {
            return (part.0 == offset && u32::from(part.1) == width).then_some(part.2);
        }
        // The input that a float is are its bits: a program may look at those of a NaN.
        let kind = match width {
            1 => InputKind::Octet,
            2 => InputKind::Char,
            4 => InputKind::Int,
            _ => InputKind::Long,
        };
        let is_float = matches!((width, to), (4, To::F32) | (8, To::F64));
        let drawn = self.draw_part(state, draw, (offset, width as u8), kind);
        if is_float && width == state.draws[draw as usize].size {
            Rc::make_mut(&mut state.draws)[draw as usize].float = true;
        }
        Some(drawn)
    }

    /// Makes an input of bytes of a draw.
    fn draw_part(
        &mut self,
        state: &mut State,
        draw: u32,
        (offset, width): (u32, u8),
        kind: InputKind,
    ) -> Expr {
        let own = &state.draws[draw as usize];
        let name = part_name(own, offset, width);
        let (range, values) = if own.unit == width { (own.range, own.values.clone()) } else { (None, None) };
        let range = range.or(values.map(|values| crate::lazy::range_of(&values).0));
        let e = self.limited(&name, kind, range);
        let own = &mut Rc::make_mut(&mut state.draws)[draw as usize];
        let at = own.parts.partition_point(|part| part.0 < offset);
        own.parts.insert(at, (offset, width, e));
        e
    }

    fn drawn_byte(&mut self, state: &mut State, draw: u32, offset: u32) -> Expr {
        if let Some(byte) = self.pointer_byte(state, draw, offset) {
            return self.exprs.borrow_mut().constant(Const::I32(byte.into()));
        }
        let known = &state.draws[draw as usize].parts;
        let at = known.partition_point(|part| part.0 + u32::from(part.1) <= offset);
        if let Some(&(first, width, e)) = known.get(at).filter(|part| part.0 <= offset) {
            if width == 1 {
                return e;
            }
            let mut exprs = self.exprs.borrow_mut();
            let e = integer(&mut exprs, e);
            return exprs.byte_of(e, offset - first);
        }
        self.draw_part(state, draw, (offset, 1), InputKind::Octet)
    }

    /// A new draw, and its number.
    pub(crate) fn draw(&mut self, state: &mut State, name: &str, size: u32, scalar: Option<Scalar>) -> u32 {
        let float = scalar.is_some_and(|scalar| scalar.float);
        self.add_draw(state, Draw { name: name.into(), size, float, scalar, ..Draw::default() })
    }

    /// A value that the program draws.
    pub(crate) fn draw_scalar(&mut self, state: &mut State, name: &str, scalar: Scalar) -> Slot {
        self.draw_within(state, name, scalar, None)
    }

    /// The same within a range.
    pub(crate) fn draw_within(
        &mut self,
        state: &mut State,
        name: &str,
        scalar: Scalar,
        range: Option<(i64, i64)>,
    ) -> Slot {
        let (size, unit) = (scalar.width.into(), if range.is_some() { scalar.width } else { 0 });
        let own = Draw { name: name.into(), size, unit, float: scalar.float, ..Draw::default() };
        let draw = self.add_draw(state, Draw { range, scalar: Some(scalar), ..own });
        let kind = match (scalar.width, scalar.signed) {
            (1, true) => InputKind::Byte,
            (1, false) => InputKind::Octet,
            (2, true) => InputKind::Short,
            (2, false) => InputKind::Char,
            (4, _) => InputKind::Int,
            _ => InputKind::Long,
        };
        Slot::Symbolic(self.draw_part(state, draw, (0, scalar.width), kind))
    }

    /// Makes an object of memory symbolic: its bytes are inputs from now on.
    pub(crate) fn make_symbolic(&mut self, state: &mut State, address: u32, size: u32, name: &str) {
        let draw = self.draw(state, name, size, None);
        for offset in 0..size {
            state.memory.set_byte(address + offset, Byte::Symbolic(Cell::Drawn { draw, offset }));
        }
    }

    // Stores.

    /// A store that is not of a number at a number.
    pub(crate) fn store(
        &mut self,
        state: &mut State,
        (size, from): (u8, To),
        value: Slot,
        address: Slot,
        offset: u32,
    ) -> Done<()> {
        match address {
            Slot::Number(n) => {
                self.store_at(state, (size, from), value, u64::from(n as u32) + u64::from(offset))
            }
            Slot::Symbolic(_) => self.store_anywhere(state, (size, from), value, address, offset),
        }
    }

    /// A store at a known address.
    pub(crate) fn store_at(
        &mut self,
        state: &mut State,
        (size, from): (u8, To),
        value: Slot,
        address: u64,
    ) -> Done<()> {
        match state.memory.check(address, size.into()) {
            // Instrumentation marks the header of a frame as done with while its zone is still there.
            Loaded::Poisoned(at) if size == 4 && value == Slot::Number(FRAME_RETIRED) => {
                state.frame_ends(at);
            }
            Loaded::Poisoned(at) if self.is_frame_of_leaf(state, at) => {}
            Loaded::Poisoned(at) => return self.bad_access(state, Access::Write, at, size.into()),
            Loaded::Outside => return self.outside(state, address),
            _ => {}
        }
        match value {
            Slot::Number(bits) => state.memory.store(address as u32, size.into(), bits),
            Slot::Symbolic(_) => {
                let mut exprs = self.exprs.borrow_mut();
                let e = calc::expr(&mut exprs, value, from);
                // What is read back is asked for by its low bytes: they are computed once.
                let e = if size == 1 {
                    let whole = integer(&mut exprs, e);
                    exprs.byte_of(whole, 0)
                } else {
                    e
                };
                match calc::slot(&exprs, e) {
                    Slot::Number(bits) => state.memory.store(address as u32, size.into(), bits),
                    Slot::Symbolic(e) => state.memory.store_value(address as u32, size.into(), e),
                }
            }
        }
        Ok(())
    }

    // Ranges.

    /// Checks that a range exists and belongs to objects.
    pub(crate) fn check_range(
        &mut self,
        state: &mut State,
        how: Access,
        address: u64,
        size: u64,
    ) -> Done<()> {
        if !state.memory.has(address, size) {
            return self.outside(state, address.max(state.memory.bytes()));
        }
        match state.memory.first_poisoned(address as u32, size as u32) {
            Some(at) => self.bad_access(state, how, at, 1),
            None => Ok(()),
        }
    }

    /// How many bytes are meant from some addresses on: all numbers that are too many for an object are one
    /// finding.
    fn pin_length(&mut self, state: &mut State, size: Slot, at: &[(Access, u64)]) -> Done<u64> {
        if let Slot::Symbolic(e) = size {
            for &(how, address) in at {
                let room = state.memory.bytes().saturating_sub(address).min(1 << 16) as u32;
                let Some(bad) = state.memory.first_poisoned(address as u32, room) else { continue };
                let too_many = {
                    let mut exprs = self.exprs.borrow_mut();
                    let room = exprs.constant(Const::I32((bad - address as u32) as i32));
                    exprs.relate_unsigned(Rel::Gt, e, room)
                };
                if self.is(state, too_many)? {
                    return self.bad_access(state, how, bad, 1);
                }
            }
        }
        Ok(u64::from(self.pin(state, size)? as u32))
    }

    /// `memory.fill`, `memset`.
    pub(crate) fn fill(&mut self, state: &mut State, to: Slot, value: Slot, size: Slot) -> Done<()> {
        let to = u64::from(self.pin(state, to)? as u32);
        let size = self.pin_length(state, size, &[(Access::Write, to)])?;
        if size > 0 || to > state.memory.bytes() {
            self.check_range(state, Access::Write, to, size)?;
        }
        match value {
            Slot::Number(n) => state.memory.fill(to as u32, size as u32, n as u8),
            Slot::Symbolic(_) => {
                let value = {
                    let mut exprs = self.exprs.borrow_mut();
                    let e = calc::expr(&mut exprs, value, To::I32);
                    exprs.byte_of(e, 0)
                };
                let cell = Cell::Part { value, part: 0, width: 1 };
                (0..size).for_each(|i| state.memory.set_byte((to + i) as u32, Byte::Symbolic(cell)));
            }
        }
        Ok(())
    }

    /// `memory.copy`, `memmove`, `memcpy`.
    pub(crate) fn copy(&mut self, state: &mut State, to: Slot, from: Slot, size: Slot) -> Done<()> {
        let (to, from) = (u64::from(self.pin(state, to)? as u32), u64::from(self.pin(state, from)? as u32));
        let size = self.pin_length(state, size, &[(Access::Read, from), (Access::Write, to)])?;
        if size > 0 || to > state.memory.bytes() || from > state.memory.bytes() {
            self.check_range(state, Access::Read, from, size)?;
            self.check_range(state, Access::Write, to, size)?;
        }
        state.memory.copy(to as u32, from as u32, size as u32);
        Ok(())
    }

    // Findings.

    /// An access beyond the end of memory.
    pub(crate) fn outside<T>(&mut self, state: &mut State, address: u64) -> Done<T> {
        if !self.follows_allocator() {
            return self.trap(state, Trap::OutOfMemory);
        }
        // The stack is at the bottom: a frame that does not fit begins below address 0.
        let stack = state.globals.first().and_then(|global| global.number()).map_or(0, |n| n as i32);
        if self.layout.stack_top > 0 && stack < 0 {
            let message = format!("more than {} bytes", self.layout.stack_top);
            return self.fail(state, FailureKind::Trap(Trap::StackOverflow), message);
        }
        let end = state.memory.bytes();
        self.fail(
            state,
            FailureKind::Trap(Trap::OutOfMemory),
            format!("address 0x{address:x}, and memory ends at 0x{end:x}"),
        )
    }

    /// An access to a byte that no object has.
    pub(crate) fn bad_access<T>(&mut self, state: &mut State, how: Access, at: u32, size: u32) -> Done<T> {
        self.grow(state, at)?;
        let access = how.of_bytes(size);
        if at < FIRST_ADDRESS.min(self.layout.heap) {
            let message = format!("{access} at address {at}");
            return self.fail(state, FailureKind::NullDereference, message);
        }
        if at >= self.layout.heap {
            let Some(object) = state.heap.near(at) else {
                let (kind, place) = match state.heap.objects().first() {
                    Some(first) if first.start - at <= ALIGNMENT => {
                        (FailureKind::HeapOverflow, format!("before an object of {} bytes", first.size))
                    }
                    _ => (FailureKind::WildAccess, format!("at 0x{at:x}")),
                };
                return self.fail(state, kind, format!("{access} {place}"));
            };
            let distance = at - object.start;
            let inside = distance < object.size;
            let kind =
                if object.freed && inside { FailureKind::UseAfterFree } else { FailureKind::HeapOverflow };
            let place = match inside {
                true => format!("at offset {distance} of a freed object of {} bytes", object.size),
                false if at == object.start + object.size => {
                    format!("right behind an object of {} bytes", object.size)
                }
                false => {
                    format!("{} bytes behind an object of {} bytes", distance - object.size, object.size)
                }
            };
            return self.fail(state, kind, format!("{access} {place}"));
        }
        if let Some((kind, offset, size)) = self.after_its_time(state, at) {
            let place = format!("at offset {offset} of a variable of {size} bytes");
            return self.fail(state, kind, format!("{access} {place}"));
        }
        let kind =
            if at < self.layout.stack_top { FailureKind::StackOverflow } else { FailureKind::GlobalOverflow };
        self.fail(state, kind, format!("{access} beside an object"))
    }
}

/// The name of an input that is a part of a draw.
pub(crate) fn part_name(draw: &Draw, offset: u32, width: u8) -> String {
    if draw.size == u32::from(width) && !draw.is_row {
        return draw.name.to_string();
    }
    format!("{}[{}]", draw.name, offset / u32::from(width))
}

/// A value as an integer of 32 or 64 bits.
pub(crate) fn integer(exprs: &mut Exprs, e: Expr) -> Expr {
    match exprs.kind(e) {
        Kind::F32 => exprs.cast(Cast::FloatToBits, e),
        Kind::F64 => exprs.cast(Cast::DoubleToBits, e),
        _ => e,
    }
}

fn extend(op: LoadOp, bits: u64) -> u64 {
    crate::step::extend(op, bits)
}
