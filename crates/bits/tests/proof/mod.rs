//! Certificates: every function against evaluation, random conjunctions against brute force, mutants, bytes.

mod bytes;
mod mutants;
mod operators;
mod queries;
mod random;

use evergreen_bits::proof::{Attempt, Effort, prove};
use evergreen_bits::sat::Budget;
use evergreen_canon::{Canonical, Canonizer, Mode};
use evergreen_term::{TermId, Terms};

/// Evaluation alone.
const VALUES: Effort = Effort { values: 10_000_000, clauses: 0, budget: Budget { conflicts: 0, steps: 0 } };
/// Clauses alone.
const CLAUSES: Effort = Effort { values: 0, clauses: 200_000, budget: Budget::UNBOUNDED };

fn canonize(terms: &Terms, constraints: &[TermId]) -> Canonical {
    Canonizer::new(Mode::Full).canonize(terms, constraints)
}

/// All constraints of a form.
fn all(canonical: &Canonical) -> Vec<u32> {
    (0..canonical.constraints.len() as u32).collect()
}

fn attempt(terms: &Terms, constraints: &[TermId], effort: Effort) -> Attempt {
    let canonical = canonize(terms, constraints);
    prove(&canonical.form, &all(&canonical), effort)
}
