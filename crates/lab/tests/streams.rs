//! Recorded query streams of real programs through one store, by the command `evergreen-lab bench streams`.

use crate::common::lab;
use evergreen_testing::tools;
use serde_json::Value;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const STREAMS: [&str; 4] = ["cu_echo", "jsmn", "regexp", "tinyregex"];

fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/data/streams/{name}.smt2.gz"))
}

fn text(name: &str) -> String {
    let mut child = Command::new("gzip")
        .arg("-dc")
        .arg(sample(name))
        .stdout(Stdio::piped())
        .spawn()
        .expect("gzip is installed");
    let mut text = String::new();
    child.stdout.take().unwrap().read_to_string(&mut text).unwrap();
    assert!(child.wait().unwrap().success());
    text
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

/// Replays; every answer has to be the bare solver's, every model has to hold, and nothing is solved twice.
fn replay(files: &[PathBuf]) -> Value {
    let z3 = tools::find("z3");
    let output = lab()
        .args(["bench", "streams", "--json", "--reuse", "exact", "--no-native", "--solver"])
        .arg(&z3)
        .args(files)
        .output()
        .expect("the command starts");
    let said = String::from_utf8_lossy(&output.stderr);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}\n{said}"));
    assert_eq!(report["faults"], Value::Array(vec![]), "{said}");
    assert!(output.status.success(), "{said}");
    for pass in [&report["cold"], &report["warm"]] {
        assert_eq!(pass["sat"].as_u64().unwrap() + pass["unsat"].as_u64().unwrap(), pass["queries"]);
        assert_eq!(pass["models_checked"], pass["sat"], "every model was evaluated on its whole query");
    }
    assert_eq!(report["warm"]["solved"], 0);
    report
}

fn counts(report: &Value, pass: &str, of: &str) -> Vec<u64> {
    report["streams"].as_array().unwrap().iter().map(|s| s[pass][of].as_u64().unwrap()).collect()
}

#[test]
fn answers_are_the_bare_solvers_and_nothing_is_solved_twice() {
    let report = replay(&STREAMS.map(sample));
    assert_eq!(counts(&report, "cold", "queries"), [60, 100, 100, 80]);
    // Exact, because the same queries have the same keys on every machine. Fewer is progress, more is a
    // regression.
    assert_eq!(counts(&report, "cold", "solved"), [22, 12, 11, 54]);
    assert_eq!(counts(&report, "cold", "parts"), [552, 913, 650, 337]);
    let others: u64 = counts(&report, "cold", "reused_from_others").iter().sum();
    assert!(others > 0, "programs ask each other's questions");
    assert!(report["cold"]["values_answered"].as_u64().unwrap() > 0);
}

#[test]
fn names_of_arrays_do_not_matter() {
    let folder = folder();
    let mut files = vec![sample("jsmn"), sample("cu_echo")];
    for (stream, names) in [("jsmn", &["json"][..]), ("cu_echo", &["n_args", "arg00", "const_arr1", "arg01"])]
    {
        let mut renamed = text(stream);
        for (i, name) in names.iter().enumerate() {
            renamed = renamed.replace(&format!(" {name} "), &format!(" |another {i}| "));
        }
        assert_ne!(renamed, text(stream));
        let file = folder.path().join(format!("renamed_{stream}.smt2"));
        std::fs::write(&file, renamed).unwrap();
        files.push(file);
    }
    let report = replay(&files);
    let solved = counts(&report, "cold", "solved");
    assert!(solved[0] > 0 && solved[1] > 0);
    assert_eq!(solved[2..], [0, 0], "under other names nothing is new");
    assert_eq!(report["streams"][2]["keys"], report["streams"][2]["keys_elsewhere"]);
}

/// Each byte of an array is a part of its own; a table of constants is one part.
#[test]
fn bytes_of_an_array_are_independent() {
    let mut stream = String::new();
    let table: String =
        (0..200).map(|i| format!("(assert (= (select t (_ bv{i} 32)) (_ bv{} 8)))\n", i % 7)).collect();
    for query in 0..3 {
        let bytes: String = (0..40)
            .map(|i| format!("(assert (bvult (select a (_ bv{} 32)) (_ bv{} 8)))\n", i + query, 10 + i))
            .collect();
        stream += &format!(
            "; Query {query}\n(set-logic QF_AUFBV)\n\
             (declare-fun a () (Array (_ BitVec 32) (_ BitVec 8)))\n\
             (declare-fun t () (Array (_ BitVec 32) (_ BitVec 8)))\n{table}{bytes}(check-sat)\n"
        );
    }
    let folder = folder();
    let file = folder.path().join("bytes.smt2");
    std::fs::write(&file, stream).unwrap();
    let report = replay(&[file]);
    assert_eq!(counts(&report, "cold", "parts"), [3 * 41]);
    assert_eq!(counts(&report, "cold", "trivial"), [3], "a table fixes itself");
    // Forty bounds; at another index, in another query, they are the same question.
    assert_eq!(counts(&report, "cold", "solved"), [40]);
    assert_eq!(counts(&report, "cold", "reused"), [80]);
}

#[test]
fn a_file_without_queries_is_refused() {
    let folder = folder();
    let file = folder.path().join("plain.smt2");
    std::fs::write(&file, "(check-sat)\n").unwrap();
    let output = lab().args(["bench", "streams"]).arg(&file).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("plain.smt2: no line begins with \"; Query\""), "{said}");
}
