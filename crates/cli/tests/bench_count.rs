//! `evergreen bench count` compares every number and measures what it promises. What the times are is not tested.

use evergreen_testing::tools;
use serde_json::Value;
use std::process::Command;

#[test]
fn numbers_are_compared_and_found_again() {
    let tools = tools::find("barvinok");
    let tools = tools.parent().and_then(|bin| bin.parent()).expect("a folder of tools");
    // Three variables; four with disequalities; five with coefficients, so that some cones are not unimodular.
    for shape in ["6", "13", "18"] {
        let output = Command::new(env!("CARGO_BIN_EXE_evergreen"))
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
