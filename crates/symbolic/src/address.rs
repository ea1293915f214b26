//! Addresses: what a linear form over memory is made of.

use crate::bounds::{Bounds, View};
use crate::concrete;
use crate::exprs::Exprs;
use crate::linear::Sum;
use crate::node::{Cond, Expr, Node};
use crate::op::Kind;

/// Constants of which the distances are looked at.
const MOST_STEPS: usize = 64;

impl Exprs {
    /// The constant of an integer's linear form, and the greatest common divisor of its coefficients: values
    /// are the constant plus multiples of that, modulo 2^bits. A case distinction of constants, or a table of
    /// them, has its least value and the divisor of the distances. Something else has 0 and 1.
    pub fn spread(&self, expr: Expr) -> (i64, i64) {
        let sum = self.as_sum(expr);
        let (mut constant, mut divisor) = (sum.constant, 0u64);
        for &(atom, factor) in &sum.terms {
            let (base, step) = self.steps(atom);
            constant = constant.wrapping_add(factor.wrapping_mul(base));
            divisor = gcd(divisor, factor.unsigned_abs().wrapping_mul(step));
        }
        (concrete::wrap(self.ints, self.kind(expr), constant), i64::try_from(divisor).unwrap_or(1))
    }

    /// The least value of an atom, and the divisor of the distances of all to it.
    fn steps(&self, atom: Expr) -> (i64, u64) {
        match self.constant_leaves(atom, MOST_STEPS).as_deref() {
            Some([least, rest @ ..]) => (*least, rest.iter().fold(0, |d, n| gcd(d, n.abs_diff(*least)))),
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
                Node::Table(table, index) => {
                    let cells = self.reachable_cells(table, index);
                    if cells.len() > 8 * most {
                        return None;
                    }
                    for cell in cells {
                        if !found.contains(cell) {
                            found.push(*cell);
                        }
                    }
                }
                _ => return None,
            }
            if found.len() > most {
                return None;
            }
        }
        found.sort_unstable();
        Some(found)
    }

    /// The case distinctions and tables that are added to make an address.
    pub fn cases_in(&self, expr: Expr) -> Vec<Expr> {
        let is_cases = |atom: Expr| matches!(self.node(atom), Node::Ite(..) | Node::Table(..));
        match self.node(expr) {
            Node::Linear(form) => {
                let terms = self.forms[form as usize].terms.iter();
                terms.filter(|(atom, factor)| *factor == 1 && is_cases(*atom)).map(|term| term.0).collect()
            }
            _ if is_cases(expr) => vec![expr],
            _ => Vec::new(),
        }
    }

    /// The condition of a case distinction and its two cases.
    pub fn as_cases(&self, expr: Expr) -> Option<(Cond, Expr, Expr)> {
        match self.node(expr) {
            Node::Ite(cond, then, other) => Some((cond, then, other)),
            _ => None,
        }
    }

    /// What a case distinction can be, if that is at most so many.
    pub fn leaves_of(&self, expr: Expr, most: usize) -> Option<Vec<Expr>> {
        let (mut found, mut open) = (Vec::new(), vec![expr]);
        while let Some(next) = open.pop() {
            match self.node(next) {
                Node::Ite(_, then, other) if open.len() < most => open.extend([other, then]),
                Node::Ite(..) => return None,
                _ => found.push(next),
            }
            if found.len() > most {
                return None;
            }
        }
        Some(found)
    }

    /// The constant of an integer's linear form, if it is one or a constant.
    pub fn constant_part(&self, expr: Expr) -> Option<i64> {
        match self.node(expr) {
            Node::Const(raw) => Some(raw),
            Node::Linear(form) => Some(self.forms[form as usize].constant),
            _ => None,
        }
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
        let mut constant = wrap(sum.constant.wrapping_sub(minus));
        let (mut terms, mut divided) = (Vec::new(), Vec::new());
        for &(atom, factor) in &sum.terms {
            if by > 0 && factor % by == 0 {
                terms.push((atom, factor / by));
                continue;
            }
            let (base, step) = self.steps(atom);
            if kind != Kind::I32
                || by <= 0
                || step.checked_mul(factor.unsigned_abs())? % by.unsigned_abs() != 0
                || step == 1
            {
                return None;
            }
            constant = wrap(constant.wrapping_add(factor.wrapping_mul(base)));
            divided.push((atom, factor, base));
        }
        if by <= 0 || constant % by != 0 {
            return None;
        }
        let mut quotient = self.linear(kind, &Sum { terms, constant: constant / by });
        for (atom, factor, base) in divided {
            // Of 32 bits each, the factor and the distance have a product of 64.
            let part = |leaf: i64| factor.wrapping_mul(leaf.wrapping_sub(base)) / by;
            let part = self.map_cells(atom, kind, &part)?;
            quotient = self.combine(kind, (1, quotient), (1, part));
        }
        Some(quotient)
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use crate::{Binary, Const, Exprs, InputKind, Ints, Rel};

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
        // One of two fields, each of four bytes.
        let zero = exprs.constant(Const::I32(0));
        let is_low = exprs.relate(Rel::Lt, i, zero);
        let (low, high) = (exprs.constant(Const::I32(1008)), exprs.constant(Const::I32(1020)));
        let field = exprs.ite(is_low, low, high);
        assert_eq!((exprs.spread(field), exprs.constant_part(field)), ((1008, 12), None));
        let three = exprs.constant(Const::I32(3));
        assert_eq!(exprs.exact_quotient(field, 1008, 4), Some(exprs.ite(is_low, zero, three)));
        assert_eq!(exprs.exact_quotient(field, 1008, 8), None);
        let both = exprs.binary(Binary::Add, field, scaled);
        assert_eq!(exprs.spread(both), (1008, 4));
        let next = exprs.exact_quotient(address, 996, 4).unwrap();
        let one = exprs.constant(Const::I32(1));
        assert_eq!(next, exprs.binary(Binary::Add, i, one));
    }
}
