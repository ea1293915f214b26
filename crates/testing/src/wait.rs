//! Waiting for what another thread or process does: for the condition, never for a time.

use std::time::{Duration, Instant};

/// How long a test waits before it fails. Far beyond what a loaded machine needs.
const PATIENCE: Duration = Duration::from_secs(120);
/// Between two looks.
const PAUSE: Duration = Duration::from_millis(2);

/// Returns once the condition holds.
///
/// # Panics
/// If it never does; `what` says what was waited for.
#[track_caller]
pub fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !holds() {
        assert!(Instant::now() < deadline, "waited {} s in vain: {what}", PATIENCE.as_secs());
        std::thread::sleep(PAUSE);
    }
}
