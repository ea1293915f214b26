//! Cells one by one, for the exhibits of `evergreen-lab papers bliss`.

use super::{Cell, End, Study, machine};
use crate::flags::{BlissStudy, Via};
use evergreen::store::Memory;
use evergreen_java::heap::Technique;
use std::sync::Arc;
use std::time::Duration;

static FLAGS: BlissStudy = BlissStudy {
    subjects: Vec::new(),
    techniques: Vec::new(),
    scope: None,
    full: false,
    via: Via::Jvm,
    time: None,
    store: None,
    json: false,
    from: Vec::new(),
    out: None,
};

/// The compiled subjects, with a store in memory for field bounds and verdicts.
pub(crate) struct Bench(Study<'static>);

impl Bench {
    /// Compiles the subjects. A cell gets this much of the processor's time; zero is no limit.
    pub(crate) fn new(limit: Duration) -> Result<Bench, String> {
        let machine = Some(machine::Machine::new()?);
        let store = Arc::new(Memory::new(super::STORE_BYTES));
        let stop = crate::interrupt::flag_on_signal();
        Ok(Bench(Study { machine, flags: &FLAGS, store, stop, limit }))
    }

    /// Explores a cell.
    ///
    /// # Errors
    /// The machine's, or the user did not want to wait.
    pub(crate) fn cell(
        &self,
        subject: &'static str,
        technique: Technique,
        scope: usize,
    ) -> Result<Cell, String> {
        let cell = self.0.cell(subject, technique, scope)?;
        cell.filter(|c| c.end != End::Interrupted).ok_or_else(|| "interrupted".into())
    }
}
