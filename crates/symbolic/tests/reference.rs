//! Evaluation agrees with Java, whatever was folded and rewritten on the way.

use crate::common::{
    Declared, Generator, Mix, assignment, build, build_test, from_const, java, java_test, to_const,
};
use evergreen_symbolic::{Const, Exprs, Input, InputKind, Ints, Kind};
use evergreen_testing::random::Random;

fn inputs(random: &mut Random, mix: Mix) -> Vec<Declared> {
    use InputKind::*;
    let kinds = [Int, Int, Long, Byte, Char, Short, Boolean, Octet, Octet, Float, Double];
    let most = if mix == Mix::All { 11 } else { 9 };
    (0..4)
        .map(|_| {
            let kind = kinds[random.below(most)];
            let ranges = [None, Some((0, 9)), Some((-5, 300)), Some((i64::from(i32::MAX) - 4, i64::MAX))];
            let range = *random.choose(&ranges);
            let clipped = range.map(|(lo, hi)| (lo.max(kind.range().0), hi.min(kind.range().1)));
            (kind, clipped.filter(|(lo, hi)| lo <= hi && kind.kind().is_int()))
        })
        .collect()
}

fn compare(mix: Mix, seed: u64) -> usize {
    let (mut constants, mut decided) = (0, 0);
    for round in 0..20_000 {
        let mut random = Random::for_index(seed, round);
        let inputs = inputs(&mut random, mix);
        let mut generator = Generator { random, inputs, mix };
        let mut exprs = Exprs::new(Ints::Wrapped);
        let symbols = generator.declare(&mut exprs);
        let kinds: &[Kind] = if mix == Mix::All {
            &[Kind::I32, Kind::I64, Kind::F32, Kind::F64]
        } else {
            &[Kind::I32, Kind::I64]
        };
        let kind = *generator.random.choose(kinds);
        let tree = generator.tree(kind, 4);
        let test = generator.test(3);
        let expr = build(&mut exprs, &symbols, &tree);
        let cond = build_test(&mut exprs, &symbols, &test);
        constants += usize::from(cond.as_bool().is_some());
        let mut tried = Vec::new();
        for _ in 0..12 {
            let declared = generator.inputs.clone();
            let values: Vec<Const> = declared.into_iter().map(|d| generator.value(d)).collect();
            let typed: Vec<_> = values.iter().map(|v| from_const(*v)).collect();
            let under = assignment(&exprs, &symbols, &values);
            let expected = to_const(java(&tree, &typed));
            let got = exprs.eval(expr, &under);
            assert_eq!(got, expected, "round {round}: {tree:?}\n= {}\nunder {typed:?}", exprs.show(expr));
            let (lo, hi) = exprs.interval(expr);
            let raw = match got {
                Const::I32(v) => i64::from(v),
                Const::I64(v) => v,
                _ => lo,
            };
            assert!(
                lo <= raw && raw <= hi,
                "round {round}: {raw} is not in {lo}..{hi}: {}",
                exprs.show(expr)
            );
            let expected = java_test(&test, &typed);
            assert_eq!(
                exprs.holds(cond, &under),
                expected,
                "round {round}: {test:?}\n= {}\nunder {typed:?}",
                exprs.show(cond)
            );
            tried.push((under, expected));
        }
        let other = generator.test(1);
        let other = build_test(&mut exprs, &symbols, &other);
        for (a, b) in [(cond, other), (cond, other.negated()), (cond.negated(), other)] {
            let both = |under| exprs.holds(a, under) && exprs.holds(b, under);
            assert!(!exprs.exclude(a, b) || !tried.iter().any(|(under, _)| both(under)), "round {round}");
        }
        // Whatever some of the values have in common, their intervals say nothing else.
        let few = &tried[..1 + (round % 4) as usize];
        let interval = |input: Input| {
            let all = few.iter().map(|(under, _)| under.integer(&exprs, input));
            exprs.input_of(input).kind.kind().is_int().then(|| (all.clone().min(), all.max()))
        };
        let interval = |input: Input| interval(input).and_then(|(least, most)| Some((least?, most?)));
        if let Some(said) = exprs.decided_within(cond, &interval) {
            decided += usize::from(cond.as_bool().is_none());
            assert!(few.iter().all(|(_, holds)| *holds == said), "round {round}: {}", exprs.show(cond));
        }
    }
    assert!(mix == Mix::All || decided > 2000, "intervals decided only {decided} conditions");
    constants
}

#[test]
fn integers_are_those_of_java() {
    let constants = compare(Mix::Integers, 1);
    assert!(constants > 20, "intervals decided only {constants} conditions: the test is blind");
}

#[test]
fn linear_integers_are_those_of_java() {
    compare(Mix::Linear, 2);
}

#[test]
fn floats_are_those_of_java() {
    compare(Mix::All, 3);
}
