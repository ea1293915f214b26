//! Every path of a method over lazy heaps has a test that makes its objects, and the real JVM takes the
//! path's branches with them.

use crate::exploring::heaps::{Explored, compiled, exploration, explore, replayed};
use evergreen_heap::Technique;
use evergreen_java::jvm::{ClassInvariant, LazyOptions, Unread};
use evergreen_java::replay::{JavaValue, Receiver};
use evergreen_java::{How, PathEnd};
use evergreen_testing::tools::repository;
use std::path::PathBuf;
use std::sync::OnceLock;

/// The classes of the subjects, compiled once.
fn classes() -> &'static [PathBuf] {
    static PLACES: OnceLock<Vec<PathBuf>> = OnceLock::new();
    PLACES.get_or_init(|| compiled("subjects/heap"))
}

#[test]
fn search_trees_by_their_own_check_are_made_and_replayed() {
    let lazy = LazyOptions { scope: 3, unread: Unread::Search, ..LazyOptions::default() };
    let mut exploration = exploration(classes(), lazy);
    let mut paths = Vec::new();
    for (method, expected) in [("contains", 22), ("add", 22)] {
        let explored = explore(&mut exploration, "heap/SearchTree", method);
        let tally = &explored.tally;
        assert_eq!((tally.paths, tally.doubtful), (expected, 0), "{tally:?}");
        paths.extend(explored.paths);
    }
    assert_eq!(replayed(classes(), paths.iter()), paths.len());
    // What was read is a part of what was made.
    for path in &paths {
        assert!(path.case.as_ref().is_some_and(|case| case.target.receiver == Receiver::Given));
        assert!(path.beyond.read.len() <= path.beyond.objects.len());
        for (read, whole) in path.beyond.read.iter().zip(&path.beyond.objects) {
            assert_eq!((&read.name, &read.class), (&whole.name, &whole.class));
            assert!(read.fields.iter().all(|field| whole.fields.contains(field)), "{read:?} {whole:?}");
        }
    }
}

/// Lazy objects of the subjects, as their invariants have them.
fn by_invariant(scope: u32, technique: Technique) -> LazyOptions {
    let folder = repository().join("subjects/heap");
    let files = std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let files = files.map(|file| file.expect("a file").path());
    let invariants = files.filter(|file| file.extension().is_some_and(|e| e == "inv")).map(|file| {
        let class = file.file_stem().expect("a name").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        ClassInvariant { class: format!("heap.{class}"), text, origin: format!("{class}.inv") }
    });
    LazyOptions { scope, invariants: invariants.collect(), technique, ..LazyOptions::default() }
}

/// Valid paths of the subjects' methods with up to three nodes. That they are the same for a search by repOK,
/// which knows no invariant and no SAT solver, and for LI and BLISS, which complete structures by the
/// invariant, is how they are known to be right.
const PATHS: [(&str, &[(&str, u64)]); 7] = [
    ("BinTree", &[("bfs", 9), ("dfs", 9), ("count", 9), ("repOK", 9)]),
    (
        "TreeSet",
        &[
            ("bfs", 5),
            ("contains", 10),
            ("add", 18),
            ("remove", 16),
            ("repOK", 6),
            ("addKeeps", 28),
            ("removeKeeps", 28),
        ],
    ),
    (
        "AvlTree",
        &[
            ("bfs", 5),
            ("contains", 10),
            ("insert", 18),
            ("delete", 21),
            ("repOK", 5),
            ("insertKeeps", 21),
            ("deleteKeeps", 21),
        ],
    ),
    (
        "BinomialHeap",
        &[
            ("bfs", 4),
            ("findMinimum", 4),
            ("insert", 8),
            ("extractMin", 6),
            ("decreaseKey", 21),
            ("delete", 21),
            ("repOK", 4),
        ],
    ),
    ("LinkedList", &[("count", 3), ("add", 2), ("contains", 5), ("remove", 5), ("repOK", 3)]),
    ("SinglyLinkedList", &[("add", 2), ("contains", 5), ("remove", 6), ("repOK", 3)]),
    ("TreeMap", &[("get", 10), ("put", 18), ("remove", 17), ("bfs", 5), ("repOK", 6), ("putKeeps", 28)]),
];

/// Explores all methods; the paths that have a test.
fn all_paths(lazy: LazyOptions) -> Vec<PathEnd> {
    let mut exploration = exploration(classes(), lazy.clone());
    let mut all = Vec::new();
    for (class, methods) in PATHS {
        for (method, expected) in methods {
            let Explored { paths, tally } = explore(&mut exploration, &format!("heap/{class}"), method);
            let found = (tally.paths, tally.doubtful, tally.disagrees, tally.unsupported);
            assert_eq!(found, (*expected, 0, 0, 0), "{class}.{method} with {lazy:?}: {tally:?}");
            // Valid structures cause no failure, and only such are made.
            let right = |path: &PathEnd| match *method {
                "repOK" => path.how == How::Returned(Some(JavaValue::Boolean(true))),
                _ => !method.ends_with("Keeps") || path.how.severity().is_none(),
            };
            assert!(paths.iter().all(right), "{class}.{method}: {paths:?}");
            all.extend(paths.into_iter().filter(|path| !matches!(path.how, How::Cut(_))));
        }
    }
    all
}

#[test]
fn every_way_of_completing_finds_the_same_valid_paths() {
    let _ = all_paths(LazyOptions { scope: 3, unread: Unread::Search, ..LazyOptions::default() });
    let _ = all_paths(by_invariant(3, Technique::Li));
    let paths = all_paths(by_invariant(3, Technique::Bliss));
    assert_eq!(replayed(classes(), paths.iter()), paths.len());
}
