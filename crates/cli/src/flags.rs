//! The flags, and the help that teaches them.

mod count;
mod diff;
mod explore;
mod inputs;
mod mutate;
mod probability;
mod solving;
mod study;
mod suite;
mod work;

pub use count::*;
pub use diff::*;
pub use explore::*;
pub use inputs::*;
pub use mutate::*;
pub use probability::*;
pub use solving::*;
pub use study::*;
pub use suite::*;
pub use work::*;

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Answers constraint queries from everything that was ever solved, and solves only the rest.
#[derive(Parser)]
#[command(
    name = "evergreen",
    version,
    max_term_width = 110,
    after_help = "\
Start here:
  evergreen solve file.smt2          answer a script; the second time no solver is started
  evergreen shim install ~/shims     links called z3, cvc5, yices-smt2, bitwuzla that are Evergreen
  PATH=~/shims:$PATH dafny ...       put it in front of a tool that you already use
  evergreen store stats              what is in the store and what it has saved
  evergreen count file.smt2 --domain x:0..999
                                     how many solutions there are
  evergreen explore Account.java     paths, bugs and tests of Java code
  evergreen diff old.jar new.jar     what behaves differently in the new version

Where no flags can be passed, the environment configures it: EVERGREEN_STORE, EVERGREEN_MODE, EVERGREEN_TRUST,
EVERGREEN_SOLVER, EVERGREEN_REUSE, EVERGREEN_CORES, EVERGREEN_NATIVE, EVERGREEN_STATS, EVERGREEN_LOG,
EVERGREEN_TIMEOUT_MS, EVERGREEN_MEMORY_MB, EVERGREEN_OFF; and so does the file ~/.config/evergreen/config.toml (or
EVERGREEN_CONFIG). Flags win over the environment, the environment over the file.

Exit codes: 0 done, 1 the script had errors or exploring found something, 2 could not run or (under require-hit) a query was not in the store,
3 count found no exact number, 4 an audit (--audit) found a reused answer that the solver contradicts."
)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub task: Task,
}

/// The tasks.
#[derive(Subcommand)]
pub enum Task {
    /// Answer an SMT-LIB 2 script, as the solver would, from the store where that is possible
    Solve(Solve),
    /// Count the solutions of an SMT-LIB 2 script over linear integer arithmetic, exactly
    Count(Count),
    /// Links that make other tools call Evergreen in place of a solver
    Shim(ShimTask),
    /// Look at a store, move it, clean it
    Store(StoreTask),
    /// Measure: what reuse saves and what it costs
    Bench(BenchTask),
    /// Explore the paths of Java methods: inputs, bugs, tests
    Explore(Box<Explore>),
    /// Compare two versions of a program: what changed, and inputs on which they behave differently
    Diff(Box<Diff>),
    /// Explore for others: claim parts of explorations from a queue
    Work(Box<Work>),
    /// Compute which values the fields of each object can have in any valid structure of a scope
    Bounds(BoundsTask),
    /// Make mutants of Java classes: programs that differ in one instruction
    Mutate(Mutate),
    /// Compare the papers' techniques on streams of path queries, and make such streams
    Study(StudyTask),
}

/// Flags of `solve`.
#[derive(Args)]
#[command(after_help = "\
Examples:
  evergreen solve query.smt2                            z3 behind the user's own store on disk
  evergreen solve --solver 'cvc5 --nl-cov' < query.smt2 another solver, with arguments
  evergreen solve --store memory: --store redis://cache.example.org query.smt2
  evergreen solve --mode require-hit query.smt2         for CI: exit code 2 when something would have to be solved
  evergreen solve --stats - query.smt2                  one JSON object about the run on standard error")]
pub struct Solve {
    /// The script; standard input when absent or `-`
    pub file: Option<PathBuf>,
    #[command(flatten)]
    pub solving: SolvingFlags,
    /// Kill the solver when one answer takes longer
    #[arg(long, value_name = "MS")]
    pub timeout_ms: Option<u64>,
    /// Append one JSON object about the run to a file; `-` is standard error
    #[arg(long, value_name = "FILE")]
    pub stats: Option<String>,
    /// Write remarks (options that a solver refused, text that was not understood) to a file; `-` is standard error
    #[arg(long, value_name = "FILE")]
    pub log: Option<String>,
    /// Print a summary of the run to standard error
    #[arg(long)]
    pub summary: bool,
}

/// Flags of `bounds`.
#[derive(Args)]
#[command(after_help = "\
Objects have labels in breadth-first order, the root object 0. A pair says that a field of a label can hold a label, or null.
Bounds are kept in the store; those of a smaller scope are a part of those of a larger one, and are not asked again.

Examples:
  evergreen bounds TreeSet.inv --scope 20
  evergreen bounds TreeSet.java --scope 8 --json    an invariant beside it, or in its annotation
  evergreen bounds java.util.TreeMap --scope 6      one that comes with Evergreen")]
pub struct BoundsTask {
    /// An invariant (.inv), a class that has one (.java, .class), or a collection of the JDK
    #[arg(value_name = "CLASS|FILE")]
    pub class: String,
    /// The most objects of a class: N for each class, or Class=N
    #[arg(long, value_name = "N", value_parser = scope, required = true)]
    pub scope: Vec<(String, u32)>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub stores: Stores,
}

/// `shim` and its verbs.
#[derive(Args)]
pub struct ShimTask {
    #[command(subcommand)]
    pub verb: ShimVerb,
}

/// What to do with shims.
#[derive(Subcommand)]
pub enum ShimVerb {
    /// Make links to this program under the names of solvers
    Install {
        /// The folder for the links; put it first on PATH, or give a tool the path of one link
        dir: PathBuf,
        /// Names of the links
        #[arg(long = "name", value_name = "NAME", default_values_t = ["z3", "cvc5", "yices-smt2", "bitwuzla"].map(String::from))]
        names: Vec<String>,
        /// Replace files that are in the way
        #[arg(long)]
        force: bool,
    },
}

/// `store` and its verbs.
#[derive(Args)]
pub struct StoreTask {
    #[command(subcommand)]
    pub verb: StoreVerb,
    /// The store [default: the user's cache]
    #[arg(long, global = true, value_name = "PATH|URL")]
    pub store: Option<String>,
    /// Print JSON
    #[arg(long, global = true)]
    pub json: bool,
}

/// What is said about imported answers.
const IMPORTED: &str = "\
Whoever could write the source could write false answers into it. So its entries keep a mark: a model is evaluated and a
certificate checked before an answer is used, and what carries neither is solved again, until it was checked or solved here.
With --trust all the marks are those that the source has: what was found there counts as found here.";

/// What to do with a store.
#[derive(Subcommand)]
pub enum StoreVerb {
    /// Where the default store is
    Path,
    /// What is in it, and what its answers took to solve
    Stats,
    /// Write every entry into one file (sorted, so equal stores give equal files)
    Export {
        /// The file
        file: PathBuf,
    },
    /// Read a file that `export` wrote
    #[command(after_help = IMPORTED)]
    Import {
        /// The file
        file: PathBuf,
        /// Whether its answers are used without evidence: `all` takes them as found here
        #[arg(long, value_enum, default_value = "local")]
        trust: Trusted,
    },
    /// Take over the entries of another store; of two answers to one question the more informative stays
    #[command(after_help = IMPORTED)]
    Merge {
        /// The other store
        from: String,
        /// Whether its answers are used without evidence: `all` takes them as found here
        #[arg(long, value_enum, default_value = "local")]
        trust: Trusted,
    },
    /// Remove entries of earlier builds, and what was not used lately
    Prune {
        /// Keep at most this many bytes (also 500M, 2G), least recently used first out
        #[arg(long, value_name = "BYTES", value_parser = bytes)]
        max_bytes: Option<u64>,
        /// Remove what was not used for this many days
        #[arg(long, value_name = "DAYS")]
        older_than_days: Option<u32>,
    },
    /// Check every entry; exit code 1 when something is damaged
    Verify,
}

/// `bench` and its verbs.
#[derive(Args)]
pub struct BenchTask {
    #[command(subcommand)]
    pub verb: BenchVerb,
    /// Print JSON
    #[arg(long, global = true)]
    pub json: bool,
}

/// What to measure.
#[derive(Subcommand)]
pub enum BenchVerb {
    /// Replay recorded query streams through one store, cold and warm, and compare every answer with the bare solver's
    #[command(after_help = "\
Each file is SMT-LIB 2 text, plain or gzipped, in which a line `; Query N` begins a script of its own (as KLEE's
--use-query-log writes them). Exit code 1 when an answer differs from the bare solver's, or a model does not hold.

Example:
  evergreen bench streams --first 1000 --bare-cache target/bench/bare.json streams/*.gz")]
    Streams(StreamsBench),
    /// Time a reused answer, stage by stage and from each store, beside bare solvers on the same queries
    Reuse(ReuseBench),
    /// Time look-ups in ever larger indexes of answered sets, and whole queries among ever more recorded answers
    #[command(after_help = "\
Example:
  evergreen bench growth --answers 1000000 --svg docs/studies/growth.svg")]
    Growth(GrowthBench),
    /// Time the machine and the loop of `explore`: instructions, forks, queries, and the papers' search tree
    Explore(ExploreBench),
    /// Time `explore --jobs` with one thread, two, and so on, on methods with many paths
    Jobs(JobsBench),
    /// Time counting by dimension, rows, equalities, disequalities and domains, beside barvinok and LattE if they are installed
    #[command(after_help = "\
Every number is compared; exit code 1 when one differs. scripts/setup.sh counters installs barvinok and LattE.

Example:
  evergreen bench count --problems 50")]
    Count(CountBench),
}

/// Flags of `bench count`.
#[derive(Args)]
pub struct CountBench {
    /// Problems of each shape
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub problems: u64,
    /// Count each problem again and again for so long, and keep the best time
    #[arg(long, value_name = "MS", default_value_t = 30)]
    pub runs_ms: u64,
    /// Only the shape of this number, from 0
    #[arg(long, value_name = "N")]
    pub shape: Option<usize>,
    /// LattE's program `count`; without this `latte-count` or `count` in $EVERGREEN_TOOLS/bin and PATH, if it is LattE's
    #[arg(long, value_name = "FILE")]
    pub latte: Option<PathBuf>,
}

/// Flags of `bench explore`.
#[derive(Args)]
pub struct ExploreBench {
    /// Instructions of the concrete runs, about
    #[arg(long, value_name = "N", default_value_t = 50_000_000)]
    pub instructions: u64,
    /// Run each so many times and keep the best
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub rounds: u16,
}

/// Flags of `bench jobs`.
#[derive(Args)]
pub struct JobsBench {
    /// The most threads; 0 is as many as there are cores
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub most: usize,
    /// Run each so many times and keep the best
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub rounds: u16,
}

/// Flags of `bench growth`.
#[derive(Args)]
pub struct GrowthBench {
    /// Draw the curves into this file, those of whole queries into one beside it (`-queries`)
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Sets to store in the end; measured at 1,000, 3,000, 10,000 and so on
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    pub most: usize,
    /// Answers to record in the end, for whole queries through an engine; 0 leaves them out
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub answers: usize,
    /// Only these settings of whole queries ("full, memory"); all of them without it
    #[arg(long, value_name = "SETTING")]
    pub setting: Vec<String>,
    /// Queries of each kind at each size
    #[arg(long, value_name = "N", default_value_t = 2_000)]
    pub queries: u64,
    /// Seed of the generator
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Which index
    #[arg(long, value_enum, default_value = "ltrie")]
    pub index: GrowthIndex,
}

/// Indexes of answered sets.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum GrowthIndex {
    /// By implication (GreenTrie)
    Ltrie,
    /// By equality (KLEE)
    Ubtree,
}

/// Flags of `bench reuse`.
#[derive(Args)]
pub struct ReuseBench {
    /// Paths to generate; each asks nine queries of 2 to 10 atoms
    #[arg(long, value_name = "N", default_value_t = 200)]
    pub paths: usize,
    /// Seed of the generator
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Processes to start where starting is measured
    #[arg(long, value_name = "N", default_value_t = 40)]
    pub starts: usize,
    /// Times that the large script is keyed
    #[arg(long, value_name = "N", default_value_t = 9)]
    pub rounds: usize,
    /// Measure only these
    #[arg(long, value_enum, value_name = "WHAT")]
    pub only: Vec<ReuseSection>,
}

/// Parts of `bench reuse`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum ReuseSection {
    /// Reused answers, by stage and store
    Hits,
    /// Bare solvers on the same queries
    Solvers,
    /// A process from start to answer
    Shim,
    /// A large script until its first goal has a key
    Script,
}

/// Flags of `bench streams`.
#[derive(Args)]
pub struct StreamsBench {
    /// The streams
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// Only so many queries of each
    #[arg(long, value_name = "N")]
    pub first: Option<usize>,
    /// The solver: a name, or a command line in quotes
    #[arg(long, value_name = "COMMAND", default_value = "z3")]
    pub solver: String,
    /// Keep the bare solver's verdicts and times in this file, and take them from there the next time
    #[arg(long, value_name = "FILE")]
    pub bare_cache: Option<PathBuf>,
    /// Which rungs of the reuse ladder are used [default: full]
    #[arg(long, value_enum)]
    pub reuse: Option<Rungs>,
    /// Do not try old models on new parts
    #[arg(long)]
    pub no_models: bool,
    /// Write the parts that reached a solver to this file, as scripts
    #[arg(long, value_name = "FILE")]
    pub misses: Option<PathBuf>,
}

fn bytes(text: &str) -> Result<u64, String> {
    let (digits, unit) = match text.find(|c: char| !c.is_ascii_digit()) {
        Some(at) => text.split_at(at),
        None => (text, ""),
    };
    let factor: u64 = match unit.to_ascii_uppercase().as_str() {
        "" | "B" => 1,
        "K" | "KB" => 1 << 10,
        "M" | "MB" => 1 << 20,
        "G" | "GB" => 1 << 30,
        _ => return Err(format!("\"{unit}\" is no unit; use K, M or G")),
    };
    let number: u64 = digits.parse().map_err(|_| format!("\"{text}\" is no number of bytes"))?;
    number.checked_mul(factor).ok_or_else(|| format!("\"{text}\" is too large"))
}
