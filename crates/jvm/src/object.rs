//! Objects: what the heap holds, shared between states until one of them writes.

use std::iter::repeat_n;
use std::rc::Rc;

use evergreen_symbolic::Expr;

use crate::classes::ClassId;
use crate::value::{Kind, Value};

/// An object or array. Cloning shares its body; writing copies a body that is shared.
#[derive(Clone, Debug)]
pub struct Object {
    /// The class; for an array, the array class.
    pub class: ClassId,
    /// Something of the machine's own, by class: for a class mirror the class it stands for, for a
    /// NullPointerException the number of the instruction that met null, plus one. Zero elsewhere.
    pub extra: u32,
    /// Fields or elements.
    pub body: Body,
}

/// Fields or elements.
///
/// Primitive arrays are typed vectors as long as every element is concrete, and turn into `Values` when a
/// symbolic element is stored.
#[derive(Clone, Debug)]
pub enum Body {
    /// The instance fields, those of superclasses first; see [`crate::classes::Class::instance_fields`].
    Fields(Rc<[Value]>),
    /// `boolean[]` and `byte[]`.
    Bytes(Rc<[i8]>),
    /// `char[]`.
    Chars(Rc<[u16]>),
    /// `short[]`.
    Shorts(Rc<[i16]>),
    /// `int[]`.
    Ints(Rc<[i32]>),
    /// `long[]`.
    Longs(Rc<[i64]>),
    /// `float[]`.
    Floats(Rc<[f32]>),
    /// `double[]`.
    Doubles(Rc<[f64]>),
    /// A primitive array with symbolic elements.
    Values(Rc<[Value]>),
    /// An array of references.
    Refs(Rc<[Value]>),
    /// An array whose length no path has chosen (`crate::step`). Only instructions that know it see it as an
    /// array: for all others its length is chosen first.
    Open(Rc<OpenArray>),
    /// An array of references that was written at symbolic places. For everybody but the instructions that
    /// know it the places are chosen first.
    Written(Rc<Written>),
}

/// An array of references, and writes to it at symbolic places.
#[derive(Clone, PartialEq, Debug)]
pub struct Written {
    /// The array as it was.
    pub base: Rc<[Value]>,
    /// Places below its length and what was written there, the last write last.
    pub writes: Vec<(Expr, Value)>,
}

/// An array whose length is symbolic.
#[derive(Clone, PartialEq, Debug)]
pub struct OpenArray {
    /// The length, not negative.
    pub length: Expr,
    /// The type of its elements.
    pub kind: Kind,
    /// The first elements, as far as the program has touched them; [`Value::Unset`] is one of an input that
    /// it has not. The length of an array that the program has made is not below their number.
    pub items: Vec<Value>,
    /// What the other elements are, if the array is an input; else they are at their defaults.
    pub input: Option<Rc<Elements>>,
    /// Whether it is part of an object of the input.
    pub made: bool,
}

/// The elements of an array that is an input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Elements {
    /// The name of the array.
    pub name: Rc<str>,
    /// The type of an element.
    pub descriptor: Rc<str>,
    /// The range of an element that is a number.
    pub range: Option<(i64, i64)>,
    /// How many objects the array is nested in.
    pub depth: u32,
    /// The greatest length.
    pub most: u32,
}

impl Written {
    /// Everything that may be in it.
    pub fn values(&self) -> impl Iterator<Item = Value> {
        self.base.iter().copied().chain(self.writes.iter().map(|(_, value)| *value))
    }
}

impl OpenArray {
    /// An element; the place is below the length.
    pub fn get(&self, at: usize) -> Value {
        self.items.get(at).copied().unwrap_or_else(|| default(self.kind))
    }

    /// Writes an element; the place is below the length.
    pub fn set(&mut self, at: usize, value: Value) {
        if at >= self.items.len() {
            let rest = if self.input.is_some() { Value::Unset } else { default(self.kind) };
            self.items.resize(at + 1, rest);
        }
        self.items[at] = value;
    }
}

/// What the elements of a new array are.
fn default(kind: Kind) -> Value {
    match kind {
        Kind::Reference => Value::Null,
        Kind::Long => Value::Long(0),
        Kind::Float => Value::Float(0.0),
        Kind::Double => Value::Double(0.0),
        _ => Value::Int(0),
    }
}

impl Body {
    /// The body of a new array of `kind` and `length`.
    pub fn array(kind: Kind, length: usize) -> Body {
        // Collected into place: a vector first would need the memory twice.
        match kind {
            Kind::Boolean | Kind::Byte => Body::Bytes(repeat_n(0, length).collect()),
            Kind::Char => Body::Chars(repeat_n(0, length).collect()),
            Kind::Short => Body::Shorts(repeat_n(0, length).collect()),
            Kind::Int => Body::Ints(repeat_n(0, length).collect()),
            Kind::Long => Body::Longs(repeat_n(0, length).collect()),
            Kind::Float => Body::Floats(repeat_n(0.0, length).collect()),
            Kind::Double => Body::Doubles(repeat_n(0.0, length).collect()),
            Kind::Reference => Body::Refs(repeat_n(Value::Null, length).collect()),
        }
    }

    /// About how many bytes an object with this body takes.
    pub fn bytes(&self) -> u64 {
        let (count, size) = match self {
            Body::Fields(items) | Body::Values(items) | Body::Refs(items) => (items.len(), 16),
            Body::Bytes(items) => (items.len(), 1),
            Body::Chars(items) => (items.len(), 2),
            Body::Shorts(items) => (items.len(), 2),
            Body::Ints(items) => (items.len(), 4),
            Body::Floats(items) => (items.len(), 4),
            Body::Longs(items) => (items.len(), 8),
            Body::Doubles(items) => (items.len(), 8),
            Body::Open(open) => (open.items.len(), 16),
            Body::Written(table) => (table.base.len() + table.writes.len(), 16),
        };
        64 + count as u64 * size
    }

    /// The number of elements; `None` if this is no array, or one of symbolic length.
    #[inline]
    pub fn array_length(&self) -> Option<usize> {
        Some(match self {
            Body::Fields(_) | Body::Open(_) => return None,
            Body::Bytes(items) => items.len(),
            Body::Chars(items) => items.len(),
            Body::Shorts(items) => items.len(),
            Body::Ints(items) => items.len(),
            Body::Longs(items) => items.len(),
            Body::Floats(items) => items.len(),
            Body::Doubles(items) => items.len(),
            Body::Values(items) | Body::Refs(items) => items.len(),
            Body::Written(table) => table.base.len(),
        })
    }

    /// The field or element at `index`, if there is one.
    #[inline]
    pub fn get(&self, index: usize) -> Option<Value> {
        Some(match self {
            Body::Fields(items) | Body::Values(items) | Body::Refs(items) => *items.get(index)?,
            Body::Bytes(items) => Value::Int(i32::from(*items.get(index)?)),
            Body::Chars(items) => Value::Int(i32::from(*items.get(index)?)),
            Body::Shorts(items) => Value::Int(i32::from(*items.get(index)?)),
            Body::Ints(items) => Value::Int(*items.get(index)?),
            Body::Longs(items) => Value::Long(*items.get(index)?),
            Body::Floats(items) => Value::Float(*items.get(index)?),
            Body::Doubles(items) => Value::Double(*items.get(index)?),
            Body::Open(_) | Body::Written(_) => return None,
        })
    }

    /// Writes a field or element; whether there was such a place. An `Int` is cut to the width of the
    /// elements, as the store instructions do.
    #[inline]
    pub fn set(&mut self, index: usize, value: Value) -> bool {
        if let Value::Sym(_) = value
            && !matches!(
                self,
                Body::Fields(_) | Body::Values(_) | Body::Refs(_) | Body::Open(_) | Body::Written(_)
            )
        {
            self.make_values();
        }
        fn put<T: Clone>(items: &mut Rc<[T]>, index: usize, value: T) -> bool {
            if index >= items.len() {
                return false;
            }
            Rc::make_mut(items)[index] = value;
            true
        }
        match (self, value) {
            (Body::Fields(items) | Body::Values(items) | Body::Refs(items), value) => {
                put(items, index, value)
            }
            (Body::Bytes(items), Value::Int(value)) => put(items, index, value as i8),
            (Body::Chars(items), Value::Int(value)) => put(items, index, value as u16),
            (Body::Shorts(items), Value::Int(value)) => put(items, index, value as i16),
            (Body::Ints(items), Value::Int(value)) => put(items, index, value),
            (Body::Longs(items), Value::Long(value)) => put(items, index, value),
            (Body::Floats(items), Value::Float(value)) => put(items, index, value),
            (Body::Doubles(items), Value::Double(value)) => put(items, index, value),
            _ => false,
        }
    }

    /// Turns a typed vector into a vector of values, which can hold symbolic ones.
    pub fn make_values(&mut self) {
        if matches!(
            self,
            Body::Fields(_) | Body::Values(_) | Body::Refs(_) | Body::Open(_) | Body::Written(_)
        ) {
            return;
        }
        let length = self.array_length().unwrap_or(0);
        let values: Vec<Value> = (0..length).filter_map(|index| self.get(index)).collect();
        *self = Body::Values(values.into());
    }

    /// All fields or elements.
    pub fn values(&self) -> Vec<Value> {
        match self {
            Body::Fields(items) | Body::Values(items) | Body::Refs(items) => items.to_vec(),
            Body::Open(open) => open.items.clone(),
            Body::Written(table) => table.values().collect(),
            other => (0..other.array_length().unwrap_or(0)).filter_map(|index| other.get(index)).collect(),
        }
    }
}
