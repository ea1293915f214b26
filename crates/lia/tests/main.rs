//! The tests of this crate in one program: linked once, and its tests run beside each other.

mod attack;
mod check;
mod decide;
mod differential;
mod encode;
mod harness;
mod incremental;
mod support;
