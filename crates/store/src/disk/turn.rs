//! The turn to write: a lock between processes, with a deadline for waiting.
//!
//! LMDB has a mutex for that, in shared memory, robust against the death of its holder. Unlocking wakes one
//! waiter. If that process is killed before it takes the mutex, and a third process takes it in between, the
//! next unlock sees no waiters and wakes none: the others sleep for ever. (The hang was seen in 1 of 28
//! rounds of 16 processes, 8 of them killed, on a busy machine; its cause is inferred from how robust mutexes
//! work.) So opening and writing, all that may wait inside LMDB, happen under this lock, an `flock` that is
//! polled and never slept on. The kernel releases it when a process dies. LMDB's mutex then has no waiters.
//!
//! Asking again costs a wake-up every few milliseconds; a batch waits 10 ms anyway. Queueing in `flock`
//! itself would be fairer, but has no time limit: a stopped process would stop all others.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::journal::leads_to;

/// How long a turn is waited for.
const PATIENCE: Duration = Duration::from_secs(2);
/// The same, when the last wait was in vain.
const LITTLE_PATIENCE: Duration = Duration::from_millis(500);
const FIRST_PAUSE: Duration = Duration::from_micros(200);
const LONGEST_PAUSE: Duration = Duration::from_millis(5);

/// The lock file of a directory.
pub(super) struct Turns {
    path: PathBuf,
    file: Option<Arc<File>>,
    patience: Duration,
}

/// A turn: ends with this value, and with the process, in whatever way the process ends.
pub(super) struct Turn(Arc<File>);

impl Turns {
    pub(super) fn new(directory: &Path) -> Turns {
        Turns { path: directory.join("writer.lock"), file: None, patience: PATIENCE }
    }

    /// Waits for a turn; `None` if it did not come in time.
    pub(super) fn wait(&mut self) -> io::Result<Option<Turn>> {
        let deadline = Instant::now() + self.patience;
        let mut pause = FIRST_PAUSE;
        loop {
            let file = self.file()?;
            // SAFETY: the descriptor is open for the whole call.
            if unsafe { libc::flock(file.as_raw_fd(), libc::LOCK_EX | libc::LOCK_NB) } == 0 {
                let turn = Turn(file);
                // Another process may have removed the store and created a new one.
                if leads_to(&self.path, &turn.0) {
                    self.patience = PATIENCE;
                    return Ok(Some(turn));
                }
                self.file = None;
                continue;
            }
            let error = io::Error::last_os_error();
            if !matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) {
                return Err(error);
            }
            if Instant::now() >= deadline {
                self.patience = LITTLE_PATIENCE;
                return Ok(None);
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }

    fn file(&mut self) -> io::Result<Arc<File>> {
        if let Some(file) = &self.file {
            return Ok(file.clone());
        }
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false).mode(0o600);
        let file = Arc::new(options.custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK).open(&self.path)?);
        self.file = Some(file.clone());
        Ok(file)
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        // SAFETY: the descriptor is open for the whole call.
        unsafe { libc::flock(self.0.as_raw_fd(), libc::LOCK_UN) };
    }
}
