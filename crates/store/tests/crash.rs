//! Processes killed at any moment, full disks, tight limits: every put survives, and no other value appears.
//!
//! Children are this same test binary, started again with `EVERGREEN_STORE_CHILD` set to what they shall do.

use std::io::{BufRead, BufReader, Write};
use std::ops::Range;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use crate::common::{is_value, key, value};
use evergreen_store::{Disk, ErrorKind, Store, verify};
use evergreen_structures::Xorshift;

const CHILD: &str = "EVERGREEN_STORE_CHILD";
const DIRECTORY: &str = "EVERGREEN_STORE_CHILD_DIRECTORY";
/// Numbers from here on belong to the next child.
const SHARE: u64 = 1_000_000;

fn child(role: &str, directory: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["crash::as_a_child", "--exact", "--nocapture"]).env(CHILD, role).env(DIRECTORY, directory);
    command.stdin(Stdio::null()).stdout(Stdio::piped());
    command
}

/// Does nothing in the parent's run; in a child it is the child's main function.
#[test]
fn as_a_child() {
    let Ok(role) = std::env::var(CHILD) else { return };
    let directory = std::env::var(DIRECTORY).unwrap();
    let directory = Path::new(&directory);
    match role.split_once(' ') {
        Some(("hammer", from)) => {
            let numbers: Vec<u64> = from.split(' ').map(|number| number.parse().unwrap()).collect();
            hammer(directory, numbers[0]..numbers[1], numbers[2]);
        }
        _ if role == "full" => fill_the_disk(directory),
        _ if role == "tight" => with_little_address_space(directory),
        _ if role == "tighter" => with_too_little_address_space(directory),
        _ if role == "unprivileged" => without_permission(directory),
        _ => panic!("no such role '{role}'"),
    }
}

fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    // The parent may have ended.
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}

/// Writes, overwrites, removes and reads until killed; prints each put that has returned, and the last
/// commit. Its predecessor in the slot had committed `committed` and put all before `start`.
fn hammer(directory: &Path, committed: Range<u64>, start: u64) {
    let store = Disk::open(directory, 0).unwrap();
    let mut random = Xorshift::new(start.wrapping_mul(0x2545_F491_4F6C_DD1D) | 1);
    let own = start - start % SHARE;
    let mut next = start;
    loop {
        for _ in 0..1 + random.below(60) {
            store.put(&key(next), &value(next, 0)).unwrap();
            next += 1;
            say(&format!("put {next}"));
        }
        for _ in 0..random.below(20) {
            let again = own + random.below(next - own);
            store.put(&key(again), &value(again, random.below(5))).unwrap();
        }
        if random.below(8) == 0 {
            // Entries that no process checks: put and removed, so that pages merge.
            let unchecked: Vec<_> = (0..50).map(|at| own + SHARE / 2 + at).collect();
            unchecked.iter().for_each(|number| store.put(&key(*number), &value(*number, 1)).unwrap());
            store.flush().unwrap();
            store.remove(&unchecked.iter().map(|number| key(*number)).collect::<Vec<_>>()).unwrap();
        }
        if random.below(3) > 0 {
            store.flush().unwrap();
            say(&format!("committed {start} {next}"));
        }
        for _ in 0..200 {
            let number = random.below(8) * SHARE + random.below(next - own + 1);
            if let Some(bytes) = store.get(&key(number)).unwrap()
                && !is_value(number, &bytes)
            {
                say(&format!("wrong {number}"));
            }
            // Whatever the others write meanwhile, a committed entry is always found. (Entries that a killed
            // process had put may for a moment be in the queue of the process that took over its journal.)
            let sure = random.below(committed.end - committed.start + next - start);
            let mine = committed.clone().chain(start..next).nth(sure as usize).unwrap();
            if store.get(&key(mine)).unwrap().is_none() {
                say(&format!("wrongly missed {mine}"));
            }
        }
    }
}

struct Hammer {
    child: Child,
    reader: std::thread::JoinHandle<()>,
}

/// The output of the children of a slot.
#[derive(Clone)]
struct Heard {
    committed: Range<u64>,
    put: u64,
}

fn start_hammer(directory: &Path, slot: u64, heard: &Heard, said: &mpsc::Sender<(u64, String)>) -> Hammer {
    let Heard { committed, put } = heard;
    let role = format!("hammer {} {} {put}", committed.start, committed.end);
    let mut child = child(&role, directory).spawn().unwrap();
    let (out, said) = (child.stdout.take().unwrap(), said.clone());
    let reader = std::thread::spawn(move || {
        for line in BufReader::new(out).lines().map_while(Result::ok) {
            let _ = said.send((slot, line));
        }
    });
    Hammer { child, reader }
}

#[test]
fn eight_processes_and_kill_9() {
    let directory = tempfile::tempdir().unwrap();
    let (said, lines) = mpsc::channel::<(u64, String)>();
    let nothing = |slot| Heard { committed: slot * SHARE..slot * SHARE, put: slot * SHARE };
    let mut heard: Vec<Heard> = (0..8).map(nothing).collect();
    let listen = |heard: &mut Vec<Heard>| {
        for (slot, line) in lines.try_iter() {
            assert!(!line.contains("wrong") && !line.contains("panicked"), "child {slot}: {line}");
            let heard = &mut heard[slot as usize];
            if let Some(next) = line.strip_prefix("put ") {
                heard.put = next.parse().unwrap();
            } else if let Some((from, to)) =
                line.strip_prefix("committed ").and_then(|range| range.split_once(' '))
            {
                heard.committed = from.parse().unwrap()..to.parse().unwrap();
            }
        }
    };
    let mut hammers: Vec<Hammer> =
        (0..8).map(|slot| start_hammer(directory.path(), slot, &heard[slot as usize], &said)).collect();
    let mut random = Xorshift::new(0x5EED_0005);
    let end = Instant::now() + Duration::from_secs(8);
    let mut kills = 0;
    // A busy machine needs longer for enough of both; one that hangs is noticed.
    let enough = |heard: &[Heard]| heard.iter().map(|heard| heard.put % SHARE).sum::<u64>() > 500;
    let hangs = Instant::now() + Duration::from_secs(300);
    while Instant::now() < end || kills < 40 || (!enough(&heard) && Instant::now() < hangs) {
        std::thread::sleep(Duration::from_millis(20 + random.below(80)));
        let slot = random.below(8);
        let hammer = &mut hammers[slot as usize];
        assert!(hammer.child.try_wait().unwrap().is_none(), "child {slot} ended by itself");
        hammer.child.kill().unwrap();
        hammer.child.wait().unwrap();
        kills += 1;
        let old = hammers.remove(slot as usize);
        old.reader.join().unwrap();
        listen(&mut heard);
        hammers.insert(slot as usize, start_hammer(directory.path(), slot, &heard[slot as usize], &said));
    }
    for hammer in &mut hammers {
        hammer.child.kill().unwrap();
        hammer.child.wait().unwrap();
    }
    hammers.into_iter().for_each(|hammer| hammer.reader.join().unwrap());
    listen(&mut heard);

    let store = Disk::open(directory.path(), 1 << 20).unwrap();
    let check = &mut |stored: &evergreen_store::Key, bytes: &[u8]| {
        let number = u64::from_be_bytes(stored.0[16..24].try_into().unwrap());
        if is_value(number, bytes) { Ok(()) } else { Err(format!("wrong value for {number}")) }
    };
    let verified = verify(&store, check).unwrap();
    assert!(verified.is_clean(), "{verified:?}");
    let mut entries = 0;
    for (slot, heard) in heard.iter().enumerate() {
        for number in slot as u64 * SHARE..heard.put {
            let bytes = store.get(&key(number)).unwrap();
            let bytes = bytes.unwrap_or_else(|| panic!("lost entry {number} of {}", heard.put));
            assert!(is_value(number, &bytes));
            entries += 1;
        }
    }
    println!("{kills} kills, {entries} entries put, {} stored", verified.entries);
    assert!(entries > 500, "only {entries} entries were put");
    drop(store);
    let left = std::fs::read_dir(directory.path()).unwrap().map(|entry| entry.unwrap().file_name());
    let left: Vec<_> = left.filter(|name| name.to_string_lossy().starts_with("journal")).collect();
    assert!(left.is_empty(), "{left:?}");
}

/// Sets a resource limit of this process and returns the old one.
fn limit(resource: libc::__rlimit_resource_t, bytes: u64) -> u64 {
    let mut now = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: `now` is a valid rlimit for both calls.
    unsafe {
        assert_eq!(libc::getrlimit(resource, &mut now), 0);
        let old = now.rlim_cur;
        now.rlim_cur = bytes.min(now.rlim_max);
        assert_eq!(libc::setrlimit(resource, &now), 0);
        old
    }
}

fn fill_the_disk(directory: &Path) {
    // Writing past the limit shall fail as a full disk does, not kill.
    // SAFETY: ignoring a signal installs no handler.
    unsafe { libc::signal(libc::SIGXFSZ, libc::SIG_IGN) };
    let old = limit(libc::RLIMIT_FSIZE, 1 << 20);
    let store = Disk::open(directory, 0).unwrap();
    let mut committed = 0;
    let error = loop {
        for number in committed..committed + 50 {
            store.put(&key(number), &value(number, 0)).unwrap();
        }
        match store.flush() {
            Ok(()) => committed += 50,
            Err(error) => break error,
        }
        assert!(committed < 100_000, "the disk never filled");
    };
    assert_eq!(error.kind(), ErrorKind::Io);
    assert!(error.to_string().contains("cannot write to the store: "), "{error}");
    assert!(committed >= 500, "only {committed} entries fitted");
    // Every entry is still there, including those that could not be written.
    for number in 0..committed + 50 {
        let bytes = store.get(&key(number)).unwrap().unwrap_or_else(|| panic!("lost {number}"));
        assert!(is_value(number, &bytes));
    }
    say(&format!("full after {committed}: {error}"));
    if std::env::var_os("EVERGREEN_STORE_CHILD_RECOVERS").is_some() {
        limit(libc::RLIMIT_FSIZE, old);
        store.flush().unwrap();
        say(&format!("committed {}", committed + 50));
    }
    std::process::exit(0);
}

#[test]
fn a_full_disk_loses_nothing() {
    for recovers in [false, true] {
        let directory = tempfile::tempdir().unwrap();
        let mut command = child("full", directory.path());
        if recovers {
            command.env("EVERGREEN_STORE_CHILD_RECOVERS", "1");
        }
        let output = command.output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
        let full = text.lines().find_map(|line| line.strip_prefix("full after ")).expect(&text);
        let mut committed: u64 = full.split(':').next().unwrap().parse().unwrap();
        if recovers {
            let line = text.lines().find_map(|line| line.strip_prefix("committed ")).expect(&text);
            committed = line.parse().unwrap();
        }
        let store = Disk::open(directory.path(), 0).unwrap();
        for number in 0..committed {
            let bytes = store.get(&key(number)).unwrap().unwrap_or_else(|| panic!("lost {number}"));
            assert!(is_value(number, &bytes));
        }
        let verified = verify(&store, &mut |_, _| Ok(())).unwrap();
        assert!(verified.is_clean() && verified.intact >= committed, "{verified:?}");
        store.put(&key(committed), &value(committed, 0)).unwrap();
        store.flush().unwrap();
    }
}

fn with_little_address_space(directory: &Path) {
    let pages: u64 = {
        let statm = std::fs::read_to_string("/proc/self/statm").unwrap();
        statm.split(' ').next().unwrap().parse().unwrap()
    };
    limit(libc::RLIMIT_AS, pages * 4096 + (256 << 20));
    let store = Disk::open(directory, 1 << 20).unwrap();
    // Beyond the first map, so that it has to grow twice.
    for number in 0..4000 {
        store.put(&key(number), &vec![number as u8; 10_000]).unwrap();
        if number % 500 == 0 {
            store.flush().unwrap();
        }
    }
    store.flush().unwrap();
    say("done");
    std::process::exit(0);
}

#[test]
fn little_address_space_is_enough() {
    let directory = tempfile::tempdir().unwrap();
    let output = child("tight", directory.path()).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("done"), "{text}{}", String::from_utf8_lossy(&output.stderr));
    let store = Disk::open(directory.path(), 0).unwrap();
    assert_eq!(store.stats().unwrap().entries, 4000);
}

fn with_too_little_address_space(directory: &Path) {
    let pages: u64 = {
        let statm = std::fs::read_to_string("/proc/self/statm").unwrap();
        statm.split(' ').next().unwrap().parse().unwrap()
    };
    limit(libc::RLIMIT_AS, pages * 4096 + (100 << 20));
    let store = Disk::open(directory, 1 << 20).unwrap();
    let mut committed = 0;
    // The map grows until it cannot; that must be an error, and another one the next time.
    let error = loop {
        for number in committed..committed + 100 {
            store.put(&key(number), &[7; 10_000]).unwrap();
        }
        match store.flush() {
            Ok(()) => committed += 100,
            Err(error) => break error,
        }
        assert!(committed < 100_000, "the map never was too large");
    };
    assert_eq!(error.kind(), ErrorKind::Io);
    assert!(store.flush().is_err());
    for number in 0..committed + 100 {
        assert_eq!(&*store.get(&key(number)).unwrap().expect("an entry"), &[7; 10_000]);
    }
    say(&format!("committed {committed}"));
    std::process::exit(0);
}

#[test]
fn a_map_that_cannot_grow_loses_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let output = child("tighter", directory.path()).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    let committed = text
        .lines()
        .find_map(|line| line.strip_prefix("committed "))
        .unwrap_or_else(|| panic!("{text}{errors}"));
    let store = Disk::open(directory.path(), 0).unwrap();
    assert!(store.stats().unwrap().entries >= committed.parse().unwrap());
    assert!(verify(&store, &mut |_, _| Ok(())).unwrap().is_clean());
}

fn without_permission(directory: &Path) {
    // SAFETY: plain system calls; a process that is not root keeps its user.
    if unsafe { libc::geteuid() } == 0 {
        let unprivileged = 65534;
        assert_eq!(unsafe { libc::setgid(unprivileged) }, 0);
        assert_eq!(unsafe { libc::setuid(unprivileged) }, 0);
    }
    let error = Disk::open(directory, 0).err().expect("a directory without permission must not open");
    let help = "help: choose another directory, or open the store read-only";
    assert!(
        error.to_string().ends_with(&format!("cannot write to the store: permission denied\n{help}")),
        "{error}"
    );
    let store = Disk::open_read_only(directory, 0).unwrap();
    assert!(is_value(3, &store.get(&key(3)).unwrap().unwrap()));
    assert!(store.put(&key(4), b"x").is_err());
    say("refused");
    std::process::exit(0);
}

#[test]
fn a_directory_without_permission_can_still_be_read() {
    use std::os::unix::fs::PermissionsExt;
    let directory = tempfile::tempdir().unwrap();
    let store = Disk::open(directory.path(), 0).unwrap();
    store.put(&key(3), &value(3, 0)).unwrap();
    drop(store);
    let file = directory.path().join("data.mdb");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o444)).unwrap();
    std::fs::set_permissions(directory.path(), std::fs::Permissions::from_mode(0o555)).unwrap();
    let output = child("unprivileged", directory.path()).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    std::fs::set_permissions(directory.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
    assert!(text.contains("refused"), "{text}{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn another_process_s_entries_are_seen_live_and_its_growth_is_adopted() {
    let directory = tempfile::tempdir().unwrap();
    let store = Disk::open(directory.path(), 0).unwrap();
    store.put(&key(1_000_000), &value(1_000_000, 0)).unwrap();
    store.flush().unwrap();
    let output = child("tight", directory.path()).output().unwrap();
    assert!(String::from_utf8_lossy(&output.stdout).contains("done"));
    // The child wrote far beyond the map that this process has.
    assert_eq!(store.get(&key(3999)).unwrap().unwrap().len(), 10_000);
    store.put(&key(1_000_001), &value(1_000_001, 0)).unwrap();
    store.flush().unwrap();
    assert_eq!(store.stats().unwrap().entries, 4002);
    assert!(verify(&store, &mut |_, _| Ok(())).unwrap().is_clean());
}

#[test]
fn a_store_removed_under_its_users_begins_anew() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("store");
    let store = Disk::open(&path, 0).unwrap();
    for round in 0..3 {
        store.put(&key(1), &value(1, round)).unwrap();
        store.flush().unwrap();
        std::fs::remove_dir_all(&path).unwrap();
        if round == 1 {
            // Another process has created a new file first, of the same size and age.
            let output = child("tight", &path).output().unwrap();
            assert!(String::from_utf8_lossy(&output.stdout).contains("done"));
        }
        store.put(&key(2_000_000 + round), &value(2_000_000 + round, 0)).unwrap();
        store.flush().unwrap();
        let seen = Disk::open_read_only(&path, 0).unwrap();
        assert!(is_value(2_000_000 + round, &seen.get(&key(2_000_000 + round)).unwrap().unwrap()));
        assert!(verify(&seen, &mut |_, _| Ok(())).unwrap().is_clean());
        assert_eq!(seen.stats().unwrap().entries, if round == 1 { 4001 } else { 1 });
    }
}
