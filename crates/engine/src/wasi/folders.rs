//! Calls with paths: opening, listing, making, moving and removing.

use super::calls::node_type;
use super::descriptors::{Kind, Open, WRITE};
use super::files::{Found, Node, ROOT};
use super::guest::Guest;
use super::{Answer, Errno, Wasi};

/// WASI's flags of `path_open`.
const CREATE: u64 = 1;
const DIRECTORY: u64 = 2;
const EXCLUSIVE: u64 = 4;
const TRUNCATE: u64 = 8;

impl Wasi {
    /// Resolves the path at `at` from the folder `fd`.
    fn find(&mut self, fd: u64, at: u64, length: u64, guest: &mut Guest<'_>) -> Result<Found, Errno> {
        let folder = self.open.folder(fd)?;
        let path = guest.path(at, length)?;
        self.moved += length;
        self.files.resolve(folder, &path)
    }

    pub(super) fn path_open(&mut self, args: &[u64], guest: &mut Guest<'_>) -> Answer {
        let (flags, rights, inheriting, out) = (args[4], args[5], args[6], args[8]);
        let fdflags = args[7] as u16;
        let found = self.find(args[0], args[2], args[3], guest)?;
        guest.slice(out, 4)?;
        self.open.lowest()?;
        let wants = |flag: u64| flags & flag != 0;
        let node = match found.node {
            Some(_) if wants(CREATE) && wants(EXCLUSIVE) => return Err(Errno::EXIST),
            Some(node) if self.files.is_folder(node) => {
                if rights & WRITE != 0 || wants(TRUNCATE) || wants(CREATE) && !wants(DIRECTORY) {
                    return Err(Errno::ISDIR);
                }
                node
            }
            Some(_) if wants(DIRECTORY) => return Err(Errno::NOTDIR),
            Some(node) => {
                if wants(TRUNCATE) {
                    self.files.resize(node, 0)?;
                }
                node
            }
            None if !wants(CREATE) => return Err(Errno::NOENT),
            None if wants(DIRECTORY) => return Err(Errno::INVAL),
            None if found.is_folder => return Err(Errno::ISDIR),
            None => self.create(&found, Node::File(Vec::new()))?,
        };
        let kind = if self.files.is_folder(node) { Kind::Folder(node) } else { Kind::File(node) };
        let fd = self.open.add(Open { kind, at: 0, flags: fdflags, rights, inheriting })?;
        guest.write_u32(out, fd as u32)
    }

    /// Adds a node; the folder above it has to exist.
    fn create(&mut self, found: &Found, node: Node) -> Result<usize, Errno> {
        self.files.add(found.path.clone(), node)
    }

    pub(super) fn path_create_directory(&mut self, args: &[u64], guest: &mut Guest<'_>) -> Answer {
        let found = self.find(args[0], args[1], args[2], guest)?;
        if found.node.is_some() {
            return Err(Errno::EXIST);
        }
        self.create(&found, Node::Folder).map(|_| ())
    }

    pub(super) fn path_filestat_get(&mut self, args: &[u64], guest: &mut Guest<'_>) -> Answer {
        let found = self.find(args[0], args[2], args[3], guest)?;
        let node = found.node.ok_or(Errno::NOENT)?;
        let kind = if self.files.is_folder(node) { Kind::Folder(node) } else { Kind::File(node) };
        guest.write(args[4], &self.status(kind))
    }

    pub(super) fn path_filestat_set_times(&mut self, args: &[u64], guest: &mut Guest<'_>) -> Answer {
        self.find(args[0], args[2], args[3], guest)?.node.map(|_| ()).ok_or(Errno::NOENT)
    }

    /// There are no symbolic links: whatever exists is none.
    pub(super) fn path_readlink(&mut self, args: &[u64], guest: &mut Guest<'_>) -> Answer {
        let found = self.find(args[0], args[1], args[2], guest)?;
        Err(if found.node.is_some() { Errno::INVAL } else { Errno::NOENT })
    }

    pub(super) fn path_unlink_file(&mut self, args: &[u64], guest: &mut Guest<'_>) -> Answer {
        let found = self.find(args[0], args[1], args[2], guest)?;
        let node = found.node.ok_or(Errno::NOENT)?;
        if self.files.is_folder(node) {
            return Err(Errno::ISDIR);
        }
        self.files.forget(&found.path);
        Ok(())
    }

    pub(super) fn path_remove_directory(&mut self, args: &[u64], guest: &mut Guest<'_>) -> Answer {
        let found = self.find(args[0], args[1], args[2], guest)?;
        let node = found.node.ok_or(Errno::NOENT)?;
        if !self.files.is_folder(node) {
            return Err(Errno::NOTDIR);
        }
        if node == ROOT {
            return Err(Errno::INVAL);
        }
        if !self.files.list(node)?.is_empty() {
            return Err(Errno::NOTEMPTY);
        }
        self.files.forget(&found.path);
        Ok(())
    }

    pub(super) fn path_rename(&mut self, args: &[u64], guest: &mut Guest<'_>) -> Answer {
        let from = self.find(args[0], args[1], args[2], guest)?;
        let to = self.find(args[3], args[4], args[5], guest)?;
        let node = from.node.ok_or(Errno::NOENT)?;
        let is_folder = self.files.is_folder(node);
        if from.path == to.path {
            return Ok(());
        }
        if node == ROOT || to.path.starts_with(&format!("{}/", from.path)) {
            return Err(Errno::INVAL);
        }
        match to.node {
            Some(old) if self.files.is_folder(old) => {
                if !is_folder {
                    return Err(Errno::ISDIR);
                }
                if !self.files.list(old)?.is_empty() {
                    return Err(Errno::NOTEMPTY);
                }
            }
            Some(_) if is_folder => return Err(Errno::NOTDIR),
            None if to.is_folder && !is_folder => return Err(Errno::NOTDIR),
            _ => {}
        }
        self.files.take_room(to.path.len())?;
        self.files.forget(&to.path);
        self.files.rename(&from.path, &to.path);
        Ok(())
    }

    /// Entries are ".", "..", then names in the order of their bytes; the cookie is the number of the next.
    /// The last entry is cut off where the buffer ends, which tells the caller to come again.
    pub(super) fn fd_readdir(&mut self, args: &[u64], guest: &mut Guest<'_>) -> Answer {
        let [fd, buffer, length, cookie, used] = [args[0], args[1], args[2], args[3], args[4]];
        let folder = self.open.folder(fd)?;
        guest.slice(buffer, length)?;
        guest.slice(used, 4)?;
        let path = self.files.path_of(folder)?.to_string();
        let above =
            self.files.resolve(ROOT, &format!("/{}", path.rfind('/').map_or("", |at| &path[..at])))?;
        let mut entries = vec![(".".to_string(), folder), ("..".to_string(), above.node.unwrap_or(ROOT))];
        entries.extend(self.files.list(folder)?);
        let mut bytes = Vec::new();
        for (next, (name, node)) in (1u64..).zip(&entries).skip(usize::try_from(cookie).unwrap_or(usize::MAX))
        {
            if bytes.len() as u64 >= length {
                break;
            }
            bytes.extend_from_slice(&next.to_le_bytes());
            bytes.extend_from_slice(&(*node as u64 + 1).to_le_bytes());
            bytes.extend_from_slice(&(name.len() as u32).to_le_bytes());
            bytes.extend_from_slice(&[node_type(self.files.is_folder(*node)), 0, 0, 0]);
            bytes.extend_from_slice(name.as_bytes());
        }
        bytes.truncate(length as usize);
        self.moved += (bytes.len() + entries.len()) as u64;
        guest.write(buffer, &bytes)?;
        guest.write_u32(used, bytes.len() as u32)
    }
}
