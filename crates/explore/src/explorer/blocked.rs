//! Paths that the machine cannot follow with symbols go on with concrete values.
//!
//! The inputs on which the blocked operation depends get the values of the path's model, and other inputs
//! stay symbolic: dynamic symbolic execution where symbols end [Godefroid PLDI'05]. One model sees one of
//! many ways behind the operation, so at first a few other models are tried at each place, and some are
//! searched for that take other ways (`aimed.rs`); when nothing else is open, more are (`again.rs`). Each of
//! these paths is sampled, so the exploration is not complete.

use super::{Explorer, Open, OpenOf, newest_arm};
use crate::range::Edges;
use crate::{Arm, Machine, Oracle, Sampling, Step};

/// Visits of a place at which other models are tried, too.
const CURIOUS: u32 = 4;

/// Other models that are tried at such a visit.
const OTHERS: usize = 3;

impl<M: Machine, O: Oracle<M::Constraint>> Explorer<M, O> {
    /// Lets a path that has ended go on with concrete values, if it ended for want of them. Otherwise returns
    /// it.
    pub(super) fn sample(
        &mut self,
        machine: &mut M,
        oracle: &mut O,
        mut open: OpenOf<M, O>,
        outcome: M::Outcome,
    ) -> Option<(OpenOf<M, O>, M::Outcome)> {
        // What a merged state stands for has no model of its own, and an end of a range no way behind a path.
        let may =
            self.options.sampling == Sampling::Everywhere && !open.merged && open.edges == Edges::default();
        if !may {
            return Some((open, outcome));
        }
        let Some(arm) = machine.blocked(&open.state, &outcome) else { return Some((open, outcome)) };
        self.arms.clear();
        self.arms.push(arm);
        if self.fix(oracle, &open).is_none() {
            return Some((open, outcome));
        }
        self.leave_regions(machine, &mut open);
        let visits = self.blocked.entry(arm.site).or_insert(0);
        *visits += 1;
        let is_curious = *visits <= CURIOUS;
        let mut models = vec![open.model.clone()];
        if is_curious {
            models.extend(oracle.others(&open.path, arm.constraint, &open.model, OTHERS));
            self.aim(machine, oracle, &open, arm.constraint, &mut models);
        }
        self.summary.forks += models.len() as u64 - 1;
        if is_curious {
            self.come_back(&open, arm, models.len());
        }
        for (at, model) in models.into_iter().enumerate() {
            self.go_on(machine, oracle, (&open, arm), model, at);
        }
        self.frontier.add(&mut self.children, newest_arm, |child| oracle.rank(&child.path));
        None
    }
    /// Adds a path that goes on from a blocked state with the values of a model: the number of the way says
    /// which of them it is.
    pub(super) fn go_on(
        &mut self,
        machine: &mut M,
        oracle: &mut O,
        (open, arm): (&OpenOf<M, O>, Arm<M::Constraint>),
        model: O::Model,
        at: usize,
    ) {
        let Some(fixed) = oracle.fix(&[arm.constraint], &model) else { return };
        let mut child: Open<_, _, _> = open.clone();
        machine.fix(&mut child.state, &fixed);
        child.path = fixed.into_iter().fold(child.path, |path, condition| path.with(condition));
        child.model = model;
        if at > 0 {
            child.seeds = None;
        }
        let times = child.trail.times(arm.site) + 1;
        let Arm { site, index, .. } = arm;
        child.trail = child.trail.with(Step { site, index, times, at: at as u32, grew: true, sampled: true });
        self.summary.sampled += 1;
        self.children.push(child);
    }
}
