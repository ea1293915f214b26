//! Marking: what a process answers after it took others at their word keeps the mark of others.
//!
//! With [`Trust::All`] an entry of any origin is used as it is, and what follows from it is recorded: an
//! foreign unsatisfiable set answers a query, and the query gets a record of its own. Recorded as
//! found here, every later run would accept it, also one that trusts less. So once such an entry
//! was read, everything that is put is put as imported.
//!
//! That is more than needed: what a solver says afterwards is marked, too. Which answers rest on which
//! entries would have to be followed through the index of sets; runs that trust everything do not look at
//! marks, and others check or solve again once.

use crate::trust::Trust;
use evergreen_store::{Bucket, Bytes, Key, OldEntries, Origin, Store, StoreError, StoreStats, Usage, Visit};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// A store as an engine that trusts so much has to use it.
pub fn marking(store: Arc<dyn Store>, trust: Trust) -> Arc<dyn Store> {
    match trust {
        Trust::All => Arc::new(Marking { inner: store, foreign: AtomicBool::new(false) }),
        Trust::Local | Trust::None => store,
    }
}

struct Marking {
    inner: Arc<dyn Store>,
    /// Whether an entry of others was read.
    foreign: AtomicBool,
}

impl Marking {
    fn note(&self, origin: Origin) {
        self.foreign.fetch_or(origin != Origin::Local, Relaxed);
    }
}

impl Store for Marking {
    fn describe(&self) -> String {
        self.inner.describe()
    }
    fn get_from(&self, key: &Key) -> Result<Option<(Bytes, Origin)>, StoreError> {
        let found = self.inner.get_from(key)?;
        found.iter().for_each(|(_, origin)| self.note(*origin));
        Ok(found)
    }
    fn get_many_from(&self, keys: &[Key]) -> Result<Vec<Option<(Bytes, Origin)>>, StoreError> {
        let found = self.inner.get_many_from(keys)?;
        found.iter().flatten().for_each(|(_, origin)| self.note(*origin));
        Ok(found)
    }
    fn put_from(&self, key: &Key, value: &[u8], origin: Origin) -> Result<(), StoreError> {
        let origin = if self.foreign.load(Relaxed) { Origin::Imported } else { origin };
        self.inner.put_from(key, value, origin)
    }
    fn put_in(&self, bucket: &Bucket, value: &[u8]) -> Result<(), StoreError> {
        match self.foreign.load(Relaxed) {
            true => self.inner.put_from(&bucket.member(value), value, Origin::Imported),
            false => self.inner.put_in(bucket, value),
        }
    }
    fn list_from(&self, bucket: &Bucket) -> Result<Vec<(Bytes, Origin)>, StoreError> {
        let found = self.inner.list_from(bucket)?;
        found.iter().for_each(|(_, origin)| self.note(*origin));
        Ok(found)
    }
    fn additions(&self) -> Option<u64> {
        self.inner.additions()
    }
    fn confirm(&self, key: &Key, value: &[u8]) -> Result<(), StoreError> {
        self.inner.confirm(key, value)
    }
    fn flush(&self) -> Result<(), StoreError> {
        self.inner.flush()
    }
    fn visit_from(&self, each: Visit<'_>) -> Result<(), StoreError> {
        self.inner.visit_from(each)
    }
    fn visit_usage(&self, each: &mut dyn FnMut(&Key, Usage) -> ControlFlow<()>) -> Result<(), StoreError> {
        self.inner.visit_usage(each)
    }
    fn inspect(&self, each: &mut dyn FnMut(&Key, Option<&[u8]>)) -> Result<Vec<String>, StoreError> {
        self.inner.inspect(each)
    }
    fn old_entries(&self) -> Result<OldEntries, StoreError> {
        self.inner.old_entries()
    }
    fn remove_old(&self) -> Result<OldEntries, StoreError> {
        self.inner.remove_old()
    }
    fn remove(&self, keys: &[Key]) -> Result<usize, StoreError> {
        self.inner.remove(keys)
    }
    fn stats(&self) -> Result<StoreStats, StoreError> {
        self.inner.stats()
    }
    fn origin(&self) -> Origin {
        self.inner.origin()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use evergreen_store::Memory;

    #[test]
    fn what_follows_the_word_of_others_is_marked() {
        let memory = Arc::new(Memory::new(1 << 20));
        let bucket = Bucket([3; 16]);
        memory.put_from(&Key([1; 32]), b"theirs", Origin::Imported).unwrap();
        memory.put(&Key([2; 32]), b"mine").unwrap();
        let origin = |key| memory.get_from(&key).unwrap().map(|(_, origin)| origin);
        for trust in [Trust::Local, Trust::None, Trust::All] {
            let store = marking(memory.clone(), trust);
            assert!(store.get(&Key([2; 32])).unwrap().is_some());
            store.put(&Key([4; 32]), b"before").unwrap();
            assert_eq!(origin(Key([4; 32])), Some(Origin::Local));
            assert!(store.get(&Key([1; 32])).unwrap().is_some());
            let here = if trust == Trust::All { Origin::Imported } else { Origin::Local };
            store.put(&Key([5; 32]), b"after").unwrap();
            store.put_in(&bucket, b"after").unwrap();
            assert_eq!((origin(Key([5; 32])), origin(bucket.member(b"after"))), (Some(here), Some(here)));
            memory.remove(&[Key([5; 32]), bucket.member(b"after")]).unwrap();
        }
    }
}
