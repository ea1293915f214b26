//! `evergreen explore` on what people give it by mistake, and on what they give it without thinking: folders
//! of sources, class files from inside of their packages, one store for two processes.

use crate::common::{Folder, find, isolated, run, stderr, stdout};
use evergreen_testing::tools::repository;
use std::path::{Path, PathBuf};
use std::process::Command;

fn explore(folder: &Folder) -> Command {
    let mut command = isolated(Path::new(env!("CARGO_BIN_EXE_evergreen")), folder);
    let tools = find("z3").parent().expect("a folder").to_path_buf();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths([tools].into_iter().chain(std::env::split_paths(&path))).expect("a path");
    command.env("PATH", path).env("EVERGREEN_STORE", folder.path("store"));
    command.args(["explore", "--no-replay"]);
    command
}

const SHAPES: &str = "package shop; public abstract class Shapes {
    public static native int outside(int x);
    public abstract int area(int x);
    public static int half(int x) { return x > 100 ? x / 2 : Prices.of(x); }
}";
const PRICES: &str =
    "package shop; class Prices { public static int of(int x) { return x * x == 49 ? 1 : 2; } }";

/// A project as build tools lay it out, with a test that cannot be compiled here.
fn project(folder: &Folder) {
    for (place, text) in [
        ("src/main/java/shop/Shapes.java", SHAPES),
        ("src/main/java/shop/Prices.java", PRICES),
        ("src/main/java/module-info.java", "module shop { requires no.such.module; }"),
        ("src/test/java/shop/ShapesTest.java", "package shop; import org.junit.Test; class ShapesTest {}"),
    ] {
        let path = folder.path(place);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("a source");
    }
}

const SOURCES: [&str; 2] = ["src/main/java/shop/Shapes.java", "src/main/java/shop/Prices.java"];

/// The folder of the classes of some sources.
fn compiled(folder: &Folder, sources: &[PathBuf]) -> PathBuf {
    let sym = repository().join("crates/replay/java/sym");
    let mut javac = Command::new("javac");
    javac.args(["-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "-g", "-sourcepath"]).arg(sym);
    let done = javac.arg("-d").arg(folder.path("classes")).args(sources).status();
    assert!(done.expect("these tests need javac on PATH").success());
    folder.path("classes")
}

#[test]
fn a_folder_of_sources_is_compiled() {
    let folder = Folder::new();
    project(&folder);
    for target in ["src/main/java", "src", "."] {
        let target = folder.path(target);
        let output = run(explore(&folder).arg(&target).args(["--method", "half"]), "");
        assert_eq!(output.status.code(), Some(0), "{target:?}: {}", stderr(&output));
        assert!(stdout(&output).contains("3 paths"), "{target:?}: {}", stdout(&output));
    }
    let broken = folder.path("src/main/java/shop/Broken.java");
    std::fs::write(broken, "package shop; class Broken { int }").expect("a source");
    let output = run(explore(&folder).arg(folder.path("src")), "");
    assert_eq!(output.status.code(), Some(2));
    let said = stderr(&output);
    assert!(said.contains("javac says:") && said.contains("Broken.java:1: error"), "{said}");
}

#[test]
fn methods_without_code_are_named_as_such() {
    let folder = Folder::new();
    project(&folder);
    // Compiled once; that folders of sources are is checked above.
    let target = compiled(&folder, &SOURCES.map(|name| folder.path(name)));
    for (method, expected) in [
        ("outside", "method shop.Shapes.outside is native: it has no code"),
        ("Shapes.area", "method shop.Shapes.area is abstract: it has no code"),
        ("area(I)I", "method shop.Shapes.area is abstract: it has no code"),
        ("outsid", "no method \"outsid\"\nhelp: did you mean outside?"),
        ("half(J)I", "of that name there are:"),
        ("half(", "of that name there are:"),
    ] {
        let output = run(explore(&folder).arg(&target).args(["--method", method]), "");
        assert_eq!(output.status.code(), Some(2), "{method}: {}", stdout(&output));
        assert!(stderr(&output).contains(expected), "{method}: {}", stderr(&output));
    }
}

#[test]
fn class_files_and_archives_that_are_damaged_or_elsewhere() {
    let folder = Folder::new();
    project(&folder);
    compiled(&folder, &SOURCES.map(|name| folder.path(name)));
    // From inside of its package.
    let mut inside = explore(&folder);
    inside.current_dir(folder.path("classes/shop")).args(["Shapes.class", "--method", "half"]);
    let output = run(&mut inside, "");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stdout(&output).contains("3 paths"), "{}", stdout(&output));
    let bytes = std::fs::read(folder.path("classes/shop/Shapes.class")).expect("a class");
    let check = |name: &str, bytes: &[u8], expected: &str| {
        let output = run(explore(&folder).arg(folder.file(name, bytes)), "");
        assert_eq!(output.status.code(), Some(2), "{name}: {}", stdout(&output));
        let said = stderr(&output);
        assert!(said.contains(expected) && !said.contains("panicked"), "{name}: {said}");
    };
    check("Cut.class", &bytes[..bytes.len() / 2], "Cut.class: byte");
    check("Shapes.class", &bytes, "it holds the class shop.Shapes, which belongs into shop/Shapes.class");
    check("cut.jar", b"PK\x03\x04\x14\x00", "cut.jar: not a zip archive");
    check("empty.jar", b"PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", "no class files");
}

#[test]
fn results_that_cannot_be_written() {
    let folder = Folder::new();
    project(&folder);
    let file = folder.file("taken", "x");
    let mut command = explore(&folder);
    command.arg(folder.path("src")).args(["--method", "half", "--out"]).arg(&file);
    let output = run(&mut command, "");
    assert_eq!(output.status.code(), Some(2), "{}", stdout(&output));
    assert!(stderr(&output).contains("taken: "), "{}", stderr(&output));
}

#[test]
fn two_processes_share_a_store() {
    let folder = Folder::new();
    project(&folder);
    let start = || {
        let mut command = explore(&folder);
        command.arg(folder.path("src")).args(["--method", "half", "--json"]);
        command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
        command.spawn().expect("evergreen starts")
    };
    let both = [start(), start()];
    for child in both {
        let output = child.wait_with_output().expect("evergreen ends");
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert!(stdout(&output).contains("\"paths\":3"), "{}", stdout(&output));
    }
    // Everything is known now, and every run tells the same.
    let again = || {
        let output = start().wait_with_output().expect("evergreen ends");
        let mut lines: Vec<serde_json::Value> =
            stdout(&output).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        let summary = lines.last_mut().expect("a summary");
        assert_eq!((&summary["solved"], &summary["solver_starts"]), (&0.into(), &0.into()), "{summary}");
        summary["time_ms"] = serde_json::Value::Null;
        lines
    };
    assert_eq!(again(), again());
}

#[test]
fn a_range_that_means_nothing_is_refused() {
    let folder = Folder::new();
    let source = "public class Ranges {
        public static int real(double x) { return x > 3 ? 1 : 2; }
        public static int small(byte b) { return b > 3 ? 1 : 2; }
        public static int drawn() { return evergreen.Sym.aByte(\"b\") > 3 ? 1 : 2; }
        public static int drawnReal() { return evergreen.Sym.aDouble(\"x\") > 3 ? 1 : 2; }
    }";
    let file = folder.path("Ranges.java");
    std::fs::write(&file, source).expect("a source");
    let file = compiled(&folder, &[file]);
    let ask = |method: &str, flags: &[&str]| {
        run(explore(&folder).arg(&file).args(["--method", method]).args(flags), "")
    };
    let real = ask("real", &["--range", "x=0..1"]);
    assert_eq!(real.status.code(), Some(2));
    assert!(stderr(&real).contains("x is a double, and ranges are for whole numbers"), "{}", stderr(&real));
    assert!(stderr(&real).contains("help: --assume 'x >= 0 && x <= 1'"), "{}", stderr(&real));
    let small = ask("small", &["--range", "b=200..300"]);
    assert_eq!(small.status.code(), Some(2));
    assert!(stderr(&small).contains("no byte is in it"), "{}", stderr(&small));
    // A part of the range has values.
    assert!(stdout(&ask("small", &["--range", "b=3..300"])).contains("2 paths"));
    assert!(stdout(&ask("drawn", &["--range", "b=3..300"])).contains("2 paths"));
    for nothing in [["--range", "b=200..300"], ["--concrete", "b=300"]] {
        assert!(stdout(&ask("drawn", &nothing)).contains("0 paths"), "{nothing:?}");
    }
    let drawn = ask("drawnReal", &["--range", "x=0..1"]);
    assert!(stdout(&drawn).contains("unsupported: a range of whole numbers"), "{}", stdout(&drawn));
}
