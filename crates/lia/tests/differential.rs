//! The solver agrees with brute force, yices and z3; its models hold and its certificates are accepted.
//!
//! A fixed share of the games that `cargo run --release --example duel` plays without end.

use crate::harness::boxes;
use crate::harness::duel::Duel;
use crate::harness::every::{Answers, Every};
use crate::harness::oracle::Oracle;
use crate::harness::queries::{FAMILIES, any};
use crate::harness::rows::{holds, row};
use crate::harness::tally::Tally;
use evergreen_lia::{Answer, Effort, Op, Row, check, solve};
use evergreen_term::Int;
use evergreen_testing::random::Random;

/// Plays games of a seed until there were `count` checks.
fn play(seed: u64, count: usize, effort: Effort, solver: &'static str) -> Tally {
    let mut duel = Duel::new(seed, effort, Oracle::start(solver), None);
    let mut games = 0;
    while duel.tally.total().queries < count && duel.faults.is_empty() {
        duel.play(games);
        games += 1;
    }
    println!("{}", duel.tally);
    assert!(duel.faults.is_empty(), "{}", duel.faults.join("\n\n"));
    duel.tally
}

/// The games are worth playing: both verdicts are frequent, giving up is rare, here and there.
fn is_balanced(tally: &Tally) {
    let total = tally.total();
    assert!(total.sat > total.queries / 3 && total.unsat > total.queries / 3, "{total:?}");
    assert!(total.unknown < total.queries / 100, "{total:?}");
    assert!(total.certificates * 1_000 > total.unsat * 995, "{total:?}");
    assert!(total.other_unknown < total.queries / 10 && tally.cores > total.queries / 50, "{total:?}");
}

#[test]
fn agrees_with_yices() {
    is_balanced(&play(0, 20_000, Effort::default(), "yices-smt2"));
}

#[test]
fn agrees_with_z3() {
    is_balanced(&play(1_000_000, 3_000, Effort::default(), "z3"));
}

#[test]
fn giving_up_leaves_no_traces() {
    let tiny = Effort { pivots: 4, splits: 1 };
    let total = play(2_000_000, 4_000, tiny, "yices-smt2").total();
    assert!(total.unknown > 40 && total.sat > 1_000 && total.unsat > 1_000, "{total:?}");
}

/// The rows over other variables: far numbers in another order, some mirrored, some moved by a little.
fn disguise(rows: &[Row], random: &mut Random) -> Option<Vec<Row>> {
    let mirrored = random.next();
    let shift = |var: u32| i64::from(var) - 2;
    let mut said = Vec::new();
    for from in rows {
        let mut constant = from.constant;
        let mut terms = Vec::new();
        for &(var, times) in &from.terms {
            constant = constant.checked_add(times.checked_mul(shift(var))?)?;
            let times = if mirrored >> var & 1 == 1 { times.checked_neg()? } else { times };
            terms.push((u32::MAX - 7 * var, times));
        }
        let flip = from.op != Op::Le && random.one_in(2);
        let turned = |value: i64| if flip { value.checked_neg() } else { Some(value) };
        let terms = terms.into_iter().map(|(var, times)| Some((var, turned(times)?)));
        said.push(row(from.op, &terms.collect::<Option<Vec<_>>>()?, turned(constant)?));
    }
    random.shuffle(&mut said);
    Some(said)
}

#[test]
fn disguises_change_nothing() {
    let (mut same, mut unknown) = (0, 0);
    for index in 0..3_000 {
        let random = &mut Random::for_index(4, index);
        let rows = FAMILIES[any(random)].rows(random);
        let Some(other) = disguise(&rows, random) else { continue };
        match (solve(&rows, Effort::default()), solve(&other, Effort::default())) {
            (Answer::Sat(_), Answer::Sat(_)) | (Answer::Unsat { .. }, Answer::Unsat { .. }) => same += 1,
            (Answer::Unknown, _) | (_, Answer::Unknown) => unknown += 1,
            (one, two) => panic!("{rows:?}\n{one:?}\n{other:?}\n{two:?}"),
        }
    }
    assert!(same > 2_800 && unknown < 30, "{same} {unknown}");
}

#[test]
fn every_small_conjunction() {
    let ask = |vars, rows, reach| {
        let answers = Every { vars, rows, reach, certify: 97 }.ask();
        answers.unwrap_or_else(|fault| panic!("{fault}"))
    };
    let of = |sat, unsat| Answers { sat, unsat, unknown: 0, certificates: unsat / 97 };
    assert_eq!(ask(2, 3, 2), of(1_773_868, 588_172));
    assert_eq!(ask(3, 3, 1), of(614_456, 42_902));
    assert_eq!(ask(2, 4, 1), of(180_994, 89_730));
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
