//! Arrays: a default and exceptions, kept in one form per array, so that equality of
//! values is equality of arrays.
//!
//! On an infinite index sort the form is unique as soon as no exception equals the default. On a finite
//! one, of N indices, any element could be the default. The *settled* form takes the most frequent
//! element (of several, the smallest). Only a few exceptions more than half of the indices make it
//! necessary to look, so settling costs no more than copying the exceptions. The number of elements of a
//! declared sort is not known: there, arrays of different defaults that agree on every index that is
//! mentioned may or may not be equal.

use super::cardinality::{Cardinality, cardinality, elements, is_plain};
use super::{Args, Evaluator, Operand, Outcome, Step, Unevaluable, bounded};
use crate::{ArrayValue, Entries, Fun, Op, Sort, SortId, TermId, Terms, Value};
use std::collections::BTreeMap;

impl<'a> Evaluator<'a> {
    /// The stores below a store, down to the first that has a value: they are done in one go,
    /// without the arrays in between.
    pub(super) fn collect_chain(&mut self, term: TermId) {
        let mut at = term;
        loop {
            self.chain.push(at);
            at = self.terms.args(at)[0];
            if self.terms.op(at) != Op::Fun(Fun::Store) || self.recall(at).is_some() {
                return;
            }
        }
    }

    /// A chain of stores: the operands are the innermost array, then index and element
    /// of each store, inside out.
    pub(super) fn step_store(&mut self, top: usize) -> Step<'a> {
        let terms = self.terms;
        loop {
            if let Some(Operand::Failed(why)) = self.operands_of(top).last() {
                return Step::Done(Err(*why));
            }
            let next = self.frames[top].next as usize;
            let chain = &self.chain[self.frames[top].chain as usize..];
            let arg = match (next.checked_sub(1), chain) {
                (None, [.., innermost]) => terms.args(*innermost)[0],
                (Some(n), _) if n / 2 < chain.len() => terms.args(chain[chain.len() - 1 - n / 2])[1 + n % 2],
                _ => return Step::Done(self.store(top)),
            };
            self.frames[top].next += 1;
            match self.ready(arg) {
                Some(operand) => self.operands.push(operand),
                None => return Step::Need(arg),
            }
        }
    }

    fn store(&self, top: usize) -> Outcome {
        let args = Args { operands: self.operands_of(top), global: &self.global, local: &self.local };
        let Value::Array(array) = args.get(0) else { return Err(Unevaluable::IllSorted) };
        check_sorts(self.terms, array.sort)?;
        bounded(args.iter())?;
        let mut array = array.clone();
        for i in (1..args.len() - 1).step_by(2) {
            array.set(args.get(i).clone(), args.get(i + 1).clone());
        }
        settle_top(self.terms, &mut array);
        Ok(Value::Array(array))
    }
}

pub(super) fn select(terms: &Terms, args: &Args<'_, '_>) -> Outcome {
    let (array, index) = args.pair();
    let Value::Array(array) = array else { return Err(Unevaluable::IllSorted) };
    check_sorts(terms, array.sort)?;
    Ok(array.get(index).clone())
}

pub(super) fn constant(terms: &Terms, sort: SortId, args: &Args<'_, '_>) -> Outcome {
    check_sorts(terms, sort)?;
    bounded(args.iter())?;
    let array = ArrayValue { sort, default: args.get(0).clone(), entries: Entries::new() };
    Ok(Value::Array(Box::new(array)))
}

/// Elements must be values, and different values of indices must be different indices.
fn check_sorts(terms: &Terms, sort: SortId) -> Result<(), Unevaluable> {
    match terms.sort_kind(sort) {
        Sort::Array(index, element) if *element != SortId::REGLAN && is_plain(terms, *index) => Ok(()),
        _ => Err(Unevaluable::Unsupported),
    }
}

/// Whether two settled values are equal; `None` when that depends on how many elements a declared sort has.
pub(super) fn equal(terms: &Terms, a: &Value, b: &Value) -> Option<bool> {
    match (a, b) {
        _ if a == b => Some(true),
        (Value::Data(c, fields), Value::Data(d, others)) => {
            if c != d || fields.len() != others.len() {
                return Some(false);
            }
            all(fields.iter().zip(others.iter()).map(|(f, g)| equal(terms, f, g)))
        }
        (Value::Array(a), Value::Array(b)) => {
            let Sort::Array(index, element) = *terms.sort_kind(a.sort) else { return None };
            if is_plain(terms, element)
                && is_plain(terms, index)
                && cardinality(terms, index) != Cardinality::Open
            {
                return Some(false);
            }
            let mentioned = a.entries.keys().chain(b.entries.keys());
            let agree = all(mentioned.map(|i| equal(terms, a.get(i), b.get(i))));
            if agree == Some(false) || (a.entries.is_empty() && b.entries.is_empty()) {
                return if agree == Some(false) { agree } else { equal(terms, &a.default, &b.default) };
            }
            match equal(terms, &a.default, &b.default) {
                Some(true) => agree,
                // Is there an index that neither array mentions? On a sort of many elements, yes.
                Some(false) if cardinality(terms, index) == Cardinality::Many => Some(false),
                _ => None,
            }
        }
        _ => Some(false),
    }
}

/// False if any is false, unknown if any is unknown.
fn all(parts: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut result = Some(true);
    for part in parts {
        match part {
            Some(false) => return part,
            Some(true) => {}
            None => result = None,
        }
    }
    result
}

/// Checks a value of a model and settles it and its parts; `None` when it is settled already.
pub(super) fn settle(terms: &Terms, value: &Value, sort: SortId) -> Result<Option<Value>, Unevaluable> {
    if !value.fits(terms, sort) {
        return Err(Unevaluable::IllSorted);
    }
    bounded(std::iter::once(value))?;
    if is_settled(terms, value) {
        return Ok(None);
    }
    let settled = settled(terms, value);
    Ok((settled != *value).then_some(settled))
}

/// Whether a value is surely settled, seen without copying it.
fn is_settled(terms: &Terms, value: &Value) -> bool {
    match value {
        Value::Data(_, fields) => fields.iter().all(|field| is_settled(terms, field)),
        Value::Array(array) => {
            let Sort::Array(index, _) = *terms.sort_kind(array.sort) else { return false };
            let sparse = match cardinality(terms, index) {
                Cardinality::Finite(count) => array.entries.len() * 2 < count,
                Cardinality::Many | Cardinality::Open => true,
            };
            let part = |(index, element): (&Value, &Value)| {
                *element != array.default && is_settled(terms, index) && is_settled(terms, element)
            };
            sparse && is_settled(terms, &array.default) && array.entries.iter().all(part)
        }
        _ => true,
    }
}

fn settled(terms: &Terms, value: &Value) -> Value {
    match value {
        Value::Data(constructor, fields) => {
            Value::Data(*constructor, fields.iter().map(|field| settled(terms, field)).collect())
        }
        Value::Array(array) => {
            let default = settled(terms, &array.default);
            let mut result = Box::new(ArrayValue { sort: array.sort, default, entries: Entries::new() });
            for (index, element) in &array.entries {
                result.set(settled(terms, index), settled(terms, element));
            }
            settle_top(terms, &mut result);
            Value::Array(result)
        }
        _ => value.clone(),
    }
}

/// Settles an array whose parts are settled.
pub(super) fn settle_top(terms: &Terms, array: &mut ArrayValue) {
    let Sort::Array(index, _) = *terms.sort_kind(array.sort) else { return };
    let Cardinality::Finite(count) = cardinality(terms, index) else { return };
    let unmentioned = count.saturating_sub(array.entries.len());
    if unmentioned > array.entries.len() {
        return;
    }
    let mut frequency: BTreeMap<&Value, usize> = BTreeMap::new();
    for element in array.entries.values() {
        *frequency.entry(element).or_default() += 1;
    }
    if unmentioned > 0 {
        frequency.insert(&array.default, unmentioned);
    }
    let best = frequency.values().max().copied();
    let Some((new, _)) = frequency.iter().find(|(_, n)| Some(**n) == best) else { return };
    if **new == array.default {
        return;
    }
    let new = (*new).clone();
    let old = std::mem::replace(&mut array.default, new);
    let mut entries = std::mem::take(&mut array.entries);
    for index in elements(terms, index) {
        let element = entries.remove(&index).unwrap_or_else(|| old.clone());
        array.set(index, element);
    }
}
