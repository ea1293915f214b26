//! Exploration of programs, with every question about an arm answered by the reuse layer.

mod oracle;
mod shrink;
mod side;

pub use oracle::{BranchOracle, Maker, Trouble};
pub use shrink::shrink;

pub use evergreen_explore::*;

/// Symbolic values and conditions.
pub mod symbolic {
    pub use evergreen_symbolic::*;
}
