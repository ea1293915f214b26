//! Integers and reals. Division by zero is left open by SMT-LIB and has no value here.

use super::{Args, Outcome, Unevaluable};
use crate::{Fun, Int, Rational, Value};

/// Numbers of more bits than this are not computed: repeated squaring would fill the memory.
const MAX_BITS: u64 = 1 << 20;

pub(super) fn apply(fun: Fun, args: &Args<'_, '_>) -> Outcome {
    match (fun, args.get(0)) {
        (Fun::Le | Fun::Lt | Fun::Ge | Fun::Gt, _) => compare(fun, args),
        (Fun::ToReal, Value::Int(v)) => Ok(Value::Real(Rational::from(v.clone()))),
        (Fun::ToInt, Value::Real(v)) => Ok(Value::Int(v.floor())),
        (Fun::IsInt, Value::Real(v)) => Ok(Value::Bool(v.is_integer())),
        (_, Value::Int(first)) => integer(fun, first, args).map(Value::Int),
        (_, Value::Real(first)) => real(fun, first, args).map(Value::Real),
        _ => Err(Unevaluable::IllSorted),
    }
}

fn compare(fun: Fun, args: &Args<'_, '_>) -> Outcome {
    let mut all = true;
    for i in 1..args.len() {
        let order = match (args.get(i - 1), args.get(i)) {
            (Value::Int(a), Value::Int(b)) => a.cmp(b),
            (Value::Real(a), Value::Real(b)) => a.cmp(b),
            _ => return Err(Unevaluable::IllSorted),
        };
        all &= match fun {
            Fun::Le => order.is_le(),
            Fun::Lt => order.is_lt(),
            Fun::Ge => order.is_ge(),
            _ => order.is_gt(),
        };
    }
    Ok(Value::Bool(all))
}

fn integer(fun: Fun, first: &Int, args: &Args<'_, '_>) -> Result<Int, Unevaluable> {
    match fun {
        Fun::Neg => return Ok(first.neg()),
        Fun::Abs => return Ok(first.abs()),
        _ => {}
    }
    let mut value = first.clone();
    for i in 1..args.len() {
        let Value::Int(other) = args.get(i) else { return Err(Unevaluable::IllSorted) };
        value = match fun {
            Fun::Add => value.add(other),
            Fun::Sub => value.sub(other),
            Fun::Mul if bits(&value) + bits(other) > MAX_BITS => return Err(Unevaluable::Exhausted),
            Fun::Mul => value.mul(other),
            Fun::IntDiv => value.div(other).ok_or(Unevaluable::Unspecified)?,
            Fun::Mod => value.modulo(other).ok_or(Unevaluable::Unspecified)?,
            _ => return Err(Unevaluable::Unsupported),
        };
    }
    Ok(value)
}

fn real(fun: Fun, first: &Rational, args: &Args<'_, '_>) -> Result<Rational, Unevaluable> {
    match fun {
        Fun::Neg => return Ok(first.neg()),
        Fun::Abs if first.num().signum() < 0 => return Ok(first.neg()),
        Fun::Abs => return Ok(first.clone()),
        _ => {}
    }
    let mut value = first.clone();
    for i in 1..args.len() {
        let Value::Real(other) = args.get(i) else { return Err(Unevaluable::IllSorted) };
        let size = |v: &Rational| bits(v.num()).max(bits(v.den()));
        if size(&value) + size(other) > MAX_BITS {
            return Err(Unevaluable::Exhausted);
        }
        value = match fun {
            Fun::Add => value.add(other),
            Fun::Sub => value.sub(other),
            Fun::Mul => value.mul(other),
            Fun::RealDiv => value.div(other).ok_or(Unevaluable::Unspecified)?,
            _ => return Err(Unevaluable::Unsupported),
        };
    }
    Ok(value)
}

/// An upper bound on the number of bits of the magnitude.
pub(super) fn bits(value: &Int) -> u64 {
    match value {
        Int::Small(_) => 64,
        Int::Big(value) => value.bits(),
    }
}
