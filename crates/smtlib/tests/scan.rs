//! The splitter finds the same pieces whatever the chunks, and never fails.

use evergreen_smtlib::{Position, Splitter};
use evergreen_structures::Random;
use expect_test::{Expect, expect};

/// All pieces of `text`, fed in chunks of `size` bytes, one line each.
fn pieces(text: &[u8], size: usize) -> String {
    let mut splitter = Splitter::new();
    let mut out = String::new();
    let mut drain = |splitter: &mut Splitter| {
        while let Some(piece) = splitter.next_piece() {
            out += &format!(
                "{}:{} @{} {:?} {}\n",
                piece.position().line,
                piece.position().column,
                piece.offset,
                piece.kind,
                String::from_utf8_lossy(piece.text).escape_debug()
            );
        }
    };
    for chunk in text.chunks(size) {
        splitter.feed(chunk);
        drain(&mut splitter);
    }
    splitter.finish();
    drain(&mut splitter);
    out
}

fn check(text: &str, expected: Expect) {
    let whole = pieces(text.as_bytes(), text.len().max(1));
    expected.assert_eq(&whole);
    for size in 1..text.len() {
        assert_eq!(pieces(text.as_bytes(), size), whole, "chunks of {size}");
    }
}

#[test]
fn commands_and_comments() {
    check(
        "; header (\n(set-logic QF_LIA)(check-sat)\n\n  #| block (; |# (echo \"a ) \"\" (\") ; end",
        expect![[r#"
            2:1 @11 Command (set-logic QF_LIA)
            2:19 @29 Command (check-sat)
            4:18 @59 Command (echo \"a ) \"\" (\")
        "#]],
    );
}

#[test]
fn hidden_parentheses() {
    check(
        "(assert |a ( \" ;|) (assert (= a ; )\n b)) (echo \";)\") (x |z3 \\| )|)",
        expect![[r#"
            1:1 @0 Command (assert |a ( \" ;|)
            1:20 @19 Command (assert (= a ; )\n b))
            2:6 @41 Command (echo \";)\")
            2:18 @53 Command (x |z3 \\| )|)
        "#]],
    );
}

#[test]
fn garbage_is_handed_out() {
    check(
        ") sat #x1 |quo ted|x \"str\"\"ing\" (a))b(c)",
        expect![[r#"
            1:1 @0 Unbalanced )
            1:3 @2 Stray sat
            1:7 @6 Stray #x1
            1:11 @10 Stray |quo ted|x
            1:22 @21 Stray \"str\"\"ing\"
            1:33 @32 Command (a)
            1:36 @35 Unbalanced )
            1:37 @36 Stray b
            1:38 @37 Command (c)
        "#]],
    );
}

#[test]
fn the_end_may_come_anywhere() {
    check(
        "(a) (b (c)",
        expect![[r#"
            1:1 @0 Command (a)
            1:5 @4 Unfinished (b (c)
        "#]],
    );
    check(
        "(a) \"x",
        expect![[r#"
        1:1 @0 Command (a)
        1:5 @4 Unfinished \"x
    "#]],
    );
    check(
        "(a) |x",
        expect![[r#"
        1:1 @0 Command (a)
        1:5 @4 Unfinished |x
    "#]],
    );
    check(
        "(a) #| x",
        expect![[r#"
        1:1 @0 Command (a)
        1:5 @4 Unfinished #| x
    "#]],
    );
    check(
        "(a) ; x",
        expect![[r#"
        1:1 @0 Command (a)
    "#]],
    );
    check(
        "(a) #",
        expect![[r#"
        1:1 @0 Command (a)
        1:5 @4 Stray #
    "#]],
    );
}

#[test]
fn a_command_is_handed_out_with_its_last_byte() {
    let mut splitter = Splitter::new();
    for &byte in b" (check-sat" {
        splitter.feed(&[byte]);
        assert_eq!(splitter.next_piece(), None);
    }
    splitter.feed(b")");
    let piece = splitter.next_piece().expect("the command is complete");
    assert_eq!(piece.text, b"(check-sat)");
}

#[test]
fn no_byte_is_lost_in_random_bytes() {
    let alphabet = b"()\"|;#\\\n ax\xff";
    let mut random = Random::new(1);
    for round in 0..2000 {
        let mut text = Vec::new();
        for _ in 0..round % 60 {
            text.push(*random.choose(alphabet));
        }
        let whole = pieces(&text, text.len().max(1));
        for size in [1, 2, 3, 7] {
            assert_eq!(pieces(&text, size), whole, "{text:?} in chunks of {size}");
        }
    }
}

#[test]
fn a_million_parentheses() {
    let mut text = vec![b'('; 1_000_000];
    text.extend(vec![b')'; 1_000_000]);
    let mut splitter = Splitter::new();
    splitter.feed(&text);
    let piece = splitter.next_piece().expect("balanced");
    assert_eq!(piece.text.len(), text.len());
}

/// Places are the same counted from the start and from an earlier place, however the text arrives.
#[test]
fn places_are_counted_from_earlier_ones() {
    let text = "(a)\n  (b\n c) (d) ; a comment\n\n(é) (f)\n".repeat(40);
    for chunk in [1, 7, 4096] {
        let (mut splitter, mut known) = (Splitter::new(), (0, Position::START));
        let mut places = 0;
        for (n, bytes) in text.as_bytes().chunks(chunk).enumerate() {
            splitter.feed(bytes);
            while let Some(piece) = splitter.next_piece() {
                let place = piece.position();
                assert_eq!(piece.position_from(known), place);
                places += 1;
                // Not all of them are noted, and some are long gone.
                if n % 3 == 0 && places % 17 != 0 {
                    known = (piece.offset, place);
                }
            }
        }
        assert_eq!(places, 200);
    }
}
