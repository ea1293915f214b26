//! Generated programs, the static steps and the techniques, by counts.

use super::explorer::{Budget, Code, Run, explore};
use super::generator::{Size, generate};
use super::linear::{Form, Linear, linearize};
use super::measured::{ROUNDS, SIZES, measure, run};
use super::program::{Condition, Joint, Procedure, Program, Statement, Test};
use super::record::Utility;
use super::solving::{Technique, decider};
use super::{cse, ssa};
use crate::study::code::{Compare, Expr, Instruction};
use crate::study::language;
use crate::study::link::Fresh;
use crate::study::stream::Stream;
use evergreen::Terms;
use evergreen::solver::Command;
use evergreen_testing::tools;
use std::time::Duration;

/// A program that is explored in a moment.
const SMALL: Size = Size { lines: 300, inputs: 12, sections: 3 };

fn z3() -> Command {
    Command::parse(&tools::find("z3").display().to_string()).unwrap()
}

fn queries(queries: usize) -> Budget {
    Budget { seconds: f64::INFINITY, queries }
}

/// The paper's Figure 1(a).
fn step() -> Program {
    let (a, b) = (|| Expr::Slot(0), || Expr::Slot(1));
    let less = |left: Expr, right: i64| Condition {
        tests: vec![Test { left, compare: Compare::Lt, right: Expr::Number(right) }],
        joint: Joint::All,
    };
    let set = |value: Expr| vec![Statement::Set { slot: 1, value }];
    let add = |x: Expr, y: Expr| Expr::Add(Box::new(x), Box::new(y));
    let first = Statement::If { condition: less(a(), 0), yes: set(add(a(), b())), no: vec![], joins: vec![] };
    let (yes, no) = (set(Expr::Number(2)), set(Expr::Number(3)));
    let second = Statement::If { condition: less(b(), 1), yes, no, joins: vec![] };
    let step = Procedure {
        name: "step".into(),
        params: 2,
        slots: vec!["a".into(), "b".into()],
        body: vec![first, second],
        result: add(a(), b()),
    };
    Program { procedures: vec![step], arrays: 0 }
}

#[test]
fn the_papers_example_has_six_questions_in_every_technique() {
    let measured = measure(&step(), &z3(), queries(100)).unwrap();
    let counts = |run: &Run| (run.answered, run.sat, run.issued, run.paths, run.is_whole);
    for run in &measured.runs {
        assert_eq!(counts(run), (6, 6, 6, 4, true));
    }
}

#[test]
fn programs_have_the_lines_of_their_size_and_are_the_same_for_a_seed() {
    for (name, size) in SIZES {
        for seed in 1..=3 {
            let program = generate(seed, size);
            let lines = program.lines();
            assert!((size.lines..size.lines + size.lines / 20).contains(&lines), "{name}: {lines}");
            assert_eq!(program.text(), generate(seed, size).text());
            language::read(name, &program.text()).unwrap_or_else(|e| panic!("{e}"));
        }
    }
    assert_ne!(generate(1, SMALL).text(), generate(2, SMALL).text());
    let text = generate(1, SIZES[0].1).text();
    for production in ["while (", "} else {", "g0[", " = m", " && ", " || ", " * "] {
        assert!(text.contains(production), "{production}");
    }
}

#[test]
fn names_are_assigned_once_in_single_assignment_form() {
    let program = generate(1, SIZES[0].1);
    assert!(!ssa::assigned_twice(&program).is_empty());
    assert_eq!(ssa::assigned_twice(&ssa::single_assignment(&program)), Vec::<String>::new());
}

fn branches(linear: &Linear) -> usize {
    linear.body.iter().filter(|i| matches!(i, Instruction::Branch { .. })).count()
}

#[test]
fn both_forms_have_the_same_branches_and_more_rounds_have_more() {
    let program = generate(3, SIZES[0].1);
    let single = ssa::single_assignment(&program);
    let of = |bound: usize| {
        let mutable = linearize(&program, Form::Mutable, bound).unwrap();
        let named = linearize(&single, Form::Single, bound).unwrap();
        assert_eq!(branches(&mutable), branches(&named));
        branches(&named)
    };
    let (few, more) = (of(3), of(10));
    assert!(few < more, "{few} {more}");
    let trouble = linearize(&program, Form::Mutable, 1).err();
    assert_eq!(trouble.as_deref(), Some("a loop needs more than 1 rounds"));
}

#[test]
fn common_sub_expressions_do_not_change_verdicts() {
    let program = generate(2, SMALL);
    let plain = linearize(&ssa::single_assignment(&program), Form::Single, ROUNDS).unwrap();
    let explored = |linear: &Linear| {
        let mut decider = decider(Technique::StackOpt, &z3(), Fresh::Assertions, linear.inputs).unwrap();
        explore(&Code::of(linear, Form::Single), decider.as_mut(), queries(200)).unwrap().1
    };
    let before = explored(&plain);
    let instructions = plain.body.len();
    let (shared, eliminated) = cse::eliminate(plain);
    assert_eq!(explored(&shared), before);
    assert!(eliminated.common > 0 && shared.body.len() < instructions, "{eliminated:?}");
}

/// Verdicts are compared and models are run in [`measure`].
#[test]
fn every_technique_answers_the_same_questions() {
    let measured = measure(&generate(1, SMALL), &z3(), queries(300)).unwrap();
    let counts: Vec<[u64; 4]> =
        measured.runs.iter().map(|run| [run.answered, run.sat, run.paths, run.issued]).collect();
    assert_eq!(counts[0], [300, 186, 32, 300]);
    for technique in &counts {
        assert_eq!(technique[..3], counts[0][..3]);
    }
    let issued: Vec<u64> = counts.iter().map(|technique| technique[3]).collect();
    assert_eq!(issued, [300, 93, 93, 300, 300]);
}

#[test]
fn every_kind_of_context_gives_the_same_verdicts() {
    let program = generate(1, SMALL);
    let verdicts = |fresh| run(&program, Technique::Baseline, &z3(), fresh, queries(20)).unwrap().1;
    let first = verdicts(Fresh::Assertions);
    assert_eq!(first.len(), 20);
    assert_eq!(verdicts(Fresh::Reset), first);
    assert_eq!(verdicts(Fresh::Process), first);
}

#[test]
fn questions_of_c_programs_are_recorded_in_the_order_of_exploration() {
    let folder = tools::repository().join("subjects/c");
    let words = ["wc/v2/wc.c", "--sym-args", "0", "1", "3", "--sym-stdin", "4"].map(String::from);
    let utility = Utility::of_words("wc", &folder, &words).unwrap();
    let record = || utility.record(&tools::find("z3").display().to_string(), 40, Duration::from_secs(60));
    let log = record().unwrap();
    assert_eq!(log.queries, 40);
    assert_eq!(log.text, record().unwrap().text);
    assert!(log.text.contains("(_ BitVec 8)") && !log.text.contains("Int"));
    let trace = Stream::of_text(&log.text).load(&mut Terms::new()).unwrap();
    assert_eq!(trace.lines.len(), 40);
    let unknown = Utility::of_words("wc", &folder, &["--nothing".to_string()]);
    assert_eq!(unknown.unwrap_err(), "wc: \"--nothing\" is not known here");
}
