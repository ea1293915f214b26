//! The sums over all methods, with what only the command has.

use super::suite::Told;
use evergreen_java::replay::Coverage;
use std::ops::{Deref, DerefMut};

pub use evergreen_java::Explored;

/// The sums of a run, and what the command adds to them.
#[derive(Clone, Default)]
pub struct Totals {
    /// The sums.
    pub sums: evergreen_java::Totals,
    /// What replayed tests cover.
    pub coverage: Option<Coverage>,
    /// Structures that were drawn, and those that were too many.
    pub drawn: (u64, u64),
    /// What changed in the suite, if one is kept.
    pub suite: Option<Told>,
}

impl Deref for Totals {
    type Target = evergreen_java::Totals;

    fn deref(&self) -> &evergreen_java::Totals {
        &self.sums
    }
}

impl DerefMut for Totals {
    fn deref_mut(&mut self) -> &mut evergreen_java::Totals {
        &mut self.sums
    }
}
