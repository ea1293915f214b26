//! What the service does for every language, done for C programs by the command: threads, workers, suites,
//! coverage, probabilities, interrupts; and paths that are sampled.

use crate::common::{Folder, PATIENCE, find, isolated, run, stderr, stdout};
use evergreen_testing::redis::RedisServer;
use evergreen_testing::tools::repository;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Instant;

/// `evergreen`, with its own settings and the tools of the repository.
fn evergreen(folder: &Folder) -> Command {
    let mut command = isolated(Path::new(env!("CARGO_BIN_EXE_evergreen")), folder);
    let tools = find("z3").parent().expect("a folder").to_path_buf();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths([tools].into_iter().chain(std::env::split_paths(&path))).expect("a path");
    command.env("PATH", path).env("EVERGREEN_STORE", folder.path("store"));
    command
}

fn explore(folder: &Folder, arguments: &[&str]) -> Command {
    let mut command = evergreen(folder);
    command.arg("explore").args(arguments);
    command
}

fn subject(name: &str, version: &str) -> String {
    repository().join(format!("subjects/c/{name}/{version}/{name}.c")).display().to_string()
}

/// The events of a run; its times are left out.
fn events(command: &mut Command) -> Vec<Value> {
    let output = run(command.arg("--json"), "");
    let mut all: Vec<Value> = stdout(&output)
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}")))
        .collect();
    let last = all.last_mut().unwrap_or_else(|| panic!("{}", stderr(&output)));
    last["time_ms"] = Value::Null;
    all
}

fn summary(command: &mut Command) -> Value {
    events(command).pop().expect("a summary")
}

/// A program whose branches need a solver for floating point, or samples.
const FLOATS: &str = "#include <evergreen.h>
#include <math.h>
int main(void) {
    double d = evergreen_double(\"d\");
    int n = evergreen_int(\"n\");
    if (sin(d) > 0.25) return 1;
    if (d * d * d - d == 2.5) return 2;
    if (n == 7) return 3;
    if (n > 100 && d > 0.5) return 4;
    return 0;
}
";

/// A worker, killed when dropped.
struct Worker(Child);

impl Worker {
    fn start(folder: &Folder, server: &RedisServer, arguments: &[&str]) -> Worker {
        let mut command = evergreen(folder);
        command.env("EVERGREEN_STORE", "memory:").args(["work", "--split-after", "1ms", "--queue"]);
        command.arg(server.url()).args(arguments).stdout(Stdio::null()).stderr(Stdio::null());
        Worker(command.spawn().expect("start a worker"))
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn threads_and_workers_find_what_one_thread_finds() {
    let (folder, server) = (Folder::new(), RedisServer::start());
    let floats = folder.file("floats.c", FLOATS).display().to_string();
    let json = subject("json", "v1");
    let _workers: Vec<Worker> =
        (0..2).map(|_| Worker::start(&folder, &server, &["--solver", "none"])).collect();
    for program in [&[json.as_str(), "--cc-arg", "-DN=4"][..], &[floats.as_str(), "--solver", "none"]] {
        let go = |flags: &[&str]| {
            events(explore(&folder, program).args(["--store", "memory:", "--no-replay"]).args(flags))
        };
        let (alone, together) = (go(&["--jobs", "1"]), go(&["--jobs", "2"]));
        assert!(alone.len() > 4, "{alone:?}");
        assert_eq!(together, alone);
        let mut elsewhere = go(&["--queue", &server.url(), "--time", "0"]);
        let (mut alone, mut last) = (alone, elsewhere.pop().expect("a summary"));
        let mut own = alone.pop().expect("a summary");
        assert_eq!(elsewhere, alone);
        for name in ["paths", "explored", "sampled", "undecided", "coverage", "findings"] {
            assert_eq!(last[name].take(), own[name].take(), "{name}");
        }
    }
}

#[test]
fn what_is_covered_is_in_json_text_and_page() {
    let folder = Folder::new();
    let source = "#include <stdio.h>\n#include <string.h>\nstatic int unused(int x) {\n    return x + 1;\n}\n\
                  int main(int argc, char **argv) {\n    if (argc > 1 && argv[1][0] == 'x')\n        \
                  return 1;\n    if (argc > 5)\n        return unused(2);\n    switch (strlen(argv[1])) {\n\
                  \x20   case 0: return 2;\n    case 1: return 3;\n    default: return 4;\n    }\n}\n";
    let file = folder.file("cover.c", source).display().to_string();
    let page = folder.text("page.html");
    let done = summary(&mut explore(&folder, &[&file, "--sym-arg", "1", "--report", &page]));
    assert_eq!(done["divergences"], 0);
    let coverage = &done["coverage"];
    assert_eq!(coverage["of"], "explored paths");
    let own = &coverage["files"][0];
    assert_eq!((&own["file"], &own["missed_lines"]), (&json!("cover.c"), &json!([3, 4, 10, 14])));
    let lines = own["lines"].clone();
    assert_eq!(lines["total"].as_u64().map(|n| n - 4), lines["covered"].as_u64());
    let places: Vec<(u64, u64, u64)> = own["missed_branches"]
        .as_array()
        .expect("branches")
        .iter()
        .map(|branch| {
            let number = |name: &str| branch[name].as_u64().expect("a number");
            (number("line"), number("taken"), number("arms"))
        })
        .collect();
    // argc is 2; the switch is two comparisons, since its cases are sparse for the compiler.
    assert!(places.contains(&(7, 1, 2)) && places.contains(&(9, 1, 2)), "{places:?}");
    let text = stdout(&run(&mut explore(&folder, &[&file, "--sym-arg", "1"]), ""));
    assert!(text.contains("\nthe explored paths cover "), "{text}");
    let page = std::fs::read_to_string(page).expect("a page");
    let row = |line: u32| {
        let sign = format!("<td class=\"n\">{line}</td><td class=\"marks\">");
        page.lines().find(|row| row.contains(&sign)).unwrap_or_else(|| panic!("no line {line}")).to_string()
    };
    assert!(row(4).contains("class=\"miss\"") && row(4).contains("return x + 1;"), "{}", row(4));
    assert!(row(8).starts_with("<tr class=\"hit\">"), "{}", row(8));
    assert!(row(9).starts_with("<tr class=\"part\">") && row(9).contains("1/2 not to 10"), "{}", row(9));
    // The checks of undefined behaviour are no branches of the source.
    let checked = summary(&mut explore(&folder, &[&file, "--sym-arg", "1", "--ub", "--no-replay"]));
    assert_eq!(checked["coverage"]["branches"]["total"], coverage["branches"]["total"]);
}

#[test]
fn sampled_paths_are_marked_and_never_all() {
    let folder = Folder::new();
    let file = folder.file("floats.c", FLOATS).display().to_string();
    let page = folder.text("page.html");
    let flags = [&file, "--solver", "none", "--report", &page];
    let mut all = events(&mut explore(&folder, &flags));
    let done = all.pop().expect("a summary");
    assert_eq!(
        (&done["explored"], &done["complete"], &done["divergences"]),
        (&json!("in part"), &json!(false), &json!(0))
    );
    let paths: Vec<&Value> = all.iter().filter(|event| event["event"] == "path").collect();
    let sampled = paths.iter().filter(|path| path["sampled"] == true).count();
    assert!(sampled > 0 && done["sampled"] == sampled, "{sampled} of {done}");
    // Only d was fixed: n is still decided.
    let statuses: Vec<i64> = paths.iter().filter_map(|path| path["status"].as_i64()).collect();
    assert!(statuses.contains(&3) && statuses.contains(&1), "{statuses:?}");
    assert!(std::fs::read_to_string(&page).expect("a page").contains("(sampled)"));
    let text = run(explore(&folder, &flags[..3]).arg("-v"), "");
    assert_eq!(text.status.code(), Some(0));
    let text = stdout(&text);
    assert!(text.contains("(sampled)") && text.contains("not all paths explored"), "{text}");
    assert!(text.contains("sampled: inputs were fixed where symbols could not go"), "{text}");
    let free = summary(explore(&folder, &flags[..3]).arg("--no-sampling"));
    assert_eq!((&free["sampled"], &free["explored"]), (&json!(0), &json!("in part")));
}

#[test]
fn suites_follow_versions_and_ask_nothing_again() {
    let folder = Folder::new();
    let suite = folder.text("suite");
    let go = |version: &str| {
        let file = subject("semver", version);
        summary(&mut explore(
            &folder,
            &[&file, "--cc-arg", "-DN=2", "--suite", &suite, "--suite-size", "paths", "--no-replay"],
        ))
    };
    let counts = |done: &Value| {
        let all = &done["suite"];
        let many = |name: &str| all[name].as_array().map_or(all[name].as_u64(), |a| Some(a.len() as u64));
        (many("kept"), many("moved"), many("retired"), many("new"))
    };
    let first = go("v0");
    assert_eq!(counts(&first), (Some(0), Some(0), Some(0), Some(23)));
    let second = go("v1");
    let (kept, moved, _, new) = counts(&second);
    assert!(moved > Some(0) && new > Some(0), "{kept:?} {moved:?} {new:?}");
    let again = go("v1");
    assert_eq!(counts(&again).0, second["paths"].as_u64());
    assert_eq!((&again["suite"]["solver_calls"], &again["solver_calls"]), (&json!(0), &json!(0)));
    assert_eq!((counts(&again).1, counts(&again).3), (Some(0), Some(0)));
}

/// Of one or two arguments the second is optional: tests with two fit their own program.
#[test]
fn tests_with_optional_arguments_are_kept() {
    let folder = Folder::new();
    let source = "int main(int argc, char **argv) {\n    if (argc > 2) return argv[2][0] == 'b' ? 3 : 2;\n\
                  \x20   return argv[1][0] == 'a';\n}\n";
    let file = folder.file("two.c", source).display().to_string();
    let suite = folder.text("suite");
    let words = [&file, "--sym-args", "1", "2", "1", "--suite", &suite, "--suite-size", "paths"];
    let first = summary(&mut explore(&folder, &words));
    assert_eq!((&first["paths"], &first["suite"]["retired"]), (&json!(2), &json!([])));
    let again = summary(&mut explore(&folder, &words));
    assert_eq!((&again["suite"]["kept"], &again["suite"]["retired"]), (&json!(2), &json!([])), "{again}");
    let fewer = [&file, "--sym-args", "2", "3", "1", "--suite", &suite, "--suite-size", "paths"];
    let fewer = summary(&mut explore(&folder, &fewer));
    assert_eq!(
        (&fewer["suite"]["kept"], fewer["suite"]["retired"].as_array().map(Vec::len)),
        (&json!(1), Some(1))
    );
}

#[test]
fn arguments_are_no_leaks() {
    let folder = Folder::new();
    let source = "#include <stdlib.h>\nint main(int argc, char **argv) {\n    char *p = malloc(3);\n    \
                  if (argc > 1 && argv[1][0] == 'l') return 1;\n    free(p);\n    return 0;\n}\n";
    let file = folder.file("leak.c", source).display().to_string();
    let all = events(&mut explore(&folder, &[&file, "--sym-arg", "1", "--leaks"]));
    let found: Vec<&Value> = all.iter().filter(|event| event["event"] == "finding").collect();
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0]["place"], "main(leak.c:3)");
    assert_eq!(
        (&found[0]["message"], &found[0]["inputs"]["arg1"]),
        (&json!("1 object with 3 bytes"), &json!("l"))
    );
    assert_eq!((&all[all.len() - 1]["divergences"], &all[all.len() - 1]["paths"]), (&json!(0), &json!(2)));
}

#[test]
fn a_status_is_one_outcome_however_it_comes_about() {
    let folder = Folder::new();
    let source = "#include <evergreen.h>\nint main(void) {\n    int pin = evergreen_range(0, 999, \"pin\");\n\
                  \x20   if (pin < 500) return 1;\n    return pin % 2 + 1;\n}\n";
    let file = folder.file("pin.c", source).display().to_string();
    let all = events(&mut explore(&folder, &[&file, "--probability", "--secret", "pin", "--no-replay"]));
    let event = all.iter().find(|event| event["event"] == "probability").expect("probabilities");
    let outcomes: Vec<(String, String)> = event["outcomes"]
        .as_array()
        .expect("outcomes")
        .iter()
        .map(|o| (o["outcome"].as_str().unwrap().into(), o["probability"]["exact"].as_str().unwrap().into()))
        .collect();
    assert_eq!(outcomes, [("returns 1".into(), "3/4".into()), ("returns 2".into(), "1/4".into())]);
    // H(3/4, 1/4), not that of three outcomes.
    let bits = event["leak"]["shannon"]["most"].as_f64().expect("bits");
    assert!((bits - 0.811_278).abs() < 1e-4, "{bits} in {event}");
}

#[test]
fn an_interrupt_reports_what_was_found() {
    let folder = Folder::new();
    let (file, suite) = (subject("tokenizer", "v3"), folder.text("suite"));
    let mut command =
        explore(&folder, &[&file, "--cc-arg", "-DN=12", "--time", "0", "--no-replay", "--json"]);
    command.args(["--suite", &suite, "--suite-size", "paths", "--store", "memory:"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("it starts");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines().map_while(Result::ok);
    let before: Vec<String> = lines.by_ref().take(20).collect();
    assert_eq!(before.len(), 20);
    // SAFETY: a plain system call on a child of ours.
    unsafe { libc::kill(child.id() as libc::pid_t, libc::SIGINT) };
    let began = Instant::now();
    let rest: Vec<String> = lines.collect();
    child.wait().expect("it ends");
    assert!(began.elapsed() < PATIENCE);
    let done: Value = serde_json::from_str(rest.last().expect("a summary")).expect("JSON");
    assert!(done["cut"]["interrupt"].as_u64() > Some(0) && done["explored"] == "in part", "{done}");
    let shown = before.iter().chain(&rest).filter(|line| line.contains("\"event\":\"path\"")).count() as u64;
    assert_eq!(done["paths"].as_u64(), Some(shown));
    let text = std::fs::read_to_string(PathBuf::from(suite).join("tokenizer.suite")).expect("a suite");
    assert_eq!(text.lines().filter(|line| line.starts_with("test ")).count() as u64, shown);
}
