//! What the same queries cost a bare solver: a process per query, a process that is reset, a process that
//! follows the path.

use super::paths::{SymbolicPath, declarations};
use super::samples::Samples;
use evergreen::solver::{Command, Limits, Mode, Process};
use std::path::Path;

fn start(command: &Command) -> Result<Process, String> {
    Process::start(command, Mode::Interactive, &Limits::default()).map_err(|e| e.to_string())
}

fn verdict(reply: &str) -> Result<(), String> {
    match reply.trim() {
        "sat" | "unsat" => Ok(()),
        other => Err(format!("the bare solver says \"{other}\"")),
    }
}

fn script(path: &SymbolicPath, step: usize) -> String {
    let atoms = path.taken[..=step].iter().chain([&path.asked[step]]);
    let asserts: String = atoms.map(|a| format!("(assert {})\n", a.text())).collect();
    format!("(set-logic QF_LIA)\n{}{asserts}(check-sat)\n", declarations())
}

/// A process and a file for each query.
pub(super) fn fresh(
    command: &Command,
    paths: &[SymbolicPath],
    folder: &Path,
    count: usize,
) -> Result<Samples, String> {
    let mut samples = Samples::default();
    let queries = paths.iter().flat_map(|p| (0..p.asked.len()).map(move |step| script(p, step)));
    for (i, text) in queries.step_by(7).take(count).enumerate() {
        let file = folder.join(format!("{i}.smt2"));
        std::fs::write(&file, text).map_err(|e| e.to_string())?;
        let output = samples
            .time(|| std::process::Command::new(&command.program).args(&command.args).arg(&file).output());
        verdict(&String::from_utf8_lossy(&output.map_err(|e| e.to_string())?.stdout))?;
    }
    Ok(samples)
}

/// One process; `(reset)` and the whole query each time.
pub(super) fn reset(command: &Command, paths: &[SymbolicPath]) -> Result<Samples, String> {
    let mut process = start(command)?;
    let mut samples = Samples::default();
    for path in paths {
        for step in 0..path.asked.len() {
            let text = format!("(reset)\n{}", script(path, step));
            let reply = samples.time(|| process.ask(&text, None)).map_err(|e| e.to_string())?;
            verdict(&reply)?;
        }
    }
    Ok(samples)
}

/// One process that has the path on its stack: push, assert, check, pop.
pub(super) fn push_pop(command: &Command, paths: &[SymbolicPath]) -> Result<Samples, String> {
    let mut process = start(command)?;
    process.tell(&format!("(set-logic QF_LIA)\n{}", declarations())).map_err(|e| e.to_string())?;
    let mut samples = Samples::default();
    for path in paths {
        for (taken, asked) in path.taken.iter().zip(&path.asked) {
            // The solver reads this before the clock starts.
            let taken = format!("(push 1)\n(assert {})\n", taken.text());
            process.ask(&taken, None).map_err(|e| e.to_string())?;
            let question = format!("(push 1)\n(assert {})\n(check-sat)\n(pop 1)\n", asked.text());
            let reply = samples.time(|| process.ask(&question, None)).map_err(|e| e.to_string())?;
            verdict(&reply)?;
        }
        process.tell(&format!("(pop {})\n", path.taken.len())).map_err(|e| e.to_string())?;
    }
    Ok(samples)
}
