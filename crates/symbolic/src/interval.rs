//! Intervals of nonlinear operations. Each function gives bounds that hold for every pair of values within
//! the arguments' bounds; tests try all pairs of small ranges.

use crate::op::{Binary, Cast, Kind, Unary};

/// Bounds, both included.
pub(crate) type Interval = (i64, i64);

fn hull(values: &[i128]) -> (i128, i128) {
    let lo = values.iter().copied().min().unwrap_or(0);
    let hi = values.iter().copied().max().unwrap_or(0);
    (lo, hi)
}

/// The bounds if they are within the kind's range, else the range.
fn fit(kind: Kind, (lo, hi): (i128, i128)) -> Interval {
    let (least, greatest) = kind.range();
    if lo >= i128::from(least) && hi <= i128::from(greatest) {
        (lo as i64, hi as i64)
    } else {
        (least, greatest)
    }
}

/// The least 2^k - 1 that is not smaller than both, which are not negative.
fn ones_over(a: i64, b: i64) -> i64 {
    let top = (a | b) as u64;
    if top == 0 { 0 } else { (u64::MAX >> top.leading_zeros()) as i64 }
}

/// Bounds of an integer operation.
pub(crate) fn binary(op: Binary, kind: Kind, a: Interval, b: Interval) -> Interval {
    let wide = |v: i64| i128::from(v);
    match op {
        Binary::Add => fit(kind, (wide(a.0) + wide(b.0), wide(a.1) + wide(b.1))),
        Binary::Sub => fit(kind, (wide(a.0) - wide(b.1), wide(a.1) - wide(b.0))),
        Binary::Mul => fit(
            kind,
            hull(&[
                wide(a.0) * wide(b.0),
                wide(a.0) * wide(b.1),
                wide(a.1) * wide(b.0),
                wide(a.1) * wide(b.1),
            ]),
        ),
        Binary::Div => fit(kind, divide(a, b)),
        Binary::Rem => remainder(a, b),
        Binary::And => and(a, b, kind),
        Binary::Or if a.0 >= 0 && b.0 >= 0 => (a.0.max(b.0), ones_over(a.1, b.1)),
        Binary::Xor if a.0 >= 0 && b.0 >= 0 => (0, ones_over(a.1, b.1)),
        Binary::Or | Binary::Xor => kind.range(),
        Binary::Shl | Binary::Shr | Binary::Ushr => shift(op, kind, a, b),
        Binary::Udiv => unsigned_quotient(kind, a, b),
        Binary::Urem => unsigned_remainder(kind, a, b),
        Binary::Min => (a.0.min(b.0), a.1.min(b.1)),
        Binary::Max => (a.0.max(b.0), a.1.max(b.1)),
    }
}

fn divide(a: Interval, b: Interval) -> (i128, i128) {
    // The quotients of largest and smallest size are at the ends of the divisor's
    // negative and positive parts.
    let mut values = vec![0];
    let parts = [(b.0, b.1.min(-1)), (b.0.max(1), b.1)];
    for (lo, hi) in parts.into_iter().filter(|(lo, hi)| lo <= hi) {
        for x in [a.0, a.1] {
            values.push(i128::from(x) / i128::from(lo));
            values.push(i128::from(x) / i128::from(hi));
        }
    }
    // Without zero between the ends it need not be a quotient.
    let all_positive = a.0 > 0 && b.0 > 0;
    let (lo, hi) = hull(if all_positive { &values[1..] } else { &values });
    (lo, hi)
}

fn remainder(a: Interval, b: Interval) -> Interval {
    // |a % b| < |b| and |a % b| <= |a|, with the sign of a.
    let size = b.0.unsigned_abs().max(b.1.unsigned_abs()).saturating_sub(1).min(i64::MAX as u64) as i64;
    let lo = if a.0 < 0 { a.0.max(-size) } else { 0 };
    let hi = if a.1 > 0 { a.1.min(size) } else { 0 };
    (lo, hi)
}

/// Bounds of a quotient of unsigned integers.
fn unsigned_quotient(kind: Kind, a: Interval, b: Interval) -> Interval {
    let most = if kind == Kind::I32 { u64::from(u32::MAX) } else { u64::MAX };
    match (a.0 >= 0, b.0 >= 0) {
        (true, true) => fit(kind, divide(a, b)),
        // A divisor is larger, zero, or divides.
        (true, false) => (0, a.1),
        (false, true) if b.0 >= 2 => (0, (most / b.0 as u64) as i64),
        _ => kind.range(),
    }
}

/// Bounds of a remainder of unsigned integers.
fn unsigned_remainder(kind: Kind, a: Interval, b: Interval) -> Interval {
    match (a.0 >= 0, b.0 >= 0) {
        (true, true) => remainder(a, b),
        (true, false) => (0, a.1),
        (false, true) => (0, b.1.max(1) - 1),
        _ => kind.range(),
    }
}

/// Bounds of an operation that counts bits of an integer.
pub(crate) fn count(op: Unary, kind: Kind, (lo, hi): Interval) -> Interval {
    let bits = i64::from(kind.bits());
    let (least, greatest) = kind.range();
    let positive = lo >= 0 && hi <= greatest;
    let zeros = |value: i64| i64::from(value.leading_zeros()) - (64 - bits);
    match op {
        _ if lo < least || hi > greatest => (0, bits),
        Unary::Clz if positive => (zeros(hi), zeros(lo)),
        Unary::Clz if hi < 0 => (0, 0),
        Unary::Popcnt if positive => (i64::from(lo > 0), 64 - i64::from(hi.leading_zeros())),
        Unary::Popcnt if hi < 0 => (1, bits),
        Unary::Ctz if lo > 0 || hi < 0 => (0, bits - 1),
        _ => (0, bits),
    }
}

fn and(a: Interval, b: Interval, kind: Kind) -> Interval {
    match (a.0 >= 0, b.0 >= 0) {
        (true, true) => (0, a.1.min(b.1)),
        (true, false) => (0, a.1),
        (false, true) => (0, b.1),
        // Both negative for sure: the result is.
        (false, false) if a.1 < 0 && b.1 < 0 => (kind.range().0, a.1.min(b.1)),
        (false, false) => kind.range(),
    }
}

fn shift(op: Binary, kind: Kind, a: Interval, b: Interval) -> Interval {
    let most = i64::from(kind.bits() - 1);
    let (from, to) = if b.0 >= 0 && b.1 <= most { b } else { (0, most) };
    let wide = |v: i64| i128::from(v);
    match op {
        Binary::Shl => {
            fit(kind, hull(&[wide(a.0) << from, wide(a.0) << to, wide(a.1) << from, wide(a.1) << to]))
        }
        Binary::Shr => {
            let ends = [a.0 >> from, a.0 >> to, a.1 >> from, a.1 >> to];
            (ends.into_iter().min().unwrap_or(0), ends.into_iter().max().unwrap_or(0))
        }
        _ if a.0 >= 0 => (a.0 >> to, a.1 >> from),
        _ if from == 0 => kind.range(),
        _ if kind == Kind::I32 => (0, i64::from(u32::MAX) >> from),
        _ => (0, (u64::MAX >> from) as i64),
    }
}

/// Bounds of a cast to an integer.
pub(crate) fn cast(cast: Cast, a: Interval) -> Interval {
    let range = match cast {
        Cast::I2L => return a,
        Cast::I2B => (-0x80, 0x7f),
        Cast::I2S => (-0x8000, 0x7fff),
        Cast::I2C => (0, 0xffff),
        other => other.kinds().1.range(),
    };
    let narrows = matches!(cast, Cast::I2B | Cast::I2S | Cast::I2C | Cast::L2I);
    if narrows && a.0 >= range.0 && a.1 <= range.1 { a } else { range }
}
