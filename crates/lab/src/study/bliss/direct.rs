//! Cells without a machine: the methods as Rust functions of `evergreen_testing::heap_subjects`.

use super::report::Progress;
use super::{Explored, Prepared};
use evergreen_testing::heap_subjects::{Subject, run_with};

/// Whether there is such a subject.
pub(super) fn knows(name: &str) -> bool {
    super::driver::reads_only(name) && Subject::find(name).is_some()
}

/// Explores a cell.
pub(super) fn explore(cell: &Prepared, watch: &mut Progress) -> Result<Explored, String> {
    let subject =
        Subject::find(cell.subject).ok_or_else(|| format!("no subject is called \"{}\"", cell.subject))?;
    let lazy = cell.known.lazy(cell.invariant.clone(), &cell.nodes, cell.technique);
    let mut lazy = lazy.map_err(|e| e.to_string())?;
    let report = run_with(subject, &mut lazy, |structures| watch.tick(structures));
    let (structures, pruned) = (report.structures, report.pruned);
    Ok(Explored { structures, paths: structures, bugs: 0, pruned, sat_calls: report.counters.sat_calls })
}
