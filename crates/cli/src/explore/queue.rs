//! `explore --queue`: others explore, this process hears what they found, checks it and tells it as if it were its own.

use super::report::Report;
use crate::flags::{Explore, OrderFlag};
use crate::say::warn;
use crate::work::item::{Batch, Item, Name, name};
use crate::work::package::pack;
use crate::work::spec::Spec;
use evergreen::Stats;
use evergreen::explore::{
    Bound, Exploration, MethodRef, RemoteEnd, RemotePath, Retrace, Summary, Trouble, Untold,
};
use evergreen_queue::{Gathered, JobId, JobInfo, JobSpec, JobState, Patience, Queue};
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

/// What was heard of one method.
#[derive(Default)]
pub struct Heard {
    /// Ends of paths.
    pub told: Vec<RemotePath>,
    /// The workers' counters.
    pub summary: Summary,
    /// Who worked.
    workers: Vec<String>,
    /// Why an item of it could not be explored, or was not understood.
    failed: Option<String>,
}

/// What was heard of all methods.
#[derive(Default)]
pub struct AllHeard {
    methods: BTreeMap<Name, Heard>,
    /// Counters of the workers' reuse layers.
    pub stats: Stats,
    /// Their solver processes.
    pub solver_starts: u64,
    /// What was wrong with their answers.
    pub trouble: Trouble,
    /// Why it ended early, and how many items were open.
    pub cut: Option<(&'static str, u64)>,
    /// A result was not understood at all: nobody knows what it was of.
    garbled: Option<String>,
}

impl AllHeard {
    /// What can be found out about paths that were not told.
    pub fn untold(&self, flags: &Explore) -> Untold {
        match self.cut {
            Some(_) => Untold::Ignored,
            None if flags.check_untold => Untold::Asked,
            None => Untold::Believed,
        }
    }

    /// Takes what was heard of a method.
    pub fn of(&mut self, method: &MethodRef) -> Heard {
        let mut heard = self.methods.remove(&name(method)).unwrap_or_default();
        heard.failed = heard.failed.or_else(|| self.garbled.clone());
        heard
    }

    fn hear(&mut self, bytes: &[u8]) {
        let batch = match Batch::read(bytes) {
            Ok(batch) if self.methods.contains_key(&batch.method) => batch,
            Ok(batch) => {
                self.garbled = Some(format!("{} told of a method that nobody asked for", batch.worker));
                return;
            }
            Err(why) => {
                self.garbled = Some(format!("a result is not understood: {why}"));
                return;
            }
        };
        let Batch { method, worker, paths, counts, failed } = batch;
        let Some(heard) = self.methods.get_mut(&method) else { return };
        heard.told.extend(paths);
        heard.failed = heard.failed.take().or(failed.map(|why| format!("{worker}: {why}")));
        if !heard.workers.contains(&worker) {
            heard.workers.push(worker);
        }
        counts.add_to(&mut heard.summary, &mut self.stats);
        self.solver_starts = self.solver_starts.saturating_add(counts.solver_starts);
        add_new(&mut self.trouble.wrong_models, counts.wrong_models);
        add_new(&mut self.trouble.unknown, counts.reasons);
    }

    fn paths(&self) -> usize {
        self.methods.values().map(|heard| heard.told.len()).sum()
    }
}

fn add_new(all: &mut Vec<String>, more: Vec<String>) {
    for text in more {
        if !all.contains(&text) {
            all.push(text);
        }
    }
}

/// Has others explore these methods.
pub fn explore(
    flags: &Explore,
    url: &str,
    exploration: &mut Exploration,
    methods: &[MethodRef],
    timeout_ms: u64,
    report: &Report<'_>,
    stop: &Arc<AtomicBool>,
) -> Result<AllHeard, String> {
    if flags.order != OrderFlag::Dfs {
        return Err("--queue explores depth first\nhelp: leave --order away".into());
    }
    let queue = crate::work::open(url, Some(PATIENCE), Some(stop.clone()))?;
    let text = |e: evergreen_queue::QueueError| e.to_string();
    let program = queue.put_blob(&pack(exploration.program())?).map_err(text)?;
    let invariants = match &exploration.jvm().options.lazy {
        Some(lazy) => lazy.invariants.clone(),
        None => Vec::new(),
    };
    let version = exploration.program().jdk_version.clone();
    let spec = Spec::new(flags, program.to_string(), &version, &invariants, timeout_ms).write()?;
    let items: Vec<Vec<u8>> = methods.iter().map(|method| Item::whole(method).write()).collect();
    let targets: Vec<String> = flags.targets.iter().map(|target| target.display().to_string()).collect();
    let label = targets.join(" ");
    let job = JobSpec {
        label: &label,
        spec: &spec,
        items: &items,
        timeout: flags.queue_timeout,
        ..JobSpec::default()
    };
    let job = queue.submit(&job).map_err(text)?;
    let patience = Patience { wait: Some(LAST_PATIENCE), ..Patience::default() };
    let last = queue.with_patience(patience);
    let mut all = AllHeard::default();
    all.methods.extend(methods.iter().map(|method| (name(method), Heard::default())));
    let limits = Limits::new(flags, methods.len(), stop.clone());
    let ended = gather(&queue, &job, &mut all, &limits, report);
    // Whatever happened: workers are to leave it, and nothing of it stays behind.
    if let Err(why) = last.remove(&job) {
        warn(&format!("job {job} is still in the queue: {why}"));
    }
    report.quiet();
    ended.map(|()| all)
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
        let (paths, time) = (flags.bounds.paths, flags.bounds.time);
        let methods = u32::try_from(methods).unwrap_or(u32::MAX).max(1);
        Limits {
            paths: (paths > 0).then(|| paths.saturating_mul(methods.into())),
            until: (!time.is_zero()).then(|| Instant::now() + time.saturating_mul(methods)),
            stop,
        }
    }

    fn reached(&self, paths: usize) -> Option<&'static str> {
        if self.stop.load(Ordering::Relaxed) {
            Some("interrupt")
        } else if self.until.is_some_and(|until| Instant::now() >= until) {
            Some("time")
        } else if self.paths.is_some_and(|most| paths as u64 >= most) {
            Some("paths")
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
    let (mut at, began, mut lonely, mut open) = (queue.gather(job), Instant::now(), true, 0);
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
                        queue.name()
                    ));
                }
            }
            Ok(Gathered::Ended(JobState::Failed(why))) => return Err(format!("job {job}: {why}")),
            Ok(Gathered::Ended(JobState::Cancelled)) => return Err(format!("job {job} was cancelled")),
            Ok(Gathered::Ended(_)) => return Ok(()),
            Ok(Gathered::Gone) => {
                return Err(format!(
                    "{}: the server does not know job {job} any more\nhelp: a server that is started anew keeps jobs only with appendonly yes",
                    queue.name()
                ));
            }
            Err(evergreen_queue::QueueError::Stopped) => {}
            Err(why) => return Err(why.to_string()),
        }
        if let Some(why) = limits.reached(all.paths()) {
            all.cut = Some((why, open.max(1)));
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

impl Heard {
    /// Puts paths in order and retraces them; says what is wrong, if something is.
    pub fn check(&mut self, retrace: &mut Retrace<'_>, untold: Untold) -> Result<(), String> {
        if let Some(why) = self.failed.take() {
            return Err(why);
        }
        // An arm that nobody could decide is told before what lies beyond its branch, as in an exploration of one's own.
        let arm = |end| if let RemoteEnd::Undecided(arm) = end { arm } else { 0 };
        self.told.sort_by_cached_key(|told| (told.way.position(), arm(told.end)));
        let same = |pair: &[RemotePath]| pair[0].way == pair[1].way && pair[0].end == pair[1].end;
        if let Some(pair) = self.told.windows(2).find(|pair| same(pair)) {
            return Err(format!("the path \"{}\" was told twice", pair[0].way));
        }
        let cuts = [Bound::Paths, Bound::Time, Bound::Memory, Bound::Interrupt];
        let untold = match untold {
            _ if cuts.iter().any(|bound| self.summary.cut.by(*bound) > 0) => Untold::Ignored,
            untold => untold,
        };
        retrace.check(&self.told, untold).map_err(|why| why.to_string())
    }

    /// Who worked, for messages.
    pub fn workers(&self) -> String {
        self.workers.join(", ")
    }
}
