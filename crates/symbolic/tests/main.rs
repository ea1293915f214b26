//! The tests of this crate in one program: linked once, and its tests run beside each other.

mod bounds;
mod bytes;
mod common;
mod folding;
mod math;
mod reference;
mod solving;
mod writing;
