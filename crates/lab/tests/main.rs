//! The tests of this crate in one program: linked once, and its tests run beside each other.

mod bench_bits;
mod bench_count;
mod bench_reuse;
mod clients;
mod common;
mod duel;
mod edits;
mod heap_study;
mod interrupted;
mod jars;
mod manual;
mod papers_bliss;
mod papers_green;
mod streams;
mod study;
mod svcomp;
mod versions;
