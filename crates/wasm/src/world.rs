//! The world outside of a program: arguments, environment, files, descriptors, clocks, and what was written.
//!
//! Contents may be symbolic byte by byte, and the length of a file may be an input, chosen when somebody
//! first looks at it. Everything else is deterministic; a replay on a real engine sees the same world
//! (`docs/inside/wasi.md`).

use crate::outcome::OutByte;
use evergreen_symbolic::Expr;
use std::rc::Rc;

/// A text that the program is given: an argument, a variable of the environment.
pub type Text = Rc<[OutByte]>;

/// A file or a folder.
#[derive(Clone, Debug, PartialEq)]
pub struct File {
    /// The path below the root, without a slash in front.
    pub path: Rc<str>,
    /// Its bytes; of a file whose length is an input, as many as there can be.
    pub bytes: Rc<Vec<OutByte>>,
    /// The input that says how many there are.
    pub length: Option<Expr>,
    /// Whether it is a folder.
    pub is_folder: bool,
}

/// What a descriptor is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Stdin,
    Stdout,
    Stderr,
    /// A file by number.
    File(usize),
    /// The root.
    Root,
    /// A folder by number.
    Folder(usize),
}

/// An open descriptor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Open {
    pub(crate) kind: Kind,
    pub(crate) at: u64,
    pub(crate) flags: u16,
    pub(crate) rights: u64,
    pub(crate) inheriting: u64,
}

pub(crate) const READ: u64 = 1 << 1;
pub(crate) const WRITE: u64 = 1 << 6;
pub(crate) const ALL: u64 = (1 << 30) - 1;
const PIPE: u64 = (1 << 3) | (1 << 21) | (1 << 27);
/// The first reading of a clock, and what lies between two.
const CLOCK: (u64, u64) = (1_577_836_800_000_000_000, 1_000_000);

/// Bytes of all files and streams together, and what each name costs of them.
const ROOM: u64 = 64 << 20;
pub(crate) const NAME_BYTES: u64 = 64;

/// What was written to a stream: shared by all paths that begin alike.
#[derive(Clone, Debug, Default)]
pub(crate) struct Output(Option<Rc<Written>>);

#[derive(Debug)]
struct Written {
    bytes: Box<[OutByte]>,
    before: Output,
}

impl Output {
    pub(crate) fn add(&mut self, bytes: Vec<OutByte>) {
        if !bytes.is_empty() {
            *self = Output(Some(Rc::new(Written { bytes: bytes.into(), before: self.clone() })));
        }
    }

    /// Everything that was written, in order.
    pub(crate) fn all(&self) -> Vec<OutByte> {
        let mut parts = Vec::new();
        let mut here = self;
        while let Some(written) = &here.0 {
            parts.push(&written.bytes);
            here = &written.before;
        }
        parts.into_iter().rev().flat_map(|part| part.iter().copied()).collect()
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        let mut next = self.0.take();
        while let Some(node) = next {
            match Rc::try_unwrap(node) {
                Ok(mut node) => next = node.before.0.take(),
                Err(_) => break,
            }
        }
    }
}

/// The world of one path.
#[derive(Clone, Debug)]
pub struct World {
    /// The arguments, the program's name first.
    pub args: Vec<Text>,
    /// How many of the last arguments there are, if that is an input: the least number of all arguments, and
    /// the input that is added to it.
    pub argc: Option<(usize, Expr)>,
    /// The environment, each `NAME=value`.
    pub env: Vec<Text>,
    /// Standard input.
    pub stdin: File,
    /// Files.
    pub files: Vec<Option<File>>,
    pub(crate) stdin_at: u64,
    pub(crate) open: Vec<Option<Open>>,
    pub(crate) stdout: Output,
    pub(crate) stderr: Output,
    pub(crate) readings: u64,
    pub(crate) random_at: u64,
    /// Whether files were written, made or removed.
    pub(crate) files_changed: bool,
    /// Nanoseconds that waits took.
    pub(crate) slept: u64,
    /// Bytes that may still be written, names included.
    pub(crate) room: u64,
}

impl Default for World {
    fn default() -> World {
        let pipe = |kind, right| Some(Open { kind, at: 0, flags: 0, rights: PIPE | right, inheriting: 0 });
        let root = Open { kind: Kind::Root, at: 0, flags: 0, rights: ALL, inheriting: ALL };
        World {
            args: Vec::new(),
            argc: None,
            env: Vec::new(),
            stdin: File::new("stdin", Vec::new()),
            files: Vec::new(),
            stdin_at: 0,
            open: vec![
                pipe(Kind::Stdin, READ),
                pipe(Kind::Stdout, WRITE),
                pipe(Kind::Stderr, WRITE),
                Some(root),
            ],
            stdout: Output::default(),
            stderr: Output::default(),
            readings: 0,
            random_at: 0,
            files_changed: false,
            slept: 0,
            room: ROOM,
        }
    }
}

impl File {
    /// A file of these bytes.
    pub fn new(path: &str, bytes: Vec<OutByte>) -> File {
        File { path: path.into(), bytes: Rc::new(bytes), length: None, is_folder: false }
    }
}

/// Bytes as a text.
pub fn text(bytes: &[u8]) -> Text {
    bytes.iter().map(|b| OutByte::Number(*b)).collect()
}

impl World {
    /// What was written to standard output.
    pub fn stdout(&self) -> Vec<OutByte> {
        self.stdout.all()
    }

    /// What was written to standard error.
    pub fn stderr(&self) -> Vec<OutByte> {
        self.stderr.all()
    }

    /// What a clock will show when it is read next.
    pub(crate) fn now(&self) -> u64 {
        let steps = self.readings.wrapping_mul(CLOCK.1);
        CLOCK.0.wrapping_add(steps).wrapping_add(self.slept)
    }

    pub(crate) fn random(&mut self) -> u8 {
        let byte = self.random_at.wrapping_mul(167).wrapping_add(13) as u8;
        self.random_at += 1;
        byte
    }

    /// The number of a file.
    pub(crate) fn file(&self, path: &str) -> Option<usize> {
        self.files.iter().position(|file| file.as_ref().is_some_and(|file| *file.path == *path))
    }

    /// Gives folders above files entries of their own, before what they contain: entries are numbered.
    pub(crate) fn lay_out(&mut self) {
        let given = std::mem::take(&mut self.files);
        for mut file in given.into_iter().flatten() {
            file.is_folder |= file.path.ends_with('/');
            file.path = file.path.trim_matches('/').into();
            let path = file.path.clone();
            for (at, _) in path.match_indices('/') {
                if self.file(&path[..at]).is_none() {
                    self.add(File { is_folder: true, ..File::new(&path[..at], Vec::new()) });
                }
            }
            if !path.is_empty() && self.file(&path).is_none() {
                self.add(file);
            }
        }
    }

    /// Adds a file, and says its number.
    pub(crate) fn add(&mut self, file: File) -> usize {
        self.room = self.room.saturating_sub(file.path.len() as u64 + NAME_BYTES);
        self.files.push(Some(file));
        self.files.len() - 1
    }

    /// Whether an entry is a folder.
    pub(crate) fn is_folder(&self, number: usize) -> bool {
        self.files[number].as_ref().is_some_and(|file| file.is_folder)
    }
}
