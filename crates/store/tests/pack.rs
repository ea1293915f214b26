//! Packs: reproducible, checked to the last bit, and readable for ever.

use std::io::Cursor;
use std::ops::ControlFlow;

use evergreen_store::{
    Accept, Choice, Disk, ErrorKind, Key, Memory, Merged, Origin, PackReader, Store, Taking, export, import,
};

const OLD: &[u8] = include_bytes!("fixtures/format-1.pack");
const FIXTURE: &[u8] = include_bytes!("fixtures/format-2.pack");
const TRUSTED: Taking<'static> = Taking { accept: Accept::AsTheSourceSays, has_evidence: &|_, _| false };

fn filled() -> Memory {
    let store = Memory::new(1 << 20);
    for byte in [200, 3, 77] {
        store.put(&Key([byte; 32]), format!("value {byte}").as_bytes()).unwrap();
    }
    store.put(&Key([4; 32]), b"").unwrap();
    store
}

fn pack(store: &dyn Store) -> Vec<u8> {
    let mut bytes = Vec::new();
    export(store, "a pack", &mut bytes).unwrap();
    bytes
}

fn count(store: &dyn Store) -> usize {
    let mut count = 0;
    let each = &mut |_: &Key, _: &[u8]| {
        count += 1;
        ControlFlow::Continue(())
    };
    store.visit(each).unwrap();
    count
}

fn never(_: &Key, _: &[u8], _: &[u8]) -> Choice {
    panic!("no conflict expected")
}

#[test]
fn equal_stores_make_equal_packs() {
    let (memory, directory) = (filled(), tempfile::tempdir().unwrap());
    let disk = Disk::open(directory.path(), 1 << 20).unwrap();
    let bytes = pack(&memory);
    let merged = import(&disk, "a pack", Cursor::new(&bytes), TRUSTED, &mut never).unwrap();
    assert_eq!(merged, Merged { added: 4, ..Merged::default() });
    assert_eq!(pack(&disk), bytes);
    let again = import(&disk, "a pack", Cursor::new(&bytes), TRUSTED, &mut never).unwrap();
    assert_eq!(again, Merged { same: 4, ..Merged::default() });
}

#[test]
fn conflicts_are_resolved_by_the_caller() {
    let store = filled();
    store.put(&Key([3; 32]), b"mine").unwrap();
    let bytes = pack(&filled());
    let merged = import(&store, "a pack", Cursor::new(&bytes), TRUSTED, &mut |_, old, new| {
        assert_eq!((old, new), (&b"mine"[..], &b"value 3"[..]));
        Choice::Old
    });
    assert_eq!(merged.unwrap(), Merged { same: 3, kept: 1, ..Merged::default() });
    import(&store, "a pack", Cursor::new(&bytes), TRUSTED, &mut |_, _, _| Choice::New).unwrap();
    assert_eq!(store.get(&Key([3; 32])).unwrap().as_deref(), Some(&b"value 3"[..]));
}

#[test]
fn a_damaged_pack_changes_nothing() {
    let sound = pack(&filled());
    let attempt = |bytes: &[u8], what: &str| {
        let store = Memory::new(1 << 20);
        let error = import(&store, "x.pack", Cursor::new(bytes), TRUSTED, &mut never).expect_err(what);
        assert!(error.to_string().starts_with("x.pack: "), "{error}");
        assert_eq!(count(&store), 0, "{what}");
    };
    for bit in 0..sound.len() * 8 {
        let mut bytes = sound.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        attempt(&bytes, &format!("bit {bit}"));
    }
    for length in 0..sound.len() {
        attempt(&sound[..length], &format!("cut to {length}"));
    }
    attempt(&[&sound[..], b"x"].concat(), "a byte more");
}

#[test]
fn what_is_not_a_pack_or_newer_says_so() {
    let failure = |bytes: &[u8]| PackReader::new("x.pack", bytes).err().expect("an error");
    assert_eq!(failure(b"SQLite format 3").to_string(), "x.pack: not an evergreen pack");
    assert_eq!(failure(b"").to_string(), "x.pack: not an evergreen pack");
    let mut newer = pack(&filled());
    newer[8] = 9;
    assert_eq!(failure(&newer).kind(), ErrorKind::Newer);
    assert_eq!(
        failure(&newer).to_string(),
        "x.pack: the pack has format '9', this evergreen knows '2'\nhelp: use a newer evergreen"
    );
}

#[test]
fn a_full_disk_while_exporting_is_an_error() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let error = export(&filled(), "/dev/full", full).unwrap_err();
    assert_eq!(
        error.to_string(),
        "/dev/full: cannot write the pack: no space left on device\nhelp: free some space, or prune the store"
    );
}

/// The fixture was made once by format version 1 and is never made again.
#[test]
fn a_pack_of_the_first_format_is_counted_and_nothing_is_taken_from_it() {
    for accept in [Accept::WithEvidence, Accept::AsTheSourceSays] {
        let store = Memory::new(1 << 20);
        let taking = Taking { accept, ..TRUSTED };
        let merged = import(&store, "format-1.pack", Cursor::new(OLD), taking, &mut never).unwrap();
        assert_eq!(merged, Merged { old: 4, ..Merged::default() });
        assert_eq!(count(&store), 0);
    }
    // Checked to the last bit all the same.
    let cut = import(&Memory::new(0), "x", Cursor::new(&OLD[..OLD.len() - 1]), TRUSTED, &mut never);
    assert_eq!(cut.unwrap_err().kind(), ErrorKind::Damaged);
}

/// The fixture was made once by format version 2 and is never made again: every later version must read it.
#[test]
fn format_2_is_readable() {
    let mut reader = PackReader::new("format-2.pack", FIXTURE).unwrap();
    let mut entries = Vec::new();
    while let Some(entry) = reader.entry().unwrap() {
        entries.push((entry.key.0[0], String::from_utf8(entry.value).unwrap(), entry.origin));
    }
    let (here, there) = (Origin::Local, Origin::Imported);
    let expected = [(3, "value 3", here), (4, "", here), (5, "imported", there), (77, "value 77", here)];
    assert_eq!(entries[..4], expected.map(|(byte, value, origin)| (byte, value.to_owned(), origin)));
    assert_eq!(entries.len(), 5);
    let store = filled();
    store.put_from(&Key([5; 32]), b"imported", Origin::Network).unwrap();
    assert_eq!(pack(&store), FIXTURE, "and format 2 is still what we write");
}

#[test]
fn origins_survive_packs_and_are_not_lifted_by_them() {
    let store = filled();
    store.put_from(&Key([5; 32]), b"imported", Origin::Imported).unwrap();
    let bytes = pack(&store);
    let origins = |taking| {
        let into = Memory::new(1 << 20);
        let merged = import(&into, "a pack", Cursor::new(&bytes), taking, &mut never).unwrap();
        let origin = |byte| into.get_from(&Key([byte; 32])).unwrap().unwrap().1;
        (origin(3), origin(5), merged.with_evidence, merged.without_evidence)
    };
    let has_evidence = &|_: &Key, value: &[u8]| value.starts_with(b"value");
    let doubting = Taking { accept: Accept::WithEvidence, has_evidence };
    assert_eq!(origins(doubting), (Origin::Imported, Origin::Imported, 3, 2));
    assert_eq!(origins(TRUSTED), (Origin::Local, Origin::Imported, 0, 1));
}
