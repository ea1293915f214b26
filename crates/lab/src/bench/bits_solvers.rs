//! Solver programs on the queries of a log: one process, its processor time with and without checking.

use super::stream::Stream;
use std::fs::File;
use std::io::Read;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What a solver said of a log, and what it cost.
#[derive(Default)]
pub(super) struct Checked {
    /// Processor time without any check.
    pub parse_ms: f64,
    /// What checking adds.
    pub check_ms: f64,
    /// `sat`, `unsat` or `unknown`, by query; fewer when the time was up.
    pub verdicts: Vec<String>,
    /// Queries that were answered.
    pub answered: usize,
}

fn command(name: &str) -> Result<Command, String> {
    let (program, flags) = match name {
        "yices" => ("yices-smt2", &["--incremental"][..]),
        "z3" => ("z3", &["-in", "-smt2"][..]),
        other => (other, &[][..]),
    };
    let found = evergreen::solver::find_program(program).or_else(|| evergreen_testing::tools::look(program));
    let found = found.ok_or_else(|| format!("{program}: not found\nhelp: run scripts/setup.sh"))?;
    let mut command = Command::new(found);
    command.args(flags);
    Ok(command)
}

/// The script of a log, for one process.
fn script(stream: &Stream, checks: Checks) -> String {
    let mut text = String::new();
    for query in &stream.queries {
        if !text.is_empty() {
            text.push_str("(reset)\n");
        }
        for line in query.lines() {
            let is_left_out = line.starts_with("(exit)")
                || line.starts_with("(get-")
                || (checks == Checks::LeftOut && line.starts_with("(check-sat"));
            if !is_left_out {
                text.push_str(line);
                text.push('\n');
            }
        }
    }
    text
}

/// Whether a script has its checks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Checks {
    Asked,
    LeftOut,
}

/// Runs the solver twice over a log: with its checks, and without.
pub(super) fn ask(name: &str, stream: &Stream, seconds: u64) -> Result<Checked, String> {
    let folder = tempfile::tempdir().map_err(|e| format!("temporary folder: {e}"))?;
    let limit = Duration::from_secs(seconds);
    let (all_ms, said) = run(name, &script(stream, Checks::Asked), folder.path(), limit)?;
    let (parse_ms, _) = run(name, &script(stream, Checks::LeftOut), folder.path(), limit)?;
    if let Some(error) = said.lines().find(|line| line.starts_with("(error")) {
        return Err(format!("{name}: {}: {error}", stream.name));
    }
    let verdicts: Vec<String> = said.lines().map(|line| line.trim().to_string()).collect();
    let answered = verdicts.len();
    Ok(Checked { parse_ms, check_ms: (all_ms - parse_ms).max(0.0), verdicts, answered })
}

/// Processor time in milliseconds, and what was printed. A process that takes too long is ended.
fn run(name: &str, script: &str, folder: &Path, limit: Duration) -> Result<(f64, String), String> {
    let (input, output) = (folder.join("script"), folder.join("answers"));
    let trouble = |e: std::io::Error| format!("{name}: {e}");
    std::fs::write(&input, script).map_err(trouble)?;
    let mut command = command(name)?;
    command.stdin(File::open(&input).map_err(trouble)?).stderr(Stdio::null()).process_group(0);
    let child = command.stdout(File::create(&output).map_err(trouble)?).spawn().map_err(trouble)?;
    let pid = libc::pid_t::try_from(child.id()).map_err(|e| format!("{name}: {e}"))?;
    let start = Instant::now();
    let usage = loop {
        let mut status = 0;
        // SAFETY: a struct of numbers, for which zeros are valid.
        let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
        // SAFETY: both pointers are to live values, and the process is a child that was not waited for.
        let done = unsafe { libc::wait4(pid, &raw mut status, libc::WNOHANG, &raw mut usage) };
        if done == pid {
            break usage;
        }
        if done < 0 {
            return Err(trouble(std::io::Error::last_os_error()));
        }
        if start.elapsed() > limit {
            // SAFETY: the process group was made for this child, which was not waited for yet.
            unsafe { libc::kill(-pid, libc::SIGKILL) };
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    let millis = |time: libc::timeval| time.tv_sec as f64 * 1e3 + time.tv_usec as f64 / 1e3;
    let mut said = String::new();
    File::open(&output).and_then(|mut file| file.read_to_string(&mut said)).map_err(trouble)?;
    Ok((millis(usage.ru_utime) + millis(usage.ru_stime), said))
}
