//! `evergreen-lab study bliss`: the paper's counts, through the machine and without it.

use crate::common::{Folder, PATIENCE, lab, stderr, stdout};
use serde_json::Value;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

fn run(args: &[&str]) -> Output {
    lab().args(args).output().expect("started")
}

/// The objects that a command prints, one per line.
fn objects(output: &Output) -> Vec<Value> {
    assert!(output.status.success(), "{}", stderr(output));
    stdout(output).lines().map(|line| serde_json::from_str(line).expect("an object")).collect()
}

#[test]
fn one_cell_is_one_object() {
    let args =
        ["study", "bliss", "--subject", "TreeSet.bfs", "--technique", "bliss", "--scope", "8", "--json"];
    let cells = objects(&run(&args));
    assert_eq!(cells.len(), 1);
    assert_eq!((&cells[0]["structures"], &cells[0]["paper_seconds"]), (&95.into(), &2.0.into()));
    for field in ["pruned", "sat_calls", "seconds"] {
        assert!(cells[0][field].is_number(), "{field}");
    }
}

#[test]
fn every_subject_of_the_tables_can_be_run() {
    let cells = objects(&run(&["study", "bliss", "--technique", "bliss", "--scope", "2", "--json"]));
    let done = cells.iter().filter(|cell| cell["end"] == "done").count();
    assert_eq!((cells.len(), done), (32, 32));
}

#[test]
fn the_machine_and_the_methods_in_rust_agree() {
    let counts = |via: &str| {
        let args = ["study", "bliss", "--via", via, "--subject", "TreeSet.dfs", "--scope", "3..6", "--json"];
        let cells = objects(&run(&args));
        cells.iter().map(|c| c["structures"].as_u64().expect("a count")).collect::<Vec<u64>>()
    };
    // Scopes 3 to 6 by LI, BLI, RBLI, BLISS, BLISSDB: Table IX.
    let paper = [8, 22, 64, 196, 4, 14, 20, 92, 4, 8, 14, 42, 4, 8, 14, 26, 4, 8, 14, 26];
    assert_eq!(counts("direct"), paper);
    assert_eq!(counts("jvm"), paper);
}

#[test]
fn an_interrupted_study_tells_what_it_has() {
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
    let child = lab().args(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("started");
    // SIGINT is 2: until it is caught it would end the program.
    let caught = || {
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let mask =
            status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap_or("0").trim().to_string();
        u64::from_str_radix(&mask, 16).is_ok_and(|mask| mask & 2 != 0)
    };
    // Hundredths of a second that the processor has worked for it: the clock's time may all be the time of
    // others.
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
    assert!(run(&args).status.success());
    let written = || std::fs::read_to_string(&out).expect("written");
    let text = written();
    assert!(text.contains("| bli     | **4** | **14** |"), "{text}");
    // The same of cells that were printed before.
    let args = ["study", "bliss", "--via", "direct", "--subject", "TreeSet.dfs", "--scope", "3..4", "--json"];
    let cells = folder.file("cells", stdout(&run(&args))).display().to_string();
    assert!(run(&["study", "bliss", "--from", &cells, "--out", &out]).status.success());
    let again = written();
    assert!(again.contains("| bli     | **4** | **14** |"), "{again}");
}

#[test]
fn what_is_wrong_is_said() {
    let said = |args: &[&str]| {
        let output = run(args);
        assert_eq!(output.status.code(), Some(2));
        stderr(&output)
    };
    let text = said(&["study", "bliss", "--subject", "Tree"]);
    assert!(text.contains("no subject is called \"Tree\"\nhelp: there are"), "{text}");
    let text = said(&["study", "bliss", "--scope", "7..3"]);
    assert!(text.contains("is no scope; write 13 or 7..13"), "{text}");
}
