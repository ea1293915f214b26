//! The flags, and the help that teaches them.

mod bench;
mod duel;
mod jars;
mod mutate;
mod papers;
mod study;
mod svcomp;

pub(crate) use bench::*;
pub(crate) use duel::*;
pub(crate) use jars::*;
pub(crate) use mutate::*;
pub(crate) use papers::*;
pub(crate) use study::*;
pub(crate) use svcomp::*;

use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;

/// Experiments that judge Evergreen.
#[derive(Parser)]
#[command(name = "evergreen-lab", version, max_term_width = 110)]
pub(crate) struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub task: Task,
}

/// The experiments.
#[derive(Subcommand)]
pub(crate) enum Task {
    /// Compare the papers' techniques on streams of path queries and on programs, and make such streams
    Study(StudyTask),
    /// Measure: what reuse saves and what it costs
    Bench(BenchTask),
    /// Make mutants of Java classes: programs that differ in one instruction
    Mutate(Mutate),
    /// Compare the counts of two pages that a study wrote; exit code 1 when some differ
    Compare(Compare),
    /// Run the verification community's Java tasks and score them as its competition does
    Svcomp(Box<Svcomp>),
    /// Make the tables and figures of the five papers, each beside ours
    Papers(Box<Papers>),
    /// Compare every answer with bare solvers, on random scripts and paths
    Duel(Box<Duel>),
}

/// Flags of `compare`.
#[derive(Args)]
#[command(after_help = "\
Times are not compared. scripts/compare-studies.sh runs the studies again and compares each with its page.

Example:
  evergreen-lab study explore --out target/explore-study.md
  evergreen-lab compare docs/studies/explore-study.md target/explore-study.md")]
pub(crate) struct Compare {
    /// The page as it was
    pub old: PathBuf,
    /// The page that is compared with it
    pub new: PathBuf,
    /// Compare only what both pages have
    #[arg(long)]
    pub part: bool,
}
