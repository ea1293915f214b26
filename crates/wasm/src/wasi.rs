//! WASI preview 1: what a program asks of the world outside.
//!
//! Contents and lengths may be symbolic; numbers that say where and how much are made numbers first, each that is
//! possible on a path of its own. `docs/inside/wasi.md` has the table of what each call answers; the engine of replays
//! follows the same table.

use crate::code::{LoadOp, To};
use crate::load::Access;
use crate::machine::{Done, Stop, WasmMachine};
use crate::outcome::{OutByte, Outcome};
use crate::state::{Slot, State};
use crate::world::{ALL, File, Kind, Open, READ, Text, WRITE, World};
use evergreen_symbolic::{Cond, Const, Rel};
use std::rc::Rc;

const BADF: u32 = 8;
const EXIST: u32 = 20;
const INVAL: u32 = 28;
const ISDIR: u32 = 31;
const MFILE: u32 = 33;
const NOENT: u32 = 44;
const NOSYS: u32 = 52;
const NOTDIR: u32 = 54;
const NOTEMPTY: u32 = 55;
const SPIPE: u32 = 70;
const PREOPENED: u32 = 3;
const APPEND: u16 = 1;
/// Descriptors that a program may have open.
const MOST_OPEN: usize = 1024;

/// The answer of a call, or an error number.
type Answer = Done<Result<(), u32>>;

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
        let answer = self.answer(state, name, &numbers)?;
        let number = match answer {
            Ok(()) => 0,
            Err(errno) => errno,
        };
        Ok(Some(Slot::Number(number.into())))
    }

    fn answer(&mut self, state: &mut State, name: &str, args: &[u64]) -> Answer {
        let arg = |n: usize| args[n] as u32;
        match name {
            "args_sizes_get" => {
                let texts = self.arguments(state)?;
                self.put_sizes(state, &texts, args)
            }
            "args_get" => {
                let texts = self.arguments(state)?;
                self.put_texts(state, &texts, args)
            }
            "environ_sizes_get" => {
                let texts = state.world.env.clone();
                self.put_sizes(state, &texts, args)
            }
            "environ_get" => {
                let texts = state.world.env.clone();
                self.put_texts(state, &texts, args)
            }
            "fd_read" => self.fd_read(state, [arg(0), arg(1), arg(2), arg(3)], None),
            "fd_pread" => self.fd_read(state, [arg(0), arg(1), arg(2), arg(4)], Some(args[3])),
            "fd_write" => self.fd_write(state, [arg(0), arg(1), arg(2), arg(3)], None),
            "fd_pwrite" => self.fd_write(state, [arg(0), arg(1), arg(2), arg(4)], Some(args[3])),
            "fd_close" => {
                let world = Rc::make_mut(&mut state.world);
                match world.open.get_mut(arg(0) as usize) {
                    Some(open @ Some(_)) => *open = None,
                    _ => return Ok(Err(BADF)),
                }
                Ok(Ok(()))
            }
            "fd_seek" => self.fd_seek(state, arg(0), args[1] as i64, arg(2), arg(3)),
            "fd_tell" => self.fd_seek(state, arg(0), 0, 1, arg(1)),
            "fd_fdstat_get" => self.fd_fdstat_get(state, arg(0), arg(1)),
            "fd_fdstat_set_flags" => {
                let world = Rc::make_mut(&mut state.world);
                match world.open.get_mut(arg(0) as usize) {
                    Some(Some(open)) if arg(1) < 32 => open.flags = arg(1) as u16,
                    Some(Some(_)) => return Ok(Err(INVAL)),
                    _ => return Ok(Err(BADF)),
                }
                Ok(Ok(()))
            }
            "fd_prestat_get" | "fd_prestat_dir_name" => {
                match state.world.open.get(arg(0) as usize) {
                    Some(Some(_)) if arg(0) == PREOPENED => {}
                    _ => return Ok(Err(BADF)),
                }
                if name == "fd_prestat_get" {
                    return self.put(state, arg(1), &[0, 0, 0, 0, 1, 0, 0, 0]);
                }
                if arg(2) < 1 {
                    return Ok(Err(INVAL));
                }
                self.put(state, arg(1), b"/")
            }
            "fd_filestat_get" => match opened(&state.world, arg(0)) {
                Ok(open) => self.put_status(state, open.kind, arg(1)),
                Err(errno) => Ok(Err(errno)),
            },
            "fd_advise" | "fd_datasync" | "fd_sync" | "fd_filestat_set_times" => {
                Ok(opened(&state.world, arg(0)).map(|_| ()))
            }
            "sched_yield" => Ok(Ok(())),
            "clock_time_get" => {
                let now = Rc::make_mut(&mut state.world).clock();
                self.put(state, arg(2), &now.to_le_bytes())
            }
            "clock_res_get" => self.put(state, arg(1), &1u64.to_le_bytes()),
            "random_get" => {
                let world = Rc::make_mut(&mut state.world);
                let bytes: Vec<u8> = (0..arg(1)).map(|_| world.random()).collect();
                self.put(state, arg(0), &bytes)
            }
            _ => self.answer_path(state, name, args),
        }
    }

    fn answer_path(&mut self, state: &mut State, name: &str, args: &[u64]) -> Answer {
        let arg = |n: usize| args[n] as u32;
        match name {
            "path_open" => self.path_open(state, args),
            "path_filestat_get" => {
                let path = match self.path(state, arg(0), arg(2), arg(3))? {
                    Ok(path) => path,
                    Err(errno) => return Ok(Err(errno)),
                };
                let kind = match state.world.file(&path) {
                    Some(file) if state.world.files[file].as_ref().is_some_and(|f| !f.is_folder) => {
                        Kind::File(file)
                    }
                    Some(folder) => Kind::Folder(folder),
                    None if path.is_empty() => Kind::Root,
                    None if state.world.is_folder(&path) => Kind::Root,
                    None => return Ok(Err(NOENT)),
                };
                self.put_status(state, kind, arg(4))
            }
            "path_unlink_file" | "path_remove_directory" => {
                let path = match self.path(state, arg(0), arg(1), arg(2))? {
                    Ok(path) => path,
                    Err(errno) => return Ok(Err(errno)),
                };
                let folder = name == "path_remove_directory";
                let Some(number) = state.world.file(&path) else {
                    let is = state.world.is_folder(&path);
                    return Ok(Err(match (is, folder) {
                        (true, true) => NOTEMPTY,
                        (true, false) => ISDIR,
                        _ => NOENT,
                    }));
                };
                let is_folder = state.world.files[number].as_ref().is_some_and(|f| f.is_folder);
                match (is_folder, folder) {
                    (true, false) => return Ok(Err(ISDIR)),
                    (false, true) => return Ok(Err(NOTDIR)),
                    _ => {}
                }
                let below = format!("{path}/");
                if folder && state.world.files.iter().flatten().any(|f| f.path.starts_with(&below)) {
                    return Ok(Err(NOTEMPTY));
                }
                let world = Rc::make_mut(&mut state.world);
                // Open descriptors keep the contents: only the name goes.
                if let Some(file) = &mut world.files[number] {
                    file.path = format!("\0removed {number}").into();
                }
                world.files_changed = true;
                Ok(Ok(()))
            }
            "path_create_directory" => {
                let path = match self.path(state, arg(0), arg(1), arg(2))? {
                    Ok(path) => path,
                    Err(errno) => return Ok(Err(errno)),
                };
                if state.world.file(&path).is_some() || state.world.is_folder(&path) {
                    return Ok(Err(EXIST));
                }
                let world = Rc::make_mut(&mut state.world);
                world.files.push(Some(File { is_folder: true, ..File::new(&path, Vec::new()) }));
                world.files_changed = true;
                Ok(Ok(()))
            }
            "path_rename" => {
                let (from, to) =
                    (self.path(state, arg(0), arg(1), arg(2))?, self.path(state, arg(3), arg(4), arg(5))?);
                let (from, to) = match (from, to) {
                    (Ok(from), Ok(to)) => (from, to),
                    (Err(errno), _) | (_, Err(errno)) => return Ok(Err(errno)),
                };
                let Some(number) = state.world.file(&from) else { return Ok(Err(NOENT)) };
                let old = state.world.file(&to).filter(|old| *old != number);
                let world = Rc::make_mut(&mut state.world);
                if let Some(file) = old.and_then(|old| world.files[old].as_mut()) {
                    file.path = format!("\0removed {number}").into();
                }
                if let Some(file) = &mut world.files[number] {
                    file.path = to.as_str().into();
                }
                world.files_changed = true;
                Ok(Ok(()))
            }
            "fd_filestat_set_size" => self.set_size(state, arg(0), args[1]),
            "path_readlink" => Ok(Err(INVAL)),
            "path_link"
            | "path_symlink"
            | "fd_allocate"
            | "fd_fdstat_set_rights"
            | "sock_accept"
            | "sock_recv"
            | "sock_send"
            | "sock_shutdown" => Ok(Err(NOSYS)),
            _ => self.unsupported(state, format!("the system call '{name}' is not supported")),
        }
    }

    // Memory of the program.

    fn put(&mut self, state: &mut State, address: u32, bytes: &[u8]) -> Answer {
        self.check_range(state, Access::Write, address.into(), bytes.len() as u64)?;
        state.memory.write(address, bytes);
        Ok(Ok(()))
    }

    fn word(&mut self, state: &mut State, address: u32) -> Done<u32> {
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

    fn put_sizes(&mut self, state: &mut State, texts: &[Text], args: &[u64]) -> Answer {
        let bytes: usize = texts.iter().map(|text| text.len() + 1).sum();
        let (count, size) = ((texts.len() as u32).to_le_bytes(), (bytes as u32).to_le_bytes());
        self.check_range(state, Access::Write, u64::from(args[1] as u32), 4)?;
        self.put(state, args[0] as u32, &count)?.ok();
        self.put(state, args[1] as u32, &size)
    }

    fn put_texts(&mut self, state: &mut State, texts: &[Text], args: &[u64]) -> Answer {
        let (table, mut at) = (args[0] as u32, args[1] as u32);
        let bytes: usize = texts.iter().map(|text| text.len() + 1).sum();
        self.check_range(state, Access::Write, table.into(), 4 * texts.len() as u64)?;
        self.check_range(state, Access::Write, at.into(), bytes as u64)?;
        for (number, text) in (0..).zip(texts) {
            state.memory.write(table + 4 * number, &at.to_le_bytes());
            for byte in text.iter() {
                self.put_byte(state, at, *byte);
                at += 1;
            }
            state.memory.write(at, &[0]);
            at += 1;
        }
        Ok(Ok(()))
    }

    /// The buffers of a read or write.
    fn buffers(&mut self, state: &mut State, vector: u32, count: u32) -> Done<Vec<(u32, u32)>> {
        let mut all = Vec::new();
        for i in 0..count {
            let at = vector.wrapping_add(8 * i);
            all.push((self.word(state, at)?, self.word(state, at.wrapping_add(4))?));
        }
        Ok(all)
    }

    // Files.

    /// Decides how long a file is, and makes it so long.
    fn settle_length(&mut self, state: &mut State, kind: Kind) -> Done<()> {
        let file = match kind {
            Kind::Stdin => Some(&state.world.stdin),
            Kind::File(number) => state.world.files[number].as_ref(),
            _ => None,
        };
        let Some(length) = file.and_then(|file| file.length) else { return Ok(()) };
        let size = self.pin(state, Slot::Symbolic(length))? as usize;
        let world = Rc::make_mut(&mut state.world);
        let file = match kind {
            Kind::File(number) => world.files[number].as_mut(),
            _ => Some(&mut world.stdin),
        };
        if let Some(file) = file {
            Rc::make_mut(&mut file.bytes).truncate(size);
            file.length = None;
        }
        Ok(())
    }

    fn fd_read(&mut self, state: &mut State, [fd, vector, count, used]: [u32; 4], at: Option<u64>) -> Answer {
        let open = match opened(&state.world, fd) {
            Ok(open) if open.rights & READ == 0 => return Ok(Err(BADF)),
            Ok(open) => open,
            Err(errno) => return Ok(Err(errno)),
        };
        match (open.kind, at) {
            (Kind::Root | Kind::Folder(_), _) => return Ok(Err(ISDIR)),
            (Kind::Stdout | Kind::Stderr, _) => return Ok(Err(BADF)),
            (Kind::Stdin, Some(_)) => return Ok(Err(SPIPE)),
            _ => {}
        }
        let buffers = self.buffers(state, vector, count)?;
        for (start, size) in &buffers {
            self.check_range(state, Access::Write, (*start).into(), (*size).into())?;
        }
        self.check_range(state, Access::Write, used.into(), 4)?;
        self.settle_length(state, open.kind)?;
        let (bytes, from) = match open.kind {
            Kind::File(number) => {
                let bytes =
                    state.world.files[number].as_ref().map(|file| file.bytes.clone()).unwrap_or_default();
                (bytes, at.unwrap_or(open.at))
            }
            _ => (state.world.stdin.bytes.clone(), state.world.stdin_at),
        };
        let mut rest = bytes.get(from as usize..).unwrap_or_default();
        let mut moved = 0u64;
        for (start, size) in buffers {
            let (now, later) = rest.split_at(rest.len().min(size as usize));
            for (i, byte) in now.iter().enumerate() {
                self.put_byte(state, start + i as u32, *byte);
            }
            moved += now.len() as u64;
            rest = later;
        }
        let world = Rc::make_mut(&mut state.world);
        match (open.kind, at) {
            (Kind::Stdin, _) => world.stdin_at += moved,
            (_, None) => {
                if let Some(Some(open)) = world.open.get_mut(fd as usize) {
                    open.at += moved;
                }
            }
            _ => {}
        }
        self.put(state, used, &(moved as u32).to_le_bytes())
    }

    fn fd_write(
        &mut self,
        state: &mut State,
        [fd, vector, count, used]: [u32; 4],
        at: Option<u64>,
    ) -> Answer {
        let open = match opened(&state.world, fd) {
            Ok(open) if open.rights & WRITE == 0 => return Ok(Err(BADF)),
            Ok(open) => open,
            Err(errno) => return Ok(Err(errno)),
        };
        match (open.kind, at) {
            (Kind::Stdin | Kind::Root | Kind::Folder(_), _) => return Ok(Err(BADF)),
            (Kind::Stdout | Kind::Stderr, Some(_)) => return Ok(Err(SPIPE)),
            _ => {}
        }
        let buffers = self.buffers(state, vector, count)?;
        for (start, size) in &buffers {
            self.check_range(state, Access::Read, (*start).into(), (*size).into())?;
        }
        self.check_range(state, Access::Write, used.into(), 4)?;
        self.settle_length(state, open.kind)?;
        let mut bytes = Vec::new();
        for (start, size) in buffers {
            for i in 0..size {
                bytes.push(self.text_byte(state, start + i));
            }
        }
        let moved = bytes.len() as u64;
        let world = Rc::make_mut(&mut state.world);
        match open.kind {
            Kind::Stdout => world.stdout.add(bytes),
            Kind::File(number) => {
                let Some(file) = &mut world.files[number] else { return Ok(Err(BADF)) };
                let content = Rc::make_mut(&mut file.bytes);
                let appends = open.flags & APPEND != 0 && at.is_none();
                let from = if appends { content.len() as u64 } else { at.unwrap_or(open.at) };
                let end = from as usize + bytes.len();
                if content.len() < end {
                    content.resize(end, OutByte::Number(0));
                }
                content[from as usize..end].copy_from_slice(&bytes);
                world.files_changed = true;
                if at.is_none()
                    && let Some(Some(open)) = world.open.get_mut(fd as usize)
                {
                    open.at = from + moved;
                }
            }
            _ => world.stderr.add(bytes),
        }
        self.put(state, used, &(moved as u32).to_le_bytes())
    }

    fn fd_seek(&mut self, state: &mut State, fd: u32, offset: i64, whence: u32, out: u32) -> Answer {
        let open = match opened(&state.world, fd) {
            Ok(open) => open,
            Err(errno) => return Ok(Err(errno)),
        };
        let Kind::File(number) = open.kind else {
            let pipe = matches!(open.kind, Kind::Stdin | Kind::Stdout | Kind::Stderr);
            return Ok(Err(if pipe { SPIPE } else { BADF }));
        };
        self.check_range(state, Access::Write, out.into(), 8)?;
        let base = match whence {
            0 => 0,
            1 => open.at,
            2 => {
                self.settle_length(state, open.kind)?;
                state.world.files[number].as_ref().map_or(0, |file| file.bytes.len() as u64)
            }
            _ => return Ok(Err(INVAL)),
        };
        let Some(at) = (base as i64).checked_add(offset).filter(|at| *at >= 0) else { return Ok(Err(INVAL)) };
        if let Some(Some(open)) = Rc::make_mut(&mut state.world).open.get_mut(fd as usize) {
            open.at = at as u64;
        }
        self.put(state, out, &at.to_le_bytes())
    }

    fn fd_fdstat_get(&mut self, state: &mut State, fd: u32, out: u32) -> Answer {
        let open = match opened(&state.world, fd) {
            Ok(open) => open,
            Err(errno) => return Ok(Err(errno)),
        };
        let mut stat = [0; 24];
        stat[0] = file_type(open.kind);
        stat[2..4].copy_from_slice(&open.flags.to_le_bytes());
        stat[8..16].copy_from_slice(&open.rights.to_le_bytes());
        stat[16..24].copy_from_slice(&open.inheriting.to_le_bytes());
        self.put(state, out, &stat)
    }

    fn put_status(&mut self, state: &mut State, kind: Kind, out: u32) -> Answer {
        self.check_range(state, Access::Write, out.into(), 64)?;
        self.settle_length(state, kind)?;
        let mut stat = [0; 64];
        stat[16] = file_type(kind);
        let node = match kind {
            Kind::File(number) | Kind::Folder(number) => number as u64 + 2,
            _ => 1,
        };
        if !matches!(kind, Kind::Stdin | Kind::Stdout | Kind::Stderr) {
            stat[0] = 1;
            stat[8..16].copy_from_slice(&node.to_le_bytes());
            stat[24] = 1;
        }
        if let Kind::File(number) = kind {
            let file = state.world.files[number].as_ref();
            stat[24] = u8::from(file.is_some_and(|file| !file.path.starts_with('\0')));
            let size = file.map_or(0, |file| file.bytes.len() as u64);
            stat[32..40].copy_from_slice(&size.to_le_bytes());
        }
        self.put(state, out, &stat)
    }

    fn set_size(&mut self, state: &mut State, fd: u32, size: u64) -> Answer {
        let open = match opened(&state.world, fd) {
            Ok(open) => open,
            Err(errno) => return Ok(Err(errno)),
        };
        let Kind::File(number) = open.kind else {
            return Ok(Err(if matches!(open.kind, Kind::Root | Kind::Folder(_)) { ISDIR } else { INVAL }));
        };
        if open.rights & WRITE == 0 {
            return Ok(Err(BADF));
        }
        self.settle_length(state, open.kind)?;
        let world = Rc::make_mut(&mut state.world);
        if let Some(file) = &mut world.files[number] {
            Rc::make_mut(&mut file.bytes).resize(size.min(1 << 24) as usize, OutByte::Number(0));
            world.files_changed = true;
        }
        Ok(Ok(()))
    }

    /// A path below the root. Symbolic bytes are decided: is it one of the files, and which?
    fn path(&mut self, state: &mut State, fd: u32, address: u32, size: u32) -> Done<Result<String, u32>> {
        let folder = match opened(&state.world, fd) {
            Ok(open) => match open.kind {
                Kind::Root => String::new(),
                Kind::Folder(number) => {
                    state.world.files[number].as_ref().map_or("", |f| &f.path).to_string()
                }
                _ => return Ok(Err(NOTDIR)),
            },
            Err(errno) => return Ok(Err(errno)),
        };
        self.check_range(state, Access::Read, address.into(), size.into())?;
        let bytes: Vec<OutByte> = (0..size).map(|i| self.text_byte(state, address + i)).collect();
        let numbers: Option<Vec<u8>> = bytes
            .iter()
            .map(|byte| match byte {
                OutByte::Number(n) => Some(*n),
                OutByte::Symbolic(_) => None,
            })
            .collect();
        let text = match numbers {
            Some(numbers) => String::from_utf8_lossy(&numbers).into_owned(),
            None => {
                // One of the names of files of this length, or none of them.
                let names: Vec<String> =
                    state.world.files.iter().flatten().map(|f| f.path.to_string()).collect();
                let names: Vec<String> = names.into_iter().filter(|name| name.len() == bytes.len()).collect();
                let mut arms = Vec::new();
                for name in &names {
                    let mut all = Cond::TRUE;
                    for (byte, wanted) in bytes.iter().zip(name.bytes()) {
                        let byte = self.byte_expr(*byte);
                        let mut exprs = self.exprs.borrow_mut();
                        let wanted = exprs.constant(Const::I32(wanted.into()));
                        let same = exprs.relate(Rel::Eq, byte, wanted);
                        all = exprs.and(all, same);
                    }
                    arms.push(all);
                }
                let none = {
                    let mut exprs = self.exprs.borrow_mut();
                    arms.iter().fold(Cond::TRUE, |none, arm| exprs.and(none, arm.negated()))
                };
                arms.push(none);
                let site = self.site(state);
                let arm = self.decide(state, site, &arms)?;
                match names.get(arm) {
                    Some(name) => name.clone(),
                    None => return Ok(Err(NOENT)),
                }
            }
        };
        let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
        for part in text.split('/') {
            match part {
                "" | "." => {}
                ".." => {
                    parts.pop();
                }
                part => parts.push(part),
            }
        }
        Ok(Ok(parts.join("/")))
    }

    fn path_open(&mut self, state: &mut State, args: &[u64]) -> Answer {
        let (flags, rights, inheriting, fd_flags, out) =
            (args[4] as u32, args[5], args[6], args[7] as u16, args[8] as u32);
        let (create, folder, exclusive, truncate) =
            (flags & 1 != 0, flags & 2 != 0, flags & 4 != 0, flags & 8 != 0);
        let path = match self.path(state, args[0] as u32, args[2] as u32, args[3] as u32)? {
            Ok(path) => path,
            Err(errno) => return Ok(Err(errno)),
        };
        self.check_range(state, Access::Write, out.into(), 4)?;
        let known = state.world.file(&path);
        let is_folder = match known {
            Some(number) => state.world.files[number].as_ref().is_some_and(|f| f.is_folder),
            None => state.world.is_folder(&path),
        };
        let kind = match (known, is_folder) {
            (_, _) if exclusive && create && (known.is_some() || is_folder) => return Ok(Err(EXIST)),
            (Some(number), false) if !folder => Kind::File(number),
            (Some(_), false) => return Ok(Err(NOTDIR)),
            (_, true) if rights & WRITE != 0 || truncate || create && !folder => return Ok(Err(ISDIR)),
            (Some(number), true) => Kind::Folder(number),
            (None, true) => Kind::Root,
            (None, false) if create && !folder => {
                let parent = path.rsplit_once('/').map_or("", |(parent, _)| parent);
                if !state.world.is_folder(parent) {
                    return Ok(Err(NOENT));
                }
                let world = Rc::make_mut(&mut state.world);
                world.files.push(Some(File::new(&path, Vec::new())));
                world.files_changed = true;
                Kind::File(world.files.len() - 1)
            }
            (None, false) => return Ok(Err(NOENT)),
        };
        let world = Rc::make_mut(&mut state.world);
        if let (Kind::File(number), true) = (kind, truncate)
            && let Some(file) = &mut world.files[number]
        {
            (file.bytes, file.length) = (Rc::default(), None);
            world.files_changed = true;
        }
        let open = Open { kind, at: 0, flags: fd_flags, rights: rights & ALL, inheriting };
        let first = PREOPENED as usize + 1;
        let free = (first..world.open.len()).find(|at| world.open[*at].is_none());
        let at = free.unwrap_or(world.open.len());
        if at >= MOST_OPEN {
            return Ok(Err(MFILE));
        }
        if at == world.open.len() {
            world.open.push(None);
        }
        world.open[at] = Some(open);
        self.put(state, out, &(at as u32).to_le_bytes())
    }
}

fn opened(world: &World, fd: u32) -> Result<Open, u32> {
    world.open.get(fd as usize).copied().flatten().ok_or(BADF)
}

fn file_type(kind: Kind) -> u8 {
    match kind {
        Kind::Stdin | Kind::Stdout | Kind::Stderr => 0,
        Kind::Root | Kind::Folder(_) => 3,
        Kind::File(_) => 4,
    }
}
