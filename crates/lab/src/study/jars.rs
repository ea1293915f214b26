//! `evergreen-lab study jars`: public methods of Java libraries of others, explored one by one.
//!
//! The question is how often the engine goes where a Java developer's first class is: how many methods are
//! explored completely, and what keeps the others from it. Each method has a process and a processor time of
//! its own, so that one that runs away costs no other its result.

mod attempt;
mod methods;
mod outcome;
mod tables;

use crate::flags::JarsStudy;
use attempt::Bench;
use evergreen_lab::interrupt;
use methods::Sampled;
use outcome::Outcome;
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Explores what is left to be explored, and prints everything.
pub(super) fn run(flags: &JarsStudy) -> Result<ExitCode, String> {
    let product = crate::product::find(flags.evergreen.clone())?;
    let jars = if flags.jars.is_empty() { installed()? } else { flags.jars.clone() };
    let mut population = Vec::new();
    let mut sampled: Vec<Sampled> = Vec::new();
    for jar in &jars {
        let all = methods::of_jar(jar)?;
        population.push((methods::name_of(jar), all.len()));
        let most = if flags.all { all.len() } else { flags.sample };
        sampled.extend(all.into_iter().take(most).filter(|method| is_wanted(flags, method)));
    }
    std::fs::create_dir_all(&flags.work).map_err(|e| format!("{}: {e}", flags.work.display()))?;
    let file = flags.work.join(format!("results-{}ms.jsonl", flags.time.as_millis()));
    let mut known = read(&file);
    let is_due = |method: &&Sampled| match known.get(&method.key()) {
        None => true,
        Some(known) => flags.again.iter().any(|part| known.has_reason(part)),
    };
    let due: Vec<&Sampled> = sampled.iter().filter(is_due).collect();
    interrupt::listen();
    let bench = Bench { evergreen: &product, work: &flags.work, limit: flags.time, more: &flags.more };
    for one in explore(&bench, &due, &file)? {
        known.insert(one.key(), one);
    }
    let all: Vec<Outcome> = sampled.iter().filter_map(|method| known.remove(&method.key())).collect();
    tables::report(flags, &population, &all)?;
    let left = sampled.len() - all.len();
    if left > 0 {
        crate::say::warn(&format!("interrupted with {left} methods left\nhelp: the same command continues"));
    }
    let is_bad = left > 0 || all.iter().any(Outcome::is_bad);
    Ok(if is_bad { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

fn is_wanted(flags: &JarsStudy, method: &Sampled) -> bool {
    let key = method.key();
    flags.only.is_empty() || flags.only.iter().any(|part| key.contains(part))
}

/// The jars that `scripts/setup.sh jars` has linked.
fn installed() -> Result<Vec<PathBuf>, String> {
    let tools = std::env::var_os("EVERGREEN_TOOLS").map_or_else(|| PathBuf::from(".tools"), PathBuf::from);
    let folder = tools.join("jars");
    let entries = std::fs::read_dir(&folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut jars: Vec<PathBuf> =
        entries.filter(|file| file.extension().is_some_and(|end| end == "jar")).collect();
    jars.sort();
    match jars.is_empty() {
        true => Err(format!("{}: no jars\nhelp: run scripts/setup.sh jars", folder.display())),
        false => Ok(jars),
    }
}

/// The results of earlier runs; the last line of a method counts.
fn read(file: &Path) -> BTreeMap<String, Outcome> {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let lines = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    lines.filter_map(|value| Outcome::of_json(&value)).map(|done| (done.key(), done)).collect()
}

/// Explores methods one after the other; each result is written to the file at once.
fn explore(bench: &Bench<'_>, due: &[&Sampled], file: &Path) -> Result<Vec<Outcome>, String> {
    let trouble = |e: std::io::Error| format!("{}: {e}", file.display());
    let mut options = std::fs::OpenOptions::new();
    let mut results = options.create(true).append(true).open(file).map_err(trouble)?;
    let mut all = Vec::new();
    for method in due {
        let attempted = if interrupt::is_interrupted() { None } else { bench.attempt(method)? };
        let Some(outcome) = attempted else { break };
        writeln!(results, "{}", outcome.to_json()).map_err(trouble)?;
        all.push(outcome);
        crate::say::note(&progress(&all, due.len()));
    }
    Ok(all)
}

fn progress(all: &[Outcome], due: usize) -> String {
    let Some(last) = all.last() else { return String::new() };
    let whole = all.iter().filter(|outcome| outcome.kind.is_complete()).count();
    let reason = last.reasons.first().map(|reason| format!(": {reason}")).unwrap_or_default();
    let (name, kind) = (last.key(), last.kind.name());
    format!("{}/{due}  {whole} complete  {:.1} s  {name}: {kind}{reason}", all.len(), last.seconds)
}
