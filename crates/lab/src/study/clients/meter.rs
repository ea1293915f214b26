//! One run of a client, with every solver program behind a script that measures it.

use crate::run::within;
use serde_json::Value;
use std::fs::File;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// The solvers that clients start, and the settings that name those behind the shims.
const SOLVERS: [(&str, &str); 3] =
    [("z3", "EVERGREEN_Z3"), ("cvc5", "EVERGREEN_CVC5"), ("bitwuzla", "EVERGREEN_BITWUZLA")];
/// Above what any client takes by far.
const PATIENCE: Duration = Duration::from_secs(1800);

/// What a run came to.
#[derive(Debug, Default)]
pub(super) struct Ran {
    /// What the client found, normalized.
    pub result: String,
    /// Processor seconds of the solvers that the client started, and how many these were.
    pub seconds: f64,
    pub processes: u64,
    /// What the command counted.
    pub queries: u64,
    pub solved: u64,
    pub starts: u64,
}

/// The script that runs clients.
fn script(clients: &Path) -> Result<PathBuf, String> {
    let script = clients.join("run.sh");
    script
        .canonicalize()
        .map_err(|e| format!("{}: {e}\nhelp: run it in the repository, or --clients DIR", script.display()))
}

/// A client's version.
///
/// # Errors
/// It is not installed.
pub(super) fn version(clients: &Path, name: &str) -> Result<String, String> {
    let output = Command::new("bash").arg(script(clients)?).args([name, "--version"]).output();
    let output = output.map_err(|e| format!("bash: {e}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).trim_end().to_string());
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_string())
}

/// Where a client works: solvers, shims, and a store.
pub(super) struct Place {
    script: PathBuf,
    scratch: tempfile::TempDir,
    solvers: Vec<(&'static str, PathBuf)>,
}

impl Place {
    /// Finds the solvers and makes the scripts that measure them.
    ///
    /// # Errors
    /// There is no such solver, or no room for a temporary folder.
    pub(super) fn new(clients: &Path, product: &Path) -> Result<Place, String> {
        let script = script(clients)?;
        let scratch = tempfile::tempdir().map_err(|e| e.to_string())?;
        let product = product.canonicalize().map_err(|e| format!("{}: {e}", product.display()))?;
        let mut solvers = Vec::new();
        for folder in ["bare", "through", "shims", "times"] {
            std::fs::create_dir(scratch.path().join(folder)).map_err(|e| e.to_string())?;
        }
        for (name, variable) in SOLVERS {
            let solver = evergreen::solver::find_program(name).ok_or_else(|| {
                format!("{name}: not found\nhelp: scripts/setup.sh clients, then .tools/bin on PATH")
            })?;
            let shim = scratch.path().join("shims").join(name);
            std::os::unix::fs::symlink(&product, &shim).map_err(|e| e.to_string())?;
            let times = scratch.path().join("times");
            measure(&scratch.path().join("bare").join(name), &solver, &times)?;
            measure(&scratch.path().join("through").join(name), &shim, &times)?;
            solvers.push((variable, solver));
        }
        Ok(Place { script, scratch, solvers })
    }

    /// Runs a client with the bare solvers.
    pub(super) fn bare(&self, name: &str) -> Result<Ran, String> {
        self.run(name, "bare")
    }

    /// Runs a client with the command in place of the solvers.
    pub(super) fn through(&self, name: &str) -> Result<Ran, String> {
        self.run(name, "through")
    }

    fn run(&self, name: &str, folder: &str) -> Result<Ran, String> {
        let place = |name: &str| self.scratch.path().join(name);
        let (stats, said, complaints) = (place("stats"), place("said"), place("complaints"));
        let _ = std::fs::remove_file(&stats);
        for entry in std::fs::read_dir(place("times")).map_err(|e| e.to_string())?.flatten() {
            std::fs::remove_file(entry.path()).map_err(|e| e.to_string())?;
        }
        let mut command = Command::new("bash");
        command.arg(&self.script).arg(name).arg(place(folder)).stdin(Stdio::null());
        command.stdout(File::create(&said).map_err(|e| e.to_string())?);
        command.stderr(File::create(&complaints).map_err(|e| e.to_string())?);
        command.env("CLIENT_TIME_LIMIT_S", (PATIENCE.as_secs() / 2).to_string());
        command.env("EVERGREEN_CONFIG", "/dev/null").env("EVERGREEN_STORE", place("store"));
        command.env("EVERGREEN_STATS", &stats).env_remove("EVERGREEN_LOG").env_remove("EVERGREEN_OFF");
        command.envs(self.solvers.iter().map(|(variable, solver)| (variable, solver)));
        let read = |file: &Path| std::fs::read_to_string(file).map_err(|e| e.to_string());
        match within(&mut command, PATIENCE)? {
            Some(status) if status.success() => {}
            Some(_) => return Err(format!("{name}, {folder}: {}", read(&complaints)?.trim_end())),
            None => return Err(format!("{name}, {folder}: does not end")),
        }
        let mut ran = Ran { result: read(&said)?, ..Ran::default() };
        for entry in std::fs::read_dir(place("times")).map_err(|e| e.to_string())?.flatten() {
            ran.seconds += seconds(&read(&entry.path())?).ok_or("a script that measures printed no times")?;
            ran.processes += 1;
        }
        let lines = read(&stats).unwrap_or_default();
        for line in lines.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
            let number = |at: &str| line[at].as_u64().unwrap_or(0);
            ran.queries += number("queries");
            ran.solved += number("solved");
            ran.starts += number("solver_starts");
        }
        Ok(ran)
    }
}

/// A script that runs a program and notes the processor time of it and of what it awaited. Clients end
/// solvers by a signal, which is passed on.
fn measure(script: &Path, program: &Path, times: &Path) -> Result<(), String> {
    let (program, times) = (program.display(), times.display());
    let text = format!(
        "#!/bin/bash\ntrap 'kill -TERM \"$child\" 2>/dev/null' TERM INT HUP\n'{program}' \"$@\" <&0 &\n\
         child=$!\nwait \"$child\"\ncode=$?\nwhile kill -0 \"$child\" 2>/dev/null; do\n  wait \"$child\"\n  \
         code=$?\ndone\ntimes >'{times}'/$$\nexit $code\n"
    );
    let failed = |e: std::io::Error| format!("{}: {e}", script.display());
    std::fs::write(script, text).map_err(failed)?;
    std::fs::set_permissions(script, std::fs::Permissions::from_mode(0o755)).map_err(failed)
}

/// The second line of bash's `times` has the children: `0m0.012s 0m0.004s`.
fn seconds(times: &str) -> Option<f64> {
    let time = |word: &str| {
        let (minutes, seconds) = word.strip_suffix('s')?.split_once('m')?;
        Some(minutes.parse::<f64>().ok()? * 60.0 + seconds.parse::<f64>().ok()?)
    };
    times.lines().nth(1)?.split_whitespace().map(time).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_children_are_read() {
        assert_eq!(seconds("0m0.001s 0m0.002s\n1m2.500s 0m0.250s\n"), Some(62.75));
        assert_eq!(seconds(""), None);
        assert_eq!(seconds("0m0.001s 0m0.002s\nnothing\n"), None);
    }
}
