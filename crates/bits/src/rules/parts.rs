//! Rules for shifts, concatenations, extracts, extensions, conditionals and reads.

use crate::form::{Form, Node, Op, ones, signed};

fn args2(op: Op) -> (Node, Node) {
    let (args, _) = op.args();
    (args[0], args[1])
}

fn is_constant(form: &Form, node: Node) -> bool {
    form.value(node).is_some()
}

pub(super) fn shl_constant(form: &mut Form, op: Op, width: u8) -> Option<Node> {
    let (a, b) = args2(op);
    let by = form.value(b)?;
    if by == 0 {
        return Some(a);
    }
    if by >= u64::from(width) {
        return Some(form.constant(0, width));
    }
    let by = by as u8;
    let (high, zero) = (form.extract(a, 0, width - by), form.constant(0, by));
    Some(form.concat(high, zero))
}

pub(super) fn lshr_constant(form: &mut Form, op: Op, width: u8) -> Option<Node> {
    let (a, b) = args2(op);
    let by = form.value(b)?;
    if by == 0 {
        return Some(a);
    }
    if by >= u64::from(width) {
        return Some(form.constant(0, width));
    }
    let by = by as u8;
    let high = form.extract(a, by, width - by);
    Some(form.zero_extend(high, width))
}

pub(super) fn ashr_constant(form: &mut Form, op: Op, width: u8) -> Option<Node> {
    let (a, b) = args2(op);
    let by = form.value(b)?.min(u64::from(width) - 1) as u8;
    if by == 0 {
        return Some(a);
    }
    let high = form.extract(a, by, width - by);
    Some(form.sign_extend(high, width))
}

/// Zero, shifted to the left or filled with zeros.
pub(super) fn shift_of_zero(form: &mut Form, op: Op, _: u8) -> Option<Node> {
    let (a, _) = args2(op);
    (form.value(a) == Some(0)).then_some(a)
}

pub(super) fn ashr_positive(form: &mut Form, op: Op, width: u8) -> Option<Node> {
    let (a, b) = args2(op);
    (form.info(a).may >> (width - 1) & 1 == 0).then(|| form.make(Op::Lshr(a, b), width))
}

/// A conditional amount with a constant arm chooses between two shifts.
pub(super) fn shift_ite(form: &mut Form, op: Op, width: u8) -> Option<Node> {
    let (a, b) = args2(op);
    let Op::Ite(c, x, y) = form.op(b) else { return None };
    if !is_constant(form, x) && !is_constant(form, y) {
        return None;
    }
    let x = form.make(op.with_args(&[a, x]), width);
    let y = form.make(op.with_args(&[a, y]), width);
    Some(form.ite(c, x, y))
}

/// Concatenations nest to the right.
pub(super) fn concat_left(form: &mut Form, op: Op, _: u8) -> Option<Node> {
    let (a, b) = args2(op);
    let Op::Concat(x, y) = form.op(a) else { return None };
    let low = form.concat(y, b);
    Some(form.concat(x, low))
}

pub(super) fn concat_constants(form: &mut Form, op: Op, _: u8) -> Option<Node> {
    let (a, b) = args2(op);
    let k = form.value(a)?;
    let Op::Concat(l, rest) = form.op(b) else { return None };
    let l_value = form.value(l)?;
    let shift = form.width(l);
    let both = form.constant(k << shift | l_value, form.width(a) + shift);
    Some(form.concat(both, rest))
}

/// Neighbouring parts of one node are one part.
pub(super) fn concat_extracts(form: &mut Form, op: Op, _: u8) -> Option<Node> {
    let (a, b) = args2(op);
    let Op::Extract(x, from) = form.op(a) else { return None };
    let (next, rest) = match form.op(b) {
        Op::Concat(next, rest) => (next, Some(rest)),
        _ => (b, None),
    };
    let joined = match form.op(next) {
        Op::Extract(y, low) if x == y && low + form.width(next) == from => {
            form.extract(x, low, form.width(a) + form.width(next))
        }
        _ => return None,
    };
    Some(match rest {
        Some(rest) => form.concat(joined, rest),
        None => joined,
    })
}

/// Conditionals under one condition.
pub(super) fn concat_ites(form: &mut Form, op: Op, _: u8) -> Option<Node> {
    let (a, b) = args2(op);
    let Op::Ite(c, x, y) = form.op(a) else { return None };
    let (z, w, rest) = match form.op(b) {
        Op::Ite(d, z, w) if c == d => (z, w, None),
        Op::Concat(next, rest) => match form.op(next) {
            Op::Ite(d, z, w) if c == d => (z, w, Some(rest)),
            _ => return None,
        },
        _ => return None,
    };
    let (x, y) = (form.concat(x, z), form.concat(y, w));
    let both = form.ite(c, x, y);
    Some(match rest {
        Some(rest) => form.concat(both, rest),
        None => both,
    })
}

/// A conditional with a constant arm beside a constant.
pub(super) fn concat_ite(form: &mut Form, op: Op, _: u8) -> Option<Node> {
    let (a, b) = args2(op);
    if is_constant(form, a)
        && let Op::Ite(c, x, y) = form.op(b)
        && (is_constant(form, x) || is_constant(form, y))
    {
        let (x, y) = (form.concat(a, x), form.concat(a, y));
        return Some(form.ite(c, x, y));
    }
    if is_constant(form, b)
        && let Op::Ite(c, x, y) = form.op(a)
        && (is_constant(form, x) || is_constant(form, y))
    {
        let (x, y) = (form.concat(x, b), form.concat(y, b));
        return Some(form.ite(c, x, y));
    }
    None
}

pub(super) fn extract_all(form: &mut Form, op: Op, width: u8) -> Option<Node> {
    let Op::Extract(a, _) = op else { return None };
    (form.width(a) == width).then_some(a)
}

pub(super) fn extract_extract(form: &mut Form, op: Op, width: u8) -> Option<Node> {
    let Op::Extract(a, low) = op else { return None };
    let Op::Extract(x, from) = form.op(a) else { return None };
    Some(form.extract(x, from + low, width))
}

pub(super) fn extract_concat(form: &mut Form, op: Op, width: u8) -> Option<Node> {
    let Op::Extract(a, low) = op else { return None };
    let Op::Concat(h, l) = form.op(a) else { return None };
    let cut = form.width(l);
    if low >= cut {
        return Some(form.extract(h, low - cut, width));
    }
    if low + width <= cut {
        return Some(form.extract(l, low, width));
    }
    let high = form.extract(h, 0, low + width - cut);
    let low = form.extract(l, low, cut - low);
    Some(form.concat(high, low))
}

pub(super) fn extract_bitwise(form: &mut Form, op: Op, width: u8) -> Option<Node> {
    let Op::Extract(a, low) = op else { return None };
    let inner = form.op(a);
    match inner {
        Op::Not(x) => {
            let x = form.extract(x, low, width);
            Some(form.not(x))
        }
        Op::And(x, y) | Op::Xor(x, y) => {
            let (x, y) = (form.extract(x, low, width), form.extract(y, low, width));
            Some(form.make(inner.with_args(&[x, y]), width))
        }
        _ => None,
    }
}

pub(super) fn extract_ite(form: &mut Form, op: Op, width: u8) -> Option<Node> {
    let Op::Extract(a, low) = op else { return None };
    let Op::Ite(c, x, y) = form.op(a) else { return None };
    let (x, y) = (form.extract(x, low, width), form.extract(y, low, width));
    Some(form.ite(c, x, y))
}

/// The low bits of a sum or product are those of the low bits.
pub(super) fn extract_low(form: &mut Form, op: Op, width: u8) -> Option<Node> {
    let Op::Extract(a, 0) = op else { return None };
    let inner = form.op(a);
    match inner {
        Op::Neg(x) => {
            let x = form.extract(x, 0, width);
            Some(form.neg(x))
        }
        Op::Add(x, y) | Op::Mul(x, y) => {
            let (x, y) = (form.extract(x, 0, width), form.extract(y, 0, width));
            Some(form.make(inner.with_args(&[x, y]), width))
        }
        _ => None,
    }
}

pub(super) fn extract_sext(form: &mut Form, op: Op, width: u8) -> Option<Node> {
    let Op::Extract(a, low) = op else { return None };
    let Op::Sext(x) = form.op(a) else { return None };
    let own = form.width(x);
    if low + width <= own {
        return Some(form.extract(x, low, width));
    }
    let part = if low >= own { form.sign(x) } else { form.extract(x, low, own - low) };
    Some(form.sign_extend(part, width))
}

/// Bits that are the same under every assignment.
pub(super) fn extract_known(form: &mut Form, op: Op, width: u8) -> Option<Node> {
    let Op::Extract(a, low) = op else { return None };
    let info = form.info(a);
    let (may, must) = ((info.may >> low) & ones(width), (info.must >> low) & ones(width));
    (may == must).then(|| form.constant(must, width))
}

pub(super) fn sext_sext(form: &mut Form, op: Op, width: u8) -> Option<Node> {
    let Op::Sext(a) = op else { return None };
    let Op::Sext(x) = form.op(a) else { return None };
    Some(form.sign_extend(x, width))
}

pub(super) fn sext_known(form: &mut Form, op: Op, width: u8) -> Option<Node> {
    let Op::Sext(a) = op else { return None };
    let own = form.width(a);
    let (may, must) = (form.info(a).may >> (own - 1) & 1, form.info(a).must >> (own - 1) & 1);
    if may != must {
        return None;
    }
    let high = form.constant(if must == 1 { u64::MAX } else { 0 }, width - own);
    Some(form.concat(high, a))
}

pub(super) fn sext_concat(form: &mut Form, op: Op, width: u8) -> Option<Node> {
    let Op::Sext(a) = op else { return None };
    let Op::Concat(h, l) = form.op(a) else { return None };
    let high = form.sign_extend(h, width - form.width(l));
    Some(form.concat(high, l))
}

pub(super) fn sext_ite(form: &mut Form, op: Op, width: u8) -> Option<Node> {
    let Op::Sext(a) = op else { return None };
    let own = form.width(a);
    let Op::Ite(c, x, y) = form.op(a) else { return None };
    let (x, y) = (form.value(x)?, form.value(y)?);
    let x = form.constant(signed(x, own) as u64, width);
    let y = form.constant(signed(y, own) as u64, width);
    Some(form.ite(c, x, y))
}

pub(super) fn ite_constant(form: &mut Form, op: Op, _: u8) -> Option<Node> {
    let Op::Ite(c, a, b) = op else { return None };
    Some(if form.value(c)? == 1 { a } else { b })
}

pub(super) fn ite_same(_: &mut Form, op: Op, _: u8) -> Option<Node> {
    let Op::Ite(_, a, b) = op else { return None };
    (a == b).then_some(a)
}

pub(super) fn ite_not(form: &mut Form, op: Op, _: u8) -> Option<Node> {
    let Op::Ite(c, a, b) = op else { return None };
    let Op::Not(d) = form.op(c) else { return None };
    Some(form.ite(d, b, a))
}

/// Conditionals of truth values with an arm that is fixed, or that is the condition.
pub(super) fn ite_bit(form: &mut Form, op: Op, width: u8) -> Option<Node> {
    let Op::Ite(c, a, b) = op else { return None };
    if width != 1 {
        return None;
    }
    match (form.value(a), form.value(b)) {
        (Some(1), _) => Some(form.or(c, b)),
        (Some(_), _) => {
            let c = form.not(c);
            Some(form.and(c, b))
        }
        (_, Some(0)) => Some(form.and(c, a)),
        (_, Some(_)) => {
            let c = form.not(c);
            Some(form.or(c, a))
        }
        _ if a == c => Some(form.or(c, b)),
        _ if b == c => Some(form.and(c, a)),
        _ => None,
    }
}

/// A condition that was decided further up.
pub(super) fn ite_nested(form: &mut Form, op: Op, _: u8) -> Option<Node> {
    let Op::Ite(c, a, b) = op else { return None };
    if let Op::Ite(d, x, _) = form.op(a)
        && c == d
    {
        return Some(form.ite(c, x, b));
    }
    if let Op::Ite(d, _, y) = form.op(b)
        && c == d
    {
        return Some(form.ite(c, a, y));
    }
    None
}

pub(super) fn lookup_constant(form: &mut Form, op: Op, _: u8) -> Option<Node> {
    let Op::Lookup(table, index, elsewhere) = op else { return None };
    let index = form.value(index)?;
    Some(form.table(table).get(index).unwrap_or(elsewhere))
}

/// Cells that the index cannot reach are left out, and so is what is read elsewhere if it cannot be.
pub(super) fn lookup_range(form: &mut Form, op: Op, width: u8) -> Option<Node> {
    let Op::Lookup(table, index, elsewhere) = op else { return None };
    let info = *form.info(index);
    let all = form.table(table);
    let cells = all.range(info.low, info.high);
    let reached: Vec<(u64, Node)> =
        cells.iter().copied().filter(|&(at, _)| at & !info.may == 0 && info.must & !at == 0).collect();
    if reached.is_empty() {
        return Some(elsewhere);
    }
    // Every index of a range may be reached, as far as is known; fewer if bits are fixed.
    let free = (info.may & !info.must).count_ones();
    let span = (info.high - info.low).checked_add(1);
    let by_bits = 1u64.checked_shl(free);
    let is_covered = span == Some(reached.len() as u64) || by_bits == Some(reached.len() as u64);
    let is_dropped = is_covered && form.value(elsewhere).is_none();
    if reached.len() == all.cells.len() && !is_dropped {
        return None;
    }
    let table = form.table_of(reached);
    let elsewhere = if is_covered { form.constant(0, width) } else { elsewhere };
    Some(form.make(Op::Lookup(table, index, elsewhere), width))
}

/// All cells are one node, and nothing else can be read.
pub(super) fn lookup_equal(form: &mut Form, op: Op, _: u8) -> Option<Node> {
    let Op::Lookup(table, index, elsewhere) = op else { return None };
    let info = form.info(index);
    let cells = &form.table(table).cells;
    let first = cells.first()?.1;
    if cells.iter().any(|c| c.1 != first) {
        return None;
    }
    let span = (info.high - info.low).checked_add(1);
    let free = (info.may & !info.must).count_ones();
    let reached = cells.len() as u64;
    let is_covered = span == Some(reached) || 1u64.checked_shl(free) == Some(reached);
    // The rule before this one has left only cells that can be reached.
    let all_reached = cells
        .iter()
        .all(|&(at, _)| info.low <= at && at <= info.high && at & !info.may == 0 && info.must & !at == 0);
    (first == elsewhere || (is_covered && all_reached)).then_some(first)
}

/// An index with a constant arm reads one cell under the condition.
pub(super) fn lookup_ite(form: &mut Form, op: Op, width: u8) -> Option<Node> {
    let Op::Lookup(table, index, elsewhere) = op else { return None };
    let Op::Ite(c, x, y) = form.op(index) else { return None };
    // What is read elsewhere is read at the same index: under the condition that is another place.
    if !is_constant(form, elsewhere) || (!is_constant(form, x) && !is_constant(form, y)) {
        return None;
    }
    let x = form.make(Op::Lookup(table, x, elsewhere), width);
    let y = form.make(Op::Lookup(table, y, elsewhere), width);
    Some(form.ite(c, x, y))
}

/// Two tables at one index are one: the outer one wins.
pub(super) fn lookup_nested(form: &mut Form, op: Op, width: u8) -> Option<Node> {
    let Op::Lookup(outer, index, elsewhere) = op else { return None };
    let Op::Lookup(inner, at, rest) = form.op(elsewhere) else { return None };
    if at != index {
        return None;
    }
    let mut cells = [&form.table(outer).cells[..], &form.table(inner).cells[..]].concat();
    // Sorting is stable, so the outer one of two cells comes first.
    cells.sort_by_key(|c| c.0);
    cells.dedup_by_key(|c| c.0);
    let table = form.table_of(cells);
    Some(form.make(Op::Lookup(table, index, rest), width))
}

pub(super) fn read_cell(form: &mut Form, op: Op, width: u8) -> Option<Node> {
    let Op::Read(base, index) = op else { return None };
    let index = form.value(index)?;
    Some(form.leaf_of(crate::form::Origin::Cell(base, index), width))
}

pub(super) fn read_ite(form: &mut Form, op: Op, width: u8) -> Option<Node> {
    let Op::Read(base, index) = op else { return None };
    let Op::Ite(c, x, y) = form.op(index) else { return None };
    if !is_constant(form, x) && !is_constant(form, y) {
        return None;
    }
    let (x, y) = (form.make(Op::Read(base, x), width), form.make(Op::Read(base, y), width));
    Some(form.ite(c, x, y))
}
