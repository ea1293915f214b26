//! The library without its default features: terms, a store in memory and the native cores.
//!
//! Empty in a build with processes. `crates/testing/tests/features.rs` runs it as a user of the small library
//! builds it.
#![cfg(not(feature = "processes"))]

use evergreen::solver::{Outcome, Problem, Solver, SolverError, Verdict as Said};
use evergreen::{
    AnsweredBy, Budget, Count, Domain, Error, Evergreen, Fun, Question, SortId, TermId, Verdict,
};
use std::time::Duration;

/// `name < limit`
fn below(e: &mut Evergreen, name: &str, limit: i64) -> TermId {
    let (x, limit) = (e.constant(name, SortId::INT), e.terms().int(limit));
    e.app(Fun::Lt, &[x, limit]).unwrap()
}

/// `x * y = 6`, which no native core reads.
fn product(e: &mut Evergreen) -> TermId {
    let (x, y, six) = (e.constant("x", SortId::INT), e.constant("y", SortId::INT), e.terms().int(6));
    let product = e.app(Fun::Mul, &[x, y]).unwrap();
    e.app(Fun::Eq, &[product, six]).unwrap()
}

#[test]
fn linear_constraints_are_decided_and_counted() {
    let mut e = Evergreen::builder().build().expect("a store in memory needs nothing");
    let (low, high) = (below(&mut e, "x", 5), below(&mut e, "y", 9));
    let answer = e.check(&[low, high], Question::Model).unwrap();
    assert_eq!(answer.verdict, Verdict::Sat);
    assert_eq!(answer.model.expect("asked for").len(), 2);
    let not_low = e.app(Fun::Not, &[low]).unwrap();
    assert_eq!(e.check(&[low, not_low], Question::Sat).unwrap().verdict, Verdict::Unsat);
    let x = e.constant("x", SortId::INT);
    let counted = e.count(&[low], &[(x, Domain::new(0, 99))], Budget::default()).unwrap();
    assert_eq!(counted.count, Count::Exact(5u32.into()));
    assert_eq!(e.solver_starts(), 0);
}

#[test]
fn what_no_native_core_decides_is_unknown_with_the_reason() {
    let mut e = Evergreen::builder().build().unwrap();
    let product = product(&mut e);
    for round in 0..2 {
        // An unknown is not recorded, so the second round asks again.
        let answer = e.check(&[product], Question::Model).unwrap();
        let Verdict::Unknown(why) = answer.verdict else { panic!("{:?}", answer.verdict) };
        assert!(why.contains("needs products of integers"), "{why}");
        assert!(why.contains("starts no solver") && why.contains("\"processes\""), "{why}");
        assert_eq!((e.stats().answered.by(AnsweredBy::Unknown), e.stats().solved), (round + 1, 0));
    }
    let settled = e.settle(&[product], &|_, _| None);
    assert!(settled.is_none());
}

/// Knows one answer.
struct Six;

impl Solver for Six {
    fn describe(&self) -> String {
        "six".to_string()
    }
    fn check(&mut self, problem: &Problem) -> Result<Outcome, SolverError> {
        let values = problem.values.iter().map(|name| if name == "x" { "2" } else { "3" }.to_string());
        Ok(Outcome {
            verdict: Said::Sat,
            values: Some(values.collect()),
            core: None,
            elapsed: Duration::ZERO,
        })
    }
    fn starts(&self) -> u64 {
        0
    }
}

#[test]
fn a_solver_of_the_callers_own_is_asked_once() {
    let mut e = Evergreen::builder().with_solver(Box::new(Six)).build().unwrap();
    let product = product(&mut e);
    for _ in 0..2 {
        assert_eq!(e.check(&[product], Question::Model).unwrap().verdict, Verdict::Sat);
    }
    assert_eq!(e.stats().solved, 1);
}

/// The message of a store that must not open.
fn refused(spec: &str) -> String {
    match Evergreen::builder().store(spec).build() {
        Err(Error::Store(error)) => error.to_string(),
        Err(other) => panic!("{spec}: {other}"),
        Ok(_) => panic!("{spec} opened"),
    }
}

#[test]
fn stores_that_are_left_out_name_their_feature() {
    #[cfg(not(feature = "disk"))]
    assert_eq!(
        refused("/no/such/folder"),
        "/no/such/folder: this build has no stores on disk\nhelp: enable the feature \"disk\""
    );
    #[cfg(not(feature = "redis"))]
    assert_eq!(
        refused("redis://:secret@host"),
        "redis://: this build has no Redis client\nhelp: enable the feature \"redis\""
    );
    #[cfg(all(feature = "redis", not(feature = "tls")))]
    assert_eq!(
        refused("rediss://:secret@host"),
        "rediss://host: this build has no TLS\nhelp: enable the feature \"tls\""
    );
    assert!(refused("ftp://host").contains("no such kind of address"));
}
