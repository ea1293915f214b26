//! A solver's verdict on a writing agrees with brute force on the condition, in both theories; and the native
//! core decides linear conditions without any solver.

use crate::common::{Generator, Mix, assignment, build_test};
use evergreen::{Evergreen, Question, Reuse, Verdict};
use evergreen_symbolic::{
    Assignment, Binary, Cond, Const, Expr, Exprs, InputKind, Ints, Kind, Rel, Theory, Writer,
};
use evergreen_testing::random::Random;

fn library(native: bool) -> Evergreen {
    evergreen_testing::tools::put_on_path();
    let reuse = if native { Reuse::Full } else { Reuse::Exact };
    Evergreen::builder()
        .store("memory:")
        .solver("z3")
        .reuse(reuse)
        .native(native)
        .build()
        .expect("z3 is there")
}

/// The solver's verdict on a condition, with the inputs that it found.
fn solve(evergreen: &mut Evergreen, exprs: &Exprs, theory: Theory, cond: Cond) -> Option<Option<Assignment>> {
    let mut writer = Writer::new(theory);
    let written = writer.write(exprs, evergreen.terms(), cond)?.to_vec();
    let answer = evergreen.check(&written, Question::Model).expect("an answer");
    match answer.verdict {
        Verdict::Unsat => Some(None),
        Verdict::Sat => {
            let mut found = Assignment::new();
            let model = answer.model.expect("a model was asked for");
            assert!(writer.read(exprs, evergreen.terms(), &model, &mut found));
            Some(Some(found))
        }
        Verdict::Unknown(reason) => panic!("unknown: {reason:?}: {}", exprs.show(cond)),
    }
}

/// All assignments of inputs with small ranges.
fn all(generator: &Generator) -> Vec<Vec<Const>> {
    let mut rows = vec![Vec::new()];
    for (kind, range) in &generator.inputs {
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

/// Random conditions over inputs whose ranges are small and often at the ends of the type.
fn agree(mix: Mix, theories: &[Theory], seed: u64, rounds: u64) -> (u64, u64) {
    use InputKind::*;
    let (max, min) = (i64::from(i32::MAX), i64::from(i32::MIN));
    let declared = [
        (Int, (-3, 4)),
        (Int, (max - 5, max)),
        (Int, (min, min + 5)),
        (Int, (0, 9)),
        (Long, (i64::MAX - 4, i64::MAX)),
        (Long, (-4, 4)),
        (Byte, (120, 127)),
        (Char, (0, 5)),
        (Boolean, (0, 1)),
        (Octet, (46, 53)),
        (Octet, (249, 255)),
        (Octet, (0, 6)),
    ];
    let mut library = library(false);
    let (mut sat, mut unsat) = (0, 0);
    let mut round = 0;
    while sat + unsat < rounds {
        round += 1;
        let mut random = Random::for_index(seed, round);
        let inputs =
            (0..3).map(|_| *random.choose(&declared)).map(|(kind, range)| (kind, Some(range))).collect();
        let mut generator = Generator { random, inputs, mix };
        let mut exprs = Exprs::new(Ints::Wrapped);
        let symbols = generator.declare(&mut exprs);
        let test = generator.test(2);
        let mut cond = build_test(&mut exprs, &symbols, &test);
        // Most random conditions hold somewhere; with more of them, fewer do.
        for _ in 0..generator.random.below(3) {
            let more = generator.test(2);
            let more = build_test(&mut exprs, &symbols, &more);
            cond = exprs.and(cond, more);
        }
        if cond.as_bool().is_some() {
            continue;
        }
        let possible =
            all(&generator).iter().any(|values| exprs.holds(cond, &assignment(&exprs, &symbols, values)));
        let mut asked = false;
        for theory in theories {
            let Some(answer) = solve(&mut library, &exprs, *theory, cond) else { continue };
            asked = true;
            assert_eq!(answer.is_some(), possible, "round {round}, {theory:?}: {}", exprs.show(cond));
            if let Some(found) = answer {
                assert!(
                    exprs.holds(cond, &found),
                    "round {round}, {theory:?}: {} {found:?}",
                    exprs.show(cond)
                );
            }
        }
        if asked {
            *(if possible { &mut sat } else { &mut unsat }) += 1;
        }
    }
    (sat, unsat)
}

#[test]
fn both_theories_agree_with_brute_force() {
    let (sat, unsat) = agree(Mix::Linear, &[Theory::Ints, Theory::Bits], 21, 350);
    assert!(sat > 50 && unsat > 50, "one-sided: {sat} sat, {unsat} unsat");
}

#[test]
fn bit_vectors_agree_with_brute_force() {
    let (sat, unsat) = agree(Mix::Integers, &[Theory::Bits], 22, 300);
    assert!(sat > 20 && unsat > 20, "one-sided: {sat} sat, {unsat} unsat");
}

/// All floats are too many to enumerate: a condition that some values satisfy is never
/// unsat, and every model holds.
#[test]
fn floating_point_agrees_with_random_values() {
    use InputKind::*;
    let mut library = library(false);
    let (mut sat, mut unsat) = (0, 0);
    for round in 0..160 {
        let random = Random::for_index(23, round);
        let inputs = vec![(Float, None), (Double, None), (Int, Some((-9, 9)))];
        let mut generator = Generator { random, inputs, mix: Mix::All };
        let mut exprs = Exprs::new(Ints::Wrapped);
        let symbols = generator.declare(&mut exprs);
        let test = generator.test(1);
        let cond = build_test(&mut exprs, &symbols, &test);
        // Products, quotients and roots of doubles take z3 seconds.
        let text = exprs.show(cond);
        let slow = ["*", "/", "sqrt", "%"].iter().any(|op| text.contains(op));
        if cond.as_bool().is_some() || slow || !exprs.is_hard(cond) {
            continue;
        }
        let satisfied = (0..50).any(|_| {
            let declared = generator.inputs.clone();
            let values: Vec<Const> = declared.into_iter().map(|d| generator.value(d)).collect();
            exprs.holds(cond, &assignment(&exprs, &symbols, &values))
        });
        assert!(solve(&mut library, &exprs, Theory::Ints, cond).is_none(), "{text}");
        match solve(&mut library, &exprs, Theory::Bits, cond) {
            Some(Some(found)) => {
                assert!(exprs.holds(cond, &found), "round {round}: {text} {found:?}");
                sat += 1;
            }
            Some(None) => {
                assert!(!satisfied, "round {round}: {text} can hold");
                unsat += 1;
            }
            None => panic!("{text} was not written"),
        }
    }
    assert!(sat > 15 && unsat > 1, "one-sided: {sat} sat, {unsat} unsat");
}

/// `Exprs` with two ints and a constant.
fn ints() -> (Exprs, Expr, Expr, impl Fn(&mut Exprs, i32) -> Expr) {
    let mut exprs = Exprs::new(Ints::Wrapped);
    let x = exprs.input("x", InputKind::Int, None);
    let y = exprs.input("y", InputKind::Int, None);
    (exprs, x, y, |exprs: &mut Exprs, value: i32| exprs.constant(Const::I32(value)))
}

/// All values of x under which the condition can hold, found by excluding one after the other.
fn solutions(exprs: &mut Exprs, theory: Theory, cond: Cond, x: Expr) -> Vec<i32> {
    let mut library = library(true);
    let (mut open, mut found) = (cond, Vec::new());
    while let Some(Some(model)) = solve(&mut library, exprs, theory, open) {
        assert!(exprs.holds(cond, &model));
        let Const::I32(value) = exprs.eval(x, &model) else { panic!("an int") };
        found.push(value);
        assert!(found.len() < 10, "too many solutions: {found:?}");
        let other = exprs.constant(Const::I32(value));
        let other = exprs.relate(Rel::Ne, x, other);
        open = exprs.and(open, other);
    }
    found.sort_unstable();
    found
}

#[test]
fn wraps_have_exactly_their_solutions() {
    for theory in [Theory::Ints, Theory::Bits] {
        let (mut exprs, x, _, int) = ints();
        let one = int(&mut exprs, 1);
        let next = exprs.binary(Binary::Add, x, one);
        let smaller = exprs.relate(Rel::Lt, next, x);
        assert_eq!(solutions(&mut exprs, theory, smaller, x), [i32::MAX]);

        let two = int(&mut exprs, 2);
        let twice = exprs.binary(Binary::Mul, x, two);
        let minus_two = int(&mut exprs, -2);
        let same = exprs.relate(Rel::Eq, twice, minus_two);
        assert_eq!(solutions(&mut exprs, theory, same, x), [-1, i32::MAX]);

        // Math.abs(x) < 0
        let zero = int(&mut exprs, 0);
        let negative = exprs.relate(Rel::Lt, x, zero);
        let minus = exprs.neg(x);
        let abs = exprs.ite(negative, minus, x);
        let wrong = exprs.relate(Rel::Lt, abs, zero);
        assert_eq!(solutions(&mut exprs, theory, wrong, x), [i32::MIN]);

        // x % 7 == -6 && x / 7 == -3
        let seven = int(&mut exprs, 7);
        let (rest, quotient) = (exprs.binary(Binary::Rem, x, seven), exprs.binary(Binary::Div, x, seven));
        let (six, three) = (int(&mut exprs, -6), int(&mut exprs, -3));
        let (a, b) = (exprs.relate(Rel::Eq, rest, six), exprs.relate(Rel::Eq, quotient, three));
        let both = exprs.and(a, b);
        assert_eq!(solutions(&mut exprs, theory, both, x), [-27]);

        // x >>> 28 == 15 && (x & 0xfffffff) == 5
        let shift = int(&mut exprs, 28);
        let (high, fifteen) = (exprs.binary(Binary::Ushr, x, shift), int(&mut exprs, 15));
        let (mask, five) = (int(&mut exprs, 0x0fff_ffff), int(&mut exprs, 5));
        let low = exprs.binary(Binary::And, x, mask);
        let (a, b) = (exprs.relate(Rel::Eq, high, fifteen), exprs.relate(Rel::Eq, low, five));
        let both = exprs.and(a, b);
        assert_eq!(solutions(&mut exprs, theory, both, x), [0xf000_0005_u32 as i32]);
    }
}

#[test]
fn longs_and_low_bits_of_sums_need_no_solver() {
    let mut exprs = Exprs::new(Ints::Wrapped);
    let (a, b) = (exprs.input("a", InputKind::Long, None), exprs.input("b", InputKind::Long, None));
    let (x, y) = (exprs.input("x", InputKind::Int, None), exprs.input("y", InputKind::Int, None));
    let hundred = exprs.constant(Const::I64(100));
    let (mask, five) = (exprs.constant(Const::I32(255)), exprs.constant(Const::I32(5)));
    let sum = exprs.binary(Binary::Add, x, y);
    let low = exprs.binary(Binary::And, sum, mask);
    let wide = exprs.cast(evergreen_symbolic::Cast::I2L, x);
    let conditions = [
        exprs.relate(Rel::Lt, a, b),
        exprs.relate(Rel::Gt, a, hundred),
        exprs.relate(Rel::Eq, low, five),
        exprs.relate(Rel::Gt, wide, b),
        exprs.relate(Rel::Eq, a, b).negated(),
        exprs.relate(Rel::Le, b, hundred),
    ];
    let mut library = library(true);
    let mut all = Cond::TRUE;
    let verdicts = conditions.map(|cond| {
        let both = exprs.and(all, cond);
        let found = solve(&mut library, &exprs, Theory::Ints, both).expect("linear");
        if let Some(found) = &found {
            assert!(exprs.holds(both, found));
            all = both;
        }
        found.is_some()
    });
    assert_eq!(verdicts, [true, true, true, true, true, false]);
    assert_eq!(library.stats().solved, 0, "a solver was asked");
    // One quotient for the low bits, none for the wrap of the sum.
    let mut writer = Writer::new(Theory::Ints);
    let parts = writer.write_parts(&exprs, library.terms(), conditions[2]).expect("linear");
    assert_eq!((parts.ranges.len(), parts.definitions.len()), (4, 2));
}

/// The linear branches of a path, each asked and taken.
#[test]
fn the_native_core_decides_what_is_linear() {
    let (mut exprs, x, y, int) = ints();
    let (one, seven, ten, hundred) =
        (int(&mut exprs, 1), int(&mut exprs, 7), int(&mut exprs, 10), int(&mut exprs, 100));
    let sum = exprs.binary(Binary::Add, x, y);
    let next = exprs.binary(Binary::Add, x, one);
    let quotient = exprs.binary(Binary::Div, y, seven);
    let digit = exprs.binary(Binary::Rem, sum, ten);
    let conditions = [
        exprs.relate(Rel::Lt, x, y),
        exprs.relate(Rel::Lt, sum, x),
        exprs.relate(Rel::Ne, next, y),
        exprs.relate(Rel::Gt, quotient, hundred),
        exprs.relate(Rel::Eq, digit, seven),
        exprs.relate(Rel::Lt, y, x),
    ];
    let mut library = library(true);
    let mut writer = Writer::new(Theory::Ints);
    let mut verdicts = Vec::new();
    for cond in conditions {
        for arm in [cond, cond.negated()] {
            assert!(!exprs.is_hard(arm));
            let written = writer.write(&exprs, library.terms(), arm).expect("linear").to_vec();
            let (condition, definitions) = written.split_last().expect("a condition");
            let depth = library.depth();
            for definition in definitions {
                library.push_feasible(&[*definition]).unwrap();
            }
            let answer = library.branch(*condition, Question::Model).expect("an answer");
            verdicts.push(answer.verdict == Verdict::Sat);
            if arm == cond && answer.verdict == Verdict::Sat {
                library.push(*condition).unwrap();
                let mut found = Assignment::new();
                assert!(writer.read(&exprs, library.terms(), &answer.model.expect("a model"), &mut found));
                assert!(exprs.holds(cond, &found), "{}", exprs.show(cond));
                break;
            }
            while library.depth() > depth {
                library.pop();
            }
        }
    }
    // y > 700 makes the smaller sum a wrapped one, which is negative: it has no last digit 7.
    assert_eq!(verdicts, [true, true, true, true, false, true, false, true]);
    assert_eq!(library.stats().solved, 0, "a solver was asked");
}
