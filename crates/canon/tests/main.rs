//! The tests of this crate in one program: linked once, and its tests run beside each other.

mod named;
mod rewriting;
mod scramble;
mod strict;
