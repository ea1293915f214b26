//! Tests that are run for real: what they do must be what their paths do.

use crate::{Beyond, Language};
use std::time::{Duration, Instant};

/// Cases that are replayed together, while the next ones are found: memory stays flat however many paths
/// there are.
const BATCH: usize = 1_000;

/// How long a case waits for others, about, and how long the first one does.
const LONGEST: Duration = Duration::from_millis(500);
const FIRST: Duration = Duration::from_millis(100);

/// What a batch of tests takes that the exploration has to wait for. Each test of a class with tables
/// initializes it anew, and paths are found faster: a run that is ended should have few tests left.
const SHORT: Duration = Duration::from_millis(500);
const NOTICED: Duration = Duration::from_millis(50);

/// Which of the tests of a run, from 0, in the order of paths.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TestId(pub u64);

/// Runs tests for real: on a JVM, natively.
pub trait Replayer<L: Language> {
    /// Runs tests; for each, how the run differed from what is expected, if it did. Each test comes with what
    /// its path has beyond it.
    ///
    /// # Errors
    /// Tests cannot be run at all.
    fn replay(&mut self, tests: Vec<(L::Case, L::Beyond)>) -> Result<Vec<Option<Difference>>, String>;

    /// Tests will come: whatever takes time to start can start.
    fn prepare(&mut self) {}

    /// As [`Replayer::replay`], but may return before the tests have run, with `None`. Then
    /// [`Replayer::end`] is called before more tests begin.
    ///
    /// # Errors
    /// Tests cannot be run at all.
    fn begin(&mut self, tests: Vec<(L::Case, L::Beyond)>) -> Result<Ran, String> {
        self.replay(tests).map(Some)
    }

    /// Waits for the tests that were begun.
    ///
    /// # Errors
    /// Tests cannot be run at all.
    fn end(&mut self) -> Result<Vec<Option<Difference>>, String> {
        Ok(Vec::new())
    }
}

/// Results of tests, if they have run.
pub type Ran = Option<Vec<Option<Difference>>>;

/// How a run of a test differed from what is expected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Difference {
    /// A bug of ours: what was expected, and what happened.
    Divergence(String),
    /// It depends on what a machine chooses anew in each run, such as identity hash codes.
    Choice(Choice),
}

/// What depends on a choice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice {
    /// A text that shows the choice.
    Text,
    /// The result, or the way to it, by inputs or static fields that a choice made: a bound that the path has
    /// met says that other such inputs are left out.
    Bounded,
    /// The result, or the way to it: other choices may lead to paths that were not explored.
    Path,
}

/// A test that did not do what its path did: a bug of ours.
#[derive(Clone, Debug)]
pub struct Divergence<L: Language> {
    /// Which of the tests that were replayed, from 0.
    pub number: u64,
    /// The test.
    pub case: L::Case,
    /// What was expected, and what happened.
    pub what: String,
}

/// The tests of a run.
pub struct Tests<'r, L: Language> {
    replayer: Option<&'r mut dyn Replayer<L>>,
    next: u64,
    waiting: Vec<(L::Case, L::Beyond)>,
    /// When the last ones were begun, and how many are begun together.
    begun: Instant,
    batch: usize,
    /// Those that were begun.
    running: Vec<L::Case>,
    replayed: u64,
    divergences: Vec<Divergence<L>>,
    chosen: Vec<(TestId, Choice)>,
    trouble: Option<String>,
}

impl<'r, L: Language> Tests<'r, L> {
    /// None yet; they are replayed if there is a replayer.
    pub fn new(mut replayer: Option<&'r mut dyn Replayer<L>>) -> Tests<'r, L> {
        if let Some(replayer) = &mut replayer {
            replayer.prepare();
        }
        let (waiting, running, divergences) = (Vec::new(), Vec::new(), Vec::new());
        let chosen = Vec::new();
        Tests {
            replayer,
            next: 0,
            waiting,
            begun: Instant::now(),
            batch: BATCH,
            running,
            replayed: 0,
            divergences,
            chosen,
            trouble: None,
        }
    }

    /// The number that the next test will have among those that are replayed; `None` if none is.
    pub(crate) fn next_replay(&self) -> Option<u64> {
        let replays = self.replayer.is_some() && self.trouble.is_none();
        replays.then(|| self.replayed + (self.running.len() + self.waiting.len()) as u64)
    }

    /// Takes a test of a path.
    pub(crate) fn add(&mut self, case: &L::Case, beyond: &L::Beyond) -> TestId {
        if self.replayer.is_some() && self.trouble.is_none() {
            self.waiting.push((case.clone(), beyond.for_replay()));
            let longest = if self.replayed == 0 && self.running.is_empty() { FIRST } else { LONGEST };
            if self.waiting.len() >= self.batch || self.begun.elapsed() >= longest {
                self.collect();
                self.begin();
            }
        }
        let id = TestId(self.next);
        self.next += 1;
        id
    }

    /// Replays what waits.
    pub(crate) fn finish(&mut self) {
        self.collect();
        self.begin();
        self.collect();
    }

    /// Has what waits begin.
    fn begin(&mut self) {
        let waiting = std::mem::take(&mut self.waiting);
        self.begun = Instant::now();
        let Some(replayer) = self.replayer.as_mut().filter(|_| !waiting.is_empty()) else { return };
        self.running = waiting.iter().map(|(case, _)| case.clone()).collect();
        match replayer.begin(waiting) {
            Err(why) => self.fail(&why),
            Ok(None) => {}
            Ok(Some(results)) => self.ran(results),
        }
    }

    /// Waits for what was begun.
    fn collect(&mut self) {
        let Some(replayer) = self.replayer.as_mut().filter(|_| !self.running.is_empty()) else { return };
        let waits = Instant::now();
        let results = replayer.end();
        if waits.elapsed() >= NOTICED {
            let of_one = self.begun.elapsed() / u32::try_from(self.running.len()).unwrap_or(u32::MAX).max(1);
            let fit = SHORT.as_nanos() / of_one.as_nanos().max(1);
            self.batch = usize::try_from(fit).unwrap_or(BATCH).clamp(1, BATCH);
        }
        match results {
            Err(why) => self.fail(&why),
            Ok(results) => self.ran(results),
        }
    }

    fn fail(&mut self, why: &str) {
        self.trouble = Some(format!("tests are not replayed: {why}"));
        self.running.clear();
    }

    fn ran(&mut self, results: Vec<Option<Difference>>) {
        let cases = std::mem::take(&mut self.running);
        let first = self.replayed;
        self.replayed += cases.len() as u64;
        for (number, (case, what)) in (first..).zip(cases.into_iter().zip(results)) {
            match what {
                None => {}
                Some(Difference::Divergence(what)) => {
                    self.divergences.push(Divergence { number, case, what })
                }
                Some(Difference::Choice(choice)) => self.chosen.push((TestId(number), choice)),
            }
        }
    }

    /// Tests that were run.
    pub fn replayed(&self) -> u64 {
        self.replayed
    }

    /// What was done differently.
    pub fn divergences(&self) -> &[Divergence<L>] {
        &self.divergences
    }

    /// Tests that depend on what a machine chooses anew in each run: none that can be kept. All tests of a
    /// run are replayed or none, so their numbers are those of the replays.
    pub fn chosen(&self) -> &[(TestId, Choice)] {
        &self.chosen
    }

    /// Why nothing could be replayed.
    pub fn trouble(&self) -> Option<&str> {
        self.trouble.as_deref()
    }
}
