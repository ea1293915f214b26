//! The program of a job, fetched from the queue and made ready to be explored.

use super::package::{Unpacked, unpack};
use super::sent::Sent;
use super::spec::Spec;
use crate::config::Settings;
use crate::explore::programs::{Making, Recording};
use crate::language::Written;
use evergreen::store::Store;
use evergreen_distributed::{Manners, Ready, Worked};
use evergreen_java::JavaFrontend;
use evergreen_queue::{Claim, Digest, Queue, Worker};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A job that this worker works for, in whatever language.
pub(crate) trait Job {
    /// Explores an item of it.
    fn work(&mut self, worker: &mut Worker, claim: Claim, manners: &Manners) -> Result<Worked, String>;
}

/// A program that this worker explores.
struct Fetched<F: Sent> {
    ready: Ready<F>,
    /// Its files, deleted on drop.
    _unpacked: Unpacked,
}

impl<F: Sent> Job for Fetched<F> {
    fn work(&mut self, worker: &mut Worker, claim: Claim, manners: &Manners) -> Result<Worked, String> {
        evergreen_distributed::work(worker, claim, &mut self.ready, manners)
    }
}

/// Where a job comes from, and what this worker works with.
pub(crate) struct Place<'p> {
    /// The queue.
    pub queue: &'p Queue,
    /// The worker's own solver.
    pub settings: &'p Settings,
    /// The worker's own store.
    pub store: Arc<dyn Store>,
}

/// Fetches the program of a job; or returns why this worker cannot explore it.
pub(super) fn fetch(spec: &[u8], place: &Place<'_>) -> Result<Box<dyn Job>, String> {
    let spec = Spec::read(spec)?;
    match spec.language {
        Written::Java => ready::<JavaFrontend>(&spec, place),
        Written::C => crate::explore::c::job(&spec, place),
    }
}

/// The same, for a job of this language.
pub(crate) fn ready<F: Sent>(spec: &Spec, place: &Place<'_>) -> Result<Box<dyn Job>, String> {
    F::check_platform(&spec.platform)?;
    let digest = Digest::read(&spec.program).ok_or("its program has no digest")?;
    let bytes = place.queue.blob(&digest).map_err(|e| e.to_string())?;
    let unpacked = unpack(&bytes.ok_or("its program is no longer in the queue")?)?;
    let mut settings = place.settings.clone();
    settings.timeout_ms = Some(spec.timeout_ms).filter(|&ms| ms > 0);
    let (program, flags) = (F::unpacked(&unpacked)?, &spec.exploring);
    let making =
        Making { flags, settings: &settings, store: place.store.clone(), recording: Recording::of(flags) };
    let exploration = F::exploration(&making, program, Some(spec.invariants.clone()), None)?;
    let inputs = F::inputs(flags)?;
    let mut options = crate::explore::options(flags, &Arc::new(AtomicBool::new(false)));
    options.sampling = F::sampling(flags);
    let ready = Ready { exploration, inputs, options };
    Ok(Box::new(Fetched::<F> { ready, _unpacked: unpacked }))
}
