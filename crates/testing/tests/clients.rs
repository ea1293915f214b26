//! The real clients against the bare solver: each prints its expected file. A run through Evergreen must
//! reproduce the same files, cold and warm.

use evergreen_testing::tools::{find, repository};
use std::process::Command;

/// Runs one client with the bare z3 and compares.
fn check(client: &str) {
    let clients = repository().join("tests/clients");
    let z3 = find("z3");
    let output = Command::new("bash")
        .arg(clients.join("run.sh"))
        .arg(client)
        .arg(z3.parent().expect("a program is in a folder"))
        .output()
        .expect("bash starts");
    let expected = clients.join("expected").join(client).with_extension("txt");
    let expected =
        std::fs::read_to_string(&expected).unwrap_or_else(|error| panic!("{}: {error}", expected.display()));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(String::from_utf8_lossy(&output.stdout), expected);
}

#[test]
fn pysmt_with_bare_z3() {
    check("pysmt");
}

#[test]
fn yosys_smtbmc_with_bare_z3() {
    check("yosys");
}

#[test]
fn boogie_with_bare_z3() {
    check("boogie");
}

#[test]
fn boogie_on_a_wrong_program_with_bare_z3() {
    check("boogie-wrong");
}

#[test]
fn dafny_with_bare_z3() {
    check("dafny");
}

#[test]
fn dafny_on_a_program_with_a_method_more_with_bare_z3() {
    check("dafny-more");
}

#[test]
fn dafny_on_a_wrong_program_with_bare_z3() {
    check("dafny-wrong");
}

#[test]
fn easy_smt_with_bare_z3() {
    check("easy-smt");
}

#[test]
fn rsmt2_with_bare_z3() {
    check("rsmt2");
}

#[test]
fn an_unknown_client_is_refused() {
    let output = Command::new("bash")
        .arg(repository().join("tests/clients/run.sh"))
        .args(["no-such-client", find("z3").parent().and_then(|folder| folder.to_str()).unwrap_or(".")])
        .output()
        .expect("bash starts");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("no client 'no-such-client'"));
}
