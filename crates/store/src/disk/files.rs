//! The files of a disk store: looking up and walking. Writing is in `write`.

use std::collections::HashSet;
use std::fs::File;
use std::hash::BuildHasherDefault;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use xxhash_rust::xxh3::xxh3_64;

use super::environment::Failure;
use super::journal::{Journal, leads_to};
use super::pages::{Keep, Pages};
use super::snapshot::{Entry, Snapshot, Step, Trouble};
use super::write::Writer;
use crate::envelope::{self, FIRST_VERSION, FORMAT_VERSION, Sealed};
use crate::memory::lock;
use crate::safety::Guard;
use crate::{Bucket, Bytes, ErrorKind, Key, Origin, StoreError};

/// The entry that names the format. Longer than nothing and shorter than a key, so it is never one.
pub(super) const VERSION_KEY: &[u8] = b"evergreen.store";
/// How many entries a walk reads at a time; in between, the caller's code runs without a lock
/// or transaction on the file.
const CHUNK_ENTRIES: usize = 512;
const CHUNK_BYTES: usize = 4 << 20;
/// How often a reader begins again when writers overtake it.
const ATTEMPTS: usize = 16;

/// Two pages of the smallest size that a system has.
const MIN_FILE_BYTES: u64 = 8192;

type Touched = HashSet<Key, BuildHasherDefault<crate::key::DigestHasher>>;
/// The most days of use that wait to be written; beyond it, the oldest is dropped.
const MAX_TOUCHED: usize = 1 << 16;

pub(super) struct Files {
    pub(super) directory: PathBuf,
    pub(super) data: PathBuf,
    pub(super) guard: Guard,
    pub(super) opened: Mutex<Option<Arc<Opened>>>,
    pub(super) writer: Mutex<Writer>,
    /// Since when a transaction waits to begin: for its turn, or inside LMDB.
    pub(super) waits_since: Mutex<Option<Instant>>,
    pub(super) touched: Mutex<Touched>,
    /// How many batches this process has committed.
    pub(super) commits: AtomicU64,
    pub(super) journal: Journal,
}

/// The data file, and its last known state.
pub(super) struct Opened {
    pub(super) file: File,
    version_checked: AtomicBool,
    /// The upper levels of the tree, as lookups met them last.
    pages: Pages,
}

impl Opened {
    /// Whether `path` still names this file: another process may have removed the
    /// store and created a new one.
    pub(super) fn is_at(&self, path: &Path) -> bool {
        leads_to(path, &self.file)
    }
}

/// The state of a key on disk.
pub(super) enum Found {
    Intact {
        value: Bytes,
        origin: Origin,
        day: u32,
    },
    /// Of an earlier format, with the bytes of its value.
    Old(u64),
    Damaged,
}

impl Found {
    fn of(sealed: Sealed<'_>) -> Found {
        match sealed {
            Sealed::Intact(opened) => {
                Found::Intact { value: Bytes::from(opened.value), origin: opened.origin, day: opened.day }
            }
            Sealed::Old(bytes) => Found::Old(bytes),
            Sealed::Damaged => Found::Damaged,
        }
    }
}

/// An entry read on a walk.
pub(super) struct Read {
    pub key: Key,
    pub bytes: u64,
    pub content: Found,
}

impl Files {
    /// Looks at a directory without changing it. Fails if the directory is not a store
    /// that this build can read.
    pub(super) fn new(directory: PathBuf, guard: Guard) -> Result<Files, StoreError> {
        let files = Files {
            data: directory.join("data.mdb"),
            journal: Journal::new(directory.clone()),
            guard,
            opened: Mutex::new(None),
            writer: Mutex::new(Writer::new(&directory)),
            waits_since: Mutex::new(None),
            directory,
            touched: Mutex::default(),
            commits: AtomicU64::new(0),
        };
        // A store that is being created right now has half a head for a moment.
        let look = || files.opened()?.map_or(Ok(()), |opened| files.snapshot(&opened).map(|_| ()));
        let mut result = look();
        for _ in 0..5 {
            let young = || std::fs::metadata(&files.data).is_ok_and(|data| data.len() < MIN_FILE_BYTES);
            if result.is_ok() || !young() {
                break;
            }
            std::thread::sleep(Duration::from_millis(1));
            result = look();
        }
        result.map(|()| files)
    }

    pub(super) fn directory(&self) -> &Path {
        &self.directory
    }

    /// The data file, once it exists.
    pub(super) fn opened(&self) -> Result<Option<Arc<Opened>>, StoreError> {
        let mut opened = lock(&self.opened);
        if opened.is_none() {
            let file = match File::open(&self.data) {
                Ok(file) => file,
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
                Err(error) => return Err(StoreError::io(self.data.display(), "open the store", &error)),
            };
            let data = file
                .metadata()
                .map_err(|error| StoreError::io(self.data.display(), "open the store", &error))?;
            self.guard.check(&self.data, &data)?;
            let (version_checked, pages) = (AtomicBool::new(false), Pages::new(Keep::Branches));
            *opened = Some(Arc::new(Opened { file, version_checked, pages }));
        }
        Ok(opened.clone())
    }

    /// The newest snapshot, if anything has been stored, after a look at its format version.
    pub(super) fn snapshot<'f>(&self, opened: &'f Opened) -> Result<Option<Snapshot<'f>>, StoreError> {
        let mut attempt = 0;
        loop {
            attempt += 1;
            let snapshot = match Snapshot::newest(&opened.file) {
                Ok(Some(snapshot)) => snapshot,
                Ok(None) => return Ok(None),
                // A meta page that is being written can look like anything.
                Err(Trouble::Damaged(_)) if attempt < ATTEMPTS => continue,
                Err(Trouble::Damaged(fault)) => {
                    let message = format!("not a store, or a damaged one: {fault}");
                    let help = "move the directory away, or name another one; nothing in it was changed";
                    return Err(StoreError::new(ErrorKind::Foreign, self.data.display(), message).help(help));
                }
                Err(trouble) => return Err(self.error(trouble)),
            };
            if snapshot.meta.main.root.is_some() && !opened.version_checked.load(Ordering::Relaxed) {
                match self.check_version(&snapshot, &opened.pages) {
                    Ok(()) => opened.version_checked.store(true, Ordering::Relaxed),
                    Err(_) if !snapshot.is_newest() && attempt < ATTEMPTS => continue,
                    Err(error) => return Err(error),
                }
            }
            return Ok(Some(snapshot));
        }
    }

    fn check_version(&self, snapshot: &Snapshot<'_>, pages: &Pages) -> Result<(), StoreError> {
        let foreign = |what: &str| {
            let help = "name another directory; nothing in it was changed";
            StoreError::new(ErrorKind::Foreign, self.data.display(), what).help(help)
        };
        let found =
            snapshot.find(VERSION_KEY, pages, parse_version).map_err(|trouble| self.error(trouble))?;
        match found {
            None => Err(foreign("an LMDB file, but not an evergreen store")),
            Some(None) => Err(foreign("the format version is damaged")),
            // Entries of an earlier format lie beside those of this one, and are not opened.
            Some(Some(FIRST_VERSION..=FORMAT_VERSION)) => Ok(()),
            Some(Some(newer)) => {
                let message =
                    format!("the store has format '{newer}', this evergreen knows '{FORMAT_VERSION}'");
                let error = StoreError::new(ErrorKind::Newer, self.data.display(), message);
                Err(error.help("use a newer evergreen, or name another directory"))
            }
        }
    }

    pub(super) fn error(&self, trouble: Trouble) -> StoreError {
        match trouble {
            Trouble::Io(error) => StoreError::io(self.data.display(), "read the store", &error),
            Trouble::Damaged(fault) => {
                let error =
                    StoreError::new(ErrorKind::Damaged, self.data.display(), format!("damaged: {fault}"));
                error.help("export what is left into a pack and import that into a new store")
            }
        }
    }

    pub(super) fn failure(&self, failure: Failure) -> StoreError {
        match failure {
            Failure::File(trouble) => self.error(trouble),
            Failure::Lmdb(heed::Error::Io(error)) => {
                StoreError::io(self.directory.display(), "write to the store", &error)
            }
            Failure::Lmdb(error) => {
                let message = format!("cannot write to the store: {error}");
                StoreError::new(ErrorKind::Io, self.directory.display(), message)
            }
        }
    }

    /// Looks a key up.
    pub(super) fn find(&self, key: &Key) -> Result<Option<Found>, StoreError> {
        let Some(opened) = self.opened()? else { return Ok(None) };
        let mut attempt = 0;
        loop {
            attempt += 1;
            let Some(snapshot) = self.snapshot(&opened)? else { return Ok(None) };
            let open = |bytes: &[u8]| Found::of(envelope::unseal(key, bytes));
            let found = snapshot.find(&key.0, &opened.pages, open);
            match found {
                Ok(Some(found @ Found::Intact { .. })) => return Ok(Some(found)),
                _ if !snapshot.is_newest() && attempt < ATTEMPTS => {}
                Ok(found) => return Ok(found),
                Err(trouble) => return Err(self.error(trouble)),
            }
        }
    }

    /// The number of commits by other processes: the transactions of the file without our own. (A removal
    /// here counts as another process's, which costs a reader one needless look.)
    pub(super) fn foreign_commits(&self) -> Result<u64, StoreError> {
        let Some(opened) = self.opened()? else { return Ok(0) };
        let transactions = self.snapshot(&opened)?.map_or(0, |snapshot| snapshot.meta.transaction);
        Ok(transactions.wrapping_sub(self.commits.load(Ordering::Relaxed)))
    }

    /// Notes that a key was used today; written with the next batch.
    pub(super) fn touch(&self, key: &Key) {
        let mut touched = lock(&self.touched);
        if touched.len() < MAX_TOUCHED {
            touched.insert(*key);
        }
    }

    pub(super) fn has_touched(&self) -> bool {
        !lock(&self.touched).is_empty()
    }

    /// Reads all entries in chunks, in the order of their keys; no lock or transaction on the file while
    /// `each` runs. Returns the damage that was met.
    pub(super) fn walk(
        &self,
        each: &mut dyn FnMut(Read) -> ControlFlow<()>,
    ) -> Result<Vec<String>, StoreError> {
        let mut damage: Vec<String> = Vec::new();
        let mut after: Option<Key> = None;
        loop {
            let (chunk, more, faults) = self.chunk(after.as_ref(), None)?;
            // Damage before `after` is met again by each chunk on the way down.
            damage.extend(faults);
            after = chunk.last().map(|read| read.key).or(after);
            for read in chunk {
                if each(read).is_break() {
                    return Ok(damage);
                }
            }
            if !more {
                damage.sort();
                damage.dedup();
                return Ok(damage);
            }
        }
    }

    /// Reads all entries that lie where the members of a bucket do, in the order of their
    /// keys, and the damage met.
    pub(super) fn range(&self, bucket: &Bucket) -> Result<(Vec<Read>, Vec<String>), StoreError> {
        let (mut reads, mut damage): (Vec<Read>, _) = (Vec::new(), Vec::new());
        loop {
            let (chunk, more, faults) = self.chunk(reads.last().map(|read| &read.key), Some(bucket))?;
            reads.extend(chunk);
            damage.extend(faults);
            if !more {
                return Ok((reads, damage));
            }
        }
    }

    /// Reads the next entries behind `after`, of a bucket if one is given; whether there
    /// may be more; the damage met.
    fn chunk(
        &self,
        after: Option<&Key>,
        bucket: Option<&Bucket>,
    ) -> Result<(Vec<Read>, bool, Vec<String>), StoreError> {
        let Some(opened) = self.opened()? else { return Ok((Vec::new(), false, Vec::new())) };
        let mut attempt = 0;
        loop {
            attempt += 1;
            let Some(snapshot) = self.snapshot(&opened)? else { return Ok((Vec::new(), false, Vec::new())) };
            let (mut reads, mut bytes, mut more) = (Vec::new(), 0, false);
            let (mut faults, mut broken) = (Vec::new(), None);
            let mut each = |entry: Entry<'_>| {
                let Ok(key) = <[u8; 32]>::try_from(entry.key).map(Key) else { return Step::Continue(()) };
                if bucket.is_some_and(|bucket| !bucket.spans(&key)) {
                    return Step::Break(());
                }
                let read = entry.with(|raw| Found::of(envelope::unseal(&key, raw)));
                let content = read.unwrap_or_else(|trouble| {
                    broken = Some(trouble);
                    Found::Damaged
                });
                bytes += entry.bytes();
                let size = entry.bytes().saturating_sub(envelope::HEADER_BYTES) as u64;
                reads.push(Read { key, bytes: size, content });
                more = reads.len() >= CHUNK_ENTRIES || bytes >= CHUNK_BYTES;
                if more { Step::Break(()) } else { Step::Continue(()) }
            };
            let mut damage = |trouble| match trouble {
                Trouble::Damaged(fault) => faults.push(fault),
                trouble => faults.push(format!("{trouble:?}")),
            };
            let after = after.map(|key| &key.0[..]);
            match bucket {
                None => snapshot.walk(&snapshot.meta.main, after, &mut each, &mut damage),
                // A bucket's name sorts right before its members.
                Some(bucket) => {
                    snapshot.walk_from(after.unwrap_or(&bucket.0), &opened.pages, &mut each, &mut damage);
                }
            }
            if snapshot.is_intact() || attempt == ATTEMPTS {
                if let Some(Trouble::Damaged(fault)) = broken {
                    faults.push(fault);
                }
                return Ok((reads, more, faults));
            }
        }
    }

    /// The bytes of the data file.
    pub(super) fn size(&self) -> Result<u64, StoreError> {
        Ok(self.opened()?.and_then(|opened| opened.file.metadata().ok()).map_or(0, |data| data.len()))
    }

    /// Checks every page; for `verify`.
    pub(super) fn check_pages(&self) -> Result<Option<String>, StoreError> {
        let Some(opened) = self.opened()? else { return Ok(None) };
        for attempt in 1.. {
            let Some(snapshot) = self.snapshot(&opened)? else { break };
            match snapshot.check_all() {
                Err(Trouble::Damaged(fault)) if snapshot.is_intact() || attempt == ATTEMPTS => {
                    return Ok(Some(fault));
                }
                Err(Trouble::Damaged(_)) => {}
                Err(trouble) => return Err(self.error(trouble)),
                Ok(()) => break,
            }
        }
        Ok(None)
    }

    pub(super) fn gone(&self) -> StoreError {
        StoreError::new(ErrorKind::Io, self.data.display(), "the data file has just been removed")
    }
}

/// The value of [`VERSION_KEY`]: the version and a checksum.
pub(super) fn version_bytes(version: u32) -> Vec<u8> {
    let mut bytes = version.to_le_bytes().to_vec();
    let sum = xxh3_64(&[VERSION_KEY, &bytes].concat());
    bytes.extend_from_slice(&sum.to_le_bytes());
    bytes
}

pub(super) fn parse_version(bytes: &[u8]) -> Option<u32> {
    let version = u32::from_le_bytes(bytes.get(..4)?.try_into().ok()?);
    (bytes == version_bytes(version)).then_some(version)
}
