//! The strict techniques: the systems of the papers, with nothing of ours beside them.
//!
//! All three canonize as [Visser FSE'12, 3.2] says ([`Mode::Strict`]); they differ in what they look up.
//! - [`Technique::Green`]: records with the same key.
//! - [`Technique::Klee`]: satisfiable supersets and unsatisfiable subsets of the same canonical constraints,
//!   in a UBTree. That is what the paper on GreenTrie compares with; it leaves out that KLEE also evaluates
//!   the models of subsets, so this does too.
//! - [`Technique::GreenTrie`]: reduction, and logical supersets and subsets in an L-Trie by the paper's own
//!   algorithms ([`evergreen_trie::PaperTrie`]).
//!
//! As in the papers only what a solver answered is stored, an unsatisfiable set is stored whole and not as
//! its core, and nothing is cut off. Each technique has keys and a bucket of its own, so none sees what
//! another one or an ordinary level has recorded. The sets of a technique lie in one bucket, which is read
//! when the first question comes: the paper's two files that are loaded at the start.

use crate::engine::{Cores, Options, Reuse};
use crate::trust::Trust;
use evergreen_canon::{Leaf, Mode, Relation, StrictForm, StrictLine, digest, strict_form};
use evergreen_store::{Bucket, Key, Origin, Store};
use evergreen_term::{TermId, Terms};
use evergreen_trie::{
    Atom, Atomic, Budget, Index, Op, PaperTrie, Payload, PrefixKey, Sourced, UbTree, reduce_as_printed,
};
use std::sync::Arc;

/// A technique of the papers, exactly.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Technique {
    /// Records with the same key [Visser FSE'12].
    Green,
    /// Supersets and subsets of the same constraints, as [Jia ISSTA'15] measures KLEE [Cadar OSDI'08].
    Klee,
    /// Sets that are related by implication [Jia ISSTA'15].
    GreenTrie,
}

impl Technique {
    /// Every technique, the one with the least reuse first.
    pub const ALL: [Technique; 3] = [Technique::Green, Technique::Klee, Technique::GreenTrie];

    /// The name in flags and reports.
    pub fn name(self) -> &'static str {
        match self {
            Technique::Green => "green",
            Technique::Klee => "klee",
            Technique::GreenTrie => "greentrie",
        }
    }

    /// Turns off what the paper does not have. Slicing stays as it is.
    pub(crate) fn restrict(self, options: &mut Options) {
        options.canon = Mode::Strict;
        options.reuse = match self {
            Technique::Green => Reuse::Exact,
            Technique::Klee => Reuse::Subset,
            Technique::GreenTrie => Reuse::Logical,
        };
        options.cores = Cores::Off;
        options.propagate = false;
        options.native = false;
        options.models = false;
        options.regulate = false;
    }
}

/// A part as the index of a technique takes it.
pub(crate) struct StrictSet {
    lines: Vec<StrictLine>,
    /// The same in the normal form with positive first coefficients; only for GreenTrie.
    atomics: Vec<Atomic>,
    /// The symbols of the part, by their number.
    pub(crate) leaves: Vec<(u128, Leaf)>,
}

/// What a technique knows about a part.
pub(crate) enum StrictFound {
    /// These constraints of the part are unsatisfiable together.
    Unsat(Vec<u32>),
    /// The model of a set that implies the part.
    Sat(Payload),
}

enum Sets {
    Klee(UbTree),
    GreenTrie(PaperTrie),
}

/// The answered sets of a technique, in front of a store.
pub(crate) struct StrictSets {
    sets: Sets,
    store: Option<Arc<dyn Store>>,
    bucket: Bucket,
    trust: Trust,
    is_loaded: bool,
}

/// First byte of a stored set: no other entry of a bucket starts with it.
const MARK: u8 = 0xe5;
const VERSION: u8 = 1;

fn op(relation: Relation) -> Op {
    match relation {
        Relation::Le => Op::Le,
        Relation::Ge => Op::Ge,
        Relation::Eq => Op::Eq,
        Relation::Ne => Op::Ne,
        Relation::Holds => Op::Holds,
    }
}

const OPS: [Op; 5] = [Op::Le, Op::Ge, Op::Eq, Op::Ne, Op::Holds];

fn key_of_text(text: &str) -> Atom {
    let digest = digest(text.as_bytes());
    let key = u128::from_le_bytes(digest[..16].try_into().expect("a digest has 32 bytes"));
    Atom { prefix: PrefixKey(key), op: Op::Holds, constant: 0 }
}

/// An unsatisfiable set has no payload, a satisfiable one has.
fn encode(lines: &[String], payload: Option<&[u8]>) -> Vec<u8> {
    let mut bytes = vec![MARK, VERSION, u8::from(payload.is_some())];
    let payload = payload.unwrap_or_default();
    bytes.extend((payload.len() as u32).to_le_bytes());
    bytes.extend(payload);
    bytes.extend(lines.join("\n").as_bytes());
    bytes
}

fn decode(bytes: &[u8]) -> Option<(Vec<&str>, Option<&[u8]>)> {
    let [MARK, VERSION, is_sat @ (0 | 1), rest @ ..] = bytes else { return None };
    let (length, rest) = rest.split_first_chunk::<4>()?;
    let (payload, text) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
    let lines = std::str::from_utf8(text).ok()?.split('\n').collect();
    Some((lines, (*is_sat == 1).then_some(payload)))
}

/// Whether the bytes of an entry are a satisfiable set of a strict technique, whose model is evaluated.
pub fn is_strict_model(bytes: &[u8]) -> bool {
    decode(bytes).is_some_and(|(_, payload)| payload.is_some())
}

fn line_of(atomic: &Atomic) -> String {
    let place = OPS.iter().position(|op| *op == atomic.op).unwrap_or_default();
    format!("{place} {} {}", atomic.constant, atomic.prefix())
}

fn atomic_of(line: &str) -> Option<Atomic> {
    let mut fields = line.splitn(3, ' ');
    let op = *OPS.get(fields.next()?.parse::<usize>().ok()?)?;
    let constant = fields.next()?.parse().ok()?;
    Some(Atomic::new(fields.next()?, constant, op))
}

impl StrictSet {
    /// A part as a set; `None` when it has no form.
    pub(crate) fn new(technique: Technique, terms: &Terms, constraints: &[TermId]) -> Option<StrictSet> {
        let StrictForm { leaves, lines, is_false } = strict_form(terms, constraints)?;
        if is_false.is_some() {
            return None;
        }
        let mut atomics = Vec::new();
        if technique == Technique::GreenTrie {
            for line in &lines {
                let odd = || (line.text(), 0, Relation::Holds);
                let (prefix, constant, relation) = line.oriented().unwrap_or_else(odd);
                atomics.push(Atomic::new(&prefix, constant, op(relation)));
            }
        }
        let leaves = leaves.into_iter().enumerate().map(|(i, leaf)| (i as u128, leaf)).collect();
        Some(StrictSet { lines, atomics, leaves })
    }

    fn owners(&self, places: impl Iterator<Item = u32>) -> Vec<u32> {
        let mut owners: Vec<u32> = places.map(|place| self.lines[place as usize].from).collect();
        owners.sort_unstable();
        owners.dedup();
        owners
    }

    fn texts(&self) -> Vec<String> {
        self.lines.iter().map(StrictLine::text).collect()
    }
}

fn atomics(reduced: &[Sourced]) -> Vec<Atomic> {
    reduced.iter().map(|(atomic, _)| atomic.clone()).collect()
}

impl StrictSets {
    /// The index of a technique; `None` for Green, which has records only.
    pub(crate) fn new(options: &Options, store: Option<&Arc<dyn Store>>) -> Option<StrictSets> {
        let technique = options.strict?;
        let sets = match technique {
            Technique::Green => return None,
            Technique::Klee => Sets::Klee(UbTree::new()),
            Technique::GreenTrie => Sets::GreenTrie(PaperTrie::default()),
        };
        let name = format!("strict {} sets of {}", technique.name(), options.namespace);
        let bucket = Bucket(digest(name.as_bytes())[..16].try_into().expect("a digest has 32 bytes"));
        let (store, trust) = (store.cloned(), options.trust);
        Some(StrictSets { sets, store, bucket, trust, is_loaded: false })
    }

    /// Reads what earlier runs have stored, once.
    fn load(&mut self) {
        if std::mem::replace(&mut self.is_loaded, true) {
            return;
        }
        let Some(store) = &self.store else { return };
        // A failing store has nothing; it reports its own trouble.
        let mut found = store.list_from(&self.bucket).unwrap_or_default();
        found.sort_by(|a, b| a.0.cmp(&b.0));
        for (bytes, origin) in &found {
            self.take(bytes, *origin);
        }
    }

    fn take(&mut self, bytes: &[u8], origin: Origin) {
        let Some((lines, payload)) = decode(bytes) else { return };
        // Models are evaluated before use. That a set has none cannot be checked.
        if payload.is_none() && !self.trust.trusts(origin) {
            return;
        }
        match &mut self.sets {
            Sets::Klee(tree) => {
                let set: Vec<Atom> = lines.iter().map(|line| key_of_text(line)).collect();
                match payload {
                    Some(payload) => tree.insert_sat(&set, payload.into()),
                    None => tree.insert_unsat(&set, Payload::from(&[][..])),
                };
            }
            Sets::GreenTrie(trie) => {
                let Some(set) = lines.iter().map(|line| atomic_of(line)).collect::<Option<Vec<_>>>() else {
                    return;
                };
                match payload {
                    Some(payload) => trie.insert_sat(&set, payload.into()),
                    None => trie.insert_unsat(&set),
                }
            }
        }
    }

    /// What is known about a part.
    pub(crate) fn find(&mut self, set: &StrictSet) -> Option<StrictFound> {
        self.load();
        match &mut self.sets {
            Sets::Klee(tree) => {
                let atoms: Vec<Atom> = set.lines.iter().map(|line| key_of_text(&line.text())).collect();
                if let Some(hit) = tree.find_unsat(&atoms, Budget::UNLIMITED).hit {
                    return Some(StrictFound::Unsat(set.owners(hit.used.into_iter())));
                }
                tree.find_sat(&atoms, Budget::UNLIMITED).hit.map(|hit| StrictFound::Sat(hit.payload))
            }
            Sets::GreenTrie(trie) => {
                let reduced = match reduce_as_printed(&set.atomics) {
                    Ok(reduced) => reduced,
                    Err(conflict) => return Some(StrictFound::Unsat(set.owners(conflict.into_iter()))),
                };
                let query = atomics(&reduced);
                if let Some(used) = trie.find_unsat(&query) {
                    let sources = used.iter().flat_map(|&place| reduced[place as usize].1.iter().copied());
                    return Some(StrictFound::Unsat(set.owners(sources)));
                }
                trie.find_sat(&query).map(StrictFound::Sat)
            }
        }
    }

    /// Stores a part that a solver answered, with its model if it has one.
    pub(crate) fn insert(&mut self, set: &StrictSet, payload: Option<Payload>) {
        self.load();
        let lines = match &self.sets {
            Sets::Klee(_) => set.texts(),
            Sets::GreenTrie(_) => match reduce_as_printed(&set.atomics) {
                Ok(reduced) => reduced.iter().map(|(atomic, _)| line_of(atomic)).collect(),
                // Reduction finds it again.
                Err(_) => return,
            },
        };
        let bytes = encode(&lines, payload.as_deref());
        self.take(&bytes, Origin::Local);
        if let Some(store) = &self.store {
            // A failing store is a miss later on.
            let _ = store.put(&self.bucket.member(&bytes), &bytes);
        }
    }

    /// The entries of all unsatisfiable sets.
    pub(crate) fn unsat_entries(&self) -> Vec<Key> {
        let found = self.store.as_ref().and_then(|store| store.list(&self.bucket).ok()).unwrap_or_default();
        let unsat = found.iter().filter(|bytes| !is_strict_model(bytes));
        unsat.map(|bytes| self.bucket.member(bytes)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_read_back_and_garbage_does_not() {
        let lines = vec!["0 -3 v0+v1".to_string(), "3 5 2v0".to_string()];
        let sat = encode(&lines, Some(b"model"));
        let unsat = encode(&lines, None);
        assert_eq!(decode(&sat), Some((vec![&lines[0][..], &lines[1]], Some(&b"model"[..]))));
        assert_eq!(decode(&unsat).map(|d| d.1), Some(None));
        assert!(is_strict_model(&sat) && !is_strict_model(&unsat));
        for cut in 0..8 {
            assert_eq!(decode(&sat[..cut]), None);
        }
        for line in &lines {
            assert_eq!(line_of(&atomic_of(line).unwrap()), *line);
        }
        assert_eq!(atomic_of("5 1 v0"), None);
    }
}
