//! Arrays whose length is symbolic, made by `new T[n]` in the program or as inputs ([`crate::lengths`]): the
//! path asks only what it needs to know.
//!
//! `a.length` is the expression itself. An element whose index is a number in the code asks whether the array
//! reaches there: two arms. Everything else (another index, a native) chooses the length, a path for each up
//! to [`crate::Options::array_length`], and longer ones are cut. A loop over the array could ask round by
//! round as well, but then the longest array would come first, depth first. Arrays of the JDK's own code
//! have a length from the beginning: natives read them inside of other objects. The length of an input is
//! bounded, so that any index that is a number asks, and a symbolic one selects among all elements.

use std::rc::Rc;

use evergreen_symbolic::{Binary, Cast, Cond, Const, Expr, Rel};

use super::arrays::{Index, VM_LIMIT, beyond_the_vm};
use super::{Step, operand};
use crate::classes::{ClassId, Shape};
use crate::machine::Jvm;
use crate::narrowed::InputBound;
use crate::native::Trap;
use crate::object::{Body, OpenArray};
use crate::outcome::{Bound, Ending};
use crate::rope::Part;
use crate::state::State;
use crate::value::{Kind, Ref, Value};

/// The last element that is kept of an array of symbolic length.
const MOST_ITEMS: usize = 1 << 16;

impl Jvm {
    /// A new array of a symbolic length, which is not negative.
    pub(crate) fn new_open_array(&mut self, state: &mut State, class: ClassId, length: Expr) -> Step<Ref> {
        let Shape::Array { kind, .. } = self.class(class).shape else {
            return Err(Trap::unsupported("an array of no array class", "").into());
        };
        let from = self.relate_to(Rel::Ge, length, 0);
        let to = self.relate_to(Rel::Lt, length, i64::from(VM_LIMIT));
        let possible = self.exprs.borrow_mut().and(from, to);
        match self.choose(state, &[possible, from.negated(), to.negated()])? {
            0 => {}
            1 => {
                let message = vec![Part::Symbolic(Kind::Int, length)];
                let class = "java/lang/NegativeArraySizeException".into();
                return Err(Trap::ThrowRope { class, message }.into());
            }
            _ => return Err(beyond_the_vm()),
        }
        self.has_open_arrays = true;
        let made = state.is_making();
        let open = OpenArray { length, kind, items: Vec::new(), input: None, made };
        Ok(state.heap.new_object(class, Body::Open(Rc::new(open))))
    }

    /// The place of an access to such an array, its index that many operands below the top; out of bounds
    /// throws. Elements that can be one of several, below the length, are given as an expression.
    pub(super) fn open_index(&mut self, state: &mut State, array: Ref, depth: usize) -> Step<Index> {
        let Body::Open(open) = &state.heap.get(array).body else { return Ok(Index::Open(0)) };
        let open = open.clone();
        self.note_length(state, &open);
        let index = operand(state, depth);
        if let Value::Sym(index) = index {
            self.choose_lengths_of(state, index)?;
        }
        let is_bounded = open.input.is_some() || self.is_of_lengths(state, open.length);
        match index {
            Value::Int(at) if is_bounded || self.is_number(state, depth) => {
                self.open_place(state, &open, at).map(Index::Open)
            }
            Value::Sym(index) if open.kind != Kind::Reference && self.is_selected(&open) => {
                self.open_inside(state, &open, index)?;
                Ok(Index::Among(index))
            }
            _ => {
                self.fix_array(state, array)?;
                Err(Trap::Again.into())
            }
        }
    }

    /// Whether a symbolic index selects among the elements of an array of the input.
    fn is_selected(&self, open: &OpenArray) -> bool {
        open.input.as_ref().is_some_and(|input| input.most as usize <= self.options.select)
    }

    /// A number is inside, or throws.
    fn open_place(&mut self, state: &mut State, open: &OpenArray, at: i32) -> Step<usize> {
        let length = open.length;
        let inside = if at < 0 { Cond::FALSE } else { self.relate_to(Rel::Gt, length, at.into()) };
        if !self.choose_by_length(state, inside)? {
            let message = vec![
                Part::text(&format!("Index {at} out of bounds for length ")),
                Part::of(Kind::Int, self.value(length)),
            ];
            let class = "java/lang/ArrayIndexOutOfBoundsException".into();
            return Err(Trap::ThrowRope { class, message }.into());
        }
        // The elements before it are kept, too.
        if at as usize > MOST_ITEMS {
            return Err(Trap::End(Box::new(Ending::Bound(Bound::ArrayLength))).into());
        }
        Ok(at as usize)
    }

    /// A symbolic index is inside, or throws.
    fn open_inside(&mut self, state: &mut State, open: &OpenArray, index: Expr) -> Step {
        let low = self.relate_to(Rel::Ge, index, 0);
        let (high, inside) = {
            let mut exprs = self.exprs.borrow_mut();
            let high = exprs.relate(Rel::Lt, index, open.length);
            (high, exprs.and(low, high))
        };
        // The length is not negative: what is not below it is not negative either.
        if self.choose(state, &[inside, low.negated(), high.negated()])? == 0 {
            return Ok(());
        }
        let message = vec![
            Part::text("Index "),
            Part::Symbolic(Kind::Int, index),
            Part::text(" out of bounds for length "),
            Part::of(Kind::Int, self.value(open.length)),
        ];
        Err(Trap::ThrowRope { class: "java/lang/ArrayIndexOutOfBoundsException".into(), message }.into())
    }

    /// Whether a condition on the length of an array holds on this path. What the path learns is a change of
    /// the state: the instruction begins again, and does not ask a second time.
    fn choose_by_length(&mut self, state: &mut State, condition: Cond) -> Step<bool> {
        if let Some(known) = self.decided(state, condition) {
            return Ok(known);
        }
        let holds = self.choose_whether(state, condition)?;
        if self.learn_length(state, if holds { condition } else { condition.negated() }) {
            return Err(Trap::Again.into());
        }
        Ok(holds)
    }

    /// An index that depends on nothing but lengths of arrays is a number on each path.
    pub(super) fn choose_lengths_of(&mut self, state: &mut State, index: Expr) -> Step {
        if self.is_of_lengths(state, index) {
            let inputs = self.exprs.borrow().inputs_of_expr(index).to_vec();
            if self.choose_lengths(state, &inputs)? {
                return Err(Trap::Again.into());
            }
        }
        Ok(())
    }

    /// The elements of an array of the input that an index may select, all of them numbers.
    pub(super) fn open_items(&self, state: &State, array: Ref) -> Vec<Value> {
        match &state.heap.get(array).body {
            Body::Open(open) => {
                let most = open.input.as_ref().map_or(0, |input| input.most as usize);
                (0..most).map(|at| self.open_item(open, at)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Whether an operand of the running instruction is a number in the code.
    fn is_number(&mut self, state: &State, depth: usize) -> bool {
        let Some(frame) = state.top() else { return false };
        let (method, pc) = (frame.method.clone(), frame.pc);
        self.sources_of(&method).is_some_and(|sources| sources.is_number(pc, depth))
    }

    /// Chooses the lengths of all arrays among the arguments of a native, which then begins again.
    pub(crate) fn fix_arrays(&mut self, state: &mut State, args: &[Value]) -> Step {
        if !self.has_open_arrays {
            return Ok(());
        }
        let is_open = |array: &Ref| matches!(state.heap.get(*array).body, Body::Open(_) | Body::Written(_));
        match args.iter().filter_map(|arg| arg.as_ref()).find(is_open) {
            Some(array) => {
                self.fix_array(state, array)?;
                Err(Trap::Again.into())
            }
            None => Ok(()),
        }
    }

    /// Throws what `System.arraycopy` throws for its places, before the length of a new array is chosen: one
    /// that is as long as what is copied into it is then no longer than the source.
    pub(crate) fn check_copy(&mut self, state: &mut State, args: &[Value]) -> Step {
        let &[Value::Ref(from), from_at, Value::Ref(to), to_at, count] = args else {
            let has_null = args.contains(&Value::Null);
            return if has_null { Err(Trap::Null.into()) } else { Ok(()) };
        };
        let Body::Open(open) = &state.heap.get(to).body else { return Ok(()) };
        let (length, kind) = (open.length, open.kind);
        let class = self.class(state.heap.class_of(from)).clone();
        let has_kind = matches!(class.shape, Shape::Array { kind: other, .. } if other == kind);
        if open.input.is_some() || from == to || !has_kind {
            return Ok(());
        }
        match &state.heap.get(from).body {
            Body::Open(open) if open.input.is_some() => {
                self.fix_array(state, from)?;
                return Err(Trap::Again.into());
            }
            Body::Open(_) | Body::Written(_) => return Ok(()),
            _ => {}
        }
        let size = state.heap.array_length(from).unwrap_or(0);
        let name = match kind {
            Kind::Reference => "object array",
            kind => kind.java(),
        };
        let source = vec![Part::text(&format!(" out of bounds for {name}[{size}]"))];
        let target = vec![
            Part::text(&format!(" out of bounds for {name}[")),
            Part::of(Kind::Int, self.value(length)),
            Part::text("]"),
        ];
        let size = self.exprs.borrow_mut().constant(Const::I64(size as i64));
        let [from_at, to_at, count, length] =
            [from_at, to_at, count, self.value(length)].map(|value| self.as_long(value));
        let (from_last, to_last) = {
            let exprs = &mut *self.exprs.borrow_mut();
            (exprs.binary(Binary::Add, from_at, count), exprs.binary(Binary::Add, to_at, count))
        };
        let negative = vec![Part::text(" is negative")];
        let refused = [
            ("source index ", from_at, self.relate_to(Rel::Lt, from_at, 0), source.clone()),
            ("destination index ", to_at, self.relate_to(Rel::Lt, to_at, 0), target.clone()),
            ("length ", count, self.relate_to(Rel::Lt, count, 0), negative),
            ("last source index ", from_last, self.is_more(from_last, size), source),
            ("last destination index ", to_last, self.is_more(to_last, length), target),
        ];
        let any = refused
            .iter()
            .fold(Cond::FALSE, |any, (_, _, refuses, _)| self.exprs.borrow_mut().or(any, *refuses));
        if !self.choose_whether(state, any)? {
            return Ok(());
        }
        for (what, place, refuses, of) in refused {
            if self.choose_whether(state, refuses)? {
                let own = Part::of(Kind::Long, self.value(place));
                let mut message = vec![Part::text("arraycopy: "), Part::text(what), own];
                message.extend(of);
                let class = "java/lang/ArrayIndexOutOfBoundsException".into();
                return Err(Trap::ThrowRope { class, message }.into());
            }
        }
        Ok(())
    }

    fn as_long(&mut self, value: Value) -> Expr {
        let exprs = &mut *self.exprs.borrow_mut();
        match value {
            Value::Sym(expr) => exprs.cast(Cast::I2L, expr),
            other => exprs.constant(Const::I64(other.as_int().unwrap_or(0).into())),
        }
    }

    fn is_more(&mut self, place: Expr, size: Expr) -> Cond {
        self.exprs.borrow_mut().relate(Rel::Gt, place, size)
    }

    /// The longest array whose length is chosen. An array that an object of the input has made for itself is
    /// part of the input, and longer ones are left out as all inputs of such a length are.
    pub(super) fn longest(&mut self, state: &mut State, made: bool) -> i64 {
        if made {
            self.note_bound(state, InputBound::Length);
            return i64::from(self.options.input_length);
        }
        i64::from(self.options.array_length)
    }

    /// Chooses the length of an array.
    fn fix_array(&mut self, state: &mut State, array: Ref) -> Step {
        if matches!(state.heap.get(array).body, Body::Written(_)) {
            return self.choose_place(state, array);
        }
        let Body::Open(open) = &state.heap.get(array).body else { return Ok(()) };
        let open = open.clone();
        self.note_length(state, &open);
        if open.input.is_some() {
            let inputs = self.exprs.borrow().inputs_of_expr(open.length).to_vec();
            if self.choose_lengths(state, &inputs)? {
                return Err(Trap::Again.into());
            }
        }
        let (least, most) = match &open.input {
            Some(input) => (0, i64::from(input.most)),
            None => {
                let least = open.items.len() as i64;
                (least, self.longest(state, open.made).max(least))
            }
        };
        let mut cases: Vec<Cond> =
            (least..=most).map(|case| self.relate_to(Rel::Eq, open.length, case)).collect();
        cases.push(self.relate_to(Rel::Gt, open.length, most));
        let length = least + self.choose(state, &cases)? as i64;
        if length > most {
            return Err(too_long(open.made));
        }
        if open.input.is_some() {
            return self.close_input(state, array, length as usize);
        }
        let mut body = Body::array(open.kind, length as usize);
        for (at, item) in open.items.iter().enumerate() {
            body.set(at, *item);
        }
        state.heap.get_mut(array).body = body;
        Ok(())
    }
}

/// The end of a path whose array is longer than the longest.
pub(crate) fn too_long(made: bool) -> Box<Trap> {
    let end = if made { Ending::Assumed } else { Ending::Bound(Bound::ArrayLength) };
    Trap::End(Box::new(end)).into()
}
