//! Cells for people who watch, for machines, and for a document.

use super::paper::Took;
use super::{Cell, End};
use crate::flags::{BlissStudy, Via};
use crate::say::say;
use crate::study::table::{Row, markdown};
use evergreen_java::heap::Technique;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

const EVERY: Duration = Duration::from_millis(500);

/// A cell that is being explored: the clock, the line on the terminal, the reasons to stop.
pub(super) struct Progress {
    name: String,
    began: Instant,
    told: Instant,
    limit: Duration,
    stop: Arc<AtomicBool>,
    shown: bool,
    end: End,
    took: Option<Duration>,
    cpu: f64,
}

impl Progress {
    /// Starts the clock.
    pub(super) fn new(
        subject: &str,
        technique: Technique,
        scope: usize,
        limit: Duration,
        stop: Arc<AtomicBool>,
    ) -> Progress {
        let now = Instant::now();
        let name = format!("{subject} {} {scope}", technique.name());
        Progress {
            name,
            began: now,
            told: now,
            limit,
            stop,
            shown: false,
            end: End::Done,
            took: None,
            cpu: processor_seconds(),
        }
    }

    /// So many structures were collected. Whether to go on.
    pub(super) fn tick(&mut self, structures: u64) -> bool {
        let now = Instant::now();
        if self.stop.load(Ordering::Relaxed) {
            self.end = End::Interrupted;
        } else if !self.limit.is_zero() && processor_seconds() - self.cpu > self.limit.as_secs_f64() {
            self.end = End::Time;
        }
        if now - self.told >= EVERY && std::io::stderr().is_terminal() {
            self.told = now;
            self.shown = true;
            let rate = structures as f64 / (now - self.began).as_secs_f64();
            crate::say::watch(&format!("{}: {structures} structures, {rate:.0} per second", self.name));
        }
        self.end == End::Done
    }

    /// Starts the clock again: what was done so far does not count.
    pub(super) fn restart(&mut self) {
        self.began = Instant::now();
        self.cpu = processor_seconds();
    }

    /// Set when the user wants an end.
    pub(super) fn interrupt(&self) -> Arc<AtomicBool> {
        self.stop.clone()
    }

    /// Stops the clock and takes the line away.
    pub(super) fn finish(&mut self) {
        self.took = Some(self.began.elapsed());
        self.cpu = processor_seconds() - self.cpu;
        if self.shown {
            crate::say::unwatch();
        }
    }

    /// How long it took.
    pub(super) fn seconds(&self) -> f64 {
        self.took.unwrap_or_else(|| self.began.elapsed()).as_secs_f64()
    }

    /// How long the processor worked for it, once it is finished: on a machine that does other things too
    /// this is less.
    pub(super) fn cpu_seconds(&self) -> f64 {
        self.cpu
    }

    /// How it ended.
    pub(super) fn end(&self) -> End {
        self.end
    }
}

/// The processor's time of this process so far.
fn processor_seconds() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer is to a valid timespec; a clock that there is not leaves it as it is.
    unsafe {
        libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &raw mut time);
    }
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// Prints a cell when it is done.
pub(super) fn cell(flags: &BlissStudy, cell: &Cell) {
    if flags.json {
        return say(&to_json(flags, cell).to_string());
    }
    let paper = match cell.paper_count() {
        Some(count) if count.structures == cell.structures => "as in the paper".to_string(),
        Some(count) => format!("paper: {}", count.structures),
        None => String::new(),
    };
    let ended = match cell.end {
        End::Done if cell.bugs > 0 => " (bug found)",
        End::Done => "",
        End::Time => " (time is over)",
        End::Interrupted => " (interrupted)",
    };
    let times = match (cell.paper_time(), cell.ratio()) {
        (_, Some(ratio)) => format!("{ratio:.0}x faster"),
        (Some(Took::Failed(how)), _) => format!("paper: {how}"),
        _ => String::new(),
    };
    let line = format!(
        "{:<26} {:<7} {:>3} {:>9} structures{ended} {:<16} {:>9.3} s {:>8.3} s cpu {:<13} bounds {:.2} s, \
         {} sat calls, {} pruned, {} MB",
        cell.subject,
        cell.technique.name(),
        cell.scope,
        cell.structures,
        paper,
        cell.seconds,
        cell.cpu_seconds,
        times,
        cell.bounds_seconds,
        cell.sat_calls,
        cell.all_pruned(),
        cell.peak_bytes.map_or(0, |b| b >> 20),
    );
    say(line.trim_end());
}

fn to_json(flags: &BlissStudy, cell: &Cell) -> Value {
    let (paper_seconds, paper_end) = match cell.paper_time() {
        Some(Took::Seconds(s)) => (Some(s), None),
        Some(Took::Failed(how)) => (None, Some(how)),
        None => (None, None),
    };
    json!({
        "subject": cell.subject, "technique": cell.technique.name(), "scope": cell.scope,
        "via": if flags.via == Via::Jvm { "jvm" } else { "direct" },
        "structures": cell.structures, "paths": cell.paths, "pruned": cell.all_pruned(),
        "sat_calls": cell.sat_calls, "bugs": cell.bugs,
        "seconds": cell.seconds, "cpu_seconds": cell.cpu_seconds, "bounds_seconds": cell.bounds_seconds,
        "bounds_calls": cell.bounds_calls,
        "pruned_by": {
            "bounds": cell.pruned.by_bounds, "labels": cell.pruned.by_labels,
            "precondition": cell.pruned.by_precondition, "feasibility": cell.pruned.by_feasibility,
        },
        "offered": cell.pruned.offered, "peak_bytes": cell.peak_bytes,
        "end": match cell.end { End::Done => "done", End::Time => "time", End::Interrupted => "interrupted" },
        "paper_structures": cell.paper_count().map(|c| c.structures),
        "paper_seconds": paper_seconds, "paper_end": paper_end, "ratio": cell.ratio(),
    })
}

/// One subject: techniques by scopes, each cell written by `write`.
fn grid(cells: &[&Cell], write: impl Fn(&Cell) -> String) -> String {
    let mut scopes: Vec<usize> = cells.iter().map(|c| c.scope).collect();
    scopes.sort_unstable();
    scopes.dedup();
    let mut rows = vec![
        std::iter::once("scope".to_string()).chain(scopes.iter().map(usize::to_string)).collect::<Row>(),
    ];
    for technique in Technique::ALL {
        let at = |scope: &usize| cells.iter().find(|c| c.technique == technique && c.scope == *scope);
        if scopes.iter().all(|scope| at(scope).is_none()) {
            continue;
        }
        let written = scopes.iter().map(|scope| at(scope).map(|c| write(c)).unwrap_or_default());
        rows.push(std::iter::once(technique.name().to_string()).chain(written).collect());
    }
    markdown(&rows)
}

fn structures(cell: &Cell) -> String {
    match (cell.end, cell.paper_count()) {
        (End::Done, _) if cell.bugs > 0 => "bug".into(),
        (End::Done, Some(count)) if count.structures == cell.structures => format!("**{}**", cell.structures),
        (End::Done, Some(count)) => format!("{} ({})", cell.structures, count.structures),
        (End::Done, None) => cell.structures.to_string(),
        _ => format!("> {}", cell.structures),
    }
}

fn seconds(cell: &Cell) -> String {
    let ours = match cell.end {
        End::Done => format!("{:.2}", cell.cpu_seconds),
        _ => format!("> {:.0}", cell.cpu_seconds),
    };
    match (cell.paper_time(), cell.ratio()) {
        (_, Some(ratio)) => format!("{ours} ({ratio:.0}x)"),
        (Some(Took::Failed(how)), _) => format!("{ours} ({how})"),
        _ => ours,
    }
}

/// What the reader must know of the tables.
const HEAD: &str = "\
Structures in bold are those of [Rosner TSE'15], Tables IX and X; where its count is another one it is in \
parentheses. Seconds are the processor's (one thread, on a
machine that did other things too) and leave out the field bounds, as the paper does, which had them from a \
cluster; a line below each table says what they took. In
parentheses: how many times longer the paper's tool took, or how it failed (OOM out of memory, TO ten \
hours). A cell is begun only if it is likely to end in time.

What the paper leaves open, and the choices that give its numbers: trees are never empty, binomial heaps \
may be; `contains` collects the paths on which the element is found, `repOK`
those on which it is true; colours, heights and degrees are symbolic until a method reads them; the scope \
of a list counts its header; LI's precondition is the
invariant, evaluated on what is known; that of binomial heaps says of every first child, without degrees, \
that as many nodes are below it as in its siblings' trees (4,240 heaps
of up to 14 nodes have that, 15 of them binomial; at 17, where the paper has 6,764 although its LI no \
longer ended at 16, it is 24,449); BLISS assumes only what is known along the breadth-first prefix; \
`parent` and `previous` are no part of that order.

Methods that change the structure (TreeSet.add and remove, AvlTree.insert and remove, the traces, insert, \
delete and extractMin of BinomialHeap) have many paths for one structure, so distinct
structures are counted: the links of the input that a path has read, without links back, of paths on which \
nothing is thrown and the key is found, if one is looked for. The paper must have counted so: \
TreeSet.add has 141
for LI and BLISS, the shapes of valid trees, after a driver that checks `repOK` first, as ours does. \
The others cannot have had such a driver, as LI and BLISS would collect the same.
They depend on which fields a class reads in which order. TreeSet.remove and AvlTree.insert are run on \
classes of their own (`subjects/bliss`), written as textbooks have them; the colours
that the invariant of the former speaks of are not those that paths read, as the paper's preconditions do \
not use values of primitive types. Counts are near but not equal: ours is 26 at scope 3 and 106 at 4, the
paper's 24 and 104. Its preconditions probably run on the heap as it is in the middle of a change, ours run \
on the input. BLISSDB's verdicts and all field bounds pass from scope to scope through a store.
`extractMinBug` ends when the bug is found, which needs 13 nodes.

Why the paper's RBLI takes hardly longer for BinomialHeap.bfs from 15 nodes on (80 s, 96 s, 131 s, 160 s, \
220 s) although every scope before took it three times as long as the one before: the
tuples that heaps of 16 nodes and more add to the field bounds are those of a tree of degree 4, which go \
together with few of the others. Labels alone leave 233,874 heaps at 15 and 237,630 at 16, 394,270 at 20; \
fields read grow in
the same way if first children are checked when all below them is known: 247,918 at 14, 765,975 at 15, \
778,976 at 16, 1,729,372 at 20. So the field bounds grow slowly there, and the
refinement is no other than Algorithm 3. Ours counts what is known to be on either side, and drops a heap \
as soon as one side has ended and the other one is larger: 2,085 fields at 15, 20,883 at 20.
";

/// The tables as Markdown.
pub(super) fn document(flags: &BlissStudy, cells: &[Cell]) -> String {
    let via = if flags.via == Via::Jvm { "" } else { " --via direct" };
    let full = if flags.full { " --full" } else { "" };
    let from = if flags.from.is_empty() { "" } else { " --from`, of cells that it printed with `--json" };
    let mut text = format!(
        "# Structures collected by lazy initialization, and time\n\n\
         Made by `evergreen-lab study bliss{full}{via}{from}`. Counts are the same on each run; times are \
         one machine's.\n\n{HEAD}"
    );
    let mut names: Vec<&str> = cells.iter().map(|c| c.subject).collect();
    names.dedup();
    let done = cells.iter().filter_map(Cell::ratio);
    let slow = cells.iter().filter(|c| c.ratio().is_some_and(|r| r < 20.0)).count();
    let _ = write!(
        text,
        "\nBoth tools finish {} of these cells, the paper's in a second or more; in {slow} of them it took \
         less than 20 times as long.\n",
        done.count()
    );
    for name in names {
        let of: Vec<&Cell> = cells.iter().filter(|c| c.subject == name).collect();
        let peak = of.iter().filter_map(|c| c.peak_bytes).max().unwrap_or(0) >> 20;
        let slowest = of.iter().map(|c| c.bounds_seconds).fold(0.0, f64::max);
        let _ = write!(
            text,
            "\n## {name}\n\nStructures:\n\n{}\nSeconds:\n\n{}\nMost memory {peak} MB; field bounds of one \
             scope at most {slowest:.2} s.\n",
            grid(&of, structures),
            grid(&of, seconds)
        );
    }
    text
}
