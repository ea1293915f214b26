//! The processor time of a program and of all that it starts, while they run.
//!
//! Solvers and JVMs are processes of their own, and some lead groups of their own. A session has them all.

use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command};

/// A program in a session of its own.
pub(crate) struct Metered {
    pub child: Child,
}

/// What the system says of a process.
struct Stat {
    pid: i32,
    session: i32,
    /// Ticks of the process, and of its children that have ended.
    ticks: u64,
}

impl Metered {
    /// Starts a command.
    ///
    /// # Errors
    /// It cannot be started.
    pub(crate) fn start(command: &mut Command) -> io::Result<Metered> {
        // SAFETY: setsid is async-signal-safe and touches no memory of ours.
        unsafe {
            command.pre_exec(|| if libc::setsid() < 0 { Err(io::Error::last_os_error()) } else { Ok(()) });
        }
        Ok(Metered { child: command.spawn()? })
    }

    fn processes(&self) -> Vec<Stat> {
        let session = self.child.id() as i32;
        let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        entries
            .filter_map(|entry| stat(&entry.path().join("stat")))
            .filter(|s| s.session == session)
            .collect()
    }

    /// Processor seconds so far, of processes that run and of those that were waited for.
    pub(crate) fn seconds(&self) -> f64 {
        // SAFETY: sysconf only reads.
        let per_second = unsafe { libc::sysconf(libc::_SC_CLK_TCK) }.max(1) as f64;
        self.processes().iter().map(|process| process.ticks).sum::<u64>() as f64 / per_second
    }

    /// Asks the program to end by itself. Not by the signal of Ctrl-C: what a shell runs in the background
    /// ignores that.
    pub(crate) fn interrupt(&self) {
        // SAFETY: the child was not waited for, so its id is its own.
        unsafe { libc::kill(self.child.id() as i32, libc::SIGTERM) };
    }

    /// Ends the whole session.
    pub(crate) fn end(&mut self) {
        for process in self.processes() {
            // SAFETY: the process was in our child's session just now.
            unsafe { libc::kill(process.pid, libc::SIGKILL) };
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Metered {
    fn drop(&mut self) {
        self.end();
    }
}

fn stat(file: &std::path::Path) -> Option<Stat> {
    let text = std::fs::read_to_string(file).ok()?;
    // The name may have blanks and parentheses.
    let (head, rest) = text.rsplit_once(')')?;
    let fields: Vec<&str> = rest.split_whitespace().collect();
    let number = |at: usize| fields.get(at)?.parse::<u64>().ok();
    Some(Stat {
        pid: head.split_whitespace().next()?.parse().ok()?,
        session: fields.get(3)?.parse().ok()?,
        ticks: (11..=14).filter_map(number).sum(),
    })
}
