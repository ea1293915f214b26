//! What a worker does with an item: explores it, sends its findings periodically, and gives parts away while
//! other workers wait.

use crate::item::{Batch, Counts, Item};
use evergreen::Stats;
use evergreen_explore::{Options, Summary};
use evergreen_queue::{Claim, Heart, Verdict, Worker};
use evergreen_service::{EntryKey, Exploration, Forward, Frontend, Language, RemotePath, Run};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Results are sent at least so often, so that the next worker on an item does not begin from the start.
const REPORT_EVERY: Duration = Duration::from_secs(1);
/// And when there are so many.
const REPORT_PATHS: usize = 2_000;

/// A job that this worker works for: its program, ready to be explored.
pub struct Ready<F: Frontend> {
    /// The program.
    pub exploration: Exploration<F>,
    /// The user's settings of inputs.
    pub inputs: <F::Language as Language>::Inputs,
    /// Order and bounds.
    pub options: Options,
}

/// When to give parts away, and when to stop.
pub struct Manners {
    /// An item that lasts longer than this is split while other workers wait.
    pub split_after: Duration,
    /// Set when the worker is to stop.
    pub stop: Arc<AtomicBool>,
}

/// An item under way.
struct Working<'w> {
    worker: &'w mut Worker,
    claim: Claim,
    heart: Heart,
    item: Item,
    paths: Vec<RemotePath>,
    before: (Summary, Stats),
    reported_at: Instant,
    /// The last heartbeat whose reply was acted on.
    beat: u64,
}

/// How work on an item ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Worked {
    /// It is finished.
    Done,
    /// Another has it, or the job is over.
    Lost,
    /// The rest of it is left to the next worker that asks.
    Left,
}

/// Explores an item.
///
/// # Errors
/// The queue cannot be reached.
pub fn work<F: Frontend>(
    worker: &mut Worker,
    claim: Claim,
    ready: &mut Ready<F>,
    manners: &Manners,
) -> Result<Worked, String> {
    let lost = Arc::new(AtomicBool::new(false));
    let heart = worker.keep_alive(&claim, lost.clone());
    let item = match Item::read(&claim.item) {
        Ok(item) => item,
        Err(why) => return fail(worker, claim, EntryKey::default(), &format!("not understood: {why}")),
    };
    let Some(entry) = ready.exploration.front.find(&item.method) else {
        return fail(worker, claim, item.method, "the program has no such method");
    };
    let mut options = ready.options.clone();
    options.bounds.interrupt = Some(lost);
    let mut run = match ready.exploration.entry(&entry, &ready.inputs, options) {
        Ok(run) => run,
        Err(why) => return fail(worker, claim, item.method, &why.to_string()),
    };
    let starts = run.oracle().solver_starts();
    let before = (run.summary(), run.oracle().stats());
    // The first part of a method has no inputs yet: every worker begins with the same.
    let whole = run.give_any();
    for part in &item.parts {
        let part = if part.0.way.0.is_empty() { whole.as_ref().unwrap_or(part) } else { part };
        if let Err(why) = run.resume(part) {
            return fail(worker, claim, item.method, &why.to_string());
        }
    }
    let now = Instant::now();
    let working =
        Working { worker, claim, heart, item, paths: Vec::new(), before, reported_at: now, beat: 0 };
    working.explore(&mut run, manners, starts)
}

/// Finishes an item that cannot be explored; the submitter sees the reason.
fn fail(worker: &mut Worker, claim: Claim, method: EntryKey, why: &str) -> Result<Worked, String> {
    let (name, failed) = (worker.name().to_string(), Some(why.to_string()));
    let batch = Batch { method, worker: name, failed, ..Batch::default() };
    verdict(worker.done(claim, &[batch.write()], &[]))
}

fn verdict(answer: Result<Verdict, evergreen_queue::QueueError>) -> Result<Worked, String> {
    match answer.map_err(|e| e.to_string())? {
        Verdict::Made => Ok(Worked::Done),
        Verdict::Lost | Verdict::Over => Ok(Worked::Lost),
    }
}

impl Working<'_> {
    fn explore<F: Frontend>(
        mut self,
        run: &mut Run<'_, F>,
        manners: &Manners,
        starts: u64,
    ) -> Result<Worked, String> {
        let began = Instant::now();
        loop {
            match run.forward() {
                Forward::Path(path) => self.paths.push(path),
                Forward::Open => {}
                Forward::Done | Forward::Failed(_) if self.heart.stopped() => return Ok(Worked::Lost),
                Forward::Done => break,
                Forward::Failed(why) => return fail(self.worker, self.claim, self.item.method, &why),
            }
            if self.heart.stopped() {
                return Ok(Worked::Lost);
            }
            let beat = self.heart.beats();
            let wanted = if beat > self.beat && began.elapsed() >= manners.split_after {
                self.beat = beat;
                self.heart.hungry()
            } else {
                0
            };
            let stop = manners.stop.load(Ordering::Relaxed);
            let due = self.reported_at.elapsed() >= REPORT_EVERY || self.paths.len() >= REPORT_PATHS;
            if (stop || due || wanted > 0) && !self.report(run, wanted)? {
                return Ok(Worked::Lost);
            }
            if stop && self.paths.is_empty() {
                let _ = self.worker.release(self.claim).map_err(|e| e.to_string())?;
                return Ok(Worked::Left);
            }
        }
        let mut batch = self.batch(run);
        let oracle = run.oracle();
        batch.counts.solver_starts = oracle.solver_starts() - starts;
        batch.counts.wrong_models = oracle.trouble().wrong_models.clone();
        batch.counts.reasons = oracle.trouble().unknown.clone();
        verdict(self.worker.done(self.claim, &[batch.write()], &[]))
    }

    /// Reports what was found, gives away as many parts as are wanted, and keeps the rest with this worker.
    /// Returns whether the worker still holds the item.
    fn report<F: Frontend>(&mut self, run: &mut Run<'_, F>, wanted: u64) -> Result<bool, String> {
        // Ends of paths that are known already come first.
        let Some(open) = run.open_parts() else { return Ok(true) };
        let most = usize::try_from(wanted).unwrap_or(usize::MAX).min(open.len().saturating_sub(1));
        let item = |parts| Item { method: self.item.method.clone(), parts };
        let given: Vec<Vec<u8>> =
            (0..most).map_while(|_| run.give()).map(|part| item(vec![part]).write()).collect();
        let rest = if given.is_empty() { Some(open) } else { run.open_parts() };
        let rest = item(rest.ok_or("ends of paths came while parts were given away")?).write();
        let results = if self.paths.is_empty() { vec![] } else { vec![self.batch(run).write()] };
        if results.is_empty() && given.is_empty() && self.reported_at.elapsed() < REPORT_EVERY {
            return Ok(true);
        }
        self.reported_at = Instant::now();
        let verdict = self.worker.progress(&mut self.claim, &results, &given, rest);
        Ok(verdict.map_err(|e| e.to_string())? == Verdict::Made)
    }

    /// What was found since the last one.
    fn batch<F: Frontend>(&mut self, run: &Run<'_, F>) -> Batch {
        let after = (run.summary(), run.oracle().stats());
        let counts = Counts::between(&self.before, &after);
        self.before = after;
        let (method, worker) = (self.item.method.clone(), self.worker.name().to_string());
        Batch { method, worker, paths: std::mem::take(&mut self.paths), counts, failed: None }
    }
}
