//! A small solver for propositional clauses.

mod lit;

pub use lit::{Lit, Var};
