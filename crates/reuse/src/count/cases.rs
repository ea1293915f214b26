//! Disjunctions: cases that exclude each other, each a conjunction that is counted by itself.
//!
//! Of `a or b or c` the cases are `a`, `not a and b`, `not a and not b and c`; the one with the fewest
//! alternatives is taken apart first, and a case that the linear core finds empty is left at once. The number
//! of cases can be exponential in the number of disjunctions that share variables. Out of budget a case is
//! bounded: at least none, at most the number of solutions of the rows it has so far.

use super::Way;
use super::formula::Formula;
use evergreen_count::{Budget, Confidence, Count, Domain, Problem, Relation, Row, Statistics};
use evergreen_lia::{Op, Solver, Verdict};
use num_bigint::BigUint;
use std::rc::Rc;

/// So many disjunctions are taken apart one inside the other: the stack has an end.
const DEPTH: usize = 400;

pub(super) struct Cases<'c, 'm> {
    domains: &'c [Domain],
    rows: Vec<Row>,
    solver: Solver,
    way: &'c mut Way<'m>,
    depth: usize,
    pub left: u64,
    pub counted: u64,
    pub did: Statistics,
}

const NONE: Count = Count::Exact(BigUint::ZERO);

impl<'c, 'm> Cases<'c, 'm> {
    pub(super) fn new(domains: &'c [Domain], left: u64, way: &'c mut Way<'m>) -> Self {
        let mut solver = Solver::new();
        for (var, domain) in domains.iter().enumerate() {
            for (end, sign) in [(&domain.lo, -1), (&domain.hi, 1)] {
                let constant = end.as_ref().and_then(|e| e.to_i64()?.checked_mul(-sign));
                if let Some(constant) = constant {
                    solver.assert_terms(Op::Le, &[(var as u32, sign)], constant);
                }
            }
        }
        Cases {
            domains,
            rows: Vec::new(),
            solver,
            way,
            depth: 0,
            left,
            counted: 0,
            did: Statistics::default(),
        }
    }

    /// The number of solutions of the rows so far with these formulas.
    pub(super) fn count(&mut self, open: Vec<Rc<Formula>>) -> Count {
        let rows = self.rows.len();
        self.depth += 1;
        self.solver.push();
        let count = self.below(open);
        self.solver.pop();
        self.depth -= 1;
        self.rows.truncate(rows);
        count
    }

    fn below(&mut self, mut open: Vec<Rc<Formula>>) -> Count {
        let mut choices: Vec<Rc<Formula>> = Vec::new();
        while let Some(formula) = open.pop() {
            match &*formula {
                Formula::Row(row) => self.put(row),
                Formula::All(parts) => open.extend(parts.iter().cloned()),
                Formula::Any(parts) | Formula::OneOf(parts) => match &parts[..] {
                    [] => return NONE,
                    [only] => open.push(only.clone()),
                    _ => choices.push(formula),
                },
            }
        }
        self.left = self.left.saturating_sub(1);
        if self.solver.check() == Verdict::Unsat {
            return NONE;
        }
        let alternatives = |f: &Formula| match f {
            Formula::Any(parts) | Formula::OneOf(parts) => parts.len(),
            _ => 0,
        };
        let Some(at) = (0..choices.len()).min_by_key(|&at| alternatives(&choices[at])) else {
            return self.conjunction();
        };
        if self.left == 0 || self.depth == DEPTH {
            return self.bounded();
        }
        let choice = choices.swap_remove(at);
        let mut sum = NONE;
        let mut before: Vec<Rc<Formula>> = Vec::new();
        let (Formula::Any(parts) | Formula::OneOf(parts)) = &*choice else { return NONE };
        for part in parts {
            let mut open = choices.clone();
            open.extend(before.iter().cloned());
            open.push(part.clone());
            sum = sum.plus(&self.count(open));
            if sum == Count::Unbounded {
                break;
            }
            if matches!(*choice, Formula::Any(_)) {
                before.push(Rc::new(part.negated()));
            }
        }
        sum
    }

    /// A row. What the linear core has no numbers for it does not see: it then finds fewer cases empty.
    fn put(&mut self, row: &Row) {
        self.rows.push(row.clone());
        let terms = row.terms.iter().map(|(v, a)| Some((*v, a.to_i64()?)));
        if let (Some(terms), Some(constant)) = (terms.collect::<Option<Vec<_>>>(), row.constant.to_i64()) {
            let op = match row.relation {
                Relation::Le => Op::Le,
                Relation::Eq => Op::Eq,
                Relation::Ne => Op::Ne,
            };
            self.solver.assert_terms(op, &terms, constant);
        }
    }

    fn conjunction(&mut self) -> Count {
        let problem = Problem { domains: self.domains.to_vec(), rows: self.rows.clone() };
        let (count, did) = self.way.count(&problem, Budget { steps: self.left });
        self.left = self.left.saturating_sub(did.steps);
        self.counted += 1;
        self.did.add(&did);
        count
    }

    /// Without the disjunctions that are left there are more solutions.
    fn bounded(&mut self) -> Count {
        let lo = BigUint::ZERO;
        match self.conjunction() {
            none if none == NONE => NONE,
            Count::Exact(hi) => Count::Bounds { lo, hi, confidence: Confidence::Certain },
            Count::Bounds { hi, confidence, .. } => Count::Bounds { lo, hi, confidence },
            _ => Count::GaveUp("too many cases".to_string()),
        }
    }
}
