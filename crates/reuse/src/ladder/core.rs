//! Cores: a query that contains one is unsatisfiable, and fresh ones are kept for later queries. The index is
//! in `crates/reuse/src/cores.rs`.
//!
//! Constraints are compared as they were asked, split at their surface and before propagation: what
//! propagation makes of a constraint depends on the others. Objectives and soft constraints do not matter to
//! an unsat.
//!
//! This is for queries that are solved as a whole, such as scripts. Parts that are solved one by one come
//! with a core from their solver, and are found by it one rung earlier
//! (`crates/reuse/src/ladder/implied.rs`).

use crate::answer::Core;
use crate::cores::{Chosen, Constraints, CoreIndex, Member, NamelessIndex};
use crate::engine::{Cores, Engine, Known, Options, Part, Refutation, Reuse};
use crate::event::Event;
use crate::ladder::Rung;
use crate::stats::Stage;
use evergreen_canon::{Aside, Canonizer, Joint, JointPart, LeafId, Nameless, Table, split_into};
use evergreen_store::Store;
use evergreen_term::{TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Who is said to have solved what a core answers.
const BY: &str = "evergreen";

/// A head without names has so many leaves, if a member has: one with few is like many others.
const HEAD_LEAVES: usize = 6;

/// The indices of cores in front of a store, with names and without, if the options ask for them.
pub(crate) fn index_of(
    options: &Options,
    store: Option<&Arc<dyn Store>>,
) -> Option<(CoreIndex, NamelessIndex)> {
    let wanted = options.reuse >= Reuse::Full && options.cores >= Cores::LookUp;
    let store = store.filter(|_| wanted)?;
    let (namespace, trust) = (&options.namespace, options.trust);
    let named = CoreIndex::new(store.clone(), namespace, trust);
    Some((named, NamelessIndex::new(store.clone(), namespace, trust)))
}

/// A core that the query contains.
struct Contained {
    core: Vec<TermId>,
    saved: Duration,
    key: [u8; 32],
}

/// The constraints of a query for the search without names.
struct Asked<'a> {
    canonizer: &'a mut Canonizer,
    terms: &'a Terms,
    constraints: &'a [TermId],
}

impl Constraints for Asked<'_> {
    fn nameless(&mut self, place: usize) -> Rc<Nameless> {
        self.canonizer.nameless(self.terms, self.constraints[place])
    }

    fn joint(&mut self, parts: &[Chosen]) -> Joint {
        let part = |part: &Chosen| match part {
            Chosen::Whole(place) => JointPart::Whole(self.constraints[*place]),
            Chosen::Distinct(constants, others) => JointPart::Distinct(constants.clone(), *others),
        };
        let parts: Vec<JointPart> = parts.iter().map(part).collect();
        self.canonizer.joint(self.terms, &parts)
    }
}

impl Engine {
    /// Whether cores of fresh unsat answers are worth asking for.
    pub fn finds_cores(&self) -> bool {
        self.cores.is_some() && self.options.cores >= Cores::Auto
    }

    /// Remembers what is being asked, for cores.
    pub(crate) fn note_asked(&mut self, tables: &[Rc<Table>], pieces: &[TermId]) {
        if self.cores.is_some() {
            self.asked.clear();
            tables.iter().for_each(|table| self.asked.extend_from_slice(&table.constraints));
            self.asked.extend_from_slice(pieces);
        }
    }

    /// A recorded core that the query contains, as constraints of the query. Recorded under the key of the
    /// part that it decides, so that the next time the exact rung answers.
    pub(super) fn core(&mut self, terms: &mut Terms, missing: &[Part], _: &[Aside]) -> Option<Known> {
        let start = Instant::now();
        let found = self.named_core(terms).or_else(|| self.nameless_core(terms));
        self.stats.add(Stage::LookUp, start.elapsed());
        let found = found?;
        self.hit(Rung::Core);
        self.note_entry(found.key);
        self.stats.saved += found.saved;
        self.log(|| Event::Reused { rung: Rung::Core, key: found.key, sat: false });
        let core = Core::new(found.core)?;
        // Every other part is satisfiable, or has nothing but units in the core. What the core became in this
        // part is not looked at, so the part is recorded as a whole.
        if let [part] = self.touched(missing, &core)[..] {
            let micros = found.saved.as_micros() as u64;
            self.put_unsat(terms, part, &Refutation::whole(part), micros, BY);
            self.note_entry(part.canonical.key);
            self.note_refuted(part);
        }
        Some(Known::Unsat(Some(core)))
    }

    /// A recorded core under the names that it had.
    fn named_core(&mut self, terms: &Terms) -> Option<Contained> {
        let index = self.cores.as_mut()?;
        let canonizer = &mut self.canonizer;
        let keys: Vec<u128> = self.asked.iter().map(|&c| canonizer.named_key(terms, c)).collect();
        let found = index.find(&keys);
        self.stats.distrusted += index.take_distrusted();
        let found = found?;
        let members: FxHashSet<u128> = found.members.iter().copied().collect();
        let named = self.asked.iter().zip(&keys).filter(|(_, key)| members.contains(key));
        let core = named.map(|(&constraint, _)| constraint).collect();
        Some(Contained { core, saved: found.saved, key: found.key })
    }

    /// A recorded core under other names.
    fn nameless_core(&mut self, terms: &Terms) -> Option<Contained> {
        let index = self.nameless.as_mut()?;
        let mut seen: FxHashSet<TermId> = FxHashSet::default();
        let constraints: Vec<TermId> = self.asked.iter().copied().filter(|&c| seen.insert(c)).collect();
        let canonizer = &mut self.canonizer;
        let shapes: Vec<u64> = constraints.iter().map(|&c| canonizer.shape(terms, c)).collect();
        let found = index.find(&shapes, &mut Asked { canonizer, terms, constraints: &constraints });
        self.stats.distrusted += index.take_distrusted();
        let found = found?;
        let core = found.places.iter().map(|&place| constraints[place]).collect();
        Some(Contained { core, saved: found.saved, key: found.key })
    }

    /// Keeps constraints of a query, whose constraints are given in the order of assertion, that are
    /// unsatisfiable together.
    pub fn learn_core(
        &mut self,
        terms: &mut Terms,
        constraints: &[TermId],
        core: &Core,
        took: Duration,
        by: &str,
    ) {
        let mut asked = Vec::with_capacity(constraints.len());
        constraints.iter().for_each(|&c| split_into(terms, c, &mut asked));
        self.note_asked(&[], &asked);
        let mut pieces = Vec::with_capacity(core.len());
        core.iter().for_each(|&c| split_into(terms, c, &mut pieces));
        self.record_core(terms, &pieces, took, by);
    }

    /// Puts a core of the current query into the index.
    pub(crate) fn record_core(&mut self, terms: &Terms, core: &[TermId], took: Duration, by: &str) {
        if !self.finds_cores() {
            return;
        }
        let Some(index) = self.cores.as_mut() else { return };
        let start = Instant::now();
        let mut members: FxHashSet<TermId> = core.iter().copied().collect();
        let ordered: Vec<TermId> = self.asked.iter().copied().filter(|c| members.remove(c)).collect();
        // What is not one of the query's constraints would be missing from the core.
        if members.is_empty() {
            let canonizer = &mut self.canonizer;
            let keys: Vec<u128> = ordered.iter().map(|&c| canonizer.named_key(terms, c)).collect();
            if let Some(key) = index.add(&keys, took, by) {
                self.stats.cores += 1;
                self.log(|| Event::Recorded { key, sat: false });
            }
            self.record_nameless(terms, &ordered, took, by);
        }
        self.stats.add(Stage::Record, start.elapsed());
    }

    /// Puts a core, given in the order of assertion, into the index without names.
    fn record_nameless(&mut self, terms: &Terms, core: &[TermId], took: Duration, by: &str) {
        let Some(index) = self.nameless.as_mut() else { return };
        let own: Vec<Rc<Nameless>> = core.iter().map(|&c| self.canonizer.nameless(terms, c)).collect();
        let mut mentions: FxHashMap<LeafId, u32> = FxHashMap::default();
        own.iter().flat_map(|own| &own.leaves).for_each(|&leaf| *mentions.entry(leaf).or_default() += 1);
        let mut parts = Vec::with_capacity(core.len());
        for (&constraint, own) in core.iter().zip(&own) {
            if !own.is_distinct {
                parts.push(JointPart::Whole(constraint));
                continue;
            }
            let (named, others): (Vec<LeafId>, Vec<LeafId>) =
                own.leaves.iter().copied().partition(|leaf| mentions[leaf] > 1);
            // Nothing would say what the others are.
            if named.is_empty() {
                return;
            }
            parts.push(JointPart::Distinct(named, others.len() as u32));
        }
        let joint = self.canonizer.joint(terms, &parts);
        // Another numbering would be found by nobody.
        if !joint.complete {
            return;
        }
        let mut members = Vec::with_capacity(core.len());
        for ((&constraint, part), leaves) in core.iter().zip(&parts).zip(joint.members) {
            let shape = self.canonizer.shape(terms, constraint);
            let key = self.canonizer.nameless(terms, constraint).key;
            let others = match part {
                JointPart::Whole(_) => None,
                JointPart::Distinct(_, others) => Some(*others),
            };
            members.push(Member { shape, key, leaves, others });
        }
        let head = members.iter().rposition(|m| m.others.is_none() && m.leaves.len() >= HEAD_LEAVES);
        let head = head.unwrap_or(members.len().saturating_sub(1));
        index.add(joint.key, members, head, took, by);
    }
}
