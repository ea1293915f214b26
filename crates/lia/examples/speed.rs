//! How fast path-shaped queries are answered: `cargo run --release -p evergreen-smt-lia
//! --example speed [SOLVER [SHAPE]]`.
//!
//! A stream walks down a path. At each branch both arms are asked by push, assert, check, pop, and one that
//! is satisfiable is kept. The same stream goes to this crate, which also reads the model, and as text
//! through a pipe to each solver that is installed, which only checks.

use evergreen_lia::{Counts, Op, Row, Solver, Var, Verdict};
use evergreen_testing::random::Random;
use evergreen_testing::tools;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::time::Instant;

struct Shape {
    name: &'static str,
    variables: usize,
    depth: usize,
    paths: usize,
    /// The largest coefficient of a sum.
    size: i64,
    /// Of ten rows, how many are `=` or `!=`.
    equal: usize,
}

const SHAPES: [Shape; 6] = [
    Shape { name: "short", variables: 4, depth: 12, paths: 400, size: 2, equal: 1 },
    Shape { name: "usual", variables: 8, depth: 40, paths: 200, size: 2, equal: 1 },
    Shape { name: "long", variables: 20, depth: 100, paths: 60, size: 2, equal: 1 },
    Shape { name: "longest", variables: 30, depth: 200, paths: 30, size: 2, equal: 1 },
    Shape { name: "coefficients", variables: 10, depth: 50, paths: 100, size: 9, equal: 1 },
    Shape { name: "equalities", variables: 10, depth: 40, paths: 100, size: 3, equal: 4 },
];

/// One question of a stream.
enum Ask {
    /// Start over.
    Reset,
    /// Push, assert, check, pop.
    Try(Row),
    /// Push, assert.
    Keep(Row),
}

fn row(random: &mut Random, shape: &Shape) -> Row {
    let count = match random.below(10) {
        0..=3 => 1,
        4..=7 => 2,
        _ => 3,
    };
    let mut terms: Vec<(Var, i64)> = Vec::new();
    while terms.len() < count {
        let var = random.below(shape.variables) as Var;
        if terms.iter().all(|t| t.0 != var) {
            let size = if random.one_in(3) { random.between(1, shape.size) } else { 1 };
            let sign = if random.one_in(2) { 1 } else { -1 };
            terms.push((var, sign * size));
        }
    }
    // Differences are commoner than sums.
    if count == 2 && !random.one_in(4) && (terms[0].1 > 0) == (terms[1].1 > 0) {
        terms[1].1 = -terms[1].1;
    }
    terms.sort_unstable();
    let op = if random.below(10) >= shape.equal {
        Op::Le
    } else if random.one_in(2) {
        Op::Eq
    } else {
        Op::Ne
    };
    Row { op, terms, constant: random.between(-50, 50) }
}

fn opposite(row: &Row) -> Row {
    let mut other = row.clone();
    match row.op {
        Op::Eq => other.op = Op::Ne,
        Op::Ne => other.op = Op::Eq,
        Op::Le => {
            other.terms.iter_mut().for_each(|t| t.1 = -t.1);
            other.constant = 1 - row.constant;
        }
    }
    other
}

/// The stream of a shape. Which arms are kept is found with this crate's solver; the others
/// must agree on every verdict.
fn stream(shape: &Shape) -> Vec<Ask> {
    let mut asks = Vec::new();
    for path in 0..shape.paths {
        let mut random = Random::for_index(7, path as u64);
        let mut solver = Solver::new();
        asks.push(Ask::Reset);
        for _ in 0..shape.depth {
            let arm = row(&mut random, shape);
            let arms = [opposite(&arm), arm];
            let mut open = Vec::new();
            for arm in &arms {
                solver.push();
                solver.assert(arm);
                if solver.check() == Verdict::Sat {
                    open.push(arm.clone());
                }
                solver.pop();
                asks.push(Ask::Try(arm.clone()));
            }
            if !open.is_empty() {
                let kept = open.swap_remove(random.below(open.len()));
                solver.push();
                solver.assert(&kept);
                asks.push(Ask::Keep(kept));
            }
        }
    }
    asks
}

struct Run {
    counts: Option<Counts>,
    verdicts: Vec<Verdict>,
    nanos: Vec<u64>,
}

impl Run {
    fn show(&self, who: &str, base: Option<f64>) -> f64 {
        let mut sorted = self.nanos.clone();
        sorted.sort_unstable();
        let at = |share: f64| sorted[((sorted.len() - 1) as f64 * share) as usize] as f64 / 1000.0;
        let mean = sorted.iter().sum::<u64>() as f64 / sorted.len() as f64 / 1000.0;
        // Without the slowest thousandth: other processes share the machine.
        let calm = &sorted[..sorted.len() - sorted.len() / 1000];
        let calm = calm.iter().sum::<u64>() as f64 / calm.len() as f64 / 1000.0;
        let ratio = base.map_or(String::new(), |b| format!("{:8.1}x", calm / b));
        println!(
            "  {who:8} median {:8.2}  mean {mean:8.2}  calm {calm:8.2}  p90 {:6.2}  p99 {:8.2}  max {:9.1} \
             µs {ratio}",
            at(0.5),
            at(0.9),
            at(0.99),
            at(1.0)
        );
        calm
    }
}

fn run_lia(shape: &Shape, asks: &[Ask]) -> Run {
    let mut run = Run { counts: None, verdicts: Vec::new(), nanos: Vec::new() };
    let mut solver = Solver::new();
    let mut sum = 0i64;
    for ask in asks {
        match ask {
            Ask::Reset => (0..solver.levels()).for_each(|_| solver.pop()),
            Ask::Keep(row) => {
                solver.push();
                solver.assert(row);
            }
            Ask::Try(row) => {
                let start = Instant::now();
                solver.push();
                solver.assert(row);
                let verdict = solver.check();
                if verdict == Verdict::Sat {
                    for var in 0..shape.variables {
                        sum = sum.wrapping_add(solver.value(var as Var).to_i64().unwrap_or(0));
                    }
                }
                solver.pop();
                run.nanos.push(start.elapsed().as_nanos() as u64);
                run.verdicts.push(verdict);
            }
        }
    }
    std::hint::black_box(sum);
    run.counts = Some(solver.counts());
    run
}

/// Nanoseconds of processor time of this process, where the system reports them.
fn on_cpu() -> Option<u64> {
    std::fs::read_to_string("/proc/self/schedstat").ok()?.split(' ').next()?.parse().ok()
}

fn text(row: &Row) -> String {
    let number = |n: i64| if n < 0 { format!("(- {})", n.unsigned_abs()) } else { n.to_string() };
    let mut sum = format!("(+ {} 0", number(row.constant));
    for (var, times) in &row.terms {
        let _ = write!(sum, " (* {} x{var})", number(*times));
    }
    sum.push(')');
    match row.op {
        Op::Le => format!("(assert (<= {sum} 0))"),
        Op::Eq => format!("(assert (= {sum} 0))"),
        Op::Ne => format!("(assert (not (= {sum} 0)))"),
    }
}

fn run_process(name: &str, arguments: &[&str], shape: &Shape, asks: &[Ask]) -> Option<Run> {
    let program = tools::look(name)?;
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap_or_else(|e| panic!("{name}: {e}"));
    let mut input = child.stdin.take().expect("piped");
    let mut output = BufReader::new(child.stdout.take().expect("piped"));
    let mut start = String::from("(set-logic QF_LIA)\n");
    for var in 0..shape.variables {
        let _ = writeln!(start, "(declare-fun x{var} () Int)");
    }
    input.write_all(start.as_bytes()).expect("the solver reads");
    let mut run = Run { counts: None, verdicts: Vec::new(), nanos: Vec::new() };
    let mut levels = 0;
    let mut line = String::new();
    for ask in asks {
        match ask {
            Ask::Reset if levels > 0 => {
                input.write_all(format!("(pop {levels})\n").as_bytes()).expect("the solver reads");
                levels = 0;
            }
            Ask::Reset => {}
            Ask::Keep(row) => {
                levels += 1;
                input.write_all(format!("(push 1)\n{}\n", text(row)).as_bytes()).expect("the solver reads");
            }
            Ask::Try(row) => {
                let text = format!("(push 1)\n{}\n(check-sat)\n(pop 1)\n", text(row));
                let start = Instant::now();
                input.write_all(text.as_bytes()).expect("the solver reads");
                line.clear();
                output.read_line(&mut line).expect("the solver answers");
                run.nanos.push(start.elapsed().as_nanos() as u64);
                run.verdicts.push(match line.trim() {
                    "sat" => Verdict::Sat,
                    "unsat" => Verdict::Unsat,
                    other => panic!("{name} says {other:?}"),
                });
            }
        }
    }
    drop(input);
    child.wait().expect("the solver ends");
    Some(run)
}

fn main() {
    let only = std::env::args().nth(1);
    let shape = std::env::args().nth(2);
    for shape in SHAPES.iter().filter(|s| shape.as_deref().is_none_or(|only| only == s.name)) {
        let asks = stream(shape);
        run_lia(shape, &asks);
        let before = on_cpu();
        let lia = run_lia(shape, &asks);
        let cpu = on_cpu()
            .zip(before)
            .map(|(after, before)| (after - before) as f64 / lia.nanos.len() as f64 / 1000.0);
        let count = |v: Verdict| lia.verdicts.iter().filter(|x| **x == v).count();
        println!(
            "{}: {} queries, {} sat, {} unsat, {} unknown ({} variables, {} deep)",
            shape.name,
            lia.verdicts.len(),
            count(Verdict::Sat),
            count(Verdict::Unsat),
            count(Verdict::Unknown),
            shape.variables,
            shape.depth
        );
        if let Some(c) = lia.counts {
            println!(
                "  answered by: last model {}, bounds {}, moves {}, simplex {}, thorough {}; {} pivots, {} \
                 splits",
                c.known, c.bounds, c.moved, c.simplex, c.thorough, c.pivots, c.splits
            );
        }
        let base = lia.show("lia", None);
        if let Some(cpu) = cpu {
            println!(
                "  lia      on the processor {cpu:.2} µs per query, the kept rows and the clock included"
            );
        }
        for (name, arguments) in [("yices-smt2", &["--incremental"][..]), ("z3", &["-in"][..])] {
            if only.as_deref().is_some_and(|only| only != name) {
                continue;
            }
            let Some(run) = run_process(name, arguments, shape, &asks) else {
                println!("  {name} is not installed");
                continue;
            };
            run.show(name, Some(base));
            let wrong =
                run.verdicts.iter().zip(&lia.verdicts).filter(|(a, b)| **b != Verdict::Unknown && a != b);
            let wrong = wrong.count();
            assert_eq!(wrong, 0, "{name} disagrees {wrong} times");
        }
    }
}
