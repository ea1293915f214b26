//! Flags of `explore`.

use super::choice::one_of;
use super::{ConcolicFlags, Exploring, FailingFlags, ProbabilityFlags, SolvingFlags, SuiteFlags};
use clap::{Args, ValueEnum};
pub(crate) use evergreen_host::time;
use std::path::PathBuf;
use std::time::Duration;

/// The end of `-h`.
const USUAL: &str = "\
Examples:
  evergreen explore examples/Coupon.java         every public method in turn
  evergreen explore TriTyp.java --out suite      JUnit tests, findings and paths in a folder
  evergreen explore TreeSet.java --method add --heap bliss --scope 5

Exit codes: 0 nothing found; 1 a finding (a failed assertion, an unexpected exception); 2 could not run, or \
no input fits a method; 3 no path at all. --help has all flags and more examples.";

/// The end of `--help`.
const MORE: &str = "\
Inputs: primitive parameters are symbolic, and so are arrays of primitives and strings up to --input-length. \
They are named after the parameters: x, a[0], a.length. A driver draws its own: Sym.anInt(\"x\"), \
Sym.choose(n), Sym.assume(b), Sym.check(b). A result that a bound on inputs limits names the bound: \"all \
paths within lengths up to 3 explored\".

Objects: with --heap the receiver and parameters of the program's classes are objects. Their fields get \
values when they are first read, up to --scope objects of a class. The class's repOK() or an invariant \
(docs/invariant-language.md) decides which objects are valid.

C programs: without flags such as --sym-stdin a program has no symbolic input. With --method a function is \
called in place of main; pointers lead to texts, buffers and structs, which are made when they are first read.

Examples:
  evergreen explore examples/Coupon.java         every public method in turn
  evergreen explore wc.c --sym-stdin 6           a program in C, by its standard input
  evergreen explore list.c --method sum --assume 'n <= len(a)'
  evergreen explore app.jar --method 'Money.split(II)I'
  evergreen explore examples/Coupon.java --range code=0..100
  evergreen explore TriTyp.java --out suite      JUnit tests, findings and paths in a folder
  evergreen explore examples/Coupon.java --suite suite
                                                 keeps the tests; the next run updates them
  evergreen explore Parser.class --order coverage --time 30s
  evergreen explore TreeSet.java --method add --heap bliss --scope 5
  evergreen explore TreeSet.java --method add --heap li --draw pictures --report add.html
  evergreen explore build/classes --sarif found.sarif --markdown \"$GITHUB_STEP_SUMMARY\"
  evergreen explore Login.java --probability --secret pin --concrete guess=1234 --range pin=0..9999

Findings: a violated assertion or check, and an exception that the machine or a library throws. An \
exception that the method declares (throws, @throws, Objects.requireNonNull) or throws by a statement of its \
own, and a null pointer exception because an argument is null, are noted in a line. --fail-on says which are \
findings.

Exit codes: 0 nothing found; 1 a finding; 2 could not run, or no input fits a method (such as no valid \
object within --scope); 3 nothing found, but no path could be explored, or not all with --require-complete.";

/// Flags of `explore`.
#[derive(Args, PartialEq, Debug)]
#[command(after_help = USUAL, after_long_help = MORE)]
pub(crate) struct Explore {
    /// What to explore: .java and .class files, jars, folders of class files; or .c, .cc, .cpp, .cxx files
    /// and .wasm modules
    ///
    /// Sources are compiled with the installed javac or clang.
    #[arg(required = true, value_name = "TARGET")]
    pub targets: Vec<PathBuf>,
    /// Where other classes are found, as `java -cp` has it
    #[arg(long, short = 'c', value_name = "PATHS", visible_alias = "cp")]
    pub class_path: Option<String>,
    /// The method: name, Class.name, name(II)I or name(int, int) [default: every public one]; or the function
    /// of a C program [default: main]
    #[arg(long, short = 'm', value_name = "METHOD")]
    pub method: Option<String>,
    #[command(flatten)]
    pub exploring: Exploring,
    #[command(flatten)]
    pub failing: FailingFlags,
    /// Threads; 0 is one per core. Paths, tests, findings and their order do not depend on it
    #[arg(long, short = 'j', value_name = "N", default_value_t = 1)]
    pub jobs: usize,
    #[command(flatten)]
    pub likely: ProbabilityFlags,
    /// Keep the inputs of findings as they were found; without this they are shrunk towards zero
    #[arg(long)]
    pub no_shrink: bool,
    /// Random walks at most, for arms of a Java method that no path takes: inputs beyond the bounds, and
    /// receivers on which other methods were called. Not with --suite, --between, --jobs, --queue,
    /// --property, probabilities, or conditions on inputs; 0 makes none
    #[arg(long, value_name = "N", default_value_t = 2_000)]
    pub walks: u32,
    /// Make the objects of tests field by field, also where public calls make the same
    #[arg(long)]
    pub no_calls: bool,
    /// Which JUnit the generated suite is for
    #[arg(long, value_name = "VERSION", value_parser = one_of::<JunitFlag>(), default_value = "5")]
    pub junit: JunitFlag,
    /// Have the workers of this queue explore (`evergreen work`, docs/distributed.md). This process retraces
    /// each path and decides again which arms are infeasible; with --trust all it accepts the workers'
    /// verdicts
    #[arg(long, value_name = "URL", conflicts_with = "jobs")]
    pub queue: Option<String>,
    /// After this time without a heartbeat a worker loses its part to another one
    #[arg(long, value_name = "TIME", default_value = "15s", value_parser = time, requires = "queue")]
    pub queue_timeout: Duration,
    /// Print events as JSON lines; the last one is the summary
    #[arg(long)]
    pub json: bool,
    /// Write the JUnit suite, the findings and the paths into this folder
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Write the tests of C programs in the format of KLEE, too: .ktest files beside the others, for
    /// ktest-tool and klee-replay
    #[arg(long, requires = "out")]
    pub ktest: bool,
    #[command(flatten)]
    pub suite: SuiteFlags,
    #[command(flatten)]
    pub concolic: ConcolicFlags,
    /// Draw the objects of each path into this folder: path-0001.svg, path-0001.dot, and so on (with --heap)
    #[arg(long, value_name = "DIR")]
    pub draw: Option<PathBuf>,
    /// The most structures that --draw draws
    #[arg(long, value_name = "N", default_value_t = 1_000, requires = "draw")]
    pub draw_most: u64,
    /// Write a report: one HTML file with findings, paths, drawings and numbers
    #[arg(long, value_name = "FILE.html")]
    pub report: Option<PathBuf>,
    /// Write the findings as SARIF 2.1.0, which code hosts and editors show in the source
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
    /// Deadline for one answer of the solver; the arm is undecided after it. 0 is none [default: 10000, or
    /// --time if that is less]
    #[arg(long, value_name = "MS")]
    pub timeout_ms: Option<u64>,
    /// Append one JSON object about the run to a file; `-` is standard error
    #[arg(long, value_name = "FILE")]
    pub stats: Option<String>,
}

impl Explore {
    /// The method that is explored, if one is named.
    pub(crate) fn entry(&self) -> Option<&str> {
        let inputs = &self.exploring.inputs;
        let main = (inputs.main || inputs.sym_main).then_some("main([Ljava/lang/String;)V");
        self.method.as_deref().or(main)
    }
}

/// Orders of exploration.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum OrderFlag {
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

/// When states are merged.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum MergeFlag {
    /// Never: every path is explored by itself, and counted
    Off,
    /// Once a Java method has 1,000 paths, with one job
    Auto,
    /// From the first branch on
    On,
}

/// Meanings of integers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum IntsFlag {
    /// As Java has them: 32 and 64 bits, wrapping around
    Exact,
    /// Unbounded, as the papers have them
    Math,
}

/// Versions of JUnit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum JunitFlag {
    /// JUnit 4
    #[value(name = "4")]
    Four,
    /// JUnit 5
    #[value(name = "5")]
    Five,
}
