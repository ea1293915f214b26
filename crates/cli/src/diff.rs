//! `evergreen diff`: what changed between two versions of a program, and inputs on which they behave
//! differently.
//!
//! Methods that did not change and run nothing that changed are left alone. The others are explored in both
//! versions. The inputs of all paths run on the real JVM in both versions, and the JVM's result decides. The
//! oracle is asked for more such inputs on pairs of paths.

mod behave;
mod git;
mod report;
mod suite;
mod version;

use crate::again::Given;
use crate::config::Settings;
use crate::explore::{exploration, exploration_beside, inputs, options};
use crate::flags::{Diff, Exploring};
use crate::within::Within;
use behave::{Behaviour, Input, Jvm, compare};
use evergreen::store::Memory;
use evergreen_java::classfile::Jdk;
use evergreen_java::jvm::InputBound;
use evergreen_java::replay::TestCase;
use evergreen_java::{
    Agreement, Changes, Detail, Exploration, Inputs, Kept, KeptEnds, MethodKey, MethodRef, Narrowings,
    PairCounts, Pairs, Program, Run,
};
use report::Report;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;
use suite::SuiteTests;
use version::Version;

/// A method that is compared.
pub(crate) struct Compared {
    /// As the new version has it, with the old version's names of parameters.
    pub method: MethodRef,
    /// Paths of the old and of the new version.
    pub paths: (u64, u64),
    /// Pairs of paths; `None` if they were not compared.
    pub pairs: Option<PairCounts>,
    /// Pairs that differ, but of which no test could be made.
    pub untested: u64,
    /// Why not every path was explored; empty if all were.
    pub lost: Vec<String>,
    /// The bounds that the inputs of both versions have met.
    pub within: Within,
    /// Whether both versions have no path although nothing was cut: no input fits.
    pub is_empty: bool,
    /// Why it could not be explored at all.
    pub failed: Option<String>,
}

impl Compared {
    fn new(method: MethodRef) -> Compared {
        Compared {
            method,
            paths: (0, 0),
            pairs: None,
            untested: 0,
            lost: Vec::new(),
            within: Within::default(),
            is_empty: false,
            failed: None,
        }
    }

    /// Whether no input that [`Compared::within`] allows makes a difference that pairs of paths can show.
    pub(crate) fn is_proved(&self) -> bool {
        self.lost.is_empty() && self.failed.is_none() && self.pairs.is_some_and(|pairs| pairs.all_same())
    }
}

/// `evergreen diff`.
pub(crate) fn task(flags: &Diff, given: &Given) -> Result<ExitCode, String> {
    let start = Instant::now();
    let stop = crate::interrupt::flag_on_signal();
    let (old, new) = version::open(flags)?;
    let changes = Changes::between(&old.program, &new.program);
    let methods = subjects(flags, &old.program, &new.program, &changes)?;
    let suite = match &flags.suite {
        Some(root) => Some(SuiteTests::read(root, &old, &new, &changes)?),
        None => None,
    };
    let mut report = Report::new((flags, given), &old, &new, suite.as_ref());
    report.changes(&changes);
    if flags.changes_only {
        return report.finish(&[], &Behaviour::default(), start.elapsed(), None);
    }
    let tried = suite.as_ref().map(|suite| suite.inputs(&methods)).unwrap_or_default();
    let mut run = Whole { flags, exploring: exploring(flags), stop, report: &report, tried };
    let (compared, behaviour, error) = run.all(old, new, methods)?;
    report.finish(&compared, &behaviour, start.elapsed(), error)
}

/// The methods to compare: those of both versions that may behave otherwise.
fn subjects(flags: &Diff, old: &Program, new: &Program, changes: &Changes) -> Result<Vec<MethodRef>, String> {
    let wanted = flags.method.as_deref();
    let of = |program: &Program| match (program.methods(wanted), wanted) {
        (Err(e), Some(_)) => Err(e.to_string()),
        // Without public methods there is nothing to call.
        (Err(_), None) => Ok(Vec::new()),
        (Ok(methods), _) => Ok(methods),
    };
    let (before, mut after) = (of(old)?, of(new)?);
    after.retain(|method| changes.touches(&MethodKey::from(method)));
    for method in &mut after {
        // The same input has one name.
        let same = before.iter().find(|old| MethodKey::from(*old) == MethodKey::from(&*method));
        if let Some(same) = same {
            method.parameters.clone_from(&same.parameters);
        }
    }
    after.retain(|method| {
        before
            .iter()
            .any(|old| MethodKey::from(old) == MethodKey::from(method) && old.is_static == method.is_static)
    });
    Ok(after)
}

/// How both versions are explored. Branches are not compared with those of the JVM.
fn exploring(flags: &Diff) -> Exploring {
    Exploring { inputs: flags.inputs.clone(), no_replay: true, ..Exploring::default() }
}

/// The run over all methods.
struct Whole<'f> {
    flags: &'f Diff,
    exploring: Exploring,
    stop: Arc<AtomicBool>,
    report: &'f Report<'f>,
    /// Inputs that are to run: those of a suite, then those that were found.
    tried: Vec<Input>,
}

impl Whole<'_> {
    /// Explores both versions and runs the inputs found; returns also the error that ended it early.
    fn all(
        &mut self,
        old: Version,
        new: Version,
        methods: Vec<MethodRef>,
    ) -> Result<(Vec<Compared>, Behaviour, Option<String>), String> {
        if methods.is_empty() {
            return Ok((Vec::new(), Behaviour::default(), None));
        }
        let jdk = Jdk::open(&new.program.jdk_home).map_err(|e| e.to_string())?;
        let inputs = inputs(&self.exploring)?;
        inputs.check_names(&methods).map_err(|e| e.to_string())?;
        let settings = Settings::exploring(&self.exploring, &self.flags.solving, self.flags.timeout_ms)?;
        let store = settings.open_store()?.unwrap_or_else(|| Arc::new(Memory::new(1 << 20)));
        let mut before = exploration(&self.exploring, &settings, store.clone(), old.program, None)?;
        let mut after = exploration_beside(
            &self.exploring,
            &settings,
            store.clone(),
            new.program,
            (None, Some(&before)),
        )?;
        let mut compared: Vec<Compared> = Vec::new();
        let mut error = None;
        for method in methods {
            let mut one = Compared::new(method);
            if self.stop.load(Ordering::Relaxed) || error.is_some() {
                one.failed = Some("the run ended before it".into());
                compared.push(one);
                continue;
            }
            self.method(&mut before, &mut after, &inputs, compared.len(), &mut one);
            error = [&before, &after].iter().find_map(|side| side.oracle().trouble().error.clone());
            compared.push(one);
        }
        if let Err(e) = store.flush() {
            crate::say::warn_once(&e.to_string());
        }
        let tried = std::mem::take(&mut self.tried);
        let all = tried.len();
        let (was, is) = (before.front.program().places.clone(), after.front.program().places.clone());
        let (was, is) = (Jvm { jdk: &jdk, places: &was }, Jvm { jdk: &jdk, places: &is });
        let progress =
            |done: usize| self.report.progress(&format!("{done} of {all} inputs run on both versions"));
        progress(0);
        let behaviour = compare(&was, &is, tried, &self.stop, progress);
        self.report.quiet();
        Ok((compared, behaviour?, error))
    }

    /// Explores a method in both versions.
    fn method(
        &mut self,
        old: &mut Exploration,
        new: &mut Exploration,
        inputs: &Inputs,
        number: usize,
        one: &mut Compared,
    ) {
        let method = one.method.clone();
        let kept = match self.side(old, &method, inputs, number, "old", one) {
            Ok((paths, kept)) => {
                one.paths.0 = paths;
                kept
            }
            Err(why) => {
                one.failed = Some(why);
                return;
            }
        };
        match self.side(new, &method, inputs, number, "new", one) {
            Ok((paths, _)) => one.paths.1 = paths,
            Err(why) => one.failed = Some(why),
        }
        one.is_empty = one.failed.is_none() && one.paths == (0, 0) && one.lost.is_empty();
        if one.is_empty {
            // No result exists that could differ: that is no agreement.
            one.failed = Some(one.within.nothing_fits());
        }
        let Some(kept) = kept.filter(|_| one.failed.is_none() && !self.flags.no_pairs) else { return };
        let options = options(&self.exploring, &self.stop);
        let Ok(mut pairs) = Pairs::begin(new, &method, inputs, options, kept) else { return };
        while let Some(pair) = pairs.next_pair() {
            one.untested += u64::from(pair.agreement == Agreement::Differs && pair.end.case.is_none());
            self.tried.extend(pair.end.case.map(|case| found(number, case)));
            let counts = pairs.counts();
            self.report.progress(&format!("{method}: {} pairs of paths", counts.pairs));
        }
        one.pairs = Some(pairs.counts());
    }

    /// Explores a method in one version: how many paths, and their ends if pairs are to be compared.
    fn side(
        &mut self,
        exploration: &mut Exploration,
        method: &MethodRef,
        inputs: &Inputs,
        number: usize,
        which: &str,
        one: &mut Compared,
    ) -> Result<(u64, Option<Vec<Kept>>), String> {
        let options = options(&self.exploring, &self.stop);
        let mut run = exploration
            .entry(method, inputs, options)
            .map_err(|e| format!("{which} version: {e}"))?
            .telling(Detail::Brief)
            .without_calls();
        let ends = KeptEnds::default();
        let keeps = which == "old" && !self.flags.no_pairs;
        if keeps {
            run = ends.of(run);
        }
        while let Some(path) = run.next_path() {
            self.tried.extend(path.case.map(|case| found(number, case)));
            self.report.progress(&format!("{method}: {} paths of the {which} version", run.tally().paths));
        }
        one.lost.extend(lost(&run).into_iter().map(|why| format!("{which} version: {why}")));
        one.within.add(&crate::within::of(&self.flags.inputs, run.tally()));
        let kept = if keeps { ends.take(&run) } else { None };
        Ok((run.tally().paths, kept))
    }
}

fn found(method: usize, case: TestCase) -> Input {
    Input { method, test: None, case }
}

/// Why not every path of a method was explored.
fn lost(run: &Run<'_>) -> Vec<String> {
    let (summary, tally) = (run.summary(), run.tally());
    let mut why = Vec::new();
    why.extend(summary.cut.iter().map(|(bound, count)| format!("{} cut {count}", bound.name())));
    why.extend(tally.cut.iter().map(|(bound, count)| format!("{} cut {count}", bound.replace('_', " "))));
    let counts = [
        (summary.undecided + summary.stuck, "undecided"),
        (tally.unsupported, "unsupported"),
        (tally.doubtful + tally.disagrees, "of objects that may not be valid"),
    ];
    why.extend(counts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")));
    if tally.narrowed(InputBound::References) > 0 {
        why.push("some references of inputs only null".into());
    }
    why
}
