//! Bytes, tables and unsigned integers: what they fold to, for all values of a byte.

use evergreen_symbolic::{
    Assignment, Binary, Cast, Cond, Const, Expr, Exprs, InputKind, Ints, Kind, Rel, Unary,
};

struct Bytes {
    exprs: Exprs,
    bytes: Vec<Expr>,
}

impl Bytes {
    fn new(count: usize) -> Bytes {
        let mut exprs = Exprs::new(Ints::Wrapped);
        let bytes = (0..count).map(|i| exprs.input(&format!("b[{i}]"), InputKind::Octet, None)).collect();
        Bytes { exprs, bytes }
    }

    fn int(&mut self, value: i64) -> Expr {
        self.exprs.constant(Const::I32(value as i32))
    }

    fn long(&mut self, value: i64) -> Expr {
        self.exprs.constant(Const::I64(value))
    }

    fn under(&self, values: &[u8]) -> Assignment {
        let mut all = Assignment::new();
        for (byte, value) in self.bytes.iter().zip(values) {
            let input = self.exprs.as_input(*byte).expect("an input");
            all.set(&self.exprs, input, Const::I32((*value).into()));
        }
        all
    }

    /// Whether a condition holds for exactly the values of the first byte that it should.
    fn check(&self, cond: Cond, expected: impl Fn(u8) -> bool) {
        for value in 0..=255 {
            let holds = self.exprs.holds(cond, &self.under(&[value]));
            assert_eq!(holds, expected(value), "{} for {value}", self.exprs.show(cond));
        }
    }
}

#[test]
fn a_load_gives_back_what_was_stored() {
    let mut all = Bytes::new(8);
    for (kind, width) in [(Kind::I32, 4), (Kind::I64, 8)] {
        let parts = all.bytes[..width].to_vec();
        let whole = all.exprs.concat_bytes(&parts, kind);
        let again: Vec<Expr> = (0..width as u32).map(|n| all.exprs.byte_of(whole, n)).collect();
        assert_eq!(again, parts);
        assert_eq!(all.exprs.concat_bytes(&again, kind), whole);
    }
    // A value that is no form of bytes.
    let x = all.exprs.input("x", InputKind::Int, None);
    let y = all.exprs.input("y", InputKind::Long, None);
    let product = all.exprs.binary(Binary::Mul, x, x);
    let parts: Vec<Expr> = (0..4).map(|n| all.exprs.byte_of(product, n)).collect();
    assert_eq!(all.exprs.concat_bytes(&parts, Kind::I32), product);
    let parts: Vec<Expr> = (0..8).map(|n| all.exprs.byte_of(y, n)).collect();
    assert_eq!(all.exprs.concat_bytes(&parts, Kind::I64), y);
    let low = all.exprs.cast(Cast::L2I, y);
    assert_eq!(all.exprs.concat_bytes(&parts[..4], Kind::I32), low);
    // Extended values have simple high bytes.
    let wide = all.exprs.zero_extend(x);
    let zero = all.int(0);
    assert_eq!(all.exprs.byte_of(wide, 6), zero);
    let (a, b) = (all.exprs.byte_of(wide, 2), all.exprs.byte_of(x, 2));
    assert_eq!(a, b);
    assert_eq!(all.exprs.cast(Cast::L2I, wide), x);
    let constant = all.int(0x1234_5678);
    let second = all.exprs.byte_of(constant, 2);
    assert_eq!(all.exprs.as_const(second), Some(Const::I32(0x34)));
}

#[test]
fn shifts_and_masks_take_bytes_out_of_a_form() {
    let mut all = Bytes::new(4);
    let parts = all.bytes.clone();
    let whole = all.exprs.concat_bytes(&parts, Kind::I32);
    let (eight, mask) = (all.int(8), all.int(255));
    let shifted = all.exprs.binary(Binary::Ushr, whole, eight);
    assert_eq!(all.exprs.binary(Binary::And, shifted, mask), parts[1]);
    let top = all.int(24);
    assert_eq!(all.exprs.binary(Binary::Ushr, whole, top), parts[3]);
    let (mask, shifted) = (all.int(0xff00), all.int(256));
    let kept = all.exprs.binary(Binary::And, whole, mask);
    let expected = all.exprs.binary(Binary::Mul, parts[1], shifted);
    assert_eq!(kept, expected);
}

#[test]
fn an_equation_of_words_is_one_of_bytes() {
    let mut all = Bytes::new(8);
    let parts = all.bytes.clone();
    let (x, y) =
        (all.exprs.concat_bytes(&parts[..4], Kind::I32), all.exprs.concat_bytes(&parts[4..], Kind::I32));
    let word = all.int(i64::from(u32::from_le_bytes(*b"GET ")));
    let equal = all.exprs.relate(Rel::Eq, x, word);
    assert_eq!(all.exprs.show(equal), "b[0] == 71 && b[1] == 69 && b[2] == 84 && b[3] == 32");
    let high = all.int(0xfffe_fdfc);
    let equal = all.exprs.relate(Rel::Eq, x, high);
    assert_eq!(all.exprs.show(equal), "b[0] == 252 && b[1] == 253 && b[2] == 254 && b[3] == 255");
    let same = all.exprs.relate(Rel::Eq, x, y);
    assert_eq!(all.exprs.show(same), "b[0] == b[4] && b[1] == b[5] && b[2] == b[6] && b[3] == b[7]");
    let eight = all.exprs.concat_bytes(&parts, Kind::I64);
    let word = all.long(i64::from_le_bytes(*b"HTTP/1.1"));
    let equal = all.exprs.relate(Rel::Eq, eight, word);
    assert!(
        all.exprs.holds(equal, &all.under(b"HTTP/1.1")) && !all.exprs.holds(equal, &all.under(b"HTTP/1.0"))
    );
    // Unsigned, an int of four bytes is a form that does not wrap.
    let below = all.exprs.relate_unsigned(Rel::Lt, x, y);
    assert!(!all.exprs.is_hard(below));
    assert!(all.exprs.holds(below, &all.under(&[0, 0, 0, 127, 0, 0, 0, 128])));
}

#[test]
fn classes_of_characters_are_ranges() {
    let mut all = Bytes::new(2);
    let c = all.bytes[0];
    let (start, ten) = (all.int(48), all.int(10));
    let offset = all.exprs.binary(Binary::Sub, c, start);
    let digit = all.exprs.relate_unsigned(Rel::Lt, offset, ten);
    assert_eq!(all.exprs.show(digit), "b[0] >= 48 && b[0] < 58");
    all.check(digit, |c| c.is_ascii_digit());
    let class = |c: u8| i64::from(c.is_ascii_alphabetic()) + 2 * i64::from(c.is_multiple_of(3));
    let table: Vec<i64> = (0..=255).map(class).collect();
    let element = all.exprs.table(&table, Kind::I32, c);
    assert_eq!(all.exprs.interval(element), (0, 3));
    let (one, two, zero) = (all.int(1), all.int(2), all.int(0));
    let bit = all.exprs.binary(Binary::And, element, one);
    let letter = all.exprs.relate(Rel::Ne, bit, zero);
    assert!(!all.exprs.is_hard(letter), "{}", all.exprs.show(letter));
    all.check(letter, |c| c.is_ascii_alphabetic());
    let third = all.exprs.binary(Binary::And, element, two);
    let third = all.exprs.relate(Rel::Eq, third, zero);
    all.check(third, |c| !c.is_multiple_of(3));
    assert!(all.exprs.is_hard(third), "too many runs");
    // One node, however often it is read; a table of a table too.
    let before = all.exprs.len();
    let again = all.exprs.table(&table, Kind::I32, element);
    let more = all.exprs.table(&table, Kind::I32, again);
    assert!(all.exprs.len() - before < 40);
    let under = all.under(b"a");
    let expected = class(class(class(b'a') as u8) as u8) as i32;
    assert_eq!(all.exprs.eval(more, &under), Const::I32(expected));
    let fixed = all.int(65);
    let fixed = all.exprs.table(&table, Kind::I64, fixed);
    assert_eq!(all.exprs.as_const(fixed), Some(Const::I64(class(65))));
}

#[test]
fn every_unsigned_comparison_and_count_of_a_byte_is_right() {
    for shift in [0, 48, 200, 255, -1, i64::from(i32::MIN)] {
        let mut all = Bytes::new(1);
        let by = all.int(shift);
        let a = all.exprs.binary(Binary::Sub, all.bytes[0], by);
        let number = |c: u8| i32::from(c).wrapping_sub(shift as i32);
        for bound in [0, 1, 10, 255, 256, -1, -48, -200, i64::from(i32::MIN), i64::from(i32::MAX)] {
            let b = all.int(bound);
            for (rel, holds) in [
                (Rel::Lt, u32::lt as fn(&u32, &u32) -> bool),
                (Rel::Le, u32::le),
                (Rel::Gt, u32::gt),
                (Rel::Ge, u32::ge),
                (Rel::Eq, u32::eq),
                (Rel::Ne, u32::ne),
            ] {
                let cond = all.exprs.relate_unsigned(rel, a, b);
                all.check(cond, |c| holds(&(number(c) as u32), &(bound as u32)));
                let cond = all.exprs.relate_unsigned(rel, b, a);
                all.check(cond, |c| holds(&(bound as u32), &(number(c) as u32)));
            }
        }
        let counts = [Unary::Clz, Unary::Ctz, Unary::Popcnt].map(|op| all.exprs.unary(op, a));
        for value in 0..=255 {
            let under = all.under(&[value]);
            let n = number(value) as u32;
            let expected = [n.leading_zeros(), n.trailing_zeros(), n.count_ones()];
            for (count, expected) in counts.iter().zip(expected) {
                assert_eq!(all.exprs.eval(*count, &under), Const::I32(expected as i32), "of {n}");
                let (lo, hi) = all.exprs.interval(*count);
                assert!((lo..=hi).contains(&expected.into()), "{expected} of {n} is not in {lo}..{hi}");
            }
        }
    }
}

#[test]
fn bounds_of_one_sum_exclude_each_other() {
    let mut all = Bytes::new(2);
    let (x, y) = (all.bytes[0], all.bytes[1]);
    let sum = all.exprs.binary(Binary::Add, x, y);
    let relations = [Rel::Lt, Rel::Le, Rel::Gt, Rel::Ge, Rel::Eq, Rel::Ne];
    let mut conditions = Vec::new();
    for rel in relations {
        for bound in [99, 100, 101] {
            let constant = all.int(bound);
            conditions.push((rel, bound, all.exprs.relate(rel, sum, constant)));
            // The same with one of the bytes on the other side.
            let rest = all.exprs.binary(Binary::Sub, constant, y);
            conditions.push((rel, bound, all.exprs.relate(rel, x, rest)));
        }
    }
    for &(rel, bound, a) in &conditions {
        for &(other, limit, b) in &conditions {
            let possible = (90..110).any(|sum| rel.holds(sum, bound) && other.holds(sum, limit));
            let excluded = all.exprs.exclude(a, b);
            assert!(!(possible && excluded), "{} and {}", all.exprs.show(a), all.exprs.show(b));
            let is_bound = rel != Rel::Ne && other != Rel::Ne;
            assert!(possible || excluded || !is_bound, "{} and {}", all.exprs.show(a), all.exprs.show(b));
        }
    }
}
