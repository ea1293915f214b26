//! What keeps sources from becoming a program.

use std::fmt;
use std::path::Path;

/// Why there is no program. The text is a whole message: place first, `help:` last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CompileError {
    /// No compiler, or one that lacks a part.
    NoCompiler(String),
    /// The compiler or linker rejects the sources; its own output.
    Rejected(String),
    /// A file that cannot be read or written, a program that cannot be started.
    Io(String),
}

impl CompileError {
    pub(crate) fn io(path: &Path, error: impl fmt::Display) -> CompileError {
        CompileError::Io(format!("{}: {error}", path.display()))
    }
}

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (CompileError::NoCompiler(text) | CompileError::Rejected(text) | CompileError::Io(text)) = self;
        f.write_str(text)
    }
}

impl std::error::Error for CompileError {}
