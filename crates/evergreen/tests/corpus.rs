//! One corpus, every configuration: bare z3, bare cvc5, and Evergreen with each store, cold and warm, each
//! stage off in turn. Every verdict equals the bare solver's, and a warm run starts no solver.

use evergreen::solver::{Command, Limits};
use evergreen::store::{OpenOptions, Store, open};
use evergreen::{CanonMode, Cores, EngineOptions, Reuse, ScriptRun, SessionOptions, Trust, run_script};
use evergreen_testing::corpus::{Script, generated, on_disk};
use evergreen_testing::redis::RedisServer;
use evergreen_testing::tools;
use std::collections::HashMap;
use std::process::Stdio;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex, OnceLock};

fn scripts(solver: &str) -> Vec<Script> {
    let mut all = on_disk(&tools::repository().join("corpus"));
    all.extend(generated(2026, 220));
    assert!(all.len() >= 400, "the corpus shrank to {}", all.len());
    all.retain(|s| s.solvers.contains(&solver));
    all
}

/// What the bare solver prints for the script in a file; asked once for all tests.
fn bare(solver: &str, script: &Script) -> Arc<str> {
    type Printed = Mutex<HashMap<(String, String), Arc<OnceLock<Arc<str>>>>>;
    static PRINTED: LazyLock<Printed> = LazyLock::new(Printed::default);
    let key = (solver.to_string(), script.text.clone());
    let printed = PRINTED.lock().unwrap().entry(key).or_default().clone();
    printed.get_or_init(|| ask_bare(solver, script).into()).clone()
}

fn ask_bare(solver: &str, script: &Script) -> String {
    let args: &[&str] = if solver == "z3" { &["-smt2"] } else { &["--incremental", "--lang=smt2"] };
    // A number of its own: tests of this process run the same script at the same time.
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let file = std::env::temp_dir().join(format!("evergreen-bare-{}-{number}.smt2", std::process::id()));
    std::fs::write(&file, &script.text).expect("the script is written");
    let output = std::process::Command::new(tools::find(solver))
        .args(args)
        .arg(&file)
        .stdin(Stdio::null())
        .output()
        .expect("the solver runs");
    let _ = std::fs::remove_file(&file);
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn verdicts(output: &str) -> Vec<&str> {
    output.lines().map(str::trim).filter(|l| matches!(*l, "sat" | "unsat" | "unknown" | "timeout")).collect()
}

fn run(solver: &str, script: &Script, store: Option<&Arc<dyn Store>>, engine: &EngineOptions) -> ScriptRun {
    let options = SessionOptions {
        solver: Command::new(tools::find(solver)),
        limits: Limits { time_ms: Some(20_000), memory_mb: None },
        engine: engine.clone(),
        store: store.cloned(),
        file: script.name.clone(),
    };
    run_script(script.text.as_bytes(), options)
}

/// Runs `each` on every script and its number, on both cores.
fn in_parallel(scripts: &[Script], each: impl Fn(usize, &Script) -> Vec<String> + Sync) {
    let next = AtomicUsize::new(0);
    let failures = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(script) = scripts.get(number) else { break };
                    let wrong = each(number, script);
                    failures.lock().unwrap().extend(wrong);
                }
            });
        }
    });
    let failures = failures.into_inner().unwrap();
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}

/// Verdicts must agree; `unknown` is the one thing that a later run may improve on.
fn compare(script: &Script, expected: &str, run: &ScriptRun, how: &str) -> Option<String> {
    let (expected, found) = (verdicts(expected), verdicts(&run.output));
    if expected == found {
        return None;
    }
    Some(format!("{} {how}: expected {expected:?}, found {found:?}\n{}", script.name, run.output))
}

/// Something only a solver can answer in this script: a warm run may have to start one.
fn needs_solver(script: &Script, cold: &ScriptRun) -> bool {
    let asks = ["get-proof", "get-assertions", "get-assignment", "get-objectives", "get-option", "get-info"];
    script.has_errors()
        || cold.stats.passed_through > 0
        || cold.stats.opaque_commands > 0
        || cold.output.contains("unknown")
        || cold.output.contains("timeout")
        || asks.iter().any(|a| script.text.contains(a))
}

fn cold_and_warm(solver: &str, store: &Arc<dyn Store>, scripts: &[Script]) {
    // What Redis says is believed here; what becomes of lies is the subject of `poison.rs`.
    let engine = EngineOptions { trust: Trust::All, ..EngineOptions::default() };
    in_parallel(scripts, |_, script| {
        let expected = bare(solver, script);
        let cold = run(solver, script, Some(store), &engine);
        let warm = run(solver, script, Some(store), &engine);
        let mut wrong: Vec<String> = [(&cold, "cold"), (&warm, "warm")]
            .into_iter()
            .filter_map(|(run, how)| compare(script, &expected, run, how))
            .collect();
        if cold.stats.engine.contradicted > 0 {
            wrong.push(format!("{}: a fresh model does not hold", script.name));
        }
        if warm.stats.engine.rejected > 0 {
            wrong.push(format!("{}: a stored model does not hold", script.name));
        }
        if !needs_solver(script, &cold) && warm.stats.solver_starts > 0 {
            wrong.push(format!(
                "{}: the warm run started a solver\n{}\n{}",
                script.name, script.text, warm.output
            ));
        }
        wrong
    });
}

fn temporary(name: &str) -> std::path::PathBuf {
    let dir = std::env::temp_dir().join(format!("evergreen-corpus-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&dir);
    dir
}

#[test]
fn z3_with_a_store_in_memory() {
    let store = open("memory:", &OpenOptions::default()).unwrap();
    cold_and_warm("z3", &store, &scripts("z3"));
}

#[test]
fn cvc5_with_a_store_on_disk() {
    let dir = temporary("disk");
    let store = open(dir.to_str().unwrap(), &OpenOptions::default()).unwrap();
    cold_and_warm("cvc5", &store, &scripts("cvc5"));
    drop(store);
    std::fs::remove_dir_all(dir).unwrap();
}

#[test]
fn z3_with_a_store_in_redis() {
    let server = RedisServer::start();
    let store = open(&server.url(), &OpenOptions::default()).unwrap();
    let some: Vec<Script> = scripts("z3").into_iter().step_by(4).collect();
    cold_and_warm("z3", &store, &some);
}

#[test]
fn each_stage_off_in_turn() {
    let default = EngineOptions::default();
    let configurations = [
        ("no slicing", EngineOptions { slice: false, ..default.clone() }),
        ("canonizing off", EngineOptions { canon: CanonMode::Off, ..default.clone() }),
        ("Green's form", EngineOptions { canon: CanonMode::Green, ..default.clone() }),
        ("no checking", EngineOptions { check: false, ..default.clone() }),
        ("no reuse", EngineOptions { reuse: Reuse::None, ..default.clone() }),
        ("every rung", EngineOptions { reuse: Reuse::Full, cores: Cores::Always, ..default }),
    ];
    let all = scripts("z3");
    let stores: Vec<Arc<dyn Store>> =
        configurations.iter().map(|_| open("memory:", &OpenOptions::default()).unwrap()).collect();
    // Every script under some of them, every one of them on a quarter of the scripts; both by fixed numbers.
    in_parallel(&all, |number, script| {
        let expected = bare("z3", script);
        let mut wrong = Vec::new();
        for (at, ((how, engine), store)) in configurations.iter().zip(&stores).enumerate() {
            if (number + at) % 4 != 0 {
                continue;
            }
            for round in ["cold", "warm"] {
                let run = run("z3", script, Some(store), engine);
                wrong.extend(compare(script, &expected, &run, &format!("{how}, {round}")));
            }
        }
        wrong
    });
}

/// What is built in answers alone: each verdict is the bare solver's or `unknown`, cold and from the store.
#[test]
fn without_a_solver() {
    let store = open("memory:", &OpenOptions::default()).unwrap();
    let all = scripts("z3");
    let (decided, asked) = (AtomicUsize::new(0), AtomicUsize::new(0));
    in_parallel(&all, |_, script| {
        let options = SessionOptions {
            solver: Command::none(),
            limits: Limits::default(),
            engine: EngineOptions::default(),
            store: Some(store.clone()),
            file: script.name.clone(),
        };
        let runs = ["cold", "warm"].map(|how| (how, run_script(script.text.as_bytes(), options.clone())));
        let mut wrong = Vec::new();
        let bare = bare("z3", script);
        for (how, run) in &runs {
            let (expected, found) = (verdicts(&bare), verdicts(&run.output));
            let agree = |(bare, own): (&&str, &&str)| *own == "unknown" || bare == own || *bare == "unknown";
            // A command that only z3 has may change what follows.
            let comparable = run.stats.opaque_commands == 0 && !script.has_errors();
            if comparable && (expected.len() != found.len() || !expected.iter().zip(&found).all(agree)) {
                wrong.push(format!("{} {how}: expected {expected:?}, found {found:?}", script.name));
            }
            if run.stats.solver_starts + run.stats.engine.solved + run.stats.engine.contradicted > 0 {
                wrong.push(format!("{} {how}: {:?}", script.name, run.stats.engine));
            }
            asked.fetch_add(found.len(), Ordering::Relaxed);
            decided.fetch_add(found.iter().filter(|v| **v != "unknown").count(), Ordering::Relaxed);
        }
        wrong
    });
    let (decided, asked) = (decided.into_inner(), asked.into_inner());
    assert!(decided * 10 > asked * SHARE_WITHOUT_SOLVER, "{decided} of {asked} were decided");
}

/// So many tenths of the corpus need no solver.
const SHARE_WITHOUT_SOLVER: usize = 6;
