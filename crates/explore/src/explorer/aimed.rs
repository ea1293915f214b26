//! Samples that are aimed at a branch: where numbers decide a jump, other numbers may take its other way.
//!
//! Behind an operation without symbols no condition says when a jump goes the other way, but running says how
//! far it is from that: the branch distance of search-based testing [McMinn STVR'04]. A model of the path is
//! moved, one input at a time and with steps that double as long as the distance falls [Korel TSE'90], until
//! a jump takes a way that no sample has taken. A step that brought it nearer is followed by one to where the
//! distance would end if it were a line, as that of a scaled number is. The search is bounded in runs, not in
//! time, and has no random numbers: every exploration tries the same.

use super::{Explorer, OpenOf};
use crate::{Machine, Nearby, Oracle, Site};

/// Instructions of all runs of the code behind a blocked operation, for one visit.
const ALL_STEPS: u64 = 8_000_000;
/// Instructions of a run. The first one behind an operation may initialize classes.
const STEPS: u64 = 500_000;
/// What a run costs at least, with the copies that it needs.
const RUN: u64 = 2_000;
/// Ways that are searched for, for one visit.
const WANTED: usize = 8;
/// Steps one after the other that change nothing.
const FLAT: u32 = 6;
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
        let mut left = ALL_STEPS;
        let mut starts: Vec<(O::Model, Vec<Nearby>)> = Vec::new();
        for model in models.iter() {
            let jumps = self.run_with(machine, oracle, open, constraint, model, &mut left);
            self.nearby.extend(jumps.iter().map(|jump| (jump.site, jump.arm)));
            starts.push((model.clone(), jumps));
        }
        let mut tried: Vec<(Site, u32)> = Vec::new();
        while tried.len() < WANTED && left > 0 {
            let jumps = starts.iter().flat_map(|(_, jumps)| jumps);
            let mut open_ways = jumps.filter_map(other_way).filter(|way| !self.nearby.contains(way));
            let Some(aim) = open_ways.find(|way| !tried.contains(way)) else { return };
            tried.push(aim);
            let Some((best, model)) = nearest(&starts, aim) else { continue };
            // What is found may lead to further jumps, whose other ways are then wanted, too.
            let found = self.climb(machine, oracle, (open, constraint), (aim, model, best), &mut left);
            models.extend(found.iter().map(|(model, _)| model.clone()));
            starts.extend(found);
        }
    }

    /// Moves one input after the other until the jump goes the other way, or nothing is nearer. Returns the
    /// models that take new ways, and their jumps.
    pub(super) fn climb(
        &mut self,
        machine: &mut M,
        oracle: &mut O,
        (open, constraint): (&OpenOf<M, O>, M::Constraint),
        (aim, mut model, mut best): ((Site, u32), O::Model, f64),
        left: &mut u64,
    ) -> Vec<(O::Model, Vec<Nearby>)> {
        let mut found = Vec::new();
        let inputs = oracle.width(constraint).min(INPUTS);
        loop {
            let before = best;
            for (input, first) in (0..inputs).flat_map(|input| FIRST.map(|first| (input, first))) {
                let (mut step, mut flat) = (first, 0);
                // The step with which doubling goes on after a leap; a leap is tried once.
                let (mut after, mut may_leap) = (None, true);
                while *left > 0 {
                    let moved = oracle.moved(&open.path, constraint, &model, input, step);
                    let Some(moved) = moved else { break };
                    let jumps = self.run_with(machine, oracle, open, constraint, &moved, left);
                    // Whatever is new is worth a path, wanted or not.
                    if self.are_new(&jumps) {
                        found.push((moved.clone(), jumps.clone()));
                    }
                    if self.nearby.contains(&aim) {
                        return found;
                    }
                    match distance(&jumps, aim) {
                        Some(now) if now < best => {
                            // Where the distance is a line, it ends there.
                            let leap = step * (now - 1.0) / (best - now);
                            (best, model) = (now, moved);
                            if std::mem::take(&mut may_leap) && leap != 0.0 && leap.is_finite() {
                                after = Some(step * 2.0);
                                step = leap;
                                continue;
                            }
                        }
                        // Rounding, say, makes steps that change nothing: a larger one may.
                        Some(now) if now == best && flat < FLAT => flat += 1,
                        _ if after.is_some() => {}
                        _ => break,
                    }
                    step = after.take().unwrap_or(step * 2.0);
                }
            }
            if *left == 0 || best >= before {
                return found;
            }
        }
    }

    /// Notes the ways that jumps took, and says whether one is new.
    pub(super) fn are_new(&mut self, jumps: &[Nearby]) -> bool {
        let before = self.nearby.len();
        self.nearby.extend(jumps.iter().map(|jump| (jump.site, jump.arm)));
        self.nearby.len() > before
    }

    /// The jumps behind the operation with the values of a model.
    pub(super) fn run_with(
        &mut self,
        machine: &mut M,
        oracle: &mut O,
        open: &OpenOf<M, O>,
        constraint: M::Constraint,
        model: &O::Model,
        left: &mut u64,
    ) -> Vec<Nearby> {
        if *left == 0 {
            return Vec::new();
        }
        let Some(fixed) = oracle.fix(&[constraint], model) else { return Vec::new() };
        let given = STEPS.min(*left);
        let mut steps = given;
        let mut more = |constraint| oracle.fix(&[constraint], model);
        let jumps = machine.nearby(&open.state, &fixed, &mut more, &mut steps);
        *left = left.saturating_sub(RUN + given - steps);
        jumps
    }
}

/// The way that a jump has not taken, if numbers say how far it is from that.
pub(super) fn other_way(jump: &Nearby) -> Option<(Site, u32)> {
    jump.distance.is_finite().then_some((jump.site, jump.arm ^ 1))
}

/// The model that came nearest to taking a way, and how near that was.
pub(super) fn nearest<Model: Clone>(
    starts: &[(Model, Vec<Nearby>)],
    way: (Site, u32),
) -> Option<(f64, Model)> {
    let near = starts.iter().filter_map(|(model, jumps)| Some((distance(jumps, way)?, model)));
    near.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(near, model)| (near, model.clone()))
}

/// How near some jumps came to taking a way.
pub(super) fn distance(jumps: &[Nearby], (site, arm): (Site, u32)) -> Option<f64> {
    let own = jumps.iter().filter(|jump| jump.site == site && jump.arm != arm && jump.distance.is_finite());
    own.map(|jump| jump.distance).min_by(f64::total_cmp)
}
