//! The results of a job, as they come.

use crate::{JobId, JobInfo, JobState, Queue, QueueError};
use redis::cmd;
use std::collections::HashMap;
use std::time::Duration;

/// Results that are read at once.
const AT_ONCE: usize = 64;

/// Where a reader of results stands.
pub struct Gather {
    job: JobId,
    last: String,
    ended: Option<JobState>,
}

/// A result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Told {
    /// The number of the item that it is of.
    pub item: u64,
    /// The worker's result.
    pub data: Vec<u8>,
}

/// The outcome of waiting for results.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Gathered {
    /// Results, in the order in which workers reported them.
    Results(Vec<Told>),
    /// Nothing new; how the job stands.
    Waiting(JobInfo),
    /// There will be no more.
    Ended(JobState),
    /// The server does not know the job (any more).
    Gone,
}

type Fields = HashMap<String, Vec<u8>>;
type Entries = Vec<(String, Fields)>;

impl Queue {
    /// Begins to read the results of a job, from the first. Nothing is removed by reading.
    pub fn gather(&self, job: &JobId) -> Gather {
        Gather { job: job.clone(), last: "0-0".into(), ended: None }
    }

    /// The next results. Waits for them at most `wait`. The process that gathers counts as the submitter:
    /// workers leave a job without one.
    pub fn next(&self, gather: &mut Gather, wait: Duration) -> Result<Gathered, QueueError> {
        if let Some(state) = &gather.ended {
            return Ok(Gathered::Ended(state.clone()));
        }
        let results = self.keys.of_job(&gather.job, "results");
        let entries = self.line.run(wait, |connection| {
            let read: Option<Vec<(String, Entries)>> = cmd("XREAD")
                .arg("COUNT")
                .arg(AT_ONCE)
                .arg("BLOCK")
                .arg(crate::job::millis(wait))
                .arg("STREAMS")
                .arg(&results)
                .arg(&gather.last)
                .query(connection)?;
            Ok(read.into_iter().flatten().next().map_or_else(Vec::new, |(_, entries)| entries))
        })?;
        let Some(info) = self.hear(&gather.job, "gather")? else { return Ok(Gathered::Gone) };
        if entries.is_empty() {
            return Ok(Gathered::Waiting(info));
        }
        let mut told = Vec::new();
        for (id, mut fields) in entries {
            gather.last = id;
            let text =
                |bytes: Option<Vec<u8>>| String::from_utf8(bytes.unwrap_or_default()).unwrap_or_default();
            if let Some(state) = fields.remove("state") {
                gather.ended = Some(JobState::of(&text(Some(state)), &text(fields.remove("reason"))));
                break;
            }
            let item = text(fields.remove("item")).parse().unwrap_or(0);
            told.push(Told { item, data: fields.remove("data").unwrap_or_default() });
        }
        match &gather.ended {
            Some(state) if told.is_empty() => Ok(Gathered::Ended(state.clone())),
            _ => Ok(Gathered::Results(told)),
        }
    }
}
