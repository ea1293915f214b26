//! Processes on one store of which some are killed with `kill -9` while they write: the others end within
//! seconds, and no put is lost.
//!
//! LMDB keeps writers apart with a robust mutex. A process that dies between being woken and taking the mutex
//! can leave the others asleep, with the mutex free. That takes many waiters and a busy machine, so
//! [`half_of_them_killed`] is a laboratory run; `a_writer_that_never_ends_blocks_no_process` shows the same
//! hang deterministically.
//!
//! The laboratory run, 500 rounds of eight processes each:
//! `cargo test -p evergreen-smt-store --test tests kills::half_of_them_killed -- --ignored --nocapture`
//! (`EVERGREEN_KILL_ROUNDS` and `EVERGREEN_KILL_PROCESSES` change the numbers).

use std::io::{BufRead, BufReader, Write};
use std::os::fd::AsRawFd;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::{key, value};
use evergreen_store::{Disk, ErrorKind, Store, verify};
use evergreen_testing::random::Random;

const CHILD: &str = "EVERGREEN_KILLS_CHILD";
const DIRECTORY: &str = "EVERGREEN_KILLS_DIRECTORY";
/// How long a process may take on a busy machine, from its start; one that hangs takes for ever.
const PATIENCE: Duration = Duration::from_secs(20);
/// How long each process of a round writes.
const WORKS: Duration = Duration::from_millis(150);

fn child(role: &str, directory: &Path) -> Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["kills::as_a_child", "--exact", "--nocapture"]).env(CHILD, role).env(DIRECTORY, directory);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap()
}

/// Does nothing in the parent's run; in a child it is the child's main function.
#[test]
fn as_a_child() {
    let Ok(role) = std::env::var(CHILD) else { return };
    let directory = std::env::var(DIRECTORY).unwrap();
    match &role[..] {
        "hold" => return hold(Path::new(&directory)),
        "hold the turn" => return hold_the_turn(Path::new(&directory)),
        "write" => return write(Path::new(&directory)),
        _ => {}
    }
    let store = Disk::open(Path::new(&directory), 0).unwrap();
    let from: u64 = role.parse().unwrap();
    let until = Instant::now() + WORKS;
    let mut out = std::io::stdout().lock();
    for number in from.. {
        if Instant::now() > until {
            break;
        }
        store.put(&key(number), &value(number, 0)).unwrap();
        // The parent may have ended.
        let _ = writeln!(out, "put {number}").and_then(|()| out.flush());
        // Every put needs the lock, so that some processes always wait.
        let _ = store.flush();
    }
    drop(store);
    std::process::exit(0);
}

/// Begins a transaction in LMDB and never ends it: to other processes this looks like a lost wake-up.
fn hold(directory: &Path) {
    // SAFETY: only LMDB changes the file.
    let env = unsafe { heed::EnvOpenOptions::new().open(directory) }.unwrap();
    let _transaction = env.write_txn().unwrap();
    println!("held");
    loop {
        std::thread::park();
    }
}

/// Takes the turn of writing and never ends it, as a stopped process does.
fn hold_the_turn(directory: &Path) {
    let file = std::fs::File::open(directory.join("writer.lock")).unwrap();
    // SAFETY: the descriptor is open for the whole call.
    assert_eq!(unsafe { libc::flock(file.as_raw_fd(), libc::LOCK_EX) }, 0);
    println!("held");
    loop {
        std::thread::park();
    }
}

/// Puts, reads and removes while another process holds LMDB's mutex.
fn write(directory: &Path) {
    let store = Disk::open(directory, 0).unwrap();
    (1..100).for_each(|number| store.put(&key(number), &value(number, 0)).unwrap());
    assert!(store.get(&key(0)).unwrap().is_some());
    // Durable, if not in the place where it shall be.
    store.flush().unwrap();
    if store.remove(&[key(0)]).is_err_and(|error| error.kind() == ErrorKind::Busy) {
        println!("\nnothing removed");
    }
    drop(store);
    std::process::exit(0);
}

#[test]
fn a_writer_that_never_ends_blocks_no_process() {
    no_process_is_blocked_by("hold");
}

#[test]
fn a_turn_that_never_ends_blocks_no_process() {
    no_process_is_blocked_by("hold the turn");
}

fn no_process_is_blocked_by(role: &str) {
    let directory = tempfile::tempdir().unwrap();
    let store = Disk::open(directory.path(), 0).unwrap();
    store.put(&key(0), &value(0, 0)).unwrap();
    drop(store);
    let mut holder = child(role, directory.path());
    let mut lines = BufReader::new(holder.stdout.take().unwrap()).lines().map_while(Result::ok);
    assert!(lines.any(|line| line.ends_with("held")));
    let start = Instant::now();
    let mut writer = child("write", directory.path());
    let mut said: Vec<String> = Vec::new();
    while writer.try_wait().unwrap().is_none() && start.elapsed() < PATIENCE {
        std::thread::sleep(Duration::from_millis(10));
    }
    let ended = writer.try_wait().unwrap();
    let _ = writer.kill();
    said.extend(BufReader::new(writer.stdout.take().unwrap()).lines().map_while(Result::ok));
    holder.kill().unwrap();
    holder.wait().unwrap();
    assert!(ended.is_some_and(|status| status.success()), "it waits for a process that never ends: {said:?}");
    assert!(said.iter().any(|line| line == "nothing removed"), "{said:?}");
    let store = Disk::open(directory.path(), 0).unwrap();
    for number in 0..100 {
        assert!(store.get(&key(number)).unwrap().is_some(), "lost {number}");
    }
}

/// One round: processes that write, half of which are killed. The numbers that were put, and how long the
/// last survivor took.
fn round(directory: &Path, number: u64, processes: u64) -> (Vec<u64>, Option<Duration>) {
    let mut random = Random::for_index(71, number);
    let start = Instant::now();
    let mut children: Vec<(Child, Option<Duration>)> = (0..processes)
        .map(|process| {
            let dies = process % 2 == 0;
            let role = (number * processes + process) * 1_000_000;
            let after = Duration::from_millis(20 + random.below(130) as u64);
            (child(&role.to_string(), directory), dies.then_some(after))
        })
        .collect();
    let readers: Vec<_> = children
        .iter_mut()
        .map(|(child, _)| {
            let out = BufReader::new(child.stdout.take().unwrap());
            std::thread::spawn(move || {
                let lines = out.lines().map_while(Result::ok);
                lines.filter_map(|line| line.strip_prefix("put ")?.parse::<u64>().ok()).collect::<Vec<_>>()
            })
        })
        .collect();
    let (mut waiting, mut last) = (children.len(), start);
    let deadline = start + WORKS + PATIENCE;
    let mut ended = vec![false; children.len()];
    while waiting > 0 && Instant::now() < deadline {
        for (at, (child, dies)) in
            children.iter_mut().enumerate().filter(|(at, _)| !ended[*at]).collect::<Vec<_>>()
        {
            if dies.is_some_and(|after| start.elapsed() > after) {
                child.kill().unwrap();
            }
            if child.try_wait().unwrap().is_some() {
                (ended[at], last) = (true, Instant::now());
                waiting -= 1;
            }
        }
        std::thread::sleep(Duration::from_micros(300));
    }
    let hung = waiting > 0;
    for (child, _) in &mut children {
        let _ = child.kill();
        let _ = child.wait();
    }
    let put = readers.into_iter().flat_map(|reader| reader.join().unwrap()).collect();
    (put, (!hung).then(|| last.duration_since(start)))
}

fn rounds(count: u64, processes: u64) {
    let mut slowest = Duration::ZERO;
    let mut hung = 0;
    for number in 0..count {
        let directory = tempfile::tempdir().unwrap();
        let (put, took) = round(directory.path(), number, processes);
        match took {
            Some(took) => slowest = slowest.max(took),
            None => hung += 1,
        }
        let store = Disk::open(directory.path(), 0).unwrap();
        for number in &put {
            let found = store.get(&key(*number)).unwrap().unwrap_or_else(|| panic!("lost {number}"));
            assert_eq!(&*found, value(*number, 0));
        }
        assert!(verify(&store, &mut |_, _| Ok(())).unwrap().is_clean());
    }
    println!("{count} rounds of {processes} processes: {hung} hung, the slowest took {slowest:?}");
    assert_eq!(hung, 0, "of {count} rounds");
}

#[test]
fn a_few_rounds() {
    rounds(20, 8);
}

#[test]
#[ignore = "500 rounds: several minutes"]
fn half_of_them_killed() {
    let number = |name: &str, default| std::env::var(name).map_or(default, |text| text.parse().unwrap());
    rounds(number("EVERGREEN_KILL_ROUNDS", 500), number("EVERGREEN_KILL_PROCESSES", 8));
}
