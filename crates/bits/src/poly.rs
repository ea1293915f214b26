//! Polynomials: whether two sums of products are the same modulo a power of two.
//!
//! Blasted, `x * (y + z) = x * y + x * z` is beyond every propositional solver at seven bits. As polynomials
//! both sides are one. The expansion is only compared, never kept: two products take twice the gates of one.

use crate::form::{Form, Node, Op, ones};
use std::collections::BTreeMap;

/// Monomials that an expansion may have.
const LARGEST: usize = 48;
/// Factors that a monomial may have.
const DEGREE: usize = 6;
/// How deep sums and products may be nested.
const DEEPEST: u32 = 24;

/// Coefficients of products of nodes, by their sorted factors. The empty product is the constant.
type Polynomial = BTreeMap<Vec<Node>, u64>;

/// The difference of two nodes, if that is a constant and one of them has a product.
pub(crate) fn difference(form: &Form, a: Node, b: Node) -> Option<u64> {
    if !has_product(form, a, 6) && !has_product(form, b, 6) {
        return None;
    }
    let all = ones(form.width(a));
    let mut sum = expand(form, a, DEEPEST)?;
    for (factors, coefficient) in expand(form, b, DEEPEST)? {
        let entry = sum.entry(factors).or_insert(0);
        *entry = entry.wrapping_sub(coefficient) & all;
    }
    sum.retain(|_, coefficient| *coefficient != 0);
    match sum.len() {
        0 => Some(0),
        1 => sum.get(&Vec::new()).copied(),
        _ => None,
    }
}

fn has_product(form: &Form, node: Node, depth: u32) -> bool {
    match form.op(node) {
        Op::Mul(..) => true,
        Op::Add(a, b) if depth > 0 => has_product(form, a, depth - 1) || has_product(form, b, depth - 1),
        Op::Neg(a) if depth > 0 => has_product(form, a, depth - 1),
        _ => false,
    }
}

fn expand(form: &Form, node: Node, depth: u32) -> Option<Polynomial> {
    let all = ones(form.width(node));
    let depth = depth.checked_sub(1)?;
    match form.op(node) {
        Op::Const(value) => Some(BTreeMap::from([(Vec::new(), value)])),
        Op::Neg(a) => Some(scaled(expand(form, a, depth)?, all, all)),
        // ~x is -x - 1.
        Op::Not(a) => {
            let mut sum = scaled(expand(form, a, depth)?, all, all);
            add(&mut sum, Vec::new(), all, all);
            Some(sum)
        }
        Op::Add(a, b) => {
            let mut sum = expand(form, a, depth)?;
            for (factors, coefficient) in expand(form, b, depth)? {
                add(&mut sum, factors, coefficient, all);
            }
            (sum.len() <= LARGEST).then_some(sum)
        }
        Op::Mul(a, b) => {
            let (a, b) = (expand(form, a, depth)?, expand(form, b, depth)?);
            let mut sum = Polynomial::new();
            for (x, k) in &a {
                for (y, l) in &b {
                    let mut factors = [&x[..], &y[..]].concat();
                    factors.sort_unstable();
                    if factors.len() > DEGREE {
                        return None;
                    }
                    add(&mut sum, factors, k.wrapping_mul(*l), all);
                    if sum.len() > LARGEST {
                        return None;
                    }
                }
            }
            Some(sum)
        }
        // A power of two times a part: the bits that were cut off do not matter.
        Op::Concat(high, low) if form.value(low) == Some(0) => {
            let shift = form.width(low);
            let Op::Extract(x, 0) = form.op(high) else {
                return Some(BTreeMap::from([(vec![node], 1)]));
            };
            match form.width(x) == form.width(node) {
                true => Some(scaled(expand(form, x, depth)?, 1 << shift, all)),
                false => Some(BTreeMap::from([(vec![node], 1)])),
            }
        }
        _ => Some(BTreeMap::from([(vec![node], 1)])),
    }
}

fn add(sum: &mut Polynomial, factors: Vec<Node>, coefficient: u64, all: u64) {
    let entry = sum.entry(factors).or_insert(0);
    *entry = entry.wrapping_add(coefficient) & all;
}

fn scaled(mut sum: Polynomial, by: u64, all: u64) -> Polynomial {
    sum.values_mut().for_each(|coefficient| *coefficient = coefficient.wrapping_mul(by) & all);
    sum
}
