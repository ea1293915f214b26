//! `evergreen diff` end to end, with real javac, JVM and git: known differences of the subjects are found,
//! refactorings have none, and what is shown can be shown again.

use crate::common::{Folder, PATIENCE, find, isolated, run, stderr, stdout};
use evergreen_java::classfile::find_jdk;
use evergreen_java::replay::{Fate, Junit, JunitJars, JunitOptions, Suite, run_junit};
use evergreen_testing::tools::repository;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

fn with_tools(mut command: Command, folder: &Folder) -> Command {
    let tools = find("z3").parent().expect("a folder").to_path_buf();
    let own = Path::new(env!("CARGO_BIN_EXE_evergreen")).parent().expect("a folder").to_path_buf();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = [tools, own].into_iter().chain(std::env::split_paths(&path));
    let cache = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("cache");
    command.env("PATH", std::env::join_paths(path).expect("a path"));
    command.env("EVERGREEN_STORE", folder.path("store")).env("XDG_CACHE_HOME", cache);
    command
}

fn diff(folder: &Folder) -> Command {
    let mut command = with_tools(isolated(Path::new(env!("CARGO_BIN_EXE_evergreen")), folder), folder);
    command.arg("diff");
    command
}

/// The events of a run and its exit code.
fn events(command: &mut Command) -> (Vec<Value>, Option<i32>) {
    let output = run(command.arg("--json"), "");
    let lines = stdout(&output);
    let events = lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}")))
        .collect();
    assert!(stderr(&output).is_empty(), "{}", stderr(&output));
    (events, output.status.code())
}

fn of<'e>(events: &'e [Value], kind: &str) -> Vec<&'e Value> {
    events.iter().filter(|event| event["event"] == kind).collect()
}

/// `method: old -> new` of every difference.
fn differences(events: &[Value]) -> Vec<String> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
    of(events, "difference")
        .iter()
        .map(|one| format!("{}: {} -> {}", text(&one["method"]), text(&one["old"]), text(&one["new"])))
        .collect()
}

fn subject(name: &str, version: &str) -> PathBuf {
    repository().join("subjects").join(name).join(version)
}

#[test]
fn a_changed_comparison_is_found_with_its_smallest_input_and_shown_again() {
    let folder = Folder::new();
    let (old, new) = (subject("trityp", "v0"), subject("trityp", "v1"));
    let (told, code) = events(diff(&folder).arg(&old).arg(&new));
    assert_eq!(code, Some(1));
    assert_eq!(differences(&told), ["TriTyp.classify(int, int, int): returns 4 -> returns 2"]);
    let method = of(&told, "method")[0];
    assert_eq!((&method["old_paths"], &method["new_paths"]), (&14.into(), &14.into()));
    assert_eq!(method["proved"], false);
    let difference = of(&told, "difference")[0];
    let input = |name: &str| difference["inputs"][name].as_i64().expect("an int");
    let mut sides = [input("a"), input("b"), input("c")];
    sides.sort_unstable();
    assert_eq!(sides, [1, 1, 2], "a flat triangle, and the smallest");
    // The command shows the same, in both versions and nothing else.
    let again = difference["again"].as_str().expect("a command");
    let mut shell = with_tools(isolated(Path::new("sh"), &folder), &folder);
    let output = run(shell.args(["-c", &format!("{again} --json")]), "");
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let lines: Vec<Value> =
        stdout(&output).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(differences(&lines), differences(&told));
    assert_eq!(of(&lines, "method")[0]["old_paths"], 1);
}

#[test]
fn every_affected_method_of_the_calendar_differs_and_the_others_are_left_alone() {
    let folder = Folder::new();
    let (old, new) = (subject("dates", "v0"), subject("dates", "v1"));
    let out = folder.path("tests");
    let (told, code) = events(diff(&folder).arg(&old).arg(&new).arg("--out").arg(&out));
    assert_eq!(code, Some(1));
    let changes = of(&told, "changes")[0];
    assert_eq!(changes["changed"].to_string(), r#"["Dates.isLeap(int)","Dates.nextDay(int, int, int)"]"#);
    let compared: Vec<&str> = of(&told, "method").iter().filter_map(|one| one["method"].as_str()).collect();
    let affected = [
        "Dates.isLeap(int)",
        "Dates.daysInMonth(int, int)",
        "Dates.isValid(int, int, int)",
        "Dates.nextDay(int, int, int)",
        "Dates.dayOfWeek(int, int, int)",
    ];
    assert_eq!(compared, affected);
    let found = differences(&told);
    assert_eq!(found[0], "Dates.isLeap(int): returns false -> returns true");
    assert!(
        found.contains(&"Dates.daysInMonth(int, int): returns 28 -> returns 29".to_string()),
        "{found:?}"
    );
    for method in affected {
        assert!(found.iter().any(|one| one.starts_with(&format!("{method}:"))), "{method} in {found:?}");
    }
    // Leap years by four only: the smallest year that shows it.
    assert_eq!(of(&told, "difference")[0]["inputs"]["year"].as_i64().map(i64::abs), Some(100));
    let source = std::fs::read_to_string(out.join("DatesDifferenceTest.java")).expect("a test class");
    let tests = source.matches("@Test").count();
    assert_eq!(tests, found.len());
    assert_eq!(passing(&folder, &old, &source), (tests, 0));
    assert_eq!(passing(&folder, &new, &source), (0, tests));
}

/// How many tests of a suite of the calendar pass and fail on a version of it.
fn passing(folder: &Folder, version: &Path, source: &str) -> (usize, usize) {
    let classes = folder.path(&version.file_name().expect("a name").to_string_lossy());
    let mut javac = Command::new("javac");
    let done = javac.arg("-d").arg(&classes).arg(version.join("Dates.java")).output();
    assert!(done.expect("these tests need javac on PATH").status.success());
    let tools = repository().join(".tools/java");
    let jars = JunitJars::find(Junit::Five, &[tools]).unwrap_or_else(|e| panic!("{e}"));
    let (package, class_name) = (String::new(), "DatesDifferenceTest".to_string());
    let options = JunitOptions { version: Junit::Five, package, class_name, misread: Vec::new() };
    let suite = Suite { options, source: source.into(), tests: Vec::new() };
    let jdk = find_jdk().expect("a JDK");
    let ran = run_junit(&jdk, &[classes], &jars, &[suite], PATIENCE).unwrap_or_else(|e| panic!("{e}"));
    let of = |fate: Fate| ran.iter().filter(|test| test.fate == fate).count();
    (of(Fate::Passed), of(Fate::Failed))
}

#[test]
fn drivers_are_compared_on_what_they_draw() {
    let folder = Folder::new();
    let compare = |name: &str, arguments: &[&str]| {
        events(diff(&folder).arg(subject(name, "v0")).arg(subject(name, "v1")).args(arguments))
    };
    let (told, code) = compare("tcas", &["--method", "TcasDriver.safe"]);
    assert_eq!(code, Some(1));
    let safe = "TcasDriver.safe(int, int, int, int, int, int, int, int, int, int, int, int)";
    let expected = ["returns 2 -> returns 0", "throws evergreen.CheckFailed -> returns 0"];
    assert_eq!(differences(&told), expected.map(|one| format!("{safe}: {one}")));
    let (told, code) = compare("intervalset", &["--method", "add2"]);
    assert_eq!(code, Some(1));
    assert_eq!(differences(&told), ["IntervalSetDriver.add2(): returns -> throws evergreen.CheckFailed"]);
    // The sum overflows at the greatest int, and nowhere else.
    assert_eq!(of(&told, "difference")[0]["inputs"]["high1"], i32::MAX);
}

#[test]
fn fields_of_the_receiver_are_inputs_with_heaps() {
    let folder = Folder::new();
    let (old, new) = (subject("account", "v0"), subject("account", "v1"));
    // There is no constructor without parameters: nothing is compared, which is not "no difference".
    let plain = ["--method", "Account.withdraw", "--nesting", "0"];
    let output = run(diff(&folder).arg(&old).arg(&new).args(plain), "");
    assert_eq!(output.status.code(), Some(2), "{}", stdout(&output));
    assert!(stdout(&output).contains("  not compared: old version: 1 unsupported"), "{}", stdout(&output));
    // A constructor with a parameter makes the receiver.
    let output = run(diff(&folder).arg(&old).arg(&new).args(["--method", "Account.withdraw"]), "");
    assert_eq!(output.status.code(), Some(1), "{}", stdout(&output));
    assert!(stdout(&output).contains("    inputs  this = new Account("), "{}", stdout(&output));
    assert!(stdout(&output).contains("--concrete 'this.new=Account(int)'"), "{}", stdout(&output));
    // The tests of both versions' paths agree; a pair of paths has an input that overflows.
    let heap = ["--method", "Account.withdraw", "--heap", "li"];
    let (told, code) = events(diff(&folder).arg(&old).arg(&new).args(heap));
    assert_eq!(code, Some(1), "{told:?}");
    assert_eq!(differences(&told), ["Account.withdraw(int): returns false -> returns true"]);
}

/// Old, new, and what becomes of the method `f`.
const BEFORE: &str = "
public class Pairs {
  /** Three times, by other means. */
  public static int same(int x, int y) { int sum = 0; if (x > y) { sum = x - y; } else { sum = y - x; } \
  return sum * 3; }
  public static int hidden(int x) { return x * x + 1; }
  public static boolean guard(int x, int y) { return x > 0 && y > 0; }
  public static int wraps(int x) { return x * 8; }
  public static String words(int x) { return x > 3 ? \"more\" : \"less\"; }
  public static void prints(int x) { if (x == 77) { System.out.println(\"seventy-seven\"); } }
  public static int untouched(int x) { return x > 5 ? 1 : 2; }
}
";
const AFTER: &str = "
public class Pairs {
  public static int untouched(int y) { return y > 5 ? 1 : 2; }
  public static int same(int a, int b) {
    int difference = a - b;
    if (a <= b) { difference = -difference; }
    return difference + difference + difference;
  }
  public static int hidden(int x) { return x + 1; }
  public static boolean guard(int x, int y) { if (y <= 0) { return false; } return !(x <= 0); }
  public static int wraps(int x) { return x << 3; }
  public static String words(int x) { return x >= 4 ? \"more\" : \"less\"; }
  public static void prints(int x) { if (x == 77) { System.out.println(\"77\"); } }
}
";

/// Of the tests of the old version's 13 paths, those of the method that did not change are left alone, and
/// one notices the change.
fn check_suite(suite: &Value) {
    assert_eq!(suite["tests"], 13);
    let affected = suite["affected"].as_array().expect("tests");
    assert_eq!(affected.len(), 11, "{suite}");
    assert!(affected.iter().all(|test| test["method"] != "Pairs.untouched(int)"), "{suite}");
    let other: Vec<&Value> = affected.iter().filter(|test| test["fate"] != "same").collect();
    assert_eq!(other.len(), 1, "{suite}");
    assert_eq!(other[0]["method"], "Pairs.prints(int)");
    let fate = "returns and prints \"seventy-seven\\n\" before, returns and prints \"77\\n\" now";
    assert_eq!(other[0]["fate"], fate);
}

#[test]
fn a_refactoring_is_proved_and_a_difference_that_no_test_shows_is_found() {
    let folder = Folder::new();
    for (version, text) in [("v0", BEFORE), ("v1", AFTER)] {
        std::fs::create_dir_all(folder.path(version)).expect("a folder");
        folder.file(&format!("{version}/Pairs.java"), text);
    }
    let mut explore = with_tools(isolated(Path::new(env!("CARGO_BIN_EXE_evergreen")), &folder), &folder);
    let suite = folder.path("suite");
    explore.args(["explore", "--no-replay", "--suite"]).arg(&suite).arg(folder.path("v0"));
    let output = run(&mut explore, "");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let (told, code) =
        events(diff(&folder).arg(folder.path("v0")).arg(folder.path("v1")).arg("--suite").arg(&suite));
    assert_eq!(code, Some(1));
    check_suite(of(&told, "suite")[0]);
    assert_eq!(of(&told, "changes")[0]["unchanged"], 2, "the constructor, and the method that moved");
    let mut proved: Vec<&str> = of(&told, "method")
        .iter()
        .filter(|one| one["proved"] == true)
        .filter_map(|one| one["method"].as_str())
        .collect();
    proved.sort_unstable();
    assert_eq!(proved, ["Pairs.guard(int, int)", "Pairs.same(int, int)", "Pairs.wraps(int)"]);
    let found = differences(&told);
    assert_eq!(found.len(), 2, "{found:?}");
    // On the input that both versions' only paths were found with, zero, they agree.
    let hidden = of(&told, "difference").into_iter().find(|one| one["method"] == "Pairs.hidden(int)");
    let x = hidden.and_then(|one| one["inputs"]["x"].as_i64()).expect("an input");
    assert!(x != 0 && x != 1 && x.abs() <= 2, "{x} is small and shows it");
    assert!(
        found.contains(
            &"Pairs.prints(int): returns and prints \"seventy-seven\\n\" -> returns and prints \"77\\n\""
                .to_string()
        )
    );
    // Without pairs it is not found, and nothing is claimed.
    let (told, _) = events(diff(&folder).arg(folder.path("v0")).arg(folder.path("v1")).args([
        "--no-pairs",
        "--method",
        "hidden",
    ]));
    assert_eq!((differences(&told).len(), &of(&told, "method")[0]["proved"]), (0, &Value::from(false)));
}

#[test]
fn revisions_are_read_from_git_and_the_work_tree_is_left_alone() {
    let folder = Folder::new();
    let tree = folder.path("tree");
    std::fs::create_dir_all(tree.join("src/shop")).expect("a folder");
    let git = |arguments: &[&str]| {
        let mut command = Command::new("git");
        command.arg("-C").arg(&tree).args(["-c", "user.name=t", "-c", "user.email=t@example.org"]);
        let done = command.args(arguments).output().expect("these tests need git");
        assert!(done.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&done.stderr));
        String::from_utf8_lossy(&done.stdout).into_owned()
    };
    let write = |text: &str| {
        let source =
            format!("package shop; public class Price {{ public static int of(int n) {{ {text} }} }}");
        std::fs::write(tree.join("src/shop/Price.java"), source).expect("a source");
    };
    git(&["init", "--quiet", "--initial-branch=main"]);
    write("return n > 10 ? n * 9 : n * 10;");
    git(&["add", "."]);
    git(&["commit", "--quiet", "-m", "first"]);
    write("return n >= 10 ? n * 9 : n * 10;");
    git(&["commit", "--quiet", "-am", "second"]);
    write("return n >= 10 ? n * 9 : 10 * n;");
    let before = git(&["status", "--porcelain"]);
    let source = tree.join("src");
    let (told, code) = events(diff(&folder).args(["HEAD~1", "HEAD", "--source"]).arg(&source));
    assert_eq!(code, Some(1));
    assert_eq!(differences(&told), ["shop.Price.of(int): returns 100 -> returns 90"]);
    // The work tree has the last commit's behaviour in other words.
    let (told, code) = events(diff(&folder).args(["main", "--source"]).arg(&source));
    assert_eq!((code, &of(&told, "summary")[0]["proved"]), (Some(0), &Value::from(1)));
    // In the repository itself, revisions need no --source.
    let (told, code) = events(diff(&folder).args(["HEAD~1", "HEAD", "--changes-only"]).current_dir(&source));
    assert_eq!(
        (code, of(&told, "changes")[0]["changed"].to_string()),
        (Some(0), r#"["shop.Price.of(int)"]"#.into())
    );
    assert_eq!(git(&["status", "--porcelain"]), before);
    let bad = |arguments: &[&str]| {
        let output = run(diff(&folder).args(arguments).current_dir(&tree), "");
        assert_eq!(output.status.code(), Some(2), "{}", stdout(&output));
        stderr(&output)
    };
    assert!(bad(&["nowhere", "HEAD"]).contains("nowhere: no such file or folder, and no revision"));
    assert!(bad(&["HEAD~7", "HEAD", "--source", "src"]).contains("no revision \"HEAD~7\""));
    assert!(bad(&["src"]).contains("the new version is missing"));
    assert!(bad(&["HEAD", "HEAD", "--source", "nowhere"]).contains("nowhere"));
    write("return m;");
    assert!(bad(&["HEAD", "--source", "src"]).contains("the work tree: javac says"));
}

#[test]
fn nothing_is_run_where_nothing_changed() {
    let folder = Folder::new();
    let (old, new) = (folder.path("v0"), folder.path("v1"));
    for (place, text) in [(&old, BEFORE.to_string()), (&new, format!("// moved down\n\n{BEFORE}"))] {
        std::fs::create_dir_all(place).expect("a folder");
        std::fs::write(place.join("Pairs.java"), text).expect("a source");
    }
    let summary = folder.path("summary.md");
    std::fs::write(&summary, "# before\n").expect("a file");
    let output = run(diff(&folder).arg(&old).arg(&new).arg("--markdown").arg(&summary), "");
    assert_eq!(output.status.code(), Some(0));
    let said = stdout(&output);
    assert!(said.starts_with("0 methods changed, 0 affected, 0 added, 0 removed, 8 untouched\n"), "{said}");
    assert!(said.contains("no public method of both versions may behave differently"), "{said}");
    let summary = std::fs::read_to_string(&summary).expect("a summary");
    assert!(summary.starts_with("# before\n## Evergreen: "), "{summary}");
}
