//! The loop: run a state to its next branch, decide which arms are feasible, fork, take the next state.
//!
//! A path is known to be satisfiable when it is explored, and the explorer has its model. So at a branch the
//! arm that the model takes is feasible for free, and the oracle decides only the other arms: a branch of two
//! arms costs one question [Visser FSE'12, 2]. The path condition implies an arm whose siblings are all
//! infeasible, so the condition does not grow by that arm. The original state takes the last feasible arm;
//! the other arms get copies.
//!
//! That is symbolic execution. Under [`Asking::Later`] the same loop is dynamic symbolic execution: a state
//! follows its model to the end of its path, and the other arms are asked about afterwards (`later.rs`).
//!
//! Seeds (`seed.rs`) decide the arms that they take, and a range (`range.rs`) excludes arms. An excluded arm
//! is not known to be infeasible, so the path condition grows by its siblings.

mod again;
mod aimed;
mod blocked;
mod drawn;
mod later;
mod regions;
mod seeded;
mod shared;

use crate::bounds::Watch;
use crate::frontier::Frontier;
use crate::range::{Edges, Ways};
use crate::seed::{Company, Seeding, Split, numbers};
use crate::{
    Arm, Asking, Bound, Coverage, Decided, Feasibility, Machine, ModelOf, Options, Oracle, Order, Path,
    Pause, Range, Retired, Sampling, Shortcuts, Site, Step, Summary, Trail,
};
use later::Later;
use regions::{RegionId, Regions};
use std::collections::{HashMap, HashSet, VecDeque};
use std::rc::Rc;

/// Instructions between two looks at the clock.
const STRETCH: u64 = 1 << 18;

/// How the exploration of a path ended.
#[derive(Clone, PartialEq, Debug)]
pub enum End<C, O> {
    /// The program ended.
    Outcome(O),
    /// A bound cut the path. `Paths`, `Time`, `Memory` and `Interrupt` are reported for the exploration, not
    /// path by path, see [`Summary::cut`].
    Cut(Bound),
    /// The oracle could not decide this arm, which was not explored; the explorer
    /// continues with its siblings.
    Undecided(Arm<C>),
    /// The oracle called every arm infeasible, or could decide none, although the path is satisfiable.
    Stuck,
}

/// The end of a path.
pub struct Found<M: Machine, Model> {
    /// How it ended.
    pub end: End<M::Constraint, M::Outcome>,
    /// The state in which it ended.
    pub state: M::State,
    /// Its conditions.
    pub path: Path<M::Constraint>,
    /// The arms that it took.
    pub trail: Trail,
    /// Inputs that lead there: those of the first seed, if there is one.
    pub model: Model,
    /// The seeds that lead there.
    pub seeds: Vec<usize>,
}

impl<M: Machine<Outcome: Clone>, Model: Clone> Clone for Found<M, Model> {
    fn clone(&self) -> Found<M, Model> {
        Found {
            end: self.end.clone(),
            state: self.state.clone(),
            path: self.path.clone(),
            trail: self.trail.clone(),
            model: self.model.clone(),
            seeds: self.seeds.clone(),
        }
    }
}

/// The outcome of [`Explorer::advance`].
pub enum Advance<M: Machine, Model> {
    /// A path ended.
    Found(Box<Found<M, Model>>),
    /// Nothing yet.
    Open,
    /// Nothing is left, or a bound of the whole exploration is reached.
    Done,
}

/// The decision about an arm.
enum Decision<Model> {
    /// It is explored.
    Go(Model, Known),
    /// Nothing satisfies it.
    Infeasible,
    /// The oracle could not decide it.
    Undecided,
    /// The oracle was not asked: the arm is outside the range, or the exploration trusts an older one.
    LeftOut,
    /// It waits: see [`Asking::Later`].
    Later,
}

/// How it is known that an arm is feasible.
#[derive(Clone, Copy, PartialEq)]
enum Known {
    /// Some inputs at hand take it: those of the path, or of a seed.
    ByInputs,
    /// The oracle says so, or nothing has to be known.
    Otherwise,
}

/// The part of a child's path that its parent's lacks.
#[derive(Clone, Copy, PartialEq)]
enum Growth {
    None,
    Arm,
}

#[derive(Clone)]
struct Open<S, C, Model> {
    state: S,
    path: Path<C>,
    trail: Trail,
    model: Model,
    /// Seeds that lead here. If there are some, the model is that of the first.
    seeds: Company<Model>,
    /// Of which ends of the range this is on the path.
    edges: Edges,
    /// The innermost region that it is in.
    region: Option<RegionId>,
    /// Whether it stands for several paths.
    merged: bool,
    /// The arms that it took at free choices, by position, if states may be merged.
    choices: Path<u32>,
    /// How many times inputs were made from others to come here: only [`Asking::Later`] counts.
    generation: u32,
}

impl<S, C: Copy, Model> Open<S, C, Model> {
    /// A state that has taken no arms so far.
    fn at(state: S, path: Path<C>, model: Model) -> Open<S, C, Model> {
        let (trail, choices, edges) = (Trail::new(), Path::new(), Edges::default());
        Open {
            state,
            path,
            trail,
            model,
            seeds: None,
            edges,
            region: None,
            merged: false,
            choices,
            generation: 0,
        }
    }
}

type OpenOf<M, O> =
    Open<<M as Machine>::State, <M as Machine>::Constraint, <O as Oracle<<M as Machine>::Constraint>>::Model>;
type FoundOf<M, O> = Found<M, <O as Oracle<<M as Machine>::Constraint>>::Model>;
type Progress = Box<dyn FnMut(&Summary)>;

/// An exploration under way.
pub struct Explorer<M: Machine, O: Oracle<M::Constraint>> {
    options: Options,
    frontier: Frontier<OpenOf<M, O>>,
    /// Arms that wait for their turn: see [`Asking::Later`].
    later: Frontier<Later<OpenOf<M, O>, M::Constraint>>,
    /// Where paths begin: shares are ways from there.
    origin: Option<(M::State, Path<M::Constraint>)>,
    /// The same at the first branch, where random walks begin.
    first: Option<drawn::Stop<M::State, M::Constraint>>,
    /// Ends of paths that [`Explorer::next`] returns before the exploration continues.
    ready: VecDeque<FoundOf<M, O>>,
    summary: Summary,
    coverage: Coverage,
    watch: Watch,
    progress: Option<Progress>,
    range: Range,
    seeding: Option<Seeding<M, O::Model>>,
    /// How often paths were blocked at a place.
    blocked: HashMap<Site, u32>,
    /// Ways of jumps that numbers decide, as far as samples have taken them.
    nearby: HashSet<(Site, u32)>,
    /// Blocked operations that are come back to, and the instructions that this may take.
    visits: VecDeque<again::VisitOf<M, O>>,
    tries_left: u64,
    regions: Regions<OpenOf<M, O>, M::Constraint, O::Model>,
    // Kept for their memory.
    arms: Vec<Arm<M::Constraint>>,
    decided: Vec<Decision<O::Model>>,
    children: Vec<OpenOf<M, O>>,
}

impl<M: Machine, O: Oracle<M::Constraint>> Explorer<M, O> {
    /// Begins with one state.
    pub fn new(oracle: &mut O, start: M::State, options: Options) -> Explorer<M, O> {
        let model = oracle.start();
        Explorer::under(start, Path::new(), model, options)
    }

    /// Begins with one state under conditions that have this model.
    pub fn under(
        start: M::State,
        path: Path<M::Constraint>,
        model: O::Model,
        options: Options,
    ) -> Explorer<M, O> {
        let mut explorer = Explorer::empty(options);
        explorer.begin(Open::at(start, path, model));
        explorer
    }

    /// Begins with this state, which all others come from.
    fn begin(&mut self, open: OpenOf<M, O>) {
        self.origin = Some((open.state.clone(), open.path.clone()));
        self.open(open);
    }

    /// Another open state.
    fn open(&mut self, open: OpenOf<M, O>) {
        self.children.push(open);
        self.frontier.add(&mut self.children, newest_arm, |_| 0);
    }

    /// With nothing to explore.
    fn empty(mut options: Options) -> Explorer<M, O> {
        // A run goes on to its end; the order is that of the arms that wait.
        let order = match options.asking {
            Asking::AtBranches => options.order,
            Asking::Later => Order::DepthFirst,
        };
        if options.asking == Asking::Later {
            options.merging = None;
        }
        let tries_left = again::instructions(options.bounds.time);
        Explorer {
            frontier: Frontier::new(order),
            later: Frontier::new(options.order),
            options,
            origin: None,
            first: None,
            range: Range::default(),
            blocked: HashMap::new(),
            nearby: HashSet::new(),
            visits: VecDeque::new(),
            tries_left,
            seeding: None,
            regions: Regions::new(),
            ready: VecDeque::new(),
            summary: Summary::default(),
            coverage: Coverage::default(),
            watch: Watch::new(),
            progress: None,
            arms: Vec::new(),
            decided: Vec::new(),
            children: Vec::new(),
        }
    }

    /// Sets a callback for progress, called at most every 100 ms.
    pub fn on_progress(mut self, tell: impl FnMut(&Summary) + 'static) -> Explorer<M, O> {
        self.progress = Some(Box::new(tell));
        self
    }

    /// The counters so far.
    pub fn summary(&self) -> Summary {
        Summary { elapsed: self.watch.elapsed(), ..self.summary.clone() }
    }

    /// The arms taken so far.
    pub fn coverage(&self) -> &Coverage {
        &self.coverage
    }

    /// Explores until the next path ends. `None`: nothing is left, or a bound of the
    /// whole exploration is reached.
    pub fn next(&mut self, machine: &mut M, oracle: &mut O) -> Option<FoundOf<M, O>> {
        loop {
            match self.advance(machine, oracle) {
                Advance::Found(found) => return Some(*found),
                Advance::Open => {}
                Advance::Done => return None,
            }
        }
    }

    /// Explores until the next path ends or the next branch is decided, whatever comes first: for a caller
    /// that may give work away in between.
    pub fn advance(&mut self, machine: &mut M, oracle: &mut O) -> Advance<M, O::Model> {
        if let Some(found) = self.ready.pop_front() {
            return Advance::Found(Box::new(found));
        }
        let Some(mut open) = self.frontier.next() else {
            return match self.later.next() {
                Some(later) => self.turn(machine, oracle, later),
                None => match self.show_witness(machine, oracle) {
                    Advance::Done => self.try_again(machine, oracle),
                    witness => witness,
                },
            };
        };
        if let Some(bound) = self.reached() {
            return self.end(bound);
        }
        if let Some((step, _)) = open.trail.last() {
            self.coverage.take((step.site, step.index));
            self.frontier.taken((step.site, step.index));
            self.later.taken((step.site, step.index));
        }
        let pause = self.run(machine, &mut open.state);
        self.follow_regions(machine, &mut open);
        match pause {
            Ok(Pause::Ended(outcome)) => {
                let Some((open_again, outcome)) = self.sample(machine, oracle, open, outcome) else {
                    return Advance::Open;
                };
                open = open_again;
                self.meet(machine, &mut open, &[]);
                self.depart_all(machine, &mut open);
                if self.has(&open) {
                    self.summary.paths += 1;
                    let found = self.exact(machine, oracle, outcome, open);
                    return Advance::Found(Box::new(found));
                }
            }
            Ok(Pause::Met) => self.meet_siblings(machine, open),
            Ok(pause @ (Pause::Branch | Pause::Choice)) => {
                if let Some(bound) = self.too_deep(&open.trail) {
                    self.depart_all(machine, &mut open);
                    if self.has(&open) {
                        return Advance::Found(Box::new(self.cut(bound, open)));
                    }
                    return Advance::Open;
                }
                if self.first.is_none() && open.trail.depth() == 0 {
                    self.keep_first(machine, &open.state, matches!(pause, Pause::Choice));
                }
                let arms = std::mem::take(&mut self.arms);
                self.meet(machine, &mut open, &arms);
                self.arms = arms;
                if let Pause::Choice = pause {
                    self.leave_regions(machine, &mut open);
                    let split = self.split_choice(machine, &open);
                    let ways = self.ways(&open, &split);
                    self.allow_all(&open, &split, &ways);
                    self.fork(machine, oracle, open, Growth::None, (split, &ways));
                } else {
                    let split = self.split_branch(machine, oracle, &open);
                    let ways = self.ways(&open, &split);
                    self.decide(oracle, &open, &split, &ways);
                    self.fork(machine, oracle, open, Growth::Arm, (split, &ways));
                }
            }
            Ok(Pause::OutOfSteps) => {
                self.depart_all(machine, &mut open);
                if self.has(&open) {
                    return Advance::Found(Box::new(self.cut(Bound::Steps, open)));
                }
            }
            Err(bound) => return self.end(bound),
        }
        Advance::Open
    }

    /// A bound of the whole exploration is reached: the state at hand and all open ones are cut.
    fn end(&mut self, bound: Bound) -> Advance<M, O::Model> {
        self.summary.cut.add(bound, 1 + self.waiting());
        self.regions.drop_all();
        self.visits.clear();
        self.frontier = Frontier::new(self.options.order);
        self.later = Frontier::new(self.options.order);
        Advance::Done
    }

    /// How many states and arms wait.
    fn waiting(&self) -> u64 {
        (self.frontier.len() + self.later.len() + self.regions.waiting()) as u64
    }

    /// Runs a state to its next branch or its end, looking at the clock now and then.
    fn run(&mut self, machine: &mut M, state: &mut M::State) -> Result<Pause<M::Outcome>, Bound> {
        loop {
            let before = machine.steps(state);
            let left =
                self.options.bounds.steps.map_or(STRETCH, |most| most.saturating_sub(before).min(STRETCH));
            if left == 0 {
                return Ok(Pause::OutOfSteps);
            }
            self.arms.clear();
            let pause = machine.run(state, left, &mut self.arms);
            self.summary.instructions += machine.steps(state).saturating_sub(before);
            if !matches!(pause, Pause::OutOfSteps) {
                return Ok(pause);
            }
            if let Some(bound) = self.look(true) {
                return Err(bound);
            }
        }
    }

    /// Whether the time of the whole exploration is over.
    pub fn is_late(&self) -> bool {
        self.watch.is_late(&self.options.bounds)
    }

    /// Whether that is so, or the caller has set the interrupt flag.
    pub fn must_end(&self) -> bool {
        self.watch.is_over(&self.options.bounds)
    }

    fn look(&mut self, long: bool) -> Option<Bound> {
        let (bound, tick) = self.watch.look(&self.options.bounds, long);
        let open = 1 + self.waiting();
        if tick && let Some(tell) = &mut self.progress {
            tell(&Summary { elapsed: self.watch.elapsed(), open, ..self.summary.clone() });
        }
        bound
    }

    /// The bound of the whole exploration that is reached.
    fn reached(&mut self) -> Option<Bound> {
        if self.options.bounds.paths.is_some_and(|most| self.summary.paths >= most) {
            return Some(Bound::Paths);
        }
        self.look(false)
    }

    /// The bound of one path that a branch would exceed.
    fn too_deep(&mut self, trail: &Trail) -> Option<Bound> {
        let depth = trail.depth() + 1;
        if self.options.bounds.depth.is_some_and(|most| depth > most) {
            return Some(Bound::Depth);
        }
        if let Some(most) = self.options.bounds.loops
            && self.arms.first().is_some_and(|arm| trail.times(arm.site) >= most)
        {
            return Some(Bound::Loops);
        }
        self.summary.deepest = self.summary.deepest.max(depth);
        self.summary.branches += 1;
        None
    }

    /// A free choice: every arm is feasible, with the inputs that are at hand.
    fn allow_all(&mut self, open: &OpenOf<M, O>, split: &Split<O::Model>, ways: &Ways) {
        self.summary.choices += 1;
        self.decided.clear();
        // The arm that a run goes on with: that of its seed, or the first.
        let seeded = |at: usize| split.model(at).is_some();
        let run = (0..self.arms.len()).find(|&at| !ways.leave_out(at) && seeded(at));
        let run = run.or_else(|| (0..self.arms.len()).find(|&at| !ways.leave_out(at)));
        for (at, arm) in self.arms.iter().enumerate() {
            self.coverage.offer((arm.site, arm.index));
            let waits = self.options.asking == Asking::Later && !seeded(at) && run != Some(at);
            self.decided.push(match () {
                () if ways.leave_out(at) => Decision::LeftOut,
                () if waits => Decision::Later,
                () => Decision::Go(open.model.clone(), Known::Otherwise),
            });
        }
    }

    /// Which arms are feasible.
    fn decide(&mut self, oracle: &mut O, open: &OpenOf<M, O>, split: &Split<O::Model>, ways: &Ways) {
        self.decided.clear();
        let shortcuts = self.options.shortcuts;
        let is_later = self.options.asking == Asking::Later;
        let held = (is_later || shortcuts == Shortcuts::All)
            .then(|| self.arms.iter().position(|arm| oracle.holds(arm.constraint, &open.model)))
            .flatten();
        let trusts =
            self.seeding.as_ref().is_some_and(|seeding| seeding.trusts_infeasible()) && split.is_as_before();
        for (at, arm) in self.arms.iter().enumerate() {
            self.coverage.offer((arm.site, arm.index));
            let last_hope = at + 1 == self.arms.len()
                && shortcuts != Shortcuts::None
                && self.decided.iter().all(|other| matches!(other, Decision::Infeasible));
            let (decided, decision) = if ways.leave_out(at) {
                (Decided::OutOfRange, Decision::LeftOut)
            } else if held == Some(at) {
                (Decided::ByModel, Decision::Go(open.model.clone(), Known::ByInputs))
            } else if let Some(model) = split.model(at) {
                (Decided::BySeed, Decision::Go(model.clone(), Known::ByInputs))
            } else if trusts {
                (Decided::Trusted, Decision::LeftOut)
            } else if is_later && held.is_some() {
                // It is counted when its turn comes.
                self.decided.push(Decision::Later);
                continue;
            } else if last_hope {
                // Every model of the path takes it.
                (Decided::ByComplement, Decision::Go(open.model.clone(), Known::Otherwise))
            } else {
                let of = if open.seeds.is_some() { ModelOf::Seed } else { ModelOf::Path };
                self.watch.asked();
                match oracle.answer(&open.path, (&open.model, of), arm.constraint) {
                    (Feasibility::Feasible(model), by) => {
                        (Decided::Feasible(by), Decision::Go(model, Known::Otherwise))
                    }
                    (Feasibility::Infeasible, by) => (Decided::Infeasible(by), Decision::Infeasible),
                    (Feasibility::Unknown, _) => (Decided::Undecided, Decision::Undecided),
                }
            };
            self.summary.count(decided);
            self.decided.push(decision);
        }
    }

    /// Sends a copy of a state along each feasible arm, and the state itself along the last.
    fn fork(
        &mut self,
        machine: &mut M,
        oracle: &mut O,
        mut open: OpenOf<M, O>,
        growth: Growth,
        (mut split, ways): (Split<O::Model>, &Ways),
    ) {
        let infeasible = self.decided.iter().filter(|arm| matches!(arm, Decision::Infeasible)).count();
        let going = self.decided.iter().filter(|arm| matches!(arm, Decision::Go(..))).count();
        let implied = infeasible + 1 == self.arms.len() && self.options.shortcuts != Shortcuts::None;
        if infeasible == self.arms.len() {
            self.summary.stuck += 1;
            self.depart_all(machine, &mut open);
            if self.has(&open) {
                self.ready.push_back(found(End::Stuck, open));
            }
            return;
        }
        self.summary.forks += going.saturating_sub(1) as u64;
        // Arms that still need a copy of the state; the last arm gets the state itself.
        let needs = |arm: &&Decision<_>| !matches!(arm, Decision::Infeasible | Decision::LeftOut);
        let mut waiting = self.decided.iter().filter(needs).count();
        let is_sampled = self.options.sampling != Sampling::Never
            && self.decided.iter().any(|arm| matches!(arm, Decision::Undecided));
        if is_sampled {
            self.leave_regions(machine, &mut open);
        } else if growth == Growth::Arm {
            self.enter_region(machine, &mut open, going);
        }
        let lost = going + infeasible < self.arms.len();
        let region = open.region;
        let mut rest = Some(open);
        let mut decided = std::mem::take(&mut self.decided);
        for (at, decision) in decided.drain(..).enumerate() {
            let arm = self.arms[at];
            let seeds = split.take(at);
            if let Decision::Infeasible | Decision::LeftOut = decision {
                if let Some(seeding) = &mut self.seeding {
                    seeding.retire(seeds.iter().map(|seed| seed.number), &Retired::OutOfRange);
                }
                continue;
            }
            waiting -= 1;
            let Some(mut open) = (if waiting == 0 { rest.take() } else { rest.clone() }) else { break };
            open.edges = ways.edges(at);
            let (model, known) = match decision {
                Decision::Go(model, known) => (model, known),
                Decision::Later => {
                    self.put_off(oracle, Later { open, arm, at, growth });
                    continue;
                }
                _ => {
                    open.seeds = None;
                    self.leave_undecided(arm, open);
                    continue;
                }
            };
            open.seeds = None;
            machine.take(&mut open.state, at);
            open.model = model;
            if let Some(first) = seeds.first() {
                open.model = first.model.clone();
                open.seeds = Some(Rc::new(seeds));
            }
            let grew = !implied && growth == Growth::Arm;
            let fixed = if is_sampled && known == Known::ByInputs { self.fix(oracle, &open) } else { None };
            let sampled = fixed.is_some();
            match fixed {
                Some(fixed) => {
                    self.summary.sampled += 1;
                    open.path = fixed.into_iter().fold(open.path, |path, condition| path.with(condition));
                }
                None if grew => open.path = open.path.with(arm.constraint),
                None => {}
            }
            // A long path without loops would be walked at each branch, for a number that nobody reads.
            let is_counted = self.options.bounds.loops.is_some();
            let times = if is_counted { open.trail.times(arm.site) + 1 } else { 0 };
            if growth == Growth::None && self.options.merging.is_some() {
                open.choices = open.choices.with(at as u32);
            }
            let Arm { site, index, .. } = arm;
            open.trail = open.trail.with(Step { site, index, times, at: at as u32, grew, sampled });
            self.children.push(open);
        }
        self.decided = decided;
        self.frontier.add(&mut self.children, newest_arm, |child| oracle.rank(&child.path));
        self.part(machine, region, going, lost);
        if going > 1 {
            self.limit_nesting(machine, region);
        }
    }
}

impl<M: Machine, O: Oracle<M::Constraint>> Explorer<M, O> {
    /// Returns an arm that the oracle could not decide as the end of a path.
    fn leave_undecided(&mut self, arm: Arm<M::Constraint>, open: OpenOf<M, O>) {
        // A path that ends with this arm comes before the range, if the range begins further down.
        if self.range.has_end(open.edges) {
            self.ready.push_back(found(End::Undecided(arm), open));
        }
    }

    /// The conditions that fix the inputs of the branch at hand, if the state's model and all its seeds
    /// satisfy them: seeds with different values stay together on a path that is not sampled.
    fn fix(&mut self, oracle: &mut O, open: &OpenOf<M, O>) -> Option<Vec<M::Constraint>> {
        let all: Vec<M::Constraint> = self.arms.iter().map(|arm| arm.constraint).collect();
        let fixed = oracle.fix(&all, &open.model)?;
        let seeds = open.seeds.iter().flat_map(|seeds| seeds.iter()).map(|seed| &seed.model);
        let mut all = seeds.chain([&open.model]);
        all.all(|model| fixed.iter().all(|condition| oracle.holds(*condition, model))).then_some(fixed)
    }
}

/// The arm that a state has just taken; none before the first branch.
fn newest_arm<S, C, Model>(open: &Open<S, C, Model>) -> (Site, u32) {
    open.trail.last().map_or((Site(u32::MAX), u32::MAX), |(step, _)| (step.site, step.index))
}

fn found<M: Machine, Model>(
    end: End<M::Constraint, M::Outcome>,
    open: Open<M::State, M::Constraint, Model>,
) -> Found<M, Model> {
    let Open { state, path, trail, model, seeds, .. } = open;
    Found { end, state, path, trail, model, seeds: numbers(&seeds) }
}
