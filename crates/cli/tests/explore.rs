//! `evergreen explore` end to end: known path counts, findings and their commands, bounds, bad input, reuse;
//! every test that is generated is replayed on the real JVM.

use crate::common::{Folder, find, isolated, run, stderr, stdout};
use evergreen_testing::tools::repository;
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

/// The subjects that are explored here, compiled once, each into a folder of its own.
fn compiled(subject: &str) -> PathBuf {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    let root = FOLDER.get_or_init(|| {
        let root =
            PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("explored-{}", std::process::id()));
        let own = root.join("own");
        std::fs::create_dir_all(&own).expect("a folder for sources");
        for (subject, name, source) in [("endless", "Endless", ENDLESS), ("twice", "Twice", TWICE)] {
            let folder = own.join(subject);
            std::fs::create_dir_all(&folder).expect("a folder for a source");
            std::fs::write(folder.join(format!("{name}.java")), source).expect("a source");
        }
        for subject in ["figure2/v0", "mid", "bintree/v0", "bintree/v1", "jdk", "endless", "twice"] {
            let subjects = repository().join("subjects");
            let folder = if own.join(subject).exists() { own.join(subject) } else { subjects.join(subject) };
            let sources =
                std::fs::read_dir(&folder).expect("a subject").map(|file| file.expect("a file").path());
            let out = root.join(subject);
            std::fs::create_dir_all(&out).expect("a folder for classes");
            let mut javac = Command::new("javac");
            javac
                .args(["-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "-g", "-nowarn", "-d"])
                .arg(&out)
                .arg("-sourcepath")
                .arg(repository().join("crates/replay/java/sym"));
            let done = javac.args(sources).output().expect("these tests need javac on PATH");
            assert!(done.status.success(), "javac: {}", String::from_utf8_lossy(&done.stderr));
        }
        root
    });
    root.join(subject)
}

/// `evergreen explore`, with its own settings and a cache that all tests share.
fn explore(folder: &Folder) -> Command {
    let mut command = isolated(Path::new(env!("CARGO_BIN_EXE_evergreen")), folder);
    let tools = find("z3").parent().expect("a folder").to_path_buf();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths([tools].into_iter().chain(std::env::split_paths(&path))).expect("a path");
    let cache = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("cache");
    command.env("PATH", path).env("EVERGREEN_STORE", folder.path("store")).env("XDG_CACHE_HOME", cache);
    command.arg("explore");
    command
}

/// The events of a run, and its exit code.
fn events(command: &mut Command) -> (Vec<Value>, Option<i32>) {
    let output = run(command.arg("--json"), "");
    let lines = stdout(&output);
    let events: Vec<Value> =
        lines.lines().map(|l| serde_json::from_str(l).unwrap_or_else(|e| panic!("{e}: {l}"))).collect();
    assert!(!events.is_empty(), "{}", stderr(&output));
    (events, output.status.code())
}

/// The last event of a run.
fn summary(command: &mut Command) -> Value {
    events(command).0.pop().expect("a summary")
}

fn number(event: &Value, name: &str) -> u64 {
    event[name].as_u64().unwrap_or_else(|| panic!("no {name} in {event}"))
}

#[test]
fn the_papers_counts() {
    let folder = Folder::new();
    let count = |subject: &str, method: &str| {
        let done = summary(explore(&folder).arg(compiled(subject)).args(["--method", method]));
        assert_eq!((number(&done, "divergences"), &done["complete"]), (0, &Value::Bool(true)), "{done}");
        assert_eq!(number(&done, "replayed"), number(&done, "paths"), "every path's test is replayed");
        (number(&done, "paths"), number(&done, "queries"), number(&done, "solved"))
    };
    assert_eq!(count("figure2/v0", "m"), (12, 22, 0));
    assert_eq!(count("mid", "mid"), (6, 10, 0));
    assert_eq!(count("bintree/v0", "add1"), (1, 0, 0));
    assert_eq!(count("bintree/v0", "add3"), (13, 24, 0));
    assert_eq!(count("bintree/v0", "add5"), (541, 1080, 0));
    assert_eq!(count("jdk", "TreeMapJdk.put4").0, 75, "the JDK's own tree");
}

/// A product that overflows: what integers cannot say well.
const BUCKET: &str = "public class Bucket {
    public static int tokensAfter(int capacity, int used, int perSecond, int seconds) {
        if (capacity <= 0 || capacity > 1000000 || used < 0 || used > capacity) {
            throw new IllegalArgumentException(\"no such bucket\");
        }
        if (perSecond < 1 || perSecond > 1000 || seconds < 0) {
            return 0;
        }
        int tokens = capacity - used;
        int refilled = tokens + perSecond * seconds;
        if (refilled > capacity) {
            refilled = capacity;
        }
        assert refilled >= tokens : \"waiting takes tokens away\";
        return refilled;
    }
}";

#[test]
fn a_finding_its_inputs_and_the_command_that_shows_it_again() {
    let folder = Folder::new();
    let target = folder.file("Bucket.java", BUCKET);
    let (events, code) = events(explore(&folder).arg(&target).args(["--method", "tokensAfter"]));
    assert_eq!(code, Some(1), "something was found");
    let finding =
        events.iter().find(|e| e["event"] == "finding" && e["what"] == "assertion").expect("a finding");
    assert_eq!(finding["exception"], "java.lang.AssertionError");
    assert_eq!(finding["message"], "waiting takes tokens away");
    let inputs = &finding["inputs"];
    assert_eq!((number(inputs, "capacity"), number(inputs, "used")), (1, 0), "the smallest: {inputs}");
    let summary = events.last().expect("a summary");
    assert_eq!((number(summary, "findings"), number(summary, "divergences")), (1, 0));
    assert_eq!(number(&summary["noted"], "declared"), 1, "{summary}");
    // The command, run as it is printed.
    let again = finding["again"].as_str().expect("a command");
    let words = again.strip_prefix("evergreen explore ").expect("a command");
    let program = env!("CARGO_BIN_EXE_evergreen");
    let mut shell = isolated(Path::new("sh"), &folder);
    shell.args(["-c", &format!("{program} explore {words} --no-replay --store memory:")]);
    let output = run(&mut shell, "");
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let told = stdout(&output);
    assert!(told.contains("FOUND java.lang.AssertionError: waiting takes tokens away"), "{told}");
    assert!(told.contains("1 finding on 1 path of 1 method"), "{told}");
}

/// Findings that need the flags of the run to be found again.
const NEEDY: &str = "public class Needy {
    Needy next;
    int value;
    static int sum(int x) {
        if (x > 2000000000 && x + x > 0) throw new IllegalStateException(\"no int is so large\");
        return 0;
    }
    public static int items(int[] a) {
        if (a != null && a.length == 5 && a[4] == 'x') throw new IllegalStateException(\"five\");
        return 0;
    }
    public static int text(String s) {
        if (s != null && s.equals(\"it's$\")) throw new IllegalStateException(\"a word\");
        return 0;
    }
    public static int other(int n, Needy list) {
        if (n > 3 && list != null && list.next != null && list.next.value == n) throw new \
        IllegalStateException(\"two\");
        return 0;
    }
}";

#[test]
fn the_command_that_shows_a_finding_again_has_all_flags() {
    let folder = Folder::new();
    // A shell has to be told where this name ends.
    let place = folder.path("it's a \"$HOME\" folder");
    std::fs::create_dir_all(&place).expect("a folder");
    let target = place.join("Needy.java");
    std::fs::write(&target, NEEDY).expect("a source");
    let program = Path::new(env!("CARGO_BIN_EXE_evergreen")).parent().expect("a folder");
    for (flags, found) in [
        (&["--method", "sum", "--ints", "math", "--assume", "-x < 0"][..], "no int is so large"),
        (&["--input-length", "5", "--range", "n=0..9", "--range", "a=0..200", "--jobs", "2"], "five"),
        (&["--input-length", "5", "--range", "n=0..9", "--depth", "50"], "a word"),
        (&["--heap", "li", "--scope", "2", "--scope", "Needy=2", "--range", "n=4..9", "--json"], "two"),
    ] {
        let finding = |output: &Output| {
            let told = stdout(output);
            let events = told.lines().map(|line| serde_json::from_str::<Value>(line).expect("an event"));
            let mut all = events.filter(|event| event["event"] == "finding" && event["message"] == found);
            all.next().unwrap_or_else(|| panic!("{found}: {told}{}", stderr(output)))
        };
        let mut first = explore(&folder);
        first.arg(&target).args(["--no-replay", "--store", "memory:", "--fail-on", "declared"]).args(flags);
        let json = if flags.contains(&"--json") { &[][..] } else { &["--json"] };
        let first = finding(&run(first.args(json), ""));
        let again = first["again"].as_str().expect("a command");
        let mut shell = isolated(Path::new("sh"), &folder);
        let path = std::env::join_paths(
            [program, find("z3").parent().expect("a folder")]
                .into_iter()
                .map(PathBuf::from)
                .chain(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default())),
        );
        shell.env("PATH", path.expect("a path")).args(["-c", &format!("{again} --store memory: --json")]);
        let second = finding(&run(&mut shell, ""));
        // The same place and the same way there; it tells the same command.
        assert_eq!((&second["place"], &second["again"]), (&first["place"], &first["again"]), "{again}");
    }
}

/// The same condition twice: the path says what the second asks, and that is an answer like any other.
const TWICE: &str = "public class Twice {
    public static int f(int x, int y) {
        int r = 0;
        if (x < y) r++;
        if (x < y) r++;
        return r;
    }
    public static int g(int x) {
        if ((x & 12) == 4) throw new IllegalStateException();
        return x;
    }
}";

/// What is summed is in [`crate::common::run`].
#[test]
fn arms_do_not_vanish_from_the_statistics() {
    let folder = Folder::new();
    let target = compiled("twice");
    let flags = ["--no-replay", "--no-shortcuts", "--ints", "math", "--no-native", "--reuse", "none"];
    let output = run(explore(&folder).arg(&target).args(["--method", "f"]).args(flags), "");
    let told = stdout(&output);
    let line = "6 arms at branches: 0 needed no question, 6 asked: 2 answered without a solver, 4 solved\n";
    assert!(told.contains(line), "{told}");
    let done = summary(explore(&folder).arg(&target).args(["--method", "f"]).args(flags));
    assert_eq!((number(&done["answered"], "path"), number(&done["answered"], "solver")), (2, 4), "{done}");
    // All methods together, in threads, as a suite that is made and then kept, and where a solver is missing.
    let suite = folder.text("suite");
    for flags in [
        &["--no-shortcuts", "--reuse", "none", "--jobs", "2"][..],
        &["--no-native", "--suite", &suite],
        &["--suite", &suite],
        &["--suite", &suite, "--suite-size", "paths"],
        &["--suite", &suite, "--suite-size", "paths", "--trust-old-infeasible"],
        &["--ints", "math", "--store", "memory:"],
        &["--no-native", "--store", "memory:", "--solver", "false"],
    ] {
        let done = summary(explore(&folder).arg(&target).arg("--no-replay").args(flags));
        assert_eq!((number(&done, "methods"), number(&done, "failed")), (2, 0), "{done}");
    }
    run(explore(&folder).arg(&target).args(["--no-replay", "--suite", &suite]), "");
}

#[test]
fn the_second_run_solves_nothing() {
    let folder = Folder::new();
    let target = folder.file("Bucket.java", BUCKET);
    let args = ["--method", "tokensAfter", "--no-replay"];
    let alone = summary(explore(&folder).arg(&target).args(args).args(["--store", "memory:"]));
    assert_eq!(number(&alone, "solver_calls"), 0, "products are decided here: {alone}");
    let go = || summary(explore(&folder).arg(&target).args(args).arg("--no-native"));
    let first = go();
    assert!(number(&first, "solved") > 0, "{first}");
    assert_eq!(first["paths"], alone["paths"]);
    let second = go();
    assert_eq!((number(&second, "solved"), number(&second["shrinking"], "solved")), (0, 0), "{second}");
    assert_eq!(number(&second, "solver_starts"), 0);
    assert_eq!(second["paths"], first["paths"]);
}

#[test]
fn the_same_input_gives_the_same_output() {
    let folder = Folder::new();
    for order in ["dfs", "bfs", "random", "coverage"] {
        let go = || {
            let args = ["--method", "add3", "--no-replay", "--store", "memory:", "--order", order];
            let mut all = events(explore(&folder).arg(compiled("bintree/v0")).args(args)).0;
            all.last_mut().expect("a summary")["time_ms"] = Value::Null;
            all
        };
        let all = go();
        assert_eq!(all, go(), "{order}");
        assert_eq!(number(all.last().expect("a summary"), "paths"), 13, "{order}");
    }
}

/// Endless in every way.
const ENDLESS: &str = "public class Endless {
    public static int loop(int x) { while (true) { if (x == 7) return 1; x = 3; } }
    public static int tree(int x, int y) { int n = 0; while (x < y) { x++; n++; } return n; }
    public static int deep(int x) { return deep(x + 1) + 1; }
    public static int big(int x) { return new int[Integer.MAX_VALUE].length + x; }
    public static int over(int a) { return a; }
    public static int over(long a) { return 1; }
}";

#[test]
fn bounds_cut_and_say_so() {
    let folder = Folder::new();
    let source = compiled("endless");
    let go = |args: &[&str]| summary(explore(&folder).arg(&source).arg("--no-replay").args(args));
    let done = go(&["--method", "loop", "--steps", "100000"]);
    assert_eq!((number(&done, "paths"), number(&done["cut"], "steps")), (1, 1), "{done}");
    let done = go(&["--method", "tree", "--depth", "5"]);
    assert_eq!((number(&done, "paths"), number(&done["cut"], "depth")), (5, 1), "{done}");
    let done = go(&["--method", "tree", "--loops", "3"]);
    assert_eq!((number(&done, "paths"), number(&done["cut"], "loops")), (3, 1), "{done}");
    let done = go(&["--method", "tree", "--paths", "4", "--order", "bfs"]);
    assert_eq!((number(&done, "paths"), number(&done["cut"], "paths")), (4, 2), "{done}");
    let done = go(&["--method", "tree", "--range", "x=0..2", "--range", "y=0..4", "--assume", "x < y - 1"]);
    assert_eq!((number(&done, "paths"), &done["complete"]), (3, &Value::Bool(true)), "{done}");
    let done = go(&["--method", "tree", "--concrete", "x=1", "--concrete", "y=4"]);
    assert_eq!((number(&done, "paths"), number(&done, "queries")), (1, 0), "{done}");
    // Errors of the JVM are findings like others.
    for method in ["deep", "big"] {
        let done = go(&["--method", method]);
        assert_eq!((number(&done, "paths"), number(&done, "findings")), (1, 1), "{method}: {done}");
    }
}

/// What is printed on standard error, with exit code 2.
fn refused(folder: &Folder, args: &[&str]) -> String {
    let output = run(explore(folder).args(args), "");
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{args:?}: {said}{}", stdout(&output));
    assert!(!said.contains("panicked"), "{said}");
    said
}

/// `--method add` of `TreeSet.java` is that of `TreeSet`, although a nested class has one, too. The overloads
/// of one class stay ambiguous, and so do the nested classes of a file whose main class has no such method.
#[test]
fn the_main_class_of_a_file_wins() {
    let folder = Folder::new();
    let source = repository().join("subjects/heap/TreeSet.java");
    let mut command = explore(&folder);
    command.arg(&source).args(["--method", "add", "--heap", "bliss", "--scope", "2", "--no-replay"]);
    let (events, code) = events(&mut command);
    assert_eq!(code, Some(0), "{events:?}");
    let path = events.iter().find(|event| event["event"] == "path").expect("a path");
    assert_eq!(path["method"], "heap.TreeSet.add(int)");

    let text = "package p; public class Outer {\n\
                  public static int one(int x) { return x; }\n\
                  public static int one(long x) { return 0; }\n\
                  static class A { static int one(int x) { return x; } static int two(int x) { return x; } \
                  }\n\
                  static class B { static int two(int x) { return x; } }\n\
                }";
    let source = folder.file("Outer.java", text).display().to_string();
    let said = refused(&folder, &[&source, "--method", "one"]);
    assert!(said.contains("ambiguous") && said.contains("one(J)I") && !said.contains("Outer$A"), "{said}");
    let said = refused(&folder, &[&source, "--method", "two"]);
    assert!(said.contains("Outer$A.two(int)") && said.contains("Outer$B.two(int)"), "{said}");
    assert_eq!(number(&summary(explore(&folder).args([&source, "--method", "one(int)"])), "paths"), 1);
}

#[test]
fn bad_input_is_told_clearly() {
    let folder = Folder::new();
    let source = compiled("endless").display().to_string();
    let check = |args: &[&str], expected: &str| {
        let said = refused(&folder, args);
        assert!(said.contains(expected), "{args:?}: {said}");
    };
    check(&["/no/Such.java"], "/no/Such.java: no such file or folder");
    check(&[&folder.file("odd.txt", "x").display().to_string()], "not a .java file");
    check(
        &[&folder.file("Corrupt.class", [0xca, 0xfe, 0xba, 0xbe, 0, 0]).display().to_string()],
        "Corrupt.class",
    );
    check(&[&folder.file("Broken.java", "class Broken { int }").display().to_string()], "javac says:");
    check(&[&source, "--method", "lop"], "no method \"lop\"\nhelp: did you mean loop?");
    check(&[&source, "--method", "over"], "is ambiguous:");
    check(&[&source, "--method", "over(X)"], "of that name there are:");
    check(&[&source, "--method", "Nothing.loop"], "no class \"Nothing\"");
    check(&[&source, "--method", "loop", "--assume", "x <"], "a value is missing here\n  x <\n     ^");
    check(&[&source, "--method", "tree", "--assume", "x < z"], "no input is called \"z\"\n  x < z\n      ^");
    check(&[&source, "--method", "tree", "--assume", "x < y && y < x"], "no input satisfies");
    check(&[&source, "--method", "tree", "--range", "x=5..1"], "the range is empty");
    check(&[&source, "--method", "tree", "--concrete", "x=red"], "\"red\" is no int");
    check(&[&source, "--method", "tree", "--concrete", "xx=1"], "no input is called \"xx\"");
    std::fs::create_dir(folder.path("empty")).expect("a folder");
    check(&[&folder.text("empty")], "no class files and no sources in it");
}

#[test]
fn an_interrupt_ends_it_with_what_was_found() {
    let folder = Folder::new();
    let mut command = explore(&folder);
    command.arg(compiled("endless")).args(["--method", "tree", "--order", "bfs", "--no-replay", "--json"]);
    command.args(["--time", "0", "--depth", "0", "--paths", "0"]);
    let mut child = command.stdout(Stdio::piped()).spawn().expect("it starts");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let first = lines.next().expect("a line").expect("text");
    assert!(first.contains("\"event\":\"path\""), "{first}");
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill");
    assert!(sent.success());
    let last = lines.map(|line| line.expect("text")).last().expect("more lines");
    let done: Value = serde_json::from_str(&last).expect("JSON");
    assert_eq!(done["event"], "summary");
    assert!(number(&done["cut"], "interrupt") > 0, "{done}");
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
}

#[test]
fn unbounded_integers_and_ways_to_name_things() {
    let folder = Folder::new();
    let source = folder.file(
        "Wrap.java",
        "package a.b; public class Wrap { static class In { private static int f(int[] xs) { return \
         xs.length; } }
         public static boolean next(int x) { return x + 1 < x; }
         enum Colour { RED, GREEN, BLUE }
         public static int box(Integer x, Colour c) { return c.ordinal() + (x > 10 ? x : 0); } }",
    );
    let go = |args: &[&str]| summary(explore(&folder).arg(&source).arg("--no-replay").args(args));
    assert_eq!(number(&go(&["--method", "next"]), "paths"), 2, "the greatest int");
    assert_eq!(number(&go(&["--method", "a.b.Wrap.next(int)", "--ints", "math"]), "paths"), 1);
    // A nested class, a private method, an array that may be null: null throws, and no path chooses a
    // length.
    let done = go(&["--method", "In.f", "--input-length", "2", "--fail-on", "null"]);
    assert_eq!((number(&done, "paths"), number(&done, "findings")), (2, 1), "{done}");
    let done = go(&["--method", "f([I)I", "--range", "xs.length=1..2"]);
    assert_eq!((number(&done, "paths"), number(&done, "findings")), (1, 0), "{done}");
    let done = go(&["--method", "box", "--assume", "!x.isNull && c.ordinal >= 1"]);
    assert_eq!((number(&done, "paths"), number(&done, "findings")), (4, 0), "{done}");
    let done = go(&["--method", "box", "--concrete", "x=11", "--concrete", "c=Colour.BLUE"]);
    assert_eq!((number(&done, "paths"), number(&done, "findings")), (1, 0), "{done}");
    let done = go(&["--method", "f", "--concrete", "xs={1, 2, 3, 4}"]);
    assert_eq!((number(&done, "paths"), number(&done, "queries")), (1, 0), "{done}");
}

#[test]
fn inputs_of_different_methods_do_not_mix() {
    let folder = Folder::new();
    let source = folder.file(
        "Mix.java",
        "public class Mix { public static int f(byte[] a) { a[0]++; return a[0] == 5 ? 1 : 2; }
         public static int g(int[] a) { a[0] = -a[0]; return a[0] > 100000 ? a.length : a[0]; }
         public static int h(String a) { return a.charAt(1) == 'x' ? 1 : 2; }
         public static int i(long a) { return a > 5000000000L ? 1 : 2; }
         public static boolean j(boolean a) { return !a; } }",
    );
    let done = summary(explore(&folder).arg(&source).args(["--input-length", "2"]));
    assert_eq!((number(&done, "methods"), number(&done, "divergences")), (5, 0), "{done}");
    assert_eq!(number(&done, "replayed"), number(&done, "paths"), "{done}");
}

#[test]
fn a_store_that_must_have_the_answers() {
    let folder = Folder::new();
    let target = folder.file("Bucket.java", BUCKET);
    let args = ["--method", "tokensAfter", "--no-replay", "--no-native", "--mode", "require-hit"];
    let output = run(explore(&folder).arg(&target).args(args), "");
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("not in the store"), "{}", stderr(&output));
}

#[test]
fn a_folder_of_tests_findings_and_paths() {
    let folder = Folder::new();
    let out = folder.path("out");
    let mut command = explore(&folder);
    command.arg(compiled("bintree/v1")).args(["--method", "operations3", "--out"]).arg(&out);
    let done = summary(&mut command);
    assert_eq!(number(&done, "divergences"), 0, "{done}");
    let text = |name: &str| std::fs::read_to_string(out.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
    assert_eq!(text("paths.jsonl").lines().count() as u64, number(&done, "paths"));
    let findings: Value = serde_json::from_str(&text("findings.json")).expect("JSON");
    assert_eq!(findings.as_array().map(Vec::len), Some(number(&done, "findings") as usize));
    let tests = text("tests/BinTreeDriverTest.java");
    assert_eq!(tests.matches("@Test").count() as u64, number(&done, "paths"), "one method for each path");
    assert_eq!(number(&done["coverage"]["branches"], "covered") > 0, number(&done, "replayed") > 0);
}

#[test]
fn solver_calls_never_go_up_from_level_to_level() {
    let folder = Folder::new();
    let calls = |level: &str| {
        let args = ["--method", "add4", "--no-replay", "--store", "memory:", "--no-shortcuts", "--no-native"];
        let mut command = explore(&folder);
        command.arg(compiled("bintree/v0")).args(args).args(["--no-regulate", "--reuse", level]);
        let done = summary(&mut command);
        assert_eq!((number(&done, "paths"), number(&done, "queries")), (75, 148), "{level}");
        number(&done, "solved")
    };
    let found: Vec<u64> = ["none", "exact", "subset", "logical", "full"].map(calls).to_vec();
    assert_eq!(found[0], 148, "every arm is solved");
    assert!(found.windows(2).all(|pair| pair[1] <= pair[0]) && found[4] < found[1], "{found:?}");
}

#[test]
fn a_class_of_the_jdk_is_explored_by_its_name() {
    let folder = Folder::new();
    let mut command = explore(&folder);
    command.args(["java.util.LinkedList", "--method", "removeFirst", "--heap", "bliss", "--scope", "3"]);
    let (events, _) = events(&mut command);
    let summary = events.last().expect("a summary");
    // Empty; one element; more of them, of which the second is read.
    assert_eq!((&summary["paths"], &summary["divergences"]), (&3.into(), &0.into()), "{summary}");
    let output = run(explore(&folder).arg("java.util.Nope"), "");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("no such class in the JDK"), "{}", stderr(&output));
}
