//! Jobs through a real server: the steps of workers, in every order that matters.

use crate::common::*;
use evergreen_queue::{Beat, Digest, Gathered, JobId, JobSpec, JobState, Look, Verdict};
use evergreen_testing::redis::RedisServer;
use evergreen_testing::wait::wait_until;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

#[test]
fn a_job_is_worked_on_and_over() {
    let server = RedisServer::start();
    let queue = queue(&server);
    let job = submit(&queue, &[range(0, 2), range(2, 5)]);
    let mut worker = queue.worker("one");
    let Look::Item(first) = worker
        .claim(Duration::ZERO, |id, spec| {
            assert_eq!((id, spec), (&job, &b"count"[..]));
            true
        })
        .unwrap()
    else {
        panic!("no item");
    };
    assert_eq!((first.number, first.item.as_slice(), first.times), (1, &b"0 2"[..], 1));
    let listed = queue.jobs().unwrap();
    assert_eq!(listed.len(), 1);
    assert_eq!((listed[0].open, listed[0].done, listed[0].workers), (2, 0, 1));
    assert_eq!((listed[0].label.as_str(), &listed[0].state), ("numbers", &JobState::Running));
    assert_eq!(worker.done(first, &numbers(0, 2), &[]).unwrap(), Verdict::Made);
    let left = server.command(&format!("XLEN evergreen:queue:1:job:{job}:stream"));
    assert!(left.starts_with(":1\r"), "{left}");
    work(&mut worker);
    let (told, state) = gather(&queue, &job);
    assert_whole(told, 5);
    assert_eq!(state, JobState::Done);
    let info = queue.job(&job).unwrap().unwrap();
    assert_eq!((info.open, info.done, info.state), (0, 3, JobState::Done));
    queue.remove(&job).unwrap();
    assert_eq!(queue.jobs().unwrap(), []);
    let mut at = queue.gather(&job);
    assert_eq!(queue.next(&mut at, Duration::from_millis(10)).unwrap(), Gathered::Gone);
    // Nothing of the job is left on the server.
    let keys = server.command("KEYS evergreen:queue:1:job*");
    assert!(keys.starts_with("*0"), "{keys}");
}

#[test]
fn a_job_without_items_is_over_at_once() {
    let server = RedisServer::start();
    let queue = queue(&server);
    let job = submit(&queue, &[]);
    assert_eq!(gather(&queue, &job), (vec![], JobState::Done));
}

/// A worker that stops after each of its steps: another one finishes the rest, and no
/// result is reported twice.
#[test]
fn a_death_after_any_step_loses_nothing() {
    let server = RedisServer::start();
    let queue = queue(&server);
    for step in 0..4 {
        let job = submit(&queue, &[range(0, 30), range(30, 31)]);
        let mut doomed = queue.worker("doomed");
        if step > 0 {
            let mut item = claim(&mut doomed);
            if step > 1 {
                let verdict = doomed.progress(&mut item, &numbers(0, 10), &[range(20, 30)], range(10, 20));
                assert_eq!(verdict.unwrap(), Verdict::Made);
            }
            if step > 2 {
                assert_eq!(doomed.done(item, &numbers(10, 20), &[]).unwrap(), Verdict::Made);
            }
        }
        drop(doomed);
        work(&mut queue.worker("heir"));
        let (told, state) = gather(&queue, &job);
        assert_eq!(state, JobState::Done, "step {step}");
        assert_whole(told, 31);
        queue.remove(&job).unwrap();
    }
}

#[test]
fn of_two_that_finish_the_same_item_the_first_is_heard() {
    let server = RedisServer::start();
    let queue = queue(&server);
    for late_first in [false, true] {
        let job = submit(&queue, &[range(0, 2)]);
        let (mut slow, mut quick) = (queue.worker("slow"), queue.worker("quick"));
        let old = claim(&mut slow);
        // Without a heartbeat for the timeout, the worker counts as dead.
        let new = claim(&mut quick);
        assert_eq!((old.number, new.number, new.times), (1, 1, 2));
        assert_eq!(slow.heartbeat(&old).unwrap(), Beat::Lost);
        assert_eq!(quick.heartbeat(&new).unwrap(), Beat::Held { hungry: 0 });
        let verdicts = if late_first {
            let first = slow.done(old, &numbers(0, 2), &[]).unwrap();
            (first, quick.done(new, &numbers(0, 2), &[]).unwrap())
        } else {
            let first = quick.done(new, &numbers(0, 2), &[]).unwrap();
            (first, slow.done(old, &numbers(0, 2), &[]).unwrap())
        };
        // The job was over with the first.
        assert_eq!(verdicts, (Verdict::Made, Verdict::Over));
        assert_whole(gather(&queue, &job).0, 2);
        queue.remove(&job).unwrap();
    }
}

/// The worker that counted as dead knows the item as it was before the other worker made it smaller.
#[test]
fn a_change_that_comes_late_is_refused_as_a_whole() {
    let server = RedisServer::start();
    let queue = queue(&server);
    let job = submit(&queue, &[range(0, 9), range(9, 10)]);
    let (mut slow, mut quick) = (queue.worker("slow"), queue.worker("quick"));
    let mut old = claim(&mut slow);
    assert_eq!(old.number, 1);
    // The other item first, then the one that counted as lost; or the other way round on a slow machine.
    let mut new = loop {
        let item = claim(&mut quick);
        if item.number == 1 {
            break item;
        }
        assert_eq!(quick.done(item, &numbers(9, 10), &[]).unwrap(), Verdict::Made);
    };
    assert_eq!(quick.progress(&mut new, &numbers(0, 3), &[range(6, 9)], range(3, 6)).unwrap(), Verdict::Made);
    let late = slow.progress(&mut old, &numbers(0, 4), &[range(4, 9)], range(4, 4)).unwrap();
    assert_eq!(late, Verdict::Lost);
    assert_eq!(slow.done(old, &numbers(0, 9), &[]).unwrap(), Verdict::Lost);
    assert_eq!(quick.done(new, &numbers(3, 6), &[]).unwrap(), Verdict::Made);
    work(&mut slow);
    assert_whole(gather(&queue, &job).0, 10);
}

/// The answer to a change is lost on the way, and the change is sent again.
#[test]
fn a_change_that_is_sent_twice_is_made_once() {
    let server = RedisServer::start();
    let queue = queue(&server);
    let job = submit(&queue, &[range(0, 6)]);
    let mut worker = queue.worker("one");
    let before = claim(&mut worker);
    let mut item = before.clone();
    assert_eq!(
        worker.progress(&mut item, &numbers(0, 2), &[range(4, 6)], range(2, 4)).unwrap(),
        Verdict::Made
    );
    let again = worker.resend(&before, &item, &numbers(0, 2), &[range(4, 6)]).unwrap();
    assert_eq!(again, Verdict::Made);
    assert_eq!(worker.done(item, &numbers(2, 4), &[]).unwrap(), Verdict::Made);
    work(&mut worker);
    assert_whole(gather(&queue, &job).0, 6);
}

#[test]
fn a_heart_keeps_an_item_alive_and_counts_the_hungry() {
    let server = RedisServer::start();
    let queue = queue(&server);
    let (items, timeout) = ([range(0, 1)], SHORT * 6);
    let job = queue.submit(&JobSpec { items: &items, timeout, ..JobSpec::default() }).unwrap();
    let mut worker = queue.worker("busy");
    let mut item = claim(&mut worker);
    let stop = Arc::new(AtomicBool::new(false));
    let heart = worker.keep_alive(&item, stop.clone());
    let mut other = queue.worker("hungry");
    let look = other.claim(timeout * 2, any).unwrap();
    assert!(matches!(look, Look::Waiting), "{look:?}");
    wait_until("the worker is hungry", || heart.hungry() == 1);
    assert!(!heart.stopped());
    // There is an item to claim: no worker is hungry.
    worker.progress(&mut item, &[], &[range(1, 2)], range(0, 1)).unwrap();
    wait_until("the worker is fed", || heart.hungry() == 0);
    assert!(queue.cancel(&job).unwrap());
    wait_until("the heart has stopped", || heart.stopped());
    assert!(stop.load(std::sync::atomic::Ordering::Relaxed), "a cancelled job stops its workers");
}

#[test]
fn cancelled_jobs_are_left_alone() {
    let server = RedisServer::start();
    let queue = queue(&server);
    let job = submit(&queue, &[range(0, 9), range(9, 12)]);
    let mut worker = queue.worker("one");
    let mut item = claim(&mut worker);
    assert!(queue.cancel(&job).unwrap());
    assert!(!queue.cancel(&job).unwrap(), "it was cancelled already");
    assert_eq!(worker.heartbeat(&item).unwrap(), Beat::Over);
    assert_eq!(worker.progress(&mut item, &numbers(0, 1), &[], range(1, 9)).unwrap(), Verdict::Over);
    assert_eq!(worker.done(item, &numbers(0, 9), &[]).unwrap(), Verdict::Over);
    assert!(matches!(worker.claim(Duration::ZERO, any).unwrap(), Look::NoJob));
    assert_eq!(gather(&queue, &job), (vec![], JobState::Cancelled));
}

#[test]
fn a_job_whose_submitter_is_gone_is_left_alone_until_it_is_heard_of() {
    let server = RedisServer::start();
    let queue = queue(&server);
    let job = submit(&queue, &[range(0, 1)]);
    // As if the submitter had been silent for longer than workers accept.
    server.command(&format!("HSET evergreen:queue:1:job:{job} heard_ms 0"));
    let mut worker = queue.worker("one").with_abandoned(Duration::from_secs(600));
    assert!(matches!(worker.claim(Duration::ZERO, any).unwrap(), Look::NoJob));
    let mut at = queue.gather(&job);
    assert!(matches!(queue.next(&mut at, Duration::from_millis(1)).unwrap(), Gathered::Waiting(_)));
    assert!(matches!(worker.claim(Duration::ZERO, any).unwrap(), Look::Item(_)));
}

#[test]
fn an_item_that_kills_its_workers_ends_the_job() {
    let server = RedisServer::start();
    let queue = queue(&server);
    let items = [range(0, 1)];
    let job = JobSpec { items: &items, timeout: SHORT, attempts: 3, ..JobSpec::default() };
    let job = queue.submit(&job).unwrap();
    for times in 1..=3 {
        assert_eq!(claim(&mut queue.worker("doomed")).times, times);
    }
    let mut last = queue.worker("last");
    while !matches!(last.claim(Duration::from_millis(100), any).unwrap(), Look::NoJob) {}
    let (told, state) = gather(&queue, &job);
    assert_eq!(told, Vec::<u64>::new());
    assert_eq!(state, JobState::Failed("item 1 was begun 3 times and never finished".into()));
}

#[test]
fn an_item_that_is_released_is_the_next_ones_at_once() {
    let server = RedisServer::start();
    let queue = queue(&server);
    let items = [range(0, 1)];
    let job = queue
        .submit(&JobSpec { items: &items, timeout: Duration::from_secs(600), ..JobSpec::default() })
        .unwrap();
    let (mut one, mut two) = (queue.worker("one"), queue.worker("two"));
    let item = claim(&mut one);
    assert!(matches!(two.claim(Duration::ZERO, any).unwrap(), Look::Waiting));
    assert_eq!(one.release(item).unwrap(), Verdict::Made);
    one.refuse(&job);
    assert!(matches!(one.claim(Duration::ZERO, any).unwrap(), Look::NoJob));
    let item = claim(&mut two);
    assert_eq!(two.done(item, &numbers(0, 1), &[]).unwrap(), Verdict::Made);
    assert_whole(gather(&queue, &job).0, 1);
}

#[test]
fn items_of_jobs_that_do_not_fit_are_not_touched() {
    let server = RedisServer::start();
    let queue = queue(&server);
    let job = submit(&queue, &[range(0, 1)]);
    let mut other = queue.worker("other");
    let mut asked = 0;
    for _ in 0..10 {
        let look = other.claim(Duration::ZERO, |_, _| {
            asked += 1;
            false
        });
        assert!(matches!(look.unwrap(), Look::NoJob));
    }
    assert_eq!(asked, 1, "a job is looked at once");
    assert_eq!(claim(&mut queue.worker("one")).times, 1);
    assert_eq!(queue.job(&job).unwrap().unwrap().open, 1);
}

#[test]
fn old_jobs_come_first_and_others_when_they_are_waited_for() {
    let server = RedisServer::start();
    let queue = queue(&server);
    let one = submit(&queue, &[range(0, 1)]);
    // Jobs are ordered by milliseconds: as if the first had been submitted a second earlier.
    let earlier = server.command(&format!("ZINCRBY evergreen:queue:1:jobs -1000 {one}"));
    assert!(earlier.starts_with('$'), "{earlier}");
    let two = submit(&queue, &[range(0, 1)]);
    let mut worker = queue.worker("one");
    let (first, second) = (claim(&mut worker), claim(&mut worker));
    assert_eq!((first.job, second.job), (one, two));
}

#[test]
fn everything_of_a_job_expires() {
    let server = RedisServer::start();
    let queue = queue(&server);
    let items = [range(0, 30), range(30, 60)];
    let job = queue
        .submit(&JobSpec { items: &items, keep: Duration::from_secs(3_000), ..JobSpec::default() })
        .unwrap();
    let mut worker = queue.worker("one");
    let item = claim(&mut worker);
    finish(&mut worker, item);
    let keys = ["", ":stream", ":items", ":versions", ":results", ":workers"];
    for key in keys {
        let left = server.command(&format!("TTL evergreen:queue:1:job:{job}{key}"));
        assert!(left.starts_with(":29") || left.starts_with(":3000"), "{key}: {left}");
    }
    // As if the time had passed.
    for key in keys {
        server.command(&format!("DEL evergreen:queue:1:job:{job}{key}"));
    }
    assert!(matches!(worker.claim(Duration::ZERO, any).unwrap(), Look::NoJob));
    assert_eq!(queue.jobs().unwrap(), []);
    let list = server.command("ZCARD evergreen:queue:1:jobs");
    assert!(list.starts_with(":0"), "{list}");
}

#[test]
fn blobs_are_what_their_digest_says() {
    let server = RedisServer::start();
    let queue = queue(&server);
    let bytes: Vec<u8> = (0..100_000u32).map(|n| (n * 7) as u8).collect();
    let digest = queue.put_blob(&bytes).unwrap();
    assert_eq!(Digest::read(&digest.to_string()), Some(digest));
    assert_eq!(queue.put_blob(&bytes).unwrap(), digest);
    assert_eq!(queue.blob(&digest).unwrap().as_deref(), Some(&bytes[..]));
    assert_eq!(queue.blob(&Digest::of(b"unknown")).unwrap(), None);
    server.command(&format!("SET evergreen:queue:1:blob:{digest} poison"));
    let error = queue.blob(&digest).unwrap_err().to_string();
    assert!(error.contains("holds other bytes than its digest says"), "{error}");
}

#[test]
fn names_of_jobs_are_checked() {
    assert!(JobId::read("0123456789abcdef").is_some());
    for bad in ["", "0123456789abcde", "0123456789ABCDEF", "0123456789abcdef0", "../../../../../.."] {
        assert_eq!(JobId::read(bad), None, "{bad}");
    }
}
