//! What a JVM chooses anew in each run, identity hash codes and the time, is in no test and no divergence;
//! nor is a text that depends on how a class was compiled.

use crate::common::{Folder, find, isolated, run, stderr};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

const SOURCE: &str = "import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

public class Choices {
  enum Color { RED, GREEN }
  static class Point { final int x; Point(int x) { this.x = x; } }

  public static String shown(int x) { return x > 3 ? \"at \" + new Point(x) : \"nowhere\"; }
  public static void refused(int x) { if (x == 7) throw new IllegalStateException(\"no \" + new Point(x)); }
  public static int first(int x) {
    Set<Point> all = new HashSet<>();
    for (int i = 0; i < 8; i++) all.add(new Point(i));
    return x > 0 ? all.iterator().next().x : all.size();
  }
  public static int counted(int x) {
    Map<Color, Integer> counts = new HashMap<>();
    counts.put(Color.RED, 1);
    counts.put(Color.GREEN, 2);
    return counts.get(x > 0 ? Color.RED : Color.GREEN);
  }
  public static int sum(int[] items) {
    int sum = 0;
    for (int item : items) {
      sum += item > 0 ? 1 : 0;
    }
    return sum;
  }
  public static int length(String text) { return text.length() > 1 ? 2 : 1; }
}
class Elsewhere { private static int f(int x) { return x > 0 ? 1 : 2; } }
";

/// Explores methods with suite, sources and summary.
fn explored(folder: &Folder, more: &[&str]) -> (Value, String, String) {
    let source = folder.path("Choices.java");
    std::fs::write(&source, SOURCE).expect("a source");
    let (out, suite) = (folder.path("out"), folder.path("suite"));
    let mut command = explore(folder);
    command.arg(&source).args(more).arg("--out").arg(&out).arg("--suite").arg(&suite).arg("--json");
    let output = run(&mut command, "");
    let text = String::from_utf8(output.stdout).expect("JSON");
    let last = text.lines().last().unwrap_or_else(|| panic!("{:?}", output.stderr));
    let summary: Value = serde_json::from_str(last).expect("a summary");
    let sources = |folder: PathBuf| -> String {
        let files = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
        files.filter_map(|file| std::fs::read_to_string(file).ok()).collect()
    };
    (summary, sources(out.join("tests")), sources(suite.join("tests")))
}

fn explore(folder: &Folder) -> Command {
    let mut command = isolated(Path::new(env!("CARGO_BIN_EXE_evergreen")), folder);
    let cache = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("cache");
    command.env("XDG_CACHE_HOME", cache).args(["explore", "--store", "memory:", "--solver", "none"]);
    command
}

#[test]
fn what_depends_on_identity_hash_codes_is_reported_and_not_asserted() {
    let folder = Folder::new();
    let (summary, tests, suite) = explored(&folder, &[]);
    assert_eq!(summary["divergences"], 0, "{summary}");
    // Two texts, and an order; the size of a set and what a map has for a key depend on nothing.
    assert_eq!(summary["chosen"], serde_json::json!({ "tests": 3, "paths": 1 }), "{summary}");
    assert_eq!(summary["explored"], "in part");
    for text in [&tests, &suite] {
        assert!(text.contains("Choices.first(0)") && !text.contains("Choices.first(1)"), "{text}");
        assert!(text.contains("Choices.counted(0)") && text.contains("Choices.counted(1)"), "{text}");
        assert!(
            text.contains("nowhere") && !text.contains("Point@") && !text.contains("refused(7)"),
            "{text}"
        );
        // Without names of variables in the class file the text is another one.
        assert!(text.contains("Choices.length(") && !text.contains("because"), "{text}");
    }
    // Choices of inputs are shown where the method begins: whether the array is null, and its length.
    let paths = std::fs::read_to_string(folder.path("out/paths.jsonl")).expect("paths");
    let line = SOURCE.lines().position(|line| line.contains("int sum = 0")).expect("a line") + 1;
    let of_sum: Vec<Value> = paths.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let of_sum = of_sum.iter().filter(|path| path["method"] == "Choices.sum(int[])");
    let shown: Vec<&Value> = of_sum.map(|path| &path["lines"][0]["line"]).collect();
    assert!(!shown.is_empty() && shown.iter().all(|shown| **shown == line), "{shown:?}");
    let folder = Folder::new();
    let page = folder.path("page.html");
    let (summary, ..) = explored(&folder, &["--method", "shown", "--report", &page.to_string_lossy()]);
    assert_eq!(summary["chosen"], serde_json::json!({ "tests": 1, "paths": 0 }), "{summary}");
    assert_eq!(summary["explored"], "all");
    // Coverage is that of the tested class, of those in it and of those that its tests reach; the page has
    // the source, where a line without branches was executed, and others were not.
    let classes = summary["coverage"]["classes"].as_array().expect("classes").iter();
    let classes: Vec<&str> = classes.filter_map(|class| class["class"].as_str()).collect();
    assert_eq!(classes, ["Choices", "Choices$Color", "Choices$Point"]);
    let page = std::fs::read_to_string(page).expect("a page");
    let row = |class: &str, text: &str| {
        page.lines().any(|line| line.contains(&format!("<tr class=\"{class}\">")) && line.contains(text))
    };
    assert!(row("hit", "static class Point") && row("hit", "String shown"), "{page}");
    assert!(row("miss", "int sum = 0") && !row("miss", "class Elsewhere"), "{page}");
}

/// Two runs of the command: the first one leaves its JVM, which is ended when it is no longer wanted.
#[test]
fn a_jvm_stays_until_it_is_stopped() {
    let folder = Folder::new();
    // Names of sockets are short: not in the folder of the build.
    let cache = tempfile::Builder::new().prefix("stays").tempdir_in("/tmp").expect("a folder");
    let warm = |mut command: Command| {
        command.env("XDG_CACHE_HOME", cache.path()).env("EVERGREEN_WARM_JVM_S", "60").env_remove("CI");
        command
    };
    std::fs::write(folder.path("Choices.java"), SOURCE).expect("a source");
    let shown = run(warm(explore(&folder)).arg(folder.path("Choices.java")).args(["--method", "first"]), "");
    let text = String::from_utf8_lossy(&shown.stdout).into_owned() + &stderr(&shown);
    let stop = || {
        let mut command = warm(isolated(Path::new(env!("CARGO_BIN_EXE_evergreen")), &folder));
        let output = run(command.args(["jvm", "stop"]), "");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    assert_eq!(stop(), "ended the JVM that stayed in the background\n", "{text}");
    assert_eq!(stop(), "no JVM stays in the background\n");
    let line = "1 test depends on identity hash codes, the clock or the JVM's memory, which differ from run \
                to run: not asserted; what others lead to is not explored";
    assert!(text.contains(line), "{text}");
}

const LIBRARIES: &str = "import java.lang.reflect.Array;

public class Libraries {
  enum Version {
    OLD(\"0.9\"), NEW(\"1.0\");
    private final String name;
    Version(String name) { this.name = name; }
  }

  public static int version(Version version) { return version == Version.NEW ? version.name.length() : 0; }
  public static int[] put(int[] all, int at, int x) { Array.set(all, at, x); return all; }
  public static void store(Object[] all, Object x) { Array.set(all, 0, x); }
  public static Object wrong(int[] all) { Array.set(all, 0, \"text\"); return all; }
  public static Object nothing(int[] all) { Array.set(all, 0, null); return all; }
  public static Object at(int[] all, int at) { return Array.get(all, at); }
  public static boolean late(int x) { return x > 0 && System.currentTimeMillis() > 1_750_000_000_000L; }
  public static boolean sign(double x) { return Double.doubleToRawLongBits(x - x) < 0; }
  public static int order(Box box) { return box == null ? 0 : Log.first; }
  public static int room(int n) { return n < 2_000_000_000 ? 0 : new int[n].length; }

  static class Log { static int count, first; static int next() { return ++count; } }
  public static class Item { public Item() { Log.first = Log.count == 0 ? 1 : 2; } }
  public static class Box { static final int NUMBER = Log.next(); public Box(Item item) { } }
}
";

#[test]
fn what_libraries_do_diverges_nowhere() {
    let folder = Folder::new();
    let source = folder.path("Libraries.java");
    std::fs::write(&source, LIBRARIES).expect("a source");
    let output = run(explore(&folder).arg(&source).args(["--json", "--fail-on", "assertion"]), "");
    let text = String::from_utf8(output.stdout).expect("JSON");
    let events: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let of = |event: &str, method: &str| -> Vec<&Value> {
        let is_it = |value: &&Value| {
            value["event"] == event && value["method"].as_str().is_some_and(|name| name.contains(method))
        };
        events.iter().filter(is_it).collect()
    };
    let summary = events.last().expect("a summary");
    assert_eq!((&summary["divergences"], &summary["unsupported"]), (&0.into(), &0.into()), "{text}");
    // Null and both constants.
    assert_eq!(of("path", ".version(").len(), 3, "{text}");
    let thrown = |method: &str| -> Vec<&str> {
        of("path", method).iter().filter_map(|path| path["exception"].as_str()).collect()
    };
    assert!(thrown(".put(").contains(&"java.lang.ArrayIndexOutOfBoundsException"), "{text}");
    assert!(thrown(".wrong(").contains(&"java.lang.IllegalArgumentException"), "{text}");
    assert!(thrown(".nothing(").contains(&"java.lang.IllegalArgumentException"), "{text}");
    assert_eq!(of("path", ".put(").len(), of("path", ".at(").len());
    // The time, the sign of a NaN and a heap of eight gigabytes are the JVM's.
    assert_eq!(summary["chosen"]["paths"], 3, "{summary}");
}

#[test]
fn upper_cases_of_several_characters_are_a_path_for_each_length() {
    let folder = Folder::new();
    let source = folder.path("Upper.java");
    let text = "public class Upper { public static String of(String text) { \
                return text.length() != 1 ? null : text.toUpperCase(); } }";
    std::fs::write(&source, text).expect("a source");
    let mut command = isolated(Path::new(env!("CARGO_BIN_EXE_evergreen")), &folder);
    let tools = find("z3").parent().expect("a folder").to_path_buf();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths([tools].into_iter().chain(std::env::split_paths(&path))).expect("a path");
    command.env("PATH", path);
    command.args(["explore", "--store", "memory:", "--solver", "z3", "--chars", "0..55295", "--json"]);
    let output = run(command.arg(source), "");
    let text = String::from_utf8(output.stdout).expect("JSON");
    let events: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let lengths: Vec<usize> =
        events.iter().filter_map(|path| Some(path["value"].as_str()?.chars().count())).collect();
    // A hundred characters have an upper case of two or three.
    assert!(lengths.contains(&2) && lengths.contains(&3) && lengths.len() < 20, "{text}");
    assert_eq!(events.last().expect("a summary")["divergences"], 0, "{text}");
}
