//! Zip archives, as far as jars and jmods need them: the central directory, stored
//! and deflated entries, zip64.
//!
//! A jmod is a zip behind four bytes of its own, an executable jar may stand behind a shell script: offsets
//! are counted from where the archive turns out to begin.

use crate::source::{PathError, Source};
use std::collections::HashMap;
use std::path::Path;

const END: u32 = 0x0605_4B50;
const END_64: u32 = 0x0606_4B50;
const LOCATOR_64: u32 = 0x0706_4B50;
const ENTRY: u32 = 0x0201_4B50;
const LOCAL: u32 = 0x0403_4B50;
/// Entries that grow beyond this are refused: no class or manifest is nearly as large.
const LARGEST: u64 = 1 << 28;

/// An open archive: its directory is in memory, its contents are not.
pub struct Zip {
    source: Source,
    /// How many bytes stand before the archive.
    start: u64,
    entries: HashMap<Box<str>, Entry>,
}

struct Entry {
    method: u16,
    crc: u32,
    packed: u64,
    size: u64,
    offset: u64,
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    bytes.get(at..at + 2).map_or(0, |b| u16::from_le_bytes([b[0], b[1]]))
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..at + 4).map_or(0, |b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]))
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from(u32_at(bytes, at)) | u64::from(u32_at(bytes, at + 4)) << 32
}

impl Zip {
    /// Opens an archive file.
    pub fn open(path: &Path) -> Result<Zip, PathError> {
        Zip::from_source(Source::open(path)?)
    }

    /// An archive in memory.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Zip, PathError> {
        Zip::from_source(Source::Memory(bytes))
    }

    fn from_source(source: Source) -> Result<Zip, PathError> {
        let size = source.size();
        // The end record has 22 bytes and a comment of at most 64 KB.
        let tail_start = size.saturating_sub(22 + 0xFFFF);
        let tail = source.read(tail_start, size - tail_start)?;
        let end = (0..tail.len().saturating_sub(21))
            .rev()
            .find(|&i| u32_at(&tail, i) == END && i + 22 + usize::from(u16_at(&tail, i + 20)) <= tail.len())
            .ok_or_else(|| source.error("not a zip archive"))?;
        let mut directory_size = u64::from(u32_at(&tail, end + 12));
        let mut directory = u64::from(u32_at(&tail, end + 16));
        let mut end_at = tail_start + end as u64;
        if end >= 20 && u32_at(&tail, end - 20) == LOCATOR_64 {
            // The wider end record stands right before its locator, 56 bytes long in every
            // archive without extensions.
            end_at = end_at.saturating_sub(76);
            let wide = source.read(end_at, 56)?;
            if u32_at(&wide, 0) != END_64 {
                return Err(source.error("damaged: its zip64 end record is missing"));
            }
            directory_size = u64_at(&wide, 40);
            directory = u64_at(&wide, 48);
        }
        let start = end_at
            .checked_sub(directory_size)
            .and_then(|real| real.checked_sub(directory))
            .ok_or_else(|| source.error("damaged: its directory begins before the file"))?;
        let bytes = source.read(start + directory, directory_size)?;
        let entries = read_directory(&bytes).ok_or_else(|| source.error("damaged: its directory"))?;
        Ok(Zip { source, start, entries })
    }

    /// Whether there is an entry of that name.
    pub fn contains(&self, name: &str) -> bool {
        self.entries.contains_key(name)
    }

    /// The names of all entries, in no order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.keys().map(|name| &**name)
    }

    /// The content of an entry, checked against its sum.
    pub fn find(&self, name: &str) -> Result<Option<Vec<u8>>, PathError> {
        let Some(entry) = self.entries.get(name) else { return Ok(None) };
        let damaged = |what: &str| self.source.error(format!("damaged: entry '{name}' {what}"));
        let at = self.start.saturating_add(entry.offset);
        let local = self.source.read(at, 30)?;
        if u32_at(&local, 0) != LOCAL {
            return Err(damaged("is not where the directory says"));
        }
        let skip = 30 + u64::from(u16_at(&local, 26)) + u64::from(u16_at(&local, 28));
        let packed = self.source.read(at + skip, entry.packed)?;
        let bytes = match entry.method {
            0 => packed,
            8 if entry.size <= LARGEST => {
                miniz_oxide::inflate::decompress_to_vec_with_limit(&packed, entry.size as usize)
                    .map_err(|_| damaged("does not unpack"))?
            }
            8 => return Err(damaged("is too large")),
            other => return Err(damaged(&format!("is packed with method {other}, which is not supported"))),
        };
        if bytes.len() as u64 != entry.size || crc32(&bytes) != entry.crc {
            return Err(damaged("does not match its sum"));
        }
        Ok(Some(bytes))
    }
}

fn read_directory(mut bytes: &[u8]) -> Option<HashMap<Box<str>, Entry>> {
    let mut entries = HashMap::new();
    while u32_at(bytes, 0) == ENTRY {
        let sizes = [28, 30, 32].map(|at| usize::from(u16_at(bytes, at)));
        let name = bytes.get(46..46 + sizes[0])?;
        let extra = bytes.get(46 + sizes[0]..46 + sizes[0] + sizes[1])?;
        let mut entry = Entry {
            method: u16_at(bytes, 10),
            crc: u32_at(bytes, 16),
            packed: u64::from(u32_at(bytes, 20)),
            size: u64::from(u32_at(bytes, 24)),
            offset: u64::from(u32_at(bytes, 42)),
        };
        widen(&mut entry, extra);
        entries.insert(String::from_utf8_lossy(name).into(), entry);
        bytes = bytes.get(46 + sizes.iter().sum::<usize>()..)?;
    }
    Some(entries)
}

/// Zip64: numbers that do not fit into 32 bits stand in the extra field 1, in this order.
fn widen(entry: &mut Entry, mut extra: &[u8]) {
    while extra.len() >= 4 {
        let size = usize::from(u16_at(extra, 2));
        if u16_at(extra, 0) == 1 {
            let mut at = 4;
            for field in [&mut entry.size, &mut entry.packed, &mut entry.offset] {
                if *field == 0xFFFF_FFFF && at + 8 <= 4 + size {
                    *field = u64_at(extra, at);
                    at += 8;
                }
            }
        }
        extra = extra.get(4 + size..).unwrap_or_default();
    }
}

/// The sum of zip archives (IEEE 802.3), by a table of bytes.
pub fn crc32(bytes: &[u8]) -> u32 {
    const TABLE: [u32; 256] = {
        let mut table = [0; 256];
        let mut i = 0;
        while i < 256 {
            let mut sum = i as u32;
            let mut bit = 0;
            while bit < 8 {
                sum = if sum & 1 == 1 { sum >> 1 ^ 0xEDB8_8320 } else { sum >> 1 };
                bit += 1;
            }
            table[i] = sum;
            i += 1;
        }
        table
    };
    !bytes.iter().fold(!0, |sum, &b| sum >> 8 ^ TABLE[((sum ^ u32::from(b)) & 0xFF) as usize])
}
