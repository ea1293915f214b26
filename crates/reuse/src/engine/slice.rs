//! Slice and canonize: a query becomes independent parts, each with a key.

use super::{Engine, OnPath, Part, Reuse};
use crate::answer::{Answer, Question};
use crate::event::Event;
use crate::origins::{Gathered, Origins};
use crate::stats::Stage;
use evergreen_canon::{Aside, FEWEST_CELLS, KeyBytes, Leaf, Mode, Table, cell_array};
use evergreen_term::{Model, SymbolId, TermId, Terms};
use rustc_hash::FxHashSet;
use std::rc::Rc;
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
        let propagates = self.propagates(asides);
        let mut seen = std::mem::take(&mut self.seen);
        let mut tables: Vec<Rc<Table>> = Vec::new();
        let mut pieces: Vec<TermId> = Vec::with_capacity(constraints.len());
        for &c in constraints {
            match self.canonizer.table(terms, c).filter(|_| propagates) {
                Some(table) if tables.iter().all(|other| other.array != table.array) => tables.push(table),
                _ => self.surface.split_into(terms, c, &mut pieces),
            }
        }
        pieces.retain(|p| seen.insert(*p));
        seen.clear();
        self.seen = seen;
        self.note_asked(&tables, &pieces);
        self.origins = Origins::default();
        if propagates {
            let mut propagated = self.propagator.propagate(terms, &pieces, &tables);
            if let Some(propagated) = &mut propagated {
                pieces = std::mem::take(&mut propagated.constraints);
            }
            let gathered = self.gather_tables(terms, &mut pieces, &tables);
            self.origins = Origins::new(propagated, gathered);
        }
        let parts = if pieces.is_empty() {
            Vec::new()
        } else if self.options.slice && asides.is_empty() {
            self.canonizer.slices(terms, &pieces)
        } else {
            vec![pieces]
        };
        self.stats.add(Stage::Slice, start.elapsed());
        self.stats.slices += parts.len() as u64;
        self.log(|| Event::Sliced { constraints: constraints.len(), parts: parts.len() });
        parts
    }

    /// Puts cells that stand by themselves into tables: into that of their array if the query has one, into a
    /// new one if they are many.
    fn gather_tables(
        &mut self,
        terms: &mut Terms,
        pieces: &mut Vec<TermId>,
        tables: &[Rc<Table>],
    ) -> Vec<Gathered> {
        if tables.is_empty() && pieces.len() < FEWEST_CELLS {
            return Vec::new();
        }
        let mut loose: Vec<(SymbolId, Vec<TermId>)> = Vec::new();
        for &piece in pieces.iter() {
            let Some(array) = cell_array(terms, piece) else { continue };
            match loose.iter_mut().find(|(other, _)| *other == array) {
                Some((_, cells)) => cells.push(piece),
                None => loose.push((array, vec![piece])),
            }
        }
        let is_many = |(array, cells): &(SymbolId, Vec<TermId>)| {
            cells.len() >= FEWEST_CELLS || tables.iter().any(|table| table.array == *array)
        };
        loose.retain(is_many);
        let mut gathered: Vec<Gathered> = Vec::new();
        let mut inside: FxHashSet<TermId> = FxHashSet::default();
        for table in tables {
            if loose.iter().all(|(array, _)| *array != table.array) {
                gathered.push(Gathered { term: table.term, table: Some(table.clone()), loose: Vec::new() });
            }
        }
        for (array, cells) in loose {
            let table = tables.iter().find(|table| table.array == array).cloned();
            let mut all: Vec<TermId> = table.iter().flat_map(|table| table.constraints.clone()).collect();
            all.extend(&cells);
            match self.canonizer.gather(terms, &all) {
                Some(joint) => {
                    inside.extend(&cells);
                    gathered.push(Gathered { term: joint.term, table, loose: cells });
                }
                // A cell has two values: both are kept as they were asked.
                None => gathered.extend(table.map(|table| Gathered {
                    term: table.term,
                    table: Some(table),
                    loose: Vec::new(),
                })),
            }
        }
        if !inside.is_empty() {
            pieces.retain(|piece| !inside.contains(piece));
        }
        pieces.splice(0..0, gathered.iter().map(|gathered| gathered.term));
        gathered
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

    /// The keys of the independent parts of a conjunction: the way of a query up to its first look-up, and no
    /// further.
    pub fn keys(&mut self, terms: &mut Terms, constraints: &[TermId]) -> Vec<KeyBytes> {
        let parts = self.slice(terms, constraints, &[]);
        parts.into_iter().map(|part| self.canonize(terms, part, &[]).canonical.key).collect()
    }

    /// Brings a part into canonical form.
    pub(crate) fn canonize(&mut self, terms: &Terms, constraints: Vec<TermId>, asides: &[Aside]) -> Part {
        let start = Instant::now();
        let canonical = match asides {
            [] => self.canonizer.canonize_once(terms, &constraints),
            _ => Rc::new(self.canonizer.canonize_with(terms, &constraints, asides)),
        };
        self.stats.add(Stage::Canonize, start.elapsed());
        Part { constraints, canonical, is_plain: asides.is_empty() }
    }
}
