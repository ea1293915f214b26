//! Exploration of programs, with every question about an arm answered by the reuse layer.

mod assume;
mod calls;
mod case;
mod changes;
mod compile;
mod complete;
mod decisions;
mod elsewhere;
mod ending;
mod excluded;
mod exploration;
mod graph;
mod heap_store;
mod inputs;
mod invariants;
mod leftovers;
mod line;
mod oracle;
mod pairs;
mod parallel;
mod part;
mod probability;
mod program;
mod remote;
mod run;
mod seeds;
mod settle;
mod shrink;
mod side;
mod source_text;
mod tally;

pub use assume::{AssumeError, assume};
pub use case::{misread, target};
pub use changes::{Affected, Changes, MethodKey};
pub use decisions::{Decision, DecisionKind};
pub use elsewhere::{Effort, Elsewhere, Heard, Retraced};
pub use ending::{Detail, How, PathEnd, Stop, java_value};
pub use exploration::Exploration;
pub use heap_store::{
    HeapEntry, HeapStore, HeapStoreCounts, StoredVerdicts, has_evidence, heap_entry, keeping,
};
pub use inputs::Inputs;
pub use invariants::{built_in, check_scopes, declared, invariants};
pub use line::{PathLine, PathLines};
pub use oracle::{BranchOracle, Maker, Trouble, answered};
pub use pairs::{Agreement, Kept, Pair, PairCounts, Pairs};
pub use parallel::{Finished, Paths, Team, Telling, Together, Workers, with_workers};
pub use part::{Part, Unresumed};
pub use probability::{
    Bits, Class, Distribution, Leak, Likelihood, Mass, MassCounts, Masses, Measure, Profile, ProfileError,
    Publics, Region,
};
pub use program::{MethodRef, Opened, Program, ProgramError};
pub use remote::{Forward, RemoteEnd, RemotePath, Retrace, Untold, Untrue};
pub use run::{Collected, Run};
pub use seeds::{OldTests, Retirement, misfit};
pub use shrink::shrink;
pub use source_text::source_text;
pub use tally::Tally;

pub use evergreen_explore::*;

/// Symbolic values and conditions.
pub mod symbolic {
    pub use evergreen_symbolic::*;
}

/// Lazily initialized heaps.
pub mod heap {
    pub use evergreen_heap::*;
}

/// The machine.
pub mod jvm {
    pub use evergreen_jvm::*;
}

/// Test cases on the real JVM.
pub mod replay {
    pub use evergreen_replay::*;
}

/// Suites on disk, and what an exploration changes in them.
pub mod suite {
    pub use evergreen_suite::*;
}

/// Class files and where they are found.
pub mod classfile {
    pub use evergreen_classfile::*;
}
