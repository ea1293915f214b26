//! Work shared between machines through Redis streams: claimed, split, finished exactly once.
//!
//! A *job* is some bytes that say what to do (the spec) and *items*, bytes that say of which part. Workers
//! claim items one at a time, tell results of them, give parts of them away as new items, and finish them. A
//! job is over when none of its items is open. What the bytes mean is the caller's affair.
//!
//! Nothing is lost and nothing is counted twice, whoever dies when:
//! - An item belongs to a consumer of the stream's group until it is acknowledged. One that was not heard of
//!   for the job's timeout is claimed by the next worker that looks for work (XAUTOCLAIM).
//! - Results, the items given away, what is left of the item and its acknowledgement change together, in one
//!   script. So there is no moment at which a path is in a result and still in an open item, or in neither.
//! - Each item has a *version*, which every change replaces. A change names the version that it began with;
//!   one that comes late, because another worker has been faster, is refused as a whole ([`Verdict::Lost`]).
//!   Who is first does not matter: both have done the same.
//! - A change that was made although its answer got lost on the way is recognized when it is sent again,
//!   by the version that it set.
//!
//! A server that goes away is waited for. It has to keep what it knows (`appendonly yes`) for jobs to survive
//! its restart. The keys are drawn in `docs/distributed.md`.

mod blob;
mod gather;
mod heart;
mod job;
mod keys;
mod line;
mod worker;

pub use blob::Digest;
pub use gather::{Gather, Gathered, Told};
pub use heart::Heart;
pub use job::{JobId, JobInfo, JobSpec, JobState};
pub use line::{Patience, QueueError, Trouble};
pub use worker::{Beat, Claim, Look, Verdict, Worker};

use keys::Keys;
use line::Line;
use std::path::Path;
use std::sync::Arc;

/// A queue on a server. Cheap to clone; every clone has a connection of its own.
pub struct Queue {
    line: Line,
    keys: Arc<Keys>,
}

impl Queue {
    /// The queue at an address: `redis://[:password@]host[:port][/database]`, `rediss://` for
    /// TLS, `redis+unix:///path`.
    ///
    /// `certificates` (PEM) are trusted for `rediss://` in place of the system's. No connection is
    /// made before the first use.
    pub fn open(url: &str, certificates: Option<&Path>, patience: Patience) -> Result<Queue, QueueError> {
        let line = Line::open(url, certificates, patience)?;
        Ok(Queue { line, keys: Arc::new(Keys::default()) })
    }

    /// The address without its password.
    pub fn name(&self) -> &str {
        self.line.name()
    }

    /// The same queue with other patience: the last words of a program that was told to
    /// stop cannot wait for long.
    pub fn with_patience(&self, patience: Patience) -> Queue {
        Queue { line: self.line.with_patience(patience), keys: self.keys.clone() }
    }
}

impl Clone for Queue {
    fn clone(&self) -> Queue {
        Queue { line: self.line.clone(), keys: self.keys.clone() }
    }
}
