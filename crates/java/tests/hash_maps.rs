//! Hash maps with symbolic keys: a key is equal to another one, in the same place of the table or elsewhere;
//! which place it is only where the program goes through the table. The JVM does the same, branch by branch.

use crate::exploring::heaps::{compiled, explore, replayed};
use evergreen::store::{Memory, Store};
use evergreen::{Evergreen, Reuse};
use evergreen_java::classfile::find_jdk;
use evergreen_java::jvm::Options as JvmOptions;
use evergreen_java::symbolic::Ints;
use evergreen_java::{Exploration, How, JavaFrontend, Program};
use evergreen_testing::tools::find;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

fn classes() -> &'static [PathBuf] {
    static PLACES: OnceLock<Vec<PathBuf>> = OnceLock::new();
    PLACES.get_or_init(|| compiled("crates/java/tests/java/buckets"))
}

fn exploration() -> Exploration {
    let _ = find("z3");
    let jdk = find_jdk().expect("these tests need a JDK");
    let program = Program::open(classes(), None, jdk).unwrap_or_else(|e| panic!("{e}"));
    let store: Arc<dyn Store> = Arc::new(Memory::new(1 << 24));
    let make = move || Evergreen::builder().with_store(store.clone()).solver("z3").reuse(Reuse::Full).build();
    let options = JvmOptions { record: 100_000, ..JvmOptions::default() };
    JavaFrontend::explore(program, Ints::Wrapped, options, Box::new(make)).unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn keys_are_equal_or_share_a_place_or_neither() {
    let mut exploration = exploration();
    // Without this a key would be a path for each of 16 places: 272 and 4,880 paths for the first two.
    let expected = [("two", 3), ("three", 12), ("longs", 13), ("letters", 3), ("removed", 12)];
    let (mut paths, mut wrong) = (Vec::new(), String::new());
    for (method, count) in expected {
        let explored = explore(&mut exploration, "buckets/Keys", method);
        if (explored.tally.paths, explored.tally.unsupported) != (count, 0) {
            let _ = writeln!(wrong, "{method}: {} paths", explored.tally.paths);
        }
        paths.extend(explored.paths);
    }
    for method in ["texts", "linked", "ordered", "grown"] {
        let explored = explore(&mut exploration, "buckets/Keys", method);
        assert_eq!(explored.tally.unsupported, 0, "{method}");
        let results: BTreeSet<String> = explored
            .paths
            .iter()
            .map(|path| match &path.how {
                How::Returned(Some(value)) => format!("{value:?}"),
                other => panic!("{method}: {other:?}"),
            })
            .collect();
        println!("{method}: {} paths, {} results", explored.tally.paths, results.len());
        paths.extend(explored.paths);
    }
    assert_eq!(replayed(classes(), paths.iter()), paths.len());
    assert!(wrong.is_empty(), "{wrong}");
}

/// Every result that the JVM has for some input of a small range is found.
#[test]
fn orders_of_tables_are_all_found() {
    let mut exploration = exploration();
    let explored = explore(&mut exploration, "buckets/Keys", "ordered");
    let mut found: Vec<String> = Vec::new();
    for path in &explored.paths {
        if let How::Returned(Some(value)) = &path.how {
            found.push(evergreen_java::source_text(value));
        }
    }
    for a in 0..=40 {
        for b in 14..=18 {
            let result = format!("\"{}\"", order(a, b));
            assert!(found.contains(&result), "{a}, {b}: {result} is not in {found:?}");
        }
    }
}

/// What `Keys.ordered` returns: keys by their places, those of one place in the order of their coming.
fn order(a: i32, b: i32) -> String {
    let mut entries: Vec<(i32, u8)> = Vec::new();
    for (key, value) in [(a, b'1'), (b, b'2'), (16, b'3')] {
        match entries.iter_mut().find(|(known, _)| *known == key) {
            Some(entry) => entry.1 = value,
            None => entries.push((key, value)),
        }
    }
    entries.sort_by_key(|(key, _)| key & 15);
    entries.iter().map(|(_, value)| *value as char).collect()
}

/// A text that is looked up is one of the texts that a map has, or none of them; keys of a concurrent map are
/// equal, or they are not.
#[test]
fn texts_are_looked_up_among_known_texts() {
    let mut exploration = exploration();
    let expected = [
        // Five names, null and all others.
        ("code", 7, 6),
        // Null, lengths 4 and up, and three names of the shorter ones or none.
        ("isShort", 0, 2),
        ("mixed", 3, 3),
        ("counted", 0, 3),
    ];
    let mut paths = Vec::new();
    for (method, count, different) in expected {
        let explored = explore(&mut exploration, "buckets/Known", method);
        assert_eq!((explored.tally.unsupported, explored.tally.sampled), (0, 0), "{method}");
        assert!(count == 0 || explored.tally.paths == count, "{method}: {} paths", explored.tally.paths);
        assert!(explored.tally.paths < 40, "{method}: {} paths", explored.tally.paths);
        let results: BTreeSet<String> = explored.paths.iter().map(|path| format!("{:?}", path.how)).collect();
        assert_eq!(results.len(), different, "{method}: {results:?}");
        paths.extend(explored.paths);
    }
    assert_eq!(replayed(classes(), paths.iter()), paths.len());
}
