//! One run of a script, within a limit, measured with all processes that it starts.

use crate::study::file;
use serde_json::Value;
use std::fs::File;
use std::io::Read as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The command gets so many times the limit of the bare solver: it must not lose a verdict by being measured
/// on a busy machine.
const PATIENCE: u32 = 4;
/// The folder that scripts run in, in the temporary one.
const HERE: &str = "here";
/// How often a run is looked at.
const LOOK: Duration = Duration::from_millis(2);

/// Whose run it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Pass {
    Bare,
    Cold,
    Warm,
}

/// What a run came to.
#[derive(Debug, Default)]
pub(super) struct Ran {
    /// Verdicts in their order.
    pub verdicts: Vec<String>,
    /// The exit code, as a shell has it after a signal; none where the limit ended it.
    pub exit: Option<i32>,
    /// Processor seconds of the process and of those that it awaited.
    pub seconds: f64,
    /// Solver processes, as the command's statistics have them.
    pub starts: u64,
    /// Checks and commands that went past the engine.
    pub opaque: u64,
}

/// The solver, the command in its place, and a store for one folder.
pub(super) struct Runner {
    solver: PathBuf,
    flags: Vec<String>,
    shim: PathBuf,
    limit: Duration,
    scratch: tempfile::TempDir,
}

impl Runner {
    /// Finds the solver and makes a shim of its name.
    ///
    /// # Errors
    /// There is no such solver, or no room for a temporary folder.
    pub(super) fn new(solver: &str, product: &Path, limit: Duration) -> Result<Runner, String> {
        let mut words = solver.split_whitespace().map(String::from);
        let program = words.next().ok_or("--solver: no name")?;
        let found = evergreen::solver::find_program(&program).ok_or_else(|| {
            format!("{program}: not found\nhelp: scripts/setup.sh, then .tools/bin on PATH")
        })?;
        let scratch = tempfile::tempdir().map_err(|e| e.to_string())?;
        let name = Path::new(&program).file_name().ok_or("--solver: no name")?;
        let shim = scratch.path().join(name);
        let product = product.canonicalize().map_err(|e| format!("{}: {e}", product.display()))?;
        std::os::unix::fs::symlink(product, &shim).map_err(|e| e.to_string())?;
        // Scripts write files where they run.
        std::fs::create_dir(scratch.path().join(HERE)).map_err(|e| e.to_string())?;
        let found = std::path::absolute(&found).map_err(|e| format!("{}: {e}", found.display()))?;
        Ok(Runner { solver: found, flags: words.collect(), shim, limit, scratch })
    }

    /// Runs a script.
    ///
    /// # Errors
    /// It cannot be read, or no process started.
    pub(super) fn run(&self, script: &Path, pass: Pass) -> Result<Ran, String> {
        let (plain, flags) = self.plain(script)?;
        let stats = self.scratch.path().join("stats");
        let _ = std::fs::remove_file(&stats);
        let (program, patience) = match pass {
            Pass::Bare => (&self.solver, 1),
            Pass::Cold | Pass::Warm => (&self.shim, PATIENCE),
        };
        let mut command = Command::new(program);
        command.args(&self.flags).args(flags).arg(&plain).current_dir(self.scratch.path().join(HERE));
        // The solver of the shim, under the setting of its name: EVERGREEN_Z3, EVERGREEN_YICES_SMT2.
        let name = self.shim.file_name().unwrap_or_default().to_string_lossy().to_uppercase();
        command.env(format!("EVERGREEN_{}", name.replace(['-', '.'], "_")), &self.solver);
        command
            .env("EVERGREEN_CONFIG", "/dev/null")
            .env("EVERGREEN_STORE", self.scratch.path().join("store"));
        command.env("EVERGREEN_STATS", &stats).env_remove("EVERGREEN_LOG");
        let mut ran = self.within(&mut command, self.limit * patience)?;
        let lines = std::fs::read_to_string(&stats).unwrap_or_default();
        for line in lines.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
            let number = |at: &str| line[at].as_u64().unwrap_or(0);
            ran.starts += number("solver_starts");
            ran.opaque += number("passed_through") + number("opaque_commands");
        }
        Ok(ran)
    }

    /// The script unpacked, and the flags that it asks for in the way of cvc5's regression suite.
    fn plain(&self, script: &Path) -> Result<(PathBuf, Vec<String>), String> {
        let mut bytes = Vec::new();
        let mut open = file::open(script)?;
        open.read_to_end(&mut bytes).map_err(|e| format!("{}: {e}", script.display()))?;
        let text = String::from_utf8_lossy(&bytes);
        let asked = text.lines().filter_map(|line| line.trim().strip_prefix("; COMMAND-LINE:")).next();
        let flags = asked.map_or(Vec::new(), |words| words.split_whitespace().map(String::from).collect());
        if !script.to_string_lossy().ends_with(".gz") {
            let full = script.canonicalize().map_err(|e| format!("{}: {e}", script.display()))?;
            return Ok((full, flags));
        }
        let plain = self.scratch.path().join("script.smt2");
        std::fs::write(&plain, &bytes).map_err(|e| e.to_string())?;
        Ok((plain, flags))
    }

    /// Runs a command in a process group of its own, which the limit ends as a whole.
    fn within(&self, command: &mut Command, limit: Duration) -> Result<Ran, String> {
        let said = self.scratch.path().join("said");
        let out = File::create(&said).map_err(|e| e.to_string())?;
        command.stdin(Stdio::null()).stdout(out).stderr(Stdio::null()).process_group(0);
        let child = command.spawn().map_err(|e| format!("{}: {e}", command.get_program().display()))?;
        let pid = libc::pid_t::try_from(child.id()).map_err(|e| e.to_string())?;
        let until = Instant::now() + limit;
        let mut is_late = false;
        let (status, seconds) = loop {
            if let Some(ended) = ended(pid)? {
                break ended;
            }
            if !is_late && Instant::now() > until {
                is_late = true;
                // SAFETY: a signal to the group of a child that was not awaited yet.
                unsafe { libc::kill(-pid, libc::SIGKILL) };
            }
            std::thread::sleep(LOOK);
        };
        let text = String::from_utf8_lossy(&std::fs::read(&said).map_err(|e| e.to_string())?).into_owned();
        let is_verdict = |line: &&str| ["sat", "unsat", "unknown"].contains(line);
        let verdicts = text.lines().map(str::trim).filter(is_verdict).map(String::from).collect();
        // As a shell tells it: a solver that runs below the command ends it with the code of its signal.
        let exit = match libc::WIFEXITED(status) {
            true => libc::WEXITSTATUS(status),
            false => 128 + libc::WTERMSIG(status),
        };
        Ok(Ran { verdicts, exit: (!is_late).then_some(exit), seconds, ..Ran::default() })
    }
}

/// The status of a child that has ended, and the processor seconds of it and of what it awaited.
fn ended(pid: libc::pid_t) -> Result<Option<(i32, f64)>, String> {
    let mut status = 0;
    let mut usage = std::mem::MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: the call fills two variables of ours; all zeros are a valid structure.
    let (found, usage) = unsafe {
        (libc::wait4(pid, &raw mut status, libc::WNOHANG, usage.as_mut_ptr()), usage.assume_init())
    };
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
    match found {
        0 => Ok(None),
        -1 => Err(std::io::Error::last_os_error().to_string()),
        _ => Ok(Some((status, seconds(usage.ru_utime) + seconds(usage.ru_stime)))),
    }
}
