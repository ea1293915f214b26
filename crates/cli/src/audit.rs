//! What audits find: printed with the query, and the reason for an exit code of its own.
//!
//! The number is one for the whole process: sessions, explorations of several methods and their threads all
//! count into it, and whatever they would have ended with, a wrong answer in the store is the more urgent
//! news.

use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Exit code for "an audit found a reused answer that the solver contradicts".
pub(crate) const CONTRADICTED: u8 = 4;

static FOUND: AtomicU64 = AtomicU64::new(0);

/// Prints a contradiction and remembers that there was one.
pub(crate) fn report(contradiction: &str) {
    FOUND.fetch_add(1, Relaxed);
    crate::say::warn(contradiction);
}

/// The exit code of the process, given the one that it would have without audits.
pub(crate) fn exit_code(code: ExitCode) -> ExitCode {
    if FOUND.load(Relaxed) > 0 { ExitCode::from(CONTRADICTED) } else { code }
}

/// Reads the share of answers that is audited.
pub(crate) fn read_rate(text: &str) -> Result<f64, String> {
    match text.trim().parse::<f64>() {
        Ok(rate) if (0.0..=1.0).contains(&rate) => Ok(rate),
        _ => Err(format!("\"{text}\" is no share between 0 and 1, such as 0.01")),
    }
}
