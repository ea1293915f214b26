//! A whole run of a solver, exactly as a client would start it: its own arguments, nothing added, nothing
//! sent, and what it prints taken as a whole.
//!
//! Whatever we add to a client's flags can cost an answer: cvc5 refuses `--incremental` with separation
//! logic, models with some preprocessing, and reads a quoted symbol over several lines from a file only. A
//! run like this one has none of that, and is its own proof that nothing was lost.

use crate::child::Guarded;
use crate::command::Command;
use crate::error::SolverError;
use crate::limits::Limits;
use crate::pipes::{Pipes, Progress};
use std::path::Path;
use std::time::Instant;

/// The most bytes that a run may print.
const OUTPUT_LIMIT: usize = 64 * 1024 * 1024;

/// What a program gets to read.
enum Given<'a> {
    /// A file, behind the arguments.
    File(&'a Path),
    /// A file of a folder that it runs in.
    Folder(&'a Path, &'a str),
    /// Text.
    Input(&'a str),
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Batch {
    /// What it printed.
    pub output: String,
    /// The end of what it printed to standard error.
    pub stderr: String,
    /// The exit code; for a signal 128 and its number, as shells have it.
    pub code: i32,
}

impl Batch {
    /// Runs a solver on a file, with the client's arguments and the file behind them.
    pub fn run(command: &Command, file: &Path, limits: &Limits) -> Result<Batch, SolverError> {
        Batch::start(command, Given::File(file), limits)
    }

    /// Runs a program in a folder that it may write into, on a file of that folder.
    pub fn run_in(
        command: &Command,
        folder: &Path,
        file: &str,
        limits: &Limits,
    ) -> Result<Batch, SolverError> {
        Batch::start(command, Given::Folder(folder, file), limits)
    }

    /// Runs a program that reads all of its input and then prints.
    pub fn run_on(command: &Command, input: &str, limits: &Limits) -> Result<Batch, SolverError> {
        Batch::start(command, Given::Input(input), limits)
    }

    fn start(command: &Command, given: Given<'_>, limits: &Limits) -> Result<Batch, SolverError> {
        let failed = |source| SolverError::Start { program: command.program.clone(), source };
        let program = command.file()?;
        let mut process = std::process::Command::new(&program);
        process.args(&command.args);
        let (shown, input) = match given {
            Given::File(file) => {
                process.arg(file);
                (file.display().to_string(), "")
            }
            Given::Folder(folder, file) => {
                process.current_dir(folder).arg(file);
                (file.to_string(), "")
            }
            Given::Input(input) => (command.program.display().to_string(), input),
        };
        crate::chain::mark(&mut process, command, &program);
        let mut child = Guarded::start(process, limits, None).map_err(failed)?;
        let end_watch = child.end_watch();
        let mut pipes = Pipes::take_from(child.child_mut(), end_watch).map_err(failed)?;
        pipes.queue(input);
        let mut is_open = true;
        let deadline = limits.time().map(|limit| Instant::now() + limit);
        loop {
            if is_open && pipes.unsent_len() == 0 {
                pipes.close_input();
                is_open = false;
            }
            match pipes.pump(deadline).map_err(SolverError::Io)? {
                Progress::Ended => break,
                Progress::TimedOut => {
                    let limit = limits.time().unwrap_or_default();
                    return Err(SolverError::TimedOut { limit, last_command: shown });
                }
                Progress::Moved | Progress::Deaf => {}
            }
            if pipes.printed.len() > OUTPUT_LIMIT {
                let limit_bytes = OUTPUT_LIMIT;
                return Err(SolverError::TooMuchOutput { limit_bytes, last_command: shown });
            }
        }
        let status = child.end_within(std::time::Duration::from_secs(2));
        let code = status.map_or(1, |status| {
            let signal = std::os::unix::process::ExitStatusExt::signal(&status);
            status.code().or(signal.map(|signal| 128 + signal)).unwrap_or(1)
        });
        let output = String::from_utf8_lossy(&pipes.printed).into_owned();
        Ok(Batch { output, stderr: pipes.complaints(), code })
    }
}
