//! The trail: assertions that were satisfiable together at an earlier check, kept as a path.
//!
//! A client that goes down a path pushes, asserts and checks by turns. Answered from its beginning each time,
//! a stack of n frames costs n² steps. What was satisfiable at the last check stays so without its last
//! frames, so a check is about what is new since the longest stack that both have in common: the engine cuts
//! the slice of that ([`Query::on_path`]) and leaves the rest alone.
//!
//! Values are put together when somebody asks for them: each answer brings those of its slice, and the others
//! keep theirs. Before they are given out every assertion is evaluated under them; if one does not hold, they
//! are forgotten and the engine answers the whole stack.
//!
//! Short stacks are answered as a whole. There it costs little, and what one constraint fixes is put into all
//! the others before they get their keys, so that more of other scripts is found.

use super::Session;
use evergreen_canon::{Mode, Path, split};
use evergreen_reuse::{Engine, Query, Question, Reuse, Verdict};
use evergreen_term::{Evaluator, Model, TermId, Terms, Traits};

/// Stacks with fewer assertions are answered as a whole.
const SHORT: usize = 64;

/// Assertions that are satisfiable together.
#[derive(Default)]
pub(super) struct Trail {
    /// In the order of the stack.
    assertions: Vec<TermId>,
    /// How many constraints lie below each of them.
    marks: Vec<usize>,
    /// Their constraints, split at the surface.
    constraints: Vec<TermId>,
    index: Path,
    /// Values under which all of them hold, if every answer on the way came with some.
    model: Option<Model>,
}

impl Trail {
    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        *self = Trail::default();
    }

    /// Goes back to what it has in common with a stack: so many assertions.
    fn meet(&mut self, stack: &[TermId]) -> usize {
        let common = self.assertions.iter().zip(stack).take_while(|(own, other)| own == other).count();
        if let Some(&mark) = self.marks.get(common) {
            self.assertions.truncate(common);
            self.marks.truncate(common);
            self.constraints.truncate(mark);
            while self.index.len() > mark {
                self.index.pop();
            }
        }
        common
    }

    /// The question about what is new.
    pub(super) fn query<'q>(&'q self, new: &'q [TermId]) -> Query<'q> {
        Query::on_path(&self.index, &self.constraints, new, Question::Extension)
            .without_core()
            .with_bare_sat()
    }

    /// Goes on by assertions under which the stack is satisfiable.
    fn extend(&mut self, terms: &mut Terms, engine: &mut Engine, new: &[TermId]) {
        for &assertion in new {
            self.assertions.push(assertion);
            self.marks.push(self.constraints.len());
            for piece in split(terms, assertion) {
                engine.canonizer().extend(terms, &mut self.index, piece);
                self.constraints.push(piece);
            }
        }
    }
}

impl Session {
    /// Whether the assertions of the last check may be a path.
    fn may_follow(&self, stack: &[TermId]) -> bool {
        let options = self.engine.options();
        let is_usual = options.slice && options.canon == Mode::Full && options.reuse == Reuse::Full;
        // Cores are looked for in whole stacks, and pay for what is quantified.
        let is_plain = |&term: &TermId| !self.terms.traits(term).has(Traits::QUANTIFIED);
        stack.len() >= SHORT
            && is_usual
            && options.audit == 0.0
            && !self.produce_cores
            && self.assumptions.is_empty()
            && !self.is_verbatim()
            // The same term means something else under another definition.
            && !self.stack.is_recursive()
            && !self.stack.is_opaque()
            && stack[self.trail.assertions.len().min(stack.len())..].iter().all(is_plain)
    }

    /// How many assertions of a stack the trail has, if the check is asked as one about what is new since.
    pub(super) fn follow(&mut self, stack: &[TermId]) -> Option<usize> {
        let common = self.trail.meet(stack);
        (common > 0 && self.may_follow(stack)).then_some(common)
    }

    /// Notes the verdict of a check of the whole stack.
    pub(super) fn note_stack(&mut self, stack: &[TermId], verdict: &Verdict, model: Option<&Model>) {
        if *verdict != Verdict::Sat || !self.may_follow(stack) {
            return;
        }
        let common = self.trail.meet(stack);
        self.trail.extend(&mut self.terms, &mut self.engine, &stack[common..]);
        self.trail.model = model.cloned();
    }

    /// Notes the verdict of a check about what is new on the trail, with values of its slice.
    pub(super) fn note_new(&mut self, new: &[TermId], verdict: &Verdict, slice: Option<Model>) {
        if *verdict != Verdict::Sat {
            return;
        }
        self.trail.extend(&mut self.terms, &mut self.engine, new);
        match (&mut self.trail.model, slice) {
            (Some(model), Some(slice)) => slice.iter().for_each(|(symbol, value)| {
                model.set(symbol, value.clone());
            }),
            (model, _) => *model = None,
        }
    }

    /// The values of the trail, if it is the stack of the last check and they satisfy all of it.
    pub(super) fn recall_trail(&mut self) -> Option<Model> {
        let is_last = self.stack.assertions().map(|a| &a.term).eq(self.trail.assertions.iter());
        let model = self.trail.model.take().filter(|_| is_last && self.assumptions.is_empty())?;
        let mut evaluator = Evaluator::new(&self.terms, &model);
        let holds = self.trail.constraints.iter().all(|&c| evaluator.holds(c) == Ok(true));
        drop(evaluator);
        self.trail.model = holds.then(|| model.clone());
        self.trail.model.clone()
    }
}
