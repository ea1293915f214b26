//! Values: what constants stand for, what models hold and what evaluation gives.

use crate::{BitVec, Int, Name, Rational, SortId, SymbolId, TermId};
use std::collections::BTreeMap;

/// An element of a sort.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(Int),
    /// A rational; models with irrational reals are not represented.
    Real(Rational),
    /// A bit vector.
    BitVec(BitVec),
    /// A string, as Unicode code points (SMT-LIB: 0 to 0x2FFFF).
    String(Box<[u32]>),
    /// An array: a default and the places that differ from it.
    Array(Box<ArrayValue>),
    /// A constructor applied to values.
    Data(SymbolId, Box<[Value]>),
    /// An element of a declared sort, known only by its name; different names of one sort are different elements.
    Element(SortId, Name),
    /// The interpretation of a function symbol.
    Function(Box<FunctionValue>),
}

/// An array of default and exceptions. Entries equal to the default are not kept, so equality is exact on infinite
/// index sorts.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ArrayValue {
    /// The sort of the array.
    pub sort: SortId,
    /// The element everywhere else.
    pub default: Value,
    /// The elements that differ from the default.
    pub entries: BTreeMap<Value, Value>,
}

impl ArrayValue {
    /// The element at an index.
    pub fn get(&self, index: &Value) -> &Value {
        self.entries.get(index).unwrap_or(&self.default)
    }

    /// Sets the element at an index.
    pub fn set(&mut self, index: Value, element: Value) {
        if element == self.default {
            self.entries.remove(&index);
        } else {
            self.entries.insert(index, element);
        }
    }
}

/// A function: parameters are the bound variables of levels `0..params.len()` in the body.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FunctionValue {
    /// The sorts of the parameters.
    pub params: Box<[SortId]>,
    /// The result, over the parameters and interpreted functions only.
    pub body: TermId,
}
