//! Decisions by intervals are right, for every value of small ranges; and intervals decide
//! the cases that they should.

use evergreen_symbolic::{
    Assignment, Binary, Cast, Compare, Cond, Const, Expr, Exprs, InputKind, Ints, Kind, Rel, Unary,
};

const RELATIONS: [Rel; 6] = [Rel::Eq, Rel::Ne, Rel::Lt, Rel::Ge, Rel::Gt, Rel::Le];
const OPERATIONS: [Binary; 15] = [
    Binary::Add,
    Binary::Sub,
    Binary::Mul,
    Binary::Div,
    Binary::Rem,
    Binary::And,
    Binary::Or,
    Binary::Xor,
    Binary::Shl,
    Binary::Shr,
    Binary::Ushr,
    Binary::Udiv,
    Binary::Urem,
    Binary::Min,
    Binary::Max,
];

fn int(exprs: &mut Exprs, value: i32) -> Expr {
    exprs.constant(Const::I32(value))
}

fn value(exprs: &Exprs, expr: Expr, under: &Assignment) -> i64 {
    match exprs.eval(expr, under) {
        Const::I32(v) => i64::from(v),
        Const::I64(v) => v,
        other => panic!("not an integer: {other:?}"),
    }
}

fn is_division(op: Binary) -> bool {
    matches!(op, Binary::Div | Binary::Rem | Binary::Udiv | Binary::Urem)
}

fn under(exprs: &Exprs, pairs: &[(Expr, i64)]) -> Assignment {
    let mut all = Assignment::new();
    for (expr, value) in pairs {
        let constant = match exprs.kind(*expr) {
            Kind::I32 => Const::I32(*value as i32),
            _ => Const::I64(*value),
        };
        all.set(exprs, exprs.as_input(*expr).expect("an input"), constant);
    }
    all
}

/// Every operation on every pair of values of two ranges, against the interval of the result and the
/// relations of it with each of its arguments.
fn exhaust(kind: InputKind, a: (i64, i64), b: (i64, i64)) {
    let mut exprs = Exprs::new(Ints::Wrapped);
    let x = exprs.input("x", kind, Some(a));
    let y = exprs.input("y", kind, Some(b));
    let count = if kind == InputKind::Long { exprs.cast(Cast::L2I, y) } else { y };
    let results: Vec<(Binary, Expr)> = OPERATIONS
        .into_iter()
        .map(|op| (op, exprs.binary(op, x, if op.is_shift() { count } else { y })))
        .collect();
    let related: Vec<(Rel, Expr, Expr, Cond)> = results
        .iter()
        .flat_map(|(_, result)| RELATIONS.map(|rel| (rel, *result, x)))
        .map(|(rel, a, b)| (rel, a, b, exprs.relate(rel, a, b)))
        .collect();
    for i in a.0..=a.1 {
        for j in b.0..=b.1 {
            let under = under(&exprs, &[(x, i), (y, j)]);
            for (op, result) in &results {
                let (lo, hi) = exprs.interval(*result);
                let value = value(&exprs, *result, &under);
                let zero = j == 0 && is_division(*op);
                assert!(zero || (lo..=hi).contains(&value), "{i} {op:?} {j} = {value}, not in {lo}..{hi}");
            }
            for (rel, a, b, cond) in &related {
                let expected = rel.holds(value(&exprs, *a, &under), value(&exprs, *b, &under));
                let zero = j == 0 && cond.as_bool().is_some();
                assert!(zero || exprs.holds(*cond, &under) == expected, "{}", exprs.show(*cond));
            }
        }
    }
}

#[test]
fn intervals_hold_for_all_values_of_small_ranges() {
    let ranges = |min: i64, max: i64| {
        vec![(-128, 127), (0, 40), (3, 9), (-20, -1), (-5, 0), (min, min + 9), (max - 9, max), (7, 7)]
    };
    let ints = ranges(i64::from(i32::MIN), i64::from(i32::MAX));
    let longs = ranges(i64::MIN, i64::MAX);
    for (kind, ranges) in [(InputKind::Int, ints), (InputKind::Long, longs)] {
        for a in &ranges {
            for b in &ranges {
                exhaust(kind, *a, *b);
            }
        }
    }
}

#[test]
fn masks_casts_and_shifts_by_constants_hold_for_all_bytes() {
    let mut exprs = Exprs::new(Ints::Wrapped);
    let x = exprs.input("x", InputKind::Byte, None);
    let far = int(&mut exprs, 70_000);
    let scaled = exprs.binary(Binary::Mul, x, far);
    let constants =
        [-129, -128, -7, -1, 0, 1, 2, 5, 7, 10, 31, 32, 100, 127, 128, 170, 255, i32::MIN, i32::MAX];
    let mut all = Vec::new();
    for argument in [x, scaled] {
        for op in OPERATIONS {
            for constant in constants {
                if constant == 0 && is_division(op) {
                    continue;
                }
                let right = int(&mut exprs, constant);
                all.push((op, argument, constant, exprs.binary(op, argument, right)));
            }
        }
    }
    for v in -128..128i32 {
        let under = under(&exprs, &[(x, i64::from(v))]);
        for &(op, argument, c, result) in &all {
            let a = if argument == x { v } else { v.wrapping_mul(70_000) };
            let expected = match op {
                Binary::Add => a.wrapping_add(c),
                Binary::Sub => a.wrapping_sub(c),
                Binary::Mul => a.wrapping_mul(c),
                Binary::Div => a.wrapping_div(c),
                Binary::Rem => a.wrapping_rem(c),
                Binary::And => a & c,
                Binary::Or => a | c,
                Binary::Xor => a ^ c,
                Binary::Shl => a.wrapping_shl(c as u32),
                Binary::Shr => a.wrapping_shr(c as u32),
                Binary::Ushr => (a as u32).wrapping_shr(c as u32) as i32,
                Binary::Udiv => (a as u32 / c as u32) as i32,
                Binary::Urem => (a as u32 % c as u32) as i32,
                Binary::Min => a.min(c),
                Binary::Max => a.max(c),
            };
            let got = value(&exprs, result, &under);
            assert_eq!(got, i64::from(expected), "{a} {op:?} {c}: {}", exprs.show(result));
            let (lo, hi) = exprs.interval(result);
            assert!((lo..=hi).contains(&got), "{a} {op:?} {c} = {got}, not in {lo}..{hi}");
        }
    }
}

fn ints() -> (Exprs, Expr, Expr) {
    let mut exprs = Exprs::new(Ints::Wrapped);
    let x = exprs.input("x", InputKind::Int, None);
    let y = exprs.input("y", InputKind::Int, None);
    (exprs, x, y)
}

/// Overflow checks are comparisons with the sign of bit operations, which integers can say of their sides.
#[test]
fn signs_of_bit_operations_are_those_of_their_sides() {
    let mut exprs = Exprs::new(Ints::Wrapped);
    let x = exprs.input("x", InputKind::Int, Some((-9, 9)));
    let y = exprs.input("y", InputKind::Int, Some((-9, 9)));
    let (zero, minus_one) = (int(&mut exprs, 0), int(&mut exprs, -1));
    for op in [Binary::And, Binary::Or, Binary::Xor] {
        let bits = exprs.binary(op, x, y);
        let negative = exprs.relate(Rel::Lt, bits, zero);
        let not_negative = exprs.relate(Rel::Gt, bits, minus_one);
        assert!(!exprs.is_hard(negative), "{}", exprs.show(negative));
        assert_eq!(not_negative, negative.negated());
        for (i, j) in (-9..=9).flat_map(|i| (-9..=9).map(move |j| (i, j))) {
            let under = under(&exprs, &[(x, i), (y, j)]);
            assert_eq!(exprs.holds(negative, &under), value(&exprs, bits, &under) < 0, "{i} {op:?} {j}");
        }
    }
}

#[test]
fn equal_forms_are_one_expression() {
    let (mut exprs, x, y) = ints();
    let one = int(&mut exprs, 1);
    let sum = exprs.binary(Binary::Add, x, y);
    let back = exprs.binary(Binary::Sub, sum, y);
    assert_eq!(back, x);
    let other = exprs.binary(Binary::Add, y, x);
    assert_eq!(other, sum);
    let next = exprs.binary(Binary::Add, x, one);
    assert_eq!(exprs.binary(Binary::Sub, next, one), x);
    // ~~x, -(-x), x ^ x
    let minus_one = int(&mut exprs, -1);
    let inverted = exprs.binary(Binary::Xor, x, minus_one);
    assert_eq!(exprs.binary(Binary::Xor, inverted, minus_one), x);
    let minus = exprs.neg(x);
    assert_eq!(exprs.neg(minus), x);
    let zero = exprs.binary(Binary::Xor, x, x);
    assert_eq!(exprs.as_const(zero), Some(Const::I32(0)));
    // (int) (long) x, and two bytes put together
    let long = exprs.cast(Cast::I2L, x);
    assert_eq!(exprs.cast(Cast::L2I, long), x);
    let (b, c) = (exprs.input("b", InputKind::Byte, None), exprs.input("c", InputKind::Char, None));
    let sixteen = int(&mut exprs, 16);
    let high = exprs.binary(Binary::Shl, b, sixteen);
    let (both, sum) = (exprs.binary(Binary::Or, high, c), exprs.binary(Binary::Add, high, c));
    assert_eq!(both, sum);
    // A byte of a char of a byte is the byte.
    let char = exprs.cast(Cast::I2C, b);
    assert_eq!(exprs.cast(Cast::I2B, char), b);
    let mask = int(&mut exprs, 255);
    let low = exprs.binary(Binary::And, b, mask);
    assert_eq!(exprs.cast(Cast::I2B, low), b);
}

#[test]
fn conditions_are_decided_and_shared() {
    let (mut exprs, x, y) = ints();
    let (one, ten) = (int(&mut exprs, 1), int(&mut exprs, 10));
    let small = exprs.input("small", InputKind::Int, Some((0, 9)));
    assert_eq!(exprs.relate(Rel::Lt, small, ten), Cond::TRUE);
    assert_eq!(exprs.relate(Rel::Eq, small, ten), Cond::FALSE);
    let next = exprs.binary(Binary::Add, small, one);
    assert_eq!(exprs.relate(Rel::Gt, next, small), Cond::TRUE);
    // Equality does not care for wraps, order does.
    let (x1, y1) = (exprs.binary(Binary::Add, x, one), exprs.binary(Binary::Add, y, one));
    assert_eq!(exprs.relate(Rel::Eq, x1, y1), exprs.relate(Rel::Eq, x, y));
    assert_eq!(exprs.relate(Rel::Eq, y, x), exprs.relate(Rel::Eq, x, y));
    assert_ne!(exprs.relate(Rel::Lt, x1, y1), exprs.relate(Rel::Lt, x, y));
    assert_eq!(exprs.relate(Rel::Eq, x1, x), Cond::FALSE);
    // The arms of a branch are opposites of each other.
    assert_eq!(exprs.relate(Rel::Ge, x, y), exprs.relate(Rel::Lt, x, y).negated());
    assert_eq!(exprs.relate(Rel::Le, x, y), exprs.relate(Rel::Gt, x, y).negated());
    let (below, same) = (exprs.relate(Rel::Lt, x, y), exprs.relate(Rel::Eq, x, y));
    assert_eq!(exprs.or(below, same), exprs.relate(Rel::Le, x, y));
    let (at_most, at_least) = (exprs.relate(Rel::Le, x, y), exprs.relate(Rel::Ge, x, y));
    assert_eq!(exprs.and(at_most, at_least), same);
    let nine = int(&mut exprs, 9);
    assert_eq!(exprs.relate(Rel::Le, x, nine), exprs.relate(Rel::Lt, x, ten));
}

#[test]
fn comparisons_of_three_way_comparisons_are_plain() {
    let mut exprs = Exprs::new(Ints::Wrapped);
    let (a, b) = (exprs.input("a", InputKind::Long, None), exprs.input("b", InputKind::Long, None));
    let (f, g) = (exprs.input("f", InputKind::Float, None), exprs.input("g", InputKind::Float, None));
    let zero = int(&mut exprs, 0);
    let compared = exprs.compare(Compare::Lcmp, a, b);
    for rel in RELATIONS {
        assert_eq!(exprs.relate(rel, compared, zero), exprs.relate(rel, a, b), "{rel:?}");
    }
    // `if (f < g)` is compiled to fcmpg and ifge, `if (f > g)` to fcmpl and ifle.
    let (low, high) = (exprs.compare(Compare::Fcmpl, f, g), exprs.compare(Compare::Fcmpg, f, g));
    assert_eq!(exprs.relate(Rel::Ge, high, zero).negated(), exprs.relate(Rel::Lt, f, g));
    assert_eq!(exprs.relate(Rel::Le, low, zero).negated(), exprs.relate(Rel::Gt, f, g));
    let nan = exprs.constant(Const::f32(f32::NAN));
    let with_nan = exprs.compare(Compare::Fcmpg, nan, nan);
    assert_eq!(exprs.as_const(with_nan), Some(Const::I32(1)));
    assert_eq!(exprs.relate(Rel::Ne, nan, nan), Cond::TRUE);
}

#[test]
fn a_table_of_characters_becomes_ranges() {
    let mut exprs = Exprs::new(Ints::Wrapped);
    let c = exprs.input("c", InputKind::Char, Some((0, 255)));
    // Character.isDigit and Character.toUpperCase of ASCII, as tables.
    let digits: Vec<Expr> =
        (0..256).map(|i| int(&mut exprs, if (48..58).contains(&i) { 9 } else { 1 })).collect();
    let upper: Vec<Expr> =
        (0..256).map(|i| int(&mut exprs, if (97..123).contains(&i) { i - 32 } else { i })).collect();
    let kind = exprs.select(&digits, c);
    let (mask, nine) = (int(&mut exprs, 31), int(&mut exprs, 9));
    let kind = exprs.binary(Binary::And, kind, mask);
    let digit = exprs.relate(Rel::Eq, kind, nine);
    assert!(
        matches!(exprs.show(digit).as_str(), "c >= 48 && c < 58" | "c < 58 && c >= 48"),
        "{}",
        exprs.show(digit)
    );
    let letter = exprs.select(&upper, c);
    let shown = exprs.show(letter);
    assert_eq!(shown, "c < 97 ? c : c < 123 ? c - 32 : c");
    for v in 0..256 {
        let under = under(&exprs, &[(c, v)]);
        assert_eq!(exprs.holds(digit, &under), (48..58).contains(&v));
        assert_eq!(value(&exprs, letter, &under), if (97..123).contains(&v) { v - 32 } else { v });
    }
}

#[test]
fn what_is_deep_or_shared_is_evaluated_all_the_same() {
    let (mut exprs, x, y) = ints();
    let (mut deep, mut expected) = (x, 3i32);
    for _ in 0..200_000 {
        deep = exprs.binary(Binary::Mul, deep, y);
        deep = exprs.binary(Binary::Xor, deep, x);
        expected = expected.wrapping_mul(5) ^ 3;
    }
    // As a tree this one has 2^100 leaves.
    let mut wide = x;
    for _ in 0..100 {
        wide = exprs.binary(Binary::Mul, wide, wide);
    }
    let under = under(&exprs, &[(x, 3), (y, 5)]);
    assert_eq!(value(&exprs, deep, &under), i64::from(expected));
    let squared = (0..100).fold(3i32, |v, _| v.wrapping_mul(v));
    assert_eq!(value(&exprs, wide, &under), i64::from(squared));
    assert!(exprs.show(deep).len() < 10_000 && exprs.show(wide).len() < 10_000);
    let zero = int(&mut exprs, 0);
    let mut all = Cond::TRUE;
    for i in 0..100_000 {
        let bound = int(&mut exprs, i);
        let more = exprs.relate(Rel::Ne, x, bound);
        all = exprs.and(all, more);
    }
    assert!(!exprs.holds(all, &under));
    let is_zero = exprs.relate(Rel::Eq, deep, zero);
    assert_eq!(exprs.inputs_of(is_zero).len(), 2);
    for theory in [evergreen_symbolic::Theory::Ints, evergreen_symbolic::Theory::Bits] {
        let mut terms = evergreen_term::Terms::new();
        let mut writer = evergreen_symbolic::Writer::new(theory);
        assert!(writer.write(&exprs, &mut terms, all).is_some());
        assert_eq!(
            writer.write(&exprs, &mut terms, is_zero).is_some(),
            theory == evergreen_symbolic::Theory::Bits
        );
    }
}

#[test]
fn conditions_read_like_java() {
    let (mut exprs, x, y) = ints();
    let (one, two, five) = (int(&mut exprs, 1), int(&mut exprs, 2), int(&mut exprs, 5));
    let check = |exprs: &Exprs, cond: Cond, text: &str| assert_eq!(exprs.show(cond), text);
    let next = exprs.binary(Binary::Add, x, one);
    let cond = exprs.relate(Rel::Le, next, y);
    check(&exprs, cond, "y >= x + 1");
    let cond = exprs.relate(Rel::Gt, x, five);
    check(&exprs, cond, "x >= 6");
    let product = exprs.binary(Binary::Mul, x, y);
    let twice = exprs.binary(Binary::Mul, next, two);
    let sum = exprs.binary(Binary::Sub, product, twice);
    let cond = exprs.relate(Rel::Ne, sum, five);
    check(&exprs, cond, "2 * x - x * y + 7 != 0");
    let rest = exprs.binary(Binary::Rem, next, five);
    let cond = exprs.relate(Rel::Eq, rest, two);
    check(&exprs, cond, "(x + 1) % 5 == 2");
    let (low, high) = (exprs.relate(Rel::Lt, x, y), exprs.relate(Rel::Lt, y, one));
    let cond = exprs.or(low, high);
    check(&exprs, cond, "x < y || y < 1");
    let d = exprs.input("d", InputKind::Double, None);
    let root = exprs.unary(Unary::Sqrt, d);
    let half = exprs.constant(Const::f64(0.5));
    let cond = exprs.relate(Rel::Lt, root, half).negated();
    check(&exprs, cond, "!(sqrt(d) < 0.5)");
}

#[test]
fn inputs_have_names_ranges_and_defaults() {
    let mut exprs = Exprs::new(Ints::Wrapped);
    let x = exprs.input("x", InputKind::Int, None);
    assert_eq!(exprs.input("x", InputKind::Int, None), x);
    let other = exprs.input("x", InputKind::Int, Some((5, 9)));
    assert_ne!(other, x);
    let strange = exprs.input("q!|\\", InputKind::Byte, Some((-1000, 1000)));
    let names: Vec<String> = exprs.inputs().map(|(_, info)| info.name.clone()).collect();
    assert_eq!(names, ["x", "x!2", "_q!__"]);
    assert_eq!(exprs.interval(strange), (-128, 127));
    let under = Assignment::new();
    assert_eq!((value(&exprs, x, &under), value(&exprs, other, &under)), (0, 5));
    let inputs: Vec<_> = exprs.inputs().map(|(input, _)| input).collect();
    assert!(exprs.in_range(&inputs, &under));
    let mut outside = under.clone();
    outside.set(&exprs, inputs[1], Const::I32(10));
    assert!(!exprs.in_range(&inputs, &outside) && exprs.in_range(&inputs[..1], &outside));
}

/// `(x & 0xf0) >>> 4` of any byte is a hex digit, whatever computes the byte.
#[test]
fn a_shift_does_not_see_the_bits_that_a_mask_has_cleared() {
    let mut exprs = Exprs::new(Ints::Wrapped);
    let x = exprs.input("x", InputKind::Long, None);
    let (factor, seven) = (exprs.constant(Const::I64(0x9e37)), exprs.constant(Const::I32(7)));
    let product = exprs.binary(Binary::Mul, x, factor);
    let shifted = exprs.binary(Binary::Ushr, product, seven);
    let mixed = exprs.binary(Binary::Xor, product, shifted);
    let int = exprs.cast(Cast::L2I, mixed);
    let byte = exprs.cast(Cast::I2B, int);
    for (mask, count, most) in [(0xf0, 4, 15), (0xfc, 2, 63), (0x30, 4, 3), (0xff00, 8, 255)] {
        let (mask, count) = (exprs.constant(Const::I32(mask)), exprs.constant(Const::I32(count)));
        let high = exprs.binary(Binary::And, byte, mask);
        for op in [Binary::Shr, Binary::Ushr] {
            let digit = exprs.binary(op, high, count);
            assert_eq!(exprs.interval(digit), (0, most), "{}", exprs.show(digit));
        }
    }
    // Bits that are left count.
    let (mask, count) = (exprs.constant(Const::I32(!0x0f)), exprs.constant(Const::I32(4)));
    let high = exprs.binary(Binary::And, int, mask);
    let shifted = exprs.binary(Binary::Shr, high, count);
    let expected = exprs.binary(Binary::Shr, int, count);
    assert_eq!(shifted, expected);
}
