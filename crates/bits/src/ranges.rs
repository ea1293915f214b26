//! Ranges: what is known of a value without knowing its leaves: bits that are fixed, the least and the
//! greatest value.
//!
//! The same transfer functions serve two callers. A node's own range holds under every assignment and is
//! computed when it is made; the ranges of a query start from the sets and bounds of its leaves.

use crate::form::{Form, Node, Op, ones, signed};

/// What is known of a value.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Range {
    /// Bits that may be one.
    pub(crate) may: u64,
    /// Bits that are one.
    pub(crate) must: u64,
    pub(crate) low: u64,
    pub(crate) high: u64,
}

impl Range {
    /// One value.
    pub(crate) fn exactly(value: u64) -> Range {
        Range { may: value, must: value, low: value, high: value }
    }

    /// Any value of a width.
    pub(crate) fn any(width: u8) -> Range {
        Range { may: ones(width), must: 0, low: 0, high: ones(width) }
    }

    /// Values between two bounds.
    pub(crate) fn between(low: u64, high: u64) -> Range {
        // Bits above the highest in which the bounds differ are common to all values between them.
        let open = match low ^ high {
            0 => 0,
            differ => u64::MAX >> differ.leading_zeros(),
        };
        Range { may: high | open, must: low & !open, low, high }
    }

    /// The value, if there is only one.
    pub(crate) fn value(self) -> Option<u64> {
        if self.low == self.high {
            Some(self.low)
        } else if self.may == self.must {
            Some(self.must)
        } else {
            None
        }
    }

    /// Whether it may be this value.
    pub(crate) fn has(self, value: u64) -> bool {
        value & !self.may == 0 && self.must & !value == 0 && self.low <= value && value <= self.high
    }

    /// Values of one range or the other.
    pub(crate) fn union(self, other: Range) -> Range {
        Range {
            may: self.may | other.may,
            must: self.must & other.must,
            low: self.low.min(other.low),
            high: self.high.max(other.high),
        }
    }

    /// The same with bounds and bits that follow from each other. `None` where no value is left.
    pub(crate) fn tight(self) -> Option<Range> {
        let low = self.low.max(self.must);
        let high = self.high.min(self.may);
        let common = Range::between(low, high);
        let may = self.may & common.may;
        let must = self.must | common.must;
        (low <= high && must & !may == 0).then_some(Range { may, must, low, high })
    }

    fn bits(may: u64, must: u64) -> Range {
        Range { may, must, low: must, high: may }
    }

    fn truth(value: Option<bool>) -> Range {
        value.map_or(Range::any(1), |v| Range::exactly(u64::from(v)))
    }
}

/// The range of a node from those of its arguments.
pub(crate) fn of(form: &Form, op: Op, width: u8, arg: impl Fn(Node) -> Range) -> Range {
    let all = ones(width);
    let range = match op {
        Op::Const(value) => Range::exactly(value),
        Op::Leaf(_) | Op::Read(..) => Range::any(width),
        Op::Not(a) => {
            let a = arg(a);
            Range { may: !a.must & all, must: !a.may & all, low: all - a.high, high: all - a.low }
        }
        Op::Neg(a) => {
            let a = arg(a);
            let zeros = (a.may.trailing_zeros()).min(u32::from(width));
            let low_zero = if zeros >= 64 { 0 } else { all & (u64::MAX << zeros) };
            match (a.low, a.high) {
                (0, 0) => Range::exactly(0),
                (0, _) => Range { may: low_zero, must: 0, low: 0, high: all & low_zero },
                (low, high) => {
                    let between = Range::between((all - high).wrapping_add(1), (all - low).wrapping_add(1));
                    Range { may: between.may & low_zero, ..between }
                }
            }
        }
        Op::And(a, b) => {
            let (a, b) = (arg(a), arg(b));
            let bits = Range::bits(a.may & b.may, a.must & b.must);
            Range { high: bits.high.min(a.high).min(b.high), ..bits }
        }
        Op::Xor(a, b) => {
            let (a, b) = (arg(a), arg(b));
            let fixed = !(a.may ^ a.must) & !(b.may ^ b.must);
            let must = (a.must ^ b.must) & fixed & all;
            Range::bits(must | (!fixed & (a.may | b.may)), must)
        }
        Op::Add(a, b) => add(arg(a), arg(b), width),
        Op::Mul(a, b) => {
            let (a, b) = (arg(a), arg(b));
            let zeros = a.may.trailing_zeros().min(64) + b.may.trailing_zeros().min(64);
            let low_zero = if zeros >= u32::from(width) { 0 } else { all & (u64::MAX << zeros) };
            match a.high.checked_mul(b.high).filter(|&h| h <= all) {
                Some(high) => {
                    let between = Range::between(a.low * b.low, high);
                    Range { may: between.may & low_zero, ..between }
                }
                None => Range { may: low_zero, must: 0, low: 0, high: low_zero },
            }
        }
        Op::Udiv(a, b) => {
            let (a, b) = (arg(a), arg(b));
            match (a.high.checked_div(b.low), a.low.checked_div(b.high)) {
                (Some(high), Some(low)) => Range::between(low, high),
                _ => Range::any(width),
            }
        }
        Op::Urem(a, b) => {
            let (a, b) = (arg(a), arg(b));
            match b.low {
                _ if a.high < b.low => a,
                0 => Range::between(0, a.high),
                _ => Range::between(0, a.high.min(b.high - 1)),
            }
        }
        Op::Shl(a, b) => {
            let (a, b) = (arg(a), arg(b));
            let zeros = (u64::from(a.may.trailing_zeros().min(64)) + b.low.min(64)).min(u64::from(width));
            let may = if zeros >= 64 { 0 } else { all & (u64::MAX << zeros) };
            Range::bits(may, 0)
        }
        Op::Lshr(a, b) => {
            let (a, b) = (arg(a), arg(b));
            let high = if b.low >= 64 { 0 } else { a.high >> b.low };
            Range::between(0, high)
        }
        Op::Ashr(a, b) => {
            let (a, b) = (arg(a), arg(b));
            let sign = 1 << (width - 1);
            match a.may & sign {
                0 => Range::between(0, if b.low >= 64 { 0 } else { a.high >> b.low }),
                _ => Range::any(width),
            }
        }
        Op::Concat(a, b) => {
            let shift = form.width(b);
            let (a, b) = (arg(a), arg(b));
            Range {
                may: a.may << shift | b.may,
                must: a.must << shift | b.must,
                low: a.low << shift | b.low,
                high: a.high << shift | b.high,
            }
        }
        Op::Extract(a, low) => {
            let a = arg(a);
            let (may, must) = ((a.may >> low) & all, (a.must >> low) & all);
            let (from, to) = (a.low >> low, a.high >> low);
            match to <= all {
                true => Range { may, must, low: from, high: to },
                // The bits above are cut off: bounds survive where they agree in those bits.
                false if from & !all == to & !all => Range { may, must, low: from & all, high: to & all },
                false => Range::bits(may, must),
            }
        }
        Op::Sext(a) => {
            let own = form.width(a);
            let a = arg(a);
            let sign = 1u64 << (own - 1);
            let extended = |v: u64| signed(v, own) as u64 & all;
            if a.may & sign == 0 || a.must & sign != 0 {
                Range {
                    may: extended(a.may),
                    must: extended(a.must),
                    low: extended(a.low),
                    high: extended(a.high),
                }
            } else {
                Range { may: extended(a.may), must: a.must, low: 0, high: all }
            }
        }
        Op::Ite(c, a, b) => match arg(c).value() {
            Some(1) => arg(a),
            Some(_) => arg(b),
            None => arg(a).union(arg(b)),
        },
        Op::Eq(a, b) => equal(arg(a), arg(b)),
        Op::Ult(a, b) => {
            let (a, b) = (arg(a), arg(b));
            Range::truth(if a.high < b.low {
                Some(true)
            } else if a.low >= b.high {
                Some(false)
            } else {
                None
            })
        }
        Op::Slt(a, b) => {
            let own = form.width(a);
            let (a, b) = (signed_bounds(arg(a), own), signed_bounds(arg(b), own));
            Range::truth(if a.1 < b.0 {
                Some(true)
            } else if a.0 >= b.1 {
                Some(false)
            } else {
                None
            })
        }
        Op::Lookup(table, index, elsewhere) => lookup(form, table, arg(index), elsewhere, &arg),
    };
    range.tight().unwrap_or(range)
}

fn add(a: Range, b: Range, width: u8) -> Range {
    let all = ones(width);
    // Low bits that are zero in one of both are those of the other.
    let zeros = a.may.trailing_zeros().max(b.may.trailing_zeros()).min(u32::from(width));
    let mask = if zeros >= 64 { u64::MAX } else { (1u64 << zeros) - 1 };
    let low_bits = Range { may: (a.may | b.may) & mask, must: (a.must | b.must) & mask, low: 0, high: 0 };
    let between = match a.high.checked_add(b.high).filter(|&h| h <= all) {
        Some(high) => Range::between(a.low + b.low, high),
        // Both ends wrap: the order is kept.
        None if a.low.checked_add(b.low).is_none_or(|l| l > all) => {
            Range::between(a.low.wrapping_add(b.low) & all, a.high.wrapping_add(b.high) & all)
        }
        None => Range::any(width),
    };
    Range { may: between.may & (low_bits.may | !mask), must: between.must | low_bits.must, ..between }
}

fn equal(a: Range, b: Range) -> Range {
    Range::truth(match (a.value(), b.value()) {
        (Some(x), Some(y)) => Some(x == y),
        _ if a.high < b.low || b.high < a.low || a.must & !b.may != 0 || b.must & !a.may != 0 => Some(false),
        _ => None,
    })
}

/// The least and the greatest value, signed.
fn signed_bounds(a: Range, width: u8) -> (i64, i64) {
    let sign = 1u64 << (width - 1);
    if a.low & sign == a.high & sign {
        return (signed(a.low, width), signed(a.high, width));
    }
    if a.may & sign == 0 {
        return (a.low as i64, (a.high & !sign) as i64);
    }
    (signed(sign, width), (sign - 1) as i64)
}

fn lookup(
    form: &Form,
    table: crate::form::TableId,
    index: Range,
    elsewhere: Node,
    arg: &impl Fn(Node) -> Range,
) -> Range {
    let cells = form.table(table).range(index.low, index.high);
    let covered = cells.len() as u64 == (index.high - index.low).wrapping_add(1);
    let mut all: Option<Range> = (!covered).then(|| arg(elsewhere));
    for &(at, cell) in cells {
        if !index.has(at) {
            continue;
        }
        // Cells that are not constants are known by what they always are: a walk over all of them for each
        // query would cost more than it says.
        let info = form.info(cell);
        let cell = Range { may: info.may, must: info.must, low: info.low, high: info.high };
        all = Some(all.map_or(cell, |range| range.union(cell)));
    }
    all.unwrap_or_else(|| arg(elsewhere))
}
