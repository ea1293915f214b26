//! Generations of tries: operations without symbols are come back to when nothing else is open.
//!
//! At its first visits a blocked operation gets a few values (`blocked.rs`), and some that are aimed at
//! branches behind it (`aimed.rs`). What these miss is looked for here, as long as a branch behind the
//! operation has a way that nothing has taken: values that the program compares with [Aschermann NDSS'19, who
//! match what is compared with what was read], random ones of growing sizes, and the aimed search again from
//! each value that came nearer. A value that takes a new way becomes a path, which is explored before the
//! next generation.
//!
//! The tries are bounded in number and in instructions, which the limit on time scales, and random numbers
//! have one seed: every exploration under the same limits tries the same, until its time is over.

use super::aimed::{distance, nearest, other_way};
use super::{Advance, Explorer, Open, OpenOf, newest_arm};
use crate::{Arm, Hint, Machine, Nearby, Oracle, Site};
use std::collections::HashSet;
use std::time::Duration;

/// Visits of blocked operations that are come back to.
const MOST_VISITS: usize = 64;
/// Random values of the first generation; each has twice as many as the one before.
const FIRST: u32 = 16;
/// And at most so many.
const MOST_DRAWN: u32 = 256;
/// Values that the program compares with.
const MOST_HINTS: usize = 128;
/// Random values for one visit.
const ALL_DRAWN: u32 = 8_192;
/// Instructions of all tries of an exploration, for each second that it may take.
const FOR_A_SECOND: u64 = 4_000_000;
/// Where there is no limit on its time.
const WITHOUT_LIMIT: u64 = 64_000_000;
/// Ways that are aimed at in a generation.
const AIMED: usize = 8;
/// Instructions of one aimed search.
const AIM: u64 = 4_000_000;

/// A visit of a blocked operation, and what was tried there.
pub(super) struct Visit<Open, C, Model> {
    open: Open,
    arm: Arm<C>,
    /// How many paths have gone on from it.
    ways: usize,
    /// The values that came nearest to the ways that are wanted, and their jumps, each way once.
    starts: Vec<(Model, Vec<Nearby>)>,
    /// What the program compares with, and how many of these were tried.
    hints: Vec<Hint>,
    hinted: usize,
    generation: u32,
    drawn: u32,
}

pub(super) type VisitOf<M, O> =
    Visit<OpenOf<M, O>, <M as Machine>::Constraint, <O as Oracle<<M as Machine>::Constraint>>::Model>;

/// What a generation has found.
struct Generation<Model> {
    /// Values that take new ways.
    found: Vec<Model>,
    /// The ways that are still wanted.
    wanted: Vec<(Site, u32)>,
    /// Those of them that some value came nearer to.
    nearer: Vec<(Site, u32)>,
}

/// The instructions that tries may take, in all.
pub(super) fn instructions(time: Option<Duration>) -> u64 {
    time.map_or(WITHOUT_LIMIT, |time| time.as_secs().max(1).saturating_mul(FOR_A_SECOND))
}

impl<M: Machine, O: Oracle<M::Constraint>> Explorer<M, O> {
    /// Remembers a visit of a blocked operation, from which some paths go on.
    pub(super) fn come_back(&mut self, open: &OpenOf<M, O>, arm: Arm<M::Constraint>, ways: usize) {
        if self.visits.len() < MOST_VISITS {
            let open = Open { seeds: None, ..open.clone() };
            let (starts, hints) = (Vec::new(), Vec::new());
            self.visits.push_back(Visit {
                open,
                arm,
                ways,
                starts,
                hints,
                hinted: 0,
                generation: 0,
                drawn: 0,
            });
        }
    }

    /// Nothing is open: another generation at each visit, until one finds something.
    pub(super) fn try_again(&mut self, machine: &mut M, oracle: &mut O) -> Advance<M, O::Model> {
        while let Some(mut visit) = self.visits.pop_front() {
            let Generation { found, wanted, .. } = self.generation(machine, oracle, &mut visit);
            let has_found = !found.is_empty();
            self.summary.forks += found.len() as u64;
            for model in found {
                self.go_on(machine, oracle, (&visit.open, visit.arm), model, visit.ways);
                visit.ways += 1;
            }
            self.frontier.add(&mut self.children, newest_arm, |child| oracle.rank(&child.path));
            if self.tries_left == 0 || self.reached().is_some() {
                self.visits.clear();
            } else if !wanted.is_empty() && visit.drawn < ALL_DRAWN {
                self.visits.push_back(visit);
            }
            if has_found {
                return Advance::Open;
            }
        }
        Advance::Done
    }

    fn generation(
        &mut self,
        machine: &mut M,
        oracle: &mut O,
        visit: &mut VisitOf<M, O>,
    ) -> Generation<O::Model> {
        let mut all = Generation { found: Vec::new(), wanted: Vec::new(), nearer: Vec::new() };
        if visit.generation == 0 {
            self.attempt(machine, oracle, visit, visit.open.model.clone(), &mut all);
            // That is the path that was followed at the first visit.
            all.found.clear();
        }
        all.wanted = self.wanted(&visit.starts);
        if !all.wanted.is_empty() {
            self.try_hints(machine, oracle, visit, &mut all);
            self.try_drawn(machine, oracle, visit, &mut all);
            self.try_aimed(machine, oracle, visit, &mut all);
            let near = |way: &(Site, u32)| {
                let all = visit.starts.iter().enumerate();
                let near = all.filter_map(|(at, (_, jumps))| Some((distance(jumps, *way)?, at)));
                near.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, at)| at)
            };
            let kept: HashSet<usize> = all.wanted.iter().filter_map(near).collect();
            let mut at = 0..;
            visit.starts.retain(|_| at.next().is_some_and(|at| kept.contains(&at)));
        }
        visit.generation += 1;
        all
    }

    /// Tries what the program compares with, as far as that is new.
    fn try_hints(
        &mut self,
        machine: &mut M,
        oracle: &mut O,
        visit: &mut VisitOf<M, O>,
        all: &mut Generation<O::Model>,
    ) {
        for hint in machine.hints(&visit.open.state) {
            if visit.hints.len() < MOST_HINTS && !visit.hints.contains(&hint) {
                visit.hints.push(hint);
            }
        }
        let model = visit.open.model.clone();
        while let Some(hint) = visit.hints.get(visit.hinted) {
            for hinted in oracle.hinted(&visit.open.path, visit.arm.constraint, &model, hint) {
                if self.is_over(all) {
                    return;
                }
                self.attempt(machine, oracle, visit, hinted, all);
            }
            visit.hinted += 1;
        }
    }

    /// Tries random values, each beside the one that came nearest to a way.
    fn try_drawn(
        &mut self,
        machine: &mut M,
        oracle: &mut O,
        visit: &mut VisitOf<M, O>,
        all: &mut Generation<O::Model>,
    ) {
        for _ in 0..(FIRST << visit.generation.min(8)).min(MOST_DRAWN) {
            if self.is_over(all) {
                return;
            }
            let way = all.wanted[visit.drawn as usize % all.wanted.len()];
            let model =
                nearest(&visit.starts, way).map_or_else(|| visit.open.model.clone(), |(_, near)| near);
            visit.drawn += 1;
            let drawn = oracle.drawn(&visit.open.path, visit.arm.constraint, &model, visit.drawn);
            if let Some(drawn) = drawn {
                self.attempt(machine, oracle, visit, drawn, all);
            }
        }
    }

    /// Moves the values that came nearer.
    fn try_aimed(
        &mut self,
        machine: &mut M,
        oracle: &mut O,
        visit: &mut VisitOf<M, O>,
        all: &mut Generation<O::Model>,
    ) {
        for way in std::mem::take(&mut all.nearer).into_iter().take(AIMED) {
            let Some((best, model)) = nearest(&visit.starts, way) else { continue };
            if self.is_over(all) || !all.wanted.contains(&way) {
                continue;
            }
            let given = AIM.min(self.tries_left);
            let mut left = given;
            let from = (&visit.open, visit.arm.constraint);
            let climbed = self.climb(machine, oracle, from, (way, model, best), &mut left);
            self.tries_left -= given - left;
            all.found.extend(climbed.iter().map(|(model, _)| model.clone()));
            visit.starts.extend(climbed);
            all.wanted = self.wanted(&visit.starts);
        }
    }

    /// Runs the code behind the operation with the values of a model.
    fn attempt(
        &mut self,
        machine: &mut M,
        oracle: &mut O,
        visit: &mut VisitOf<M, O>,
        model: O::Model,
        all: &mut Generation<O::Model>,
    ) {
        let mut left = self.tries_left;
        let mut jumps = self.run_with(machine, oracle, &visit.open, visit.arm.constraint, &model, &mut left);
        self.tries_left = left;
        jumps.sort_by(|a, b| {
            (a.site, a.arm).cmp(&(b.site, b.arm)).then_with(|| a.distance.total_cmp(&b.distance))
        });
        jumps.dedup_by_key(|jump| (jump.site, jump.arm));
        if self.are_new(&jumps) {
            all.found.push(model.clone());
            visit.starts.push((model, jumps));
            all.wanted = self.wanted(&visit.starts);
            return;
        }
        let is_nearer = |way: &&(Site, u32)| match (distance(&jumps, **way), nearest(&visit.starts, **way)) {
            (Some(now), Some((before, _))) => now < before,
            (now, None) => now.is_some(),
            (None, _) => false,
        };
        let nearer: Vec<_> = all.wanted.iter().filter(is_nearer).copied().collect();
        if !nearer.is_empty() || visit.starts.is_empty() {
            visit.starts.push((model, jumps));
        }
        for way in nearer {
            if !all.nearer.contains(&way) {
                all.nearer.push(way);
            }
        }
    }

    /// The ways of jumps that nothing has taken, each once.
    fn wanted(&self, starts: &[(O::Model, Vec<Nearby>)]) -> Vec<(Site, u32)> {
        let mut all: Vec<(Site, u32)> = Vec::new();
        for way in starts.iter().flat_map(|(_, jumps)| jumps).filter_map(other_way) {
            let is_taken = self.nearby.contains(&way) || self.coverage.taken(way.0, way.1) > 0;
            if !is_taken && !all.contains(&way) {
                all.push(way);
            }
        }
        all
    }

    /// Whether nothing is wanted any more, or may be spent.
    fn is_over(&mut self, all: &Generation<O::Model>) -> bool {
        all.wanted.is_empty() || self.tries_left == 0 || self.reached().is_some()
    }
}
