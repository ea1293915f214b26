//! Inputs of every kind that objects can have, made and replayed: fields, arrays, several roots, collections
//! of the JDK.

use crate::exploring::heaps::{Explored, compiled, exploration, explore, replayed};
use evergreen_heap::Technique;
use evergreen_java::classfile::find_jdk;
use evergreen_java::jvm::{InputBound, LazyOptions};
use evergreen_java::replay::JavaValue;
use evergreen_java::{How, Narrowings, PathEnd, Program, Tally, invariants};
use std::path::PathBuf;
use std::sync::OnceLock;

/// The classes of these tests, compiled once.
fn classes() -> &'static [PathBuf] {
    static PLACES: OnceLock<Vec<PathBuf>> = OnceLock::new();
    PLACES.get_or_init(|| compiled("crates/java/tests/java/inputs"))
}

/// Whether some references were only null.
fn is_partial(tally: &Tally) -> bool {
    tally.narrowed(InputBound::References) > 0
}

#[test]
fn inputs_of_every_kind_are_made_and_replayed() {
    let mut exploration = exploration(classes(), LazyOptions { scope: 2, ..LazyOptions::default() });
    let mut all = Vec::new();
    let expected = [
        ("plain", 6),
        // Null, none, and one to three elements that are great or small.
        ("array", 2 + 3 * 2),
        // Null; of any length with and without a first 'a', in the second case with a box or null.
        ("text", 1 + 1 + 2),
        ("mood", 3),
        // Null, none; of one to three parts the first: null, a new one of two classes; the field then: null,
        // the same, a new one of two classes.
        ("parts", 2 + 3 * (3 + 2 * 4)),
        ("written", 5),
    ];
    for (method, expected) in expected {
        let Explored { paths, tally } = explore(&mut exploration, "inputs/Kinds", method);
        assert_eq!(
            (tally.paths, tally.doubtful, is_partial(&tally)),
            (expected, 0, false),
            "{method}: {tally:?}"
        );
        all.extend(paths);
    }
    let Explored { paths, tally } = explore(&mut exploration, "inputs/Kinds$Hiding", "hides");
    assert_eq!((tally.paths, tally.doubtful), (2, 0), "{paths:?}");
    all.extend(paths);
    // The machine has numbers for objects, people read the ways to them.
    let shown: Vec<&String> = all.iter().flat_map(|path| &path.conditions).collect();
    assert!(!shown.iter().any(|condition| condition.contains('#')), "{shown:?}");
    for way in ["this.", ".length", "[0]"] {
        assert!(shown.iter().any(|condition| condition.contains(way)), "{way}: {shown:?}");
    }
    assert_eq!(replayed(classes(), all.iter()), all.len());
}

#[test]
fn several_roots_and_collections_of_the_jdk_are_made_and_replayed() {
    let jdk = find_jdk().expect("these tests need a JDK");
    let program = Program::open(classes(), None, jdk).unwrap_or_else(|e| panic!("{e}"));
    let known = invariants(&program, &[]).unwrap_or_else(|e| panic!("{e}"));
    let mut all: Vec<PathEnd> = Vec::new();
    for technique in [Technique::Li, Technique::Bliss] {
        let invariants = known.clone();
        let lazy = LazyOptions { scope: 2, technique, invariants, ..LazyOptions::default() };
        let mut exploration = exploration(classes(), lazy);
        all.clear();
        for (method, expected) in [("both", 77), ("add", 11), ("last", 4)] {
            let Explored { paths, tally } = explore(&mut exploration, "inputs/Pairs", method);
            assert_eq!((tally.paths, tally.doubtful), (expected, 0), "{technique:?} {method}: {tally:?}");
            all.extend(paths);
        }
    }
    assert_eq!(replayed(classes(), all.iter()), all.len());
}

#[test]
fn an_object_that_its_own_check_refuses_is_no_input_beside_a_valid_one() {
    let mut exploration = exploration(classes(), LazyOptions { scope: 2, ..LazyOptions::default() });
    let Explored { paths, tally } = explore(&mut exploration, "inputs/Pairs", "cells");
    // Nulls, one object twice, two of which the first is small or great; no second one is negative.
    assert_eq!((tally.paths, tally.invalid, tally.doubtful), (3 + 1 + 2, 1, 0), "{tally:?}");
    assert_eq!(replayed(classes(), paths.iter()), paths.len());
}

#[test]
fn a_set_of_the_jdk_refuses_what_it_has() {
    let jdk = find_jdk().expect("these tests need a JDK");
    let program = Program::open(classes(), None, jdk).unwrap_or_else(|e| panic!("{e}"));
    let invariants = invariants(&program, &[]).unwrap_or_else(|e| panic!("{e}"));
    let mut exploration =
        exploration(classes(), LazyOptions { scope: 2, invariants, ..LazyOptions::default() });
    let Explored { paths, tally } = explore(&mut exploration, "inputs/Pairs", "add");
    // One element, the upper or the lower one of two on either side.
    let refused = paths.iter().filter(|path| path.how == How::Returned(Some(JavaValue::Boolean(false))));
    let mut sizes: Vec<usize> = refused.map(|path| path.beyond.read.len()).collect();
    sizes.sort_unstable();
    assert_eq!((sizes, is_partial(&tally)), (vec![3, 4, 4], false), "{tally:?}");
    // The machine takes an existing object, as a comparison with a private object of the set shows.
    let Explored { paths, tally } = explore(&mut exploration, "inputs/Pairs", "take");
    let taken = paths.iter().filter(|path| path.how == How::Returned(Some(JavaValue::Boolean(true))));
    let (taken, findings) =
        (taken.count(), paths.iter().filter(|path| path.how.severity().is_some()).count());
    // The only failure is that there is no set.
    assert_eq!((taken > 0, findings, is_partial(&tally)), (true, 1, false), "{tally:?}");
    assert_eq!(replayed(classes(), paths.iter()), paths.len());
}

#[test]
fn invariant_and_check_that_disagree_are_reported() {
    let mut exploration = exploration(classes(), LazyOptions { scope: 3, ..LazyOptions::default() });
    let Explored { paths, tally } = explore(&mut exploration, "inputs/Wrong", "hasTwo");
    assert_eq!((tally.paths, tally.disagrees, tally.doubtful), (3, 1, 0), "{tally:?}");
    let expected =
        "this = inputs.Wrong { first: this.first, size: 1 }; this.first = inputs.Wrong$Node { next: null }";
    assert_eq!(tally.disagreements, [expected]);
    // The list of one node is the one that they see differently: it has no test.
    let without: Vec<usize> =
        paths.iter().filter(|p| p.case.is_none()).map(|p| p.beyond.objects.len()).collect();
    assert_eq!(without, [2]);
}
