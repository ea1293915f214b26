//! What the machine counts: the instructions that were executed, and the arms that were taken.

use crate::coverage::Sources;
use evergreen_service::report::More;
use evergreen_wasm::WasmMachine;
use std::sync::Arc;

/// What was executed.
#[derive(Clone, Debug, Default)]
pub struct Counts {
    /// By instruction.
    executed: Vec<bool>,
    /// By arm of a conditional instruction.
    taken: Vec<bool>,
    /// The machine's number when both were copied.
    news: Option<u64>,
    sources: Option<Arc<Sources>>,
    /// The most elements of a buffer that a harness makes.
    elements: Option<u32>,
}

fn join(own: &mut Vec<bool>, more: &[bool]) {
    if own.len() < more.len() {
        own.resize(more.len(), false);
    }
    own.iter_mut().zip(more).for_each(|(own, more)| *own |= *more);
}

impl evergreen_service::Counts for Counts {
    fn add(&mut self, other: &Counts) {
        join(&mut self.executed, &other.executed);
        join(&mut self.taken, &other.taken);
        self.news = None;
        if self.sources.is_none() {
            self.sources.clone_from(&other.sources);
        }
        self.elements = self.elements.or(other.elements);
    }
}

impl Counts {
    /// The most elements of a buffer that a harness makes, if there is one.
    pub fn elements(&self) -> Option<u32> {
        self.elements
    }

    /// The arms of conditional instructions that were taken, by [`evergreen_wasm::Branch::first`].
    pub fn taken(&self) -> &[bool] {
        &self.taken
    }

    /// Copies what a machine has executed so far, if there is something new: this is called for each path.
    pub(crate) fn set(&mut self, machine: &WasmMachine, sources: &Arc<Sources>, elements: Option<u32>) {
        if self.news == Some(machine.news()) {
            return;
        }
        self.news = Some(machine.news());
        self.elements = elements;
        self.executed.clear();
        self.executed.extend_from_slice(machine.executed_flags());
        self.taken.clear();
        self.taken.extend_from_slice(machine.taken_flags());
        self.sources = Some(sources.clone());
    }

    /// What reports show.
    pub(crate) fn more(&self) -> More {
        let none = Sources::default();
        self.sources.as_deref().unwrap_or(&none).more(&self.executed, &self.taken)
    }
}
