//! Parts as sets of atoms, and the index of answered sets: reuse by logic.
//!
//! Sets can only be compared under names that mean the same in both. Two ways of naming are used:
//! - **own names**: what the client calls its symbols. On the paths of one program, and of its next version,
//!   names are stable, and a path condition is a subset of the ones that continue it.
//! - **numbers**, for linear integer parts: variables are renamed in the order of their first occurrence, as
//!   Green does, so that different programs share. A model found this way is carried back through the
//!   renaming.
//!
//! KLEE's index compares constraints by equality only; GreenTrie's reduces the set and follows implications.

use crate::trust::Trust;
use evergreen_canon::{Atom as CanonAtom, Canonizer, Leaf, Relation, prefix_of_sum};
use evergreen_store::{Bucket, Key, Origin, Store};
use evergreen_term::{TermId, Terms};
use evergreen_trie::{
    Address, Atom, Budget, Definitions, Index, Kind, LTrie, Op, Payload, PrefixKey, Reduction, Shelf,
    Shelved, Term, UbTree, decode, reduce, referred,
};
use rustc_hash::FxHashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Instant;

/// How variables are named.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Naming {
    /// As the client names them.
    Own,
    /// By first occurrence; only linear integer parts.
    Numbers,
}

/// How sets are related.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Relating {
    /// Same constraints: subsets and supersets.
    Equality,
    /// Constraints that imply each other, after reduction.
    Implication,
}

/// A part as a set of atoms.
pub(crate) struct Set {
    atoms: Vec<Atom>,
    /// For each atom, the position of the part's constraint that it came from.
    owners: Vec<u32>,
    /// What models of this set give values to, with the identity of each.
    pub(crate) leaves: Vec<(u128, Leaf)>,
}

/// What the index knows about a set.
pub(crate) enum Related {
    /// These constraints of the part are unsatisfiable together.
    Unsat(Vec<u32>),
    /// The model of a set that implies the part: values by identity.
    Sat(Payload),
}

/// What a look for a refutation by several sets may cost: a solver call costs more.
const REFUTING: Budget = Budget(256);

/// How long a process goes without seeing what others put into the store, in seconds.
const FRESH_S: u64 = 5;

/// An index in front of a store.
trait Sets: Index {
    /// Lists the buckets that it needs again.
    fn refresh(&mut self);
}

impl<I: Index> Sets for Shelved<I> {
    fn refresh(&mut self) {
        Shelved::refresh(self);
    }
}

/// Answered sets.
pub(crate) struct Logic {
    index: Box<dyn Sets>,
    /// When the store was last looked through anew.
    listed: Instant,
    definitions: Definitions,
    defined: FxHashSet<u128>,
    relating: Relating,
    budget: Budget,
    distrusted: Arc<AtomicU64>,
    foreign: Arc<AtomicBool>,
    steps: u64,
}

fn op(relation: Relation) -> Op {
    match relation {
        Relation::Le => Op::Le,
        Relation::Ge => Op::Ge,
        Relation::Eq => Op::Eq,
        Relation::Ne => Op::Ne,
        Relation::Holds => Op::Holds,
    }
}

impl Logic {
    /// An index in front of a store, if there is one.
    pub(crate) fn new(relating: Relating, shelf: Option<StoreShelf>, budget: Budget) -> Logic {
        let distrusted = shelf.as_ref().map(|shelf| shelf.distrusted.clone()).unwrap_or_default();
        let foreign = shelf.as_ref().map(|shelf| shelf.foreign.clone()).unwrap_or_default();
        let index: Box<dyn Sets> = match (relating, shelf) {
            (Relating::Equality, None) => Box::new(Shelved::in_memory(UbTree::new())),
            (Relating::Equality, Some(shelf)) => Box::new(Shelved::new(UbTree::new(), Arc::new(shelf))),
            (Relating::Implication, None) => Box::new(Shelved::in_memory(LTrie::new())),
            (Relating::Implication, Some(shelf)) => Box::new(Shelved::new(LTrie::new(), Arc::new(shelf))),
        };
        let definitions = Definitions::default();
        Logic {
            index,
            definitions,
            defined: FxHashSet::default(),
            relating,
            budget,
            distrusted,
            foreign,
            steps: 0,
            listed: Instant::now(),
        }
    }

    /// How many sets in the store were ignored as untrusted since the last call.
    pub(crate) fn take_distrusted(&self) -> u64 {
        self.distrusted.swap(0, Relaxed)
    }

    /// Whether models in the index may be of others who are not trusted.
    pub(crate) fn has_foreign(&self) -> bool {
        self.foreign.load(Relaxed)
    }

    /// How many places of the index were looked at since the last call.
    pub(crate) fn take_steps(&mut self) -> u64 {
        std::mem::take(&mut self.steps)
    }

    /// A part as a set; `None` when it cannot be named this way.
    pub(crate) fn set(
        &mut self,
        terms: &Terms,
        canonizer: &mut Canonizer,
        constraints: &[TermId],
        leaves: &[Leaf],
        naming: Naming,
    ) -> Option<Set> {
        let mut set =
            Set { atoms: Vec::with_capacity(constraints.len()), owners: Vec::new(), leaves: Vec::new() };
        match naming {
            Naming::Own => {
                for (i, &c) in constraints.iter().enumerate() {
                    for atom in canonizer.atoms(terms, c).iter() {
                        self.add(&mut set, atom, i as u32);
                    }
                }
                let key = |&leaf: &Leaf| Some((canonizer.leaf_key(terms, leaf)?, leaf));
                set.leaves = leaves.iter().filter_map(key).collect();
            }
            Naming::Numbers => {
                let renumbered = canonizer.renumbered(terms, constraints)?;
                for (atom, owner) in &renumbered.atoms {
                    self.add(&mut set, atom, *owner);
                }
                let number = |(i, &leaf): (usize, &Leaf)| (i as u128, leaf);
                set.leaves = renumbered.leaves.iter().enumerate().map(number).collect();
            }
        }
        Some(set)
    }

    fn add(&mut self, set: &mut Set, atom: &CanonAtom, owner: u32) {
        let prefix = PrefixKey(atom.prefix);
        if atom.terms.len() > 1 && self.relating == Relating::Implication && self.defined.insert(atom.prefix)
        {
            let sum: Vec<Term> = atom.terms.iter().map(|&(v, c)| (PrefixKey(v), c)).collect();
            self.definitions.define(prefix, &sum);
            self.index.define(prefix, &sum);
        }
        set.atoms.push(Atom { prefix, op: op(atom.relation), constant: atom.constant });
        set.owners.push(owner);
    }

    /// What is known about a set, and whether nothing had to be looked up for it.
    pub(crate) fn find(&mut self, set: &Set) -> Option<Related> {
        if self.listed.elapsed().as_secs() >= FRESH_S {
            self.index.refresh();
            self.listed = Instant::now();
        }
        let (atoms, sources) = match self.reduced(set) {
            Ok(reduced) => reduced,
            Err(conflict) => return Some(Related::Unsat(owners(set, &conflict))),
        };
        let found = self.index.find_unsat(&atoms, self.budget);
        self.steps += u64::from(found.steps);
        if let Some(hit) = found.hit {
            let used: Vec<u32> = hit.used.iter().flat_map(|&u| sources[u as usize].iter().copied()).collect();
            return Some(Related::Unsat(owners(set, &used)));
        }
        let found = self.index.find_sat(&atoms, self.budget);
        self.steps += u64::from(found.steps);
        found.hit.map(|hit| Related::Sat(hit.payload))
    }

    /// Whether several unsatisfiable sets refute this one together: the constraints of the part that they
    /// refute.
    pub(crate) fn refute(&mut self, set: &Set) -> Option<Vec<u32>> {
        let (atoms, sources) = self.reduced(set).ok()?;
        let refuted = self.index.refute(&atoms, REFUTING);
        self.steps += u64::from(refuted.steps);
        let used = refuted.used?;
        let places: Vec<u32> =
            used.iter().flat_map(|&place| sources[place as usize].iter().copied()).collect();
        Some(owners(set, &places))
    }

    /// Models of sets that have much in common with this one.
    pub(crate) fn candidates(&mut self, set: &Set, limit: usize) -> Vec<Payload> {
        match self.reduced(set) {
            Ok((atoms, _)) => self.index.candidates(&atoms, limit),
            Err(_) => Vec::new(),
        }
    }

    /// Keeps a satisfiable set with a model.
    pub(crate) fn insert_sat(&mut self, set: &Set, payload: Payload) {
        if let Ok((atoms, _)) = self.reduced(set) {
            self.index.insert_sat(&atoms, payload);
        }
    }

    /// Keeps an unsatisfiable set: the atoms of these constraints of the part.
    pub(crate) fn insert_unsat(&mut self, set: &Set, core: &[u32]) {
        let inside = |i: &usize| core.contains(&set.owners[*i]);
        let places: Vec<usize> = (0..set.atoms.len()).filter(inside).collect();
        let core = Set {
            atoms: places.iter().map(|&i| set.atoms[i]).collect(),
            owners: places.iter().map(|&i| set.owners[i]).collect(),
            leaves: Vec::new(),
        };
        // A plain conflict is found again without being stored.
        if let Ok((atoms, _)) = self.reduced(&core) {
            self.index.insert_unsat(&atoms, Payload::from(&[][..]));
        }
    }

    /// The set as the index takes it, with the atoms that each came from; or the places of atoms that
    /// contradict.
    #[allow(clippy::type_complexity)]
    fn reduced(&self, set: &Set) -> Result<(Vec<Atom>, Vec<Vec<u32>>), Vec<u32>> {
        if self.relating == Relating::Equality {
            let mut sorted: Vec<(Atom, u32)> = set.atoms.iter().copied().zip(0..).collect();
            sorted.sort_unstable();
            sorted.dedup_by_key(|s| s.0);
            return Ok(sorted.into_iter().map(|(atom, i)| (atom, vec![i])).unzip());
        }
        match reduce(&set.atoms, &self.definitions) {
            Reduction::Conflict(places) => Err(places),
            Reduction::Reduced(reduced) => {
                let sources = (0..reduced.atoms().len()).map(|i| reduced.sources(i).to_vec()).collect();
                Ok((reduced.atoms().to_vec(), sources))
            }
        }
    }
}

fn owners(set: &Set, places: &[u32]) -> Vec<u32> {
    let mut owners: Vec<u32> = places.iter().map(|&p| set.owners[p as usize]).collect();
    owners.sort_unstable();
    owners.dedup();
    owners
}

/// Values of a model by identity, as the index keeps them.
pub(crate) fn encode_payload<'v>(values: impl Iterator<Item = (u128, &'v [u8])>) -> Payload {
    let mut bytes = Vec::new();
    for (key, value) in values.filter(|(_, v)| v.len() < 1 << 16) {
        bytes.extend_from_slice(&key.to_le_bytes());
        bytes.extend_from_slice(&(value.len() as u16).to_le_bytes());
        bytes.extend_from_slice(value);
    }
    Payload::from(bytes)
}

/// Reads a model back; what is not one has fewer values.
pub(crate) fn decode_payload(mut bytes: &[u8]) -> Vec<(u128, &[u8])> {
    let mut values = Vec::new();
    while let Some((head, rest)) = bytes.split_at_checked(18) {
        let key = u128::from_le_bytes(head[..16].try_into().expect("16 bytes"));
        let len = u16::from_le_bytes(head[16..].try_into().expect("2 bytes"));
        let Some((value, rest)) = rest.split_at_checked(len.into()) else { break };
        values.push((key, value));
        bytes = rest;
    }
    values
}

/// Sets in the buckets of a store.
pub(crate) struct StoreShelf {
    pub(crate) store: Arc<dyn Store>,
    /// Keeps namespaces apart.
    pub(crate) mask: u128,
    /// Where unsatisfiable sets have to come from to be taken as true.
    pub(crate) trust: Trust,
    /// How many were not.
    pub(crate) distrusted: Arc<AtomicU64>,
    /// Whether a model was taken from where it is not trusted.
    pub(crate) foreign: Arc<AtomicBool>,
    /// How many were put here.
    pub(crate) put: AtomicU64,
}

impl Shelf for StoreShelf {
    fn list(&self, bucket: u128) -> Vec<Arc<[u8]>> {
        // A failing store has nothing; it reports its own trouble.
        let found = self.store.list_from(&self.bucket(bucket)).unwrap_or_default();
        let usable = |(bytes, origin): &(Arc<[u8]>, Origin)| {
            // Models are evaluated before use, whatever their origin. That a set has none cannot be checked.
            // References lead to models only.
            let is_sat = || decode(bytes).is_some_and(|entry| entry.kind == Kind::Sat);
            let trusted = self.note(*origin);
            let usable = trusted || referred(bytes).is_some() || is_sat();
            self.distrusted.fetch_add(u64::from(!usable), Relaxed);
            usable
        };
        found.into_iter().filter(usable).map(|(bytes, _)| bytes).collect()
    }

    fn put(&self, bucket: u128, entry: &[u8]) {
        if self.store.put(&self.bucket(bucket).member(entry), entry).is_ok() {
            self.put.fetch_add(1, Relaxed);
        }
    }

    fn address(&self, bucket: u128, entry: &[u8]) -> Option<Address> {
        Some(self.bucket(bucket).member(entry).0)
    }

    fn holds(&self, address: &Address) -> bool {
        // Asking a network costs more than putting again. What others have put there is put again, as one's
        // own.
        let found = || self.store.get_from(&Key(*address)).ok().flatten();
        self.store.origin() == Origin::Local && found().is_some_and(|(_, origin)| self.trust.trusts(origin))
    }

    fn fetch(&self, addresses: &[Address]) -> Vec<Option<Arc<[u8]>>> {
        let keys: Vec<Key> = addresses.iter().map(|address| Key(*address)).collect();
        let found = self.store.get_many_from(&keys).unwrap_or_default();
        let noted = |(bytes, origin)| {
            self.note(origin);
            bytes
        };
        found.into_iter().map(|found| found.map(noted)).collect()
    }

    fn news(&self) -> Option<u64> {
        self.store.additions().map(|all| all.wrapping_sub(self.put.load(Relaxed)))
    }

    fn vouch(&self, prefix: PrefixKey, terms: &[Term]) -> bool {
        let terms: Vec<(u128, i64)> = terms.iter().map(|&(v, c)| (v.0, c)).collect();
        terms.is_sorted() && prefix_of_sum(&terms) == prefix.0
    }
}

impl StoreShelf {
    /// The entries of all unsatisfiable sets in the buckets of a set's forms.
    pub(crate) fn unsat_sets(&self, set: &Set) -> Vec<Key> {
        let mut prefixes: Vec<PrefixKey> = set.atoms.iter().map(|atom| atom.prefix).collect();
        prefixes.sort_unstable();
        prefixes.dedup();
        let mut found = Vec::new();
        for prefix in prefixes {
            let bucket = self.bucket(evergreen_trie::bucket(Kind::Unsat, prefix));
            let entries = self.store.list(&bucket).unwrap_or_default();
            let unsat = entries.iter().filter(|bytes| decode(bytes).is_some_and(|e| e.kind == Kind::Unsat));
            found.extend(unsat.map(|bytes| bucket.member(bytes)));
        }
        found
    }

    /// Whether an origin is trusted; if not, models have to be evaluated from now on.
    fn note(&self, origin: Origin) -> bool {
        let trusted = self.trust.trusts(origin);
        self.foreign.fetch_or(!trusted, Relaxed);
        trusted
    }

    fn bucket(&self, bucket: u128) -> Bucket {
        Bucket((bucket ^ self.mask).to_le_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn payloads_read_back_and_garbage_is_less() {
        let values: [(u128, &[u8]); 3] = [(1, b"abc"), (u128::MAX, b""), (7, b"z")];
        let bytes = encode_payload(values.iter().copied());
        assert_eq!(decode_payload(&bytes), values);
        for cut in 0..bytes.len() {
            assert!(decode_payload(&bytes[..cut]).len() < 3);
        }
    }
}
