//! Flags of `papers`.

use crate::papers::Paper;
use clap::Args;
use std::path::PathBuf;

/// Flags of `papers`.
#[derive(Args)]
#[command(after_help = "\
Without a paper all of them run, and docs/studies/papers.md and papers.html are written. What was measured \
is kept in --work: a run that was interrupted continues where it was. Exit code 1 when a table or figure \
could not be made.

Examples:
  evergreen-lab papers
  evergreen-lab papers green --table 4
  evergreen-lab papers comparative --figure 5 --figure 6 --json
  evergreen-lab papers bliss --full --out bliss.md")]
pub(crate) struct Papers {
    /// Only this paper
    #[arg(value_enum)]
    pub paper: Option<Paper>,
    /// Only this table, as the paper numbers it: 3, VIII
    #[arg(long, value_name = "N")]
    pub table: Vec<String>,
    /// Only this figure, as the paper numbers it
    #[arg(long, value_name = "N")]
    pub figure: Vec<String>,
    /// To the papers' largest sizes
    #[arg(long)]
    pub full: bool,
    /// Where results are kept while it runs
    #[arg(long, value_name = "DIR", default_value = "target/papers")]
    pub work: PathBuf,
    /// Take results that another build of this program measured
    #[arg(long)]
    pub stale: bool,
    /// Two versions of utilities as WebAssembly modules, for incremental's figure 6 and comparative's figure
    /// 5: DIR/old/NAME.wasm and DIR/new/NAME.wasm; a line in DIR/RELEASES names them [default: coreutils in
    /// --work, if it exists]
    #[arg(long, value_name = "DIR")]
    pub modules: Option<PathBuf>,
    /// The folder of the subjects
    #[arg(long, value_name = "DIR", default_value = "subjects")]
    pub subjects: PathBuf,
    /// The solver: a name, or a command line in quotes
    #[arg(long, value_name = "COMMAND", default_value = "z3")]
    pub solver: String,
    /// A folder of query logs that KLEE wrote, plain or gzipped (comparative study)
    #[arg(long, value_name = "DIR")]
    pub logs: Option<PathBuf>,
    /// Print one JSON object for each table or figure
    #[arg(long)]
    pub json: bool,
    /// Write the pages here: FILE in Markdown, and one in HTML beside it
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}
