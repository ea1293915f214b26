//! Exact: the store has a record under the part's key. It is carried over to the part's own symbols and
//! checked there.

use crate::answer::Core;
use crate::engine::{Engine, Known, Part, Refused, Reuse};
use crate::event::Event;
use crate::ladder::Rung;
use crate::record::{Record, RecordedVerdict};
use crate::stats::Stage;
use crate::translate;
use evergreen_canon::{Aside, Canonical, KeyBytes};
use evergreen_store::{Bytes, Key, Origin};
use evergreen_term::{Model, TermId, Terms};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// A record and where it came from.
pub(crate) struct Fetched {
    pub(crate) record: Record,
    pub(crate) origin: Origin,
}

impl Engine {
    /// Uses the record that was found under a part's key.
    pub(super) fn exact(
        &mut self,
        terms: &mut Terms,
        part: &Part,
        fetched: &mut Option<Fetched>,
        model: &mut Model,
    ) -> Option<Known> {
        self.use_record(terms, part, fetched.take()?, model)
    }

    /// Carries a record over to the part it was found for, and counts that. `None` when it is not to be used.
    fn use_record(
        &mut self,
        terms: &mut Terms,
        part: &Part,
        fetched: Fetched,
        model: &mut Model,
    ) -> Option<Known> {
        let key = part.canonical.key;
        let Fetched { record, origin } = fetched;
        let trusted = self.options.trust.trusts(origin);
        let proved = if trusted { Ok(()) } else { self.verify(terms, part, &record) };
        let known = proved.and_then(|()| self.apply(terms, part, &record, model));
        match known {
            Err(refused) => {
                self.stats.distrusted += u64::from(!trusted);
                self.stats.rejected += u64::from(refused == Refused::Wrong);
                self.log(|| match refused {
                    Refused::Wrong => Event::Rejected { key },
                    Refused::Unproved => Event::Distrusted { key },
                });
                None
            }
            Ok(known) => {
                if !trusted && origin != Origin::Local {
                    self.confirm(&key, &record);
                }
                self.hit(Rung::Exact);
                self.note_entry(key);
                if !record.is_sat() {
                    self.note_refuted(part);
                }
                self.stats.saved += Duration::from_micros(record.micros);
                self.log(|| Event::Reused { rung: Rung::Exact, key, sat: record.is_sat() });
                Some(known)
            }
        }
    }

    /// Several parts that were found unsatisfiable together, where it was not known which of them is.
    pub(super) fn exact_together(
        &mut self,
        terms: &mut Terms,
        missing: &[Part],
        asides: &[Aside],
    ) -> Option<Known> {
        if missing.len() < 2 {
            return None;
        }
        let joint = self.joint(terms, missing, asides);
        let found = self.fetch(&joint.canonical.key).filter(|found| !found.record.is_sat())?;
        let known = self.use_record(terms, &joint, found, &mut Model::new());
        known.filter(|known| matches!(known, Known::Unsat(_)))
    }

    pub(crate) fn joint(&mut self, terms: &Terms, parts: &[Part], asides: &[Aside]) -> Part {
        let all = parts.iter().flat_map(|p| p.constraints.iter().copied()).collect();
        self.canonize(terms, all, asides)
    }

    /// The record of a part that is not decided yet.
    pub(crate) fn fetch_for(&mut self, part: &Part) -> Option<Fetched> {
        if part.canonical.verdict.is_some() { None } else { self.fetch(&part.canonical.key) }
    }

    /// The records of parts, over a network in one round trip.
    pub(crate) fn fetch_all(&mut self, parts: &[Part]) -> Vec<Option<Fetched>> {
        if let [only] = parts {
            return vec![self.fetch_for(only)];
        }
        let Some(store) = self.store.clone() else { return parts.iter().map(|_| None).collect() };
        let start = Instant::now();
        let open: Vec<usize> = (0..parts.len()).filter(|&i| parts[i].canonical.verdict.is_none()).collect();
        let keys: Vec<Key> = open.iter().map(|&i| Key(parts[i].canonical.key)).collect();
        let mut records: Vec<Option<Fetched>> = parts.iter().map(|_| None).collect();
        // A failing store is a miss; the store reports its own trouble.
        let found = if keys.is_empty() { Vec::new() } else { store.get_many_from(&keys).unwrap_or_default() };
        let count = open.len() as u64;
        for (i, bytes) in open.into_iter().zip(found) {
            records[i] = bytes.and_then(decode);
        }
        self.stats.add(Stage::LookUp, start.elapsed());
        self.stats.tried(Rung::Exact, count, start.elapsed());
        records
    }

    pub(crate) fn fetch(&mut self, key: &KeyBytes) -> Option<Fetched> {
        let start = Instant::now();
        // A failing store is a miss; the store reports its own trouble.
        let found = self.store.as_ref()?.get_from(&Key(*key)).ok().flatten().and_then(decode);
        let took = start.elapsed();
        self.stats.add(Stage::LookUp, took);
        self.stats.tried(Rung::Exact, 1, took);
        found
    }

    /// Carries a record over to the part it was found for, if it holds there.
    fn apply(
        &mut self,
        terms: &mut Terms,
        part: &Part,
        record: &Record,
        model: &mut Model,
    ) -> Result<Known, Refused> {
        match &record.verdict {
            RecordedVerdict::Sat(None) => Ok(Known::Sat { model: false }),
            RecordedVerdict::Sat(Some(values)) => {
                if let Some(own) = self.applied.model(part, values) {
                    part.join(terms, own.clone(), model);
                    return Ok(Known::Sat { model: true });
                }
                // The part is checked under its own values; only then they join those of the other parts.
                let mut own = Model::new();
                let fits = translate::from_leaves(terms, &part.canonical, values, &mut own);
                if fits.is_none() || self.holds(terms, &own, &part.constraints) == Some(false) {
                    return Err(Refused::Wrong);
                }
                if self.options.reuse == Reuse::Full {
                    self.remember(terms, part, values);
                }
                self.applied.note(part, values, &own);
                part.join(terms, own, model);
                Ok(Known::Sat { model: true })
            }
            // A count under the key of a query is a forgery.
            RecordedVerdict::Count(_) => Err(Refused::Wrong),
            RecordedVerdict::Unsat { core: None, .. } => Ok(Known::Unsat(None)),
            RecordedVerdict::Unsat { core: Some(core), .. } => {
                let constraints = &part.canonical.constraints;
                if core.last().is_some_and(|&last| last as usize >= constraints.len()) {
                    return Err(Refused::Wrong);
                }
                let mut named: Vec<TermId> =
                    core.iter().map(|&c| part.constraints[constraints[c as usize] as usize]).collect();
                named.sort_unstable();
                named.dedup();
                Ok(Known::Unsat(Core::new(named).and_then(|core| self.core_of_query(terms, core))))
            }
        }
    }
}

/// Records that were carried over to parts and hold there: the next query on a path asks for most of them
/// again.
#[derive(Default)]
pub(crate) struct Applied(FxHashMap<*const Canonical, AppliedOnce>);

struct AppliedOnce {
    /// Keeps the address, by which it is found, from being another form's.
    canonical: Rc<Canonical>,
    values: Vec<Vec<u8>>,
    own: Model,
}

/// Records that are kept before all are forgotten.
const APPLIED: usize = 1 << 12;

impl Applied {
    /// The model that these values were for this very part, if they held.
    fn model(&self, part: &Part, values: &[Vec<u8>]) -> Option<&Model> {
        let applied = self.0.get(&Rc::as_ptr(&part.canonical))?;
        debug_assert!(Rc::ptr_eq(&applied.canonical, &part.canonical));
        (applied.values == values).then_some(&applied.own)
    }

    fn note(&mut self, part: &Part, values: &[Vec<u8>], own: &Model) {
        if self.0.len() >= APPLIED {
            self.0.clear();
        }
        let canonical = part.canonical.clone();
        let applied = AppliedOnce { canonical, values: values.to_vec(), own: own.clone() };
        self.0.insert(Rc::as_ptr(&part.canonical), applied);
    }
}

fn decode((bytes, origin): (Bytes, Origin)) -> Option<Fetched> {
    Record::decode(&bytes).map(|record| Fetched { record, origin })
}
