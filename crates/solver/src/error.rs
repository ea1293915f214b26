//! Failures of a solver, as values: each has the solver's last command and its last output.

use std::fmt;
use std::io;
use std::path::PathBuf;
use std::process::ExitStatus;
use std::time::Duration;

use crate::chain::Circle;

/// How a solver process ended, with its last output.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Death {
    /// The exit status; `None` when the solver closed its pipes but lived on, until we killed it.
    pub status: Option<ExitStatus>,
    /// The output for the last command before it ended. Solvers other than z3 exit after their first `(error
    /// …)`, so this often holds the reason.
    pub output: String,
    /// The last lines of its standard error (at most 4 KB).
    pub stderr: String,
    /// The start of the last text that was sent to it.
    pub last_command: String,
}

/// Trouble with a solver. A wrong or missing answer of the outside world is never turned into a verdict.
#[derive(Debug)]
pub enum SolverError {
    /// The program is not on the path.
    NotFound {
        /// The name that was looked for.
        program: String,
    },
    /// There is no solver program: none was named and none is installed, or none is wanted.
    NoSolver,
    /// This build has no solver processes: the feature `processes` is off.
    NotBuilt,
    /// The program would lead back to this one, over and over.
    Circle {
        /// The program.
        program: PathBuf,
        /// How it leads back.
        how: Circle,
    },
    /// A command line that cannot be split into words.
    BadCommandLine {
        /// The text as it was given.
        text: String,
        /// The flaw.
        reason: &'static str,
    },
    /// The program exists but could not be started.
    Start {
        /// The program.
        program: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// The time limit passed; the process has been killed.
    TimedOut {
        /// The limit.
        limit: Duration,
        /// The start of the text that was being answered.
        last_command: String,
    },
    /// The memory limit was reached; the process has ended.
    OutOfMemory {
        /// The limit in megabytes.
        limit_mb: Option<u64>,
        /// How it ended.
        death: Box<Death>,
    },
    /// The process ended (or closed its pipes) before it had answered.
    Died(Box<Death>),
    /// The process printed more than a reply can hold; it has been killed.
    TooMuchOutput {
        /// The most bytes that one reply may have.
        limit_bytes: usize,
        /// The start of the text that was being answered.
        last_command: String,
    },
    /// The solver printed text that is not an answer to the question.
    Garbage {
        /// The expected form.
        expected: &'static str,
        /// The start of the output.
        output: String,
    },
    /// The solver answered `(error "…")`.
    Refused {
        /// Its message.
        message: String,
    },
    /// The text is not a sequence of complete s-expressions. It was not sent, since the solver would
    /// wait for the rest forever.
    Incomplete {
        /// The start of the text.
        text: String,
    },
    /// A pipe failed in a way that is not the end of the solver.
    Io(io::Error),
}

impl fmt::Display for SolverError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SolverError::NotFound { program } => write!(
                f,
                "solver \"{program}\" not found\nhelp: install it, put it on PATH, or set EVERGREEN_TOOLS to \
                 a folder \
                 that has bin/{program}"
            ),
            SolverError::NoSolver => write!(
                f,
                "there is no solver program\nhelp: install z3 or cvc5, or name a solver that is installed"
            ),
            SolverError::NotBuilt => write!(
                f,
                "this build starts no solver\nhelp: enable the feature \"processes\", or pass a solver of \
                 your \
                 own"
            ),
            SolverError::Circle { program, how } => {
                let program = program.display();
                match how {
                    Circle::Itself => write!(f, "\"{program}\" is Evergreen itself, not a solver")?,
                    Circle::Again => {
                        write!(f, "\"{program}\" was started as a solver already and has started Evergreen")?
                    }
                    Circle::Deep => write!(f, "\"{program}\" would be one more of too many nested solvers")?,
                }
                write!(f, "\nhelp: name the solver's own program, by its path")
            }
            SolverError::BadCommandLine { text, reason } => {
                write!(f, "bad solver command line \"{text}\": {reason}")
            }
            SolverError::Start { program, source } => {
                write!(f, "cannot start solver \"{}\": {source}", program.display())
            }
            SolverError::TimedOut { limit, last_command } => {
                write!(f, "solver killed after {} ms while answering \"{last_command}\"", limit.as_millis())
            }
            SolverError::OutOfMemory { limit_mb, death } => {
                match limit_mb {
                    Some(mb) => write!(f, "solver ran out of memory (limit {mb} MB)")?,
                    None => write!(f, "solver ran out of memory")?,
                }
                write!(f, "{death}")
            }
            SolverError::Died(death) => write!(f, "solver died{death}"),
            SolverError::TooMuchOutput { limit_bytes, last_command } => write!(
                f,
                "solver killed: it printed more than {limit_bytes} bytes while answering \"{last_command}\""
            ),
            SolverError::Garbage { expected, output } => {
                write!(f, "solver printed \"{output}\" where {expected} was expected")
            }
            SolverError::Refused { message } => write!(f, "solver error: {message}"),
            SolverError::Incomplete { text } => {
                write!(f, "incomplete SMT-LIB text \"{text}\": not sent to the solver")
            }
            SolverError::Io(source) => write!(f, "pipe to solver failed: {source}"),
        }
    }
}

impl fmt::Display for Death {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.status {
            Some(status) => write!(f, " ({status})")?,
            None => write!(f, " (closed its pipes)")?,
        }
        write!(f, " while answering \"{}\"", self.last_command)?;
        if !self.output.trim().is_empty() {
            write!(f, "; it printed \"{}\"", excerpt(self.output.trim()))?;
        }
        if !self.stderr.trim().is_empty() {
            write!(f, "; on stderr \"{}\"", excerpt(self.stderr.trim()))?;
        }
        Ok(())
    }
}

impl std::error::Error for SolverError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            SolverError::Start { source, .. } | SolverError::Io(source) => Some(source),
            _ => None,
        }
    }
}

/// The start of a text, short enough for a message.
pub(crate) fn excerpt(text: &str) -> String {
    const LONGEST: usize = 200;
    match text.char_indices().nth(LONGEST) {
        None => text.to_string(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_name_the_place_and_the_way_out() {
        let missing = SolverError::NotFound { program: "z9".into() };
        assert_eq!(
            missing.to_string(),
            "solver \"z9\" not found\nhelp: install it, put it on PATH, or set EVERGREEN_TOOLS to a folder \
             that has bin/z9"
        );
        let died = SolverError::Died(Box::new(Death {
            status: None,
            output: "sa".into(),
            stderr: "boom\n".into(),
            last_command: "(check-sat)".into(),
        }));
        assert_eq!(
            died.to_string(),
            "solver died (closed its pipes) while answering \"(check-sat)\"; it printed \"sa\"; on stderr \
             \"boom\""
        );
    }

    #[test]
    fn excerpts_end_at_a_character() {
        assert_eq!(excerpt("short"), "short");
        let long = excerpt(&"é".repeat(500));
        assert_eq!(long.chars().count(), 201);
    }
}
