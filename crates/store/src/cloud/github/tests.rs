//! Runners on an emulator of GitHub's cache, in both protocols, with a proxy in between that breaks requests.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use evergreen_testing::github::{ActionsCache, Job as Branch};
use evergreen_testing::proxy::{Fault, Proxy};

use super::*;
use crate::{Cloud, Key, Origin, Store};

mod races;

const BOTH: [Protocol; 2] = [Protocol::First, Protocol::Second];
/// A signature, as the emulator makes them, and a token begin so.
const SECRETS: [&str; 3] = ["token-of", "sig=", "127.0.0.1"];

struct Place {
    cache: ActionsCache,
    proxy: Proxy,
    protocol: Protocol,
}

impl Place {
    fn new(protocol: Protocol) -> Place {
        let cache = ActionsCache::start();
        let proxy = Proxy::start(cache.port());
        Place { cache, proxy, protocol }
    }

    fn service_at(&self, url: &str, branch: &Branch, timeout: Duration) -> GitHub {
        let job = Job {
            protocol: self.protocol,
            url: url.to_owned(),
            token: branch.token.to_owned(),
            branch: branch.branch.to_owned(),
        };
        let options = OpenOptions { timeout, ..OpenOptions::default() };
        let mut service = GitHub::connect("ci", Some(job), &options).unwrap();
        service.patience = Duration::from_millis(100);
        service
    }

    /// A runner through the proxy. A test machine may be busy, so requests have a minute.
    fn runner_of(&self, branch: &Branch) -> Cloud {
        let service = self.service_at(&self.proxy.url(), branch, Duration::from_secs(3));
        Cloud::with(Box::new(service), 256 << 20)
    }

    fn runner(&self) -> Cloud {
        self.runner_of(ActionsCache::main())
    }

    /// A run that finds some answers.
    fn run(&self, numbers: impl IntoIterator<Item = u64>) {
        let store = self.runner();
        put(&store, numbers);
        store.flush().unwrap();
    }

    /// The answers below a number that a new run finds.
    fn found(&self, below: u64) -> Vec<u64> {
        let store = self.runner();
        (0..below).filter(|number| has(&store, *number)).collect()
    }
}

fn key(number: u64) -> Key {
    let mut bytes = [5; 32];
    bytes[..8].copy_from_slice(&number.to_be_bytes());
    Key(bytes)
}

fn value(number: u64) -> Vec<u8> {
    format!("the answer to question {number}").into_bytes()
}

fn put(store: &Cloud, numbers: impl IntoIterator<Item = u64>) {
    numbers.into_iter().for_each(|number| store.put(&key(number), &value(number)).unwrap());
}

fn has(store: &Cloud, number: u64) -> bool {
    let found = store.get_from(&key(number)).unwrap();
    if let Some((found, origin)) = &found {
        assert_eq!((&**found, *origin), (&value(number)[..], Origin::Network));
    }
    found.is_some()
}

/// The first request that fits fares badly.
fn first_of(part: &'static str, fault: Fault) -> impl Fn(&str, usize) -> Fault {
    let count = AtomicUsize::new(0);
    move |line, _| match line.contains(part) && count.fetch_add(1, Ordering::SeqCst) == 0 {
        true => fault,
        false => Fault::None,
    }
}

#[test]
fn a_cold_runner_makes_four_requests_and_a_miss_none() {
    for protocol in BOTH {
        let place = Place::new(protocol);
        place.run(0..500);
        assert!(place.cache.reserved().is_empty());
        let written = place.cache.requests();
        // Look for an index; make a pack and an index; look whether another one was made meanwhile.
        assert_eq!(written.len(), 1 + 1 + 3 + 3 + 2, "{written:?}");
        let store = place.runner();
        assert!((0..500).all(|number| has(&store, number)));
        let requests = place.cache.requests();
        assert_eq!(requests.len(), 4, "{requests:?}");
        assert!(requests[0].ends_with(" ci/evergreen-2/index-"), "{requests:?}");
        assert!(requests[2].contains(" ci/evergreen-2/packs/"), "{requests:?}");
        assert!((1000..1500).all(|number| !has(&store, number)));
        put(&store, [7]);
        drop(store);
        assert_eq!(place.cache.requests(), [""; 0], "nothing new, nothing written");
    }
}

#[test]
fn a_longer_name_is_another_object() {
    for protocol in BOTH {
        let place = Place::new(protocol);
        let service = place.service_at(&place.proxy.url(), ActionsCache::main(), Duration::from_secs(3));
        assert_eq!(service.write("packs/abc", b"data", Size::Small), Ok(Written::Done));
        assert_eq!(service.write("packs/abc", b"more", Size::Small), Ok(Written::Exists));
        assert_eq!(service.read("packs/ab", 100, Size::Small), Ok(None));
        assert_eq!(service.read("packs/abc", 100, Size::Small), Ok(Some(b"data".to_vec())));
        let text = service.read("packs/abc", 3, Size::Small).unwrap_err().to_string();
        assert!(text.contains("ghac://ci/packs/abc: cannot read it: it is longer than it may be"), "{text}");
    }
}

#[test]
fn a_prefix_may_have_capitals() {
    for protocol in BOTH {
        let place = Place::new(protocol);
        let runner = || {
            let mut service =
                place.service_at(&place.proxy.url(), ActionsCache::main(), Duration::from_secs(3));
            service.folder = service.folder.replace("ci/", "Linux X64/");
            Cloud::with(Box::new(service), 256 << 20)
        };
        for number in 1..3 {
            let store = runner();
            put(&store, [number]);
            store.flush().unwrap();
        }
        let store = runner();
        assert!(has(&store, 1) && has(&store, 2), "{protocol:?}");
        assert_eq!(place.cache.keys(ActionsCache::main()).len(), 4);
    }
}

#[test]
fn an_empty_cache_costs_one_request() {
    for protocol in BOTH {
        let place = Place::new(protocol);
        assert_eq!(place.found(1000), [0; 0]);
        assert_eq!(place.cache.requests().len(), 1);
    }
}

#[test]
fn many_runs_leave_few_packs_and_lose_nothing() {
    let place = Place::new(Protocol::Second);
    (0..12).for_each(|number| place.run([number, number + 100]));
    place.cache.requests();
    let store = place.runner();
    assert!((0..12).chain(100..112).all(|number| has(&store, number)));
    // An index and at most three packs, two requests each.
    let requests = place.cache.requests();
    assert!(requests.len() <= 8, "{requests:?}");
}

#[test]
fn trouble_is_a_miss_that_tells_no_secret() {
    for protocol in BOTH {
        let place = Place::new(protocol);
        place.run(0..10);
        let faults = [
            Some(Fault::Close),
            Some(Fault::Silence),
            Some(Fault::HalfReply(0)),
            Some(Fault::HalfReply(100)),
            None,
        ];
        for fault in faults {
            match fault {
                Some(fault) => place.proxy.plan(move |_, _| fault),
                None => {
                    place.proxy.plan(|_, _| Fault::None);
                    place.cache.refuse(|_, _| Some(503));
                }
            }
            let service =
                place.service_at(&place.proxy.url(), ActionsCache::main(), Duration::from_millis(8));
            let store = Cloud::with(Box::new(service), 256 << 20);
            let mut told: Vec<String> = Vec::new();
            for number in 0..10 {
                match store.get(&key(number)) {
                    Ok(found) => assert!(found.is_none(), "{fault:?}"),
                    Err(error) => told.push(error.to_string()),
                }
            }
            assert!((1..=2).contains(&told.len()), "{fault:?}: {told:?}");
            put(&store, [50]);
            told.push(store.flush().unwrap_err().to_string());
            drop(store);
            for text in told {
                assert!(text.starts_with("ghac://ci/") && text.contains(": cannot read it: "), "{text}");
                assert!(SECRETS.iter().all(|secret| !text.contains(secret)), "{text}");
            }
        }
        place.cache.refuse(|_, _| None);
        place.proxy.plan(|_, _| Fault::Delay(Duration::from_millis(30)));
        assert_eq!(place.found(60), (0..10).collect::<Vec<_>>());
    }
}

#[test]
fn a_wrong_token_is_told_once_with_the_way_out() {
    for protocol in BOTH {
        let place = Place::new(protocol);
        place.run([1]);
        let mut service = place.service_at(&place.proxy.url(), ActionsCache::main(), Duration::from_secs(3));
        service.job.token = String::from("s3cret");
        let store = Cloud::with(Box::new(service), 256 << 20);
        let text = store.get(&key(1)).unwrap_err().to_string();
        assert_eq!(
            text,
            "ghac://ci/index-: cannot read it: status 401\n\
             help: check ACTIONS_RUNTIME_TOKEN, and whether the job may write a cache"
        );
    }
}

#[test]
fn a_passing_fault_of_each_request_costs_nothing() {
    let requests = |protocol| match protocol {
        Protocol::First => {
            ["cache?keys", "POST /_apis/artifactcache/caches", "PATCH", "caches/", "GET /data"]
        }
        Protocol::Second => [
            "GetCacheEntryDownloadURL",
            "CreateCacheEntry",
            "PUT /data",
            "FinalizeCacheEntryUpload",
            "GET /data",
        ],
    };
    for protocol in BOTH {
        for part in requests(protocol) {
            for fault in [Fault::Close, Fault::HalfReply(0)] {
                let place = Place::new(protocol);
                place.run([1]);
                place.proxy.plan(first_of(part, fault));
                place.run([2]);
                place.proxy.plan(first_of(part, fault));
                assert_eq!(place.found(5), [1, 2], "{protocol:?} {part} {fault:?}");
                // A reservation whose reply is lost stays, and another one is made.
                let abandoned = place.cache.reserved();
                let is_reservation = part.contains("Create") || part.ends_with("/caches");
                assert!(abandoned.len() <= usize::from(is_reservation), "{part} {fault:?}: {abandoned:?}");
            }
        }
    }
}

/// The data is there, the entry is never finished: nobody may be told that it is.
#[test]
fn an_entry_that_is_never_finished_is_not_named() {
    for (protocol, finish) in [
        (Protocol::First, "POST caches"),
        (Protocol::Second, "POST FinalizeCacheEntryUpload ci/evergreen-2/packs"),
    ] {
        let place = Place::new(protocol);
        place.run([1]);
        place
            .cache
            .refuse(move |line, _| (line.starts_with(finish) && line != "POST caches ").then_some(500));
        let store = place.runner();
        put(&store, [2]);
        let text = store.flush().unwrap_err().to_string();
        assert!(
            text.starts_with("ghac://ci/packs/") && text.contains("cannot write it: status 500"),
            "{text}"
        );
        place.cache.refuse(|_, _| None);
        assert_eq!(place.found(5), [1]);
        assert_eq!(place.cache.keys(ActionsCache::main()).len(), 2);
    }
}

#[test]
fn large_packs_are_uploaded_in_pieces() {
    for protocol in BOTH {
        for megabytes in [5, 40] {
            let place = Place::new(protocol);
            let block = |number: u64| vec![number as u8; 512 << 10];
            let store = place.runner();
            for number in 0..megabytes * 2 {
                store.put(&key(number), &block(number)).unwrap();
            }
            store.flush().unwrap();
            let longest = place.cache.longest_body();
            assert!(longest <= 16 << 20 && longest > 4 << 20, "{longest}");
            let pieces = place.cache.requests().iter().filter(|line| line.starts_with("PUT data")).count();
            assert!(protocol == Protocol::First || megabytes == 5 || pieces > 4, "{pieces}");
            let store = place.runner();
            for number in 0..megabytes * 2 {
                assert!(store.get(&key(number)).unwrap().as_deref() == Some(&block(number)[..]), "{number}");
            }
        }
    }
}

#[test]
fn a_pull_request_reads_what_main_has_and_writes_for_itself() {
    for protocol in BOTH {
        let place = Place::new(protocol);
        let (main, pull, reader) =
            (ActionsCache::main(), ActionsCache::pull_request(), ActionsCache::reader());
        let run = |branch: &Branch, number: u64| {
            let store = place.runner_of(branch);
            put(&store, [number]);
            store.flush()
        };
        let found = |branch: &Branch| {
            let store = place.runner_of(branch);
            (0..10).filter(|number| has(&store, *number)).collect::<Vec<u64>>()
        };
        run(main, 1).unwrap();
        run(pull, 2).unwrap();
        assert_eq!((found(main), found(pull), found(reader)), (vec![1], vec![1, 2], vec![1, 2]));
        // Main's numbers are the same ones, and are not taken for those of the pull request: its second
        // number is reserved by a runner that died.
        run(main, 3).unwrap();
        run(main, 4).unwrap();
        let service = place.service_at(&place.proxy.url(), pull, Duration::from_secs(3));
        let dead = format!("index-{:020}", 3);
        place.cache.reserve(pull, &service.key(&dead), VERSION);
        assert_eq!(service.read(&dead, 1 << 20, Size::Small), Ok(None));
        run(pull, 5).unwrap();
        assert_eq!((found(main), found(pull)), (vec![1, 3, 4], vec![1, 2, 5]));
        let text = run(reader, 6).unwrap_err().to_string();
        assert!(text.contains("status 403") && text.contains("whether the job may write a cache"), "{text}");
        assert_eq!(found(reader), [1, 2, 5]);
    }
}

#[test]
fn an_evicted_pack_is_a_miss_and_is_forgotten() {
    let place = Place::new(Protocol::Second);
    place.run([1, 2]);
    assert_eq!(place.cache.evict("/packs/"), 1);
    let store = place.runner();
    assert!(!has(&store, 1) && !has(&store, 2));
    put(&store, [1]);
    store.flush().unwrap();
    drop(store);
    place.cache.requests();
    assert_eq!(place.found(5), [1]);
    // Nobody asks for the old pack any more.
    assert_eq!(place.cache.requests().len(), 4);
    // Indexes may be evicted, too: what is there is then as new.
    assert_eq!(place.cache.evict("/index-"), 2);
    place.run([3]);
    assert_eq!(place.found(5), [3]);
}

#[test]
fn a_damaged_index_is_followed() {
    let place = Place::new(Protocol::Second);
    (1..4).for_each(|number| place.run([number]));
    // As if by another program: the service changes nothing.
    place.cache.damage("/index-00000000000000000003", |data| data.truncate(20));
    let store = place.runner();
    assert!(store.get(&key(1)).unwrap_err().to_string().contains("the index is damaged"));
    assert!((1..4).all(|number| !has(&store, number)));
    place.cache.requests();
    place.run([5]);
    assert_eq!(place.cache.requests().iter().filter(|line| line.contains("CreateCacheEntry")).count(), 2);
    assert_eq!(place.found(10), [5]);
}

#[test]
fn the_variables_of_a_job_are_read() {
    let job = |variables: &[(&str, &str)]| {
        let find = |name: &str| variables.iter().find(|(known, _)| *known == name);
        Job::of(|name| find(name).map(|(_, value)| (*value).to_owned())).map(|job| (job.protocol, job.url))
    };
    let token = ("ACTIONS_RUNTIME_TOKEN", "t");
    let (results, caches) = (("ACTIONS_RESULTS_URL", "https://r/"), ("ACTIONS_CACHE_URL", "https://c/x/"));
    let second = ("ACTIONS_CACHE_SERVICE_V2", "on");
    let (new, old) =
        ((Protocol::Second, String::from("https://r")), (Protocol::First, String::from("https://c/x")));
    assert_eq!(job(&[token, results, second]), Some(new.clone()));
    assert_eq!(job(&[token, results, caches, second]), Some(new.clone()));
    assert_eq!(job(&[token, results]), Some(new.clone()), "github.com has no other");
    assert_eq!(job(&[token, results, caches]), Some(old.clone()));
    let own = ("GITHUB_SERVER_URL", "https://github.example.com");
    assert_eq!(job(&[token, results, caches, second, own]), Some(old));
    for server in ["https://github.com", "https://a.ghe.com/", "http://x.localhost:80"] {
        assert_eq!(
            job(&[token, results, second, ("GITHUB_SERVER_URL", server)]),
            Some(new.clone()),
            "{server}"
        );
    }
    assert_eq!(job(&[results, second]), None);
    assert_eq!(job(&[token, second, ("ACTIONS_RESULTS_URL", "")]), None);
}

#[test]
fn prefixes_that_are_no_names_are_refused() {
    let failure = |prefix: &str| {
        GitHub::connect(prefix, None, &OpenOptions::default()).err().expect("an error").to_string()
    };
    let no_job = "ghac://linux: this is no job of GitHub's actions\nhelp: a step has to export ";
    assert!(failure("linux").starts_with(no_job), "{}", failure("linux"));
    assert!(failure("a,b").contains("the service has no such names"));
    assert!(failure(&"x".repeat(500)).contains("the service has no such names"));
    assert!(failure("a/../b").contains("'..'"));
    let text = failure("a?token=s3cret");
    assert!(text.contains("more than a name and a path") && !text.contains("s3cret"), "{text}");
}

#[test]
fn a_cache_works_inside_a_runtime() {
    let place = Place::new(Protocol::Second);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        place.run([1]);
        assert_eq!(place.found(3), [1]);
    });
}
