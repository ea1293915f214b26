//! Read-only use of a store: gets pass, puts are dropped.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::{Bucket, Bytes, ErrorKind, Key, OldEntries, Origin, Store, StoreError, StoreStats, Usage, Visit};

/// Whether a store may be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mode {
    /// Gets and puts.
    #[default]
    ReadWrite,
    /// Gets only; puts are dropped and counted.
    ReadOnly,
}

/// A store whose puts are dropped.
pub struct ReadOnly {
    inner: Arc<dyn Store>,
    dropped: AtomicU64,
}

impl ReadOnly {
    /// Wraps a store.
    pub fn new(inner: Arc<dyn Store>) -> ReadOnly {
        ReadOnly { inner, dropped: AtomicU64::new(0) }
    }

    fn refuse(&self) -> StoreError {
        let error =
            StoreError::new(ErrorKind::Io, self.inner.describe(), "cannot remove entries: opened read-only");
        error.help("open the store for writing")
    }
}

impl Store for ReadOnly {
    fn describe(&self) -> String {
        format!("{} (read-only)", self.inner.describe())
    }

    fn get_from(&self, key: &Key) -> Result<Option<(Bytes, Origin)>, StoreError> {
        self.inner.get_from(key)
    }

    fn get_many_from(&self, keys: &[Key]) -> Result<Vec<Option<(Bytes, Origin)>>, StoreError> {
        self.inner.get_many_from(keys)
    }

    fn put_from(&self, _key: &Key, _value: &[u8], _origin: Origin) -> Result<(), StoreError> {
        self.dropped.fetch_add(1, Relaxed);
        Ok(())
    }

    fn list_from(&self, bucket: &Bucket) -> Result<Vec<(Bytes, Origin)>, StoreError> {
        self.inner.list_from(bucket)
    }

    fn additions(&self) -> Option<u64> {
        self.inner.additions()
    }

    fn flush(&self) -> Result<(), StoreError> {
        Ok(())
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
        Err(self.refuse())
    }

    /// Removing on purpose is refused, where a put in passing is dropped.
    fn remove(&self, _keys: &[Key]) -> Result<usize, StoreError> {
        Err(self.refuse())
    }

    fn stats(&self) -> Result<StoreStats, StoreError> {
        let mut stats = self.inner.stats()?;
        stats.dropped += self.dropped.load(Relaxed);
        Ok(stats)
    }

    fn origin(&self) -> Origin {
        self.inner.origin()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Memory;

    #[test]
    fn puts_are_dropped_and_counted() {
        let memory = Arc::new(Memory::new(1 << 20));
        memory.put(&Key([1; 32]), b"old").unwrap();
        let store = ReadOnly::new(memory.clone());
        store.put(&Key([1; 32]), b"new").unwrap();
        store.put(&Key([2; 32]), b"new").unwrap();
        assert_eq!(store.get(&Key([1; 32])).unwrap().as_deref(), Some(&b"old"[..]));
        assert_eq!(store.get(&Key([2; 32])).unwrap(), None);
        assert_eq!(store.stats().unwrap().dropped, 2);
        let error = store.remove(&[Key([1; 32])]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "memory: cannot remove entries: opened read-only\nhelp: open the store for writing"
        );
    }
}
