//! Dummy work: an item is a range of numbers, and its results are the numbers in it. Workers must report
//! each number exactly once.

use evergreen_queue::{Claim, Gathered, JobId, JobSpec, JobState, Look, Patience, Queue, Verdict, Worker};
use evergreen_testing::redis::RedisServer;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

pub(crate) const SHORT: Duration = Duration::from_millis(300);

pub(crate) fn queue(server: &RedisServer) -> Queue {
    Queue::open(&server.url(), None, Patience::default()).unwrap()
}

/// A queue that records its reports of trouble.
pub(crate) fn talking(server: &RedisServer) -> (Queue, Arc<Mutex<Vec<String>>>) {
    let said: Arc<Mutex<Vec<String>>> = Arc::default();
    let hear = said.clone();
    let trouble = Arc::new(move |text: &str| hear.lock().unwrap().push(text.to_string()));
    (Queue::open(&server.url(), None, Patience { trouble, ..Patience::default() }).unwrap(), said)
}

/// Works for every job.
pub(crate) fn any(_: &JobId, _: &[u8]) -> bool {
    true
}

pub(crate) fn range(from: u64, to: u64) -> Vec<u8> {
    format!("{from} {to}").into_bytes()
}

pub(crate) fn read(item: &[u8]) -> (u64, u64) {
    let text = std::str::from_utf8(item).unwrap();
    let (from, to) = text.split_once(' ').unwrap();
    (from.parse().unwrap(), to.parse().unwrap())
}

pub(crate) fn numbers(from: u64, to: u64) -> Vec<Vec<u8>> {
    (from..to).map(|n| n.to_string().into_bytes()).collect()
}

pub(crate) fn submit(queue: &Queue, items: &[Vec<u8>]) -> JobId {
    let job = JobSpec {
        label: "numbers",
        spec: b"count",
        items,
        timeout: SHORT,
        attempts: 1_000,
        ..JobSpec::default()
    };
    queue.submit(&job).unwrap()
}

pub(crate) fn claim(worker: &mut Worker) -> Claim {
    match worker.claim(Duration::from_secs(10), any).unwrap() {
        Look::Item(claim) => claim,
        other => panic!("{} got {other:?}", worker.name()),
    }
}

/// Works until there is no job: of an item of many numbers the worker reports one half
/// and gives the other away.
pub(crate) fn work(worker: &mut Worker) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while Instant::now() < deadline {
        match worker.claim(Duration::from_millis(200), any).unwrap() {
            Look::Item(claim) => _ = finish(worker, claim),
            Look::Waiting => {}
            Look::NoJob => return,
        }
    }
    panic!("the job does not end");
}

/// Finishes an item, with a split in the middle if it is long.
pub(crate) fn finish(worker: &mut Worker, mut claim: Claim) -> Verdict {
    let (from, to) = read(&claim.item);
    if to - from < 3 {
        return worker.done(claim, &numbers(from, to), &[]).unwrap();
    }
    let third = (to - from) / 3;
    let (one, two) = (from + third, from + 2 * third);
    let verdict =
        worker.progress(&mut claim, &numbers(from, one), &[range(two, to)], range(one, two)).unwrap();
    if verdict != Verdict::Made {
        return verdict;
    }
    worker.done(claim, &numbers(one, two), &[]).unwrap()
}

/// All results of a job until it ends.
pub(crate) fn gather(queue: &Queue, job: &JobId) -> (Vec<u64>, JobState) {
    let (mut at, mut all) = (queue.gather(job), Vec::new());
    let deadline = Instant::now() + Duration::from_secs(60);
    while Instant::now() < deadline {
        match queue.next(&mut at, Duration::from_millis(200)).unwrap() {
            Gathered::Results(told) => {
                all.extend(
                    told.iter().map(|t| std::str::from_utf8(&t.data).unwrap().parse::<u64>().unwrap()),
                );
            }
            Gathered::Waiting(_) => {}
            Gathered::Ended(state) => return (all, state),
            Gathered::Gone => panic!("the server dropped the job"),
        }
    }
    panic!("the job does not end; so far {} results", all.len());
}

/// Every number once and nothing else.
pub(crate) fn assert_whole(mut told: Vec<u64>, to: u64) {
    told.sort_unstable();
    assert_eq!(told, (0..to).collect::<Vec<_>>());
}
