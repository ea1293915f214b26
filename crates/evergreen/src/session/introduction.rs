//! Options and logics that the solver may refuse: its reply is asked once, and remembered.
//!
//! What an unlisted option or an uncommon logic does is the solver's to say: z3 prints an error and goes on,
//! cvc5 prints `unsupported` or ends. A warm run has to print the same and must not start a solver for it, so
//! the reply is kept in the store under the solver's file, its arguments and everything that was set before.

use super::relay::value_place;
use super::whole::Rest;
use super::{Next, Session, logics};
use crate::identity;
use evergreen_smtlib::{Piece, Position};
use evergreen_solver::{Dialect, Kind, SolverError, answer, is_word};
use evergreen_store::Key;

/// What a solver said to the introduction of a script.
pub(super) enum Introduced {
    /// It took it without a word.
    Taken,
    /// It printed something, and the command has no effect.
    Refused,
    /// It ended.
    Ended(Next),
}

/// Options that z3 has dropped. Dafny 2.3 sets the first one, and z3 5 says that it is unknown.
const DROPPED: [&str; 2] = [":model_compress", ":model_partial"];
/// Replies are remembered for scripts up to this length: the whole of it is part of the key.
const MOST_TEXT: usize = 1 << 18;
/// Between the exit code and the output of a solver that has ended, in what is remembered.
const ENDED: &str = "\0ended ";

impl Session {
    /// Whether a solver is known to take a logic.
    fn is_common_logic(&self, logic: &str) -> bool {
        logics::takes(self.options.solver.kind, logic)
    }

    pub(super) fn set_logic(
        &mut self,
        logic: String,
        text: &str,
        piece: &Piece<'_>,
        out: &mut String,
    ) -> Next {
        if !self.is_common_logic(&logic) && !self.stack.is_begun() {
            match self.introduce(text, piece.position(), out) {
                Introduced::Taken => {}
                Introduced::Ended(next) => return next,
                // z3 goes on as if nothing had been said.
                Introduced::Refused if self.options.solver.kind == Kind::Z3 => return Next::Continue,
                Introduced::Refused => {
                    // Only the solver knows what it means without a logic.
                    self.stack.top().opaque.set(true);
                    self.stack.logics.push(text.to_string());
                    self.stack.option(text.to_string());
                    return Next::Continue;
                }
            }
        }
        self.stack.logics.push(logic);
        self.stack.option(text.to_string());
        self.success(out);
        Next::Continue
    }

    /// A remark about the script as the solver gets it. cvc5 1.0 ends where a string that comes by its
    /// standard input has several lines, as the sources of benchmarks have.
    pub(super) fn in_one_line(&self, text: &str) -> String {
        let has_comment = text.contains(';');
        if self.options.solver.kind == Kind::Cvc5 && !has_comment {
            return text.trim_end().replace(['\r', '\n'], " ") + "\n";
        }
        text.to_string()
    }

    /// Has the solver say what it thinks of flags that are not known, before the first command: it may refuse
    /// to begin. `None` if it begins.
    pub(super) fn begin(&mut self, out: &mut String) -> Option<Next> {
        if std::mem::replace(&mut self.has_begun, true) || self.is_unaided() {
            return None;
        }
        if self.speaker.dialect().is_standard() && !Dialect::has_words(&self.options.solver) {
            return None;
        }
        let reply = match self.reply_to("", out) {
            Ok(reply) => reply,
            Err(next) => return Some(next),
        };
        // Whatever else it says when it begins is no answer to anything, and said again where it is asked.
        self.ended(&reply, out)
    }

    /// Has the solver say what it thinks of an option that leaves the meaning alone, if there is something to
    /// say: z3 once had it, or its value is neither a number nor a truth value. No solver is started to ask
    /// about another one.
    pub(super) fn introduced_option(
        &mut self,
        (keyword, value): (&str, &str),
        text: &str,
        piece: &Piece<'_>,
        out: &mut String,
    ) -> Introduced {
        let is_asked = match self.options.solver.kind {
            Kind::Z3 => DROPPED.contains(&keyword) || is_word(value),
            Kind::Cvc5 => is_word(value),
            _ => false,
        };
        match is_asked && !self.stack.is_begun() {
            true => self.introduce(text, value_place(piece), out),
            false => Introduced::Taken,
        }
    }

    /// Has the solver say what it thinks of an option or a logic, before anything is declared.
    pub(super) fn introduce(&mut self, text: &str, at: Position, out: &mut String) -> Introduced {
        if self.is_unaided() {
            return Introduced::Taken;
        }
        match self.reply_to(text, out) {
            Ok(reply) => self.introduced(&reply, at, out),
            Err(next) => Introduced::Ended(next),
        }
    }

    /// What the solver says to a text after what was set before, as it is remembered or as it says now. Where
    /// it does not get that far: how the session ends.
    fn reply_to(&mut self, text: &str, out: &mut String) -> Result<String, Next> {
        let before: String = self.stack.unscoped.iter().map(|u| u.command.as_str()).collect();
        let key = identity::key(&self.options.solver, &format!("introduction {before}{text}"));
        if let Some(reply) = key.as_ref().and_then(|key| self.remembered(key)) {
            return Ok(reply);
        }
        let starts = self.live.starts;
        let asked = self.live.sync(&self.stack).and_then(|_| self.live.ask(text));
        if self.live.starts > starts {
            self.note_start();
        }
        let reply = match asked {
            Ok(reply) => {
                if !text.is_empty() && reply.trim().is_empty() {
                    self.live.took_option();
                }
                reply
            }
            Err(SolverError::Died(death)) if answer::error_message(death.output.trim()).is_some() => {
                let code = death.status.and_then(|s| s.code()).unwrap_or(1);
                format!("{ENDED}{code}\n{}", death.output)
            }
            Err(failure) => {
                // The solver does not get that far: what it says by itself is what the client would see.
                let rest = self.rest_of_file("").or_else(|| refusal(&failure).filter(|_| text.is_empty()));
                return Err(match rest {
                    Some(rest) => self.end_with(rest, out),
                    None => self.failed(&failure, false, out),
                });
            }
        };
        if let (Some(store), Some(key)) = (&self.options.store, &key)
            && !self.options.engine.require_hit
        {
            let _ = store.put(key, &identity::encode(&reply));
        }
        Ok(reply)
    }

    fn introduced(&mut self, reply: &str, at: Position, out: &mut String) -> Introduced {
        if reply.trim().is_empty() {
            return Introduced::Taken;
        }
        if let Some(next) = self.ended(reply, out) {
            return Introduced::Ended(next);
        }
        self.errors |= answer::error_message(reply.trim()).is_some();
        out.push_str(&placed(reply, at));
        Introduced::Refused
    }

    /// Ends as the solver has, if it has.
    fn ended(&mut self, reply: &str, out: &mut String) -> Option<Next> {
        let (code, output) = reply.strip_prefix(ENDED)?.split_once('\n')?;
        out.push_str(output.trim_end());
        out.push('\n');
        self.errors = true;
        Some(Next::Exit(code.parse().unwrap_or(1)))
    }
}

impl Session {
    /// What the solver has said to a command that is not understood, at the end of the same script, if that
    /// is remembered and the solver does not run anyway.
    pub(super) fn remembered_reply(&self, text: &str) -> Option<String> {
        if self.live.is_running() || self.has_checked {
            return None;
        }
        self.remembered(&self.reply_key(text)?)
    }

    /// A reply that the store has, of an origin that is trusted.
    pub(super) fn remembered(&self, key: &Key) -> Option<String> {
        let (bytes, origin) = self.options.store.as_ref()?.get_from(key).ok()??;
        identity::decode(&bytes).filter(|_| self.options.engine.trust.trusts(origin))
    }

    pub(super) fn remember_reply(&self, text: &str, reply: &str) {
        if let (Some(store), Some(key), false) = (&self.options.store, self.reply_key(text), self.has_checked)
        {
            let _ = store.put(&key, &identity::encode(reply));
        }
    }

    fn reply_key(&self, text: &str) -> Option<Key> {
        if self.stack.text_length() > MOST_TEXT || self.is_mixed {
            return None;
        }
        let mut before = self.speaker.introduction();
        self.stack.write(&mut before);
        let before: String =
            evergreen_canon::digest(&before.bytes()).iter().map(|b| format!("{b:02x}")).collect();
        identity::key(&self.options.solver, &format!("command {before} {text}"))
    }
}

/// What a solver has said that ended before it was asked anything.
fn refusal(failure: &SolverError) -> Option<Rest> {
    let SolverError::Died(death) = failure else { return None };
    let code = death.status?.code().filter(|code| *code != 0)?;
    let lines = |text: &str| if text.is_empty() { String::new() } else { format!("{}\n", text.trim_end()) };
    Some(Rest { text: lines(&death.output), stderr: lines(&death.stderr), code, is_clean: false })
}

/// A solver's reply with the place in the client's script: the solver counts the lines that it has read,
/// which are others.
pub(super) fn placed(reply: &str, at: Position) -> String {
    let Some((before, rest)) = reply.split_once("line ") else { return positioned(reply, at) };
    let after_line = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    let Some(after) = after_line.strip_prefix(" column ") else { return reply.to_string() };
    let after = after.trim_start_matches(|c: char| c.is_ascii_digit());
    format!("{before}line {} column {}{after}", at.line, at.column)
}

/// z3's other form: `; ignoring unsupported logic FOO line: 3 position: 1`.
fn positioned(reply: &str, at: Position) -> String {
    let Some((before, rest)) = reply.split_once(" line: ") else { return reply.to_string() };
    let Some(after) = rest.trim_start_matches(|c: char| c.is_ascii_digit()).strip_prefix(" position: ")
    else {
        return reply.to_string();
    };
    let after = after.trim_start_matches(|c: char| c.is_ascii_digit());
    format!("{before} line: {} position: {}{after}", at.line, at.column)
}
