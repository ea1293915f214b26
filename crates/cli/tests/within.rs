//! "All paths explored" is said only when it is so: bounds on inputs that were met are told wherever a result
//! is, and bounds that nothing met are not.

use crate::common::{Folder, find, isolated, run, stderr, stdout};
use evergreen_testing::redis::RedisServer;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const BOUNDS: &str = "
public class Bounds {
    public static int five(int[] a) {
        if (a != null && a.length == 5) throw new IllegalStateException(\"five\");
        return 0;
    }
    public static int euro(String s) {
        if (s != null && s.length() > 0 && s.charAt(0) == '\\u20ac') throw new \
        IllegalStateException(\"euro\");
        return 0;
    }
    public static int none(int x, Integer y) { return x > 3 ? 1 : y == null ? 2 : 3; }
    public static int same(int[] a, int[] b) { return a == b && a != null ? 1 / 0 : 2; }
    public static int empty(String s) { return s == \"\" ? 1 / 0 : 2; }
    private int count;
    public int often() { return count == 5 ? 1 / 0 : count++; }
    public static class Plain { public int twice(int x) { return x > 0 ? 2 * x : 0; } }
}
";

fn evergreen(folder: &Folder) -> Command {
    let mut command = isolated(Path::new(env!("CARGO_BIN_EXE_evergreen")), folder);
    let tools = find("z3").parent().expect("a folder").to_path_buf();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths([tools].into_iter().chain(std::env::split_paths(&path))).expect("a path");
    let cache = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("cache");
    command.env("PATH", path).env("EVERGREEN_STORE", "memory:").env("XDG_CACHE_HOME", cache);
    command
}

/// Explores methods of [`BOUNDS`]: what was said, and the summary as JSON.
fn explored(folder: &Folder, method: &str, flags: &[&str]) -> (Output, Value) {
    let (source, stats) = (folder.file("Bounds.java", BOUNDS), folder.path("stats"));
    let _ = std::fs::remove_file(&stats);
    let mut command = evergreen(folder);
    command
        .arg("explore")
        .arg(source)
        .args(["--fail-on", "declared", "--method", method, "--stats"])
        .arg(&stats)
        .args(flags);
    let output = run(&mut command, "");
    let text = std::fs::read_to_string(&stats).unwrap_or_else(|e| panic!("{e}: {}", stderr(&output)));
    (output, serde_json::from_str(&text).expect("JSON"))
}

fn read(folder: &Folder, name: &str) -> String {
    std::fs::read_to_string(folder.path(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
}

#[test]
fn lengths_beyond_the_bound_are_told_wherever_a_result_is() {
    let folder = Folder::new();
    let place = |name: &str| folder.text(name);
    let files = ["--sarif", &place("s.sarif"), "--markdown", &place("m.md"), "--report", &place("r.html")];
    let suite = ["--suite", &place("suite"), "--out", &place("out")];
    let (output, summary) = explored(&folder, "five", &[&files[..], &suite[..]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    assert!(text.contains("  2 paths, 2 queries; within lengths up to 3\n"), "{text}");
    assert!(
        text.contains("0 findings on 2 paths of 1 method, all paths within lengths up to 3 explored"),
        "{text}"
    );
    let left_out = "longer arrays and strings left out on 1 path (--input-length 3)";
    assert!(text.contains(left_out), "{text}");
    assert!(text.contains("new 2; within lengths up to 3"), "the suite: {text}");
    assert_eq!((&summary["complete"], &summary["explored"]), (&json!(false), &json!("within bounds")));
    assert_eq!(
        (&summary["within"], &summary["bounds"]),
        (&json!("lengths up to 3"), &json!({ "input_length": 1 }))
    );
    assert_eq!(summary["suite"]["within"], "lengths up to 3");
    let written: Value = serde_json::from_str(&read(&folder, "out/summary.json")).expect("JSON");
    assert_eq!(written["within"], "lengths up to 3");
    let sarif: Value = serde_json::from_str(&read(&folder, "s.sarif")).expect("JSON");
    let notes = &sarif["runs"][0]["invocations"][0]["toolExecutionNotifications"];
    assert_eq!(notes[0]["message"]["text"], "all paths within lengths up to 3 explored");
    assert_eq!(notes[1]["message"]["text"], left_out);
    let markdown = read(&folder, "m.md");
    assert!(
        markdown.contains("nothing found within lengths up to 3\n") && markdown.contains(left_out),
        "{markdown}"
    );
    let page = read(&folder, "r.html");
    assert!(
        page.contains("all paths within lengths up to 3 explored</span>") && page.contains(left_out),
        "{page}"
    );
    assert!(page.contains("2 paths; within lengths up to 3</span>"), "{page}");
    // Where the bound allows it, it is found; longer ones are left out still.
    let (output, summary) = explored(&folder, "five", &["--input-length", "5"]);
    assert_eq!((output.status.code(), &summary["within"]), (Some(1), &json!("lengths up to 5")));
}

#[test]
fn bounds_that_nothing_met_are_not_told() {
    let folder = Folder::new();
    for (method, flags) in [("none", &[][..]), ("Bounds$Plain.twice", &[])] {
        let (output, summary) = explored(&folder, method, flags);
        assert!(stdout(&output).contains(", all paths explored, "), "{}", stdout(&output));
        assert_eq!((&summary["complete"], &summary["explored"]), (&json!(true), &json!("all")), "{summary}");
        assert_eq!((&summary["within"], &summary["bounds"]), (&Value::Null, &json!({})), "{summary}");
    }
    // Longer ones were not asked for.
    let (output, summary) = explored(&folder, "five", &["--range", "a.length=0..2"]);
    assert!(stdout(&output).contains(", all paths within --range explored, "), "{}", stdout(&output));
    assert_eq!((&summary["complete"], &summary["bounds"]), (&json!(true), &json!({})), "{summary}");
}

#[test]
fn receivers_and_shared_arrays_are_bounds_too() {
    let folder = Folder::new();
    let (output, summary) = explored(&folder, "often", &[]);
    assert!(stdout(&output).contains("all paths within new objects explored"), "{}", stdout(&output));
    assert_eq!((output.status.code(), &summary["bounds"]), (Some(0), &json!({ "new_objects": 1 })));
    // With objects as inputs it is found.
    let (output, summary) = explored(&folder, "often", &["--heap", "li"]);
    assert_eq!((output.status.code(), &summary["bounds"]), (Some(1), &json!({})), "{summary}");
    let (output, summary) = explored(&folder, "same", &["--input-length", "1"]);
    let text = stdout(&output);
    // Nothing looks at a length.
    assert!(text.contains("all paths within unshared inputs explored"), "{text}");
    assert_eq!(summary["bounds"], json!({ "sharing": 1 }));
    // A string that is an input may be a literal; that is told where the program could see it.
    let (_, summary) = explored(&folder, "empty", &["--input-length", "1"]);
    assert_eq!(summary["within"], "unshared inputs");
}

#[test]
fn characters_of_every_kind_are_explored() {
    let folder = Folder::new();
    let (output, summary) = explored(&folder, "euro", &[]);
    let text = stdout(&output);
    assert!(
        text.contains("FOUND java.lang.IllegalStateException: euro") && text.contains("s = \"€\""),
        "{text}"
    );
    // Null, none; the first of some characters is one or not: nothing else is told apart.
    assert_eq!(
        (&summary["paths"], &summary["replayed"], &summary["divergences"]),
        (&json!(4), &json!(4), &json!(0))
    );
    assert_eq!(summary["bounds"], json!({}));
    let (output, summary) = explored(&folder, "euro", &["--chars", "32..126"]);
    assert_eq!((output.status.code(), &summary["paths"]), (Some(0), &json!(3)), "{summary}");
    assert_eq!(summary["within"], "characters 32..126");
    // Null has no characters.
    assert_eq!(summary["bounds"], json!({ "chars": 2 }));
}

#[test]
fn threads_and_workers_meet_the_same_bounds() {
    let folder = Folder::new();
    let told = |summary: &Value| {
        json!([summary["paths"], summary["bounds"], summary["within"], summary["explored"]])
    };
    let flags = ["--no-replay", "--chars", "0..9000"];
    let expected = json!([4, { "chars": 3 }, "characters 0..9000", "within bounds"]);
    let (_, alone) = explored(&folder, "euro", &flags);
    assert_eq!(told(&alone), expected);
    let (_, many) = explored(&folder, "euro", &[&flags[..], &["--jobs", "3"]].concat());
    assert_eq!(told(&many), expected);
    let server = RedisServer::start();
    let mut worker = evergreen(&folder);
    worker.args(["work", "--queue", &server.url()]).stdout(Stdio::null()).stderr(Stdio::null());
    let mut worker = worker.spawn().expect("start a worker");
    let (output, elsewhere) = explored(&folder, "euro", &[&flags[..], &["--queue", &server.url()]].concat());
    let _ = worker.kill().and_then(|()| worker.wait());
    assert_eq!(told(&elsewhere), expected, "{}", stderr(&output));
    assert!(!stderr(&output).contains("explored here"), "the worker's paths are used: {}", stderr(&output));
}

const FOUR: &str = "
public class Four {
    static class Node { Node next; }
    Node first;
    boolean repOK() {
        int n = 0;
        for (Node at = first; at != null && n < 9; at = at.next) n++;
        return n == 4;
    }
    public int value() { return VALUE; }
}
";

fn four(folder: &Folder, name: &str, value: &str) -> PathBuf {
    std::fs::create_dir_all(folder.path(name)).expect("a folder");
    folder.file(&format!("{name}/Four.java"), FOUR.replace("VALUE", &format!("first == null ? -1 : {value}")))
}

#[test]
fn a_scope_that_no_valid_object_fits_is_no_success() {
    let folder = Folder::new();
    let (old, new) = (four(&folder, "old", "1"), four(&folder, "new", "2"));
    let explore = |scope: &str, flags: &[&str]| {
        let mut command = evergreen(&folder);
        run(command.arg("explore").arg(&old).args(["--heap", "li", "--scope", scope]).args(flags), "")
    };
    let output = explore("3", &[]);
    let (text, warned) = (stdout(&output), stderr(&output));
    assert_eq!(output.status.code(), Some(2), "{text}{warned}");
    assert!(text.contains("0 findings on 0 paths of 1 method, nothing to explore"), "{text}");
    assert!(!text.contains("all paths"), "{text}");
    assert!(
        warned.contains("Four.value(): no valid object fits scope 3, so nothing was explored\n"),
        "{warned}"
    );
    assert!(warned.contains("help: a larger scope, such as --scope 4"), "{warned}");
    let output = explore("3", &["--json"]);
    let events: Vec<Value> =
        stdout(&output).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!((output.status.code(), &events[0]["event"]), (Some(2), &json!("empty")), "{events:?}");
    let summary = events.last().expect("a summary");
    assert_eq!(
        (&summary["empty"], &summary["complete"], &summary["explored"]),
        (&json!(1), &json!(false), &json!("in part"))
    );
    let output = explore("4", &["--no-replay"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stdout(&output).contains("0 findings on 1 path of 1 method"), "{}", stdout(&output));
    // Two versions without a path do not agree: nothing was compared.
    let diff = |scope: &str| {
        let mut command = evergreen(&folder);
        run(command.arg("diff").arg(&old).arg(&new).args(["--heap", "li", "--scope", scope]), "")
    };
    let output = diff("3");
    assert_eq!(output.status.code(), Some(2), "{}", stdout(&output));
    assert!(stdout(&output).contains("not compared: no valid object fits scope 3"), "{}", stdout(&output));
    let output = diff("4");
    assert_eq!(output.status.code(), Some(1), "{}{}", stdout(&output), stderr(&output));
}

const TIME: &str = "
public class Time {
    public static int minute(String s) {
        if (s.length() < 4 || s.charAt(1) != ':') return -1;
        int m = (s.charAt(2) - '0') * 10 + (s.charAt(s.length() - 1) - '0');
        if (m COMPARED 59) return -2;
        return m;
    }
}
";

#[test]
fn versions_agree_within_the_bounds_that_their_inputs_met() {
    let folder = Folder::new();
    let version = |name: &str, compared: &str| {
        std::fs::create_dir_all(folder.path(name)).expect("a folder");
        folder.file(&format!("{name}/Time.java"), TIME.replace("COMPARED", compared))
    };
    let (old, new) = (version("old", ">"), version("new", ">="));
    let diff = |flags: &[&str]| {
        let mut command = evergreen(&folder);
        run(command.arg("diff").arg(&old).arg(&new).args(flags), "")
    };
    let (sarif, markdown) = (folder.text("d.sarif"), folder.text("d.md"));
    let output = diff(&["--sarif", &sarif, "--markdown", &markdown]);
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{text}{}", stderr(&output));
    assert!(text.contains("agree on all their inputs within lengths up to 3\n"), "{text}");
    assert!(text.contains("no difference in 1 method within lengths up to 3, "), "{text}");
    assert!(read(&folder, "d.md").contains("no difference in 1 method within lengths up to 3"));
    assert!(
        read(&folder, "d.sarif").contains("longer arrays and strings left out on 2 paths (--input-length 3)")
    );
    let output = diff(&["--json"]);
    let events: Vec<Value> =
        stdout(&output).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let of = |kind: &str| events.iter().find(|event| event["event"] == kind).expect("an event").clone();
    let method = of("method");
    assert_eq!(
        (&method["proved"], &method["proved_within"]),
        (&json!(false), &json!("lengths up to 3")),
        "{method}"
    );
    let summary = of("summary");
    assert_eq!(
        (&summary["proved"], &summary["proved_within"], &summary["complete"]),
        (&json!(0), &json!(1), &json!(false))
    );
    // The difference is one character further.
    let output = diff(&["--input-length", "4"]);
    assert_eq!(output.status.code(), Some(1), "{}{}", stdout(&output), stderr(&output));
    assert!(stdout(&output).contains("DIFFERS returns 59 before, returns -2 now"), "{}", stdout(&output));
}

#[test]
fn probabilities_and_leaks_are_those_of_the_domain() {
    let folder = Folder::new();
    let (output, _) = explored(&folder, "euro", &["--no-replay", "--secret", "s", "--probability"]);
    let text = stdout(&output);
    assert!(
        text.contains(
            "  probabilities, inputs uniform in their ranges\n    of inputs within lengths up to 3\n"
        ),
        "{text}"
    );
    assert!(
        text.contains("leak of s.length, s[0] (") && text.contains(" bits), within lengths up to 3: "),
        "{text}"
    );
}
