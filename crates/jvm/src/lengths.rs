//! Arrays as inputs: a path learns their lengths where it looks at them.
//!
//! An array that is a parameter, or drawn, begins as [`Body::Open`] with an input for its length, up to
//! [`crate::Options::input_length`]. The path keeps the lengths that it still can have, as a set: a branch
//! that depends on lengths alone is evaluated for each, exactly and without a solver. When one length is
//! left, every value that depends on it becomes a number, so that the rest of the path costs what it would
//! cost with an array of that length. Elements are inputs of their own (`a[0]`). An element that is a string,
//! a box or an array is made when it is first read, and what it is then is kept for the test as well.
//!
//! Arrays of other objects are made as a whole ([`crate::made`]): a constructor that ran when an element is
//! read would run too late.

use std::rc::Rc;

use evergreen_symbolic::{Assignment, Cond, Const, Expr, Input, Rel};

use crate::blocked::Fixed;
use crate::describe::box_kind;
use crate::entry::input_kind;
use crate::machine::{Arguments, Jvm};
use crate::narrowed::InputBound;
use crate::native::Trap;
use crate::object::{Body, Elements, OpenArray};
use crate::outcome::Ending;
use crate::state::State;
use crate::step::symbolic::from_const;
use crate::value::{Kind, Ref, Value};

/// Where longer arrays are asked for, lengths are chosen at the beginning: sets of lengths end here.
pub(crate) const MOST_OPEN: u32 = 63;

/// The lengths that an array of the input can still have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Lengths {
    input: Input,
    /// Which of the numbers from 0 on.
    values: u64,
}

impl Lengths {
    fn is_open(&self) -> bool {
        self.values.count_ones() > 1
    }
}

/// Whether the elements of such an array can be made one by one.
pub(crate) fn is_made_lazily(array: &str) -> bool {
    let Some(element) = array.strip_prefix('[') else { return false };
    let class = element.strip_prefix('L').and_then(|name| name.strip_suffix(';'));
    match class {
        Some(name) => name == "java/lang/String" || box_kind(name).is_some(),
        None => !element.starts_with('[') || is_made_lazily(element),
    }
}

impl Jvm {
    /// A new array of the input, which is not null; its length is an input between 0 and the bound.
    pub(crate) fn new_input_array(
        &mut self,
        state: &mut State,
        name: &str,
        descriptor: &str,
        length: Expr,
        range: Option<(i64, i64)>,
        depth: u32,
    ) -> Result<Ref, Trap> {
        let class = self.load(descriptor)?;
        let kind = Kind::of_descriptor(&descriptor[1..]).unwrap_or(Kind::Int);
        self.note_own_array(state, class);
        self.has_open_arrays = true;
        let most = self.options.input_length;
        let input = Elements { name: name.into(), descriptor: descriptor[1..].into(), range, depth, most };
        let open = OpenArray { length, kind, items: Vec::new(), input: Some(Rc::new(input)), made: false };
        self.begin_lengths(state, length, most);
        let array = state.heap.new_object(class, Body::Open(Rc::new(open)));
        state.keep_array(array);
        Ok(array)
    }

    fn begin_lengths(&self, state: &mut State, length: Expr, most: u32) {
        let Some(input) = self.exprs.borrow().as_input(length) else { return };
        if most <= MOST_OPEN && !state.lengths.iter().any(|known| known.input == input) {
            let values = u64::MAX >> (63 - most);
            Rc::make_mut(&mut state.lengths).push(Lengths { input, values });
        }
    }

    /// An array of a type whose elements are made one by one: null, or of any length up to the bound.
    pub(crate) fn choose_input_array(
        &mut self,
        state: &mut State,
        name: &str,
        descriptor: &str,
        range: Option<(i64, i64)>,
        depth: u32,
    ) -> Result<Value, Trap> {
        let most = i64::from(self.options.input_length);
        let input = self.number_input(&format!("{name}.length"), Kind::Int, Some((-1, most)))?;
        let Value::Sym(length) = input else {
            return Err(Trap::unsupported("an array whose length is given", "this is a bug of evergreen"));
        };
        let is_null = self.relate_to(Rel::Eq, length, -1);
        let is_there = self.relate_to(Rel::Ge, length, 0);
        match self.choose(state, &[is_null, is_there])? {
            0 => Ok(Value::Null),
            _ => Ok(Value::Ref(self.new_input_array(state, name, descriptor, length, range, depth)?)),
        }
    }

    /// An array that a driver draws: never null. If the caller of the exploration has said something of its
    /// length or elements, it has its length from the beginning.
    pub(crate) fn draw_input_array(
        &mut self,
        state: &mut State,
        name: &str,
        descriptor: &str,
    ) -> Result<Ref, Trap> {
        let most = i64::from(self.options.input_length);
        let length = self.number_input(&format!("{name}.length"), Kind::Int, Some((0, most)))?;
        if let Value::Sym(length) = length
            && !self.is_closed(name)
            && most <= MOST_OPEN.into()
        {
            return self.new_input_array(state, name, descriptor, length, None, 0);
        }
        let length = match length {
            Value::Sym(length) => {
                let cases: Vec<Cond> = (0..=most).map(|case| self.relate_to(Rel::Eq, length, case)).collect();
                self.choose(state, &cases)? as u32
            }
            given => given.as_int().unwrap_or(0).max(0) as u32,
        };
        self.note_bound(state, InputBound::Length);
        let element = &descriptor[1..];
        let kind = Kind::of_descriptor(element).unwrap_or(Kind::Int);
        let mut items = Vec::new();
        for at in 0..length {
            let name = format!("{name}[{at}]");
            let item = match kind {
                Kind::Reference => self.make_input(state, &name, element).map_err(|trap| *trap)?,
                kind => self.number_input(&name, kind, None)?,
            };
            if item == Value::Null && self.is_never_null(element, 0) {
                return Err(Trap::End(Box::new(Ending::Assumed)));
            }
            items.push(item);
        }
        let class = self.load(descriptor)?;
        let mut body = Body::array(kind, items.len());
        items.iter().enumerate().for_each(|(at, item)| {
            body.set(at, *item);
        });
        let array = state.heap.new_object(class, body);
        state.keep_array(array);
        Ok(array)
    }

    /// An element of an array of symbolic length, below it; [`Value::Unset`] if it is still to be made.
    pub(crate) fn open_item(&self, open: &OpenArray, at: usize) -> Value {
        match (open.items.get(at), &open.input) {
            (Some(item), _) if *item != Value::Unset => *item,
            (_, Some(_)) if open.kind == Kind::Reference => Value::Unset,
            (_, Some(input)) => {
                let mut exprs = self.exprs.borrow_mut();
                let name = format!("{}[{at}]", input.name);
                let expr = exprs.input(&name, input_kind(open.kind), input.range);
                exprs.as_const(expr).map_or(Value::Sym(expr), from_const)
            }
            (_, None) => open.get(at),
        }
    }

    /// Makes an element that no instruction has read yet. The caller begins again and finds it there.
    pub(crate) fn make_item(&mut self, state: &mut State, array: Ref, at: usize) -> Result<(), Box<Trap>> {
        let Body::Open(open) = &state.heap.get(array).body else { return Ok(()) };
        let Some(input) = open.input.clone() else { return Ok(()) };
        let name = format!("{}[{at}]", input.name);
        let value = match input.descriptor.starts_with('[') {
            true if input.descriptor.starts_with("[[") || is_row_of_references(&input.descriptor) => {
                if input.depth + 1 >= self.options.nesting {
                    self.note_bound(state, InputBound::Nesting);
                    Value::Null
                } else {
                    self.choose_input_array(state, &name, &input.descriptor, None, input.depth + 1)?
                }
            }
            true => self.choose_input_array(state, &name, &input.descriptor, None, input.depth + 1)?,
            false => self.make_input(state, &name, &input.descriptor)?,
        };
        if value == Value::Null && self.is_never_null(&input.descriptor, input.depth) {
            return Err(Trap::End(Box::new(Ending::Assumed)).into());
        }
        state.set_item(array, at, value);
        let made = state.made_mut();
        made.add_element(array, at, value, name);
        Ok(())
    }

    /// Whether what is part of an input is not null, by what the caller of the exploration has said. What is
    /// nested too deep to be made is null all the same, as another bound says.
    pub(crate) fn is_never_null(&self, descriptor: &str, depth: u32) -> bool {
        let is_argument = self.options.main == Some(Arguments::Any) && descriptor == "Ljava/lang/String;";
        (self.options.non_null || is_argument) && depth < self.options.nesting
    }

    /// Notes that a path looks at an array of the input: longer ones are on no path.
    pub(crate) fn note_length(&mut self, state: &mut State, open: &OpenArray) {
        if let Some(input) = &open.input
            && !self.options.whole_lengths.contains(&format!("{}.length", input.name))
        {
            self.note_bound(state, InputBound::Length);
        }
    }

    /// Whether all inputs of an expression are lengths of arrays of the input, some of them still open.
    pub(crate) fn is_of_lengths(&self, state: &State, expr: Expr) -> bool {
        let exprs = self.exprs.borrow();
        let inputs = exprs.inputs_of_expr(expr);
        !inputs.is_empty()
            && inputs.iter().all(|input| state.lengths.iter().any(|known| known.input == *input))
    }

    /// Whether a condition holds for all lengths that are left, or for none; `None` if that depends, or if it
    /// says something of other inputs.
    pub(crate) fn decided(&self, state: &State, cond: Cond) -> Option<bool> {
        if state.lengths.is_empty() {
            return None;
        }
        let (known, left) = self.left_by(state, cond)?;
        match left {
            _ if left == known.values => Some(true),
            0 => Some(false),
            _ => None,
        }
    }

    /// The lengths that a condition on one array leaves.
    fn left_by(&self, state: &State, cond: Cond) -> Option<(Lengths, u64)> {
        let exprs = self.exprs.borrow();
        let [input] = *exprs.inputs_of(cond) else { return None };
        let known = *state.lengths.iter().find(|known| known.input == input)?;
        let (mut values, mut left) = (Assignment::new(), 0);
        for bit in (0..64).filter(|bit| known.values >> bit & 1 == 1) {
            values.set(&exprs, input, Const::I32(bit));
            left |= u64::from(exprs.holds(cond, &values)) << bit;
        }
        Some((known, left))
    }

    /// The path has taken an arm on which a condition holds. Whether fewer lengths are left now. If one is,
    /// the values that depend on it are numbers.
    pub(crate) fn learn_length(&mut self, state: &mut State, cond: Cond) -> bool {
        if state.lengths.is_empty() {
            return false;
        }
        let Some((known, left)) = self.left_by(state, cond) else { return false };
        // An infeasible path leaves none.
        if left == 0 || left == known.values {
            return false;
        }
        for lengths in Rc::make_mut(&mut state.lengths).iter_mut() {
            if lengths.input == known.input {
                lengths.values = left;
            }
        }
        if left.count_ones() > 1 {
            return true;
        }
        let fixed = {
            let exprs = self.exprs.borrow();
            Fixed::of(&exprs, known.input, Const::I32(left.trailing_zeros() as i32))
        };
        self.substitute(state, &fixed);
        true
    }

    /// A path for each length of the first array that some of these expressions depend on; afterwards these
    /// values are numbers, and the caller begins again. `false` if no length is open.
    pub(crate) fn choose_lengths(&mut self, state: &mut State, exprs: &[Input]) -> Result<bool, Trap> {
        let is_meant = |known: &&Lengths| known.is_open() && exprs.contains(&known.input);
        let Some(known) = state.lengths.iter().find(is_meant).copied() else { return Ok(false) };
        let length = self.exprs.borrow().expr_of(known.input);
        let lengths: Vec<i64> = (0..64).filter(|bit| known.values >> bit & 1 == 1).collect();
        let cases: Vec<Cond> = lengths.iter().map(|case| self.relate_to(Rel::Eq, length, *case)).collect();
        let chosen = self.choose(state, &cases)?;
        self.learn_length(state, cases[chosen]);
        Ok(true)
    }

    /// The same for the operands of an instruction that has no way to go on with symbols.
    pub(crate) fn unblock(&mut self, state: &mut State) -> Result<bool, Trap> {
        if !state.lengths.iter().any(Lengths::is_open) {
            return Ok(false);
        }
        let inputs = self.inputs_behind(state);
        self.choose_lengths(state, &inputs)
    }

    /// Gives an array of the input the elements that it has at its length, which is known.
    pub(crate) fn close_input(
        &mut self,
        state: &mut State,
        array: Ref,
        length: usize,
    ) -> Result<(), Box<Trap>> {
        let Body::Open(open) = &state.heap.get(array).body else { return Ok(()) };
        let open = open.clone();
        let items: Vec<Value> = (0..length).map(|at| self.open_item(&open, at)).collect();
        if let Some(unread) = items.iter().position(|item| *item == Value::Unset) {
            self.make_item(state, array, unread)?;
            return Err(Trap::Again.into());
        }
        state.heap.get_mut(array).body = match (items.is_empty(), open.kind) {
            (true, kind) => Body::array(kind, 0),
            (_, Kind::Reference) => Body::Refs(items.into()),
            _ => Body::Values(items.into()),
        };
        Ok(())
    }
}

/// Whether the elements of an array are references.
fn is_row_of_references(descriptor: &str) -> bool {
    descriptor.starts_with("[L")
}

impl State {
    /// Writes an element of an array of symbolic length.
    pub(crate) fn set_item(&mut self, array: Ref, at: usize, value: Value) {
        if let Body::Open(open) = &mut self.heap.get_mut(array).body {
            Rc::make_mut(open).set(at, value);
        }
    }
}
