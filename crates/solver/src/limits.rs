//! What one answer of a solver may cost.

use std::time::Duration;

/// Limits for a solver process.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Limits {
    /// The longest that one answer may take; the process is killed when it passes.
    pub time_ms: Option<u64>,
    /// The most address space that the process may have.
    pub memory_mb: Option<u64>,
}

impl Limits {
    /// The time limit as a duration.
    pub fn time(&self) -> Option<Duration> {
        self.time_ms.map(Duration::from_millis)
    }
}
