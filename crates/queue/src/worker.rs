//! The life of an item at a worker: claim, heartbeat, report results, give parts away, finish.

use crate::job::{millis, random};
use crate::keys::scripts;
use crate::{JobId, Queue, QueueError};
use redis::{FromRedisValue, Value, cmd};
use std::collections::HashMap;
use std::time::{Duration, Instant};

/// A waiting worker is counted for so long after its last look; a little longer than a look takes.
const WAITING_MS: u64 = 3_000;
/// The longest time between two looks for work, so that items of dead workers are found.
const LOOK: Duration = Duration::from_millis(1_000);
/// A job whose submitter was silent for so long is left alone.
const ABANDONED: Duration = Duration::from_secs(5 * 60);

/// A worker: a consumer of every job's group.
pub struct Worker {
    pub(crate) queue: Queue,
    pub(crate) name: String,
    /// The last entry of the bell stream that was read.
    bell: String,
    /// Jobs that were looked at, and whether this worker works for them.
    known: HashMap<JobId, bool>,
    abandoned: Duration,
    changes: u64,
}

/// An item that a worker has.
#[derive(Clone, Debug)]
pub struct Claim {
    /// Of which job.
    pub job: JobId,
    /// Its number in the job.
    pub number: u64,
    /// Of which part.
    pub item: Vec<u8>,
    /// How often it was begun, with this time.
    pub times: u64,
    /// The item goes to another worker after so long without a heartbeat.
    pub timeout: Duration,
    pub(crate) entry: String,
    version: String,
}

/// The outcome of a look for work.
#[derive(Debug)]
pub enum Look {
    /// An item.
    Item(Claim),
    /// Nothing to claim now, though jobs are running that this worker would work for.
    Waiting,
    /// No such job.
    NoJob,
}

/// The outcome of a change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It was made.
    Made,
    /// Another worker was faster: the server changed nothing, and this worker's result is discarded.
    Lost,
    /// The job is over.
    Over,
}

/// The outcome of a heartbeat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Beat {
    /// The item is still this worker's. So many workers wait without an item.
    Held {
        /// How many.
        hungry: u64,
    },
    /// It is another's.
    Lost,
    /// The job is over.
    Over,
}

impl Queue {
    /// A worker with a name of its own, which begins with this one.
    pub fn worker(&self, name: &str) -> Worker {
        Worker {
            queue: self.clone(),
            name: format!("{name}-{:08x}", random() >> 32),
            bell: "0-0".into(),
            known: HashMap::new(),
            abandoned: ABANDONED,
            changes: 0,
        }
    }
}

impl Worker {
    /// Its name on the server.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Leaves jobs alone whose submitter was silent for so long.
    pub fn with_abandoned(mut self, silent: Duration) -> Worker {
        self.abandoned = silent;
        self
    }

    /// Does not look at a job again.
    pub fn refuse(&mut self, job: &JobId) {
        self.known.insert(job.clone(), false);
    }

    /// An item of some job, oldest job first. Waits for one at most so long. `fits` decides once for each
    /// job, by its name and spec, whether this worker works for it; items of other jobs are left alone.
    pub fn claim(
        &mut self,
        wait: Duration,
        mut fits: impl FnMut(&JobId, &[u8]) -> bool,
    ) -> Result<Look, QueueError> {
        let until = Instant::now() + wait;
        loop {
            let mut look = Look::NoJob;
            let jobs = self.queue.job_ids()?;
            self.known.retain(|known, _| jobs.contains(known));
            for job in jobs {
                if !self.known.contains_key(&job) {
                    let Some(spec) = self.spec(&job)? else { continue };
                    let fitting = fits(&job, &spec);
                    self.known.insert(job.clone(), fitting);
                }
                if !self.known[&job] {
                    continue;
                }
                match self.claim_of(&job)? {
                    Look::NoJob => {}
                    Look::Waiting => look = Look::Waiting,
                    found => return Ok(found),
                }
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(look);
            }
            self.listen(left.min(LOOK))?;
        }
    }

    /// The bytes that say what a job is to do; none if it is over.
    fn spec(&self, job: &JobId) -> Result<Option<Vec<u8>>, QueueError> {
        let key = self.queue.keys.of_job(job, "");
        let (state, spec): (Option<String>, Option<Vec<u8>>) =
            self.queue.line.run(Duration::ZERO, |connection| {
                cmd("HMGET").arg(&key).arg("state").arg("spec").query(connection)
            })?;
        Ok(spec.filter(|_| state.as_deref() == Some("running")))
    }

    /// Whether a job is there and was found to fit.
    pub fn works_for(&self, job: &JobId) -> bool {
        self.known.get(job) == Some(&true)
    }

    /// Waits until the bell rings.
    fn listen(&mut self, wait: Duration) -> Result<(), QueueError> {
        let heard: Value = self.queue.line.run(wait, |connection| {
            let mut read = cmd("XREAD");
            read.arg("BLOCK").arg(millis(wait)).arg("STREAMS").arg(&self.queue.keys.bell).arg(&self.bell);
            read.query(connection)
        })?;
        type Rings = Vec<(String, Vec<(String, Value)>)>;
        let rings = Option::<Rings>::from_redis_value(heard).unwrap_or_default().unwrap_or_default();
        if let Some((id, _)) = rings.into_iter().flat_map(|(_, entries)| entries).last() {
            self.bell = id;
        }
        Ok(())
    }

    fn claim_of(&self, job: &JobId) -> Result<Look, QueueError> {
        let mut script = self.queue.keys.script(scripts::CLAIM, job);
        script.arg(&self.name).arg(millis(self.abandoned));
        let told: Vec<Vec<u8>> =
            self.queue.line.run(Duration::ZERO, |connection| script.query(connection))?;
        let text = |at: usize| String::from_utf8_lossy(told.get(at).map_or(&[], Vec::as_slice)).into_owned();
        let number = |at: usize| text(at).parse::<u64>().unwrap_or(0);
        Ok(match text(0).as_str() {
            "item" if told.len() == 7 => Look::Item(Claim {
                job: job.clone(),
                number: number(1),
                entry: text(2),
                version: text(3),
                item: told[4].clone(),
                times: number(5),
                timeout: Duration::from_millis(number(6)),
            }),
            "none" => Look::Waiting,
            _ => Look::NoJob,
        })
    }

    /// Says that the item is still worked on.
    pub fn heartbeat(&self, claim: &Claim) -> Result<Beat, QueueError> {
        beat(&self.queue, &self.name, claim)
    }

    /// Reports results, gives parts away as new items, and leaves `rest` of the item with
    /// this worker; all or nothing.
    pub fn progress(
        &mut self,
        claim: &mut Claim,
        results: &[Vec<u8>],
        given: &[Vec<u8>],
        rest: Vec<u8>,
    ) -> Result<Verdict, QueueError> {
        self.changes += 1;
        let after = format!("{}:{}", self.name, self.changes);
        let verdict = self.change(claim, &after, results, given, &rest)?;
        if verdict == Verdict::Made {
            claim.version = after;
            claim.item = rest;
        }
        Ok(verdict)
    }

    /// Reports the last results, gives the last parts away, and finishes the item; all or nothing.
    /// [`Verdict::Lost`] may also mean that this very call finished the item and its answer got lost: the
    /// item is finished in any case.
    pub fn done(
        &mut self,
        claim: Claim,
        results: &[Vec<u8>],
        given: &[Vec<u8>],
    ) -> Result<Verdict, QueueError> {
        self.change(&claim, "", results, given, &[])
    }

    /// Sends a change once more, as a lost answer makes the connection do. For tests.
    #[doc(hidden)]
    pub fn resend(
        &self,
        before: &Claim,
        after: &Claim,
        results: &[Vec<u8>],
        given: &[Vec<u8>],
    ) -> Result<Verdict, QueueError> {
        self.change(before, &after.version, results, given, &after.item)
    }

    fn change(
        &self,
        claim: &Claim,
        after: &str,
        results: &[Vec<u8>],
        given: &[Vec<u8>],
        rest: &[u8],
    ) -> Result<Verdict, QueueError> {
        let mut script = self.queue.keys.script(scripts::CHANGE, &claim.job);
        script.arg(&self.name).arg(claim.number).arg(&claim.entry).arg(&claim.version);
        script.arg(after).arg(rest).arg(results.len());
        for bytes in results.iter().chain(given) {
            script.arg(bytes.as_slice());
        }
        self.verdict(&script)
    }

    /// Returns an item to the queue for the next worker.
    pub fn release(&self, claim: Claim) -> Result<Verdict, QueueError> {
        let mut script = self.queue.keys.script(scripts::RELEASE, &claim.job);
        script.arg(&self.name).arg(&claim.entry);
        self.verdict(&script)
    }

    fn verdict(&self, script: &redis::Cmd) -> Result<Verdict, QueueError> {
        let told: String = self.queue.line.run(Duration::ZERO, |connection| script.query(connection))?;
        Ok(match told.as_str() {
            "ok" => Verdict::Made,
            "lost" => Verdict::Lost,
            _ => Verdict::Over,
        })
    }
}

/// One heartbeat.
pub(crate) fn beat(queue: &Queue, name: &str, claim: &Claim) -> Result<Beat, QueueError> {
    let mut script = queue.keys.script(scripts::HEARTBEAT, &claim.job);
    script.arg(name).arg(&claim.entry).arg(WAITING_MS);
    let (told, hungry): (String, u64) =
        queue.line.run(Duration::ZERO, |connection| script.query(connection))?;
    Ok(match told.as_str() {
        "ok" => Beat::Held { hungry },
        "lost" => Beat::Lost,
        _ => Beat::Over,
    })
}
