//! Arrays whose length is symbolic, made by `new T[n]` in the program: the path asks only what it needs to
//! know.
//!
//! `a.length` is the expression itself. An element whose index is a number in the code asks whether the array
//! reaches there: two arms. Everything else (another index, a native) chooses the length, a path for each up
//! to [`crate::Options::array_length`], and longer ones are cut. A loop over the array could ask round by
//! round as well, but then the longest array would come first, depth first. Arrays of the JDK's own code
//! have a length from the beginning: natives read them inside of other objects.

use std::rc::Rc;

use evergreen_symbolic::{Cond, Expr, Rel};

use super::arrays::{VM_LIMIT, beyond_the_vm};
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
    pub(super) fn new_open_array(&mut self, state: &mut State, class: ClassId, length: Expr) -> Step<Ref> {
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
        let open = OpenArray { length, kind, items: Vec::new(), made: state.is_making() };
        Ok(state.heap.new_object(class, Body::Open(Rc::new(open))))
    }

    /// The place of an access to such an array, its index that many operands below the top; out of bounds
    /// throws.
    pub(super) fn open_index(&mut self, state: &mut State, array: Ref, depth: usize) -> Step<usize> {
        let Body::Open(open) = &state.heap.get(array).body else { return Ok(0) };
        let length = open.length;
        let (Value::Int(at), true) = (operand(state, depth), self.is_number(state, depth)) else {
            self.fix_array(state, array)?;
            return Err(Trap::Again.into());
        };
        let inside = if at < 0 { Cond::FALSE } else { self.relate_to(Rel::Gt, length, at.into()) };
        if !self.choose_whether(state, inside)? {
            let message = vec![
                Part::text(&format!("Index {at} out of bounds for length ")),
                Part::Symbolic(Kind::Int, length),
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
        let is_open = |array: &Ref| matches!(state.heap.get(*array).body, Body::Open(_));
        match args.iter().filter_map(|arg| arg.as_ref()).find(is_open) {
            Some(array) => {
                self.fix_array(state, array)?;
                Err(Trap::Again.into())
            }
            None => Ok(()),
        }
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
        let Body::Open(open) = &state.heap.get(array).body else { return Ok(()) };
        let open = open.clone();
        let least = open.items.len() as i64;
        let most = self.longest(state, open.made).max(least);
        let mut cases: Vec<Cond> =
            (least..=most).map(|case| self.relate_to(Rel::Eq, open.length, case)).collect();
        cases.push(self.relate_to(Rel::Gt, open.length, most));
        let length = least + self.choose(state, &cases)? as i64;
        if length > most {
            return Err(too_long(open.made));
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
pub(super) fn too_long(made: bool) -> Box<Trap> {
    let end = if made { Ending::Assumed } else { Ending::Bound(Bound::ArrayLength) };
    Trap::End(Box::new(end)).into()
}
