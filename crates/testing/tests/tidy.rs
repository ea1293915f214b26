//! The map is true: crates depend only on the crates that ARCHITECTURE.md allows, the paths that documents
//! name exist, and lines are as wide as rustfmt.toml allows.

use evergreen_testing::manual::{pages, read};
use evergreen_testing::tools::repository;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

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
    let may: [(&str, &[&str]); 32] = [
        ("structures", &[]),
        ("term", &[]),
        ("smtlib", &["term"]),
        ("canon", &["structures", "term"]),
        ("store", &[]),
        ("queue", &["store"]),
        ("solver", &[]),
        ("lia", &["term"]),
        ("bits", &["structures", "term"]),
        ("count", &["structures", "term", "lia"]),
        ("trie", &[]),
        ("reuse", &["structures", "term", "canon", "store", "lia", "bits", "count", "trie"]),
        ("classfile", &[]),
        ("c", &["debuginfo", "deciding", "engine", "explore", "service", "suite", "symbolic", "wasm"]),
        ("debuginfo", &[]),
        ("symbolic", &["term"]),
        ("explore", &["structures"]),
        ("heap", &[]),
        ("engine", &[]),
        ("jvm", &["classfile", "symbolic", "structures", "explore", "heap"]),
        ("wasm", &["explore", "structures", "symbolic"]),
        ("suite", &[]),
        ("replay", &["classfile", "suite"]),
        ("evergreen", &["term", "smtlib", "canon", "store", "solver", "lia", "count", "trie", "reuse"]),
        ("deciding", &["evergreen", "count", "explore", "symbolic", "term"]),
        ("service", &["evergreen", "deciding", "explore", "structures", "suite", "symbolic"]),
        ("distributed", &["evergreen", "deciding", "explore", "queue", "service", "symbolic"]),
        (
            "java",
            &[
                "evergreen",
                "classfile",
                "deciding",
                "explore",
                "heap",
                "jvm",
                "replay",
                "reuse",
                "service",
                "store",
                "structures",
                "suite",
                "symbolic",
            ],
        ),
        ("host", &["structures"]),
        ("cli", &["evergreen", "c", "distributed", "host", "java", "queue", "service"]),
        ("testing", &["heap", "structures", "term"]),
        ("lab", &["structures", "bits", "c", "evergreen", "host", "java", "structures", "testing", "trie"]),
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
    let outside = ["README.md", "ARCHITECTURE.md", "CHANGELOG.md", "subjects/README.md", "streams/README.md"];
    for document in outside.map(PathBuf::from).into_iter().chain(pages()) {
        let text = read(&document);
        let words = text.split(|c: char| c.is_whitespace() || "`()[],:;".contains(c));
        for word in words.map(|w| w.trim_end_matches('.')) {
            let starts = ["crates/", "docs/", "scripts/", "tests/", "fuzz/", "corpus/"];
            if starts.iter().any(|s| word.starts_with(s) && word.len() > s.len()) {
                let document = document.display();
                assert!(repository().join(word).exists(), "{document} names {word}, which does not exist");
            }
        }
    }
}

/// The tests of a crate are one program. A file that it does not name would never run, without a warning.
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
            assert!(!path.join("main.rs").is_file(), "{} is a program that never runs", path.display());
        }
    }
}

/// rustfmt breaks code, but it leaves comments and strings as wide as they are. The only lines that may be
/// wider are those of a raw string literal over several lines: such a literal is data (Java, SMT-LIB,
/// expected output), in which a line break has a meaning; and those of a single word.
#[test]
fn no_line_is_wider_than_rustfmt_allows() {
    let settings = std::fs::read_to_string(repository().join("rustfmt.toml")).unwrap();
    let width = settings.lines().find_map(|line| line.strip_prefix("max_width = ")).unwrap();
    let width: usize = width.trim().parse().unwrap();
    let mut files = Vec::new();
    for entry in std::fs::read_dir(repository().join("crates")).unwrap() {
        rust_files(&entry.unwrap().path(), &mut files);
    }
    rust_files(&repository().join("fuzz"), &mut files);
    assert!(files.len() > 100, "found only {} Rust files", files.len());
    let mut wide = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let data = lines_of_raw_strings(&text);
        for (number, line) in (1..).zip(text.lines()) {
            // A single word has no place to break.
            let is_word = !line.trim().contains(' ');
            if line.chars().count() > width && !data.contains(&number) && !is_word {
                wide.push(format!("{}:{number}", file.display()));
            }
        }
    }
    assert!(wide.is_empty(), "{} lines are wider than {width}:\n{}", wide.len(), wide.join("\n"));
}

/// Adds the Rust files below a folder, apart from what cargo built.
fn rust_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.ends_with("target") {
            rust_files(&path, files);
        } else if path.extension().is_some_and(|e| e == "rs") {
            files.push(path);
        }
    }
}

/// The numbers, from 1, of the lines that a raw string literal over several lines touches.
fn lines_of_raw_strings(text: &str) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let before = text[..at].chars().next_back();
        let begins_word = !before.is_some_and(|c| c.is_alphanumeric() || c == '_');
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if let Some(length) = raw_string(rest).filter(|_| begins_word || before == Some('b')) {
            let first = 1 + text[..at].matches('\n').count();
            let last = first + rest[..length].matches('\n').count();
            if first < last {
                found.extend(first..=last);
            }
            length
        } else if rest.starts_with('"') {
            string(rest)
        } else if rest.starts_with("'\"'") || rest.starts_with("'\\") {
            // A character that is a quote or escaped. A lifetime has neither.
            2 + rest[2..].find('\'').unwrap_or(0)
        } else {
            rest.chars().next().map_or(1, char::len_utf8)
        };
        at += length;
    }
    found
}

/// The length of the raw string literal that a text begins with.
fn raw_string(text: &str) -> Option<usize> {
    let after = text.strip_prefix('r')?;
    let hashes = after.len() - after.trim_start_matches('#').len();
    let body = after[hashes..].strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(hashes));
    Some(2 + hashes + body.find(&end)? + end.len())
}

/// The length of the ordinary string literal that a text begins with.
fn string(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[test]
fn raw_strings_are_found() {
    let text =
        "let a = '\"'; // r\"\nlet b = \"r#\\\"\n\";\nlet c = r#\"\n\"\n\"#;\nlet d = r\"one line\";\n";
    assert_eq!(lines_of_raw_strings(text), BTreeSet::from([4, 5, 6]));
}

/// Files of libraries whose texts name flags, and why.
const NAME_FLAGS: [(&str, &str); 29] = [
    // The same words in every report.
    ("crates/distributed/src/gather.rs", "the bound of a run that cut it, by its flag"),
    ("crates/explore/src/seed.rs", "the bound that cut a path, by its flag"),
    ("crates/service/src/remote.rs", "the bound that cut a part, by its flag"),
    ("crates/service/src/report.rs", "the bound that cut a path, by its flag"),
    ("crates/service/src/report/html/numbers.rs", "the bound that cut a path, by its flag"),
    ("crates/service/src/run.rs", "the bound that cut a path, by its flag"),
    ("crates/service/src/seeds.rs", "the bound that cut a path, by its flag"),
    // Help for users of the command: these crates do not know which program they are in.
    ("crates/java/src/frontend.rs", "help: inputs that are longer, or objects"),
    ("crates/java/src/inputs.rs", "ranges that do not fit, and what to write in their place"),
    ("crates/java/src/severity.rs", "help: a class that is missing"),
    ("crates/java/src/invariants.rs", "a scope of a class that is none"),
    ("crates/java/src/program.rs", "help: how to name a method"),
    ("crates/java/src/within.rs", "the bounds on inputs that a result is about"),
    ("crates/jvm/src/natives/letters.rs", "help: fewer characters"),
    ("crates/jvm/src/natives/numbers.rs", "help: a concrete argument"),
    ("crates/service/src/report/chances.rs", "help: fixed or small public inputs"),
    ("crates/service/src/suites/plan.rs", "a range between tests that are none"),
    // Flags of other programs, and what looks like flags.
    ("crates/service/src/report/html/style.rs", "properties of a style sheet"),
    ("crates/c/src/clang.rs", "flags of clang"),
    ("crates/c/src/compile.rs", "flags of clang and wasm-ld"),
    ("crates/c/src/functions.rs", "flags of clang and wasm-ld"),
    ("crates/replay/src/javac.rs", "flags of javac"),
    ("crates/replay/src/junit/members.rs", "flags of java"),
    ("crates/replay/src/process.rs", "flags of java"),
    ("crates/replay/src/suite.rs", "flags of java"),
    ("crates/evergreen/src/session/late.rs", "flags of cvc5 and Yices"),
    ("crates/evergreen/src/session/refusals.rs", "flags of cvc5, in its own words"),
    ("crates/evergreen/src/spelled.rs", "a flag of Yices"),
    ("crates/solver/src/command.rs", "flags of solvers"),
];

/// Libraries know no flags: a message that names one is of no use to a program that links the library. The
/// files that name some all the same are listed, with the reason.
#[test]
fn libraries_name_no_flags() {
    let mut found = BTreeSet::new();
    for entry in std::fs::read_dir(repository().join("crates")).unwrap() {
        let folder = entry.unwrap().path();
        let is_program = ["cli", "lab", "testing"].iter().any(|name| folder.ends_with(name));
        let mut files = Vec::new();
        if !is_program {
            rust_files(&folder.join("src"), &mut files);
        }
        for file in files.iter().filter(|file| !file.ends_with("tests.rs")) {
            let text = std::fs::read_to_string(file).unwrap();
            let code = text.split("\n#[cfg(test)]\nmod tests {").next().unwrap_or_default();
            if string_literals(code).iter().any(|literal| names_flag(literal)) {
                let name = file.strip_prefix(repository()).unwrap().to_str().unwrap();
                found.insert(name.to_string());
            }
        }
    }
    let listed: BTreeSet<String> = NAME_FLAGS.iter().map(|(file, _)| file.to_string()).collect();
    let new: Vec<&String> = found.difference(&listed).collect();
    assert!(new.is_empty(), "these texts of libraries name flags: {new:#?}");
    let old: Vec<&String> = listed.difference(&found).collect();
    assert!(old.is_empty(), "these files name no flags any more: {old:#?}");
}

/// Whether a text has a flag in it: two dashes before a letter, or before a value that is filled in.
fn names_flag(literal: &str) -> bool {
    literal.match_indices("--").any(|(at, _)| {
        let is_begun = at == 0 || !literal[..at].ends_with(|c: char| c.is_alphanumeric() || c == '-');
        is_begun && literal[at + 2..].starts_with(|c: char| c.is_ascii_lowercase() || c == '{')
    })
}

/// The string literals of a Rust source, as they are written.
fn string_literals(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let before = text[..at].chars().next_back();
        let begins_word = !before.is_some_and(|c| c.is_alphanumeric() || c == '_');
        let raw = raw_string(rest).filter(|_| begins_word || before == Some('b'));
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if let Some(length) = raw.or_else(|| rest.starts_with('"').then(|| string(rest))) {
            found.push(rest[..length].trim_start_matches(['r', '#']).trim_matches(['"', '#']));
            length
        } else if rest.starts_with("'\"'") || rest.starts_with("'\\") {
            2 + rest[2..].find('\'').unwrap_or(0)
        } else {
            rest.chars().next().map_or(1, char::len_utf8)
        };
        at += length;
    }
    found
}

#[test]
fn flags_in_texts_are_found() {
    let text = "// --no\nlet a = '\"'; f(\"with --flag\", r#\"--{name}\"#); g(\"a--b ---c -- d\");";
    assert_eq!(string_literals(text), ["with --flag", "--{name}", "a--b ---c -- d"]);
    let named: Vec<bool> = string_literals(text).iter().map(|literal| names_flag(literal)).collect();
    assert_eq!(named, [true, true, false]);
}
