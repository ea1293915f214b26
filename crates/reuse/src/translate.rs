//! Models between a query's own symbols and the numbered leaves of its canonical form.
//!
//! The value of an array that has a table is kept without the cells of the table: those are known from the
//! query, and would be most of a record.

use evergreen_canon::{Canonical, Leaf, Table};
use evergreen_term::{
    Completion, Evaluator, Model, Op, SortId, SymbolId, SymbolKind, TermId, Terms, Value, decode_function,
    decode_value, default_value, encode_function, encode_value,
};
use std::rc::Rc;

/// The array that a cell belongs to and its index.
fn cell(terms: &Terms, read: TermId) -> (SymbolId, Value) {
    let args = terms.args(read);
    let Op::Apply(array) = terms.op(args[0]) else { unreachable!("a cell is a read of a declared array") };
    (array, terms.literal_of(args[1]).expect("a cell is read at a literal").clone())
}

/// Whether a leaf has a value in models.
fn has_value(terms: &Terms, leaf: Leaf) -> bool {
    match leaf {
        Leaf::Symbol(s) => matches!(terms.symbol_of(s).kind, SymbolKind::Free),
        Leaf::Cell(_) => true,
        Leaf::Sort(_) | Leaf::Datatype(_) => false,
    }
}

/// The table of an array.
fn table_of(tables: &[Rc<Table>], array: SymbolId) -> Option<&Table> {
    tables.iter().find(|table| table.array == array).map(|table| &**table)
}

/// A value without what the query's table says of it.
fn beside_table(tables: &[Rc<Table>], array: SymbolId, value: &Value) -> Option<Value> {
    let table = table_of(tables, array)?;
    let Value::Array(mut array) = value.clone() else { return None };
    table.take_from(&mut array);
    Some(Value::Array(array))
}

/// A value with what the query's table says of it.
fn with_table(tables: &[Rc<Table>], array: SymbolId, mut value: Value) -> Value {
    if let (Some(table), Value::Array(array)) = (table_of(tables, array), &mut value) {
        table.put_into(array);
    }
    value
}

/// The values of the leaves under a model of the query, encoded; `None` when one is not known.
pub(crate) fn to_leaves(
    terms: &Terms,
    model: &Model,
    leaves: &[Leaf],
    tables: &[Rc<Table>],
) -> Option<Vec<Vec<u8>>> {
    let mut evaluator = Evaluator::new(terms, model).completing(Completion::Default);
    let mut values = Vec::with_capacity(leaves.len());
    for &leaf in leaves {
        let mut bytes = Vec::new();
        if has_value(terms, leaf) {
            match leaf {
                Leaf::Symbol(s) => {
                    let symbol = terms.symbol_of(s);
                    let completed;
                    let value = match model.get(s) {
                        Some(value) => value,
                        None if symbol.params.is_empty() => {
                            completed = default_value(terms, symbol.result)?;
                            &completed
                        }
                        None => return None,
                    };
                    let beside = beside_table(tables, s, value);
                    match beside.as_ref().unwrap_or(value) {
                        Value::Function(f) => encode_function(terms, f, &mut bytes).ok()?,
                        value => encode_value(terms, value, &mut bytes).ok()?,
                    }
                }
                Leaf::Cell(read) => {
                    let value = evaluator.evaluate(read).ok()?.clone();
                    encode_value(terms, &value, &mut bytes).ok()?;
                }
                _ => {}
            }
        }
        values.push(bytes);
    }
    Some(values)
}

/// A value that takes all of the bytes.
fn whole_value(terms: &mut Terms, sort: SortId, bytes: &[u8]) -> Option<Value> {
    let mut rest = bytes;
    let value = decode_value(terms, sort, &mut rest).ok()?;
    rest.is_empty().then_some(value)
}

/// Adds the values of a record to a model of the query; `None` when they do not fit the leaves.
pub(crate) fn from_leaves(
    terms: &mut Terms,
    canonical: &Canonical,
    values: &[Vec<u8>],
    model: &mut Model,
) -> Option<()> {
    if values.len() != canonical.leaves.len() {
        return None;
    }
    for (&leaf, bytes) in canonical.leaves.iter().zip(values) {
        if !has_value(terms, leaf) {
            continue;
        }
        match leaf {
            Leaf::Symbol(s) => {
                let symbol = terms.symbol_of(s);
                let (params, result) = (symbol.params.clone(), symbol.result);
                let value = if params.is_empty() {
                    with_table(&canonical.tables, s, whole_value(terms, result, bytes)?)
                } else {
                    let mut rest = &bytes[..];
                    let f = decode_function(terms, &params, result, &mut rest).ok()?;
                    rest.is_empty().then_some(Value::Function(Box::new(f)))?
                };
                model.set(s, value);
            }
            Leaf::Cell(read) => {
                let (array, index) = cell(terms, read);
                let element = terms.sort_of(read);
                let value = whole_value(terms, element, bytes)?;
                place(terms, model, array, index, value)?;
            }
            Leaf::Sort(_) | Leaf::Datatype(_) => {}
        }
    }
    Some(())
}

/// A model of the part's leaves from encoded values that may lack some: those get the default of their sort.
/// `None` when a value does not fit its leaf or a sort has no default.
pub(crate) fn from_some<'v>(
    terms: &mut Terms,
    leaves: &[Leaf],
    tables: &[Rc<Table>],
    value_of: impl Fn(usize) -> Option<&'v [u8]>,
) -> Option<Model> {
    let mut model = Model::new();
    for (i, &leaf) in leaves.iter().enumerate() {
        if !has_value(terms, leaf) {
            continue;
        }
        let sort = match leaf {
            Leaf::Symbol(s) if terms.symbol_of(s).params.is_empty() => terms.symbol_of(s).result,
            Leaf::Cell(read) => terms.sort_of(read),
            _ => return None,
        };
        let value = match value_of(i) {
            Some(bytes) => whole_value(terms, sort, bytes)?,
            None => default_value(terms, sort)?,
        };
        match leaf {
            Leaf::Symbol(s) => {
                model.set(s, with_table(tables, s, value));
            }
            Leaf::Cell(read) => {
                let (array, index) = cell(terms, read);
                place(terms, &mut model, array, index, value)?;
            }
            Leaf::Sort(_) | Leaf::Datatype(_) => {}
        }
    }
    Some(model)
}

/// Writes one cell, on top of what other parts of the query said about the array.
fn place(terms: &Terms, model: &mut Model, array: SymbolId, index: Value, value: Value) -> Option<()> {
    if model.get(array).is_none() {
        model.set(array, default_value(terms, terms.symbol_of(array).result)?);
    }
    match model.get_mut(array) {
        Some(Value::Array(cells)) => cells.set(index, value),
        _ => return None,
    }
    Some(())
}

/// Sets what a unit constraint fixes: a symbol or a cell.
pub(crate) fn assign(terms: &Terms, model: &mut Model, target: TermId, value: Value) -> Option<()> {
    match terms.op(target) {
        Op::Apply(symbol) => {
            model.set(symbol, value);
        }
        _ => {
            let (array, index) = cell(terms, target);
            place(terms, model, array, index, value)?;
        }
    }
    Some(())
}

/// Sets what a table fixes: cells of its array.
pub(crate) fn assign_table(terms: &Terms, model: &mut Model, table: &Table) -> Option<()> {
    if model.get(table.array).is_none() {
        model.set(table.array, default_value(terms, terms.symbol_of(table.array).result)?);
    }
    match model.get_mut(table.array) {
        Some(Value::Array(array)) => table.put_into(array),
        _ => return None,
    }
    Some(())
}

/// Takes over one symbol of a part's model. Of an array that only some cells belong to the part, only those
/// are taken. A symbol that cancels out of the part (`x < x + y`) may be any other part's, whose value it
/// keeps.
pub(crate) fn merge(terms: &Terms, model: &mut Model, symbol: SymbolId, value: &Value, leaves: &[Leaf]) {
    let Value::Array(array) = value else {
        if leaves.contains(&Leaf::Symbol(symbol)) || model.get(symbol).is_none() {
            model.set(symbol, value.clone());
        }
        return;
    };
    if leaves.contains(&Leaf::Symbol(symbol)) {
        model.set(symbol, value.clone());
        return;
    }
    for &leaf in leaves {
        if let Leaf::Cell(read) = leaf {
            let (owner, index) = cell(terms, read);
            if owner == symbol {
                let element = array.get(&index).clone();
                let _ = assign(terms, model, read, element);
            }
        }
    }
}
