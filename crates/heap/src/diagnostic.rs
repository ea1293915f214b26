//! Messages about an invariant's text: the place first, the line with a caret, the way out last.

use std::fmt;

/// Something wrong in the text of an invariant, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// The error, in lower case.
    pub message: String,
    /// The way out.
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
    pub fn at(source: &str, at: usize, message: String, help: Option<&str>) -> Self {
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

/// Suggestions for a name that does not exist: those within a third of the wanted one's length in edits (at
/// least two), nearest first; at most three.
pub fn nearest<'n>(wanted: &str, names: impl Iterator<Item = &'n str>) -> Vec<&'n str> {
    let most = (wanted.chars().count() / 3).max(2);
    let mut found: Vec<(usize, &str)> = Vec::new();
    for name in names {
        let edits = distance(&wanted.to_lowercase(), &name.to_lowercase());
        if edits <= most {
            found.push((edits, name));
        }
    }
    found.sort_unstable();
    found.dedup();
    found.truncate(3);
    found.into_iter().map(|(_, name)| name).collect()
}

/// Edits (a letter more, less, or another) between two words: the textbook's table, one row at a time.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_was_meant() {
        let names = ["classify", "clarify", "area", "isTriangle"];
        assert_eq!(nearest("clasify", names.into_iter()), ["clarify", "classify"]);
        assert_eq!(nearest("istriangle", names.into_iter()), ["isTriangle"]);
        assert!(nearest("xyz", names.into_iter()).is_empty());
        assert_eq!((distance("", "abc"), distance("abc", "abc"), distance("kitten", "sitting")), (3, 0, 3));
    }
}
