//! `evergreen explore`: the paths of Java methods, what goes wrong on them, and tests that go there.

mod ci;
mod draw;
pub mod findings;
mod folder;
mod html;
mod json;
mod lines;
mod probability;
mod queue;
pub mod report;
mod suite;
mod tests_run;
mod totals;
pub mod values;

use crate::again::{self, Given};
use crate::config::Settings;
use crate::flags::{Explore, Exploring, HeapFlag, IntsFlag, OrderFlag};
use crate::within::Within;
use ci::Ci;
use draw::Drawings;
use evergreen::solver::PipeSolver;
use evergreen::store::{Memory, Store};
use evergreen::{Evergreen, Reuse};
use evergreen_java::classfile::find_jdk;
use evergreen_java::heap::Technique;
use evergreen_java::symbolic::Ints;
use evergreen_java::{
    Bounds, Detail, Exploration, Inputs, Maker, MethodRef, Options, Order, PathEnd, PathLines, Program,
    Shortcuts, Team, Telling, check_scopes, invariants, jvm, keeping, with_workers,
};
use findings::Findings;
use folder::Folder;
use html::Page;
use report::Report;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;
use suite::Suites;
use tests_run::{TestNames, TestsRun};
use totals::Totals;

/// Branches of a path that are compared with those that the JVM takes; longer paths are compared by their ends only.
const RECORDED: usize = 10_000;

/// `evergreen explore`.
pub fn task(flags: &Explore, given: &Given) -> Result<ExitCode, String> {
    let start = Instant::now();
    let mut inputs = inputs(&flags.exploring)?;
    let measure = probability::measure(flags, &mut inputs)?;
    let mut settings = Settings::exploring(&flags.exploring, &flags.solving, flags.timeout_ms)?;
    settings.stats = flags.stats.clone().or(settings.stats);
    let jdk = find_jdk().map_err(|e| e.to_string())?;
    let program =
        Program::open(&flags.targets, flags.class_path.as_deref(), jdk).map_err(|e| e.to_string())?;
    let methods = program.methods(flags.method.as_deref()).map_err(|e| e.to_string())?;
    inputs.check_names(&methods).map_err(|e| e.to_string())?;
    let (suites, methods) = match Suites::open(flags, &program, &methods)? {
        Some((suites, methods)) => (Some(suites), methods),
        None => (None, methods),
    };
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
    let mut run = Whole {
        flags,
        given,
        make: &make,
        checker: None,
        inputs,
        report: Report::new(flags),
        tests: TestsRun::new(flags, &program),
        program,
        folder: flags.out.as_deref().map(Folder::create).transpose()?,
        drawings: drawings(flags)?,
        page: flags.report.as_deref().map(|file| Page::new(file, &flags.targets)).transpose()?,
        ci: Ci::default(),
        totals: Totals::default(),
        suites,
        stop: crate::interrupt::flag_on_signal(),
    };
    let stop = run.stop.clone();
    with_team(flags, &settings, &make, (&methods, &stop), |mut team| {
        for (at, method) in methods.iter().enumerate() {
            // What others have told before someone asked to stop is told.
            let stopped = run.stop.load(Ordering::Relaxed) && !matches!(team, Team::Elsewhere(_));
            if stopped || run.totals.error.is_some() {
                run.totals.not_begun = (methods.len() - at) as u64;
                break;
            }
            run.method(&mut team, method)?;
        }
        run.replay()?;
        if let Err(e) = store.flush() {
            crate::say::warn_once(&e.to_string());
        }
        run.totals.end(&team, start.elapsed());
        run.write_suites()?;
        run.finish(&settings)
    })
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
pub fn jobs(flags: &Explore) -> usize {
    match flags.jobs {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        jobs => jobs,
    }
}

fn drawings(flags: &Explore) -> Result<Option<Drawings>, String> {
    flags.draw.as_deref().map(|folder| Drawings::create(folder, flags.draw_most)).transpose()
}

/// What is said about inputs.
pub fn inputs(flags: &Exploring) -> Result<Inputs, String> {
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

/// A program, ready to be explored; `known` are its invariants, if someone else has looked for them.
pub fn exploration(
    flags: &Exploring,
    settings: &Settings,
    store: Arc<dyn Store>,
    program: Program,
    known: Option<Vec<jvm::ClassInvariant>>,
) -> Result<Exploration, String> {
    exploration_beside(flags, settings, store, program, (known, None))
}

/// The same, on the expressions of another version of the program.
pub fn exploration_beside(
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
        None => Exploration::new(program, ints, machine, make),
        Some(old) => old.beside(program, machine, make),
    };
    let mut exploration = made.map_err(|e| e.to_string())?;
    exploration.make_lazy(heaps);
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
        return Err(
            "--heap search goes by repOK alone\nhelp: leave --invariant away, or use --heap bliss".into()
        );
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

/// Both writings of conditions share one store; each has a solver process of its own, started when it is needed.
fn maker(settings: &Settings, store: Arc<dyn Store>) -> Maker {
    let engine = settings.engine();
    let limits = settings.limits();
    let solver = settings.solver.clone().unwrap_or_else(|| "z3".into());
    Box::new(move || {
        let process = PipeSolver::new(crate::run::command(&solver), limits.clone());
        let process = if engine.reuse == Reuse::Full { process.keeping_stack() } else { process };
        let builder = Evergreen::builder().engine(engine.clone()).with_store(store.clone());
        let builder = builder.audit(engine.audit, crate::audit::report);
        builder.with_solver(Box::new(process)).build()
    })
}

/// Order and bounds of an exploration.
pub fn options(flags: &Exploring, stop: &Arc<AtomicBool>) -> Options {
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

/// The run over all methods.
struct Whole<'f> {
    flags: &'f Explore,
    given: &'f Given,
    program: Program,
    make: &'f (dyn Fn() -> Result<Exploration, String> + Sync),
    /// A machine for what is checked where others explore; made when it is first needed.
    checker: Option<Exploration>,
    inputs: Inputs,
    report: Report<'f>,
    tests: TestsRun,
    folder: Option<Folder>,
    drawings: Option<Drawings>,
    page: Option<Page>,
    ci: Ci,
    totals: Totals,
    suites: Option<Suites>,
    stop: Arc<AtomicBool>,
}

impl Whole<'_> {
    /// Explores one method.
    fn method(&mut self, team: &mut Team<'_>, method: &MethodRef) -> Result<(), String> {
        self.report.begins(method);
        if let Some(page) = &mut self.page {
            page.begins(method);
        }
        let options = options(&self.flags.exploring, &self.stop);
        let old = self.suites.as_mut().map(|suites| suites.begins(method, &self.program));
        // Only suites show them.
        let calls = !self.flags.no_calls && (self.flags.out.is_some() || self.suites.is_some());
        let beside = if self.shows_all() { Detail::Full } else { Detail::Brief };
        let written = self.folder.is_some() || self.flags.json;
        let lines = written.then_some(PathLines { write: lines::line, beside });
        let detail = if written { Detail::Full } else { beside };
        let telling = Telling { detail, shrinks: !self.flags.no_shrink, calls, lines };
        let mut paths = match team.method(method, &self.inputs, options, old, telling) {
            Ok(paths) => paths.on_progress(self.report.progress(method)),
            Err(e) => {
                self.totals.failed += 1;
                self.report.failed(method, &e.to_string());
                if let Some(page) = &mut self.page {
                    page.failed(&e.to_string());
                }
                return Ok(());
            }
        };
        let mut findings = Findings::default();
        let mut chances = probability::Chances::default();
        while let Some(path) = paths.next_path() {
            chances.path(&path);
            self.path(method, &path, &mut findings)?;
            paths.give_back(path);
        }
        self.report.quiet();
        let chances = paths.run().and_then(|run| chances.ends(self.flags, run));
        let done = paths.finish();
        let (unknown, within) = (team.trouble(), Within::new(&self.flags.exploring.inputs, &done.tally));
        self.totals.add(&done, &within, &unknown, &findings);
        let mut told = Vec::new();
        for finding in findings.all() {
            let again = self.again(method, finding);
            told.push((finding, again.clone()));
            self.report.finding(method, finding, &again);
            if let Some(folder) = &mut self.folder {
                folder.finding(method, finding, &again);
            }
            if let Some(page) = &mut self.page {
                page.finding(method, finding, &again);
            }
        }
        if let Some(chances) = chances {
            self.report.chances(&chances);
        }
        self.report.ends(&done.summary, &done.tally, &within, &unknown);
        if let Some(page) = &mut self.page {
            page.ends(&done.summary, &done.tally, &within);
        }
        if totals::is_empty(&done) {
            let why = within.nothing_fits(&self.flags.exploring.inputs);
            self.report.empty(method, &why);
            if let Some(page) = &mut self.page {
                page.failed(&why);
            }
        }
        self.ci.findings(self.flags, &self.program, method, &told);
        if let Some(suites) = &mut self.suites {
            suites.ends(done.retired);
            let exploration = match team.exploration() {
                Some(own) => own,
                None => match &mut self.checker {
                    Some(checker) => checker,
                    none => none.insert((self.make)()?),
                },
            };
            suites.settle(exploration, calls);
        }
        Ok(())
    }

    /// The end of a path, to everybody who looks at it.
    fn path(&mut self, method: &MethodRef, path: &PathEnd, findings: &mut Findings) -> Result<(), String> {
        self.report.path(method, path);
        if let Some(folder) = &mut self.folder {
            folder.path(method, path)?;
        }
        if let Some(drawings) = &mut self.drawings {
            drawings.path(method, path)?;
        }
        let kept = self.suites.as_mut().and_then(|suites| suites.path(path, self.tests.next_replay()));
        let case = kept.as_ref().or(path.case.as_ref());
        let test = case.and_then(|case| self.tests.add(case, path.taken.as_deref()));
        findings.add(method, path, test.as_ref());
        if let Some(page) = &mut self.page {
            page.path(method, path, test);
        }
        Ok(())
    }

    /// Whether somebody looks at every path beside its line.
    fn shows_all(&self) -> bool {
        self.flags.verbose || self.drawings.is_some() || self.page.is_some()
    }

    /// The command that shows a finding again, and nothing else.
    fn again(&self, method: &MethodRef, finding: &findings::Finding) -> String {
        // Concrete values wrap around: what needs unbounded ones is found again by exploring the method.
        let inputs = match self.flags.exploring.ints {
            IntsFlag::Exact => again::Inputs::Values(&finding.inputs),
            IntsFlag::Math => again::Inputs::AsGiven,
        };
        again::of_method(self.given, method, inputs, &again::OF_FINDING)
    }

    /// Replays what is left, and tells what the JVM did differently.
    fn replay(&mut self) -> Result<(), String> {
        self.tests.finish();
        for divergence in self.tests.divergences() {
            self.report.divergence(divergence);
        }
        if let Some(trouble) = self.tests.trouble() {
            if self.flags.exploring.replay {
                return Err(trouble.to_string());
            }
            crate::say::warn_once(trouble);
        }
        self.totals.replayed = self.tests.replayed();
        self.totals.coverage = self.tests.coverage();
        self.totals.divergences = self.tests.divergences().len() as u64;
        Ok(())
    }

    /// Writes the suites. A run that could not go on leaves them as they are.
    fn write_suites(&mut self) -> Result<(), String> {
        if let Some(suites) = self.suites.take().filter(|_| self.totals.error.is_none()) {
            self.totals.suite = Some(suites.finish(&self.tests)?);
        }
        Ok(())
    }

    fn finish(mut self, settings: &Settings) -> Result<ExitCode, String> {
        let (suites, left_out) = self.tests.suites();
        let names = TestNames::of(&suites);
        if let Some(drawings) = &self.drawings {
            self.totals.drawn = (drawings.drawn, drawings.left_out);
        }
        if let Some(folder) = self.folder.take() {
            folder.finish((suites, left_out), &self.totals)?;
        }
        if let Some(page) = self.page.take() {
            page.finish(&self.totals, self.tests.divergences(), &names)?;
        }
        if let Some(place) = settings.tallied() {
            crate::tally::add(&place, &self.totals.stats);
        }
        if let Some(place) = &settings.stats {
            json::append(place, &self.totals)?;
        }
        self.ci.finish(self.flags, &self.totals)?;
        self.report.summary(&self.totals, self.flags.out.as_deref());
        self.report.kept(self.drawings.as_ref(), self.flags.report.as_deref());
        if let Some(error) = self.totals.error {
            return Err(error);
        }
        if self.totals.failed > 0 && self.totals.methods == 0 {
            return Ok(ExitCode::from(crate::COULD_NOT_RUN));
        }
        let found = self.totals.findings > 0 || self.totals.divergences > 0;
        let ended = self.flags.queue.is_some() && self.totals.was_ended();
        Ok(ExitCode::from(match found {
            true => 1,
            // Of a method that nothing fits nothing is known.
            false if self.totals.empty > 0 => crate::COULD_NOT_RUN,
            false if ended => crate::NOT_EXPLORED,
            false => 0,
        }))
    }
}
