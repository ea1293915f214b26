//! Open: the way of a query up to its keys. A script is cut into independent parts, a path is asked for the
//! slice of what is new; the steps of the ladder that need no key are taken here.

use super::slice::{Bounds, PathSlice};
use super::{Engine, Known, Miss, OnPath, Part};
use crate::answer::{Answer, Question, Verdict};
use crate::backend::Backend;
use crate::event::Event;
use crate::query::{Branch, Query};
use evergreen_canon::{Aside, Slices, split_into};
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
        Ok(self.open_parts(terms, &sliced, asides, Bounds::All))
    }

    /// Takes the steps that need no key on each part, and makes the keys of the others.
    fn open_parts(&mut self, terms: &mut Terms, sliced: &Slices, asides: &[Aside], bounds: Bounds) -> Opened {
        let mut model = Model::new();
        let mut parts: Vec<Part> = Vec::new();
        for part in sliced.iter() {
            let known = if asides.is_empty() { self.climb_part(terms, part, &mut model) } else { None };
            match known {
                Some(Known::Sat { .. }) => {}
                Some(Known::Unsat(core)) => {
                    return Opened::Answered(Answer::reused(Verdict::Unsat, None, core));
                }
                None => parts.push(self.canonize(terms, part.to_vec(), asides)),
            }
        }
        Opened::Parts(Open { parts, model, bounds })
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
        if self.fixes_cells(terms, &slice.constraints) {
            return self.open_cells(terms, &slice, question);
        }
        let part = self.canonize(terms, slice.constraints.clone(), &[]);
        let bounds = slice.bounds(&part.canonical.leaves);
        if bounds.are_too_small(question) {
            return Opened::Whole(Question::Model);
        }
        self.stats.slices += 1;
        self.log(|| Event::Sliced { constraints: constraints.len() + 1, parts: 1 });
        Opened::Parts(Open { parts: vec![part], model: Model::new(), bounds })
    }

    /// The slice of a path in which cells of arrays are fixed, cut as a script that has its constraints.
    fn open_cells(&mut self, terms: &mut Terms, slice: &PathSlice, question: Question) -> Opened {
        let leaves = self.canonizer.leaves(terms, &slice.constraints);
        let bounds = slice.bounds(&leaves);
        if bounds.are_too_small(question) {
            return Opened::Whole(Question::Model);
        }
        let sliced = self.slice(terms, &slice.constraints, &[]);
        self.open_parts(terms, &sliced, &[], bounds)
    }
}
