//! The tape holds every token of the text, with its place.

use evergreen_smtlib::{Kind, Tape};
use expect_test::{Expect, expect};

fn check(text: &str, expected: Expect) {
    let tape = Tape::read(text.as_bytes()).expect("a well-formed text");
    let mut out = String::new();
    for index in 0..tape.len() {
        let source = String::from_utf8_lossy(tape.source(index));
        let atom = String::from_utf8_lossy(tape.atom(index));
        out += &match tape.kind(index) {
            Kind::Open => format!("{index} open, next {}: {source}\n", tape.next(index)),
            kind => format!("{index} {kind:?} {atom}\n"),
        };
    }
    expected.assert_eq(&out);
}

#[test]
fn every_kind_of_token() {
    check(
        "(a |b c| :key 0 12 1.50 #xaF #b01 \"s\"\"t\" () (_ bv1 8)) ; end",
        expect![[r#"
            0 open, next 18: (a |b c| :key 0 12 1.50 #xaF #b01 "s""t" () (_ bv1 8))
            1 Symbol a
            2 Quoted b c
            3 Keyword :key
            4 Numeral 0
            5 Numeral 12
            6 Decimal 1.50
            7 Hex #xaF
            8 Binary #b01
            9 String s""t
            10 open, next 12: ()
            11 Close )
            12 open, next 17: (_ bv1 8)
            13 Symbol _
            14 Symbol bv1
            15 Numeral 8
            16 Close )
            17 Close )
        "#]],
    );
}

#[test]
fn children_and_roots() {
    let tape = Tape::read(b"(a (b c) d) () e").expect("well-formed");
    assert_eq!(tape.roots().collect::<Vec<_>>(), [0, 8, 10]);
    assert_eq!(tape.children(0).collect::<Vec<_>>(), [1, 2, 6]);
    assert_eq!(tape.children(8).count(), 0);
    assert_eq!(tape.children(10).count(), 0);
}

#[test]
fn a_million_parentheses() {
    let mut text = vec![b'('; 1_000_000];
    text.extend(vec![b')'; 1_000_000]);
    let tape = Tape::read(&text).expect("balanced");
    assert_eq!(tape.next(0), 2_000_000);
    text.pop();
    let error = Tape::read(&text).expect_err("not balanced");
    assert_eq!(error.offset, 0);
}
