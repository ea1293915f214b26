//! `evergreen-lab study folders`: scripts of whole folders, by the bare solver and by the command in its
//! place: cold, then warm over the store that the cold pass has filled.
//!
//! The folders are the user's: regression suites of solvers, recorded traffic of clients. Each script runs
//! three times with the same flags. One store serves all scripts of a pass, as a store of CI does, so a cold
//! pass reuses what earlier scripts of the folder left. A script that the bare solver does not end within
//! the limit has no verdicts to compare; the command gets a multiple of the limit, so that a busy machine
//! loses none. Verdicts are compared one by one: *lost* is a `sat` or `unsat` that the command does not give,
//! *wrong* is the opposite one. *Understood* are scripts of which the cold run sends nothing past the engine.

mod one;

use self::one::{Pass, Ran, Runner};
use super::table::{Row, aligned, markdown};
use crate::flags::{EditsStudy, FoldersStudy};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// A script, and what its three runs came to.
#[derive(Debug)]
struct Outcome {
    file: PathBuf,
    bare: Ran,
    cold: Ran,
    warm: Ran,
}

/// What is wrong with a run through the command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fault {
    /// The opposite verdict.
    Wrong,
    /// No verdict where the bare solver has one.
    Lost,
    /// Another exit code, the verdicts being the same.
    Exit,
}

impl Fault {
    fn name(self) -> &'static str {
        match self {
            Fault::Wrong => "wrong",
            Fault::Lost => "lost",
            Fault::Exit => "exit code",
        }
    }
}

/// The worst difference of a run from the bare one.
fn fault(bare: &Ran, ours: &Ran) -> Option<Fault> {
    let decided = |verdict: &str| verdict != "unknown";
    let at = |index: usize| ours.verdicts.get(index).map_or("unknown", String::as_str);
    let pairs = || bare.verdicts.iter().enumerate().map(|(index, verdict)| (verdict.as_str(), at(index)));
    if pairs().any(|(theirs, own)| decided(theirs) && decided(own) && theirs != own) {
        return Some(Fault::Wrong);
    }
    if pairs().any(|(theirs, own)| decided(theirs) && !decided(own)) {
        return Some(Fault::Lost);
    }
    (bare.exit != ours.exit).then_some(Fault::Exit)
}

impl Outcome {
    fn faults(&self) -> [Option<Fault>; 2] {
        if self.bare.exit.is_none() {
            return [None, None];
        }
        [fault(&self.bare, &self.cold), fault(&self.bare, &self.warm)]
    }

    fn is_wrong(&self) -> bool {
        self.faults().iter().flatten().any(|fault| *fault != Fault::Exit)
    }

    /// The bare solver takes it and decides something.
    fn has_verdict(&self) -> bool {
        self.bare.exit == Some(0) && self.bare.verdicts.iter().any(|verdict| verdict != "unknown")
    }

    /// Nothing of it went past the engine.
    fn is_understood(&self) -> bool {
        self.cold.opaque == 0
    }

    fn to_json(&self) -> Value {
        let run = |ran: &Ran| {
            json!({ "seconds": ran.seconds, "exit": ran.exit, "verdicts": ran.verdicts, "starts": ran.starts,
                    "opaque": ran.opaque })
        };
        let [cold, warm] = self.faults().map(|fault| fault.map(Fault::name));
        json!({ "file": self.file, "bare": run(&self.bare), "cold": run(&self.cold),
                "warm": run(&self.warm), "fault_cold": cold, "fault_warm": warm })
    }
}

/// Runs and prints; exit code 1 where a verdict is wrong or lost.
pub(super) fn run(flags: &FoldersStudy) -> Result<ExitCode, String> {
    let product = crate::product::find(flags.product.clone())?;
    let mut rows = vec![head()];
    let mut all = Vec::new();
    for given in &flags.folders {
        let (solver, folder) = with_solver(given, &flags.solver);
        let scripts = sample(scripts(folder)?, flags.sample);
        if scripts.is_empty() {
            return Err(format!("{}: no scripts (*.smt2, *.smt2.gz)", folder.display()));
        }
        let runner = Runner::new(solver, &product, flags.limit)?;
        let outcomes = study(&runner, folder, &scripts)?;
        rows.push(row(&name(folder), solver, &outcomes));
        all.extend(outcomes);
    }
    if flags.folders.len() > 1 {
        rows.push(row("all", "", &all));
    }
    let edits = match flags.edits {
        true => Some(super::edits::summary(&EditsStudy::all(flags.subjects.clone(), flags.product.clone()))?),
        false => None,
    };
    let is_wrong = all.iter().any(Outcome::is_wrong) || edits.as_ref().is_some_and(|edits| edits.1);
    let edits = edits.map(|edits| edits.0);
    if flags.json {
        for outcome in &all {
            crate::say::say_json(&outcome.to_json());
        }
    } else {
        crate::say::say(aligned(&rows).trim_end());
        for line in faults(&all) {
            crate::say::say(&line);
        }
        if let Some(edits) = &edits {
            crate::say::say(&format!("\n{}", aligned(edits).trim_end()));
        }
    }
    if let Some(out) = &flags.out {
        super::file::write(out, page(flags, &rows, &all, edits.as_deref()).as_bytes())?;
    }
    Ok(if is_wrong { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

const EDITED: &str = "
## After edits

All edits of [edits](edits.md) together: what clients ask after them, over a store that has the answers of
the program before the edit. *Questions* are conditions, of Java paths the questions to the solver with an
empty store. *Old solved again* are conditions of additions, reorderings, renamings and removals that the edit
cannot affect.

";

/// The passes over a folder: bare and cold by turns, since both take longer while a machine is busy, then
/// warm.
fn study(runner: &Runner, folder: &Path, scripts: &[PathBuf]) -> Result<Vec<Outcome>, String> {
    let told = |at: usize, passes: &str| {
        if at.is_multiple_of(20) {
            let at = at + 1;
            crate::say::note(&format!("{}, {passes}: {at} of {}", name(folder), scripts.len()));
        }
    };
    let mut runs = Vec::with_capacity(scripts.len());
    for (at, script) in scripts.iter().enumerate() {
        told(at, "bare and cold");
        runs.push((runner.run(script, Pass::Bare)?, runner.run(script, Pass::Cold)?));
    }
    let mut outcomes = Vec::with_capacity(scripts.len());
    for (at, (script, (bare, cold))) in scripts.iter().zip(runs).enumerate() {
        told(at, "warm");
        outcomes.push(Outcome { file: script.clone(), bare, cold, warm: runner.run(script, Pass::Warm)? });
    }
    Ok(outcomes)
}

/// A folder, and the solver that is written before it (`cvc5=DIR`) or that of all.
fn with_solver<'g>(given: &'g str, of_all: &'g str) -> (&'g str, &'g Path) {
    match given.split_once('=') {
        Some((solver, folder)) if !Path::new(given).exists() => (solver, Path::new(folder)),
        _ => (of_all, Path::new(given)),
    }
}

/// The scripts below a folder, in order; a file is itself.
fn scripts(folder: &Path) -> Result<Vec<PathBuf>, String> {
    if folder.is_file() {
        return Ok(vec![folder.to_path_buf()]);
    }
    let entries = std::fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut found = Vec::new();
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(scripts(&path)?);
        } else if [".smt2", ".smt2.gz"].iter().any(|end| path.to_string_lossy().ends_with(end)) {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// So many of them, evenly spread.
fn sample(scripts: Vec<PathBuf>, most: Option<usize>) -> Vec<PathBuf> {
    let (all, most) = (scripts.len(), most.unwrap_or(scripts.len()).min(scripts.len()));
    let is_taken = |at: usize| (at + 1) * most / all > at * most / all;
    scripts.into_iter().enumerate().filter(|(at, _)| is_taken(*at)).map(|(_, script)| script).collect()
}

fn name(folder: &Path) -> String {
    let parts: Vec<_> = folder.components().map(|part| part.as_os_str().to_string_lossy()).collect();
    parts[parts.len().saturating_sub(2)..].join("/")
}

fn head() -> Row {
    let cells = [
        "folder",
        "solver",
        "scripts",
        "verdicts",
        "over the limit",
        "wrong",
        "lost cold",
        "lost warm",
        "exit codes",
        "understood",
        "cold",
        "warm",
        "warm starts",
        "of answered",
    ];
    cells.map(String::from).to_vec()
}

fn row(name: &str, solver: &str, all: &[Outcome]) -> Row {
    let ended: Vec<&Outcome> = all.iter().filter(|o| o.bare.exit.is_some()).collect();
    let count = |of: Fault, at: usize| ended.iter().filter(|o| o.faults()[at] == Some(of)).count();
    let exits = ended.iter().filter(|o| o.faults().contains(&Some(Fault::Exit))).count();
    let verdicts: usize = ended.iter().map(|o| o.bare.verdicts.len()).sum();
    let seconds = |of: fn(&Outcome) -> &Ran| ended.iter().map(|o| of(o).seconds).sum::<f64>();
    let bare = seconds(|o| &o.bare).max(1e-9);
    let understood = ended.iter().filter(|o| o.is_understood());
    let answered = understood.clone().filter(|o| o.has_verdict());
    let starts = |outcomes: &mut dyn Iterator<Item = &&Outcome>| outcomes.map(|o| o.warm.starts).sum::<u64>();
    vec![
        name.to_string(),
        solver.to_string(),
        all.len().to_string(),
        verdicts.to_string(),
        (all.len() - ended.len()).to_string(),
        (count(Fault::Wrong, 0) + count(Fault::Wrong, 1)).to_string(),
        count(Fault::Lost, 0).to_string(),
        count(Fault::Lost, 1).to_string(),
        exits.to_string(),
        understood.clone().count().to_string(),
        format!("{:.2}x", seconds(|o| &o.cold) / bare),
        format!("{:.2}x", seconds(|o| &o.warm) / bare),
        starts(&mut ended.iter()).to_string(),
        starts(&mut answered.into_iter()).to_string(),
    ]
}

/// The scripts with a difference, and what it is.
fn faults(all: &[Outcome]) -> Vec<String> {
    let mut lines = Vec::new();
    for outcome in all {
        for (pass, fault) in ["cold", "warm"].iter().zip(outcome.faults()) {
            if let Some(fault) = fault {
                lines.push(format!("{}: {} {pass}", name(&outcome.file), fault.name()));
            }
        }
    }
    lines
}

fn page(flags: &FoldersStudy, rows: &[Row], all: &[Outcome], edits: Option<&[Row]>) -> String {
    let bare: f64 = all.iter().map(|o| o.bare.seconds).sum();
    let sample = flags.sample.map_or(String::new(), |most| {
        format!("\nAt most {most} scripts of each folder are taken, evenly spread.")
    });
    let mut page = format!(
        "# Scripts of whole folders, bare and through the command\n\nMade by `evergreen-lab study folders`. \
         Each script runs by the bare solver, cold, and warm; one store serves\na folder. *Cold* and *warm* \
         are ratios to the bare solver's processor time ({bare:.1} s over all), without the scripts\nthat it \
         does not end within {:?}. *Lost* and *wrong* count scripts. *Warm starts* are solver processes of \
         the\nwarm pass. *Understood* are scripts of which the cold run sends nothing past the engine; \
         *answered* are those among\nthem that the bare solver takes without an error and \
         decides.{sample}\n\n{}",
        flags.limit,
        markdown(rows)
    );
    if let Some(edits) = edits {
        page.push_str(EDITED);
        page.push_str(&markdown(edits));
    }
    let different = faults(all);
    if !different.is_empty() {
        page.push_str("\nScripts with a difference:\n\n");
    }
    for line in different {
        page.push_str(&format!("- {line}\n"));
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ran(verdicts: &[&str], exit: i32) -> Ran {
        let verdicts = verdicts.iter().map(|v| (*v).to_string()).collect();
        Ran { verdicts, exit: Some(exit), ..Ran::default() }
    }

    #[test]
    fn the_worst_difference_is_told() {
        let bare = ran(&["sat", "unknown", "unsat"], 0);
        assert_eq!(fault(&bare, &ran(&["sat", "sat", "unsat"], 0)), None);
        assert_eq!(fault(&bare, &ran(&["sat", "unknown", "sat"], 0)), Some(Fault::Wrong));
        assert_eq!(fault(&bare, &ran(&["unknown", "unknown", "sat"], 0)), Some(Fault::Wrong));
        assert_eq!(fault(&bare, &ran(&["sat", "unknown"], 0)), Some(Fault::Lost));
        assert_eq!(fault(&bare, &ran(&["sat", "unknown", "unsat"], 1)), Some(Fault::Exit));
    }

    #[test]
    fn a_folder_may_name_its_solver() {
        assert_eq!(with_solver("a/b", "z3"), ("z3", Path::new("a/b")));
        assert_eq!(with_solver("cvc5=a/b", "z3"), ("cvc5", Path::new("a/b")));
    }

    #[test]
    fn a_sample_is_spread_evenly() {
        let files: Vec<PathBuf> = (0..10).map(|n| PathBuf::from(n.to_string())).collect();
        let names =
            |files: Vec<PathBuf>| files.iter().map(|f| f.display().to_string()).collect::<Vec<_>>().join(" ");
        assert_eq!(names(sample(files.clone(), Some(3))), "3 6 9");
        assert_eq!(sample(files.clone(), Some(20)).len(), 10);
        assert_eq!(sample(files, None).len(), 10);
        assert_eq!(sample(Vec::new(), Some(3)).len(), 0);
    }
}
