//! The store on disk: LMDB in a directory, a map in front, writes in batches.
//!
//! Why LMDB: of the embedded stores measured it alone is both fast and open to several processes at once.
//! This module adds what LMDB lacks: reading that cannot crash on a damaged file (`snapshot`, `page`), growth
//! of the map (`environment`), checksums and origins (`envelope`), batches (`behind`), puts that survive a
//! kill before their batch (`journal`), waiting with a limit (`turn`), the day of last use.
//!
//! Tried and dropped: reading through LMDB. One flipped bit in a page kills the process with SIGSEGV, a
//! shortened file with SIGBUS, and a store must not crash a solver.

mod environment;
mod files;
mod journal;
mod page;
mod pages;
mod snapshot;
#[cfg(test)]
mod tests;
mod turn;
mod write;

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, LazyLock, Mutex, Weak};
use std::time::Duration;

use crate::behind::{Bounds, Item, WhenFull, WriteBehind};
use crate::envelope::check_size;
use crate::memory::lock;
use crate::safety::{Guard, create_directory};
use crate::stats::Counters;
use crate::{
    Bucket, Bytes, DigestMap, ErrorKind, Key, Memory, OldEntries, Origin, SafeStores, Store, StoreError,
    StoreStats, Usage, Visit, today,
};
use files::{Files, Found};
use journal::{Ending, Held};

const BOUNDS: Bounds = Bounds {
    batch_entries: 4096,
    batch_bytes: 4 << 20,
    // Until then other processes do not see a put.
    delay: Duration::from_millis(10),
    queue_bytes: 64 << 20,
    when_full: WhenFull::Wait,
    patience: None,
    retry: Duration::from_secs(1),
};

/// The stores that are open for writing in this process: one per directory, since LMDB allows only that.
static OPEN: LazyLock<Mutex<HashMap<PathBuf, Weak<Core>>>> = LazyLock::new(Mutex::default);

/// A store in a directory, shared by all processes that open it.
#[derive(Clone)]
pub struct Disk {
    core: Arc<Core>,
}

struct Core {
    /// `None` when opened read-only.
    behind: Option<WriteBehind<Files>>,
    files: Arc<Files>,
    guard: Guard,
    front: Memory,
    counters: Counters,
    today: u32,
    /// The entries of journals when the store was opened read-only; otherwise such entries are taken over.
    journalled: DigestMap<Item>,
    /// Members of buckets that were put here.
    additions: AtomicU64,
}

/// The default directory: `$XDG_CACHE_HOME/evergreen/store` or `~/.cache/evergreen/store`.
pub fn default_path() -> Result<PathBuf, StoreError> {
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let cache = absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache")));
    cache.map(|cache| cache.join("evergreen").join("store")).ok_or_else(|| {
        let error =
            StoreError::new(ErrorKind::Spec, "default store", "neither XDG_CACHE_HOME nor HOME is set");
        error.help("name a directory for the store")
    })
}

impl Disk {
    /// Opens the store in a directory for reading and writing, creating the directory if need be.
    ///
    /// Cheap: nothing is mapped or locked before the first batch is written, unless a killed process left a
    /// journal: its entries are taken over. Opening the same directory again in this process shares the
    /// store, including the bound of its map in front (`front_bytes` of the first opening counts).
    pub fn open(directory: &Path, front_bytes: usize) -> Result<Disk, StoreError> {
        Disk::open_among(directory, front_bytes, &SafeStores::default())
    }

    /// As [`Disk::open`]; directories in `safe` are used even if other users can write to them.
    pub fn open_among(directory: &Path, front_bytes: usize, safe: &SafeStores) -> Result<Disk, StoreError> {
        create_directory(directory)
            .map_err(|error| StoreError::io(directory.display(), "create the directory", &error))?;
        let canonical = directory
            .canonicalize()
            .map_err(|error| StoreError::io(directory.display(), "open the directory", &error))?;
        let guard = Guard::of(directory, &canonical, safe)?;
        check_writable(&canonical)?;
        let mut open = lock(&OPEN);
        if let Some(core) = open.get(&canonical).and_then(Weak::upgrade) {
            return Ok(Disk { core });
        }
        open.retain(|_, core| core.strong_count() > 0);
        let files = Arc::new(Files::new(canonical.clone(), guard)?);
        let behind = WriteBehind::new(files.clone(), BOUNDS);
        let core = Arc::new(Core::new(Some(behind), files, front_bytes, guard));
        core.recover();
        open.insert(canonical, Arc::downgrade(&core));
        Ok(Disk { core })
    }

    /// Opens the store in a directory for reading: nothing is created, locked or written, not even the day of
    /// use. Entries in the journals of other processes are found if they were put before this call.
    pub fn open_read_only(directory: &Path, front_bytes: usize) -> Result<Disk, StoreError> {
        Disk::open_read_only_among(directory, front_bytes, &SafeStores::default())
    }

    /// As [`Disk::open_read_only`]; directories in `safe` are used even if other users can write to them.
    pub fn open_read_only_among(
        directory: &Path,
        front_bytes: usize,
        safe: &SafeStores,
    ) -> Result<Disk, StoreError> {
        let absolute = std::path::absolute(directory)
            .map_err(|error| StoreError::io(directory.display(), "open the directory", &error))?;
        let (directory, guard) = match absolute.canonicalize() {
            Ok(canonical) => (canonical.clone(), Guard::of(&absolute, &canonical, safe)?),
            // The directory does not exist yet: files that appear later are checked one by one.
            Err(_) => (absolute, Guard::Strict),
        };
        let mut journalled = DigestMap::default();
        // Before the first look at the data file: an entry that has left its journal is in the data file.
        for path in journal::list(&directory) {
            // One that cannot be read was removed since, or belongs to another user.
            let _ = journal::look_into(&path, guard, &mut |key, value, origin| {
                journalled.insert(key, (value, origin));
                ControlFlow::Continue(())
            });
        }
        let files = Arc::new(Files::new(directory, guard)?);
        let mut core = Core::new(None, files, front_bytes, guard);
        core.journalled = journalled;
        Ok(Disk { core: Arc::new(core) })
    }

    /// The directory.
    pub fn path(&self) -> &Path {
        self.core.files.directory()
    }

    fn behind(&self) -> Result<&WriteBehind<Files>, StoreError> {
        self.core.behind.as_ref().ok_or_else(|| {
            let error = StoreError::new(ErrorKind::Io, self.path().display(), "opened read-only");
            error.help("open the store for writing")
        })
    }
}

impl Core {
    fn new(behind: Option<WriteBehind<Files>>, files: Arc<Files>, front_bytes: usize, guard: Guard) -> Core {
        let (front, counters) = (Memory::new(front_bytes), Counters::default());
        let (journalled, additions) = (DigestMap::default(), AtomicU64::new(0));
        Core { behind, files, guard, front, counters, today: today(), journalled, additions }
    }

    /// Entries that are not in the data file yet.
    fn waiting(&self) -> DigestMap<Item> {
        self.behind.as_ref().map_or_else(|| self.journalled.clone(), WriteBehind::waiting)
    }

    fn find(&self, key: &Key) -> Result<Option<Item>, StoreError> {
        if let Some(item) = self.front.peek(key) {
            Counters::add(&self.counters.front_hits, 1);
            return Ok(Some(item));
        }
        let waits = match &self.behind {
            Some(behind) => behind.peek(key),
            None => self.journalled.get(key).cloned(),
        };
        if waits.is_some() {
            return Ok(waits);
        }
        match self.files.find(key)? {
            None | Some(Found::Old(_)) => Ok(None),
            Some(Found::Damaged) => {
                Counters::add(&self.counters.damaged, 1);
                Ok(None)
            }
            Some(Found::Intact { value, origin, day }) => {
                self.front.insert_absent(*key, value.clone(), origin);
                if day != self.today && self.behind.is_some() {
                    self.files.touch(key);
                }
                Ok(Some((value, origin)))
            }
        }
    }

    /// The members of a bucket: first waiting entries, then those in the file, so that a batch
    /// written in between is seen.
    fn list(&self, bucket: &Bucket) -> Result<Vec<Item>, StoreError> {
        let waiting: DigestMap<Item> = match &self.behind {
            Some(behind) => behind.waiting_in(bucket),
            None => {
                let inside = self.journalled.iter().filter(|(key, _)| bucket.spans(key));
                inside.map(|(key, item)| (*key, item.clone())).collect()
            }
        };
        let (reads, faults) = self.files.range(bucket)?;
        let mut damaged = faults.len();
        let mut values = Vec::with_capacity(reads.len() + waiting.len());
        for read in reads {
            match read.content {
                _ if waiting.contains_key(&read.key) => {}
                Found::Damaged => damaged += 1,
                Found::Old(_) => {}
                Found::Intact { value, .. } if Bucket::of(&read.key, &value).is_none() => {}
                Found::Intact { value, origin, day } => {
                    if day != self.today && self.behind.is_some() {
                        self.files.touch(&read.key);
                    }
                    values.push((value, origin));
                }
            }
        }
        Counters::add(&self.counters.damaged, damaged);
        let news = waiting.into_iter().filter(|(key, (value, _))| Bucket::of(key, value).is_some());
        values.extend(news.map(|(_, item)| item));
        Ok(values)
    }

    /// Takes over the entries that killed processes had put. A failure here does not fail the opening: a
    /// journal that cannot be taken over stays for the next process.
    fn recover(&self) {
        let Some(behind) = &self.behind else { return };
        let journal = &self.files.journal;
        for path in journal::list(self.files.directory()) {
            if journal.is_full() && behind.flush(true).is_err() {
                return;
            }
            let Ok(Some(held)) = Held::take_over(&path, self.guard) else { continue };
            let mut news = false;
            let ending = held.read(&mut |key, value, origin| {
                let known = match behind.peek(&key) {
                    None => match self.files.find(&key) {
                        Ok(Some(Found::Intact { value, origin, .. })) => Some((value, origin)),
                        _ => None,
                    },
                    waits => waits,
                };
                if known.is_some_and(|known| known == (value.clone(), origin) || !origin.may_replace(known.1))
                {
                    return ControlFlow::Continue(());
                }
                news = true;
                match behind.put(key, value, origin) {
                    Ok(()) => ControlFlow::Continue(()),
                    Err(_) => ControlFlow::Break(()),
                }
            });
            match ending {
                Ending::Complete if news => journal.adopt(held),
                Ending::Complete => held.delete(),
                Ending::Early => {}
            }
        }
    }

    /// The keys of entries of earlier formats in the data file, and how many and how large they are.
    fn old_in_file(&self) -> Result<(Vec<Key>, OldEntries), StoreError> {
        let (mut keys, mut old) = (Vec::new(), OldEntries::default());
        self.files.walk(&mut |read| {
            if let Found::Old(bytes) = read.content {
                keys.push(read.key);
                old.count(bytes);
            }
            ControlFlow::Continue(())
        })?;
        Ok((keys, old))
    }
}

impl Drop for Core {
    fn drop(&mut self) {
        if let Some(behind) = &self.behind
            && self.files.has_touched()
        {
            // The days of use are worth a try, not a message.
            let _ = behind.flush(true);
        }
    }
}

/// Fails early where nothing could be written.
fn check_writable(directory: &Path) -> Result<(), StoreError> {
    use std::os::unix::ffi::OsStrExt;
    let failed = |error: std::io::Error| {
        let kind = match error.kind() {
            std::io::ErrorKind::PermissionDenied | std::io::ErrorKind::ReadOnlyFilesystem => {
                ErrorKind::Unwritable
            }
            _ => ErrorKind::Io,
        };
        Err(StoreError::io(directory.display(), "write to the store", &error).with_kind(kind))
    };
    let Ok(path) = std::ffi::CString::new(directory.as_os_str().as_bytes()) else {
        return failed(std::io::ErrorKind::InvalidInput.into());
    };
    // SAFETY: `path` is a string that ends with zero and lives across the call.
    match unsafe { libc::access(path.as_ptr(), libc::W_OK | libc::X_OK) } {
        0 => Ok(()),
        _ => failed(std::io::Error::last_os_error()),
    }
}

impl Store for Disk {
    fn describe(&self) -> String {
        format!("disk {}", self.path().display())
    }

    fn get_from(&self, key: &Key) -> Result<Option<(Bytes, Origin)>, StoreError> {
        let core = &*self.core;
        Counters::add(&core.counters.gets, 1);
        let found = core.counters.check(core.find(key))?;
        Counters::add(&core.counters.hits, usize::from(found.is_some()));
        Ok(found)
    }

    fn put_from(&self, key: &Key, value: &[u8], origin: Origin) -> Result<(), StoreError> {
        let (core, origin) = (&*self.core, origin.copied());
        check_size(self.path().display(), value)?;
        let behind = self.behind()?;
        if origin != Origin::Local
            && let Ok(Some((_, was))) = core.find(key)
            && !origin.may_replace(was)
        {
            return Ok(());
        }
        let value = Bytes::from(value);
        Counters::add(&core.counters.puts, 1);
        core.additions.fetch_add(u64::from(Bucket::of(key, &value).is_some()), Relaxed);
        core.front.insert(*key, value.clone(), origin);
        let put = core.counters.check(behind.put(*key, value.clone(), origin));
        match put {
            // Only now: see `journal`. Where the journal fails, the batch remains.
            Ok(()) => drop(core.counters.check(core.files.journal.append(key, &value, origin))),
            Err(_) => Counters::add(&core.counters.dropped, 1),
        }
        put
    }

    fn put_in(&self, bucket: &Bucket, value: &[u8]) -> Result<(), StoreError> {
        let key = bucket.member(value);
        match self.core.find(&key) {
            // Adding again costs no batch.
            Ok(Some((known, Origin::Local))) if *known == *value => Ok(()),
            _ => self.put(&key, value),
        }
    }

    fn confirm(&self, key: &Key, value: &[u8]) -> Result<(), StoreError> {
        match self.core.behind {
            Some(_) => self.put(key, value),
            None => Ok(()),
        }
    }

    fn list_from(&self, bucket: &Bucket) -> Result<Vec<(Bytes, Origin)>, StoreError> {
        self.core.counters.check(self.core.list(bucket))
    }

    fn additions(&self) -> Option<u64> {
        let others = self.core.files.foreign_commits().ok()?;
        Some(self.core.additions.load(Relaxed).wrapping_add(others))
    }

    fn flush(&self) -> Result<(), StoreError> {
        match &self.core.behind {
            Some(behind) => {
                let always = self.core.files.has_touched() || self.core.files.journal.in_use();
                let result = match behind.flush(always) {
                    // Another process blocks the writer. The flush does not wait for it:
                    // the journal is as durable.
                    Err(error) if error.kind() == ErrorKind::Busy && self.core.files.journal.secure() => {
                        Ok(())
                    }
                    result => result,
                };
                self.core.counters.check(result)
            }
            None => Ok(()),
        }
    }

    fn visit_from(&self, each: Visit<'_>) -> Result<(), StoreError> {
        let waiting = self.core.waiting();
        for (key, (value, origin)) in &waiting {
            if each(key, value, *origin).is_break() {
                return Ok(());
            }
        }
        let mut damaged = 0;
        let walked = self.core.files.walk(&mut |read| match &read.content {
            _ if waiting.contains_key(&read.key) => ControlFlow::Continue(()),
            Found::Intact { value, origin, .. } => each(&read.key, value, *origin),
            Found::Old(_) => ControlFlow::Continue(()),
            Found::Damaged => {
                damaged += 1;
                ControlFlow::Continue(())
            }
        });
        let pages = self.core.counters.check(walked)?.len();
        Counters::add(&self.core.counters.damaged, damaged + pages);
        Ok(())
    }

    fn visit_usage(&self, each: &mut dyn FnMut(&Key, Usage) -> ControlFlow<()>) -> Result<(), StoreError> {
        let waiting = self.core.waiting();
        for (key, (value, _)) in &waiting {
            if each(key, Usage { bytes: value.len() as u64, day: self.core.today }).is_break() {
                return Ok(());
            }
        }
        let walked = self.core.files.walk(&mut |read| {
            let day = match read.content {
                Found::Intact { day, .. } => day,
                // A damaged entry is useless: it counts as the oldest.
                Found::Damaged => 0,
                Found::Old(_) => return ControlFlow::Continue(()),
            };
            match waiting.contains_key(&read.key) {
                true => ControlFlow::Continue(()),
                false => each(&read.key, Usage { bytes: read.bytes, day }),
            }
        });
        self.core.counters.check(walked).map(|_| ())
    }

    fn inspect(&self, each: &mut dyn FnMut(&Key, Option<&[u8]>)) -> Result<Vec<String>, StoreError> {
        // Waiting entries are not on disk yet; inspecting is about the disk.
        self.flush()?;
        let mut faults = self.core.files.walk(&mut |read| {
            match &read.content {
                Found::Intact { value, .. } => each(&read.key, Some(value)),
                Found::Damaged => each(&read.key, None),
                Found::Old(_) => {}
            }
            ControlFlow::Continue(())
        })?;
        if faults.is_empty() {
            faults.extend(self.core.files.check_pages()?);
        }
        Ok(faults)
    }

    fn old_entries(&self) -> Result<OldEntries, StoreError> {
        let mut old = self.core.old_in_file()?.1;
        for path in journal::list(self.path()) {
            // One that cannot be read was removed since, or belongs to another user.
            old = old + journal::look_for_old(&path, self.core.guard).ok().flatten().unwrap_or_default();
        }
        Ok(old)
    }

    /// An entry that another process replaces between counting and removing is not removed.
    fn remove_old(&self) -> Result<OldEntries, StoreError> {
        self.behind()?;
        let (keys, mut old) = self.core.old_in_file()?;
        if !keys.is_empty() {
            let removed = self.core.counters.check(self.core.files.remove_old(&keys))?;
            old.entries = removed.len() as u64;
        }
        for path in journal::list(self.path()) {
            let Ok(Some(held)) = Held::take_over(&path, self.core.guard) else { continue };
            if let Some(found) = held.old_entries() {
                old = old + found;
                held.delete();
            }
        }
        Ok(old)
    }

    fn remove(&self, keys: &[Key]) -> Result<usize, StoreError> {
        let mut removed = self.behind()?.forget(keys);
        removed.extend(self.core.counters.check(self.core.files.remove(keys))?);
        for key in keys {
            self.core.front.forget(key);
        }
        removed.sort_unstable();
        removed.dedup();
        Ok(removed.len())
    }

    fn stats(&self) -> Result<StoreStats, StoreError> {
        let mut stats = StoreStats { occupied: self.core.files.size()?, ..StoreStats::default() };
        self.visit_usage(&mut |_, usage| {
            stats.entries += 1;
            stats.bytes += usage.bytes;
            ControlFlow::Continue(())
        })?;
        self.core.counters.fill(&mut stats);
        Ok(stats)
    }

    fn origin(&self) -> Origin {
        Origin::Local
    }
}
