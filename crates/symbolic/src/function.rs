//! Functions that no theory has: sines, powers, logarithms. A path computes with them under its model only.
//!
//! A condition about one of them is inexpressible, so no solver is asked; the oracle tries values, and
//! samples what is then open. Values are those of the platform's library, whose results differ from another
//! one's by the last bit at times: what is found with them is replayed.

use crate::concrete::{f64_raw, to_f64};
use crate::exprs::Exprs;
use crate::node::{Expr, HARD, INEXPRESSIBLE, Node};
use crate::op::{Binary, Const, Kind};

/// A function of one or two doubles.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[allow(missing_docs)]
pub enum Function {
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Exp,
    Log,
    Log10,
    Sinh,
    Cosh,
    Tanh,
    Cbrt,
    Expm1,
    Log1p,
    Pow,
    Atan2,
    Hypot,
}

impl Function {
    /// Its name, as Java and C have it.
    pub fn name(self) -> &'static str {
        match self {
            Function::Sin => "sin",
            Function::Cos => "cos",
            Function::Tan => "tan",
            Function::Asin => "asin",
            Function::Acos => "acos",
            Function::Atan => "atan",
            Function::Exp => "exp",
            Function::Log => "log",
            Function::Log10 => "log10",
            Function::Sinh => "sinh",
            Function::Cosh => "cosh",
            Function::Tanh => "tanh",
            Function::Cbrt => "cbrt",
            Function::Expm1 => "expm1",
            Function::Log1p => "log1p",
            Function::Pow => "pow",
            Function::Atan2 => "atan2",
            Function::Hypot => "hypot",
        }
    }

    /// Whether it takes two values; the others ignore the second.
    pub fn is_binary(self) -> bool {
        matches!(self, Function::Pow | Function::Atan2 | Function::Hypot)
    }

    /// Its value.
    pub fn of(self, a: f64, b: f64) -> f64 {
        match self {
            Function::Sin => a.sin(),
            Function::Cos => a.cos(),
            Function::Tan => a.tan(),
            Function::Asin => a.asin(),
            Function::Acos => a.acos(),
            Function::Atan => a.atan(),
            Function::Exp => a.exp(),
            Function::Log => a.ln(),
            Function::Log10 => a.log10(),
            Function::Sinh => a.sinh(),
            Function::Cosh => a.cosh(),
            Function::Tanh => a.tanh(),
            Function::Cbrt => a.cbrt(),
            Function::Expm1 => a.exp_m1(),
            Function::Log1p => a.ln_1p(),
            Function::Pow => pow(a, b),
            Function::Atan2 => a.atan2(b),
            Function::Hypot => a.hypot(b),
        }
    }
}

/// A power as Java has it: unlike C, a NaN exponent always gives NaN, and so does an infinite exponent of 1
/// or -1. Machines compute a square as a product.
fn pow(base: f64, exponent: f64) -> f64 {
    if exponent == 0.0 {
        1.0
    } else if base.is_nan() || exponent.is_nan() || (base.abs() == 1.0 && exponent.is_infinite()) {
        f64::NAN
    } else if exponent == 2.0 {
        base * base
    } else {
        base.powf(exponent)
    }
}

pub(crate) fn apply(function: Function, a: i64, b: i64) -> i64 {
    f64_raw(function.of(to_f64(a), to_f64(b)))
}

impl Exprs {
    /// A function of doubles; of one, if it takes one.
    pub fn function(&mut self, function: Function, a: Expr, b: Expr) -> Expr {
        let b = if function.is_binary() { b } else { a };
        match (self.as_raw(a), self.as_raw(b)) {
            (Some(a), Some(b)) => self.constant(Const::from_raw(Kind::F64, apply(function, a, b))),
            (None, Some(b)) if function == Function::Pow && to_f64(b) == 0.0 => {
                self.constant(Const::f64(1.0))
            }
            (None, Some(b)) if function == Function::Pow && to_f64(b) == 1.0 => a,
            (None, Some(b)) if function == Function::Pow && to_f64(b) == 2.0 => {
                self.binary(Binary::Mul, a, a)
            }
            _ => {
                let node = Node::Function(function, a, b);
                self.expr(node, Kind::F64, Kind::F64.range(), HARD | INEXPRESSIBLE)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::op::{InputKind, Ints};

    #[test]
    fn small_powers_are_products() {
        let mut exprs = Exprs::new(Ints::Wrapped);
        let x = exprs.input("x", InputKind::Double, None);
        let mut pow = |by: f64| {
            let by = exprs.constant(Const::f64(by));
            exprs.function(Function::Pow, x, by)
        };
        let powers = [0.0, 1.0, 2.0, 3.0].map(&mut pow);
        let square = exprs.binary(Binary::Mul, x, x);
        assert_eq!(powers[..3], [exprs.constant(Const::f64(1.0)), x, square]);
        assert_eq!(exprs.show(powers[3]), "pow(x, 3.0)");
        // As HotSpot computes it, and not as the C library may round it.
        assert!((0..1000).map(|n| 1.0 + f64::from(n) / 7.0).all(|n| Function::Pow.of(n, 2.0) == n * n));
    }
}
