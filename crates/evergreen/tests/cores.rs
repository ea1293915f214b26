//! Cores of whole scripts: what an unsat needs answers scripts that have it, whatever else they have. Proved
//! by counts of solver calls, and by z3 where the answer must change.

use crate::common::duel::{Bare, PATIENCE, differ, tell};
use crate::common::{bare, errors, memory, options, run, verdicts};
use evergreen::run_script;
use evergreen::solver::Command;
use evergreen::store::{OpenOptions, Store, open_layers};
use evergreen::{
    CanonMode, Cores, EngineOptions, Evergreen, Question, Reuse, Rung, ScriptRun, Session, Trust, Verdict,
};
use evergreen_testing::attack::{Attack, Choices};
use evergreen_testing::random::Random;
use evergreen_testing::redis::RedisServer;
use std::sync::Arc;

fn run_full(script: &str, store: &Arc<dyn Store>) -> ScriptRun {
    run(script, store, CanonMode::Full, true)
}

/// Solved queries, hits by cores, cores recorded, processes started.
fn counts(run: &ScriptRun) -> (u64, u64, u64, u64) {
    let e = &run.stats.engine;
    (e.solved, contained(e), e.cores, run.stats.solver_starts)
}

/// Answers found by a recorded core: of the whole script, or of the part that it lies in.
fn contained(stats: &evergreen::Stats) -> u64 {
    stats.hits(Rung::Core) + stats.hits(Rung::Implied)
}

/// A verification condition in small: f0 <= f1 <= … pointwise, by one quantified axiom each, and a goal about
/// f0 and f5. 60 assertions, six of which the goal needs.
fn condition(without: &[usize], more: &str) -> String {
    let mut script = String::from("(set-option :smt.mbqi false)\n(declare-sort U 0)\n(declare-const a U)\n");
    (0..60).for_each(|i| script.push_str(&format!("(declare-fun f{i} (U) Int)\n")));
    script.push_str(more);
    for i in (0..59).filter(|i| !without.contains(i)) {
        let next = i + 1;
        script.push_str(&format!(
            "(assert (forall ((x U)) (! (<= (f{i} x) (f{next} x)) :pattern ((f{i} x)) :qid ax{i})))\n"
        ));
    }
    script.push_str("(push 1)\n(assert (not (<= (f0 a) (f5 a))))\n(check-sat)\n(pop 1)\n");
    script
}

#[test]
fn what_an_unsat_does_not_need_does_not_matter() {
    let store = memory();
    let cold = run_full(&condition(&[], ""), &store);
    assert_eq!((verdicts(&cold.output), counts(&cold)), (vec!["unsat"], (1, 0, 1, 1)));
    // Declarations and axioms that have nothing to do with it, and two fewer of the old ones.
    let more = "(declare-fun g (U Int) Int)\n(declare-const b U)\n(assert (forall ((x U)) (= (g x 0) (f3 \
        x))))\n\
                (assert (< (g a 7) (g b 8)))\n";
    let edited = run_full(&condition(&[40, 58], more), &store);
    assert_eq!((verdicts(&edited.output), counts(&edited)), (vec!["unsat"], (0, 1, 0, 0)));
    // What it needs.
    let broken = condition(&[3], more);
    let expected = bare(&broken);
    assert_ne!(verdicts(&expected), ["unsat"], "z3 does not need the axiom, so this tests nothing");
    let got = run_full(&broken, &store);
    assert_eq!(verdicts(&got.output), verdicts(&expected));
    assert_eq!((got.stats.engine.solved, contained(&got.stats.engine)), (1, 0));
}

#[test]
fn only_the_full_ladder_with_cores_on_uses_them() {
    let store = memory();
    run_full(&condition(&[], ""), &store);
    let levels = [
        (Reuse::Full, Cores::Off),
        (Reuse::Exact, Cores::Always),
        (Reuse::Logical, Cores::Always),
        (Reuse::None, Cores::Always),
    ];
    for (i, (reuse, cores)) in levels.into_iter().enumerate() {
        let mut options = options(Some(memory()), CanonMode::Full, true);
        options.engine = EngineOptions { reuse, cores, ..EngineOptions::default() };
        let got = run_script(condition(&[], "").as_bytes(), options.clone());
        assert_eq!(counts(&got), (1, 0, 0, 1), "{reuse:?} {cores:?} records none");
        options.store = Some(store.clone());
        // The store has a core, but not this script's exact key. The levels from subset on find the part that
        // it lies in by its own core.
        let edited = condition(&[50 + i], "");
        let got = run_script(edited.as_bytes(), options);
        let stats = &got.stats.engine;
        let implied = u64::from(reuse >= Reuse::Subset);
        let expected = (1 - implied, 0, implied);
        let counted = (stats.solved, stats.hits(Rung::Core), stats.hits(Rung::Implied));
        assert_eq!(counted, expected, "{reuse:?} {cores:?}");
    }
    // Looked up, but none found for others.
    let store = memory();
    run_full(&condition(&[], ""), &store);
    let mut options = options(Some(store), CanonMode::Full, true);
    options.engine.cores = Cores::LookUp;
    let hit = run_script(condition(&[57], "").as_bytes(), options.clone());
    assert_eq!(counts(&hit), (0, 1, 0, 0));
    options.engine.namespace = "elsewhere".into();
    let apart = run_script(condition(&[57], "").as_bytes(), options);
    assert_eq!(counts(&apart), (1, 0, 0, 1));
}

/// What the process that is asked for a core finds satisfiable is not solved a second time, unless the client
/// wants to know more of it.
#[test]
fn what_the_second_process_finds_satisfiable_is_an_answer() {
    let mut script = String::from("(declare-fun g (Int) Int)\n");
    for i in 0..20 {
        script.push_str(&format!("(assert (forall ((x Int)) (=> (<= {i} x {}) (> (g x) {i}))))\n", i + 1));
    }
    script.push_str("(check-sat)\n");
    let store = memory();
    let cold = run_full(&script, &store);
    assert_eq!((verdicts(&cold.output), counts(&cold)), (vec!["sat"], (1, 0, 0, 1)));
    assert_eq!(counts(&run_full(&script, &store)), (0, 0, 0, 0));
    let asking = format!("{script}(eval (> (g 7) 7))\n(eval (> (g 8) 7))\n");
    let asked = run_full(&asking, &memory());
    assert_eq!((asked.output.as_str(), counts(&asked)), ("sat\ntrue\ntrue\n", (1, 0, 0, 2)));
    // The same with a contradiction behind it, where the first answer must not stand for the second.
    let then = format!("{script}(assert (< (g 7) 7))\n(check-sat)\n");
    assert_eq!(verdicts(&run_full(&then, &memory()).output), ["sat", "unsat"]);
}

/// Pairs of scripts with the same assertions as text, where what the names mean makes the first unsat and the
/// second not.
#[test]
fn the_same_words_with_another_meaning() {
    let noise = "(declare-const noise Int)\n(assert (> noise 17))\n";
    let pairs = [
        ("(declare-const x Int)", "(declare-const x Real)", "(assert (> x 0))\n(assert (< x 1))\n"),
        (
            "(declare-datatypes ((D 0)) (((A))))\n(declare-const d D)",
            "(declare-datatypes ((D 0)) (((A) (B))))\n(declare-const d D)",
            "(assert (not ((_ is A) d)))\n",
        ),
        (
            "(declare-datatypes ((D 0)) (((A) (B))))",
            "(declare-sort D 0)\n(declare-const A D)\n(declare-const B D)",
            "(assert (= A B))\n",
        ),
        (
            "(define-fun limit () Int 3)\n(declare-const x Int)",
            "(define-fun limit () Int 9)\n(declare-const x Int)",
            "(assert (> x 5))\n(assert (< x limit))\n",
        ),
        (
            "(define-fun-rec f ((n Int)) Int (ite (<= n 0) 0 (f (- n 1))))",
            "(define-fun-rec f ((n Int)) Int (ite (<= n 0) 1 (f (- n 1))))",
            "(assert (= (f 2) 1))\n",
        ),
        (
            "(declare-const a (_ BitVec 4))\n(define-fun one () (_ BitVec 4) #x1)",
            "(declare-const a (_ BitVec 8))\n(define-fun one () (_ BitVec 8) #x01)",
            "(assert (= (bvmul a a) (bvadd a a a one)))\n(assert (bvugt a one))\n",
        ),
        (
            "(declare-fun f (Int) Int)",
            "(declare-fun f (Int) Real)",
            "(assert (< 0 (f 1)))\n(assert (< (f 1) 1))\n",
        ),
    ];
    for (first, second, assertions) in pairs {
        let store = memory();
        let one = format!("{first}\n{assertions}(check-sat)\n");
        let two = format!("{second}\n{noise}{assertions}(check-sat)\n");
        let unsat = run_full(&one, &store);
        assert_eq!(verdicts(&unsat.output), verdicts(&bare(&one)), "{one}");
        let other = run_full(&two, &store);
        assert_eq!(errors(&other.output), 0, "{two}{}", other.output);
        assert_eq!(verdicts(&other.output), verdicts(&bare(&two)), "{two}");
        assert_eq!(contained(&other.stats.engine), 0, "{two}");
        // And the first one's words with the first one's meaning are found.
        let third = format!("{first}\n{noise}{assertions}(check-sat)\n");
        let again = run_full(&third, &store);
        assert_eq!(verdicts(&again.output), verdicts(&unsat.output), "{third}");
    }
}

#[test]
fn assumptions_are_members_like_any_other() {
    let store = memory();
    let declared = "(declare-const x (_ BitVec 8))\n(declare-const p Bool)\n(declare-const q \
        Bool)\n(declare-fun f ((_ BitVec 8)) (_ BitVec 8))\n\
                    (assert (=> p (bvsgt (f x) #x03)))\n(assert (=> q (bvslt (f x) #x02)))\n(assert \
                    (distinct (f #x03) (f #x04)))\n";
    let cold = run_full(
        &format!("{declared}(check-sat-assuming (p q))\n(check-sat-assuming (p (not q)))\n"),
        &store,
    );
    assert_eq!(verdicts(&cold.output), ["unsat", "sat"]);
    assert_eq!(cold.stats.engine.cores, 1);
    // Asserted in place of assumed, and the other way round; something new beside it.
    let more = "(declare-const r Bool)\n(assert (or r (= (f #x09) x)))\n";
    let warm = run_full(
        &format!(
            "(set-option :produce-unsat-assumptions true)\n\
             {declared}{more}(push 1)\n(assert q)\n(assert p)\n(check-sat)\n(pop 1)\n(push 1)\n(assert p)\n\
             (assert (bvslt (f x) (f #x07)))\n(check-sat-assuming (r q))\n(get-unsat-assumptions)\n(pop 1)\n"
        ),
        &store,
    );
    assert_eq!(verdicts(&warm.output), ["unsat", "unsat"]);
    assert_eq!((warm.stats.engine.solved, contained(&warm.stats.engine)), (0, 2));
    assert!(warm.output.contains("(q)"), "r is not to blame: {}", warm.output);
    // Without one of the two there is a model.
    let open = format!("{declared}{more}(check-sat-assuming (p r))\n(check-sat-assuming (q r))\n");
    assert_eq!(verdicts(&run_full(&open, &store).output), ["sat", "sat"]);
}

fn without_declarations(script: &str) -> String {
    script.lines().filter(|line| !line.starts_with("(declare-")).map(|line| format!("{line}\n")).collect()
}

/// The second process follows pushes, pops and resets as the first does; a core of another stack would be
/// wrong.
#[test]
fn the_second_process_follows_the_stack() {
    let script = |left: &str, right: &str| {
        format!(
            "(declare-const x (_ BitVec 8))\n(declare-fun f ((_ BitVec 8)) (_ BitVec 8))\n(assert (= (f (f \
             x)) x))\n(push 1)\n(assert (bvsgt (f x) {left}))\n\
             (push 1)\n(assert (bvslt (f x) {right}))\n(check-sat)\n(pop 1)\n(assert (bvslt (f (f x)) \
             #x00))\n(check-sat)\n\
             (push 1)\n(assert (bvsgt x #x00))\n(check-sat)\n(pop 2)\n(check-sat)\n"
        )
    };
    let (a, b, c) = (script("#x05", "#x05"), script("#x09", "#x07"), script("#x07", "#x09"));
    for separator in ["(reset)\n", "(reset-assertions)\n"] {
        let store = memory();
        // z3 keeps what was declared when it resets assertions.
        let all = match separator {
            "(reset)\n" => [&a, &b, &c].map(|s| s.as_str()).join(separator),
            _ => {
                let later = [&b, &c].map(|s| format!("{separator}{}", without_declarations(s)));
                format!("(set-option :global-declarations true)\n{a}{}", later.concat())
            }
        };
        let got = run_full(&all, &store);
        assert_eq!(verdicts(&got.output), verdicts(&bare(&all)), "{all}{}", got.output);
        assert_eq!(got.stats.engine.cores, 3, "the others contain one of these");
        // Whatever was recorded is right for each of them alone, with something beside it.
        for script in [&a, &b, &c] {
            let beside = script.replacen("(push 1)", "(assert (bvslt (f #x0a) (f #x0b)))\n(push 1)", 1);
            let got = run_full(&beside, &store);
            assert_eq!(verdicts(&got.output), verdicts(&bare(&beside)), "{beside}");
            assert!(contained(&got.stats.engine) > 0);
        }
    }
}

#[test]
fn a_client_that_asks_for_cores_gets_one_of_its_own_names() {
    let store = memory();
    let script = |extra: &str| {
        format!(
            "(set-option :produce-unsat-cores true)\n(declare-fun f ((_ BitVec 8)) (_ BitVec \
             8))\n(declare-const x (_ BitVec 8))\n{extra}\
             (assert (! (bvsgt (f x) #x03) :named low))\n(assert (! (= (f #x02) #x07) :named beside))\n\
             (assert (! (bvslt (f x) #x02) :named high))\n(check-sat)\n(get-unsat-core)\n"
        )
    };
    let cold = run_full(&script(""), &store);
    // Every assertion has a name: the client's solver said it all, and no second one was started.
    assert_eq!(counts(&cold), (1, 0, 1, 1), "{}", cold.output);
    let extra = "(declare-const y (_ BitVec 8))\n(assert (! (bvsgt (f y) y) :named extra))\n";
    let warm = run_full(&script(extra), &store);
    assert_eq!(counts(&warm), (0, 1, 0, 0), "{}", warm.output);
    let core = warm.output.lines().last().unwrap_or_default();
    let names: std::collections::BTreeSet<&str> =
        core.trim_matches(['(', ')']).split_ascii_whitespace().collect();
    assert_eq!(names, ["high", "low"].into(), "{}", warm.output);
}

#[test]
fn objectives_and_soft_constraints_are_not_part_of_it() {
    let store = memory();
    let hard = "(declare-const x (_ BitVec 8))\n(declare-fun f ((_ BitVec 8)) (_ BitVec 8))\n(assert (bvsgt \
        (f x) #x03))\n(assert (bvslt (f x) #x02))\n";
    let cold = run_full(
        &format!("{hard}(minimize x)\n(assert-soft (bvsgt x #x09) :weight 2)\n(check-sat)\n"),
        &store,
    );
    assert_eq!((verdicts(&cold.output), cold.stats.engine.cores), (vec!["unsat"], 1));
    let warm =
        run_full(&format!("{hard}(maximize (f x))\n(assert-soft (bvslt x #x09))\n(check-sat)\n"), &store);
    assert_eq!((verdicts(&warm.output), counts(&warm)), (vec!["unsat"], (0, 1, 0, 0)));
}

/// Scripts that share constraints, names and a store, over every theory: subsets of one set of constraints in
/// any order. From one set to the next the names stay and their sorts change. `EVERGREEN_ATTACKS` and
/// `EVERGREEN_SEED` as in `pipeline_random.rs`.
#[test]
fn scripts_that_share_assertions_have_the_verdicts_of_z3() {
    let number = |name: &str, default: u64| {
        let text = std::env::var(name).unwrap_or_else(|_| default.to_string());
        text.parse::<u64>().unwrap_or_else(|_| panic!("{name}: \"{text}\" is no number"))
    };
    let (count, seed) = (number("EVERGREEN_ATTACKS", 60), number("EVERGREEN_SEED", 1));
    let store = memory();
    let open = || {
        let mut options = options(Some(store.clone()), CanonMode::Full, true);
        options.solver.args = vec![PATIENCE.into()];
        Session::new(options)
    };
    let mut bare = Bare::start();
    // Two processes: what one finds, the other reuses.
    let mut sessions = [open(), open()];
    for i in 0..count {
        let mut choices = Choices::seeded(seed.wrapping_mul(7_777_777).wrapping_add(i));
        let attack = Attack::new(&mut choices);
        let constraints = attack.plain().lines().filter(|l| l.starts_with("(assert ")).count();
        let mut random = Random::for_index(seed, i);
        for _ in 0..8 {
            let mut chosen: Vec<usize> = (0..constraints).filter(|_| !random.one_in(4)).collect();
            random.shuffle(&mut chosen);
            let script = attack.only(&chosen);
            let expected = bare.ask(&script);
            for session in &mut sessions {
                let got = tell(session, &script);
                let wrong = differ(&expected, &got) || errors(&got) > 0;
                assert!(
                    !wrong,
                    "EVERGREEN_SEED={seed}, set {i}:\n{script}--- z3\n{expected}--- evergreen\n{got}"
                );
            }
        }
    }
    let hits: u64 = sessions.iter().map(|s| contained(&s.stats().engine)).sum();
    assert!(hits > count / 4, "only {hits} answers came from cores: nothing was tested");
}

/// Whoever can write to a shared store can write a core into it, and nothing in a core can be checked.
#[test]
fn cores_from_a_network_are_used_only_if_it_is_trusted() {
    let server = RedisServer::start();
    let run_trusting = |script: &str, trust: Trust, local: bool| {
        let mut specs = vec![server.url()];
        if local {
            specs.insert(0, "memory:".into());
        }
        let layers = open_layers(&specs, &OpenOptions::default(), Arc::new(|e: &str| panic!("{e}")));
        let store: Arc<dyn Store> = Arc::new(layers.expect("Redis runs"));
        let mut options = options(Some(store.clone()), CanonMode::Full, true);
        options.engine.trust = trust;
        let run = run_script(script.as_bytes(), options);
        store.flush().expect("flushed");
        run
    };
    let cold = run_trusting(&condition(&[], ""), Trust::Local, true);
    assert_eq!(counts(&cold), (1, 0, 1, 1));
    let edited = condition(&[58], "");
    for local in [false, true] {
        let got = run_trusting(&edited, Trust::Local, local);
        assert_eq!((got.stats.engine.solved, got.stats.engine.hits(Rung::Core)), (1, 0));
        assert!(got.stats.engine.distrusted > 0);
        assert_eq!(verdicts(&got.output), ["unsat"]);
    }
    let got = run_trusting(&condition(&[57], ""), Trust::All, true);
    assert_eq!(counts(&got), (0, 1, 0, 0));
}

/// Each solver is asked in its own way for the names, and gives them in its own order.
#[test]
fn every_solver_that_gives_cores_is_understood() {
    for name in ["z3", "cvc5", "bitwuzla", "yices-smt2"] {
        let mut script = String::from("(set-logic QF_BV)\n");
        (0..20).for_each(|i| script.push_str(&format!("(declare-const v{i} (_ BitVec 8))\n")));
        (0..19).for_each(|i| {
            script.push_str(&format!("(assert (bvult (bvmul v{i} v{i}) (bvudiv v{} #x03)))\n", i + 1));
        });
        script.push_str("(assert (= (bvmul v3 v3) #x03))\n(check-sat)\n");
        let store = memory();
        let mut options = options(Some(store.clone()), CanonMode::Full, true);
        options.solver = Command::new(evergreen_testing::tools::find(name));
        options.engine.native = false;
        let cold = run_script(script.as_bytes(), options.clone());
        assert_eq!((verdicts(&cold.output), counts(&cold)), (vec!["unsat"], (1, 0, 1, 2)), "{name}");
        // The first of the chain is not needed: a square is never 3.
        let without = script.replacen("(assert (bvult (bvmul v0 v0)", "(assert (bvugt (bvmul v0 v0)", 1);
        let warm = run_script(without.as_bytes(), options);
        assert_eq!((verdicts(&warm.output), counts(&warm)), (vec!["unsat"], (0, 1, 0, 0)), "{name}");
    }
}

/// After a reset other assertions stand where the old ones stood: a second process that still had the old
/// ones would give a core of those.
#[test]
fn nothing_of_before_a_reset_is_in_a_core() {
    let bounds = |low: &str| {
        format!(
            "(declare-const x Int)\n(declare-fun f (Int) Int)\n(assert (or (> (f x) {low}) (> (f x) 99)))\n\
             (assert (or (< (f x) 7) (< (f x) (- 99))))\n"
        )
    };
    let elsewhere =
        "(push 1)\n(assert (or (> x 0) (> x 9)))\n(assert (or (< x 0) (< x (- 9))))\n(check-sat)\n(pop 1)\n";
    for reset in ["(reset)", "(reset-assertions)"] {
        let later = bounds("1");
        let (option, later) = match reset {
            "(reset)" => ("", later),
            _ => ("(set-option :global-declarations true)\n", without_declarations(&later)),
        };
        let script = format!("{option}{}(check-sat)\n{reset}\n{later}{elsewhere}(check-sat)\n", bounds("50"));
        let store = memory();
        let got = run_full(&script, &store);
        assert_eq!(
            (verdicts(&got.output), got.stats.engine.cores),
            (vec!["unsat", "unsat", "sat"], 2),
            "{script}"
        );
        let open = format!("{}(assert (or (= (f 10) x) (= (f 11) x)))\n(check-sat)\n", bounds("1"));
        assert_eq!(verdicts(&run_full(&open, &store).output), ["sat"], "after {reset}");
    }
}

/// A recursive definition is an axiom without a name: z3 blames `n2` alone for what the definition of f
/// contradicts, because another assertion mentions f. Without f there is nothing wrong with it.
#[test]
fn a_core_that_needs_a_definition_it_does_not_mention() {
    let defined = "(define-fun-rec f ((x Int)) Int (ite (> x 5) (ite (= (f x) 0) 1 0) 0))\n";
    let declared = "(declare-const b Int)\n(declare-const c Int)\n(declare-const d Int)\n";
    let needed = "(assert (! (or (> c 5) (> c 7)) :named n2))\n";
    let mentions = "(assert (! (= b (f c)) :named n1))\n(assert (! (or (> d c) (= d 3)) :named n3))\n";
    let asked = "(check-sat)\n(get-unsat-core)\n";
    // Without cores z3 does not come to an end here.
    let option = "(set-option :produce-unsat-cores true)\n";
    for check in [asked, "(check-sat-assuming ((< d 9)))\n"] {
        let store = memory();
        let script = format!("{option}{defined}{declared}{mentions}{needed}{check}");
        assert_eq!(verdicts(&run_full(&script, &store).output), ["unsat"]);
        assert_eq!(verdicts(&run_full(&script, &store).output), ["unsat"]);
        let without = format!("{declared}{needed}(assert (or (> d b) (= c 8)))\n(check-sat)\n");
        assert_eq!(verdicts(&run_full(&without, &store).output), ["sat"], "{check}");
    }
    // The library too.
    let z3 = evergreen_testing::tools::find("z3").display().to_string();
    let library = Evergreen::builder().store("memory:").solver(&z3).reuse(Reuse::Full);
    let mut library = library.build().expect("z3 is there");
    let terms = library.terms();
    let mut context = evergreen::smtlib::Context::new(terms);
    for command in [defined].into_iter().chain(declared.lines()) {
        context.read(terms, command.as_bytes()).expect("a declaration");
    }
    let mut term = |text: &str| context.read_term(terms, text.as_bytes()).expect("a term");
    let (f, low, other) = (term("(= b (f c))"), term("(or (> c 5) (> c 7))"), term("(or (> d c) (= d 3))"));
    assert_eq!(library.check(&[f, low, other], Question::Core).unwrap().verdict, Verdict::Unsat);
    assert_eq!(library.check(&[low, other], Question::Sat).unwrap().verdict, Verdict::Sat);
}
