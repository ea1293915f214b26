//! The errors of stores, with the place first and the way out last.

use std::fmt;
use std::io;

/// The kind of trouble, for callers that act on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// The operating system refused: disk full, no permission, no such directory.
    Io,
    /// The bytes differ from those written: half a file, a flipped bit.
    Damaged,
    /// The file or directory is something else than an Evergreen store or pack.
    Foreign,
    /// Written by a newer Evergreen.
    Newer,
    /// The server does not answer, or answers with an error.
    Unreachable,
    /// A bound was reached: a value too large, a queue too full.
    Bound,
    /// Another process is writing and does not finish.
    Busy,
    /// Another user owns it or can write to it.
    Unsafe,
    /// It can be read and not written: a read-only file system, no permission.
    Unwritable,
    /// The store's name or address is not understood.
    Spec,
}

/// An error of the outside world. Nothing stored is lost by it; callers treat it as a miss.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoreError {
    kind: ErrorKind,
    place: String,
    message: String,
    help: Option<String>,
}

impl StoreError {
    /// An error at a place (a path, an address).
    pub fn new(kind: ErrorKind, place: impl fmt::Display, message: impl Into<String>) -> StoreError {
        StoreError { kind, place: place.to_string(), message: message.into(), help: None }
    }

    /// The same error with a way out.
    pub fn help(mut self, help: impl Into<String>) -> StoreError {
        self.help = Some(help.into());
        self
    }

    pub(crate) fn io(place: impl fmt::Display, doing: &str, error: &io::Error) -> StoreError {
        let text = os_text(error);
        let made = StoreError::new(ErrorKind::Io, place, format!("cannot {doing}: {text}"));
        match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
                made.help("free some space, or prune the store")
            }
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                made.help("choose another directory, or open the store read-only")
            }
            _ => made,
        }
    }

    /// The same error as one of another kind.
    pub(crate) fn with_kind(mut self, kind: ErrorKind) -> StoreError {
        self.kind = kind;
        self
    }

    /// The same error with more text and without its way out.
    pub(crate) fn remark(mut self, more: &str) -> StoreError {
        self.message.push_str(more);
        self.help = None;
        self
    }

    /// The kind of trouble.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }
}

/// The system's words, in lower case and without the error number.
fn os_text(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or(&text);
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_lowercase().chain(letters).collect(),
        None => String::from("unknown error"),
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)?;
        if let Some(help) = &self.help {
            write!(f, "\nhelp: {help}")?;
        }
        Ok(())
    }
}

impl std::error::Error for StoreError {}
