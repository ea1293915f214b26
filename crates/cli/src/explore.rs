//! `evergreen explore`: the paths of programs, the failures on them, and tests that take them.

mod again;
pub(crate) mod c;
mod draw;
mod folder;
mod html;
mod java;
mod probability;
pub(crate) mod programs;
mod queue;
mod report;
mod suite;

use crate::again::Given;
use crate::config::Settings;
use crate::flags::{Explore, Exploring, MergeFlag, OrderFlag};
use crate::language::Written;
use crate::work::sent::Sent;
use again::again;
use evergreen::store::Memory;
use evergreen_java::JavaFrontend;
use evergreen_service::report::{Again, Markdown, RunEnd, Sarif, json, line, sarif};
use evergreen_service::{
    Asking, Bounds, Campaign, Detail, Exploration, Explored, Language, Options, Order, PathLines, Replayer,
    Sampling, Shortcuts, Sink, Tally, Team, Telling, Totals, with_workers,
};
use folder::Folder;
use html::HtmlFile;
use programs::{EntryOf, LanguageOf, Making, OwnSinks, Programs, Proved, Recording, Targets};
use report::Report;
use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// `evergreen explore`: the language of the targets says which front end explores them.
pub(crate) fn task(flags: &Explore, given: &Given) -> Result<ExitCode, String> {
    let language = Written::of_all(&flags.targets)?;
    language.check_flags(given)?;
    match language {
        Written::Java => run::<JavaFrontend>(flags, given),
        Written::C => c::explore(flags, given),
    }
}

/// `evergreen jvm stop`.
pub(crate) fn stop_jvm() -> Result<ExitCode, String> {
    match evergreen_java::replay::stop_warm(None) {
        0 => crate::say::say("no JVM stays in the background"),
        1 => crate::say::say("ended the JVM that stayed in the background"),
        count => crate::say::say(&format!("ended {count} JVMs that stayed in the background")),
    }
    Ok(ExitCode::SUCCESS)
}

/// Explores programs of a language.
pub(crate) fn run<F: Sent>(flags: &Explore, given: &Given) -> Result<ExitCode, String> {
    let mut inputs = F::inputs(&flags.exploring)?;
    let measure = probability::measure(flags, F::ranges(&mut inputs))?;
    let mut settings = Settings::exploring(&flags.exploring, &flags.solving, flags.timeout_ms)?;
    settings.stats = flags.stats.clone().or(settings.stats);
    settings.check_solver(&settings.solver())?;
    let class_path = flags.class_path.as_deref();
    let (method, files) = (flags.entry(), &flags.targets[..]);
    let program = F::open(&Targets { files, class_path, method, inputs: &flags.exploring.inputs })?;
    let entries = F::entries(&program, flags.entry())?;
    F::check_names(&inputs, &entries)?;
    let (suites, entries) = suite::open::<F>(flags, &program, entries)?;
    let store = settings.open_store()?.unwrap_or_else(|| Arc::new(Memory::new(1 << 20)));
    let opened = F::opened(&program);
    if let Some(measure) = &measure {
        probability::check_secrets(measure, &entries)?;
        if flags.jobs != 1 || flags.queue.is_some() {
            return Err("probabilities are counted by one thread\nhelp: leave --jobs and --queue away".into());
        }
    }
    let recording = match flags.suite.suite {
        Some(_) => Recording::On,
        None => Recording::of(&flags.exploring),
    };
    let make = || {
        let program = F::reopen(&opened)?;
        let making = Making { flags: &flags.exploring, settings: &settings, store: store.clone(), recording };
        let mut exploration = F::exploration(&making, program, None, None)?;
        if let Some(measure) = &measure {
            exploration.measure(measure.clone()).map_err(|e| e.to_string())?;
        }
        Ok(exploration)
    };
    if flags.failing.induction
        && let Some(proved) = F::proved(make()?, &entries, &inputs)?
    {
        return tell_proof(flags, &settings, &proved);
    }
    let mut sinks = Sinks::<F>::open(flags, &again::<F>(flags, given), &program)?;
    let mut replayer = F::replayer(&program, &entries, &flags.exploring, &settings);
    let stop = crate::interrupt::flag_on_signal();
    let within = |tally: &Tally<LanguageOf<F>>| F::within(&flags.exploring.inputs, tally);
    let replays = (!flags.exploring.no_replay).then_some(&mut replayer as &mut dyn Replayer<LanguageOf<F>>);
    let mut campaign = Campaign::<F>::new(&make, &within, suites, replays);
    campaign.inputs = inputs;
    campaign.options = options(&flags.exploring, &stop);
    campaign.looked_for = flags.failing.looked_for();
    campaign.stops = flags.failing.stops();
    // Shares of inputs are those of whole paths.
    if measure.is_none() {
        campaign.options.sampling = F::sampling(&flags.exploring);
    }
    campaign.options.merging = merging::<F>(flags, measure.is_some())?;
    run_first(flags, given, &mut campaign.options)?;
    campaign.telling = sinks.telling(flags, campaign.keeps_suites());
    let updated = with_team(flags, &settings, &make, (&entries, &stop), |mut team| {
        for (at, entry) in entries.iter().enumerate() {
            // What workers have sent before an interrupt is reported.
            let stopped = stop.load(Ordering::Relaxed) && !matches!(team, Team::Elsewhere(_));
            if stopped || campaign.totals.stopped || campaign.totals.error.is_some() {
                campaign.totals.not_begun = (entries.len() - at) as u64;
                break;
            }
            campaign.entry(&mut team, entry, &mut sinks.all())?;
        }
        replay(flags, &mut campaign, &mut sinks.report)?;
        if let Err(e) = store.flush() {
            crate::say::warn_once(&e.to_string());
        }
        campaign.finish(&team)
    });
    let updated = updated?;
    let divergences = campaign.tests.divergences().to_vec();
    sinks.own.leave_out(&campaign.tests.chosen().iter().map(|(test, _)| *test).collect());
    let totals = std::mem::take(&mut campaign.totals);
    drop(campaign);
    let mut more = sinks.own.more(&replayer);
    more.facts.extend(F::remarks(&totals));
    let (divergences, suite) = (&divergences[..], updated.as_ref());
    sinks.finish(flags, &settings, &RunEnd { totals: &totals, divergences, suite, more: &more })?;
    exit_code(flags, totals)
}

/// Replays what is left, and reports what the replays did differently.
fn replay<F: Programs>(
    flags: &Explore,
    campaign: &mut Campaign<'_, F>,
    report: &mut Report<'_, LanguageOf<F>>,
) -> Result<(), String> {
    campaign.replay();
    for divergence in campaign.tests.divergences() {
        report.divergence(divergence);
    }
    match campaign.tests.trouble() {
        Some(trouble) if flags.exploring.replay => return Err(trouble.to_string()),
        Some(trouble) => crate::say::warn_once(trouble),
        None => {}
    }
    Ok(())
}

/// Has one machine explore, or as many as `--jobs` says, or those of a queue.
fn with_team<F: Sent, T>(
    flags: &Explore,
    settings: &Settings,
    make: &(dyn Fn() -> Result<Exploration<F>, String> + Sync),
    (entries, stop): (&[EntryOf<F>], &Arc<AtomicBool>),
    body: impl FnOnce(Team<'_, F>) -> Result<T, String>,
) -> Result<T, String> {
    if let Some(url) = &flags.queue {
        let exploration = make()?;
        let elsewhere = queue::explore((flags, settings), url, exploration, entries, stop)?;
        return body(Team::Elsewhere(Box::new(elsewhere)));
    }
    let jobs = jobs(flags);
    if jobs == 1 {
        return body(Team::Alone(Box::new(make()?)));
    }
    if flags.exploring.order != OrderFlag::Dfs {
        return Err("--jobs goes depth first\nhelp: leave --order away, or use --jobs 1".into());
    }
    with_workers(jobs, make, |workers| body(Team::Many(workers)))
}

/// How many threads explore.
pub(crate) fn jobs(flags: &Explore) -> usize {
    match flags.jobs {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        jobs => jobs,
    }
}

/// Paths of a method before its states are merged without being asked for.
const PATHS_BEFORE_MERGING: u64 = 1_000;

/// Order and bounds of an exploration.
pub(crate) fn options(flags: &Exploring, stop: &Arc<AtomicBool>) -> Options {
    let bounds = &flags.inputs.bounds;
    Options {
        order: match flags.order {
            OrderFlag::Dfs => Order::DepthFirst,
            OrderFlag::Bfs => Order::BreadthFirst,
            OrderFlag::Random => Order::Random(flags.seed),
            OrderFlag::Coverage => Order::Coverage,
            OrderFlag::Likely => Order::Likely,
        },
        bounds: Bounds {
            depth: (bounds.depth > 0).then_some(bounds.depth),
            loops: (bounds.loops > 0).then_some(bounds.loops),
            steps: (bounds.steps > 0).then_some(bounds.steps),
            generations: None,
            paths: (bounds.paths > 0).then_some(bounds.paths),
            time: (!bounds.time.is_zero()).then_some(bounds.time),
            memory: (bounds.memory > 0).then_some((bounds.memory, evergreen_host::memory::used_bytes)),
            interrupt: Some(stop.clone()),
        },
        shortcuts: if flags.no_shortcuts { Shortcuts::None } else { Shortcuts::All },
        sampling: Sampling::Never,
        asking: Asking::AtBranches,
        merging: None,
        as_merged: false,
    }
}

/// From how many paths on states are merged, if they are.
fn merging<F: Programs>(flags: &Explore, counts: bool) -> Result<Option<u64>, String> {
    let path_by_path = match () {
        () if flags.queue.is_some() => Some("workers of a queue share"),
        () if jobs(flags) != 1 => Some("several jobs share"),
        () if counts => Some("probabilities are those of"),
        () if flags.concolic.concolic => Some("runs of inputs are"),
        () if flags.exploring.inputs.c.leaks => Some("leaks are looked for at the ends of"),
        () => None,
    };
    match (flags.exploring.merge, path_by_path) {
        (MergeFlag::Off, _) | (MergeFlag::Auto, Some(_)) => Ok(None),
        (MergeFlag::Auto, None) => Ok(F::MERGES.then_some(PATHS_BEFORE_MERGING)),
        (MergeFlag::On, None) => Ok(Some(0)),
        (MergeFlag::On, Some(what)) => {
            Err(format!("{what} single paths, which merged states are not\nhelp: leave --merge on away"))
        }
    }
}

/// With `--concolic` inputs run to their end before the arms that they left are asked about; those that were
/// taken least come first, unless an order is given.
fn run_first(flags: &Explore, given: &Given, options: &mut Options) -> Result<(), String> {
    if !flags.concolic.concolic {
        return Ok(());
    }
    if flags.likely.is_wanted() {
        return Err(
            "probabilities are those of all paths, and --concolic runs some first\nhelp: leave one of \
                    them away"
                .into(),
        );
    }
    options.asking = Asking::Later;
    options.bounds.generations = flags.concolic.generations;
    options.merging = None;
    if given.values("order").is_empty() {
        options.order = Order::Coverage;
    }
    Ok(())
}

/// All sinks of a run.
struct Sinks<'f, F: Programs> {
    report: Report<'f, LanguageOf<F>>,
    folder: Option<Folder<LanguageOf<F>>>,
    own: F::Sinks,
    page: Option<HtmlFile<LanguageOf<F>>>,
    sarif: Option<Sarif<'f, LanguageOf<F>>>,
    markdown: Option<Markdown<LanguageOf<F>>>,
}

impl<'f, F: Programs> Sinks<'f, F> {
    /// Opens the sinks that the flags ask for. A file that cannot be written is an error before anything is
    /// explored.
    fn open(
        flags: &'f Explore,
        again: &Again<LanguageOf<F>>,
        program: &'f F::Program,
    ) -> Result<Sinks<'f, F>, String> {
        let page = |file: &Path| HtmlFile::create::<F>(file, &flags.targets, again.clone());
        let sarif = || {
            Sarif::new(again.clone())
                .locating(|entry, finding| F::located(program, &flags.targets, entry, finding))
        };
        Ok(Sinks {
            report: Report::new(flags, again.clone()),
            folder: flags.out.as_deref().map(|out| Folder::create(out, again.clone())).transpose()?,
            own: F::sinks(program, flags)?,
            page: flags.report.as_deref().map(page).transpose()?,
            sarif: flags.sarif.is_some().then(sarif),
            markdown: flags.markdown.is_some().then(Markdown::default),
        })
    }

    /// All of them, in the order in which they are served.
    fn all(&mut self) -> Vec<&mut dyn Sink<F>> {
        let mut all: Vec<&mut dyn Sink<F>> = vec![&mut self.report];
        all.extend(self.folder.iter_mut().map(|sink| sink as &mut dyn Sink<F>));
        all.extend(self.own.all());
        all.extend(self.page.iter_mut().map(|file| &mut file.page as &mut dyn Sink<F>));
        all.extend(self.sarif.iter_mut().map(|sink| sink as &mut dyn Sink<F>));
        all.extend(self.markdown.iter_mut().map(|sink| sink as &mut dyn Sink<F>));
        all
    }

    /// How paths are described: as much as some sink shows.
    fn telling(&self, flags: &Explore, keeps_suites: bool) -> Telling<LanguageOf<F>> {
        // Only sources and suites show them.
        let calls = !flags.no_calls && (flags.out.is_some() || keeps_suites);
        let shows_all = flags.verbose || self.own.shows_all() || self.page.is_some();
        let beside = if shows_all { Detail::Full } else { Detail::Brief };
        let written = self.folder.is_some() || flags.json;
        let lines = written.then_some(PathLines { write: line::line::<LanguageOf<F>>, beside });
        let detail = if written { Detail::Full } else { beside };
        // A verifier looks for a violation, in all inputs.
        let walks = if keeps_suites || flags.failing.property.is_some() { 0 } else { flags.walks };
        Telling { detail, shrinks: !flags.no_shrink, calls, lines, walks }
    }

    /// Writes what is written in the end.
    fn finish(
        mut self,
        flags: &Explore,
        settings: &Settings,
        end: &RunEnd<'_, LanguageOf<F>>,
    ) -> Result<(), String> {
        let tests = self.own.tests();
        if let Some(folder) = self.folder.take() {
            folder.finish(&tests, end)?;
        }
        if let Some(page) = self.page.take() {
            page.finish(end, &tests.names)?;
        }
        if let Some(place) = settings.tallied() {
            crate::tally::add(&place, &end.totals.stats);
        }
        if let Some(place) = &settings.stats {
            append(place, &json::summary(end))?;
        }
        if let (Some(sarif), Some(file)) = (&self.sarif, &flags.sarif) {
            sarif::write(file, &sarif.log(end))?;
        }
        if let (Some(markdown), Some(file)) = (&self.markdown, &flags.markdown) {
            crate::markdown::append(file, &markdown.text(end))?;
        }
        self.report.summary(end, flags.out.as_deref());
        self.report.kept(&self.own.told(), flags.report.as_deref());
        Ok(())
    }
}

/// Reports a proof: nothing is left to be explored.
fn tell_proof(flags: &Explore, settings: &Settings, proved: &Proved) -> Result<ExitCode, String> {
    let (zero, paths) = (0, proved.paths);
    let summary = json!({
        "event": "summary", "explored": "all", "proof": proved.json, "paths": paths,
        "findings": zero, "divergences": zero, "replayed": zero,
    });
    if let Some(place) = &settings.stats {
        append(place, &summary)?;
    }
    match flags.json {
        true => crate::say::say_json(&summary),
        false => proved.lines.iter().for_each(|line| crate::say::say(line)),
    }
    Ok(ExitCode::SUCCESS)
}

/// Appends the summary to a file.
fn append(place: &str, summary: &Value) -> Result<(), String> {
    let line = format!("{}\n", crate::say::shown_json(&summary.to_string()));
    crate::stats::sink(place)?.write_all(line.as_bytes()).map_err(|e| format!("{place}: {e}"))
}

/// What a run came to, for shells.
fn exit_code<L: Language>(flags: &Explore, totals: Totals<L>) -> Result<ExitCode, String> {
    if let Some(error) = totals.error {
        return Err(error);
    }
    if totals.failed > 0 && totals.methods == 0 {
        return Ok(ExitCode::from(crate::COULD_NOT_RUN));
    }
    let found = totals.findings > 0 || totals.divergences > 0;
    let is_cut = flags.queue.is_some() && totals.was_ended();
    let is_unlinked = totals.missing.keys().any(|why| L::is_incomplete_program(why));
    let is_partial = flags.failing.require_complete && totals.explored() == Explored::Part;
    Ok(ExitCode::from(match found {
        true => 1,
        // A method without a fitting input has no result.
        false if totals.empty > 0 => crate::COULD_NOT_RUN,
        false if totals.paths == 0 || is_cut || is_partial || is_unlinked => crate::NOT_EXPLORED,
        false => 0,
    }))
}
