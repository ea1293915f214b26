//! Rules for `not`, `and`, `xor`.

use crate::form::{Form, Node, Op, ones};

fn args2(op: Op) -> (Node, Node) {
    let (args, _) = op.args();
    (args[0], args[1])
}

/// A conditional with constant arms.
fn constant_arms(form: &Form, node: Node) -> Option<(Node, u64, u64)> {
    match form.op(node) {
        Op::Ite(c, a, b) => Some((c, form.value(a)?, form.value(b)?)),
        _ => None,
    }
}

pub(super) fn not_not(form: &mut Form, op: Op, _: u8) -> Option<Node> {
    let Op::Not(a) = op else { return None };
    match form.op(a) {
        Op::Not(b) => Some(b),
        _ => None,
    }
}

pub(super) fn not_concat(form: &mut Form, op: Op, _: u8) -> Option<Node> {
    let Op::Not(a) = op else { return None };
    let Op::Concat(h, l) = form.op(a) else { return None };
    let (h, l) = (form.not(h), form.not(l));
    Some(form.concat(h, l))
}

pub(super) fn not_sext(form: &mut Form, op: Op, width: u8) -> Option<Node> {
    let Op::Not(a) = op else { return None };
    let Op::Sext(b) = form.op(a) else { return None };
    let b = form.not(b);
    Some(form.sign_extend(b, width))
}

pub(super) fn not_ite(form: &mut Form, op: Op, width: u8) -> Option<Node> {
    let Op::Not(a) = op else { return None };
    let (c, x, y) = constant_arms(form, a)?;
    let (x, y) = (form.constant(!x, width), form.constant(!y, width));
    Some(form.ite(c, x, y))
}

pub(super) fn and_constant(form: &mut Form, op: Op, width: u8) -> Option<Node> {
    let (a, b) = args2(op);
    match form.value(b)? {
        0 => Some(b),
        v if v == ones(width) => Some(a),
        _ => None,
    }
}

pub(super) fn and_same(form: &mut Form, op: Op, width: u8) -> Option<Node> {
    let (a, b) = args2(op);
    if a == b {
        return Some(a);
    }
    (form.op(a) == Op::Not(b) || form.op(b) == Op::Not(a)).then(|| form.constant(0, width))
}

/// `x & (x & y)`, `x & (~x & y)`, `x & ~(x & y)`, `(x & k) & l`.
pub(super) fn and_nested(form: &mut Form, op: Op, width: u8) -> Option<Node> {
    let (a, b) = args2(op);
    for (x, other) in [(a, b), (b, a)] {
        match form.op(other) {
            Op::And(y, z) => {
                if x == y || x == z {
                    return Some(other);
                }
                if let (Some(k), Some(l)) = (form.value(x), form.value(z)) {
                    let both = form.constant(k & l, width);
                    return Some(form.and(y, both));
                }
                let opposite = |form: &Form, n: Node| form.op(n) == Op::Not(x) || form.op(x) == Op::Not(n);
                if opposite(form, y) || opposite(form, z) {
                    return Some(form.constant(0, width));
                }
            }
            Op::Not(inner) => {
                if let Op::And(y, z) = form.op(inner) {
                    let rest = if x == y {
                        z
                    } else if x == z {
                        y
                    } else {
                        // ~(~x & z) is x | ~z, and x absorbs that.
                        let opposite =
                            |form: &Form, n: Node| form.op(n) == Op::Not(x) || form.op(x) == Op::Not(n);
                        if opposite(form, y) || opposite(form, z) {
                            return Some(x);
                        }
                        continue;
                    };
                    let rest = form.not(rest);
                    return Some(form.and(x, rest));
                }
            }
            _ => {}
        }
    }
    None
}

/// A mask that takes away nothing, or everything.
pub(super) fn and_known(form: &mut Form, op: Op, width: u8) -> Option<Node> {
    let (a, b) = args2(op);
    let (x, y) = (*form.info(a), *form.info(b));
    if x.may & y.may == 0 {
        return Some(form.constant(0, width));
    }
    if x.may & !y.must == 0 {
        return Some(a);
    }
    (y.may & !x.must == 0).then_some(b)
}

pub(super) fn and_concat(form: &mut Form, op: Op, _: u8) -> Option<Node> {
    let (a, b) = args2(op);
    let (h, l, k, m) = split_both(form, a, b)?;
    let (h, l) = (form.and(h, k), form.and(l, m));
    Some(form.concat(h, l))
}

/// Two nodes cut at the same place: one is a concatenation, the other one, too, or a constant.
fn split_both(form: &mut Form, a: Node, b: Node) -> Option<(Node, Node, Node, Node)> {
    let (whole, other) = match (form.op(a), form.op(b)) {
        (Op::Concat(..), Op::Concat(..) | Op::Const(_)) => (a, b),
        (Op::Const(_), Op::Concat(..)) => (b, a),
        _ => return None,
    };
    let Op::Concat(h, l) = form.op(whole) else { return None };
    let (low, high) = (form.width(l), form.width(h));
    let k = form.extract(other, low, high);
    let m = form.extract(other, 0, low);
    Some((h, l, k, m))
}

/// A mask of one run of ones is a part of the other, with zeros around it.
pub(super) fn and_run(form: &mut Form, op: Op, width: u8) -> Option<Node> {
    let (a, b) = args2(op);
    let mask = form.value(b).filter(|&mask| mask != 0)?;
    let low = mask.trailing_zeros() as u8;
    let run = (!(mask >> low)).trailing_zeros() as u8;
    if run == width || mask >> low != ones(run) {
        return None;
    }
    let middle = form.extract(a, low, run);
    let middle = match low {
        0 => middle,
        _ => {
            let zero = form.constant(0, low);
            form.concat(middle, zero)
        }
    };
    Some(form.zero_extend(middle, width))
}

pub(super) fn and_ite(form: &mut Form, op: Op, width: u8) -> Option<Node> {
    let (a, b) = args2(op);
    let mask = form.value(b)?;
    let (c, x, y) = constant_arms(form, a)?;
    let (x, y) = (form.constant(x & mask, width), form.constant(y & mask, width));
    Some(form.ite(c, x, y))
}

/// A bit that is spread over a mask chooses between the mask and nothing.
pub(super) fn and_sext(form: &mut Form, op: Op, width: u8) -> Option<Node> {
    let (a, b) = args2(op);
    for (spread, other) in [(a, b), (b, a)] {
        if let Op::Sext(bit) = form.op(spread)
            && form.width(bit) == 1
        {
            let zero = form.constant(0, width);
            return Some(form.ite(bit, other, zero));
        }
    }
    None
}

pub(super) fn xor_constant(form: &mut Form, op: Op, width: u8) -> Option<Node> {
    let (a, b) = args2(op);
    let k = form.value(b)?;
    if k == 0 {
        return Some(a);
    }
    if k == ones(width) {
        return Some(form.not(a));
    }
    let Op::Xor(x, l) = form.op(a) else { return None };
    let l = form.value(l)?;
    let both = form.constant(k ^ l, width);
    Some(form.xor(x, both))
}

pub(super) fn xor_same(form: &mut Form, op: Op, width: u8) -> Option<Node> {
    let (a, b) = args2(op);
    (a == b).then(|| form.constant(0, width))
}

pub(super) fn xor_not(form: &mut Form, op: Op, _: u8) -> Option<Node> {
    let (a, b) = args2(op);
    for (x, y) in [(a, b), (b, a)] {
        if let Op::Not(inner) = form.op(x) {
            let both = form.xor(inner, y);
            return Some(form.not(both));
        }
    }
    None
}

pub(super) fn xor_concat(form: &mut Form, op: Op, _: u8) -> Option<Node> {
    let (a, b) = args2(op);
    let (h, l, k, m) = split_both(form, a, b)?;
    let (h, l) = (form.xor(h, k), form.xor(l, m));
    Some(form.concat(h, l))
}

pub(super) fn xor_ite(form: &mut Form, op: Op, width: u8) -> Option<Node> {
    let (a, b) = args2(op);
    let k = form.value(b)?;
    let (c, x, y) = constant_arms(form, a)?;
    let (x, y) = (form.constant(x ^ k, width), form.constant(y ^ k, width));
    Some(form.ite(c, x, y))
}
