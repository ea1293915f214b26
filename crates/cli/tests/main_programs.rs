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
    // Each case is entered: the two texts, others of their hash codes, and others of each length.
    assert!(text.contains("12 paths"), "{text}");
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
    let done = explore(&["--arg", "x"]);
    assert_eq!(done.status.code(), Some(2), "{}", stdout(&done));
    assert!(stderr(&done).contains("--arg says nothing without --main"), "{}", stderr(&done));
    // Comparing a string and asking for its length makes no path for each length, and bounds nothing.
    let text = stdout(&explore(&["--method", "open"]));
    assert!(text.contains("3 paths") && text.contains("all paths explored"), "{text}");
    assert!(text.contains("t = \"a long text\""), "{text}");
}
