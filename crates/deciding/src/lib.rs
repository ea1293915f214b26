//! How the arms of a branch are decided, for programs of every language.
//!
//! A machine offers arms with conditions on inputs ([`evergreen_explore::Machine`]). [`BranchOracle`] answers
//! whether an arm is feasible: it writes the conditions in one of two theories, asks the reuse layer, and
//! evaluates every model on the conditions themselves. The inputs of a path are *settled*: they depend on the
//! path alone, not on caches or threads. [`shrink`] makes the inputs of a finding small, [`assume`] reads
//! conditions that a user writes, and [`probability`] counts how likely paths are and what they leak.
//!
//! This crate knows no language and runs no program.

mod assume;
mod excluded;
mod oracle;
mod others;
pub mod probability;
mod ranges;
mod scattered;
mod search;
mod sets;
mod settle;
mod shrink;
mod side;
mod tries;

pub use assume::{AssumeError, assume};
pub use excluded::Excluded;
pub use oracle::{BranchOracle, Maker, Trouble, answered, answerer};
pub use shrink::shrink;
