//! Models of arrays, functions, datatypes and declared sorts, as each solver writes them: they are read,
//! kept, and answer a warm run without the solver. What is given out is checked against bare z3.

use crate::common::{bare, memory, verdicts};
use evergreen::solver::{Command, Limits};
use evergreen::store::Store;
use evergreen::{EngineOptions, ScriptRun, SessionOptions, run_script};
use std::sync::Arc;

fn run(solver: &str, script: &str, store: &Arc<dyn Store>) -> ScriptRun {
    let options = SessionOptions {
        solver: Command::new(evergreen_testing::tools::find(solver)),
        limits: Limits { time_ms: Some(60_000), memory_mb: None },
        engine: EngineOptions { native: false, ..EngineOptions::default() },
        store: Some(store.clone()),
        file: "test".into(),
    };
    run_script(script.as_bytes(), options)
}

/// Solves a script, asks for the values of terms, cold and warm, and has z3 confirm what was said.
fn check(solver: &str, script: &str, asked: &[&str]) {
    let store = memory();
    let questions: String = asked.iter().map(|term| format!("(get-value ({term}))\n")).collect();
    let text = format!("(set-option :produce-models true)\n{script}(check-sat)\n{questions}");
    for pass in ["cold", "warm"] {
        let said = run(solver, &text, &store);
        assert_eq!(verdicts(&said.output), ["sat"], "{solver}, {pass}: {}", said.output);
        let values: Vec<String> = said.output.lines().skip(1).map(str::to_string).collect();
        assert_eq!(values.len(), asked.len(), "{solver}, {pass}: {}", said.output);
        let mut confirmed = script.replace("(set-logic", "(set-info :logic");
        for (term, line) in asked.iter().zip(&values) {
            let value = value_of(line, term).unwrap_or_else(|| panic!("{solver}, {pass}: {line}"));
            confirmed.push_str(&format!("(assert (= {term} {value}))\n"));
        }
        confirmed.push_str("(check-sat)\n");
        assert_eq!(verdicts(&bare(&confirmed)), ["sat"], "{solver}, {pass}: {}\n{confirmed}", said.output);
        let starts = said.stats.solver_starts;
        assert_eq!(starts > 0, pass == "cold", "{solver}, {pass}: {starts} starts\n{}", said.output);
    }
}

/// The value in `((term value))`; solvers may write the term in another way.
fn value_of<'l>(line: &'l str, term: &str) -> Option<&'l str> {
    let inside = line.trim().strip_prefix("((")?.strip_suffix("))")?;
    if let Some(value) = inside.strip_prefix(term) {
        return Some(value.trim());
    }
    // Values are scalars here: the last word, or the last list.
    match inside.strip_suffix(')') {
        None => inside.rsplit(' ').next(),
        Some(_) => inside.rfind('(').map(|at| &inside[at..]),
    }
}

const ARRAYS: &str = "(set-logic QF_ABV)\n(declare-fun a () (Array (_ BitVec 4) (_ BitVec 8)))\n\
    (declare-fun b () (Array (_ BitVec 4) (_ BitVec 8)))\n(declare-fun i () (_ BitVec 4))\n\
    (assert (= (select a i) #x05))\n(assert (= b (store a #x1 #x07)))\n\
    (assert (distinct (select b #x2) (select a #x3)))\n";

#[test]
fn arrays() {
    for solver in ["z3", "cvc5", "yices-smt2", "bitwuzla"] {
        check(solver, ARRAYS, &["i", "(select a i)", "(select b #x1)", "(select b #x2)", "(select a #x3)"]);
    }
}

#[test]
fn functions() {
    let script = "(set-logic QF_UFBV)\n(declare-fun f ((_ BitVec 4)) (_ BitVec 8))\n\
        (declare-fun g ((_ BitVec 4) (_ BitVec 8)) Bool)\n(declare-fun i () (_ BitVec 4))\n\
        (assert (distinct (f i) (f #x3)))\n(assert (g i (f i)))\n(assert (not (g #x3 (f #x3))))\n";
    for solver in ["z3", "cvc5", "yices-smt2", "bitwuzla"] {
        check(solver, script, &["i", "(f i)", "(f #x3)", "(g i (f i))", "(g #x3 (f #x3))"]);
    }
}

#[test]
fn arrays_of_arrays() {
    let script = "(set-logic QF_AUFLIA)\n(declare-fun a () (Array Int Int))\n\
        (declare-fun m () (Array Int (Array Int Int)))\n(assert (= (select a 3) 5))\n\
        (assert (= (select (select m 1) 2) 7))\n(assert (> (select (select m 2) 2) (select a 3)))\n";
    for solver in ["z3", "cvc5", "yices-smt2"] {
        check(solver, script, &["(select a 3)", "(select (select m 1) 2)", "(select (select m 2) 2)"]);
    }
}

#[test]
fn functions_of_declared_sorts() {
    let script = "(set-logic QF_UFLIA)\n(declare-sort U 0)\n(declare-fun u () U)\n(declare-fun v () U)\n\
        (declare-fun g (U Int) U)\n(declare-fun h (U) Int)\n(assert (distinct u v (g u 1)))\n\
        (assert (> (h (g u 1)) (h v)))\n";
    for solver in ["z3", "cvc5", "yices-smt2"] {
        check(solver, script, &["(h v)", "(h (g u 1))", "(= u v)", "(= (g u 1) u)"]);
    }
}

#[test]
fn datatypes() {
    let script = "(set-logic ALL)\n(declare-datatypes ((L 0)) (((nil) (cons (hd Int) (tl L)))))\n\
        (declare-fun l () L)\n(declare-fun f (L) Int)\n(assert ((_ is cons) l))\n(assert (> (hd l) 3))\n\
        (assert (= (f (tl l)) (+ 1 (hd l))))\n";
    for solver in ["z3", "cvc5"] {
        check(solver, script, &["(hd l)", "(f (tl l))", "((_ is cons) l)"]);
    }
}
