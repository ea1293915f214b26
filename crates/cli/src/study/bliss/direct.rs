//! Cells without a machine: the methods as Rust functions of `evergreen_heap::subjects`.

use super::report::Progress;
use evergreen::explore::HeapStore;
use evergreen::explore::heap::subjects::{Report, Subject, run_with};
use evergreen::explore::heap::{Bounds, Invariant, Lazy, Scope, Technique};
use std::rc::Rc;

/// What a cell needs before it is explored.
pub struct Prepared<'a> {
    /// The invariant of the class.
    pub invariant: Rc<Invariant>,
    /// The scope.
    pub nodes: Scope,
    /// Which technique.
    pub technique: Technique,
    /// The field bounds, if the technique has any.
    pub bounds: Option<&'a Bounds>,
    /// Where verdicts are kept.
    pub known: &'a HeapStore,
}

/// Whether there is such a subject.
pub fn knows(name: &str) -> bool {
    Subject::find(name).is_some()
}

/// Explores a cell.
pub fn explore(name: &str, prepared: &Prepared<'_>, watch: &mut Progress) -> Result<Report, String> {
    let subject = Subject::find(name).ok_or_else(|| format!("no subject is called \"{name}\""))?;
    let Prepared { invariant, nodes, technique, bounds, known } = prepared;
    let mut lazy =
        Lazy::with_bounds(invariant.clone(), nodes, *technique, *bounds).map_err(|e| e.to_string())?;
    if *technique == Technique::BlissDb
        && let Some(verdicts) = known.verdicts(invariant, nodes)
    {
        lazy.set_verdicts(Box::new(verdicts));
    }
    let report = run_with(subject, &mut lazy, |structures| watch.tick(structures));
    watch.finish();
    Ok(report)
}
