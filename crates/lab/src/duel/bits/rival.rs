//! Solvers that judge the core: processes that are asked one conjunction after another.

use crate::duel::pipe::{MOST_AT_ONCE, Pipe, items};
use evergreen::smtlib::{print_declarations, print_term};
use evergreen::{TermId, Terms};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A solver.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[allow(missing_docs)]
pub enum Rival {
    Yices,
    Z3,
    Bitwuzla,
}

/// What a solver says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub(super) enum Said {
    Sat,
    Unsat,
    Unknown,
}

impl Rival {
    /// All of them.
    pub const ALL: [Rival; 3] = [Rival::Yices, Rival::Z3, Rival::Bitwuzla];

    /// The name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Rival::Yices => "yices",
            Rival::Z3 => "z3",
            Rival::Bitwuzla => "bitwuzla",
        }
    }

    fn command(self) -> Result<Command, String> {
        let (name, flags) = match self {
            Rival::Yices => ("yices-smt2", &["--incremental", "--timeout=1"][..]),
            Rival::Z3 => ("z3", &["-in", "-smt2", "-t:2000"][..]),
            Rival::Bitwuzla => ("bitwuzla", &["--time-limit-per", "2000"][..]),
        };
        let program = evergreen_testing::tools::look(name);
        let program = program.ok_or_else(|| format!("{name}: not found\nhelp: run scripts/setup.sh"))?;
        let mut command = Command::new(program);
        command.args(flags);
        Ok(command)
    }
}

const LOGIC: &str = "(set-logic QF_ABV)\n";

/// A process of a solver; another one is started when it ends.
pub(super) struct Bench {
    rival: Rival,
    log: PathBuf,
    pipe: Pipe,
}

/// The text of a conjunction, between `push` and `pop`.
pub(super) fn text(terms: &Terms, constraints: &[TermId]) -> Result<String, String> {
    let mut text = String::from("(push 1)\n");
    text.push_str(&print_declarations(terms, constraints)?);
    for &constraint in constraints {
        let _ = writeln!(text, "(assert {})", print_term(terms, constraint));
    }
    text.push_str("(check-sat)\n(pop 1)\n");
    Ok(text)
}

fn start(rival: Rival, log: &Path) -> Result<Pipe, String> {
    let mut pipe = Pipe::start(rival.command()?, log)?;
    pipe.ask(LOGIC)?;
    Ok(pipe)
}

impl Bench {
    /// Starts a solver; its complaints go to a file of the folder.
    pub(super) fn start(rival: Rival, folder: &Path) -> Result<Bench, String> {
        let log = folder.join(rival.name());
        Ok(Bench { rival, pipe: start(rival, &log)?, log })
    }

    /// The verdicts about some texts. A text that a solver does not take is an error.
    pub(super) fn decide(&mut self, texts: &[String]) -> Result<Vec<Said>, String> {
        let mut said = Vec::with_capacity(texts.len());
        let mut rest = texts;
        while !rest.is_empty() {
            let mut bytes = 0;
            let fits = |text: &&String| {
                bytes += text.len();
                bytes + 100 <= MOST_AT_ONCE
            };
            let count = rest.iter().take_while(fits).count().max(1);
            let (batch, others) = rest.split_at(count);
            rest = others;
            match self.ask(batch)? {
                Some(verdicts) => said.extend(verdicts),
                None => {
                    for one in batch {
                        let verdict = self.ask(std::slice::from_ref(one))?;
                        said.push(verdict.map_or(Said::Unknown, |v| v[0]));
                    }
                }
            }
        }
        Ok(said)
    }

    /// `None` when the process ended over it, or took too long.
    fn ask(&mut self, texts: &[String]) -> Result<Option<Vec<Said>>, String> {
        // What earlier conjunctions left behind makes solvers slower and larger.
        let text = format!("(reset)\n{LOGIC}{}", texts.concat());
        // A single text may be longer than a pipe holds: solvers read it while it is written.
        let written = self.pipe.write(&text);
        let answers = match self.pipe.read_all() {
            Ok(answers) if written.is_ok() => answers,
            Ok(answers) => return Err(format!("{}: {answers}\n{text}", self.rival.name())),
            Err(ended) if ended.said.contains("(error") => {
                return Err(format!("{}: {}\n{text}", self.rival.name(), ended.said));
            }
            Err(_) => {
                self.pipe = start(self.rival, &self.log)?;
                return Ok(None);
            }
        };
        let verdicts: Vec<Said> = items(&answers)
            .into_iter()
            .map(|word| match word {
                "sat" => Ok(Said::Sat),
                "unsat" => Ok(Said::Unsat),
                "unknown" => Ok(Said::Unknown),
                _ => Err(format!("{}: {answers}\n{text}", self.rival.name())),
            })
            .collect::<Result<_, _>>()?;
        if verdicts.len() != texts.len() {
            return Err(format!("{}: {answers}\n{text}", self.rival.name()));
        }
        Ok(Some(verdicts))
    }
}
