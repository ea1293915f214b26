//! One suite for every back end: whatever a store is made of, it behaves like a map that survives.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::sync::Arc;

use evergreen_store::{Bucket, Key, Layered, Memory, OpenOptions, Store, open, verify};
use evergreen_testing::redis::RedisServer;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

/// A back end under test: a place that can be opened again.
trait Backend {
    fn fresh() -> Self;
    fn open(&self) -> Arc<dyn Store>;
}

struct InMemory(Arc<dyn Store>);

impl Backend for InMemory {
    fn fresh() -> InMemory {
        InMemory(Arc::new(Memory::new(64 << 20)))
    }
    fn open(&self) -> Arc<dyn Store> {
        self.0.clone()
    }
}

struct OnDisk(tempfile::TempDir);

impl Backend for OnDisk {
    fn fresh() -> OnDisk {
        OnDisk(tempfile::tempdir().unwrap())
    }
    fn open(&self) -> Arc<dyn Store> {
        open(self.0.path().join("a/store").to_str().unwrap(), &OpenOptions::default()).unwrap()
    }
}

/// A disk store with next to nothing in front, so that every get reads the file.
struct OnBareDisk(tempfile::TempDir);

impl Backend for OnBareDisk {
    fn fresh() -> OnBareDisk {
        OnBareDisk(tempfile::tempdir().unwrap())
    }
    fn open(&self) -> Arc<dyn Store> {
        let options = OpenOptions { front_bytes: 0, ..OpenOptions::default() };
        open(self.0.path().to_str().unwrap(), &options).unwrap()
    }
}

/// A test machine may be busy, and here no answer is no excuse.
fn patient() -> OpenOptions {
    let patience = std::time::Duration::from_secs(20);
    OpenOptions { timeout: patience, flush_timeout: patience, ..OpenOptions::default() }
}

struct OverTcp(RedisServer);

impl Backend for OverTcp {
    fn fresh() -> OverTcp {
        OverTcp(RedisServer::start_with(&["--requirepass", "s:cret"]))
    }
    fn open(&self) -> Arc<dyn Store> {
        open(&self.0.url().replace("redis://", "redis://:s%3Acret@"), &patient()).unwrap()
    }
}

struct OverSocket(RedisServer);

impl Backend for OverSocket {
    fn fresh() -> OverSocket {
        OverSocket(RedisServer::start())
    }
    fn open(&self) -> Arc<dyn Store> {
        open(&self.0.unix_url(), &patient()).unwrap()
    }
}

/// Packs on a WebDAV server.
#[cfg(feature = "cloud")]
struct InPacks(evergreen_testing::cloud::WebServer);

#[cfg(feature = "cloud")]
impl Backend for InPacks {
    fn fresh() -> InPacks {
        InPacks(evergreen_testing::cloud::WebServer::webdav())
    }
    fn open(&self) -> Arc<dyn Store> {
        open(&format!("{}/a/prefix", self.0.url()), &patient()).unwrap()
    }
}

struct InLayers(OnDisk, OverSocket, InMemory);

impl Backend for InLayers {
    fn fresh() -> InLayers {
        InLayers(OnDisk::fresh(), OverSocket::fresh(), InMemory::fresh())
    }
    fn open(&self) -> Arc<dyn Store> {
        let layers = vec![self.0.open(), self.1.open(), self.2.open()];
        Arc::new(Layered::new(layers, Arc::new(|trouble: &str| panic!("{trouble}"))))
    }
}

fn key(number: u64) -> Key {
    // Digests look random; the beginning decides the order on disk, the end the slot in memory.
    let mixed = number.wrapping_mul(0x9E37_79B9_7F4A_7C15).to_be_bytes();
    let mut bytes = [0; 32];
    for (at, byte) in bytes.iter_mut().enumerate() {
        *byte = mixed[at % 8].wrapping_add(at as u8 / 8);
    }
    Key(bytes)
}

fn all(store: &dyn Store) -> BTreeMap<Key, Vec<u8>> {
    let mut entries = BTreeMap::new();
    store
        .visit(&mut |key, value| {
            assert!(entries.insert(*key, value.to_vec()).is_none(), "{key} was visited twice");
            ControlFlow::Continue(())
        })
        .unwrap();
    entries
}

fn get(store: &dyn Store, number: u64) -> Option<Vec<u8>> {
    store.get(&key(number)).unwrap().map(|value| value.to_vec())
}

fn put_get_overwrite<B: Backend>() {
    let backend = B::fresh();
    let store = backend.open();
    assert_eq!(get(&store, 1), None);
    store.put(&key(1), b"one").unwrap();
    assert_eq!(get(&store, 1).as_deref(), Some(&b"one"[..]));
    store.put(&key(1), b"another").unwrap();
    store.put(&key(2), b"").unwrap();
    assert_eq!(get(&store, 1).as_deref(), Some(&b"another"[..]));
    store.flush().unwrap();
    assert_eq!(get(&store, 1).as_deref(), Some(&b"another"[..]));
    assert_eq!(get(&store, 2).as_deref(), Some(&b""[..]));
    assert_eq!(get(&store, 3), None);
}

fn many<B: Backend>() {
    let backend = B::fresh();
    let store = backend.open();
    for number in 0..500 {
        store.put(&key(number), &number.to_le_bytes()).unwrap();
        if number == 250 {
            store.flush().unwrap();
        }
    }
    let keys: Vec<Key> = (0..1000).rev().map(key).collect();
    let found = store.get_many(&keys).unwrap();
    assert_eq!(found.len(), keys.len());
    for (number, value) in (0..1000u64).rev().zip(found) {
        let expected = (number < 500).then(|| number.to_le_bytes().to_vec());
        assert_eq!(value.map(|value| value.to_vec()), expected, "{number}");
    }
    assert_eq!(store.get_many(&[]).unwrap(), Vec::new());
}

fn visit<B: Backend>() {
    let backend = B::fresh();
    let store = backend.open();
    assert!(all(&store).is_empty());
    for number in 0..1500 {
        store.put(&key(number), format!("value {number}").as_bytes()).unwrap();
    }
    let everything: BTreeMap<Key, Vec<u8>> =
        (0..1500).map(|number| (key(number), format!("value {number}").into_bytes())).collect();
    assert_eq!(all(&store), everything);
    store.flush().unwrap();
    store.put(&key(7), b"changed").unwrap();
    assert_eq!(all(&store).len(), 1500);
    assert_eq!(all(&store)[&key(7)], b"changed");
    let mut seen = 0;
    store
        .visit(&mut |key, _| {
            seen += 1;
            // A visitor may use the store.
            assert!(store.get(key).unwrap().is_some());
            if seen == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })
        .unwrap();
    assert_eq!(seen, 3);
    let mut bytes = 0;
    store
        .visit_usage(&mut |_, usage| {
            assert!(usage.day.abs_diff(evergreen_store::today()) <= 1);
            bytes += usage.bytes;
            ControlFlow::Continue(())
        })
        .unwrap();
    assert_eq!(bytes, all(&store).values().map(|value| value.len() as u64).sum::<u64>());
    let stats = store.stats().unwrap();
    assert_eq!((stats.entries, stats.bytes), (1500, bytes));
}

fn remove<B: Backend>() {
    let backend = B::fresh();
    let store = backend.open();
    for number in 0..100 {
        store.put(&key(number), b"x").unwrap();
        if number == 50 {
            store.flush().unwrap();
        }
    }
    let some: Vec<Key> = (40..120).map(key).collect();
    assert_eq!(store.remove(&some).unwrap(), 60);
    assert_eq!(store.remove(&some).unwrap(), 0);
    assert_eq!(get(&store, 45), None);
    assert_eq!(all(&store).len(), 40);
    store.put(&key(45), b"again").unwrap();
    assert_eq!(get(&store, 45).as_deref(), Some(&b"again"[..]));
    let rest: Vec<Key> = (0..100).map(key).collect();
    assert_eq!(store.remove(&rest).unwrap(), 41);
    assert!(all(&store).is_empty());
}

fn large_values<B: Backend>() {
    let backend = B::fresh();
    let store = backend.open();
    let value = |number: u64| -> Vec<u8> {
        let bytes = [0, 1, 2000, 2035, 4063, 4064, 4065, 8160, 8161, 100_000, 3_000_000][number as usize];
        (0..bytes).map(|at: usize| (at as u64 * 31 + number) as u8).collect()
    };
    for number in 0..11 {
        store.put(&key(number), &value(number)).unwrap();
    }
    store.flush().unwrap();
    // Over each other, so that pages of their own are freed and used again.
    for number in 0..11 {
        store.put(&key(number), &value(10 - number)).unwrap();
    }
    store.flush().unwrap();
    for number in 0..11 {
        assert!(get(&store, number) == Some(value(10 - number)), "value {number}");
    }
    assert_eq!(all(&store).len(), 11);
}

fn reopen<B: Backend>() {
    let backend = B::fresh();
    let store = backend.open();
    for number in 0..2000 {
        store.put(&key(number), format!("value {number}").as_bytes()).unwrap();
    }
    // No flush: dropping writes.
    drop(store);
    let store = backend.open();
    for number in (0..2000).rev() {
        assert_eq!(get(&store, number), Some(format!("value {number}").into_bytes()));
    }
    assert_eq!(all(&store).len(), 2000);
    let verified = verify(&store, &mut |_, _| Ok(())).unwrap();
    assert!(verified.is_clean(), "{verified:?}");
    assert!(verified.intact >= 2000);
}

fn threads<B: Backend>() {
    let backend = B::fresh();
    let store = backend.open();
    std::thread::scope(|scope| {
        for thread in 0..4u64 {
            let store = &store;
            scope.spawn(move || {
                for number in 0..300 {
                    let mine = thread * 1000 + number;
                    store.put(&key(mine), &mine.to_le_bytes()).unwrap();
                    assert_eq!(get(store, mine).as_deref(), Some(&mine.to_le_bytes()[..]));
                    if number % 100 == 0 {
                        store.flush().unwrap();
                    }
                    let other = (thread + 1) % 4 * 1000 + number;
                    let seen = get(store, other);
                    assert!(seen.is_none() || seen.as_deref() == Some(&other.to_le_bytes()[..]));
                }
            });
        }
    });
    assert_eq!(all(&store).len(), 1200);
}

fn bucket(number: u64) -> Bucket {
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&key(number).0[..16]);
    Bucket(bytes)
}

fn list(store: &dyn Store, number: u64) -> BTreeSet<Vec<u8>> {
    let values = store.list(&bucket(number)).unwrap();
    let set: BTreeSet<Vec<u8>> = values.iter().map(|value| value.to_vec()).collect();
    assert_eq!(set.len(), values.len(), "a value was listed twice");
    set
}

fn set(values: &[&str]) -> BTreeSet<Vec<u8>> {
    values.iter().map(|value| value.as_bytes().to_vec()).collect()
}

fn buckets<B: Backend>() {
    let backend = B::fresh();
    let store = backend.open();
    assert_eq!(list(&store, 1), set(&[]));
    store.put_in(&bucket(1), b"a").unwrap();
    store.put_in(&bucket(1), b"").unwrap();
    store.put_in(&bucket(2), b"a").unwrap();
    // An ordinary entry that happens to begin like the bucket is no member.
    store.put(&bucket(1).member(b"something else"), b"entry").unwrap();
    assert_eq!(list(&store, 1), set(&["a", ""]));
    store.flush().unwrap();
    store.put_in(&bucket(1), b"a").unwrap();
    store.put_in(&bucket(1), b"b").unwrap();
    assert_eq!(list(&store, 1), set(&["a", "", "b"]));
    assert_eq!(list(&store, 2), set(&["a"]));
    drop(store);
    let store = backend.open();
    assert_eq!(list(&store, 1), set(&["a", "", "b"]));
    // Members are entries as all others, and what puts them back is an ordinary put.
    let member = bucket(1).member(b"b");
    assert_eq!(store.get(&member).unwrap().as_deref(), Some(&b"b"[..]));
    assert_eq!(store.remove(&[member, bucket(1).member(b"c")]).unwrap(), 1);
    assert_eq!(list(&store, 1), set(&["a", ""]));
    store.put(&member, b"b").unwrap();
    assert_eq!(list(&store, 1), set(&["a", "", "b"]));
    store.put(&member, b"not b").unwrap();
    // Later layers hear of it with the flush.
    store.flush().unwrap();
    assert_eq!(list(&store, 1), set(&["a", ""]));
    assert_eq!(all(&store).len(), 5);
}

fn large_buckets<B: Backend>() {
    let backend = B::fresh();
    let store = backend.open();
    let value = |number: u64| {
        let bytes = if number.is_multiple_of(100) { 5000 } else { 20 };
        [number.to_le_bytes().to_vec(), vec![number as u8; bytes]].concat()
    };
    for number in 0..2000 {
        store.put_in(&bucket(number % 3), &value(number)).unwrap();
        if number == 1000 {
            store.flush().unwrap();
        }
    }
    for name in 0..4 {
        let expected: BTreeSet<Vec<u8>> = (0..2000).filter(|number| number % 3 == name).map(value).collect();
        assert!(list(&store, name) == expected, "bucket {name}");
    }
}

/// Several handles, as several machines or processes have them, and several threads each.
fn added_at_once<B: Backend>() {
    let backend = B::fresh();
    let stores = [backend.open(), backend.open()];
    std::thread::scope(|scope| {
        for thread in 0..4u64 {
            let store = &stores[thread as usize % 2];
            scope.spawn(move || {
                for number in 0..100 {
                    let value = format!("{} of {thread}", number);
                    store.put_in(&bucket(0), value.as_bytes()).unwrap();
                    store.put_in(&bucket(0), b"the same").unwrap();
                    assert!(list(store, 0).contains(value.as_bytes()), "{value}");
                }
            });
        }
    });
    stores.iter().for_each(|store| store.flush().unwrap());
    drop(stores);
    assert_eq!(list(&backend.open(), 0).len(), 401);
}

#[derive(Debug, Clone)]
enum Operation {
    PutIn(u64, Vec<u8>),
    List(u64),
    Put(u64, Vec<u8>),
    Get(u64),
    Remove(u64, u64),
    Flush,
    Reopen,
    Visit,
}

fn operations() -> impl Strategy<Value = Vec<Operation>> {
    let value = prop_oneof![
        4 => proptest::collection::vec(any::<u8>(), 0..60),
        1 => (0usize..9000).prop_map(|bytes| vec![bytes as u8; bytes]),
    ];
    let small = proptest::collection::vec(0u8..3, 0..3);
    let operation = prop_oneof![
        6 => (0u64..4, small).prop_map(|(number, value)| Operation::PutIn(number, value)),
        3 => (0u64..4).prop_map(Operation::List),
        8 => (0u64..60, value).prop_map(|(number, value)| Operation::Put(number, value)),
        4 => (0u64..60).prop_map(Operation::Get),
        2 => (0u64..60, 1u64..20).prop_map(|(from, count)| Operation::Remove(from, count)),
        1 => Just(Operation::Flush),
        1 => Just(Operation::Reopen),
        1 => Just(Operation::Visit),
    ];
    proptest::collection::vec(operation, 1..120)
}

fn equals_a_map<B: Backend>(cases: u32) {
    let backend = B::fresh();
    let mut runner = TestRunner::new(Config { cases, failure_persistence: None, ..Config::default() });
    let result = runner.run(&operations(), |operations| {
        let mut store = backend.open();
        let leftover: Vec<Key> = all(&store).into_keys().collect();
        store.remove(&leftover).unwrap();
        let mut model: BTreeMap<Key, Vec<u8>> = BTreeMap::new();
        let mut buckets: BTreeMap<u64, BTreeSet<Vec<u8>>> = BTreeMap::new();
        for operation in operations {
            match operation {
                Operation::Put(number, value) => {
                    store.put(&key(number), &value).unwrap();
                    model.insert(key(number), value);
                }
                Operation::PutIn(number, value) => {
                    store.put_in(&bucket(number), &value).unwrap();
                    model.insert(bucket(number).member(&value), value.clone());
                    buckets.entry(number).or_default().insert(value);
                }
                Operation::List(number) => {
                    prop_assert_eq!(list(&store, number), buckets.get(&number).cloned().unwrap_or_default());
                }
                Operation::Get(number) => {
                    prop_assert_eq!(get(&store, number), model.get(&key(number)).cloned());
                }
                Operation::Remove(from, count) => {
                    let mut keys: Vec<Key> = (from..from + count).map(key).collect();
                    // A member too.
                    if let Some(members) = buckets.get_mut(&(from % 4))
                        && let Some(member) = members.pop_first()
                    {
                        keys.push(bucket(from % 4).member(&member));
                    }
                    let expected = keys.iter().filter(|key| model.remove(key).is_some()).count();
                    prop_assert_eq!(store.remove(&keys).unwrap(), expected);
                }
                Operation::Flush => store.flush().unwrap(),
                Operation::Reopen => {
                    drop(store);
                    store = backend.open();
                }
                Operation::Visit => prop_assert_eq!(all(&store), model.clone()),
            }
        }
        prop_assert_eq!(all(&store), model);
        for number in 0..4 {
            prop_assert_eq!(list(&store, number), buckets.remove(&number).unwrap_or_default());
        }
        Ok(())
    });
    result.unwrap_or_else(|error| panic!("{error}"));
}

macro_rules! suite {
    ($name:ident, $backend:ty, $cases:expr) => {
        mod $name {
            use super::*;

            #[test]
            fn put_get_overwrite() {
                super::put_get_overwrite::<$backend>();
            }
            #[test]
            fn many() {
                super::many::<$backend>();
            }
            #[test]
            fn visit() {
                super::visit::<$backend>();
            }
            #[test]
            fn remove() {
                super::remove::<$backend>();
            }
            #[test]
            fn large_values() {
                super::large_values::<$backend>();
            }
            #[test]
            fn reopen() {
                super::reopen::<$backend>();
            }
            #[test]
            fn threads() {
                super::threads::<$backend>();
            }
            #[test]
            fn buckets() {
                super::buckets::<$backend>();
            }
            #[test]
            fn large_buckets() {
                super::large_buckets::<$backend>();
            }
            #[test]
            fn added_at_once() {
                super::added_at_once::<$backend>();
            }
            #[test]
            fn equals_a_map() {
                super::equals_a_map::<$backend>($cases);
            }
        }
    };
}

suite!(memory, InMemory, 200);
suite!(disk, OnDisk, 60);
suite!(bare_disk, OnBareDisk, 60);
suite!(redis_tcp, OverTcp, 60);
suite!(redis_socket, OverSocket, 60);
suite!(layered, InLayers, 40);
#[cfg(feature = "cloud")]
suite!(packs, InPacks, 5);
