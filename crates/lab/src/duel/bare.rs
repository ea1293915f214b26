//! A bare solver that decides scripts, and goes on after one that kills it.

use super::lane::Solver;
use super::pipe::{MOST_AT_ONCE, Pipe, items};
use super::script::Verdict;
use std::path::{Path, PathBuf};

/// A process of a solver.
pub struct Bare {
    solver: Solver,
    log: PathBuf,
    pipe: Pipe,
}

/// A script that leaves nothing behind, with the number of its checks.
pub type Text = (String, usize);

impl Bare {
    /// Starts it; its complaints go to a file.
    pub fn start(solver: Solver, log: &Path) -> Result<Bare, String> {
        Ok(Bare { solver, log: log.to_path_buf(), pipe: solver.start(log)? })
    }

    /// The solver.
    pub fn solver(&self) -> Solver {
        self.solver
    }

    /// The verdicts of every check. A script that the solver does not take is an error: the generator's
    /// fault.
    pub fn decide(&mut self, texts: &[Text]) -> Result<Vec<Vec<Verdict>>, String> {
        let mut verdicts = Vec::with_capacity(texts.len());
        let mut rest = texts;
        for size in batches(&texts.iter().map(|t| t.0.len()).collect::<Vec<_>>()) {
            let (batch, others) = rest.split_at(size);
            rest = others;
            match self.ask(batch)? {
                Some(decided) => verdicts.extend(decided),
                None => {
                    for one in batch {
                        let decided = self.ask(std::slice::from_ref(one))?;
                        verdicts.push(decided.map_or(vec![Verdict::Unknown; one.1], |d| d.concat()));
                    }
                }
            }
        }
        Ok(verdicts)
    }

    /// `None` when the process died of it: solvers have bugs of their own (cvc5 1.0.3 when its time is up).
    /// Another one is started.
    fn ask(&mut self, texts: &[Text]) -> Result<Option<Vec<Vec<Verdict>>>, String> {
        let text: String = texts.iter().map(|t| &*t.0).collect();
        let written = self.pipe.write(&text);
        let said = match self.pipe.read_all() {
            Ok(said) if written.is_ok() => said,
            Ok(said) => return Err(refused(&text, &said)),
            Err(ended) if ended.said.contains("(error") => return Err(refused(&text, &ended.said)),
            Err(_) => {
                self.pipe = self.solver.start(&self.log)?;
                return Ok(None);
            }
        };
        let answers = items(&said);
        let checks: usize = texts.iter().map(|t| t.1).sum();
        if answers.len() != checks || answers.iter().any(|a| a.starts_with('(')) {
            return Err(refused(&text, &said));
        }
        let mut answers = answers.into_iter().map(Verdict::of);
        Ok(Some(texts.iter().map(|t| answers.by_ref().take(t.1).collect()).collect()))
    }
}

fn refused(text: &str, said: &str) -> String {
    let first = said.lines().find(|line| line.starts_with("(error")).unwrap_or("answers are missing");
    format!("the bare solver does not take a script: {first}\n{text}")
}

/// How many texts of these lengths fit into a pipe at once, batch after batch.
pub fn batches(lengths: &[usize]) -> Vec<usize> {
    let mut all = Vec::new();
    let (mut count, mut bytes) = (0, 0);
    for length in lengths {
        if count > 0 && bytes + length > MOST_AT_ONCE {
            all.push(count);
            (count, bytes) = (0, 0);
        }
        count += 1;
        bytes += length;
    }
    if count > 0 {
        all.push(count);
    }
    all
}
