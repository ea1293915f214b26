//! Slice and canonize: a query becomes independent parts, each with a key.

use super::{Engine, OnPath, Part, Reuse};
use crate::answer::{Answer, Question};
use crate::event::Event;
use crate::origins::{Gathered, Origins};
use crate::stats::Stage;
use evergreen_canon::{Aside, FEWEST_CELLS, KeyBytes, Leaf, Mode, Slices, Table, cell_array};
use evergreen_term::{Model, SymbolId, TermId, Terms};
use rustc_hash::FxHashSet;
use std::rc::Rc;
use std::time::Instant;

/// The terms that were met in a query, by their numbers: beginning anew costs nothing.
#[derive(Default)]
pub(super) struct Seen {
    of: Vec<u32>,
    query: u32,
}

impl Seen {
    fn begin(&mut self) {
        self.query = self.query.wrapping_add(1);
        if self.query == 0 {
            self.of.clear();
            self.query = 1;
        }
    }

    /// Whether a term was not met before.
    fn insert(&mut self, term: TermId) -> bool {
        if self.of.len() <= term.index() {
            self.of.resize(term.index() + 1 + term.index() / 4, 0);
        }
        std::mem::replace(&mut self.of[term.index()], self.query) != self.query
    }
}

/// The slice of a path that new constraints depend on.
pub(super) struct PathSlice {
    /// The constraints of the path, and behind them the new ones.
    pub(super) constraints: Vec<TermId>,
    /// It is all of the path.
    is_whole: bool,
}

impl PathSlice {
    /// Which values belong to the slice, given the leaves that it has. Cells of one array may lie in several
    /// slices, and values are of whole arrays: one that has the cells of this slice says something about the
    /// others, too.
    pub(super) fn bounds(&self, leaves: &[Leaf]) -> Bounds {
        if self.is_whole {
            return Bounds::All;
        }
        let symbol = |leaf: &Leaf| match leaf {
            Leaf::Symbol(symbol) => Some(*symbol),
            _ => None,
        };
        match leaves.iter().any(|leaf| matches!(leaf, Leaf::Cell(_))) {
            true => Bounds::Nothing,
            false => Bounds::Own(leaves.iter().filter_map(symbol).collect()),
        }
    }
}

/// Which values of an answer are given out.
pub(super) enum Bounds {
    All,
    /// Those of the symbols of the slice. A symbol that cancels out of it (`x < x + 1`) belongs to another,
    /// and so does its value.
    Own(Vec<SymbolId>),
    Nothing,
}

impl Bounds {
    /// Whether the values that are given out do not answer the question: then the whole path is asked about.
    pub(super) fn are_too_small(&self, question: Question) -> bool {
        matches!(self, Bounds::Nothing) && question == Question::Extension
    }

    pub(super) fn apply(self, answer: &mut Answer) {
        match self {
            Bounds::Own(symbols) => {
                let own = |m: Model| {
                    m.iter().filter(|(s, _)| symbols.contains(s)).map(|(s, v)| (s, v.clone())).collect()
                };
                answer.model = answer.model.take().map(own);
            }
            Bounds::All => {}
            Bounds::Nothing => answer.model = None,
        }
    }
}

impl Engine {
    /// Cuts a conjunction into independent parts.
    pub(super) fn slice(&mut self, terms: &mut Terms, constraints: &[TermId], asides: &[Aside]) -> Slices {
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
        seen.begin();
        pieces.retain(|p| seen.insert(*p));
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
            // What propagation changed is checked under the values.
            self.is_modelless &= self.origins.changed().is_empty();
        }
        let parts = match self.options.slice && asides.is_empty() {
            true => self.canonizer.slices(terms, &pieces),
            false => Slices::whole(pieces),
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
        let reached = self.canonizer.focus_with(terms, path, constraints, pieces);
        let mut slice: Vec<TermId> = Vec::with_capacity(reached.len() + pieces.len());
        slice.extend(reached.iter().map(|&i| constraints[i as usize]));
        let is_whole = slice.len() == constraints.len();
        slice.extend(pieces);
        self.stats.add(Stage::Slice, start.elapsed());
        PathSlice { constraints: slice, is_whole }
    }

    /// Whether constraints fix a cell of an array of bits. They are propagated, and their tables gathered, on
    /// a path as in a script: both have the same keys then. Elsewhere the slice of a path is one part as it
    /// is.
    pub(super) fn fixes_cells(&self, terms: &Terms, constraints: &[TermId]) -> bool {
        self.propagates(&[]) && constraints.iter().any(|&c| cell_array(terms, c).is_some())
    }

    /// The keys of the independent parts of a conjunction: the way of a query up to its first look-up, and no
    /// further.
    pub fn keys(&mut self, terms: &mut Terms, constraints: &[TermId]) -> Vec<KeyBytes> {
        let parts = self.slice(terms, constraints, &[]);
        parts.iter().map(|part| self.canonize(terms, part.to_vec(), &[]).canonical.key).collect()
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
