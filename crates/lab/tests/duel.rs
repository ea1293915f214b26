//! A duel of about a minute, and what would make it worthless: a judge that does not bite, scripts that
//! change from run to run.

use crate::common::product;
use evergreen_lab::duel::bits;
use evergreen_lab::duel::job::{Choice, Fighters, Job};
use evergreen_lab::duel::judge::{Judge, Kind, Seen};
use evergreen_lab::duel::lane::{Lane, Place, Solver};
use evergreen_lab::duel::script::{Ask, CoreAsking, Ending, Group, Script, Step};
use evergreen_lab::duel::theory::Theory;
use evergreen_lab::duel::{Limit, Options, Progress, run};
use evergreen_testing::tools::put_on_path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// Checks of the bounded run.
const CHECKS: u64 = 60_000;
const SEED: u64 = 1;

fn options(limit: Limit) -> Options {
    put_on_path();
    Options {
        seed: SEED,
        limit,
        choice: Choice::default(),
        product: product(),
        threads: std::thread::available_parallelism().map_or(2, |n| n.get()).min(4),
        era: 200,
        keep: None,
        progress: Progress::Hidden,
    }
}

/// Every answer of the product is the bare solver's, and every rung of the ladder gave some of them.
#[test]
fn a_minute_without_a_difference() {
    let report = run(&options(Limit::Checks(CHECKS))).expect("the duel runs");
    let shown = format!("{}\n{}", report.text(), report.differences.join("\n"));
    assert_eq!(report.tally.differences, 0, "{shown}");
    assert_eq!(report.tally.broken_off.len(), 0, "{shown}");
    assert_eq!(report.tally.silent(), [""; 0], "rungs that never answered: {shown}");
    // The same jobs whenever it is run, so the same checks.
    let mut planned = 0;
    for number in 0.. {
        if planned >= CHECKS {
            break;
        }
        planned += Job::new(SEED, number, &Choice::default()).map_or(0, |job| job.checks());
    }
    let seen = report.tally.all();
    assert_eq!(seen.checks, planned, "{shown}");
    assert_eq!(seen.sat + seen.unsat + seen.unknown + seen.bare_unknown, planned, "{shown}");
    for (what, count) in [("values", seen.values), ("models", seen.models), ("cores", seen.cores)] {
        assert!(count > 1_000, "only {count} {what} were judged: {shown}");
    }
    let vague = seen.unknown + seen.bare_unknown + seen.undecided;
    assert!(vague * 20 < planned, "{vague} answers are not decided: {shown}");
    assert!(seen.refusals() * 1_000 < planned, "{shown}");
    for theory in Theory::ALL {
        assert!(report.tally.rows.keys().any(|row| row.0 == theory), "nothing about {}", theory.name());
    }
}

#[test]
fn a_seed_makes_the_same_scripts() {
    let scripts = |seed, number| match Job::new(seed, number, &Choice::default()).expect("a job").fighters {
        Fighters::Lanes { lanes, scripts } => (lanes, scripts),
        Fighters::Library { .. } => panic!("job {number} has no scripts"),
    };
    assert_eq!(scripts(5, 0), scripts(5, 0));
    assert_ne!(scripts(5, 0).1, scripts(6, 0).1);
}

fn script(steps: Vec<Step>) -> Script {
    let declarations = vec!["(declare-const x Int)".into(), "(declare-fun f (Int) Int)".into()];
    Script { declarations, groups: vec![Group(steps)], ending: Ending::Pop }
}

fn assert_that(text: &str, name: &str) -> Step {
    Step::Assert { text: text.into(), name: Some(name.into()) }
}

/// Wrong answers of every kind, each of which the judge has to see; and the right ones.
#[test]
fn the_judge_bites() {
    put_on_path();
    let folder = tempfile::tempdir().expect("a folder");
    let check = |values: &[&str], model| Step::Check {
        assuming: Vec::new(),
        ask: Ask { values: values.iter().map(|v| v.to_string()).collect(), model, core: true },
    };
    let low = || assert_that("(< (f x) 5)", "n1");
    let high = || assert_that("(> (f x) 5)", "n2");
    let sat = script(vec![low(), check(&["x", "(f x)"], true)]);
    let unsat = script(vec![low(), high(), assert_that("(= x 1)", "n3"), check(&[], false)]);
    let model = "((define-fun x () Int 3) (define-fun f ((y Int)) Int (- y)))";
    let lane = Lane {
        solver: Solver::Z3,
        level: "full",
        place: Place::Memory,
        cores: CoreAsking::On,
        flags: Vec::new(),
    };
    let cases: [(&Script, String, Option<Kind>); 11] = [
        (&sat, format!("sat ((x 3) ((f x) (- 3))) {model}"), None),
        (&sat, format!("unsat ((x 3) ((f x) (- 3))) {model}"), Some(Kind::Verdict)),
        (&sat, format!("sat ((x 3) ((f x) 7)) {model}"), Some(Kind::Value)),
        (&sat, format!("sat ((x 2) ((f x) (- 3))) {model}"), Some(Kind::Model)),
        (&sat, "sat ((x 3) ((f x) 1)) ((define-fun f ((y Int)) Int 6))".into(), Some(Kind::Model)),
        (&sat, "sat ((x 3))".into(), Some(Kind::Protocol)),
        (&sat, String::new(), Some(Kind::Protocol)),
        (&unsat, "unsat (n1 n2)".into(), None),
        (&unsat, "unsat (n1 n3)".into(), Some(Kind::Core)),
        (&unsat, "unsat ()".into(), Some(Kind::Core)),
        (&unsat, "unsat (n1 n2 n9)".into(), Some(Kind::Core)),
    ];
    for (script, said, expected) in cases {
        let mut judge = Judge::start(Solver::Z3, folder.path()).expect("z3 starts");
        let judged = judge.decide(std::slice::from_ref(script)).expect("z3 decides");
        let mut seen = Seen::default();
        let found = judge.compare(&judged, &lane, &said, &mut seen).expect("z3 decides");
        assert_eq!(found.first().map(|d| d.kind), expected, "{said}: {found:?}");
    }
}

/// A product that says sat where z3 says unsat is found, and what it lied about is made small and kept.
#[test]
fn a_liar_is_found() {
    let folder = tempfile::tempdir().expect("a folder");
    let liar = folder.path().join("evergreen");
    let z3 = evergreen_testing::tools::find("z3");
    let program = format!("#!/bin/sh\nexec '{}' -in -smt2 | sed -u 's/^unsat$/sat/'\n", z3.display());
    evergreen_testing::tools::write_program(&liar, program.as_bytes());
    let choice = Choice { theories: vec![Theory::Linear], solvers: vec![Solver::Z3], levels: vec!["exact"] };
    let keep = folder.path().join("kept");
    let options = Options {
        product: liar,
        choice,
        keep: Some(keep.clone()),
        threads: 1,
        ..options(Limit::Checks(1_000))
    };
    let report = run(&options).expect("the duel runs");
    assert!(report.tally.differences > 0, "{}", report.text());
    assert!(report.differences[0].contains("bare: Unsat, evergreen: sat"), "{:?}", report.differences);
    let kept: Vec<_> = std::fs::read_dir(&keep).expect("a folder").flatten().collect();
    let text = std::fs::read_to_string(kept[0].path()).expect("a script");
    assert!(text.matches("(check-sat").count() == 1 && text.lines().count() < 30, "not small: {text}");
}

/// Ctrl-C ends the run and prints what was done until then.
#[test]
fn an_interrupt_prints_the_table() {
    put_on_path();
    let mut child = Command::new(env!("CARGO_BIN_EXE_evergreen-lab"))
        .args([
            "duel",
            "--seconds",
            "600",
            "--theory",
            "linear",
            "--solver",
            "yices",
            "--json",
            "--evergreen",
        ])
        .arg(product())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("evergreen-lab starts");
    std::thread::sleep(Duration::from_millis(1_500));
    let interrupt = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill");
    assert!(interrupt.success());
    let mut out = String::new();
    std::io::Read::read_to_string(child.stdout.as_mut().expect("a pipe"), &mut out).expect("a report");
    assert_eq!(child.wait().expect("an end").code(), Some(0), "{out}");
    let report: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(report["interrupted"], true);
    assert!(report["all"]["checks"].as_u64() > Some(0), "{out}");
}

/// The core of bit vectors alone: no difference, every layer and every judge is used.
#[test]
fn the_core_of_bit_vectors_alone_makes_no_difference() {
    put_on_path();
    let options = bits::Options { seed: 1, limit: Limit::Checks(6_000), threads: 2, keep: None };
    let report = bits::run(&options).expect("the duel runs");
    let shown = format!("{}\n{}", report.text(), report.differences.join("\n"));
    assert_eq!(report.differences.len(), 0, "{shown}");
    let all = report.tally.all();
    assert!(all.queries >= 6_000 && all.sat > 2_000 && all.unsat > 1_500, "{shown}");
    assert!(all.effort * 100 < all.queries, "{shown}");
    assert!(report.tally.enumerated > 200, "{shown}");
    let (certified, uncertified) = (report.tally.certified, report.tally.uncertified);
    assert_eq!(certified + uncertified, all.unsat, "{shown}");
    assert!(certified * 10 > all.unsat * 9, "{shown}");
    for family in bits::Family::ALL {
        assert!(report.tally.rows.contains_key(&family), "nothing about {}: {shown}", family.name());
    }
    for rival in bits::Rival::ALL {
        let judged = report.tally.rivals.get(&rival).copied().unwrap_or_default();
        assert!(judged.agreed > 10, "{} agreed {} times: {shown}", rival.name(), judged.agreed);
    }
    for layer in ["constants", "sets", "ranges", "guess", "sat"] {
        assert!(report.tally.layers.keys().any(|key| key.0 == layer), "{layer} decided nothing: {shown}");
    }
}
