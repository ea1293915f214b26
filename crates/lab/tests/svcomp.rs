//! Verification tasks: verdicts, points, and what a second run does not do again.

use crate::common::{Folder, lab, product};
use serde_json::Value;

const OWN: &str = "package org.sosy_lab.sv_benchmarks; public final class Verifier { \
    public static int nondetInt() { return new java.util.Random().nextInt(); } \
    public static void assume(boolean b) { if (!b) Runtime.getRuntime().halt(1); } \
    public static String nondetString() { return \"\"; } }";

fn task(folder: &Folder, name: &str, expected: bool, body: &str) {
    let place = folder.path(&format!("tasks/few/{name}"));
    std::fs::create_dir_all(&place).expect("a folder");
    let source = format!(
        "import org.sosy_lab.sv_benchmarks.Verifier;\npublic class Main {{ \
         public static void main(String[] args) {{ {body} }} }}"
    );
    std::fs::write(place.join("Main.java"), source).expect("a source");
    let text = format!(
        "input_files:\n  - ../common/\n  - {name}/\nproperties:\n  \
         - property_file: ../properties/assert_java.prp\n    expected_verdict: {expected}\n"
    );
    folder.file(&format!("tasks/few/{name}.yml"), text);
}

/// Runs the tasks: the results by task, and the sums.
fn run(folder: &Folder, flags: &[&str]) -> (Vec<Value>, Value) {
    let mut command = lab();
    command.arg("svcomp").arg(folder.path("tasks")).args(["--limit", "60s", "--json", "--work"]);
    command.arg(folder.path("work")).arg("--evergreen").arg(product()).args(flags);
    let output = command.output().expect("it starts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let all: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let said = String::from_utf8_lossy(&output.stderr);
    let (sums, results) = all.split_last().unwrap_or_else(|| panic!("nothing was printed: {said}"));
    (results.to_vec(), sums.clone())
}

#[test]
fn tasks_are_judged_and_not_run_again() {
    let folder = Folder::new();
    let common = folder.path("tasks/common/org/sosy_lab/sv_benchmarks");
    std::fs::create_dir_all(&common).expect("a folder");
    std::fs::write(common.join("Verifier.java"), OWN).expect("a source");
    let draws = "int x = Verifier.nondetInt(); int y = Verifier.nondetInt(); Verifier.assume(x > 0);";
    task(&folder, "1-true", true, &format!("{draws} assert args.length == 0 && x != 0;"));
    task(&folder, "2-false", false, &format!("{draws} if (y == x + 7) assert x != 12345;"));
    // An uncaught exception is no failed assertion, and a string that is only printed has any length.
    task(
        &folder,
        "3-true",
        true,
        "String s = Verifier.nondetString(); System.out.println(s + 1); s = null; s.length();",
    );
    task(&folder, "4-unknown", true, "new Thread(() -> {}).start();");
    // A violation that the JVM does not repeat would be a divergence: this verdict is wrong on purpose.
    task(&folder, "5-wrong", true, "assert Verifier.nondetString().equals(\"abcdefg\") == false;");
    // Longer than the strings of the first attempt.
    let long = "int n = 0; for (char c : Verifier.nondetString().toCharArray()) n++; assert n != 20;";
    task(&folder, "6-long", false, long);
    let (results, sums) = run(&folder, &[]);
    let verdict = |at: usize| results[at]["verdict"].as_str().unwrap_or_default();
    assert_eq!(
        (0..6).map(verdict).collect::<Vec<_>>(),
        ["true", "false", "true", "unknown", "false", "false"]
    );
    let points: Vec<i64> = results.iter().filter_map(|result| result["points"].as_i64()).collect();
    assert_eq!(points, [2, 1, 2, 0, -16, 1]);
    assert_eq!((&sums["all"]["points"], &sums["all"]["wrong"]), (&(-10).into(), &1.into()));
    let file = folder.path("work/results-60s.jsonl");
    let lines = || std::fs::read_to_string(&file).expect("results").lines().count();
    assert_eq!(lines(), 6);
    assert_eq!(run(&folder, &[]), (results.clone(), sums));
    assert_eq!(lines(), 6);
    let page = folder.text("page.md");
    run(&folder, &["--again-unknown", "--page", &page]);
    assert_eq!(lines(), 7);
    let page = std::fs::read_to_string(page).expect("a page");
    assert!(page.contains("| few      |     6 |  2/4 |   2/2 |     1 |       1 | -10/10 |"), "{page}");
}
