//! Tests that need the internals: foreign and newer files, days of use, and an LMDB file read in two ways.

use std::path::Path;

use super::environment::Environment;
use super::files::{VERSION_KEY, version_bytes};
use super::snapshot::{Snapshot, Step};
use super::*;
use crate::envelope::{seal, seal_in_first_format};
use crate::{PruneLimits, prune};

fn key(number: u32) -> Key {
    let mut bytes = [0; 32];
    bytes[..4].copy_from_slice(&number.wrapping_mul(0x9E37_79B9).to_be_bytes());
    bytes[28..].copy_from_slice(&number.to_be_bytes());
    Key(bytes)
}

/// Writes raw entries, as another program or another version would.
fn write_raw(directory: &Path, entries: &[(&[u8], Vec<u8>)]) {
    let environment = Environment::open(directory).unwrap();
    let file = std::fs::File::open(directory.join("data.mdb")).unwrap();
    environment
        .write(&file, |writing| entries.iter().try_for_each(|(key, value)| writing.put(key, value)))
        .unwrap();
}

fn refused(directory: &Path) -> StoreError {
    let before = std::fs::read(directory.join("data.mdb")).unwrap();
    let error = Disk::open(directory, 0).err().expect("the store must not open");
    let again = Disk::open_read_only(directory, 0).err().expect("nor read-only");
    assert_eq!(error.kind(), again.kind());
    assert_eq!(std::fs::read(directory.join("data.mdb")).unwrap(), before, "the file was changed");
    error
}

#[test]
fn a_newer_format_is_refused_and_left_alone() {
    let directory = tempfile::tempdir().unwrap();
    write_raw(directory.path(), &[(VERSION_KEY, version_bytes(3))]);
    let error = refused(directory.path());
    assert_eq!(error.kind(), ErrorKind::Newer);
    let file = directory.path().canonicalize().unwrap().join("data.mdb");
    assert_eq!(
        error.to_string(),
        format!(
            "{}: the store has format '3', this evergreen knows '2'\n\
             help: use a newer evergreen, or name another directory",
            file.display()
        )
    );
}

#[test]
fn somebody_elses_lmdb_file_is_refused_and_left_alone() {
    let directory = tempfile::tempdir().unwrap();
    write_raw(directory.path(), &[(b"their key", b"their value".to_vec())]);
    let error = refused(directory.path());
    assert_eq!(error.kind(), ErrorKind::Foreign);
    assert!(error.to_string().contains("an LMDB file, but not an evergreen store"), "{error}");
}

#[test]
fn garbage_and_half_a_file_are_refused_and_left_alone() {
    for bytes in [&b"SQLite format 3\0"[..], &[0; 20_000], &[0xff; 9000], b"x"] {
        let directory = tempfile::tempdir().unwrap();
        std::fs::write(directory.path().join("data.mdb"), bytes).unwrap();
        let error = refused(directory.path());
        assert_eq!(error.kind(), ErrorKind::Foreign);
        assert!(error.to_string().contains("not a store, or a damaged one: "), "{error}");
        assert!(error.to_string().contains("\nhelp: move the directory away"), "{error}");
    }
}

#[test]
fn the_day_of_use_is_noted_once_and_pruning_goes_by_it() {
    let directory = tempfile::tempdir().unwrap();
    let sealed: Vec<(Key, Vec<u8>)> = (0..10)
        .map(|age| (key(age), seal(&key(age), today() - 100 - age, Origin::Local, &[7; 10])))
        .collect();
    let mut entries: Vec<(&[u8], Vec<u8>)> = vec![(VERSION_KEY, version_bytes(2))];
    entries.extend(sealed.iter().map(|(key, sealed)| (&key.0[..], sealed.clone())));
    write_raw(directory.path(), &entries);

    let ages = |store: &Disk| {
        let mut ages = Vec::new();
        let each = &mut |key: &Key, usage: Usage| {
            ages.push((u32::from(key.0[31]), today() - usage.day));
            ControlFlow::Continue(())
        };
        store.visit_usage(each).unwrap();
        ages.sort();
        ages
    };
    let read_only = Disk::open_read_only(directory.path(), 1 << 20).unwrap();
    assert!(read_only.get(&key(3)).unwrap().is_some());
    drop(read_only);
    let store = Disk::open(directory.path(), 1 << 20).unwrap();
    assert_eq!(ages(&store), (0..10).map(|age| (age, 100 + age)).collect::<Vec<_>>());
    assert!(store.get(&key(8)).unwrap().is_some());
    assert!(store.core.files.has_touched());
    store.flush().unwrap();
    assert!(store.get(&key(8)).unwrap().is_some());
    assert!(!store.core.files.has_touched(), "a second hit is no second write");
    assert!(store.get(&key(2)).unwrap().is_some());
    drop(store);

    let store = Disk::open(directory.path(), 1 << 20).unwrap();
    let now = ages(&store);
    assert_eq!((now[8], now[2], now[3]), ((8, 0), (2, 0), (3, 103)));
    let pruned = prune(&store, &PruneLimits { max_bytes: Some(40), unused_days: None }).unwrap();
    assert_eq!((pruned.removed, pruned.kept), (6, 4));
    let left: Vec<u32> = ages(&store).into_iter().map(|(age, _)| age).collect();
    assert_eq!(left, [0, 1, 2, 8]);
}

#[test]
fn entries_of_the_first_format_are_counted_and_removed_and_never_used() {
    let directory = tempfile::tempdir().unwrap();
    let member = Bucket([9; 16]).member(b"member");
    let sealed: Vec<(Key, Vec<u8>)> = (0..10)
        .map(|number| (key(number), seal_in_first_format(&key(number), today() - 1, &[7; 10])))
        .chain([(member, seal_in_first_format(&member, today(), b"member"))])
        .collect();
    let mut entries: Vec<(&[u8], Vec<u8>)> = vec![(VERSION_KEY, version_bytes(1))];
    entries.extend(sealed.iter().map(|(key, sealed)| (&key.0[..], sealed.clone())));
    write_raw(directory.path(), &entries);
    let old = OldEntries { entries: 11, bytes: 106 };
    let read_only = Disk::open_read_only(directory.path(), 0).unwrap();
    assert_eq!(read_only.old_entries().unwrap(), old);
    let store = Disk::open(directory.path(), 1 << 20).unwrap();
    for store in [&read_only, &store] {
        assert_eq!(store.get(&key(1)).unwrap(), None);
        assert_eq!(store.list(&Bucket([9; 16])).unwrap(), []);
        assert_eq!(store.stats().unwrap().entries, 0);
        let verified = crate::verify(store, &mut |_, _| Err(String::from("nothing is shown"))).unwrap();
        assert!(verified.is_clean() && verified.old == old && verified.entries == 0, "{verified:?}");
        assert_eq!(store.stats().unwrap().damaged, 0, "old is not damaged");
    }
    // A new answer takes the place of an old one, and older builds leave the store alone from then on.
    store.put(&key(1), b"new").unwrap();
    store.put(&key(20), b"new").unwrap();
    store.flush().unwrap();
    assert_eq!(store.old_entries().unwrap().entries, 10);
    let file = std::fs::File::open(directory.path().join("data.mdb")).unwrap();
    let pages = super::pages::Pages::new(super::pages::Keep::All);
    let version =
        Snapshot::newest(&file).unwrap().unwrap().find(VERSION_KEY, &pages, <[u8]>::to_vec).unwrap();
    assert_eq!(version, Some(version_bytes(2)));
    let pruned = prune(&store, &PruneLimits::default()).unwrap();
    assert_eq!((pruned.removed, pruned.kept, pruned.old.entries), (0, 2, 10));
    assert_eq!(store.old_entries().unwrap(), OldEntries::default());
    assert_eq!(store.get(&key(1)).unwrap().as_deref(), Some(&b"new"[..]));
}

#[test]
fn an_origin_is_kept_on_disk_until_it_is_confirmed() {
    let directory = tempfile::tempdir().unwrap();
    let origin = |store: &Disk, number| store.get_from(&key(number)).unwrap().map(|(_, origin)| origin);
    let bucket = Bucket([9; 16]);
    {
        let store = Disk::open(directory.path(), 0).unwrap();
        store.put_from(&key(1), b"imported", Origin::Imported).unwrap();
        store.put_from(&key(2), b"copied", Origin::Network).unwrap();
        store.put_from(&bucket.member(b"m"), b"m", Origin::Imported).unwrap();
        store.put(&key(3), b"mine").unwrap();
    }
    let store = Disk::open(directory.path(), 0).unwrap();
    assert_eq!(
        [1, 2, 3].map(|n| origin(&store, n).unwrap()),
        [Origin::Imported, Origin::Imported, Origin::Local]
    );
    assert_eq!(store.list_from(&bucket).unwrap(), [(Bytes::from(&b"m"[..]), Origin::Imported)]);
    store.put_from(&key(3), b"forged", Origin::Imported).unwrap();
    store.confirm(&key(1), b"imported").unwrap();
    store.put_in(&bucket, b"m").unwrap();
    drop(store);
    let store = Disk::open(directory.path(), 0).unwrap();
    assert_eq!(
        [1, 2, 3].map(|n| origin(&store, n).unwrap()),
        [Origin::Local, Origin::Imported, Origin::Local]
    );
    assert_eq!(store.get(&key(3)).unwrap().as_deref(), Some(&b"mine"[..]));
    assert_eq!(store.list_from(&bucket).unwrap(), [(Bytes::from(&b"m"[..]), Origin::Local)]);
    // The day of use is noted without a change of origin: entries of yesterday.
    let raw = (key(2), seal(&key(2), today() - 1, Origin::Imported, b"copied"));
    drop(store);
    write_raw(directory.path(), &[(&raw.0.0, raw.1)]);
    let store = Disk::open(directory.path(), 0).unwrap();
    assert_eq!(origin(&store, 2), Some(Origin::Imported));
    store.flush().unwrap();
    assert_eq!(origin(&store, 2), Some(Origin::Imported));
}

#[test]
fn a_touch_does_not_undo_what_another_process_wrote() {
    let directory = tempfile::tempdir().unwrap();
    let entry = (key(1), seal(&key(1), today() - 9, Origin::Local, b"old"));
    write_raw(directory.path(), &[(VERSION_KEY, version_bytes(2)), (&entry.0.0, entry.1.clone())]);
    let store = Disk::open(directory.path(), 1 << 20).unwrap();
    assert!(store.get(&key(1)).unwrap().is_some());
    // Nothing was written by this store yet, so its environment is not open and ours can be.
    write_raw(directory.path(), &[(&key(1).0, seal(&key(1), today() - 5, Origin::Local, b"newer"))]);
    drop(store);
    let store = Disk::open(directory.path(), 1 << 20).unwrap();
    assert_eq!(store.get(&key(1)).unwrap().as_deref(), Some(&b"newer"[..]));
    store
        .visit_usage(&mut |_, usage| {
            assert_eq!(usage.day, today());
            ControlFlow::Continue(())
        })
        .unwrap();
}

#[test]
fn our_reader_agrees_with_lmdb() {
    let directory = tempfile::tempdir().unwrap();
    let store = Disk::open(directory.path(), 0).unwrap();
    let mut numbers: Vec<u32> = (0..6000).collect();
    for round in 0..6u32 {
        for number in numbers.iter().filter(|number| **number % 6 != round) {
            store
                .put(&key(*number), &vec![round as u8; (*number as usize * 7 + round as usize * 131) % 900])
                .unwrap();
        }
        store.flush().unwrap();
        let gone: Vec<Key> =
            numbers.iter().filter(|number| **number % 7 == round).map(|number| key(*number)).collect();
        store.remove(&gone).unwrap();
        numbers.retain(|number| number % 7 != round);
    }
    drop(store);
    let file = std::fs::File::open(directory.path().join("data.mdb")).unwrap();
    let snapshot = Snapshot::newest(&file).unwrap().unwrap();
    snapshot.check_all().unwrap();
    let mut ours = Vec::new();
    snapshot.walk(
        &snapshot.meta.main,
        None,
        &mut |entry| {
            ours.push((entry.key.to_vec(), entry.with(<[u8]>::to_vec).unwrap()));
            Step::Continue(())
        },
        &mut |trouble| panic!("{trouble:?}"),
    );
    let theirs = Environment::open(directory.path()).unwrap().dump();
    assert!(ours.len() > 800 && snapshot.meta.main.depth > 1, "{} entries", ours.len());
    assert!(ours == theirs);
}

/// How many operations failed; without the walk that whole statistics need.
pub(super) fn errors(store: &Disk) -> u64 {
    store.core.counters.errors.load(std::sync::atomic::Ordering::Relaxed)
}
