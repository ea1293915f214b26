//! The thorough solver: one conjunction at a time, integers of any size, every step accounted for.
//!
//! Equalities are solved over the integers first ([`crate::lattice`]), inequalities rewritten over the free
//! parameters, divided and rounded; forms whose bounds meet are equalities again. Then simplex, then cases: a
//! fraction splits its form, preferably one that is bounded on both sides (those become equalities after
//! finitely many splits, which ends many searches over unbounded variables that branching on variables would
//! never end), a violated `!=` splits in two. Each node starts over: nodes are few, and this code is the
//! reference that the fast solver falls back on and that writes the certificates, so it is kept plain.

mod node;
mod relaxation;

use crate::certificate::{Certificate, Step};
use crate::effort::Budget;
use crate::lattice::dot;
use crate::proof::{Line, LineId, Lines, Origin, Tree};
use crate::row::{Op, Row, Var};
use evergreen_term::Int;
use node::Finding;

/// Cases within cases within cases. Deeper is given up.
const DEEPEST: usize = 250;

/// How often the costly means are used: in every so many levels.
const HARD: usize = 6;
/// How often at most the forms of one node are tightened.
const ROUNDS: usize = 4;

/// The outcome of the thorough solver.
pub(crate) enum Outcome {
    /// Values of the variables that occur, ascending by variable.
    Sat(Vec<(Var, Int)>),
    /// A closed tree of cases.
    Unsat(Refutation),
    /// The budget ran out.
    Unknown,
}

/// A proof and its lines.
#[derive(Clone, Debug)]
pub(crate) struct Refutation {
    lines: Lines,
    tree: Tree,
}

impl Refutation {
    /// The rows that the proof uses, ascending.
    pub(crate) fn core(&self) -> Vec<u32> {
        self.tree.uses.clone()
    }

    /// The proof over these rows: at least those of the core.
    pub(crate) fn certificate(&self, rows: &[u32]) -> Certificate {
        self.tree.certificate(&self.lines, rows)
    }
}

/// Decides a conjunction.
pub(crate) fn decide(rows: &[Row], budget: &mut Budget) -> Outcome {
    let mut variables: Vec<Var> = rows.iter().flat_map(|r| r.terms.iter().map(|t| t.0)).collect();
    variables.sort_unstable();
    variables.dedup();
    let mut lines = Lines::default();
    for row in rows {
        let mut terms = vec![Int::ZERO; variables.len()];
        for (var, times) in &row.terms {
            if let Ok(k) = variables.binary_search(var) {
                terms[k] = terms[k].add(&Int::from(*times));
            }
        }
        let constant = Int::from(row.constant);
        lines.add(Line { terms, constant, equal: row.op == Op::Eq, origin: Origin::Given });
    }
    let (apart, known): (Vec<LineId>, Vec<LineId>) =
        (0..rows.len() as LineId).partition(|k| rows[*k as usize].op == Op::Ne);
    let mut search = Search { lines, known, apart, rows: rows.len(), variables, budget };
    match search.explore(0) {
        Explored::Sat(point) => Outcome::Sat(search.variables.into_iter().zip(point).collect()),
        Explored::Unsat(tree) => Outcome::Unsat(Refutation { lines: search.lines, tree }),
        Explored::Unknown => Outcome::Unknown,
    }
}

enum Explored {
    Sat(Vec<Int>),
    Unsat(Tree),
    Unknown,
}

struct Search<'a> {
    lines: Lines,
    /// The equalities and inequalities of this branch.
    known: Vec<LineId>,
    /// The rows that say `!=`.
    apart: Vec<LineId>,
    rows: usize,
    variables: Vec<Var>,
    budget: &'a mut Budget,
}

impl Search<'_> {
    fn explore(&mut self, depth: usize) -> Explored {
        let known = self.known.len();
        let explored = self.explore_here(depth);
        self.known.truncate(known);
        explored
    }

    fn explore_here(&mut self, depth: usize) -> Explored {
        let mut rounds = if depth.is_multiple_of(HARD) { ROUNDS } else { 0 };
        let finding = loop {
            match self.node(rounds > 0) {
                Finding::Tightened => rounds -= 1,
                finding => break finding,
            }
        };
        let (step, row, cases) = match finding {
            Finding::Point(point) => return Explored::Sat(point),
            Finding::Closed(parts) => return Explored::Unsat(Tree::close(&self.lines, parts)),
            Finding::Exhausted | Finding::Tightened => return Explored::Unknown,
            Finding::Fraction { form, at } => {
                let terms = form.iter().enumerate().filter(|(_, c)| !c.is_zero());
                let terms = terms.map(|(k, c)| (self.variables[k], c.clone())).collect();
                let step = Step::Split { terms, at: at.clone() };
                let up = form.iter().map(Int::neg).collect();
                (step, None, [(form, at.neg()), (up, at.add(&Int::ONE))])
            }
            Finding::Touching(row) => {
                let line = self.lines.get(row);
                let down = (line.terms.clone(), line.constant.add(&Int::ONE));
                let up = (line.terms.iter().map(Int::neg).collect(), line.constant.neg().add(&Int::ONE));
                (Step::Apart { line: row }, Some(row), [down, up])
            }
        };
        if depth == DEEPEST || !self.budget.split() {
            return Explored::Unknown;
        }
        let mut closed: Vec<(LineId, Tree)> = Vec::with_capacity(2);
        for (terms, constant) in cases {
            let line = self.lines.add(Line { terms, constant, equal: false, origin: Origin::Given });
            self.known.push(line);
            let explored = self.explore(depth + 1);
            self.known.pop();
            match explored {
                Explored::Sat(point) => return Explored::Sat(point),
                // The case was not needed: its proof closes this place too.
                Explored::Unsat(tree) if tree.uses.binary_search(&line).is_err() => {
                    return Explored::Unsat(tree);
                }
                Explored::Unsat(tree) => closed.push((line, tree)),
                Explored::Unknown => {}
            }
        }
        match (closed.pop(), closed.pop()) {
            (Some(high), Some(low)) => Explored::Unsat(Tree::cases(step, row, low, high)),
            _ => Explored::Unknown,
        }
    }

    /// Whether a point satisfies every row of the query.
    fn satisfies(&self, point: &[Int]) -> bool {
        (0..self.rows as LineId).all(|k| {
            let line = self.lines.get(k);
            let sum = dot(&line.terms, point).add(&line.constant);
            match (line.equal, self.apart.binary_search(&k).is_ok()) {
                (true, _) => sum.is_zero(),
                (_, true) => !sum.is_zero(),
                _ => sum.signum() <= 0,
            }
        })
    }
}
