//! The exploration of one entry: ends of paths as the explorer finds them, made whole and described.

use crate::exploration::{EntryOf, Exploration, InputsOf};
use crate::frontend::{Completion, Described, FoundOf, Frontend, Sorted, StateOf, Subject, Whole};
use crate::seeds::{Ended, Followed, Seeding};
use crate::walks::Walks;
use crate::{Cases, Detail, Language, Leftovers, PathEnd, PathLines, Tally};
use evergreen_deciding::probability::{Along, Distribution, Leak, Shows, Watched};
use evergreen_deciding::{BranchOracle, shrink};
use evergreen_explore::{Advance, Bound, Coverage, End, Explorer, Path, Summary};
use evergreen_suite::Format;
use evergreen_symbolic::Cond;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The most questions that are asked to make the inputs of one finding small.
const SHRINK_QUESTIONS: usize = 400;
/// Of findings of one kind, so many are made small; the smallest is shown.
pub(crate) const SHRUNK_OF_A_KIND: u32 = 8;

/// What becomes of the smaller inputs of a finding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Small {
    /// The path is reported with them.
    Instead,
    /// The path is handed on with both: this thread does not know how many of the kind come before it.
    Beside,
}

/// An end, ready to be reported.
pub(crate) struct ReadyEnd<L: Language> {
    pub(crate) end: One<L>,
    /// The same with smaller inputs.
    pub(crate) smaller: Option<Box<One<L>>>,
    /// Whether the program ended it, not we.
    pub(crate) is_outcome: bool,
    /// Of a failure: what was thrown, and where.
    pub(crate) kind: Option<Kind>,
}

/// A path, ready to be reported.
pub(crate) struct One<L: Language> {
    /// It moves through many functions, and is large.
    pub(crate) path: Box<PathEnd<L>>,
    /// Whether its test is called with objects.
    pub(crate) is_graph: bool,
    /// Whether public calls make these.
    pub(crate) is_built: bool,
    /// Whether its test is left to be made.
    pub(crate) is_due: bool,
}

/// What was thrown, and where.
pub(crate) type Kind = (Arc<str>, String);

/// Sees the end of each path before it is described.
type Watcher<F> = Box<dyn FnMut(&mut F, &FoundOf<F>)>;

/// The exploration of one entry, path by path.
pub struct Run<'e, F: Frontend> {
    pub(crate) exploration: &'e mut Exploration<F>,
    pub(crate) explorer: Explorer<F::Machine, BranchOracle>,
    entry: EntryOf<F>,
    inputs: InputsOf<F>,
    /// What its tests call.
    target: Arc<<F::Language as Format>::Target>,
    pub(crate) tally: Tally<F::Language>,
    detail: Detail,
    /// How the lines of paths are written, if there are some.
    lines: Option<PathLines<F::Language>>,
    leftovers: Leftovers<F::Language>,
    /// How often each kind of failure was seen.
    pub(crate) seen: BTreeMap<Kind, u32>,
    shrunk_of_a_kind: u32,
    /// Whether public calls are looked for that make the objects of tests.
    by_calls: bool,
    pub(crate) cases: Cases,
    /// Whether some paths may be sampled.
    samples: bool,
    watcher: Option<Watcher<F>>,
    /// Old tests, if there are some.
    pub(crate) seeding: Option<Seeding<F>>,
    /// How likely the paths are, if that is counted.
    pub(crate) watched: Option<Watched>,
    /// Random walks, if there are some.
    pub(crate) walks: Option<Walks<F::Language>>,
}

impl<'e, F: Frontend> Run<'e, F> {
    pub(crate) fn new(
        exploration: &'e mut Exploration<F>,
        entry: &EntryOf<F>,
        inputs: &InputsOf<F>,
        explorer: Explorer<F::Machine, BranchOracle>,
    ) -> Run<'e, F> {
        exploration.front.reset_counts();
        let samples = explorer.samples();
        Run {
            entry: entry.clone(),
            inputs: inputs.clone(),
            target: Arc::new(exploration.front.target(entry)),
            explorer,
            exploration,
            tally: Tally::default(),
            detail: Detail::Full,
            lines: None,
            leftovers: Leftovers::default(),
            seen: BTreeMap::new(),
            shrunk_of_a_kind: SHRUNK_OF_A_KIND,
            by_calls: true,
            cases: Cases::Now,
            samples,
            watcher: None,
            seeding: None,
            watched: None,
            walks: None,
        }
    }
}

impl<F: Frontend> Run<'_, F> {
    /// How much is described of each path.
    #[must_use]
    pub fn telling(mut self, detail: Detail) -> Self {
        self.detail = detail;
        self
    }

    /// Writes each path as a line, too.
    #[must_use]
    pub fn writing(mut self, lines: Option<PathLines<F::Language>>) -> Self {
        self.lines = lines;
        self
    }

    /// Leaves the inputs of findings as they were found.
    #[must_use]
    pub fn without_shrinking(mut self) -> Self {
        self.shrunk_of_a_kind = 0;
        self
    }

    /// Makes objects of tests field by field, even where public calls would make them.
    #[must_use]
    pub fn without_calls(mut self) -> Self {
        self.by_calls = false;
        self
    }

    /// Takes so many random walks at most where arms of the entry's own code are taken by no path. Not beside
    /// old tests and probabilities.
    #[must_use]
    pub fn walking(mut self, most: u32) -> Self {
        let arms = self.exploration.front.arms(&self.entry);
        let is_alone = self.seeding.is_none() && self.watched.is_none() && self.explorer.is_free();
        let are_wanted = most > 0 && !arms.is_empty() && is_alone;
        self.walks = are_wanted.then(|| Walks::new(most, arms));
        self
    }

    /// Reports progress, at most every 100 ms.
    #[must_use]
    pub fn on_progress(mut self, describe: impl FnMut(&Summary) + 'static) -> Self {
        self.explorer = self.explorer.on_progress(describe);
        self
    }

    /// Shows the end of each path to `watcher` before the path is described.
    #[must_use]
    pub fn watching(mut self, watcher: impl FnMut(&mut F, &FoundOf<F>) + 'static) -> Self {
        self.watcher = Some(Box::new(watcher));
        self
    }

    /// The end of the next path. Paths on which an assumption does not hold are no paths.
    pub fn next_path(&mut self) -> Option<PathEnd<F::Language>> {
        loop {
            let Exploration { front, oracle, .. } = &mut *self.exploration;
            let found = match self.explorer.advance(front.machine(), oracle) {
                Advance::Found(found) => *found,
                Advance::Open => {
                    if self.walks.as_ref().is_some_and(Walks::are_due) {
                        self.walk();
                    }
                    continue;
                }
                Advance::Done => return self.next_walk(),
            };
            // Without an answer that must be in the store the exploration cannot continue.
            if self.exploration.oracle.trouble().error.is_some() {
                return None;
            }
            if let Some(path) = self.describe_found(found) {
                if let Some(walks) = &mut self.walks {
                    walks.take(self.exploration.front.arms_of_path(&self.entry, &path));
                }
                return Some(path);
            }
        }
    }

    /// The next random walk that takes an arm which no path has taken.
    fn next_walk(&mut self) -> Option<PathEnd<F::Language>> {
        let cut = self.summary().cut;
        let over = [Bound::Time, Bound::Paths, Bound::Memory, Bound::Interrupt];
        if over.iter().all(|bound| cut.by(*bound) == 0) {
            self.walk();
        }
        let mut path = self.walks.as_mut()?.next()?;
        self.tally.paths += 1;
        self.tally.walks += 1;
        path.number = self.tally.paths;
        Some(*path)
    }

    /// A random walk as a path.
    pub(crate) fn described_walk(&mut self, found: FoundOf<F>) -> Box<PathEnd<F::Language>> {
        let path = found.path.clone();
        let mut one = self.describe_whole(found, None, &path, Vec::new());
        self.write(&mut one);
        one.path
    }

    /// Describes an end for the caller that asks for the next path.
    pub(crate) fn describe_found(&mut self, found: FoundOf<F>) -> Option<PathEnd<F::Language>> {
        let ready = self.describe(found, Small::Instead)?;
        self.tally.count_objects(&ready.end);
        Some(*ready.end.path)
    }

    /// The machine, as it is between two paths.
    pub fn machine(&self) -> &F::Machine {
        self.exploration.front.as_machine()
    }

    /// The end of the next path as the explorer has it: its input is not completed, and nothing is described.
    /// For studies that only count.
    pub fn next_found(&mut self) -> Option<FoundOf<F>> {
        let Exploration { front, oracle, .. } = &mut *self.exploration;
        let found = self.explorer.next(front.machine(), oracle)?;
        if oracle.trouble().error.is_some() {
            return None;
        }
        front.count(&mut self.tally.machine);
        if let End::Outcome(outcome) = &found.end {
            self.tally.count(&front.sort(outcome));
        }
        front.count_path(&found.state, &mut self.tally.machine);
        front.count_bounds(&mut self.tally.machine);
        Some(found)
    }

    /// Describes an end that the explorer has found; `None` if it is the end of no path.
    pub(crate) fn describe(&mut self, mut found: FoundOf<F>, small: Small) -> Option<ReadyEnd<F::Language>> {
        self.exploration.front.count(&mut self.tally.machine);
        let likelihood = self.watch(&found);
        let mut kept = self.arrive(&mut found);
        let Exploration { front, oracle, exprs, .. } = &mut *self.exploration;
        front.count_path(&found.state, &mut self.tally.machine);
        let made = make_whole(front, oracle, &mut self.tally, self.seeding.as_mut(), &mut found, &mut kept);
        front.count_bounds(&mut self.tally.machine);
        let (input, whole) = made?;
        let (mut kind, mut smaller) = (None, None);
        if let End::Outcome(outcome) = &found.end {
            let sorted = front.sort(outcome);
            self.tally.count(&sorted);
            if self.samples && sorted.is_path() && found.trail.is_sampled() {
                self.tally.count_sampled(front.fixed_because(&found.state));
            }
            match sorted {
                Sorted::Assumed | Sorted::Refused | Sorted::Invalid => return None,
                Sorted::Failed(class, place) if kept.is_empty() => {
                    let key = (class, place);
                    let seen = self.seen.entry(key.clone()).or_insert(0);
                    *seen += 1;
                    // Each question may take a solver as long as an arm of the program.
                    if *seen <= self.shrunk_of_a_kind && !self.explorer.is_late() {
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
                let beside = FoundOf::<F> { model, ..found.clone() };
                let mut smaller = self.describe_whole(beside, input, &whole, Vec::new());
                self.write(&mut smaller);
                Some(Box::new(smaller))
            }
            Some(model) => {
                found.model = model;
                None
            }
            None => None,
        };
        if let Some(watcher) = &mut self.watcher {
            watcher(&mut self.exploration.front, &found);
        }
        let is_outcome = matches!(found.end, End::Outcome(_));
        let mut end = self.describe_whole(found, input, &whole, kept);
        end.path.likelihood = likelihood;
        self.write(&mut end);
        Some(ReadyEnd { end, smaller, is_outcome, kind })
    }

    /// Counts how likely a path is, if that is wanted.
    fn watch(&mut self, found: &FoundOf<F>) -> Option<evergreen_deciding::probability::Likelihood> {
        let Exploration { front, oracle, exprs, .. } = &mut *self.exploration;
        let (watched, masses) = (self.watched.as_mut()?, oracle.masses_mut()?);
        let mut undecided = None;
        let shows = match &found.end {
            End::Outcome(outcome) => {
                for (name, input) in front.drawn(outcome) {
                    watched.drew(&name, input);
                }
                match front.sort(outcome) {
                    Sorted::Assumed | Sorted::Refused => Shows::Refused,
                    Sorted::Invalid => Shows::Lost("no valid object".into()),
                    Sorted::Unsupported(_) => Shows::Lost("not supported".into()),
                    Sorted::Cut(bound) => Shows::Lost(format!("cut by {}", bound.replace('_', " "))),
                    Sorted::Ended | Sorted::Failed(..) => match front.shown(&self.entry, outcome) {
                        Some(shown) => Shows::Outcome(shown),
                        None => Shows::Lost("not shown".into()),
                    },
                }
            }
            End::Cut(bound) => Shows::Lost(format!("cut by --{}", bound.name())),
            End::Undecided(arm) => {
                undecided = Some(arm.constraint);
                Shows::Lost("undecided".into())
            }
            End::Stuck => Shows::Lost("stuck".into()),
        };
        let along = if self.detail == Detail::Full { Along::Each } else { Along::End };
        Some(watched.end(exprs, masses, (&found.path, undecided), shows, along))
    }

    /// The old tests that take a path.
    fn arrive(&mut self, found: &mut FoundOf<F>) -> Vec<usize> {
        let Some(seeding) = &mut self.seeding else { return Vec::new() };
        let subject = Subject {
            entry: &self.entry,
            inputs: &self.inputs,
            target: &self.target,
            leftovers: &self.leftovers,
            cases: Cases::Now,
        };
        seeding.arrive(&mut self.exploration.front, &subject, found)
    }

    /// Takes a path back that is no longer needed.
    pub fn give_back(&mut self, path: Box<PathEnd<F::Language>>) {
        self.leftovers.add(path);
    }

    fn write(&self, one: &mut One<F::Language>) {
        if let Some(lines) = &self.lines {
            lines.add(&self.entry, &mut one.path);
        }
    }

    /// Describes an end whose input is complete.
    fn describe_whole(
        &mut self,
        found: FoundOf<F>,
        input: Option<&StateOf<F>>,
        path: &Path<Cond>,
        kept: Vec<usize>,
    ) -> One<F::Language> {
        self.leftovers.next();
        // Old tests and lines are described with what they are made of.
        let is_alone = self.seeding.is_none() && self.lines.is_none();
        let subject = Subject {
            entry: &self.entry,
            inputs: &self.inputs,
            target: &self.target,
            leftovers: &self.leftovers,
            cases: if is_alone { self.cases } else { Cases::Now },
        };
        let front = &mut self.exploration.front;
        let seeded = self.seeding.is_some().then(|| (found.trail.clone(), found.state.clone()));
        let whole = Whole { input, path, calls: self.by_calls && input.is_some() && kept.is_empty() };
        // Trails are long, and most explorations sample nothing.
        let sampled = self.samples && found.trail.is_sampled();
        let described = front.describe(&subject, found, &whole, self.tally.paths, self.detail);
        let Described { mut path, is_graph, is_built } = described;
        path.sampled = sampled;
        if let (Some(seeding), Some((trail, state))) = (&mut self.seeding, seeded) {
            let ended = Ended { trail, read: &state, input: input.unwrap_or(&state) };
            seeding.report(front, &ended, kept, &mut path);
        }
        let is_due = subject.cases.is_due(&path);
        One { path, is_graph, is_built, is_due }
    }

    /// The probabilities of the outcomes so far, if they are counted.
    pub fn distribution(&self) -> Option<&Distribution> {
        self.watched.as_ref().map(Watched::distribution)
    }

    /// What the outcomes so far reveal about the secrets, if there are some.
    pub fn leak(&mut self) -> Option<Leak> {
        let Exploration { oracle, exprs, .. } = &mut *self.exploration;
        self.watched.as_ref()?.leak(exprs, oracle.masses_mut()?)
    }

    /// The counters of the loop.
    pub fn summary(&self) -> Summary {
        self.explorer.summary()
    }

    /// What became of the paths.
    pub fn tally(&self) -> &Tally<F::Language> {
        &self.tally
    }

    /// The arms taken so far.
    pub fn coverage(&self) -> &Coverage {
        self.explorer.coverage()
    }

    /// What is explored.
    pub fn entry(&self) -> &EntryOf<F> {
        &self.entry
    }

    /// The front end.
    pub fn front(&mut self) -> &mut F {
        &mut self.exploration.front
    }

    /// What its tests call.
    pub(crate) fn target(&self) -> &Arc<<F::Language as Format>::Target> {
        &self.target
    }

    /// The oracle, for its counters.
    pub fn oracle(&self) -> &BranchOracle {
        &self.exploration.oracle
    }
}

/// The state that has the whole input of a path, if it is another one, and the conditions of path and input.
type Completed<F> = (Option<Box<StateOf<F>>>, Path<Cond>);

/// Makes the input of a path whole, if it is partial: the state that has it, if there is one, and the
/// conditions of path and input. `None` if no valid input takes the path.
fn make_whole<F: Frontend>(
    front: &mut F,
    oracle: &mut BranchOracle,
    tally: &mut Tally<F::Language>,
    mut seeding: Option<&mut Seeding<F>>,
    found: &mut FoundOf<F>,
    kept: &mut Vec<usize>,
) -> Option<Completed<F>> {
    let is_path = matches!(&found.end, End::Outcome(outcome) if front.is_path(outcome));
    if !is_path || !front.is_partial(&found.state) {
        return Some((None, found.path.clone()));
    }
    let followed = seeding.as_mut().map(|seeding| seeding.complete(front, oracle, found, kept));
    if let Some(Followed::Whole(state)) = followed {
        return Some((Some(state), found.path.clone()));
    }
    let completion = front.complete(oracle, found);
    if let (Some(seeding), false) = (seeding, kept.is_empty()) {
        let valid = match &completion {
            Completion::Valid { state, model, .. } => Some((&**state, model)),
            _ => None,
        };
        if let Some(state) = seeding.fill(front, oracle, found, kept, valid) {
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

impl<F: Frontend> Iterator for Run<'_, F> {
    type Item = PathEnd<F::Language>;

    fn next(&mut self) -> Option<PathEnd<F::Language>> {
        self.next_path()
    }
}
