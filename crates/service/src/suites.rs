//! The life of suites: the tests of earlier versions are seeds, and what the exploration finds becomes the
//! suite.
//!
//! All files are read before anything is explored, so that a flaw in one of them costs nothing; they are
//! written at the end, also of a run that was cut. A test that took another path in its replay (a bug of
//! ours) does not get into a suite, and one that is there stays as it was.

mod inputs;
mod plan;
mod shown;

use crate::{Frontend, Language, OldTests, PathEnd, Retirement, Tests};
use evergreen_explore::Old;
use evergreen_suite::{Explored, Folder, Reached, Suite, Test, Update, update};
pub use inputs::read_inputs;
use plan::Plan;
use shown::Shown;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

/// Why a test is left out of a small suite.
pub(crate) const SPARE: &str = "other tests take all of its branches";

/// What the life of suites needs to know of a program.
pub trait Program<L: Language> {
    /// The units that have suites of their own: classes, modules.
    fn units(&self) -> Vec<String>;

    /// Whether the program has code for what tests call.
    fn has(&self, target: &L::Target) -> bool {
        self.entry(target).is_some()
    }

    /// The entry that tests call, if it can be explored.
    fn entry(&self, target: &L::Target) -> Option<L::Entry>;

    /// What the tests of an entry call.
    fn target(&self, entry: &L::Entry) -> L::Target;
}

/// Which suites are kept, and how.
pub struct SuiteOptions<L: Language> {
    /// Where they are. Where they are only read, it may be a file of inputs: see [`read_inputs`].
    pub folder: PathBuf,
    /// What is trusted of the explorations that wrote them.
    pub old: Old,
    /// Whether all entries of the program are explored, not a selection.
    pub is_whole: bool,
    /// Only the paths between two tests are explored; an empty name leaves that end open.
    pub between: Option<(String, String)>,
    /// Which paths have tests.
    pub size: SuiteSize,
    /// What sources that are made from suites depend on.
    pub sources: L::SourceOptions,
    /// What becomes of the files.
    pub keeping: Keeping,
}

/// What becomes of the files of suites.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Keeping {
    /// They are updated, and made where there are none.
    Updated,
    /// They are read: their tests are seeds and nothing else.
    Read,
}

/// Which paths have tests in a suite.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SuiteSize {
    /// As few as take every outcome of every branch, end in every failure, and keep what is there.
    Branches,
    /// All of them.
    Paths,
}

/// The suites of a run.
pub struct Suites<L: Language> {
    folder: Folder<L>,
    options: SuiteOptions<L>,
    plan: Plan<L>,
    /// By unit.
    units: BTreeMap<String, OfUnit<L>>,
    /// What each entry's tests call.
    targets: Vec<(L::Entry, Arc<L::Target>)>,
    /// The entry that is being explored.
    open: Option<Open<L>>,
}

struct OfUnit<L: Language> {
    old: Suite<L>,
    explored: Vec<Function<L>>,
}

/// An entry that was explored.
struct Function<L: Language> {
    explored: Explored<L>,
    /// The number of the replay of each path that was reached.
    replays: Vec<Option<u64>>,
    /// What each of these paths shows.
    shown: Shown,
}

struct Open<L: Language> {
    function: Function<L>,
    /// The old tests, in the order of their numbers.
    seeds: Vec<Test<L>>,
    /// Numbers of old tests of which not enough is known: they stay.
    doubtful: Vec<usize>,
}

impl<L: Language> Suites<L> {
    /// Reads the suites of a program's units, and determines which entries are to be explored.
    ///
    /// # Errors
    /// A suite cannot be read, or the tests of a range are none.
    pub fn open(
        options: SuiteOptions<L>,
        program: &dyn Program<L>,
        entries: &[L::Entry],
    ) -> Result<(Suites<L>, Vec<L::Entry>), String> {
        let root = &options.folder;
        let mut given = match options.keeping == Keeping::Read && root.is_file() {
            true => Some(read_inputs(root, program, entries)?),
            false => None,
        };
        // Better now than after the exploration.
        match options.keeping {
            Keeping::Updated => std::fs::create_dir_all(root),
            Keeping::Read if given.is_some() => Ok(()),
            Keeping::Read => std::fs::read_dir(root).map(|_| ()),
        }
        .map_err(|e| format!("{}: {e}", root.display()))?;
        let folder = Folder::new(root);
        let mut units = BTreeMap::new();
        for name in program.units() {
            let old = match &mut given {
                Some(given) => given.remove(&name),
                None => folder.read(&name).map_err(|e| e.to_string())?,
            };
            let old = old.unwrap_or_else(|| Suite::of_class(&name));
            units.insert(name, OfUnit { old, explored: Vec::new() });
        }
        let suites: Vec<&Suite<L>> = units.values().map(|own: &OfUnit<L>| &own.old).collect();
        let (plan, entries) = Plan::new(&options, program, entries, &suites)?;
        let targets = entries.iter().map(|entry| (entry.clone(), Arc::new(program.target(entry)))).collect();
        Ok((Suites { folder, options, plan, units, targets, open: None }, entries))
    }

    /// An entry begins: the old tests that are pushed through it.
    pub(crate) fn begins(&mut self, entry: &L::Entry) -> OldTests<L> {
        let Some((_, target)) = self.targets.iter().find(|(own, _)| own == entry) else {
            self.open = None;
            return OldTests::default();
        };
        let names = self.plan.seeds(target);
        let old = self.units.get(L::unit(target)).map(|own| &own.old);
        let all: BTreeMap<&str, &Test<L>> =
            old.iter().flat_map(|old| old.tests()).map(|test| (test.name.as_str(), test)).collect();
        let seeds: Vec<Test<L>> =
            names.iter().filter_map(|name| all.get(name.as_str())).map(|test| Test::clone(test)).collect();
        let old_tests = OldTests {
            tests: seeds.iter().map(|test| test.case.clone()).collect(),
            paths: seeds.iter().map(|test| test.path.clone().unwrap_or_default()).collect(),
            old: self.options.old,
            range: self.plan.range(&names),
        };
        let explored =
            Explored { target: target.clone(), seeds: names, reached: Vec::new(), retired: Vec::new() };
        let function = Function { explored, replays: Vec::new(), shown: Shown::default() };
        self.open = Some(Open { function, seeds, doubtful: Vec::new() });
        old_tests
    }

    /// The end of a path: the test that it has in the suite, which is to be replayed under this number.
    pub(crate) fn path(&mut self, end: &PathEnd<L>, replay: Option<u64>) -> Option<L::Case> {
        let open = self.open.as_mut()?;
        let Some(case) = &end.case else {
            // For other ends the run itself reports why old tests are not kept there.
            if end.how.is_outcome() {
                open.doubtful.extend(&end.seeds);
            }
            return None;
        };
        let path = end.decisions.clone();
        // What is kept is the old test, so it is the old test that has to take the path.
        let replayed = match end.seeds.first().and_then(|first| open.seeds.get(*first)) {
            Some(old) if old.still_holds(case, &path) => L::replayed(&old.case, case),
            _ => case.clone(),
        };
        let (position, seeds) = (end.position.clone(), end.seeds.clone());
        let (sampled, kept) = (end.sampled, Ok(case.clone()));
        open.function.explored.reached.push(Reached { position, seeds, path, sampled, case: kept });
        open.function.replays.push(replay);
        if self.options.size == SuiteSize::Branches {
            let old = end.seeds.first().and_then(|first| open.seeds.get(*first));
            open.function.shown.add(end, old);
        }
        Some(replayed)
    }

    /// The entry ends: what became of the old tests.
    pub(crate) fn ends(&mut self, retired: Vec<(usize, Retirement)>) {
        let Some(open) = &mut self.open else { return };
        let explored = &mut open.function.explored;
        for (seed, why) in retired {
            let reason = match why {
                Retirement::OutOfRange => continue,
                _ if open.doubtful.contains(&seed) => continue,
                Retirement::SamePath(other) => {
                    let other = explored.seeds.get(other).cloned().unwrap_or_default();
                    format!("takes the same path as {other}")
                }
                why => why.to_string(),
            };
            explored.retired.push((seed, reason));
        }
    }

    /// Checks how the inputs of kept tests are made: the calls of an old test may not make its objects any
    /// more.
    pub(crate) fn rebuild<F: Frontend<Language = L>>(&mut self, front: &mut F, by_calls: bool) {
        let Some(mut open) = self.open.take() else { return };
        for reached in &mut open.function.explored.reached {
            let Some(old) = reached.seeds.first().and_then(|first| open.seeds.get(*first)) else { continue };
            if let Ok(case) = &mut reached.case {
                front.rebuild(&old.case, case, by_calls);
            }
        }
        if let Some(own) = self.units.get_mut(L::unit(&open.function.explored.target)) {
            own.explored.push(open.function);
        }
    }

    /// Updates and writes the suites; what changed, each test with its unit. Nothing, if they are only read.
    pub(crate) fn finish(self, tests: &Tests<'_, L>) -> Result<Option<Update>, String> {
        let Suites { folder, options, plan, units, .. } = self;
        if options.keeping == Keeping::Read {
            return Ok(None);
        }
        let chosen = tests.chosen().iter().map(|(test, _)| test.0);
        let diverged: BTreeSet<u64> =
            tests.divergences().iter().map(|divergence| divergence.number).chain(chosen).collect();
        let mut all = Update::default();
        for (unit, own) in units {
            let size = options.size;
            let explored =
                own.explored.into_iter().map(|function| function.chosen(&diverged, size)).collect();
            let (new, changed) = update(&own.old, explored, plan.gone(&unit));
            if new.tests().next().is_some() || own.old.tests().next().is_some() {
                folder.write(&new, &options.sources).map_err(|e| e.to_string())?;
            }
            all.add(with_unit(&unit, changed));
        }
        Ok(Some(all))
    }
}

/// What changed, each test with its unit.
fn with_unit(unit: &str, mut changed: Update) -> Update {
    let whole = |name: &mut String| *name = format!("{unit}.{name}");
    changed.kept.iter_mut().for_each(whole);
    changed.moved.iter_mut().for_each(|moved| whole(&mut moved.name));
    changed.retired.iter_mut().for_each(|retired| whole(&mut retired.name));
    changed.new.iter_mut().for_each(whole);
    changed.unreached.iter_mut().for_each(whole);
    changed.affected.iter_mut().for_each(|affected| whole(&mut affected.method));
    changed
}

impl<L: Language> Function<L> {
    /// The paths that get a test: not those whose tests diverged or depend on a choice, nor those that a
    /// small suite leaves out.
    fn chosen(self, diverged: &BTreeSet<u64>, size: SuiteSize) -> Explored<L> {
        let Function { mut explored, replays, shown } = self;
        let is_sound = |replay: &Option<u64>| !replay.is_some_and(|number| diverged.contains(&number));
        let mut is_in: Vec<bool> = replays.iter().map(is_sound).collect();
        if size == SuiteSize::Branches {
            let spare = shown.spare(&explored, &is_in);
            for at in spare {
                is_in[at] = false;
                let seeds = explored.reached[at].seeds.iter();
                explored.retired.extend(seeds.map(|seed| (*seed, SPARE.to_string())));
            }
        }
        let mut is_in = is_in.into_iter();
        explored.reached.retain(|_| is_in.next().unwrap_or(true));
        explored
    }
}
