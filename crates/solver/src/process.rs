//! One running solver: commands in, replies out, within limits.
//!
//! Framing: SMT-LIB does not say where a reply ends, so each [`Process::ask`] is followed by `(echo
//! "marker")` with an unpredictable marker, and the reply is everything up to the line that ends in it.
//! Solvers print an echo with its quotes (cvc5, bitwuzla) or without (z3, yices); both are taken.
//!
//! z3 continues after an error. The others exit: then the reply so far is in [`Death::output`].

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::process::ExitStatus;
use std::time::{Duration, Instant};

use crate::answer::is_open;
use crate::bulk::Bulk;
use crate::child::Guarded;
use crate::command::{Command, Kind};
use crate::error::{Death, SolverError, excerpt};
use crate::interrupt::Waiting;
use crate::limits::Limits;
use crate::pipes::{Pipes, Progress};

/// The most bytes that one reply may have.
const REPLY_LIMIT: usize = 256 * 1024 * 1024;
/// How much of an unfinished reply is kept when the solver has died.
const LAST_OUTPUT_KEPT: usize = 1024 * 1024;
/// Buffered text is written to the solver when it reaches this size.
const TOLD_BUFFER: usize = 64 * 1024;
/// How long a solver that no longer reads, or has closed its output, may take to end by itself.
const GRACE: Duration = Duration::from_millis(300);
/// How long a solver may take to end once its input is closed.
const FAREWELL: Duration = Duration::from_secs(2);

/// How the solver is started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// With the flags added that make it read commands one by one, and `:print-success` off.
    Interactive,
    /// The same without the flags that only a second check needs.
    Once,
    /// With exactly the arguments given, and nothing sent to it.
    AsGiven,
}

/// A running solver process. Dropping it kills the process and all that it started.
#[derive(Debug)]
pub struct Process {
    child: Guarded,
    pipes: Pipes,
    limits: Limits,
    /// The start of every marker of this process.
    marker: String,
    asked: u64,
    /// Where the first printed line starts that may still turn out to be a marker line.
    line_start: usize,
    /// How far that line has been searched for its end.
    searched: usize,
    /// Text sent since the last ask, for messages.
    last_command: String,
    ended: Option<Death>,
    /// Where long texts go, if the solver may take them from a file.
    bulk: Option<Bulk>,
    /// The line, of all that the solver has read by its input, where the last question began.
    began: Option<usize>,
}

impl Process {
    /// Starts a solver.
    pub fn start(command: &Command, mode: Mode, limits: &Limits) -> Result<Process, SolverError> {
        let failed = |source| SolverError::Start { program: command.program.clone(), source };
        let file = command.file()?;
        let mut process = std::process::Command::new(&file);
        match mode {
            Mode::Interactive => process.args(command.interactive_args()),
            Mode::Once => process.args(command.once_args()),
            Mode::AsGiven => process.args(&command.args),
        };
        crate::chain::mark(&mut process, command, &file);
        let bulk = (command.kind == Kind::Z3 && mode != Mode::AsGiven).then(Bulk::new).flatten();
        let inherited = bulk.as_ref().map(Bulk::number);
        let mut child = Guarded::start(process, limits, inherited).map_err(failed)?;
        let end_watch = child.end_watch();
        let pipes = Pipes::take_from(child.child_mut(), end_watch).map_err(failed)?;
        let mut process = Process {
            child,
            pipes,
            limits: limits.clone(),
            marker: format!("evergreen-mark-{:016x}-", RandomState::new().build_hasher().finish()),
            asked: 0,
            line_start: 0,
            searched: 0,
            last_command: String::new(),
            ended: None,
            bulk,
            began: None,
        };
        if mode != Mode::AsGiven {
            process.tell("(set-option :print-success false)\n")?;
        }
        Ok(process)
    }

    /// Sends commands from which no reply is expected. The text is buffered, and this never blocks.
    pub fn tell(&mut self, text: &str) -> Result<(), SolverError> {
        self.check_sendable(text)?;
        self.last_command = excerpt(text.trim());
        self.pipes.queue(text);
        if !text.ends_with('\n') {
            self.pipes.queue("\n");
        }
        if self.pipes.unsent_len() >= TOLD_BUFFER { self.flush() } else { Ok(()) }
    }

    /// Writes the buffered text, as far as the solver accepts it without blocking.
    pub fn flush(&mut self) -> Result<(), SolverError> {
        // The next question reports a solver that no longer reads, with its last output.
        self.pipes.write_some().map(|_| ()).map_err(SolverError::Io)
    }

    /// Sends commands and returns everything that the solver prints for them and for the text sent before.
    ///
    /// `limit` replaces the process's own time limit for this question. After any error but `Incomplete` the
    /// process has ended and the caller must start a new one.
    pub fn ask(&mut self, text: &str, limit: Option<Duration>) -> Result<String, SolverError> {
        self.check_sendable(text)?;
        if !text.trim().is_empty() {
            self.last_command = excerpt(text.trim());
        }
        let limit = limit.or(self.limits.time());
        let mut bulk = self.bulk.take();
        self.began = None;
        let reply = match bulk.as_mut().filter(|bulk| bulk.is_worth(text)) {
            Some(bulk) => self.ask_by_file(bulk, text, limit),
            None => {
                self.began = Some(self.pipes.lines() + 1);
                self.ask_by_input(text, limit)
            }
        };
        self.bulk = bulk;
        reply
    }

    /// The line where the last question began, counted as the solver counts the lines of its input; `None` if
    /// it was in a file.
    pub fn began(&self) -> Option<usize> {
        self.began
    }

    fn ask_by_input(&mut self, text: &str, limit: Option<Duration>) -> Result<String, SolverError> {
        self.asked += 1;
        let marker = format!("{}{}", self.marker, self.asked);
        self.pipes.queue(text);
        self.pipes.queue("\n(echo \"");
        self.pipes.queue(&marker);
        self.pipes.queue("\")\n");
        let waiting = Waiting::begin(self.child.pid());
        let reply = self.await_marker(&marker, limit);
        drop(waiting);
        if reply.is_err() {
            self.child.kill();
            self.ended = self.ended.take().or_else(|| Some(self.death(None)));
        }
        reply
    }

    /// Asks with a text that the solver reads from a file.
    fn ask_by_file(
        &mut self,
        bulk: &mut Bulk,
        text: &str,
        limit: Option<Duration>,
    ) -> Result<String, SolverError> {
        if bulk.is_unasked() {
            // What was sent before may print, too.
            let before = self.ask_by_input("", limit)?;
            let word = format!("{}file", self.marker);
            let include = bulk.hold(&format!("(echo \"{word}\")\n")).map_err(SolverError::Io)?;
            let reply = self.ask_by_input(&include, limit)?;
            bulk.note(&word, &reply);
            let rest = match bulk.is_worth(text) {
                true => self.ask_by_file(bulk, text, limit)?,
                false => self.ask_by_input(text, limit)?,
            };
            return Ok(before + &rest);
        }
        let include = bulk.hold(text).map_err(SolverError::Io)?;
        let reply = self.ask_by_input(&include, limit)?;
        Ok(bulk.let_go(reply))
    }

    /// The id of the process.
    pub fn pid(&self) -> u32 {
        self.child.pid()
    }

    /// Lets the solver end by itself: buffered text is written, its input is closed, and after two seconds it
    /// is killed. The status is `None` when it was killed.
    pub fn finish(mut self) -> Option<ExitStatus> {
        let deadline = Instant::now() + FAREWELL;
        let mut written = self.pipes.write_some();
        // Its output is read and dropped, so that it is not stopped by a full pipe.
        while matches!(written, Ok(Progress::Moved)) && Instant::now() < deadline {
            if self.pipes.unsent_len() == 0 {
                self.pipes.close_input();
            }
            written = self.pipes.pump(Some(deadline));
            self.pipes.printed.clear();
        }
        self.pipes.close_input();
        self.child.end_within(deadline.saturating_duration_since(Instant::now()))
    }

    fn check_sendable(&self, text: &str) -> Result<(), SolverError> {
        if let Some(death) = &self.ended {
            return Err(SolverError::Died(Box::new(death.clone())));
        }
        if is_open(text) {
            return Err(SolverError::Incomplete { text: excerpt(text.trim()) });
        }
        Ok(())
    }

    fn await_marker(&mut self, marker: &str, limit: Option<Duration>) -> Result<String, SolverError> {
        let mut deadline = limit.map(|limit| Instant::now() + limit);
        let mut deaf = false;
        let mut progress = self.pipes.write_some().map_err(SolverError::Io)?;
        loop {
            if let Some(reply) = self.take_reply(marker) {
                return Ok(reply);
            }
            if self.pipes.printed.len() > REPLY_LIMIT {
                self.ended = Some(self.death(None));
                let last_command = self.last_command.clone();
                return Err(SolverError::TooMuchOutput { limit_bytes: REPLY_LIMIT, last_command });
            }
            if progress == Progress::Ended {
                return Err(self.died());
            }
            if progress == Progress::Deaf && !deaf {
                // It cannot answer any more, but its remaining output may give the reason.
                deaf = true;
                let grace = Instant::now() + GRACE;
                deadline = Some(deadline.map_or(grace, |deadline| deadline.min(grace)));
            }
            if progress == Progress::TimedOut || deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                return Err(if deaf { self.died() } else { self.timed_out(limit) });
            }
            progress = self.pipes.pump(deadline).map_err(SolverError::Io)?;
        }
    }

    /// Takes the reply off the printed bytes if its marker line is there.
    fn take_reply(&mut self, marker: &str) -> Option<String> {
        let printed = &self.pipes.printed;
        while let Some(length) = printed[self.searched..].iter().position(|&b| b == b'\n') {
            let line_end = self.searched + length;
            if let Some(before) = before_marker(&printed[self.line_start..line_end], marker) {
                let reply_end = self.line_start + before;
                let reply = String::from_utf8_lossy(&printed[..reply_end]).into_owned();
                self.pipes.printed.drain(..=line_end);
                (self.line_start, self.searched) = (0, 0);
                return Some(reply);
            }
            (self.line_start, self.searched) = (line_end + 1, line_end + 1);
        }
        self.searched = printed.len();
        None
    }

    fn timed_out(&mut self, limit: Option<Duration>) -> SolverError {
        self.ended = Some(self.death(None));
        SolverError::TimedOut { limit: limit.unwrap_or_default(), last_command: self.last_command.clone() }
    }

    fn died(&mut self) -> SolverError {
        let status = self.child.end_within(GRACE);
        let death = self.death(status);
        self.ended = Some(death.clone());
        let said = |words: &&str| {
            let text = format!("{}{}", death.output, death.stderr).to_ascii_lowercase();
            text.contains(*words)
        };
        let words = ["out of memory", "bad_alloc", "memoryerror", "cannot allocate memory"];
        // cvc5 ends without a word when it cannot allocate.
        let silent = death.output.trim().is_empty();
        let near_limit =
            silent && self.limits.memory_mb.is_some_and(|limit| self.child.peak_mb() * 2 >= limit);
        if near_limit || words.iter().any(said) {
            return SolverError::OutOfMemory { limit_mb: self.limits.memory_mb, death: Box::new(death) };
        }
        SolverError::Died(Box::new(death))
    }

    fn death(&self, status: Option<ExitStatus>) -> Death {
        let kept = self.pipes.printed.len().min(LAST_OUTPUT_KEPT);
        Death {
            status,
            output: String::from_utf8_lossy(&self.pipes.printed[..kept]).into_owned(),
            stderr: self.pipes.complaints(),
            last_command: self.last_command.clone(),
        }
    }
}

/// How much of a line comes before the marker that ends it, quoted or not.
fn before_marker(line: &[u8], marker: &str) -> Option<usize> {
    let line = line.trim_ascii_end();
    let before = match line.strip_suffix(b"\"") {
        Some(line) => line.strip_suffix(marker.as_bytes())?.strip_suffix(b"\"")?,
        None => line.strip_suffix(marker.as_bytes())?,
    };
    Some(before.len())
}
