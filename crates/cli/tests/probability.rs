//! `explore --probability`, `--profile`, `--secret` and `--order likely` end to end, and `study counting`.

use crate::common::{Folder, find, isolated, run, stderr, stdout};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

const LOGIN: &str = "
public class Login {
    public static boolean check(int pin, int guess) {
        if (pin < 0) throw new IllegalArgumentException(\"pin\");
        return pin == guess;
    }
    public static int steps(int n) {
        int i = 0;
        while (i < n) i++;
        return 0;
    }
}
";

fn evergreen(folder: &Folder) -> Command {
    let mut command = isolated(Path::new(env!("CARGO_BIN_EXE_evergreen")), folder);
    let tools = find("z3").parent().expect("a folder").to_path_buf();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths([tools].into_iter().chain(std::env::split_paths(&path))).expect("a path");
    let cache = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("cache");
    command.env("PATH", path).env("EVERGREEN_STORE", folder.path("store")).env("XDG_CACHE_HOME", cache);
    command
}

fn explore(folder: &Folder, method: &str) -> Command {
    let mut command = evergreen(folder);
    command.arg("explore").arg(folder.file("Login.java", LOGIN)).args([
        "--no-replay",
        "--fail-on",
        "declared",
        "--method",
        method,
    ]);
    command
}

#[test]
fn outcomes_have_probabilities() {
    let folder = Folder::new();
    let page = folder.text("page.html");
    let args =
        ["--probability", "--range", "pin=-100..9899", "--concrete", "guess=1234", "--report", &page, "-v"];
    let output = run(explore(&folder, "check").args(args), "");
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(1), "{text}{}", stderr(&output));
    assert!(text.contains("probabilities, inputs uniform in their ranges"), "{text}");
    assert!(text.contains("0.9899  returns false (1 path)  = 9899/10000"), "{text}");
    assert!(text.contains("0.0001  returns true (1 path)  = 1/10000"), "{text}");
    assert!(text.contains("0.01    throws java.lang.IllegalArgumentException (1 path)  = 1/100"), "{text}");
    assert!(text.contains("most likely path: "), "{text}");
    assert!(text.contains("  p = 0.9899"), "{text}");
    let report = std::fs::read_to_string(&page).expect("a report");
    assert!(report.contains("<h4>Probabilities</h4>") && report.contains("<b>0.9899</b>"), "{report}");
    assert!(report.contains("all inputs</summary>") && report.contains("path 1: "), "{report}");
}

fn event(command: &mut Command, name: &str) -> Value {
    let output = run(command.arg("--json"), "");
    let lines = stdout(&output);
    let mut events =
        lines.lines().map(|l| serde_json::from_str::<Value>(l).unwrap_or_else(|e| panic!("{e}: {l}")));
    events
        .rfind(|event| event["event"] == name)
        .unwrap_or_else(|| panic!("no {name}: {lines}{}", stderr(&output)))
}

#[test]
fn programs_read_exact_fractions() {
    let folder = Folder::new();
    let profile = folder.file(
        "usage.txt",
        "domain{ pin : 0,9999; };\nusageProfile{ pin < 10 : 30/100; pin >= 10 : 70/100; };\n",
    );
    let args = ["--concrete", "guess=3", "--profile", profile.to_str().expect("a path")];
    let told = event(explore(&folder, "check").args(args), "probability");
    assert_eq!(told["outcomes"][0]["probability"]["exact"], "97/100", "{told}");
    assert_eq!(told["outcomes"][1]["outcome"], "returns true", "{told}");
    assert_eq!(told["outcomes"][1]["probability"]["decimal"], "0.03", "{told}");
    assert_eq!((&told["sum"]["exact"], &told["exact"]), (&Value::from("1"), &Value::Bool(true)), "{told}");
    let path = event(explore(&folder, "check").args(args), "path");
    assert!(path["probability"]["exact"].is_string(), "{path}");
    // Counted once, and found in the store by the next run.
    assert_eq!(told["counts"]["bounded"], 0, "{told}");
}

#[test]
fn the_likely_frontier_covers_more() {
    let folder = Folder::new();
    let covered = |order: &str| {
        let args = ["--frontier", order, "--probability", "--paths", "2", "--range", "n=0..9"];
        let told = event(explore(&folder, "steps").args(args), "probability");
        assert_eq!(told["sum"]["exact"], "1", "{told}");
        assert_eq!(told["lost"][0]["why"], "not explored", "{told}");
        told["covered"]["exact"].as_str().expect("exact").to_string()
    };
    // All paths are as likely here; but the bound is shown either way.
    assert_eq!((covered("likely"), covered("dfs")), ("1/5".to_string(), "1/5".to_string()));
}

#[test]
fn leaks_are_told() {
    let folder = Folder::new();
    let args = ["--secret", "pin", "--concrete", "guess=1234", "--range", "pin=0..9999"];
    let output = run(explore(&folder, "check").args(args), "");
    let text = stdout(&output);
    assert!(text.contains("leak of pin (13.287712 bits): 0.001473 bits"), "{text}{}", stderr(&output));
    assert!(text.contains("no guess gets better by more than 1 bits"), "{text}");
    let told = event(explore(&folder, "check").args(args), "probability");
    assert_eq!(told["leak"]["partition"][0]["share"], "9999/10000", "{told}");
}

#[test]
fn what_is_wrong_is_told() {
    let folder = Folder::new();
    let complaint = |args: &[&str]| {
        let output = run(explore(&folder, "check").args(args), "");
        assert_eq!(output.status.code(), Some(2), "{}", stdout(&output));
        stderr(&output)
    };
    assert!(complaint(&["--secret", "pim"]).contains("--secret pim: no input is called so"));
    let profile = folder.file("wrong.txt", "domain{ pin : 9,0; };");
    let name = profile.to_str().expect("a path");
    assert!(complaint(&["--profile", name]).contains("wrong.txt:1:17: the range 9,0 of \"pin\" is empty"));
    let profile = folder.file("other.txt", "usageProfile{ pin < 3 && pim < 3 : 1; };");
    let name = profile.to_str().expect("a path");
    assert!(complaint(&["--profile", name]).contains("other.txt:1:26: no input is called \"pim\""));
    assert!(complaint(&["--profile", "nowhere.txt"]).contains("nowhere.txt: "));
    assert!(complaint(&["--probability", "--heap", "li"]).contains("objects as inputs have no distribution"));
    let profile = folder.file("range.txt", "domain{ pin : 0,9; }; usageProfile{ pin == pin : 1; };");
    let name = profile.to_str().expect("a path");
    assert!(
        complaint(&["--profile", name, "--range", "pin=0..5"]).contains("different things about \"pin\"")
    );
}

#[test]
fn draws_are_those_of_the_profile() {
    let folder = Folder::new();
    let profile = folder.file("usage.txt", "domain{ h : 0,9; }; usageProfile{ h < 2 : 0.9; h >= 2 : 0.1; };");
    let told = |draw: &str| {
        let source = format!(
            "import evergreen.Sym; public class Drawn {{ public static int go() {{ return {draw} < 1 ? 1 : \
             2; }} }}"
        );
        let file = folder.file("Drawn.java", &source);
        let mut command = evergreen(&folder);
        command.arg("explore").arg(file).args(["--no-replay", "--profile"]).arg(&profile);
        event(&mut command, "probability")
    };
    let as_int = told("Sym.anInt(\"h\")");
    assert_eq!(as_int["outcomes"][0]["probability"]["exact"], "11/20", "{as_int}");
    assert_eq!((&as_int["exact"], &as_int["trouble"]), (&Value::Bool(true), &Value::Null), "{as_int}");
    // Another input of the same name: the regions say nothing about it, and that must not go unnoticed.
    let as_long = told("Sym.aLong(\"h\")");
    assert_eq!(as_long["exact"], false, "{as_long}");
    assert!(as_long["trouble"].as_str().expect("trouble").contains("\"h\""), "{as_long}");
}
