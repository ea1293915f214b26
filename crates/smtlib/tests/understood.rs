//! How much of a folder of scripts is understood: run by hand over the public regression folders of solvers,
//! which are no part of this repository.
//!
//! `EVERGREEN_SCRIPTS=FOLDER cargo test -p evergreen-smt-smtlib --test tests understood -- --ignored
//! --nocapture`, with `EVERGREEN_DIALECT=z3` or `cvc5` for scripts that are written for these solvers.

use evergreen_smtlib::{Command, Context};
use evergreen_term::Terms;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Commands that ask and change nothing. Who does not understand them loses no reuse.
const ASKING: [&str; 14] = [
    "apply",
    "eval",
    "simplify",
    "get-objectives",
    "labels",
    "display",
    "help",
    "get-interpolant",
    "get-qe",
    "get-difficulty",
    "get-abduct",
    "get-timeout-core",
    "get-info",
    "set-info",
];

fn scripts(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder of scripts").flatten() {
        let path = entry.path();
        if path.is_dir() {
            scripts(&path, found);
        } else if path.extension().is_some_and(|e| e == "smt2") {
            found.push(path);
        }
    }
}

/// What is not understood of a script: the complaints, each with the command's first word.
fn complaints(text: &[u8]) -> Vec<String> {
    let mut terms = Terms::new();
    let mut context = Context::new(&mut terms);
    match std::env::var("EVERGREEN_DIALECT").as_deref() {
        Ok("z3") => context.read_as_z3(&mut terms),
        Ok("cvc5") => context.read_as_cvc5(),
        _ => {}
    }
    let read = match context.read_script(&mut terms, text) {
        Ok(read) => read,
        Err(complaint) => return vec![format!("text: {}", complaint.message)],
    };
    let mut found = Vec::new();
    for located in read {
        let source = String::from_utf8_lossy(&text[located.span.clone()]);
        let word = source.trim_start_matches('(').split(|c: char| c.is_whitespace() || c == ')').next();
        let word = word.unwrap_or("").to_string();
        if ASKING.contains(&word.as_str()) || word.starts_with("dbg-") {
            continue;
        }
        match located.complaint {
            Some(complaint) => found.push(format!("{word}: {}", complaint.message)),
            None if located.command == Command::Opaque => found.push(format!("{word}: no such command")),
            None => {}
        }
    }
    found
}

#[test]
#[ignore = "takes a folder of scripts: EVERGREEN_SCRIPTS"]
fn share_of_scripts() {
    let folder = std::env::var_os("EVERGREEN_SCRIPTS").expect("EVERGREEN_SCRIPTS names a folder");
    let mut paths = Vec::new();
    scripts(Path::new(&folder), &mut paths);
    paths.sort();
    assert!(!paths.is_empty(), "no scripts in {folder:?}");
    let mut reasons: BTreeMap<String, Vec<&Path>> = BTreeMap::new();
    let mut whole = 0;
    for path in &paths {
        let complaints = complaints(&std::fs::read(path).expect("a script"));
        match complaints.first() {
            None => whole += 1,
            Some(first) => reasons.entry(first.clone()).or_default().push(path),
        }
    }
    let mut sorted: Vec<_> = reasons.iter().collect();
    sorted.sort_by_key(|(_, paths)| std::cmp::Reverse(paths.len()));
    for (reason, paths) in sorted.iter().take(400) {
        println!("{:5} {reason}  [{}]", paths.len(), paths[0].display());
    }
    println!("{whole} of {} scripts are understood ({}%)", paths.len(), whole * 100 / paths.len());
}
