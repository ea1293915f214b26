//! Questions and answers, as values.

use crate::answered::AnsweredBy;
use crate::ladder::Rung;
use evergreen_term::{Model, TermId};

/// What is asked of a query. A record that answers a harder question answers the easier ones too: a model
/// answers `Sat`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Question {
    /// Is it satisfiable?
    Sat,
    /// Is it satisfiable, and by what?
    Model,
    /// Is it satisfiable, and if not, because of which constraints?
    Core,
    /// For a new constraint on a path: is it satisfiable, and by which values of its slice? Laid over a model
    /// of the path they are a model of both. Of a whole query it asks what `Model` asks.
    Extension,
}

/// The outcome of a query.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Some interpretation satisfies every constraint.
    Sat,
    /// None does.
    Unsat,
    /// Not decided, and why. Never recorded.
    Unknown(String),
}

/// Where an answer came from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// Every part was decided by canonizing or found in the store.
    Reused,
    /// A solver was asked.
    Solved,
}

/// Constraints that are unsatisfiable together.
///
/// Never empty, and without a default: "no core is known" is `None` of an `Option<Core>`. Were an unknown
/// core the empty list, whatever a caller adds to it (the cells of an array that are still in a part, say)
/// would pass for a core.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Core(Vec<TermId>);

impl Core {
    /// A core of these constraints; `None` when there are none, which says nothing about any query.
    pub fn new(constraints: Vec<TermId>) -> Option<Core> {
        (!constraints.is_empty()).then_some(Core(constraints))
    }

    /// Its constraints, as a list.
    pub fn into_constraints(self) -> Vec<TermId> {
        self.0
    }
}

impl std::ops::Deref for Core {
    type Target = [TermId];

    fn deref(&self) -> &[TermId] {
        &self.0
    }
}

/// An answer.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Answer {
    /// The verdict.
    pub verdict: Verdict,
    /// For `Sat`: values for the symbols of the query. `None` when some part's model is not known.
    pub model: Option<Model>,
    /// For `Unsat`: a core, if one is known.
    pub core: Option<Core>,
    /// Where it came from.
    pub source: Source,
    /// What answered. The engine sets it when it counts the question.
    pub by: AnsweredBy,
}

impl Answer {
    pub(crate) fn reused(verdict: Verdict, model: Option<Model>, core: Option<Core>) -> Answer {
        let by = AnsweredBy::Rung(Rung::Trivial);
        Answer { verdict, model, core, source: Source::Reused, by }
    }

    pub(crate) fn solved(verdict: Verdict, model: Option<Model>, core: Option<Core>) -> Answer {
        Answer { verdict, model, core, source: Source::Solved, by: AnsweredBy::Solver }
    }
}
