//! Verifiers over a store that was filled by the program before its edit.

use super::edit::{Edit, Kind};
use crate::flags::EditsStudy;
use crate::run::{Used, measured, within};
use crate::study::explored::{copy_of, empty_store};
use evergreen::solver::{Command as SolverCommand, Limits};
use evergreen::store::Store;
use evergreen::{EngineOptions, Session, SessionOptions};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

/// Nothing here takes as long: a client that hangs must not hang the study.
const PATIENCE: Duration = Duration::from_secs(600);

/// A verifier, its program and the program's edits.
pub(super) struct Client {
    pub name: &'static str,
    /// Above its table.
    pub title: &'static str,
    /// The verifier's command.
    pub command: &'static str,
    pub program: Program,
    pub options: &'static [&'static str],
    /// The flags that the verifier gives its solver, as its log is answered outside of it.
    pub solver_flags: &'static [&'static str],
    pub edits: &'static [Edit],
}

/// What is verified.
#[derive(Clone, Copy, Debug)]
pub(super) enum Program {
    /// A file in the folder `edits` of the subjects.
    Written(&'static str),
    /// A text for a number of methods, and how many it has where nobody says.
    Generated { file: &'static str, text: fn(usize) -> String, methods: usize },
}

impl Program {
    fn file(self) -> &'static str {
        match self {
            Program::Written(file) | Program::Generated { file, .. } => file,
        }
    }

    fn text(self, flags: &EditsStudy) -> Result<String, String> {
        match self {
            Program::Written(file) => {
                let path = flags.subjects.join("edits").join(file);
                std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))
            }
            Program::Generated { text, methods, .. } => Ok(text(flags.methods.unwrap_or(methods))),
        }
    }
}

/// What one edit led to.
#[derive(Debug)]
pub(super) struct Outcome {
    pub client: &'static str,
    pub title: &'static str,
    pub edit: &'static str,
    pub kind: Kind,
    /// All conditions, and those of new or affected methods.
    pub conditions: usize,
    pub touched: usize,
    /// Conditions that were solved: of new and affected methods, and the names of the others.
    pub solved_touched: usize,
    pub solved_old: Vec<String>,
    /// Processes of the solver that were started.
    pub starts: u64,
    /// The solver alone; an empty store; everything in the store; the store of the program before the edit.
    pub bare: Used,
    pub cold: Used,
    pub warm: Used,
    pub after: Used,
    /// What is not as it must be.
    pub faults: Vec<String>,
}

impl Outcome {
    /// Whether something is not as it must be.
    pub(super) fn is_wrong(&self) -> bool {
        !self.faults.is_empty() || (self.kind.is_pure() && !self.solved_old.is_empty())
    }
}

/// What a condition came to.
struct Condition {
    name: String,
    is_solved: bool,
}

/// Where a study works.
struct Place<'a> {
    client: &'static Client,
    /// The client, the solver, and the command under the solver's name.
    program: PathBuf,
    solver: PathBuf,
    shim: PathBuf,
    folder: &'a Path,
}

/// Runs the client on its program and on each edit of it.
pub(super) fn study(flags: &EditsStudy, client: &'static Client) -> Result<Vec<Outcome>, String> {
    let found = |name: &str| {
        evergreen::solver::find_program(name)
            .ok_or_else(|| format!("{name}: not found\nhelp: scripts/setup.sh, then .tools/bin on PATH"))
    };
    let base = client.program.text(flags)?;
    let scratch = tempfile::tempdir().map_err(|e| e.to_string())?;
    let product = crate::product::find(flags.product.clone())?;
    let product = product.canonicalize().map_err(|e| format!("{}: {e}", product.display()))?;
    let shim = scratch.path().join("z3");
    std::os::unix::fs::symlink(product, &shim).map_err(|e| e.to_string())?;
    let place =
        Place { client, program: found(client.command)?, solver: found("z3")?, shim, folder: scratch.path() };
    let same = Edit::new("none", Kind::Renaming, &[]);
    crate::say::note(&format!("{}, unedited", client.name));
    let (stored, known) = (scratch.path().join("base"), empty_store());
    let log = place.verify(&same, &base, &stored)?.log;
    let old: BTreeSet<String> = place.attribute(&log, &known)?.into_iter().map(|c| c.name).collect();
    let mut outcomes = Vec::new();
    for edit in std::iter::once(same).chain(client.edits.iter().copied()).filter(|e| flags.fits(e.name)) {
        crate::say::note(&format!("{}, {}", client.name, edit.name));
        let text = edit.apply(&base)?;
        outcomes.push(place.judge(&edit, &text, &stored, &known, &old)?);
    }
    Ok(outcomes)
}

/// What a client's run left.
struct Run {
    /// What it asked.
    log: PathBuf,
    queries: u64,
    solved: u64,
    starts: u64,
}

impl Place<'_> {
    /// Runs the client over a store.
    fn verify(&self, edit: &Edit, text: &str, store: &Path) -> Result<Run, String> {
        let file = self.folder.join(self.client.program.file());
        std::fs::write(&file, text).map_err(|e| e.to_string())?;
        let (log, stats, said) =
            (self.folder.join("log.smt2"), self.folder.join("stats"), self.folder.join("said"));
        let _ = std::fs::remove_file(&stats);
        let mut command = Command::new(&self.program);
        command.args(self.client.options).args(edit.options);
        command.arg(format!("/z3exe:{}", self.shim.display())).arg(format!("/proverLog:{}", log.display()));
        command.arg(&file).env("EVERGREEN_STATS", &stats);
        self.run(&mut command, store, &said)?;
        let said = std::fs::read_to_string(&said).map_err(|e| e.to_string())?;
        if !said.contains(" verified, 0 errors") {
            let wrong: Vec<&str> = said.lines().filter(|l| l.contains("rror")).take(5).collect();
            return Err(format!("{}, {}: not verified: {}", self.client.name, edit.name, wrong.join("; ")));
        }
        let stats = std::fs::read_to_string(&stats).map_err(|e| format!("no statistics: {e}"))?;
        let lines: Vec<Value> = stats.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        let sum = |at: &str| lines.iter().filter_map(|line| line[at].as_u64()).sum();
        Ok(Run { log, queries: sum("queries"), solved: sum("solved"), starts: sum("solver_starts") })
    }

    fn run(&self, command: &mut Command, store: &Path, said: &Path) -> Result<Used, String> {
        command.env("EVERGREEN_CONFIG", "/dev/null").env("EVERGREEN_STORE", store);
        command.env("EVERGREEN_Z3", &self.solver).env_remove("EVERGREEN_LOG");
        let out = File::create(said).map_err(|e| e.to_string())?;
        command.stdout(out).stderr(Stdio::null());
        let program = command.get_program().to_string_lossy().into_owned();
        match measured(|| within(command, PATIENCE)) {
            (Ok(Some(_)), used) => Ok(used),
            (Ok(None), _) => Err(format!("{program}: does not end")),
            (Err(trouble), _) => Err(trouble),
        }
    }

    /// Gives a client's log to a program: its verdicts and its processor time.
    fn feed(&self, program: &Path, log: &Path, store: &Path) -> Result<(Vec<String>, Used), String> {
        let said = self.folder.join("answers");
        let mut command = Command::new(program);
        command.args(self.client.solver_flags).env_remove("EVERGREEN_STATS");
        command.stdin(File::open(log).map_err(|e| e.to_string())?);
        let used = self.run(&mut command, store, &said)?;
        let text = std::fs::read_to_string(&said).map_err(|e| e.to_string())?;
        let is_verdict = |line: &&str| ["sat", "unsat", "unknown"].contains(line);
        Ok((text.lines().filter(is_verdict).map(String::from).collect(), used))
    }

    /// The conditions of a log in their order, and which of them a session solves that has this store.
    fn attribute(&self, log: &Path, store: &Arc<dyn Store>) -> Result<Vec<Condition>, String> {
        let text = std::fs::read_to_string(log).map_err(|e| e.to_string())?;
        let command = format!("{} {}", self.solver.display(), self.client.solver_flags.join(" "));
        let mut session = Session::new(SessionOptions {
            solver: SolverCommand::parse(&command).map_err(|e| e.to_string())?,
            limits: Limits::default(),
            engine: EngineOptions::default(),
            store: Some(store.clone()),
            file: "log".into(),
        });
        let (mut out, mut conditions, mut name, mut solved) = (String::new(), Vec::new(), "", 0);
        for line in text.split_inclusive('\n') {
            session.feed(line.as_bytes());
            if let Some(id) = line.strip_prefix("(set-info :boogie-vc-id ") {
                name = id.trim_end().trim_end_matches(')');
            }
            if line.trim_end() == "(check-sat)" {
                while session.step(&mut out).is_some() {}
                // As the command does when the client has its answer.
                session.find_last_core();
                let now = session.stats().solved();
                conditions.push(Condition { name: name.to_string(), is_solved: now > solved });
                solved = now;
            }
        }
        Ok(conditions)
    }

    fn judge(
        &self,
        edit: &Edit,
        text: &str,
        stored: &Path,
        known: &Arc<dyn Store>,
        old: &BTreeSet<String>,
    ) -> Result<Outcome, String> {
        let after_store = self.copy(stored, "after")?;
        let run = self.verify(edit, text, &after_store)?;
        let conditions = self.attribute(&run.log, &copy_of(known)?)?;
        let is_touched = |condition: &&Condition| {
            let before = edit.old_name(&condition.name);
            !old.contains(&before) || edit.is_affected(&before)
        };
        let solved: Vec<&Condition> = conditions.iter().filter(|c| c.is_solved).collect();
        let solved_old = solved.iter().filter(|c| !is_touched(c)).map(|c| c.name.clone()).collect();
        let mut faults = Vec::new();
        if (run.queries, run.solved) != (conditions.len() as u64, solved.len() as u64) {
            faults.push(format!(
                "behind {} {} of {} conditions were solved, and {} of {} from its log",
                self.client.name,
                run.solved,
                run.queries,
                solved.len(),
                conditions.len()
            ));
        }
        let cold_store = self.folder.join("cold");
        let _ = std::fs::remove_dir_all(&cold_store);
        let (verdicts, bare) = self.feed(&self.solver, &run.log, &cold_store)?;
        let mut through = |store: &Path, which: &str| -> Result<Used, String> {
            let (own, used) = self.feed(&self.shim, &run.log, store)?;
            if own != verdicts {
                faults.push(format!("{which}: verdicts differ from those of the bare solver"));
            }
            Ok(used)
        };
        let cold = through(&cold_store, "cold")?;
        let warm = through(&cold_store, "warm")?;
        let after = through(&self.copy(stored, "after")?, "after the edit")?;
        Ok(Outcome {
            client: self.client.name,
            title: self.client.title,
            edit: edit.name,
            kind: edit.kind,
            conditions: conditions.len(),
            touched: conditions.iter().filter(is_touched).count(),
            solved_touched: solved.iter().filter(|c| is_touched(c)).count(),
            solved_old,
            starts: run.starts,
            bare,
            cold,
            warm,
            after,
            faults,
        })
    }

    /// A copy of a store on disk.
    fn copy(&self, store: &Path, name: &str) -> Result<PathBuf, String> {
        let copy = self.folder.join(name);
        let _ = std::fs::remove_dir_all(&copy);
        copy_folder(store, &copy).map_err(|e| format!("{}: {e}", store.display()))?;
        Ok(copy)
    }
}

fn copy_folder(from: &Path, to: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(to)?;
    // A store is readable by its user alone.
    std::fs::set_permissions(to, std::fs::metadata(from)?.permissions())?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_folder(&entry.path(), &target)?;
        } else {
            std::fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}
