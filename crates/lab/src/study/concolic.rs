//! `evergreen-lab study concolic`: how many branches a second of processor time covers, where paths are long
//! and inputs large: plain exploration in two orders, and inputs that run first.
//!
//! Each program has branches before a long loop, in it, and behind it, all on inputs (`subjects/long`). Depth
//! first reaches the end and then changes what is near it; by coverage the loop is entered again and again. A
//! run of inputs costs no questions, and afterwards arms that nothing took come first. The command
//! `evergreen` is started as a user does, for the same time each.

use super::table::{Row, aligned, markdown};
use crate::flags::ConcolicStudy;
use crate::run::{Used, measured, within};
use serde_json::{Value, json};
use std::fs::File;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;

/// Programs: a name, the file, and what else the command is given.
const PROGRAMS: [(&str, &str, &[&str]); 6] = [
    ("ledger, 80 entries", "ledger.c", &["--cc-arg", "-DN=80"]),
    ("ledger, 400 entries", "ledger.c", &["--cc-arg", "-DN=400"]),
    ("survey, 100 answers", "survey.c", &["--cc-arg", "-DN=100"]),
    ("survey, 500 answers", "survey.c", &["--cc-arg", "-DN=500"]),
    ("Journal, 100 readings", "Journal.java", &["--method", "Journal.read", "--concrete", "n=100"]),
    ("Journal, 400 readings", "Journal.java", &["--method", "Journal.read", "--concrete", "n=400"]),
];

/// More than any path has branches: the usual bound of 1,000 would cut each of the long ones.
const DEPTH: &str = "1000000";

/// Ways to explore.
const WAYS: [(&str, &[&str]); 3] = [
    ("depth first", &["--order", "dfs"]),
    ("by coverage", &["--order", "coverage"]),
    ("concolic", &["--concolic"]),
];

/// What one way came to.
struct Ran {
    program: &'static str,
    way: &'static str,
    used: Used,
    summary: Value,
}

impl Ran {
    fn number(&self, at: &str) -> u64 {
        self.summary.pointer(at).and_then(Value::as_u64).unwrap_or(0)
    }

    fn taken(&self) -> u64 {
        self.number("/arms/taken")
    }

    fn rate(&self) -> f64 {
        self.taken() as f64 / self.used.all().max(0.01)
    }
}

/// Runs and prints; exit code 1 where plain exploration takes more branches.
pub(super) fn run(flags: &ConcolicStudy) -> Result<ExitCode, String> {
    let product = crate::product::find(flags.product.clone())?;
    let mut all = Vec::new();
    for (program, file, given) in PROGRAMS {
        for (way, words) in WAYS {
            crate::say::note(&format!("{program}, {way}"));
            let target = flags.subjects.join("long").join(file);
            let (summary, used) = explore(&product, &target, &[given, words].concat(), flags.time)?;
            all.push(Ran { program, way, used, summary });
        }
    }
    if flags.json {
        crate::say::say_json(&json!({ "runs": all.iter().map(to_json).collect::<Vec<_>>() }));
    } else {
        crate::say::say(aligned(&rows(&all)).trim_end());
    }
    if let Some(out) = &flags.out {
        super::file::write(out, markdown(&rows(&all)).as_bytes())?;
    }
    let beaten = |own: &[Ran]| own[2].taken() <= own[..2].iter().map(Ran::taken).max().unwrap_or(0);
    Ok(ExitCode::from(u8::from(all.chunks(WAYS.len()).any(beaten))))
}

/// The summary of one exploration, and its processor time.
fn explore(product: &Path, target: &Path, words: &[&str], time: Duration) -> Result<(Value, Used), String> {
    let scratch = tempfile::tempdir().map_err(|e| e.to_string())?;
    let (stats, said) = (scratch.path().join("stats"), scratch.path().join("said"));
    let mut command = Command::new(product);
    command.arg("explore").arg(target).args(words);
    command.args(["--store", "memory:", "--no-replay", "--merge", "off", "--paths", "0", "--depth", DEPTH]);
    command.arg("--time");
    command.arg(format!("{}ms", time.as_millis())).arg("--stats").arg(&stats);
    command.env("EVERGREEN_CONFIG", "/dev/null").stdin(Stdio::null()).stdout(Stdio::null());
    command.stderr(File::create(&said).map_err(|e| e.to_string())?);
    let (status, used) = measured(|| within(&mut command, time * 4 + Duration::from_secs(60)));
    let text = std::fs::read_to_string(&stats).unwrap_or_default();
    let Some(last) = text.lines().next_back().filter(|_| matches!(status, Ok(Some(_)))) else {
        let said = std::fs::read_to_string(&said).unwrap_or_default();
        let first = said.lines().find(|line| !line.trim().is_empty()).unwrap_or("does not end");
        return Err(format!("{}: {first}", target.display()));
    };
    Ok((serde_json::from_str(last).map_err(|e| e.to_string())?, used))
}

fn rows(all: &[Ran]) -> Vec<Row> {
    let head =
        ["program", "way", "branches taken", "met", "paths", "questions", "CPU s", "branches per CPU s"];
    let mut rows = vec![head.map(String::from).to_vec()];
    for ran in all {
        rows.push(vec![
            ran.program.into(),
            ran.way.into(),
            ran.taken().to_string(),
            ran.number("/arms/offered").to_string(),
            ran.number("/paths").to_string(),
            ran.number("/asked").to_string(),
            format!("{:.1}", ran.used.all()),
            format!("{:.1}", ran.rate()),
        ]);
    }
    rows
}

fn to_json(ran: &Ran) -> Value {
    json!({
        "program": ran.program, "way": ran.way, "taken": ran.taken(), "met": ran.number("/arms/offered"),
        "paths": ran.number("/paths"), "asked": ran.number("/asked"), "cpu_s": ran.used.all(),
    })
}
