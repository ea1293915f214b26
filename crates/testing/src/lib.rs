//! Development only: what the tests of the other crates share.

pub mod attack;
pub mod corpus;
pub mod heap_subjects;
pub mod java;
pub mod java_objects;
pub mod queries;
pub mod random;
pub mod redis;
pub mod tools;
