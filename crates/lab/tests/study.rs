//! `evergreen-lab study`: techniques agree, counts are exact, streams are what their commands make.

use crate::common::{Folder, lab, subjects};
use evergreen_testing::tools::{find, repository};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn stream(name: &str) -> PathBuf {
    repository().join(format!("streams/{name}.smt2.gz"))
}

fn study(args: &[&str], files: &[PathBuf]) -> Output {
    lab().arg("study").args(args).args(files).output().expect("started")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Runs techniques over streams; the report, which must be free of faults.
fn report(args: &[&str], files: &[PathBuf]) -> Value {
    let output = study(&[&["streams", "--json"], args].concat(), files);
    let said = text(&output.stderr);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}\n{said}"));
    assert_eq!(report["faults"], Value::Array(vec![]), "{said}");
    assert!(output.status.success(), "{said}");
    report
}

/// `technique calls/native` of every run of a stream.
fn counts(stream: &Value) -> Vec<String> {
    let of = |run: &Value| {
        let name = run["technique"].as_str().expect("a name");
        format!("{name} {}/{}", run["calls"], run["native"])
    };
    stream["runs"].as_array().expect("runs").iter().map(of).collect()
}

fn unpacked(file: &Path) -> String {
    let output = Command::new("gzip").arg("-dc").arg(file).output().expect("gzip is installed");
    assert!(output.status.success(), "{}", file.display());
    text(&output.stdout)
}

#[test]
fn techniques_agree_and_counts_are_exact() {
    let yices = find("yices-smt2");
    let names = ["triangle", "sort", "avoid", "small-1", "small-2"];
    let report = report(&["--solver", &yices.to_string_lossy()], &names.map(stream));
    // Exact, because the same queries ask the same on every machine. Fewer calls are progress, more are a
    // regression.
    let expected = [
        "baseline 32/0, caching 32/0, caching-opt 32/0, stack 32/0, stack-opt 32/0, \
         green 28/0, klee 28/0, greentrie 28/0, \
         exact 19/0, subset 19/0, logical 19/0, ladder 12/0, combined 0/32",
        "baseline 70/0, caching 70/0, caching-opt 70/0, stack 70/0, stack-opt 70/0, \
         green 67/0, klee 65/0, greentrie 46/0, \
         exact 67/0, subset 60/0, logical 46/0, ladder 26/0, combined 0/70",
        "baseline 486/0, caching 404/0, caching-opt 404/0, stack 486/0, stack-opt 486/0, \
         green 318/0, klee 245/0, greentrie 106/0, \
         exact 296/0, subset 199/0, logical 107/0, ladder 67/0, combined 0/486",
        "baseline 300/0, caching 300/0, caching-opt 300/0, stack 300/0, stack-opt 300/0, \
         green 260/0, klee 258/0, greentrie 204/0, \
         exact 249/0, subset 198/0, logical 138/0, ladder 59/0, combined 0/300",
        "baseline 300/0, caching 294/0, caching-opt 294/0, stack 300/0, stack-opt 300/0, \
         green 261/0, klee 261/0, greentrie 192/0, \
         exact 242/0, subset 203/0, logical 110/0, ladder 59/0, combined 0/300",
    ];
    let streams = report["streams"].as_array().expect("streams");
    let found: Vec<String> = streams.iter().map(|s| counts(s).join(", ")).collect();
    assert_eq!(found, expected);
    for stream in streams {
        for run in stream["runs"].as_array().expect("runs") {
            assert_eq!(run["models_checked"], stream["sat"], "every model was evaluated: {run}");
        }
    }
}

#[test]
fn solvers_agree_and_counts_do_not_depend_on_them() {
    let (z3, yices) = (find("z3"), find("yices-smt2"));
    let args = ["--solver", &z3.to_string_lossy(), "--solver", &yices.to_string_lossy()];
    let report = report(&args, &[stream("triangle")]);
    let counts = counts(&report["streams"][0]);
    // Old models decide how often the ladder asks, and each solver has its own.
    let fixed: Vec<&String> = counts.iter().filter(|c| !c.starts_with("ladder")).collect();
    let (with_z3, with_yices) = fixed.split_at(fixed.len() / 2);
    assert_eq!(with_z3, with_yices);
    assert_eq!(counts.len(), 26);
}

#[test]
fn without_models_the_verdicts_are_the_same() {
    let yices = find("yices-smt2");
    let args = ["--solver", &yices.to_string_lossy(), "--models", "off"];
    let report = report(&args, &["sort", "avoid"].map(stream));
    for (stream, verdicts) in report["streams"].as_array().expect("streams").iter().zip([(58, 12), (440, 46)])
    {
        assert_eq!((&stream["sat"], &stream["unsat"]), (&Value::from(verdicts.0), &Value::from(verdicts.1)));
        let runs = stream["runs"].as_array().expect("runs");
        assert!(runs.iter().all(|run| run["models_checked"] == 0), "no model was asked for");
    }
}

#[test]
fn logs_of_klee_are_streams() {
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/streams/tinyregex.smt2.gz");
    let (z3, yices) = (find("z3"), find("yices-smt2"));
    let args = ["--first", "40", "--solver", &z3.to_string_lossy(), "--solver", &yices.to_string_lossy()];
    let report = report(&args, &[sample]);
    assert_eq!(report["streams"][0]["queries"], 40);
}

#[test]
fn the_same_flags_give_the_same_bytes_whoever_guides() {
    let folder = Folder::new();
    for solver in ["z3", "yices-smt2"] {
        for (name, flags) in [
            ("small-1", "--seed 1 --size small"),
            ("triangle", "--program triangle --keys 4 --depth 40 --queries 400"),
            ("tree", "--program tree --keys 5 --depth 40 --queries 2000"),
        ] {
            let file = folder.path(&format!("{name}.smt2"));
            let solver = find(solver);
            let mut args = vec!["generate", "--solver", solver.to_str().expect("a name"), "--out"];
            args.push(file.to_str().expect("a name"));
            args.extend(flags.split(' '));
            let output = study(&args, &[]);
            assert!(output.status.success(), "{}", text(&output.stderr));
            let made = std::fs::read_to_string(&file).expect("a stream");
            assert!(made == unpacked(&stream(name)), "{name} is not what its command makes");
        }
    }
}

#[test]
fn a_program_of_ones_own_is_explored() {
    let folder = Folder::new();
    let program = folder.file("p.txt", "entry main(x, y) { if (x < y) { if (y < x) { x = 0; } } }");
    let out = folder.path("p.smt2");
    let z3 = find("z3");
    let args = ["generate", "--solver", z3.to_str().unwrap(), "--out", out.to_str().unwrap(), "--file"];
    let output = study(&args, &[program]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let made = std::fs::read_to_string(&out).expect("a stream");
    let asked: Vec<&str> = made.lines().filter(|l| l.starts_with("(assert")).collect();
    assert_eq!(asked, ["(assert (< x y))", "(assert (< y x))", "(assert (>= y x))", "(assert (>= x y))"]);
}

/// A solver that says unsat to everything but the question that it is started with.
const LIAR: &str = r#"#!/bin/sh
first=1
while read -r line; do
  case "$line" in
    "(check-sat)"*) if [ $first = 1 ]; then echo sat; first=0; else echo unsat; fi ;;
    "(echo "*) line=${line#(echo \"}; echo "${line%\")}" ;;
  esac
done
"#;

#[test]
fn a_solver_that_lies_is_found_out_with_the_place() {
    let folder = Folder::new();
    let (z3, liar) = (find("z3"), folder.program("liar", LIAR));
    let args = [
        "streams",
        "--technique",
        "stack",
        "--solver",
        z3.to_str().unwrap(),
        "--solver",
        liar.to_str().unwrap(),
    ];
    let output = study(&args, &[stream("sort")]);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("sort line 10: unsat by stack with liar, sat by stack with z3"), "{said}");
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let folder = Folder::new();
    let z3 = find("z3");
    let complaint = |args: &[&str], files: &[PathBuf]| {
        let output = study(args, files);
        assert_eq!(output.status.code(), Some(2), "{}", text(&output.stdout));
        text(&output.stderr)
    };
    let run = ["streams", "--solver", z3.to_str().unwrap()];
    for (content, expected) in [
        ("(declare-const x Int)\n(assert (< x))\n(check-sat)\n", "bad.smt2:2:9: "),
        (
            "(declare-const x Int)\n(minimize x)\n(check-sat)\n",
            "bad.smt2:2:1: this command has no place in a stream",
        ),
        ("(declare-const x Int)\n", "bad.smt2: no query"),
        ("(check-sat)\n(assert", "bad.smt2:2:1: "),
        ("", "bad.smt2: no query"),
        ("\u{0}\u{1}", "bad.smt2:1:1: "),
    ] {
        let said = complaint(&run, &[folder.file("bad.smt2", content)]);
        assert!(said.contains(expected), "{content:?}: {said}");
    }
    let said = complaint(&run, &[folder.file("bad.smt2.gz", "not packed")]);
    assert!(said.contains("bad.smt2.gz: gzip"), "{said}");
    let said = complaint(&run, &[folder.path("none.smt2")]);
    assert!(said.contains("none.smt2: "), "{said}");
    let out = folder.text("out.smt2");
    let said = complaint(&["generate", "--program", "nothing", "--out", &out], &[]);
    assert!(said.contains("no program is called \"nothing\""), "{said}");
    let program = folder.file("p.txt", "entry main(x) { y = z; }");
    let said = complaint(&["generate", "--out", &out, "--file"], &[program]);
    assert!(said.contains("1:21: \"z\" has no value yet"), "{said}");
}

#[test]
fn tables_become_a_document() {
    let folder = Folder::new();
    let (yices, out) = (find("yices-smt2"), folder.path("study.md"));
    let args = ["streams", "--technique", "stack", "--technique", "green", "--rounds", "2", "--solver"];
    let args = [&args[..], &[yices.to_str().unwrap(), "--out", out.to_str().unwrap()]].concat();
    let output = study(&args, &[stream("triangle")]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let document = std::fs::read_to_string(&out).expect("a document");
    assert!(
        document.contains("## triangle: 32 queries, 29 sat, 3 unsat, at most 9 constraints"),
        "{document}"
    );
    assert!(document.contains("| stack | yices-smt2 | 32 | 0 |"), "{document}");
    assert!(text(&output.stdout).contains("of stack"));
}

#[test]
fn subjects_are_explored_at_every_level_of_reuse() {
    let z3 = find("z3");
    let folder = Folder::new();
    let out = folder.path("study.md");
    let args =
        ["explore", "--json", "--only", "trityp", "--only", "wbs, 2", "--solver", &z3.to_string_lossy()];
    let output =
        study(&[&args[..], &["--out", &folder.text("study.md"), "--subjects"]].concat(), &[subjects()]);
    let said = text(&output.stderr);
    assert!(output.status.success(), "{said}");
    let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}\n{said}"));
    let calls = |subject: &Value| {
        let levels = subject["levels"].as_array().expect("levels").iter();
        let counts = levels.map(|l| format!("{} {}", l["level"].as_str().expect("a name"), l["calls"]));
        format!("{}: {}", subject["subject"].as_str().expect("a name"), counts.collect::<Vec<_>>().join(", "))
    };
    let found: Vec<String> = report["subjects"].as_array().expect("subjects").iter().map(calls).collect();
    assert_eq!(
        found,
        [
            "TriTyp: none 32, green 28, klee 28, greentrie 28, exact 19, subset 19, logical 19, full 13, \
             default 0",
            "WBS, 2 steps: none 1150, green 12, klee 12, greentrie 10, exact 12, subset 12, logical 10, \
             full 6, default 0",
        ]
    );
    // Every arm is in one column.
    for level in report["subjects"].as_array().expect("subjects").iter().flat_map(|s| s["levels"].as_array())
    {
        for level in level {
            let arms = level["arms"].as_object().expect("columns").values();
            let sum: u64 = arms.map(|n| n.as_u64().expect("a number")).sum();
            assert_eq!(sum, level["queries"].as_u64().expect("a number"), "{level}");
        }
    }
    let table = std::fs::read_to_string(out).expect("a document");
    assert!(table.contains("| TriTyp       |    14 |      32 |"), "{table}");
    let output = study(&["explore", "--only", "nothing"], &[]);
    assert!(text(&output.stderr).contains("no subject is called so\nhelp: there are TriTyp;"));
}

#[test]
fn greens_table_has_its_counts() {
    let output = study(&["counting", "--operations", "3", "--json", "--subjects"], &[subjects()]);
    let report: Value =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}: {}", text(&output.stderr)));
    let cells = report["cells"].as_array().expect("cells");
    assert_eq!(cells.len(), 6, "{report}");
    for cell in cells {
        let (with, without) = (&cell["with"], &cell["without"]);
        assert_eq!((&with["paths"], &with["queries"]), (&without["paths"], &without["queries"]), "{cell}");
        let number = |value: &Value| value.as_u64().expect("a number");
        assert!(number(&with["reused"]) > 0 && number(&without["reused"]) == 0, "{cell}");
        assert!(number(&cell["default"]["queries"]) * 2 <= number(&with["queries"]), "{cell}");
    }
}

#[test]
fn pages_are_compared_without_their_times() {
    let folder = Folder::new();
    let page = |name: &str, calls: u32, seconds: &str| {
        let table = format!(
            "## Calls\n\n| subject | calls | time |\n|---|--:|--:|\n| tcas | {calls} | {seconds} |\n"
        );
        folder.file(name, table).display().to_string()
    };
    let (old, same, other) =
        (page("old.md", 18, "0.2 s"), page("same.md", 18, "0.9 s"), page("other.md", 19, "0.2 s"));
    let compare = |new: &str| lab().args(["compare", &old, new]).output().expect("started");
    let output = compare(&same);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(text(&output.stdout), format!("{old}: 1 counts compared, 0 differ\n"));
    let output = compare(&other);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        text(&output.stdout).starts_with("Calls | tcas | calls: was \"18\", is \"19\"\n"),
        "{}",
        text(&output.stdout)
    );
    let empty = folder.file("empty.md", "# Nothing\n").display().to_string();
    assert_eq!(compare(&empty).status.code(), Some(2));
}
