//! The tests of this crate in one program: linked once, and its tests run beside each other.

mod barvinok;
mod brute_force;
mod common;
mod denumerants;
mod forms;
mod traps;
