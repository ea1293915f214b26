//! Calls with a descriptor: reading, writing, seeking, status.

use super::{
    Answer, BADF, INVAL, ISDIR, NOSPC, PREOPENED, Refusal, SPIPE, file_type, is_folder, is_pipe, node,
    opened, refuse,
};
use crate::load::Access;
use crate::machine::WasmMachine;
use crate::outcome::OutByte;
use crate::state::State;
use crate::world::{Kind, READ, WRITE, World};
use std::rc::Rc;

const APPEND: u16 = 1;

impl WasmMachine {
    pub(super) fn answer_descriptor(&mut self, state: &mut State, name: &str, args: &[u64]) -> Answer {
        let arg = |n: usize| args[n] as u32;
        match name {
            "fd_read" => self.fd_read(state, [arg(0), arg(1), arg(2), arg(3)], None),
            "fd_pread" => self.fd_read(state, [arg(0), arg(1), arg(2), arg(4)], Some(args[3])),
            "fd_write" => self.fd_write(state, [arg(0), arg(1), arg(2), arg(3)], None),
            "fd_pwrite" => self.fd_write(state, [arg(0), arg(1), arg(2), arg(4)], Some(args[3])),
            "fd_close" => {
                opened(&state.world, arg(0))?;
                Rc::make_mut(&mut state.world).open[arg(0) as usize] = None;
                Ok(())
            }
            "fd_renumber" => {
                let open = opened(&state.world, arg(0))?;
                opened(&state.world, arg(1))?;
                let table = &mut Rc::make_mut(&mut state.world).open;
                table[arg(0) as usize] = None;
                table[arg(1) as usize] = Some(open);
                Ok(())
            }
            "fd_seek" => self.fd_seek(state, arg(0), args[1] as i64, arg(2), arg(3)),
            "fd_tell" => self.fd_seek(state, arg(0), 0, 1, arg(1)),
            "fd_fdstat_get" => self.fd_fdstat_get(state, arg(0), arg(1)),
            "fd_fdstat_set_flags" => {
                opened(&state.world, arg(0))?;
                if arg(1) >= 32 {
                    return refuse(INVAL);
                }
                if let Some(Some(open)) = Rc::make_mut(&mut state.world).open.get_mut(arg(0) as usize) {
                    open.flags = arg(1) as u16;
                }
                Ok(())
            }
            "fd_prestat_get" | "fd_prestat_dir_name" => {
                opened(&state.world, arg(0))?;
                match name {
                    _ if arg(0) != PREOPENED => refuse(BADF),
                    "fd_prestat_get" => self.put(state, arg(1), &[0, 0, 0, 0, 1, 0, 0, 0]),
                    _ if arg(2) < 1 => refuse(INVAL),
                    _ => self.put(state, arg(1), b"/"),
                }
            }
            "fd_filestat_get" => {
                let kind = opened(&state.world, arg(0))?.kind;
                self.put_status(state, kind, arg(1))
            }
            "fd_filestat_set_size" => self.set_size(state, arg(0), args[1]),
            "fd_readdir" => self.fd_readdir(state, [arg(0), arg(1), arg(2), arg(4)], args[3]),
            "fd_advise" | "fd_datasync" | "fd_sync" | "fd_filestat_set_times" => {
                opened(&state.world, arg(0)).map(|_| ())
            }
            _ => self.unknown_call(state, name),
        }
    }

    /// The buffers of a read or write, all of them within memory.
    fn buffers(
        &mut self,
        state: &mut State,
        how: Access,
        (vector, count): (u32, u32),
        used: u32,
    ) -> Answer<Vec<(u32, u32)>> {
        self.reach(state, Access::Read, vector, 8 * u64::from(count))?;
        let mut all = Vec::new();
        for i in 0..count {
            let at = vector + 8 * i;
            let (start, size) = (self.word(state, at)?, self.word(state, at + 4)?);
            self.reach(state, how, start, size.into())?;
            all.push((start, size));
        }
        self.reach(state, Access::Write, used, 4)?;
        Ok(all)
    }

    fn fd_read(&mut self, state: &mut State, [fd, vector, count, used]: [u32; 4], at: Option<u64>) -> Answer {
        let open = opened(&state.world, fd)?;
        match (open.kind, at) {
            _ if open.rights & READ == 0 => return refuse(BADF),
            (Kind::Root | Kind::Folder(_), _) => return refuse(ISDIR),
            (Kind::Stdout | Kind::Stderr, _) => return refuse(BADF),
            (Kind::Stdin, Some(_)) => return refuse(SPIPE),
            _ => {}
        }
        let buffers = self.buffers(state, Access::Write, (vector, count), used)?;
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
        let open = opened(&state.world, fd)?;
        if open.rights & WRITE == 0 || open.kind == Kind::Stdin || is_folder(open.kind) {
            return refuse(BADF);
        }
        let buffers = self.buffers(state, Access::Read, (vector, count), used)?;
        let length = self.settle_length(state, open.kind)?;
        let moved: u64 = buffers.iter().map(|(_, size)| u64::from(*size)).sum();
        let bytes = |machine: &mut WasmMachine, state: &mut State| {
            let all = buffers.iter().flat_map(|(start, size)| *start..start + size);
            all.map(|at| machine.text_byte(state, at)).collect::<Vec<OutByte>>()
        };
        if moved > state.world.room {
            return refuse(NOSPC);
        }
        let Kind::File(number) = open.kind else {
            if at.is_some() {
                return refuse(SPIPE);
            }
            let bytes = bytes(self, state);
            let world = Rc::make_mut(&mut state.world);
            world.room -= moved;
            let to = if open.kind == Kind::Stdout { &mut world.stdout } else { &mut world.stderr };
            to.add(bytes);
            return self.put(state, used, &(moved as u32).to_le_bytes());
        };
        let appends = open.flags & APPEND != 0 && at.is_none();
        let from = if appends { length } else { at.unwrap_or(open.at) };
        if moved > 0 {
            let end = from.checked_add(moved).ok_or(Refusal::Errno(NOSPC))?;
            let bytes = bytes(self, state);
            let world = Rc::make_mut(&mut state.world);
            resize(world, number, length.max(end))?;
            if let Some(file) = &mut world.files[number] {
                Rc::make_mut(&mut file.bytes)[from as usize..end as usize].copy_from_slice(&bytes);
            }
        }
        if let (None, Some(Some(open))) = (at, Rc::make_mut(&mut state.world).open.get_mut(fd as usize)) {
            open.at = from.wrapping_add(moved);
        }
        self.put(state, used, &(moved as u32).to_le_bytes())
    }

    fn fd_seek(&mut self, state: &mut State, fd: u32, offset: i64, whence: u32, out: u32) -> Answer {
        let open = opened(&state.world, fd)?;
        if is_pipe(open.kind) || is_folder(open.kind) {
            return refuse(if is_pipe(open.kind) { SPIPE } else { BADF });
        }
        let base = match whence {
            0 => 0,
            1 => open.at,
            2 => self.settle_length(state, open.kind)?,
            _ => return refuse(INVAL),
        };
        let at = (base as i64).checked_add(offset).filter(|at| *at >= 0).ok_or(Refusal::Errno(INVAL))?;
        self.put(state, out, &at.to_le_bytes())?;
        if let Some(Some(open)) = Rc::make_mut(&mut state.world).open.get_mut(fd as usize) {
            open.at = at as u64;
        }
        Ok(())
    }

    fn fd_fdstat_get(&mut self, state: &mut State, fd: u32, out: u32) -> Answer {
        let open = opened(&state.world, fd)?;
        let mut stat = [0; 24];
        stat[0] = file_type(open.kind);
        stat[2..4].copy_from_slice(&open.flags.to_le_bytes());
        stat[8..16].copy_from_slice(&open.rights.to_le_bytes());
        stat[16..24].copy_from_slice(&open.inheriting.to_le_bytes());
        self.put(state, out, &stat)
    }

    pub(super) fn put_status(&mut self, state: &mut State, kind: Kind, out: u32) -> Answer {
        self.reach(state, Access::Write, out, 64)?;
        let mut stat = [0; 64];
        stat[16] = file_type(kind);
        if !is_pipe(kind) {
            stat[0] = 1;
            stat[8..16].copy_from_slice(&node(kind).to_le_bytes());
            let file = match kind {
                Kind::File(number) | Kind::Folder(number) => state.world.files[number].as_ref(),
                _ => None,
            };
            stat[24] = u8::from(!file.is_some_and(|file| file.path.starts_with('\0')));
        }
        if let Kind::File(_) = kind {
            let size = self.settle_length(state, kind)?;
            stat[32..40].copy_from_slice(&size.to_le_bytes());
        }
        self.put(state, out, &stat)
    }

    fn set_size(&mut self, state: &mut State, fd: u32, size: u64) -> Answer {
        let open = opened(&state.world, fd)?;
        let Kind::File(number) = open.kind else {
            return refuse(if is_folder(open.kind) { ISDIR } else { INVAL });
        };
        if open.rights & WRITE == 0 {
            return refuse(BADF);
        }
        self.settle_length(state, open.kind)?;
        resize(Rc::make_mut(&mut state.world), number, size)
    }
}

/// Cuts a file off, or appends zeros to it.
pub(super) fn resize(world: &mut World, number: usize, size: u64) -> Answer {
    let Some(file) = &mut world.files[number] else { return refuse(BADF) };
    let added = size.saturating_sub(file.bytes.len() as u64);
    world.room = world.room.checked_sub(added).ok_or(Refusal::Errno(NOSPC))?;
    Rc::make_mut(&mut file.bytes).resize(size as usize, OutByte::Number(0));
    file.length = None;
    world.files_changed = true;
    Ok(())
}
