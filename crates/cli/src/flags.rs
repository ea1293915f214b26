//! The flags, and the help that teaches them.

pub(crate) mod c;
pub(crate) mod choice;
mod concolic;
mod count;
mod diff;
mod explore;
pub(crate) mod exploring;
mod failing;
mod inputs;
mod probability;
mod solving;
mod suite;
mod work;

pub(crate) use c::CFlags;
pub(crate) use concolic::*;
pub(crate) use count::*;
pub(crate) use diff::*;
pub(crate) use explore::*;
pub(crate) use exploring::*;
pub(crate) use failing::*;
pub(crate) use inputs::*;
pub(crate) use probability::*;
pub(crate) use solving::*;
pub(crate) use suite::*;
pub(crate) use work::*;

use choice::one_of;
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
  evergreen explore examples/Coupon.java
                                     paths, bugs and tests of Java code
  evergreen diff old.jar new.jar     what behaves differently in the new version

Exit codes: 0 done; 1 the script had errors, or exploring found something; 2 could not run, or (under \
require-hit) a query was not in the store; 3 count found no exact number; 4 an audit (--audit) found a \
reused answer that the solver contradicts."
)]
pub(crate) struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub task: Task,
    /// Print results only: no progress and no summaries; warnings stay
    #[arg(long, short = 'q', global = true)]
    pub quiet: bool,
    /// Whether output is coloured [default: on a terminal, unless NO_COLOR is set]
    #[arg(long, global = true, value_name = "WHEN", value_parser = one_of::<ColorFlag>())]
    pub color: Option<ColorFlag>,
}

/// When output is coloured.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum ColorFlag {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Also in files and pipes
    Always,
    /// Nowhere
    Never,
}

/// The tasks.
#[derive(Subcommand)]
pub(crate) enum Task {
    /// Answer an SMT-LIB 2 script, as the solver would, from the store where that is possible
    Solve(Solve),
    /// Count the solutions of an SMT-LIB 2 script over linear integer arithmetic, exactly
    Count(Count),
    /// Links that make other tools call Evergreen in place of a solver
    Shim(ShimTask),
    /// Look at a store, move it, clean it
    Store(StoreTask),
    /// Explore the paths of Java methods and C programs: inputs, bugs, tests
    Explore(Box<Explore>),
    /// Compare two versions of a program: what changed, and inputs on which they behave differently
    Diff(Box<Diff>),
    /// Explore for others: claim parts of explorations from a queue
    Work(Box<Work>),
    /// Compute which values the fields of each object can have in any valid structure of a scope
    Bounds(BoundsTask),
    /// The JVM that stays in the background for replays
    #[command(after_help = "\
A run leaves the JVM that replays its tests to the next runs, for five minutes after the last one. The \
setting warm-jvm-s says how long; 0 switches it off.

Examples:
  evergreen jvm stop                      end it now
  EVERGREEN_WARM_JVM_S=0 evergreen explore Coupon.java")]
    Jvm {
        /// What to do with it
        #[command(subcommand)]
        verb: JvmVerb,
    },
    /// Print a script that completes this command's arguments in a shell
    #[command(after_help = "\
Examples:
  evergreen completions bash >~/.local/share/bash-completion/completions/evergreen
  evergreen completions zsh >~/.zfunc/_evergreen
  evergreen completions fish >~/.config/fish/completions/evergreen.fish")]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page
    #[command(after_help = "\
Examples:
  evergreen man | man -l -
  evergreen man --out ~/.local/share/man/man1")]
    Man {
        /// Write a page for the command and for each task into this folder
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
    },
}

/// What can be done with the JVM that stays.
#[derive(Subcommand)]
pub(crate) enum JvmVerb {
    /// End it, also if it runs tests now: that run goes on with a JVM of its own
    Stop,
}

/// Flags of `solve`.
#[derive(Args)]
#[command(after_help = "\
Examples:
  evergreen solve query.smt2                            z3 behind the user's own store on disk
  evergreen solve --solver 'cvc5 --nl-cov' < query.smt2 another solver, with arguments
  evergreen solve --store memory: --store redis://cache.example.org query.smt2
  evergreen solve --mode require-hit query.smt2         for CI: exit code 2 on a miss
  evergreen solve --stats - query.smt2                  statistics (JSON) on standard error")]
pub(crate) struct Solve {
    /// The script; standard input when absent or `-`
    pub file: Option<PathBuf>,
    #[command(flatten)]
    pub solving: SolvingFlags,
    /// Deadline for one answer of the solver
    #[arg(long, value_name = "MS")]
    pub timeout_ms: Option<u64>,
    /// Append one JSON object about the run to a file; `-` is standard error
    #[arg(long, value_name = "FILE")]
    pub stats: Option<String>,
    /// Write remarks (options that a solver refused, text that was not understood) to a file; `-` is standard
    /// error
    #[arg(long, value_name = "FILE")]
    pub log: Option<String>,
    /// Print a summary of the run to standard error
    #[arg(long)]
    pub summary: bool,
}

/// Flags of `bounds`.
#[derive(Args)]
#[command(after_help = "\
Objects have labels in breadth-first order; the root object is 0. A pair means that a field of a label can \
hold a label, or null. Bounds are kept in the store; those of a smaller scope are part of those of a larger \
one and are not computed again.

Examples:
  evergreen bounds TreeSet.inv --scope 20
  evergreen bounds TreeSet.java --scope 8 --json    an invariant beside it, or in its annotation
  evergreen bounds java.util.TreeMap --scope 6      one that comes with Evergreen")]
pub(crate) struct BoundsTask {
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
pub(crate) struct ShimTask {
    #[command(subcommand)]
    pub verb: ShimVerb,
}

/// What to do with shims.
#[derive(Subcommand)]
pub(crate) enum ShimVerb {
    /// Make links to this program under the names of solvers
    Install {
        /// The folder for the links; put it first on PATH, or give a tool the path of one link
        dir: PathBuf,
        /// Names of the links
        #[arg(long = "name", value_name = "NAME", default_values = ["z3", "cvc5", "yices-smt2", "bitwuzla"])]
        names: Vec<String>,
        /// Replace files that are in the way
        #[arg(long)]
        force: bool,
    },
}

/// `store` and its verbs.
#[derive(Args)]
pub(crate) struct StoreTask {
    #[command(subcommand)]
    pub verb: StoreVerb,
    /// The store [default: the user's cache]
    #[arg(long, global = true, value_name = "PATH|URL")]
    pub store: Option<String>,
    /// Print JSON
    #[arg(long, global = true)]
    pub json: bool,
}

/// How imported answers are used.
const IMPORTED: &str = "\
The source may contain false answers, so its entries are marked: before an answer is used its model is \
evaluated or its certificate checked, and an answer without either is solved again. With --trust all entries \
keep the marks of the source: its answers count as found here.";

/// What to do with a store.
#[derive(Subcommand)]
pub(crate) enum StoreVerb {
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
        #[arg(long, value_name = "STORES", value_parser = one_of::<Trusted>(), default_value = "local")]
        trust: Trusted,
    },
    /// Take over the entries of another store; of two answers to one question the more informative stays
    #[command(after_help = IMPORTED)]
    Merge {
        /// The other store
        from: String,
        /// Whether its answers are used without evidence: `all` takes them as found here
        #[arg(long, value_name = "STORES", value_parser = one_of::<Trusted>(), default_value = "local")]
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
