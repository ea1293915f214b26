//! Jobs of a queue, for people: listed, cancelled.

use crate::say::{Foreign, say};
use evergreen_queue::{JobId, JobInfo, JobState, Queue};
use std::time::Duration;

/// Shows every job.
pub(super) fn list(queue: &Queue) -> Result<(), String> {
    let jobs = queue.jobs().map_err(|e| e.to_string())?;
    if jobs.is_empty() {
        say(&format!("no jobs in {}", queue.name()));
    }
    jobs.iter().for_each(|job| say(&line(job)));
    Ok(())
}

/// A submitter that was silent for this long has ended.
const GONE: Duration = Duration::from_secs(30);

fn line(job: &JobInfo) -> String {
    let state = match &job.state {
        JobState::Running if job.silent > GONE => {
            format!("its submitter is silent for {}", shown(job.silent))
        }
        JobState::Running => "running".into(),
        JobState::Done => "done".into(),
        JobState::Cancelled => "cancelled".into(),
        JobState::Failed(why) => format!("failed: {}", Foreign(why)),
    };
    let plural = if job.workers == 1 { "" } else { "s" };
    format!(
        "{}  {state}, {} items open, {} done, {} worker{plural}, since {}: {}",
        job.id,
        job.open,
        job.done,
        job.workers,
        shown(job.age),
        Foreign(&job.label)
    )
}

fn shown(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..120 => format!("{seconds} s"),
        seconds @ 120..7_200 => format!("{} min", seconds / 60),
        seconds => format!("{} h", seconds / 3_600),
    }
}

/// Ends a job.
pub(super) fn cancel(queue: &Queue, job: &str) -> Result<(), String> {
    let id = JobId::read(job)
        .ok_or_else(|| format!("\"{job}\" is no job\nhelp: evergreen work --queue URL --list shows them"))?;
    if queue.job(&id).map_err(|e| e.to_string())?.is_none() {
        return Err(format!("no job {job} in {}", queue.name()));
    }
    let running = queue.cancel(&id).map_err(|e| e.to_string())?;
    say(if running { "cancelled" } else { "it was over already" });
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_is_a_line() {
        let mut job = JobInfo {
            id: JobId::read("0123456789abcdef").unwrap(),
            label: "Mid.java".into(),
            state: JobState::Running,
            open: 3,
            done: 4,
            workers: 1,
            age: Duration::from_secs(130),
            silent: Duration::ZERO,
        };
        let expected = "0123456789abcdef  running, 3 items open, 4 done, 1 worker, since 2 min: Mid.java";
        assert_eq!(line(&job), expected);
        job.silent = Duration::from_secs(7_200);
        assert!(line(&job).contains("its submitter is silent for 2 h"));
    }
}
