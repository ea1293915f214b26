//! `--audit`: wrong answers that a lying solver has put into the store are found, printed and removed.

use crate::common::{Folder, evergreen, run, stderr, stdout};
use std::process::Command;

/// A solver that finds everything unsatisfiable.
const LIAR: &str = r#"#!/bin/sh
while read -r line; do
  case "$line" in
    *"(check-sat"*) echo unsat ;;
    "(get-unsat-core)"*) echo "()" ;;
    *"(echo "*) line=${line#*\"}; echo "${line%%\"*}" ;;
  esac
done
"#;

/// The whole ladder, with the native core off: it would not believe the liar.
fn full(folder: &Folder) -> Command {
    let mut command = evergreen(folder);
    command.env("EVERGREEN_REUSE", "full");
    command
}

fn solve(mut command: Command, solver: &str, more: &[&str], script: &str) -> (String, String, Option<i32>) {
    let output = run(command.args(["solve", "--solver", solver]).args(more), script);
    (stdout(&output), stderr(&output), output.status.code())
}

const QUERY: &str = "(declare-const x Int)(declare-const y Int)\
    (assert (= (* x y) 221))(assert (> x 1))(assert (> y x))(check-sat)";

#[test]
fn a_wrong_record_is_printed_and_removed_and_decides_the_exit_code() {
    let folder = Folder::new();
    let liar = folder.program("liar", LIAR).display().to_string();
    assert_eq!(solve(evergreen(&folder), &liar, &[], QUERY).0, "unsat\n");
    // Without an audit the lie is an answer like any other.
    assert_eq!(solve(evergreen(&folder), "z3", &[], QUERY), ("unsat\n".into(), String::new(), Some(0)));
    assert_eq!(solve(evergreen(&folder), "z3", &["--audit", "0"], QUERY).2, Some(0));

    let stats = folder.text("stats");
    let (said, complaint, code) =
        solve(evergreen(&folder), "z3", &["--audit", "1", "--stats", &stats], QUERY);
    assert_eq!((said.as_str(), code), ("sat\n", Some(4)), "{complaint}");
    let first =
        "evergreen: audit: reused \"unsat\", but the solver says \"sat\" (rungs: exact); 1 entry was removed";
    assert!(complaint.starts_with(first), "{complaint}");
    for line in ["(declare-fun x () Int)", "(assert (= (* x y) 221))", "(check-sat)"] {
        assert!(complaint.contains(line), "no {line} in {complaint}");
    }
    let stats: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(&stats).expect("statistics")).expect("JSON");
    assert_eq!(stats["contradicted"], 1);
    assert_eq!(stats["audits"], serde_json::json!({ "asked": 1, "undecided": 0, "contradicted": 1 }));

    // It is gone: solved, then reused, and an audit of that finds nothing.
    assert_eq!(solve(evergreen(&folder), "z3", &[], QUERY).0, "sat\n");
    let (said, complaint, code) = solve(evergreen(&folder), "z3", &["--audit", "1", "--summary"], QUERY);
    assert_eq!((said.as_str(), code), ("sat\n", Some(0)), "{complaint}");
    assert!(complaint.contains("audited 1 reused answers: 0 contradicted, 0 undecided"), "{complaint}");
}

#[test]
fn a_wrong_set_is_removed_with_what_it_implied() {
    let folder = Folder::new();
    let liar = folder.program("liar", LIAR).display().to_string();
    let longer = QUERY.replace("(check-sat)", "(assert (< y 100))(check-sat)");
    assert_eq!(solve(full(&folder), &liar, &[], QUERY).0, "unsat\n");
    assert_eq!(solve(full(&folder), "z3", &["--audit", "0"], &longer).0, "unsat\n");
    let longest = longer.replace("(check-sat)", "(assert (< x 90))(check-sat)");
    let (said, complaint, code) = solve(full(&folder), "z3", &["--audit", "1"], &longest);
    assert_eq!((said.as_str(), code), ("sat\n", Some(4)), "{complaint}");
    assert!(complaint.contains("(rungs: implied)"), "{complaint}");
    // Another query that the set would have answered.
    let other = QUERY.replace("(check-sat)", "(assert (< y 101))(check-sat)");
    assert_eq!(solve(full(&folder), "z3", &[], &other).0, "sat\n");
}

#[test]
fn the_environment_and_the_configuration_set_it_too() {
    let folder = Folder::new();
    let liar = folder.program("liar", LIAR).display().to_string();
    let read_only = ["--mode", "read-only"];
    solve(evergreen(&folder), &liar, &[], QUERY);
    let mut command = evergreen(&folder);
    command.env("EVERGREEN_AUDIT", "1");
    let (said, complaint, code) = solve(command, "z3", &read_only, QUERY);
    assert_eq!((said.as_str(), code), ("sat\n", Some(4)), "{complaint}");
    assert!(complaint.contains("could not be removed from the store"), "{complaint}");
    let mut command = evergreen(&folder);
    command.env("EVERGREEN_CONFIG", folder.file("config.toml", "audit = 1.0\n"));
    assert_eq!(solve(command, "z3", &read_only, QUERY).2, Some(4));
    // Half of all answers: some are audited, some are not.
    let many = QUERY.to_string() + &"(check-sat)".repeat(199);
    let (said, _, code) = solve(evergreen(&folder), "z3", &["--mode", "read-only", "--audit", "0.5"], &many);
    assert_eq!(code, Some(4));
    let wrong = said.lines().filter(|line| *line == "unsat").count();
    assert!((40..160).contains(&wrong), "{wrong} of 200 were not audited");

    for bad in ["2", "-0.1", "often", "NaN"] {
        let flag = format!("--audit={bad}");
        let (_, complaint, code) = solve(evergreen(&folder), "z3", &[&flag], QUERY);
        assert_eq!(code, Some(2));
        assert!(complaint.contains("is no share between 0 and 1, such as 0.01"), "{complaint}");
        let mut command = evergreen(&folder);
        command.env("EVERGREEN_AUDIT", bad);
        let (_, complaint, code) = solve(command, "z3", &[], QUERY);
        assert_eq!(code, Some(2));
        assert!(complaint.starts_with("evergreen: EVERGREEN_AUDIT: "), "{complaint}");
    }
}

#[test]
fn explorations_are_audited_in_every_thread() {
    let folder = Folder::new();
    let liar = folder.program("liar", LIAR).display().to_string();
    let source =
        "public class Root { public static int of(int x) { if (x * x == 49) { return 1; } return 0; } }";
    let source = folder.file("Root.java", source).display().to_string();
    let explore = |solver: &str, more: &[&str]| {
        let mut command = full(&folder);
        let output =
            run(command.args(["explore", &source, "--no-replay", "--solver", solver]).args(more), "");
        (stdout(&output) + &stderr(&output), output.status.code())
    };
    explore(&liar, &[]);
    let (said, code) = explore("z3", &["--audit", "1", "--jobs", "2"]);
    assert_eq!(code, Some(4), "{said}");
    assert!(said.contains("audit: reused \"unsat\", but the solver says \"sat\""), "{said}");
    let (said, code) = explore("z3", &["--audit", "1"]);
    assert_eq!(code, Some(0), "{said}");
}
