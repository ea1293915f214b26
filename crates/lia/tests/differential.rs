//! The solver agrees with brute force, yices and z3; its models hold and its certificates are accepted.
//!
//! A fixed share of what `cargo run --release --example duel` plays for as long as one likes.

mod harness;

use evergreen_lia::{Answer, Effort, Op, Row, check, solve};
use evergreen_term::Int;
use evergreen_testing::random::Random;
use harness::boxes;
use harness::duel::Duel;
use harness::oracle::Oracle;
use harness::rows::{holds, row};

/// Plays games of a seed until there were `count` checks.
fn play(seed: u64, count: usize, solver: &'static str) {
    let mut duel = Duel::new(seed, Effort::default(), Oracle::start(solver), None);
    let mut games = 0;
    while duel.tally.total().queries < count && duel.faults.is_empty() {
        duel.play(games);
        games += 1;
    }
    println!("{}", duel.tally);
    assert!(duel.faults.is_empty(), "{}", duel.faults.join("\n\n"));
    // The games are worth playing: both verdicts are frequent, giving up is rare, here and there.
    let total = duel.tally.total();
    assert!(total.sat > count / 3 && total.unsat > count / 3, "{total:?}");
    assert!(total.unknown < count / 100 && total.certificates * 1_000 > total.unsat * 995, "{total:?}");
    assert!(total.other_unknown < count / 10 && duel.tally.cores > count / 50, "{total:?}");
}

#[test]
fn agrees_with_yices() {
    play(0, 20_000, "yices-smt2");
}

#[test]
fn agrees_with_z3() {
    play(1_000_000, 3_000, "z3");
}

/// Small boxes with rows through them: the answer is found by trying every point.
fn boxed(random: &mut Random) -> (Vec<(i64, i64)>, Vec<Row>) {
    let vars = 1 + random.below(4);
    let most = *random.choose(&[2, 5, i64::MAX / 8]);
    let mut bound = || {
        let low = random.between(-6, 4);
        (low, low + random.between(0, 4))
    };
    let bounds: Vec<(i64, i64)> = (0..vars).map(|_| bound()).collect();
    let mut rows = boxes::rows_of(&bounds);
    for _ in 0..1 + random.below(3) {
        let op = *random.choose(&[Op::Le, Op::Le, Op::Eq, Op::Ne]);
        let scale = random.between(1, most);
        let terms: Vec<(u32, i64)> =
            (0..vars as u32).map(|var| (var, random.between(-3, 3).saturating_mul(scale / 3 + 1))).collect();
        rows.push(row(op, &terms, random.between(-9, 9).saturating_mul(scale / 9 + 1)));
    }
    (bounds, rows)
}

#[test]
fn agrees_with_brute_force() {
    let (mut sat, mut unsat) = (0, 0);
    for index in 0..6_000 {
        let (bounds, rows) = boxed(&mut Random::for_index(3, index));
        match (boxes::decide(&rows, &bounds), solve(&rows, Effort::default())) {
            (Ok(_), Answer::Sat(model)) => {
                sat += 1;
                let value = |var| {
                    let found = model.iter().find(|entry| entry.0 == var);
                    found.map_or(Int::ZERO, |entry| entry.1.clone())
                };
                assert!(rows.iter().all(|row| holds(row, value)), "{rows:?}\n{model:?}");
            }
            (Err(proof), Answer::Unsat { core, certificate: Some(certificate) }) => {
                unsat += 1;
                assert_eq!(check(&rows, &proof), Ok(()), "{rows:?}\n{proof:?}");
                let core: Vec<Row> = core.iter().map(|&number| rows[number as usize].clone()).collect();
                assert_eq!(check(&core, &certificate), Ok(()), "{core:?}\n{certificate:?}");
            }
            (truth, answer) => panic!("{rows:?}\n{truth:?}\n{answer:?}"),
        }
    }
    assert_eq!((sat, unsat), (2_373, 3_627));
}
