//! Files in memory: a tree as a sorted map from paths to nodes.
//!
//! A node lives on while a descriptor has it, though its name may be gone. Node numbers are given in the
//! order of creation, the root first; they are WASI's inode numbers less one.

use super::{Changes, Errno};
use std::collections::BTreeMap;

/// The number of a node.
pub(super) type NodeId = usize;

/// The root folder.
pub(super) const ROOT: NodeId = 0;

/// What each name costs of the room for files.
const NAME_BYTES: usize = 64;

/// A file with its content, or a folder.
#[derive(Clone, Debug)]
pub(super) enum Node {
    File(Vec<u8>),
    Folder,
}

/// The tree.
#[derive(Clone, Debug)]
pub(super) struct Files {
    nodes: Vec<Node>,
    /// Paths without a slash at either end; the root is the empty path.
    names: BTreeMap<String, NodeId>,
    /// Bytes that may still be written.
    room: usize,
}

/// A path that was resolved.
pub(super) struct Found {
    pub(super) path: String,
    pub(super) node: Option<NodeId>,
    /// The path ended with a slash: only a folder can be meant.
    pub(super) is_folder: bool,
}

impl Files {
    pub(super) fn new(room: usize) -> Files {
        let names = BTreeMap::from([(String::new(), ROOT)]);
        Files { nodes: vec![Node::Folder], names, room }
    }

    /// Takes bytes of the room that is left.
    pub(super) fn take_room(&mut self, bytes: usize) -> Result<(), Errno> {
        self.room = self.room.checked_sub(bytes).ok_or(Errno::NOSPC)?;
        Ok(())
    }

    /// Whether so many bytes may still be written.
    pub(super) fn has_room(&self, bytes: usize) -> Result<(), Errno> {
        if bytes <= self.room { Ok(()) } else { Err(Errno::NOSPC) }
    }

    /// Makes a file of the test's world, with the folders above it; a path with a slash at its end is a
    /// folder.
    pub(super) fn provide(&mut self, path: &str, content: &[u8]) -> Result<(), Errno> {
        let clean = path.trim_matches('/');
        for (at, _) in clean.match_indices('/') {
            match self.names.get(&clean[..at]) {
                None => self.add(clean[..at].to_string(), Node::Folder)?,
                Some(&node) if self.is_folder(node) => node,
                Some(_) => return Err(Errno::NOTDIR),
            };
        }
        let is_odd = |part: &str| matches!(part, "" | "." | "..");
        if clean.split('/').any(is_odd) || self.names.contains_key(clean) {
            return Err(Errno::EXIST);
        }
        let node = if path.ends_with('/') { Node::Folder } else { Node::File(content.to_vec()) };
        self.add(clean.to_string(), node).map(|_| ())
    }

    /// Adds a node under a path that is free.
    pub(super) fn add(&mut self, path: String, node: Node) -> Result<NodeId, Errno> {
        self.take_room(path.len() + NAME_BYTES)?;
        self.nodes.push(node);
        self.names.insert(path, self.nodes.len() - 1);
        Ok(self.nodes.len() - 1)
    }

    pub(super) fn is_folder(&self, node: NodeId) -> bool {
        matches!(self.nodes.get(node), Some(Node::Folder))
    }

    /// The content of a file.
    pub(super) fn content(&self, node: NodeId) -> Result<&[u8], Errno> {
        match self.nodes.get(node) {
            Some(Node::File(content)) => Ok(content),
            _ => Err(Errno::ISDIR),
        }
    }

    /// The size of a node: 0 for folders.
    pub(super) fn size(&self, node: NodeId) -> u64 {
        self.content(node).map_or(0, |content| content.len() as u64)
    }

    /// Writes into a file; zeros fill a gap before the place.
    pub(super) fn write(&mut self, node: NodeId, at: u64, bytes: &[u8]) -> Result<(), Errno> {
        let end = at.checked_add(bytes.len() as u64).ok_or(Errno::NOSPC)?;
        if end > self.size(node) && !bytes.is_empty() {
            self.resize(node, end)?;
        }
        if let Some(Node::File(content)) = self.nodes.get_mut(node)
            && !bytes.is_empty()
        {
            content[at as usize..end as usize].copy_from_slice(bytes);
        }
        Ok(())
    }

    /// Cuts a file off, or appends zeros to it.
    pub(super) fn resize(&mut self, node: NodeId, size: u64) -> Result<(), Errno> {
        let added = size.saturating_sub(self.size(node));
        self.take_room(usize::try_from(added).map_err(|_| Errno::NOSPC)?)?;
        match self.nodes.get_mut(node) {
            Some(Node::File(content)) => content.resize(size as usize, 0),
            _ => return Err(Errno::ISDIR),
        }
        Ok(())
    }

    /// The path of a folder, as long as it has one.
    pub(super) fn path_of(&self, node: NodeId) -> Result<&str, Errno> {
        let named = self.names.iter().find(|(_, named)| **named == node);
        named.map(|(path, _)| path.as_str()).ok_or(Errno::NOENT)
    }

    /// Whether a node still has a name.
    pub(super) fn has_name(&self, node: NodeId) -> bool {
        self.names.values().any(|named| *named == node)
    }

    /// Resolves a path from a folder. Every part but the last has to be a folder that exists; `..` above the
    /// root is PERM.
    pub(super) fn resolve(&self, from: NodeId, path: &str) -> Result<Found, Errno> {
        if path.is_empty() {
            return Err(Errno::NOENT);
        }
        let mut at = if path.starts_with('/') { String::new() } else { self.path_of(from)?.to_string() };
        for part in path.split('/').filter(|part| !matches!(*part, "" | ".")) {
            let node = self.names.get(&at).ok_or(Errno::NOENT)?;
            if !self.is_folder(*node) {
                return Err(Errno::NOTDIR);
            }
            if part == ".." {
                if at.is_empty() {
                    return Err(Errno::PERM);
                }
                at.truncate(at.rfind('/').unwrap_or(0));
            } else {
                if !at.is_empty() {
                    at.push('/');
                }
                at.push_str(part);
            }
        }
        let node = self.names.get(&at).copied();
        let is_folder = path.ends_with('/');
        if is_folder && node.is_some_and(|node| !self.is_folder(node)) {
            return Err(Errno::NOTDIR);
        }
        Ok(Found { path: at, node, is_folder })
    }

    /// The names directly in a folder with their nodes, sorted by bytes.
    pub(super) fn list(&self, folder: NodeId) -> Result<Vec<(String, NodeId)>, Errno> {
        let path = self.path_of(folder)?;
        let prefix = if path.is_empty() { String::new() } else { format!("{path}/") };
        let inside = self.names.range(prefix.clone()..).take_while(|(name, _)| name.starts_with(&prefix));
        let direct = inside.filter_map(|(name, node)| {
            let rest = &name[prefix.len()..];
            (!rest.is_empty() && !rest.contains('/')).then(|| (rest.to_string(), *node))
        });
        let mut names: Vec<(String, NodeId)> = direct.collect();
        names.sort();
        Ok(names)
    }

    /// Takes a name away.
    pub(super) fn forget(&mut self, path: &str) {
        self.names.remove(path);
    }

    /// Gives a node another path, and all that lies below it.
    pub(super) fn rename(&mut self, from: &str, to: &str) {
        let prefix = format!("{from}/");
        let is_moved = |name: &String| name == from || name.starts_with(&prefix);
        let moved: Vec<String> = self.names.keys().filter(|name| is_moved(name)).cloned().collect();
        for name in moved {
            if let Some(node) = self.names.remove(&name) {
                self.names.insert(format!("{to}{}", &name[from.len()..]), node);
            }
        }
    }

    /// Which files differ from those of a list.
    pub(super) fn changes(&self, before: &[(String, Vec<u8>)]) -> Changes {
        let clean = |path: &str| path.trim_matches('/').to_string();
        let old: BTreeMap<String, &[u8]> = before
            .iter()
            .filter(|(path, _)| !path.ends_with('/'))
            .map(|(path, content)| (clean(path), content.as_slice()))
            .collect();
        let mut changes = Changes::new();
        for (path, node) in &self.names {
            if let Some(Node::File(content)) = self.nodes.get(*node)
                && old.get(path).is_none_or(|before| *before != content.as_slice())
            {
                changes.push((path.clone(), Some(content.clone())));
            }
        }
        let is_file = |path: &String| self.names.get(path).is_some_and(|node| !self.is_folder(*node));
        changes.extend(old.keys().filter(|path| !is_file(path)).map(|path| (path.clone(), None)));
        changes.sort();
        changes
    }
}
