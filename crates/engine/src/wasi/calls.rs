//! The table of calls; arguments, environment, and what is done with a single descriptor.

use super::descriptors::{APPEND, Kind, PREOPENED, READ, WRITE};
use super::guest::Guest;
use super::{Answer, Call, Errno, Wasi};

/// WASI's types of files.
const UNKNOWN: u8 = 0;
const FOLDER: u8 = 3;
const REGULAR: u8 = 4;

/// Names, types and bodies of all calls of preview 1.
pub(super) static CALLS: [Call; 46] = {
    const fn call(name: &'static str, letters: &'static str, body: super::Body) -> Call {
        Call { name, letters, body }
    }
    [
        call("args_get", "ii:i", Wasi::args_get),
        call("args_sizes_get", "ii:i", Wasi::args_sizes_get),
        call("clock_res_get", "ii:i", Wasi::clock_res_get),
        call("clock_time_get", "iIi:i", Wasi::clock_time_get),
        call("environ_get", "ii:i", Wasi::environ_get),
        call("environ_sizes_get", "ii:i", Wasi::environ_sizes_get),
        call("fd_advise", "iIIi:i", Wasi::fd_nothing),
        call("fd_allocate", "iII:i", Wasi::missing),
        call("fd_close", "i:i", Wasi::fd_close),
        call("fd_datasync", "i:i", Wasi::fd_nothing),
        call("fd_fdstat_get", "ii:i", Wasi::fd_fdstat_get),
        call("fd_fdstat_set_flags", "ii:i", Wasi::fd_fdstat_set_flags),
        call("fd_fdstat_set_rights", "iII:i", Wasi::missing),
        call("fd_filestat_get", "ii:i", Wasi::fd_filestat_get),
        call("fd_filestat_set_size", "iI:i", Wasi::fd_filestat_set_size),
        call("fd_filestat_set_times", "iIIi:i", Wasi::fd_nothing),
        call("fd_pread", "iiiIi:i", Wasi::fd_pread),
        call("fd_prestat_dir_name", "iii:i", Wasi::fd_prestat_dir_name),
        call("fd_prestat_get", "ii:i", Wasi::fd_prestat_get),
        call("fd_pwrite", "iiiIi:i", Wasi::fd_pwrite),
        call("fd_read", "iiii:i", Wasi::fd_read),
        call("fd_readdir", "iiiIi:i", Wasi::fd_readdir),
        call("fd_renumber", "ii:i", Wasi::fd_renumber),
        call("fd_seek", "iIii:i", Wasi::fd_seek),
        call("fd_sync", "i:i", Wasi::fd_nothing),
        call("fd_tell", "ii:i", Wasi::fd_tell),
        call("fd_write", "iiii:i", Wasi::fd_write),
        call("path_create_directory", "iii:i", Wasi::path_create_directory),
        call("path_filestat_get", "iiiii:i", Wasi::path_filestat_get),
        call("path_filestat_set_times", "iiiiIIi:i", Wasi::path_filestat_set_times),
        call("path_link", "iiiiiii:i", Wasi::missing),
        call("path_open", "iiiiiIIii:i", Wasi::path_open),
        call("path_readlink", "iiiiii:i", Wasi::path_readlink),
        call("path_remove_directory", "iii:i", Wasi::path_remove_directory),
        call("path_rename", "iiiiii:i", Wasi::path_rename),
        call("path_symlink", "iiiii:i", Wasi::missing),
        call("path_unlink_file", "iii:i", Wasi::path_unlink_file),
        call("poll_oneoff", "iiii:i", Wasi::poll_oneoff),
        call("proc_exit", "i:", Wasi::missing),
        call("proc_raise", "i:i", Wasi::missing),
        call("random_get", "ii:i", Wasi::random_get),
        call("sched_yield", ":i", Wasi::sched_yield),
        call("sock_accept", "iii:i", Wasi::missing),
        call("sock_recv", "iiiiii:i", Wasi::missing),
        call("sock_send", "iiiii:i", Wasi::missing),
        call("sock_shutdown", "ii:i", Wasi::missing),
    ]
};

/// Where a read or write begins.
#[derive(Clone, Copy)]
enum At {
    /// At the descriptor's own place, which moves.
    Own,
    Offset(u64),
}

impl Wasi {
    fn missing(&mut self, _args: &[u64], _guest: &mut Guest<'_>) -> Answer {
        Err(Errno::NOSYS)
    }

    fn sched_yield(&mut self, _args: &[u64], _guest: &mut Guest<'_>) -> Answer {
        Ok(())
    }

    /// Calls that have nothing to do once the descriptor is known to be open.
    fn fd_nothing(&mut self, args: &[u64], _guest: &mut Guest<'_>) -> Answer {
        self.open.get(args[0]).map(|_| ())
    }

    fn args_get(&mut self, args: &[u64], guest: &mut Guest<'_>) -> Answer {
        write_texts(&self.world.args, args, guest)
    }

    fn args_sizes_get(&mut self, args: &[u64], guest: &mut Guest<'_>) -> Answer {
        write_sizes(&self.world.args, args, guest)
    }

    fn environ_get(&mut self, args: &[u64], guest: &mut Guest<'_>) -> Answer {
        write_texts(&self.environment(), args, guest)
    }

    fn environ_sizes_get(&mut self, args: &[u64], guest: &mut Guest<'_>) -> Answer {
        write_sizes(&self.environment(), args, guest)
    }

    fn environment(&self) -> Vec<Vec<u8>> {
        let join = |(name, value): &(Vec<u8>, Vec<u8>)| [name.as_slice(), b"=", value].concat();
        self.world.env.iter().map(join).collect()
    }

    fn fd_close(&mut self, args: &[u64], _guest: &mut Guest<'_>) -> Answer {
        self.open.close(args[0])
    }

    fn fd_renumber(&mut self, args: &[u64], _guest: &mut Guest<'_>) -> Answer {
        self.open.renumber(args[0], args[1])
    }

    fn fd_fdstat_get(&mut self, args: &[u64], guest: &mut Guest<'_>) -> Answer {
        let open = self.open.get(args[0])?;
        let mut stat = [0; 24];
        stat[0] = file_type(open.kind);
        stat[2..4].copy_from_slice(&open.flags.to_le_bytes());
        stat[8..16].copy_from_slice(&open.rights.to_le_bytes());
        stat[16..24].copy_from_slice(&open.inheriting.to_le_bytes());
        guest.write(args[1], &stat)
    }

    fn fd_fdstat_set_flags(&mut self, args: &[u64], _guest: &mut Guest<'_>) -> Answer {
        let open = self.open.get_mut(args[0])?;
        if args[1] >= 32 {
            return Err(Errno::INVAL);
        }
        open.flags = args[1] as u16;
        Ok(())
    }

    fn fd_filestat_get(&mut self, args: &[u64], guest: &mut Guest<'_>) -> Answer {
        let kind = self.open.get(args[0])?.kind;
        guest.write(args[1], &self.status(kind))
    }

    /// The 64 bytes of a file's status: device 1, number of the node plus 1, links, size; all times are 0.
    pub(super) fn status(&self, kind: Kind) -> [u8; 64] {
        let mut stat = [0; 64];
        stat[16] = file_type(kind);
        if let Kind::File(node) | Kind::Folder(node) = kind {
            stat[0] = 1;
            stat[8..16].copy_from_slice(&(node as u64 + 1).to_le_bytes());
            stat[24] = u8::from(self.files.has_name(node));
            stat[32..40].copy_from_slice(&self.files.size(node).to_le_bytes());
        }
        stat
    }

    fn fd_filestat_set_size(&mut self, args: &[u64], _guest: &mut Guest<'_>) -> Answer {
        let open = self.open.get(args[0])?;
        match open.kind {
            Kind::File(node) if open.rights & WRITE != 0 => self.files.resize(node, args[1]),
            Kind::File(_) => Err(Errno::BADF),
            Kind::Folder(_) => Err(Errno::ISDIR),
            Kind::Stdin | Kind::Stdout | Kind::Stderr => Err(Errno::INVAL),
        }
    }

    fn fd_prestat_get(&mut self, args: &[u64], guest: &mut Guest<'_>) -> Answer {
        self.preopened(args[0])?;
        guest.write(args[1], &[0, 0, 0, 0, 1, 0, 0, 0])
    }

    fn fd_prestat_dir_name(&mut self, args: &[u64], guest: &mut Guest<'_>) -> Answer {
        self.preopened(args[0])?;
        if args[2] < 1 {
            return Err(Errno::INVAL);
        }
        guest.write(args[1], b"/")
    }

    fn preopened(&self, fd: u64) -> Answer {
        self.open.get(fd)?;
        if fd == PREOPENED { Ok(()) } else { Err(Errno::BADF) }
    }

    fn fd_read(&mut self, args: &[u64], guest: &mut Guest<'_>) -> Answer {
        self.read([args[0], args[1], args[2], args[3]], At::Own, guest)
    }

    fn fd_pread(&mut self, args: &[u64], guest: &mut Guest<'_>) -> Answer {
        self.read([args[0], args[1], args[2], args[4]], At::Offset(args[3]), guest)
    }

    fn read(&mut self, [fd, vector, count, used]: [u64; 4], at: At, guest: &mut Guest<'_>) -> Answer {
        let open = self.open.get(fd)?;
        if open.rights & READ == 0 {
            return Err(Errno::BADF);
        }
        let (content, from) = match (open.kind, at) {
            (Kind::Stdin, At::Own) => (self.world.stdin.as_slice(), self.stdin_at as u64),
            (Kind::File(node), At::Own) => (self.files.content(node)?, open.at),
            (Kind::File(node), At::Offset(offset)) => (self.files.content(node)?, offset),
            (Kind::Folder(_), _) => return Err(Errno::ISDIR),
            (Kind::Stdin, At::Offset(_)) => return Err(Errno::SPIPE),
            (Kind::Stdout | Kind::Stderr, _) => return Err(Errno::BADF),
        };
        let buffers = guest.buffers(vector, count)?;
        guest.slice(used, 4)?;
        let mut rest = content.get(from as usize..).unwrap_or_default();
        let mut moved = 0;
        for (start, length) in buffers {
            let now = rest.len().min(length as usize);
            guest.write(start, &rest[..now])?;
            rest = &rest[now..];
            moved += now as u64;
        }
        self.moved += moved + count;
        if let (Kind::Stdin, At::Own) = (open.kind, at) {
            self.stdin_at += moved as usize;
        } else if let At::Own = at {
            self.open.get_mut(fd)?.at += moved;
        }
        guest.write_u32(used, moved as u32)
    }

    fn fd_write(&mut self, args: &[u64], guest: &mut Guest<'_>) -> Answer {
        self.write([args[0], args[1], args[2], args[3]], At::Own, guest)
    }

    fn fd_pwrite(&mut self, args: &[u64], guest: &mut Guest<'_>) -> Answer {
        self.write([args[0], args[1], args[2], args[4]], At::Offset(args[3]), guest)
    }

    fn write(&mut self, [fd, vector, count, used]: [u64; 4], at: At, guest: &mut Guest<'_>) -> Answer {
        let open = self.open.get(fd)?;
        let (kind, is_appending) = (open.kind, open.flags & APPEND != 0);
        if open.rights & WRITE == 0 || matches!(kind, Kind::Stdin | Kind::Folder(_)) {
            return Err(Errno::BADF);
        }
        let own = open.at;
        let buffers = guest.buffers(vector, count)?;
        guest.slice(used, 4)?;
        let mut bytes = Vec::new();
        for (start, length) in buffers {
            bytes.extend_from_slice(guest.slice(start, length)?);
            // The same bytes may be named again and again: nothing larger than the room can succeed.
            self.files.has_room(bytes.len())?;
        }
        self.moved += bytes.len() as u64 + count;
        match (kind, at) {
            (Kind::File(node), At::Offset(offset)) => self.files.write(node, offset, &bytes)?,
            (Kind::File(node), At::Own) => {
                let from = if is_appending { self.files.size(node) } else { own };
                self.files.write(node, from, &bytes)?;
                self.open.get_mut(fd)?.at = from + bytes.len() as u64;
            }
            (_, At::Offset(_)) => return Err(Errno::SPIPE),
            (kind, At::Own) => {
                self.files.take_room(bytes.len())?;
                let to = if kind == Kind::Stdout { &mut self.stdout } else { &mut self.stderr };
                to.extend_from_slice(&bytes);
            }
        }
        guest.write_u32(used, bytes.len() as u32)
    }

    fn fd_seek(&mut self, args: &[u64], guest: &mut Guest<'_>) -> Answer {
        let (offset, whence, out) = (args[1] as i64, args[2], args[3]);
        let node = self.seekable(args[0])?;
        let open = self.open.get_mut(args[0])?;
        let base = match whence {
            0 => 0,
            1 => open.at,
            2 => self.files.size(node),
            _ => return Err(Errno::INVAL),
        };
        let at = (base as i64).checked_add(offset).filter(|at| *at >= 0).ok_or(Errno::INVAL)?;
        guest.write_u64(out, at as u64)?;
        open.at = at as u64;
        Ok(())
    }

    fn fd_tell(&mut self, args: &[u64], guest: &mut Guest<'_>) -> Answer {
        self.seekable(args[0])?;
        guest.write_u64(args[1], self.open.get(args[0])?.at)
    }

    fn seekable(&self, fd: u64) -> Result<super::files::NodeId, Errno> {
        match self.open.get(fd)?.kind {
            Kind::File(node) => Ok(node),
            Kind::Folder(_) => Err(Errno::BADF),
            Kind::Stdin | Kind::Stdout | Kind::Stderr => Err(Errno::SPIPE),
        }
    }
}

/// WASI's type of a file.
fn file_type(kind: Kind) -> u8 {
    match kind {
        Kind::Stdin | Kind::Stdout | Kind::Stderr => UNKNOWN,
        Kind::File(_) => REGULAR,
        Kind::Folder(_) => FOLDER,
    }
}

/// WASI's type of a node, for listings.
pub(super) fn node_type(is_folder: bool) -> u8 {
    if is_folder { FOLDER } else { REGULAR }
}

/// Writes texts one after the other, each with a zero byte, and the table of their addresses.
fn write_texts(texts: &[Vec<u8>], args: &[u64], guest: &mut Guest<'_>) -> Answer {
    let (table, mut at) = (args[0], args[1]);
    let bytes: usize = texts.iter().map(|text| text.len() + 1).sum();
    guest.slice(table, 4 * texts.len() as u64)?;
    guest.slice(at, bytes as u64)?;
    for (number, text) in (0..).zip(texts) {
        guest.write_u32(table + 4 * number, at as u32)?;
        guest.write(at, text)?;
        guest.write(at + text.len() as u64, &[0])?;
        at += text.len() as u64 + 1;
    }
    Ok(())
}

/// Writes the number of texts and the bytes that they take.
fn write_sizes(texts: &[Vec<u8>], args: &[u64], guest: &mut Guest<'_>) -> Answer {
    let bytes: usize = texts.iter().map(|text| text.len() + 1).sum();
    guest.slice(args[1], 4)?;
    guest.write_u32(args[0], u32::try_from(texts.len()).map_err(|_| Errno::OVERFLOW)?)?;
    guest.write_u32(args[1], u32::try_from(bytes).map_err(|_| Errno::OVERFLOW)?)
}
