//! Problems for `bench count`: random ones of given shapes, and all-different.

use super::Random;
use evergreen::Domain;
use evergreen::counting::{Problem, Relation, Row};

/// How problems of a kind look.
pub(super) struct Shape {
    pub variables: u32,
    pub rows: usize,
    pub equalities: usize,
    pub disequalities: usize,
    /// Variables per row.
    pub density: usize,
    /// Greatest coefficient.
    pub most: i64,
    /// Domains are `0..=top`.
    pub top: i64,
}

const WORD: i64 = (1 << 32) - 1;

const fn shape(variables: u32, rows: usize, density: usize, most: i64, top: i64) -> Shape {
    Shape { variables, rows, equalities: 0, disequalities: 0, density, most, top }
}

const fn with(shape: Shape, equalities: usize, disequalities: usize) -> Shape {
    Shape { equalities, disequalities, ..shape }
}

/// The table: by dimension; in each by rows, equalities, disequalities, coefficients and domains.
pub(super) const SHAPES: [Shape; 24] = [
    with(shape(1, 2, 1, 3, 999), 0, 1),
    with(shape(1, 3, 1, 9, WORD), 0, 3),
    shape(2, 3, 2, 3, 999),
    with(shape(2, 6, 2, 3, 999), 0, 2),
    with(shape(2, 4, 2, 3, WORD), 1, 0),
    shape(2, 4, 2, 1000, WORD),
    shape(3, 4, 2, 1, 999),
    shape(3, 4, 2, 1, WORD),
    shape(3, 4, 3, 5, 999),
    with(shape(3, 4, 2, 1, 999), 0, 2),
    with(shape(3, 4, 3, 3, 999), 1, 0),
    shape(3, 3, 3, (1 << 31) - 1, (1 << 31) - 1),
    shape(4, 5, 2, 1, 999),
    with(shape(4, 5, 2, 1, 999), 0, 2),
    with(shape(4, 5, 3, 3, 999), 1, 0),
    with(shape(4, 5, 3, 3, 999), 2, 0),
    shape(5, 6, 2, 1, 999),
    shape(5, 6, 2, 1, WORD),
    shape(5, 6, 2, 3, 999),
    shape(5, 5, 5, 5, 99),
    shape(6, 8, 2, 1, 999),
    with(shape(6, 8, 2, 1, 999), 0, 3),
    with(shape(6, 8, 2, 1, 999), 1, 0),
    shape(8, 15, 2, 1, 999),
];

impl Shape {
    /// A problem that has a solution, always the same for an index.
    pub(super) fn problem(&self, index: u64) -> Problem {
        let seed = self.rows as u64 * 100 + u64::from(self.variables);
        let mut random = Random::new(seed << 32 | (index + 1));
        for _ in 0..8 {
            random.below(2);
        }
        let between = |random: &mut Random, lo: i64, hi: i64| lo + random.below((hi - lo) as u64 + 1) as i64;
        let mut problem = Problem::new();
        for _ in 0..self.variables {
            problem.variable(Domain::new(0, self.top));
        }
        // All rows hold at one point, so that few problems are empty.
        let point: Vec<i64> = (0..self.variables).map(|_| between(&mut random, 0, self.top)).collect();
        let relations =
            [(self.rows, Relation::Le), (self.equalities, Relation::Eq), (self.disequalities, Relation::Ne)];
        for relation in relations.iter().flat_map(|(n, relation)| std::iter::repeat_n(*relation, *n)) {
            let mut vars: Vec<u32> = (0..self.variables).collect();
            for at in 0..vars.len() {
                let other = at + random.below((vars.len() - at) as u64) as usize;
                vars.swap(at, other);
            }
            let mut terms: Vec<(u32, i64)> = Vec::with_capacity(self.density);
            for var in vars.into_iter().take(self.density) {
                let a = between(&mut random, 1, self.most);
                terms.push((var, if random.below(2) == 0 { a } else { -a }));
            }
            let value: i128 =
                terms.iter().map(|(v, a)| i128::from(*a) * i128::from(point[*v as usize])).sum();
            let slack = if relation == Relation::Le { between(&mut random, 0, self.top / 4) } else { 0 };
            let terms = terms.iter().map(|(v, a)| (*v, (*a).into())).collect();
            problem.rows.push(Row { terms, constant: (-value - i128::from(slack)).into(), relation });
        }
        problem
    }
}

/// Words of 32 bits, no two of them equal.
pub(super) fn all_different(variables: u32) -> Problem {
    let mut problem = Problem::new();
    for x in 0..variables {
        problem.variable(Domain::signed(32));
        (0..x).for_each(|y| problem.row(&[(x, 1), (y, -1)], 0, Relation::Ne));
    }
    problem
}

/// As a script.
pub(super) fn smt(problem: &Problem) -> String {
    let number = |n: &evergreen::Int| if n.signum() < 0 { format!("(- {})", n.neg()) } else { n.to_string() };
    let mut text = String::new();
    for (v, domain) in problem.domains.iter().enumerate() {
        text += &format!("(declare-const x{v} Int)");
        if let (Some(lo), Some(hi)) = (&domain.lo, &domain.hi) {
            text += &format!("(assert (<= {} x{v} {}))\n", number(lo), number(hi));
        }
    }
    for row in &problem.rows {
        let terms: Vec<String> = row.terms.iter().map(|(v, a)| format!("(* {} x{v})", number(a))).collect();
        let relation = match row.relation {
            Relation::Eq => "=",
            Relation::Ne => "distinct",
            Relation::Le => "<=",
        };
        text += &format!("(assert ({relation} (+ {} {}) 0))\n", terms.join(" "), number(&row.constant));
    }
    text
}
