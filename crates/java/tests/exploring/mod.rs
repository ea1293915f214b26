//! What the tests of explorations share.

pub mod heaps;
pub mod seeding;
pub mod truth;
