//! The part of a suite's update that is Java's own: methods with other types, outcomes in words, calls that
//! build objects.

use super::random::{case, decisions, mid};
use evergreen_java::replay::{Build, Built, Ending, JavaValue, Message, Target, TestCase};
use evergreen_java::suite::{Explored, Moved, Reached, Suite, update};
use std::sync::Arc;

const ALL: [&str; 3] = ["mid_returns1", "mid_returns2", "mid_returns1_2"];

/// A path with one decision that one of the tests took; `None` is a new path.
fn reached(at: u32, seed: Option<usize>, case: TestCase) -> Reached {
    let path = decisions(&case.target, &[(at, 0)]);
    Reached { position: vec![at], seeds: seed.into_iter().collect(), path, sampled: false, case: Ok(case) }
}

fn explored(target: &Arc<Target>, seeds: &[&str], reached: Vec<Reached>) -> Explored {
    let seeds = seeds.iter().map(|seed| seed.to_string()).collect();
    Explored { target: target.clone(), seeds, reached, retired: vec![] }
}

/// Three tests, which return 1, 2 and 1.
fn three() -> Suite {
    let target = mid();
    let path = |at: u32, returns| reached(at, None, case(&target, [at as i32, 0], returns));
    let found = explored(&target, &[], vec![path(0, 1), path(1, 2), path(2, 1)]);
    let (suite, changes) = update(&Suite::of_class("Mid"), vec![found], &[]);
    assert_eq!(changes.new, ALL);
    assert_eq!(changes.affected[0].method, "mid(int, int)");
    // As it comes from the disk.
    Suite::parse(&suite.write()).unwrap()
}

#[test]
fn a_method_with_another_signature_takes_its_tests_along() {
    let old = three();
    let target = Arc::new(Target { descriptor: "(II)J".into(), ..(*mid()).clone() });
    let long = |returns| TestCase {
        ending: Ending::Returned(Some(JavaValue::Long(returns))),
        ..case(&target, [0, 0], 0)
    };
    let found = Explored {
        target: target.clone(),
        seeds: ALL.map(String::from).to_vec(),
        reached: vec![reached(0, Some(0), long(1))],
        retired: vec![(1, "no longer fits".into())],
    };
    let (new, changes) = update(&old, vec![found], &[]);
    assert_eq!(changes.moved.len(), 1);
    assert_eq!(changes.unreached, ["mid_returns1_2"]);
    let sections: Vec<&str> = new.methods.iter().map(|own| own.target.descriptor.as_str()).collect();
    assert_eq!(sections, ["(II)J", "(II)I"], "a test that was not reached stays in its old section");
    assert_eq!(Suite::parse(&new.write()).unwrap(), new);
}

#[test]
fn differences_are_worded_as_in_java() {
    let old = three();
    let target = mid();
    let threw =
        Ending::Threw { class: "java.lang.ArithmeticException".into(), message: Message::text("/ by zero") };
    let built = Built { object: 0, constructor: "()V".into(), arguments: vec![], calls: vec![] };
    let found = vec![
        reached(0, Some(0), TestCase { ending: threw, ..case(&target, [0, 0], 0) }),
        reached(1, Some(1), TestCase { output: Some("a\n".into()), ..case(&target, [1, 0], 2) }),
        reached(
            2,
            Some(2),
            TestCase { build: Some(Build { objects: vec![built] }), ..case(&target, [2, 0], 1) },
        ),
    ];
    let (new, changes) = update(&old, vec![explored(&target, &ALL, found)], &[]);
    let moved = |name: &str, outcome: Option<(&str, &str)>, build| Moved {
        name: name.into(),
        path: false,
        outcome: outcome.map(|(was, is)| (was.into(), is.into())),
        build,
    };
    let thrown = "throws java.lang.ArithmeticException \"/ by zero\"";
    assert_eq!(
        changes.moved,
        [
            moved(ALL[0], Some(("returns 1", thrown)), false),
            moved(ALL[1], Some(("returns 2", "returns 2, prints \"a\\n\"")), false),
            moved(ALL[2], None, true),
        ]
    );
    // Unknown output is another outcome, without words for it.
    let unknown = TestCase { output: None, ..case(&target, [1, 0], 2) };
    let found = explored(&target, &ALL, vec![reached(1, Some(1), unknown)]);
    let (unknown, changes) = update(&new, vec![found], &[]);
    assert_eq!(changes.moved, [moved(ALL[1], Some(("returns 2, prints \"a\\n\"", "returns 2")), false)]);
    assert!(unknown.write().contains("  returns 2\n  prints ?\n"));
}
