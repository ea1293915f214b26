//! Addresses: what a linear form over memory is made of.

use crate::bounds::{Bounds, View};
use crate::exprs::Exprs;
use crate::linear::Sum;
use crate::node::{Expr, Node};
use crate::op::Kind;

impl Exprs {
    /// The constant of an integer's linear form, and the greatest common divisor of its coefficients: values
    /// are the constant plus multiples of that, modulo 2^bits. Something that is no form has 0 and 1.
    pub fn spread(&self, expr: Expr) -> (i64, i64) {
        match self.node(expr) {
            Node::Const(raw) => (raw, 0),
            Node::Linear(_) => {
                let sum = self.as_sum(expr);
                let divisor = sum.terms.iter().fold(0u64, |d, term| gcd(d, term.1.unsigned_abs()));
                (sum.constant, i64::try_from(divisor).unwrap_or(1))
            }
            _ => (0, 1),
        }
    }

    /// The constants that a case distinction of constants can be, each once, if there are at most so many.
    pub fn constant_leaves(&self, expr: Expr, most: usize) -> Option<Vec<i64>> {
        let (mut found, mut open, mut seen) = (Vec::new(), vec![expr], 0);
        while let Some(next) = open.pop() {
            seen += 1;
            match self.node(next) {
                _ if seen > 8 * most => return None,
                Node::Const(raw) if !found.contains(&raw) => found.push(raw),
                Node::Const(_) => {}
                Node::Ite(_, then, other) => open.extend([other, then]),
                _ => return None,
            }
            if found.len() > most {
                return None;
            }
        }
        found.sort_unstable();
        Some(found)
    }

    /// The interval of an expression where bounds hold.
    pub fn interval_under(&self, expr: Expr, bounds: &Bounds) -> (i64, i64) {
        if bounds.is_empty() {
            return self.interval(expr);
        }
        View::under(self, bounds, &self.reachable(expr.0)).interval(expr)
    }

    /// `(expr - minus) / by` as a form, if `by` divides every coefficient and what is left of the constant.
    ///
    /// Times `by` and plus `minus` it is `expr` modulo 2^bits; it is the quotient wherever that does not
    /// wrap.
    pub fn exact_quotient(&mut self, expr: Expr, minus: i64, by: i64) -> Option<Expr> {
        let kind = self.kind(expr);
        let sum = self.as_sum(expr);
        let wrap = |value: i64| if kind == Kind::I32 { i64::from(value as i32) } else { value };
        let constant = wrap(sum.constant.wrapping_sub(minus));
        if by <= 0 || constant % by != 0 || sum.terms.iter().any(|term| term.1 % by != 0) {
            return None;
        }
        let terms = sum.terms.iter().map(|(atom, factor)| (*atom, factor / by)).collect();
        Some(self.linear(kind, &Sum { terms, constant: constant / by }))
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use crate::{Binary, Const, Exprs, InputKind, Ints};

    #[test]
    fn an_address_is_taken_apart() {
        let mut exprs = Exprs::new(Ints::Wrapped);
        let i = exprs.input("i", InputKind::Int, None);
        let (four, base) = (exprs.constant(Const::I32(4)), exprs.constant(Const::I32(1000)));
        let scaled = exprs.binary(Binary::Mul, i, four);
        let address = exprs.binary(Binary::Add, scaled, base);
        assert_eq!(exprs.spread(address), (1000, 4));
        assert_eq!(exprs.spread(base), (1000, 0));
        assert_eq!(exprs.spread(i), (0, 1));
        assert_eq!(exprs.exact_quotient(address, 1000, 4), Some(i));
        assert_eq!(exprs.exact_quotient(address, 1001, 4), None);
        assert_eq!(exprs.exact_quotient(address, 1000, 8), None);
        let next = exprs.exact_quotient(address, 996, 4).unwrap();
        let one = exprs.constant(Const::I32(1));
        assert_eq!(next, exprs.binary(Binary::Add, i, one));
    }
}
