//! `evergreen-lab bench count` compares every number and measures what it promises. What the times are is not
//! tested.

use crate::common::lab;
use evergreen_testing::tools;
use serde_json::Value;
use std::path::Path;
use std::process::Output;

#[test]
fn numbers_are_compared_and_found_again() {
    let tools = tools::find("barvinok");
    let tools = tools.parent().and_then(|bin| bin.parent()).expect("a folder of tools");
    // Three variables; four with disequalities; five with coefficients, so that some cones are not
    // unimodular.
    for shape in ["6", "13", "18"] {
        let output = lab()
            .args(["bench", "count", "--json", "--problems", "3", "--runs-ms", "1", "--shape", shape])
            .env("EVERGREEN_TOOLS", tools)
            .output()
            .expect("the command starts");
        let said = String::from_utf8_lossy(&output.stderr);
        let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}\n{said}"));
        assert!(output.status.success(), "{said}");
        let row = &report["shapes"][0];
        assert_eq!(
            (&row["compared"], &row["different"], &row["not_exact"]),
            (&3.into(), &0.into(), &0.into())
        );
        for time in ["afresh_us", "memory_us", "disk_us", "pack_us"] {
            assert!(row["stored"][time].as_f64().is_some_and(|us| us > 0.0), "shape {shape}: {time}");
        }
    }
}

/// Four problems of a shape, LattE's program given, barvinok nowhere.
fn beside(latte: &Path, shape: &str) -> Output {
    lab()
        .args(["bench", "count", "--json", "--problems", "4", "--runs-ms", "0", "--shape", shape, "--latte"])
        .arg(latte)
        .env("EVERGREEN_TOOLS", "/nowhere")
        .env("PATH", "/usr/bin:/bin")
        .output()
        .expect("the command starts")
}

#[test]
fn latte_is_asked_too() {
    let latte = tools::find("latte-count");
    // An equality with coefficients; disequalities, so that sums of polytopes are compared.
    for shape in ["10", "9"] {
        let output = beside(&latte, shape);
        let said = String::from_utf8_lossy(&output.stderr);
        let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}\n{said}"));
        assert!(output.status.success(), "{said}");
        let row = &report["shapes"][0];
        assert_eq!((&row["latte_compared"], &row["latte_different"]), (&4.into(), &0.into()));
        assert!(row["latte_us"].as_f64() >= row["latte_less_start_us"].as_f64());
        assert!(report["latte"]["start_us"].as_f64().is_some_and(|us| us > 0.0));
        assert!(report["latte"]["version"].as_str().is_some_and(|v| v.starts_with("LattE integrale")));
    }
}

#[test]
fn what_is_not_latte_or_differs_is_noticed() {
    let folder = tempfile::tempdir().expect("a folder");
    let other = folder.path().join("count");
    tools::write_program(&other, b"#!/bin/sh\necho 7 >numOfLatticePoints\n");
    let output = beside(&other, "2");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(2) && said.contains("not LattE's program"), "{said}");
    // It says 7 to everything: right for the interval that it is tried with.
    let wrong = folder.path().join("latte-count");
    tools::write_program(
        &wrong,
        b"#!/bin/sh\necho This is LattE integrale 0 >&2\necho 7 >numOfLatticePoints\n",
    );
    let output = beside(&wrong, "2");
    let report: Value = serde_json::from_slice(&output.stdout).expect("a report");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(report["shapes"][0]["latte_different"], 4);
}
