//! How each subject of [Rosner TSE'15] is run, and what of its paths the paper counts.
//!
//! Methods that only read a structure are counted by paths: each path has a structure of its own. A method
//! that changes the structure has many paths for one structure (colours, degrees, keys), and the paper's
//! counts are then of distinct structures. Two rows show it: `TreeSet.add` has 141 structures for every
//! technique, which is the number of red-black shapes of up to 9 nodes, after a driver that checks `repOK`
//! first as Figure 14 does; and `BinomialHeap.insert` took LI four hours for 224. Rows with fewer structures
//! for BLISS than for LI cannot have checked `repOK` first: both would have collected the valid structures.

use super::subjects;
use evergreen_java::Collected;
use evergreen_java::jvm::{Ending, Value};

/// What is counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Counted {
    /// Paths.
    Paths,
    /// Distinct shapes of inputs, as far as paths have read them.
    Shapes,
}

/// A subject as it is run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Driver {
    /// `package.Class`
    pub class: &'static str,
    /// Its method.
    pub method: &'static str,
    /// The invariant of the class.
    pub invariant: &'static str,
    /// What is counted.
    pub counted: Counted,
}

const TREE_SET: &str = include_str!("../../../../../subjects/bliss/TreeSet.inv");

impl Driver {
    /// The driver of a subject.
    ///
    /// # Errors
    /// There is no such class.
    pub(super) fn of(subject: &'static str) -> Result<Driver, String> {
        let (class, method) = subject.split_once('.').unwrap_or((subject, ""));
        let invariant = |class: &str| {
            let found = subjects::INVARIANTS.iter().find(|(name, _)| *name == class);
            found.map(|(_, text)| *text).ok_or_else(|| format!("no invariant of \"{class}\""))
        };
        let counted = if reads_only(subject) { Counted::Paths } else { Counted::Shapes };
        Ok(match subject {
            "TreeSet.add" => {
                Driver { class: "bliss.TreeSet", method: "checkedAdd", invariant: TREE_SET, counted }
            }
            "TreeSet.remove" => Driver { class: "bliss.TreeSet", method, invariant: TREE_SET, counted },
            "AvlTree.insert" => {
                Driver { class: "bliss.AvlTree", method, invariant: invariant("AvlTree")?, counted }
            }
            // What the paper calls by one name in all classes has its usual name in ours.
            "AvlTree.remove" => {
                Driver { class: "heap.AvlTree", method: "delete", invariant: invariant("AvlTree")?, counted }
            }
            _ => {
                let full = ["heap.AvlTree", "heap.BinTree", "heap.BinomialHeap", "heap.LinkedList"];
                let full = full.into_iter().chain(["heap.TreeMap", "heap.TreeSet"]);
                let class_name = full.into_iter().find(|name| name.ends_with(&format!(".{class}")));
                let class_name = class_name.ok_or_else(|| format!("no class \"{class}\""))?;
                Driver { class: class_name, method, invariant: invariant(class)?, counted }
            }
        })
    }

    /// The class without its package.
    pub(super) fn simple(&self) -> &'static str {
        self.class.rsplit('.').next().unwrap_or(self.class)
    }
}

/// Whether a method leaves the structure as it is, or, as the one of lists that appends, has one path for
/// each structure.
pub(crate) fn reads_only(subject: &str) -> bool {
    let method = subject.split('.').nth(1).unwrap_or_default();
    matches!(subject, "LinkedList.add" | "LinkedList.remove")
        || matches!(method, "bfs" | "dfs" | "repOK" | "contains" | "count")
}

/// Whether the paper collects the structure at the end of a path.
pub(super) fn collects(subject: &str, path: &Collected) -> bool {
    let Some(Ending::Returned(value)) = &path.ending else { return false };
    let is_false = *value == Some(Value::Int(0));
    match subject.split_once('.') {
        // The empty heap counts; trees are never empty.
        Some(("BinomialHeap", "bfs" | "dfs")) => true,
        Some(("BinomialHeap", "repOK")) => !is_false,
        Some(("LinkedList", "add" | "remove")) => true,
        Some((_, "bfs" | "dfs" | "count" | "repOK" | "contains")) => !is_false && path.objects > 1,
        // What is not found is not removed.
        Some((_, "add" | "remove" | "delete")) => !is_false,
        _ => true,
    }
}

/// Whether a link is a part of shapes: links back say nothing that the others do not.
pub(super) fn leads(field: &str) -> bool {
    !matches!(field, "parent" | "previous")
}
