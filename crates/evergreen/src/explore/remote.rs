//! Paths that others have explored: told as data, and retraced before they are believed.
//!
//! A worker tells of a path which way it went, how it ended, and inputs that go there. Whoever hears it goes the same way with the machine, which
//! takes no questions, and evaluates every condition on the way under the inputs. So a told path is one: what cannot be found out is only
//! whether paths were left untold. All that is shown of a path, its outcome included, comes from the retracing.
//!
//! Paths are retraced in the order of their positions and share the states up to where they part, so that all of them together cost
//! the instructions of an exploration without its questions.

use super::exploration::{Exploration, Run};
use super::{Part, PathEnd};
use evergreen_explore::{
    Advance, Arm, Bound, Bounds, End, Found, Machine, Path, Pause, Share, Step, Summary, Trail, Turn, Way,
};
use evergreen_jvm::{Jvm, Outcome, State};
use evergreen_symbolic::{Assignment, Cond, Exprs, Given, Input};
use std::collections::HashMap;
use std::fmt;

/// Instructions that are run at once.
const STRETCH: u64 = 1 << 20;

/// A path, as data.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RemotePath {
    /// Which way the path went.
    pub way: Way,
    /// How it ended.
    pub end: RemoteEnd,
    /// Inputs that go there.
    pub model: Vec<Given>,
}

/// How a path ended, as data.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RemoteEnd {
    /// The program ended; how is for the machine to say.
    Outcome,
    /// A bound cut it.
    Cut(Bound),
    /// Nobody could decide the arm of this index.
    Undecided(u32),
    /// Every arm was said to be infeasible.
    Stuck,
}

/// Why a told path is none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Untrue(pub String);

impl fmt::Display for Untrue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What a step of exploring for others came to.
pub enum Forward {
    /// A path ended.
    Path(RemotePath),
    /// Nothing yet.
    Open,
    /// Nothing is left, or a bound of the whole exploration is reached.
    Done,
    /// It cannot go on, for this reason.
    Failed(String),
}

impl<'e> Run<'e> {
    /// Explores until the next path ends or the next branch is decided, and tells the path as data, to someone who retraces it.
    pub fn forward(&mut self) -> Forward {
        let Exploration { jvm, oracle, exprs, .. } = &mut *self.exploration;
        let advance = self.explorer.advance(jvm, oracle);
        if let Some(error) = &oracle.trouble().error {
            return Forward::Failed(error.clone());
        }
        let found = match advance {
            Advance::Open => return Forward::Open,
            Advance::Done => return Forward::Done,
            Advance::Found(found) => found,
        };
        let end = match &found.end {
            End::Outcome(_) => RemoteEnd::Outcome,
            End::Cut(bound) => RemoteEnd::Cut(*bound),
            End::Undecided(arm) => RemoteEnd::Undecided(arm.index),
            End::Stuck => RemoteEnd::Stuck,
        };
        let model = exprs.borrow().given(&found.model);
        Forward::Path(RemotePath { way: Way::from(&found.trail), end, model })
    }

    /// The parts that are still open, without giving them away; none if ends of paths have to be told first. What was told and these are
    /// all there is.
    pub fn open_parts(&self) -> Option<Vec<Part>> {
        let exprs = self.exploration.exprs.borrow();
        let given = |model: Assignment| Ok::<_, std::convert::Infallible>(exprs.given(&model));
        let part = |share: Share<Assignment>| match share.try_map(given) {
            Ok(share) => Part(share),
            Err(never) => match never {},
        };
        Some(self.explorer.open_shares()?.into_iter().map(part).collect())
    }

    /// Begins to retrace paths that others have explored.
    pub fn retrace(mut self) -> Retrace<'e> {
        let _ = self.explorer.give_any();
        Retrace { run: self, nodes: Vec::new(), way: Vec::new(), inputs: Inputs::default() }
    }
}

/// A state on the way, run to its next branch or its end.
struct Node {
    state: State,
    path: Path<Cond>,
    trail: Trail,
    pause: Pause<Outcome>,
    arms: Vec<Arm<Cond>>,
}

/// Paths that others have explored, gone again.
pub struct Retrace<'e> {
    run: Run<'e>,
    /// The states along the last path, from the start on.
    nodes: Vec<Node>,
    /// The turns between them.
    way: Vec<Turn>,
    inputs: Inputs,
}

impl<'e> Retrace<'e> {
    /// Goes a path and tells it; `None` if it is no path for others to see. Quickest in the order of positions.
    ///
    /// # Errors
    /// It does not go there, or not under these inputs.
    pub fn path(&mut self, told: &RemotePath) -> Result<Option<PathEnd>, Untrue> {
        let found = self.reach(told)?;
        Ok(self.run.tell_found(found))
    }

    /// Goes a path without telling it.
    ///
    /// # Errors
    /// As [`Retrace::path`].
    pub fn check(&mut self, told: &RemotePath) -> Result<(), Untrue> {
        self.reach(told).map(|_| ())
    }

    fn reach(&mut self, told: &RemotePath) -> Result<Found<Jvm, Assignment>, Untrue> {
        self.go(&told.way)?;
        let model = self.inputs.read(&self.run.exploration.exprs.borrow(), &told.model);
        self.check_model(&model)?;
        let Some(node) = self.nodes.last() else { return Err(Untrue("no start".into())) };
        let end = match (told.end, &node.pause) {
            (RemoteEnd::Outcome, Pause::Ended(outcome)) => End::Outcome(outcome.clone()),
            (RemoteEnd::Cut(Bound::Steps), Pause::OutOfSteps) => End::Cut(Bound::Steps),
            (RemoteEnd::Cut(bound), Pause::Branch | Pause::Choice)
                if too_deep(self.run.explorer.bounds(), node) == Some(bound) =>
            {
                End::Cut(bound)
            }
            (RemoteEnd::Undecided(index), Pause::Branch) => {
                let arm = node.arms.iter().find(|arm| arm.index == index);
                End::Undecided(*arm.ok_or_else(|| Untrue(format!("no arm {index} at its end")))?)
            }
            (RemoteEnd::Stuck, Pause::Branch) => End::Stuck,
            _ => return Err(Untrue("it does not end there".into())),
        };
        if matches!(end, End::Undecided(_) | End::Stuck) {
            self.run.explorer.cover(&node.arms, None);
        }
        let (state, path, trail) = (node.state.clone(), node.path.clone(), node.trail.clone());
        Ok(Found { end, state, path, trail, model, seeds: Vec::new() })
    }

    /// Goes to the end of a way, from where it leaves the last one.
    fn go(&mut self, way: &Way) -> Result<(), Untrue> {
        let common = self.way.iter().zip(&way.0).take_while(|(one, two)| one == two).count();
        self.way.truncate(common);
        self.nodes.truncate(common + 1);
        if self.nodes.is_empty() {
            let Some((state, path)) = self.run.explorer.origin() else {
                return Err(Untrue("no start".into()));
            };
            let (state, path) = (state.clone(), path.clone());
            self.add_node(state, path, Trail::new());
        }
        for turn in &way.0[common..] {
            let wrong = |what: &str| Err(Untrue(format!("turn {}: {what}", self.way.len())));
            let Some(node) = self.nodes.last() else { return wrong("no start") };
            if !matches!(node.pause, Pause::Branch | Pause::Choice) {
                return wrong("the path is over");
            }
            if too_deep(self.run.explorer.bounds(), node).is_some() {
                return wrong("a bound cuts here");
            }
            let Some(&Arm { constraint, site, index }) = node.arms.get(turn.at as usize) else {
                return wrong(&format!("way {} of {}", turn.at, node.arms.len()));
            };
            if turn.grew && matches!(node.pause, Pause::Choice) {
                return wrong("a condition at a free choice");
            }
            let (mut state, mut path) = (node.state.clone(), node.path.clone());
            self.run.exploration.jvm.take(&mut state, turn.at as usize);
            if turn.grew {
                path = path.with(constraint);
            }
            let times = node.trail.times(site) + 1;
            let trail = node.trail.with(Step { site, index, times, at: turn.at, grew: turn.grew });
            self.run.explorer.cover(&node.arms, Some(turn.at as usize));
            self.way.push(*turn);
            self.add_node(state, path, trail);
        }
        Ok(())
    }

    /// Runs a state to its next branch or its end.
    fn add_node(&mut self, mut state: State, path: Path<Cond>, trail: Trail) {
        let jvm: &mut Jvm = &mut self.run.exploration.jvm;
        let mut arms = Vec::new();
        let most = self.run.explorer.bounds().steps.unwrap_or(u64::MAX);
        let pause = loop {
            arms.clear();
            let left = most.saturating_sub(jvm.steps(&state)).min(STRETCH);
            match if left == 0 { Pause::OutOfSteps } else { jvm.run(&mut state, left, &mut arms) } {
                Pause::OutOfSteps if left > 0 => {}
                pause => break pause,
            }
        };
        self.nodes.push(Node { state, path, trail, pause, arms });
    }

    /// Whether these inputs are within their ranges and go along the way.
    fn check_model(&self, model: &Assignment) -> Result<(), Untrue> {
        let exprs = self.run.exploration.exprs.borrow();
        if !exprs.in_range(&self.inputs.all, model) {
            return Err(Untrue("inputs out of their range".into()));
        }
        let wrong = |turn: usize| Err(Untrue(format!("its inputs do not take turn {turn}")));
        let begins =
            self.nodes.first().is_some_and(|n| n.path.constraints().iter().all(|&c| exprs.holds(c, model)));
        if !begins {
            return Err(Untrue("its inputs are not those that are explored".into()));
        }
        for (number, (node, turn)) in self.nodes.iter().zip(&self.way).enumerate() {
            let taken = node.arms.get(turn.at as usize);
            if matches!(node.pause, Pause::Branch)
                && !taken.is_some_and(|arm| exprs.holds(arm.constraint, model))
            {
                return wrong(number);
            }
        }
        Ok(())
    }

    /// The exploration, for its counters; those of the questions are what others counted.
    pub fn end(mut self, counted: &Summary) -> Run<'e> {
        self.run.explorer.count(counted);
        self.run
    }
}

/// The bound that keeps a path from going on at a branch.
fn too_deep(bounds: &Bounds, node: &Node) -> Option<Bound> {
    let loops = |most: u32| node.arms.first().is_some_and(|arm| node.trail.times(arm.site) >= most);
    if bounds.depth.is_some_and(|most| node.trail.depth() + 1 > most) {
        Some(Bound::Depth)
    } else if bounds.loops.is_some_and(loops) {
        Some(Bound::Loops)
    } else {
        None
    }
}

/// The inputs of an arena by what they were asked for; more are met on the way.
#[derive(Default)]
struct Inputs {
    known: HashMap<String, Vec<Input>>,
    all: Vec<Input>,
}

impl Inputs {
    /// The values of inputs that there are. Others make no difference to any path so far.
    fn read(&mut self, exprs: &Exprs, given: &[Given]) -> Assignment {
        for (input, info) in exprs.inputs().skip(self.all.len()) {
            self.known.entry(info.asked_name().to_string()).or_default().push(input);
            self.all.push(input);
        }
        let mut model = Assignment::new();
        for value in given {
            let inputs = self.known.get(&value.name).map_or(&[][..], Vec::as_slice);
            let same = inputs.iter().find(|input| {
                let info = exprs.input_of(**input);
                (info.kind, info.range) == (value.kind, value.range)
            });
            if let Some(&input) = same {
                value.give(exprs, input, &mut model);
            }
        }
        model
    }
}
