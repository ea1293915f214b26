//! One writing of the path: an [`Evergreen`] whose path follows the one that is asked about, as terms of one theory.
//!
//! The path is synced lazily: popped to what it shares with the next one that is asked about, then told the rest. The
//! definitions that conditions need (ranges of inputs, wraps) are on the path once, however many conditions need them.

use crate::{Answer, Error, Evergreen, Question, TermId};
use evergreen_explore::Path;
use evergreen_symbolic::{Assignment, Cond, Exprs, Theory, Writer};
use rustc_hash::FxHashSet;

pub(super) struct Side {
    evergreen: Evergreen,
    writer: Writer,
    theory: Theory,
    /// The beginnings of the path that the evergreen has, shortest first.
    path: Vec<Path<Cond>>,
    /// How many terms each of them added.
    added: Vec<usize>,
    /// The terms of the path, and the same as a set.
    terms: Vec<TermId>,
    present: FxHashSet<TermId>,
    /// Kept for its memory.
    new: Vec<TermId>,
}

impl Side {
    pub(super) fn new(evergreen: Evergreen, theory: Theory) -> Side {
        Side {
            evergreen,
            writer: Writer::new(theory),
            theory,
            path: Vec::new(),
            added: Vec::new(),
            terms: Vec::new(),
            present: FxHashSet::default(),
            new: Vec::new(),
        }
    }

    pub(super) fn evergreen(&self) -> &Evergreen {
        &self.evergreen
    }

    /// Can the path go on under a condition?
    pub(super) fn ask(&mut self, exprs: &Exprs, path: &Path<Cond>, arm: Cond) -> Result<Option<Answer>, Error> {
        self.sync(exprs, path);
        self.write(exprs, arm);
        if self.new.is_empty() {
            return Ok(None);
        }
        self.evergreen.branch_all(&self.new, Question::Extension).map(Some)
    }

    /// Lays the values of an answer over those of an assignment.
    pub(super) fn read(&mut self, exprs: &Exprs, answer: &Answer, into: &mut Assignment) {
        if let Some(model) = &answer.model {
            self.writer.read(exprs, self.evergreen.terms(), model, into);
        }
    }

    fn sync(&mut self, exprs: &Exprs, path: &Path<Cond>) {
        let mut rest = Vec::new();
        let shared = path.leaving(&self.path, &mut rest);
        while self.path.len() > shared {
            self.path.pop();
            self.evergreen.pop();
            for _ in 0..self.added.pop().unwrap_or(0) {
                if let Some(term) = self.terms.pop() {
                    self.present.remove(&term);
                }
            }
        }
        for beginning in rest {
            let Some((condition, _)) = beginning.last() else { continue };
            // What integers cannot say is left out there: whoever asks sees to it that it is in no slice that matters.
            if self.theory == Theory::Ints && exprs.is_hard(condition) {
                self.new.clear();
            } else {
                self.write(exprs, condition);
            }
            self.evergreen.push_all(&self.new);
            self.added.push(self.new.len());
            self.terms.extend(&self.new);
            self.present.extend(&self.new);
            self.path.push(beginning.clone());
        }
    }

    /// The terms of a condition that the path does not have yet.
    fn write(&mut self, exprs: &Exprs, condition: Cond) {
        self.new.clear();
        let written = self.writer.write(exprs, self.evergreen.terms(), condition);
        for &term in written.iter() {
            if !self.present.contains(&term) && !self.new.contains(&term) {
                self.new.push(term);
            }
        }
    }
}
