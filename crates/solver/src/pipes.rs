//! The three pipes of a solver, without blocking: its input, its output, its standard error.
//!
//! One thread serves all three with `poll`. Writing and reading must overlap: a solver that prints while it
//! reads (errors, echoes) fills its output pipe, stops reading, and a writer that only writes would wait
//! forever. A thread per pipe would work as well, but costs two thread switches per answer, about as much as
//! the answer of a small query.

use std::io::{self, Read, Write};
use std::os::fd::{AsRawFd, RawFd};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout};
use std::time::{Duration, Instant};

/// How much of the standard error is kept.
const STDERR_KEPT: usize = 4 * 1024;
const READ_SIZE: usize = 64 * 1024;

/// The outcome of a round of [`Pipes::pump`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Progress {
    /// Something was read or written.
    Moved,
    /// The deadline passed.
    TimedOut,
    /// The solver has ended or has closed its output; all that it printed has been read.
    Ended,
    /// The solver no longer reads its input; it may still print.
    Deaf,
}

/// The pipes and their buffers.
#[derive(Debug)]
pub(crate) struct Pipes {
    stdin: Option<ChildStdin>,
    stdout: ChildStdout,
    stderr: Option<ChildStderr>,
    end_watch: RawFd,
    /// Bytes not yet taken by the solver, from `sent` on.
    unsent: Vec<u8>,
    sent: usize,
    /// Lines that were queued.
    lines: usize,
    /// Bytes printed by the solver and not yet consumed.
    pub(crate) printed: Vec<u8>,
    complaints: Vec<u8>,
    chunk: Box<[u8]>,
}

impl Pipes {
    /// Takes the child's pipes. `end_watch` polls readable when the child has ended (-1: none).
    pub(crate) fn take_from(child: &mut Child, end_watch: RawFd) -> io::Result<Pipes> {
        let missing = || io::Error::other("a standard stream of the solver is not piped");
        let stdin = child.stdin.take().ok_or_else(missing)?;
        let stdout = child.stdout.take().ok_or_else(missing)?;
        let stderr = child.stderr.take().ok_or_else(missing)?;
        for fd in [stdin.as_raw_fd(), stdout.as_raw_fd(), stderr.as_raw_fd()] {
            set_nonblocking(fd)?;
        }
        Ok(Pipes {
            stdin: Some(stdin),
            stdout,
            stderr: Some(stderr),
            end_watch,
            unsent: Vec::new(),
            sent: 0,
            lines: 0,
            printed: Vec::new(),
            complaints: Vec::new(),
            chunk: vec![0; READ_SIZE].into_boxed_slice(),
        })
    }

    /// Adds text to what the solver is to read.
    pub(crate) fn queue(&mut self, text: &str) {
        self.lines += text.bytes().filter(|byte| *byte == b'\n').count();
        self.unsent.extend_from_slice(text.as_bytes());
    }

    /// How many lines were queued since the start.
    pub(crate) fn lines(&self) -> usize {
        self.lines
    }

    /// How many queued bytes the solver has not taken yet.
    pub(crate) fn unsent_len(&self) -> usize {
        self.unsent.len() - self.sent
    }

    /// Closes the solver's input, which ends a well-behaved solver.
    pub(crate) fn close_input(&mut self) {
        self.stdin = None;
    }

    /// The last of what the solver wrote to its standard error.
    pub(crate) fn complaints(&self) -> String {
        let start = self.complaints.len().saturating_sub(STDERR_KEPT);
        String::from_utf8_lossy(&self.complaints[start..]).into_owned()
    }

    /// Writes what the solver takes right now.
    pub(crate) fn write_some(&mut self) -> io::Result<Progress> {
        while self.sent < self.unsent.len() {
            let Some(stdin) = self.stdin.as_mut() else {
                return Ok(Progress::Deaf);
            };
            match stdin.write(&self.unsent[self.sent..]) {
                Ok(0) => return Ok(Progress::Deaf),
                Ok(taken) => self.sent += taken,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    return Ok(Progress::Moved);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                    self.stdin = None;
                    return Ok(Progress::Deaf);
                }
                Err(error) => return Err(error),
            }
        }
        self.unsent.clear();
        self.sent = 0;
        Ok(Progress::Moved)
    }

    /// Waits until a pipe is ready or the deadline passes, then moves what can be moved.
    pub(crate) fn pump(&mut self, deadline: Option<Instant>) -> io::Result<Progress> {
        let writing = self.sent < self.unsent.len();
        let stdin = self.stdin.as_ref().filter(|_| writing).map_or(-1, AsRawFd::as_raw_fd);
        let stderr = self.stderr.as_ref().map_or(-1, AsRawFd::as_raw_fd);
        let watch = |fd, events| libc::pollfd { fd, events, revents: 0 };
        let mut watched = [
            watch(self.stdout.as_raw_fd(), libc::POLLIN),
            watch(stdin, libc::POLLOUT),
            watch(stderr, libc::POLLIN),
            watch(self.end_watch, libc::POLLIN),
        ];
        if !poll(&mut watched, deadline)? {
            return Ok(Progress::TimedOut);
        }
        if watched[2].revents != 0 {
            self.read_complaints();
        }
        let ended = watched[3].revents != 0;
        if watched[0].revents != 0 || ended {
            let closed = self.read_printed(ended)?;
            if closed || ended {
                self.read_complaints();
                return Ok(Progress::Ended);
            }
        }
        if watched[1].revents != 0 {
            return self.write_some();
        }
        Ok(Progress::Moved)
    }

    /// Reads what has been printed: one chunk, or everything there is. Says whether the
    /// solver has closed its output.
    fn read_printed(&mut self, everything: bool) -> io::Result<bool> {
        // Bounded: "everything" of a solver that has ended is what its pipe holds,
        // unless a child of it prints on.
        for _ in 0..64 {
            match self.stdout.read(&mut self.chunk) {
                Ok(0) => return Ok(true),
                Ok(count) => {
                    self.printed.extend_from_slice(&self.chunk[..count]);
                    if !everything {
                        return Ok(false);
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(false),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(false)
    }

    /// Drains the standard error, keeping its end. A failure here does not affect the answer.
    fn read_complaints(&mut self) {
        // Bounded, so that a solver that complains without end still gets its other pipes served.
        for _ in 0..16 {
            let Some(stderr) = self.stderr.as_mut() else {
                return;
            };
            match stderr.read(&mut self.chunk) {
                Ok(0) => self.stderr = None,
                Ok(count) => {
                    self.complaints.extend_from_slice(&self.chunk[..count]);
                    let surplus = self.complaints.len().saturating_sub(STDERR_KEPT);
                    self.complaints.drain(..surplus);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return,
                Err(_) => self.stderr = None,
            }
        }
    }
}

fn set_nonblocking(fd: RawFd) -> io::Result<()> {
    // SAFETY: system calls on a descriptor that is open for the whole call.
    unsafe {
        let flags = libc::fcntl(fd, libc::F_GETFL);
        if flags < 0 || libc::fcntl(fd, libc::F_SETFL, flags | libc::O_NONBLOCK) < 0 {
            return Err(io::Error::last_os_error());
        }
    }
    Ok(())
}

/// Whether something is ready before the deadline.
fn poll(watched: &mut [libc::pollfd], deadline: Option<Instant>) -> io::Result<bool> {
    loop {
        let timeout = match deadline {
            None => -1,
            Some(deadline) => {
                let left = deadline.saturating_duration_since(Instant::now());
                // Rounded up: a poll of 0 ms would spin through the last millisecond.
                left.saturating_add(Duration::from_micros(999)).as_millis().min(i32::MAX as u128) as i32
            }
        };
        // SAFETY: the slice is valid for the call, and its length is given.
        let ready = unsafe { libc::poll(watched.as_mut_ptr(), watched.len() as libc::nfds_t, timeout) };
        if ready > 0 {
            return Ok(true);
        }
        if ready == 0 {
            return Ok(false);
        }
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
}
