//! Decides the queries of recorded logs with the core alone: `cargo run --release -p evergreen-smt-bits
//! --example streams -- [--most N] [--verdicts FILE] log.smt2 …`. A query ends with `(check-sat)` and is
//! forgotten after `(exit)` or `(reset)`.

use evergreen_bits::{Bits, Decision, Effort, Layer};
use evergreen_smtlib::{Command, Context};
use evergreen_term::{Completion, Evaluator, Model, TermId, Terms};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Nanoseconds of processor time of this thread.
fn clock() -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer is to a live value of the type that the call fills.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

fn main() {
    let mut args = std::env::args().skip(1);
    let mut most = usize::MAX;
    let mut verdicts = None;
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--most" => most = args.next().and_then(|n| n.parse().ok()).expect("a number after --most"),
            "--verdicts" => verdicts = args.next(),
            log => run(log, most, verdicts.as_deref()),
        }
    }
}

/// The constraints of each query.
fn queries(text: &str, terms: &mut Terms, most: usize) -> Vec<Vec<TermId>> {
    let mut context = Context::new(terms);
    let mut queries = Vec::new();
    let mut constraints = Vec::new();
    for located in context.read_script(terms, text.as_bytes()).expect("a script") {
        match located.command {
            Command::Assert { term, .. } => constraints.push(term),
            Command::CheckSat => queries.push(constraints.clone()),
            Command::Exit | Command::Reset => constraints.clear(),
            _ => {}
        }
        if queries.len() >= most {
            break;
        }
    }
    queries
}

fn run(log: &str, most: usize, verdicts: Option<&str>) {
    let text = std::fs::read_to_string(log).expect("a log").replace("(exit)", "(reset)");
    // Each query in an arena of its own, for the cold run, and all in one, for the warm one.
    let mut terms = Terms::new();
    let warm = queries(&text, &mut terms, most);
    let mut bits = Bits::new();
    let mut layers: BTreeMap<String, u32> = BTreeMap::new();
    let mut last: Option<Model> = None;
    let mut said = String::new();
    let (mut wrong, mut spent) = (0, 0);
    let mut slowest = (0, 0);
    for (i, query) in warm.iter().enumerate() {
        let old: Vec<&Model> = last.iter().collect();
        let start = clock();
        let decision = bits.decide(&terms, query, &old, Effort::default());
        let took = clock() - start;
        spent += took;
        slowest = slowest.max((took, i));
        let layer = bits.layer().map_or("undecided", Layer::name);
        *layers.entry(layer.to_owned()).or_default() += 1;
        match decision {
            Decision::Sat(model) => {
                let mut evaluator = Evaluator::new(&terms, &model).completing(Completion::Default);
                wrong += usize::from(!query.iter().all(|&c| evaluator.holds(c) == Ok(true)));
                said.push_str("sat\n");
                last = Some(model);
            }
            Decision::Unsat(_) => said.push_str("unsat\n"),
            Decision::Unknown(why) => writeln!(said, "unknown {why}").expect("text"),
        }
    }
    let (cold, cold_layers) = cold(&text, most);
    let name = log.rsplit('/').next().unwrap_or(log);
    println!(
        "{name}: {} queries, warm {:.1} ms (slowest {:.2} ms: {}), {layers:?}; \
         cold {:.1} ms {cold_layers:?}; {wrong} wrong models",
        warm.len(),
        spent as f64 / 1e6,
        slowest.0 as f64 / 1e6,
        slowest.1,
        cold as f64 / 1e6,
    );
    if let Some(file) = verdicts {
        std::fs::write(file, said).expect("a file for the verdicts");
    }
}

/// The time of all queries with everything forgotten before each, the least of several rounds.
fn cold(text: &str, most: usize) -> (u64, BTreeMap<String, u32>) {
    let mut layers: BTreeMap<String, u32> = BTreeMap::new();
    let scripts = text.split("(reset)").filter(|s| s.contains("(check-sat)")).take(most);
    let queries: Vec<(Terms, Vec<TermId>)> = scripts
        .map(|script| {
            let mut terms = Terms::new();
            let query = queries(script, &mut terms, 1).pop().expect("one query");
            (terms, query)
        })
        .collect();
    let rounds = std::env::var("ROUNDS").ok().and_then(|n| n.parse().ok()).unwrap_or(3);
    let mut bits = Bits::new();
    let mut least = u64::MAX;
    for round in 0..rounds {
        let start = clock();
        for (terms, query) in &queries {
            bits.forget();
            let _ = bits.decide(terms, query, &[], Effort::default());
            if round == 0 {
                *layers.entry(bits.layer().map_or("undecided", Layer::name).to_owned()).or_default() += 1;
            }
        }
        least = least.min(clock() - start);
    }
    (least, layers)
}
