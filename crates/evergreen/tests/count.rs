//! Counts of scripts: against trying all points, cold and warm, and from stores that lie.

use evergreen::smtlib::{Command, Context};
use evergreen::store::{Key, Memory, Origin, Store, StoreError, StoreStats};
use evergreen::{
    Budget, Completion, Count, CountScript, Counted, Domain, Engine, EngineOptions, Evaluator, Event, Int,
    Model, Rank, Record, RecordedVerdict, SymbolId, TermId, Terms, Trust, Value,
};
use evergreen_testing::random::Random;
use std::ops::ControlFlow;
use std::sync::Arc;

fn engine(store: &Arc<dyn Store>) -> Engine {
    Engine::new(Some(store.clone()), EngineOptions { log: true, ..EngineOptions::default() })
}

fn memory() -> Arc<dyn Store> {
    Arc::new(Memory::new(64 << 20))
}

fn count_with(engine: &mut Engine, script: &str, domains: &[(&str, i64, i64)]) -> Counted {
    let mut script =
        CountScript::read(script.as_bytes(), "script").unwrap_or_else(|e| panic!("{e}\n{script}"));
    for (name, lo, hi) in domains {
        script.restrict(name, &Domain::new(*lo, *hi)).unwrap_or_else(|e| panic!("{e}"));
    }
    script.count(engine, Budget::default()).unwrap_or_else(|e| panic!("{e}"))
}

fn shown(count: &Count) -> String {
    match count {
        Count::Exact(n) => n.to_string(),
        Count::Unbounded => "unbounded".to_string(),
        other => format!("{other:?}"),
    }
}

fn check(script: &str, domains: &[(&str, i64, i64)], expected: &str) {
    let counted = count_with(&mut engine(&memory()), script, domains);
    assert_eq!(shown(&counted.count), expected, "{script} {domains:?}");
}

fn number(n: i64) -> String {
    if n < 0 { format!("(- {})", -n) } else { n.to_string() }
}

/// A term of sort Int over `names`.
fn sum(random: &mut Random, names: &[&str], depth: u32) -> String {
    let inner = |random: &mut Random| sum(random, names, depth.saturating_sub(1));
    match if depth == 0 { random.below(2) } else { random.below(9) } {
        0 => number(random.between(-5, 5)),
        1 | 2 => random.pick(names).to_string(),
        3 => format!("(+ {} {})", inner(random), inner(random)),
        4 => format!("(- {} {})", inner(random), inner(random)),
        5 => format!("(* {} {})", number(random.between(-3, 3)), inner(random)),
        6 => {
            let by = *random.choose(&[-3, -2, 2, 3, 5]);
            format!("({} {} {})", random.pick(&["div", "mod"]), inner(random), number(by))
        }
        7 => format!("(abs {})", inner(random)),
        _ => format!("(ite {} {} {})", formula(random, names, 0), inner(random), inner(random)),
    }
}

fn formula(random: &mut Random, names: &[&str], depth: u32) -> String {
    let inner = |random: &mut Random| formula(random, names, depth.saturating_sub(1));
    match if depth == 0 { random.below(4) } else { random.below(11) } {
        0..=2 => {
            let op = random.pick(&["<=", "<", ">=", ">", "=", "distinct"]).to_string();
            let third = if random.one_in(5) { sum(random, names, 1) } else { String::new() };
            format!("({op} {} {} {third})", sum(random, names, 1), sum(random, names, 1))
        }
        3 => "b".to_string(),
        4 => format!("(not {})", inner(random)),
        5 => format!("(and {} {})", inner(random), inner(random)),
        6 => format!("(or {} {} {})", inner(random), inner(random), inner(random)),
        7 => format!("(=> {} {})", inner(random), inner(random)),
        8 => format!("(xor {} {})", inner(random), inner(random)),
        9 => format!("(= {} {})", inner(random), inner(random)),
        _ => format!("(ite {} {} {})", inner(random), inner(random), inner(random)),
    }
}

/// The terms of a script and its declared constants.
fn read(script: &str) -> (Terms, Vec<TermId>, Vec<SymbolId>) {
    let mut terms = Terms::new();
    let mut context = Context::new(&mut terms);
    let commands = context.read_script(&mut terms, script.as_bytes()).expect("a script");
    let (mut asserted, mut declared) = (Vec::new(), Vec::new());
    for located in commands {
        match located.command {
            Command::Assert { term, .. } => asserted.push(term),
            Command::DeclareFun(symbol) => declared.push(symbol),
            other => panic!("{other:?}"),
        }
    }
    (terms, asserted, declared)
}

/// Tries all values: `b` is the last constant, the others are within the domains.
fn brute_force(script: &str, domains: &[(&str, i64, i64)]) -> u64 {
    let (terms, asserted, declared) = read(script);
    let mut point: Vec<i64> = domains.iter().map(|d| d.1).collect();
    let mut found = 0;
    loop {
        for b in [false, true] {
            let mut model = Model::new();
            for (symbol, value) in declared.iter().zip(&point) {
                model.set(*symbol, Value::Int(Int::from(*value)));
            }
            model.set(declared[domains.len()], Value::Bool(b));
            let mut evaluator = Evaluator::new(&terms, &model).completing(Completion::Default);
            found += u64::from(asserted.iter().all(|&a| evaluator.evaluate(a) == Ok(&Value::Bool(true))));
        }
        let Some(at) = (0..point.len()).find(|&at| point[at] < domains[at].2) else { return found };
        point[at] += 1;
        for lower in 0..at {
            point[lower] = domains[lower].1;
        }
    }
}

#[test]
fn random_scripts_against_all_points() {
    let names = ["x", "y", "z"];
    let store = memory();
    let (mut some, mut cases) = (0, 0);
    for index in 0..400 {
        let mut random = Random::for_index(2026, index);
        let used = &names[..1 + random.below(3)];
        let mut script: String = used.iter().map(|n| format!("(declare-const {n} Int)")).collect();
        script += "(declare-const b Bool)";
        let mut domains = Vec::new();
        for name in used {
            let lo = random.between(-4, 2);
            domains.push((*name, lo, lo + random.between(0, 7)));
        }
        for _ in 0..1 + random.below(3) {
            script += &format!("(assert {})", formula(&mut random, used, 2));
        }
        let expected = brute_force(&script, &domains).to_string();
        let counted = count_with(&mut engine(&store), &script, &domains);
        assert_eq!(shown(&counted.count), expected, "{script} {domains:?}");
        some += u64::from(expected != "0");
        cases += counted.cases;
        // And again, from what all the others left in the store.
        let mut warm = engine(&store);
        assert_eq!(shown(&count_with(&mut warm, &script, &domains).count), expected, "warm: {script}");
        let counts = warm.stats().counts;
        assert_eq!(counts.reused, counts.components, "{script}");
        assert_eq!(counts.sub_counts, 0, "{script}");
    }
    assert!(some > 150 && cases > 700, "{some} with solutions, {cases} cases");
}

#[test]
fn what_counters_get_wrong() {
    let x = "(declare-const x Int)";
    let xy = "(declare-const x Int)(declare-const y Int)";
    check("", &[], "1");
    check(x, &[], "unbounded");
    check(x, &[("x", 0, 999)], "1000");
    check(x, &[("x", 5, 4)], "0");
    check(xy, &[("x", 0, 9)], "unbounded");
    check(&format!("{xy}(assert (< x 0))"), &[("x", 0, 9)], "0"); // empty, although y has no end
    check(&format!("{xy}(assert (distinct x y))"), &[("x", 0, 9), ("y", 0, 9)], "90");
    check(&format!("{xy}(assert (or (= x y) (= x (+ y 1))))"), &[("x", 0, 9)], "20");
    check(&format!("{xy}(assert (or (= x y) (< x y)))"), &[("x", 0, 9)], "unbounded");
    check(&format!("{x}(assert (<= 0 x 9))(assert (< x 5))"), &[], "5");
    check(&format!("{x}(assert (or (<= x 3) (>= x 7)))"), &[("x", 0, 9), ("x", 2, 20)], "5");
    check(&format!("{x}(assert false)"), &[], "0");
    check(&format!("{x}(assert (or false true))"), &[("x", 1, 2)], "2");
    check("(declare-const p Bool)(declare-const q Bool)(assert (=> p q))", &[], "3");
    let word = (i64::MIN, i64::MAX);
    let n = 1u128 << 64;
    let less = n * ((n - 1) / 2) + n / 2;
    check(
        &format!("{xy}(assert (< x y))"),
        &[("x", word.0, word.1), ("y", word.0, word.1)],
        &less.to_string(),
    );
    let near = "(assert (<= (* 2147483647 x) (* 2147483646 y)))";
    check(&format!("{xy}{near}"), &[("x", 0, 2147483647), ("y", 0, 2147483647)], "2305843008139952129");
    // Hundreds of digits.
    let all: String =
        (0..40).map(|i| format!("(declare-const v{i} Int)(assert (<= 0 v{i} 999999999))")).collect();
    check(&all, &[], &format!("1{}", "0".repeat(360)));
}

#[test]
fn the_last_check_is_counted() {
    let script = "(declare-const x Int)(assert (<= 0 x 9))(push 1)(declare-const y Int)(assert (<= 0 y \
        x))(check-sat)\
                  (pop 1)(exit)";
    check(script, &[], "55");
    check(&script.replace("(check-sat)", ""), &[], "10");
    check(&script.replace("(check-sat)", "(check-sat-assuming ((= y 3)))"), &[], "7");
}

/// The stack of a script is the one that sessions have: scopes, resets, definitions and names mean the same.
#[test]
fn scopes_are_those_of_a_solver() {
    let global = "(set-option :global-declarations true)";
    let body = "(push 1)(declare-const x Int)(assert (<= 0 x 9))(pop 1)";
    check(&format!("{global}{body}(assert (<= 2 x 4))(check-sat)"), &[], "3");
    check(&format!("{global}{body}"), &[("x", 0, 9)], "10"); // declared, although no assertion is left
    check(body, &[], "1"); // neither
    check(&format!("{global}{body}(reset-assertions)(assert (<= 2 x 5))"), &[], "4");
    check(&format!("{global}{body}(reset)(declare-const y Bool)"), &[], "2");
    check(&format!("{global}(reset){body}(declare-const x Bool)"), &[], "2"); // the option is gone
    check(&format!("(set-option :global-declarations false){body}(declare-const x Bool)"), &[], "2");
    let x = "(declare-const x Int)(assert (<= 0 x 9))";
    check(&format!("{x}(push 3)(assert (> x 3))(pop 2)(check-sat)(pop 1)"), &[], "10");
    check(&format!("{x}(push 2)(assert (> x 3))(pop 0)(check-sat)(pop 2)"), &[], "6");
    check(&format!("{x}(push)(assert (> x 3))(check-sat)(reset-assertions)(declare-const x Bool)"), &[], "6");
    check(&format!("{x}(reset-assertions)(declare-const x Bool)"), &[], "2");
    // Definitions and names, in scopes and out of them.
    let small = "(define-fun small ((n Int)) Bool (< n 4))";
    check(&format!("{x}{small}(assert (small x))"), &[], "4");
    check(&format!("{x}(push 1){small}(pop 1)(define-fun small () Bool (< x 2))(assert small)"), &[], "2");
    check(&format!("{global}{x}(push 1){small}(pop 1)(assert (small x))"), &[], "4");
    let named = "(assert (! (or (< x 3) (> x 7)) :named low))";
    check(&format!("{x}{named}(assert (=> low (= x 1)))"), &[], "1");
    check(&format!("{x}(push 1){named}(check-sat)(pop 1)"), &[], "5");
    check(&format!("{global}{x}(push 1){named}(pop 1)(check-sat-assuming (low))"), &[], "5");
    check(&format!("{x}{named}(check-sat-assuming ((not low)))"), &[], "0");
    check(&format!("{x}(check-sat-assuming ((> x 5)))(check-sat)(get-value (x))"), &[], "10");
}

#[test]
fn what_is_not_linear_is_refused_with_its_place() {
    let refused = |script: &str| {
        let read = CountScript::read(script.as_bytes(), "f.smt2");
        let counted = read.and_then(|s| s.count(&mut engine(&memory()), Budget::default()).map(|_| ()));
        counted.expect_err(script).lines().next().unwrap_or_default().to_string()
    };
    let xy = "(declare-const x Int)\n(declare-const y Int)\n";
    let refused_xy = |assertion: &str| refused(&format!("{xy}(assert (> x 0))\n(assert {assertion})"));
    assert_eq!(
        refused_xy("(> (* x y) 3)"),
        "f.smt2:4:1: cannot count \"(* x y)\": a product of variables is not linear"
    );
    assert_eq!(
        refused_xy("(> (mod x y) 3)"),
        "f.smt2:4:1: cannot count \"(mod x y)\": a division by a variable is not linear"
    );
    assert_eq!(
        refused_xy("(> (div x 0) 3)"),
        "f.smt2:4:1: cannot count \"(div x 0)\": a division by zero may be anything"
    );
    assert_eq!(
        refused_xy("(forall ((z Int)) (> z x))"),
        "f.smt2:4:1: cannot count \"(forall ((?0 Int)) (> ?0 x))\": not linear integer arithmetic"
    );
    assert_eq!(refused("(declare-const r Real)"), "f.smt2:1:1: \"r\" is of sort Real");
    assert_eq!(refused("(declare-const v (_ BitVec 8))"), "f.smt2:1:1: \"v\" is of sort (_ BitVec 8)");
    assert_eq!(refused("(declare-fun f (Int) Int)"), "f.smt2:1:1: \"f\" is a function");
    // An axiom that no assertion mentions: this one has no model.
    let endless = "(define-fun-rec f ((n Int)) Int (+ 1 (f n)))";
    let recursive = "cannot count under a recursive definition";
    assert_eq!(refused(endless), format!("f.smt2:1:1: {recursive}"));
    let global = "(set-option :global-declarations true)\n";
    assert_eq!(refused(&format!("{global}(push 1){endless}(pop 1)")), format!("f.smt2:2:9: {recursive}"));
    check(&format!("(push 1){endless}(pop 1)"), &[], "1");
    // Solvers refuse this too.
    let late = "whether declarations are global cannot be changed any more";
    assert_eq!(refused(&format!("{xy}{global}")), format!("f.smt2:3:1: {late}"));
    assert_eq!(
        refused(&format!("{global}{xy}(set-option :global-declarations false)")),
        format!("f.smt2:4:1: {late}")
    );
    let deep = format!("(declare-const x Int)(assert (> {} x {} 0))", "(+ ".repeat(5000), " 1)".repeat(5000));
    assert!(refused(&deep).contains("nested too deeply"), "{}", refused(&deep));
}

/// Out of budget there are bounds, and the number lies between them.
#[test]
fn many_cases_are_bounded() {
    let n = 14;
    let mut script: String =
        (0..n).map(|i| format!("(declare-const v{i} Int)(assert (<= 0 v{i} 3))")).collect();
    for i in 0..n {
        let (j, k) = ((i * 5 + 1) % n, (i * 3 + 2) % n);
        script += &format!("(assert (or (= v{i} v{j}) (< (+ v{i} v{j}) v{k}) (> v{k} (+ 1 v{i}))))");
    }
    let script = CountScript::read(script.as_bytes(), "script").expect("a script");
    match script.count(&mut engine(&memory()), Budget { steps: 300 }).expect("linear").count {
        Count::Bounds { lo, hi, .. } => {
            assert!(lo < hi && hi <= num_bigint::BigUint::from(4u32).pow(n as u32))
        }
        other => panic!("{other:?}"),
    }
}

/// A store whose entries others have written.
struct Elsewhere(Memory);

impl Store for Elsewhere {
    fn describe(&self) -> String {
        "elsewhere".to_string()
    }
    fn get_from(&self, key: &Key) -> Result<Option<(evergreen::store::Bytes, Origin)>, StoreError> {
        Ok(self.0.get(key)?.map(|value| (value, Origin::Network)))
    }
    fn put_from(&self, key: &Key, value: &[u8], origin: Origin) -> Result<(), StoreError> {
        self.0.put_from(key, value, origin)
    }
    fn flush(&self) -> Result<(), StoreError> {
        Ok(())
    }
    fn visit_from(&self, each: evergreen::store::Visit<'_>) -> Result<(), StoreError> {
        self.0.visit_from(&mut |key, value, _| each(key, value, Origin::Network))
    }
    fn remove(&self, keys: &[Key]) -> Result<usize, StoreError> {
        self.0.remove(keys)
    }
    fn stats(&self) -> Result<StoreStats, StoreError> {
        self.0.stats()
    }
    fn origin(&self) -> Origin {
        Origin::Network
    }
}

/// Doubles every count.
fn poison(store: &dyn Store) {
    let mut lies = Vec::new();
    let each = &mut |key: &Key, bytes: &[u8]| {
        if let Some(Record { verdict: RecordedVerdict::Count(n), micros, solver }) = Record::decode(bytes) {
            let lie = Record { verdict: RecordedVerdict::Count(n * 2u32 + 1u32), micros, solver };
            lies.push((*key, lie.encode()));
        }
        ControlFlow::Continue(())
    };
    store.visit(each).expect("the store can be read");
    assert!(!lies.is_empty(), "counts are recorded");
    lies.iter().for_each(|(key, bytes)| store.put(key, bytes).expect("the store takes it"));
}

#[test]
fn counts_from_elsewhere_are_not_believed() {
    let script = "(declare-const x Int)(declare-const y Int)(declare-const z Int)\
                  (assert (<= (+ x y z) 20))(assert (<= x y))(assert (distinct y z))";
    let domains = [("x", 0, 9), ("y", 0, 9), ("z", 0, 99)];
    let store: Arc<dyn Store> = Arc::new(Elsewhere(Memory::new(64 << 20)));
    let right = shown(&count_with(&mut engine(&store), script, &domains).count);
    poison(&*store);
    let mut careful = engine(&store);
    assert_eq!(shown(&count_with(&mut careful, script, &domains).count), right);
    assert_eq!(careful.stats().counts.reused + careful.stats().counts.sub_reused, 0);
    assert!(careful.stats().distrusted > 0);
    // That the attack is a real one: who believes everything is taken in.
    poison(&*store);
    let mut trusting =
        Engine::new(Some(store), EngineOptions { trust: Trust::All, ..EngineOptions::default() });
    assert_ne!(shown(&count_with(&mut trusting, script, &domains).count), right);
}

/// Reuse by the event log: a component under other names, and sub-counts of another component.
#[test]
fn events_tell_what_was_reused() {
    let store = memory();
    let xyz = "(declare-const x Int)(declare-const y Int)(declare-const z Int)";
    let domains = [("x", 0, 99), ("y", 0, 99), ("z", 0, 99)];
    let rows = "(assert (<= (+ x y z) 120))(assert (<= (+ x (* 2 y)) 150))";
    let mut first = engine(&store);
    count_with(&mut first, &format!("{xyz}{rows}(assert (distinct x z))"), &domains);
    let recorded = |rank: Rank, events: &[Event]| {
        events.iter().filter(|e| matches!(e, Event::CountRecorded { rank: r, .. } if *r == rank)).count()
    };
    let events = first.take_events();
    assert_eq!((recorded(Rank::Component, &events), recorded(Rank::SubCount, &events)), (1, 2), "{events:?}");
    // Another disequality: another component, with the same sub-count of what is without it.
    let mut second = engine(&store);
    count_with(&mut second, &format!("{xyz}{rows}(assert (distinct x (+ y 3)))"), &domains);
    let counts = second.stats().counts;
    assert_eq!((counts.components, counts.reused), (1, 0));
    assert_eq!(counts.sub_reused, 1, "{:?}", second.take_events());
    // Names, direction and place: the same component.
    let mut third = engine(&store);
    let other = "(declare-const c Int)(declare-const a Int)(declare-const b Int)\
                 (assert (distinct (- 99 a) (+ c (- 7))))(assert (<= (+ (- 99 a) b (+ c (- 7))) 120))\
                 (assert (<= (+ (- 99 a) (* 2 b)) 150))";
    count_with(&mut third, other, &[("a", 0, 99), ("b", 0, 99), ("c", 7, 106)]);
    let events = third.take_events();
    let [Event::CountReused { rank: Rank::Component, .. }] = events[..] else { panic!("{events:?}") };
}
