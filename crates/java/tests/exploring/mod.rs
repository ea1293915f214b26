//! What the tests of explorations share.

pub(crate) mod heaps;
pub(crate) mod seeding;
pub(crate) mod truth;
