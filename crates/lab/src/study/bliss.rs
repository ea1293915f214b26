//! `evergreen-lab study bliss`: structures that lazy initialization collects, technique by technique and
//! scope by scope, beside the tables of [Rosner TSE'15].
//!
//! A cell is explored depth first and nothing is kept of finished paths, so memory stays flat. Verdicts of
//! BLISSDB and field bounds pass from scope to scope through a store, as in the paper.

mod bench;
mod direct;
pub(crate) mod driver;
mod earlier;
mod machine;
pub(crate) mod paper;
mod report;
mod shapes;

pub(crate) use bench::Bench;
use driver::Driver;

use crate::flags::{BlissStudy, HeapTechnique, Via};
use evergreen::Trust;
use evergreen::store::{Memory, OpenOptions, Store, open};
use evergreen_java::HeapStore;
use evergreen_java::heap::lazy::Pruned;
use evergreen_java::heap::{Bounds, Invariant, Scope, Technique, parse};
use evergreen_testing::heap_subjects as subjects;
use std::process::ExitCode;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Bytes of the store in memory: some millions of verdicts.
const STORE_BYTES: usize = 512 << 20;
/// Structures grow by this factor from scope to scope, about: a cell that would not end in time is not begun.
const GROWTH: u32 = 4;

/// How a cell ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum End {
    /// Everything was explored.
    Done,
    /// Its time was over.
    Time,
    /// The user did not want to wait.
    Interrupted,
}

/// A subject explored by a technique in a scope.
#[derive(Clone, Debug)]
pub(crate) struct Cell {
    /// `Class.method`
    pub subject: &'static str,
    /// Which member of the family.
    pub technique: Technique,
    /// The most nodes.
    pub scope: usize,
    /// Structures collected.
    pub structures: u64,
    /// Paths that collected them: as many, unless distinct structures are counted.
    pub paths: u64,
    /// Structures on which an exception was thrown that shows a bug.
    pub bugs: u64,
    /// Choices dropped.
    pub pruned: Pruned,
    /// Questions to the SAT solver.
    pub sat_calls: u64,
    /// Time without field bounds.
    pub seconds: f64,
    /// The processor's part of it.
    pub cpu_seconds: f64,
    /// Time for field bounds, and questions that they took.
    pub bounds_seconds: f64,
    /// Questions that the field bounds took.
    pub bounds_calls: u64,
    /// The most memory that the process had meanwhile.
    pub peak_bytes: Option<u64>,
    /// How it ended.
    pub end: End,
}

impl Cell {
    /// Choices dropped, whatever by.
    pub(super) fn all_pruned(&self) -> u64 {
        let p = &self.pruned;
        p.by_bounds + p.by_precondition + p.by_labels + p.by_feasibility
    }

    /// What the paper counted.
    pub(crate) fn paper_count(&self) -> Option<paper::Count> {
        paper::count(self.subject, self.technique, self.scope)
    }

    /// How long the paper's tool took.
    pub(crate) fn paper_time(&self) -> Option<paper::Took> {
        paper::time(self.subject, self.technique, self.scope)
    }

    /// How many times longer the paper's tool took than the processor did here: neither depends on what else
    /// a machine does.
    pub(super) fn ratio(&self) -> Option<f64> {
        match self.paper_time()? {
            paper::Took::Seconds(s) if self.end == End::Done && s > 0.0 => {
                Some(s / self.cpu_seconds.max(1e-4))
            }
            _ => None,
        }
    }

    /// What is not as it must be.
    fn fault(&self) -> Option<String> {
        if self.end != End::Done {
            return None;
        }
        let name = format!("{} by {} at {}", self.subject, self.technique.name(), self.scope);
        if let Some(count) = self.paper_count().filter(|c| c.exact && c.structures != self.structures) {
            return Some(format!(
                "{name}: {} structures, the paper has {}",
                self.structures, count.structures
            ));
        }
        let expected = shapes::expected(self.subject, self.technique, self.scope);
        let other = expected.filter(|n| *n != self.structures)?;
        Some(format!("{name}: {} structures, an independent count gives {other}", self.structures))
    }
}

/// What a cell needs before it is explored.
struct Prepared {
    subject: &'static str,
    driver: Driver,
    technique: Technique,
    scope: usize,
    known: HeapStore,
    invariant: Rc<Invariant>,
    nodes: Scope,
}

/// What exploring a cell gave.
#[derive(Default)]
struct Explored {
    structures: u64,
    paths: u64,
    bugs: u64,
    pruned: Pruned,
    sat_calls: u64,
}

/// What all cells share.
struct Study<'f> {
    machine: Option<machine::Machine>,
    flags: &'f BlissStudy,
    store: Arc<dyn Store>,
    stop: Arc<AtomicBool>,
    limit: Duration,
}

/// Runs, prints, and fails when a count is not what it must be.
pub(super) fn run(flags: &BlissStudy) -> Result<ExitCode, String> {
    let limit = match (flags.time, flags.scope, flags.full) {
        (Some(time), _, _) => time,
        (None, Some(_), _) => Duration::ZERO,
        (None, None, false) => Duration::from_secs(5),
        (None, None, true) => Duration::from_secs(600),
    };
    let store: Arc<dyn Store> = match &flags.store {
        Some(spec) => open(spec, &OpenOptions::default()).map_err(|e| e.to_string())?,
        None => Arc::new(Memory::new(STORE_BYTES)),
    };
    if !flags.from.is_empty() {
        return finish(flags, &earlier::cells(&flags.from)?);
    }
    let machine = match flags.via {
        Via::Jvm => Some(machine::Machine::new()?),
        Via::Direct => None,
    };
    let study = Study { machine, flags, store, stop: crate::interrupt::flag_on_signal(), limit };
    let mut cells = Vec::new();
    for subject in study.subjects()? {
        for technique in study.techniques() {
            study.row(subject, technique, &mut cells)?;
        }
    }
    if let Err(e) = study.store.flush() {
        crate::say::warn_once(&e.to_string());
    }
    finish(flags, &cells)
}

/// Says what is not as it must be, and writes the tables.
fn finish(flags: &BlissStudy, cells: &[Cell]) -> Result<ExitCode, String> {
    let faults: Vec<String> = cells.iter().filter_map(Cell::fault).collect();
    faults.iter().for_each(|fault| crate::say::warn(fault));
    if let Some(path) = &flags.out {
        super::file::write(path, report::document(flags, cells).as_bytes())?;
    }
    Ok(ExitCode::from(u8::from(!faults.is_empty())))
}

impl Study<'_> {
    /// The subjects that the flags name.
    fn subjects(&self) -> Result<Vec<&'static str>, String> {
        let mut known = paper::subjects();
        if self.flags.via == Via::Direct {
            known.retain(|name| direct::knows(name));
        }
        let named = |name: &&str| {
            let fits = |s: &String| name == s || name.split('.').next() == Some(s.as_str());
            self.flags.subjects.is_empty() || self.flags.subjects.iter().any(fits)
        };
        if let Some(odd) = self
            .flags
            .subjects
            .iter()
            .find(|s| !known.iter().any(|name| name == s || name.split('.').next() == Some(s.as_str())))
        {
            return Err(format!("no subject is called \"{odd}\"\nhelp: there are {}", known.join(", ")));
        }
        Ok(known.into_iter().filter(|name| named(name)).collect())
    }

    fn techniques(&self) -> Vec<Technique> {
        let of = |flag: &HeapTechnique| match flag {
            HeapTechnique::Li => Technique::Li,
            HeapTechnique::Bli => Technique::Bli,
            HeapTechnique::Rbli => Technique::Rbli,
            HeapTechnique::Bliss => Technique::Bliss,
            HeapTechnique::Blissdb => Technique::BlissDb,
        };
        match self.flags.techniques.as_slice() {
            [] => Technique::ALL.to_vec(),
            some => some.iter().map(of).collect(),
        }
    }

    /// A subject and a technique, scope by scope.
    fn row(&self, subject: &'static str, technique: Technique, cells: &mut Vec<Cell>) -> Result<(), String> {
        let (first, last) = match self.flags.scope {
            Some(given) => given,
            None => paper::scopes(subject).unwrap_or((3, 8)),
        };
        for scope in first..=last {
            if self.stop.load(Ordering::Relaxed) {
                break;
            }
            let Some(cell) = self.cell(subject, technique, scope)? else { break };
            report::cell(self.flags, &cell);
            let next = GROWTH * Duration::from_secs_f64(cell.cpu_seconds);
            let late = !self.limit.is_zero() && self.flags.scope.is_none() && next > self.limit;
            let ended = cell.end;
            cells.push(cell);
            if ended != End::Done || late {
                break;
            }
        }
        Ok(())
    }

    /// Explores a cell; none if the user wanted an end before it began.
    fn cell(
        &self,
        subject: &'static str,
        technique: Technique,
        scope: usize,
    ) -> Result<Option<Cell>, String> {
        reset_peak();
        let driver = Driver::of(subject)?;
        let known = HeapStore::new(self.store.clone(), Trust::Local, "", driver.invariant);
        let parsed = parse(driver.invariant).map_err(|e| format!("{}.inv: {e}", driver.simple()))?;
        let invariant = Rc::new(parsed);
        let nodes = Scope::each(&invariant, scope);
        let began = Instant::now();
        let bounds_calls = match technique {
            Technique::Li => 0,
            _ => self.bounds(&known, &invariant, &nodes)?.calls,
        };
        let bounds_seconds = began.elapsed().as_secs_f64();
        if self.stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let mut watch = report::Progress::new(subject, technique, scope, self.limit, self.stop.clone());
        let prepared = Prepared { subject, driver, technique, scope, known, invariant, nodes };
        let found = match &self.machine {
            Some(machine) => machine.explore(&prepared, &mut watch)?,
            None => direct::explore(&prepared, &mut watch)?,
        };
        watch.finish();
        Ok(Some(Cell {
            subject,
            technique,
            scope,
            structures: found.structures,
            paths: found.paths,
            bugs: found.bugs,
            pruned: found.pruned,
            sat_calls: found.sat_calls,
            seconds: watch.seconds(),
            cpu_seconds: watch.cpu_seconds(),
            bounds_seconds,
            bounds_calls,
            peak_bytes: peak(),
            end: watch.end(),
        }))
    }

    /// The field bounds of a scope, from the store or computed.
    fn bounds(&self, known: &HeapStore, invariant: &Invariant, scope: &Scope) -> Result<Bounds, String> {
        let mut go_on = |_: u64, _: usize| !self.stop.load(Ordering::Relaxed);
        known.known_or_computed(invariant, scope, &mut go_on).map_err(|e| e.to_string())
    }
}

/// Has the kernel forget how much memory the process had.
fn reset_peak() {
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}

/// The most memory that the process had, where the system says so.
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().trim_end_matches("kB").trim().parse::<u64>().ok().map(|kb| kb * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(structures: u64) -> Cell {
        Cell {
            subject: "TreeSet.dfs",
            technique: Technique::Bliss,
            scope: 9,
            structures,
            paths: structures,
            bugs: 0,
            pruned: Pruned::default(),
            sat_calls: 0,
            seconds: 0.7,
            cpu_seconds: 0.5,
            bounds_seconds: 0.0,
            bounds_calls: 0,
            peak_bytes: None,
            end: End::Done,
        }
    }

    #[test]
    fn another_count_than_the_papers_is_a_fault() {
        assert_eq!(cell(141).fault(), None);
        let fault = cell(140).fault();
        assert_eq!(fault.as_deref(), Some("TreeSet.dfs by bliss at 9: 140 structures, the paper has 141"));
        assert_eq!(Cell { end: End::Time, ..cell(100) }.fault(), None);
        let beyond = Cell { scope: 12, ..cell(1) }.fault();
        assert_eq!(
            beyond.as_deref(),
            Some("TreeSet.dfs by bliss at 12: 1 structures, an independent count gives 863")
        );
    }

    #[test]
    fn ratios_are_of_cells_that_both_finished() {
        assert_eq!(cell(141).ratio(), Some(22.0));
        assert_eq!(Cell { scope: 14, ..cell(1) }.ratio(), None);
    }
}
