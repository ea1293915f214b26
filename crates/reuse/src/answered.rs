//! What answered: each question is counted under exactly one answerer.
//!
//! A question may be cut into parts that different rungs answer, and each part that is solved is a call of a
//! solver: those counters say what the rungs cost and gave, and do not add up to the questions. These do:
//! [`Answered::total`] *is* the number of questions.

use crate::ladder::Rung;

/// What answered a question.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum AnsweredBy {
    /// The path that it was asked on: it has the constraint already.
    Path,
    /// Another process, whose answer was accepted.
    Elsewhere,
    /// The values that the path leaves its single bytes: one of them fits, or none.
    Sets,
    /// A rung of the ladder, without a solver; of a question with several parts the last rung that was
    /// needed.
    Rung(Rung),
    /// The counter, for a number of solutions.
    Counter,
    /// A solver.
    Solver,
    /// Values that were tried where nothing else has an answer: one of them fits or, of few, none.
    Tried,
    /// Nothing: only reuse was allowed, and it did not suffice.
    Missing,
    /// Nothing, for another reason.
    Unknown,
}

/// What comes before the ladder.
const BEFORE: [AnsweredBy; 3] = [AnsweredBy::Path, AnsweredBy::Elsewhere, AnsweredBy::Sets];
/// What comes after it.
const AFTER: [AnsweredBy; 5] =
    [AnsweredBy::Counter, AnsweredBy::Solver, AnsweredBy::Tried, AnsweredBy::Missing, AnsweredBy::Unknown];

impl AnsweredBy {
    /// Everything that can answer: the path, other processes, sets of values, the rungs in their order, and
    /// what is beyond the ladder.
    pub const ALL: [AnsweredBy; BEFORE.len() + Rung::ALL.len() + AFTER.len()] = {
        let mut all = [AnsweredBy::Unknown; BEFORE.len() + Rung::ALL.len() + AFTER.len()];
        let mut place = 0;
        while place < all.len() {
            all[place] = if place < BEFORE.len() {
                BEFORE[place]
            } else if place < BEFORE.len() + Rung::ALL.len() {
                AnsweredBy::Rung(Rung::ALL[place - BEFORE.len()])
            } else {
                AFTER[place - BEFORE.len() - Rung::ALL.len()]
            };
            place += 1;
        }
        all
    };

    /// The place in [`AnsweredBy::ALL`].
    pub fn index(self) -> usize {
        let after = BEFORE.len() + Rung::ALL.len();
        match self {
            AnsweredBy::Path => 0,
            AnsweredBy::Elsewhere => 1,
            AnsweredBy::Sets => 2,
            AnsweredBy::Rung(rung) => BEFORE.len() + rung as usize,
            AnsweredBy::Counter => after,
            AnsweredBy::Solver => after + 1,
            AnsweredBy::Tried => after + 2,
            AnsweredBy::Missing => after + 3,
            AnsweredBy::Unknown => after + 4,
        }
    }

    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            AnsweredBy::Path => "path",
            AnsweredBy::Elsewhere => "elsewhere",
            AnsweredBy::Sets => "sets",
            AnsweredBy::Rung(rung) => rung.name(),
            AnsweredBy::Counter => "counter",
            AnsweredBy::Solver => "solver",
            AnsweredBy::Tried => "tried",
            AnsweredBy::Missing => "missing",
            AnsweredBy::Unknown => "unknown",
        }
    }

    /// Whether there is an answer.
    pub fn is_answer(self) -> bool {
        !matches!(self, AnsweredBy::Missing | AnsweredBy::Unknown)
    }
}

/// Questions, counted by what answered them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Answered([u64; AnsweredBy::ALL.len()]);

impl Answered {
    /// Counts one question.
    pub fn count(&mut self, by: AnsweredBy) {
        self.add(by, 1);
    }

    /// Counts several.
    pub fn add(&mut self, by: AnsweredBy, questions: u64) {
        let sum = &mut self.0[by.index()];
        *sum = sum.saturating_add(questions);
    }

    /// Questions that this one answered.
    pub fn by(&self, by: AnsweredBy) -> u64 {
        self.0[by.index()]
    }

    /// All questions.
    pub fn total(&self) -> u64 {
        self.0.iter().fold(0, |sum, more| sum.saturating_add(*more))
    }

    /// Questions that were answered, and not by a solver.
    pub fn without_solver(&self) -> u64 {
        let free = AnsweredBy::ALL.into_iter().filter(|by| by.is_answer() && *by != AnsweredBy::Solver);
        free.fold(0, |sum, by| sum.saturating_add(self.by(by)))
    }

    /// Questions that a solver answered.
    pub fn solved(&self) -> u64 {
        self.by(AnsweredBy::Solver)
    }

    /// Questions without an answer.
    pub fn open(&self) -> u64 {
        self.by(AnsweredBy::Missing).saturating_add(self.by(AnsweredBy::Unknown))
    }

    /// Each answerer, and how many questions it answered.
    pub fn iter(&self) -> impl Iterator<Item = (AnsweredBy, u64)> {
        AnsweredBy::ALL.into_iter().zip(self.0)
    }

    /// Adds the questions of another run.
    pub fn add_all(&mut self, other: &Answered) {
        self.0.iter_mut().zip(other.0).for_each(|(sum, more)| *sum = sum.saturating_add(more));
    }

    /// The questions since `earlier`, which this has grown from.
    pub fn since(&self, earlier: &Answered) -> Answered {
        let mut since = *self;
        since.0.iter_mut().zip(earlier.0).for_each(|(sum, old)| *sum = sum.saturating_sub(old));
        since
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_answerer_has_a_place_and_a_name() {
        let mut all = Answered::default();
        for (place, by) in AnsweredBy::ALL.into_iter().enumerate() {
            assert_eq!(by.index(), place);
            all.count(by);
        }
        assert!(Rung::ALL.iter().all(|rung| AnsweredBy::ALL.contains(&AnsweredBy::Rung(*rung))));
        let names: std::collections::BTreeSet<&str> = AnsweredBy::ALL.iter().map(|by| by.name()).collect();
        assert_eq!(names.len(), AnsweredBy::ALL.len());
        assert_eq!(all.total(), AnsweredBy::ALL.len() as u64);
        assert_eq!(all.total(), all.without_solver() + all.solved() + all.open());
    }
}
