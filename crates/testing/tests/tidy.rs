//! The map is true: crates depend only on what ARCHITECTURE.md says they may know, and the paths that documents name exist.

use evergreen_testing::tools::repository;
use std::collections::BTreeSet;

/// The crates of this workspace that a crate depends on, outside of its tests.
fn dependencies(name: &str) -> BTreeSet<String> {
    let manifest = repository().join("crates").join(name).join("Cargo.toml");
    let text = std::fs::read_to_string(&manifest).unwrap_or_else(|e| panic!("{}: {e}", manifest.display()));
    let mut inside = false;
    let mut found = BTreeSet::new();
    for line in text.lines() {
        if line.starts_with('[') {
            inside = line.trim() == "[dependencies]";
        } else if inside && line.starts_with("evergreen") {
            let dependency = line.split([' ', '=', '.']).next().unwrap_or_default();
            found.insert(dependency.trim_start_matches("evergreen-").to_string());
        }
    }
    found
}

#[test]
fn crates_know_only_what_they_may() {
    let may: [(&str, &[&str]); 23] = [
        ("structures", &[]),
        ("term", &[]),
        ("smtlib", &["term"]),
        ("canon", &["structures", "term"]),
        ("store", &[]),
        ("queue", &["store"]),
        ("solver", &[]),
        ("lia", &["term"]),
        ("count", &["structures", "term", "lia"]),
        ("trie", &[]),
        ("reuse", &["structures", "term", "canon", "store", "lia", "count", "trie"]),
        ("classfile", &[]),
        ("symbolic", &["term"]),
        ("explore", &["structures"]),
        ("heap", &[]),
        ("jvm", &["classfile", "symbolic", "explore", "heap"]),
        ("replay", &["classfile"]),
        ("suite", &["classfile", "replay"]),
        ("evergreen", &["term", "smtlib", "canon", "store", "solver", "lia", "count", "trie", "reuse"]),
        (
            "java",
            &[
                "evergreen",
                "classfile",
                "count",
                "explore",
                "heap",
                "jvm",
                "replay",
                "reuse",
                "store",
                "suite",
                "symbolic",
                "term",
            ],
        ),
        ("cli", &["evergreen", "java", "queue"]),
        ("testing", &["structures", "term"]),
        ("lab", &["evergreen", "testing"]),
    ];
    for (name, allowed) in may {
        let allowed: BTreeSet<String> = allowed.iter().map(|s| s.to_string()).collect();
        let extra: Vec<String> = dependencies(name).difference(&allowed).cloned().collect();
        assert!(extra.is_empty(), "crate {name} must not know {extra:?}");
    }
    let listed: BTreeSet<&str> = may.iter().map(|m| m.0).collect();
    for entry in std::fs::read_dir(repository().join("crates")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(listed.contains(name.as_str()), "crate {name} is not on the map");
    }
}

#[test]
fn canon_has_no_clock_and_no_random_order() {
    for entry in std::fs::read_dir(repository().join("crates/canon/src")).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        for word in
            ["Instant", "SystemTime", "RandomState", "std::collections::HashMap", "std::fs", "std::env"]
        {
            assert!(!text.contains(word), "{}: {word}", path.display());
        }
    }
}

#[test]
fn paths_in_documents_exist() {
    for document in [
        "README.md",
        "ARCHITECTURE.md",
        "docs/certificate-format.md",
        "docs/count-format.md",
        "docs/distributed.md",
        "docs/duel.md",
        "docs/invariant-language.md",
        "docs/key-format.md",
        "docs/lia-duel.md",
        "docs/record-format.md",
        "docs/store-format.md",
        "docs/stream-format.md",
        "docs/suite-format.md",
        "docs/trie-format.md",
        "docs/benchmarks.md",
    ] {
        let text = std::fs::read_to_string(repository().join(document)).unwrap();
        let words = text.split(|c: char| c.is_whitespace() || "`()[],:;".contains(c));
        for word in words.map(|w| w.trim_end_matches('.')) {
            let starts = ["crates/", "docs/", "scripts/", "tests/", "fuzz/", "corpus/"];
            if starts.iter().any(|s| word.starts_with(s) && word.len() > s.len()) {
                assert!(repository().join(word).exists(), "{document} names {word}, which does not exist");
            }
        }
    }
}

/// The tests of a crate are one program. A file that it does not name would never run, and nobody would notice.
#[test]
fn every_file_of_tests_runs() {
    for entry in std::fs::read_dir(repository().join("crates")).unwrap() {
        let folder = entry.unwrap().path();
        let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        if !manifest.contains("autotests = false") {
            continue;
        }
        let main = std::fs::read_to_string(folder.join("tests/main.rs")).unwrap();
        let named: BTreeSet<&str> =
            main.lines().filter_map(|line| line.strip_prefix("mod ")?.strip_suffix(';')).collect();
        for file in std::fs::read_dir(folder.join("tests")).unwrap() {
            let path = file.unwrap().path();
            let name = path.file_stem().unwrap().to_str().unwrap();
            let is_test = path.extension().is_some_and(|e| e == "rs") || path.join("mod.rs").is_file();
            // A program of its own, which the manifest names.
            let is_program = manifest.contains(&format!("path = \"tests/{name}.rs\""));
            assert!(!is_test || is_program || named.contains(name), "{} is not run", path.display());
            assert!(!path.join("main.rs").is_file(), "{} is a program that nobody starts", path.display());
        }
    }
}
