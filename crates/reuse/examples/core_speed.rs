//! What a look-up by cores costs: a query of 540 assertions against a store with thousands of cores.
//!
//! `cargo run --release -p evergreen-reuse --example core_speed [cores] [store directory]`

use evergreen_canon::digest;
use evergreen_reuse::CoreIndex;
use evergreen_store::{Memory, OpenOptions, Store, open};
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

/// Half of the goals have a core in the store, the other half have none.
fn look_ups(name: &str, index: &mut CoreIndex, cores: u64) {
    let first = Instant::now();
    assert!(index.find(&query(cores + 1)).is_none());
    println!("{name:<28} first look-up, a miss {:>10.1} us", micros(first.elapsed()));
    let (mut hits, mut misses) = (Vec::new(), Vec::new());
    for i in 0..2000 {
        let keys = query(i * 7 % (2 * cores));
        let start = Instant::now();
        let found = index.find(&keys).is_some();
        if found { hits.push(start.elapsed()) } else { misses.push(start.elapsed()) }
    }
    println!("{name:<28} then: a hit {:>10.1} us, a miss {:>10.1} us (medians)", median(hits), median(misses));
}

fn fill(store: &Arc<dyn Store>, cores: u64) {
    let mut index = CoreIndex::new(store.clone(), "");
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
    look_ups("memory", &mut CoreIndex::new(memory, ""), cores);
    let spec = directory.to_string_lossy().into_owned();
    let disk = open(&spec, &OpenOptions::default())?;
    fill(&disk, cores);
    drop(disk);
    let start = Instant::now();
    let disk = open(&spec, &OpenOptions::default())?;
    println!("disk opened in {:.1} us", micros(start.elapsed()));
    look_ups("disk, just opened", &mut CoreIndex::new(disk.clone(), ""), cores);
    let start = Instant::now();
    let buckets = query(0).iter().map(|k| evergreen_store::Bucket(k.to_le_bytes())).collect::<Vec<_>>();
    for bucket in &buckets {
        disk.list(bucket)?;
    }
    println!("540 buckets listed instead of markers: {:.1} us", micros(start.elapsed()));
    Ok(std::fs::remove_dir_all(directory)?)
}
