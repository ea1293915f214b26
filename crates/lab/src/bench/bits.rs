//! `evergreen-lab bench bits`: the core of bit vectors on recorded logs, beside solver programs on the same
//! queries.
//!
//! *Cold*: the core forgets everything before each query, whose terms are in an arena of their own. *Path*:
//! all terms are in one arena, the core keeps what it knows, and the last model is given as a hint. Reading
//! the text is not part of either. A solver is one process for each log: the same queries with `(reset)`
//! between them and without `get-value`; the same script without `check-sat` is its parse share. Everything
//! is processor time, so other work on the machine changes little.
//!
//! Verdicts are compared, and every model is evaluated on the query as it was read.

use super::bits_solvers::{self, Checked};
use super::stream::Stream;
use crate::flags::BitsBench;
use evergreen::smtlib::{Command as Said, Context};
use evergreen::{Completion, Evaluator, Model, TermId, Terms};
use evergreen_bits::{Bits, Decision, Effort, Layer};
use serde_json::{Value, json};
use std::process::ExitCode;

/// How queries of one log were decided.
#[derive(Clone, Default)]
struct Decided {
    /// By layer, and undecided ones.
    layers: [u64; Layer::ALL.len() + 1],
    nanos: u64,
    slowest_ns: u64,
    verdicts: Vec<&'static str>,
    wrong: Vec<String>,
}

/// A log and everything that was measured on it.
struct Row {
    name: String,
    queries: usize,
    read_ns: u64,
    cold: Decided,
    path: Decided,
    solvers: Vec<(String, Checked)>,
}

/// Nanoseconds of processor time of this thread.
fn clock() -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer is to a live value of the type that the call fills.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// Measures, prints, and fails when a verdict differs or a model does not hold.
pub(super) fn run(flags: &BitsBench, as_json: bool) -> Result<ExitCode, String> {
    let mut rows = Vec::new();
    let mut faults = Vec::new();
    for file in &flags.files {
        let stream = Stream::read(file, flags.first.unwrap_or(usize::MAX))?;
        let row = measure(&stream, flags)?;
        faults.extend(differences(&row));
        rows.push(row);
    }
    if as_json {
        crate::say::say_json(&json!({
            "logs": rows.iter().map(to_json).collect::<Vec<_>>(), "faults": faults,
        }));
    } else {
        print(&rows, flags);
        for fault in &faults {
            crate::say::say(&format!("WRONG {fault}"));
        }
    }
    Ok(ExitCode::from(u8::from(!faults.is_empty())))
}

fn measure(stream: &Stream, flags: &BitsBench) -> Result<Row, String> {
    crate::say::note(&format!("{}: {} queries", stream.name, stream.queries.len()));
    let start = clock();
    let mut terms = Terms::new();
    let queries: Vec<Vec<TermId>> =
        stream.queries.iter().map(|text| read(&mut terms, text)).collect::<Result<_, _>>()?;
    let read_ns = clock() - start;
    let path = along_the_path(&terms, &queries);
    drop((terms, queries));
    let cold = cold(stream)?;
    let mut solvers = Vec::new();
    for name in &flags.solver {
        crate::say::note(&format!("{}: {name}", stream.name));
        solvers.push((name.clone(), bits_solvers::ask(name, stream, flags.seconds)?));
    }
    Ok(Row { name: stream.name.clone(), queries: stream.queries.len(), read_ns, cold, path, solvers })
}

/// The constraints of a script.
fn read(terms: &mut Terms, text: &str) -> Result<Vec<TermId>, String> {
    let mut context = Context::new(terms);
    let script = context.read_script(terms, text.as_bytes()).map_err(|d| d.message.clone())?;
    let mut constraints = Vec::new();
    for located in script {
        match located.command {
            Said::Assert { term, .. } => constraints.push(term),
            Said::Opaque => {
                let why = located.complaint.map_or("a command that is not understood".into(), |c| c.message);
                return Err(why);
            }
            _ => {}
        }
    }
    Ok(constraints)
}

impl Decided {
    /// Asks a core about one query, with the clock running.
    fn ask(&mut self, bits: &mut Bits, terms: &Terms, query: &[TermId], old: &[&Model]) -> Option<Model> {
        let start = clock();
        let decision = bits.decide(terms, query, old, Effort::default());
        let took = clock() - start;
        self.nanos += took;
        self.slowest_ns = self.slowest_ns.max(took);
        let layer = bits.layer().and_then(|layer| Layer::ALL.iter().position(|l| *l == layer));
        self.layers[layer.unwrap_or(Layer::ALL.len())] += 1;
        let (verdict, model) = match decision {
            Decision::Sat(model) => {
                let mut evaluator = Evaluator::new(terms, &model).completing(Completion::Default);
                if !query.iter().all(|&c| evaluator.holds(c) == Ok(true)) {
                    self.wrong.push(format!("query {}: the model does not hold", self.verdicts.len()));
                }
                ("sat", Some(model))
            }
            Decision::Unsat(_) => ("unsat", None),
            Decision::Unknown(_) => ("unknown", None),
        };
        self.verdicts.push(verdict);
        model
    }
}

fn along_the_path(terms: &Terms, queries: &[Vec<TermId>]) -> Decided {
    let mut decided = Decided::default();
    let mut bits = Bits::new();
    let mut last: Option<Model> = None;
    for query in queries {
        let old: Vec<&Model> = last.iter().collect();
        let model = decided.ask(&mut bits, terms, query, &old);
        last = model.or(last);
    }
    decided
}

fn cold(stream: &Stream) -> Result<Decided, String> {
    let mut decided = Decided::default();
    let mut bits = Bits::new();
    for text in &stream.queries {
        let mut terms = Terms::new();
        let query = read(&mut terms, text)?;
        let start = clock();
        bits.forget();
        decided.nanos += clock() - start;
        decided.ask(&mut bits, &terms, &query, &[]);
    }
    Ok(decided)
}

/// Verdicts that are not the same everywhere, and models that do not hold.
fn differences(row: &Row) -> Vec<String> {
    let place = |text: &str| format!("{}: {text}", row.name);
    let mut faults: Vec<String> = row.cold.wrong.iter().chain(&row.path.wrong).map(|w| place(w)).collect();
    let mut compare = |name: &str, ours: &[&str], theirs: &[&str]| {
        for (number, (a, b)) in ours.iter().zip(theirs).enumerate() {
            if a != b && *a != "unknown" && *b != "unknown" {
                faults.push(place(&format!("query {number}: {a}, but {name} {b}")));
            }
        }
    };
    compare("along the path", &row.cold.verdicts, &row.path.verdicts);
    for (name, checked) in &row.solvers {
        let theirs: Vec<&str> = checked.verdicts.iter().map(String::as_str).collect();
        compare(name, &row.cold.verdicts, &theirs);
    }
    faults
}

fn millis(nanos: u64) -> f64 {
    nanos as f64 / 1e6
}

/// The part of a share in percent.
fn percent(part: u64, whole: usize) -> f64 {
    part as f64 * 100.0 / whole.max(1) as f64
}

/// A row of the sums of all logs.
fn total(rows: &[Row]) -> Row {
    let sum = |of: &dyn Fn(&Row) -> &Decided| {
        let mut all = Decided::default();
        for decided in rows.iter().map(of) {
            all.layers.iter_mut().zip(decided.layers).for_each(|(a, b)| *a += b);
            all.nanos += decided.nanos;
            all.slowest_ns = all.slowest_ns.max(decided.slowest_ns);
        }
        all
    };
    let names: Vec<String> =
        rows.first().map_or(Vec::new(), |r| r.solvers.iter().map(|s| s.0.clone()).collect());
    let solvers = names.into_iter().enumerate().map(|(i, name)| {
        let mut all = Checked::default();
        for (_, checked) in rows.iter().map(|r| &r.solvers[i]) {
            all.parse_ms += checked.parse_ms;
            all.check_ms += checked.check_ms;
            all.answered += checked.answered;
        }
        (name, all)
    });
    Row {
        name: "all".into(),
        queries: rows.iter().map(|r| r.queries).sum(),
        read_ns: rows.iter().map(|r| r.read_ns).sum(),
        cold: sum(&|r| &r.cold),
        path: sum(&|r| &r.path),
        solvers: solvers.collect(),
    }
}

fn print(rows: &[Row], flags: &BitsBench) {
    let layers: Vec<&str> = Layer::ALL.iter().map(|l| l.name()).chain(["undecided"]).collect();
    crate::say::say(&format!(
        "Milliseconds of processor time. Layers: {}. Solvers: parse + check, and the core cold and along the \
         path as a multiple of check.\n",
        layers.join(" / ")
    ));
    let mut head = String::from(
        "| log | queries | layers, cold, % | layers, path, % | read | cold | path | path, µs a query |",
    );
    for name in &flags.solver {
        head.push_str(&format!(" {name} | cold / {name} | path / {name} |"));
    }
    crate::say::say(&head);
    crate::say::say(&format!(
        "|---|--:|---|---|--:|--:|--:|--:|{}",
        "--:|--:|--:|".repeat(flags.solver.len())
    ));
    for row in rows.iter().chain([&total(rows)]) {
        crate::say::say(&line(row));
    }
}

fn line(row: &Row) -> String {
    let shares = |decided: &Decided| {
        let shares = decided.layers.iter().map(|&n| format!("{:.1}", percent(n, row.queries)));
        shares.collect::<Vec<_>>().join(" / ")
    };
    let mut line = format!(
        "| {} | {} | {} | {} | {:.0} | {:.1} | {:.1} | {:.1} |",
        row.name,
        row.queries,
        shares(&row.cold),
        shares(&row.path),
        millis(row.read_ns),
        millis(row.cold.nanos),
        millis(row.path.nanos),
        row.path.nanos as f64 / 1e3 / row.queries.max(1) as f64,
    );
    for (_, checked) in &row.solvers {
        let cut = if checked.answered < row.queries {
            format!(" (cut at {})", checked.answered)
        } else {
            String::new()
        };
        let times = |nanos: u64| millis(nanos) / checked.check_ms.max(0.001);
        line.push_str(&format!(
            " {:.0} + {:.0}{cut} | {:.2} | {:.2} |",
            checked.parse_ms,
            checked.check_ms,
            times(row.cold.nanos),
            times(row.path.nanos),
        ));
    }
    line
}

fn to_json(row: &Row) -> Value {
    let decided = |d: &Decided| {
        let layers = Layer::ALL.iter().map(|l| l.name()).chain(["undecided"]).zip(d.layers);
        json!({
            "layers": layers.map(|(name, n)| (name.to_string(), json!(n))).collect::<serde_json::Map<_, _>>(),
            "ms": millis(d.nanos), "slowest_ms": millis(d.slowest_ns),
            "sat": d.verdicts.iter().filter(|v| **v == "sat").count(),
            "unsat": d.verdicts.iter().filter(|v| **v == "unsat").count(),
        })
    };
    let solvers: Vec<Value> = row
        .solvers
        .iter()
        .map(|(name, c)| {
            json!({"solver": name, "parse_ms": c.parse_ms, "check_ms": c.check_ms, "answered": c.answered})
        })
        .collect();
    json!({
        "log": row.name, "queries": row.queries, "read_ms": millis(row.read_ns),
        "cold": decided(&row.cold), "path": decided(&row.path), "solvers": solvers,
    })
}
