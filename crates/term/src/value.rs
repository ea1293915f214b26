//! Values of constants, in models and as results of evaluation.

use crate::{
    BitVec, Entries, Float, Int, Name, Rational, RoundingMode, Sort, SortId, SymbolId, SymbolKind, TermId,
    Terms,
};

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
    /// An element of a declared sort, known only by its name; different names of one
    /// sort are different elements.
    Element(SortId, Name),
    /// A floating-point number.
    Float(Box<Float>),
    /// A rounding mode.
    RoundingMode(RoundingMode),
    /// The interpretation of a function symbol.
    Function(Box<FunctionValue>),
}

impl Value {
    /// Whether the value is an element of the sort. Functions are elements of no sort.
    pub fn fits(&self, terms: &Terms, sort: SortId) -> bool {
        match (self, terms.sort_kind(sort)) {
            (Value::Bool(_), Sort::Bool)
            | (Value::Int(_), Sort::Int)
            | (Value::Real(_), Sort::Real)
            | (Value::RoundingMode(_), Sort::RoundingMode) => true,
            (Value::BitVec(v), Sort::BitVec(width)) => v.width() == *width,
            (Value::String(v), Sort::String) => v.iter().all(|c| *c <= MAX_CODE_POINT),
            (Value::Float(v), Sort::Float(exponent, significand)) => {
                v.exponent_bits() == *exponent && v.significand_bits() == *significand
            }
            (Value::Element(of, _), Sort::Uninterpreted(..)) => *of == sort,
            (Value::Array(array), Sort::Array(index, element)) => {
                array.sort == sort
                    && array.default.fits(terms, *element)
                    && array.entries.iter().all(|(i, e)| i.fits(terms, *index) && e.fits(terms, *element))
            }
            (Value::Data(constructor, fields), Sort::Datatype(data)) => {
                let symbol = terms.symbol_of(*constructor);
                matches!(symbol.kind, SymbolKind::Constructor(of, _) if of == *data)
                    && symbol.params.len() == fields.len()
                    && fields.iter().zip(&symbol.params).all(|(field, sort)| field.fits(terms, *sort))
            }
            _ => false,
        }
    }
}

/// The largest character of an SMT-LIB string.
pub const MAX_CODE_POINT: u32 = 0x2FFFF;

/// An array of default and exceptions. Entries equal to the default are not kept, so equality is exact on
/// infinite index sorts; on finite ones evaluation also picks the default (see `eval/array.rs`).
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ArrayValue {
    /// The sort of the array.
    pub sort: SortId,
    /// The element everywhere else.
    pub default: Value,
    /// The elements that differ from the default.
    pub entries: Entries,
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
