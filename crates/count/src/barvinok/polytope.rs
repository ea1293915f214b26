//! The vertices of a polytope and the cones at them.
//!
//! Rows `a.y <= b` are moved outwards by less than one each: no integer point comes in (`a.y` is an integer),
//! and for almost all moves every vertex then lies on exactly d rows, so the polytope is simple, of full
//! dimension if it has any point. Dictionaries (slacks as forms over the d slacks that are zero at a vertex)
//! are kept in integers with a common denominator, which is the determinant of the d rows [Avis, Fukuda
//! DCG'92]; a first vertex by the criss-cross method [Terlaky 1985], which needs no objective and no
//! artificial variables, and the others along the edges.

use super::cone::{Cones, Facets, Head, Stop, Vertex, decompose};
use crate::number::Number;
use evergreen_structures::Xorshift;
use std::cmp::Ordering;

/// Moves are multiples of `1 / SCALE`, each below `MOST / SCALE`.
const SCALE: i64 = (1 << 20) - 3;
const MOST: u64 = 1 << 16;

/// Memory is taken for so many dictionaries that wait.
const ROOM_FOR: usize = 16;

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
    /// `index * s_i = table[i][d] + sum table[i][j] * s_zero[j]`, the constant times `SCALE`; then, if cones
    /// have a direction, how fast that grows with each slack that is zero, without a constant.
    table: Vec<N>,
    index: N,
    /// The slack of each row of the table, then the slacks that are zero.
    slacks: Vec<u8>,
    /// How many are zero.
    d: usize,
}

/// The moves of all slacks.
fn moves(count: usize, seed: u64) -> Vec<i64> {
    let mut random = Xorshift::new(seed.wrapping_mul(0x2545_f491_4f6c_dd1d) ^ 0x6a09_e667_f3bc_c908);
    (0..count).map(|_| random.below(MOST - 1) as i64 + 1).collect()
}

impl<N: Number> Dictionary<N> {
    fn at(&self, row: usize, column: usize) -> &N {
        &self.table[row * (self.d + 1) + column]
    }

    fn constant(&self, row: usize) -> &N {
        self.at(row, self.d)
    }

    fn rows(&self) -> &[u8] {
        &self.slacks[..self.slacks.len() - self.d]
    }

    fn zero(&self) -> &[u8] {
        &self.slacks[self.slacks.len() - self.d..]
    }

    /// All variables at their lower ends.
    fn start(polytope: &Polytope<N>, moves: &[i64], direction: &[i64]) -> Option<Dictionary<N>> {
        let (d, m) = (polytope.d, polytope.sides.len());
        let scale = N::small(SCALE);
        let mut corner = Vec::with_capacity(d);
        for (below, r) in polytope.below.iter().zip(moves) {
            corner.push(below.mul(&scale)?.add(&N::small(*r))?);
        }
        let mut table = Vec::with_capacity(m * (d + 1) + direction.len());
        for (i, row) in polytope.rows.chunks(d).enumerate() {
            let own = polytope.sides[i].mul(&scale)?.add(&N::small(moves[d + i]))?;
            for a in row {
                table.push(a.neg()?);
            }
            table.push(own.add(&super::cone::dot(row, &corner)?)?);
        }
        table.extend(direction.iter().map(|l| N::small(*l)));
        let slacks = (d..d + m).chain(0..d).map(|s| s as u8).collect();
        Some(Dictionary { table, index: N::small(1), slacks, d })
    }

    /// Appends the table in which the slacks of a row and of a column are exchanged; its index.
    fn exchange(&self, row: usize, column: usize, out: &mut Vec<N>) -> Option<N> {
        let width = self.d + 1;
        let above = &self.table[row * width..(row + 1) * width];
        let pivot = above[column].abs()?;
        let falls = above[column].sign() < 0;
        let same = pivot == self.index;
        let plain = same && pivot == N::small(1);
        let begin = out.len();
        out.extend_from_slice(&self.table);
        for (i, own) in out[begin..].chunks_mut(width).enumerate() {
            if i == row {
                if !falls {
                    for cell in &mut *own {
                        *cell = cell.neg()?;
                    }
                }
                own[column] = if falls { self.index.neg()? } else { self.index.clone() };
                continue;
            }
            if same && own[column].sign() == 0 {
                continue;
            }
            let factor = if falls { own[column].clone() } else { own[column].neg()? };
            if plain {
                N::add_times(own, above, &factor)?;
            } else {
                for (cell, above) in own.iter_mut().zip(above) {
                    let mut new = if cell.sign() == 0 { N::small(0) } else { pivot.mul(cell)? };
                    if above.sign() != 0 && factor.sign() != 0 {
                        new = new.add(&factor.mul(above)?)?;
                    }
                    *cell = new.div_exact(&self.index);
                }
            }
            own[column] = factor.neg()?;
        }
        Some(pivot)
    }

    /// Moves to a vertex; `false` if there is none.
    fn find_vertex(&mut self, left: &mut u64) -> Result<bool, Stop> {
        let mut next = Vec::new();
        loop {
            let rows = self.rows();
            let negative = (0..rows.len()).filter(|i| self.constant(*i).sign() < 0);
            let Some(row) = negative.min_by_key(|i| rows[*i]) else { return Ok(true) };
            let rising = (0..self.d).filter(|j| self.at(row, *j).sign() > 0);
            let Some(column) = rising.min_by_key(|j| self.zero()[*j]) else { return Ok(false) };
            *left = left.checked_sub(1).ok_or(Stop::Budget)?;
            next.clear();
            self.index = self.exchange(row, column, &mut next).ok_or(Stop::Overflow)?;
            std::mem::swap(&mut self.table, &mut next);
            let column = self.slacks.len() - self.d + column;
            self.slacks.swap(row, column);
        }
    }

    /// The row whose slack becomes zero first when the slack of a column grows.
    fn leaving(&self, column: usize) -> Result<usize, Stop> {
        let mut best: Option<usize> = None;
        let rows = self.table.chunks_exact(self.d + 1).enumerate();
        for (i, row) in rows.filter(|(_, row)| row[column].sign() < 0) {
            let Some(b) = best else {
                best = Some(i);
                continue;
            };
            // constant_i / -a_i < constant_b / -a_b
            let (own, least) = (&row[column], self.at(b, column));
            let order = if own == least {
                self.constant(b).cmp(&row[self.d])
            } else {
                let mine = row[self.d].mul(least).ok_or(Stop::Overflow)?;
                mine.cmp(&self.constant(b).mul(own).ok_or(Stop::Overflow)?)
            };
            match order {
                Ordering::Greater => best = Some(i),
                Ordering::Equal => return Err(Stop::Degenerate),
                Ordering::Less => {}
            }
        }
        // Every variable has ends, so some slack becomes zero.
        best.ok_or(Stop::Degenerate)
    }

    /// Writes the cone at a vertex of index 1: its normals and the vertex are not needed, nor its
    /// generators if there is a direction.
    fn unimodular(&self, polytope: &Polytope<N>, out: &mut Cones<N>) -> Result<(), Stop> {
        let d = polytope.d;
        if out.direction.is_empty() {
            let (zero, one) = (N::small(0), N::small(1));
            for k in 0..d {
                for variable in 0..d as u8 {
                    out.generators.push(match self.rows().iter().position(|s| *s == variable) {
                        Some(row) => self.at(row, k).clone(),
                        None if self.zero()[k] == variable => one.clone(),
                        None => zero.clone(),
                    });
                }
            }
        } else {
            for slope in &self.table[self.rows().len() * (d + 1)..] {
                out.push_slope(slope.to_word().ok_or(Stop::Slope)?)?;
            }
        }
        for slack in self.zero().iter().map(|s| usize::from(*s)) {
            let floor = if slack < d { &polytope.below[slack] } else { &polytope.sides[slack - d] };
            out.tips.push(floor.neg().ok_or(Stop::Overflow)?);
        }
        out.heads.push(Head { positive: true, index: 1 });
        Ok(())
    }

    /// The cone at this vertex, and the vertex.
    fn cone(&self, polytope: &Polytope<N>, moves: &[i64]) -> Option<(Facets<N, N>, Vertex<N>)> {
        let d = polytope.d;
        let scale = N::small(SCALE);
        let mut rays = vec![N::small(0); d * d];
        let mut numerators = Vec::with_capacity(d);
        for j in 0..d {
            let corner = polytope.below[j].mul(&scale)?.add(&N::small(moves[j]))?.mul(&self.index)?;
            match self.rows().iter().position(|s| usize::from(*s) == j) {
                Some(row) => {
                    for k in 0..d {
                        rays[k * d + j] = self.at(row, k).clone();
                    }
                    numerators.push(self.constant(row).sub(&corner)?);
                }
                None => {
                    let k = self.zero().iter().position(|s| usize::from(*s) == j)?;
                    rays[k * d + j] = self.index.clone();
                    numerators.push(corner.neg()?);
                }
            }
        }
        let mut normals = Vec::with_capacity(d * d);
        let mut floors = Vec::with_capacity(d);
        for slack in self.zero().iter().map(|s| usize::from(*s)) {
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
        self.zero().iter().fold(0, |key, s| key | 1 << s)
    }
}

/// Vertices that were seen, by the sets of their zero slacks; open addressing. No set is empty.
struct Seen {
    /// Each set, and the slacks in it along whose edges a neighbour is that was seen: an edge is
    /// walked from one of its ends.
    vertices: Vec<(u128, u128)>,
    many: usize,
}

impl Seen {
    fn new() -> Seen {
        Seen { vertices: vec![(0, 0); 32], many: 0 }
    }

    /// A vertex, and the slack along whose edge it was seen; whether it is new.
    fn insert(&mut self, key: u128, slack: u128) -> bool {
        if self.many * 2 >= self.vertices.len() {
            let more = vec![(0, 0); self.vertices.len() * 4];
            for vertex in std::mem::replace(&mut self.vertices, more).into_iter().filter(|v| v.0 != 0) {
                let at = self.place(vertex.0);
                self.vertices[at] = vertex;
            }
        }
        let at = self.place(key);
        let new = self.vertices[at].0 == 0;
        self.vertices[at].0 = key;
        self.vertices[at].1 |= slack;
        self.many += usize::from(new);
        new
    }

    /// The slacks along whose edges neighbours were seen.
    fn known(&self, key: u128) -> u128 {
        self.vertices[self.place(key)].1
    }

    /// Where it is, or would be.
    fn place(&self, key: u128) -> usize {
        let mixed = (key as u64 ^ ((key >> 64) as u64).rotate_left(31)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mask = self.vertices.len() - 1;
        let mut at = (mixed >> 32) as usize & mask;
        while self.vertices[at].0 != 0 && self.vertices[at].0 != key {
            at = (at + 1) & mask;
        }
        at
    }
}

/// Dictionaries that wait, one after the other.
struct Open<N> {
    tables: Vec<N>,
    slacks: Vec<u8>,
    /// Index and set of zero slacks of each.
    heads: Vec<(N, u128)>,
}

impl<N: Number> Open<N> {
    /// The last one becomes the current one.
    fn pop(&mut self, current: &mut Dictionary<N>) -> Option<u128> {
        let (index, key) = self.heads.pop()?;
        current.index = index;
        let begin = self.tables.len() - current.table.len();
        current.table.clear();
        current.table.extend(self.tables.drain(begin..));
        let begin = self.slacks.len() - current.slacks.len();
        current.slacks.copy_from_slice(&self.slacks[begin..]);
        self.slacks.truncate(begin);
        Some(key)
    }

    /// The neighbour along a column, whose row leaves.
    fn push(&mut self, from: &Dictionary<N>, row: usize, column: usize, key: u128) -> Option<()> {
        let index = from.exchange(row, column, &mut self.tables)?;
        let begin = self.slacks.len();
        self.slacks.extend_from_slice(&from.slacks);
        self.slacks.swap(begin + row, begin + from.rows().len() + column);
        self.heads.push((index, key));
        Some(())
    }
}

/// Whether a polytope, as it is, has a point; `None` if that takes more than `left`.
pub(crate) fn has_point<N: Number>(polytope: &Polytope<N>, left: &mut u64) -> Option<bool> {
    let still = vec![0; polytope.d + polytope.sides.len()];
    Dictionary::start(polytope, &still, &[])?.find_vertex(left).ok()
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
    let mut current = Dictionary::start(polytope, &moves, &out.direction).ok_or(Stop::Overflow)?;
    if !current.find_vertex(left)? {
        return Ok(());
    }
    // Later ones have none if no two rows leave together.
    if (0..current.rows().len()).any(|i| current.constant(i).sign() == 0) {
        return Err(Stop::Degenerate);
    }
    let mut seen = Seen::new();
    seen.insert(current.key(), 0);
    let cells = current.table.len();
    let room = ROOM_FOR * cells;
    let mut open = Open {
        tables: Vec::with_capacity(room),
        slacks: Vec::with_capacity(ROOM_FOR * slacks),
        heads: Vec::with_capacity(ROOM_FOR),
    };
    let mut next = Some(current.key());
    let one = N::small(1);
    while let Some(own) = next {
        if open.tables.len() > OPEN_CELLS {
            return Err(Stop::Budget);
        }
        let known = seen.known(own);
        for column in (0..polytope.d).filter(|column| known >> current.zero()[*column] & 1 == 0) {
            let row = current.leaving(column)?;
            let slack = 1 << current.rows()[row];
            let key = own & !(1 << current.zero()[column]) | slack;
            if seen.insert(key, slack) {
                *left = left.checked_sub(1 + cells as u64 / 256).ok_or(Stop::Budget)?;
                open.push(&current, row, column, key).ok_or(Stop::Overflow)?;
            }
        }
        if current.index == one {
            *left = left.checked_sub(1).ok_or(Stop::Budget)?;
            current.unimodular(polytope, out)?;
        } else {
            let (facets, vertex) = current.cone(polytope, &moves).ok_or(Stop::Overflow)?;
            decompose(facets, &vertex, left, out)?;
        }
        next = open.pop(&mut current);
    }
    Ok(())
}
