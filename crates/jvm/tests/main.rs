//! The tests of this crate in one program: linked once, and its tests run beside each other.

mod common;
mod corpus;
mod damaged;
mod generated;
mod guided;
mod heap_jdk;
mod heap_rep_ok;
mod heap_theorems;
mod lazy;
mod lazy_kinds;
mod machine;
mod natives;
mod strings;
mod subroutines;
mod symbolic;
