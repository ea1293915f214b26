//! One program for all tests of this crate.

mod modules;
mod native;
mod objects;
mod subjects;
