//! Queries: what is asked, of a script or on a path.

use crate::answer::Question;
use evergreen_canon::{Aside, Path};
use evergreen_term::{SymbolId, TermId, Terms};

/// Values of symbols, as far as the caller has some.
pub type OldValues<'v> = &'v dyn Fn(&Terms, SymbolId) -> Option<i64>;

/// A conjunction and what is asked about it.
#[derive(Clone, Copy)]
pub struct Query<'q> {
    pub(crate) constraints: &'q [TermId],
    pub(crate) asides: &'q [Aside],
    pub(crate) question: Question,
    pub(crate) branch: Option<Branch<'q>>,
    /// Nobody will ask for a core.
    pub(crate) is_coreless: bool,
    /// Nobody has asked for values yet.
    pub(crate) is_modelless: bool,
    /// A known verdict is enough, without the values that say how a path goes on.
    pub(crate) takes_bare_sat: bool,
}

/// What is new on a path that is known to be satisfiable.
#[derive(Clone, Copy)]
pub(crate) struct Branch<'q> {
    pub(crate) path: &'q Path,
    pub(crate) new: &'q [TermId],
    pub(crate) old: Option<OldValues<'q>>,
}

impl<'q> Query<'q> {
    /// Constraints of which nothing is known, such as those of a script.
    pub fn new(constraints: &'q [TermId], question: Question) -> Query<'q> {
        Query {
            constraints,
            asides: &[],
            question,
            branch: None,
            is_coreless: false,
            is_modelless: false,
            takes_bare_sat: false,
        }
    }

    /// New constraints on a path that is known to be satisfiable: only their slice of the path is asked
    /// about. The path's constraints are those of its index, split at their surface.
    pub fn on_path(
        path: &'q Path,
        constraints: &'q [TermId],
        new: &'q [TermId],
        question: Question,
    ) -> Query<'q> {
        Query {
            constraints,
            asides: &[],
            question,
            branch: Some(Branch { path, new, old: None }),
            is_coreless: false,
            is_modelless: false,
            takes_bare_sat: false,
        }
    }

    /// With objectives and soft constraints. A path has none.
    pub fn with_asides(mut self, asides: &'q [Aside]) -> Query<'q> {
        self.asides = asides;
        self
    }

    /// Without the core of an answer that is reused: naming it in constraints of the query takes longer than
    /// finding many an answer.
    pub fn without_core(mut self) -> Query<'q> {
        self.is_coreless = true;
        self
    }

    /// Without the values of an answer that is reused: putting them together takes as long as finding it, and
    /// [`Engine::recall`](crate::Engine::recall) can do it later. A solver is asked as for a model.
    pub fn without_model(mut self) -> Query<'q> {
        self.is_modelless = true;
        self
    }

    /// Content with a reused `sat` that has no values: a client that reads verdicts alone would have
    /// everything solved again whose model was never recorded.
    pub fn with_bare_sat(mut self) -> Query<'q> {
        self.takes_bare_sat = true;
        self
    }

    /// With old values that lead along the path, of a test say: values near them are tried before a solver is
    /// asked, and the core of bit vectors begins with them.
    pub fn with_old(mut self, old: Option<OldValues<'q>>) -> Query<'q> {
        if let Some(branch) = &mut self.branch {
            branch.old = old;
        }
        self
    }

    /// Whether the answer has to say how a path goes on.
    pub(crate) fn wants_extension(&self) -> bool {
        self.branch.is_some() && self.question == Question::Extension && !self.takes_bare_sat
    }

    /// All constraints, those of the path and the new ones.
    pub(crate) fn all(&self) -> Vec<TermId> {
        let new = self.branch.as_ref().map_or(&[][..], |branch| branch.new);
        self.constraints.iter().chain(new).copied().collect()
    }
}
