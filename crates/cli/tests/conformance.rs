//! Every solver as it is: what a client sees through a shim, cold and warm, is what the bare solver prints.
//!
//! Compared are verdicts, the number of errors, `success` lines and exit codes; values may differ, since a
//! query has many models. The scripts are the corpus, and those below, each of which once lost an answer.

use crate::common::{Folder, evergreen, find, isolated, run, stderr, stdout};
use std::path::Path;
use std::process::{Command, Output};

const SOLVERS: [&str; 4] = ["z3", "cvc5", "yices-smt2", "bitwuzla"];

/// What is compared of an output.
#[derive(PartialEq, Eq, Debug)]
struct Seen {
    verdicts: Vec<String>,
    errors: usize,
    successes: usize,
    code: Option<i32>,
}

fn seen(output: &Output) -> Seen {
    let text = stdout(output);
    let is_verdict = |line: &&str| matches!(*line, "sat" | "unsat" | "unknown" | "unsupported");
    Seen {
        verdicts: text.lines().filter(is_verdict).map(str::to_string).collect(),
        errors: text.matches("(error").count(),
        successes: text.lines().filter(|line| *line == "success").count(),
        code: output.status.code(),
    }
}

fn bare(folder: &Folder, solver: &str, args: &[&str], file: &Path) -> Output {
    run(isolated(&find(solver), folder).args(args).arg(file), "")
}

fn shim(folder: &Folder, solver: &str) -> Command {
    let mut command = isolated(&folder.path("shims").join(solver), folder);
    let variable = format!("EVERGREEN_{}", solver.to_ascii_uppercase().replace('-', "_"));
    command.env("EVERGREEN_STORE", folder.path("store")).env(variable, find(solver));
    command.env("EVERGREEN_STATS", folder.path("stats"));
    command
}

fn prepared() -> Folder {
    let folder = Folder::new();
    let output = run(evergreen(&folder).args(["shim", "install", &folder.text("shims")]), "");
    assert!(output.status.success(), "{}", stderr(&output));
    folder
}

/// Runs a script bare, cold and warm.
fn compare(folder: &Folder, solver: &str, args: &[&str], name: &str, text: &str) {
    let file = folder.file("script.smt2", text);
    let expected = bare(folder, solver, args, &file);
    for temperature in ["cold", "warm"] {
        let got = run(shim(folder, solver).args(args).arg(&file), "");
        assert_eq!(
            seen(&got),
            seen(&expected),
            "{solver} {args:?}, {temperature}: {name}\nbare:\n{}\nthrough us:\n{}{}",
            stdout(&expected),
            stdout(&got),
            stderr(&got)
        );
    }
}

/// Flags for scripts that check more than once, as clients give them.
fn flags(solver: &str, text: &str) -> &'static [&'static str] {
    let many = text.matches("check-sat").count() > 1 || text.contains("(push") || text.contains("(pop");
    match solver {
        "cvc5" | "yices-smt2" if many => &["--incremental"],
        _ => &[],
    }
}

fn corpus(solver: &str) {
    let folder = prepared();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
    let scripts = evergreen_testing::corpus::on_disk(&root);
    let known = |script: &&evergreen_testing::corpus::Script| match solver {
        "z3" | "cvc5" => script.solvers.contains(&solver),
        // What the others know is in the logic's name.
        "bitwuzla" => ["QF_BV", "QF_ABV", "QF_UFBV"].iter().any(|l| script.text.contains(&format!("{l})"))),
        _ => ["QF_BV", "QF_LIA", "QF_LRA", "QF_UFLIA"].iter().any(|l| script.text.contains(&format!("{l})"))),
    };
    let mut compared = 0;
    for script in scripts.iter().filter(known).filter(|script| !script.has_errors()).step_by(3) {
        compare(&folder, solver, flags(solver, &script.text), &script.name, &script.text);
        compared += 1;
    }
    assert!(compared > 5, "{solver}: only {compared} scripts");
}

#[test]
fn the_corpus_through_z3() {
    corpus("z3");
}

#[test]
fn the_corpus_through_cvc5() {
    corpus("cvc5");
}

#[test]
fn the_corpus_through_yices() {
    corpus("yices-smt2");
}

#[test]
fn the_corpus_through_bitwuzla() {
    corpus("bitwuzla");
}

/// What cvc5 refuses or dies of when flags are added to the client's, or when the script comes by a pipe.
#[test]
fn what_we_add_costs_cvc5_no_answer() {
    let folder = prepared();
    let heap = "(set-logic QF_ALL)(declare-heap (Int Int))(declare-const x Int)(declare-const y Int)\n\
                (assert (sep (pto x 1) (pto y 2)))(assert (= x y))(check-sat)\n";
    compare(&folder, "cvc5", &[], "separation logic", heap);
    let plain = "(set-logic QF_BV)(declare-const x (_ BitVec 8))(declare-const y (_ BitVec 8))\n\
                 (assert (bvult (bvmul x y) #x05))(check-sat)\n";
    compare(&folder, "cvc5", &["--unconstrained-simp"], "unconstrained", plain);
    compare(&folder, "cvc5", &["--bitblast=eager"], "eager", plain);
    let lines = "(set-logic QF_LIA)(set-info :source |one\ntwo|)(declare-const |a\nb| Int)\n\
                 (assert (> (* 3 |a\nb|) 4))(check-sat)\n";
    compare(&folder, "cvc5", &[], "a symbol over two lines", lines);
    let ackermann = "(set-logic QF_UFBV)(declare-fun f ((_ BitVec 4)) (_ BitVec 4))\n\
                     (declare-const x (_ BitVec 4))(assert (distinct (f x) (f (bvadd x #x1))))(check-sat)\n";
    compare(&folder, "cvc5", &["--ackermann"], "ackermann", ackermann);
}

/// Questions that a solver refuses, in each state of a script: the same words, cold and warm, and a warm run
/// starts no solver for them.
#[test]
fn refusals_are_worded_as_the_solver_words_them() {
    let asked = [
        "(get-value (x))",
        "(get-model)",
        "(get-unsat-core)",
        "(get-unsat-assumptions)",
        "(get-info :reason-unknown)",
    ];
    let states = ["", "(assert (bvult x #x00))(check-sat)"];
    for solver in SOLVERS {
        let folder = prepared();
        for option in ["", "(set-option :produce-models true)"] {
            for (state, question) in states.iter().flat_map(|s| asked.iter().map(move |q| (s, q))) {
                let text = format!(
                    "{option}(set-logic QF_BV)\n(declare-fun x () (_ BitVec 8))\n{state}\n {question}\n\
                     (echo \"on\")\n"
                );
                let file = folder.file("script.smt2", &text);
                let expected = bare(&folder, solver, &[], &file);
                let cold = run(shim(&folder, solver).arg(&file), "");
                let _ = std::fs::remove_file(folder.path("stats"));
                let warm = run(shim(&folder, solver).arg(&file), "");
                for (got, temperature) in [(&cold, "cold"), (&warm, "warm")] {
                    assert_eq!(stdout(got), stdout(&expected), "{solver}, {temperature}: {text}");
                    assert_eq!(got.status.code(), expected.status.code(), "{solver}, {temperature}: {text}");
                }
                let stats = std::fs::read_to_string(folder.path("stats")).expect("statistics");
                assert!(stats.contains("\"solver_starts\":0"), "{solver}: {text}\n{stats}");
            }
        }
    }
}

/// What we ask a solver besides, and it refuses, is no error of the client's: the exit code is 0.
#[test]
fn what_we_ask_besides_is_no_error() {
    let assuming = "(set-logic QF_NIA)\n(declare-const n Int)\n(declare-const p Bool)\n\
                    (assert (=> p (> (* n n n) 70)))\n(assert (=> p (< (* n n n) 80)))\n\
                    (check-sat-assuming (p))\n";
    let proof = "(set-option :produce-proofs true)\n(declare-const n Int)\n(assert (> n 2))\n\
                 (assert (< n 3))\n(check-sat)\n(get-proof)\n";
    for solver in ["z3", "cvc5"] {
        for (name, text) in [("assuming", assuming), ("proof", proof)] {
            let folder = prepared();
            compare(&folder, solver, &["--incremental"][..usize::from(solver == "cvc5")], name, text);
        }
    }
}

/// What only the solver's own words tell: the best value of an objective, an algebraic number, an odd layout.
/// A warm run says it without a process, and one that asks for more than the runs before starts one.
#[test]
fn replies_that_nobody_else_can_word_are_remembered() {
    let best = "(declare-const n Int)\n(assert (< (* n n) 50))\n(maximize n)\n(check-sat)\n";
    let root = "(declare-const x Real)\n(assert (= (* x x) 2.0))\n(assert (> x 0.0))\n(check-sat)\n";
    let literal =
        "(set-option :pp.decimal true)\n(declare-const x Real)\n(assert (= (* 3.0 x) 1.0))\n(check-sat)\n";
    let proof = "(set-option :produce-proofs true)\n(declare-const n Int)\n(assert (> n 2))\n\
                 (assert (< (* 2 n) 5))\n(check-sat)\n";
    for (text, first, second) in [
        (best, "(get-value (n))", "(get-objectives)"),
        (root, "(get-model)", "(get-value ((* x x) x))"),
        (literal, "(get-value (x))", "(get-model)"),
        (proof, "(get-proof)", "(get-proof)"),
    ] {
        let folder = prepared();
        // The third script asks more than the store has replies to.
        for (asked, starts) in [(first, 1), (first, 0), (&*format!("{first}\n{second}"), 1)] {
            let text = format!("{text}{asked}\n{asked}\n");
            let file = folder.file("script.smt2", &text);
            let expected = bare(&folder, "z3", &[], &file);
            for starts in [starts, 0] {
                let _ = std::fs::remove_file(folder.path("stats"));
                let got = run(shim(&folder, "z3").arg(&file), "");
                assert_eq!(stdout(&got), stdout(&expected), "{text}");
                assert_eq!(got.status.code(), expected.status.code(), "{text}");
                let stats = std::fs::read_to_string(folder.path("stats")).expect("statistics");
                assert!(stats.contains(&format!("\"solver_starts\":{starts}")), "{starts}: {text}\n{stats}");
            }
        }
    }
}

/// Why3 asks after each check why it is unknown, which it is not.
#[test]
fn a_decided_check_is_not_unknown_for_a_reason() {
    let text = "(set-logic QF_BV)\n(declare-fun x () (_ BitVec 8))\n(assert (bvult x #x03))\n(check-sat)\n \
                (get-info :reason-unknown)\n(echo \"on\")\n";
    for solver in SOLVERS {
        let folder = prepared();
        let file = folder.file("script.smt2", text);
        let expected = bare(&folder, solver, &[], &file);
        for temperature in ["cold", "warm"] {
            let _ = std::fs::remove_file(folder.path("stats"));
            let got = run(shim(&folder, solver).arg(&file), "");
            assert_eq!(stdout(&got), stdout(&expected), "{solver}, {temperature}");
            assert_eq!(got.status.code(), expected.status.code(), "{solver}, {temperature}");
        }
        let stats = std::fs::read_to_string(folder.path("stats")).expect("statistics");
        assert!(stats.contains("\"solver_starts\":0"), "{solver}: {stats}");
    }
}

/// Options and logics that a solver does not know.
#[test]
fn refused_options_and_logics() {
    let rest = "(declare-fun x () (_ BitVec 8))\n(assert (bvult x #x04))\n(check-sat)\n";
    for solver in SOLVERS {
        let folder = prepared();
        for first in ["(set-option :no-such-option true)\n(set-logic QF_BV)\n", "(set-logic NO_SUCH_LOGIC)\n"]
        {
            compare(&folder, solver, &[], first, &format!("{first}{rest}"));
        }
        let exit = format!("(set-option :print-success true)\n(set-logic QF_BV)\n{rest}(exit)\n");
        compare(&folder, solver, &[], "exit", &exit);
    }
}

/// Flags that a solver refuses, and a solver that ends before it reads anything: said as the solver says it,
/// and a warm run starts no solver to find it out again.
#[test]
fn refused_flags() {
    let text = "(set-logic QF_BV)\n(declare-fun x () (_ BitVec 8))\n(assert (bvult x #x04))\n(check-sat)\n";
    for (solver, flag) in [
        ("z3", "no.such=1"),
        ("cvc5", "--no-such-flag"),
        ("yices-smt2", "--no-such-flag"),
        ("bitwuzla", "--no-such-flag"),
    ] {
        let folder = prepared();
        let file = folder.file("script.smt2", text);
        let expected = bare(&folder, solver, &[flag], &file);
        for temperature in ["cold", "warm"] {
            let got = run(shim(&folder, solver).arg(flag).arg(&file), "");
            assert_eq!(stdout(&got), stdout(&expected), "{solver} {flag}, {temperature}");
            assert_eq!(stderr(&got), stderr(&expected), "{solver} {flag}, {temperature}");
            assert_eq!(got.status.code(), expected.status.code(), "{solver} {flag}, {temperature}");
        }
    }
}

/// A solver that ends with that code before it reads anything, with and without a flag that is not known.
#[test]
fn a_solver_that_ends_at_once() {
    let folder = prepared();
    let program = folder.program("cvc5", "#!/bin/sh\necho told >&2\necho said\nexit 7\n");
    let text = "(declare-const x Int)\n(assert (> (* x x) 3))\n(check-sat)\n";
    let file = folder.file("script.smt2", text);
    for args in [&[][..], &["--flag"][..]] {
        for temperature in ["cold", "warm"] {
            let got = run(shim(&folder, "cvc5").env("EVERGREEN_CVC5", &program).args(args).arg(&file), "");
            assert_eq!(stdout(&got), "said\n", "{args:?}, {temperature}: {}", stderr(&got));
            assert_eq!(stderr(&got), "told\n", "{args:?}, {temperature}");
            assert_eq!(got.status.code(), Some(7), "{args:?}, {temperature}");
        }
    }
}

/// A file that is not there, and a folder.
#[test]
fn missing_files_and_folders() {
    let folder = prepared();
    for solver in SOLVERS {
        for path in [folder.path("missing.smt2"), folder.path("shims")] {
            let expected = bare(&folder, solver, &[], &path);
            let got = run(shim(&folder, solver).arg(&path), "");
            assert_eq!(got.status.code(), expected.status.code(), "{solver} {}", path.display());
            assert_eq!(stdout(&got), stdout(&expected), "{solver} {}", path.display());
        }
    }
}

/// z3's labels: the same labels cold and warm where only one path explains the verdict, the same refusals,
/// and no solver for either in a warm run. Boogie asks for models in z3's old layout, which must not cost the
/// model.
#[test]
fn labels_are_explained_without_z3() {
    let folder = prepared();
    let file = folder.file(
        "script.smt2",
        "(set-option :MODEL.V2 true)\n(declare-fun n () Int)\n(declare-fun b () Bool)\n(labels)\n(push 1)\n\
         (assert (not (=> (! (and b (= n (* n n n))) :lblpos +0)\n (and \
         (! (> n (- 2)) :lblneg @1) (! (< n 1) :lblneg |@ 2|)))))\n\
         (check-sat)\n(labels)\n(assert (< n 0))\n (labels)\n(check-sat)\n(labels)\n",
    );
    let expected = bare(&folder, "z3", &[], &file);
    let cold = run(shim(&folder, "z3").arg(&file), "");
    assert_eq!(stdout(&cold), stdout(&expected), "cold");
    assert!(stdout(&expected).contains("(labels "), "{}", stdout(&expected));
    let _ = std::fs::remove_file(folder.path("stats"));
    let warm = run(shim(&folder, "z3").arg(&file), "");
    let sorted = |text: &str| {
        let words = |line: &str| {
            let mut words: Vec<&str> = line.trim_matches(['(', ')']).split(' ').collect();
            words.sort_unstable();
            words.join(" ")
        };
        text.lines().map(words).collect::<Vec<_>>()
    };
    assert_eq!(sorted(&stdout(&warm)), sorted(&stdout(&expected)), "warm");
    let stats = std::fs::read_to_string(folder.path("stats")).expect("statistics");
    assert!(stats.contains("\"solver_starts\":0"), "{stats}");
}

/// A script with values of every kind that a solver has, and the questions for them: functions and arrays
/// too.
fn valued(solver: &str) -> String {
    let common = "(declare-const b (_ BitVec 8))(declare-const n (_ BitVec 6))(declare-const p Bool)\n\
        (declare-fun g ((_ BitVec 2)) Bool)(declare-fun two ((_ BitVec 2) (_ BitVec 2)) (_ BitVec 2))\n\
        (declare-const |odd name| (_ BitVec 4))\n\
        (assert (= b #xf1))(assert (= n #b100001))(assert p)(assert (g #b01))(assert (not (g #b10)))\n\
        (assert (= |odd name| #x1))(assert (= (two #b01 #b10) #b01))(assert (= (two #b00 #b10) #b11))\n";
    let floats = "(declare-const e (_ FloatingPoint 5 11))(declare-const nan (_ FloatingPoint 5 11))\n\
        (declare-const inf (_ FloatingPoint 5 11))(declare-const m RoundingMode)\n\
        (assert (= e (fp #b0 #b10000 #b0000000001)))(assert (= nan (_ NaN 5 11)))\n\
        (assert (= inf (_ -oo 5 11)))(assert (= m RTZ))\n";
    let numbers = "(declare-const x Int)(declare-const r Real)(declare-const q Real)(declare-const w Real)\n\
        (declare-fun f (Int) Int)(declare-sort U 0)(declare-const u U)(declare-const v U)\n\
        (assert (= x (- 5)))(assert (= r (/ 2 3)))(assert (= q (- (/ 7 2))))(assert (= w (- 4.0)))\n\
        (assert (= (f 1) 7))(assert (= (f 2) (- 8)))(assert (not (= u v)))\n";
    let data = "(declare-datatypes ((P 0)) (((mk (fst Int) (snd Bool)) (none))))(declare-const d P)\n\
        (declare-const o P)(declare-const s String)(declare-const a (Array Int Int))\n\
        (assert (= d (mk 3 true)))(assert (= o none))(assert (= s \"a\\u{7f}\"\"b\"))\n\
        (assert (= a (store (store ((as const (Array Int Int)) 9) 1 2) 3 4)))\n";
    let cells = "(declare-const c (Array (_ BitVec 2) (_ BitVec 4)))\n\
        (assert (= (select c #b01) #x3))(assert (= (select c #b10) #x4))\n";
    // cvc5 prints a term in its own form, not in the client's.
    let sum = if solver == "cvc5" { "(bvadd b b)" } else { "(bvadd b #x01)" };
    let values = format!("(get-value (b n p |odd name| {sum}))\n(get-value (g))\n");
    let parts: &[&str] = match solver {
        "z3" => &[
            "(set-logic ALL)\n",
            common,
            floats,
            numbers,
            data,
            "(check-sat)\n(get-value (x r q w d o s a))\n",
        ],
        "cvc5" => &[
            "(set-logic ALL)\n",
            common,
            floats,
            numbers,
            data,
            "(check-sat)\n(get-value (x r q w d o s a))\n",
        ],
        "bitwuzla" => &[
            "(set-logic QF_AUFBVFP)\n",
            common,
            floats,
            cells,
            "(check-sat)\n(get-value (c e nan inf m two))\n",
        ],
        // Yices' arrays have cells that nothing asks for; a stored model has others there.
        _ => &["(set-logic QF_AUFBV)\n", common, "(check-sat)\n(get-value (two))\n"],
    };
    format!("(set-option :produce-models true)\n{}{values}(get-model)\n", parts.concat())
}

/// Names that a solver numbers as it pleases, numbered by their first places, those of parameters in each
/// line; z3's definitions in the order of their names.
fn neutral(text: &str) -> String {
    let starts = ["@fun_", "@bzla.var_", "_arg_", "BOUND_VARIABLE_"];
    let mut names: Vec<String> = Vec::new();
    let mut out = String::new();
    for line in text.split_inclusive('\n') {
        names.retain(|name| name.starts_with("@fun_"));
        let mut rest = line;
        while let Some(at) = starts.iter().filter_map(|name| rest.find(name)).min() {
            let end = rest[at..].find(|c: char| !(c.is_alphanumeric() || "@._".contains(c)));
            let name = rest[at..at + end.unwrap_or(0)].to_string();
            let place = names.iter().position(|known| *known == name).unwrap_or_else(|| {
                names.push(name.clone());
                names.len() - 1
            });
            out.push_str(&rest[..at]);
            out.push_str(&format!("@{place}"));
            rest = &rest[at + name.len()..];
        }
        out.push_str(rest);
    }
    let mut definitions: Vec<&str> = out.split("  (define-fun ").collect();
    if let Some(last) = definitions.last_mut() {
        *last = last.strip_suffix(")\n").unwrap_or(last);
    }
    definitions[1..].sort_unstable();
    definitions.join("  (define-fun ")
}

/// Values and models from the store have the solver's layout and spelling, and no solver is started for them.
fn spelled(solver: &str, args: &[&str]) {
    let folder = prepared();
    let file = folder.file("script.smt2", valued(solver));
    let expected = stdout(&bare(&folder, solver, args, &file));
    assert!(expected.starts_with("sat\n") && !expected.contains("error"), "{solver}: {expected}");
    for temperature in ["cold", "warm"] {
        let _ = std::fs::remove_file(folder.path("stats"));
        let mut command = shim(&folder, solver);
        // The same model as the solver's: our own cores have others.
        let got = stdout(&run(command.env("EVERGREEN_NATIVE", "off").args(args).arg(&file), ""));
        // Bitwuzla separates parameters by two spaces.
        let expected = expected.replace(")  (", ") (");
        let got = if temperature == "cold" { got.replace(")  (", ") (") } else { got };
        assert_eq!(neutral(&got), neutral(&expected), "{solver}, {temperature}");
    }
    let stats = std::fs::read_to_string(folder.path("stats")).unwrap();
    assert!(stats.contains("\"solver_starts\":0"), "{solver}: {stats}");
}

#[test]
fn values_and_models_are_spelled_as_z3_does() {
    spelled("z3", &[]);
}

#[test]
fn values_and_models_are_spelled_as_cvc5_does() {
    spelled("cvc5", &[]);
}

#[test]
fn values_and_models_are_spelled_as_yices_does() {
    spelled("yices-smt2", &[]);
    spelled("yices-smt2", &["--smt2-model-format"]);
}

/// Yices is held to the cells of arrays that were given out: it does not read arrays that are the same
/// everywhere.
#[test]
fn arrays_that_were_given_out_bind_yices() {
    let folder = prepared();
    let script = "(set-option :produce-models true)(set-logic QF_AUFBV)\n\
                  (declare-const c (Array (_ BitVec 2) (_ BitVec 4)))\n\
                  (assert (= (select c #b01) #x3))(check-sat)\n(get-value (c))(get-model)\n";
    let asks_more = format!("{script}(get-info :name)(get-value ((ite (= c c) c c)))(get-info :name)\n");
    let (file, more) = (folder.file("script.smt2", script), folder.file("more.smt2", &asks_more));
    for args in [&[][..], &["--smt2-model-format"]] {
        let cold = run(shim(&folder, "yices-smt2").args(args).arg(&file), "");
        let warm = run(shim(&folder, "yices-smt2").args(args).arg(&file), "");
        for output in [&cold, &warm] {
            assert_eq!(output.status.code(), Some(0), "{}{}", stdout(output), stderr(output));
            let has_table = stdout(output).contains("(type (Array (_ BitVec 2) (_ BitVec 4)))");
            assert_eq!(has_table, args.is_empty(), "{}", stdout(output));
        }
        let got = run(shim(&folder, "yices-smt2").args(args).arg(&more), "");
        assert!(!stdout(&got).contains("error"), "{}{}", stdout(&got), stderr(&got));
    }
}

#[test]
fn values_and_models_are_spelled_as_bitwuzla_does() {
    spelled("bitwuzla", &[]);
}

/// Elements of a declared sort have the names that the client's own solver gives, whoever found the model,
/// and a value that the model leaves open is an element as well. The answers agree with each other.
#[test]
fn elements_have_the_names_of_the_solver() {
    let script = "(set-logic QF_UF)\n(declare-sort U 0)\n(declare-sort |V w| 0)\n\
                  (declare-fun a () U)\n(declare-fun b () U)\n(declare-fun c () U)\n\
                  (declare-fun v () |V w|)\n(declare-fun f (U) U)\n(declare-fun g (|V w|) U)\n\
                  (assert (not (= a b)))\n(assert (= (f a) b))\n(assert (= (g v) a))\n(check-sat)\n\
                  (get-value (a b c (f a) (f c) v (g v)))\n(get-value ((= a c) (= b c) (= c (f c))))\n\
                  (get-model)\n";
    let first = ["z3", "cvc5", "yices-smt2"];
    for filler in first {
        let folder = prepared();
        let file = folder.file("script.smt2", script);
        let with_models = |solver| if solver == "cvc5" { &["--produce-models"][..] } else { &[][..] };
        run(shim(&folder, filler).args(with_models(filler)).arg(&file), "");
        for solver in ["z3", "cvc5", "yices-smt2"] {
            let output = run(shim(&folder, solver).args(with_models(solver)).arg(&file), "");
            let said = stdout(&output);
            let context = format!("{filler}, then {solver}: {said}{}", stderr(&output));
            let value = |term: &str| {
                let after = said.split_once(&format!("({term} ")).expect(&context).1;
                let end = match after.strip_prefix('(') {
                    Some(inside) => inside.find(')').expect(&context) + 2,
                    None => after.find(')').expect(&context),
                };
                after[..end].to_string()
            };
            let own = match solver {
                "z3" => "U!val!",
                "cvc5" => "(as @",
                _ => "@const_",
            };
            for term in ["a", "b", "c", "(f a)", "(f c)", "(g v)"] {
                assert!(value(term).starts_with(own), "{term} in {context}");
            }
            let sort = if solver == "z3" { "|V w!val!" } else { own };
            assert!(value("v").starts_with(sort), "{context}");
            assert_ne!(value("a"), value("b"), "{context}");
            assert_eq!([value("(f a)"), value("(g v)")], [value("b"), value("a")], "{context}");
            for (term, [x, y]) in
                [("(= a c)", ["a", "c"]), ("(= b c)", ["b", "c"]), ("(= c (f c))", ["c", "(f c)"])]
            {
                assert_eq!(value(term) == "true", value(x) == value(y), "{term} in {context}");
            }
        }
    }
}

/// Counters that flags ask for come from the process that solved; a warm run starts none for them. Why3 and
/// Frama-C run z3 with these flags, and read on without the number of steps.
#[test]
fn counters_cost_no_reuse() {
    let text = "(set-logic AUFNIRA)\n(declare-sort t 0)\n(declare-fun f (t) Int)\n(declare-fun a () t)\n\
                (assert (forall ((x t)) (! (> (f x) 2) :pattern ((f x)))))\n\
                (assert (not (> (* (f a) (f a)) 4)))\n(check-sat)\n";
    let z3 = ["-smt2", "-T:20", "sat.random_seed=42", "nlsat.randomize=false", "smt.random_seed=42", "-st"];
    let cvc5 = ["--stats-internal", "--tlimit=20000", "--lang=smt2"];
    for (solver, args) in [("z3", &z3[..]), ("cvc5", &cvc5[..])] {
        let folder = prepared();
        compare(&folder, solver, args, "counters", text);
        let file = folder.file("script.smt2", text);
        let counters = |output: &Output| match solver {
            "z3" => stdout(output),
            _ => stderr(output),
        };
        let steps = ["rlimit-count", "resourceUnitsUsed"];
        let fresh = Folder::new();
        let cold =
            run(shim(&folder, solver).env("EVERGREEN_STORE", fresh.path("cold")).args(args).arg(&file), "");
        assert!(steps.iter().any(|name| counters(&cold).contains(name)), "{solver}: {}", counters(&cold));
        let _ = std::fs::remove_file(folder.path("stats"));
        let warm = run(shim(&folder, solver).args(args).arg(&file), "");
        assert!(stdout(&warm).starts_with("unsat\n"), "{}", stdout(&warm));
        let total = ["(:total-time ", "global::totalTime = "];
        assert!(total.iter().any(|name| counters(&warm).contains(name)), "{solver}: {}", counters(&warm));
        assert!(!steps.iter().any(|name| counters(&warm).contains(name)), "another run's steps");
        let stats = std::fs::read_to_string(folder.path("stats")).expect("statistics");
        assert!(stats.contains("\"solver_starts\":0"), "{solver}: {stats}");
    }
    // Several checks of cvc5 in one process: the counters are the solver's business.
    let folder = prepared();
    let twice = format!("{text}(check-sat)\n");
    compare(&folder, "cvc5", &["--stats", "--incremental"], "two checks", &twice);
    compare(&folder, "z3", &["-st"], "two checks", &twice);
    compare(&folder, "z3", &["-st"], "nothing asked", "(set-logic QF_LIA)\n");
    compare(&folder, "z3", &["-st"], "exit", &format!("{text}(exit)\n"));
}

/// Horn clauses as solc's CHC engine writes them, with its flags: Spacer makes no cores, so nobody asks it
/// for some, and its heuristics keep the meaning of a script. A warm run under other names starts nothing.
#[test]
fn horn_clauses_start_one_solver() {
    let args = [
        "-smt2",
        "rlimit=20000000",
        "rewriter.pull_cheap_ite=true",
        "fp.spacer.q3.use_qgen=true",
        "fp.spacer.mbqi=false",
        "fp.spacer.ground_pobs=false",
    ];
    let mut text = "(set-option :produce-models true)\n(set-logic HORN)\n".to_string();
    for state in 0..20 {
        text.push_str(&format!("(declare-fun |s{state}| (Int) Bool)\n"));
    }
    text.push_str("(assert (forall ((x Int)) (=> (= x 0) (|s0| x))))\n");
    for state in 1..20 {
        let before = state - 1;
        text.push_str(&format!(
            "(assert (forall ((x Int) (y Int)) (=> (and (|s{before}| x) (= y (+ x {state})))\n\
             (|s{state}| y))))\n"
        ));
    }
    text.push_str("(assert (forall ((x Int)) (=> (and (|s19| x) (< x 0)) false)))\n(check-sat)\n");
    let folder = prepared();
    compare(&folder, "z3", &args, "horn clauses", &text);
    let starts = |folder: &Folder, text: &str| {
        let _ = std::fs::remove_file(folder.path("stats"));
        let file = folder.file("script.smt2", text);
        let output = run(shim(folder, "z3").args(args).arg(&file), "");
        assert_eq!(stdout(&output), "sat\n");
        let stats = std::fs::read_to_string(folder.path("stats")).expect("statistics");
        let stats: serde_json::Value = serde_json::from_str(&stats).expect("one run");
        stats["solver_starts"].as_u64()
    };
    assert_eq!(starts(&prepared(), &text), Some(1));
    assert_eq!(starts(&folder, &text.replace("|s", "|state_")), Some(0));
}

/// A z3 that is slow as soon as it is to make cores.
const SLOW_WITH_CORES: &str = "#!/bin/sh
while read -r line; do
  case \"$line\" in
  *produce-unsat-cores*) slow=yes ;;
  *check-sat*) test -z \"$slow\" || sleep 20; echo unsat ;;
  *get-unsat-core*) echo '()' ;;
  esac
  case \"$line\" in *'(echo '*) echo \"$line\" | sed -e 's/.*(echo \"//' -e 's/\").*//' ;; esac
done
";

/// A client that gives a file awaits its end: a core that was searched in vain before the answer is not
/// searched again behind it.
#[test]
fn a_file_is_not_kept_waiting_for_cores() {
    let mut text = "(set-logic AUFLIA)\n(declare-fun f (Int) Int)\n".to_string();
    for i in 0..20 {
        text.push_str(&format!("(assert (forall ((x Int)) (> (f (+ x {i})) (* x {i}))))\n"));
    }
    text.push_str("(check-sat)\n");
    let starts = |is_file: bool| {
        let folder = prepared();
        let slow = folder.program("z3", SLOW_WITH_CORES);
        let mut command = shim(&folder, "z3");
        command.env("EVERGREEN_Z3", slow);
        let output = match is_file {
            true => run(command.arg(folder.file("script.smt2", &text)), ""),
            false => run(command.arg("-in"), &text),
        };
        assert_eq!(stdout(&output), "unsat\n", "{}", stderr(&output));
        let stats = std::fs::read_to_string(folder.path("stats")).expect("statistics");
        let stats: serde_json::Value = serde_json::from_str(&stats).expect("one run");
        stats["solver_starts"].as_u64()
    };
    assert_eq!(starts(true), Some(2), "the process that makes cores, and the client's own");
    assert_eq!(starts(false), Some(3), "and once more for the core");
}

/// Logics and options that come too late, options that this version of a solver does not know, and verdicts
/// that a script does not expect: the same words and the same exit code, cold and warm.
#[test]
fn what_comes_too_late_or_unexpected_is_told() {
    let folder = prepared();
    let begun = "(set-logic QF_BV)(declare-const x (_ BitVec 4))(assert (bvult x #x3))";
    let scripts = [
        format!("{begun}(check-sat)(set-logic QF_BV)(check-sat)"),
        format!("{begun}\n  (set-option :produce-unsat-cores true)(check-sat)"),
        format!("{begun}(set-option :produce-proofs\n true)(check-sat)"),
        format!("{begun}(set-option :produce-models true)(check-sat)"),
        format!("{begun}(check-sat)(set-option :produce-unsat-assumptions true)(check-sat)"),
        "(declare-const x Bool)(assert x)(check-sat)(set-logic QF_UF)(check-sat)".to_string(),
        format!("(set-info :status unsat){begun}(check-sat)(check-sat)"),
        format!("(set-info :status sat){begun}(check-sat)(assert (= x #xf))(check-sat)"),
        format!("(set-info :status unknown){begun}(check-sat)"),
        format!("(set-option :model_compress false){begun}(check-sat)"),
        format!("(set-option :smt.random_seed 7){begun}(check-sat)"),
    ];
    for solver in SOLVERS {
        for text in &scripts {
            // cvc5 words a second logic with the text around it. Yices knows nothing without a logic, and
            // Bitwuzla no QF_UF.
            let is_odd = solver == "cvc5" && text.matches("(set-logic").count() > 1;
            if is_odd || solver != "z3" && solver != "cvc5" && text.contains("QF_UF") {
                continue;
            }
            let flags = if solver == "z3" { &["-in"][..] } else { flags(solver, text) };
            let expected = run(isolated(&find(solver), &folder).args(flags), text);
            for temperature in ["cold", "warm"] {
                let _ = std::fs::remove_file(folder.path("stats"));
                let got = run(shim(&folder, solver).args(flags), text);
                let told = |output: &Output| {
                    stdout(output).lines().filter(|l| !l.contains(":1:")).collect::<Vec<_>>().join("\n")
                };
                // A shell tells an abort as 134.
                let code = expected.status.code().or(Some(134));
                let both = (told(&got), got.status.code());
                assert_eq!(both, (told(&expected), code), "{solver}, {temperature}: {text}");
            }
        }
    }
}

/// A client that waits for `success` gets it from the first command on, also where a flag asks for it.
#[test]
fn a_flag_asks_for_success() {
    let folder = prepared();
    let text = "(set-logic QF_LIA)\n(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n(reset)\n\
                (set-logic QF_UFLIA)\n(declare-fun f (Int) Int)\n(assert (= (f 1) 3))\n(check-sat)\n(exit)\n";
    for (solver, flags) in [
        ("cvc5", &["--print-success", "--incremental", "--lang", "smt2"][..]),
        ("yices-smt2", &["--interactive", "--incremental"][..]),
    ] {
        let expected = run(isolated(&find(solver), &folder).args(flags), text);
        for temperature in ["cold", "warm"] {
            let got = run(shim(&folder, solver).args(flags), text);
            assert_eq!(stdout(&got), stdout(&expected), "{solver}, {temperature}");
        }
    }
}
