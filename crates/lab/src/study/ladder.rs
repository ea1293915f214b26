//! The library as a technique: *green*, *klee* and *greentrie*, exactly as the papers have them; *exact*,
//! *subset*, *logical*, *ladder* and *combined*, with more rungs of our reuse ladder each time.
//!
//! The library gets only constraints that the path is known to be satisfiable with; what has come since is
//! one new constraint to it. In a stream of an exploration that is the last frame; in other scripts it may be
//! several.

use super::technique::{Counts, Models, Said, Technique, Verdict};
use evergreen::solver::{Command, Limits, PipeSolver, Problem, Solver};
use evergreen::store::Memory;
use evergreen::{
    Evergreen, Fun, Question, Reuse, Rung, Technique as Strict, TermId, Terms, Verdict as Answered,
};
use std::sync::Arc;

/// Room for every record: eviction would make a technique solve twice.
const STORE_BYTES: usize = 1 << 30;

/// Which rungs of the ladder are used.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rungs {
    /// A technique of the papers, which has no other rungs.
    pub strict: Option<Strict>,
    /// How far up.
    pub reuse: Reuse,
    /// Whether linear integer constraints are decided without a process.
    pub native: bool,
    /// Whether rungs that do not pay are tried rarely.
    pub regulate: bool,
}

/// A setting of the library.
pub(super) struct Ladder {
    evergreen: Evergreen,
    models: Models,
    /// The whole path.
    path: Vec<TermId>,
}

impl Ladder {
    /// The library with a solver and an empty store of its own.
    pub(super) fn new(command: &Command, rungs: Rungs, models: Models) -> Result<Ladder, String> {
        let mut solver = PipeSolver::new(command.clone(), Limits::default());
        if rungs.reuse == Reuse::Full {
            solver = solver.keeping_stack();
        }
        // Starting processes is not timed for the others either. The upper levels ask for cores, which has a
        // process of its own.
        for want_core in [false, true] {
            if !want_core || (rungs.strict.is_none() && rungs.reuse >= Reuse::Subset) {
                let first = Problem { constraints: vec!["true".into()], want_core, ..Problem::default() };
                solver.check(&first).map_err(|e| e.to_string())?;
            }
        }
        let builder =
            Evergreen::builder().with_store(Arc::new(Memory::new(STORE_BYTES))).with_solver(Box::new(solver));
        let builder = match rungs.strict {
            Some(technique) => builder.strict(technique),
            None => builder.reuse(rungs.reuse).native(rungs.native).regulate(rungs.regulate),
        };
        let evergreen = builder.build().map_err(|e| e.to_string())?;
        Ok(Ladder { evergreen, models, path: Vec::new() })
    }
}

impl Technique for Ladder {
    fn terms(&mut self) -> &mut Terms {
        self.evergreen.terms()
    }

    fn begin(&mut self, _logic: Option<&str>, _constraints: &[TermId]) -> Result<(), String> {
        Ok(())
    }

    fn extend(&mut self, constraint: TermId) {
        self.path.push(constraint);
    }

    fn retract(&mut self, count: usize) {
        self.path.truncate(self.path.len().saturating_sub(count));
        while self.evergreen.depth() > self.path.len() {
            self.evergreen.pop();
        }
    }

    fn check(&mut self) -> Result<Said, String> {
        let known = self.evergreen.depth();
        let new = match self.path[known..] {
            [only] => only,
            [] => self.evergreen.terms().bool(true),
            ref several => {
                let several = several.to_vec();
                self.evergreen.app(Fun::And, &several).map_err(|e| e.to_string())?
            }
        };
        let question = if self.models == Models::Read { Question::Model } else { Question::Sat };
        let answer = self.evergreen.branch(new, question).map_err(|e| e.to_string())?;
        let verdict = match answer.verdict {
            Answered::Sat => Verdict::Sat,
            Answered::Unsat => Verdict::Unsat,
            Answered::Unknown(_) => Verdict::Unknown,
        };
        if verdict == Verdict::Sat {
            for &constraint in &self.path[known..] {
                self.evergreen.push_feasible(&[constraint]).map_err(|e| e.to_string())?;
            }
        }
        // What is at hand when none was asked for is a model of the slice.
        Ok(Said { verdict, model: answer.model.filter(|_| self.models == Models::Read) })
    }

    fn counts(&self) -> Counts {
        let stats = self.evergreen.stats();
        let others = Rung::ALL.into_iter().filter(|r| !r.decides());
        let reused = others.map(|r| (r.name(), stats.hits(r))).collect();
        let native = Rung::ALL.into_iter().filter(|r| r.decides()).map(|r| stats.hits(r)).sum();
        Counts { calls: stats.solved, native, reused }
    }
}
