//! Random walks: a state that follows random inputs from the start to the end of one path.
//!
//! A walk asks nothing and leaves no arm for later, so it goes where bounded inputs or a search that is cut
//! do not: into loops of many rounds, and behind calls that a path would have to make one by one [Pacheco
//! ICSE'07, who make objects by random calls]. Its conditions are those of its path, and hold for its inputs.
//! A walk is a function of its number; what it finds is counted nowhere, and belongs to no exploration.

use super::{End, Explorer, FoundOf, Open, OpenOf, found};
use crate::{Arm, Machine, Oracle, Path, Pause, Random, Sampling, Step};

/// Of all random choices.
const SEED: u64 = 0x77a1_4b3d_0c52;

/// Instructions to a first branch that each exploration can do again.
const FAR: u64 = 1 << 22;

/// Branches of one walk: each is evaluated.
const MOST_BRANCHES: usize = 4_096;

/// Times that inputs of one walk may be refused, and how many branches it then goes back at most.
const MOST_REFUSED: u32 = 24;
const MOST_BACK: usize = 12;

/// Branches that a walk may come back to, from its beginning: inputs are made there.
const MOST_STOPS: usize = 256;

impl<M: Machine, O: Oracle<M::Constraint>> Explorer<M, O> {
    /// Whether nothing is assumed of inputs, and the exploration begins with all of them.
    pub fn is_free(&self) -> bool {
        let is_whole = self.range.is_everything() && self.seeding.is_none();
        is_whole && self.origin.as_ref().is_some_and(|(_, path)| path.constraints().is_empty())
    }

    /// Keeps the state at the first branch, if it is far from the beginning: initializers of classes may be
    /// most of a walk.
    pub(super) fn keep_first(&mut self, machine: &M, state: &M::State, is_free: bool) {
        let begun = self.origin.as_ref().map_or(0, |(origin, _)| machine.steps(origin));
        if machine.steps(state).saturating_sub(begun) > FAR {
            self.first = Some(Stop { open: state.clone(), arms: self.arms.clone(), is_free });
        }
    }

    /// Goes to the first branch, where all walks begin; `false` if there is none near the beginning.
    fn go_first(&mut self, machine: &mut M) -> bool {
        if self.first.is_none() {
            let Some((mut state, _)) = self.origin.clone() else { return false };
            let mut arms = Vec::new();
            let is_free = match machine.run(&mut state, FAR, &mut arms) {
                Pause::Branch => false,
                Pause::Choice => true,
                Pause::OutOfSteps | Pause::Ended(_) | Pause::Met => return false,
            };
            self.first = Some(Stop { open: state, arms, is_free });
        }
        true
    }

    /// Follows random inputs of this number from the first branch on, for so many instructions at most.
    /// `None` if the walk ends nowhere.
    ///
    /// Where inputs are refused, some of the last are drawn again: a constructor that asks for two arrays of
    /// one length gets them at last.
    pub fn walk(
        &mut self,
        machine: &mut M,
        oracle: &mut O,
        number: u32,
        steps: u64,
    ) -> Option<FoundOf<M, O>> {
        if !self.go_first(machine) {
            return None;
        }
        let Stop { open: state, arms, is_free } = self.first.clone()?;
        let mut stop = Stop { open: Open::at(state, Path::new(), oracle.start()), arms, is_free };
        let mut known = oracle.scatter(&mut stop.open.model, &stop.open.path, 0, number);
        let mut random = Random::for_index(SEED, u64::from(number));
        let (mut left, mut last, mut refused) = (steps, None, 0);
        let mut stops: Vec<Stop<OpenOf<M, O>, M::Constraint>> = Vec::new();
        while stop.open.trail.depth() < MOST_BRANCHES {
            let mut open = stop.open.clone();
            if stop.is_free {
                let at = pick(&mut random, &stop.arms, &mut last);
                go(machine, &mut open, &stop.arms, at, false);
            } else {
                let at = stop.arms.iter().position(|arm| oracle.holds(arm.constraint, &open.model))?;
                open.path = open.path.with(stop.arms[at].constraint);
                go(machine, &mut open, &stop.arms, at, true);
            }
            if stops.len() < MOST_STOPS {
                stops.push(stop);
            }
            stop = loop {
                let mut arms = Vec::new();
                let before = machine.steps(&open.state);
                let pause = machine.run(&mut open.state, left, &mut arms);
                left = left.checked_sub(machine.steps(&open.state).saturating_sub(before))?;
                known = oracle.scatter(&mut open.model, &open.path, known, number);
                match pause {
                    Pause::Branch => break Stop { open, arms, is_free: false },
                    Pause::Choice => break Stop { open, arms, is_free: true },
                    Pause::Ended(outcome) if machine.refuses(&outcome) => {
                        refused += 1;
                        if refused > MOST_REFUSED {
                            return None;
                        }
                        let back = 1 + random.below(stops.len().clamp(1, MOST_BACK));
                        stops.truncate((stops.len() + 1).checked_sub(back)?);
                        let mut stop = stops.pop()?;
                        let again = number.wrapping_add(refused << 20);
                        known = oracle.scatter(&mut stop.open.model, &stop.open.path, 0, again);
                        break stop;
                    }
                    Pause::Ended(outcome) => {
                        let is_fixed = self.options.sampling == Sampling::Everywhere;
                        let blocked = if is_fixed { machine.blocked(&open.state, &outcome) } else { None };
                        let Some(arm) = blocked else { return Some(found(End::Outcome(outcome), open)) };
                        let fixed = oracle.fix(&[arm.constraint], &open.model)?;
                        machine.fix(&mut open.state, &fixed);
                        open.path = fixed.into_iter().fold(open.path, |path, condition| path.with(condition));
                        open.trail = open.trail.with(step(&arm, 0, true, true));
                    }
                    Pause::OutOfSteps | Pause::Met => return None,
                }
            };
        }
        None
    }
}

/// A state that waits for one of its arms.
#[derive(Clone)]
pub(super) struct Stop<Open, C> {
    open: Open,
    arms: Vec<Arm<C>>,
    /// Whether inputs are free to take any.
    is_free: bool,
}

fn go<M: Machine, Model>(
    machine: &mut M,
    open: &mut Open<M::State, M::Constraint, Model>,
    arms: &[Arm<M::Constraint>],
    at: usize,
    grew: bool,
) {
    machine.take(&mut open.state, at);
    open.trail = open.trail.with(step(&arms[at], at as u32, grew, false));
}

fn step<C>(arm: &Arm<C>, at: u32, grew: bool, sampled: bool) -> Step {
    Step { site: arm.site, index: arm.index, times: 0, at, grew, sampled }
}

/// An arm of a free choice. What was chosen last at the place is mostly chosen again: an object is filled
/// by calls of one method more often than by one of each. The first arm, which null is where there is one, is
/// chosen less often than others.
fn pick<C>(random: &mut Random, arms: &[Arm<C>], last: &mut Option<(crate::Site, usize, usize)>) -> usize {
    let (site, count) = (arms[0].site, arms.len());
    let again = last.filter(|(place, of, at)| (*place, *of) == (site, count) && *at > 0);
    let at = match again {
        Some((_, _, at)) if random.below(4) > 0 => at,
        _ => match random.below(count) {
            0 => random.below(count),
            at => at,
        },
    };
    *last = Some((site, count, at));
    at
}
