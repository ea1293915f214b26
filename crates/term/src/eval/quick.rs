//! The shortcut for path conditions: comparisons of small linear integer terms, in machine words.
//!
//! No memo, no stack, no allocation; a bound on the number of nodes keeps shared terms from being walked again and
//! again. Whatever it does not understand, it leaves to the machine (`None`), and it never fails.

use crate::{Fun, Int, Model, Op, SortId, TermId, Terms, Traits, Value};

/// How many nodes are tried.
const BUDGET: u32 = 24;

/// The truth of an integer comparison.
pub(super) fn compare(terms: &Terms, model: &Model, op: Op, term: TermId) -> Option<bool> {
    let Op::Fun(fun @ (Fun::Le | Fun::Lt | Fun::Ge | Fun::Gt | Fun::Eq | Fun::Distinct)) = op else {
        return None;
    };
    let &[left, right] = terms.args(term) else { return None };
    // A recursive definition is not what the model says it is.
    if terms.sort_of(left) != SortId::INT || terms.traits(term).has(Traits::QUANTIFIED) {
        return None;
    }
    let mut budget = BUDGET;
    let a = linear(terms, model, left, &mut budget)?;
    let b = linear(terms, model, right, &mut budget)?;
    Some(match fun {
        Fun::Le => a <= b,
        Fun::Lt => a < b,
        Fun::Ge => a >= b,
        Fun::Gt => a > b,
        Fun::Eq => a == b,
        _ => a != b,
    })
}

/// The value of a small integer term. The recursion is as deep as the budget allows at most.
fn linear(terms: &Terms, model: &Model, term: TermId, budget: &mut u32) -> Option<i64> {
    *budget = budget.checked_sub(1)?;
    let args = terms.args(term);
    match terms.op(term) {
        Op::Literal(id) => small(terms.literal_value(id)),
        Op::Apply(symbol) if args.is_empty() => small(model.get(symbol)?),
        Op::Fun(Fun::Neg) => linear(terms, model, *args.first()?, budget)?.checked_neg(),
        Op::Fun(fun @ (Fun::Add | Fun::Sub | Fun::Mul)) => {
            let (first, rest) = args.split_first()?;
            let mut value = linear(terms, model, *first, budget)?;
            for arg in rest {
                let other = linear(terms, model, *arg, budget)?;
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

fn small(value: &Value) -> Option<i64> {
    match value {
        Value::Int(Int::Small(value)) => Some(*value),
        _ => None,
    }
}
