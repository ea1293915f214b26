//! Flags of `explore` about probabilities.

use clap::Args;
use std::path::PathBuf;

/// How likely paths and outcomes are, and how much outcomes leak.
#[derive(Args, Clone, PartialEq, Debug)]
pub(crate) struct ProbabilityFlags {
    /// Print the probability of each path and outcome: exact shares of the inputs, uniform in their ranges
    #[arg(long)]
    pub probability: bool,
    /// As --probability, with inputs distributed as in this file: regions with weights (docs/probability.md)
    #[arg(long, value_name = "FILE")]
    pub profile: Option<PathBuf>,
    /// Print how many bits the outcomes leak about these inputs; names with commas between
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub secret: Vec<String>,
}

impl ProbabilityFlags {
    /// Whether probabilities are printed.
    pub(crate) fn is_wanted(&self) -> bool {
        self.probability || self.profile.is_some() || !self.secret.is_empty()
    }
}
