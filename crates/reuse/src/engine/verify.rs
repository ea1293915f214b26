//! Verify: evidence in records whose origin is not trusted; and evidence for records that others may not trust.

use super::native::EFFORT;
use super::{Engine, Part};
use crate::record::{Record, RecordedVerdict};
use crate::stats::Stage;
use crate::translate;
use crate::trust::{over_all_rows, used_rows};
use evergreen_canon::{Compare, KeyBytes};
use evergreen_lia::{Answer, Certificate, Op, Row};
use evergreen_store::Key;
use evergreen_term::{Model, Terms};
use std::time::Instant;

/// Why a record is not used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Refused {
    /// It does not hold for the query it was found for.
    Wrong,
    /// Nothing in it can be checked, and its origin is not trusted.
    Unproved,
}

impl Engine {
    /// Checks the evidence of a record. What it says beyond that is replaced by what the evidence says.
    pub(super) fn verify(
        &mut self,
        terms: &mut Terms,
        part: &Part,
        record: &mut Record,
    ) -> Result<(), Refused> {
        match &mut record.verdict {
            RecordedVerdict::Sat(None) => Err(Refused::Unproved),
            RecordedVerdict::Sat(Some(values)) => {
                let mut own = Model::new();
                translate::from_leaves(terms, &part.canonical, values, &mut own).ok_or(Refused::Wrong)?;
                match self.evaluate(terms, &own, &part.constraints) {
                    Some(true) => Ok(()),
                    Some(false) => Err(Refused::Wrong),
                    None => Err(Refused::Unproved),
                }
            }
            RecordedVerdict::Unsat { certificate: None, .. } => Err(Refused::Unproved),
            RecordedVerdict::Unsat { core, certificate: Some(certificate) } => {
                let start = Instant::now();
                let proved = self.proved_core(terms, part, certificate);
                self.stats.add(Stage::Check, start.elapsed());
                // The recorded core was not checked; the rows that the proof uses are one.
                *core = Some(proved.ok_or(Refused::Wrong)?);
                Ok(())
            }
        }
    }

    /// The core that a certificate proves for a part; `None` when it proves nothing.
    fn proved_core(&self, terms: &Terms, part: &Part, bytes: &[u8]) -> Option<Vec<u32>> {
        let certificate = Certificate::decode(bytes)?;
        let rows: Vec<Row> = self.canonizer.rows(terms, &part.canonical)?.into_iter().map(row).collect();
        evergreen_lia::check(&rows, &certificate).ok()?;
        Some(used_rows(&certificate, rows.len()))
    }

    /// An unsatisfiable verdict about a part, with a certificate where the native core can give one.
    pub(super) fn with_evidence(
        &self,
        terms: &Terms,
        part: &Part,
        core: Option<Vec<u32>>,
        certificate: Option<Vec<u8>>,
    ) -> RecordedVerdict {
        let unproved = |core, certificate| RecordedVerdict::Unsat { core, certificate };
        if certificate.is_some() || !self.options.native {
            return unproved(core, certificate);
        }
        match self.prove(terms, part) {
            Some((core, certificate)) => unproved(Some(core), Some(certificate.encode())),
            None => unproved(core, None),
        }
    }

    /// A proof that a part is unsatisfiable, over all constraints of its form, and the ones that it uses.
    fn prove(&self, terms: &Terms, part: &Part) -> Option<(Vec<u32>, Certificate)> {
        let rows: Vec<Row> = self.canonizer.rows(terms, &part.canonical)?.into_iter().map(row).collect();
        match evergreen_lia::solve(&rows, EFFORT) {
            Answer::Unsat { core, certificate: Some(certificate) } => {
                let whole = over_all_rows(certificate, &core, rows.len());
                Some((core, whole))
            }
            _ => None,
        }
    }

    /// Lets the layers on this machine have a record that was verified.
    pub(super) fn confirm(&mut self, key: &KeyBytes, record: &Record) {
        let start = Instant::now();
        if let Some(store) = &self.store {
            // A failing store reports its own trouble; the answer stands.
            let _ = store.confirm(&Key(*key), &record.encode());
        }
        self.stats.add(Stage::Record, start.elapsed());
    }
}

/// A canonical row in the checker's words.
fn row(row: evergreen_canon::Row<u32>) -> Row {
    let op = match row.compare {
        Compare::Le => Op::Le,
        Compare::Eq => Op::Eq,
        Compare::Ne => Op::Ne,
    };
    Row { op, terms: row.terms, constant: row.constant }
}
