//! Rules for comparisons.

use crate::form::{Form, Node, Op, ones, signed};
use crate::poly;

fn args2(op: Op) -> (Node, Node) {
    let (args, _) = op.args();
    (args[0], args[1])
}

fn is_constant(form: &Form, node: Node) -> bool {
    form.value(node).is_some()
}

pub(super) fn eq_same(_: &mut Form, op: Op, _: u8) -> Option<Node> {
    let (a, b) = args2(op);
    (a == b).then_some(Node::TRUE)
}

pub(super) fn eq_bit(form: &mut Form, op: Op, _: u8) -> Option<Node> {
    let (a, b) = args2(op);
    if form.width(a) != 1 {
        return None;
    }
    Some(match form.value(b) {
        Some(1) => a,
        Some(_) => form.not(a),
        None => {
            let differ = form.xor(a, b);
            form.not(differ)
        }
    })
}

pub(super) fn eq_ranges(form: &mut Form, op: Op, _: u8) -> Option<Node> {
    let (a, b) = args2(op);
    let (x, y) = (form.info(a), form.info(b));
    let apart = x.high < y.low || y.high < x.low || x.must & !y.may != 0 || y.must & !x.may != 0;
    apart.then_some(Node::FALSE)
}

/// A concatenation is compared part by part where the other side can be cut, too.
pub(super) fn eq_concat(form: &mut Form, op: Op, _: u8) -> Option<Node> {
    let (a, b) = args2(op);
    let (whole, other) = match (form.op(a), form.op(b)) {
        (Op::Concat(..), Op::Concat(..) | Op::Const(_) | Op::Sext(_)) => (a, b),
        (Op::Sext(_), Op::Concat(..)) => (b, a),
        // A part that is fixed is compared by itself: usually the zeros of an extension.
        (Op::Concat(h, l), _) if is_constant(form, h) || is_constant(form, l) => (a, b),
        (_, Op::Concat(h, l)) if is_constant(form, h) || is_constant(form, l) => (b, a),
        _ => return None,
    };
    let Op::Concat(h, l) = form.op(whole) else { return None };
    let (low, high) = (form.width(l), form.width(h));
    let k = form.extract(other, low, high);
    let m = form.extract(other, 0, low);
    let (h, l) = (form.eq(h, k), form.eq(l, m));
    Some(form.and(h, l))
}

pub(super) fn eq_not(form: &mut Form, op: Op, _: u8) -> Option<Node> {
    let (a, b) = args2(op);
    match (form.op(a), form.op(b)) {
        (Op::Not(x), Op::Not(y)) => Some(form.eq(x, y)),
        (Op::Not(x), Op::Const(k)) => Some(form.eq_const(x, !k)),
        _ => None,
    }
}

pub(super) fn eq_xor(form: &mut Form, op: Op, _: u8) -> Option<Node> {
    let (a, b) = args2(op);
    let Op::Xor(x, y) = form.op(a) else { return None };
    let k = form.value(b)?;
    match form.value(y) {
        Some(l) => Some(form.eq_const(x, k ^ l)),
        None if k == 0 => Some(form.eq(x, y)),
        None => None,
    }
}

/// Constants of sums go to the other side, and what both sides have is left out.
pub(super) fn eq_sum(form: &mut Form, op: Op, _: u8) -> Option<Node> {
    let (a, b) = args2(op);
    let width = form.width(a);
    if let (Op::Neg(x), Op::Const(k)) = (form.op(a), form.op(b)) {
        return Some(form.eq_const(x, k.wrapping_neg()));
    }
    if let (Op::Neg(x), Op::Neg(y)) = (form.op(a), form.op(b)) {
        return Some(form.eq(x, y));
    }
    for (sum, other) in [(a, b), (b, a)] {
        let Op::Add(x, y) = form.op(sum) else { continue };
        if let Some(k) = form.value(y) {
            if let Some(l) = form.value(other) {
                return Some(form.eq_const(x, l.wrapping_sub(k)));
            }
            if let Op::Add(z, l) = form.op(other)
                && let Some(l) = form.value(l)
            {
                let l = form.constant(l.wrapping_sub(k), width);
                let other = form.add(z, l);
                return Some(form.eq(x, other));
            }
        }
        if x == other {
            return Some(form.eq_const(y, 0));
        }
        if y == other {
            return Some(form.eq_const(x, 0));
        }
        if form.value(other) == Some(0) {
            match (form.op(x), form.op(y)) {
                (Op::Neg(z), _) => return Some(form.eq(z, y)),
                (_, Op::Neg(z)) => return Some(form.eq(x, z)),
                _ => {}
            }
        }
        if let Op::Add(z, w) = form.op(other) {
            let rest = match () {
                () if x == z => Some((y, w)),
                () if x == w => Some((y, z)),
                () if y == z => Some((x, w)),
                () if y == w => Some((x, z)),
                () => None,
            };
            if let Some((x, y)) = rest {
                return Some(form.eq(x, y));
            }
        }
    }
    None
}

/// A conditional with a constant arm is compared arm by arm.
pub(super) fn eq_ite(form: &mut Form, op: Op, _: u8) -> Option<Node> {
    let (a, b) = args2(op);
    let Op::Ite(c, x, y) = form.op(a) else { return None };
    if !is_constant(form, b) || (!is_constant(form, x) && !is_constant(form, y)) {
        return None;
    }
    let (x, y) = (form.eq(x, b), form.eq(y, b));
    Some(form.ite(c, x, y))
}

/// The inverse of an odd number.
fn inverse(odd: u64) -> u64 {
    // Newton's iteration doubles the number of right bits; an odd number is its own inverse in three.
    (0..5).fold(odd, |x, _| x.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(x))))
}

/// A product with a constant is divided by it: by its odd part, and by a power of two if that divides.
pub(super) fn eq_product(form: &mut Form, op: Op, _: u8) -> Option<Node> {
    let (a, b) = args2(op);
    let width = form.width(a);
    let Op::Mul(x, k) = form.op(a) else { return None };
    let (k, l) = (form.value(k).filter(|&k| k != 0)?, form.value(b)?);
    let twos = k.trailing_zeros() as u8;
    if twos > 0 && l & ones(twos) != 0 {
        return Some(Node::FALSE);
    }
    let quotient = (l >> twos).wrapping_mul(inverse(k >> twos));
    let part = form.extract(x, 0, width - twos);
    Some(form.eq_const(part, quotient))
}

pub(super) fn eq_sext(form: &mut Form, op: Op, _: u8) -> Option<Node> {
    let (a, b) = args2(op);
    let width = form.width(a);
    match (form.op(a), form.op(b)) {
        (Op::Sext(x), Op::Const(k)) => {
            let own = form.width(x);
            let fits = signed(k, own) as u64 & ones(width) == k;
            Some(if fits { form.eq_const(x, k & ones(own)) } else { Node::FALSE })
        }
        (Op::Sext(x), Op::Sext(y)) if form.width(x) == form.width(y) => Some(form.eq(x, y)),
        _ => None,
    }
}

/// Both sides are the same polynomial, or differ by a constant.
pub(super) fn eq_polynomials(form: &mut Form, op: Op, _: u8) -> Option<Node> {
    let (a, b) = args2(op);
    let difference = poly::difference(form, a, b)?;
    Some(Form::bit(difference == 0))
}

pub(super) fn ult_ranges(form: &mut Form, op: Op, _: u8) -> Option<Node> {
    let (a, b) = args2(op);
    let (x, y) = (form.info(a), form.info(b));
    if a == b || x.low >= y.high {
        return Some(Node::FALSE);
    }
    (x.high < y.low).then_some(Node::TRUE)
}

/// Bounds that leave one value, or all but one.
pub(super) fn ult_edge(form: &mut Form, op: Op, _: u8) -> Option<Node> {
    let (a, b) = args2(op);
    let all = ones(form.width(a));
    match (form.value(a), form.value(b)) {
        (_, Some(1)) => Some(form.eq_const(a, 0)),
        (_, Some(k)) if k == all => {
            let equal = form.eq(a, b);
            Some(form.not(equal))
        }
        (Some(0), _) => {
            let equal = form.eq(b, a);
            Some(form.not(equal))
        }
        (Some(k), _) if k == all - 1 => Some(form.eq_const(b, all)),
        _ => None,
    }
}

pub(super) fn ult_bit(form: &mut Form, op: Op, _: u8) -> Option<Node> {
    let (a, b) = args2(op);
    (form.width(a) == 1).then(|| {
        let a = form.not(a);
        form.and(a, b)
    })
}

pub(super) fn ult_not(form: &mut Form, op: Op, _: u8) -> Option<Node> {
    let (a, b) = args2(op);
    let width = form.width(a);
    match (form.op(a), form.op(b)) {
        (Op::Not(x), Op::Not(y)) => Some(form.ult(y, x)),
        (Op::Not(x), Op::Const(k)) => {
            let k = form.constant(!k, width);
            Some(form.ult(k, x))
        }
        (Op::Const(k), Op::Not(y)) => {
            let k = form.constant(!k, width);
            Some(form.ult(y, k))
        }
        _ => None,
    }
}

/// The high parts decide, and where they are equal the low ones. Only against a constant: both sides of a
/// comparison of two unknowns would be mentioned twice.
fn split_less(form: &mut Form, a: Node, b: Node, less: fn(&mut Form, Node, Node) -> Node) -> Option<Node> {
    let whole = match (form.op(a), form.op(b)) {
        (Op::Concat(..), Op::Const(_)) => a,
        (Op::Const(_), Op::Concat(..)) => b,
        _ => return None,
    };
    let Op::Concat(h, l) = form.op(whole) else { return None };
    let (low, high) = (form.width(l), form.width(h));
    let (ah, bh) = (form.extract(a, low, high), form.extract(b, low, high));
    let (al, bl) = (form.extract(a, 0, low), form.extract(b, 0, low));
    let (first, equal) = (less(form, ah, bh), form.eq(ah, bh));
    let second = form.ult(al, bl);
    let second = form.and(equal, second);
    Some(form.or(first, second))
}

pub(super) fn ult_concat(form: &mut Form, op: Op, _: u8) -> Option<Node> {
    let (a, b) = args2(op);
    split_less(form, a, b, Form::ult)
}

/// Equal high parts do not matter: extensions by zeros. Neither do equal low ones.
pub(super) fn ult_prefix(form: &mut Form, op: Op, _: u8) -> Option<Node> {
    let (a, b) = args2(op);
    let (Op::Concat(h, l), Op::Concat(k, m)) = (form.op(a), form.op(b)) else { return None };
    // High parts of several widths: constants are cut to the shorter one.
    let cut = form.width(h).min(form.width(k));
    let width = form.width(a);
    let (x, y) = (form.extract(a, width - cut, cut), form.extract(b, width - cut, cut));
    if x == y {
        let (x, y) = (form.extract(a, 0, width - cut), form.extract(b, 0, width - cut));
        return Some(form.ult(x, y));
    }
    (l == m).then(|| form.ult(h, k))
}

fn less_ite(form: &mut Form, op: Op) -> Option<Node> {
    let (a, b) = args2(op);
    for (choice, other) in [(a, b), (b, a)] {
        let Op::Ite(c, x, y) = form.op(choice) else { continue };
        if !is_constant(form, other) || (!is_constant(form, x) && !is_constant(form, y)) {
            continue;
        }
        let (x, y) = match choice == a {
            true => (op.with_args(&[x, b]), op.with_args(&[y, b])),
            false => (op.with_args(&[a, x]), op.with_args(&[a, y])),
        };
        let (x, y) = (form.make(x, 1), form.make(y, 1));
        return Some(form.ite(c, x, y));
    }
    None
}

pub(super) fn ult_ite(form: &mut Form, op: Op, _: u8) -> Option<Node> {
    less_ite(form, op)
}

/// `x / k * k` is at most x, and `x / y` is, too, unless y may be zero.
pub(super) fn ult_quotient(form: &mut Form, op: Op, _: u8) -> Option<Node> {
    let (x, b) = args2(op);
    match form.op(b) {
        Op::Udiv(y, k) => (x == y && form.info(k).low > 0).then_some(Node::FALSE),
        Op::Mul(p, q) => {
            let is = |form: &Form, p: Node, q: Node| form.op(p) == Op::Udiv(x, q);
            (is(form, p, q) || is(form, q, p)).then_some(Node::FALSE)
        }
        _ => None,
    }
}

/// Extensions of signs keep the order of what they extend.
pub(super) fn ult_sext(form: &mut Form, op: Op, _: u8) -> Option<Node> {
    let (a, b) = args2(op);
    match (form.op(a), form.op(b)) {
        (Op::Sext(x), Op::Sext(y)) if form.width(x) == form.width(y) => Some(form.ult(x, y)),
        _ => None,
    }
}

pub(super) fn slt_same(_: &mut Form, op: Op, _: u8) -> Option<Node> {
    let (a, b) = args2(op);
    (a == b).then_some(Node::FALSE)
}

/// Where signs are known they decide, or the order is that of the bits.
pub(super) fn slt_signs(form: &mut Form, op: Op, _: u8) -> Option<Node> {
    let (a, b) = args2(op);
    let sign = 1u64 << (form.width(a) - 1);
    let of = |info: &crate::form::Info| match (info.may & sign, info.must & sign) {
        (0, _) => Some(false),
        (_, 0) => None,
        _ => Some(true),
    };
    match (of(form.info(a)), of(form.info(b))) {
        (Some(x), Some(y)) if x == y => Some(form.ult(a, b)),
        (Some(x), Some(_)) => Some(Form::bit(x)),
        _ => None,
    }
}

/// `x < 0` is the sign of x.
pub(super) fn slt_zero(form: &mut Form, op: Op, _: u8) -> Option<Node> {
    let (a, b) = args2(op);
    if form.value(b) == Some(0) {
        return Some(form.sign(a));
    }
    if form.value(a) == Some(ones(form.width(a))) {
        let sign = form.sign(b);
        return Some(form.not(sign));
    }
    None
}

pub(super) fn slt_concat(form: &mut Form, op: Op, _: u8) -> Option<Node> {
    let (a, b) = args2(op);
    split_less(form, a, b, Form::slt)
}

pub(super) fn slt_sext(form: &mut Form, op: Op, _: u8) -> Option<Node> {
    let (a, b) = args2(op);
    let width = form.width(a);
    // A constant in the range of what is extended is one of its values; others are above or below all.
    let narrow = |form: &mut Form, k: u64, own: u8| -> Result<Node, bool> {
        let k = signed(k, width);
        let (least, greatest) = (signed(1 << (own - 1), own), (ones(own) >> 1) as i64);
        if k < least {
            Err(false)
        } else if k > greatest {
            Err(true)
        } else {
            Ok(form.constant(k as u64, own))
        }
    };
    match (form.op(a), form.op(b)) {
        (Op::Sext(x), Op::Sext(y)) if form.width(x) == form.width(y) => Some(form.slt(x, y)),
        (Op::Sext(x), Op::Const(k)) => {
            let own = form.width(x);
            Some(match narrow(form, k, own) {
                Ok(k) => form.slt(x, k),
                Err(above) => Form::bit(above),
            })
        }
        (Op::Const(k), Op::Sext(y)) => {
            let own = form.width(y);
            Some(match narrow(form, k, own) {
                Ok(k) => form.slt(k, y),
                Err(above) => Form::bit(!above),
            })
        }
        _ => None,
    }
}

pub(super) fn slt_ite(form: &mut Form, op: Op, _: u8) -> Option<Node> {
    less_ite(form, op)
}
