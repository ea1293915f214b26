//! Layers as in Green 3.3: order of lookup, first at once, others behind, spreading, and layers that fail.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};
use std::sync::{Arc, Mutex};

use evergreen_store::{
    Bucket, Bytes, ErrorKind, Key, Layered, Memory, OnTrouble, OpenOptions, Origin, Spread, Store,
    StoreError, StoreStats, Visit, open_layers,
};

/// A store that fails, or holds its puts back, on request.
struct Moody {
    inner: Memory,
    fails: AtomicBool,
    held: Mutex<()>,
    gets: AtomicU64,
    origin: Origin,
}

impl Moody {
    fn new() -> Arc<Moody> {
        Moody::at(Origin::Local)
    }

    fn at(origin: Origin) -> Arc<Moody> {
        let (inner, fails) = (Memory::new(1 << 20), AtomicBool::new(false));
        Arc::new(Moody { inner, fails, held: Mutex::new(()), gets: AtomicU64::new(0), origin })
    }

    /// The origin of an entry for readers of this store.
    fn seen(&self, origin: Origin) -> Origin {
        if self.origin == Origin::Local { origin } else { self.origin }
    }

    fn mood(&self) -> Result<(), StoreError> {
        match self.fails.load(SeqCst) {
            true => Err(StoreError::new(ErrorKind::Unreachable, "moody", "does not feel like it")),
            false => Ok(()),
        }
    }
}

impl Store for Moody {
    fn describe(&self) -> String {
        String::from("moody")
    }
    fn get_from(&self, key: &Key) -> Result<Option<(Bytes, Origin)>, StoreError> {
        self.gets.fetch_add(1, SeqCst);
        self.mood()?;
        Ok(self.inner.get_from(key)?.map(|(value, origin)| (value, self.seen(origin))))
    }
    fn put_from(&self, key: &Key, value: &[u8], origin: Origin) -> Result<(), StoreError> {
        self.mood()?;
        drop(self.held.lock().unwrap());
        self.inner.put_from(key, value, origin)
    }
    fn flush(&self) -> Result<(), StoreError> {
        self.mood()
    }
    fn visit_from(&self, each: Visit<'_>) -> Result<(), StoreError> {
        self.mood()?;
        self.inner.visit_from(&mut |key, value, origin| each(key, value, self.seen(origin)))
    }
    fn remove(&self, keys: &[Key]) -> Result<usize, StoreError> {
        self.mood()?;
        self.inner.remove(keys)
    }
    fn stats(&self) -> Result<StoreStats, StoreError> {
        self.mood()?;
        self.inner.stats()
    }
    fn origin(&self) -> Origin {
        self.origin
    }
}

fn quiet() -> OnTrouble {
    Arc::new(|trouble| panic!("{trouble}"))
}

fn listening() -> (OnTrouble, Arc<Mutex<Vec<String>>>) {
    let heard: Arc<Mutex<Vec<String>>> = Arc::default();
    let ears = heard.clone();
    (Arc::new(move |trouble| ears.lock().unwrap().push(trouble.to_owned())), heard)
}

fn key(byte: u8) -> Key {
    Key([byte; 32])
}

fn value(store: &dyn Store, byte: u8) -> Option<Vec<u8>> {
    store.get(&key(byte)).unwrap().map(|value| value.to_vec())
}

#[test]
fn a_put_reaches_the_first_at_once_and_the_others_behind() {
    let stores = [Moody::new(), Moody::new(), Moody::new()];
    let layered = Layered::new(stores.iter().map(|store| store.clone() as _).collect(), quiet());
    let held = stores[1].held.lock().unwrap();
    layered.put(&key(1), b"one").unwrap();
    assert_eq!(value(&*stores[0], 1).as_deref(), Some(&b"one"[..]));
    assert_eq!(value(&*stores[1], 1), None, "the second store is held back, and the put did not wait for it");
    drop(held);
    layered.flush().unwrap();
    for store in &stores {
        assert_eq!(value(&**store, 1).as_deref(), Some(&b"one"[..]));
    }
}

#[test]
fn lookup_goes_in_order_and_what_a_later_store_knew_spreads() {
    let stores = [Moody::new(), Moody::new(), Moody::new()];
    stores[1].inner.put(&key(1), b"from the second").unwrap();
    stores[2].inner.put(&key(1), b"from the third").unwrap();
    let layered = Layered::new(stores.iter().map(|store| store.clone() as _).collect(), quiet());
    assert_eq!(value(&layered, 1).as_deref(), Some(&b"from the second"[..]));
    assert_eq!(stores[2].gets.load(SeqCst), 0, "the third was not asked");
    assert_eq!(value(&*stores[0], 1).as_deref(), Some(&b"from the second"[..]), "the first knows it at once");
    layered.flush().unwrap();
    assert_eq!(value(&*stores[2], 1).as_deref(), Some(&b"from the second"[..]), "and then all others do");
    let asked = stores[1].gets.load(SeqCst);
    assert!(value(&layered, 1).is_some());
    assert_eq!(stores[1].gets.load(SeqCst), asked, "the second is not asked again");

    let lines = layered.stats().unwrap().layers;
    let counts: Vec<(u64, u64, u64)> = lines.iter().map(|line| (line.gets, line.hits, line.puts)).collect();
    assert_eq!(counts, [(2, 1, 1), (1, 1, 0), (0, 0, 1)]);
}

#[test]
fn many_keys_are_asked_layer_by_layer() {
    let stores = [Moody::new(), Moody::new()];
    stores[0].inner.put(&key(1), b"1").unwrap();
    stores[1].inner.put(&key(2), b"2").unwrap();
    let layered = Layered::new(stores.iter().map(|store| store.clone() as _).collect(), quiet());
    let found = layered.get_many(&[key(3), key(2), key(1)]).unwrap();
    let found: Vec<Option<&[u8]>> = found.iter().map(Option::as_deref).collect();
    assert_eq!(found, [None, Some(&b"2"[..]), Some(&b"1"[..])]);
    assert_eq!(value(&*stores[0], 2).as_deref(), Some(&b"2"[..]));
    let lines = layered.stats().unwrap().layers;
    assert_eq!((lines[0].gets, lines[0].hits, lines[1].gets, lines[1].hits), (3, 1, 2, 1));
}

#[test]
fn a_layer_that_fails_is_a_miss_and_is_reported_once() {
    for broken in 0..3 {
        let stores = [Moody::new(), Moody::new(), Moody::new()];
        let (on_trouble, heard) = listening();
        let layered = Layered::new(stores.iter().map(|store| store.clone() as _).collect(), on_trouble);
        stores[broken].fails.store(true, SeqCst);
        for byte in 0..20 {
            layered.put(&key(byte), &[byte]).unwrap();
        }
        assert!(layered.flush().is_err(), "a caller that asks for durability gets the error");
        for byte in 0..20 {
            assert_eq!(value(&layered, byte), Some(vec![byte]), "layer {broken} broken");
        }
        assert_eq!(value(&layered, 99), None);
        assert_eq!(*heard.lock().unwrap(), ["moody: does not feel like it"]);
        stores[broken].fails.store(false, SeqCst);
        assert_eq!(value(&layered, 5), Some(vec![5]));
        let errors: Vec<bool> = layered.stats().unwrap().layers.iter().map(|line| line.errors > 0).collect();
        assert_eq!(errors, [broken == 0, broken == 1, broken == 2]);
    }
}

#[test]
fn no_layer_at_all_misses_everything() {
    let layered = Layered::new(Vec::new(), quiet());
    layered.put(&key(1), b"x").unwrap();
    assert_eq!(value(&layered, 1), None);
    layered.flush().unwrap();
}

#[test]
fn a_store_that_does_not_open_is_left_out_and_reported() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("data.mdb"), b"not a store at all").unwrap();
    let (on_trouble, heard) = listening();
    let specs = [directory.path().to_str().unwrap(), "memory:"];
    let layered = open_layers(&specs, &OpenOptions::default(), on_trouble.clone()).unwrap();
    layered.put(&key(1), b"x").unwrap();
    assert!(value(&layered, 1).is_some());
    assert_eq!(layered.describe(), "memory");
    assert_eq!(heard.lock().unwrap().len(), 1, "{heard:?}");
    assert!(open_layers(&["ftp://x"], &OpenOptions::default(), on_trouble).is_err());
}

/// Two local layers and one on a network, in the usual order.
fn near_and_far(spread: Spread) -> ([Arc<Moody>; 3], Layered) {
    let stores = [Moody::new(), Moody::new(), Moody::at(Origin::Network)];
    let layered = Layered::new(stores.iter().map(|store| store.clone() as _).collect(), quiet());
    (stores, layered.spreading(spread))
}

fn origin(store: &dyn Store, byte: u8) -> Option<Origin> {
    let one = store.get_from(&key(byte)).unwrap().map(|(_, origin)| origin);
    let many = store.get_many_from(&[key(byte)]).unwrap().remove(0).map(|(_, origin)| origin);
    assert_eq!(one, many);
    one
}

#[test]
fn what_came_over_a_network_stays_there_until_it_is_confirmed() {
    let (stores, layered) = near_and_far(Spread::Local);
    stores[2].inner.put(&key(1), b"who knows").unwrap();
    stores[1].inner.put(&key(2), b"mine").unwrap();
    for _ in 0..2 {
        assert_eq!(origin(&layered, 1), Some(Origin::Network));
        assert_eq!(origin(&layered, 2), Some(Origin::Local));
        assert_eq!(value(&layered, 1).as_deref(), Some(&b"who knows"[..]));
        assert_eq!(layered.get_many(&[key(1)]).unwrap().len(), 1);
        layered.flush().unwrap();
        assert_eq!(value(&*stores[0], 1), None, "not copied");
        assert_eq!(value(&*stores[1], 1), None, "not copied");
        assert!(value(&*stores[2], 2).is_some(), "local entries are copied to the network");
    }
    layered.confirm(&key(1), b"who knows").unwrap();
    layered.flush().unwrap();
    assert_eq!(origin(&layered, 1), Some(Origin::Local));
    assert!(value(&*stores[0], 1).is_some() && value(&*stores[1], 1).is_some());
    assert_eq!(origin(&layered, 3), None);
}

#[test]
fn a_trusted_network_spreads() {
    let (stores, layered) = near_and_far(Spread::All);
    let bucket = Bucket([9; 16]);
    stores[2].inner.put(&key(1), b"1").unwrap();
    stores[2].inner.put_in(&bucket, b"2").unwrap();
    assert_eq!(layered.get_from(&key(1)).unwrap().map(|(_, origin)| origin), Some(Origin::Network));
    assert_eq!(layered.list(&bucket).unwrap().len(), 1);
    layered.flush().unwrap();
    assert!(value(&*stores[0], 1).is_some() && value(&*stores[1], 1).is_some());
    assert_eq!(stores[0].inner.list(&bucket).unwrap().len(), 1);
    // Copies keep their origin: the next run may trust less.
    assert_eq!(origin(&*stores[0], 1), Some(Origin::Imported));
    assert_eq!(origin(&*stores[1], 1), Some(Origin::Imported));
    assert_eq!(stores[0].inner.list_from(&bucket).unwrap()[0].1, Origin::Imported);
}

#[test]
fn what_was_imported_stays_where_it_is_and_is_lifted_when_it_is_confirmed() {
    let (stores, layered) = near_and_far(Spread::Local);
    stores[1].inner.put_from(&key(1), b"imported", Origin::Imported).unwrap();
    assert_eq!(origin(&layered, 1), Some(Origin::Imported));
    layered.flush().unwrap();
    assert_eq!([value(&*stores[0], 1), value(&*stores[2], 1)], [None, None], "not copied");
    layered.confirm(&key(1), b"imported").unwrap();
    layered.flush().unwrap();
    assert_eq!([origin(&*stores[0], 1), origin(&*stores[1], 1)], [Some(Origin::Local); 2]);
}

#[test]
fn a_bucket_is_the_union_of_the_layers_and_each_value_says_where_it_is() {
    let (stores, layered) = near_and_far(Spread::Local);
    let bucket = Bucket([9; 16]);
    let listed = || {
        let mut values = layered.list_from(&bucket).unwrap();
        values.sort_by(|left, right| left.0.cmp(&right.0));
        values.into_iter().map(|(value, origin)| (value.to_vec(), origin)).collect::<Vec<_>>()
    };
    stores[0].inner.put_in(&bucket, b"a").unwrap();
    stores[1].inner.put_in(&bucket, b"b").unwrap();
    stores[2].inner.put_in(&bucket, b"b").unwrap();
    stores[2].inner.put_in(&bucket, b"c").unwrap();
    let (a, b) = ((b"a".to_vec(), Origin::Local), (b"b".to_vec(), Origin::Local));
    for _ in 0..2 {
        assert_eq!(listed(), [a.clone(), b.clone(), (b"c".to_vec(), Origin::Network)]);
    }
    layered.confirm(&bucket.member(b"c"), b"c").unwrap();
    assert_eq!(listed(), [a.clone(), b.clone(), (b"c".to_vec(), Origin::Local)]);
    layered.put_in(&bucket, b"d").unwrap();
    assert_eq!(stores[0].inner.list(&bucket).unwrap().len(), 3, "the first has it at once");
    layered.flush().unwrap();
    assert_eq!(stores[2].inner.list(&bucket).unwrap().len(), 3);
    // A network in front of a local layer does not make local entries imported.
    let turned = Layered::new(vec![stores[2].clone() as _, stores[0].clone() as _], quiet());
    let origins: Vec<Origin> =
        turned.list_from(&bucket).unwrap().into_iter().map(|(_, origin)| origin).collect();
    assert_eq!(origins.iter().filter(|origin| **origin == Origin::Network).count(), 1, "only b");
    // One that fails is a miss.
    let (on_trouble, heard) = listening();
    let layered = Layered::new(stores.iter().map(|store| store.clone() as _).collect(), on_trouble);
    stores[1].fails.store(true, SeqCst);
    assert_eq!(layered.list(&bucket).unwrap().len(), 4);
    assert_eq!(heard.lock().unwrap().len(), 1);
}

#[test]
fn networks_alone_get_a_memory_in_front_unless_they_are_trusted() {
    let describe = |spread| {
        let options = OpenOptions { spread, ..OpenOptions::default() };
        open_layers(&["redis://nowhere.invalid"], &options, quiet()).unwrap().describe()
    };
    assert_eq!(describe(Spread::Local), "memory, then redis redis://nowhere.invalid:6379/0");
    assert_eq!(describe(Spread::All), "redis redis://nowhere.invalid:6379/0");
}
