//! The tests of this crate in one program: linked once, and its tests run beside each other.

mod bad_input;
mod bench_count;
mod bench_reuse;
mod ci;
mod clients;
mod common;
mod count;
mod diff;
mod explore;
mod explore_bad_input;
mod explore_draw;
mod explore_jobs;
mod heap_study;
mod interactive;
mod many_processes;
mod poison;
mod probability;
mod redis_dies;
mod shims;
mod stored;
mod streams;
mod study;
mod suite;
mod versions;
mod work;
