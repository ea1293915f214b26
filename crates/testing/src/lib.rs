//! Dev only: fixtures, generators, real servers and tools for the tests.

pub mod queries;
pub mod random;
