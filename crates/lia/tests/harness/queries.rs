//! Random conjunctions: typical path conditions, and cases that are hard for decision procedures.
//!
//! Every family leans towards the border between sat and unsat, where a wrong sign or a wrong rounding shows.

use super::rows::row;
use evergreen_lia::{Op, Row, Var};
use evergreen_testing::random::Random;

/// A way to make conjunctions.
pub(crate) struct Family {
    /// Its name in the table.
    pub name: &'static str,
    /// How often it is chosen.
    weight: usize,
    make: fn(&mut Random) -> Vec<Row>,
}

/// All ways.
pub(crate) const FAMILIES: &[Family] = &[
    Family { name: "path", weight: 4, make: path },
    Family { name: "boxed", weight: 2, make: boxed },
    Family { name: "gap", weight: 2, make: gap },
    Family { name: "dense", weight: 2, make: dense },
    Family { name: "parallel", weight: 1, make: parallel },
    Family { name: "huge", weight: 1, make: huge },
    Family { name: "equalities", weight: 2, make: equalities },
    Family { name: "pigeons", weight: 1, make: pigeons },
    Family { name: "knapsack", weight: 1, make: knapsack },
    Family { name: "planted", weight: 2, make: planted },
    Family { name: "farkas", weight: 2, make: farkas },
    Family { name: "cycle", weight: 2, make: cycle },
    Family { name: "deep", weight: 1, make: deep },
];

/// The number of a family.
pub(crate) fn any(random: &mut Random) -> usize {
    let mut left = random.below(FAMILIES.iter().map(|family| family.weight).sum());
    let chosen = FAMILIES.iter().position(|family| {
        let here = left < family.weight;
        left = left.saturating_sub(family.weight);
        here
    });
    chosen.expect("the number is below the sum of the weights")
}

impl Family {
    /// 1 to about 20 rows over 1 to 8 variables, in random order, sometimes with a trivial or
    /// a doubled one among them.
    pub(crate) fn rows(&self, random: &mut Random) -> Vec<Row> {
        let mut rows = (self.make)(random);
        if random.one_in(30) {
            let op = op(random);
            rows.push(row(op, &[], random.between(-1, 1)));
        }
        if random.one_in(20) && !rows.is_empty() {
            rows.push(random.choose(&rows).clone());
        }
        if !random.one_in(3) {
            random.shuffle(&mut rows);
        }
        if random.one_in(40) {
            let at = random.below(rows.len().max(1));
            rows.get_mut(at).into_iter().for_each(|row| disorder(row, random));
        }
        rows
    }
}

/// Writes a row in bad form: out of order, a variable twice, a zero.
fn disorder(row: &mut Row, random: &mut Random) {
    if let Some(&(var, times)) = row.terms.first() {
        let more = [(var, random.between(-2, 2)), (var, 0), (var + 1, times)];
        row.terms.extend_from_slice(&more[..1 + random.below(3)]);
    }
    random.shuffle(&mut row.terms);
}

/// The rows whose disjunction is the negation of `row`: for taking the other arm of a branch.
pub(crate) fn negation(from: &Row, random: &mut Random) -> Row {
    let negated = |terms: &[(Var, i64)]| {
        terms.iter().map(|&(var, c)| Some((var, c.checked_neg()?))).collect::<Option<Vec<_>>>()
    };
    let opposite = |from: &Row| {
        // -(sum + k) + 1 <= 0
        let terms = negated(&from.terms)?;
        let constant = 1i64.checked_sub(from.constant)?;
        Some(Row { op: Op::Le, terms, constant })
    };
    match from.op {
        Op::Le => opposite(from).unwrap_or_else(|| from.clone()),
        Op::Ne => Row { op: Op::Eq, ..from.clone() },
        Op::Eq if random.one_in(2) => Row { op: Op::Ne, ..from.clone() },
        Op::Eq => opposite(from).unwrap_or_else(|| from.clone()),
    }
}

fn op(random: &mut Random) -> Op {
    *random.choose(&[Op::Le, Op::Le, Op::Le, Op::Eq, Op::Ne])
}

fn sign(random: &mut Random) -> i64 {
    *random.choose(&[-1, 1])
}

/// `count` different variables below `vars`.
fn some(vars: usize, count: usize, random: &mut Random) -> Vec<Var> {
    let mut all: Vec<Var> = (0..vars as Var).collect();
    random.shuffle(&mut all);
    all.truncate(count);
    all
}

fn form(vars: usize, count: usize, most: i64, random: &mut Random) -> Vec<(Var, i64)> {
    some(vars, count, random).into_iter().map(|var| (var, sign(random) * random.between(1, most))).collect()
}

/// Bounds, differences, short sums, small numbers.
fn path(random: &mut Random) -> Vec<Row> {
    let vars = 1 + random.below(8);
    let count = 1 + random.below(20);
    path_of(vars, count, random)
}

/// The same, longer and wider.
fn deep(random: &mut Random) -> Vec<Row> {
    let vars = 3 + random.below(28);
    let count = 20 + random.below(100);
    path_of(vars, count, random)
}

fn path_of(vars: usize, count: usize, random: &mut Random) -> Vec<Row> {
    let reach = *random.choose(&[3, 10, 30, 300]);
    let one = |random: &mut Random| {
        let terms = match random.below(10) {
            0..4 => form(vars, 1, 1, random),
            4..7 => match some(vars, 2, random)[..] {
                [x, y] => vec![(x, 1), (y, -1)],
                _ => form(vars, 1, 2, random),
            },
            7..9 => form(vars, 2, 3, random),
            _ => form(vars, 3, 5, random),
        };
        row(op(random), &terms, random.between(-reach, reach))
    };
    (0..count).map(|_| one(random)).collect()
}

fn bounds(vars: usize, least: i64, width: i64, random: &mut Random) -> Vec<Row> {
    (0..vars as Var)
        .flat_map(|var| {
            let low = least + random.between(-1, 1);
            let high = low + random.between(0, width);
            [row(Op::Le, &[(var, 1)], -high), row(Op::Le, &[(var, -1)], low)]
        })
        .collect()
}

/// Few points, many rows through them.
fn boxed(random: &mut Random) -> Vec<Row> {
    let vars = 1 + random.below(4);
    let mut rows = bounds(vars, -3, 5, random);
    for _ in 0..1 + random.below(8) {
        let count = 1 + random.below(vars);
        let terms = form(vars, count, 7, random);
        rows.push(row(op(random), &terms, random.between(-12, 12)));
    }
    rows
}

/// A multiple of something lies strictly between two neighbouring multiples, or just not.
fn gap(random: &mut Random) -> Vec<Row> {
    let vars = 2 + random.below(4);
    let mut rows = Vec::new();
    for _ in 0..1 + random.below(3) {
        let factor = random.between(2, 12);
        let count = 1 + random.below(vars.min(3));
        let inner = form(vars, count, 4, random);
        let terms: Vec<(Var, i64)> = inner.iter().map(|&(var, c)| (var, c * factor)).collect();
        let low = random.between(-3, 3) * factor + random.between(0, 2);
        let high = low + factor - random.between(1, 3);
        let opposite: Vec<(Var, i64)> = terms.iter().map(|&(var, c)| (var, -c)).collect();
        rows.push(row(Op::Le, &terms, -high));
        rows.push(row(Op::Le, &opposite, low));
    }
    if random.one_in(2) {
        let terms = form(vars, 2, 3, random);
        rows.push(row(op(random), &terms, random.between(-5, 5)));
    }
    rows
}

/// Everything is connected with everything, nothing is bounded.
fn dense(random: &mut Random) -> Vec<Row> {
    let vars = 2 + random.below(5);
    let one = |random: &mut Random| {
        let terms = form(vars, vars, 9, random);
        row(op(random), &terms, random.between(-30, 30))
    };
    (0..1 + random.below(2 * vars)).map(|_| one(random)).collect()
}

/// Long thin wedges: the rationals have solutions far out or in slivers without integers.
fn parallel(random: &mut Random) -> Vec<Row> {
    let vars = 2 + random.below(2);
    let scale = *random.choose(&[10, 100, 10_000, 1_000_003]);
    let base: Vec<i64> = (0..vars).map(|_| sign(random) * random.between(scale / 2, scale)).collect();
    let mut rows = Vec::new();
    for _ in 0..2 + random.below(4) {
        let turn = sign(random);
        let terms: Vec<(Var, i64)> =
            base.iter().zip(0..).map(|(&c, var)| (var, turn * (c + random.between(-1, 1)))).collect();
        rows.push(row(op(random), &terms, random.between(-scale, scale)));
    }
    if random.one_in(2) {
        rows.extend(bounds(vars, -scale, 2 * scale, random));
    }
    rows
}

/// Numbers at the end of 64 bits.
fn huge(random: &mut Random) -> Vec<Row> {
    let vars = 1 + random.below(4);
    let number = |random: &mut Random| match random.below(8) {
        0 => i64::MAX - random.between(0, 3),
        1 => i64::MIN + random.between(0, 3),
        2 => (random.next() as i64) >> random.below(3),
        3 => sign(random) << random.between(30, 62),
        4 => sign(random) * (i64::MAX / random.between(2, 5)),
        _ => sign(random) * random.between(1, 3),
    };
    let one = |random: &mut Random| {
        let count = 1 + random.below(vars);
        let vars = some(vars, count, random);
        let terms: Vec<(Var, i64)> = vars.into_iter().map(|var| (var, number(random))).collect();
        let constant = if random.one_in(4) { random.between(-2, 2) } else { number(random) };
        row(op(random), &terms, constant)
    };
    (0..1 + random.below(6)).map(|_| one(random)).collect()
}

/// Diophantine systems, some with bounds.
fn equalities(random: &mut Random) -> Vec<Row> {
    let vars = 2 + random.below(5);
    let most = *random.choose(&[3, 9, 60]);
    let mut rows: Vec<Row> = (0..1 + random.below(vars))
        .map(|_| {
            let count = 2 + random.below(vars - 1);
            let terms = form(vars, count, most, random);
            row(Op::Eq, &terms, random.between(-most, most))
        })
        .collect();
    match random.below(3) {
        0 => rows.extend(bounds(vars, -10, 20, random)),
        1 => {
            let terms = form(vars, 2, most, random);
            rows.push(row(op(random), &terms, random.between(-5, 5)));
        }
        _ => {}
    }
    rows
}

/// Variables that differ in as many places as there are, or one fewer.
fn pigeons(random: &mut Random) -> Vec<Row> {
    let vars = 2 + random.below(3) as Var;
    let holes = i64::from(vars) - random.between(0, 1);
    let low = random.between(-3, 3);
    let mut rows = Vec::new();
    for x in 0..vars {
        rows.push(row(Op::Le, &[(x, 1)], -(low + holes - 1)));
        rows.push(row(Op::Le, &[(x, -1)], low));
        for y in 0..x {
            if !random.one_in(12) {
                rows.push(row(Op::Ne, &[(x, 1), (y, -1)], 0));
            }
        }
    }
    rows.truncate(20);
    rows
}

/// One sum of positive weights hits a number, or does not.
fn knapsack(random: &mut Random) -> Vec<Row> {
    let vars = 2 + random.below(5);
    let most = *random.choose(&[12, 60, 999]);
    let terms: Vec<(Var, i64)> = (0..vars as Var).map(|var| (var, random.between(2, most))).collect();
    let target = random.between(1, 3 * most);
    let mut rows = vec![row(Op::Eq, &terms, -target)];
    let top = random.between(1, 4);
    for var in 0..vars as Var {
        rows.push(row(Op::Le, &[(var, -1)], 0));
        if random.one_in(2) {
            rows.push(row(Op::Le, &[(var, 1)], -top));
        }
    }
    rows
}

/// A far-away point and rows that it satisfies, most of them only just; sometimes one that it does not.
fn planted(random: &mut Random) -> Vec<Row> {
    let vars = 1 + random.below(6);
    let reach = *random.choose(&[5, 1_000, 1_000_000_000]);
    let point: Vec<i64> = (0..vars).map(|_| random.between(-reach, reach)).collect();
    let one = |random: &mut Random| {
        let count = 1 + random.below(vars);
        let terms = form(vars, count, 9, random);
        let sum: i64 = terms.iter().map(|&(var, c)| c * point[var as usize]).sum();
        let (op, off) = match op(random) {
            Op::Le => (Op::Le, -random.between(0, 2)),
            Op::Eq => (Op::Eq, 0),
            Op::Ne => (Op::Ne, sign(random)),
        };
        row(op, &terms, off - sum)
    };
    let mut rows: Vec<Row> = (0..1 + random.below(16)).map(|_| one(random)).collect();
    if random.one_in(2) {
        let last = rows.len() - 1;
        rows[last].constant += random.between(-1, 1);
    }
    rows
}

/// Rows and the opposite of a sum of them, one too tight or just not.
fn farkas(random: &mut Random) -> Vec<Row> {
    let vars = 2 + random.below(6);
    let mut rows: Vec<Row> = (0..2 + random.below(5))
        .map(|_| {
            let count = 1 + random.below(vars);
            let terms = form(vars, count, 6, random);
            row(if random.one_in(4) { Op::Eq } else { Op::Le }, &terms, random.between(-20, 20))
        })
        .collect();
    let mut terms = Vec::new();
    let mut constant = 0;
    for row in &rows {
        let times = if row.op == Op::Eq { random.between(-3, 3) } else { random.between(0, 3) };
        terms.extend(row.terms.iter().map(|&(var, c)| (var, -times * c)));
        constant -= times * row.constant;
    }
    rows.push(row(Op::Le, &terms, constant + random.between(-1, 2)));
    rows
}

/// Differences around a circle that add up to about nothing.
fn cycle(random: &mut Random) -> Vec<Row> {
    let vars = 3 + random.below(6);
    let mut total = 0;
    let mut rows = Vec::new();
    for x in 0..vars {
        let y = (x + 1) % vars;
        let step = if x + 1 == vars { random.between(-1, 1) - total } else { random.between(-9, 9) };
        total += step;
        let op = if random.one_in(6) { Op::Eq } else { Op::Le };
        rows.push(row(op, &[(x as Var, 1), (y as Var, -1)], step));
    }
    for _ in 0..random.below(4) {
        let terms = form(vars, 2, 1, random);
        rows.push(row(op(random), &terms, random.between(-9, 9)));
    }
    rows
}
