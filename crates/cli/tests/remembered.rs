//! What only a solver can say, remembered: a warm run starts no process to hear it again, and another script
//! hears it from the solver.

use crate::common::{Folder, evergreen, find, isolated, run, stderr, stdout};
use std::process::{Command, Output};

/// A store, and shims.
struct Place {
    folder: Folder,
}

impl Place {
    fn new() -> Place {
        let folder = Folder::new();
        let output = run(evergreen(&folder).args(["shim", "install", &folder.text("shims")]), "");
        assert!(output.status.success(), "{}", stderr(&output));
        Place { folder }
    }

    fn bare(&self, solver: &str) -> Command {
        isolated(&find(solver), &self.folder)
    }

    fn shim(&self, solver: &str) -> Command {
        let mut command = isolated(&self.folder.path("shims").join(solver), &self.folder);
        let variable = format!("EVERGREEN_{}", solver.to_ascii_uppercase().replace('-', "_"));
        command.env("EVERGREEN_STORE", self.folder.path("store")).env(variable, find(solver));
        command.env("EVERGREEN_STATS", self.folder.path("stats"));
        command
    }

    /// How many solver processes a run starts.
    fn starts(&self, command: &mut Command, input: &str) -> (Output, u64) {
        let _ = std::fs::remove_file(self.folder.path("stats"));
        let output = run(command, input);
        let stats = std::fs::read_to_string(self.folder.path("stats")).expect("statistics");
        let value: serde_json::Value = serde_json::from_str(stats.lines().next().unwrap()).unwrap();
        (output, value["solver_starts"].as_u64().unwrap())
    }

    /// Runs a script by standard input: prints what the bare solver prints, with so many processes.
    #[track_caller]
    fn check(&self, solver: &str, flags: &[&str], script: &str, starts: u64) {
        let expected = run(self.bare(solver).args(flags), script);
        let (got, started) = self.starts(self.shim(solver).args(flags), script);
        assert_eq!(stdout(&got), stdout(&expected), "{solver} {flags:?}: {script}\n{}", stderr(&got));
        assert_eq!(got.status.code(), expected.status.code(), "{solver} {flags:?}: {script}");
        assert_eq!(started, starts, "{solver} {flags:?}: {script}");
    }

    /// The same for a file.
    #[track_caller]
    fn check_file(&self, solver: &str, flags: &[&str], script: &str, starts: u64) {
        let file = self.folder.file("script.smt2", script);
        let expected = run(self.bare(solver).args(flags).arg(&file), "");
        let (got, started) = self.starts(self.shim(solver).args(flags).arg(&file), "");
        assert_eq!(stdout(&got), stdout(&expected), "{solver} {flags:?}: {script}\n{}", stderr(&got));
        assert_eq!(got.status.code(), expected.status.code(), "{solver} {flags:?}: {script}");
        assert_eq!(started, starts, "{solver} {flags:?}: {script}");
    }
}

/// A failing proof, as verifiers ask for it: its quantifier is no part of a model that z3 could show.
const FAILING: &str = "(set-option :auto_config false)\n(set-option :smt.mbqi false)\n\
    (declare-fun f (Int) Int)\n(declare-const n Int)\n\
    (assert (forall ((i Int)) (! (< (f i) (f (+ i 1))) :pattern ((f i)))))\n\
    (push 1)\n(assert (not (< (f (+ n 3)) (f n))))\n";
const ASKED: &str = "(check-sat)\n(get-info :reason-unknown)\n(get-value (n))\n(pop 1)\n";

#[test]
fn a_proof_that_fails_is_not_tried_again() {
    let place = Place::new();
    let script = format!("{FAILING}{ASKED}");
    let (_, cold) = place.starts(place.shim("z3").arg("-in"), &script);
    assert!(cold > 0);
    place.check("z3", &["-in"], &script, 0);
    // After a reset it is the same script again, in the same process or in another.
    place.check("z3", &["-in"], &format!("(push 1)\n(check-sat)\n(reset)\n{script}"), 0);
    // What was said before, and is in force no more, may have led the search.
    let other =
        format!("(push 1)\n(declare-const m Int)\n(assert (> (* m m) 7))\n(check-sat)\n(pop 1)\n{script}");
    let (_, starts) = place.starts(place.shim("z3").arg("-in"), &other);
    assert!(starts > 0);
    // A question that was not asked before, behind those that were.
    let more = script.replace("(get-value (n))", "(get-value (n))\n(get-value ((f 17)))");
    place.check("z3", &["-in"], &more, 1);
    place.check("z3", &["-in"], &more, 0);
    // Another solver, and other options of this one.
    let (_, starts) = place.starts(place.shim("z3").args(["-in", "smt.random_seed=5"]), &script);
    assert!(starts > 0);
}

/// A limit says nothing of another run.
#[test]
fn an_unknown_of_a_limit_is_asked_again() {
    let place = Place::new();
    let script = "(set-option :rlimit 1000)\n(declare-const x Int)\n(declare-const y Int)\n\
    (declare-const z Int)\n\
        (assert (= (+ (* x x x) (* y y y) (* z z z)) 114))\n(check-sat)\n";
    for _ in 0..2 {
        let (output, starts) = place.starts(place.shim("z3").arg("-in"), script);
        assert_eq!((stdout(&output).as_str(), starts), ("unknown\n", 1));
    }
}

/// An audit asks, whatever is remembered.
#[test]
fn audits_ask_for_what_was_given_up() {
    let place = Place::new();
    let script = format!("{FAILING}(check-sat)\n");
    place.starts(place.shim("z3").arg("-in"), &script);
    let (_, starts) = place.starts(place.shim("z3").arg("-in").env("EVERGREEN_AUDIT", "1"), &script);
    assert!(starts > 0);
}

/// Files with one check that a solver runs by itself: what it prints beside the verdict, and instead of one.
#[test]
fn files_that_only_the_solver_understands() {
    let quantified = "(set-logic UFLIA)\n(declare-fun p (Int) Bool)\n\
        (assert (forall ((x Int)) (! (p x) :qid mine)))\n(assert (not (p 5)))\n(check-sat)\n";
    let unknown = "(set-logic ALL)\n(declare-fun f (Int) Int)\n\
        (assert (forall ((x Int)) (> (f (f x)) (f x) (- x))))\n(assert (= (f 0) (* (f 1) (f 2))))\n\
        (check-sat)\n";
    for (flags, script) in [(&["-o", "inst"][..], quantified), (&["--no-mbqi", "--no-cegqi"][..], unknown)] {
        let place = Place::new();
        let file = place.folder.file("script.smt2", script);
        let (_, cold) = place.starts(place.shim("cvc5").args(flags).arg(&file), "");
        assert!(cold > 0, "{flags:?}");
        place.check_file("cvc5", flags, script, 0);
        // The file goes on in another way.
        place.check_file("cvc5", flags, &format!("{script}(echo \"more\")\n"), 1);
    }
}

/// Values that no model can be read for: of quantifiers, of languages, of a heap.
#[test]
fn values_that_cannot_be_read_are_remembered() {
    for (script, asked) in [
        (
            "(set-logic ALL)\n(set-option :produce-models true)\n(declare-const r Real)\n(check-sat)\n",
            "(get-value ((forall ((s Real)) (=> (>= r s) (>= r s)))))\n(get-value (r))\n",
        ),
        (
            "(set-logic ALL)\n(set-option :produce-models true)\n(declare-const s String)\n(check-sat)\n",
            "(get-value ((re.opt re.allchar)))\n(get-value (s))\n",
        ),
        (
            "(set-logic ALL)\n(set-option :produce-models true)\n(declare-heap (Int Int))\n\
             (declare-const x Int)\n(assert (= x (as sep.nil Int)))\n(check-sat)\n",
            "(get-model)\n",
        ),
    ] {
        let place = Place::new();
        let script = format!("{script}{asked}");
        let file = place.folder.file("script.smt2", &script);
        let (_, cold) = place.starts(place.shim("cvc5").arg(&file), "");
        assert!(cold > 0, "{script}");
        place.check_file("cvc5", &[], &script, 0);
    }
}

/// What is asked of options, names and proofs.
#[test]
fn replies_about_a_script_are_remembered() {
    let begun = "(declare-const x Int)\n(assert (! (< x 5) :named small))\n";
    for (solver, script) in [
        (
            "z3",
            "(set-option :smt.random_seed 7)\n(get-option :produce-models)\n(get-option :smt.random_seed)\n"
                .into(),
        ),
        ("z3", format!("(set-option :produce-assignments true)\n{begun}(check-sat)\n(get-assignment)\n")),
        (
            "z3",
            format!("(set-option :produce-proofs true)\n{begun}(assert (< 5 x))\n(check-sat)\n(get-proof)\n"),
        ),
        (
            "cvc5",
            format!(
                "(set-option :produce-proofs true)\n(set-logic QF_LIA)\n{begun}(assert (< 5 x))\n\
                (check-sat)\n(get-proof)\n"
            ),
        ),
        ("cvc5", "(set-logic QF_LIA)\n(get-option :incremental)\n".into()),
    ] {
        let place = Place::new();
        let file = place.folder.file("script.smt2", &script);
        place.starts(place.shim(solver).arg(&file), "");
        place.check_file(solver, &[], &script, 0);
    }
    // Another value.
    let place = Place::new();
    for seed in [7, 8] {
        let script = format!("(set-option :smt.random_seed {seed})\n(get-option :smt.random_seed)\n");
        place.check_file("z3", &[], &script, 1);
        place.check_file("z3", &[], &script, 0);
    }
}

/// Questions that are separated by resets go to one process, as they would without us.
#[test]
fn resets_cost_no_process() {
    for solver in ["z3", "cvc5", "yices-smt2"] {
        let place = Place::new();
        let mut script = String::new();
        for n in 0..20 {
            script.push_str(&format!(
                "(set-logic QF_UFBV)\n(declare-const x (_ BitVec 32))\n\
                (declare-fun f ((_ BitVec 32)) (_ BitVec 32))\n\
                 (assert (= (bvmul x (f x) x) (_ bv{} 32)))\n(assert (bvult #x00000100 x))\n\
                 (assert (= (bvurem (f x) #x00000007) #x00000003))\n\
                 (push 1)\n(assert (bvult x #x0000ffff))\n(check-sat)\n(pop 1)\n(check-sat)\n(reset)\n",
                6007 * n + 1
            ));
        }
        let flags: &[&str] = match solver {
            "z3" => &["-in"],
            "cvc5" | "yices-smt2" => &["--incremental"],
            _ => &[],
        };
        place.check(solver, flags, &script, 1);
        place.check(solver, flags, &script, 0);
    }
}

/// Places in errors that a solver words are those of the client's script, not of our dialogue.
#[test]
fn errors_of_solvers_have_the_places_of_the_script() {
    let script = "(set-option :produce-models true)\n(set-logic QF_BV)\n(declare-const x (_ BitVec 4))\n\
        (assert (bvult x #x5))\n(check-sat)\n(assert (bvult x\n #x4))\n(check-sat)\n\n\
          (get-value (x\n    y))\n";
    for (solver, flags) in [
        ("z3", &["-in"][..]),
        ("cvc5", &["--incremental"][..]),
        ("yices-smt2", &["--incremental"][..]),
        ("bitwuzla", &[][..]),
    ] {
        let place = Place::new();
        for _ in 0..2 {
            let expected = run(place.bare(solver).args(flags), script);
            let (got, _) = place.starts(place.shim(solver).args(flags), script);
            let error = |output: &Output| {
                let text = stdout(output);
                text.lines().find(|line| line.starts_with("(error")).map(String::from)
            };
            assert!(error(&expected).is_some(), "{solver}: {}", stdout(&expected));
            assert_eq!(error(&got), error(&expected), "{solver}: {}", stdout(&got));
        }
    }
}

/// `(set-option :regular-output-channel …)`: answers go to that file, and come back.
#[test]
fn answers_go_where_an_option_says() {
    let script = "(set-logic QF_BV)\n(declare-const x Bool)\n(assert x)\n(check-sat)\n\
        (set-option :regular-output-channel \"answers\")\n(check-sat)\n(echo \"there\")\n\
        (set-option :regular-output-channel \"stdout\")\n(echo \"here\")\n\
        (set-option :regular-output-channel \"/none/such\")\n(echo \"still here\")\n";
    for (solver, flags) in [("z3", &["-in"][..]), ("yices-smt2", &["--incremental"][..])] {
        let place = Place::new();
        let file = place.folder.path("answers");
        let inside = |command: &mut Command| {
            let _ = std::fs::remove_file(&file);
            let output = run(command.args(flags).current_dir(place.folder.path("")), script);
            (stdout(&output), std::fs::read_to_string(&file).unwrap_or_default(), output.status.code())
        };
        let expected = inside(&mut place.bare(solver));
        assert_eq!(expected.1.lines().next(), Some("sat"), "{solver}: {expected:?}");
        for _ in 0..2 {
            assert_eq!(inside(&mut place.shim(solver)), expected, "{solver}");
        }
    }
}

/// What a client has set is what it hears, whatever we ask of the process behind; values that an option does
/// not take are refused also where nothing needs the solver.
#[test]
fn options_are_those_of_the_client() {
    let bits = "(set-logic QF_BV)\n(declare-const x Bool)\n(assert x)\n(check-sat)\n";
    for (solver, flags, script) in [
        (
            "cvc5",
            &["--incremental"][..],
            format!("(get-option :produce-models)\n{bits}(get-option :produce-models)\n"),
        ),
        ("yices-smt2", &["--incremental"][..], format!("(get-option :produce-models)\n{bits}")),
        (
            "cvc5",
            &["--incremental"][..],
            format!("(set-option :produce-models true)\n(get-option :produce-models)\n{bits}"),
        ),
        (
            "yices-smt2",
            &["--incremental"][..],
            "(declare-const x Bool)\n(check-sat)\n(echo \"on\")\n".to_string(),
        ),
        ("yices-smt2", &["--incremental"][..], "(push 1)\n(set-logic QF_BV)\n(check-sat)\n".to_string()),
        (
            "z3",
            &["-in"][..],
            format!(
                "(get-option :produce-models)\n(set-option :produce-models false)\n\
                (get-option :produce-models)\n{bits}"
            ),
        ),
        ("z3", &["-in"][..], format!("(set-option :smt.random_seed abc)\n{bits}")),
        ("z3", &["-in", "smt.random_seed=abc"][..], bits.to_string()),
        ("cvc5", &["--tlimit=abc"][..], bits.to_string()),
    ] {
        let place = Place::new();
        for _ in 0..2 {
            let expected = run(place.bare(solver).args(flags), &script);
            let (got, _) = place.starts(place.shim(solver).args(flags), &script);
            assert_eq!(stdout(&got), stdout(&expected), "{solver} {flags:?}: {script}");
            assert_eq!(got.status.code(), expected.status.code(), "{solver} {flags:?}: {script}");
        }
    }
}

/// cvc5 writes a core with a name on each line.
#[test]
fn cores_are_laid_out_as_the_solver_does() {
    let script = "(set-option :produce-unsat-cores true)\n(set-logic QF_LIA)\n(declare-const x Int)\n\
        (assert (! (> x 1) :named |a b|))\n(check-sat)\n(assert (! (< x 1) :named b))\n(check-sat)\n\
        (get-unsat-core)\n";
    let sorted = |output: &Output| {
        let text = stdout(output);
        let mut lines: Vec<String> = text.lines().map(String::from).collect();
        lines[3..].sort();
        lines
    };
    let place = Place::new();
    let expected = run(place.bare("cvc5").arg("--incremental"), script);
    for _ in 0..2 {
        let (got, _) = place.starts(place.shim("cvc5").arg("--incremental"), script);
        assert_eq!(sorted(&got), sorted(&expected));
    }
}
