//! Where an exploration with old tests begins, and what it reports about them.

use super::{OldTests, Retirement, SeedSet, Seeding, TestGuide};
use crate::exploration::{EntryOf, InputsOf};
use crate::{Exploration, Frontend, ProgramError, Run};
use evergreen_explore::{Explorer, Options, Sampling, Seeds};
use std::cell::RefCell;
use std::rc::Rc;

impl<F: Frontend> Exploration<F> {
    /// Begins to explore an entry, or a range of its paths, with the tests of an older version: a path that
    /// one of them takes keeps its inputs, and no solver is asked whether it is feasible.
    ///
    /// # Errors
    /// As [`Exploration::entry`]; or a test that bounds the range takes no path.
    pub fn seeded(
        &mut self,
        entry: &EntryOf<F>,
        inputs: &InputsOf<F>,
        options: Options,
        old: OldTests<F::Language>,
    ) -> Result<Run<'_, F>, ProgramError> {
        let (start, path, model) = self.begin(entry, inputs)?;
        let watched = self.watch(entry, inputs, &path)?;
        self.oracle.draw(options.sampling == Sampling::Everywhere);
        let (range, trust) = (old.range.clone(), old.old);
        let (mut set, mut retired) = SeedSet::new(&self.front, self.exprs.clone(), entry, old);
        let models = set.models(self.front.machine(), &start, &path.constraints(), &mut retired);
        let set = Rc::new(RefCell::new(set));
        let seeds = Seeds { models, guide: Box::new(TestGuide(set.clone())), old: trust };
        let explorer = Explorer::seeded(&mut self.oracle, start, path, model, seeds, range, options);
        let explorer = explorer.map_err(|e| {
            ProgramError(format!("test {} cannot bound the range: it takes no path of {entry}", e.seed + 1))
        })?;
        let mut run = Run::new(self, entry, inputs, explorer);
        run.watched = watched;
        run.seeding = Some(Seeding { set, retired });
        Ok(run)
    }
}

impl<F: Frontend> Run<'_, F> {
    /// The old tests that no path has kept so far, and why. A test that is neither here nor reported with a
    /// path was not reached: the exploration was cut before.
    pub fn retired(&self) -> Vec<(usize, Retirement)> {
        self.seeding.as_ref().map_or_else(Vec::new, |seeding| seeding.all_retired(self.explorer.retired()))
    }
}
