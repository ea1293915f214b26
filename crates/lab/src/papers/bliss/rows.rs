//! A subject and a technique, scope by scope, as far as the effort allows.
//!
//! By default the effort of a cell is computed from what it did, not from time, so that every run has the
//! same cells. With `--full` a cell has ten minutes of the processor's time, as in `evergreen-lab study
//! bliss`.

use super::super::work::Work;
use crate::study::bliss::{Bench, Cell, End, paper};
use evergreen_java::heap::Technique;
use serde::{Deserialize, Serialize};
use std::cell::OnceCell;
use std::time::Duration;

/// The processor's time for a cell of `--full`.
const FULL: Duration = Duration::from_secs(600);
/// About the microseconds that the next cell may take by default.
const MOST: u64 = 1_000_000;
/// Structures grow by this factor from scope to scope, about.
const GROWTH: u64 = 4;

/// What a cell gave.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Got {
    /// The most nodes.
    pub scope: usize,
    /// Structures collected.
    pub structures: u64,
    /// Paths that collected them.
    pub paths: u64,
    /// The processor's seconds.
    pub seconds: f64,
    /// Whether a bug was found.
    pub bug: bool,
    /// Whether it was explored to its end.
    pub done: bool,
    /// About how many microseconds its choices and questions take, computed from their numbers.
    pub effort: u64,
}

/// The scopes of a subject by a technique.
#[derive(Clone, Debug)]
pub(super) struct Row {
    /// `Class.method`
    pub subject: &'static str,
    /// The technique.
    pub technique: Technique,
    /// By scope.
    pub cells: Vec<Got>,
}

impl Row {
    /// The cell of a scope, if it was explored to its end.
    pub(super) fn at(&self, scope: usize) -> Option<&Got> {
        self.cells.iter().find(|got| got.scope == scope && got.done)
    }
}

thread_local! {
    static BENCH: OnceCell<Bench> = const { OnceCell::new() };
}

fn got(cell: &Cell) -> Got {
    // Measured: a choice of a traversal takes a third of a microsecond, one of a method that reads numbers
    // takes six, most of it for questions about these; a question to the SAT solver takes a hundred.
    let method = cell.subject.split('.').nth(1).unwrap_or_default();
    let light = cell.subject.starts_with("BinTree") || matches!(method, "bfs" | "dfs" | "count");
    let choices = if light { cell.pruned.offered / 3 } else { cell.pruned.offered * 6 };
    Got {
        scope: cell.scope,
        structures: cell.structures,
        paths: cell.paths,
        seconds: cell.cpu_seconds,
        bug: cell.bugs > 0,
        done: cell.end == End::Done,
        effort: choices + 100 * cell.sat_calls,
    }
}

/// Runs one cell.
fn run(full: bool, subject: &'static str, technique: Technique, scope: usize) -> Result<Got, String> {
    BENCH.with(|bench| {
        if bench.get().is_none() {
            let made = Bench::new(if full { FULL } else { Duration::ZERO })?;
            let _ = bench.set(made);
        }
        let bench = bench.get().ok_or("no bench")?;
        Ok(got(&bench.cell(subject, technique, scope)?))
    })
}

/// Whether the cell after this one is worth a try.
fn goes_on(got: &Got, full: bool) -> bool {
    let next =
        if full { got.seconds * GROWTH as f64 <= FULL.as_secs_f64() } else { got.effort * GROWTH <= MOST };
    got.done && next
}

/// The exhibits whose steps have rows.
const HOLDERS: [&str; 8] = [
    "bliss-table-i",
    "bliss-table-ii",
    "bliss-table-iii",
    "bliss-table-iv",
    "bliss-table-v",
    "bliss-table-vi",
    "bliss-table-vii",
    "bliss-table-viii",
];

/// The scopes of the paper's time tables, as far as the effort allows.
pub(super) fn row(work: &mut Work, subject: &'static str, technique: Technique) -> Result<Row, String> {
    let (first, last) = paper::scopes(subject).unwrap_or((3, 8));
    let (name, full) = (format!("{subject} {}", technique.name()), work.full);
    let earlier = HOLDERS.iter().find_map(|slug| work.of_another::<Vec<Got>>(slug, &name));
    let cells = work.step(&name, || match earlier {
        Some(cells) => Ok(cells),
        None => {
            let mut cells = Vec::new();
            for scope in first..=last {
                let got = run(full, subject, technique, scope)?;
                let more = goes_on(&got, full);
                cells.push(got);
                if !more {
                    break;
                }
            }
            Ok(cells)
        }
    })?;
    Ok(Row { subject, technique, cells })
}

/// The cell of one scope, whatever it takes.
pub(super) fn one(
    work: &mut Work,
    subject: &'static str,
    technique: Technique,
    scope: usize,
) -> Result<Got, String> {
    let (name, full) = (format!("{subject} {} {scope}", technique.name()), work.full);
    let rows = format!("{subject} {}", technique.name());
    let of_row = |cells: Vec<Got>| cells.into_iter().find(|got| got.scope == scope && got.done);
    let earlier = HOLDERS.iter().find_map(|slug| work.of_another(slug, &rows).and_then(of_row));
    let earlier = earlier.or_else(|| work.of_another::<Got>("bliss-table-ix", &name));
    work.step(&name, || earlier.map_or_else(|| run(full, subject, technique, scope), Ok))
}

/// The methods of Table IV; the others of its class are in Table V.
pub(super) fn is_in_table_iv(method: &str) -> bool {
    matches!(method, "bfs" | "dfs" | "repOK" | "extractMinBug")
}

/// The subjects of a class.
pub(super) fn subjects(classes: &[&str], takes: impl Fn(&str) -> bool) -> Vec<&'static str> {
    let mut all = paper::subjects();
    all.retain(|name| name.split_once('.').is_some_and(|(class, m)| classes.contains(&class) && takes(m)));
    all
}
