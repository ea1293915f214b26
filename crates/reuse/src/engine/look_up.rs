//! Look up: records that answer a part, carried over to the part's own symbols and checked there.

use super::verify::Refused;
use super::{Engine, Known, Part, Reuse};
use crate::answer::Core;
use crate::event::{Event, Rung};
use crate::record::{Record, RecordedVerdict};
use crate::stats::Stage;
use crate::translate;
use evergreen_canon::{Aside, KeyBytes};
use evergreen_store::{Bytes, Key, Origin};
use evergreen_term::{Completion, Evaluator, Model, TermId, Terms, Value};
use std::time::{Duration, Instant};

/// A record and where it came from.
pub(super) struct Fetched {
    pub record: Record,
    pub origin: Origin,
}

/// Adds the model of a part to that of the query.
pub(super) fn join(terms: &Terms, part: &Part, own: Model, model: &mut Model) {
    if model.is_empty() {
        *model = own;
        return;
    }
    for (symbol, value) in own.iter() {
        translate::merge(terms, model, symbol, value, &part.canonical.leaves);
    }
}

impl Engine {
    /// What is known of a part, given the record that was found under its key.
    pub(super) fn look_up(
        &mut self,
        terms: &mut Terms,
        part: &Part,
        fetched: Option<Fetched>,
        model: &mut Model,
    ) -> Known {
        let key = part.canonical.key;
        if self.options.reuse == Reuse::None {
            return Known::Missing;
        }
        if let Some(sat) = part.canonical.verdict {
            self.hit(Rung::Trivial);
            self.log(|| Event::Reused { rung: Rung::Trivial, key, sat });
            if sat {
                return Known::Sat { model: true };
            }
            let core = part.canonical.constraints.iter().map(|&i| part.constraints[i as usize]).collect();
            return Known::Unsat(Core::new(core).and_then(|core| self.origins.core_of_query(terms, core)));
        }
        let Some(fetched) = fetched else {
            return self.climb(terms, part, model);
        };
        match self.use_record(terms, part, fetched, model) {
            Known::Missing => self.climb(terms, part, model),
            known => known,
        }
    }

    /// Carries a record over to the part it was found for, and counts that. `Missing` when it is not to be used.
    fn use_record(&mut self, terms: &mut Terms, part: &Part, fetched: Fetched, model: &mut Model) -> Known {
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
                Known::Missing
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
                known
            }
        }
    }

    /// Several parts that were found unsatisfiable together, where it was not known which of them is.
    pub(super) fn look_up_joint(
        &mut self,
        terms: &mut Terms,
        missing: &[Part],
        asides: &[Aside],
    ) -> Option<Option<Core>> {
        if missing.len() < 2 || self.options.reuse == Reuse::None {
            return None;
        }
        let joint = self.joint(terms, missing, asides);
        let found = self.fetch(&joint.canonical.key).filter(|found| !found.record.is_sat())?;
        match self.use_record(terms, &joint, found, &mut Model::new()) {
            Known::Unsat(core) => Some(core),
            _ => None,
        }
    }

    pub(super) fn joint(&mut self, terms: &Terms, parts: &[Part], asides: &[Aside]) -> Part {
        let all = parts.iter().flat_map(|p| p.constraints.iter().copied()).collect();
        self.canonize(terms, all, asides)
    }

    /// The record of a part that is not decided yet.
    pub(super) fn fetch_for(&mut self, part: &Part) -> Option<Fetched> {
        if part.canonical.verdict.is_some() { None } else { self.fetch(&part.canonical.key) }
    }

    /// The records of parts, over a network in one round trip.
    pub(super) fn fetch_all(&mut self, parts: &[Part]) -> Vec<Option<Fetched>> {
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

    pub(super) fn fetch(&mut self, key: &KeyBytes) -> Option<Fetched> {
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
                // The part is checked under its own values; only then they join those of the other parts.
                let mut own = Model::new();
                let fits = translate::from_leaves(terms, &part.canonical, values, &mut own);
                if fits.is_none() || self.holds(terms, &own, &part.constraints) == Some(false) {
                    return Err(Refused::Wrong);
                }
                if self.options.reuse == Reuse::Full {
                    self.remember(terms, part, values);
                }
                join(terms, part, own, model);
                Ok(Known::Sat { model: true })
            }
            // A count under the key of a query is somebody's forgery.
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
                Ok(Known::Unsat(Core::new(named).and_then(|core| self.origins.core_of_query(terms, core))))
            }
        }
    }

    /// Whether constraints hold under a model; `None` when some cannot be evaluated and none is false.
    pub(super) fn holds(&mut self, terms: &Terms, model: &Model, constraints: &[TermId]) -> Option<bool> {
        if self.options.check { self.evaluate(terms, model, constraints) } else { None }
    }

    /// As [`Engine::holds`], whether checking is on or not.
    pub(super) fn evaluate(&mut self, terms: &Terms, model: &Model, constraints: &[TermId]) -> Option<bool> {
        let start = Instant::now();
        let mut evaluator = Evaluator::new(terms, model).completing(Completion::Default);
        let mut all = Some(true);
        for &c in constraints {
            match evaluator.evaluate(c) {
                Ok(Value::Bool(true)) => {}
                Ok(_) => {
                    all = Some(false);
                    break;
                }
                Err(_) => all = None,
            }
        }
        self.stats.add(Stage::Check, start.elapsed());
        all
    }
}

fn decode((bytes, origin): (Bytes, Origin)) -> Option<Fetched> {
    Record::decode(&bytes).map(|record| Fetched { record, origin })
}
