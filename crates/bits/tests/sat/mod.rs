//! The SAT solver and its proofs: against brute force over all assignments, and proofs against a checker of
//! another kind.

mod circuits;
mod cnf;
mod mutants;
mod proofs;
mod slow;
mod solver;
mod words;
