//! Flags of `bench`.

use clap::{Args, Subcommand, ValueEnum};
use evergreen::Reuse;
use std::path::PathBuf;
use std::time::Duration;

/// `bench` and its verbs.
#[derive(Args)]
pub(crate) struct BenchTask {
    #[command(subcommand)]
    pub verb: BenchVerb,
    /// Print JSON
    #[arg(long, global = true)]
    pub json: bool,
}

/// What to measure.
#[derive(Subcommand)]
pub(crate) enum BenchVerb {
    /// Replay recorded query streams through one store, cold and warm, and compare every answer with the bare
    /// solver's
    #[command(after_help = "\
Each file is SMT-LIB 2 text, plain or gzipped, in which a line `; Query N` begins a script of its own (as \
KLEE's --use-query-log writes them). Exit code 1 when an answer differs from the bare solver's, or a model \
does not hold.

Example:
  evergreen-lab bench streams --first 1000 --bare-cache target/bench/bare.json streams/*.gz")]
    Streams(StreamsBench),
    /// Time the core of bit vectors on recorded logs, cold and along the path, beside solver programs
    #[command(after_help = "\
Each file is SMT-LIB 2 text, plain or gzipped, in which a line `; Query N` begins a script of its own. All \
times are processor times of one run. Exit code 1 when a verdict differs, or a model does not hold.

Example:
  evergreen-lab bench bits --first 1000 streams/*.gz")]
    Bits(BitsBench),
    /// Time the command on recorded logs whose answers are all in the store: reading, keys and look-ups
    #[command(after_help = "\
Processor time of the process and its children, the least of the rounds. With --against both programs take \
turns, each with a store of its own; exit code 2 when a verdict differs.

Example:
  evergreen-lab bench reading --first 1000 --against target/old/evergreen logs/*.smt2.gz")]
    Reading(ReadingBench),
    /// Time a reused answer, stage by stage and from each store, beside bare solvers on the same queries
    Reuse(ReuseBench),
    /// Time look-ups in ever larger indexes of answered sets, and whole queries among ever more recorded
    /// answers
    #[command(after_help = "\
Example:
  evergreen-lab bench growth --answers 1000000 --svg docs/studies/growth.svg")]
    Growth(GrowthBench),
    /// Time the machine and the loop of `explore`: instructions, forks, queries, and the papers' search tree
    Explore(ExploreBench),
    /// Time the exploration of C programs, beside KLEE if it is on PATH
    #[command(after_help = "\
Each program of the plan is compiled once, and its module is explored exhaustively without replays and \
without a solver program. Measured is the processor time of the whole process; compiling is shown apart. \
KLEE is run depth first with its default caches on bitcode of the same source, if the program draws its \
inputs itself. Exit code 1 when an exploration is not complete.

Examples:
  evergreen-lab bench c --time 60s bst tokenizer http
  evergreen-lab bench c --klee-cc 'clang-16 -I /opt/klee/include'")]
    C(CBench),
    /// Time `explore --jobs` with one thread, two, and so on, on methods with many paths
    Jobs(JobsBench),
    /// Time counting by dimension, rows, equalities, disequalities and domains, beside barvinok and LattE if
    /// they are installed
    #[command(after_help = "\
Every number is compared; exit code 1 when one differs. scripts/setup.sh counters installs barvinok and LattE.

Example:
  evergreen-lab bench count --problems 50")]
    Count(CountBench),
}

/// Flags of `bench bits`.
#[derive(Args)]
pub(crate) struct BitsBench {
    /// The logs
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// Only so many queries of each
    #[arg(long, value_name = "N")]
    pub first: Option<usize>,
    /// The solvers beside it: yices, z3, bitwuzla
    #[arg(long, value_name = "NAME", value_delimiter = ',', default_value = "yices,z3,bitwuzla",
        value_parser = ["yices", "z3", "bitwuzla"])]
    pub solver: Vec<String>,
    /// End a solver that takes longer for one log
    #[arg(long, value_name = "S", default_value_t = 200)]
    pub seconds: u64,
}

/// Flags of `bench count`.
#[derive(Args)]
pub(crate) struct CountBench {
    /// Problems of each shape
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub problems: u64,
    /// Count each problem again and again for so long, and keep the best time
    #[arg(long, value_name = "MS", default_value_t = 30)]
    pub runs_ms: u64,
    /// Only the shape of this number, from 0
    #[arg(long, value_name = "N")]
    pub shape: Option<usize>,
    /// LattE's program `count`; without this `latte-count` or `count` in $EVERGREEN_TOOLS/bin and PATH, if it
    /// is LattE's
    #[arg(long, value_name = "FILE")]
    pub latte: Option<PathBuf>,
}

/// Flags of `bench explore`.
#[derive(Args)]
pub(crate) struct ExploreBench {
    /// Instructions of the concrete runs, about
    #[arg(long, value_name = "N", default_value_t = 50_000_000)]
    pub instructions: u64,
    /// Run each so many times and keep the best
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub rounds: u16,
}

/// Flags of `bench jobs`.
#[derive(Args)]
pub(crate) struct JobsBench {
    /// The most threads; 0 is as many as there are cores
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub most: usize,
    /// Run each so many times and keep the best
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub rounds: u16,
}

/// Flags of `bench growth`.
#[derive(Args)]
pub(crate) struct GrowthBench {
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
pub(crate) enum GrowthIndex {
    /// By implication (GreenTrie)
    Ltrie,
    /// By equality (KLEE)
    Ubtree,
}

/// Flags of `bench reuse`.
#[derive(Args)]
pub(crate) struct ReuseBench {
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
pub(crate) enum ReuseSection {
    /// Reused answers, by stage and store
    Hits,
    /// Bare solvers on the same queries
    Solvers,
    /// A process from start to answer
    Shim,
    /// A large script until its first goal has a key
    Script,
}

/// Flags of `bench c`.
#[derive(Args)]
pub(crate) struct CBench {
    /// Programs of the plan; all if none is named
    pub programs: Vec<String>,
    /// The plan: a line `NAME: SOURCES FLAGS` for each program
    #[arg(long, value_name = "FILE", default_value = "subjects/c/plan.txt")]
    pub plan: PathBuf,
    /// The longest exploration of one program
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = evergreen_host::time)]
    pub time: Duration,
    /// Explorations of each program; the fastest counts
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub rounds: u16,
    /// Leave KLEE out
    #[arg(long)]
    pub no_klee: bool,
    /// The compiler of bitcode for KLEE: a command line, as clang of its LLVM and the folder of klee/klee.h
    #[arg(long, value_name = "COMMAND", default_value = "clang")]
    pub klee_cc: String,
    /// An argument of klee, in place of --libc=klee
    #[arg(long, value_name = "ARG", allow_hyphen_values = true)]
    pub klee_arg: Vec<String>,
    /// The program `evergreen`; without this the one beside this program, then the one on PATH
    #[arg(long, value_name = "FILE")]
    pub product: Option<PathBuf>,
}

/// Flags of `bench reading`.
#[derive(Args)]
pub(crate) struct ReadingBench {
    /// The logs
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// Only so many queries of each
    #[arg(long, value_name = "N")]
    pub first: Option<usize>,
    /// The solver of the first run
    #[arg(long, value_name = "COMMAND", default_value = "z3")]
    pub solver: String,
    /// Warm runs of each program
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub rounds: u16,
    /// The program `evergreen`; without this the one beside this program, then the one on PATH
    #[arg(long, value_name = "FILE")]
    pub product: Option<PathBuf>,
    /// Another program `evergreen` to compare with
    #[arg(long, value_name = "FILE")]
    pub against: Option<PathBuf>,
}

/// Flags of `bench streams`.
#[derive(Args)]
pub(crate) struct StreamsBench {
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
    pub reuse: Option<Level>,
    /// Do not try old models on new parts
    #[arg(long)]
    pub no_models: bool,
    /// Leave out the native cores: what is not reused goes to the solver
    #[arg(long)]
    pub no_native: bool,
    /// Write the parts that reached a solver to this file, as scripts
    #[arg(long, value_name = "FILE")]
    pub misses: Option<PathBuf>,
}

/// Levels of reuse.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Level {
    /// Solve everything, record nothing
    None,
    /// Same key, same answer (Green, FSE'12)
    Exact,
    /// And supersets and subsets of the same constraints (KLEE)
    Subset,
    /// And sets related by implication (GreenTrie, ISSTA'15)
    Logical,
    /// And old models, cores of whole scripts and more; what does not pay is tried rarely
    Full,
}

impl From<Level> for Reuse {
    fn from(level: Level) -> Reuse {
        match level {
            Level::None => Reuse::None,
            Level::Exact => Reuse::Exact,
            Level::Subset => Reuse::Subset,
            Level::Logical => Reuse::Logical,
            Level::Full => Reuse::Full,
        }
    }
}
