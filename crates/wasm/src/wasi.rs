//! WASI preview 1: what a program asks of the world outside.
//!
//! Contents and lengths may be symbolic; numbers that say where and how much are made numbers first, each
//! that is possible on a path of its own. `docs/inside/wasi.md` has the table of what each call answers; the
//! engine of replays follows the same table. An address outside of memory is FAULT, as there; one that no
//! object has is a finding.

mod clocks;
mod descriptors;
mod paths;

use crate::code::{LoadOp, To};
use crate::load::Access;
use crate::machine::{Done, Stop, WasmMachine};
use crate::outcome::{OutByte, Outcome};
use crate::state::{Slot, State};
use crate::world::{Kind, Open, Text, World};
use std::rc::Rc;

const BADF: u32 = 8;
const EXIST: u32 = 20;
const FAULT: u32 = 21;
const ILSEQ: u32 = 25;
const INVAL: u32 = 28;
const ISDIR: u32 = 31;
const MFILE: u32 = 33;
const NOENT: u32 = 44;
const NOSPC: u32 = 51;
const NOSYS: u32 = 52;
const NOTDIR: u32 = 54;
const NOTEMPTY: u32 = 55;
const PERM: u32 = 63;
const SPIPE: u32 = 70;
const PREOPENED: u32 = 3;

/// All calls with their types as letters: i and I are an i32 and an i64.
pub(crate) const CALLS: [(&str, &str); 46] = [
    ("args_get", "ii:i"),
    ("args_sizes_get", "ii:i"),
    ("clock_res_get", "ii:i"),
    ("clock_time_get", "iIi:i"),
    ("environ_get", "ii:i"),
    ("environ_sizes_get", "ii:i"),
    ("fd_advise", "iIIi:i"),
    ("fd_allocate", "iII:i"),
    ("fd_close", "i:i"),
    ("fd_datasync", "i:i"),
    ("fd_fdstat_get", "ii:i"),
    ("fd_fdstat_set_flags", "ii:i"),
    ("fd_fdstat_set_rights", "iII:i"),
    ("fd_filestat_get", "ii:i"),
    ("fd_filestat_set_size", "iI:i"),
    ("fd_filestat_set_times", "iIIi:i"),
    ("fd_pread", "iiiIi:i"),
    ("fd_prestat_dir_name", "iii:i"),
    ("fd_prestat_get", "ii:i"),
    ("fd_pwrite", "iiiIi:i"),
    ("fd_read", "iiii:i"),
    ("fd_readdir", "iiiIi:i"),
    ("fd_renumber", "ii:i"),
    ("fd_seek", "iIii:i"),
    ("fd_sync", "i:i"),
    ("fd_tell", "ii:i"),
    ("fd_write", "iiii:i"),
    ("path_create_directory", "iii:i"),
    ("path_filestat_get", "iiiii:i"),
    ("path_filestat_set_times", "iiiiIIi:i"),
    ("path_link", "iiiiiii:i"),
    ("path_open", "iiiiiIIii:i"),
    ("path_readlink", "iiiiii:i"),
    ("path_remove_directory", "iii:i"),
    ("path_rename", "iiiiii:i"),
    ("path_symlink", "iiiii:i"),
    ("path_unlink_file", "iii:i"),
    ("poll_oneoff", "iiii:i"),
    ("proc_exit", "i:"),
    ("proc_raise", "i:i"),
    ("random_get", "ii:i"),
    ("sched_yield", ":i"),
    ("sock_accept", "iii:i"),
    ("sock_recv", "iiiiii:i"),
    ("sock_send", "iiiii:i"),
    ("sock_shutdown", "ii:i"),
];

/// Why a call does not succeed.
enum Refusal {
    /// It answers with an error number.
    Errno(u32),
    /// It is not finished, or the path is over.
    Stop(Stop),
}

impl From<Stop> for Refusal {
    fn from(stop: Stop) -> Refusal {
        Refusal::Stop(stop)
    }
}

/// The answer of a call.
type Answer<T = ()> = Result<T, Refusal>;

fn refuse<T>(errno: u32) -> Answer<T> {
    Err(Refusal::Errno(errno))
}

impl WasmMachine {
    /// Answers a call.
    pub(crate) fn wasi(&mut self, state: &mut State, name: &str, args: &[Slot]) -> Done<Option<Slot>> {
        if name == "proc_exit" {
            if self.options.leaks {
                self.check_leaks(state, None)?;
            }
            return Err(Stop::end(Outcome::Exited(args[0])));
        }
        let mut numbers = Vec::with_capacity(args.len());
        for arg in args {
            numbers.push(self.pin(state, *arg)?);
        }
        let errno = match self.answer(state, name, &numbers) {
            Ok(()) => 0,
            Err(Refusal::Errno(errno)) => errno,
            Err(Refusal::Stop(stop)) => return Err(stop),
        };
        Ok(Some(Slot::Number(errno.into())))
    }

    fn answer(&mut self, state: &mut State, name: &str, args: &[u64]) -> Answer {
        let arg = |n: usize| args[n] as u32;
        match name {
            "args_sizes_get" => {
                let texts = self.arguments(state)?;
                self.put_sizes(state, &texts, [arg(0), arg(1)])
            }
            "args_get" => {
                let texts = self.arguments(state)?;
                self.put_texts(state, &texts, [arg(0), arg(1)])
            }
            "environ_sizes_get" => {
                let texts = state.world.env.clone();
                self.put_sizes(state, &texts, [arg(0), arg(1)])
            }
            "environ_get" => {
                let texts = state.world.env.clone();
                self.put_texts(state, &texts, [arg(0), arg(1)])
            }
            "sched_yield" => Ok(()),
            "clock_time_get" => self.clock_time_get(state, arg(0), arg(2)),
            "clock_res_get" if arg(0) >= 4 => refuse(INVAL),
            "clock_res_get" => self.put(state, arg(1), &1u64.to_le_bytes()),
            "random_get" => self.random_get(state, arg(0), arg(1)),
            "poll_oneoff" => self.poll_oneoff(state, [arg(0), arg(1), arg(2), arg(3)]),
            "path_link" | "path_symlink" | "fd_allocate" | "fd_fdstat_set_rights" | "proc_raise" => {
                refuse(NOSYS)
            }
            _ if name.starts_with("sock_") => refuse(NOSYS),
            _ if name.starts_with("path_") => self.answer_path(state, name, args),
            _ => self.answer_descriptor(state, name, args),
        }
    }

    fn unknown_call(&mut self, state: &State, name: &str) -> Answer {
        Ok(self.unsupported(state, format!("the system call '{name}' is not supported"))?)
    }

    // Memory of the program.

    /// Whether a call may touch a range.
    fn reach(&mut self, state: &mut State, how: Access, address: u32, size: u64) -> Answer {
        if !state.memory.has(address.into(), size) {
            return refuse(FAULT);
        }
        self.check_range(state, how, address.into(), size)?;
        if how == Access::Read {
            self.settle(state, address, size as u32)?;
        }
        Ok(())
    }

    fn put(&mut self, state: &mut State, address: u32, bytes: &[u8]) -> Answer {
        self.reach(state, Access::Write, address, bytes.len() as u64)?;
        state.memory.write(address, bytes);
        Ok(())
    }

    fn word(&mut self, state: &mut State, address: u32) -> Answer<u32> {
        self.reach(state, Access::Read, address, 4)?;
        let op = LoadOp { size: 4, signed: false, to: To::I32 };
        let slot = self.load_at(state, op, address.into())?;
        Ok(self.pin(state, slot)? as u32)
    }

    fn put_byte(&mut self, state: &mut State, address: u32, byte: OutByte) {
        use crate::memory::{Byte, Cell};
        state.memory.set_byte(
            address,
            match byte {
                OutByte::Number(n) => Byte::Number(n),
                OutByte::Symbolic(value) => Byte::Symbolic(Cell::Part { value, part: 0, width: 1 }),
            },
        );
    }

    /// The arguments: how many there are may have to be decided.
    fn arguments(&mut self, state: &mut State) -> Done<Vec<Text>> {
        let all = state.world.args.clone();
        let Some((least, more)) = state.world.argc else { return Ok(all) };
        let more = self.pin(state, Slot::Symbolic(more))? as usize;
        Ok(all[..(least + more).min(all.len())].to_vec())
    }

    fn put_sizes(&mut self, state: &mut State, texts: &[Text], [count_at, size_at]: [u32; 2]) -> Answer {
        let bytes: usize = texts.iter().map(|text| text.len() + 1).sum();
        self.reach(state, Access::Write, size_at, 4)?;
        self.put(state, count_at, &(texts.len() as u32).to_le_bytes())?;
        self.put(state, size_at, &(bytes as u32).to_le_bytes())
    }

    fn put_texts(&mut self, state: &mut State, texts: &[Text], [table, mut at]: [u32; 2]) -> Answer {
        let bytes: usize = texts.iter().map(|text| text.len() + 1).sum();
        self.reach(state, Access::Write, table, 4 * texts.len() as u64)?;
        self.reach(state, Access::Write, at, bytes as u64)?;
        for (number, text) in (0..).zip(texts) {
            state.memory.write(table + 4 * number, &at.to_le_bytes());
            for byte in text.iter() {
                self.put_byte(state, at, *byte);
                at += 1;
            }
            state.memory.write(at, &[0]);
            at += 1;
        }
        Ok(())
    }

    /// How long a file or standard input is: that may have to be decided.
    fn length(&mut self, state: &mut State, kind: Kind) -> Done<u64> {
        let file = match kind {
            Kind::Stdin => Some(&state.world.stdin),
            Kind::File(number) => state.world.files[number].as_ref(),
            _ => None,
        };
        let Some(file) = file else { return Ok(0) };
        match file.length {
            Some(length) => self.pin(state, Slot::Symbolic(length)),
            None => Ok(file.bytes.len() as u64),
        }
    }

    /// Makes a file as long as was decided: the last decision of a call has been made.
    fn settle_length(&mut self, state: &mut State, kind: Kind) -> Done<u64> {
        let size = self.length(state, kind)?;
        let world = Rc::make_mut(&mut state.world);
        let file = match kind {
            Kind::File(number) => world.files[number].as_mut(),
            Kind::Stdin => Some(&mut world.stdin),
            _ => None,
        };
        if let Some(file) = file.filter(|file| file.length.is_some()) {
            Rc::make_mut(&mut file.bytes).truncate(size as usize);
            file.length = None;
        }
        Ok(size)
    }
}

fn opened(world: &World, fd: u32) -> Answer<Open> {
    world.open.get(fd as usize).copied().flatten().ok_or(Refusal::Errno(BADF))
}

fn is_pipe(kind: Kind) -> bool {
    matches!(kind, Kind::Stdin | Kind::Stdout | Kind::Stderr)
}

fn is_folder(kind: Kind) -> bool {
    matches!(kind, Kind::Root | Kind::Folder(_))
}

/// WASI's type of a file.
fn file_type(kind: Kind) -> u8 {
    match kind {
        Kind::Stdin | Kind::Stdout | Kind::Stderr => 0,
        Kind::Root | Kind::Folder(_) => 3,
        Kind::File(_) => 4,
    }
}

/// The number of a node: the root has 1, entries follow.
fn node(kind: Kind) -> u64 {
    match kind {
        Kind::File(number) | Kind::Folder(number) => number as u64 + 2,
        _ => 1,
    }
}
