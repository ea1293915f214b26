//! One folder for everything temporary that a command makes, so that it can be removed whenever the command
//! ends.
//!
//! Compiled sources, probed classes, suites and git revisions have temporary folders in many parts of the
//! program. Their owners remove them on drop, but a signal drops nothing. So a command with such folders
//! first makes one for all of them, which the handler of signals removes.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use tempfile::TempDir;

/// The folder, as long as it is there.
static FOLDER: Mutex<Option<PathBuf>> = Mutex::new(None);
/// Attempts to remove the folder: a child may still be writing into it.
const TRIES: u32 = 20;

/// The folder of a command; dropping it removes everything in it.
pub struct Scratch(());

impl Scratch {
    /// Has temporary files made in a folder of this process from now on, and removed when a signal ends it.
    /// Without such a folder they are made in the usual place, and the code that makes one reports what is
    /// wrong.
    pub fn begin() -> Scratch {
        crate::interrupt::clean_on_signal();
        // Held while the folder is made, so that a signal finds it.
        let mut folder = FOLDER.lock().unwrap_or_else(PoisonError::into_inner);
        let made = tempfile::Builder::new().prefix("evergreen-").tempdir().ok();
        let made = made.filter(|made| tempfile::env::override_temp_dir(made.path()).is_ok());
        *folder = made.map(TempDir::keep);
        Scratch(())
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        abandon();
    }
}

/// Removes the folder of a process that is about to end. Programs that may be writing into it are ended
/// first: a thread that has started a compiler may be waiting for it still.
pub fn abandon() {
    // Held to the end: a second caller must not end the program before the folder is removed.
    let mut held = FOLDER.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(folder) = held.take() else { return };
    for child in children() {
        // SAFETY: a plain system call; the process is a child of ours, and we have not waited for it.
        unsafe {
            libc::kill(child, libc::SIGKILL);
        }
    }
    for _ in 0..TRIES {
        match std::fs::remove_dir_all(&folder) {
            Err(e) if e.kind() != std::io::ErrorKind::NotFound => {
                std::thread::sleep(std::time::Duration::from_millis(5));
            }
            _ => break,
        }
    }
}

/// The processes that this one has started and that still run: compilers and JVMs, besides solvers.
fn children() -> Vec<libc::pid_t> {
    let own = std::process::id();
    let is_ours = |pid: &libc::pid_t| {
        // The name stands in parentheses and may contain anything; state and parent come after it.
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        let parent = stat.rsplit_once(')').and_then(|(_, rest)| rest.split_whitespace().nth(1)?.parse().ok());
        parent == Some(own)
    };
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).filter(is_ours).collect()
}
