//! Stores of other users, stores that others can write to, and stores that cannot be written.
//!
//! Children are this same test binary, started again with `EVERGREEN_SAFETY_CHILD` set to what they shall do;
//! as root they become another user first.

use std::fs::Permissions;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex};

use evergreen_store::{Disk, ErrorKind, Key, OpenOptions, SafeStores, Store, open_layers};

const CHILD: &str = "EVERGREEN_SAFETY_CHILD";
const DIRECTORY: &str = "EVERGREEN_SAFETY_DIRECTORY";
const KEY: Key = Key([1; 32]);
/// A user that is neither root nor a user who runs tests.
const OTHER_USER: u32 = 54_321;

fn user() -> u32 {
    // SAFETY: a plain system call that cannot fail.
    unsafe { libc::geteuid() }
}

fn filled(directory: &Path) -> PathBuf {
    let path = directory.join("store");
    let store = Disk::open(&path, 0).unwrap();
    store.put(&KEY, b"value").unwrap();
    drop(store);
    path.canonicalize().unwrap()
}

fn mode(path: &Path, mode: u32) {
    std::fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

/// Whether a store opens, for writing and for reading; the words of the refusal.
fn refusal(path: &Path) -> Option<String> {
    let refused = [Disk::open(path, 0).err(), Disk::open_read_only(path, 0).err()];
    let kinds = refused.each_ref().map(|error| error.as_ref().map(|error| error.kind()));
    assert_eq!(kinds[0], kinds[1], "{refused:?}");
    let [error, _] = refused;
    error.map(|error| {
        assert_eq!(error.kind(), ErrorKind::Unsafe, "{error}");
        error.to_string()
    })
}

#[test]
fn as_a_child() {
    let Ok(role) = std::env::var(CHILD) else { return };
    let directory = PathBuf::from(std::env::var(DIRECTORY).unwrap());
    if user() == 0 && role == "other user" {
        // SAFETY: plain system calls.
        assert_eq!(unsafe { libc::setgid(OTHER_USER) }, 0);
        assert_eq!(unsafe { libc::setuid(OTHER_USER) }, 0);
    }
    if role == "lax" {
        // SAFETY: a plain system call that cannot fail.
        unsafe { libc::umask(0o002) };
    }
    let heard: Arc<Mutex<Vec<String>>> = Arc::default();
    let ears = heard.clone();
    let on_trouble = Arc::new(move |trouble: &str| ears.lock().unwrap().push(trouble.to_owned()));
    let spec = directory.to_str().unwrap();
    let layered = open_layers(&[spec], &OpenOptions::default(), on_trouble).unwrap();
    println!("\nfound {:?}", layered.get(&KEY).unwrap().map(|value| value.to_vec()));
    layered.put(&Key([2; 32]), b"new").unwrap();
    layered.flush().unwrap();
    println!("heard {:?}", heard.lock().unwrap());
    std::process::exit(0);
}

fn child(role: &str, directory: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["safety::as_a_child", "--exact", "--nocapture"]).env(CHILD, role).env(DIRECTORY, directory);
    command
}

fn said(command: &mut Command) -> String {
    let output = command.output().unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

#[test]
fn a_store_is_made_for_its_owner_alone() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("new/parents/store");
    assert!(said(&mut child("lax", &path)).contains("heard []"));
    let bits = |path: &Path| path.metadata().unwrap().mode() & 0o777;
    assert_eq!((bits(&path), bits(path.parent().unwrap())), (0o700, 0o700));
    for entry in std::fs::read_dir(&path).unwrap() {
        let path = entry.unwrap().path();
        assert_eq!(bits(&path), 0o600, "{}", path.display());
    }
}

#[test]
fn a_store_that_others_can_write_is_refused_with_the_way_out() {
    let directory = tempfile::tempdir().unwrap();
    let path = filled(directory.path());
    for bits in [0o777, 0o770, 0o775, 0o702, 0o1777] {
        mode(&path, bits);
        let name = path.display();
        assert_eq!(
            refusal(&path).unwrap(),
            format!(
                "{name}: the store is not used: other users can write to it (mode {bits:04o})\n\
                 help: if only you have written to \
                 it: chmod go-w '{name}', or set EVERGREEN_SAFE_STORE to the directory if you trust all who \
                 can write there"
            )
        );
        // The way out, and by way of a link.
        for names in [path.to_str().unwrap(), "*"] {
            let store = Disk::open_among(&path, 0, &SafeStores::read(["/elsewhere", names])).unwrap();
            assert!(store.get(&KEY).unwrap().is_some());
        }
        assert!(Disk::open_among(&path, 0, &SafeStores::read([directory.path().to_str().unwrap()])).is_err());
    }
    mode(&path, 0o755);
    assert_eq!(refusal(&path), None);
    mode(&path.join("data.mdb"), 0o660);
    assert!(refusal(&path).unwrap().contains("data.mdb: the store is not used: other users can write to it"));
    mode(&path.join("data.mdb"), 0o600);
    mode(&path.join("lock.mdb"), 0o666);
    let store = Disk::open(&path, 0).unwrap();
    store.put(&KEY, b"another").unwrap();
    assert_eq!(store.flush().unwrap_err().kind(), ErrorKind::Unsafe, "a lock that others can write");
    mode(&path.join("lock.mdb"), 0o600);
    drop(store);
    let link = directory.path().join("link");
    std::os::unix::fs::symlink(&path, &link).unwrap();
    assert_eq!(refusal(&link), None);
    mode(&path, 0o777);
    assert!(refusal(&link).is_some(), "a link is followed before the look");
}

#[test]
fn a_store_of_another_user_is_refused_with_the_way_out() {
    if user() != 0 {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    mode(directory.path(), 0o755);
    let path = filled(directory.path());
    // Every user can read root's store.
    mode(&path, 0o755);
    mode(&path.join("data.mdb"), 0o644);
    assert!(said(&mut child("other user", &path)).contains("found Some([118, "));
    // Another user's is not even root's.
    chown(&path, Some(OTHER_USER), None).unwrap();
    let name = path.display();
    assert_eq!(
        refusal(&path).unwrap(),
        format!(
            "{name}: the store is not used: it belongs to user {OTHER_USER}, not to you (user 0)\n\
             help: take it over (chown -R 0 \
             '{name}'), or set EVERGREEN_SAFE_STORE to the directory if you trust all who can write there"
        )
    );
    let text = said(&mut child("root", &path));
    assert!(text.contains("found None") && text.contains("it belongs to user 54321"), "{text}");
    // Unless that user has called root.
    let text = said(child("root", &path).env("SUDO_UID", OTHER_USER.to_string()));
    assert!(text.contains("found Some"), "{text}");
    let text = said(child("root", &path).env("SUDO_UID", "999"));
    assert!(text.contains("found None"), "{text}");
    // A link that another user made leads to one's own directory: perhaps to one that came out of an archive.
    chown(&path, Some(0), None).unwrap();
    let link = directory.path().join("link");
    std::os::unix::fs::symlink(&path, &link).unwrap();
    assert_eq!(refusal(&link), None);
    std::os::unix::fs::lchown(&link, Some(OTHER_USER), None).unwrap();
    assert!(refusal(&link).unwrap().contains(&format!("'{}' is a link of user 54321", link.display())));
    assert!(refusal(&link.join("../store")).unwrap().contains("is a link of user 54321"));
    assert_eq!(refusal(&path), None);
    // A file in one's own directory that another user has put there.
    chown(path.join("data.mdb"), Some(OTHER_USER), None).unwrap();
    assert!(refusal(&path).unwrap().contains("data.mdb: the store is not used: it belongs to user 54321"));
}

#[test]
fn a_journal_of_another_user_is_left_alone() {
    if user() != 0 {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let path = filled(directory.path());
    // A journal as a killed process leaves it: of a store elsewhere, put here by another user.
    let elsewhere = tempfile::tempdir().unwrap();
    let other = Disk::open(elsewhere.path(), 0).unwrap();
    other.put(&Key([3; 32]), b"forged").unwrap();
    let journal = std::fs::read_dir(elsewhere.path()).unwrap().map(|entry| entry.unwrap().path());
    let journal = journal.into_iter().find(|p| p.display().to_string().contains("journal-")).unwrap();
    let target = path.join(journal.file_name().unwrap());
    std::fs::copy(&journal, &target).unwrap();
    for (owner, bits, taken) in [(OTHER_USER, 0o644, false), (0, 0o666, false), (0, 0o644, true)] {
        chown(&target, Some(owner), None).unwrap();
        mode(&target, bits);
        let read_only = Disk::open_read_only(&path, 0).unwrap();
        assert_eq!(read_only.get(&Key([3; 32])).unwrap().is_some(), taken, "{owner} {bits:o}");
        let store = Disk::open(&path, 0).unwrap();
        assert_eq!(store.get(&Key([3; 32])).unwrap().is_some(), taken, "{owner} {bits:o}");
    }
}

#[test]
fn a_store_that_cannot_be_written_is_read() {
    let directory = tempfile::tempdir().unwrap();
    mode(directory.path(), 0o755);
    let path = filled(directory.path());
    mode(&path, 0o555);
    mode(&path.join("data.mdb"), 0o444);
    let text = said(&mut child("other user", &path));
    assert!(text.contains("found Some([118, "), "{text}");
    let remark = format!(
        "heard [\"{}: cannot write to the store: permission denied; it is looked up, and nothing is \
         recorded\"]",
        path.display()
    );
    assert!(text.contains(&remark), "{text}");
    mode(&path, 0o755);
}

/// The same on a file system that is mounted read-only, in a mount namespace of its own; needs root.
#[test]
fn a_store_on_a_read_only_file_system_is_read() {
    if user() != 0 {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let path = filled(directory.path());
    let mount = format!("mount --bind '{0}' '{0}' && mount -o remount,ro,bind '{0}'", path.display());
    let test = std::env::current_exe().unwrap();
    let script = format!("{mount} && exec '{}' safety::as_a_child --exact --nocapture", test.display());
    let mut command = Command::new("unshare");
    command.args(["--mount", "sh", "-c", &script]).env(CHILD, "root").env(DIRECTORY, &path);
    let text = said(&mut command);
    if text.contains("Operation not permitted") || text.contains("permission denied") {
        // No right to mount, in a container say.
        return;
    }
    assert!(text.contains("found Some([118, "), "{text}");
    assert!(text.contains("read-only file system; it is looked up, and nothing is recorded"), "{text}");
}
