//! Journals of dead and living processes, whole, torn and made up.
//!
//! A journal that is dropped without being settled is what a killed process leaves: without
//! a lock, but with its file.

use std::collections::BTreeMap;

use super::*;
use crate::{Disk, Store};

const FIXTURE: &[u8] = include_bytes!("../../../tests/fixtures/format-1.journal");

fn key(number: u8) -> Key {
    Key([number; 32])
}

/// The bytes of a journal with these entries.
fn bytes_of(entries: &[(u8, &[u8])]) -> Vec<u8> {
    let mut bytes = header(FORMAT_VERSION).to_vec();
    entries.iter().for_each(|(number, value)| bytes.extend(entry(&key(*number), value, Origin::Local)));
    bytes
}

/// Leaves a file as a dead process would; `age` orders them.
fn leave(directory: &Path, age: u64, bytes: &[u8]) -> PathBuf {
    let path = directory.join(format!("{PREFIX}{age:020}-77"));
    std::fs::write(&path, bytes).unwrap();
    path
}

/// The entries that the next process to open the store finds, by the first byte of the key.
fn recovered(directory: &Path) -> BTreeMap<u8, Vec<u8>> {
    let mut found = BTreeMap::new();
    let store = Disk::open(directory, 0).unwrap();
    store
        .visit(&mut |key, value| {
            found.insert(key.0[0], value.to_vec());
            ControlFlow::Continue(())
        })
        .unwrap();
    for (number, value) in &found {
        assert_eq!(store.get(&key(*number)).unwrap().as_deref(), Some(&value[..]));
    }
    found
}

fn map(entries: &[(u8, &[u8])]) -> BTreeMap<u8, Vec<u8>> {
    entries.iter().map(|(number, value)| (*number, value.to_vec())).collect()
}

#[test]
fn what_was_appended_is_recovered_and_written_once() {
    let directory = tempfile::tempdir().unwrap();
    let entries: &[(u8, &[u8])] = &[(1, b"one"), (2, b""), (3, &[7; 100_000])];
    let journal = Journal::new(directory.path().to_path_buf());
    entries.iter().for_each(|(number, value)| journal.append(&key(*number), value, Origin::Local).unwrap());
    drop(journal);
    let left = list(directory.path());
    assert_eq!(left.len(), 1);
    assert_eq!(std::fs::read(&left[0]).unwrap(), bytes_of(entries));
    assert_eq!(recovered(directory.path()), map(entries));
    assert_eq!(list(directory.path()).len(), 0);
    // Not from a journal this time.
    assert_eq!(recovered(directory.path()), map(entries));
}

/// The fixture was made once by format version 1 and is never made again.
#[test]
fn a_journal_of_the_first_format_is_counted_and_removed_and_never_used() {
    let directory = tempfile::tempdir().unwrap();
    let path = leave(directory.path(), 1, FIXTURE);
    assert_eq!(recovered(directory.path()), map(&[]));
    assert!(path.exists(), "only a prune removes it");
    let found = OldEntries { entries: 3, bytes: 7 };
    let read_only = Disk::open_read_only(directory.path(), 0).unwrap();
    assert_eq!((read_only.old_entries(), read_only.get(&key(1))), (Ok(found), Ok(None)));
    let store = Disk::open(directory.path(), 0).unwrap();
    assert_eq!(store.old_entries().unwrap(), found);
    assert_eq!(store.remove_old().unwrap(), found);
    assert_eq!(store.old_entries().unwrap(), OldEntries::default());
    assert!(!path.exists());
}

#[test]
fn an_origin_survives_a_kill_and_what_was_found_here_is_not_replaced() {
    let directory = tempfile::tempdir().unwrap();
    let store = Disk::open(directory.path(), 0).unwrap();
    store.put(&key(1), b"found here").unwrap();
    drop(store);
    let mut bytes = header(FORMAT_VERSION).to_vec();
    bytes.extend(entry(&key(1), b"forged", Origin::Imported));
    bytes.extend(entry(&key(2), b"imported", Origin::Imported));
    leave(directory.path(), 1, &bytes);
    let store = Disk::open(directory.path(), 0).unwrap();
    let found =
        |number| store.get_from(&key(number)).unwrap().map(|(value, origin)| (value.to_vec(), origin));
    for _ in 0..2 {
        assert_eq!(found(1), Some((b"found here".to_vec(), Origin::Local)));
        assert_eq!(found(2), Some((b"imported".to_vec(), Origin::Imported)));
        store.flush().unwrap();
    }
}

#[test]
fn a_torn_tail_ends_reading_wherever_it_is_torn() {
    let whole = bytes_of(&[(1, b"one"), (2, b""), (3, b"three")]);
    let ends =
        [bytes_of(&[]).len(), bytes_of(&[(1, b"one")]).len(), bytes_of(&[(1, b"one"), (2, b"")]).len()];
    for length in 0..=whole.len() {
        let directory = tempfile::tempdir().unwrap();
        let path = leave(directory.path(), 1, &whole[..length]);
        let held = Held::take_over(&path, Guard::Strict).unwrap().unwrap();
        let mut found = Vec::new();
        let ending = held.read(&mut |key, _, _| {
            found.push(key.0[0]);
            ControlFlow::Continue(())
        });
        assert_eq!(ending, Ending::Complete);
        let intact = ends[1..].iter().chain([&whole.len()]).filter(|end| **end <= length).count();
        assert_eq!(found, [1, 2, 3][..intact], "torn at {length}");
    }
}

#[test]
fn flipped_bits_hide_entries_and_make_none() {
    let entries: &[(u8, &[u8])] = &[(1, b"one"), (2, b"two"), (3, b"three")];
    let whole = bytes_of(entries);
    let directory = tempfile::tempdir().unwrap();
    for bit in 0..whole.len() * 8 {
        let mut bytes = whole.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        let held = Held::take_over(&leave(directory.path(), 1, &bytes), Guard::Strict).unwrap().unwrap();
        let mut found = Vec::new();
        held.read(&mut |key, value, _| {
            found.push((key.0[0], value.to_vec()));
            ControlFlow::Continue(())
        });
        let first_damaged = (bit / 8).saturating_sub(HEADER_BYTES) / (ENTRY_BYTES + 3);
        let intact = if bit / 8 < HEADER_BYTES { 0 } else { first_damaged.min(2) };
        let expected: Vec<_> =
            entries[..intact].iter().map(|(number, value)| (*number, value.to_vec())).collect();
        assert_eq!(found, expected, "bit {bit}");
    }
}

#[test]
fn garbage_is_cleared_away_and_strangers_are_left() {
    let directory = tempfile::tempdir().unwrap();
    for (age, garbage) in
        [&b""[..], b"evg", &[0; 5000], &[0xff; 5000], b"#!/bin/sh\nexit 1\n"].iter().enumerate()
    {
        leave(directory.path(), age as u64, garbage);
    }
    let mut newer = header(FORMAT_VERSION + 1).to_vec();
    newer.extend(entry(&key(9), b"in a way that we do not know", Origin::Local));
    let newer = leave(directory.path(), 50, &newer);
    leave(directory.path(), 60, &bytes_of(&[(1, b"one")]));
    let stranger = directory.path().join("journal-of-the-plague-year");
    std::fs::write(&stranger, bytes_of(&[(5, b"five")])).unwrap();
    let folder = directory.path().join(format!("{PREFIX}{:020}-1", 70));
    std::fs::create_dir(&folder).unwrap();
    let link = directory.path().join(format!("{PREFIX}{:020}-1", 80));
    std::os::unix::fs::symlink(&stranger, &link).unwrap();
    assert_eq!(recovered(directory.path()), map(&[(1, b"one")]));
    assert_eq!(list(directory.path()), [newer, folder, link]);
    assert!(stranger.exists());
}

#[test]
fn the_journal_of_the_living_is_left_alone() {
    let directory = tempfile::tempdir().unwrap();
    let living = Journal::new(directory.path().to_path_buf());
    living.append(&key(1), b"one", Origin::Local).unwrap();
    assert_eq!(recovered(directory.path()), map(&[]));
    living.append(&key(2), b"two", Origin::Local).unwrap();
    living.rotate();
    // A due file belongs to its living owner as well.
    living.append(&key(3), b"three", Origin::Local).unwrap();
    assert_eq!(recovered(directory.path()), map(&[]));
    assert_eq!(list(directory.path()).len(), 2);
    drop(living);
    assert_eq!(recovered(directory.path()), map(&[(1, b"one"), (2, b"two"), (3, b"three")]));
}

#[test]
fn settling_deletes_what_was_rotated_and_nothing_else() {
    let directory = tempfile::tempdir().unwrap();
    let journal = Journal::new(directory.path().to_path_buf());
    journal.rotate();
    journal.delete_rotated();
    journal.append(&key(1), b"one", Origin::Local).unwrap();
    journal.rotate();
    journal.append(&key(2), b"two", Origin::Local).unwrap();
    // A batch that fails: the next one answers for both.
    journal.rotate();
    journal.append(&key(3), b"three", Origin::Local).unwrap();
    assert_eq!(list(directory.path()).len(), 3);
    journal.delete_rotated();
    assert_eq!(list(directory.path()).len(), 1);
    assert!(journal.in_use());
    drop(journal);
    assert_eq!(recovered(directory.path()), map(&[(3, b"three")]));
}

#[test]
fn the_last_value_of_a_key_is_recovered() {
    let directory = tempfile::tempdir().unwrap();
    let store = Disk::open(directory.path(), 0).unwrap();
    store.put(&key(1), b"second").unwrap();
    store.put(&key(2), b"second").unwrap();
    drop(store);
    // The first journal's batch was committed, but the process died before it could delete the file.
    leave(directory.path(), 1, &bytes_of(&[(1, b"first"), (1, b"second"), (2, b"first")]));
    leave(directory.path(), 2, &bytes_of(&[(2, b"second"), (1, b"second"), (1, b"third")]));
    assert_eq!(recovered(directory.path()), map(&[(1, b"third"), (2, b"second")]));
}

#[test]
fn one_of_two_openers_takes_a_journal_and_only_as_long_as_it_is_there() {
    let directory = tempfile::tempdir().unwrap();
    let path = leave(directory.path(), 1, &bytes_of(&[(1, b"one")]));
    let first = Held::take_over(&path, Guard::Strict).unwrap().expect("no process has the lock");
    assert!(Held::take_over(&path, Guard::Strict).unwrap().is_none());
    // Opened before it was deleted, locked after.
    let late = File::open(&path).unwrap();
    first.delete();
    assert!(Held::lock(late, path.clone()).unwrap().is_none());
    assert!(Held::take_over(&path, Guard::Strict).unwrap().is_none());
}

#[test]
fn a_journal_that_cannot_be_written_is_told_once_per_batch_and_the_put_succeeds() {
    let directory = tempfile::tempdir().unwrap();
    let journal = Journal::new(directory.path().join("not there"));
    assert!(journal.append(&key(1), b"one", Origin::Local).is_err());
    assert!(journal.append(&key(2), b"two", Origin::Local).is_ok());
    journal.rotate();
    assert!(journal.append(&key(3), b"three", Origin::Local).is_err());
    let path = directory.path().join("store");
    let store = Disk::open(&path, 0).unwrap();
    std::fs::remove_dir_all(&path).unwrap();
    store.put(&key(1), b"one").unwrap();
    store.put(&key(2), b"two").unwrap();
    assert_eq!(crate::disk::tests::errors(&store), 1);
    store.flush().unwrap();
    drop(store);
    assert_eq!(recovered(&path), map(&[(1, b"one"), (2, b"two")]));
}

#[test]
fn journals_do_not_fill_the_disk() {
    let directory = tempfile::tempdir().unwrap();
    let journal = Journal::new(directory.path().to_path_buf());
    let value = vec![1; 10 << 20];
    for number in 0..20 {
        journal.append(&key(number), &value, Origin::Local).unwrap();
        journal.rotate();
    }
    let bytes: u64 = list(directory.path()).iter().map(|path| path.metadata().unwrap().len()).sum();
    assert!((60 << 20..=MAX_BYTES).contains(&bytes), "{bytes}");
    assert!(!journal.is_full(), "there is room for small ones");
    journal.delete_rotated();
    for number in 0..200 {
        journal.append(&key(number), b"small", Origin::Local).unwrap();
        journal.rotate();
    }
    assert!(journal.is_full());
    assert_eq!(list(directory.path()).len(), MAX_FILES);
    drop(journal);
    // More than one can hold at a time.
    (0..150).for_each(|age| drop(leave(directory.path(), age, &bytes_of(&[(age as u8, b"small")]))));
    assert_eq!(recovered(directory.path()).len(), 150);
    assert_eq!(list(directory.path()).len(), 0);
}

#[test]
fn a_batch_that_cannot_be_written_leaves_its_entries_to_the_next_process() {
    let directory = tempfile::tempdir().unwrap();
    let data = directory.path().join("data.mdb");
    let store = Disk::open(directory.path(), 0).unwrap();
    store.put(&key(1), b"one").unwrap();
    store.flush().unwrap();
    let sound = std::fs::read(&data).unwrap();
    std::fs::write(&data, [0; 20_000]).unwrap();
    store.put(&key(2), b"two").unwrap();
    assert!(store.flush().is_err());
    store.put(&key(3), b"three").unwrap();
    drop(store);
    assert!(!list(directory.path()).is_empty());
    std::fs::write(&data, sound).unwrap();
    assert_eq!(recovered(directory.path()), map(&[(1, b"one"), (2, b"two"), (3, b"three")]));
    assert_eq!(list(directory.path()).len(), 0);
}
