//! Slice and canonize: a query becomes independent parts, each with a key.

use super::{Engine, OnPath, Part, Reuse};
use crate::answer::{Answer, Question};
use crate::event::Event;
use crate::origins::Origins;
use crate::stats::Stage;
use evergreen_canon::{Aside, Leaf, Mode, propagate, split_into};
use evergreen_term::{Model, TermId, Terms};
use rustc_hash::FxHashSet;
use std::time::Instant;

/// The slice of a path that new constraints depend on.
pub(super) struct PathSlice {
    pub(super) part: Part,
    /// It is all of the path.
    is_whole: bool,
    /// Cells of one array may lie in several slices, and values are of whole arrays: one that has the cells
    /// of this slice says something about the others, too.
    cuts_arrays: bool,
}

impl PathSlice {
    /// Whether a model of the slice does not answer the question: then the whole path is asked about.
    pub(super) fn is_too_small(&self, question: Question) -> bool {
        self.cuts_arrays && question == Question::Extension
    }

    /// The leaves whose values belong to the slice, where not all do.
    pub(super) fn bounds(&self) -> Bounds {
        match self {
            PathSlice { cuts_arrays: true, .. } => Bounds::Nothing,
            PathSlice { is_whole: true, .. } => Bounds::All,
            PathSlice { .. } => Bounds::Own,
        }
    }
}

/// Which values of an answer are given out.
pub(super) enum Bounds {
    All,
    /// Those of the leaves of the slice, which is the only part. A symbol that cancels out of it
    /// (`x < x + 1`) belongs to another, and so does its value.
    Own,
    Nothing,
}

impl Bounds {
    pub(super) fn apply(self, answer: &mut Answer, parts: &[Part]) {
        match (self, parts) {
            (Bounds::Own, [slice]) => {
                let leaves = &slice.canonical.leaves;
                let own = |m: Model| {
                    m.iter()
                        .filter(|(s, _)| leaves.contains(&Leaf::Symbol(*s)))
                        .map(|(s, v)| (s, v.clone()))
                        .collect()
                };
                answer.model = answer.model.take().map(own);
            }
            (Bounds::All, _) => {}
            (Bounds::Nothing | Bounds::Own, _) => answer.model = None,
        }
    }
}

impl Engine {
    /// Cuts a conjunction into independent parts.
    pub(super) fn slice(
        &mut self,
        terms: &mut Terms,
        constraints: &[TermId],
        asides: &[Aside],
    ) -> Vec<Vec<TermId>> {
        let start = Instant::now();
        let mut seen = FxHashSet::default();
        let mut pieces: Vec<TermId> = Vec::with_capacity(constraints.len());
        for &c in constraints {
            split_into(terms, c, &mut pieces);
        }
        pieces.retain(|p| seen.insert(*p));
        self.note_asked(&pieces);
        self.origins = Origins::default();
        if self.propagates(asides)
            && let Some(mut propagated) = propagate(terms, &pieces)
        {
            pieces = std::mem::take(&mut propagated.constraints);
            self.origins = Origins::new(Some(propagated));
        }
        let parts = if pieces.is_empty() {
            Vec::new()
        } else if self.options.slice && asides.is_empty() {
            let parts = self.canonizer.parts(terms, &pieces);
            parts.into_iter().map(|p| p.into_iter().map(|i| pieces[i as usize]).collect()).collect()
        } else {
            vec![pieces]
        };
        self.stats.add(Stage::Slice, start.elapsed());
        self.stats.slices += parts.len() as u64;
        self.log(|| Event::Sliced { constraints: constraints.len(), parts: parts.len() });
        parts
    }

    /// Studies of other forms, and of solving without reuse, get their queries as they are.
    fn propagates(&self, asides: &[Aside]) -> bool {
        let o = &self.options;
        o.propagate && o.slice && o.canon == Mode::Full && o.reuse != Reuse::None && asides.is_empty()
    }

    /// The slice of a path that new constraints, split at their surface, depend on.
    pub(super) fn slice_of_path(&mut self, terms: &Terms, on: &OnPath<'_>) -> PathSlice {
        let start = Instant::now();
        let &OnPath { path, constraints, pieces, .. } = on;
        let reached = self.canonizer.focus_all(terms, path, pieces);
        let mut slice: Vec<TermId> = Vec::with_capacity(reached.len() + pieces.len());
        slice.extend(reached.iter().map(|&i| constraints[i as usize]));
        let is_whole = slice.len() == constraints.len();
        slice.extend(pieces);
        self.stats.add(Stage::Slice, start.elapsed());
        let part = self.canonize(terms, slice, &[]);
        let cuts_arrays = !is_whole && part.canonical.leaves.iter().any(|l| matches!(l, Leaf::Cell(_)));
        PathSlice { part, is_whole, cuts_arrays }
    }

    /// Brings a part into canonical form.
    pub(crate) fn canonize(&mut self, terms: &Terms, constraints: Vec<TermId>, asides: &[Aside]) -> Part {
        let start = Instant::now();
        let canonical = self.canonizer.canonize_with(terms, &constraints, asides);
        self.stats.add(Stage::Canonize, start.elapsed());
        Part { constraints, canonical, is_plain: asides.is_empty() }
    }
}
