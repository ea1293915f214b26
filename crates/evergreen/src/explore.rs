//! Exploration of programs, with every question about an arm answered by the reuse layer.

mod assume;
mod compile;
mod near;
mod oracle;
mod program;
mod shrink;
mod side;

pub use assume::{AssumeError, assume};
pub use oracle::{BranchOracle, Maker, Trouble};
pub use program::{MethodRef, Program, ProgramError};
pub use shrink::shrink;

pub use evergreen_explore::*;

/// Symbolic values and conditions.
pub mod symbolic {
    pub use evergreen_symbolic::*;
}
