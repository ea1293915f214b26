//! Packs: a whole store in one file, for CI artifacts, git and mail.
//!
//! Entries are sorted by key, each with its origin, and nothing else goes in (no day, no host), so equal
//! stores make equal packs. A checksum at the end covers every byte; importing checks it before the first
//! entry is put, so half a pack changes nothing. The layout is drawn in `docs/store-format.md`.
//!
//! A checksum is no signature: a process that can write the file can write any answer into it. So the entries
//! of a pack count as imported, unless the caller vouches for the file.
//!
//! Packs of format 1 are read and counted, and nothing is taken from them: see `envelope`.

use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::ops::ControlFlow;

use xxhash_rust::xxh3::Xxh3Default;

use crate::envelope::FIRST_VERSION;
use crate::merge::Resolve;
use crate::{ErrorKind, FORMAT_VERSION, Key, MAX_VALUE_BYTES, Merged, Origin, Store, StoreError, Taking};

const MAGIC: &[u8; 8] = b"evg-pack";
const ENTRY: u8 = 1;
const END: u8 = 0;
const CHUNK_KEYS: usize = 256;

/// Writes all entries of a store to `out`; `place` names it in messages. Returns the number of entries.
pub fn export(store: &dyn Store, place: &str, out: impl Write) -> Result<u64, StoreError> {
    let mut keys = Vec::new();
    store.visit(&mut |key, _| {
        keys.push(*key);
        ControlFlow::Continue(())
    })?;
    keys.sort_unstable();
    let failed = |error: io::Error| StoreError::io(place, "write the pack", &error);
    let mut out = begin(BufWriter::new(out)).map_err(failed)?;
    let mut count: u64 = 0;
    for chunk in keys.chunks(CHUNK_KEYS) {
        for (key, found) in chunk.iter().zip(store.get_many_from(chunk)?) {
            // Removed since, or evicted.
            let Some((value, origin)) = found else { continue };
            count += 1;
            write_entry(&mut out, key, &value, origin).map_err(failed)?;
        }
    }
    finish(&mut out, count).map_err(failed)?;
    Ok(count)
}

/// The bytes of a pack of some entries, whose keys rise.
#[cfg(feature = "cloud")]
pub(crate) fn encode<'a>(entries: impl Iterator<Item = (&'a Key, &'a [u8], Origin)>) -> Vec<u8> {
    let write = || {
        let mut out = begin(Vec::new())?;
        let mut count: u64 = 0;
        for (key, value, origin) in entries {
            count += 1;
            write_entry(&mut out, key, value, origin)?;
        }
        finish(&mut out, count)?;
        Ok::<_, io::Error>(out.inner)
    };
    write().expect("a vector takes every byte")
}

fn begin<W: Write>(inner: W) -> io::Result<Summing<W>> {
    let mut out = Summing { inner, sum: Xxh3Default::new() };
    out.write_all(MAGIC)?;
    out.write_all(&FORMAT_VERSION.to_le_bytes())?;
    out.write_all(&[0; 4])?;
    Ok(out)
}

fn write_entry(out: &mut impl Write, key: &Key, value: &[u8], origin: Origin) -> io::Result<()> {
    out.write_all(&[ENTRY, origin.mark()])?;
    out.write_all(&key.0)?;
    out.write_all(&(value.len() as u32).to_le_bytes())?;
    out.write_all(value)
}

fn finish<W: Write>(out: &mut Summing<W>, count: u64) -> io::Result<()> {
    out.write_all(&[END])?;
    out.write_all(&count.to_le_bytes())?;
    let sum = out.sum.digest();
    out.inner.write_all(&sum.to_le_bytes())?;
    out.inner.flush()
}

/// Puts all entries of a pack into a store, after checking the whole pack. Where the store has another value
/// for a key, `resolve(key, old, new)` decides, unless only one of them was found here: then that one stays.
/// From a pack of an earlier format nothing is taken.
pub fn import(
    store: &dyn Store,
    place: &str,
    mut pack: impl Read + Seek,
    taking: Taking<'_>,
    resolve: Resolve<'_>,
) -> Result<Merged, StoreError> {
    let failed = |error: io::Error| StoreError::io(place, "read the pack", &error);
    let start = pack.stream_position().map_err(failed)?;
    let mut check = PackReader::new(place, &mut pack)?;
    while check.entry()?.is_some() {}
    if check.is_old() {
        return Ok(Merged { old: check.count, ..Merged::default() });
    }
    pack.seek(io::SeekFrom::Start(start)).map_err(failed)?;
    let mut reader = PackReader::new(place, &mut pack)?;
    let mut merged = Merged::default();
    while let Some(PackEntry { key, value, origin }) = reader.entry()? {
        merged.entry(store, (&key, &value, origin), taking, resolve)?;
    }
    store.flush()?;
    Ok(merged)
}

/// An entry of a pack.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackEntry {
    /// Its key.
    pub key: Key,
    /// Its value.
    pub value: Vec<u8>,
    /// The origin of the entry in the exported store, as the pack records it.
    pub origin: Origin,
}

/// Reads a pack entry by entry, checking as it goes.
pub struct PackReader<R: Read> {
    place: String,
    version: u32,
    pack: Summing<BufReader<R>>,
    last: Option<Key>,
    count: u64,
    ended: bool,
}

impl<R: Read> PackReader<R> {
    /// Begins to read a pack; `place` names it in messages.
    pub fn new(place: &str, pack: R) -> Result<PackReader<R>, StoreError> {
        let pack = Summing { inner: BufReader::new(pack), sum: Xxh3Default::new() };
        let mut reader =
            PackReader { place: place.to_owned(), version: 0, pack, last: None, count: 0, ended: false };
        let not_a_pack = |place: &str| StoreError::new(ErrorKind::Foreign, place, "not an evergreen pack");
        let magic: [u8; 8] = reader.array().map_err(|_| not_a_pack(place))?;
        if magic != *MAGIC {
            return Err(not_a_pack(place));
        }
        reader.version = u32::from_le_bytes(reader.array()?);
        if !(FIRST_VERSION..=FORMAT_VERSION).contains(&reader.version) {
            let version = reader.version;
            let message = format!("the pack has format '{version}', this evergreen knows '{FORMAT_VERSION}'");
            return Err(StoreError::new(ErrorKind::Newer, place, message).help("use a newer evergreen"));
        }
        if reader.array::<4>()? != [0; 4] {
            return Err(reader.damaged("the reserved bytes are not zero"));
        }
        Ok(reader)
    }

    /// Whether the pack is of an earlier format, whose entries are not to be used.
    pub fn is_old(&self) -> bool {
        self.version < FORMAT_VERSION
    }

    /// The next entry; `None` after the last one, when the checksum was right.
    pub fn entry(&mut self) -> Result<Option<PackEntry>, StoreError> {
        if self.ended {
            return Ok(None);
        }
        match self.array::<1>()? {
            [ENTRY] => {}
            [END] => return self.end().map(|()| None),
            [tag] => return Err(self.damaged(&format!("no entry begins with '{tag}'"))),
        }
        // Format 1 knew no origins.
        let mark = if self.is_old() { Origin::Imported.mark() } else { self.array::<1>()?[0] };
        let Some(origin) = Origin::from_mark(mark) else {
            return Err(self.damaged(&format!("no entry has the origin '{mark}'")));
        };
        let key = Key(self.array()?);
        if self.last.is_some_and(|last| last >= key) {
            return Err(self.damaged("keys out of order"));
        }
        let length = u32::from_le_bytes(self.array()?) as usize;
        if length > MAX_VALUE_BYTES {
            return Err(self.damaged("a value longer than any"));
        }
        let mut value = Vec::new();
        // `take`, so that only bytes that are there cost memory.
        let read = (&mut self.pack).take(length as u64).read_to_end(&mut value);
        if read.map_err(|error| self.io(&error))? != length {
            return Err(self.damaged("it ends in the middle of an entry"));
        }
        self.last = Some(key);
        self.count += 1;
        Ok(Some(PackEntry { key, value, origin }))
    }

    fn end(&mut self) -> Result<(), StoreError> {
        let count = u64::from_le_bytes(self.array()?);
        let sum = self.pack.sum.digest();
        let stored = u64::from_le_bytes(self.array()?);
        if sum != stored || count != self.count {
            return Err(self.damaged("the checksum is wrong"));
        }
        if self.pack.read(&mut [0]).map_err(|error| self.io(&error))? != 0 {
            return Err(self.damaged("bytes after the end"));
        }
        self.ended = true;
        Ok(())
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], StoreError> {
        let mut bytes = [0; N];
        match self.pack.read_exact(&mut bytes) {
            Ok(()) => Ok(bytes),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                Err(self.damaged("it ends too early"))
            }
            Err(error) => Err(self.io(&error)),
        }
    }

    fn damaged(&self, what: &str) -> StoreError {
        let error = StoreError::new(ErrorKind::Damaged, &self.place, format!("the pack is damaged: {what}"));
        error.help("export it again; nothing was imported")
    }

    fn io(&self, error: &io::Error) -> StoreError {
        StoreError::io(&self.place, "read the pack", error)
    }
}

/// Sums the bytes that pass through.
struct Summing<T> {
    inner: T,
    sum: Xxh3Default,
}

impl<W: Write> Write for Summing<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.inner.write(bytes)?;
        self.sum.update(&bytes[..count]);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

impl<R: Read> Read for Summing<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(bytes)?;
        self.sum.update(&bytes[..count]);
        Ok(count)
    }
}
