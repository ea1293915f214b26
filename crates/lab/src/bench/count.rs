//! `evergreen-lab bench count`: how fast solutions are counted, beside barvinok on the same problems, in one
//! run.
//!
//! barvinok is asked in a process of its own that has it loaded; only counting is timed there, not reading
//! the set nor the pipe. Both count every problem again and again for a while and keep the least CPU time,
//! because others may use the machine as well. LattE, where the user has it, is a process per problem
//! (`count_latte.rs`). Every number is compared. Then the same problems as counts that a store knows
//! (`count_stored.rs`).

use super::count_latte::{Counted, Latte};
use super::count_shapes::{SHAPES, Shape, all_different};
use super::count_stored::{self, Stored};
use crate::flags::CountBench;
use evergreen::counters::isl;
use evergreen::counting::{Problem, count_with};
use evergreen::solver::find_program;
use evergreen::{Budget, Count};
use num_bigint::BigUint;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitCode, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// So long the other counter may think about one problem.
const PATIENCE: Duration = Duration::from_secs(60);

/// So much longer than ours it may take for a shape before fewer problems do.
const LONG: Duration = Duration::from_secs(20);

/// Another counter, as a process that answers lines.
struct Other {
    child: Child,
    stdin: ChildStdin,
    lines: Receiver<String>,
}

impl Drop for Other {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Other {
    fn start(program: &std::path::Path, runs_ms: u64) -> Result<Other, String> {
        let trouble = |e: std::io::Error| format!("{}: {e}", program.display());
        let mut child = Command::new(program)
            .arg(runs_ms.to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(trouble)?;
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(format!("{}: no pipes", program.display()));
        };
        let (send, lines) = channel();
        std::thread::spawn(move || {
            BufReader::new(stdout).lines().map_while(Result::ok).all(|line| send.send(line).is_ok())
        });
        Ok(Other { child, stdin, lines })
    }

    /// The number and the microseconds it took; `None` if it took too long or failed.
    fn count(&mut self, set: &str) -> Option<(String, f64)> {
        writeln!(self.stdin, "{set}").ok()?;
        let line = self.lines.recv_timeout(PATIENCE).ok()?;
        let (number, micros) = line.split_once('\t')?;
        Some((number.to_string(), micros.parse().ok()?))
    }
}

/// Whom to ask.
struct Others<'l> {
    barvinok: Option<Other>,
    latte: Option<&'l Latte>,
}

/// What came of a shape.
struct Row {
    what: Value,
    name: String,
    ours: Vec<f64>,
    theirs: Vec<f64>,
    /// Where both answered: how many times faster ours is.
    ratios: Vec<f64>,
    latte: Vec<Asked>,
    differ: u32,
    latte_differ: u32,
    inexact: u32,
}

/// What LattE took for a problem, and ours.
struct Asked {
    counted: Counted,
    ours: f64,
}

impl Row {
    /// The median of something that LattE took.
    fn latte(&self, what: impl Fn(&Asked) -> f64) -> Option<f64> {
        median(&self.latte.iter().map(what).collect::<Vec<_>>())
    }
}

/// The middle one.
pub(super) fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied()
}

/// What this thread has used.
pub(super) fn cpu_time() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the call writes one timespec.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    Duration::new(u64::try_from(time.tv_sec).unwrap_or(0), u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// The number and the least time of many.
fn ours(problem: &Problem, runs_ms: u64) -> (Count, f64) {
    let begin = Instant::now();
    let mut least = f64::INFINITY;
    loop {
        let (cpu, start) = (cpu_time(), Instant::now());
        let (count, _) = count_with(problem, Budget::default(), None);
        let took = start.elapsed();
        // Asking for the CPU time takes as long as the shortest counts.
        least = least.min(took.min(cpu_time().saturating_sub(cpu)).as_nanos() as f64 / 1000.0);
        if begin.elapsed() >= Duration::from_millis(runs_ms) {
            return (count, least);
        }
    }
}

/// Whether LattE answered.
fn measure_latte(row: &mut Row, problem: &Problem, latte: &Latte, number: &BigUint, runs_ms: u64) -> bool {
    let Some(counted) = latte.count(problem, runs_ms) else { return false };
    row.latte_differ += u32::from(counted.number != *number);
    let ours = row.ours.last().copied().unwrap_or(f64::INFINITY);
    row.latte.push(Asked { counted, ours });
    true
}

fn measure(row: &mut Row, problem: &Problem, others: &mut Others, runs_ms: u64) {
    let (count, micros) = ours(problem, runs_ms);
    row.ours.push(micros);
    let Count::Exact(number) = count else {
        row.inexact += 1;
        return;
    };
    if others.latte.is_some_and(|latte| !measure_latte(row, problem, latte, &number, runs_ms)) {
        // What it cannot do once it is not asked for again.
        others.latte = None;
    }
    let Some(asked) = &mut others.barvinok else { return };
    match asked.count(&isl(problem)) {
        None => others.barvinok = None,
        Some((theirs, their_micros)) => {
            row.differ += u32::from(theirs != number.to_string());
            row.theirs.push(their_micros);
            row.ratios.push(their_micros / micros);
        }
    }
}

fn row(shape: &Shape) -> Row {
    let what = json!({
        "variables": shape.variables, "rows": shape.rows, "equalities": shape.equalities,
        "disequalities": shape.disequalities, "in_a_row": shape.density, "coefficients": shape.most,
        "top": shape.top,
    });
    let name = format!(
        "{:>4}{:>5}{:>4}{:>4}{:>6}{:>12}{:>12}",
        shape.variables,
        shape.rows,
        shape.equalities,
        shape.disequalities,
        shape.density,
        shape.most,
        shape.top
    );
    Row {
        what,
        name,
        ours: vec![],
        theirs: vec![],
        ratios: vec![],
        latte: vec![],
        differ: 0,
        latte_differ: 0,
        inexact: 0,
    }
}

/// Runs the benchmark.
pub(super) fn run(flags: &CountBench, as_json: bool) -> Result<ExitCode, String> {
    let program = find_program("barvinok");
    if program.is_none() {
        crate::say::warn("no barvinok to compare with\nhelp: scripts/setup.sh counters");
    }
    let latte = Latte::find(flags.latte.as_deref())?;
    let start = || program.as_deref().map(|p| Other::start(p, flags.runs_ms)).transpose();
    let mut all = Vec::new();
    if !as_json {
        crate::say::say(
            "vars rows   =  != in row      coeff.         top   evergreen µs   barvinok µs  times faster \
             (least)  equal      \
             LattE µs    less start  times faster  less start  equal",
        );
    }
    let wanted = |at: usize| flags.shape.is_none_or(|s| s == at);
    let shapes: Vec<&Shape> = SHAPES.iter().enumerate().filter(|s| wanted(s.0)).map(|s| s.1).collect();
    for shape in &shapes {
        let mut row = row(shape);
        let mut others = Others { barvinok: start()?, latte: latte.as_ref() };
        let begin = Instant::now();
        for index in 0..flags.problems {
            if row.ratios.len() >= 3 && begin.elapsed() > LONG {
                break;
            }
            measure(&mut row, &shape.problem(index), &mut others, flags.runs_ms);
            if others.barvinok.is_none() {
                others.barvinok = start()?;
            }
        }
        if !as_json {
            crate::say::say(&line(&row));
        }
        all.push(row);
    }
    let (_, micros) = ours(&all_different(7), 10 * flags.runs_ms);
    if !as_json {
        crate::say::say(&format!("all-different over 7 words of 32 bits: {micros:.1} µs"));
        if let Some(Latte { version, start_us, .. }) = &latte {
            crate::say::say(&format!(
                "{version}: CPU time of a process per problem, of 2^k for k disequalities, starting \
                 included; {start_us:.0} µs for 0..6 alone"
            ));
        }
        crate::say::say(&format!("\nvars rows   =  != in row      coeff.         top{}", Stored::HEAD));
    }
    let mut stored = Vec::new();
    for (shape, row) in shapes.iter().zip(&all) {
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let costs = count_stored::measure(shape, flags.problems, flags.runs_ms, folder.path())?;
        if as_json {
            stored.push(costs.object());
        } else {
            crate::say::say(&format!("{}{}", row.name, costs.line()));
        }
    }
    if as_json {
        let mut rows: Vec<Value> = all.iter().map(object).collect();
        let about = latte.as_ref().map(|l| json!({ "version": l.version, "start_us": l.start_us }));
        rows.iter_mut().zip(stored).for_each(|(row, stored)| row["stored"] = stored);
        crate::say::say(&json!({ "shapes": rows, "all_different_7_us": micros, "latte": about }).to_string());
    }
    Ok(ExitCode::from(u8::from(all.iter().any(|row| row.differ + row.latte_differ > 0))))
}

fn line(row: &Row) -> String {
    let shown = |value: Option<f64>| value.map_or("-".to_string(), |v| format!("{v:.1}"));
    let least = row.ratios.iter().copied().reduce(f64::min);
    format!(
        "{}{:>15}{:>14}{:>14}{:>8}  {:>4}/{:<4}{:>15}{:>14}{:>14}{:>12}  {:>5}{}",
        row.name,
        shown(median(&row.ours)),
        shown(median(&row.theirs)),
        shown(median(&row.ratios)),
        shown(least),
        row.ratios.len() - row.differ as usize,
        row.ratios.len(),
        shown(row.latte(|a| a.counted.all_us)),
        shown(row.latte(|a| a.counted.less_start_us)),
        shown(row.latte(|a| a.counted.all_us / a.ours)),
        shown(row.latte(|a| a.counted.less_start_us / a.ours)),
        format!("{}/{}", row.latte.len() - row.latte_differ as usize, row.latte.len()),
        if row.inexact > 0 { format!("  {} not exact", row.inexact) } else { String::new() },
    )
}

fn object(row: &Row) -> Value {
    let mut object = row.what.clone();
    object["evergreen_us"] = json!(median(&row.ours));
    object["barvinok_us"] = json!(median(&row.theirs));
    object["times_faster"] = json!(median(&row.ratios));
    object["least_times_faster"] = json!(row.ratios.iter().copied().reduce(f64::min));
    object["latte_us"] = json!(row.latte(|a| a.counted.all_us));
    object["latte_less_start_us"] = json!(row.latte(|a| a.counted.less_start_us));
    object["latte_compared"] = json!(row.latte.len());
    object["latte_different"] = json!(row.latte_differ);
    object["compared"] = json!(row.ratios.len());
    object["different"] = json!(row.differ);
    object["not_exact"] = json!(row.inexact);
    object
}
