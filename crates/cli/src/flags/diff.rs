//! Flags of `diff`.

use super::{InputFlags, SolvingFlags};
use clap::Args;
use std::path::PathBuf;

/// The end of `-h`.
const USUAL: &str = "\
Examples:
  evergreen diff old.jar new.jar
  evergreen diff HEAD~1 HEAD --source src/main/java      two revisions in git

Exit codes: 0 no difference within the reported bounds; 1 some input behaves differently; 2 could not run, \
or no input fits a method. --help has all flags and more examples.";

/// The end of `--help`.
const MORE: &str = "\
A version is a jar, a folder of class files or of sources, a .java or .class file, a .c file or a list of \
them with commas; or a revision of the \
source tree --source, such as HEAD~1 or v1.2, which is read from git without touching the work tree. Without \
NEW it is compared with the files of --source as they are now.

Public methods that changed, or that may run changed code, are explored in both versions. Every input that \
is found runs on the installed JVM in both. For each pair of paths, one of each version, that share inputs, \
the solver looks for an input on which their results differ.

Examples:
  evergreen diff old.jar new.jar
  evergreen diff v0/Dates.java v1/Dates.java --method next
  evergreen diff HEAD~1 HEAD --source src/main/java --markdown summary.md
  evergreen diff main --source . --class-path 'lib/*'    the work tree against a branch
  evergreen diff old.c new.c --sym-stdin 4               C programs; also main.c,util.c and folders
  evergreen diff HEAD~1 --source src -I src/include --method parse

Exit codes: 0 no difference within the reported bounds; 1 some input behaves differently; 2 could not run, \
or no input fits a method.";

/// Flags of `diff`.
#[derive(Args, PartialEq, Debug)]
#[command(after_help = USUAL, after_long_help = MORE)]
pub(crate) struct Diff {
    /// The old version
    pub old: PathBuf,
    /// The new version
    pub new: Option<PathBuf>,
    /// OLD and NEW are revisions of the git repository that this folder is in, and of it this folder
    #[arg(long, value_name = "DIR")]
    pub source: Option<PathBuf>,
    /// Where other classes are found, as `java -cp` has it
    #[arg(long, short = 'c', value_name = "PATHS", visible_alias = "cp")]
    pub class_path: Option<String>,
    /// The same for the old version, if it differs
    #[arg(long, value_name = "PATHS")]
    pub old_class_path: Option<String>,
    /// Compare this method: name, Class.name, name(II)I or name(int, int) [default: every public one that is
    /// touched]
    #[arg(long, short = 'm', value_name = "METHOD")]
    pub method: Option<String>,
    /// List the tests of the suite in this folder that call touched methods, and run them on both versions
    #[arg(long, value_name = "DIR")]
    pub suite: Option<PathBuf>,
    /// List what changed, and run nothing
    #[arg(long)]
    pub changes_only: bool,
    /// Do not search pairs of paths for inputs with different results
    #[arg(long)]
    pub no_pairs: bool,
    #[command(flatten)]
    pub inputs: InputFlags,
    /// Print events as JSON lines; the last one is the summary
    #[arg(long)]
    pub json: bool,
    /// Append a summary in Markdown, such as to $GITHUB_STEP_SUMMARY
    #[arg(long, value_name = "FILE")]
    pub markdown: Option<PathBuf>,
    /// Write the differences as SARIF 2.1.0
    #[arg(long, value_name = "FILE")]
    pub sarif: Option<PathBuf>,
    /// Write JUnit tests of the differences into this folder: they expect what the old version does
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub solving: SolvingFlags,
    /// Deadline for one answer of the solver
    #[arg(long, value_name = "MS")]
    pub timeout_ms: Option<u64>,
}
