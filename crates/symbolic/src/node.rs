//! The contents of the arena: nodes of expressions and conditions, and their handles.

use crate::function::Function;
use crate::op::{Binary, Cast, Compare, Kind, Unary};

/// An expression: an index into its [`crate::Exprs`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Expr(pub(crate) u32);

/// A condition: an index into its [`crate::Exprs`], with the lowest bit set if it is negated.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Cond(pub(crate) u32);

/// An input, numbered in the order in which inputs are made.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Input(pub(crate) u32);

impl Cond {
    /// The condition that always holds.
    pub const TRUE: Cond = Cond(0);
    /// The condition that never holds.
    pub const FALSE: Cond = Cond(1);

    /// The opposite.
    #[must_use]
    pub fn negated(self) -> Cond {
        Cond(self.0 ^ 1)
    }

    /// The constant, if it is one.
    pub fn as_bool(self) -> Option<bool> {
        match self {
            Cond::TRUE => Some(true),
            Cond::FALSE => Some(false),
            _ => None,
        }
    }

    pub(crate) fn from_bool(value: bool) -> Cond {
        if value { Cond::TRUE } else { Cond::FALSE }
    }

    pub(crate) fn positive(index: u32) -> Cond {
        Cond(index << 1)
    }

    pub(crate) fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    pub(crate) fn index(self) -> u32 {
        self.0 >> 1
    }
}

impl Input {
    /// Its number.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// One node; children always have smaller indices.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Node {
    /// The condition that holds.
    True,
    /// A constant, by its 64 bits.
    Const(i64),
    Input(Input),
    /// A linear form modulo 2^bits, by its number.
    Linear(u32),
    /// A nonlinear operation. Sides of commutative integer operations are sorted.
    Binary(Binary, Expr, Expr),
    Unary(Unary, Expr),
    Cast(Cast, Expr),
    Compare(Compare, Expr, Expr),
    Ite(Cond, Expr, Expr),
    /// Integers: the values, as they are after wrapping, are equal.
    Eq(Expr, Expr),
    /// Integers: signed comparison of the values.
    Lt(Expr, Expr),
    /// Floats: IEEE equality, false on NaN.
    FloatEq(Expr, Expr),
    /// Floats: false on NaN.
    FloatLt(Expr, Expr),
    /// Floats: false on NaN.
    FloatLe(Expr, Expr),
    And(Cond, Cond),
    /// Integers: comparison of the values as unsigned ones.
    Below(Expr, Expr),
    /// A function of doubles that no theory has; of one, if both are the same.
    Function(Function, Expr, Expr),
    /// The element of a table of constants, by its number, at an index within it; 0 elsewhere.
    Table(u32, Expr),
}

/// A linear form: sum of coefficient * atom, sorted by atom, plus a constant.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Form {
    pub(crate) terms: Box<[(Expr, i64)]>,
    pub(crate) constant: i64,
}

/// A node with its interval, inputs and size.
#[derive(Clone, Debug)]
pub(crate) struct Data {
    pub(crate) node: Node,
    /// Of a condition: `I32`, as its value is 0 or 1.
    pub(crate) kind: Kind,
    pub(crate) traits: u8,
    /// How many constants a tree of [`Node::Ite`] with only constants as leaves has; 0 if it is no such tree.
    pub(crate) leaves: u16,
    /// The set of inputs, by number.
    pub(crate) inputs: u32,
    /// How many nodes it has when written as a tree, at most `u32::MAX`.
    pub(crate) size: u32,
    pub(crate) lo: i64,
    pub(crate) hi: i64,
    /// A digest of its structure, the same in every arena; see `order.rs`.
    pub(crate) digest: u64,
    /// Where it stands in the order of nodes.
    pub(crate) rank: u64,
}

/// Integers cannot say it well.
pub(crate) const HARD: u8 = 1;
/// No theory can say it.
pub(crate) const INEXPRESSIBLE: u8 = 2;
/// A linear form whose exact value is outside of the kind's range for some inputs in their intervals.
pub(crate) const WRAPS: u8 = 4;
/// Over integers it may need new symbols, fewer where less is possible.
pub(crate) const SUBTLE: u8 = 8;
/// It has a case distinction.
pub(crate) const CASES: u8 = 16;
/// It has an operation on bits: a mask, a shift.
pub(crate) const BITWISE: u8 = 32;
