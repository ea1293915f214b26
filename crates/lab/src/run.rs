//! Runs of other programs, measured in processor time.

use std::process::{Command, ExitStatus};
use std::time::{Duration, Instant};

/// What the children of this process used so far: seconds in their own code, and in the system's.
fn used() -> (f64, f64) {
    let mut usage = std::mem::MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: the call fills a structure of ours; all zeros, as it is if it fails, are valid.
    let usage = unsafe {
        libc::getrusage(libc::RUSAGE_CHILDREN, usage.as_mut_ptr());
        usage.assume_init()
    };
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
    (seconds(usage.ru_utime), seconds(usage.ru_stime))
}

/// Processor seconds.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Used {
    /// In the program's own code.
    pub user: f64,
    /// In the system's.
    pub system: f64,
}

impl Used {
    /// Both.
    pub(crate) fn all(self) -> f64 {
        self.user + self.system
    }
}

/// What the processes that `run` starts and awaits use.
pub(crate) fn measured<T>(run: impl FnOnce() -> T) -> (T, Used) {
    let before = used();
    let result = run();
    let after = used();
    (result, Used { user: after.0 - before.0, system: after.1 - before.1 })
}

/// Runs a command to its end, or ends it after a while: then there is no status.
///
/// # Errors
/// It cannot be started.
pub(crate) fn within(command: &mut Command, most: Duration) -> Result<Option<ExitStatus>, String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let mut child = command.spawn().map_err(|e| format!("{program}: {e}"))?;
    let until = Instant::now() + most;
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Ok(Some(status)),
            Ok(None) if Instant::now() < until => std::thread::sleep(Duration::from_millis(10)),
            Ok(None) => {
                let _ = child.kill();
                let _ = child.wait();
                return Ok(None);
            }
            Err(e) => return Err(e.to_string()),
        }
    }
}
