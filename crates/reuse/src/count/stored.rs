//! Counts in the store: a record per component and per sub-count, under the digest of its canonical form.
//!
//! Nothing in a count can be checked without counting, so one from a store that is not trusted is not used,
//! and nothing of it is copied to local layers.

use crate::event::Event;
use crate::ladder::Rung;
use crate::record::{Record, RecordedVerdict};
use crate::stats::{Stage, Stats};
use crate::trust::Trust;
use evergreen_canon::{KeyBytes, digest};
use evergreen_count::{Memo, Rank};
use evergreen_store::{Key, Store};
use num_bigint::BigUint;
use rustc_hash::FxHashMap;
use std::time::{Duration, Instant};

/// Who counted, in records.
const BY: &str = "evergreen count";

/// Keeps keys of counts apart from all others.
const KIND: &[u8] = b"evergreen count";

pub(crate) struct Stored<'e> {
    pub store: &'e dyn Store,
    pub trust: Trust,
    pub namespace: &'e str,
    /// The name of the counter; empty for ours.
    pub by: &'e str,
    pub stats: &'e mut Stats,
    /// Where events go, if a log is kept.
    pub events: Option<&'e mut Vec<Event>>,
    /// When what is being counted was not found.
    pub missed: FxHashMap<KeyBytes, Instant>,
    /// The time that looking up and recording took.
    pub spent: Duration,
}

impl Stored<'_> {
    fn key(&self, form: &[u8]) -> KeyBytes {
        let mut bytes = Vec::with_capacity(KIND.len() + 8 + self.namespace.len() + form.len());
        bytes.extend(KIND);
        bytes.extend((self.namespace.len() as u64).to_le_bytes());
        bytes.extend(self.namespace.as_bytes());
        bytes.extend(form);
        if !self.by.is_empty() {
            // Behind the form, whose end its own bytes say; ours have nothing there.
            bytes.extend(b" counted by ");
            bytes.extend(self.by.as_bytes());
        }
        digest(&bytes)
    }

    fn log(&mut self, event: Event) {
        if let Some(events) = &mut self.events {
            events.push(event);
        }
    }

    /// The record of a key, if it is a count from a trusted origin.
    fn find(&mut self, key: &KeyBytes) -> Option<BigUint> {
        // A failing store is a miss; the store reports its own trouble.
        let (bytes, origin) = self.store.get_from(&Key(*key)).ok().flatten()?;
        let record = Record::decode(&bytes)?;
        let RecordedVerdict::Count(count) = record.verdict else { return None };
        if !self.trust.trusts(origin) {
            self.stats.distrusted += 1;
            self.log(Event::Distrusted { key: *key });
            return None;
        }
        self.stats.saved += Duration::from_micros(record.micros);
        Some(count)
    }
}

impl Memo for Stored<'_> {
    fn get(&mut self, form: &[u8], rank: Rank) -> Option<BigUint> {
        let start = Instant::now();
        let key = self.key(form);
        let found = self.find(&key);
        let counts = &mut self.stats.counts;
        let (asked, reused) = match rank {
            Rank::Component => (&mut counts.components, &mut counts.reused),
            Rank::SubCount => (&mut counts.sub_counts, &mut counts.sub_reused),
        };
        *asked += 1;
        *reused += u64::from(found.is_some());
        match &found {
            Some(_) => {
                self.stats.hit(Rung::Exact);
                self.log(Event::CountReused { key, rank });
            }
            None => {
                self.missed.insert(key, start);
                self.log(Event::Missed { key });
            }
        }
        let took = start.elapsed();
        self.stats.tried(Rung::Exact, 1, took);
        self.stats.add(Stage::LookUp, took);
        self.spent += took;
        found
    }

    fn put(&mut self, form: &[u8], rank: Rank, count: &BigUint) {
        let start = Instant::now();
        let key = self.key(form);
        let micros = self.missed.remove(&key).map_or(0, |since| since.elapsed().as_micros() as u64);
        let by = if self.by.is_empty() { BY } else { self.by };
        let record =
            Record { verdict: RecordedVerdict::Count(count.clone()), micros, solver: by.to_string() };
        if self.store.put(&Key(key), &record.encode()).is_ok() {
            self.stats.recorded += 1;
            self.log(Event::CountRecorded { key, rank });
        }
        let took = start.elapsed();
        self.stats.add(Stage::Record, took);
        self.spent += took;
    }
}
