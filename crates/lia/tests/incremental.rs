//! Push and pop: at every check the same answer as for the live rows alone.

use crate::support::{random_row, row};
use evergreen_lia::{Answer, Effort, Op, Row, Solver, Verdict, check, solve};
use evergreen_testing::random::Random;

/// A solver next to a plain list of the rows that should be live.
struct Both {
    solver: Solver,
    rows: Vec<Row>,
    levels: Vec<usize>,
    checks: [usize; 3],
}

impl Both {
    fn new() -> Both {
        Both { solver: Solver::new(), rows: Vec::new(), levels: Vec::new(), checks: [0; 3] }
    }

    fn push(&mut self) {
        self.solver.push();
        self.levels.push(self.rows.len());
    }

    fn pop(&mut self) {
        self.solver.pop();
        if let Some(rows) = self.levels.pop() {
            self.rows.truncate(rows);
        }
    }

    fn assert(&mut self, row: Row) {
        self.solver.assert(&row);
        self.rows.push(row);
    }

    fn check(&mut self) -> Verdict {
        let verdict = self.solver.check();
        assert_eq!(self.solver.rows(), self.rows.len());
        let alone = solve(&self.rows, Effort::default());
        match (verdict, &alone) {
            (Verdict::Sat, Answer::Sat(_)) => {
                for row in &self.rows {
                    assert_eq!(self.solver.holds(row), Some(true), "{row:?} in {:?}", self.rows);
                }
            }
            (Verdict::Unsat, Answer::Unsat { .. }) => self.check_core(),
            (Verdict::Unknown, _) | (_, Answer::Unknown) => {}
            _ => panic!("{verdict:?} but alone {alone:?}: {:?}", self.rows),
        }
        self.checks[verdict as usize] += 1;
        verdict
    }

    fn check_core(&self) {
        let core: Vec<Row> = self.solver.core().iter().map(|k| self.rows[*k as usize].clone()).collect();
        assert!(matches!(solve(&core, Effort::default()), Answer::Unsat { .. }), "not a core: {core:?}");
        let certificate = self.solver.certificate().unwrap_or_else(|| panic!("no certificate for {core:?}"));
        assert_eq!(check(&core, &certificate), Ok(()), "{core:?}");
    }
}

fn walk(seed: u64, index: u64, variables: u32, size: i64, steps: usize) -> [usize; 3] {
    let mut random = Random::for_index(seed, index);
    let mut both = Both::new();
    for _ in 0..steps {
        match random.below(8) {
            0 | 1 => both.push(),
            2 | 3 => both.pop(),
            4 | 5 => {
                let row = random_row(&mut random, variables, size);
                both.assert(row);
                if random.one_in(2) {
                    both.check();
                }
            }
            6 => {
                // A branch: both arms from the same place.
                let row = random_row(&mut random, variables, size);
                for op in [Op::Eq, Op::Ne, Op::Le] {
                    both.push();
                    both.assert(Row { op, ..row.clone() });
                    both.check();
                    both.pop();
                }
            }
            _ => {
                both.check();
            }
        }
    }
    both.checks
}

#[test]
fn random_walks_agree_with_one_shot() {
    let mut all = [0; 3];
    for index in 0..300 {
        let checks = walk(11, index, 2 + index as u32 % 6, [1, 2, 5, 9][index as usize % 4], 60);
        (0..3).for_each(|k| all[k] += checks[k]);
    }
    assert!(all[0] > 2000 && all[1] > 2000, "{all:?}");
    assert!(all[2] * 200 < all[0] + all[1], "too many unknown: {all:?}");
}

#[test]
fn walks_with_huge_numbers() {
    let mut all = [0; 3];
    for index in 0..60 {
        let size = [i64::MAX / 8, 1 << 40, 3_000_000_019][index as usize % 3];
        let checks = walk(12, index, 2 + index as u32 % 3, size, 40);
        (0..3).for_each(|k| all[k] += checks[k]);
    }
    assert!(all[0] > 100 && all[1] > 100, "{all:?}");
}

#[test]
fn a_popped_contradiction_is_forgotten() {
    let mut both = Both::new();
    both.push();
    both.assert(row(Op::Le, &[(0, 1)], -5));
    both.push();
    both.assert(row(Op::Le, &[(0, -1)], 6));
    assert_eq!(both.check(), Verdict::Unsat);
    assert_eq!(both.solver.core(), [0, 1]);
    both.push();
    both.assert(row(Op::Le, &[(1, 1)], -5));
    assert_eq!(both.check(), Verdict::Unsat);
    both.pop();
    both.pop();
    both.assert(row(Op::Le, &[(0, -1)], 5));
    assert_eq!(both.check(), Verdict::Sat);
    assert_eq!(both.solver.value(0), 5.into());
    both.pop();
    assert_eq!(both.check(), Verdict::Sat);
    both.pop(); // one too many does no harm
    assert_eq!(both.check(), Verdict::Sat);
}

#[test]
fn cores_leave_out_what_is_not_needed() {
    let mut solver = Solver::new();
    for k in 0..20 {
        solver.assert(&row(Op::Le, &[(k, 1), (k + 1, -1)], 0)); // x0 <= x1 <= ... <= x20
    }
    solver.assert(&row(Op::Le, &[(7, 1), (3, -1)], 1)); // x7 < x3
    assert_eq!(solver.check(), Verdict::Unsat);
    solver.minimize();
    assert_eq!(solver.core(), [3, 4, 5, 6, 20]);
    let mut apart = Solver::new();
    apart.assert(&row(Op::Ne, &[(5, 1)], 0));
    apart.assert(&row(Op::Le, &[(0, -1)], 1));
    apart.assert(&row(Op::Ne, &[(0, 1)], -1));
    apart.assert(&row(Op::Le, &[(0, 1), (1, 1)], -3));
    apart.assert(&row(Op::Le, &[(0, 1)], -2));
    apart.assert(&row(Op::Ne, &[(0, 1)], -2));
    assert_eq!(apart.check(), Verdict::Unsat);
    apart.minimize();
    assert_eq!(apart.core(), [1, 2, 4, 5]);
}

#[test]
fn rows_in_the_wrong_form_are_understood() {
    let mut solver = Solver::new();
    let odd = |terms: &[(u32, i64)], constant| Row { op: Op::Le, terms: terms.to_vec(), constant };
    solver.assert(&odd(&[(1, 1), (0, 1), (1, -2), (3, 0)], 5)); // x0 - x1 + 5 <= 0
    solver.push();
    solver.assert(&odd(&[(0, -1)], 5)); // x0 >= 5
    solver.assert(&odd(&[(1, 1)], -10)); // x1 <= 10
    assert_eq!(solver.check(), Verdict::Sat);
    assert_eq!((solver.value(0), solver.value(1)), (5.into(), 10.into()));
    solver.assert(&odd(&[(1, 1)], -9));
    assert_eq!(solver.check(), Verdict::Unsat);
    assert_eq!(solver.core(), [0, 1, 3]);
    solver.pop();
    solver.assert(&odd(&[(0, i64::MAX), (0, i64::MAX)], -1));
    assert_eq!(solver.check(), Verdict::Sat);
}

#[test]
fn a_kept_proof_counts_the_rows_of_the_core() {
    let mut solver = Solver::new();
    let rows = [
        row(Op::Le, &[(7, 1)], 0),
        Row { op: Op::Le, terms: vec![(0, 1), (0, -2)], constant: 0 }, // x >= 0, for the thorough solver only
        row(Op::Le, &[(7, 1)], 1),
        row(Op::Le, &[(0, 1)], 0),
        row(Op::Ne, &[(0, 1)], 0),
    ];
    rows.iter().for_each(|row| solver.assert(row));
    assert_eq!(solver.check(), Verdict::Unsat);
    assert_eq!((solver.counts().thorough, solver.core()), (1, &[1, 3, 4][..]));
    let core = [row(Op::Le, &[(0, -1)], 0), rows[3].clone(), rows[4].clone()];
    let certificate = solver.certificate().expect("it is kept");
    assert_eq!(check(&core, &certificate), Ok(()));
}

#[test]
fn before_the_first_check_there_is_no_model() {
    let mut solver = Solver::new();
    let zero = row(Op::Eq, &[(4, 1)], 0);
    assert_eq!(solver.holds(&zero), None);
    assert_eq!(solver.check(), Verdict::Sat);
    assert_eq!(solver.holds(&zero), Some(true));
    assert_eq!(solver.value(u32::MAX), 0.into());
    assert_eq!(solver.certificate(), None);
}
