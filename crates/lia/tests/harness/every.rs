//! Every conjunction of a few rows over two or three variables with small numbers, as one walk
//! through the tree of them.
//!
//! A sat answer proves itself by its model. An unsat answer is wrong if a point of a box around the origin is
//! a solution: each row's points are a bit set, so a conjunction costs a few words. For an unsat answer
//! without a point there, the checker must accept the certificate. Making all certificates would take most of
//! the time, so only every n-th answer is checked.

use super::rows::{holds, row};
use evergreen_lia::{Op, Row, Solver, Verdict, check};
use evergreen_term::Int;

/// Words of a bit set of the box: 31 * 31 or 9 * 9 * 9 points.
const WORDS: usize = 16;

type Points = [u64; WORDS];

/// Which conjunctions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Every {
    /// How many variables: two or three.
    pub vars: usize,
    /// The most rows.
    pub rows: usize,
    /// Coefficients and constants go from minus this to this.
    pub reach: i64,
    /// One unsat answer in so many is certified.
    pub certify: usize,
}

/// The counts of answers.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(crate) struct Answers {
    /// With a model that holds.
    pub sat: usize,
    /// Without a solution in the box.
    pub unsat: usize,
    /// Given up.
    pub unknown: usize,
    /// Certificates accepted.
    pub certificates: usize,
}

impl Every {
    /// Asks about all of them.
    ///
    /// # Errors
    /// The first conjunction that is answered wrong, and how.
    pub(crate) fn ask(&self) -> Result<Answers, String> {
        let rows = self.all_rows();
        let rows: Vec<(Row, Points)> = rows.into_iter().map(|row| (row.clone(), self.points(&row))).collect();
        let (solver, live, answers) = (Solver::new(), Vec::new(), Answers::default());
        let mut walk = Walk { solver, live, answers, certify: self.certify };
        walk.descend(&rows, &[u64::MAX; WORDS], self.rows)?;
        Ok(walk.answers)
    }

    /// Each row once: an equality is equivalent to its opposite.
    fn all_rows(&self) -> Vec<Row> {
        let numbers = || -self.reach..=self.reach;
        let mut forms: Vec<Vec<i64>> = vec![Vec::new()];
        for _ in 0..self.vars {
            forms = forms.iter().flat_map(|form| numbers().map(|c| [&form[..], &[c]].concat())).collect();
        }
        forms.retain(|form| form.iter().any(|c| *c != 0));
        let mut rows = Vec::new();
        for form in forms {
            let terms: Vec<(u32, i64)> = (0..).zip(form).collect();
            let forward = terms.iter().find(|term| term.1 != 0).is_some_and(|term| term.1 > 0);
            let ops: &[Op] = if forward { &[Op::Le, Op::Eq, Op::Ne] } else { &[Op::Le] };
            for constant in numbers() {
                rows.extend(ops.iter().map(|op| row(*op, &terms, constant)));
            }
        }
        rows
    }

    /// The points of a box around the origin at which a row holds.
    fn points(&self, row: &Row) -> Points {
        let (far, side): (i64, i64) = if self.vars == 2 { (15, 31) } else { (4, 9) };
        let mut points = [0; WORDS];
        for number in 0..side.pow(self.vars as u32) {
            let value = |var: u32| number / side.pow(var) % side - far;
            if holds(row, |var| Int::from(value(var))) {
                points[number as usize / 64] |= 1 << (number % 64);
            }
        }
        points
    }
}

fn meet(a: &Points, b: &Points) -> Points {
    std::array::from_fn(|word| a[word] & b[word])
}

struct Walk {
    solver: Solver,
    live: Vec<Row>,
    answers: Answers,
    certify: usize,
}

impl Walk {
    /// Adds each of the rows in turn, and below it those from there on.
    fn descend(&mut self, rows: &[(Row, Points)], points: &Points, depth: usize) -> Result<(), String> {
        for (at, (row, own)) in rows.iter().enumerate() {
            let points = meet(points, own);
            self.enter(row, &points)?;
            if depth > 1 {
                self.descend(&rows[at..], &points, depth - 1)?;
            }
            self.solver.pop();
            self.live.pop();
        }
        Ok(())
    }

    fn enter(&mut self, row: &Row, points: &Points) -> Result<(), String> {
        self.solver.push();
        self.solver.assert(row);
        self.live.push(row.clone());
        match self.solver.check() {
            Verdict::Sat => {
                self.answers.sat += 1;
                let model = [0, 1, 2].map(|var| self.solver.value(var));
                match self.live.iter().all(|row| holds(row, |var| model[var as usize].clone())) {
                    true => Ok(()),
                    false => Err(format!("{:?} is not a model of {:?}", model, self.live)),
                }
            }
            Verdict::Unsat if points.iter().any(|word| *word != 0) => {
                Err(format!("not unsat: {:?}", self.live))
            }
            Verdict::Unsat => {
                self.answers.unsat += 1;
                if self.answers.unsat.is_multiple_of(self.certify) { self.certified() } else { Ok(()) }
            }
            Verdict::Unknown => {
                self.answers.unknown += 1;
                Ok(())
            }
        }
    }

    fn certified(&mut self) -> Result<(), String> {
        let core: Vec<Row> = self.solver.core().iter().map(|&at| self.live[at as usize].clone()).collect();
        let Some(certificate) = self.solver.certificate() else { return Ok(()) };
        self.answers.certificates += 1;
        check(&core, &certificate).map_err(|flaw| format!("{flaw}: {certificate:?} of {core:?}"))
    }
}
