//! One writing of the path: an [`Evergreen`] whose path follows the one that is asked about, as terms of one
//! theory.
//!
//! The path is synced lazily: popped to what it shares with the next one that is asked about, then extended
//! by the rest. The definitions that conditions need (ranges of inputs, wraps) are on the path once, however
//! many conditions need them.

use evergreen::{Answer, Error, Event, Evergreen, OldValues, Question, TermId};
use evergreen_explore::{ModelOf, Path};
use evergreen_symbolic::{Assignment, Bounds, Cond, Exprs, Mark, Theory, Writer};
use evergreen_term::{SymbolId, Terms};
use rustc_hash::FxHashSet;

/// What one writing answers about an arm.
pub(crate) enum Said {
    /// The path implies it already.
    Known,
    /// It has no words for it.
    Nothing,
    /// This.
    Answer(Answer),
}

pub(crate) struct Side {
    evergreen: Evergreen,
    writer: Writer,
    /// The beginnings of the path that the evergreen has, shortest first.
    path: Vec<Path<Cond>>,
    /// How many terms each of them added, and what was known of single values before it.
    added: Vec<(usize, Mark)>,
    /// The bounds that the path sets on single values: what cannot overflow on it is not wrapped.
    bounds: Bounds,
    /// The terms of the path, and the same as a set.
    terms: Vec<TermId>,
    present: FxHashSet<TermId>,
    /// Kept for its memory.
    new: Vec<TermId>,
}

impl Side {
    pub(crate) fn new(evergreen: Evergreen, theory: Theory) -> Side {
        Side {
            evergreen,
            writer: Writer::new(theory),
            path: Vec::new(),
            added: Vec::new(),
            bounds: Bounds::new(),
            terms: Vec::new(),
            present: FxHashSet::default(),
            new: Vec::new(),
        }
    }

    pub(crate) fn evergreen(&self) -> &Evergreen {
        &self.evergreen
    }

    pub(crate) fn take_events(&mut self) -> Vec<Event> {
        self.evergreen.take_events()
    }

    /// Can the path continue under a condition? A model of the path, of an old test perhaps, may help: values
    /// near those of a test are tried, and the core of bit vectors begins with any.
    pub(crate) fn ask(
        &mut self,
        exprs: &Exprs,
        path: &Path<Cond>,
        arm: Cond,
        (model, of): (&Assignment, ModelOf),
    ) -> Result<Said, Error> {
        self.sync(exprs, path)?;
        if !self.write(exprs, arm) {
            return Ok(Said::Nothing);
        }
        if self.new.is_empty() {
            return Ok(Said::Known);
        }
        let writer = &self.writer;
        let value = |terms: &Terms, symbol: SymbolId| writer.value(exprs, terms, symbol, model);
        let helps = of == ModelOf::Seed || self.writer.theory() == Theory::Bits;
        let old: Option<OldValues<'_>> = if helps { Some(&value) } else { None };
        self.evergreen.branch_beside(&self.new, Question::Extension, old).map(Said::Answer)
    }

    /// Asks once more about the arm that was asked about last, if the values that were found do not fit into
    /// the longs that are inputs: now with their ranges.
    pub(crate) fn ask_within(&mut self, exprs: &Exprs, answer: &Answer) -> Result<Option<Answer>, Error> {
        let Some(model) = &answer.model else { return Ok(None) };
        let mut missed = self.writer.ranges_missed(exprs, self.evergreen.terms(), model);
        missed.retain(|range| !self.new.contains(range));
        if missed.is_empty() {
            return Ok(None);
        }
        // Definitions come before the condition.
        self.new.splice(..0, missed);
        self.evergreen.branch_beside(&self.new, Question::Extension, None).map(Some)
    }

    /// Lays values over those of an assignment: for the arm that was asked about last, and for the part of
    /// the path on which it depends. They depend only on that part and on the values that the assignment has.
    /// Returns false if no such values are found.
    pub(crate) fn settle(&mut self, exprs: &Exprs, into: &mut Assignment) -> bool {
        let writer = &self.writer;
        let near = |terms: &Terms, symbol: SymbolId| writer.value(exprs, terms, symbol, into);
        let Some(model) = self.evergreen.settle(&self.new, &near) else { return false };
        self.writer.read(exprs, self.evergreen.terms(), &model, into)
    }

    /// Lays the values of an answer over those of an assignment. False if there are none or they do not fit.
    pub(crate) fn read(&mut self, exprs: &Exprs, answer: &Answer, into: &mut Assignment) -> bool {
        let Some(model) = &answer.model else { return false };
        self.writer.read(exprs, self.evergreen.terms(), model, into)
    }

    fn sync(&mut self, exprs: &Exprs, path: &Path<Cond>) -> Result<(), Error> {
        let mut rest = Vec::new();
        let shared = path.leaving(&self.path, &mut rest);
        while self.path.len() > shared {
            self.path.pop();
            self.evergreen.pop();
            let Some((added, mark)) = self.added.pop() else { continue };
            self.bounds.undo(mark);
            for _ in 0..added {
                if let Some(term) = self.terms.pop() {
                    self.present.remove(&term);
                }
            }
        }
        for beginning in rest {
            let Some((condition, _)) = beginning.last() else { continue };
            self.added.push((0, self.bounds.mark()));
            // A condition that cannot be written here is left out: the caller knows that.
            if self.write(exprs, condition) {
                self.bounds.learn(exprs, condition);
            }
            self.evergreen.push_feasible(&self.new)?;
            if let Some((added, _)) = self.added.last_mut() {
                *added = self.new.len();
            }
            self.terms.extend(&self.new);
            self.present.extend(&self.new);
            self.path.push(beginning.clone());
        }
        Ok(())
    }

    /// The terms of a condition that the path does not have yet; false if this writing has no words for it.
    fn write(&mut self, exprs: &Exprs, condition: Cond) -> bool {
        self.new.clear();
        let written = self.writer.write_under(exprs, self.evergreen.terms(), condition, &self.bounds);
        for &term in written.into_iter().flatten() {
            if !self.present.contains(&term) && !self.new.contains(&term) {
                self.new.push(term);
            }
        }
        written.is_some()
    }
}
