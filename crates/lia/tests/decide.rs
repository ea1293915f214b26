//! Verdicts, models and cores against brute force, and the cases that are easy to get wrong.

use crate::support::{boxed, brute_force, holds, random_row, row};
use evergreen_lia::{Answer, Effort, Op, Row, solve};
use evergreen_testing::random::Random;

fn check(rows: &[Row]) -> &'static str {
    match solve(rows, Effort::default()) {
        Answer::Sat(model) => {
            let size = model.iter().map(|(v, _)| *v as usize + 1).max().unwrap_or(0);
            let mut values = vec![0i128; size];
            for (v, value) in &model {
                values[*v as usize] = value.to_i128().unwrap();
            }
            for r in rows {
                assert!(holds(r, &values), "{r:?} does not hold for {values:?} in {rows:?}");
            }
            "sat"
        }
        Answer::Unsat { core, certificate } => {
            assert!(core.windows(2).all(|w| w[0] < w[1]), "{core:?}");
            let part: Vec<Row> = core.iter().map(|k| rows[*k as usize].clone()).collect();
            let certificate = certificate.unwrap_or_else(|| panic!("no certificate for {part:?}"));
            let checked = evergreen_lia::check(&part, &certificate);
            assert_eq!(checked, Ok(()), "{part:?} {certificate:?}");
            assert!(
                matches!(solve(&part, Effort::default()), Answer::Unsat { .. }),
                "core of {rows:?}: {part:?}"
            );
            "unsat"
        }
        Answer::Unknown => "unknown",
    }
}

#[test]
fn agrees_with_brute_force_in_small_boxes() {
    let mut counts = [0; 2];
    for index in 0..3000 {
        let mut random = Random::for_index(1, index);
        let variables = 1 + random.below(4) as u32;
        let (low, high) = (random.between(-4, 0), random.between(0, 3));
        let mut rows = boxed(variables, low, high);
        for _ in 0..1 + random.below(9) {
            rows.push(random_row(&mut random, variables, 4));
        }
        let expected = brute_force(&rows, variables, low, high);
        counts[usize::from(expected)] += 1;
        assert_eq!(check(&rows), if expected { "sat" } else { "unsat" }, "{index}: {rows:?}");
    }
    assert!(counts[0] > 500 && counts[1] > 500, "{counts:?}");
}

#[test]
fn contradictions_modulo_something() {
    // 2x + 4y = 1
    assert_eq!(check(&[row(Op::Eq, &[(0, 2), (1, 4)], -1)]), "unsat");
    // 1 <= 3x - 3y <= 2
    assert_eq!(check(&[row(Op::Le, &[(0, -3), (1, 3)], 1), row(Op::Le, &[(0, 3), (1, -3)], -2)]), "unsat");
    // x = 2a, x = 2b + 1
    assert_eq!(check(&[row(Op::Eq, &[(0, 1), (1, -2)], 0), row(Op::Eq, &[(0, 1), (2, -2)], -1)]), "unsat");
    // z = 3x - 3y, 1 <= z <= 2
    let z = row(Op::Eq, &[(0, 3), (1, -3), (2, -1)], 0);
    assert_eq!(check(&[z.clone(), row(Op::Le, &[(2, -1)], 1), row(Op::Le, &[(2, 1)], -2)]), "unsat");
    assert_eq!(check(&[z, row(Op::Le, &[(2, -1)], 1), row(Op::Le, &[(2, 1)], -3)]), "sat");
    // 2x + 3y = 1 has solutions, all far from 0 in one of them when x >= 1000
    assert_eq!(check(&[row(Op::Eq, &[(0, 2), (1, 3)], -1), row(Op::Le, &[(0, -1)], 1000)]), "sat");
    // 6x + 10y + 15z = 1 but x = y = z modulo 31 ...
    let sum = row(Op::Eq, &[(0, 6), (1, 10), (2, 15)], -1);
    assert_eq!(
        check(&[sum.clone(), row(Op::Eq, &[(0, 1), (1, -1)], 0), row(Op::Eq, &[(1, 1), (2, -1)], 0)]),
        "unsat"
    );
    // A strip without integers, unbounded in both directions: 1 <= 6x - 4y - 10z + 2w and it is <= 1.
    let strip = [(0, 6), (1, -4), (2, -10), (3, 2)];
    let down: Vec<(u32, i64)> = strip.iter().map(|(v, c)| (*v, -c)).collect();
    assert_eq!(check(&[row(Op::Le, &down, 1), row(Op::Le, &strip, -1)]), "unsat");
}

#[test]
fn more_pigeons_than_holes() {
    for (pigeons, holes, expected) in [(3, 3, "sat"), (3, 2, "unsat"), (4, 3, "unsat"), (5, 5, "sat")] {
        let mut rows = boxed(pigeons, 1, holes);
        for a in 0..pigeons {
            for b in a + 1..pigeons {
                rows.push(row(Op::Ne, &[(a, 1), (b, -1)], 0));
            }
        }
        assert_eq!(check(&rows), expected, "{pigeons} pigeons, {holes} holes");
    }
    // One variable, every value excluded but one; then that one too.
    let mut rows = boxed(1, 0, 40);
    rows.extend((0..=40).filter(|v| *v != 23).map(|v| row(Op::Ne, &[(0, 1)], -v)));
    assert_eq!(check(&rows), "sat");
    rows.push(row(Op::Ne, &[(0, 1)], -23));
    assert_eq!(check(&rows), "unsat");
}

#[test]
fn numbers_near_the_end_of_the_words() {
    let (max, min) = (i64::MAX, i64::MIN);
    assert_eq!(check(&[row(Op::Eq, &[(0, max), (1, min)], 1)]), "sat"); // x = y = 1
    assert_eq!(check(&[row(Op::Eq, &[(0, max), (1, max - 1)], -1), row(Op::Le, &[(0, -1)], max)]), "sat");
    assert_eq!(check(&[row(Op::Le, &[(0, min)], max), row(Op::Le, &[(0, 1)], 0)]), "unsat");
    assert_eq!(check(&[row(Op::Le, &[(0, -1)], max), row(Op::Le, &[(0, 1)], min)]), "sat");
    assert_eq!(check(&[row(Op::Ne, &[(0, min)], min), row(Op::Eq, &[(0, max)], -max)]), "sat");
    assert_eq!(check(&[row(Op::Ne, &[(0, min)], min), row(Op::Eq, &[(0, max)], max)]), "unsat");
    assert_eq!(check(&[row(Op::Ne, &[(0, min)], min), row(Op::Eq, &[(0, max)], -max - 1)]), "unsat");
    // x >= max, y >= max, x + y <= max: the sum does not fit into a word.
    let rows =
        [row(Op::Le, &[(0, -1)], max), row(Op::Le, &[(1, -1)], max), row(Op::Le, &[(0, 1), (1, 1)], -max)];
    assert_eq!(check(&rows), "unsat");
    // x >= max, y >= x + max, z >= y + max: values beyond words.
    let chain = [
        row(Op::Le, &[(0, -1)], max),
        row(Op::Le, &[(0, 1), (1, -1)], max),
        row(Op::Le, &[(1, 1), (2, -1)], max),
    ];
    assert_eq!(check(&chain), "sat");
    // Coprime monsters.
    let pair = [(0, 4_611_686_018_427_387_847), (1, -4_611_686_018_427_387_787)];
    assert_eq!(check(&[row(Op::Eq, &pair, -1), row(Op::Le, &[(0, -1)], 1)]), "sat");
}

#[test]
fn hard_knapsacks_are_given_up() {
    // sum of 12 large coprime weights equal to an odd target, variables 0..=1: no cut that we know helps.
    let weights = [
        12_228_119,
        36_679_423,
        36_682_441,
        48_908_141,
        61_139_749,
        73_365_277,
        85_595_423,
        97_824_281,
        110_053_127,
        122_282_177,
        134_510_983,
        146_740_541,
        158_969_117,
        171_197_993,
        183_427_841,
        195_656_539,
    ];
    let terms: Vec<(u32, i64)> = weights.iter().enumerate().map(|(k, w)| (k as u32, *w)).collect();
    let mut rows = boxed(weights.len() as u32, 0, 50);
    rows.push(row(Op::Eq, &terms, -2_123_456_789));
    let small = Effort { pivots: 2_000, splits: 100 };
    assert_eq!(solve(&rows, small), Answer::Unknown);
}

#[test]
fn unbounded_but_thin() {
    // Found by duels; simplex and splits on variables alone never end on these.
    let flat = [
        row(Op::Le, &[(1, -3), (3, 2)], 4),
        row(Op::Eq, &[(0, -4), (1, -1), (2, 5), (3, 3)], 5),
        row(Op::Le, &[(0, -6), (2, 3), (3, 6), (4, -2)], 0),
        row(Op::Le, &[(1, 1), (2, -2)], -7),
        row(Op::Le, &[(0, 18), (1, 6), (2, -3), (3, -24), (4, 6)], 8),
    ];
    assert_eq!(check(&flat), "unsat");
    let flat = [
        row(Op::Le, &[(0, -2), (1, -6), (2, 1), (6, -6)], 10),
        row(Op::Le, &[(0, -5), (1, 5), (3, -6), (4, 2), (5, 4), (6, 3)], 16),
        row(Op::Le, &[(0, 4), (1, -4), (3, 1), (6, 4)], -8),
        row(Op::Le, &[(2, -1)], -19),
        row(Op::Le, &[(0, 13), (1, 11), (3, 16), (4, -6), (5, -12), (6, 1)], -6),
    ];
    assert_eq!(check(&flat), "unsat");
    // Cones that are narrow for a long way.
    let cone = [
        row(Op::Le, &[(0, 847_174), (1, -569_167)], 646_209),
        row(Op::Le, &[(0, 847_173), (1, -569_165)], 473_389),
        row(Op::Le, &[(0, -847_173), (1, 569_167)], 62_523),
        row(Op::Le, &[(0, 847_173), (1, -569_165)], -141_862),
    ];
    assert_eq!(check(&cone), "sat");
    let cone = [
        row(Op::Le, &[(0, 572_818), (1, 547_923), (2, 933_978)], 219_925),
        row(Op::Le, &[(0, 572_818), (1, 547_923), (2, 933_979)], -780_827),
        row(Op::Le, &[(0, -572_820), (1, -547_923), (2, -933_977)], 378_333),
    ];
    assert_eq!(check(&cone), "sat");
}
