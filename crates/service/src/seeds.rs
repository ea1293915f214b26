//! Old tests as seeds of an exploration [Makhdoom ASE'14].
//!
//! A test fits an entry if its arguments are those that the entry takes; the front end decides. Its values go
//! into a model as the machine meets the inputs; at a free choice it takes what its objects have there. At
//! the end of a path the front end compares the whole input once more: a test that does not take its path is
//! not kept.

mod ends;
mod entry;

use crate::Language;
use crate::exploration::EntryOf;
use crate::frontend::{Frontend, StateOf};
use evergreen_explore::{Arm, Old, Range, SeedGuide, Site, Trail};
use evergreen_suite::{Decision, Format};
use evergreen_symbolic::{Assignment, Cond, Const, Input};
use rustc_hash::FxHashSet;
use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt;
use std::rc::Rc;

pub use ends::Followed;
pub(crate) use ends::{Ended, Seeding};

type CaseOf<F> = <<F as Frontend>::Language as Format>::Case;
type Decisions<M> = Box<dyn FnMut(&M, Site, u32) -> Option<Decision>>;

/// Tests of an older version, and how they are used.
#[derive(Clone, Debug)]
pub struct OldTests<L: Language> {
    /// The tests; their numbers are their places here.
    pub tests: Vec<L::Case>,
    /// The decisions that each took when it was recorded; may be missing. Only [`Old::TrustInfeasible`] looks
    /// at them.
    pub paths: Vec<Vec<Decision>>,
    /// What is trusted of the exploration that they are from.
    pub old: Old,
    /// The part of the paths that is explored; seeds that bound it are numbers of tests.
    pub range: Range,
}

impl<L: Language> Default for OldTests<L> {
    fn default() -> OldTests<L> {
        OldTests { tests: Vec::new(), paths: Vec::new(), old: Old::default(), range: Range::default() }
    }
}

/// Why a test is not kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Retirement {
    /// It does not fit the entry or its inputs: why.
    Unfit(String),
    /// This test takes the same path, and comes first.
    SamePath(usize),
    /// A bound cut its path: its name.
    Cut(&'static str),
    /// Its path is outside the range that was explored.
    OutOfRange,
    /// Its path has no test: why.
    NoTest(String),
}

impl fmt::Display for Retirement {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Retirement::Unfit(why) | Retirement::NoTest(why) => write!(out, "{why}"),
            Retirement::SamePath(other) => write!(out, "takes the same path as test {}", other + 1),
            Retirement::Cut(bound) => write!(out, "cut by --{}", bound.replace('_', "-")),
            Retirement::OutOfRange => write!(out, "outside the range"),
        }
    }
}

/// A test on its way.
struct OneSeed<F: Frontend> {
    case: CaseOf<F>,
    inputs: F::Seed,
    /// Its values for the inputs that were met so far; a place of the input has one value, whatever the path.
    model: Assignment,
    known: FxHashSet<Input>,
    /// Values for places of which the test says nothing and its path has read nothing.
    filled: HashMap<String, Const>,
    recorded: Vec<Decision>,
}

impl<F: Frontend> OneSeed<F> {
    /// Learns the test's value for an input, unless it is known.
    fn learn(
        &mut self,
        machine: &mut F::Machine,
        exprs: &RefCell<evergreen_symbolic::Exprs>,
        state: &StateOf<F>,
        input: Input,
    ) -> Result<(), String> {
        if !self.known.insert(input) {
            return Ok(());
        }
        let (name, kind, range) = {
            let exprs = exprs.borrow();
            let info = exprs.input_of(input);
            (F::input_name(machine, state, info.asked_name()), info.kind, info.range)
        };
        let said = F::seed_value(machine, &self.inputs, &name, kind)?;
        let Some(value) = said.or_else(|| self.filled.get(&name).copied()) else { return Ok(()) };
        let exprs = exprs.borrow();
        let mut model = self.model.clone();
        model.set(&exprs, input, value);
        if !exprs.in_range(&[input], &model) {
            let (low, high) = range.unwrap_or(kind.range());
            return Err(format!("its {name} is outside of {low}..{high}"));
        }
        self.model = model;
        Ok(())
    }
}

/// The tests of an exploration as seeds.
pub(crate) struct SeedSet<F: Frontend> {
    seeds: Vec<Option<OneSeed<F>>>,
    decisions: Decisions<F::Machine>,
    entry: EntryOf<F>,
    exprs: Rc<RefCell<evergreen_symbolic::Exprs>>,
}

impl<F: Frontend> SeedSet<F> {
    /// The tests that fit an entry; with those that do not, why.
    pub(crate) fn new(
        front: &F,
        exprs: Rc<RefCell<evergreen_symbolic::Exprs>>,
        entry: &EntryOf<F>,
        old: OldTests<F::Language>,
    ) -> (SeedSet<F>, Vec<(usize, Retirement)>) {
        let mut retired = Vec::new();
        let mut paths = old.paths.into_iter();
        let mut seeds = Vec::with_capacity(old.tests.len());
        for (number, case) in old.tests.into_iter().enumerate() {
            let recorded = paths.next().unwrap_or_default();
            seeds.push(match front.misfit(entry, &case) {
                Some(why) => {
                    retired.push((number, Retirement::Unfit(why)));
                    None
                }
                None => {
                    let inputs = front.seed(entry, &case);
                    let (model, known) = (Assignment::new(), FxHashSet::default());
                    Some(OneSeed { case, inputs, model, known, filled: HashMap::new(), recorded })
                }
            });
        }
        (SeedSet { seeds, decisions: front.decisions(), entry: entry.clone(), exprs }, retired)
    }

    /// Numbers and models of the tests that fit; those for which a value is out of its range are retired.
    pub(crate) fn models(
        &mut self,
        machine: &mut F::Machine,
        start: &StateOf<F>,
        conditions: &[Cond],
        retired: &mut Vec<(usize, Retirement)>,
    ) -> Vec<(usize, Assignment)> {
        let met = self.inputs_of(conditions.iter().copied());
        let mut models = Vec::new();
        for number in 0..self.seeds.len() {
            if self.seeds[number].is_some() {
                match self.learn(machine, start, number, &met) {
                    Ok(model) => models.push((number, model)),
                    Err(why) => retired.push((number, Retirement::Unfit(why))),
                }
            }
        }
        models
    }

    fn seed_mut(&mut self, number: usize) -> Result<&mut OneSeed<F>, String> {
        match self.seeds.get_mut(number) {
            Some(Some(seed)) => Ok(seed),
            _ => Err("there is no such test".into()),
        }
    }

    /// Has a test's model learn its values for inputs that its path has met.
    fn learn(
        &mut self,
        machine: &mut F::Machine,
        state: &StateOf<F>,
        number: usize,
        inputs: &[Input],
    ) -> Result<Assignment, String> {
        let exprs = self.exprs.clone();
        let seed = self.seed_mut(number)?;
        for &input in inputs {
            seed.learn(machine, &exprs, state, input)?;
        }
        Ok(seed.model.clone())
    }

    /// The same for inputs that its path may have met: other inputs may have these names too, with other
    /// types and ranges.
    fn learn_likely(
        &mut self,
        machine: &mut F::Machine,
        state: &StateOf<F>,
        number: usize,
        inputs: &[Input],
    ) -> Result<Assignment, String> {
        let exprs = self.exprs.clone();
        let seed = self.seed_mut(number)?;
        for &input in inputs {
            if seed.learn(machine, &exprs, state, input).is_err() {
                seed.known.remove(&input);
            }
        }
        Ok(seed.model.clone())
    }

    /// Has a test know the values that it had for what it met elsewhere.
    fn remember(&mut self, number: usize, model: &Assignment) {
        if let Some(Some(seed)) = self.seeds.get_mut(number) {
            seed.model = model.clone();
        }
    }

    /// The model of a test as far as it is known.
    pub(crate) fn model(&self, number: usize) -> Option<Assignment> {
        self.seeds.get(number)?.as_ref().map(|seed| seed.model.clone())
    }

    /// Puts the tests of one path first whose recorded path it was: tests from elsewhere must not displace
    /// them.
    pub(crate) fn own_first(&mut self, machine: &F::Machine, trail: &Trail, numbers: &mut [usize]) {
        if numbers.len() < 2 {
            return;
        }
        let path = self.along(machine, trail);
        let seeds = &self.seeds;
        let is_own = |number: usize| {
            seeds.get(number).and_then(Option::as_ref).is_some_and(|seed| seed.recorded == path)
        };
        numbers.sort_by_key(|&number| (!is_own(number), number));
    }

    /// A test.
    pub(crate) fn case(&self, number: usize) -> Option<&CaseOf<F>> {
        self.seeds.get(number)?.as_ref().map(|seed| &seed.case)
    }

    /// Gives a test the values that another input of its path has, where it says nothing and the path has
    /// read nothing.
    fn fill(&mut self, machine: &mut F::Machine, number: usize, state: &StateOf<F>, model: &Assignment) {
        let inputs = self.all_inputs(machine, state);
        let exprs = self.exprs.clone();
        let Some(Some(seed)) = self.seeds.get_mut(number) else { return };
        for input in inputs {
            let exprs = exprs.borrow();
            let name = F::input_name(machine, state, exprs.input_of(input).asked_name());
            seed.filled.insert(name, model.get(&exprs, input));
        }
    }

    /// What a test has met so far, to go back to.
    fn met(&self, number: usize) -> Option<(Assignment, FxHashSet<Input>)> {
        self.seeds.get(number)?.as_ref().map(|seed| (seed.model.clone(), seed.known.clone()))
    }

    /// Undoes the learning since a snapshot.
    fn forget(&mut self, number: usize, met: Option<(Assignment, FxHashSet<Input>)>) {
        if let (Some(Some(seed)), Some((model, known))) = (self.seeds.get_mut(number), met) {
            (seed.model, seed.known) = (model, known);
        }
    }

    /// The decisions of a path.
    pub(crate) fn along(&mut self, machine: &F::Machine, trail: &Trail) -> Vec<Decision> {
        let at = &mut self.decisions;
        let steps = trail.constraints();
        steps.iter().filter_map(|step| at(machine, step.site, step.index)).collect()
    }

    /// Every input that the input of a path which has ended may have.
    fn all_inputs(&self, machine: &F::Machine, state: &StateOf<F>) -> Vec<Input> {
        let exprs = self.exprs.borrow();
        let mut all = Vec::new();
        for name in F::input_names(machine, &self.entry, state) {
            all.extend_from_slice(exprs.named(&name));
        }
        all
    }

    fn inputs_of(&self, conditions: impl Iterator<Item = Cond>) -> Vec<Input> {
        let exprs = self.exprs.borrow();
        let mut all: Vec<Input> =
            conditions.flat_map(|condition| exprs.inputs_of(condition).to_vec()).collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}

/// The machine's side of seeds.
pub struct TestGuide<F: Frontend>(pub(crate) Rc<RefCell<SeedSet<F>>>);

impl<F: Frontend> SeedGuide<F::Machine, Assignment> for TestGuide<F> {
    fn meet(
        &mut self,
        machine: &mut F::Machine,
        state: &StateOf<F>,
        arms: &[Arm<Cond>],
        seed: usize,
        model: &mut Assignment,
    ) -> Result<(), String> {
        let mut set = self.0.borrow_mut();
        *model = match arms {
            [] => {
                let all = set.all_inputs(machine, state);
                set.learn_likely(machine, state, seed, &all)?
            }
            arms => {
                let met = set.inputs_of(arms.iter().map(|arm| arm.constraint));
                set.learn(machine, state, seed, &met)?
            }
        };
        Ok(())
    }

    fn choose(
        &mut self,
        machine: &mut F::Machine,
        state: &StateOf<F>,
        arms: &[Arm<Cond>],
        seed: usize,
    ) -> Result<usize, String> {
        let set = self.0.borrow();
        let Some(Some(seed)) = set.seeds.get(seed) else { return Err("there is no such test".into()) };
        F::seed_choice(machine, state, arms, &seed.inputs)
    }

    /// Whether the next arm after a trail is that of a recorded path.
    fn followed(&mut self, machine: &mut F::Machine, seed: usize, trail: &Trail, arm: &Arm<Cond>) -> bool {
        let SeedSet { seeds, decisions, .. } = &mut *self.0.borrow_mut();
        let Some(recorded) = seeds.get(seed).and_then(Option::as_ref).map(|seed| &seed.recorded) else {
            return false;
        };
        let Some(next) = decisions(machine, arm.site, arm.index) else { return true };
        let before = trail.constraints();
        let before = before.iter().filter(|step| decisions(machine, step.site, 0).is_some()).count();
        recorded.get(before) == Some(&next)
    }
}

impl<F: Frontend> TestGuide<F> {
    /// Passes a test and its values to a closure.
    pub fn look<T>(&self, seed: usize, look: impl FnOnce(&CaseOf<F>, &F::Seed) -> T) -> Option<T> {
        let set = self.0.borrow();
        let seed = set.seeds.get(seed)?.as_ref()?;
        Some(look(&seed.case, &seed.inputs))
    }

    /// Whether a test leaves something open that was asked for since the last call.
    fn leaves_open(&self, seed: usize) -> bool {
        self.look(seed, |_, inputs| F::left_open(inputs)).unwrap_or(false)
    }
}
