//! `evergreen-lab bench explore`: how fast the machine runs and forks, what a query costs, what a path
//! weighs. In CPU time: exploration is one thread, and other work on the machine does not count.
//!
//! The search tree with n symbolic keys is the papers' favourite: n = 5 has 541 paths. For it SPF took 3.6 s
//! of CPU time with z3, 9.5 s with a cold Green and 7.9 s with a cold GreenTrie, on a machine of this kind.
//! Those are whole processes; here starting (some 5 ms) and javac are not counted.

use super::write_sources;
use crate::flags::ExploreBench;
use evergreen::store::{Memory, Store};
use evergreen::{Evergreen, Stats};
use evergreen_host::memory::used_bytes;
use evergreen_java::classfile::find_jdk;
use evergreen_java::symbolic::Ints;
use evergreen_java::{Detail, Inputs, JavaFrontend, Options, Order, Program, Summary, jvm};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

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
    /// Bytes that the process had grown by when the first path ended, and from the thousandth path to the
    /// last.
    first_grown: u64,
    late_grown: u64,
}

impl Measured {
    fn per_second(&self, count: u64) -> f64 {
        count as f64 / self.time.as_secs_f64().max(1e-9)
    }

    fn seconds(&self) -> f64 {
        self.time.as_secs_f64()
    }
}

/// What is explored, and how.
struct Subject<'s> {
    method: &'s str,
    concrete: &'s [(&'s str, u64)],
    order: Order,
}

impl<'s> Subject<'s> {
    fn new(method: &'s str, concrete: &'s [(&'s str, u64)]) -> Subject<'s> {
        Subject { method, concrete, order: Order::DepthFirst }
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
pub(super) fn run(flags: &ExploreBench, as_json: bool) -> Result<ExitCode, String> {
    let folder = tempfile::env::temp_dir().join(format!("evergreen-bench-{}", std::process::id()));
    let lines = write_sources(&folder, &SOURCES).and_then(|files| measure(flags, &files));
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

fn measure(flags: &ExploreBench, files: &[PathBuf]) -> Result<Vec<Line>, String> {
    let mut lines = machine(flags, files)?;
    lines.extend(tree(flags, files)?);
    Ok(lines)
}

fn line(key: &'static str, what: &str, found: f64, unit: &'static str, aim: Option<(f64, bool)>) -> Line {
    Line { key, what: what.into(), found, unit, aim }
}

/// Instructions and forks.
fn machine(flags: &ExploreBench, files: &[PathBuf]) -> Result<Vec<Line>, String> {
    let many = flags.instructions;
    let mut lines = Vec::new();
    for (key, what, method, n, aim) in [
        ("concrete_loop", "bytecodes, a loop over ints", "loop", many / 9, Some((30e6, true))),
        ("concrete_calls", "bytecodes, calls, fields and arrays", "calls", many / 34, None),
        ("symbolic", "bytecodes on symbolic ints, no branch", "straight", many / 400, None),
    ] {
        let run = best(flags, files, &Subject::new(method, &[("n", n)]))?;
        lines.push(line(key, what, run.per_second(run.summary.instructions), "/s", aim));
    }
    let forks = best(flags, files, &Subject::new("forks", &[]))?;
    let rate = forks.per_second(forks.summary.forks);
    lines.push(line(
        "forks",
        "forks, 16 independent branches (65,536 paths)",
        rate,
        "/s",
        Some((100e3, true)),
    ));
    lines.push(line("queries", "queries there", forks.per_second(forks.summary.queries()), "/s", None));
    // Breadth first every path is open when the first one ends.
    let wide = once(files, &Subject { order: Order::BreadthFirst, ..Subject::new("forks", &[]) })?;
    let each = wide.first_grown as f64 / wide.paths as f64;
    lines.push(line("open_bytes", "memory of an open path there", each, "bytes", None));
    Ok(lines)
}

/// The search tree, and what others took for it.
fn tree(flags: &ExploreBench, files: &[PathBuf]) -> Result<Vec<Line>, String> {
    let mut lines = Vec::new();
    for (key, method, paths, aim) in
        [("tree5", "add5", 541, 0.1), ("tree6", "add6", 4_683, 1.0), ("tree7", "add7", 47_293, 5.0)]
    {
        let tree = best(flags, files, &Subject::new(method, &[]))?;
        if tree.paths != paths || !tree.summary.is_complete() {
            return Err(format!("BinTreeDriver.{method}: {} paths instead of {paths}", tree.paths));
        }
        let what = format!("search tree, {} keys, {paths} paths, {} solved", &method[3..], tree.stats.solved);
        lines.push(line(key, &what, tree.seconds(), "s", Some((aim, false))));
        match key {
            "tree5" => {
                for (key, what, others) in [
                    ("spf_z3", "SPF with z3 took 3.6 s: times", 3.6),
                    ("spf_green", "SPF with a cold Green took 9.5 s: times", 9.5),
                    ("spf_greentrie", "SPF with a cold GreenTrie took 7.9 s: times", 7.9),
                ] {
                    lines.push(line(key, what, others / tree.seconds(), "faster", None));
                }
            }
            "tree7" => {
                let rates = [
                    ("tree7_queries", "queries there", tree.summary.queries(), None),
                    ("tree7_forks", "forks there", tree.summary.forks, Some((100e3, true))),
                    ("tree7_bytecodes", "bytecodes there", tree.summary.instructions, None),
                ];
                lines.extend(rates.map(|(key, what, n, aim)| line(key, what, tree.per_second(n), "/s", aim)));
                let late = tree.late_grown as f64;
                lines.push(line("tree7_grown", "memory that grew after 1,000 paths", late, "bytes", None));
            }
            _ => {}
        }
    }
    Ok(lines)
}

/// The time that this process has had: other work on the machine does not count.
fn cpu_time() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer is to a timespec of our own.
    unsafe {
        libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &raw mut time);
    }
    Duration::new(u64::try_from(time.tv_sec).unwrap_or(0), u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// The fastest of several runs, each from the beginning: nothing is reused.
fn best(flags: &ExploreBench, files: &[PathBuf], subject: &Subject<'_>) -> Result<Measured, String> {
    let mut best: Option<Measured> = None;
    for _ in 0..flags.rounds.max(1) {
        let measured = once(files, subject)?;
        if best.as_ref().is_none_or(|best| measured.time < best.time) {
            best = Some(measured);
        }
    }
    best.ok_or_else(|| "no round".into())
}

fn once(files: &[PathBuf], subject: &Subject<'_>) -> Result<Measured, String> {
    let jdk = find_jdk().map_err(|e| e.to_string())?;
    let program = Program::open(files, None, jdk).map_err(|e| e.to_string())?;
    let method = program.methods(Some(subject.method)).map_err(|e| e.to_string())?.remove(0);
    let store: Arc<dyn Store> = Arc::new(Memory::new(256 << 20));
    let make = move || Evergreen::builder().with_store(store.clone()).build();
    let mut exploration =
        JavaFrontend::explore(program, Ints::Wrapped, jvm::Options::default(), Box::new(make))
            .map_err(|e| e.to_string())?;
    let concrete = subject.concrete.iter().map(|(name, value)| (name.to_string(), value.to_string()));
    let inputs = Inputs { concrete: concrete.collect(), ..Inputs::default() };
    let options = Options { order: subject.order, ..Options::default() };
    let before = used_bytes();
    let start = cpu_time();
    let run = exploration.entry(&method, &inputs, options).map_err(|e| e.to_string())?;
    let mut run = run.telling(Detail::Brief);
    let (mut first, mut thousandth) = (before, 0);
    while let Some(path) = run.next_path() {
        match path.number {
            1 => first = used_bytes(),
            1_000 => thousandth = used_bytes(),
            _ => {}
        }
    }
    let time = cpu_time().saturating_sub(start);
    let late_grown = used_bytes().saturating_sub(thousandth);
    let (summary, paths, stats) = (run.summary(), run.tally().paths, run.oracle().stats());
    if summary.stuck + run.tally().unsupported + summary.undecided > 0 {
        return Err(format!("{method}: not explored as it should be: {summary:?}"));
    }
    Ok(Measured { summary, paths, stats, time, first_grown: first.saturating_sub(before), late_grown })
}
