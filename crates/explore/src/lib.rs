//! Language-neutral exploration: a machine runs states and offers arms, an oracle says which arms are feasible.
//!
//! Nothing in here knows a programming language or a solver.

mod machine;
mod oracle;
mod path;

pub use machine::{Arm, Machine, Pause, Site};
pub use oracle::{Feasibility, Oracle};
pub use path::Path;
