//! Smart constructors of expressions: equal expressions get equal handles where that is cheap to see.
//!
//! Every rule holds for all values (tests compare with a reference). Bit operations with a constant become
//! linear over *low masks* `x & (2^k - 1)`, since integers can say those: a mask is a sum of differences of
//! low masks, and `x | c = x + c - (x & c)`, `x ^ c = x + c - 2 * (x & c)`.

use crate::concrete;
use crate::exprs::Exprs;
use crate::interval;
use crate::node::{Cond, Expr, HARD, INEXPRESSIBLE, Node};
use crate::op::{Binary, Cast, Compare, Ints, Kind, Rel, Unary};

/// A constant tree of at most this many leaves is computed with leaf by leaf.
pub(crate) const MAX_LEAVES: u16 = 512;
/// A mask of at most this many runs of ones is written with low masks.
const MAX_RUNS: u32 = 3;

impl Exprs {
    /// An operation on two values of one kind (a shift's count is an int).
    ///
    /// The caller handles division by zero: it has branched on it before.
    pub fn binary(&mut self, op: Binary, a: Expr, b: Expr) -> Expr {
        let kind = self.kind(a);
        if let (Some(x), Some(y)) = (self.as_raw(a), self.as_raw(b)) {
            return self.raw_constant(kind, concrete::binary(self.ints, op, kind, x, y));
        }
        if let Some(&known) = self.binary_memo.get(&(op, a, b)) {
            return known;
        }
        let result = if kind.is_int() { self.int(op, kind, a, b) } else { self.float(op, kind, a, b) };
        self.binary_memo.insert((op, a, b), result);
        result
    }

    /// The negative of a value.
    pub fn neg(&mut self, a: Expr) -> Expr {
        let kind = self.kind(a);
        if !kind.is_int() {
            return self.unary(Unary::Neg, a);
        }
        let zero = self.raw_constant(kind, 0);
        self.binary(Binary::Sub, zero, a)
    }

    /// An operation on one value.
    pub fn unary(&mut self, op: Unary, a: Expr) -> Expr {
        let kind = self.kind(a);
        match (op, self.node(a)) {
            (_, Node::Const(raw)) => self.raw_constant(kind, concrete::unary(op, kind, raw)),
            (Unary::Neg, Node::Unary(Unary::Neg, inner)) => inner,
            _ if kind.is_int() => self.count(op, kind, a),
            _ => self.expr(Node::Unary(op, a), kind, kind.range(), HARD),
        }
    }

    fn float(&mut self, op: Binary, kind: Kind, a: Expr, b: Expr) -> Expr {
        let traits = if op == Binary::Rem { HARD | INEXPRESSIBLE } else { HARD };
        self.expr(Node::Binary(op, a, b), kind, kind.range(), traits)
    }

    /// A nonlinear node of a commutative operation.
    fn sorted_opaque(&mut self, op: Binary, kind: Kind, a: Expr, b: Expr) -> Expr {
        let (a, b) = self.in_order(a, b);
        self.opaque(op, kind, a, b)
    }

    fn int(&mut self, op: Binary, kind: Kind, a: Expr, b: Expr) -> Expr {
        if let Some(mapped) = self.binary_on_leaves(op, kind, a, b) {
            return mapped;
        }
        if let Some(mapped) = self.binary_on_cells(op, kind, a, b) {
            return mapped;
        }
        match op {
            Binary::Add => self.combine(kind, (1, a), (1, b)),
            Binary::Sub => self.combine(kind, (1, a), (-1, b)),
            Binary::Mul => match (self.as_raw(a), self.as_raw(b)) {
                (Some(factor), _) => self.scaled(kind, factor, b),
                (_, Some(factor)) => self.scaled(kind, factor, a),
                _ => self.sorted_opaque(op, kind, a, b),
            },
            Binary::Div => self.divide(kind, a, b),
            Binary::Rem => self.remainder(kind, a, b),
            Binary::And | Binary::Or | Binary::Xor => self.bitwise(op, kind, a, b),
            Binary::Shl | Binary::Shr | Binary::Ushr => self.shift(op, kind, a, b),
            Binary::Udiv | Binary::Urem => self.unsigned_division(op, kind, a, b),
            Binary::Min | Binary::Max => {
                let less = self.relate(Rel::Lt, a, b);
                if op == Binary::Min { self.ite(less, a, b) } else { self.ite(less, b, a) }
            }
        }
    }

    fn scaled(&mut self, kind: Kind, factor: i64, a: Expr) -> Expr {
        let zero = self.raw_constant(kind, 0);
        self.combine(kind, (factor, a), (0, zero))
    }

    /// An operation that stays as it is.
    pub(crate) fn opaque(&mut self, op: Binary, kind: Kind, a: Expr, b: Expr) -> Expr {
        let interval = self.binary_interval(op, kind, self.interval(a), self.interval(b));
        let traits = if self.is_hard_operation(op, a, b) { HARD } else { 0 };
        self.expr(Node::Binary(op, a, b), kind, interval, traits)
    }

    /// Bounds of an integer operation.
    pub(crate) fn binary_interval(&self, op: Binary, kind: Kind, a: (i64, i64), b: (i64, i64)) -> (i64, i64) {
        // Unbounded integers are computed with in 64 bits; only a logical shift needs
        // to know where the sign is.
        let wide = self.ints == Ints::Math && op != Binary::Ushr;
        interval::binary(op, if wide { Kind::I64 } else { kind }, a, b)
    }

    fn is_hard_operation(&self, op: Binary, a: Expr, b: Expr) -> bool {
        let constant = self.as_raw(b);
        match op {
            Binary::Mul | Binary::Div | Binary::Rem if self.ints == Ints::Math => false,
            Binary::Div | Binary::Rem | Binary::Shr => constant.is_none(),
            Binary::And => !constant.is_some_and(is_low_mask),
            Binary::Ushr => constant.is_none() || (self.ints == Ints::Math && self.interval(a).0 < 0),
            _ => true,
        }
    }

    fn divide(&mut self, kind: Kind, a: Expr, b: Expr) -> Expr {
        match self.as_raw(b) {
            Some(1) => a,
            Some(-1) => self.scaled(kind, -1, a),
            // The quotient by the positive divisor is in range, so its negative only wraps
            // where it did before: never.
            Some(divisor) if divisor < 0 && divisor > kind.range().0 => {
                let positive = self.raw_constant(kind, -divisor);
                let quotient = self.binary(Binary::Div, a, positive);
                self.scaled(kind, -1, quotient)
            }
            _ => self.opaque(Binary::Div, kind, a, b),
        }
    }

    fn remainder(&mut self, kind: Kind, a: Expr, b: Expr) -> Expr {
        let (lo, hi) = self.interval(a);
        match self.as_raw(b) {
            Some(1 | -1) => self.raw_constant(kind, 0),
            Some(divisor)
                if divisor != 0 && divisor != i64::MIN && lo > -divisor.abs() && hi < divisor.abs() =>
            {
                a
            }
            Some(divisor) if divisor < 0 && divisor > kind.range().0 => {
                let positive = self.raw_constant(kind, -divisor);
                self.binary(Binary::Rem, a, positive)
            }
            _ => self.opaque(Binary::Rem, kind, a, b),
        }
    }

    fn bitwise(&mut self, op: Binary, kind: Kind, a: Expr, b: Expr) -> Expr {
        if a == b {
            return if op == Binary::Xor { self.raw_constant(kind, 0) } else { a };
        }
        match (self.as_raw(a), self.as_raw(b)) {
            (Some(mask), _) => return self.bitwise_constant(op, kind, b, mask),
            (_, Some(mask)) => return self.bitwise_constant(op, kind, a, mask),
            _ => {}
        }
        if self.have_no_common_bits(a, b) {
            return match op {
                Binary::And => self.raw_constant(kind, 0),
                _ => self.combine(kind, (1, a), (1, b)),
            };
        }
        self.sorted_opaque(op, kind, a, b)
    }

    /// Whether one is a multiple of 2^k and the other within 0 .. 2^k - 1.
    fn have_no_common_bits(&self, a: Expr, b: Expr) -> bool {
        let apart = |high: Expr, low: Expr| {
            let (lo, hi) = self.interval(low);
            lo >= 0 && (hi as u64) < 1u64 << self.trailing_zeros(high).min(63)
        };
        apart(a, b) || apart(b, a)
    }

    /// How many low bits are known to be zero.
    fn trailing_zeros(&self, a: Expr) -> u32 {
        match self.node(a) {
            Node::Const(raw) => raw.trailing_zeros(),
            Node::Linear(form) => {
                let form = &self.forms[form as usize];
                form.terms.iter().fold(form.constant.trailing_zeros(), |zeros, (atom, factor)| {
                    zeros.min(factor.trailing_zeros() + self.trailing_zeros(*atom))
                })
            }
            _ => 0,
        }
    }

    fn bitwise_constant(&mut self, op: Binary, kind: Kind, a: Expr, mask: i64) -> Expr {
        let constant = self.raw_constant(kind, mask);
        let covered = if mask < 0 { !mask } else { mask };
        if runs(covered) > MAX_RUNS {
            return self.opaque(op, kind, a, constant);
        }
        let and = self.masked(kind, a, mask);
        match op {
            Binary::And => and,
            Binary::Or => {
                let sum = self.combine(kind, (1, a), (1, constant));
                self.combine(kind, (1, sum), (-1, and))
            }
            _ => {
                let sum = self.combine(kind, (1, a), (1, constant));
                self.combine(kind, (1, sum), (-2, and))
            }
        }
    }

    /// `a & mask` over low masks.
    fn masked(&mut self, kind: Kind, a: Expr, mask: i64) -> Expr {
        if mask < 0 {
            // a & mask = a - (a & !mask), and !mask is not negative.
            let rest = self.masked(kind, a, !mask);
            return self.combine(kind, (1, a), (-1, rest));
        }
        let mut result = self.raw_constant(kind, 0);
        let mut left = mask;
        while left != 0 {
            let from = left.trailing_zeros();
            let length = (left >> from).trailing_ones();
            let upper = self.low_bits(kind, a, from + length);
            let lower = self.low_bits(kind, a, from);
            let run = self.combine(kind, (1, upper), (-1, lower));
            result = self.combine(kind, (1, result), (1, run));
            // The run ends below the sign bit, since the mask is not negative.
            left &= !0 << (from + length);
        }
        result
    }

    /// `a & (2^k - 1)`, for k below the number of bits.
    pub(crate) fn low_bits(&mut self, kind: Kind, a: Expr, k: u32) -> Expr {
        if k == 0 {
            return self.raw_constant(kind, 0);
        }
        let ones = ((1u64 << k) - 1) as i64;
        let fits = |exprs: &Exprs, e: Expr| exprs.interval(e).0 >= 0 && exprs.interval(e).1 <= ones;
        if fits(self, a) {
            return a;
        }
        let a = self.modulo_power(kind, a, k);
        if fits(self, a) {
            return a;
        }
        match self.as_raw(a) {
            Some(raw) => self.raw_constant(kind, raw & ones),
            None => {
                let mask = self.raw_constant(kind, ones);
                self.opaque(Binary::And, kind, a, mask)
            }
        }
    }

    /// Something simpler that is equal modulo 2^k: coefficients are reduced, and operations that only cut
    /// off higher bits are dropped.
    fn modulo_power(&mut self, kind: Kind, a: Expr, k: u32) -> Expr {
        if self.ints == Ints::Math {
            return a;
        }
        // The representative nearest to zero keeps a form from wrapping.
        let reduced = |value: i64| (((value as u64) << (64 - k)) as i64) >> (64 - k);
        // Of two that are as near, the positive one.
        let half = if self.has_bytes() { -(1i64 << (k - 1)) } else { 0 };
        let reduced = |value: i64| match reduced(value) {
            low if low == half => -low,
            other => other,
        };
        let sum = self.as_sum(a);
        let mut result = self.raw_constant(kind, reduced(sum.constant));
        for (atom, factor) in sum.terms {
            let zeros = reduced(factor).trailing_zeros();
            if zeros < k {
                let atom = self.without_high_bits(atom, k - zeros);
                result = self.combine(kind, (1, result), (reduced(factor), atom));
            }
        }
        result
    }

    /// The argument of an operation that keeps the low k bits as they are.
    pub(crate) fn without_high_bits(&self, a: Expr, k: u32) -> Expr {
        let mut a = a;
        loop {
            a = match self.node(a) {
                Node::Binary(Binary::And, inner, mask)
                    if self
                        .as_raw(mask)
                        .is_some_and(|mask| is_low_mask(mask) && mask.trailing_ones() >= k) =>
                {
                    inner
                }
                Node::Cast(Cast::I2B, inner) if k <= 8 => inner,
                Node::Cast(Cast::I2S | Cast::I2C, inner) if k <= 16 => inner,
                _ => return a,
            }
        }
    }

    fn shift(&mut self, op: Binary, kind: Kind, a: Expr, b: Expr) -> Expr {
        let Some(count) = self.as_raw(b) else {
            let op = if op == Binary::Ushr && self.interval(a).0 >= 0 { Binary::Shr } else { op };
            return self.opaque(op, kind, a, b);
        };
        let count = (count as u32) & (kind.bits() - 1);
        if count == 0 {
            return a;
        }
        let a = if op == Binary::Shl { a } else { self.before_clearing(kind, a, count) };
        let op = if op == Binary::Ushr && self.interval(a).0 >= 0 { Binary::Shr } else { op };
        if op == Binary::Shl {
            return self.scaled(kind, 1i64 << count, a);
        }
        // How compilers extend a sign: (x << 24) >> 24 is a byte, (x << 16) >> 16 a short.
        if op == Binary::Shr
            && kind == Kind::I32
            && self.has_bytes()
            && matches!(count, 16 | 24)
            && let Some(inner) = self.exact_quotient(a, 0, 1 << count)
        {
            return self.cast(if count == 24 { Cast::I2B } else { Cast::I2S }, inner);
        }
        if let Some(shifted) = self.shifted_form(op, kind, a, count) {
            return shifted;
        }
        let count = self.raw_constant(Kind::I32, i64::from(count));
        self.opaque(op, kind, a, count)
    }

    /// Converts a value; its kind is that of the cast's argument.
    pub fn cast(&mut self, cast: Cast, a: Expr) -> Expr {
        let kind = cast.kinds().1;
        if let Some(raw) = self.as_raw(a) {
            return self.raw_constant(kind, concrete::cast(cast, raw));
        }
        if self.data(a).leaves > 0 && kind.is_int() && self.data(a).leaves <= MAX_LEAVES {
            return self.map_leaves(a, &mut |exprs, raw| exprs.raw_constant(kind, concrete::cast(cast, raw)));
        }
        if let Some(mapped) = self.cast_on_cells(cast, a) {
            return mapped;
        }
        match cast {
            Cast::I2L => self.widened(a),
            Cast::L2I => self.lowered(a),
            Cast::I2B | Cast::I2C | Cast::I2S => {
                let bits = if cast == Cast::I2B { 8 } else { 16 };
                let mut interval = interval::cast(cast, self.interval(a));
                if interval == self.interval(a) {
                    return a;
                }
                let a = self.modulo_power(kind, a, bits);
                if let Some(raw) = self.as_raw(a) {
                    return self.raw_constant(kind, concrete::cast(cast, raw));
                }
                interval = interval::cast(cast, self.interval(a));
                if interval == self.interval(a) {
                    return a;
                }
                self.expr(Node::Cast(cast, a), kind, interval, 0)
            }
            _ => self.expr(Node::Cast(cast, a), kind, interval::cast(cast, self.interval(a)), HARD),
        }
    }

    /// An int as a long: a form that does not wrap is the same form of longs.
    fn widened(&mut self, a: Expr) -> Expr {
        let kind = Kind::I64;
        match self.node(a) {
            Node::Linear(_) if self.is_exact(a) => {
                let sum = self.as_sum(a);
                let mut result = self.raw_constant(kind, sum.constant);
                for (atom, factor) in sum.terms {
                    let atom = self.cast(Cast::I2L, atom);
                    result = self.combine(kind, (1, result), (factor, atom));
                }
                return result;
            }
            Node::Cast(Cast::L2I, inner) if self.interval(inner) == self.interval(a) => return inner,
            _ => {}
        }
        self.expr(Node::Cast(Cast::I2L, a), kind, self.interval(a), 0)
    }

    /// A long as an int. Taking the low bits is a ring homomorphism, so the form is lowered atom by atom.
    fn lowered(&mut self, a: Expr) -> Expr {
        let kind = Kind::I32;
        match self.node(a) {
            Node::Cast(Cast::I2L, inner) => inner,
            Node::Binary(Binary::And, inner, mask) if self.keeps_int(mask) => self.cast(Cast::L2I, inner),
            Node::Linear(_) if self.ints == Ints::Wrapped => {
                let sum = self.as_sum(a);
                let mut result = self.raw_constant(kind, i64::from(sum.constant as i32));
                for (atom, factor) in sum.terms {
                    let atom = self.cast(Cast::L2I, atom);
                    result = self.combine(kind, (1, result), (i64::from(factor as i32), atom));
                }
                result
            }
            _ => self.expr(Node::Cast(Cast::L2I, a), kind, interval::cast(Cast::L2I, self.interval(a)), 0),
        }
    }

    /// `then` where the condition holds, `other` elsewhere.
    pub fn ite(&mut self, cond: Cond, then: Expr, other: Expr) -> Expr {
        match cond.as_bool() {
            Some(true) => return then,
            Some(false) => return other,
            None if then == other => return then,
            None => {}
        }
        let (cond, then, other) =
            if cond.is_negated() { (cond.negated(), other, then) } else { (cond, then, other) };
        let kind = self.kind(then);
        let ((a, b), (c, d)) = (self.interval(then), self.interval(other));
        self.expr(Node::Ite(cond, then, other), kind, (a.min(c), b.max(d)), 0)
    }

    /// The same for integers that two ways of a program lead to. Counters differ by a number: such a value is
    /// one of them and a case distinction of numbers, so that a row of them stays a sum.
    pub fn merged(&mut self, cond: Cond, then: Expr, other: Expr) -> Expr {
        self.has_merged = true;
        let kind = self.kind(then);
        if !kind.is_int() || self.as_raw(then).is_some() || self.as_raw(other).is_some() {
            return self.ite(cond, then, other);
        }
        let by = match self.step_between(other, then) {
            Some(by) => self.raw_constant(kind, concrete::binary(self.ints, Binary::Add, kind, by, 0)),
            None => self.combine(kind, (1, then), (-1, other)),
        };
        if self.as_raw(by).is_none() {
            return self.ite(cond, then, other);
        }
        let zero = self.raw_constant(kind, 0);
        let more = self.ite(cond, by, zero);
        self.combine(kind, (1, other), (1, more))
    }

    /// By how much the constants of one tree of cases exceed those of another, if all do by the same number.
    fn step_between(&self, from: Expr, to: Expr) -> Option<i64> {
        match (self.node(from), self.node(to)) {
            (Node::Const(from), Node::Const(to)) => Some(to.wrapping_sub(from)),
            (Node::Ite(c, a, b), Node::Ite(d, x, y)) if c == d => {
                let step = self.step_between(a, x)?;
                (self.step_between(b, y)? == step).then_some(step)
            }
            _ => None,
        }
    }

    /// An operation of a constant tree with a constant, leaf by leaf.
    fn binary_on_leaves(&mut self, op: Binary, kind: Kind, a: Expr, b: Expr) -> Option<Expr> {
        let small = |exprs: &Exprs, e: Expr| (2..=MAX_LEAVES).contains(&exprs.data(e).leaves);
        let ints = self.ints;
        if let (true, Some(right)) = (small(self, a), self.as_raw(b)) {
            return Some(self.map_leaves(a, &mut |exprs, left| {
                exprs.raw_constant(kind, concrete::binary(ints, op, kind, left, right))
            }));
        }
        if let (Some(left), true) = (self.as_raw(a), small(self, b)) {
            return Some(self.map_leaves(b, &mut |exprs, right| {
                exprs.raw_constant(kind, concrete::binary(ints, op, kind, left, right))
            }));
        }
        None
    }

    pub(crate) fn map_leaves(&mut self, tree: Expr, map: &mut impl FnMut(&mut Exprs, i64) -> Expr) -> Expr {
        match self.node(tree) {
            Node::Const(raw) => map(self, raw),
            Node::Ite(cond, a, b) => {
                let (a, b) = (self.map_leaves(a, map), self.map_leaves(b, map));
                self.ite(cond, a, b)
            }
            _ => tree,
        }
    }

    /// The arguments of a three-way comparison.
    pub(crate) fn as_compare(&self, expr: Expr) -> Option<(Compare, Expr, Expr)> {
        match self.node(expr) {
            Node::Compare(op, a, b) => Some((op, a, b)),
            _ => None,
        }
    }
}

/// Whether it is 2^k - 1 with k > 0.
pub(crate) fn is_low_mask(value: i64) -> bool {
    value > 0 && value & value.wrapping_add(1) == 0
}

/// How many runs of ones a value that is not negative has.
fn runs(value: i64) -> u32 {
    (value & !(value << 1)).count_ones()
}
