//! A value for every input.

use crate::exprs::Exprs;
use crate::node::Input;
use crate::op::Const;
use std::rc::Rc;

/// A value for every input: those that were set, and for the others 0 or the value of their range nearest to
/// it; for characters within a range, such as those of strings, `a` in place of 0.
///
/// Cloning is one reference count.
#[derive(Clone, Debug, Default)]
pub struct Assignment(pub(crate) Rc<Vec<i64>>);

impl Assignment {
    /// Every input has its default.
    pub fn new() -> Assignment {
        Assignment::default()
    }

    /// The value of an input.
    pub fn get(&self, exprs: &Exprs, input: Input) -> Const {
        Const::from_raw(exprs.input_of(input).kind.kind(), self.raw(exprs, input))
    }

    /// The value of an integer input; with unbounded integers it may be outside of the input's type.
    pub fn integer(&self, exprs: &Exprs, input: Input) -> i64 {
        self.raw(exprs, input)
    }

    pub(crate) fn raw(&self, exprs: &Exprs, input: Input) -> i64 {
        match self.0.get(input.index()) {
            Some(&value) => value,
            None => exprs.input_of(input).default,
        }
    }

    /// Gives an input a value. Integers of another width are taken as they are; the range is not looked at.
    pub fn set(&mut self, exprs: &Exprs, input: Input, value: Const) {
        self.set_raw(exprs, input, value.raw());
    }

    pub(crate) fn set_raw(&mut self, exprs: &Exprs, input: Input, value: i64) {
        if self.raw(exprs, input) == value {
            return;
        }
        let values = Rc::make_mut(&mut self.0);
        for missing in values.len()..=input.index() {
            values.push(exprs.input_of(Input(missing as u32)).default);
        }
        values[input.index()] = value;
    }
}
