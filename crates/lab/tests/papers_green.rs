//! `evergreen-lab papers green`: counts of the small exhibits, which are those of the paper or near them.

use crate::common::{Folder, lab, subjects};
use serde_json::Value;
use std::path::Path;

/// What an exhibit shows, as JSON.
fn exhibit(work: &Path, words: &[&str]) -> Value {
    let output = lab()
        .args(["papers", "green", "--json"])
        .args(words)
        .arg("--work")
        .arg(work)
        .arg("--subjects")
        .arg(subjects())
        .output()
        .expect("started");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}");
    serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}\n{said}"))
}

/// Some columns of a table, without its head.
fn columns(shown: &Value, table: usize, wanted: &[usize]) -> Vec<Vec<String>> {
    let rows = shown["tables"][table]["rows"].as_array().expect("rows");
    let cell = |row: &Value, at: usize| row[at].as_str().expect("a cell").to_string();
    rows.iter().skip(1).map(|row| wanted.iter().map(|at| cell(row, *at)).collect()).collect()
}

#[test]
fn the_example_has_the_calls_of_the_paper() {
    let folder = Folder::new();
    let shown = exhibit(&folder.path("work"), &["--figure", "2"]);
    assert_eq!(shown["mark"], "equal", "{shown}");
    assert_eq!(columns(&shown, 0, &[2, 4]), [["22", "6"], ["22", "4"], ["22", "0"]]);
}

#[test]
fn both_analyses_take_answers_from_each_other() {
    let folder = Folder::new();
    let shown = exhibit(&folder.path("work"), &["--table", "4"]);
    // Questions and calls: DSE without reuse, DSE, symbolic execution after it; and the other way round.
    let expected = [["205", "205"], ["205", "35"], ["678", "7"], ["678", "42"], ["205", "0"]];
    assert_eq!(columns(&shown, 0, &[2, 3]), expected);
}

#[test]
fn a_repaired_tree_needs_no_call_after_the_one_before() {
    let folder = Folder::new();
    let shown = exhibit(&folder.path("work"), &["--table", "2"]);
    assert_eq!(columns(&shown, 0, &[1, 2, 3]), [["1536", "297", "297"], ["1336", "0", "297"]]);
    assert_eq!(columns(&shown, 1, &[2, 3]), [["51", "51"], ["0", "51"]]);
}

#[test]
fn trees_share_the_keys_that_they_share_in_the_paper() {
    let folder = Folder::new();
    let work = folder.path("work");
    let shown = exhibit(&work, &["--figure", "4"]);
    let expected = ["154", "141", "46", "0", "0", "154", "2"];
    let found: Vec<String> = columns(&shown, 0, &[1]).concat().into_iter().take(7).collect();
    assert_eq!(found, expected);
}
