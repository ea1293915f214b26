//! The tests of this crate in one program.

// The second front end and its programs are those of the service's tests.
#[path = "../../service/tests/programs.rs"]
#[allow(dead_code, reason = "the service's tests use more of it")]
mod programs;
#[path = "../../service/tests/toy/mod.rs"]
#[allow(dead_code, reason = "the service's tests use more of it")]
mod toy;
mod two_workers;
