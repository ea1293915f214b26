//! `evergreen-lab study c PLAN`: programs in C, each explored for a while, and a table of what came of it.
//!
//! The plan is the user's ([`Plan`]); `subjects/c/plan.txt` is one for the programs of this repository. Each
//! program is explored by the command `evergreen` as a user does, in a process of its own, with replays: a
//! divergence is a bug of ours and fails the study. Findings come from the SARIF report, the rest from the
//! statistics of the run. An interrupt ends the study with the programs so far.

use super::table::{Row, aligned, markdown};
use crate::flags::CStudy;
use crate::plan::{Plan, Planned};
use crate::run::{Used, measured, within};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;

/// What one program came to.
struct Studied {
    name: String,
    used: Used,
    /// The summary of the run, or why there is none.
    summary: Result<Value, String>,
    findings: Vec<String>,
}

/// Runs, prints, and fails when a program could not be explored or a replay diverged.
pub(super) fn run(flags: &CStudy) -> Result<ExitCode, String> {
    let product = crate::product::find(flags.product.clone())?;
    let product = std::path::absolute(&product).map_err(|e| format!("{}: {e}", product.display()))?;
    let plan = Plan::read(&flags.plan, &flags.only)?;
    let mut all = Vec::new();
    evergreen_lab::interrupt::listen();
    for planned in &plan.programs {
        if evergreen_lab::interrupt::is_interrupted() {
            break;
        }
        crate::say::note(&planned.name);
        all.push(study(flags, &product, &plan.folder, planned)?);
    }
    if flags.json {
        crate::say::say_json(&to_json(&all));
    } else {
        crate::say::say(aligned(&rows(&all)).trim_end());
        let notes = notes(&all);
        if !notes.is_empty() {
            crate::say::say(&format!("\n{}", notes.trim_end()));
        }
    }
    if let Some(out) = &flags.out {
        let text = format!("{}\n{}", markdown(&rows(&all)), notes(&all));
        std::fs::write(out, text).map_err(|e| format!("{}: {e}", out.display()))?;
    }
    let failed = |studied: &Studied| studied.summary.is_err() || studied.number("divergences") > 0;
    Ok(if all.iter().any(failed) { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

fn study(flags: &CStudy, product: &Path, folder: &Path, planned: &Planned) -> Result<Studied, String> {
    let scratch = tempfile::tempdir().map_err(|e| e.to_string())?;
    let place = |name: &str| scratch.path().join(name);
    let said = File::create(place("said")).map_err(|e| e.to_string())?;
    let mut command = Command::new(product);
    command.arg("explore").args(&planned.words);
    command.args(["--store", "memory:", "--solver", &flags.solver, "--paths", "0", "--time"]);
    command.arg(format!("{}ms", flags.time.as_millis()));
    command.arg("--stats").arg(place("stats")).arg("--sarif").arg(place("sarif"));
    command.current_dir(folder).env("EVERGREEN_CONFIG", "/dev/null");
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(said);
    // Making inputs small and replaying come on top of the exploration.
    let most = flags.time * 4 + Duration::from_secs(120);
    let (status, used) = measured(|| within(&mut command, most));
    let status = status?;
    let summary = match (status, std::fs::read_to_string(place("stats"))) {
        (None, _) => Err("does not end".to_string()),
        (Some(_), Ok(text)) => {
            serde_json::from_str(text.lines().next_back().unwrap_or_default()).map_err(|e| e.to_string())
        }
        (Some(status), Err(_)) => {
            let said = std::fs::read_to_string(place("said")).unwrap_or_default();
            let first = said.lines().find(|line| !line.trim().is_empty());
            Err(first.map_or_else(|| status.to_string(), str::to_string))
        }
    };
    let findings = std::fs::read_to_string(place("sarif")).map(|text| findings(&text)).unwrap_or_default();
    Ok(Studied { name: planned.name.clone(), used, summary, findings })
}

/// The findings of a SARIF report, in words.
fn findings(sarif: &str) -> Vec<String> {
    let report: Value = serde_json::from_str(sarif).unwrap_or_default();
    let results = report["runs"][0]["results"].as_array().cloned().unwrap_or_default();
    let words = |result: &Value| {
        let text = result["message"]["text"].as_str().unwrap_or_default();
        let at = &result["locations"][0]["physicalLocation"];
        let file = at["artifactLocation"]["uri"].as_str().unwrap_or_default();
        let line = at["region"]["startLine"].as_u64().unwrap_or(0);
        let name = file.rsplit('/').next().unwrap_or_default();
        format!("{} ({name}:{line})", text.lines().next().unwrap_or_default())
    };
    results.iter().map(words).collect()
}

impl Studied {
    fn number(&self, name: &str) -> u64 {
        self.summary.as_ref().map_or(0, |summary| summary[name].as_u64().unwrap_or(0))
    }

    /// Covered lines, and all.
    fn lines(&self) -> Option<(u64, u64)> {
        let lines = &self.summary.as_ref().ok()?["coverage"]["lines"];
        Some((lines["covered"].as_u64()?, lines["total"].as_u64()?))
    }

    /// Whether every path within the bounds of the inputs was explored.
    fn is_whole(&self) -> bool {
        self.summary.as_ref().is_ok_and(|summary| summary["explored"].as_str() != Some("in part"))
    }

    /// Why paths are unsupported, with the number of paths for each.
    fn missing(&self) -> BTreeMap<String, u64> {
        let missing = self.summary.as_ref().map(|summary| summary["missing"].clone()).unwrap_or_default();
        serde_json::from_value(missing).unwrap_or_default()
    }
}

fn rows(all: &[Studied]) -> Vec<Row> {
    let head =
        ["program", "paths", "all", "lines", "findings", "unsupported", "undecided", "diverged", "CPU s"];
    let mut rows = vec![head.map(String::from).to_vec()];
    for studied in all {
        let number = |name: &str| studied.number(name).to_string();
        let share =
            |(covered, all): (u64, u64)| format!("{:.0}%", 100.0 * covered as f64 / all.max(1) as f64);
        rows.push(vec![
            studied.name.clone(),
            if studied.summary.is_ok() { number("paths") } else { "failed".into() },
            if studied.is_whole() { "yes" } else { "no" }.into(),
            studied.lines().map_or_else(String::new, share),
            number("findings"),
            number("unsupported"),
            number("undecided"),
            number("divergences"),
            format!("{:.1}", studied.used.all()),
        ]);
    }
    rows
}

/// What does not fit into a table: failures, findings, what is unsupported.
fn notes(all: &[Studied]) -> String {
    let mut text = String::new();
    for studied in all {
        let mut say = |what: &str| text.push_str(&format!("- {}: {what}\n", studied.name));
        if let Err(why) = &studied.summary {
            say(&format!("failed: {why}"));
        }
        studied.findings.iter().for_each(|finding| say(finding));
        for (why, paths) in studied.missing() {
            say(&format!("unsupported on {paths} paths: {why}"));
        }
    }
    text
}

fn to_json(all: &[Studied]) -> Value {
    let program = |studied: &Studied| {
        let (covered, lines) = studied.lines().unzip();
        json!({
            "program": studied.name,
            "error": studied.summary.as_ref().err(),
            "paths": studied.number("paths"),
            "all_paths": studied.is_whole(),
            "lines": lines, "covered": covered,
            "findings": studied.findings,
            "unsupported": studied.number("unsupported"),
            "missing": studied.missing(),
            "undecided": studied.number("undecided"),
            "replayed": studied.number("replayed"),
            "divergences": studied.number("divergences"),
            "user_s": studied.used.user, "system_s": studied.used.system,
        })
    };
    json!({ "programs": all.iter().map(program).collect::<Vec<_>>() })
}
