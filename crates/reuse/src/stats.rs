//! Counters of a run.

use std::time::Duration;

/// The stages whose time is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// Splitting and slicing.
    Slice,
    /// Canonical form and key.
    Canonize,
    /// Store look-ups and decoding.
    LookUp,
    /// Evaluating constraints under models.
    Check,
    /// Waiting for a solver.
    Solve,
    /// Encoding and putting.
    Record,
}

impl Stage {
    /// Every stage, in the order of the path.
    pub const ALL: [Stage; 6] =
        [Stage::Slice, Stage::Canonize, Stage::LookUp, Stage::Check, Stage::Solve, Stage::Record];

    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Slice => "slice",
            Stage::Canonize => "canonize",
            Stage::LookUp => "look_up",
            Stage::Check => "check",
            Stage::Solve => "solve",
            Stage::Record => "record",
        }
    }
}

/// What a run did and what it was spared.
#[derive(Clone, Default, Debug)]
pub struct Stats {
    /// Questions asked by the client.
    pub queries: u64,
    /// Parts that queries were cut into.
    pub slices: u64,
    /// Parts decided by canonizing alone.
    pub trivial: u64,
    /// Parts answered by a record with the same key.
    pub exact: u64,
    /// Questions that reached a solver.
    pub solved: u64,
    /// Of these, undecided.
    pub unknown: u64,
    /// Answers recorded.
    pub recorded: u64,
    /// Records that did not hold for the query they were found for.
    pub rejected: u64,
    /// Fresh models that our own evaluation contradicts.
    pub contradicted: u64,
    /// What the reused answers took to solve when they were solved.
    pub saved: Duration,
    /// Time per stage, in the order of [`Stage::ALL`].
    pub stages: [Duration; 6],
}

impl Stats {
    pub(crate) fn add(&mut self, stage: Stage, time: Duration) {
        self.stages[stage as usize] += time;
    }

    /// The time of a stage.
    pub fn stage(&self, stage: Stage) -> Duration {
        self.stages[stage as usize]
    }
}
