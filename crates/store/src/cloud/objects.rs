//! What a store of packs needs of a service: objects under names, read, written, listed, deleted.
//!
//! The protocol above it (`mod.rs`, `publish.rs`) is written against this, so that tests can stop a runner
//! between any two requests, which no real server does on demand.

use std::time::{Duration, SystemTime};

use crate::StoreError;

/// How indexes are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Naming {
    /// Objects can be listed, replaced and deleted: indexes have random names in a folder.
    Listed,
    /// Objects are made once, and the newest one whose name begins with a text can be read: indexes have
    /// rising numbers. GitHub's cache is like that.
    Numbered,
}

/// How long a request may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Size {
    /// An index, a listing, a deletion.
    Small,
    /// A pack.
    Large,
}

/// What became of a write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Written {
    /// It is there.
    Done,
    /// The service makes objects only once, and somebody has begun or made this one.
    Exists,
}

/// A name in a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Listed {
    /// Without the folder.
    pub name: String,
    /// When it was written, by the server's clock, if the server says so.
    pub modified: Option<SystemTime>,
}

/// A service that keeps objects.
pub(crate) trait Objects: Send + Sync + 'static {
    /// Where it is, for messages: without credentials.
    fn place(&self) -> String;
    /// How indexes are found.
    fn naming(&self) -> Naming;
    /// An object of at most `most` bytes; `None` if it is not there.
    fn read(&self, name: &str, most: u64, size: Size) -> Result<Option<Vec<u8>>, StoreError>;
    /// Of the objects whose names begin with a text the newest one, with its name. Only for
    /// [`Naming::Numbered`].
    fn newest(&self, _prefix: &str, _most: u64) -> Result<Option<(String, Vec<u8>)>, StoreError> {
        Ok(None)
    }
    /// Makes or replaces an object. No reader sees half of it, unless the server is a poor one.
    fn write(&self, name: &str, bytes: &[u8], size: Size) -> Result<Written, StoreError>;
    /// The objects of a folder; `None` if the service does not list, as a plain web server does not.
    fn list(&self, folder: &str) -> Result<Option<Vec<Listed>>, StoreError>;
    /// How long a writer waits for an object that another one has begun to make. That one may be dead.
    fn patience(&self) -> Duration {
        Duration::ZERO
    }
    /// Deletes an object; one that is not there is no error.
    fn delete(&self, name: &str) -> Result<(), StoreError>;
}
