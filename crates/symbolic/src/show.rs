//! Expressions and conditions as people write them: `x + 1 <= y`.
//!
//! Text is for reading, never for identity: a very large expression is cut with `…`.

use crate::concrete;
use crate::exprs::Exprs;
use crate::node::{Cond, Expr, Node};
use crate::op::{Binary, Cast, Compare, Kind, Unary};
use std::fmt::Write;

/// After this many characters the rest is left out.
const LIMIT: usize = 4000;
/// Below this depth the rest is left out.
const DEPTH: u32 = 100;

/// An argument of [`Exprs::show`].
pub trait Show {
    /// Appends the text.
    fn show(self, exprs: &Exprs, out: &mut String);
}

impl Show for Expr {
    fn show(self, exprs: &Exprs, out: &mut String) {
        exprs.show_expr(self, 0, 0, out);
    }
}

impl Show for Cond {
    fn show(self, exprs: &Exprs, out: &mut String) {
        exprs.show_cond(self, 0, 0, out);
    }
}

/// How tightly an operator binds, as in Java.
fn binding(op: Binary) -> (u32, &'static str) {
    match op {
        Binary::Mul => (11, "*"),
        Binary::Div => (11, "/"),
        Binary::Rem => (11, "%"),
        Binary::Add => (10, "+"),
        Binary::Sub => (10, "-"),
        Binary::Shl => (9, "<<"),
        Binary::Shr => (9, ">>"),
        Binary::Ushr => (9, ">>>"),
        Binary::And => (6, "&"),
        Binary::Xor => (5, "^"),
        Binary::Or => (4, "|"),
        Binary::Udiv => (11, "/u"),
        Binary::Urem => (11, "%u"),
        // Written as calls.
        Binary::Min => (0, "min"),
        Binary::Max => (0, "max"),
    }
}

const COMPARISON: u32 = 7;
const AND: u32 = 3;
const OR: u32 = 2;
const TERNARY: u32 = 1;
const UNARY: u32 = 12;

impl Exprs {
    /// A condition or an expression as text, in Java's words.
    pub fn show(&self, what: impl Show) -> String {
        let mut out = String::new();
        what.show(self, &mut out);
        out
    }

    fn show_expr(&self, expr: Expr, outer: u32, depth: u32, out: &mut String) {
        if out.len() > LIMIT || depth > DEPTH {
            out.push('…');
            return;
        }
        let kind = self.kind(expr);
        match self.node(expr) {
            Node::Const(raw) => show_constant(kind, raw, out),
            Node::Input(input) => out.push_str(&self.input_of(input).name),
            Node::Linear(_) => self.show_linear(expr, outer, depth, out),
            Node::Binary(op @ (Binary::Min | Binary::Max), a, b) => {
                self.show_call(binding(op).1, &[a, b], depth, out);
            }
            Node::Binary(op, a, b) => {
                let (inner, sign) = binding(op);
                self.in_parens(inner < outer, out, |exprs, out| {
                    exprs.show_expr(a, inner, depth + 1, out);
                    let _ = write!(out, " {sign} ");
                    exprs.show_expr(b, inner + 1, depth + 1, out);
                });
            }
            Node::Unary(op, a) => {
                let name = match op {
                    Unary::Neg => {
                        out.push('-');
                        return self.show_expr(a, UNARY + 1, depth + 1, out);
                    }
                    Unary::Abs => "abs",
                    Unary::Sqrt => "sqrt",
                    Unary::Floor => "floor",
                    Unary::Ceil => "ceil",
                    Unary::Rint => "rint",
                    Unary::Trunc => "trunc",
                    Unary::Clz => "clz",
                    Unary::Ctz => "ctz",
                    Unary::Popcnt => "popcnt",
                };
                self.show_call(name, &[a], depth, out);
            }
            Node::Function(function, a, b) => {
                let args = [a, b];
                let count = 1 + usize::from(function.is_binary());
                self.show_call(function.name(), &args[..count], depth, out);
            }
            Node::Cast(cast, a) => match cast_name(cast) {
                Ok(name) => {
                    out.push_str(name);
                    self.show_expr(a, UNARY, depth + 1, out);
                }
                Err(name) => self.show_call(name, &[a], depth, out),
            },
            Node::Compare(op, a, b) => {
                let name = if op == Compare::Lcmp { "compare" } else { "compareFloats" };
                self.show_call(name, &[a, b], depth, out);
            }
            Node::Table(table, index) => {
                let _ = write!(out, "table_{:04x}[", self.tables.digest(table) & 0xffff);
                self.show_expr(index, 0, depth + 1, out);
                out.push(']');
            }
            Node::Ite(cond, a, b) => self.in_parens(outer > TERNARY, out, |exprs, out| {
                exprs.show_cond(cond, TERNARY + 1, depth + 1, out);
                out.push_str(" ? ");
                exprs.show_expr(a, TERNARY + 1, depth + 1, out);
                out.push_str(" : ");
                exprs.show_expr(b, TERNARY, depth + 1, out);
            }),
            _ => self.show_cond(Cond::positive(expr.0), outer, depth, out),
        }
    }

    fn show_call(&self, name: &str, args: &[Expr], depth: u32, out: &mut String) {
        out.push_str(name);
        out.push('(');
        for (i, arg) in args.iter().enumerate() {
            if i > 0 {
                out.push_str(", ");
            }
            self.show_expr(*arg, 0, depth + 1, out);
        }
        out.push(')');
    }

    fn in_parens(&self, needed: bool, out: &mut String, body: impl FnOnce(&Exprs, &mut String)) {
        if needed {
            out.push('(');
        }
        body(self, out);
        if needed {
            out.push(')');
        }
    }

    fn show_linear(&self, expr: Expr, outer: u32, depth: u32, out: &mut String) {
        let sum = self.as_sum(expr);
        let single = sum.terms.len() == 1 && sum.constant == 0;
        let inner = if single { 11 } else { 10 };
        let suffix = if self.kind(expr) == Kind::I64 { "L" } else { "" };
        self.in_parens(inner < outer, out, |exprs, out| {
            // Positive terms first, so that a difference does not begin with a sign.
            let (mut terms, negative): (Vec<_>, Vec<_>) = sum.terms.iter().partition(|t| t.1 > 0);
            terms.extend(negative);
            for (i, &(atom, factor)) in terms.iter().enumerate() {
                match (i, factor < 0) {
                    (0, true) => out.push('-'),
                    (0, false) => {}
                    (_, true) => out.push_str(" - "),
                    (_, false) => out.push_str(" + "),
                }
                if factor.unsigned_abs() != 1 {
                    let _ = write!(out, "{}{suffix} * ", factor.unsigned_abs());
                }
                let alone = factor == 1 || (factor == -1 && i > 0);
                exprs.show_expr(atom, if alone { 11 } else { 12 }, depth + 1, out);
            }
            if sum.constant != 0 {
                let sign = if sum.constant < 0 { '-' } else { '+' };
                let _ = write!(out, " {sign} {}{suffix}", sum.constant.unsigned_abs());
            }
        });
    }

    fn show_cond(&self, cond: Cond, outer: u32, depth: u32, out: &mut String) {
        if out.len() > LIMIT || depth > DEPTH {
            out.push('…');
            return;
        }
        let negated = cond.is_negated();
        let mut comparison = |a: Expr, sign: &str, b: Expr| {
            self.in_parens(outer > COMPARISON, out, |exprs, out| {
                exprs.show_expr(a, COMPARISON + 1, depth + 1, out);
                let _ = write!(out, " {sign} ");
                exprs.show_expr(b, COMPARISON + 1, depth + 1, out);
            });
        };
        match self.nodes[cond.index() as usize].node {
            Node::True => out.push_str(if negated { "false" } else { "true" }),
            Node::Eq(a, b) | Node::FloatEq(a, b) => comparison(a, if negated { "!=" } else { "==" }, b),
            Node::Lt(a, b) => comparison(a, if negated { ">=" } else { "<" }, b),
            Node::Below(a, b) => comparison(a, if negated { ">=u" } else { "<u" }, b),
            Node::FloatLt(a, b) if !negated => comparison(a, "<", b),
            Node::FloatLe(a, b) if !negated => comparison(a, "<=", b),
            Node::And(a, b) => {
                // A negated conjunction is a disjunction of the negated parts.
                let (inner, sign) = if negated { (OR, " || ") } else { (AND, " && ") };
                let part = |c: Cond| if negated { c.negated() } else { c };
                self.in_parens(outer > inner, out, |exprs, out| {
                    exprs.show_cond(part(a), inner, depth + 1, out);
                    out.push_str(sign);
                    exprs.show_cond(part(b), inner, depth + 1, out);
                });
            }
            _ => {
                out.push_str("!(");
                self.show_cond(cond.negated(), 0, depth + 1, out);
                out.push(')');
            }
        }
    }
}

fn show_constant(kind: Kind, raw: i64, out: &mut String) {
    let _ = match kind {
        Kind::I32 => write!(out, "{raw}"),
        Kind::I64 => write!(out, "{raw}L"),
        Kind::F32 => write!(out, "{:?}f", concrete::to_f32(raw)),
        Kind::F64 => write!(out, "{:?}", concrete::to_f64(raw)),
    };
}

/// A cast in parentheses, or (as an error) the name of a function.
fn cast_name(cast: Cast) -> Result<&'static str, &'static str> {
    Ok(match cast {
        Cast::I2L | Cast::F2L | Cast::D2L => "(long) ",
        Cast::L2I | Cast::F2I | Cast::D2I => "(int) ",
        Cast::I2B => "(byte) ",
        Cast::I2C => "(char) ",
        Cast::I2S => "(short) ",
        Cast::I2F | Cast::L2F | Cast::D2F => "(float) ",
        Cast::I2D | Cast::L2D | Cast::F2D => "(double) ",
        Cast::Ul2F => "(float) (unsigned) ",
        Cast::Ul2D => "(double) (unsigned) ",
        Cast::F2Ul | Cast::D2Ul => "(unsigned) ",
        Cast::FloatToBits => return Err("floatToIntBits"),
        Cast::BitsToFloat => return Err("intBitsToFloat"),
        Cast::DoubleToBits => return Err("doubleToLongBits"),
        Cast::BitsToDouble => return Err("longBitsToDouble"),
    })
}
