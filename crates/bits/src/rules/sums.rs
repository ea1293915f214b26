//! Rules for sums, products and quotients.

use crate::form::{Form, Node, Op, ones};

fn args2(op: Op) -> (Node, Node) {
    let (args, _) = op.args();
    (args[0], args[1])
}

/// The number that a power of two is the power of.
fn log(value: u64) -> Option<u8> {
    value.is_power_of_two().then(|| value.trailing_zeros() as u8)
}

pub(super) fn neg_neg(form: &mut Form, op: Op, _: u8) -> Option<Node> {
    let Op::Neg(a) = op else { return None };
    match form.op(a) {
        Op::Neg(b) => Some(b),
        _ => None,
    }
}

/// `-(x + k)` is `-x - k`; `-(-x + y)` is `x - y`.
pub(super) fn neg_add(form: &mut Form, op: Op, width: u8) -> Option<Node> {
    let Op::Neg(a) = op else { return None };
    let Op::Add(x, y) = form.op(a) else { return None };
    if let Some(k) = form.value(y) {
        let (x, k) = (form.neg(x), form.constant(k.wrapping_neg(), width));
        return Some(form.add(x, k));
    }
    if !matches!(form.op(x), Op::Neg(_)) && !matches!(form.op(y), Op::Neg(_)) {
        return None;
    }
    let (x, y) = (form.neg(x), form.neg(y));
    Some(form.add(x, y))
}

pub(super) fn neg_ite(form: &mut Form, op: Op, width: u8) -> Option<Node> {
    let Op::Neg(a) = op else { return None };
    let Op::Ite(c, x, y) = form.op(a) else { return None };
    let (x, y) = (form.value(x)?, form.value(y)?);
    let (x, y) = (form.constant(x.wrapping_neg(), width), form.constant(y.wrapping_neg(), width));
    Some(form.ite(c, x, y))
}

pub(super) fn neg_bit(_: &mut Form, op: Op, width: u8) -> Option<Node> {
    let Op::Neg(a) = op else { return None };
    (width == 1).then_some(a)
}

pub(super) fn add_zero(form: &mut Form, op: Op, _: u8) -> Option<Node> {
    let (a, b) = args2(op);
    (form.value(b)? == 0).then_some(a)
}

/// Constants go to the right end: `(x + k) + y` is `(x + y) + k`.
pub(super) fn add_nested(form: &mut Form, op: Op, width: u8) -> Option<Node> {
    let (a, b) = args2(op);
    for (sum, other) in [(a, b), (b, a)] {
        let Op::Add(x, k) = form.op(sum) else { continue };
        let Some(k) = form.value(k) else { continue };
        if let Some(l) = form.value(other) {
            let both = form.constant(k.wrapping_add(l), width);
            return Some(form.add(x, both));
        }
        let (sum, k) = (form.add(x, other), form.constant(k, width));
        return Some(form.add(sum, k));
    }
    None
}

/// `x - x`, `(x + y) - x`, `(x - y) + y`.
pub(super) fn add_opposite(form: &mut Form, op: Op, width: u8) -> Option<Node> {
    let (a, b) = args2(op);
    let opposite = |form: &Form, x: Node, y: Node| form.op(x) == Op::Neg(y) || form.op(y) == Op::Neg(x);
    if opposite(form, a, b) {
        return Some(form.constant(0, width));
    }
    for (sum, other) in [(a, b), (b, a)] {
        if let Op::Add(x, y) = form.op(sum) {
            if opposite(form, x, other) {
                return Some(y);
            }
            if opposite(form, y, other) {
                return Some(x);
            }
        }
    }
    None
}

pub(super) fn add_bit(form: &mut Form, op: Op, width: u8) -> Option<Node> {
    let (a, b) = args2(op);
    (width == 1).then(|| form.xor(a, b))
}

/// Where no bit may be one in both, a sum is an `or`.
pub(super) fn add_disjoint(form: &mut Form, op: Op, _: u8) -> Option<Node> {
    let (a, b) = args2(op);
    if form.info(a).may & form.info(b).may != 0 {
        return None;
    }
    // Only where the parts can be told apart: an `or` of anything else is no easier than the sum.
    let is_cut = |form: &Form, n: Node| matches!(form.op(n), Op::Concat(..) | Op::Const(_));
    (is_cut(form, a) && is_cut(form, b)).then(|| form.or(a, b))
}

/// Low bits that are zero in one are those of the other.
pub(super) fn add_low_zero(form: &mut Form, op: Op, width: u8) -> Option<Node> {
    let (a, b) = args2(op);
    for (cut, other) in [(a, b), (b, a)] {
        let zeros = form.info(cut).may.trailing_zeros() as u8;
        if zeros == 0
            || zeros >= width
            || !matches!(form.op(other), Op::Concat(_, l) if form.width(l) == zeros)
        {
            continue;
        }
        if !matches!(form.op(cut), Op::Concat(..) | Op::Const(_)) {
            continue;
        }
        let (h, k) = (form.extract(cut, zeros, width - zeros), form.extract(other, zeros, width - zeros));
        let (h, l) = (form.add(h, k), form.extract(other, 0, zeros));
        return Some(form.concat(h, l));
    }
    None
}

/// A conditional with a constant arm goes up through the addition of a constant.
pub(super) fn add_ite(form: &mut Form, op: Op, _: u8) -> Option<Node> {
    let (a, b) = args2(op);
    form.value(b)?;
    let Op::Ite(c, x, y) = form.op(a) else { return None };
    if form.value(x).is_none() && form.value(y).is_none() {
        return None;
    }
    let (x, y) = (form.add(x, b), form.add(y, b));
    Some(form.ite(c, x, y))
}

/// `(x / y) * y + x % y` is x, for zero as well: its quotient is all ones, and the remainder is x.
pub(super) fn add_remainder(form: &mut Form, op: Op, _: u8) -> Option<Node> {
    let (a, b) = args2(op);
    for (product, remainder) in [(a, b), (b, a)] {
        let (Op::Mul(p, q), Op::Urem(x, y)) = (form.op(product), form.op(remainder)) else { continue };
        let quotient = |form: &Form, n: Node| form.op(n) == Op::Udiv(x, y);
        if (quotient(form, p) && q == y) || (quotient(form, q) && p == y) {
            return Some(x);
        }
    }
    None
}

pub(super) fn mul_constant(form: &mut Form, op: Op, width: u8) -> Option<Node> {
    let (a, b) = args2(op);
    let k = form.value(b)?;
    match k {
        0 => return Some(b),
        1 => return Some(a),
        _ if k == ones(width) => return Some(form.neg(a)),
        _ => {}
    }
    let shift = log(k)?;
    let (high, zero) = (form.extract(a, 0, width - shift), form.constant(0, shift));
    Some(form.concat(high, zero))
}

pub(super) fn mul_nested(form: &mut Form, op: Op, width: u8) -> Option<Node> {
    let (a, b) = args2(op);
    for (product, other) in [(a, b), (b, a)] {
        let Op::Mul(x, k) = form.op(product) else { continue };
        let Some(k) = form.value(k) else { continue };
        if let Some(l) = form.value(other) {
            let both = form.constant(k.wrapping_mul(l), width);
            return Some(form.mul(x, both));
        }
        let (product, k) = (form.mul(x, other), form.constant(k, width));
        return Some(form.mul(product, k));
    }
    None
}

/// `(x + k) * l` is `x * l + k * l`.
pub(super) fn mul_sum(form: &mut Form, op: Op, width: u8) -> Option<Node> {
    let (a, b) = args2(op);
    let l = form.value(b)?;
    let Op::Add(x, k) = form.op(a) else { return None };
    let k = form.value(k)?;
    let (x, k) = (form.mul(x, b), form.constant(k.wrapping_mul(l), width));
    Some(form.add(x, k))
}

pub(super) fn mul_ite(form: &mut Form, op: Op, _: u8) -> Option<Node> {
    let (a, b) = args2(op);
    form.value(b)?;
    let Op::Ite(c, x, y) = form.op(a) else { return None };
    if form.value(x).is_none() && form.value(y).is_none() {
        return None;
    }
    let (x, y) = (form.mul(x, b), form.mul(y, b));
    Some(form.ite(c, x, y))
}

pub(super) fn mul_bit(form: &mut Form, op: Op, width: u8) -> Option<Node> {
    let (a, b) = args2(op);
    (width == 1).then(|| form.and(a, b))
}

/// Signs go out of products.
pub(super) fn mul_neg(form: &mut Form, op: Op, width: u8) -> Option<Node> {
    let (a, b) = args2(op);
    if let Op::Neg(x) = form.op(a) {
        if let Some(k) = form.value(b) {
            let k = form.constant(k.wrapping_neg(), width);
            return Some(form.mul(x, k));
        }
        let product = form.mul(x, b);
        return Some(form.neg(product));
    }
    if let Op::Neg(y) = form.op(b) {
        let product = form.mul(a, y);
        return Some(form.neg(product));
    }
    None
}

pub(super) fn udiv_power(form: &mut Form, op: Op, width: u8) -> Option<Node> {
    let (a, b) = args2(op);
    match log(form.value(b)?)? {
        0 => Some(a),
        shift => {
            let high = form.extract(a, shift, width - shift);
            Some(form.zero_extend(high, width))
        }
    }
}

pub(super) fn udiv_small(form: &mut Form, op: Op, width: u8) -> Option<Node> {
    let (a, b) = args2(op);
    (form.info(a).high < form.info(b).low).then(|| form.constant(0, width))
}

/// How many low bits both need, where that is fewer than they have and zero is no divisor.
fn narrow(form: &Form, a: Node, b: Node, width: u8) -> Option<u8> {
    let high = form.info(a).high | form.info(b).high;
    let needed = (64 - high.leading_zeros() as u8).max(1);
    (needed < width && form.info(b).low > 0).then_some(needed)
}

pub(super) fn udiv_narrow(form: &mut Form, op: Op, width: u8) -> Option<Node> {
    let (a, b) = args2(op);
    let needed = narrow(form, a, b, width)?;
    let (a, b) = (form.extract(a, 0, needed), form.extract(b, 0, needed));
    let quotient = form.make(Op::Udiv(a, b), needed);
    Some(form.zero_extend(quotient, width))
}

pub(super) fn urem_power(form: &mut Form, op: Op, width: u8) -> Option<Node> {
    let (a, b) = args2(op);
    match log(form.value(b)?)? {
        0 => Some(form.constant(0, width)),
        shift => {
            let low = form.extract(a, 0, shift);
            Some(form.zero_extend(low, width))
        }
    }
}

pub(super) fn urem_small(form: &mut Form, op: Op, _: u8) -> Option<Node> {
    let (a, b) = args2(op);
    (form.info(a).high < form.info(b).low || form.value(b) == Some(0)).then_some(a)
}

pub(super) fn urem_narrow(form: &mut Form, op: Op, width: u8) -> Option<Node> {
    let (a, b) = args2(op);
    let needed = narrow(form, a, b, width)?;
    let (a, b) = (form.extract(a, 0, needed), form.extract(b, 0, needed));
    let remainder = form.make(Op::Urem(a, b), needed);
    Some(form.zero_extend(remainder, width))
}
