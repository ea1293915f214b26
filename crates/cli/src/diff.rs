//! `evergreen diff`: what changed between two versions of a program, and inputs on which they behave
//! differently.
//!
//! What did not change and runs nothing that changed is left alone. The rest is explored in both versions.
//! The inputs of all paths run for real in both versions, Java's on the JVM, and that result decides. The
//! oracle is asked for more such inputs on pairs of paths.

mod behave;
mod c;
mod git;
mod java;
mod report;
mod suite;
mod version;
pub(crate) mod versions;

use crate::again::Given;
use crate::config::Settings;
use crate::explore::options;
use crate::explore::programs::{CaseOf, EntryOf, InputsOf, Making, Recording, WithinOf};
use crate::flags::{Diff, Exploring};
use crate::language::Written;
use behave::{Behaviour, Input, compare};
use evergreen::store::Memory;
use evergreen_java::JavaFrontend;
use evergreen_service::{
    Agreement, Changes, Detail, Exploration, Kept, KeptEnds, PairCounts, Pairs, Run, Within,
};
use report::Report;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;
use suite::SuiteTests;
use version::Version;
use versions::Versions;

/// A function that is compared.
pub(crate) struct Compared<F: Versions> {
    /// As the new version has it, with the old version's names of parameters.
    pub method: EntryOf<F>,
    /// Paths of the old and of the new version.
    pub paths: (u64, u64),
    /// Pairs of paths; `None` if they were not compared.
    pub pairs: Option<PairCounts>,
    /// Pairs that differ, but of which no test could be made.
    pub untested: u64,
    /// Why not every path was explored; empty if all were.
    pub lost: Vec<String>,
    /// The bounds that the inputs of both versions have met.
    pub within: WithinOf<F>,
    /// Whether both versions have no path although nothing was cut: no input fits.
    pub is_empty: bool,
    /// Why it could not be explored at all.
    pub failed: Option<String>,
}

impl<F: Versions> Compared<F> {
    fn new(method: EntryOf<F>) -> Compared<F> {
        Compared {
            method,
            paths: (0, 0),
            pairs: None,
            untested: 0,
            lost: Vec::new(),
            within: WithinOf::<F>::default(),
            is_empty: false,
            failed: None,
        }
    }

    /// Whether no input that [`Compared::within`] allows makes a difference that pairs of paths can show.
    pub(crate) fn is_proved(&self) -> bool {
        self.lost.is_empty() && self.failed.is_none() && self.pairs.is_some_and(|pairs| pairs.all_same())
    }
}

/// `evergreen diff`: the language of the versions says which front end compares them; of revisions, that of
/// the sources in the work tree.
pub(crate) fn task(flags: &Diff, given: &Given) -> Result<ExitCode, String> {
    let language = Written::of_versions(&flags.old, flags.new.as_deref(), flags.source.as_deref())?;
    language.check_flags(given)?;
    match language {
        Written::Java => run::<JavaFrontend>(flags, given),
        Written::C => crate::explore::c::diff(flags, given),
    }
}

/// Compares versions of a program of a language.
pub(crate) fn run<F: Versions>(flags: &Diff, given: &Given) -> Result<ExitCode, String> {
    let start = Instant::now();
    let stop = crate::interrupt::flag_on_signal();
    let (old, new) = version::open::<F>(flags)?;
    let changes = F::changes(&old.program, &new.program);
    let methods = subjects::<F>(flags, &old.program, &new.program, &changes)?;
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

/// The entries to compare: those of both versions that may behave otherwise.
fn subjects<F: Versions>(
    flags: &Diff,
    old: &F::Program,
    new: &F::Program,
    changes: &Changes<F::Key>,
) -> Result<Vec<EntryOf<F>>, String> {
    let wanted = flags.method.as_deref();
    let of = |program: &F::Program| match (F::entries(program, wanted), wanted) {
        (Err(e), Some(_)) => Err(e),
        // Without public methods there is nothing to call.
        (Err(_), None) => Ok(Vec::new()),
        (Ok(entries), _) => Ok(entries),
    };
    let (before, after) = (of(old)?, of(new)?);
    let matched = |entry: &EntryOf<F>| {
        let key = F::key(entry);
        let old = before.iter().find(|old| F::key(old) == key).filter(|_| changes.touches(&key));
        old.and_then(|old| F::matched(old, entry))
    };
    Ok(after.iter().filter_map(matched).collect())
}

/// How both versions are explored. Branches are not compared with those of a replay.
fn exploring(flags: &Diff) -> Exploring {
    Exploring { inputs: flags.inputs.clone(), no_replay: true, ..Exploring::default() }
}

/// What a run came to: what was compared, what both versions did, and the error that ended it early.
type Found<F> = (Vec<Compared<F>>, Behaviour<F>, Option<String>);

/// How many paths a version has, and their ends if pairs are to be compared.
type Explored<F> = (u64, Option<Vec<Kept<F>>>);

/// The run over all methods.
struct Whole<'f, F: Versions> {
    flags: &'f Diff,
    exploring: Exploring,
    stop: Arc<AtomicBool>,
    report: &'f Report<'f, F>,
    /// Inputs that are to run: those of a suite, then those that were found.
    tried: Vec<Input<F>>,
}

impl<F: Versions> Whole<'_, F> {
    /// Explores both versions and runs the inputs found; returns also the error that ended it early.
    fn all(
        &mut self,
        old: Version<F>,
        new: Version<F>,
        methods: Vec<EntryOf<F>>,
    ) -> Result<Found<F>, String> {
        if methods.is_empty() {
            return Ok((Vec::new(), Behaviour::default(), None));
        }
        let platforms = (F::platform(&old.program)?, F::platform(&new.program)?);
        let inputs = F::inputs(&self.exploring)?;
        F::check_names(&inputs, &methods)?;
        let settings = Settings::exploring(&self.exploring, &self.flags.solving, self.flags.timeout_ms)?;
        let store = settings.open_store()?.unwrap_or_else(|| Arc::new(Memory::new(1 << 20)));
        let making = Making {
            flags: &self.exploring,
            settings: &settings,
            store: store.clone(),
            recording: Recording::of(&self.exploring),
        };
        let mut before = F::exploration(&making, old.program, None, None)?;
        let mut after = F::exploration(&making, new.program, None, Some(&before))?;
        let mut compared: Vec<Compared<F>> = Vec::new();
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
        let progress =
            |done: usize| self.report.progress(&format!("{done} of {all} inputs run on both versions"));
        progress(0);
        let behaviour = compare((&platforms.0, &platforms.1), tried, &self.stop, progress);
        self.report.quiet();
        Ok((compared, behaviour?, error))
    }

    /// Explores a method in both versions.
    fn method(
        &mut self,
        old: &mut Exploration<F>,
        new: &mut Exploration<F>,
        inputs: &InputsOf<F>,
        number: usize,
        one: &mut Compared<F>,
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
        exploration: &mut Exploration<F>,
        method: &EntryOf<F>,
        inputs: &InputsOf<F>,
        number: usize,
        which: &str,
        one: &mut Compared<F>,
    ) -> Result<Explored<F>, String> {
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
        let within = F::within(&self.flags.inputs, run.tally());
        let lost = lost(&run).into_iter().chain(within.missing());
        one.lost.extend(lost.map(|why| format!("{which} version: {why}")));
        one.within.add(&within);
        let kept = if keeps { ends.take(&run) } else { None };
        Ok((run.tally().paths, kept))
    }
}

fn found<F: Versions>(method: usize, case: CaseOf<F>) -> Input<F> {
    Input { method, test: None, case }
}

/// Why not every path of a method was explored.
fn lost<F: Versions>(run: &Run<'_, F>) -> Vec<String> {
    let (summary, tally) = (run.summary(), run.tally());
    let mut why = Vec::new();
    why.extend(summary.cut.iter().map(|(bound, count)| format!("{} cut {count}", bound.name())));
    why.extend(tally.cut.iter().map(|(bound, count)| format!("{} cut {count}", bound.replace('_', " "))));
    let counts = [
        (summary.undecided + summary.stuck, "undecided"),
        (summary.sampled, "sampled"),
        (tally.unsupported, "unsupported"),
        (tally.doubtful + tally.disagrees, "of objects that may not be valid"),
    ];
    why.extend(counts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")));
    why
}
