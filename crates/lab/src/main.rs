//! The command line of the laboratory.

use clap::{Args, Parser, Subcommand};
use evergreen_lab::duel::job::Choice;
use evergreen_lab::duel::lane::{LEVELS, Solver};
use evergreen_lab::duel::theory::Theory;
use evergreen_lab::duel::{Limit, Options, Progress, run};
use evergreen_lab::interrupt;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// Experiments that judge Evergreen.
#[derive(Parser)]
#[command(name = "evergreen-lab", version, max_term_width = 110)]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Compare every answer with bare solvers, on random scripts and paths
    Duel(Duel),
}

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
  evergreen-lab duel --long --markdown                          the tables of docs/studies/duel.md")]
struct Duel {
    /// The seed: the same seed makes the same scripts
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// End after so long [default: 60, without --checks]
    #[arg(long, value_name = "S", conflicts_with = "checks")]
    seconds: Option<u64>,
    /// End after so many checks of the product
    #[arg(long, value_name = "N")]
    checks: Option<u64>,
    /// Only these theories
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = theory)]
    theory: Vec<Theory>,
    /// Only these solvers: z3, cvc5, yices
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = solver)]
    solver: Vec<Solver>,
    /// Only these levels of --reuse: none, exact, subset, logical, full
    #[arg(long, value_name = "LEVEL", value_delimiter = ',', value_parser = level)]
    level: Vec<&'static str>,
    /// Keep scripts that differ here [default: a folder in the temporary one]
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
    /// Jobs at once [default: one per core]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Jobs that share one store on disk
    #[arg(long, value_name = "N", default_value_t = 200)]
    era: u64,
    /// The program to be judged [default: `evergreen` beside this one, else on PATH]
    #[arg(long, value_name = "FILE")]
    evergreen: Option<PathBuf>,
    /// The long run: 1,000,000 linear checks, 200,000 of bit vectors and arrays, 100,000 of everything, one after the other
    #[arg(long, conflicts_with_all = ["seconds", "checks", "theory"])]
    long: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Print Markdown
    #[arg(long, conflicts_with = "json")]
    markdown: bool,
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

fn or_all<T: Clone>(given: &[T], all: &[T]) -> Vec<T> {
    if given.is_empty() { all.to_vec() } else { given.to_vec() }
}

/// The program to be judged.
fn product(flag: Option<PathBuf>) -> Result<PathBuf, String> {
    let beside = || Some(std::env::current_exe().ok()?.parent()?.join("evergreen")).filter(|f| f.is_file());
    let on_path = || evergreen::solver::find_program("evergreen");
    let found = flag.or_else(beside).or_else(on_path);
    found.ok_or_else(|| {
        "evergreen: not found\nhelp: cargo build --release -p evergreen-cli -p evergreen-lab".into()
    })
}

impl Duel {
    /// The runs that the flags ask for: what is said of each, its limit, its theories.
    fn rounds(&self) -> Vec<(&'static str, Limit, Vec<Theory>)> {
        if self.long {
            let bits = vec![Theory::Bits, Theory::Arrays, Theory::Bytes];
            return vec![
                ("linear", Limit::Checks(1_000_000), vec![Theory::Linear]),
                ("bit vectors and arrays", Limit::Checks(200_000), bits),
                ("everything", Limit::Checks(100_000), Theory::ALL.to_vec()),
            ];
        }
        let limit = match (self.checks, self.seconds) {
            (Some(checks), _) => Limit::Checks(checks),
            (None, seconds) => Limit::Time(Duration::from_secs(seconds.unwrap_or(60))),
        };
        vec![("", limit, or_all(&self.theory, &Theory::ALL))]
    }

    fn fight(self) -> Result<ExitCode, String> {
        interrupt::listen();
        let product = product(self.evergreen.clone())?;
        let threads =
            self.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(2, |n| n.get()));
        let mut failed = false;
        for (title, limit, theories) in self.rounds() {
            let is_whole =
                theories.len() == Theory::ALL.len() && self.solver.is_empty() && self.level.is_empty();
            let choice = Choice {
                theories,
                solvers: or_all(&self.solver, &Solver::ALL),
                levels: or_all(&self.level, &LEVELS),
            };
            let options = Options {
                seed: self.seed,
                limit,
                choice,
                product: product.clone(),
                threads,
                era: self.era,
                keep: self.keep.clone(),
                progress: Progress::Shown,
            };
            let report = run(&options)?;
            if self.json {
                println!("{}", report.json());
            } else if self.markdown {
                let head = if title.is_empty() { String::new() } else { format!("### {title}\n") };
                println!("{head}{}", report.markdown());
            } else {
                println!("{}", report.text());
            }
            for difference in &report.differences {
                eprintln!("\n{difference}");
            }
            let silent = report.tally.silent();
            if is_whole && !silent.is_empty() && !report.interrupted {
                eprintln!("evergreen-lab: rungs that never answered: {}", silent.join(", "));
                failed = true;
            }
            failed |= !report.differences.is_empty() || !report.tally.broken_off.is_empty();
            if failed || report.interrupted {
                break;
            }
        }
        Ok(if failed { ExitCode::from(1) } else { ExitCode::SUCCESS })
    }
}

fn main() -> ExitCode {
    let Task::Duel(duel) = Cli::parse().task;
    duel.fight().unwrap_or_else(|trouble| {
        eprintln!("evergreen-lab: {trouble}");
        ExitCode::from(2)
    })
}
