//! Processes killed right after a put returned: the next process that opens the store finds every entry.
//!
//! Children are this same test binary, started again with `EVERGREEN_STORE_CHILD` set to what
//! they shall do. They print a line after each put that has returned, and the parent kills them
//! when it has read the last line.

use std::io::{BufRead, BufReader, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::common::{key, value};
use evergreen_store::{Disk, Key, Store, verify};

const CHILD: &str = "EVERGREEN_STORE_CHILD";
const DIRECTORY: &str = "EVERGREEN_STORE_CHILD_DIRECTORY";

fn child(role: &str, directory: &Path) -> Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["journal::as_a_child", "--exact", "--nocapture"])
        .env(CHILD, role)
        .env(DIRECTORY, directory);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap()
}

/// Does nothing in the parent's run; in a child it is the child's main function.
#[test]
fn as_a_child() {
    let Ok(role) = std::env::var(CHILD) else { return };
    let store = Disk::open(Path::new(&std::env::var(DIRECTORY).unwrap()), 0).unwrap();
    let mut words = role.split(' ');
    let (verb, numbers) = (words.next(), words.map(|word| word.parse::<u64>().unwrap()).collect::<Vec<_>>());
    match (verb, &numbers[..]) {
        // Puts until killed, pausing after every so many puts, so that batches come in between.
        (Some("put"), [from, every, pause]) => {
            for number in *from.. {
                store.put(&key(number), &value(number, 0)).unwrap();
                // One key whose value changes with every put.
                store.put(&key(u64::MAX), &number.to_le_bytes()).unwrap();
                say(&format!("put {number}"));
                if (number + 1).is_multiple_of(*every) {
                    std::thread::sleep(Duration::from_millis(*pause));
                }
            }
        }
        (Some("threads"), [from, count]) => std::thread::scope(|scope| {
            for thread in 0..*count {
                let store = &store;
                scope.spawn(move || {
                    for number in (from + thread..).step_by(*count as usize) {
                        store.put(&key(number), &value(number, 0)).unwrap();
                        say(&format!("put {number}"));
                    }
                });
            }
        }),
        (Some("abort"), [from, to]) => {
            (*from..*to).for_each(|number| store.put(&key(number), &value(number, 0)).unwrap());
            std::process::abort();
        }
        (Some("open"), []) => say("open"),
        _ => panic!("no such role '{role}'"),
    }
}

fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    // The parent may have ended.
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}

/// Kills the child when it has printed `puts` puts; returns all that it had put,
/// including puts until the kill.
fn kill_after(puts: usize, mut child: Child) -> Vec<u64> {
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut put = Vec::new();
    let mut line = String::new();
    while out.read_line(&mut line).unwrap() > 0 {
        // After the kill the last line may be half one.
        if let Some(number) = line.strip_suffix('\n').and_then(|line| line.strip_prefix("put ")) {
            put.push(number.parse().unwrap());
        }
        line.clear();
        if put.len() == puts {
            child.kill().unwrap();
        }
    }
    child.wait().unwrap();
    assert!(put.len() >= puts, "the child ended by itself after {} puts", put.len());
    put
}

fn journals(directory: &Path) -> Vec<PathBuf> {
    let paths = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    paths.filter(|path| path.file_name().unwrap().to_string_lossy().starts_with("journal")).collect()
}

fn find_all(directory: &Path, numbers: &[u64]) {
    let store = Disk::open(directory, 0).unwrap();
    for number in numbers {
        let found = store.get(&key(*number)).unwrap().unwrap_or_else(|| panic!("lost {number}"));
        assert_eq!(&*found, value(*number, 0));
    }
    assert!(verify(&store, &mut |_, _| Ok(())).unwrap().is_clean());
    drop(store);
    assert_eq!(journals(directory), [] as [PathBuf; 0]);
}

/// The process that opens next is a child as well, and killed at once: it must not lose the
/// entries that it took over.
#[test]
fn killed_right_after_a_put() {
    let directory = tempfile::tempdir().unwrap();
    let mut all = Vec::new();
    // From before the first batch to after several, with batches during puts and between them.
    for (round, puts) in [1, 1, 2, 5, 20, 1, 100, 500, 3, 40].into_iter().enumerate() {
        let role = format!("put {} {} {}", round * 10_000, [7, 50, 1][round % 3], [12, 3, 1][round % 3]);
        all.extend(kill_after(puts, child(&role, directory.path())));
        if round % 2 == 1 {
            let last = *all.last().unwrap();
            let store = Disk::open(directory.path(), 0).unwrap();
            let found = store.get(&key(u64::MAX)).unwrap().expect("the key that changes");
            let found = u64::from_le_bytes(found[..].try_into().unwrap());
            // The child may have put one more than it could say.
            assert!(found == last || found == last + 1, "said {last}, found {found}");
            drop(store);
            find_all(directory.path(), &all);
        }
    }
}

#[test]
fn killed_with_several_threads_putting() {
    let directory = tempfile::tempdir().unwrap();
    for puts in [10, 300, 2000] {
        let put = kill_after(puts, child(&format!("threads {} 4", puts * 100_000), directory.path()));
        find_all(directory.path(), &put);
    }
}

#[test]
fn aborted_without_a_word() {
    let directory = tempfile::tempdir().unwrap();
    for (from, to) in [(0, 1), (1, 50), (50, 5000)] {
        let mut child = child(&format!("abort {from} {to}"), directory.path());
        assert!(!child.wait().unwrap().success());
        find_all(directory.path(), &(0..to).collect::<Vec<_>>());
    }
}

#[test]
fn eight_killed_at_once_and_eight_that_open_at_once() {
    let directory = tempfile::tempdir().unwrap();
    let mut all = Vec::new();
    for round in 0..3 {
        let start = |slot| {
            let from = (round * 8 + slot) * 1_000_000;
            std::thread::spawn({
                let child = child(&format!("put {from} 10 5"), directory.path());
                move || kill_after(30, child)
            })
        };
        let threads: Vec<_> = (0..8).map(start).collect();
        threads.into_iter().for_each(|thread| all.extend(thread.join().unwrap()));
        // The last round's journals are recovered by these, or by this process; in any
        // case once all have ended.
        let openers: Vec<Child> = (0..8).map(|_| child("open", directory.path())).collect();
        for opener in openers {
            let output = opener.wait_with_output().unwrap();
            assert!(output.status.success() && String::from_utf8_lossy(&output.stdout).contains("open"));
        }
        assert_eq!(journals(directory.path()), [] as [PathBuf; 0]);
        find_all(directory.path(), &all);
    }
}

#[test]
fn no_journal_is_left_by_those_who_end_well() {
    let directory = tempfile::tempdir().unwrap();
    for round in 0..20 {
        let store = Disk::open(directory.path(), 1 << 20).unwrap();
        for number in 0..round * 10 {
            store.put(&key(number), &value(number, round)).unwrap();
        }
        if round % 3 == 0 {
            std::thread::sleep(Duration::from_millis(round));
        }
        if round % 2 == 0 {
            // As a program that flushes and exits without dropping anything.
            store.flush().unwrap();
            assert_eq!(journals(directory.path()), [] as [PathBuf; 0]);
        }
        drop(store);
        assert_eq!(journals(directory.path()), [] as [PathBuf; 0]);
    }
}

#[test]
fn reading_makes_no_journal_and_read_only_looks_into_them_and_leaves_them() {
    let directory = tempfile::tempdir().unwrap();
    let mut child = child("abort 0 3", directory.path());
    assert!(!child.wait().unwrap().success());
    let left = journals(directory.path());
    let store = Disk::open_read_only(directory.path(), 0).unwrap();
    for number in 0..3 {
        assert_eq!(store.get(&key(number)).unwrap().as_deref(), Some(&value(number, 0)[..]));
    }
    assert_eq!(store.stats().unwrap().entries, 3);
    let mut seen = 0;
    let each = &mut |_: &Key, _: &[u8]| {
        seen += 1;
        ControlFlow::Continue(())
    };
    store.visit(each).unwrap();
    assert_eq!(seen, 3);
    drop(store);
    assert_eq!(journals(directory.path()), left);
    find_all(directory.path(), &[0, 1, 2]);
    let store = Disk::open(directory.path(), 0).unwrap();
    assert!(store.get(&key(0)).unwrap().is_some());
    assert_eq!(journals(directory.path()), [] as [PathBuf; 0]);
}
