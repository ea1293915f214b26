//! The checker: constraints with an accepted certificate have no model, whatever the source of the
//! certificate.
//!
//! What has to be right: the reader of the form, and for values the evaluation of one function at a time
//! (`word.rs`, `lanes.rs`), for clauses the circuits (`gates.rs`, `circuits.rs`, `blast.rs`) and the checker
//! of proofs ([`crate::lrat`]). No search and no solver is among them. All work is bounded.

use super::blast::{Unblasted, blast};
use super::certificate::{Certificate, Step};
use super::form::{Form, NodeId, Tables};
use super::lanes::{Facts, Lanes, Work};
use crate::lrat::{self, Proof};
use std::fmt;

/// The most clauses that the constraints of a certificate may have.
pub const MOST_CLAUSES: usize = 200_000;

/// The most values of nodes that are computed for one certificate.
const MOST_VALUES: u64 = 4_000_000;

/// Why a certificate is not accepted.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Flaw {
    /// The form has something that is not known here.
    Form,
    /// The bytes are no certificate.
    Malformed,
    /// A constraint that the form or the core does not have.
    Position {
        /// The number in the certificate.
        position: u32,
    },
    /// A constraint about something outside of bit vectors and arrays of them.
    Outside,
    /// A step about a leaf that is too wide, has a value already, or is none.
    Leaf {
        /// The number of the step.
        step: usize,
    },
    /// A step that leaves its leaf more values than it may.
    Left {
        /// The number of the step.
        step: usize,
        /// How many.
        values: usize,
    },
    /// The proof over the clauses does not hold.
    Proof(lrat::Flaw),
    /// No proof, and no constraint is false by itself.
    Unproved,
    /// It takes more steps or clauses than a check may.
    TooMuch,
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Flaw::Form => f.write_str("the query has no form that certificates can refer to"),
            Flaw::Malformed => f.write_str("the bytes are no certificate"),
            Flaw::Position { position } => write!(f, "constraint {position} is not one of the core"),
            Flaw::Outside => f.write_str("a constraint is not about bit vectors"),
            Flaw::Leaf { step } => write!(f, "step {step}: not a narrow leaf without a value"),
            Flaw::Left { step, values } => write!(f, "step {step}: {values} values are left"),
            Flaw::Proof(flaw) => flaw.fmt(f),
            Flaw::Unproved => f.write_str("no proof, and no constraint is false by itself"),
            Flaw::TooMuch => f.write_str("the certificate takes more work than a check may"),
        }
    }
}

impl std::error::Error for Flaw {}

impl From<Unblasted> for Flaw {
    fn from(why: Unblasted) -> Flaw {
        match why {
            Unblasted::Outside => Flaw::Outside,
            Unblasted::TooLarge => Flaw::TooMuch,
        }
    }
}

/// Whether a certificate proves that constraints of a form have no common model: those at the positions of
/// `core` (ascending), or all. The constraints that the certificate uses have to be among them.
pub fn check(form: &[u8], core: Option<&[u32]>, certificate: &[u8]) -> Result<(), Flaw> {
    check_with(form, &|_| None, core, certificate)
}

/// [`check`] for a form with tables.
pub fn check_with(
    form: &[u8],
    tables: Tables<'_>,
    core: Option<&[u32]>,
    certificate: &[u8],
) -> Result<(), Flaw> {
    let certificate = Certificate::decode(certificate).ok_or(Flaw::Malformed)?;
    let form = Form::read(form, tables).ok_or(Flaw::Form)?;
    check_read(&form, core, &certificate)
}

/// [`check`] after reading.
pub(super) fn check_read(form: &Form, core: Option<&[u32]>, certificate: &Certificate) -> Result<(), Flaw> {
    for position in certificate.positions() {
        let is_there = (position as usize) < form.constraints().len();
        if !is_there || core.is_some_and(|core| core.binary_search(&position).is_err()) {
            return Err(Flaw::Position { position });
        }
    }
    match certificate {
        Certificate::Values(steps) => check_values(form, steps),
        Certificate::Lrat { positions, proof } => check_clauses(form, positions, proof),
    }
}

/// The positions of the constraints that a certificate is about, ascending; `None` for bytes that are none.
pub fn positions(certificate: &[u8]) -> Option<Vec<u32>> {
    Certificate::decode(certificate).map(|certificate| certificate.positions())
}

/// The nodes of constraints; the caller has checked that the positions exist.
pub(super) fn nodes(form: &Form, positions: &[u32]) -> Vec<NodeId> {
    positions.iter().map(|&p| form.constraints()[p as usize]).collect()
}

/// Each step leaves its leaf one value, which is known from then on, and the last one none.
fn check_values(form: &Form, steps: &[Step]) -> Result<(), Flaw> {
    let mut facts = Facts::default();
    let mut work = Work(MOST_VALUES);
    for (number, step) in steps.iter().enumerate() {
        let constraints = nodes(form, &step.positions);
        let others: Vec<NodeId> = constraints.into_iter().filter(|c| !facts.learn(form, *c)).collect();
        let is_leaf = (step.leaf.0 as usize) < form.len();
        let lanes = if is_leaf { Lanes::new(form, &facts, step.leaf) } else { None };
        let mut lanes = lanes.ok_or(Flaw::Leaf { step: number })?;
        let mut left = lanes.all();
        for constraint in others {
            left.meet(&lanes.left(constraint, &mut work).map_err(|_| Flaw::TooMuch)?);
        }
        let is_last = number + 1 == steps.len();
        match (is_last, left.only(), left.count()) {
            (true, _, 0) => return Ok(()),
            (false, Some(value), _) => facts.fix(step.leaf, value),
            (_, _, values) => return Err(Flaw::Left { step: number, values }),
        }
    }
    Err(Flaw::Malformed)
}

fn check_clauses(form: &Form, positions: &[u32], proof: &[u8]) -> Result<(), Flaw> {
    let clauses = blast(form, &nodes(form, positions), MOST_CLAUSES)?;
    match (proof, clauses.false_at) {
        ([], Some(_)) => Ok(()),
        ([], None) => Err(Flaw::Unproved),
        (proof, _) => {
            let proof = Proof::decode(proof).map_err(|_| Flaw::Malformed)?;
            lrat::check(clauses.gates.clauses(), &proof).map_err(Flaw::Proof)
        }
    }
}
