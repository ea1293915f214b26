//! `explore --queue`: workers explore; this process hears what they found, checks it, and tells it as if it were its own.
//!
//! Whatever is heard can only save work. A result that is not understood, or of a method that nobody asked for, is reported and left; a method of
//! which not all was shown is explored here (`Elsewhere`).

use super::report::{Report, named};
use crate::config::Settings;
use crate::flags::{Explore, OrderFlag};
use crate::say::{Foreign, warn};
use crate::work::item::{Batch, Garbled, Item, Name, limited, name};
use crate::work::package::pack;
use crate::work::spec::Spec;
use evergreen::Stats;
use evergreen_java::{Bound, Elsewhere, Exploration, Heard, MethodRef, Trouble};
use evergreen_queue::{Gathered, JobId, JobInfo, JobSpec, JobState, Patience, Queue, QueueError};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How long one wait for results lasts; then progress is shown and the stop flag is looked at.
const WAIT: Duration = Duration::from_millis(250);
/// How long a server may be away before the submitter gives up.
const PATIENCE: Duration = Duration::from_secs(60);
/// And before a job that is no longer wanted is left to itself.
const LAST_PATIENCE: Duration = Duration::from_secs(3);
/// After so long without a worker it is said how to start one.
const LONELY: Duration = Duration::from_secs(3);
/// Names of workers, and reasons of theirs, that are shown.
const MOST_TEXTS: usize = 16;

/// What was heard of all methods.
#[derive(Default)]
struct AllHeard {
    methods: BTreeMap<Name, Heard>,
    /// Counters of the workers' reuse layers.
    stats: Stats,
    /// Their solver processes.
    solver_starts: u64,
    /// What was wrong with their answers.
    trouble: Trouble,
    /// Why it ended early, and how many items were open.
    cut: Option<(Bound, u64)>,
    /// Results that are none, and of no method that we know.
    strange: Vec<String>,
    /// Everybody who told something.
    workers: Vec<String>,
}

impl AllHeard {
    /// Takes what was heard of a method.
    fn of(&mut self, method: &MethodRef) -> Heard {
        let heard = self.methods.remove(&name(method)).unwrap_or_default();
        Heard { cut: self.cut, ..heard }
    }

    fn hear(&mut self, bytes: &[u8]) {
        let Batch { method, worker, paths, counts, failed } = match Batch::read(bytes) {
            Ok(batch) => batch,
            Err(Garbled { method, why }) => {
                match method.and_then(|method| self.methods.get_mut(&method)) {
                    Some(heard) => heard.doubt = heard.doubt.take().or(Some(why)),
                    None => add_new(&mut self.strange, [why]),
                }
                return;
            }
        };
        let Some(heard) = self.methods.get_mut(&method) else {
            let why =
                format!("{worker} told of {}.{}{}, which nobody asked for", method.0, method.1, method.2);
            add_new(&mut self.strange, [why]);
            return;
        };
        heard.paths.extend(paths);
        heard.doubt = heard.doubt.take().or(failed.map(|why| format!("{worker}: {why}")));
        counts.add_to(&mut heard.effort, &mut self.stats);
        self.solver_starts = limited(self.solver_starts, counts.solver_starts);
        let says = |text: String| format!("{worker}: {text}");
        add_new(&mut self.trouble.wrong_models, counts.wrong_models.into_iter().map(says));
        add_new(&mut self.trouble.unknown, counts.reasons.into_iter().map(says));
        add_new(&mut self.workers, [worker]);
    }

    fn paths(&self) -> usize {
        self.methods.values().map(|heard| heard.paths.len()).sum()
    }
}

fn add_new(all: &mut Vec<String>, more: impl IntoIterator<Item = String>) {
    for text in more {
        if all.len() < MOST_TEXTS && !all.contains(&text) {
            all.push(text);
        }
    }
}

/// Has others explore these methods; the exploration goes their paths again.
pub fn explore(
    (flags, settings): (&Explore, &Settings),
    url: &str,
    mut exploration: Exploration,
    methods: &[MethodRef],
    stop: &Arc<AtomicBool>,
) -> Result<Elsewhere, String> {
    if flags.exploring.order != OrderFlag::Dfs {
        return Err("--queue explores depth first\nhelp: leave --order away".into());
    }
    let text = |e: QueueError| e.to_string();
    let queue = crate::work::open(url, Some(PATIENCE), Some(stop.clone()))?;
    let spec = spec(flags, &queue, &mut exploration, settings.timeout_ms.unwrap_or(0))?;
    let items: Vec<Vec<u8>> = methods.iter().map(|method| Item::whole(method).write()).collect();
    let targets: Vec<String> = flags.targets.iter().map(|target| target.display().to_string()).collect();
    let (label, timeout) = (targets.join(" "), flags.queue_timeout);
    let job = JobSpec { label: &label, spec: &spec, items: &items, timeout, ..JobSpec::default() };
    let job = queue.submit(&job).map_err(text)?;
    let mut all = AllHeard::default();
    all.methods.extend(methods.iter().map(|method| (name(method), Heard::default())));
    let (limits, report) = (Limits::new(flags, methods.len(), stop.clone()), Report::new(flags));
    let ended = gather(&queue, &job, &mut all, &limits, &report);
    report.quiet();
    // Whatever happened: workers are to leave it, and nothing of it stays behind.
    let last = queue.with_patience(Patience { wait: Some(LAST_PATIENCE), ..Patience::default() });
    if let Err(why) = last.remove(&job) {
        warn(&format!("job {job} is still in the queue: {why}"));
    }
    ended?;
    all.strange.iter().for_each(|why| warn(&Foreign(why).to_string()));
    if let Some((bound, items)) = all.cut {
        warn(&format!("{} ended the work of others: {items} items are not explored", named(bound)));
    }
    let workers = Foreign(all.workers.join(", ")).to_string();
    let mut elsewhere = Elsewhere::new(exploration, move |method, why| {
        let (method, why) = (Foreign(method), Foreign(why));
        warn(&format!("{method}: explored here, not by workers: {why} (workers: {workers})"));
    });
    methods.iter().for_each(|method| elsewhere.hear(method, all.of(method)));
    elsewhere.count(&all.stats, all.solver_starts, &all.trouble);
    Ok(elsewhere)
}

/// What workers are told; the program is where they find it.
fn spec(
    flags: &Explore,
    queue: &Queue,
    exploration: &mut Exploration,
    timeout_ms: u64,
) -> Result<Vec<u8>, String> {
    let program = queue.put_blob(&pack(exploration.program())?).map_err(|e| e.to_string())?;
    let lazy = &exploration.jvm().options.lazy;
    let invariants = lazy.as_ref().map_or_else(Vec::new, |lazy| lazy.invariants.clone());
    let version = &exploration.program().jdk_version;
    Spec::new(&flags.exploring, program.to_string(), version, &invariants, timeout_ms).write()
}

/// When to stop gathering.
struct Limits {
    paths: Option<u64>,
    until: Option<Instant>,
    stop: Arc<AtomicBool>,
}

impl Limits {
    /// The limits of one method, times the number of methods: they are explored at the same time.
    fn new(flags: &Explore, methods: usize, stop: Arc<AtomicBool>) -> Limits {
        let (paths, time) = (flags.exploring.inputs.bounds.paths, flags.exploring.inputs.bounds.time);
        let methods = u32::try_from(methods).unwrap_or(u32::MAX).max(1);
        Limits {
            paths: (paths > 0).then(|| paths.saturating_mul(methods.into())),
            until: (!time.is_zero()).then(|| Instant::now() + time.saturating_mul(methods)),
            stop,
        }
    }

    fn reached(&self, paths: usize) -> Option<Bound> {
        if self.stop.load(Ordering::Relaxed) {
            Some(Bound::Interrupt)
        } else if self.until.is_some_and(|until| Instant::now() >= until) {
            Some(Bound::Time)
        } else if self.paths.is_some_and(|most| paths as u64 >= most) {
            Some(Bound::Paths)
        } else {
            None
        }
    }
}

/// Hears of a job until it is over.
fn gather(
    queue: &Queue,
    job: &JobId,
    all: &mut AllHeard,
    limits: &Limits,
    report: &Report<'_>,
) -> Result<(), String> {
    let (mut at, began, mut lonely, mut open) =
        (queue.gather(job), Instant::now(), true, all.methods.len() as u64);
    loop {
        match queue.next(&mut at, WAIT) {
            Ok(Gathered::Results(told)) => told.iter().for_each(|told| all.hear(&told.data)),
            Ok(Gathered::Waiting(info)) => {
                open = info.open;
                show(report, &info, all, began);
                if lonely && info.workers == 0 && began.elapsed() > LONELY {
                    lonely = false;
                    warn(&format!(
                        "no worker yet\nhelp: start some, here or elsewhere: evergreen work --queue {}",
                        crate::shell::quoted(queue.name())
                    ));
                }
            }
            Ok(Gathered::Ended(JobState::Failed(why))) => return Err(format!("job {job}: {}", Foreign(why))),
            Ok(Gathered::Ended(JobState::Cancelled)) => return Err(format!("job {job} was cancelled")),
            Ok(Gathered::Ended(_)) => return Ok(()),
            Ok(Gathered::Gone) => {
                return Err(format!(
                    "{}: the server does not know job {job} any more\nhelp: a server that is started anew keeps jobs only with appendonly yes",
                    queue.name()
                ));
            }
            Err(QueueError::Stopped) => {}
            Err(why) => return Err(why.to_string()),
        }
        if let Some(bound) = limits.reached(all.paths()) {
            all.cut = Some((bound, open.max(1)));
            return Ok(());
        }
    }
}

fn show(report: &Report<'_>, info: &JobInfo, all: &AllHeard, began: Instant) {
    let (paths, seconds) = (all.paths(), began.elapsed().as_secs_f64());
    let plural = if info.workers == 1 { "" } else { "s" };
    report.watch(&format!(
        "{} worker{plural}, {} items open, {} done, {paths} paths, {:.0}/s",
        info.workers,
        info.open,
        info.done,
        paths as f64 / seconds.max(0.001)
    ));
}
