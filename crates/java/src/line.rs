//! Paths as lines of text, written by whoever found them, on its thread: whoever tells them in order only puts the numbers in.

use super::ending::{Detail, PathEnd};
use super::program::MethodRef;

/// A path as a line of text. Its number is not known to whoever writes the line, and goes in between.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PathLine {
    /// All of it but the number.
    pub text: String,
    /// Where the number belongs, if it is to be told.
    pub number_at: Option<usize>,
}

impl PathLine {
    /// What comes before the number, and what behind it; none if no number is told.
    pub fn around_number(&self) -> Option<(&str, &str)> {
        self.number_at.and_then(|at| self.text.split_at_checked(at))
    }
}

/// How the lines of paths are written.
#[derive(Clone, Copy, Debug)]
pub struct PathLines {
    /// Writes one.
    pub write: fn(&MethodRef, &PathEnd) -> PathLine,
    /// What is left of a path beside its line.
    pub beside: Detail,
}

impl PathLines {
    /// Gives a path its line, and drops what nobody looks at besides.
    pub(super) fn add(&self, method: &MethodRef, path: &mut PathEnd) {
        path.line = Some((self.write)(method, path));
        if self.beside == Detail::Brief && !path.how.is_finding() {
            path.conditions = Vec::new();
            path.stops = Vec::new();
            path.shapes = Vec::new();
        }
    }
}
