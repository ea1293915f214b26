//! Decide natively: linear integer constraints need no solver process.

use super::{Decided, Engine, Reuse};
use crate::answer::{Answer, Core, Question, Verdict};
use crate::event::{Event, Rung};
use crate::native::{self, Said};
use evergreen_canon::{Aside, Leaf, Path, Variable};
use evergreen_lia::{Op, Row, Solver, Verdict as Linear};
use evergreen_term::{Model, TermId, Terms, Value};
use rustc_hash::FxHashMap;
use std::time::Instant;

impl Engine {
    /// Answers a new constraint on a path, if the path's part of it is linear.
    pub(super) fn branch_natively(
        &mut self,
        terms: &Terms,
        path: &Path,
        constraints: &[TermId],
        new: &[TermId],
        question: Question,
    ) -> Option<Answer> {
        if !self.is_native_first() {
            return None;
        }
        let start = Instant::now();
        let said = self.native.branch(terms, &mut self.canonizer, constraints, new);
        let answer = said.and_then(|said| self.conclude(terms, path, constraints, new, said, question));
        self.tell(Rung::Native, answer.is_some(), start);
        let answer = answer?;
        let sat = answer.verdict == Verdict::Sat;
        self.stats.slices += 1;
        self.hit(Rung::Native);
        self.log(|| Event::Decided { sat });
        Some(answer)
    }

    fn conclude(
        &mut self,
        terms: &Terms,
        path: &Path,
        constraints: &[TermId],
        new: &[TermId],
        said: Said,
        question: Question,
    ) -> Option<Answer> {
        match said {
            Said::Unknown => None,
            Said::Unsat { path } => {
                let core = (question == Question::Core).then(|| {
                    let mut core: Vec<TermId> = path.iter().map(|&i| constraints[i as usize]).collect();
                    core.extend(new);
                    core
                });
                Some(Answer::reused(Verdict::Unsat, None, core.and_then(Core::new)))
            }
            Said::Sat if question == Question::Model => {
                // The model has to cover the whole path.
                let model = self.native.knows_all().then(|| self.native.model(&self.canonizer))?;
                Some(Answer::reused(Verdict::Sat, Some(model), None))
            }
            Said::Sat if question == Question::Extension => {
                let reached = self.canonizer.focus_all(terms, path, new);
                if !reached.iter().all(|&i| self.native.knows(i as usize)) {
                    return None;
                }
                let slice = reached.iter().map(|&i| constraints[i as usize]).chain(new.iter().copied());
                let model = self.native.model_of(terms, &mut self.canonizer, slice);
                Some(Answer::reused(Verdict::Sat, Some(model), None))
            }
            Said::Sat => {
                let decided = self.native.knows_all()
                    || self
                        .canonizer
                        .focus_all(terms, path, new)
                        .iter()
                        .all(|&i| self.native.knows(i as usize));
                decided.then(|| Answer::reused(Verdict::Sat, None, None))
            }
        }
    }

    /// Whether the native core is asked before anything is looked up.
    pub(super) fn is_native_first(&self) -> bool {
        self.options.native && self.options.reuse == Reuse::Full
    }

    /// Decides a part before it is looked up.
    pub(super) fn decide_first(
        &mut self,
        terms: &Terms,
        part: &[TermId],
        asides: &[Aside],
    ) -> Option<Decided> {
        if !self.is_native_first() || !asides.is_empty() {
            return None;
        }
        let found = self.decide_natively(terms, part)?;
        let sat = matches!(found, Decided::Sat(_));
        self.hit(Rung::Native);
        self.log(|| Event::Decided { sat });
        Some(found)
    }

    /// Decides a part all of whose constraints are linear.
    pub(super) fn decide_natively(&mut self, terms: &Terms, part: &[TermId]) -> Option<Decided> {
        let start = Instant::now();
        let found = self.decide_rows(terms, part);
        self.tell(Rung::Native, found.is_some(), start);
        if let Some(Decided::Sat(model)) = &found
            && self.holds(terms, model, part) == Some(false)
        {
            // One of two independent evaluations is wrong: a solver decides.
            self.stats.contradicted += 1;
            return None;
        }
        found
    }

    fn decide_rows(&mut self, terms: &Terms, part: &[TermId]) -> Option<Decided> {
        let mut numbers: FxHashMap<Variable, u32> = FxHashMap::default();
        let mut variables: Vec<Variable> = Vec::new();
        let mut solver = Solver::with_effort(native::EFFORT);
        let mut owners: Vec<u32> = Vec::with_capacity(part.len());
        let mut told = Row { op: Op::Le, terms: Vec::new(), constant: 0 };
        for (i, &constraint) in part.iter().enumerate() {
            for row in native::rows_of(terms, &mut self.canonizer, constraint)?.iter() {
                told.op = native::op(row.compare);
                told.constant = row.constant;
                told.terms.clear();
                for &(v, c) in &row.terms {
                    let number = *numbers.entry(v).or_insert_with(|| {
                        variables.push(v);
                        variables.len() as u32 - 1
                    });
                    told.terms.push((number, c));
                }
                told.terms.sort_unstable_by_key(|t| t.0);
                solver.assert(&told);
                owners.push(i as u32);
            }
        }
        match solver.check() {
            Linear::Unknown => None,
            Linear::Sat => {
                let value = |(number, &variable): (usize, &Variable)| match self.canonizer.leaf(variable) {
                    Leaf::Symbol(s) => Some((s, Value::Int(solver.value(number as u32)))),
                    _ => None,
                };
                Some(Decided::Sat(variables.iter().enumerate().filter_map(value).collect::<Model>()))
            }
            Linear::Unsat => {
                let mut core: Vec<TermId> =
                    solver.core().iter().map(|&r| part[owners[r as usize] as usize]).collect();
                core.dedup();
                Some(Decided::Unsat(Core::new(core)))
            }
        }
    }
}
