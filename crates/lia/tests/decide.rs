//! Verdicts, models and cores against brute force, and the cases that are easy to get wrong.

mod support;

use evergreen_lia::{Answer, Effort, Op, Row, solve};
use evergreen_testing::random::Random;
use support::{boxed, brute_force, holds, random_row, row};

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
            assert!(certificate.is_some(), "{rows:?}");
            let part: Vec<Row> = core.iter().map(|k| rows[*k as usize].clone()).collect();
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
