//! Tests of the engine crate: real C programs, modules as text, damaged modules.

mod common;
mod functions;
mod harness;
mod mutants;
mod natives;
mod probes;
mod programs;
mod reference;
