//! Open: the way of a query up to its keys. A script is cut into independent parts, a path is asked for the
//! slice of what is new; the steps of the ladder that need no key are taken here.

use super::slice::Bounds;
use super::{Engine, Known, Miss, OnPath, Part};
use crate::answer::{Answer, Question, Verdict};
use crate::backend::Backend;
use crate::event::Event;
use crate::query::{Branch, Query};
use evergreen_canon::split_into;
use evergreen_term::{Model, TermId, Terms};

/// What is open before a key is looked up.
pub(super) struct Open {
    pub(super) parts: Vec<Part>,
    /// Values of the parts that are known already.
    pub(super) model: Model,
    /// Which values the answer may have.
    pub(super) bounds: Bounds,
}

/// How far a query came without a key.
pub(super) enum Opened {
    Answered(Answer),
    Parts(Open),
    /// A branch that is to be answered with its whole path.
    Whole(Question),
}

impl Engine {
    /// Cuts a query and takes the steps that need no key.
    pub(super) fn open(
        &mut self,
        terms: &mut Terms,
        query: &Query<'_>,
        backend: &mut dyn Backend,
    ) -> Result<Opened, Miss> {
        match &query.branch {
            Some(branch) => Ok(self.open_branch(terms, query, branch, backend)),
            None => self.open_script(terms, query, backend),
        }
    }

    /// Nothing is known: every part has to be answered.
    fn open_script(
        &mut self,
        terms: &mut Terms,
        query: &Query<'_>,
        backend: &mut dyn Backend,
    ) -> Result<Opened, Miss> {
        let &Query { constraints, asides, .. } = query;
        if let Some(text) = backend.verbatim(terms, constraints) {
            return self.answer_verbatim(terms, query, backend, &text).map(Opened::Answered);
        }
        let sliced = self.slice(terms, constraints, asides);
        let mut model = Model::new();
        let mut parts: Vec<Part> = Vec::with_capacity(sliced.len());
        for part in sliced {
            let known = if asides.is_empty() { self.climb_part(terms, &part, &mut model) } else { None };
            match known {
                Some(Known::Sat { .. }) => {}
                Some(Known::Unsat(core)) => {
                    return Ok(Opened::Answered(Answer::reused(Verdict::Unsat, None, core)));
                }
                None => parts.push(self.canonize(terms, part, asides)),
            }
        }
        Ok(Opened::Parts(Open { parts, model, bounds: Bounds::All }))
    }

    /// The path is known to be satisfiable: only the slice of what is new matters.
    fn open_branch(
        &mut self,
        terms: &mut Terms,
        query: &Query<'_>,
        branch: &Branch<'_>,
        backend: &mut dyn Backend,
    ) -> Opened {
        let &Query { constraints, question, .. } = query;
        if backend.is_verbatim(terms, constraints) || backend.is_verbatim(terms, branch.new) {
            return Opened::Whole(question);
        }
        let mut pieces: Vec<TermId> = std::mem::take(&mut self.pieces);
        branch.new.iter().for_each(|&new| split_into(terms, new, &mut pieces));
        let on = OnPath { path: branch.path, constraints, pieces: &pieces, question };
        let opened = self.open_slice(terms, &on);
        pieces.clear();
        self.pieces = pieces;
        opened
    }

    fn open_slice(&mut self, terms: &mut Terms, on: &OnPath<'_>) -> Opened {
        let &OnPath { constraints, question, .. } = on;
        if let Some(answer) = self.climb_path(terms, on) {
            return Opened::Answered(answer);
        }
        if !self.options.slice || question == Question::Model {
            return Opened::Whole(question);
        }
        let slice = self.slice_of_path(terms, on);
        if slice.is_too_small(question) {
            return Opened::Whole(Question::Model);
        }
        self.stats.slices += 1;
        self.log(|| Event::Sliced { constraints: constraints.len() + 1, parts: 1 });
        let bounds = slice.bounds();
        Opened::Parts(Open { parts: vec![slice.part], model: Model::new(), bounds })
    }
}
