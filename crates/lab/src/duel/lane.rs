//! A lane: one configuration of the product, as a process that lives for a job.

use super::pipe::Pipe;
use super::script::CoreAsking;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The solvers behind the product, and the judges.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[allow(missing_docs)]
pub enum Solver {
    Z3,
    Cvc5,
    Yices,
}

impl Solver {
    /// All of them.
    pub const ALL: [Solver; 3] = [Solver::Z3, Solver::Cvc5, Solver::Yices];

    /// The name in flags and tables.
    pub fn name(self) -> &'static str {
        match self {
            Solver::Z3 => "z3",
            Solver::Cvc5 => "cvc5",
            Solver::Yices => "yices",
        }
    }

    /// The program's file.
    pub fn program(self) -> Result<PathBuf, String> {
        let name = if self == Solver::Yices { "yices-smt2" } else { self.name() };
        let found = evergreen::solver::find_program(name).or_else(|| evergreen_testing::tools::look(name));
        found.ok_or_else(|| format!("{name}: not found\nhelp: run scripts/setup.sh"))
    }

    /// The limit of one check, and what a solver needs to take all theories. What is not decided in that time
    /// is of no use to a duel.
    fn flags(self) -> &'static [&'static str] {
        match self {
            Solver::Z3 => &["-t:200"],
            Solver::Cvc5 => &["--tlimit-per=200", "--strings-exp"],
            Solver::Yices => &[],
        }
    }

    /// The command line that is given to the product.
    pub fn command_line(self) -> Result<String, String> {
        let mut words = vec![self.program()?.to_string_lossy().into_owned()];
        words.extend(self.flags().iter().map(|word| word.to_string()));
        Ok(words.join(" "))
    }

    /// Starts it bare.
    pub fn start(self, log: &Path) -> Result<Pipe, String> {
        let mut command = Command::new(self.program()?);
        command.args(self.flags());
        command.args(match self {
            Solver::Z3 => &["-in", "-smt2"][..],
            Solver::Cvc5 => &["--incremental", "--lang=smt2"],
            Solver::Yices => &["--incremental"],
        });
        let mut pipe = Pipe::start(command, log)?;
        pipe.ask(self.header())?;
        Ok(pipe)
    }

    /// What has to come first in a script.
    pub fn header(self) -> &'static str {
        match self {
            Solver::Z3 => "",
            // cvc5 refuses to give values unless they were asked for, and so does the product in its place.
            Solver::Cvc5 => "(set-option :produce-models true)\n(set-logic ALL)\n",
            Solver::Yices => "(set-logic ALL)\n",
        }
    }
}

/// Levels of `--reuse`.
pub const LEVELS: [&str; 5] = ["none", "exact", "subset", "logical", "full"];

/// Where a lane keeps answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// The directory that all processes share.
    Shared,
    /// Its own memory.
    Memory,
}

/// A configuration of `evergreen solve`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lane {
    /// The solver behind it.
    pub solver: Solver,
    /// Its `--reuse`.
    pub level: &'static str,
    /// Its `--store`.
    pub place: Place,
    /// Whether it makes cores for the client.
    pub cores: CoreAsking,
    /// More flags.
    pub flags: Vec<&'static str>,
}

impl fmt::Display for Lane {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let store = if self.place == Place::Shared { "STORE" } else { "memory:" };
        write!(f, "evergreen solve --solver {} --reuse {} --store {store}", self.solver.name(), self.level)?;
        self.flags.iter().try_for_each(|flag| write!(f, " {flag}"))
    }
}

impl Lane {
    /// What a script of this lane begins with, also after a reset.
    pub fn header(&self) -> String {
        let cores = match (self.cores, self.solver) {
            (CoreAsking::Off, _) => "",
            (CoreAsking::On, Solver::Yices) => "(set-option :produce-unsat-cores true)\n",
            (CoreAsking::On, _) => {
                "(set-option :produce-unsat-cores true)\n(set-option :produce-unsat-assumptions true)\n"
            }
        };
        format!("{cores}{}", self.solver.header())
    }

    /// Starts the process. Its statistics are appended to `stats` when it ends.
    pub fn start(&self, product: &Path, store: &Path, log: &Path, stats: &Path) -> Result<Pipe, String> {
        let mut command = Command::new(product);
        command.arg("solve").arg("--solver").arg(self.solver.command_line()?);
        command.arg("--reuse").arg(self.level).arg("--stats").arg(stats).args(&self.flags);
        command.arg("--store");
        match self.place {
            Place::Shared => command.arg(store),
            Place::Memory => command.arg("memory:"),
        };
        let mut pipe = Pipe::start(command, log)?;
        pipe.ask(&self.header())?;
        Ok(pipe)
    }
}
