//! Certificates that constraints over bit vectors and arrays have no model, and their checker.
//!
//! Answers are stored under the byte form of a query, which describes its constraints completely and without
//! names (docs/key-format.md). A certificate names constraints by their position in the form, and the checker
//! works on the form's bytes: queries with one key have one form, so a certificate that one user wrote is a
//! certificate for all of them.
//!
//! There are two kinds (docs/certificate-format.md). Either some constraints leave no value to a leaf of at
//! most eight bits, which evaluation shows; or the clauses of some constraints have a proof in
//! [`lrat`](crate::lrat) that they contradict each other. The clauses are made by a small translator that
//! only certificates use: it does not have to be fast, it has to be right.

mod blast;
mod certificate;
mod check;
mod circuits;
mod form;
mod gates;
mod lanes;
mod search;
mod values;
mod varint;
mod word;

pub use certificate::{MOST_BYTES, VERSION};
pub use check::{Flaw, MOST_CLAUSES, check, check_with, positions};
pub use form::{FORM_VERSION, Tables, WIDEST};
pub use lanes::WIDEST_LEAF;
pub use search::{Attempt, Effort, Proved, prove, prove_with};
