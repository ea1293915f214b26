//! An order of expressions that does not depend on the order of their creation.
//!
//! Sums and commutative operations keep their sides sorted, so that equal ones are one node. Sorted by the
//! numbers of nodes, the same condition would be `x + y < z` in one arena and `y + x < z` in another, which
//! has met `y` first: another text, and perhaps another model from a solver. So inputs are sorted by their
//! names, with numbers in them as numbers (`a[2]` before `a[10]`), and other expressions come after them, by
//! a digest of their structure. The digest is 64 bits; if two are equal, the numbers of the nodes decide, and
//! nothing is lost but this independence.
//!
//! Names are compared when an input is made: each gets a label between those of its neighbours, and labels
//! are spread anew where there is no room, which leaves their order as it was.

use crate::exprs::Exprs;
use crate::node::{Cond, Expr, Input, Node};
use crate::op::{InputKind, Kind};
use rustc_hash::FxHasher;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::ops::Bound::{Excluded, Unbounded};

/// An expression that is no input comes after all labels.
const NO_INPUT: u64 = 1 << 63;
/// Between two labels at the end.
const STEP: u64 = 1 << 32;

/// The sort key of an input: its name, type and range.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Sorted {
    name: Box<str>,
    kind: InputKind,
    range: Option<(i64, i64)>,
}

impl Ord for Sorted {
    fn cmp(&self, other: &Sorted) -> Ordering {
        let rest = || (self.kind, self.range).cmp(&(other.kind, other.range));
        natural(&self.name, &other.name).then_with(rest)
    }
}

impl PartialOrd for Sorted {
    fn partial_cmp(&self, other: &Sorted) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Compares names, with the numbers in them as numbers.
fn natural(a: &str, b: &str) -> Ordering {
    let (mut left, mut right) = (a.as_bytes(), b.as_bytes());
    loop {
        let (Some(&x), Some(&y)) = (left.first(), right.first()) else {
            // 01 and 1 are equal numbers, but other names.
            return left.len().cmp(&right.len()).then_with(|| a.cmp(b));
        };
        if x.is_ascii_digit() && y.is_ascii_digit() {
            let number = |text: &[u8]| {
                let digits = text.iter().take_while(|c| c.is_ascii_digit()).count();
                let zeros = text[..digits].iter().take_while(|c| **c == b'0').count();
                (digits, digits - zeros, zeros)
            };
            let (m, n) = (number(left), number(right));
            let order = (m.1.cmp(&n.1)).then_with(|| left[m.2..m.0].cmp(&right[n.2..n.0]));
            if order != Ordering::Equal {
                return order;
            }
            (left, right) = (&left[m.0..], &right[n.0..]);
        } else if x != y {
            return x.cmp(&y);
        } else {
            (left, right) = (&left[1..], &right[1..]);
        }
    }
}

/// The labels of inputs, in their order.
#[derive(Default)]
pub(crate) struct Labels(BTreeMap<Sorted, (Input, u64)>);

impl Exprs {
    /// Gives a new input its place among the others.
    pub(crate) fn label(
        &mut self,
        input: Input,
        name: &str,
        kind: InputKind,
        range: Option<(i64, i64)>,
    ) -> u64 {
        let key = Sorted { name: name.into(), kind, range };
        let before = self.labels.0.range(..&key).next_back().map_or(0, |(_, (_, label))| *label);
        let after = self.labels.0.range((Excluded(&key), Unbounded)).next().map(|(_, (_, label))| *label);
        let label = match after {
            None => before + STEP,
            Some(after) => before + (after - before) / 2,
        };
        let no_room = label <= before || label >= NO_INPUT || Some(label) == after;
        self.labels.0.insert(key, (input, label));
        if no_room {
            self.relabel();
            return self.nodes[self.inputs[input.index()].expr.0 as usize].rank;
        }
        label
    }

    /// Spreads all labels.
    fn relabel(&mut self) {
        let gap = NO_INPUT / (self.labels.0.len() as u64 + 2);
        let mut next = 0;
        for (input, label) in self.labels.0.values_mut() {
            next += gap;
            *label = next;
            self.nodes[self.inputs[input.index()].expr.0 as usize].rank = next;
        }
    }

    /// Where an expression stands in the order.
    pub(crate) fn rank(&self, expr: Expr) -> (u64, u32) {
        (self.nodes[expr.0 as usize].rank, expr.0)
    }

    /// Two expressions in order.
    pub(crate) fn in_order(&self, a: Expr, b: Expr) -> (Expr, Expr) {
        if self.rank(a) <= self.rank(b) { (a, b) } else { (b, a) }
    }

    /// Two conditions in order: by the first of their inputs, the smaller one first,
    /// as people would write them.
    pub(crate) fn conds_in_order(&self, a: Cond, b: Cond) -> (Cond, Cond) {
        let rank = |cond: Cond| {
            let data = &self.nodes[cond.index() as usize];
            let inputs = self.inputs_of(cond).iter();
            let first = inputs.map(|input| self.rank(self.expr_of(*input)).0).min();
            (first, data.size, data.rank, cond)
        };
        if rank(a) <= rank(b) { (a, b) } else { (b, a) }
    }

    /// Sorts inputs by their names.
    pub fn sort_by_name(&self, inputs: &mut [Input]) {
        inputs.sort_unstable_by_key(|input| self.rank(self.expr_of(*input)));
    }

    /// A number that depends on the structure of a node and the names in it, not on the arena.
    pub(crate) fn digest_of(&self, node: Node, kind: Kind) -> u64 {
        let mut hasher = FxHasher::default();
        kind.hash(&mut hasher);
        std::mem::discriminant(&node).hash(&mut hasher);
        let of = |index: u32| self.nodes[index as usize].digest;
        let cond = |cond: Cond| (of(cond.index()), cond.is_negated());
        match node {
            Node::True => {}
            Node::Const(raw) => raw.hash(&mut hasher),
            Node::Input(input) => {
                let info = self.input_of(input);
                (info.asked_name(), info.kind, info.range).hash(&mut hasher);
            }
            Node::Linear(form) => {
                let form = &self.forms[form as usize];
                form.constant.hash(&mut hasher);
                form.terms.iter().for_each(|(atom, factor)| (of(atom.0), factor).hash(&mut hasher));
            }
            Node::Binary(op, a, b) => (op, of(a.0), of(b.0)).hash(&mut hasher),
            Node::Function(op, a, b) => (op, of(a.0), of(b.0)).hash(&mut hasher),
            Node::Unary(op, a) => (op, of(a.0)).hash(&mut hasher),
            Node::Cast(op, a) => (op, of(a.0)).hash(&mut hasher),
            Node::Compare(op, a, b) => (op, of(a.0), of(b.0)).hash(&mut hasher),
            Node::Ite(c, a, b) => (cond(c), of(a.0), of(b.0)).hash(&mut hasher),
            Node::Eq(a, b)
            | Node::Lt(a, b)
            | Node::Below(a, b)
            | Node::FloatEq(a, b)
            | Node::FloatLt(a, b)
            | Node::FloatLe(a, b) => (of(a.0), of(b.0)).hash(&mut hasher),
            Node::Table(table, index) => (self.tables.digest(table), of(index.0)).hash(&mut hasher),
            Node::And(a, b) => (cond(a), cond(b)).hash(&mut hasher),
        }
        hasher.finish()
    }

    /// The rank of a node that is no input.
    pub(crate) fn rank_of_digest(digest: u64) -> u64 {
        digest | NO_INPUT
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::op::{Binary, Ints, Rel};
    use evergreen_structures::Random;

    #[test]
    fn numbers_in_names_are_numbers() {
        let mut names = ["a[10]", "a[2]", "b", "a", "a[02]", "a[2].x", "", "a.length", "x9", "x10y", "x10"];
        names.sort_by(|a, b| natural(a, b));
        assert_eq!(
            names,
            ["", "a", "a.length", "a[02]", "a[2]", "a[2].x", "a[10]", "b", "x9", "x10", "x10y"]
        );
    }

    #[test]
    fn conditions_are_the_same_in_whatever_order_inputs_are_met() {
        let mut random = Random::new(12345);
        let mut below = |n: usize| random.below(n);
        let names: Vec<String> = (0..12).map(|i| format!("a[{i}]")).collect();
        let shown = |order: &[usize]| {
            let mut exprs = Exprs::new(Ints::Wrapped);
            for &i in order {
                exprs.input(&names[i], InputKind::Int, None);
                // Expressions made earlier.
                let (x, y) =
                    (exprs.input(&names[i], InputKind::Int, None), exprs.input("z", InputKind::Int, None));
                exprs.binary(Binary::Mul, x, y);
            }
            let inputs: Vec<Expr> = names.iter().map(|n| exprs.input(n, InputKind::Int, None)).collect();
            let mut all = Vec::new();
            for i in 0..10 {
                let (a, b, c) = (inputs[i], inputs[i + 1], inputs[i + 2]);
                let sum = exprs.binary(Binary::Add, c, a);
                let product = exprs.binary(Binary::Mul, b, a);
                let bits = exprs.binary(Binary::Xor, product, sum);
                let less = exprs.relate(Rel::Lt, sum, b);
                let equal = exprs.relate(Rel::Eq, bits, c);
                let same = exprs.relate(Rel::Ne, c, sum);
                let both = exprs.and(equal, less);
                all.extend([less, equal, same, both].map(|cond| exprs.show(cond)));
            }
            all
        };
        let first = shown(&[]);
        for _ in 0..30 {
            let order: Vec<usize> = (0..8).map(|_| below(12)).collect();
            assert_eq!(shown(&order), first);
        }
    }

    #[test]
    fn there_is_always_room_for_one_more() {
        let mut exprs = Exprs::new(Ints::Wrapped);
        // Each comes between the two before it.
        let mut names = vec!["a".to_string(), "b".to_string()];
        for i in 0..300 {
            names.push(format!("a{}", "b".repeat(300 - i)));
        }
        let all: Vec<Input> = names
            .iter()
            .map(|name| {
                let expr = exprs.input(name, InputKind::Int, None);
                exprs.as_input(expr).unwrap()
            })
            .collect();
        let mut sorted = all.clone();
        exprs.sort_by_name(&mut sorted);
        let named: Vec<&str> = sorted.iter().map(|input| exprs.input_of(*input).name.as_str()).collect();
        assert!(named.is_sorted());
    }
}
