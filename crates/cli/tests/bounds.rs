//! `evergreen bounds`: field bounds are computed once, and what is wrong is reported.

use crate::common::{Folder, evergreen, stderr, stdout};
use serde_json::Value;
use std::path::Path;
use std::process::Output;

fn run(folder: &Folder, args: &[&str]) -> Output {
    evergreen(folder).args(args).output().expect("started")
}

/// The objects that a command prints, one per line.
fn objects(output: &Output) -> Vec<Value> {
    assert!(output.status.success(), "{}", stderr(output));
    stdout(output).lines().map(|line| serde_json::from_str(line).expect("an object")).collect()
}

fn inv(name: &str) -> String {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("the repository");
    repository.join("subjects/heap").join(name).display().to_string()
}

#[test]
fn what_is_wrong_is_said() {
    let folder = Folder::new();
    let said = |args: &[&str]| {
        let output = run(&folder, args);
        assert_eq!(output.status.code(), Some(2));
        stderr(&output)
    };
    let text = said(&["bounds", "java.util.HashMap", "--scope", "3"]);
    assert!(text.contains("no invariant of \"java.util.HashMap\"\nhelp:"), "{text}");
    let text = said(&["bounds", &inv("TreeSet.inv"), "--scope", "Leaf=3"]);
    assert!(text.contains("no class \"Leaf\"\nhelp: there are TreeSet, Node"), "{text}");
    let text = said(&["bounds", &inv("TreeSet.inv"), "--scope", "70"]);
    assert!(text.contains("a scope of \"71\" objects"), "{text}");
}

#[test]
fn bounds_are_computed_once_and_start_from_smaller_ones() {
    let folder = Folder::new();
    let store = folder.path("store").display().to_string();
    let bounds = |scope: &str, store: &str| {
        objects(&run(&folder, &["bounds", &inv("TreeSet.inv"), "--scope", scope, "--store", store, "--json"]))
            .remove(0)
    };
    let number = |of: &Value, field: &str| of[field].as_u64().expect("a number");
    let alone = bounds("9", "memory:");
    bounds("8", &store);
    let climbed = bounds("9", &store);
    assert!(number(&climbed, "sat_calls") < number(&alone, "sat_calls"));
    let again = bounds("9", &store);
    assert_eq!(number(&again, "sat_calls"), 0);
    for other in [&climbed, &again] {
        assert_eq!((&alone["pairs"], &alone["fields"]), (&other["pairs"], &other["fields"]));
    }
    assert!(number(&alone, "pairs") < number(&alone, "all_pairs"));
    let stats = objects(&run(&folder, &["store", "stats", "--store", &store, "--json"])).remove(0);
    assert_eq!((number(&stats, "heap_bounds"), number(&stats, "other")), (2, 0));
    assert!(run(&folder, &["store", "verify", "--store", &store]).status.success());
}

#[test]
fn bounds_are_found_by_class_too() {
    let folder = Folder::new();
    let of = |class: &str| {
        let output = run(&folder, &["bounds", class, "--scope", "4", "--store", "memory:"]);
        assert!(output.status.success(), "{}", stderr(&output));
        stdout(&output)
    };
    let text = of(&inv("TreeSet.java"));
    assert!(text.contains("  0.root -> 1 null\n") && text.contains("   1.left -> 2 null\n"), "{text}");
    // This one has an annotation.
    assert!(of(&inv("SearchTree.java")).starts_with("SearchTree: "));
    assert!(of("java.util.LinkedList").starts_with("LinkedList: "));
}
