//! The tests of this crate in one program: linked once, and its tests run beside each other.

mod exploration;
mod later;
mod seeds;
mod share;
mod toy;
