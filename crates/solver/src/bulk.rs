//! Long texts by the way of a file that only memory holds.
//!
//! z3 reads its standard input character by character through a stream that it flushes each time: 20 ns for
//! each. Verifiers send 300 KB before a condition, so that is a sixth of the time that it takes for one of
//! Dafny's; a file it reads in blocks. So a long text goes into such a file, and the solver is sent an
//! `(include …)` of it.
//!
//! Whether the solver takes that is asked once, by a text that does nothing but print. One that says anything
//! else (an older version, a wrapper that closes what it inherits) gets every text by its input.

use std::fs::File;
use std::io::{self, Seek, Write};
use std::os::fd::{AsRawFd, FromRawFd, RawFd};

/// Shorter texts are not worth the file.
const LONG: usize = 1 << 14;

/// Whether the solver reads the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Taken {
    Unasked,
    Yes,
    No,
}

/// The file, which the solver has inherited under the same number.
#[derive(Debug)]
pub(crate) struct Bulk {
    file: File,
    taken: Taken,
}

impl Bulk {
    /// `None` where the system has no such files.
    pub(crate) fn new() -> Option<Bulk> {
        // SAFETY: a system call on a constant string; the descriptor that it returns is new, so this value is
        // its only owner.
        let file = unsafe {
            let fd = libc::memfd_create(c"evergreen".as_ptr(), libc::MFD_CLOEXEC);
            (fd >= 0).then(|| File::from_raw_fd(fd))
        };
        file.map(|file| Bulk { file, taken: Taken::Unasked })
    }

    /// The number of the file, here and in the solver.
    pub(crate) fn number(&self) -> RawFd {
        self.file.as_raw_fd()
    }

    pub(crate) fn is_worth(&self, text: &str) -> bool {
        text.len() >= LONG && self.taken != Taken::No
    }

    /// Whether it is not known yet if the solver takes it.
    pub(crate) fn is_unasked(&self) -> bool {
        self.taken == Taken::Unasked
    }

    /// Notes what a text that prints only this has led to.
    pub(crate) fn note(&mut self, expected: &str, reply: &str) {
        self.taken = if reply.trim() == expected { Taken::Yes } else { Taken::No };
    }

    /// Fills the file; the command that has the solver read it.
    pub(crate) fn hold(&mut self, text: &str) -> io::Result<String> {
        self.file.set_len(0)?;
        self.file.rewind()?;
        self.file.write_all(text.as_bytes())?;
        Ok(format!("(include \"{}\")", self.path()))
    }

    /// Gives the memory back, and takes the file's name out of the messages of a reply.
    pub(crate) fn let_go(&mut self, reply: String) -> String {
        let _ = self.file.set_len(0);
        let prefix = format!("(error \"{}: ", self.path());
        if reply.contains(&prefix) { reply.replace(&prefix, "(error \"") } else { reply }
    }

    fn path(&self) -> String {
        format!("/proc/self/fd/{}", self.number())
    }
}
