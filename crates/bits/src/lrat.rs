//! Proofs that clauses contradict each other, and their checker.
