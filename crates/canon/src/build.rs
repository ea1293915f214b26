//! Smart constructors: every way of writing a comparison, a negation or a sum leads to one node.
//!
//! Each rule is an equivalence of SMT-LIB terms, so a node and the term it was made from are satisfied by the
//! same models. The rules are few on purpose: they undo *notation* (flipped comparisons, nested conjunctions,
//! negations in different places, `(= false p)`), they do not try to solve.
//!
//! - Negation moves inward over `and`/`or` and cancels; `not (t <= 0)` is `-t + 1 <= 0` over the integers.
//! - `=>` is `or`; `xor` is a negated equality; `exists` is a negated `forall`.
//! - Of the comparisons of bit vectors and reals only "less than" remains: `a >= b` is `not (a < b)`.
//! - Integer comparisons become `sum + k <= 0` or `sum + k = 0`, divided by the greatest common divisor of
//!   the coefficients, with the constant rounded up (Green 3.2; the rounding is the usual tightening).
//!
//! Coefficients are 64-bit; a sum that would overflow keeps its structure instead, which is
//! only a less canonical form.

use crate::node::{Edge, Graph, NodeId, Shape, put_varint, tag};
use evergreen_term::Fun;

/// A linear integer expression: sorted by node, no zero coefficients.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(crate) struct Linear {
    pub(crate) terms: Vec<Edge>,
    pub(crate) constant: i64,
}

impl Linear {
    pub(crate) fn constant(constant: i64) -> Linear {
        Linear { terms: Vec::new(), constant }
    }

    /// `self + factor * other`; `None` on overflow.
    pub(crate) fn add_scaled(&self, other: &Linear, factor: i64) -> Option<Linear> {
        let constant = self.constant.checked_add(other.constant.checked_mul(factor)?)?;
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len());
        let (mut i, mut j) = (0, 0);
        while i < self.terms.len() || j < other.terms.len() {
            let left = self.terms.get(i);
            let right = other.terms.get(j);
            match (left, right) {
                (Some(l), Some(r)) if l.to == r.to => {
                    let label = l.label.checked_add(r.label.checked_mul(factor)?)?;
                    if label != 0 {
                        terms.push(Edge { to: l.to, label });
                    }
                    i += 1;
                    j += 1;
                }
                (Some(l), r) if r.is_none_or(|r| l.to < r.to) => {
                    terms.push(*l);
                    i += 1;
                }
                (_, Some(r)) => {
                    let label = r.label.checked_mul(factor)?;
                    if label != 0 {
                        terms.push(Edge { to: r.to, label });
                    }
                    j += 1;
                }
                (_, None) => unreachable!("one side has terms left"),
            }
        }
        Some(Linear { terms, constant })
    }

    pub(crate) fn scaled(&self, factor: i64) -> Option<Linear> {
        Linear::default().add_scaled(self, factor)
    }

    fn gcd(&self) -> i64 {
        self.terms.iter().fold(0u64, |g, e| gcd(g, e.label.unsigned_abs())).try_into().unwrap_or(1)
    }

    /// Whether every number can be negated.
    fn negatable(&self) -> bool {
        self.constant != i64::MIN && self.terms.iter().all(|e| e.label != i64::MIN)
    }
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

fn fun_head(fun: Fun) -> [u8; 2] {
    [tag::FUN, fun.code()]
}

impl Graph {
    pub(crate) fn is_fun(&self, id: NodeId, fun: Fun) -> bool {
        self.head(id) == fun_head(fun)
    }

    pub(crate) fn boolean(value: bool) -> NodeId {
        if value { NodeId::TRUE } else { NodeId::FALSE }
    }

    /// A function applied to children as they stand.
    pub(crate) fn fun(&mut self, fun: Fun, children: &[NodeId]) -> NodeId {
        let mut edges: Vec<Edge> = children.iter().map(|&to| Edge { to, label: 0 }).collect();
        let shape = if fun.commutes() { Shape::Unordered } else { Shape::Ordered };
        if shape == Shape::Unordered {
            edges.sort_unstable();
        }
        self.inner(&fun_head(fun), shape, 0, &edges)
    }

    /// Whether two nodes are literals of one sort, which are equal only when they are the same node.
    fn are_literals(&self, a: NodeId, b: NodeId) -> bool {
        let literal = |t| matches!(t, tag::INT | tag::BIG_INT | tag::REAL | tag::BITVEC | tag::STRING);
        literal(self.tag(a)) && literal(self.tag(b))
    }

    /// Whether a node is a literal of any sort.
    pub(crate) fn is_literal(&self, id: NodeId) -> bool {
        matches!(self.tag(id), tag::TRUE | tag::FALSE) || self.are_literals(id, id)
    }

    pub(crate) fn not(&mut self, id: NodeId) -> NodeId {
        self.not_within(id, 64)
    }

    /// Negation moved inward at most `depth` levels; the bound keeps the native stack small on deep nests.
    fn not_within(&mut self, id: NodeId, depth: u32) -> NodeId {
        match self.tag(id) {
            tag::TRUE => return NodeId::FALSE,
            tag::FALSE => return NodeId::TRUE,
            tag::LE_ZERO => {
                let linear = Linear { terms: self.edges(id).to_vec(), constant: self.node(id).constant };
                let negated = linear.scaled(-1).and_then(|l| l.add_scaled(&Linear::constant(1), 1));
                if let Some(negated) = negated {
                    return self.at_most_zero(negated);
                }
            }
            tag::FUN if self.is_fun(id, Fun::Not) => return self.edges(id)[0].to,
            tag::FUN if depth > 0 && (self.is_fun(id, Fun::And) || self.is_fun(id, Fun::Or)) => {
                let dual = self.is_fun(id, Fun::And);
                let children: Vec<NodeId> = self.edges(id).iter().map(|e| e.to).collect();
                let negated: Vec<NodeId> =
                    children.into_iter().map(|c| self.not_within(c, depth - 1)).collect();
                return if dual { self.or(&negated) } else { self.and(&negated) };
            }
            _ => {}
        }
        self.fun(Fun::Not, &[id])
    }

    pub(crate) fn and(&mut self, children: &[NodeId]) -> NodeId {
        self.junction(Fun::And, NodeId::TRUE, NodeId::FALSE, children)
    }

    pub(crate) fn or(&mut self, children: &[NodeId]) -> NodeId {
        self.junction(Fun::Or, NodeId::FALSE, NodeId::TRUE, children)
    }

    fn junction(&mut self, fun: Fun, unit: NodeId, zero: NodeId, children: &[NodeId]) -> NodeId {
        let mut flat: Vec<NodeId> = Vec::with_capacity(children.len());
        for &c in children {
            if self.is_fun(c, fun) {
                flat.extend(self.edges(c).iter().map(|e| e.to));
            } else {
                flat.push(c);
            }
        }
        flat.retain(|&c| c != unit);
        flat.sort_unstable();
        flat.dedup();
        let contradicts =
            |c: &NodeId| self.is_fun(*c, Fun::Not) && flat.binary_search(&self.edges(*c)[0].to).is_ok();
        if flat.contains(&zero) || flat.iter().any(contradicts) {
            return zero;
        }
        match flat[..] {
            [] => unit,
            [only] => only,
            _ => self.fun(fun, &flat),
        }
    }

    /// `a = b` for truth values: negations are pulled out.
    pub(crate) fn iff(&mut self, a: NodeId, b: NodeId) -> NodeId {
        let (a, flip_a) = self.without_not(a);
        let (b, flip_b) = self.without_not(b);
        let equal = match (a, b) {
            _ if a == b => NodeId::TRUE,
            (NodeId::TRUE, x) | (x, NodeId::TRUE) => x,
            (NodeId::FALSE, x) | (x, NodeId::FALSE) => self.not(x),
            _ => self.fun(Fun::Eq, &[a, b]),
        };
        if flip_a != flip_b { self.not(equal) } else { equal }
    }

    /// Exclusive or of any number of truth values: pairs cancel, negations are pulled out.
    pub(crate) fn xor(&mut self, children: &[NodeId]) -> NodeId {
        let mut odd = false;
        let mut flat = Vec::new();
        for &c in children {
            let (c, negated) = self.without_not(c);
            odd ^= negated;
            match c {
                NodeId::TRUE => odd = !odd,
                NodeId::FALSE => {}
                _ if self.is_fun(c, Fun::Xor) => flat.extend(self.edges(c).iter().map(|e| e.to)),
                _ => flat.push(c),
            }
        }
        flat.sort_unstable();
        let mut kept: Vec<NodeId> = Vec::with_capacity(flat.len());
        for c in flat {
            if kept.last() == Some(&c) {
                kept.pop();
            } else {
                kept.push(c);
            }
        }
        let node = match kept[..] {
            [] => NodeId::FALSE,
            [only] => only,
            [a, b] => {
                let equal = self.iff(a, b);
                self.not(equal)
            }
            _ => self.fun(Fun::Xor, &kept),
        };
        if odd { self.not(node) } else { node }
    }

    fn without_not(&self, id: NodeId) -> (NodeId, bool) {
        if self.is_fun(id, Fun::Not) { (self.edges(id)[0].to, true) } else { (id, false) }
    }

    /// `a = b` for anything but truth values and integers.
    pub(crate) fn equal(&mut self, a: NodeId, b: NodeId) -> NodeId {
        if a == b {
            return NodeId::TRUE;
        }
        if self.are_literals(a, b) {
            return NodeId::FALSE;
        }
        // (= literal (ite c literal literal)) is a condition in disguise, common in compiled bit-vector code.
        for (choice, literal) in [(a, b), (b, a)] {
            if self.is_fun(choice, Fun::Ite) {
                let [c, t, e] = [0, 1, 2].map(|i| self.edges(choice)[i].to);
                if self.are_literals(t, literal) && self.are_literals(e, literal) && t != e {
                    return match literal {
                        l if l == t => c,
                        l if l == e => self.not(c),
                        _ => NodeId::FALSE,
                    };
                }
            }
        }
        self.fun(Fun::Eq, &[a, b])
    }

    /// `a < b` under a strict comparison of bit vectors or reals.
    pub(crate) fn less(&mut self, fun: Fun, a: NodeId, b: NodeId) -> NodeId {
        if a == b { NodeId::FALSE } else { self.fun(fun, &[a, b]) }
    }

    pub(crate) fn ite(&mut self, c: NodeId, t: NodeId, e: NodeId, is_bool: bool) -> NodeId {
        match c {
            NodeId::TRUE => return t,
            NodeId::FALSE => return e,
            _ if t == e => return t,
            _ => {}
        }
        let (c, flipped) = self.without_not(c);
        let (t, e) = if flipped { (e, t) } else { (t, e) };
        if is_bool {
            match (t, e) {
                (NodeId::TRUE, _) => return self.or(&[c, e]),
                (_, NodeId::FALSE) => return self.and(&[c, t]),
                (NodeId::FALSE, _) => {
                    let n = self.not(c);
                    return self.and(&[n, e]);
                }
                (_, NodeId::TRUE) => {
                    let n = self.not(c);
                    return self.or(&[n, t]);
                }
                _ => {}
            }
        }
        self.fun(Fun::Ite, &[c, t, e])
    }

    /// An associative and commutative function over any number of children.
    pub(crate) fn flat(&mut self, fun: Fun, children: &[NodeId]) -> NodeId {
        let mut flat = Vec::with_capacity(children.len());
        for &c in children {
            if self.is_fun(c, fun) {
                flat.extend(self.edges(c).iter().map(|e| e.to));
            } else {
                flat.push(c);
            }
        }
        match flat[..] {
            [only] => only,
            _ => self.fun(fun, &flat),
        }
    }

    /// An integer literal.
    pub(crate) fn integer(&mut self, value: i64) -> NodeId {
        self.inner(&[tag::INT], Shape::Ordered, value, &[])
    }

    /// The linear view of an integer node.
    pub(crate) fn linear(&self, id: NodeId) -> Linear {
        match self.tag(id) {
            tag::INT => Linear::constant(self.node(id).constant),
            tag::SUM => Linear { terms: self.edges(id).to_vec(), constant: self.node(id).constant },
            _ => Linear { terms: vec![Edge { to: id, label: 1 }], constant: 0 },
        }
    }

    /// The node of a linear expression.
    pub(crate) fn sum(&mut self, linear: Linear) -> NodeId {
        match linear.terms[..] {
            [] => self.integer(linear.constant),
            [Edge { to, label: 1 }] if linear.constant == 0 => to,
            _ => self.inner(&[tag::SUM], Shape::Unordered, linear.constant, &linear.terms),
        }
    }

    /// `linear <= 0` over the integers.
    pub(crate) fn at_most_zero(&mut self, linear: Linear) -> NodeId {
        if linear.terms.is_empty() {
            return Graph::boolean(linear.constant <= 0);
        }
        let g = linear.gcd();
        let terms: Vec<Edge> = linear.terms.iter().map(|e| Edge { to: e.to, label: e.label / g }).collect();
        // sum + k <= 0 with g dividing the sum: sum/g <= floor(-k/g), that is sum/g + ceil(k/g) <= 0.
        let constant = linear.constant.div_euclid(g) + i64::from(linear.constant.rem_euclid(g) != 0);
        self.inner(&[tag::LE_ZERO], Shape::Unordered, constant, &terms)
    }

    /// `linear = 0` over the integers; `None` when the numbers are too large to negate.
    pub(crate) fn is_zero(&mut self, linear: Linear) -> Option<NodeId> {
        if linear.terms.is_empty() {
            return Some(Graph::boolean(linear.constant == 0));
        }
        if !linear.negatable() {
            return None;
        }
        let g = linear.gcd();
        if linear.constant % g != 0 {
            return Some(NodeId::FALSE);
        }
        // Hash-consing wants one orientation: the first coefficient is positive. Which term is first is an
        // accident of this arena; the byte form chooses the sign anew, by the labels.
        let sign = linear.terms[0].label.signum();
        let terms: Vec<Edge> =
            linear.terms.iter().map(|e| Edge { to: e.to, label: e.label / g * sign }).collect();
        let constant = linear.constant / g * sign;
        Some(self.inner(&[tag::EQ_ZERO], Shape::Signed, constant, &terms))
    }

    /// A product of integer expressions: constants are pulled out; `None` on overflow.
    pub(crate) fn product(&mut self, factors: &[NodeId]) -> Option<NodeId> {
        let mut factor = 1i64;
        let mut rest: Vec<NodeId> = Vec::new();
        for &f in factors {
            let linear = self.linear(f);
            match linear.terms[..] {
                [] => factor = factor.checked_mul(linear.constant)?,
                [only] if linear.constant == 0 => {
                    factor = factor.checked_mul(only.label)?;
                    if self.is_fun(only.to, Fun::Mul) {
                        rest.extend(self.edges(only.to).iter().map(|e| e.to));
                    } else {
                        rest.push(only.to);
                    }
                }
                _ => rest.push(f),
            }
        }
        let inner = match rest[..] {
            [] => return Some(self.integer(factor)),
            [only] => only,
            _ => self.fun(Fun::Mul, &rest),
        };
        let scaled = self.linear(inner).scaled(factor)?;
        Some(self.sum(scaled))
    }

    /// `a = b` for integers.
    pub(crate) fn equal_integers(&mut self, a: NodeId, b: NodeId) -> NodeId {
        let difference = self.linear(a).add_scaled(&self.linear(b), -1);
        match difference.and_then(|d| self.is_zero(d)) {
            Some(node) => node,
            None => self.equal(a, b),
        }
    }

    /// `a + offset <= b` for integers.
    pub(crate) fn at_most(&mut self, a: NodeId, b: NodeId, offset: i64) -> NodeId {
        let difference = self.linear(a).add_scaled(&self.linear(b), -1);
        let difference = difference.and_then(|d| d.add_scaled(&Linear::constant(offset), 1));
        match difference {
            Some(d) if d.negatable() => self.at_most_zero(d),
            _ if offset == 0 => {
                let greater = self.less(Fun::Lt, b, a);
                self.fun(Fun::Not, &[greater])
            }
            _ => self.less(Fun::Lt, a, b),
        }
    }

    /// A function with indices.
    pub(crate) fn indexed(&mut self, code: u8, i: u32, j: u32, children: &[NodeId]) -> NodeId {
        let mut head = vec![tag::INDEXED, code];
        put_varint(&mut head, u64::from(i));
        put_varint(&mut head, u64::from(j));
        self.ordered(&head, children)
    }

    /// Any head over children in order.
    pub(crate) fn ordered(&mut self, head: &[u8], children: &[NodeId]) -> NodeId {
        let edges: Vec<Edge> = children.iter().map(|&to| Edge { to, label: 0 }).collect();
        self.inner(head, Shape::Ordered, 0, &edges)
    }
}
