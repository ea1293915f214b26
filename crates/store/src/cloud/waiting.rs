//! Waiting for requests: each within a time limit that covers connecting, sending, receiving and further
//! attempts.

use std::time::Duration;

use super::objects::Size;

/// The time limits, in multiples of that of a lookup on a server that is asked key by key (250 ms).
const SMALL_PATIENCE: u32 = 20;
const LARGE_PATIENCE: u32 = 120;
/// Pauses before further attempts.
pub(super) const PAUSES: [Duration; 2] = [Duration::from_millis(100), Duration::from_millis(400)];

/// Runs requests one at a time, for callers that are not asynchronous.
pub(super) struct Waiting {
    /// `None` only while it is being dropped.
    runtime: Option<tokio::runtime::Runtime>,
    timeout: Duration,
}

impl Waiting {
    pub(super) fn new(timeout: Duration) -> Option<Waiting> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        Some(Waiting { runtime: Some(runtime.ok()?), timeout })
    }

    /// A client whose connections belong to this runtime.
    pub(super) fn client(&self) -> Option<reqwest::Client> {
        let client = reqwest::Client::builder().connect_timeout(self.timeout * SMALL_PATIENCE / 2);
        // Hundreds of runners on a loopback port need no certificates, which are slow to read.
        client.tls_built_in_root_certs(!cfg!(test)).build().ok()
    }

    fn limit(&self, size: Size) -> Duration {
        self.timeout
            * match size {
                Size::Small => SMALL_PATIENCE,
                Size::Large => LARGE_PATIENCE,
            }
    }

    /// What came of some work; `None` if it took too long. On a thread of its own: the caller may have a
    /// runtime.
    pub(super) fn run<T: Send>(&self, size: Size, work: impl AsyncFnOnce() -> T + Send) -> Option<T> {
        let runtime = self.runtime.as_ref()?;
        let limit = self.limit(size);
        let work = || runtime.block_on(async { tokio::time::timeout(limit, work()).await.ok() });
        std::thread::scope(|scope| {
            let thread = std::thread::Builder::new().name("evergreen-cloud".into()).spawn_scoped(scope, work);
            // No thread, or a panic, which has printed itself.
            thread.ok()?.join().ok().flatten()
        })
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        // Without waiting: the caller may be inside a runtime of its own, which forbids it.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}
