//! Diagnostics point at the place and name the way out; their text is tested.

use evergreen_smtlib::{Diagnostic, PieceKind, Position, Splitter, Tape};
use expect_test::{Expect, expect};

/// Reads `text` as s-expressions and renders the complaint.
fn check(text: impl AsRef<[u8]>, expected: Expect) {
    let text = text.as_ref();
    let rendered = match Tape::read(text) {
        Ok(tape) => format!("{} nodes\n", tape.len()),
        Err(error) => error.render("a.smt2", text, Position::START),
    };
    expected.assert_eq(&rendered);
}

#[test]
fn an_unexpected_character_is_shown() {
    check(
        "(assert x)\n(assert {y})\n",
        expect![[r#"
            a.smt2:2:9: unexpected character '{'
              (assert {y})
                      ^
        "#]],
    );
}

#[test]
fn columns_count_characters_and_tabs_are_kept() {
    check(
        "(echo \"grün\")\n\t(echo \"ä\" ö)",
        expect![[r#"
            a.smt2:2:12: unexpected character 'ö'
              	(echo "ä" ö)
              	          ^
        "#]],
    );
}

#[test]
fn broken_tokens() {
    check(
        "(push 01)",
        expect![[r#"
            a.smt2:1:7: a number with a leading zero
              (push 01)
                    ^
        "#]],
    );
    check(
        "(assert (= x #b12))",
        expect![[r#"
            a.smt2:1:17: unexpected character '2'
              (assert (= x #b12))
                              ^
        "#]],
    );
    check(
        "(echo |a\\b|)",
        expect![[r#"
            a.smt2:1:9: a quoted symbol cannot contain "\"
              (echo |a\b|)
                      ^
        "#]],
    );
    check(
        b"(echo \"\xff\")",
        expect![[r#"
            a.smt2:1:8: not UTF-8
              (echo "�")
                     ^
        "#]],
    );
    check(
        b"(echo \x01)",
        expect![[r#"
            a.smt2:1:7: unexpected character '\u{1}'
              (echo �)
                    ^
        "#]],
    );
}

#[test]
fn a_list_that_is_never_closed_is_shown_where_it_opens() {
    check(
        "(check-sat)\n(assert (and x)\n(check-sat)\n",
        expect![[r#"
            a.smt2:2:1: this list is never closed
              (assert (and x)
              ^
            help: add the missing ")"
        "#]],
    );
}

#[test]
fn a_long_line_is_cut_around_the_caret() {
    check(
        format!("(assert (and {} {{ {}))", "x ".repeat(400), "y ".repeat(400)),
        expect![[r#"
            a.smt2:1:815: unexpected character '{'
              … x x x x x x x x x x x x x x x x x x x x x x x x  { y y y y y y y y y y y y y y y y y y y y y y y y …
                                                                 ^
        "#]],
    );
}

#[test]
fn a_command_in_the_middle_of_a_line_keeps_its_place() {
    let mut splitter = Splitter::new();
    splitter.feed(b"(check-sat) (assert (= \x07 1))");
    splitter.next_piece().expect("the first command");
    let piece = splitter.next_piece().expect("the second command");
    let error = Tape::read(piece.text).expect_err("a control character");
    expect![[r#"
        stdin:1:24: unexpected character '\u{7}'
          (assert (= � 1))
                     ^
    "#]]
    .assert_eq(&error.render("stdin", piece.text, piece.position()));
}

#[test]
fn help_comes_last() {
    let error = Diagnostic::new(8, "unknown symbol \"y\"").with_help("declare it");
    expect![[r#"
        q.smt2:1:9: unknown symbol "y"
          (assert y)
                  ^
        help: declare it
    "#]]
    .assert_eq(&error.render("q.smt2", b"(assert y)", Position::START));
}

/// Renders the complaint about what the splitter leaves over at the end of `text`.
fn check_unfinished(text: &str, expected: Expect) {
    let mut splitter = Splitter::new();
    splitter.feed(text.as_bytes());
    splitter.finish();
    let mut out = String::new();
    while let Some(piece) = splitter.next_piece() {
        if piece.kind != PieceKind::Command {
            let error = piece.complaint().expect("a complaint");
            out += &error.render("stdin", piece.text, piece.position());
        }
    }
    expected.assert_eq(&out);
}

#[test]
fn the_end_of_the_input_names_what_is_open() {
    check_unfinished(
        "(check-sat)\n(assert (= \"a\"\" b))",
        expect![[r#"
            stdin:2:12: the input ends inside of this string
              (assert (= "a"" b))
                         ^
            help: close it with "
        "#]],
    );
    check_unfinished(
        "(assert (= |a b))",
        expect![[r#"
            stdin:1:12: the input ends inside of this quoted symbol
              (assert (= |a b))
                         ^
            help: close it with |
        "#]],
    );
    check_unfinished(
        "(assert (= a b)",
        expect![[r#"
            stdin:1:1: the input ends inside of this command
              (assert (= a b)
              ^
            help: close it with )
        "#]],
    );
    check_unfinished(
        "  #| comment",
        expect![[r#"
            stdin:1:3: the input ends inside of this block comment
              #| comment
              ^
            help: close it with |#
        "#]],
    );
    check_unfinished(
        ") sat",
        expect![[r#"
            stdin:1:1: ")" closes nothing
              )
              ^
            stdin:1:3: "sat" outside of any command
              sat
              ^
            help: commands are lists, as in (check-sat)
        "#]],
    );
}
