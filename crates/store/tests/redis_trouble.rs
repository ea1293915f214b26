//! Servers that die, hang, babble, refuse or hold foreign bytes: a miss, never a wrong
//! value, never a wait twice.

use std::io::Write;
use std::net::TcpListener;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use evergreen_store::{ErrorKind, Key, Layered, Memory, OldEntries, OpenOptions, Store, open, verify};
use evergreen_testing::redis::RedisServer;

fn key(byte: u8) -> Key {
    Key([byte; 32])
}

fn patient() -> OpenOptions {
    let patience = Duration::from_secs(10);
    OpenOptions { timeout: patience, flush_timeout: patience, ..OpenOptions::default() }
}

/// Tries until it works; the pause between attempts is the store's own.
fn eventually<T>(what: &str, mut attempt: impl FnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + Duration::from_secs(30);
    loop {
        if let Some(done) = attempt() {
            return done;
        }
        assert!(Instant::now() < deadline, "never: {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn killed_and_restarted_in_the_middle() {
    let mut server = RedisServer::start();
    for url in [server.url(), server.unix_url()] {
        let store = open(&url, &patient()).unwrap();
        store.put(&key(1), b"before").unwrap();
        store.flush().unwrap();
        assert!(store.get(&key(1)).unwrap().is_some());

        server.kill();
        let error = store.get(&key(1)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unreachable);
        assert!(error.to_string().contains("help: lookups go on without it"), "{error}");
        // Put while it is dead: this process sees it, and the server gets it when it is back.
        store.put(&key(2), b"meanwhile").unwrap();
        assert_eq!(store.get(&key(2)).unwrap().as_deref(), Some(&b"meanwhile"[..]));
        assert!(store.flush().is_err());

        server.restart();
        eventually("the server is found again", || store.get(&key(1)).ok());
        assert_eq!(store.get(&key(1)).unwrap(), None, "the server kept nothing");
        eventually("what was put meanwhile arrives", || store.flush().ok());
        let other = open(&url, &patient()).unwrap();
        assert_eq!(other.get(&key(2)).unwrap().as_deref(), Some(&b"meanwhile"[..]));
        other.remove(&[key(2)]).unwrap();
        let stats = store.stats().unwrap();
        assert!(stats.errors >= 2, "{stats:?}");
    }
}

#[test]
fn a_restart_between_two_lookups_goes_unnoticed() {
    let mut server = RedisServer::start();
    let store = open(&server.url(), &patient()).unwrap();
    store.put(&key(1), b"x").unwrap();
    store.flush().unwrap();
    server.restart();
    assert_eq!(store.get(&key(1)).unwrap(), None, "the idle connection is dead, a new one works");
}

#[test]
fn answers_of_a_layered_store_do_not_depend_on_the_server() {
    let mut server = RedisServer::start();
    let heard: Arc<Mutex<Vec<String>>> = Arc::default();
    let ears = heard.clone();
    let layers: Vec<Arc<dyn Store>> =
        vec![Arc::new(Memory::new(1 << 20)), open(&server.url(), &OpenOptions::default()).unwrap()];
    let layered =
        Layered::new(layers, Arc::new(move |trouble| ears.lock().unwrap().push(trouble.to_owned())));
    for byte in 0..200 {
        match byte {
            60 => server.kill(),
            120 => server.restart(),
            _ => {}
        }
        assert_eq!(layered.get(&key(byte)).unwrap(), None);
        layered.put(&key(byte), &[byte]).unwrap();
        for old in 0..=byte {
            assert_eq!(layered.get(&key(old)).unwrap().as_deref(), Some(&[old][..]));
        }
    }
    assert_eq!(heard.lock().unwrap().len(), 1, "{heard:?}");
}

/// A server that treats every connection in the same way; counts the connections.
fn strange_server(treat: impl Fn(&mut std::net::TcpStream) + Send + 'static) -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("redis://{}", listener.local_addr().unwrap());
    let count = Arc::new(AtomicUsize::new(0));
    let counter = count.clone();
    std::thread::spawn(move || {
        let mut open = Vec::new();
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            counter.fetch_add(1, SeqCst);
            treat(&mut stream);
            open.push(stream);
        }
    });
    (url, count)
}

#[test]
fn a_server_that_hangs_is_waited_for_once() {
    let (url, connections) = strange_server(|_| {});
    let options = OpenOptions {
        timeout: Duration::from_millis(100),
        flush_timeout: Duration::from_millis(200),
        ..OpenOptions::default()
    };
    let store = open(&url, &options).unwrap();
    let begun = Instant::now();
    for _ in 0..200 {
        assert_eq!(store.get(&key(1)).unwrap_err().kind(), ErrorKind::Unreachable);
    }
    // One attempt, and the next after a second.
    let most = 3 + begun.elapsed().as_secs() as usize;
    assert!(connections.load(SeqCst) <= most, "{connections:?} connections, at most {most} expected");
    store.put(&key(1), b"x").unwrap();
    assert!(store.flush().is_err());
    // Dropping must not hang either.
}

#[test]
fn a_server_that_babbles_is_an_error() {
    let babble: [fn(&mut std::net::TcpStream); 3] = [
        |stream| drop(stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n")),
        |stream| drop(stream.write_all(b"+OK\r\n+OK\r\n:12\r\n$-7\r\n*9999999999\r\n")),
        |stream| drop(stream.write_all(b"+OK\r\n+OK\r\n*1\r\n*1\r\n*1\r\n$3\r\nabc\r\n")),
    ];
    for treat in babble {
        let (url, _) = strange_server(treat);
        let store = open(&url, &OpenOptions::default()).unwrap();
        for _ in 0..3 {
            assert!(store.get(&key(1)).is_err());
        }
    }
}

#[test]
fn a_port_without_a_listener_is_an_error() {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let store = open(&format!("redis://127.0.0.1:{port}"), &OpenOptions::default()).unwrap();
    let error = store.get(&key(1)).unwrap_err();
    assert!(
        error.to_string().starts_with(&format!("redis://127.0.0.1:{port}/0: the server does not help: ")),
        "{error}"
    );
}

#[test]
fn a_wrong_password_is_an_error_without_the_password() {
    let server = RedisServer::start_with(&["--requirepass", "right"]);
    for wrong in [server.url(), server.url().replace("redis://", "redis://:wr0ngpass@")] {
        let error = open(&wrong, &patient()).unwrap().get(&key(1)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unreachable);
        assert!(!error.to_string().contains("wr0ngpass"), "{error}");
    }
}

#[test]
fn foreign_bytes_under_our_keys_are_misses() {
    let server = RedisServer::start();
    let store = open(&server.url(), &patient()).unwrap();
    store.put(&key(1), b"true").unwrap();
    store.flush().unwrap();
    server.command(&format!("SET evergreen:2:{} sat", key(2)));
    server.command(&format!("COPY evergreen:2:{} evergreen:2:{}", key(1), key(3)));
    server.command("SET evergreen:2:short sat");
    server.command("SET other sat");
    assert_eq!(store.get(&key(2)).unwrap(), None);
    assert_eq!(store.get(&key(3)).unwrap(), None, "an entry moved to another key does not open");
    assert!(store.get(&key(1)).unwrap().is_some());
    let stats = store.stats().unwrap();
    assert_eq!((stats.entries, stats.damaged), (1, 4), "two lookups and two on the walk");
    let verified = verify(&store, &mut |_, _| Ok(())).unwrap();
    assert_eq!((verified.intact, verified.damaged.len()), (1, 2));
    // A put repairs.
    store.put(&key(2), b"repaired").unwrap();
    store.flush().unwrap();
    let other = open(&server.url(), &patient()).unwrap();
    assert_eq!(other.get(&key(2)).unwrap().as_deref(), Some(&b"repaired"[..]));
    // A list under our key is an error of the server, not a value.
    server.command(&format!("LPUSH evergreen:2:{} x", key(4)));
    assert!(!matches!(store.get(&key(4)), Ok(Some(_))));
}

#[test]
fn tls_by_url() {
    let certificates = tempfile::tempdir().unwrap();
    let made = rcgen::generate_simple_self_signed(vec![String::from("localhost"), String::from("127.0.0.1")])
        .unwrap();
    let (certificate, secret) = (certificates.path().join("cert.pem"), certificates.path().join("key.pem"));
    std::fs::write(&certificate, made.cert.pem()).unwrap();
    std::fs::write(&secret, made.signing_key.serialize_pem()).unwrap();
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let _server = RedisServer::start_with(&[
        "--tls-port",
        &port.to_string(),
        "--tls-cert-file",
        certificate.to_str().unwrap(),
        "--tls-key-file",
        secret.to_str().unwrap(),
        "--tls-auth-clients",
        "no",
        "--tls-ca-cert-file",
        certificate.to_str().unwrap(),
        "--requirepass",
        "secret",
    ]);
    let url = format!("rediss://:secret@localhost:{port}/0");
    let trusting = OpenOptions { redis_ca: Some(certificate), ..patient() };
    let store = open(&url, &trusting).unwrap();
    store.put(&key(1), b"over TLS").unwrap();
    store.flush().unwrap();
    let store = open(&url, &trusting).unwrap();
    assert_eq!(store.get(&key(1)).unwrap().as_deref(), Some(&b"over TLS"[..]));
    // A certificate that the system does not know is refused.
    let error = open(&url, &patient()).unwrap().get(&key(1)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unreachable, "{error}");
}

/// The bytes that an endless server repeats after the beginning of a reply.
fn endless(
    begins: &'static [u8],
    goes_on: &'static [u8],
) -> impl Fn(&mut std::net::TcpStream) + Send + 'static {
    move |stream| {
        let mut stream = stream.try_clone().unwrap();
        let chunk = goes_on.repeat((1 << 16) / goes_on.len());
        std::thread::spawn(move || {
            let _ = stream.write_all(begins);
            // Until the client closes the connection.
            while stream.write_all(&chunk).is_ok() {}
        });
    }
}

/// The most memory that this process has ever had, in bytes.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() << 10
}

/// In a separate process, so that the memory of other tests does not count.
#[test]
fn a_reply_without_end_costs_neither_memory_nor_time() {
    const CHILD: &str = "EVERGREEN_ENDLESS_CHILD";
    if std::env::var_os(CHILD).is_none() {
        let mut command = std::process::Command::new(std::env::current_exe().unwrap());
        let name = "redis_trouble::a_reply_without_end_costs_neither_memory_nor_time";
        let output = command.args([name, "--exact", "--nocapture"]).env(CHILD, "1").output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
        return;
    }
    let before = peak();
    let replies: [(&'static [u8], &'static [u8]); 7] = [
        (b"$100000000000\r\n", b"x"),
        (b"*1\r\n$60000000000\r\n", b"x"),
        (b"*1000000000\r\n", b":1\r\n"),
        (b"*1\r\n*1\r\n", b"*1\r\n"),
        (b"+", b"x"),
        (b"-ERR ", b"x"),
        (b":", b"1"),
    ];
    for (begins, goes_on) in replies {
        let (url, _) = strange_server(endless(begins, goes_on));
        let store = open(&url, &OpenOptions::default()).unwrap();
        let start = Instant::now();
        for _ in 0..3 {
            assert!(store.get(&key(1)).is_err(), "{}", String::from_utf8_lossy(begins));
            assert!(store.list(&evergreen_store::Bucket([1; 16])).is_err());
        }
        store.put(&key(1), b"x").unwrap();
        assert!(store.flush().is_err());
        assert!(start.elapsed() < Duration::from_secs(10), "{}", String::from_utf8_lossy(begins));
    }
    let grown = peak() - before;
    assert!(grown < 48 << 20, "{} MB", grown >> 20);
}

#[test]
fn a_reply_that_comes_byte_by_byte_ends_with_the_time_limit() {
    let (url, _) = strange_server(|stream: &mut std::net::TcpStream| {
        let mut stream = stream.try_clone().unwrap();
        std::thread::spawn(move || {
            while stream.write_all(b"1").is_ok() {
                std::thread::sleep(Duration::from_millis(20));
            }
        });
    });
    let options = OpenOptions { timeout: Duration::from_millis(100), ..OpenOptions::default() };
    let store = open(&url, &options).unwrap();
    let start = Instant::now();
    assert!(store.get(&key(1)).is_err());
    assert!(start.elapsed() < Duration::from_secs(3), "{:?}", start.elapsed());
}

#[test]
fn what_lies_there_in_the_first_format_is_counted_and_removed_and_never_used() {
    let server = RedisServer::start();
    let store = open(&server.url(), &patient()).unwrap();
    store.put(&key(1), b"new").unwrap();
    store.flush().unwrap();
    for byte in 2..7 {
        // Whatever its value: the name alone marks it as old.
        server.command(&format!("SET evergreen:1:{} 0123456789", key(byte)));
    }
    server.command("SADD evergreen:1:bucket:00000000000000000000000000000000 x");
    server.command("SET somebody:elses thing");
    for byte in 2..7 {
        assert_eq!(store.get(&key(byte)).unwrap(), None);
    }
    let old = OldEntries { entries: 5, bytes: 50 };
    assert_eq!((store.old_entries().unwrap(), store.stats().unwrap().entries), (old, 1));
    assert_eq!(verify(&*store, &mut |_, _| Ok(())).unwrap().old, old);
    assert_eq!(store.remove_old().unwrap(), old);
    assert_eq!(store.old_entries().unwrap(), OldEntries::default());
    assert!(store.get(&key(1)).unwrap().is_some());
    let left = server.command("KEYS *");
    assert!(!left.contains("evergreen:1:") && left.contains("somebody:elses"), "{left}");
}
