//! The program of a job, fetched from the queue and made ready to be explored.

use super::package::{Unpacked, unpack};
use super::spec::Spec;
use crate::config::Settings;
use evergreen::store::Store;
use evergreen_distributed::Ready;
use evergreen_java::JavaFrontend;
use evergreen_java::classfile::find_jdk;
use evergreen_queue::{Digest, Queue};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A program that this worker explores.
pub(super) struct Program {
    /// Ready to be explored.
    pub ready: Ready<JavaFrontend>,
    /// Its files, deleted on drop.
    _unpacked: Unpacked,
}

impl Program {
    /// Fetches the program of a job; or returns why this worker cannot explore it.
    pub(super) fn fetch(
        queue: &Queue,
        spec: &[u8],
        settings: &Settings,
        store: Arc<dyn Store>,
    ) -> Result<Program, String> {
        let jdk = find_jdk().map_err(|e| e.to_string())?;
        let spec = Spec::read(spec, &jdk.version)?;
        let digest = Digest::read(&spec.program).ok_or("its program has no digest")?;
        let bytes = queue.blob(&digest).map_err(|e| e.to_string())?;
        let unpacked = unpack(&bytes.ok_or("its program is no longer in the queue")?)?;
        let mut settings = settings.clone();
        settings.timeout_ms = Some(spec.timeout_ms).filter(|&ms| ms > 0);
        let program = unpacked.open(jdk).map_err(|e| e.to_string())?;
        let known = Some(spec.invariants());
        let exploring = &spec.exploring;
        let exploration = crate::explore::exploration(exploring, &settings, store, program, known)?;
        let inputs = crate::explore::inputs(exploring)?;
        let options = crate::explore::options(exploring, &Arc::new(AtomicBool::new(false)));
        Ok(Program { ready: Ready { exploration, inputs, options }, _unpacked: unpacked })
    }
}
