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

mod heads;
mod nameless;

pub use nameless::{Chosen, Constraints, FoundNameless, Member, NamelessIndex, StoredNameless};

use crate::trust::Trust;
use evergreen_store::Store;
use heads::{Filed, Heads, log_micros};
use rustc_hash::FxHashSet;
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

impl Filed for StoredCore {
    const BUCKET: &'static [u8] = b"evergreen cores of";
    const MARKER: &'static [u8] = b"evergreen core head";
    const SIGN: [u8; 2] = [MARK, CORE_VERSION];
    type Head = u128;

    fn head_bytes(head: u128) -> Vec<u8> {
        head.to_le_bytes().to_vec()
    }

    fn encode(&self) -> Vec<u8> {
        StoredCore::encode(self)
    }

    fn decode(bytes: &[u8]) -> Option<StoredCore> {
        StoredCore::decode(bytes)
    }

    /// Small ones match more, and every process tries them in one order.
    fn order(&self, other: &StoredCore) -> std::cmp::Ordering {
        (self.members.len(), &self.members).cmp(&(other.members.len(), &other.members))
    }
}

/// Whether bytes are a core or a marker of this version: for `store verify`.
pub fn check_core_bytes(bytes: &[u8]) -> bool {
    bytes == StoredCore::SIGN
        || bytes == StoredNameless::SIGN
        || StoredCore::decode(bytes).is_some()
        || StoredNameless::decode(bytes).is_some()
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
    heads: Heads<StoredCore>,
}

impl CoreIndex {
    /// An index over a store; cores of other namespaces, and from where they are not trusted, are not seen.
    pub fn new(store: Arc<dyn Store>, namespace: &str, trust: Trust) -> CoreIndex {
        CoreIndex { heads: Heads::new(store, namespace, trust) }
    }

    /// How many cores were ignored since the last call because their origin is not trusted: nothing in a core
    /// can be checked.
    pub(crate) fn take_distrusted(&mut self) -> u64 {
        std::mem::take(&mut self.heads.distrusted)
    }

    /// A core whose members are all among the keys of a query, given in the order of assertion.
    pub fn find(&mut self, keys: &[u128]) -> Option<FoundCore> {
        let mut set: FxHashSet<u128> = FxHashSet::default();
        set.reserve(keys.len());
        let latest: Vec<u128> = keys.iter().rev().copied().filter(|&k| set.insert(k)).collect();
        let mut tests = MAX_TESTS;
        let mut asked = 0;
        for (at, &key) in latest.iter().enumerate() {
            let Some(cores) = self.heads.of(&latest, at, &mut asked) else { continue };
            for core in cores.iter() {
                tests = tests.checked_sub(1)?;
                if core.members.iter().all(|m| set.contains(m)) {
                    return Some(FoundCore {
                        members: core.members.clone(),
                        saved: Duration::from_micros(core.micros),
                        key: self.heads.entry_key(key, core),
                    });
                }
            }
        }
        None
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
        let core = StoredCore { members, micros: 1 << log_micros(took), solver: solver.to_string() };
        self.heads.add(head, core)
    }
}
