//! Evaluation under an assignment, exactly as the machine would compute.
//!
//! Small expressions are evaluated by recursion without any memory of what was seen: a branch condition has a
//! handful of nodes. Large ones, which may share so much that their tree is exponential and be deeper than
//! the stack, are evaluated node by node in the order of their indices, each node once.

use crate::assignment::Assignment;
use crate::concrete;
use crate::exprs::Exprs;
use crate::node::{Cond, Expr, Node};
use crate::op::Const;
use crate::relate::float_holds;
use rustc_hash::FxHashMap;

/// Up to this size as a tree, an expression is evaluated by recursion.
const SMALL: u32 = 1000;

impl Exprs {
    /// The value of an expression.
    pub fn eval(&self, expr: Expr, inputs: &Assignment) -> Const {
        Const::from_raw(self.kind(expr), self.value(expr.0, inputs))
    }

    /// Whether a condition holds.
    pub fn holds(&self, cond: Cond, inputs: &Assignment) -> bool {
        (self.value(cond.index(), inputs) != 0) != cond.is_negated()
    }

    fn value(&self, index: u32, inputs: &Assignment) -> i64 {
        if self.nodes[index as usize].size <= SMALL {
            self.small(index, inputs)
        } else {
            self.large(index, inputs)
        }
    }

    fn small(&self, index: u32, inputs: &Assignment) -> i64 {
        self.apply(index, inputs, &mut |child| self.small(child, inputs))
    }

    fn large(&self, index: u32, inputs: &Assignment) -> i64 {
        let mut values: FxHashMap<u32, i64> = FxHashMap::default();
        for node in self.reachable(index) {
            let value = self.apply(node, inputs, &mut |child| values.get(&child).copied().unwrap_or(0));
            values.insert(node, value);
        }
        values.get(&index).copied().unwrap_or(0)
    }

    /// All nodes below and including one, children first.
    pub(crate) fn reachable(&self, index: u32) -> Vec<u32> {
        let mut seen: rustc_hash::FxHashSet<u32> = [index].into_iter().collect();
        let mut open = vec![index];
        while let Some(node) = open.pop() {
            self.children(self.nodes[node as usize].node, |child| {
                if seen.insert(child) {
                    open.push(child);
                }
            });
        }
        let mut all: Vec<u32> = seen.into_iter().collect();
        all.sort_unstable();
        all
    }

    /// The value of a node, given those of its children.
    fn apply(&self, index: u32, inputs: &Assignment, get: &mut impl FnMut(u32) -> i64) -> i64 {
        let data = &self.nodes[index as usize];
        match data.node {
            Node::True => 1,
            Node::Const(raw) => raw,
            Node::Input(input) => inputs.raw(self, input),
            Node::Linear(form) => {
                let form = &self.forms[form as usize];
                let sum = form.terms.iter().fold(form.constant, |sum, (atom, factor)| {
                    sum.wrapping_add(factor.wrapping_mul(get(atom.0)))
                });
                concrete::wrap(self.ints, data.kind, sum)
            }
            Node::Binary(op, a, b) => {
                let (a, b) = (get(a.0), get(b.0));
                concrete::binary(self.ints, op, data.kind, a, b)
            }
            Node::Unary(op, a) => concrete::unary(op, data.kind, get(a.0)),
            Node::Function(function, a, b) => {
                let (a, b) = (get(a.0), get(b.0));
                crate::function::apply(function, a, b)
            }
            Node::Cast(cast, a) => concrete::cast(cast, get(a.0)),
            Node::Compare(op, a, b) => {
                let (a, b) = (get(a.0), get(b.0));
                concrete::compare(op, a, b)
            }
            Node::Ite(cond, a, b) => {
                if (get(cond.index()) != 0) != cond.is_negated() {
                    get(a.0)
                } else {
                    get(b.0)
                }
            }
            Node::Eq(a, b) => i64::from(get(a.0) == get(b.0)),
            Node::Lt(a, b) => {
                let a = get(a.0);
                i64::from(a < get(b.0))
            }
            Node::FloatEq(a, b) | Node::FloatLt(a, b) | Node::FloatLe(a, b) => {
                let kind = self.kind(a);
                let (a, b) = (get(a.0), get(b.0));
                i64::from(float_holds(data.node, concrete::float_order(kind, a, b)))
            }
            Node::Below(a, b) => {
                let kind = self.kind(a);
                let a = concrete::unsigned(kind, get(a.0));
                i64::from(a < concrete::unsigned(kind, get(b.0)))
            }
            Node::Table(table, index) => self.tables.element(table, get(index.0)),
            Node::And(a, b) => {
                let mut holds = |c: Cond| (get(c.index()) != 0) != c.is_negated();
                i64::from(holds(a) && holds(b))
            }
        }
    }
}
