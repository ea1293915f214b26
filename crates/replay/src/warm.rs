//! A JVM that stays for the runs after this one: its start, and the first hundreds of cases while it is cold,
//! are most of what a replay of small tests costs.
//!
//! The first run starts it, in the background and in a process group of its own; it listens on a socket
//! that is a file, in a folder of the user's cache that nobody else can enter. Java, its version, its flags
//! and our runner are in the name of the folder, so that a run finds only a JVM of its own kind. It serves
//! one run at a time; another run at the same time has a JVM of its own. `Server.java` is the other side,
//! and ends when nobody came for a while. Whatever goes wrong here, the answer is a JVM that is not shared:
//! [`connect`] has no errors. Which programs may use it: [`crate::clean`].
//!
//! Tried and dropped: an archive of the runner's classes (AppCDS). The JVM's own archive has all of the JDK
//! that the runner needs; ours are ten classes, and neither the start (57 ms) nor 541 cases after it (0.29 s)
//! became measurably faster.

use std::ffi::OsString;
use std::fs::{DirBuilder, File};
use std::io::{Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Longer names of sockets are refused by the system, whose bound is 108 bytes.
const NAME_BOUND: usize = 100;

/// How long a new JVM may take until it listens.
const START_BOUND: Duration = Duration::from_secs(10);

/// How long a JVM that listens may take to accept.
const ACCEPT_BOUND: Duration = Duration::from_millis(500);

/// How often it is asked again, some milliseconds later: a run that just ended may still be cleaned up after.
const ASKED: u32 = 4;

/// Variables that give a JVM more flags: such a JVM is not that of other runs.
const MORE_FLAGS: [&str; 3] = ["JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS"];

const PREFIX: &str = "jvm-";
const SOCKET: &str = "socket";

/// Whether a JVM of this version can stay: sockets that are files came with Java 16.
pub(crate) fn is_possible(version: &str) -> bool {
    let major = version.split(['.', '-', '+']).next().and_then(|text| text.parse::<u32>().ok());
    major.is_some_and(|major| major >= 16)
}

/// A JVM that may be there, and how it would be started.
#[derive(Clone, Debug)]
pub(crate) struct Warm {
    /// Its folder.
    folder: PathBuf,
    java: PathBuf,
    flags: Vec<OsString>,
    idle: Duration,
}

impl Warm {
    /// One for this Java and these flags, the class path of the runner among them; `None` if there can be
    /// none.
    pub(crate) fn new(cache: &Path, home: &Path, flags: &[OsString], idle: Duration) -> Option<Warm> {
        let cache = cache.canonicalize().ok()?;
        if MORE_FLAGS.iter().any(|name| std::env::var_os(name).is_some()) {
            return None;
        }
        let java = home.join("bin").join("java").canonicalize().ok()?;
        // An update of the JDK in its place is another one.
        let known = java.metadata().ok()?;
        let mut hash = crate::javac::Fnv::new();
        hash.add(java.as_os_str().as_encoded_bytes());
        hash.add(&known.ino().to_be_bytes());
        hash.add(&known.mtime().to_be_bytes());
        flags.iter().for_each(|flag| hash.add(flag.as_encoded_bytes()));
        let folder = cache.join(format!("{PREFIX}{:016x}", hash.value()));
        (folder.join(SOCKET).as_os_str().len() <= NAME_BOUND).then(|| Warm {
            folder,
            java,
            flags: flags.to_vec(),
            idle,
        })
    }
}

/// Connects to the JVM, which is started if it is not there; `None` if it is busy, or does not come.
pub(crate) fn connect(warm: &Warm) -> Option<UnixStream> {
    let lock = private(&warm.folder)?;
    let socket = warm.folder.join(SOCKET);
    match ask(&socket) {
        Asked::Accepted(stream) => return Some(stream),
        Asked::Busy => return None,
        Asked::Nobody => {}
    }
    // The one who has the lock starts it. The others do not wait.
    // SAFETY: a plain system call on a file that is open.
    if unsafe { libc::flock(lock.as_raw_fd(), libc::LOCK_EX | libc::LOCK_NB) } != 0 {
        return None;
    }
    if let Asked::Accepted(stream) = ask(&socket) {
        return Some(stream);
    }
    let _ = std::fs::remove_file(&socket);
    start(warm, &socket)
}

/// The lock of a folder that is ours alone; the folder is made if it is not there.
fn private(folder: &Path) -> Option<File> {
    let _ = DirBuilder::new().mode(0o700).create(folder);
    let lock = File::options().create(true).truncate(false).write(true).open(folder.join("lock")).ok()?;
    let known = folder.symlink_metadata().ok()?;
    let is_ours = known.is_dir() && known.uid() == lock.metadata().ok()?.uid() && known.mode() & 0o077 == 0;
    is_ours.then_some(lock)
}

enum Asked {
    Accepted(UnixStream),
    Busy,
    Nobody,
}

fn ask(socket: &Path) -> Asked {
    for again in 0..ASKED {
        std::thread::sleep(Duration::from_millis(5) * again);
        let Ok(mut stream) = UnixStream::connect(socket) else { return Asked::Nobody };
        let mut answer = [0];
        let _ = stream.set_read_timeout(Some(ACCEPT_BOUND));
        if stream.write_all(b"R").is_ok() && stream.read_exact(&mut answer).is_ok() {
            let _ = stream.set_read_timeout(None);
            return Asked::Accepted(stream);
        }
    }
    Asked::Busy
}

/// Starts the JVM and waits until it accepts. It knows nothing of this process: not its folder, not its
/// variables, not its terminal. A shell starts it and ends, so that it is no child of ours: a command ends
/// its children when it ends.
fn start(warm: &Warm, socket: &Path) -> Option<UnixStream> {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", "\"$@\" >/dev/null & echo $!", "sh"]).arg(&warm.java);
    command.args(&warm.flags).arg(crate::process::RUNNER).arg(socket);
    command.arg(warm.idle.as_millis().to_string());
    command.env_clear().env("LC_ALL", "C.UTF-8");
    if let Some(libraries) = std::env::var_os("LD_LIBRARY_PATH") {
        command.env("LD_LIBRARY_PATH", libraries);
    }
    command.current_dir("/").process_group(0);
    command.stdin(Stdio::null()).stderr(Stdio::null());
    let started = command.output().ok()?;
    let process = Path::new("/proc").join(String::from_utf8(started.stdout).ok()?.trim());
    let began = Instant::now();
    while began.elapsed() < START_BOUND && process.exists() {
        if let Asked::Accepted(stream) = ask(socket) {
            return Some(stream);
        }
        std::thread::sleep(Duration::from_millis(3));
    }
    None
}

/// Ends the JVMs that stay, and returns how many there were. `cache` is as in
/// [`ReplayOptions`](crate::ReplayOptions).
pub fn stop_warm(cache: Option<&Path>) -> usize {
    let folders = crate::javac::cache(cache).and_then(|cache| std::fs::read_dir(cache).ok());
    let ours = |name: &std::ffi::OsStr| name.to_str().is_some_and(|name| name.starts_with(PREFIX));
    let folders = folders.into_iter().flatten().flatten().filter(|entry| ours(&entry.file_name()));
    folders.filter(|folder| stop(&folder.path())).count()
}

fn stop(folder: &Path) -> bool {
    let socket = folder.join(SOCKET);
    let ended = UnixStream::connect(&socket).is_ok_and(|mut stream| {
        // It closes the connection by its end.
        let _ = stream.set_read_timeout(Some(Duration::from_secs(5)));
        stream.write_all(b"Q").is_ok() && matches!(stream.read(&mut [0]), Ok(0))
    });
    let _ = std::fs::remove_file(socket);
    ended
}
