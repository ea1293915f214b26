//! Flags of `work`.

use super::SolvingFlags;
use clap::Args;

/// Flags of `work`.
#[derive(Args)]
#[command(after_help = "\
A worker claims parts of explorations from a queue, explores them and reports their paths. Any number of \
workers on any number of machines share a queue; a worker that dies loses nothing. Solver and stores are the \
worker's own; a network store that all share (--store DIR --store redis://host) gives every worker every \
answer.

Examples:
  evergreen work --queue redis://host                       one worker, until Ctrl-C
  evergreen explore app.jar --queue redis://host            submits to it
  evergreen work --queue redis://host --once                until no job is left
  evergreen work --queue redis://host --list                jobs, and how they stand

Exit codes: 0 done, 2 could not run.")]
pub(crate) struct Work {
    /// Where the queue is: redis://host/db, rediss:// (TLS), redis+unix:///socket
    #[arg(long, value_name = "URL")]
    pub queue: String,
    /// Stop when no job is left that this worker can work for
    #[arg(long)]
    pub once: bool,
    /// Show the jobs and stop
    #[arg(long, conflicts_with_all = ["once", "cancel"])]
    pub list: bool,
    /// End a job, by its name in --list
    #[arg(long, value_name = "JOB", conflicts_with = "once")]
    pub cancel: Option<String>,
    /// Give parts of an item away when it lasts longer than this and other workers wait
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = super::time)]
    pub split_after: std::time::Duration,
    /// Say which items are explored
    #[arg(long, short = 'v')]
    pub verbose: bool,
    #[command(flatten)]
    pub solving: SolvingFlags,
}
