//! The index of cores against naive search over all of them, and what a store may do to it.

use evergreen_reuse::{CoreIndex, StoredCore, Trust, check_core_bytes};
use evergreen_store::{Bucket, Bytes, Key, Memory, Origin, Store, StoreError, StoreStats, Visit};
use evergreen_testing::random::Random;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

const TOOK: Duration = Duration::from_millis(5);

fn memory() -> Arc<dyn Store> {
    Arc::new(Memory::new(64 << 20))
}

/// Some of `universe` keys, in a random order, as a script asserts them.
fn some(random: &mut Random, universe: usize, most: usize) -> Vec<u128> {
    let count = 1 + random.below(most);
    let mut keys: Vec<u128> = (0..count).map(|_| 1 + random.below(universe) as u128).collect();
    let mut seen = BTreeSet::new();
    keys.retain(|k| seen.insert(*k));
    keys
}

fn includes(query: &[u128], core: &[u128]) -> bool {
    core.iter().all(|c| query.contains(c))
}

#[test]
fn finds_a_core_exactly_when_naive_search_does() {
    let (mut hits, mut misses) = (0, 0);
    for seed in 0..40 {
        let mut random = Random::new(seed);
        let universe = 6 + random.below(60);
        let store = memory();
        // What one process adds another finds; and one of them has asked before and knows of buckets that
        // were empty.
        let (mut writer, mut reader) = (
            CoreIndex::new(store.clone(), "", Trust::Local),
            CoreIndex::new(store.clone(), "", Trust::Local),
        );
        let mut all: Vec<Vec<u128>> = Vec::new();
        for step in 0..150 {
            let query = some(&mut random, universe, universe);
            if step % 3 == 0 {
                let core = some(&mut random, universe, 6);
                assert!(writer.add(&core, TOOK, "z3").is_some());
                all.push(core);
            }
            let naive = all.iter().any(|core| includes(&query, core));
            for index in [&mut writer, &mut CoreIndex::new(store.clone(), "", Trust::Local)] {
                let found = index.find(&query);
                assert_eq!(found.is_some(), naive, "seed {seed}, step {step}: {query:?} and {all:?}");
                if let Some(found) = found {
                    assert!(includes(&query, &found.members), "not a part of the query");
                    let mut recorded = all.iter().map(|c| c.iter().copied().collect::<BTreeSet<_>>());
                    let is_one = recorded.any(|c| c.into_iter().eq(found.members.iter().copied()));
                    assert!(is_one, "never recorded");
                }
            }
            // One that remembers may know less, and never more.
            assert!(reader.find(&query).is_none() || naive);
            if naive { hits += 1 } else { misses += 1 }
        }
    }
    assert!(hits > 1000 && misses > 1000, "{hits} hits, {misses} misses: nothing was tested");
}

#[test]
fn a_core_is_found_wherever_its_head_now_stands() {
    let store = memory();
    CoreIndex::new(store.clone(), "", Trust::Local).add(&[10, 20, 30], TOOK, "z3").unwrap();
    let mut index = CoreIndex::new(store, "", Trust::Local);
    let axioms: Vec<u128> = (1000..1600).collect();
    for place in [0, 300, 600] {
        let mut query = axioms.clone();
        query.splice(place..place, [30, 20, 10]);
        let found = index.find(&query).expect("it is in there");
        assert_eq!((found.members, found.saved), (vec![10, 20, 30], Duration::from_micros(4096)));
    }
    assert!(index.find(&axioms).is_none());
    assert!(index.find(&[10, 20]).is_none() && index.find(&[20, 30]).is_none());
}

#[test]
fn namespaces_do_not_mix() {
    let store = memory();
    CoreIndex::new(store.clone(), "ours", Trust::Local).add(&[1, 2], TOOK, "z3").unwrap();
    assert!(CoreIndex::new(store.clone(), "theirs", Trust::Local).find(&[1, 2]).is_none());
    assert!(CoreIndex::new(store.clone(), "", Trust::Local).find(&[1, 2]).is_none());
    assert!(CoreIndex::new(store, "ours", Trust::Local).find(&[1, 2, 3]).is_some());
}

#[test]
fn the_same_core_twice_is_one_entry() {
    let store = memory();
    let mut index = CoreIndex::new(store.clone(), "", Trust::Local);
    index.add(&[3, 1, 2], TOOK, "z3").unwrap();
    let entries = store.stats().unwrap().entries;
    // In another order, but with the same head; and a little slower.
    index.add(&[1, 3, 2], TOOK + Duration::from_millis(1), "z3").unwrap();
    assert_eq!(store.stats().unwrap().entries, entries);
}

#[test]
fn stored_bytes_are_read_strictly() {
    let core = StoredCore { members: vec![1, 2, u128::MAX], micros: 1024, solver: "z3".into() };
    let bytes = core.encode();
    assert_eq!(StoredCore::decode(&bytes), Some(core));
    assert!(check_core_bytes(&bytes));
    for cut in 0..bytes.len() {
        assert_eq!(StoredCore::decode(&bytes[..cut]), None, "cut at {cut}");
    }
    let unsorted = StoredCore { members: vec![2, 1], micros: 1, solver: String::new() };
    let twice = StoredCore { members: vec![2, 2], micros: 1, solver: String::new() };
    let empty = StoredCore { members: vec![], micros: 1, solver: String::new() };
    for wrong in [unsorted, twice, empty] {
        assert_eq!(StoredCore::decode(&wrong.encode()), None, "{wrong:?}");
    }
    let mut newer = bytes.clone();
    newer[1] += 1;
    assert_eq!(StoredCore::decode(&newer), None);
}

/// Counts requests, and fails when it is set to.
struct Watched {
    memory: Memory,
    lists: AtomicUsize,
    gets: AtomicUsize,
    fails: bool,
}

impl Watched {
    fn new(fails: bool) -> Arc<Watched> {
        let memory = Memory::new(64 << 20);
        Arc::new(Watched { memory, lists: AtomicUsize::new(0), gets: AtomicUsize::new(0), fails })
    }

    fn fail(&self) -> Result<(), StoreError> {
        // Any error will do.
        let error = || evergreen_store::open("no-such-kind://", &Default::default()).err();
        self.fails.then(error).flatten().map_or(Ok(()), Err)
    }

    fn counts(&self) -> (usize, usize) {
        (self.gets.swap(0, Relaxed), self.lists.swap(0, Relaxed))
    }
}

impl Store for Watched {
    fn describe(&self) -> String {
        "watched".into()
    }
    fn get_from(&self, key: &Key) -> Result<Option<(Bytes, Origin)>, StoreError> {
        self.fail()?;
        self.memory.get_from(key)
    }
    fn get_many_from(&self, keys: &[Key]) -> Result<Vec<Option<(Bytes, Origin)>>, StoreError> {
        self.gets.fetch_add(1, Relaxed);
        keys.iter().map(|k| self.get_from(k)).collect()
    }
    fn put_from(&self, key: &Key, value: &[u8], origin: Origin) -> Result<(), StoreError> {
        self.fail()?;
        self.memory.put_from(key, value, origin)
    }
    fn list_from(&self, bucket: &Bucket) -> Result<Vec<(Bytes, Origin)>, StoreError> {
        self.lists.fetch_add(1, Relaxed);
        self.fail()?;
        self.memory.list_from(bucket)
    }
    fn flush(&self) -> Result<(), StoreError> {
        Ok(())
    }
    fn visit_from(&self, each: Visit<'_>) -> Result<(), StoreError> {
        self.memory.visit_from(each)
    }
    fn remove(&self, keys: &[Key]) -> Result<usize, StoreError> {
        self.memory.remove(keys)
    }
    fn stats(&self) -> Result<StoreStats, StoreError> {
        self.memory.stats()
    }
    fn origin(&self) -> Origin {
        self.memory.origin()
    }
}

#[test]
fn a_bucket_is_listed_once_and_only_if_there_is_one() {
    let store = Watched::new(false);
    let mut other = CoreIndex::new(store.clone(), "", Trust::Local);
    for goal in 0..1000u128 {
        other.add(&[1, 2, 10_000 + goal], TOOK, "z3").unwrap();
    }
    let mut index = CoreIndex::new(store.clone(), "", Trust::Local);
    store.counts();
    // 540 axioms and a new goal: two requests, and no bucket to list.
    let mut query: Vec<u128> = (1..=540).collect();
    query.push(77_777);
    assert!(index.find(&query).is_none());
    assert_eq!(store.counts(), (2, 0));
    // The next goal: only what is new is asked about.
    *query.last_mut().unwrap() = 10_500;
    assert!(index.find(&query).is_some());
    assert_eq!(store.counts(), (1, 1));
    assert!(index.find(&query).is_some());
    *query.last_mut().unwrap() = 77_777;
    assert!(index.find(&query).is_none());
    assert_eq!(store.counts(), (0, 0));
    // What this process records itself it sees at once.
    index.add(&[5, 77_777], TOOK, "z3").unwrap();
    assert!(index.find(&query).is_some());
}

#[test]
fn a_failing_store_is_a_miss() {
    let mut index = CoreIndex::new(Watched::new(true), "", Trust::Local);
    assert_eq!(index.add(&[1, 2], TOOK, "z3"), None);
    assert!(index.find(&[1, 2]).is_none());
    assert!(CoreIndex::new(memory(), "", Trust::Local).add(&[], TOOK, "z3").is_none());
}
