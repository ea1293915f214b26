//! Errors in the text of a suite, with their place.

use std::fmt;
use std::path::PathBuf;

/// An error in a line of a suite.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Flaw {
    /// The line, counted from 1.
    pub line: usize,
    /// The error, and the expected text.
    pub what: String,
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.what)
    }
}

impl std::error::Error for Flaw {}

/// Why a suite on disk cannot be read or written.
#[derive(Debug)]
pub enum SuiteError {
    /// The text of a file is none of ours.
    Text {
        /// The file.
        file: PathBuf,
        /// The error.
        flaw: Flaw,
    },
    /// The system refused.
    Io {
        /// The file or folder.
        file: PathBuf,
        /// Why.
        error: std::io::Error,
    },
}

impl fmt::Display for SuiteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SuiteError::Text { file, flaw } => write!(f, "{}:{}: {}", file.display(), flaw.line, flaw.what),
            SuiteError::Io { file, error } => write!(f, "{}: {error}", file.display()),
        }
    }
}

impl std::error::Error for SuiteError {}
