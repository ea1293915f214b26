//! Random expressions as trees of their own, and what Java computes for them: a second writing of the
//! semantics that shares nothing with the crate's.

use evergreen_symbolic::{
    Assignment, Binary, Cast, Compare, Cond, Const, Expr, Exprs, Input, InputKind, Kind, Rel, Unary,
};
use evergreen_testing::random::Random;

/// A value with its type.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum V {
    I(i32),
    L(i64),
    F(f32),
    D(f64),
}

#[derive(Clone, Debug)]
pub(crate) enum Tree {
    Input(usize),
    Const(V),
    Binary(Binary, Box<Tree>, Box<Tree>),
    Neg(Box<Tree>),
    Unary(Unary, Box<Tree>),
    Cast(Cast, Box<Tree>),
    Compare(Compare, Box<Tree>, Box<Tree>),
    Ite(Box<Test>, Box<Tree>, Box<Tree>),
    /// A table of 8 at the low three bits of the index.
    Select(Vec<i32>, Box<Tree>),
    /// A table of 32 constants of a kind at the low five bits of the index.
    Table(Vec<i64>, Kind, Box<Tree>),
    ZeroExtend(Box<Tree>),
    /// Of the low bytes of some values.
    Concat(Kind, Vec<Tree>),
    Byte(u32, Box<Tree>),
}

#[derive(Clone, Debug)]
pub(crate) enum Test {
    Rel(Rel, Tree, Tree),
    Unsigned(Rel, Tree, Tree),
    Not(Box<Test>),
    And(Box<Test>, Box<Test>),
    Or(Box<Test>, Box<Test>),
}

/// The operations that may occur.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mix {
    /// Operations that integers can express.
    Linear,
    /// Every integer operation.
    Integers,
    /// Floats too.
    All,
}

/// An input: its type, and the range of its values.
pub(crate) type Declared = (InputKind, Option<(i64, i64)>);

pub(crate) struct Generator {
    pub random: Random,
    pub inputs: Vec<Declared>,
    pub mix: Mix,
}

const EDGES: [i64; 14] =
    [0, 1, -1, 2, 3, -7, 10, 31, 255, 256, i32::MAX as i64, i32::MIN as i64, i64::MAX, i64::MIN];

impl Generator {
    pub(crate) fn edge(&mut self) -> i64 {
        match self.random.below(3) {
            0 => self.random.between(-9, 9),
            1 => self.random.next() as i64,
            _ => *self.random.choose(&EDGES),
        }
    }

    fn constant(&mut self, kind: Kind) -> V {
        let edge = self.edge();
        match kind {
            Kind::I32 => V::I(edge as i32),
            Kind::I64 => V::L(edge),
            Kind::F32 => V::F(self.float(edge) as f32),
            Kind::F64 => V::D(self.float(edge)),
        }
    }

    fn float(&mut self, edge: i64) -> f64 {
        let special =
            [0.0, -0.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.1, 1e300, -2.5, 5e-324, 1e-40];
        if self.random.one_in(2) { *self.random.choose(&special) } else { edge as f64 }
    }

    /// A value of an input, often at the ends of its range.
    pub(crate) fn value(&mut self, (kind, range): Declared) -> Const {
        let (lo, hi) = range.unwrap_or(kind.range());
        let mut raw = self.edge();
        if raw < lo || raw > hi {
            let width = i128::from(hi) - i128::from(lo) + 1;
            raw = match self.random.below(4) {
                0 => lo,
                1 => hi,
                _ => (i128::from(lo) + i128::from(raw).rem_euclid(width)) as i64,
            };
        }
        match kind.kind() {
            Kind::I32 => Const::I32(raw as i32),
            Kind::I64 => Const::I64(raw),
            Kind::F32 => Const::f32(self.float(raw) as f32),
            Kind::F64 => Const::f64(self.float(raw)),
        }
    }

    fn leaf(&mut self, kind: Kind) -> Tree {
        let fitting: Vec<usize> =
            (0..self.inputs.len()).filter(|i| self.inputs[*i].0.kind() == kind).collect();
        if fitting.is_empty() || self.random.one_in(4) {
            return Tree::Const(self.constant(kind));
        }
        Tree::Input(*self.random.choose(&fitting))
    }

    pub(crate) fn tree(&mut self, kind: Kind, depth: u32) -> Tree {
        if depth == 0 || self.random.one_in(6) {
            return self.leaf(kind);
        }
        let depth = depth - 1;
        if kind.is_int() && self.random.one_in(4) {
            return self.bytes(kind, depth);
        }
        match self.random.below(12) {
            0 => Tree::Neg(self.boxed(kind, depth)),
            1 => Tree::Ite(Box::new(self.test(depth)), self.boxed(kind, depth), self.boxed(kind, depth)),
            2 | 3 => self.cast(kind, depth),
            4 if kind == Kind::I32 => self.compare(depth),
            5 if kind == Kind::I32 => {
                let start = self.random.between(-3, 3) as i32;
                let kinds = self.random.below(3);
                let table = (0..8).map(|i| match kinds {
                    0 => start + i,
                    1 => {
                        if i < 4 {
                            start
                        } else {
                            start + i
                        }
                    }
                    _ => self.random.between(-2, 2) as i32,
                });
                Tree::Select(table.collect(), self.boxed(kind, depth))
            }
            4 | 5 if !kind.is_int() => {
                use Unary::*;
                let all = [Neg, Abs, Sqrt, Floor, Ceil, Rint, Trunc];
                Tree::Unary(*self.random.choose(&all), self.boxed(kind, depth))
            }
            _ => self.binary(kind, depth),
        }
    }

    /// Operations that machines have for memory and for unsigned integers.
    fn bytes(&mut self, kind: Kind, depth: u32) -> Tree {
        match self.random.below(6) {
            0 if self.mix != Mix::Linear => {
                let op = *self.random.choose(&[Unary::Clz, Unary::Ctz, Unary::Popcnt]);
                Tree::Unary(op, self.boxed(kind, depth))
            }
            1 if self.mix != Mix::Linear || self.random.one_in(3) => {
                let wild = self.random.one_in(2);
                let mut value = 0i64;
                let table = (0..32).map(|_| match (wild, self.random.below(4)) {
                    (true, _) => self.edge(),
                    (_, 0) => {
                        value = self.random.between(-2, 2);
                        value
                    }
                    (_, 1) => {
                        value += 1;
                        value
                    }
                    _ => value,
                });
                let table: Vec<i64> = table.collect();
                Tree::Table(table, kind, self.boxed(Kind::I32, depth))
            }
            2 | 3 => {
                let most = kind.bits() as usize / 8;
                let bytes = if self.random.one_in(2) { most } else { self.random.below(most) + 1 };
                let shared = self.tree(kind, depth.min(1));
                let whole = self.random.one_in(2);
                let parts = (0..bytes).map(|i| match whole && !self.random.one_in(9) {
                    true => Tree::Byte(i as u32, Box::new(shared.clone())),
                    false => self.tree(Kind::I32, depth.min(1)),
                });
                Tree::Concat(kind, parts.collect())
            }
            4 if kind == Kind::I64 => Tree::ZeroExtend(self.boxed(Kind::I32, depth)),
            _ if kind == Kind::I32 => {
                let of = if self.random.one_in(2) { Kind::I32 } else { Kind::I64 };
                Tree::Byte(self.random.below(of.bits() as usize / 8) as u32, self.boxed(of, depth))
            }
            _ => self.cast(kind, depth),
        }
    }

    fn boxed(&mut self, kind: Kind, depth: u32) -> Box<Tree> {
        Box::new(self.tree(kind, depth))
    }

    fn cast(&mut self, kind: Kind, depth: u32) -> Tree {
        use Cast::*;
        let all = [
            I2L,
            L2I,
            I2B,
            I2C,
            I2S,
            I2F,
            I2D,
            L2F,
            L2D,
            F2I,
            F2L,
            F2D,
            D2I,
            D2L,
            D2F,
            FloatToBits,
            BitsToFloat,
            DoubleToBits,
            BitsToDouble,
            Ul2F,
            Ul2D,
            F2Ul,
            D2Ul,
        ];
        let floats = self.mix == Mix::All;
        let fitting: Vec<Cast> =
            all.into_iter().filter(|c| c.kinds().1 == kind && (floats || c.kinds().0.is_int())).collect();
        let cast = *self.random.choose(&fitting);
        Tree::Cast(cast, self.boxed(cast.kinds().0, depth))
    }

    fn compare(&mut self, depth: u32) -> Tree {
        use Compare::*;
        let all: &[Compare] =
            if self.mix == Mix::All { &[Lcmp, Fcmpl, Fcmpg, Dcmpl, Dcmpg] } else { &[Lcmp] };
        let op = *self.random.choose(all);
        Tree::Compare(op, self.boxed(op.kind(), depth), self.boxed(op.kind(), depth))
    }

    fn binary(&mut self, kind: Kind, depth: u32) -> Tree {
        use Binary::*;
        if !kind.is_int() {
            let op = *self.random.choose(&[Add, Sub, Mul, Div, Rem, Min, Max]);
            return Tree::Binary(op, self.boxed(kind, depth), self.boxed(kind, depth));
        }
        let all = [
            Add, Sub, Add, Sub, Mul, Div, Rem, And, Or, Xor, Shl, Shr, Ushr, Udiv, Urem, Udiv, Urem, Min, Max,
        ];
        let op = *self.random.choose(&all);
        let constant = self.mix == Mix::Linear || self.random.one_in(2);
        let left = self.boxed(kind, depth);
        let right = match op {
            Add | Sub => self.tree(kind, depth),
            Shl | Shr | Ushr if constant => Tree::Const(V::I(self.random.between(-2, 66) as i32)),
            Shl | Shr | Ushr => self.tree(Kind::I32, depth),
            Div | Rem | Udiv | Urem if constant => match self.constant(kind) {
                V::I(0) => Tree::Const(V::I(i32::MIN)),
                V::L(0) => Tree::Const(V::L(i64::MIN)),
                other => Tree::Const(other),
            },
            // Never zero.
            Div | Rem | Udiv | Urem => {
                let one = if kind == Kind::I32 { V::I(1) } else { V::L(1) };
                Tree::Binary(Or, self.boxed(kind, depth), Box::new(Tree::Const(one)))
            }
            And | Or | Xor if self.mix == Mix::Linear => {
                let (length, from) = (self.random.below(30) as u32 + 1, self.random.below(31) as u32);
                let mask = ((1i64 << length) - 1) << from;
                let mask = if self.random.one_in(3) { !mask } else { mask };
                Tree::Const(if kind == Kind::I32 { V::I(mask as i32) } else { V::L(mask) })
            }
            _ if constant => Tree::Const(self.constant(kind)),
            _ => self.tree(kind, depth),
        };
        if self.random.one_in(4) && matches!(op, Add | Sub | Mul | And | Or | Xor) {
            return Tree::Binary(op, Box::new(right), left);
        }
        Tree::Binary(op, left, Box::new(right))
    }

    pub(crate) fn test(&mut self, depth: u32) -> Test {
        match self.random.below(8) {
            0 if depth > 0 => Test::Not(Box::new(self.test(depth - 1))),
            1 if depth > 0 => Test::And(Box::new(self.test(depth - 1)), Box::new(self.test(depth - 1))),
            2 if depth > 0 => Test::Or(Box::new(self.test(depth - 1)), Box::new(self.test(depth - 1))),
            _ => {
                let rel = *self.random.choose(&[Rel::Eq, Rel::Ne, Rel::Lt, Rel::Ge, Rel::Gt, Rel::Le]);
                let kind = match self.mix {
                    Mix::All => *self.random.choose(&[Kind::I32, Kind::I64, Kind::F32, Kind::F64]),
                    _ => *self.random.choose(&[Kind::I32, Kind::I32, Kind::I64]),
                };
                let (a, b) = (self.tree(kind, depth), self.tree(kind, depth));
                if kind.is_int() && self.random.one_in(3) {
                    return Test::Unsigned(rel, a, b);
                }
                Test::Rel(rel, a, b)
            }
        }
    }

    /// The inputs as expressions.
    pub(crate) fn declare(&self, exprs: &mut Exprs) -> Vec<Expr> {
        let declared = self.inputs.iter().enumerate();
        declared.map(|(i, (kind, range))| exprs.input(&format!("i{i}"), *kind, *range)).collect()
    }
}

/// The assignment that gives the inputs these values.
pub(crate) fn assignment(exprs: &Exprs, inputs: &[Expr], values: &[Const]) -> Assignment {
    let mut all = Assignment::new();
    for (input, value) in inputs.iter().zip(values) {
        let input: Input = exprs.as_input(*input).expect("an input");
        all.set(exprs, input, *value);
    }
    all
}

pub(crate) fn build(exprs: &mut Exprs, inputs: &[Expr], tree: &Tree) -> Expr {
    match tree {
        Tree::Input(i) => inputs[*i],
        Tree::Const(v) => exprs.constant(to_const(*v)),
        Tree::Binary(op, a, b) => {
            let (a, b) = (build(exprs, inputs, a), build(exprs, inputs, b));
            exprs.binary(*op, a, b)
        }
        Tree::Neg(a) => {
            let a = build(exprs, inputs, a);
            exprs.neg(a)
        }
        Tree::Unary(op, a) => {
            let a = build(exprs, inputs, a);
            exprs.unary(*op, a)
        }
        Tree::Cast(cast, a) => {
            let a = build(exprs, inputs, a);
            exprs.cast(*cast, a)
        }
        Tree::Compare(op, a, b) => {
            let (a, b) = (build(exprs, inputs, a), build(exprs, inputs, b));
            exprs.compare(*op, a, b)
        }
        Tree::Ite(test, a, b) => {
            let test = build_test(exprs, inputs, test);
            let (a, b) = (build(exprs, inputs, a), build(exprs, inputs, b));
            exprs.ite(test, a, b)
        }
        Tree::Select(table, index) => {
            let index = build(exprs, inputs, index);
            let seven = exprs.constant(Const::I32(7));
            let index = exprs.binary(Binary::And, index, seven);
            let table: Vec<Expr> = table.iter().map(|v| exprs.constant(Const::I32(*v))).collect();
            exprs.select(&table, index)
        }
        Tree::Table(table, kind, index) => {
            let index = build(exprs, inputs, index);
            let mask = exprs.constant(Const::I32(31));
            let index = exprs.binary(Binary::And, index, mask);
            exprs.table(table, *kind, index)
        }
        Tree::ZeroExtend(a) => {
            let a = build(exprs, inputs, a);
            exprs.zero_extend(a)
        }
        Tree::Concat(kind, parts) => {
            let parts: Vec<Expr> = parts
                .iter()
                .map(|part| {
                    let part = build(exprs, inputs, part);
                    exprs.byte_of(part, 0)
                })
                .collect();
            exprs.concat_bytes(&parts, *kind)
        }
        Tree::Byte(n, a) => {
            let a = build(exprs, inputs, a);
            exprs.byte_of(a, *n)
        }
    }
}

pub(crate) fn build_test(exprs: &mut Exprs, inputs: &[Expr], test: &Test) -> Cond {
    match test {
        Test::Rel(rel, a, b) => {
            let (a, b) = (build(exprs, inputs, a), build(exprs, inputs, b));
            exprs.relate(*rel, a, b)
        }
        Test::Unsigned(rel, a, b) => {
            let (a, b) = (build(exprs, inputs, a), build(exprs, inputs, b));
            exprs.relate_unsigned(*rel, a, b)
        }
        Test::Not(a) => {
            let a = build_test(exprs, inputs, a);
            exprs.not(a)
        }
        Test::And(a, b) => {
            let (a, b) = (build_test(exprs, inputs, a), build_test(exprs, inputs, b));
            exprs.and(a, b)
        }
        Test::Or(a, b) => {
            let (a, b) = (build_test(exprs, inputs, a), build_test(exprs, inputs, b));
            exprs.or(a, b)
        }
    }
}

pub(crate) fn to_const(v: V) -> Const {
    match v {
        V::I(v) => Const::I32(v),
        V::L(v) => Const::I64(v),
        V::F(v) => Const::f32(v),
        V::D(v) => Const::f64(v),
    }
}

pub(crate) fn from_const(c: Const) -> V {
    match c {
        Const::I32(v) => V::I(v),
        Const::I64(v) => V::L(v),
        Const::F32(v) => V::F(f32::from_bits(v)),
        Const::F64(v) => V::D(f64::from_bits(v)),
    }
}

/// The value that Java computes.
pub(crate) fn java(tree: &Tree, inputs: &[V]) -> V {
    match tree {
        Tree::Input(i) => inputs[*i],
        Tree::Const(v) => *v,
        Tree::Binary(op, a, b) => java_binary(*op, java(a, inputs), java(b, inputs)),
        Tree::Neg(a) => match java(a, inputs) {
            V::I(a) => V::I(a.wrapping_neg()),
            V::L(a) => V::L(a.wrapping_neg()),
            V::F(a) => V::F(-a),
            V::D(a) => V::D(-a),
        },
        Tree::Unary(op, a) => match java(a, inputs) {
            V::F(a) => V::F(java_unary(*op, f64::from(a)) as f32),
            V::D(a) => V::D(java_unary(*op, a)),
            V::I(a) => V::I(counted(*op, 32, |i| a >> i & 1 == 1)),
            V::L(a) => V::L(counted(*op, 64, |i| a >> i & 1 == 1).into()),
        },
        Tree::Cast(cast, a) => java_cast(*cast, java(a, inputs)),
        Tree::Compare(op, a, b) => V::I(match (java(a, inputs), java(b, inputs)) {
            (V::L(a), V::L(b)) => i32::from(a > b) - i32::from(a < b),
            (V::F(a), V::F(b)) => java_compare(*op, f64::from(a), f64::from(b)),
            (V::D(a), V::D(b)) => java_compare(*op, a, b),
            other => panic!("{other:?}"),
        }),
        Tree::Ite(test, a, b) => java(if java_test(test, inputs) { a } else { b }, inputs),
        Tree::Select(table, index) => match java(index, inputs) {
            V::I(index) => V::I(table[(index & 7) as usize]),
            other => panic!("{other:?}"),
        },
        Tree::Table(table, kind, index) => match (java(index, inputs), kind) {
            (V::I(index), Kind::I32) => V::I(table[(index & 31) as usize] as i32),
            (V::I(index), _) => V::L(table[(index & 31) as usize]),
            (other, _) => panic!("{other:?}"),
        },
        Tree::ZeroExtend(a) => match java(a, inputs) {
            V::I(a) => V::L(i64::from(a as u32)),
            other => panic!("{other:?}"),
        },
        Tree::Concat(kind, parts) => {
            let mut bytes = [0; 8];
            for (byte, part) in bytes.iter_mut().zip(parts) {
                *byte = bytes_of(java(part, inputs))[0];
            }
            let whole = i64::from_le_bytes(bytes);
            if *kind == Kind::I32 { V::I(whole as i32) } else { V::L(whole) }
        }
        Tree::Byte(n, a) => V::I(bytes_of(java(a, inputs))[*n as usize].into()),
    }
}

fn bytes_of(value: V) -> [u8; 8] {
    match value {
        V::I(a) => i64::from(a).to_le_bytes(),
        V::L(a) => a.to_le_bytes(),
        other => panic!("{other:?}"),
    }
}

/// Bits counted one by one.
fn counted(op: Unary, bits: i32, is_one: impl Fn(i32) -> bool) -> i32 {
    let count = match op {
        Unary::Clz => (0..bits).rev().take_while(|i| !is_one(*i)).count(),
        Unary::Ctz => (0..bits).take_while(|i| !is_one(*i)).count(),
        _ => (0..bits).filter(|i| is_one(*i)).count(),
    };
    count as i32
}

/// The smaller or larger one of two floats, as WebAssembly has it.
fn extreme(op: Binary, a: f64, b: f64) -> f64 {
    match a.partial_cmp(&b) {
        None => f64::NAN,
        // Only zeros are equal and different.
        Some(std::cmp::Ordering::Equal) if a == 0.0 => {
            let negative = a.is_sign_negative() as u8 + b.is_sign_negative() as u8;
            let is_negative = if op == Binary::Min { negative > 0 } else { negative == 2 };
            if is_negative { -0.0 } else { 0.0 }
        }
        Some(order) => {
            if order.is_lt() == (op == Binary::Min) {
                a
            } else {
                b
            }
        }
    }
}

fn java_compare(op: Compare, a: f64, b: f64) -> i32 {
    if a.is_nan() || b.is_nan() {
        return if matches!(op, Compare::Fcmpg | Compare::Dcmpg) { 1 } else { -1 };
    }
    i32::from(a > b) - i32::from(a < b)
}

fn java_unary(op: Unary, a: f64) -> f64 {
    match op {
        Unary::Neg => f64::from_bits(a.to_bits() ^ (1 << 63)),
        Unary::Abs => {
            if a.is_sign_negative() {
                -a
            } else {
                a
            }
        }
        // Correct for floats too: double rounding does no harm to square roots.
        Unary::Sqrt => a.sqrt(),
        Unary::Floor => a.floor(),
        Unary::Ceil => a.ceil(),
        Unary::Rint => a.round_ties_even(),
        Unary::Trunc => {
            if a.is_sign_negative() {
                a.ceil()
            } else {
                a.floor()
            }
        }
        other => panic!("{other:?}"),
    }
}

fn java_binary(op: Binary, a: V, b: V) -> V {
    use Binary::*;
    match (a, b) {
        (V::I(a), V::I(b)) => V::I(match op {
            Add => a.wrapping_add(b),
            Sub => a.wrapping_sub(b),
            Mul => a.wrapping_mul(b),
            Div => a.wrapping_div(b),
            Rem => a.wrapping_rem(b),
            And => a & b,
            Or => a | b,
            Xor => a ^ b,
            Shl => a.wrapping_shl(b as u32),
            Shr => a.wrapping_shr(b as u32),
            Ushr => (a as u32).wrapping_shr(b as u32) as i32,
            Udiv => (a as u32 / b as u32) as i32,
            Urem => (a as u32 % b as u32) as i32,
            Min => a.min(b),
            Max => a.max(b),
        }),
        (V::L(a), V::I(b)) => V::L(match op {
            Shl => a.wrapping_shl(b as u32),
            Shr => a.wrapping_shr(b as u32),
            Ushr => (a as u64).wrapping_shr(b as u32) as i64,
            _ => panic!("{op:?} of long and int"),
        }),
        (V::L(a), V::L(b)) => V::L(match op {
            Add => a.wrapping_add(b),
            Sub => a.wrapping_sub(b),
            Mul => a.wrapping_mul(b),
            Div => a.wrapping_div(b),
            Rem => a.wrapping_rem(b),
            And => a & b,
            Or => a | b,
            Xor => a ^ b,
            Udiv => (a as u64 / b as u64) as i64,
            Urem => (a as u64 % b as u64) as i64,
            Min => a.min(b),
            Max => a.max(b),
            _ => panic!("{op:?} of longs"),
        }),
        (V::F(a), V::F(b)) if matches!(op, Min | Max) => V::F(extreme(op, a.into(), b.into()) as f32),
        (V::D(a), V::D(b)) if matches!(op, Min | Max) => V::D(extreme(op, a, b)),
        (V::F(a), V::F(b)) => V::F(match op {
            Add => a + b,
            Sub => a - b,
            Mul => a * b,
            Div => a / b,
            _ => a % b,
        }),
        (V::D(a), V::D(b)) => V::D(match op {
            Add => a + b,
            Sub => a - b,
            Mul => a * b,
            Div => a / b,
            _ => a % b,
        }),
        other => panic!("{op:?} {other:?}"),
    }
}

fn java_cast(cast: Cast, a: V) -> V {
    match (cast, a) {
        (Cast::I2L, V::I(a)) => V::L(a.into()),
        (Cast::L2I, V::L(a)) => V::I(a as i32),
        (Cast::I2B, V::I(a)) => V::I((a << 24) >> 24),
        (Cast::I2C, V::I(a)) => V::I(a & 0xffff),
        (Cast::I2S, V::I(a)) => V::I((a << 16) >> 16),
        (Cast::I2F, V::I(a)) => V::F(a as f32),
        (Cast::I2D, V::I(a)) => V::D(a.into()),
        (Cast::L2F, V::L(a)) => V::F(a as f32),
        (Cast::L2D, V::L(a)) => V::D(a as f64),
        (Cast::F2I, V::F(a)) => V::I(saturated(a.into(), 31) as i32),
        (Cast::F2L, V::F(a)) => V::L(saturated(a.into(), 63) as i64),
        (Cast::D2I, V::D(a)) => V::I(saturated(a, 31) as i32),
        (Cast::D2L, V::D(a)) => V::L(saturated(a, 63) as i64),
        (Cast::F2D, V::F(a)) => V::D(a.into()),
        (Cast::D2F, V::D(a)) => V::F(a as f32),
        (Cast::FloatToBits, V::F(a)) => V::I(if a.is_nan() { 0x7fc0_0000 } else { a.to_bits() as i32 }),
        (Cast::BitsToFloat, V::I(a)) => V::F(f32::from_bits(a as u32)),
        (Cast::DoubleToBits, V::D(a)) => {
            V::L(if a.is_nan() { 0x7ff8_0000_0000_0000 } else { a.to_bits() as i64 })
        }
        (Cast::BitsToDouble, V::L(a)) => V::D(f64::from_bits(a as u64)),
        (Cast::Ul2F, V::L(a)) => V::F((i128::from(a) & 0xffff_ffff_ffff_ffff) as f32),
        (Cast::Ul2D, V::L(a)) => V::D((i128::from(a) & 0xffff_ffff_ffff_ffff) as f64),
        (Cast::F2Ul, V::F(a)) => V::L(saturated(a.into(), 64).max(0) as u64 as i64),
        (Cast::D2Ul, V::D(a)) => V::L(saturated(a, 64).max(0) as u64 as i64),
        other => panic!("{other:?}"),
    }
}

fn saturated(a: f64, bits: u32) -> i128 {
    let most = 1i128 << bits;
    match a {
        a if a.is_nan() => 0,
        a if a >= most as f64 => most - 1,
        a if a <= -most as f64 => -most,
        a => a.trunc() as i128,
    }
}

pub(crate) fn java_test(test: &Test, inputs: &[V]) -> bool {
    match test {
        Test::Rel(rel, a, b) => match (java(a, inputs), java(b, inputs)) {
            (V::I(a), V::I(b)) => related(*rel, a, b),
            (V::L(a), V::L(b)) => related(*rel, a, b),
            (V::F(a), V::F(b)) => related(*rel, a, b),
            (V::D(a), V::D(b)) => related(*rel, a, b),
            other => panic!("{other:?}"),
        },
        Test::Unsigned(rel, a, b) => match (java(a, inputs), java(b, inputs)) {
            (V::I(a), V::I(b)) => related(*rel, a as u32, b as u32),
            (V::L(a), V::L(b)) => related(*rel, a as u64, b as u64),
            other => panic!("{other:?}"),
        },
        Test::Not(a) => !java_test(a, inputs),
        Test::And(a, b) => java_test(a, inputs) && java_test(b, inputs),
        Test::Or(a, b) => java_test(a, inputs) || java_test(b, inputs),
    }
}

fn related<T: PartialOrd>(rel: Rel, a: T, b: T) -> bool {
    match rel {
        Rel::Eq => a == b,
        Rel::Ne => a != b,
        Rel::Lt => a < b,
        Rel::Ge => a >= b,
        Rel::Gt => a > b,
        Rel::Le => a <= b,
    }
}
