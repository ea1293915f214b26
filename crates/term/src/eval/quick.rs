//! The shortcut for path conditions: comparisons of small terms over integers and bit
//! vectors, in machine words.
//!
//! No memo, no stack, no allocation; a bound on the number of nodes keeps shared terms from being walked
//! again and again. Covered are linear integer sums and what programs do with bytes: reads of an array at
//! some index, joined, extended, cut and computed with, up to 64 bits. It leaves every other term to the
//! machine (`None`), and it never fails.

use super::bitvec;
use crate::{BitVec, Fun, Indexed, Int, Model, Op, Sort, TermId, Terms, Traits, Value};

/// How many nodes are tried.
const BUDGET: u32 = 40;

struct Quick<'a> {
    terms: &'a Terms,
    model: &'a Model,
    budget: u32,
}

/// The truth of a comparison, or of a negated one.
pub(super) fn compare(terms: &Terms, model: &Model, op: Op, term: TermId) -> Option<bool> {
    let Op::Fun(fun) = op else { return None };
    if fun == Fun::Not {
        let &[inner] = terms.args(term) else { return None };
        // One negation: what is under it is no negation again.
        return match terms.op(inner) {
            Op::Fun(Fun::Not) => None,
            op => compare(terms, model, op, inner).map(|value| !value),
        };
    }
    if !matches!(fun.code(), 7 | 8 | 24..=27 | 60..=67) {
        return None;
    }
    let &[left, right] = terms.args(term) else { return None };
    let mut quick = Quick { terms, model, budget: BUDGET };
    // A recursive function has its definition, not a value in the model.
    if terms.traits(term).has(Traits::QUANTIFIED) {
        return None;
    }
    match terms.sort_kind(terms.sort_of(left)) {
        Sort::Int => {
            let (a, b) = (quick.integer(left)?, quick.integer(right)?);
            Some(match fun {
                Fun::Le => a <= b,
                Fun::Lt => a < b,
                Fun::Ge => a >= b,
                Fun::Gt => a > b,
                Fun::Eq => a == b,
                _ => a != b,
            })
        }
        Sort::BitVec(width @ 1..=64) => {
            let (a, b) = (quick.bits(left)?, quick.bits(right)?);
            Some(match fun {
                Fun::Eq => a == b,
                Fun::Distinct => a != b,
                _ => bitvec::small_predicate(fun, *width, a, b),
            })
        }
        _ => None,
    }
}

/// The recursion is as deep as the budget allows at most.
impl<'a> Quick<'a> {
    /// The value of an integer term, if it and its subterms fit into a word.
    fn integer(&mut self, term: TermId) -> Option<i64> {
        self.budget = self.budget.checked_sub(1)?;
        let args = self.terms.args(term);
        match self.terms.op(term) {
            Op::Literal(id) => word(self.terms.literal_value(id)),
            Op::Apply(symbol) if args.is_empty() => word(self.model.get(symbol)?),
            Op::Fun(Fun::Neg) => self.integer(*args.first()?)?.checked_neg(),
            Op::Fun(fun @ (Fun::Add | Fun::Sub | Fun::Mul)) => {
                let (first, rest) = args.split_first()?;
                let mut value = self.integer(*first)?;
                for arg in rest {
                    let other = self.integer(*arg)?;
                    value = match fun {
                        Fun::Add => value.checked_add(other)?,
                        Fun::Sub => value.checked_sub(other)?,
                        _ => value.checked_mul(other)?,
                    };
                }
                Some(value)
            }
            _ => None,
        }
    }

    fn width(&self, term: TermId) -> Option<u32> {
        match self.terms.sort_kind(self.terms.sort_of(term)) {
            Sort::BitVec(width @ 1..=64) => Some(*width),
            _ => None,
        }
    }

    /// The value of a bit-vector term of at most 64 bits.
    fn bits(&mut self, term: TermId) -> Option<u128> {
        self.budget = self.budget.checked_sub(1)?;
        let width = self.width(term)?;
        let args = self.terms.args(term);
        let bits = match self.terms.op(term) {
            Op::Literal(id) => vector(self.terms.literal_value(id), width)?,
            Op::Apply(symbol) if args.is_empty() => vector(self.model.get(symbol)?, width)?,
            Op::Fun(Fun::Select) => vector(self.read(args[0], args[1])?, width)?,
            Op::Fun(Fun::Concat) => {
                let mut joined = 0;
                for arg in args {
                    joined = joined << self.width(*arg)? | self.bits(*arg)?;
                }
                joined
            }
            Op::Fun(Fun::BvNot) => !self.bits(args[0])?,
            Op::Fun(Fun::BvNeg) => self.bits(args[0])?.wrapping_neg(),
            Op::Fun(fun) if matches!(fun.code(), 42..=44 | 49..=59) => {
                let (first, rest) = args.split_first()?;
                let mut value = self.bits(*first)?;
                for arg in rest {
                    value = bitvec::small(fun, width, value, self.bits(*arg)?) & mask(width);
                }
                value
            }
            Op::Indexed(Indexed::Extract, _, low) => self.bits(args[0])? >> low,
            Op::Indexed(Indexed::ZeroExtend, ..) => self.bits(args[0])?,
            Op::Indexed(Indexed::SignExtend, ..) => {
                bitvec::signed(self.width(args[0])?, self.bits(args[0])?) as u128
            }
            _ => return None,
        };
        Some(bits & mask(width))
    }

    /// The element of the model's array at an index.
    fn read(&mut self, array: TermId, index: TermId) -> Option<&'a Value> {
        let Op::Apply(symbol) = self.terms.op(array) else { return None };
        if !self.terms.args(array).is_empty() {
            return None;
        }
        let sort = self.terms.sort_of(array);
        match self.model.get(symbol)? {
            Value::Array(value) if value.sort == sort => match self.terms.op(index) {
                Op::Literal(id) => Some(value.get(self.terms.literal_value(id))),
                _ => {
                    let index = BitVec::new(self.width(index)?, self.bits(index)?);
                    Some(value.get(&Value::BitVec(index)))
                }
            },
            _ => None,
        }
    }
}

fn mask(width: u32) -> u128 {
    (1 << width) - 1
}

fn word(value: &Value) -> Option<i64> {
    match value {
        Value::Int(Int::Small(value)) => Some(*value),
        _ => None,
    }
}

fn vector(value: &Value, width: u32) -> Option<u128> {
    match value {
        Value::BitVec(value) if value.width() == width => value.to_u128(),
        _ => None,
    }
}
