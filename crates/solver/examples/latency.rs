//! Prints what one small check costs through `PipeSolver`: per solver, theory, logic
//! named or not, values or not.
//!
//! `cargo run --release -p evergreen-smt-solver --example latency [CHECKS [SOLVER]]`

use std::time::Instant;

use evergreen_solver::{Command, Limits, PipeSolver, Problem, Solver, SolverError};
use evergreen_structures::Xorshift;

fn main() {
    let checks = std::env::args().nth(1).and_then(|count| count.parse().ok()).unwrap_or(300);
    let only = std::env::args().nth(2);
    println!("µs per check, median / 95th percentile of {checks}, and the size of the process afterwards");
    println!(
        "{:10} {:7} {:8} {:>22} {:>22} {:>22}",
        "solver", "theory", "logic", "verdict", "values", "core"
    );
    for name in ["z3", "yices-smt2", "cvc5", "bitwuzla"] {
        if only.as_ref().is_some_and(|only| only != name) {
            continue;
        }
        let Ok(command) = Command::for_name(name) else {
            println!("{name:10} not found");
            continue;
        };
        for (theory, make) in [("QF_LIA", linear as fn(u64) -> Problem), ("QF_BV", bits)] {
            if name == "bitwuzla" && theory == "QF_LIA" {
                continue;
            }
            for logic in [None, Some(theory)] {
                let mut cells = Vec::new();
                for (values, core) in [(false, false), (true, false), (false, true)] {
                    let mut problems = Vec::new();
                    for seed in 0..checks {
                        let mut problem = make(seed);
                        problem.logic = logic.map(str::to_string);
                        problem.want_core = core;
                        if !values {
                            problem.values.clear();
                        }
                        problems.push(problem);
                    }
                    cells.push(measure(&command, &problems).unwrap_or_else(|error| error.to_string()));
                }
                let logic = logic.unwrap_or("-");
                println!("{name:10} {theory:7} {logic:8} {:>22} {:>22} {:>22}", cells[0], cells[1], cells[2]);
            }
        }
    }
}

fn measure(command: &Command, problems: &[Problem]) -> Result<String, SolverError> {
    // yices searches without end on a few of the linear problems (their variables are unbounded).
    let limits = Limits { time_ms: Some(1000), memory_mb: None };
    let mut solver = PipeSolver::new(command.clone(), limits);
    let mut times = Vec::new();
    for problem in problems.iter().take(20).chain(problems) {
        let start = Instant::now();
        solver.check(problem)?;
        times.push(start.elapsed().as_micros());
    }
    times.drain(..20);
    times.sort_unstable();
    let resident_mb = solver.pids().first().and_then(|pid| {
        let statm = std::fs::read_to_string(format!("/proc/{pid}/statm")).ok()?;
        Some(statm.split(' ').nth(1)?.parse::<u64>().ok()? * 4096 / 1_048_576)
    });
    let (median, slow) = (times[times.len() / 2], times[times.len() * 95 / 100]);
    Ok(format!("{median} / {slow}, {} MB", resident_mb.unwrap_or(0)))
}

/// Path-shaped: two to ten atoms over four variables; about half are satisfiable.
fn atoms(seed: u64) -> Vec<(usize, usize, u64, usize)> {
    let mut random = Xorshift::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1234_5678_9abc_def1);
    let mut next = |bound: u64| random.below(bound);
    let count = 2 + next(9);
    (0..count).map(|_| (next(4) as usize, next(4) as usize, next(100), next(3) as usize)).collect()
}

fn linear(seed: u64) -> Problem {
    let constraints = atoms(seed)
        .into_iter()
        .map(|(x, y, constant, op)| {
            format!("({} (+ v{x} (* 3 v{y})) {constant})", ["<=", ">", "distinct"][op])
        })
        .collect();
    problem("Int", constraints)
}

fn bits(seed: u64) -> Problem {
    let constraints = atoms(seed)
        .into_iter()
        .map(|(x, y, constant, op)| {
            format!(
                "({} (bvadd v{x} (bvmul #x00000003 v{y})) #x{constant:08x})",
                ["bvsle", "bvsgt", "distinct"][op]
            )
        })
        .collect();
    problem("(_ BitVec 32)", constraints)
}

fn problem(sort: &str, constraints: Vec<String>) -> Problem {
    let names: Vec<String> = (0..4).map(|index| format!("v{index}")).collect();
    Problem {
        declarations: names.iter().map(|name| format!("(declare-const {name} {sort})")).collect(),
        constraints,
        values: names,
        ..Problem::default()
    }
}
