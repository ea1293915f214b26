//! Accesses at addresses that depend on inputs.
//!
//! An address is a linear form: a constant, and an index times the size of an element. The object is the one
//! that the pointer was made of (`base.rs`): what lies between poisoned bytes. Inside it, a load is one table
//! read by the index, a store changes each element where the index is its own; the other case is a finding.
//!
//! Where the base is not known, every object that the address can reach is asked about, one after the other,
//! and an address within none of them is the finding. That is what KLEE does. Where there are too many
//! objects or elements, every address that is possible is an arm.
//!
//! Index and object decide, not the address modulo 2^32: an index so large that the product wraps back into
//! the object is out of bounds, as it is in C.
//!
//! A base in static data may be that of a neighbour where an optimizer has put the code together. So an
//! access that can never be within its object means the one that it is certain to be within, if there is one.
//!
//! Dropped: the object that the constant of the form points into. `table[c - 'a']` has its constant 97
//! elements before the table, which may be in a neighbour, and the index is then outside of that.

use crate::base::FIRST_ADDRESS;
use crate::calc;
use crate::code::{LoadOp, To};
use crate::load::Access;
use crate::machine::{Done, WasmMachine};
use crate::outcome::FailureKind;
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
/// Objects that an address without a base is compared with.
const MOST_OBJECTS: usize = 64;
/// So far outside of its object a base can be.
const BESIDE: u32 = 64;

/// An address: a constant, and multiples of a stride.
#[derive(Clone, Copy)]
struct Form {
    address: Expr,
    constant: u32,
    stride: u32,
}

/// What an access wants: so many bytes, of one of so many elements at most.
struct Wanted {
    form: Form,
    size: u8,
    most: u32,
}

/// Elements of an object, one of which an access means.
struct Elements {
    first: u32,
    stride: u32,
    count: u32,
    /// Which one, counted from the first.
    index: Expr,
}

/// How an access and an object are related.
enum Choice {
    /// It means one of these elements.
    Element(Elements),
    /// There are too many, or they are not where a stride says: every address is to be an arm.
    Address,
    /// It means none on this path.
    Beside,
    /// It can mean none, whatever the inputs are.
    Never,
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
        // Words that the C library reads may go beyond the end of a text: that is for known addresses.
        if self.reads_words[state.function as usize] {
            return Ok(None);
        }
        let form = self.form(address, offset);
        let wanted = Wanted { form, size, most };
        if let Some(base) = self.base(state, address, offset) {
            if let Some(object) = state.heap.near(base)
                && object.freed
                && base - object.start < object.size
            {
                return self.bad_access(state, how, base, size.into());
            }
            if self.after_its_time(state, base).is_some() {
                return self.bad_access(state, how, base, size.into());
            }
            self.grow(state, base)?;
            let input = self.object_of_input(state, base);
            if let Some(object) = input.or_else(|| self.object(state, base)) {
                return match self.choose(state, &wanted, object)? {
                    Choice::Element(elements) => Ok(Some(elements)),
                    Choice::Address => Ok(None),
                    Choice::Never if self.is_static(base) => match self.only_object(state, &wanted)? {
                        Some(elements) => Ok(Some(elements)),
                        None => self.beyond(state, how, object, size),
                    },
                    Choice::Beside | Choice::Never => self.beyond(state, how, object, size),
                };
            }
        }
        // Of cases of numbers the conditions of the path leave out none that matters.
        let is_number = self.exprs.borrow().constant_leaves(form.address, FEW as usize).is_some();
        let reach = match is_number {
            true => self.exprs.borrow().interval(form.address),
            false => self.narrowed(state, form.address),
        };
        let Some(objects) = self.objects_in_reach(state, reach, (form.constant, size)) else {
            return Ok(None);
        };
        for object in &objects {
            match self.choose(state, &wanted, *object)? {
                Choice::Element(elements) => return Ok(Some(elements)),
                Choice::Address => return Ok(None),
                Choice::Beside | Choice::Never => {}
            }
        }
        self.grow_in_reach(state, reach)?;
        match objects[..] {
            [only] => self.beyond(state, how, only, size),
            [] => {
                let at = if reach.0 <= form.constant.into() { form.constant } else { reach.0 as u32 };
                match state.memory.has(at.into(), 1) {
                    true => self.bad_access(state, how, at, size.into()),
                    false => self.outside(state, at.into()),
                }
            }
            _ => {
                let message = format!("{} outside of all objects", how.of_bytes(size.into()));
                self.fail(state, FailureKind::WildAccess, message)
            }
        }
    }

    /// An address taken apart.
    fn form(&self, address: Slot, offset: u32) -> Form {
        let mut exprs = self.exprs.borrow_mut();
        let address = calc::expr(&mut exprs, address, To::I32);
        let by = exprs.constant(Const::I32(offset as i32));
        let address = exprs.binary(Binary::Add, address, by);
        let (constant, stride) = exprs.spread(address);
        let stride = u32::try_from(stride.unsigned_abs()).unwrap_or(1).max(1);
        Form { address, constant: constant as u32, stride }
    }

    /// The address that a pointer was made of. The offset of an instruction is one where it is that of a
    /// global: then the register is an index.
    fn base(&self, state: &State, address: Slot, offset: u32) -> Option<u32> {
        let Slot::Symbolic(e) = address else { return None };
        let is_global = offset >= FIRST_ADDRESS && offset < self.layout.heap;
        state.bases.of(e).or(is_global.then_some(offset))
    }

    /// Whether a base is the address of a variable that the module has from the beginning. Optimizers add the
    /// constants of an index to it: `table[c - 'A']` is 65 elements before the table, in another variable.
    fn is_static(&self, base: u32) -> bool {
        (self.layout.stack_top..self.layout.heap).contains(&base)
    }

    /// The elements of the one object that an access is certain to mean.
    fn only_object(&mut self, state: &mut State, wanted: &Wanted) -> Done<Option<Elements>> {
        let address = wanted.form.address;
        let (least, greatest) =
            self.narrowed_by_bytes(state, address).unwrap_or_else(|| self.narrowed(state, address));
        let Ok(first) = u32::try_from(least) else { return Ok(None) };
        let Some((low, high)) = self.around(state, first) else { return Ok(None) };
        if greatest + i64::from(wanted.size) > high.into() {
            return Ok(None);
        }
        match self.choose(state, wanted, (low, high))? {
            Choice::Element(elements) => Ok(Some(elements)),
            _ => Ok(None),
        }
    }

    /// Whether an access means an element of an object, and which ones are possible.
    fn choose(&mut self, state: &mut State, wanted: &Wanted, (low, high): (u32, u32)) -> Done<Choice> {
        let Form { address, constant, stride } = wanted.form;
        if high - low < wanted.size.into() {
            return Ok(Choice::Never);
        }
        // Elements are where the constant and the stride say.
        let first = low + (constant.wrapping_sub(low) as i32).rem_euclid(stride as i32) as u32;
        let Some(room) = (high - u32::from(wanted.size)).checked_sub(first) else {
            return Ok(Choice::Never);
        };
        let count = room / stride + 1;
        let shared = self.exprs.clone();
        let quotient = shared.borrow_mut().exact_quotient(address, i64::from(first as i32), stride.into());
        let Some(index) = quotient else { return Ok(Choice::Address) };
        let mut range = shared.borrow().interval(index);
        let leaves = |(least, greatest): (i64, i64)| least < 0 || greatest >= count.into();
        if leaves(range) || range.1 - range.0 >= FEW {
            range = self.narrowed(state, index);
        }
        if leaves(range) {
            range = self.narrowed_by_bytes(state, index).unwrap_or(range);
        }
        let (least, greatest) = range;
        if greatest < 0 || least >= count.into() {
            return Ok(Choice::Never);
        }
        if leaves(range) {
            let within = {
                let mut exprs = shared.borrow_mut();
                let limit = exprs.constant(Const::I32(count as i32));
                exprs.relate_unsigned(Rel::Lt, index, limit)
            };
            if !self.is(state, within)? {
                return Ok(Choice::Beside);
            }
        }
        // What the interval of the index leaves out is not needed.
        let last = i64::from(count) - 1;
        let (least, greatest) = (least.clamp(0, last), greatest.clamp(0, last));
        if greatest - least >= i64::from(wanted.most) {
            return Ok(Choice::Address);
        }
        let (count, first) = ((greatest - least) as u32 + 1, first + least as u32 * stride);
        let index = {
            let mut exprs = shared.borrow_mut();
            let least = exprs.constant(Const::I32(least as i32));
            exprs.binary(Binary::Sub, index, least)
        };
        Ok(Choice::Element(Elements { first, stride, count, index }))
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

    /// All objects that an address without a base can reach: the one with the constant of its form first, as
    /// that one is most likely meant. `None` if they are too many, or if their ends are not known.
    fn objects_in_reach(
        &self,
        state: &State,
        (least, greatest): (i64, i64),
        (constant, size): (u32, u8),
    ) -> Option<Vec<(u32, u32)>> {
        let end = state.memory.bytes() as i64;
        let last = (greatest + i64::from(size) - 1).min(end - 1);
        let mut at = least.max(0);
        let mut objects = Vec::new();
        while at <= last {
            let Some(next) = state.memory.first_object_byte(at as u32, last as u32) else { break };
            let (low, high) = self.around(state, next)?;
            let whole = i64::from(low) <= least && last < i64::from(high);
            let ends_known = high - low < MOST_AROUND;
            if objects.len() == MOST_OBJECTS || !(whole || ends_known) {
                return None;
            }
            objects.push((low, high));
            at = i64::from(high);
        }
        if let Some(likely) = objects.iter().position(|(low, high)| (*low..*high).contains(&constant)) {
            objects[..=likely].rotate_right(1);
        }
        Some(objects)
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

    /// The object that a base points into, right behind, or just before; `None` if its ends are not known.
    fn object(&self, state: &State, base: u32) -> Option<(u32, u32)> {
        let behind = |at: &u32| state.memory.has(u64::from(*at), 1) && !state.memory.is_poisoned(*at);
        // `end[-i]` points right behind its object, `a[i - 1]` in front of it.
        let places = [Some(base), base.checked_sub(1)].into_iter();
        let near = (1..BESIDE).flat_map(|d| [base.checked_add(d), base.checked_sub(d)]);
        let inside = places.chain(near).flatten().find(behind)?;
        self.around(state, inside).filter(|(low, high)| high - low < MOST_AROUND)
    }

    /// An index outside of its object.
    fn beyond<T>(&mut self, state: &mut State, how: Access, (low, high): (u32, u32), size: u8) -> Done<T> {
        self.grow(state, high)?;
        let kind = match low {
            low if low >= self.layout.heap => FailureKind::HeapOverflow,
            low if low < self.layout.stack_top => FailureKind::StackOverflow,
            _ => FailureKind::GlobalOverflow,
        };
        let message = format!("{} outside of an object of {} bytes", how.of_bytes(size.into()), high - low);
        self.fail(state, kind, message)
    }
}
