//! The checker of certificates: an accepted query has no integer solution, whatever the
//! source of the certificate.
//!
//! It shares no code with the solver and trusts nothing that it reads. It only adds up lines with exact
//! integers, and the tree of cases is an explicit stack, so no input makes it overflow, recurse or
//! panic. Why each step is sound:
//!
//! - a sum of equalities (times anything) and inequalities (times something positive)
//!   holds where the lines hold;
//! - `d * s + k <= 0` means `s <= -k / d`, and `s` is an integer, so `s + ceil(k / d) <= 0`;
//! - of two neighbouring integers every integer is at or below the lower or at or above the upper;
//! - an integer other than 0 is at most -1 or at least 1.
//!
//! Cost: one multiplication and one map update per coefficient of each line that is used. Numbers grow
//! by what the certificate multiplies them with, so work is counted in machine words, before it is done,
//! and a certificate that asks for more than [`MAX_WORK`] is refused: a foreign store may waste
//! milliseconds, not minutes.

use crate::flaw::{Flaw, Why};
use crate::{Certificate, Op, Part, Row, Step, Var};
use evergreen_term::Int;
use std::collections::BTreeMap;

/// The most work spent on one certificate: about one unit per coefficient and machine word.
pub const MAX_WORK: u64 = 1 << 22;

/// Whether the certificate proves that no integers satisfy all `rows`.
///
/// ```
/// use evergreen_lia::{Certificate, Op, Part, Row, Step, check};
/// // 2x - 1 <= 0 and -2x + 1 <= 0: x would be one half.
/// let row = |a, k| Row { op: Op::Le, terms: vec![(0, a)], constant: k };
/// let part = |line| Part { line, times: 1.into() };
/// let cut = |line| Step::Cut { sum: vec![part(line)], divisor: 2.into() };
/// let steps = vec![cut(0), cut(1), Step::Close(vec![part(2), part(3)])]; // x <= 0, 1 - x <= 0: 1 <= 0
/// assert_eq!(check(&[row(2, -1), row(-2, 1)], &Certificate { steps }), Ok(()));
/// ```
pub fn check(rows: &[Row], certificate: &Certificate) -> Result<(), Flaw> {
    let mut proof = Proof { rows, lines: Vec::new(), work: Work(0) };
    // For each open split: how many derived lines were known there, and the line of its second case.
    let mut open: Vec<(usize, Line)> = Vec::new();
    for (number, step) in certificate.steps.iter().enumerate() {
        let flaw = |why| Flaw { step: number, why };
        match step {
            Step::Close(parts) => {
                proof.refute(parts).map_err(flaw)?;
                match open.pop() {
                    Some((known, second)) => {
                        proof.lines.truncate(known);
                        proof.lines.push(second);
                    }
                    None if number + 1 == certificate.steps.len() => return Ok(()),
                    None => return Err(Flaw { step: number + 1, why: Why::Trailing }),
                }
            }
            Step::Cut { sum, divisor } => {
                let line = proof.cut(sum, divisor).map_err(flaw)?;
                proof.lines.push(line);
            }
            Step::Split { terms, at } => {
                let (first, second) = proof.split(terms, at).map_err(flaw)?;
                open.push((proof.lines.len(), second));
                proof.lines.push(first);
            }
            Step::Apart { line } => {
                let (first, second) = proof.apart(*line).map_err(flaw)?;
                open.push((proof.lines.len(), second));
                proof.lines.push(first);
            }
        }
    }
    Err(Flaw { step: certificate.steps.len(), why: Why::Unfinished })
}

/// `terms + constant`, which is `<= 0` by a known line; no coefficient is zero.
struct Line {
    terms: BTreeMap<Var, Int>,
    constant: Int,
}

impl Line {
    fn constant(constant: i64) -> Line {
        Line { terms: BTreeMap::new(), constant: Int::from(constant) }
    }

    fn add_term(&mut self, var: Var, coefficient: &Int, times: &Int, work: &mut Work) -> Result<(), Why> {
        let old = self.terms.remove(&var).unwrap_or(Int::ZERO);
        let new = work.add_product(&old, coefficient, times)?;
        if !new.is_zero() {
            self.terms.insert(var, new);
        }
        Ok(())
    }

    fn add_constant(&mut self, constant: &Int, times: &Int, work: &mut Work) -> Result<(), Why> {
        self.constant = work.add_product(&self.constant, constant, times)?;
        Ok(())
    }

    fn add_row(&mut self, row: &Row, times: &Int, work: &mut Work) -> Result<(), Why> {
        for &(var, coefficient) in &row.terms {
            self.add_term(var, &Int::from(coefficient), times, work)?;
        }
        self.add_constant(&Int::from(row.constant), times, work)
    }

    fn add_line(&mut self, line: &Line, times: &Int, work: &mut Work) -> Result<(), Why> {
        for (&var, coefficient) in &line.terms {
            self.add_term(var, coefficient, times, work)?;
        }
        self.add_constant(&line.constant, times, work)
    }

    /// `-(terms + constant) + 1`, which is `<= 0` exactly where `terms + constant` is not.
    fn opposite(&self, work: &mut Work) -> Result<Line, Why> {
        let mut opposite = Line::constant(1);
        opposite.add_line(self, &Int::from(-1), work)?;
        Ok(opposite)
    }
}

/// The lines that are known in the branch being read.
struct Proof<'a> {
    /// Lines `0..rows.len()`.
    rows: &'a [Row],
    /// The lines after those, all of them `<= 0`.
    lines: Vec<Line>,
    work: Work,
}

impl Proof<'_> {
    /// The sum of the parts, and whether all of them are equalities.
    fn sum(&mut self, parts: &[Part]) -> Result<(Line, bool), Why> {
        let (mut sum, mut equality) = (Line::constant(0), true);
        for Part { line, times } in parts {
            let row = self.rows.get(*line as usize);
            match row.map(|row| row.op) {
                Some(Op::Ne) => return Err(Why::Disequality(*line)),
                Some(Op::Eq) => {}
                Some(Op::Le) | None if times.signum() <= 0 => return Err(Why::Multiplier(*line)),
                Some(Op::Le) | None => equality = false,
            }
            match row {
                Some(row) => sum.add_row(row, times, &mut self.work)?,
                None => {
                    let known = self.lines.get(*line as usize - self.rows.len());
                    sum.add_line(known.ok_or(Why::NoLine(*line))?, times, &mut self.work)?;
                }
            }
        }
        Ok((sum, equality))
    }

    /// Accepts a sum that is false.
    fn refute(&mut self, parts: &[Part]) -> Result<(), Why> {
        let (sum, equality) = self.sum(parts)?;
        if let Some((&var, _)) = sum.terms.first_key_value() {
            return Err(Why::Variable(var));
        }
        match sum.constant.signum() {
            1 => Ok(()),
            -1 if equality => Ok(()),
            _ => Err(Why::True),
        }
    }

    /// The sum, divided and rounded.
    fn cut(&mut self, parts: &[Part], divisor: &Int) -> Result<Line, Why> {
        // The addition makes small what fits into a machine word, also where the caller did not.
        let divisor = divisor.add(&Int::ZERO);
        if divisor.signum() <= 0 {
            return Err(Why::Divisor);
        }
        let (mut sum, _) = self.sum(parts)?;
        for coefficient in sum.terms.values_mut() {
            self.work.spend(2 * product(coefficient, &divisor))?;
            let quotient = coefficient.div(&divisor).ok_or(Why::Divisor)?;
            if quotient.mul(&divisor) != *coefficient {
                return Err(Why::Divisor);
            }
            *coefficient = quotient;
        }
        // Rounding up is rounding the opposite down.
        self.work.spend(product(&sum.constant, &divisor))?;
        sum.constant = sum.constant.neg().div_floor(&divisor).ok_or(Why::Divisor)?.neg();
        Ok(sum)
    }

    /// `terms - at <= 0` and its opposite.
    fn split(&mut self, terms: &[(Var, Int)], at: &Int) -> Result<(Line, Line), Why> {
        let mut first = Line::constant(0);
        for (var, coefficient) in terms {
            first.add_term(*var, coefficient, &Int::ONE, &mut self.work)?;
        }
        first.add_constant(at, &Int::from(-1), &mut self.work)?;
        let second = first.opposite(&mut self.work)?;
        Ok((first, second))
    }

    /// `sum + 1 <= 0` and `-sum + 1 <= 0` of a row `sum != 0`.
    fn apart(&mut self, line: u32) -> Result<(Line, Line), Why> {
        let row = self.rows.get(line as usize).filter(|row| row.op == Op::Ne).ok_or(Why::NotApart(line))?;
        let mut case = |times: i64| {
            let mut line = Line::constant(1);
            line.add_row(row, &Int::from(times), &mut self.work)?;
            Ok(line)
        };
        Ok((case(1)?, case(-1)?))
    }
}

/// The work done so far.
struct Work(u64);

impl Work {
    fn spend(&mut self, units: u64) -> Result<(), Why> {
        self.0 = self.0.saturating_add(units);
        if self.0 > MAX_WORK { Err(Why::Work) } else { Ok(()) }
    }

    /// `old + a * b`.
    fn add_product(&mut self, old: &Int, a: &Int, b: &Int) -> Result<Int, Why> {
        self.spend(words(old).saturating_add(product(a, b)))?;
        Ok(old.add(&a.mul(b)))
    }
}

/// The cost of a multiplication or division of the two.
fn product(a: &Int, b: &Int) -> u64 {
    words(a).saturating_mul(words(b))
}

/// How many machine words the number takes.
fn words(int: &Int) -> u64 {
    match int {
        Int::Small(_) => 1,
        Int::Big(big) => 1 + big.bits() / 64,
    }
}
