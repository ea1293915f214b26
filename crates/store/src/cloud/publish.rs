//! Writing: what a run found becomes a pack, and small packs are merged.
//!
//! Objects are immutable and have random names, so two runners never write the same one. The order of the
//! requests makes each moment a safe one to die:
//!
//! 1. List and read the indexes that are there, the heads. Usually there is one.
//! 2. Write the new pack, with the newest small packs merged into it. A runner that dies here leaves an
//!    object that no index names; it is deleted a day later.
//! 3. Write a new head: all packs of the heads that were read, the new one, and which ones were merged. From
//!    here on every reader finds the pack. Another runner may do the same at the same time: then there are
//!    two heads, neither knows the other's pack, and what is there is the union of both.
//! 4. Write the same bytes under the fixed name `index`, the object that a run reads first. Of two runners
//!    the later one wins; a reader that misses something lists the heads.
//! 5. Delete the heads that were read in step 1: all that they had is in the new one. Heads that could not be
//!    read stay. A reader that has just listed a deleted head lists again.
//! 6. Delete packs that were merged more than an hour ago: a reader may still have an old index. A reader
//!    that comes too late lists again.
//!
//! Where objects are made only once ([`Naming::Numbered`]) heads are a sequence: the next number is made by
//! one runner only, and the others read what it wrote, unite and try the number after it.
//!
//! Tried and dropped: one index, replaced if it is unchanged (`If-Match`). WebDAV has no such write, and a
//! runner of many would read and write it as often as others end.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::filter::Filter;
use super::index::{Id, Index, MAX_INDEX_BYTES, PackLine};
use super::objects::{Listed, Naming, Size, Written};
use super::{Cloud, Entries, Fetched, State};
use crate::bucket::split;
use crate::{Bucket, ErrorKind, Key, Origin, StoreError};

/// A pack of this size is not merged any more.
const FULL_BYTES: u64 = 32 << 20;
/// This many packs that are not full are merged into fewer: with the index and a listing, a run on a bucket
/// without full packs makes at most five requests.
const MANY_PACKS: usize = 4;
/// How long a merged pack stays for readers of an old index.
const RETIRED_MS: u64 = 60 * 60 * 1000;
/// How long objects stay that no index names: their writer may be about to name them.
const ORPHANED: Duration = Duration::from_secs(24 * 60 * 60);
/// Listing and reading again because heads went away meanwhile.
const ATTEMPTS: usize = 8;
/// Numbers of a sequence that a writer tries: so many runners may end at once.
const NUMBERS: usize = 128;
/// Numbers that it goes past because nobody finished them. More are there only if so many died in a row.
const DEAD_NUMBERS: usize = 32;
/// Before a second look at an index that is not finished.
const SHORTEST_PAUSE: Duration = Duration::from_millis(50);
/// The most heads that are read: more are there only if many runners died, or if somebody put them there.
const MAX_HEADS: usize = 64;

/// The indexes that are there.
pub(super) struct Heads {
    pub read: Vec<Id>,
    pub union: Index,
    /// Those that are not intact, with the time of their writing.
    unreadable: Vec<Listed>,
}

/// What came of reading a head.
enum Head {
    Read(Index),
    Gone,
    /// Perhaps a server that shows what is still being written.
    Unreadable,
}

/// The bytes of an entry in a pack.
pub(super) fn cost(value: &[u8]) -> usize {
    value.len() + 38
}

fn now_ms() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64)
}

impl Cloud {
    /// Lists the heads and reads those that this process has not read before; `None` where there is no list.
    pub(super) fn read_heads(&self, state: &mut State) -> Result<Option<Heads>, StoreError> {
        for _ in 0..ATTEMPTS {
            let Some(listed) = self.objects.list("heads/")? else { return Ok(None) };
            let mut heads = Heads { read: Vec::new(), union: Index::empty(), unreadable: Vec::new() };
            let mut is_gone = false;
            for entry in listed.into_iter().take(MAX_HEADS) {
                let Some(id) = Id::parse(&entry.name) else { continue };
                match self.read_head(state, id)? {
                    Head::Read(index) => {
                        heads.read.push(id);
                        heads.union.unite(index);
                    }
                    Head::Gone => is_gone = true,
                    Head::Unreadable => heads.unreadable.push(entry),
                }
            }
            if !is_gone {
                return Ok(Some(heads));
            }
        }
        let error = StoreError::new(ErrorKind::Busy, self.objects.place(), "the indexes change all the time");
        Err(error.help("the answers are in the other stores; try again later"))
    }

    /// One head, read at most once: it never changes.
    fn read_head(&self, state: &mut State, id: Id) -> Result<Head, StoreError> {
        if let Some(index) = state.indexes.get(&id) {
            return Ok(Head::Read(index.clone()));
        }
        let name = format!("heads/{id}");
        let Some(bytes) = self.objects.read(&name, MAX_INDEX_BYTES as u64, Size::Small)? else {
            return Ok(Head::Gone);
        };
        match Index::decode(&self.name(&name), &bytes) {
            Ok(index) if index.id == id => {
                state.indexes.insert(id, index.clone());
                Ok(Head::Read(index))
            }
            Ok(_) => Ok(Head::Unreadable),
            Err(error) if error.kind() == ErrorKind::Newer => Err(error),
            Err(error) => {
                state.trouble = Some(error);
                Ok(Head::Unreadable)
            }
        }
    }

    /// The newest index of a sequence.
    fn read_newest(&self) -> Result<Heads, StoreError> {
        let mut heads = Heads { read: Vec::new(), union: Index::empty(), unreadable: Vec::new() };
        if let Some((name, bytes)) = self.objects.newest("index-", MAX_INDEX_BYTES as u64)? {
            match Index::decode(&self.name(&name), &bytes) {
                Ok(index) => {
                    heads.read.push(index.id);
                    heads.union.id = index.id;
                    heads.union.unite(index);
                }
                Err(error) if error.kind() == ErrorKind::Newer => return Err(error),
                // It cannot be replaced, only followed.
                Err(_) => {}
            }
            heads.union.number = number_of(&name).unwrap_or(heads.union.number);
        }
        Ok(heads)
    }

    /// Writes what waits, without some keys, and merges packs.
    pub(super) fn publish(&self, state: &mut State, without: &[Key]) -> Result<(), StoreError> {
        let published = self.try_publish(state, without);
        state.gave_up = published.is_err();
        self.counters.check(published)
    }

    fn try_publish(&self, state: &mut State, without: &[Key]) -> Result<(), StoreError> {
        let heads = match self.objects.naming() {
            Naming::Listed => self.read_heads(state)?.ok_or_else(|| {
                let message = "it cannot be written: the server lists no objects";
                let error = StoreError::new(ErrorKind::Unwritable, self.objects.place(), message);
                error.help("a plain web server is a mirror: open it read-only, or use a WebDAV server")
            })?,
            Naming::Numbered => self.read_newest()?,
        };
        let mut index = heads.union.clone();
        if heads.read.is_empty() {
            // A copy of a bucket may have the index only.
            self.begin(state)?;
            index.unite(state.known.clone().unwrap_or_else(Index::empty));
        }
        let now = now_ms();
        let newest = index.packs.first().map_or(0, |line| line.created_ms);
        let created_ms = now.max(newest.saturating_add(1));
        let chosen = choose(&index.packs, state.pending_bytes as u64);
        let (mut entries, merged) = self.gather(state, &index, &chosen, without)?;
        entries.retain(|key, _| !without.contains(key));
        // What the service has evicted is asked for by nobody any more.
        let is_gone = |line: &&PackLine| state.gone.contains(&line.id);
        let mut retired: BTreeSet<Id> = index.packs.iter().filter(is_gone).map(|line| line.id).collect();
        retired.extend(&merged);
        let mut lines = Vec::new();
        for line in index.packs.iter().filter(|line| !merged.contains(&line.id) && has_any(line, without)) {
            if let Some(kept) = self.without(state, line, without)? {
                lines.extend(kept);
                retired.insert(line.id);
            }
        }
        for part in parts(entries) {
            lines.push(self.write_pack(state, part, created_ms)?);
        }
        index.packs.retain(|line| !retired.contains(&line.id));
        index.retired.extend(retired.iter().map(|id| (*id, now)));
        let expired = expire(&mut index, now);
        index.packs.extend(lines);
        index.sort();
        match self.objects.naming() {
            Naming::Listed => self.write_head(&mut index)?,
            Naming::Numbered => self.write_numbered(&mut index, &heads.read)?,
        }
        state.pending.clear();
        state.pending_bytes = 0;
        state.indexes.insert(index.id, index.clone());
        state.known = Some(index);
        state.is_listed = true;
        if self.objects.naming() == Naming::Listed {
            self.clean_up(state, &heads, &expired, !merged.is_empty());
        }
        Ok(())
    }

    /// What waits, and the entries of the packs to merge, newest first; and which packs those were. A pack
    /// that is gone or damaged is merged into nothing. One that cannot be fetched now stays.
    fn gather(
        &self,
        state: &mut State,
        index: &Index,
        chosen: &BTreeSet<Id>,
        without: &[Key],
    ) -> Result<(Entries, BTreeSet<Id>), StoreError> {
        let mut entries = state.pending.clone();
        let mut merged = BTreeSet::new();
        for line in index.packs.iter().filter(|line| chosen.contains(&line.id)) {
            let held = state.packs.get(&line.id).cloned().flatten();
            let fetched = match held {
                Some(held) => Ok(Fetched::Intact((*held).clone())),
                None => self.fetch(line.id, line.bytes),
            };
            match fetched {
                Ok(Fetched::Intact(older)) => {
                    for (key, (value, origin)) in older {
                        let known = entries.get(&key).map(|(_, origin)| *origin);
                        // Found there counts more than taken from elsewhere, whichever is newer.
                        if known.is_none_or(|known| known != Origin::Local && origin == Origin::Local) {
                            entries.insert(key, (value, origin));
                        }
                    }
                }
                Ok(Fetched::Gone) => {}
                Ok(Fetched::Damaged(error)) => state.trouble = Some(error),
                // A key that stays there is not removed.
                Err(error) if !without.is_empty() => return Err(error),
                // Nor may older ones take its place.
                Err(_) => break,
            }
            merged.insert(line.id);
        }
        Ok((entries, merged))
    }

    /// A pack written again without some keys, in its old place in time; `None` if it has none of them.
    fn without(
        &self,
        state: &mut State,
        line: &PackLine,
        without: &[Key],
    ) -> Result<Option<Vec<PackLine>>, StoreError> {
        let mut entries = match state.packs.get(&line.id).cloned().flatten() {
            Some(held) => (*held).clone(),
            None => match self.fetch(line.id, line.bytes)? {
                Fetched::Intact(entries) => entries,
                Fetched::Gone | Fetched::Damaged(_) => return Ok(Some(Vec::new())),
            },
        };
        let before = entries.len();
        entries.retain(|key, _| !without.contains(key));
        if entries.len() == before {
            return Ok(None);
        }
        let written = parts(entries).into_iter().map(|part| self.write_pack(state, part, line.created_ms));
        written.collect::<Result<Vec<_>, _>>().map(Some)
    }

    fn write_pack(
        &self,
        state: &mut State,
        entries: Entries,
        created_ms: u64,
    ) -> Result<PackLine, StoreError> {
        let bytes =
            crate::pack::encode(entries.iter().map(|(key, (value, origin))| (key, &**value, *origin)));
        let mut items: Vec<&[u8]> = Vec::new();
        let buckets: BTreeSet<[u8; 16]> = entries
            .iter()
            .filter(|(key, (value, _))| Bucket::of(key, value).is_some())
            .map(|(key, _)| split(key).0.0)
            .collect();
        items.extend(entries.keys().map(|key| key.0.as_slice()));
        items.extend(buckets.iter().map(<[u8; 16]>::as_slice));
        let filter = Filter::of(items.into_iter());
        let id = self.write_under_an_id(&bytes)?;
        let (count, bytes) = (entries.len() as u64, bytes.len() as u64);
        state.packs.insert(id, Some(Arc::new(entries)));
        Ok(PackLine { id, created_ms, bytes, entries: count, filter })
    }

    /// Writes a pack. Its name is random, so one that exists is this runner's own: a reservation whose reply
    /// was lost, which cannot be used any more.
    fn write_under_an_id(&self, bytes: &[u8]) -> Result<Id, StoreError> {
        for _ in 0..ATTEMPTS {
            let id = Id::random();
            if self.objects.write(&format!("packs/{id}"), bytes, Size::Large)? == Written::Done {
                return Ok(id);
            }
        }
        let error = StoreError::new(ErrorKind::Busy, self.objects.place(), "every name of a pack is taken");
        Err(error.help("the answers are in the other stores; the next run writes what it finds"))
    }

    fn write_head(&self, index: &mut Index) -> Result<(), StoreError> {
        index.id = Id::random();
        let bytes = index.encode();
        self.objects.write(&format!("heads/{}", index.id), &bytes, Size::Small)?;
        // A copy: the head is what counts.
        self.objects.write("index", &bytes, Size::Small).map(drop)
    }

    /// Makes the next index of the sequence, united with all that others made meanwhile; `read` are those
    /// that it has already.
    ///
    /// A number that another writer has begun is waited for, and then gone past. Should that writer finish
    /// after all, one of the two sees it: this one, which looks at the number again when its own index is
    /// there; or the other one, which finds a newer index than its own; or the next writer, which meets this
    /// one's number.
    fn write_numbered(&self, index: &mut Index, read: &[Id]) -> Result<(), StoreError> {
        let mut seen: BTreeSet<Id> = read.iter().copied().collect();
        let mut waited = Duration::ZERO;
        let mut passed: Vec<String> = Vec::new();
        for _ in 0..NUMBERS {
            if passed.len() >= DEAD_NUMBERS {
                break;
            }
            index.number = index.number.saturating_add(1);
            index.id = Id::random();
            let name = numbered(index.number);
            let mut others = Vec::new();
            match self.objects.write(&name, &index.encode(), Size::Small)? {
                Written::Done => {
                    seen.insert(index.id);
                    // It is there, so trouble from here on is none.
                    let newest = self.read_newest().ok().filter(|heads| !heads.read.is_empty());
                    others.extend(newest.map(|heads| heads.union));
                    let again = passed.iter().filter_map(|name| self.read_numbered(name).ok().flatten());
                    others.extend(again);
                    others.retain(|other| !seen.contains(&other.id));
                    if others.is_empty() {
                        return Ok(());
                    }
                }
                Written::Exists => match self.read_taken(&name, &mut waited)? {
                    Some(other) => others.push(other),
                    None => passed.push(name),
                },
            }
            for other in others {
                seen.insert(other.id);
                index.unite(other);
            }
        }
        let error =
            StoreError::new(ErrorKind::Busy, self.objects.place(), "other runners were always faster");
        Err(error.help("the answers are in the other stores; the next run writes what it finds"))
    }

    /// An index of a sequence; `None` if it is not there or not intact.
    fn read_numbered(&self, name: &str) -> Result<Option<Index>, StoreError> {
        let found = self.objects.read(name, MAX_INDEX_BYTES as u64, Size::Small)?;
        Ok(found.and_then(|bytes| Index::decode(&self.name(name), &bytes).ok()))
    }

    /// An index whose number is taken. Its writer may be about to finish it, or may have died before that: it
    /// is waited for, all in all as long as the service says.
    fn read_taken(&self, name: &str, waited: &mut Duration) -> Result<Option<Index>, StoreError> {
        let mut pause = SHORTEST_PAUSE;
        loop {
            let found = self.read_numbered(name)?;
            let left = self.objects.patience().saturating_sub(*waited);
            if found.is_some() || left.is_zero() {
                return Ok(found);
            }
            let now = pause.min(left);
            std::thread::sleep(now);
            *waited += now;
            pause *= 2;
        }
    }

    /// Deletes what no reader needs. Failures are passed over: the next runner deletes it.
    fn clean_up(&self, state: &State, heads: &Heads, expired: &[Id], is_thorough: bool) {
        for id in &heads.read {
            let _ = self.objects.delete(&format!("heads/{id}"));
        }
        for id in expired {
            let _ = self.objects.delete(&format!("packs/{id}"));
        }
        if !is_thorough {
            return;
        }
        let is_old = |entry: &Listed| {
            let age = entry.modified.and_then(|at| SystemTime::now().duration_since(at).ok());
            age.is_some_and(|age| age > ORPHANED)
        };
        for entry in heads.unreadable.iter().filter(|entry| is_old(entry)) {
            let _ = self.objects.delete(&format!("heads/{}", entry.name));
        }
        let Ok(Some(listed)) = self.objects.list("packs/") else { return };
        let Some(known) = &state.known else { return };
        let named: BTreeSet<Id> =
            known.packs.iter().map(|line| line.id).chain(known.retired.keys().copied()).collect();
        for entry in listed.iter().filter(|entry| is_old(entry)) {
            if Id::parse(&entry.name).is_some_and(|id| !named.contains(&id)) {
                let _ = self.objects.delete(&format!("packs/{}", entry.name));
            }
        }
    }
}

/// The name of an index in a sequence.
fn numbered(number: u64) -> String {
    format!("index-{number:020}")
}

/// The number in the name of an index, whatever follows it.
fn number_of(name: &str) -> Option<u64> {
    name.strip_prefix("index-")?.get(..20)?.parse().ok()
}

/// Whether a pack may have one of some keys.
fn has_any(line: &PackLine, keys: &[Key]) -> bool {
    keys.iter().any(|key| line.filter.may_have(&key.0))
}

/// Which packs are merged into the new one: when there are many, the newest, as long as each is at most twice
/// as large as all newer ones together. So an entry is written again about once for each doubling of the
/// bucket. Only neighbours in time are merged: an old value would else come before a newer one.
fn choose(packs: &[PackLine], new_bytes: u64) -> BTreeSet<Id> {
    let young: Vec<&PackLine> = packs.iter().take_while(|line| line.bytes < FULL_BYTES).collect();
    let mut chosen = BTreeSet::new();
    let (mut sum, mut left) = (new_bytes, young.len() + 1);
    if left < MANY_PACKS {
        return chosen;
    }
    for line in young {
        let must = left >= MANY_PACKS;
        if !must && line.bytes > 2 * sum || sum + line.bytes > 2 * FULL_BYTES {
            break;
        }
        sum += line.bytes;
        left -= 1;
        chosen.insert(line.id);
    }
    chosen
}

/// Forgets packs that were merged long ago and returns them, to be deleted.
fn expire(index: &mut Index, now_ms: u64) -> Vec<Id> {
    let is_expired = |at_ms: u64| at_ms.saturating_add(RETIRED_MS) < now_ms;
    let expired = index.retired.iter().filter(|(_, at_ms)| is_expired(**at_ms)).map(|(id, _)| *id).collect();
    index.retired.retain(|_, at_ms| !is_expired(*at_ms));
    expired
}

/// Entries in packs that are not longer than necessary.
fn parts(entries: Entries) -> Vec<Entries> {
    let mut parts: Vec<Entries> = Vec::new();
    let mut bytes = u64::MAX;
    for (key, item) in entries {
        let more = cost(&item.0) as u64;
        if bytes.saturating_add(more) > FULL_BYTES {
            parts.push(Entries::new());
            bytes = 0;
        }
        bytes += more;
        if let Some(part) = parts.last_mut() {
            part.insert(key, item);
        }
    }
    parts
}
