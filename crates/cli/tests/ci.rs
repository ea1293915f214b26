//! What continuous integration gets: SARIF as the specification has it, summaries in Markdown, and the
//! example workflows, whose shell steps run here as they stand there.

use crate::common::{Folder, find, isolated, run, stderr, stdout};
use evergreen_testing::tools::repository;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

const ACCOUNT: &str = "package shop;
public class Account {
  private int balance = 10;
  public int take(int amount, int parts) {
    if (amount < 0) { throw new IllegalArgumentException(\"negative: \" + amount); }
    return (balance - amount) / parts;
  }
  public static int parse(String text) { return Integer.parseInt(text); }
}
";

/// A repository with a Java project.
fn project(folder: &Folder, text: &str) -> PathBuf {
    let root = folder.path("project");
    let package = root.join("src/main/java/shop");
    std::fs::create_dir_all(&package).expect("a folder");
    std::fs::write(package.join("Account.java"), text).expect("a source");
    root
}

fn prepared(program: &Path, folder: &Folder) -> Command {
    let mut command = isolated(program, folder);
    let tools = find("z3").parent().expect("a folder").to_path_buf();
    let own = Path::new(env!("CARGO_BIN_EXE_evergreen")).parent().expect("a folder").to_path_buf();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = [own, tools].into_iter().chain(std::env::split_paths(&path));
    let cache = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("cache");
    command.env("PATH", std::env::join_paths(path).expect("a path")).env("XDG_CACHE_HOME", cache);
    command.env("EVERGREEN_STORE", folder.path("store"));
    command
}

fn read(file: &Path) -> Value {
    let text = std::fs::read_to_string(file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    serde_json::from_str(&text).expect("JSON")
}

/// What SARIF 2.1.0 demands of a log, as far as we write it; the results.
fn check_sarif(log: &Value) -> Vec<Value> {
    let only = |value: &Value, known: &[&str]| {
        for name in value.as_object().expect("an object").keys() {
            assert!(known.contains(&name.as_str()), "{name} in {value}");
        }
    };
    let text = |value: &Value| assert!(value.as_str().is_some_and(|text| !text.is_empty()), "{value}");
    only(log, &["$schema", "version", "runs"]);
    assert_eq!(log["version"], "2.1.0");
    let runs = log["runs"].as_array().expect("runs");
    assert_eq!(runs.len(), 1);
    only(&runs[0], &["tool", "invocations", "columnKind", "results"]);
    assert_eq!(runs[0]["columnKind"], "utf16CodeUnits");
    assert!(runs[0]["invocations"][0]["executionSuccessful"].is_boolean());
    let driver = &runs[0]["tool"]["driver"];
    text(&driver["name"]);
    let rules = driver["rules"].as_array().expect("rules");
    for rule in rules {
        only(rule, &["id", "shortDescription", "fullDescription", "help", "defaultConfiguration"]);
        text(&rule["id"]);
        // GitHub requires all three of a rule.
        for part in ["shortDescription", "fullDescription", "help"] {
            text(&rule[part]["text"]);
        }
        assert_eq!(rule["defaultConfiguration"]["level"], "error");
    }
    let results = runs[0]["results"].as_array().expect("results");
    for result in results {
        let known =
            ["ruleId", "ruleIndex", "level", "message", "locations", "partialFingerprints", "properties"];
        only(result, &known);
        let index = usize::try_from(result["ruleIndex"].as_u64().expect("an index")).expect("small");
        assert_eq!(rules[index]["id"], result["ruleId"]);
        text(&result["message"]["text"]);
        text(&result["partialFingerprints"]["evergreen/v1"]);
        let location = &result["locations"][0];
        text(&location["logicalLocations"][0]["fullyQualifiedName"]);
        let artifact = &location["physicalLocation"]["artifactLocation"];
        only(artifact, &["uri", "uriBaseId"]);
        let uri = artifact["uri"].as_str().expect("a reference");
        assert!(!uri.contains([' ', '\\']), "{uri}");
        assert!(location["physicalLocation"]["region"]["startLine"].as_u64().is_some_and(|line| line > 0));
    }
    results.clone()
}

/// Rule, file, line and fingerprint of every result.
fn places(results: &[Value]) -> Vec<(String, String, u64, String)> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
    let place = |one: &Value| {
        let physical = &one["locations"][0]["physicalLocation"];
        let line = physical["region"]["startLine"].as_u64().unwrap_or_default();
        let fingerprint = text(&one["partialFingerprints"]["evergreen/v1"]);
        (text(&one["ruleId"]), text(&physical["artifactLocation"]["uri"]), line, fingerprint)
    };
    results.iter().map(place).collect()
}

#[test]
fn findings_are_sarif_at_their_lines_and_known_again_when_lines_move() {
    let folder = Folder::new();
    let root = project(&folder, ACCOUNT);
    let explore = |name: &str| {
        let mut command = prepared(Path::new(env!("CARGO_BIN_EXE_evergreen")), &folder);
        command.current_dir(&root).args(["explore", "src/main/java", "--no-replay", "--input-length", "1"]);
        let output = run(command.args(["--sarif", name, "--markdown", "summary.md"]), "");
        assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
        check_sarif(&read(&root.join(name)))
    };
    let first = explore("first.sarif");
    let found = places(&first);
    let at = |rule: &str| found.iter().find(|place| place.0 == rule).cloned();
    let file = "src/main/java/shop/Account.java";
    let divided = at("java.lang.ArithmeticException").expect("a division by zero");
    assert_eq!((&*divided.1, divided.2), (file, 6));
    let refused = at("java.lang.IllegalArgumentException").expect("a refusal");
    assert_eq!((&*refused.1, refused.2), (file, 5));
    // It is thrown in the JDK, and shown in the program.
    let unread = at("java.lang.NumberFormatException").expect("no number");
    assert_eq!((&*unread.1, unread.2), (file, 8));
    let all: Vec<String> = first.iter().map(|one| one["message"]["text"].to_string()).collect();
    assert!(
        all.iter().any(|text| text.contains("parts = 0") && text.contains("evergreen explore")),
        "{all:?}"
    );
    // Lines above, and another method: the places move, the fingerprints do not.
    let moved = ACCOUNT
        .replace("  private", "\n\n  /** New. */\n  public int get() { return balance; }\n\n  private");
    project(&folder, &moved);
    let second = places(&explore("second.sarif"));
    assert_eq!(second.len(), found.len());
    for (before, after) in found.iter().zip(&second) {
        assert_eq!((&before.0, &before.1, &before.3), (&after.0, &after.1, &after.3));
        assert_eq!(before.2 + 5, after.2);
    }
    let mut fingerprints: Vec<&String> = found.iter().map(|place| &place.3).collect();
    fingerprints.sort_unstable();
    fingerprints.dedup();
    assert_eq!(fingerprints.len(), found.len());
    let summary = std::fs::read_to_string(root.join("summary.md")).expect("a summary");
    assert_eq!(summary.matches("## Evergreen: ").count(), 2, "the second run appends");
    assert!(
        summary.contains("| `shop.Account.take(int, int)` | `java.lang.ArithmeticException"),
        "{summary}"
    );
}

/// Names and values.
type Named = Vec<(String, String)>;

/// The shell steps of a workflow, by name, with the variables of its `env`.
fn steps(text: &str) -> (Named, Named) {
    assert!(!text.contains('\t'), "YAML is indented by spaces");
    let indent = |line: &str| line.len() - line.trim_start().len();
    let lines: Vec<&str> = text.lines().collect();
    let mut variables = Vec::new();
    let top = lines.iter().position(|line| *line == "env:").expect("variables of the workflow");
    for line in lines[top + 1..].iter().take_while(|line| line.starts_with("  ")) {
        let (name, value) = line.trim().split_once(": ").expect("a variable");
        variables.push((name.to_string(), value.to_string()));
    }
    let (mut steps, mut name) = (Vec::new(), "");
    for (at, line) in lines.iter().enumerate() {
        // Every line is a comment, a key, an element, or text of a block.
        let bare = line.trim().trim_start_matches("- ");
        name = bare.strip_prefix("name: ").unwrap_or(name);
        if bare == "run: |" {
            let own = indent(line);
            let body = lines[at + 1..].iter().take_while(|line| line.trim().is_empty() || indent(line) > own);
            let body: Vec<&str> = body.map(|line| line.trim_start()).collect();
            let body = body.join("\n");
            assert!(!body.contains("${{"), "shell steps are plain shell: {body}");
            steps.push((name.to_string(), body));
        }
    }
    (steps, variables)
}

fn workflow(name: &str) -> (Named, Named) {
    let file = repository().join("examples/github-actions").join(name);
    steps(&std::fs::read_to_string(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display())))
}

/// A step as GitHub runs it.
fn step(folder: &Folder, root: &Path, script: &str, variables: &[(String, String)]) -> std::process::Output {
    let mut shell = prepared(Path::new("bash"), folder);
    shell.current_dir(root).args(["--noprofile", "--norc", "-eo", "pipefail", "-c", script]);
    shell.envs(variables.iter().map(|(name, value)| (name, value)));
    shell.env("GITHUB_STEP_SUMMARY", root.join("step-summary.md")).env("BASE", "HEAD~1");
    run(&mut shell, "")
}

#[test]
fn the_steps_of_the_example_workflows_run() {
    let folder = Folder::new();
    // Division by what is not zero: nothing to find, and then something that behaves differently.
    let quiet = "package shop;
public class Account {
  public static int fee(int amount) { int half = amount / 2; return amount > 100 && half < 90 ? 2 : 1; }
}
";
    let root = project(&folder, quiet);
    let git = |arguments: &[&str]| {
        let mut command = Command::new("git");
        command.arg("-C").arg(&root).args(["-c", "user.name=t", "-c", "user.email=t@example.org"]);
        let done = command.args(arguments).output().expect("these tests need git");
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    };
    git(&["init", "--quiet"]);
    git(&["add", "."]);
    git(&["commit", "--quiet", "-m", "first"]);
    project(&folder, &quiet.replace("> 100", ">= 100"));
    git(&["commit", "--quiet", "-am", "second"]);
    let (shell, variables) = workflow("evergreen.yml");
    let names: Vec<&str> = shell.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["Install", "Explore", "Compare with the base"]);
    let explored = step(&folder, &root, &shell[1].1, &variables);
    assert_eq!(explored.status.code(), Some(0), "{}{}", stdout(&explored), stderr(&explored));
    assert!(check_sarif(&read(&root.join("explore.sarif"))).is_empty());
    assert!(root.join(".evergreen/suite/shop/Account.suite").is_file());
    let compared = step(&folder, &root, &shell[2].1, &variables);
    assert_eq!(compared.status.code(), Some(1), "{}{}", stdout(&compared), stderr(&compared));
    let results = check_sarif(&read(&root.join("diff.sarif")));
    let expected = ("behaviour-difference".to_string(), "src/main/java/shop/Account.java".to_string(), 3);
    let found: Vec<_> = places(&results).into_iter().map(|place| (place.0, place.1, place.2)).collect();
    assert_eq!(found, [expected]);
    let summary = std::fs::read_to_string(root.join("step-summary.md")).expect("a summary");
    assert!(summary.contains("## Evergreen: nothing found"), "{summary}");
    assert!(
        summary.contains("| `shop.Account.fee(int)` | `returns 1` | `returns 2` | `amount = 100` |"),
        "{summary}"
    );
    // The store of the runs above is all that the strict variant needs.
    assert!(root.join(".evergreen/store").is_dir());
    let (strict, variables) = workflow("require-hit.yml");
    let names: Vec<&str> = strict.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["Install", "Fill the store", "Explore"]);
    let packed = step(&folder, &root, "evergreen store export answers.pack && rm -r .evergreen", &variables);
    assert!(packed.status.success(), "{}", stderr(&packed));
    for (name, script) in &strict[1..] {
        let done = step(&folder, &root, script, &variables);
        assert_eq!(done.status.code(), Some(0), "{name}: {}{}", stdout(&done), stderr(&done));
    }
    // A question that was not asked before and is not decided here ends it.
    let other = "package shop;
public class Account {
  public static int other(double a, double b) { return a * b > 12.25 && a < 3 && b > a ? 1 : 2; }
}
";
    project(&folder, other);
    let missed = step(&folder, &root, &strict[2].1, &variables);
    assert_eq!(missed.status.code(), Some(2), "{}{}", stdout(&missed), stderr(&missed));
    let log = read(&root.join("explore.sarif"));
    check_sarif(&log);
    assert_eq!(log["runs"][0]["invocations"][0]["executionSuccessful"], false);
}
