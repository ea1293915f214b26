//! From the start of the process to its answer, on a script that was answered before.

use super::samples::Samples;
use evergreen::solver::Command;
use std::path::Path;
use std::process::Output;

const SCRIPT: &str = "\
(set-logic QF_LIA)
(declare-fun x () Int)
(declare-fun y () Int)
(assert (and (< x y) (> (+ x (* 2 y)) 10) (distinct x 4)))
(check-sat)
(get-value (x y))
";

/// The command, under the solver's name, with a store on disk.
pub(super) fn shim(solver: &Command, folder: &Path, count: usize) -> Result<Samples, String> {
    let link = folder.join("z3");
    let product = crate::product::find(None)?;
    std::os::unix::fs::symlink(product, &link).map_err(|e| format!("{}: {e}", link.display()))?;
    let store = folder.join("shim-store");
    let run = |file: &Path| {
        std::process::Command::new(&link)
            .arg(file)
            .env("EVERGREEN_STORE", &store)
            .env("EVERGREEN_SOLVER", &solver.program)
            .env("EVERGREEN_CONFIG", "/dev/null")
            .output()
    };
    repeat(folder, count, run)
}

/// The solver itself.
pub(super) fn bare(solver: &Command, folder: &Path, count: usize) -> Result<Samples, String> {
    repeat(folder, count, |file| std::process::Command::new(&solver.program).arg(file).output())
}

fn repeat(
    folder: &Path,
    count: usize,
    run: impl Fn(&Path) -> std::io::Result<Output>,
) -> Result<Samples, String> {
    let file = folder.join("start.smt2");
    std::fs::write(&file, SCRIPT).map_err(|e| e.to_string())?;
    let mut samples = Samples::default();
    // The first one is cold.
    let cold = run(&file).map_err(|e| e.to_string())?;
    for _ in 0..count {
        let output = samples.time(|| run(&file)).map_err(|e| e.to_string())?;
        if !output.stdout.starts_with(b"sat\n") || output.stdout.len() != cold.stdout.len() {
            return Err(format!("unexpected answer: {}", String::from_utf8_lossy(&output.stdout)));
        }
    }
    Ok(samples)
}
