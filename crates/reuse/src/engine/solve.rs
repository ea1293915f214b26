//! Solve: what was not found, part by part or as a whole.

use super::refutation::Why;
use super::{Engine, Known, Part, Reuse};
use crate::answer::{Answer, Core, Question, Verdict};
use crate::backend::{Backend, Grain, Solved, Task};
use crate::event::Event;
use crate::query::Query;
use crate::stats::Stage;
use crate::translate;
use evergreen_canon::Aside;
use evergreen_term::{Model, TermId, Terms, Traits};
use std::time::{Duration, Instant};

/// Which of the missing parts is unsatisfiable.
enum Located<'p> {
    /// This one, because every other part is satisfiable: a core of the query has its share there.
    Last(&'p Part),
    /// This one, by itself, with the core that solving it gave. Another part may be unsatisfiable as well,
    /// and the query's core may be about that one.
    Alone(&'p Part, Option<Core>),
    /// One of them, or several.
    Unknown,
}

impl Engine {
    pub(crate) fn ask(&mut self, terms: &mut Terms, task: Task<'_>, backend: &mut dyn Backend) -> Solved {
        if backend.is_absent() {
            return backend.solve(terms, task);
        }
        if let Some(reason) = backend.surrenders() {
            self.stats.unknown += 1;
            let verdict = Verdict::Unknown(reason);
            return Solved { verdict, model: None, core: None, elapsed: Duration::ZERO, recordable: false };
        }
        let start = Instant::now();
        self.stats.solved += 1;
        let solved = backend.solve(terms, task);
        self.stats.add(Stage::Solve, start.elapsed());
        self.regulation.note_solving(start.elapsed());
        let sat = match solved.verdict {
            Verdict::Sat => Some(true),
            Verdict::Unsat => Some(false),
            Verdict::Unknown(_) => None,
        };
        self.stats.unknown += u64::from(sat.is_none());
        self.log(|| Event::Solved { sat, micros: solved.elapsed.as_micros() as u64 });
        solved
    }

    /// Has the missing parts solved, in the grain that the backend wants. The slice of a path is one part.
    pub(crate) fn solve(
        &mut self,
        terms: &mut Terms,
        query: &Query<'_>,
        missing: &[Part],
        backend: &mut dyn Backend,
        model: Model,
        modelled: bool,
    ) -> Answer {
        let &Query { asides, question, branch, .. } = query;
        match backend.grain() {
            Grain::Whole if branch.is_none() => self.solve_whole(terms, missing, asides, question, backend),
            _ => self.solve_parts(terms, missing, question, backend, model, modelled),
        }
    }

    /// Solves the missing parts one by one, until one is not satisfiable.
    fn solve_parts(
        &mut self,
        terms: &mut Terms,
        missing: &[Part],
        question: Question,
        backend: &mut dyn Backend,
        mut model: Model,
        mut modelled: bool,
    ) -> Answer {
        let mut unknown = None;
        for (i, part) in missing.iter().enumerate() {
            // The same question twice in one query is solved once.
            if missing[..i].iter().any(|p| p.canonical.key == part.canonical.key) {
                let record = self.fetch_for(part);
                if let Some(Known::Sat { model: covered }) = self.climb_key(terms, part, record, &mut model) {
                    modelled &= covered;
                    continue;
                }
            }
            // Sets that are found by logic match more when they are cores.
            let want_core = self.options.reuse >= Reuse::Subset && self.options.strict.is_none();
            let task = Task { constraints: &part.constraints, asides: &[], question, want_core };
            let solved = self.ask(terms, task, backend);
            match &solved.verdict {
                Verdict::Unknown(why) => unknown = Some(why.clone()),
                Verdict::Unsat => {
                    let why = Why::of_part(solved.core.as_ref());
                    self.record_unsat(terms, part, &solved, why, backend);
                    let core = solved.core.and_then(|core| self.origins.core_of_query(terms, core));
                    return Answer::solved(Verdict::Unsat, None, core);
                }
                Verdict::Sat => {
                    self.record_sat(terms, part, &solved, backend.name(), 1);
                    modelled &= solved.model.is_some();
                    for (symbol, value) in solved.model.iter().flat_map(Model::iter) {
                        translate::merge(terms, &mut model, symbol, value, &part.canonical.leaves);
                    }
                }
            }
        }
        match unknown {
            Some(why) => Answer::solved(Verdict::Unknown(why), None, None),
            None => Answer::solved(Verdict::Sat, modelled.then_some(model), None),
        }
    }

    /// Has the whole query solved, and records what that says about the missing parts.
    fn solve_whole(
        &mut self,
        terms: &mut Terms,
        missing: &[Part],
        asides: &[Aside],
        question: Question,
        backend: &mut dyn Backend,
    ) -> Answer {
        let all: Vec<TermId> = missing.iter().flat_map(|p| p.constraints.iter().copied()).collect();
        // Without a store nothing is kept with the verdict, and the client asks its solver itself.
        let question = if self.store.is_some() { question } else { Question::Sat };
        let task = Task { constraints: &all, asides, question, want_core: false };
        let solved = self.ask(terms, task, backend);
        match &solved.verdict {
            Verdict::Unknown(_) => {}
            Verdict::Sat => {
                for part in missing {
                    self.record_sat(terms, part, &solved, backend.name(), missing.len());
                }
            }
            // Every other part is known to be satisfiable, so it is these.
            Verdict::Unsat => {
                let why = Why::of_query(solved.core.as_ref());
                match self.locate(terms, missing, &solved, backend) {
                    Located::Last(part) => self.record_unsat(terms, part, &solved, why, backend),
                    Located::Alone(part, core) => {
                        let why = Why::of_part(core.as_ref());
                        self.record_unsat(terms, part, &solved, why, backend);
                    }
                    Located::Unknown => {
                        let joint = self.joint(terms, missing, asides);
                        self.record_unsat(terms, &joint, &solved, why, backend);
                        self.note_together(missing);
                    }
                }
            }
        }
        Answer::solved(solved.verdict, solved.model, solved.core)
    }

    /// Which of several parts is unsatisfiable, when they are together: the one that the core names, or else
    /// the one that turns out to be when parts are solved one by one. The last one left needs no solving.
    fn locate<'p>(
        &mut self,
        terms: &mut Terms,
        missing: &'p [Part],
        solved: &Solved,
        backend: &mut dyn Backend,
    ) -> Located<'p> {
        if let [part] = missing {
            return Located::Last(part);
        }
        let mut suspects: Vec<&Part> = match &solved.core {
            Some(core) => self.touched(missing, core),
            None => missing.iter().collect(),
        };
        // Quantifiers are all in one part, and only the client's own options make a solver good at them: that
        // part comes last and so is never solved here.
        let quantified = |p: &&Part| p.constraints.iter().any(|&c| terms.traits(c).has(Traits::QUANTIFIED));
        suspects.sort_by_key(|p| (quantified(p), p.constraints.len()));
        let Some((last, rest)) = suspects.split_last() else { return Located::Unknown };
        for part in rest {
            let start = Instant::now();
            let alone = backend.solve_part(terms, &part.constraints);
            self.stats.add(Stage::Solve, start.elapsed());
            let Some(alone) = alone else { return Located::Unknown };
            self.stats.solved += 1;
            match alone.verdict {
                Verdict::Sat => self.record_sat(terms, part, &alone, backend.name(), 1),
                Verdict::Unsat => return Located::Alone(part, alone.core),
                Verdict::Unknown(_) => return Located::Unknown,
            }
        }
        Located::Last(last)
    }
}
