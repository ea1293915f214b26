//! One program for all tests of this crate.

mod compiled;
mod damaged;
