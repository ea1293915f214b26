//! The search for certificates. Nothing here has to be trusted: what is found goes through the checker.

use super::blast::blast;
use super::certificate::{Certificate, MOST_BYTES};
use super::check::{check_read, nodes};
use super::form::{Form, Tables};
use super::values;
use crate::lrat::Proof;
use crate::sat::{Budget, Logging, Outcome, Solver};

/// How hard a search tries. All of it is counted in steps, so that a certificate does not depend on the
/// machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effort {
    /// Values of nodes that are computed for all values of leaves.
    pub values: u64,
    /// Clauses of the constraints.
    pub clauses: usize,
    /// What the propositional solver may spend.
    pub budget: Budget,
}

impl Default for Effort {
    /// Every unsatisfiable query of the recorded C programs has a certificate with less.
    fn default() -> Effort {
        Effort { values: 400_000, clauses: 60_000, budget: Budget { conflicts: 500, steps: 4_000_000 } }
    }
}

/// A certificate, and what it is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proved {
    /// The positions of the constraints that it uses, ascending.
    pub core: Vec<u32>,
    /// Its bytes.
    pub certificate: Vec<u8>,
}

/// What came of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Attempt {
    /// The constraints have no model, and this shows it.
    Proved(Proved),
    /// All constraints of the form were looked at, and they have a model.
    Satisfiable,
    /// Neither: too much work, a certificate that is too large, something outside.
    Nothing,
}

/// Looks for a certificate that those constraints of a form at the positions of `core` have no common model.
pub fn prove(form: &[u8], core: &[u32], effort: Effort) -> Attempt {
    prove_with(form, &|_| None, core, effort)
}

/// [`prove`] for a form with tables.
pub fn prove_with(form: &[u8], tables: Tables<'_>, core: &[u32], effort: Effort) -> Attempt {
    let Some(form) = Form::read(form, tables) else { return Attempt::Nothing };
    let mut positions: Vec<u32> = core.to_vec();
    positions.sort_unstable();
    positions.dedup();
    // Without what is outside the others may still have no model.
    let usable =
        |p: &u32| form.constraints().get(*p as usize).is_some_and(|c| form.sort(*c).width() == Some(1));
    positions.retain(usable);
    if positions.is_empty() {
        return Attempt::Nothing;
    }
    if let Some(proved) = values::search(&form, &positions, effort.values).and_then(|c| finish(&form, c)) {
        return Attempt::Proved(proved);
    }
    match refute(&form, &positions, effort) {
        Refuted::By(certificate) => finish(&form, certificate).map_or(Attempt::Nothing, Attempt::Proved),
        Refuted::Not if positions.len() == form.constraints().len() => Attempt::Satisfiable,
        Refuted::Not | Refuted::Open => Attempt::Nothing,
    }
}

/// Checks a certificate and writes it.
fn finish(form: &Form, certificate: Certificate) -> Option<Proved> {
    let bytes = certificate.encode()?;
    let accepted = check_read(form, None, &certificate);
    debug_assert_eq!(accepted, Ok(()), "the search found a wrong certificate");
    accepted.ok()?;
    Some(Proved { core: certificate.positions(), certificate: bytes })
}

enum Refuted {
    By(Certificate),
    /// The clauses have a solution.
    Not,
    Open,
}

/// Proves clauses of constraints contradictory, then only those of the constraints that the proof used.
fn refute(form: &Form, positions: &[u32], effort: Effort) -> Refuted {
    let mut positions = positions.to_vec();
    let mut best = None;
    let mut solver = Solver::new(Logging::Lrat);
    // Each round has a smaller core, or ends; more rounds than these gain little.
    for _ in 0..3 {
        let Ok(clauses) = blast(form, &nodes(form, &positions), effort.clauses) else { break };
        if let Some(at) = clauses.false_at {
            return Refuted::By(Certificate::Lrat {
                positions: vec![positions[at as usize]],
                proof: Vec::new(),
            });
        }
        solver.clear();
        for clause in clauses.gates.clauses().iter() {
            solver.add_clause(clause);
        }
        let mut budget = effort.budget;
        match solver.solve(&[], &mut budget) {
            Outcome::Sat if clauses.is_partial => return Refuted::Open,
            Outcome::Sat => return Refuted::Not,
            Outcome::Spent => break,
            Outcome::Unsat => {}
        }
        let Some(proof) = solver.proof() else { break };
        let used = used(&proof, &clauses.asserted, &positions);
        let Some(bytes) = proof.encode() else {
            if used.len() == positions.len() {
                break;
            }
            positions = used;
            continue;
        };
        if bytes.len() < MOST_BYTES {
            best = Some(Certificate::Lrat { positions: positions.clone(), proof: bytes });
        }
        if used.len() == positions.len() {
            break;
        }
        positions = used;
    }
    best.map_or(Refuted::Open, Refuted::By)
}

/// The positions of the constraints whose clauses a proof names.
fn used(proof: &Proof, asserted: &[(u32, u32)], positions: &[u32]) -> Vec<u32> {
    let originals = proof.originals();
    let named = asserted.iter().filter(|(clause, _)| originals.binary_search(clause).is_ok());
    named.map(|(_, place)| positions[*place as usize]).collect()
}
