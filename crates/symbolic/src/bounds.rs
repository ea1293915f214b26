//! Bounds of single expressions on a path, and the intervals that follow from them.
//!
//! A path that has checked `1 <= year && year <= 9999` cannot overflow `365 * year`. Where the conditions
//! before it are taken into account, a condition needs fewer wraps and quotients, most of the time none,
//! and the native core is several times as fast. Each condition is looked at once, when it joins the
//! path, in time linear in its size: from `sum of c_i * x_i + k <= 0` and the bounds of the others
//! follows a bound of each atom.

use crate::exprs::{Exprs, MAX_BOUNDED};
use crate::interval;
use crate::linear::Sum;
use crate::node::{Cond, Expr, Node};
use crate::op::{Binary, Cast, Ints, Kind};
use rustc_hash::FxHashMap;

/// Bounds of expressions that hold on a path. Grows and shrinks with it.
#[derive(Clone, Default, Debug)]
pub struct Bounds {
    known: FxHashMap<u32, (i64, i64)>,
    trail: Vec<(u32, Option<(i64, i64)>)>,
}

/// A mark in the history of [`Bounds`] to backtrack to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mark(usize);

impl Bounds {
    /// Nothing is known but the ranges of the inputs.
    pub fn new() -> Bounds {
        Bounds::default()
    }

    /// Where we are.
    pub fn mark(&self) -> Mark {
        Mark(self.trail.len())
    }

    /// Forgets the bounds learnt since the mark.
    pub fn undo(&mut self, mark: Mark) {
        while self.trail.len() > mark.0 {
            match self.trail.pop() {
                Some((node, Some(old))) => self.known.insert(node, old),
                Some((node, None)) => self.known.remove(&node),
                None => None,
            };
        }
    }

    /// The integers that an expression can be on the path.
    pub fn interval(&self, exprs: &Exprs, expr: Expr) -> (i64, i64) {
        let (low, high) = exprs.interval(expr);
        self.known.get(&expr.0).map_or((low, high), |known| (low.max(known.0), high.min(known.1)))
    }

    /// Takes a condition of the path into account.
    pub fn learn(&mut self, exprs: &Exprs, cond: Cond) {
        let mut open = vec![cond];
        while let Some(cond) = open.pop() {
            match exprs.nodes[cond.index() as usize].node {
                Node::And(a, b) if !cond.is_negated() => open.extend([b, a]),
                Node::Lt(a, b) | Node::Eq(a, b) => self.learn_comparison(exprs, cond, a, b),
                _ => {}
            }
        }
    }

    fn learn_comparison(&mut self, exprs: &Exprs, cond: Cond, a: Expr, b: Expr) {
        let data = &exprs.nodes[cond.index() as usize];
        if data.size > MAX_BOUNDED {
            return;
        }
        let view = View::under(exprs, self, &exprs.reachable(cond.index()));
        if !view.is_exact(a) || !view.is_exact(b) {
            return;
        }
        let Some(sum) = exprs.difference(&exprs.as_sum(a), &exprs.as_sum(b)) else { return };
        let mut found = Vec::new();
        match (data.node, cond.is_negated()) {
            (Node::Lt(..), false) => view.at_most(&sum, -1, &mut found),
            (Node::Lt(..), true) => view.at_least(&sum, 0, &mut found),
            (_, false) => {
                view.at_most(&sum, 0, &mut found);
                view.at_least(&sum, 0, &mut found);
            }
            (_, true) => view.not_zero(&sum, &mut found),
        }
        found.into_iter().for_each(|(atom, interval)| self.set(exprs, atom, interval));
    }

    /// Whether the path decides a condition: that it holds, or that it does not; `None` if
    /// the bounds do not decide it.
    pub fn decide(&self, exprs: &Exprs, cond: Cond) -> Option<bool> {
        let holds = match exprs.nodes[cond.index() as usize].node {
            Node::Lt(a, b) | Node::Eq(a, b) if exprs.nodes[cond.index() as usize].size <= MAX_BOUNDED => {
                let view = View::under(exprs, self, &exprs.reachable(cond.index()));
                let (lo, hi) = match exprs.difference(&exprs.as_sum(a), &exprs.as_sum(b)) {
                    Some(sum) if view.is_exact(a) && view.is_exact(b) => view.integer_interval(&sum),
                    _ => {
                        let ((a, b), (c, d)) = (view.interval(a), view.interval(b));
                        (i128::from(a) - i128::from(d), i128::from(b) - i128::from(c))
                    }
                };
                match exprs.nodes[cond.index() as usize].node {
                    Node::Lt(..) if hi < 0 => true,
                    Node::Lt(..) if lo >= 0 => false,
                    Node::Eq(..) if hi < 0 || lo > 0 => false,
                    Node::Eq(..) if (lo, hi) == (0, 0) => true,
                    _ => return None,
                }
            }
            _ => return cond.as_bool(),
        };
        Some(holds != cond.is_negated())
    }

    /// Whether there is no bound.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// The intervals of some nodes.
    pub(crate) fn of(&self, nodes: &[u32]) -> Box<[(u32, (i64, i64))]> {
        nodes.iter().filter_map(|node| Some((*node, self.get(*node)?))).collect()
    }

    fn get(&self, node: u32) -> Option<(i64, i64)> {
        self.known.get(&node).copied()
    }

    fn set(&mut self, exprs: &Exprs, atom: Expr, (lo, hi): (i64, i64)) {
        let old = self.get(atom.0);
        let (least, greatest) = old.unwrap_or_else(|| exprs.interval(atom));
        let new = (lo.max(least), hi.min(greatest));
        // Empty only on an infeasible path, where any answer is right.
        if new.0 <= new.1 && new != (least, greatest) {
            self.known.insert(atom.0, new);
            self.trail.push((atom.0, old));
        }
    }
}

/// Intervals of expressions, as they follow from the ranges of the inputs and perhaps
/// from the bounds of a path.
pub(crate) struct View<'a> {
    pub(crate) exprs: &'a Exprs,
    /// Intervals that are smaller than those of the expressions themselves.
    narrowed: FxHashMap<u32, (i64, i64)>,
}

impl<'a> View<'a> {
    /// The intervals by the ranges of the inputs.
    pub(crate) fn of(exprs: &'a Exprs) -> View<'a> {
        View { exprs, narrowed: FxHashMap::default() }
    }

    /// The intervals of some nodes under bounds; the nodes are given children first.
    pub(crate) fn under(exprs: &'a Exprs, bounds: &Bounds, nodes: &[u32]) -> View<'a> {
        let mut view = View::of(exprs);
        if bounds.is_empty() {
            return view;
        }
        for &index in nodes {
            let data = &exprs.nodes[index as usize];
            let (mut lo, mut hi) = (data.lo, data.hi);
            let mut changed = false;
            exprs.children(data.node, |child| changed |= view.narrowed.contains_key(&child));
            let computed = if changed { view.computed(index) } else { None };
            for (least, greatest) in computed.into_iter().chain(bounds.get(index)) {
                (lo, hi) = (lo.max(least), hi.min(greatest));
            }
            if lo <= hi && (lo, hi) != (data.lo, data.hi) {
                view.narrowed.insert(index, (lo, hi));
            }
        }
        view
    }

    /// The interval of a node, from those of its children.
    fn computed(&self, index: u32) -> Option<(i64, i64)> {
        let data = &self.exprs.nodes[index as usize];
        match data.node {
            Node::Linear(_) => self.exact_interval(data.kind, &self.exprs.as_sum(Expr(index))),
            Node::Binary(op, a, b) if data.kind.is_int() => {
                Some(self.exprs.binary_interval(op, data.kind, self.interval(a), self.interval(b)))
            }
            Node::Cast(cast, a) if cast.kinds().0.is_int() && cast.kinds().1.is_int() => {
                Some(interval::cast(cast, self.interval(a)))
            }
            Node::Unary(op, a) if data.kind.is_int() => {
                Some(interval::count(op, data.kind, self.interval(a)))
            }
            Node::Table(table, index) if data.kind.is_int() => {
                Some(self.exprs.tables.interval(table, self.interval(index)))
            }
            Node::Ite(_, a, b) if data.kind.is_int() => {
                let ((a, b), (c, d)) = (self.interval(a), self.interval(b));
                Some((a.min(c), b.max(d)))
            }
            _ => None,
        }
    }

    pub(crate) fn interval(&self, expr: Expr) -> (i64, i64) {
        match self.narrowed.get(&expr.0) {
            Some(&interval) => interval,
            None => self.exprs.interval(expr),
        }
    }

    /// The interval of the form over the integers.
    fn integer_interval(&self, sum: &Sum) -> (i128, i128) {
        sum.integer_interval(|atom| self.interval(atom))
    }

    fn exact_interval(&self, kind: Kind, sum: &Sum) -> Option<(i64, i64)> {
        self.exprs.fit(kind, self.integer_interval(sum))
    }

    /// Whether the value is that of its form over the integers.
    pub(crate) fn is_exact(&self, expr: Expr) -> bool {
        self.exprs.is_exact(expr)
            || (!self.narrowed.is_empty()
                && self.exact_interval(self.exprs.kind(expr), &self.exprs.as_sum(expr)).is_some())
    }

    /// For a form that may wrap and is compared with zero: the only multiple of 2^bits that it
    /// can be, if there is but one.
    pub(crate) fn unwrapped_zero(&self, a: Expr, b: Expr) -> Option<i128> {
        if self.is_exact(a) || self.exprs.as_raw(b) != Some(0) {
            return None;
        }
        let interval = self.integer_interval(&self.exprs.as_sum(a));
        match self.exprs.multiples(self.exprs.kind(a), interval) {
            (1, multiple) => Some(multiple),
            _ => None,
        }
    }

    /// Whether an operation takes the low bits of a form that may wrap: wrapping does not change those.
    pub(crate) fn is_unwrapped(&self, expr: Expr) -> bool {
        match self.exprs.node(expr) {
            Node::Binary(Binary::And, a, _)
            | Node::Cast(Cast::I2B | Cast::I2S | Cast::I2C | Cast::L2I, a) => !self.is_exact(a),
            _ => false,
        }
    }

    /// The bounds of the atoms that follow from `sum <= limit`.
    fn at_most(&self, sum: &Sum, limit: i128, found: &mut Vec<(Expr, (i64, i64))>) {
        let least = self.integer_interval(sum).0;
        if self.exprs.ints == Ints::Math && least <= i128::from(i64::MIN) {
            return;
        }
        for &(atom, factor) in &sum.terms {
            let (lo, hi) = self.interval(atom);
            let factor = i128::from(factor);
            let own = (factor * i128::from(lo)).min(factor * i128::from(hi));
            // factor * atom <= limit - (the least that the others can be)
            let Some(room) = limit.checked_sub(least.saturating_sub(own)) else { continue };
            let clamp = |value: i128| value.clamp(i128::from(i64::MIN), i128::from(i64::MAX)) as i64;
            found.push(if factor > 0 {
                (atom, (lo, clamp(room.div_euclid(factor))))
            } else {
                // Dividing by a negative number rounds up here: the remainder is never negative.
                (atom, (clamp(room.div_euclid(factor)), hi))
            });
        }
    }

    /// The bounds of the atoms that follow from `sum >= limit`.
    fn at_least(&self, sum: &Sum, limit: i128, found: &mut Vec<(Expr, (i64, i64))>) {
        if let Some(negative) = self.exprs.difference(&Sum::default(), sum) {
            self.at_most(&negative, -limit, found);
        }
    }

    /// The bound of a single atom that is not the constant at one end of its interval.
    fn not_zero(&self, sum: &Sum, found: &mut Vec<(Expr, (i64, i64))>) {
        let [(atom, 1 | -1)] = sum.terms[..] else { return };
        let (lo, hi) = self.interval(atom);
        let Some(end) = sum.constant.checked_mul(-sum.terms[0].1) else { return };
        if end == lo && lo < hi {
            found.push((atom, (lo + 1, hi)));
        } else if end == hi && lo < hi {
            found.push((atom, (lo, hi - 1)));
        }
    }
}
