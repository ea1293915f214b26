//! Conditions as terms, and the terms that everything is made of.

use super::digest;
use super::lin::Lin;
use super::value::Write;
use crate::node::{Cond, Expr, Node};
use crate::op::Ints;
use evergreen_term::{Fun, TermId};

impl Write<'_> {
    /// The condition or its opposite.
    pub(super) fn literal(&mut self, cond: Cond) -> TermId {
        let index = cond.index();
        // The node has been written before, so that its definitions are known already.
        let mut known = Vec::new();
        if !cond.is_negated() {
            return self.positive(index, &mut known);
        }
        match self.view.exprs.nodes[index as usize].node {
            Node::True => self.terms.bool(false),
            Node::Eq(a, b) => {
                if let Some(sides) = self.beyond_end(a, b) {
                    return self.app(Fun::Le, &sides);
                }
                let sides = self.equal_sides(a, b, &mut known);
                self.app(Fun::Distinct, &sides)
            }
            Node::Lt(a, b) => {
                let (a, b) = (self.of(a), self.of(b));
                let sides = [self.term_of(&b), self.term_of(&a)];
                self.app(Fun::Le, &sides)
            }
            Node::Below(a, b) => {
                let [a, b] = [a, b].map(|side| self.unsigned(side, &mut known));
                self.app(Fun::Le, &[b, a])
            }
            _ => {
                let positive = self.positive(index, &mut known);
                self.app(Fun::Not, &[positive])
            }
        }
    }

    pub(super) fn positive(&mut self, index: u32, definitions: &mut Vec<TermId>) -> TermId {
        if let Some(&term) = self.cache.conds.get(&index) {
            return term;
        }
        match self.view.exprs.nodes[index as usize].node {
            Node::Eq(a, b) => {
                let sides = self.equal_sides(a, b, definitions);
                self.app(Fun::Eq, &sides)
            }
            Node::Lt(a, b) => {
                let (a, b) = (self.of(a), self.of(b));
                let sides = [self.term_of(&a), self.term_of(&b)];
                self.app(Fun::Lt, &sides)
            }
            Node::Below(a, b) => {
                let sides = [a, b].map(|side| self.unsigned(side, definitions));
                self.app(Fun::Lt, &sides)
            }
            Node::And(a, b) => {
                let parts = [self.literal(a), self.literal(b)];
                self.app(Fun::And, &parts)
            }
            _ => self.terms.bool(true),
        }
    }

    /// The value as an unsigned integer: modulo 2^bits.
    fn unsigned(&mut self, side: Expr, definitions: &mut Vec<TermId>) -> TermId {
        let value = self.of(side);
        let (lo, _) = self.view.interval(side);
        if lo >= 0 {
            return self.term_of(&value);
        }
        let modulus = 1i128 << self.view.exprs.kind(side).bits();
        let value = self.modulo(&value, modulus, definitions);
        self.term_of(&value)
    }

    /// The sides of the `<=` that excludes the constant at one end of a value's interval.
    fn beyond_end(&mut self, a: Expr, b: Expr) -> Option<[TermId; 2]> {
        let end = self.view.exprs.as_raw(b).filter(|_| self.view.is_exact(a))?;
        let (lo, hi) = self.view.interval(a);
        if self.view.exprs.ints == Ints::Math && (end == i64::MIN || end == i64::MAX) {
            return None;
        }
        let value = self.of(a);
        let value = self.term_of(&value);
        match end {
            _ if end == lo => Some([self.int(i128::from(end) + 1), value]),
            _ if end == hi => Some([value, self.int(i128::from(end) - 1)]),
            _ => None,
        }
    }

    fn equal_sides(&mut self, a: Expr, b: Expr, definitions: &mut Vec<TermId>) -> [TermId; 2] {
        let (left, right) = match self.view.unwrapped_zero(a, b) {
            Some(multiple) => (self.form(a, definitions), Lin::constant(multiple)),
            None => (self.of(a), self.of(b)),
        };
        [self.term_of(&left), self.term_of(&right)]
    }

    pub(super) fn int(&mut self, value: i128) -> TermId {
        let term = self.terms.int(value);
        self.to.digests.entry(term).or_insert_with(|| digest(value));
        term
    }

    pub(super) fn term_of(&mut self, form: &Lin) -> TermId {
        let mut parts = Vec::with_capacity(form.terms.len() + 1);
        for &(term, factor) in &form.terms {
            parts.push(match factor {
                1 => term,
                _ => {
                    let factor = self.int(factor);
                    self.app(Fun::Mul, &[factor, term])
                }
            });
        }
        if form.constant != 0 || parts.is_empty() {
            parts.push(self.int(form.constant));
        }
        match parts.as_slice() {
            [only] => *only,
            _ => self.app(Fun::Add, &parts),
        }
    }

    /// # Panics
    /// If the sorts do not fit, which is a bug of this file.
    pub(super) fn app(&mut self, fun: Fun, args: &[TermId]) -> TermId {
        let term = self.terms.app(fun, args).expect("integer terms are well sorted");
        if !self.to.digests.contains_key(&term) {
            let parts: Vec<u64> = args.iter().map(|arg| self.digest_of(*arg)).collect();
            self.to.digests.insert(term, digest((fun.code(), parts)));
        }
        term
    }
}
