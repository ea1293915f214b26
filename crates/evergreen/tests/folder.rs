//! A folder of scripts of others: bare, cold and warm. Run by hand over the public regression folders of
//! solvers, which are no part of this repository:
//!
//! `EVERGREEN_SCRIPTS=FOLDER EVERGREEN_SOLVER=cvc5 EVERGREEN_MOST=300 cargo test -p evergreen-smt
//! --test tests folder -- --ignored --nocapture`.
//! `EVERGREEN_WITH=set.,bag.` takes only scripts with one of these texts.

use crate::common::{memory, options, verdicts};
use evergreen::solver::{Command, Limits};
use evergreen::{CanonMode, run_script};
use evergreen_testing::random::Random;
use evergreen_testing::tools;
use std::path::{Path, PathBuf};

/// How long a solver may take for a script.
const PATIENCE_MS: u64 = 2_000;

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

/// The flags that a script of cvc5's wants, without those that only check the solver itself.
fn flags(text: &str) -> Vec<String> {
    let line = text.lines().find_map(|line| line.strip_prefix("; COMMAND-LINE:"));
    let words = line.unwrap_or("").split_whitespace();
    words.filter(|word| !word.starts_with("--check") && !word.contains('%')).map(str::to_string).collect()
}

/// What differs from the bare solver: definite verdicts that contradict, and definite ones that were lost.
fn compare(expected: &[&str], got: &[&str]) -> (usize, usize) {
    let is_definite = |v: &str| v == "sat" || v == "unsat";
    let (mut wrong, mut lost) = (0, 0);
    for (place, verdict) in expected.iter().enumerate().filter(|(_, v)| is_definite(v)) {
        match got.get(place) {
            Some(other) if other == verdict => {}
            Some(other) if is_definite(other) => wrong += 1,
            _ => lost += 1,
        }
    }
    (wrong, lost)
}

#[test]
#[ignore = "takes a folder of scripts: EVERGREEN_SCRIPTS"]
fn bare_cold_and_warm() {
    let variable = |name: &str| std::env::var(name).ok();
    let folder = variable("EVERGREEN_SCRIPTS").expect("EVERGREEN_SCRIPTS names a folder");
    let solver = variable("EVERGREEN_SOLVER").unwrap_or("z3".into());
    let most: usize = variable("EVERGREEN_MOST").and_then(|n| n.parse().ok()).unwrap_or(300);
    let with = variable("EVERGREEN_WITH").unwrap_or_default();
    let mut paths = Vec::new();
    scripts(Path::new(&folder), &mut paths);
    paths.sort();
    Random::new(7).shuffle(&mut paths);
    let store = memory();
    let (mut done, mut definite, mut starts) = (0, 0, 0);
    let mut counts = [(0, 0); 2];
    for path in paths {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        if !with.is_empty() && !with.split(',').any(|word| text.contains(word)) {
            continue;
        }
        if done == most {
            break;
        }
        let mut command = Command::new(tools::find(&solver));
        command.args = match solver.as_str() {
            "z3" => vec![format!("-t:{PATIENCE_MS}")],
            _ => [format!("--tlimit={PATIENCE_MS}")].into_iter().chain(flags(&text)).collect(),
        };
        let bare = std::process::Command::new(&command.program).args(&command.args).arg(&path).output();
        let bare = String::from_utf8_lossy(&bare.expect("it runs").stdout).into_owned();
        let expected = verdicts(&bare);
        let sure = expected.iter().filter(|v| matches!(**v, "sat" | "unsat")).count();
        if sure == 0 {
            continue;
        }
        (done, definite) = (done + 1, definite + sure);
        for (run, count) in counts.iter_mut().enumerate() {
            let mut options = options(Some(store.clone()), CanonMode::Full, true);
            options.solver = command.clone();
            options.limits = Limits { time_ms: Some(2 * PATIENCE_MS), memory_mb: None };
            let answered = run_script(text.as_bytes(), options);
            let (wrong, lost) = compare(&expected, &verdicts(&answered.output));
            (count.0, count.1) = (count.0 + wrong, count.1 + lost);
            starts += if run == 1 { u64::from(answered.stats.solver_starts > 0) } else { 0 };
            if wrong + lost > 0 {
                println!("{} {wrong} {lost}: {expected:?} {:?}", path.display(), verdicts(&answered.output));
            }
        }
    }
    println!(
        "{done} scripts, {definite} definite verdicts; cold {} wrong, {} lost; warm {} wrong, {} lost, \
         {starts} with a start",
        counts[0].0, counts[0].1, counts[1].0, counts[1].1
    );
    assert_eq!(counts[0].0 + counts[1].0, 0, "a wrong verdict");
}
