//! The sums over all methods, with what only the command has; and their words.

use super::suite::Told;
use evergreen::Answered;
use evergreen_java::replay::Coverage;
use std::ops::{Deref, DerefMut};

pub use evergreen_java::Explored;

/// The sources of answers, in words: the numbers add up.
pub fn in_words(answered: &Answered) -> String {
    let open = match answered.open() {
        0 => String::new(),
        n => format!(", {n} undecided"),
    };
    format!("{} answered without a solver, {} solved{open}", answered.without_solver(), answered.solved())
}

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

impl Totals {
    /// How the arms at branches were decided, in words: the numbers add up.
    pub fn arms_in_words(&self) -> String {
        let left_out = match self.left_out() {
            0 => String::new(),
            n => format!(", {n} left out"),
        };
        format!(
            "{} arms at branches: {} needed no question{left_out}, {} asked: {}",
            self.queries,
            self.unasked(),
            self.asked.total(),
            in_words(&self.asked)
        )
    }
}
