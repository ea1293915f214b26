//! Places in what a solver says of the client's text.
//!
//! The solver counts the lines of what it is sent, which are others than those of the client's script. The
//! command is sent in the column that it has there, so only the line is another one.

use super::Session;
use evergreen_smtlib::Position;
use evergreen_solver::{Kind, SolverError};

/// A column further right is not kept: scripts of one line may have millions.
const MOST_COLUMNS: usize = 1 << 10;
/// What solvers call their standard input.
const INPUT: &str = "<stdin>";

impl Session {
    /// Asks with the client's command, in its own column.
    pub(super) fn ask_in_place(&mut self, text: &str) -> Result<String, SolverError> {
        let before = self.origin.1.column.saturating_sub(1);
        let reply = match before {
            1..=MOST_COLUMNS => self.live.ask(&(" ".repeat(before) + text)),
            _ => self.live.ask(text),
        };
        self.asked_at = self.live.began();
        reply
    }

    /// A reply to the last command with the client's lines, and the name of its file.
    pub(super) fn in_place(&mut self, reply: String) -> String {
        let Some(began) = self.asked_at.take().filter(|_| reply.contains("(error")) else { return reply };
        let kind = self.options.solver.kind;
        let moved = moved(kind, &reply, began, self.origin.1).unwrap_or(reply);
        match kind {
            Kind::Cvc5 | Kind::Bitwuzla => moved.replacen(INPUT, &self.options.file, 1),
            _ => moved,
        }
    }
}

/// Whether a reply names a place in the script.
pub(super) fn has_place(reply: &str) -> bool {
    [INPUT, "line "].iter().any(|word| reply.contains(word))
}

/// A reply with another line in it: that of a command which the solver saw begin in the line `began`, and the
/// client has written at `origin`. `None` if it names no line, or one before the command.
fn moved(kind: Kind, reply: &str, began: usize, origin: Position) -> Option<String> {
    let before = match kind {
        Kind::Z3 | Kind::Yices => "line ",
        Kind::Cvc5 | Kind::Bitwuzla => "<stdin>:",
        Kind::Other | Kind::None => return None,
    };
    let start = reply.find(before)? + before.len();
    let length = reply[start..].find(|c: char| !c.is_ascii_digit())?;
    let line: usize = reply[start..start + length].parse().ok()?;
    let line = line.checked_sub(began)? + origin.line;
    Some(format!("{}{line}{}", &reply[..start], &reply[start + length..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_those_of_the_client() {
        let moved = |kind, reply| moved(kind, reply, 20, Position { line: 6, column: 3 });
        for (kind, reply, expected) in [
            (Kind::Z3, "(error \"line 20 column 16: unknown\")", "(error \"line 6 column 16: unknown\")"),
            (Kind::Z3, "(error \"line 22 column 1: line 9\")", "(error \"line 8 column 1: line 9\")"),
            (Kind::Yices, "(error \"at line 21, column 1: no\")", "(error \"at line 7, column 1: no\")"),
            (Kind::Cvc5, "(error \"Parse Error: <stdin>:20.17: no", "(error \"Parse Error: <stdin>:6.17: no"),
            (Kind::Bitwuzla, "(error \"<stdin>:20:4: no\")", "(error \"<stdin>:6:4: no\")"),
        ] {
            assert_eq!(moved(kind, reply).as_deref(), Some(expected));
        }
        for reply in
            ["(error \"line 19 column 16: of the prelude\")", "(error \"no line\")", "(error \"line 20"]
        {
            assert_eq!(moved(Kind::Z3, reply), None, "{reply}");
        }
    }
}
