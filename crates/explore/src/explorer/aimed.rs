//! Samples that are aimed at a branch: where numbers decide a jump, other numbers may take its other way.
//!
//! Behind an operation without symbols no condition says when a jump goes the other way, but running says how
//! far it is from that: the branch distance of search-based testing [McMinn STVR'04]. A model of the path is
//! moved, one input at a time and with steps that double as long as the distance falls [Korel TSE'90], until
//! a jump takes a way that no sample has taken. The search is bounded in runs, not in time, and has no random
//! numbers: every exploration tries the same.

use super::{Explorer, OpenOf};
use crate::{Machine, Nearby, Oracle, Site};

/// Runs of the code behind a blocked operation, for one visit.
const RUNS: u32 = 600;
/// Instructions of a run.
const STEPS: u64 = 20_000;
/// Ways that are searched for, for one visit.
const WANTED: usize = 4;
/// Inputs that are moved.
const INPUTS: usize = 8;
/// The first steps: numbers, and parts of them for floats.
const FIRST: [f64; 4] = [1.0, -1.0, 1e-3, -1e-3];

impl<M: Machine, O: Oracle<M::Constraint>> Explorer<M, O> {
    /// Adds models that take ways which no sample has taken yet.
    pub(super) fn aim(
        &mut self,
        machine: &mut M,
        oracle: &mut O,
        open: &OpenOf<M, O>,
        constraint: M::Constraint,
        models: &mut Vec<O::Model>,
    ) {
        let mut left = RUNS;
        let mut starts: Vec<(O::Model, Vec<Nearby>)> = Vec::new();
        for model in models.iter() {
            let jumps = self.run_with(machine, oracle, open, constraint, model, &mut left);
            self.nearby.extend(jumps.iter().map(|jump| (jump.site, jump.arm)));
            starts.push((model.clone(), jumps));
        }
        let mut wanted: Vec<(Site, u32)> = Vec::new();
        for jump in starts.iter().flat_map(|(_, jumps)| jumps) {
            let other = (jump.site, 1 - jump.arm.min(1));
            if !self.nearby.contains(&other) && !wanted.contains(&other) {
                wanted.push(other);
            }
        }
        for aim in wanted.into_iter().take(WANTED) {
            let near =
                |(model, jumps): &(O::Model, Vec<Nearby>)| Some((distance(jumps, aim)?, model.clone()));
            let nearest = starts.iter().filter_map(near).min_by(|a, b| a.0.total_cmp(&b.0));
            if let Some((best, model)) = nearest
                && !self.nearby.contains(&aim)
            {
                self.climb(machine, oracle, (open, constraint), (aim, model, best), models, &mut left);
            }
        }
    }

    /// Moves one input after the other until the jump goes the other way, or nothing is nearer.
    fn climb(
        &mut self,
        machine: &mut M,
        oracle: &mut O,
        (open, constraint): (&OpenOf<M, O>, M::Constraint),
        (aim, mut model, mut best): ((Site, u32), O::Model, f64),
        models: &mut Vec<O::Model>,
        left: &mut u32,
    ) {
        let inputs = oracle.width(constraint).min(INPUTS);
        loop {
            let before = best;
            for (input, first) in (0..inputs).flat_map(|input| FIRST.map(|first| (input, first))) {
                let mut step = first;
                while *left > 0 {
                    let moved = oracle.moved(&open.path, constraint, &model, input, step);
                    let Some(moved) = moved else { break };
                    let jumps = self.run_with(machine, oracle, open, constraint, &moved, left);
                    let ways = jumps.iter().map(|jump| (jump.site, jump.arm));
                    // Whatever is new is worth a path, wanted or not.
                    if ways.clone().any(|way| !self.nearby.contains(&way)) {
                        self.nearby.extend(ways);
                        models.push(moved.clone());
                    }
                    if self.nearby.contains(&aim) {
                        return;
                    }
                    match distance(&jumps, aim) {
                        Some(now) if now < best => (best, model) = (now, moved),
                        _ => break,
                    }
                    step *= 2.0;
                }
            }
            if *left == 0 || best >= before {
                return;
            }
        }
    }

    /// The jumps behind the operation with the values of a model.
    fn run_with(
        &mut self,
        machine: &mut M,
        oracle: &mut O,
        open: &OpenOf<M, O>,
        constraint: M::Constraint,
        model: &O::Model,
        left: &mut u32,
    ) -> Vec<Nearby> {
        if *left == 0 {
            return Vec::new();
        }
        *left -= 1;
        match oracle.fix(&[constraint], model) {
            Some(fixed) => machine.nearby(&open.state, &fixed, STEPS),
            None => Vec::new(),
        }
    }
}

/// How near some jumps came to taking a way.
fn distance(jumps: &[Nearby], (site, arm): (Site, u32)) -> Option<f64> {
    let own = jumps.iter().filter(|jump| jump.site == site && jump.arm != arm && jump.distance.is_finite());
    own.map(|jump| jump.distance).min_by(f64::total_cmp)
}
