//! The tests of this crate in one program: linked once, and its tests run beside each other.

mod sets;
mod undecided;
