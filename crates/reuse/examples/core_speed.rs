//! What a look-up by cores costs: a query of 540 assertions against a store with thousands of cores.
//!
//! `cargo run --release -p evergreen-smt-reuse --example core_speed [cores] [store directory]`

use evergreen_canon::digest;
use evergreen_reuse::{CoreIndex, Trust};
use evergreen_store::{Bucket, Memory, OpenOptions, Store, open};
use std::sync::Arc;
use std::time::{Duration, Instant};

const ASSERTIONS: u64 = 540;

fn key(kind: u64, number: u64) -> u128 {
    let bytes = digest(&[kind.to_le_bytes(), number.to_le_bytes()].concat());
    u128::from_le_bytes(bytes[..16].try_into().expect("a digest has 32 bytes"))
}

/// A script: shared axioms, and a goal.
fn query(goal: u64) -> Vec<u128> {
    (0..ASSERTIONS - 1).map(|i| key(0, i)).chain([key(1, goal)]).collect()
}

/// A goal and 20 axioms.
fn core(goal: u64) -> Vec<u128> {
    (0..20).map(|i| key(0, (goal * 31 + i * 17) % (ASSERTIONS - 1))).chain([key(1, goal)]).collect()
}

fn micros(time: Duration) -> f64 {
    time.as_nanos() as f64 / 1e3
}

fn median(mut times: Vec<Duration>) -> f64 {
    times.sort_unstable();
    micros(times[times.len() / 2])
}

/// The first look-up of a process, which knows of no bucket yet.
fn first_look_up(name: &str, open: &mut dyn FnMut() -> CoreIndex, cores: u64) {
    let (miss, hit) = (query(cores + 1), query(cores - 1));
    let mut time = |keys: &[u128], expected: bool| {
        let times = (0..9).map(|_| {
            let mut index = open();
            let start = Instant::now();
            assert_eq!(index.find(keys).is_some(), expected);
            start.elapsed()
        });
        median(times.collect())
    };
    let (hit, miss) = (time(&hit, true), time(&miss, false));
    println!("{name:<8} first: a hit {hit:>8.1} us, a miss {miss:>8.1} us (medians of 9)");
}

/// Half of the goals have a core in the store, the other half have none.
fn look_ups(name: &str, index: &mut CoreIndex, cores: u64) {
    let (mut hits, mut misses) = (Vec::new(), Vec::new());
    for i in 0..2000 {
        let keys = query(if i % 2 == 0 { i * 7 % cores } else { cores + i });
        let start = Instant::now();
        let found = index.find(&keys).is_some();
        if found { hits.push(start.elapsed()) } else { misses.push(start.elapsed()) }
    }
    let (hit, miss) = (median(hits), median(misses));
    println!("{name:<8} later: a hit {hit:>8.1} us, a miss {miss:>8.1} us (medians of 2000)");
}

fn fill(store: &Arc<dyn Store>, cores: u64) {
    let mut index = CoreIndex::new(store.clone(), "", Trust::Local);
    let start = Instant::now();
    for goal in 0..cores {
        index.add(&core(goal), Duration::from_millis(40), "z3").expect("kept");
    }
    store.flush().expect("flushed");
    println!("{cores} cores recorded, {:.1} us each", micros(start.elapsed()) / cores as f64);
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let cores: u64 = args.next().map_or(Ok(10_000), |a| a.parse())?;
    let directory = args.next().map_or_else(
        || std::env::temp_dir().join(format!("evergreen-core-speed-{}", std::process::id())),
        Into::into,
    );
    let memory: Arc<dyn Store> = Arc::new(Memory::new(256 << 20));
    fill(&memory, cores);
    first_look_up("memory", &mut || CoreIndex::new(memory.clone(), "", Trust::Local), cores);
    look_ups("memory", &mut CoreIndex::new(memory, "", Trust::Local), cores);
    let spec = directory.to_string_lossy().into_owned();
    let open_disk = || open(&spec, &OpenOptions::default());
    let disk = open_disk()?;
    fill(&disk, cores);
    drop(disk);
    first_look_up("disk", &mut || CoreIndex::new(open_disk().expect("opens"), "", Trust::Local), cores);
    let disk = open_disk()?;
    look_ups("disk", &mut CoreIndex::new(disk.clone(), "", Trust::Local), cores);
    let buckets: Vec<Bucket> = query(0).iter().map(|k| Bucket(k.to_le_bytes())).collect();
    let start = Instant::now();
    for bucket in &buckets {
        disk.list(bucket)?;
    }
    println!("disk     540 buckets listed, in place of the markers: {:.1} us", micros(start.elapsed()));
    Ok(std::fs::remove_dir_all(directory)?)
}
