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
use evergreen_store::{Bucket, Bytes, Key, Origin};
use evergreen_term::{Model, TermId, Terms};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The bytes of a record and where they came from. They are decoded when somebody looks at them: along a path
/// most are those that were applied to the same part before.
pub(crate) struct Fetched {
    bytes: Bytes,
    pub(crate) origin: Origin,
}

impl Fetched {
    /// The record. Bytes that are none are a miss.
    pub(crate) fn record(&self) -> Option<Record> {
        Record::decode(&self.bytes)
    }
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
        let origin = fetched.origin;
        let trusted = self.options.trust.trusts(origin);
        if trusted && let Some(known) = self.use_again(terms, part, &fetched.bytes, model) {
            return Some(known);
        }
        let record = fetched.record()?;
        let proved = if trusted { Ok(()) } else { self.verify(terms, part, &record) };
        let known = proved.and_then(|()| self.apply(terms, part, &record, &fetched, model));
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

    /// The record that was applied to the same part before.
    fn use_again(&mut self, terms: &Terms, part: &Part, bytes: &Bytes, model: &mut Model) -> Option<Known> {
        let applied = self.applied.find(part, bytes)?;
        if !self.is_modelless {
            part.join(terms, &applied.own, model);
        }
        self.stats.saved += applied.saved;
        self.hit(Rung::Exact);
        let key = part.canonical.key;
        self.note_entry(key);
        self.log(|| Event::Reused { rung: Rung::Exact, key, sat: true });
        Some(Known::Sat { model: true })
    }

    /// Several parts that were found unsatisfiable together, where it was not known which of them is.
    pub(super) fn exact_together(
        &mut self,
        terms: &mut Terms,
        missing: &[Part],
        asides: &[Aside],
    ) -> Option<Known> {
        if missing.len() < 2 || !self.is_noted_together(missing) {
            return None;
        }
        let joint = self.joint(terms, missing, asides);
        let found = self.fetch(&joint.canonical.key)?;
        found.record().filter(|record| !record.is_sat())?;
        let known = self.use_record(terms, &joint, found, &mut Model::new());
        known.filter(|known| matches!(known, Known::Unsat(_)))
    }

    /// Whether parts with these keys were ever found unsatisfiable together. That is rare, and their joint
    /// form costs as much as the forms of all of them.
    fn is_noted_together(&self, parts: &[Part]) -> bool {
        let Some(store) = &self.store else { return false };
        store.get(&together(parts).member(TOGETHER)).is_ok_and(|noted| noted.is_some())
    }

    /// Notes that parts are unsatisfiable together. What says so is the record of their joint form; this only
    /// says that there is one.
    pub(crate) fn note_together(&mut self, parts: &[Part]) {
        if let Some(store) = &self.store {
            // A failing store is a miss later on; the store reports its own trouble.
            let _ = store.put_in(&together(parts), TOGETHER);
        }
    }

    pub(crate) fn joint(&mut self, terms: &Terms, parts: &[Part], asides: &[Aside]) -> Part {
        let all = parts.iter().flat_map(|p| p.constraints.iter().copied()).collect();
        self.canonize(terms, all, asides)
    }

    /// The record of a part that is not decided yet.
    pub(crate) fn fetch_for(&mut self, part: &Part) -> Option<Fetched> {
        if part.canonical.verdict.is_some() {
            return None;
        }
        self.fetch_applied(part).or_else(|| self.fetch(&part.canonical.key))
    }

    /// The record that was applied to a part before: it need not be read again, since it was checked and is
    /// trusted.
    fn fetch_applied(&mut self, part: &Part) -> Option<Fetched> {
        let (bytes, origin) = self.applied.bytes(part)?;
        let fetched = Fetched { bytes: bytes.clone(), origin };
        if !self.options.trust.trusts(origin) {
            return None;
        }
        self.stats.tried(Rung::Exact, 1, Duration::ZERO);
        Some(fetched)
    }

    /// The records of parts, over a network in one round trip.
    pub(crate) fn fetch_all(&mut self, parts: &[Part]) -> Vec<Option<Fetched>> {
        if let [only] = parts {
            return vec![self.fetch_for(only)];
        }
        let Some(store) = self.store.clone() else { return parts.iter().map(|_| None).collect() };
        let mut records: Vec<Option<Fetched>> = parts.iter().map(|part| self.fetch_applied(part)).collect();
        let is_open = |i: &usize| records[*i].is_none() && parts[*i].canonical.verdict.is_none();
        let open: Vec<usize> = (0..parts.len()).filter(is_open).collect();
        if open.is_empty() {
            return records;
        }
        let start = Instant::now();
        let keys: Vec<Key> = open.iter().map(|&i| Key(parts[i].canonical.key)).collect();
        // A failing store is a miss; the store reports its own trouble.
        let found = store.get_many_from(&keys).unwrap_or_default();
        let count = open.len() as u64;
        for (i, bytes) in open.into_iter().zip(found) {
            records[i] = bytes.map(|(bytes, origin)| Fetched { bytes, origin });
        }
        self.stats.add(Stage::LookUp, start.elapsed());
        self.stats.tried(Rung::Exact, count, start.elapsed());
        records
    }

    pub(crate) fn fetch(&mut self, key: &KeyBytes) -> Option<Fetched> {
        let start = Instant::now();
        // A failing store is a miss; the store reports its own trouble.
        let found = self.store.as_ref()?.get_from(&Key(*key)).ok().flatten();
        let took = start.elapsed();
        self.stats.add(Stage::LookUp, took);
        self.stats.tried(Rung::Exact, 1, took);
        found.map(|(bytes, origin)| Fetched { bytes, origin })
    }

    /// Carries a record over to the part it was found for, if it holds there.
    fn apply(
        &mut self,
        terms: &mut Terms,
        part: &Part,
        record: &Record,
        fetched: &Fetched,
        model: &mut Model,
    ) -> Result<Known, Refused> {
        match &record.verdict {
            RecordedVerdict::Sat(None) => Ok(Known::Sat { model: false }),
            RecordedVerdict::Sat(Some(values)) => {
                // The part is checked under its own values; only then they join those of the other parts.
                let mut own = Model::new();
                let fits = translate::from_leaves(terms, &part.canonical, values, &mut own);
                if fits.is_none() || self.holds(terms, &own, &part.constraints) == Some(false) {
                    return Err(Refused::Wrong);
                }
                if self.options.reuse == Reuse::Full {
                    self.remember(terms, part, values);
                }
                if !self.is_modelless {
                    part.join(terms, &own, model);
                }
                self.applied.note(part, fetched, own, Duration::from_micros(record.micros));
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

/// What lies in the bucket of parts that have a record together.
const TOGETHER: &[u8] = b"unsatisfiable together";

/// The bucket of parts, in any order.
fn together(parts: &[Part]) -> Bucket {
    let mut keys: Vec<KeyBytes> = parts.iter().map(|part| part.canonical.key).collect();
    keys.sort_unstable();
    let digest = evergreen_canon::digest(&[TOGETHER, &keys.concat()].concat());
    Bucket(digest[..16].try_into().expect("a digest has 32 bytes"))
}

/// Records that were carried over to parts and hold there: the next query on a path asks for most of them
/// again.
#[derive(Default)]
pub(crate) struct Applied(FxHashMap<*const Canonical, AppliedOnce>);

struct AppliedOnce {
    /// Keeps the address, by which it is found, from being another form's.
    canonical: Rc<Canonical>,
    bytes: Bytes,
    origin: Origin,
    own: Model,
    /// What solving took.
    saved: Duration,
}

/// Records that are kept before all are forgotten.
const APPLIED: usize = 1 << 12;

impl Applied {
    /// What these bytes were for this very part, if they held.
    fn find(&self, part: &Part, bytes: &Bytes) -> Option<&AppliedOnce> {
        let applied = self.0.get(&Rc::as_ptr(&part.canonical))?;
        debug_assert!(Rc::ptr_eq(&applied.canonical, &part.canonical));
        (Arc::ptr_eq(&applied.bytes, bytes) || applied.bytes == *bytes).then_some(applied)
    }

    /// The record that held for this very part, and where it came from.
    fn bytes(&self, part: &Part) -> Option<(&Bytes, Origin)> {
        self.0.get(&Rc::as_ptr(&part.canonical)).map(|applied| (&applied.bytes, applied.origin))
    }

    /// Forgets all of them: an audit has found a record that is wrong.
    pub(crate) fn forget(&mut self) {
        self.0.clear();
    }

    fn note(&mut self, part: &Part, fetched: &Fetched, own: Model, saved: Duration) {
        if self.0.len() >= APPLIED {
            self.0.clear();
        }
        let (canonical, bytes, origin) = (part.canonical.clone(), fetched.bytes.clone(), fetched.origin);
        let applied = AppliedOnce { canonical, bytes, origin, own, saved };
        self.0.insert(Rc::as_ptr(&part.canonical), applied);
    }
}
