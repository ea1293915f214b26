//! Counters and sizes of a store.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{SystemTime, UNIX_EPOCH};

/// The size of an entry and when it was last used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Usage {
    /// Bytes of the value.
    pub bytes: u64,
    /// Days since 1970-01-01 (UTC).
    pub day: u32,
}

/// Entries of earlier formats: they are not read, because the builds that wrote them could record false
/// answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OldEntries {
    /// How many there are.
    pub entries: u64,
    /// Bytes of their values.
    pub bytes: u64,
}

impl OldEntries {
    pub(crate) fn count(&mut self, bytes: u64) {
        self.entries += 1;
        self.bytes += bytes;
    }
}

impl std::ops::Add for OldEntries {
    type Output = OldEntries;

    fn add(self, other: OldEntries) -> OldEntries {
        OldEntries { entries: self.entries + other.entries, bytes: self.bytes + other.bytes }
    }
}

/// Sizes, and what this process did since it opened the store.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StoreStats {
    /// Entries in the store.
    pub entries: u64,
    /// Bytes of the values.
    pub bytes: u64,
    /// Bytes that the store takes on disk or in memory, where known.
    pub occupied: u64,
    /// Keys looked up.
    pub gets: u64,
    /// Keys found.
    pub hits: u64,
    /// Keys found in the map in front of the store.
    pub front_hits: u64,
    /// Entries put.
    pub puts: u64,
    /// Operations that failed.
    pub errors: u64,
    /// Entries that were damaged and therefore missed.
    pub damaged: u64,
    /// Puts that were dropped (queue full, server unreachable, read-only).
    pub dropped: u64,
    /// Entries evicted to stay within bounds.
    pub evicted: u64,
    /// One line per layer of a layered store.
    pub layers: Vec<LayerStats>,
}

/// The counters of one layer of a layered store.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LayerStats {
    /// The layer's own description.
    pub name: String,
    /// Keys looked up here because no earlier layer had them.
    pub gets: u64,
    /// Keys found here.
    pub hits: u64,
    /// Entries put here, including those that spread from other layers.
    pub puts: u64,
    /// Operations that failed here.
    pub errors: u64,
    /// Entries not spread because the queue was full.
    pub dropped: u64,
}

/// Days since 1970-01-01 (UTC), the resolution of least-recently-used pruning.
pub fn today() -> u32 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u32::try_from(since.as_secs() / 86_400).unwrap_or(u32::MAX)
}

/// The counters that every back end keeps.
#[derive(Debug, Default)]
pub(crate) struct Counters {
    pub gets: AtomicU64,
    pub hits: AtomicU64,
    pub front_hits: AtomicU64,
    pub puts: AtomicU64,
    pub errors: AtomicU64,
    pub damaged: AtomicU64,
    pub dropped: AtomicU64,
}

impl Counters {
    pub(crate) fn add(counter: &AtomicU64, count: usize) {
        counter.fetch_add(count as u64, Relaxed);
    }

    /// Counts an error and passes it on.
    pub(crate) fn check<T, E>(&self, result: Result<T, E>) -> Result<T, E> {
        if result.is_err() {
            Counters::add(&self.errors, 1);
        }
        result
    }

    pub(crate) fn fill(&self, stats: &mut StoreStats) {
        stats.gets = self.gets.load(Relaxed);
        stats.hits = self.hits.load(Relaxed);
        stats.front_hits = self.front_hits.load(Relaxed);
        stats.puts = self.puts.load(Relaxed);
        stats.errors = self.errors.load(Relaxed);
        stats.damaged = self.damaged.load(Relaxed);
        stats.dropped = self.dropped.load(Relaxed);
    }
}
