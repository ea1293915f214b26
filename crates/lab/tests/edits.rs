//! Edits of programs, with real verifiers: what is solved again is what the edit can affect.

use crate::common::{lab, product, subjects};
use serde_json::Value;

/// The outcomes of some edits, by name.
fn study(client: &str, only: &[&str]) -> Vec<Value> {
    let mut command = lab();
    command.args(["study", "edits", "--json", "--client", client, "--subjects"]).arg(subjects());
    command.arg("--product").arg(product());
    for name in only {
        command.args(["--only", name]);
    }
    let output = command.output().expect("it starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// Name, conditions, those that are new or affected, and how many of these were solved; no other was.
fn counts(outcomes: &[Value]) -> Vec<(&str, u64, u64, u64)> {
    let number = |outcome: &Value, at: &str| outcome[at].as_u64().expect("a number");
    let mut all = Vec::new();
    for outcome in outcomes {
        assert_eq!(
            (&outcome["solved_old"], &outcome["faults"]),
            (&Value::from([""; 0]), &Value::from([""; 0]))
        );
        let name = outcome["edit"].as_str().expect("a name");
        let [conditions, touched] = ["conditions", "touched"].map(|at| number(outcome, at));
        all.push((name, conditions, touched, number(outcome, "solved_touched")));
    }
    all
}

/// A lambda more at the top gives all later ones another number.
#[test]
fn dafny_solves_what_an_edit_affects() {
    let only = ["method at the top", "all reversed", "class renamed", "contract changed"];
    let wanted = [
        ("method at the top", 19, 2, 2),
        ("all reversed", 17, 0, 0),
        ("class renamed", 17, 0, 0),
        ("contract changed", 17, 1, 1),
    ];
    assert_eq!(counts(&study("dafny", &only)), wanted);
}

#[test]
fn boogie_solves_what_an_edit_affects() {
    let only =
        ["procedure at the top", "another file before", "all reversed", "type renamed", "contract changed"];
    let wanted = [
        ("procedure at the top", 10, 1, 1),
        ("another file before", 10, 1, 1),
        ("all reversed", 9, 0, 0),
        ("type renamed", 9, 0, 0),
        ("contract changed", 9, 2, 1),
    ];
    assert_eq!(counts(&study("boogie", &only)), wanted);
}

/// By the solver alone, each question that the store does not answer is a call.
#[test]
fn paths_of_methods_that_an_edit_does_not_affect_are_not_solved_again() {
    let outcomes = study("java", &["method at the top", "methods reordered", "condition changed"]);
    assert_eq!(outcomes.len(), 3);
    for outcome in &outcomes {
        assert!(outcome["calls_cold"].as_u64() > Some(10), "{outcome}");
        assert_eq!(outcome["calls_old"], 0, "{outcome}");
        let is_new = outcome["edit"] != "methods reordered";
        assert_eq!(outcome["calls_touched"].as_u64() > Some(0), is_new, "{outcome}");
    }
}
