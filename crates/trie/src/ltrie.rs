//! The L-Trie: answered sets, found by implication [Jia ISSTA'15, 5 and 6].
//!
//! Two constraint tries with their implication graphs ([`crate::arena`]): satisfiable sets, which answer
//! whatever they imply, and unsatisfiable ones, which answer whatever implies them. The look-ups are in
//! [`crate::superset`] and [`crate::subset`]; this file stores, and chooses likely models.
//!
//! Storing rules. Paths are sorted, so one set can be the beginning of another. Of two satisfiable sets the
//! longer is more informative, of two unsatisfiable ones the shorter: (a) a set that continues a stored one
//! replaces it if satisfiable and is ignored if not; (b) a set that a stored one continues is ignored if
//! satisfiable and replaces it if not; (c) any other is added.

use crate::arena::{Arena, ROOT, bit};
use crate::atom::{Atom, PrefixKey};
use crate::cores::Cores;
use crate::definitions::{Definitions, Term};
use crate::index::{Budget, Found, Hit, Index, Meter, Payload, Refuted, Sizes, Stored};
use crate::labels::{NONE, fold};
use crate::{derive, subset, superset};

/// Answered sets, found by implication.
#[derive(Clone, Debug)]
pub struct LTrie {
    definitions: Definitions,
    sat: Arena,
    unsat: Cores,
}

impl Default for LTrie {
    fn default() -> Self {
        LTrie::new()
    }
}

impl LTrie {
    /// Without any set.
    pub fn new() -> LTrie {
        LTrie { definitions: Definitions::default(), sat: Arena::new(), unsat: Cores::default() }
    }

    /// The terms of prefixes that are known.
    pub fn definitions(&self) -> &Definitions {
        &self.definitions
    }
}

impl Index for LTrie {
    fn define(&mut self, prefix: PrefixKey, terms: &[Term]) -> bool {
        let new = self.definitions.define(prefix, terms);
        if new && terms.len() > 1 {
            self.unsat.redefined(prefix, &self.definitions);
        }
        new
    }

    fn insert_sat(&mut self, set: &[Atom], payload: Payload) -> Stored {
        let mask = fold(mask_of(set));
        let path = path(&mut self.sat, set, mask, |atom| self.definitions.specificity(atom));
        store(&mut self.sat, &path, payload, mask_of(set))
    }

    fn insert_unsat(&mut self, core: &[Atom], payload: Payload) -> Stored {
        self.unsat.insert(core, payload, &self.definitions)
    }

    fn find_sat(&mut self, set: &[Atom], budget: Budget) -> Found {
        let mut meter = Meter::new(budget);
        let (query, _) = sorted(set);
        let leaf = superset::find(&self.sat, &self.definitions, &query, &mut meter);
        let payload = leaf.and_then(|leaf| self.sat.payload(leaf)).cloned();
        let hit = payload.map(|payload| Hit { payload, used: Vec::new() });
        found(hit, &meter)
    }

    fn find_unsat(&mut self, set: &[Atom], budget: Budget) -> Found {
        let mut meter = Meter::new(budget);
        let (query, places) = sorted(set);
        let core = subset::find(&self.unsat, &self.definitions, &query, &mut meter);
        let hit = core.and_then(|core| {
            let (payload, set) = (self.unsat.payload(core)?.clone(), self.unsat.set(core));
            let mut used = subset::used(&self.definitions, &query, &set);
            if !places.is_empty() {
                for place in &mut used {
                    *place = places[*place as usize];
                }
                used.sort_unstable();
            }
            Some(Hit { payload, used })
        });
        found(hit, &meter)
    }

    fn refute(&mut self, set: &[Atom], budget: Budget) -> Refuted {
        derive::refute(&self.unsat, &self.definitions, set, &mut Meter::new(budget))
    }

    fn candidates(&mut self, set: &[Atom], limit: usize) -> Vec<Payload> {
        likely(&self.sat, &self.definitions, set, limit)
    }

    fn sizes(&self) -> Sizes {
        Sizes {
            sat: self.sat.set_count,
            unsat: self.unsat.set_count,
            nodes: self.sat.node_count + self.unsat.node_count(),
        }
    }
}

fn mask_of(set: &[Atom]) -> u64 {
    set.iter().fold(0, |mask, atom| mask | bit(atom.prefix))
}

/// The numbers of the set's atoms in the order of paths; `mask` joins their masks.
fn path(arena: &mut Arena, set: &[Atom], mask: u32, rank: impl Fn(&Atom) -> u8) -> Vec<u32> {
    if !arena.has_room(set.len()) {
        return Vec::new();
    }
    let mut path = Vec::with_capacity(set.len());
    for atom in set {
        let number = arena.names.intern_prefix(atom.prefix, || rank(atom));
        let position = arena.names.position(number);
        path.push((
            position,
            atom.op,
            atom.constant,
            arena.names.intern_atom(number, atom.op, atom.constant, mask),
        ));
    }
    path.sort_unstable();
    path.dedup();
    path.into_iter().map(|(_, _, _, atom)| atom).collect()
}

/// Stores a path of the satisfiable by the rules (a), (b), (c).
fn store(arena: &mut Arena, path: &[u32], payload: Payload, mask: u64) -> Stored {
    if path.is_empty() {
        return Stored::Ignored;
    }
    let mut at = ROOT;
    let mut met = 0;
    while met < path.len()
        && let Some(child) = arena.child(at, path[met])
    {
        at = child;
        met += 1;
    }
    if met == path.len() {
        return Stored::Ignored;
    }
    let mut stored = Stored::Added;
    if arena.is_leaf(at) {
        arena.unfinish(at);
        stored = Stored::Extended;
    }
    at = arena.append(at, &path[met..]);
    arena.finish(at, mask, payload);
    stored
}

/// The query sorted, and where its atoms were (empty if they were in order).
fn sorted(set: &[Atom]) -> (std::borrow::Cow<'_, [Atom]>, Vec<u32>) {
    if set.is_sorted() {
        return (set.into(), Vec::new());
    }
    let mut places: Vec<u32> = (0..set.len() as u32).collect();
    places.sort_by_key(|&place| set[place as usize]);
    let query: Vec<Atom> = places.iter().map(|&place| set[place as usize]).collect();
    (query.into(), places)
}

fn found(hit: Option<Hit>, meter: &Meter) -> Found {
    Found { cut_off: hit.is_none() && meter.spent(), hit, steps: meter.steps }
}

/// How many nodes are looked at for each payload that is asked for.
const LOOKED_AT_PER_CANDIDATE: usize = 4;

/// Likely models: of the sets with the query's most specific prefixes, newest first, those
/// that share most prefixes.
fn likely(arena: &Arena, definitions: &Definitions, set: &[Atom], limit: usize) -> Vec<Payload> {
    let wanted = mask_of(set);
    let mut scored: Vec<(u32, u32)> = Vec::new();
    let most = limit.saturating_mul(LOOKED_AT_PER_CANDIDATE);
    'prefixes: for prefix in definitions.by_specificity(set) {
        if arena.names.lacks(prefix) {
            continue;
        }
        let Some(number) = arena.names.number(prefix) else { continue };
        for place in arena.names.prefix(number).places.iter().rev() {
            let mut node = arena.names.labels[place.atom() as usize].nodes;
            // A few of each atom: the newest, but not all of one atom.
            for _ in 0..limit {
                if node == NONE {
                    break;
                }
                if scored.len() >= most {
                    break 'prefixes;
                }
                let shared = (arena.mask(node) & wanted).count_ones();
                scored.push((shared, node));
                node = arena.same(node);
            }
        }
    }
    scored.sort_by_key(|(shared, _)| std::cmp::Reverse(*shared));
    let mut leaves: Vec<u32> = Vec::new();
    for (_, node) in scored {
        if leaves.len() >= limit {
            break;
        }
        let leaf = newest_leaf(arena, node);
        if !leaves.contains(&leaf) {
            leaves.push(leaf);
        }
    }
    leaves.into_iter().filter_map(|leaf| arena.payload(leaf).cloned()).collect()
}

fn newest_leaf(arena: &Arena, node: u32) -> u32 {
    let mut at = node;
    while let Some(child) = arena.children(at).next() {
        at = child;
    }
    at
}
