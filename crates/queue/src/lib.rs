//! Work shared between machines through Redis streams: claimed, split, finished exactly once.
//!
//! A *job* is a spec (bytes that say what to do) and *items* (bytes that say of which part). Workers claim
//! items one at a time, report results, give parts away as new items, and finish them. A job is over when
//! none of its items is open. Only the caller interprets the bytes.
//!
//! No result is lost and none is counted twice, whichever process dies at whatever moment:
//! - An item belongs to a consumer of the stream's group until it is acknowledged. The next worker that looks
//!   for work claims an item without a heartbeat for the job's timeout (XAUTOCLAIM).
//! - Results, the items given away, the rest of the item and its acknowledgement change together, in one
//!   script. So there is no moment at which a path is in a result and still in an open item, or in neither.
//! - Each item has a *version*, which every change replaces. A change names the version that it began with; a
//!   late change, because another worker has been faster, is refused as a whole ([`Verdict::Lost`]). Which
//!   worker is first does not matter: both have done the same work.
//! - If the answer to a change gets lost, the worker sends the change again, and the server recognizes it
//!   by the version that it set.
//!
//! Clients wait for a server that goes away. Jobs survive its restart if it persists its data (`appendonly
//! yes`). The keys are drawn in `docs/distributed.md`.

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

    /// The same queue with other patience: the final reports of an interrupted program cannot wait for long.
    pub fn with_patience(&self, patience: Patience) -> Queue {
        Queue { line: self.line.with_patience(patience), keys: self.keys.clone() }
    }
}

impl Clone for Queue {
    fn clone(&self) -> Queue {
        Queue { line: self.line.clone(), keys: self.keys.clone() }
    }
}
