//! Accesses at addresses that depend on inputs.
//!
//! An address is a linear form: the constant of the form points into the object that is meant, the rest is an
//! index times the size of an element. The object is what lies between poisoned bytes. Inside it, a load is
//! one table read by the index, a store changes each element where the index is its own; the other case is a
//! finding. Where no object can be found from the constant, or there are too many elements, every address
//! that is possible is an arm.
//!
//! Index and object decide, not the address modulo 2^32: an index so large that the product wraps back into
//! the object is out of bounds, as it is in C.

use crate::calc;
use crate::code::{LoadOp, To};
use crate::load::Access;
use crate::machine::{Done, WasmMachine};
use crate::state::{Slot, State};
use evergreen_symbolic::{Assignment, Binary, Bounds, Cond, Const, Expr, InputKind, Kind, Rel};

/// Elements that a load may choose from.
const MOST_READ: u32 = 4096;
/// Elements that a store may change.
const MOST_WRITTEN: u32 = 256;
/// Bytes to each side in which the ends of an object are looked for.
const MOST_AROUND: u32 = 1 << 16;

/// So few elements are all looked at, even if the conditions of the path leave out some of them.
const FEW: i64 = 16;
/// So far from an object the constant of an address that means it can be: `text[c - '0']`.
const NEAR: i64 = 4096;

/// Elements of an object, one of which an access means.
struct Elements {
    first: u32,
    stride: u32,
    count: u32,
    index: Expr,
}

impl WasmMachine {
    /// A load at a symbolic address.
    pub(crate) fn load_anywhere(
        &mut self,
        state: &mut State,
        op: LoadOp,
        address: Slot,
        offset: u32,
    ) -> Done<Slot> {
        let address = self.with_pointers(state, address)?;
        if let Slot::Number(n) = address {
            return self.load_at(state, op, u64::from(n as u32) + u64::from(offset));
        }
        let Some(elements) = self.elements(state, Access::Read, (address, offset), op.size, MOST_READ)?
        else {
            let address = self.pin(state, address)?;
            return self.load_at(state, op, u64::from(address as u32) + u64::from(offset));
        };
        let mut values = Vec::with_capacity(elements.count as usize);
        for i in 0..elements.count {
            values.push(self.load_at(state, op, u64::from(elements.first + i * elements.stride))?);
        }
        let mut exprs = self.exprs.borrow_mut();
        let numbers: Option<Vec<u64>> = values.iter().map(|value| value.number()).collect();
        let wide = matches!(op.to, To::I64 | To::F64);
        let e = match numbers {
            // Floats are tables of their bits.
            Some(numbers) => {
                let kind = if wide { Kind::I64 } else { Kind::I32 };
                let raw = |n: &u64| if wide { *n as i64 } else { i64::from(*n as i32) };
                let numbers: Vec<i64> = numbers.iter().map(raw).collect();
                exprs.table(&numbers, kind, elements.index)
            }
            None => {
                let table: Vec<Expr> =
                    values.iter().map(|value| calc::bits(&mut exprs, *value, op.to)).collect();
                exprs.select(&table, elements.index)
            }
        };
        Ok(calc::slot(&exprs, e))
    }

    /// A store at a symbolic address.
    pub(crate) fn store_anywhere(
        &mut self,
        state: &mut State,
        (size, from): (u8, To),
        value: Slot,
        address: Slot,
        offset: u32,
    ) -> Done<()> {
        let address = self.with_pointers(state, address)?;
        if let Slot::Number(n) = address {
            return self.store_at(state, (size, from), value, u64::from(n as u32) + u64::from(offset));
        }
        let wanted = (address, offset);
        let elements = self.elements(state, Access::Write, wanted, size, MOST_WRITTEN)?;
        let Some(elements) = elements.filter(|elements| elements.stride >= size.into()) else {
            let address = self.pin(state, address)?;
            return self.store_at(state, (size, from), value, u64::from(address as u32) + u64::from(offset));
        };
        let to = if size == 8 { To::I64 } else { To::I32 };
        let op = LoadOp { size, signed: false, to };
        for i in 0..elements.count {
            let place = u64::from(elements.first + i * elements.stride);
            let old = self.load_at(state, op, place)?;
            let chosen = {
                let mut exprs = self.exprs.borrow_mut();
                let own = exprs.constant(Const::I32(i as i32));
                let is_own = exprs.relate(Rel::Eq, elements.index, own);
                let new = calc::bits(&mut exprs, value, from);
                let new = calc::loaded(&mut exprs, new, size, false, to);
                calc::select(&mut exprs, is_own, new, old)
            };
            self.store_at(state, (size, to), chosen, place)?;
        }
        Ok(())
    }

    /// The elements that an access can mean, decided to be within their object; `None` if each address is to
    /// be an arm.
    fn elements(
        &mut self,
        state: &mut State,
        how: Access,
        (address, offset): (Slot, u32),
        size: u8,
        most: u32,
    ) -> Done<Option<Elements>> {
        let shared = self.exprs.clone();
        let (address, constant, base, stride, is_number) = {
            let mut exprs = shared.borrow_mut();
            let address = calc::expr(&mut exprs, address, To::I32);
            let by = exprs.constant(Const::I32(offset as i32));
            let address = exprs.binary(Binary::Add, address, by);
            let (base, stride) = exprs.spread(address);
            // Cases of numbers may be in several objects: none of them says which one is meant.
            let constant = exprs.constant_part(address).unwrap_or(0);
            let is_number = exprs.constant_leaves(address, FEW as usize).is_some();
            (address, constant as u32, base as u32, stride, is_number)
        };
        if let Some(object) = state.heap.near(constant)
            && object.freed
            && constant - object.start < object.size
        {
            return self.bad_access(state, how, constant, size.into());
        }
        // Where the constant is in an object, that one is meant; a neighbour may be in reach of the index.
        let meant = (constant >= 1024).then(|| self.around(state, constant)).flatten();
        let meant = meant.filter(|(low, high)| high - low < MOST_AROUND / 2);
        let found = meant.or_else(|| {
            // The ends of the interval say which object is meant: only those that the path allows.
            let range = match is_number {
                true => shared.borrow().interval(address),
                false => self.narrowed(state, address),
            };
            self.object_of_range(state, range, size)
        });
        let found = found.or_else(|| self.object(state, constant, offset));
        let Some((low, high)) = found else { return Ok(None) };
        if high - low < size.into() {
            return Ok(None);
        }
        // Elements are where the constant and the stride say.
        let stride = u32::try_from(stride.unsigned_abs()).unwrap_or(1).max(1);
        let first = low + (base.wrapping_sub(low) as i32).rem_euclid(stride as i32) as u32;
        let Some(room) = (high - u32::from(size)).checked_sub(first) else { return Ok(None) };
        let count = room / stride + 1;
        let Some(index) = shared.borrow_mut().exact_quotient(address, i64::from(first as i32), stride.into())
        else {
            return Ok(None);
        };
        let mut range = shared.borrow().interval(index);
        let leaves = |(least, greatest): (i64, i64)| least < 0 || greatest >= count.into();
        if leaves(range) || range.1 - range.0 >= FEW {
            range = self.narrowed(state, index);
        }
        if leaves(range) {
            range = self.narrowed_by_bytes(state, index).unwrap_or(range);
        }
        let (least, greatest) = range;
        if leaves(range) {
            // Another pointer may be meant: only a constant of the form itself says which object it is.
            let is_near = (i64::from(low) - NEAR..i64::from(high) + NEAR).contains(&constant.into());
            if !is_near {
                return Ok(None);
            }
            let within = {
                let mut exprs = shared.borrow_mut();
                let limit = exprs.constant(Const::I32(count as i32));
                exprs.relate_unsigned(Rel::Lt, index, limit)
            };
            if !self.is(state, within)? {
                return self.beyond(state, how, (low, high), size);
            }
        }
        // What the interval of the index leaves out is not needed.
        let last = i64::from(count) - 1;
        let (least, greatest) = (least.clamp(0, last), greatest.clamp(0, last));
        if greatest - least >= i64::from(most) {
            return Ok(None);
        }
        let (count, first) = ((greatest - least) as u32 + 1, first + least as u32 * stride);
        let index = {
            let mut exprs = shared.borrow_mut();
            let least = exprs.constant(Const::I32(least as i32));
            exprs.binary(Binary::Sub, index, least)
        };
        Ok(Some(Elements { first, stride, count, index }))
    }

    /// The conditions of the path that mention an input of a value, conjunctions taken apart.
    ///
    /// Those that the instruction itself has decided do not count: it is executed again after each decision,
    /// and has to come to the same ones.
    fn touching(&self, state: &State, e: Expr) -> Vec<Cond> {
        let exprs = self.exprs.borrow();
        let inputs = exprs.inputs_of_expr(e);
        let mut found = Vec::new();
        let mut open = state.known.constraints();
        open.truncate(open.len() - state.made.len());
        while let Some(cond) = open.pop() {
            match exprs.as_and(cond) {
                Some((a, b)) => open.extend([a, b]),
                None if exprs.inputs_of(cond).iter().any(|input| inputs.contains(input)) => found.push(cond),
                None => {}
            }
        }
        found
    }

    /// The interval of a value under the conditions of the path.
    pub(crate) fn narrowed(&self, state: &State, e: Expr) -> (i64, i64) {
        let touching = self.touching(state, e);
        let exprs = self.exprs.borrow();
        let mut bounds = Bounds::new();
        touching.iter().for_each(|cond| bounds.learn(&exprs, *cond));
        exprs.interval_under(e, &bounds)
    }

    /// The interval of a value of one byte, computed for each byte that the path allows.
    fn narrowed_by_bytes(&self, state: &State, e: Expr) -> Option<(i64, i64)> {
        let touching = self.touching(state, e);
        let exprs = self.exprs.borrow();
        let [only] = exprs.inputs_of_expr(e) else { return None };
        let info = exprs.input_of(*only);
        if info.kind != InputKind::Octet {
            return None;
        }
        let own: Vec<Cond> = touching.into_iter().filter(|cond| exprs.inputs_of(*cond).len() == 1).collect();
        let (from, to) = info.range.unwrap_or((0, 255));
        let mut model = Assignment::new();
        let mut found: Option<(i64, i64)> = None;
        for value in from..=to {
            model.set(&exprs, *only, Const::I32(value as i32));
            if own.iter().all(|cond| exprs.holds(*cond, &model)) {
                let value = match exprs.eval(e, &model) {
                    Const::I32(n) => n.into(),
                    Const::I64(n) => n,
                    _ => return None,
                };
                found = Some(found.map_or((value, value), |(low, high)| (low.min(value), high.max(value))));
            }
        }
        found
    }

    /// The object that has the least address, or else the greatest.
    fn object_of_range(&self, state: &State, (least, greatest): (i64, i64), size: u8) -> Option<(u32, u32)> {
        if greatest - least > i64::from(MOST_AROUND) || greatest < 0 {
            return None;
        }
        let ends = [least, greatest + i64::from(size) - 1];
        let valid = |at: &i64| (1024..=i64::from(i32::MAX)).contains(at);
        let mut found = ends.into_iter().filter(valid).map(|at| self.around(state, at as u32));
        found.find_map(|object| object)
    }

    /// The object that has an address: between poisoned bytes.
    pub(crate) fn around(&self, state: &State, at: u32) -> Option<(u32, u32)> {
        if !state.memory.has(at.into(), 1) || state.memory.is_poisoned(at) {
            return None;
        }
        if let Some(object) = state.heap.near(at)
            && !object.freed
            && at - object.start < object.size
        {
            return Some((object.start, object.start + object.size));
        }
        let after = state.known_globals.partition_point(|(start, _)| *start <= at);
        if let Some((start, size)) = after.checked_sub(1).map(|at| state.known_globals[at])
            && at - start < size
        {
            return Some((start, start + size));
        }
        let (low, high) = state.memory.around(at, MOST_AROUND);
        (low < high).then_some((low, high))
    }

    /// The object that a constant points into, or right beside.
    fn object(&self, state: &State, constant: u32, offset: u32) -> Option<(u32, u32)> {
        // An offset in the data is that of a global; any other one is that of a field, and the rest says
        // nothing.
        let is_field = constant <= offset && constant < self.layout.stack_top;
        if constant < 1024 || is_field || !state.memory.has(constant.into(), 1) {
            return None;
        }
        if let Some(object) = self.around(state, constant) {
            return Some(object);
        }
        // `a[i - 1]` points in front of its object, `end[-i]` behind it.
        let near = (0..64).flat_map(|d| [constant.checked_add(d), constant.checked_sub(d)]).flatten();
        let mut near = near.filter(|at| state.memory.has(u64::from(*at), 1));
        let inside = near.find(|at| !state.memory.is_poisoned(*at))?;
        self.around(state, inside)
    }

    /// An index outside of its object.
    fn beyond<T>(&mut self, state: &mut State, how: Access, (low, high): (u32, u32), size: u8) -> Done<T> {
        use crate::outcome::FailureKind;
        let verb = if how == Access::Read { "read" } else { "write" };
        let kind = match low {
            low if low >= self.layout.heap => FailureKind::HeapOverflow,
            low if low < self.layout.stack_top => FailureKind::StackOverflow,
            _ => FailureKind::GlobalOverflow,
        };
        let bytes = if size == 1 { "1 byte".to_string() } else { format!("{size} bytes") };
        let message = format!("{verb} of {bytes} outside of an object of {} bytes", high - low);
        self.fail(state, kind, message)
    }
}
