//! What the machine counts: the instructions that were executed, and the arms that were taken.

use crate::coverage::Sources;
use crate::harness::Sizes;
use evergreen_service::report::More;
use evergreen_wasm::WasmMachine;
use std::collections::BTreeMap;
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
    /// How large the inputs are that a harness makes.
    sizes: Option<Sizes>,
    /// Whether an input could have had one more object of a type.
    pub(crate) is_scoped: bool,
    /// Names that the user has set something for, and whether an input had each.
    pub(crate) named: BTreeMap<String, bool>,
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
        self.is_scoped |= other.is_scoped;
        for (name, has_met) in &other.named {
            *self.named.entry(name.clone()).or_insert(false) |= has_met;
        }
        if self.sizes.is_none() {
            self.sizes.clone_from(&other.sizes);
        }
    }
}

impl Counts {
    /// How large the inputs are that a harness makes, if there is one that makes buffers.
    pub fn sizes(&self) -> Option<&Sizes> {
        self.sizes.as_ref()
    }

    /// Names that the user has set something for and that no input had.
    pub fn unmet(&self) -> impl Iterator<Item = &str> {
        self.named.iter().filter(|(_, has_met)| !**has_met).map(|(name, _)| name.as_str())
    }

    /// Whether an input could have had one more object of a type.
    pub fn is_scoped(&self) -> bool {
        self.is_scoped
    }

    /// The arms of conditional instructions that were taken, by [`evergreen_wasm::Branch::first`].
    pub fn taken(&self) -> &[bool] {
        &self.taken
    }

    /// Copies what a machine has executed so far, if there is something new: this is called for each path.
    pub(crate) fn set(&mut self, machine: &WasmMachine, sources: &Arc<Sources>, sizes: Option<&Sizes>) {
        if self.news == Some(machine.news()) {
            return;
        }
        self.news = Some(machine.news());
        self.sizes = sizes.cloned();
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
