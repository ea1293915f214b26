//! A JDK's `lib/modules`: all its classes and resources in one file.
//!
//! The file is a perfect hash table: a header, redirections (one per slot), offsets of location
//! attributes, the attributes themselves, the strings they refer to, then the contents. A path
//! `/module/package/Name.class` is hashed; its slot's redirection is a second seed, or the slot itself,
//! or marks an empty slot. The pseudo-resource `/packages/java.util` names the module that holds a
//! package. Nothing but the header is read when an image is opened; a look-up costs about six small
//! reads, and packages are remembered.

use crate::path::{Found, Origin};
use crate::source::{PathError, Source};
use std::cell::RefCell;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::Path;
use std::sync::Arc;

const MAGIC: u32 = 0xCAFE_DADA;
const HEADER: u64 = 28;
const SEED: u32 = 0x0100_0193;
/// A string of the image is a piece of a path; none is nearly as long.
const LONGEST: u64 = 1 << 12;
/// The header in front of a compressed resource.
const COMPRESSED: u32 = 0xCAFE_FAFA;
const COMPRESSED_HEADER: u64 = 29;
/// No resource of a JDK is nearly as large.
const LARGEST: u64 = 1 << 28;

/// An open image.
pub struct Jimage {
    source: Source,
    order: Order,
    slots: u32,
    redirect: u64,
    offsets: u64,
    locations: u64,
    strings: u64,
    contents: u64,
    /// Package (`java/util`) -> the module that holds its classes.
    modules: RefCell<HashMap<Arc<str>, Option<Arc<str>>>>,
}

/// A class that a JDK has.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Listed {
    /// The module it is in.
    pub module: Arc<str>,
    /// Its internal name.
    pub name: Arc<str>,
}

/// Images are written in the byte order of the machine they are for.
#[derive(Clone, Copy)]
enum Order {
    Little,
    Big,
}

/// The image's record of one resource.
#[derive(Default)]
struct Location {
    module: u64,
    parent: u64,
    base: u64,
    extension: u64,
    offset: u64,
    compressed: u64,
    size: u64,
}

impl Jimage {
    /// Opens an image file.
    pub fn open(path: &Path) -> Result<Jimage, PathError> {
        Jimage::from_source(Source::open(path)?)
    }

    /// An image in memory.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Jimage, PathError> {
        Jimage::from_source(Source::Memory(bytes))
    }

    fn from_source(source: Source) -> Result<Jimage, PathError> {
        let header = source.read(0, HEADER.min(source.size()))?;
        let word = |order: Order, i: usize| {
            header.get(i * 4..i * 4 + 4).map_or(0, |b| order.u32([b[0], b[1], b[2], b[3]]))
        };
        let order = if word(Order::Little, 0) == MAGIC { Order::Little } else { Order::Big };
        if word(order, 0) != MAGIC || header.len() < HEADER as usize {
            return Err(source.error("not a module image"));
        }
        let version = word(order, 1);
        if version != 0x1_0000 {
            let what = format!("module image version {}.{} is not known", version >> 16, version & 0xFFFF);
            return Err(source.error(what));
        }
        let (slots, locations_size, strings_size) = (word(order, 4), word(order, 5), word(order, 6));
        let offsets = HEADER + u64::from(slots) * 4;
        let locations = offsets + u64::from(slots) * 4;
        let strings = locations + u64::from(locations_size);
        let contents = strings + u64::from(strings_size);
        if contents > source.size() {
            return Err(source.error("damaged: its index is longer than the file"));
        }
        let modules = RefCell::default();
        Ok(Jimage { source, order, slots, redirect: HEADER, offsets, locations, strings, contents, modules })
    }

    /// Finds a class by internal name.
    pub fn find(&self, name: &str) -> Result<Option<Found>, PathError> {
        let package = name.rsplit_once('/').map_or("", |(package, _)| package);
        let Some(module) = self.module(package)? else { return Ok(None) };
        let bytes = self.resource(&format!("/{module}/{name}.class"))?;
        Ok(bytes.map(|bytes| Found { bytes, origin: Origin::Jdk(module) }))
    }

    /// The module whose classes are in `package` (`java/util`).
    pub fn module(&self, package: &str) -> Result<Option<Arc<str>>, PathError> {
        if let Some(known) = self.modules.borrow().get(package) {
            return Ok(known.clone());
        }
        let mut module = None;
        // Pairs of words: whether the module has the package without classes, and the module's name.
        let pairs = self.resource(&format!("/packages/{}", package.replace('/', ".")))?.unwrap_or_default();
        for pair in pairs.chunks_exact(8) {
            let empty = self.order.u32([pair[0], pair[1], pair[2], pair[3]]);
            let name = self.order.u32([pair[4], pair[5], pair[6], pair[7]]);
            if empty & 1 == 0 {
                module = Some(Arc::from(self.string(u64::from(name))?));
                break;
            }
        }
        self.modules.borrow_mut().insert(package.into(), module.clone());
        Ok(module)
    }

    /// A resource by its full path, `/java.base/java/lang/Object.class`.
    pub fn resource(&self, path: &str) -> Result<Option<Vec<u8>>, PathError> {
        if self.slots == 0 {
            return Ok(None);
        }
        let first = hash(path, SEED) % self.slots;
        let redirection = self.word(self.redirect, first)? as i32;
        let slot = match redirection {
            0 => return Ok(None),
            seed if seed > 0 => hash(path, seed as u32) % self.slots,
            direct => (-1 - direct) as u32,
        };
        if slot >= self.slots {
            return Err(self.source.error("damaged: a redirection leads nowhere"));
        }
        let location = self.location(self.word(self.offsets, slot)?)?;
        if self.path(&location)? == path { self.content(&location).map(Some) } else { Ok(None) }
    }

    /// The internal names of all classes, with their modules, sorted by module and name.
    pub fn classes(&self) -> Result<Vec<Listed>, PathError> {
        if let Source::File { .. } = self.source {
            // All of the index is needed: one read instead of a hundred thousand.
            return Jimage::from_bytes(self.source.read(0, self.contents)?)?.classes();
        }
        let mut modules: HashMap<u64, Arc<str>> = HashMap::new();
        let mut found = Vec::new();
        for slot in 0..self.slots {
            let location = self.location(self.word(self.offsets, slot)?)?;
            if location.module == 0 || self.string(location.extension)? != "class" {
                continue;
            }
            let module = match modules.entry(location.module) {
                Entry::Occupied(known) => known.get().clone(),
                Entry::Vacant(new) => new.insert(self.string(location.module)?.into()).clone(),
            };
            let (parent, base) = (self.string(location.parent)?, self.string(location.base)?);
            let name = if parent.is_empty() { base } else { parent + "/" + &base };
            found.push(Listed { module, name: name.into() });
        }
        found.sort();
        Ok(found)
    }

    fn word(&self, table: u64, index: u32) -> Result<u32, PathError> {
        let bytes = self.source.read(table + u64::from(index) * 4, 4)?;
        Ok(self.order.u32([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }

    /// Attributes are a kind and a length in one byte, then the value, big end first; kind 0 ends them.
    fn location(&self, at: u32) -> Result<Location, PathError> {
        let start = self.locations + u64::from(at);
        let most = 7 * 9 + 1;
        let bytes = self.source.read(start, self.strings.saturating_sub(start).min(most))?;
        let mut location = Location::default();
        let mut rest = &bytes[..];
        while let Some((&head, after)) = rest.split_first() {
            let size = usize::from(head & 7) + 1;
            if head >> 3 == 0 {
                return Ok(location);
            }
            let Some((value, after)) = after.split_at_checked(size) else { break };
            let value = value.iter().fold(0, |sum, &b| sum << 8 | u64::from(b));
            match head >> 3 {
                1 => location.module = value,
                2 => location.parent = value,
                3 => location.base = value,
                4 => location.extension = value,
                5 => location.offset = value,
                6 => location.compressed = value,
                7 => location.size = value,
                _ => break,
            }
            rest = after;
        }
        Err(self.source.error("damaged: the place of a resource cannot be read"))
    }

    /// The string at an offset: modified UTF-8 up to a zero byte.
    fn string(&self, at: u64) -> Result<String, PathError> {
        let start = self.strings.saturating_add(at);
        let most = self.contents.saturating_sub(start).min(LONGEST);
        let mut size = most.min(64);
        loop {
            let mut bytes = self.source.read(start, size)?;
            if let Some(end) = bytes.iter().position(|&b| b == 0) {
                bytes.truncate(end);
                return String::from_utf8(bytes).map_err(|_| self.source.error("damaged: a name is no text"));
            }
            if size == most {
                return Err(self.source.error("damaged: a name has no end"));
            }
            size = most.min(size * 8);
        }
    }

    fn path(&self, location: &Location) -> Result<String, PathError> {
        let mut path = String::new();
        if location.module != 0 {
            path = format!("/{}/", self.string(location.module)?);
        }
        if location.parent != 0 {
            path += &self.string(location.parent)?;
            path.push('/');
        }
        path += &self.string(location.base)?;
        if location.extension != 0 {
            path.push('.');
            path += &self.string(location.extension)?;
        }
        Ok(path)
    }

    fn content(&self, location: &Location) -> Result<Vec<u8>, PathError> {
        let at = self.contents.saturating_add(location.offset);
        if location.compressed == 0 {
            return self.source.read(at, location.size);
        }
        let mut bytes = self.source.read(at, location.compressed)?;
        // Compressors are stacked: each left a header in front of its result.
        while bytes.len() as u64 >= COMPRESSED_HEADER {
            let word = |i: usize| self.order.u32([bytes[i], bytes[i + 1], bytes[i + 2], bytes[i + 3]]);
            if word(0) != COMPRESSED {
                break;
            }
            let size = u64::from(word(12)).min(LARGEST) as usize;
            let name = self.string(u64::from(word(20)))?;
            if name != "zip" {
                let what = format!("resources are compressed with '{name}', which is not supported");
                return Err(self.source.error(what));
            }
            let packed = &bytes[COMPRESSED_HEADER as usize..];
            bytes = miniz_oxide::inflate::decompress_to_vec_zlib_with_limit(packed, size)
                .map_err(|e| self.source.error(format!("damaged: {e}")))?;
        }
        Ok(bytes)
    }
}

impl Order {
    fn u32(self, bytes: [u8; 4]) -> u32 {
        match self {
            Order::Little => u32::from_le_bytes(bytes),
            Order::Big => u32::from_be_bytes(bytes),
        }
    }
}

fn hash(path: &str, seed: u32) -> u32 {
    path.bytes().fold(seed, |hash, b| hash.wrapping_mul(SEED) ^ u32::from(b)) & 0x7FFF_FFFF
}
