//! Writing to the files of a disk store: transactions, batches, removals.

use std::path::Path;
use std::sync::atomic::Ordering;
use std::sync::{Arc, MutexGuard, TryLockError};
use std::time::{Duration, Instant};

use super::environment::{Environment, Failure, Writing};
use super::files::{Files, Opened, VERSION_KEY, parse_version, version_bytes};
use super::snapshot::Trouble;
use super::turn::Turns;
use crate::behind::{Batch, Item, Sink};
use crate::envelope::{self, FORMAT_VERSION, Sealed};
use crate::memory::lock;
use crate::safety::create_directory;
use crate::{ErrorKind, Key, Origin, StoreError, today};

/// How long a transaction may wait to begin before the writer counts as stuck.
const STUCK_AFTER: Duration = Duration::from_secs(3);

/// The state of the writer; one thread at a time holds it.
pub(super) struct Writer {
    turns: Turns,
    environment: Option<Environment>,
}

impl Writer {
    pub(super) fn new(directory: &Path) -> Writer {
        Writer { turns: Turns::new(directory), environment: None }
    }
}

impl Files {
    /// Removes keys; returns those that were there. Entries of earlier formats are not there.
    pub(super) fn remove(&self, keys: &[Key]) -> Result<Vec<Key>, StoreError> {
        self.remove_where(keys, |sealed| !matches!(sealed, Sealed::Old(_)))
    }

    /// Removes those of the keys whose entries are still of an earlier format; returns them.
    pub(super) fn remove_old(&self, keys: &[Key]) -> Result<Vec<Key>, StoreError> {
        self.remove_where(keys, |sealed| matches!(sealed, Sealed::Old(_)))
    }

    fn remove_where(&self, keys: &[Key], goes: impl Fn(Sealed<'_>) -> bool) -> Result<Vec<Key>, StoreError> {
        let Some(opened) = self.opened()? else { return Ok(Vec::new()) };
        if self.snapshot(&opened)?.is_none() {
            return Ok(Vec::new());
        }
        self.in_transaction(|writing| {
            writing.base.check_all()?;
            let mut removed = Vec::new();
            for key in keys {
                let goes = writing.find(&key.0, |raw| goes(envelope::unseal(key, raw)))?;
                if goes == Some(true) && writing.delete(&key.0)? {
                    removed.push(*key);
                }
            }
            Ok(removed)
        })
    }

    fn in_transaction<T>(
        &self,
        mut work: impl FnMut(&mut Writing<'_>) -> Result<T, Failure>,
    ) -> Result<T, StoreError> {
        let mut writer = self.writer()?;
        *lock(&self.waits_since) = Some(Instant::now());
        let result = self.write_with(&mut writer, |writing| {
            // From here on it works for itself.
            *lock(&self.waits_since) = None;
            work(writing)
        });
        *lock(&self.waits_since) = None;
        result
    }

    fn write_with<T>(
        &self,
        writer: &mut Writer,
        work: impl FnMut(&mut Writing<'_>) -> Result<T, Failure>,
    ) -> Result<T, StoreError> {
        create_directory(&self.directory)
            .map_err(|error| StoreError::io(self.directory.display(), "create the directory", &error))?;
        self.check_locks()?;
        let turn = writer
            .turns
            .wait()
            .map_err(|error| StoreError::io(self.directory.display(), "write to the store", &error))?;
        let Some(_turn) = turn else { return Err(self.busy()) };
        let opened = self.environment_and_file(&mut writer.environment)?;
        let Some(environment) = &writer.environment else { return Err(self.gone()) };
        let result = environment.write(&opened.file, work).map_err(|failure| self.failure(failure));
        if result.is_err() {
            // After a failed write, and always after a failed growth, LMDB must be opened anew.
            writer.environment = None;
        }
        result
    }

    /// Lock files that another user created, when that was still possible, are not shared with that user.
    fn check_locks(&self) -> Result<(), StoreError> {
        for name in ["lock.mdb", "writer.lock"] {
            let path = self.directory.join(name);
            if let Ok(data) = std::fs::symlink_metadata(&path) {
                self.guard.check(&path, &data)?;
            }
        }
        Ok(())
    }

    /// The right to write in this process. If another process blocks its holder, the caller does not wait.
    fn writer(&self) -> Result<MutexGuard<'_, Writer>, StoreError> {
        loop {
            match self.writer.try_lock() {
                Ok(writer) => return Ok(writer),
                Err(TryLockError::Poisoned(poisoned)) => return Ok(poisoned.into_inner()),
                Err(TryLockError::WouldBlock) if self.is_stuck() => return Err(self.busy()),
                Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(1)),
            }
        }
    }

    fn busy(&self) -> StoreError {
        let place = self.directory.display();
        StoreError::new(ErrorKind::Busy, place, "another process is writing and does not finish")
    }

    /// Opens the environment and the file if need be, and makes sure that LMDB writes the file that we read.
    fn environment_and_file(&self, slot: &mut Option<Environment>) -> Result<Arc<Opened>, StoreError> {
        if self.opened()?.is_some_and(|opened| !opened.is_at(&self.data)) {
            *slot = None;
            *lock(&self.opened) = None;
        }
        // Never let LMDB open a foreign file or one of a newer format.
        if let Some(opened) = self.opened()?
            && let Some(snapshot) = self.snapshot(&opened)?
        {
            snapshot.check_length().map_err(|trouble| self.error(trouble))?;
        }
        if slot.is_none() {
            *slot = Some(Environment::open(&self.directory).map_err(|failure| self.failure(failure))?);
        }
        match self.opened()? {
            Some(opened) if opened.is_at(&self.data) => Ok(opened),
            _ => {
                *slot = None;
                Err(self.gone())
            }
        }
    }
}

impl Sink for Files {
    fn place(&self) -> String {
        self.directory.display().to_string()
    }

    fn before_batch(&self) {
        self.journal.rotate();
    }

    fn write(&self, batch: &Batch) -> Result<(), StoreError> {
        self.write_batch(batch)?;
        self.journal.delete_rotated();
        Ok(())
    }

    fn is_stuck(&self) -> bool {
        lock(&self.waits_since).is_some_and(|since| since.elapsed() > STUCK_AFTER)
    }
}

impl Files {
    fn write_batch(&self, batch: &Batch) -> Result<(), StoreError> {
        let touched = std::mem::take(&mut *lock(&self.touched));
        if batch.is_empty() && touched.is_empty() {
            return Ok(());
        }
        let day = today();
        // In the order of the tree, which is how LMDB writes fastest.
        let mut keys: Vec<&Key> =
            batch.keys().chain(touched.iter().filter(|key| !batch.contains_key(key))).collect();
        keys.sort_unstable();
        self.in_transaction(|writing| {
            // Also in a store of an earlier format, which older builds must not use from now on.
            if writing.find(VERSION_KEY, parse_version)?.flatten() != Some(FORMAT_VERSION) {
                writing.put(VERSION_KEY, &version_bytes(FORMAT_VERSION))?;
            }
            for key in &keys {
                if let Some(sealed) = envelope_for(writing, key, batch.get(key), day)? {
                    writing.put(&key.0, &sealed)?;
                }
            }
            Ok(())
        })?;
        self.commits.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }
}

/// The envelope to be written under a key: an item that was put, or the present value with a new day.
fn envelope_for(
    writing: &Writing<'_>,
    key: &Key,
    item: Option<&Item>,
    day: u32,
) -> Result<Option<Vec<u8>>, Trouble> {
    let Some((value, origin)) = item else {
        // The entry was only used: keep the present value, which may be another process's.
        let again = |raw: &[u8]| {
            let opened = envelope::unseal(key, raw).intact()?;
            Some(envelope::seal(key, day, opened.origin, opened.value))
        };
        return Ok(writing.find(&key.0, again)?.flatten());
    };
    if *origin != Origin::Local {
        // Another process may have found it itself meanwhile.
        let is_own = |raw: &[u8]| {
            let there = envelope::unseal(key, raw).intact();
            there.is_some_and(|there| !origin.may_replace(there.origin))
        };
        if writing.find(&key.0, is_own)? == Some(true) {
            return Ok(None);
        }
    }
    Ok(Some(envelope::seal(key, day, *origin, value)))
}
