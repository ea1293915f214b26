//! A program, a machine that runs it and an oracle that knows what is feasible; and the paths of its entries.

use crate::frontend::{Begun, Frontend, StateOf};
use crate::path::ProgramError;
use crate::{Entry, Language, Run};
use evergreen::Event;
use evergreen_deciding::probability::{Masses, Measure, Watched};
use evergreen_deciding::{BranchOracle, Excluded, Maker};
use evergreen_explore::{Explorer, Feasibility, Options, Oracle, Path, Sampling};
use evergreen_symbolic::{Assignment, Cond, Exprs};
use std::cell::RefCell;
use std::rc::Rc;

/// A program ready to be explored, entry by entry.
pub struct Exploration<F: Frontend> {
    /// What runs the program.
    pub front: F,
    pub(crate) oracle: BranchOracle,
    pub(crate) exprs: Rc<RefCell<Exprs>>,
    measure: Option<Measure>,
}

pub(crate) type EntryOf<F> = <<F as Frontend>::Language as Language>::Entry;
pub(crate) type InputsOf<F> = <<F as Frontend>::Language as Language>::Inputs;

/// The state in which an entry begins, what is assumed then, and a model of that.
pub(crate) type Beginning<F> = (StateOf<F>, Path<Cond>, Assignment);

impl<F: Frontend> Exploration<F> {
    /// Explores what a front end runs; `exprs` are the expressions of its machine, `make` makes an
    /// [`evergreen::Evergreen`] for each writing of conditions.
    pub fn new(front: F, exprs: Rc<RefCell<Exprs>>, make: Maker) -> Exploration<F> {
        let oracle = BranchOracle::new(exprs.clone(), make);
        Exploration { front, oracle, exprs, measure: None }
    }

    /// The oracle, for its counters.
    pub fn oracle(&self) -> &BranchOracle {
        &self.oracle
    }

    /// The front end and the oracle, for questions beside an exploration.
    pub fn parts(&mut self) -> (&mut F, &mut BranchOracle) {
        (&mut self.front, &mut self.oracle)
    }

    /// The expressions of the machine.
    pub fn exprs(&self) -> &Rc<RefCell<Exprs>> {
        &self.exprs
    }

    /// Asks about every arm again, including those that a check has excluded.
    pub(crate) fn forget_excluded(&mut self) {
        self.oracle.excluded = Excluded::default();
    }

    /// Counts probabilities from the next entry on.
    ///
    /// # Errors
    /// No counter can be made.
    pub fn measure(&mut self, measure: Measure) -> Result<(), ProgramError> {
        let masses = self.oracle.measure().map_err(|e| ProgramError(e.to_string()))?;
        masses.every_arm = measure.every_arm;
        // The domain of the inputs must be known before the first entry begins, which says what is wrong.
        let _ = self.front.can_measure();
        self.measure = Some(measure);
        Ok(())
    }

    /// The events of counts so far, if an [`evergreen::Evergreen`] that keeps them was made.
    pub fn take_count_events(&mut self) -> Vec<Event> {
        self.oracle.masses_mut().map_or_else(Vec::new, Masses::take_events)
    }

    /// Begins to explore an entry.
    ///
    /// # Errors
    /// There is no such entry, its inputs cannot be made, or no input satisfies what is assumed.
    pub fn entry(
        &mut self,
        entry: &EntryOf<F>,
        inputs: &InputsOf<F>,
        options: Options,
    ) -> Result<Run<'_, F>, ProgramError> {
        let (start, path, model) = self.begin(entry, inputs)?;
        let watched = self.watch(entry, inputs, &path)?;
        self.oracle.draw(options.sampling == Sampling::Everywhere);
        let explorer = Explorer::under(start, path, model, options);
        let mut run = Run::new(self, entry, inputs, explorer);
        run.watched = watched;
        Ok(run)
    }

    /// The state in which an entry begins, what is assumed then, and a model of that.
    ///
    /// # Errors
    /// As [`Exploration::entry`].
    pub fn begin(&mut self, entry: &EntryOf<F>, inputs: &InputsOf<F>) -> Result<Beginning<F>, ProgramError> {
        let Begun { start, conditions, assumptions, within } = self.front.begin(entry, inputs)?;
        let (path, model) = self.assume(&conditions, &assumptions, &within)?;
        Ok((start, path, model))
    }

    /// Begins to count for an entry, if probabilities are wanted; `path` is what is assumed of its inputs.
    pub(crate) fn watch(
        &mut self,
        entry: &EntryOf<F>,
        inputs: &InputsOf<F>,
        path: &Path<Cond>,
    ) -> Result<Option<Watched>, ProgramError> {
        let Some(measure) = &self.measure else { return Ok(None) };
        self.front.can_measure()?;
        let front = &self.front;
        let names = entry.parameter_names();
        let is_own = |name: &str| names.contains(&name);
        let mut input = |exprs: &mut Exprs, name: &str| front.input(exprs, entry, inputs, name);
        let watched = Watched::begin(&mut self.oracle, measure, path, &is_own, &mut input);
        watched.map(Some).map_err(ProgramError)
    }

    /// The path of the assumptions, and a model of it.
    fn assume(
        &mut self,
        conditions: &[Cond],
        said: &str,
        within: &str,
    ) -> Result<(Path<Cond>, Assignment), ProgramError> {
        let mut path = Path::new();
        let mut model = self.oracle.start();
        for &condition in conditions.iter().filter(|c| **c != Cond::TRUE) {
            let feasible = match condition {
                Cond::FALSE => Feasibility::Infeasible,
                condition if self.oracle.holds(condition, &model) => Feasibility::Feasible(model.clone()),
                condition => self.oracle.ask(&path, &model, condition),
            };
            match feasible {
                Feasibility::Feasible(next) => model = next,
                Feasibility::Infeasible => {
                    return Err(ProgramError(format!("no input satisfies the assumptions '{said}'{within}")));
                }
                Feasibility::Unknown => {
                    return Err(ProgramError(format!("the assumptions '{said}' could not be decided")));
                }
            }
            path = path.with(condition);
        }
        Ok((path, model))
    }
}
