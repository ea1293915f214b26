//! A process that reads commands from a pipe and prints answers: the product, or a bare solver.
//!
//! What is written at once must fit into the pipe, so that a process which waits for its answers to be read
//! never keeps us from writing. The end of the answers is an echo.

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

/// What is written at once; a pipe has 64 KB.
pub const MOST_AT_ONCE: usize = 48 * 1024;

/// How long a process may be silent. Never a measure of speed: solvers have limits of their own, far below.
const PATIENCE: Duration = Duration::from_secs(60);

/// A process that will not answer any more.
pub struct Ended {
    /// What it said of the answers.
    pub said: String,
    /// Why there are no more.
    pub why: String,
}

/// A process and the ends of its pipes.
pub struct Pipe {
    child: Child,
    input: Option<ChildStdin>,
    output: ChildStdout,
    /// Its standard error.
    log: PathBuf,
    marks: usize,
    buffer: Vec<u8>,
}

impl Pipe {
    /// Starts a program that sees nothing of the user's settings, in a process group of its own so that
    /// Ctrl-C does not reach it.
    pub fn start(mut command: Command, log: &Path) -> Result<Pipe, String> {
        for (name, _) in std::env::vars_os() {
            let text = name.to_string_lossy();
            if text.starts_with("EVERGREEN") && text != "EVERGREEN_TOOLS" {
                command.env_remove(name);
            }
        }
        let program = command.get_program().to_string_lossy().into_owned();
        let folder = log.parent().unwrap_or(Path::new("."));
        let errors = File::create(log).map_err(|e| format!("{}: {e}", log.display()))?;
        command.env("HOME", folder).env_remove("XDG_CACHE_HOME").env_remove("XDG_CONFIG_HOME");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(errors).process_group(0);
        let mut child = command.spawn().map_err(|e| format!("{program}: {e}"))?;
        let input = child.stdin.take();
        let output = child.stdout.take().ok_or("no pipe")?;
        Ok(Pipe { child, input, output, log: log.to_path_buf(), marks: 0, buffer: Vec::new() })
    }

    /// Writes commands, at most [`MOST_AT_ONCE`] bytes. [`Pipe::read`] must be called before the next ones.
    pub fn write(&mut self, text: &str) -> Result<(), String> {
        self.marks += 1;
        let text = format!("{text}(echo \"end-of-answers-{}\")\n", self.marks);
        let input = self.input.as_mut().ok_or("the pipe is closed")?;
        input.write_all(text.as_bytes()).map_err(|e| format!("{e}{}", self.complaints()))
    }

    /// The answers to what was written.
    pub fn read(&mut self) -> Result<String, String> {
        self.read_all().map_err(|ended| ended.why)
    }

    /// The same; a process that ends has still said something.
    pub fn read_all(&mut self) -> Result<String, Ended> {
        let mark = format!("end-of-answers-{}", self.marks);
        let deadline = Instant::now() + PATIENCE;
        let mut chunk = [0; 16 * 1024];
        loop {
            if let Some(text) = self.take_until(&mark) {
                return Ok(text);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() || !self.is_readable(left) {
                let why = format!("no answer for {} s{}", PATIENCE.as_secs(), self.complaints());
                return Err(self.ended(why));
            }
            match self.output.read(&mut chunk) {
                Ok(0) => {
                    let said = String::from_utf8_lossy(&self.buffer).into_owned();
                    let last = said.trim_end().rfind("(error").map_or("", |at| &said[at..]);
                    return Err(self.ended(format!("the process ended {last}{}", self.complaints())));
                }
                Ok(n) => self.buffer.extend_from_slice(&chunk[..n]),
                Err(e) if e.kind() == std::io::ErrorKind::Interrupted => {}
                Err(e) => return Err(self.ended(e.to_string())),
            }
        }
    }

    fn ended(&self, why: String) -> Ended {
        Ended { said: String::from_utf8_lossy(&self.buffer).into_owned(), why }
    }

    fn take_until(&mut self, mark: &str) -> Option<String> {
        // cvc5 echoes the quotes, too.
        let end = self.buffer.strip_suffix(b"\n")?;
        let end = end.strip_suffix(b"\"").unwrap_or(end);
        let end = end.strip_suffix(mark.as_bytes())?;
        let end = end.strip_suffix(b"\"").unwrap_or(end);
        let text = String::from_utf8_lossy(end).into_owned();
        self.buffer.clear();
        Some(text)
    }

    fn is_readable(&self, wait: Duration) -> bool {
        let mut asked = libc::pollfd { fd: self.output.as_raw_fd(), events: libc::POLLIN, revents: 0 };
        let wait = libc::c_int::try_from(wait.as_millis()).unwrap_or(libc::c_int::MAX);
        // SAFETY: one valid entry, and the descriptor is open.
        let ready = unsafe { libc::poll(&raw mut asked, 1, wait) };
        // An interrupted wait is looked at again by the caller.
        ready != 0
    }

    /// Both at once.
    pub fn ask(&mut self, text: &str) -> Result<String, String> {
        self.write(text)?;
        self.read()
    }

    /// What the process wrote to its standard error.
    pub fn complaints(&self) -> String {
        let text = std::fs::read_to_string(&self.log).unwrap_or_default();
        if text.trim().is_empty() { String::new() } else { format!("\n--- standard error\n{text}") }
    }

    /// Closes its input and waits for its end.
    pub fn finish(mut self) -> Result<std::process::ExitStatus, String> {
        drop(self.input.take());
        let mut rest = Vec::new();
        let _ = self.output.read_to_end(&mut rest);
        self.child.wait().map_err(|e| e.to_string())
    }
}

impl Drop for Pipe {
    fn drop(&mut self) {
        // A destructor cannot report errors.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The top-level expressions of printed answers: words and balanced lists.
pub fn items(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let (mut depth, mut start) = (0usize, None);
    let mut inside: Option<char> = None;
    for (at, c) in text.char_indices() {
        if let Some(end) = inside {
            if c == end {
                inside = None;
            }
            continue;
        }
        match c {
            '(' => {
                start.get_or_insert(at);
                depth += 1;
            }
            ')' => {
                depth = depth.saturating_sub(1);
                if depth == 0
                    && let Some(from) = start.take()
                {
                    found.push(&text[from..=at]);
                }
            }
            c if c.is_whitespace() => {
                if depth == 0
                    && let Some(from) = start.take()
                {
                    found.push(&text[from..at]);
                }
            }
            c => {
                start.get_or_insert(at);
                match c {
                    '"' | '|' => inside = Some(c),
                    ';' => inside = Some('\n'),
                    _ => {}
                }
            }
        }
    }
    found.extend(start.map(|from| &text[from..]));
    found
}

/// The expressions inside of a list.
pub fn inside(list: &str) -> Option<Vec<&str>> {
    Some(items(list.trim().strip_prefix('(')?.strip_suffix(')')?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_taken_apart() {
        let text = "sat\n((x (- 1))\n (s \"a)\"))\nunsat\n(error \"no\")\n";
        assert_eq!(items(text), ["sat", "((x (- 1))\n (s \"a)\"))", "unsat", "(error \"no\")"]);
        assert_eq!(inside("((x (- 1)) (|a b| 2))").unwrap(), ["(x (- 1))", "(|a b| 2)"]);
    }
}
