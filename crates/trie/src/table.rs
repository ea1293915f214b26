//! The cores of one shape: rows of constants, searched by dominance.
//!
//! Cores with the same prefixes and operators differ in constants only, so they are points, and the ones that
//! a query implies are those in a corner of space: `P <= c` with c from some value up, `Q >= c` with c from
//! some value down. Up to [`FEW`] rows are looked through one after the other. More of them are kept as a k-d
//! tree without pointers [Bentley CACM'75]: rows are halved at the median, column by column, and each node
//! knows the least and the greatest value of its columns, so that a search skips whole subtrees that cannot
//! match. A search visits O(n^(1-1/k)) nodes at worst and about log n where something is found.
//!
//! New rows wait behind the tree, which is built anew when they are a quarter of it:
//! O(log^2 n) per row on average.

use crate::index::{Meter, Payload};

/// So many rows need no tree.
const FEW: usize = 16;
/// Rows of a leaf of the tree.
const LEAF: usize = 8;

/// Rows of constants, each with a payload.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    /// How many constants a row has. (A shape of opaque constraints has none, and one row.)
    width: u32,
    /// How many rows are in the tree.
    built: u32,
    rows: Vec<i64>,
    payloads: Vec<Payload>,
    /// For each node of the tree the least and the greatest value of each column; the children of
    /// node i are 2i+1 and 2i+2.
    ends: Vec<i64>,
}

/// The condition on rows.
pub(crate) trait Sought {
    /// May a row be it whose `column` lies in `least..=greatest`?
    fn within(&self, column: usize, least: i64, greatest: i64) -> bool;
    /// May a row be it that has `value` in `column`?
    fn at(&self, column: usize, value: i64) -> bool {
        self.within(column, value, value)
    }
}

/// Rows that begin with these constants.
pub(crate) struct Beginning<'a>(pub &'a [i64]);

impl Sought for Beginning<'_> {
    fn within(&self, column: usize, least: i64, greatest: i64) -> bool {
        self.0.get(column).is_none_or(|value| (least..=greatest).contains(value))
    }
}

impl Table {
    pub(crate) fn new(width: usize) -> Table {
        Table { width: width as u32, ..Table::default() }
    }

    pub(crate) fn len(&self) -> usize {
        self.payloads.len()
    }

    pub(crate) fn row(&self, row: usize) -> &[i64] {
        &self.rows[row * self.width as usize..(row + 1) * self.width as usize]
    }

    pub(crate) fn payload(&self, row: usize) -> Option<&Payload> {
        self.payloads.get(row)
    }

    pub(crate) fn push(&mut self, constants: &[i64], payload: Payload) {
        debug_assert_eq!(constants.len(), self.width as usize);
        reserve(&mut self.rows, constants.len());
        self.rows.extend_from_slice(constants);
        reserve(&mut self.payloads, 1);
        self.payloads.push(payload);
        let built = self.built as usize;
        if self.width > 0 && self.len() > FEW && self.len() - built > FEW.max(built / 4) {
            self.build();
        }
    }

    /// Removes all rows that are `sought`; how many.
    pub(crate) fn remove(&mut self, sought: &impl Sought) -> usize {
        let stay: Vec<usize> = (0..self.len()).filter(|&row| !self.fits(row, sought)).collect();
        let gone = self.len() - stay.len();
        if gone > 0 {
            self.keep(&stay);
            self.built = 0;
            self.ends.clear();
            if self.width > 0 && self.len() > FEW {
                self.build();
            }
        }
        gone
    }

    /// The rows `order`, in that order.
    fn keep(&mut self, order: &[usize]) {
        let mut rows = Vec::with_capacity(order.len() * self.width as usize);
        for &row in order {
            rows.extend_from_slice(self.row(row));
        }
        self.payloads = order.iter().map(|&row| self.payloads[row].clone()).collect();
        self.rows = rows;
    }

    /// How often the rows of the tree are halved.
    fn levels(&self) -> u32 {
        (self.built as usize).div_ceil(LEAF).next_power_of_two().trailing_zeros()
    }

    fn build(&mut self) {
        self.built = self.len() as u32;
        let mut order: Vec<usize> = (0..self.len()).collect();
        self.halve(&mut order, 0, self.levels());
        self.keep(&order);
        let width = self.width as usize;
        self.ends = vec![0; ((2 << self.levels()) - 1) * 2 * width];
        self.span(0, 0, self.len(), self.levels());
    }

    fn halve(&self, order: &mut [usize], column: usize, levels: u32) {
        if levels == 0 {
            return;
        }
        let middle = order.len() / 2;
        order.select_nth_unstable_by_key(middle, |&row| self.row(row)[column]);
        let (left, right) = order.split_at_mut(middle);
        let next = (column + 1) % self.width as usize;
        self.halve(left, next, levels - 1);
        self.halve(right, next, levels - 1);
    }

    /// Notes the ends of node `node`, which has the rows `from..to`, and of those below.
    fn span(&mut self, node: usize, from: usize, to: usize, levels: u32) {
        let width = self.width as usize;
        for column in 0..width {
            let values = (from..to).map(|row| self.row(row)[column]);
            let (least, greatest) =
                values.fold((i64::MAX, i64::MIN), |(least, most), v| (least.min(v), most.max(v)));
            let place = (node * width + column) * 2;
            self.ends[place] = least;
            self.ends[place + 1] = greatest;
        }
        if levels > 0 {
            let middle = from + (to - from) / 2;
            self.span(2 * node + 1, from, middle, levels - 1);
            self.span(2 * node + 2, middle, to, levels - 1);
        }
    }

    /// A row that is `sought`.
    pub(crate) fn find(&self, sought: &impl Sought, meter: &mut Meter) -> Option<usize> {
        let built = self.built as usize;
        let newest = self.scan(built, self.len(), sought, meter);
        if newest.is_some() || built == 0 {
            return newest;
        }
        self.search((0, 0, built, self.levels()), sought, meter)
    }

    fn search(
        &self,
        (node, from, to, levels): (usize, usize, usize, u32),
        sought: &impl Sought,
        meter: &mut Meter,
    ) -> Option<usize> {
        if !meter.step() {
            return None;
        }
        let width = self.width as usize;
        let ends = &self.ends[node * width * 2..(node + 1) * width * 2];
        if !ends.chunks_exact(2).enumerate().all(|(column, ends)| sought.within(column, ends[0], ends[1])) {
            return None;
        }
        if levels == 0 {
            return self.scan(from, to, sought, meter);
        }
        let middle = from + (to - from) / 2;
        let left = self.search((2 * node + 1, from, middle, levels - 1), sought, meter);
        left.or_else(|| self.search((2 * node + 2, middle, to, levels - 1), sought, meter))
    }

    fn scan(&self, from: usize, to: usize, sought: &impl Sought, meter: &mut Meter) -> Option<usize> {
        let mut rows = from..to;
        while !rows.is_empty() {
            if !meter.step() {
                return None;
            }
            let here = rows.start..rows.end.min(rows.start + LEAF);
            rows.start = here.end;
            if let Some(row) = here.into_iter().find(|&row| self.fits(row, sought)) {
                return Some(row);
            }
        }
        None
    }

    fn fits(&self, row: usize, sought: &impl Sought) -> bool {
        self.row(row).iter().enumerate().all(|(column, &value)| sought.at(column, value))
    }
}

/// Room for `more`, and for a quarter again: most tables stay small, and there are many.
fn reserve<T>(items: &mut Vec<T>, more: usize) {
    if items.len() + more > items.capacity() {
        items.reserve_exact(more + items.len() / 4);
    }
}
