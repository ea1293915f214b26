//! The numeric instructions on numbers: the one definition of what each of them computes.
//!
//! Values are 64 bits: an i32 is zero-extended, floats are their bits. Where the standard leaves the bits of
//! a NaN open, the result is the positive canonical one, on every host.

/// An instruction that cannot go on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Trap {
    /// `unreachable` was reached.
    Unreachable,
    /// An integer was divided by zero.
    DivisionByZero,
    /// The least integer was divided by -1.
    Overflow,
    /// A float that is no number of the integer type was converted.
    InvalidConversion,
    /// A load or store beyond the end of memory.
    OutOfMemory,
    /// An access beyond the end of a table.
    OutOfTable,
    /// An indirect call of nothing.
    UninitializedElement,
    /// An indirect call of a function of another type.
    BadSignature,
    /// Too many nested calls.
    StackOverflow,
}

impl Trap {
    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Trap::Unreachable => "unreachable",
            Trap::DivisionByZero => "division by zero",
            Trap::Overflow => "integer overflow",
            Trap::InvalidConversion => "invalid conversion to integer",
            Trap::OutOfMemory => "memory access out of bounds",
            Trap::OutOfTable => "table access out of bounds",
            Trap::UninitializedElement => "indirect call of nothing",
            Trap::BadSignature => "indirect call of another type",
            Trap::StackOverflow => "stack overflow",
        }
    }
}

/// An instruction with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Un {
    I32Clz,
    I32Ctz,
    I32Popcnt,
    I32Eqz,
    I64Clz,
    I64Ctz,
    I64Popcnt,
    I64Eqz,
    F32Abs,
    F32Neg,
    F32Ceil,
    F32Floor,
    F32Trunc,
    F32Nearest,
    F32Sqrt,
    F64Abs,
    F64Neg,
    F64Ceil,
    F64Floor,
    F64Trunc,
    F64Nearest,
    F64Sqrt,
    I32WrapI64,
    I32TruncF32S,
    I32TruncF32U,
    I32TruncF64S,
    I32TruncF64U,
    I64ExtendI32S,
    I64ExtendI32U,
    I64TruncF32S,
    I64TruncF32U,
    I64TruncF64S,
    I64TruncF64U,
    F32ConvertI32S,
    F32ConvertI32U,
    F32ConvertI64S,
    F32ConvertI64U,
    F32DemoteF64,
    F64ConvertI32S,
    F64ConvertI32U,
    F64ConvertI64S,
    F64ConvertI64U,
    F64PromoteF32,
    I32ReinterpretF32,
    I64ReinterpretF64,
    F32ReinterpretI32,
    F64ReinterpretI64,
    I32Extend8S,
    I32Extend16S,
    I64Extend8S,
    I64Extend16S,
    I64Extend32S,
    I32TruncSatF32S,
    I32TruncSatF32U,
    I32TruncSatF64S,
    I32TruncSatF64U,
    I64TruncSatF32S,
    I64TruncSatF32U,
    I64TruncSatF64S,
    I64TruncSatF64U,
    RefIsNull,
}

/// An instruction with two operands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Bin {
    I32Eq,
    I32Ne,
    I32LtS,
    I32LtU,
    I32GtS,
    I32GtU,
    I32LeS,
    I32LeU,
    I32GeS,
    I32GeU,
    I32Add,
    I32Sub,
    I32Mul,
    I32DivS,
    I32DivU,
    I32RemS,
    I32RemU,
    I32And,
    I32Or,
    I32Xor,
    I32Shl,
    I32ShrS,
    I32ShrU,
    I32Rotl,
    I32Rotr,
    I64Eq,
    I64Ne,
    I64LtS,
    I64LtU,
    I64GtS,
    I64GtU,
    I64LeS,
    I64LeU,
    I64GeS,
    I64GeU,
    I64Add,
    I64Sub,
    I64Mul,
    I64DivS,
    I64DivU,
    I64RemS,
    I64RemU,
    I64And,
    I64Or,
    I64Xor,
    I64Shl,
    I64ShrS,
    I64ShrU,
    I64Rotl,
    I64Rotr,
    F32Eq,
    F32Ne,
    F32Lt,
    F32Gt,
    F32Le,
    F32Ge,
    F32Add,
    F32Sub,
    F32Mul,
    F32Div,
    F32Min,
    F32Max,
    F32Copysign,
    F64Eq,
    F64Ne,
    F64Lt,
    F64Gt,
    F64Le,
    F64Ge,
    F64Add,
    F64Sub,
    F64Mul,
    F64Div,
    F64Min,
    F64Max,
    F64Copysign,
}

fn f32_of(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

fn f64_of(bits: u64) -> f64 {
    f64::from_bits(bits)
}

fn of_f32(value: f32) -> u64 {
    u64::from(if value.is_nan() { 0x7fc0_0000 } else { value.to_bits() })
}

fn of_f64(value: f64) -> u64 {
    if value.is_nan() { 0x7ff8_0000_0000_0000 } else { value.to_bits() }
}

fn of_i32(value: i32) -> u64 {
    u64::from(value as u32)
}

/// A float as an integer, where it is in the open range between `below` and `above`.
fn truncated(value: f64, below: f64, above: f64) -> Result<f64, Trap> {
    match value {
        v if v.is_nan() => Err(Trap::InvalidConversion),
        v if v > below && v < above => Ok(v.trunc()),
        _ => Err(Trap::Overflow),
    }
}

const TWO_31: f64 = 2_147_483_648.0;
const TWO_32: f64 = 4_294_967_296.0;
const TWO_63: f64 = 9_223_372_036_854_775_808.0;
const TWO_64: f64 = 18_446_744_073_709_551_616.0;
/// The next float below -2^63 is far away: the bound itself is allowed.
const BELOW_63: f64 = -9_223_372_036_854_777_856.0;

/// The result of an instruction with one operand.
pub(crate) fn unary(op: Un, a: u64) -> Result<u64, Trap> {
    let (i, l) = (a as u32, a);
    Ok(match op {
        Un::I32Clz => u64::from(i.leading_zeros()),
        Un::I32Ctz => u64::from(i.trailing_zeros()),
        Un::I32Popcnt => u64::from(i.count_ones()),
        Un::I32Eqz => u64::from(i == 0),
        Un::I64Clz => u64::from(l.leading_zeros()),
        Un::I64Ctz => u64::from(l.trailing_zeros()),
        Un::I64Popcnt => u64::from(l.count_ones()),
        Un::I64Eqz => u64::from(l == 0),
        // Sign operations are on bits, of NaN too.
        Un::F32Abs => a & 0x7fff_ffff,
        Un::F32Neg => a ^ 0x8000_0000,
        Un::F64Abs => a & (u64::MAX >> 1),
        Un::F64Neg => a ^ (1 << 63),
        Un::F32Ceil => of_f32(f32_of(a).ceil()),
        Un::F32Floor => of_f32(f32_of(a).floor()),
        Un::F32Trunc => of_f32(f32_of(a).trunc()),
        Un::F32Nearest => of_f32(f32_of(a).round_ties_even()),
        Un::F32Sqrt => of_f32(f32_of(a).sqrt()),
        Un::F64Ceil => of_f64(f64_of(a).ceil()),
        Un::F64Floor => of_f64(f64_of(a).floor()),
        Un::F64Trunc => of_f64(f64_of(a).trunc()),
        Un::F64Nearest => of_f64(f64_of(a).round_ties_even()),
        Un::F64Sqrt => of_f64(f64_of(a).sqrt()),
        Un::I32WrapI64 => u64::from(i),
        Un::I64ExtendI32S | Un::I64Extend32S => i64::from(i as i32) as u64,
        Un::I64ExtendI32U => u64::from(i),
        Un::F32ConvertI32S => of_f32(i as i32 as f32),
        Un::F32ConvertI32U => of_f32(i as f32),
        Un::F32ConvertI64S => of_f32(l as i64 as f32),
        Un::F32ConvertI64U => of_f32(l as f32),
        Un::F32DemoteF64 => of_f32(f64_of(a) as f32),
        Un::F64ConvertI32S => of_f64(f64::from(i as i32)),
        Un::F64ConvertI32U => of_f64(f64::from(i)),
        Un::F64ConvertI64S => of_f64(l as i64 as f64),
        Un::F64ConvertI64U => of_f64(l as f64),
        Un::F64PromoteF32 => of_f64(f64::from(f32_of(a))),
        Un::I32ReinterpretF32 | Un::F32ReinterpretI32 => u64::from(i),
        Un::I64ReinterpretF64 | Un::F64ReinterpretI64 => l,
        Un::I32Extend8S => of_i32(i32::from(a as i8)),
        Un::I32Extend16S => of_i32(i32::from(a as i16)),
        Un::I64Extend8S => i64::from(a as i8) as u64,
        Un::I64Extend16S => i64::from(a as i16) as u64,
        Un::RefIsNull => u64::from(a == crate::state::NULL_REFERENCE),
        _ => return truncation(op, a),
    })
}

/// Floats to integers.
fn truncation(op: Un, a: u64) -> Result<u64, Trap> {
    let (single, double) = (f32_of(a), f64_of(a));
    let wide = f64::from(single);
    Ok(match op {
        Un::I32TruncF32S => of_i32(truncated(wide, -TWO_31 - 1.0, TWO_31)? as i32),
        Un::I32TruncF64S => of_i32(truncated(double, -TWO_31 - 1.0, TWO_31)? as i32),
        Un::I32TruncF32U => u64::from(truncated(wide, -1.0, TWO_32)? as u32),
        Un::I32TruncF64U => u64::from(truncated(double, -1.0, TWO_32)? as u32),
        Un::I64TruncF32S => truncated(wide, BELOW_63, TWO_63)? as i64 as u64,
        Un::I64TruncF64S => truncated(double, BELOW_63, TWO_63)? as i64 as u64,
        Un::I64TruncF32U => truncated(wide, -1.0, TWO_64)? as u64,
        Un::I64TruncF64U => truncated(double, -1.0, TWO_64)? as u64,
        Un::I32TruncSatF32S => of_i32(single as i32),
        Un::I32TruncSatF64S => of_i32(double as i32),
        Un::I32TruncSatF32U => u64::from(single as u32),
        Un::I32TruncSatF64U => u64::from(double as u32),
        Un::I64TruncSatF32S => single as i64 as u64,
        Un::I64TruncSatF64S => double as i64 as u64,
        Un::I64TruncSatF32U => single as u64,
        Un::I64TruncSatF64U => double as u64,
        other => unreachable!("{other:?} is no truncation"),
    })
}

/// The result of an instruction with two operands.
#[inline]
pub(crate) fn binary(op: Bin, a: u64, b: u64) -> Result<u64, Trap> {
    let (x, y) = (a as u32, b as u32);
    let (i, j) = (x as i32, y as i32);
    let (l, m) = (a as i64, b as i64);
    let bit = u64::from;
    Ok(match op {
        Bin::I32Eq => bit(x == y),
        Bin::I32Ne => bit(x != y),
        Bin::I32LtS => bit(i < j),
        Bin::I32LtU => bit(x < y),
        Bin::I32GtS => bit(i > j),
        Bin::I32GtU => bit(x > y),
        Bin::I32LeS => bit(i <= j),
        Bin::I32LeU => bit(x <= y),
        Bin::I32GeS => bit(i >= j),
        Bin::I32GeU => bit(x >= y),
        Bin::I32Add => u64::from(x.wrapping_add(y)),
        Bin::I32Sub => u64::from(x.wrapping_sub(y)),
        Bin::I32Mul => u64::from(x.wrapping_mul(y)),
        Bin::I32And => u64::from(x & y),
        Bin::I32Or => u64::from(x | y),
        Bin::I32Xor => u64::from(x ^ y),
        Bin::I32Shl => u64::from(x.wrapping_shl(y)),
        Bin::I32ShrS => of_i32(i.wrapping_shr(y)),
        Bin::I32ShrU => u64::from(x.wrapping_shr(y)),
        Bin::I32Rotl => u64::from(x.rotate_left(y & 31)),
        Bin::I32Rotr => u64::from(x.rotate_right(y & 31)),
        Bin::I64Eq => bit(a == b),
        Bin::I64Ne => bit(a != b),
        Bin::I64LtS => bit(l < m),
        Bin::I64LtU => bit(a < b),
        Bin::I64GtS => bit(l > m),
        Bin::I64GtU => bit(a > b),
        Bin::I64LeS => bit(l <= m),
        Bin::I64LeU => bit(a <= b),
        Bin::I64GeS => bit(l >= m),
        Bin::I64GeU => bit(a >= b),
        Bin::I64Add => a.wrapping_add(b),
        Bin::I64Sub => a.wrapping_sub(b),
        Bin::I64Mul => a.wrapping_mul(b),
        Bin::I64And => a & b,
        Bin::I64Or => a | b,
        Bin::I64Xor => a ^ b,
        Bin::I64Shl => a.wrapping_shl(y),
        Bin::I64ShrS => l.wrapping_shr(y) as u64,
        Bin::I64ShrU => a.wrapping_shr(y),
        Bin::I64Rotl => a.rotate_left(y & 63),
        Bin::I64Rotr => a.rotate_right(y & 63),
        _ => return division_or_float(op, a, b),
    })
}

fn division_or_float(op: Bin, a: u64, b: u64) -> Result<u64, Trap> {
    let (x, y) = (a as u32, b as u32);
    let zero = match op {
        Bin::I32DivS | Bin::I32DivU | Bin::I32RemS | Bin::I32RemU => y == 0,
        Bin::I64DivS | Bin::I64DivU | Bin::I64RemS | Bin::I64RemU => b == 0,
        _ => return Ok(float(op, a, b)),
    };
    if zero {
        return Err(Trap::DivisionByZero);
    }
    Ok(match op {
        Bin::I32DivS => of_i32((x as i32).checked_div(y as i32).ok_or(Trap::Overflow)?),
        Bin::I32DivU => u64::from(x / y),
        Bin::I32RemS => of_i32((x as i32).wrapping_rem(y as i32)),
        Bin::I32RemU => u64::from(x % y),
        Bin::I64DivS => (a as i64).checked_div(b as i64).ok_or(Trap::Overflow)? as u64,
        Bin::I64DivU => a / b,
        Bin::I64RemS => (a as i64).wrapping_rem(b as i64) as u64,
        _ => a % b,
    })
}

fn float(op: Bin, a: u64, b: u64) -> u64 {
    let (x, y) = (f32_of(a), f32_of(b));
    let (v, w) = (f64_of(a), f64_of(b));
    let bit = u64::from;
    match op {
        Bin::F32Eq => bit(x == y),
        Bin::F32Ne => bit(x != y),
        Bin::F32Lt => bit(x < y),
        Bin::F32Gt => bit(x > y),
        Bin::F32Le => bit(x <= y),
        Bin::F32Ge => bit(x >= y),
        Bin::F32Add => of_f32(x + y),
        Bin::F32Sub => of_f32(x - y),
        Bin::F32Mul => of_f32(x * y),
        Bin::F32Div => of_f32(x / y),
        Bin::F32Min => of_f32(least(f64::from(x), f64::from(y)) as f32),
        Bin::F32Max => of_f32(greatest(f64::from(x), f64::from(y)) as f32),
        Bin::F32Copysign => a & 0x7fff_ffff | b & 0x8000_0000,
        Bin::F64Eq => bit(v == w),
        Bin::F64Ne => bit(v != w),
        Bin::F64Lt => bit(v < w),
        Bin::F64Gt => bit(v > w),
        Bin::F64Le => bit(v <= w),
        Bin::F64Ge => bit(v >= w),
        Bin::F64Add => of_f64(v + w),
        Bin::F64Sub => of_f64(v - w),
        Bin::F64Mul => of_f64(v * w),
        Bin::F64Div => of_f64(v / w),
        Bin::F64Min => of_f64(least(v, w)),
        Bin::F64Max => of_f64(greatest(v, w)),
        Bin::F64Copysign => a & (u64::MAX >> 1) | b & (1 << 63),
        other => unreachable!("{other:?} is no operation on floats"),
    }
}

/// NaN if one is, and -0 is less than 0.
fn least(a: f64, b: f64) -> f64 {
    match (a.is_nan() || b.is_nan(), a == b) {
        (true, _) => f64::NAN,
        (_, true) => f64::from_bits(a.to_bits() | b.to_bits()),
        _ if a < b => a,
        _ => b,
    }
}

fn greatest(a: f64, b: f64) -> f64 {
    match (a.is_nan() || b.is_nan(), a == b) {
        (true, _) => f64::NAN,
        (_, true) => f64::from_bits(a.to_bits() & b.to_bits()),
        _ if a > b => a,
        _ => b,
    }
}
