//! Bytes to bytes that outlive the process: memory, disk, Redis, object storage, layered stores, and packs.
//!
//! A store maps a [`Key`] (a digest) to bytes. It knows nothing about terms, solvers or answers. Its one
//! promise: a value that it returns was once put under that key. Every entry that leaves the process
//! travels in an envelope with a checksum over key and value, so a flipped bit, a half-written file or a
//! foreign entry is a miss and never garbage. A failure (disk full, server gone) is an error value;
//! callers treat it as a miss.
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
//! The bytes on disk, in Redis and in packs are drawn in `docs/store-format.md`, those in object storage in
//! `docs/bucket-format.md`.
//!
//! # Features
//! All but `cloud` are on by default. Without any, `memory:` is the only kind of store, and xxhash the only
//! dependency.
//!
//! | feature | adds |
//! |---|---|
//! | `disk` | stores in directories: [`Disk`], [`default_path`]; LMDB |
//! | `redis` | stores on a Redis or Valkey server: [`Redis`], [`RedisAddress`]; the client library |
//! | `tls` | `rediss://` addresses; rustls. Includes `redis` |
//! | `cloud` | stores in object storage, `Cloud`: `s3://`, `gs://`, `azblob://`, `http(s)://`, `ghac://` |
//!
//! A build without a feature understands the names of its stores and refuses them with the feature's name.

// Write-behind queues, envelopes and the like are written for several kinds of store.
#![cfg_attr(not(all(feature = "disk", feature = "redis")), allow(dead_code))]

#[cfg(feature = "redis")]
mod address;
#[cfg(any(feature = "disk", feature = "redis"))]
mod behind;
mod bucket;
#[cfg(feature = "cloud")]
mod cloud;
#[cfg(feature = "disk")]
mod disk;
mod envelope;
mod error;
mod key;
mod layered;
mod memory;
mod merge;
mod mode;
mod open;
mod origin;
mod pack;
mod prune;
#[cfg(feature = "redis")]
mod redis;
#[cfg(feature = "redis")]
mod reply;
mod safety;
mod stats;
#[cfg(feature = "tls")]
mod tls;
mod verify;

use std::ops::ControlFlow;
use std::sync::Arc;

#[cfg(feature = "redis")]
pub use address::{RedisAddress, redis_text};
pub use bucket::Bucket;
#[cfg(feature = "cloud")]
pub use cloud::Cloud;
#[cfg(feature = "disk")]
pub use disk::{Disk, default_path};
pub use envelope::{FORMAT_VERSION, MAX_VALUE_BYTES};
pub use error::{ErrorKind, StoreError};
pub use key::{DigestMap, Key};
pub use layered::{Layered, OnTrouble, Spread};
pub use memory::Memory;
pub use merge::{Accept, Choice, Merged, Taking, merge};
pub use mode::{Mode, ReadOnly};
pub use open::{OpenOptions, expand, open, open_layers};
pub use origin::Origin;
pub use pack::{PackEntry, PackReader, export, import};
pub use prune::{PruneLimits, Pruned, prune};
#[cfg(feature = "redis")]
pub use redis::Redis;
#[cfg(feature = "redis")]
pub use reply::RedisConnection;
pub use safety::SafeStores;
pub use stats::{LayerStats, OldEntries, StoreStats, Usage, today};
pub use verify::{CheckValue, Verified, verify};

/// A stored value: shared, so that a hit in memory costs no copy.
pub type Bytes = Arc<[u8]>;

/// The interface of every back end.
///
/// All methods take `&self` and may be called from many threads at once. Those that every back end has to
/// write carry the origin of each entry; the ones without are made from them, so that no wrapper loses an
/// origin by accident.
pub trait Store: Send + Sync {
    /// Where this store is, for people: `disk /path`, `redis redis://host:6379/0` (a password is hidden).
    fn describe(&self) -> String;

    /// The value of a key and where it came from. A damaged entry is a miss and counts as `damaged`; one of
    /// an earlier format is a miss.
    fn get_from(&self, key: &Key) -> Result<Option<(Bytes, Origin)>, StoreError>;

    /// As [`Store::get_from`] for many keys, in the order of the keys; over a network in one round trip.
    fn get_many_from(&self, keys: &[Key]) -> Result<Vec<Option<(Bytes, Origin)>>, StoreError> {
        keys.iter().map(|key| self.get_from(key)).collect()
    }

    /// The value of a key.
    fn get(&self, key: &Key) -> Result<Option<Bytes>, StoreError> {
        Ok(self.get_from(key)?.map(|(value, _)| value))
    }

    /// The values of many keys, in the order of the keys.
    fn get_many(&self, keys: &[Key]) -> Result<Vec<Option<Bytes>>, StoreError> {
        let found = self.get_many_from(keys)?;
        Ok(found.into_iter().map(|value| value.map(|(value, _)| value)).collect())
    }

    /// Sets the value of a key, which came from `origin`. It may be buffered, but this process sees it at
    /// once. An imported value never replaces one that was found here.
    fn put_from(&self, key: &Key, value: &[u8], origin: Origin) -> Result<(), StoreError>;

    /// Sets the value of a key that was found on this machine.
    fn put(&self, key: &Key, value: &[u8]) -> Result<(), StoreError> {
        self.put_from(key, value, Origin::Local)
    }

    /// Adds a value that was found on this machine to a bucket; adding an existing value changes nothing.
    fn put_in(&self, bucket: &Bucket, value: &[u8]) -> Result<(), StoreError> {
        self.put(&bucket.member(value), value)
    }

    /// All values of a bucket, in no particular order, including those that wait to be written, each with its
    /// origin; a value in several places has the nearest origin.
    fn list_from(&self, bucket: &Bucket) -> Result<Vec<(Bytes, Origin)>, StoreError> {
        bucket::list_by_visiting(self, bucket)
    }

    /// As [`Store::list_from`], without origins.
    fn list(&self, bucket: &Bucket) -> Result<Vec<Bytes>, StoreError> {
        Ok(self.list_from(bucket)?.into_iter().map(|(value, _)| value).collect())
    }

    /// A number that changes whenever any process may have added to a bucket, and by one for each value
    /// that was added through this store; `None` where the store cannot know. For callers that would
    /// otherwise list every bucket again.
    fn additions(&self) -> Option<u64> {
        None
    }

    /// Marks an imported entry as checked and true: from now on it counts as found on this machine. A store
    /// on a network does nothing.
    fn confirm(&self, _key: &Key, _value: &[u8]) -> Result<(), StoreError> {
        Ok(())
    }

    /// Returns when everything put so far is durable (or sent, for a network store).
    fn flush(&self) -> Result<(), StoreError>;

    /// Calls `each` once for every intact entry of this format, in no particular order, until it breaks.
    fn visit_from(&self, each: Visit<'_>) -> Result<(), StoreError>;

    /// As [`Store::visit_from`], without origins.
    fn visit(&self, each: &mut dyn FnMut(&Key, &[u8]) -> ControlFlow<()>) -> Result<(), StoreError> {
        self.visit_from(&mut |key, value, _| each(key, value))
    }

    /// Calls `each` once for every entry of this format with its size and the day it was last used.
    ///
    /// A store that does not track use reports every entry as used today.
    fn visit_usage(&self, each: &mut dyn FnMut(&Key, Usage) -> ControlFlow<()>) -> Result<(), StoreError> {
        let day = today();
        self.visit(&mut |key, value| each(key, Usage { bytes: value.len() as u64, day }))
    }

    /// Calls `each` for every stored entry of this format, `None` for one whose envelope is damaged, and
    /// returns what else is wrong (unreadable pages and the like). For [`verify`].
    fn inspect(&self, each: &mut dyn FnMut(&Key, Option<&[u8]>)) -> Result<Vec<String>, StoreError> {
        self.visit(&mut |key, value| {
            each(key, Some(value));
            ControlFlow::Continue(())
        })?;
        Ok(Vec::new())
    }

    /// Counts the entries of earlier formats, which are never read.
    fn old_entries(&self) -> Result<OldEntries, StoreError> {
        Ok(OldEntries::default())
    }

    /// Removes the entries of earlier formats; returns their number and size.
    fn remove_old(&self) -> Result<OldEntries, StoreError> {
        Ok(OldEntries::default())
    }

    /// Removes keys; returns how many of them were there.
    fn remove(&self, keys: &[Key]) -> Result<usize, StoreError>;

    /// Sizes and counters. May walk the whole store.
    fn stats(&self) -> Result<StoreStats, StoreError>;

    /// Whether the store is on this machine or elsewhere, for decisions of trust. Single entries may be of
    /// other origin.
    fn origin(&self) -> Origin;
}

/// Called for each entry of a walk: key, value, origin.
pub type Visit<'a> = &'a mut dyn FnMut(&Key, &[u8], Origin) -> ControlFlow<()>;

impl<S: Store + ?Sized> Store for Arc<S> {
    fn describe(&self) -> String {
        (**self).describe()
    }
    fn get_from(&self, key: &Key) -> Result<Option<(Bytes, Origin)>, StoreError> {
        (**self).get_from(key)
    }
    fn get_many_from(&self, keys: &[Key]) -> Result<Vec<Option<(Bytes, Origin)>>, StoreError> {
        (**self).get_many_from(keys)
    }
    fn put_from(&self, key: &Key, value: &[u8], origin: Origin) -> Result<(), StoreError> {
        (**self).put_from(key, value, origin)
    }
    fn put_in(&self, bucket: &Bucket, value: &[u8]) -> Result<(), StoreError> {
        (**self).put_in(bucket, value)
    }
    fn list_from(&self, bucket: &Bucket) -> Result<Vec<(Bytes, Origin)>, StoreError> {
        (**self).list_from(bucket)
    }
    fn additions(&self) -> Option<u64> {
        (**self).additions()
    }
    fn confirm(&self, key: &Key, value: &[u8]) -> Result<(), StoreError> {
        (**self).confirm(key, value)
    }
    fn flush(&self) -> Result<(), StoreError> {
        (**self).flush()
    }
    fn visit_from(&self, each: Visit<'_>) -> Result<(), StoreError> {
        (**self).visit_from(each)
    }
    fn visit_usage(&self, each: &mut dyn FnMut(&Key, Usage) -> ControlFlow<()>) -> Result<(), StoreError> {
        (**self).visit_usage(each)
    }
    fn inspect(&self, each: &mut dyn FnMut(&Key, Option<&[u8]>)) -> Result<Vec<String>, StoreError> {
        (**self).inspect(each)
    }
    fn old_entries(&self) -> Result<OldEntries, StoreError> {
        (**self).old_entries()
    }
    fn remove_old(&self) -> Result<OldEntries, StoreError> {
        (**self).remove_old()
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
