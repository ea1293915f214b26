//! Clauses as a blaster writes them: gates of two and three literals, in the order in which they are made.

use evergreen_bits::lrat::Cnf;
use evergreen_bits::sat::{Lit, Var};
use evergreen_structures::Random;

/// Gates as clauses. Nothing is folded or shared: this is for the solver, not a blaster to learn from.
#[derive(Default)]
pub(crate) struct Circuit {
    pub cnf: Cnf,
    vars: u32,
}

impl Circuit {
    pub(crate) fn input(&mut self) -> Lit {
        self.vars += 1;
        Var(self.vars - 1).positive()
    }

    /// A word of fresh bits, the low ones first.
    pub(crate) fn word(&mut self, width: usize) -> Vec<Lit> {
        (0..width).map(|_| self.input()).collect()
    }

    /// A word of fresh bits with zeros above them.
    pub(crate) fn wide(&mut self, width: usize, whole: usize) -> Vec<Lit> {
        let mut word = self.word(width);
        word.extend(self.constant(whole - width, 0));
        word
    }

    pub(crate) fn constant(&mut self, width: usize, value: u64) -> Vec<Lit> {
        let word = self.word(width);
        self.fix(&word, value);
        word
    }

    /// Asserts that a word has a value.
    pub(crate) fn fix(&mut self, word: &[Lit], value: u64) {
        for (at, &lit) in word.iter().enumerate() {
            self.assert(if value >> at & 1 == 1 { lit } else { !lit });
        }
    }

    pub(crate) fn assert(&mut self, lit: Lit) {
        self.cnf.push(&[lit]);
    }

    pub(crate) fn and(&mut self, a: Lit, b: Lit) -> Lit {
        let out = self.input();
        self.cnf.push(&[!out, a]);
        self.cnf.push(&[!out, b]);
        self.cnf.push(&[out, !a, !b]);
        out
    }

    pub(crate) fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        let out = self.input();
        self.cnf.push(&[!out, a, b]);
        self.cnf.push(&[!out, !a, !b]);
        self.cnf.push(&[out, !a, b]);
        self.cnf.push(&[out, a, !b]);
        out
    }

    pub(crate) fn mux(&mut self, choice: Lit, a: Lit, b: Lit) -> Lit {
        let out = self.input();
        self.cnf.push(&[!choice, !a, out]);
        self.cnf.push(&[!choice, a, !out]);
        self.cnf.push(&[choice, !b, out]);
        self.cnf.push(&[choice, b, !out]);
        out
    }

    pub(crate) fn add(&mut self, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
        let mut carry = self.constant(1, 0)[0];
        let mut sum = Vec::new();
        for (&a, &b) in a.iter().zip(b) {
            let half = self.xor(a, b);
            sum.push(self.xor(half, carry));
            carry = self.mux(half, carry, a);
        }
        sum
    }

    pub(crate) fn multiply(&mut self, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
        let width = a.len();
        let mut sum: Vec<Lit> = a.iter().map(|&bit| self.and(bit, b[0])).collect();
        for at in 1..width {
            let row: Vec<Lit> = a[..width - at].iter().map(|&bit| self.and(bit, b[at])).collect();
            let high = self.add(&sum[at..], &row);
            sum.splice(at.., high);
        }
        sum
    }

    /// Whether `a` is below `b`, unsigned.
    pub(crate) fn less(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let mut less = self.constant(1, 0)[0];
        for (&a, &b) in a.iter().zip(b) {
            let differ = self.xor(a, b);
            less = self.mux(differ, b, less);
        }
        less
    }

    /// The value of a table at an index.
    pub(crate) fn read(&mut self, table: &[Vec<Lit>], index: &[Lit]) -> Vec<Lit> {
        let mut row = table.to_vec();
        for &bit in index {
            row = row
                .chunks(2)
                .map(|pair| pair[1].iter().zip(&pair[0]).map(|(&a, &b)| self.mux(bit, a, b)).collect())
                .collect();
        }
        row.swap_remove(0)
    }
}

/// A kind of query.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Shape {
    /// Words in an order, with distances.
    Chain,
    /// The same, and the last below the first.
    Cycle,
    /// A sum of bytes.
    Sum,
    /// Bytes through a table.
    Table,
    /// Bytes between bounds, and their sums.
    Bytes,
    /// A product of two small words.
    Product,
    /// A product by a constant, as in hashes.
    Hash,
}

/// All kinds.
pub(crate) const SHAPES: [Shape; 7] =
    [Shape::Chain, Shape::Cycle, Shape::Sum, Shape::Table, Shape::Bytes, Shape::Product, Shape::Hash];

/// The clauses of a query.
pub(crate) fn query(shape: Shape, random: &mut Random) -> Cnf {
    let mut circuit = Circuit::default();
    match shape {
        Shape::Chain | Shape::Cycle => chain(&mut circuit, shape, random),
        Shape::Sum => {
            let mut sum = circuit.constant(16, 0);
            for _ in 0..4 + random.below(12) {
                let wide = circuit.wide(8, 16);
                sum = circuit.add(&sum, &wide);
            }
            circuit.fix(&sum, 500 + random.below(4000) as u64);
        }
        Shape::Table => {
            let table: Vec<Vec<Lit>> = (0..64).map(|_| circuit.constant(8, random.next() & 0xff)).collect();
            for _ in 0..1 + random.below(4) {
                let index = circuit.word(6);
                let byte = circuit.read(&table, &index);
                let bound = circuit.constant(8, 200 + random.below(54) as u64);
                let less = circuit.less(&bound, &byte);
                circuit.assert(less);
            }
        }
        Shape::Product => {
            let width = 5 + random.below(3);
            let (a, b) = (circuit.wide(width, 2 * width), circuit.wide(width, 2 * width));
            let product = circuit.multiply(&a, &b);
            circuit.fix(&product, random.next() & ((1 << (2 * width - 1)) - 1) | 1);
        }
        Shape::Bytes => {
            for _ in 0..5 + random.below(30) {
                let byte = circuit.word(8);
                for _ in 0..2 {
                    let bound = circuit.constant(8, random.below(64) as u64);
                    let less = circuit.less(&bound, &byte);
                    let other = circuit.word(8);
                    let sum = circuit.add(&byte, &other);
                    let below = circuit.less(&byte, &sum);
                    let both = circuit.and(less, below);
                    circuit.assert(both);
                }
            }
        }
        Shape::Hash => {
            let mut hash = circuit.constant(32, 5381);
            for _ in 0..2 + random.below(4) {
                let wide = circuit.wide(8, 32);
                let factor = circuit.constant(32, 33);
                hash = circuit.multiply(&hash, &factor);
                hash = circuit.add(&hash, &wide);
            }
            circuit.fix(&hash[..6], random.next() & 63);
        }
    }
    circuit.cnf
}

fn chain(circuit: &mut Circuit, shape: Shape, random: &mut Random) {
    let words: Vec<Vec<Lit>> = (0..2 + random.below(20)).map(|_| circuit.word(32)).collect();
    for pair in words.windows(2) {
        let distance = circuit.constant(32, random.below(100) as u64);
        let next = circuit.add(&pair[0], &distance);
        let less = circuit.less(&next, &pair[1]);
        circuit.assert(less);
        let most = circuit.constant(32, 1 << 20);
        let less = circuit.less(&pair[1], &most);
        circuit.assert(less);
    }
    let most = circuit.constant(32, 1 << 20);
    let less = circuit.less(&words[0], &most);
    circuit.assert(less);
    if let Shape::Cycle = shape {
        let less = circuit.less(&words[1], &words[0]);
        circuit.assert(less);
    }
}
