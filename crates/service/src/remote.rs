//! Paths that workers have explored: sent as data, and retraced before anything of them is used.
//!
//! A worker sends which way a path took, how it ended, and inputs that lead there. The submitter's own
//! machine takes the same way, without asking any oracle, and evaluates every condition on the way under the
//! inputs. All that is shown of a path, its outcome included, comes from the retracing.
//!
//! **No path can be hidden.** The ways form a tree, and the submitter walks all of it ([`Retrace::check`]).
//! At every state on it that offers arms, each arm is one of three:
//! - a path was retraced through it;
//! - the submitter's own oracle says that it is infeasible under the conditions that lead here;
//! - a worker sent it as undecided, and the submitter's oracle cannot decide it either: it is reported as
//!   undecided.
//!
//! Anything else is an error, and so is a path that ends where the program, or a bound of the submitter, does
//! not end it. By induction over the tree every feasible path was retraced, is cut by a bound that is counted
//! here, or lies behind an arm that is reported as undecided. Nothing in this argument comes from a worker:
//! what workers count is shown and decides nothing. At a free choice every arm has paths, so nothing is
//! asked.
//!
//! Conditions that a worker omits because it takes them for implied make the conditions here weaker. What is
//! infeasible under weaker conditions is infeasible.
//!
//! Paths are retraced in the order of their positions and share the states up to where they part. So all of
//! them together cost the instructions of an exploration; the remaining questions are those whose answer is
//! no.

use crate::frontend::{FoundOf, Frontend, OutcomeOf, StateOf};
use crate::{Exploration, Part, PathEnd, Run};
use evergreen::AnsweredBy;
use evergreen_deciding::{Excluded, answerer};
use evergreen_explore::{
    Advance, Arm, Bound, Bounds, End, Feasibility, Machine, Oracle, Path, Pause, Share, Shortcuts, Step,
    Summary, Trail, Turn, Way,
};
use evergreen_symbolic::{Assignment, Cond, Exprs, Given, Input};
use std::collections::HashMap;
use std::fmt;
use std::rc::Rc;
use std::sync::atomic::Ordering;
use std::time::Instant;

/// Instructions that are run at once.
const STRETCH: u64 = 1 << 20;
/// Bounds of a whole exploration.
const WHOLE: [Bound; 4] = [Bound::Paths, Bound::Time, Bound::Memory, Bound::Interrupt];

/// A path, as data.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RemotePath {
    /// Which way the path took.
    pub way: Way,
    /// How it ended.
    pub end: RemoteEnd,
    /// Inputs that take it.
    pub model: Vec<Given>,
}

/// How a path ended, as data.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RemoteEnd {
    /// The program ended; the local machine determines how.
    Outcome,
    /// A bound cut it.
    Cut(Bound),
    /// The oracle could not decide the arm of this index.
    Undecided(u32),
}

/// Why a reported path is none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Untrue(pub String);

impl fmt::Display for Untrue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The result of one step of exploring for a submitter.
pub enum Forward {
    /// A path ended.
    Path(RemotePath),
    /// Nothing yet.
    Open,
    /// Nothing is left, or a bound of the whole exploration is reached.
    Done,
    /// It cannot continue, for this reason.
    Failed(String),
}

impl<'e, F: Frontend> Run<'e, F> {
    /// Explores until the next path ends or the next branch is decided, and returns the path as data for a
    /// process that retraces it.
    pub fn forward(&mut self) -> Forward {
        let Exploration { front, oracle, exprs, .. } = &mut *self.exploration;
        let advance = self.explorer.advance(front.machine(), oracle);
        if let Some(error) = &oracle.trouble().error {
            return Forward::Failed(error.clone());
        }
        let found = match advance {
            Advance::Open => return Forward::Open,
            Advance::Done => return self.done(),
            Advance::Found(found) => found,
        };
        let end = match &found.end {
            End::Outcome(_) => RemoteEnd::Outcome,
            End::Cut(bound) => RemoteEnd::Cut(*bound),
            End::Undecided(arm) => RemoteEnd::Undecided(arm.index),
            // The retracing process has to see this fault itself.
            End::Stuck => {
                return Forward::Failed(format!("no arm is feasible after \"{}\"", Way::from(&found.trail)));
            }
        };
        let model = exprs.borrow().given(&found.model);
        Forward::Path(RemotePath { way: Way::from(&found.trail), end, model })
    }

    /// Nothing is left; or a bound of this process has dropped the rest, which is no bound of the submitter.
    fn done(&self) -> Forward {
        match WHOLE.into_iter().find(|bound| self.explorer.summary().cut.by(*bound) > 0) {
            Some(bound) => Forward::Failed(format!("--{} of this process has cut it", bound.name())),
            None => Forward::Done,
        }
    }

    /// The parts that are still open, without giving them away; `None` if ends of paths have to be reported
    /// first. The reported paths and these parts are all there is.
    pub fn open_parts(&self) -> Option<Vec<Part>> {
        let exprs = self.exploration.exprs.borrow();
        let given = |model: Assignment| Ok::<_, std::convert::Infallible>(exprs.given(&model));
        let part = |share: Share<Assignment>| match share.try_map(given) {
            Ok(share) => Part(share),
            Err(never) => match never {},
        };
        Some(self.explorer.open_shares()?.into_iter().map(part).collect())
    }

    /// Begins to retrace paths that workers have explored.
    pub fn retrace(mut self, untold: Untold) -> Retrace<'e, F> {
        let _ = self.explorer.give_any();
        Retrace {
            run: self,
            nodes: Vec::new(),
            way: Vec::new(),
            inputs: Inputs::default(),
            untold,
            pass: Pass::Telling,
            counted: Summary::default(),
            excluded: None,
            began: Instant::now(),
        }
    }
}

/// What becomes of arms that no path was sent for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Untold {
    /// They stay open: a bound of the submitter's own has ended the work, and the result says so.
    Left,
    /// Each has to be infeasible, and the local oracle is asked.
    Asked,
}

/// What paths are retraced for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Pass {
    /// Checks whether the paths exist, and whether they are all.
    Checking,
    /// To show them.
    Telling,
}

/// A state on the way, run to its next branch or its end.
struct Node<F: Frontend> {
    state: StateOf<F>,
    path: Path<Cond>,
    trail: Trail,
    pause: Pause<OutcomeOf<F>>,
    arms: Vec<Arm<Cond>>,
    /// What was sent for each arm.
    said: Vec<Said>,
    /// Whether the condition grew by them.
    grew: Option<bool>,
    /// Whether inputs were fixed on the way on.
    sampled: bool,
    /// Inputs that come here: those of the last path.
    model: Rc<Assignment>,
}

/// What was sent for an arm.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Said {
    Nothing,
    /// A path that takes it.
    Path,
    /// That the oracle could not decide it.
    Undecided,
}

impl<F: Frontend> Node<F> {
    fn count(&self, what: Said) -> usize {
        self.said.iter().filter(|said| **said == what).count()
    }

    /// Notes what was sent for an arm; it cannot both have paths and be undecided.
    fn said_of(&mut self, at: usize, what: Said) -> Result<(), Untrue> {
        let said = &mut self.said[at];
        if *said != Said::Nothing && *said != what {
            let index = self.arms[at].index;
            return Err(Untrue(format!("arm {index} is undecided, and has paths")));
        }
        *said = what;
        Ok(())
    }

    /// Whether a path could continue from here, as far as the bounds of a path allow.
    fn offers(&self, bounds: &Bounds) -> bool {
        matches!(self.pause, Pause::Branch | Pause::Choice) && too_deep(bounds, self).is_none()
    }
}

/// Paths that workers have explored, retraced.
pub struct Retrace<'e, F: Frontend> {
    run: Run<'e, F>,
    /// The states along the last path, from the start on.
    nodes: Vec<Node<F>>,
    /// The turns between them.
    way: Vec<Turn>,
    inputs: Inputs,
    untold: Untold,
    pass: Pass,
    /// What was seen while checking.
    counted: Summary,
    /// Arms that are infeasible, if the caller wants them.
    excluded: Option<Excluded>,
    began: Instant,
}

impl<'e, F: Frontend> Retrace<'e, F> {
    /// Checks paths, and keeps a later local exploration from asking again about arms that were found to be
    /// infeasible.
    ///
    /// # Errors
    /// As [`Retrace::check`].
    pub fn exclude(mut self, all: &[RemotePath]) -> Result<Summary, Untrue> {
        self.excluded = Some(Excluded::default());
        let counted = self.check(all)?;
        self.run.exploration.oracle.excluded = self.excluded.unwrap_or_default();
        Ok(counted)
    }

    /// Retraces a path that was checked, and reports it; `None` if it is no path for others to see. Fastest
    /// in the order of positions.
    ///
    /// # Errors
    /// The way cannot be taken, or not under these inputs.
    pub fn path(&mut self, sent: &RemotePath) -> Result<Option<PathEnd<F::Language>>, Untrue> {
        let found = self.reach(sent)?;
        Ok(self.run.describe_found(found))
    }

    /// Retraces paths without reporting them; they are in the order of their positions. The summary counts
    /// what was seen on the way: what was cut, what is undecided.
    ///
    /// # Errors
    /// The first that is none, and why; or an arm that may have paths which were not sent.
    pub fn check(&mut self, all: &[RemotePath]) -> Result<Summary, Untrue> {
        self.pass = Pass::Checking;
        if all.is_empty() && self.untold == Untold::Asked {
            return Err(Untrue("no path was told".into()));
        }
        let wrong = |sent: &RemotePath, why: Untrue| Untrue(format!("the path \"{}\": {why}", sent.way));
        for sent in all {
            self.reach(sent).map_err(|why| wrong(sent, why))?;
        }
        self.leave(0)?;
        self.pass = Pass::Telling;
        self.way.clear();
        Ok(std::mem::take(&mut self.counted))
    }

    /// Forgets all nodes beyond the first `kept`: all paths through them were retraced.
    fn leave(&mut self, kept: usize) -> Result<(), Untrue> {
        let nodes = self.nodes.split_off(kept.min(self.nodes.len()));
        if self.pass == Pass::Checking {
            nodes.iter().rev().try_for_each(|node| self.close(node))?;
        }
        Ok(())
    }

    /// All paths that were sent through a node have been retraced: every other arm has to be infeasible.
    fn close(&mut self, node: &Node<F>) -> Result<(), Untrue> {
        if !node.offers(self.run.explorer.bounds()) {
            return Ok(());
        }
        self.count(node);
        if self.untold == Untold::Left {
            return Ok(());
        }
        for (arm, said) in node.arms.iter().zip(&node.said).filter(|(_, said)| **said != Said::Path) {
            self.cover(node, arm, *said)?;
        }
        // An arm whose siblings are all infeasible is implied.
        let always = self.run.explorer.shortcuts() == Shortcuts::None;
        let grows = node.arms.len() - node.count(Said::Nothing) > 1 || always;
        if matches!(node.pause, Pause::Branch) && node.grew.is_some_and(|grew| grew != grows) {
            let way = Way::from(&node.trail);
            return Err(Untrue(format!(
                "after \"{way}\" the condition grows where it should not, or the other way round"
            )));
        }
        Ok(())
    }

    /// Finds out here that an arm without paths has none, or that it is undecided here too.
    fn cover(&mut self, node: &Node<F>, arm: &Arm<Cond>, said: Said) -> Result<(), Untrue> {
        let way = Way::from(&node.trail);
        if let Pause::Choice = node.pause {
            let index = arm.index;
            return Err(Untrue(format!("no path was told that begins with \"{way}\" and takes arm {index}")));
        }
        let Exploration { oracle, exprs, .. } = &mut *self.run.exploration;
        let why = match (oracle.ask(&node.path, &node.model, arm.constraint), said) {
            (Feasibility::Unknown, Said::Undecided) => return Ok(()),
            (Feasibility::Infeasible, Said::Nothing | Said::Path) => {
                self.counted.infeasible += 1;
                if let Some(excluded) = &mut self.excluded {
                    excluded.add(&node.path, arm.constraint);
                }
                return Ok(());
            }
            (_, Said::Undecided) => "an arm is reported as undecided which is not: it",
            (Feasibility::Feasible(_), _) => "no path was told that",
            // Explored here it is reported as undecided.
            (Feasibility::Unknown, _) => "nobody here can say that no path",
        };
        let shown = exprs.borrow().show(arm.constraint);
        Err(Untrue(format!("{why} begins with \"{way}\" and goes on with {shown}")))
    }

    /// Counts what an exploration counts at a branch, except who decided its arms.
    fn count(&mut self, node: &Node<F>) {
        let counted = &mut self.counted;
        counted.branches += 1;
        counted.deepest = counted.deepest.max(node.trail.depth() + 1);
        counted.forks += node.count(Said::Path).saturating_sub(1) as u64;
        counted.undecided += node.count(Said::Undecided) as u64;
        counted.sampled += u64::from(node.sampled);
        match node.pause {
            Pause::Choice => counted.choices += 1,
            // The workers report who decided these; how many there are is counted here.
            _ => {
                let decided = node.arms.len() - node.count(Said::Undecided);
                counted.answers.add(answerer(AnsweredBy::Elsewhere), decided as u64);
            }
        }
    }

    fn reach(&mut self, sent: &RemotePath) -> Result<FoundOf<F>, Untrue> {
        self.go(sent)?;
        let model = self.inputs.read(&self.run.exploration.exprs.borrow(), &sent.model);
        self.check_model(&model)?;
        let shared = Rc::new(model);
        for (number, node) in self.nodes.iter_mut().enumerate() {
            node.model = shared.clone();
            if let Some(turn) = self.way.get(number) {
                node.said_of(turn.at as usize, Said::Path)?;
            }
        }
        let Some(node) = self.nodes.last_mut() else { return Err(Untrue("no start".into())) };
        let end = match (sent.end, &node.pause) {
            (RemoteEnd::Outcome, Pause::Ended(outcome)) => End::Outcome(outcome.clone()),
            (RemoteEnd::Cut(Bound::Steps), Pause::OutOfSteps) => End::Cut(Bound::Steps),
            (RemoteEnd::Cut(bound), Pause::Branch | Pause::Choice)
                if too_deep(self.run.explorer.bounds(), node) == Some(bound) =>
            {
                End::Cut(bound)
            }
            (RemoteEnd::Undecided(index), Pause::Branch)
                if too_deep(self.run.explorer.bounds(), node).is_none() =>
            {
                let at = node.arms.iter().position(|arm| arm.index == index);
                let at = at.ok_or_else(|| Untrue(format!("no arm {index} at its end")))?;
                node.said_of(at, Said::Undecided)?;
                End::Undecided(node.arms[at])
            }
            _ => return Err(Untrue("it does not end there".into())),
        };
        match end {
            End::Undecided(_) => self.run.explorer.cover(&node.arms, None),
            End::Cut(bound) => self.counted.cut.add(bound, 1),
            _ => {}
        }
        let (state, path, trail) = (node.state.clone(), node.path.clone(), node.trail.clone());
        let model = Rc::unwrap_or_clone(shared);
        Ok(FoundOf::<F> { end, state, path, trail, model, seeds: Vec::new() })
    }

    /// Follows a way to its end, from where it leaves the last one.
    fn go(&mut self, sent: &RemotePath) -> Result<(), Untrue> {
        let way = &sent.way;
        let common = self.way.iter().zip(&way.0).take_while(|(one, two)| one == two).count();
        self.way.truncate(common);
        self.leave(common + 1)?;
        if self.nodes.is_empty() {
            let Some((state, path)) = self.run.explorer.origin() else {
                return Err(Untrue("no start".into()));
            };
            let (state, path) = (state.clone(), path.clone());
            self.add_node(state, path, Trail::new())?;
        }
        for turn in &way.0[common..] {
            let wrong = |what: &str| Err(Untrue(format!("turn {}: {what}", self.way.len())));
            let Some(node) = self.nodes.last_mut() else { return wrong("no start") };
            if let (Pause::Ended(outcome), true) = (&node.pause, turn.sampled) {
                let (outcome, mut state) = (outcome.clone(), node.state.clone());
                let (mut path, trail) = (node.path.clone(), node.trail.clone());
                node.sampled = true;
                let Exploration { front, oracle, exprs, .. } = &mut *self.run.exploration;
                let model = self.inputs.read(&exprs.borrow(), &sent.model);
                let blocked = front.machine().blocked(&state, &outcome);
                let fixed = blocked.and_then(|arm| oracle.fix(&[arm.constraint], &model));
                let (Some(arm), Some(fixed)) = (blocked, fixed) else {
                    return wrong("its inputs cannot be fixed");
                };
                front.machine().fix(&mut state, &fixed);
                path = fixed.into_iter().fold(path, |path, condition| path.with(condition));
                let Arm { site, index, .. } = arm;
                let times = trail.times(site) + 1;
                let step = Step { site, index, times, at: turn.at, grew: turn.grew, sampled: true };
                self.way.push(*turn);
                self.add_node(state, path, trail.with(step))?;
                continue;
            }
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
            self.run.exploration.front.machine().take(&mut state, turn.at as usize);
            // Without the other arms it is unknown whether this arm is implied; then its condition is added.
            let grew = turn.grew || (self.untold == Untold::Left && matches!(node.pause, Pause::Branch));
            if turn.sampled {
                node.sampled = true;
                let all: Vec<Cond> = node.arms.iter().map(|arm| arm.constraint).collect();
                let Exploration { oracle, exprs, .. } = &mut *self.run.exploration;
                let model = self.inputs.read(&exprs.borrow(), &sent.model);
                let Some(fixed) = oracle.fix(&all, &model) else {
                    return wrong("its inputs cannot be fixed");
                };
                path = fixed.into_iter().fold(path, |path, condition| path.with(condition));
            } else if grew {
                path = path.with(constraint);
            }
            if node.grew.is_some_and(|other| other != turn.grew) {
                return wrong("the condition grows on one path and not on another");
            }
            node.grew = Some(turn.grew);
            let times = node.trail.times(site) + 1;
            let trail =
                node.trail.with(Step { site, index, times, at: turn.at, grew, sampled: turn.sampled });
            self.run.explorer.cover(&node.arms, Some(turn.at as usize));
            self.way.push(*turn);
            self.add_node(state, path, trail)?;
        }
        Ok(())
    }

    /// Runs a state to its next branch or its end.
    fn add_node(&mut self, mut state: StateOf<F>, path: Path<Cond>, trail: Trail) -> Result<(), Untrue> {
        let machine = self.run.exploration.front.machine();
        let mut arms = Vec::new();
        let bounds = self.run.explorer.bounds();
        let most = bounds.steps.unwrap_or(u64::MAX);
        let pause = loop {
            arms.clear();
            let left = most.saturating_sub(machine.steps(&state)).min(STRETCH);
            match if left == 0 { Pause::OutOfSteps } else { machine.run(&mut state, left, &mut arms) } {
                Pause::OutOfSteps if left > 0 => {}
                pause => break pause,
            }
            // A way may lead into a loop without end.
            let is_over = bounds.time.is_some_and(|time| self.began.elapsed() >= time);
            if is_over || bounds.interrupt.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed)) {
                return Err(Untrue("it takes too long".into()));
            }
        };
        let (said, model) = (vec![Said::Nothing; arms.len()], Rc::default());
        self.nodes.push(Node { state, path, trail, pause, arms, said, grew: None, sampled: false, model });
        Ok(())
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
        // What a sampled path has fixed came with the first of the paths through there.
        let fixes = self.way.iter().any(|turn| turn.sampled);
        if let Some(node) = self.nodes.last().filter(|_| fixes)
            && !node.path.constraints().iter().all(|&c| exprs.holds(c, model))
        {
            return Err(Untrue("its inputs are not those that its path has fixed".into()));
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

    /// The exploration, with these counters.
    pub fn end(mut self, counted: &Summary) -> Run<'e, F> {
        self.run.explorer.count(counted);
        self.run
    }
}

/// The bound that keeps a path from continuing at a branch.
fn too_deep<F: Frontend>(bounds: &Bounds, node: &Node<F>) -> Option<Bound> {
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
    /// The values of the known inputs. Other inputs make no difference to any path so far.
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
