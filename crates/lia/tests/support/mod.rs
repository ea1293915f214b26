//! Random conjunctions, and the slow but obvious way to decide them.

use evergreen_lia::{Op, Row, Var};
use evergreen_testing::random::Random;

/// `sum + constant op 0`, from terms in any order.
pub(crate) fn row(op: Op, terms: &[(Var, i64)], constant: i64) -> Row {
    let mut terms = terms.to_vec();
    terms.sort_unstable();
    Row { op, terms, constant }
}

/// `low <= x <= high` for each variable.
pub(crate) fn boxed(variables: u32, low: i64, high: i64) -> Vec<Row> {
    (0..variables).flat_map(|v| [row(Op::Le, &[(v, -1)], low), row(Op::Le, &[(v, 1)], -high)]).collect()
}

/// A row over 1 to 3 of the variables with coefficients up to `size`.
pub(crate) fn random_row(random: &mut Random, variables: u32, size: i64) -> Row {
    let op = match random.below(6) {
        0 => Op::Eq,
        1 | 2 => Op::Ne,
        _ => Op::Le,
    };
    let mut terms: Vec<(Var, i64)> = Vec::new();
    for _ in 0..1 + random.below(3) {
        let var = random.below(variables as usize) as Var;
        let times = random.between(-size, size);
        if times != 0 && terms.iter().all(|t| t.0 != var) {
            terms.push((var, times));
        }
    }
    row(op, &terms, random.between(-3 * size, 3 * size))
}

/// Whether a row holds for values by variable.
pub(crate) fn holds(row: &Row, values: &[i128]) -> bool {
    let sum: i128 = row.terms.iter().map(|(v, c)| i128::from(*c) * values[*v as usize]).sum::<i128>()
        + i128::from(row.constant);
    match row.op {
        Op::Le => sum <= 0,
        Op::Eq => sum == 0,
        Op::Ne => sum != 0,
    }
}

/// Whether some point of the box satisfies all rows.
pub(crate) fn brute_force(rows: &[Row], variables: u32, low: i64, high: i64) -> bool {
    let mut point = vec![i128::from(low); variables as usize];
    loop {
        if rows.iter().all(|r| holds(r, &point)) {
            return true;
        }
        let mut k = 0;
        loop {
            if k == point.len() {
                return false;
            }
            point[k] += 1;
            if point[k] <= i128::from(high) {
                break;
            }
            point[k] = i128::from(low);
            k += 1;
        }
    }
}
