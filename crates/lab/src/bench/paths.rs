//! Path-shaped linear queries, generated: what a symbolic execution asks along its paths.
//!
//! A path is a list of atoms over a few integers that one hidden assignment satisfies, so that every prefix
//! is satisfiable. At each step a new atom is asked about, which the assignment need not satisfy; then the
//! path goes on.

use evergreen::{Fun, SortId, TermId, Terms};
use evergreen_structures::Xorshift;

/// `coefficient * left + right op constant`, over numbered variables.
#[derive(Clone, Copy, Debug)]
pub(super) struct Atom {
    coefficient: i64,
    left: usize,
    right: usize,
    op: Op,
    constant: i64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Op {
    Le,
    Gt,
    Eq,
    Ne,
}

/// A path and, for each step but the first, the atom that is asked about before it is taken.
pub(super) struct SymbolicPath {
    /// The atoms of the path.
    pub taken: Vec<Atom>,
    /// What is asked with the first `i + 1` atoms of the path in place.
    pub asked: Vec<Atom>,
}

/// How many variables a path has.
pub(super) const VARIABLES: usize = 4;
/// The most atoms of a query.
pub(super) const ATOMS: usize = 10;

/// Numbers that are the same on every machine.
pub(crate) struct Random(Xorshift);

impl Random {
    /// Seeded.
    pub(crate) fn new(seed: u64) -> Random {
        Random(Xorshift::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1))
    }

    /// A number below a bound.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        (self.0.next() >> 11) % bound
    }
}

fn atom(random: &mut Random) -> Atom {
    Atom {
        coefficient: [1, 1, -1, 2, 3][random.below(5) as usize],
        left: random.below(VARIABLES as u64) as usize,
        right: random.below(VARIABLES as u64) as usize,
        op: [Op::Le, Op::Gt, Op::Le, Op::Gt, Op::Eq, Op::Ne][random.below(6) as usize],
        constant: random.below(41) as i64 - 20,
    }
}

impl Atom {
    fn holds(&self, values: &[i64; VARIABLES]) -> bool {
        let sum = self.coefficient * values[self.left] + values[self.right];
        match self.op {
            Op::Le => sum <= self.constant,
            Op::Gt => sum > self.constant,
            Op::Eq => sum == self.constant,
            Op::Ne => sum != self.constant,
        }
    }

    fn negated(mut self) -> Atom {
        self.op = match self.op {
            Op::Le => Op::Gt,
            Op::Gt => Op::Le,
            Op::Eq => Op::Ne,
            Op::Ne => Op::Eq,
        };
        self
    }

    /// As a term over variables `x0`, `x1`, …
    pub(super) fn term(&self, terms: &mut Terms) -> Option<TermId> {
        let left = terms.constant(&format!("x{}", self.left), SortId::INT);
        let right = terms.constant(&format!("x{}", self.right), SortId::INT);
        let coefficient = terms.int(self.coefficient);
        let scaled = terms.app(Fun::Mul, &[coefficient, left]).ok()?;
        let sum = terms.app(Fun::Add, &[scaled, right]).ok()?;
        let constant = terms.int(self.constant);
        let fun = match self.op {
            Op::Le => Fun::Le,
            Op::Gt => Fun::Gt,
            Op::Eq => Fun::Eq,
            Op::Ne => Fun::Distinct,
        };
        terms.app(fun, &[sum, constant]).ok()
    }

    /// As SMT-LIB text.
    pub(super) fn text(&self) -> String {
        let number = |v: i64| if v < 0 { format!("(- {})", -v) } else { v.to_string() };
        let op = match self.op {
            Op::Le => "<=",
            Op::Gt => ">",
            Op::Eq => "=",
            Op::Ne => "distinct",
        };
        let (c, k) = (number(self.coefficient), number(self.constant));
        format!("({op} (+ (* {c} x{}) x{}) {k})", self.left, self.right)
    }
}

/// The declarations of the variables.
pub(super) fn declarations() -> String {
    (0..VARIABLES).map(|i| format!("(declare-const x{i} Int)\n")).collect()
}

/// Paths whose queries have 2 to 10 atoms.
pub(super) fn generate(seed: u64, count: usize) -> Vec<SymbolicPath> {
    let mut random = Random::new(seed);
    (0..count)
        .map(|_| {
            let values: [i64; VARIABLES] = std::array::from_fn(|_| random.below(41) as i64 - 20);
            let taken = (0..ATOMS - 1)
                .map(|_| {
                    let atom = atom(&mut random);
                    if atom.holds(&values) { atom } else { atom.negated() }
                })
                .collect();
            let asked = (0..ATOMS - 1).map(|_| atom(&mut random)).collect();
            SymbolicPath { taken, asked }
        })
        .collect()
}
