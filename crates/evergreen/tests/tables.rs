//! Tables: cells of one array, asserted one by one, are one constraint. Whatever their order, name and
//! commands are, the keys are those of the same cells; whatever is shared over a reset, the answers are those
//! of a session that has read nothing before.

use crate::common::{memory, options};
use evergreen::smtlib::{self, Context};
use evergreen::solver::Command;
use evergreen::store::Store;
use evergreen::{
    CanonMode, Event, Evergreen, KeyBytes, Next, Question, Reuse, Rung, Session, SessionOptions, TermId,
    Verdict, run_script,
};
use evergreen_testing::random::Random;
use std::collections::BTreeSet;
use std::sync::Arc;

const BYTES: &str =
    "(declare-fun a () (Array (_ BitVec 32) (_ BitVec 8)))\n(declare-fun i () (_ BitVec 32))\n";
const READ: &str = "(assert (bvult i #x00000010))\n(assert (bvugt (select a i) #x20))\n";

/// The cells of an array.
fn cells(array: &str, values: &[u8]) -> Vec<String> {
    let cell = |(at, value): (usize, &u8)| {
        format!("(assert (=  (select {array} (_ bv{at} 32) ) (_ bv{value} 8) ) )\n")
    };
    values.iter().enumerate().map(cell).collect()
}

fn table(values: &[u8]) -> String {
    cells("a", values).concat()
}

fn values() -> Vec<u8> {
    (0..20).map(|n| n * 3).collect()
}

/// What a session over a script prints, and the keys that it looked up.
fn run(script: &str, options: SessionOptions) -> (String, BTreeSet<KeyBytes>) {
    let mut options = options;
    options.engine.log = true;
    let mut session = Session::new(options);
    session.feed(script.as_bytes());
    session.end_of_input();
    let mut out = String::new();
    while let Some(Next::Continue) = session.step(&mut out) {}
    let keys = session.take_events().into_iter().filter_map(|event| match event {
        Event::Missed { key } | Event::Reused { key, .. } => Some(key),
        _ => None,
    });
    (out, keys.collect())
}

fn with(store: Option<Arc<dyn Store>>) -> SessionOptions {
    options(store, CanonMode::Full, true)
}

fn keys(script: &str) -> BTreeSet<KeyBytes> {
    let (out, keys) = run(script, with(Some(memory())));
    assert!(out.contains("sat\n"), "{out}");
    assert!(!keys.is_empty());
    keys
}

#[test]
fn a_table_has_one_key_whatever_its_order_name_and_commands() {
    let plain = format!("{BYTES}{}{READ}(check-sat)", table(&values()));
    let expected = keys(&plain);
    let mut reversed = cells("a", &values());
    reversed.reverse();
    let bodies = cells("a", &values()).concat().replace("(assert ", "").replace(") )\n", ")\n");
    let exchanged: String =
        (0..20).map(|n| format!("(assert (= (_ bv{} 8) (select a (_ bv{n} 32))))\n", n * 3)).collect();
    let (first, second) = (cells("a", &values()[..7]).concat(), cells("a", &values())[7..].concat());
    for (what, other) in [
        ("reversed", format!("{BYTES}{}{READ}(check-sat)", reversed.concat())),
        ("renamed", plain.replace("select a", "select other").replace("declare-fun a", "declare-fun other")),
        ("one conjunction", format!("{BYTES}(assert (and {bodies}))\n{READ}(check-sat)")),
        ("exchanged", format!("{BYTES}{exchanged}{READ}(check-sat)")),
        ("last", format!("{BYTES}{READ}{}(check-sat)", table(&values()))),
        ("in two runs", format!("{BYTES}{first}{READ}{second}(check-sat)")),
        ("one by one", format!("(set-option :print-success true)\n{plain}")),
        (
            "one cell twice",
            format!("{BYTES}{}{}{READ}(check-sat)", cells("a", &values())[3], table(&values())),
        ),
        ("on levels", format!("{BYTES}(push 1)\n{first}(push 1)\n{second}{READ}(check-sat)")),
    ] {
        assert_eq!(keys(&other), expected, "{what}");
    }
}

#[test]
fn tables_that_differ_have_other_keys() {
    let of = |values: &[u8]| keys(&format!("{BYTES}{}{READ}(check-sat)", table(values)));
    let expected = of(&values());
    let mut one_other = values();
    one_other[7] += 1;
    let mut longer = values();
    longer.push(0);
    let gap = cells("a", &values()).into_iter().enumerate().filter(|(n, _)| *n != 5).map(|(_, c)| c);
    let gap: String = gap.collect();
    let all = [
        of(&one_other),
        of(&longer),
        of(&values()[..19]),
        keys(&format!("{BYTES}{gap}{READ}(check-sat)")),
        keys(&format!("{BYTES}{}{READ}(check-sat)", table(&values()).replace("bv19 32", "bv99 32"))),
    ];
    for (n, other) in all.iter().enumerate() {
        assert_ne!(*other, expected, "{n}");
        assert!(all[..n].iter().all(|earlier| earlier != other), "{n}");
    }
}

/// Queries and what z3 says of each: fixed here, so that reading alone cannot change them.
fn known() -> Vec<(String, &'static str)> {
    let table = table(&values());
    let query = |text: &str| format!("{BYTES}{table}{text}");
    vec![
        (query("(assert (= (select a i) #x04)) (assert (bvult i #x00000014))"), "unsat"),
        (query("(assert (= (select a i) #x04))"), "sat"),
        (query("(assert (= (select a i) #x06)) (assert (bvult i #x00000014))"), "sat"),
        (
            query(
                "(assert (= (select a i) #x06)) (assert (bvult i #x00000014)) (assert (not (= i \
                 #x00000002)))",
            ),
            "unsat",
        ),
        (query("(assert (= (select a #x00000003) #x0a))"), "unsat"),
        (query("(assert (= (select a #x00000003) #x09))"), "sat"),
        (query("(assert (= (select a #x00000033) #x09))"), "sat"),
        (query("(assert (not (= (select a #x00000003) #x09)))"), "unsat"),
        (
            query("(declare-fun x () (_ BitVec 8)) (assert (= (select a #x00000003) x)) (assert (= x #x00))"),
            "unsat",
        ),
        (
            query(
                "(declare-fun b () (Array (_ BitVec 32) (_ BitVec 8))) (assert (= b a)) (assert (= (select b \
                 #x00000001) #x02))",
            ),
            "unsat",
        ),
        (
            query("(assert (= (select (store a #x00000003 #x77) i) #x77)) (assert (bvult i #x00000014))"),
            "sat",
        ),
        (query("(assert (= (select (store a #x00000003 #x77) #x00000004) #x77))"), "unsat"),
    ]
}

#[test]
fn what_a_table_says_is_so_cold_and_warm() {
    let store = memory();
    for pass in ["cold", "warm"] {
        let mut script = String::new();
        for (query, _) in known() {
            script += &format!("{query}\n(check-sat)\n(reset)\n");
        }
        let said = run_script(script.as_bytes(), with(Some(store.clone())));
        let expected: String = known().iter().map(|(_, verdict)| format!("{verdict}\n")).collect();
        assert_eq!(said.output, expected, "{pass}");
        assert!(pass == "cold" || said.stats.solved() == 0, "{} are solved again", said.stats.solved());
    }
}

#[test]
fn values_of_a_reused_model_agree_with_the_table() {
    let store = memory();
    let query = format!(
        "{BYTES}{}(assert (= (select a i) #x06)) (assert (bvult i #x00000014)) (check-sat)\n(get-value (i \
         (select a i) (select a (_ bv19 32)) (select a (_ bv0 32))))",
        table(&values())
    );
    run_script(query.as_bytes(), with(Some(store.clone())));
    let warm = run_script(query.as_bytes(), with(Some(store)));
    assert_eq!(warm.stats.solver_starts, 0, "the record has a model");
    assert_eq!(
        warm.output,
        "sat\n((i #x00000002)\n ((select a i) #x06)\n ((select a (_ bv19 32)) #x39)\n ((select a (_ bv0 32)) \
         #x00))\n"
    );
}

#[test]
fn a_core_beside_a_table_is_one() {
    let named = "(assert (! (= (select a i) #x04) :named read)) (assert (! (bvult i #x00000014) :named low)) \
        (assert (! (bvult i #x00000100) :named beside))";
    let script = format!(
        "(set-option :produce-unsat-cores true)\n{BYTES}{}{named}\n(check-sat)\n(get-unsat-core)",
        table(&values())
    );
    let store = memory();
    for pass in ["cold", "warm"] {
        let said = run_script(script.as_bytes(), with(Some(store.clone()))).output;
        let core = said.strip_prefix("unsat\n").unwrap_or_else(|| panic!("{pass}: {said}"));
        assert!(core.contains("read") && core.contains("low"), "{pass}: {core}");
    }
}

/// Scripts in which the same bytes mean something else after a reset, or in another scope.
fn shifting() -> Vec<String> {
    let table = table(&values());
    let read = "(assert (= (select a i) #x04)) (assert (bvult i #x00000014))\n(check-sat)\n";
    let low = "(assert (= (select a #x00000003) #x0a))\n(check-sat)\n";
    let wide = "(declare-fun a () (Array (_ BitVec 32) (_ BitVec 16)))\n(declare-fun i () (_ BitVec 32))\n";
    let function = "(declare-fun a ((_ BitVec 32)) (_ BitVec 8))\n(declare-fun i () (_ BitVec 32))\n";
    let defined = "(declare-fun c () (Array (_ BitVec 32) (_ BitVec 8)))\n(declare-fun i () (_ BitVec 32))\n\
        (define-fun a () (Array (_ BitVec 32) (_ BitVec 8)) (store c #x00000003 #x0a))\n";
    vec![
        // Another sort: the literals do not fit any more, and every cell is an error.
        format!("{BYTES}{table}{read}(reset)\n{wide}{table}(check-sat)\n"),
        format!("{BYTES}{table}{read}(reset)\n{function}{table}(check-sat)\n"),
        // A definition in place of a declaration: one cell contradicts it.
        format!("{BYTES}{table}{read}(reset)\n{defined}{table}(check-sat)\n"),
        format!("{defined}{table}(check-sat)\n(reset)\n{BYTES}{table}(check-sat)\n"),
        // Not declared at all.
        format!("{BYTES}{table}{read}(reset)\n{table}(check-sat)\n"),
        // Declared in a level that is closed, and declared again.
        format!("(push 1)\n{BYTES}{table}{read}(pop 1)\n(push 1)\n{BYTES}{table}{low}(pop 1)\n(check-sat)\n"),
        // A table in a level that is closed says nothing.
        format!("{BYTES}(push 1)\n{table}{low}(pop 1)\n{low}"),
        // Hidden by a variable.
        format!(
            "{BYTES}{table}(assert (let ((a ((as const (Array (_ BitVec 32) (_ BitVec 8))) #x04))) \
             (= (select a i) #x04)))\n(assert (bvult i #x00000014))\n(check-sat)\n(reset)\n{BYTES}{table}\
             (assert (= (select a i) \
             #x04))\n(assert (bvult i #x00000014))\n(check-sat)\n"
        ),
        // Variables that change their meaning between two uses of the same text.
        "(declare-fun x () (_ BitVec 8))\n(declare-fun y () (_ BitVec 8))\n\
         (assert (let ((?B1 x)) (and (bvult ?B1 #x05) (not (= ?B1 #x01)) (not (= (bvadd ?B1 #x01) #x03)))))\n\
         (assert (let ((?B1 y)) (and (bvult #x05 ?B1) (not (= ?B1 #x01)) (not (= (bvadd ?B1 #x01) #x03)))))\n\
         (assert (= (bvadd x #x02) y))\n(check-sat)\n(reset)\n(declare-fun x () (_ BitVec 16))\n\
         (assert (let ((?B1 ((_ extract 7 0) x))) (and (bvult ?B1 #x05) (not (= ?B1 #x01)))))\n(check-sat)\n"
            .to_string(),
        // A function of a theory that is declared: from then on only the solver knows.
        format!("{BYTES}{table}{read}(reset)\n(declare-fun select (Int) Int)\n{BYTES}{table}{low}"),
        // Global declarations stay over a pop, and not over a reset.
        format!(
            "(set-option :global-declarations true)\n(push 1)\n{BYTES}(pop 1)\n{table}{low}(reset)\n{table}\n\
             {BYTES}{table}{read}"
        ),
        // Contradicting cells, as such and through a second table.
        format!("{BYTES}{table}{}(check-sat)\n", table.replace("bv57 8", "bv58 8")),
        format!("{BYTES}{table}(check-sat)\n(reset)\n{BYTES}{}{low}", table.replace("bv9 8", "bv10 8")),
    ]
}

/// The script cut at its resets, each query in a session that has read nothing before and reuses nothing.
fn unshared(script: &str) -> String {
    let queries = script.split_inclusive("(reset)\n");
    let mut plain = with(None);
    plain.engine.reuse = Reuse::None;
    plain.engine.canon = CanonMode::Off;
    queries.map(|query| run_script(query.as_bytes(), plain.clone()).output).collect()
}

/// Verdicts, and how many errors stand before each: their text has line numbers.
fn shape(output: &str) -> Vec<&str> {
    let line = |line| match line {
        "sat" | "unsat" | "unknown" => line,
        _ => "other",
    };
    output.lines().map(line).collect()
}

#[test]
fn the_same_bytes_mean_something_else_after_a_reset() {
    for script in shifting() {
        let expected = unshared(&script);
        let store = memory();
        for pass in ["cold", "warm"] {
            let said = run_script(script.as_bytes(), with(Some(store.clone()))).output;
            assert_eq!(
                shape(&said),
                shape(&expected),
                "{pass}:\n{script}\nsaid:\n{said}\nexpected:\n{expected}"
            );
        }
    }
}

/// A random query: tables from a small pool, so that they meet again in part, and constraints on reads.
fn random_query(random: &mut Random) -> String {
    let mut text = String::new();
    let width = if random.one_in(4) { 4 } else { 32 };
    for array in ["a", "b"] {
        text += &format!("(declare-fun {array} () (Array (_ BitVec {width}) (_ BitVec 8)))\n");
    }
    text += &format!("(declare-fun i () (_ BitVec {width}))\n");
    for array in ["a", "b"] {
        let mut lines: Vec<String> = Vec::new();
        let length = *random.choose(&[0, 3, 15, 16]);
        for at in 0..length {
            let value = if random.one_in(40) { 7 } else { at * 5 % 11 };
            lines.push(format!("(assert (=  (select {array} (_ bv{at} {width}) ) (_ bv{value} 8) ) )\n"));
        }
        match random.below(5) {
            0 => random.shuffle(&mut lines),
            1 if !lines.is_empty() => {
                let again = random.choose(&lines).clone();
                lines.push(again);
            }
            2 if !lines.is_empty() => {
                lines.remove(random.below(lines.len()));
            }
            _ => {}
        }
        if random.one_in(5) && !lines.is_empty() {
            let at = random.below(lines.len());
            lines.insert(at, format!("(assert (= (select {array} i) #x07))\n"));
        }
        text += &lines.concat();
    }
    for _ in 0..1 + random.below(3) {
        let (array, value) = (*random.choose(&["a", "b"]), random.below(12));
        text += &match random.below(4) {
            0 => format!("(assert (= (select {array} i) (_ bv{value} 8)))\n"),
            1 => {
                format!("(assert (not (= (select {array} (_ bv{} {width})) (_ bv{value} 8))))\n", value % 16)
            }
            2 => format!("(assert (bvult i (_ bv{} {width})))\n", value % 16),
            _ => format!(
                "(assert (let ((?B1 (select {array} i))) (bvugt (bvadd ?B1 (select b (_ bv1 {width}))) \
                 (_ bv{value} 8))))\n"
            ),
        };
    }
    text + "(check-sat)\n"
}

#[test]
fn random_tables_get_the_answers_and_keys_of_an_unshared_reading() {
    let mut random = Random::new(20_261_116);
    let queries: Vec<String> = (0..120).map(|_| random_query(&mut random)).collect();
    let script = queries.join("(reset)\n");
    let expected = unshared(&script);
    let store = memory();
    for pass in ["cold", "warm"] {
        let mut session = Session::new(with(Some(store.clone())));
        let (mut rest, mut out) = (script.as_bytes(), String::new());
        while !rest.is_empty() {
            let (now, later) = rest.split_at(rest.len().min(1 + random.below(3_000)));
            session.feed(now);
            rest = later;
            while session.step(&mut out).is_some() {}
        }
        session.end_of_input();
        while session.step(&mut out).is_some() {}
        assert_eq!(out, expected, "{pass}");
        assert!(pass == "cold" || session.stats().solved() == 0, "a warm pass solves nothing");
    }
    // One by one, with an answer to each command, nothing is read as a run: the keys are the same.
    for query in queries.iter().take(40) {
        let (_, shared) = run(query, with(Some(store.clone())));
        let (_, one_by_one) =
            run(&format!("(set-option :print-success true)\n{query}"), with(Some(store.clone())));
        assert_eq!(shared, one_by_one, "{query}");
    }
}

/// A session in front of Yices, which writes models in a form of its own.
fn with_yices(store: &Arc<dyn Store>) -> SessionOptions {
    let mut options = with(Some(store.clone()));
    options.solver = Command::new(evergreen_testing::tools::find("yices-smt2"));
    options.solver.args.push("--incremental".into());
    options
}

#[test]
fn arrays_in_models_of_yices_are_kept() {
    let store = memory();
    let script = format!(
        "(set-logic QF_AUFBV)\n{BYTES}(assert (= (bvadd (select a i) (select a #x00000001)) #x2a))\n(assert \
         (= (select a #x00000001) #x20))\n(assert (bvugt i #x00000003))\n(check-sat)\n\
         (get-value ((select a i)))\n(get-value \
         ((select a (_ bv1 32))))\n"
    );
    let cold = run_script(script.as_bytes(), with_yices(&store));
    assert!(cold.output.starts_with("sat\n"), "{}", cold.output);
    let warm = run_script(script.as_bytes(), with_yices(&store));
    assert_eq!(warm.output, "sat\n(((select a i) #b00001010))\n(((select a (_ bv1 32)) #b00100000))\n");
    assert_eq!(warm.stats.solver_starts, 0, "the record has the arrays");
}

#[test]
fn values_after_unsat_are_refused_as_the_solver_refuses_them() {
    let query = format!(
        "(set-logic QF_AUFBV)\n{BYTES}(assert (= (select a i) #x2a))\n(assert (= (select a i) #x2b))\n\
         (check-sat)\n{}",
        "(get-value (i))\n".repeat(3)
    );
    let script = format!("{query}(reset)\n{query}");
    let store = memory();
    for pass in ["cold", "warm"] {
        let said = run_script(script.as_bytes(), with_yices(&store));
        let refused = "(error \"the context is unsatisfiable\")\n".repeat(3);
        assert_eq!(said.output, format!("unsat\n{refused}unsat\n{refused}"), "{pass}");
        assert_eq!(said.exit, 0, "{pass}: Yices does not count errors");
        let most = if pass == "cold" { 2 } else { 0 };
        assert!(said.stats.solver_starts <= most, "{pass}: {} starts", said.stats.solver_starts);
    }
}

/// The library over a store, and the assertions of a script in its arena.
fn library(store: &Arc<dyn Store>, script: &str) -> (Evergreen, Vec<TermId>) {
    let builder = Evergreen::builder().with_store(store.clone()).solver("none").log_events();
    let mut library = builder.build().expect("a store in memory opens");
    let mut context = Context::new(library.terms());
    let mut asserted = Vec::new();
    for located in context.read_script(library.terms(), script.as_bytes()).expect("s-expressions") {
        assert!(located.complaint.is_none(), "{:?}", located.complaint);
        if let smtlib::Command::Assert { term, .. } = located.command {
            asserted.push(term);
        }
    }
    (library, asserted)
}

/// Asks on a path of all assertions but the last one, which is new: the verdict, and the events.
fn branch(store: &Arc<dyn Store>, script: &str, question: Question) -> (Verdict, Vec<Event>) {
    let (mut library, asserted) = library(store, script);
    let (new, path) = asserted.split_last().expect("assertions");
    library.push_feasible(path).expect("constraints");
    let answer = library.branch(*new, question).expect("an answer");
    (answer.verdict, library.take_events())
}

fn recorded(events: &[Event]) -> BTreeSet<KeyBytes> {
    let key = |event: &Event| match event {
        Event::Recorded { key, .. } => Some(*key),
        _ => None,
    };
    events.iter().filter_map(key).collect()
}

/// Queries on a path whose last assertion is new: reads of a table at an index that is free, bounded, known,
/// and at a literal one.
fn on_paths() -> Vec<String> {
    let table = table(&values());
    let pairs = "(declare-fun x () (_ BitVec 8))\n(declare-fun y () (_ BitVec 8))\n";
    let other =
        format!("(declare-fun b () (Array (_ BitVec 32) (_ BitVec 8)))\n{}", cells("b", &[7; 17]).concat());
    let beside = "(assert (bvult y #x77))\n(assert (= x #x03))\n";
    vec![
        format!("{BYTES}{table}{READ}"),
        format!("{BYTES}{table}(assert (bvult i #x00000014))\n(assert (= (select a i) #x04))\n"),
        format!("{BYTES}{pairs}{table}{beside}(assert (bvult (bvmul (select a #x00000003) y) #x55))\n"),
        format!(
            "{BYTES}{pairs}{table}{beside}(assert (bvult (bvmul (select a (concat #x000000 x)) y) #x55))\n"
        ),
        format!("{BYTES}{pairs}{other}{table}{beside}(assert (bvult (select b i) (bvadd (select a i) y)))\n"),
    ]
}

#[test]
fn a_path_of_the_library_finds_what_a_session_recorded() {
    for script in on_paths() {
        let store = memory();
        let (said, _) = run(&format!("{script}(check-sat)\n"), with(Some(store.clone())));
        let (verdict, events) = branch(&store, &script, Question::Sat);
        assert_eq!(said, if verdict == Verdict::Sat { "sat\n" } else { "unsat\n" }, "{script}");
        let exact = |event: &Event| matches!(event, Event::Reused { rung: Rung::Exact, .. });
        assert!(events.iter().any(exact) && recorded(&events).is_empty(), "{script}{events:?}");
    }
}

#[test]
fn a_session_finds_what_a_path_of_the_library_recorded() {
    for script in on_paths() {
        let store = memory();
        let (_, events) = branch(&store, &script, Question::Sat);
        let recorded = recorded(&events);
        assert!(!recorded.is_empty(), "{script}{events:?}");
        let mut options = with(Some(store));
        options.engine.log = true;
        let mut session = Session::new(options);
        session.feed(format!("{script}(check-sat)\n").as_bytes());
        let mut out = String::new();
        while session.step(&mut out).is_some() {}
        let exact = |event: Event| match event {
            Event::Reused { key, rung: Rung::Exact, .. } => Some(key),
            _ => None,
        };
        let found: BTreeSet<KeyBytes> = session.take_events().into_iter().filter_map(exact).collect();
        assert!(found.is_superset(&recorded), "{script}");
    }
}

#[test]
fn an_extension_of_a_path_with_a_table_satisfies_the_path() {
    for script in on_paths() {
        let (mut library, asserted) = library(&memory(), &script);
        let (new, path) = asserted.split_last().expect("assertions");
        library.push_feasible(path).expect("constraints");
        let answer = library.branch(*new, Question::Model).expect("an answer");
        let Some(model) = answer.model else {
            assert_eq!(answer.verdict, Verdict::Unsat, "{script}");
            continue;
        };
        let terms = library.terms();
        let mut evaluator = evergreen::Evaluator::new(terms, &model);
        for &constraint in &asserted {
            assert_eq!(evaluator.evaluate(constraint), Ok(&evergreen::Value::Bool(true)), "{script}");
        }
    }
}
