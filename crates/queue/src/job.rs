//! Jobs: submitted, listed, cancelled, removed.

use crate::keys::scripts;
use crate::{Queue, QueueError};
use redis::cmd;
use std::fmt;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::time::Duration;

/// A worker or a submitter that was silent for so long counts as dead.
pub(crate) const SILENT_MS: u64 = 5_000;

/// The name of a job: sixteen hexadecimal digits, chosen by the submitter.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct JobId(String);

impl JobId {
    /// A unique identifier. Not a number that the server counts: a server that lost its data would count from
    /// one again, and a worker with an item of the old job 1 would finish an item of the new job 1.
    pub(crate) fn fresh() -> JobId {
        JobId(format!("{:016x}", random()))
    }

    /// Reads what [`JobId`] displays.
    pub fn read(text: &str) -> Option<JobId> {
        let is_digit = |letter: u8| letter.is_ascii_digit() || (b'a'..=b'f').contains(&letter);
        (text.len() == 16 && text.bytes().all(is_digit)).then(|| JobId(text.to_string()))
    }
}

impl fmt::Display for JobId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A number that no other process has: the standard library seeds its hash tables with
/// random bits of the system.
pub(crate) fn random() -> u64 {
    RandomState::new().build_hasher().finish()
}

/// A job to submit.
#[derive(Clone, Debug)]
pub struct JobSpec<'j> {
    /// For people.
    pub label: &'j str,
    /// The work to do; the same for all items.
    pub spec: &'j [u8],
    /// Of which parts.
    pub items: &'j [Vec<u8>],
    /// The next worker that asks gets an item without a heartbeat for so long.
    pub timeout: Duration,
    /// The server drops a job that no process touches for so long.
    pub keep: Duration,
    /// An item that was claimed so often, and neither finished nor made smaller, ends the job.
    pub attempts: u32,
}

impl Default for JobSpec<'_> {
    fn default() -> Self {
        JobSpec {
            label: "",
            spec: &[],
            items: &[],
            timeout: Duration::from_secs(15),
            keep: Duration::from_secs(24 * 60 * 60),
            attempts: 8,
        }
    }
}

/// The state of a job.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum JobState {
    /// Items are open.
    Running,
    /// All items are finished.
    Done,
    /// A client cancelled it.
    Cancelled,
    /// Some item was begun too often.
    Failed(String),
}

impl JobState {
    pub(crate) fn of(state: &str, reason: &str) -> JobState {
        match state {
            "running" => JobState::Running,
            "done" => JobState::Done,
            "cancelled" => JobState::Cancelled,
            _ => JobState::Failed(reason.to_string()),
        }
    }
}

/// A job as `evergreen work --list` shows it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JobInfo {
    /// Its name.
    pub id: JobId,
    /// For people.
    pub label: String,
    /// Its state.
    pub state: JobState,
    /// Items that are not finished.
    pub open: u64,
    /// Items that are.
    pub done: u64,
    /// Workers with a heartbeat within the last seconds.
    pub workers: u64,
    /// How long ago it was submitted.
    pub age: Duration,
    /// The time since the submitter's last sign of life.
    pub silent: Duration,
}

impl Queue {
    /// Submits a job.
    pub fn submit(&self, job: &JobSpec<'_>) -> Result<JobId, QueueError> {
        let id = JobId::fresh();
        let mut script = self.keys.script(scripts::SUBMIT, &id);
        script.arg(&id.0).arg(job.spec).arg(job.label).arg(millis(job.timeout));
        script.arg(job.keep.as_secs().max(1)).arg(job.attempts.max(1));
        for item in job.items {
            script.arg(item.as_slice());
        }
        self.line.run(Duration::ZERO, |connection| script.query::<String>(connection))?;
        Ok(id)
    }

    /// The identifiers of all jobs, oldest first.
    pub(crate) fn job_ids(&self) -> Result<Vec<JobId>, QueueError> {
        let ids: Vec<String> = self.line.run(Duration::ZERO, |connection| {
            cmd("ZRANGE").arg(&self.keys.jobs).arg(0).arg(-1).query(connection)
        })?;
        Ok(ids.iter().filter_map(|id| JobId::read(id)).collect())
    }

    /// All jobs, oldest first. Those that have disappeared are struck off the list.
    pub fn jobs(&self) -> Result<Vec<JobInfo>, QueueError> {
        let mut all = Vec::new();
        for id in self.job_ids()? {
            match self.job(&id)? {
                Some(info) => all.push(info),
                None => self.line.run(Duration::ZERO, |connection| {
                    cmd("ZREM").arg(&self.keys.jobs).arg(&id.0).query::<()>(connection)
                })?,
            }
        }
        Ok(all)
    }

    /// One job; none if it was removed or has disappeared.
    pub fn job(&self, id: &JobId) -> Result<Option<JobInfo>, QueueError> {
        self.hear(id, "list")
    }

    /// One job; `who` says whether its submitter or another client asks.
    pub(crate) fn hear(&self, id: &JobId, who: &str) -> Result<Option<JobInfo>, QueueError> {
        let mut script = self.keys.script(scripts::HEAR, id);
        script.arg(SILENT_MS).arg(who);
        let told: Vec<String> = self.line.run(Duration::ZERO, |connection| script.query(connection))?;
        let [state, reason, label, submitted, heard, open, done, workers, now] = &told[..] else {
            return Ok(None);
        };
        let number = |text: &String| text.parse::<u64>().unwrap_or(0);
        let since = |then: &String| Duration::from_millis(number(now).saturating_sub(number(then)));
        Ok(Some(JobInfo {
            id: id.clone(),
            label: label.clone(),
            state: JobState::of(state, reason),
            open: number(open),
            done: number(done),
            workers: number(workers),
            age: since(submitted),
            silent: since(heard),
        }))
    }

    /// Ends a job: workers leave its items. Whether it was running.
    pub fn cancel(&self, id: &JobId) -> Result<bool, QueueError> {
        self.end(id, "cancelled")
    }

    /// Ends a job and removes all that is left of it. Whether it was running.
    pub fn remove(&self, id: &JobId) -> Result<bool, QueueError> {
        self.end(id, "removed")
    }

    fn end(&self, id: &JobId, how: &str) -> Result<bool, QueueError> {
        let mut script = self.keys.script(scripts::END, id);
        script.arg(&id.0).arg(how);
        self.line.run(Duration::ZERO, |connection| script.query(connection))
    }
}

pub(crate) fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX).max(1)
}
