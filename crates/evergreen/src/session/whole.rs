//! The solver as the client would have run it: what we add to its flags must never lose an answer.
//!
//! Reuse wants more of a solver than the client does: many checks in one process, models after each `sat`, a
//! script that arrives in pieces. cvc5, Bitwuzla and Yices pay for that with answers: separation logic and
//! some preprocessing refuse `--incremental`, other preprocessing refuses models, and cvc5 1.0 reads a quoted
//! symbol over several lines from a file only. Therefore:
//!
//! - A file with one check, and nothing asked after it that a later run would need a model or a core for, is
//!   solved by the solver itself: its own arguments, the client's file ([`Batch`]). The rest of what it
//!   prints is what the client gets, and its exit code is ours.
//! - Another script that the solver fails on or gives up on is asked again in the client's own manner: as the
//!   file, if what was printed so far is how the solver's own output begins; else a process with the client's
//!   arguments reads the stack.
//!
//! z3 has one manner: it continues after errors, makes models always, and loses nothing.

use super::{Next, Session};
use crate::live::Manner;
use evergreen_canon::{KeyBytes, digest};
use evergreen_solver::{Batch, Kind, SolverError};
use std::path::{Path, PathBuf};

/// Printed bytes that are kept to be compared; with more the file is not run as a whole.
const MOST_SHOWN: usize = 1 << 20;
/// The longest file that is looked through for what it asks.
const MOST_READ: u64 = 64 << 20;
/// The longest output that is kept.
const MOST_KEPT: usize = 1 << 16;
/// What a solver says of a run, and not of the script.
const OF_A_RUN: [&str; 6] = ["timeout", "memout", "resource", "interrupt", "memory", "second"];
/// Questions that a warm run can answer only from a model or a core.
const ASKS_MORE: [&str; 7] = [
    "(get-value",
    "(get-model",
    "(get-unsat-core",
    "(get-unsat-assumptions",
    "(get-assignment",
    "(minimize",
    "(maximize",
];

/// The client's script as a file.
pub(super) struct Whole {
    path: PathBuf,
    /// The digest of its bytes, when the session began.
    digest: KeyBytes,
    /// Everything that was printed so far.
    shown: String,
    /// It has one check at most, and opens no levels.
    is_single: bool,
    /// Nothing is asked beside that check.
    is_plain: bool,
    /// There is a check.
    has_check: bool,
    /// Another file may be part of it.
    includes: bool,
}

/// What the solver prints for the rest of a file, and its exit code.
#[derive(Debug)]
pub(super) struct Rest {
    pub(super) text: String,
    pub(super) stderr: String,
    pub(super) code: i32,
    /// Whether nothing was refused before the answer.
    pub(super) is_clean: bool,
}

impl Rest {
    /// What is kept of it.
    pub(super) fn to_record(&self) -> String {
        let Rest { text, stderr, code, .. } = self;
        format!("{code} {} {}\n{text}{stderr}", text.len(), u8::from(self.is_clean))
    }

    /// Reads what was kept.
    pub(super) fn from_record(record: &str) -> Option<Rest> {
        let (head, said) = record.split_once('\n')?;
        let [code, length, is_clean] = head.split(' ').collect::<Vec<_>>()[..] else { return None };
        let (text, stderr) = said.split_at_checked(length.parse().ok()?)?;
        let (text, stderr) = (text.to_string(), stderr.to_string());
        Some(Rest { text, stderr, code: code.parse().ok()?, is_clean: is_clean == "1" })
    }

    /// Whether each run prints the same: the solver has come to its end, within limits that did not matter.
    pub(super) fn lasts(&self) -> bool {
        let ended = (0..=1).contains(&self.code) && self.text.len() + self.stderr.len() <= MOST_KEPT;
        ended && !OF_A_RUN.iter().any(|word| self.text.contains(word) || self.stderr.contains(word))
    }

    /// The verdict that the rest begins with.
    pub(super) fn verdict(&self) -> &str {
        self.text.lines().next().unwrap_or("").trim()
    }
}

impl Whole {
    fn new(path: &Path, bytes: &[u8]) -> Whole {
        let text = &without_comments(&String::from_utf8_lossy(bytes));
        let checks = text.matches("(check-sat").count();
        let is_single = checks <= 1 && !text.contains("(push");
        let is_plain = !ASKS_MORE.iter().any(|word| text.contains(word));
        let (path, digest, has_check) = (path.to_path_buf(), digest(bytes), checks == 1);
        let includes = text.contains("include");
        Whole { path, digest, shown: String::new(), is_single, is_plain, has_check, includes }
    }

    /// Whether it has one check, and nothing of other files.
    pub(super) fn is_alone(&self) -> bool {
        self.is_single && self.has_check && !self.includes
    }

    pub(super) fn digest(&self) -> &KeyBytes {
        &self.digest
    }

    /// Everything that was printed so far.
    pub(super) fn shown(&self) -> &str {
        &self.shown
    }

    /// Runs the solver on the file. `None` when it prints something else than was printed so far, or when the
    /// file is another one by now: its verdict would be recorded for the text that this session has read.
    fn run(&self, live: &crate::live::Live, printed: &str) -> Result<Option<Rest>, SolverError> {
        live.show();
        let batch = Batch::run(live.command(), &self.path, live.limits())?;
        if std::fs::read(&self.path).map_or(true, |bytes| digest(&bytes) != self.digest) {
            return Ok(None);
        }
        let before = batch.output.strip_prefix(self.shown.as_str());
        let Some(text) = before.and_then(|rest| rest.strip_prefix(printed)) else { return Ok(None) };
        let is_clean = !self.shown.contains("(error") && !printed.contains("(error");
        Ok(Some(Rest { text: text.to_string(), stderr: batch.stderr, code: batch.code, is_clean }))
    }
}

/// Whether a script asks for one verdict and nothing else, so that a solver with more than one manner is run
/// on the file itself, with all flags that it was given.
pub fn asks_once(path: &Path) -> bool {
    let is_short = std::fs::metadata(path).is_ok_and(|m| m.is_file() && m.len() <= MOST_READ);
    let whole = std::fs::read(path).ok().filter(|_| is_short).map(|bytes| Whole::new(path, &bytes));
    whole.is_some_and(|whole| whole.is_single && whole.is_plain && whole.has_check)
}

/// A script without the lines that are comments: what is said there is not asked.
fn without_comments(text: &str) -> String {
    text.split_inclusive('\n').filter(|line| !line.trim_start().starts_with(';')).collect()
}

/// Whether what we add to a solver's flags can cost answers.
pub(super) fn pays_for_more(kind: Kind) -> bool {
    matches!(kind, Kind::Cvc5 | Kind::Bitwuzla | Kind::Yices)
}

/// Whether a failure may be one of our additions, and not of the script, the machine or a limit.
pub(super) fn may_be_ours(failure: &SolverError) -> bool {
    matches!(failure, SolverError::Died(_) | SolverError::Refused { .. } | SolverError::Garbage { .. })
}

impl Session {
    /// Says that the script is this file, which the solver can be run on by itself. Its size is bounded by
    /// what is read at once.
    pub fn reads_file(&mut self, path: &Path) {
        self.is_file = true;
        self.finder.is_awaited = true;
        if !pays_for_more(self.options.solver.kind) {
            return;
        }
        if !std::fs::metadata(path).is_ok_and(|m| m.is_file() && m.len() <= MOST_READ) {
            return;
        }
        let Ok(bytes) = std::fs::read(path) else { return };
        let whole = Whole::new(path, &bytes);
        if whole.is_single {
            self.live.set_manner(Manner::Once);
        }
        self.whole = Some(whole);
    }

    /// Notes what was printed.
    pub(super) fn note_shown(&mut self, printed: &str) {
        let Some(whole) = &mut self.whole else { return };
        whole.shown.push_str(printed);
        if whole.shown.len() > MOST_SHOWN {
            self.whole = None;
        }
    }

    /// Whether the check that comes now is the only thing that the file asks.
    pub(super) fn is_sole_check(&self) -> bool {
        self.whole.as_ref().is_some_and(|whole| whole.is_single && whole.is_plain)
    }

    /// Whether the script is a file with one check at most.
    pub(super) fn is_single_file(&self) -> bool {
        self.whole.as_ref().is_some_and(|whole| whole.is_single)
    }

    /// Whether what is not understood can wait for the check that follows in the file: the solver is then run
    /// on all of it, and the text is what its answer is kept under.
    pub(super) fn can_wait(&self) -> bool {
        self.check == 0 && self.whole.as_ref().is_some_and(|whole| whole.is_single && whole.has_check)
    }

    /// The rest of the file, solved by the solver itself.
    pub(super) fn rest_of_file(&mut self, printed: &str) -> Option<Rest> {
        let is_kept = printed.is_empty();
        if let Some(rest) = self.script().rest().filter(|_| is_kept) {
            return Some(rest);
        }
        let rest = self.whole.as_ref()?.run(&self.live, printed).ok()??;
        self.live.starts += 1;
        self.note_start();
        if is_kept {
            self.script().note_rest(&rest);
        }
        Some(rest)
    }

    /// The same for a check, where the session is taken apart already.
    pub(super) fn end_with(&mut self, rest: Rest, out: &mut String) -> Next {
        out.push_str(&rest.text);
        if !rest.stderr.is_empty() {
            self.remark(super::Remark::Said(rest.stderr));
        }
        self.live.stop();
        self.errors = rest.code != 0;
        Next::Exit(rest.code)
    }

    /// The client's own manner, if the process was started in another.
    pub(super) fn own_manner(&self) -> Option<Manner> {
        let manner = Manner::AsClient { models: self.produce_models };
        (pays_for_more(self.options.solver.kind) && self.live.manner() != manner).then_some(manner)
    }

    /// Before a check: a script that goes on after a first check needs a process for many.
    pub(super) fn begin_check(&mut self) {
        let needs_more = self.check > 1 && self.live.manner() != Manner::Many;
        if needs_more {
            self.live.set_manner(Manner::Many);
        }
    }
}

/// Runs the solver on the file of a check that is under way.
pub(super) fn rest_for_check(
    whole: Option<&Whole>,
    live: &mut crate::live::Live,
    printed: &str,
) -> Result<Option<Rest>, SolverError> {
    let Some(whole) = whole else { return Ok(None) };
    live.starts += 1;
    whole.run(live, printed)
}
