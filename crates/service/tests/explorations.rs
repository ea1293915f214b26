//! A toy front end gets threads, seeds, ranges, probabilities and retraced remote work from the service.

use crate::toy::{Function, Toy, ToyFrontend, explore, read, replay, run as toy_run, store};
use evergreen_deciding::probability::Measure;
use evergreen_explore::{Bounds, Limit, Old, Options, Range};
use evergreen_service::{
    Detail, Elsewhere, Forward, Heard, How, OldTests, Part, PathEnd, RemotePath, Retirement, Team, Telling,
    with_workers,
};

/// Counts down: a loop with a bound on its input, and a failure at the end of one way.
const COUNT: &str = "
    fn count n m
    if n < 1 goto 5
    if m < n goto 4
    set n = n - 1
    if 0 < 1 goto 0
    return m
    if m < 3 goto 7
    return n
    fail small
";

const TELLING: Telling<Toy> = Telling { detail: Detail::Full, shrinks: true, calls: false, lines: None };
const RANGE: (i32, i32) = (-4, 9);

fn function(text: &str) -> Function {
    read(text).remove(0)
}

fn options() -> Options {
    Options { bounds: Bounds { depth: Some(40), ..Bounds::default() }, ..Options::default() }
}

fn paths(team: &mut Team<'_, ToyFrontend>, function: &Function) -> Vec<PathEnd<Toy>> {
    let mut found = team.entry(function, &RANGE, options(), None, TELLING).expect("it begins");
    let mut all = Vec::new();
    while let Some(path) = found.next_path() {
        all.push(*path);
    }
    let done = found.finish();
    assert!(done.summary.is_complete());
    assert_eq!(done.tally.paths, all.len() as u64);
    all
}

fn alone(text: &str) -> Vec<PathEnd<Toy>> {
    paths(&mut Team::Alone(Box::new(explore(text, &store()))), &function(text))
}

/// How many inputs take each path, by trying them all.
fn tried(text: &str) -> usize {
    let function = function(text);
    let mut ways = std::collections::BTreeSet::new();
    for n in RANGE.0..=RANGE.1 {
        for m in RANGE.0..=RANGE.1 {
            ways.insert(toy_run(&function, &[("n", n), ("m", m)]).0);
        }
    }
    ways.len()
}

#[test]
fn every_path_is_found_and_its_test_is_true() {
    let (all, function) = (alone(COUNT), function(COUNT));
    assert_eq!(all.len(), tried(COUNT));
    for path in &all {
        let case = path.case.as_ref().expect("each has a test");
        assert_eq!(replay(&function, case), case.expected, "{case:?}");
    }
    let failures: Vec<_> = all.iter().filter(|path| path.how.is_finding()).collect();
    assert!(failures.iter().all(|path| matches!(&path.how, How::Threw { class, .. } if class == "small")));
    assert!(!failures.is_empty());
}

#[test]
fn two_threads_find_the_same() {
    let one = alone(COUNT);
    let shared = store();
    let two = with_workers(2, &|| Ok(explore(COUNT, &shared)), |workers| {
        paths(&mut Team::Many(workers), &function(COUNT))
    });
    assert_eq!(one, two);
}

#[test]
fn a_range_is_a_part_of_the_paths() {
    let all = alone(COUNT);
    let tests: Vec<_> = all.iter().filter_map(|path| path.case.clone()).collect();
    let (from, to) = (2, all.len() - 3);
    let range = Range { from: Some(Limit::Seed(from)), to: Some(Limit::Seed(to)) };
    let old = OldTests { tests, range, ..OldTests::default() };
    let mut exploration = explore(COUNT, &store());
    let run = exploration.seeded(&function(COUNT), &RANGE, options(), old).expect("it begins");
    let found: Vec<PathEnd<Toy>> = run.collect();
    let positions = |paths: &[PathEnd<Toy>]| paths.iter().map(|p| p.position.clone()).collect::<Vec<_>>();
    assert_eq!(positions(&found), positions(&all[from..to]));
}

#[test]
fn old_tests_keep_their_paths_over_an_edit() {
    let before = alone(COUNT);
    let tests: Vec<_> = before.iter().filter_map(|path| path.case.clone()).collect();
    let recorded = before.iter().map(|path| path.decisions.clone()).collect();
    let edited = COUNT.replace("if m < 3 goto 7", "if m < 5 goto 7");
    let old =
        OldTests { tests: tests.clone(), paths: recorded, old: Old::TrustNothing, ..OldTests::default() };
    let mut exploration = explore(&edited, &store());
    let mut run = exploration.seeded(&function(&edited), &RANGE, options(), old).expect("it begins");
    let mut after = Vec::new();
    while let Some(path) = run.next_path() {
        after.push(path);
    }
    let retired = run.retired();
    assert_eq!(after.len(), tried(&edited));
    let kept: usize = after.iter().filter(|path| !path.seeds.is_empty()).count();
    assert_eq!(kept + retired.len(), tests.len());
    assert!(retired.iter().all(|(_, why)| matches!(why, Retirement::SamePath(_))), "{retired:?}");
    for path in after.iter().filter(|path| !path.seeds.is_empty()) {
        assert_eq!(path.inputs, tests[path.seeds[0]].inputs);
    }
    // No solver was asked about arms that old tests take.
    assert!(run.summary().by_seed > 0);
}

#[test]
fn probabilities_are_those_of_all_inputs() {
    let mut exploration = explore(COUNT, &store());
    exploration.measure(Measure::default()).expect("a counter");
    let function = function(COUNT);
    let mut run = exploration.entry(&function, &RANGE, options()).expect("it begins");
    while run.next_path().is_some() {}
    let distribution = run.distribution().expect("it is counted");
    let inputs = f64::from(RANGE.1 - RANGE.0 + 1).powi(2);
    let failing = (RANGE.0..=RANGE.1)
        .flat_map(|n| (RANGE.0..=RANGE.1).map(move |m| (n, m)))
        .filter(|(n, m)| toy_run(&function, &[("n", *n), ("m", *m)]).1 == "small")
        .count() as f64;
    let outcomes = distribution.outcomes();
    let (_, _, mass) =
        outcomes.iter().find(|(class, ..)| class.to_string() == "throws small").expect("it fails");
    assert!(mass.is_exact());
    assert!(
        (mass.most.to_f64() - failing / inputs).abs() < 1e-12,
        "{} {}",
        mass.most.to_f64(),
        failing / inputs
    );
}

/// Two workers take turns with parts that they give each other as text; the submitter retraces their paths.
#[test]
fn remote_paths_are_retraced() {
    let (shared, function) = (store(), function(COUNT));
    let mut heard = Heard::default();
    let mut parts: Vec<Option<String>> = vec![None];
    for turn in 0.. {
        let Some(part) = parts.pop() else { break };
        // Each worker has a machine and a store of its own.
        let mut worker = explore(COUNT, &store());
        let mut run = worker.entry(&function, &RANGE, options()).expect("it begins");
        if let Some(text) = part {
            run.give_any();
            run.resume(&text.parse::<Part>().expect("its own text")).expect("a part of this function");
        }
        loop {
            match run.forward() {
                Forward::Path(path) => heard.paths.push(path),
                Forward::Open if turn < 6 => parts.extend(run.give().map(|part| Some(part.to_string()))),
                Forward::Open => {}
                Forward::Done => break,
                Forward::Failed(why) => panic!("{why}"),
            }
        }
    }
    let submit = |heard: &Heard| {
        let refused = std::rc::Rc::new(std::cell::Cell::new(false));
        let noted = refused.clone();
        let mut elsewhere = Elsewhere::new(explore(COUNT, &shared), move |_, _| noted.set(true));
        elsewhere.hear(&function, heard.clone());
        (paths(&mut Team::Elsewhere(Box::new(elsewhere)), &function), refused.get())
    };
    let positions = |paths: &[PathEnd<Toy>]| paths.iter().map(|p| p.position.clone()).collect::<Vec<_>>();
    let (all, refused) = submit(&heard);
    assert!(!refused);
    assert_eq!(positions(&all), positions(&alone(COUNT)));
    // A path that is left out is noticed, and the function is explored here.
    let hidden: RemotePath = heard.paths.remove(heard.paths.len() / 2);
    let (again, refused) = submit(&heard);
    assert!(refused, "{hidden:?} is missing");
    assert_eq!(positions(&again), positions(&all));
}
