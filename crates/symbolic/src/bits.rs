//! Conditions over bit vectors and floating point: every operation has its counterpart there.
//!
//! Inputs that are shorter than an int are bit vectors of their own width, extended: fewer bits to search,
//! and no ranges to assert. Java's conversions from floats saturate and turn NaN into 0, while `fp.to_sbv`
//! leaves both open, so a case distinction comes first.

mod machine;

use crate::exprs::Exprs;
use crate::node::{Cond, Expr, Input, Node};
use crate::op::{Binary, Cast, Compare, InputKind, Kind, Unary};
use crate::writer::Written;
use evergreen_term::{Fun, Indexed, Sort, SortId, TermId, Terms, Value};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};

/// The terms written over bit vectors so far.
#[derive(Default)]
pub(crate) struct Bits {
    /// The symbols of the inputs.
    pub(crate) inputs: Vec<(Input, TermId)>,
    written: FxHashMap<u32, TermId>,
    /// The definitions that a node itself needs, beyond those of its children.
    definitions: FxHashMap<u32, Vec<TermId>>,
    /// The arrays that tables of constants are.
    tables: FxHashMap<(u32, Kind), machine::Array>,
    names: FxHashSet<String>,
}

/// The 64 bits of an input's value in a model.
pub(crate) fn raw_of(kind: InputKind, value: &Value) -> Option<i64> {
    match value {
        Value::Int(int) => int.to_i64(),
        Value::BitVec(bits) => {
            let raw = bits.to_u128()? as u64;
            match (kind, bits.width()) {
                (InputKind::Boolean | InputKind::Char | InputKind::Octet, _) => Some(raw as i64),
                (_, width @ 1..=64) => Some((raw << (64 - width)) as i64 >> (64 - width)),
                _ => None,
            }
        }
        Value::Float(float) => {
            let bits = float.bits().to_u128()? as u64;
            Some(match kind {
                InputKind::Float => crate::concrete::f32_raw(f32::from_bits(bits as u32)),
                _ => crate::concrete::f64_raw(f64::from_bits(bits)),
            })
        }
        _ => None,
    }
}

impl Bits {
    /// The condition with its definitions.
    pub(crate) fn write(&mut self, exprs: &Exprs, terms: &mut Terms, cond: Cond) -> Written {
        let order = exprs.reachable(cond.index());
        let mut write = Write { to: self, exprs, terms };
        for &node in &order {
            if !write.to.written.contains_key(&node) {
                let mut definitions = Vec::new();
                let term = write.node(node, &mut definitions);
                write.to.written.insert(node, term);
                if !definitions.is_empty() {
                    write.to.definitions.insert(node, definitions);
                }
            }
        }
        let condition = write.literal(cond);
        Written::collect(exprs, &order, &self.definitions, condition)
    }
}

/// Exponent and significand bits.
fn format(kind: Kind) -> (u32, u32) {
    if kind == Kind::F32 { (8, 24) } else { (11, 53) }
}

struct Write<'a> {
    to: &'a mut Bits,
    exprs: &'a Exprs,
    terms: &'a mut Terms,
}

impl Write<'_> {
    fn of(&self, expr: Expr) -> TermId {
        self.to.written[&expr.0]
    }

    fn node(&mut self, index: u32, definitions: &mut Vec<TermId>) -> TermId {
        let data = &self.exprs.nodes[index as usize];
        let kind = data.kind;
        match data.node {
            Node::True => self.terms.bool(true),
            Node::Const(raw) => self.constant(kind, raw),
            Node::Input(input) => self.input(input, definitions),
            Node::Linear(_) => self.linear(Expr(index), kind),
            Node::Binary(op, a, b) if kind.is_int() => self.int(op, kind, a, b),
            Node::Binary(op @ (Binary::Min | Binary::Max), a, b) => {
                self.extreme(op, kind, self.of(a), self.of(b))
            }
            Node::Binary(op, a, b) => {
                let fun = match op {
                    Binary::Add => Fun::FpAdd,
                    Binary::Sub => Fun::FpSub,
                    Binary::Mul => Fun::FpMul,
                    // The rest is inexpressible and never written.
                    _ => Fun::FpDiv,
                };
                let mode = self.app(Fun::RoundNearestEven, &[]);
                let args = [mode, self.of(a), self.of(b)];
                self.app(fun, &args)
            }
            // Inexpressible, and never written.
            Node::Function(_, a, _) => self.of(a),
            Node::Unary(op, a) if kind.is_int() => self.count(op, kind, self.of(a)),
            Node::Unary(op, a) => self.unary(op, a),
            Node::Table(table, at) => self.element(table, kind, self.of(at)),
            Node::Cast(cast, a) => self.cast(cast, index, a, definitions),
            Node::Compare(op, a, b) => self.compare(op, a, b),
            Node::Ite(cond, a, b) => {
                let args = [self.literal(cond), self.of(a), self.of(b)];
                self.app(Fun::Ite, &args)
            }
            Node::Eq(a, b) => self.app(Fun::Eq, &[self.of(a), self.of(b)]),
            Node::Lt(a, b) => self.app(Fun::BvSlt, &[self.of(a), self.of(b)]),
            Node::Below(a, b) => self.app(Fun::BvUlt, &[self.of(a), self.of(b)]),
            Node::FloatEq(a, b) => self.app(Fun::FpEq, &[self.of(a), self.of(b)]),
            Node::FloatLt(a, b) => self.app(Fun::FpLt, &[self.of(a), self.of(b)]),
            Node::FloatLe(a, b) => self.app(Fun::FpLeq, &[self.of(a), self.of(b)]),
            Node::And(a, b) => {
                let args = [self.literal(a), self.literal(b)];
                self.app(Fun::And, &args)
            }
        }
    }

    fn constant(&mut self, kind: Kind, raw: i64) -> TermId {
        let bits = self.bv(kind.bits(), raw);
        if kind.is_int() {
            return bits;
        }
        let (exponent, significand) = format(kind);
        self.indexed(Indexed::ToFp, exponent, significand, &[bits])
    }

    fn bv(&mut self, width: u32, raw: i64) -> TermId {
        let value = raw as u64;
        self.terms.bv(width, u128::from(if width < 64 { value & ((1 << width) - 1) } else { value }))
    }

    fn input(&mut self, input: Input, definitions: &mut Vec<TermId>) -> TermId {
        let info = self.exprs.input_of(input);
        let (width, extend) = match info.kind {
            InputKind::Boolean => (1, Some(Indexed::ZeroExtend)),
            InputKind::Byte => (8, Some(Indexed::SignExtend)),
            InputKind::Char => (16, Some(Indexed::ZeroExtend)),
            InputKind::Short => (16, Some(Indexed::SignExtend)),
            InputKind::Octet => (8, Some(Indexed::ZeroExtend)),
            InputKind::Int => (32, None),
            InputKind::Long => (64, None),
            InputKind::Float | InputKind::Double => {
                let sort = self.float_sort(info.kind.kind());
                let symbol = self.terms.constant(&info.name, sort);
                self.to.inputs.push((input, symbol));
                return symbol;
            }
        };
        let sort = self.terms.bitvec_sort(width);
        let symbol = self.terms.constant(&info.name, sort);
        self.to.inputs.push((input, symbol));
        let term = extend.map_or(symbol, |extend| self.indexed(extend, 32 - width, 0, &[symbol]));
        if let Some((lo, hi)) = info.range {
            let bits = info.kind.kind().bits();
            let (least, greatest) = (self.bv(bits, lo), self.bv(bits, hi));
            definitions.push(self.app(Fun::BvSle, &[least, term]));
            definitions.push(self.app(Fun::BvSle, &[term, greatest]));
        }
        term
    }

    fn float_sort(&mut self, kind: Kind) -> SortId {
        let (exponent, significand) = format(kind);
        self.terms.sort(Sort::Float(exponent, significand))
    }

    fn linear(&mut self, expr: Expr, kind: Kind) -> TermId {
        let sum = self.exprs.as_sum(expr);
        let mut parts = Vec::with_capacity(sum.terms.len() + 1);
        for (atom, factor) in sum.terms {
            let atom = self.of(atom);
            parts.push(match factor {
                1 => atom,
                -1 => self.app(Fun::BvNeg, &[atom]),
                _ => {
                    let factor = self.bv(kind.bits(), factor);
                    self.app(Fun::BvMul, &[factor, atom])
                }
            });
        }
        if sum.constant != 0 {
            parts.push(self.bv(kind.bits(), sum.constant));
        }
        match parts.as_slice() {
            [only] => *only,
            _ => self.app(Fun::BvAdd, &parts),
        }
    }

    fn int(&mut self, op: Binary, kind: Kind, a: Expr, b: Expr) -> TermId {
        let (x, mut y) = (self.of(a), self.of(b));
        let fun = match op {
            Binary::Add => Fun::BvAdd,
            Binary::Sub => Fun::BvSub,
            Binary::Mul => Fun::BvMul,
            Binary::Div => Fun::BvSdiv,
            Binary::Rem => Fun::BvSrem,
            Binary::And => Fun::BvAnd,
            Binary::Or => Fun::BvOr,
            Binary::Xor => Fun::BvXor,
            Binary::Shl => Fun::BvShl,
            Binary::Shr => Fun::BvAshr,
            Binary::Ushr => Fun::BvLshr,
            Binary::Udiv => Fun::BvUdiv,
            Binary::Urem => Fun::BvUrem,
            Binary::Min | Binary::Max => return self.extreme(op, kind, x, y),
        };
        if op.is_shift() {
            // Only the low bits of the count matter; a constant count is small already.
            let bits = kind.bits();
            y = match self.exprs.as_raw(b) {
                Some(count) => self.bv(bits, count & i64::from(bits - 1)),
                None => {
                    let mask = self.bv(32, i64::from(bits - 1));
                    let count = self.app(Fun::BvAnd, &[y, mask]);
                    if bits == 32 { count } else { self.indexed(Indexed::ZeroExtend, 32, 0, &[count]) }
                }
            };
        }
        if matches!(op, Binary::Div | Binary::Rem | Binary::Udiv | Binary::Urem)
            && self.exprs.as_raw(b) == Some(0)
        {
            return self.bv(kind.bits(), 0);
        }
        if let Some(narrow) = self.narrow_division(op, (a, x), (b, y)) {
            return narrow;
        }
        self.app(fun, &[x, y])
    }

    fn unary(&mut self, op: Unary, a: Expr) -> TermId {
        let a = self.of(a);
        let mode = match op {
            Unary::Neg => return self.app(Fun::FpNeg, &[a]),
            Unary::Abs => return self.app(Fun::FpAbs, &[a]),
            Unary::Sqrt => {
                let mode = self.app(Fun::RoundNearestEven, &[]);
                return self.app(Fun::FpSqrt, &[mode, a]);
            }
            Unary::Floor => Fun::RoundNegative,
            Unary::Ceil => Fun::RoundPositive,
            Unary::Trunc => Fun::RoundZero,
            _ => Fun::RoundNearestEven,
        };
        let mode = self.app(mode, &[]);
        self.app(Fun::FpRoundToIntegral, &[mode, a])
    }

    fn cast(&mut self, cast: Cast, index: u32, a: Expr, definitions: &mut Vec<TermId>) -> TermId {
        let x = self.of(a);
        let to = cast.kinds().1;
        match cast {
            Cast::I2L => self.indexed(Indexed::SignExtend, 32, 0, &[x]),
            Cast::L2I => self.indexed(Indexed::Extract, 31, 0, &[x]),
            Cast::I2B => self.narrowed(x, 8, Indexed::SignExtend),
            Cast::I2S => self.narrowed(x, 16, Indexed::SignExtend),
            Cast::I2C => self.narrowed(x, 16, Indexed::ZeroExtend),
            Cast::I2F | Cast::I2D | Cast::L2F | Cast::L2D | Cast::F2D | Cast::D2F => {
                let (exponent, significand) = format(to);
                let mode = self.app(Fun::RoundNearestEven, &[]);
                self.indexed(Indexed::ToFp, exponent, significand, &[mode, x])
            }
            Cast::Ul2F | Cast::Ul2D => {
                let (exponent, significand) = format(to);
                let mode = self.app(Fun::RoundNearestEven, &[]);
                self.indexed(Indexed::ToFpUnsigned, exponent, significand, &[mode, x])
            }
            Cast::F2Ul | Cast::D2Ul => self.truncated_to_unsigned(cast, x),
            Cast::F2I | Cast::F2L | Cast::D2I | Cast::D2L => self.truncated(cast, x),
            Cast::BitsToFloat | Cast::BitsToDouble => {
                let (exponent, significand) = format(to);
                self.indexed(Indexed::ToFp, exponent, significand, &[x])
            }
            Cast::FloatToBits | Cast::DoubleToBits => self.bits_of(index, a, x, definitions),
        }
    }

    fn narrowed(&mut self, x: TermId, width: u32, extend: Indexed) -> TermId {
        let low = self.indexed(Indexed::Extract, width - 1, 0, &[x]);
        self.indexed(extend, 32 - width, 0, &[low])
    }

    /// Towards zero; NaN is 0, and a float that is too large is the largest integer.
    fn truncated(&mut self, cast: Cast, x: TermId) -> TermId {
        let (from, to) = cast.kinds();
        let (least, greatest) = to.range();
        let power = 2f64.powi(to.bits() as i32 - 1);
        let raw = |value: f64| match from {
            Kind::F32 => crate::concrete::f32_raw(value as f32),
            _ => crate::concrete::f64_raw(value),
        };
        // Both powers of two are floats of either kind. Between -2^31 - 1 and -2^31 a double truncates to
        // -2^31, which is also what saturating gives.
        let (low, high) = (self.constant(from, raw(-power)), self.constant(from, raw(power)));
        let mode = self.app(Fun::RoundZero, &[]);
        let inside = self.indexed(Indexed::FpToSbv, to.bits(), 0, &[mode, x]);
        let (zero, least, greatest) =
            (self.bv(to.bits(), 0), self.bv(to.bits(), least), self.bv(to.bits(), greatest));
        let too_small = self.app(Fun::FpLeq, &[x, low]);
        let too_large = self.app(Fun::FpLeq, &[high, x]);
        let nan = self.app(Fun::FpIsNan, &[x]);
        let result = self.app(Fun::Ite, &[too_small, least, inside]);
        let result = self.app(Fun::Ite, &[too_large, greatest, result]);
        self.app(Fun::Ite, &[nan, zero, result])
    }

    /// A new symbol for the bits of a float. SMT-LIB has no function for it, since NaN has many
    /// patterns; Java picks one.
    fn bits_of(&mut self, index: u32, a: Expr, x: TermId, definitions: &mut Vec<TermId>) -> TermId {
        let kind = self.exprs.kind(a);
        let (exponent, significand) = format(kind);
        let sort = self.terms.bitvec_sort(kind.bits());
        let symbol = self.bits_symbol(index, sort);
        let back = self.indexed(Indexed::ToFp, exponent, significand, &[symbol]);
        definitions.push(self.app(Fun::Eq, &[back, x]));
        let nan = self.app(Fun::FpIsNan, &[x]);
        let raw = if kind == Kind::F32 {
            crate::concrete::f32_raw(f32::NAN)
        } else {
            crate::concrete::f64_raw(f64::NAN)
        };
        let canonical = self.bv(kind.bits(), raw);
        let is_canonical = self.app(Fun::Eq, &[symbol, canonical]);
        definitions.push(self.app(Fun::Implies, &[nan, is_canonical]));
        symbol
    }

    /// A symbol that is named after what it stands for, so that it is the same in the next run.
    fn bits_symbol(&mut self, index: u32, sort: SortId) -> TermId {
        let mut hasher = FxHasher::default();
        self.exprs.show(Expr(index)).hash(&mut hasher);
        let mut name = format!("q!{:016x}", hasher.finish());
        // Long texts are cut, so different expressions may have the same.
        while !self.to.names.insert(name.clone()) {
            name.push('\'');
        }
        self.terms.constant(&name, sort)
    }

    fn compare(&mut self, op: Compare, a: Expr, b: Expr) -> TermId {
        let args = [self.of(a), self.of(b)];
        let (less, same) = match op {
            Compare::Lcmp => (Fun::BvSlt, Fun::Eq),
            _ => (Fun::FpLt, Fun::FpEq),
        };
        let (less, same) = (self.app(less, &args), self.app(same, &args));
        let [minus, zero, one] = [-1, 0, 1].map(|value| self.bv(32, value));
        match op {
            // NaN falls into the last case.
            Compare::Lcmp | Compare::Fcmpg | Compare::Dcmpg => {
                let rest = self.app(Fun::Ite, &[same, zero, one]);
                self.app(Fun::Ite, &[less, minus, rest])
            }
            Compare::Fcmpl | Compare::Dcmpl => {
                let more = self.app(Fun::FpGt, &args);
                let rest = self.app(Fun::Ite, &[same, zero, minus]);
                self.app(Fun::Ite, &[more, one, rest])
            }
        }
    }

    /// The condition or its opposite.
    fn literal(&mut self, cond: Cond) -> TermId {
        let index = cond.index();
        let positive = self.to.written[&index];
        if !cond.is_negated() {
            return positive;
        }
        match self.exprs.nodes[index as usize].node {
            Node::True => self.terms.bool(false),
            Node::Eq(a, b) => self.app(Fun::Distinct, &[self.of(a), self.of(b)]),
            Node::Lt(a, b) => self.app(Fun::BvSle, &[self.of(b), self.of(a)]),
            Node::Below(a, b) => self.app(Fun::BvUle, &[self.of(b), self.of(a)]),
            _ => self.app(Fun::Not, &[positive]),
        }
    }

    /// # Panics
    /// If the sorts do not fit, which is a bug of this file.
    fn app(&mut self, fun: Fun, args: &[TermId]) -> TermId {
        self.terms.app(fun, args).expect("bit-vector terms are well sorted")
    }

    fn indexed(&mut self, fun: Indexed, i: u32, j: u32, args: &[TermId]) -> TermId {
        self.terms.indexed(fun, i, j, args).expect("bit-vector terms are well sorted")
    }
}
