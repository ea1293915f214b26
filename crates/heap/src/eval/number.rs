//! Integers of a heap: known, unknown, or undefined (a field of nothing).

use super::{Eval, Truth, members};
use crate::heap::{Object, Value};
use crate::invariant::{FieldId, FunId, Int, Set};

/// The value of an integer term.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Number {
    /// A field of nothing.
    Undefined,
    Unknown,
    /// Not known, but one of those from the first to the second.
    Between(i64, i64),
    Known(i64),
}

impl Number {
    /// The least and the greatest that it can be, where it is defined.
    pub(super) fn range(self) -> (i64, i64) {
        match self {
            Number::Known(n) => (n, n),
            Number::Between(low, high) => (low, high),
            Number::Undefined | Number::Unknown => (i64::MIN, i64::MAX),
        }
    }
}

/// A concrete heap has no scope of its own: ranges up to `scope` do not limit it.
pub(super) const MAX_SCOPE: usize = i32::MAX as usize;

impl Eval<'_> {
    /// The value of a plain field of the only member of a set.
    pub(super) fn read(&mut self, set: &Set, field: FieldId) -> Number {
        let set = self.set(set);
        if set.may == 0 {
            return Number::Undefined;
        }
        if set.must != set.may || set.may & self.fresh != 0 || set.may.count_ones() != 1 {
            return Number::Unknown;
        }
        let object = Object(set.may.trailing_zeros() as u8);
        if !self.invariant.shape.fields_of(self.heap.class(object)).contains(&field) {
            return Number::Undefined;
        }
        match self.heap.get(object, field) {
            Value::Int(n) => Number::Known(i64::from(n)),
            _ => Number::Unknown,
        }
    }

    pub(super) fn int(&mut self, int: &Int) -> Number {
        match int {
            Int::Number(n) => Number::Known(*n),
            Int::Field(set, field) => self.read(set, *field),
            Int::Count(set) => {
                let set = self.set(set);
                let least = i64::from(set.must.count_ones());
                match set.may & self.fresh {
                    0 if set.must == set.may => Number::Known(least),
                    0 => Number::Between(least, i64::from(set.may.count_ones())),
                    _ => Number::Between(least, i64::MAX),
                }
            }
            Int::Add(a, b) => self.both(a, b, i64::wrapping_add),
            Int::Sub(a, b) => self.both(a, b, i64::wrapping_sub),
            Int::Mul(a, b) => self.both(a, b, i64::wrapping_mul),
            Int::Max(a, b) => self.both(a, b, i64::max),
            Int::Min(a, b) => self.both(a, b, i64::min),
            Int::Mod(a, n) => match self.int(a) {
                Number::Known(a) => Number::Known(a.rem_euclid(*n)),
                Number::Undefined => Number::Undefined,
                Number::Unknown | Number::Between(..) => Number::Unknown,
            },
            Int::If(condition, a, b) => match self.formula(condition) {
                Truth::True => self.int(a),
                Truth::False => self.int(b),
                Truth::Unknown => Number::Unknown,
            },
            Int::Sum(var, domain, body) => {
                let domain = self.set(domain);
                if domain.must != domain.may || domain.may & self.fresh != 0 {
                    return Number::Unknown;
                }
                let mut sum = 0i64;
                for object in members(domain.may) {
                    self.bind(*var, object);
                    match self.int(body) {
                        Number::Known(n) => sum = sum.wrapping_add(n),
                        Number::Undefined => return Number::Undefined,
                        Number::Unknown | Number::Between(..) => return Number::Unknown,
                    }
                }
                Number::Known(sum)
            }
            Int::Call(fun, set) => {
                let set = self.set(set);
                if set.must != set.may || set.may & self.fresh != 0 {
                    return Number::Unknown;
                }
                self.call(*fun, set.may)
            }
        }
    }

    fn both(&mut self, a: &Int, b: &Int, f: impl Fn(i64, i64) -> i64) -> Number {
        match (self.int(a), self.int(b)) {
            (Number::Known(a), Number::Known(b)) => Number::Known(f(a, b)),
            (Number::Undefined, _) | (_, Number::Undefined) => Number::Undefined,
            _ => Number::Unknown,
        }
    }

    /// Recursion ends, because `well_founded` was checked first.
    pub(super) fn call(&mut self, fun: FunId, argument: u64) -> Number {
        let function = &self.invariant.functions[usize::from(fun.0)];
        // The value for none must not depend on itself.
        if argument == 0 && self.of_none & (1 << fun.0) != 0 {
            return Number::Undefined;
        }
        let outer = self.of_none;
        if argument == 0 {
            self.of_none |= 1 << fun.0;
        }
        let saved = std::mem::replace(&mut self.scratch.env, vec![argument]);
        let value = self.int(&function.body);
        self.scratch.env = saved;
        self.of_none = outer;
        let high = function.high.value(MAX_SCOPE);
        match value {
            Number::Known(n) if n < function.low || n > high => Number::Undefined,
            other => other,
        }
    }
}
