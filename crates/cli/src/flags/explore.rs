//! Flags of `explore`.

use super::choice::one_of;
use super::{Exploring, ProbabilityFlags, SolvingFlags, SuiteFlags};
use clap::{Args, ValueEnum};
pub use evergreen_host::time;
use std::path::PathBuf;
use std::time::Duration;

/// Flags of `explore`.
#[derive(Args, PartialEq, Debug)]
#[command(after_help = "\
Primitive parameters are symbolic; so are arrays of primitives and strings up to --input-length. A result that a bound on inputs
limits says so: \"all paths within lengths up to 3 explored\". Inputs are named after the parameters: x, a[0], a.length. A driver draws its own: Sym.anInt(\"x\"), Sym.choose(n), Sym.assume(b), Sym.check(b).

Objects: with --heap the receiver and parameters of the program's classes are objects whose fields get values when they are
first read, up to --scope of a class. What makes them valid says the class's repOK(), or an invariant (docs/invariant-language.md).

Examples:
  evergreen explore TreeSet.java --method add --heap bliss --scope 5
  evergreen explore Account.java                            every public method in turn
  evergreen explore app.jar --method 'Money.split(II)I'     one method of a jar
  evergreen explore Sort.java --method sort --range n=0..6 --assume 'lo <= hi'
  evergreen explore TriTyp.java --out suite                 JUnit tests, findings and paths in a folder
  evergreen explore Parser.class --order coverage --time 30s
  evergreen explore Account.java --suite suite              tests that are kept, and brought up to date by the next run
  evergreen explore TreeSet.java --method add --heap li --draw pictures --report add.html
  evergreen explore build/classes --sarif found.sarif --markdown \"$GITHUB_STEP_SUMMARY\"
  evergreen explore Login.java --probability --secret pin --concrete guess=1234 --range pin=0..9999

Exit codes: 0 nothing found, 1 something was found (an assertion, an uncaught exception, a failed check), 2 could not
run, or no input fits a method (such as no valid object within --scope).")]
pub struct Explore {
    /// What to explore: .java files (compiled with the installed javac), .class files, jars, folders of class files
    #[arg(required = true, value_name = "TARGET")]
    pub targets: Vec<PathBuf>,
    /// Where other classes are found, as `java -cp` has it
    #[arg(long, short = 'c', value_name = "PATHS", visible_alias = "cp")]
    pub class_path: Option<String>,
    /// The method: name, Class.name, name(II)I or name(int, int) [default: every public one]
    #[arg(long, short = 'm', value_name = "METHOD")]
    pub method: Option<String>,
    #[command(flatten)]
    pub exploring: Exploring,
    /// Explore with so many threads; 0 is one for each core. Paths, tests and findings are the same, in the same order, however many there are
    #[arg(long, short = 'j', value_name = "N", default_value_t = 1)]
    pub jobs: usize,
    #[command(flatten)]
    pub likely: ProbabilityFlags,
    /// Leave the inputs of findings as they were found; otherwise they are brought near to zero
    #[arg(long)]
    pub no_shrink: bool,
    /// Have the suite make objects field by field, even where public calls make the same
    #[arg(long)]
    pub no_calls: bool,
    /// Which JUnit the generated suite is for
    #[arg(long, value_name = "VERSION", value_parser = one_of::<JunitFlag>(), default_value = "5")]
    pub junit: JunitFlag,
    /// Have workers explore: those of `evergreen work --queue URL`, on any number of machines (docs/distributed.md). Every path is gone again here,
    /// and arms that they call infeasible are asked about here, unless --trust all says to take their word
    #[arg(long, value_name = "URL", conflicts_with = "jobs")]
    pub queue: Option<String>,
    /// A part of the work whose worker was not heard of for so long is given to another
    #[arg(long, value_name = "TIME", default_value = "15s", value_parser = time, requires = "queue")]
    pub queue_timeout: Duration,
    /// Print events as JSON lines; the last one is the summary
    #[arg(long)]
    pub json: bool,
    /// Write the JUnit suite, the findings and the paths into this folder
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub suite: SuiteFlags,
    /// Draw the objects of each path into this folder: path-0001.svg, path-0001.dot, and so on (with --heap)
    #[arg(long, value_name = "DIR")]
    pub draw: Option<PathBuf>,
    /// The most structures that --draw draws
    #[arg(long, value_name = "N", default_value_t = 1_000, requires = "draw")]
    pub draw_most: u64,
    /// Write a report for people: one HTML file with findings, paths, drawings and numbers
    #[arg(long, value_name = "FILE.html")]
    pub report: Option<PathBuf>,
    /// Write the findings as SARIF 2.1.0, which code hosts and editors show at the lines
    #[arg(long, value_name = "FILE")]
    pub sarif: Option<PathBuf>,
    /// Append a summary in Markdown, such as to $GITHUB_STEP_SUMMARY
    #[arg(long, value_name = "FILE")]
    pub markdown: Option<PathBuf>,
    /// Print every path, not only findings
    #[arg(long, short = 'v')]
    pub verbose: bool,
    #[command(flatten)]
    pub solving: SolvingFlags,
    /// Kill the solver when one answer takes longer; the arm is then undecided. 0 is no limit [default: 10000, or --time if
    /// that is less]
    #[arg(long, value_name = "MS")]
    pub timeout_ms: Option<u64>,
    /// Append one JSON object about the run to a file; `-` is standard error
    #[arg(long, value_name = "FILE")]
    pub stats: Option<String>,
}

/// Orders of exploration.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum OrderFlag {
    /// Depth first, true arm first: the papers' order
    Dfs,
    /// Breadth first
    Bfs,
    /// Any, by a seed
    Random,
    /// The path whose last arm was taken least often
    Coverage,
    /// The most likely path: so few paths cover most of the inputs
    Likely,
}

/// Meanings of integers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum IntsFlag {
    /// As Java has them: 32 and 64 bits, wrapping around
    Exact,
    /// Unbounded, as the papers have them
    Math,
}

/// Versions of JUnit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum JunitFlag {
    /// JUnit 4
    #[value(name = "4")]
    Four,
    /// JUnit 5
    #[value(name = "5")]
    Five,
}
