//! Messages about an invariant's text: the place first, the line with a caret, the way out last.

use std::fmt;

/// Something wrong in the text of an invariant, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What is wrong, in lower case.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
    /// The line that the place is in.
    pub text: String,
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}:{}: {}", self.line, self.column, self.message)?;
        writeln!(f, "  {}", self.text)?;
        write!(f, "  {}^", " ".repeat(self.column.saturating_sub(1)))?;
        match &self.help {
            Some(help) => write!(f, "\nhelp: {help}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Diagnostic {}

impl Diagnostic {
    /// A message about the byte offset `at` of `source`.
    pub(crate) fn at(source: &str, at: usize, message: String, help: Option<&str>) -> Self {
        let mut at = at.min(source.len());
        while !source.is_char_boundary(at) {
            at -= 1;
        }
        let start = source[..at].rfind('\n').map_or(0, |n| n + 1);
        let end = source[at..].find('\n').map_or(source.len(), |n| at + n);
        Diagnostic {
            line: source[..start].matches('\n').count() + 1,
            column: source[start..at].chars().count() + 1,
            message,
            help: help.map(str::to_string),
            // A tab would move the caret away from its place.
            text: source[start..end].replace('\t', " ").trim_end().to_string(),
        }
    }
}
