//! The slowest prover there is: halve a box until a row fails all over it or one point is left.
//!
//! It decides every conjunction whose variables are bounded by rows of their own, with a model or a
//! certificate, and has nothing in common with the solver. Cost: up to the number of points of the box.

use evergreen_lia::{Certificate, Op, Part, Row, Step, Var};
use evergreen_term::Int;

/// Rows that keep variable `v` within `bounds[v]`: row `2v` from above, row `2v + 1` from below.
pub(crate) fn rows_of(bounds: &[(i64, i64)]) -> Vec<Row> {
    let both = bounds.iter().zip(0..).flat_map(|(&(low, high), var)| {
        [
            Row { op: Op::Le, terms: vec![(var, 1)], constant: -high },
            Row { op: Op::Le, terms: vec![(var, -1)], constant: low },
        ]
    });
    both.collect()
}

/// A solution or a proof that there is none. The rows begin with [`rows_of`] the
/// bounds, none of which is empty.
pub(crate) fn decide(rows: &[Row], bounds: &[(i64, i64)]) -> Result<Vec<i64>, Certificate> {
    let sides = bounds.iter().zip(0u32..).map(|(&(low, high), var)| Side {
        low: i128::from(low),
        high: i128::from(high),
        low_line: 2 * var + 1,
        high_line: 2 * var,
    });
    let mut prover = Prover { rows, steps: Vec::new() };
    match prover.search(&sides.collect::<Vec<Side>>(), rows.len() as u32) {
        Some(model) => Ok(model),
        None => Err(Certificate { steps: prover.steps }),
    }
}

/// The range of one variable, and the lines of its ends.
#[derive(Clone)]
struct Side {
    low: i128,
    high: i128,
    low_line: u32,
    high_line: u32,
}

struct Prover<'a> {
    rows: &'a [Row],
    steps: Vec<Step>,
}

impl Prover<'_> {
    fn search(&mut self, sides: &[Side], next: u32) -> Option<Vec<i64>> {
        if self.conflict(sides, next) {
            return None;
        }
        let Some(var) = (0..sides.len()).find(|&var| sides[var].low < sides[var].high) else {
            return Some(sides.iter().map(|side| side.low as i64).collect());
        };
        let middle = (sides[var].low + sides[var].high).div_euclid(2);
        self.steps.push(Step::Split { terms: vec![(var as Var, Int::ONE)], at: Int::from(middle) });
        let mut first = sides.to_vec();
        first[var] = Side { high: middle, high_line: next, ..first[var] };
        let mut second = sides.to_vec();
        second[var] = Side { low: middle + 1, low_line: next, ..second[var] };
        self.search(&first, next + 1).or_else(|| self.search(&second, next + 1))
    }

    /// Closes the case if some row is false in all of the box.
    fn conflict(&mut self, sides: &[Side], next: u32) -> bool {
        for (row, line) in self.rows.iter().zip(0..) {
            let (least, most) = (least(row, 1, sides), -least(row, -1, sides));
            match row.op {
                Op::Le | Op::Eq if least > 0 => self.close(row, line, 1, sides),
                Op::Eq if most < 0 => self.close(row, line, -1, sides),
                Op::Ne if least == 0 && most == 0 => {
                    self.steps.push(Step::Apart { line });
                    for sign in [1, -1] {
                        self.close(row, next, sign, sides);
                        let Some(Step::Close(parts)) = self.steps.last_mut() else { unreachable!() };
                        parts[0].times = Int::ONE; // the line is the row with its sign already
                    }
                }
                _ => continue,
            }
            return true;
        }
        false
    }

    /// The line times `sign`, and of each of the row's variables the side that cancels it.
    fn close(&mut self, row: &Row, line: u32, sign: i64, sides: &[Side]) {
        let mut parts = vec![Part { line, times: Int::from(sign) }];
        for &(var, coefficient) in &row.terms {
            let side = &sides[var as usize];
            let times = Int::from(coefficient).mul(&Int::from(sign));
            let line = if times.signum() > 0 { side.low_line } else { side.high_line };
            parts.push(Part { line, times: times.abs() });
        }
        self.steps.push(Step::Close(parts));
    }
}

/// The least value of the row's sum times `sign`.
fn least(row: &Row, sign: i128, sides: &[Side]) -> i128 {
    let terms = row.terms.iter().map(|&(var, coefficient)| {
        let coefficient = sign * i128::from(coefficient);
        let side = &sides[var as usize];
        coefficient * if coefficient > 0 { side.low } else { side.high }
    });
    terms.sum::<i128>() + sign * i128::from(row.constant)
}
