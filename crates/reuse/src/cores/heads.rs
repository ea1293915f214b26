//! Cores by their heads: buckets of a store, as far as this process has come across them.

use crate::trust::Trust;
use evergreen_canon::digest;
use evergreen_store::{Bucket, Key, Store};
use rustc_hash::FxHashMap;
use std::cmp::Ordering;
use std::hash::Hash;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

/// The most keys whose heads are asked of the store in one look-up; the last ones are asked first.
const MAX_PROBES: usize = 8192;
/// How many keys are asked of the store at first: a goal is among the last assertions.
const FIRST_PROBES: usize = 32;
/// Keys remembered before everything is forgotten and listed again.
const MAX_REMEMBERED: usize = 1 << 20;

/// A kind of core that is kept under one of its members.
pub(crate) trait Filed: Clone + PartialEq {
    /// What names of buckets are made of.
    const BUCKET: &'static [u8];
    /// What keys of markers are made of.
    const MARKER: &'static [u8];
    /// A marker, and how encoded cores begin.
    const SIGN: [u8; 2];
    /// What identifies a head.
    type Head: Copy + Eq + Hash;

    fn head_bytes(head: Self::Head) -> Vec<u8>;
    fn encode(&self) -> Vec<u8>;
    fn decode(bytes: &[u8]) -> Option<Self>;
    /// The order in which the cores of a head are tried.
    fn order(&self, other: &Self) -> Ordering;
}

/// What a time is rounded down to, as a power of two of microseconds: the same core found twice is then
/// mostly the same bytes.
pub(crate) fn log_micros(took: Duration) -> u32 {
    took.as_micros().clamp(1, u128::from(u64::MAX)).ilog2()
}

/// The cores of a store by head.
pub(crate) struct Heads<C: Filed> {
    store: Arc<dyn Store>,
    namespace: String,
    trust: Trust,
    pub(crate) distrusted: u64,
    /// The cores of each head that was asked about; mostly none.
    known: FxHashMap<C::Head, Rc<[C]>>,
    none: Rc<[C]>,
}

impl<C: Filed> Heads<C> {
    pub(crate) fn new(store: Arc<dyn Store>, namespace: &str, trust: Trust) -> Heads<C> {
        Heads {
            store,
            namespace: namespace.to_string(),
            trust,
            distrusted: 0,
            known: FxHashMap::default(),
            none: Rc::new([]),
        }
    }

    /// The cores whose head is the one at a place of a list, if there are any. Places are asked for in
    /// ascending order; `asked` counts what was asked of the store.
    pub(crate) fn of(&mut self, heads: &[C::Head], at: usize, asked: &mut usize) -> Option<Rc<[C]>> {
        if at == 0 && self.known.len() > MAX_REMEMBERED {
            self.known.clear();
        }
        if !self.known.contains_key(&heads[at]) {
            if *asked >= MAX_PROBES {
                return None;
            }
            let share = if *asked == 0 { FIRST_PROBES } else { MAX_PROBES };
            *asked += self.ask(&heads[at..], share);
        }
        self.known.get(&heads[at]).filter(|cores| !cores.is_empty()).cloned()
    }

    /// Finds out about the first `most` heads that nothing is known of yet; how many those were.
    fn ask(&mut self, heads: &[C::Head], most: usize) -> usize {
        let unknown: Vec<C::Head> =
            heads.iter().copied().filter(|k| !self.known.contains_key(k)).take(most).collect();
        let markers: Vec<Key> = unknown.iter().map(|&k| self.marker(k)).collect();
        // A failing store is a miss; the store reports its own trouble.
        let found = self.store.get_many(&markers).unwrap_or_default();
        for (i, &head) in unknown.iter().enumerate() {
            let is_head = matches!(found.get(i), Some(Some(_)));
            let cores = if is_head { self.list(head) } else { self.none.clone() };
            self.known.insert(head, cores);
        }
        unknown.len()
    }

    fn list(&mut self, head: C::Head) -> Rc<[C]> {
        let mut values = self.store.list_from(&self.bucket(head)).unwrap_or_default();
        let all = values.len();
        values.retain(|(_, origin)| self.trust.trusts(*origin));
        self.distrusted += (all - values.len()) as u64;
        let mut cores: Vec<C> = values.iter().filter_map(|(v, _)| C::decode(v)).collect();
        cores.sort_unstable_by(C::order);
        cores.into()
    }

    /// Adds a core; the key of its entry, if it was kept.
    pub(crate) fn add(&mut self, head: C::Head, core: C) -> Option<[u8; 32]> {
        let (bucket, value) = (self.bucket(head), core.encode());
        // The marker comes last: a reader that sees it finds the core.
        self.store.put_in(&bucket, &value).ok()?;
        self.store.put(&self.marker(head), &C::SIGN).ok()?;
        // Others may have added to it meanwhile.
        let mut cores = self.list(head).to_vec();
        if !cores.contains(&core) {
            // What this process found it trusts, wherever it had to put it.
            cores.push(core);
        }
        self.known.insert(head, cores.into());
        Some(bucket.member(&value).0)
    }

    /// The key of the entry of a core.
    pub(crate) fn entry_key(&self, head: C::Head, core: &C) -> [u8; 32] {
        self.bucket(head).member(&core.encode()).0
    }

    fn place(&self, what: &[u8], head: C::Head) -> [u8; 32] {
        let mut bytes = what.to_vec();
        bytes.extend((self.namespace.len() as u64).to_le_bytes());
        bytes.extend(self.namespace.as_bytes());
        bytes.extend(C::head_bytes(head));
        digest(&bytes)
    }

    fn bucket(&self, head: C::Head) -> Bucket {
        let place = self.place(C::BUCKET, head);
        Bucket(place[..16].try_into().expect("a digest has 32 bytes"))
    }

    fn marker(&self, head: C::Head) -> Key {
        Key(self.place(C::MARKER, head))
    }
}
