//! What a finding is: severities of failures, in every report, and the exit codes that come of them.

use crate::common::{Folder, evergreen, run, stderr, stdout};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::process::Command;

fn contracts(folder: &Folder) -> PathBuf {
    let file = folder.path("Contracts.java");
    std::fs::write(&file, include_str!("data/Contracts.java")).expect("a source");
    file
}

fn explore(folder: &Folder, flags: &[&str]) -> Command {
    let mut command = evergreen(folder);
    command.arg("explore").args(flags);
    command
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"))).collect()
}

/// Each method with the severities that its failures have, as its name says.
#[test]
fn failures_have_severities_in_all_reports() {
    let folder = Folder::new();
    let (sarif, page, markdown) = (folder.path("f.sarif"), folder.path("f.html"), folder.path("f.md"));
    let mut command = explore(&folder, &["--json", "--no-replay", "--sarif"]);
    command.arg(&sarif).arg("--report").arg(&page).arg("--markdown").arg(&markdown);
    let output = run(command.arg(contracts(&folder)), "");
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let events = lines(&stdout(&output));
    let text = |event: &Value, name: &str| event[name].as_str().unwrap_or_default().to_string();
    let mut by_method: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for event in &events {
        let method = text(event, "method");
        let method = method.split(['.', '(']).nth(1).unwrap_or_default().to_string();
        let severity = text(event, "severity");
        match &*text(event, "event") {
            "path" => drop(by_method.entry(method).or_default()),
            "finding" => assert!(["assertion", "unexpected"].contains(&&*severity), "{event}"),
            "noted" => assert!(["declared", "null"].contains(&&*severity), "{event}"),
            _ => continue,
        }
        if !severity.is_empty() {
            let method = text(event, "method");
            let method = method.split(['.', '(']).nth(1).unwrap_or_default().to_string();
            by_method.entry(method).or_default().insert(severity);
        }
    }
    assert!(by_method.len() > 25, "{by_method:?}");
    for (method, severities) in &by_method {
        let end = method.find(char::is_uppercase).expect("a name");
        let expected: &[&str] = match &method[..end] {
            "both" => &["null", "unexpected"],
            "fine" => &[],
            one => &[one],
        };
        assert_eq!(severities.iter().map(String::as_str).collect::<Vec<_>>(), expected, "{method}");
    }
    let summary = events.last().expect("a summary");
    assert_eq!(summary["severities"], json!({ "assertion": 1, "unexpected": 9, "declared": 0, "null": 0 }));
    assert_eq!(summary["noted"], json!({ "assertion": 0, "unexpected": 0, "declared": 8, "null": 9 }));
    // What threw first is shown, not what threw it again.
    let again = events
        .iter()
        .find(|event| text(event, "event") == "finding" && text(event, "method").contains("unexpectedAgain"));
    let source = include_str!("data/Contracts.java");
    let line = source.lines().position(|line| line.contains("// line")).expect("the line") + 1;
    assert!(
        text(again.expect("a finding"), "place").ends_with(&format!("Contracts.java:{line})")),
        "{again:?}"
    );

    let sarif: Value = serde_json::from_str(&std::fs::read_to_string(sarif).expect("SARIF")).expect("JSON");
    let results = sarif["runs"][0]["results"].as_array().expect("results");
    let levels: BTreeSet<(String, String)> =
        results.iter().map(|r| (text(&r["properties"], "severity"), text(r, "level"))).collect();
    let pairs = [("assertion", "error"), ("declared", "note"), ("null", "note"), ("unexpected", "error")];
    assert_eq!(levels, pairs.map(|(a, b)| (a.to_string(), b.to_string())).into());
    let page = std::fs::read_to_string(page).expect("a page");
    assert!(page.contains("<dt>severity</dt><dd>assertion</dd>"));
    assert!(page.contains("NullPointerException for a null argument at Contracts.nullLength"));
    let markdown = std::fs::read_to_string(markdown).expect("a summary");
    assert!(markdown.contains("| unexpected |") && markdown.contains("8 declared, 9 null"), "{markdown}");
}

/// Which failures are findings, and what the exit code says of a run without any.
#[test]
fn flags_say_what_is_found() {
    let folder = Folder::new();
    // Compiled once, not by every run.
    let target = folder.path("classes");
    let mut javac = Command::new("javac");
    let done = javac.arg("-g").arg("-d").arg(&target).arg(contracts(&folder)).status();
    assert!(done.expect("these tests need javac on PATH").success());
    let code = |flags: &[&str]| {
        let output = run(explore(&folder, &["--no-replay", "-q"]).args(flags).arg(&target), "");
        (output.status.code(), stdout(&output))
    };
    for (flags, expected) in [
        (&["-m", "nullLength"][..], 0),
        (&["-m", "nullLength", "--fail-on", "declared"], 0),
        (&["-m", "nullLength", "--fail-on", "null"], 1),
        (&["-m", "declaredThrown", "--fail-on", "declared"], 1),
        (&["-m", "unexpectedMachine", "--fail-on", "assertion"], 0),
        (&["-m", "unexpectedMachine", "--property", "assertions"], 0),
        (&["-m", "unexpectedMachine", "--property", "exceptions"], 1),
        (&["-m", "assertionOwn", "--property", "exceptions"], 0),
        (&["-m", "assertionOwn", "--property", "assertions"], 1),
        // Lengths are a stated bound; what --paths cuts is missing.
        (&["-m", "fineCaught", "--require-complete"], 0),
        (&["-m", "nullSwitched", "--non-null", "--fail-on", "null", "--require-complete"], 0),
        (&["-m", "nullSwitched", "--paths", "2"], 0),
        (&["-m", "nullSwitched", "--paths", "2", "--require-complete"], 3),
        (&["-m", "nullSwitched", "--steps", "1"], 3),
    ] {
        let (code, text) = code(flags);
        assert_eq!(code, Some(expected), "{flags:?}: {text}");
    }
    let (code, text) = code(&["--stop-at-first"]);
    assert!(
        code == Some(1) && text.contains("1 finding on 1 path of 1 method, stopped at the first finding"),
        "{text}"
    );
}

/// Objects that cannot be made leave a method without inputs, which is no result; with `--heap` they are.
#[test]
fn parameters_are_never_null_if_that_is_said() {
    let folder = Folder::new();
    let file = folder.path("Node.java");
    let source = "public class Node { Node next; int size; private Node(int size) {}
        public static int of(Node n, Node[] all, String s) { return n.size + all.length + s.length(); } }";
    std::fs::write(&file, source).expect("a source");
    let flags = ["--json", "--no-replay", "--non-null", "--fail-on", "null", "--input-length", "1"];
    let output = run(explore(&folder, &flags).arg(&file), "");
    assert_eq!(output.status.code(), Some(2), "{}", stdout(&output));
    let output = run(explore(&folder, &flags).args(["--heap", "li", "--scope", "1"]).arg(&file), "");
    assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
    let events = lines(&stdout(&output));
    let summary = events.last().expect("a summary");
    assert_eq!((&summary["paths"], &summary["findings"]), (&json!(2), &json!(0)), "{summary}");
    assert!(summary["within"].as_str().is_some_and(|words| words.contains("--non-null")), "{summary}");
}

/// A class that is missing says something of the class path, not of the program.
#[test]
fn missing_classes_are_no_findings() {
    let folder = Folder::new();
    let (sources, classes) = (folder.path("src"), folder.path("classes"));
    std::fs::create_dir_all(&sources).expect("a folder");
    let files = [
        ("Lib", "public class Lib { static int twice(int n) { return 2 * n; } }"),
        (
            "Uses",
            "public class Uses {
            public static int half(int n) { return n > 3 ? Lib.twice(n) : 0; }
            public static int whole(int n) { return Lib.twice(n); }
            public static int optional(int n) {
                try { return Lib.twice(n); } catch (NoClassDefFoundError e) { return -1; }
            } }",
        ),
    ];
    for (name, text) in files {
        std::fs::write(sources.join(format!("{name}.java")), text).expect("a source");
    }
    let mut javac = Command::new("javac");
    javac.arg("-d").arg(&classes).args(files.map(|(name, _)| sources.join(format!("{name}.java"))));
    assert!(javac.status().expect("these tests need javac on PATH").success());
    std::fs::remove_file(classes.join("Lib.class")).expect("a class");
    for (method, paths, code) in [("half", 1, 3), ("whole", 0, 3), ("optional", 1, 0)] {
        let flags = ["--json", "-m", method];
        let output = run(explore(&folder, &flags).arg(&classes), "");
        assert_eq!(output.status.code(), Some(code), "{method}");
        let events = lines(&stdout(&output));
        let summary = events.last().expect("a summary");
        assert_eq!((&summary["paths"], &summary["findings"]), (&json!(paths), &json!(0)), "{method}");
        let missing = summary["missing"].to_string();
        assert_eq!(
            missing.contains("the class Lib is not on the class path"),
            method != "optional",
            "{missing}"
        );
        assert_eq!(summary["divergences"], json!(0));
    }
}

/// What is proved is not explored; what is not proved is.
#[test]
fn induction_proves_what_exploring_would_not_end() {
    let folder = Folder::new();
    let file = folder.path("Rises.java");
    let source = "public class Rises {
        static int add(int a, int b) { return b <= 0 ? a : add(a + 1, b - 1); }
        public static void holds(int a, int b) { if (b >= 0) assert add(a, b) == a + b; }
        public static void fails(int a, int b) { if (b > 2) assert add(a, b) != 7; }
    }";
    std::fs::write(&file, source).expect("a source");
    let prove = |method: &str, flags: &[&str]| {
        let given = ["--property", "assertions", "--induction", "--stop-at-first", "--method", method];
        let mut command = explore(&folder, &given);
        run(command.args(flags).arg(&file), "")
    };
    let output = prove("holds", &[]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    assert!(text.starts_with("nothing fails: proved by induction over Rises.add\n"), "{text}");
    assert!(text.contains("  add(p0, p1) == p0 + p1 if p1 >= 0\n"), "{text}");
    let summary = lines(&stdout(&prove("holds", &["--json"]))).pop().expect("a summary");
    assert_eq!(summary["explored"], json!("all"));
    assert_eq!(summary["proof"]["over"][0]["method"], json!("Rises.add"));
    let output = prove("fails", &["--no-replay"]);
    assert_eq!(output.status.code(), Some(1), "{}", stdout(&output));
    assert!(stdout(&output).contains("AssertionError"), "{}", stdout(&output));
    let refused = run(explore(&folder, &["--induction"]).arg(&file), "");
    assert_eq!(refused.status.code(), Some(2), "it needs --property");
}
