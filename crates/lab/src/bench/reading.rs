//! `evergreen-lab bench reading`: recorded logs through the command `evergreen solve`, cold once and then
//! warm.
//!
//! A log becomes one script, with `(reset)` where a query ends. The first run fills a store on disk; the
//! later ones find every answer there, so that what they cost is reading, keys and look-ups. Measured is the
//! processor time of the process and of its children, in user and system mode, divided by the queries. With a
//! second program (`--against`) both take turns, each with a store of its own, so that both see the same
//! machine; the least of the rounds counts. What starting and ending the process costs is measured with a
//! script of one check, and shown beside: it is in the times of the queries.
//!
//! *To key* is measured in this process, without a store: from the bytes of a query, up to its check, to the
//! keys of its parts.

use super::stream::Stream;
use crate::flags::ReadingBench;
use evergreen::solver::{Command as SolverCommand, Limits};
use evergreen::{EngineOptions, Session, SessionOptions};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

/// A program and what it took.
struct Program {
    file: PathBuf,
    store: PathBuf,
    /// Verdicts of the last run.
    verdicts: Vec<u8>,
    /// Processor seconds of the best warm run, and of the best run of a script of one check.
    warm: f64,
    start: f64,
}

/// One log.
struct Row {
    name: String,
    queries: usize,
    bytes: usize,
    /// Processor seconds of the best warm run: ours, and the other program's.
    warm: f64,
    other: Option<f64>,
    /// Processor seconds of our process for a script of one check.
    start: f64,
    /// Bytes up to the checks, and the processor seconds from these to keys.
    keyed: (usize, f64),
}

impl Row {
    fn micros(&self, seconds: f64) -> f64 {
        seconds * 1e6 / self.queries as f64
    }

    /// Megabytes a second from bytes to keys.
    fn to_key(&self) -> f64 {
        self.keyed.0 as f64 / self.keyed.1 / 1e6
    }

    fn megabytes(&self, seconds: f64) -> f64 {
        self.bytes as f64 / seconds / 1e6
    }
}

/// Runs, prints, and fails when the verdicts of two runs differ.
pub(super) fn run(flags: &ReadingBench, as_json: bool) -> Result<ExitCode, String> {
    let product = crate::product::find(flags.product.clone())?;
    let mut rows = Vec::new();
    for file in &flags.files {
        let stream = Stream::read(file, flags.first.unwrap_or(usize::MAX))?;
        crate::say::note(&format!("{}: {} queries", stream.name, stream.queries.len()));
        rows.push(measure(flags, &product, &stream)?);
    }
    if as_json {
        crate::say::say_json(&to_json(&rows));
    } else {
        print_table(&rows);
    }
    Ok(ExitCode::SUCCESS)
}

fn measure(flags: &ReadingBench, product: &Path, stream: &Stream) -> Result<Row, String> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let script = folder.path().join("log.smt2");
    let text: String = stream.queries.iter().map(|query| query.replace("(exit)", "(reset)")).collect();
    std::fs::write(&script, &text).map_err(|e| format!("{}: {e}", script.display()))?;
    let named = [Some(product.to_path_buf()), flags.against.clone()].into_iter().flatten();
    let program = |(n, file): (usize, PathBuf)| {
        let store = folder.path().join(format!("store-{n}"));
        Program { file, store, verdicts: Vec::new(), warm: f64::INFINITY, start: f64::INFINITY }
    };
    let one = folder.path().join("one.smt2");
    std::fs::write(&one, "(check-sat)\n").map_err(|e| format!("{}: {e}", one.display()))?;
    let mut keyed = (0, f64::INFINITY);
    let mut programs: Vec<Program> = named.enumerate().map(program).collect();
    for program in &mut programs {
        program.solve(&script, &flags.solver)?;
    }
    for _ in 0..flags.rounds.max(1) {
        let (bytes, seconds) = to_keys(stream)?;
        keyed = (bytes, seconds.min(keyed.1));
        for program in &mut programs {
            let cold = std::mem::take(&mut program.verdicts);
            program.start = program.start.min(program.solve(&one, &flags.solver)?);
            let took = program.solve(&script, &flags.solver)?;
            if program.verdicts != cold {
                return Err(format!("{}: the verdicts of two runs differ", stream.name));
            }
            program.warm = program.warm.min(took);
        }
    }
    if programs.iter().any(|program| program.verdicts != programs[0].verdicts) {
        return Err(format!("{}: the verdicts of both programs differ", stream.name));
    }
    let (name, queries, bytes) = (stream.name.clone(), stream.queries.len(), text.len());
    let (warm, start, other) = (programs[0].warm, programs[0].start, programs.get(1).map(|other| other.warm));
    Ok(Row { name, queries, bytes, warm, other, start, keyed })
}

/// Reads each query up to its check and makes the keys of its parts: the bytes that were read, and what it
/// took.
fn to_keys(stream: &Stream) -> Result<(usize, f64), String> {
    let mut session = Session::new(SessionOptions {
        solver: SolverCommand::none(),
        limits: Limits::default(),
        engine: EngineOptions::default(),
        store: None,
        file: stream.name.clone(),
    });
    let (mut out, mut bytes, mut keys) = (String::new(), 0, 0);
    let before = processor_seconds(libc::RUSAGE_SELF);
    for query in &stream.queries {
        let asked = query.find("(check-sat)").map_or(&query[..], |end| &query[..end]);
        bytes += asked.len();
        session.feed(asked.as_bytes());
        while session.step(&mut out).is_some() {}
        keys += session.keys().len();
        session.feed(b"(reset)\n");
        while session.step(&mut out).is_some() {}
    }
    let took = processor_seconds(libc::RUSAGE_SELF) - before;
    match out.is_empty() && keys > 0 {
        true => Ok((bytes, took)),
        false => Err(format!("{}: a query was not read: {out}", stream.name)),
    }
}

impl Program {
    /// Runs the script; the processor time that it took.
    fn solve(&mut self, script: &Path, solver: &str) -> Result<f64, String> {
        let before = processor_seconds(libc::RUSAGE_CHILDREN);
        let output = Command::new(&self.file)
            .args(["solve", "--solver", solver, "--store"])
            .arg(&self.store)
            .arg(script)
            .env("EVERGREEN_CONFIG", "/dev/null")
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .output()
            .map_err(|e| format!("{}: {e}", self.file.display()))?;
        let took = processor_seconds(libc::RUSAGE_CHILDREN) - before;
        let is_verdict = |line: &&[u8]| matches!(*line, b"sat" | b"unsat" | b"unknown");
        let lines = output.stdout.split(|b| *b == b'\n').filter(is_verdict);
        self.verdicts = lines.map(|line| line[0]).collect();
        match self.verdicts.is_empty() {
            true => Err(format!("{}: no verdict", self.file.display())),
            false => Ok(took),
        }
    }
}

/// What this process has taken, or those of its children that have ended, and theirs.
pub(super) fn processor_seconds(who: libc::c_int) -> f64 {
    let mut usage = std::mem::MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: the call fills a structure of ours; all zeros, as it is if it fails, are valid.
    let usage = unsafe {
        libc::getrusage(who, usage.as_mut_ptr());
        usage.assume_init()
    };
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
    seconds(usage.ru_utime) + seconds(usage.ru_stime)
}

fn print_table(rows: &[Row]) {
    crate::say::say(&format!(
        "{:<14}{:>9}{:>10}{:>12}{:>9}{:>14}{:>14}{:>14}{:>8}",
        "log", "queries", "MB", "µs a query", "MB/s", "of it start", "to key, MB/s", "against, µs", "share"
    ));
    for row in rows {
        let other = row.other.map_or_else(String::new, |other| {
            format!("{:>14.1}{:>7.0}%", row.micros(other), 100.0 * row.warm / other)
        });
        let (micros, megabytes) = (row.micros(row.warm), row.megabytes(row.warm));
        let size = row.bytes as f64 / 1e6;
        let (start, keyed) = (row.micros(row.start), row.to_key());
        crate::say::say(&format!(
            "{:<14}{:>9}{size:>10.1}{micros:>12.1}{megabytes:>9.1}{start:>14.1}{keyed:>14.1}{other}",
            row.name, row.queries
        ));
    }
}

fn to_json(rows: &[Row]) -> Value {
    let row = |row: &Row| {
        json!({
            "log": row.name, "queries": row.queries, "bytes": row.bytes, "warm_us": row.micros(row.warm),
            "mb_per_s": row.megabytes(row.warm), "start_us": row.micros(row.start),
            "keyed_mb_per_s": row.to_key(), "against_us": row.other.map(|other| row.micros(other)),
        })
    };
    json!({ "logs": rows.iter().map(row).collect::<Vec<_>>() })
}
