//! What the differential tests share: a bare solver, configurations, verdicts.
#![allow(dead_code)] // a fuzz target uses a part of it

pub(crate) mod duel;

use evergreen::solver::{Command, Limits};
use evergreen::store::{Memory, Store};
use evergreen::{CanonMode, Cores, EngineOptions, Reuse, ScriptRun, SessionOptions, run_script};
use std::io::Write;
use std::process::Stdio;
use std::sync::Arc;

/// The lines of an output that are verdicts.
pub(crate) fn verdicts(output: &str) -> Vec<&str> {
    output.lines().map(str::trim).filter(|l| matches!(*l, "sat" | "unsat" | "unknown" | "timeout")).collect()
}

/// How many errors an output reports.
pub(crate) fn errors(output: &str) -> usize {
    output.lines().filter(|l| l.trim_start().starts_with("(error")).count()
}

/// What z3 alone prints for a script.
pub(crate) fn bare(script: &str) -> String {
    let mut child = std::process::Command::new(evergreen_testing::tools::find("z3"))
        .args(["-in", "-smt2", "-t:20000"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("z3 starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let text = script.to_string();
    let writer = std::thread::spawn(move || {
        let _ = stdin.write_all(text.as_bytes());
    });
    let output = child.wait_with_output().expect("z3 ends");
    writer.join().expect("the writer ends");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Stages under which every script must have the same verdicts.
pub(crate) const CONFIGURATIONS: [(&str, CanonMode, bool); 5] = [
    ("full", CanonMode::Full, true),
    ("full, not sliced", CanonMode::Full, false),
    ("green", CanonMode::Green, true),
    ("off", CanonMode::Off, true),
    ("off, not sliced", CanonMode::Off, false),
];

/// A bounded store in memory.
pub(crate) fn memory() -> Arc<dyn Store> {
    Arc::new(Memory::new(256 << 20))
}

/// A session in front of z3. Every rung of the ladder is used with the full canonical form, the first ones
/// with the others.
pub(crate) fn options(store: Option<Arc<dyn Store>>, canon: CanonMode, slice: bool) -> SessionOptions {
    let mut solver = Command::new(evergreen_testing::tools::find("z3"));
    solver.args.push("-t:20000".into());
    let reuse = if canon == CanonMode::Full { Reuse::Full } else { Reuse::Exact };
    SessionOptions {
        solver,
        limits: Limits { time_ms: Some(60_000), memory_mb: None },
        engine: EngineOptions { canon, slice, reuse, cores: Cores::Always, ..EngineOptions::default() },
        store,
        file: "test".into(),
    }
}

/// Runs a script in front of z3.
pub(crate) fn run(script: &str, store: &Arc<dyn Store>, canon: CanonMode, slice: bool) -> ScriptRun {
    run_script(script.as_bytes(), options(Some(store.clone()), canon, slice))
}
