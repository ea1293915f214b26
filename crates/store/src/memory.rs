//! The store in memory: bounded by bytes, concurrent, and as fast as a map can be.
//!
//! Sharded locks around digest-keyed maps. Eviction is second chance ("clock"): a hit only sets a mark, which
//! is why a hit needs no list surgery; the hand clears a mark or evicts.

use std::collections::{HashMap, HashSet, VecDeque};
use std::hash::BuildHasherDefault;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::bucket;
use crate::key::DigestHasher;
use crate::stats::Counters;
use crate::{Bucket, Bytes, DigestMap, Key, Origin, Store, StoreError, StoreStats, Visit};

/// The bytes of an entry beside its value: key, map slot, ring slot, reference counts.
const ENTRY_OVERHEAD_BYTES: usize = 128;
const SHARDS: usize = 64;

/// A bounded map from keys to values; nothing outlives the process.
pub struct Memory {
    shards: Box<[Mutex<Shard>]>,
    bytes_per_shard: usize,
    counters: Counters,
    evicted: AtomicU64,
    /// The members of each bucket that are in the map.
    buckets: Mutex<HashMap<Bucket, Members, BuildHasherDefault<DigestHasher>>>,
    additions: AtomicU64,
}

/// The later halves of the keys of a bucket's members: digests, as the names of buckets are.
type Members = HashSet<[u8; 16], BuildHasherDefault<DigestHasher>>;

#[derive(Default)]
struct Shard {
    map: DigestMap<Slot>,
    /// The clock's face. May hold keys that were removed since.
    ring: VecDeque<Key>,
    bytes: usize,
}

struct Slot {
    value: Bytes,
    origin: Origin,
    used: bool,
    /// Whether the side index must be updated when the entry is evicted.
    is_member: bool,
}

/// The entries evicted from a shard.
#[derive(Default)]
struct Evicted {
    count: u64,
    members: Vec<Key>,
}

impl Memory {
    /// A store that holds about `bytes` bytes.
    pub fn new(bytes: usize) -> Memory {
        Memory {
            shards: (0..SHARDS).map(|_| Mutex::default()).collect(),
            bytes_per_shard: bytes / SHARDS,
            counters: Counters::default(),
            evicted: AtomicU64::new(0),
            buckets: Mutex::default(),
            additions: AtomicU64::new(0),
        }
    }

    fn shard(&self, key: &Key) -> MutexGuard<'_, Shard> {
        lock(&self.shards[key.shard(SHARDS)])
    }

    /// The value of a key, without counting; for use in front of another store.
    pub(crate) fn peek(&self, key: &Key) -> Option<(Bytes, Origin)> {
        let mut shard = self.shard(key);
        let slot = shard.map.get_mut(key)?;
        slot.used = true;
        Some((slot.value.clone(), slot.origin))
    }

    /// Sets a value; an imported value does not replace one that was found here.
    pub(crate) fn insert(&self, key: Key, value: Bytes, origin: Origin) {
        let slot = Slot { value, origin, used: false, is_member: false };
        let mut shard = self.shard(&key);
        if shard.map.get(&key).is_none_or(|old| origin.may_replace(old.origin)) {
            let evicted = shard.insert(key, slot, self.bytes_per_shard);
            drop(shard);
            self.note(evicted);
        }
    }

    /// Inserts an entry read from another store, unless a put was faster.
    pub(crate) fn insert_absent(&self, key: Key, value: Bytes, origin: Origin) {
        let mut shard = self.shard(&key);
        if !shard.map.contains_key(&key) {
            let slot = Slot { value, origin, used: false, is_member: false };
            let evicted = shard.insert(key, slot, self.bytes_per_shard);
            drop(shard);
            self.note(evicted);
        }
    }

    fn note(&self, evicted: Evicted) {
        if evicted.count > 0 {
            self.evicted.fetch_add(evicted.count, Relaxed);
        }
        evicted.members.iter().for_each(|key| self.unlist(key));
    }

    /// Removes a key that left the map from the side index, unless the key returned meanwhile: the map is
    /// written first and the index second, so a key that the map has under the index's lock stays listed.
    fn unlist(&self, key: &Key) {
        let mut buckets = lock(&self.buckets);
        if self.shard(key).map.get(key).is_some_and(|slot| slot.is_member) {
            return;
        }
        let (bucket, tail) = bucket::split(key);
        if let Some(members) = buckets.get_mut(&bucket) {
            members.remove(&tail);
            if members.is_empty() {
                buckets.remove(&bucket);
            }
        }
    }

    pub(crate) fn forget(&self, key: &Key) -> bool {
        let gone = self.shard(key).forget(key);
        if gone.as_ref().is_some_and(|slot| slot.is_member) {
            self.unlist(key);
        }
        gone.is_some()
    }
}

impl Shard {
    fn insert(&mut self, key: Key, slot: Slot, limit: usize) -> Evicted {
        self.bytes += cost(&slot.value);
        let mut evicted = Evicted::default();
        match self.map.insert(key, slot) {
            Some(old) => {
                self.bytes -= cost(&old.value);
                evicted.members.extend(old.is_member.then_some(key));
            }
            None => self.ring.push_back(key),
        }
        // The newest entry stays, however large: a put must be visible.
        while self.bytes > limit && self.map.len() > 1 {
            let Some(candidate) = self.ring.pop_front() else { break };
            match self.map.get_mut(&candidate) {
                None => {}
                Some(slot) if slot.used || candidate == key => {
                    slot.used = false;
                    self.ring.push_back(candidate);
                }
                Some(_) => {
                    let gone = self.forget(&candidate);
                    evicted.members.extend(gone.filter(|slot| slot.is_member).map(|_| candidate));
                    evicted.count += 1;
                }
            }
        }
        if self.ring.len() > 2 * self.map.len() + 16 {
            self.ring = self.map.keys().copied().collect();
        }
        evicted
    }

    fn forget(&mut self, key: &Key) -> Option<Slot> {
        let old = self.map.remove(key)?;
        self.bytes -= cost(&old.value);
        Some(old)
    }
}

fn cost(value: &Bytes) -> usize {
    value.len() + ENTRY_OVERHEAD_BYTES
}

/// Locks; the data stay whole when a thread panics while holding the lock, since no update stops half-way.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Store for Memory {
    fn describe(&self) -> String {
        String::from("memory")
    }

    fn get_from(&self, key: &Key) -> Result<Option<(Bytes, Origin)>, StoreError> {
        let found = self.peek(key);
        Counters::add(&self.counters.gets, 1);
        Counters::add(&self.counters.hits, usize::from(found.is_some()));
        Ok(found)
    }

    fn put_from(&self, key: &Key, value: &[u8], origin: Origin) -> Result<(), StoreError> {
        crate::envelope::check_size("memory", value)?;
        Counters::add(&self.counters.puts, 1);
        let (bucket, origin) = (Bucket::of(key, value), origin.copied());
        let slot = Slot { value: value.into(), origin, used: false, is_member: bucket.is_some() };
        let mut shard = self.shard(key);
        if shard.map.get(key).is_some_and(|old| !origin.may_replace(old.origin)) {
            return Ok(());
        }
        let evicted = shard.insert(*key, slot, self.bytes_per_shard);
        drop(shard);
        if let Some(bucket) = bucket {
            self.additions.fetch_add(1, Relaxed);
            lock(&self.buckets).entry(bucket).or_default().insert(bucket::split(key).1);
        }
        self.note(evicted);
        Ok(())
    }

    fn confirm(&self, key: &Key, value: &[u8]) -> Result<(), StoreError> {
        self.put(key, value)
    }

    fn list_from(&self, bucket: &Bucket) -> Result<Vec<(Bytes, Origin)>, StoreError> {
        let tails: Vec<[u8; 16]> = lock(&self.buckets)
            .get(bucket)
            .map_or_else(Vec::new, |members| members.iter().copied().collect());
        let member = |tail: &[u8; 16]| {
            let key = bucket.key(tail);
            let mut shard = self.shard(&key);
            let slot = shard.map.get_mut(&key).filter(|slot| slot.is_member)?;
            slot.used = true;
            Some((slot.value.clone(), slot.origin))
        };
        Ok(tails.iter().filter_map(member).collect())
    }

    fn additions(&self) -> Option<u64> {
        Some(self.additions.load(Relaxed))
    }

    fn flush(&self) -> Result<(), StoreError> {
        Ok(())
    }

    fn visit_from(&self, each: Visit<'_>) -> Result<(), StoreError> {
        for shard in &self.shards {
            // Copied out, so that `each` may use the store.
            let entries: Vec<(Key, Bytes, Origin)> =
                lock(shard).map.iter().map(|(key, slot)| (*key, slot.value.clone(), slot.origin)).collect();
            for (key, value, origin) in entries {
                if each(&key, &value, origin).is_break() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    fn remove(&self, keys: &[Key]) -> Result<usize, StoreError> {
        Ok(keys.iter().filter(|key| self.forget(key)).count())
    }

    fn stats(&self) -> Result<StoreStats, StoreError> {
        let mut stats = StoreStats::default();
        self.counters.fill(&mut stats);
        stats.evicted = self.evicted.load(Relaxed);
        for shard in &self.shards {
            let shard = lock(shard);
            stats.entries += shard.map.len() as u64;
            stats.occupied += shard.bytes as u64;
        }
        stats.bytes = stats.occupied - stats.entries * ENTRY_OVERHEAD_BYTES as u64;
        Ok(stats)
    }

    fn origin(&self) -> Origin {
        Origin::Local
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(number: u64) -> Key {
        let mut bytes = [0; 32];
        bytes[23] = number as u8;
        bytes[24..].copy_from_slice(&number.to_le_bytes());
        Key(bytes)
    }

    #[test]
    fn stays_within_its_bound_and_keeps_what_is_used() {
        let memory = Memory::new(64 * 4096);
        let hot = key(1);
        memory.put(&hot, b"hot").unwrap();
        for number in 2..20_000 {
            memory.put(&key(number), &[0; 100]).unwrap();
            assert!(memory.get(&hot).unwrap().is_some(), "lost after {number}");
        }
        let stats = memory.stats().unwrap();
        assert!(stats.occupied <= 64 * 4096 + 64 * 228, "{stats:?}");
        assert_eq!(stats.entries + stats.evicted, 19_999);
    }

    #[test]
    fn an_entry_larger_than_the_bound_is_found_until_the_next() {
        let memory = Memory::new(0);
        memory.put(&key(1), &[1; 1000]).unwrap();
        assert!(memory.get(&key(1)).unwrap().is_some());
    }

    #[test]
    fn removing_and_putting_again_does_not_grow_the_ring() {
        let memory = Memory::new(1 << 20);
        for _ in 0..1000 {
            memory.put(&key(5), b"x").unwrap();
            assert_eq!(memory.remove(&[key(5), key(6)]).unwrap(), 1);
        }
        assert!(lock(&memory.shards[5]).ring.len() <= 18);
    }
}
