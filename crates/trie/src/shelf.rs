//! An index whose sets outlive the process, loaded bucket by bucket as queries need them.
//!
//! Nothing is read at the start. Which sets could answer a query is known from its prefixes: an
//! unsatisfiable set lies in the bucket of one of its prefixes (the most specific), and a query that implies
//! it has that prefix, so the buckets of all its prefixes are listed; a satisfiable set lies in the buckets
//! of all its prefixes (of the 16 most specific), so one bucket is enough for a query, that of its most
//! specific prefix, which is the smallest. Each bucket is listed once, until [`Shelved::refresh`] makes the
//! entries of other processes visible.
//!
//! A set of nine prefixes would be nine copies of some 500 bytes. On a shelf that has addresses the entry
//! lies once, in the bucket of its most specific prefix, and in the others a reference to it.
//!
//! Where several unsatisfiable sets are looked for that refute a query together ([`Index::refute`]), each may
//! lack a prefix of the query, also its most specific one. So copies lie in the buckets of two prefixes,
//! those that this process has met least, so that a prefix of every query does not get a bucket of all sets.
//! (Copies, not references: trust in an unsatisfiable set depends on the bucket in which it lies.)
//!
//! Not found this way are: sets that answer only through bounds of a sum whose bucket no query has asked for
//! yet, and satisfiable sets of more than 16 prefixes for queries about their least specific ones. Both are
//! misses, not wrong answers.

use crate::atom::{Atom, PrefixKey};
use crate::definitions::{Definitions, Term};
use crate::entry::{Address, Kind, MOST_ATOMS, decode, encode, refer, referred};
use crate::index::{Budget, Found, Index, Payload, Refuted, Sizes, Stored};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::hash::Hasher;
use std::sync::Arc;

/// Where entries are kept: byte strings in numbered buckets, shared by any number of processes.
pub trait Shelf {
    /// All entries of a bucket, in any order. A shelf that cannot answer has none.
    fn list(&self, bucket: u128) -> Vec<Arc<[u8]>>;
    /// Adds an entry to a bucket; adding it twice changes nothing.
    fn put(&self, bucket: u128, entry: &[u8]);
    /// Is `prefix` the key of the sum of `terms`? Definitions that come from a shelf are used only if this
    /// returns true: a wrong one would make wrong answers out of right entries. The default accepts none.
    fn vouch(&self, prefix: PrefixKey, terms: &[Term]) -> bool {
        let _ = (prefix, terms);
        false
    }
    /// Where `entry` lies when it is put into `bucket`. The default has no addresses: copies are put.
    fn address(&self, bucket: u128, entry: &[u8]) -> Option<Address> {
        let _ = (bucket, entry);
        None
    }
    /// Whether the entry is surely there. If so, it was put with all its references.
    fn holds(&self, address: &Address) -> bool {
        let _ = address;
        false
    }
    /// The entry at each of these addresses.
    fn fetch(&self, addresses: &[Address]) -> Vec<Option<Arc<[u8]>>> {
        vec![None; addresses.len()]
    }
    /// A number that changes when another process may have put an entry; None: the shelf cannot know.
    fn news(&self) -> Option<u64> {
        None
    }
}

/// A satisfiable set is put into at most so many buckets.
pub const MOST_BUCKETS: usize = 16;
/// At most so many entries of one bucket are loaded.
pub const MOST_ENTRIES: usize = 20_000;

/// An unsatisfiable set is put into so many buckets of rare prefixes.
const RARE_BUCKETS: usize = 2;
/// When more prefixes were met, all are forgotten.
const MOST_MET: usize = 1 << 16;
/// How often the search for a refutation is repeated with the buckets that derived facts lead to.
const ROUNDS: usize = 4;

/// The counters of entries read from the shelf and put there.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Traffic {
    /// Buckets that were listed.
    pub listed: usize,
    /// Entries that were loaded.
    pub loaded: usize,
    /// Entries that were not what this version writes, or lay in a foreign bucket.
    pub refused: usize,
    /// Entries that were put, each bucket counted.
    pub put: usize,
}

/// An index in front of a shelf.
pub struct Shelved<I> {
    index: I,
    shelf: Option<Arc<dyn Shelf + Send + Sync>>,
    definitions: Definitions,
    loaded: FxHashSet<u128>,
    /// Digests of entries that are in the index already: put by this process, or loaded from another
    /// bucket. A satisfiable set lies in many buckets, and a process that records much would read its
    /// own sets again and again.
    seen: FxHashSet<u64>,
    /// How often prefixes were asked about.
    met: FxHashMap<PrefixKey, u32>,
    /// The shelf's news number when all buckets were last forgotten.
    news: Option<u64>,
    traffic: Traffic,
}

/// A digest of an entry, or of its address. If two entries share a digest, one set is not
/// found; nothing worse happens.
fn digest(entry: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(entry);
    hasher.finish()
}

/// The identity of an entry: its address if it has one, so that references to it are known too.
fn identity(entry: &[u8], address: Option<&Address>) -> u64 {
    address.map_or_else(|| digest(entry), |address| digest(address))
}

/// The bucket of a prefix: satisfiable and unsatisfiable sets have each a space of their own.
pub fn bucket(kind: Kind, prefix: PrefixKey) -> u128 {
    let tag: u128 = match kind {
        Kind::Sat => 0x7361_7469_7366_6961_626c_655f_7365_7473,
        Kind::Unsat => 0x756e_7361_7469_7366_6961_626c_655f_6b65,
    };
    // One-to-one for each kind: an odd factor and an exclusive or lose nothing.
    (prefix.0 ^ tag).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835)
}

impl<I: Index> Shelved<I> {
    /// `index`, without a shelf: pure memory.
    pub fn in_memory(index: I) -> Shelved<I> {
        Shelved {
            index,
            shelf: None,
            definitions: Definitions::default(),
            loaded: FxHashSet::default(),
            seen: FxHashSet::default(),
            met: FxHashMap::default(),
            news: None,
            traffic: Traffic::default(),
        }
    }

    /// `index` in front of `shelf`.
    pub fn new(index: I, shelf: Arc<dyn Shelf + Send + Sync>) -> Shelved<I> {
        Shelved { shelf: Some(shelf), ..Shelved::in_memory(index) }
    }

    /// The next look-up lists its buckets again, unless the shelf knows that no entry was added.
    pub fn refresh(&mut self) {
        let news = self.shelf.as_ref().and_then(|shelf| shelf.news());
        if news.is_none() || news != self.news {
            self.loaded.clear();
        }
        self.news = news;
    }

    /// The counters of entries read from the shelf and put there.
    pub fn traffic(&self) -> Traffic {
        self.traffic
    }

    /// Puts a set into its buckets. A bucket that was not listed before does not count as listed afterwards:
    /// other processes may have put more there.
    fn put(&mut self, kind: Kind, set: &[Atom], payload: &[u8]) {
        let Some(shelf) = &self.shelf else { return };
        if set.len() > MOST_ATOMS {
            return;
        }
        let Some(entry) = encode(kind, set, payload, &self.definitions) else { return };
        let most = match kind {
            Kind::Sat => MOST_BUCKETS,
            Kind::Unsat => 1,
        };
        let prefixes = self.definitions.by_specificity(set).into_iter().take(most);
        let buckets: Vec<u128> = prefixes.map(|prefix| bucket(kind, prefix)).collect();
        let Some((home, others)) = buckets.split_first() else { return };
        let address = shelf.address(*home, &entry);
        self.seen.insert(identity(&entry, address.as_ref()));
        if address.as_ref().is_some_and(|address| shelf.holds(address)) {
            return;
        }
        if kind == Kind::Unsat && !self.met.is_empty() {
            for bucket in self.rare_buckets(set).into_iter().filter(|bucket| bucket != home) {
                shelf.put(bucket, &entry);
                self.seen.insert(identity(&entry, shelf.address(bucket, &entry).as_ref()));
                self.traffic.put += 1;
            }
        }
        // The entry comes last: if it is there, all its references and copies are there too.
        let reference = address.as_ref().map(refer);
        for other in others {
            shelf.put(*other, reference.as_ref().map_or(&entry[..], |reference| reference));
        }
        shelf.put(*home, &entry);
        self.traffic.put += buckets.len();
    }

    /// Where the copies of an unsatisfiable set go.
    fn rare_buckets(&self, set: &[Atom]) -> Vec<u128> {
        let met = |prefix: &PrefixKey| self.met.get(prefix).copied().unwrap_or(0);
        let mut prefixes = self.definitions.by_specificity(set);
        prefixes.sort_by_key(met);
        prefixes.into_iter().take(RARE_BUCKETS).map(|prefix| bucket(Kind::Unsat, prefix)).collect()
    }

    /// Loads the unsatisfiable sets of prefixes; did anything come?
    fn load_unsat(&mut self, prefixes: &[PrefixKey]) -> bool {
        let before = self.traffic.loaded;
        for &prefix in prefixes {
            self.load(Kind::Unsat, prefix);
        }
        self.traffic.loaded > before
    }

    /// Loads the bucket of `prefix` if it was not yet.
    fn load(&mut self, kind: Kind, prefix: PrefixKey) {
        let Some(shelf) = &self.shelf else { return };
        let bucket = bucket(kind, prefix);
        if !self.loaded.insert(bucket) {
            return;
        }
        let shelf = shelf.clone();
        self.traffic.listed += 1;
        let mut elsewhere: Vec<Address> = Vec::new();
        for bytes in shelf.list(bucket).into_iter().take(MOST_ENTRIES) {
            let refers = referred(&bytes);
            let address = refers.or_else(|| shelf.address(bucket, &bytes));
            let identity = identity(&bytes, address.as_ref());
            match refers {
                _ if self.seen.contains(&identity) => self.traffic.loaded += 1,
                // Trust in an unsatisfiable set depends on its bucket, so it is not
                // accepted through a reference.
                Some(_) if kind == Kind::Unsat => self.traffic.refused += 1,
                Some(address) => elsewhere.push(address),
                None => self.take(&*shelf, kind, prefix, &bytes, identity),
            }
        }
        if elsewhere.is_empty() {
            return;
        }
        for (address, bytes) in elsewhere.iter().zip(shelf.fetch(&elsewhere)) {
            // A missing entry was removed, or is not written yet.
            if let Some(bytes) = bytes {
                self.take(&*shelf, kind, prefix, &bytes, digest(address));
            }
        }
    }

    /// Takes an entry into the index if it is one that belongs under `prefix`.
    fn take(&mut self, shelf: &dyn Shelf, kind: Kind, prefix: PrefixKey, bytes: &[u8], identity: u64) {
        let belongs = |atom: &Atom| atom.prefix == prefix;
        let decoded = decode(bytes).filter(|entry| entry.kind == kind && entry.set.iter().any(belongs));
        let Some(entry) = decoded else {
            self.traffic.refused += 1;
            return;
        };
        for (prefix, terms) in &entry.definitions {
            if self.definitions.terms(*prefix).is_none() && shelf.vouch(*prefix, terms) {
                self.define(*prefix, terms);
            }
        }
        match kind {
            Kind::Sat => self.index.insert_sat(&entry.set, entry.payload.into()),
            Kind::Unsat => self.index.insert_unsat(&entry.set, entry.payload.into()),
        };
        self.seen.insert(identity);
        self.traffic.loaded += 1;
    }

    fn load_for_sat(&mut self, set: &[Atom]) {
        if self.shelf.is_some()
            && let Some(first) = self.definitions.by_specificity(set).first()
        {
            self.load(Kind::Sat, *first);
        }
    }
}

impl<I: Index> Index for Shelved<I> {
    fn define(&mut self, prefix: PrefixKey, terms: &[Term]) -> bool {
        // Without a shelf no process reads the second copy.
        if self.shelf.is_some() {
            self.definitions.define(prefix, terms);
        }
        self.index.define(prefix, terms)
    }

    fn insert_sat(&mut self, set: &[Atom], payload: Payload) -> Stored {
        let stored = self.index.insert_sat(set, payload.clone());
        if stored != Stored::Ignored {
            self.put(Kind::Sat, set, &payload);
        }
        stored
    }

    fn insert_unsat(&mut self, core: &[Atom], payload: Payload) -> Stored {
        let stored = self.index.insert_unsat(core, payload.clone());
        if stored != Stored::Ignored {
            self.put(Kind::Unsat, core, &payload);
        }
        stored
    }

    fn find_sat(&mut self, set: &[Atom], budget: Budget) -> Found {
        self.load_for_sat(set);
        self.index.find_sat(set, budget)
    }

    fn find_unsat(&mut self, set: &[Atom], budget: Budget) -> Found {
        if self.shelf.is_some() {
            for atoms in set.chunk_by(|a, b| a.prefix == b.prefix) {
                self.load(Kind::Unsat, atoms[0].prefix);
            }
        }
        self.index.find_unsat(set, budget)
    }

    fn refute(&mut self, set: &[Atom], budget: Budget) -> Refuted {
        if self.shelf.is_none() {
            return self.index.refute(set, budget);
        }
        let mut prefixes: Vec<PrefixKey> = set.iter().map(|atom| atom.prefix).collect();
        prefixes.dedup();
        if self.met.len() > MOST_MET {
            self.met.clear();
        }
        prefixes.iter().for_each(|prefix| *self.met.entry(*prefix).or_default() += 1);
        self.load_unsat(&prefixes);
        let mut refuted = self.index.refute(set, budget);
        for _ in 0..ROUNDS {
            if refuted.used.is_some() || !self.load_unsat(&refuted.learned) {
                break;
            }
            let steps = refuted.steps;
            refuted = self.index.refute(set, budget);
            refuted.steps += steps;
        }
        refuted
    }

    fn candidates(&mut self, set: &[Atom], limit: usize) -> Vec<Payload> {
        self.load_for_sat(set);
        self.index.candidates(set, limit)
    }

    fn sizes(&self) -> Sizes {
        self.index.sizes()
    }
}
