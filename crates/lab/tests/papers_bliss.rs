//! The drivers of the exhibits of BLISS: what they collect at small scopes.

use crate::common::{lab, stderr, stdout};
use serde_json::Value;

/// Structures by LI, then by BLISS, of a subject at scopes.
fn structures(subject: &str, scopes: &str) -> Vec<u64> {
    let args = ["study", "bliss", "--technique", "li", "--technique", "bliss", "--json"];
    let output = lab().args(args).args(["--subject", subject, "--scope", scopes]).output().expect("started");
    assert!(output.status.success(), "{}", stderr(&output));
    let count = |line: &str| {
        let cell: Value = serde_json::from_str(line).expect("an object");
        cell["structures"].as_u64().expect("a count")
    };
    stdout(&output).lines().map(count).collect()
}

#[test]
fn a_driver_that_checks_first_collects_the_valid_shapes_whatever_the_technique() {
    // Red-black shapes of up to 3, 4, 5, 6 nodes.
    assert_eq!(structures("TreeSet.add", "3..6"), [4, 8, 14, 26, 4, 8, 14, 26]);
}

#[test]
fn methods_that_change_a_structure_collect_distinct_ones() {
    // The paper has 24, 104, 417 and 8, 47, 91: ours has two more at scope 3, read in a rotation.
    assert_eq!(structures("TreeSet.remove", "3..5"), [26, 106, 394, 10, 46, 80]);
    assert_eq!(structures("AvlTree.insert", "3..5"), [17, 47, 129, 9, 17, 23]);
    // The paper has 16, 58 and 9, 18.
    assert_eq!(structures("BinomialHeap.delete", "3..4"), [22, 93, 8, 26]);
}

#[test]
fn the_hunt_for_the_bug_ends_at_the_papers_structure() {
    assert_eq!(structures("BinomialHeap.extractMinBug", "20"), [9, 9]);
}

#[test]
fn the_exhibits_are_the_ten_tables() {
    let output = lab().args(["papers", "bliss", "--table", "XI"]).output().expect("started");
    assert_eq!(output.status.code(), Some(2));
    let tables = ["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X"];
    let named = tables.map(|number| format!("table {number}")).join(", ");
    assert!(stderr(&output).contains(&named), "{}", stderr(&output));
}
