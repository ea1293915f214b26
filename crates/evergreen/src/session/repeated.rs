//! What a script repeats after `(reset)`.
//!
//! Boogie and Dafny send all axioms again before each verification condition, 250 KB of them, in the same
//! words. As long as every command since the reset is, byte for byte, the one that stood in its place before,
//! names mean the same as then, and an assertion is the term that it was: it is neither cut out, nor parsed,
//! nor elaborated. The first other command ends that, and what follows it is kept in place of what was.
//!
//! Only commands of which the reader's state is known to be the same afterwards are kept; behind any other
//! one everything is read until the next reset.

use evergreen_smtlib::Command;
use evergreen_term::TermId;

/// The text that is kept at most: a prelude has a few hundred kilobytes.
const MOST_TEXT: usize = 2 << 20;
/// The commands that are kept at most; a prelude has a thousand.
const MOST_COMMANDS: usize = 1 << 14;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// All commands so far are those that are kept.
    Same,
    /// Commands are kept as they come.
    New,
    /// Nothing is known until the next reset.
    Lost,
}

/// The commands since a reset, and how far those since the last one are the same.
pub(super) struct Repeated {
    kept: Vec<(Box<[u8]>, Command)>,
    /// The length of the kept texts.
    length: usize,
    /// How many of them have come again.
    at: usize,
    state: State,
}

impl Repeated {
    pub(super) fn new() -> Repeated {
        Repeated { kept: Vec::new(), length: 0, at: 0, state: State::New }
    }

    /// The assertion that a text begins with, if it is the one that is due, and its length.
    pub(super) fn assertion(&self, text: &[u8]) -> Option<(TermId, usize)> {
        let (kept, command) = self.kept.get(self.at).filter(|_| self.state == State::Same)?;
        match command {
            Command::Assert { term, .. } if text.starts_with(kept) => Some((*term, kept.len())),
            _ => None,
        }
    }

    /// Notes a command that was read.
    pub(super) fn note(&mut self, text: &[u8], command: &Command) {
        if self.state == State::Same {
            match self.kept.get(self.at) {
                Some((kept, known)) if **kept == *text && known == command => {
                    self.at += 1;
                    return;
                }
                _ => self.diverge(),
            }
        }
        if self.state == State::Lost {
            return;
        }
        let is_full = self.length + text.len() > MOST_TEXT || self.kept.len() >= MOST_COMMANDS;
        if !is_kept(command) || is_full {
            return self.lose();
        }
        self.length += text.len();
        self.kept.push((text.into(), command.clone()));
        self.at = self.kept.len();
    }

    /// Forgets what is kept and has not come again.
    fn diverge(&mut self) {
        for (text, _) in self.kept.drain(self.at..) {
            self.length -= text.len();
        }
        self.state = State::New;
    }

    /// Notes something else: from here on nothing is known.
    pub(super) fn lose(&mut self) {
        if self.state == State::Same {
            self.diverge();
        }
        self.state = State::Lost;
    }

    /// Notes that the script begins anew.
    pub(super) fn reset(&mut self) {
        (self.at, self.state) = (0, State::Same);
    }
}

/// Whether the reader is in the same state after the same command in the same state: what it declares or
/// defines is told by the command as a whole.
fn is_kept(command: &Command) -> bool {
    match command {
        Command::Assert { label, names, labelled, .. } => {
            label.is_none() && names.is_empty() && labelled.is_empty()
        }
        Command::SetLogic(_)
        | Command::SetOption { .. }
        | Command::SetInfo { .. }
        | Command::DeclareSort { .. }
        | Command::DeclareFun(_)
        | Command::DefineFun { .. }
        | Command::Push(_)
        | Command::Pop(_)
        | Command::CheckSat => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use evergreen_smtlib::Context;
    use evergreen_term::Terms;

    /// Reads commands, each from what is kept if it can be; how many were.
    fn read(repeated: &mut Repeated, context: &mut Context, terms: &mut Terms, script: &[&str]) -> usize {
        let mut known = 0;
        for text in script {
            let fresh = context.read(terms, text.as_bytes()).unwrap();
            if let Some((term, length)) = repeated.assertion(format!("{text}(exit)").as_bytes()) {
                known += 1;
                assert_eq!(length, text.len());
                assert!(matches!(fresh, Command::Assert { term: t, .. } if t == term), "{text}");
            }
            repeated.note(text.as_bytes(), &fresh);
        }
        context.reset();
        repeated.reset();
        known
    }

    #[test]
    fn assertions_are_known_while_the_script_is_the_same() {
        let (mut terms, mut repeated) = (Terms::new(), Repeated::new());
        let mut context = Context::new(&mut terms);
        let mut read = |script: &[&str]| read(&mut repeated, &mut context, &mut terms, script);
        let (x, y) = ("(declare-const x Int)", "(declare-const y Int)");
        let (positive, small) = ("(assert (> x 0))", "(assert (< x 9))");
        assert_eq!(read(&[x, positive, small]), 0);
        assert_eq!(read(&[x, positive, small]), 2);
        // Something else between them: what follows is read, and kept.
        assert_eq!(read(&[x, positive, y, small]), 1);
        assert_eq!(read(&[x, positive, y, small]), 2);
        assert_eq!(read(&[x, positive, small]), 1);
        // The same text means something else.
        assert_eq!(read(&["(declare-const x Real)", positive, small]), 0);
        assert_eq!(read(&["(declare-const x Real)", positive]), 1);
        assert_eq!(read(&["(define-fun x () Int 3)", positive]), 0);
        assert_eq!(read(&["(define-fun x () Int 4)", positive]), 0);
        assert_eq!(read(&["(define-fun x () Int 4)", positive]), 1);
        // A command that declares in ways that it does not tell.
        let datatype = "(declare-datatypes ((L 0)) (((nil) (cons (head Int)))))";
        assert_eq!(read(&[x, positive, datatype, small]), 0);
        assert_eq!(read(&[x, positive, datatype, small]), 1);
        // A prefix ends earlier.
        assert_eq!(read(&[x]), 0);
        assert_eq!(read(&[x, positive]), 1);
    }
}
