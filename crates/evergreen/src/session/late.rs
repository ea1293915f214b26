//! What comes too late: logics and options that a solver refuses once it has begun, in its own words, and a
//! verdict that is not the one which the script expects.
//!
//! A client that treats the exit code as its check must see the same one: z3 goes on after such an error and
//! ends with 1, cvc5 ends at once. The words are those of z3 5.4, cvc5 1.0, Yices 2.6 and Bitwuzla 0.9,
//! compared with them in `crates/cli/tests/conformance.rs`.

use super::refusals::{Refusal, end_of};
use super::relay::value_place;
use super::{Next, Remark, Session};
use evergreen_smtlib::{Command, Piece, Position};
use evergreen_solver::{Command as SolverCommand, Kind};
use evergreen_term::TermId;

/// Options of what is to be produced: they are settled with the first assertion, or before.
const PRODUCED: [&str; 5] = [
    ":produce-unsat-cores",
    ":produce-unsat-assumptions",
    ":produce-proofs",
    ":produce-assignments",
    ":produce-models",
];

/// Takes the flags away with which a solver prints `success` from the first command on; whether there were
/// some. A client that waits for it must get it without a solver, too, and between us and the solver nothing
/// is said.
pub(super) fn takes_success(solver: &mut SolverCommand) -> bool {
    let flags: &[&str] = match solver.kind {
        Kind::Cvc5 => &["--print-success"],
        Kind::Yices => &["--interactive"],
        _ => &[],
    };
    let before = solver.args.len();
    solver.args.retain(|arg| !flags.contains(&arg.as_str()));
    solver.args.len() < before
}

/// As z3 counts: columns from 1 on the first line, and from 0 on others.
fn place_of_z3(at: Position) -> String {
    format!("line {} column {}: ", at.line, at.column - usize::from(at.line > 1))
}

impl Session {
    /// Refuses a logic or an option as the solver would that has begun already.
    pub(super) fn too_late(&self, command: &Command, piece: &Piece<'_>) -> Option<Refusal> {
        match (command, self.options.solver.kind) {
            (Command::SetLogic(_), Kind::Z3) => {
                let why = match (self.stack.logics.is_empty(), self.is_initialized()) {
                    (false, _) => "the logic has already been set",
                    (true, true) => "logic must be set before initialization",
                    (true, false) => return None,
                };
                Refusal::goes_on(format!("{}{why}", place_of_z3(value_place(piece))))
            }
            (Command::SetLogic(_), Kind::Yices) if !self.stack.logics.is_empty() => {
                Refusal::goes_on("the logic is already set")
            }
            (Command::SetLogic(_), Kind::Cvc5) if self.is_initialized() && self.stack.logics.is_empty() => {
                Refusal::ends("Invalid call to 'setLogic', solver is already fully initialized")
            }
            (Command::SetOption { keyword, .. }, kind) if PRODUCED.contains(&keyword.as_str()) => {
                self.option_too_late(kind, keyword, piece)
            }
            _ => None,
        }
    }

    fn option_too_late(&self, kind: Kind, keyword: &str, piece: &Piece<'_>) -> Option<Refusal> {
        match kind {
            // Models and assignments it takes at any time.
            Kind::Z3
                if self.stack.assertions().next().is_some()
                    && !matches!(keyword, ":produce-models" | ":produce-assignments") =>
            {
                Refusal::goes_on(format!(
                    "{}error setting '{keyword}', option value cannot be modified after assertions have \
                     been added",
                    place_of_z3(value_place(piece))
                ))
            }
            Kind::Cvc5 if self.is_initialized() => Refusal::ends(format!(
                "Invalid call to 'setOption' for option '{}', solver is already fully initialized",
                &keyword[1..]
            )),
            Kind::Yices if !self.stack.logics.is_empty() && keyword != ":produce-proofs" => Refusal::goes_on(
                format!("option {keyword} can't be set now. It must be set before (set-logic ...)"),
            ),
            _ => None,
        }
    }

    /// Whether the solver has begun to work: with an assertion or a check.
    fn is_initialized(&self) -> bool {
        self.has_checked || self.stack.assertions().next().is_some()
    }

    /// Notes the verdict that the script expects of the checks from here on.
    pub(super) fn expect_status(&mut self, value: &str) {
        self.status = match value {
            "sat" => Some("sat"),
            "unsat" => Some("unsat"),
            _ => None,
        };
    }

    /// A check, and what the solver says to a verdict that the script does not expect.
    pub(super) fn check_as_expected(
        &mut self,
        assumptions: Vec<(TermId, String)>,
        text: &str,
        piece: &Piece<'_>,
        out: &mut String,
    ) -> Next {
        let before = out.len();
        let next = self.check(assumptions, text, out);
        if next != Next::Continue || self.status.is_none() {
            return next;
        }
        let verdict = match out[before..].lines().next_back() {
            Some("sat") => "sat",
            Some("unsat") => "unsat",
            _ => return next,
        };
        self.compare_with_status(verdict, piece, out).unwrap_or(Next::Continue)
    }

    /// Takes back what the reader took at its word: the logic says what numerals are.
    pub(super) fn undo(&mut self, refused: &Command) {
        self.repeated.lose();
        if matches!(refused, Command::SetLogic(_)) {
            let before = match self.stack.logics.last() {
                Some(text) if text.starts_with('(') => text.clone(),
                Some(logic) => format!("(set-logic {logic})"),
                None => "(set-logic ALL)".to_string(),
            };
            let _ = self.context.read(&mut self.terms, before.as_bytes());
        }
    }

    /// Complains as the solver does where a verdict is the opposite of what the script expects; how the
    /// session ends, if it does. cvc5 aborts before it prints the verdict.
    pub(super) fn compare_with_status(
        &mut self,
        verdict: &str,
        piece: &Piece<'_>,
        out: &mut String,
    ) -> Option<Next> {
        let status = match self.options.solver.kind {
            // It speaks of the next check alone.
            Kind::Cvc5 => self.status.take(),
            _ => self.status,
        };
        let expected = status.filter(|expected| *expected != verdict)?;
        match self.options.solver.kind {
            Kind::Z3 => {
                let message = format!("{}check annotation that says {expected}", place_of_z3(end_of(piece)));
                self.error(&message, out);
                None
            }
            Kind::Bitwuzla => {
                let at = end_of(piece);
                let place = format!("{}:{}:{}", self.options.file, at.line, at.column);
                self.error(&format!("{place}: '{verdict}' but status is '{expected}'"), out);
                self.finish();
                Some(Next::Exit(1))
            }
            Kind::Cvc5 => {
                if let Some(before) = out.strip_suffix(&format!("{verdict}\n")) {
                    out.truncate(before.len());
                }
                self.remark(Remark::Said(format!("Expected result {expected} but got {verdict}\n")));
                self.finish();
                Some(Next::Exit(ABORTED))
            }
            Kind::Yices | Kind::Other | Kind::None => None,
        }
    }
}

/// The exit code of a process that aborts, as a shell tells it.
const ABORTED: i32 = 134;
