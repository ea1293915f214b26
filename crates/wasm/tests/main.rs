//! The machine against a real engine, the official test suite, native programs and its own models.

mod common;
mod exactness;
mod findings;
mod floats;
mod generated;
mod models;
mod mutants;
mod numeric;
mod programs;
mod replays;
mod spec;
mod wasi;
