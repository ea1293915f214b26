//! What an answer depends on is in its key: options that change what a script means, and definitions that are
//! axioms.
//!
//! Both directions: an option that leaves the meaning alone shares answers, one that is not known to does
//! not.

use crate::common::{memory, options, verdicts};
use evergreen::solver::Command;
use evergreen::store::Store;
use evergreen::{CanonMode, Evergreen, Question, Reuse, ScriptRun, Verdict, run_script};
use evergreen_testing::random::Random;
use evergreen_testing::tools;
use std::sync::Arc;

/// Runs a script in front of a solver with arguments.
fn run(line: &str, script: &str, store: &Arc<dyn Store>) -> ScriptRun {
    let mut words = line.split_whitespace();
    let mut options = options(Some(store.clone()), CanonMode::Full, true);
    options.solver = Command::new(tools::find(words.next().expect("a program")));
    options.solver.args = words.map(str::to_string).collect();
    run_script(script.as_bytes(), options)
}

/// What the bare solver prints.
fn bare(line: &str, script: &str) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("script.smt2");
    std::fs::write(&file, script).expect("a script");
    let mut words = line.split_whitespace();
    let mut command = std::process::Command::new(tools::find(words.next().expect("a program")));
    let output = command.args(words).arg(&file).output().expect("it runs");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// NaN or infinite as an integer: SMT-LIB leaves it open, z3's option does not.
const FLOATS: &str = "(declare-const x (_ FloatingPoint 8 24))(declare-const r RoundingMode)\
    (assert (or (fp.isNaN x) (fp.isInfinite x)))(assert (= ((_ fp.to_ubv 8) r x) #x35))(check-sat)\n";

/// A character beyond ASCII.
const STRINGS: &str =
    "(declare-const n Int)(assert (> n 300))(assert (= (str.len (str.from_code n)) 1))(check-sat)\n";

/// Nothing that is decided without a solver.
const BITS: &str = "(set-logic QF_BV)(declare-const x (_ BitVec 16))(declare-const y (_ BitVec 16))\
    (assert (= (bvmul x y) #x7a3f))(assert (bvugt (bvmul x x) (bvadd y #x0003)))(check-sat)\n";

const REALS: &str = "(set-logic QF_LRA)(declare-const x Real)(declare-const y Real)\
    (assert (or (= (+ x y) 0.5) (= (- x y) 0.5)))(assert (or (= x 2.0) (= x 3.0)))(assert (or (= y x) (> y \
    x)))(check-sat)\n";

/// The exact cases: on the command line and in the script, the odd solver first and the plain one first.
#[test]
fn an_answer_under_another_meaning_is_not_an_answer() {
    for (script, flag) in [(FLOATS, "rewriter.hi_fp_unspecified=true"), (STRINGS, "encoding=ascii")] {
        let (name, value) = flag.split_once('=').expect("a flag");
        let set = format!("(set-option :{name} {value})\n{script}");
        assert_eq!(verdicts(&bare("z3", script)), ["sat"], "{script}");
        assert_eq!(verdicts(&bare(&format!("z3 {flag}"), script)), ["unsat"], "{flag}");
        let odd = [(format!("z3 {flag}"), script.to_string()), ("z3".to_string(), set.clone())];
        for (line, odd_script) in &odd {
            for odd_first in [true, false] {
                let store = memory();
                let plain = || verdicts(&run("z3", script, &store).output) == ["sat"];
                let odd = || verdicts(&run(line, odd_script, &store).output) == ["unsat"];
                // The first one asked decides what is in the store for the second.
                let first = if odd_first { odd() } else { plain() };
                let right = first && if odd_first { plain() } else { odd() };
                assert!(right, "{line}, {odd_script}, the odd one first: {odd_first}");
                assert!(plain() && odd(), "warm: {line}");
                // Both are kept, each for itself.
                assert_eq!(run(line, odd_script, &store).stats.solver_starts, 0, "{line}");
            }
        }
    }
}

/// In one session the assertions stay while the option changes: the solver is asked, as it would be without
/// us.
#[test]
fn an_option_in_the_middle_of_a_script() {
    let on = "(set-option :rewriter.hi_fp_unspecified true)\n";
    let off = "(set-option :rewriter.hi-fp-unspecified false)\n";
    let constraints = FLOATS.replace("(check-sat)", "");
    for script in [
        format!("{FLOATS}{on}(check-sat)\n"),
        format!("{on}{FLOATS}{off}(check-sat)\n"),
        format!("{FLOATS}(push)\n{on}(check-sat)\n(pop)\n(check-sat)\n"),
        format!("{on}{FLOATS}(reset)\n{FLOATS}"),
        format!("{on}{FLOATS}(reset-assertions)\n{FLOATS}"),
        format!(
            "{constraints}(check-sat-using (then simplify smt))(check-sat-using (! smt :hi_fp_unspecified \
             true))"
        ),
        format!("{constraints}(check-sat-using (! smt :hi_fp_unspecified true))(check-sat-using smt)"),
    ] {
        let expected = bare("z3", &script);
        let store = memory();
        for round in ["cold", "warm"] {
            let got = run("z3", &script, &store);
            assert_eq!(verdicts(&got.output), verdicts(&expected), "{round}\n{script}\n{}", got.output);
            assert_eq!(verdicts(&run("z3", FLOATS, &store).output), ["sat"], "{round}, after\n{script}");
        }
    }
}

/// A listed option shares answers; an unlisted one keeps its own, and has them the next time.
#[test]
fn both_directions_for_every_solver() {
    for (line, script, listed, unlisted) in [
        ("z3", BITS, "smt.random_seed=7", "solver.slice=false"),
        ("cvc5", BITS, "--seed=7", "--bvand-integer-granularity=2"),
        ("yices-smt2", BITS, "--verbosity=0", "--mcsat-nra-bound-max=5"),
        ("bitwuzla", BITS, "--seed=7", "--interpolants-stats"),
    ] {
        let store = memory();
        let first = run(line, script, &store);
        assert_eq!(verdicts(&first.output), ["sat"], "{line}: {}", first.output);
        let other = run(&format!("{line} {listed}"), script, &store);
        assert_eq!((verdicts(&other.output), other.stats.solver_starts), (vec!["sat"], 0), "{line} {listed}");
        let odd = format!("{line} {unlisted}");
        let (cold, warm) = (run(&odd, script, &store), run(&odd, script, &store));
        assert_eq!(
            (verdicts(&cold.output), cold.stats.solver_starts),
            (vec!["sat"], 1),
            "{odd}: {}",
            cold.output
        );
        assert_eq!((verdicts(&warm.output), warm.stats.solver_starts), (vec!["sat"], 0), "{odd}");
    }
    // The same in a script.
    for (line, script, listed, unlisted) in [
        ("z3", BITS, ":SMT.Random-Seed 7", ":no-such-option true"),
        ("cvc5", REALS, ":seed 7", ":solve-real-as-int true"),
        ("yices-smt2", BITS, ":yices-var-elim true", ":no-such-option true"),
        ("bitwuzla", BITS, ":rewrite-level 1", ":interpolants-stats true"),
    ] {
        let store = memory();
        let expected = run(line, script, &store);
        let other = run(line, &format!("(set-option {listed})\n{script}"), &store);
        assert_eq!((other.output, other.stats.solver_starts), (expected.output, 0), "{line} {listed}");
        let odd = format!("(set-option {unlisted})\n{script}");
        // cvc5 refuses this one with `--incremental`, which is ours: it is asked again without.
        let starts = if unlisted.contains("real-as-int") { 2 } else { 1 };
        assert_eq!(run(line, &odd, &store).stats.solver_starts, starts, "{line} {unlisted}");
    }
}

/// Without its check for cycles cvc5 has lists that contain themselves: verdicts differ, and neither is the
/// other's.
#[test]
fn cyclic_lists() {
    let plain = "(set-logic ALL)(declare-datatypes ((L 0)) (((nil) (cons (hd Int) (tl L)))))(declare-const \
        l L)\
        (assert (= l (cons 1 l)))(check-sat)\n";
    let odd = format!("(set-option :dt-cyclic false)\n{plain}");
    assert_eq!(verdicts(&bare("cvc5", plain)), ["unsat"]);
    assert_eq!(verdicts(&bare("cvc5", &odd)), ["sat"]);
    let store = memory();
    for _ in 0..2 {
        assert_eq!(verdicts(&run("cvc5", &odd, &store).output), ["sat"]);
        assert_eq!(verdicts(&run("cvc5 --no-dt-cyclic", plain, &store).output), ["sat"]);
        assert_eq!(verdicts(&run("cvc5", plain, &store).output), ["unsat"]);
        // cvc5 forgets options at a reset, unlike z3.
        let both = verdicts(&run("cvc5", &format!("{odd}(reset)\n{plain}"), &store).output).join(" ");
        assert_eq!(both, "sat unsat");
    }
}

/// What other rungs would say follows from the standard's meaning: linear arithmetic, evaluation, sets,
/// models, cores.
#[test]
fn no_rung_answers_for_another_meaning() {
    let integers =
        "(declare-const x Int)(declare-const y Int)(assert (= (+ (* 2 x) (* 4 y)) 1))(check-sat)\n";
    let nothing = "(check-sat)\n";
    let odd = "z3 smt.arith.ignore_int=true";
    let store = memory();
    for script in [integers, nothing, "(assert false)(check-sat)"] {
        let (plain, other) = (run("z3", script, &store), run(odd, script, &store));
        assert_eq!(verdicts(&plain.output), verdicts(&bare("z3", script)));
        assert_eq!(verdicts(&other.output), verdicts(&bare(odd, script)));
        assert_eq!(other.stats.solver_starts, 1, "only the solver knows: {script}");
    }
}

/// Values, models and cores after an answer from the store are the solver's own.
#[test]
fn questions_after_an_answer_that_is_kept() {
    let set = "(set-option :produce-unsat-cores true)(set-option :rewriter.hi_fp_unspecified true)";
    let sat = format!(
        "{set}(declare-const x (_ FloatingPoint 8 24))(assert (fp.isNaN x))\
        (assert (= ((_ fp.to_ubv 8) RNE x) #x00))(check-sat)(get-value (((_ fp.to_ubv 8) RNE x)))\n"
    );
    let unsat = format!(
        "{set}(declare-const x (_ FloatingPoint 8 24))(assert (! (fp.isNaN x) :named a))\
        (assert (! (= ((_ fp.to_ubv 8) RNE x) #x35) :named b))(check-sat)(get-unsat-core)\n"
    );
    let store = memory();
    for script in [&sat, &unsat] {
        let (cold, warm) = (run("z3", script, &store), run("z3", script, &store));
        assert_eq!(cold.output, bare("z3", script));
        assert_eq!(warm.output, cold.output);
        assert_eq!((cold.stats.engine.recorded, warm.stats.engine.reused()), (1, 1), "{script}");
        assert_eq!(warm.stats.engine.recorded, 0, "nothing is learned from another meaning");
    }
}

/// The library asks about terms; its solver's flags count just the same.
#[test]
fn the_library_under_another_meaning() {
    let z3 = tools::find("z3").display().to_string();
    let store = memory();
    let verdict = |flags: &str| {
        let builder = Evergreen::builder().with_store(store.clone()).solver(&format!("{z3} {flags}"));
        let mut library = builder.reuse(Reuse::Full).build().expect("z3 is there");
        let terms = library.terms();
        let mut context = evergreen::smtlib::Context::new(terms);
        for command in ["(declare-const x (_ FloatingPoint 8 24))", "(declare-const n Int)"] {
            context.read(terms, command.as_bytes()).expect("a declaration");
        }
        let mut term = |text: &str| context.read_term(terms, text.as_bytes()).expect("a term");
        let (nan, value) = (term("(fp.isNaN x)"), term("(= ((_ fp.to_ubv 8) RNE x) #x35)"));
        let (low, odd) = (term("(> n 5)"), term("(< n 6)"));
        let float = library.check(&[nan, value], Question::Sat).unwrap().verdict;
        library.push_feasible(&[low]).unwrap();
        (float, library.branch(odd, Question::Sat).unwrap().verdict)
    };
    for _ in 0..2 {
        assert_eq!(verdict("rewriter.hi_fp_unspecified=true"), (Verdict::Unsat, Verdict::Unsat));
        assert_eq!(verdict(""), (Verdict::Sat, Verdict::Unsat));
        assert_eq!(verdict("smt.random_seed=3"), (Verdict::Sat, Verdict::Unsat));
    }
}

/// A definition that contradicts itself, and that nothing uses. z3 does not look at it, cvc5 does.
#[test]
fn definitions_that_are_axioms_stay_in_the_query() {
    let script = "(set-logic UFLIA)(define-fun-rec f ((x Int)) Int (+ 1 (f x)))(check-sat)\n";
    let (z3, cvc5) = (bare("z3", script), bare("cvc5", script));
    assert_eq!((verdicts(&z3), verdicts(&cvc5)), (vec!["sat"], vec!["unsat"]));
    for order in [["z3", "cvc5"], ["cvc5", "z3"]] {
        let store = memory();
        for solver in order.into_iter().chain(order) {
            let expected = if solver == "z3" { &z3 } else { &cvc5 };
            assert_eq!(
                verdicts(&run(solver, script, &store).output),
                verdicts(expected),
                "{order:?}, {solver}"
            );
        }
        assert_eq!(run("cvc5", script, &store).stats.solver_starts, 0, "it is kept, too");
        // In scope only: without it nothing is wrong.
        let popped = script.replace("(check-sat)", "(pop)(check-sat)").replace("(define", "(push)(define");
        assert_eq!(verdicts(&run("cvc5", &popped, &store).output), ["sat"]);
    }
}

/// Definitions that are evidently well-founded are definitions: they share answers, and cost nothing when
/// unused.
#[test]
fn well_founded_definitions_share_answers() {
    let list = "(declare-datatypes ((L 0)) (((nil) (cons (hd Int) (tl L)))))\
        (define-fun-rec len ((l L)) Int (ite ((_ is cons) l) (+ 1 (len (tl l))) 0))";
    let sum = "(define-fun-rec sum ((n Int)) Int (ite (<= n 0) 0 (+ n (sum (- n 1)))))";
    for definition in [list, sum] {
        let unused = format!("(set-logic ALL){definition}(declare-const x Int)(assert (> x 3))(check-sat)\n");
        let store = memory();
        assert_eq!(verdicts(&run("z3", &unused, &store).output), ["sat"]);
        let other = run("cvc5", &unused, &store);
        assert_eq!((verdicts(&other.output), other.stats.solver_starts), (vec!["sat"], 0), "{definition}");
    }
    let used = format!(
        "(set-logic ALL){sum}(declare-const r Int)(assert (= r (sum 3)))(assert (not (= r 6)))(check-sat)\n"
    );
    let store = memory();
    assert_eq!(verdicts(&run("z3", &used, &store).output), ["unsat"]);
    let other = run("cvc5", &used, &store);
    assert_eq!((verdicts(&other.output), other.stats.solver_starts), (vec!["unsat"], 0));
}

/// Options set and taken back at random places of scripts that share a store: every verdict is that of the
/// bare solver.
#[test]
fn options_at_random_places() {
    let scripts = std::env::var("EVERGREEN_DIALECTS").ok().and_then(|n| n.parse().ok()).unwrap_or(20);
    let mut random = Random::new(7);
    let store = memory();
    let queries = [
        "(assert (or (fp.isNaN x) (fp.isInfinite x)))(assert (= ((_ fp.to_ubv 8) r x) #x35))",
        "(assert (> n 300))(assert (= (str.len (str.from_code n)) 1))",
        "(assert (= (+ (* 2 n) (* 4 m)) 1))",
        "(assert (= (bvudiv b #x00) #x07))",
    ];
    let options = [
        ":rewriter.hi_fp_unspecified true",
        ":rewriter.hi-fp-unspecified false",
        ":encoding ascii",
        ":encoding unicode",
        ":smt.arith.ignore_int true",
        ":rewriter.hi_div0 false",
        ":smt.random_seed 3",
    ];
    let declared = "(declare-const x (_ FloatingPoint 8 24))(declare-const r RoundingMode)(declare-const n \
        Int)\
        (declare-const m Int)(declare-const b (_ BitVec 8))";
    for number in 0..scripts {
        let (mut script, mut depth) = (String::new(), 0);
        let option = |random: &mut Random| format!("(set-option {})", random.pick(&options));
        if random.below(2) == 0 {
            script.push_str(&option(&mut random));
        }
        script.push_str(declared);
        for _ in 0..random.below(7) + 2 {
            match random.below(10) {
                0 if random.below(2) == 0 => script.push_str(&option(&mut random)),
                1 => {
                    script.push_str("(push)");
                    depth += 1;
                }
                2 if depth > 0 => {
                    script.push_str("(pop)");
                    depth -= 1;
                }
                3 => {
                    script.push_str(&format!("(reset){}{declared}", option(&mut random)));
                    depth = 0;
                }
                4..7 => script.push_str(random.pick(&queries)),
                _ => script.push_str("(check-sat)"),
            }
        }
        script.push_str("(check-sat)\n");
        let (expected, got) = (bare("z3", &script), run("z3", &script, &store));
        assert_eq!(verdicts(&got.output), verdicts(&expected), "script {number}:\n{script}\n{}", got.output);
    }
}
