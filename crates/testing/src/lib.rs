//! Development only: shared code of the tests of the other crates.

pub mod attack;
pub mod cloud;
pub mod corpus;
pub mod github;
pub mod heap_subjects;
pub mod java;
pub mod java_objects;
pub mod manual;
pub mod proxy;
pub mod queries;
pub mod redis;
pub mod tools;
pub mod wait;

/// Seeded streams of numbers.
pub mod random {
    pub use evergreen_structures::{Random, Xorshift};
}
