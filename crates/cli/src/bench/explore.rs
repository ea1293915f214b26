//! `evergreen bench explore`: how fast the machine runs and forks, what a query costs, what a path weighs.
//!
//! The search tree with n symbolic keys is the papers' favourite: n = 5 has 541 paths. For it SPF took 3.6 s of CPU time
//! with z3, 9.5 s with a cold Green and 7.9 s with a cold GreenTrie, on a machine of this kind.

use crate::explore::used_bytes;
use crate::flags::ExploreBench;
use evergreen::explore::classfile::find_jdk;
use evergreen::explore::symbolic::Ints;
use evergreen::explore::{Detail, Exploration, Inputs, Options, Program, Summary, jvm};
use evergreen::store::{Memory, Store};
use evergreen::{Evergreen, Stats};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

const SOURCES: [(&str, &str); 3] = [
    ("Speed.java", include_str!("Speed.java")),
    ("BinTree.java", include_str!("../../../../subjects/bintree/v0/BinTree.java")),
    ("BinTreeDriver.java", include_str!("../../../../subjects/bintree/v0/BinTreeDriver.java")),
];

/// What one exploration did and took.
struct Measured {
    summary: Summary,
    paths: u64,
    stats: Stats,
    time: Duration,
    /// Growth of the process's memory over it.
    grown: u64,
}

impl Measured {
    fn per_second(&self, count: u64) -> f64 {
        count as f64 / self.time.as_secs_f64().max(1e-9)
    }
}

/// A line of the table: what, how much, the aim, whether more is better.
struct Line {
    key: &'static str,
    what: String,
    found: f64,
    unit: &'static str,
    aim: Option<(f64, bool)>,
}

/// Runs the benchmark.
pub fn run(flags: &ExploreBench, as_json: bool) -> Result<ExitCode, String> {
    let folder = std::env::temp_dir().join(format!("evergreen-bench-{}", std::process::id()));
    let lines = sources(&folder).and_then(|files| measure(flags, &files));
    let _ = std::fs::remove_dir_all(&folder);
    let lines = lines?;
    if as_json {
        let all: serde_json::Map<String, Value> = lines
            .iter()
            .map(|line| {
                let aim = line.aim.map(|(aim, _)| aim);
                (line.key.to_string(), json!({ "found": line.found, "unit": line.unit, "aim": aim }))
            })
            .collect();
        crate::say::say(&Value::Object(all).to_string());
    } else {
        lines.iter().for_each(print);
    }
    Ok(ExitCode::SUCCESS)
}

fn print(line: &Line) {
    let number = match line.found {
        n if n >= 1e6 => format!("{:.2} M", n / 1e6),
        n if n >= 1e4 => format!("{:.1} k", n / 1e3),
        n if n >= 10.0 => format!("{n:.0}"),
        n => format!("{n:.3}"),
    };
    let aim = match line.aim {
        None => String::new(),
        Some((aim, more)) => {
            let ratio = if more { line.found / aim } else { aim / line.found };
            let word = if ratio >= 1.0 { "reached" } else { "MISSED" };
            format!("  aim {} {aim}: {word}, {ratio:.2} times", if more { ">=" } else { "<=" })
        }
    };
    crate::say::say(&format!("{:<52}{number:>12} {:<10}{aim}", line.what, line.unit));
}

fn sources(folder: &PathBuf) -> Result<Vec<PathBuf>, String> {
    std::fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let write = |(name, text): &(&str, &str)| {
        let file = folder.join(name);
        std::fs::write(&file, text).map_err(|e| format!("{}: {e}", file.display()))?;
        Ok(file)
    };
    SOURCES.iter().map(write).collect()
}

fn measure(flags: &ExploreBench, files: &[PathBuf]) -> Result<Vec<Line>, String> {
    let many = flags.instructions;
    let mut lines = Vec::new();
    let mut line = |key, what: &str, found: f64, unit, aim| {
        lines.push(Line { key, what: what.into(), found, unit, aim });
    };
    let loops = best(flags, files, "loop", &[("n", many / 9)])?;
    line(
        "concrete_loop",
        "bytecodes, a loop over ints",
        loops.per_second(loops.summary.instructions),
        "/s",
        Some((30e6, true)),
    );
    let calls = best(flags, files, "calls", &[("n", many / 34)])?;
    line(
        "concrete_calls",
        "bytecodes, calls, fields and arrays",
        calls.per_second(calls.summary.instructions),
        "/s",
        None,
    );
    let straight = best(flags, files, "straight", &[("n", many / 400)])?;
    line(
        "symbolic",
        "bytecodes on symbolic ints, no branch",
        straight.per_second(straight.summary.instructions),
        "/s",
        None,
    );
    let forks = best(flags, files, "forks", &[])?;
    line(
        "forks",
        "forks, 16 independent branches (65,536 paths)",
        forks.per_second(forks.summary.forks),
        "/s",
        Some((100e3, true)),
    );
    line("queries", "queries there", forks.per_second(forks.summary.queries), "/s", None);
    for (method, paths, aim) in [("add5", 541, 0.1), ("add6", 4_683, 1.0), ("add7", 47_293, 5.0)] {
        let tree = best(flags, files, method, &[])?;
        if tree.paths != paths || !tree.summary.is_complete() {
            return Err(format!("BinTreeDriver.{method}: {} paths instead of {paths}", tree.paths));
        }
        let keys = &method[3..];
        let key = match keys {
            "5" => "tree5",
            "6" => "tree6",
            _ => "tree7",
        };
        line(
            key,
            &format!("search tree, {keys} keys, {paths} paths, {} solved", tree.stats.solved),
            tree.time.as_secs_f64(),
            "s",
            Some((aim, false)),
        );
        if keys == "7" {
            line("tree7_queries", "queries there", tree.per_second(tree.summary.queries), "/s", None);
            line(
                "tree7_forks",
                "forks there",
                tree.per_second(tree.summary.forks),
                "/s",
                Some((100e3, true)),
            );
            line(
                "tree7_bytecodes",
                "bytecodes there",
                tree.per_second(tree.summary.instructions),
                "/s",
                None,
            );
            line(
                "tree7_bytes",
                "memory that grew, for each path",
                tree.grown as f64 / paths as f64,
                "bytes",
                None,
            );
        }
    }
    line("spf_ratio", "SPF with z3 took on 5 keys", 3.6, "s CPU", None);
    Ok(lines)
}

/// The fastest of several runs, each from the beginning: nothing is reused.
fn best(
    flags: &ExploreBench,
    files: &[PathBuf],
    method: &str,
    concrete: &[(&str, u64)],
) -> Result<Measured, String> {
    let mut best: Option<Measured> = None;
    for _ in 0..flags.rounds.max(1) {
        let measured = once(files, method, concrete)?;
        if best.as_ref().is_none_or(|best| measured.time < best.time) {
            best = Some(measured);
        }
    }
    best.ok_or_else(|| "no round".into())
}

fn once(files: &[PathBuf], method: &str, concrete: &[(&str, u64)]) -> Result<Measured, String> {
    let jdk = find_jdk().map_err(|e| e.to_string())?;
    let program = Program::open(files, None, jdk).map_err(|e| e.to_string())?;
    let method = program.methods(Some(method)).map_err(|e| e.to_string())?.remove(0);
    let store: Arc<dyn Store> = Arc::new(Memory::new(256 << 20));
    let make = move || Evergreen::builder().with_store(store.clone()).build();
    let mut exploration = Exploration::new(program, Ints::Wrapped, jvm::Options::default(), Box::new(make))
        .map_err(|e| e.to_string())?;
    let concrete = concrete.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
    let inputs = Inputs { concrete, ..Inputs::default() };
    let before = used_bytes();
    let start = Instant::now();
    let run = exploration.method(&method, &inputs, Options::default()).map_err(|e| e.to_string())?;
    let mut run = run.telling(Detail::Brief);
    while run.next_path().is_some() {}
    let time = start.elapsed();
    let grown = used_bytes().saturating_sub(before);
    let (summary, paths, stats) = (run.summary(), run.tally().paths, run.oracle().stats());
    if summary.stuck + run.tally().unsupported + summary.undecided > 0 {
        return Err(format!("{method}: not explored as it should be: {summary:?}"));
    }
    Ok(Measured { summary, paths, stats, time, grown })
}
