//! `evergreen work`: a worker that explores the jobs of a queue.

mod java;
mod jobs;
pub(crate) mod package;
pub(crate) mod ready;
pub(crate) mod sent;
pub(crate) mod spec;

use crate::config::Settings;
use crate::flags::Work;
use crate::say::{Foreign, remark, say, warn, warn_once};
use evergreen::store::Memory;
use evergreen_distributed::{Manners, Worked};
use evergreen_queue::{JobId, Look, Patience, Queue, QueueError, Worker};
use ready::{Job, Place};
use std::collections::HashMap;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How long one look for work lasts; then the stop flag is looked at.
const LOOK: Duration = Duration::from_millis(500);

/// `evergreen work`.
pub(crate) fn task(flags: &Work) -> Result<ExitCode, String> {
    if flags.list || flags.cancel.is_some() {
        let queue = open(&flags.queue, Some(Duration::from_secs(5)), None)?;
        match &flags.cancel {
            Some(job) => jobs::cancel(&queue, job)?,
            None => jobs::list(&queue)?,
        }
        return Ok(ExitCode::SUCCESS);
    }
    let stop = crate::interrupt::flag_on_signal();
    let queue = open(&flags.queue, None, Some(stop.clone()))?;
    let settings = Settings::load()?.with_solving(&flags.solving);
    let store = settings.open_store()?.unwrap_or_else(|| Arc::new(Memory::new(1 << 20)));
    let mut worker = queue.worker(&host());
    remark(&format!("{} works for {}", worker.name(), queue.name()));
    let mut jobs: HashMap<JobId, Box<dyn Job>> = HashMap::new();
    let place = Place { queue: &queue, settings: &settings, store: store.clone() };
    let done = loop {
        let prepare = |job: &JobId, spec: &[u8]| match ready::fetch(spec, &place) {
            Ok(ready) => {
                jobs.insert(job.clone(), ready);
                true
            }
            Err(why) => {
                warn(&format!("job {job} is left to others: {}", Foreign(why)));
                false
            }
        };
        match worker.claim(LOOK, prepare) {
            Ok(Look::Item(claim)) => {
                let number = (claim.job.clone(), claim.number, claim.times);
                let Some(ready) = jobs.get_mut(&claim.job) else { continue };
                let manners = Manners { split_after: flags.split_after, stop: stop.clone() };
                match ready.work(&mut worker, claim, &manners) {
                    Ok(worked) if flags.verbose => log_item(&worker, &number, worked),
                    Ok(_) => {}
                    Err(why) => warn_once(&why),
                }
            }
            Ok(Look::Waiting) => {}
            Ok(Look::NoJob) => {
                jobs.retain(|job, _| worker.works_for(job));
                if flags.once {
                    break Ok(ExitCode::SUCCESS);
                }
            }
            Err(QueueError::Stopped) => break Ok(ExitCode::SUCCESS),
            Err(why) => break Err(why.to_string()),
        }
        if stop.load(Ordering::Relaxed) {
            break Ok(ExitCode::SUCCESS);
        }
    };
    if let Err(e) = store.flush() {
        warn_once(&e.to_string());
    }
    done
}

fn log_item(worker: &Worker, (job, item, times): &(JobId, u64, u64), worked: Worked) {
    let again = if *times > 1 { format!(" (begun {times} times)") } else { String::new() };
    let how = match worked {
        Worked::Done => "finished",
        Worked::Lost => "is another's",
        Worked::Left => "left to others",
    };
    say(&format!("{}: item {item} of {job}{again} {how}", worker.name()));
}

/// The name of this machine and process.
fn host() -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let name: String =
        name.trim().chars().filter(|c| c.is_ascii_alphanumeric() || *c == '-').take(40).collect();
    let name = if name.is_empty() { "worker".to_string() } else { name };
    format!("{name}-{}", std::process::id())
}

/// Opens a queue whose server is waited for.
pub(crate) fn open(
    url: &str,
    wait: Option<Duration>,
    stop: Option<Arc<AtomicBool>>,
) -> Result<Queue, String> {
    let certificates = crate::config::Settings::load()?.redis_ca;
    let patience = Patience { wait, stop, trouble: Arc::new(crate::say::warn) };
    Queue::open(url, certificates.as_deref(), patience).map_err(|e| e.to_string())
}
