//! Arrays: making them, reading and writing elements; with symbolic lengths and indices.
//!
//! A symbolic index that may be out of bounds is a branch. Inside, an element of a short primitive array is a
//! selection (and a store a conditional for each element), so that the path does not split; so is one of an
//! array of constants, however long. Of other arrays each index is a path of its own, up to a bound.

use std::rc::Rc;

use evergreen_classfile::{ArrayKind, Kind as Slot, Op, Primitive};
use evergreen_symbolic::{Cast, Cond, Expr, Kind as Bits, Rel};

use super::{Step, operand, replace};
use crate::call::null_pointer;
use crate::classes::{ClassId, Method, Shape};
use crate::machine::Jvm;
use crate::native::Trap;
use crate::object::Body;
use crate::rope::Part;
use crate::state::State;
use crate::value::{Kind, Ref, Value};

impl Jvm {
    pub(super) fn array_length(&mut self, state: &mut State) -> Step {
        let Value::Ref(array) = operand(state, 0) else { return Err(null_pointer()) };
        let length = match &state.heap.get(array).body {
            Body::Open(open) => {
                let open = open.clone();
                self.note_length(state, &open);
                self.value(open.length)
            }
            body => Value::Int(body.array_length().unwrap_or(0) as i32),
        };
        replace(state, 1, length, false);
        Ok(())
    }

    pub(super) fn array_load(&mut self, state: &mut State, kind: ArrayKind) -> Step {
        let Value::Ref(array) = operand(state, 1) else { return Err(null_pointer()) };
        let concrete = !matches!(state.heap.get(array).body, Body::Values(_) | Body::Refs(_));
        let most = if concrete { usize::MAX } else { self.options.select };
        let value = match self.index(state, array, 0, kind, most)? {
            Index::Open(index) => match self.open_at(state, array, index) {
                Value::Unset => {
                    self.make_item(state, array, index)?;
                    return Err(Trap::Again.into());
                }
                value => value,
            },
            Index::Place(place) => self.read_table(state, array, place)?,
            Index::Among(index) => {
                let items = self.open_items(state, array).into_iter().map(|item| self.expr(item));
                let items: Vec<Expr> = items.collect();
                let selected = self.exprs.borrow_mut().select(&items, index);
                self.value(selected)
            }
            Index::At(index) => match state.heap.load(array, index) {
                Value::Unset => self.initialize_field(state, array, index)?,
                value => value,
            },
            Index::Select(index) => {
                let selected = self.selected(state, array, index);
                self.value(selected)
            }
        };
        replace(state, 2, value, is_wide(kind));
        Ok(())
    }

    fn open_at(&self, state: &State, array: Ref, at: usize) -> Value {
        match &state.heap.get(array).body {
            Body::Open(open) => self.open_item(open, at),
            _ => Value::Null,
        }
    }

    /// The element at an index within an array. Long tables of constants are one node, which a query has as a
    /// table; a tree of their runs would have thousands of nodes.
    fn selected(&mut self, state: &State, array: Ref, index: Expr) -> Expr {
        let elements = state.heap.get(array).body.values();
        if elements.len() > self.options.table {
            let whole = |element: &Value| match *element {
                Value::Int(element) => Some((Bits::I32, i64::from(element))),
                Value::Long(element) => Some((Bits::I64, element)),
                _ => None,
            };
            let cells: Option<Vec<(Bits, i64)>> = elements.iter().map(whole).collect();
            if let Some(cells) = cells.filter(|cells| !cells.is_empty()) {
                let values: Vec<i64> = cells.iter().map(|(_, cell)| *cell).collect();
                return self.exprs.borrow_mut().table(&values, cells[0].0, index);
            }
        }
        let elements: Vec<Expr> = elements.into_iter().map(|element| self.expr(element)).collect();
        self.exprs.borrow_mut().select(&elements, index)
    }

    pub(super) fn array_store(&mut self, state: &mut State, kind: ArrayKind) -> Step {
        let size = 1 + usize::from(is_wide(kind));
        let Value::Ref(array) = operand(state, size + 1) else { return Err(null_pointer()) };
        let value = operand(state, size - 1);
        let index = self.index(state, array, size, kind, self.options.select)?;
        let class = self.class(state.heap.class_of(array)).clone();
        let Shape::Array { element, kind: element_kind } = class.shape else { return Err(null_pointer()) };
        if let (Kind::Reference, Value::Ref(object)) = (element_kind, value) {
            let stored = self.class(state.heap.class_of(object));
            if !stored.is_assignable_to(element) {
                return Err(Trap::throw("java/lang/ArrayStoreException", stored.java_name()).into());
            }
        }
        let value = self.narrow_to(element_kind, value);
        match index {
            Index::At(index) => {
                state.heap.store(array, index, value);
            }
            Index::Open(index) => state.set_item(array, index, value),
            Index::Place(place) => self.write_table(state, array, place, value),
            Index::Among(index) => {
                let items = self.open_items(state, array);
                self.store_among(state, array, index, value, items);
            }
            Index::Select(index) => self.store_everywhere(state, array, index, value),
        }
        if let Some(frame) = state.top_mut() {
            frame.sp -= size as u32 + 2;
        }
        Ok(())
    }

    fn store_everywhere(&mut self, state: &mut State, array: Ref, index: Expr, value: Value) {
        let elements = state.heap.get(array).body.values();
        self.store_among(state, array, index, value, elements);
    }

    // Each element is the new value if the index is its own.
    fn store_among(
        &mut self,
        state: &mut State,
        array: Ref,
        index: Expr,
        value: Value,
        elements: Vec<Value>,
    ) {
        let value = self.expr(value);
        let (low, high) = self.exprs.borrow().interval(index);
        let is_open = matches!(state.heap.get(array).body, Body::Open(_));
        for (at, old) in elements.into_iter().enumerate() {
            if (low..=high).contains(&(at as i64)) {
                let here = self.relate_to(Rel::Eq, index, at as i64);
                let old = self.expr(old);
                let new = self.exprs.borrow_mut().ite(here, value, old);
                let new = self.value(new);
                match is_open {
                    true => state.set_item(array, at, new),
                    false => {
                        state.heap.store(array, at, new);
                    }
                }
            }
        }
    }

    /// Cuts a value to the width of a field or element.
    pub(crate) fn narrow_to(&mut self, kind: Kind, value: Value) -> Value {
        match (kind, value) {
            (Kind::Boolean, Value::Int(value)) => Value::Int(value & 1),
            (Kind::Byte, Value::Int(value)) => Value::Int(i32::from(value as i8)),
            (Kind::Char, Value::Int(value)) => Value::Int(i32::from(value as u16)),
            (Kind::Short, Value::Int(value)) => Value::Int(i32::from(value as i16)),
            (Kind::Byte, Value::Sym(expr)) => self.cast_to(Cast::I2B, expr),
            (Kind::Char, Value::Sym(expr)) => self.cast_to(Cast::I2C, expr),
            (Kind::Short, Value::Sym(expr)) => self.cast_to(Cast::I2S, expr),
            (_, value) => value,
        }
    }

    fn cast_to(&mut self, cast: Cast, expr: Expr) -> Value {
        let result = self.exprs.borrow_mut().cast(cast, expr);
        self.value(result)
    }

    // The element of an access whose index is `depth` operands below the top: out of bounds throws. Arrays
    // longer than `most` are not selected from.
    fn index(
        &mut self,
        state: &mut State,
        array: Ref,
        depth: usize,
        kind: ArrayKind,
        most: usize,
    ) -> Step<Index> {
        if matches!(state.heap.get(array).body, Body::Open(_)) {
            return self.open_index(state, array, depth);
        }
        let length = state.heap.array_length(array).unwrap_or(0);
        let expr = match operand(state, depth) {
            Value::Sym(expr) => {
                self.choose_lengths_of(state, expr)?;
                expr
            }
            other => {
                let index = other.as_int().unwrap_or(-1);
                let is_written = matches!(state.heap.get(array).body, Body::Written(_));
                return match usize::try_from(index) {
                    Ok(index) if index < length && is_written => Ok(Index::Place(self.place_in(index))),
                    Ok(index) if index < length => Ok(Index::At(index)),
                    _ => Err(out_of_bounds(index, length)),
                };
            }
        };
        if !self.choose_inside(state, expr, length)? {
            return Err(symbolic_out_of_bounds(expr, length));
        }
        if kind != ArrayKind::Ref && length <= most {
            return Ok(Index::Select(expr));
        }
        if kind == ArrayKind::Ref && self.keeps_place(state, array) {
            return Ok(Index::Place(expr));
        }
        if matches!(state.heap.get(array).body, Body::Written(_)) {
            self.choose_place(state, array)?;
            return Err(Trap::Again.into());
        }
        self.each_index(state, expr, length)
    }

    // One arm for each index that the expression's interval allows.
    fn each_index(&mut self, state: &mut State, index: Expr, length: usize) -> Step<Index> {
        let (low, high) = self.exprs.borrow().interval(index);
        let (low, high) = (low.max(0), high.min(length as i64 - 1));
        let count = usize::try_from(high - low + 1).unwrap_or(0);
        if count > self.options.indices {
            let what = format!("a symbolic index into an array of {length}");
            return Err(Trap::unsupported(what, "bound the index, or use a shorter array").into());
        }
        let cases: Vec<Cond> = (low..=high).map(|at| self.relate_to(Rel::Eq, index, at)).collect();
        let chosen = self.choose(state, &cases)?;
        Ok(Index::At(low as usize + chosen))
    }

    pub(super) fn new_array(&mut self, state: &mut State, primitive: Primitive) -> Step {
        self.make_room(state)?;
        let class = self.load_descriptor(&format!("[{}", primitive.descriptor()))?;
        let array = self.new_row(state, class)?;
        replace(state, 1, Value::Ref(array), false);
        Ok(())
    }

    pub(super) fn new_reference_array(&mut self, state: &mut State, method: &Rc<Method>, index: u16) -> Step {
        self.make_room(state)?;
        let element = self.resolve_class(&method.pool, index)?;
        let class = self.array_of(element)?;
        let array = self.new_row(state, class)?;
        replace(state, 1, Value::Ref(array), false);
        Ok(())
    }

    // An array whose length is the operand; of symbolic length if the program itself makes it.
    fn new_row(&mut self, state: &mut State, class: ClassId) -> Step<Ref> {
        let length = operand(state, 0);
        if let (Value::Sym(length), true) = (length, state.top().is_some_and(|frame| frame.method.user)) {
            return self.new_open_array(state, class, length);
        }
        let length = self.length(state, length)?;
        self.make_array(state, class, length)
    }

    pub(super) fn new_nested_array(
        &mut self,
        state: &mut State,
        method: &Rc<Method>,
        index: u16,
        dimensions: u8,
    ) -> Step {
        self.make_room(state)?;
        let class = self.resolve_class(&method.pool, index)?;
        let count = usize::from(dimensions);
        let mut lengths = Vec::with_capacity(count);
        for dimension in 0..count {
            lengths.push(self.length(state, operand(state, count - 1 - dimension))?);
        }
        let total = lengths.iter().try_fold(1usize, |all, length| all.checked_mul((*length).max(1)));
        if total.is_none_or(|total| total > self.options.elements) {
            return Err(Trap::throw("java/lang/OutOfMemoryError", "Java heap space").into());
        }
        let array = self.make_nested(state, class, &lengths)?;
        replace(state, count as u32, Value::Ref(array), false);
        Ok(())
    }

    fn make_nested(&mut self, state: &mut State, class: ClassId, lengths: &[usize]) -> Step<Ref> {
        let Some((length, inner)) = lengths.split_first() else {
            return Err(Trap::unsupported("an array of no dimensions", "").into());
        };
        let array = self.make_array(state, class, *length)?;
        if inner.is_empty() {
            return Ok(array);
        }
        let Shape::Array { element, .. } = self.class(class).shape else { return Ok(array) };
        for at in 0..*length {
            let nested = self.make_nested(state, element, inner)?;
            state.heap.store(array, at, Value::Ref(nested));
        }
        Ok(array)
    }

    /// A new array of an array class, its elements at their defaults.
    pub fn make_array(&mut self, state: &mut State, class: ClassId, length: usize) -> Result<Ref, Box<Trap>> {
        let Shape::Array { kind, .. } = self.class(class).shape else {
            return Err(Trap::unsupported("an array of no array class", "").into());
        };
        if length >= VM_LIMIT as usize {
            return Err(beyond_the_vm());
        }
        let size = if kind == Kind::Reference || kind.is_wide() { 16 } else { 4 };
        if length > self.options.elements || length as u64 * size > self.options.heap_bytes / 2 {
            return Err(Trap::throw("java/lang/OutOfMemoryError", "Java heap space").into());
        }
        Ok(state.heap.new_object(class, Body::array(kind, length)))
    }

    // The length of a new array: a symbolic one is an arm for each length up to the bound.
    fn length(&mut self, state: &mut State, length: Value) -> Step<usize> {
        let expr = match length {
            Value::Sym(expr) => expr,
            other => {
                let length = other.as_int().unwrap_or(-1);
                return usize::try_from(length).map_err(|_| negative_size(&length.to_string()));
            }
        };
        let made = state.is_making();
        let most = self.longest(state, made);
        let mut cases: Vec<Cond> = (0..=most).map(|case| self.relate_to(Rel::Eq, expr, case)).collect();
        cases.push(self.relate_to(Rel::Lt, expr, 0));
        cases.push(self.relate_to(Rel::Gt, expr, most));
        let chosen = self.choose(state, &cases)? as i64;
        if chosen <= most {
            return Ok(chosen as usize);
        }
        if chosen == most + 1 {
            let message = vec![Part::Symbolic(Kind::Int, expr)];
            return Err(
                Trap::ThrowRope { class: "java/lang/NegativeArraySizeException".into(), message }.into()
            );
        }
        Err(super::open_arrays::too_long(made))
    }

    /// An integer division whose divisor is zero or symbolic, or whose dividend is.
    pub(super) fn divide(&mut self, state: &mut State, kind: Slot, op: Op) -> Step {
        let size = if kind == Slot::Long { 2 } else { 1 };
        let (a, b) = (operand(state, 2 * size - 1), operand(state, size - 1));
        match b {
            Value::Int(0) | Value::Long(0) => return Err(by_zero()),
            Value::Sym(divisor) => {
                let nonzero = self.relate_to(Rel::Ne, divisor, 0);
                if !self.choose_whether(state, nonzero)? {
                    return Err(by_zero());
                }
            }
            _ => {}
        }
        let result = self.symbolic_binary(op, a, b);
        replace(state, 2 * size as u32, result, kind == Slot::Long);
        Ok(())
    }
}

pub(super) enum Index {
    /// A place within an array of symbolic length.
    Open(usize),
    /// A place within an array of references, below its length, that stays open.
    Place(Expr),
    /// A place within such an array that is an input, below its length.
    Among(Expr),
    At(usize),
    Select(Expr),
}

fn is_wide(kind: ArrayKind) -> bool {
    matches!(kind, ArrayKind::Long | ArrayKind::Double)
}

fn out_of_bounds(index: i32, length: usize) -> Box<Trap> {
    let text = format!("Index {index} out of bounds for length {length}");
    Trap::throw("java/lang/ArrayIndexOutOfBoundsException", text).into()
}

fn symbolic_out_of_bounds(index: Expr, length: usize) -> Box<Trap> {
    let message = vec![
        Part::text("Index "),
        Part::Symbolic(Kind::Int, index),
        Part::text(&format!(" out of bounds for length {length}")),
    ];
    Trap::ThrowRope { class: "java/lang/ArrayIndexOutOfBoundsException".into(), message }.into()
}

/// HotSpot makes no array of this length.
pub(super) const VM_LIMIT: i32 = i32::MAX - 1;

pub(super) fn beyond_the_vm() -> Box<Trap> {
    Trap::throw("java/lang/OutOfMemoryError", "Requested array size exceeds VM limit").into()
}

fn negative_size(length: &str) -> Box<Trap> {
    Trap::throw("java/lang/NegativeArraySizeException", length).into()
}

fn by_zero() -> Box<Trap> {
    Trap::throw("java/lang/ArithmeticException", "/ by zero").into()
}
