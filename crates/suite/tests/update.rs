//! An update of a suite changes only the tests that it must.

use crate::tiny::{Call, Function, Tiny, case, decisions, mid};
use evergreen_suite::{Affected, Moved, Retired, Update, update};
use std::sync::Arc;

type Suite = evergreen_suite::Suite<Tiny>;
type Explored = evergreen_suite::Explored<Tiny>;
type Reached = evergreen_suite::Reached<Tiny>;

/// A path: where it lies, which tests took it, its only decision, what it returns.
type Path<'a> = (&'a [u32], &'a [usize], (u32, u32), i64);

fn reached(target: &Arc<Function>, (position, seeds, decision, returns): Path<'_>) -> Reached {
    Reached {
        position: position.to_vec(),
        seeds: seeds.to_vec(),
        path: decisions(target, &[decision]),
        sampled: false,
        case: Ok(case(target, [decision.0.into(), decision.1.into()], returns)),
    }
}

fn explored(seeds: &[&str], paths: &[Path<'_>], retired: &[(usize, &str)]) -> Explored {
    let target = mid();
    Explored {
        seeds: seeds.iter().map(|seed| seed.to_string()).collect(),
        reached: paths.iter().map(|path| reached(&target, *path)).collect(),
        retired: retired.iter().map(|(seed, reason)| (*seed, reason.to_string())).collect(),
        target,
    }
}

/// Three tests, which return 1, 2 and 1.
fn three() -> Suite {
    let paths: [Path<'_>; 3] = [(&[0, 0], &[], (0, 0), 1), (&[0, 1], &[], (0, 1), 2), (&[1], &[], (1, 0), 1)];
    let (suite, told) = update(&Suite::of_class("list.c"), vec![explored(&[], &paths, &[])], &[]);
    assert_eq!(told.new, ["mid_returns1", "mid_returns2", "mid_returns1_2"]);
    // As it comes from the disk.
    Suite::parse(&suite.write()).unwrap()
}

const ALL: [&str; 3] = ["mid_returns1", "mid_returns2", "mid_returns1_2"];

fn names(suite: &Suite) -> Vec<&str> {
    suite.tests().map(|test| test.name.as_str()).collect()
}

fn retired(name: &str, reason: &str) -> Retired {
    Retired { name: name.into(), reason: reason.into() }
}

#[test]
fn an_unchanged_program_changes_nothing() {
    let old = three();
    let paths: [Path<'_>; 3] =
        [(&[1], &[2], (1, 0), 1), (&[0, 0], &[0], (0, 0), 1), (&[0, 1], &[1], (0, 1), 2)];
    let (new, told) = update(&old, vec![explored(&ALL, &paths, &[])], &[]);
    assert_eq!(new.write(), old.write());
    assert_eq!(told.kept, ALL);
    assert!(told.is_empty() && told.affected.is_empty() && told.unreached.is_empty());
}

#[test]
fn kept_tests_keep_name_place_and_bytes() {
    let text = three().write().replace("test mid_returns2\n  x = 0\n", "# by hand\ntest second\n  x =   0\n");
    let old = Suite::parse(&text).unwrap();
    // One path more before the second test, one behind the last.
    let paths: [Path<'_>; 5] = [
        (&[0, 0], &[0], (0, 0), 1),
        (&[0, 1], &[], (7, 0), 1),
        (&[0, 2], &[1], (0, 1), 2),
        (&[1], &[2], (1, 0), 1),
        (&[2], &[], (8, 0), 2),
    ];
    let seeds = ["mid_returns1", "second", "mid_returns1_2"];
    let (new, told) = update(&old, vec![explored(&seeds, &paths, &[])], &[]);
    assert_eq!(names(&new), ["mid_returns1", "mid_returns1_3", "second", "mid_returns1_2", "mid_returns2"]);
    let (before, after) = (text, new.write());
    let lines: Vec<&str> = after.lines().collect();
    let mut at = 0;
    for line in before.lines() {
        at +=
            1 + lines[at..].iter().position(|own| *own == line).unwrap_or_else(|| panic!("{line}\n{after}"));
    }
    assert_eq!(lines.len(), before.lines().count() + 12, "{after}");
    let affected = |after: Option<&str>, before: Option<&str>, tests: &[&str]| Affected {
        method: "mid".into(),
        after: after.map(String::from),
        before: before.map(String::from),
        tests: tests.iter().map(|test| test.to_string()).collect(),
    };
    assert_eq!(
        told.affected,
        [
            affected(Some("mid_returns1"), Some("second"), &["mid_returns1_3"]),
            affected(Some("mid_returns1_2"), None, &["mid_returns2"]),
        ]
    );
}

#[test]
fn a_changed_path_or_outcome_is_told() {
    let old = three();
    let paths: [Path<'_>; 3] = [(&[0], &[0], (0, 0), 9), (&[1], &[1], (5, 1), 2), (&[2], &[2], (6, 0), 8)];
    let (new, told) = update(&old, vec![explored(&ALL, &paths, &[])], &[]);
    let moved = |name: &str, path, outcome: Option<(&str, &str)>| Moved {
        name: name.into(),
        path,
        outcome: outcome.map(|(a, b)| (a.into(), b.into())),
        build: false,
    };
    assert_eq!(
        told.moved,
        [
            moved("mid_returns1", false, Some(("returns 1", "returns 9"))),
            moved("mid_returns2", true, None),
            moved("mid_returns1_2", true, Some(("returns 1", "returns 8"))),
        ]
    );
    assert_eq!(names(&new), ALL);
    assert_eq!(told.affected.len(), 1);
    assert_eq!((&told.affected[0].after, &told.affected[0].before), (&None, &None));
}

#[test]
fn one_of_several_keeps_the_path() {
    let old = three();
    let paths: [Path<'_>; 2] = [(&[0], &[0, 1, 2], (0, 0), 1), (&[1], &[], (1, 1), 2)];
    let (new, told) = update(&old, vec![explored(&ALL, &paths, &[])], &[]);
    assert_eq!(told.kept, ["mid_returns1"]);
    let same = "takes the same path as mid_returns1";
    assert_eq!(told.retired, [retired("mid_returns2", same), retired("mid_returns1_2", same)]);
    // The name is free again, and fits the new test.
    assert_eq!(
        (names(&new), told.new),
        (vec!["mid_returns1", "mid_returns2"], vec!["mid_returns2".to_string()])
    );
    // The first seed in the list keeps the path.
    let paths: [Path<'_>; 1] = [(&[0], &[2, 0, 1], (1, 0), 1)];
    let (new, told) = update(&old, vec![explored(&ALL, &paths, &[])], &[]);
    assert_eq!((names(&new), told.kept), (vec!["mid_returns1_2"], vec!["mid_returns1_2".to_string()]));
}

#[test]
fn what_was_not_reached_stays() {
    let old = three();
    let paths: [Path<'_>; 2] = [(&[0, 1], &[1], (0, 1), 2), (&[0, 2], &[], (3, 3), 5)];
    let (new, told) = update(&old, vec![explored(&ALL, &paths, &[])], &[]);
    assert_eq!(names(&new), ["mid_returns1", "mid_returns2", "mid_returns5", "mid_returns1_2"]);
    assert_eq!(told.unreached, ["mid_returns1", "mid_returns1_2"]);
    assert!(told.retired.is_empty());
    // Nothing at all.
    let (new, told) = update(&old, vec![explored(&ALL, &[], &[])], &[]);
    assert_eq!((new.write(), told.unreached.len()), (old.write(), 3));
    let (new, told) = update(&old, vec![], &[]);
    assert_eq!((new.write(), told), (old.write(), Update::default()));
}

#[test]
fn tests_go_for_a_reason_only() {
    let old = three();
    let mut found = explored(&ALL, &[(&[0], &[0], (0, 0), 1)], &[(1, "outside of --range x")]);
    let path = decisions(&mid(), &[(9, 9)]);
    found.reached.push(Reached {
        position: vec![1],
        seeds: vec![2],
        path,
        sampled: false,
        case: Err("cut by --depth".into()),
    });
    let (new, told) = update(&old, vec![found], &[]);
    assert_eq!(names(&new), ["mid_returns1"]);
    assert_eq!(
        told.retired,
        [retired("mid_returns1_2", "cut by --depth"), retired("mid_returns2", "outside of --range x")]
    );
    let gone: Vec<Retired> = ALL.iter().map(|name| retired(name, "the method is gone")).collect();
    let (new, told) = update(&old, vec![], &gone);
    assert_eq!((new.methods.len(), told.retired), (0, gone));
}

#[test]
fn new_paths_before_all_others_come_first() {
    let old = three();
    let paths: [Path<'_>; 4] =
        [(&[0], &[], (4, 0), 4), (&[1], &[1], (0, 1), 2), (&[2], &[0], (0, 0), 1), (&[3], &[2], (1, 0), 1)];
    let (new, told) = update(&old, vec![explored(&ALL, &paths, &[])], &[]);
    // Positions were exchanged: kept tests stay where they are, the new one is before
    // the one that follows it.
    assert_eq!(names(&new), ["mid_returns1", "mid_returns4", "mid_returns2", "mid_returns1_2"]);
    assert_eq!(told.kept.len(), 3);
}

#[test]
fn a_function_with_another_signature_takes_its_tests_along() {
    let old = three();
    let target = Arc::new(Function::new("list.c", "mid", &["x", "y", "z"]));
    let found = Explored {
        target: target.clone(),
        seeds: ALL.map(String::from).to_vec(),
        reached: vec![Reached {
            position: vec![0],
            seeds: vec![0],
            path: decisions(&target, &[(0, 0)]),
            sampled: false,
            case: Ok(Call { target, inputs: vec![0, 0, 0], returns: 1 }),
        }],
        retired: vec![(1, "no longer fits".into())],
    };
    let (new, told) = update(&old, vec![found], &[]);
    assert_eq!(told.moved.len(), 1);
    assert_eq!(told.unreached, ["mid_returns1_2"]);
    let sections: Vec<&str> = new.methods.iter().map(|own| own.target.signature.as_str()).collect();
    assert_eq!(sections, ["/3", "/2"], "a test that was not reached stays in its old section");
    assert_eq!(Suite::parse(&new.write()).unwrap(), new);
}

#[test]
fn a_renamed_function_takes_the_same_path() {
    let old = three();
    let found = |name: &str, decision| {
        let target = Arc::new(Function::new("list.c", name, &["x", "y"]));
        let path = decisions(&target, &[decision]);
        let case = Ok(case(&target, [0, 0], 1));
        let reached = vec![Reached { position: vec![0], seeds: vec![0], path, sampled: false, case }];
        Explored { target, seeds: ALL.map(String::from).to_vec(), reached, retired: vec![] }
    };
    let (new, told) = update(&old, vec![found("middle", (0, 0))], &[]);
    assert_eq!(told.kept, ["mid_returns1"]);
    let sections: Vec<(&str, usize)> =
        new.methods.iter().map(|own| (own.target.name.as_str(), own.tests.len())).collect();
    assert_eq!(sections, [("middle", 1), ("mid", 2)], "what was not reached stays under its old heading");
    let (_, told) = update(&old, vec![found("middle", (0, 1))], &[]);
    assert!(told.kept.is_empty() && told.moved[0].path, "{told:?}");
}

#[test]
fn renamed_parameters_are_renamed_in_tests_that_were_not_reached() {
    let old = three();
    let target = Arc::new(Function::new("list.c", "mid", &["a", "b"]));
    let kept = Reached {
        position: vec![0],
        seeds: vec![0],
        path: decisions(&target, &[(0, 0)]),
        sampled: false,
        case: Ok(case(&target, [0, 0], 1)),
    };
    let found =
        Explored { target, seeds: ALL.map(String::from).to_vec(), reached: vec![kept], retired: vec![] };
    let (new, told) = update(&old, vec![found], &[]);
    assert_eq!((told.kept.len(), told.unreached.len()), (1, 2));
    let text = new.write();
    assert!(!text.contains("  x =") && text.matches("  a =").count() == 3, "{text}");
    assert!(Suite::parse(&text).is_ok(), "{text}");
}

#[test]
fn functions_are_in_the_order_of_the_program() {
    let old = three();
    let function = |name: &str| {
        let target = Arc::new(Function::new("list.c", name, &["x", "y"]));
        let reached = vec![reached(&target, (&[0], &[], (0, 0), 3))];
        Explored { target, seeds: vec![], reached, retired: vec![] }
    };
    let (new, _) = update(&old, vec![function("before"), explored(&ALL, &[], &[]), function("after")], &[]);
    let order: Vec<&str> = new.methods.iter().map(|own| own.target.name.as_str()).collect();
    assert_eq!(order, ["before", "mid", "after"]);
}

#[test]
fn new_tests_do_not_get_names_that_are_reserved() {
    let paths: [Path<'_>; 2] = [(&[0], &[], (0, 0), 0), (&[1], &[], (0, 1), 0)];
    let (_, told) = update(&Suite::of_class("list.c"), vec![explored(&[], &paths, &[])], &[]);
    assert_eq!(told.new, ["mid_returns0_2", "mid_returns0_3"]);
}
