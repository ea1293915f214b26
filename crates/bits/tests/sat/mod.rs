//! The SAT solver and its proofs: against brute force over all assignments, and proofs against a checker of
//! another kind.

mod cnf;
mod mutants;
mod proofs;
mod slow;
mod solver;
