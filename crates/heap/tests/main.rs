//! The tests of this crate in one program: linked once, and its tests run beside each other.

mod common;
mod complete;
mod counts;
mod equivalence;
mod ground;
mod language;
mod lazy;
