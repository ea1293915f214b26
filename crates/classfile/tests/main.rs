//! The tests of this crate in one program: linked once, and its tests run beside each other.

mod differential;
mod garbage;
mod handmade;
mod mutants;
mod path;
mod probes;
mod support;
