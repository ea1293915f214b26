//! The explorer's side of shares: giving open states away, and resuming states of other explorers.

use super::{Explorer, Open, OpenOf, newest_arm};
use crate::range::Edges;
use crate::seed::Carried;
use crate::{
    Arm, Astray, Bounds, Machine, Oracle, Passenger, Path, Reached, Sampling, Share, Shortcuts, Summary, Way,
    follow,
};
use std::rc::Rc;

impl<M: Machine, O: Oracle<M::Constraint>> Explorer<M, O> {
    /// How many states are open.
    pub fn open_states(&self) -> usize {
        self.frontier.len()
    }

    /// Takes the shallowest open state out of this exploration, unless it is the only one; depth first, it is
    /// the last in the order of paths. The explorer that resumes it explores and counts its subtree. None
    /// where states may be merged: one that was merged has no way that another explorer could follow.
    pub fn give(&mut self) -> Option<Share<O::Model>> {
        if self.frontier.len() < 2 || self.options.merging.is_some() || self.later.len() > 0 {
            return None;
        }
        self.give_any()
    }

    /// As [`Explorer::give`], also the last one: for putting an exploration off.
    pub fn give_any(&mut self) -> Option<Share<O::Model>> {
        let open: OpenOf<M, O> = self.frontier.take_shallowest(|open| open.trail.depth(), newest_arm)?;
        Some(share(&open))
    }

    /// All open states, without taking them out; none while ends of paths wait to be returned, or arms for
    /// their turn. The ends
    /// returned so far and these states together are the whole exploration.
    pub fn open_shares(&self) -> Option<Vec<Share<O::Model>>> {
        (self.ready.is_empty() && self.later.len() == 0).then(|| self.frontier.iter().map(share).collect())
    }

    /// The state that all paths begin with, and its conditions.
    pub fn origin(&self) -> Option<(&M::State, &Path<M::Constraint>)> {
        self.origin.as_ref().map(|(state, path)| (state, path))
    }

    /// Counts what another explorer has counted.
    pub fn count(&mut self, other: &Summary) {
        self.summary.add(other);
    }

    /// Covers the arms of a branch that another explorer has decided, and the one that was taken.
    pub fn cover(&mut self, arms: &[Arm<M::Constraint>], taken: Option<usize>) {
        for arm in arms {
            self.coverage.offer((arm.site, arm.index));
        }
        if let Some(arm) = taken.and_then(|at| arms.get(at)) {
            self.coverage.take((arm.site, arm.index));
        }
    }

    /// Whether some paths may be sampled: see [`Sampling`].
    pub fn samples(&self) -> bool {
        self.options.sampling != Sampling::Never
    }

    /// Which arms need no question.
    pub fn shortcuts(&self) -> Shortcuts {
        self.options.shortcuts
    }

    /// The limits.
    pub fn bounds(&self) -> &Bounds {
        &self.options.bounds
    }

    /// Adds a subtree that an explorer gave away: this one, or another one of the same program that began
    /// with the same conditions, seeds and range. Returns the conditions of the path to it.
    pub fn resume(
        &mut self,
        machine: &mut M,
        oracle: &mut O,
        share: Share<O::Model>,
    ) -> Result<Path<M::Constraint>, Astray> {
        let Some((state, path)) = self.origin.clone() else {
            return Err(Astray { turns: 0, why: "the exploration has no start".into() });
        };
        let fix = |all: &[M::Constraint]| oracle.fix(all, &share.model);
        let reached = follow(machine, state, path, &share.way, self.options.bounds.steps, fix)?;
        let Reached { state, path, trail } = reached;
        let carried = |seed: Passenger<O::Model>| Carried {
            number: seed.number,
            model: seed.model,
            strayed: seed.strayed,
        };
        let seeds: Vec<_> = share.seeds.into_iter().map(carried).collect();
        let seeds = (!seeds.is_empty()).then(|| Rc::new(seeds));
        let edges = Edges { low: share.edges.0, high: share.edges.1 };
        self.open(Open { trail, seeds, edges, ..Open::at(state, path.clone(), share.model) });
        Ok(path)
    }
}

/// An open state as data.
fn share<S, C: Copy, Model: Clone>(open: &Open<S, C, Model>) -> Share<Model> {
    let passenger = |seed: &Carried<Model>| Passenger {
        number: seed.number,
        model: seed.model.clone(),
        strayed: seed.strayed,
    };
    Share {
        way: Way::from(&open.trail),
        seeds: open.seeds.iter().flat_map(|seeds| seeds.iter()).map(passenger).collect(),
        model: open.model.clone(),
        edges: (open.edges.low, open.edges.high),
    }
}
