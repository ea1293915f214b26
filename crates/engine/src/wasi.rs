//! WASI preview 1, in memory and deterministic.
//!
//! `docs/inside/wasi.md` has the table of what each call does and answers; a symbolic machine that follows it
//! takes the same way through wasi-libc. Choices that the specification leaves open:
//! - Standard input, output and error have file type *unknown*, as pipes have: `isatty` is false, wasi-libc
//!   buffers output in blocks, and seeking is refused with SPIPE.
//! - A pointer outside of memory is answered with FAULT, before anything else is changed.
//! - Rights are granted as asked for; only reading and writing are checked, with BADF.

mod calls;
mod descriptors;
mod files;
mod folders;
mod guest;
mod time;

use crate::end::End;
use crate::error::EngineError;
use crate::value::Val;
use crate::world::World;
use descriptors::Descriptors;
use files::Files;
use guest::Guest;

/// The module of WASI's imports.
pub(crate) const MODULE: &str = "wasi_snapshot_preview1";

/// An error number of WASI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Errno(pub(crate) u16);

impl Errno {
    pub(crate) const BADF: Errno = Errno(8);
    pub(crate) const EXIST: Errno = Errno(20);
    pub(crate) const FAULT: Errno = Errno(21);
    pub(crate) const ILSEQ: Errno = Errno(25);
    pub(crate) const INVAL: Errno = Errno(28);
    pub(crate) const ISDIR: Errno = Errno(31);
    pub(crate) const MFILE: Errno = Errno(33);
    pub(crate) const NOENT: Errno = Errno(44);
    pub(crate) const NOSPC: Errno = Errno(51);
    pub(crate) const NOSYS: Errno = Errno(52);
    pub(crate) const NOTDIR: Errno = Errno(54);
    pub(crate) const NOTEMPTY: Errno = Errno(55);
    pub(crate) const OVERFLOW: Errno = Errno(61);
    pub(crate) const PERM: Errno = Errno(63);
    pub(crate) const SPIPE: Errno = Errno(70);
}

/// What a call answers.
type Answer = Result<(), Errno>;

/// The body of a call: the world, the arguments as bits, the memory of the program.
type Body = fn(&mut Wasi, &[u64], &mut Guest<'_>) -> Answer;

/// A call of WASI.
pub(crate) struct Call {
    name: &'static str,
    /// Its type, as letters.
    pub(crate) letters: &'static str,
    body: Body,
}

impl std::fmt::Debug for Call {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// The call of this name.
pub(crate) fn find(name: &str) -> Option<&'static Call> {
    calls::CALLS.iter().find(|call| call.name == name)
}

/// Which files differ from those that a run started with; none for those that are gone.
pub(crate) type Changes = Vec<(String, Option<Vec<u8>>)>;

/// The world of one run, as it is now.
pub(crate) struct Wasi {
    world: World,
    files: Files,
    open: Descriptors,
    stdin_at: usize,
    stdout: Vec<u8>,
    stderr: Vec<u8>,
    /// How many times a clock was read, and the nanoseconds that waits took.
    readings: u64,
    slept_ns: u64,
    /// How many random bytes were given.
    random_at: u64,
    /// Bytes moved by the last call, for which fuel is taken.
    pub(crate) moved: u64,
}

impl Wasi {
    pub(crate) fn new(world: &World, room: usize) -> Result<Wasi, EngineError> {
        let mut files = Files::new(room);
        for (path, content) in &world.files {
            let made = files.provide(path, content);
            made.map_err(|_| EngineError::Test(format!("the file '{path}' cannot be made")))?;
        }
        let world = world.clone();
        let open = Descriptors::new();
        let (stdout, stderr) = (Vec::new(), Vec::new());
        let (stdin_at, readings, slept_ns, random_at, moved) = (0, 0, 0, 0, 0);
        Ok(Wasi { world, files, open, stdin_at, stdout, stderr, readings, slept_ns, random_at, moved })
    }

    /// Answers a call: its error number, or how the run ends.
    pub(crate) fn call(&mut self, call: &Call, args: &[Val], memory: &mut [u8]) -> Result<Option<Val>, End> {
        let bits: Vec<u64> = args.iter().map(|value| value.bits()).collect();
        if call.name == "proc_exit" {
            return Err(End::Exited(bits[0] as i32));
        }
        let answer = (call.body)(self, &bits, &mut Guest::new(memory));
        let number = answer.err().map_or(0, |errno| errno.0);
        Ok(Some(Val::I32(i32::from(number))))
    }

    /// What the run wrote: standard output, standard error, files.
    pub(crate) fn take_output(&mut self) -> (Vec<u8>, Vec<u8>, Changes) {
        let changes = self.files.changes(&self.world.files);
        (std::mem::take(&mut self.stdout), std::mem::take(&mut self.stderr), changes)
    }
}
