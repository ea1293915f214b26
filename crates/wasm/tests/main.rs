//! The machine against a real engine, the official test suite, native programs and its own models.

mod common;
mod generated;
mod numeric;
mod programs;
mod spec;
