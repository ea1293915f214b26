//! Flags of `duel`.

use clap::Args;
use evergreen_lab::duel::lane::{LEVELS, Solver};
use evergreen_lab::duel::theory::Theory;
use std::path::PathBuf;

/// Flags of `duel`.
#[derive(Args)]
#[command(after_help = "\
Random programs, each a pool of constraints over a theory, are asked about again and again: the
same queries, and queries with a constraint dropped, added, negated, moved or renamed.
`evergreen solve` processes with one shared store, and the library's paths, answer. A bare
process of the same solver decides every check by itself; every value and model is put into its
constraints, and every core is solved alone.

Differences stop the run. The scripts that lead to one are made small and kept (--keep).

Exit codes: 0 no difference; 1 a difference, a job that a bare solver broke off, or a rung of the
ladder that never answered (unless --theory, --solver or --level leave something out); 2 could
not run.

Examples:
  evergreen-lab duel --seconds 60                               a minute over everything
  evergreen-lab duel --seed 7 --checks 1000000 --theory linear  the same checks whenever it is run
  evergreen-lab duel --long --markdown                          the tables of docs/studies/duel.md
  evergreen-lab duel --bits --checks 1000000                    the core of bit vectors alone")]
pub(crate) struct Duel {
    /// The seed: the same seed makes the same scripts
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// End after so long [default: 60, without --checks]
    #[arg(long, value_name = "S", conflicts_with = "checks")]
    pub seconds: Option<u64>,
    /// End after so many checks of the product
    #[arg(long, value_name = "N")]
    pub checks: Option<u64>,
    /// Only these theories
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = theory)]
    pub theory: Vec<Theory>,
    /// Only these solvers: z3, cvc5, yices
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = solver)]
    pub solver: Vec<Solver>,
    /// Only these levels of --reuse: none, exact, subset, logical, full
    #[arg(long, value_name = "LEVEL", value_delimiter = ',', value_parser = level)]
    pub level: Vec<&'static str>,
    /// Keep scripts that differ here [default: a folder in the temporary one]
    #[arg(long, value_name = "DIR")]
    pub keep: Option<PathBuf>,
    /// Jobs at once [default: one per core]
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
    /// Jobs that share one store on disk
    #[arg(long, value_name = "N", default_value_t = 200)]
    pub era: u64,
    /// The program to be judged [default: `evergreen` beside this one, else on PATH]
    #[arg(long, value_name = "FILE")]
    pub evergreen: Option<PathBuf>,
    /// The long run: 1,000,000 linear checks, 200,000 of bit vectors and arrays, 100,000 of everything, one
    /// after the other
    #[arg(long, conflicts_with_all = ["seconds", "checks", "theory"])]
    pub long: bool,
    /// Judge the core of bit vectors and arrays alone, in this process: random conjunctions, every model
    /// evaluated, every unsatisfiable core asked again
    #[arg(long, conflicts_with_all = ["long", "theory", "solver", "level", "evergreen"])]
    pub bits: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// Print Markdown
    #[arg(long, conflicts_with = "json")]
    pub markdown: bool,
}

fn named<T: Copy>(text: &str, all: &[T], name: impl Fn(T) -> &'static str) -> Result<T, String> {
    let names: Vec<&str> = all.iter().map(|&t| name(t)).collect();
    let found = all.iter().copied().find(|&t| name(t) == text);
    found.ok_or_else(|| format!("\"{text}\" is none of {}", names.join(", ")))
}

fn theory(text: &str) -> Result<Theory, String> {
    named(text, &Theory::ALL, Theory::name)
}

fn solver(text: &str) -> Result<Solver, String> {
    named(text, &Solver::ALL, Solver::name)
}

fn level(text: &str) -> Result<&'static str, String> {
    named(text, &LEVELS, |level| level)
}
