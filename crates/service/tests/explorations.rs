//! The toy front end gets threads, ranges, old tests, suites, probabilities and retraced remote work from the
//! service.

use crate::programs::{RANGE, all, count, explore, store, ways};
use crate::toy::{Function, Toy, ToyFrontend, ToyProgram};
use evergreen_deciding::probability::Measure;
use evergreen_explore::{Bounds, Limit, Old, Options, Range};
use evergreen_service::report::{Shown, TextReport};
use evergreen_service::{
    Campaign, Elsewhere, Explored, Forward, Heard, How, Keeping, OldTests, Part, PathEnd, RemotePath,
    Retirement, Sink, SuiteOptions, SuiteSize, Suites, Team, Telling, TestId, with_workers,
};
use evergreen_suite::Update;
use std::path::Path;

fn options() -> Options {
    Options { bounds: Bounds { depth: Some(40), ..Bounds::default() }, ..Options::default() }
}

fn paths(team: &mut Team<'_, ToyFrontend>, function: &Function) -> Vec<PathEnd<Toy>> {
    let mut found = team.entry(function, &RANGE, options(), None, Telling::default()).expect("it begins");
    let mut all = Vec::new();
    while let Some(path) = found.next_path() {
        all.push(*path);
    }
    let done = found.finish();
    assert!(done.summary.is_complete());
    assert_eq!(done.tally.paths, all.len() as u64);
    all
}

fn alone(program: &ToyProgram) -> Vec<PathEnd<Toy>> {
    paths(&mut Team::Alone(Box::new(explore(program, &store()))), &program.0[0])
}

fn positions(paths: &[PathEnd<Toy>]) -> Vec<&[u32]> {
    paths.iter().map(|path| &path.position[..]).collect()
}

#[test]
fn every_path_is_found_and_its_test_is_true() {
    let program = count("3");
    let (found, function) = (alone(&program), &program.0[0]);
    assert_eq!(found.len(), ways(function));
    for path in &found {
        let case = path.case.as_ref().expect("each has a test");
        let inputs = [("n", case.inputs[0].1), ("m", case.inputs[1].1)];
        assert_eq!(crate::programs::run(function, &inputs).1, case.end, "{case:?}");
    }
    assert!(found.iter().any(|path| matches!(&path.how, How::Threw { class, .. } if class == "small")));
}

#[test]
fn two_threads_find_the_same() {
    let (program, shared) = (count("3"), store());
    let two = with_workers(2, &|| Ok(explore(&program, &shared)), |workers| {
        paths(&mut Team::Many(workers), &program.0[0])
    });
    assert_eq!(alone(&program), two);
}

#[test]
fn a_range_is_a_part_of_the_paths() {
    let program = count("3");
    let whole = alone(&program);
    let tests: Vec<_> = whole.iter().filter_map(|path| path.case.clone()).collect();
    let (from, to) = (2, whole.len() - 3);
    let range = Range { from: Some(Limit::Seed(from)), to: Some(Limit::Seed(to)) };
    let old = OldTests { tests, range, ..OldTests::default() };
    let mut exploration = explore(&program, &store());
    let run = exploration.seeded(&program.0[0], &RANGE, options(), old).expect("it begins");
    let found: Vec<PathEnd<Toy>> = run.collect();
    assert_eq!(positions(&found), positions(&whole[from..to]));
}

#[test]
fn old_tests_keep_their_paths_over_an_edit() {
    let tests: Vec<_> = alone(&count("3")).iter().filter_map(|path| path.case.clone()).collect();
    let old = OldTests { tests: tests.clone(), old: Old::TrustNothing, ..OldTests::default() };
    let edited = count("5");
    let mut exploration = explore(&edited, &store());
    let mut run = exploration.seeded(&edited.0[0], &RANGE, options(), old).expect("it begins");
    let after: Vec<PathEnd<Toy>> = std::iter::from_fn(|| run.next_path()).collect();
    let retired = run.retired();
    assert_eq!(after.len(), ways(&edited.0[0]));
    let kept = after.iter().filter(|path| !path.seeds.is_empty());
    assert_eq!(kept.clone().count() + retired.len(), tests.len());
    assert!(retired.iter().all(|(_, why)| matches!(why, Retirement::SamePath(_))), "{retired:?}");
    assert!(kept.clone().all(|path| path.inputs == tests[path.seeds[0]].inputs));
    // No solver was asked about arms that old tests take.
    assert!(run.summary().by_seed > 0);
}

/// Counts what it is shown.
#[derive(Default)]
struct Counting {
    paths: usize,
    tests: Vec<TestId>,
    findings: u64,
}

impl Sink<ToyFrontend> for Counting {
    fn path(
        &mut self,
        _: &Function,
        _: &PathEnd<Toy>,
        test: Option<(TestId, &crate::toy::Case)>,
    ) -> Result<(), String> {
        self.paths += 1;
        self.tests.extend(test.map(|(id, _)| id));
        Ok(())
    }

    fn ends(&mut self, _: &Function, end: &evergreen_service::EntryEnd<'_, Toy>) -> Result<(), String> {
        self.findings += end.findings.iter().map(|finding| finding.paths).sum::<u64>();
        Ok(())
    }
}

/// A whole run of a program with two threads, which keeps a suite and replays its tests.
fn campaign(program: &ToyProgram, folder: &Path) -> Update {
    let shared = store();
    let make = || Ok(explore(program, &shared));
    let suite = SuiteOptions {
        folder: folder.to_path_buf(),
        old: Old::TrustNothing,
        is_whole: true,
        between: None,
        size: SuiteSize::Paths,
        sources: (),
        keeping: Keeping::Updated,
    };
    let (suites, entries) = Suites::open(suite, program, &program.0).expect("no flaw");
    let (mut replayer, mut sink) = (program.clone(), Counting::default());
    let mut campaign = Campaign::new(&make, &|_| (), Some(suites), Some(&mut replayer));
    (campaign.inputs, campaign.options) = (RANGE, options());
    let update = with_workers(2, &make, |workers| {
        let mut team = Team::Many(workers);
        for entry in &entries {
            campaign.entry(&mut team, entry, &mut [&mut sink]).expect("it goes on");
        }
        campaign.replay();
        campaign.finish(&team).expect("a suite").expect("suites are kept")
    });
    let totals = &campaign.totals;
    let expected = program.0.iter().map(ways).sum::<usize>();
    assert_eq!((totals.explored(), totals.paths), (Explored::All, expected as u64));
    assert_eq!((totals.replayed, totals.divergences), (expected as u64, 0));
    assert_eq!((sink.paths, sink.tests.len()), (expected, expected));
    assert!(sink.findings > 0 && totals.findings == 1, "failures at one place are one finding");
    update
}

#[test]
fn a_suite_lives_over_edits() {
    let folder = tempfile::tempdir().expect("a folder");
    let (first, file) = (count("3"), folder.path().join("toy.suite"));
    let made = campaign(&first, folder.path());
    assert_eq!((made.new.len(), made.kept.len()), (ways(&first.0[0]), 0));
    let text = std::fs::read_to_string(&file).expect("a suite");
    // Nothing changes: every test is kept, to the byte.
    let again = campaign(&first, folder.path());
    assert!(again.is_empty() && again.kept.len() == ways(&first.0[0]), "{again:?}");
    assert_eq!(std::fs::read_to_string(&file).expect("a suite"), text);
    // An edit: tests whose inputs go elsewhere move or retire, others keep their bytes.
    let edited = count("5");
    let update = campaign(&edited, folder.path());
    let known = update.kept.len() + update.moved.len() + update.retired.len();
    assert_eq!(known, ways(&first.0[0]), "{update:?}");
    assert_eq!(update.kept.len() + update.moved.len() + update.new.len(), ways(&edited.0[0]));
    assert!(!update.kept.is_empty() && !update.is_empty(), "{update:?}");
    // A function that is gone takes its tests with it.
    let mut other = count("5");
    other.0[0].parameters = vec!["n", "m"];
    other.0[0].name = "renamed";
    let renamed = campaign(&other, folder.path());
    assert_eq!(renamed.retired.len(), 0, "the only new function of the same signature inherits them");
}

/// The report of a run is the service's, too.
#[test]
fn a_run_is_reported_in_words() {
    let (program, shared) = (count("3"), store());
    let make = || Ok(explore(&program, &shared));
    let (mut replayer, mut report) = (program.clone(), TextReport::new(Vec::new(), Shown::All));
    let mut campaign = Campaign::new(&make, &|_| (), None, Some(&mut replayer));
    (campaign.inputs, campaign.options) = (RANGE, options());
    let mut team = Team::Alone(Box::new(make().expect("a machine")));
    campaign.entry(&mut team, &program.0[0], &mut [&mut report]).expect("it is written");
    campaign.replay();
    campaign.finish(&team).expect("no suites");
    let text = String::from_utf8(report.finish(&campaign.totals).expect("it is written")).expect("text");
    let lines: Vec<&str> = text.lines().collect();
    let paths = ways(&program.0[0]);
    let failing = lines.iter().filter(|line| line.contains("  throws small")).count();
    assert_eq!(lines[0], "count");
    assert!(lines[1..=paths].iter().all(|line| line.contains("    [n = ")), "{text}");
    assert_eq!(lines[paths + 1], format!("  FOUND small ({failing} paths)"));
    assert!(lines[paths + 2].starts_with("    inputs  n = "), "{text}");
    assert!(lines[paths + 3].starts_with(&format!("  {paths} paths, ")), "{text}");
    let summary = lines[paths + 4];
    let all = format!("1 finding on {paths} paths of 1 function, all paths explored, ");
    assert!(summary.starts_with(&all), "{text}");
    assert!(lines[paths + 5].contains(" arms at branches: "), "{text}");
    assert_eq!(lines.last().copied(), Some(&*format!("{paths} tests replayed, 0 divergences")));
}

#[test]
fn probabilities_are_those_of_all_inputs() {
    let program = count("3");
    let mut exploration = explore(&program, &store());
    exploration.measure(Measure::default()).expect("a counter");
    let function = &program.0[0];
    let mut run = exploration.entry(function, &RANGE, options()).expect("it begins");
    while run.next_path().is_some() {}
    let outcomes = run.distribution().expect("it is counted").outcomes();
    let (_, _, mass) = outcomes.iter().find(|(class, ..)| class.to_string() == "throws small").expect("one");
    let all = all(function);
    let failing = all.iter().filter(|(_, end)| end == "fails small").count();
    assert!(mass.is_exact());
    assert!((mass.most.to_f64() - failing as f64 / all.len() as f64).abs() < 1e-12);
}

/// Two workers take turns with parts that they give each other as text; the submitter retraces their paths.
#[test]
fn remote_paths_are_retraced() {
    let (program, shared) = (count("3"), store());
    let function = &program.0[0];
    let mut heard = Heard::default();
    let mut parts: Vec<Option<String>> = vec![None];
    for turn in 0.. {
        let Some(part) = parts.pop() else { break };
        // Each worker has a machine and a store of its own.
        let mut worker = explore(&program, &store());
        let mut run = worker.entry(function, &RANGE, options()).expect("it begins");
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
        let mut elsewhere = Elsewhere::new(explore(&program, &shared), move |_, _| noted.set(true));
        elsewhere.hear(function, heard.clone());
        (paths(&mut Team::Elsewhere(Box::new(elsewhere)), function), refused.get())
    };
    let (found, refused) = submit(&heard);
    assert!(!refused);
    assert_eq!(positions(&found), positions(&alone(&program)));
    // A path that is left out is noticed, and the function is explored here.
    let hidden: RemotePath = heard.paths.remove(heard.paths.len() / 2);
    let (again, refused) = submit(&heard);
    assert!(refused, "{hidden:?} is missing");
    assert_eq!(positions(&again), positions(&found));
}
