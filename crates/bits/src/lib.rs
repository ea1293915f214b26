//! Decides conjunctions of constraints over bit vectors and arrays of bits, with evidence for both answers.
//!
//! A satisfiable query has a model, an unsatisfiable one a certificate that a checker without the solver
//! accepts. Efforts are counted in steps, so a query has the same answer on every machine.
//!
//! [`sat`] is the propositional core, [`lrat`] its proofs and their checker.

pub mod lrat;
pub mod sat;
