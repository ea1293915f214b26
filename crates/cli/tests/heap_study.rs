//! `evergreen study bliss` and `evergreen bounds`: the paper's counts, through the machine and without it; bounds that are computed once.

use crate::common::{Folder, PATIENCE, evergreen, stderr, stdout};
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

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
fn one_cell_is_one_object() {
    let folder = Folder::new();
    let args =
        ["study", "bliss", "--subject", "TreeSet.bfs", "--technique", "bliss", "--scope", "8", "--json"];
    let cells = objects(&run(&folder, &args));
    assert_eq!(cells.len(), 1);
    assert_eq!((&cells[0]["structures"], &cells[0]["paper_seconds"]), (&95.into(), &2.0.into()));
    for field in ["pruned", "sat_calls", "seconds"] {
        assert!(cells[0][field].is_number(), "{field}");
    }
}

#[test]
fn every_subject_of_the_tables_can_be_run() {
    let folder = Folder::new();
    let cells = objects(&run(&folder, &["study", "bliss", "--technique", "bliss", "--scope", "2", "--json"]));
    let done = cells.iter().filter(|cell| cell["end"] == "done").count();
    assert_eq!((cells.len(), done), (32, 32));
}

#[test]
fn the_machine_and_the_methods_in_rust_agree() {
    let folder = Folder::new();
    let counts = |via: &str| {
        let args = ["study", "bliss", "--via", via, "--subject", "TreeSet.dfs", "--scope", "3..6", "--json"];
        let cells = objects(&run(&folder, &args));
        cells.iter().map(|c| c["structures"].as_u64().expect("a count")).collect::<Vec<u64>>()
    };
    // Scopes 3 to 6 by LI, BLI, RBLI, BLISS, BLISSDB: Table IX.
    let paper = [8, 22, 64, 196, 4, 14, 20, 92, 4, 8, 14, 42, 4, 8, 14, 26, 4, 8, 14, 26];
    assert_eq!(counts("direct"), paper);
    assert_eq!(counts("jvm"), paper);
}

#[test]
fn an_interrupted_study_tells_what_it_has() {
    let folder = Folder::new();
    let args = [
        "study",
        "bliss",
        "--via",
        "direct",
        "--subject",
        "BinTree.bfs",
        "--technique",
        "li",
        "--scope",
        "16",
        "--json",
    ];
    let child =
        evergreen(&folder).args(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("started");
    // SIGINT is 2: until it is caught it would end the program.
    let caught = || {
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let mask =
            status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap_or("0").trim().to_string();
        u64::from_str_radix(&mask, 16).is_ok_and(|mask| mask & 2 != 0)
    };
    // Hundredths of a second that the processor has worked for it: the clock's time may all be the time of others.
    let worked = || {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", child.id())).unwrap_or_default();
        let fields = stat.rsplit(") ").next().unwrap_or_default().split(' ').skip(11).take(2);
        fields.filter_map(|ticks| ticks.parse::<u64>().ok()).sum::<u64>()
    };
    let deadline = Instant::now() + PATIENCE;
    let wait_until = |is_so: &dyn Fn() -> bool| {
        while !is_so() {
            assert!(Instant::now() < deadline, "it does not work");
            std::thread::sleep(Duration::from_millis(20));
        }
    };
    wait_until(&caught);
    let before = worked();
    wait_until(&|| worked() >= before + 20);
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill");
    assert!(sent.success());
    let cells = objects(&child.wait_with_output().expect("ended"));
    assert_eq!(cells.len(), 1);
    assert_eq!(cells[0]["end"], "interrupted");
    assert!(cells[0]["structures"].as_u64().is_some_and(|n| n < 45_000_000));
}

#[test]
fn tables_become_a_document() {
    let folder = Folder::new();
    let out = folder.path("study.md").display().to_string();
    let args =
        ["study", "bliss", "--via", "direct", "--subject", "TreeSet.dfs", "--scope", "3..4", "--out", &out];
    assert!(run(&folder, &args).status.success());
    let written = || std::fs::read_to_string(&out).expect("written");
    let text = written();
    assert!(text.contains("| bli     | **4** | **14** |"), "{text}");
    // The same of cells that were printed before.
    let args = ["study", "bliss", "--via", "direct", "--subject", "TreeSet.dfs", "--scope", "3..4", "--json"];
    let cells = folder.file("cells", stdout(&run(&folder, &args))).display().to_string();
    assert!(run(&folder, &["study", "bliss", "--from", &cells, "--out", &out]).status.success());
    let again = written();
    assert!(again.contains("| bli     | **4** | **14** |"), "{again}");
}

#[test]
fn what_is_wrong_is_said() {
    let folder = Folder::new();
    let said = |args: &[&str]| {
        let output = run(&folder, args);
        assert_eq!(output.status.code(), Some(2));
        stderr(&output)
    };
    let text = said(&["study", "bliss", "--subject", "Tree"]);
    assert!(text.contains("no subject is called \"Tree\"\nhelp: there are"), "{text}");
    let text = said(&["study", "bliss", "--scope", "7..3"]);
    assert!(text.contains("is no scope; write 13 or 7..13"), "{text}");
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
