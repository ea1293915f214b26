//! The tests of this crate in one program: linked once, and its tests run beside each other.

mod common;
mod coverage;
mod errors;
mod graphs;
mod junit;
mod replay;
mod subjects;
mod warm;
