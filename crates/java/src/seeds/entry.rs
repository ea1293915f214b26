//! Where an exploration with old tests begins, and what it says of them.

use super::super::decisions::Decisions;
use super::super::exploration::Exploration;
use super::super::inputs::Inputs;
use super::super::program::{MethodRef, ProgramError};
use super::super::run::Run;
use super::{OldTests, Retirement, SeedSet, Seeding, TestGuide};
use evergreen_explore::{Explorer, Options, Seeds};
use std::cell::RefCell;
use std::rc::Rc;

impl Exploration {
    /// Begins to explore a method, or a range of its paths, with the tests of an older version: a path that one of them takes keeps its inputs,
    /// and no solver is asked whether it is feasible.
    pub fn seeded(
        &mut self,
        method: &MethodRef,
        inputs: &Inputs,
        options: Options,
        old: OldTests,
    ) -> Result<Run<'_>, ProgramError> {
        let (start, path, model) = self.begin(method, inputs)?;
        let watched = self.watch(method, inputs, &path)?;
        let (range, trust) = (old.range.clone(), old.old);
        let decisions = Decisions::of(&self.program);
        let (mut set, mut retired) = SeedSet::new(&self.jvm, method, decisions, old);
        let models = set.models(&mut self.jvm, &start, &path.constraints(), &mut retired);
        let set = Rc::new(RefCell::new(set));
        let seeds = Seeds { models, guide: Box::new(TestGuide(set.clone())), old: trust };
        let explorer = Explorer::seeded(&mut self.oracle, start, path, model, seeds, range, options);
        let explorer = explorer.map_err(|e| {
            ProgramError(format!("test {} cannot bound the range: it takes no path of {method}", e.seed + 1))
        })?;
        let mut run = self.run(method, inputs, explorer);
        run.watched = watched;
        run.seeding = Some(Seeding { set, retired });
        Ok(run)
    }
}

impl Run<'_> {
    /// The old tests that no path has kept so far, and why. A test that is neither here nor told with a path was not reached: the
    /// exploration was cut before.
    pub fn retired(&self) -> Vec<(usize, Retirement)> {
        self.seeding.as_ref().map_or_else(Vec::new, |seeding| seeding.all_retired(self.explorer.retired()))
    }
}
