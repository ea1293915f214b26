//! Paths as lines of text, written on the thread that found them; the reporting thread only inserts the
//! numbers.

use crate::{Beyond, Detail, Language, PathEnd};

/// A path as a line of text. The thread that writes the line does not know its number, which is inserted
/// later.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PathLine {
    /// All of it but the number.
    pub text: String,
    /// Where the number belongs, if the line shows one.
    pub number_at: Option<usize>,
}

impl PathLine {
    /// What comes before the number, and what comes after it; `None` if the line shows no number.
    pub fn around_number(&self) -> Option<(&str, &str)> {
        self.number_at.and_then(|at| self.text.split_at_checked(at))
    }
}

/// How the lines of paths are written.
#[derive(Debug)]
pub struct PathLines<L: Language> {
    /// Writes one.
    pub write: fn(&L::Entry, &PathEnd<L>) -> PathLine,
    /// What is left of a path beside its line.
    pub beside: Detail,
}

impl<L: Language> Clone for PathLines<L> {
    fn clone(&self) -> PathLines<L> {
        *self
    }
}

impl<L: Language> Copy for PathLines<L> {}

impl<L: Language> PathLines<L> {
    /// Gives a path its line, and drops what no report shows besides.
    pub(crate) fn add(&self, entry: &L::Entry, path: &mut PathEnd<L>) {
        path.line = Some((self.write)(entry, path));
        if self.beside == Detail::Brief && path.how.severity().is_none() {
            path.conditions = Vec::new();
            path.stops = Vec::new();
            path.beyond.shorten();
        }
    }
}
