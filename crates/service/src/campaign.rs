//! A whole run over the entries of a program: paths, findings, tests, suites and totals, sent to every sink.
//!
//! This is the loop that the command, the library's users and the tests share. A [`Team`] explores; each path
//! gets the test that it has in the suite, is shown to the [`Sink`]s, and its test is replayed; failures are
//! collected into findings. In the end the suites are updated with what did not diverge.

use crate::exploration::{EntryOf, InputsOf};
use crate::suites::Suites;
use crate::{
    Choice, Exploration, Finding, Findings, Finished, Frontend, Language, PathEnd, Replayer, Run, Severities,
    Tally, Team, Telling, TestId, Tests, Totals,
};
use evergreen_deciding::Trouble;
use evergreen_explore::{Options, Summary};
use evergreen_suite::{Format, Update};
use std::time::Instant;

type ValueOfCase<F> = <<F as Frontend>::Language as Format>::Case;
type WithinOf<F> = <<F as Frontend>::Language as Language>::Within;

/// What an entry came to.
pub struct EntryEnd<'e, L: Language> {
    /// What was found.
    pub findings: &'e [Finding<L>],
    /// Failures that were not looked for: such as those that are declared.
    pub noted: &'e [Finding<L>],
    /// Counters of the loop, and what became of the paths.
    pub done: &'e Finished<L>,
    /// The bounds that inputs have met.
    pub within: &'e L::Within,
    /// What went wrong while arms were decided.
    pub trouble: &'e Trouble,
}

/// Shows the progress of an entry.
pub type ShowProgress = Box<dyn FnMut(&Summary)>;

/// Receives what a run finds: a report, a file, a picture. By default every method does nothing.
pub trait Sink<F: Frontend> {
    /// An entry begins.
    ///
    /// # Errors
    /// It cannot be written, and the run ends.
    fn begins(&mut self, _entry: &EntryOf<F>) -> Result<(), String> {
        Ok(())
    }

    /// An entry cannot be explored.
    ///
    /// # Errors
    /// It cannot be written, and the run ends.
    fn failed(&mut self, _entry: &EntryOf<F>, _why: &str) -> Result<(), String> {
        Ok(())
    }

    /// How progress on an entry is shown, if this sink shows it.
    fn progress(&mut self, _entry: &EntryOf<F>) -> Option<ShowProgress> {
        None
    }

    /// The end of a path, and its test.
    ///
    /// # Errors
    /// It cannot be written, and the run ends.
    fn path(
        &mut self,
        _entry: &EntryOf<F>,
        _path: &PathEnd<F::Language>,
        _test: Option<(TestId, &ValueOfCase<F>)>,
    ) -> Result<(), String> {
        Ok(())
    }

    /// All paths of an entry were found by this run of it: probabilities can be read.
    fn found_all(&mut self, _run: &mut Run<'_, F>) {}

    /// An entry ends.
    ///
    /// # Errors
    /// It cannot be written, and the run ends.
    fn ends(&mut self, _entry: &EntryOf<F>, _end: &EntryEnd<'_, F::Language>) -> Result<(), String> {
        Ok(())
    }
}

/// When a run ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stops {
    /// When everything is explored.
    AtEnd,
    /// With the first finding.
    AtFirst,
}

/// A run over the entries of a program.
pub struct Campaign<'c, F: Frontend> {
    /// The user's settings of inputs.
    pub inputs: InputsOf<F>,
    /// Order and bounds.
    pub options: Options,
    /// Which failures are looked for.
    pub looked_for: Severities,
    /// Whether the run ends with its first finding.
    pub stops: Stops,
    /// How paths are described.
    pub telling: Telling<F::Language>,
    /// Makes a machine: for threads, and for what is checked beside them.
    pub make: &'c (dyn Fn() -> Result<Exploration<F>, String> + Sync),
    /// Which bounds on inputs were met.
    pub within: &'c dyn Fn(&Tally<F::Language>) -> WithinOf<F>,
    /// The sums so far.
    pub totals: Totals<F::Language>,
    /// The tests so far.
    pub tests: Tests<'c, F::Language>,
    suites: Option<Suites<F::Language>>,
    checker: Option<Exploration<F>>,
    began: Instant,
}

impl<'c, F: Frontend> Campaign<'c, F> {
    /// A run that keeps suites and replays tests where these are given.
    pub fn new(
        make: &'c (dyn Fn() -> Result<Exploration<F>, String> + Sync),
        within: &'c dyn Fn(&Tally<F::Language>) -> WithinOf<F>,
        suites: Option<Suites<F::Language>>,
        replayer: Option<&'c mut dyn Replayer<F::Language>>,
    ) -> Campaign<'c, F> {
        Campaign {
            inputs: InputsOf::<F>::default(),
            options: Options::default(),
            looked_for: Severities::default(),
            stops: Stops::AtEnd,
            telling: Telling::default(),
            make,
            within,
            totals: Totals::default(),
            tests: Tests::new(replayer),
            suites,
            checker: None,
            began: Instant::now(),
        }
    }

    /// Whether suites are kept.
    pub fn keeps_suites(&self) -> bool {
        self.suites.is_some()
    }

    /// Explores one entry. One that cannot be explored is counted and reported.
    ///
    /// # Errors
    /// A sink or a suite cannot continue.
    pub fn entry(
        &mut self,
        team: &mut Team<'_, F>,
        entry: &EntryOf<F>,
        sinks: &mut [&mut dyn Sink<F>],
    ) -> Result<(), String> {
        sinks.iter_mut().try_for_each(|sink| sink.begins(entry))?;
        let old = self.suites.as_mut().map(|suites| suites.begins(entry));
        let mut paths = match team.entry(entry, &self.inputs, self.options.clone(), old, self.telling) {
            Ok(paths) => paths,
            Err(e) => {
                self.totals.failed += 1;
                return sinks.iter_mut().try_for_each(|sink| sink.failed(entry, &e.to_string()));
            }
        };
        if let Some(show) = sinks.iter_mut().find_map(|sink| sink.progress(entry)) {
            paths = paths.on_progress(show);
        }
        let mut findings = Findings::of(self.looked_for);
        while let Some(path) = paths.next_path() {
            self.path(entry, &path, sinks, &mut findings)?;
            paths.give_back(path);
            if self.stops == Stops::AtFirst && !findings.found().is_empty() {
                self.totals.stopped = true;
                break;
            }
        }
        if let Some(run) = paths.run() {
            sinks.iter_mut().for_each(|sink| sink.found_all(run));
        }
        let done = paths.finish();
        let (trouble, within) = (team.trouble(), (self.within)(&done.tally));
        self.totals.add(&done, &within, &trouble, &findings);
        let (found, noted) = (findings.found(), findings.noted());
        let end = EntryEnd { findings: found, noted, done: &done, within: &within, trouble: &trouble };
        sinks.iter_mut().try_for_each(|sink| sink.ends(entry, &end))?;
        if let Some(suites) = &mut self.suites {
            suites.ends(done.retired);
            let exploration = match team.exploration() {
                Some(own) => own,
                None => match &mut self.checker {
                    Some(checker) => checker,
                    none => none.insert((self.make)()?),
                },
            };
            suites.rebuild(&mut exploration.front, self.telling.calls);
        }
        Ok(())
    }

    /// The end of a path: makes its test and passes it to every sink.
    fn path(
        &mut self,
        entry: &EntryOf<F>,
        path: &PathEnd<F::Language>,
        sinks: &mut [&mut dyn Sink<F>],
        findings: &mut Findings<F::Language>,
    ) -> Result<(), String> {
        let kept = self.suites.as_mut().and_then(|suites| suites.path(path, self.tests.next_replay()));
        let case = kept.as_ref().or(path.case.as_ref());
        let test = case.map(|case| (self.tests.add(case, &path.beyond), case));
        sinks.iter_mut().try_for_each(|sink| sink.path(entry, path, test))?;
        findings.add(path, test.map(|(id, _)| id));
        Ok(())
    }

    /// Replays what is left.
    pub fn replay(&mut self) {
        self.tests.finish();
        self.totals.replayed = self.tests.replayed();
        self.totals.divergences = self.tests.divergences().len() as u64;
        let chosen = self.tests.chosen();
        self.totals.chosen = chosen.len() as u64;
        self.totals.chosen_paths = chosen.iter().filter(|(_, choice)| *choice == Choice::Path).count() as u64;
    }

    /// Counts what the team did, writes the suites, and returns what changed in them. A run that could not
    /// finish leaves the suites as they are.
    ///
    /// # Errors
    /// A suite cannot be written.
    pub fn finish(&mut self, team: &Team<'_, F>) -> Result<Option<Update>, String> {
        self.totals.end(team, self.began.elapsed());
        match self.suites.take().filter(|_| self.totals.error.is_none()) {
            Some(suites) => suites.finish(&self.tests),
            None => Ok(None),
        }
    }
}
