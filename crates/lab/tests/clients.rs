//! Real clients: their results are those of the bare solver, warm runs start none, and after an edit only
//! what is new is solved. The clients that `scripts/setup.sh clients` installs are left to the study itself.

use crate::common::{lab, product};
use evergreen_testing::tools::repository;
use serde_json::Value;
use std::process::Output;

fn study(names: &[&str], tools: Option<&str>) -> Output {
    let mut command = lab();
    command.args(["study", "clients", "--json"]).args(names);
    command.arg("--clients").arg(repository().join("tests/clients")).arg("--product").arg(product());
    if let Some(tools) = tools {
        command.env("EVERGREEN_TOOLS", tools);
    }
    command.output().expect("it starts")
}

#[test]
fn clients_have_the_same_results_and_warm_runs_no_solver() {
    let output = study(&["pysmt", "yosys", "boogie"], None);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8_lossy(&output.stdout);
    let outcomes: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let counts = |outcome: &Value| {
        let of = |run: &str, at: &str| outcome[run][at].as_u64();
        (
            outcome["client"].as_str().expect("a name").to_string(),
            of("cold", "queries"),
            of("warm", "starts"),
            of("after", "solved"),
        )
    };
    let found: Vec<_> = outcomes.iter().map(counts).collect();
    let wanted = [
        ("pysmt".to_string(), Some(36), Some(0), None),
        ("yosys".to_string(), Some(20), Some(0), Some(0)),
        ("boogie".to_string(), Some(5), Some(0), Some(1)),
    ];
    assert_eq!(found, wanted);
    for outcome in &outcomes {
        assert_eq!(outcome["differing"], Value::from([""; 0]));
        assert!(outcome["bare"]["processes"].as_u64() > Some(0), "{outcome}");
        assert!(outcome["cold"]["seconds"].as_f64() > Some(0.0), "{outcome}");
    }
}

#[test]
fn a_client_that_is_missing_is_an_error() {
    let output = study(&["cbmc"], Some("/nowhere"));
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        said.contains("'/nowhere/bin/cbmc' is missing") && said.contains("scripts/setup.sh clients"),
        "{said}"
    );
    let output = study(&["no-such-client"], None);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("no client is called \"no-such-client\""));
}
