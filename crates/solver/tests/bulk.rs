//! Long texts: z3 reads them from a file that only memory holds, and by its input where it cannot.

use crate::common::{Fake, real};
use evergreen_solver::{Command, Kind, Limits, Mode, Process};

/// Asserts that come to 100 KB, the last of them wrong, and something before and behind.
fn long_text() -> String {
    let mut text = String::from("(declare-const x Int)\n(echo \"first\")\n");
    for i in 0..4000 {
        text.push_str(&format!("(assert (>= (* x {i}) (- x 7 {i})))\n"));
    }
    text + "(assert (> y 0))\n(assert (= x 7))\n(echo \"last\")"
}

/// Runs z3 behind a filter of its input, and shows what comes out of that to a file.
fn filtered(filter: &str) -> (Fake, std::path::PathBuf) {
    let z3 = real("z3").program.display().to_string();
    let seen = std::env::temp_dir().join(format!("evergreen-seen-{}-{}", std::process::id(), filter.len()));
    let script = format!("{filter} | tee {} | {z3} \"$@\"", seen.display());
    let mut fake = Fake::new(&script);
    fake.command.kind = Kind::Z3;
    (fake, seen)
}

/// What the text prints, and the verdict, twice in the same process.
fn ask(command: &Command) -> Vec<String> {
    let mut process = Process::start(command, Mode::Interactive, &Limits::default()).expect("a process");
    process.tell("(echo \"before\")").expect("told");
    let mut replies = Vec::new();
    for _ in 0..2 {
        replies.push(process.ask(&long_text(), None).expect("a reply"));
        replies.push(process.ask("(check-sat)(get-value (x))", None).expect("a reply"));
        replies.push(process.ask("(reset)(set-option :print-success false)", None).expect("a reply"));
    }
    replies
}

/// The replies that a process gives: the wrong line of the text is the 4003rd of its file, and `offset` lines
/// further down in the solver's input.
fn expected(lines: [u32; 2]) -> Vec<String> {
    let error = |line: u32| format!("(error \"line {line} column 11: unknown constant y\")\n");
    let round = |before: &str, line| {
        let text = format!("{before}first\n{}last\n", error(line));
        [text, "sat\n((x 7))\n".to_string(), String::new()]
    };
    [round("before\n", lines[0]), round("", lines[1])].concat()
}

#[test]
fn a_long_text_goes_by_a_file() {
    let (fake, seen) = filtered("cat");
    assert_eq!(ask(&fake.command), expected([4003, 4003]));
    let seen = std::fs::read_to_string(seen).expect("what was sent");
    assert_eq!(seen.matches("(include \"/proc/self/fd/").count(), 3, "{seen}");
    assert!(!seen.contains("(assert"), "{seen}");
}

#[test]
fn a_solver_that_does_not_take_files_gets_it_by_its_input() {
    let (fake, seen) = filtered("sed -u 's/(include/(no-such-command/'");
    let replies = ask(&fake.command);
    // Everything but the numbers of lines.
    let plain = |reply: &String| {
        let digits = |c: char| c.is_ascii_digit();
        reply.lines().map(|l| if l.contains("error") { l.replace(digits, "") } else { l.into() }).collect()
    };
    let of = |replies: &[String]| replies.iter().map(plain).collect::<Vec<Vec<String>>>();
    assert_eq!(of(&replies), of(&expected([0, 0])));
    let seen = std::fs::read_to_string(seen).expect("what was sent");
    assert_eq!(seen.matches("(no-such-command").count(), 1, "asked once");
    assert_eq!(seen.matches("(assert (= x 7))").count(), 2);
}

#[test]
fn short_texts_go_by_the_input() {
    let (fake, seen) = filtered("cat -u");
    let mut process =
        Process::start(&fake.command, Mode::Interactive, &Limits::default()).expect("a process");
    assert_eq!(process.ask("(assert true)(check-sat)", None).expect("a reply"), "sat\n");
    assert!(!std::fs::read_to_string(seen).expect("what was sent").contains("include"));
}

#[test]
fn only_z3_has_such_files() {
    for name in ["cvc5", "yices-smt2", "bitwuzla"] {
        let mut process =
            Process::start(&real(name), Mode::Interactive, &Limits::default()).expect("a process");
        let mut text = String::from("(set-logic QF_BV)(declare-const b (_ BitVec 8))\n");
        (0..2000).for_each(|_| text.push_str("(assert (= b #x07))\n"));
        assert_eq!(process.ask(&text, None).expect("a reply"), "", "{name}");
        assert_eq!(process.ask("(check-sat)", None).expect("a reply"), "sat\n", "{name}");
    }
}
