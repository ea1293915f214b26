//! Flipped bits, lost pages and cut files: a miss or an error, never a wrong value and never a crash.
//!
//! The attacks run in this very process: a SIGSEGV or SIGBUS kills the test run.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use crate::common::{is_value, key, value};
use evergreen_store::{Disk, ErrorKind, Store, verify};
use evergreen_structures::Xorshift;

const ENTRIES: u64 = 400;

/// In memory where there is such a place: these tests are about bytes, not about disks.
fn quick_directory() -> tempfile::TempDir {
    tempfile::tempdir_in("/dev/shm").unwrap_or_else(|_| tempfile::tempdir().unwrap())
}

/// `EVERGREEN_ATTACKS=20` attacks twenty times as often, with other seeds.
fn attempts(usual: u64, seed: u64) -> (std::ops::Range<u64>, Xorshift) {
    let factor = std::env::var("EVERGREEN_ATTACKS").map_or(1, |factor| factor.parse().unwrap());
    (0..usual * factor, Xorshift::new(seed.wrapping_mul(factor)))
}

/// The file of a store with some history: overwritten, removed, with free pages and
/// values on pages of their own.
fn sound_file() -> Vec<u8> {
    let directory = tempfile::tempdir().unwrap();
    let store = Disk::open(directory.path(), 0).unwrap();
    for round in 0..4 {
        for number in 0..ENTRIES {
            if (number + round) % 3 != 0 {
                store.put(&key(number), &value(number, round)).unwrap();
            }
        }
        store.flush().unwrap();
    }
    let gone: Vec<_> = (0..ENTRIES).filter(|number| number % 11 == 0).map(key).collect();
    store.remove(&gone).unwrap();
    assert!(verify(&store, &mut |_, _| Ok(())).unwrap().is_clean());
    drop(store);
    fs::read(directory.path().join("data.mdb")).unwrap()
}

/// Uses a damaged store in every way. Returns how many of the old entries were found.
fn use_it(directory: &Path, what: &str) -> u64 {
    let store = match Disk::open(directory, 0) {
        Ok(store) => store,
        Err(error) => {
            assert!(error.to_string().contains("help:"), "{what}: {error}");
            return 0;
        }
    };
    let mut found = 0;
    let check = |number: u64| match store.get(&key(number)) {
        Ok(Some(bytes)) => {
            assert!(is_value(number, &bytes), "{what}: wrong value for {number}");
            1
        }
        Ok(None) => 0,
        Err(error) => {
            assert_eq!(error.kind(), ErrorKind::Damaged, "{what}: {error}");
            0
        }
    };
    for number in 0..ENTRIES {
        found += check(number);
    }
    // Walking, counting and verifying may fail, but not lie.
    let _ = store.visit(&mut |seen, bytes| {
        let number = u64::from_be_bytes(seen.0[16..24].try_into().unwrap());
        assert!(*seen == key(number) && is_value(number, bytes), "{what}: visited a wrong entry");
        ControlFlow::Continue(())
    });
    let _ = store.stats();
    let _ = verify(&store, &mut |_, _| Ok(()));
    // Writing may be refused; a put that succeeded must be there.
    for number in ENTRIES - 20..ENTRIES + 60 {
        store.put(&key(number), &value(number, 77)).unwrap();
    }
    let written = store.flush();
    if let Err(error) = &written {
        assert_eq!(error.kind(), ErrorKind::Damaged, "{what}: {error}");
    }
    let _ = store.remove(&[key(5), key(6), key(7), key(ENTRIES + 3)]);
    for number in 0..ENTRIES + 60 {
        check(number);
    }
    drop(store);
    if let Ok(store) = Disk::open(directory, 0) {
        for number in 0..ENTRIES + 60 {
            if let Ok(Some(bytes)) = store.get(&key(number)) {
                assert!(is_value(number, &bytes), "{what}: wrong value for {number} after writing");
            }
        }
    }
    found
}

fn attack(bytes: &[u8], what: &str) -> u64 {
    let directory = quick_directory();
    fs::write(directory.path().join("data.mdb"), bytes).unwrap();
    use_it(directory.path(), what)
}

#[test]
fn flipped_bits() {
    let sound = sound_file();
    let all = attack(&sound, "sound");
    assert_eq!(all, ENTRIES - ENTRIES.div_ceil(11));
    let (attempts, mut random) = attempts(250, 0x5EED_0001);
    let mut harmed = 0;
    for attempt in attempts {
        let mut bytes = sound.clone();
        let flips = 1 + random.below(4);
        let mut what = format!("attempt {attempt}, bits");
        for _ in 0..flips {
            // Half of the flips go to the start of pages, where the structure is.
            let at = match random.below(2) {
                0 => random.below(bytes.len() as u64),
                _ => random.below(bytes.len() as u64 / 4096) * 4096 + random.below(200),
            };
            let bit = random.below(8);
            what += &format!(" {at}.{bit}");
            bytes[at as usize] ^= 1 << bit;
        }
        harmed += u64::from(attack(&bytes, &what) < all);
    }
    // The attack must be one.
    assert!(harmed > 50, "only {harmed} of 250 attacks did any harm");
}

fn bits_of_meta_page(page: usize) {
    let sound = sound_file();
    for bit in (0..152 * 8).filter(|bit| bit % 3 == page) {
        let mut bytes = sound.clone();
        bytes[page * 4096 + bit / 8] ^= 1 << (bit % 8);
        attack(&bytes, &format!("meta page {page}, bit {bit}"));
    }
}

#[test]
fn every_third_bit_of_the_first_meta_page() {
    bits_of_meta_page(0);
}

#[test]
fn every_third_bit_of_the_second_meta_page() {
    bits_of_meta_page(1);
}

#[test]
fn pages_overwritten() {
    let sound = sound_file();
    let pages = sound.len() / 4096;
    let (attempts, mut random) = attempts(120, 0x5EED_0002);
    for attempt in attempts {
        let mut bytes = sound.clone();
        let (from, to) = (random.below(pages as u64) as usize, random.below(pages as u64) as usize);
        match attempt % 3 {
            0 => bytes[to * 4096..(to + 1) * 4096].fill(0),
            1 => bytes[to * 4096..(to + 1) * 4096].fill_with(|| random.next() as u8),
            // A page of the same kind in the wrong place, with the number of that place.
            _ => {
                bytes.copy_within(from * 4096..(from + 1) * 4096, to * 4096);
                bytes[to * 4096..to * 4096 + 8].copy_from_slice(&(to as u64).to_ne_bytes());
            }
        }
        attack(&bytes, &format!("attempt {attempt}, page {to} (from {from})"));
    }
}

#[test]
fn cut_files() {
    let sound = sound_file();
    let (attempts, mut random) = attempts(60, 0x5EED_0003);
    let mut lengths: Vec<usize> = attempts.map(|_| random.below(sound.len() as u64) as usize).collect();
    lengths.extend([
        1,
        151,
        152,
        4095,
        4096,
        4097,
        8191,
        8192,
        8193,
        12288,
        sound.len() / 2,
        sound.len() - 1,
    ]);
    for length in lengths {
        attack(&sound[..length], &format!("cut to {length}"));
    }
}

#[test]
fn cut_while_open() {
    let sound = sound_file();
    let (attempts, mut random) = attempts(30, 0x5EED_0004);
    for attempt in attempts {
        let directory = quick_directory();
        let path = directory.path().join("data.mdb");
        fs::write(&path, &sound).unwrap();
        let store = Disk::open(directory.path(), 0).unwrap();
        // So that LMDB has mapped the file before it is cut.
        store.put(&key(1), &value(1, 9)).unwrap();
        store.flush().unwrap();
        let length = if attempt == 0 { 0 } else { random.below(sound.len() as u64) };
        fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(length).unwrap();
        for number in 0..ENTRIES {
            if let Ok(Some(bytes)) = store.get(&key(number)) {
                assert!(is_value(number, &bytes), "cut to {length}: wrong value for {number}");
            }
            store.put(&key(number + 1000), &value(number + 1000, 1)).unwrap();
        }
        let _ = store.flush();
        let _ = store.remove(&[key(1), key(2)]);
    }
}
