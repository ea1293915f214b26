//! Bounds of a path hold for everything that satisfies it, and a condition written under them
//! is equivalent on the path.

use crate::common::{Declared, Generator, Mix, assignment, build_test};
use evergreen::{Evergreen, Question, Verdict};
use evergreen_symbolic::{
    Assignment, Binary, Bounds, Cond, Const, Expr, Exprs, InputKind, Ints, Kind, Rel, Theory, Writer,
};
use evergreen_testing::random::Random;

fn library() -> Evergreen {
    evergreen_testing::tools::put_on_path();
    Evergreen::builder().store("memory:").solver("z3").build().expect("z3 is there")
}

/// All assignments of inputs with small ranges.
fn all(inputs: &[Declared]) -> Vec<Vec<Const>> {
    let mut rows = vec![Vec::new()];
    for (kind, range) in inputs {
        let (lo, hi) = range.unwrap_or(kind.range());
        let values: Vec<Const> = (lo..=hi)
            .map(|v| if kind.kind() == Kind::I64 { Const::I64(v) } else { Const::I32(v as i32) })
            .collect();
        rows = rows
            .iter()
            .flat_map(|row| values.iter().map(move |v| [row.as_slice(), &[*v]].concat()))
            .collect();
    }
    rows
}

/// An input compared with a constant near one end of its range.
fn near_an_end(exprs: &mut Exprs, random: &mut Random, symbols: &[Expr]) -> Cond {
    let x = *random.choose(symbols);
    let (lo, hi) = exprs.interval(x);
    let by = random.between(0, 2);
    let near = if random.one_in(2) { lo + by } else { hi - by };
    let near = match exprs.kind(x) {
        Kind::I32 => Const::I32(near as i32),
        _ => Const::I64(near),
    };
    let near = exprs.constant(near);
    let rel = *random.choose(&[Rel::Lt, Rel::Gt, Rel::Le, Rel::Ge, Rel::Ne, Rel::Eq]);
    exprs.relate(rel, x, near)
}

/// Random paths: first comparisons of inputs, then conditions that are written under what those say.
#[test]
fn paths_under_bounds_agree_with_brute_force() {
    use InputKind::*;
    let max = i64::from(i32::MAX);
    let declared = [
        (Int, (max - 12, max)),
        (Int, (-6, 6)),
        (Int, (-40, 3)),
        (Long, (i64::MAX - 8, i64::MAX)),
        (Byte, (-9, 9)),
    ];
    let mut library = library();
    let (mut sat, mut unsat, mut simpler) = (0, 0, 0);
    for round in 0..400 {
        let mut random = Random::for_index(41, round);
        let inputs: Vec<Declared> =
            (0..2).map(|_| *random.choose(&declared)).map(|(kind, range)| (kind, Some(range))).collect();
        let mut generator = Generator { random, inputs, mix: Mix::Linear };
        let mut exprs = Exprs::new(Ints::Wrapped);
        let symbols = generator.declare(&mut exprs);
        let mut possible = all(&generator.inputs);
        let mut writer = Writer::new(Theory::Ints);
        let (mut bounds, mut path) = (Bounds::new(), Vec::new());
        for step in 0..6 {
            let cond = if step < 3 {
                near_an_end(&mut exprs, &mut generator.random, &symbols)
            } else {
                let test = generator.test(2);
                build_test(&mut exprs, &symbols, &test)
            };
            if cond.as_bool().is_some() || exprs.is_hard(cond) {
                continue;
            }
            let remaining: Vec<Vec<Const>> = possible
                .iter()
                .filter(|values| exprs.holds(cond, &assignment(&exprs, &symbols, values)))
                .cloned()
                .collect();
            // The other arm was tried before: its bounds are forgotten.
            let before = bounds.mark();
            bounds.learn(&exprs, cond.negated());
            bounds.undo(before);
            match bounds.decide(&exprs, cond) {
                Some(true) => assert_eq!(remaining.len(), possible.len(), "{}", exprs.show(cond)),
                Some(false) => assert_eq!(remaining.len(), 0, "{}", exprs.show(cond)),
                None => {}
            }
            let plain = writer.write(&exprs, library.terms(), cond).expect("linear").len();
            let written =
                writer.write_under(&exprs, library.terms(), cond, &bounds).expect("linear").to_vec();
            simpler += u64::from(written.len() < plain);
            let query = [path.as_slice(), &written].concat();
            let answer = library.check(&query, Question::Model).expect("an answer");
            let text = exprs.show(cond);
            match answer.verdict {
                Verdict::Sat => {
                    assert!(!remaining.is_empty(), "round {round}: {text}");
                    let mut found = Assignment::new();
                    let model = answer.model.expect("a model was asked for");
                    assert!(writer.read(&exprs, library.terms(), &model, &mut found));
                    assert!(exprs.holds(cond, &found), "round {round}: {text} {found:?}");
                    sat += 1;
                }
                Verdict::Unsat => {
                    assert!(remaining.is_empty(), "round {round}: {text}");
                    unsat += 1;
                    continue;
                }
                Verdict::Unknown(reason) => panic!("unknown: {reason:?}"),
            }
            path = query;
            possible = remaining;
            bounds.learn(&exprs, cond);
        }
    }
    assert!(sat > 200 && unsat > 50 && simpler > 50, "{sat} sat, {unsat} unsat, {simpler} simpler");
}

fn int(exprs: &mut Exprs, value: i32) -> Expr {
    exprs.constant(Const::I32(value))
}

#[test]
fn what_a_path_has_checked_does_not_wrap() {
    let mut exprs = Exprs::new(Ints::Wrapped);
    let (year, other) =
        (exprs.input("year", InputKind::Int, None), exprs.input("other", InputKind::Int, None));
    let [one, most, days, four, hundred] = [1, 9999, 365, 4, 100].map(|v| int(&mut exprs, v));
    let product = exprs.binary(Binary::Mul, year, days);
    let quotient = exprs.binary(Binary::Div, year, four);
    let sum = exprs.binary(Binary::Add, product, quotient);
    let cond = exprs.relate(Rel::Lt, sum, hundred);
    let mut terms = evergreen_term::Terms::new();
    let mut writer = Writer::new(Theory::Ints);
    let plain = writer.write(&exprs, &mut terms, cond).expect("linear").len();
    // Two ranges, the sign, the quotient and the wrap with two each, and the condition.
    assert_eq!(plain, 9);
    let mut bounds = Bounds::new();
    let lower = exprs.relate(Rel::Ge, year, one);
    // At most as much as something that is at most 9999.
    let (below, upper) = (exprs.relate(Rel::Le, year, other), exprs.relate(Rel::Le, other, most));
    let start = bounds.mark();
    for known in [lower, upper, below] {
        assert_eq!(bounds.decide(&exprs, known), None);
        bounds.learn(&exprs, known);
        assert_eq!(bounds.decide(&exprs, known), Some(true).filter(|_| known != below));
    }
    let bounded = writer.write_under(&exprs, &mut terms, cond, &bounds).expect("linear").len();
    assert_eq!(bounded, 5);
    let far = int(&mut exprs, 10_000_000);
    let never = exprs.relate(Rel::Gt, sum, far);
    assert_eq!(bounds.decide(&exprs, never), Some(false));
    bounds.undo(start);
    assert!(bounds.is_empty());
    assert_eq!(bounds.decide(&exprs, never), None);
    assert_eq!(writer.write_under(&exprs, &mut terms, cond, &bounds).expect("linear").len(), plain);
}

#[test]
fn an_impossible_path_says_nothing_wrong_and_long_ones_are_learnt() {
    let mut exprs = Exprs::new(Ints::Wrapped);
    let x = exprs.input("x", InputKind::Int, None);
    let (five, nine) = (int(&mut exprs, 5), int(&mut exprs, 9));
    let (low, high) = (exprs.relate(Rel::Lt, x, five), exprs.relate(Rel::Gt, x, nine));
    let mut bounds = Bounds::new();
    bounds.learn(&exprs, low);
    bounds.learn(&exprs, high);
    assert_eq!(bounds.decide(&exprs, high), Some(false));
    let mut all = Cond::TRUE;
    for i in 0..100_000 {
        let i = int(&mut exprs, i);
        let other = exprs.relate(Rel::Ne, x, i);
        all = exprs.and(all, other);
    }
    Bounds::new().learn(&exprs, all);
}
