//! `evergreen explore`: the paths of Java methods, the failures on them, and tests that take them.

mod again;
mod draw;
mod folder;
mod html;
mod probability;
mod queue;
mod report;
mod suite;

use crate::again::Given;
use crate::config::Settings;
use crate::flags::{Explore, Exploring, HeapFlag, IntsFlag, OrderFlag};
use again::again;
use draw::Drawings;
use evergreen::solver::PipeSolver;
use evergreen::store::{Memory, Store};
use evergreen::{Evergreen, Reuse};
use evergreen_java::classfile::find_jdk;
use evergreen_java::heap::Technique;
use evergreen_java::replay::Coverage;
use evergreen_java::report::{Again, Markdown, More, RunEnd, Sarif, json, line, sarif};
use evergreen_java::symbolic::Ints;
use evergreen_java::{
    Bounds, Campaign, Detail, Exploration, Inputs, Java, JavaFrontend, JunitTests, JvmReplayer, Maker,
    MethodRef, Options, Order, PathLines, Program, Replayer, Shortcuts, Sink, Tally, Team, Telling, Totals,
    check_scopes, covered, invariants, jvm, keeping, located, with_workers,
};
use folder::Folder;
use html::HtmlFile;
use report::Report;
use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Branches of a path that are compared with those that the JVM takes; longer paths are compared by their
/// ends only.
const RECORDED: usize = 10_000;

/// `evergreen explore`.
pub(crate) fn task(flags: &Explore, given: &Given) -> Result<ExitCode, String> {
    let mut inputs = inputs(&flags.exploring)?;
    let measure = probability::measure(flags, &mut inputs)?;
    let mut settings = Settings::exploring(&flags.exploring, &flags.solving, flags.timeout_ms)?;
    settings.stats = flags.stats.clone().or(settings.stats);
    settings.check_audit(&settings.solver())?;
    let jdk = find_jdk().map_err(|e| e.to_string())?;
    let program =
        Program::open(&flags.targets, flags.class_path.as_deref(), jdk).map_err(|e| e.to_string())?;
    let methods = program.methods(flags.method.as_deref()).map_err(|e| e.to_string())?;
    inputs.check_names(&methods).map_err(|e| e.to_string())?;
    let (suites, methods) = suite::open(flags, &program, methods)?;
    let store = settings.open_store()?.unwrap_or_else(|| Arc::new(Memory::new(1 << 20)));
    let opened = program.opened();
    if let Some(measure) = &measure {
        probability::check_secrets(measure, &methods)?;
        if flags.jobs != 1 || flags.queue.is_some() {
            return Err("probabilities are counted by one thread\nhelp: leave --jobs and --queue away".into());
        }
    }
    let make = || {
        let program = opened.open().map_err(|e| e.to_string())?;
        let mut exploration = exploration(&flags.exploring, &settings, store.clone(), program, None)?;
        if let Some(measure) = &measure {
            exploration.measure(measure.clone()).map_err(|e| e.to_string())?;
        }
        Ok(exploration)
    };
    let mut sinks = Sinks::open(flags, &again(flags, given), &program)?;
    let mut replayer = JvmReplayer::new(&program);
    let stop = crate::interrupt::flag_on_signal();
    let within = |tally: &Tally| crate::within::of(&flags.exploring.inputs, tally);
    let replays = (!flags.exploring.no_replay).then_some(&mut replayer as &mut dyn Replayer<Java>);
    let mut campaign = Campaign::new(&make, &within, suites, replays);
    campaign.inputs = inputs;
    campaign.options = options(&flags.exploring, &stop);
    campaign.telling = sinks.telling(flags, campaign.keeps_suites());
    let updated = with_team(flags, &settings, &make, (&methods, &stop), |mut team| {
        for (at, method) in methods.iter().enumerate() {
            // What workers have sent before an interrupt is reported.
            let stopped = stop.load(Ordering::Relaxed) && !matches!(team, Team::Elsewhere(_));
            if stopped || campaign.totals.error.is_some() {
                campaign.totals.not_begun = (methods.len() - at) as u64;
                break;
            }
            campaign.entry(&mut team, method, &mut sinks.all())?;
        }
        replay(flags, &mut campaign, &mut sinks.report)?;
        if let Err(e) = store.flush() {
            crate::say::warn_once(&e.to_string());
        }
        campaign.finish(&team)
    });
    let updated = updated?;
    let divergences = campaign.tests.divergences().to_vec();
    let totals = std::mem::take(&mut campaign.totals);
    drop(campaign);
    let more = sinks.more(replayer.coverage().as_ref());
    let (divergences, suite) = (&divergences[..], updated.as_ref());
    sinks.finish(flags, &settings, &RunEnd { totals: &totals, divergences, suite, more: &more })?;
    exit_code(flags, totals)
}

/// Replays what is left, and reports what the JVM did differently.
fn replay(flags: &Explore, campaign: &mut Campaign<'_>, report: &mut Report<'_>) -> Result<(), String> {
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
fn with_team<T>(
    flags: &Explore,
    settings: &Settings,
    make: &(dyn Fn() -> Result<Exploration, String> + Sync),
    (methods, stop): (&[MethodRef], &Arc<AtomicBool>),
    body: impl FnOnce(Team<'_>) -> Result<T, String>,
) -> Result<T, String> {
    if let Some(url) = &flags.queue {
        let exploration = make()?;
        let elsewhere = queue::explore((flags, settings), url, exploration, methods, stop)?;
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

fn drawings(flags: &Explore) -> Result<Option<Drawings>, String> {
    flags.draw.as_deref().map(|folder| Drawings::create(folder, flags.draw_most)).transpose()
}

/// The flags that set inputs.
pub(crate) fn inputs(flags: &Exploring) -> Result<Inputs, String> {
    let concrete = flags
        .inputs
        .concrete
        .iter()
        .map(|text| Inputs::read_concrete(text).map_err(|e| format!("--concrete {e}")));
    let ranges =
        flags.inputs.range.iter().map(|text| Inputs::read_range(text).map_err(|e| format!("--range {e}")));
    Ok(Inputs {
        concrete: concrete.collect::<Result<_, _>>()?,
        ranges: ranges.collect::<Result<_, _>>()?,
        assumptions: flags.inputs.assume.clone(),
    })
}

/// A program, ready to be explored; `known` are its invariants, if the caller has looked for them.
pub(crate) fn exploration(
    flags: &Exploring,
    settings: &Settings,
    store: Arc<dyn Store>,
    program: Program,
    known: Option<Vec<jvm::ClassInvariant>>,
) -> Result<Exploration, String> {
    exploration_beside(flags, settings, store, program, (known, None))
}

/// The same, on the expressions of another version of the program.
pub(crate) fn exploration_beside(
    flags: &Exploring,
    settings: &Settings,
    store: Arc<dyn Store>,
    program: Program,
    (known, old): (Option<Vec<jvm::ClassInvariant>>, Option<&Exploration>),
) -> Result<Exploration, String> {
    let ints = match flags.ints {
        IntsFlag::Exact => Ints::Wrapped,
        IntsFlag::Math => Ints::Math,
    };
    // What the JVM does is compared branch by branch.
    let record = if flags.no_replay { 0 } else { RECORDED };
    let machine = jvm::Options {
        input_length: flags.inputs.input_length,
        chars: flags.inputs.chars,
        record,
        lazy: lazy(flags, &program, known)?,
        ..jvm::Options::default()
    };
    let (trust, namespace) = (settings.trust(), settings.namespace.clone().unwrap_or_default());
    let heaps = keeping(store.clone(), trust, namespace);
    let make = maker(settings, store);
    let made = match old {
        None => JavaFrontend::explore(program, ints, machine, make),
        Some(old) => old.front.beside(program, machine, make),
    };
    let mut exploration = made.map_err(|e| e.to_string())?;
    exploration.front.make_lazy(heaps);
    Ok(exploration)
}

/// How objects as inputs are made.
fn lazy(
    flags: &Exploring,
    program: &Program,
    known: Option<Vec<jvm::ClassInvariant>>,
) -> Result<Option<jvm::LazyOptions>, String> {
    let Some(heap) = flags.inputs.heap else {
        if !flags.inputs.invariant.is_empty() || !flags.inputs.scope.is_empty() {
            let flag = if flags.inputs.scope.is_empty() { "--invariant" } else { "--scope" };
            return Err(format!("{flag} says nothing without --heap\nhelp: add --heap bliss or --heap li"));
        }
        return Ok(None);
    };
    if heap == HeapFlag::Search && !flags.inputs.invariant.is_empty() {
        return Err("--heap search uses repOK alone\nhelp: omit --invariant, or use --heap bliss".into());
    }
    let unread = match heap {
        HeapFlag::Search => jvm::Unread::Search,
        _ => jvm::Unread::Unknown,
    };
    let technique = match heap {
        HeapFlag::Li | HeapFlag::Search => Technique::Li,
        HeapFlag::Bli => Technique::Bli,
        HeapFlag::Rbli => Technique::Rbli,
        HeapFlag::Bliss => Technique::Bliss,
        HeapFlag::Blissdb => Technique::BlissDb,
    };
    let found = || invariants(program, &flags.inputs.invariant).map_err(|e| e.to_string());
    let invariants = known.map_or_else(found, Ok)?;
    let classes = flags.inputs.scope.iter().map(|(class, _)| &**class).filter(|class| !class.is_empty());
    check_scopes(program, &invariants, classes).map_err(|e| e.to_string())?;
    let rep_ok = flags.rep_ok.clone();
    let mut options =
        jvm::LazyOptions { unread, technique, invariants, rep_ok, ..jvm::LazyOptions::default() };
    for (class, scope) in &flags.inputs.scope {
        if class.is_empty() {
            options.scope = *scope;
        } else {
            options.scopes.insert(class.clone(), *scope);
        }
    }
    Ok(Some(options))
}

/// Both writings of conditions share one store; each has a solver process of its own, started when it is
/// needed.
fn maker(settings: &Settings, store: Arc<dyn Store>) -> Maker {
    let engine = settings.engine();
    let limits = settings.limits();
    let solver = settings.solver();
    Box::new(move || {
        let process = PipeSolver::new(solver.clone(), limits.clone());
        let process = if engine.reuse == Reuse::Full { process.keeping_stack() } else { process };
        let builder = Evergreen::builder().engine(engine.clone()).with_store(store.clone());
        let builder = builder.audit(engine.audit, crate::audit::report);
        builder.with_solver(Box::new(process)).build()
    })
}

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
            paths: (bounds.paths > 0).then_some(bounds.paths),
            time: (!bounds.time.is_zero()).then_some(bounds.time),
            memory: (bounds.memory > 0).then_some((bounds.memory, evergreen_host::memory::used_bytes)),
            interrupt: Some(stop.clone()),
        },
        shortcuts: if flags.no_shortcuts { Shortcuts::None } else { Shortcuts::All },
    }
}

/// All sinks of a run.
struct Sinks<'f> {
    report: Report<'f>,
    folder: Option<Folder>,
    drawings: Option<Drawings>,
    page: Option<HtmlFile>,
    junit: Option<JunitTests>,
    sarif: Option<Sarif<'f, Java>>,
    markdown: Option<Markdown<Java>>,
}

impl<'f> Sinks<'f> {
    /// Opens the sinks that the flags ask for. A file that cannot be written is an error before anything is
    /// explored.
    fn open(flags: &'f Explore, again: &Again<Java>, program: &'f Program) -> Result<Sinks<'f>, String> {
        let page = |file: &Path| HtmlFile::create(file, &flags.targets, again.clone());
        let sarif = || {
            Sarif::new(again.clone())
                .locating(|method, finding| located(program, &flags.targets, method, finding))
        };
        Ok(Sinks {
            report: Report::new(flags, again.clone()),
            folder: flags.out.as_deref().map(|out| Folder::create(out, again.clone())).transpose()?,
            drawings: drawings(flags)?,
            page: flags.report.as_deref().map(page).transpose()?,
            junit: flags.out.is_some().then(|| JunitTests::new(suite::sources(flags, program), jobs(flags))),
            sarif: flags.sarif.is_some().then(sarif),
            markdown: flags.markdown.is_some().then(Markdown::default),
        })
    }

    /// All of them, in the order in which they are served.
    fn all(&mut self) -> Vec<&mut dyn Sink<JavaFrontend>> {
        let mut all: Vec<&mut dyn Sink<JavaFrontend>> = vec![&mut self.report];
        all.extend(self.folder.iter_mut().map(|sink| sink as &mut dyn Sink<JavaFrontend>));
        all.extend(self.drawings.iter_mut().map(|sink| sink as &mut dyn Sink<JavaFrontend>));
        all.extend(self.page.iter_mut().map(|file| &mut file.page as &mut dyn Sink<JavaFrontend>));
        all.extend(self.junit.iter_mut().map(|sink| sink as &mut dyn Sink<JavaFrontend>));
        all.extend(self.sarif.iter_mut().map(|sink| sink as &mut dyn Sink<JavaFrontend>));
        all.extend(self.markdown.iter_mut().map(|sink| sink as &mut dyn Sink<JavaFrontend>));
        all
    }

    /// How paths are described: as much as some sink shows.
    fn telling(&self, flags: &Explore, keeps_suites: bool) -> Telling {
        // Only sources and suites show them.
        let calls = !flags.no_calls && (flags.out.is_some() || keeps_suites);
        let shows_all = flags.verbose || self.drawings.is_some() || self.page.is_some();
        let beside = if shows_all { Detail::Full } else { Detail::Brief };
        let written = self.folder.is_some() || flags.json;
        let lines = written.then_some(PathLines { write: line::line::<Java>, beside });
        let detail = if written { Detail::Full } else { beside };
        Telling { detail, shrinks: !flags.no_shrink, calls, lines }
    }

    /// What the command adds to reports: what tests cover, and what was drawn.
    fn more(&self, coverage: Option<&Coverage>) -> More {
        let mut more = covered(coverage);
        let (structures, left_out) =
            self.drawings.as_ref().map_or((0, 0), |drawings| (drawings.drawn, drawings.left_out));
        let drawn = json!({ "structures": structures, "left_out": left_out });
        more.fields.insert("drawn".into(), drawn);
        more
    }

    /// Writes what is written in the end.
    fn finish(mut self, flags: &Explore, settings: &Settings, end: &RunEnd<'_, Java>) -> Result<(), String> {
        let tests = self.junit.take().map(JunitTests::sources).unwrap_or_default();
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
        self.report.kept(self.drawings.as_ref(), flags.report.as_deref());
        Ok(())
    }
}

/// Appends the summary to a file.
fn append(place: &str, summary: &Value) -> Result<(), String> {
    let line = format!("{}\n", crate::say::shown_json(&summary.to_string()));
    crate::stats::sink(place)?.write_all(line.as_bytes()).map_err(|e| format!("{place}: {e}"))
}

/// What a run came to, for shells.
fn exit_code(flags: &Explore, totals: Totals) -> Result<ExitCode, String> {
    if let Some(error) = totals.error {
        return Err(error);
    }
    if totals.failed > 0 && totals.methods == 0 {
        return Ok(ExitCode::from(crate::COULD_NOT_RUN));
    }
    let found = totals.findings > 0 || totals.divergences > 0;
    let ended = flags.queue.is_some() && totals.was_ended();
    Ok(ExitCode::from(match found {
        true => 1,
        // A method without a fitting input has no result.
        false if totals.empty > 0 => crate::COULD_NOT_RUN,
        false if ended => crate::NOT_EXPLORED,
        false => 0,
    }))
}
