//! Tests of the reuse engine, in one program.

mod certificates;
mod cores;
mod ladder;
mod refutations;
mod rungs;
