//! Models: from values of leaves to values of symbols.

use crate::eval::Assignment;
use crate::form::{Form, Leaf, Origin};
use crate::query::Query;
use evergreen_term::{ArrayValue, BitVec, Model, Sort, SortId, SymbolId, Terms, Value};
use rustc_hash::FxHashMap;

/// The value that an old model has for a leaf.
pub(crate) fn old_value(form: &Form, old: &Model, leaf: Leaf) -> Option<u64> {
    match form.leaf(leaf).0 {
        Origin::Symbol(symbol) => number(old.get(symbol)?),
        Origin::Cell(base, index) => {
            let (symbol, width, _) = form.base(base);
            let Value::Array(array) = old.get(symbol)? else { return None };
            let index = Value::BitVec(BitVec::new(u32::from(width), u128::from(index)));
            number(array.entries.get(&index)?)
        }
        Origin::Witness(_) | Origin::Same(_) | Origin::Apart(_) | Origin::Elsewhere(_) => None,
    }
}

fn number(value: &Value) -> Option<u64> {
    match value {
        Value::Bool(value) => Some(u64::from(*value)),
        Value::BitVec(value) => value.to_u128().and_then(|v| u64::try_from(v).ok()),
        _ => None,
    }
}

/// A value that a leaf may have: that of an old model if it still may, else the least.
pub(crate) fn choose(form: &Form, query: &Query, old: &[&Model], leaf: Leaf) -> u64 {
    if let Some((value, _)) = query.values.get(&leaf) {
        return *value;
    }
    if let (Origin::Cell(base, index), _) = form.leaf(leaf)
        && let Some((value, _)) = query.fixed.get(&base).and_then(|f| f.get(index))
    {
        return value;
    }
    let set = query.narrow.get(&leaf).map(|narrow| narrow.set);
    let bounds = query.bounds.get(&leaf).map(|b| (b.low, b.high));
    let may = |value: u64| {
        set.is_none_or(|set| set.has(value)) && bounds.is_none_or(|(low, high)| low <= value && value <= high)
    };
    let old = old.iter().find_map(|old| old_value(form, old, leaf)).filter(|&v| may(v));
    old.unwrap_or_else(|| set.and_then(|set| set.least()).or(bounds.map(|b| b.0)).unwrap_or(0))
}

/// The model of a query that sets alone decide.
pub(crate) fn of_sets(form: &Form, terms: &Terms, query: &Query, old: &[&Model]) -> Model {
    let mut assignment = Assignment::default();
    for &leaf in query.narrow.keys().chain(query.bounds.keys()).chain(query.values.keys()) {
        assignment.leaves.insert(leaf, choose(form, query, old, leaf));
    }
    of_assignment(form, terms, query, &assignment)
}

/// The model of values of leaves. What constraints fix is fixed; narrow leaves that have no value get one of
/// their set.
pub(crate) fn of_assignment(form: &Form, terms: &Terms, query: &Query, assignment: &Assignment) -> Model {
    let mut model = Model::new();
    // Cells of arrays; of several for one index the last one counts.
    let mut arrays: FxHashMap<SymbolId, Vec<(u64, u64)>> = FxHashMap::default();
    for &base in &assignment.arrays {
        arrays.entry(form.base(base).0).or_default();
    }
    for (&(base, index), &value) in &assignment.cells {
        arrays.entry(form.base(base).0).or_default().push((index, value));
    }
    let mut assignment = assignment.clone();
    // The last leaf that was replaced stands for those before it.
    for leaf in query.merged.iter().rev() {
        let (other, _) = query.same[leaf];
        let value = assignment.leaves.get(&other).copied().unwrap_or_else(|| choose(form, query, &[], other));
        assignment.leaves.insert(other, value);
        assignment.leaves.insert(*leaf, value);
    }
    let others = query.narrow.keys().chain(query.bounds.keys()).chain(query.values.keys());
    let rest = others.filter(|leaf| !assignment.leaves.contains_key(leaf));
    let values = assignment.leaves.iter().map(|(&leaf, &value)| (leaf, value));
    for (leaf, value) in rest.map(|&leaf| (leaf, choose(form, query, &[], leaf))).chain(values) {
        match form.leaf(leaf).0 {
            Origin::Symbol(symbol) => {
                model.set(symbol, of_sort(terms, terms.symbol_of(symbol).result, value));
            }
            Origin::Cell(base, index) => {
                arrays.entry(form.base(base).0).or_default().push((index, value));
            }
            Origin::Witness(_) | Origin::Same(_) | Origin::Apart(_) | Origin::Elsewhere(_) => {}
        }
    }
    let value_of =
        |leaf: &Leaf| assignment.leaves.get(leaf).copied().unwrap_or_else(|| choose(form, query, &[], *leaf));
    // The index that stands for those that do not matter has the value of all of them.
    let elsewhere: Vec<(u8, u64)> =
        query.elsewhere.iter().map(|(width, leaf)| (*width, value_of(leaf))).collect();
    for (&base, fixed) in &query.fixed {
        let cells = arrays.entry(form.base(base).0).or_default();
        cells.extend(fixed.cells.iter().map(|c| (c.0, c.1)));
    }
    for (symbol, mut cells) in arrays {
        let sort = terms.symbol_of(symbol).result;
        let Sort::Array(index, element) = *terms.sort_kind(sort) else { continue };
        cells.reverse();
        cells.sort_by_key(|cell| cell.0);
        cells.dedup_by_key(|cell| cell.0);
        let place = elsewhere.iter().find(|(width, _)| is_of_width(terms, index, *width));
        let cell = place.and_then(|(_, at)| cells.binary_search_by_key(at, |cell| cell.0).ok());
        let default = cell.map_or(0, |cell| cells[cell].1);
        let others = cells.into_iter().filter(|cell| cell.1 != default);
        let entries = others.map(|(at, value)| (of_sort(terms, index, at), of_sort(terms, element, value)));
        let default = of_sort(terms, element, default);
        model.set(symbol, Value::Array(Box::new(ArrayValue { sort, default, entries: entries.collect() })));
    }
    model
}

fn is_of_width(terms: &Terms, sort: SortId, width: u8) -> bool {
    matches!(terms.sort_kind(sort), Sort::BitVec(own) if *own == u32::from(width))
}

fn of_sort(terms: &Terms, sort: SortId, value: u64) -> Value {
    match terms.sort_kind(sort) {
        Sort::BitVec(width) => Value::BitVec(BitVec::new(*width, u128::from(value))),
        _ => Value::Bool(value == 1),
    }
}
