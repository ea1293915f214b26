//! Rows: short ways to write them, exact evaluation, SMT-LIB text.

use evergreen_lia::{Op, Row, Var};
use evergreen_term::Int;
use std::fmt::Write;

/// A row; its terms are put into order, added up where a variable repeats, and zeros dropped.
///
/// # Panics
/// If the sum of a variable's coefficients does not fit into 64 bits.
pub(crate) fn row(op: Op, terms: &[(Var, i64)], constant: i64) -> Row {
    let mut sums = std::collections::BTreeMap::new();
    for &(var, coefficient) in terms {
        let sum: &mut i64 = sums.entry(var).or_default();
        *sum = sum.checked_add(coefficient).expect("the coefficients fit into 64 bits");
    }
    Row { op, terms: sums.into_iter().filter(|term| term.1 != 0).collect(), constant }
}

/// `terms + constant <= 0`
pub(crate) fn le(terms: &[(Var, i64)], constant: i64) -> Row {
    row(Op::Le, terms, constant)
}

/// `terms + constant = 0`
pub(crate) fn eq(terms: &[(Var, i64)], constant: i64) -> Row {
    row(Op::Eq, terms, constant)
}

/// `terms + constant != 0`
pub(crate) fn ne(terms: &[(Var, i64)], constant: i64) -> Row {
    row(Op::Ne, terms, constant)
}

/// Whether the row is true of the values, computed exactly.
pub(crate) fn holds(row: &Row, value: impl Fn(Var) -> Int) -> bool {
    let mut sum = Int::from(row.constant);
    for &(var, coefficient) in &row.terms {
        sum = sum.add(&value(var).mul(&Int::from(coefficient)));
    }
    match row.op {
        Op::Le => sum.signum() <= 0,
        Op::Eq => sum.signum() == 0,
        Op::Ne => sum.signum() != 0,
    }
}

/// One more than the highest variable.
pub(crate) fn width(rows: &[Row]) -> Var {
    rows.iter().flat_map(|row| &row.terms).map(|term| term.0 + 1).max().unwrap_or(0)
}

/// The row as an SMT-LIB term over `x0`, `x1`, …
pub(crate) fn text(row: &Row) -> String {
    let mut sum = String::from("(+");
    for &(var, coefficient) in &row.terms {
        write!(sum, " (* {} x{var})", numeral(coefficient)).expect("strings take everything");
    }
    write!(sum, " {} 0)", numeral(row.constant)).expect("strings take everything");
    match row.op {
        Op::Le => format!("(<= {sum} 0)"),
        Op::Eq => format!("(= {sum} 0)"),
        Op::Ne => format!("(not (= {sum} 0))"),
    }
}

fn numeral(value: i64) -> String {
    if value < 0 { format!("(- {})", value.unsigned_abs()) } else { value.to_string() }
}
