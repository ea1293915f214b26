//! `evergreen count`: what it prints, what it refuses, and that stores, packs and statistics know counts.

use crate::common::{Folder, isolated, run, stderr, stdout};
use evergreen::store::{Key, OpenOptions, Store, open};
use evergreen::{Record, RecordedVerdict};
use evergreen_testing::redis::RedisServer;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::{Command, Output};

const XY: &str = "(declare-const x Int)\n(declare-const y Int)\n";
const SCRIPT: &str = "(declare-const x Int)(declare-const y Int)(declare-const z Int)
(assert (<= (+ x y z) 20))
(assert (distinct x y))
(check-sat)";
const DOMAINS: [&str; 6] = ["--domain", "x:0..9", "--domain", "y:0..9", "--domain", "z:0..99"];

/// The command with nothing on PATH: counting needs no solver.
fn evergreen(folder: &Folder) -> Command {
    let mut command = isolated(Path::new(env!("CARGO_BIN_EXE_evergreen")), folder);
    command.env("PATH", "/nonexistent").env("EVERGREEN_STORE", folder.path("store"));
    command
}

fn count(folder: &Folder, script: &str, flags: &[&str]) -> Output {
    run(evergreen(folder).arg("count").args(flags), script)
}

fn last_line(output: &Output) -> String {
    assert!(output.status.success(), "{}", stderr(output));
    stdout(output).lines().last().unwrap_or_default().to_string()
}

fn check(script: &str, flags: &[&str], expected: &str) {
    let folder = Folder::new();
    assert_eq!(last_line(&count(&folder, script, flags)), expected, "{script} {flags:?}");
    // And from the store.
    assert_eq!(last_line(&count(&folder, script, flags)), expected, "warm: {script} {flags:?}");
}

#[test]
fn the_number_is_alone_on_the_last_line() {
    let less = format!("{XY}(assert (< x y))(check-sat)");
    check(&less, &["--domain", "x:0..999", "--domain", "y:0..9"], "45");
    check(&less, &["--domain", "x:0..999"], "unbounded");
    check(&format!("{less}(assert (<= 0 x y 9))"), &["--domain", "*:0..9"], "45");
    check(&less, &["--domain", "*:i32", "--log2"], "63.000000");
    check(&less, &["--domain", "*:0..9", "--domain", "x:9..20"], "0");
    check(&less, &["--domain", "*:0..9", "--domain", "x:9..20", "--log2"], "-inf");
    check(XY, &["--domain", "*:i64"], &(num_bigint::BigUint::from(2u32).pow(128)).to_string());
    check("(declare-const |a b| Bool)", &[], "2");
}

#[test]
fn json() {
    let folder = Folder::new();
    let flags = [&DOMAINS[..], &["--json"]].concat();
    for (components, reused) in [(1, 0), (1, 1)] {
        let output = count(&folder, SCRIPT, &flags);
        let object: serde_json::Value = serde_json::from_str(&stdout(&output)).expect("one JSON object");
        assert_eq!(object["count"], "1080", "{object}");
        assert_eq!(object["exact"], true);
        assert_eq!(object["variables"], 3);
        assert_eq!(
            (object["components"].as_u64(), object["reused"].as_u64()),
            (Some(components), Some(reused))
        );
    }
    let output = count(&folder, XY, &["--json"]);
    let object: serde_json::Value = serde_json::from_str(&stdout(&output)).expect("one JSON object");
    assert_eq!(object["count"], "unbounded");
}

#[test]
fn what_cannot_be_counted_is_pointed_out() {
    let folder = Folder::new();
    let refused = |script: &str, flags: &[&str]| {
        let output = count(&folder, script, flags);
        assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(2), ""), "{script}");
        stderr(&output)
    };
    let product = refused(&format!("{XY}(assert (> (* x y) 3))"), &[]);
    assert_eq!(
        product,
        "evergreen: <stdin>:3:1: cannot count \"(* x y)\": a product of variables is not linear\n  \
         (assert (> (* x y) 3))\n  ^\nhelp: what is counted is linear: sums, products with numbers, div and \
         mod by \
         numbers, comparisons\n"
    );
    assert!(refused("(declare-const v (_ BitVec 8))", &[]).contains("\"v\" is of sort (_ BitVec 8)"));
    assert!(refused(XY, &["--domain", "q:0..9"]).contains("no variable \"q\"\nhelp: its variables: x, y"));
    assert!(refused("(assert (> x 0))", &[]).contains("unknown symbol \"x\""));
    assert!(refused("(declare-const x Int", &[]).contains("<stdin>:1:1"), "an open bracket");
    assert!(refused(XY, &["--domain", "x:0...9"]).contains("\".9\" is no integer"));
    assert!(refused(XY, &["nowhere.smt2"]).contains("nowhere.smt2: "));
}

/// Exit code 3 and a last line that no script takes for a number, unless bounds are asked for.
#[test]
fn out_of_steps_there_is_no_number() {
    let folder = Folder::new();
    let few = [&DOMAINS[..], &["--steps", "1"]].concat();
    let output = count(&folder, SCRIPT, &few);
    assert_eq!((output.status.code(), &*stdout(&output)), (Some(3), "unknown\n"), "{}", stderr(&output));
    let told = stderr(&output);
    assert!(told.contains("<stdin>: out of steps: the number lies between "), "{told}");
    assert!(told.ends_with("help: allow more --steps, or accept bounds with --bounds\n"), "{told}");
    let log2 = count(&folder, SCRIPT, &[&few[..], &["--log2"]].concat());
    assert_eq!((log2.status.code(), &*stdout(&log2)), (Some(3), "unknown\n"));
    // Nothing that is not exact is recorded.
    assert_eq!(last_line(&count(&folder, SCRIPT, &DOMAINS)), "1080");
}

#[test]
fn bounds_are_accepted_where_they_are_asked_for() {
    let folder = Folder::new();
    let few = [&DOMAINS[..], &["--steps", "1", "--reuse", "none"]].concat();
    let between = |output: &Output| {
        let line = last_line(output);
        let (lo, hi) = line.split_once("..").unwrap_or_else(|| panic!("no bounds: {line}"));
        (lo.parse::<f64>().expect("a number"), hi.parse::<f64>().expect("a number"))
    };
    let accepting = |more: &[&str]| count(&folder, SCRIPT, &[&few[..], &["--bounds"], more].concat());
    let (lo, hi) = between(&accepting(&[]));
    assert!(lo <= 1080.0 && 1080.0 <= hi && lo < hi, "{lo}..{hi}");
    assert_eq!(stderr(&accepting(&[])), "", "they were asked for");
    let (lo, hi) = between(&accepting(&["--log2"]));
    assert!(lo <= 1080f64.log2() && 1080f64.log2() <= hi, "{lo}..{hi}");
    // A number that is known is printed as before.
    assert_eq!(last_line(&count(&folder, SCRIPT, &[&DOMAINS[..], &["--bounds"]].concat())), "1080");
    // JSON says the same, and the exit code does too.
    for (flags, code) in [(&["--json"][..], 3), (&["--json", "--bounds"], 0)] {
        let output = count(&folder, SCRIPT, &[&few[..], flags].concat());
        assert_eq!(output.status.code(), Some(code), "{flags:?}");
        let object: serde_json::Value = serde_json::from_str(&stdout(&output)).expect("one JSON object");
        assert_eq!(
            (&object["exact"], &object["count"]),
            (&false.into(), &serde_json::Value::Null),
            "{object}"
        );
        assert!(object["lo"].is_string() && object["hi"].is_string(), "{object}");
    }
}

/// Where counting finds no bounds either, there is nothing to accept.
#[test]
fn what_is_given_up_is_no_number() {
    let folder = Folder::new();
    let mut script: String = (0..14).map(|i| format!("(declare-const v{i} Int)")).collect();
    for i in 0..14 {
        let (j, k) = ((i * 5 + 1) % 14, (i * 3 + 2) % 14);
        script += &format!("(assert (or (= v{i} v{j}) (< (+ v{i} v{j}) v{k}) (> v{k} (+ 1 v{i}))))");
    }
    for flags in [&["--steps", "1"][..], &["--steps", "1", "--bounds"]] {
        let output = count(&folder, &script, flags);
        assert_eq!((output.status.code(), &*stdout(&output)), (Some(3), "unknown\n"), "{flags:?}");
        assert!(stderr(&output).contains("<stdin>: not counted: "), "{}", stderr(&output));
        let output = count(&folder, &script, &[flags, &["--json"]].concat());
        let object: serde_json::Value = serde_json::from_str(&stdout(&output)).expect("one JSON object");
        assert_eq!(output.status.code(), Some(3), "{object}");
        assert_eq!(
            (&object["exact"], &object["count"]),
            (&false.into(), &serde_json::Value::Null),
            "{object}"
        );
        assert!(object["gave_up"].is_string(), "{object}");
    }
}

#[test]
fn global_declarations_outlive_their_level() {
    let script =
        "(set-option :global-declarations true)(push 1)(declare-const x Int)(pop 1)(assert (<= 2 x 4))";
    check(script, &[], "3");
    check(script, &["--domain", "x:3..9"], "2");
}

fn stats(folder: &Folder, store: &str) -> serde_json::Value {
    let output =
        run(evergreen(folder).args(["store", "stats", "--json", "--store"]).arg(folder.path(store)), "");
    serde_json::from_str(&stdout(&output)).unwrap_or_else(|e| panic!("{e}: {}", stderr(&output)))
}

#[test]
fn stores_packs_and_statistics_know_counts() {
    let folder = Folder::new();
    assert_eq!(last_line(&count(&folder, SCRIPT, &DOMAINS)), "1080");
    let recorded = stats(&folder, "store");
    assert!(recorded["counts"].as_u64() >= Some(2), "{recorded}");
    assert_eq!(recorded["other"], 0, "{recorded}");
    assert_eq!(recorded["ladder"]["queries"], 1, "{recorded}");
    let verified = run(evergreen(&folder).args(["store", "verify"]), "");
    assert!(verified.status.success(), "{}", stdout(&verified));
    // Through a pack into another store.
    let pack = folder.text("pack");
    assert!(run(evergreen(&folder).args(["store", "export", &pack]), "").status.success());
    let other = folder.text("other");
    // Nothing in a count can be checked, so it is used when the pack is trusted, and else counted again.
    for (trust, reused) in [("local", 0), ("all", 1)] {
        let arguments = ["store", "import", &pack, "--store", &other, "--trust", trust];
        assert!(run(evergreen(&folder).args(arguments), "").status.success());
        assert_eq!(stats(&folder, "other")["counts"], recorded["counts"]);
        let stats_file = folder.text(trust);
        let flags =
            [&DOMAINS[..], &["--store", &other, "--stats", &stats_file, "--mode", "read-only"]].concat();
        assert_eq!(last_line(&count(&folder, SCRIPT, &flags)), "1080");
        let run: serde_json::Value =
            serde_json::from_str(&std::fs::read_to_string(&stats_file).expect("statistics")).expect("JSON");
        assert_eq!(run["counts"]["reused"], reused, "{run}");
        assert_eq!(run["recorded"].as_u64() == Some(0), reused == 1, "{run}");
    }
    // In another namespace nothing is known; with reuse off nothing is asked.
    for flags in [["--namespace", "mine"], ["--reuse", "none"]] {
        let output = count(&folder, SCRIPT, &[&DOMAINS[..], &flags, &["--json"]].concat());
        let object: serde_json::Value = serde_json::from_str(&stdout(&output)).expect("JSON");
        assert_eq!((&object["count"], &object["reused"]), (&"1080".into(), &0.into()), "{object}");
    }
}

/// Adds one to every count.
fn poison(store: &dyn Store) -> usize {
    let mut lies = Vec::new();
    let each = &mut |key: &Key, bytes: &[u8]| {
        if let Some(Record { verdict: RecordedVerdict::Count(n), micros, solver }) = Record::decode(bytes) {
            lies.push((*key, Record { verdict: RecordedVerdict::Count(n + 1u32), micros, solver }.encode()));
        }
        ControlFlow::Continue(())
    };
    store.visit(each).expect("the store can be read");
    lies.iter().for_each(|(key, bytes)| store.put(key, bytes).expect("the store takes it"));
    store.flush().expect("the store takes it");
    lies.len()
}

#[test]
fn a_poisoned_redis_gives_no_wrong_number() {
    let folder = Folder::new();
    let server = RedisServer::start();
    let url = server.url();
    let with = |store: &str, more: &[&str]| {
        let local = folder.text(store);
        let flags = [&DOMAINS[..], &["--store", &local, "--store", &url], more].concat();
        last_line(&count(&folder, SCRIPT, &flags))
    };
    assert_eq!(with("a", &[]), "1080");
    let redis = open(&url, &OpenOptions::default()).expect("redis");
    assert!(poison(&*redis) >= 2, "counts are in redis");
    // Not believed, and nothing of it reaches the local store.
    assert_eq!(with("b", &[]), "1080");
    assert_eq!(with("b", &["--mode", "read-only"]), "1080");
    // That the attack is a real one: who trusts everyone is taken in.
    assert!(poison(&*redis) >= 2, "counts are in redis");
    assert_ne!(with("c", &["--trust", "all"]), "1080");
    // Who trusts nobody counts for himself.
    assert_eq!(with("c", &["--trust", "none"]), "1080");
}
