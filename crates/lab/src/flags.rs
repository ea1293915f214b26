//! The flags, and the help that teaches them.

mod bench;
mod duel;
mod mutate;
mod study;

pub use bench::*;
pub use duel::*;
pub use mutate::*;
pub use study::*;

use clap::{Parser, Subcommand};

/// Experiments that judge Evergreen.
#[derive(Parser)]
#[command(name = "evergreen-lab", version, max_term_width = 110)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub task: Task,
}

/// The experiments.
#[derive(Subcommand)]
pub enum Task {
    /// Compare the papers' techniques on streams of path queries and on programs, and make such streams
    Study(StudyTask),
    /// Measure: what reuse saves and what it costs
    Bench(BenchTask),
    /// Make mutants of Java classes: programs that differ in one instruction
    Mutate(Mutate),
    /// Compare every answer with bare solvers, on random scripts and paths
    Duel(Box<Duel>),
}
