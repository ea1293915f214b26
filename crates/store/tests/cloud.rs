//! Packs on a real WebDAV server: requests counted, and delayed, broken and cut by a proxy in between.

use std::sync::Arc;
use std::time::Duration;

use evergreen_store::{Key, Layered, Mode, OpenOptions, Origin, Store, open, open_layers};
use evergreen_testing::cloud::WebServer;
use evergreen_testing::proxy::{Fault, Proxy};

use crate::common::{key, value};

struct Place {
    server: WebServer,
    proxy: Proxy,
}

impl Place {
    fn new() -> Place {
        let server = WebServer::webdav();
        let proxy = Proxy::start(server.port());
        Place { server, proxy }
    }

    /// A runner that asks the server through the proxy. A test machine may be busy.
    fn runner(&self) -> Arc<dyn Store> {
        let options = OpenOptions { timeout: Duration::from_secs(3), ..OpenOptions::default() };
        open(&format!("{}/ci", self.proxy.url()), &options).unwrap()
    }

    /// A run that finds some answers.
    fn run(&self, numbers: std::ops::Range<u64>) {
        let store = self.runner();
        numbers.for_each(|number| store.put(&key(number), &value(number, 1)).unwrap());
        store.flush().unwrap();
    }

    /// The only pack's file.
    fn pack(&self) -> std::path::PathBuf {
        let folder = self.server.files().join("ci/evergreen-2/packs");
        let mut files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        files.next().expect("a pack")
    }
}

fn has(store: &dyn Store, number: u64) -> bool {
    let found = store.get_from(&key(number)).unwrap();
    if let Some((found, origin)) = &found {
        assert_eq!((&**found, *origin), (&value(number, 1)[..], Origin::Network), "{number}");
    }
    found.is_some()
}

#[test]
fn a_cold_runner_makes_two_requests_and_a_miss_one_more() {
    let place = Place::new();
    place.run(0..500);
    let written = place.proxy.requests();
    assert_eq!(written.iter().filter(|line| line.starts_with("PUT ")).count(), 3, "{written:?}");
    let store = place.runner();
    assert!((0..500).all(|number| has(&store, number)));
    let requests = place.proxy.requests();
    assert_eq!(requests.len(), 2, "{requests:?}");
    assert_eq!(requests[0], "GET /ci/evergreen-2/index");
    assert!(requests[1].starts_with("GET /ci/evergreen-2/packs/"), "{requests:?}");
    assert!((1000..1500).all(|number| !has(&store, number)));
    assert_eq!(place.proxy.requests(), ["PROPFIND /ci/evergreen-2/heads/"]);
}

#[test]
fn two_runners_at_once_lose_nothing() {
    let place = Place::new();
    std::thread::scope(|scope| {
        for runner in 0..4 {
            let place = &place;
            scope.spawn(move || {
                (0..3).for_each(|run| place.run(runner * 1000 + run * 10..runner * 1000 + run * 10 + 5))
            });
        }
    });
    let store = place.runner();
    for number in (0..4).flat_map(|runner| (0..3).map(move |run| runner * 1000 + run * 10)) {
        assert!((number..number + 5).all(|number| has(&store, number)), "{number}");
    }
}

#[test]
fn a_broken_connection_is_tried_again() {
    let place = Place::new();
    place.run(0..10);
    // Every other request.
    place.proxy.plan(|_, number| if number % 2 == 1 { Fault::Close } else { Fault::None });
    let store = place.runner();
    assert!((0..10).all(|number| has(&store, number)));
}

#[test]
fn trouble_is_a_miss_and_reported_once() {
    let place = Place::new();
    place.run(0..10);
    let troubles =
        [Fault::Close, Fault::Silence, Fault::HalfReply(0), Fault::HalfReply(100), Fault::HalfReply(400)];
    for trouble in troubles {
        place.proxy.plan(move |_, _| trouble);
        let options = OpenOptions { timeout: Duration::from_millis(20), ..OpenOptions::default() };
        let reports: Arc<std::sync::Mutex<Vec<String>>> = Arc::default();
        let told = reports.clone();
        let on_trouble = Arc::new(move |text: &str| told.lock().unwrap().push(text.to_owned()));
        let address = format!("{}/ci", place.proxy.url().replace("http://", "http://u:s3cret@"));
        let store: Layered = open_layers(&[address], &options, on_trouble).unwrap();
        assert!((0..10).all(|number| store.get(&key(number)).unwrap().is_none()), "{trouble:?}");
        store.put(&key(50), b"mine").unwrap();
        assert!(store.flush().is_err(), "{trouble:?}");
        assert_eq!(store.get(&key(50)).unwrap().as_deref(), Some(&b"mine"[..]));
        drop(store);
        let reports = reports.lock().unwrap();
        assert_eq!(reports.len(), 1, "{trouble:?}: {reports:?}");
        assert!(reports[0].contains("/ci/") && reports[0].contains(": cannot read it: "), "{reports:?}");
        assert!(!reports[0].contains("s3cret"), "{reports:?}");
    }
    place.proxy.plan(|_, _| Fault::Delay(Duration::from_millis(40)));
    let store = place.runner();
    assert!((0..10).all(|number| has(&store, number)) && !has(&store, 50));
}

#[test]
fn a_writer_that_is_cut_off_anywhere_leaves_the_rest_whole() {
    for cut in 1..10 {
        let place = Place::new();
        place.run(0..5);
        place.proxy.requests();
        place.proxy.plan(move |line, number| match number {
            number if number < cut => Fault::None,
            number if number == cut && line.starts_with("PUT") => Fault::HalfBody(200),
            _ => Fault::Close,
        });
        let store = place.runner();
        (10..15).for_each(|number| store.put(&key(number), &value(number, 1)).unwrap());
        let written = store.flush().is_ok();
        drop(store);
        place.proxy.plan(|_, _| Fault::None);
        let store = place.runner();
        // A half-written index is reported; the answers are there all the same.
        let _ = store.get(&key(99));
        assert!((0..5).all(|number| has(&store, number)), "cut {cut}");
        let new = (10..15).filter(|number| has(&store, *number)).count();
        assert!(new == 5 || !written && new == 0, "cut {cut}: {new} of 5");
        drop(store);
        place.run(20..25);
        let store = place.runner();
        assert!((0..5).chain(20..25).all(|number| has(&store, number)), "cut {cut}");
    }
}

#[test]
fn half_a_pack_on_the_server_is_a_miss() {
    let place = Place::new();
    place.run(0..50);
    let file = place.pack();
    let whole = std::fs::read(&file).unwrap();
    for damaged in [&whole[..whole.len() / 2], b"", &[whole.clone(), vec![0; 9]].concat()] {
        std::fs::write(&file, damaged).unwrap();
        let store = place.runner();
        assert!(store.get(&key(1)).is_err(), "{} bytes", damaged.len());
        assert!((0..50).all(|number| store.get(&key(number)).unwrap_or_default().is_none()));
    }
}

#[test]
fn a_plain_web_server_is_a_mirror() {
    let place = Place::new();
    place.run(0..20);
    let mirror = WebServer::mirror(&place.server.files());
    let options = OpenOptions { timeout: Duration::from_secs(3), ..OpenOptions::default() };
    let store = open(&format!("{}/ci", mirror.url()), &options).unwrap();
    assert!((0..20).all(|number| has(&store, number)) && !has(&store, 99));
    store.put(&key(30), b"mine").unwrap();
    let text = store.flush().unwrap_err().to_string();
    assert!(text.contains("it cannot be written: the server lists no objects"), "{text}");
    let reading = OpenOptions { mode: Mode::ReadOnly, ..options };
    let store = open(&format!("{}/ci", mirror.url()), &reading).unwrap();
    store.put(&key(30), b"mine").unwrap();
    store.flush().unwrap();
    assert!(has(&store, 5));
}

/// A store that others can write to gives no value that was not put under its key.
#[test]
fn an_entry_of_another_key_is_not_given() {
    let place = Place::new();
    place.run(0..3);
    let store = place.runner();
    assert_eq!(store.get(&Key([0; 32])).unwrap(), None);
    assert_eq!(store.origin(), Origin::Network);
}
