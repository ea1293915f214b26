//! `evergreen-lab bench bits` decides recorded logs, compares every verdict and measures what it promises.
//! What the times are is not tested.

use crate::common::{Folder, lab};
use evergreen_testing::tools;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Output;

const QUERIES: u64 = 60;

fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/data/streams/{name}.smt2.gz"))
}

fn bench(tools: &Path, solvers: &str, more: &[&str]) -> Output {
    let queries = QUERIES.to_string();
    lab()
        .args(["bench", "bits", "--first", &queries, "--solver", solvers])
        .args(more)
        .args([sample("jsmn"), sample("tinyregex")])
        .env("EVERGREEN_TOOLS", tools)
        .output()
        .expect("the command starts")
}

fn installed() -> PathBuf {
    let yices = tools::find("yices-smt2");
    yices.parent().and_then(|bin| bin.parent()).expect("a folder of tools").to_path_buf()
}

#[test]
fn logs_are_decided_cold_and_along_the_path_as_solvers_decide_them() {
    let output = bench(&installed(), "yices,z3,bitwuzla", &["--json"]);
    let said = String::from_utf8_lossy(&output.stderr);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}\n{said}"));
    assert!(output.status.success(), "{report}\n{said}");
    assert_eq!(report["faults"], Value::Array(vec![]));
    for log in report["logs"].as_array().expect("logs") {
        assert_eq!(log["queries"], QUERIES);
        for way in ["cold", "path"] {
            let layers = log[way]["layers"].as_object().expect("layers");
            let decided: u64 = layers.values().filter_map(Value::as_u64).sum();
            assert_eq!((decided, &layers["undecided"]), (QUERIES, &0.into()), "{log}");
            let verdicts = log[way]["sat"].as_u64().unwrap_or(0) + log[way]["unsat"].as_u64().unwrap_or(0);
            assert_eq!(verdicts, QUERIES, "{log}");
            assert!(log[way]["ms"].as_f64().is_some_and(|ms| ms > 0.0), "{log}");
        }
        for solver in log["solvers"].as_array().expect("solvers") {
            assert_eq!(solver["answered"], QUERIES, "{log}");
            assert!(solver["parse_ms"].as_f64().is_some_and(|ms| ms > 0.0), "{log}");
        }
    }
}

#[test]
fn the_table_has_a_row_for_each_log_and_their_sum() {
    let output = bench(&installed(), "yices", &[]);
    let table = String::from_utf8_lossy(&output.stdout);
    let rows: Vec<&str> = table.lines().filter(|line| line.starts_with("| ")).collect();
    let names: Vec<&str> = rows.iter().filter_map(|row| row.split('|').nth(1)).map(str::trim).collect();
    assert_eq!(names, ["log", "jsmn", "tinyregex", "all"], "{table}");
    let columns: Vec<usize> = rows.iter().map(|row| row.matches('|').count()).collect();
    assert!(columns.windows(2).all(|pair| pair[0] == pair[1]), "{table}");
}

#[test]
fn a_solver_that_differs_is_reported() {
    let folder = Folder::new();
    let bin = folder.path("bin");
    std::fs::create_dir(&bin).expect("a folder");
    // Everything is sat.
    let script = b"#!/bin/sh\ngrep '^(check-sat' | sed 's/.*/sat/'\n";
    tools::write_program(&bin.join("yices-smt2"), script);
    let output = bench(&folder.path(""), "yices", &["--json"]);
    let said = String::from_utf8_lossy(&output.stderr);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}\n{said}"));
    assert_eq!(output.status.code(), Some(1), "{said}");
    let faults = report["faults"].as_array().expect("faults");
    assert!(
        !faults.is_empty() && faults.iter().all(|f| f.to_string().contains("unsat, but yices sat")),
        "{report}"
    );
}
