//! The text of a suite: what is written is read back as it was, what people write is understood, and each
//! error names its line.

use super::random::{self, case, decisions, mid};
use evergreen_java::replay::JavaValue;
use evergreen_java::suite::{MethodTests, Suite, Test};
use evergreen_testing::random::Random;

/// `mid` with two tests.
const TEXT: &str = "\
evergreen suite 1
class Mid

method static int mid(int x, int y)

test mid_returns1
  x = 1
  y = 2
  path 0+ 1-
  returns 1

test mid_returns7
  x = 7
  y = -2
  path 0- 2+*2
  returns 7
";

#[test]
fn the_text_is_what_the_documents_show() {
    let target = mid();
    let first = Test::new(
        "mid_returns1".into(),
        case(&target, [1, 2], 1),
        Some(decisions(&target, &[(0, 0), (1, 1)])),
    );
    let path = decisions(&target, &[(0, 1), (2, 0), (2, 0)]);
    let second = Test::new("mid_returns7".into(), case(&target, [7, -2], 7), Some(path));
    let mut suite = Suite::of_class("Mid");
    suite.methods.push(MethodTests { target, tests: vec![first, second], comments: vec![] });
    assert_eq!(suite.write(), TEXT);
    assert_eq!(Suite::parse(TEXT), Ok(suite));
}

/// Equal, and NaN is what it was: compared as text that shows every bit.
fn same(a: &Suite, b: &Suite) -> bool {
    let shown = |suite: &Suite| format!("{suite:?}").replace("NaN", "");
    // `Debug` hides the bits of NaN, but the text does not.
    shown(&plain(a)) == shown(&plain(b)) && plain(a).write() == plain(b).write()
}

/// Without the lines that were read.
fn plain(suite: &Suite) -> Suite {
    let mut suite = suite.clone();
    for method in &mut suite.methods {
        method.tests.iter_mut().for_each(|test| test.text = Default::default());
    }
    suite
}

#[test]
fn what_is_written_is_read_back() {
    for seed in 0..3000 {
        let suite = random::suite(&mut Random::for_index(7, seed));
        let text = suite.write();
        let read = Suite::parse(&text).unwrap_or_else(|e| panic!("seed {seed}: {e}\n{text}"));
        assert!(same(&suite, &read), "seed {seed}:\n{suite:#?}\n{text}\n{read:#?}");
        assert_eq!(read.write(), text, "seed {seed}");
    }
}

#[test]
fn nan_keeps_its_bits() {
    for bits in
        [0x7ff8_0000_0000_0000, 0x7ff8_0000_0000_0001, 0xfff8_0000_0000_0000_u64, 0x7ff0_0000_0000_0001]
    {
        let text = TEXT.replace("  y = 2\n", &format!("  y = 2\n  draw d = NaN({bits:016x})\n"));
        let suite = Suite::parse(&text).unwrap();
        let JavaValue::Double(value) = suite.test("mid_returns1").unwrap().case.draws[0].1 else { panic!() };
        assert_eq!(value.to_bits(), bits);
        let JavaValue::Double(again) =
            Suite::parse(&plain(&suite).write()).unwrap().test("mid_returns1").unwrap().case.draws[0].1
        else {
            panic!()
        };
        assert_eq!(again.to_bits(), bits);
    }
}

#[test]
fn garbage_is_an_error_and_never_a_panic() {
    let mut random = Random::new(3);
    let pieces = [
        "@",
        "{",
        "}",
        "(",
        ")",
        "\"",
        "'",
        "\\u",
        "\\",
        "=",
        ":",
        "::",
        "-",
        "1e",
        "9999999999",
        "[]",
        "*",
        "é",
        "\n",
        "  ",
        "NaN(",
        "object @0 (",
        "build @0 new(",
        "path 0+*999999999",
        "#",
        "(byte) ",
        "static ",
        "int[] {",
    ];
    let mut refused = 0;
    for seed in 0..4000 {
        let mut text: Vec<char> = match seed % 2 {
            0 => TEXT.chars().collect(),
            _ => random::suite(&mut Random::for_index(11, seed)).write().chars().collect(),
        };
        for _ in 0..1 + random.below(4) {
            let at = random.below(text.len() + 1);
            match random.below(3) {
                0 => drop(text.splice(at..at, random.choose(&pieces).chars())),
                1 => drop(text.drain(at..(at + random.below(6)).min(text.len()))),
                _ => text.truncate(at.max(20)),
            }
        }
        let text: String = text.into_iter().collect();
        if let Err(flaw) = Suite::parse(&text) {
            refused += 1;
            assert!(flaw.line >= 1 && flaw.line <= text.lines().count() + 2, "{flaw}\n{text}");
        }
    }
    assert!(refused > 1000, "{refused}");
    assert!(
        Suite::parse(&format!(
            "evergreen suite 1\nclass A\nmethod void m(int[][] a)\ntest t\n  a = {}",
            "{".repeat(100_000)
        ))
        .is_err()
    );
}

#[track_caller]
fn flaw(change: (&str, &str), expected: &str) {
    assert!(TEXT.contains(change.0), "{}", change.0);
    let text = TEXT.replacen(change.0, change.1, 1);
    let flaw = Suite::parse(&text).expect_err("it is wrong");
    assert_eq!(flaw.to_string(), expected);
}

#[test]
fn flaws_have_their_lines() {
    flaw(
        ("suite 1", "suite 2"),
        "line 1: version 2 of the format, of which version 1 is known here\n\
         help: use an Evergreen that is as new as the one that wrote it",
    );
    flaw(("evergreen suite", "evergreen stew"), "line 1: expected \"evergreen suite 1\": this is no suite");
    flaw(("x = 1", "x = one"), "line 7: \"one\" is no value");
    flaw(("x = 1", "x = 1L"), "line 7: \"1L\" is no int");
    flaw(("x = 1", "x = 4294967296"), "line 7: \"4294967296\" is no int");
    flaw(("x = 1", "z = 1"), "line 7: no parameter \"z\"; there are x, y");
    flaw(("x = 1", "y = 1"), "line 8: a second \"y\"");
    flaw(("  x = 1\n", ""), "line 6: test \"mid_returns1\": no value of \"x\"");
    flaw(("x = 1", "x 1"), "line 7: expected \"=\", found \"1\"");
    flaw(("x = 1", "x ="), "line 7: expected a value, but the line ends");
    flaw(("x = 1", "x = 1 2"), "line 7: expected the end of the line, found \"2\"");
    flaw(("x = 1", "draw \"a = 1"), "line 7: expected a closing quote, found \"\"a = 1\"");
    flaw(
        ("0+ 1-", "0+ 1"),
        "line 9: expected \"+\", \"-\" or \"=N\" behind the number of a branch, but the line ends",
    );
    flaw(
        ("0+ 1-", "0+ less 1-"),
        "line 9: \"less\" is neither a decision as in 0+ nor a method as in less(II)Z",
    );
    flaw(("0+ 1-", "0+ 1-*4000000"), "line 9: a path of more than 1000000 decisions");
    flaw(
        ("  returns 1\n", ""),
        "line 6: test \"mid_returns1\": no outcome\nhelp: write \"returns VALUE\", \"throws CLASS\" or \
         \"exits N\"; the next update corrects it",
    );
    flaw(("returns7", "returns1"), "line 12: there is a test \"mid_returns1\" in line 6 already");
    flaw(("test mid_returns7", "test mid-7"), "line 12: \"mid-7\" cannot be the name of a test in Java");
    flaw(("test mid_returns7", "test capture"), "line 12: \"capture\" cannot be the name of a test in Java");
    flaw(("  y = 2", "  y = 2\n  draw r = @3"), "line 6: test \"mid_returns1\": no object @3");
    flaw(("  y = 2", "  y = 2\n  this = null"), "line 9: a static method has no receiver");
    flaw(("int x, int y", "int x, int x"), "line 4: two parameters \"x\"");
    flaw(("class Mid", "klass Mid"), "line 2: expected \"class NAME\", found \"klass Mid\"");
    flaw(
        ("test mid_returns1", "tset mid_returns1"),
        "line 6: expected \"method ...\" or \"test NAME\", found \"tset mid_returns1\"",
    );
    flaw(
        ("test mid_returns7", "<<<<<<< ours\ntest mid_returns7"),
        "line 12: a merge conflict that nobody resolved\nhelp: keep the tests of both sides; the next update \
         sorts them out",
    );
    assert_eq!(
        Suite::parse("evergreen suite 1\n").unwrap_err().to_string(),
        "line 2: expected \"class NAME\", but the text ends"
    );
    assert_eq!(
        Suite::parse("").unwrap_err().to_string(),
        "line 1: expected \"evergreen suite 1\": this is no suite"
    );
}

#[test]
fn what_people_write_stays_as_they_wrote_it() {
    let text = TEXT
        .replace("class Mid", "# ours\nclass Mid")
        .replace("test mid_returns7", "# the case of ticket 12\ntest mid_returns7")
        .replace("  y = -2", "    y =   -2   \n  # indeed")
        + "\n# the end\n";
    let suite = Suite::parse(&text).unwrap();
    assert_eq!(suite.write(), text);
    assert_eq!(suite.test("mid_returns7").unwrap().comments, ["# the case of ticket 12", "# indeed"]);
    let spaced = TEXT.replace('\n', "\r\n").replace("  path 0+ 1-\r\n", "");
    let suite = Suite::parse(&spaced).unwrap();
    assert_eq!(suite.test("mid_returns1").unwrap().path, None);
    assert_eq!(suite.test("mid_returns1").unwrap().case.arguments, [1, 2].map(JavaValue::Int));
}

#[test]
fn a_place_gives_its_type_to_a_number() {
    let text = "evergreen suite 1\nclass A\nmethod static void m(long l, byte b, float f, double d, char c, \
                short[] s)\ntest t\n  l = 5\n  b = -3\n  f = 1\n  d = 2\n  c = 65\n  s = {1, -2}\n  \
                returns\n";
    let suite = Suite::parse(text).unwrap();
    let case = &suite.test("t").unwrap().case;
    assert_eq!(
        case.arguments[..5],
        [
            JavaValue::Long(5),
            JavaValue::Byte(-3),
            JavaValue::Float(1.0),
            JavaValue::Double(2.0),
            JavaValue::Char(65)
        ]
    );
    assert!(plain(&suite).write().contains("  f = 1.0\n  d = 2.0\n  c = 'A'\n  s = {1, -2}\n"));
}

#[test]
fn the_example_of_the_documentation_is_a_suite() {
    let text = include_str!("../../../../docs/suite-format.md");
    let example = text.split("```\n").nth(1).expect("an example");
    let suite = Suite::parse(example).unwrap();
    assert_eq!(suite.write(), example);
    // The only thing in it that is written differently by itself.
    assert_eq!(plain(&suite).write(), example.replace("\\u00e9", "é"));
}
