//! A thread that keeps an item alive while its worker is busy with it.
//!
//! Work on an item may be silent for longer than the timeout: one question to a solver can be. So a thread
//! with a connection of its own sends the heartbeat. It sets the worker's stop flag when the item belongs to
//! another worker, and reports how many workers wait.

use crate::worker::{Beat, beat};
use crate::{Claim, Worker};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, mpsc};
use std::thread::JoinHandle;
use std::time::Duration;

/// Between two heartbeats at the most.
const LONGEST: Duration = Duration::from_millis(1_000);

/// Beats until it is dropped.
pub struct Heart {
    stop: Arc<AtomicBool>,
    hungry: Arc<AtomicU64>,
    beats: Arc<AtomicU64>,
    end: Option<(mpsc::Sender<()>, JoinHandle<()>)>,
}

impl Worker {
    /// Keeps an item alive. `stop` is set when the item belongs to another worker, or its job is over.
    pub fn keep_alive(&self, claim: &Claim, stop: Arc<AtomicBool>) -> Heart {
        let (hungry, beats) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
        let (sender, receiver) = mpsc::channel::<()>();
        let every = (claim.timeout / 5).min(LONGEST);
        let body = {
            let (queue, name, claim) = (self.queue.clone(), self.name.clone(), claim.clone());
            let (stop, hungry, beats) = (stop.clone(), hungry.clone(), beats.clone());
            move || {
                while receiver.recv_timeout(every) == Err(mpsc::RecvTimeoutError::Timeout) {
                    match beat(&queue, &name, &claim) {
                        Ok(Beat::Held { hungry: waiting }) => {
                            hungry.store(waiting, Ordering::Relaxed);
                            beats.fetch_add(1, Ordering::Release);
                        }
                        Ok(Beat::Lost | Beat::Over) => {
                            stop.store(true, Ordering::Relaxed);
                            return;
                        }
                        // The worker's own next request meets the same error, and reports it.
                        Err(_) => {}
                    }
                }
            }
        };
        let thread = std::thread::Builder::new().name("heartbeat".into()).spawn(body);
        // Without a thread the item may go to another worker: the work is done twice, and reported once.
        Heart { stop, hungry, beats, end: thread.ok().map(|thread| (sender, thread)) }
    }
}

impl Heart {
    /// Whether the work is of no more use.
    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// The number of heartbeats so far; [`Heart::hungry`] is fresh once per heartbeat.
    pub fn beats(&self) -> u64 {
        self.beats.load(Ordering::Acquire)
    }

    /// Workers that wait without an item.
    pub fn hungry(&self) -> u64 {
        self.hungry.load(Ordering::Relaxed)
    }
}

impl Drop for Heart {
    fn drop(&mut self) {
        if let Some((sender, thread)) = self.end.take() {
            drop(sender);
            // The thread ends by itself; joining it could block on an unreachable server.
            drop(thread);
        }
    }
}
