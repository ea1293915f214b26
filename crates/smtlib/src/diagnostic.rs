//! A diagnostic about the user's text: a value with a place, never a panic.

use std::fmt::Write as _;

/// An error in a text, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The error: lower case, the offending value in quotes, no full stop.
    pub message: String,
    /// The place: a byte offset into the text that was read.
    pub offset: usize,
    /// The way out, if there is one.
    pub help: Option<String>,
}

/// A line and a column, both counted from 1; columns count characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
}

impl Position {
    /// Where every text starts.
    pub const START: Position = Position { line: 1, column: 1 };

    /// The position after `text`, if `text` starts here.
    pub fn after(self, text: &[u8]) -> Position {
        // Bytes are summed in short runs so that the compiler can use vector instructions.
        let newlines = |run: &[u8]| run.iter().map(|&b| u8::from(b == b'\n')).sum::<u8>();
        let lines: usize = text.chunks(255).map(|run| newlines(run) as usize).sum();
        let last = text.iter().rposition(|&b| b == b'\n');
        let tail = last.map_or(text, |at| &text[at + 1..]);
        let column = tail.iter().filter(|&&b| starts_character(b)).count();
        Position { line: self.line + lines, column: column + if lines == 0 { self.column } else { 1 } }
    }
}

/// False for the second and later bytes of a UTF-8 character.
fn starts_character(byte: u8) -> bool {
    byte & 0xC0 != 0x80
}

/// The longest part of a source line that is shown, in characters.
const SHOWN: usize = 100;

impl Diagnostic {
    /// A complaint about the byte at `offset`.
    pub fn new(offset: usize, message: impl Into<String>) -> Diagnostic {
        Diagnostic { message: message.into(), offset, help: None }
    }

    /// The same complaint with a way out.
    pub fn with_help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(help.into());
        self
    }

    /// The place in `text`, when `text` starts at `origin` of its file.
    pub fn position(&self, text: &[u8], origin: Position) -> Position {
        origin.after(&text[..self.offset.min(text.len())])
    }

    /// `file:line:col: message`, the source line, a caret, `help:`.
    ///
    /// `text` is the text read (a file, or one command of it) and `origin` is where it starts.
    pub fn render(&self, file: &str, text: &[u8], origin: Position) -> String {
        let at = self.offset.min(text.len());
        let Position { line, column } = self.position(text, origin);
        let mut out = format!("{file}:{line}:{column}: {}\n", self.message);
        let start = text[..at].iter().rposition(|&b| b == b'\n').map_or(0, |i| i + 1);
        let end = text[at..].iter().position(|&b| b == b'\n').map_or(text.len(), |i| at + i);
        let before = String::from_utf8_lossy(&text[start..at]);
        let after = String::from_utf8_lossy(&text[at..end]);
        // A line of a generated script can be megabytes long: show the part around the caret.
        let skipped = before.chars().count().saturating_sub(SHOWN / 2);
        let (mut shown, mut margin) = (String::new(), String::new());
        if skipped > 0 {
            shown.push('…');
            margin.push(' ');
        }
        for c in before.chars().skip(skipped) {
            shown.push(visible(c));
            margin.push(if c == '\t' { '\t' } else { ' ' });
        }
        shown.extend(after.chars().take(SHOWN / 2).map(visible));
        if after.chars().count() > SHOWN / 2 {
            shown.push('…');
        }
        let _ = writeln!(out, "  {}\n  {margin}^", shown.trim_end());
        if let Some(help) = &self.help {
            let _ = writeln!(out, "help: {help}");
        }
        out
    }
}

/// Control characters must not reach a terminal.
fn visible(c: char) -> char {
    if c.is_control() && c != '\t' { '\u{fffd}' } else { c }
}
