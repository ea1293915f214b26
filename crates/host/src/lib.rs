//! The edges of a program: the terminal, Markdown files, signals, temporary folders and the memory of the
//! process.
//!
//! The commands `evergreen` and `evergreen-lab` share it. It knows nothing of solving: a store that a signal
//! has to flush is a closure here.

pub mod interrupt;
pub mod markdown;
pub mod memory;
pub mod say;
pub mod scratch;
mod time;

pub use time::time;
