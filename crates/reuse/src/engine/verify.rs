//! Verify: models by evaluation, and the evidence in records whose origin is not trusted.

use super::{Engine, Part};
use crate::native;
use crate::record::{Record, RecordedVerdict};
use crate::stats::Stage;
use crate::translate;
use evergreen_bits::proof::{self, Attempt};
use evergreen_canon::KeyBytes;
use evergreen_lia::{Answer, Certificate, Effort, Row};
use evergreen_store::{Key, Origin};
use evergreen_term::{Completion, Evaluator, Model, TermId, Terms, Value};
use std::time::Instant;

/// Why a record is not used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Refused {
    /// It does not hold for the query it was found for.
    Wrong,
    /// Nothing in it can be checked, and its origin is not trusted.
    Unproved,
}

/// What a native core says about an unsatisfiable part.
pub(crate) enum Certified {
    /// The constraints of a core, by position in the form, and a proof over them that the checker has
    /// accepted.
    Proof { core: Vec<u32>, certificate: Vec<u8> },
    /// Nothing: neither linear nor about bit vectors, or too hard.
    No,
    /// That it is satisfiable.
    Contradiction,
}

/// How hard the native core of linear rows tries to find a proof.
const EFFORT: Effort = Effort { pivots: 500, splits: 100 };

impl Engine {
    /// Checks the evidence of a record.
    pub(crate) fn verify(&mut self, terms: &mut Terms, part: &Part, record: &Record) -> Result<(), Refused> {
        match &record.verdict {
            RecordedVerdict::Sat(None) | RecordedVerdict::Count(_) => Err(Refused::Unproved),
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
                let proved = self.proves(terms, part, core.as_deref(), certificate);
                self.stats.add(Stage::Check, start.elapsed());
                proved.ok_or(Refused::Wrong)
            }
        }
    }

    /// Whether constraints hold under a model; `None` when some cannot be evaluated and none is false.
    pub(crate) fn holds(&mut self, terms: &Terms, model: &Model, constraints: &[TermId]) -> Option<bool> {
        if self.options.check { self.evaluate(terms, model, constraints) } else { None }
    }

    /// As [`Engine::holds`], whether checking is on or not.
    pub(crate) fn evaluate(&mut self, terms: &Terms, model: &Model, constraints: &[TermId]) -> Option<bool> {
        let start = Instant::now();
        let mut evaluator = Evaluator::new(terms, model).completing(Completion::Default);
        let mut all = Some(true);
        for &c in constraints {
            if let Some(holds) = self.canonizer.table(terms, c).and_then(|table| table.holds(model)) {
                if holds {
                    continue;
                }
                all = Some(false);
                break;
            }
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

    /// Whether a certificate proves that a part, or a core of it, is unsatisfiable. Its first byte says which
    /// checker is to decide that.
    fn proves(&self, terms: &Terms, part: &Part, core: Option<&[u32]>, certificate: &[u8]) -> Option<()> {
        if !part.canonical.is_traced {
            return None;
        }
        if certificate.first() == Some(&proof::VERSION) {
            return proof::check_with(&part.canonical.form, &cells_of(part), core, certificate).ok();
        }
        let certificate = Certificate::decode(certificate)?;
        let rows = self.rows(terms, part)?;
        let rows: Vec<Row> = match core {
            None => rows,
            Some(core) => core.iter().map(|&c| rows.get(c as usize).cloned()).collect::<Option<_>>()?,
        };
        evergreen_lia::check(&rows, &certificate).ok()
    }

    fn rows(&self, terms: &Terms, part: &Part) -> Option<Vec<Row>> {
        Some(self.canonizer.rows(terms, &part.canonical)?.into_iter().map(row).collect())
    }

    /// Whether other parties can write where this engine reads, or no origin is trusted.
    pub(crate) fn is_exposed(&self) -> bool {
        self.store.as_ref().is_some_and(|store| !self.options.trust.trusts(store.origin()))
    }

    /// Whether others read what this engine records, or it will itself ask for evidence.
    pub(crate) fn is_shared(&self) -> bool {
        let networked = self.store.as_ref().is_some_and(|store| store.origin() == Origin::Network);
        networked || self.is_exposed()
    }

    /// Looks for a proof that a part is unsatisfiable. Someone else has said that it is: the native core is
    /// an independent opinion, and what it contradicts is not recorded. `suspects` are constraints, by
    /// position in the form, that are unsatisfiable together as far as anyone knows.
    pub(crate) fn certify(&mut self, terms: &Terms, part: &Part, suspects: Option<&[u32]>) -> Certified {
        if !part.canonical.is_traced {
            return Certified::No;
        }
        let start = Instant::now();
        let rows = self.canonizer.rows(terms, &part.canonical);
        let certified = match rows {
            Some(rows) if rows.iter().all(native::is_tame) => {
                prove(&rows.into_iter().map(row).collect::<Vec<Row>>())
            }
            Some(_) => Certified::No,
            None => prove_bits(part, suspects),
        };
        self.stats.add(Stage::Check, start.elapsed());
        certified
    }

    /// Lets the layers on this machine have a record that was verified.
    pub(crate) fn confirm(&mut self, key: &KeyBytes, record: &Record) {
        let start = Instant::now();
        if let Some(store) = &self.store {
            // A failing store reports its own trouble; the answer stands.
            let _ = store.confirm(&Key(*key), &record.encode());
        }
        self.stats.add(Stage::Record, start.elapsed());
    }
}

/// A proof over rows that the checker accepts.
fn prove(rows: &[Row]) -> Certified {
    match evergreen_lia::solve(rows, EFFORT) {
        Answer::Unsat { core, certificate: Some(certificate) } => {
            let blamed: Option<Vec<Row>> = core.iter().map(|&c| rows.get(c as usize).cloned()).collect();
            let accepted = blamed.is_some_and(|rows| evergreen_lia::check(&rows, &certificate).is_ok());
            match accepted {
                true => Certified::Proof { core, certificate: certificate.encode() },
                false => Certified::No,
            }
        }
        Answer::Sat(_) => Certified::Contradiction,
        _ => Certified::No,
    }
}

/// The cells of the tables of a part, by their digests.
fn cells_of(part: &Part) -> impl Fn(&[u8; 32]) -> Option<Vec<(u64, u64)>> + '_ {
    |digest| part.canonical.tables.iter().find(|table| table.digest() == digest)?.words()
}

/// A proof over bit vectors that the checker accepts: of the suspects, or of the whole part where these are
/// not enough.
fn prove_bits(part: &Part, suspects: Option<&[u32]>) -> Certified {
    let all: Vec<u32> = (0..part.canonical.constraints.len() as u32).collect();
    let suspects = suspects.filter(|core| core.len() < all.len());
    for core in suspects.into_iter().chain([&all[..]]) {
        match proof::prove_with(&part.canonical.form, &cells_of(part), core, proof::Effort::default()) {
            Attempt::Proved(proved) => {
                return Certified::Proof { core: proved.core, certificate: proved.certificate };
            }
            // Only said of all constraints together.
            Attempt::Satisfiable => return Certified::Contradiction,
            Attempt::Nothing => {}
        }
    }
    Certified::No
}

/// A canonical row in the checker's words.
fn row(row: evergreen_canon::Row<u32>) -> Row {
    Row { op: native::op(row.compare), terms: row.terms, constant: row.constant }
}
