//! A solver of another make, kept warm at the other end of a pipe.
//!
//! Moves are written without waiting and verdicts are read afterwards, so that a sequence costs one round
//! trip. A check that takes too long is an `Unknown`; the process is then replaced.

use super::moves::Move;
use super::rows::text;
use evergreen_lia::Row;
use evergreen_testing::tools;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// Its verdict.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Said {
    /// There is a solution.
    Sat,
    /// There is none.
    Unsat,
    /// It gave up or took too long.
    Unknown,
}

/// How long one check may take.
const PATIENCE: Duration = Duration::from_millis(80);
/// The variables that are declared from the start.
pub(crate) const VARS: u32 = 32;

/// The process.
pub(crate) struct Oracle {
    name: &'static str,
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
    /// How often it was started.
    pub starts: usize,
}

impl Oracle {
    /// Starts `z3` or `yices-smt2`.
    ///
    /// # Panics
    /// If it is not installed or cannot be started: a test that needs it fails without it.
    pub(crate) fn start(name: &'static str) -> Oracle {
        let args: &[&str] = if name == "z3" { &["-in", "-t:60"] } else { &["--incremental"] };
        let mut command = Command::new(tools::find(name));
        command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap_or_else(|error| panic!("{name}: {error}"));
        let mut input = child.stdin.take().expect("the input is a pipe");
        let output = child.stdout.take().expect("the output is a pipe");
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let mut head = String::from("(set-logic QF_LIA)\n");
        (0..VARS).for_each(|var| head += &format!("(declare-const x{var} Int)\n"));
        input.write_all(head.as_bytes()).unwrap_or_else(|error| panic!("{name}: {error}"));
        Oracle { name, child, input, lines, starts: 1 }
    }

    /// One conjunction.
    pub(crate) fn ask(&mut self, rows: &[Row]) -> Said {
        let moves = rows.iter().map(|row| Move::Assert(row.clone())).chain([Move::Check]);
        self.play(&moves.collect::<Vec<Move>>())[0]
    }

    /// The verdicts of all checks, from an empty stack on.
    ///
    /// # Panics
    /// If it prints anything that is not a verdict.
    pub(crate) fn play(&mut self, moves: &[Move]) -> Vec<Said> {
        let mut out = String::from("(push 1)\n");
        let (mut depth, mut checks) = (1, 0);
        for step in moves {
            match step {
                Move::Push => depth += 1,
                Move::Pop => depth -= 1,
                Move::Check => checks += 1,
                Move::Assert(_) => {}
            }
            match step {
                Move::Push => out += "(push 1)\n",
                Move::Pop => out += "(pop 1)\n",
                Move::Check => out += "(check-sat)\n",
                Move::Assert(row) => out += &format!("(assert {})\n", text(row)),
            }
        }
        out += &format!("(pop {depth})\n");
        let wrote = self.input.write_all(out.as_bytes()).and_then(|()| self.input.flush());
        wrote.unwrap_or_else(|error| panic!("{}: {error}", self.name));
        let mut said = Vec::new();
        while said.len() < checks {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) => said.push(match line.as_str() {
                    "sat" => Said::Sat,
                    "unsat" => Said::Unsat,
                    "unknown" | "timeout" => Said::Unknown,
                    other => panic!("{} says '{other}' to\n{out}", self.name),
                }),
                Err(RecvTimeoutError::Timeout) => {
                    self.replace();
                    said.resize(checks, Said::Unknown);
                }
                Err(RecvTimeoutError::Disconnected) => panic!("{} ended at\n{out}", self.name),
            }
        }
        said
    }

    fn replace(&mut self) {
        let starts = self.starts + 1;
        *self = Oracle::start(self.name);
        self.starts = starts;
    }
}

impl Drop for Oracle {
    fn drop(&mut self) {
        // It may still work on a query whose deadline has passed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
