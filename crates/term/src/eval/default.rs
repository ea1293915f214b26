//! The default value of a sort: zero, false, empty, the first constructor that ends.

use crate::{ArrayValue, BitVec, Entries, Float, Int, Rational, RoundingMode, Sort, SortId, Terms, Value};

/// How many nodes a default may have, and how many constructors may be tried.
const BUDGET: u32 = 10_000;

/// The default value of a sort: the same one each time. `None` for regular languages, sequences and for
/// datatypes without a small finite value.
pub fn default_value(terms: &Terms, sort: SortId) -> Option<Value> {
    build(terms, sort, &mut Vec::new(), &mut BUDGET.clone())
}

/// `open` holds the datatypes that are being built: a smallest value does not contain
/// another of its own sort.
fn build(terms: &Terms, sort: SortId, open: &mut Vec<SortId>, budget: &mut u32) -> Option<Value> {
    *budget = budget.checked_sub(1)?;
    Some(match terms.sort_kind(sort) {
        Sort::Bool => Value::Bool(false),
        Sort::Int => Value::Int(Int::ZERO),
        Sort::Real => Value::Real(Rational::from(Int::ZERO)),
        Sort::String => Value::String(Box::new([])),
        Sort::RoundingMode => Value::RoundingMode(RoundingMode::NearestEven),
        Sort::BitVec(width) => Value::BitVec(BitVec::new(*width, 0)),
        Sort::Float(exponent, significand) => Value::Float(Box::new(Float::zero(*exponent, *significand)?)),
        Sort::Array(_, element) => {
            let default = build(terms, *element, open, budget)?;
            Value::Array(Box::new(ArrayValue { sort, default, entries: Entries::new() }))
        }
        Sort::Uninterpreted(name, _) => Value::Element(sort, *name),
        Sort::Datatype(data) => {
            if open.contains(&sort) || open.len() > 500 {
                return None;
            }
            open.push(sort);
            let found = terms.datatype(*data).constructors.iter().find_map(|constructor| {
                let params = &terms.symbol_of(constructor.symbol).params;
                let fields: Option<Box<[Value]>> =
                    params.iter().map(|param| build(terms, *param, open, budget)).collect();
                fields.map(|fields| Value::Data(constructor.symbol, fields))
            });
            open.pop();
            found?
        }
        Sort::RegLan | Sort::Seq(_) | Sort::Opaque(..) => return None,
    })
}
