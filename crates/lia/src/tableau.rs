//! A dense simplex tableau with bounds on every quantity, in integers only.
//!
//! Each row says `den * basic = sum of cell * nonbasic` with a positive `den` and no common divisor. Nonbasic
//! quantities have integer values throughout (all bounds are integers, and a quantity leaves the basis at one
//! of its bounds), so a basic value is the fraction `num / den` and no other fraction exists. Dense rows:
//! path conditions have few variables (3 to 30), and a row of 30 words is four cache lines. A pivot costs
//! rows * columns at worst, and only what the pivot row touches when the pivot is 1, which is the usual case.

use crate::number::Number;

/// A variable or a linear form over variables, by number.
pub(crate) type Id = u32;
/// No bound.
pub(crate) const NONE: u32 = u32::MAX;
const ABSENT: i32 = i32::MAX;

/// The bounds of a quantity, each with its reason ([`NONE`]: there is no bound).
#[derive(Clone, Debug)]
pub(crate) struct Bounds<N> {
    pub lo: N,
    pub hi: N,
    pub lo_why: u32,
    pub hi_why: u32,
}

/// Where a quantity is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    Absent,
    Row(usize),
    Column(usize),
}

/// The tableau.
#[derive(Clone, Debug)]
pub(crate) struct Tableau<N> {
    stride: usize,
    /// The nonbasic quantity of each column.
    pub cols: Vec<Id>,
    /// Its value.
    pub vals: Vec<N>,
    /// The basic quantity of each row.
    pub rows: Vec<Id>,
    pub den: Vec<N>,
    /// `den` times the basic quantity's value.
    pub num: Vec<N>,
    cells: Vec<N>,
    place: Vec<i32>,
    pub bounds: Vec<Bounds<N>>,
    touched: Vec<u32>,
}

impl<N: Number> Tableau<N> {
    pub(crate) fn new() -> Tableau<N> {
        Tableau {
            stride: 8,
            cols: Vec::new(),
            vals: Vec::new(),
            rows: Vec::new(),
            den: Vec::new(),
            num: Vec::new(),
            cells: Vec::new(),
            place: Vec::new(),
            bounds: Vec::new(),
            touched: Vec::new(),
        }
    }

    /// A new quantity, neither row nor column yet, without bounds.
    pub(crate) fn add_quantity(&mut self) -> Id {
        self.place.push(ABSENT);
        self.bounds.push(Bounds { lo: N::zero(), hi: N::zero(), lo_why: NONE, hi_why: NONE });
        (self.place.len() - 1) as Id
    }

    /// Forgets all rows and columns, not the bounds.
    pub(crate) fn clear(&mut self) {
        self.place.iter_mut().for_each(|p| *p = ABSENT);
        self.cols.clear();
        self.vals.clear();
        self.rows.clear();
        self.den.clear();
        self.num.clear();
        self.cells.clear();
    }

    pub(crate) fn place(&self, id: Id) -> Place {
        match self.place[id as usize] {
            ABSENT => Place::Absent,
            p if p >= 0 => Place::Column(p as usize),
            p => Place::Row((-1 - p) as usize),
        }
    }

    /// The cost of a pivot in this row.
    pub(crate) fn cost(&self, row: usize) -> u32 {
        1 + (self.rows.len() * self.cols.len() / N::CHEAP) as u32 + 4 * self.den[row].extra_words()
    }

    pub(crate) fn row(&self, row: usize) -> &[N] {
        let start = row * self.stride;
        &self.cells[start..start + self.cols.len()]
    }

    /// Makes an absent quantity a column: a variable that no row mentions yet.
    pub(crate) fn add_column(&mut self, id: Id, value: N) {
        if self.cols.len() == self.stride {
            let wider = self.stride * 2;
            let mut cells = vec![N::zero(); self.rows.len() * wider];
            for row in 0..self.rows.len() {
                for (k, cell) in self.row(row).iter().enumerate() {
                    cells[row * wider + k] = cell.clone();
                }
            }
            self.cells = cells;
            self.stride = wider;
        }
        self.place[id as usize] = self.cols.len() as i32;
        self.cols.push(id);
        self.vals.push(value);
    }

    /// Makes an absent quantity a row, given its sum; each summand is a row or a column already.
    pub(crate) fn add_row(&mut self, id: Id, terms: &[(Id, N)]) -> Option<()> {
        let row = self.rows.len();
        let start = row * self.stride;
        self.cells.resize(start + self.stride, N::zero());
        let mut den = N::one();
        for (part, _) in terms {
            if let Place::Row(r) = self.place(*part) {
                let d = &self.den[r];
                den = den.mul(&d.div_exact(&den.gcd(d)))?;
            }
        }
        let mut num = N::zero();
        let width = self.cols.len();
        let (old, new) = self.cells.split_at_mut(start);
        for (part, times) in terms {
            match self.place[*part as usize] {
                p if p >= 0 => {
                    let scaled = times.mul(&den)?;
                    num = num.add(&scaled.mul(&self.vals[p as usize])?)?;
                    new[p as usize] = new[p as usize].add(&scaled)?;
                }
                p => {
                    let r = (-1 - p) as usize;
                    let scaled = times.mul(&den.div_exact(&self.den[r]))?;
                    num = num.add(&scaled.mul(&self.num[r])?)?;
                    for (cell, from) in new.iter_mut().zip(&old[r * self.stride..r * self.stride + width]) {
                        if !from.is_zero() {
                            *cell = cell.add(&scaled.mul(from)?)?;
                        }
                    }
                }
            }
        }
        self.place[id as usize] = -1 - row as i32;
        self.rows.push(id);
        self.den.push(den);
        self.num.push(num);
        self.reduce(row);
        Some(())
    }

    /// Forgets a row. Its quantity is absent afterwards.
    pub(crate) fn drop_row(&mut self, row: usize) {
        let last = self.rows.len() - 1;
        self.place[self.rows[row] as usize] = ABSENT;
        if row != last {
            for k in 0..self.cols.len() {
                self.cells.swap(row * self.stride + k, last * self.stride + k);
            }
            self.place[self.rows[last] as usize] = -1 - row as i32;
        }
        self.rows.swap_remove(row);
        self.den.swap_remove(row);
        self.num.swap_remove(row);
        self.cells.truncate(last * self.stride);
    }

    /// Gives a nonbasic quantity another value.
    pub(crate) fn set_value(&mut self, col: usize, value: N) -> Option<()> {
        let by = value.sub(&self.vals[col])?;
        for row in 0..self.rows.len() {
            let cell = &self.cells[row * self.stride + col];
            if !cell.is_zero() {
                self.num[row] = self.num[row].add(&cell.mul(&by)?)?;
            }
        }
        self.vals[col] = value;
        Some(())
    }

    /// Exchanges the quantities of a row and a column; the one that leaves the basis gets the value `target`.
    ///
    /// After `None` (overflow) the tableau makes no sense any more.
    pub(crate) fn pivot(&mut self, row: usize, col: usize, target: N) -> Option<()> {
        let (start, width) = (row * self.stride, self.cols.len());
        let pivot = self.cells[start + col].clone();
        let old_value = self.vals[col].clone();
        let flip = pivot.sign() > 0;
        // pivot * entering = den * leaving - the rest
        let rest = self.num[row].sub(&pivot.mul(&old_value)?)?;
        let mut num = self.den[row].mul(&target)?.sub(&rest)?;
        self.cells[start + col] = self.den[row].neg();
        let mut den = pivot.clone();
        if flip {
            for cell in &mut self.cells[start..start + width] {
                *cell = cell.neg();
            }
        } else {
            den = den.neg();
            num = num.neg();
        }
        self.touched.clear();
        for (k, cell) in self.cells[start..start + width].iter().enumerate() {
            if !cell.is_zero() {
                self.touched.push(k as u32);
            }
        }
        self.den[row] = den;
        self.num[row] = num;
        let (entering, leaving) = (self.cols[col], self.rows[row]);
        self.rows[row] = entering;
        self.cols[col] = leaving;
        self.vals[col] = target;
        self.place[entering as usize] = -1 - row as i32;
        self.place[leaving as usize] = col as i32;
        if !self.den[row].is_one() {
            self.reduce(row);
        }
        for other in 0..self.rows.len() {
            if other != row && !self.cells[other * self.stride + col].is_zero() {
                self.eliminate(other, row, col, &old_value)?;
            }
        }
        Some(())
    }

    /// Puts the new row of the entering quantity, which had column `col` and value
    /// `old_value`, into another row.
    fn eliminate(&mut self, other: usize, row: usize, col: usize, old_value: &N) -> Option<()> {
        let width = self.cols.len();
        let (from, to) = (row * self.stride, other * self.stride);
        let mut times = self.cells[to + col].clone();
        self.cells[to + col] = N::zero();
        let rest = self.num[other].sub(&times.mul(old_value)?)?;
        let mut scale = self.den[row].clone();
        if !scale.is_one() {
            let common = scale.gcd(&times);
            if !common.is_one() {
                scale = scale.div_exact(&common);
                times = times.div_exact(&common);
            }
        }
        if scale.is_one() {
            self.num[other] = rest.add(&times.mul(&self.num[row])?)?;
        } else {
            self.num[other] = rest.mul(&scale)?.add(&times.mul(&self.num[row])?)?;
            self.den[other] = self.den[other].mul(&scale)?;
            for cell in &mut self.cells[to..to + width] {
                if !cell.is_zero() {
                    *cell = cell.mul(&scale)?;
                }
            }
        }
        for &k in &self.touched {
            let add = times.mul(&self.cells[from + k as usize])?;
            let cell = &mut self.cells[to + k as usize];
            *cell = cell.add(&add)?;
        }
        if !self.den[other].is_one() {
            self.reduce(other);
        }
        Some(())
    }

    /// Divides a row by the greatest common divisor of its numbers.
    fn reduce(&mut self, row: usize) {
        let (start, width) = (row * self.stride, self.cols.len());
        let mut common = self.den[row].clone();
        for cell in &self.cells[start..start + width] {
            if common.is_one() {
                return;
            }
            if !cell.is_zero() {
                common = cell.gcd(&common);
            }
        }
        if common.is_one() {
            return;
        }
        self.den[row] = self.den[row].div_exact(&common);
        // The values of the columns are integers: a divisor of all cells divides their sum.
        self.num[row] = self.num[row].div_exact(&common);
        for cell in &mut self.cells[start..start + width] {
            if !cell.is_zero() {
                *cell = cell.div_exact(&common);
            }
        }
    }
}
