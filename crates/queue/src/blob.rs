//! Bytes by their digest: data that many items need is sent once.

use crate::{Queue, QueueError};
use redis::cmd;
use std::fmt;
use std::time::Duration;

/// The server drops a blob that no process asked for in so many seconds.
const KEEP_S: u64 = 3 * 24 * 60 * 60;

/// The BLAKE3 digest of some bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Digest([u8; 32]);

impl Digest {
    /// Of these bytes.
    pub fn of(bytes: &[u8]) -> Digest {
        Digest(*blake3::hash(bytes).as_bytes())
    }

    /// From 64 digits.
    pub fn read(text: &str) -> Option<Digest> {
        Some(Digest(*blake3::Hash::from_hex(text).ok()?.as_bytes()))
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl Queue {
    /// Puts bytes where every worker finds them; bytes that the server has already are not sent.
    pub fn put_blob(&self, bytes: &[u8]) -> Result<Digest, QueueError> {
        let digest = Digest::of(bytes);
        let key = self.keys.blob(&digest.to_string());
        self.line.run(Duration::ZERO, |connection| {
            let known: bool = cmd("EXPIRE").arg(&key).arg(KEEP_S).query(connection)?;
            if known {
                return Ok(());
            }
            cmd("SET").arg(&key).arg(bytes).arg("EX").arg(KEEP_S).query::<()>(connection)
        })?;
        Ok(digest)
    }

    /// The bytes of a digest. They are checked: a worker explores exactly the submitted program, or none.
    pub fn blob(&self, digest: &Digest) -> Result<Option<Vec<u8>>, QueueError> {
        let key = self.keys.blob(&digest.to_string());
        let found: Option<Vec<u8>> =
            self.line.run(Duration::ZERO, |connection| cmd("GET").arg(&key).query(connection))?;
        match found {
            Some(bytes) if Digest::of(&bytes) != *digest => {
                let text = format!("{}: {key} holds other bytes than its digest says", self.name());
                Err(QueueError::Damaged(text))
            }
            found => Ok(found),
        }
    }
}
