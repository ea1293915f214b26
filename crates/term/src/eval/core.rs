//! Core: connectives, equality, `ite`.

use super::{Args, Evaluator, Operand, Outcome, Step, Unevaluable, array, truth};
use crate::{Fun, SortId, TermId, Terms, Value};

impl<'a> Evaluator<'a> {
    /// `and`, `or`, `=>`: the first argument that decides ends it; a failure counts only if none does.
    pub(super) fn step_junction(&mut self, top: usize, fun: Fun) -> Step<'a> {
        let args = self.terms.args(self.frames[top].term);
        loop {
            let next = self.frames[top].next as usize;
            if let Some(&operand) = self.operands_of(top).last()
                && let Ok(value) = self.boolean(operand)
            {
                // `a => b => c` is `not a or not b or c`.
                let value = value ^ (fun == Fun::Implies && next < args.len());
                if value == (fun != Fun::And) {
                    return Step::Same(Operand::Ref(truth(value)));
                }
            }
            let Some(&arg) = args.get(next) else {
                let failed = self.operands_of(top).iter().find(|o| matches!(o, Operand::Failed(_)));
                return Step::Same(failed.copied().unwrap_or(Operand::Ref(truth(fun == Fun::And))));
            };
            self.frames[top].next += 1;
            match self.ready(arg) {
                Some(operand) => self.operands.push(operand),
                None => return Step::Need(arg),
            }
        }
    }

    /// `ite`: only the arm that the condition picks is evaluated.
    pub(super) fn step_ite(&mut self, top: usize) -> Step<'a> {
        let args = self.terms.args(self.frames[top].term);
        match *self.operands_of(top) {
            [] => Step::Need(args[0]),
            [condition] => match self.boolean(condition) {
                Ok(true) => Step::Need(args[1]),
                Ok(false) => Step::Need(args[2]),
                Err(why) => Step::Done(Err(why)),
            },
            [_, arm, ..] => Step::Same(arm),
        }
    }
}

pub(super) fn apply(terms: &Terms, fun: Fun, of: &[TermId], args: &Args<'_, '_>) -> Outcome {
    let value = match fun {
        Fun::Not => !boolean(args.get(0))?,
        Fun::Xor => {
            let mut odd = false;
            for arg in args.iter() {
                odd ^= boolean(arg)?;
            }
            odd
        }
        Fun::Eq => {
            let sort = terms.sort_of(of[0]);
            let mut all = true;
            for i in 1..args.len() {
                all &= equal(terms, sort, args.get(i - 1), args.get(i))?;
            }
            all
        }
        Fun::Distinct => distinct(terms, terms.sort_of(of[0]), args)?,
        _ => return Err(Unevaluable::Unsupported),
    };
    Ok(Value::Bool(value))
}

fn boolean(value: &Value) -> Result<bool, Unevaluable> {
    match value {
        Value::Bool(value) => Ok(*value),
        _ => Err(Unevaluable::IllSorted),
    }
}

/// Whether two settled values of a sort are equal.
fn equal(terms: &Terms, sort: SortId, a: &Value, b: &Value) -> Result<bool, Unevaluable> {
    if sort == SortId::REGLAN {
        return Err(Unevaluable::Unsupported);
    }
    match (a, b) {
        (Value::Array(_), Value::Array(_)) | (Value::Data(..), Value::Data(..)) => {
            array::equal(terms, a, b).ok_or(Unevaluable::Unsupported)
        }
        _ => Ok(a == b),
    }
}

fn distinct(terms: &Terms, sort: SortId, args: &Args<'_, '_>) -> Result<bool, Unevaluable> {
    let plain = !matches!(args.get(0), Value::Array(_) | Value::Data(..)) && sort != SortId::REGLAN;
    if plain {
        let mut sorted: Vec<&Value> = args.iter().collect();
        sorted.sort_unstable();
        return Ok(sorted.windows(2).all(|pair| pair[0] != pair[1]));
    }
    let mut all = true;
    for i in 0..args.len() {
        for j in 0..i {
            all &= !equal(terms, sort, args.get(i), args.get(j))?;
        }
    }
    Ok(all)
}
