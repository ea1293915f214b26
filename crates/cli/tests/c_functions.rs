//! Functions of C as entries: structures behind pointers, conditions on parameters, kinds of findings, and
//! the commands that show a finding again. Structures are compared with all that a generator makes.

use crate::common::{Folder, find, isolated, run, stderr, stdout};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn evergreen(folder: &Folder) -> Command {
    let mut command = isolated(Path::new(env!("CARGO_BIN_EXE_evergreen")), folder);
    let tools = find("wasm-clang").parent().expect("a folder").to_path_buf();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths([tools].into_iter().chain(std::env::split_paths(&path))).expect("a path");
    let cache = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("cache");
    command.env("PATH", path).env("EVERGREEN_STORE", "memory:").env("XDG_CACHE_HOME", cache);
    command
}

/// What a run said: its text or events, and the summary.
struct Explored {
    output: Output,
    events: Vec<Value>,
}

impl Explored {
    fn summary(&self) -> &Value {
        self.events.last().expect("a summary")
    }

    fn paths(&self) -> Vec<&Value> {
        self.events.iter().filter(|event| event["event"] == "path").collect()
    }

    /// The findings: kind, and inputs.
    fn findings(&self) -> BTreeSet<String> {
        let all = self.events.iter().filter(|event| event["event"] == "finding");
        all.map(|event| event["exception"].as_str().unwrap_or_default().to_string()).collect()
    }

    /// No divergence, everything explored within bounds, and the native program did the same.
    fn assert_right(&self) {
        let summary = self.summary();
        let said = || format!("{summary:#}\n{}", stderr(&self.output));
        assert_eq!(summary["divergences"], 0, "{}", said());
        assert_eq!(summary["native"]["differed"], 0, "{}", said());
        assert_eq!((&summary["unsupported"], &summary["undecided"]), (&json!(0), &json!(0)), "{}", said());
        assert_ne!(summary["explored"], "not all", "{}", said());
    }
}

fn explored(folder: &Folder, source: &str, flags: &[&str]) -> Explored {
    let file = folder.file("prog.c", source);
    let mut command = evergreen(folder);
    command.arg("explore").arg(file).args(flags).arg("--json");
    let output = run(&mut command, "");
    let text = stdout(&output);
    let events = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect::<Vec<Value>>();
    assert!(!events.is_empty(), "{}", stderr(&output));
    Explored { output, events }
}

/// As text: what was said on standard output and on standard error.
fn said(folder: &Folder, source: &str, flags: &[&str]) -> (String, String) {
    let file = folder.file("prog.c", source);
    let mut command = evergreen(folder);
    let output = run(command.arg("explore").arg(file).args(flags), "");
    (stdout(&output), stderr(&output))
}

const GRAPH: &str = r#"
#include <stdio.h>
struct tree { struct tree *left, *right; };
static struct tree *seen[8];
static int count;
static void visit(struct tree *t) {
    if (!t) { putchar('.'); return; }
    for (int i = 0; i < count; i++) if (seen[i] == t) { putchar('1' + i); return; }
    seen[count++] = t;
    putchar('(');
    visit(t->left);
    visit(t->right);
    putchar(')');
}
int graph(struct tree *t) { visit(t); return 0; }
"#;

/// What [`GRAPH`] prints of every structure of up to `scope` nodes.
fn graphs(scope: u32) -> BTreeSet<String> {
    /// All ways to go on: what is printed, and how many nodes there are.
    fn visit(before: &str, count: u32, scope: u32) -> Vec<(String, u32)> {
        let mut all = vec![(format!("{before}."), count)];
        all.extend((1..=count).map(|node| (format!("{before}{node}"), count)));
        if count < scope {
            for (left, count) in visit(&format!("{before}("), count + 1, scope) {
                all.extend(visit(&left, count, scope).into_iter().map(|(text, n)| (format!("{text})"), n)));
            }
        }
        all
    }
    visit("", 0, scope).into_iter().map(|(text, _)| text).collect()
}

#[test]
fn all_structures_of_a_scope_are_made_each_once() {
    let folder = Folder::new();
    for scope in 1..=3 {
        let explored = explored(&folder, GRAPH, &["--method", "graph", "--scope", &scope.to_string()]);
        explored.assert_right();
        let printed: Vec<String> = explored
            .paths()
            .iter()
            .map(|path| path["output"].as_str().expect("output").to_string())
            .collect();
        let distinct: BTreeSet<String> = printed.iter().cloned().collect();
        assert_eq!(distinct, graphs(scope));
        assert_eq!(printed.len(), distinct.len(), "a structure is met twice");
        let within = explored.summary()["within"].as_str().expect("within").to_string();
        assert!(within.ends_with(&format!("scope {scope}")), "{within}");
        assert_eq!(explored.summary()["explored"], "within bounds");
        assert_eq!(explored.summary()["native"]["ran"], printed.len().min(200));
    }
}

/// A structure with every kind of member. Each condition has one path where it holds.
const MEMBERS: &str = r#"
#include <stdbool.h>
enum color { RED = -1, GREEN = 5, BLUE = 900 };
struct point { long x; unsigned char y; };
union both { float f; unsigned u; };
struct all {
    char tag; short s; long long wide; bool flag; enum color color; unsigned three : 3, five : 5; int rest : 20;
    struct point at, row[2]; int matrix[2][2]; union both both; double d; struct { char inner; };
    const char *name; long *longs; struct all *next; void (*call)(void); char word[3];
};
int members(struct all *a, int which) {
    if (!a) return 1;
    switch (which) {
    case 2: if (a->tag == -3 && a->s == -300 && a->wide == -5000000000) return 2; break;
    case 3: if (a->color == BLUE) return 3; if (a->color != RED && a->color != GREEN) return 99; break;
    case 4: if (a->three == 5 && a->five == 17 && a->rest == -9) return 4; break;
    case 5: if (a->at.x == -7 && a->row[1].y == 200 && a->matrix[1][0] == 8) return 5; break;
    case 6: if (a->both.u == 77 && a->inner == 'i' && a->word[2] == 'w') return 6; break;
    case 7: if (a->name && a->name[0] == 'n' && a->name[1] == 0) return 7; break;
    case 8: if (a->longs && a->longs[1] == -2) return 8; break;
    case 9: if (a->next && a->next != a && a->next->next == a && a->next->tag == 1) return 9; break;
    case 10: if (a->flag) return 10; break;
    case 11: if (a->call) return 98; break;
    }
    return 12;
}
"#;

#[test]
fn members_of_every_kind_are_inputs_here_and_natively() {
    let folder = Folder::new();
    let flags = ["--method", "members"];
    let explored = explored(&folder, MEMBERS, &flags);
    explored.assert_right();
    let ends: BTreeSet<i64> = explored.paths().iter().filter_map(|path| path["status"].as_i64()).collect();
    assert_eq!(ends, (1..=10).chain([12]).collect());
    assert_eq!(explored.findings(), BTreeSet::from(["heap buffer overflow".to_string()]), "longs[1]");
}

const ALIASES: &str = r#"
#include <assert.h>
struct box { int value; };
struct two { struct box *a, *b; };
void distinct(struct box *a, struct box *b) { if (a && b) { a->value = 1; b->value = 2; assert(a->value == 1); } }
void inside(struct two *t, struct box *c) { if (t && t->b && c) { t->b->value = 5; c->value = 6; assert(t->b->value == 5); } }
void texts(char *a, char *b) { if (a && b && a[0] && b[0]) { a[0] = 'x'; b[0] = 'y'; assert(a[0] == 'x'); } }
"#;

#[test]
fn pointers_to_structs_may_be_equal_and_buffers_are_not() {
    let folder = Folder::new();
    for (function, is_found) in [("distinct", true), ("inside", true), ("texts", false)] {
        let explored = explored(&folder, ALIASES, &["--method", function]);
        explored.assert_right();
        assert_eq!(explored.findings().contains("assertion"), is_found, "{function}");
    }
    // An assumption excludes it.
    let explored = explored(&folder, ALIASES, &["--method", "distinct", "--assume", "a != b"]);
    assert!(explored.findings().is_empty(), "{:?}", explored.findings());
}

const BUFFERS: &str = r#"
#include <stddef.h>
struct pair { int a, b; };
int sum(const int *a, size_t n) { int s = 0; for (size_t i = 0; i < n; i++) if (a[i] > 3) s++; return s; }
int pairs(struct pair *p, unsigned char n) { int s = 0; for (int i = 0; i < n; i++) if (p[i].b == 9) s++; return s; }
int words(char **w, int n) { int s = 0; for (int i = 0; i < n; i++) if (w[i] && w[i][0] == 'q') s++; return s; }
int at(short *a, unsigned i) { if (!a || i >= 3) return 7; if (a[i] == 4) return 1; return 0; }
"#;

#[test]
fn lengths_are_decided_where_they_are_needed() {
    let folder = Folder::new();
    let overflow = BTreeSet::from(["heap buffer overflow".to_string()]);
    let both = BTreeSet::from(["heap buffer overflow".to_string(), "null dereference".to_string()]);
    for (function, name) in [("sum", "a"), ("pairs", "p"), ("words", "w")] {
        let run = |assume: &str| {
            let explored = explored(&folder, BUFFERS, &["--method", function, "--assume", assume]);
            explored.assert_right();
            explored
        };
        assert_eq!(run("n < 6").findings(), both, "{function}");
        assert_eq!(run(&format!("n < 6 && {name} != null")).findings(), overflow, "{function}");
        let fits = run(&format!("n <= len({name})"));
        assert_eq!(fits.findings(), BTreeSet::new(), "{function}");
        let ends: BTreeSet<i64> = fits.paths().iter().filter_map(|path| path["status"].as_i64()).collect();
        assert_eq!(ends, (0..=3).collect(), "{function}: all lengths up to 3");
    }
    // By a symbolic index: inside for each length, and outside.
    let explored = explored(&folder, BUFFERS, &["--method", "at"]);
    explored.assert_right();
    assert_eq!(explored.findings(), overflow);
    let ends: BTreeSet<i64> = explored.paths().iter().filter_map(|path| path["status"].as_i64()).collect();
    assert_eq!(ends, BTreeSet::from([0, 1, 7]));
    let (text, _) = said(&folder, BUFFERS, &["--method", "at", "--assume", "i < len(a)"]);
    assert!(text.starts_with("prog:at\n") && text.contains("0 findings"), "{text}");
}

#[test]
fn values_and_ranges_are_set_by_name() {
    let folder = Folder::new();
    let statuses = |flags: &[&str]| {
        let explored = explored(&folder, BUFFERS, &[&["--method", "sum"], flags].concat());
        explored.assert_right();
        let all: Vec<i64> = explored.paths().iter().filter_map(|path| path["status"].as_i64()).collect();
        (all.len(), explored.findings().len(), all.into_iter().collect::<BTreeSet<i64>>())
    };
    assert_eq!(statuses(&["--concrete", "a={7, -1}", "--concrete", "n=2"]), (1, 0, BTreeSet::from([1])));
    assert_eq!(statuses(&["--concrete", "a={7, -1}", "--range", "n=3..9"]), (0, 1, BTreeSet::new()));
    assert_eq!(statuses(&["--concrete", "a=null", "--range", "n=0..0"]), (1, 0, BTreeSet::from([0])));
    assert_eq!(
        statuses(&[
            "--range",
            "a[0]=4..9",
            "--range",
            "a.length=1..1",
            "--concrete",
            "n=1",
            "--assume",
            "a != 0"
        ]),
        (1, 0, BTreeSet::from([1]))
    );
    for (flags, expected) in [
        (["--range", "m=0..3"], "no input is called \"m\"\nhelp: the inputs of sum are a, n"),
        (["--concrete", "n={"], "--concrete n={: \"\" is no number"),
        (["--range", "n=3..2"], "--range \"n=3..2\": the range is empty"),
        (["--assume", "k < 3"], "no input is called \"k\"\n  k < 3\n  ^\nhelp: the inputs of sum are a, n"),
        (["--assume", "len(n) < 3"], "\"n\" has no length"),
    ] {
        let (_, error) = said(&folder, BUFFERS, &[&["--method", "sum"], &flags[..]].concat());
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn a_program_takes_conditions_on_what_it_is_given() {
    let folder = Folder::new();
    let source = r#"
        #include <stdio.h>
        int main(void) { int c = getchar(); if (c == EOF) return 1; if (c < 'a') return 2; if (c > 'm') return 3; return 4; }"#;
    let ends = |flags: &[&str]| {
        let explored = explored(&folder, source, &[&["--sym-stdin", "1"], flags].concat());
        explored.assert_right();
        explored.paths().iter().filter_map(|path| path["status"].as_i64()).collect::<BTreeSet<i64>>()
    };
    assert_eq!(ends(&[]), (1..=4).collect());
    assert_eq!(ends(&["--assume", "len(stdin) == 1 && stdin[0] >= 97"]), BTreeSet::from([3, 4]));
    assert_eq!(ends(&["--range", "stdin.length=1..1", "--range", "stdin[0]=0..96"]), BTreeSet::from([2]));
    assert_eq!(ends(&["--concrete", "stdin=\"z\""]), BTreeSet::from([3]));
}

#[test]
fn a_static_function_can_be_the_entry_and_a_missing_one_is_named() {
    let folder = Folder::new();
    let source = "static int twice(int x) { static int calls; calls++; return x == 21 ? 42 : calls; }\n\
                  static int unused(int y) { return y; }\nint main(void) { return twice(1); }\n";
    for function in ["twice", "unused"] {
        let explored = explored(&folder, source, &["--method", function]);
        explored.assert_right();
        assert_eq!(explored.summary()["findings"], 0);
        assert_eq!(explored.summary()["native"]["ran"], explored.paths().len());
    }
    let explored = explored(&folder, source, &["--method", "twice"]);
    let ends: BTreeSet<i64> = explored.paths().iter().filter_map(|path| path["status"].as_i64()).collect();
    assert_eq!(ends, BTreeSet::from([1, 42]), "a static variable is still one");
    let (_, error) = said(&folder, source, &["--method", "twise"]);
    assert_eq!(error, "evergreen: no function 'twise'\nhelp: there are twice, unused\n");
}

const LIFETIMES: &str = r#"
#include <stdlib.h>
#include <string.h>
int *global;
int *escape(int n) { int local[3] = {n, 2, 3}; global = local; return global; }
int read_it(int *p) { return *p; }
int deep(int n) { char room[64]; memset(room, n, sizeof room); return n ? deep(n - 1) + room[3] : abs(-room[0]); }
int scope(int n) { int *p = 0; { int inner[2] = {5, 6}; p = inner; } return p[n & 1]; }
int loop(int n) { int *p = 0; for (int i = 0; i < 2; i++) { int k = i; if (i == n) p = &k; } return p ? *p : 0; }
int returned(int n) { int *p = escape(n); return p[n & 1]; }
int called(int n) { return read_it(escape(n)); }
int fine(int n) {
    int all[2] = {n, 1};
    escape(1); deep(3); escape(2);
    for (int i = 0; i < 2; i++) { int k[2] = {i, n}; all[i] = k[1]; }
    return all[1] + deep(2) + read_it(all) + (atoi("12") == 12);
}
"#;

#[test]
fn variables_are_not_used_after_their_time() {
    let folder = Folder::new();
    for (function, kinds) in [
        ("scope", &["use after scope"][..]),
        ("loop", &["use after scope"]),
        ("returned", &["use after return"]),
        ("called", &["use after return"]),
        ("fine", &[]),
    ] {
        let explored = explored(&folder, LIFETIMES, &["--method", function]);
        explored.assert_right();
        let expected: BTreeSet<String> = kinds.iter().map(|kind| kind.to_string()).collect();
        assert_eq!(explored.findings(), expected, "{function}");
    }
}

/// Findings by all kinds of inputs: each command shows its finding again, and nothing else.
#[test]
fn the_command_of_a_finding_shows_it_again() {
    let folder = Folder::new();
    let harness = r#"
        #include <evergreen.h>
        int main(void) {
            char text[3]; int keys[2];
            int n = evergreen_range(0, 9, "n"), m = evergreen_int("n");
            evergreen_bytes(text, 2, "some text"); evergreen_bytes(keys, 8, "keys");
            text[2] = 0;
            if (n == 7 && m == -4 && text[0] == '"' && text[1] == '\n' && keys[1] == 12) evergreen_fail("all");
        }"#;
    let given = "#include <stdio.h>\n#include <stdlib.h>\nint main(int argc, char **argv) {\n\
                 FILE *f = fopen(\"A\", \"r\"); char *home = getenv(\"HOME\");\n\
                 if (getchar() == 200 && fgetc(f) == 'x' && fgetc(f) == EOF && home[0] == 'h' && !home[1] \
                 && argv[1][0] == 'a') abort(); }\n";
    let world = [
        "--sym-stdin",
        "1",
        "--sym-file",
        "A:2",
        "--sym-env",
        "HOME:2",
        "--sym-arg",
        "1",
        "--solver",
        "none",
    ];
    for (source, flags) in [
        (harness, &[][..]),
        (given, &world),
        (ALIASES, &["--method", "inside"]),
        (BUFFERS, &["--method", "words"]),
        (MEMBERS, &["--method", "members"]),
        (GRAPH, &["--method", "graph", "--assume", "t != null", "--concrete", "t->left=t"]),
    ] {
        let (text, error) = said(&folder, source, flags);
        let found: Vec<&str> = text.lines().filter(|line| line.starts_with("  FOUND")).collect();
        let again: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("    again   ")).collect();
        assert_eq!(found.len(), again.len(), "{text}{error}");
        assert!(!found.is_empty() || source == GRAPH, "{text}{error}");
        for (found, again) in found.iter().zip(&again) {
            let binary = env!("CARGO_BIN_EXE_evergreen");
            let line = again.replacen("evergreen", binary, 1);
            let mut shell = evergreen(&folder);
            let environment: Vec<_> = shell
                .get_envs()
                .map(|(name, value)| (name.to_owned(), value.map(|v| v.to_owned())))
                .collect();
            shell = Command::new("sh");
            shell.arg("-c").arg(&line).current_dir(folder.path("."));
            for (name, value) in environment {
                value.map(|value| shell.env(name, value));
            }
            let output = run(&mut shell, "");
            let text = stdout(&output);
            let kind = found.split(" (").next().expect("a kind");
            assert!(
                text.lines().any(|line| line.starts_with(kind)),
                "{line}\n{found}\n{text}{}",
                stderr(&output)
            );
            assert!(text.contains("1 finding on 1 path of 1 function, all paths"), "{line}\n{text}");
            assert!(!text.contains("no input was called"), "{line}\n{text}");
        }
    }
}

#[test]
fn a_name_that_no_input_has_is_told() {
    let folder = Folder::new();
    let source = "#include <evergreen.h>\nint main(void) { return evergreen_int(\"n\") == 3; }\n";
    let (text, _) = said(&folder, source, &["--concrete", "m=3"]);
    assert!(text.contains("no input was called \"m\" on any path"), "{text}");
    let (text, _) = said(&folder, source, &["--concrete", "n=3"]);
    assert!(text.contains("1 path") && !text.contains("no input was called"), "{text}");
}

#[test]
fn probabilities_of_a_harness_are_those_of_counting() {
    let folder = Folder::new();
    let source = r#"
        #include <evergreen.h>
        int main(void) {
            int n = evergreen_range(0, 99, "n"), k = evergreen_range(1, 10, "k");
            evergreen_assume(n + k != 20);
            if (n < 10) return 1;
            if (k == 3) return 2;
            return 0;
        }"#;
    let mut counts = [0u32; 3];
    for n in 0..100 {
        for k in 1..=10 {
            if n + k != 20 {
                counts[if n < 10 {
                    1
                } else if k == 3 {
                    2
                } else {
                    0
                }] += 1;
            }
        }
    }
    let all: u32 = counts.iter().sum();
    let explored = explored(&folder, source, &["--probability"]);
    let event = explored.events.iter().find(|event| event["event"] == "probability").expect("probabilities");
    let ratio = |n: u32, of: u32| {
        let (mut a, mut b) = (n, of);
        while b != 0 {
            (a, b) = (b, a % b);
        }
        format!("{}/{}", n / a, of / a)
    };
    assert_eq!(event["refused"]["exact"], ratio(1000 - all, 1000), "{event:#}");
    for outcome in event["outcomes"].as_array().expect("outcomes") {
        let status: usize = outcome["outcome"]
            .as_str()
            .and_then(|s| s.split(' ').next_back()?.parse().ok())
            .expect("a status");
        assert_eq!(outcome["probability"]["exact"], ratio(counts[status], all), "{event:#}");
    }
    // Paths are one for each outcome here, and have the same probabilities.
    let sorted = |which: &str| event[which]["probability"]["exact"].as_str().expect("exact").to_string();
    assert_eq!(sorted("most_likely"), ratio(counts[0], all));
    assert_eq!(sorted("least_likely"), ratio(counts[1].min(counts[2]), all));
}

#[test]
fn a_suite_keeps_the_tests_of_structures() {
    let folder = Folder::new();
    let suite = folder.text("suite");
    for (source, function) in [(GRAPH, "graph"), (BUFFERS, "words"), (MEMBERS, "members")] {
        let mut flags = vec!["--method", function, "--suite", &suite, "--suite-size", "paths"];
        flags.extend(["--time", "0", "--no-replay", "--scope", "2"]);
        let first = explored(&folder, source, &flags);
        let tests = first.paths().len();
        let second = explored(&folder, source, &flags);
        let counts = &second.summary()["suite"];
        assert_eq!((&counts["kept"], &counts["new"]), (&json!(tests), &json!([])), "{function}: {counts:#}");
    }
}

/// Two files and a header, of which the header changes, and then a source.
fn versions(folder: &Folder, limit: u32, test: &str) {
    for (name, text) in [
        ("include/limit.h", format!("#define LIMIT {limit}\nint clip(int n);\n")),
        ("src/clip.c", format!("#include \"limit.h\"\nint clip(int n) {{ return {test} ? LIMIT : n; }}\n")),
        (
            "src/main.c",
            "#include <stdio.h>\n#include \"limit.h\"\nint main(int argc, char **argv) {\n    \
             printf(\"%d\", clip(argc > 1 ? argv[1][0] - '0' : 0));\n}\n"
                .to_string(),
        ),
    ] {
        let file = folder.path(name);
        std::fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
        std::fs::write(file, text).expect("a file");
    }
}

fn git(folder: &Folder, words: &[&str]) {
    let mut command = Command::new("git");
    command.args(["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"]).args(words);
    let output = run(command.current_dir(folder.path(".")), "");
    assert!(output.status.success(), "{}", stderr(&output));
}

/// `diff`: the first line of the difference, and its inputs.
fn difference(folder: &Folder, words: &[&str]) -> (String, String) {
    let mut command = evergreen(folder);
    command.arg("diff").args(words).current_dir(folder.path("."));
    let output = run(&mut command, "");
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(1), "{words:?}\n{text}{}", stderr(&output));
    let line = |start: &str| {
        let line = text.lines().find_map(|line| line.trim_start().strip_prefix(start));
        line.unwrap_or_else(|| panic!("{text}")).to_string()
    };
    (line("DIFFERS exits with 0 and prints "), line("inputs  "))
}

#[test]
fn versions_are_lists_folders_and_revisions() {
    let (folder, old) = (Folder::new(), Folder::new());
    versions(&old, 3, "n > LIMIT");
    versions(&folder, 3, "n > LIMIT");
    git(&folder, &["init", "-q"]);
    git(&folder, &["add", "include", "src"]);
    git(&folder, &["commit", "-qm", "one"]);
    versions(&folder, 5, "n > LIMIT");
    git(&folder, &["commit", "-qam", "two"]);
    versions(&folder, 5, "n > 8");
    let headers = ["-I", "include", "--sym-arg", "1"];
    let with = |words: &[&str]| difference(&folder, &[words, &headers].concat());
    // Headers are those of the revision.
    let found = with(&["HEAD~1", "HEAD", "--source", "."]);
    assert!(found.0.starts_with("\"3\" before, exits with 0 and prints \"4\" now"), "{found:?}");
    assert_eq!(found.1, "arg1 = \"4\"");
    // The work tree.
    let found = with(&["HEAD", "--source", "src/main.c,src/clip.c"]);
    assert!(found.0.starts_with("\"5\" before, exits with 0 and prints \"6\" now"), "{found:?}");
    assert_eq!(found.1, "arg1 = \"6\"");
    assert_eq!(with(&["HEAD"]), found);
    // Folders have their own headers.
    let found = with(&[&old.text("."), "."]);
    assert!(found.0.starts_with("\"3\" before, exits with 0 and prints \"4\" now"), "{found:?}");
    // Lists are compiled with the headers that are given.
    let lists = (format!("{},{}", old.text("src/main.c"), old.text("src/clip.c")), "src/main.c,src/clip.c");
    let found = with(&[&lists.0, lists.1]);
    assert!(found.0.starts_with("\"5\" before, exits with 0 and prints \"6\" now"), "{found:?}");
    let mut command = evergreen(&folder);
    let output = run(command.args(["diff", "nothing", "--sym-arg", "1"]).current_dir(folder.path(".")), "");
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("nothing: no such file or folder, and no revision"),
        "{}",
        stderr(&output)
    );
}
