//! Native: the native core decides conjunctions of linear integer constraints, without a solver process.
//!
//! At level full it comes first, before anything is looked up: one more constraint in a solver that holds the
//! path costs about what a key would. What it decides there is not recorded. Below, levels are compared by
//! what they reuse, so it comes last.

use crate::answer::{Answer, Core, Question, Verdict};
use crate::engine::{Contradicted, Engine, Found, Known, OnPath, Part, Refutation};
use crate::event::Event;
use crate::ladder::{Index, New, Rung};
use crate::native::{self, Said};
use evergreen_canon::{Leaf, Variable};
use evergreen_lia::{Op, Row, Solver, Verdict as Linear};
use evergreen_term::{Model, TermId, Terms, Value};
use rustc_hash::FxHashMap;

/// What the native core decided. Its core is given to clients; it is recorded only with a proof.
pub(super) enum Decided {
    Sat(Model),
    Unsat(Option<Core>),
}

impl Engine {
    /// Answers new constraints on a path, if the path's part of them is linear.
    pub(super) fn decide_on_path(&mut self, terms: &mut Terms, on: &OnPath<'_>) -> Option<Answer> {
        let said = self.native.branch(terms, &mut self.canonizer, on.constraints, on.pieces)?;
        let answer = self.conclude(terms, on, said)?;
        let sat = answer.verdict == Verdict::Sat;
        self.stats.slices += 1;
        self.hit(Rung::Native);
        self.log(|| Event::Decided { sat });
        Some(answer)
    }

    fn conclude(&mut self, terms: &Terms, on: &OnPath<'_>, said: Said) -> Option<Answer> {
        let OnPath { path, constraints, pieces: new, question } = *on;
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
            Said::Sat if self.is_modelless && self.native.knows_all() => {
                Some(Answer::reused(Verdict::Sat, None, None))
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

    /// Decides a part before it has a key.
    pub(super) fn decide_part(
        &mut self,
        terms: &mut Terms,
        part: &[TermId],
        model: &mut Model,
    ) -> Option<Known> {
        let decided = self.decide(terms, part)?;
        let sat = matches!(decided, Decided::Sat(_));
        self.hit(Rung::Native);
        self.log(|| Event::Decided { sat });
        Some(match decided {
            Decided::Sat(own) => {
                own.iter().for_each(|(symbol, value)| {
                    model.set(symbol, value.clone());
                });
                Known::Sat { model: true }
            }
            Decided::Unsat(core) => Known::Unsat(core.and_then(|core| self.core_of_query(terms, core))),
        })
    }

    /// Decides a part that nothing else answers.
    pub(super) fn decide_keyed(&mut self, terms: &mut Terms, part: &Part) -> Option<New> {
        let found = match self.decide(terms, &part.constraints)? {
            Decided::Sat(own) => Found::Sat(own),
            Decided::Unsat(_) => Found::Unsat(self.proved(terms, part)?),
        };
        Some(New { found, index: Index::None })
    }

    /// Why a part is unsatisfiable that the native core found to be so: its proof, or the whole part where
    /// the proof takes more steps than are spent on one. `None` when two runs of the native core disagree: a
    /// solver decides.
    fn proved(&mut self, terms: &Terms, part: &Part) -> Option<Refutation> {
        match self.proof_of(terms, part, None) {
            Ok(proof) => Some(proof.unwrap_or_else(|| Refutation::whole(part))),
            Err(Contradicted) => {
                self.stats.contradicted += 1;
                None
            }
        }
    }

    /// Decides constraints that are all linear.
    fn decide(&mut self, terms: &Terms, part: &[TermId]) -> Option<Decided> {
        let decided = self.decide_rows(terms, part)?;
        if let Decided::Sat(model) = &decided
            && self.holds(terms, model, part) == Some(false)
        {
            // One of two independent evaluations is wrong: a solver decides.
            self.stats.contradicted += 1;
            return None;
        }
        Some(decided)
    }

    pub(super) fn decide_rows(&mut self, terms: &Terms, part: &[TermId]) -> Option<Decided> {
        // Most parts that are not linear do not begin so: those need no solver.
        if let Some(&first) = part.first() {
            native::rows_of(terms, &mut self.canonizer, first)?;
        }
        let mut numbers: FxHashMap<Variable, u32> = FxHashMap::default();
        let mut variables: Vec<Variable> = Vec::new();
        let mut solver = Solver::with_effort(native::EFFORT);
        let mut owners: Vec<u32> = Vec::with_capacity(part.len());
        let mut numbered = Row { op: Op::Le, terms: Vec::new(), constant: 0 };
        for (i, &constraint) in part.iter().enumerate() {
            for row in native::rows_of(terms, &mut self.canonizer, constraint)?.iter() {
                numbered.op = native::op(row.compare);
                numbered.constant = row.constant;
                numbered.terms.clear();
                for &(v, c) in &row.terms {
                    let number = *numbers.entry(v).or_insert_with(|| {
                        variables.push(v);
                        variables.len() as u32 - 1
                    });
                    numbered.terms.push((number, c));
                }
                numbered.terms.sort_unstable_by_key(|t| t.0);
                solver.assert(&numbered);
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
