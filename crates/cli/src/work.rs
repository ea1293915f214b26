//! `evergreen work`: explores for others.

mod jobs;
pub mod package;
pub mod spec;

use crate::flags::Work;
use evergreen_queue::{Patience, Queue};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// `evergreen work`.
pub fn task(flags: &Work) -> Result<ExitCode, String> {
    if flags.list || flags.cancel.is_some() {
        let queue = open(&flags.queue, Some(Duration::from_secs(5)), None)?;
        match &flags.cancel {
            Some(job) => jobs::cancel(&queue, job)?,
            None => jobs::list(&queue)?,
        }
        return Ok(ExitCode::SUCCESS);
    }
    Ok(ExitCode::SUCCESS)
}

/// Opens a queue whose server is waited for.
pub fn open(url: &str, wait: Option<Duration>, stop: Option<Arc<AtomicBool>>) -> Result<Queue, String> {
    let certificates = crate::config::Settings::load()?.redis_ca;
    let patience = Patience { wait, stop, trouble: Arc::new(crate::say::warn) };
    Queue::open(url, certificates.as_deref(), patience).map_err(|e| e.to_string())
}
