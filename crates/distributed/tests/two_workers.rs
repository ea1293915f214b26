//! Two workers explore a toy program through a real Redis; the submitter gathers, retraces and reports their
//! paths.

use crate::programs::{RANGE, count, explore, store, ways};
use crate::toy::ToyFrontend;
use evergreen_distributed::{Limits, Manners, Ready, Submission, Worked, submit, work};
use evergreen_explore::Options;
use evergreen_queue::{Look, Patience, Queue};
use evergreen_service::{Team, Telling};
use evergreen_testing::redis::RedisServer;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// Works until it is told to stop; how many items it finished.
fn worker(url: &str, stop: &Arc<AtomicBool>, done: &AtomicU64) {
    let queue = Queue::open(url, None, Patience::default()).expect("a queue");
    let mut worker = queue.worker("toy");
    let exploration = explore(&count("3"), &store());
    let mut ready = Ready::<ToyFrontend> { exploration, inputs: RANGE, options: Options::default() };
    // Everything is split that another worker waits for.
    let manners = Manners { split_after: Duration::ZERO, stop: stop.clone() };
    while !stop.load(Ordering::Relaxed) {
        match worker.claim(Duration::from_millis(50), |_, spec| spec == b"toy") {
            Ok(Look::Item(claim)) => {
                if work(&mut worker, claim, &mut ready, &manners) == Ok(Worked::Done) {
                    done.fetch_add(1, Ordering::Relaxed);
                }
            }
            Ok(_) => {}
            Err(e) => panic!("{e}"),
        }
    }
}

#[test]
fn two_workers_explore_for_a_submitter() {
    let server = RedisServer::start();
    let (program, stop) = (count("3"), Arc::new(AtomicBool::new(false)));
    let done = AtomicU64::new(0);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| worker(&server.url(), &stop, &done));
        }
        let queue = Queue::open(&server.url(), None, Patience::default()).expect("a queue");
        let limits = Limits::of_all(None, Some(Duration::from_secs(60)), 1, Arc::default());
        let (label, spec, timeout) = ("count", &b"toy"[..], Duration::from_secs(5));
        let submission = Submission { queue: &queue, label, spec, timeout, limits };
        let own = explore(&program, &store());
        // A method that had to be explored here would be a warning.
        let warn = &|text: &str| panic!("{text}");
        let elsewhere = submit(&submission, own, &program.0, &mut |_| {}, warn);
        stop.store(true, Ordering::Relaxed);
        let mut team = Team::Elsewhere(Box::new(elsewhere.expect("a result")));
        let options = Options::default();
        let mut paths =
            team.entry(&program.0[0], &RANGE, options, None, Telling::default()).expect("it begins");
        let found: Vec<_> = std::iter::from_fn(|| paths.next_path()).collect();
        assert_eq!(found.len(), ways(&program.0[0]));
        assert!(paths.finish().summary.is_complete());
    });
    assert!(done.load(Ordering::Relaxed) > 0, "the workers explored it");
}
