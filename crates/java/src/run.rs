//! The exploration of one method: ends of paths as the explorer finds them, made whole and told.

use super::calls::{Whole, give};
use super::case::{Cases, target};
use super::complete::{Completion, complete};
use super::ending::{Detail, PathEnd, Subject, describe};
use super::exploration::Exploration;
use super::inputs::Inputs;
use super::leftovers::Leftovers;
use super::line::PathLines;
use super::pairs::{Kept, KeptEnd};
use super::probability::{Distribution, Leak, Watched};
use super::program::MethodRef;
use super::seeds::{Ended, Followed, Seeding};
use super::tally::Tally;
use super::{BranchOracle, shrink};
use evergreen_explore::{Coverage, End, Explorer, Found, Path, Summary};
use evergreen_jvm::{Ending, Jvm, LazyCounts, Narrowed, Place, State};
use evergreen_replay::Target;
use evergreen_symbolic::{Assignment, Cond};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Questions that may be asked to make the inputs of one finding small.
const SHRINK_QUESTIONS: usize = 400;
/// Of findings of one kind, so many are made small; the smallest is shown.
pub(super) const SHRUNK_OF_A_KIND: u32 = 8;

/// A path that was only counted.
#[derive(Clone, Debug)]
pub struct Collected {
    /// How it ended; none if it was cut or could not be decided.
    pub ending: Option<Ending>,
    /// Objects of its input, roots included.
    pub objects: usize,
}

impl Collected {
    /// Whether it returned something other than `false` or 0, or nothing at all: what a study counts.
    pub fn is_structure(&self) -> bool {
        match self.ending {
            Some(Ending::Returned(value)) => value != Some(evergreen_jvm::Value::Int(0)),
            _ => false,
        }
    }
}

/// What becomes of the smaller inputs of a finding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Small {
    /// The path is told with them.
    Instead,
    /// The path is told with both: who tells it does not know how many of the kind come before.
    Beside,
}

/// An end that was told.
pub(super) struct Told {
    pub(super) end: One,
    /// The same with smaller inputs.
    pub(super) smaller: Option<Box<One>>,
    /// Whether the program ended it, not we.
    pub(super) is_outcome: bool,
    /// Of an exception: its class and place.
    pub(super) kind: Option<Kind>,
}

/// A path as it is told.
pub(super) struct One {
    /// It goes through many hands, and is large.
    pub(super) path: Box<PathEnd>,
    /// Whether its test is called with objects.
    pub(super) is_graph: bool,
    /// Whether public calls make these.
    pub(super) is_built: bool,
    /// Whether its test is left to be made.
    pub(super) is_due: bool,
}

/// Class and place of an exception.
pub(super) type Kind = (Arc<str>, String);

/// The exploration of one method, path by path.
pub struct Run<'e> {
    pub(super) exploration: &'e mut Exploration,
    pub(super) explorer: Explorer<Jvm, BranchOracle>,
    method: MethodRef,
    inputs: Inputs,
    /// What its tests call.
    target: Arc<Target>,
    pub(super) tally: Tally,
    detail: Detail,
    /// How the lines of paths are written, if there are some.
    lines: Option<PathLines>,
    leftovers: Leftovers,
    /// How often each kind of exception was seen, by class and place.
    pub(super) seen: BTreeMap<Kind, u32>,
    pub(super) shrunk_of_a_kind: u32,
    /// Whether public calls are looked for that make the objects of tests.
    by_calls: bool,
    pub(super) cases: Cases,
    /// The ends of paths, if they are to be compared with those of another version.
    pub(super) kept: Option<Vec<Kept>>,
    /// Old tests, if there are some.
    pub(super) seeding: Option<Seeding>,
    /// How likely the paths are, if that is counted.
    pub(super) watched: Option<Watched>,
}

impl Exploration {
    pub(super) fn run(
        &mut self,
        method: &MethodRef,
        inputs: &Inputs,
        explorer: Explorer<Jvm, BranchOracle>,
    ) -> Run<'_> {
        self.jvm.lazy_counts = LazyCounts::default();
        self.jvm.narrowed_steps = Narrowed::default();
        Run {
            method: method.clone(),
            inputs: inputs.clone(),
            target: Arc::new(target(&self.program, method)),
            explorer,
            exploration: self,
            tally: Tally::default(),
            detail: Detail::Full,
            lines: None,
            leftovers: Leftovers::default(),
            seen: BTreeMap::new(),
            shrunk_of_a_kind: SHRUNK_OF_A_KIND,
            by_calls: true,
            cases: Cases::Now,
            kept: None,
            seeding: None,
            watched: None,
        }
    }
}

impl Run<'_> {
    /// How much is told of each path.
    pub fn telling(mut self, detail: Detail) -> Self {
        self.detail = detail;
        self
    }

    /// Has each path written as a line, too.
    pub fn writing(mut self, lines: Option<PathLines>) -> Self {
        self.lines = lines;
        self
    }

    /// Leaves the inputs of findings as they were found.
    pub fn without_shrinking(mut self) -> Self {
        self.shrunk_of_a_kind = 0;
        self
    }

    /// Has tests make their objects field by field, even where public calls would make them.
    pub fn without_calls(mut self) -> Self {
        self.by_calls = false;
        self
    }

    /// Has progress told, at most every 100 ms.
    pub fn on_progress(mut self, tell: impl FnMut(&Summary) + 'static) -> Self {
        self.explorer = self.explorer.on_progress(tell);
        self
    }

    /// The end of the next path. Paths on which an assumption does not hold are no paths.
    pub fn next_path(&mut self) -> Option<PathEnd> {
        loop {
            let found = self.explorer.next(&mut self.exploration.jvm, &mut self.exploration.oracle)?;
            // Without an answer that must be in the store there is nothing to go on with.
            if self.exploration.oracle.trouble().error.is_some() {
                return None;
            }
            if let Some(path) = self.tell_found(found) {
                return Some(path);
            }
        }
    }

    /// Tells an end to whoever asks for the next path.
    pub(super) fn tell_found(&mut self, found: Found<Jvm, Assignment>) -> Option<PathEnd> {
        let told = self.tell(found, Small::Instead)?;
        self.tally.count_objects(&told.end);
        Some(*told.end.path)
    }

    /// Tells an end that the explorer has found; nothing, if it is that of no path.
    pub(super) fn tell(&mut self, mut found: Found<Jvm, Assignment>, small: Small) -> Option<Told> {
        let Exploration { jvm, oracle, exprs, program, .. } = &mut *self.exploration;
        self.tally.lazy = jvm.lazy_counts;
        let likelihood = match (&mut self.watched, oracle.masses_mut()) {
            (Some(watched), Some(masses)) => Some(watched.end(jvm, masses, &found, self.detail)),
            _ => None,
        };
        let mut kept = self.seeding.as_mut().map_or_else(Vec::new, |seeding| {
            let (method, inputs) = (&self.method, &self.inputs);
            let (target, leftovers, cases) = (&self.target, &self.leftovers, Cases::Now);
            let subject = Subject { program, method, inputs, target, leftovers, cases };
            seeding.arrive(jvm, &subject, &mut found)
        });
        let seeding = self.seeding.as_mut();
        self.tally.narrow(found.state.narrowed);
        let made = make_whole(jvm, oracle, &mut self.tally, seeding, &mut found, &mut kept);
        self.tally.note_bounds(jvm);
        let (input, whole) = made?;
        let (mut kind, mut smaller) = (None, None);
        if let End::Outcome(outcome) = &found.end {
            self.tally.count(&outcome.ending);
            match &outcome.ending {
                Ending::Assumed | Ending::Invalid => return None,
                Ending::Threw { class, place, .. } if kept.is_empty() => {
                    let key = (class.clone(), place.as_ref().map(Place::to_string).unwrap_or_default());
                    let seen = self.seen.entry(key.clone()).or_insert(0);
                    *seen += 1;
                    if *seen <= self.shrunk_of_a_kind {
                        let before = oracle.stats();
                        smaller = Some(shrink(oracle, exprs, &whole, &found.model, SHRINK_QUESTIONS));
                        self.tally.shrinking.add_all(&oracle.stats().since(&before));
                    }
                    kind = Some(key);
                }
                _ => {}
            }
        }
        let input = input.as_deref();
        let smaller = match smaller {
            Some(model) if small == Small::Beside => {
                let beside = Found { model, ..copy(&found) };
                let mut smaller = self.tell_whole(beside, input, &whole, Vec::new());
                self.write(&mut smaller);
                Some(Box::new(smaller))
            }
            Some(model) => {
                found.model = model;
                None
            }
            None => None,
        };
        if let (Some(ends), End::Outcome(outcome)) = (&mut self.kept, &found.end)
            && let Some(end) = KeptEnd::of(&mut self.exploration.jvm, outcome)
        {
            ends.push(Kept { path: found.path.clone(), model: found.model.clone(), end });
        }
        let is_outcome = matches!(found.end, End::Outcome(_));
        let mut end = self.tell_whole(found, input, &whole, kept);
        end.path.likelihood = likelihood;
        self.write(&mut end);
        Some(Told { end, smaller, is_outcome, kind })
    }

    /// Takes a path back that nobody looks at any more.
    pub fn give_back(&mut self, path: Box<PathEnd>) {
        self.leftovers.add(path);
    }

    fn write(&self, one: &mut One) {
        if let Some(lines) = &self.lines {
            lines.add(&self.method, &mut one.path);
        }
    }

    /// Tells an end whose input is whole.
    fn tell_whole(
        &mut self,
        found: Found<Jvm, Assignment>,
        input: Option<&State>,
        whole: &Path<Cond>,
        kept: Vec<usize>,
    ) -> One {
        let Exploration { jvm, program, base, calls, .. } = &mut *self.exploration;
        let (number, detail, model) = (self.tally.paths, self.detail, found.model.clone());
        let (method, inputs) = (&self.method, &self.inputs);
        let (target, leftovers) = (&self.target, &self.leftovers);
        leftovers.next();
        // Old tests and lines are told with what they are made of.
        let is_alone = self.seeding.is_none() && self.lines.is_none();
        let cases = if is_alone { self.cases } else { Cases::Now };
        let subject = Subject { program, method, inputs, target, leftovers, cases };
        let again = (self.by_calls && input.is_some() && kept.is_empty()).then(|| copy(&found));
        let seeded = self.seeding.is_some().then(|| (found.trail.clone(), found.state.clone()));
        let mut told = Box::new(describe(jvm, &subject, found, input, number, detail));
        let is_graph = told.case.as_ref().is_some_and(|case| !case.objects.is_empty());
        let mut is_built = false;
        if is_graph && let (Some(mut again), Some(input)) = (again, input) {
            let whole = Whole { input, path: whole, model: &model };
            let tell = |jvm: &Jvm, model: Assignment| {
                again.model = model;
                describe(jvm, &subject, again, Some(input), number, detail)
            };
            is_built = give(calls, jvm, base, &mut told, &whole, tell);
        }
        if let (Some(seeding), Some((trail, state))) = (&mut self.seeding, seeded) {
            let ended = Ended { trail, read: &state, input: input.unwrap_or(&state) };
            seeding.tell(jvm, &ended, kept, &mut told);
        }
        let is_due = cases.is_due(&told);
        One { path: told, is_graph, is_built, is_due }
    }

    /// The probabilities of the outcomes so far, if they are counted.
    pub fn distribution(&self) -> Option<&Distribution> {
        self.watched.as_ref().map(|watched| &watched.distribution)
    }

    /// What the outcomes so far tell about the secrets, if there are some.
    pub fn leak(&mut self) -> Option<Leak> {
        let Exploration { jvm, oracle, .. } = &mut *self.exploration;
        self.watched.as_ref()?.leak(jvm, oracle.masses_mut()?)
    }

    /// How the next path ended, and no more: its input is not completed, and nothing is told of it. For studies that count structures.
    pub fn next_collected(&mut self) -> Option<Collected> {
        let Exploration { jvm, oracle, .. } = &mut *self.exploration;
        let found = self.explorer.next(jvm, oracle)?;
        if oracle.trouble().error.is_some() {
            return None;
        }
        self.tally.lazy = jvm.lazy_counts;
        let objects = found.state.lazy().objects().len();
        if let End::Outcome(outcome) = &found.end {
            self.tally.count(&outcome.ending);
        }
        self.tally.narrow(found.state.narrowed);
        self.tally.note_bounds(jvm);
        let ending = match found.end {
            End::Outcome(outcome) => Some(outcome.ending),
            _ => None,
        };
        Some(Collected { ending, objects })
    }

    /// The counters of the loop.
    pub fn summary(&self) -> Summary {
        self.explorer.summary()
    }

    /// What became of the paths.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// The arms taken so far.
    pub fn coverage(&self) -> &Coverage {
        self.explorer.coverage()
    }

    /// The method.
    pub fn method(&self) -> &MethodRef {
        &self.method
    }

    /// What its tests call.
    pub(super) fn target(&self) -> &Arc<Target> {
        &self.target
    }

    /// The oracle, for its counters.
    pub fn oracle(&self) -> &BranchOracle {
        &self.exploration.oracle
    }
}

/// Makes the input of a path whole, if it has objects: the state that has it, if there is one, and the conditions of path and input. `None` if
/// no valid input takes the path.
fn make_whole(
    jvm: &mut Jvm,
    oracle: &mut BranchOracle,
    tally: &mut Tally,
    mut seeding: Option<&mut Seeding>,
    found: &mut Found<Jvm, Assignment>,
    kept: &mut Vec<usize>,
) -> Option<(Option<Box<State>>, Path<Cond>)> {
    let is_path = matches!(&found.end, End::Outcome(outcome) if outcome.is_path());
    if !is_path || found.state.lazy().objects().is_empty() {
        return Some((None, found.path.clone()));
    }
    let followed = seeding.as_mut().map(|seeding| seeding.complete(jvm, oracle, found, kept));
    if let Some(Followed::Whole(state)) = followed {
        return Some((Some(state), found.path.clone()));
    }
    let completion = complete(jvm, oracle, found);
    if let (Some(seeding), false) = (seeding, kept.is_empty()) {
        let valid = match &completion {
            Completion::Valid { state, model, .. } => Some((&**state, model)),
            _ => None,
        };
        if let Some(state) = seeding.fill(jvm, oracle, found, kept, valid) {
            return Some((Some(state), found.path.clone()));
        }
    }
    match completion {
        Completion::Valid { state, path, model } => {
            found.model = model;
            return Some((Some(state), path));
        }
        Completion::Invalid => {
            tally.invalid += 1;
            return None;
        }
        Completion::Disagreement(input) => tally.disagree(input),
        Completion::Unknown => tally.doubtful += 1,
    }
    Some((None, found.path.clone()))
}

/// The end of a path once more.
fn copy(found: &Found<Jvm, Assignment>) -> Found<Jvm, Assignment> {
    Found {
        end: found.end.clone(),
        state: found.state.clone(),
        path: found.path.clone(),
        trail: found.trail.clone(),
        model: found.model.clone(),
        seeds: found.seeds.clone(),
    }
}

impl Iterator for Run<'_> {
    type Item = PathEnd;

    fn next(&mut self) -> Option<PathEnd> {
        self.next_path()
    }
}
