//! `evergreen explore --suite` end to end: a suite is made, kept byte for byte while nothing changes, and
//! brought up to date with no more than what a change needs; whatever happens, its paths are those of a fresh
//! exploration.

use crate::common::{Folder, evergreen, run, stderr, stdout};
use evergreen_testing::tools::repository;
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// The middle of three numbers [Makhdoom ASE'14, Program 1].
const MID: &str = "\
public class Mid {
    public static int mid(int x, int y, int z) {
        if (x < y) {
            if (y < z) return y;
            else if (x < z) return z;
            else return x;
        } else if (x < z) return x;
        else if (y < z) return z;
        else return y;
    }
    public static boolean positive(int n) { return n > 0; }
}
";

/// A run over a source in the folder that keeps the suite `suite` there: exit code, summary, what it said.
fn update(folder: &Folder, source: &str, flags: &[&str]) -> (Option<i32>, Value, String) {
    let file = folder.file("Mid.java", source);
    run_with(folder, evergreen(folder).arg("explore").arg(file).arg("--no-replay").args(flags))
}

fn run_with(folder: &Folder, command: &mut Command) -> (Option<i32>, Value, String) {
    let cache = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("cache");
    command.env("XDG_CACHE_HOME", cache).arg("--suite").arg(folder.path("suite")).arg("--json");
    command.args(["--suite-size", "paths"]);
    let output = run(command, "");
    let said = stdout(&output);
    let summary = said.lines().last().and_then(|line| serde_json::from_str(line).ok()).unwrap_or(Value::Null);
    (output.status.code(), summary, said + &stderr(&output))
}

/// Counts of the summary: kept, moved, retired, new.
#[track_caller]
fn counts(summary: &Value) -> (u64, usize, usize, usize) {
    let suite = &summary["suite"];
    let length =
        |name: &str| suite[name].as_array().unwrap_or_else(|| panic!("no {name} in {summary}")).len();
    (suite["kept"].as_u64().expect("kept"), length("moved"), length("retired"), length("new"))
}

fn texts(summary: &Value, list: &str, field: &str) -> Vec<String> {
    let all = summary["suite"][list].as_array().unwrap_or_else(|| panic!("no {list} in {summary}"));
    let text = |item: &Value| item.get(field).unwrap_or(item).as_str().unwrap_or_default().to_string();
    all.iter().map(text).collect()
}

/// The files of the suite and their bytes.
fn files(folder: &Folder) -> BTreeMap<PathBuf, String> {
    let mut found = BTreeMap::new();
    let mut open = vec![folder.path("suite")];
    while let Some(place) = open.pop() {
        for file in std::fs::read_dir(place).expect("a folder") {
            let file = file.expect("a file").path();
            match file.is_dir() {
                true => open.push(file),
                false => drop(found.insert(file.clone(), std::fs::read_to_string(file).expect("text"))),
            }
        }
    }
    found
}

fn suite(folder: &Folder, class: &str) -> String {
    std::fs::read_to_string(folder.path("suite").join(format!("{class}.suite"))).expect("a suite")
}

/// The tests of a suite, each with its lines.
fn tests(text: &str) -> BTreeMap<String, String> {
    let blocks = text.split("\n\n").filter(|block| block.contains("test "));
    let name = |block: &str| {
        let line = block.lines().find(|line| line.starts_with("test ")).expect("a name");
        line.trim_start_matches("test ").to_string()
    };
    blocks.map(|block| (name(block), block.trim_end().to_string())).collect()
}

/// The paths of a suite and how they end, in order. Names and inputs may differ, and with the inputs what is
/// returned.
fn paths(text: &str) -> Vec<String> {
    let told = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.first()? {
            &"method" | &"path" => Some(line.to_string()),
            &"returns" | &"exits" => Some(words[0].to_string()),
            &"throws" => Some(words[..2].join(" ")),
            _ => None,
        }
    };
    text.lines().filter_map(told).collect()
}

/// The suite after an update has the paths of a suite that begins with this source.
#[track_caller]
fn equals_fresh(folder: &Folder, source: &str, flags: &[&str]) {
    let fresh = Folder::new();
    let (_, summary, said) = update(&fresh, source, flags);
    assert_ne!(summary["explored"], "in part", "{said}");
    assert_eq!(paths(&suite(folder, "Mid")), paths(&suite(&fresh, "Mid")));
}

#[test]
fn an_unchanged_program_costs_nothing_and_changes_nothing() {
    let folder = Folder::new();
    let (code, first, said) = update(&folder, MID, &[]);
    assert_eq!((code, counts(&first)), (Some(0), (0, 0, 0, 8)), "{said}");
    assert!(first["suite"]["solver_calls"].as_u64().expect("a number") > 0, "{first}");
    let before = files(&folder);
    let names: Vec<String> =
        before.keys().map(|file| file.file_name().unwrap().to_string_lossy().into()).collect();
    assert_eq!(names, ["Mid.suite", "MidTest.java"]);
    let (code, again, said) = update(&folder, MID, &[]);
    assert_eq!((code, counts(&again)), (Some(0), (8, 0, 0, 0)), "{said}");
    assert_eq!(again["suite"]["solver_calls"], 0, "{again}");
    assert!(again["suite"]["by_tests"].as_u64().expect("a number") > 0, "{again}");
    assert_eq!(files(&folder), before);
    // The JUnit source has the suite's names, in its order.
    let text = suite(&folder, "Mid");
    let own: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("test ")).collect();
    let source = &before[&folder.path("suite/tests/MidTest.java")];
    let declared: Vec<&str> =
        source.lines().filter_map(|line| line.trim().strip_prefix("void ")?.strip_suffix("() {")).collect();
    assert_eq!(own, declared);
    // Two workers make the same suite.
    let (_, two, said) = update(&folder, MID, &["--jobs", "2"]);
    assert_eq!((counts(&two), files(&folder)), ((8, 0, 0, 0), before.clone()), "{said}");
    // Nor does it depend on what the store knows.
    std::fs::remove_dir_all(folder.path("store")).expect("a store");
    let (_, cold, said) = update(&folder, MID, &[]);
    assert_eq!(counts(&cold), (8, 0, 0, 0), "{said}");
    assert_eq!(files(&folder), before);
    // And the real JVM agrees.
    let replayed = run_with(&folder, evergreen(&folder).arg("explore").arg(folder.path("Mid.java")));
    assert_eq!((&replayed.1["replayed"], &replayed.1["divergences"]), (&Value::from(8), &Value::from(0)));
    assert_eq!(files(&folder), before);
}

#[test]
fn a_change_changes_what_it_has_to() {
    let folder = Folder::new();
    update(&folder, MID, &[]);
    let old = suite(&folder, "Mid");
    // [Makhdoom ASE'14, Program 2]
    let changed = MID
        .replace(
            "(x < z) return z;\n            else return x",
            "(x <= z) return z;\n            else return x",
        )
        .replace("else return y;", "else return x;");
    let (_, summary, said) = update(&folder, &changed, &[]);
    // A test with x = z now takes the path before its own, and the path that it left gets a test.
    assert_eq!(counts(&summary), (7, 0, 1, 1), "{said}");
    assert_eq!(summary["suite"]["solver_calls"], 1, "{said}");
    let now = suite(&folder, "Mid");
    equals_fresh(&folder, &changed, &[]);
    let (before, after) = (tests(&old), tests(&now));
    let other: Vec<String> =
        [texts(&summary, "moved", "test"), texts(&summary, "new", ""), texts(&summary, "retired", "test")]
            .concat();
    for (name, block) in &before {
        let is_other = other.contains(&format!("Mid.{name}"));
        assert_eq!(after.get(name) != Some(block), is_other, "{name}\n{said}");
    }
    assert_eq!(after.len(), 8);
    let affected = &summary["suite"]["affected"];
    assert_eq!(affected.as_array().map(Vec::len), Some(1), "{summary}");
    assert_eq!(affected[0]["method"], "Mid.mid(int, int, int)");
    assert!(affected[0]["after"].is_string() && affected[0]["before"].is_string(), "{summary}");
    // And back again: every path has the test that it had, or one like it.
    update(&folder, MID, &[]);
    equals_fresh(&folder, MID, &[]);
}

#[test]
fn what_no_longer_fits_is_retired_with_its_reason() {
    let folder = Folder::new();
    update(&folder, MID, &[]);
    let without = MID.replace("    public static boolean positive(int n) { return n > 0; }\n", "");
    let (_, summary, said) = update(&folder, &without, &[]);
    assert_eq!(counts(&summary), (6, 0, 2, 0), "{said}");
    let reasons = texts(&summary, "retired", "reason");
    assert!(reasons.iter().all(|reason| reason == "the method positive(int) is gone"), "{reasons:?}");
    equals_fresh(&folder, &without, &[]);
    let added = without.replace("int z) {", "int z, boolean strict) {");
    let (_, summary, said) = update(&folder, &added, &[]);
    assert_eq!(counts(&summary), (0, 0, 6, 6), "{said}");
    let reasons = texts(&summary, "retired", "reason");
    assert!(reasons.iter().all(|reason| reason.starts_with("a parameter was added")), "{reasons:?}");
    equals_fresh(&folder, &added, &[]);
    // Another name, the same signature: the tests go along, and nothing but the heading is another.
    let renamed = added.replace("mid(", "median(");
    let before = suite(&folder, "Mid");
    let (_, summary, said) = update(&folder, &renamed, &[]);
    assert_eq!(counts(&summary), (6, 0, 0, 0), "{said}");
    assert_eq!(suite(&folder, "Mid"), before.replace(" mid(", " median("), "{said}");
    assert_eq!(summary["suite"]["affected"], Value::Array(Vec::new()), "{said}");
    equals_fresh(&folder, &renamed, &[]);
    // Bounds and ranges retire what is outside of them.
    let (_, summary, said) = update(&folder, &renamed, &["--range", "x=100..200"]);
    assert!(
        texts(&summary, "retired", "reason").iter().any(|reason| reason.contains("outside of 100..200")),
        "{said}"
    );
    let deep = Folder::new();
    update(&deep, MID, &[]);
    let (_, summary, said) = update(&deep, MID, &["--depth", "1"]);
    assert_eq!(texts(&summary, "retired", "reason"), vec!["cut by --depth"; 6], "{said}");
}

/// Methods with parameters of the same names and other types, and values of every kind.
const MIXED: &str = "\
public class Mid {
    enum Colour { RED, GREEN }
    public static int box(Integer x, Colour c, int[] a, String s) {
        int r = a.length > 1 && a[1] > 3 ? 1 : 0;
        if (c == Colour.GREEN) r += 2;
        if (s != null && s.length() == 2 && s.charAt(0) == '\\u00e9') r += 4;
        return x > 10 ? r + 8 : r;
    }
    public static int floats(float x, double c) {
        if (x > 1.5f) return 1;
        return Double.isNaN(c) ? 2 : c == 0.0 && 1 / c < 0 ? 3 : 0;
    }
    public static String text(char c, boolean x) { return c > 'z' ? x ? \"big\\n\" + c : null : \"\\\"\"; }
    public static long[] array(byte c, short x) { long[] r = new long[2]; if (c > x) r[0] = c; return r; }
    private int v = 4;
    public int own(int x) {
        if (x == v) throw new IllegalStateException(\"no \" + x);
        System.out.println(x > 3 ? \"yes\" : \"no\");
        return x;
    }
}
";

#[test]
fn values_of_every_kind_come_back() {
    let folder = Folder::new();
    let (code, first, said) = update(&folder, MIXED, &["--input-length", "2", "--fail-on", "null"]);
    assert_eq!(code, Some(1), "exceptions are findings: {said}");
    let (_, _, _, new) = counts(&first);
    let before = files(&folder);
    let (_, again, said) = update(&folder, MIXED, &["--input-length", "2"]);
    assert_eq!(counts(&again), (new as u64, 0, 0, 0), "{}", said.lines().last().unwrap_or_default());
    assert_eq!(again["suite"]["solver_calls"], 0);
    assert!(files(&folder) == before);
    let changed = MIXED.replace("x > 10", "x > 11").replace("c > 'z'", "c >= 'z'");
    update(&folder, &changed, &["--input-length", "2"]);
    equals_fresh(&folder, &changed, &["--input-length", "2"]);
}

#[test]
fn people_may_edit_a_suite() {
    let folder = Folder::new();
    update(&folder, MID, &["--method", "positive"]);
    let text = suite(&folder, "Mid");
    let file = folder.path("suite/Mid.suite");
    let first = text.lines().find(|line| line.starts_with("  n = ")).expect("an input").to_string();
    let edited = text.replacen(&first, "  # chosen by hand\n  n   = 1234", 1)
        + "\ntest mine\n  n = 77\n  returns false\n\ntest also_mine\n  n = -5\n  returns false\n";
    std::fs::write(&file, &edited).expect("a suite");
    let (_, summary, said) = update(&folder, MID, &["--method", "positive"]);
    assert_eq!(counts(&summary), (2, 0, 2, 0), "{said}");
    let reasons = texts(&summary, "retired", "reason");
    assert!(
        reasons.iter().all(|reason| reason.starts_with("takes the same path as positive_returns")),
        "{reasons:?}"
    );
    let now = suite(&folder, "Mid");
    assert!(now.contains("  # chosen by hand\n  n   = 1234\n") && !now.contains("mine"), "{now}");
    // A wrong outcome is corrected, a path that nobody wrote down is found out.
    let wrong = now.replacen("returns true", "returns false", 1).replacen("  path 0-\n", "", 1);
    assert_ne!(wrong, now);
    std::fs::write(&file, wrong).expect("a suite");
    let (_, summary, said) = update(&folder, MID, &["--method", "positive"]);
    assert_eq!(counts(&summary).1, 2, "{said}");
    equals_fresh(&folder, MID, &["--method", "positive"]);
    assert!(suite(&folder, "Mid").contains("# chosen by hand"));
}

#[test]
fn a_suite_that_is_not_understood_is_left_alone() {
    let folder = Folder::new();
    update(&folder, MID, &[]);
    let file = folder.path("suite/Mid.suite");
    let text = suite(&folder, "Mid");
    for (change, expected) in [
        (text.replacen("suite 1", "suite 7", 1), "Mid.suite:1: version 7 of the format"),
        (text.replacen("  x = ", "  x : ", 1), "Mid.suite:7: expected \"=\", found \":"),
        (text.replacen("class Mid", "<<<<<<< ours\nclass Mid", 1), "Mid.suite:2: a merge conflict"),
    ] {
        std::fs::write(&file, &change).expect("a suite");
        let (code, _, said) = update(&folder, MID, &[]);
        assert_eq!(code, Some(2), "{said}");
        assert!(said.contains(expected), "{said}");
        assert_eq!(suite(&folder, "Mid"), change);
    }
    std::fs::write(&file, &text).expect("a suite");
    let (code, _, said) = update(&folder, MID, &["--between", "nobody,"]);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("no test \"nobody\" in the suite"), "{said}");
    std::fs::remove_dir_all(folder.path("suite")).expect("a folder");
    folder.file("suite", "no folder");
    let (code, _, said) = update(&folder, MID, &[]);
    assert_eq!(code, Some(2), "{said}");
}

#[test]
fn a_run_that_was_cut_loses_nothing() {
    let folder = Folder::new();
    update(&folder, MID, &[]);
    let before = files(&folder);
    let (_, summary, said) = update(&folder, MID, &["--paths", "2"]);
    assert_eq!(counts(&summary), (4, 0, 0, 0), "{said}");
    assert_eq!(texts(&summary, "unreached", "").len(), 4, "{said}");
    assert_eq!(files(&folder), before);
    // One method only, and one range of it.
    let (_, summary, said) = update(&folder, MID, &["--method", "positive"]);
    assert_eq!(counts(&summary), (2, 0, 0, 0), "{said}");
    assert_eq!(files(&folder), before);
    let text = suite(&folder, "Mid");
    let names: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("test ")).collect();
    let range = format!("{},Mid.{}", names[1], names[4]);
    let (_, summary, said) = update(&folder, MID, &["--between", &range]);
    assert_eq!(counts(&summary), (3, 0, 0, 0), "{said}");
    assert_eq!((&summary["paths"], files(&folder)), (&Value::from(3), before));
    // A changed program, cut: what was found is there, the rest as it was; the next run does the rest.
    let changed = MID.replace("else return y;", "else return -y;");
    let (_, summary, said) = update(&folder, &changed, &["--paths", "3"]);
    assert_eq!(counts(&summary).2, 0, "{said}");
    update(&folder, &changed, &[]);
    equals_fresh(&folder, &changed, &[]);
}

#[test]
fn an_interrupt_loses_nothing() {
    let endless = "public class Mid { public static int m(int x, int y) { int n = 0; while (x < y) { x++; \
        n++; } return n; } }";
    let folder = Folder::new();
    let file = folder.file("Mid.java", endless);
    let bounds = ["--time", "0", "--depth", "0", "--order", "bfs", "--no-replay", "--json"];
    let explore = |paths: &str| {
        let mut command = evergreen(&folder);
        command.arg("explore").arg(&file).args(bounds).args(["--paths", paths]);
        command.arg("--suite").arg(folder.path("suite")).args(["--suite-size", "paths"]);
        command
    };
    run(&mut explore("5"), "");
    let before = suite(&folder, "Mid");
    assert_eq!(tests(&before).len(), 5);
    let mut child = explore("0").stdout(Stdio::piped()).spawn().expect("it starts");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    lines.next().expect("a path").expect("text");
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill");
    assert!(sent.success());
    let last = lines.map(|line| line.expect("text")).last().expect("more lines");
    let summary: Value = serde_json::from_str(&last).expect("JSON");
    assert!(child.wait().expect("it ends").success());
    assert_eq!(counts(&summary).2, 0, "{summary}");
    let after = tests(&suite(&folder, "Mid"));
    assert!(tests(&before).iter().all(|(name, block)| after.get(name) == Some(block)), "{after:?}");
}

#[test]
fn two_classes_have_a_suite_each() {
    let folder = Folder::new();
    let two = format!(
        "{MID}class Other {{ public static int sign(int n) {{ return n < 0 ? -1 : n > 0 ? 1 : 0; }} }}\n"
    );
    let (_, summary, said) = update(&folder, &two, &[]);
    assert_eq!(counts(&summary), (0, 0, 0, 11), "{said}");
    let other = suite(&folder, "Other");
    assert!(other.contains("method static int sign(int n)\n\ntest sign_returnsMinus1\n"), "{other}");
    let changed = two.replace("n > 0;", "n > 1;");
    let (_, summary, said) = update(&folder, &changed, &[]);
    assert_eq!(suite(&folder, "Other"), other, "{said}");
    assert_eq!(counts(&summary).0, 10, "{said}");
    // Without the class its suite is not looked at.
    let (_, summary, said) = update(&folder, MID, &[]);
    assert_eq!((counts(&summary).2, suite(&folder, "Other")), (0, other), "{said}");
}

/// The inner branch cannot be taken at first; the change makes it feasible without moving a test.
const INNER: &str = "\
public class Mid {
    public static int m(int x) {
        if (x > 10) {
            if (x < 5) return 1;
            return 2;
        }
        return 3;
    }
}
";

#[test]
fn the_papers_rule_misses_a_path_that_the_default_finds() {
    let changed = INNER.replace("x > 10", "x > 1");
    let folder = Folder::new();
    update(&folder, INNER, &[]);
    let old = files(&folder);
    let (_, summary, said) = update(&folder, &changed, &["--trust-old-infeasible"]);
    assert_eq!(counts(&summary), (2, 0, 0, 0), "{said}");
    assert_eq!(
        (&summary["suite"]["trusted"], &summary["suite"]["solver_calls"]),
        (&Value::from(1), &Value::from(0))
    );
    assert_eq!(files(&folder), old);
    let (_, summary, said) = update(&folder, &changed, &[]);
    assert_eq!(counts(&summary), (2, 0, 0, 1), "{said}");
    assert_eq!(texts(&summary, "new", ""), ["Mid.m_returns1"]);
    assert!(suite(&folder, "Mid").contains("  returns 1\n\ntest m_returns2\n"), "it is in its place");
    equals_fresh(&folder, &changed, &[]);
}

#[test]
fn object_graphs_are_kept() {
    let folder = Folder::new();
    let subject = repository().join("subjects/heap/TreeSet.java");
    let explore = || {
        let mut command = evergreen(&folder);
        command.env_remove("EVERGREEN_REUSE").env_remove("EVERGREEN_NATIVE");
        command.arg("explore").arg(&subject);
        command.args(["--method", "TreeSet.add", "--heap", "bliss", "--scope", "3"]);
        command
    };
    let (_, first, said) = run_with(&folder, &mut explore());
    let (_, _, _, new) = counts(&first);
    assert!(new > 10, "{said}");
    let before = files(&folder);
    let (_, again, said) = run_with(&folder, explore().arg("--no-replay"));
    assert_eq!(counts(&again), (new as u64, 0, 0, 0), "{said}");
    assert_eq!(again["suite"]["solver_calls"], 0, "{said}");
    assert!(files(&folder) == before);
}

/// Inputs that calls make are read back, and lead down the same paths.
#[test]
fn tests_with_made_objects_are_kept() {
    let folder = Folder::new();
    let subjects = repository().join("crates/java/tests/java/made");
    let explored = |method: &str| {
        let mut command = evergreen(&folder);
        command.arg("explore").arg(subjects.join("Holders.java")).arg(subjects.join("Makers.java"));
        counts(&run_with(&folder, command.args(["--no-replay", "--method", method])).1)
    };
    for (method, count) in [("Holders.large", 33), ("Holders.ranges", 23), ("Counter.next", 3)] {
        assert_eq!(explored(method), (0, 0, 0, count), "{method}");
        assert_eq!(explored(method), (count as u64, 0, 0, 0), "{method}");
    }
}
