//! Every conjunction of up to three rows over two variables with small numbers, as one walk through the tree of them.
//!
//! A sat answer proves itself by its model. An unsat answer is wrong if a point of a box around the origin is a solution:
//! each row's points are a bit set, so a conjunction costs a few words. What is unsat and has no point there is believed
//! if its certificate is accepted; making all of them would take most of the time, so it is every so manyth.

use super::rows::{holds, row};
use evergreen_lia::{Op, Row, Solver, Verdict, check};
use evergreen_term::Int;

/// The box reaches from minus this to this in both directions.
const FAR: i64 = 15;
/// Words of a bit set of the box.
const WORDS: usize = 16;

type Points = [u64; WORDS];

/// What the answers were.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Answers {
    /// With a model that holds.
    pub sat: usize,
    /// Without a solution in the box.
    pub unsat: usize,
    /// Given up.
    pub unknown: usize,
    /// Certificates accepted.
    pub certificates: usize,
}

/// Asks about all of them with coefficients and constants from `-reach` to `reach`.
///
/// # Errors
/// The first conjunction that is answered wrong, and how.
pub fn every(reach: i64, certify: usize) -> Result<Answers, String> {
    let rows = rows(reach);
    let points: Vec<Points> = rows.iter().map(points).collect();
    let mut walk = Walk { solver: Solver::new(), live: Vec::new(), answers: Answers::default(), certify };
    for (i, first) in rows.iter().enumerate() {
        walk.enter(first, &points[i])?;
        for (j, second) in rows.iter().enumerate().skip(i) {
            let two = meet(&points[i], &points[j]);
            walk.enter(second, &two)?;
            for (k, third) in rows.iter().enumerate().skip(j) {
                walk.enter(third, &meet(&two, &points[k]))?;
                walk.leave();
            }
            walk.leave();
        }
        walk.leave();
    }
    Ok(walk.answers)
}

/// Each row once: an equality says the same as its opposite.
fn rows(reach: i64) -> Vec<Row> {
    let mut rows = Vec::new();
    for a in -reach..=reach {
        for b in -reach..=reach {
            for constant in -reach..=reach {
                let forward = (a, b) > (0, 0);
                let ops: &[Op] = if forward { &[Op::Le, Op::Eq, Op::Ne] } else { &[Op::Le] };
                rows.extend(ops.iter().map(|op| row(*op, &[(0, a), (1, b)], constant)));
            }
        }
    }
    rows.retain(|row| !row.terms.is_empty());
    rows
}

/// The points of the box at which a row holds.
fn points(row: &Row) -> Points {
    let mut points = [0; WORDS];
    let all = (-FAR..=FAR).flat_map(|x| (-FAR..=FAR).map(move |y| [x, y]));
    for (number, point) in all.enumerate() {
        if holds(row, |var| Int::from(point[var as usize])) {
            points[number / 64] |= 1 << (number % 64);
        }
    }
    points
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
    fn enter(&mut self, row: &Row, points: &Points) -> Result<(), String> {
        self.solver.push();
        self.solver.assert(row);
        self.live.push(row.clone());
        match self.solver.check() {
            Verdict::Sat => {
                self.answers.sat += 1;
                let model = [self.solver.value(0), self.solver.value(1)];
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

    fn leave(&mut self) {
        self.solver.pop();
        self.live.pop();
    }
}
