//! Unbounded integers: sums and products never wrap, and integers say products and quotients too.

use crate::common;

use crate::common::{Generator, Mix, Test, Tree, V, assignment, build_test};
use evergreen::{Evergreen, Question, Verdict};
use evergreen_symbolic::{Assignment, Binary, Cond, Const, Exprs, InputKind, Ints, Rel, Theory, Writer};
use evergreen_testing::random::Random;

fn library() -> Evergreen {
    evergreen_testing::tools::put_on_path();
    Evergreen::builder().store("memory:").solver("z3").build().expect("z3 is there")
}

fn solve(library: &mut Evergreen, exprs: &Exprs, cond: Cond) -> Option<Assignment> {
    let mut writer = Writer::new(Theory::Ints);
    let written = writer.write(exprs, library.terms(), cond).expect("integers can say it").to_vec();
    let answer = library.check(&written, Question::Model).expect("an answer");
    match answer.verdict {
        Verdict::Sat => {
            let mut found = Assignment::new();
            let model = answer.model.expect("a model was asked for");
            assert!(writer.read(exprs, library.terms(), &model, &mut found));
            Some(found)
        }
        Verdict::Unsat => None,
        Verdict::Unknown(reason) => panic!("unknown: {reason:?}"),
    }
}

#[test]
fn nothing_overflows() {
    let mut exprs = Exprs::new(Ints::Math);
    let x = exprs.input("x", InputKind::Int, None);
    let one = exprs.constant(Const::I32(1));
    let next = exprs.binary(Binary::Add, x, one);
    assert_eq!(exprs.relate(Rel::Lt, next, x), Cond::FALSE);
    let most = exprs.constant(Const::I32(i32::MAX));
    let beyond = exprs.relate(Rel::Gt, x, most);
    let found = solve(&mut library(), &exprs, beyond).expect("there are larger integers");
    assert!(exprs.holds(beyond, &found));
    let mut writer = Writer::new(Theory::Ints);
    let mut terms = evergreen_term::Terms::new();
    let parts = writer.write_parts(&exprs, &mut terms, beyond).expect("linear");
    assert_eq!((parts.ranges.len(), parts.definitions.len()), (0, 0));
}

#[test]
fn products_and_quotients_are_integers() {
    let mut exprs = Exprs::new(Ints::Math);
    let (x, y) = (exprs.input("x", InputKind::Int, None), exprs.input("y", InputKind::Int, None));
    let [two, twelve, five] = [2, 12, -5].map(|v| exprs.constant(Const::I32(v)));
    let product = exprs.binary(Binary::Mul, x, y);
    let cond =
        [exprs.relate(Rel::Eq, product, twelve), exprs.relate(Rel::Gt, x, two), exprs.relate(Rel::Lt, x, y)];
    let cond = cond.into_iter().fold(Cond::TRUE, |all, more| exprs.and(all, more));
    assert!(!exprs.is_hard(cond));
    let found = solve(&mut library(), &exprs, cond).expect("3 * 4");
    assert_eq!((exprs.eval(x, &found), exprs.eval(y, &found)), (Const::I32(3), Const::I32(4)));
    // -5 / 2 and -5 % 2 round towards zero, as in Java.
    let quotient = exprs.binary(Binary::Div, x, y);
    let rest = exprs.binary(Binary::Rem, x, y);
    for (expr, wrong) in [(quotient, -3), (rest, 1)] {
        let wrong = exprs.constant(Const::I32(wrong));
        let cond = [
            exprs.relate(Rel::Eq, x, five),
            exprs.relate(Rel::Eq, y, two),
            exprs.relate(Rel::Eq, expr, wrong),
        ];
        let cond = cond.into_iter().fold(Cond::TRUE, |all, more| exprs.and(all, more));
        assert!(solve(&mut library(), &exprs, cond).is_none());
    }
}

/// Whether a tree has only what never wraps for the small values of this test.
fn stays_small(tree: &Tree) -> bool {
    match tree {
        Tree::Input(_) => true,
        Tree::Const(V::I(v)) => v.unsigned_abs() < 300,
        Tree::Const(V::L(v)) => v.unsigned_abs() < 300,
        Tree::Binary(Binary::Ushr | Binary::Shl | Binary::Udiv | Binary::Urem, ..) | Tree::Const(_) => false,
        // They have a width.
        Tree::ZeroExtend(_) | Tree::Concat(..) | Tree::Byte(..) | Tree::Unary(..) => false,
        Tree::Binary(_, a, b) | Tree::Compare(_, a, b) => stays_small(a) && stays_small(b),
        Tree::Neg(a) | Tree::Cast(_, a) | Tree::Select(_, a) | Tree::Table(_, _, a) => stays_small(a),
        Tree::Ite(test, a, b) => test_stays_small(test) && stays_small(a) && stays_small(b),
    }
}

fn test_stays_small(test: &Test) -> bool {
    match test {
        Test::Rel(_, a, b) => stays_small(a) && stays_small(b),
        Test::Unsigned(..) => false,
        Test::Not(a) => test_stays_small(a),
        Test::And(a, b) | Test::Or(a, b) => test_stays_small(a) && test_stays_small(b),
    }
}

#[test]
fn small_values_are_as_in_java_and_as_brute_force_says() {
    let mut library = library();
    let (mut sat, mut unsat, mut round) = (0, 0, 0);
    while sat + unsat < 240 {
        round += 1;
        let random = Random::for_index(31, round);
        let inputs = vec![(InputKind::Int, Some((-4, 4))), (InputKind::Long, Some((0, 6)))];
        let mut generator = Generator { random, inputs, mix: Mix::Linear };
        // Most random conditions hold somewhere; with more of them, fewer do.
        let mut test = generator.test(2);
        for _ in 0..generator.random.below(8) {
            test = Test::And(Box::new(test), Box::new(generator.test(1)));
        }
        if !test_stays_small(&test) {
            continue;
        }
        let mut exprs = Exprs::new(Ints::Math);
        let symbols = generator.declare(&mut exprs);
        let cond = build_test(&mut exprs, &symbols, &test);
        if cond.as_bool().is_some() || exprs.is_hard(cond) {
            continue;
        }
        let mut possible = false;
        for a in -4..=4 {
            for b in 0..=6 {
                let under = assignment(&exprs, &symbols, &[Const::I32(a), Const::I64(b)]);
                let expected = common::java_test(&test, &[V::I(a), V::L(b)]);
                assert_eq!(exprs.holds(cond, &under), expected, "{} under {a}, {b}", exprs.show(cond));
                possible |= expected;
            }
        }
        let found = solve(&mut library, &exprs, cond);
        assert_eq!(found.is_some(), possible, "round {round}: {}", exprs.show(cond));
        assert!(found.is_none_or(|found| exprs.holds(cond, &found)), "round {round}: {}", exprs.show(cond));
        *(if possible { &mut sat } else { &mut unsat }) += 1;
    }
    assert!(sat > 15 && unsat > 15, "one-sided: {sat} sat, {unsat} unsat");
}
