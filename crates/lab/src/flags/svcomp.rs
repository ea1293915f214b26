//! Flags of `svcomp`.

use clap::Args;
use evergreen_host::time;
use std::path::PathBuf;
use std::time::Duration;

/// Flags of `svcomp`.
#[derive(Args)]
#[command(after_help = "\
DIR is a copy of the community's Java tasks: folders with NAME.yml and the sources that it names. A task \
whose property is that no assertion fails is compiled and explored by `evergreen explore --main`. A \
violation that the JVM repeats is `false`; `true` needs all paths explored; everything else is unknown. \
Points are those of the competition: 2 for a right true, 1 for a right false, -32 for a wrong true, -16 \
for a wrong false.

What is done is kept in --work and not done again: a run that was interrupted continues.

Examples:
  evergreen-lab svcomp java-sv-benchmarks --limit 8s
  evergreen-lab svcomp java-sv-benchmarks --only MinePump --json
  evergreen-lab svcomp java-sv-benchmarks --limit 30s --again-unknown --page docs/studies/svcomp.md")]
pub(crate) struct Svcomp {
    /// The folder of the tasks
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// Processor time of a task, its compilation included
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = time)]
    pub limit: Duration,
    /// Only tasks whose name contains this; several times for several
    #[arg(long, value_name = "TEXT")]
    pub only: Vec<String>,
    /// Where classes and results are kept
    #[arg(long, value_name = "DIR", default_value = "target/svcomp")]
    pub work: PathBuf,
    /// Run tasks again that had no verdict
    #[arg(long)]
    pub again_unknown: bool,
    /// Run all tasks again
    #[arg(long, conflicts_with = "again_unknown")]
    pub again: bool,
    /// Tasks at once
    #[arg(long, short = 'j', value_name = "N", default_value_t = 1)]
    pub jobs: usize,
    /// Print JSON: a line for each task, then the sums
    #[arg(long)]
    pub json: bool,
    /// Write the page of the study
    #[arg(long, value_name = "FILE.md")]
    pub page: Option<PathBuf>,
    /// The program to be judged [default: `evergreen` beside this one, else on PATH]
    #[arg(long, value_name = "FILE")]
    pub evergreen: Option<PathBuf>,
    /// More flags for `evergreen explore`, behind --
    #[arg(last = true, value_name = "FLAG")]
    pub more: Vec<String>,
}
