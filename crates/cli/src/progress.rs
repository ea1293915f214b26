//! Progress of long work on a store: a line on standard error every two seconds, on a terminal.
//!
//! A store is wrapped, so the verbs that walk, read and write it need not know that they are watched. Where
//! standard error is no terminal nothing is wrapped and nothing is printed.

use evergreen::store::{Bytes, Key, OldEntries, Origin, Store, StoreError, StoreStats, Usage, Visit};
use std::io::IsTerminal;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

const EVERY: Duration = Duration::from_secs(2);

/// A store whose use is shown, if standard error is a terminal.
pub(crate) fn watched(store: Arc<dyn Store>) -> Arc<dyn Store> {
    if std::io::stderr().is_terminal() { Arc::new(Watched::new(store)) } else { store }
}

struct Watched {
    inner: Arc<dyn Store>,
    walked: AtomicU64,
    read: AtomicU64,
    written: AtomicU64,
    told: Mutex<Told>,
}

struct Told {
    at: Instant,
    anything: bool,
}

impl Watched {
    fn new(inner: Arc<dyn Store>) -> Watched {
        let told = Mutex::new(Told { at: Instant::now(), anything: false });
        let counter = || AtomicU64::new(0);
        Watched { inner, walked: counter(), read: counter(), written: counter(), told }
    }

    fn count(&self, counter: &AtomicU64, more: usize) {
        counter.fetch_add(more as u64, Relaxed);
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        if told.at.elapsed() >= EVERY {
            *told = Told { at: Instant::now(), anything: true };
            let line = line(&[
                ("walked", self.walked.load(Relaxed)),
                ("read", self.read.load(Relaxed)),
                ("written", self.written.load(Relaxed)),
            ]);
            crate::say::watch(&line);
        }
    }
}

/// The counts that are not zero.
fn line(counts: &[(&str, u64)]) -> String {
    let counted = counts.iter().filter(|(_, count)| *count > 0);
    let words: Vec<String> = counted.map(|(what, count)| format!("{count} {what}")).collect();
    format!("evergreen: entries: {}", words.join(", "))
}

impl Drop for Watched {
    fn drop(&mut self) {
        if self.told.get_mut().unwrap_or_else(PoisonError::into_inner).anything {
            crate::say::note("");
        }
    }
}

impl Store for Watched {
    fn describe(&self) -> String {
        self.inner.describe()
    }
    fn get_from(&self, key: &Key) -> Result<Option<(Bytes, Origin)>, StoreError> {
        self.count(&self.read, 1);
        self.inner.get_from(key)
    }
    fn get_many_from(&self, keys: &[Key]) -> Result<Vec<Option<(Bytes, Origin)>>, StoreError> {
        self.count(&self.read, keys.len());
        self.inner.get_many_from(keys)
    }
    fn put_from(&self, key: &Key, value: &[u8], origin: Origin) -> Result<(), StoreError> {
        self.count(&self.written, 1);
        self.inner.put_from(key, value, origin)
    }
    fn flush(&self) -> Result<(), StoreError> {
        self.inner.flush()
    }
    fn visit_from(&self, each: Visit<'_>) -> Result<(), StoreError> {
        self.inner.visit_from(&mut |key, value, origin| {
            self.count(&self.walked, 1);
            each(key, value, origin)
        })
    }
    fn visit_usage(&self, each: &mut dyn FnMut(&Key, Usage) -> ControlFlow<()>) -> Result<(), StoreError> {
        self.inner.visit_usage(&mut |key, usage| {
            self.count(&self.walked, 1);
            each(key, usage)
        })
    }
    fn inspect(&self, each: &mut dyn FnMut(&Key, Option<&[u8]>)) -> Result<Vec<String>, StoreError> {
        self.inner.inspect(&mut |key, value| {
            self.count(&self.walked, 1);
            each(key, value);
        })
    }
    fn old_entries(&self) -> Result<OldEntries, StoreError> {
        self.inner.old_entries()
    }
    fn remove_old(&self) -> Result<OldEntries, StoreError> {
        self.inner.remove_old()
    }
    fn remove(&self, keys: &[Key]) -> Result<usize, StoreError> {
        self.count(&self.written, keys.len());
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
    use evergreen::store::Memory;

    #[test]
    fn counts_what_is_done_and_shows_what_there_is() {
        let store = Watched::new(Arc::new(Memory::new(1 << 20)));
        store.put(&Key([1; 32]), b"x").unwrap();
        assert!(store.get(&Key([1; 32])).unwrap().is_some());
        assert_eq!(store.get_many(&[Key([1; 32]), Key([2; 32])]).unwrap().len(), 2);
        store.visit(&mut |_, _| ControlFlow::Continue(())).unwrap();
        let counts = [&store.walked, &store.read, &store.written].map(|counter| counter.load(Relaxed));
        assert_eq!(counts, [1, 3, 1]);
        let shown = line(&[("walked", 1200), ("read", 0), ("written", 7)]);
        assert_eq!(shown, "evergreen: entries: 1200 walked, 7 written");
    }
}
