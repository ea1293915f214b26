//! Random conjunctions of bit vectors and arrays, along paths.
//!
//! A ground is an arena with a few symbols. Its queries follow each other as those of a path do: a
//! constraint is added, the last one is negated, some are taken back. What a core keeps from query to query
//! is then used.

use super::operators::{BINARY, OVERFLOWS, PRODUCTS, RELATIONS};
use evergreen::{Fun, Indexed, SortId, TermId, Terms};
use evergreen_testing::random::Random;

/// What the symbols of a ground are.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[allow(missing_docs)]
pub enum Family {
    /// Few bits: all assignments can be tried.
    Small,
    /// Bytes, and words made of them.
    Bytes,
    /// Widths from 1 to 64.
    Widths,
    /// 32 and 64 bits, as programs have them.
    Words,
    Arrays,
    /// An array whose cells are asserted to be literals.
    Tables,
}

impl Family {
    /// All of them.
    pub const ALL: [Family; 6] =
        [Family::Small, Family::Bytes, Family::Widths, Family::Words, Family::Arrays, Family::Tables];

    /// The name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Family::Small => "small",
            Family::Bytes => "bytes",
            Family::Widths => "widths",
            Family::Words => "words",
            Family::Arrays => "arrays",
            Family::Tables => "tables",
        }
    }
}

/// A declared array: its term and sort, the widths of its indices and elements.
#[derive(Clone, Copy)]
struct Array {
    term: TermId,
    sort: SortId,
    index: u32,
    element: u32,
}

/// An arena, its symbols, and the path that its queries are on.
pub(super) struct Ground {
    /// The arena.
    pub terms: Terms,
    /// What its symbols are.
    pub family: Family,
    random: Random,
    vectors: Vec<(TermId, u32)>,
    truths: Vec<TermId>,
    arrays: Vec<Array>,
    /// Literal cells that every query has.
    cells: Vec<TermId>,
    path: Vec<TermId>,
}

/// The most constraints of a path, without cells.
const LONGEST: usize = 10;

impl Ground {
    /// The ground of a number.
    pub(super) fn new(seed: u64, number: u64) -> Ground {
        let mut random = Random::for_index(seed, number);
        let family = *random.choose(&Family::ALL);
        let mut ground = Ground {
            terms: Terms::new(),
            family,
            random,
            vectors: Vec::new(),
            truths: Vec::new(),
            arrays: Vec::new(),
            cells: Vec::new(),
            path: Vec::new(),
        };
        let widths = ground.widths();
        for (i, width) in widths.into_iter().enumerate() {
            let sort = ground.terms.bitvec_sort(width);
            let term = ground.terms.constant(&format!("v{i}"), sort);
            ground.vectors.push((term, width));
        }
        for name in ["p", "q"] {
            let term = ground.terms.constant(name, SortId::BOOL);
            ground.truths.push(term);
        }
        if matches!(family, Family::Arrays | Family::Tables) {
            ground.declare_arrays();
        }
        if family == Family::Tables {
            ground.fill();
        }
        ground
    }

    fn widths(&mut self) -> Vec<u32> {
        let random = &mut self.random;
        match self.family {
            Family::Small => (0..2).map(|_| 1 + random.below(4) as u32).collect(),
            Family::Bytes => vec![8; 2 + random.below(4)],
            Family::Widths => (0..3).map(|_| 1 + random.below(64) as u32).collect(),
            Family::Words => (0..3).map(|_| *random.choose(&[16, 32, 32, 64])).collect(),
            Family::Arrays => {
                vec![1 + random.below(8) as u32, 8, *random.choose(&[1, 2, 4, 8, 16, 32])]
            }
            Family::Tables => vec![8, *random.choose(&[3, 8, 16, 32])],
        }
    }

    fn declare_arrays(&mut self) {
        let index = match self.random.below(3) {
            0 => *self.random.choose(&[8, 16, 32]),
            1 => self.vectors[0].1.min(32),
            _ => 1 + self.random.below(32) as u32,
        };
        let element = if self.random.one_in(2) { 8 } else { 1 + self.random.below(32) as u32 };
        let (from, to) = (self.terms.bitvec_sort(index), self.terms.bitvec_sort(element));
        let sort = self.terms.array_sort(from, to);
        for name in ["a", "b"] {
            let term = self.terms.constant(name, sort);
            self.arrays.push(Array { term, sort, index, element });
        }
    }

    /// Cells of a table, some of them twice, some of them left out.
    fn fill(&mut self) {
        let Array { term, index, element, .. } = self.arrays[0];
        let count = 1 + self.random.below(40) as u64;
        let start = if self.random.one_in(3) { self.random.below(300) as u64 } else { 0 };
        let step = 1 + self.random.below(3) as u64;
        let few = self.random.one_in(2);
        for i in 0..count {
            if self.random.one_in(9) {
                continue;
            }
            let at = self.terms.bv(index, u128::from((start + i * step) & mask(index)));
            let number = if few { self.random.next() % 3 } else { self.random.next() };
            let value = self.terms.bv(element, u128::from(number & mask(element)));
            let read = self.app(Fun::Select, &[term, at]);
            let cell = if self.random.one_in(2) {
                self.app(Fun::Eq, &[read, value])
            } else {
                self.app(Fun::Eq, &[value, read])
            };
            self.cells.push(cell);
            if self.random.one_in(20) {
                self.cells.push(cell);
            }
        }
        // An index that is smaller than the table makes two values for one cell, rarely.
        if self.random.one_in(3) {
            let mut random = self.random.clone();
            random.shuffle(&mut self.cells);
        }
    }

    /// The next query, after whether the last one was satisfiable.
    pub(super) fn next_query(&mut self, was_sat: bool) -> Vec<TermId> {
        if !was_sat && !self.path.is_empty() {
            // The other branch, or back.
            let last = self.path.pop().expect("not empty");
            match self.random.below(4) {
                0 => {}
                1 => {
                    self.random.next();
                    let keep = self.random.below(self.path.len() + 1);
                    self.path.truncate(keep);
                }
                _ => {
                    let other = self.app(Fun::Not, &[last]);
                    self.path.push(other);
                }
            }
        }
        if self.path.len() >= LONGEST {
            let keep = self.random.below(4);
            self.path.truncate(keep);
        }
        for _ in 0..1 + usize::from(self.random.one_in(4)) {
            let constraint = self.constraint();
            self.path.push(constraint);
        }
        let mut query = self.path.clone();
        if self.random.one_in(8) {
            let twice = *self.random.choose(&query);
            query.push(twice);
        }
        if !self.random.one_in(16) {
            query.extend(&self.cells);
        }
        if self.random.one_in(4) {
            let mut random = self.random.clone();
            random.shuffle(&mut query);
        }
        if self.random.one_in(6) && query.len() > 2 {
            let parts = query.split_off(query.len() - 2);
            query.push(self.app(Fun::And, &parts));
        }
        query
    }

    fn app(&mut self, fun: Fun, args: &[TermId]) -> TermId {
        self.terms.app(fun, args).expect("well sorted")
    }

    fn indexed(&mut self, fun: Indexed, i: u32, j: u32, arg: TermId) -> TermId {
        self.terms.indexed(fun, i, j, &[arg]).expect("well sorted")
    }

    fn constraint(&mut self) -> TermId {
        // Many constraints of a path compare something with a literal.
        if self.random.one_in(2) {
            let width = self.width();
            let depth = self.random.below(3) as u32;
            let (a, b) = (self.vector(width, depth), self.literal(width));
            let fun = *self.random.choose(RELATIONS);
            return if self.random.one_in(4) { self.app(fun, &[b, a]) } else { self.app(fun, &[a, b]) };
        }
        let depth = 1 + self.random.below(3) as u32;
        self.truth(depth)
    }

    /// A width at which something is compared.
    fn width(&mut self) -> u32 {
        let random = &mut self.random;
        let own = self.vectors[random.below(self.vectors.len())].1;
        match self.family {
            Family::Small => 1 + random.below(5) as u32,
            Family::Bytes => *random.choose(&[8, 8, 8, 16, 32]),
            Family::Widths => match random.below(3) {
                0 => 1 + random.below(64) as u32,
                _ => own,
            },
            Family::Words => own,
            Family::Arrays | Family::Tables => match random.below(3) {
                0 => own,
                _ => self.arrays[0].element,
            },
        }
    }

    /// A literal, often one at which something changes.
    fn literal(&mut self, width: u32) -> TermId {
        let all = mask(width);
        let random = &mut self.random;
        let value = match random.below(12) {
            0 => 0,
            1 => 1,
            2 => all,
            3 => 1 << (width - 1),
            4 => (1 << (width - 1)) - 1,
            5 => u64::from(width),
            6 => 1 << random.below(width as usize),
            7 | 8 => random.next() % 16,
            9 => all.wrapping_sub(random.next() % 16),
            _ => random.next(),
        };
        self.terms.bv(width, u128::from(value & all))
    }

    /// A symbol, made as wide as it is wanted.
    fn leaf(&mut self, width: u32) -> TermId {
        let (term, own) = *self.random.choose(&self.vectors);
        if own == width {
            return term;
        }
        if own > width {
            let low = match self.random.below(3) {
                0 => 0,
                1 => own - width,
                _ => self.random.below((own - width + 1) as usize) as u32,
            };
            return self.indexed(Indexed::Extract, low + width - 1, low, term);
        }
        let more = width - own;
        match self.random.below(4) {
            0 => self.indexed(Indexed::SignExtend, more, 0, term),
            1 => {
                let other = self.leaf(more);
                self.app(Fun::Concat, &[other, term])
            }
            2 if width.is_multiple_of(own) => self.indexed(Indexed::Repeat, width / own, 0, term),
            _ => self.indexed(Indexed::ZeroExtend, more, 0, term),
        }
    }

    /// A vector of a width.
    fn vector(&mut self, width: u32, depth: u32) -> TermId {
        if depth == 0 || self.random.one_in(5) {
            return if self.random.one_in(4) { self.literal(width) } else { self.leaf(width) };
        }
        let depth = depth - 1;
        if let Some(&array) = self.arrays.first()
            && array.element == width
            && self.random.one_in(2)
        {
            return self.read(array, depth);
        }
        // Products of wide vectors are rare, or most answers would be that they take too long.
        let products = if width <= 8 { 6 } else { 24 };
        if self.random.one_in(products) {
            let fun = *self.random.choose(PRODUCTS);
            let a = self.vector(width, depth.min(1));
            let b = if self.random.one_in(3) { self.vector(width, 0) } else { self.literal(width) };
            return if self.random.one_in(4) { self.app(fun, &[b, a]) } else { self.app(fun, &[a, b]) };
        }
        match self.random.below(14) {
            0 => {
                let fun = if self.random.one_in(2) { Fun::BvNot } else { Fun::BvNeg };
                let a = self.vector(width, depth);
                self.app(fun, &[a])
            }
            1 => {
                let condition = self.truth(depth.max(1));
                let (a, b) = (self.vector(width, depth), self.vector(width, depth));
                self.app(Fun::Ite, &[condition, a, b])
            }
            2 | 3 if width > 1 => {
                let low = 1 + self.random.below(width as usize - 1) as u32;
                let (high, low) = (self.vector(width - low, depth), self.vector(low, depth));
                self.app(Fun::Concat, &[high, low])
            }
            4 => self.extracted(width, depth),
            5 if width > 1 => {
                let own = 1 + self.random.below(width as usize - 1) as u32;
                let fun = if self.random.one_in(2) { Indexed::ZeroExtend } else { Indexed::SignExtend };
                let a = self.vector(own, depth);
                self.indexed(fun, width - own, 0, a)
            }
            6 => {
                let fun = if self.random.one_in(2) { Indexed::RotateLeft } else { Indexed::RotateRight };
                let by = self.random.below(2 * width as usize + 1) as u32;
                let a = self.vector(width, depth);
                self.indexed(fun, by, 0, a)
            }
            7 => {
                let parts: Vec<u32> = (1..=4).filter(|n| width.is_multiple_of(*n)).collect();
                let times = *self.random.choose(&parts);
                let a = self.vector(width / times, depth);
                self.indexed(Indexed::Repeat, times, 0, a)
            }
            8 if width == 1 => {
                let own = self.width();
                let (a, b) = (self.vector(own, depth), self.vector(own, 0));
                self.app(Fun::BvComp, &[a, b])
            }
            9 => {
                let fun = *self.random.choose(&[Fun::BvShl, Fun::BvLshr, Fun::BvAshr]);
                let a = self.vector(width, depth);
                let by = self.random.below(width as usize + 2) as u64;
                let by = self.terms.bv(width, u128::from(by & mask(width)));
                self.app(fun, &[a, by])
            }
            10 => {
                let fun = *self.random.choose(&[Fun::BvAnd, Fun::BvOr, Fun::BvXor, Fun::BvAdd]);
                let (a, b) = (self.vector(width, depth), self.literal(width));
                self.app(fun, &[a, b])
            }
            _ => {
                let fun = *self.random.choose(BINARY);
                let (a, b) = (self.vector(width, depth), self.vector(width, depth));
                if matches!(fun, Fun::BvAdd | Fun::BvAnd | Fun::BvOr) && self.random.one_in(6) {
                    let c = self.vector(width, 0);
                    return self.app(fun, &[a, b, c]);
                }
                self.app(fun, &[a, b])
            }
        }
    }

    fn extracted(&mut self, width: u32, depth: u32) -> TermId {
        let most = if self.family == Family::Small { 6 } else { 64 };
        let own = (width + self.random.below(9) as u32).min(most.max(width));
        let low = self.random.below((own - width + 1) as usize) as u32;
        let a = self.vector(own, depth);
        self.indexed(Indexed::Extract, low + width - 1, low, a)
    }

    fn read(&mut self, array: Array, depth: u32) -> TermId {
        let a = self.an_array(array, depth);
        let index = self.index(array, depth);
        self.app(Fun::Select, &[a, index])
    }

    /// An index: often a small literal or a byte, so that reads meet writes.
    fn index(&mut self, array: Array, depth: u32) -> TermId {
        match self.random.below(4) {
            0 => {
                let at = self.random.next() % 4;
                self.terms.bv(array.index, u128::from(at & mask(array.index)))
            }
            1 | 2 => self.leaf(array.index),
            _ => self.vector(array.index, depth.min(1)),
        }
    }

    fn an_array(&mut self, array: Array, depth: u32) -> TermId {
        if depth == 0 || self.random.one_in(3) {
            let other = if self.random.one_in(3) { 1 } else { 0 };
            return self.arrays[other].term;
        }
        let depth = depth - 1;
        match self.random.below(8) {
            // Of many cells, yices cannot be asked about it: rare.
            0 if array.index <= 3 || self.random.one_in(6) => {
                let value = self.vector(array.element, depth);
                self.terms.const_array(array.sort, value).expect("well sorted")
            }
            1 => {
                let condition = self.truth(depth.max(1));
                let (a, b) = (self.an_array(array, depth), self.an_array(array, depth));
                self.app(Fun::Ite, &[condition, a, b])
            }
            _ => {
                let a = self.an_array(array, depth);
                let index = self.index(array, depth);
                let value = self.vector(array.element, depth);
                self.app(Fun::Store, &[a, index, value])
            }
        }
    }

    /// A truth value.
    fn truth(&mut self, depth: u32) -> TermId {
        if depth == 0 {
            return *self.random.choose(&self.truths);
        }
        let depth = depth - 1;
        match self.random.below(12) {
            0 => {
                let a = self.truth(depth);
                self.app(Fun::Not, &[a])
            }
            1 | 2 => {
                let fun = *self.random.choose(&[Fun::And, Fun::Or, Fun::Xor, Fun::Implies, Fun::Eq]);
                let count = if self.random.one_in(4) { 3 } else { 2 };
                let args: Vec<TermId> = (0..count).map(|_| self.truth(depth)).collect();
                self.app(fun, &args)
            }
            3 => {
                let (c, a, b) = (self.truth(depth), self.truth(depth), self.truth(depth));
                self.app(Fun::Ite, &[c, a, b])
            }
            4 => {
                let fun = *self.random.choose(OVERFLOWS);
                let width = self.width();
                let a = self.vector(width, depth);
                if fun == Fun::BvNego {
                    return self.app(fun, &[a]);
                }
                let b = if self.random.one_in(2) { self.literal(width) } else { self.vector(width, 0) };
                self.app(fun, &[a, b])
            }
            5 | 6 if !self.arrays.is_empty() => {
                let array = self.arrays[0];
                let (a, b) = (self.an_array(array, depth), self.an_array(array, depth));
                let equal = self.app(Fun::Eq, &[a, b]);
                if self.random.one_in(3) { equal } else { self.app(Fun::Not, &[equal]) }
            }
            7 => {
                let width = self.width();
                let fun = *self.random.choose(&[Fun::Eq, Fun::Distinct]);
                let args: Vec<TermId> = (0..3).map(|_| self.vector(width, depth.min(1))).collect();
                self.app(fun, &args)
            }
            _ => {
                let width = self.width();
                let fun = *self.random.choose(RELATIONS);
                let (a, b) = (self.vector(width, depth), self.vector(width, depth));
                self.app(fun, &[a, b])
            }
        }
    }
}

/// All ones.
fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}
