//! Suites that are small: every branch both ways, every failure, and no test that adds nothing.

use crate::common::{Folder, evergreen, run, stderr, stdout};
use serde_json::{Value, json};
use std::path::PathBuf;

/// Eight paths that two tests cover, one more that fails; and lengths, which decide branches without a
/// question.
const FORM: &str = "\
public class Form {
    public static int fill(int a, int b, int c) {
        int n = 0;
        if (a > 5) n += 1;
        if (b > 5) n += 2;
        if (c > 5) n += 4;
        if (n == 7 && a == 77) throw new IllegalStateException(\"full\");
        return n;
    }
    public static boolean same(int[] x, int[] y) { return x != null && y != null && x.length == y.length; }
}
";

struct Suite {
    folder: Folder,
    file: PathBuf,
}

impl Suite {
    fn update(&self, flags: &[&str]) -> Value {
        let mut command = evergreen(&self.folder);
        // As users have it: what the cores here decide needs no solver.
        command.env_remove("EVERGREEN_NATIVE").env_remove("EVERGREEN_REUSE");
        command.arg("explore").arg(&self.file).args(["--no-replay", "--json", "--suite"]);
        let output = run(command.arg(self.folder.path("suite")).args(flags), "");
        let said = stdout(&output);
        let last = said.lines().last().unwrap_or_else(|| panic!("{}", stderr(&output)));
        serde_json::from_str(last).unwrap_or_else(|e| panic!("{e}: {last}"))
    }

    fn text(&self, unit: &str) -> String {
        std::fs::read_to_string(self.folder.path("suite").join(format!("{unit}.suite"))).expect("a suite")
    }
}

/// Kept, moved, retired, new.
fn counts(summary: &Value) -> (u64, usize, usize, usize) {
    let suite = &summary["suite"];
    let length = |name: &str| suite[name].as_array().map_or(0, Vec::len);
    (suite["kept"].as_u64().expect("kept"), length("moved"), length("retired"), length("new"))
}

#[test]
fn a_suite_has_the_tests_that_add_something() {
    let folder = Folder::new();
    let file = folder.file("Form.java", FORM);
    let suite = Suite { folder, file };
    let first = suite.update(&["--method", "fill"]);
    assert_eq!((first["paths"].as_u64(), counts(&first)), (Some(9), (0, 0, 0, 3)), "{first}");
    let text = suite.text("Form");
    assert!(text.contains("fill_throwsIllegalStateException"), "{text}");
    // Nothing changes, whoever explores, and no solver is asked.
    for flags in [&["--method", "fill"][..], &["--method", "fill", "--jobs", "2"]] {
        let again = suite.update(flags);
        assert_eq!(counts(&again), (3, 0, 0, 0), "{again}");
        assert_eq!(again["suite"]["solver_calls"], json!(0), "{again}");
        assert_eq!(suite.text("Form"), text);
    }
    // All paths, and back; a test that somebody wrote a comment on stays.
    let all = suite.update(&["--method", "fill", "--suite-size", "paths"]);
    assert_eq!(counts(&all), (3, 0, 0, 6), "{all}");
    let names: Vec<&str> =
        all["suite"]["new"].as_array().expect("new").iter().filter_map(Value::as_str).collect();
    let wanted = names[0].rsplit('.').next().expect("a name");
    let line = format!("test {wanted}\n");
    let commented = suite.text("Form").replace(&line, &format!("# a ticket\n{line}"));
    std::fs::write(suite.folder.path("suite/Form.suite"), commented).expect("an edit");
    let small = suite.update(&["--method", "fill"]);
    assert_eq!(
        (small["paths"].as_u64(), counts(&small).2 + counts(&small).0 as usize),
        (Some(9), 9),
        "{small}"
    );
    assert!(counts(&small).0 <= 4 && suite.text("Form").contains("# a ticket"), "{}", suite.text("Form"));
    for retired in small["suite"]["retired"].as_array().expect("retired") {
        assert_eq!(retired["reason"], "other tests take all of its branches");
    }
    // A branch more: its arms get tests, the others stay.
    let text = suite.text("Form");
    let kept = text.matches("\ntest ").count();
    std::fs::write(&suite.file, FORM.replace("return n;\n", "return b == 3 ? -1 : n;\n")).expect("an edit");
    let edited = suite.update(&["--method", "fill"]);
    assert_eq!(edited["suite"]["new"].as_array().map(Vec::len), Some(1), "{edited}");
    assert!(counts(&edited).0 as usize + counts(&edited).1 >= kept - 1, "{edited}");
    // Branches that no question was asked about are branches, too.
    let first = suite.update(&["--method", "same", "--input-length", "1"]);
    let text = suite.text("Form");
    assert!(text.contains("same_returnsTrue") && text.contains("same_returnsFalse"), "{first}\n{text}");
    let trusting = ["--method", "fill", "--trust-old-infeasible"];
    let mut command = evergreen(&suite.folder);
    command.arg("explore").arg(&suite.file).arg("--suite").arg(suite.folder.path("suite"));
    let refused = run(command.args(trusting), "");
    assert!(refused.status.code() == Some(2) && stderr(&refused).contains("--suite-size paths"));
}

/// The length of an array that is made is a number and no branch: none, one and several elements are enough.
#[test]
fn lengths_are_no_branches() {
    let source = "\
public class Sum {
    public static int sum(int n) {
        int[] a = new int[n];
        int s = 0;
        for (int i = 0; i < a.length; i++) { a[i] = i; s += a[i]; }
        return s;
    }
}
";
    let folder = Folder::new();
    let file = folder.file("Sum.java", source);
    let suite = Suite { folder, file };
    let first = suite.update(&[]);
    let (paths, new) = (first["paths"].as_u64().expect("paths"), counts(&first).3);
    assert!(paths > 60 && (3..=6).contains(&new), "{paths} paths, {new} tests: {}", suite.text("Sum"));
    assert_eq!(counts(&suite.update(&[])), (new as u64, 0, 0, 0));
}

#[test]
fn suites_of_c_programs_are_small_too() {
    let source = "#include <stdio.h>
int main(void) {
    int a = getchar(), b = getchar(), c = getchar(), n = 0;
    if (a == 'x') n += 1;
    if (b == 'x') n += 2;
    if (c == 'x') n += 4;
    return n;
}
";
    let folder = Folder::new();
    let file = folder.file("form.c", source);
    let suite = Suite { folder, file };
    let first = suite.update(&["--sym-stdin", "3"]);
    let made = counts(&first).3;
    // Eight statuses are eight results.
    assert!(first["paths"].as_u64() > Some(8) && made == 8, "{first}");
    let text = suite.text("form");
    let again = suite.update(&["--sym-stdin", "3"]);
    assert_eq!((counts(&again), &again["suite"]["solver_calls"]), ((8, 0, 0, 0), &json!(0)), "{again}");
    assert_eq!(suite.text("form"), text);
}
