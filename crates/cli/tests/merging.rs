//! `--merge`: states that differ in numbers only become one where the arms of a branch meet again.

use crate::common::{Folder, evergreen, find, run, stderr, stdout};
use serde_json::Value;
use std::process::Output;

/// Twelve values in a row, each of three kinds: 531,441 paths. A call returns where its branch meets.
const JAVA: &str = "
public class Flags {
    private static int sign(int n) { if (n > 0) return 1; return 0; }
    public static int count(
            int a, int b, int c, int d, int e, int f, int g, int h, int i, int j, int k, int l) {
        int s = 0;
        boolean odd = false;
        for (int n : new int[] {a, b, c, d, e, f, g, h, i, j, k, l}) {
            s += sign(n);
            if (n == 7) odd = !odd;
        }
        assert s <= 12;
        if (s == 12 && odd) throw new IllegalStateException(\"all\");
        return s;
    }
}
";

const C: &str = "
#include <stdlib.h>
static int sign(int n) { if (n > 0) return 1; return 0; }
int count(int a, int b, int c, int d, int e, int f, int g, int h) {
    int all[8] = {a, b, c, d, e, f, g, h}, s = 0;
    char odd = 0;
    for (int n = 0; n < 8; n++) {
        s += sign(all[n]);
        if (all[n] == 7) odd = !odd;
    }
    if (s > 8) abort();
    if (s == 8 && odd) abort();
    return s;
}
";

fn explore(folder: &Folder, file: &str, flags: &[&str]) -> Output {
    let tools = find("wasm-clang").parent().expect("a folder").to_path_buf();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths([tools].into_iter().chain(std::env::split_paths(&path))).expect("a path");
    let mut command = evergreen(folder);
    command.env("PATH", path).arg("explore").arg(folder.path(file)).args(flags);
    run(&mut command, "")
}

fn summary(done: &Output) -> Value {
    let last = stdout(done);
    serde_json::from_str(last.lines().last().expect("a summary")).unwrap_or_else(|e| panic!("{e}: {last}"))
}

#[test]
fn flags_in_a_row_are_few_paths() {
    let folder = Folder::new();
    folder.file("Flags.java", JAVA);
    let done = explore(&folder, "Flags.java", &["--merge", "on", "--fail-on", "declared", "--json"]);
    assert_eq!(done.status.code(), Some(1), "{}", stderr(&done));
    let told = summary(&done);
    assert_eq!((&told["complete"], &told["findings"]), (&true.into(), &1.into()), "{told}");
    assert!(told["paths"].as_u64().is_some_and(|paths| paths < 300), "{told}");
    assert!(told["merged"].as_u64().is_some_and(|merged| merged >= 24), "{told}");
    assert_eq!(told["divergences"], 0);
    // Every branch has a test, though most states that took them were merged.
    let branches = &told["coverage"]["branches"];
    let off = explore(&folder, "Flags.java", &["--merge", "off", "--paths", "300", "--json", "--no-replay"]);
    assert_eq!((&summary(&off)["merged"], &summary(&off)["complete"]), (&0.into(), &false.into()));
    assert_eq!(branches["total"].as_u64().map(|all| all - 3), branches["covered"].as_u64(), "{branches}");
}

#[test]
fn many_paths_are_merged_unasked() {
    let folder = Folder::new();
    folder.file("Flags.java", JAVA);
    let told = summary(&explore(&folder, "Flags.java", &["--json", "--no-replay"]));
    let paths = told["paths"].as_u64().expect("paths");
    assert!(paths > 1000 && paths < 10_000 && told["complete"] == true, "{told}");
    assert!(told["merged"].as_u64() > Some(0));
}

#[test]
fn c_programs_are_merged_where_that_is_asked_for() {
    let folder = Folder::new();
    folder.file("flags.c", C);
    let on = explore(&folder, "flags.c", &["--method", "count", "--merge", "on", "--json"]);
    let told = summary(&on);
    assert_eq!((on.status.code(), &told["findings"]), (Some(1), &1.into()), "{told}");
    assert!(told["paths"].as_u64().is_some_and(|paths| paths < 40), "{told}");
    assert_eq!((&told["complete"], &told["divergences"]), (&true.into(), &0.into()), "{told}");
}

/// A length that is conditional is cut by a bound where the single paths are not: that is said, whatever the
/// path does that stands for the merged ones.
#[test]
fn what_is_cut_because_states_were_merged_is_said() {
    let folder = Folder::new();
    folder.file(
        "Len.java",
        "public class Len {
            private static int size(boolean a, boolean b, boolean c) {
                int n = 1;
                if (a) n = 40;
                if (b) n += 30;
                if (c) n += 20;
                return n;
            }
            public static int run(boolean a, boolean b, boolean c) {
                int[] all = new int[size(a, b, c)];
                return all.length == 90 ? 1 : all[all.length - 1];
            }
        }",
    );
    let flags = ["--array-length", "64", "--no-replay", "--json", "--merge"];
    let off = summary(&explore(&folder, "Len.java", &[&flags[..], &["off"]].concat()));
    assert_eq!((&off["complete"], &off["paths"]), (&true.into(), &8.into()));
    let on = summary(&explore(&folder, "Len.java", &[&flags[..], &["on"]].concat()));
    assert_eq!((&on["complete"], &on["cut"]["array_length"]), (&false.into(), &1.into()), "{on}");
}

#[test]
fn what_needs_single_paths_says_so() {
    let folder = Folder::new();
    folder.file("Flags.java", JAVA);
    folder.file("flags.c", C);
    let java = |flags| ("Flags.java", flags);
    for (file, flags) in
        [java(&["--jobs", "2"][..]), java(&["--probability"]), ("flags.c", &["--method", "count", "--leaks"])]
    {
        let done = explore(&folder, file, &[&["--merge", "on"], flags].concat());
        assert_eq!(done.status.code(), Some(2));
        assert!(stderr(&done).contains("leave --merge on away"), "{}", stderr(&done));
    }
}
