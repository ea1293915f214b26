//! Nanoseconds per lookup and put: memory, disk with and without its map in front, Redis over a Unix socket.
//!
//! `cargo run --release -p evergreen-smt-store --example bench [entries]`

use std::hint::black_box;
use std::time::{Duration, Instant};

use evergreen_store::{Disk, Key, Memory, OpenOptions, Store, open};
use evergreen_structures::Xorshift;
use evergreen_testing::redis::RedisServer;

fn key(number: u64) -> Key {
    let mut bytes = [0; 32];
    let mut random = Xorshift::new(number.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    for chunk in bytes.chunks_exact_mut(8) {
        chunk.copy_from_slice(&random.next().to_be_bytes());
    }
    Key(bytes)
}

/// The median and the best time per lookup over eleven rounds; on a busy machine the best is the truer one.
fn per_lookup(name: &str, rounds: u64, mut lookup: impl FnMut(u64)) {
    let mut times: Vec<f64> = (0..11)
        .map(|round| {
            let start = Instant::now();
            (0..rounds).for_each(|at| lookup(round * rounds + at));
            start.elapsed().as_nanos() as f64 / rounds as f64
        })
        .collect();
    times.sort_by(f64::total_cmp);
    println!("{name:<44} {:>10.0} ns {:>10.0} ns", times[5], times[0]);
}

fn fill(store: &dyn Store, entries: u64) -> Duration {
    let start = Instant::now();
    for number in 0..entries {
        store.put(&key(number), &[number as u8; 120]).expect("put");
    }
    store.flush().expect("flush");
    start.elapsed()
}

fn main() {
    let entries: u64 =
        std::env::args().nth(1).map_or(100_000, |count| count.parse().expect("a number of entries"));
    println!("{:<44} {:>13} {:>13}", format!("{entries} entries of 120 bytes"), "median", "best");

    let memory = Memory::new(1 << 30);
    fill(&memory, entries);
    let hot = key(1);
    per_lookup("memory, hit, one hot key", 100_000, |_| drop(black_box(memory.get(&hot))));
    let keys: Vec<Key> = (0..100_000).map(|at| key(at * 7919 % entries)).collect();
    per_lookup("memory, hit, random keys", 20_000, |at| {
        drop(black_box(memory.get(&keys[at as usize % keys.len()])))
    });

    let directory = tempfile::tempdir().expect("a directory");
    let disk = Disk::open(directory.path(), 1 << 30).expect("a store");
    let took = fill(&disk, entries);
    println!("{:<44} {:>10.0} ns", "disk, put, batched and flushed", took.as_nanos() as f64 / entries as f64);
    per_lookup("disk, put, until it returns", 1_000, |at| {
        disk.put(&key(entries + at), &[at as u8; 120]).expect("put");
    });
    per_lookup("disk, hit in the map in front", 20_000, |at| {
        drop(black_box(disk.get(&keys[at as usize % keys.len()])))
    });
    drop(disk);
    let disk = Disk::open(directory.path(), 0).expect("a store");
    per_lookup("disk, hit in the file, page cache warm", 5_000, |at| {
        drop(black_box(disk.get(&keys[at as usize % keys.len()])));
    });
    per_lookup("disk, miss", 5_000, |at| drop(black_box(disk.get(&key(2 * entries + 1 + at)))));
    drop(disk);
    per_lookup("disk, open, one hit, close", 200, |at| {
        let disk = Disk::open(directory.path(), 1 << 20).expect("a store");
        drop(black_box(disk.get(&keys[at as usize])));
    });

    let server = RedisServer::start();
    for (name, url) in [("Unix socket", server.unix_url()), ("TCP loopback", server.url())] {
        let redis = open(&url, &OpenOptions::default()).expect("a store");
        fill(&redis, entries.min(20_000));
        let keys: Vec<Key> = (0..20_000).map(|at| key(at * 7919 % entries.min(20_000))).collect();
        per_lookup(&format!("redis, {name}, hit"), 1_000, |at| {
            drop(black_box(redis.get(&keys[at as usize % 20_000])))
        });
        per_lookup(&format!("redis, {name}, hit, 100 keys at a time"), 100, |at| {
            let from = at as usize * 100 % 19_900;
            drop(black_box(redis.get_many(&keys[from..from + 100])));
        });
    }
}
