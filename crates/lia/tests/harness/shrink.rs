//! Makes a failing game small: drops moves and terms and halves numbers as long as it still fails.

use super::moves::Move;

/// The least moves that still fail, as far as single changes lead.
pub(crate) fn shrink(moves: &[Move], mut fails: impl FnMut(&[Move]) -> bool) -> Vec<Move> {
    let mut best = moves.to_vec();
    let mut tries = 0;
    loop {
        let smaller = candidates(&best).into_iter().find(|moves| {
            tries += 1;
            tries < 3_000 && fails(moves)
        });
        match smaller {
            Some(moves) => best = moves,
            None => return best,
        }
    }
}

fn candidates(moves: &[Move]) -> Vec<Vec<Move>> {
    let mut all = Vec::new();
    for (at, step) in moves.iter().enumerate() {
        let mut less = moves.to_vec();
        less.remove(at);
        match step {
            Move::Push => {
                if let Some(pop) = partner(moves, at) {
                    less.remove(pop - 1);
                }
                all.push(less);
            }
            Move::Pop => {}
            Move::Assert(_) => all.push(less),
            Move::Check if moves.iter().filter(|step| **step == Move::Check).count() > 1 => all.push(less),
            Move::Check => {}
        }
    }
    for (at, step) in moves.iter().enumerate() {
        let Move::Assert(row) = step else { continue };
        let mut put = |row| {
            let mut less = moves.to_vec();
            less[at] = Move::Assert(row);
            all.push(less);
        };
        for term in 0..row.terms.len() {
            let mut fewer = row.clone();
            fewer.terms.remove(term);
            put(fewer);
            for value in smaller(row.terms[term].1).into_iter().filter(|value| *value != 0) {
                let mut less = row.clone();
                less.terms[term].1 = value;
                put(less);
            }
        }
        for constant in smaller(row.constant) {
            let mut less = row.clone();
            less.constant = constant;
            put(less);
        }
    }
    all
}

fn smaller(value: i64) -> Vec<i64> {
    let mut values = vec![0, value / 2, value - value.signum()];
    values.retain(|v| v.unsigned_abs() < value.unsigned_abs());
    values.dedup();
    values
}

/// The pop that closes the level opened at `at`.
fn partner(moves: &[Move], at: usize) -> Option<usize> {
    let mut depth = 0;
    for (number, step) in moves.iter().enumerate().skip(at) {
        match step {
            Move::Push => depth += 1,
            Move::Pop => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(number);
        }
    }
    None
}
