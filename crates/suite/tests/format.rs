//! The frame of the text, with a tiny language in it: what is written is read back, what people write stays,
//! and what is wrong has its line.

use crate::tiny::{Call, Function, Tiny, case, decisions, mid};
use evergreen_suite::{Decision, MethodTests, Test};
use std::sync::Arc;

type Suite = evergreen_suite::Suite<Tiny>;

const TEXT: &str = "\
evergreen suite 1
unit list.c

function mid(x, y)

test mid_returns1
  x = 1
  y = 2
  path 0+ 1-
  returns 1

test mid_returns-7
  x = 7
  y = -2
  path 0- 2+*2
  returns -7
";

#[test]
fn the_text_is_read_as_it_is_written() {
    let target = mid();
    let test = |name: &str, inputs, returns, path: &[(u32, u32)]| {
        Test::new(name.into(), case(&target, inputs, returns), Some(decisions(&target, path)))
    };
    let tests = vec![
        test("mid_returns1", [1, 2], 1, &[(0, 0), (1, 1)]),
        test("mid_returns-7", [7, -2], -7, &[(0, 1), (2, 0), (2, 0)]),
    ];
    let mut suite = Suite::of_class("list.c");
    suite.methods.push(MethodTests { target: target.clone(), tests, comments: vec![] });
    assert_eq!(suite.write(), TEXT);
    assert_eq!(Suite::parse(TEXT), Ok(suite.clone()));

    suite.methods[0].tests[1].sampled = true;
    let marked = TEXT.replace("  path 0- 2+*2\n", "  path 0- 2+*2\n  sampled\n");
    assert_eq!(suite.write(), marked);
    assert_eq!(Suite::parse(&marked), Ok(suite));
    let twice = marked.replace("  sampled\n", "  sampled\n  sampled\n");
    assert!(Suite::parse(&twice).unwrap_err().to_string().contains("a second sampled"));
}

#[test]
fn names_that_are_words_and_places_elsewhere_come_back() {
    let target = Arc::new(Function::new("src/a b.c", "path", &["path", "returns", "no name", "größe"]));
    let elsewhere = |unit: &str, function: &str| Decision {
        unit: unit.into(),
        function: function.into(),
        kind: Some('m'),
        ordinal: 3,
        arm: 2,
    };
    let path = vec![
        elsewhere("list.c", "push/1"),
        elsewhere("list.c", "push/1"),
        elsewhere("src/a b.c", "0/1"),
        elsewhere("src/a b.c", "other/0"),
        elsewhere("src/a b.c", "path/4"),
    ];
    let case = Call { target: target.clone(), inputs: vec![i64::MIN, 0, 1, i64::MAX], returns: 0 };
    let test = Test::new("path".into(), case, Some(path));
    let mut suite = Suite::of_class("src/a b.c");
    suite.methods.push(MethodTests { target, tests: vec![test], comments: vec![] });
    let text = suite.write();
    assert_eq!(
        text,
        "\
evergreen suite 1
unit \"src/a b.c\"

function \"path\"(\"path\", \"returns\", \"no name\", größe)

test \"path\"
  \"path\" = -9223372036854775808
  \"returns\" = 0
  \"no name\" = 1
  größe = 9223372036854775807
  path list.c.push/1 3m=2*2 \"0/1\" 3m=2 other/0 3m=2 path/4 3m=2
  returns 0
"
    );
    let read = Suite::parse(&text).unwrap();
    assert_eq!(read, suite);
    assert_eq!(read.write(), text, "the lines that were read, too");
}

#[track_caller]
fn flaw(change: (&str, &str), expected: &str) {
    assert!(TEXT.contains(change.0), "{}", change.0);
    let text = TEXT.replacen(change.0, change.1, 1);
    let flaw = Suite::parse(&text).expect_err("it is wrong");
    assert_eq!(flaw.to_string(), expected);
}

#[test]
fn flaws_have_their_lines_and_the_words_of_the_language() {
    flaw(("unit list.c", "class list.c"), "line 2: expected \"unit NAME\", found \"class list.c\"");
    flaw(("unit list.c", "unit"), "line 2: expected the name of a unit, but the line ends");
    flaw(("function", "fun"), "line 4: expected \"function ...\" or \"test NAME\", found \"fun mid(x, y)\"");
    flaw(("function mid(x, y)\n", ""), "line 5: a test before the first \"function ...\"");
    flaw(
        ("\ntest mid_returns-7", "\nfunction mid(a, b)\ntest mid_returns-7"),
        "line 12: the tests of this function begin in line 4 already",
    );
    flaw(("x, y)", "x, y) z"), "line 4: expected the end of the line, found \"z\"");
    flaw(("x = 1", "x = 1 2"), "line 7: expected the end of the line, found \"2\"");
    flaw(("x = 1", "x = -"), "line 7: expected an integer, found \"-\"");
    flaw(("x = 1", "x = 9223372036854775808"), "line 7: expected an integer, found \"9223372036854775808\"");
    flaw(("x = 1", "path 0+"), "line 9: a second path");
    flaw(("x = 1", "y = 1"), "line 8: a second \"y\"");
    flaw(("  returns 1\n", ""), "line 6: test \"mid_returns1\": no outcome");
    flaw(
        ("0+ 1-", "0+ list.c. 1-"),
        "line 9: \"list.c.\" is neither a decision as in 0+ nor a function as in less",
    );
    flaw(
        ("0+ 1-", "0+ 1"),
        "line 9: expected \"+\", \"-\" or \"=N\" behind the number of a branch, but the line ends",
    );
    flaw(("0+ 1-", "0+ 1-*0"), "line 9: a decision that is taken 0 times");
    flaw(("mid_returns-7", "mid_returns1"), "line 12: there is a test \"mid_returns1\" in line 6 already");
    let text = TEXT.replace("function mid(x, y)\n\ntest mid_returns1\n", "");
    assert_eq!(
        Suite::parse(&text).unwrap_err().to_string(),
        "line 4: expected \"function ...\" or \"test NAME\" at the beginning of a line, found \"x = 1\""
    );
    assert_eq!(
        Suite::parse("evergreen suite 1\n").unwrap_err().to_string(),
        "line 2: expected \"unit NAME\", but the text ends"
    );
}

#[test]
fn what_people_write_stays_as_they_wrote_it() {
    let text = TEXT
        .replace("unit list.c", "# ours\nunit list.c")
        .replace("test mid_returns-7", "# the case of ticket 12\ntest mid_returns-7")
        .replace("  y = -2", "    y =   -2   \n  # indeed")
        + "\n# the end\n";
    let suite = Suite::parse(&text).unwrap();
    assert_eq!(suite.write(), text);
    assert_eq!(suite.test("mid_returns-7").unwrap().comments, ["# the case of ticket 12", "# indeed"]);
    let unwritten = Suite::parse(&TEXT.replace("  path 0+ 1-\n", "")).unwrap();
    assert_eq!(unwritten.test("mid_returns1").unwrap().path, None);
}
