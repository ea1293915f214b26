//! `evergreen bench`: what reuse saves and what it costs.

mod bare;
mod stream;
mod streams;

use crate::flags::{BenchTask, BenchVerb};
use std::process::ExitCode;

/// Runs one verb.
pub fn task(task: &BenchTask) -> Result<ExitCode, String> {
    match &task.verb {
        BenchVerb::Streams(flags) => streams::run(flags, task.json),
    }
}
