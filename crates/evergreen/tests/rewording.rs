//! A verification condition in other words is the same question: comments, names, the order of declarations
//! and axioms, and everything that only steers a solver make no difference.

use evergreen::solver::{Command, Limits};
use evergreen::store::{OpenOptions, Store, open};
use evergreen::{EngineOptions, Reuse, ScriptRun, SessionOptions, run_script};
use evergreen_testing::tools;
use std::sync::Arc;

const SCRIPT: &str = r#"
(set-option :auto_config false)
(set-option :smt.mbqi false)
(declare-sort Ref 0)
(declare-sort Field 0)
(declare-datatypes ((Box 0)) (((boxInt (unboxInt Int)) (boxRef (unboxRef Ref)))))
(declare-fun read ((Array Ref (Array Field Box)) Ref Field) Box)
(declare-fun length (Ref) Int)
(declare-const null Ref)
(declare-const alloc Field)
(assert (forall ((h (Array Ref (Array Field Box))) (r Ref) (f Field))
  (! (= (read h r f) (select (select h r) f)) :pattern ((read h r f)) :qid read)))
(assert (forall ((r Ref)) (! (=> (distinct r null) (>= (length r) 0)) :pattern ((length r)) :qid length)))
(push 1)
(declare-const heap (Array Ref (Array Field Box)))
(declare-const a Ref)
(declare-const i Int)
(assert (distinct a null))
(assert (and (<= (length a) i) (< i 0)))
(check-sat)
(pop 1)
(push 1)
(declare-const heap (Array Ref (Array Field Box)))
(declare-const b Ref)
(assert (= (read heap b alloc) (boxInt 3)))
(assert (not (= (unboxInt (select (select heap b) alloc)) 3)))
(check-sat)
(pop 1)
"#;

fn run(store: &Arc<dyn Store>, text: &str) -> ScriptRun {
    let options = SessionOptions {
        solver: Command::new(tools::find("z3")),
        limits: Limits { time_ms: Some(20_000), memory_mb: None },
        // Keys alone: what is asked in other words has the same one.
        engine: EngineOptions { reuse: Reuse::Exact, ..EngineOptions::default() },
        store: Some(store.clone()),
        file: "vc.smt2".into(),
    };
    run_script(text.as_bytes(), options)
}

/// Moves the first line that starts with `line` before the first that starts with `before`.
fn moved(text: &str, line: &str, before: &str) -> String {
    let moving = text.lines().find(|l| l.starts_with(line)).expect("the line is there");
    let rest: Vec<&str> = text.lines().filter(|l| *l != moving).collect();
    let at = rest.iter().position(|l| l.starts_with(before)).expect("the place is there");
    [&rest[..at], &[moving], &rest[at..]].concat().join("\n")
}

#[test]
fn other_words_are_answered_without_a_solver() {
    let store = open("memory:", &OpenOptions::default()).unwrap();
    let cold = run(&store, SCRIPT);
    assert_eq!(cold.output, "unsat\nunsat\n");
    assert_eq!(cold.stats.solver_starts, 1);
    let rewordings = [
        ("a comment", format!("; edited today\n{SCRIPT}")),
        (
            "a parameter renamed",
            SCRIPT.replace(" i Int", " in@0 Int").replace(" i)", " in@0)").replace(" i 0", " in@0 0"),
        ),
        ("functions renamed", SCRIPT.replace("length", "$Length").replace("read", "|read it|")),
        ("a sort renamed", SCRIPT.replace("Field", "Attribute")),
        (
            "bound variables renamed",
            SCRIPT.replace("(r Ref)", "(ref Ref)").replace(" r)", " ref)").replace(" r ", " ref "),
        ),
        (
            "declarations reordered",
            moved(
                &moved(SCRIPT, "(declare-const alloc", "(declare-fun read"),
                "(declare-fun length",
                "(declare-datatypes",
            ),
        ),
        ("axioms reordered", moved(SCRIPT, "(assert (forall ((r Ref)) (! (=>", "(assert (forall ((h")),
        ("names of quantifiers changed", SCRIPT.replace(":qid read", ":qid other :skolemid |7|")),
        (
            "options changed",
            SCRIPT.replace("(set-option :auto_config false)", "(set-option :smt.random_seed 7)"),
        ),
        (
            "comparisons turned round",
            SCRIPT.replace("(< i 0)", "(> 0 i)").replace("(<= (length a) i)", "(not (< i (length a)))"),
        ),
    ];
    for (what, text) in rewordings {
        assert_ne!(text, SCRIPT, "{what}: nothing was changed");
        let warm = run(&store, &text);
        assert_eq!(warm.output, "unsat\nunsat\n", "{what}");
        assert_eq!(warm.stats.solver_starts, 0, "{what}: a solver was started");
    }
}

/// A change of meaning is another question, however small.
#[test]
fn other_meanings_are_solved() {
    let store = open("memory:", &OpenOptions::default()).unwrap();
    run(&store, SCRIPT);
    let changes = [
        ("another number", SCRIPT.replace("(< i 0)", "(< i 1)")),
        ("another function", SCRIPT.replace("(boxInt 3)", "(boxRef null)")),
        (
            "an axiom less",
            SCRIPT.replace("(assert (forall ((r Ref))", "(define-fun unused () Bool (forall ((r Ref))"),
        ),
    ];
    for (what, text) in changes {
        assert_ne!(text, SCRIPT, "{what}: nothing was changed");
        assert!(run(&store, &text).stats.solver_starts > 0, "{what}: taken for the same question");
    }
}
