//! The explorer's side of merging: regions, the states that wait at their ends, and exact paths of what was
//! merged.
//!
//! A state that stands for several paths has one model, which is one of them. When it ends, that path is run
//! again from its start, without merging: what the explorer returns is always one path with its own arms and
//! conditions. An arm that only merged states took gets a path of its own in the same way, when everything
//! else is done, from the model of a state that took it: so the arms that the explorer has met are those of
//! the paths that are returned. Of branches without a choice it knows nothing.

use super::{Advance, End, Explorer, FoundOf, Open, OpenOf, STRETCH, found, newest_arm};
use crate::coverage::{Key, Map};
use crate::{Machine, Oracle, Path, Pause, Standing, Step, Trail};
use std::rc::Rc;

/// States that a region may have before it gives up: those that wait are merged, the others go on alone.
const MOST_STATES: usize = 2048;

/// Regions within regions: further out, those that wait go on. Calls that call themselves without end would
/// keep them waiting for ever.
const MOST_NESTED: usize = 32;

/// A region by its number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct RegionId(usize);

/// A region that some states are in.
pub(super) struct Region<O, C> {
    /// The conditions under which it was entered, and the arms before it.
    before: Path<C>,
    trail: Trail,
    /// The region around it.
    outer: Option<RegionId>,
    /// States that are in it and not at its end; an inner region counts as one.
    live: usize,
    /// States that have been in it.
    states: usize,
    /// States that wait at its end.
    met: Vec<O>,
    /// Some inputs that entered it do not get to its end, or nothing is known of them.
    lost: bool,
    /// It gave up: nobody waits any longer.
    dissolved: bool,
}

/// The regions of an exploration, and what merging has left to be done.
pub(super) struct Regions<O, C, Model> {
    all: Vec<Option<Region<O, C>>>,
    free: Vec<usize>,
    /// For each arm that no returned path has taken so far, inputs that take it.
    witnesses: Map<Rc<Witness<Model>>>,
    /// Arms of paths that were returned.
    shown: Map<()>,
    /// Whether there were regions, so that arms need witnesses.
    begun: bool,
}

/// States that were merged, and the conditions of each of them.
type Group<M, O> = (OpenOf<M, O>, Vec<<M as Machine>::Constraint>);

/// A path by its inputs and free choices.
struct Witness<Model> {
    model: Model,
    choices: Path<u32>,
}

impl<O, C, Model> Regions<O, C, Model> {
    pub(super) fn new() -> Regions<O, C, Model> {
        let (witnesses, shown) = (Map::default(), Map::default());
        Regions { all: Vec::new(), free: Vec::new(), witnesses, shown, begun: false }
    }

    /// States that wait at the ends of regions.
    pub(super) fn waiting(&self) -> usize {
        self.all.iter().flatten().map(|region| region.met.len()).sum()
    }

    /// Forgets the states that wait: the exploration is over.
    pub(super) fn drop_all(&mut self) {
        (self.all, self.free) = (Vec::new(), Vec::new());
        self.witnesses = Map::default();
    }

    fn get(&mut self, id: RegionId) -> &mut Region<O, C> {
        self.all[id.0].as_mut().expect("a region is there as long as a state is in it")
    }

    fn add(&mut self, region: Region<O, C>) -> RegionId {
        match self.free.pop() {
            Some(place) => {
                self.all[place] = Some(region);
                RegionId(place)
            }
            None => {
                self.all.push(Some(region));
                RegionId(self.all.len() - 1)
            }
        }
    }

    fn outer(&self, id: RegionId) -> Option<RegionId> {
        self.all[id.0].as_ref().and_then(|region| region.outer)
    }

    fn depth(&self, mut id: Option<RegionId>) -> usize {
        let mut depth = 0;
        while let Some(inner) = id {
            depth += 1;
            id = self.outer(inner);
        }
        depth
    }
}

impl<M: Machine, O: Oracle<M::Constraint>> Explorer<M, O> {
    /// Whether states are merged from here on.
    fn merges(&self) -> bool {
        self.options.merging.is_some_and(|after| self.summary.paths >= after)
    }

    /// The state at a branch enters a region, if `going` of its arms are explored and will meet again.
    pub(super) fn enter_region(&mut self, machine: &mut M, open: &mut OpenOf<M, O>, going: usize) {
        // Seeds are about single paths.
        if going < 2 || !self.merges() || open.seeds.is_some() {
            return;
        }
        let Some(merging) = machine.merging() else { return };
        if !merging.open(&mut open.state) {
            return;
        }
        if !self.regions.begun {
            // Whatever was taken so far, some path will be returned that takes it.
            self.regions.begun = true;
            let taken = self.coverage.arms().into_iter().filter(|(_, _, count)| *count > 0);
            self.regions.shown.extend(taken.map(|(site, index, _)| ((site, index), ())));
        }
        // As its outer region sees it, the state has become this region.
        let region = Region {
            before: open.path.clone(),
            trail: open.trail.clone(),
            outer: open.region,
            live: 1,
            states: 1,
            met: Vec::new(),
            lost: false,
            dissolved: false,
        };
        open.region = Some(self.regions.add(region));
    }

    /// A state of this region has become `count`; `lost`: not all inputs of the state are on one of them.
    pub(super) fn part(&mut self, machine: &mut M, region: Option<RegionId>, count: usize, lost: bool) {
        let Some(id) = region else { return };
        let region = self.regions.get(id);
        region.live = region.live + count - 1;
        region.states += count;
        region.lost |= lost;
        if region.live == 0 {
            self.close(machine, id);
        } else if region.states > MOST_STATES && !region.dissolved {
            self.dissolve(machine, id);
        }
    }

    /// A branch was taken in this region: if it is within too many others, the outermost of them gives up.
    pub(super) fn limit_nesting(&mut self, machine: &mut M, region: Option<RegionId>) {
        let (mut here, mut nested, mut outermost) = (region, 0, None);
        while let Some(id) = here {
            if !self.regions.get(id).dissolved {
                (nested, outermost) = (nested + 1, Some(id));
            }
            here = self.regions.outer(id);
        }
        if nested > MOST_NESTED
            && let Some(id) = outermost
        {
            self.dissolve(machine, id);
        }
    }

    /// A state is no longer in some regions that it was in: its path ended, or left them.
    pub(super) fn depart(&mut self, machine: &mut M, open: &mut OpenOf<M, O>, keep: usize) {
        let mut depth = self.regions.depth(open.region);
        while depth > keep
            && let Some(id) = open.region
        {
            open.region = self.regions.outer(id);
            // It is a state of the outer region before the inner one may close.
            if let Some(outer) = open.region {
                self.regions.get(outer).live += 1;
            }
            self.part(machine, Some(id), 0, true);
            depth -= 1;
        }
    }

    /// The path of a state is over.
    pub(super) fn depart_all(&mut self, machine: &mut M, open: &mut OpenOf<M, O>) {
        if let Some(id) = open.region.take() {
            self.part(machine, Some(id), 0, true);
        }
    }

    /// A state that has run may have left regions.
    pub(super) fn follow_regions(&mut self, machine: &mut M, open: &mut OpenOf<M, O>) {
        if open.region.is_some()
            && let Some(merging) = machine.merging()
        {
            let keep = merging.regions(&open.state);
            self.depart(machine, open, keep);
        }
    }

    /// A state takes a way that conditions do not tell from others, or is about to be sampled: it cannot be
    /// merged with its siblings.
    pub(super) fn leave_regions(&mut self, machine: &mut M, open: &mut OpenOf<M, O>) {
        if open.region.is_none() {
            return;
        }
        if let Some(merging) = machine.merging() {
            merging.leave(&mut open.state, 0);
        }
        self.depart(machine, open, 0);
    }

    /// A state is at the end of its innermost region.
    pub(super) fn meet_siblings(&mut self, machine: &mut M, mut open: OpenOf<M, O>) {
        let Some(id) = open.region else {
            // Nobody knows of the region: the state goes on.
            if let Some(merging) = machine.merging() {
                merging.leave(&mut open.state, 0);
            }
            self.open(open);
            return;
        };
        self.witness(&open, id);
        let region = self.regions.get(id);
        if region.dissolved {
            let outer = region.outer;
            let keep = self.regions.depth(outer);
            if let Some(merging) = machine.merging() {
                merging.leave(&mut open.state, keep);
            }
            self.depart(machine, &mut open, keep);
            self.open(open);
            return;
        }
        region.met.push(open);
        region.live -= 1;
        if region.live == 0 {
            self.close(machine, id);
        }
    }

    /// Remembers inputs for the arms that a state took in its region.
    fn witness(&mut self, open: &OpenOf<M, O>, id: RegionId) {
        let depth = self.regions.get(id).trail.depth();
        let mut here = &open.trail;
        let mut shared = None;
        while here.depth() > depth
            && let Some((step, before)) = here.last()
        {
            let arm = (step.site, step.index);
            if !self.regions.shown.contains_key(&arm) && !self.regions.witnesses.contains_key(&arm) {
                let witness = shared.get_or_insert_with(|| {
                    Rc::new(Witness { model: open.model.clone(), choices: open.choices.clone() })
                });
                self.regions.witnesses.insert(arm, witness.clone());
            }
            here = before;
        }
    }

    /// Nobody is under way in the region: those that wait become as few states as possible.
    fn close(&mut self, machine: &mut M, id: RegionId) {
        let (outer, lost) = {
            let region = self.regions.get(id);
            (region.outer, region.lost)
        };
        let groups = self.merge_met(machine, id);
        self.regions.all[id.0] = None;
        self.regions.free.push(id.0);
        let count = groups.len();
        self.release(machine, groups, outer);
        // In the outer region these states take the place of this region.
        self.part(machine, outer, count, lost);
    }

    /// Too many states are in the region: those that wait go on.
    fn dissolve(&mut self, machine: &mut M, id: RegionId) {
        let region = self.regions.get(id);
        // Those that are still under way are not among the states that are merged here.
        (region.dissolved, region.lost) = (true, true);
        let outer = region.outer;
        let groups = self.merge_met(machine, id);
        let count = groups.len();
        self.release(machine, groups, outer);
        // This region stays in the outer one beside them.
        self.part(machine, outer, count + 1, false);
    }

    /// Puts states of a region into the outer one.
    fn release(&mut self, machine: &mut M, groups: Vec<OpenOf<M, O>>, outer: Option<RegionId>) {
        let keep = self.regions.depth(outer);
        for mut open in groups {
            if let Some(merging) = machine.merging() {
                merging.leave(&mut open.state, keep);
            }
            open.region = outer;
            self.children.push(open);
        }
        self.frontier.add(&mut self.children, newest_arm, |_| 0);
    }

    /// Merges the states that wait at the end of a region.
    fn merge_met(&mut self, machine: &mut M, id: RegionId) -> Vec<OpenOf<M, O>> {
        let region = self.regions.get(id);
        let (met, before, lost) = (std::mem::take(&mut region.met), region.before.clone(), region.lost);
        let Some(merging) = machine.merging() else { return met };
        let mut groups: Vec<Group<M, O>> = Vec::new();
        for open in met {
            let condition = merging.all_of(&since(&open.path, &before));
            let mut same =
                |group: &mut &mut Group<M, O>| merging.merge(&mut group.0.state, &open.state, condition);
            match groups.iter_mut().find_map(|mut group| same(&mut group).then_some(group)) {
                Some((one, conditions)) => {
                    one.merged = true;
                    conditions.push(condition);
                    self.summary.merged += 1;
                }
                None => groups.push((open, vec![condition])),
            }
        }
        let is_everything = !lost && groups.len() == 1;
        let rejoin = |(mut open, conditions): Group<M, O>| {
            if is_everything {
                open.path = before.clone();
            } else if conditions.len() > 1 {
                open.path = before.with(merging.any_of(&conditions));
            }
            open
        };
        groups.into_iter().map(rejoin).collect()
    }

    /// The end of a path, exactly: of a state that stands for several paths, the one of its model.
    pub(super) fn exact(
        &mut self,
        machine: &mut M,
        oracle: &mut O,
        outcome: M::Outcome,
        open: OpenOf<M, O>,
    ) -> FoundOf<M, O> {
        let mut exact = match open.merged && !self.options.as_merged {
            true => self.run_again(machine, oracle, &open.model, &open.choices),
            false => None,
        };
        if let Some(exact_end) = &mut exact
            && let End::Outcome(exactly) = &mut exact_end.end
        {
            match machine.stands_for((&mut exact_end.state, exactly), (&open.state, &outcome)) {
                Standing::For => {}
                // What was merged is not explored: both ends are returned.
                Standing::Beside => {
                    self.summary.paths += 1;
                    self.ready.extend(exact);
                    return found(End::Outcome(outcome), open);
                }
                // What the path does is true; the exploration is not complete.
                Standing::Against => self.summary.stuck += 1,
            }
        }
        let is_sampled = exact.is_some() && open.trail.is_sampled();
        let mut result = exact.unwrap_or_else(|| found(End::Outcome(outcome), open));
        if is_sampled && let Some((step, before)) = result.trail.last() {
            result.trail = before.with(Step { sampled: true, ..step });
        }
        self.show(&result.trail);
        result
    }

    /// Notes the arms of a path that is returned.
    fn show(&mut self, trail: &Trail) {
        if !self.regions.begun {
            return;
        }
        let mut here = trail;
        while let Some((step, before)) = here.last() {
            let arm: Key = (step.site, step.index);
            self.regions.shown.insert(arm, ());
            self.regions.witnesses.remove(&arm);
            here = before;
        }
    }

    /// When nothing else is left: a path for an arm that only merged states took.
    pub(super) fn show_witness(&mut self, machine: &mut M, oracle: &mut O) -> Advance<M, O::Model> {
        loop {
            let next = self.regions.witnesses.keys().min().copied();
            let Some(arm) = next.filter(|_| !self.options.as_merged) else { return Advance::Done };
            let Some(witness) = self.regions.witnesses.remove(&arm) else { return Advance::Done };
            if let Some(found) = self.run_again(machine, oracle, &witness.model, &witness.choices) {
                self.show(&found.trail);
                self.summary.paths += 1;
                return Advance::Found(Box::new(found));
            }
        }
    }

    /// Runs the path of some inputs from its start; `None` if a bound or an interrupt ends it early.
    fn run_again(
        &mut self,
        machine: &mut M,
        oracle: &mut O,
        model: &O::Model,
        choices: &Path<u32>,
    ) -> Option<FoundOf<M, O>> {
        let (state, path) = self.origin.clone()?;
        let mut choices = choices.constraints().into_iter();
        let mut open = Open::at(state, path, model.clone());
        let mut arms = Vec::new();
        loop {
            arms.clear();
            let before = machine.steps(&open.state);
            let pause = machine.run(&mut open.state, STRETCH, &mut arms);
            let after = machine.steps(&open.state);
            self.summary.instructions += after.saturating_sub(before);
            let at = match pause {
                Pause::Ended(outcome) => return Some(found(End::Outcome(outcome), open)),
                Pause::Branch => {
                    let at = arms.iter().position(|arm| oracle.holds(arm.constraint, model))?;
                    open.path = open.path.with(arms[at].constraint);
                    at
                }
                Pause::Choice => choices.next().map(|at| at as usize).filter(|at| *at < arms.len())?,
                Pause::OutOfSteps | Pause::Met => {
                    if self.options.bounds.steps.is_some_and(|most| after > most) || self.look(true).is_some()
                    {
                        return None;
                    }
                    continue;
                }
            };
            let arm = arms[at];
            let grew = matches!(pause, Pause::Branch);
            machine.take(&mut open.state, at);
            let (site, index) = (arm.site, arm.index);
            open.trail = open.trail.with(Step { site, index, times: 0, at: at as u32, grew, sampled: false });
        }
    }
}

/// The conditions of a path behind one of its beginnings, oldest first.
fn since<C: Copy>(path: &Path<C>, before: &Path<C>) -> Vec<C> {
    let mut all = Vec::new();
    let mut here = path;
    while here.depth() > before.depth()
        && let Some((constraint, rest)) = here.last()
    {
        all.push(constraint);
        here = rest;
    }
    all.reverse();
    all
}
