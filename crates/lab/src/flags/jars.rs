//! Flags of `study jars`.

use clap::Args;
use evergreen_host::time;
use std::path::PathBuf;
use std::time::Duration;

/// Flags of `study jars`.
#[derive(Args)]
pub(crate) struct JarsStudy {
    /// The jars [default: those in .tools/jars]
    #[arg(value_name = "JAR")]
    pub jars: Vec<PathBuf>,
    /// Only methods of jars and classes whose names contain this; several times for several
    #[arg(long, value_name = "NAME")]
    pub only: Vec<String>,
    /// So many methods of each jar
    #[arg(long, value_name = "N", default_value_t = 100, conflicts_with = "all")]
    pub sample: usize,
    /// All public methods
    #[arg(long)]
    pub all: bool,
    /// Processor time of a method: exploring, solvers, replays
    #[arg(long, value_name = "TIME", default_value = "4s", value_parser = time)]
    pub time: Duration,
    /// Where results are kept
    #[arg(long, value_name = "DIR", default_value = "target/jars")]
    pub work: PathBuf,
    /// Explore methods again that have a reason with this in it; several times for several; "" for all
    #[arg(long, value_name = "TEXT")]
    pub again: Vec<String>,
    /// Print JSON: a line for each method, then the sums
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
