//! Medians in microseconds by dimension, rows and disequalities: `cargo run --release -p evergreen-count --example table`.
//! The first argument is how many problems of each shape, `--only k` takes one shape. With `--isl` it prints each problem as an isl set with its count instead, for another counter to read.

use evergreen_count::{Budget, Count, Domain, Problem, Relation, Row, count_with};
use evergreen_testing::random::Random;
use std::time::Instant;

struct Shape {
    name: &'static str,
    variables: u32,
    rows: usize,
    equalities: usize,
    disequalities: usize,
    /// Variables per row.
    density: usize,
    /// Greatest coefficient.
    most: i64,
    /// Domains are `0..=top`.
    top: i64,
}

#[rustfmt::skip]
const SHAPES: [Shape; 14] = [
    Shape { name: "1 variable, 2 rows, 1 !=", variables: 1, rows: 2, equalities: 0, disequalities: 1, density: 1, most: 3, top: 999 },
    Shape { name: "2 variables, 6 rows, 2 !=", variables: 2, rows: 6, equalities: 0, disequalities: 2, density: 2, most: 3, top: 999 },
    Shape { name: "3 variables, 4 rows", variables: 3, rows: 4, equalities: 0, disequalities: 0, density: 2, most: 1, top: 999 },
    Shape { name: "3 variables, 4 rows, 32 bit", variables: 3, rows: 4, equalities: 0, disequalities: 0, density: 2, most: 1, top: (1 << 32) - 1 },
    Shape { name: "3 variables, 4 rows of 3, <= 5", variables: 3, rows: 4, equalities: 0, disequalities: 0, density: 3, most: 5, top: 999 },
    Shape { name: "4 variables, 5 rows, 2 !=", variables: 4, rows: 5, equalities: 0, disequalities: 2, density: 2, most: 1, top: 999 },
    Shape { name: "4 variables, 5 rows, 1 =", variables: 4, rows: 5, equalities: 1, disequalities: 0, density: 3, most: 3, top: 999 },
    Shape { name: "5 variables, 6 rows", variables: 5, rows: 6, equalities: 0, disequalities: 0, density: 2, most: 1, top: 999 },
    Shape { name: "5 variables, 6 rows, 32 bit", variables: 5, rows: 6, equalities: 0, disequalities: 0, density: 2, most: 1, top: (1 << 32) - 1 },
    Shape { name: "5 variables, 6 rows, <= 3", variables: 5, rows: 6, equalities: 0, disequalities: 0, density: 2, most: 3, top: 999 },
    Shape { name: "dense 5 variables, 5 rows, <= 5", variables: 5, rows: 5, equalities: 0, disequalities: 0, density: 5, most: 5, top: 99 },
    Shape { name: "6 variables, 8 rows, 3 !=", variables: 6, rows: 8, equalities: 0, disequalities: 3, density: 2, most: 1, top: 999 },
    Shape { name: "8 variables, 15 rows", variables: 8, rows: 15, equalities: 0, disequalities: 0, density: 2, most: 1, top: 999 },
    Shape { name: "3 variables, coefficients to 2^31", variables: 3, rows: 3, equalities: 0, disequalities: 0, density: 3, most: (1 << 31) - 1, top: (1 << 31) - 1 },
];

/// So long each problem is counted again and again.
const RUNS_MS: u128 = 30;

fn problem(shape: &Shape, index: u64) -> Problem {
    let mut random = Random::for_index(shape.rows as u64 * 100 + u64::from(shape.variables), index);
    let mut problem = Problem::new();
    for _ in 0..shape.variables {
        problem.variable(Domain::new(0, shape.top));
    }
    // All rows hold at one point, so that few problems are empty.
    let point: Vec<i64> = (0..shape.variables).map(|_| random.between(0, shape.top)).collect();
    let relations =
        [(shape.rows, Relation::Le), (shape.equalities, Relation::Eq), (shape.disequalities, Relation::Ne)];
    for (count, relation) in relations {
        for _ in 0..count {
            let mut vars: Vec<u32> = (0..shape.variables).collect();
            random.shuffle(&mut vars);
            let mut terms = Vec::new();
            for var in vars.into_iter().take(shape.density) {
                let a = random.between(1, shape.most);
                terms.push((var, if random.one_in(2) { a } else { -a }));
            }
            let value: i128 =
                terms.iter().map(|(v, a)| i128::from(*a) * i128::from(point[*v as usize])).sum();
            let slack = if relation == Relation::Le { random.between(0, shape.top / 4) } else { 0 };
            let terms = terms.iter().map(|(v, a)| (*v, (*a).into())).collect();
            problem.rows.push(Row { terms, constant: (-value - i128::from(slack)).into(), relation });
        }
    }
    problem
}

fn all_different(variables: u32) -> Problem {
    let mut problem = Problem::new();
    for x in 0..variables {
        problem.variable(Domain::signed(32));
        (0..x).for_each(|y| problem.row(&[(x, 1), (y, -1)], 0, Relation::Ne));
    }
    problem
}

fn isl(problem: &Problem) -> String {
    let names: Vec<String> = (0..problem.domains.len()).map(|v| format!("x{v}")).collect();
    let mut parts: Vec<String> = Vec::new();
    for (name, domain) in names.iter().zip(&problem.domains) {
        if let (Some(lo), Some(hi)) = (&domain.lo, &domain.hi) {
            parts.push(format!("{lo} <= {name} <= {hi}"));
        }
    }
    for row in &problem.rows {
        let terms: Vec<String> = row.terms.iter().map(|(v, a)| format!("{a}*x{v}")).collect();
        let relation = match row.relation {
            Relation::Eq => "=",
            Relation::Ne => "!=",
            Relation::Le => "<=",
        };
        parts.push(format!("{} + {} {relation} 0", terms.join(" + "), row.constant));
    }
    format!("{{ [{}] : {} }}", names.join(","), parts.join(" and "))
}

fn main() {
    let print_isl = std::env::args().any(|a| a == "--isl");
    let n: u64 = std::env::args().nth(1).and_then(|a| a.parse().ok()).unwrap_or(100);
    let only: Option<usize> =
        std::env::args().skip_while(|a| a != "--only").nth(1).and_then(|a| a.parse().ok());
    for (_, shape) in SHAPES.iter().enumerate().filter(|(at, _)| only.is_none_or(|o| o == *at)) {
        let (mut times, mut exact, mut steps) = (Vec::new(), 0, Vec::new());
        for index in 0..n {
            let problem = problem(shape, index);
            // The least of a few runs: others may use the machine as well.
            let mut least = f64::INFINITY;
            let begin = Instant::now();
            let (count, did) = loop {
                let start = Instant::now();
                let answer = count_with(&problem, Budget::default(), None);
                least = least.min(start.elapsed().as_nanos() as f64 / 1000.0);
                if print_isl || begin.elapsed().as_millis() >= RUNS_MS {
                    break answer;
                }
            };
            times.push(least);
            steps.push(did.steps);
            exact += u32::from(matches!(count, Count::Exact(_)));
            if print_isl {
                match count {
                    Count::Exact(found) => println!("{}\t{found}\t{}", shape.name, isl(&problem)),
                    other => eprintln!("{}: {other:?}", shape.name),
                }
            }
        }
        times.sort_by(f64::total_cmp);
        steps.sort();
        if !print_isl {
            let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
            println!(
                "{:34} median {:8.1} µs  p95 {:9.1} µs  median {:6} steps  {exact} of {n} exact",
                shape.name,
                at(0.5),
                at(0.95),
                steps[steps.len() / 2]
            );
        }
    }
    if !print_isl {
        let problem = all_different(7);
        let runs = (0..20).map(|_| {
            let start = Instant::now();
            assert!(matches!(count_with(&problem, Budget::default(), None).0, Count::Exact(_)));
            start.elapsed().as_nanos() as f64 / 1000.0
        });
        println!("all-different over 7 words of 32 bits: {:.1} µs", runs.fold(f64::INFINITY, f64::min));
    }
}
