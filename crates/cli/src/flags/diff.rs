//! Flags of `diff`.

use super::{InputFlags, SolvingFlags};
use clap::Args;
use std::path::PathBuf;

/// Flags of `diff`.
#[derive(Args, PartialEq, Debug)]
#[command(after_help = "\
A version is a jar, a folder of class files or of sources, a .java or .class file; or a revision of the source tree --source, such
as HEAD~1 or v1.2, which is read from git without touching the work tree. Without NEW the files of --source as they are now.

Public methods that changed, or that may run what changed, are explored in both versions; every input that is found runs on the
installed JVM in both. A pair of paths, one of each version, that share inputs is asked for one where the results differ.

Examples:
  evergreen diff old.jar new.jar
  evergreen diff v0/Dates.java v1/Dates.java --method next
  evergreen diff HEAD~1 HEAD --source src/main/java --markdown summary.md
  evergreen diff main --source . --class-path 'lib/*'       the work tree against a branch

Exit codes: 0 no difference (within the bounds that are told), 1 some input behaves differently, 2 could not run, or no
input fits a method.")]
pub struct Diff {
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
    /// The same for the old version, if that is another
    #[arg(long, value_name = "PATHS")]
    pub old_class_path: Option<String>,
    /// Compare this method: name, Class.name, name(II)I or name(int, int) [default: every public one that is touched]
    #[arg(long, short = 'm', value_name = "METHOD")]
    pub method: Option<String>,
    /// Say which tests of the suite in this folder call what is touched, and run them on both versions
    #[arg(long, value_name = "DIR")]
    pub suite: Option<PathBuf>,
    /// Say what changed, and run nothing
    #[arg(long)]
    pub changes_only: bool,
    /// Do not ask for inputs on which two paths give different results
    #[arg(long)]
    pub no_pairs: bool,
    #[command(flatten)]
    pub inputs: InputFlags,
    /// Print events as JSON lines; the last one is the summary
    #[arg(long)]
    pub json: bool,
    /// Write a summary in Markdown, such as for $GITHUB_STEP_SUMMARY; what the file has stays before it
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
    /// Kill the solver when one answer takes longer
    #[arg(long, value_name = "MS")]
    pub timeout_ms: Option<u64>,
}
