//! Cores that were found before under other names, looked up in queries that contain them up to renaming.
//!
//! A verifier numbers what it generates: insert a method at the top of a program, and the lambdas, labels and
//! variables of everything below have other names. So a core is also kept without names, as the key of its
//! joint form ([`Canonizer::joint`](evergreen_canon::Canonizer::joint)), and with what helps to find it: each
//! member's shape, its own nameless key, and its leaves by their joint numbers.
//!
//! **Look-up.** A core lies in the bucket of the shape of its head. For each core there, members are assigned
//! to constraints of the query with the same nameless key, the member with the fewest candidates first. An
//! assignment maps the leaves of the member to those of the constraint, which rules out candidates of other
//! members. Leaves that refinement cannot tell apart stay open until another member decides them, or are
//! guessed in the end. With several candidates left the search tries each, as subgraph matching does
//! [Ullmann JACM'76].
//! It is bounded by steps, so that the same query has the same answer on every machine.
//!
//! **Check.** The constraints that were chosen are numbered jointly, and the core is found if their key is
//! its key: then they are equal to it under an injective renaming. Everything before is only a guess.

use super::heads::{Filed, Heads, log_micros};
use crate::trust::Trust;
use evergreen_canon::{Joint, LeafId, Nameless};
use evergreen_store::Store;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Ordering;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

/// The first byte of a stored nameless core, and of its marker: no record of an answer starts with it.
const MARK: u8 = 0xc1;
/// Version of the stored form.
const VERSION: u8 = 1;
/// Larger cores are not kept without names.
const MAX_MEMBERS: usize = 1024;
/// In place of a number of others, where there is none.
const NO_OTHERS: u32 = u32::MAX;
/// The most cores that one look-up tests.
const MAX_TESTS: usize = 1024;
/// The most pairs of a member and a constraint that one look-up compares.
const MAX_STEPS: u64 = 200_000;
/// The most constraints that one look-up tries for a member.
const MAX_CANDIDATES: usize = 1024;
/// The most sets of constraints that one look-up numbers jointly.
const MAX_CHECKS: u32 = 16;

/// A member of a core without names.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Member {
    /// Its shape.
    pub shape: u64,
    /// Its nameless key.
    pub key: u128,
    /// The joint number of each of its leaves, in the order of its own form, or [`Joint::SETTLED`].
    pub leaves: Vec<u32>,
    /// Where it says that constants are distinct: how many more than these.
    pub others: Option<u32>,
}

/// A core without names as it is stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredNameless {
    /// The key of the joint form.
    pub joint: [u8; 32],
    /// Its members, ascending, each once.
    pub members: Vec<Member>,
    /// What solving took, rounded down to a power of two.
    pub micros: u64,
    /// Who said so.
    pub solver: String,
}

fn take<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (first, rest) = bytes.split_first_chunk::<N>()?;
    *bytes = rest;
    Some(*first)
}

impl Filed for StoredNameless {
    const BUCKET: &'static [u8] = b"evergreen nameless cores of";
    const MARKER: &'static [u8] = b"evergreen nameless core head";
    const SIGN: [u8; 2] = [MARK, VERSION];
    type Head = u64;

    fn head_bytes(head: u64) -> Vec<u8> {
        head.to_le_bytes().to_vec()
    }

    fn encode(&self) -> Vec<u8> {
        let solver = &self.solver.as_bytes()[..self.solver.len().min(255)];
        let mut out = vec![MARK, VERSION, self.micros.max(1).ilog2() as u8, solver.len() as u8];
        out.extend(solver);
        out.extend(self.joint);
        out.extend((self.members.len() as u32).to_le_bytes());
        for member in &self.members {
            out.extend(member.shape.to_le_bytes());
            out.extend(member.key.to_le_bytes());
            out.extend(member.others.unwrap_or(NO_OTHERS).to_le_bytes());
            out.extend((member.leaves.len() as u32).to_le_bytes());
            member.leaves.iter().for_each(|leaf| out.extend(leaf.to_le_bytes()));
        }
        out
    }

    fn decode(bytes: &[u8]) -> Option<StoredNameless> {
        let [MARK, VERSION, log, length, rest @ ..] = bytes else { return None };
        let micros = 1u64.checked_shl(u32::from(*log))?;
        let (solver, mut rest) = rest.split_at_checked(usize::from(*length))?;
        let solver = String::from_utf8(solver.to_vec()).ok()?;
        let joint = take::<32>(&mut rest)?;
        let count = u32::from_le_bytes(take(&mut rest)?) as usize;
        let mut members = Vec::with_capacity(count.min(MAX_MEMBERS));
        for _ in 0..count {
            let shape = u64::from_le_bytes(take(&mut rest)?);
            let key = u128::from_le_bytes(take(&mut rest)?);
            let others = Some(u32::from_le_bytes(take(&mut rest)?)).filter(|&others| others != NO_OTHERS);
            let leaves = u32::from_le_bytes(take(&mut rest)?) as usize;
            let (numbers, later) = rest.split_at_checked(leaves.checked_mul(4)?)?;
            rest = later;
            let (numbers, []) = numbers.as_chunks::<4>() else { return None };
            let leaves = numbers.iter().map(|n| u32::from_le_bytes(*n)).collect();
            members.push(Member { shape, key, leaves, others });
        }
        let is_core = rest.is_empty() && !members.is_empty() && members.is_sorted_by(|a, b| a < b);
        is_core.then_some(StoredNameless { joint, members, micros, solver })
    }

    /// Small ones match more, and every process tries them in one order.
    fn order(&self, other: &StoredNameless) -> Ordering {
        (self.members.len(), &self.joint).cmp(&(other.members.len(), &other.joint))
    }
}

/// A core that a query contains up to renaming.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FoundNameless {
    /// The places of its members in the query, ascending.
    pub places: Vec<usize>,
    /// What solving took when it was found.
    pub saved: Duration,
    /// The key of the entry.
    pub key: [u8; 32],
}

/// The constraints of a query, as far as the search wants to know them.
pub trait Constraints {
    /// A constraint without its names.
    fn nameless(&mut self, place: usize) -> Rc<Nameless>;
    /// Several of them numbered jointly.
    fn joint(&mut self, parts: &[Chosen]) -> Joint;
}

/// What of a constraint is numbered jointly with others.
#[derive(Clone, Debug)]
pub enum Chosen {
    /// All of it.
    Whole(usize),
    /// That these constants are distinct, and so many others.
    Distinct(Vec<LeafId>, u32),
}

/// The nameless cores of a store, as far as this process has come across them.
pub struct NamelessIndex {
    heads: Heads<StoredNameless>,
}

impl NamelessIndex {
    /// An index over a store; cores of other namespaces, and from where they are not trusted, are not seen.
    pub fn new(store: Arc<dyn Store>, namespace: &str, trust: Trust) -> NamelessIndex {
        NamelessIndex { heads: Heads::new(store, namespace, trust) }
    }

    /// How many cores were ignored since the last call because their origin is not trusted.
    pub(crate) fn take_distrusted(&mut self) -> u64 {
        std::mem::take(&mut self.heads.distrusted)
    }

    /// A core that a query contains up to renaming. The query is given by the shapes of its constraints, in
    /// the order of assertion.
    pub fn find(&mut self, shapes: &[u64], constraints: &mut dyn Constraints) -> Option<FoundNameless> {
        let mut places: FxHashMap<u64, Vec<usize>> = FxHashMap::default();
        shapes.iter().enumerate().for_each(|(i, &shape)| places.entry(shape).or_default().push(i));
        let mut seen: FxHashSet<u64> = FxHashSet::default();
        let latest: Vec<u64> = shapes.iter().rev().copied().filter(|&s| seen.insert(s)).collect();
        let (mut tests, mut asked) = (MAX_TESTS, 0);
        let mut bounds = Bounds { steps: MAX_STEPS, checks: MAX_CHECKS };
        for (at, &head) in latest.iter().enumerate() {
            let Some(cores) = self.heads.of(&latest, at, &mut asked) else { continue };
            for core in cores.iter() {
                tests = tests.checked_sub(1)?;
                if !core.members.iter().all(|m| places.contains_key(&m.shape)) {
                    continue;
                }
                let Some(mut search) = Search::new(core, &places, constraints, &mut bounds) else { continue };
                if search.extend() {
                    let mut places: Vec<usize> = search.chosen.iter().flatten().copied().collect();
                    places.sort_unstable();
                    return Some(FoundNameless {
                        places,
                        saved: Duration::from_micros(core.micros),
                        key: self.heads.entry_key(head, core),
                    });
                }
                if bounds.steps == 0 || bounds.checks == 0 {
                    return None;
                }
            }
        }
        None
    }

    /// Adds a core: the joint key, its members in the order of assertion, and the place of the head among
    /// them.
    pub fn add(
        &mut self,
        joint: [u8; 32],
        mut members: Vec<Member>,
        head: usize,
        took: Duration,
        solver: &str,
    ) -> Option<[u8; 32]> {
        let head = members.get(head)?.shape;
        members.sort_unstable();
        members.dedup();
        if members.len() > MAX_MEMBERS {
            return None;
        }
        let core =
            StoredNameless { joint, members, micros: 1 << log_micros(took), solver: solver.to_string() };
        self.heads.add(head, core)
    }
}

/// What is left of what one look-up may do.
struct Bounds {
    steps: u64,
    checks: u32,
}

type Candidate = (usize, Rc<Nameless>);

/// Whether a constraint has as many leaves as a member.
fn has_leaves(member: &Member, own: &Nameless) -> bool {
    match member.others {
        None => own.leaves.len() == member.leaves.len() && !own.is_distinct,
        Some(others) => {
            own.is_distinct && own.leaves.len() - member.leaves.len().min(own.leaves.len()) >= others as usize
        }
    }
}

/// The search for constraints of a query that are a core up to renaming.
struct Search<'s> {
    core: &'s StoredNameless,
    constraints: &'s mut dyn Constraints,
    bounds: &'s mut Bounds,
    /// For each member the constraints with its key.
    candidates: Vec<Vec<Candidate>>,
    /// The constraint of each member, as far as it is chosen.
    chosen: Vec<Option<usize>>,
    used: FxHashSet<usize>,
    /// The leaf of each number, and the other way round.
    image: FxHashMap<u32, LeafId>,
    number: FxHashMap<LeafId, u32>,
    /// Numbers that have an image, in the order in which they got it.
    trail: Vec<u32>,
}

impl<'s> Search<'s> {
    /// `None` when a member has no candidate.
    fn new(
        core: &'s StoredNameless,
        places: &FxHashMap<u64, Vec<usize>>,
        constraints: &'s mut dyn Constraints,
        bounds: &'s mut Bounds,
    ) -> Option<Search<'s>> {
        let mut candidates = Vec::with_capacity(core.members.len());
        for member in &core.members {
            let same: Vec<Candidate> = places[&member.shape]
                .iter()
                .take(MAX_CANDIDATES)
                .map(|&place| (place, constraints.nameless(place)))
                .filter(|(_, own)| own.key == member.key && has_leaves(member, own))
                .collect();
            bounds.steps = bounds.steps.saturating_sub(same.len() as u64 + 1);
            if same.is_empty() {
                return None;
            }
            candidates.push(same);
        }
        Some(Search {
            core,
            constraints,
            bounds,
            chosen: vec![None; candidates.len()],
            candidates,
            used: FxHashSet::default(),
            image: FxHashMap::default(),
            number: FxHashMap::default(),
            trail: Vec::new(),
        })
    }

    /// Chooses constraints for the members that have none yet; whether that led to the core.
    fn extend(&mut self) -> bool {
        let mut best: Option<(usize, Vec<Candidate>)> = None;
        for member in (0..self.chosen.len()).filter(|&m| self.chosen[m].is_none()) {
            let fitting: Vec<Candidate> = self.candidates[member]
                .iter()
                .filter(|(place, own)| !self.used.contains(place) && self.fits(member, own))
                .cloned()
                .collect();
            self.bounds.steps = self.bounds.steps.saturating_sub(self.candidates[member].len() as u64);
            if fitting.is_empty() || self.bounds.steps == 0 {
                return false;
            }
            if best.as_ref().is_none_or(|(_, least)| fitting.len() < least.len()) {
                let is_forced = fitting.len() == 1;
                best = Some((member, fitting));
                if is_forced {
                    break;
                }
            }
        }
        let Some((member, fitting)) = best else { return self.complete() && self.check() };
        for (place, own) in fitting {
            let before = self.trail.len();
            self.chosen[member] = Some(place);
            self.used.insert(place);
            self.assign(member, &own);
            if self.extend() {
                return true;
            }
            self.used.remove(&place);
            self.chosen[member] = None;
            for number in self.trail.drain(before..) {
                if let Some(leaf) = self.image.remove(&number) {
                    self.number.remove(&leaf);
                }
            }
            if self.bounds.steps == 0 || self.bounds.checks == 0 {
                return false;
            }
        }
        false
    }

    /// Maps what no member decides: leaves that refinement cannot tell apart stand for each other, mostly.
    /// One guess at a time, since other members may know what follows from it.
    fn complete(&mut self) -> bool {
        loop {
            let mut guess = None;
            for member in 0..self.chosen.len() {
                let Some(place) = self.chosen[member] else { return false };
                let own = self.constraints.nameless(place);
                if own.is_distinct {
                    continue;
                }
                if !self.fits(member, &own) {
                    return false;
                }
                self.assign(member, &own);
                let numbers = &self.core.members[member].leaves;
                let is_open = |&number: &u32| number != Joint::SETTLED && !self.image.contains_key(&number);
                let open = numbers.iter().position(is_open);
                if let Some(open) = open.filter(|_| guess.is_none()) {
                    let tied = |&i: &usize| own.ties[i] == own.ties[open];
                    let mut leaves = (0..own.leaves.len()).filter(tied).map(|i| own.leaves[i]);
                    guess =
                        leaves.find(|leaf| !self.number.contains_key(leaf)).map(|leaf| (numbers[open], leaf));
                }
            }
            let Some((number, leaf)) = guess else { return true };
            // What was assigned after the guess was noted may have taken either.
            if !self.image.contains_key(&number) && !self.number.contains_key(&leaf) {
                self.map(number, leaf);
            }
        }
    }

    fn map(&mut self, number: u32, leaf: LeafId) {
        self.image.insert(number, leaf);
        self.number.insert(leaf, number);
        self.trail.push(number);
    }

    /// Whether the chosen constraints are the core.
    fn check(&mut self) -> bool {
        if self.bounds.checks == 0 {
            return false;
        }
        self.bounds.checks -= 1;
        let mut parts = Vec::with_capacity(self.chosen.len());
        for (member, place) in self.core.members.iter().zip(&self.chosen) {
            let Some(place) = *place else { return false };
            let Some(others) = member.others else {
                parts.push(Chosen::Whole(place));
                continue;
            };
            let own = self.constraints.nameless(place);
            let images = member.leaves.iter().map(|number| self.image.get(number).copied());
            let Some(images) = images.collect::<Option<Vec<LeafId>>>() else { return false };
            // What the constraint says of all its constants it says of these, and of as many others.
            let is_said = images.iter().all(|image| own.leaves.contains(image));
            if !is_said || !has_leaves(member, &own) {
                return false;
            }
            parts.push(Chosen::Distinct(images, others));
        }
        self.constraints.joint(&parts).key == self.core.joint
    }

    /// Whether a constraint can be a member, as far as leaves are mapped.
    fn fits(&self, member: usize, own: &Nameless) -> bool {
        let numbers = &self.core.members[member].leaves;
        if own.is_distinct {
            return numbers.iter().filter_map(|n| self.image.get(n)).all(|image| own.leaves.contains(image));
        }
        let tied = |place: usize, other: usize| own.ties[place] == own.ties[other];
        numbers.iter().zip(&own.leaves).enumerate().all(|(i, (number, leaf))| {
            if *number == Joint::SETTLED {
                return true;
            }
            let (image, inverse) = (self.image.get(number), self.number.get(leaf));
            if image == Some(leaf) || (image.is_none() && inverse.is_none()) {
                return true;
            }
            // What refinement cannot tell apart may stand for each other.
            let places = || (0..numbers.len()).filter(|&other| tied(i, other));
            image.is_none_or(|image| places().any(|other| own.leaves[other] == *image))
                && inverse.is_none_or(|inverse| places().any(|other| numbers[other] == *inverse))
        })
    }

    /// Maps the leaves of a member to those of a constraint that fits; tied ones only where one is left.
    fn assign(&mut self, member: usize, own: &Nameless) {
        if own.is_distinct {
            return;
        }
        let core = self.core;
        let numbers = &core.members[member].leaves;
        let mut open: FxHashMap<u32, (Vec<u32>, Vec<LeafId>)> = FxHashMap::default();
        for (i, (&number, &leaf)) in numbers.iter().zip(&own.leaves).enumerate() {
            let (numbers, leaves) = open.entry(own.ties[i]).or_default();
            if number != Joint::SETTLED && !self.image.contains_key(&number) {
                numbers.push(number);
            }
            if !self.number.contains_key(&leaf) {
                leaves.push(leaf);
            }
        }
        for (numbers, leaves) in open.into_values() {
            if let (&[number], &[leaf]) = (&numbers[..], &leaves[..]) {
                self.map(number, leaf);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn core() -> StoredNameless {
        let member = |key: u128, leaves: &[u32], others: Option<u32>| Member {
            shape: 7,
            key,
            leaves: leaves.to_vec(),
            others,
        };
        let members = vec![member(1, &[], None), member(1, &[0, 2], Some(3)), member(9, &[1], None)];
        StoredNameless { joint: [5; 32], members, micros: 1024, solver: "z3".into() }
    }

    #[test]
    fn bytes_are_read_back_and_damaged_ones_are_not() {
        let bytes = core().encode();
        assert_eq!(StoredNameless::decode(&bytes), Some(core()));
        for length in 0..bytes.len() {
            assert_eq!(StoredNameless::decode(&bytes[..length]), None, "{length} bytes");
        }
        let mut longer = bytes.clone();
        longer.push(0);
        assert_eq!(StoredNameless::decode(&longer), None);
        let mut unordered = core();
        unordered.members.reverse();
        assert_eq!(StoredNameless::decode(&unordered.encode()), None);
    }

    /// Constraints over leaves 0, 1, …, all with one nameless key.
    struct Pairs(Vec<[u32; 2]>);

    impl Constraints for Pairs {
        fn nameless(&mut self, place: usize) -> Rc<Nameless> {
            let leaves = self.0[place].iter().map(|&leaf| LeafId::new(leaf)).collect();
            Rc::new(Nameless { key: 1, leaves, ties: vec![0, 1], is_distinct: false })
        }

        /// The key is what the chosen pairs are up to renaming, by brute force.
        fn joint(&mut self, parts: &[Chosen]) -> Joint {
            let places = parts.iter().map(|part| match part {
                Chosen::Whole(place) => *place,
                Chosen::Distinct(..) => unreachable!("there are none"),
            });
            let pairs: Vec<[u32; 2]> = places.map(|place| self.0[place]).collect();
            Joint { key: least(&pairs), members: Vec::new(), complete: true }
        }
    }

    const LEAVES: u32 = 5;

    /// The least of all renamings of a set of pairs.
    fn least(pairs: &[[u32; 2]]) -> [u8; 32] {
        let mut best: Option<Vec<[u32; 2]>> = None;
        let mut order: Vec<u32> = (0..LEAVES).collect();
        permutations(&mut order, 0, &mut |order| {
            let mut renamed: Vec<[u32; 2]> =
                pairs.iter().map(|pair| pair.map(|l| order[l as usize])).collect();
            renamed.sort_unstable();
            if best.as_ref().is_none_or(|best| renamed < *best) {
                best = Some(renamed);
            }
        });
        let mut key = [0xff; 32];
        for (byte, value) in key.iter_mut().zip(best.unwrap_or_default().concat()) {
            *byte = value as u8;
        }
        key
    }

    fn permutations(order: &mut [u32], from: usize, visit: &mut dyn FnMut(&[u32])) {
        if from == order.len() {
            return visit(order);
        }
        for i in from..order.len() {
            order.swap(from, i);
            permutations(order, from + 1, visit);
            order.swap(from, i);
        }
    }

    /// Directed graphs of which every edge looks like every other: a core is found exactly where brute force
    /// finds it as a subgraph.
    #[test]
    fn finds_a_core_exactly_where_brute_force_does() {
        let mut random = evergreen_structures::Random::new(3);
        let (mut hits, mut misses) = (0, 0);
        for _ in 0..300 {
            let mut edges = |most: usize| -> Vec<[u32; 2]> {
                let count = 1 + random.below(most);
                let mut all: Vec<[u32; 2]> = (0..count)
                    .map(|_| [random.below(LEAVES as usize) as u32, random.below(LEAVES as usize) as u32])
                    .filter(|pair| pair[0] != pair[1])
                    .collect();
                all.sort_unstable();
                all.dedup();
                all
            };
            let (core, query) = (edges(4), edges(9));
            if core.is_empty() || query.is_empty() {
                continue;
            }
            let store: Arc<dyn Store> = Arc::new(evergreen_store::Memory::new(1 << 20));
            let mut index = NamelessIndex::new(store, "", Trust::Local);
            let member = |pair: &[u32; 2]| Member { shape: 7, key: 1, leaves: pair.to_vec(), others: None };
            let members: Vec<Member> = core.iter().map(member).collect();
            index.add(least(&core), members, 0, Duration::from_millis(1), "z3").expect("kept");
            let found = index.find(&vec![7; query.len()], &mut Pairs(query.clone()));
            let mut is_there = false;
            permutations(&mut (0..LEAVES).collect::<Vec<u32>>(), 0, &mut |order| {
                let image = |pair: &[u32; 2]| pair.map(|leaf| order[leaf as usize]);
                is_there |= core.iter().all(|pair| query.contains(&image(pair)));
            });
            assert_eq!(found.is_some(), is_there, "{core:?} in {query:?}");
            if let Some(found) = &found {
                let chosen: Vec<[u32; 2]> = found.places.iter().map(|&place| query[place]).collect();
                assert_eq!(least(&chosen), least(&core));
            }
            if is_there { hits += 1 } else { misses += 1 }
        }
        assert!(hits > 30 && misses > 30, "{hits} hits and {misses} misses");
    }
}
