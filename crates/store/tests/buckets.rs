//! Buckets beyond the conformance suite: many processes, kills, packs, damage, size.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Cursor, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use evergreen_store::{
    Accept, Bucket, Choice, Disk, Key, Layered, Memory, OpenOptions, PackReader, Store, Taking, export,
    import, merge, open,
};
use evergreen_structures::Xorshift;
use evergreen_testing::redis::RedisServer;

const DIRECTORY: &str = "EVERGREEN_STORE_BUCKETS_CHILD";
const BUCKET: Bucket = Bucket([0x5a; 16]);

fn values(store: &dyn Store, bucket: &Bucket) -> BTreeSet<Vec<u8>> {
    store.list(bucket).unwrap().iter().map(|value| value.to_vec()).collect()
}

fn never(_: &Key, _: &[u8], _: &[u8]) -> Choice {
    panic!("no conflict expected")
}

/// Does nothing in the parent's run; a child adds values to the bucket, reports it, and waits to be killed.
#[test]
fn as_a_child() {
    let Ok(directory) = std::env::var(DIRECTORY) else { return };
    let store = Disk::open(Path::new(&directory), 0).unwrap();
    let mut out = std::io::stdout();
    let me = std::process::id();
    for number in 0..200 {
        store.put_in(&BUCKET, format!("{number} of {me}").as_bytes()).unwrap();
        store.put_in(&BUCKET, format!("{number} of all").as_bytes()).unwrap();
        if number == 120 {
            store.flush().unwrap();
        }
    }
    writeln!(out, "done {me}").unwrap();
    out.flush().unwrap();
    std::thread::sleep(std::time::Duration::from_secs(60));
}

#[test]
fn processes_that_add_at_once_and_are_killed_lose_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let mut children: Vec<_> = (0..3)
        .map(|_| {
            let mut command = Command::new(std::env::current_exe().unwrap());
            command.args(["buckets::as_a_child", "--exact", "--nocapture"]).env(DIRECTORY, directory.path());
            command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap()
        })
        .collect();
    for child in &mut children {
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let done = format!("done {}", child.id());
        assert!(lines.map_while(Result::ok).any(|line| line.contains(&done)));
        // The last puts may still wait for their batch: the journal has them.
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let mut expected: BTreeSet<Vec<u8>> =
        (0..200).map(|number| format!("{number} of all").into_bytes()).collect();
    for child in &children {
        expected.extend((0..200).map(|number| format!("{number} of {}", child.id()).into_bytes()));
    }
    // Also for read-only stores.
    assert_eq!(values(&Disk::open_read_only(directory.path(), 0).unwrap(), &BUCKET), expected);
    assert_eq!(values(&Disk::open(directory.path(), 0).unwrap(), &BUCKET), expected);
}

const TRUSTED: Taking<'static> = Taking { accept: Accept::AsTheSourceSays, has_evidence: &|_, _| false };

fn filled(store: &dyn Store) {
    for number in 0..300u32 {
        store.put_in(&BUCKET, &number.to_le_bytes()).unwrap();
    }
    store.put_in(&Bucket([1; 16]), b"alone").unwrap();
    store.put(&Key([7; 32]), b"no member").unwrap();
}

#[test]
fn packs_and_merges_carry_members_and_redis_rebuilds_its_sets() {
    let memory = Memory::new(1 << 20);
    filled(&memory);
    let mut pack = Vec::new();
    export(&memory, "a pack", &mut pack).unwrap();
    let server = RedisServer::start();
    let patience = std::time::Duration::from_secs(20);
    let patient = OpenOptions { timeout: patience, flush_timeout: patience, ..OpenOptions::default() };
    let redis = open(&server.unix_url(), &patient).unwrap();
    let merged = import(&*redis, "a pack", Cursor::new(&pack), TRUSTED, &mut never).unwrap();
    assert_eq!(merged.added, 302);
    assert_eq!(values(&*redis, &BUCKET), values(&memory, &BUCKET));
    assert_eq!(values(&*redis, &Bucket([1; 16])), BTreeSet::from([b"alone".to_vec()]));
    let mut again = Vec::new();
    assert_eq!(export(&*redis, "a pack", &mut again).unwrap(), 302);
    let entries = |pack: &[u8]| {
        let mut reader = PackReader::new("a pack", pack).unwrap();
        std::iter::from_fn(|| reader.entry().unwrap()).map(|e| (e.key, e.value)).collect::<Vec<_>>()
    };
    assert_eq!(entries(&again), entries(&pack));

    let directory = tempfile::tempdir().unwrap();
    let disk = Disk::open(directory.path(), 1 << 20).unwrap();
    // Of a member there is one right value, whatever the caller would choose.
    let key = BUCKET.member(&1u32.to_le_bytes());
    disk.put(&key, b"nonsense").unwrap();
    assert_eq!(values(&disk, &BUCKET).len(), 0);
    let merged = merge(&disk, &*redis, TRUSTED, &mut never).unwrap();
    assert_eq!((merged.added, merged.replaced), (301, 1));
    assert_eq!(values(&disk, &BUCKET), values(&memory, &BUCKET));
}

#[test]
fn a_bucket_in_redis_that_is_not_a_set_is_empty_and_no_trouble() {
    let server = RedisServer::start();
    let redis = open(&server.unix_url(), &OpenOptions::default()).unwrap();
    let client = redis::Client::open(server.unix_url()).unwrap();
    let mut connection = client.get_connection().unwrap();
    redis::cmd("SET").arg(format!("evergreen:2:bucket:{BUCKET}")).arg("x").exec(&mut connection).unwrap();
    assert_eq!(values(&*redis, &BUCKET).len(), 0);
    assert_eq!(redis.get(&Key([1; 32])).unwrap(), None);
    // Names that are no digests, and digests without entry.
    let other = Bucket([2; 16]);
    redis.put_in(&other, b"real").unwrap();
    redis.flush().unwrap();
    for junk in [&b"junk"[..], &[7; 16]] {
        redis::cmd("SADD")
            .arg(format!("evergreen:2:bucket:{other}"))
            .arg(junk)
            .exec(&mut connection)
            .unwrap();
    }
    assert_eq!(values(&*redis, &other), BTreeSet::from([b"real".to_vec()]));
    // Nothing of this counts as trouble with the server.
    assert_eq!(redis.stats().unwrap().errors, 0);
}

#[test]
fn damage_hides_members_and_makes_none() {
    let directory = tempfile::tempdir().unwrap();
    filled(&Disk::open(directory.path(), 0).unwrap());
    let sound = std::fs::read(directory.path().join("data.mdb")).unwrap();
    let expected: BTreeSet<Vec<u8>> = (0..300u32).map(|number| number.to_le_bytes().to_vec()).collect();
    let mut random = Xorshift::new(42);
    let mut hidden = 0;
    for _ in 0..300 {
        let mut bytes = sound.clone();
        for _ in 0..1 + random.below(4) {
            let at = random.below(bytes.len() as u64) as usize;
            bytes[at] ^= 1 << random.below(8);
        }
        let place = tempfile::tempdir().unwrap();
        std::fs::write(place.path().join("data.mdb"), &bytes).unwrap();
        let Ok(store) = Disk::open_read_only(place.path(), 0) else { continue };
        let Ok(listed) = store.list(&BUCKET) else { continue };
        let listed: BTreeSet<Vec<u8>> = listed.iter().map(|value| value.to_vec()).collect();
        assert!(listed.is_subset(&expected));
        hidden += usize::from(listed != expected);
    }
    assert!(hidden > 30, "the damage was not in the way: {hidden}");
}

/// Prints, with `--nocapture`, what opening and listing costs beside 100,000 members of other buckets.
#[test]
fn one_small_bucket_among_many() {
    let directory = tempfile::tempdir().unwrap();
    let bucket = |number: u32| {
        let mut bytes = [0; 16];
        bytes[..4].copy_from_slice(&number.wrapping_mul(0x9E37_79B9).to_be_bytes());
        Bucket(bytes)
    };
    let store = Disk::open(directory.path(), 0).unwrap();
    for number in 0..100_000u32 {
        store.put_in(&bucket(number / 10), &[&number.to_le_bytes()[..], &[3; 60]].concat()).unwrap();
    }
    drop(store);
    let start = Instant::now();
    let store = Disk::open(directory.path(), 0).unwrap();
    let opened = start.elapsed();
    let first = store.list(&bucket(4711)).unwrap();
    let listed = start.elapsed() - opened;
    assert_eq!(first.len(), 10);
    let start = Instant::now();
    let found: usize = (0..1000).map(|number| store.list(&bucket(number * 7)).unwrap().len()).sum();
    assert_eq!(found, 10_000);
    println!("open {opened:?}, list the first bucket {listed:?}, then {:?} each", start.elapsed() / 1000);
}

/// A reader lists a bucket again when this number differs from the one that its own additions explain.
#[test]
fn additions_are_counted_those_of_others_too() {
    let directory = tempfile::tempdir().unwrap();
    let disk = || Disk::open(directory.path(), 1 << 20).unwrap();
    let quiet = || std::sync::Arc::new(|_: &str| ());
    let one_layer = Layered::new(vec![std::sync::Arc::new(Memory::new(1 << 20))], quiet());
    for store in [&Memory::new(1 << 20) as &dyn Store, &disk(), &one_layer] {
        let before = store.additions().unwrap();
        store.put(&Key([3; 32]), b"a record").unwrap();
        assert_eq!(store.additions(), Some(before), "{}", store.describe());
        for number in 0..5_u8 {
            store.put_in(&BUCKET, &[number]).unwrap();
        }
        store.flush().unwrap();
        assert_eq!(store.additions(), Some(before + 5), "{}", store.describe());
    }
    // For the file this is another process.
    let other = Disk::open_read_only(directory.path(), 0).unwrap();
    let before = other.additions().unwrap();
    assert_eq!(other.additions(), Some(before));
    let store = disk();
    store.put_in(&BUCKET, b"one more").unwrap();
    store.flush().unwrap();
    assert_ne!(other.additions(), Some(before));
    let two: Vec<std::sync::Arc<dyn Store>> =
        vec![std::sync::Arc::new(Memory::new(0)), std::sync::Arc::new(Memory::new(0))];
    assert_eq!(Layered::new(two, quiet()).additions(), None);
}
