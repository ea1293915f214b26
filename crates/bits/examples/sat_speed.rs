//! How fast small queries are decided, against batsat: `cargo run --release -p evergreen-smt-bits --example
//! sat_speed [SHAPE]`.
//!
//! A query is created, fed, solved and dropped. Times are of the processor, the least of several rounds.

#[path = "../tests/sat/circuits.rs"]
#[allow(dead_code)]
mod circuits;

use batsat::SolverInterface;
use circuits::{SHAPES, query};
use evergreen_bits::lrat::{Cnf, check_within};
use evergreen_bits::sat::{Budget, Logging, Outcome, Solver};
use evergreen_structures::Random;

const QUERIES: u64 = 100;
const ROUNDS: usize = 7;

/// What all queries of a shape came to.
#[derive(Default, Clone, Copy, PartialEq, Debug)]
struct Total {
    sat: usize,
    unsat: usize,
    conflicts: u64,
    steps: u64,
}

fn main() {
    let only = std::env::args().nth(1);
    println!(
        "{:8} {:>6} {:>7} {:>5} | {:>8} {:>8} {:>8} {:>8} | {:>9} {:>9} {:>7} | {:>6} {:>8}",
        "shape",
        "vars",
        "clauses",
        "unsat",
        "batsat",
        "fresh",
        "cleared",
        "proofs",
        "conflicts",
        "batsat's",
        "ns/step",
        "bytes",
        "check us"
    );
    for shape in SHAPES {
        let name = format!("{shape:?}");
        if only.as_ref().is_some_and(|only| *only != name) {
            continue;
        }
        let queries: Vec<Cnf> = (0..QUERIES).map(|at| query(shape, &mut Random::for_index(1, at))).collect();
        let mut kept = Solver::new(Logging::Off);
        let mut proving = Solver::new(Logging::Lrat);
        let mut runs: [(f64, Total); 4] = [(f64::MAX, Total::default()); 4];
        for _ in 0..ROUNDS {
            least(&mut runs[0], || theirs(&queries));
            least(&mut runs[1], || {
                all(&queries, |cnf| {
                    let mut solver = Solver::new(Logging::Off);
                    let outcome = ours(&mut solver, cnf);
                    (outcome, solver.conflicts(), solver.steps())
                })
            });
            least(&mut runs[2], || {
                all(&queries, |cnf| {
                    kept.clear();
                    (ours(&mut kept, cnf), kept.conflicts(), kept.steps())
                })
            });
            least(&mut runs[3], || {
                all(&queries, |cnf| {
                    proving.clear();
                    (ours(&mut proving, cnf), proving.conflicts(), proving.steps())
                })
            });
        }
        assert_eq!(runs[1].1, runs[2].1);
        assert_eq!(runs[1].1, runs[3].1);
        assert_eq!(runs[0].1.sat, runs[1].1.sat);
        let (bytes, micros) = proofs(&queries);
        let us = |run: usize| runs[run].0 / QUERIES as f64;
        println!(
            "{name:8} {:>6} {:>7} {:>5} | {:>8.1} {:>8.1} {:>8.1} {:>8.1} | {:>9} {:>9} {:>7.1} | \
             {bytes:>6} {micros:>8.1}",
            queries.iter().map(Cnf::vars).sum::<usize>() as u64 / QUERIES,
            queries.iter().map(Cnf::len).sum::<usize>() as u64 / QUERIES,
            runs[1].1.unsat,
            us(0),
            us(1),
            us(2),
            us(3),
            runs[1].1.conflicts,
            runs[0].1.conflicts,
            runs[2].0 * 1000.0 / runs[2].1.steps as f64,
        );
    }
}

/// Runs something, and keeps its time in microseconds if it is less than before.
fn least(run: &mut (f64, Total), work: impl FnOnce() -> Total) {
    let start = processor();
    let total = work();
    let time = processor() - start;
    *run = (run.0.min(time), total);
}

/// Microseconds that this thread was on a processor.
fn processor() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the clock exists on all systems that this project runs on, and `time` is a valid place.
    let failed = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    assert_eq!(failed, 0);
    time.tv_sec as f64 * 1e6 + time.tv_nsec as f64 / 1e3
}

fn all(queries: &[Cnf], mut solve: impl FnMut(&Cnf) -> (Outcome, u64, u64)) -> Total {
    let mut total = Total::default();
    for cnf in queries {
        let (outcome, conflicts, steps) = solve(cnf);
        total.sat += usize::from(outcome == Outcome::Sat);
        total.unsat += usize::from(outcome == Outcome::Unsat);
        total.conflicts += conflicts;
        total.steps += steps;
    }
    total
}

fn ours(solver: &mut Solver, cnf: &Cnf) -> Outcome {
    for clause in cnf.iter() {
        solver.add_clause(clause);
    }
    solver.solve(&[], &mut { Budget::UNBOUNDED })
}

fn theirs(queries: &[Cnf]) -> Total {
    let mut lits = Vec::new();
    all(queries, |cnf| {
        let mut solver = batsat::BasicSolver::default();
        let vars: Vec<batsat::Var> = (0..cnf.vars()).map(|_| solver.new_var_default()).collect();
        for clause in cnf.iter() {
            lits.clear();
            lits.extend(
                clause.iter().map(|lit| batsat::Lit::new(vars[lit.var().index()], !lit.is_negative())),
            );
            solver.add_clause_reuse(&mut lits);
        }
        let is_sat = solver.solve_limited(&[]) == batsat::lbool::TRUE;
        let outcome = if is_sat { Outcome::Sat } else { Outcome::Unsat };
        (outcome, solver.num_conflicts(), 0)
    })
}

/// The median size of the proofs, and the mean time to check one.
fn proofs(queries: &[Cnf]) -> (usize, f64) {
    let mut solver = Solver::new(Logging::Lrat);
    let (mut sizes, mut time) = (Vec::new(), 0.0);
    for cnf in queries {
        solver.clear();
        if ours(&mut solver, cnf) != Outcome::Unsat {
            continue;
        }
        let proof = solver.proof().expect("a proof");
        let start = processor();
        check_within(cnf, &proof, usize::MAX).expect("a proof that holds");
        time += processor() - start;
        sizes.push(proof.encode().map_or(usize::MAX, |bytes| bytes.len()));
    }
    sizes.sort_unstable();
    (sizes.get(sizes.len() / 2).copied().unwrap_or(0), time / sizes.len().max(1) as f64)
}
