//! The numeric instructions on expressions.
//!
//! What an instruction computes on numbers stands in `number.rs`; here it is said in the words of
//! `evergreen_symbolic`. Instructions that trap are not here: the machine has branched on their traps before.
//!
//! A symbolic float is kept as its value or as its bits, whichever it was made of: bits that are only moved,
//! or whose sign is changed, stay bits, and so keep a NaN's payload.

use crate::code::To;
use crate::number::{Bin, Un};
use crate::state::Slot;
use evergreen_symbolic::{Binary, Cast, Cond, Const, Expr, Exprs, Kind, Rel, Unary};

/// The expression of a value of a type.
pub(crate) fn expr(exprs: &mut Exprs, slot: Slot, to: To) -> Expr {
    match slot {
        // A case distinction of two numbers does not know its type, and is kept as 64 bits.
        Slot::Symbolic(e) if matches!(to, To::I32 | To::F32) && exprs.kind(e) == Kind::I64 => {
            exprs.cast(Cast::L2I, e)
        }
        Slot::Symbolic(e) => e,
        Slot::Number(bits) => exprs.constant(match to {
            To::I32 => Const::I32(bits as i32),
            To::I64 => Const::I64(bits as i64),
            To::F32 => Const::F32(bits as u32),
            To::F64 => Const::F64(bits),
        }),
    }
}

/// A value as a register holds it: constants are numbers.
pub(crate) fn slot(exprs: &Exprs, e: Expr) -> Slot {
    match exprs.as_const(e) {
        None => Slot::Symbolic(e),
        Some(Const::I32(v)) => Slot::Number(u64::from(v as u32)),
        Some(Const::I64(v)) => Slot::Number(v as u64),
        Some(Const::F32(v)) => Slot::Number(v.into()),
        Some(Const::F64(v)) => Slot::Number(v),
    }
}

/// 1 where a condition holds, 0 elsewhere.
pub(crate) fn truth(exprs: &mut Exprs, cond: Cond) -> Slot {
    match cond.as_bool() {
        Some(holds) => Slot::Number(holds.into()),
        None => {
            let (one, zero) = (exprs.constant(Const::I32(1)), exprs.constant(Const::I32(0)));
            Slot::Symbolic(exprs.ite(cond, one, zero))
        }
    }
}

/// A float as a value, not as bits.
fn value(exprs: &mut Exprs, slot: Slot, to: To) -> Expr {
    let e = expr(exprs, slot, to);
    match (exprs.kind(e), to) {
        (Kind::I32, To::F32) => exprs.cast(Cast::BitsToFloat, e),
        (Kind::I64, To::F64) => exprs.cast(Cast::BitsToDouble, e),
        _ => e,
    }
}

/// A float as the integer of its bits.
pub(crate) fn bits(exprs: &mut Exprs, slot: Slot, to: To) -> Expr {
    if let Slot::Number(bits) = slot {
        // Not through a constant of floats, which has one NaN only.
        return exprs.constant(match to {
            To::I32 | To::F32 => Const::I32(bits as i32),
            To::I64 | To::F64 => Const::I64(bits as i64),
        });
    }
    let e = expr(exprs, slot, to);
    match exprs.kind(e) {
        Kind::F32 => exprs.cast(Cast::FloatToBits, e),
        Kind::F64 => exprs.cast(Cast::DoubleToBits, e),
        _ => e,
    }
}

fn int(exprs: &mut Exprs, to: To, value: i64) -> Expr {
    exprs.constant(match to {
        To::I64 | To::F64 => Const::I64(value),
        _ => Const::I32(value as i32),
    })
}

/// An operation on the bits of a float with a constant.
fn on_bits(exprs: &mut Exprs, op: Binary, a: Slot, to: To, mask: i64) -> Expr {
    let a = bits(exprs, a, to);
    let mask = int(exprs, to, mask);
    exprs.binary(op, a, mask)
}

/// An instruction with one operand that is symbolic.
pub(crate) fn unary(exprs: &mut Exprs, op: Un, a: Slot) -> Slot {
    let e = match op {
        Un::I32Eqz | Un::I64Eqz => {
            let to = if op == Un::I32Eqz { To::I32 } else { To::I64 };
            let (a, zero) = (expr(exprs, a, to), int(exprs, to, 0));
            let cond = exprs.relate(Rel::Eq, a, zero);
            return truth(exprs, cond);
        }
        Un::I32Clz | Un::I32Ctz | Un::I32Popcnt | Un::I64Clz | Un::I64Ctz | Un::I64Popcnt => {
            let (to, op) = match op {
                Un::I32Clz => (To::I32, Unary::Clz),
                Un::I32Ctz => (To::I32, Unary::Ctz),
                Un::I32Popcnt => (To::I32, Unary::Popcnt),
                Un::I64Clz => (To::I64, Unary::Clz),
                Un::I64Ctz => (To::I64, Unary::Ctz),
                _ => (To::I64, Unary::Popcnt),
            };
            let a = expr(exprs, a, to);
            exprs.unary(op, a)
        }
        Un::F32Abs => on_bits(exprs, Binary::And, a, To::F32, 0x7fff_ffff),
        Un::F64Abs => on_bits(exprs, Binary::And, a, To::F64, i64::MAX),
        Un::F32Neg => on_bits(exprs, Binary::Xor, a, To::F32, i32::MIN.into()),
        Un::F64Neg => on_bits(exprs, Binary::Xor, a, To::F64, i64::MIN),
        Un::F32Ceil | Un::F32Floor | Un::F32Trunc | Un::F32Nearest | Un::F32Sqrt => {
            let a = value(exprs, a, To::F32);
            exprs.unary(rounding(op), a)
        }
        Un::F64Ceil | Un::F64Floor | Un::F64Trunc | Un::F64Nearest | Un::F64Sqrt => {
            let a = value(exprs, a, To::F64);
            exprs.unary(rounding(op), a)
        }
        Un::I32ReinterpretF32 => bits(exprs, a, To::F32),
        Un::I64ReinterpretF64 => bits(exprs, a, To::F64),
        Un::F32ReinterpretI32 | Un::F64ReinterpretI64 => return a,
        Un::RefIsNull => return Slot::Number(0),
        _ => conversion(exprs, op, a),
    };
    slot(exprs, e)
}

fn rounding(op: Un) -> Unary {
    match op {
        Un::F32Ceil | Un::F64Ceil => Unary::Ceil,
        Un::F32Floor | Un::F64Floor => Unary::Floor,
        Un::F32Trunc | Un::F64Trunc => Unary::Trunc,
        Un::F32Nearest | Un::F64Nearest => Unary::Rint,
        _ => Unary::Sqrt,
    }
}

fn conversion(exprs: &mut Exprs, op: Un, a: Slot) -> Expr {
    let casts: &[Cast] = match op {
        Un::I32WrapI64 => &[Cast::L2I],
        Un::I64ExtendI32S => &[Cast::I2L],
        Un::I32Extend8S => &[Cast::I2B],
        Un::I32Extend16S => &[Cast::I2S],
        Un::I64Extend8S => &[Cast::L2I, Cast::I2B, Cast::I2L],
        Un::I64Extend16S => &[Cast::L2I, Cast::I2S, Cast::I2L],
        Un::I64Extend32S => &[Cast::L2I, Cast::I2L],
        Un::F32ConvertI32S => &[Cast::I2F],
        Un::F64ConvertI32S => &[Cast::I2D],
        Un::F32ConvertI64S => &[Cast::L2F],
        Un::F64ConvertI64S => &[Cast::L2D],
        Un::F32ConvertI64U => &[Cast::Ul2F],
        Un::F64ConvertI64U => &[Cast::Ul2D],
        Un::F32DemoteF64 => &[Cast::D2F],
        Un::F64PromoteF32 => &[Cast::F2D],
        Un::I32TruncF32S | Un::I32TruncSatF32S => &[Cast::F2I],
        Un::I32TruncF64S | Un::I32TruncSatF64S => &[Cast::D2I],
        Un::I64TruncF32S | Un::I64TruncSatF32S => &[Cast::F2L],
        Un::I64TruncF64S | Un::I64TruncSatF64S => &[Cast::D2L],
        Un::I64TruncF32U | Un::I64TruncSatF32U => &[Cast::F2Ul],
        Un::I64TruncF64U | Un::I64TruncSatF64U => &[Cast::D2Ul],
        // In range, a 64-bit integer has the value of the unsigned 32-bit one.
        Un::I32TruncF32U => &[Cast::F2L, Cast::L2I],
        Un::I32TruncF64U => &[Cast::D2L, Cast::L2I],
        Un::I64ExtendI32U | Un::F32ConvertI32U | Un::F64ConvertI32U => {
            let a = expr(exprs, a, To::I32);
            let wide = exprs.zero_extend(a);
            return match op {
                Un::F32ConvertI32U => exprs.cast(Cast::L2F, wide),
                Un::F64ConvertI32U => exprs.cast(Cast::L2D, wide),
                _ => wide,
            };
        }
        _ => {
            // Saturating to unsigned 32 bits: clamped as 64 bits.
            let (from, cast) =
                if op == Un::I32TruncSatF32U { (To::F32, Cast::F2L) } else { (To::F64, Cast::D2L) };
            let a = value(exprs, a, from);
            let wide = exprs.cast(cast, a);
            let (zero, most) = (int(exprs, To::I64, 0), int(exprs, To::I64, u32::MAX.into()));
            let (below, above) = (exprs.relate(Rel::Lt, wide, zero), exprs.relate(Rel::Gt, wide, most));
            let low = exprs.ite(below, zero, wide);
            let clamped = exprs.ite(above, most, low);
            return exprs.cast(Cast::L2I, clamped);
        }
    };
    let from = match casts[0].kinds().0 {
        Kind::I32 => To::I32,
        Kind::I64 => To::I64,
        Kind::F32 => To::F32,
        Kind::F64 => To::F64,
    };
    let first = value(exprs, a, from);
    casts.iter().fold(first, |e, cast| exprs.cast(*cast, e))
}

/// What an instruction with two integers is in the words of expressions.
enum Words {
    Signed(Rel),
    Unsigned(Rel),
    Op(Binary),
    Shift(Binary),
    Rotate { left: bool },
}

fn words(op: Bin) -> Option<(To, Words)> {
    use Words::{Op, Rotate, Shift, Signed, Unsigned};
    let word = |op| {
        Some(match op {
            Bin::I32Eq => Signed(Rel::Eq),
            Bin::I32Ne => Signed(Rel::Ne),
            Bin::I32LtS => Signed(Rel::Lt),
            Bin::I32GtS => Signed(Rel::Gt),
            Bin::I32LeS => Signed(Rel::Le),
            Bin::I32GeS => Signed(Rel::Ge),
            Bin::I32LtU => Unsigned(Rel::Lt),
            Bin::I32GtU => Unsigned(Rel::Gt),
            Bin::I32LeU => Unsigned(Rel::Le),
            Bin::I32GeU => Unsigned(Rel::Ge),
            Bin::I32Add => Op(Binary::Add),
            Bin::I32Sub => Op(Binary::Sub),
            Bin::I32Mul => Op(Binary::Mul),
            Bin::I32DivS => Op(Binary::Div),
            Bin::I32RemS => Op(Binary::Rem),
            Bin::I32DivU => Op(Binary::Udiv),
            Bin::I32RemU => Op(Binary::Urem),
            Bin::I32And => Op(Binary::And),
            Bin::I32Or => Op(Binary::Or),
            Bin::I32Xor => Op(Binary::Xor),
            Bin::I32Shl => Shift(Binary::Shl),
            Bin::I32ShrS => Shift(Binary::Shr),
            Bin::I32ShrU => Shift(Binary::Ushr),
            Bin::I32Rotl => Rotate { left: true },
            Bin::I32Rotr => Rotate { left: false },
            _ => return None,
        })
    };
    match word(op) {
        Some(words) => Some((To::I32, words)),
        None => Some((To::I64, word(narrow(op)?)?)),
    }
}

/// The 32-bit instruction that a 64-bit one corresponds to.
fn narrow(op: Bin) -> Option<Bin> {
    Some(match op {
        Bin::I64Eq => Bin::I32Eq,
        Bin::I64Ne => Bin::I32Ne,
        Bin::I64LtS => Bin::I32LtS,
        Bin::I64LtU => Bin::I32LtU,
        Bin::I64GtS => Bin::I32GtS,
        Bin::I64GtU => Bin::I32GtU,
        Bin::I64LeS => Bin::I32LeS,
        Bin::I64LeU => Bin::I32LeU,
        Bin::I64GeS => Bin::I32GeS,
        Bin::I64GeU => Bin::I32GeU,
        Bin::I64Add => Bin::I32Add,
        Bin::I64Sub => Bin::I32Sub,
        Bin::I64Mul => Bin::I32Mul,
        Bin::I64DivS => Bin::I32DivS,
        Bin::I64DivU => Bin::I32DivU,
        Bin::I64RemS => Bin::I32RemS,
        Bin::I64RemU => Bin::I32RemU,
        Bin::I64And => Bin::I32And,
        Bin::I64Or => Bin::I32Or,
        Bin::I64Xor => Bin::I32Xor,
        Bin::I64Shl => Bin::I32Shl,
        Bin::I64ShrS => Bin::I32ShrS,
        Bin::I64ShrU => Bin::I32ShrU,
        Bin::I64Rotl => Bin::I32Rotl,
        Bin::I64Rotr => Bin::I32Rotr,
        _ => return None,
    })
}

/// An instruction with two operands, one of them symbolic.
pub(crate) fn binary(exprs: &mut Exprs, op: Bin, a: Slot, b: Slot) -> Slot {
    let Some((to, words)) = words(op) else { return float(exprs, op, a, b) };
    let (a, b) = (expr(exprs, a, to), expr(exprs, b, to));
    let e = match words {
        Words::Signed(rel) => {
            let cond = exprs.relate(rel, a, b);
            return truth(exprs, cond);
        }
        Words::Unsigned(rel) => {
            let cond = exprs.relate_unsigned(rel, a, b);
            return truth(exprs, cond);
        }
        Words::Op(op) => exprs.binary(op, a, b),
        Words::Shift(op) => {
            let count = count(exprs, b, to);
            exprs.binary(op, a, count)
        }
        Words::Rotate { left } => {
            let count = count(exprs, b, to);
            let zero = int(exprs, To::I32, 0);
            let back = exprs.binary(Binary::Sub, zero, count);
            let (up, down) = if left { (count, back) } else { (back, count) };
            // Only the low bits of a count matter, so a count of zero shifts neither side.
            let (high, low) = (exprs.binary(Binary::Shl, a, up), exprs.binary(Binary::Ushr, a, down));
            exprs.binary(Binary::Or, high, low)
        }
    };
    slot(exprs, e)
}

/// The count of a shift: an int.
fn count(exprs: &mut Exprs, b: Expr, to: To) -> Expr {
    if to == To::I64 { exprs.cast(Cast::L2I, b) } else { b }
}

fn float(exprs: &mut Exprs, op: Bin, a: Slot, b: Slot) -> Slot {
    let to = match op {
        Bin::F32Eq
        | Bin::F32Ne
        | Bin::F32Lt
        | Bin::F32Gt
        | Bin::F32Le
        | Bin::F32Ge
        | Bin::F32Add
        | Bin::F32Sub
        | Bin::F32Mul
        | Bin::F32Div
        | Bin::F32Min
        | Bin::F32Max
        | Bin::F32Copysign => To::F32,
        _ => To::F64,
    };
    let rel = match op {
        Bin::F32Eq | Bin::F64Eq => Some(Rel::Eq),
        Bin::F32Ne | Bin::F64Ne => Some(Rel::Ne),
        Bin::F32Lt | Bin::F64Lt => Some(Rel::Lt),
        Bin::F32Gt | Bin::F64Gt => Some(Rel::Gt),
        Bin::F32Le | Bin::F64Le => Some(Rel::Le),
        Bin::F32Ge | Bin::F64Ge => Some(Rel::Ge),
        _ => None,
    };
    if matches!(op, Bin::F32Copysign | Bin::F64Copysign) {
        let (sign, rest) =
            if to == To::F32 { (i32::MIN.into(), i32::MAX.into()) } else { (i64::MIN, i64::MAX) };
        let size = on_bits(exprs, Binary::And, a, to, rest);
        let sign = on_bits(exprs, Binary::And, b, to, sign);
        let e = exprs.binary(Binary::Or, size, sign);
        return slot(exprs, e);
    }
    let (a, b) = (value(exprs, a, to), value(exprs, b, to));
    if let Some(rel) = rel {
        let cond = exprs.relate(rel, a, b);
        return truth(exprs, cond);
    }
    let op = match op {
        Bin::F32Add | Bin::F64Add => Binary::Add,
        Bin::F32Sub | Bin::F64Sub => Binary::Sub,
        Bin::F32Mul | Bin::F64Mul => Binary::Mul,
        Bin::F32Div | Bin::F64Div => Binary::Div,
        Bin::F32Min | Bin::F64Min => Binary::Min,
        _ => Binary::Max,
    };
    let e = exprs.binary(op, a, b);
    slot(exprs, e)
}

/// The conditions under which an instruction with symbolic operands traps, with the trap.
pub(crate) fn traps_binary(exprs: &mut Exprs, op: Bin, a: Slot, b: Slot) -> Vec<(Cond, crate::Trap)> {
    let to = match op {
        Bin::I32DivS | Bin::I32DivU | Bin::I32RemS | Bin::I32RemU => To::I32,
        Bin::I64DivS | Bin::I64DivU | Bin::I64RemS | Bin::I64RemU => To::I64,
        _ => return Vec::new(),
    };
    let (a, b) = (expr(exprs, a, to), expr(exprs, b, to));
    let zero = int(exprs, to, 0);
    let mut all = vec![(exprs.relate(Rel::Eq, b, zero), crate::Trap::DivisionByZero)];
    if matches!(op, Bin::I32DivS | Bin::I64DivS) {
        let (least, minus) =
            (int(exprs, to, if to == To::I32 { i32::MIN.into() } else { i64::MIN }), int(exprs, to, -1));
        let (is_least, is_minus) = (exprs.relate(Rel::Eq, a, least), exprs.relate(Rel::Eq, b, minus));
        all.push((exprs.and(is_least, is_minus), crate::Trap::Overflow));
    }
    all
}

/// The cases of a conversion of a float to an integer: no number, out of range, and that it goes on.
pub(crate) fn traps_unary(exprs: &mut Exprs, op: Un, a: Slot) -> Option<[Cond; 3]> {
    let (below, above) = match op {
        Un::I32TruncF32S => (-2_147_483_904.0, 2_147_483_648.0),
        Un::I32TruncF64S => (-2_147_483_649.0, 2_147_483_648.0),
        Un::I32TruncF32U | Un::I32TruncF64U => (-1.0, 4_294_967_296.0),
        Un::I64TruncF32S => (-9_223_373_136_366_403_584.0, 9_223_372_036_854_775_808.0),
        Un::I64TruncF64S => (-9_223_372_036_854_777_856.0, 9_223_372_036_854_775_808.0),
        Un::I64TruncF32U | Un::I64TruncF64U => (-1.0, 18_446_744_073_709_551_616.0),
        _ => return None,
    };
    let single = matches!(op, Un::I32TruncF32S | Un::I32TruncF32U | Un::I64TruncF32S | Un::I64TruncF32U);
    let to = if single { To::F32 } else { To::F64 };
    let bound = |exprs: &mut Exprs, limit: f64| {
        exprs.constant(if single { Const::f32(limit as f32) } else { Const::f64(limit) })
    };
    let a = value(exprs, a, to);
    let (low, high) = (bound(exprs, below), bound(exprs, above));
    let (more, less) = (exprs.relate(Rel::Gt, a, low), exprs.relate(Rel::Lt, a, high));
    let (fits, is_nan) = (exprs.and(more, less), exprs.relate(Rel::Ne, a, a));
    let out = exprs.and(fits.negated(), is_nan.negated());
    Some([is_nan, out, fits])
}

/// One of two values, by a condition. Their type is not known: two numbers are taken as 64 bits.
pub(crate) fn select(exprs: &mut Exprs, cond: Cond, a: Slot, b: Slot) -> Slot {
    let kind = |slot: Slot| match slot {
        Slot::Symbolic(e) => Some(exprs.kind(e)),
        Slot::Number(_) => None,
    };
    let to = match (kind(a), kind(b)) {
        (Some(Kind::I32), Some(Kind::I64)) | (Some(Kind::I64), Some(Kind::I32)) => To::I32,
        (Some(Kind::F32), other) | (other, Some(Kind::F32)) if other != Some(Kind::I32) => To::F32,
        (Some(Kind::F64), other) | (other, Some(Kind::F64)) if other != Some(Kind::I64) => To::F64,
        (Some(Kind::I32 | Kind::F32), _) | (_, Some(Kind::I32 | Kind::F32)) => To::I32,
        _ => To::I64,
    };
    let (a, b) = match to {
        To::F32 | To::F64 => (value(exprs, a, to), value(exprs, b, to)),
        To::I32 => (low(exprs, a), low(exprs, b)),
        To::I64 => (bits(exprs, a, to), bits(exprs, b, to)),
    };
    let e = exprs.ite(cond, a, b);
    slot(exprs, e)
}

/// 32 bits of an integer or of a float.
fn low(exprs: &mut Exprs, slot: Slot) -> Expr {
    let e = bits(exprs, slot, To::I32);
    if exprs.kind(e) == Kind::I64 { exprs.cast(Cast::L2I, e) } else { e }
}

/// What a load makes of the value that was stored in as many bytes as it reads.
pub(crate) fn loaded(exprs: &mut Exprs, e: Expr, size: u8, signed: bool, to: To) -> Slot {
    if matches!(to, To::F32 | To::F64) {
        return if to == To::F32 && exprs.kind(e) == Kind::I64 {
            let low = exprs.cast(Cast::L2I, e);
            slot(exprs, low)
        } else {
            slot(exprs, e)
        };
    }
    if size == 8 {
        let e = bits(exprs, Slot::Symbolic(e), To::I64);
        return slot(exprs, e);
    }
    let low = low(exprs, Slot::Symbolic(e));
    let short = match (size, signed) {
        (1, true) => exprs.cast(Cast::I2B, low),
        (2, true) => exprs.cast(Cast::I2S, low),
        (2, false) => exprs.cast(Cast::I2C, low),
        (1, false) => exprs.byte_of(low, 0),
        _ => low,
    };
    let e = match (to, signed) {
        (To::I64, true) => exprs.cast(Cast::I2L, short),
        (To::I64, false) => exprs.zero_extend(short),
        _ => short,
    };
    slot(exprs, e)
}
