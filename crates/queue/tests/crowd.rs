//! Many items, many workers, some of which die, and a server that is killed and comes back.

use crate::common::*;
use evergreen_queue::{JobState, Look, Patience, Queue, QueueError, Worker};
use evergreen_testing::redis::RedisServer;
use evergreen_testing::wait::wait_until;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

/// Dies, silently, at about every hundredth item; a new one takes its place.
fn mortal(queue: &Queue, deaths: &AtomicU64, count: &AtomicU64) {
    'lives: loop {
        let mut worker = queue.worker("mortal");
        loop {
            match worker.claim(Duration::from_millis(200), any).unwrap() {
                Look::Item(mut claim) => {
                    let turn = count.fetch_add(1, Ordering::Relaxed);
                    if turn % 97 == 3 {
                        deaths.fetch_add(1, Ordering::Relaxed);
                        if turn.is_multiple_of(2) {
                            let (from, to) = read(&claim.item);
                            let told = numbers(from, from + 1);
                            _ = worker.progress(&mut claim, &told, &[], range(from + 1, to)).unwrap();
                        }
                        continue 'lives;
                    }
                    finish(&mut worker, claim);
                }
                Look::Waiting => {}
                Look::NoJob => return,
            }
        }
    }
}

#[test]
fn a_thousand_items_through_four_workers_some_of_which_die() {
    let server = RedisServer::start();
    let queue = queue(&server);
    let items: Vec<Vec<u8>> = (0..500).map(|n| range(n * 6, n * 6 + 6)).collect();
    let job = submit(&queue, &items);
    let (deaths, count) = (AtomicU64::new(0), AtomicU64::new(0));
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| mortal(&queue, &deaths, &count));
        }
        let (told, state) = gather(&queue, &job);
        assert_eq!(state, JobState::Done);
        assert_whole(told, 3_000);
    });
    let info = queue.job(&job).unwrap().unwrap();
    assert!(info.done >= 1_000, "{info:?}");
    assert_eq!(info.open, 0);
    assert!(deaths.load(Ordering::Relaxed) >= 8);
}

/// Works until there is no job, and no further than it may: items are counted before they are finished.
fn patient(mut worker: Worker, begun: &AtomicU64, may: &AtomicU64) {
    loop {
        match worker.claim(Duration::from_millis(200), any).unwrap() {
            Look::Item(claim) => {
                let turn = begun.fetch_add(1, Ordering::SeqCst);
                wait_until("the worker may go on", || turn < may.load(Ordering::SeqCst));
                finish(&mut worker, claim);
            }
            Look::Waiting => {}
            Look::NoJob => return,
        }
    }
}

#[test]
fn a_server_that_keeps_what_it_knows_may_be_killed_and_come_back() {
    let mut server = RedisServer::start_with(&["--appendonly", "yes", "--appendfsync", "always"]);
    let (queue, said) = talking(&server);
    let items: Vec<Vec<u8>> = (0..100).map(|n| range(n * 6, n * 6 + 6)).collect();
    let job = submit(&queue, &items);
    let waiting = || {
        let said = said.lock().unwrap();
        said.iter().filter(|text| text.contains("waiting for the queue's server")).count()
    };
    let (begun, may) = (AtomicU64::new(0), AtomicU64::new(0));
    let (told, state) = std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| patient(queue.worker("patient"), &begun, &may));
        }
        let gathering = scope.spawn(|| gather(&queue, &job));
        for allowed in [40, 80] {
            may.store(allowed, Ordering::SeqCst);
            wait_until("an item is held back", || begun.load(Ordering::SeqCst) > allowed);
            // In the middle of the job: the one who holds an item meets a server that is gone.
            let before = waiting();
            server.kill();
            may.store(allowed + 1, Ordering::SeqCst);
            wait_until("the outage is noticed", || waiting() > before);
            server.restart();
        }
        may.store(u64::MAX, Ordering::SeqCst);
        gathering.join().unwrap()
    });
    assert_eq!(state, JobState::Done);
    assert_whole(told, 600);
    let said = said.lock().unwrap();
    assert!(said.iter().any(|text| text.contains("the queue's server is back")), "{said:?}");
}

#[test]
fn patience_ends_and_can_be_ended() {
    let mut server = RedisServer::start();
    server.kill();
    let short = Patience { wait: Some(Duration::from_millis(200)), ..Patience::default() };
    let queue = Queue::open(&server.url(), None, short).unwrap();
    let error = queue.jobs().unwrap_err();
    assert!(matches!(&error, QueueError::Unreachable(text) if text.contains("does not help")), "{error:?}");
    let stop = Arc::new(AtomicBool::new(false));
    let (sender, said) = mpsc::channel();
    let sender = Mutex::new(sender);
    let trouble = Arc::new(move |text: &str| sender.lock().unwrap().send(text.to_string()).unwrap());
    let queue = queue.with_patience(Patience { wait: None, stop: Some(stop.clone()), trouble });
    std::thread::scope(|scope| {
        let asking = scope.spawn(|| queue.jobs());
        let text = said.recv_timeout(Duration::from_secs(60)).expect("it says that it waits");
        assert!(text.contains("waiting for the queue's server"), "{text}");
        stop.store(true, Ordering::Relaxed);
        assert_eq!(asking.join().unwrap(), Err(QueueError::Stopped));
    });
}

#[test]
fn a_server_that_refuses_is_not_asked_again() {
    let server = RedisServer::start_with(&["--requirepass", "secret"]);
    let queue = Queue::open(&server.url(), None, Patience::default()).unwrap();
    let error = queue.jobs().unwrap_err();
    assert!(matches!(&error, QueueError::Refused(_)), "{error:?}");
    let url = server.url().replace("redis://", "redis://:secret@");
    let queue = Queue::open(&url, None, Patience::default()).unwrap();
    assert_eq!(queue.jobs().unwrap(), []);
    assert!(!queue.name().contains("secret"));
    assert!(matches!(Queue::open("http://x", None, Patience::default()), Err(QueueError::Address(_))));
}
