//! Smart constructors of conditions: intervals decide where they can, and equal
//! comparisons get equal handles.
//!
//! A comparison keeps two sides rather than one form against zero: bit vectors have no room for the
//! difference of two full-range values, and integers do not mind. Sides are cancelled against each other
//! wherever both stay exact. Equality needs no exactness at all, since `a = b` modulo 2^bits exactly if
//! `a - b = 0` modulo 2^bits.

use crate::concrete;
use crate::exprs::Exprs;
use crate::linear::Sum;
use crate::node::{Cond, Expr, HARD, Node};
use crate::op::{Binary, Compare, Ints, Kind, Rel};
use std::cmp::Ordering;

/// A case distinction of at most this size is compared case by case.
const MAX_TREE: u32 = 4096;

impl Exprs {
    /// The condition that two values of one kind stand in a relation; constant where intervals decide it.
    pub fn relate(&mut self, rel: Rel, a: Expr, b: Expr) -> Cond {
        if let Some(&known) = self.relate_memo.get(&(rel, a, b)) {
            return known;
        }
        let cond = if self.kind(a).is_int() {
            match rel {
                Rel::Eq => self.equal(a, b),
                Rel::Ne => self.equal(a, b).negated(),
                Rel::Lt => self.less(a, b),
                Rel::Ge => self.less(a, b).negated(),
                Rel::Gt => self.less(b, a),
                Rel::Le => self.less(b, a).negated(),
            }
        } else {
            match rel {
                Rel::Eq => self.float_equal(a, b),
                Rel::Ne => self.float_equal(a, b).negated(),
                Rel::Lt => self.float_related(Node::FloatLt(a, b)),
                Rel::Ge => self.float_related(Node::FloatLe(b, a)),
                Rel::Gt => self.float_related(Node::FloatLt(b, a)),
                Rel::Le => self.float_related(Node::FloatLe(a, b)),
            }
        };
        self.relate_memo.insert((rel, a, b), cond);
        cond
    }

    fn float_equal(&mut self, a: Expr, b: Expr) -> Cond {
        let (a, b) = self.in_order(a, b);
        self.float_related(Node::FloatEq(a, b))
    }

    fn float_related(&mut self, node: Node) -> Cond {
        let (Node::FloatEq(a, b) | Node::FloatLt(a, b) | Node::FloatLe(a, b)) = node else {
            return Cond::FALSE;
        };
        if let (Some(x), Some(y)) = (self.as_raw(a), self.as_raw(b)) {
            return Cond::from_bool(float_holds(node, concrete::float_order(self.kind(a), x, y)));
        }
        if a == b && matches!(node, Node::FloatLt(..)) {
            return Cond::FALSE;
        }
        self.cond(node, HARD)
    }

    fn equal(&mut self, a: Expr, b: Expr) -> Cond {
        let kind = self.kind(a);
        if let Some(decided) = self.split_cases(Rel::Eq, a, b) {
            return decided;
        }
        if let Some((left, right)) = self.plain_sides(a, b) {
            let ((lo, hi), (least, greatest)) = (self.interval(left), self.interval(right));
            return match left == right {
                true => Cond::TRUE,
                false if hi < least || lo > greatest => Cond::FALSE,
                false => self.cond(Node::Eq(left, right), 0),
            };
        }
        let (x, y) = (self.as_sum(a), self.as_sum(b));
        let mut difference = self.merge(kind, 1, &x, -1, &y);
        if difference.terms.first().is_none_or(|first| first.1 < 0) {
            difference = self.merge(kind, -1, &difference, 0, &Sum::default());
        }
        if difference.terms.is_empty() {
            return Cond::from_bool(difference.constant == 0);
        }
        if self.multiples(kind, self.integer_interval(&difference)).0 == 0 {
            return Cond::FALSE;
        }
        if let Some(decided) = self.equal_by_digits(kind, &difference) {
            return decided;
        }
        let (left, right) = match self.sides(kind, &difference) {
            Some(sides) => sides,
            None => (self.linear(kind, &difference), self.raw_constant(kind, 0)),
        };
        self.cond(Node::Eq(left, right), 0)
    }

    /// The sides of an equation of two atoms, or of an atom and a constant: nothing
    /// to cancel, the usual case.
    fn plain_sides(&self, a: Expr, b: Expr) -> Option<(Expr, Expr)> {
        match (self.node(a), self.node(b)) {
            (Node::Linear(_), _) | (_, Node::Linear(_)) | (Node::Const(_), Node::Const(_)) => None,
            (Node::Const(_), _) => Some((b, a)),
            (_, Node::Const(_)) => Some((a, b)),
            _ => Some(self.in_order(a, b)),
        }
    }

    /// How many multiples of 2^bits are in an interval (at most 2 are counted), and the first of them.
    ///
    /// A form of that interval is zero modulo 2^bits exactly if it is one of them.
    pub(crate) fn multiples(&self, kind: Kind, (lo, hi): (i128, i128)) -> (u8, i128) {
        if self.ints == Ints::Math {
            return (u8::from(lo <= 0 && hi >= 0), 0);
        }
        let modulus = 1i128 << kind.bits();
        let first = (lo.div_euclid(modulus) + i128::from(lo.rem_euclid(modulus) != 0)) * modulus;
        let count = u8::from(first <= hi) + u8::from(first.saturating_add(modulus) <= hi);
        (count, first)
    }

    fn less(&mut self, a: Expr, b: Expr) -> Cond {
        let ((a_lo, a_hi), (b_lo, b_hi)) = (self.interval(a), self.interval(b));
        if a_hi < b_lo {
            return Cond::TRUE;
        }
        if a_lo >= b_hi || a == b {
            return Cond::FALSE;
        }
        if let Some(decided) = self.split_cases(Rel::Lt, a, b) {
            return decided;
        }
        if let Some(decided) = self.split_sign(a, b) {
            return decided;
        }
        let (mut a, mut b) = (a, b);
        let kind = self.kind(a);
        if self.plain_sides(a, b).is_none()
            && self.is_exact(a)
            && self.is_exact(b)
            && let Some(difference) = self.difference(&self.as_sum(a), &self.as_sum(b))
        {
            let (lo, hi) = self.integer_interval(&difference);
            if hi < 0 {
                return Cond::TRUE;
            }
            if lo >= 0 {
                return Cond::FALSE;
            }
            if let Some(sides) = self.sides(kind, &difference) {
                (a, b) = sides;
            }
        }
        // Constants stand on the right: k < b is not b < k + 1.
        if let Some(constant) = self.as_raw(a)
            && let Some(next) = constant.checked_add(1)
        {
            let next = self.raw_constant(kind, next);
            return self.cond(Node::Lt(b, next), 0).negated();
        }
        self.cond(Node::Lt(a, b), 0)
    }

    /// The sign of a bit operation is that of its sides: `(x ^ sum) & (y ^ sum) < 0` is how Java code sees
    /// that a sum has overflowed. Integers can say it of the sides, and not of the operation. The bits of C
    /// programs are bytes, and stay together.
    fn split_sign(&mut self, a: Expr, b: Expr) -> Option<Cond> {
        let (value, is_negative) = match (self.as_raw(a), self.as_raw(b)) {
            (None, Some(0)) => (a, true),
            (Some(-1), None) => (b, false),
            _ => return None,
        };
        let Node::Binary(op @ (Binary::And | Binary::Or | Binary::Xor), x, y) = self.node(value) else {
            return None;
        };
        if self.has_bytes() || self.as_raw(x).is_some() || self.as_raw(y).is_some() {
            return None;
        }
        let zero = self.raw_constant(self.kind(value), 0);
        let (x, y) = (self.relate(Rel::Lt, x, zero), self.relate(Rel::Lt, y, zero));
        let negative = match op {
            Binary::And => self.and(x, y),
            Binary::Or => self.or(x, y),
            _ => {
                let (one, other) = (self.and(x, y.negated()), self.and(x.negated(), y));
                self.or(one, other)
            }
        };
        Some(if is_negative { negative } else { negative.negated() })
    }

    /// Comparisons of three-way comparisons and of case distinctions with a constant.
    fn split_cases(&mut self, rel: Rel, a: Expr, b: Expr) -> Option<Cond> {
        let (tree, constant, swapped) = match (self.as_raw(a), self.as_raw(b)) {
            (None, Some(constant)) => (a, constant, false),
            (Some(constant), None) => (b, constant, true),
            _ => return None,
        };
        let holds =
            |value: i64| if swapped { rel.holds(constant, value) } else { rel.holds(value, constant) };
        if let Some((op, x, y)) = self.as_compare(tree) {
            return Some(self.compared(op, x, y, holds));
        }
        if let Node::Table(table, index) = self.node(tree) {
            return self.cells_that(table, index, holds);
        }
        let Node::Ite(cond, then, other) = self.node(tree) else { return None };
        if self.data(tree).size > MAX_TREE {
            return None;
        }
        let (then, other) = if swapped {
            (self.relate(rel, a, then), self.relate(rel, a, other))
        } else {
            (self.relate(rel, then, b), self.relate(rel, other, b))
        };
        // Worth it only if a case is decided; otherwise the case distinction would just be written twice.
        let decided = then == other || then.as_bool().is_some() || other.as_bool().is_some();
        decided.then(|| self.cases(cond, then, other))
    }

    /// `then` where `cond` holds, `other` elsewhere.
    fn cases(&mut self, cond: Cond, then: Cond, other: Cond) -> Cond {
        if then == other {
            return then;
        }
        match (then.as_bool(), other.as_bool()) {
            (Some(true), _) => self.or(cond, other),
            (Some(false), _) => self.and(cond.negated(), other),
            (_, Some(true)) => self.or(cond.negated(), then),
            (_, Some(false)) => self.and(cond, then),
            _ => {
                let (yes, no) = (self.and(cond, then), self.and(cond.negated(), other));
                self.or(yes, no)
            }
        }
    }

    /// The condition that a three-way comparison is one of the values that `holds` accepts.
    fn compared(&mut self, op: Compare, a: Expr, b: Expr, holds: impl Fn(i64) -> bool) -> Cond {
        let (mut less, mut same, mut more) = (holds(-1), holds(0), holds(1));
        // With NaN the comparison gives one value; if that is accepted, the opposite is
        // written, which excludes NaN.
        let flip = op != Compare::Lcmp && holds(op.unordered());
        if flip {
            (less, same, more) = (!less, !same, !more);
        }
        let cond = match (less, same, more) {
            (false, false, false) => Cond::FALSE,
            (true, false, false) => self.relate(Rel::Lt, a, b),
            (false, true, false) => self.relate(Rel::Eq, a, b),
            (false, false, true) => self.relate(Rel::Gt, a, b),
            (true, true, false) => self.relate(Rel::Le, a, b),
            (false, true, true) => self.relate(Rel::Ge, a, b),
            (true, false, true) if op == Compare::Lcmp => self.relate(Rel::Ne, a, b),
            (true, true, true) if op == Compare::Lcmp => Cond::TRUE,
            (true, same, true) => {
                let rel = if same { (Rel::Le, Rel::Ge) } else { (Rel::Lt, Rel::Gt) };
                let (below, above) = (self.relate(rel.0, a, b), self.relate(rel.1, a, b));
                self.or(below, above)
            }
        };
        if flip { cond.negated() } else { cond }
    }

    /// Both conditions.
    pub fn and(&mut self, a: Cond, b: Cond) -> Cond {
        match (a.as_bool(), b.as_bool()) {
            (Some(false), _) | (_, Some(false)) => Cond::FALSE,
            (Some(true), _) => b,
            (_, Some(true)) => a,
            _ if a == b => a,
            _ if a == b.negated() => Cond::FALSE,
            _ => match self.one_comparison(a, b).or_else(|| self.one_comparison(b, a)) {
                Some(both) => both,
                None => {
                    let (a, b) = self.conds_in_order(a, b);
                    self.cond(Node::And(a, b), 0)
                }
            },
        }
    }

    /// `x >= y` and `x != y` are `x > y`; `x >= y` and `y >= x` are `x == y`.
    fn one_comparison(&mut self, a: Cond, b: Cond) -> Option<Cond> {
        if !a.is_negated() || !b.is_negated() {
            return None;
        }
        let node = |exprs: &Exprs, cond: Cond| exprs.nodes[cond.index() as usize].node;
        match (node(self, a), node(self, b)) {
            (Node::Lt(x, y), Node::Eq(v, w)) if (x, y) == (v, w) || (x, y) == (w, v) => {
                Some(self.relate(Rel::Gt, x, y))
            }
            (Node::Lt(x, y), Node::Lt(v, w)) if (x, y) == (w, v) => Some(self.relate(Rel::Eq, x, y)),
            _ => None,
        }
    }

    /// All of the conditions.
    pub fn all_of(&mut self, conditions: &[Cond]) -> Cond {
        conditions.iter().fold(Cond::TRUE, |all, one| self.and(all, *one))
    }

    /// At least one of several conditions.
    pub fn any_of(&mut self, conditions: &[Cond]) -> Cond {
        conditions.iter().fold(Cond::FALSE, |any, one| self.or(any, *one))
    }

    /// At least one of the conditions.
    pub fn or(&mut self, a: Cond, b: Cond) -> Cond {
        self.and(a.negated(), b.negated()).negated()
    }
}

/// Whether a comparison of floats holds for operands in this order.
pub(crate) fn float_holds(node: Node, order: Option<Ordering>) -> bool {
    match node {
        Node::FloatEq(..) => order == Some(Ordering::Equal),
        Node::FloatLt(..) => order == Some(Ordering::Less),
        _ => matches!(order, Some(Ordering::Less | Ordering::Equal)),
    }
}
