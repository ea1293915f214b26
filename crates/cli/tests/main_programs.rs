//! Java programs by their `main`: arguments, strings that are drawn, and the driver API for class files.

use crate::common::{Folder, evergreen, find, run, stderr, stdout};
use std::process::Command;

const PROGRAM: &str = "
import org.sosy_lab.sv_benchmarks.Verifier;
public class Program {
    public static void main(String[] args) {
        String s = Verifier.nondetString();
        int n = Verifier.nondetInt();
        System.out.println(\"got \" + s + n);
        switch (s) {
            case \"ab\": n = 1; break;
            case \"c\": n = 2; break;
            default: n = 3;
        }
        assert args.length == 1 && !s.equals(args[0]);
    }
    static void open() {
        String t = evergreen.Sym.aString(\"t\");
        if (t.length() > 1000) throw new IllegalStateException();
        assert !t.equals(\"a long text\");
    }
    static int[] squares = new int[6000];
    static int square(int i) {
        for (int at = 0; at < 6000; at++) squares[at] = at * at % 7919;
        if (i < 0 || i >= 6000) return -1;
        return squares[i] == 5929 ? 1 : squares[i] == 7918 && i > 5000 ? 2 : 3;
    }
    static int wave(double x, double y) {
        if (Math.sin(x) - Math.cos(y) == 0 && x > 10) return 1;
        return Math.pow(x, 3) + Math.asin(y) > 1e6 ? 2 : 3;
    }
}
";

/// Class files without the driver API: sources of it were on the source path only.
fn classes(folder: &Folder) -> String {
    let sources = evergreen_testing::tools::repository().join("crates/replay/java");
    let (source, out) = (folder.file("Program.java", PROGRAM), folder.path("classes"));
    let path = std::env::join_paths([sources.join("sym"), sources.join("verifier")]).expect("a path");
    let mut javac = Command::new(find("javac"));
    javac.args(["-g", "-implicit:none", "-d"]).arg(&out).arg("-sourcepath").arg(path).arg(source);
    let done = run(&mut javac, "");
    assert!(done.status.success(), "{}", stderr(&done));
    assert!(!out.join("evergreen").exists());
    out.display().to_string()
}

#[test]
fn a_program_is_called_with_its_arguments() {
    let folder = Folder::new();
    let target = classes(&folder);
    let explore = |flags: &[&str]| {
        let mut command = evergreen(&folder);
        command.args(["explore", &target, "--verbose"]).args(flags);
        run(&mut command, "")
    };
    let done = explore(&["--main", "--arg", "ab"]);
    let text = stdout(&done);
    assert!(text.contains("FOUND java.lang.AssertionError"), "{text}{}", stderr(&done));
    assert!(text.contains("args = {\"ab\"}, nondetString = \"ab\""), "{text}");
    assert!(text.contains(" 0 divergences"), "{text}");
    // Each case is entered, and the default.
    assert!(text.contains("3 paths"), "{text}");
    assert!(text.contains("nondetString = \"c\""), "{text}");
    let again = text.lines().find_map(|line| line.trim().strip_prefix("again")).expect("a command");
    assert!(
        again.contains("--main")
            && again.contains("--arg ab")
            && again.contains("--concrete 'nondetString=\"ab\"'"),
        "{again}"
    );
    let given = ["--main", "--arg", "ab", "--concrete", "args={\"ab\"}", "--concrete"];
    let text = stdout(&explore(&[&given[..], &["nondetString=\"ab\""]].concat()));
    assert!(text.contains("1 finding on 1 path"), "{text}");
    let done = explore(&["--sym-main", "--arg", "x"]);
    assert!(stderr(&done).contains("--sym-main gives any arguments"), "{}", stderr(&done));
    let done = explore(&["--arg", "x"]);
    assert_eq!(done.status.code(), Some(2), "{}", stdout(&done));
    assert!(stderr(&done).contains("--arg says nothing without --main"), "{}", stderr(&done));
    // Comparing a string and asking for its length makes no path for each length, and bounds nothing.
    let text = stdout(&explore(&["--method", "open"]));
    assert!(text.contains("3 paths") && text.contains("all paths explored"), "{text}");
    assert!(text.contains("t = \"a long text\""), "{text}");
}

/// No theory has sines and powers: values are searched for, and what is then open is sampled.
#[test]
fn functions_without_a_theory_are_searched_and_sampled() {
    let folder = Folder::new();
    let target = classes(&folder);
    let explore = |flags: &[&str]| {
        let mut command = evergreen(&folder);
        command.args(["explore", &target, "--verbose", "--method", "wave"]).args(flags);
        run(&mut command, "")
    };
    let text = stdout(&explore(&[]));
    for result in ["returns 1", "returns 2", "returns 3"] {
        assert!(text.contains(result), "{text}");
    }
    assert!(text.contains(" 0 divergences") && text.contains("not all paths explored"), "{text}");
    assert!(text.contains("is sampled: inputs were fixed where symbols could not go"), "{text}");
    let text = stdout(&explore(&["--no-sampling"]));
    assert!(text.contains("undecided") && !text.contains("sampled"), "{text}");
}

/// An array of constants is read at any index, however long it is. 7918 is no square modulo 7919, which is 3
/// modulo 4.
#[test]
fn long_tables_are_part_of_queries() {
    let folder = Folder::new();
    let target = classes(&folder);
    let mut command = evergreen(&folder);
    command.args(["explore", &target, "--verbose", "--method", "square"]);
    let text = stdout(&run(&mut command, ""));
    assert!(text.contains("returns 1    [i = 77]") && text.contains("returns 3"), "{text}");
    assert!(!text.contains("returns 2") && text.contains("all paths explored"), "{text}");
    assert!(text.contains(" 0 divergences"), "{text}");
}

/// With any arguments: as many as there may be, of any length up to the bound, and never null. A bound is
/// named.
#[test]
fn a_program_is_called_with_any_arguments() {
    let folder = Folder::new();
    let source = "public class Sum { public static void main(String[] args) {
        int sum = 0;
        for (String arg : args) sum += arg.length();
        if (args.length == 2) assert !args[0].equals(\"-n\") || !args[1].equals(args[0]);
        System.out.println(sum);
    } }";
    let target = folder.file("Sum.java", source).display().to_string();
    let explore = |flags: &[&str]| {
        run(evergreen(&folder).args(["explore", &target, "--verbose", "--input-length", "2"]).args(flags), "")
    };
    let done = explore(&["--sym-main"]);
    let text = stdout(&done);
    assert!(text.contains("FOUND java.lang.AssertionError"), "{text}{}", stderr(&done));
    assert!(text.contains("args = {\"-n\", \"-n\"}") && text.contains("args = {}"), "{text}");
    assert!(!text.contains("NullPointer") && !text.contains("null"), "{text}");
    assert!(text.contains("all paths within lengths up to 2 explored"), "{text}");
    assert!(text.contains(" 0 divergences"), "{text}");
    let given = ["args.length=2", "args[0]=\"-n\"", "args[1]=\"-n\""].map(|input| ["--concrete", input]);
    let text = stdout(&explore(&[&["--sym-main"][..], &given.concat()].concat()));
    assert!(text.contains("1 finding on 1 path"), "{text}");
    // As an input like any other it is null, too.
    assert!(stdout(&explore(&[])).contains("args = null"));
    assert_eq!(done.status.code(), Some(1));
}

/// `--non-null` holds for what constructors get and for elements, too; what cannot be made is left out by
/// name.
#[test]
fn nothing_is_null_where_nothing_may_be() {
    let folder = Folder::new();
    let source = "public class Team { final String name; final int[] marks;
        public Team(String name, int[] marks) { this.name = name; this.marks = marks; }
        public int size() { return name.length() + marks.length; }
        public static int all(java.util.List<String> names, String[] more) {
            int n = 0;
            for (String name : names) n += name.length();
            for (String name : more) n += name.length();
            return n;
        }
    }";
    let target = folder.file("Team.java", source).display().to_string();
    let explore = |flags: &[&str]| {
        let mut command = evergreen(&folder);
        run(command.args(["explore", &target, "--verbose", "--input-length", "1"]).args(flags), "")
    };
    let done = explore(&[]);
    assert!(stdout(&done).contains("new Team(null, "), "{}", stdout(&done));
    let done = explore(&["--non-null"]);
    let text = stdout(&done);
    assert!(
        text.contains("0 findings on") && !text.replace("--non-null", "").contains("null"),
        "{text}{}",
        stderr(&done)
    );
    assert!(text.contains("new Team(\"\", {"), "{text}");
    assert_eq!(done.status.code(), Some(0));
}
