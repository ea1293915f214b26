//! The protocol on a service that can be stopped between any two requests.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use super::index::Index;
use super::objects::{Listed, Naming, Objects, Size, Written};
use super::*;

/// Objects in memory, shared by runners, with the log of all requests.
#[derive(Default)]
struct Shelf {
    objects: Mutex<BTreeMap<String, (Vec<u8>, SystemTime)>>,
    log: Mutex<Vec<String>>,
}

/// Called before each request with its text; an error makes the request fail.
type Before = Box<dyn Fn(&str) -> Result<(), StoreError> + Send + Sync>;

/// One runner's way to the shelf.
struct Way {
    shelf: Arc<Shelf>,
    naming: Naming,
    before: Before,
}

impl Shelf {
    fn has(&self, name: &str) -> bool {
        lock(&self.objects).contains_key(name)
    }

    fn names(&self, folder: &str) -> Vec<String> {
        lock(&self.objects).keys().filter(|name| name.starts_with(folder)).cloned().collect()
    }

    fn change(&self, name: &str, change: impl FnOnce(&mut (Vec<u8>, SystemTime))) {
        change(lock(&self.objects).get_mut(name).expect("an object of that name"));
    }

    fn delete(&self, name: &str) {
        lock(&self.objects).remove(name);
    }

    fn requests(&self) -> Vec<String> {
        std::mem::take(&mut lock(&self.log))
    }

    fn index(&self) -> Index {
        Index::decode("index", &lock(&self.objects)["index"].0).unwrap()
    }
}

impl Way {
    fn ask(&self, request: String) -> Result<(), StoreError> {
        (self.before)(&request)?;
        lock(&self.shelf.log).push(request);
        Ok(())
    }
}

impl Objects for Way {
    fn place(&self) -> String {
        String::from("shelf")
    }

    fn naming(&self) -> Naming {
        self.naming
    }

    fn read(&self, name: &str, most: u64, _: Size) -> Result<Option<Vec<u8>>, StoreError> {
        self.ask(format!("read {name}"))?;
        match lock(&self.shelf.objects).get(name) {
            Some((bytes, _)) if bytes.len() as u64 > most => Err(failed("too long")),
            found => Ok(found.map(|(bytes, _)| bytes.clone())),
        }
    }

    fn newest(&self, prefix: &str, _: u64) -> Result<Option<(String, Vec<u8>)>, StoreError> {
        self.ask(format!("read {prefix}"))?;
        let objects = lock(&self.shelf.objects);
        let found = objects.iter().rfind(|(name, _)| name.starts_with(prefix));
        Ok(found.map(|(name, (bytes, _))| (name.clone(), bytes.clone())))
    }

    fn write(&self, name: &str, bytes: &[u8], _: Size) -> Result<Written, StoreError> {
        self.ask(format!("write {name}"))?;
        let mut objects = lock(&self.shelf.objects);
        if self.naming == Naming::Numbered && objects.contains_key(name) {
            return Ok(Written::Exists);
        }
        objects.insert(name.to_owned(), (bytes.to_vec(), SystemTime::now()));
        Ok(Written::Done)
    }

    fn list(&self, folder: &str) -> Result<Option<Vec<Listed>>, StoreError> {
        self.ask(format!("list {folder}"))?;
        let objects = lock(&self.shelf.objects);
        let names = objects.iter().filter_map(|(name, (_, at))| Some((name.strip_prefix(folder)?, *at)));
        Ok(Some(names.map(|(name, at)| Listed { name: name.to_owned(), modified: Some(at) }).collect()))
    }

    fn delete(&self, name: &str) -> Result<(), StoreError> {
        self.ask(format!("delete {name}"))?;
        self.shelf.delete(name);
        Ok(())
    }
}

fn failed(what: &str) -> StoreError {
    StoreError::new(ErrorKind::Unreachable, "shelf", what)
}

fn runner_with(shelf: &Arc<Shelf>, naming: Naming, before: Before) -> Cloud {
    Cloud::with(Box::new(Way { shelf: shelf.clone(), naming, before }), 64 << 20)
}

fn runner(shelf: &Arc<Shelf>) -> Cloud {
    runner_with(shelf, Naming::Listed, Box::new(|_| Ok(())))
}

fn key(number: u32) -> Key {
    let mut bytes = [3; 32];
    bytes[..4].copy_from_slice(&number.to_be_bytes());
    Key(bytes)
}

/// A run that finds some answers.
fn run(shelf: &Arc<Shelf>, numbers: impl IntoIterator<Item = u32>) {
    let store = runner(shelf);
    for number in numbers {
        store.put(&key(number), &number.to_le_bytes()).unwrap();
    }
    store.flush().unwrap();
}

fn has(store: &Cloud, number: u32) -> bool {
    let found = store.get_from(&key(number)).unwrap();
    if let Some((value, origin)) = &found {
        assert_eq!((&**value, *origin), (&number.to_le_bytes()[..], Origin::Network));
    }
    found.is_some()
}

#[test]
fn a_cold_run_reads_the_index_and_the_pack_that_has_it() {
    let shelf = Arc::new(Shelf::default());
    run(&shelf, 0..100);
    run(&shelf, 100..200);
    shelf.requests();
    let store = runner(&shelf);
    assert!((0..100).all(|number| has(&store, number)));
    let requests = shelf.requests();
    assert_eq!(requests.len(), 2, "{requests:?}");
    assert_eq!(requests[0], "read index");
    // The first key that no filter knows has the heads listed; the others cost nothing.
    assert!((1000..1100).all(|number| !has(&store, number)));
    assert_eq!(shelf.requests(), ["list heads/"]);
    // Nothing new, nothing written.
    store.put(&key(5), &5u32.to_le_bytes()).unwrap();
    drop(store);
    assert_eq!(shelf.requests(), [""; 0]);
}

#[test]
fn an_empty_bucket_costs_two_requests() {
    let shelf = Arc::new(Shelf::default());
    let store = runner(&shelf);
    assert!((0..1000).all(|number| !has(&store, number)));
    assert_eq!(shelf.requests(), ["read index", "list heads/"]);
}

#[test]
fn buckets_are_found_by_the_filters() {
    let shelf = Arc::new(Shelf::default());
    let (bucket, other) = (Bucket([1; 16]), Bucket([2; 16]));
    for value in ["a", "b"] {
        let store = runner(&shelf);
        store.put_in(&bucket, value.as_bytes()).unwrap();
        store.flush().unwrap();
    }
    run(&shelf, 0..10);
    shelf.requests();
    let store = runner(&shelf);
    assert!(store.list(&other).unwrap().is_empty());
    assert_eq!(shelf.requests(), ["read index", "list heads/"], "no pack has anything of it");
    let mut values: Vec<Vec<u8>> = store.list(&bucket).unwrap().iter().map(|value| value.to_vec()).collect();
    values.sort();
    assert_eq!(values, [b"a", b"b"]);
    assert_eq!(shelf.requests().len(), 2, "a pack for each");
}

#[test]
fn two_runners_at_once_lose_nothing_at_any_moment() {
    // The second runner ends while the first is about to make its n-th request of writing.
    for moment in 0.. {
        let shelf = Arc::new(Shelf::default());
        run(&shelf, 0..5);
        let (at, other) = (Mutex::new(0), shelf.clone());
        let first = runner_with(
            &shelf,
            Naming::Listed,
            Box::new(move |_| {
                let mut at = lock(&at);
                *at += 1;
                if *at == moment + 1 {
                    run(&other, 10..15);
                }
                Ok(())
            }),
        );
        first.put(&key(20), &20u32.to_le_bytes()).unwrap();
        first.flush().unwrap();
        let store = runner(&shelf);
        let there: Vec<u32> = (0..30).filter(|number| has(&store, *number)).collect();
        if there.len() == 6 {
            // The first runner made fewer requests.
            assert!(moment > 5, "{moment}");
            return;
        }
        assert_eq!(there, [0, 1, 2, 3, 4, 10, 11, 12, 13, 14, 20], "moment {moment}");
        // And the next one brings the heads together.
        run(&shelf, [40]);
        assert_eq!(shelf.names("heads/").len(), 1, "moment {moment}");
        assert!(shelf.index().packs.len() <= 3);
        let store = runner(&shelf);
        assert!([0, 10, 20, 40].iter().all(|number| has(&store, *number)), "moment {moment}");
    }
}

#[test]
fn a_writer_that_dies_at_any_moment_harms_nobody() {
    for moment in 0.. {
        let shelf = Arc::new(Shelf::default());
        (0..3).for_each(|pack| run(&shelf, pack * 10..pack * 10 + 5));
        let at = Mutex::new(0);
        let dying = runner_with(
            &shelf,
            Naming::Listed,
            Box::new(move |_| {
                let mut at = lock(&at);
                *at += 1;
                if *at > moment { Err(failed("dead")) } else { Ok(()) }
            }),
        );
        dying.put(&key(90), &90u32.to_le_bytes()).unwrap();
        let died = dying.flush().is_err();
        drop(dying);
        let all: Vec<u32> = (0..3).flat_map(|pack| pack * 10..pack * 10 + 5).collect();
        let store = runner(&shelf);
        assert!(all.iter().all(|number| has(&store, *number)), "moment {moment}");
        run(&shelf, [91]);
        let store = runner(&shelf);
        assert!(all.iter().chain(&[91]).all(|number| has(&store, *number)), "moment {moment}");
        assert_eq!(shelf.names("heads/").len(), 1);
        if !died && moment > 12 {
            return;
        }
    }
}

#[test]
fn many_runs_leave_few_packs_and_lose_nothing() {
    let shelf = Arc::new(Shelf::default());
    for number in 0..40 {
        run(&shelf, [number, number + 1000]);
        assert!(shelf.index().packs.len() < 4, "{}", shelf.index().packs.len());
    }
    shelf.requests();
    let store = runner(&shelf);
    assert!((0..40).all(|number| has(&store, number) && has(&store, number + 1000)));
    assert!(shelf.requests().len() <= 5);
    // Merged packs stay for an hour, for readers of an old index, and go then.
    let (before, retired) = (shelf.names("packs/").len(), shelf.index().retired.len());
    assert_eq!(before, shelf.index().packs.len() + retired);
    let mut index = shelf.index();
    let name = format!("heads/{}", index.id);
    index.retired.values_mut().for_each(|at_ms| *at_ms -= 2 * 60 * 60 * 1000);
    let bytes = index.encode();
    shelf.change(&name, |object| object.0 = bytes);
    run(&shelf, [99]);
    assert_eq!(shelf.names("packs/").len(), shelf.index().packs.len() + shelf.index().retired.len());
    let store = runner(&shelf);
    assert!((0..40).all(|number| has(&store, number)) && has(&store, 99));
}

#[test]
fn a_reader_whose_packs_were_merged_and_deleted_looks_again() {
    let shelf = Arc::new(Shelf::default());
    (0..3).for_each(|number| run(&shelf, [number]));
    let late = runner(&shelf);
    assert!(has(&late, 0));
    let old: Vec<String> = shelf.names("packs/");
    run(&shelf, [3]);
    // At once, where an hour is usual.
    old.iter().for_each(|name| shelf.delete(name));
    assert!((1..4).all(|number| has(&late, number)));
}

#[test]
fn a_stale_index_is_noticed_by_the_first_miss() {
    let shelf = Arc::new(Shelf::default());
    run(&shelf, [1]);
    let stale = lock(&shelf.objects)["index"].clone();
    run(&shelf, [2]);
    shelf.change("index", |object| *object = stale);
    let store = runner(&shelf);
    assert!(has(&store, 1) && has(&store, 2));
    // Nor does it need to be there, or to be whole.
    shelf.change("index", |object| object.0.truncate(20));
    let store = runner(&shelf);
    assert!(has(&store, 1) && has(&store, 2));
    shelf.delete("index");
    let store = runner(&shelf);
    assert!(has(&store, 1) && has(&store, 2));
    // Where the heads are gone, as on a mirror of some of the files, a writer goes on from the index.
    run(&shelf, [3]);
    shelf.names("heads/").iter().for_each(|name| shelf.delete(name));
    run(&shelf, [4]);
    let store = runner(&shelf);
    assert!((1..5).all(|number| has(&store, number)));
}

#[test]
fn a_damaged_pack_is_a_miss_that_is_reported_once() {
    let shelf = Arc::new(Shelf::default());
    run(&shelf, 0..10);
    let name = shelf.names("packs/").remove(0);
    let whole = lock(&shelf.objects)[&name].0.clone();
    let damages: [(&str, Vec<u8>); 4] = [
        ("half", whole[..whole.len() / 2].to_vec()),
        ("flipped", whole.iter().enumerate().map(|(at, byte)| byte ^ u8::from(at == 60)).collect()),
        ("empty", Vec::new()),
        ("foreign", b"<html>not found</html>".to_vec()),
    ];
    for (what, damaged) in damages {
        shelf.change(&name, |object| object.0 = damaged);
        let store = runner(&shelf);
        let error = store.get(&key(1)).unwrap_err().to_string();
        assert!(error.starts_with(&format!("shelf/{name}: ")), "{what}: {error}");
        assert!((0..10).all(|number| store.get(&key(number)).unwrap().is_none()), "{what}");
    }
    // Longer than the index says: refused before it is read.
    shelf.change(&name, |object| object.0.extend(vec![0; 1000]));
    let store = runner(&shelf);
    assert!(store.get(&key(1)).is_err());
    // What comes is found beside it.
    store.put(&key(1), &1u32.to_le_bytes()).unwrap();
    drop(store);
    assert!(has(&runner(&shelf), 1));
}

#[test]
fn a_damaged_head_is_left_alone_until_it_is_old() {
    let shelf = Arc::new(Shelf::default());
    run(&shelf, 0..3);
    // Another runner's, still being written on a server that shows it.
    let half = format!("heads/{}", Id::random());
    lock(&shelf.objects).insert(half.clone(), (b"evg-indx".to_vec(), SystemTime::now()));
    (3..9).for_each(|number| run(&shelf, [number]));
    assert!(shelf.has(&half));
    let orphan = format!("packs/{}", Id::random());
    let day = SystemTime::now() - Duration::from_secs(2 * 24 * 60 * 60);
    lock(&shelf.objects).insert(orphan.clone(), (b"evg-pack".to_vec(), SystemTime::now()));
    shelf.change(&half, |object| object.1 = day);
    (9..15).for_each(|number| run(&shelf, [number]));
    assert!(!shelf.has(&half) && shelf.has(&orphan));
    shelf.change(&orphan, |object| object.1 = day);
    (15..20).for_each(|number| run(&shelf, [number]));
    assert!(!shelf.has(&orphan));
    let store = runner(&shelf);
    assert!((0..20).all(|number| has(&store, number)));
}

#[test]
fn a_newer_index_is_neither_read_nor_replaced() {
    let shelf = Arc::new(Shelf::default());
    run(&shelf, [1]);
    let head = shelf.names("heads/").remove(0);
    shelf.change(&head, |object| object.0[8] = 2);
    let store = runner(&shelf);
    store.put(&key(2), &2u32.to_le_bytes()).unwrap();
    assert_eq!(store.flush().unwrap_err().kind(), ErrorKind::Newer);
    assert_eq!(shelf.names("heads/"), [head]);
}

#[test]
fn a_service_that_fails_twice_is_not_asked_again() {
    let shelf = Arc::new(Shelf::default());
    run(&shelf, [1]);
    let asked = Arc::new(Mutex::new(0));
    let count = asked.clone();
    let before: Before = Box::new(move |_| {
        *lock(&count) += 1;
        Err(failed("no route"))
    });
    let store = runner_with(&shelf, Naming::Listed, before);
    assert!(store.get(&key(1)).is_err() && store.get(&key(1)).is_err());
    assert!((0..100).all(|number| store.get(&key(number)).unwrap().is_none()));
    assert_eq!(*lock(&asked), 2);
    // The end of the run is worth one more attempt, and one only.
    store.put(&key(5), b"five").unwrap();
    assert!(store.flush().is_err());
    drop(store);
    assert_eq!(*lock(&asked), 3);
}

#[test]
fn a_bucket_that_lies_costs_a_bounded_number_of_requests() {
    let shelf = Arc::new(Shelf::default());
    let mut index = Index { id: Id([1; 16]), ..Index::empty() };
    for number in 0..5000u32 {
        let id = Id(u128::from(number).to_be_bytes());
        // Everything is there, says its filter.
        let filter = filter::Filter::from_bytes(&[0xff; 3]).unwrap();
        index.packs.push(PackLine { id, created_ms: 1, bytes: 80 << 20, entries: 1, filter });
    }
    let bytes = index.encode();
    for name in ["index".to_owned(), format!("heads/{}", index.id)] {
        lock(&shelf.objects).insert(name, (bytes.clone(), SystemTime::now()));
    }
    for claimed in [80 << 20, 1] {
        index.packs.iter_mut().for_each(|line| line.bytes = claimed);
        let bytes = index.encode();
        shelf.change("index", |object| object.0 = bytes);
        shelf.requests();
        let store = runner(&shelf);
        for number in 0..50 {
            let _ = store.get(&key(number));
        }
        let requests = shelf.requests().len();
        assert!(requests <= 2 * MAX_FETCHES + 2, "{requests}");
    }
}

#[test]
fn the_newest_value_stays_the_newest_through_merges_and_removals() {
    let shelf = Arc::new(Shelf::default());
    for round in 0..30u32 {
        let store = runner(&shelf);
        store.put(&key(0), &round.to_le_bytes()).unwrap();
        // Small and large packs in turn, so that the smallest are not the newest.
        store.put(&key(round + 1), &vec![7; if round % 3 == 1 { 50_000 } else { 10 }]).unwrap();
        store.flush().unwrap();
        if round % 4 == 3 {
            assert_eq!(runner(&shelf).remove(&[key(round)]).unwrap(), 1);
        }
        let value = runner(&shelf).get(&key(0)).unwrap().expect("it is there");
        assert_eq!(*value, round.to_le_bytes());
    }
}

#[test]
fn removed_keys_are_in_no_pack() {
    let shelf = Arc::new(Shelf::default());
    (0..3).for_each(|pack| run(&shelf, pack * 10..pack * 10 + 5));
    let store = runner(&shelf);
    store.put(&key(11), b"wrong").unwrap();
    assert_eq!(store.remove(&[key(1), key(11), key(99)]).unwrap(), 2);
    let late = runner(&shelf);
    for store in [&store, &late] {
        assert!(!has(store, 1) && !has(store, 11));
        assert!([0, 2, 10, 12, 20, 24].iter().all(|number| has(store, *number)));
    }
}

#[test]
fn an_entry_found_there_stays_before_one_taken_from_elsewhere() {
    let shelf = Arc::new(Shelf::default());
    run(&shelf, [1]);
    for number in [2, 3, 4] {
        let store = runner(&shelf);
        store.put_from(&key(1), b"imported", Origin::Imported).unwrap();
        store.put(&key(number), &number.to_le_bytes()).unwrap();
        store.flush().unwrap();
    }
    assert_eq!(shelf.index().packs.len(), 1, "all merged");
    assert!(has(&runner(&shelf), 1));
}

#[test]
fn where_objects_are_made_once_indexes_are_a_sequence() {
    let shelf = Arc::new(Shelf::default());
    let numbered = |before: Before| runner_with(&shelf, Naming::Numbered, before);
    let run_numbered = |store: &Cloud, number: u32| {
        store.put(&key(number), &number.to_le_bytes()).unwrap();
        store.flush().unwrap();
    };
    (0..3).for_each(|number| run_numbered(&numbered(Box::new(|_| Ok(()))), number));
    // Another runner is faster, twice, between this one's read and its write.
    let (faster, done) = (shelf.clone(), Mutex::new(0));
    let first = numbered(Box::new(move |request| {
        let mut done = lock(&done);
        if request.starts_with("write index-") && *done < 2 {
            *done += 1;
            let other = runner_with(&faster, Naming::Numbered, Box::new(|_| Ok(())));
            let number = 10 + *done;
            other.put(&key(number), &number.to_le_bytes()).unwrap();
            other.flush().unwrap();
        }
        Ok(())
    }));
    run_numbered(&first, 20);
    shelf.requests();
    let store = numbered(Box::new(|_| Ok(())));
    assert!([0, 1, 2, 11, 12, 20].iter().all(|number| has(&store, *number)));
    assert!(!has(&store, 50));
    let requests = shelf.requests();
    assert_eq!(requests[0], "read index-");
    assert!(
        requests.len() <= 5 && !requests.iter().any(|request| request.starts_with("list")),
        "{requests:?}"
    );
    let numbers: Vec<String> = shelf.names("index-");
    assert_eq!(numbers.len(), 6, "{numbers:?}");
}
