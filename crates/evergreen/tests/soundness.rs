//! Scripts that try to make a reused answer a wrong one; the expected verdicts come from z3 itself, asked
//! each time.
//!
//! Every script of `tests/soundness/` runs under each configuration on one store that *all* scripts share,
//! forwards and then backwards, so that an answer recorded for one script meets the questions of every other.
//! What is left open by the standard, declared twice, shadowed, cut apart or written at the edge of 64 bits:
//! one idea per file.

use crate::common;

use crate::common::{CONFIGURATIONS, bare, errors, memory, run, verdicts};
use std::path::Path;

fn scripts() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/soundness");
    let mut scripts: Vec<(String, String)> = std::fs::read_dir(&folder)
        .expect("the folder of scripts")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|e| e == "smt2"))
        .map(|path| {
            let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
            (name, std::fs::read_to_string(&path).expect("a script"))
        })
        .collect();
    scripts.sort();
    assert!(scripts.len() >= 50, "only {} scripts in {}", scripts.len(), folder.display());
    scripts
}

#[test]
fn every_verdict_is_the_bare_solvers() {
    let scripts: Vec<(String, String, String)> = scripts()
        .into_iter()
        .map(|(name, text)| {
            let expected = bare(&text);
            assert!(!verdicts(&expected).is_empty(), "{name}: z3 gives no verdict:\n{expected}");
            (name, text, expected)
        })
        .collect();
    let under = |configuration: &str, canon, slice| {
        let (mut wrong, store) = (Vec::new(), memory());
        let (cold, warm) = (scripts.iter(), scripts.iter().rev());
        for (round, (name, text, expected)) in cold.map(|s| ("cold", s)).chain(warm.map(|s| ("warm", s))) {
            let got = run(text, &store, canon, slice);
            let same = verdicts(&got.output) == verdicts(expected);
            // A reused answer needs no solver, so what only the solver would refuse is not refused then.
            let complained = round == "warm" || errors(&got.output) == errors(expected);
            if !same || !complained {
                wrong.push(format!(
                    "{name} ({configuration}, {round})\n--- z3\n{expected}--- evergreen\n{}",
                    got.output
                ));
            }
            // An assertion that z3 refused may well be false in its model.
            if got.stats.engine.contradicted > 0 && errors(expected) == 0 {
                wrong.push(format!(
                    "{name} ({configuration}, {round}): our evaluation contradicts z3's model"
                ));
            }
        }
        wrong
    };
    // Each has a store of its own.
    let wrong: Vec<String> = std::thread::scope(|scope| {
        let under = &under;
        let all = CONFIGURATIONS.map(|(name, canon, slice)| scope.spawn(move || under(name, canon, slice)));
        all.into_iter().flat_map(|one| one.join().expect("a configuration")).collect()
    });
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}

/// We read the tester, z3 calls it ambiguous and goes on without the assertion: what it answers from then on
/// is not about the assertions that we know, and must not be kept as if it were.
#[test]
fn what_the_solver_refused_is_not_part_of_its_answers() {
    let tree = "(declare-datatypes ((Tree 1)) ((par (X) ((leaf) (node (v X) (l (Tree X)) (r (Tree X)))))))
        (declare-const a (Tree Int))";
    let contradiction = "(assert (forall ((k Int)) (and ((_ is node) a) ((_ is leaf) a) (= k k))))";
    let refused = format!(
        "{tree} (declare-const b (Tree Bool)) (declare-const n Int) {contradiction} (check-sat)
        (assert (> n 0)) (check-sat) (push) (assert (> n 5)) (check-sat) (pop) (check-sat)"
    );
    let taken = format!("{tree} {contradiction} (check-sat)");
    assert_eq!(verdicts(&bare(&refused)), ["sat", "sat", "sat", "sat"]);
    assert_eq!(verdicts(&bare(&taken)), ["unsat"]);
    for (configuration, canon, slice) in CONFIGURATIONS {
        let store = memory();
        let got = run(&refused, &store, canon, slice);
        assert_eq!(verdicts(&got.output), ["sat", "sat", "sat", "sat"], "{configuration}: {}", got.output);
        assert_eq!(errors(&got.output), 1, "{configuration}: {}", got.output);
        assert_eq!(verdicts(&run(&taken, &store, canon, slice).output), ["unsat"], "{configuration}");
    }
}

/// Two names that differ only in bytes that are not UTF-8 must not become one name.
#[test]
fn bytes_that_are_not_text() {
    let run = |script: &[u8]| {
        let options = common::options(Some(memory()), evergreen::CanonMode::Full, true);
        evergreen::run_script(script, options).output
    };
    let names = b"(declare-const |\xff| Bool)(declare-const |\xfe| Bool)(assert |\xff|)(assert (not \
        |\xfe|))(check-sat)";
    let printed = run(names);
    assert_eq!(errors(&printed), 4, "{printed}");
    assert_eq!(verdicts(&printed), ["sat"], "{printed}");
    let strings = b"(declare-const s String)(assert (= s \"\xff\"))(assert (= s \"\xfe\"))(check-sat)";
    assert_eq!(errors(&run(strings)), 2, "{}", run(strings));
    // Old benchmarks have such bytes in remarks and comments.
    let remarks =
        b"(set-info :source |M\xfcller|)(declare-const p Bool)(assert p ; gr\xfc\xdfe\n)(check-sat)";
    assert_eq!(run(remarks), "sat\n");
    // Bytes that no token has: z3 would lose track of where commands end.
    let printed = run(b"(\xe4\\\x17\xd3~: m)(check-sat)(assert \x01)(check-sat)");
    assert_eq!(verdicts(&printed), ["sat", "sat"], "{printed}");
    assert_eq!(errors(&printed), 2, "{printed}");
}

/// A solver that is told on its command line to answer another question must not answer ours.
#[test]
fn flags_that_change_the_meaning() {
    let script = "(declare-const x Int)(declare-const y Int)(assert (= (+ (* 2 x) (* 4 y)) (+ (* 6 x) 1)))\
        (assert (< x (* 3 y y)))(check-sat)";
    let store = memory();
    let mut odd = common::options(Some(store.clone()), evergreen::CanonMode::Full, false);
    odd.solver.args.push("smt.arith.ignore_int=true".into());
    evergreen::run_script(script.as_bytes(), odd);
    let got = run(script, &store, evergreen::CanonMode::Full, false);
    assert_eq!(got.stats.engine.hits(evergreen::Rung::Exact), 0, "the odd answer was kept");
    assert_eq!(verdicts(&got.output), verdicts(&bare(script)));
}

/// Assumptions come back in the solver's spelling; what cannot be matched must not shrink the core.
#[test]
fn unsat_assumptions_suffice() {
    let script =
        "(set-option :produce-unsat-assumptions true)(declare-const p Bool)(declare-const |q r| Bool)\
        (declare-const x Int)(assert (=> p (> x 3)))(assert (=> |q r| (< x 2)))
        (check-sat-assuming (p |q r|))(get-unsat-assumptions)
        (check-sat-assuming ((> x 5) (not  (>   x 4))))(get-unsat-assumptions)
        (check-sat-assuming (|p| (not (not |q r|))))(get-unsat-assumptions)";
    let store = memory();
    for _ in 0..2 {
        let got = run(script, &store, evergreen::CanonMode::Full, true).output;
        assert_eq!(verdicts(&got), ["unsat"; 3], "{got}");
        let answers: Vec<&str> = got.lines().filter(|l| l.starts_with('(')).collect();
        assert_eq!(answers.len(), 3, "{got}");
        // Each pair is needed as a whole.
        assert!(
            answers.iter().all(|a| a.contains('p') && a.contains('q') || a.matches("x").count() == 2),
            "{got}"
        );
    }
}
