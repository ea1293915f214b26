//! The vertices of a polytope and the cones at them.
//!
//! Rows `a.y <= b` are moved outwards by less than one each: no integer point comes in (`a.y` is an integer), and for almost
//! all moves every vertex then lies on exactly d rows, so the polytope is simple, of full dimension if it has any
//! point. Dictionaries (slacks as forms over the d slacks that are zero at a vertex) are kept in integers with a common
//! denominator, which is the determinant of the d rows [Avis, Fukuda DCG'92]; a first vertex by the criss-cross method
//! [Terlaky 1985], which needs no objective and no artificial variables, and the others along the edges.

use super::cone::{Cones, Facets, Head, Stop, Vertex, decompose};
use crate::number::Number;
use rustc_hash::FxHashSet;

/// Moves are multiples of `1 / SCALE`, each below `MOST / SCALE`.
const SCALE: i64 = (1 << 20) - 3;
const MOST: u64 = 1 << 16;

/// So many numbers may be in dictionaries that wait.
const OPEN_CELLS: usize = 1 << 23;

/// `y >= -slack_j` for each of d variables, and rows `a.y <= b`.
#[derive(Clone, Debug)]
pub(crate) struct Polytope<N> {
    pub d: usize,
    /// How far below 0 each variable may go.
    pub below: Vec<N>,
    /// Coefficients, one row after the other.
    pub rows: Vec<N>,
    pub sides: Vec<N>,
}

/// The slacks of a polytope, solved for at a vertex.
#[derive(Clone, Debug)]
struct Dictionary<N> {
    /// `index * s_i = table[i][d] + sum table[i][j] * s_zero[j]`, the constant times `SCALE`.
    table: Vec<N>,
    index: N,
    /// The slack of each row of the table.
    rows: Vec<u32>,
    /// The slacks that are zero.
    zero: Vec<u32>,
}

/// The moves of all slacks.
fn moves(count: usize, seed: u64) -> Vec<i64> {
    let mut state = seed.wrapping_mul(0x2545_f491_4f6c_dd1d) ^ 0x6a09_e667_f3bc_c908;
    let mut draw = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % (MOST - 1)) as i64 + 1
    };
    (0..count).map(|_| draw()).collect()
}

impl<N: Number> Default for Dictionary<N> {
    fn default() -> Dictionary<N> {
        Dictionary { table: Vec::new(), index: N::small(1), rows: Vec::new(), zero: Vec::new() }
    }
}

impl<N: Number> Dictionary<N> {
    fn at(&self, row: usize, column: usize) -> &N {
        &self.table[row * (self.zero.len() + 1) + column]
    }

    fn constant(&self, row: usize) -> &N {
        self.at(row, self.zero.len())
    }

    /// All variables at their lower ends.
    fn start(polytope: &Polytope<N>, moves: &[i64]) -> Option<Dictionary<N>> {
        let (d, m) = (polytope.d, polytope.sides.len());
        let scale = N::small(SCALE);
        let mut corner = Vec::with_capacity(d);
        for (below, r) in polytope.below.iter().zip(moves) {
            corner.push(below.mul(&scale)?.add(&N::small(*r))?);
        }
        let mut table = Vec::with_capacity(m * (d + 1));
        for (i, row) in polytope.rows.chunks(d).enumerate() {
            let own = polytope.sides[i].mul(&scale)?.add(&N::small(moves[d + i]))?;
            for a in row {
                table.push(a.neg()?);
            }
            table.push(own.add(&super::cone::dot(row, &corner)?)?);
        }
        Some(Dictionary {
            table,
            index: N::small(1),
            rows: (d as u32..(d + m) as u32).collect(),
            zero: (0..d as u32).collect(),
        })
    }

    /// Becomes the same as another, in the memory that it has.
    fn copy(&mut self, other: &Dictionary<N>) {
        self.table.clone_from(&other.table);
        self.index.clone_from(&other.index);
        self.rows.clone_from(&other.rows);
        self.zero.clone_from(&other.zero);
    }

    /// Exchanges the slack of a row and the slack of a column.
    fn pivot(&mut self, row: usize, column: usize, pivot_row: &mut Vec<N>) -> Option<()> {
        let width = self.zero.len() + 1;
        let pivot = self.at(row, column).clone();
        pivot_row.clear();
        pivot_row.extend_from_slice(&self.table[row * width..(row + 1) * width]);
        for i in (0..self.rows.len()).filter(|i| *i != row) {
            let factor = self.at(i, column).clone();
            let cells = self.table[i * width..(i + 1) * width].iter_mut().zip(&*pivot_row).enumerate();
            for (_, (cell, above)) in cells.filter(|(j, _)| *j != column) {
                let mut new = if cell.sign() == 0 { N::small(0) } else { pivot.mul(cell)? };
                if factor.sign() != 0 && above.sign() != 0 {
                    new = new.sub(&factor.mul(above)?)?;
                }
                *cell = new.div_exact(&self.index);
            }
        }
        for (j, cell) in pivot_row.iter().enumerate() {
            self.table[row * width + j] = if j == column { self.index.clone() } else { cell.neg()? };
        }
        if pivot.sign() < 0 {
            for cell in &mut self.table {
                *cell = cell.neg()?;
            }
        }
        self.index = pivot.abs()?;
        std::mem::swap(&mut self.rows[row], &mut self.zero[column]);
        Some(())
    }

    /// Goes to a vertex; `false` if there is none.
    fn find_vertex(&mut self, left: &mut u64) -> Result<bool, Stop> {
        let mut scratch = Vec::new();
        loop {
            let negative = (0..self.rows.len()).filter(|i| self.constant(*i).sign() < 0);
            let Some(row) = negative.min_by_key(|i| self.rows[*i]) else { return Ok(true) };
            let rising = (0..self.zero.len()).filter(|j| self.at(row, *j).sign() > 0);
            let Some(column) = rising.min_by_key(|j| self.zero[*j]) else { return Ok(false) };
            *left = left.checked_sub(1).ok_or(Stop::Budget)?;
            self.pivot(row, column, &mut scratch).ok_or(Stop::Overflow)?;
        }
    }

    /// The row whose slack becomes zero first when the slack of a column grows.
    fn leaving(&self, column: usize) -> Result<usize, Stop> {
        let mut best: Option<usize> = None;
        for i in (0..self.rows.len()).filter(|i| self.at(*i, column).sign() < 0) {
            let Some(b) = best else {
                best = Some(i);
                continue;
            };
            // constant_i / -a_i < constant_b / -a_b
            let mine = self.constant(i).mul(self.at(b, column)).ok_or(Stop::Overflow)?;
            let other = self.constant(b).mul(self.at(i, column)).ok_or(Stop::Overflow)?;
            match mine.cmp(&other) {
                std::cmp::Ordering::Greater => best = Some(i),
                std::cmp::Ordering::Equal => return Err(Stop::Degenerate),
                std::cmp::Ordering::Less => {}
            }
        }
        // Every variable has ends, so some slack becomes zero.
        best.ok_or(Stop::Degenerate)
    }

    /// Writes the cone at a vertex of index 1: nobody asks for its normals, nor for the vertex.
    fn unimodular(&self, polytope: &Polytope<N>, place: &mut Vec<u32>, out: &mut Cones<N>) -> Option<()> {
        let d = polytope.d;
        // Where each variable's slack is: a row, or from `BASE` on a column.
        const BASE: u32 = 1 << 31;
        place.clear();
        place.resize(d, 0);
        let rows = self.rows.iter().enumerate().map(|(at, s)| (at as u32, s));
        let columns = self.zero.iter().enumerate().map(|(at, s)| (at as u32 + BASE, s));
        for (at, slack) in rows.chain(columns) {
            if let Some(place) = place.get_mut(*slack as usize) {
                *place = at;
            }
        }
        let width = d + 1;
        let (zero, one) = (N::small(0), N::small(1));
        out.heads.push(Head { positive: true, index: 1 });
        out.numbers.reserve(d * width);
        for k in 0..d {
            out.numbers.extend(place.iter().map(|&at| match at.checked_sub(BASE) {
                None => self.table[at as usize * width + k].clone(),
                Some(column) if column as usize == k => one.clone(),
                Some(_) => zero.clone(),
            }));
        }
        for slack in self.zero.iter().map(|s| *s as usize) {
            let floor = if slack < d { &polytope.below[slack] } else { &polytope.sides[slack - d] };
            out.numbers.push(floor.neg()?);
        }
        Some(())
    }

    /// The cone at this vertex, and the vertex.
    fn cone(&self, polytope: &Polytope<N>, moves: &[i64]) -> Option<(Facets<N, N>, Vertex<N>)> {
        let d = polytope.d;
        let scale = N::small(SCALE);
        let mut rays = vec![N::small(0); d * d];
        let mut numerators = Vec::with_capacity(d);
        for j in 0..d {
            let corner = polytope.below[j].mul(&scale)?.add(&N::small(moves[j]))?.mul(&self.index)?;
            match self.rows.iter().position(|s| *s == j as u32) {
                Some(row) => {
                    for k in 0..d {
                        rays[k * d + j] = self.at(row, k).clone();
                    }
                    numerators.push(self.constant(row).sub(&corner)?);
                }
                None => {
                    let k = self.zero.iter().position(|s| *s == j as u32)?;
                    rays[k * d + j] = self.index.clone();
                    numerators.push(corner.neg()?);
                }
            }
        }
        let mut normals = Vec::with_capacity(d * d);
        let mut floors = Vec::with_capacity(d);
        for slack in &self.zero {
            let slack = *slack as usize;
            if slack < d {
                normals.extend((0..d).map(|j| N::small(if j == slack { -1 } else { 0 })));
                floors.push(polytope.below[slack].clone());
            } else {
                normals.extend_from_slice(&polytope.rows[(slack - d) * d..(slack - d + 1) * d]);
                floors.push(polytope.sides[slack - d].clone());
            }
        }
        let vertex = Vertex { numerators, denominator: self.index.mul(&scale)? };
        Some((Facets { positive: true, index: self.index.clone(), normals, rays, floors }, vertex))
    }

    fn key(&self) -> u128 {
        self.zero.iter().fold(0, |key, s| key | 1 << s)
    }
}

/// Sets of zero slacks that were seen: a list while there are few.
#[derive(Default)]
struct Seen {
    few: Vec<u128>,
    many: FxHashSet<u128>,
}

impl Seen {
    const FEW: usize = 32;

    /// Whether it is new.
    fn insert(&mut self, key: u128) -> bool {
        if self.few.len() < Seen::FEW {
            let new = !self.few.contains(&key);
            if new {
                self.few.push(key);
            }
            return new;
        }
        if self.many.is_empty() {
            self.many.extend(self.few.iter().copied());
        }
        self.many.insert(key)
    }
}

/// Whether a polytope, as it is, has a point; `None` if that takes more than `left`.
pub(crate) fn has_point<N: Number>(polytope: &Polytope<N>, left: &mut u64) -> Option<bool> {
    let still = vec![0; polytope.d + polytope.sides.len()];
    Dictionary::start(polytope, &still)?.find_vertex(left).ok()
}

/// Decomposes the cones at all vertices.
pub(crate) fn cones<N: Number>(
    polytope: &Polytope<N>,
    seed: u64,
    left: &mut u64,
    out: &mut Cones<N>,
) -> Result<(), Stop> {
    let slacks = polytope.d + polytope.sides.len();
    if slacks > 128 {
        return Err(Stop::Budget);
    }
    let moves = moves(slacks, seed);
    let mut first = Dictionary::start(polytope, &moves).ok_or(Stop::Overflow)?;
    if !first.find_vertex(left)? {
        return Ok(());
    }
    let mut seen = Seen::default();
    seen.insert(first.key());
    let (mut pool, mut scratch, mut place) = (Vec::new(), Vec::new(), Vec::new());
    let mut open = vec![first];
    let cells = open[0].table.len();
    while let Some(dictionary) = open.pop() {
        if open.len().saturating_mul(cells) > OPEN_CELLS {
            return Err(Stop::Budget);
        }
        if (0..dictionary.rows.len()).any(|i| dictionary.constant(i).sign() == 0) {
            return Err(Stop::Degenerate);
        }
        let own = dictionary.key();
        for column in 0..polytope.d {
            let row = dictionary.leaving(column)?;
            let key = own & !(1 << dictionary.zero[column]) | 1 << dictionary.rows[row];
            if seen.insert(key) {
                *left = left.checked_sub(1 + cells as u64 / 256).ok_or(Stop::Budget)?;
                let mut next = pool.pop().unwrap_or_else(Dictionary::default);
                next.copy(&dictionary);
                next.pivot(row, column, &mut scratch).ok_or(Stop::Overflow)?;
                open.push(next);
            }
        }
        if dictionary.index == N::small(1) {
            *left = left.checked_sub(1).ok_or(Stop::Budget)?;
            dictionary.unimodular(polytope, &mut place, out).ok_or(Stop::Overflow)?;
        } else {
            let (facets, vertex) = dictionary.cone(polytope, &moves).ok_or(Stop::Overflow)?;
            decompose(facets, &vertex, left, out)?;
        }
        pool.push(dictionary);
    }
    Ok(())
}
