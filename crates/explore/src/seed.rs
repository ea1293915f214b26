//! Seeds: inputs from elsewhere (the tests of an older version, say) that guide the exploration.
//!
//! The seeds that lead to an open state travel with it. At a branch each seed is evaluated on the arms and
//! follows the arm that it satisfies: an arm with a seed is feasible, with that seed's values as its
//! model, and the oracle is not asked [Makhdoom ASE'14, Algorithm 1]. Evaluating is linear in the
//! condition; solving is not.
//!
//! We leave the paper where no seed takes an arm. The paper treats such an arm as infeasible as long as every
//! seed of the node is where it was on the older version ([`Old::TrustInfeasible`]): right if the older
//! exploration was complete and the arm has the same meaning, and a missed path if a condition has changed
//! without moving a test. The default asks the oracle: where nothing has changed, the store has the answer.

use crate::{Arm, Bound, Machine, Oracle, Trail};
use std::fmt;
use std::rc::Rc;

/// How far an exploration trusts the older one that its seeds come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Old {
    /// Nothing: an arm that no seed takes is asked about.
    #[default]
    TrustNothing,
    /// An arm that no seed takes is infeasible, if every seed of its node is where it was: the rule of the
    /// paper. May miss feasible paths; the summary counts the arms left out.
    TrustInfeasible,
}

/// The machine's side of seeds: their free choices and recorded paths.
pub trait SeedGuide<M: Machine, Model> {
    /// A state with this seed has stopped before `arms` or, if there are none, at its end. Gives the
    /// model values for inputs that the path has met and the model lacks. The error says why the
    /// inputs met do not fit the seed.
    fn meet(
        &mut self,
        machine: &mut M,
        state: &M::State,
        arms: &[Arm<M::Constraint>],
        seed: usize,
        model: &mut Model,
    ) -> Result<(), String>;

    /// Which of the arms of a free choice a seed takes; or why it takes none.
    fn choose(
        &mut self,
        machine: &mut M,
        state: &M::State,
        arms: &[Arm<M::Constraint>],
        seed: usize,
    ) -> Result<usize, String>;

    /// Whether a seed, after `trail`, took this arm on the older version too.
    fn followed(&mut self, machine: &mut M, seed: usize, trail: &Trail, arm: &Arm<M::Constraint>) -> bool;
}

/// For machines whose inputs are known from the start, without free choices and recorded paths.
pub struct NoChoices;

impl<M: Machine, Model> SeedGuide<M, Model> for NoChoices {
    fn meet(
        &mut self,
        _: &mut M,
        _: &M::State,
        _: &[Arm<M::Constraint>],
        _: usize,
        _: &mut Model,
    ) -> Result<(), String> {
        Ok(())
    }

    fn choose(
        &mut self,
        _: &mut M,
        _: &M::State,
        _: &[Arm<M::Constraint>],
        _: usize,
    ) -> Result<usize, String> {
        Err("it has no recorded choices".into())
    }

    fn followed(&mut self, _: &mut M, _: usize, _: &Trail, _: &Arm<M::Constraint>) -> bool {
        true
    }
}

/// The seeds of an exploration, and how far it trusts the exploration that they come from.
pub struct Seeds<M: Machine, Model> {
    /// Their numbers and models.
    pub models: Vec<(usize, Model)>,
    /// The machine's side of them.
    pub guide: Box<dyn SeedGuide<M, Model>>,
    /// How far the exploration that they come from is trusted.
    pub old: Old,
}

/// Why a seed leads to no path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Retired {
    /// The conditions that the exploration begins with do not hold.
    Unfit,
    /// It satisfies no arm of a branch: its values are outside what the machine considers.
    Nowhere,
    /// The inputs that the path has met do not fit it, or it takes no arm of a free choice;
    /// the text gives the reason.
    Misfit(String),
    /// A bound cut its path.
    Cut(Bound),
    /// Its path is outside the range.
    OutOfRange,
}

impl fmt::Display for Retired {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Retired::Unfit => write!(out, "an assumption does not hold"),
            Retired::Nowhere => write!(out, "it satisfies no arm of a branch"),
            Retired::Misfit(why) => write!(out, "{why}"),
            Retired::Cut(bound) => write!(out, "cut by --{}", bound.name()),
            Retired::OutOfRange => write!(out, "outside the range"),
        }
    }
}

/// A seed on its way.
#[derive(Clone)]
pub(crate) struct Carried<Model> {
    pub(crate) number: usize,
    pub(crate) model: Model,
    /// Whether it has left the path that it took on the older version.
    pub(crate) strayed: bool,
}

/// The seeds that lead to an open state; none is the usual case, and costs nothing.
pub(crate) type Company<Model> = Option<Rc<Vec<Carried<Model>>>>;

pub(crate) fn numbers<Model>(company: &Company<Model>) -> Vec<usize> {
    company.iter().flat_map(|seeds| seeds.iter()).map(|seed| seed.number).collect()
}

/// The seeds of one branch, by the arms that they take.
pub(crate) struct Split<Model> {
    arms: Vec<Vec<Carried<Model>>>,
    /// Whether a seed of the node is not where it was.
    strayed: bool,
}

impl<Model: Clone> Split<Model> {
    /// Where there are no seeds.
    pub(crate) const NONE: Split<Model> = Split { arms: Vec::new(), strayed: false };

    /// The model of the first seed that takes an arm.
    pub(crate) fn model(&self, arm: usize) -> Option<&Model> {
        self.arms.get(arm)?.first().map(|seed| &seed.model)
    }

    /// Which arm a seed takes.
    pub(crate) fn arm_of(&self, number: usize) -> Option<usize> {
        self.arms.iter().position(|seeds| seeds.iter().any(|seed| seed.number == number))
    }

    /// Whether there are seeds, and each is where it was.
    pub(crate) fn is_as_before(&self) -> bool {
        !self.strayed && self.arms.iter().any(|seeds| !seeds.is_empty())
    }

    /// Takes out the seeds of an arm.
    pub(crate) fn take(&mut self, arm: usize) -> Vec<Carried<Model>> {
        self.arms.get_mut(arm).map(std::mem::take).unwrap_or_default()
    }
}

/// The state of the seeds of an exploration.
pub(crate) struct Seeding<M: Machine, Model> {
    guide: Box<dyn SeedGuide<M, Model>>,
    old: Old,
    pub(crate) retired: Vec<(usize, Retired)>,
}

impl<M: Machine, Model: Clone> Seeding<M, Model> {
    /// Begins with the seeds for which the conditions of the start hold.
    pub(crate) fn begin<O: Oracle<M::Constraint, Model = Model>>(
        oracle: &mut O,
        conditions: &[M::Constraint],
        seeds: Seeds<M, Model>,
    ) -> (Seeding<M, Model>, Company<Model>) {
        let mut seeding = Seeding { guide: seeds.guide, old: seeds.old, retired: Vec::new() };
        let mut company = Vec::new();
        for (number, model) in seeds.models {
            if conditions.iter().all(|&condition| oracle.holds(condition, &model)) {
                company.push(Carried { number, model, strayed: false });
            } else {
                seeding.retired.push((number, Retired::Unfit));
            }
        }
        (seeding, (!company.is_empty()).then(|| Rc::new(company)))
    }

    pub(crate) fn trusts_infeasible(&self) -> bool {
        self.old == Old::TrustInfeasible
    }

    pub(crate) fn retire(&mut self, company: impl IntoIterator<Item = usize>, why: &Retired) {
        self.retired.extend(company.into_iter().map(|number| (number, why.clone())));
    }

    /// Sends each seed along the arm that it satisfies.
    pub(crate) fn split_branch<O: Oracle<M::Constraint, Model = Model>>(
        &mut self,
        machine: &mut M,
        oracle: &mut O,
        company: &[Carried<Model>],
        trail: &Trail,
        arms: &[Arm<M::Constraint>],
    ) -> Split<Model> {
        self.split(machine, company, trail, arms, |_, _, seed| {
            let arm = arms.iter().position(|arm| oracle.holds(arm.constraint, &seed.model));
            arm.ok_or(Retired::Nowhere)
        })
    }

    /// Sends each seed along the arm of a free choice that it has.
    pub(crate) fn split_choice(
        &mut self,
        machine: &mut M,
        state: &M::State,
        company: &[Carried<Model>],
        trail: &Trail,
        arms: &[Arm<M::Constraint>],
    ) -> Split<Model> {
        self.split(machine, company, trail, arms, |guide, machine, seed| {
            guide.choose(machine, state, arms, seed.number).map_err(Retired::Misfit)
        })
    }

    fn split(
        &mut self,
        machine: &mut M,
        company: &[Carried<Model>],
        trail: &Trail,
        arms: &[Arm<M::Constraint>],
        mut way: impl FnMut(&mut dyn SeedGuide<M, Model>, &mut M, &Carried<Model>) -> Result<usize, Retired>,
    ) -> Split<Model> {
        let mut split = Split { arms: vec![Vec::new(); arms.len()], strayed: false };
        for seed in company {
            let at = way(&mut *self.guide, machine, seed);
            match at.map(|at| (at, arms.get(at))) {
                Ok((at, Some(arm))) => {
                    let trusts = self.old == Old::TrustInfeasible;
                    let strayed =
                        seed.strayed || (trusts && !self.guide.followed(machine, seed.number, trail, arm));
                    split.strayed |= strayed;
                    split.arms[at].push(Carried { strayed, ..seed.clone() });
                }
                Ok((_, None)) => {
                    split.strayed = true;
                    self.retired.push((seed.number, Retired::Nowhere));
                }
                Err(why) => {
                    split.strayed = true;
                    self.retired.push((seed.number, why));
                }
            }
        }
        split
    }

    /// Gives the models values for the inputs that a state has met, and keeps only the seeds
    /// that fit them. If a seed does not fit, the program has changed here, so the remaining
    /// seeds no longer count as unmoved.
    pub(crate) fn meet(
        &mut self,
        machine: &mut M,
        state: &M::State,
        arms: &[Arm<M::Constraint>],
        company: &mut Vec<Carried<Model>>,
    ) {
        let before = company.len();
        company.retain_mut(|seed| {
            match self.guide.meet(machine, state, arms, seed.number, &mut seed.model) {
                Ok(()) => true,
                Err(why) => {
                    self.retired.push((seed.number, Retired::Misfit(why)));
                    false
                }
            }
        });
        if company.len() < before {
            company.iter_mut().for_each(|seed| seed.strayed = true);
        }
    }
}
