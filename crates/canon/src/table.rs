//! Tables: many cells of one array with literal values, as one constraint.
//!
//! A C program's constant arrays come as one assertion per cell, hundreds of them, in every query. As
//! constraints of their own they are most of what a query is made of: every stage walks over all of them, and
//! the byte form has three nodes for each. Here the cells of an array are one *table*: one conjunction of the
//! cells in the order of their indices, one node of the graph, and one digest of the pairs (index, value).
//!
//! A table is known by its content. Two queries that give the same cells in another order, in other
//! commands, or under another name of the array have the same digest; one cell more, or another value, is
//! another digest. The arena keeps terms for as long as it lives, so a table is recognized, hashed and
//! lowered once, however many queries contain it.
//!
//! Only arrays between bit vectors have tables. Fewer than [`FEWEST`] cells stay constraints of their own: an
//! input whose first bytes are fixed is no table, and its bytes are found one by one in other queries.

use crate::lower::put_literal;
use crate::node::put_varint;
use crate::split::is_cell;
use evergreen_term::{ArrayValue, Fun, Model, Op, Sort, SymbolId, TermId, Terms, Value};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Cells of one array that make a table.
pub const FEWEST: usize = 16;

/// One cell of a table.
#[derive(Clone, Debug)]
struct Cell {
    index: Value,
    element: Value,
}

/// The cells of one array.
#[derive(Debug)]
pub struct Table {
    /// The array.
    pub array: SymbolId,
    /// The conjunction of the cells.
    pub term: TermId,
    /// The cells as constraints, in the order of their indices.
    pub constraints: Vec<TermId>,
    cells: Vec<Cell>,
    /// For each read of a cell: the literal that it equals, and the place of the cell.
    values: FxHashMap<TermId, (TermId, u32)>,
    /// The digest of the pairs.
    pub(crate) digest: [u8; 32],
}

/// A constraint that fixes one cell of a declared array: the array, the read and the literal.
pub(crate) fn cell(terms: &Terms, constraint: TermId) -> Option<(SymbolId, TermId, TermId)> {
    let (Op::Fun(Fun::Eq), &[a, b]) = (terms.op(constraint), terms.args(constraint)) else { return None };
    let (read, literal) = if terms.op(a) == Op::Fun(Fun::Select) { (a, b) } else { (b, a) };
    if !is_cell(terms, read) || !is_bit_vector(terms, literal) || !is_bit_vector(terms, terms.args(read)[1]) {
        return None;
    }
    let Op::Apply(array) = terms.op(terms.args(read)[0]) else { return None };
    Some((array, read, literal))
}

/// The array of a constraint that fixes one cell of it.
pub fn cell_array(terms: &Terms, constraint: TermId) -> Option<SymbolId> {
    cell(terms, constraint).map(|(array, ..)| array)
}

fn is_bit_vector(terms: &Terms, literal: TermId) -> bool {
    matches!(terms.literal_of(literal), Some(Value::BitVec(_)))
}

impl Table {
    /// The table that a term is: a conjunction of enough cells of one array, with ascending indices.
    pub(crate) fn read(terms: &Terms, term: TermId) -> Option<Table> {
        let constraints = terms.args(term);
        if terms.op(term) != Op::Fun(Fun::And) || constraints.len() < FEWEST {
            return None;
        }
        let (array, ..) = cell(terms, constraints[0])?;
        let mut cells: Vec<Cell> = Vec::with_capacity(constraints.len());
        let mut values = FxHashMap::default();
        for &constraint in constraints {
            let (owner, read, literal) = cell(terms, constraint)?;
            let index = terms.literal_of(terms.args(read)[1])?.clone();
            let ascends = cells.last().is_none_or(|last| last.index < index);
            if owner != array || !ascends {
                return None;
            }
            cells.push(Cell { index, element: terms.literal_of(literal)?.clone() });
            values.insert(read, (literal, values.len() as u32));
        }
        let digest = digest(&cells);
        Some(Table { array, term, constraints: constraints.to_vec(), cells, values, digest })
    }

    /// The number of cells.
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Whether there are no cells; a table has at least [`FEWEST`].
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// The digest that stands for the cells in a form.
    pub fn digest(&self) -> &[u8; 32] {
        &self.digest
    }

    /// The cells as pairs of index and element, if all of them are machine words.
    pub fn words(&self) -> Option<Vec<(u64, u64)>> {
        let word = |value: &Value| match value {
            Value::BitVec(bits) => bits.to_u128().and_then(|bits| u64::try_from(bits).ok()),
            _ => None,
        };
        self.cells.iter().map(|cell| Some((word(&cell.index)?, word(&cell.element)?))).collect()
    }

    /// The reads of its cells.
    pub(crate) fn reads(&self) -> impl Iterator<Item = TermId> {
        self.values.keys().copied()
    }

    /// The literal that a read of a cell equals.
    pub(crate) fn value(&self, read: TermId) -> Option<TermId> {
        self.values.get(&read).map(|&(literal, _)| literal)
    }

    /// The constraint that fixes a read of a cell.
    pub(crate) fn constraint(&self, read: TermId) -> Option<TermId> {
        self.values.get(&read).map(|&(_, place)| self.constraints[place as usize])
    }

    /// Whether the table has a cell at an index.
    fn has(&self, index: &Value) -> bool {
        self.cells.binary_search_by(|cell| cell.index.cmp(index)).is_ok()
    }

    /// Puts the cells into a value of the array.
    pub fn put_into(&self, array: &mut ArrayValue) {
        for cell in &self.cells {
            array.set(cell.index.clone(), cell.element.clone());
        }
    }

    /// Takes the cells out of a value of the array: what is left says how the value goes on beside the table.
    pub fn take_from(&self, array: &mut ArrayValue) {
        array.entries.retain(|index, _| !self.has(index));
    }

    /// Whether all cells have their values in a model; `None` when the model has no value for the array.
    pub fn holds(&self, model: &Model) -> Option<bool> {
        let Some(Value::Array(array)) = model.get(self.array) else { return None };
        Some(self.cells.iter().all(|cell| *array.get(&cell.index) == cell.element))
    }
}

/// The digest of pairs whose indices ascend.
fn digest(cells: &[Cell]) -> [u8; 32] {
    let mut bytes = Vec::with_capacity(8 + cells.len() * 8);
    put_varint(&mut bytes, cells.len() as u64);
    for Cell { index, element } in cells {
        put_literal(&mut bytes, index);
        put_literal(&mut bytes, element);
    }
    *blake3::hash(&bytes).as_bytes()
}

/// The tables of one arena, each read once.
#[derive(Default)]
pub(crate) struct Tables(FxHashMap<TermId, Option<Rc<Table>>>);

impl Tables {
    /// The table that a term is.
    pub(crate) fn of(&mut self, terms: &Terms, term: TermId) -> Option<Rc<Table>> {
        // Most constraints are no conjunctions, or short ones, or none of cells: those need no memo.
        let args = terms.args(term);
        if terms.op(term) != Op::Fun(Fun::And) || args.len() < FEWEST || cell(terms, args[0]).is_none() {
            return None;
        }
        self.0.entry(term).or_insert_with(|| Table::read(terms, term).map(Rc::new)).clone()
    }

    /// The table of cells of one array, given as constraints in any order; `None` when two of them give one
    /// cell two values, or there are too few.
    pub(crate) fn gather(&mut self, terms: &mut Terms, constraints: &[TermId]) -> Option<Rc<Table>> {
        let mut cells: Vec<(Value, TermId)> = Vec::with_capacity(constraints.len());
        for &constraint in constraints {
            let (_, read, _) = cell(terms, constraint)?;
            cells.push((terms.literal_of(terms.args(read)[1])?.clone(), normal(terms, constraint)?));
        }
        cells.sort_unstable();
        cells.dedup();
        let args: Vec<TermId> = cells.into_iter().map(|(_, constraint)| constraint).collect();
        if args.len() < FEWEST {
            return None;
        }
        let term = terms.app(Fun::And, &args).expect("constraints are of sort Bool");
        self.of(terms, term)
    }
}

/// A cell with its read on the left, so that both writings are one.
fn normal(terms: &mut Terms, constraint: TermId) -> Option<TermId> {
    let (_, read, literal) = cell(terms, constraint)?;
    Some(terms.app(Fun::Eq, &[read, literal]).expect("both sides keep their sorts"))
}

/// Whether a sort is that of arrays that can be tables.
pub fn can_be_table(terms: &Terms, array: SymbolId) -> bool {
    match terms.sort_kind(terms.symbol_of(array).result) {
        Sort::Array(index, element) => {
            let is_bits = |sort| matches!(terms.sort_kind(sort), Sort::BitVec(_));
            is_bits(*index) && is_bits(*element)
        }
        _ => false,
    }
}
