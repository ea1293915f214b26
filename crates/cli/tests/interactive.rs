//! The protocol as clients speak it: a command is answered at once, in the solver's own words, with its exit
//! code.

use crate::common;

use crate::common::{Folder, Talk, evergreen, find, run, stderr, stdout};
use std::process::Command;

fn talk(folder: &Folder, solver: &str) -> Talk {
    let solver = find(solver).display().to_string();
    Talk::start(evergreen(folder).args(["solve", "--solver", &solver]))
}

#[test]
fn answers_come_before_the_input_ends() {
    for solver in ["z3", "cvc5", "yices-smt2", "bitwuzla"] {
        let folder = Folder::new();
        // Cold, then warm.
        for _ in 0..2 {
            let mut talk = talk(&folder, solver);
            assert!(talk.send("(set-option :produce-models true)\n(set-logic QF_BV)\n"));
            assert!(talk.send("(declare-const x (_ BitVec 8))\n(assert (bvult x #x01))\n"));
            assert_eq!(talk.ask("(check-sat)\n"), "sat", "{solver}");
            let value = talk.ask("(get-value (x))\n");
            assert!(["((x #x00))", "((x #b00000000))"].contains(&&*value), "{solver}: {value}");
            assert!(talk.send("(push 1)\n(assert (bvult #x02 x))\n"));
            assert_eq!(talk.ask("(check-sat)\n"), "unsat", "{solver}");
            assert!(talk.send("(pop 1)\n"));
            assert_eq!(talk.ask("(check-sat)\n"), "sat", "{solver}");
            let (status, rest, errors) = talk.end();
            assert!(status.success() && rest.is_empty(), "{solver}: {status} {rest:?} {errors:?}");
        }
    }
}

/// The answers of a cvc5 that prints elsewhere would never arrive.
#[test]
fn answers_stay_where_the_client_reads_them() {
    let away = [
        ("cvc5", ":regular-output-channel \"stderr\""),
        ("cvc5", ":out \"elsewhere\""),
        ("cvc5", ":in \"elsewhere\""),
        ("cvc5", ":err \"elsewhere\""),
    ];
    for (solver, option) in away {
        let folder = Folder::new();
        let mut talk = talk(&folder, solver);
        assert_eq!(talk.ask(&format!("(set-option {option})\n")), "unsupported", "{solver}");
        assert!(talk.send("(set-option :regular-output-channel \"stdout\")\n"));
        // Beyond what is decided here: the solver is asked.
        assert!(talk.send("(set-logic QF_BV)\n(declare-const x (_ BitVec 80))\n"));
        assert!(talk.send("(assert (= (bvmul x x) (_ bv1 80)))\n"));
        assert_eq!(talk.ask("(check-sat)\n"), "sat", "{solver}");
        assert!(talk.end().0.success() && !folder.path("elsewhere").exists());
    }
}

#[test]
fn commands_in_pieces() {
    let folder = Folder::new();
    let mut talk = talk(&folder, "z3");
    for piece in ["(declare-", "const x Int)(ass", "ert (> x ", "0))(check", "-sat"] {
        assert!(talk.send(piece));
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    // Closing the command is enough; no line has to end.
    assert_eq!(talk.ask(")"), "sat");
    assert_eq!(talk.ask("(echo \"a (b) \"\"c\"\"\")"), "a (b) \"c\"");
    assert!(talk.end().0.success());
}

#[test]
fn success_is_printed_for_every_command_that_has_nothing_else_to_say() {
    let script = "(set-option :print-success true)\n(set-logic QF_LIA)\n(declare-const x Int)\n(declare-fun \
        y () Int)\n\
        (define-fun f ((z Int)) Int (+ z x))\n(assert (! (> (f y) 0) :named a))\n(push \
        2)\n(check-sat)\n(pop 1)\n\
        (set-info :status sat)\n(echo \"hi\")\n(get-option :print-success)\n(pop \
        1)\n(reset-assertions)\n(check-sat)\n\
        (set-option :print-success false)\n(declare-const z Int)\n(check-sat)\n(reset)\n(declare-const q \
        Bool)\n";
    same_as_bare("z3", script);
}

/// Compares everything that is printed, and the exit code, cold and warm.
fn same_as_bare(solver: &str, script: &str) {
    let bare = bare(solver, script);
    let folder = Folder::new();
    for round in ["cold", "warm"] {
        let program = find(solver).display().to_string();
        let output = run(evergreen(&folder).args(["solve", "--solver", &program]), script);
        assert_eq!(
            plain(&stdout(&output)),
            plain(&bare.0),
            "{solver}, {round}: {script}\n{}",
            stderr(&output)
        );
        assert_eq!(output.status.code(), bare.1, "{solver}, {round}: {script}");
    }
}

/// White space as single blanks, errors without their places (the solver was told another text), names in
/// order.
fn plain(printed: &str) -> String {
    let mut words: Vec<&str> = printed.split_whitespace().collect();
    if printed.contains("(error") {
        words.retain(|word| !word.trim_end_matches(':').chars().all(|c| c.is_ascii_digit()));
    }
    let text = words.join(" ").replace("( ", "(").replace(" )", ")");
    match text.strip_prefix("unsat (").and_then(|core| core.strip_suffix(')')) {
        Some(core) if !core.contains('(') => {
            let mut names: Vec<&str> = core.split(' ').collect();
            names.sort_unstable();
            format!("unsat ({})", names.join(" "))
        }
        _ => text,
    }
}

/// What a solver alone prints, and its exit code.
fn bare(solver: &str, script: &str) -> (String, Option<i32>) {
    let mut command = Command::new(find(solver));
    match solver {
        "z3" => command.args(["-in", "-smt2"]),
        "cvc5" => command.args(["--lang=smt2", "--incremental"]),
        "yices-smt2" => command.arg("--incremental"),
        _ => &mut command,
    };
    let output = run(&mut command, script);
    (stdout(&output), output.status.code())
}

#[test]
fn the_same_words_as_z3() {
    for script in [
        "(declare-const x Int)(assert (> x 0))(assert (< x 2))(check-sat)(get-value (x (+ x 1)))\n",
        "(set-option :produce-unsat-assumptions true)(declare-const p Bool)(declare-const q Bool)(assert \
         (or p q))(check-sat-assuming ((not p) (not q)))\
         (get-unsat-assumptions)\n",
        "(set-option :produce-unsat-cores true)(declare-const x Int)(assert (! (> x 0) :named pos))\
         (assert (! (< x 0) :named neg))(check-sat)(get-unsat-core)\n",
        "(push)(push)(pop)(check-sat)(pop)(check-sat)\n",
        "(get-info :error-behavior)(get-info :name)(get-info :version)(get-info :authors)\n",
        "(define-fun-rec f ((n Int)) Int (ite (<= n 0) 1 (* n (f (- n 1)))))(assert (= (f 4) \
         24))(check-sat)\n",
        "(declare-datatypes ((L 0)) (((nil) (cons (hd Int) (tl L)))))(declare-const l L)\
         (assert (= l (cons 1 nil)))(check-sat)(get-value (l (hd l) ((_ is nil) l)))\n",
        "(get-option :produce-models)(get-option :print-success)\n",
        "(set-option :produce-models false)(set-option :random-seed 3)(set-info :x y)(check-sat)\n",
        "(declare-const x Int)(assert (> x 5))(check-sat)(eval (+ 1 1))(simplify (+ 1 2))\n",
        "(check-sat)(exit)(check-sat)\n",
        "(exit)\n",
        "(echo \"\")(echo \"two\nlines\")\n",
        "(assert true)(check-sat)(get-assertions)\n",
        "(declare-const x Int)(minimize x)(assert (>= x 7))(check-sat)(get-objectives)\n",
        "(declare-sort U 0)(declare-const a U)(declare-const b U)(assert (distinct a b))(check-sat)\n",
        "(check-sat-using smt)(declare-tactic t simplify)\n",
    ] {
        same_as_bare("z3", script);
    }
}

#[test]
fn the_same_words_as_cvc5() {
    for script in [
        "(set-logic QF_LIA)(set-option :produce-models true)(check-sat)\n",
        "(set-option :produce-models true)(set-logic QF_LIA)(declare-const x Int)(assert (= (* 2 x) \
         4))(check-sat)\
         (get-value (x))(echo \"hi\")\n",
        "(set-logic ALL)(set-option :produce-unsat-cores true)(declare-const p Bool)(assert (! p :named a))\
         (assert (! (not p) :named b))(check-sat)(get-unsat-core)\n",
        "(set-logic QF_UF)(declare-const p Bool)(push 1)(assert p)(check-sat)(pop 1)(assert (not \
         p))(check-sat)(exit)\n",
    ] {
        same_as_bare("cvc5", script);
    }
}

/// Whether the script ran through or not is what build systems look at.
#[test]
fn the_exit_codes_of_the_solvers() {
    let scripts = [
        "(check-sat)\n",
        "(set-logic QF_LIA)(declare-const x Int)(assert (> x 0))(check-sat)\n",
        "(set-logic QF_LIA)(declare-const x Int)(assert (> y 0))(check-sat)\n",
        "(set-logic QF_LIA)(assert true)(frobnicate)(check-sat)\n",
        "(set-logic QF_LIA)(declare-const x Int)(assert (> x 0)(check-sat)\n",
        "(set-logic QF_LIA)(pop 1)(check-sat)\n",
        "(set-logic QF_LIA)(check-sat)(exit)(frobnicate)\n",
        "",
    ];
    for solver in ["z3", "cvc5"] {
        for script in scripts {
            let (_, expected) = bare(solver, script);
            let folder = Folder::new();
            let program = find(solver).display().to_string();
            let output = run(evergreen(&folder).args(["solve", "--solver", &program]), script);
            assert_eq!(output.status.code(), expected, "{solver}: {script}\n{}", stdout(&output));
        }
    }
}

#[test]
fn why_unknown() {
    // Nobody decides this in a moment.
    let hard = "(set-option :timeout 50)(declare-const x Int)(declare-const y Int)(declare-const z Int)\
        (assert (= (+ (* x x x) (* y y y) (* z z z)) 114))(check-sat)(get-info :reason-unknown)\n";
    let folder = Folder::new();
    let output = run(evergreen(&folder).arg("solve"), hard);
    let printed = stdout(&output);
    assert!(printed.starts_with("unknown\n(:reason-unknown \""), "{printed}");
    // A limit of ours kills the solver; the reason is still told, and nothing is recorded.
    let output = run(
        evergreen(&folder).args(["solve", "--timeout-ms", "200"]),
        hard.replace("(set-option :timeout 50)", ""),
    );
    let printed = stdout(&output);
    assert!(printed.starts_with("unknown\n(:reason-unknown \"timeout\")"), "{printed}");
    assert_eq!(common::verify(&folder), 0);
}

/// Whether the easy queries after a hard one were solved within the limit, as they have to be if at all.
fn goes_on_after(limit_ms: &str) -> bool {
    let folder = Folder::new();
    let mut talk = Talk::start(evergreen(&folder).args(["solve", "--timeout-ms", limit_ms]));
    assert!(talk.send("(declare-const x Int)(declare-const y Int)(assert (< x 3))(push)\n"));
    let hard = "(declare-const z Int)(assert (= (+ (* x x x) (* y y y) (* z z z)) 114))(check-sat)\n";
    assert_eq!(talk.ask(hard), "unknown");
    assert!(talk.send("(pop)\n"));
    let verdicts = [talk.ask("(check-sat)\n"), talk.ask("(assert (= x 5))(check-sat)\n")];
    assert!(talk.end().0.success());
    if verdicts.iter().any(|verdict| verdict == "unknown") {
        return false;
    }
    assert_eq!(verdicts, ["sat", "unsat"]);
    true
}

#[test]
fn a_session_after_a_limit_goes_on() {
    // Where the machine is busy with other things a solver does not even start within a short limit.
    assert!(["300", "2000", "10000", "50000"].into_iter().any(goes_on_after), "the solver never starts");
}

#[test]
fn models_are_consistent_within_one_check() {
    let script = "(declare-const x Int)(declare-const y Int)(declare-fun f (Int) Int)(declare-sort U \
        0)(declare-const u U)\
        (assert (< x y))(assert (= (f x) (+ y 1)))(check-sat)(get-value (x))(get-value (y))(get-value ((f \
        x)))\
        (get-value ((- (f x) y)))(get-value (u))(get-value (x))(get-model)\n";
    let folder = Folder::new();
    let cold = stdout(&run(evergreen(&folder).arg("solve"), script));
    let warm = stdout(&run(evergreen(&folder).arg("solve"), script));
    for printed in [&cold, &warm] {
        let lines: Vec<&str> = printed.lines().collect();
        assert_eq!(lines[0], "sat", "{printed}");
        assert!(printed.contains("(((- (f x) y) 1))"), "{printed}");
        let values: Vec<&&str> = lines.iter().filter(|l| l.starts_with("((x ")).collect();
        assert_eq!(values.len(), 2, "{printed}");
        assert_eq!(values[0], values[1], "{printed}");
        assert!(!printed.contains("(error"), "{printed}");
        let x = values[0].trim_start_matches("((x ").trim_end_matches("))");
        let squeezed: String = printed.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(squeezed.contains(&format!("(define-fun x () Int {x})")), "{printed}");
    }
}
