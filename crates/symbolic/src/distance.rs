//! How far an assignment is from a condition: what a search for inputs makes smaller.
//!
//! The branch distance of search-based testing [Korel TSE'90]: of a comparison the difference of its sides,
//! of a conjunction the sum, of a disjunction the least. Each is scaled to below 1, so that no part of a
//! conjunction outweighs the others.

use crate::assignment::Assignment;
use crate::concrete::{to_f32, to_f64, unsigned};
use crate::exprs::Exprs;
use crate::node::{Cond, Expr, Input, Node};
use crate::op::Kind;

/// Conditions nested deeper are compared by their truth alone.
const DEPTH: u32 = 64;

impl Exprs {
    /// 0 if the condition holds, and otherwise more than 0: the less the nearer it is to holding.
    pub fn distance(&self, cond: Cond, inputs: &Assignment) -> f64 {
        self.distance_in(cond, inputs, DEPTH)
    }

    fn distance_in(&self, cond: Cond, inputs: &Assignment, depth: u32) -> f64 {
        let is_negated = cond.is_negated();
        let node = self.nodes[cond.index() as usize].node;
        if let (Node::And(a, b), 1..) = (node, depth) {
            let of = |cond: Cond| self.distance_in(cond, inputs, depth - 1);
            return if is_negated { of(a.negated()).min(of(b.negated())) } else { of(a) + of(b) };
        }
        if self.holds(cond, inputs) {
            return 0.0;
        }
        let sides = match node {
            Node::Eq(a, b) | Node::Lt(a, b) | Node::FloatEq(a, b) | Node::FloatLt(a, b) => Some((a, b)),
            Node::FloatLe(a, b) => Some((a, b)),
            Node::Below(a, b) => {
                let of = |side: Expr| unsigned(self.kind(side), self.eval(side, inputs).raw()) as f64;
                return scaled((of(a) - of(b)).abs());
            }
            _ => None,
        };
        // The sides of an equality that must not hold are equal: nothing is nearer than anything else.
        match sides {
            Some((a, b)) => scaled((self.number(a, inputs) - self.number(b, inputs)).abs()),
            None => 1.0,
        }
    }

    /// The inputs that equalities of a condition define: each with the expression that it is equal to, which
    /// does not depend on it.
    pub fn definitions_in(&self, cond: Cond, found: &mut Vec<(Input, Expr)>) {
        if cond.is_negated() {
            return;
        }
        match self.nodes[cond.index() as usize].node {
            Node::And(a, b) => {
                self.definitions_in(a, found);
                self.definitions_in(b, found);
            }
            Node::Eq(a, b) | Node::FloatEq(a, b) => {
                let defined = [(a, b), (b, a)].into_iter().find_map(|(own, other)| match self.node(own) {
                    Node::Input(input) if !self.inputs_of_expr(other).contains(&input) => {
                        Some((input, other))
                    }
                    _ => None,
                });
                found.extend(defined);
            }
            _ => {}
        }
    }

    fn number(&self, expr: Expr, inputs: &Assignment) -> f64 {
        let raw = self.eval(expr, inputs).raw();
        match self.kind(expr) {
            Kind::F32 => f64::from(to_f32(raw)),
            Kind::F64 => to_f64(raw),
            Kind::I32 | Kind::I64 => raw as f64,
        }
    }
}

/// Never 0: the condition does not hold. Of NaN as far as can be.
fn scaled(gap: f64) -> f64 {
    if gap.is_finite() { (gap / (gap + 1.0)).max(f64::MIN_POSITIVE) } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use crate::{Assignment, Const, Exprs, Function, InputKind, Ints, Rel};

    #[test]
    fn nearer_inputs_have_a_smaller_distance() {
        let mut exprs = Exprs::new(Ints::Wrapped);
        let x = exprs.input("x", InputKind::Double, None);
        let sine = exprs.function(Function::Sin, x, x);
        let half = exprs.constant(Const::f64(0.5));
        let above = exprs.relate(Rel::Gt, sine, half);
        assert!(!exprs.is_expressible(above));
        let input = exprs.as_input(x).expect("an input");
        let at = |value: f64| {
            let mut model = Assignment::new();
            model.set(&exprs, input, Const::f64(value));
            exprs.distance(above, &model)
        };
        assert_eq!(at(1.0), 0.0);
        assert!(at(0.5) > 0.0 && at(0.5) < at(0.1) && at(0.1) < at(-1.5));
        assert_eq!(at(f64::INFINITY), 1.0);
    }
}
