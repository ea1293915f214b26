//! Calls with paths: opening, listing, making, moving and removing.

use super::{
    Answer, EXIST, ILSEQ, INVAL, ISDIR, MFILE, NOENT, NOSPC, NOTDIR, NOTEMPTY, PERM, PREOPENED, Refusal,
    file_type, is_folder, node, opened, refuse,
};
use crate::load::Access;
use crate::machine::WasmMachine;
use crate::outcome::OutByte;
use crate::state::State;
use crate::world::{File, Kind, NAME_BYTES, Open, WRITE, World};
use evergreen_symbolic::{Cond, Const, Expr, Exprs, Rel};
use std::rc::Rc;

/// Descriptors that a program may have open.
const MOST_OPEN: usize = 1024;

/// Stands for a name that no file has: inputs do not say which.
const UNKNOWN: &str = "\u{1}";

/// A path that was resolved.
struct Found {
    /// Below the root, without a slash at either end.
    path: String,
    /// What is there: the root, a file or a folder.
    kind: Option<Kind>,
    /// The path ended with a slash: only a folder can be meant.
    is_folder: bool,
}

/// What has a path.
fn look(world: &World, path: &str) -> Option<Kind> {
    if path.is_empty() {
        return Some(Kind::Root);
    }
    let number = world.file(path)?;
    Some(if world.is_folder(number) { Kind::Folder(number) } else { Kind::File(number) })
}

/// The path of a folder, as long as it has one.
fn path_of(world: &World, folder: Kind) -> Answer<String> {
    let path = match folder {
        Kind::Folder(number) => world.files[number].as_ref().map_or("\0", |file| &*file.path),
        _ => "",
    };
    if path.starts_with('\0') { refuse(NOENT) } else { Ok(path.to_string()) }
}

/// Every part but the last has to be a folder that exists; `..` above the root is PERM.
fn resolve(world: &World, from: Kind, path: &str) -> Answer<Found> {
    if path.is_empty() {
        return refuse(NOENT);
    }
    let mut at = if path.starts_with('/') { String::new() } else { path_of(world, from)? };
    for part in path.split('/').filter(|part| !matches!(*part, "" | ".")) {
        match look(world, &at) {
            None => return refuse(NOENT),
            Some(kind) if !is_folder(kind) => return refuse(NOTDIR),
            _ => {}
        }
        if part == ".." {
            if at.is_empty() {
                return refuse(PERM);
            }
            at.truncate(at.rfind('/').unwrap_or(0));
        } else {
            if !at.is_empty() {
                at.push('/');
            }
            at.push_str(part);
        }
    }
    let (kind, ends) = (look(world, &at), path.ends_with('/'));
    if ends && kind.is_some_and(|kind| !is_folder(kind)) {
        return refuse(NOTDIR);
    }
    Ok(Found { path: at, kind, is_folder: ends })
}

/// The names directly in a folder, sorted by bytes.
fn list(world: &World, folder: Kind) -> Answer<Vec<(String, Kind)>> {
    let path = path_of(world, folder)?;
    let prefix = if path.is_empty() { path } else { format!("{path}/") };
    let names = world.files.iter().flatten().filter_map(|file| file.path.strip_prefix(&prefix));
    let direct = names.filter(|name| !name.is_empty() && !name.contains(['/', '\0']));
    let mut all: Vec<(String, Kind)> = direct
        .filter_map(|name| Some((name.to_string(), look(world, &format!("{prefix}{name}"))?)))
        .collect();
    all.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(all)
}

/// Takes a name away: descriptors keep the contents.
fn forget(world: &mut World, kind: Kind) {
    if let Kind::File(number) | Kind::Folder(number) = kind
        && let Some(file) = &mut world.files[number]
    {
        file.path = format!("\0removed {number}").into();
    }
    world.files_changed = true;
}

/// Adds a file or a folder under a path that is free.
fn create(world: &mut World, path: &str, is_folder: bool) -> Answer<usize> {
    if path.len() as u64 + NAME_BYTES > world.room {
        return refuse(NOSPC);
    }
    world.files_changed = true;
    Ok(world.add(File { is_folder, ..File::new(path, Vec::new()) }))
}

impl WasmMachine {
    pub(super) fn answer_path(&mut self, state: &mut State, name: &str, args: &[u64]) -> Answer {
        let arg = |n: usize| args[n] as u32;
        match name {
            "path_open" => self.path_open(state, args),
            "path_filestat_get" => {
                let found = self.find(state, [arg(0), arg(2), arg(3)])?;
                let kind = found.kind.ok_or(Refusal::Errno(NOENT))?;
                self.put_status(state, kind, arg(4))
            }
            "path_filestat_set_times" => {
                let found = self.find(state, [arg(0), arg(2), arg(3)])?;
                found.kind.map(|_| ()).ok_or(Refusal::Errno(NOENT))
            }
            // There are no links: whatever exists is none.
            "path_readlink" => {
                let found = self.find(state, [arg(0), arg(1), arg(2)])?;
                refuse(if found.kind.is_some() { INVAL } else { NOENT })
            }
            "path_unlink_file" | "path_remove_directory" => {
                let found = self.find(state, [arg(0), arg(1), arg(2)])?;
                let kind = found.kind.ok_or(Refusal::Errno(NOENT))?;
                match (name == "path_unlink_file", kind) {
                    (true, kind) if is_folder(kind) => return refuse(ISDIR),
                    (false, Kind::File(_)) => return refuse(NOTDIR),
                    (false, Kind::Root) => return refuse(INVAL),
                    (false, _) if !list(&state.world, kind)?.is_empty() => return refuse(NOTEMPTY),
                    _ => {}
                }
                forget(Rc::make_mut(&mut state.world), kind);
                Ok(())
            }
            "path_create_directory" => {
                let found = self.find(state, [arg(0), arg(1), arg(2)])?;
                if found.kind.is_some() {
                    return refuse(EXIST);
                }
                self.named(state, &found)?;
                create(Rc::make_mut(&mut state.world), &found.path, true).map(|_| ())
            }
            "path_rename" => {
                let from = self.find(state, [arg(0), arg(1), arg(2)])?;
                let to = self.find(state, [arg(3), arg(4), arg(5)])?;
                if from.kind.is_some() && to.kind.is_none() {
                    self.named(state, &to)?;
                }
                rename(state, &from, &to)
            }
            _ => self.unknown_call(state, name),
        }
    }

    /// Resolves a path from the folder of a descriptor.
    fn find(&mut self, state: &mut State, [fd, at, size]: [u32; 3]) -> Answer<Found> {
        let folder = opened(&state.world, fd)?.kind;
        if !is_folder(folder) {
            return refuse(NOTDIR);
        }
        self.reach(state, Access::Read, at, size.into())?;
        let bytes: Vec<OutByte> = (0..size).map(|i| self.text_byte(state, at + i)).collect();
        let numbers: Option<Vec<u8>> = bytes
            .iter()
            .map(|byte| match byte {
                OutByte::Number(n) => Some(*n),
                OutByte::Symbolic(_) => None,
            })
            .collect();
        let text = match numbers {
            Some(numbers) => String::from_utf8(numbers).map_err(|_| Refusal::Errno(ILSEQ))?,
            None => self.decide_path(state, folder, &bytes)?,
        };
        resolve(&state.world, folder, &text)
    }

    /// Which path symbolic bytes are: one of those that exist in the folder, a name that does not, or one
    /// with a slash.
    fn decide_path(&mut self, state: &mut State, folder: Kind, bytes: &[OutByte]) -> Answer<String> {
        let mut names = [".", "..", "/"].map(String::from).to_vec();
        names.extend(list(&state.world, folder)?.into_iter().map(|(name, _)| name));
        names.retain(|name| name.len() == bytes.len());
        let exprs_of: Vec<Expr> = bytes.iter().map(|byte| self.byte_expr(*byte)).collect();
        let arms = {
            let exprs = &mut *self.exprs.borrow_mut();
            let is_text = is_utf8(exprs, &exprs_of);
            let mut has_slash = Cond::FALSE;
            for byte in &exprs_of {
                let is_slash = within(exprs, *byte, (b'/', b'/'));
                has_slash = exprs.or(has_slash, is_slash);
            }
            let (mut arms, mut is_unknown) = (Vec::new(), is_text);
            for name in &names {
                let same = spells(exprs, &exprs_of, name);
                arms.push(same);
                is_unknown = exprs.and(is_unknown, same.negated());
            }
            let missing = exprs.and(is_unknown, has_slash.negated());
            arms.extend([missing, is_text.negated(), exprs.and(is_unknown, has_slash)]);
            arms
        };
        let site = self.site(state);
        let arm = self.decide(state, site, &arms)?;
        match (names.get(arm), arm - names.len().min(arm)) {
            (Some(name), _) => Ok(name.clone()),
            (None, 0) => Ok(UNKNOWN.to_string()),
            (None, 1) => refuse(ILSEQ),
            _ => self.decide_parts(state, folder, bytes),
        }
    }

    /// Which path symbolic bytes with a slash among them are: first which bytes are slashes, then part by
    /// part, each one of the names in the folder so far, or a name that is not there.
    fn decide_parts(&mut self, state: &mut State, folder: Kind, bytes: &[OutByte]) -> Answer<String> {
        let mut parts: Vec<Vec<Expr>> = vec![Vec::new()];
        for byte in bytes {
            let byte = self.byte_expr(*byte);
            let is_slash = within(&mut self.exprs.borrow_mut(), byte, (b'/', b'/'));
            match (self.is(state, is_slash)?, parts.last_mut()) {
                (false, Some(part)) => part.push(byte),
                _ => parts.push(Vec::new()),
            }
        }
        let mut text = String::new();
        for (number, part) in parts.iter().enumerate() {
            if number > 0 {
                text.push('/');
            }
            if part.is_empty() {
                continue;
            }
            let mut names = vec![".".to_string(), "..".to_string()];
            // What is wrong with the folder so far is said when the whole path is resolved.
            let above = resolve(&state.world, folder, if text.is_empty() { "." } else { &text });
            if let Ok(Found { kind: Some(kind), .. }) = above
                && is_folder(kind)
            {
                names.extend(list(&state.world, kind)?.into_iter().map(|(name, _)| name));
            }
            names.retain(|name| name.len() == part.len());
            let (mut arms, mut is_unknown) = (Vec::new(), Cond::TRUE);
            for name in &names {
                let exprs = &mut *self.exprs.borrow_mut();
                let same = spells(exprs, part, name);
                arms.push(same);
                is_unknown = exprs.and(is_unknown, same.negated());
            }
            arms.push(is_unknown);
            let site = self.site(state);
            let arm = self.decide(state, site, &arms)?;
            text.push_str(names.get(arm).map_or(UNKNOWN, String::as_str));
        }
        Ok(text)
    }

    /// Refuses to make a file of which inputs do not say the name.
    fn named(&mut self, state: &mut State, found: &Found) -> Answer {
        match found.path.ends_with(UNKNOWN) {
            true => Ok(self.unsupported(state, "a file is made whose name has inputs")?),
            false => Ok(()),
        }
    }

    fn path_open(&mut self, state: &mut State, args: &[u64]) -> Answer {
        let (flags, rights, inheriting, out) = (args[4], args[5], args[6], args[8] as u32);
        let found = self.find(state, [args[0] as u32, args[2] as u32, args[3] as u32])?;
        self.reach(state, Access::Write, out, 4)?;
        let at = lowest(&state.world)?;
        let [creates, folder, exclusive, truncates] = [1, 2, 4, 8].map(|flag| flags & flag != 0);
        if found.kind.is_none() && creates && !folder && !found.is_folder {
            self.named(state, &found)?;
        }
        let world = Rc::make_mut(&mut state.world);
        let kind = match found.kind {
            Some(_) if creates && exclusive => return refuse(EXIST),
            Some(kind) if is_folder(kind) => {
                if rights & WRITE != 0 || truncates || creates && !folder {
                    return refuse(ISDIR);
                }
                kind
            }
            Some(_) if folder => return refuse(NOTDIR),
            Some(kind) => {
                if let (Kind::File(number), true) = (kind, truncates) {
                    super::descriptors::resize(world, number, 0)?;
                }
                kind
            }
            None if !creates => return refuse(NOENT),
            None if folder => return refuse(INVAL),
            None if found.is_folder => return refuse(ISDIR),
            None => Kind::File(create(world, &found.path, false)?),
        };
        if at == world.open.len() {
            world.open.push(None);
        }
        world.open[at] = Some(Open { kind, at: 0, flags: args[7] as u16, rights, inheriting });
        self.put(state, out, &(at as u32).to_le_bytes())
    }

    /// Entries are ".", "..", then names in the order of their bytes; the cookie is the number of the next.
    /// The last entry is cut off where the buffer ends, which tells the caller to come again.
    pub(super) fn fd_readdir(
        &mut self,
        state: &mut State,
        [fd, at, size, used]: [u32; 4],
        cookie: u64,
    ) -> Answer {
        let folder = opened(&state.world, fd)?.kind;
        if !is_folder(folder) {
            return refuse(NOTDIR);
        }
        self.reach(state, Access::Write, at, size.into())?;
        self.reach(state, Access::Write, used, 4)?;
        let path = path_of(&state.world, folder)?;
        let above = look(&state.world, path.rfind('/').map_or("", |at| &path[..at])).unwrap_or(Kind::Root);
        let mut entries = vec![(".".to_string(), folder), ("..".to_string(), above)];
        entries.extend(list(&state.world, folder)?);
        let mut bytes = Vec::new();
        let first = usize::try_from(cookie).unwrap_or(usize::MAX);
        for (next, (name, kind)) in (1u64..).zip(&entries).skip(first) {
            if bytes.len() >= size as usize {
                break;
            }
            bytes.extend_from_slice(&next.to_le_bytes());
            bytes.extend_from_slice(&node(*kind).to_le_bytes());
            bytes.extend_from_slice(&(name.len() as u32).to_le_bytes());
            bytes.extend_from_slice(&[file_type(*kind), 0, 0, 0]);
            bytes.extend_from_slice(name.as_bytes());
        }
        bytes.truncate(size as usize);
        self.put(state, at, &bytes)?;
        self.put(state, used, &(bytes.len() as u32).to_le_bytes())
    }
}

/// The lowest descriptor that is free.
fn lowest(world: &World) -> Answer<usize> {
    let first = PREOPENED as usize + 1;
    let free = (first..world.open.len()).find(|at| world.open[*at].is_none());
    let at = free.unwrap_or(world.open.len());
    if at < MOST_OPEN { Ok(at) } else { refuse(MFILE) }
}

fn rename(state: &mut State, from: &Found, to: &Found) -> Answer {
    let kind = from.kind.ok_or(Refusal::Errno(NOENT))?;
    if from.path == to.path {
        return Ok(());
    }
    if kind == Kind::Root || to.path.starts_with(&format!("{}/", from.path)) {
        return refuse(INVAL);
    }
    match to.kind {
        Some(old) if is_folder(old) => {
            if !is_folder(kind) {
                return refuse(ISDIR);
            }
            if !list(&state.world, old)?.is_empty() {
                return refuse(NOTEMPTY);
            }
        }
        Some(_) if is_folder(kind) => return refuse(NOTDIR),
        None if to.is_folder && !is_folder(kind) => return refuse(NOTDIR),
        _ => {}
    }
    let world = Rc::make_mut(&mut state.world);
    world.room = world.room.checked_sub(to.path.len() as u64).ok_or(Refusal::Errno(NOSPC))?;
    if let Some(old) = to.kind {
        forget(world, old);
    }
    let prefix = format!("{}/", from.path);
    for file in world.files.iter_mut().flatten() {
        if *file.path == *from.path || file.path.starts_with(&prefix) {
            file.path = format!("{}{}", to.path, &file.path[from.path.len()..]).into();
        }
    }
    world.files_changed = true;
    Ok(())
}

/// The condition that bytes are those of a name as long as they are.
fn spells(exprs: &mut Exprs, bytes: &[Expr], name: &str) -> Cond {
    let mut same = Cond::TRUE;
    for (byte, wanted) in bytes.iter().zip(name.bytes()) {
        let is_wanted = within(exprs, *byte, (wanted, wanted));
        same = exprs.and(same, is_wanted);
    }
    same
}

/// The condition that a byte is in a range.
fn within(exprs: &mut Exprs, byte: Expr, (low, high): (u8, u8)) -> Cond {
    let (low, high) = (exprs.constant(Const::I32(low.into())), exprs.constant(Const::I32(high.into())));
    let (above, below) = (exprs.relate(Rel::Ge, byte, low), exprs.relate(Rel::Le, byte, high));
    exprs.and(above, below)
}

/// The characters of UTF-8 by the ranges of their bytes, as the Unicode standard has them (table 3-7).
const CHARACTERS: [&[(u8, u8)]; 9] = [
    &[(0, 0x7f)],
    &[(0xc2, 0xdf), (0x80, 0xbf)],
    &[(0xe0, 0xe0), (0xa0, 0xbf), (0x80, 0xbf)],
    &[(0xe1, 0xec), (0x80, 0xbf), (0x80, 0xbf)],
    &[(0xed, 0xed), (0x80, 0x9f), (0x80, 0xbf)],
    &[(0xee, 0xef), (0x80, 0xbf), (0x80, 0xbf)],
    &[(0xf0, 0xf0), (0x90, 0xbf), (0x80, 0xbf), (0x80, 0xbf)],
    &[(0xf1, 0xf3), (0x80, 0xbf), (0x80, 0xbf), (0x80, 0xbf)],
    &[(0xf4, 0xf4), (0x80, 0x8f), (0x80, 0xbf), (0x80, 0xbf)],
];

/// The condition that bytes are UTF-8, from the last byte to the first.
fn is_utf8(exprs: &mut Exprs, bytes: &[Expr]) -> Cond {
    let mut valid = vec![Cond::FALSE; bytes.len() + 1];
    valid[bytes.len()] = Cond::TRUE;
    for at in (0..bytes.len()).rev() {
        for character in CHARACTERS {
            let Some(&rest) = valid.get(at + character.len()) else { continue };
            let mut one = rest;
            for (byte, range) in bytes[at..].iter().zip(character) {
                let fits = within(exprs, *byte, *range);
                one = exprs.and(one, fits);
            }
            valid[at] = exprs.or(valid[at], one);
        }
    }
    valid[0]
}
