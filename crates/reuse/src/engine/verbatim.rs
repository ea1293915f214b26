//! Verbatim: queries whose meaning is not the standard's, or not only the query's own.
//!
//! Everything else in this crate rests on what SMT-LIB says a query means: canonizing rewrites it, slicing
//! cuts it, evaluation and the native core decide it, a set answers for another that it implies. Under an
//! option that is not known to leave the meaning alone none of this is justified, and the same goes for
//! definitions that solvers read differently. Such a query is a text, together with everything that its
//! meaning depends on; the backend gives it. The same text has the same verdict; nothing else is concluded
//! from it, and nothing else answers for it. Values and cores are not kept: they would have to be checked,
//! which takes the meaning.

use super::{Engine, Miss, Reuse};
use crate::answer::{Answer, Question, Verdict};
use crate::backend::{Backend, Grain, Task};
use crate::event::Event;
use crate::ladder::Rung;
use crate::query::Query;
use crate::record::{Record, RecordedVerdict};
use crate::stats::Stage;
use evergreen_canon::{KeyBytes, digest};
use evergreen_store::Key;
use evergreen_term::Terms;
use std::time::{Duration, Instant};

const KIND: &[u8] = b"evergreen verbatim 1";

impl Engine {
    /// Answers a query by its text.
    pub(crate) fn answer_verbatim(
        &mut self,
        terms: &mut Terms,
        query: &Query<'_>,
        backend: &mut dyn Backend,
        text: &[u8],
    ) -> Result<Answer, Miss> {
        let &Query { constraints, asides, question, .. } = query;
        self.stats.slices += 1;
        self.log(|| Event::Sliced { constraints: constraints.len(), parts: 1 });
        // What was asked before is not what cores that are found now are about.
        self.note_asked(&[], &[]);
        let key = self.verbatim_key(text);
        // A backend that solves whole queries has a solver to ask for values; others have to have them now.
        let wants_values = matches!(question, Question::Model | Question::Extension);
        let any_sat = backend.grain() == Grain::Whole || !wants_values;
        match self.known_verbatim(&key) {
            Some(Verdict::Sat) if !any_sat => {}
            Some(verdict) => return Ok(Answer::reused(verdict, None, None)),
            None => {}
        }
        self.log(|| Event::Missed { key });
        if self.options.require_hit {
            return Err(Miss { constraints: constraints.to_vec(), key });
        }
        let task = Task { constraints, asides, question, want_core: false };
        let solved = self.ask(terms, task, backend);
        let verdict = match &solved.verdict {
            Verdict::Sat => Some(RecordedVerdict::Sat(None)),
            Verdict::Unsat => Some(RecordedVerdict::Unsat { core: None, certificate: None }),
            Verdict::Unknown(_) => None,
        };
        if let Some(verdict) = verdict.filter(|_| solved.recordable) {
            self.record_verbatim(key, verdict, solved.elapsed, backend.name());
        }
        Ok(Answer::solved(solved.verdict, solved.model, solved.core))
    }

    fn verbatim_key(&self, text: &[u8]) -> KeyBytes {
        let namespace = self.options.namespace.as_bytes();
        let mut bytes = KIND.to_vec();
        bytes.extend((namespace.len() as u64).to_le_bytes());
        bytes.extend(namespace);
        bytes.extend(text);
        digest(&bytes)
    }

    /// The verdict that is recorded for a text. There is no evidence in it: from where it is not trusted it
    /// is not used.
    fn known_verbatim(&mut self, key: &KeyBytes) -> Option<Verdict> {
        if self.options.reuse == Reuse::None {
            return None;
        }
        let found = self.fetch(key)?;
        if !self.options.trust.trusts(found.origin) {
            self.stats.distrusted += 1;
            self.log(|| Event::Distrusted { key: *key });
            return None;
        }
        let record = found.record()?;
        let verdict = match record.verdict {
            RecordedVerdict::Sat(_) => Verdict::Sat,
            RecordedVerdict::Unsat { .. } => Verdict::Unsat,
            RecordedVerdict::Count(_) => return None,
        };
        self.hit(Rung::Exact);
        self.note_entry(*key);
        self.stats.saved += Duration::from_micros(record.micros);
        self.log(|| Event::Reused { rung: Rung::Exact, key: *key, sat: verdict == Verdict::Sat });
        Some(verdict)
    }

    fn record_verbatim(&mut self, key: KeyBytes, verdict: RecordedVerdict, took: Duration, by: &str) {
        let Some(store) = self.store.clone() else { return };
        let start = Instant::now();
        let record = Record { verdict, micros: took.as_micros() as u64, solver: by.to_string() };
        if store.put(&Key(key), &record.encode()).is_ok() {
            self.stats.recorded += 1;
            self.log(|| Event::Recorded { key, sat: record.is_sat() });
        }
        self.stats.add(Stage::Record, start.elapsed());
    }
}
