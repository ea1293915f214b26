//! The functions of bit vectors and truth values on machine words: SMT-LIB's meaning, one line each.

use super::form::ones;
use evergreen_term::{Fun, Indexed};

/// A vector as a signed number.
fn signed(width: u32, value: u64) -> i128 {
    let unused = 64 - width;
    i128::from(((value << unused) as i64) >> unused)
}

/// Whether a signed number is too large or too small for a width.
fn overflows(width: u32, value: i128) -> bool {
    let bound = 1i128 << (width - 1);
    value < -bound || value >= bound
}

/// A function of two vectors of one width; what it gives may have bits beyond the width. `None` for other
/// functions.
#[inline]
fn binary(fun: Fun, width: u32, a: u64, b: u64) -> Option<u64> {
    let (s, t) = (signed(width, a), signed(width, b));
    let shift = b.min(u64::from(width)) as u32;
    Some(match fun {
        Fun::BvAnd => a & b,
        Fun::BvOr => a | b,
        Fun::BvXor => a ^ b,
        Fun::BvNand => !(a & b),
        Fun::BvNor => !(a | b),
        Fun::BvXnor => !(a ^ b),
        Fun::BvAdd => a.wrapping_add(b),
        Fun::BvSub => a.wrapping_sub(b),
        Fun::BvMul => a.wrapping_mul(b),
        Fun::BvUdiv => a.checked_div(b).unwrap_or(u64::MAX),
        Fun::BvUrem => a.checked_rem(b).unwrap_or(a),
        // By zero: -1, or 1 for a negative dividend.
        Fun::BvSdiv => s.checked_div(t).unwrap_or(if s < 0 { 1 } else { -1 }) as u64,
        Fun::BvSrem => s.checked_rem(t).unwrap_or(s) as u64,
        Fun::BvSmod => match s.checked_rem(t) {
            None => a,
            Some(rest) if rest != 0 && (rest < 0) != (t < 0) => (rest + t) as u64,
            Some(rest) => rest as u64,
        },
        Fun::BvShl => a.checked_shl(shift).unwrap_or(0),
        Fun::BvLshr => a.checked_shr(shift).unwrap_or(0),
        Fun::BvAshr => (s >> shift) as u64,
        Fun::BvUlt => u64::from(a < b),
        Fun::BvUle => u64::from(a <= b),
        Fun::BvUgt => u64::from(a > b),
        Fun::BvUge => u64::from(a >= b),
        Fun::BvSlt => u64::from(s < t),
        Fun::BvSle => u64::from(s <= t),
        Fun::BvSgt => u64::from(s > t),
        Fun::BvSge => u64::from(s >= t),
        Fun::BvComp => u64::from(a == b),
        Fun::BvUaddo => u64::from((u128::from(a) + u128::from(b)) >> width != 0),
        Fun::BvUmulo => u64::from((u128::from(a) * u128::from(b)) >> width != 0),
        Fun::BvUsubo => u64::from(a < b),
        Fun::BvSaddo => u64::from(overflows(width, s + t)),
        Fun::BvSsubo => u64::from(overflows(width, s - t)),
        Fun::BvSmulo => u64::from(overflows(width, s * t)),
        Fun::BvSdivo => u64::from(t == -1 && overflows(width, -s)),
        _ => return None,
    })
}

/// A function of words. `widths` are those of the arguments, `result` that of the value; truth values have
/// one bit. `None` for functions that are not about words.
#[inline]
pub(super) fn function(fun: Fun, widths: &[u32], result: u32, args: &[u64]) -> Option<u64> {
    let (&first, rest) = args.split_first()?;
    let &width = widths.first()?;
    let value = match fun {
        Fun::Not => first ^ 1,
        Fun::And => u64::from(args.iter().all(|a| *a == 1)),
        Fun::Or => u64::from(args.contains(&1)),
        Fun::Xor => args.iter().fold(0, |odd, a| odd ^ a),
        // It groups to the right: all premises, or the conclusion.
        Fun::Implies => u64::from(*args.last()? == 1 || args[..args.len() - 1].contains(&0)),
        Fun::Ite => *args.get(if first == 1 { 1 } else { 2 })?,
        Fun::Eq => u64::from(rest.iter().all(|a| *a == first)),
        Fun::Distinct => u64::from((1..args.len()).all(|i| !args[..i].contains(&args[i]))),
        Fun::BvNot => !first,
        Fun::BvNeg => first.wrapping_neg(),
        Fun::BvNego => u64::from(overflows(width, -signed(width, first))),
        Fun::Concat => {
            // The first argument may fill the word by itself; then there is no other.
            let shifted = |value: u64, by: u32| value.checked_shl(by).unwrap_or(0);
            args.iter().zip(widths).fold(0, |value, (a, w)| shifted(value, *w) | a)
        }
        _ => {
            let mut value = first;
            for &b in rest {
                value = binary(fun, width, value, b)? & ones(result);
            }
            value
        }
    };
    Some(value & ones(result))
}

/// A function with indices of a word of that width. `None` for functions that are not about words.
pub(super) fn indexed(fun: Indexed, i: u32, j: u32, width: u32, result: u32, value: u64) -> Option<u64> {
    let value = match fun {
        Indexed::Extract => value >> j,
        Indexed::ZeroExtend => value,
        Indexed::SignExtend => signed(width, value) as u64,
        Indexed::Repeat => (0..i).fold(0, |all, at| all | value << (at * width)),
        Indexed::RotateLeft => rotate_left(width, value, i % width),
        Indexed::RotateRight => rotate_left(width, value, width - i % width),
        _ => return None,
    };
    Some(value & ones(result))
}

/// `by` is at most the width.
fn rotate_left(width: u32, value: u64, by: u32) -> u64 {
    let up = value.checked_shl(by).unwrap_or(0);
    let down = value.checked_shr(width - by).unwrap_or(0);
    up | down
}
