//! Tables of constants, read at a symbolic index.
//!
//! Classes of characters, hex digits and the tables of generated scanners are arrays of hundreds of cells. A
//! table with few runs becomes a tree of comparisons ([`Exprs::select`]). Any other is one node, whose cells
//! are kept once by their content: never a node per cell. An operation with a constant (`class[c] & 4`) makes
//! a table of results, which has fewer runs, most of the time; and a comparison with a constant becomes one
//! of the index where the cells that satisfy it are few runs. So `isalpha(c)` ends as two ranges of `c`.
//!
//! A read outside of the table gives 0. Callers have branched on that before, as with division by zero.

use crate::build::MAX_LEAVES;
use crate::concrete;
use crate::exprs::Exprs;
use crate::node::{Cond, Expr, HARD, Node};
use crate::op::{Binary, Cast, Kind, Rel};
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};
use std::rc::Rc;

/// A table of at most this many runs is a tree of comparisons.
const MAX_RUNS: usize = 8;
/// At most this many runs of cells that satisfy a condition are written as ranges of the index.
const MAX_RANGES: usize = 8;
/// Larger tables are not computed with cell by cell.
const MAX_CELLS: usize = 4096;

/// All tables of an arena, by content.
#[derive(Default)]
pub(crate) struct Tables {
    tables: Vec<Content>,
    known: FxHashMap<Rc<[i64]>, u32>,
    reads: FxHashMap<(Table, Expr), Expr>,
}

/// A table of constants of an arena: for reading it more than once.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Table {
    number: u32,
    kind: Kind,
}

struct Content {
    cells: Rc<[i64]>,
    /// Of the content: the same in every arena.
    digest: u64,
}

impl Tables {
    fn number(&mut self, cells: &[i64]) -> u32 {
        if let Some(&known) = self.known.get(cells) {
            return known;
        }
        let cells: Rc<[i64]> = cells.into();
        let number = self.tables.len() as u32;
        let mut hasher = FxHasher::default();
        cells.hash(&mut hasher);
        self.tables.push(Content { cells: cells.clone(), digest: hasher.finish() });
        self.known.insert(cells, number);
        number
    }

    pub(crate) fn digest(&self, table: u32) -> u64 {
        self.tables[table as usize].digest
    }

    pub(crate) fn cells(&self, table: u32) -> &Rc<[i64]> {
        &self.tables[table as usize].cells
    }

    /// The element at an index; 0 outside.
    pub(crate) fn element(&self, table: u32, index: i64) -> i64 {
        let cells = &self.tables[table as usize].cells;
        usize::try_from(index).ok().and_then(|index| cells.get(index)).copied().unwrap_or(0)
    }

    /// The least and the greatest element at indices of an interval.
    pub(crate) fn interval(&self, table: u32, index: (i64, i64)) -> (i64, i64) {
        let cells = self.cells(table);
        let (from, to) = window(cells.len(), index);
        let reached = &cells[from..=to];
        (reached.iter().copied().min().unwrap_or(0), reached.iter().copied().max().unwrap_or(0))
    }
}

/// The first and the last cell that an index within the table can reach.
fn window(cells: usize, (lo, hi): (i64, i64)) -> (usize, usize) {
    let last = cells as i64 - 1;
    (lo.clamp(0, last) as usize, hi.clamp(0, last) as usize)
}

/// Where the runs begin, at most [`MAX_RUNS`]: neighbours that are equal, or at least three that rise by one.
fn runs(cells: &[i64]) -> Option<Vec<(usize, bool)>> {
    let mut runs = Vec::new();
    let mut start = 0;
    while start < cells.len() {
        let length = |step: i64| {
            let next = |pair: &&[i64]| pair[0].checked_add(step) == Some(pair[1]);
            1 + cells[start..].windows(2).take_while(next).count()
        };
        let (same, rising) = (length(0), length(1));
        let rises = rising > 2 && rising > same;
        if runs.len() == MAX_RUNS {
            return None;
        }
        runs.push((start, rises));
        start += if rises { rising } else { same };
    }
    Some(runs)
}

enum Run {
    Same(Expr),
    /// The index plus a constant.
    Index(Kind, i64),
}

impl Exprs {
    /// The element of a table at an index that the caller knows to be within.
    ///
    /// Neighbours that are equal, or that all are the index plus one constant, are one run; the runs are the
    /// leaves of a balanced tree of comparisons. So a character table of 256 entries is some dozens of
    /// leaves, and a comparison of the element with a constant becomes one of the index ([`Exprs::relate`]).
    ///
    /// # Panics
    /// If the table is empty.
    pub fn select(&mut self, table: &[Expr], index: Expr) -> Expr {
        assert!(!table.is_empty(), "a table has an element");
        let (lo, hi) = self.interval(index);
        let last = table.len() as i64 - 1;
        let (lo, hi) = (lo.clamp(0, last) as usize, hi.clamp(0, last) as usize);
        if let Some(read) = self.read_written(&table[lo..=hi], lo as i64, index) {
            return read;
        }
        let runs = self.runs_of(&table[lo..=hi], lo as i64);
        let runs: Vec<(i64, Expr)> = runs
            .into_iter()
            .map(|(first, run)| match run {
                Run::Same(element) => (first, element),
                Run::Index(kind, constant) => {
                    let index = if kind == Kind::I64 { self.cast(Cast::I2L, index) } else { index };
                    let constant = self.raw_constant(kind, constant);
                    (first, self.binary(Binary::Add, index, constant))
                }
            })
            .collect();
        self.tree(&runs, index)
    }

    fn tree(&mut self, runs: &[(i64, Expr)], index: Expr) -> Expr {
        if let [(_, element)] = runs {
            return *element;
        }
        let (left, right) = runs.split_at(runs.len() / 2);
        let (low, high) = (self.tree(left, index), self.tree(right, index));
        let bound = self.raw_constant(self.kind(index), right[0].0);
        let below = self.relate(Rel::Lt, index, bound);
        self.ite(below, low, high)
    }

    /// Longest runs from left to right; index runs only where they have at least three elements.
    fn runs_of(&self, table: &[Expr], offset: i64) -> Vec<(i64, Run)> {
        let mut runs = Vec::new();
        let mut start = 0;
        while start < table.len() {
            let at = |i: usize| offset + i as i64;
            let same = table[start..].iter().take_while(|e| **e == table[start]).count();
            let kind = self.kind(table[start]);
            let shift =
                self.as_raw(table[start]).filter(|_| kind.is_int()).and_then(|v| v.checked_sub(at(start)));
            let rising = shift.map_or(0, |shift| {
                let rises = |i: &usize| self.as_raw(table[*i]) == at(*i).checked_add(shift);
                (start..table.len()).take_while(rises).count()
            });
            if rising > 2 && rising > same {
                runs.push((at(start), Run::Index(kind, shift.unwrap_or(0))));
                start += rising;
            } else {
                runs.push((at(start), Run::Same(table[start])));
                start += same;
            }
        }
        runs
    }

    /// The element of a table of constants at an int that the caller knows to be within it. Elements are
    /// whole numbers of the kind; of a float the bits.
    ///
    /// # Panics
    /// If the table is empty.
    pub fn table(&mut self, values: &[i64], kind: Kind, index: Expr) -> Expr {
        let table = self.new_table(values, kind);
        self.read_table(table, index)
    }

    /// The table of these elements. Costs its length; a read of it does so only the first time.
    ///
    /// # Panics
    /// If the table is empty.
    pub fn new_table(&mut self, values: &[i64], kind: Kind) -> Table {
        assert!(!values.is_empty(), "a table has an element");
        let fits = |value: &i64| kind != Kind::I32 || i64::from(*value as i32) == *value;
        if values.iter().all(fits) {
            return Table { number: self.tables.number(values), kind };
        }
        let wrapped: Vec<i64> = values.iter().map(|&value| i64::from(value as i32)).collect();
        Table { number: self.tables.number(&wrapped), kind }
    }

    /// The element of a table at an int that the caller knows to be within it.
    pub fn read_table(&mut self, table: Table, index: Expr) -> Expr {
        if let Some(&known) = self.tables.reads.get(&(table, index)) {
            return known;
        }
        let element = self.make_read(table, index);
        self.tables.reads.insert((table, index), element);
        element
    }

    fn make_read(&mut self, Table { number, kind }: Table, index: Expr) -> Expr {
        let values = self.tables.cells(number).clone();
        let (from, to) = window(values.len(), self.interval(index));
        if from == to {
            return self.raw_constant(kind, values[from]);
        }
        if kind.is_int() {
            let window = &values[from..=to];
            if let Some(runs) = runs(window) {
                return self.select_runs(&runs, window, from, kind, index);
            }
        }
        self.table_node(number, kind, index)
    }

    /// The cells of a table that an index can reach.
    pub(crate) fn reachable_cells(&self, table: u32, index: Expr) -> &[i64] {
        let cells = self.tables.cells(table);
        let (from, to) = window(cells.len(), self.interval(index));
        &cells[from..=to]
    }

    fn table_node(&mut self, table: u32, kind: Kind, index: Expr) -> Expr {
        let interval =
            if kind.is_int() { self.tables.interval(table, self.interval(index)) } else { kind.range() };
        self.expr(Node::Table(table, index), kind, interval, HARD)
    }

    /// A tree over the runs of a window that begins at a cell.
    fn select_runs(
        &mut self,
        runs: &[(usize, bool)],
        window: &[i64],
        from: usize,
        kind: Kind,
        index: Expr,
    ) -> Expr {
        let mut leaves = Vec::with_capacity(runs.len());
        for &(start, rises) in runs {
            let (at, value) = ((from + start) as i64, window[start]);
            let leaf = if rises {
                let index = if kind == Kind::I64 { self.cast(Cast::I2L, index) } else { index };
                let shift = self.raw_constant(kind, value.wrapping_sub(at));
                self.binary(Binary::Add, index, shift)
            } else {
                self.raw_constant(kind, value)
            };
            leaves.push((at, leaf));
        }
        self.tree(&leaves, index)
    }

    /// A function of the elements of a table, or of the leaves of a constant tree, cell by cell.
    pub(crate) fn map_cells(&mut self, a: Expr, kind: Kind, map: &dyn Fn(i64) -> i64) -> Option<Expr> {
        if (2..=MAX_LEAVES).contains(&self.data(a).leaves) {
            return Some(self.map_leaves(a, &mut |exprs, raw| exprs.raw_constant(kind, map(raw))));
        }
        let Node::Table(table, index) = self.node(a) else { return None };
        let cells = self.tables.cells(table);
        if cells.len() > MAX_CELLS || !kind.is_int() {
            return None;
        }
        let mapped: Vec<i64> = cells.iter().map(|&cell| map(cell)).collect();
        Some(self.table(&mapped, kind, index))
    }

    /// An operation of an element with a constant.
    pub(crate) fn binary_on_cells(&mut self, op: Binary, kind: Kind, a: Expr, b: Expr) -> Option<Expr> {
        let ints = self.ints;
        match (self.node(a), self.as_raw(a), self.node(b), self.as_raw(b)) {
            // A sum or a multiple is a form: it may lose the table again.
            (Node::Table(..), _, _, Some(_)) if matches!(op, Binary::Add | Binary::Sub | Binary::Mul) => None,
            (Node::Table(..), _, _, Some(right)) => {
                self.map_cells(a, kind, &|left| concrete::binary(ints, op, kind, left, right))
            }
            (_, Some(left), Node::Table(..), _) if op.is_shift() => {
                self.map_cells(b, kind, &|right| concrete::binary(ints, op, kind, left, right))
            }
            _ => None,
        }
    }

    /// A cast of an element to an integer.
    pub(crate) fn cast_on_cells(&mut self, cast: Cast, a: Expr) -> Option<Expr> {
        match self.node(a) {
            Node::Table(..) => self.map_cells(a, cast.kinds().1, &|raw| concrete::cast(cast, raw)),
            _ => None,
        }
    }

    /// The condition that an element is one that `holds` accepts, as ranges of the index, if they are few.
    pub(crate) fn cells_that(
        &mut self,
        table: u32,
        index: Expr,
        holds: impl Fn(i64) -> bool,
    ) -> Option<Cond> {
        let cells = self.tables.cells(table).clone();
        let (from, to) = window(cells.len(), self.interval(index));
        let mut ranges: Vec<(i64, i64)> = Vec::new();
        for at in from..=to {
            if !holds(cells[at]) {
                continue;
            }
            let (at, found) = (at as i64, ranges.len());
            match ranges.last_mut() {
                Some(last) if last.1 + 1 == at => last.1 = at,
                _ if found == MAX_RANGES => return None,
                _ => ranges.push((at, at)),
            }
        }
        let kind = self.kind(index);
        let mut any = Cond::FALSE;
        for (first, last) in ranges {
            // The ends of the window are the ends of the index.
            let mut within = Cond::TRUE;
            if first == last && first > from as i64 && last < to as i64 {
                let value = self.raw_constant(kind, first);
                within = self.relate(Rel::Eq, index, value);
            } else {
                for (rel, end, is_edge) in
                    [(Rel::Ge, first, first == from as i64), (Rel::Le, last, last == to as i64)]
                {
                    if !is_edge {
                        let end = self.raw_constant(kind, end);
                        let side = self.relate(rel, index, end);
                        within = self.and(within, side);
                    }
                }
            }
            any = self.or(any, within);
        }
        Some(any)
    }
}
