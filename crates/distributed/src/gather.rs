//! The submitter's side: puts a job into the queue, gathers what workers send, and hands it to be retraced.
//!
//! What workers send can only save work. A result that cannot be read, or of an entry that was not submitted,
//! is reported and ignored. The submitter itself explores an entry whose paths are incomplete
//! ([`Elsewhere`]).

use crate::item::{Batch, Garbled, Item, limited};
use evergreen::Stats;
use evergreen_deciding::Trouble;
use evergreen_explore::Bound;
use evergreen_queue::{Gathered, JobId, JobInfo, JobSpec, JobState, Patience, Queue};
use evergreen_service::{Elsewhere, Entry, EntryKey, Exploration, Frontend, Heard, Language};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How long one wait for results lasts; then progress is shown and the stop flag is looked at.
const WAIT: Duration = Duration::from_millis(250);
/// How long the server may be away before a job that is no longer wanted is abandoned.
const LAST_PATIENCE: Duration = Duration::from_secs(3);
/// After this long without a worker the submitter prints how to start one.
const LONELY: Duration = Duration::from_secs(3);
/// Names of workers, and reasons of theirs, that are shown.
const MOST_TEXTS: usize = 16;

/// When to stop gathering.
pub struct Limits {
    /// After so many paths.
    pub paths: Option<u64>,
    /// At this time.
    pub until: Option<Instant>,
    /// When this is set.
    pub stop: Arc<AtomicBool>,
}

impl Limits {
    /// The limits of one entry, times the number of entries: they are explored at the same time.
    pub fn of_all(
        paths: Option<u64>,
        time: Option<Duration>,
        entries: usize,
        stop: Arc<AtomicBool>,
    ) -> Limits {
        let entries = u32::try_from(entries).unwrap_or(u32::MAX).max(1);
        Limits {
            paths: paths.map(|paths| paths.saturating_mul(entries.into())),
            until: time.map(|time| Instant::now() + time.saturating_mul(entries)),
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

/// What is submitted.
pub struct Submission<'s> {
    /// The queue.
    pub queue: &'s Queue,
    /// What people see of the job in lists.
    pub label: &'s str,
    /// What workers need to know; opaque here.
    pub spec: &'s [u8],
    /// After so long a silent worker's item is given to another.
    pub timeout: Duration,
    /// When to stop gathering.
    pub limits: Limits,
}

/// What is known while results are gathered.
pub struct Gathering<'g> {
    /// The job, as the queue sees it.
    pub job: &'g JobInfo,
    /// Paths so far.
    pub paths: usize,
    /// Since when.
    pub elapsed: Duration,
    /// Whether no worker has come for a while; once.
    pub is_lonely: bool,
}

/// What was received of all entries.
#[derive(Default)]
struct Received {
    entries: BTreeMap<EntryKey, Heard>,
    /// Counters of the workers' reuse layers.
    stats: Stats,
    /// Their solver processes.
    solver_starts: u64,
    /// What was wrong with their answers.
    trouble: Trouble,
    /// Why it ended early, and how many items were open.
    cut: Option<(Bound, u64)>,
    /// Results that are none, and of no entry that was submitted.
    strange: Vec<String>,
    /// All workers that sent something.
    workers: Vec<String>,
}

impl Received {
    /// Takes what was received of an entry.
    fn of(&mut self, entry: &impl Entry) -> Heard {
        let heard = self.entries.remove(&entry.key()).unwrap_or_default();
        Heard { cut: self.cut, ..heard }
    }

    fn hear(&mut self, bytes: &[u8]) {
        let Batch { method, worker, paths, counts, failed } = match Batch::read(bytes) {
            Ok(batch) => batch,
            Err(Garbled { method, why }) => {
                match method.and_then(|method| self.entries.get_mut(&method)) {
                    Some(heard) => heard.doubt = heard.doubt.take().or(Some(why)),
                    None => add_new(&mut self.strange, [why]),
                }
                return;
            }
        };
        let Some(heard) = self.entries.get_mut(&method) else {
            let why =
                format!("{worker} reported {}.{}{}, which is not in the job", method.0, method.1, method.2);
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
        self.entries.values().map(|heard| heard.paths.len()).sum()
    }
}

fn add_new(all: &mut Vec<String>, more: impl IntoIterator<Item = String>) {
    for text in more {
        if all.len() < MOST_TEXTS && !all.contains(&text) {
            all.push(text);
        }
    }
}

/// Has workers explore entries; the exploration given here retraces their paths. `show` sees progress, `warn`
/// what the user should know. Texts of workers are not made safe for a terminal here: that is for `warn` to
/// do.
///
/// # Errors
/// The queue cannot be reached, or the job failed, was cancelled, or no longer exists.
pub fn submit<F: Frontend>(
    submission: &Submission<'_>,
    exploration: Exploration<F>,
    entries: &[<F::Language as Language>::Entry],
    show: &mut dyn FnMut(&Gathering<'_>),
    warn: &'static dyn Fn(&str),
) -> Result<Elsewhere<F>, String> {
    let Submission { queue, label, spec, timeout, limits } = submission;
    let items: Vec<Vec<u8>> = entries.iter().map(|entry| Item::whole(entry).write()).collect();
    let job = JobSpec { label, spec, items: &items, timeout: *timeout, ..JobSpec::default() };
    let job = queue.submit(&job).map_err(|e| e.to_string())?;
    let mut all = Received::default();
    all.entries.extend(entries.iter().map(|entry| (entry.key(), Heard::default())));
    let ended = gather(queue, &job, &mut all, limits, show);
    // Whatever happened, workers have to leave the job, and nothing of it stays in the queue.
    let last = queue.with_patience(Patience { wait: Some(LAST_PATIENCE), ..Patience::default() });
    if let Err(why) = last.remove(&job) {
        warn(&format!("job {job} is still in the queue: {why}"));
    }
    ended?;
    all.strange.iter().for_each(|why| warn(why));
    if let Some((bound, items)) = all.cut {
        let named = match bound {
            Bound::Interrupt => "an interrupt".to_string(),
            bound => format!("--{}", bound.name()),
        };
        warn(&format!("{named} ended the work of others: {items} items are not explored"));
    }
    let workers = all.workers.join(", ");
    let mut elsewhere = Elsewhere::new(exploration, move |entry, why| {
        warn(&format!("{entry}: explored here, not by workers: {why} (workers: {workers})"));
    });
    entries.iter().for_each(|entry| elsewhere.hear(entry, all.of(entry)));
    elsewhere.count(&all.stats, all.solver_starts, &all.trouble);
    Ok(elsewhere)
}

/// Receives results of a job until it is over.
fn gather(
    queue: &Queue,
    job: &JobId,
    all: &mut Received,
    limits: &Limits,
    show: &mut dyn FnMut(&Gathering<'_>),
) -> Result<(), String> {
    let (mut at, began, mut lonely, mut open) =
        (queue.gather(job), Instant::now(), true, all.entries.len() as u64);
    loop {
        match queue.next(&mut at, WAIT) {
            Ok(Gathered::Results(sent)) => sent.iter().for_each(|result| all.hear(&result.data)),
            Ok(Gathered::Waiting(info)) => {
                open = info.open;
                let elapsed = began.elapsed();
                let is_lonely = lonely && info.workers == 0 && elapsed > LONELY;
                lonely &= !is_lonely;
                show(&Gathering { job: &info, paths: all.paths(), elapsed, is_lonely });
            }
            Ok(Gathered::Ended(JobState::Failed(why))) => return Err(format!("job {job}: {why}")),
            Ok(Gathered::Ended(JobState::Cancelled)) => return Err(format!("job {job} was cancelled")),
            Ok(Gathered::Ended(_)) => return Ok(()),
            Ok(Gathered::Gone) => {
                return Err(format!(
                    "{}: the server does not know job {job} any more\n\
                     help: a server that is started anew keeps jobs only with appendonly yes",
                    queue.name()
                ));
            }
            Err(evergreen_queue::QueueError::Stopped) => {}
            Err(why) => return Err(why.to_string()),
        }
        if let Some(bound) = limits.reached(all.paths()) {
            all.cut = Some((bound, open.max(1)));
            return Ok(());
        }
    }
}
