//! Methods of objects explored over lazy heaps: every path has a valid input, and every valid input of the
//! scope is on one path.

use evergreen::Evergreen;
use evergreen::store::{Memory, Store};
use evergreen_classfile::find_jdk;
use evergreen_java::jvm::{Described, InputObject, InputValue, LazyOptions, Options as JvmOptions, Unread};
use evergreen_java::symbolic::Ints;
use evergreen_java::{Bounds, How, Inputs, JavaFrontend, Options, PathEnd, Program, Tally};
use evergreen_testing::tools::{find, repository};
use std::sync::Arc;

fn explore(method: &str, scope: u32, unread: Unread) -> (Vec<PathEnd>, Tally) {
    let jdk = find_jdk().expect("these tests need a JDK");
    let source = repository().join("subjects/heap/SearchTree.java");
    let program = Program::open(&[source], None, jdk).unwrap_or_else(|e| panic!("{e}"));
    let methods = program.methods(Some(method)).unwrap_or_else(|e| panic!("{e}"));
    let store: Arc<dyn Store> = Arc::new(Memory::new(1 << 20));
    let _ = find("z3");
    let make = move || Evergreen::builder().with_store(store.clone()).solver("z3").build();
    let lazy = LazyOptions { scope, unread, ..LazyOptions::default() };
    let options = JvmOptions { lazy: Some(lazy), ..JvmOptions::default() };
    let mut exploration = JavaFrontend::explore(program, Ints::Wrapped, options, Box::new(make))
        .unwrap_or_else(|e| panic!("{e}"));
    let bounds = Bounds { depth: Some(100), ..Bounds::default() };
    let mut run = exploration
        .entry(&methods[0], &Inputs::default(), Options { bounds, ..Options::default() })
        .unwrap_or_else(|e| panic!("{e}"));
    let mut all = Vec::new();
    while let Some(path) = run.next_path() {
        all.push(path);
    }
    (all, run.tally().clone())
}

/// The keys of the subtree in a field, in order.
fn keys(all: &[InputObject], object: &InputObject, field: &str, into: &mut Vec<i32>) {
    let value = object.fields.iter().find(|(_, name, _)| &**name == field).map(|(_, _, value)| value);
    let Some(InputValue::Object(place)) = value else { return };
    assert!(into.len() < 100, "a cycle: {all:?}");
    let node = &all[*place];
    keys(all, node, "left", into);
    for (_, name, value) in &node.fields {
        if let ("key", InputValue::Plain(Described::Int(key))) = (&**name, value) {
            into.push(*key);
        }
    }
    keys(all, node, "right", into);
}

#[test]
fn every_way_through_a_search_tree_has_a_valid_tree() {
    for unread in [Unread::Unknown, Unread::Search] {
        // Nothing there, the key found, or on to one of two sides with a node less to spend.
        for (scope, expected) in [(1, 4), (2, 10), (3, 22)] {
            let (paths, tally) = explore("contains", scope, unread);
            let returned = |path: &PathEnd| matches!(path.how, How::Returned(_));
            assert_eq!(
                paths.iter().filter(|path| returned(path)).count(),
                expected,
                "{unread:?} at {scope}: {tally:?}"
            );
            assert_eq!((tally.paths, tally.doubtful, tally.unsupported), (expected as u64, 0, 0));
            // A check that ends at the first field that was not read lets cycles pass; the bound cuts them.
            assert!(unread == Unread::Unknown || paths.iter().all(returned), "at {scope}");
            for path in paths.iter().filter(|path| returned(path)) {
                let mut found = Vec::new();
                keys(&path.beyond.objects, &path.beyond.objects[0], "root", &mut found);
                assert!(found.is_sorted_by(|a, b| a < b), "{:?}", path.beyond.objects);
                assert_eq!(found.len() + 1, path.beyond.objects.len(), "{:?}", path.beyond.objects);
            }
        }
    }
}

#[test]
fn adding_keeps_every_search_tree_a_search_tree() {
    let (paths, tally) = explore("addKeeps", 2, Unread::Search);
    assert!(paths.iter().all(|path| path.how.severity().is_none()), "{paths:?}");
    assert!(!paths.is_empty() && tally.doubtful == 0, "{tally:?}");
}
