//! The words of machine arithmetic: kinds of values, constants, operations, casts and comparisons.

/// The kind of a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// 32 bits, two's complement.
    I32,
    /// 64 bits, two's complement.
    I64,
    /// IEEE 754 binary32.
    F32,
    /// IEEE 754 binary64.
    F64,
}

impl Kind {
    /// Whether values are integers.
    pub fn is_int(self) -> bool {
        matches!(self, Kind::I32 | Kind::I64)
    }

    /// How many bits a value has.
    pub fn bits(self) -> u32 {
        match self {
            Kind::I32 | Kind::F32 => 32,
            Kind::I64 | Kind::F64 => 64,
        }
    }

    /// The least and the greatest integer of the kind; of a float's bits where it is a float.
    pub(crate) fn range(self) -> (i64, i64) {
        match self.bits() {
            32 => (i64::from(i32::MIN), i64::from(i32::MAX)),
            _ => (i64::MIN, i64::MAX),
        }
    }
}

/// Whether integers wrap around.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ints {
    /// Exact: sums and products are taken modulo 2^32 or 2^64.
    Wrapped,
    /// The papers' unbounded integers: sums and products never wrap, inputs are only bounded where a range is
    /// given. Explicit narrowing casts still narrow. Evaluation and coefficients have 64 bits.
    Math,
}

/// The declared type of an input.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum InputKind {
    /// 0 or 1.
    Boolean,
    /// 8 bits, signed.
    Byte,
    /// 16 bits, unsigned.
    Char,
    /// 16 bits, signed.
    Short,
    /// 32 bits, signed.
    Int,
    /// 64 bits, signed.
    Long,
    /// IEEE 754 binary32.
    Float,
    /// IEEE 754 binary64.
    Double,
    /// 8 bits, unsigned.
    Octet,
}

impl InputKind {
    /// The kind of the value: a type shorter than an int is computed with as an int.
    pub fn kind(self) -> Kind {
        match self {
            InputKind::Long => Kind::I64,
            InputKind::Float => Kind::F32,
            InputKind::Double => Kind::F64,
            _ => Kind::I32,
        }
    }

    /// The least and the greatest value of the type; of the bits where it is a float.
    pub fn range(self) -> (i64, i64) {
        match self {
            InputKind::Boolean => (0, 1),
            InputKind::Byte => (-0x80, 0x7f),
            InputKind::Char => (0, 0xffff),
            InputKind::Short => (-0x8000, 0x7fff),
            InputKind::Octet => (0, 0xff),
            other => other.kind().range(),
        }
    }
}

/// A value. Floats are given by their bits; every NaN is the canonical one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Const {
    /// An int.
    I32(i32),
    /// A long.
    I64(i64),
    /// The bits of a float.
    F32(u32),
    /// The bits of a double.
    F64(u64),
}

impl Const {
    /// A float.
    pub fn f32(value: f32) -> Const {
        Const::F32(if value.is_nan() { 0x7fc0_0000 } else { value.to_bits() })
    }

    /// A double.
    pub fn f64(value: f64) -> Const {
        Const::F64(if value.is_nan() { 0x7ff8_0000_0000_0000 } else { value.to_bits() })
    }

    /// The kind of the value.
    pub fn kind(self) -> Kind {
        match self {
            Const::I32(_) => Kind::I32,
            Const::I64(_) => Kind::I64,
            Const::F32(_) => Kind::F32,
            Const::F64(_) => Kind::F64,
        }
    }

    /// The value as 64 bits: an integer itself, a float its bits, with one NaN only.
    pub(crate) fn raw(self) -> i64 {
        match self {
            Const::I32(v) => i64::from(v),
            Const::I64(v) => v,
            Const::F32(v) => crate::concrete::f32_raw(f32::from_bits(v)),
            Const::F64(v) => crate::concrete::f64_raw(f64::from_bits(v)),
        }
    }

    /// The value of a kind that has these 64 bits.
    pub(crate) fn from_raw(kind: Kind, raw: i64) -> Const {
        match kind {
            Kind::I32 => Const::I32(raw as i32),
            Kind::I64 => Const::I64(raw),
            Kind::F32 => Const::F32(raw as u32),
            Kind::F64 => Const::F64(raw as u64),
        }
    }
}

/// An operation on two values of one kind; a shift takes an int as its count.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Binary {
    /// `a + b`
    Add,
    /// `a - b`
    Sub,
    /// `a * b`
    Mul,
    /// `a / b`, towards zero
    Div,
    /// `a % b`, with the sign of `a`
    Rem,
    /// `a & b`
    And,
    /// `a | b`
    Or,
    /// `a ^ b`
    Xor,
    /// `a << b`
    Shl,
    /// `a >> b`
    Shr,
    /// `a >>> b`
    Ushr,
    /// `a / b` of unsigned integers
    Udiv,
    /// `a % b` of unsigned integers
    Urem,
    /// The smaller one. Of floats NaN if one is NaN, and -0 is smaller than +0.
    Min,
    /// The larger one, with the same rules.
    Max,
}

impl Binary {
    /// Whether it shifts: then the right side is an int, of which only the low bits count.
    pub fn is_shift(self) -> bool {
        matches!(self, Binary::Shl | Binary::Shr | Binary::Ushr)
    }

    /// Whether it computes with bits rather than with numbers.
    pub(crate) fn is_bitwise(self) -> bool {
        self.is_shift() || matches!(self, Binary::And | Binary::Or | Binary::Xor)
    }
}

/// An operation on one value: on a float, or one of those that count bits of an integer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Unary {
    /// The other sign, of zeros and infinities too.
    Neg,
    /// Without sign.
    Abs,
    /// The square root, correctly rounded.
    Sqrt,
    /// The next integral value towards negative infinity.
    Floor,
    /// The next integral value towards positive infinity.
    Ceil,
    /// The nearest integral value, the even one of two.
    Rint,
    /// The next integral value towards zero.
    Trunc,
    /// Of an integer: how many of its highest bits are zero; all of zero's are.
    Clz,
    /// Of an integer: how many of its lowest bits are zero; all of zero's are.
    Ctz,
    /// Of an integer: how many of its bits are one.
    Popcnt,
}

impl Unary {
    /// Whether it counts bits of an integer; the others are operations on floats.
    pub fn counts_bits(self) -> bool {
        matches!(self, Unary::Clz | Unary::Ctz | Unary::Popcnt)
    }
}

/// A conversion, by the names of the JVM's instructions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[allow(missing_docs)]
pub enum Cast {
    I2L,
    L2I,
    I2B,
    I2C,
    I2S,
    I2F,
    I2D,
    L2F,
    L2D,
    F2I,
    F2L,
    F2D,
    D2I,
    D2L,
    D2F,
    /// `Float.floatToIntBits`: every NaN gives the canonical one. The raw variant of the JDK is the same
    /// here, since there is only one NaN.
    FloatToBits,
    /// `Float.intBitsToFloat`.
    BitsToFloat,
    /// `Double.doubleToLongBits`.
    DoubleToBits,
    /// `Double.longBitsToDouble`.
    BitsToDouble,
    /// An unsigned 64-bit integer to a float.
    Ul2F,
    /// An unsigned 64-bit integer to a double.
    Ul2D,
    /// A float to an unsigned 64-bit integer, towards zero: NaN and what is negative give 0, and what is too
    /// large gives the largest.
    F2Ul,
    /// A double to an unsigned 64-bit integer, likewise.
    D2Ul,
}

impl Cast {
    /// The kinds of the argument and of the result.
    pub fn kinds(self) -> (Kind, Kind) {
        use Kind::{F32, F64, I32, I64};
        match self {
            Cast::I2L => (I32, I64),
            Cast::L2I => (I64, I32),
            Cast::I2B | Cast::I2C | Cast::I2S => (I32, I32),
            Cast::I2F | Cast::BitsToFloat => (I32, F32),
            Cast::I2D => (I32, F64),
            Cast::L2F | Cast::Ul2F => (I64, F32),
            Cast::L2D | Cast::Ul2D | Cast::BitsToDouble => (I64, F64),
            Cast::F2I | Cast::FloatToBits => (F32, I32),
            Cast::F2L | Cast::F2Ul => (F32, I64),
            Cast::F2D => (F32, F64),
            Cast::D2I => (F64, I32),
            Cast::D2L | Cast::D2Ul | Cast::DoubleToBits => (F64, I64),
            Cast::D2F => (F64, F32),
        }
    }
}

/// A three-way comparison that gives the int -1, 0 or 1.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Compare {
    /// Of longs.
    Lcmp,
    /// Of floats; -1 if one is NaN.
    Fcmpl,
    /// Of floats; 1 if one is NaN.
    Fcmpg,
    /// Of doubles; -1 if one is NaN.
    Dcmpl,
    /// Of doubles; 1 if one is NaN.
    Dcmpg,
}

impl Compare {
    /// The kind of the arguments.
    pub fn kind(self) -> Kind {
        match self {
            Compare::Lcmp => Kind::I64,
            Compare::Fcmpl | Compare::Fcmpg => Kind::F32,
            Compare::Dcmpl | Compare::Dcmpg => Kind::F64,
        }
    }

    /// The result of a comparison with NaN.
    pub(crate) fn unordered(self) -> i64 {
        match self {
            Compare::Lcmp => 0,
            Compare::Fcmpl | Compare::Dcmpl => -1,
            Compare::Fcmpg | Compare::Dcmpg => 1,
        }
    }
}

/// A relation. On floats it is IEEE's: with NaN only `Ne` holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[allow(missing_docs)]
pub enum Rel {
    Eq,
    Ne,
    Lt,
    Ge,
    Gt,
    Le,
}

impl Rel {
    /// Whether integers stand in the relation.
    pub fn holds(self, a: i64, b: i64) -> bool {
        match self {
            Rel::Eq => a == b,
            Rel::Ne => a != b,
            Rel::Lt => a < b,
            Rel::Ge => a >= b,
            Rel::Gt => a > b,
            Rel::Le => a <= b,
        }
    }
}
