//! Theories of one solver: what is read without being interpreted is reused under other names, and what only
//! looks like it is not. Near misses differ in one detail; the bare solver says which verdict is right.

use crate::common::{memory, options, verdicts};
use evergreen::smtlib::{Command as Read, Context, print_term};
use evergreen::solver::Command;
use evergreen::store::Store;
use evergreen::{CanonMode, Canonizer, ScriptRun, TermId, Terms, run_script};
use evergreen_canon::split;
use evergreen_testing::tools;
use std::sync::Arc;

/// Declarations, and assertions of which no two say the same. A name begins with `$`, so that it can be
/// changed.
struct Group {
    solver: &'static str,
    /// Whether the installed solver has the theory.
    is_solved: bool,
    declarations: &'static str,
    variants: &'static [&'static str],
}

const fn cvc5(declarations: &'static str, variants: &'static [&'static str]) -> Group {
    Group { solver: "cvc5", is_solved: true, declarations, variants }
}

const fn z3(declarations: &'static str, variants: &'static [&'static str]) -> Group {
    Group { solver: "z3", is_solved: true, declarations, variants }
}

const GROUPS: &[Group] = &[
    cvc5(
        "(set-logic ALL)(declare-const $a (Set Int))(declare-const $b (Set Int))(declare-const $x Int)",
        &[
            "(assert (set.subset $a $b))(assert (set.member $x $a))(assert (not (set.member $x $b)))",
            "(assert (set.subset $b $a))(assert (set.member $x $a))(assert (not (set.member $x $b)))",
            "(assert (set.subset $a $b))(assert (set.member $x $b))(assert (not (set.member $x $b)))",
            "(assert (= $a (set.minus $b (set.singleton $x))))(assert (set.member $x $a))",
            "(assert (= $a (set.minus $a (set.singleton $x))))(assert (set.member $x $b))",
            "(assert (= $a (set.union $b (set.singleton $x))))(assert (not (set.member $x $a)))",
            "(assert (= $a (set.inter $b (set.singleton $x))))(assert (not (set.member $x $a)))",
            "(assert (= $a (as set.empty (Set Int))))(assert (set.member $x $a))",
            "(assert (= (set.card $a) 2))(assert (set.subset $a $b))(assert (= (set.card $b) 1))",
            "(assert (= (set.card $a) 1))(assert (set.subset $a $b))(assert (= (set.card $b) 2))",
        ],
    ),
    cvc5(
        "(set-logic ALL)(declare-const $a (Bag Int))(declare-const $b (Bag Int))\
         (assert (= (bag.count 1 $a) 1))(assert (= (bag.count 1 $b) 2))",
        &[
            "(assert (= (bag.count 1 (bag.union_max $a $b)) 3))",
            "(assert (= (bag.count 1 (bag.union_disjoint $a $b)) 3))",
            "(assert (= (bag.count 1 (bag.difference_subtract $a $b)) 1))",
            "(assert (= (bag.count 1 (bag.difference_subtract $b $a)) 1))",
            "(assert (= (bag.count 1 (bag.difference_remove $b $a)) 1))",
        ],
    ),
    cvc5(
        "(set-logic ALL)(declare-const $r (Relation Int Int))(declare-const $s (Relation Int Int))\
         (assert (set.member (tuple 1 2) $r))(assert (set.member (tuple 2 3) $s))",
        &[
            "(assert (not (set.member (tuple 1 3) (rel.join $r $s))))",
            "(assert (not (set.member (tuple 1 3) (rel.join $s $r))))",
            "(assert (not (set.member (tuple 3 1) (rel.join $r $s))))",
            "(assert (not (set.member (tuple 2 1) (rel.transpose $r))))",
            "(assert (not (set.member (tuple 2 1) (rel.tclosure $r))))",
            "(assert (= ((_ tuple.select 0) (tuple 4 5)) 5))",
            "(assert (= ((_ tuple.select 1) (tuple 4 5)) 5))",
        ],
    ),
    cvc5(
        "(set-logic HO_ALL)(declare-fun $f (Int) Int)(declare-const $g (-> Int Int))\
         (declare-const $h (-> Int Int Int))",
        &[
            "(assert (= $f $g))(assert (distinct ($f 1) ($g 1)))",
            "(assert (= $f $g))(assert (distinct ($f 1) ($g 2)))",
            "(assert (= $h (lambda (($x Int) ($y Int)) (- $x $y))))(assert (distinct ($h 5 3) 2))",
            "(assert (= $h (lambda (($x Int) ($y Int)) (- $y $x))))(assert (distinct ($h 5 3) 2))",
            "(assert (= ($h 5) $g))(assert (distinct ($g 3) ($h 5 3)))",
            "(assert (= ($h 3) $g))(assert (distinct ($g 3) ($h 5 3)))",
        ],
    ),
    cvc5(
        "(set-logic QF_ALL)(declare-heap (Int Int))(declare-const $x Int)(declare-const $y Int)",
        &[
            "(assert (sep (pto $x 1) (pto $y 2)))(assert (= $x $y))",
            "(assert (pto $x $y))(assert (= $x $y))",
            "(assert (and (pto $x 1) (pto $x 2)))",
            "(assert (and (pto $x 1) (pto $y 1)))",
            "(assert (and sep.emp (pto $x 1)))",
        ],
    ),
    cvc5(
        "(set-logic ALL)(declare-const $x Int)(declare-const $y Int)(declare-const $z Real)",
        &[
            "(assert (= (int.pow2 $x) 8))(assert (distinct $x 3))",
            "(assert (= (int.pow2 $x) 4))(assert (distinct $x 3))",
            "(assert (= ((_ iand 2) $x 7) 7))",
            "(assert (= ((_ iand 4) $x 7) 7))",
            "(assert (> (sin $z) 2.0))",
            "(assert (> (exp $z) 2.0))(assert (< $z 0.0))",
        ],
    ),
    Group {
        solver: "cvc5",
        is_solved: false,
        declarations: "(define-sort F7 () (_ FiniteField 7))(define-sort F5 () (_ FiniteField 5))\
                       (declare-const $a F7)(declare-const $b F7)(declare-const $c F5)(declare-const $d F5)",
        variants: &[
            "(assert (= (ff.mul $a $a) (as ff3 F7)))",
            "(assert (= (ff.mul $c $c) (as ff3 F5)))",
            "(assert (= (ff.mul $a $a) (as ff2 F7)))",
            "(assert (= (ff.mul $a $b) (as ff3 F7)))",
            "(assert (= (ff.add $a $a) (as ff3 F7)))",
            "(assert (= (ff.mul $a $a) #f3m7))",
            "(assert (= (ff.neg $a) $b))",
            "(assert (= $a $b))",
            "(assert (= $c $d))",
        ],
    },
    z3(
        "(declare-const $l (List Int))(declare-const $m (List Real))",
        &[
            "(assert (= (head $l) 3))(assert (not (= $l (insert 3 (tail $l)))))\
             (assert (not (= $l (as nil (List Int)))))",
            "(assert (= (head $l) 3))(assert (not (= $l (insert 4 (tail $l)))))\
             (assert (not (= $l (as nil (List Int)))))",
            "(assert (= $l (insert 0 (as nil (List Int)))))(assert (not (= (tail $l) (as nil (List Int)))))",
            "(assert (= (tail $l) (as nil (List Int))))(assert (not (= $l (insert 0 (as nil (List Int))))))",
            "(assert (and (< (head $l) 1) (< 0 (head $l))))",
            "(assert (and (< (head $m) 1) (< 0 (head $m))))",
        ],
    ),
    z3(
        "(declare-const $a (Array Int Int))(declare-const $b (Array Int Bool))\
         (declare-const $c (Array Int Bool))",
        &[
            "(assert (= $a (lambda (($x Int)) (+ $x 1))))(assert (distinct (select $a 4) 5))",
            "(assert (= $a (lambda (($x Int)) (- $x 1))))(assert (distinct (select $a 4) 5))",
            "(assert (= $b (lambda (($x Int)) (forall (($y Int)) (<= (* $y $y) $x)))))(assert (select $b 3))",
            "(assert (select ((_ map and) $b $c) 3))(assert (not (select $b 3)))",
            "(assert (select ((_ map or) $b $c) 3))(assert (not (select $b 3)))",
            "(assert (subset $b $c))(assert (select $b 3))(assert (not (select $c 3)))",
            "(assert (subset $c $b))(assert (select $b 3))(assert (not (select $c 3)))",
        ],
    ),
    z3(
        "(declare-const $s (Seq Int))(declare-const $p Bool)(declare-const $q Bool)(declare-const $r Bool)",
        &[
            "(assert (= (seq.at $s 0) (seq.unit 4)))(assert (= (seq.nth $s 0) 5))",
            "(assert (= (seq.at $s 1) (seq.unit 4)))(assert (= (seq.nth $s 0) 5))",
            "(assert ((_ at-most 1) $p $q $r))(assert (and $p $q))",
            "(assert ((_ at-most 2) $p $q $r))(assert (and $p $q))",
            "(assert ((_ at-least 2) $p $q $r))(assert (not $q))(assert (not $p))",
            "(assert ((_ pble 4 3 2 1) $p $q $r))(assert (and $p $q))",
            "(assert ((_ pble 5 3 2 1) $p $q $r))(assert (and $p $q))",
            "(assert (= ((_ to_fp 11 53) RNE 1.5 1) ((_ to_fp 11 53) RNE 3.5)))",
            "(assert (= ((_ to_fp 11 53) RNE 1.5 1) ((_ to_fp 11 53) RNE 3.0)))",
        ],
    ),
    z3(
        "\
         (declare-datatypes ((Tree 1)) ((par (T) ((leaf) (node (left (Tree T)) (value T) \
         (right (Tree T)))))))\
         (declare-const $t (Tree Int))(declare-const $u (Tree Real))",
        &[
            "(assert (< 0 (match $t ((leaf 0) ((node $x $y $z) $y)) ) 1))",
            "(assert (< 0.0 (match $u ((leaf 0.0) ((node $x $y $z) $y)) ) 1.0))",
            "(assert (= 0 (match $t (((node $x $y $z) 1) (leaf 0)))))\
             (assert (distinct $t (as leaf (Tree Int))))",
            "(assert (= 0 (match $t (((node $x $y $z) 0) (leaf 1)))))\
             (assert (distinct $t (as leaf (Tree Int))))",
        ],
    ),
    z3(
        "(declare-const $x Int)(declare-const $y Real)",
        &[
            "(define-funs-rec (($e (($n Int)) Bool) ($o (($n Int)) Bool)) ((ite (= $n 0) true \
             ($o (- $n 1))) \
             (ite (= $n 0) false ($e (- $n 1)))))(assert ($e 5))",
            "(define-funs-rec (($e (($n Int)) Bool) ($o (($n Int)) Bool)) ((ite (= $n 0) true \
             ($o (- $n 1))) \
             (ite (= $n 0) true ($e (- $n 1)))))(assert ($e 5))",
            "(assert (= (^ $x 2) -1))",
            "(assert (= (^ $x 3) -1))",
        ],
    ),
];

fn script(group: &Group, variant: &str, prefix: &str) -> String {
    format!("{}\n{variant}\n(check-sat)\n", group.declarations).replace('$', prefix)
}

fn run(solver: &str, script: &str, store: &Arc<dyn Store>) -> ScriptRun {
    let mut options = options(Some(store.clone()), CanonMode::Full, true);
    options.solver = Command::new(tools::find(solver));
    run_script(script.as_bytes(), options)
}

fn bare(solver: &str, script: &str) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("script.smt2");
    std::fs::write(&file, script).expect("a script");
    let output = std::process::Command::new(tools::find(solver)).arg(&file).output().expect("it runs");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The assertions of a script that must be understood as a whole.
fn read(solver: &str, script: &str) -> (Terms, Vec<TermId>) {
    let mut terms = Terms::new();
    let mut context = Context::new(&mut terms);
    match solver {
        "z3" => context.read_as_z3(&mut terms),
        _ => context.read_as_cvc5(),
    }
    let located = context.read_script(&mut terms, script.as_bytes()).expect("s-expressions");
    let mut asserted = Vec::new();
    for item in located {
        let text = &script[item.span.clone()];
        assert!(item.complaint.is_none(), "{text}: {:?}", item.complaint);
        match item.command {
            Read::Assert { term, .. } => asserted.push(term),
            Read::Opaque => panic!("{text}"),
            _ => {}
        }
    }
    (terms, asserted)
}

fn key(solver: &str, script: &str) -> [u8; 32] {
    let (mut terms, asserted) = read(solver, script);
    let pieces: Vec<TermId> = asserted.iter().flat_map(|&c| split(&mut terms, c)).collect();
    Canonizer::new(CanonMode::Full).canonize(&terms, &pieces).key
}

/// Other names, the same key; another meaning, another key.
#[test]
fn near_misses_have_keys_of_their_own() {
    for group in GROUPS {
        let mut known: Vec<([u8; 32], &str)> = Vec::new();
        for &variant in group.variants {
            let found = key(group.solver, &script(group, variant, "a_"));
            assert_eq!(found, key(group.solver, &script(group, variant, "zz_")), "{variant}");
            for (other, twin) in &known {
                assert_ne!(found, *other, "one key:\n{variant}\n{twin}");
            }
            known.push((found, variant));
        }
    }
}

/// The bare solver, then cold, warm and under other names, with one store for all variants.
#[test]
fn near_misses_have_verdicts_of_their_own() {
    for group in GROUPS.iter().filter(|group| group.is_solved) {
        let store = memory();
        let mut seen: Vec<String> = Vec::new();
        for &variant in group.variants {
            let (plain, renamed) = (script(group, variant, "a_"), script(group, variant, "zz_"));
            let printed = bare(group.solver, &plain);
            let expected = verdicts(&printed);
            assert_eq!(expected.len(), 1, "{}: {variant}", group.solver);
            assert_ne!(expected, ["unknown"], "{}: {variant}", group.solver);
            for (name, text) in [("cold", &plain), ("warm", &plain), ("renamed", &renamed)] {
                let run = run(group.solver, text, &store);
                assert_eq!(verdicts(&run.output), expected, "{name}: {variant}\n{}", run.output);
                // Recursive definitions that may be inconsistent are known by their text only.
                let is_verbatim = name == "renamed" && variant.contains("define-funs-rec");
                if name != "cold" && !is_verbatim {
                    assert_eq!(run.stats.solver_starts, 0, "{name}: {variant}");
                }
            }
            seen.extend(expected.into_iter().map(|verdict| verdict.to_string()));
        }
        let both = ["sat", "unsat"].iter().all(|v| seen.iter().any(|s| s == v));
        assert!(both, "a group of one verdict would notice nothing: {}", group.declarations);
    }
}

/// What is printed is what was read.
#[test]
fn terms_are_printed_as_they_were_read() {
    for group in GROUPS {
        for &variant in group.variants {
            if variant.contains("define-funs-rec") {
                continue;
            }
            let text = script(group, variant, "a_");
            let (terms, asserted) = read(group.solver, &text);
            let mut again = format!("{}\n", group.declarations.replace('$', "a_"));
            // The group's own assertions are among those that are printed.
            again.truncate(again.find("(assert").unwrap_or(again.len()));
            asserted.iter().for_each(|&t| again.push_str(&format!("(assert {})\n", print_term(&terms, t))));
            assert_eq!(key(group.solver, &text), key(group.solver, &again), "{text}\n{again}");
        }
    }
}

/// One text, two solvers, two meanings.
#[test]
fn a_theory_belongs_to_its_solver() {
    for text in ["(assert (> (sin $x) 0.5))", "(assert (= (^ $x 2.0) 0.5))"] {
        let text = format!("(declare-const $x Real){text}").replace('$', "a_");
        assert_ne!(key("z3", &text), key("cvc5", &text), "{text}");
    }
}

/// A script's own names are its own, and a declaration that was not understood leaves nothing to guess.
#[test]
fn names_of_theories_can_be_declared() {
    let own = "(declare-fun set.union (Int Int) Int)(declare-const x Int)(assert (= (set.union x x) 1))";
    let other = "(declare-fun f (Int Int) Int)(declare-const x Int)(assert (= (f x x) 1))";
    assert_eq!(key("cvc5", own), key("cvc5", other));
    let mut terms = Terms::new();
    let mut context = Context::new(&mut terms);
    context.read_as_cvc5();
    let text = b"(define-sort Set (X) (Unheard X))(declare-const a (Set Int))(assert (= a a))";
    let read = context.read_script(&mut terms, text).expect("s-expressions");
    assert!(read.iter().all(|item| item.complaint.is_some()), "{read:?}");
}
