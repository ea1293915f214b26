//! Pruning: removing the least recently used entries until a store is small enough.

use std::ops::ControlFlow;

use crate::{Key, OldEntries, Store, StoreError, today};

/// The limits of a store.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PruneLimits {
    /// The most bytes of values; beyond it, the least recently used entries are removed.
    pub max_bytes: Option<u64>,
    /// Entries that were not used for more than this many days go.
    pub unused_days: Option<u32>,
}

/// The counts of a pruning.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Pruned {
    /// Entries removed.
    pub removed: u64,
    /// Bytes of their values.
    pub removed_bytes: u64,
    /// Entries left.
    pub kept: u64,
    /// Bytes of their values.
    pub kept_bytes: u64,
    /// Entries of earlier formats, which are removed whatever the limits are; not counted above.
    pub old: OldEntries,
}

/// How many keys are removed in one transaction.
const CHUNK_KEYS: usize = 100_000;

/// Removes entries of earlier formats, and then the least recently used ones until the limits hold. The file
/// of a disk store does not shrink; the room is used again.
pub fn prune(store: &dyn Store, limits: &PruneLimits) -> Result<Pruned, StoreError> {
    let old = store.remove_old()?;
    let mut entries = Vec::new();
    store.visit_usage(&mut |key, usage| {
        entries.push((usage.day, *key, usage.bytes));
        ControlFlow::Continue(())
    })?;
    entries.sort_unstable();
    let oldest = limits.unused_days.map_or(0, |days| today().saturating_sub(days));
    let limit = limits.max_bytes.unwrap_or(u64::MAX);
    let mut pruned =
        Pruned { kept_bytes: entries.iter().map(|entry| entry.2).sum(), old, ..Pruned::default() };
    let mut victims: Vec<Key> = Vec::new();
    for (day, key, bytes) in &entries {
        if *day >= oldest && pruned.kept_bytes <= limit {
            break;
        }
        victims.push(*key);
        pruned.removed_bytes += bytes;
        pruned.kept_bytes -= bytes;
    }
    pruned.removed = victims.len() as u64;
    pruned.kept = entries.len() as u64 - pruned.removed;
    for chunk in victims.chunks(CHUNK_KEYS) {
        store.remove(chunk)?;
    }
    store.flush()?;
    Ok(pruned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bytes, Memory, Origin, StoreStats, Usage, Visit};

    /// A memory store that says key `n` was used on day `today - n`.
    struct Aged(Memory);

    impl Store for Aged {
        fn describe(&self) -> String {
            self.0.describe()
        }
        fn get_from(&self, key: &Key) -> Result<Option<(Bytes, Origin)>, StoreError> {
            self.0.get_from(key)
        }
        fn put_from(&self, key: &Key, value: &[u8], origin: Origin) -> Result<(), StoreError> {
            self.0.put_from(key, value, origin)
        }
        fn flush(&self) -> Result<(), StoreError> {
            self.0.flush()
        }
        fn visit_from(&self, each: Visit<'_>) -> Result<(), StoreError> {
            self.0.visit_from(each)
        }
        fn visit_usage(
            &self,
            each: &mut dyn FnMut(&Key, Usage) -> ControlFlow<()>,
        ) -> Result<(), StoreError> {
            self.0.visit(&mut |key, value| {
                each(key, Usage { bytes: value.len() as u64, day: today() - u32::from(key.0[0]) })
            })
        }
        fn remove(&self, keys: &[Key]) -> Result<usize, StoreError> {
            self.0.remove(keys)
        }
        fn stats(&self) -> Result<StoreStats, StoreError> {
            self.0.stats()
        }
        fn origin(&self) -> Origin {
            self.0.origin()
        }
    }

    fn left(limits: PruneLimits) -> (Vec<u8>, Pruned) {
        let store = Aged(Memory::new(1 << 20));
        for age in 0..10 {
            store.put(&Key([age; 32]), &[0; 10]).unwrap();
        }
        let pruned = prune(&store, &limits).unwrap();
        let mut ages = Vec::new();
        store
            .visit(&mut |key, _| {
                ages.push(key.0[0]);
                ControlFlow::Continue(())
            })
            .unwrap();
        ages.sort();
        (ages, pruned)
    }

    #[test]
    fn the_least_recently_used_go_first() {
        let (ages, pruned) = left(PruneLimits { max_bytes: Some(35), unused_days: None });
        assert_eq!(ages, [0, 1, 2]);
        assert_eq!(
            pruned,
            Pruned { removed: 7, removed_bytes: 70, kept: 3, kept_bytes: 30, ..Pruned::default() }
        );
        let (ages, _) = left(PruneLimits { max_bytes: None, unused_days: Some(4) });
        assert_eq!(ages, [0, 1, 2, 3, 4]);
        let (ages, pruned) = left(PruneLimits::default());
        assert_eq!((ages.len(), pruned.removed), (10, 0));
    }
}
