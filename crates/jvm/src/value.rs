//! The values of local variables, operands, fields and array elements.

use evergreen_symbolic::Expr;

/// An object of a state's heap. Never null: null is [`Value::Null`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Ref(pub u32);

/// A Java value. `boolean`, `byte`, `char` and `short` are `Int`, as in the class file.
///
/// A `long` or `double` takes two slots of a frame: the value, then [`Value::Pad`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Value {
    /// An `int` or one of the smaller types.
    Int(i32),
    /// A `long`.
    Long(i64),
    /// A `float`.
    Float(f32),
    /// A `double`.
    Double(f64),
    /// No object.
    Null,
    /// An object.
    Ref(Ref),
    /// A value of any primitive type that depends on the inputs.
    Sym(Expr),
    /// The second slot of a `long` or `double`, and what a slot holds before it is written.
    Pad,
    /// The value of a field of a lazy object until it is first read; see
    /// [`crate::lazy`]. Never on the operands.
    Unset,
    /// The target of `ret`: an instruction index.
    ReturnAddress(u32),
}

impl Value {
    /// A `boolean`.
    pub const fn boolean(value: bool) -> Value {
        Value::Int(value as i32)
    }

    /// The object, if this is one.
    pub fn as_ref(self) -> Option<Ref> {
        match self {
            Value::Ref(object) => Some(object),
            _ => None,
        }
    }

    /// The concrete `int`, if this is one.
    pub fn as_int(self) -> Option<i32> {
        match self {
            Value::Int(value) => Some(value),
            _ => None,
        }
    }

    /// The concrete `long`, if this is one.
    pub fn as_long(self) -> Option<i64> {
        match self {
            Value::Long(value) => Some(value),
            _ => None,
        }
    }

    /// Whether this depends on the inputs.
    pub fn is_symbolic(self) -> bool {
        matches!(self, Value::Sym(_))
    }

    /// Whether both have the same bits: the equality of tests and snapshots, NaN included.
    pub fn same(self, other: Value) -> bool {
        match (self, other) {
            (Value::Float(a), Value::Float(b)) => a.to_bits() == b.to_bits(),
            (Value::Double(a), Value::Double(b)) => a.to_bits() == b.to_bits(),
            (a, b) => a == b,
        }
    }
}

impl From<Option<Ref>> for Value {
    fn from(object: Option<Ref>) -> Value {
        object.map_or(Value::Null, Value::Ref)
    }
}

/// How a type's values are stored and defaulted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// `boolean`
    Boolean,
    /// `byte`
    Byte,
    /// `char`
    Char,
    /// `short`
    Short,
    /// `int`
    Int,
    /// `long`
    Long,
    /// `float`
    Float,
    /// `double`
    Double,
    /// Objects, arrays and null.
    Reference,
}

impl Kind {
    /// The kind that a descriptor begins with; `None` for `V` and for what is no descriptor.
    pub fn of_descriptor(descriptor: &str) -> Option<Kind> {
        Some(match descriptor.as_bytes().first()? {
            b'Z' => Kind::Boolean,
            b'B' => Kind::Byte,
            b'C' => Kind::Char,
            b'S' => Kind::Short,
            b'I' => Kind::Int,
            b'J' => Kind::Long,
            b'F' => Kind::Float,
            b'D' => Kind::Double,
            b'L' | b'[' => Kind::Reference,
            _ => return None,
        })
    }

    /// The default value of a field or element of this kind.
    pub const fn default(self) -> Value {
        match self {
            Kind::Long => Value::Long(0),
            Kind::Float => Value::Float(0.0),
            Kind::Double => Value::Double(0.0),
            Kind::Reference => Value::Null,
            _ => Value::Int(0),
        }
    }

    /// Whether values of this kind take two slots.
    pub const fn is_wide(self) -> bool {
        matches!(self, Kind::Long | Kind::Double)
    }

    /// The Java keyword of a primitive kind; `Object` for references.
    pub const fn java(self) -> &'static str {
        match self {
            Kind::Boolean => "boolean",
            Kind::Byte => "byte",
            Kind::Char => "char",
            Kind::Short => "short",
            Kind::Int => "int",
            Kind::Long => "long",
            Kind::Float => "float",
            Kind::Double => "double",
            Kind::Reference => "Object",
        }
    }

    /// The descriptor's letter of a primitive kind.
    pub const fn letter(self) -> char {
        match self {
            Kind::Boolean => 'Z',
            Kind::Byte => 'B',
            Kind::Char => 'C',
            Kind::Short => 'S',
            Kind::Int => 'I',
            Kind::Long => 'J',
            Kind::Float => 'F',
            Kind::Double => 'D',
            Kind::Reference => 'L',
        }
    }

    /// The eight primitive kinds.
    pub const PRIMITIVES: [Kind; 8] = [
        Kind::Boolean,
        Kind::Byte,
        Kind::Char,
        Kind::Short,
        Kind::Int,
        Kind::Long,
        Kind::Float,
        Kind::Double,
    ];
}
