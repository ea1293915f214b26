//! Properties of conditions and expressions that deciding and counting need.

use crate::exprs::Exprs;
use crate::node::{BITWISE, CASES, Cond, Data, Expr, HARD, Input, Node, WRAPS};
use crate::op::{Cast, Const};

impl Exprs {
    /// Whether a condition is a disequality: its opposite has fewer solutions, and is easier to count.
    pub fn is_disequality(&self, cond: Cond) -> bool {
        cond.is_negated() && matches!(self.nodes[cond.index() as usize].node, Node::Eq(..))
    }

    /// The two conditions of which this is the conjunction.
    pub fn as_and(&self, cond: Cond) -> Option<(Cond, Cond)> {
        match self.nodes[cond.index() as usize].node {
            Node::And(a, b) if !cond.is_negated() => Some((a, b)),
            _ => None,
        }
    }

    /// The two inputs of which this says that they are equal.
    pub fn as_equal_inputs(&self, cond: Cond) -> Option<(Input, Input)> {
        match self.nodes[cond.index() as usize].node {
            Node::Eq(a, b) if !cond.is_negated() => Some((self.as_input(a)?, self.as_input(b)?)),
            _ => None,
        }
    }

    /// Whether a condition is no conjunction of comparisons: some part of it is a negated conjunction.
    pub fn is_disjunction(&self, cond: Cond) -> bool {
        match self.nodes[cond.index() as usize].node {
            Node::And(..) if cond.is_negated() => true,
            Node::And(a, b) => self.is_disjunction(a) || self.is_disjunction(b),
            _ => false,
        }
    }

    /// Whether a condition is more than a conjunction of linear comparisons: it has a case distinction in it
    /// or an operation on bits, or is a disjunction.
    pub fn is_of_bits(&self, cond: Cond) -> bool {
        let traits = self.nodes[cond.index() as usize].traits;
        traits & (HARD | CASES | BITWISE) != 0 || self.is_disjunction(cond)
    }

    /// How many nodes a condition has, each once: what it costs to evaluate it. Counting costs the same.
    pub fn nodes_of(&self, cond: Cond) -> usize {
        self.reachable(cond.index()).len()
    }

    /// How many nodes a condition has when written as a tree.
    pub fn size_of(&self, cond: Cond) -> u32 {
        self.nodes[cond.index() as usize].size
    }

    /// How many nodes an expression has when written as a tree.
    pub fn size_of_expr(&self, expr: Expr) -> u32 {
        self.data(expr).size
    }

    /// Whether some input is an octet, or the program works on memory.
    pub fn has_octets(&self) -> bool {
        self.bytes.are_inputs
    }

    /// The input and the interval that a condition says it is in, if the condition says that and no more: a
    /// comparison of one integer with a constant, where nothing wraps around.
    pub fn plain_bound(&self, cond: Cond) -> Option<(Input, (i64, i64))> {
        let [input] = *self.inputs_of(cond) else { return None };
        let node = self.nodes[cond.index() as usize].node;
        let (Node::Lt(a, b) | Node::Eq(a, b)) = node else { return None };
        let (low, high) = self.interval(self.expr_of(input));
        // `input + by` on one side, a constant on the other.
        let shifted = |expr: Expr| match self.node(expr) {
            Node::Input(_) => Some(0i128),
            Node::Linear(_) if self.data(expr).traits & WRAPS == 0 => {
                let sum = self.as_sum(expr);
                let is_input = |atom: Expr| self.as_input(atom) == Some(input);
                matches!(sum.terms[..], [(atom, 1)] if is_input(atom)).then_some(i128::from(sum.constant))
            }
            _ => None,
        };
        let constant = |expr: Expr| self.as_raw(expr).map(i128::from);
        let (low, high) = (i128::from(low), i128::from(high));
        let (least, most) = match (node, cond.is_negated()) {
            (Node::Lt(..), negated) => match (shifted(a), constant(b), constant(a), shifted(b)) {
                // input + by < limit
                (Some(by), Some(limit), ..) if !negated => (low, limit - 1 - by),
                (Some(by), Some(limit), ..) => (limit - by, high),
                // limit < input + by
                (_, _, Some(limit), Some(by)) if !negated => (limit + 1 - by, high),
                (_, _, Some(limit), Some(by)) => (low, limit - by),
                _ => return None,
            },
            (_, false) => {
                let (by, value) = shifted(a).zip(constant(b)).or_else(|| shifted(b).zip(constant(a)))?;
                (value - by, value - by)
            }
            // All but one are no interval.
            _ => return None,
        };
        let clamped = |bound: i128| bound.clamp(i64::MIN.into(), i64::MAX.into()) as i64;
        Some((input, (clamped(least.max(low)), clamped(most.min(high)))))
    }

    /// Whether values of several paths were merged: conditions then have cases ([`Exprs::merged`]).
    pub fn has_merged(&self) -> bool {
        self.has_merged
    }

    /// Says that the program works on memory: its values are bytes and words.
    pub fn expect_bytes(&mut self) {
        self.bytes.are_inputs = true;
    }

    /// The only input that an integer expression depends on, if different values of the input within its
    /// range always give different values.
    ///
    /// A multiple that may wrap around is one-to-one if the factor is odd: it has an
    /// inverse modulo a power of two.
    pub fn one_to_one(&self, expr: Expr) -> Option<Input> {
        match self.node(expr) {
            Node::Input(input) if self.kind(expr).is_int() => Some(input),
            Node::Cast(Cast::I2L, inner) => self.one_to_one(inner),
            Node::Linear(_) => {
                let sum = self.as_sum(expr);
                let [(atom, factor)] = sum.terms[..] else { return None };
                let inner = self.one_to_one(atom)?;
                (self.is_exact(expr) || factor % 2 != 0).then_some(inner)
            }
            _ => None,
        }
    }

    /// The constants in a condition, in the order in which they were made.
    pub fn constants_of(&self, cond: Cond) -> Vec<Const> {
        let data = self.reachable(cond.index()).into_iter().map(|index| &self.nodes[index as usize]);
        let constant = |data: &Data| match data.node {
            Node::Const(raw) => Some(Const::from_raw(data.kind, raw)),
            _ => None,
        };
        data.filter_map(constant).collect()
    }

    /// The inputs that a condition takes for the bits of floats: integers, of which it uses the float with
    /// these bits.
    pub fn float_bits_of(&self, cond: Cond) -> Vec<Input> {
        let mut all = Vec::new();
        for index in self.reachable(cond.index()) {
            if let Node::Cast(Cast::BitsToFloat | Cast::BitsToDouble, of) = self.nodes[index as usize].node {
                all.extend(self.as_input(of));
            }
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Binary, Const, InputKind, Ints, Rel};

    #[test]
    fn what_is_one_to_one_is_known() {
        let mut exprs = Exprs::new(Ints::Wrapped);
        let x = exprs.input("x", InputKind::Int, None);
        let y = exprs.input("y", InputKind::Int, Some((0, 9)));
        let input = exprs.as_input(x);
        let constant = |exprs: &mut Exprs, n| exprs.constant(Const::I32(n));
        let (two, three) = (constant(&mut exprs, 2), constant(&mut exprs, 3));
        let twice = exprs.binary(Binary::Mul, x, two);
        let thrice = exprs.binary(Binary::Mul, x, three);
        let small = exprs.binary(Binary::Mul, y, two);
        let both = exprs.binary(Binary::Add, x, y);
        let rest = exprs.binary(Binary::Rem, x, three);
        assert_eq!(exprs.one_to_one(x), input);
        assert_eq!(exprs.one_to_one(thrice), input, "odd, and so without two values for one");
        assert_eq!(exprs.one_to_one(twice), None, "2 * 2^31 is 0");
        assert_eq!(exprs.one_to_one(small), exprs.as_input(y), "cannot wrap");
        assert_eq!((exprs.one_to_one(both), exprs.one_to_one(rest)), (None, None));
        let equal = exprs.relate(Rel::Eq, x, two);
        assert!(exprs.is_disequality(equal.negated()) && !exprs.is_disequality(equal));
    }
}
