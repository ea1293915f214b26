//! Writing through LMDB: one environment per process and directory, grown when it is full.
//!
//! Only the writer uses it, under a lock, so no transaction is open when the map is resized. LMDB's own lock
//! file keeps the writers of several processes apart and survives `kill -9` (robust mutexes), but its
//! wake-ups can get lost: opening and writing need a turn (`turn`), so that no process waits in LMDB. Before
//! LMDB follows a path through the file, the caller has checked that path on the same snapshot: see `page`.

use std::fs::File;
use std::path::Path;
use std::time::{Duration, Instant};

use heed::types::Bytes as Raw;
use heed::{Database, Env, EnvOpenOptions, MdbError, RwTxn, WithoutTls};

use super::pages::{Keep, Pages};
use super::snapshot::{Snapshot, Trouble};

/// The first size of the map: an address range, not memory and not disk; small enough under `ulimit -v`.
const FIRST_MAP_BYTES: usize = 16 << 20;
/// Where doubling stops.
const MAX_MAP_BYTES: usize = 1 << 40;

type Table = Database<'static, Raw, Raw>;

pub(super) struct Environment {
    env: Env<WithoutTls>,
    database: Table,
}

/// Why a transaction did not commit.
#[derive(Debug)]
pub(super) enum Failure {
    Lmdb(heed::Error),
    File(Trouble),
}

impl From<heed::Error> for Failure {
    fn from(error: heed::Error) -> Failure {
        Failure::Lmdb(error)
    }
}

impl From<Trouble> for Failure {
    fn from(trouble: Trouble) -> Failure {
        Failure::File(trouble)
    }
}

/// A write transaction and the snapshot it starts from.
pub(super) struct Writing<'e> {
    transaction: RwTxn<'e>,
    database: Table,
    pub(super) base: Snapshot<'e>,
    pages: Pages,
}

impl Writing<'_> {
    pub(super) fn put(&mut self, key: &[u8], value: &[u8]) -> Result<(), Failure> {
        // LMDB follows this path next, so the path must be sound.
        self.find(key, |_| ())?;
        Ok(self.database.put(&mut self.transaction, key, value)?)
    }

    /// Reads a value as it was when the transaction began.
    pub(super) fn find<R>(&self, key: &[u8], read: impl FnOnce(&[u8]) -> R) -> Result<Option<R>, Trouble> {
        self.base.find(key, &self.pages, read)
    }

    /// Deletes; the caller has checked the whole file, since deleting also touches neighbours.
    pub(super) fn delete(&mut self, key: &[u8]) -> Result<bool, Failure> {
        Ok(self.database.delete(&mut self.transaction, key)?)
    }
}

/// The newest snapshot of a file that LMDB has opened.
fn sound_head(file: &File) -> Result<Snapshot<'_>, Trouble> {
    let snapshot = Snapshot::newest(file)?;
    let snapshot = snapshot.ok_or_else(|| Trouble::Damaged(String::from("the file is empty")))?;
    snapshot.check_length()?;
    Ok(snapshot)
}

impl Environment {
    /// Opens the environment in a directory whose data file is new or has a sound head.
    pub(super) fn open(directory: &Path) -> Result<Environment, Failure> {
        // A store that was just dropped in this process may still be closing.
        let deadline = Instant::now() + Duration::from_secs(2);
        let env = loop {
            let mut options = EnvOpenOptions::new().read_txn_without_tls();
            options.map_size(FIRST_MAP_BYTES);
            // SAFETY: the file is only changed through LMDB's own locking, here and in every other process,
            // and every page that LMDB will read is checked first.
            match unsafe { options.open(directory) } {
                Err(heed::Error::EnvAlreadyOpened) if Instant::now() < deadline => {
                    std::thread::sleep(Duration::from_millis(1));
                }
                result => break result?,
            }
        };
        // We hold no readers, but a process may have died while it opened the environment.
        env.clear_stale_readers()?;
        let database = Environment::adopting(&env, || {
            let reading = env.read_txn()?;
            let opened = env.open_databases_and_commit(reading, |opener, reading| -> heed::Result<_> {
                let database = opener.open_database::<Raw, Raw>(reading, None)?;
                Ok(heed::CommitOrAbort::<_, ()>::Commit(database))
            })?;
            opened.commit().flatten().ok_or(heed::Error::Mdb(MdbError::NotFound))
        })?;
        Ok(Environment { env, database })
    }

    /// Runs `action`, once more after adopting a map that another process has grown.
    fn adopting<T>(env: &Env<WithoutTls>, action: impl Fn() -> heed::Result<T>) -> heed::Result<T> {
        match action() {
            Err(heed::Error::Mdb(MdbError::MapResized)) => {
                // SAFETY: the caller holds the only lock and has no open transaction.
                unsafe { env.resize(0)? };
                action()
            }
            result => result,
        }
    }

    /// Runs `work` in a write transaction and commits; with more room, from the start, when the map is full.
    pub(super) fn write<T>(
        &self,
        file: &File,
        mut work: impl FnMut(&mut Writing<'_>) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        loop {
            // Beginning a transaction reads the meta pages through the map: they must be there.
            sound_head(file)?;
            let transaction = Environment::adopting(&self.env, || self.env.write_txn())?;
            let base = sound_head(file)?;
            base.check_free()?;
            let mut writing =
                Writing { transaction, database: self.database, base, pages: Pages::new(Keep::All) };
            let result = match work(&mut writing) {
                Ok(done) => writing.transaction.commit().map(|()| done).map_err(Failure::from),
                Err(failure) => {
                    writing.transaction.abort();
                    Err(failure)
                }
            };
            match result {
                Err(Failure::Lmdb(heed::Error::Mdb(MdbError::MapFull))) => self.grow()?,
                result => return result,
            }
        }
    }

    /// Everything, as LMDB reads it.
    #[cfg(test)]
    pub(super) fn dump(&self) -> Vec<(Vec<u8>, Vec<u8>)> {
        let reading = self.env.read_txn().unwrap();
        let entries = self.database.iter(&reading).unwrap();
        entries.map(|entry| entry.map(|(key, value)| (key.to_vec(), value.to_vec())).unwrap()).collect()
    }

    fn grow(&self) -> Result<(), Failure> {
        let size = self.env.info().map_size;
        if size >= MAX_MAP_BYTES {
            return Err(Failure::Lmdb(heed::Error::Mdb(MdbError::MapFull)));
        }
        // SAFETY: the caller holds the only lock and has no open transaction.
        unsafe { self.env.resize(size.next_power_of_two() * 2)? };
        Ok(())
    }
}
