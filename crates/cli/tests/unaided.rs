//! Without a solver program: what is built in answers, and the rest is `unknown` with a reason.

use crate::common::{Folder, find, isolated, run, stderr, stdout};
use evergreen_testing::tools::repository;
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};

/// `evergreen` where no solver is installed: nothing is on the path.
fn unaided(folder: &Folder) -> Command {
    let mut command = isolated(Path::new(env!("CARGO_BIN_EXE_evergreen")), folder);
    command.env("PATH", folder.path("empty")).env("EVERGREEN_STORE", folder.path("store"));
    command
}

/// `evergreen solve` on a script, with more flags.
fn solve(folder: &Folder, flags: &[&str], script: &str) -> Output {
    run(unaided(folder).arg("solve").args(flags), script)
}

/// The lines that a script prints; nothing else may be said.
fn answers(folder: &Folder, flags: &[&str], script: &str) -> Vec<String> {
    let output = solve(folder, flags, script);
    assert_eq!(stderr(&output), "", "{}", stdout(&output));
    assert!(output.status.success(), "{}", stdout(&output));
    stdout(&output).lines().map(String::from).collect()
}

const LINEAR: &str = "(declare-const x Int) (declare-const y Int)
    (push 1) (assert (> x 3)) (assert (< (+ x y) 10)) (check-sat) (get-value (x)) (pop 1)
    (push 1) (assert (> x 3)) (assert (< x 4)) (check-sat) (pop 1)
    (assert (= (+ x x) 8)) (check-sat) (get-model)";

#[test]
fn linear_integers_need_no_solver_and_no_word_about_it() {
    let folder = Folder::new();
    for flags in [&[][..], &["--solver", "none"], &["--solver", "none", "--reuse", "none"]] {
        let lines = answers(&folder, flags, LINEAR);
        assert_eq!(lines[0], "sat", "{flags:?} {lines:?}");
        assert!(lines[1].starts_with("((x "), "{flags:?} {lines:?}");
        assert_eq!(lines[2], "unsat", "{flags:?} {lines:?}");
        assert_eq!(lines[3], "sat", "{flags:?} {lines:?}");
        assert!(lines.iter().any(|line| line.trim() == "4)"), "{flags:?} {lines:?}");
    }
}

#[test]
fn bits_arrays_functions_and_cases_need_no_solver() {
    let folder = Folder::new();
    let script = "(set-option :produce-unsat-cores true)
        (declare-const a (Array (_ BitVec 32) (_ BitVec 8))) (declare-const i (_ BitVec 32))
        (push 1) (assert (bvult (select a i) #x10)) (assert (= (select (store a i #x20) i) #x20))
        (check-sat) (get-value ((bvult (select a i) #x10))) (pop 1)
        (push 1) (assert (! (= (bvmul i i) #x00000003) :named square)) (assert (! (= a a) :named same))
        (check-sat) (get-unsat-core) (pop 1)
        (declare-sort U 0) (declare-fun f (U) U) (declare-const u U) (declare-const v U)
        (push 1) (assert (distinct (f u) (f v))) (check-sat) (get-value ((= u v))) (pop 1)
        (push 1) (assert (= u v)) (assert (distinct (f u) (f v))) (check-sat) (pop 1)
        (declare-const x Int)
        (assert (or (< x 0) (> x 9))) (assert (or (= x 5) (= x 12))) (check-sat) (get-value (x))";
    let expected = [
        "sat",
        "(((bvult (select a i) #x10) true))",
        "unsat",
        "(square)",
        "sat",
        "(((= u v) false))",
        "unsat",
        "sat",
        "((x 12))",
    ];
    for flags in [&["--solver", "none"][..], &["--solver", "none", "--reuse", "none"], &["--reuse", "exact"]]
    {
        assert_eq!(answers(&folder, flags, script), expected, "{flags:?}");
    }
    // Without the cores nothing is left but the store, which has all of it.
    assert_eq!(answers(&folder, &["--no-native"], script)[0], "sat");
    let elsewhere = Folder::new();
    let open = solve(
        &elsewhere,
        &["--no-native"],
        "(declare-const p Bool) (declare-const x Int)
        (assert (or p (< x 3))) (assert (> x 3)) (check-sat)",
    );
    assert_eq!(stdout(&open), "unknown\n");
}

#[test]
fn cores_and_assumptions_need_no_solver() {
    let folder = Folder::new();
    let script = "(set-option :produce-unsat-cores true)
        (declare-const x Int) (declare-const y Int)
        (assert (! (> x 3) :named low)) (assert (! (< x 2) :named high)) (assert (! (= y 7) :named other))
        (check-sat) (get-unsat-core)
        (reset) (declare-const x Int) (declare-const a Bool)
        (assert (> x 3))
        (check-sat-assuming ((< x 2))) (get-unsat-assumptions)
        (check-sat-assuming ((< x 9))) (get-value (x))";
    let lines = answers(&folder, &["--solver", "none"], script);
    assert_eq!(lines[..5], ["unsat", "(low high)", "unsat", "((< x 2))", "sat"], "{lines:?}");
    assert!(lines[5].starts_with("((x "), "{lines:?}");
}

#[test]
fn a_theory_that_is_not_built_in_is_named_with_solvers_that_know_it() {
    let folder = Folder::new();
    let script = "(declare-const f Float32) (assert (fp.lt f f)) (check-sat) (get-info :reason-unknown)
        (check-sat) (get-value (f)) (get-info :name)";
    let output = solve(&folder, &[], script);
    let reason = "incomplete: needs floating point; install z3, cvc5 or bitwuzla";
    assert_eq!(
        stdout(&output),
        format!(
            "unknown\n(:reason-unknown \"{reason}\")\nunknown\n\
             (error \"get-value: the last answer is unknown\")\n(:name \"evergreen\")\n"
        )
    );
    // Once a run, however many checks are undecided.
    let said = stderr(&output);
    assert_eq!(said.matches(reason).count(), 1, "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
    // The value that could not be given is an error, as with every solver.
    assert_eq!(output.status.code(), Some(1));
    // Nothing was recorded, so a run with a solver answers.
    let mut aided = unaided(&folder);
    aided.args(["solve", "--solver"]).arg(find("z3")).args(["--mode", "require-hit"]);
    let missed = run(&mut aided, "(declare-const f Float32) (assert (fp.lt f f)) (check-sat)");
    assert_eq!(missed.status.code(), Some(2), "{}", stdout(&missed));
    let mut aided = unaided(&folder);
    aided.args(["solve", "--solver"]).arg(find("z3"));
    let solved = run(&mut aided, "(declare-const f Float32) (assert (fp.lt f f)) (check-sat)");
    assert_eq!(stdout(&solved), "unsat\n", "{}", stderr(&solved));
}

#[test]
fn what_a_solver_recorded_is_reused_without_one() {
    let folder = Folder::new();
    let script = "(declare-const x Int) (declare-const y Int) (assert (= (* x y) 15251))
        (assert (< 1 x y)) (check-sat) (get-value (x y))";
    let before = solve(&folder, &["--solver", "none"], script);
    assert!(stdout(&before).starts_with("unknown\n"), "{}", stdout(&before));
    let mut aided = unaided(&folder);
    aided.args(["solve", "--solver"]).arg(find("z3"));
    let cold = run(&mut aided, script);
    assert!(stdout(&cold).starts_with("sat\n"), "{}{}", stdout(&cold), stderr(&cold));
    for flags in [&["--solver", "none"][..], &["--mode", "require-hit"], &["--mode", "read-only"]] {
        let warm = answers(&folder, flags, script);
        assert_eq!(warm.join("\n"), stdout(&cold).trim_end(), "{flags:?}");
    }
}

#[test]
fn a_named_solver_that_is_missing_is_still_an_error() {
    let folder = Folder::new();
    let script = "(declare-const f Float32) (assert (fp.lt f f)) (check-sat)";
    let output = solve(&folder, &["--solver", "z3"], script);
    assert_eq!(output.status.code(), Some(2));
    assert!(stdout(&output).contains("solver \"\"z3\"\" not found"), "{}", stdout(&output));
}

#[test]
fn what_only_a_solver_has_is_refused_in_words() {
    let folder = Folder::new();
    let script = "(set-option :smt.random_seed 7) (declare-const p Bool) (assert p) (check-sat)
        (get-proof) (simplify p) (minimize 3) (check-sat) (get-info :reason-unknown)
        (assert (no-such-function p)) (get-info :all-statistics) (get-option :produce-models)";
    let output = solve(&folder, &["--solver", "none"], script);
    let lines: Vec<String> = stdout(&output).lines().map(String::from).collect();
    assert_eq!(lines[0], "sat");
    assert_eq!(lines[1], "(error \"get-proof: there is no solver program to ask\")");
    assert_eq!(lines[2], "unsupported");
    assert_eq!(lines[3..5], ["unknown", "(:reason-unknown \"incomplete: needs optimization; install z3\")"]);
    assert!(lines[5].contains("no-such-function"), "{lines:?}");
    assert!(lines[6].starts_with("(:evergreen-queries 2 "), "{lines:?}");
    assert_eq!(lines[7], "true");
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn a_shim_without_its_solver_answers_what_is_built_in() {
    let folder = Folder::new();
    let install = run(unaided(&folder).args(["shim", "install"]).arg(folder.path("shims")), "");
    assert!(stdout(&install).contains("it answers what is built in"), "{}", stdout(&install));
    let mut z3 = isolated(&folder.path("shims/z3"), &folder);
    z3.env("PATH", folder.path("shims")).env("EVERGREEN_STORE", folder.path("store")).args(["-in", "-T:10"]);
    let output = run(&mut z3, LINEAR);
    assert!(stdout(&output).starts_with("sat\n"), "{}", stdout(&output));
    assert_eq!(stderr(&output), "");
    let mut z3 = isolated(&folder.path("shims/z3"), &folder);
    z3.env("PATH", folder.path("shims")).env("EVERGREEN_STORE", folder.path("store")).arg("-in");
    let output = run(&mut z3, "(declare-const r Real) (assert (< r 0.5)) (check-sat)");
    assert_eq!(stdout(&output), "unknown\n");
    assert!(stderr(&output).contains("install z3, cvc5 or yices"), "{}", stderr(&output));
}

#[test]
fn an_audit_without_a_solver_is_refused() {
    let folder = Folder::new();
    let output = solve(&folder, &["--audit", "1"], LINEAR);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("--audit compares with a solver, and there is none"),
        "{}",
        stderr(&output)
    );
}

/// The first command of README.md, in a clone where the program is built already: it installs nothing and
/// starts no solver.
#[test]
fn the_demo_needs_no_solver() {
    let folder = Folder::new();
    for part in ["clone/scripts", "clone/examples/scripts", "clone/target/release", "bin"] {
        std::fs::create_dir_all(folder.path(part)).expect("a folder");
    }
    for file in ["scripts/demo.sh", "examples/scripts/demo.smt2"] {
        std::fs::copy(repository().join(file), folder.path("clone").join(file)).expect("a copy");
    }
    let built = folder.path("clone/target/release/evergreen");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_evergreen"), built).expect("a link");
    // A call that installs something, or builds anything but the command, fails.
    folder
        .program("bin/cargo", "#!/bin/sh\ntest \"$*\" = \"build --release --quiet -p evergreen-smt-cli\"\n");
    ["pip", "pip3", "z3"]
        .iter()
        .for_each(|name| drop(folder.program(&format!("bin/{name}"), "#!/bin/sh\nexit 9\n")));
    let mut demo = isolated(Path::new("bash"), &folder);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths([folder.path("bin")].into_iter().chain(std::env::split_paths(&path)));
    let output = run(demo.env("PATH", path.expect("a path")).arg(folder.path("clone/scripts/demo.sh")), "");
    let said = stdout(&output);
    assert!(output.status.success(), "{said}{}", stderr(&output));
    assert_eq!(
        said.matches("6 queries: 6 answered without a solver, 0 solved, 0 unknown").count(),
        2,
        "{said}"
    );
    assert!(said.contains("((word #x45564752))") && said.contains("the same answers"), "{said}");
    assert!(!said.contains("install"), "{said}");
}

/// `evergreen explore --solver none` on a class: the last event and the report.
fn explore(folder: &Folder, name: &str, source: &str) -> (Value, String) {
    let file = folder.file(&format!("{name}.java"), source);
    let mut command = isolated(Path::new(env!("CARGO_BIN_EXE_evergreen")), folder);
    command.env("EVERGREEN_STORE", "memory:").args(["explore", "--solver", "none"]).arg(file);
    let report = run(&mut command, "");
    let events = run(command.arg("--json"), "");
    let last = stdout(&events).lines().last().unwrap_or_default().to_string();
    (
        serde_json::from_str(&last).unwrap_or_else(|e| panic!("{e}: {last}{}", stderr(&events))),
        stdout(&report),
    )
}

#[test]
fn linear_code_is_explored_completely_without_a_solver() {
    let folder = Folder::new();
    let source = "public class Steps {
        public static int of(int from, int to) {
            if (from < 0 || to > 100) return -1;
            int steps = 0;
            while (from < to && steps < 3) { from += 40; steps++; }
            assert steps < 3 : \"too far\";
            return steps;
        }
    }";
    let (done, report) = explore(&folder, "Steps", source);
    assert_eq!(done["complete"], Value::Bool(true), "{done}");
    assert_eq!((&done["undecided"], &done["solver_calls"]), (&Value::from(0), &Value::from(0)), "{done}");
    assert_eq!(done["findings"], Value::from(1), "{done}");
    assert!(report.contains(", all paths explored, "), "{report}");
}

#[test]
fn products_and_shifts_of_words_are_decided_without_a_solver() {
    let folder = Folder::new();
    let source = "public class Words {
        public static int product(int x, int y) {
            if (x > 1 && y > x && x * y == 391) return 1;
            return 0;
        }
        public static int shifts(int x) {
            if ((x << 3) == 0x1238 && (x >>> 28) == 7) return 1;
            if ((x >> 5) < -4 && (x & 0xff) == 0x5a) return 2;
            return 3;
        }
    }";
    let (done, report) = explore(&folder, "Words", source);
    assert_eq!((&done["complete"], &done["undecided"]), (&Value::Bool(true), &Value::from(0)), "{done}");
    assert!(done["answered"]["bits"].as_u64().is_some_and(|bits| bits > 0), "{done}");
    assert_eq!(done["divergences"], Value::from(0), "each test does on the JVM what it should: {done}");
    assert!(report.contains(", all paths explored, "), "{report}");
}

#[test]
fn arms_that_need_a_solver_are_undecided_and_no_exploration_is_called_complete() {
    let folder = Folder::new();
    let source = "public class Mix {
        public static int of(double share, int count) {
            if (count > 3) return 1;
            if (share * share == 2.0) return 2;
            return 3;
        }
    }";
    let (done, report) = explore(&folder, "Mix", source);
    assert_eq!((&done["complete"], &done["explored"]), (&Value::Bool(false), &"in part".into()), "{done}");
    assert_eq!(done["undecided"], Value::from(1), "{done}");
    assert!(report.contains("not all paths explored"), "{report}");
    assert!(report.contains("needs floating point; install z3, cvc5 or bitwuzla"), "{report}");
    // What can be decided is explored all the same.
    assert!(done["paths"].as_u64().is_some_and(|paths| paths >= 2), "{done}");
}

#[test]
fn the_summary_has_no_solver_calls() {
    let folder = Folder::new();
    let script = "(declare-const r Real) (assert (< r 0.5)) (check-sat) (declare-const x Int)
        (reset-assertions) (declare-const y Int) (assert (< y 3)) (check-sat)";
    let output = solve(&folder, &["--solver", "none", "--summary"], script);
    let said = stderr(&output);
    assert!(
        said.contains("2 queries: 1 answered without a solver, 0 solved, 1 unknown; 2 parts, 0 solver calls"),
        "{said}"
    );
}
