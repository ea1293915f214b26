//! Cases that counters get wrong.

use crate::common::table::Table;
use evergreen_count::{Budget, Count, Domain, Path, Problem, Relation, Row, complement, count, count_with};
use evergreen_term::Int;
use num_bigint::BigUint;
use std::str::FromStr;

const RELATIONS: [(&str, Relation); 3] = [("!=", Relation::Ne), ("<=", Relation::Le), ("=", Relation::Eq)];

/// Domains `name:lo..hi`, each end optional, and rows `coefficient*variable ... relation constant`.
fn problem(domains: &str, rows: &[&str]) -> Problem {
    let mut problem = Problem::new();
    let mut names: Vec<&str> = Vec::new();
    let number = |s: &str| Int::parse(s.trim()).unwrap_or_else(|| panic!("{s:?} is no number"));
    for domain in domains.split_whitespace() {
        let (name, ends) = domain.split_once(':').expect("name:lo..hi");
        let (lo, hi) = ends.split_once("..").unwrap_or((ends, ends));
        let end = |s: &str| (!s.is_empty()).then(|| number(s));
        let domain = Domain { lo: end(lo), hi: end(hi) };
        match names.iter().position(|n| *n == name) {
            Some(var) => problem.restrict(var as u32, &domain),
            None => {
                names.push(name);
                problem.variable(domain);
            }
        }
    }
    for row in rows {
        let (op, relation) = RELATIONS.iter().find(|(op, _)| row.contains(op)).expect("a relation");
        let (left, right) = row.split_once(op).expect("two sides");
        let terms = left.split_whitespace().map(|t| {
            let (a, name) = t.split_once('*').unwrap_or(("1", t));
            (names.iter().position(|n| *n == name).expect("a declared variable") as u32, number(a))
        });
        problem.rows.push(Row { terms: terms.collect(), constant: number(right).neg(), relation: *relation });
    }
    problem
}

fn check(domains: &str, rows: &[&str], expected: &str) {
    let shown = match count(&problem(domains, rows), Budget::default()) {
        Count::Exact(n) => n.to_string(),
        Count::Unbounded => "unbounded".to_string(),
        other => format!("{other:?}"),
    };
    assert_eq!(shown, expected, "{domains} {rows:?}");
}

#[test]
fn empty_sets_are_zero() {
    check("x:5..4", &[], "0");
    check("x:0..9", &["x <= -1"], "0");
    check("x:0..9 y:0..9", &["2*x 4*y = 7"], "0");
    check("x: y:", &["2*x 4*y = 7"], "0"); // without ends, and still empty
}

#[test]
fn nothing_and_free_variables() {
    check("", &[], "1");
    check("", &["<= -1"], "0");
    check("x:0..9 y:-3..3", &[], "70");
    check("x:0..9 y:-3..3 z:1..2", &["x y <= 0"], "20");
    check("x:0..9 y:0..0", &["0*x y <= 5"], "10");
}

#[test]
fn only_in_disequalities() {
    check("x:0..9 y:0..9", &["x -1*y != 0"], "90");
    check("x:0..9 y:0..9", &["x -1*y != 0", "x -1*y != 1", "y -1*x != 0"], "81");
    check("x:0..9", &["x != 3", "x != 3", "x != 30", "x != 0"], "8");
    check("x:0..9 y:0..9", &["2*x -2*y != 1"], "100");
    check("x:0..1 y:", &["x != 0", "x != 1"], "0");
}

#[test]
fn domains_given_twice() {
    check("x:0..9 x:5..20", &[], "5");
    check("x:0..9 x:20..30", &[], "0");
    check("x:0.. x:..7 x:", &[], "8");
}

#[test]
fn unbounded_is_not_zero() {
    check("x:", &[], "unbounded");
    check("x:0..", &["x != 5"], "unbounded");
    check("x: y:", &["x -1*y = 0"], "unbounded");
    check("x:0.. y:0..", &["x y <= 10"], "66");
    check("x: y:0..3", &["x -1*y != 0"], "unbounded");
    check("x:0..1 y: z:0..1", &["x z != 0", "x z != 1", "x z != 2"], "0");
    // Ends that only two bands together give: 0 <= x + 2y <= 5 and 0 <= 2x + y <= 5.
    check("x: y:", &["x 2*y <= 5", "-1*x -2*y <= 0", "2*x y <= 5", "-2*x -1*y <= 0"], "12");
    // 3x - 3y = 1 has no solution, the strip 0 <= 3x - 3y <= 1 has infinitely many.
    check("x: y:", &["3*x -3*y = 1"], "0");
    check("x: y:", &["3*x -3*y <= 1", "-3*x 3*y <= 0"], "unbounded");
    check("x: y:", &["3*x -3*y <= 2", "-3*x 3*y <= -1"], "0");
    // x - y and w are 0 or 1; disequalities of other forms leave nothing, or the line where both are 1.
    let mut rows = vec!["x -1*y <= 1", "-1*x y <= 0", "x -1*y w != 1", "x -1*y 2*w != 0"];
    check("x: y: w:0..1", &rows, "unbounded");
    rows.push("x -1*y 2*w != 3");
    check("x: y: w:0..1", &rows, "0");
    // In three dimensions.
    check("x:0.. y:0.. z:0..", &["x y z <= 10"], "286");
    check("x:0.. y:0.. z:0..", &["x y -1*z <= 10"], "unbounded");
}

#[test]
fn words() {
    let n = BigUint::from(2u32).pow(64);
    let int64 = "-9223372036854775808..9223372036854775807";
    check(&format!("x:{int64}"), &[], &n.to_string());
    let below = (&n * (&n - 1u32) / 2u32).to_string();
    check(&format!("x:{int64} y:{int64}"), &["x -1*y <= -1"], &below);
    check(&format!("x:{int64} y:{int64}"), &["x -1*y != 0"], &(&n * (&n - 1u32)).to_string());
    let chain = &n * (&n - 1u32) * (&n - 2u32) / 6u32;
    check(&format!("x:{int64} y:{int64} z:{int64}"), &["x -1*y <= -1", "y -1*z <= -1"], &chain.to_string());
}

#[test]
fn coefficients_near_two_to_the_31() {
    // The numbers are those of barvinok; the first is 1 + n (n + 1) / 2 for n = 2^31 - 1.
    check("x:0..2147483647 y:0..2147483647", &["2147483647*x -2147483646*y <= 0"], "2305843008139952129");
    check("x:0..1000000 y:0..1000000", &["2147483647*x 2147483629*y <= 1000000000000000"], "108420781953");
    check(
        "x:0..2000 y:0..2000 z:0..2000",
        &["2147483647*x 2147483629*y -2147483587*z <= 12345678901"],
        "1347381951",
    );
}

#[test]
fn all_different_over_seven_words() {
    let mut problem = Problem::new();
    let vars: Vec<u32> = (0..7).map(|_| problem.variable(Domain::signed(32))).collect();
    for (i, x) in vars.iter().enumerate() {
        for y in &vars[..i] {
            problem.row(&[(*x, 1), (*y, -1)], 0, Relation::Ne);
        }
    }
    let n = BigUint::from(2u32).pow(32);
    let expected = (0..7u32).fold(BigUint::from(1u32), |p, k| p * (&n - k));
    let (found, did) = count_with(&problem, Budget::default(), None);
    assert_eq!(found, Count::Exact(expected));
    // Deletion and contraction, not 2^21 subsets.
    assert!(did.parts < 60, "{did:?}");
}

#[test]
fn many_variables_and_disequalities_come_to_an_end() {
    // A circle of 400 disequalities: (k - 1)^n + (k - 1), or bounds that hold.
    let mut circle = Problem::new();
    let vars: Vec<u32> = (0..400).map(|_| circle.variable(Domain::new(0, 9))).collect();
    for (i, x) in vars.iter().enumerate() {
        circle.row(&[(*x, 1), (vars[(i + 1) % 400], -1)], 0, Relation::Ne);
    }
    let expected = BigUint::from(9u32).pow(400) + 9u32;
    match count(&circle, Budget { steps: 20_000 }) {
        Count::Exact(found) => assert_eq!(found, expected),
        Count::Bounds { lo, hi, .. } => assert!(lo <= expected && expected <= hi, "{lo} {hi}"),
        other => panic!("{other:?}"),
    }
    // One row over 40 variables: 2^40 vertices.
    let mut wide = Problem::new();
    let terms: Vec<(u32, i64)> = (0..40).map(|_| (wide.variable(Domain::new(0, 1 << 40)), 1)).collect();
    wide.row(&terms, -(1 << 44), Relation::Le);
    let (found, did) = count_with(&wide, Budget { steps: 5_000 }, None);
    assert!(did.steps <= 5_000);
    match found {
        Count::Bounds { lo, hi, .. } => assert!(lo > BigUint::ZERO && hi <= BigUint::from(2u32).pow(1700)),
        other => panic!("{other:?}"),
    }
}

#[test]
fn many_small_domains_come_to_an_end() {
    let mut wide = Problem::new();
    let terms: Vec<(u32, i64)> = (0..40).map(|v| (wide.variable(Domain::new(0, 9)), 1 + v % 3)).collect();
    wide.row(&terms, -300, Relation::Le);
    let (found, did) = count_with(&wide, Budget { steps: 100_000 }, None);
    assert!(matches!(found, Count::Bounds { .. }), "{found:?}");
    assert!(did.bounded > 0);
}

#[test]
fn huge_counts() {
    // 60 variables of 32 bits, free: 579 digits.
    let mut free = Problem::new();
    for _ in 0..60 {
        free.variable(Domain::signed(32));
    }
    assert_eq!(count(&free, Budget::default()), Count::Exact(BigUint::from(2u32).pow(32 * 60)));
    // 24 variables in ascending order: one simplex, C(n + 23, 24).
    let mut chain = Problem::new();
    let vars: Vec<u32> = (0..24).map(|_| chain.variable(Domain::signed(32))).collect();
    for pair in vars.windows(2) {
        chain.row(&[(pair[0], 1), (pair[1], -1)], 0, Relation::Le);
    }
    let n = BigUint::from(2u32).pow(32);
    let ways = (0..24u32).fold(BigUint::from(1u32), |p, k| p * (&n + k) / (k + 1));
    assert_eq!(count(&chain, Budget::default()), Count::Exact(ways));
}

#[test]
fn problems_without_a_domain_are_refused() {
    let mut problem = Problem::new();
    problem.row(&[(3, 1)], 0, Relation::Le);
    assert_eq!(count(&problem, Budget::default()), Count::GaveUp("variable 3 has no domain".to_string()));
}

#[test]
fn parts_are_reused_under_other_names_and_shifts() {
    let rows = ["x y z <= 20", "x -1*y <= 3", "x -1*z != 0"];
    let mut table = Table::default();
    let first = problem("x:0..9 y:0..9 z:0..99", &rows);
    let (found, did) = count_with(&first, Budget::default(), Some(&mut table));
    assert_eq!((did.reused, did.decomposed), (0, 1));
    // y and z declared first; all of them moved by 5; another part beside it.
    let second = problem("z:5..104 y:5..14 w:0..3 x:5..14", &["x y z <= 35", "x -1*y <= 3", "x -1*z != 0"]);
    let (again, did) = count_with(&second, Budget::default(), Some(&mut table));
    assert_eq!((did.reused, did.decomposed), (1, 0));
    let (Count::Exact(found), Count::Exact(again)) = (found, again) else { panic!("not exact") };
    assert_eq!(found * 4u32, again);
}

#[test]
fn one_count_gives_both_arms() {
    let path = Path::new(problem("x:0..99 y:0..99", &["x y <= 100"]), Budget::default(), None);
    for (terms, constant, relation) in [
        (&[(0, 1), (1, -1)][..], 3, Relation::Le),
        (&[(0, 2), (1, -3)][..], 1, Relation::Eq),
        (&[(0, 1), (1, 1)][..], -50, Relation::Ne),
    ] {
        let row = Row::new(terms, constant, relation);
        let arms = path.branch(&row, Budget::default(), None);
        for (row, found) in [(row.clone(), arms.holds), (row.negated(), arms.fails)] {
            let mut arm = path.problem.clone();
            arm.rows.push(row);
            assert_eq!(count(&arm, Budget::default()), found);
        }
    }
    let seven = Count::Exact(BigUint::from_str("7").unwrap());
    assert_eq!(complement(&Count::Unbounded, &seven), Count::Unbounded);
    assert!(matches!(complement(&Count::Unbounded, &Count::Unbounded), Count::GaveUp(_)));
}
