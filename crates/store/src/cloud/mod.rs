//! A store in object storage (S3, WebDAV, Google, Azure, GitHub's cache): immutable packs and an index.
//!
//! A request costs 20 to 50 ms there, more than solving most queries, so keys are not asked for one by one.
//! A run reads one object, the index: the filters of all packs, newest first. A pack is fetched, once, when
//! its filter says that it may have a key that no nearer layer has. The first key that no filter knows has
//! the folder of indexes listed, since another runner may have written since. What the run found becomes one
//! pack, written when the store is flushed (`publish.rs`).
//!
//! Everything here is for speed: nothing that a bucket does can change an answer. Packs and indexes carry
//! checksums, entries of a bucket have the origin [`Origin::Network`], sizes, requests and times are bounded,
//! and each kind of trouble is a miss. After two failures of the service the run goes on without it.
//!
//! The layout is drawn in `docs/bucket-format.md`.

mod address;
mod filter;
mod github;
mod index;
mod objects;
mod publish;
mod service;
#[cfg(test)]
mod tests;
mod waiting;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};

use self::index::{Id, Index, MAX_INDEX_BYTES, PackLine};
use self::objects::{Naming, Objects, Size};
use crate::memory::lock;
use crate::stats::Counters;
use crate::{
    Bucket, Bytes, ErrorKind, Key, OpenOptions, Origin, PackEntry, PackReader, Store, StoreError, StoreStats,
    Visit,
};

/// The most packs that the lookups of one run fetch. Merging keeps a bucket far below it.
const MAX_FETCHES: usize = 32;
/// Failures of the service after which the lookups of a run go on without it.
const MAX_FAILURES: usize = 2;
/// New entries are written when they are this many bytes, and not only at the end.
const MAX_PENDING_BYTES: usize = 32 << 20;

/// Entries as they wait, and as they come out of packs: ordered by key, as in a pack.
type Entries = BTreeMap<Key, (Bytes, Origin)>;

/// A store of packs in object storage.
pub struct Cloud {
    objects: Box<dyn Objects>,
    state: Mutex<State>,
    counters: Counters,
    /// The most bytes of packs that are kept for lookups.
    memory_bytes: usize,
}

#[derive(Default)]
struct State {
    /// The union of the indexes that were read; `None` before the first request.
    known: Option<Index>,
    /// The indexes that were read, each once.
    indexes: HashMap<Id, Index>,
    /// Whether the indexes were listed, so that `known` is all that there is.
    is_listed: bool,
    /// The packs that were fetched; `None` for one that is not there or not intact.
    packs: HashMap<Id, Option<Arc<Entries>>>,
    /// Those of them that are not there.
    gone: BTreeSet<Id>,
    held_bytes: u64,
    fetches: usize,
    failures: usize,
    /// What the next lookup that finds nothing reports.
    trouble: Option<StoreError>,
    /// Entries to write.
    pending: Entries,
    pending_bytes: usize,
    /// Whether the last attempt to write failed and nothing was put since.
    gave_up: bool,
}

impl Cloud {
    /// Opens a store at `s3://bucket/prefix`, `gs://…`, `azblob://…`, `http(s)://…` or `ghac://…`.
    ///
    /// No request is made before the first use, so an unreachable server is noticed then.
    pub fn open(spec: &str, options: &OpenOptions) -> Result<Cloud, StoreError> {
        let objects: Box<dyn Objects> = match spec.strip_prefix("ghac://") {
            Some(prefix) => {
                let job = github::Job::of(|name| std::env::var(name).ok());
                Box::new(github::GitHub::connect(prefix, job, options)?)
            }
            None => Box::new(service::Service::connect(address::Address::read(spec)?, options)?),
        };
        Ok(Cloud::with(objects, options.memory_bytes))
    }

    fn with(objects: Box<dyn Objects>, memory_bytes: usize) -> Cloud {
        Cloud { objects, state: Mutex::default(), counters: Counters::default(), memory_bytes }
    }

    /// Looks a key up: what waits, then each pack that may have it.
    fn find(&self, state: &mut State, key: &Key) -> Result<Option<(Bytes, Origin)>, StoreError> {
        if let Some((value, origin)) = state.pending.get(key) {
            return Ok(Some((value.clone(), there(*origin))));
        }
        let mut found = None;
        self.search(state, &key.0, &mut |entries| {
            found = entries.get(key).map(|(value, origin)| (value.clone(), there(*origin)));
            found.is_some()
        })?;
        Ok(found)
    }

    /// Shows `look` every pack that may have an item, newest first, until it is content. Trouble on the way
    /// is an error only if it was not.
    fn search(
        &self,
        state: &mut State,
        item: &[u8],
        look: &mut dyn FnMut(&Entries) -> bool,
    ) -> Result<(), StoreError> {
        self.begin(state)?;
        let mut seen: HashSet<Id> = HashSet::new();
        loop {
            let lines = state.known.as_ref().map_or(&[][..], |known| &known.packs);
            let may = |line: &&PackLine| !seen.contains(&line.id) && line.filter.may_have(item);
            let likely: Vec<(Id, u64)> = lines.iter().filter(may).map(|line| (line.id, line.bytes)).collect();
            for (id, bytes) in likely {
                seen.insert(id);
                if self.pack(state, id, bytes)?.is_some_and(|entries| look(&entries)) {
                    return Ok(());
                }
            }
            if state.is_listed {
                break;
            }
            self.refresh(state)?;
        }
        state.trouble.take().map_or(Ok(()), Err)
    }

    /// The first request of a run: the newest index.
    fn begin(&self, state: &mut State) -> Result<(), StoreError> {
        if state.failures >= MAX_FAILURES {
            return Ok(());
        }
        if state.known.is_some() {
            return Ok(());
        }
        let most = MAX_INDEX_BYTES as u64;
        let (name, read) = match self.objects.naming() {
            Naming::Listed => ("index", self.objects.read("index", most, Size::Small)),
            Naming::Numbered => {
                let newest = self.objects.newest("index-", most);
                ("index-", newest.map(|found| found.map(|(_, bytes)| bytes)))
            }
        };
        let found = self.note(state, read)?;
        let decoded = found.map(|bytes| Index::decode(&self.name(name), &bytes)).transpose();
        state.known = Some(Index::empty());
        match decoded {
            Ok(Some(index)) => {
                state.indexes.insert(index.id, index.clone());
                state.known = Some(index);
            }
            Ok(None) => {}
            // The folder of indexes may have an intact one.
            Err(error) => state.trouble = Some(error),
        }
        state.is_listed = self.objects.naming() == Naming::Numbered;
        Ok(())
    }

    /// Lists the indexes and reads those that are new, once a run.
    fn refresh(&self, state: &mut State) -> Result<(), StoreError> {
        state.is_listed = true;
        if state.failures >= MAX_FAILURES {
            return Ok(());
        }
        let heads = self.read_heads(state);
        if let Some(heads) = self.note(state, heads)? {
            // What the first index named may be retired by now, and its packs may still be there.
            let mut known = heads.union;
            known.unite(state.known.take().unwrap_or_else(Index::empty));
            state.known = Some(known);
        }
        Ok(())
    }

    /// Fetches a pack, once. One that is gone was merged into another, which a listing shows.
    fn pack(&self, state: &mut State, id: Id, bytes: u64) -> Result<Option<Arc<Entries>>, StoreError> {
        if let Some(fetched) = state.packs.get(&id) {
            return Ok(fetched.clone());
        }
        if state.failures >= MAX_FAILURES {
            return Ok(None);
        }
        if state.fetches >= MAX_FETCHES || state.held_bytes.saturating_add(bytes) > self.memory_bytes as u64 {
            let message = "more packs than a run fetches: further ones are not looked up";
            state.trouble.get_or_insert_with(|| {
                StoreError::new(ErrorKind::Bound, self.objects.place(), message)
                    .help("merge the bucket into a store on disk")
            });
            state.packs.insert(id, None);
            return Ok(None);
        }
        state.fetches += 1;
        let fetched = self.fetch(id, bytes);
        let entries = match self.note(state, fetched)? {
            Fetched::Intact(entries) => {
                state.held_bytes += bytes;
                Some(Arc::new(entries))
            }
            Fetched::Gone => {
                state.is_listed = self.objects.naming() == Naming::Numbered;
                state.gone.insert(id);
                None
            }
            Fetched::Damaged(error) => {
                Counters::add(&self.counters.damaged, 1);
                state.trouble = Some(error);
                None
            }
        };
        state.packs.insert(id, entries.clone());
        Ok(entries)
    }

    fn fetch(&self, id: Id, bytes: u64) -> Result<Fetched, StoreError> {
        let name = format!("packs/{id}");
        let Some(found) = self.objects.read(&name, bytes, Size::Large)? else { return Ok(Fetched::Gone) };
        match read_pack(&self.name(&name), &found) {
            Ok(entries) => Ok(Fetched::Intact(entries)),
            Err(error) => Ok(Fetched::Damaged(error)),
        }
    }

    /// Counts a failure of the service.
    fn note<T>(&self, state: &mut State, result: Result<T, StoreError>) -> Result<T, StoreError> {
        if result.is_err() {
            state.failures += 1;
            Counters::add(&self.counters.errors, 1);
        }
        result
    }

    fn name(&self, object: &str) -> String {
        format!("{}/{object}", self.objects.place())
    }

    /// Every pack that there is, newest first, from a fresh listing; for walks over everything.
    fn all_packs(&self) -> Result<Vec<(Id, u64)>, StoreError> {
        let mut state = lock(&self.state);
        self.begin(&mut state)?;
        self.refresh(&mut state)?;
        let lines = state.known.iter().flat_map(|known| &known.packs);
        Ok(lines.map(|line| (line.id, line.bytes)).collect())
    }

    /// Whether a lookup of the key, without a request, gives exactly this value.
    fn is_there(&self, state: &State, key: &Key, value: &[u8]) -> bool {
        let lines = state.known.iter().flat_map(|known| &known.packs);
        for line in lines.filter(|line| line.filter.may_have(&key.0)) {
            match state.packs.get(&line.id).map(|pack| pack.as_ref().and_then(|pack| pack.get(key))) {
                Some(Some((old, _))) => return **old == *value,
                Some(None) => {}
                // It may have another one.
                None => return false,
            }
        }
        false
    }
}

/// What came of fetching a pack.
enum Fetched {
    Intact(Entries),
    Gone,
    Damaged(StoreError),
}

/// All entries of a pack, or none: the checksum is at its end.
fn read_pack(place: &str, bytes: &[u8]) -> Result<Entries, StoreError> {
    let mut reader = PackReader::new(place, bytes)?;
    let mut entries = Entries::new();
    while let Some(PackEntry { key, value, origin }) = reader.entry()? {
        entries.insert(key, (Bytes::from(value), origin));
    }
    if reader.is_old() {
        return Ok(Entries::new());
    }
    Ok(entries)
}

/// The origin of an entry for its readers: at best another machine.
fn there(origin: Origin) -> Origin {
    match origin {
        Origin::Local | Origin::Network => Origin::Network,
        Origin::Imported => Origin::Imported,
    }
}

impl Store for Cloud {
    fn describe(&self) -> String {
        format!("packs {}", self.objects.place())
    }

    fn get_from(&self, key: &Key) -> Result<Option<(Bytes, Origin)>, StoreError> {
        let found = self.find(&mut lock(&self.state), key)?;
        Counters::add(&self.counters.gets, 1);
        Counters::add(&self.counters.hits, usize::from(found.is_some()));
        Ok(found)
    }

    fn put_from(&self, key: &Key, value: &[u8], origin: Origin) -> Result<(), StoreError> {
        crate::envelope::check_size(self.objects.place(), value)?;
        Counters::add(&self.counters.puts, 1);
        let mut state = lock(&self.state);
        match state.pending.get(key) {
            Some((_, old)) if !origin.may_replace(*old) => return Ok(()),
            None if self.is_there(&state, key, value) => return Ok(()),
            _ => {}
        }
        state.gave_up = false;
        state.pending_bytes += publish::cost(value);
        if let Some((old, _)) = state.pending.insert(*key, (value.into(), origin)) {
            state.pending_bytes -= publish::cost(&old);
        }
        if state.pending_bytes < MAX_PENDING_BYTES {
            return Ok(());
        }
        let published = self.publish(&mut state, &[]);
        if published.is_err() {
            // The nearer layers have them.
            Counters::add(&self.counters.dropped, state.pending.len());
            state.pending.clear();
            state.pending_bytes = 0;
        }
        published
    }

    fn list_from(&self, bucket: &Bucket) -> Result<Vec<(Bytes, Origin)>, StoreError> {
        let mut state = lock(&self.state);
        let mut members: HashMap<Key, (Bytes, Origin)> = HashMap::new();
        let mut gather = |entries: &Entries| {
            for (key, (value, origin)) in entries.range(bucket.key(&[0; 16])..=bucket.key(&[255; 16])) {
                members.entry(*key).or_insert_with(|| (value.clone(), there(*origin)));
            }
            false
        };
        gather(&state.pending);
        let searched = self.search(&mut state, &bucket.0, &mut gather);
        members.retain(|key, (value, _)| Bucket::of(key, value).is_some());
        match searched {
            Err(error) if members.is_empty() => return Err(error),
            // The next lookup that finds nothing reports it.
            Err(error) => state.trouble = Some(error),
            Ok(()) => {}
        }
        Ok(members.into_values().collect())
    }

    fn flush(&self) -> Result<(), StoreError> {
        let mut state = lock(&self.state);
        match state.pending.is_empty() {
            true => state.trouble.take().map_or(Ok(()), Err),
            false => self.publish(&mut state, &[]),
        }
    }

    fn visit_from(&self, each: Visit<'_>) -> Result<(), StoreError> {
        let packs = self.all_packs()?;
        // Copied, so that `each` may use the store.
        let pending = lock(&self.state).pending.clone();
        let mut seen: HashSet<Key> = HashSet::new();
        let mut show = |entries: &Entries| {
            for (key, (value, origin)) in entries {
                if seen.insert(*key) && each(key, value, there(*origin)).is_break() {
                    return ControlFlow::Break(());
                }
            }
            ControlFlow::Continue(())
        };
        if show(&pending).is_break() {
            return Ok(());
        }
        for (id, bytes) in packs {
            let held = lock(&self.state).packs.get(&id).cloned().flatten();
            let entries = match held {
                Some(entries) => entries,
                None => match self.fetch(id, bytes)? {
                    Fetched::Intact(entries) => Arc::new(entries),
                    Fetched::Gone => continue,
                    Fetched::Damaged(error) => return Err(error),
                },
            };
            if show(&entries).is_break() {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Packs are immutable: those that may have the keys are written again without them.
    fn remove(&self, keys: &[Key]) -> Result<usize, StoreError> {
        let mut state = lock(&self.state);
        let mut there = 0;
        for key in keys {
            there += usize::from(self.find(&mut state, key)?.is_some());
            if let Some((old, _)) = state.pending.remove(key) {
                state.pending_bytes -= publish::cost(&old);
            }
        }
        if there > 0 {
            self.publish(&mut state, keys)?;
        }
        Ok(there)
    }

    fn stats(&self) -> Result<StoreStats, StoreError> {
        let mut stats = StoreStats::default();
        self.visit(&mut |_, value| {
            stats.entries += 1;
            stats.bytes += value.len() as u64;
            ControlFlow::Continue(())
        })?;
        let state = lock(&self.state);
        stats.occupied = state.known.iter().flat_map(|known| &known.packs).map(|line| line.bytes).sum();
        self.counters.fill(&mut stats);
        Ok(stats)
    }

    fn origin(&self) -> Origin {
        Origin::Network
    }
}

impl Drop for Cloud {
    fn drop(&mut self) {
        let mut state = lock(&self.state);
        if !state.pending.is_empty() && !state.gave_up {
            // A destructor cannot report an error; a flush before it can.
            let _ = self.publish(&mut state, &[]);
        }
    }
}
