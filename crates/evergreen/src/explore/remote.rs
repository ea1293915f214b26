//! Paths that others have explored: told as data, and retraced before they are believed.
//!
//! A worker tells of a path which way it went, how it ended, and inputs that go there. Whoever hears it goes the same way with the machine, which
//! takes no questions, and evaluates every condition on the way under the inputs. So a told path is one. All that is shown of it, its outcome
//! included, comes from the retracing. Whether paths were left untold is a question of its own ([`Untold`]): at a free choice every arm has paths, which
//! costs nothing to see; at a branch the arms without paths have to be infeasible, which has to be asked, or believed.
//!
//! Paths are retraced in the order of their positions and share the states up to where they part, so that all of them together cost
//! the instructions of an exploration without its questions.

use super::excluded::Excluded;
use super::exploration::Exploration;
use super::run::Run;
use super::{Part, PathEnd};
use evergreen_explore::{
    Advance, Arm, Bound, Bounds, End, Feasibility, Found, Machine, Oracle, Path, Pause, Share, Shortcuts,
    Step, Summary, Trail, Turn, Way,
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
    pub fn retrace(mut self, untold: Untold) -> Retrace<'e> {
        let _ = self.explorer.give_any();
        Retrace {
            run: self,
            nodes: Vec::new(),
            way: Vec::new(),
            inputs: Inputs::default(),
            untold,
            is_checking: false,
            excluded: None,
        }
    }
}

/// What is found out about paths that nobody told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Untold {
    /// Nothing: the exploration was cut.
    Ignored,
    /// Every arm of a free choice has paths; that arms of branches are infeasible is believed.
    Believed,
    /// The same, and arms of branches without paths are asked about: each has to be infeasible.
    Asked,
}

/// A state on the way, run to its next branch or its end.
struct Node {
    state: State,
    path: Path<Cond>,
    trail: Trail,
    pause: Pause<Outcome>,
    arms: Vec<Arm<Cond>>,
    /// What was told of each arm.
    said: Vec<Said>,
    /// Whether the condition grew by them.
    grew: Option<bool>,
}

/// What was told of an arm.
#[derive(Clone)]
enum Said {
    Nothing,
    /// Inputs that take it: the last that were told.
    Path(Assignment),
    /// Nobody could decide it.
    Undecided,
}

impl Node {
    fn has_said(&self) -> usize {
        self.said.iter().filter(|said| !matches!(said, Said::Nothing)).count()
    }

    /// Arms of which nothing was told.
    fn untold(&self) -> impl Iterator<Item = (&Arm<Cond>, &Said)> {
        self.arms.iter().zip(&self.said).filter(|(_, said)| matches!(said, Said::Nothing))
    }

    /// Inputs that go here.
    fn model(&self) -> Option<&Assignment> {
        self.said.iter().find_map(|said| if let Said::Path(model) = said { Some(model) } else { None })
    }
}

/// Paths that others have explored, gone again.
pub struct Retrace<'e> {
    run: Run<'e>,
    /// The states along the last path, from the start on.
    nodes: Vec<Node>,
    /// The turns between them.
    way: Vec<Turn>,
    inputs: Inputs,
    untold: Untold,
    /// Whether untold paths are looked for now.
    is_checking: bool,
    /// Arms that are infeasible, if someone wants them.
    excluded: Option<Excluded>,
}

impl<'e> Retrace<'e> {
    /// Checks paths, and has an exploration of one's own not ask about arms that have none.
    ///
    /// # Errors
    /// As [`Retrace::check`].
    pub fn exclude(mut self, all: &[RemotePath]) -> Result<(), Untrue> {
        self.excluded = Some(Excluded::default());
        self.check(all)?;
        self.run.exploration.oracle.excluded = self.excluded.unwrap_or_default();
        Ok(())
    }

    /// Goes a path and tells it; `None` if it is no path for others to see. Quickest in the order of positions.
    ///
    /// # Errors
    /// It does not go there, or not under these inputs.
    pub fn path(&mut self, told: &RemotePath) -> Result<Option<PathEnd>, Untrue> {
        let found = self.reach(told)?;
        Ok(self.run.tell_found(found))
    }

    /// Goes paths without telling them; they are in the order of their positions.
    ///
    /// # Errors
    /// The first that is none, and why; or that some were not told.
    pub fn check(&mut self, all: &[RemotePath]) -> Result<(), Untrue> {
        self.is_checking = self.untold != Untold::Ignored;
        if all.is_empty() && self.is_checking {
            return Err(Untrue("no path was told".into()));
        }
        let wrong = |told: &RemotePath, why: Untrue| Untrue(format!("the path \"{}\": {why}", told.way));
        for told in all {
            self.reach(told).map_err(|why| wrong(told, why))?;
        }
        self.leave(0)?;
        self.is_checking = false;
        self.way.clear();
        Ok(())
    }

    /// Forgets all nodes beyond the first `kept`: all paths through them were gone.
    fn leave(&mut self, kept: usize) -> Result<(), Untrue> {
        let nodes = self.nodes.split_off(kept.min(self.nodes.len()));
        if !self.is_checking {
            return Ok(());
        }
        let always = self.run.explorer.shortcuts() == Shortcuts::None;
        for node in nodes.into_iter().rev().filter(|node| node.has_said() > 0) {
            // An arm whose siblings are all infeasible is implied.
            let grows = node.has_said() > 1 || always;
            if matches!(node.pause, Pause::Branch) && node.grew.is_some_and(|grew| grew != grows) {
                let way = Way::from(&node.trail);
                return Err(Untrue(format!(
                    "after \"{way}\" the condition grows where it should not, or the other way round"
                )));
            }
            self.find_untold(&node)?;
            if let (Some(excluded), Pause::Branch) = (&mut self.excluded, &node.pause) {
                for (arm, _) in node.untold() {
                    excluded.add(&node.path, arm.constraint);
                }
            }
        }
        Ok(())
    }

    /// Arms of which nothing was told although they have paths.
    fn find_untold(&mut self, node: &Node) -> Result<(), Untrue> {
        let Exploration { oracle, exprs, .. } = &mut *self.run.exploration;
        for (arm, _) in node.untold() {
            let way = Way::from(&node.trail);
            match (&node.pause, node.model()) {
                (Pause::Choice, _) => {
                    let index = arm.index;
                    return Err(Untrue(format!(
                        "no path was told that begins with \"{way}\" and takes arm {index}"
                    )));
                }
                (Pause::Branch, Some(model)) if self.untold == Untold::Asked => {
                    let said = match oracle.ask(&node.path, model, arm.constraint) {
                        Feasibility::Infeasible => continue,
                        Feasibility::Feasible(_) => "no path was told that",
                        // Explored here it is told as undecided; a worker's word is not knowledge.
                        Feasibility::Unknown => "nobody here can say that no path",
                    };
                    let shown = exprs.borrow().show(arm.constraint);
                    return Err(Untrue(format!("{said} begins with \"{way}\" and goes on with {shown}")));
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn reach(&mut self, told: &RemotePath) -> Result<Found<Jvm, Assignment>, Untrue> {
        self.go(&told.way)?;
        let model = self.inputs.read(&self.run.exploration.exprs.borrow(), &told.model);
        self.check_model(&model)?;
        for (node, turn) in self.nodes.iter_mut().zip(&self.way) {
            node.said[turn.at as usize] = Said::Path(model.clone());
        }
        let Some(node) = self.nodes.last_mut() else { return Err(Untrue("no start".into())) };
        let end = match (told.end, &node.pause) {
            (RemoteEnd::Outcome, Pause::Ended(outcome)) => End::Outcome(outcome.clone()),
            (RemoteEnd::Cut(Bound::Steps), Pause::OutOfSteps) => End::Cut(Bound::Steps),
            (RemoteEnd::Cut(bound), Pause::Branch | Pause::Choice)
                if too_deep(self.run.explorer.bounds(), node) == Some(bound) =>
            {
                End::Cut(bound)
            }
            (RemoteEnd::Undecided(index), Pause::Branch) => {
                let at = node.arms.iter().position(|arm| arm.index == index);
                let at = at.ok_or_else(|| Untrue(format!("no arm {index} at its end")))?;
                node.said[at] = Said::Undecided;
                End::Undecided(node.arms[at])
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
        self.leave(common + 1)?;
        if self.nodes.is_empty() {
            let Some((state, path)) = self.run.explorer.origin() else {
                return Err(Untrue("no start".into()));
            };
            let (state, path) = (state.clone(), path.clone());
            self.add_node(state, path, Trail::new());
        }
        for turn in &way.0[common..] {
            let wrong = |what: &str| Err(Untrue(format!("turn {}: {what}", self.way.len())));
            let Some(node) = self.nodes.last_mut() else { return wrong("no start") };
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
            // Without the other arms it is not known whether this one is implied; then the condition says so itself.
            let grew = turn.grew || (self.untold == Untold::Ignored && matches!(node.pause, Pause::Branch));
            if grew {
                path = path.with(constraint);
            }
            if node.grew.is_some_and(|other| other != turn.grew) {
                return wrong("the condition grows on one path and not on another");
            }
            node.grew = Some(turn.grew);
            let times = node.trail.times(site) + 1;
            let trail = node.trail.with(Step { site, index, times, at: turn.at, grew });
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
        let said = vec![Said::Nothing; arms.len()];
        self.nodes.push(Node { state, path, trail, pause, arms, said, grew: None });
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
