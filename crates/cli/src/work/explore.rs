//! What a worker does with an item: explores it, tells what it found now and then, and gives parts of it away while others wait.

use super::item::{Batch, Counts, Item, Name};
use super::package::{Unpacked, unpack};
use super::spec::Spec;
use crate::config::Settings;
use crate::flags::Exploring;
use evergreen::Stats;
use evergreen::store::Store;
use evergreen_java::classfile::find_jdk;
use evergreen_java::{Exploration, Forward, Inputs, MethodRef, RemotePath, Run, Summary};
use evergreen_queue::{Claim, Digest, Heart, Queue, Verdict, Worker};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Results are told at least so often, so that whoever takes over does not begin from the start.
const TELL_EVERY: Duration = Duration::from_secs(1);
/// And when there are so many.
const TELL_PATHS: usize = 2_000;

/// A job that this worker works for: its program, ready to be explored.
pub struct Ready {
    exploration: Exploration,
    exploring: Exploring,
    inputs: Inputs,
    /// Gone with the program.
    _unpacked: Unpacked,
}

impl Ready {
    /// Fetches the program of a job; says why this worker is not the one for it, if so.
    pub fn new(
        queue: &Queue,
        spec: &[u8],
        settings: &Settings,
        store: Arc<dyn Store>,
    ) -> Result<Ready, String> {
        let jdk = find_jdk().map_err(|e| e.to_string())?;
        let spec = Spec::read(spec, &jdk.version)?;
        let digest = Digest::read(&spec.program).ok_or("its program has no digest")?;
        let bytes = queue.blob(&digest).map_err(|e| e.to_string())?;
        let unpacked = unpack(&bytes.ok_or("its program is gone")?)?;
        let mut settings = settings.clone();
        settings.timeout_ms = Some(spec.timeout_ms).filter(|&ms| ms > 0);
        let program = unpacked.open(jdk).map_err(|e| e.to_string())?;
        let known = Some(spec.invariants());
        let exploring = spec.exploring;
        let exploration = crate::explore::exploration(&exploring, &settings, store, program, known)?;
        let inputs = crate::explore::inputs(&exploring)?;
        Ok(Ready { exploration, exploring, inputs, _unpacked: unpacked })
    }

    fn method(&self, (class, name, descriptor): &Name) -> Option<MethodRef> {
        self.exploration.program().method(class, name, descriptor)
    }
}

/// When to give parts away, and when to stop.
pub struct Manners {
    /// An item that lasts longer than this is split while others wait.
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
    told: Instant,
    /// The heartbeat whose news were acted on.
    beat: u64,
}

/// How work on an item ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Worked {
    /// It is finished.
    Done,
    /// Another has it, or the job is over.
    Lost,
    /// What is left of it is for the next one who asks.
    Left,
}

/// Explores an item.
pub fn work(
    worker: &mut Worker,
    claim: Claim,
    ready: &mut Ready,
    manners: &Manners,
) -> Result<Worked, String> {
    let lost = Arc::new(AtomicBool::new(false));
    let heart = worker.keep_alive(&claim, lost.clone());
    let item = match Item::read(&claim.item) {
        Ok(item) => item,
        Err(why) => return fail(worker, claim, Name::default(), &format!("not understood: {why}")),
    };
    let Some(method) = ready.method(&item.method) else {
        return fail(worker, claim, item.method, "the program has no such method");
    };
    let options = crate::explore::options(&ready.exploring, &lost);
    let mut run = match ready.exploration.method(&method, &ready.inputs, options) {
        Ok(run) => run,
        Err(why) => return fail(worker, claim, item.method, &why.to_string()),
    };
    let starts = run.oracle().solver_starts();
    let before = (run.summary(), run.oracle().stats());
    // The first part of a method has no inputs yet: everybody has the same to begin with.
    let whole = run.give_any();
    for part in &item.parts {
        let part = if part.0.way.0.is_empty() { whole.as_ref().unwrap_or(part) } else { part };
        if let Err(why) = run.resume(part) {
            return fail(worker, claim, item.method, &why.to_string());
        }
    }
    let now = Instant::now();
    let working = Working { worker, claim, heart, item, paths: Vec::new(), before, told: now, beat: 0 };
    working.explore(&mut run, manners, starts)
}

/// Finishes an item that cannot be explored; whoever submitted it sees why.
fn fail(worker: &mut Worker, claim: Claim, method: Name, why: &str) -> Result<Worked, String> {
    let (name, failed) = (worker.name().to_string(), Some(why.to_string()));
    let batch = Batch { method, worker: name, failed, ..Batch::default() };
    verdict(worker.done(claim, &[batch.write()], &[]))
}

fn verdict(told: Result<Verdict, evergreen_queue::QueueError>) -> Result<Worked, String> {
    match told.map_err(|e| e.to_string())? {
        Verdict::Made => Ok(Worked::Done),
        Verdict::Lost | Verdict::Over => Ok(Worked::Lost),
    }
}

impl Working<'_> {
    fn explore(mut self, run: &mut Run<'_>, manners: &Manners, starts: u64) -> Result<Worked, String> {
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
            let due = self.told.elapsed() >= TELL_EVERY || self.paths.len() >= TELL_PATHS;
            if (stop || due || wanted > 0) && !self.tell(run, wanted)? {
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

    /// Tells what was found, gives as many parts away as are wanted, and leaves the rest with this worker; whether it still has it.
    fn tell(&mut self, run: &mut Run<'_>, wanted: u64) -> Result<bool, String> {
        // Ends of paths that are known already come first.
        let Some(open) = run.open_parts() else { return Ok(true) };
        let most = usize::try_from(wanted).unwrap_or(usize::MAX).min(open.len().saturating_sub(1));
        let item = |parts| Item { method: self.item.method.clone(), parts };
        let given: Vec<Vec<u8>> =
            (0..most).map_while(|_| run.give()).map(|part| item(vec![part]).write()).collect();
        let rest = if given.is_empty() { Some(open) } else { run.open_parts() };
        let rest = item(rest.ok_or("ends of paths came while parts were given away")?).write();
        let results = if self.paths.is_empty() { vec![] } else { vec![self.batch(run).write()] };
        if results.is_empty() && given.is_empty() && self.told.elapsed() < TELL_EVERY {
            return Ok(true);
        }
        self.told = Instant::now();
        let verdict = self.worker.progress(&mut self.claim, &results, &given, rest);
        Ok(verdict.map_err(|e| e.to_string())? == Verdict::Made)
    }

    /// What was found since the last one.
    fn batch(&mut self, run: &Run<'_>) -> Batch {
        let after = (run.summary(), run.oracle().stats());
        let counts = Counts::between(&self.before, &after);
        self.before = after;
        let (method, worker) = (self.item.method.clone(), self.worker.name().to_string());
        Batch { method, worker, paths: std::mem::take(&mut self.paths), counts, failed: None }
    }
}
