//! Flags of `explore` about probabilities.

use clap::Args;
use std::path::PathBuf;

/// How likely paths and outcomes are, and what outcomes tell.
#[derive(Args, Clone, PartialEq, Debug)]
pub struct ProbabilityFlags {
    /// Say how likely each path and each outcome is: exact shares of the inputs, which are uniform in their ranges
    #[arg(long)]
    pub probability: bool,
    /// How inputs are distributed: regions with weights, docs/probability.md; the same as --probability otherwise
    #[arg(long, value_name = "FILE")]
    pub profile: Option<PathBuf>,
    /// Say how many bits the outcomes tell about these inputs; names with commas between
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub secret: Vec<String>,
}

impl ProbabilityFlags {
    /// Whether somebody wants to read probabilities.
    pub fn is_wanted(&self) -> bool {
        self.probability || self.profile.is_some() || !self.secret.is_empty()
    }
}
