//! Bytes to bytes that outlive the process: memory, disk, Redis, layered stores, and packs.
//!
//! A store maps a [`Key`] (a digest) to bytes. It knows nothing about terms, solvers or answers. Its one promise is
//! that what it gives back was once put under that key: every entry that leaves the process travels in an envelope
//! with a checksum over key and value, so a flipped bit, a half-written file or a stranger's entry is a miss and never
//! garbage. What a store cannot do (disk full, server gone) is an error value; callers treat it as a miss.
//!
//! ```
//! use evergreen_store::{Key, OpenOptions, open};
//!
//! let store = open("memory:", &OpenOptions::default())?;
//! let key = Key([7; 32]);
//! store.put(&key, b"unsat")?;
//! assert_eq!(store.get(&key)?.as_deref(), Some(&b"unsat"[..]));
//! # Ok::<(), evergreen_store::StoreError>(())
//! ```
//!
//! The bytes on disk, in Redis and in packs are drawn in `docs/store-format.md`.

mod address;
mod behind;
mod bucket;
mod disk;
mod envelope;
mod error;
mod key;
mod layered;
mod memory;
mod merge;
mod mode;
mod open;
mod pack;
mod prune;
mod redis;
mod stats;
mod verify;

use std::ops::ControlFlow;
use std::sync::Arc;

pub use address::{RedisAddress, redis_text};
pub use bucket::Bucket;
pub use disk::{Disk, default_path};
pub use envelope::{FORMAT_VERSION, MAX_VALUE_BYTES};
pub use error::{ErrorKind, StoreError};
pub use key::{DigestMap, Key};
pub use layered::{Layered, OnTrouble, Spread};
pub use memory::Memory;
pub use merge::{Choice, Merged, merge};
pub use mode::{Mode, ReadOnly};
pub use open::{OpenOptions, expand, open, open_layers};
pub use pack::{PackReader, export, import};
pub use prune::{PruneLimits, Pruned, prune};
pub use redis::Redis;
pub use stats::{LayerStats, Origin, StoreStats, Usage, today};
pub use verify::{CheckValue, Verified, verify};

/// A stored value: shared, so that a hit in memory costs no copy.
pub type Bytes = Arc<[u8]>;

/// What every back end can do.
///
/// All methods take `&self` and may be called from many threads at once.
pub trait Store: Send + Sync {
    /// Where this store is, for people: `disk /path`, `redis redis://host:6379/0` (a password is hidden).
    fn describe(&self) -> String;

    /// The value of a key. A damaged entry is a miss and counts as `damaged`.
    fn get(&self, key: &Key) -> Result<Option<Bytes>, StoreError>;

    /// The values of many keys, in the order of the keys; over a network in one round trip.
    fn get_many(&self, keys: &[Key]) -> Result<Vec<Option<Bytes>>, StoreError> {
        keys.iter().map(|key| self.get(key)).collect()
    }

    /// Sets the value of a key. It may be buffered, but this process sees it at once.
    fn put(&self, key: &Key, value: &[u8]) -> Result<(), StoreError>;

    /// Adds a value to a bucket; adding what is there changes nothing.
    fn put_in(&self, bucket: &Bucket, value: &[u8]) -> Result<(), StoreError> {
        self.put(&bucket.member(value), value)
    }

    /// All values of a bucket, in no particular order, those that this process put in and not yet wrote included.
    fn list(&self, bucket: &Bucket) -> Result<Vec<Bytes>, StoreError> {
        bucket::list_by_visiting(self, bucket)
    }

    /// A number that changes whenever anyone may have added to a bucket, and by one for each value that was added through this
    /// store; `None` where that cannot be told. For those who would otherwise list everything again.
    fn additions(&self) -> Option<u64> {
        None
    }

    /// The value of a key and where it came from.
    fn get_from(&self, key: &Key) -> Result<Option<(Bytes, Origin)>, StoreError> {
        Ok(self.get(key)?.map(|value| (value, self.origin())))
    }

    /// As [`Store::get_many`], each value with where it came from.
    fn get_many_from(&self, keys: &[Key]) -> Result<Vec<Option<(Bytes, Origin)>>, StoreError> {
        let found = self.get_many(keys)?;
        Ok(found.into_iter().map(|value| value.map(|value| (value, self.origin()))).collect())
    }

    /// As [`Store::list`], each value with where it came from; of a value that is in several places, the nearest.
    fn list_from(&self, bucket: &Bucket) -> Result<Vec<(Bytes, Origin)>, StoreError> {
        Ok(self.list(bucket)?.into_iter().map(|value| (value, self.origin())).collect())
    }

    /// Says that an entry that came from a network was checked and is true: it is put where only such entries may go,
    /// into the layers on this machine. Without layers there is nothing to do.
    fn confirm(&self, _key: &Key, _value: &[u8]) -> Result<(), StoreError> {
        Ok(())
    }

    /// Returns when everything put so far is durable (or sent, for a network store).
    fn flush(&self) -> Result<(), StoreError>;

    /// Calls `each` once for every intact entry, in no particular order, until it breaks.
    fn visit(&self, each: &mut dyn FnMut(&Key, &[u8]) -> ControlFlow<()>) -> Result<(), StoreError>;

    /// Calls `each` once for every entry with its size and the day it was last used.
    ///
    /// A store that does not track use reports every entry as used today.
    fn visit_usage(&self, each: &mut dyn FnMut(&Key, Usage) -> ControlFlow<()>) -> Result<(), StoreError> {
        let day = today();
        self.visit(&mut |key, value| each(key, Usage { bytes: value.len() as u64, day }))
    }

    /// Calls `each` for every stored entry, `None` for one whose envelope is damaged, and returns what else is wrong
    /// (unreadable pages and the like). For [`verify`].
    fn inspect(&self, each: &mut dyn FnMut(&Key, Option<&[u8]>)) -> Result<Vec<String>, StoreError> {
        self.visit(&mut |key, value| {
            each(key, Some(value));
            ControlFlow::Continue(())
        })?;
        Ok(Vec::new())
    }

    /// Removes keys; returns how many of them were there.
    fn remove(&self, keys: &[Key]) -> Result<usize, StoreError>;

    /// Sizes and counters. May walk the whole store.
    fn stats(&self) -> Result<StoreStats, StoreError>;

    /// Whether the bytes come from this machine or from others, for decisions of trust.
    fn origin(&self) -> Origin;
}

impl<S: Store + ?Sized> Store for Arc<S> {
    fn describe(&self) -> String {
        (**self).describe()
    }
    fn get(&self, key: &Key) -> Result<Option<Bytes>, StoreError> {
        (**self).get(key)
    }
    fn get_many(&self, keys: &[Key]) -> Result<Vec<Option<Bytes>>, StoreError> {
        (**self).get_many(keys)
    }
    fn put(&self, key: &Key, value: &[u8]) -> Result<(), StoreError> {
        (**self).put(key, value)
    }
    fn put_in(&self, bucket: &Bucket, value: &[u8]) -> Result<(), StoreError> {
        (**self).put_in(bucket, value)
    }
    fn list(&self, bucket: &Bucket) -> Result<Vec<Bytes>, StoreError> {
        (**self).list(bucket)
    }
    fn additions(&self) -> Option<u64> {
        (**self).additions()
    }
    fn get_from(&self, key: &Key) -> Result<Option<(Bytes, Origin)>, StoreError> {
        (**self).get_from(key)
    }
    fn get_many_from(&self, keys: &[Key]) -> Result<Vec<Option<(Bytes, Origin)>>, StoreError> {
        (**self).get_many_from(keys)
    }
    fn list_from(&self, bucket: &Bucket) -> Result<Vec<(Bytes, Origin)>, StoreError> {
        (**self).list_from(bucket)
    }
    fn confirm(&self, key: &Key, value: &[u8]) -> Result<(), StoreError> {
        (**self).confirm(key, value)
    }
    fn flush(&self) -> Result<(), StoreError> {
        (**self).flush()
    }
    fn visit(&self, each: &mut dyn FnMut(&Key, &[u8]) -> ControlFlow<()>) -> Result<(), StoreError> {
        (**self).visit(each)
    }
    fn visit_usage(&self, each: &mut dyn FnMut(&Key, Usage) -> ControlFlow<()>) -> Result<(), StoreError> {
        (**self).visit_usage(each)
    }
    fn inspect(&self, each: &mut dyn FnMut(&Key, Option<&[u8]>)) -> Result<Vec<String>, StoreError> {
        (**self).inspect(each)
    }
    fn remove(&self, keys: &[Key]) -> Result<usize, StoreError> {
        (**self).remove(keys)
    }
    fn stats(&self) -> Result<StoreStats, StoreError> {
        (**self).stats()
    }
    fn origin(&self) -> Origin {
        (**self).origin()
    }
}
