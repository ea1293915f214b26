//! File descriptors.

use super::files::{NodeId, ROOT};
use super::{Answer, Errno};

/// How many descriptors a program may have open.
const MOST: usize = 1024;

/// The descriptor of the preopened folder "/".
pub(super) const PREOPENED: u64 = 3;

/// What a descriptor is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Stdin,
    Stdout,
    Stderr,
    File(NodeId),
    Folder(NodeId),
}

/// An open descriptor.
#[derive(Clone, Debug)]
pub(super) struct Open {
    pub(super) kind: Kind,
    /// Where the next read or write begins.
    pub(super) at: u64,
    /// WASI's flags: append, nonblocking, and the like.
    pub(super) flags: u16,
    pub(super) rights: u64,
    pub(super) inheriting: u64,
}

/// Rights of WASI that are checked.
pub(super) const READ: u64 = 1 << 1;
pub(super) const WRITE: u64 = 1 << 6;
/// All rights of preview 1.
pub(super) const ALL: u64 = (1 << 30) - 1;
/// Reading or writing, flags, status, polling: what a pipe can do.
const PIPE: u64 = (1 << 3) | (1 << 21) | (1 << 27);
/// The flag to append.
pub(super) const APPEND: u16 = 1;

/// The table of descriptors.
#[derive(Clone, Debug)]
pub(super) struct Descriptors {
    table: Vec<Option<Open>>,
}

impl Descriptors {
    pub(super) fn new() -> Descriptors {
        let pipe = |kind, right| Open { kind, at: 0, flags: 0, rights: PIPE | right, inheriting: 0 };
        let root = Open { kind: Kind::Folder(ROOT), at: 0, flags: 0, rights: ALL, inheriting: ALL };
        let standard = [pipe(Kind::Stdin, READ), pipe(Kind::Stdout, WRITE), pipe(Kind::Stderr, WRITE), root];
        Descriptors { table: standard.into_iter().map(Some).collect() }
    }

    pub(super) fn get(&self, fd: u64) -> Result<&Open, Errno> {
        self.table.get(fd as usize).and_then(Option::as_ref).ok_or(Errno::BADF)
    }

    pub(super) fn get_mut(&mut self, fd: u64) -> Result<&mut Open, Errno> {
        self.table.get_mut(fd as usize).and_then(Option::as_mut).ok_or(Errno::BADF)
    }

    /// The folder of a descriptor.
    pub(super) fn folder(&self, fd: u64) -> Result<NodeId, Errno> {
        match self.get(fd)?.kind {
            Kind::Folder(node) => Ok(node),
            _ => Err(Errno::NOTDIR),
        }
    }

    /// The lowest number that is free, from 4 on.
    pub(super) fn lowest(&self) -> Result<usize, Errno> {
        let first = PREOPENED as usize + 1;
        let free = (first..self.table.len()).find(|&at| self.table[at].is_none());
        let at = free.unwrap_or(self.table.len());
        if at < MOST { Ok(at) } else { Err(Errno::MFILE) }
    }

    /// Opens the lowest number that is free.
    pub(super) fn add(&mut self, open: Open) -> Result<u64, Errno> {
        let at = self.lowest()?;
        self.table.resize(self.table.len().max(at + 1), None);
        self.table[at] = Some(open);
        Ok(at as u64)
    }

    pub(super) fn close(&mut self, fd: u64) -> Answer {
        self.get(fd)?;
        self.table[fd as usize] = None;
        Ok(())
    }

    /// Moves a descriptor onto another one.
    pub(super) fn renumber(&mut self, from: u64, to: u64) -> Answer {
        self.get(from)?;
        self.get(to)?;
        if from != to {
            self.table[to as usize] = self.table[from as usize].take();
        }
        Ok(())
    }
}
