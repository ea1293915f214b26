//! What the solver would say to a question that it cannot answer, in its own words: no solver is started for
//! the text of an error.
//!
//! KLEE asks for the values of every input whatever the verdict was; a warm run that started a solver for
//! each refusal would cost more than the bare solver. The words are those of z3 5.4, cvc5 1.0, Yices 2.6 and
//! Bitwuzla 0.9, compared with them in `crates/cli/tests/conformance.rs`. Where an option could change the
//! answer in a way that is not known here, the solver is asked.

use super::{Last, Next, Session};
use evergreen_smtlib::{Command, Piece, Position};
use evergreen_solver::Kind;

/// What is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Asked {
    Value,
    Model,
    Assignment,
    Core,
    Assumptions,
    Labels,
    /// Why the last check is unknown, which it is not. Why3 asks that after each check.
    Reason,
}

impl Asked {
    fn of(command: &Command) -> Option<Asked> {
        match command {
            // Without a term it is an error of another kind, which is the solver's to word.
            Command::GetValue(terms) if terms.is_empty() => None,
            Command::GetValue(_) => Some(Asked::Value),
            Command::GetModel => Some(Asked::Model),
            Command::GetAssignment => Some(Asked::Assignment),
            Command::GetUnsatCore => Some(Asked::Core),
            Command::GetUnsatAssumptions => Some(Asked::Assumptions),
            Command::Labels => Some(Asked::Labels),
            Command::GetInfo(keyword) if keyword == ":reason-unknown" => Some(Asked::Reason),
            _ => None,
        }
    }

    fn is_of_model(self) -> bool {
        matches!(self, Asked::Value | Asked::Model | Asked::Assignment)
    }
}

/// The state of a script, as far as it decides what can be asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    Unchecked,
    Unsat,
    Sat,
    /// Something changed since the last check.
    Changed,
}

/// An answer that says no.
pub(super) struct Refusal {
    /// The message; none for a solver that says nothing.
    message: Option<String>,
    /// The exit code of a solver that ends after it.
    ends: Option<i32>,
}

impl Refusal {
    pub(super) fn goes_on(message: impl Into<String>) -> Option<Refusal> {
        Some(Refusal { message: Some(message.into()), ends: None })
    }

    pub(super) fn ends(message: impl Into<String>) -> Option<Refusal> {
        Some(Refusal { message: Some(message.into()), ends: Some(1) })
    }

    fn silent() -> Option<Refusal> {
        Some(Refusal { message: None, ends: None })
    }
}

impl Session {
    /// Refuses a question as the solver would, if it is known how.
    pub(super) fn refused(&mut self, command: &Command, piece: &Piece<'_>, out: &mut String) -> Option<Next> {
        if let Some(refusal) = self.too_late(command, piece) {
            self.undo(command);
            return Some(self.answer_no(refusal, out));
        }
        let asked = Asked::of(command)?;
        let state = self.state()?;
        if asked == Asked::Reason && self.options.solver.kind == Kind::Z3 {
            // No refusal, but nothing that it would have to be asked for.
            let reason = match state {
                State::Sat | State::Unsat if self.is_incremental => "unknown",
                State::Sat | State::Unsat => "",
                State::Unchecked => "state of the most recent check-sat command is not known",
                State::Changed => return None,
            };
            out.push_str(&format!("(:reason-unknown \"{reason}\")\n"));
            return Some(Next::Continue);
        }
        let refusal = match self.options.solver.kind {
            Kind::Z3 => self.refusal_of_z3(asked, state, piece),
            Kind::Cvc5 => self.refusal_of_cvc5(asked, state),
            Kind::Yices => self.refusal_of_yices(asked, state),
            Kind::Bitwuzla => self.refusal_of_bitwuzla(asked, state, piece),
            Kind::Other | Kind::None => None,
        }?;
        Some(self.answer_no(refusal, out))
    }

    /// Says no.
    fn answer_no(&mut self, refusal: Refusal, out: &mut String) -> Next {
        if let Some(message) = refusal.message {
            let counted = self.errors;
            self.error(&message, out);
            self.errors = self.counts_errors() || counted;
        }
        match refusal.ends {
            None => Next::Continue,
            Some(code) => {
                self.finish();
                Next::Exit(code)
            }
        }
    }

    /// Whether the solver takes this only behind a logic, and there is none.
    pub(super) fn lacks_logic(&self, command: &Command) -> bool {
        let needs_one = matches!(
            command,
            Command::DeclareFun(_)
                | Command::DeclareSort { .. }
                | Command::DefineSort(_)
                | Command::DefineFun { .. }
                | Command::Assert { .. }
                | Command::Push(_)
                | Command::Pop(_)
                | Command::CheckSat
                | Command::CheckSatAssuming(_)
        );
        let has_flag = || self.options.solver.args.iter().any(|arg| arg.starts_with("--logic"));
        needs_one && self.options.solver.kind == Kind::Yices && self.stack.logics.is_empty() && !has_flag()
    }

    /// Whether the exit code tells of errors that the solver went on after.
    pub(super) fn counts_errors(&self) -> bool {
        !matches!(self.options.solver.kind, Kind::Cvc5 | Kind::Yices | Kind::Bitwuzla)
    }

    /// The state, where it is known without the solver.
    fn state(&self) -> Option<State> {
        if self.stack.is_opaque() || self.is_mixed {
            return None;
        }
        match self.last {
            Last::Unsat { .. } => Some(State::Unsat),
            Last::Sat { .. } => Some(State::Sat),
            Last::None if self.has_checked => Some(State::Changed),
            Last::None => Some(State::Unchecked),
            Last::Unknown { .. } => None,
        }
    }

    /// Whether the client has said anything with that word in it, on the command line or as an option.
    pub(super) fn says(&self, word: &str) -> bool {
        let options = self.stack.unscoped.iter().filter(|u| !u.declares).map(|u| u.command.as_str());
        self.options.solver.args.iter().map(String::as_str).chain(options).any(|text| text.contains(word))
    }

    fn has_flag(&self, flag: &str) -> bool {
        self.options.solver.args.iter().any(|arg| arg == flag)
    }

    fn refusal_of_z3(&self, asked: Asked, state: State, piece: &Piece<'_>) -> Option<Refusal> {
        let why = match asked {
            Asked::Value | Asked::Model | Asked::Assignment if state != State::Sat => {
                "model is not available"
            }
            Asked::Labels if state != State::Sat => "labels are not available",
            Asked::Core if !self.produce_cores && !self.says("unsat") => {
                "unsat core construction is not enabled, use command (set-option :produce-unsat-cores true)"
            }
            Asked::Assumptions if !self.says("unsat") => {
                "unsat assumptions construction is not enabled, use command (set-option \
                 :produce-unsat-assumptions true)"
            }
            _ => return None,
        };
        // The column of the closing parenthesis: z3 counts from 1 on the first line and from 0 on others.
        let at = end_of(piece);
        let column = at.column - usize::from(at.line > 1);
        Refusal::goes_on(format!("line {} column {column}: {why}", at.line))
    }

    fn refusal_of_cvc5(&self, asked: Asked, state: State) -> Option<Refusal> {
        if asked == Asked::Reason {
            return Refusal::goes_on("Can't get-info :reason-unknown when the last result wasn't unknown!");
        }
        let models = self.produce_models || self.says("model") || self.has_flag("-m");
        let what = if asked == Asked::Model { "model" } else { "value" };
        if asked.is_of_model() && !models {
            return Refusal::goes_on(format!(
                "Cannot get {what} unless model generation is enabled (try --produce-models)"
            ));
        }
        match (asked, state) {
            (Asked::Value | Asked::Model | Asked::Assignment, State::Unsat | State::Unchecked) => {
                Refusal::goes_on(format!("Cannot get {what} unless after a SAT or UNKNOWN response."))
            }
            (Asked::Core, _) if !self.produce_cores && !self.says("unsat") && !self.says("proof") => {
                Refusal::ends("Cannot get unsat core unless explicitly enabled (try --produce-unsat-cores)")
            }
            // A script that is not a file with one check runs with `--incremental`, which we add.
            (Asked::Assumptions, _)
                if self.is_single_file() && !self.says("incremental") && !self.has_flag("-i") =>
            {
                Refusal::ends(
                    "Cannot get unsat assumptions unless incremental solving is enabled (try --incremental)",
                )
            }
            _ => None,
        }
    }

    fn refusal_of_yices(&self, asked: Asked, state: State) -> Option<Refusal> {
        let message = match (asked, state) {
            (Asked::Value | Asked::Model | Asked::Assignment | Asked::Reason, State::Unsat) => {
                "the context is unsatisfiable"
            }
            (Asked::Reason, State::Sat) => "the context is satisfiable",
            (Asked::Reason, State::Unchecked) => "can't tell until you call (check-sat)",
            (Asked::Value | Asked::Model, State::Unchecked) => "can't build a model. Call (check-sat) first",
            (Asked::Assignment, State::Unchecked) => "can't build the assignment. Call (check-sat) first",
            (Asked::Core, _) if !self.produce_cores && !self.says("unsat") => {
                "not supported: :produce-unsat-cores is false"
            }
            (Asked::Assumptions, _) if !self.says("unsat") => {
                "not supported: :produce-unsat-assumptions is false"
            }
            _ => return None,
        };
        Refusal::goes_on(message)
    }

    fn refusal_of_bitwuzla(&self, asked: Asked, state: State, piece: &Piece<'_>) -> Option<Refusal> {
        let place = |at: Position| format!("{}:{}:{}: ", self.options.file, at.line, at.column);
        let models = self.produce_models || self.says("model") || self.has_flag("-m");
        match (asked, state) {
            (Asked::Reason, _) => {
                let at = piece.position().after(b"(");
                Refusal::ends(format!("{}unsupported command 'get-info'", place(at)))
            }
            (Asked::Value, _) if !models => {
                let at = piece.position().after(b"(");
                Refusal::ends(format!("{}model generation is not enabled", place(at)))
            }
            (Asked::Model, _) if !models => {
                Refusal::ends(format!("{}model generation is not enabled", place(end_of(piece))))
            }
            (Asked::Value | Asked::Model, State::Unsat | State::Unchecked) => Refusal::silent(),
            (Asked::Core, _) if !self.produce_cores && !self.says("unsat") => {
                Refusal::ends(format!("{}unsat core production is not enabled", place(end_of(piece))))
            }
            (Asked::Assumptions, State::Unsat) if !self.says("unsat") => {
                Refusal::ends("unsat assumptions production not enabled")
            }
            (Asked::Assumptions, State::Sat | State::Unchecked) if !self.says("unsat") => Refusal::silent(),
            _ => None,
        }
    }
}

/// The place of the closing parenthesis of a command.
pub(super) fn end_of(piece: &Piece<'_>) -> Position {
    let text = piece.text.trim_ascii_end();
    piece.position().after(&text[..text.len().saturating_sub(1)])
}
