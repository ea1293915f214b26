//! Flags of `explore` for dynamic symbolic execution.

use clap::Args;
use std::path::PathBuf;

/// Flags for runs of given inputs, and for inputs that are made from them.
#[derive(Args, Clone, Default, PartialEq, Debug)]
pub(crate) struct ConcolicFlags {
    /// Run inputs to the end first, then ask about the arms that they left, one by one, and run the inputs of
    /// each answer in turn; arms that were taken least come first. Begins with the tests of --suite or
    /// --tests, or with one input that is made up
    #[arg(long, conflicts_with_all = ["jobs", "queue"])]
    pub concolic: bool,
    /// Begin with the tests of this folder, which a run with --suite made, or with the inputs of this file of
    /// JSON, as --json prints them; both stay as they are
    #[arg(long, value_name = "DIR|FILE", requires = "concolic", conflicts_with = "suite")]
    pub tests: Option<PathBuf>,
    /// How many times inputs are made from others: 0 runs the tests alone
    #[arg(long, value_name = "N", requires = "concolic")]
    pub generations: Option<u32>,
}
