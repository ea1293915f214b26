//! `--concolic`: inputs run first, the arms that they left are asked about afterwards.

use crate::common::{Folder, evergreen, find, run, stderr, stdout};
use serde_json::Value;
use std::path::Path;
use std::process::Output;

/// A magic word behind a loop: paths are long, and most of them say the same.
const JAVA: &str = "
public class Lock {
    public static int open(int a, int b, int c, int turns) {
        int clicks = 0;
        for (int i = 0; i < turns && i < 40; i++) clicks += (a + i) % 3 == 0 ? 1 : 0;
        if (a == 4711) {
            if (b == a + 2) {
                assert c != 17 || clicks < 0 : \"open\";
                return 2;
            }
            return 1;
        }
        return 0;
    }
}
";

const C: &str = "
#include <stdlib.h>
int check(int a, int b) {
    if (a > 100) {
        if (b == a * 2 + 1) abort();
        return 1;
    }
    return b < 0 ? 2 : 3;
}
";

fn explore(folder: &Folder, target: &Path, flags: &[&str]) -> Output {
    let tools = find("wasm-clang").parent().expect("a folder").to_path_buf();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths([tools].into_iter().chain(std::env::split_paths(&path))).expect("a path");
    run(evergreen(folder).env("PATH", path).arg("explore").arg(target).args(flags), "")
}

fn lines(done: &Output) -> Vec<Value> {
    let text = stdout(done);
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"))).collect()
}

fn summary(done: &Output) -> Value {
    lines(done).pop().expect("a summary")
}

/// The ways of all paths: the branches in source lines, and how each ends.
fn ways(done: &Output) -> Vec<String> {
    let all = lines(done);
    let paths = all.iter().filter(|line| line["event"] == "path");
    let mut ways: Vec<String> =
        paths.map(|line| format!("{} {} {}", line["method"], line["lines"], line["outcome"])).collect();
    ways.sort();
    ways
}

#[test]
fn a_closed_tree_is_what_exploring_finds() {
    let folder = Folder::new();
    let subject = evergreen_testing::tools::repository().join("subjects/trityp/v0");
    let plain = explore(&folder, &subject, &["--json", "--merge", "off"]);
    let concolic = explore(&folder, &subject, &["--json", "--concolic"]);
    assert_eq!(concolic.status.code(), plain.status.code(), "{}", stderr(&concolic));
    let (was, is) = (summary(&plain), summary(&concolic));
    assert_eq!((&is["paths"], &is["complete"]), (&was["paths"], &true.into()), "{is}");
    assert_eq!(ways(&plain), ways(&concolic));
    assert_eq!(is["divergences"], 0);
}

#[test]
fn tests_of_a_suite_run_first_and_the_folder_stays() {
    let folder = Folder::new();
    folder.file("Lock.java", JAVA);
    let lock = folder.path("Lock.java");
    let suite = folder.path("suite");
    let suite = suite.to_str().expect("a name");
    let kept = explore(&folder, &lock, &["--suite", suite, "--concrete", "turns=0", "--no-replay"]);
    assert_eq!(kept.status.code(), Some(1), "{}", stderr(&kept));
    let before = std::fs::read_to_string(folder.path("suite/Lock.suite")).expect("a suite");
    // The tests alone: as many paths as they have, nothing asked, and never complete.
    let flags = ["--concolic", "--tests", suite, "--generations", "0", "--json"];
    let alone = summary(&explore(&folder, &lock, &flags));
    let tests = before.lines().filter(|line| line.starts_with("test ")).count();
    assert_eq!((alone["paths"].as_u64(), &alone["complete"]), (Some(tests as u64), &false.into()), "{alone}");
    assert_eq!((&alone["asked"], &alone["findings"]), (&0.into(), &1.into()), "{alone}");
    assert!(alone["cut"]["generations"].as_u64().is_some_and(|cut| cut > 0), "{alone}");
    // One generation more asks about each arm that they left.
    let flags = ["--concolic", "--tests", suite, "--generations", "1", "--json"];
    let next = summary(&explore(&folder, &lock, &flags));
    assert!(next["paths"].as_u64() > alone["paths"].as_u64() && next["asked"].as_u64() > Some(0), "{next}");
    assert_eq!(std::fs::read_to_string(folder.path("suite/Lock.suite")).expect("a suite"), before);
}

#[test]
fn inputs_of_a_file_run_first() {
    let folder = Folder::new();
    folder.file("Lock.java", JAVA);
    folder.file("check.c", C);
    folder.file(
        "java.json",
        r#"[{"method": "Lock.open", "inputs": {"a": 4711, "b": 4713, "c": 3, "turns": 0}}]"#,
    );
    folder.file("c.json", "{\"inputs\": {\"a\": 101, \"b\": 203}}\n{\"inputs\": {\"a\": 0, \"b\": -1}}\n");
    let alone = |target: &str, file: &str, more: &[&str]| {
        let file = folder.path(file);
        let file = file.to_str().expect("a name");
        let flags = [&["--concolic", "--tests", file, "--generations", "0", "--json"], more].concat();
        lines(&explore(&folder, &folder.path(target), &flags))
    };
    let java = alone("Lock.java", "java.json", &[]);
    let paths: Vec<&Value> = java.iter().filter(|line| line["event"] == "path").collect();
    assert_eq!(paths.len(), 1, "{java:?}");
    assert_eq!((&paths[0]["inputs"]["b"], &paths[0]["value"]), (&4713.into(), &2.into()));
    let c = alone("check.c", "c.json", &["--method", "check"]);
    let summary = c.last().expect("a summary");
    assert_eq!(
        (&summary["paths"], &summary["findings"], &summary["asked"]),
        (&2.into(), &1.into(), &0.into())
    );
    // What --json prints is such a file.
    let printed = stdout(&explore(&folder, &folder.path("check.c"), &["--method", "check", "--json"]));
    folder.file("printed.json", &printed);
    let again = alone("check.c", "printed.json", &["--method", "check"]);
    let plain = printed.lines().filter(|line| line.contains("\"event\":\"path\"")).count();
    assert!(plain > 2);
    assert_eq!(again.last().expect("a summary")["paths"], plain, "{again:?}");
}

#[test]
fn flaws_in_a_file_of_inputs_have_their_place() {
    let folder = Folder::new();
    folder.file("Lock.java", JAVA);
    let refused = |text: &str, said: &str| {
        folder.file("bad.json", text);
        let file = folder.path("bad.json");
        let done = explore(
            &folder,
            &folder.path("Lock.java"),
            &["--concolic", "--tests", file.to_str().expect("a name")],
        );
        assert_eq!(done.status.code(), Some(2), "{text}");
        assert!(stderr(&done).contains(said), "{}", stderr(&done));
    };
    refused("[{\"inputs\": {\"a\": 1,}}]", "bad.json:1:21: trailing comma");
    refused("[]", "no tests of what is explored");
    refused("[3]", "test 1: 3 is no test");
    refused("[{\"method\": \"close\", \"inputs\": {}}]", "no method \"close\" is explored");
    refused("[{\"inputs\": {\"a\": 1, \"b\": 2, \"c\": 3}}]", "test 1: no value for \"turns\"");
    let all = "{\"inputs\": {\"a\": 1, \"b\": 2, \"c\": 3, \"turns\": 4}}";
    refused(
        &format!("[{all}, {}]", all.replace('4', "5000000000")),
        "test 2: input \"turns\": 5000000000 is outside of int",
    );
    refused(&all.replace("inputs", "input"), "test 1: \"input\" means nothing here");
}

#[test]
fn new_arms_are_found_before_all_rounds_of_a_loop() {
    let folder = Folder::new();
    folder.file("Lock.java", JAVA);
    let lock = folder.path("Lock.java");
    let usual = ["--stop-at-first", "--json", "--no-replay", "--merge", "off"];
    let done = explore(&folder, &lock, &[&usual[..], &["--concolic"]].concat());
    assert_eq!(done.status.code(), Some(1), "{}", stderr(&done));
    let concolic = summary(&done)["paths"].as_u64().expect("paths");
    assert!(concolic < 20, "{concolic}");
    // Twice as many paths are not enough without it.
    let most = (2 * concolic).to_string();
    let plain = summary(&explore(&folder, &lock, &[&usual[..], &["--paths", &most]].concat()));
    assert_eq!((&plain["findings"], &plain["paths"]), (&0.into(), &(2 * concolic).into()));
}

#[test]
fn programs_in_c_run_first_too() {
    let folder = Folder::new();
    folder.file("check.c", C);
    let flags = ["--method", "check", "--json"];
    let plain = explore(&folder, &folder.path("check.c"), &flags);
    let concolic = explore(&folder, &folder.path("check.c"), &[&flags[..], &["--concolic"]].concat());
    let (was, is) = (summary(&plain), summary(&concolic));
    assert_eq!((&is["paths"], &is["findings"], &is["complete"]), (&was["paths"], &1.into(), &true.into()));
    assert_eq!(is["divergences"], 0);
}

#[test]
fn what_does_not_fit_is_refused() {
    let folder = Folder::new();
    folder.file("Lock.java", JAVA);
    let lock = folder.path("Lock.java");
    let refused = |flags: &[&str], said: &str| {
        let done = explore(&folder, &lock, flags);
        assert_eq!(done.status.code(), Some(2), "{flags:?}");
        assert!(stderr(&done).contains(said), "{}", stderr(&done));
    };
    refused(&["--concolic", "--jobs", "2"], "--jobs");
    refused(&["--generations", "2"], "--concolic");
    refused(&["--concolic", "--tests", "nowhere"], "nowhere");
    refused(&["--concolic", "--merge", "on"], "--merge on");
    refused(&["--concolic", "--probability"], "--concolic");
}
