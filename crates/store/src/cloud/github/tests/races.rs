//! The sequence of indexes: runners at once, slow ones, and those that die between a reservation and its end.

use super::*;

#[test]
fn four_runners_at_once_lose_nothing_of_each_other() {
    for protocol in BOTH {
        let place = Place::new(protocol);
        place.run([90]);
        place.proxy.plan(|_, number| Fault::Delay(Duration::from_millis(number as u64 * 7 % 20)));
        std::thread::scope(|scope| {
            for runner in 0..4 {
                let place = &place;
                scope.spawn(move || {
                    (0..3).for_each(|run| place.run([runner * 20 + run, runner * 20 + run + 10]))
                });
            }
        });
        place.proxy.plan(|_, _| Fault::None);
        let refused = place.cache.reserved();
        assert!(refused.is_empty(), "{refused:?}");
        let all: Vec<u64> =
            (0..91).filter(|number| number % 10 < 3 && *number < 80 || *number == 90).collect();
        assert_eq!(place.found(100), all);
    }
}

/// The emulator answers every request from one on with a refusal, so that the runner is dead for it.
#[test]
fn a_runner_that_dies_anywhere_stops_nobody() {
    for protocol in BOTH {
        let mut abandoned = 0;
        for cut in 1.. {
            let place = Place::new(protocol);
            place.run(0..5);
            place.cache.requests();
            place.cache.refuse(move |_, number| (number >= cut).then_some(400));
            let store = place.runner();
            put(&store, 10..15);
            let written = store.flush();
            drop(store);
            abandoned += place.cache.reserved().len();
            place.cache.refuse(|_, _| None);
            let found = place.found(30);
            assert!(found == [0, 1, 2, 3, 4] || found.len() == 10, "cut {cut}: {found:?}");
            assert!(written.is_err() || found.len() == 10, "cut {cut}: {found:?}");
            // The next one gets past a number that is reserved for ever, and so do those after it.
            place.run(20..25);
            place.run([29]);
            let all: Vec<u64> = found.iter().copied().chain(20..25).chain([29]).collect();
            assert_eq!(place.found(30), all, "cut {cut}");
            if written.is_ok() && cut > 10 {
                break;
            }
        }
        assert!(abandoned >= 4, "{abandoned} entries were reserved and never finished");
    }
}

#[test]
fn dead_numbers_are_gone_past_and_too_many_are_told() {
    let place = Place::new(Protocol::Second);
    place.run([1]);
    let service = place.service_at(&place.proxy.url(), ActionsCache::main(), Duration::from_secs(3));
    let reserve = |numbers: std::ops::Range<u64>| {
        for number in numbers {
            let key = service.key(&format!("index-{number:020}"));
            place.cache.reserve(ActionsCache::main(), &key, VERSION);
        }
    };
    reserve(2..20);
    place.cache.requests();
    let began = Instant::now();
    place.run([2]);
    let requests = place.cache.requests();
    assert!(requests.len() < 80, "{}", requests.len());
    // It waited for the first of them only.
    assert!(began.elapsed() < Duration::from_secs(30));
    assert_eq!(place.found(10), [1, 2]);
    reserve(21..80);
    let store = place.runner();
    put(&store, [3]);
    let error = store.flush().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Busy, "{error}");
    assert_eq!(place.found(10), [1, 2]);
}

/// Two runners write an index at once: the slow one has reserved its number, and the fast one does not wait
/// for it or waits long. The requests that finish their indexes are delayed. Returns what is found when both
/// are done.
fn race(place: &Place, patience: Duration, slow_ms: u64, fast_ms: u64) -> Vec<u64> {
    let finish = match place.protocol {
        Protocol::First => "POST /_apis/artifactcache/caches/",
        Protocol::Second => "FinalizeCacheEntryUpload",
    };
    let (reached, waiting) = std::sync::mpsc::channel();
    let delayed = |ms: u64, reached: Option<std::sync::mpsc::Sender<()>>| {
        let count = AtomicUsize::new(0);
        move |line: &str, _: usize| {
            // The first is that of the pack.
            if !line.contains(finish) || count.fetch_add(1, Ordering::SeqCst) != 1 {
                return Fault::None;
            }
            reached.iter().for_each(|reached| reached.send(()).unwrap());
            Fault::Delay(Duration::from_millis(ms))
        }
    };
    let proxy = Proxy::start(place.cache.port());
    place.proxy.plan(delayed(slow_ms, Some(reached)));
    proxy.plan(delayed(fast_ms, None));
    std::thread::scope(|scope| {
        scope.spawn(|| place.run([2]));
        waiting.recv().unwrap();
        let mut service = place.service_at(&proxy.url(), ActionsCache::main(), Duration::from_secs(3));
        service.patience = patience;
        let fast = Cloud::with(Box::new(service), 256 << 20);
        put(&fast, [3]);
        fast.flush().unwrap();
    });
    place.found(10)
}

#[test]
fn a_number_that_is_about_to_be_made_is_waited_for() {
    for protocol in BOTH {
        let place = Place::new(protocol);
        place.run([1]);
        assert_eq!(race(&place, Duration::from_secs(60), 300, 0), [1, 2, 3]);
        assert_eq!(place.cache.keys(ActionsCache::main()).len(), 6, "an index and a pack each");
    }
}

#[test]
fn a_slow_writer_that_finishes_last_is_united_by_the_next() {
    for protocol in BOTH {
        let place = Place::new(protocol);
        place.run([1]);
        // Not before the next run: the slow one's index is the newest then.
        assert!(race(&place, Duration::ZERO, 800, 0).contains(&2));
        place.run([4]);
        assert_eq!(place.found(10), [1, 2, 3, 4]);
    }
}

#[test]
fn a_slow_writer_that_finishes_meanwhile_is_seen() {
    for protocol in BOTH {
        let place = Place::new(protocol);
        place.run([1]);
        assert_eq!(race(&place, Duration::ZERO, 200, 900), [1, 2, 3]);
    }
}

#[test]
fn a_slow_writer_sees_that_it_was_overtaken() {
    for protocol in BOTH {
        let place = Place::new(protocol);
        place.cache.order_by_reservation();
        place.run([1]);
        assert_eq!(race(&place, Duration::ZERO, 800, 0), [1, 2, 3]);
    }
}
