//! Cores that were found before, looked up in queries that contain them.
//!
//! A query is unsatisfiable when some of its constraints are known to be unsatisfiable together, whatever
//! else it says. A verification condition has some 500 axioms, of which its proof needs ten; add a method to
//! the program and the other conditions gain axioms that their proofs do not need. So a core is kept as a
//! sorted list of *named keys* ([`evergreen_canon::Canonizer::named_key`]): equal keys are equal formulas,
//! and a query whose keys include all of them is unsatisfiable.
//!
//! **Index.** Each core is kept once, in the bucket of its *head*, the member that was asserted last. Axioms
//! come first and are shared by everything, goals come last and are rare: heads are goals, and their buckets
//! are short. A look-up goes through the query's keys from the last to the first and tests the cores in each
//! one's bucket for inclusion in the query's set of keys. That finds a core wherever its head now stands in
//! the query. Cost: one set of the query's keys, one probe of a hash map per key once the buckets are known
//! to the process, and for each core tested as many probes as it has members that the query has.
//!
//! What was listed is remembered, empty buckets too, so that a process lists each bucket once. Which heads
//! exist at all is asked for many keys at a time, by markers: ordinary entries without content, one per head.
//! That is one round trip to a store on a network where listing the buckets would be hundreds.
//!
//! Tried and dropped: a UBTree over sorted keys [Hoffmann IJCAI'99], KLEE's index. It has to be in memory as
//! a whole or walk down the shared store level by level, and the order of keys that makes it narrow (rare
//! first) is not known.

use crate::trust::Trust;
use evergreen_canon::digest;
use evergreen_store::{Bucket, Key, Store};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

/// The first byte of a stored core, and of a marker: no record of an answer starts with it.
const MARK: u8 = 0xc0;
/// Version of the stored form of cores.
const CORE_VERSION: u8 = 1;
/// A core with more members says little that the exact key does not.
const MAX_MEMBERS: usize = 4096;
/// The most cores that one look-up tests.
const MAX_TESTS: usize = 4096;
/// The most keys whose heads are asked of the store in one look-up; the last ones are asked first.
const MAX_PROBES: usize = 8192;
/// How many keys are asked of the store at first: a goal is among the last assertions.
const FIRST_PROBES: usize = 32;
/// Keys remembered before everything is forgotten and listed again.
const MAX_REMEMBERED: usize = 1 << 20;

/// A core as it is stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredCore {
    /// Named keys of its members, ascending, each once.
    pub members: Vec<u128>,
    /// What solving took, rounded down to a power of two: the same core found twice is then mostly the same
    /// bytes.
    pub micros: u64,
    /// Who said so.
    pub solver: String,
}

impl StoredCore {
    /// The stored bytes.
    pub fn encode(&self) -> Vec<u8> {
        let solver = &self.solver.as_bytes()[..self.solver.len().min(255)];
        let mut out = Vec::with_capacity(8 + solver.len() + self.members.len() * 16);
        out.extend([MARK, CORE_VERSION, self.micros.max(1).ilog2() as u8, solver.len() as u8]);
        out.extend((self.members.len() as u32).to_le_bytes());
        out.extend(solver);
        self.members.iter().for_each(|m| out.extend(m.to_le_bytes()));
        out
    }

    /// Reads stored bytes; `None` unless they are a whole core of this version.
    pub fn decode(bytes: &[u8]) -> Option<StoredCore> {
        let [MARK, CORE_VERSION, log, length, rest @ ..] = bytes else { return None };
        let micros = 1u64.checked_shl(u32::from(*log))?;
        let (count, rest) = rest.split_first_chunk::<4>()?;
        let (solver, keys) = rest.split_at_checked(usize::from(*length))?;
        let solver = String::from_utf8(solver.to_vec()).ok()?;
        let (chunks, []) = keys.as_chunks::<16>() else { return None };
        let members: Vec<u128> = chunks.iter().map(|c| u128::from_le_bytes(*c)).collect();
        let is_whole = members.len() as u64 == u64::from(u32::from_le_bytes(*count));
        let is_core = is_whole && !members.is_empty() && members.is_sorted_by(|a, b| a < b);
        is_core.then_some(StoredCore { members, micros, solver })
    }
}

/// Whether bytes are a core or a marker of this version: for `store verify`.
pub fn check_core_bytes(bytes: &[u8]) -> bool {
    bytes == [MARK, CORE_VERSION] || StoredCore::decode(bytes).is_some()
}

/// A core that a query contains.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FoundCore {
    /// Named keys of its members, ascending.
    pub members: Vec<u128>,
    /// What solving took when it was found.
    pub saved: Duration,
    /// The key of the entry.
    pub key: [u8; 32],
}

/// The cores of a store, as far as this process has come across them.
pub struct CoreIndex {
    store: Arc<dyn Store>,
    namespace: String,
    trust: Trust,
    /// Cores that were ignored because their origin is not trusted: nothing in a core can be checked.
    pub(crate) distrusted: u64,
    /// The cores of each head that was asked about; mostly none.
    heads: FxHashMap<u128, Rc<[StoredCore]>>,
    none: Rc<[StoredCore]>,
}

impl CoreIndex {
    /// An index over a store; cores of other namespaces, and from where they are not trusted, are not seen.
    pub fn new(store: Arc<dyn Store>, namespace: &str, trust: Trust) -> CoreIndex {
        CoreIndex {
            store,
            namespace: namespace.to_string(),
            trust,
            distrusted: 0,
            heads: FxHashMap::default(),
            none: Rc::new([]),
        }
    }

    /// A core whose members are all among the keys of a query, given in the order of assertion.
    pub fn find(&mut self, keys: &[u128]) -> Option<FoundCore> {
        let mut set: FxHashSet<u128> = FxHashSet::default();
        set.reserve(keys.len());
        let latest: Vec<u128> = keys.iter().rev().copied().filter(|&k| set.insert(k)).collect();
        if self.heads.len() > MAX_REMEMBERED {
            self.heads.clear();
        }
        let mut tests = MAX_TESTS;
        let mut asked = 0;
        for (at, &key) in latest.iter().enumerate() {
            if !self.heads.contains_key(&key) {
                if asked >= MAX_PROBES {
                    continue;
                }
                let share = if asked == 0 { FIRST_PROBES } else { MAX_PROBES };
                asked += self.ask_heads(&latest[at..], share);
            }
            let Some(cores) = self.heads.get(&key).filter(|c| !c.is_empty()) else { continue };
            for core in cores.iter() {
                tests = tests.checked_sub(1)?;
                if core.members.iter().all(|m| set.contains(m)) {
                    return Some(FoundCore {
                        members: core.members.clone(),
                        saved: Duration::from_micros(core.micros),
                        key: self.bucket(key).member(&core.encode()).0,
                    });
                }
            }
        }
        None
    }

    /// Finds out about the first `most` keys that nothing is known of yet; how many those were.
    fn ask_heads(&mut self, keys: &[u128], most: usize) -> usize {
        let unknown: Vec<u128> =
            keys.iter().copied().filter(|k| !self.heads.contains_key(k)).take(most).collect();
        let markers: Vec<Key> = unknown.iter().map(|&k| self.marker(k)).collect();
        // A failing store is a miss; the store reports its own trouble.
        let found = self.store.get_many(&markers).unwrap_or_default();
        for (i, &key) in unknown.iter().enumerate() {
            let is_head = matches!(found.get(i), Some(Some(_)));
            let cores = if is_head { self.list(key) } else { self.none.clone() };
            self.heads.insert(key, cores);
        }
        unknown.len()
    }

    fn list(&mut self, head: u128) -> Rc<[StoredCore]> {
        let mut values = self.store.list_from(&self.bucket(head)).unwrap_or_default();
        let all = values.len();
        values.retain(|(_, origin)| self.trust.trusts(*origin));
        self.distrusted += (all - values.len()) as u64;
        let mut cores: Vec<StoredCore> = values.iter().filter_map(|(v, _)| StoredCore::decode(v)).collect();
        // Small ones match more, and every process tries them in one order.
        cores.sort_unstable_by(|a, b| (a.members.len(), &a.members).cmp(&(b.members.len(), &b.members)));
        cores.into()
    }

    /// Adds a core, given as keys in the order of assertion; the key of its entry, if it was kept.
    pub fn add(&mut self, keys: &[u128], took: Duration, solver: &str) -> Option<[u8; 32]> {
        let head = *keys.last()?;
        let mut members = keys.to_vec();
        members.sort_unstable();
        members.dedup();
        if members.len() > MAX_MEMBERS {
            return None;
        }
        let micros = 1 << took.as_micros().clamp(1, u128::from(u64::MAX)).ilog2();
        let core = StoredCore { members, micros, solver: solver.to_string() };
        let (bucket, value) = (self.bucket(head), core.encode());
        // The marker comes last: a reader that sees it finds the core.
        self.store.put_in(&bucket, &value).ok()?;
        self.store.put(&self.marker(head), &[MARK, CORE_VERSION]).ok()?;
        // Others may have added to it meanwhile.
        let mut cores = self.list(head).to_vec();
        if !cores.contains(&core) {
            // What this process found it trusts, wherever it had to put it.
            cores.push(core);
        }
        self.heads.insert(head, cores.into());
        Some(bucket.member(&value).0)
    }

    fn place(&self, what: &[u8], head: u128) -> [u8; 32] {
        let mut bytes = what.to_vec();
        bytes.extend((self.namespace.len() as u64).to_le_bytes());
        bytes.extend(self.namespace.as_bytes());
        bytes.extend(head.to_le_bytes());
        digest(&bytes)
    }

    fn bucket(&self, head: u128) -> Bucket {
        let place = self.place(b"evergreen cores of", head);
        Bucket(place[..16].try_into().expect("a digest has 32 bytes"))
    }

    fn marker(&self, head: u128) -> Key {
        Key(self.place(b"evergreen core head", head))
    }
}
