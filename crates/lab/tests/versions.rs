//! `evergreen-lab mutate`, `study incremental` and `study mutants`: counts are exact, updates find what fresh
//! explorations find.

use crate::common::{Folder, lab, product, subjects};
use evergreen_testing::tools::find;
use serde_json::Value;
use std::process::Command;

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Standard output of a command that must succeed.
fn succeed(args: &[&str]) -> String {
    let output = lab().args(args).output().expect("started");
    assert!(output.status.success(), "{args:?}\n{}", text(&output.stderr));
    text(&output.stdout)
}

/// What a command that cannot run says.
fn refused(args: &[&str]) -> String {
    let output = lab().args(args).output().expect("started");
    assert_eq!(output.status.code(), Some(2), "{args:?}\n{}", text(&output.stdout));
    text(&output.stderr)
}

fn mid() -> String {
    subjects().join("mid/Mid.java").display().to_string()
}

#[test]
fn mutants_are_listed_made_and_accepted_by_the_verifier() {
    let listed = succeed(&["mutate", &mid(), "--list", "--operators", "relation"]);
    let lines: Vec<&str> = listed.lines().collect();
    assert_eq!(lines.len(), 25, "{listed}");
    assert_eq!(lines[0], "001 Mid.mid(III)I:4: if_icmpge -> if_icmpeq");
    let folder = Folder::new();
    let out = folder.text("mutants");
    let said = succeed(&["mutate", &mid(), "--out", &out]);
    let manifest = std::fs::read_to_string(folder.path("mutants/mutants.jsonl")).expect("a manifest");
    let made: Vec<Value> = manifest.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(said, format!("{} mutants of 1 classes; the verifier accepts each\n", made.len()));
    assert_eq!(made[0]["from"], "if_icmpge");
    assert_eq!(made[0]["method"], "mid(III)I");
    let class = |part: &str| std::fs::read(folder.path(&format!("mutants/{part}/Mid.class"))).expect(part);
    for (number, line) in made.iter().enumerate() {
        assert_eq!(line["number"], number + 1);
        assert_ne!(class(&format!("{:03}", number + 1)), class("original"), "{line}");
    }
    // The first mutant is another program, as its exploration shows.
    let paths = |part: &str| {
        let mut explore = Command::new(product());
        explore.args(["explore", "--no-replay", "--json"]).arg(folder.path(&format!("mutants/{part}")));
        let explored = text(&explore.output().expect("started").stdout);
        let (_, last) = explored.trim_end().rsplit_once('\n').unwrap_or(("", explored.trim_end()));
        serde_json::from_str::<Value>(last).unwrap_or_else(|e| panic!("{e}\n{explored}"))
    };
    assert_ne!(paths("001").to_string(), paths("original").to_string());
}

#[test]
fn what_cannot_be_mutated_is_said() {
    let folder = Folder::new();
    std::fs::write(folder.path("there"), "something").expect("written");
    assert!(refused(&["mutate", &mid(), "--out", &folder.text("")]).contains("there is something in it"));
    assert!(refused(&["mutate", &mid()]).contains("--out"));
    let nothing = refused(&["mutate", &mid(), "--list", "--operators", "bits"]);
    assert!(nothing.contains("there is nothing to change\nhelp:"), "{nothing}");
    let nothing = refused(&["mutate", &mid(), "--list", "--method", "Other.mid"]);
    assert!(nothing.contains("there is nothing to change"), "{nothing}");
    assert!(refused(&["mutate", &folder.text("absent.java"), "--list"]).contains("absent.java"));
}

#[test]
fn updates_of_all_versions_find_what_fresh_explorations_find() {
    let (z3, folder) = (find("z3").display().to_string(), Folder::new());
    let subjects = subjects().display().to_string();
    let args = ["study", "incremental", "--only", "figure2", "--solver", &z3, "--subjects", &subjects];
    let said = succeed(&[&args[..], &["--json", "--out", &folder.text("study.md")]].concat());
    let report: Value = serde_json::from_str(&said).unwrap_or_else(|e| panic!("{e}\n{said}"));
    let of = |version: &Value| {
        assert_eq!(version["faults"], Value::Array(vec![]), "{version}");
        let calls = |who: &str, what: &str| -> Vec<String> {
            version[who].as_array().expect("runs").iter().map(|run| run[what].to_string()).collect()
        };
        format!(
            "{} {}/{} {} | {}",
            version["version"].as_str().expect("a name"),
            version["gone"],
            version["new"],
            calls("solver", "calls").join(" "),
            calls("native", "afresh").join(" ")
        )
    };
    let found: Vec<String> = report["versions"].as_array().expect("versions").iter().map(of).collect();
    // Gone and new paths; calls without reuse, cold, with the store, with the suite, with both; the same,
    // decided afresh.
    let expected = [
        "v0 0/0 11 3 0 0 0 | 11 11 11 0 0",
        "addition 4/8 15 5 2 1 1 | 15 15 15 4 4",
        "deletion 8/4 7 3 0 0 0 | 7 7 7 0 0",
        "modification 12/12 11 4 2 2 1 | 11 11 11 8 8",
        "refactoring 0/0 11 3 0 0 0 | 11 11 11 0 0",
        "renaming 0/0 11 3 0 0 0 | 11 11 11 0 0",
        "v1 8/8 11 4 2 1 1 | 11 11 11 4 4",
    ];
    assert_eq!(found, expected);
    let document = std::fs::read_to_string(folder.path("study.md")).expect("a document");
    assert!(document.contains("| figure2 addition     |   50.0% |    16 |      30 |"), "{document}");
    let nothing = refused(&["study", "incremental", "--only", "nothing"]);
    assert!(nothing.contains("no subject is called so\nhelp: there are figure2, trityp"), "{nothing}");
}

#[test]
fn tests_kill_mutants_and_survivors_are_checked() {
    let (z3, folder) = (find("z3").display().to_string(), Folder::new());
    let subjects = subjects().display().to_string();
    let args = ["study", "mutants", "--only", "figure2", "--operators", "relation", "--most", "6"];
    let svg = folder.text("mutants.svg");
    let more = ["--solver", &z3, "--subjects", &subjects, "--json", "--svg", &svg];
    let said = succeed(&[&args[..], &more].concat());
    let found: Vec<String> = said
        .lines()
        .map(|line| {
            let one: Value = serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}\n{line}"));
            assert_eq!(one["fault"], Value::Null, "{one}");
            let (mutant, calls) = (&one["mutant"], |run: &str| one[run]["calls"].to_string());
            format!(
                "{} {} {}: {}; {} {} {}; {} {} {}",
                mutant["line"],
                mutant["from"].as_str().unwrap_or_default(),
                mutant["to"].as_str().unwrap_or_default(),
                one["fate"].as_str().unwrap_or_default(),
                calls("none"),
                calls("store"),
                calls("both"),
                one["kept"],
                one["retired"],
                one["new"]
            )
        })
        .collect();
    // Line and change; what became of it; solver calls without reuse, with the store, with suite and store;
    // tests that are kept, retired, new.
    let expected = [
        "4 ifge ifeq: killed; 9 0 0; 8 4 0",
        "4 ifge ifgt: equal; 11 0 0; 10 2 2",
        "7 ifge ifne: killed; 11 0 0; 10 2 0",
        "10 if_icmpge if_icmpeq: missed; 11 0 0; 12 0 0",
        "10 if_icmpge if_icmpgt: killed; 11 2 1; 4 8 8",
        "12 if_icmpge if_icmpne: killed; 11 2 0; 8 4 4",
    ];
    assert_eq!(found, expected);
    let picture = std::fs::read_to_string(folder.path("mutants.svg")).expect("a picture");
    assert_eq!(picture.matches("<g ").count(), 2, "{picture}");
    let nothing = refused(&["study", "mutants", "--only", "nothing"]);
    assert!(nothing.contains("no subject is called so"), "{nothing}");
    // Without a solver everything would be undecided; no table is made of that.
    for study in ["mutants", "incremental"] {
        let mut args = vec!["study", study, "--only", "figure2", "--solver", "no-such-solver"];
        args.extend_from_slice(&["--subjects", &subjects]);
        args.extend_from_slice(if study == "mutants" { &["--most", "1"] } else { &[] });
        let unsolved = refused(&args);
        assert!(unsolved.contains("solver \"no-such-solver\" not found"), "{unsolved}");
    }
}
